"""Which wrong is wanted at a simulated table, and when it may be done."""

from __future__ import annotations

import random

from streams.simulator.truth import Expected
from streams.simulator.wrongs import EVIDENCE_FAULTS, MAX_ROUNDS_WANTED, Wrongs, wrongly_handed


def wrongs(rate: float = 1.0) -> Wrongs:
    return Wrongs("BO01-2026-11-07", random.Random(3), rate=rate, money_faults=("overpaid",), pooled=False)


def test_each_wrong_comes_before_one_comes_again() -> None:
    planted = wrongs()
    every = ["late_bet", "overpaid", *EVIDENCE_FAULTS]
    for number in range(1, len(every) + 1):
        planted.round_begins(number, ["late_bet"])
        assert planted.wanted is not None
        planted.plant(planted.wanted)

    assert sorted(wrong.fault for wrong in planted.truth) == sorted(every)


def test_one_wrong_is_done_in_a_round_and_none_while_the_auditor_does_not_see() -> None:
    planted = wrongs()
    planted.round_begins(1, ["late_bet"])
    planted.wanted = "late_bet"
    assert planted.chance("late_bet")
    assert not planted.chance("overpaid")

    planted.watched = False
    assert not planted.chance("late_bet")

    planted.watched = True
    planted.plant("late_bet", Expected(code="late_bet", bet="b1"))
    planted.wanted = "overpaid"
    assert not planted.chance("overpaid")


def test_a_wrong_without_an_opportunity_gives_way() -> None:
    planted = wrongs()
    planted.round_begins(1, ["late_bet"])
    first = planted.wanted
    planted.round_begins(1 + MAX_ROUNDS_WANTED, ["late_bet"])
    assert planted.wanted == first

    planted.round_begins(2 + MAX_ROUNDS_WANTED, ["late_bet"])
    assert planted.wanted != first


def test_without_a_rate_none_is_wanted() -> None:
    honest = wrongs(rate=0.0)
    for number in range(1, 100):
        honest.round_begins(number, ["late_bet"])

    assert honest.wanted is None


def test_a_wrong_that_is_ruled_out_is_not_wanted_again() -> None:
    planted = wrongs()
    planted.round_begins(1, ["late_bet"])
    planted.wanted = None
    planted.rule_out("overpaid")
    wanted = set[str | None]()
    for number in range(2, 60):
        planted.round_begins(number, ["late_bet"])
        wanted.add(planted.wanted)
        planted.wanted = None

    assert wanted == {"late_bet", *EVIDENCE_FAULTS}


def test_what_is_handed_wrongly_is_another_sum_than_is_due_and_needs_its_opportunity() -> None:
    """A stake of 500, won at evens, pushed or lost, with chips of 100."""
    won, pushed, lost = (500, 500), (0, 500), (0, 0)
    does = {
        "overpaid": {won: (600, 500)},
        "underpaid": {won: (400, 500)},
        "loser_paid": {lost: (500, 500)},
        "loser_pushed": {lost: (0, 500)},
        "push_paid": {pushed: (500, 500)},
        "push_taken": {pushed: (0, 0)},
        "winner_pushed": {won: (0, 500)},
    }
    for fault, handed in does.items():
        for due in (won, pushed, lost):
            assert wrongly_handed(fault, 500, *due, unit=100, off=100) == handed.get(due), (fault, due)
