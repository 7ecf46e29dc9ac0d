"""What lies where: stakes that a game adds up are added up as they come and go.

A `Pile` is what counts together under one key of the game's choice: all that one player has on one number, all that
lies in one box. A game says into which piles a bet goes (`Piles.lay`); `replay.book.Book` takes it out again. To ask
what a pile holds costs the same however much lies on the table.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from replay.book import Bet


class Pile:
    """Undecided bets that count together, in the order in which they were laid here, and what they come to."""

    __slots__ = ("amount", "bets", "key", "others")

    def __init__(self, key: Hashable, others: dict[Hashable, Pile]) -> None:
        self.key = key
        self.others = others
        """All piles among which it stands, by their keys: an empty one does not."""
        self.bets: dict[str, Bet] = {}
        self.amount = 0
        """Minor units."""


def lift(bet: Bet) -> None:
    """The bet counts in no pile any more."""
    for pile in bet.piles:
        del pile.bets[bet.id]
        if pile.bets:
            pile.amount -= bet.amount
        else:
            del pile.others[pile.key]
    bet.piles = ()


def in_order(bets: Iterable[Bet]) -> list[Bet]:
    """Bets in the order in which they were placed."""
    return sorted(bets, key=lambda bet: bet.seqs[0])


class Piles:
    """All piles of a table that hold anything."""

    __slots__ = ("_by_key",)

    def __init__(self) -> None:
        self._by_key: dict[Hashable, Pile] = {}

    def lay(self, bet: Bet, *keys: Hashable) -> None:
        """As long as it is undecided the bet counts in these piles, and in no other any more."""
        if bet.piles:
            lift(bet)
        for key in keys:
            pile = self._by_key.get(key)
            if pile is None:
                pile = self._by_key[key] = Pile(key, self._by_key)
            pile.bets[bet.id] = bet
            pile.amount += bet.amount
            bet.piles += (pile,)

    def amount(self, key: Hashable) -> int:
        """What lies in a pile, minor units."""
        pile = self._by_key.get(key)
        return 0 if pile is None else pile.amount

    def bets(self, key: Hashable) -> Collection[Bet]:
        """The bets of a pile, in the order in which they were laid there: as they lie, while others come and go."""
        pile = self._by_key.get(key)
        return () if pile is None else pile.bets.values()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._by_key
