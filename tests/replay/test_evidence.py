"""The seal on a log: no byte of it can be changed, dropped, added or moved unseen."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.evidence import NO_SIGNATURE, Chain, key_id, public_half, public_key, sign, signature_holds
from replay.line import read
from replay.refold import fold
from replay.results import Finding, Kind, Round, Settlement, Verdict
from tests.installed import JUDGING, judged
from tests.replay import logs

LOG = logs.boule(
    [
        logs.Coup(7, [logs.Stake("red"), logs.Stake("straight_up", 3)]),
        logs.Coup(5, [logs.Stake("black")]),
    ]
)
LAST_SEAL = len(LOG.lines)
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(reversed(range(32))))
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]
"""Section 7.1, tests 1 to 3: secret key, public key, message, signature."""


def evidence(lines: list[bytes], keys: Any) -> list[Finding]:
    """The findings about the log itself."""
    return found(lines, keys)[0]


def found(lines: list[bytes], keys: Any) -> tuple[list[Finding], set[int]]:
    """The same, and the rounds that are named by them or told as not verifiable."""
    rows, _ = fold(LOG.session, lines, judged(keys=keys))
    findings = [row for row in rows if isinstance(row, Finding) and row.kind is Kind.EVIDENCE]
    unverifiable = {row.round for row in rows if isinstance(row, Round) and not row.verifiable}
    return findings, unverifiable | {row.round for row in findings}


def replaced(seq: int, line: bytes) -> list[bytes]:
    return [*LOG.lines[: seq - 1], line, *LOG.lines[seq:]]


def round_of(seq: int) -> int:
    """The round that a finding about this event must name: its own, else the one before or after it."""
    return next((number for number, round_ in enumerate(LOG.rounds, 1) if seq in round_), 0)


def is_ours(line: bytes) -> bool:
    """Otherwise it is told as rejected, with its place, or as the beginning of another session."""
    return read(line).event is not None and read(line).session == LOG.session


@pytest.fixture(params=[True, False], ids=["with keys", "without keys"])
def keys(request: pytest.FixtureRequest) -> Any:
    return logs.KEYS if request.param else None


def test_a_log_as_it_was_sealed_is_found_whole(keys):
    rows, summary = fold(LOG.session, LOG.lines, judged(keys=keys))

    assert [row for row in rows if isinstance(row, Finding)] == []
    assert [(row.sealed, row.verifiable) for row in rows if isinstance(row, Round)] == [(True, True)] * 2
    assert summary.checkpoints_good == 4


def flips(line: bytes) -> list[bytes]:
    """The line with each of its bytes changed to a neighbour, which keeps it a number, a letter or what it was."""
    return [line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :] for at in range(len(line))]


@pytest.mark.parametrize("seq", range(1, len(LOG.lines) + 1))
def test_no_byte_can_be_changed_unseen(seq):
    """Without keys only what the last checkpoint says beside its chain. If nothing can be read of the last line any
    more, it is told as rejected. The round is that of the event, or the one that it now claims to be of."""
    number = round_of(seq)
    line = LOG.lines[seq - 1]
    chain = json.loads(line).get("chain", "").encode()
    for at, changed in enumerate(flips(line)):
        for keys in (logs.KEYS, None):
            findings, named = found(replaced(seq, changed), keys)
            in_chain = bool(chain) and 0 <= at - line.index(chain) < len(chain)
            only_a_signature_shows_it = keys is None and seq == LAST_SEAL and not in_chain
            if not findings:
                assert only_a_signature_shows_it or (seq == LAST_SEAL and not is_ours(changed)), (at, changed)
            elif number and not chain and number not in named:
                assert json.loads(changed)["round"] in named, (seq, at, changed, findings)


@pytest.mark.parametrize("seq", range(1, len(LOG.lines) + 1))
def test_no_other_value_of_a_byte_goes_unseen(seq):
    """Each byte becomes something far off: a blank, a digit, a character that JSON does not know."""
    line = LOG.lines[seq - 1]
    for at in range(0, len(line), 7):
        for byte in b" 0z\xff":
            if line[at] != byte:
                changed = line[:at] + bytes([byte]) + line[at + 1 :]
                findings = evidence(replaced(seq, changed), logs.KEYS)
                assert findings or (seq == LAST_SEAL and not is_ours(changed)), (at, changed)


def test_no_event_can_be_dropped_unseen(keys):
    for seq in range(1, LAST_SEAL):
        findings = evidence(LOG.lines[: seq - 1] + LOG.lines[seq:], keys)

        assert [row.code for row in findings] == ["sequence_gap"]


def renumbered(lines: list[bytes]) -> list[bytes]:
    """Events numbered anew without holes, as by somebody who covers his tracks, but has no key."""
    return [logs.altered(line, seq=seq) for seq, line in enumerate(lines, 1)]


def test_nor_where_all_later_events_are_renumbered(keys):
    for seq in range(2, LAST_SEAL - 3):
        assert evidence(renumbered(LOG.lines[: seq - 1] + LOG.lines[seq:]), keys)


def test_no_event_can_be_added_unseen(keys):
    for seq in range(2, LAST_SEAL):
        added = logs.altered(LOG.lines[seq - 1], device="added")
        findings = evidence(renumbered([*LOG.lines[: seq - 1], added, *LOG.lines[seq - 1 :]]), keys)

        assert findings


def test_an_event_added_with_all_else_left_alone_contradicts_the_one_of_its_number(keys):
    for seq in range(1, LAST_SEAL + 1):
        findings = evidence([*LOG.lines, logs.altered(LOG.lines[seq - 1], device="added")], keys)

        assert [(row.code, row.seq) for row in findings] == [("conflicting_event", seq)]


def test_no_two_events_can_be_swapped_unseen(keys):
    for seq in range(2, LAST_SEAL):
        one, other = LOG.lines[seq - 1], LOG.lines[seq]
        swapped = [logs.altered(other, seq=seq), logs.altered(one, seq=seq + 1)]
        findings = evidence([*LOG.lines[: seq - 1], *swapped, *LOG.lines[seq + 1 :]], keys)

        assert findings, seq


def test_the_order_of_lines_is_no_evidence_the_numbers_are(keys):
    assert evidence(LOG.lines[::-1], keys) == []


def test_what_is_cut_off_after_a_seal_shows_as_a_session_that_is_still_open():
    """No seal can tell that another was to follow."""
    for number, round_ in enumerate(LOG.rounds, 1):
        rows, summary = fold(LOG.session, LOG.lines[: round_.stop - 1], judged(keys=logs.KEYS))

        assert [row for row in rows if isinstance(row, Finding)] == []
        assert (summary.state, summary.rounds) == ("open", number)


def test_a_round_whose_seal_is_cut_off_is_not_sealed():
    rows, _ = fold(LOG.session, LOG.lines[: LOG.rounds[1].stop - 2], judged(keys=logs.KEYS))

    assert [row.sealed for row in rows if isinstance(row, Round)] == [True, False]


def test_what_was_said_of_a_broken_round_does_not_stand_and_the_others_do(keys):
    seq = next(seq for seq in LOG.rounds[1] if LOG.kind(seq) == "ball_landed")
    rows, summary = fold(LOG.session, replaced(seq, logs.altered(LOG.lines[seq - 1], number=3)), judged(keys=keys))
    [finding] = [row for row in rows if isinstance(row, Finding)]

    assert (finding.code, finding.round) == ("chain_broken", 2)
    assert "round 2" in finding.text
    assert {row.round: (row.sealed, row.verifiable) for row in rows if isinstance(row, Round)} == {
        1: (True, True),
        2: (False, False),
    }
    assert {row.bet: row.verdict for row in rows if isinstance(row, Settlement)} == {
        "b1-0": Verdict.MATCH,
        "b1-1": Verdict.MATCH,
        "b2-0": Verdict.UNVERIFIABLE,
    }
    assert summary.checkpoints_bad == 1


@pytest.mark.parametrize(("numbered", "announced"), [(True, False), (False, False), (False, True)])
def test_the_round_after_a_broken_one_is_judged_however_it_begins(numbered, announced):
    coups = [logs.Coup(7, [logs.Stake("red", claim=claim)]) for claim in ("now", "never", "late", "now")]
    log = logs.boule(coups, numbered=numbered, announced=announced)
    for number in (1, 2, 3):
        seq = next(seq for seq in log.rounds[number - 1] if log.kind(seq) == "bet_placed")
        lines = [*log.lines[: seq - 1], logs.altered(log.lines[seq - 1], amount=900), *log.lines[seq:]]
        rows, _ = fold(log.session, lines, judged(keys=logs.KEYS))
        found = {row.bet: row.verdict for row in rows if isinstance(row, Settlement)}

        assert found.pop(f"b{number}-0") is Verdict.UNVERIFIABLE
        assert Verdict.UNVERIFIABLE not in found.values()
        assert {row.code for row in rows if isinstance(row, Finding)} <= {"chain_broken", "unsettled"}


def test_all_rounds_under_a_seal_that_covers_several_are_unverifiable_when_it_is_broken():
    writer = logs.Writer("BO01-2026-11-29", "BO01")
    coups = [logs.Coup(7, [logs.Stake("red")]), logs.Coup(1, [logs.Stake("black")])]
    log = logs.boule(coups, sealed=False, closed=False)
    lines = list(log.lines)
    writer.log.lines = lines
    writer.seal()
    for line in lines[:-1]:
        assert b"checkpoint" not in line
    rows, _ = fold(log.session, lines, JUDGING)

    assert [row.verifiable for row in rows if isinstance(row, Round)] == [False, False]
    [finding] = [row for row in rows if isinstance(row, Finding)]
    assert "rounds 1 to 2" in finding.text


def test_a_signature_by_another_key_is_found():
    log = logs.boule([logs.Coup(7, [logs.Stake("red")])])
    writer = logs.Writer(log.session, log.table, key=OTHER_KEY)
    for line in log.lines:
        event = json.loads(line)
        if event["type"] == "checkpoint":
            writer.seal()
        else:
            writer.log.lines.append(line)
            writer._chain.update(line + b"\n")
    both = {**logs.KEYS, key_id(public_half(OTHER_KEY)): public_half(OTHER_KEY)}

    assert {row.code for row in evidence(writer.log.lines, logs.KEYS)} == {"bad_signature"}
    assert evidence(writer.log.lines, both) == []
    own, other = (key_id(public_half(key)).encode() for key in (logs.KEY, OTHER_KEY))
    stolen = [line.replace(other, own) for line in writer.log.lines]
    assert {row.code for row in evidence(stolen, logs.KEYS)} == {"bad_signature", "chain_broken"}


# The pieces


def test_the_chain_is_sha_256_over_the_last_chain_and_the_lines_since():
    chain = Chain()
    chain.add(b"one")
    chain.add(b"two")
    assert chain.value() == hashlib.sha256(b"one\ntwo\n").hexdigest()

    after = Chain(chain.value())
    after.add(b"three")
    assert after.value() == hashlib.sha256(bytes.fromhex(chain.value()) + b"three\n").hexdigest()


def test_a_key_is_known_by_the_digest_of_its_bytes():
    key = public_half(logs.KEY)

    assert public_key(bytes(key).hex()) == key
    assert len(key_id(key)) == 16
    assert key_id(key) != key_id(public_half(OTHER_KEY))


@pytest.mark.parametrize("digits", ["abc", "ab" * 31, "ab" * 33, "xy" * 32, ""])
def test_what_is_not_64_hexadecimal_digits_is_no_key(digits):
    with pytest.raises(ValueError, match=r"."):
        public_key(digits)


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_keys_and_signatures_are_those_of_rfc_8032(secret, public, message, signature):
    key = public_half(Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)))

    assert bytes(key).hex() == public
    assert public_key(public).verify(bytes.fromhex(message), bytes.fromhex(signature)) == bytes.fromhex(message)


@pytest.mark.parametrize(
    ("key", "signature"),
    [
        pytest.param("01" + "00" * 31, "01" + "00" * 63, id="of order one: this would sign whatever there is"),
        pytest.param("00" * 32, "00" * 64, id="of order four"),
        pytest.param("02" + "00" * 31, "01" + "00" * 63, id="no point of the curve"),
        pytest.param("ff" * 32, "ab" * 64, id="beyond the field"),
    ],
)
def test_no_signature_holds_for_a_key_that_anybody_could_sign_with(key, signature):
    line = b'{"chain":"' + b"cd" * 32 + b'","signature":"' + signature.encode() + b'"}'

    assert not signature_holds(public_key(key), "cd" * 32, line, signature)


def test_a_signature_written_another_way_is_another_signature():
    """RFC 8032, 5.1.7: the second half is below the order of the base point; with the order added it proves as much."""
    order = 2**252 + 27742317777372353535851937790883648493
    seal = LOG.lines[-1]
    good = json.loads(seal)["signature"]
    second_half = int.from_bytes(bytes.fromhex(good[64:]), "little") + order
    other = good[:64] + second_half.to_bytes(32, "little").hex()
    findings = evidence([*LOG.lines[:-1], seal.replace(good.encode(), other.encode())], logs.KEYS)

    assert [finding.code for finding in findings] == ["bad_signature"]


def test_a_signature_holds_for_its_chain_and_line_alone():
    line = b'{"chain":"' + b"ab" * 32 + b'","signature":"' + NO_SIGNATURE.encode() + b'"}'
    signature = sign(logs.KEY, "ab" * 32, line)
    signed = line.replace(NO_SIGNATURE.encode(), signature.encode())
    key = public_half(logs.KEY)

    assert signature_holds(key, "ab" * 32, signed, signature)
    assert not signature_holds(public_half(OTHER_KEY), "ab" * 32, signed, signature)
    assert not signature_holds(key, "cd" * 32, signed, signature)
    assert not signature_holds(key, "ab" * 32, signed + b" ", signature)
    assert not signature_holds(key, "ab" * 32, signed, NO_SIGNATURE)
    assert not signature_holds(key, "ab" * 32, signed + signature.encode(), signature)
