"""Who is believed when two versions of an event contradict each other: the one that fits the next good seal."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.audit import Auditor
from replay.evidence import NO_SIGNATURE, key_id, public_half, sign
from replay.refold import fold
from replay.results import Finding, Rejected, Row, SessionSummary, Settlement, Verdict
from replay.track import Folded
from replay.versions import MAX_WAYS
from tests.installed import judged
from tests.replay import logs
from tests.replay.streaks.volatile import WATCHING
from tests.replay.test_audit import assert_supersedes, audited, folded, verdict

STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(reversed(range(32))))
TRUST: dict[str, Any] = {
    "the gateway's": logs.KEYS,
    "none": None,
    "another's": {key_id(public_half(STRANGER)): public_half(STRANGER)},
}
LOG = logs.boule(
    [
        logs.Coup(7, [logs.Stake("red", error=90000), logs.Stake("straight_up", 3)]),
        logs.Coup(5, [logs.Stake("black"), logs.Stake("odd", error=-100)]),
        logs.Coup(2, [logs.Stake("red")]),
    ]
)


def chain_up_to(lines: Sequence[bytes]) -> str:
    """By hand: SHA-256 since the last checkpoint."""
    digest = hashlib.sha256()
    for line in lines:
        event = json.loads(line)
        if event["type"] == "checkpoint":
            digest = hashlib.sha256(bytes.fromhex(event["chain"]))
        digest.update(line + b"\n")
    return digest.hexdigest()


def forged_seal(lines: Sequence[bytes], seq: int, key: Ed25519PrivateKey | None = None, **fields: Any) -> bytes:
    """A checkpoint in the place of event ``seq`` whose chain is right; without a key, its signature is invented."""
    chain = chain_up_to(lines[: seq - 1])
    envelope = {name: json.loads(lines[seq - 1])[name] for name in ("v", "session", "seq", "at", "table")}
    event = envelope | {"type": "checkpoint", "device": "x", "chain": chain, "key": "0" * 16} | fields
    if key is None:
        return json.dumps(event | {"signature": "ab" * 64}).encode()
    event |= {"key": key_id(public_half(key)), "signature": NO_SIGNATURE}
    unsigned = json.dumps(event).encode()
    return unsigned.replace(NO_SIGNATURE.encode(), sign(key, chain, unsigned).encode())


def second_version(chance: random.Random, lines: Sequence[bytes], seq: int) -> bytes:
    """Another line under this number, as somebody without the gateway's key can write it."""
    line = lines[seq - 1]
    match chance.choice(["device", "money", "refused", "garbage", "seal", "earlier seal", "stranger's seal", "table"]):
        case "device":
            return logs.altered(line, device=f"x{chance.randrange(3)}")
        case "money":
            fields = [name for name in ("amount", "paid", "float", "number") if name in json.loads(line)]
            return logs.altered(line, **{name: chance.randint(1, 9) for name in fields}, device="x")
        case "refused":
            return logs.altered(line, at=chance.choice(["never", "now"]))
        case "garbage":
            return b'{"session":"%s","seq":%d}' % (json.loads(line)["session"].encode(), seq)
        case "seal":
            return forged_seal(lines, seq)
        case "earlier seal":
            return forged_seal(lines, seq, chain="0" * 64)
        case "stranger's seal":
            return forged_seal(lines, seq, STRANGER)
    return logs.altered(line, table="BO99")


def all_but_contradictions(rows: Sequence[Row]) -> dict[tuple[Any, ...], bytes]:
    """The final word, without the findings that an event was contradicted, and without counts of findings."""
    kept: list[Row] = []
    for row in rows:
        if isinstance(row, Rejected) or (isinstance(row, Finding) and row.code == "conflicting_event"):
            continue
        kept.append(msgspec.structs.replace(row, findings=0) if isinstance(row, SessionSummary) else row)
    return verdict(kept)


def by_definition(lines: Sequence[bytes], keys: Any) -> list[Row]:
    said, summary = fold(LOG.session, lines, judged(keys=keys, watching=WATCHING))
    return [*said, summary]


# A sealed session, and one line more


@pytest.mark.parametrize("trust", TRUST)
@pytest.mark.parametrize("seed", range(30))
def test_one_line_without_a_key_changes_no_verdict_of_a_sealed_session(seed, trust):
    if trust == "another's":
        return  # to whom no seal of this session is good
    chance = random.Random(seed)
    seq = chance.randint(1, len(LOG.lines) - 1)
    extra = second_version(chance, LOG.lines, seq)
    lines = [*LOG.lines, extra]
    expected = all_but_contradictions(by_definition(LOG.lines, TRUST[trust]))

    assert all_but_contradictions(by_definition(lines, TRUST[trust])) == expected
    for _ in range(3):
        chance.shuffle(lines)
        assert all_but_contradictions(audited(lines, keys=TRUST[trust])[0]) == expected


