"""A session that is closed and sealed is put away: it takes little room, and goes on as if it had not been."""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Callable

import pytest

from replay import audit
from replay.audit import Auditor
from replay.evidence import NO_SIGNATURE
from replay.results import Finding, Row, SessionSummary
from replay.revisions import identity
from replay.streaks.watch import WatchSettings
from tests.installed import judged
from tests.replay import logs
from tests.replay.logs import Coup, Stake

JUDGING = judged(keys=logs.KEYS, watching=WatchSettings())
CLOSED = logs.sample(3, 4, session="BO01-2026-11-29")


def put_away(auditor: Auditor) -> list[str]:
    """The sessions that are at rest."""
    return [name for name, track in auditor._tracks.items() if not isinstance(track, audit._Track)]


def said(lines: list[bytes], drains: Callable[[int], bool]) -> tuple[list[Row], Auditor]:
    """All that an auditor says of these lines, which is asked after those that ``drains`` names."""
    auditor = Auditor(JUDGING)
    rows: list[Row] = []
    for place, line in enumerate(lines, 1):
        auditor.feed(line, "log", place)
        if drains(place):
            rows += auditor.drain(sealed=True)
    return rows + auditor.finish(), auditor


def test_a_session_is_put_away_when_it_is_closed_and_sealed_and_comes_back_for_the_drop():
    auditor = Auditor(JUDGING)
    seen = []
    for place, line in enumerate(CLOSED.lines, 1):
        auditor.feed(line, "log", place)
        auditor.drain(sealed=True)
        if put_away(auditor):
            seen.append(CLOSED.kind(place))

    assert seen == ["checkpoint", "checkpoint"]
    assert put_away(auditor) == [CLOSED.session]


def altered_drop(amount: int) -> bytes:
    """A second count of the drop, out of turn or in it, as ``seq`` says."""
    drop = next(line for line in CLOSED.lines if b'"drop_counted"' in line)
    return logs.altered(drop, seq=len(CLOSED.lines) + 1, amount=amount)


AFTERWARDS = {
    "a second count of the drop": [altered_drop(5)],
    "a bet at a table that is closed": [logs.altered(altered_drop(5), type="round_opened", amount=...)],
    "an event of another table": [logs.altered(altered_drop(5), table="elsewhere")],
    "a clock that runs backwards": [logs.altered(altered_drop(5), at="2026-11-29T12:00:00Z")],
    "a seal that does not fit": [
        logs.altered(CLOSED.lines[-1], seq=len(CLOSED.lines) + 1, chain="0" * 64, signature=NO_SIGNATURE)
    ],
    "a count, and a seal that does not fit": [
        altered_drop(5),
        logs.altered(CLOSED.lines[-1], seq=len(CLOSED.lines) + 2, chain="0" * 64, signature=NO_SIGNATURE),
    ],
    "a hole": [logs.altered(altered_drop(5), seq=len(CLOSED.lines) + 3)],
    "a line that cannot be read, the last of all": [logs.altered(altered_drop(5), amount=-1)],
    "an earlier line that cannot be read": [logs.altered(CLOSED.lines[5], at="never")],
    "copies": [CLOSED.lines[3], CLOSED.lines[-1], CLOSED.lines[3]],
    "another version of an event": [logs.altered(CLOSED.lines[7], device="another"), CLOSED.lines[7]],
}


@pytest.mark.parametrize("lines", AFTERWARDS.values(), ids=AFTERWARDS)
def test_what_comes_afterwards_is_told_as_if_it_had_never_been_put_away(lines):
    whole = [*CLOSED.lines, *lines]
    before, never = said(whole, lambda place: place == len(CLOSED.lines) - 8)
    after, often = said(whole, lambda place: place > len(CLOSED.lines) - 8)

    assert not put_away(never) or put_away(never) == put_away(often)
    assert {identity(row): row for row in after} == {identity(row): row for row in before}
    assert often.late() == never.late()


def test_a_log_that_is_audited_twice_over_is_copies():
    rows, auditor = said([*CLOSED.lines, *CLOSED.lines], lambda place: place % 7 == 0)

    [summary] = [row for row in rows if isinstance(row, SessionSummary)]
    assert summary.duplicates == len(CLOSED.lines)
    assert summary.events == len(CLOSED.lines)
    assert auditor.late() == {}


def test_nothing_is_put_away_that_a_seal_may_take_back():
    lines = logs.sample(3, 4, session="BO01-2026-11-29", sealed=False).lines
    _, auditor = said(lines, lambda place: True)
    assert put_away(auditor) == []

    shut = next(place for place, line in enumerate(CLOSED.lines) if b'"table_closed"' in line)
    auditor = Auditor(JUDGING)
    for place, line in enumerate(CLOSED.lines[: shut + 1], 1):
        auditor.feed(line, "log", place)
    auditor.drain(sealed=True)
    assert put_away(auditor) == []


def test_closed_sessions_take_a_few_hundred_bytes_each_and_eight_an_event():
    template = logs.boule([Coup(7, [Stake(), Stake("straight_up", 7)])], session="BO01-2026-11-29").lines
    sessions = 400

    def lines(number: int) -> list[bytes]:
        return [line.replace(b"BO01-2026-11-29", b"BO01-session-%04d" % number) for line in template]

    auditor = Auditor(judged(watching=WatchSettings()))

    def fold(first: int, last: int) -> None:
        for number in range(first, last):
            for place, line in enumerate(lines(number), 1):
                auditor.feed(line, "log", place)
            auditor.drain()

    fold(0, 50)
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        fold(50, 50 + sessions)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert auditor.session_count() == 50 + sessions
    assert (after - before) / sessions < 1500 + 8 * len(template)


def test_a_finding_is_still_found_when_sessions_come_and_go_by_the_hundred():
    chance = random.Random(3)
    order = [chance.random() < 0.1 for _ in range(100)]
    lines = [
        line
        for number, bad in enumerate(order)
        for line in logs.boule([Coup(7, [Stake(error=100 * bad)])], session=f"BO01-{number:04}").lines
    ]
    rows, auditor = said(lines, lambda place: place % 50 == 0)

    found = [row.session for row in rows if isinstance(row, Finding)]
    assert found == [f"BO01-{number:04}" for number, bad in enumerate(order) if bad]
    assert len(put_away(auditor)) == len(order)
