"""Ours beside the implementations of others: what we write all of them take, and what they write we take.

What any of them refuses we refuse; and some that they take, too: a second spelling of a note, a signature twice.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replay.bundle import house_log, note
from replay.bundle.checkpoint import Checkpoint, read_head, sign_head
from replay.bundle.house_log import SealedNight
from replay.bundle.merkle import Tree, extends, included, leaf_hash
from replay.bundle.note import LOG, WITNESS, read_note
from replay.bundle.policy import read_policy, standing
from replay.bundle.strict import NoteError
from replay.bundle.tlog import read_proof
from replay.bundle.witness import Alarm, check, cosignature_of
from tests import oracles
from tests.replay.bundle.floors import (
    AT,
    DAYS,
    HOUSE,
    KEY,
    ORIGIN,
    REGULATOR,
    TABLES,
    WITNESS_KEY,
    cosigned,
    floor,
    handed,
    private,
    sealed,
    session,
    vkey,
    witness_of,
)

pytestmark = pytest.mark.xdist_group("go")  # one process builds the programs, and starts them

LOG_OF_FOUR: Final = floor(*DAYS)
NIGHT: Final = cosigned(LOG_OF_FOUR.nights[2])
HEAD: Final = NIGHT.head.encode()
KNOWN: Final = read_head(HEAD, [KEY])
YES: Final = "yes"


@pytest.fixture(scope="module")
def oracle() -> Iterator[oracles.Oracle]:
    found = oracles.Oracle()
    yield found
    found.close()


@pytest.fixture(scope="module")
def aics() -> Any:
    return oracles.aics()


def is_taken(read: Callable[[bytes], object], data: bytes) -> bool:
    """By ours."""
    try:
        read(data)
    except (NoteError, Alarm):
        return False
    return True


def line_of(data: bytes, number: int) -> bytes:
    return data.split(b"\n\n")[-1].split(b"\n")[number] + b"\n"


def variants() -> dict[str, bytes]:
    """Heads that are right, and heads with each thing wrong that others have stumbled over."""
    text, log, witness = KNOWN.note.text.encode(), line_of(HEAD, 0), line_of(HEAD, 1)
    size = str(KNOWN.size).encode()
    root = text.split(b"\n")[2]
    grease = b"".join(
        f"— grease.example/{n} {base64.b64encode(bytes([n]) * 30).decode()}\n".encode() for n in range(14)
    )
    b64 = log.split(b" ")[2].rstrip(b"\n")

    def signed(other: bytes) -> bytes:
        return other + b"\n" + str(note.Signature(ORIGIN, KEY.id, HOUSE.sign(other))).encode()

    found = {
        "as it is": HEAD,
        "by the house alone": text + b"\n" + log,
        "the witness first": text + b"\n" + witness + log,
        "grease": text + b"\n" + grease + log + witness,
        "a doubled line": text + b"\n" + log + log,
        "a doubled cosignature": HEAD + witness,
        "no line": text + b"\n",
        "by the witness alone": text + b"\n" + witness,
        "no empty line": text + log,
        "two empty lines": text + b"\n\n" + log,
        "an empty line at the end": HEAD + b"\n",
        "no last line end": HEAD[:-1],
        "CRLF": HEAD.replace(b"\n", b"\r\n"),
        "a hyphen": HEAD.replace("—".encode(), b"-"),
        "a blank at the end": HEAD[:-1] + b" \n",
        "loose base64": text + b"\n" + log.replace(b64, b64[:-2] + bytes([b64[-2] + 1]) + b64[-1:]),
        "base64 without padding": text + b"\n" + log.replace(b64, b64.rstrip(b"=")),
        "base64 with a line end in it": text + b"\n" + log.replace(b64, b64[:20] + b"\r" + b64[20:]),
        "an ID of nobody": text + b"\n" + log.replace(b64, base64.b64encode(b"\0" + base64.b64decode(b64)[1:])),
        "a broken signature": text + b"\n" + log.replace(b64, base64.b64encode(base64.b64decode(b64)[:-1] + b"\0")),
        "a control character": signed(text.replace(b"operator", b"oper\x01ator")),
        "another origin": signed(text.replace(b"floor-1", b"floor-2")),
        "an origin with a suffix": signed(text.replace(b"floor-1", b"floor-1 - 17")),
        "no UTF-8": signed(text.replace(b"operator", b"oper\xffator")),
        "a line more": signed(text + b"date 2026-11-29\n"),
        "an empty line more": signed(text + b"\n"),
        "a line less": signed(text[: text.index(root)]),
        "a root of 31 bytes": signed(text.replace(root, base64.b64encode(KNOWN.root[:31]))),
        "a loose root": signed(text.replace(root, root[:-2] + bytes([root[-2] + 1]) + b"=")),
        "another root": signed(text.replace(root, base64.b64encode(leaf_hash(b"")))),
        "no root": signed(text.replace(root, b"")),
        "nothing": b"",
        "a blank": b" ",
    }
    for other in (b"+9", b"09", b"0x9", b"-1", b"NOTANINT", b"", b" 9", b"9 ", b"9.0", b"9_0", "٩".encode(), b"9" * 20):
        found[f"size {other!r}"] = signed(text.replace(b"\n" + size + b"\n", b"\n" + other + b"\n"))
    return found


VARIANTS: Final = variants()
OURS: Final = {"as it is", "by the house alone", "the witness first", "grease"}
"""The ones that we take."""


def takes(data: bytes) -> bool:
    """Whether ours takes it for the head of `NIGHT`."""
    try:
        found = read_head(data, [KEY], [WITNESS_KEY])
    except NoteError:
        return False
    return (found.size, found.root) == (KNOWN.size, KNOWN.root)


def asked(oracle: oracles.Oracle, data: bytes) -> dict[str, str]:
    return oracle.ask(
        "head",
        note=data,
        origin=ORIGIN,
        log=str(KEY),
        witnesses=[str(WITNESS_KEY)],
        size=KNOWN.size,
        root=KNOWN.root,
    )


def asked_aics(aics: Any, data: bytes) -> bool:
    try:
        found = aics.verify_checkpoint(
            aics.parse_note(data),
            aics.parse_vkey(str(KEY)),
            [aics.parse_vkey(str(WITNESS_KEY))],
            expected_origin=ORIGIN,
        )
    except ValueError:
        return False
    return bool(found.ok) and (found.size, found.root) == (KNOWN.size, KNOWN.root)


@pytest.mark.parametrize("name", VARIANTS)
def test_we_take_the_heads_that_are_right_and_no_others(name):
    assert takes(VARIANTS[name]) == (name in OURS)


@pytest.mark.go
@pytest.mark.parametrize("name", VARIANTS)
def test_what_we_take_gos_implementations_take(oracle, name):
    answers = asked(oracle, VARIANTS[name])

    assert set(answers) == {"formats/log", "torchwood"}
    if takes(VARIANTS[name]):
        assert answers == {"formats/log": YES, "torchwood": YES}


@pytest.mark.go
def test_what_gos_implementations_take_and_we_do_not_is_known(oracle):
    """A second spelling, a signature that is there twice: each is a note that somebody could hold beside another."""
    laxer = {name for name, data in VARIANTS.items() if YES in asked(oracle, data).values() and not takes(data)}

    assert laxer == {"a doubled line", "a doubled cosignature", "loose base64", "a loose root"}


@pytest.mark.parametrize("name", VARIANTS)
def test_what_we_take_the_python_implementation_takes(aics, name):
    if takes(VARIANTS[name]):
        assert asked_aics(aics, VARIANTS[name])


def test_what_the_python_implementation_takes_and_we_do_not_is_known(aics):
    laxer = {name for name, data in VARIANTS.items() if asked_aics(aics, data) and not takes(data)}

    assert laxer == {"no last line end", "a line more"}


@pytest.mark.go
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_altered_head_is_taken_by_us_and_refused_by_another(oracle, aics, data):
    """A byte, two, a line or a piece of the head changed, left out, put in or moved."""
    altered = bytearray(HEAD)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(altered) - 1))
        change = data.draw(st.sampled_from(["set", "drop", "add", "cut"]))
        if change == "set":
            altered[place] = data.draw(st.integers(0, 255))
        elif change == "drop":
            del altered[place]
        elif change == "add":
            altered[place:place] = data.draw(st.binary(min_size=1, max_size=3))
        elif len(altered) > 1:
            end = data.draw(st.integers(place, len(altered)))
            piece = bytes(altered[place:end])
            altered[place:place] = piece
    if takes(bytes(altered)):
        assert set(asked(oracle, bytes(altered)).values()) == {YES}
        assert asked_aics(aics, bytes(altered))


@pytest.mark.go
def test_we_take_what_go_signs(oracle):
    text = KNOWN.note.text
    secret = base64.b64encode(b"\x01" + bytes([1]) * 32).decode()
    log = oracle.ask("sign", key=f"PRIVATE+KEY+{ORIGIN}+{KEY.id.hex()}+{secret}", text=text)
    plain = vkey(WITNESS_KEY.name, LOG, REGULATOR)
    secret = base64.b64encode(b"\x01" + bytes([2]) * 32).decode()
    witness = oracle.ask("cosign", key=f"PRIVATE+KEY+{WITNESS_KEY.name}+{plain.id.hex()}+{secret}", text=text)

    assert log["note"] == f"{text}\n{note.sign(text, ORIGIN, HOUSE)}"
    [found] = read_note(witness["note"].encode()).signed([WITNESS_KEY])
    assert found.time is not None
    assert found.time > AT - 10**9


def test_we_take_what_the_python_implementation_signs(aics):
    checkpoint = aics.Checkpoint(ORIGIN, KNOWN.size, KNOWN.root)
    made = aics.sign_checkpoint(checkpoint, HOUSE, ORIGIN)
    _, line = aics.sign_cosignature(REGULATOR, WITNESS_KEY.name, AT, ORIGIN, KNOWN.size, KNOWN.root)

    assert made.to_bytes() == bytes(sign_head(KNOWN.checkpoint, HOUSE))
    assert str(note.Signature(line.name, line.key_id, line.signature)).encode() == line_of(HEAD, 1)


# Proofs


def grown(size: int) -> Tree:
    tree = Tree()
    for number in range(size):
        tree.append(b"leaf %d" % number)
    return tree


def wrong_ways(proof: list[bytes]) -> Iterator[list[bytes]]:
    yield proof
    for place in range(len(proof)):
        yield proof[:place] + proof[place + 1 :]
        yield [*proof[:place], leaf_hash(b""), *proof[place + 1 :]]
    yield [*proof, leaf_hash(b"")]
    yield proof[::-1]


@pytest.mark.go
def test_every_consistency_of_every_small_log_is_judged_alike(oracle, aics):
    for size in range(1, 14):
        root = grown(size).root()
        for old in range(1, size + 1):
            before = grown(old).root()
            for proof in wrong_ways(grown(size).consistency(old)):
                ours = extends(before, old, root, size, proof)
                said = {"size": size, "root": root, "old_size": old, "old_root": before, "proof": proof}
                assert (oracle.ask("consistency", **said)["sumdb/tlog"] == YES) == ours
                assert aics.verify_consistency(old, size, before, root, proof) == ours


def test_the_beginning_of_every_log_is_judged_alike(aics):
    """Go is not asked: its package has no tree of no leaf."""
    empty, other = Tree().root(), grown(3).root()
    for size in range(4):
        for old_root in (empty, other):
            for root in (empty, other):
                for proof in ([], [other]):
                    ours = extends(old_root, 0, root, size, proof)
                    assert aics.verify_consistency(0, size, old_root, root, proof) == ours


@pytest.mark.go
def test_every_inclusion_in_every_small_log_is_judged_alike(oracle, aics):
    for size in range(1, 11):
        tree = grown(size)
        for index in range(size):
            leaf = b"leaf %d" % index
            for proof in wrong_ways(tree.inclusion(index)):
                ours = included(tree.root(), size, index, leaf, proof)
                said = {"size": size, "root": tree.root(), "index": index, "leaf": leaf, "proof": proof}
                assert (oracle.ask("inclusion", **said)["sumdb/tlog"] == YES) == ours
                assert aics.verify_leaf_inclusion(leaf, index, size, proof, tree.root()) == ours


@pytest.mark.go
def test_a_proof_as_a_file_is_taken_by_others_and_no_file_that_they_refuse_by_us(oracle):
    good = bytes(house_log.prove([NIGHT], NIGHT.size + 1))
    others = [
        good.replace(b"@v1", b"@v2"),
        good.replace(b"index ", b"index  "),
        good.replace(b"index ", b"index 0"),
        good.replace(b"index ", b"index +"),
        good.replace(b"\n\n", b"\n", 1),
        good.replace(b"index", b"extra AAAA\nindex", 1),
        good.replace(b"index", b"extra dgN=\nindex", 1),
        good.replace(b"\n", b"\r\n", 1),
        good[:60],
        b"",
    ]

    assert oracle.ask("proof", note=good) == {"formats/proof": YES}
    for other in others:
        if is_taken(lambda data: read_head(read_proof(data).note, [KEY]), other):
            assert oracle.ask("proof", note=other) == {"formats/proof": YES}


@pytest.mark.go
def test_a_policy_asks_of_others_what_it_asks_of_us(oracle):
    witnesses = {name: private(20 + number) for number, name in enumerate("ABC")}
    lines = [f"log {KEY}"]
    lines += [f"witness {n} {vkey(f'{n}.example', WITNESS, key)} https://{n}.example/" for n, key in witnesses.items()]
    groups = ("quorum A", "group G 2 A B C\nquorum G", "group G any A B\ngroup H all G C\nquorum H", "quorum none")
    for group in groups:
        policy = "\n".join([*lines, group, ""]).encode()
        for chosen in range(8):
            head = read_note(LOG_OF_FOUR.nights[0].head.encode())
            for number, (name, key) in enumerate(witnesses.items()):
                if chosen >> number & 1:
                    head = head.beside(note.cosign(head.text, f"{name}.example", key, AT))
            ours = standing(bytes(head), read_policy(policy)).is_met
            answer = oracle.ask("policy", policy=policy, note=bytes(head))["formats/witness"]
            assert (answer == YES) == ours


# A witness of others


def answer_of(found: tuple[int, bytes], night: SealedNight, name: str) -> int:
    """The status; where it is 200, the body is the witness's signature of this head."""
    status, body = found
    if status == 200:
        head = read_head(night.head.encode(), [KEY])
        cosignature_of(body, head, [vkey(name, WITNESS, private(50))])
    return status


