"""Casino hold'em on the simulated floor: the flop is seen, a pair of fours plays."""

from __future__ import annotations

from streams.simulator.players import Stake
from streams.simulator.poker_dealer import (
    FLUSH,
    FULL,
    PAIR,
    QUADS,
    STRAIGHT_FLUSH,
    VALUE,
    Hand,
    HousePokerTable,
    Place,
    best,
)
from streams.simulator.table import TableSetup

_WORTH = tuple(range(9))
_ANTE = {STRAIGHT_FLUSH: 20, QUADS: 10, FULL: 3, FLUSH: 2}
_ROYAL: Hand = (8, 14)
_PAIR_OF_FOURS: Hand = (1, 4)
_PAIR_OF_ACES: Hand = (1, 14)
_BOARD_WRONGS = ("board_card_too_many", "board_card_missing")


class CasinoHoldemTable(HousePokerTable):
    """One casino hold'em table."""

    code = "CH"
    own = dealers = 2
    side = "aa_bonus"
    answer = said = "call"
    times = (2, 2)
    other_faults = _BOARD_WRONGS

    def stays(self, place: Place) -> bool:
        kind, _ = best([*place.cards, *self.board], 5, _WORTH)
        return kind >= PAIR or max(VALUE[card[0]] for card in place.cards) >= 12 or self.random.random() < 0.3

    def before_answers(self) -> None:
        self.wait(1, 3)
        for _ in range(3):
            self.board.append(self.card(to="community"))

    def play_out(self) -> None:
        if self.wanted not in _BOARD_WRONGS:
            self._settle_bonus()
        if not self.staying():
            self.showdown()
            return
        self.wait(1, 3)
        self.board.append(self.card(to="community"))
        if self.wanted is not None:
            self.wrongs_too_late()
        if self.chance("board_card_missing"):
            self.spoil("board_card_missing")
        self.board.append(self.card(to="community"))
        if self.chance("board_card_too_many"):
            self.card(to="community")
            self.spoil("board_card_too_many")
        self.wait(1, 3)
        self.showdown()

    def _settle_bonus(self) -> None:
        """TXB, when every place has answered; before the turn."""
        if any(place.open for place in self.places.values()):
            return
        for place in self.places.values():
            bonus = place.stakes.get("aa_bonus")
            if bonus is not None:
                place.side_settled = True
                self.wait(0.5, 2)
                self.settle(*self._due_bonus(place, bonus))

    def _due_bonus(self, place: Place, bonus: Stake) -> tuple[Stake, int, int]:
        """On the own cards and the flop, and lost with a fold."""
        kind, hand = best([*place.cards, *self.board[:3]], 5, _WORTH)
        if place.folded or hand < _PAIR_OF_ACES:
            return self.lost(bonus)
        return self.won(bonus, 25 if kind >= FLUSH else 7)

    def dealer_shows(self) -> None:
        self.dealers_hand = best([*self.dealer, *self.board], 5, _WORTH)[1]

    def dues(self, place: Place) -> list[tuple[Stake, int, int]]:
        bonus, ante, call = (place.stakes.get(wager) for wager in ("aa_bonus", "ante", "call"))
        if ante is None or place.open:
            return []
        dues = [] if bonus is None or place.side_settled else [self._due_bonus(place, bonus)]
        if call is None:
            return [*dues, self.lost(ante)]
        kind, hand = best([*place.cards, *self.board], 5, _WORTH)
        times = 100 if hand == _ROYAL else _ANTE.get(kind, 1)
        if self.dealers_hand < _PAIR_OF_FOURS:
            return [*dues, self.won(ante, times), self.pushed(call)]
        if hand > self.dealers_hand:
            return [*dues, self.won(ante, times), self.won(call, 1)]
        if hand == self.dealers_hand:
            return [*dues, self.pushed(ante), self.pushed(call)]
        return [*dues, self.lost(ante), self.lost(call)]


SIMULATOR = CasinoHoldemTable
SETUPS = (
    TableSetup(game="casino_holdem", rules="AD", limits={"min": 500, "max": 20_000}, chip_unit=100),
    TableSetup(
        game="casino_holdem",
        rules="AD",
        limits={"min": 1_000, "max": 50_000, "aa_bonus": {"min": 500, "max": 10_000}},
        chip_unit=100,
        decks=1,
        float_minor=10_000_000,
    ),
)
