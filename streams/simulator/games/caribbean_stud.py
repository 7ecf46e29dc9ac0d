"""Caribbean stud poker on the simulated floor: ace and king play, the raise is paid by a table."""

from __future__ import annotations

from streams.simulator.players import Stake
from streams.simulator.poker_dealer import (
    FLUSH,
    FULL,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    Hand,
    HousePokerTable,
    Place,
    best,
)
from streams.simulator.table import TableSetup

_WORTH = tuple(range(9))
_RAISE = {STRAIGHT_FLUSH: 50, QUADS: 20, FULL: 7, FLUSH: 5, STRAIGHT: 4, TRIPS: 3, TWO_PAIR: 2}
_ROYAL: Hand = (8, 14)
_ACE_KING: Hand = (0, 14, 13)


class CaribbeanStudTable(HousePokerTable):
    """One Caribbean stud table."""

    code = "CS"
    own = dealers = 5
    answer = said = "raise"
    times = (2, 2)

    def stays(self, place: Place) -> bool:
        return best(place.cards, 5, _WORTH)[1] >= _ACE_KING or self.random.random() < 0.1

    def dealer_shows(self) -> None:
        self.dealers_hand = best(self.dealer, 5, _WORTH)[1]

    def dues(self, place: Place) -> list[tuple[Stake, int, int]]:
        ante, raised = place.stakes.get("ante"), place.stakes.get("raise")
        if ante is None or place.open:
            return []
        if raised is None:
            return [self.lost(ante)]
        kind, hand = best(place.cards, 5, _WORTH)
        if self.dealers_hand < _ACE_KING:
            return [self.won(ante, 1), self.pushed(raised)]
        if hand > self.dealers_hand:
            return [self.won(ante, 1), self.won(raised, 100 if hand == _ROYAL else _RAISE.get(kind, 1))]
        if hand == self.dealers_hand:
            return [self.pushed(ante), self.pushed(raised)]
        return [self.lost(ante), self.lost(raised)]


SIMULATOR = CaribbeanStudTable
SETUPS = (
    TableSetup(game="caribbean_stud", rules="AD", limits={"min": 500, "max": 20_000}, chip_unit=100),
    TableSetup(
        game="caribbean_stud",
        rules="AD",
        limits={"min": 1_000, "max": 50_000, "ante": {"min": 2_000, "max": 30_000}},
        chip_unit=500,
        decks=1,
        float_minor=10_000_000,
    ),
)