@pytest.mark.parametrize("keys", [logs.KEYS, None])
@pytest.mark.parametrize("seq", range(1, len(LOG.lines) + 1))
def test_a_second_version_of_any_event_is_told_once_and_changes_nothing_else(seq, keys):
    others = [logs.altered(LOG.lines[seq - 1], device=f"x{number}") for number in range(3)]
    before = by_definition(LOG.lines, keys)
    for lines in ([*LOG.lines, *others], [*others, *LOG.lines]):
        rows = by_definition(lines, keys)
        told = [row for row in rows if isinstance(row, Finding) and row.code == "conflicting_event"]

        assert [(row.seq, row.round, row.gaming_day) for row in told] == [(seq, 0, "2026-11-29")]
        assert all_but_contradictions(rows) == all_but_contradictions(before)
        summary = rows[-1]
        assert isinstance(summary, SessionSummary) and isinstance(before[-1], SessionSummary)
        assert (summary.findings, summary.conflicts) == (before[-1].findings + 1, 0)


def test_a_great_overpayment_is_not_talked_away():
    """One unsigned line, a second version of event 9."""
    rows = by_definition([*LOG.lines, logs.altered(LOG.lines[8], device="x")], logs.KEYS)

    assert [row.difference for row in rows if isinstance(row, Settlement) and row.verdict is Verdict.OVERPAID] == [
        90000
    ]
    assert not any(isinstance(row, Settlement) and row.verdict is Verdict.UNVERIFIABLE for row in rows)


def test_a_second_version_of_the_opening_does_not_blind_the_session():
    other = logs.altered(LOG.lines[0], rules="MO-1985", gaming_day="2026-11-28")
    for lines in ([other, *LOG.lines], [*LOG.lines, other]):
        rows, _ = audited(lines)

        assert all_but_contradictions(rows) == all_but_contradictions(by_definition(LOG.lines, logs.KEYS))


def test_what_was_sealed_is_believed_though_it_cannot_be_read():
    """The table has sealed a line that is no event; that somebody writes a good one does not make it one."""
    writer = logs.Writer("BO01-2026-11-29", "BO01")
    house = {"casino": "C", "pit": "P1", "game": "boule", "rules": "AD-2025", "currency": "EUR"}
    writer.event("table_opened", **house, float=0)
    writer.event("round_opened", round=1)
    writer.event("bet_placed", round=1, bet="b", seat=1, wager="red", amount="ten")
    writer.event("round_closed", round=1)
    writer.seal()
    good = logs.altered(writer.log.lines[2], amount=10)
    for lines in ([*writer.log.lines, good], [good, *writer.log.lines]):
        rows, _ = audited(lines)
        codes = {(row.code, row.seq) for row in rows if isinstance(row, Finding) and not row.withdrawn}

        assert {("rejected_event", 3), ("conflicting_event", 3)} <= codes
        assert verdict(rows) == folded(lines)


# Where no seal tells


@pytest.mark.parametrize("keys", [logs.KEYS, None])
def test_where_no_seal_follows_both_are_in_doubt(keys):
    unsealed = logs.boule([logs.Coup(7, [logs.Stake("red")])], sealed=False).lines
    bet = next(place for place, line in enumerate(unsealed) if b'"bet_placed"' in line)
    rows = by_definition([*unsealed, logs.altered(unsealed[bet], amount=200)], keys)

    assert [row.code for row in rows if isinstance(row, Finding) and row.kind.value == "evidence"] == [
        "conflicting_event"
    ]
    assert not any(isinstance(row, Settlement) and row.verdict is Verdict.MATCH for row in rows)
    assert isinstance(rows[-1], SessionSummary) and rows[-1].conflicts == 1


def test_a_seal_by_a_key_that_does_not_count_tells_nothing():
    rows = by_definition([*LOG.lines, logs.altered(LOG.lines[8], device="x")], TRUST["another's"])

    assert isinstance(rows[-1], SessionSummary) and rows[-1].conflicts == 1


def test_so_many_versions_that_the_seal_cannot_tell_leave_all_in_doubt():
    seqs = range(1, LOG.rounds[0][-1])
    for count, in_doubt in ((1, False), (MAX_WAYS.bit_length() - 1, False), (MAX_WAYS.bit_length(), True)):
        extra = [logs.altered(LOG.lines[seq - 1], device="x") for seq in seqs[:count]]
        assert len(extra) == count
        lines = [*LOG.lines, *extra]
        rows = by_definition(lines, logs.KEYS)

        assert isinstance(rows[-1], SessionSummary) and (rows[-1].conflicts > 0) is in_doubt
        assert verdict(audited(lines)[0]) == folded(lines)