@pytest.mark.go
def test_litewitness_signs_what_our_witness_signs_and_refuses_what_it_refuses():
    """Night after night, handed over as it is written; then every other history that a house could try."""
    name = "witness.example/lite"
    log = floor(*DAYS)
    one, two, three = log.nights[:3]
    other = floor(DAYS[0])
    sealed(other, DAYS[1], [session(table, DAYS[1], content="ab" * 32) for table in TABLES])
    branch = sealed(other, DAYS[2])
    start = floor()
    first = sealed(start, DAYS[0], [session(table, DAYS[0], content="cd" * 32) for table in TABLES])
    stranger = floor(DAYS[0], key=vkey("operator.example/retally/floor-2", LOG, HOUSE)).nights[0]
    ours = witness_of(one, two)
    forged = sign_head(Checkpoint(ORIGIN, three.size + 4, Tree().root()), private(60))

    with oracles.litewitness(name, ORIGIN, str(KEY), private(50)) as lite:
        for night in (one, two):
            assert answer_of(lite.post(handed(night).request), night, name) == 200
        for request, status in (
            (handed(two).request, 409),  # ours signs it anew: it is the very head that was accepted last
            (handed(other.nights[1]).request.replace(b"old 5", b"old 9"), 422),
            (handed(branch).request, 422),
            (handed(first).request, 409),
            (handed(stranger).request, 403),
            (handed(three).request.replace(b"old 9", b"old 5"), 409),
            (handed(log.nights[3]).request, 409),
            (b"old 9\n\n" + bytes(forged), 403),
            (b"old 9\n\n" + three.head.encode(), 422),
            (b"garbage", 400),
        ):
            assert lite.post(request)[0] == status, request.decode()
            if status != 409 or request != handed(two).request:
                assert not is_taken(lambda data: check(ours, handed(three, request=data)), request)
        assert answer_of(lite.post(handed(three).request), three, name) == 200
        assert is_taken(lambda data: check(ours, handed(three, request=data)), handed(three).request)


@pytest.mark.go
def test_the_signature_of_litewitness_stands_under_our_head():
    name, key = "witness.example/lite", vkey("witness.example/lite", WITNESS, private(50))
    night = floor(DAYS[0]).nights[0]
    with oracles.litewitness(name, ORIGIN, str(KEY), private(50)) as lite:
        status, body = lite.post(handed(night).request)
    line, by, _ = cosignature_of(body, read_head(night.head.encode(), [KEY]), [key])
    policy = read_policy(f"log {KEY}\nwitness lite {key}\nquorum lite\n".encode())

    assert (status, by) == (200, key)
    assert standing(bytes(read_note(night.head.encode()).beside(line)), policy).is_met
