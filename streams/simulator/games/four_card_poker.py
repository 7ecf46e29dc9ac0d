"""Four-card poker on the simulated floor: the best four of five against the best four of the dealer's six."""

from __future__ import annotations

from streams.simulator.players import Player, Stake
from streams.simulator.poker_dealer import (
    FLUSH,
    PAIR,
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
from streams.simulator.truth import Expected

_WORTH = (0, 1, 2, 5, 3, 4, -1, 7, 6)
"""Of high card, pair, two pair, three of a kind, straight, flush, –, four of a kind, straight flush."""
_ASOS = {QUADS: 40, STRAIGHT_FLUSH: 30, TRIPS: 7, FLUSH: 6, STRAIGHT: 4, TWO_PAIR: 2}
_BONUS = {QUADS: 20, STRAIGHT_FLUSH: 15, TRIPS: 2}
_PAIR_OF_THREES: Hand = (1, 3)


class FourCardPokerTable(HousePokerTable):
    """One four-card poker table."""

    code = "FC"
    own = 5
    dealers = 6
    side = "aces_up"
    side_alone = True
    answer = said = "play"
    times = (1, 3)
    named = True
    other_faults = ("other_players_place",)

    def stays(self, place: Place) -> bool:
        return best(place.cards, 4, _WORTH)[1] >= _PAIR_OF_THREES or self.random.random() < 0.1

    def dealer_shows(self) -> None:
        self.dealers_hand = best(self.dealer, 4, _WORTH)[1]

    def dues(self, place: Place) -> list[tuple[Stake, int, int]]:
        kind, hand = best(place.cards, 4, _WORTH)
        asos, ante, play = (place.stakes.get(wager) for wager in ("aces_up", "ante", "play"))
        dues = []
        if asos is not None:
            dues.append(self.by_table(asos, _ASOS.get(kind, int(kind == PAIR and hand[1] == 14))))
        if ante is None or place.open:
            return dues
        if play is None:
            return [*dues, self.lost(ante)]
        bonus = _BONUS.get(kind, 0)
        if hand >= self.dealers_hand:
            return [*dues, self.won(ante, 1 + bonus), self.won(play, 1)]
        return [*dues, (ante, self.part(ante.amount, bonus, 1), 0), self.lost(play)]

    def wrongs_before_call(self) -> None:
        held = [stake for place in self.places.values() for stake in place.stakes.values() if stake.player is not None]
        if held and self.chance("other_players_place"):
            seat = self.random.choice(held).seat
            guest = Player("passer-by", seat, 0, self.minimum, 0.0, 0)
            wrong = self.lay_unasked(seat, self.side, self.least(self.side), player=guest, named=True)
            self.give_back(wrong)
            self.plant("other_players_place", Expected(code="wager_not_offered", bet=wrong.id))


SIMULATOR = FourCardPokerTable
SETUPS = (
    TableSetup(game="four_card_poker", rules="AD", limits={"min": 500, "max": 20_000}, chip_unit=50),
    TableSetup(
        game="four_card_poker",
        rules="AD",
        limits={"min": 1_000, "max": 50_000, "aces_up": {"min": 500, "max": 10_000}},
        chip_unit=100,
        rounding="nearest",
        float_minor=10_000_000,
    ),
)
