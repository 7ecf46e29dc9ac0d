"""Cheats with cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from streams.simulator.cheats.cheat import Cheat
from streams.simulator.players import Player

if TYPE_CHECKING:
    from streams.simulator.table import TableSimulator

_POINTS: Final = {"A": 1, **{str(points): points for points in range(2, 10)}}
_HI_LO: Final = {**dict.fromkeys("23456", 1), **dict.fromkeys("TJQKA", -1)}


class UnshuffledShoe(Cheat):
    """The next shoe is loaded in the order of the last one; of its cards the share ``kept`` keeps that order, the
    others are shuffled among themselves (a false shuffle)."""

    name = "unshuffled-shoe"
    parameters: ClassVar = {"kept": (1, 0, 1)}
    needs_order = True
    by_hand = True

    def __init__(self, since_s: float, strengths: dict[str, float], seed: str, text: str) -> None:
        super().__init__(since_s, strengths, seed, text)
        self.last: list[str] = []

    def shuffled(self, table: TableSimulator, cards: list[str]) -> list[str]:
        """See `Cheating.shuffled`."""
        if self.begun and len(self.last) == len(cards):
            places = [index for index in range(len(cards)) if self.random.random() >= self.strengths["kept"]]
            cards = list(self.last)
            moved = [cards[index] for index in places]
            self.random.shuffle(moved)
            for index, card in zip(places, moved, strict=True):
                cards[index] = card
        self.last = list(cards)
        return cards


class CardCounter(Cheat):
    """A player who counts (Hi-Lo), and raises his stake with the true count: the minimum below +1, ``spread`` times as
    much from +4 on, in equal steps between."""

    name = "card-counter"
    parameters: ClassVar = {"spread": (12, 1, 1000)}
    has_player = True
    by_hand = True

    def stake(self, table: TableSimulator, player: Player, amount: int) -> int:
        """See `Cheating.stake`."""
        if player is not self.player:
            return amount
        seen, left = table.cards_out()
        count = 52 * sum(_HI_LO.get(card[0], 0) for card in seen) / max(left, 26)
        step = min(max(int(count), 0), 4)
        times = 1 + (self.strengths["spread"] - 1) * step / 4
        return min(table.chips(int(table.minimum * times)), table.maximum)


class MarkedCards(Cheat):
    """A player who knows the first ``cards`` of the coup from their backs, in the share ``known`` of coups, and lays
    ``units`` times the minimum on the side that they favour; else he bets the minimum on the bank.

    One card favours the player's side from 6 to 9; of several, the side that is ahead with them.
    """

    name = "marked-cards"
    parameters: ClassVar = {"known": (1, 0, 1), "cards": (1, 1, 4), "units": (5, 1, 1000)}
    has_player = True

    def wager(self, table: TableSimulator, player: Player, wagers: list[str]) -> list[str]:
        """See `Cheating.wager`."""
        if player is not self.player:
            return wagers
        player.unit = table.minimum
        if self.random.random() >= self.strengths["known"]:
            return ["banker"]
        player.unit = min(int(table.minimum * self.strengths["units"]), table.maximum)
        coming = table.next_cards(int(self.strengths["cards"]))
        if len(coming) == 1:
            return ["player" if coming[0][0] in "6789" else "banker"]
        player_points, bank_points = (sum(_POINTS.get(card[0], 0) for card in side) % 10 for side in _sides(coming))
        return ["player" if player_points > bank_points else "banker"]


def _sides(cards: list[str]) -> tuple[list[str], list[str]]:
    """The cards of the player's side and the bank's, which get theirs in turn."""
    return cards[0::2], cards[1::2]
