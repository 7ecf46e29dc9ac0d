"""Three-card poker on the simulated floor: a queen plays, Fortuna is paid on the own cards."""

from __future__ import annotations

from streams.simulator.players import Stake
from streams.simulator.poker_dealer import (
    FLUSH,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    Hand,
    HousePokerTable,
    Place,
    best,
)
from streams.simulator.table import TableSetup

_WORTH = (0, 1, -1, 4, 3, 2, -1, -1, 5)
"""Of high card, pair, –, three of a kind, straight, flush, –, –, straight flush."""
_FORTUNA = {STRAIGHT_FLUSH: 40, TRIPS: 25, STRAIGHT: 6, FLUSH: 4, PAIR: 1}
_EXTRA = {STRAIGHT_FLUSH: 5, TRIPS: 4, STRAIGHT: 1}
_QUEEN: Hand = (0, 12)
_PLAYED: Hand = (0, 12, 6, 4)
"""Who plays well stakes with queen, six, four or better."""


class ThreeCardPokerTable(HousePokerTable):
    """One three-card poker table."""

    code = "TC"
    seats = 9
    own = dealers = 3
    side = "pair_plus"
    side_alone = True
    answer = said = "play"
    times = (1, 1)

    def stays(self, place: Place) -> bool:
        return best(place.cards, 3, _WORTH)[1] >= _PLAYED or self.random.random() < 0.1

    def dealer_shows(self) -> None:
        self.dealers_hand = best(self.dealer, 3, _WORTH)[1]

    def dues(self, place: Place) -> list[tuple[Stake, int, int]]:
        kind, hand = best(place.cards, 3, _WORTH)
        dealers = self.dealers_hand
        dues = []
        fortuna, ante, play = (place.stakes.get(wager) for wager in ("pair_plus", "ante", "play"))
        if fortuna is not None:
            dues.append(self.by_table(fortuna, _FORTUNA.get(kind, 0)))
        if ante is None or place.open:
            return dues
        if play is None:
            return [*dues, self.lost(ante)]
        extra = _EXTRA.get(kind, 0)
        if dealers < _QUEEN:
            return [*dues, self.won(ante, 1 + extra), self.pushed(play)]
        if hand > dealers:
            return [*dues, self.won(ante, 1 + extra), self.won(play, 1)]
        if hand == dealers:
            return [*dues, self.won(ante, extra), self.pushed(play)]
        return [*dues, (ante, self.part(ante.amount, extra, 1), 0), self.lost(play)]


SIMULATOR = ThreeCardPokerTable
SETUPS = (
    TableSetup(game="three_card_poker", rules="AD", limits={"min": 500, "max": 30_000}, chip_unit=50),
    TableSetup(
        game="three_card_poker",
        rules="AD",
        limits={"min": 1_000, "max": 50_000, "pair_plus": {"min": 500, "max": 10_000}},
        chip_unit=100,
        decks=1,
        float_minor=8_000_000,
    ),
)