def test_two_histories_that_are_both_sealed_are_in_doubt_without_keys_and_not_with_them():
    """Who has no key can seal what he invents up to the end of the log, if nobody looks at signatures."""
    log = logs.boule([logs.Coup(7, [logs.Stake("red")])], closed=False)
    bet = next(place for place, line in enumerate(log.lines) if b'"bet_placed"' in line)
    invented = [*log.lines]
    invented[bet] = logs.altered(log.lines[bet], amount=200)
    lines = [*log.lines, invented[bet], forged_seal(invented, len(invented))]

    without, keyed = (by_definition(lines, keys)[-1] for keys in (None, logs.KEYS))
    assert isinstance(without, SessionSummary) and isinstance(keyed, SessionSummary)
    assert (without.conflicts, keyed.conflicts) == (2, 0)


# A session's name used again


def test_a_name_used_again_is_told_under_the_day_that_both_name():
    opened, closed = LOG.lines[0], logs.altered(LOG.lines[-4], seq=2)
    again = [logs.altered(opened, at="2026-11-30T02:00:01Z", gaming_day="2026-11-29"), logs.altered(closed, float=5)]
    first = [logs.altered(opened, gaming_day="2026-11-29"), closed]
    rows, _ = audited([*first, *again])

    assert {row.gaming_day for row in rows if not isinstance(row, Rejected)} == {"2026-11-29"}
    assert [row.seq for row in rows if isinstance(row, Finding) and row.code == "conflicting_event"] == [1, 2]
    assert all(row.at_us > 10**15 for row in rows if isinstance(row, Finding))


# In whatever order


@st.composite
def talked_over(draw: st.DrawFn) -> tuple[list[bytes], list[bytes], Any]:
    """A night with second versions anywhere, in any order; some lines may be missing, or be forged themselves. And who
    trusts whose keys."""
    log = draw(logs.logs(most_coups=3))
    chance = draw(st.randoms(use_true_random=False))
    whole = list(log.lines)
    for _ in range(draw(st.integers(1, 6))):
        whole.append(second_version(chance, log.lines, chance.randint(1, len(log.lines))))
    for lost in chance.sample(log.lines, draw(st.sampled_from([0, 0, 1, 2]))):
        whole.remove(lost)
        if draw(st.booleans()):  # the table's own version is not there, another's is
            whole.append(second_version(chance, log.lines, 1 + log.lines.index(lost)))
    delay = draw(st.sampled_from([0, 3, 20, 10**6]))
    arriving = sorted(whole, key=lambda line: (whole.index(line) if delay < 10**6 else 0) + chance.random() * delay)
    if draw(st.booleans()):
        arriving = [line for line in arriving for _ in range(chance.choice([1, 1, 1, 2]))]
    return whole, arriving, TRUST[draw(st.sampled_from(sorted(TRUST)))]


@settings(max_examples=400)
@given(talked_over(), st.integers(0, 12))
def test_the_audit_comes_to_what_the_whole_log_says_in_every_order(night, every):
    whole, arriving, keys = night
    rows, _ = audited(arriving, every=every, keys=keys)

    assert verdict(rows) == folded(whole, keys=keys)
    assert_supersedes(rows)


@settings(max_examples=300)
@given(talked_over(), st.integers(1, 12), st.booleans())
def test_so_does_a_floor_that_reads_sessions_again_as_it_goes(night, every, given_up):
    """As live: what is late is read again from the log as far as it has come, and folded on from there."""
    whole, arriving, keys = night
    judging = judged(keys=keys, watching=WATCHING)
    auditor = Auditor(judging, patient=True)
    rows: list[Row] = []

    def read_again(so_far: int) -> bool:
        if not auditor.late():
            return False
        auditor.set_aside(LOG.session)
        auditor.resume(LOG.session, Folded(LOG.session, arriving[:so_far], judging))
        rows.clear()
        return True

    for place, line in enumerate(arriving, 1):
        auditor.feed(line, "topic", place)
        if place % every == 0:
            rows += [row for row in auditor.drain() if not isinstance(row, Rejected)]
            if given_up and auditor.waiting():
                auditor.give_up(LOG.session)
            read_again(place)
    for _ in range(6):
        auditor.end(LOG.session)
        if not read_again(len(arriving)):
            break
    rows += [row for row in auditor.drain() if not isinstance(row, Rejected)]

    assert auditor.late() == {}
    assert verdict([*rows, auditor.summary(LOG.session)]) == folded(whole, keys=keys)
