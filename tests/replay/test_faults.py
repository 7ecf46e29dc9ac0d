"""A fault of retally itself accuses nobody: whatever game, handler, helper or detector raises, and wherever it does."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import cache, partial
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import games
from replay.audit import Auditor
from replay.book import Book
from replay.events import OF_PLAY, decode
from replay.gathering import GATHERED
from replay.refold import fold
from replay.results import Cage, Finding, Kind, Round, SessionSummary, Settlement, Verdict
from replay.revisions import final, identity
from replay.session import MAX_FAULTS, Session
from replay.streaks.watch import Watch, WatchSettings
from streams.simulator.floor import Floor
from tests.installed import JUDGING, judged
from tests.replay import logs

WATCHED: Final = judged(watching=WatchSettings())


class Bug(Exception):
    """What a mistake in a game would raise."""


@cache
def night(game: str, faults: float) -> tuple[str, tuple[bytes, ...]]:
    """A table's short night: its session, and its lines in order."""
    floor = Floor(tables=1, hours=0.08, seed=5, first_day=date(2026, 11, 7), only=[game], fault_rate=faults)
    lines = tuple(floor.lines())
    return decode(lines[0]).session, lines


@contextmanager
def broken(kind: type, raising: Callable[[str, int], str]) -> Iterator[list[int]]:
    """While it lasts, the handlers of ``kind`` raise at the events of which ``raising(type, seq)`` says ``before`` or
    ``after`` (they have done their work); the events at which they did are in the list."""
    raised: list[int] = []
    known = {name: getattr(kind, name) for name in OF_PLAY if hasattr(kind, name)}

    def breaking(name: str, handler: Any) -> Any:
        def handle(self: Any, event: Any) -> None:
            when = raising(name, event.seq)
            if when == "after":
                handler(self, event)
            if when:
                raised.append(event.seq)
                raise Bug(name)
            handler(self, event)

        return handle

    with pytest.MonkeyPatch.context() as patch:
        for name, handler in known.items():
            patch.setattr(kind, name, breaking(name, handler))
        yield raised


def only_at(kind: str, name: str, seq: int) -> str:
    return "before" if name == kind else ""


def accusations(rows: list[Any]) -> set[Any]:
    """The findings about money and play, as they are told apart."""
    return {identity(row) for row in rows if isinstance(row, Finding) and row.kind in (Kind.MONEY, Kind.PROCEDURE)}


def laid(rows: list[Any]) -> set[Any]:
    """Stakes that an event has laid, and chips that came or went. What a seat puts into a hand among players is
    gathered from its decisions: of one that nobody could follow there is no bet to tell of."""
    return {
        identity(row)
        for row in rows
        if isinstance(row, Cage) or (isinstance(row, Settlement) and row.wager != GATHERED)
    }


def hold_each_other(whole: list[Any], harmed: list[Any], faults: int) -> None:
    """Nobody is accused who was not before; every bet and every chip is still there; what was judged is as it was."""
    assert accusations(harmed) <= accusations(whole)
    assert sum(isinstance(row, Finding) and row.code == "rule_fault" for row in harmed) == faults
    before = {identity(row): row for row in whole}
    after = {identity(row): row for row in harmed}
    for key, row in before.items():
        if isinstance(row, Settlement) and (row.wager != GATHERED or key in after):
            again = after[key]
            if again.verdict is not Verdict.UNVERIFIABLE:
                assert (again.verdict, again.paid, again.difference) == (row.verdict, row.paid, row.difference)
        elif isinstance(row, Cage):
            assert (after[key].amount, after[key].movement) == (row.amount, row.movement)


@pytest.mark.parametrize("game", games.names())
@settings(max_examples=12)
@given(data=st.data())
def test_a_game_that_raises_at_any_events_accuses_nobody(game, data):
    name, lines = night(game, data.draw(st.sampled_from([0.0, 0.15])))
    whole, _ = fold(name, lines, JUDGING)
    chance = data.draw(st.sampled_from([0.003, 0.02, 0.2]))
    rng = random.Random(data.draw(st.integers(0, 999)))
    chosen = {seq: rng.choice(["before", "after"]) for seq in range(1, len(lines) + 9) if rng.random() < chance}

    with broken(games.load(game), lambda _, seq: chosen.get(seq, "")) as raised:
        harmed, _ = fold(name, lines, JUDGING)

    hold_each_other(whole, harmed, len(set(raised)))


