"""Levels are spent once: whatever comes, is changed, disowned or begun anew, the parts of a detector's processes add up
to no more than its share, and an alarm is at the wealth that a part asks for from the first event on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.results import Verdict
from replay.rules import Table
from replay.streaks.detector import Detector, anew
from replay.streaks.process import MAX_WEALTH, EProcess, spread
from replay.streaks.watch import DETECTORS
from tests.installed import PACKS
from tests.replay.streaks.told import told

OPENED = datetime(2026, 1, 1, 20, tzinfo=UTC)
GAMES = {
    "Dice": "craps",
    "Triples": "sic_bo",
    "Shooters": "craps",
    "Ball": "boule",
    "CardsOfShoe": "punto_banco",
    "Runs": "boule",
    "Winnings": "boule",
    "Counting": "blackjack",
    "Dealers": "boule",
}
"""By detector, a game that it serves."""
SHARE = 0.5
KINDS = [kind for kind, _ in DETECTORS]


def table(kind: type[Detector]) -> Table:
    game = GAMES[kind.__name__]
    return Table(PACKS.game("AD-2022" if game == "sic_bo" else "AD-2025", game), decks=6)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[EProcess]:
    """Every process that any detector starts."""
    found: list[EProcess] = []
    start = Detector.start

    def starts(self: Detector, *args: Any, **whom: Any) -> EProcess:
        process = start(self, *args, **whom)
        found.append(process)
        return process

    monkeypatch.setattr(Detector, "start", starts)
    return found


def tell(detector: Detector, number: int) -> None:
    """What is everything to everybody: each detector hears what it wants of a round with somebody new in it."""
    at = OPENED + timedelta(seconds=30 * number)
    who, bet = f"p{number}", f"b{number}"
    dice = [1 + number % 6] * (3 if GAMES[type(detector).__name__] == "sic_bo" else 2)
    wager = "main" if detector.watched.counted else "black"
    settlement = told(
        verdict=Verdict.OVERPAID, dealer=f"d{number % 50}", player=who, seat=1, difference=5, wager=wager, bet=bet,
        stake=100, paid=100, returned=100, claimed_paid=105, claimed_returned=100,
    )  # fmt: skip
    events: list[tuple[str, Any]] = [
        ("shoe_loaded", told(seq=number, decks=None, cards=None)),
        ("dealer_on", told(seq=number, at=at, dealer=f"d{number % 50}")),
        ("bet_placed", told(seq=number, at=at, bet=bet, player=who, seat=1, wager=wager, pick=None, amount=100)),
        ("bets_closed", told(seq=number, at=at)),
        ("card_dealt", told(seq=number, at=at, card="AS", to="player")),
        ("dice_rolled", told(seq=number, at=at, dice=dice, void=None, seat=number)),
        ("ball_landed", told(seq=number, at=at, number=1 + number % 9, void=None)),
        ("bet_settled", told(seq=number, at=at + timedelta(seconds=9), bet=bet, paid=105, returned=100)),
        ("settled", settlement),
        ("dice_changed", told(seq=number, at=at)),
        ("round_over", told(closed_seq=number, round=number, verifiable=True, outcome="")),
    ]
    for name, event in events:
        if name in detector.wanted and hasattr(detector, name):
            getattr(detector, name)(event)


def test_every_detector_is_tried() -> None:
    assert {kind.__name__ for kind in KINDS} == set(GAMES)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("disowned_every", [1, 2, 7, 1000])
def test_what_is_spent_is_spent_however_often_seals_do_not_hold(kind, started, disowned_every):
    detector = kind(table(kind), SHARE)
    for number in range(1, 301):
        tell(detector, number)
        if number % disowned_every == 0:
            detector.disowned()
        if number % 11 == 0:
            detector.lost_sight()

    assert sum(process.share for process in started) <= SHARE * (1 + 1e-9)
    assert len({process.name for process in started}) == len(started)
    assert {process.code for process in started} <= set(kind.codes)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_disowned_is_watched_no_more_and_begins_at_one(kind):
    detector = kind(table(kind), SHARE)
    for number in range(1, 30):
        tell(detector, number)
    before = list(detector.processes())
    detector.disowned()

    assert not set(before) & set(detector.processes())
    assert all(process.wealth == 1.0 and not process.observations for process in detector.processes())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_process_knows_from_the_first_event_on_when_it_alarms(kind, started):
    """The wealth of an alarm of the whole level over its own part of it."""
    detector = kind(table(kind), SHARE, 1e4)
    for number in range(1, 5):
        tell(detector, number)

    assert started
    for process in started:
        assert process.alarm_at == pytest.approx(1e4 / process.share)


def test_a_peak_stops_at_the_wealth_that_alarms_though_nobody_has_looked_yet():
    process = EProcess("runs", "runs", 1.0, "look.", alarm_at=100.0)
    for wealth in (50.0, 150.0, 1e9):
        process.become(wealth, 1, 1)

    assert process.peak == 150.0


def parts(of: Callable[[int], float], number: int) -> Iterator[float]:
    return (of(each) for each in range(number))


@settings(max_examples=30, deadline=None)
@given(first=st.integers(1, 200), number=st.integers(1, 20_000))
def test_parts_of_any_number_add_up_to_one_at_most_and_only_fall(first, number):
    found = list(parts(lambda each: spread(each, first), number))

    assert sum(found) <= 1 + 1e-9
    assert found == sorted(found, reverse=True)
    assert min(found) > 0
    assert sum(parts(anew, number)) <= 1 + 1e-9
    assert 1 / found[-1] < MAX_WEALTH
