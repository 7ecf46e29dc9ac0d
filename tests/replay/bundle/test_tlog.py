"""Requests to a witness and proofs as files: one spelling, and every proof of every small log."""

from __future__ import annotations

import base64
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.bundle.checkpoint import Checkpoint, read_head, sign_head
from replay.bundle.merkle import EMPTY, Tree, extends
from replay.bundle.note import LOG, NoteError, key_of
from replay.bundle.tlog import AddCheckpoint, TlogProof, read_add_checkpoint, read_proof
from tests.replay.bundle.floors import HOUSE, KEY, ORIGIN, read_or_told

PUBLISHED: Final = """old 1
KgEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=

sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562
3
RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=

— sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562 \
UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=
"""
"""A request of litewitness's own tests (filippo.io/torchwood 0.6.1), which it answers with 200. The tree's nodes are
chosen there: the root of one leaf is 2A 00 … 00."""
SIGSUM: Final = "ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f"
EXAMPLE: Final = """c2sp.org/tlog-proof@v1
extra YWdlLXYxLjIuMS1kYXJ3aW4tYXJtNjQudGFyLmd6
index 73894
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=
EKNzoDWG8LGC0Yp9o+sv3qllpMP9uHQ9B20KNL+Q1zs=
RoopEkOdqkYqMB4MJXrbt/hMjOxsVn0IrWjpz1ZMMes=
AHCioX9nLjsrse6YhjRRmk1WUEirVOLLRoOQ6vfO5vk=

example.com/fancylog
109482
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=
"""
"""Of c2sp.org/tlog-proof, but that the extra line's padding is that of what it holds, and no signatures."""


def grown(size: int) -> Tree:
    tree = Tree()
    for number in range(size):
        tree.append(b"leaf %d" % number)
    return tree


def head(size: int) -> bytes:
    return bytes(sign_head(Checkpoint(ORIGIN, size, grown(size).root()), HOUSE))


REQUEST: Final = AddCheckpoint(3, tuple(grown(7).consistency(3)), head(7))
PROOF: Final = TlogProof(5, tuple(grown(7).inclusion(5)), head(7))


def published(text: str) -> bool:
    """Whether this request proves, signed by the log of litewitness's tests, that it extends their first head."""
    name = "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562"
    request = read_add_checkpoint(text.encode())
    assert bytes(request) == text.encode()
    found = read_head(request.note, [key_of(name, LOG, bytes.fromhex(SIGSUM))])
    return extends(bytes([0x2A] + [0] * 31), request.old, found.root, found.size, request.proof)


def test_published_requests_are_judged_as_litewitness_judges_them():
    """Each of these is in its tests, with the answer 200, 422 (twice), 403 (twice)."""
    proof = PUBLISHED.split("\n\n")[0].split("\n", 1)[1]

    assert published(PUBLISHED)
    assert not published(PUBLISHED.replace(proof + "\n", ""))
    assert not published(PUBLISHED.replace("AAAAAAA=\n\n", "AAAAABA=\n\n"))
    for other in (PUBLISHED.replace("WVrx6go=", "WVrx6gx="), PUBLISHED.replace("309e562", "309e563")):
        with pytest.raises(NoteError):
            published(other)


def test_the_example_of_a_proof_is_read():
    proof = read_proof(EXAMPLE.encode())

    assert (proof.index, len(proof.hashes), proof.extra) == (73894, 5, b"age-v1.2.1-darwin-arm64.tar.gz")
    assert bytes(proof) == EXAMPLE.encode()


@given(st.integers(1, 80), st.data())
def test_every_leaf_is_proven_by_what_is_read_back_and_no_other_is(size, data):
    index = data.draw(st.integers(0, size - 1))
    proof = TlogProof(index, tuple(grown(size).inclusion(index)), head(size))
    back = read_proof(bytes(proof))
    at = read_head(back.note, [KEY])

    assert back == proof
    assert back.holds(at, b"leaf %d" % index)
    assert not back.holds(at, b"leaf %d" % (index + 1))
    for other in {0, index - 1, index + 1, size - 1, size} - {index}:
        assert not TlogProof(other, back.hashes, back.note).holds(at, b"leaf %d" % index)
    if back.hashes:
        level = data.draw(st.integers(0, len(back.hashes) - 1))
        wrong = (*back.hashes[:level], EMPTY, *back.hashes[level + 1 :])
        assert not TlogProof(index, wrong, back.note).holds(at, b"leaf %d" % index)