@pytest.mark.parametrize("game", games.names())
def test_a_kind_of_event_that_always_raises_accuses_nobody(game):
    name, lines = night(game, 0.1)
    whole, _ = fold(name, lines, JUDGING)
    for kind in sorted({decode(line).type for line in lines if b'"type":"' in line} & set(OF_PLAY)):
        with broken(games.load(game), partial(only_at, kind)) as raised:
            harmed, _ = fold(name, lines, JUDGING)

        hold_each_other(whole, harmed, len(set(raised)))


@pytest.mark.parametrize("method", ["__init__", "table_opened", "round_begins", "lost_sight", "sight_again"])
@pytest.mark.parametrize("game", games.names())
def test_a_game_that_always_raises_elsewhere_accuses_nobody(game, method):
    name, lines = night(game, 0.1)
    whole, _ = fold(name, lines, JUDGING)

    def breaks(self: Any, *given: Any) -> None:
        raise Bug(method)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games.load(game), method, breaks)
        harmed, _ = fold(name, lines, JUDGING)

    assert accusations(harmed) <= accusations(whole)
    assert laid(whole) <= laid(harmed)


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("nth", [1, 2, 5, 13])
def test_a_ruling_that_raises_half_way_through_an_event_accuses_nobody(game, nth):
    """Some bets of the throw are decided already, the others not."""
    name, lines = night(game, 0.1)
    whole, _ = fold(name, lines, JUDGING)
    calls = 0
    decide = Book.decide

    def breaks(self: Any, *given: Any) -> None:
        nonlocal calls
        calls += 1
        if calls % (nth * 7) == nth:
            raise Bug("decide")
        decide(self, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Book, "decide", breaks)
        harmed, _ = fold(name, lines, JUDGING)

    assert accusations(harmed) <= accusations(whole)
    assert laid(whole) <= laid(harmed)


