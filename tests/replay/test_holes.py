"""A hole in a log: it is found, what it touches is unverifiable, and nothing else is said that was not said before."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

import pytest

from replay.events import decode
from replay.refold import fold
from replay.results import Finding, Round, Settlement, Verdict
from streams.simulator import games
from streams.simulator.floor import Floor
from tests.installed import JUDGING, judged
from tests.replay import logs

SHAPES = list(itertools.product([True, False], repeat=3))
"""Numbered rounds, announced rounds, sealed rounds."""


def night(numbered: bool, announced: bool, sealed: bool, *, errors: bool = False) -> logs.Log:
    """Six rounds; with ``errors`` of dealers in them, but for those that reach beyond their round."""
    return logs.sample(21, 6, errors=errors, numbered=numbered, announced=announced, sealed=sealed)


def missing(log: logs.Log, seq: int) -> list[bytes]:
    return log.lines[: seq - 1] + log.lines[seq:]


def mangled(log: logs.Log, seq: int) -> list[bytes]:
    return [*log.lines[: seq - 1], logs.altered(log.lines[seq - 1], at="never"), *log.lines[seq:]]


def contradicted(log: logs.Log, seq: int) -> list[bytes]:
    """In two versions, neither of which the table has sealed."""
    line = log.lines[seq - 1]
    return [*missing(log, seq), logs.altered(line, device="another"), logs.altered(line, device="a third")]


WAYS: dict[str, Callable[[logs.Log, int], list[bytes]]] = {
    "sequence_gap": missing,
    "rejected_event": mangled,
    "conflicting_event": contradicted,
}


def of(kind: type, rows: Iterable[Any]) -> list[Any]:
    return [row for row in rows if isinstance(row, kind)]


def touched(log: logs.Log, seq: int, announced: bool, numbered: bool) -> set[int]:
    """The rounds of which something is uncertain when this event is not there.

    It is the round that the event is of. Beside that it is the next, where nothing tells that a bet of it was not
    missing; where rounds are not numbered, a missing round_closed runs into the next round up to its announcement.
    """
    kind = log.kind(seq)
    number = next((index for index, round_ in enumerate(log.rounds, 1) if seq in round_), None)
    if number is None:  # between rounds, or before them, or after
        after = sum(1 for round_ in log.rounds if round_.start < seq) + 1
        return set() if announced else {after}
    if kind == "checkpoint":
        return set() if announced else {number + 1}
    if kind == "round_closed" and not announced:
        return {number, number + 1}
    if kind == "round_opened":
        return {number}
    return {number}


def bets_of(log: logs.Log, rounds: Iterable[int]) -> set[str]:
    return {bet for number in rounds if number <= len(log.rounds) for bet in log.bets(number)}


@pytest.mark.parametrize("errors", [False, True])
@pytest.mark.parametrize(("numbered", "announced", "sealed"), SHAPES)
@pytest.mark.parametrize("code", WAYS)
def test_a_hole_anywhere_is_found_and_leaves_all_other_rounds_as_they_were(code, numbered, announced, sealed, errors):
    log = night(numbered, announced, sealed, errors=errors)
    whole, _ = fold(log.session, log.lines, judged(keys=logs.KEYS))
    money = {row.bet: (row.paid, row.returned, row.verdict) for row in of(Settlement, whole)}
    said_of = {(row.code, row.bet) for row in of(Finding, whole)}
    for seq in range(2, len(log.lines)):
        if code == "conflicting_event" and log.kind(seq) == "checkpoint":
            continue  # what such a one seals is not in dispute
        rows, summary = fold(log.session, WAYS[code](log, seq), judged(keys=logs.KEYS))
        place = (seq, log.kind(seq))
        holes = [row for row in of(Finding, rows) if row.code == code]
        assert [row.seq for row in holes] == [seq], place
        assert (summary.gaps + summary.conflicts + summary.rejected) == 1, place

        others = {(row.code, row.bet) for row in of(Finding, rows) if row.code != code}
        assert others <= said_of, (place, others - said_of)

        uncertain = bets_of(log, touched(log, seq, announced, numbered))
        for row in of(Settlement, rows):
            if row.bet in uncertain:
                assert row.verdict is Verdict.UNVERIFIABLE or (row.paid, row.returned, row.verdict) == money[row.bet]
            else:
                assert (row.paid, row.returned, row.verdict) == money[row.bet], (place, row.bet)
        kept = {(row.code, row.bet) for row in of(Finding, whole) if row.bet and row.bet not in uncertain}
        assert kept <= others, (place, kept - others)


@pytest.mark.parametrize(("numbered", "announced", "sealed"), SHAPES)
@pytest.mark.parametrize("kind", ["bet_placed", "bets_closed", "ball_landed"])
def test_no_bet_of_a_round_is_judged_when_an_event_of_its_play_is_missing(kind, numbered, announced, sealed):
    log = night(numbered, announced, sealed)
    for number, round_ in enumerate(log.rounds, 1):
        for seq in round_:
            if log.kind(seq) != kind:
                continue
            rows, _ = fold(log.session, missing(log, seq), judged(keys=logs.KEYS))
            said = {row.bet: row.verdict for row in of(Settlement, rows)}
            told = {row.round: row.verifiable for row in of(Round, rows)}

            assert {said[bet] for bet in log.bets(number) if bet in said} <= {Verdict.UNVERIFIABLE}
            assert told.get(number) is not True or not log.bets(number)


@pytest.mark.parametrize(("numbered", "announced"), [(True, True), (True, False), (False, True)])
def test_a_round_swallowed_whole_changes_no_other(numbered, announced):
    log = night(numbered, announced, True)
    whole = {row.bet: row.verdict for row in of(Settlement, fold(log.session, log.lines, JUDGING)[0])}
    for number in range(1, 6):
        gone = log.rounds[number - 1]
        lines = [line for seq, line in enumerate(log.lines, 1) if seq not in gone]
        rows, _ = fold(log.session, lines, judged(keys=logs.KEYS))
        [finding] = of(Finding, rows)

        assert finding.text == f"events {gone.start} to {gone.stop - 1} are missing"
        uncertain = bets_of(log, {number} if announced else {number, number + 1})
        for row in of(Settlement, rows):
            assert row.verdict is whole[row.bet] or row.bet in uncertain


@pytest.mark.parametrize("sealed", [True, False])
def test_a_claim_on_a_bet_that_was_not_seen_is_no_unknown_bet(sealed):
    """The bet is placed in the hole and paid after its round was closed."""
    coups = [logs.Coup(7, [logs.Stake("red", claim="late"), logs.Stake("black")]) for _ in range(4)]
    log = logs.boule(coups, sealed=sealed)
    for seq in range(2, len(log.lines) + 1):
        if log.kind(seq) == "bet_placed":
            rows, _ = fold(log.session, missing(log, seq), judged(keys=logs.KEYS))
            assert {row.code for row in of(Finding, rows)} <= {"sequence_gap", "unsettled"}


def test_the_first_event_missing_leaves_nothing_to_judge_and_says_so():
    log = night(True, True, True)
    rows, summary = fold(log.session, log.lines[1:], judged(keys=logs.KEYS))

    assert [row.code for row in of(Finding, rows)] == ["sequence_gap"]
    assert of(Settlement, rows) == []
    assert summary.state == "open"


def test_a_hole_is_closed_again_by_a_whole_log():
    log = night(True, True, True)
    for seq in (5, 17, 40):
        rows, _ = fold(log.session, [*missing(log, seq), log.lines[seq - 1]], judged(keys=logs.KEYS))

        assert of(Finding, rows) == []
        assert {row.verdict for row in of(Settlement, rows)} == {Verdict.MATCH}


@pytest.mark.parametrize("game", games.names())
def test_no_hole_in_a_clean_night_of_any_game_makes_anything_else_look_wrong(game):
    floor = Floor(tables=1, hours=0.04, seed=1, first_day=date(2026, 11, 7), only=[game])
    lines = list(floor.lines())
    name = decode(lines[0]).session
    assert of(Finding, fold(name, lines, JUDGING)[0]) == []

    for place in range(1, len(lines) - 1, 3):
        rows, _ = fold(name, lines[:place] + lines[place + 1 :], JUDGING)
        wrong = [row for row in of(Settlement, rows) if row.verdict in (Verdict.OVERPAID, Verdict.UNDERPAID)]

        assert [row.code for row in of(Finding, rows)] == ["sequence_gap"], lines[place]
        assert wrong == []
