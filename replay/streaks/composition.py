"""Are the cards that come those of the packs that were loaded?

Null: *the shoe was shuffled uniformly and holds its packs.* Of what has not been seen each card is then as likely to be
the next as any other. Alternatives: some cards of a kind are missing, or are there too often: one card; of a rank, a
suit, the tens and aces or the twos to sixes, a part; of a rank, all. Under each the shoe was shuffled as well, so that
its likelihood ratio has a closed form that hangs on nothing but how many cards have not been seen, of the kind and in
all; it is a martingale from card to card, however far the shoe is dealt, and a pack of which every card is dealt tells
as much as a shoe of which half is. One missing card of 312 tells by what never comes: when three quarters of each shoe
are dealt, its last copy is seen in every fifth shoe, and never if it is not there.

Half of the wealth lies on the alternatives from the first shoe on; the other half is spread over the shoes, the k-th
getting 1/(k(k+1)) of it, for a shoe that was exchanged late in the night. In each shoe a fiftieth of each stake stays
in hand, for a device may misread a card.

Tried on: shoes cut anywhere; continuous shufflers; packs that are dealt to the last card. Not tried on: holes in the
log; shoes shuffled before their end because the count is high (preferential shuffles).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import Final, NamedTuple

from replay.cards import RANKS

IN_HAND: Final = 0.02
"""So much of a stake is not on the alternative."""
OF_CARDS, OF_RANKS, OF_SUITS, OF_GROUPS = range(4)
HIGH: Final = (0, 9, 10, 11, 12)
"""Ranks: ace, ten to king."""
LOW: Final = (1, 2, 3, 4, 5)
MISSING: Final = (
    (OF_CARDS, 0.0, 0.3),
    (OF_RANKS, 1 / 12, 0.08),
    (OF_RANKS, 1 / 4, 0.1),
    (OF_RANKS, 1 / 2, 0.1),
    (OF_RANKS, 1.0, 0.06),
    (OF_SUITS, 1 / 6, 0.04),
    (OF_GROUPS, 1 / 12, 0.05),
    (OF_GROUPS, 1 / 4, 0.03),
)
"""Of which kinds which part is missing (0: one card), and the part of the money."""
ADDED: Final = (
    (OF_CARDS, 0.0, 0.06),
    (OF_RANKS, 1 / 4, 0.06),
    (OF_RANKS, 3 / 4, 0.04),
    (OF_SUITS, 1 / 6, 0.02),
    (OF_GROUPS, 1 / 12, 0.04),
    (OF_GROUPS, 1 / 4, 0.02),
)
"""Likewise, of which there are too many."""
COPIES: Final = (1, 4, 13, 20)
"""Of each kind in one pack."""
KINDS: Final = (52, len(RANKS), 4, 2)


class _Change(NamedTuple):
    """So many cards of each kind of a sort are missing, or too many."""

    of: int
    by_left: tuple[float, ...]
    """By how many of the kind have not been seen; times what follows the likelihood ratio."""
    by_unseen: tuple[float, ...]
    """By how many have not been seen in all."""


def missing(held: int, cards: int, number: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """See `_Change`: ``number`` of the ``held`` cards of a kind, of a shoe of ``cards``, are not there.

    >>> by_left, by_unseen = missing(2, 4, 1)
    >>> by_left[1] * by_unseen[2], by_left[0] * by_unseen[2]  # one of the two was seen among the first two; both were
    (1.0, 0.0)
    """
    by_left = [1.0] * (held + 1)
    by_unseen = [1.0] * (cards + 1)
    for more in range(number):
        by_left = [so_far * (max(left - more, 0) / (held - more)) for left, so_far in enumerate(by_left)]
        by_unseen = [so_far * ((cards - more) / max(unseen - more, 1)) for unseen, so_far in enumerate(by_unseen)]
    return tuple(by_left), tuple(by_unseen)


def added(held: int, cards: int, number: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """See `_Change`: there are ``number`` more than the ``held`` cards of a kind.

    >>> by_left, by_unseen = added(1, 4, 1)
    >>> by_left[0] * by_unseen[3], by_left[1] * by_unseen[3]  # the first card was of the kind: 2/5 to 1/4; it was not
    (1.6, 0.8)
    """
    by_left = [1.0] * (held + 1)
    by_unseen = [1.0] * (cards + 1)
    for more in range(1, number + 1):
        by_left = [so_far * ((held + more) / (left + more)) for left, so_far in enumerate(by_left)]
        by_unseen = [so_far * ((unseen + more) / (cards + more)) for unseen, so_far in enumerate(by_unseen)]
    return tuple(by_left), tuple(by_unseen)


@lru_cache(maxsize=64)
def changes(decks: int) -> tuple[_Change, ...]:
    """All alternatives of a shoe of so many packs."""
    found = []
    for kinds, change in ((MISSING, missing), (ADDED, added)):
        for of, part, _ in kinds:
            held = decks * COPIES[of]
            found.append(_Change(of, *change(held, 52 * decks, max(1, round(part * held)))))
    return tuple(found)


PARTS: Final = tuple(part / KINDS[of] for of, _, part in MISSING + ADDED for _ in range(KINDS[of]))
"""By alternative, its part of the money."""


def _counts(left: Sequence[int]) -> tuple[Sequence[int], list[int], list[int], list[int]]:
    """Of each kind how many are left, by sort."""
    ranks = [sum(left[first : first + 4]) for first in range(0, 52, 4)]
    suits = [sum(left[suit::4]) for suit in range(4)]
    groups = [sum([ranks[rank] for rank in HIGH]), sum([ranks[rank] for rank in LOW])]
    return left, ranks, suits, groups


class CompositionBettor:
    """The bettor. See the module for null and alternatives."""

    __slots__ = ("_base", "_pocket", "_shoes", "changes", "wealth")

    def __init__(self) -> None:
        self._base = [0.5 * part for part in PARTS]
        """What each alternative had when this shoe was loaded."""
        self._pocket = 0.5
        """What is kept for the shoes to come."""
        self._shoes = 0
        self.changes: tuple[_Change, ...] = ()
        """Of the shoe at hand; empty: none is watched."""
        self.wealth = 1.0

    def load(self, decks: int) -> None:
        """A new shoe; the last one must have been taken off (`take_off`)."""
        self._shoes += 1
        start = 0.5 / (self._shoes * (self._shoes + 1))
        self._pocket -= start
        self._base = [wealth + start * part for wealth, part in zip(self._base, PARTS, strict=True)]
        self.changes = changes(decks)

    def _worth(self, left: Sequence[int], unseen: int) -> list[float]:
        """What each alternative has, when so many cards of each have not been seen."""
        counts = _counts(left)
        ratios: list[float] = []
        for of, by_left, by_unseen in self.changes:
            on = (1 - IN_HAND) * by_unseen[unseen]
            ratios += [IN_HAND + on * by_left[number] for number in counts[of]]
        return list(map(mul, self._base, ratios))

    def look(self, left: Sequence[int], unseen: int) -> float:
        """The wealth now."""
        self.wealth = sum(self._worth(left, unseen)) + max(self._pocket, 0.0)
        return self.wealth

    def take_off(self, left: Sequence[int], unseen: int) -> float:
        """The shoe is seen no further: the wealth."""
        self._base = self._worth(left, unseen)
        self.changes = ()
        self.wealth = sum(self._base) + max(self._pocket, 0.0)
        return self.wealth

    def again(self, decks: int) -> None:
        """All cards are back in the shoe, which was taken off."""
        self.changes = changes(decks)