@pytest.mark.parametrize("part", ["settled", "round_over", "closing", "lost_sight", "disowned", "round_begins"])
def test_a_detector_that_raises_accuses_nobody_and_is_not_asked_again(part, monkeypatch):
    name, lines = night("craps", 0.1)
    whole, _ = fold(name, lines, WATCHED)
    calls = 0

    def breaks(self: Any, *given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        raise Bug(part)

    breaks.__module__ = "replay.streaks.watch"
    monkeypatch.setitem(breaks.__globals__, "__name__", "replay.streaks.tests")
    monkeypatch.setattr(Watch, part, breaks)
    harmed, _ = fold(name, lines, WATCHED)

    faults = [row for row in harmed if isinstance(row, Finding) and row.code == "rule_fault"]
    assert calls <= 1
    assert len(faults) == calls
    assert all("watched for streaks no more" in fault.text for fault in faults)
    assert accusations(harmed) <= accusations(whole)


def test_detectors_that_cannot_be_made_cost_no_verdict(monkeypatch):
    name, lines = night("boule", 0.1)
    whole, _ = fold(name, lines, JUDGING)

    def breaks(self: Any, *given: Any) -> None:
        raise Bug("Watch")

    monkeypatch.setattr(Watch, "__init__", breaks)
    harmed, _ = fold(name, lines, WATCHED)

    assert next(row.code for row in harmed if isinstance(row, Finding)) == "rule_fault"
    settled = [row for row in harmed if isinstance(row, Settlement)]
    assert settled == [row for row in whole if isinstance(row, Settlement)]


@given(data=st.data())
@settings(max_examples=40)
def test_what_is_said_of_a_fault_does_not_depend_on_when_it_is_taken_out(data):
    """As the live side takes it: every few events, with holes that close again, in another order."""
    log = data.draw(logs.logs())
    rng = random.Random(data.draw(st.integers(0, 999)))
    chosen = {seq: rng.choice(["before", "after"]) for seq in range(1, len(log.lines) + 9) if rng.random() < 0.05}
    every = data.draw(st.integers(1, 9))
    with broken(games.load("boule"), lambda _, seq: chosen.get(seq, "")):
        at_once, summary = fold(log.session, log.lines, judged(keys=logs.KEYS))
        session = Session(log.session, judged(keys=logs.KEYS))
        said: list[Any] = []
        for place, line in enumerate(log.lines):
            session.step(decode(line), line)
            if place % every == 0:
                said += session.drain()
        session.finish()
        said += session.drain()
        auditor = Auditor(judged(keys=logs.KEYS), patient=True)
        lines = list(log.lines)
        rng.shuffle(lines)
        for place, line in enumerate(lines):
            auditor.feed(line, "log", place)
        rows = auditor.finish()

    def told(rows: list[Any]) -> dict[Any, Any]:
        return {identity(row): row for row in final([row for row in rows if not isinstance(row, SessionSummary)])}

    assert told(said) == told(at_once) == told(rows)
    assert session.summary() == summary


def test_the_finding_says_that_retally_failed_where_and_at_which_event():
    log = logs.sample(3, 4)
    seq = next(place for place, _ in enumerate(log.lines, 1) if log.kind(place) == "ball_landed")
    with broken(games.load("boule"), lambda _, at: "before" if at == seq else ""):
        rows, summary = fold(log.session, log.lines, JUDGING)

    [fault] = [row for row in rows if isinstance(row, Finding) and row.code == "rule_fault"]
    assert (fault.seq, fault.kind, fault.severity, fault.seqs) == (seq, "evidence", "severe", (seq,))
    assert f"retally itself failed at event {seq} (ball_landed): Bug in " in fault.text
    assert "nobody is accused" in fault.text
    rounds = {row.round: row for row in rows if isinstance(row, Round)}
    assert [number for number, row in rounds.items() if not row.verifiable] == [1]
    assert {row.verdict for row in rows if isinstance(row, Settlement) and row.round == 1} == {Verdict.UNVERIFIABLE}
    assert Verdict.UNVERIFIABLE not in {row.verdict for row in rows if isinstance(row, Settlement) and row.round > 1}
    assert summary.findings == sum(isinstance(row, Finding) for row in rows)


def test_who_fails_at_everything_is_not_asked_for_ever():
    log = logs.sample(3, 60)
    with broken(games.load("boule"), partial(only_at, "ball_landed")) as raised:
        rows, _ = fold(log.session, log.lines, JUDGING)

    faults = [row for row in rows if isinstance(row, Finding) and row.code == "rule_fault"]
    assert len(faults) == len(raised) == MAX_FAULTS
    assert "Nothing more of this session is judged" in faults[-1].text
    assert {row.verdict for row in rows if isinstance(row, Settlement)} == {Verdict.UNVERIFIABLE}


def test_other_sessions_are_not_touched():
    one, other = logs.sample(1, 5), logs.sample(2, 5)
    other_lines = [line.replace(b"BO01", b"BO02") for line in other.lines]
    name = other.session.replace("BO01", "BO02")
    untouched, _ = fold(name, other_lines, JUDGING)
    with broken(
        games.load("boule"), lambda kind, seq: "before" if kind == "ball_landed" and in_one[0] else ""
    ) as raised:
        in_one = [True]
        auditor = Auditor(JUDGING)
        for place, (first, second) in enumerate(zip(one.lines, other_lines, strict=False)):
            in_one[0] = True
            auditor.feed(first, "log", place)
            in_one[0] = False
            auditor.feed(second, "log", place)
        for line in other_lines[len(one.lines) :]:
            auditor.feed(line, "log", 0)
        rows = auditor.finish()

    assert raised
    said: list[Any] = [row for row in rows if not isinstance(row, SessionSummary)]
    mine = {identity(row): row for row in final(said) if row.session == name}
    assert mine == {identity(row): row for row in untouched}
