"""Arrival does not matter: in whatever order, copies and delays a log comes, the final word is that of the whole."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import audit
from replay.audit import Auditor
from replay.events import decode
from replay.line import session_of
from replay.refold import Refold, fold
from replay.results import (
    Cage,
    Finding,
    Kind,
    RawEvent,
    Rejected,
    Round,
    Row,
    SessionSummary,
    Settlement,
    Streak,
    Verdict,
)
from replay.revisions import final, identity, taken_back
from replay.track import Folded, Track
from tests.installed import JUDGING, judged
from tests.replay import logs
from tests.replay.streaks.volatile import WATCHING, volatile
from tests.replay.test_hostile import held_by

SAID = (Settlement, Finding, Round, Cage, Streak)


@pytest.fixture(scope="module", autouse=True)
def streaks_that_alarm() -> Iterator[None]:
    """What is said of streaks must not depend on arrival either."""
    with volatile():
        yield


def audited(lines: Iterable[bytes], *, every: int = 0, keys: Any = logs.KEYS) -> tuple[list[Row], bool]:
    """All rows that a log gives, in the order in which they are given, and whether some of it was read again."""
    lines = list(lines)
    auditor = Auditor(judged(keys=keys, watching=WATCHING))
    rows: list[Row] = []
    for place, line in enumerate(lines, 1):
        auditor.feed(line, "log", place)
        if every and place % every == 0:
            rows += auditor.drain()
    rows += auditor.finish()
    late = auditor.late()
    if late:
        refold = Refold(late, judged(keys=keys, watching=WATCHING))
        for line in lines:
            refold.feed(line)
        rows += refold.rows()
    return rows, bool(late)


def verdict(rows: Iterable[Row]) -> dict[tuple[Any, ...], bytes]:
    """The final word under each identity, byte for byte but for the revision (and the copies that were ignored)."""
    last = {identity(row): row for row in rows if not isinstance(row, Rejected)}
    return {
        key: msgspec.json.encode(
            msgspec.structs.replace(row, revision=0, duplicates=0)
            if isinstance(row, SessionSummary)
            else msgspec.structs.replace(row, revision=0)
        )
        for key, row in last.items()
        if not (isinstance(row, SAID) and taken_back(row))
    }


def folded(log: Sequence[bytes], keys: Any = logs.KEYS) -> dict[tuple[Any, ...], bytes]:
    """What the whole log says of each of its sessions, by definition."""
    rows: list[Row] = []
    for name in {decode(line).session for line in log if may_be_read(line)}:
        own = [line for line in log if json_session(line) == name]
        said, summary = fold(name, own, judged(keys=keys, watching=WATCHING))
        rows += [*said, summary]
    return verdict(rows)


def json_session(line: bytes) -> str:
    return session_of(line).decode()


def may_be_read(line: bytes) -> bool:
    try:
        decode(line)
    except ValueError:
        return False
    return True


def assert_supersedes(rows: Iterable[Row]) -> None:
    """Each row bears a higher revision than the row of the same identity before it."""
    told: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        if isinstance(row, SAID):
            before = told.get(identity(row))
            assert before is None or row.revision > before.revision, (before, row)  # type: ignore[union-attr]
            told[identity(row)] = row


def of_evidence(rows: Iterable[Row]) -> list[Finding]:
    return [row for row in rows if isinstance(row, Finding) and row.kind is Kind.EVIDENCE]


SESSIONS = ("BO01-2026-11-29", "BO02-2026-11-29", "BO03-2026-11-29")


@st.composite
def arrivals(draw: st.DrawFn, *, wrong: bool = True) -> tuple[list[bytes], list[bytes]]:
    """The log of a few tables, and the same lines as they arrive: delayed, doubled, interleaved; with ``wrong``, some
    are missing, mangled or contradicted in both."""
    sessions = [draw(logs.logs(session=name, most_coups=3)).lines for name in SESSIONS[: draw(st.integers(1, 3))]]
    chance = draw(st.randoms(use_true_random=False))
    if draw(st.booleans()):
        sessions = [logs.put_right(chance, lines) for lines in sessions]
    whole: list[bytes] = []
    for lines in sessions:
        for line in lines:
            fate = chance.random() if wrong else 1
            if fate < 0.01:
                continue
            if fate < 0.02:
                whole.append(logs.altered(line, table="elsewhere"))
            elif fate < 0.04:
                whole.append(logs.altered(line, at="yesterday"))
                if fate < 0.03:
                    whole.append(logs.altered(line, seat=-1))
                continue
            elif fate < 0.05:
                whole.append(logs.altered(line, device="another"))
            elif fate < 0.06:
                whole.append(logs.altered(line, at="yesterday"))
            whole.append(line)
    delay = draw(st.sampled_from([0, 0, 2, 10, 10**6]))
    copies = draw(st.sampled_from([0, 0, 0.1, 0.5]))
    arriving = [
        (place + chance.random() * delay * (chance.random() < 0.3), line)
        for place, line in enumerate(
            logs.interleaved(chance, [[line] for line in whole] if delay > 10 else sessions_of(whole))
        )
        for _ in range(2 if chance.random() < copies else 1)
    ]
    return whole, [line for _, line in sorted(arriving, key=lambda pair: pair[0])]


def sessions_of(lines: Iterable[bytes]) -> list[list[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for line in lines:
        found.setdefault(session_of(line), []).append(line)
    return list(found.values())


@settings(max_examples=150)
@given(arrivals(wrong=False), st.integers(0, 30))
def test_no_order_copy_or_delay_changes_the_final_word(log, every):
    whole, arriving = log
    rows, _ = audited(arriving, every=every)

    assert verdict(rows) == folded(whole)
    assert_supersedes(rows)


@settings(max_examples=150)
@given(arrivals(), st.integers(0, 30))
def test_nor_where_the_log_has_holes_contradictions_and_rejected_lines(log, every):
    whole, arriving = log
    rows, _ = audited(arriving, every=every)

    assert verdict(rows) == folded(whole)
    assert_supersedes(rows)


@pytest.mark.parametrize(("events", "size"), [(1, 10**6), (3, 10**6), (10**6, 500), (10**6, 2000)])
def test_nor_where_little_can_be_held(events, size, monkeypatch):
    monkeypatch.setattr(audit, "MAX_HELD_EVENTS", events)
    monkeypatch.setattr(audit, "MAX_HELD_BYTES", size)

    @settings(max_examples=60)
    @given(arrivals(), st.integers(0, 30))
    def holds(log, every):
        whole, arriving = log
        rows, _ = audited(arriving, every=every)

        assert verdict(rows) == folded(whole)
        assert_supersedes(rows)

    holds()


def test_what_the_end_of_a_log_adds_to_a_reading_supersedes_it():
    """A log that ends with a round and one rejected line: what is lost by it was said running, and has ended."""
    twice = 0
    for seed in range(20):
        lines = logs.sample(seed, 2).lines
        end = 1 + max(place for place, line in enumerate(lines) if b'"round_closed"' in line)
        lines[end:] = [logs.altered(lines[end], at="yesterday")]
        rows, _ = audited(lines, every=1)

        assert_supersedes(rows)
        readings = [identity(row) for row in rows if isinstance(row, Streak)]
        twice += len(readings) - len(set(readings))
    assert twice


def test_the_fold_does_not_depend_on_the_order_of_lines_either():
    lines = logs.sample(4, 6).lines
    lines[10] = logs.altered(lines[10], at="never")
    lines.append(logs.altered(lines[10], at="now"))
    lines[30:31] = [lines[30], logs.altered(lines[30], device="x")]
    expected = msgspec.json.encode(fold(SESSIONS[0], lines, JUDGING))

    for seed in range(20):
        random.Random(seed).shuffle(lines)
        assert msgspec.json.encode(fold(SESSIONS[0], lines, JUDGING)) == expected


def test_a_log_in_order_is_never_read_again_and_holds_nothing():
    auditor = Auditor(JUDGING)
    for place, line in enumerate(logs.sample(4, 30).lines, 1):
        auditor.feed(line, "log", place)
        assert not any(held_by(auditor))

    assert auditor.late() == {}


@pytest.mark.parametrize("copies", [1, 3])
def test_copies_are_counted_and_change_nothing(copies):
    lines = logs.sample(4, 6).lines
    once, _ = audited(lines)
    rows, late = audited([line for line in lines for _ in range(copies + 1)])

    assert not late
    assert final([row for row in rows if isinstance(row, SAID)]) == final(
        [row for row in once if isinstance(row, SAID)]
    )
    assert [row.duplicates for row in rows if isinstance(row, SessionSummary)] == [copies * len(lines)]


def test_copies_of_events_in_dispute_are_no_reason_to_read_again():
    lines = logs.sample(4, 6).lines
    other = logs.altered(lines[20], device="other")
    for arriving in (
        [*lines[:20], *lines[21:25], lines[20], other, *lines[25:], other, lines[20], lines[20]],
        [*lines[:19], lines[20], other, *lines[19:20], *lines[21:], other, lines[20], lines[20]],
    ):
        rows, late = audited(arriving)

        assert not late
        assert [row.duplicates for row in rows if isinstance(row, SessionSummary)] == [3]


def test_second_versions_of_what_is_held_take_no_room():
    auditor = Auditor(JUDGING)
    lines = logs.sample(4, 30).lines
    for place, line in enumerate(lines[1:100], 2):
        auditor.feed(line, "log", place)
        auditor.feed(logs.altered(line, device="other"), "log", place)

    [track] = auditor._tracks.values()
    assert isinstance(track, Track)
    assert track.held_bytes == sum(map(len, lines[1:100]))


def test_what_is_missing_is_given_up_when_too_much_is_held(monkeypatch):
    monkeypatch.setattr(audit, "MAX_HELD_EVENTS", 20)
    lines = logs.sample(4, 30).lines
    auditor = Auditor(JUDGING)
    for place, line in enumerate([*lines[:40], *lines[41:]], 1):
        auditor.feed(line, "log", place)
        assert all(len(held) <= 20 for held in held_by(auditor))
    codes = [row.code for row in auditor.drain() if isinstance(row, Finding)]

    assert "sequence_gap" in codes
    auditor.feed(lines[40], "log", 0)
    assert list(auditor.late()) == [SESSIONS[0]]


# What is taken back


def test_findings_that_no_longer_hold_are_told_as_withdrawn():
    lines = logs.sample(4, 6, errors=False).lines
    rows, _ = audited([*lines[:30], *lines[31:], lines[30]])
    gaps = [row for row in rows if isinstance(row, Finding) and row.code == "sequence_gap"]

    assert [gap.withdrawn for gap in gaps] == [False, True]
    assert gaps[1].revision > gaps[0].revision


def test_a_settlement_whose_bet_is_in_dispute_after_all_is_taken_back():
    lines = logs.sample(4, 6, errors=False, sealed=False).lines
    place = next(index for index, line in enumerate(lines) if b'"bet_placed"' in line)
    bet = json.loads(lines[place])["bet"]
    rows, _ = audited([*lines, logs.altered(lines[place], amount=7700)])
    told = [row for row in rows if isinstance(row, Settlement) and row.bet == bet]

    assert [row.verdict for row in told] == [Verdict.MATCH, Verdict.RETRACTED]
    assert (told[1].stake, told[1].paid, told[1].difference) == (0, None, 0)


def test_a_movement_of_chips_in_dispute_after_all_is_taken_back():
    lines = logs.sample(4, 6, errors=False, sealed=False).lines
    place = next(index for index, line in enumerate(lines) if b'"fill"' in line)
    rows, _ = audited([*lines, logs.altered(lines[place], amount=7700)])
    told = [row for row in rows if isinstance(row, Cage) and row.seq == place + 1]

    assert [row.amount > 0 for row in told] == [True, False]
    kept = [json.loads(line)["amount"] for line in lines if b'"fill"' in line and line != lines[place]]
    amounts = [row.amount for row in final([row for row in rows if isinstance(row, SAID)]) if isinstance(row, Cage)]
    assert sum(amounts) == 500000 + 498000 + 77000 + sum(kept)


def test_rounds_without_numbers_are_counted_anew_when_a_late_event_parts_them():
    log = logs.sample(4, 6, errors=False, numbered=False, announced=False)
    end = next(seq for seq in log.rounds[2] if log.kind(seq) == "round_closed")
    rows, _ = audited([*log.lines[: end - 1], *log.lines[end:], log.lines[end - 1]])
    before = [row for row in rows if isinstance(row, Round)]

    assert verdict(rows) == folded(log.lines)
    assert max(row[2] for row in map(identity, final(before))) == 6


# Rejected lines


def test_the_reason_of_a_hole_is_the_same_whichever_rejected_line_came_first():
    lines = logs.sample(4, 3, errors=False).lines
    wrong = [logs.altered(lines[20], at="never"), logs.altered(lines[20], seat=-1), logs.altered(lines[20], device="")]
    told = set()
    for order in ([0, 1, 2], [2, 1, 0], [1, 0, 2]):
        rows, _ = audited([*lines[:20], *(wrong[index] for index in order), *lines[21:]])
        told |= {row.text for row in of_evidence(rows)}

    assert len(told) == 1


def test_a_rejected_line_that_comes_late_explains_the_hole_it_left():
    lines = logs.sample(4, 3, errors=False).lines
    rows, late = audited([*lines[:20], *lines[21:], logs.altered(lines[20], at="never")])

    assert late
    assert [(row.code, row.withdrawn) for row in of_evidence(rows)] == [
        ("sequence_gap", False),
        ("sequence_gap", True),
        ("rejected_event", False),
    ]


def test_a_rejected_line_beside_a_good_one_of_its_number_changes_nothing():
    lines = logs.sample(4, 3, errors=False).lines
    bad = logs.altered(lines[20], at="never")
    for arriving in ([*lines[:20], bad, *lines[20:]], [*lines, bad], [bad, *lines]):
        rows, late = audited(arriving)
        assert not late
        assert of_evidence(rows) == []


def test_rejected_lines_alone_make_no_session():
    rows, late = audited([logs.altered(line, at="never") for line in logs.sample(4, 3).lines])

    assert {type(row) for row in rows} == {Rejected}
    assert not late
    assert fold("nobody", [b"{}"], JUDGING)[0] == []


def test_rejected_lines_that_name_ever_other_sessions_are_not_remembered_for_ever(monkeypatch):
    monkeypatch.setattr(audit, "MAX_UNSEEN", 100)
    auditor = Auditor(JUDGING)
    for number in range(1000):
        auditor.feed(json.dumps({"session": f"s{number}", "seq": 1, "type": "?"}).encode(), "log", number)
        auditor.drain()

    assert auditor.session_count() == 0
    assert sum(map(len, auditor._unseen.values())) == 100


# Events as they came


@settings(max_examples=60)
@given(arrivals())
def test_every_event_is_given_back_once_for_each_of_its_versions_under_the_day_of_its_session(log):
    whole, arriving = log
    auditor = Auditor(JUDGING, raw=True)
    for place, line in enumerate(arriving, 1):
        auditor.feed(line, "log", place)
    rows = auditor.finish()
    raw = {row.raw for row in rows if isinstance(row, RawEvent)}
    rejected = {row.raw for row in rows if isinstance(row, Rejected)}

    assert raw | rejected == set(whole)
    assert raw & rejected == set()
    assert {row.gaming_day for row in rows if isinstance(row, RawEvent)} <= {"2026-11-29"}


@pytest.mark.parametrize("first", [0, 5])
def test_events_before_the_table_was_opened_are_kept_under_its_gaming_day(first):
    lines = logs.sample(4, 3, errors=False, sealed=False).lines
    lines[0] = logs.altered(lines[0], gaming_day="2026-11-28")
    auditor = Auditor(JUDGING, raw=True)
    for line in [*lines[1 : 1 + first], lines[0], *lines[1 + first :]]:
        auditor.feed(line, "log", 1)

    assert {row.gaming_day for row in auditor.finish() if isinstance(row, RawEvent)} == {"2026-11-28"}


# Sharing out


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (b'{"session":"T1","seq":1}', "T1"),
        (b'{ "session" : "T 1" ,"seq":1}', "T 1"),
        (b'{"options":{"session":"zz"},"session":"T1","seq":1}', "T1"),
        (b'{"session":"zz","seq":1,"session":"T1"}', ""),
        (b'{"session":"T\\u0031","seq":1}', "T1"),
        (b'{"se\\u0073sion":"T1","options":{"session":"zz"},"seq":1}', "T1"),
        (b'{"seq":1', ""),
        (b"\xff", ""),
        (b"[" * 50_000, ""),
    ],
)
def test_a_line_goes_to_the_worker_that_has_its_session(line, name):
    assert session_of(line).decode() == name


@given(logs.logs())
def test_lines_dealt_out_by_session_give_the_same_rows(log):
    assert {session_of(line).decode() for line in log.lines} == {log.session}


@pytest.mark.parametrize("again", ["first", "last", "read again"])
def test_a_session_of_which_every_event_is_in_dispute_is_told_under_the_day_that_its_copies_name(again):
    """Where nothing is certain, the first event's copies still say when and where the table was opened."""
    log = logs.boule([]).lines[:2]
    other = [logs.altered(line, device="another") for line in log]
    lines = [*log, *other] if again == "first" else [*other, *log]

    if again == "read again":
        auditor = Auditor(judged(keys=logs.KEYS))
        auditor.feed(lines[0], "log", 1)
        auditor.set_aside("BO01-2026-11-29")
        auditor.resume("BO01-2026-11-29", Folded("BO01-2026-11-29", lines, judged(keys=logs.KEYS)))
        rows = auditor.finish()
    else:
        rows, _ = audited(lines)

    found = [row for row in rows if isinstance(row, Finding) and row.code == "conflicting_event"]
    assert [(row.seq, row.gaming_day, row.table, row.casino) for row in found] == [
        (seq, "2026-11-29", "BO01", "Casino") for seq in (1, 2)
    ]
    assert {row.at_us for row in found} == {1_795_982_401_250_000}
    assert [row.gaming_day for row in rows if isinstance(row, SessionSummary)][-1:] == ["2026-11-29"]