@given(st.integers(0, 80), st.integers(0, 80), st.binary(min_size=32, max_size=32))
def test_a_head_extends_every_smaller_one_and_no_other(one, other, root):
    old, new = sorted((one, other))
    request = read_add_checkpoint(bytes(AddCheckpoint(old, tuple(grown(new).consistency(old)), head(new))))
    before, after = grown(old).root(), grown(new).root()

    assert extends(before, request.old, after, new, request.proof)
    assert not extends(root, request.old, after, new, request.proof)
    assert old == 0 or not extends(before, request.old, root, new, request.proof)
    assert not extends(before, request.old, after, new, (*request.proof, root))


def test_a_proof_to_a_root_that_no_head_bears_proves_nothing():
    """The hashes are right, for another tree."""
    tree = grown(7)
    tree.append(b"another")
    index = 5
    proof = TlogProof(index, tuple(tree.inclusion(index)), head(8))

    assert not proof.holds(read_head(proof.note, [KEY]), b"leaf 5")


def test_no_first_night_comes_twice():
    """A tree of no leaf is the beginning of any, without a proof; another old size is never proven by nothing."""
    assert extends(EMPTY, 0, grown(5).root(), 5, [])
    assert not extends(EMPTY, 0, grown(5).root(), 5, [grown(4).root()])
    assert not extends(grown(3).root(), 0, grown(5).root(), 5, [])
    assert not extends(grown(3).root(), 3, grown(5).root(), 5, [])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"old 3\n",
        b"old 3\n\n",
        bytes(REQUEST).replace(b"old 3", b"old  3"),
        bytes(REQUEST).replace(b"old 3", b"old +3"),
        bytes(REQUEST).replace(b"old 3", b"old 03"),
        bytes(REQUEST).replace(b"old 3", b"old 3 "),
        bytes(REQUEST).replace(b"old 3", b"OLD 3"),
        bytes(REQUEST).replace(b"old 3", b"old -3"),
        bytes(REQUEST).replace(b"old 3", b"old 18446744073709551616"),
        bytes(REQUEST).replace(b"old 3\n", b""),
        bytes(REQUEST).replace(b"old 3\n", b"old 3\r\n"),
        bytes(REQUEST).replace(b"\n\n", b"\n", 1),
        b"\n" + bytes(REQUEST),
        b"old 3\n" + b"".join(base64.b64encode(bytes([n]) * 32) + b"\n" for n in range(64)) + b"\n" + head(7),
        b"old 3\n" + base64.b64encode(bytes(31)) + b"\n\n" + head(7),
        b"old 3\nAAAA\n\n" + head(7),
        b"old 3\n" + b"x" * 100_000 + b"\n\n" + head(7),
    ],
)
def test_what_is_no_request_is_refused_in_one_line(data):
    with pytest.raises(NoteError) as told:
        read_head(read_add_checkpoint(data).note, [KEY])
    assert str(told.value).isprintable()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"c2sp.org/tlog-proof@v1\n",
        bytes(PROOF).replace(b"@v1", b"@v2"),
        bytes(PROOF).replace(b"index 5", b"index 05"),
        bytes(PROOF).replace(b"index 5", b"index  5"),
        bytes(PROOF).replace(b"index 5\n", b""),
        bytes(PROOF).replace(b"index 5", b"extra \nindex 5"),
        bytes(PROOF).replace(b"index 5", b"extra dgN=\nindex 5"),
        bytes(PROOF).replace(b"index 5", b"extra dgM=\nextra dgM=\nindex 5"),
        bytes(PROOF).replace(b"index 5", b"index 5\nextra dgM="),
        bytes(PROOF).replace(b"\n\n", b"\n \n", 1),
        bytes(PROOF).replace(b"\n", b"\r\n"),
    ],
)
def test_what_is_no_proof_is_refused_in_one_line(data):
    with pytest.raises(NoteError) as told:
        read_head(read_proof(data).note, [KEY])
    assert str(told.value).isprintable()


@given(st.binary(max_size=300), st.sampled_from([b"", b"old 0\n", b"c2sp.org/tlog-proof@v1\n"]))
def test_whatever_is_read_it_is_one_or_one_clear_error(data, begins):
    for read in (read_add_checkpoint, read_proof):
        found = read_or_told(read, begins + data)
        assert found is None or bytes(found) == begins + data
