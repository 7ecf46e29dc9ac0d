"""Poker hands: how one ranks against another, in every game of the regulations that compares them.

A hand's rank is an int, and the higher int is the better hand: the place of its class in the `Ranking`'s order (bits 20
and up), then five ranks of four bits each, those that decide ties from the top (ace 14, king 13 … 2). Equal ints are
equal hands. `Ranking.name` gives the class of a rank (``full_house``), so that a pay table can be looked up by it.

Games differ in how many cards make a hand, in the order of the classes and in the ace:

============  =====  ==================================================================================================
ranking       cards  order and ace
============  =====  ==================================================================================================
`FIVE`        5      the standard one; the ace is high, or low in A-2-3-4-5
`stripped`    5      the flush may beat the full house; the ace is also low before the lowest rank in play
`FOUR`        4      four of a kind, straight flush, three of a kind, flush, straight, two pair, pair, high card
`THREE`       3      straight flush, three of a kind, straight, flush, pair, high card
`TWO`         2      pair, high card; its ints compare with those of five cards, as far as two cards go
`pai_gow`     5      as `FIVE`, with a joker, five aces on top, and A-2-3-4-5 second among the straights or last
============  =====  ==================================================================================================

`Low` turns a ranking upside down: `RAZZ` (ace low, straights and flushes ignored), `EIGHT_OR_BETTER` (the same, five
different ranks of eight or less) and `DEUCE_TO_SEVEN` (ace high only, straights and flushes count against).

A hand may hold the same card twice: a faulty pack is reported by others, and the cards stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial
from typing import Final

from replay.cards import SUITS

HIGH_TO_TWO: Final = "AKQJT98765432"
VALUE: Final = {rank: 14 - place for place, rank in enumerate(HIGH_TO_TWO)}
"""Rank -> 14 for the ace, 13 for the king … 2."""

HIGH_CARD: Final = "high_card"
PAIR: Final = "pair"
TWO_PAIR: Final = "two_pair"
THREE_OF_A_KIND: Final = "three_of_a_kind"
STRAIGHT: Final = "straight"
FLUSH: Final = "flush"
FULL_HOUSE: Final = "full_house"
FOUR_OF_A_KIND: Final = "four_of_a_kind"
STRAIGHT_FLUSH: Final = "straight_flush"
ROYAL_FLUSH: Final = "royal_flush"
FIVE_ACES: Final = "five_aces"

STANDARD: Final = (
    HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH,
    ROYAL_FLUSH,
)  # fmt: skip
"""The classes, lowest first."""

JOKER: Final = "XX"
MAX_CARDS: Final = 7
"""So many cards a hand is chosen from at most: one octal digit counts the cards of a rank."""

_SUITS_AT: Final = 39
_CODE: Final = {
    rank + suit: (1 << 3 * (value - 2)) | (1 << _SUITS_AT + 4 * place)
    for rank, value in VALUE.items()
    for place, suit in enumerate(SUITS)
}
"""Card -> one in the octal digit of its rank, and one in the hex digit of its suit: the sum counts both."""
_RANKS: Final = (1 << _SUITS_AT) - 1
_EIGHTS: Final = 0x8888


def legible(cards: Iterable[str]) -> bool:
    """Every card is one of the 52: a hand that holds another, or one that nobody could read, has no rank."""
    return all(card in _CODE for card in cards)


class Ranking:
    """An order of hands of ``size`` cards. `best` ranks the best hand that is in a few cards more."""

    def __init__(
        self,
        size: int,
        order: Sequence[str],
        *,
        low_ace_before: str | None = "2",
        ace: int = 14,
        second_straight: bool = False,
    ) -> None:
        """``order``: the classes that exist, lowest first. ``low_ace_before``: the lowest rank in play, before which
        the ace makes a straight too; None where it does not. ``ace``: 1 where it is the lowest card.
        ``second_straight``: the straight with the low ace comes right after the highest."""
        self.size = size
        self.order = tuple(order)
        self._floor = {name: place << 20 for place, name in enumerate(order)}
        self._ace = ace
        self._straights = _straights(size, low_ace_before, second_straight)
        self._spare = (8 - size) * 0x1111
        self._of_ranks: dict[int, int] = {}
        self._of_suit: dict[int, int] = {}

    def best(self, cards: Sequence[str]) -> int:
        """The rank of the best hand in ``cards``: at least `size` and at most `MAX_CARDS` of the 52.

        Raises KeyError for any other card (ask `legible` first)."""
        total = 0
        for card in cards:
            total += _CODE[card]
        counts = total & _RANKS
        rank = self._of_ranks.get(counts)
        if rank is None:
            rank = self._of_ranks[counts] = self._without_suits(counts)
        full = ((total >> _SUITS_AT) + self._spare) & _EIGHTS
        if full:
            suit = SUITS[full.bit_length() // 4 - 1]
            counts = 0
            for card in cards:
                if card[1] == suit:
                    counts += _CODE[card]
            counts &= _RANKS
            suited = self._of_suit.get(counts)
            if suited is None:
                suited = self._of_suit[counts] = self._suited(counts)
            if suited > rank:
                rank = suited
        return rank

    def best_with(self, own: Sequence[str], board: Sequence[str], count: int = 2) -> int:
        """The rank of the best hand of exactly ``count`` own cards and the rest from the board (Omaha)."""
        return max(
            self.best((*mine, *shared))
            for mine in combinations(own, count)
            for shared in combinations(board, self.size - count)
        )

    def name(self, rank: int) -> str:
        """The class of a rank: ``straight_flush``."""
        return self.order[rank >> 20]

    def least(self, name: str, *ranks: str) -> int:
        """The lowest rank of a class, or of its hands whose deciding ranks begin with ``ranks``: `FIVE.least("pair",
        "4")` is a bound that every pair of fours reaches and no pair of threes does."""
        rank = self._floor[name]
        for place, each in enumerate(ranks):
            rank |= VALUE[each] << 16 - 4 * place
        return rank

    def _rank(self, name: str, values: Iterable[int]) -> int:
        rank = self._floor[name]
        shift = 16
        for value in values:
            rank |= value << shift
            shift -= 4
        return rank

    def _without_suits(self, counts: int) -> int:
        """The best hand when suits are left out of account. ``counts``: an octal digit for each rank from 2 up."""
        size, floor = self.size, self._floor
        values: list[int] = []
        groups: list[tuple[int, int]] = []
        for value, shift in [(14, 36)] * (self._ace == 14) + _DIGITS + [(1, 36)] * (self._ace == 1):
            count = counts >> shift & 7
            if count:
                values += [value] * count
                groups.append((min(count, 4), value))

        def made(name: str, *used: tuple[int, int]) -> int:
            """A hand of so many cards of each of these values, filled up with the highest of the rest."""
            rest = list(values)
            for count, value in used:
                for _ in range(count):
                    rest.remove(value)
            kept = size - sum(count for count, _ in used)
            return self._rank(name, [*(value for _, value in used), *rest[:kept]])

        groups.sort(reverse=True)
        (count, value), (next_count, next_value) = groups[0], groups[1] if len(groups) > 1 else (0, 0)
        if count == 4 and FOUR_OF_A_KIND in floor:
            rank = made(FOUR_OF_A_KIND, (4, value))
            if size == 4:
                return rank
        elif count >= 3 and next_count >= 2 and FULL_HOUSE in floor:
            pair = max(paired for many, paired in groups[1:] if many >= 2)
            rank = made(FULL_HOUSE, (3, value), (2, pair))
        elif count >= 3 and THREE_OF_A_KIND in floor:
            rank = made(THREE_OF_A_KIND, (3, value))
        elif count >= 2 and next_count >= 2 and TWO_PAIR in floor:
            rank = made(TWO_PAIR, (2, value), (2, next_value))
        elif count >= 2:
            rank = made(PAIR, (2, value))
        else:
            rank = made(HIGH_CARD)
        if STRAIGHT in floor:
            top = self._straight(counts)
            if top:
                rank = max(rank, self._rank(STRAIGHT, (top,)))
        return rank

    def _suited(self, counts: int) -> int:
        """The best hand of cards of one suit."""
        if STRAIGHT_FLUSH in self._floor:
            top = self._straight(counts)
            if top:
                royal = ROYAL_FLUSH in self._floor and top == max(self._straights)
                return self._rank(ROYAL_FLUSH if royal else STRAIGHT_FLUSH, (top,))
        if FLUSH not in self._floor:
            return 0
        values: list[int] = []
        for value, shift in [(14, 36), *_DIGITS]:
            values += [value] * (counts >> shift & 7)
        return self._rank(FLUSH, values[: self.size])

    def _straight(self, counts: int) -> int:
        """The place of the highest straight among these ranks; 0 when there is none."""
        present = 0
        for value, shift in [(14, 36), *_DIGITS]:
            if counts >> shift & 7:
                present |= 1 << value
        for top, mask in self._straights.items():
            if present & mask == mask:
                return top
        return 0


_DIGITS: Final = [(value, 3 * (value - 2)) for value in range(13, 1, -1)]


def _straights(size: int, low_ace_before: str | None, second: bool) -> dict[int, int]:
    """The straights, highest first: the place that ranks one (its top card) -> its cards, a bit for each value."""
    found = {top: sum(1 << value for value in range(top - size + 1, top + 1)) for top in range(14, size, -1)}
    if low_ace_before is None:
        return found
    lowest = VALUE[low_ace_before]
    top = lowest + size - 2
    wheel = 1 << 14 | sum(1 << value for value in range(lowest, top + 1))
    if second:
        return {15: found.pop(14), 14: wheel, **found}
    return dict(sorted({**found, top: wheel}.items(), reverse=True))


FIVE: Final = Ranking(5, STANDARD)
FOUR: Final = Ranking(4, (HIGH_CARD, PAIR, TWO_PAIR, STRAIGHT, FLUSH, THREE_OF_A_KIND, STRAIGHT_FLUSH, FOUR_OF_A_KIND))
THREE: Final = Ranking(3, (HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH))
TWO: Final = Ranking(2, (HIGH_CARD, PAIR))


@cache
def stripped(lowest: str, *, flush_beats_full_house: bool = True) -> Ranking:
    """Five cards from a deck that begins with ``lowest``: ``6`` (36 cards), ``7`` (32), ``8`` (28)."""
    order = list(STANDARD)
    if flush_beats_full_house:
        flush, full_house = order.index(FLUSH), order.index(FULL_HOUSE)
        order[flush], order[full_house] = FULL_HOUSE, FLUSH
    return Ranking(5, order, low_ace_before=lowest)


class PaiGow(Ranking):
    """Five cards of 52 and the joker, which completes a straight, a flush or a straight flush, and otherwise is an ace.
    In a flush it is the highest card that is missing."""

    def __init__(self, *, second_straight: bool) -> None:
        super().__init__(5, (*STANDARD, FIVE_ACES), second_straight=second_straight)

    def best(self, cards: Sequence[str]) -> int:
        """As `Ranking.best`, the joker (``XX``) among the cards or not."""
        if JOKER not in cards:
            return super().best(cards)
        if len(cards) > self.size:
            return max(self.best(five) for five in combinations(cards, self.size))
        others = list(cards)
        others.remove(JOKER)
        return max(self._joined(others))

    def _joined(self, others: list[str]) -> Iterator[int]:
        """What four cards are with the joker, in each of the ways that it may be used."""
        values = sorted((VALUE[card[0]] for card in others), reverse=True)
        if values == [14] * 4:
            yield self._floor[FIVE_ACES]
            return
        suits = {card[1] for card in others}
        # An ace of a suit that makes no flush; any other card of that rank will do, for the rank counts alone.
        suit = next(each for each in SUITS if suits != {each})
        yield super().best([*others, f"A{suit}"])
        present = 0
        for value in values:
            present |= 1 << value
        top = 0
        if present.bit_count() == 4:
            top = next((each for each, mask in self._straights.items() if present & mask == present), 0)
        if top:
            yield self._rank(STRAIGHT, (top,))
        if len(suits) == 1:
            if top:
                yield self._rank(ROYAL_FLUSH if top == max(self._straights) else STRAIGHT_FLUSH, (top,))
            missing = next(value for value in range(14, 1, -1) if value not in values)
            yield self._rank(FLUSH, sorted([*values, missing], reverse=True))


@cache
def pai_gow(wheel: str) -> PaiGow:
    """Five cards with the joker. ``wheel``: where A-2-3-4-5 stands among the straights, ``second`` or ``low``."""
    assert wheel in ("second", "low"), wheel
    return PaiGow(second_straight=wheel == "second")


class Low:
    """A ranking upside down: the lowest hand has the highest rank (all ranks are negative)."""

    def __init__(self, high: Ranking, *, most: int = 14, qualifies: str | None = None) -> None:
        """``most``: no card above it counts. ``qualifies``: the only class that makes a low hand at all."""
        self._high = high
        self._most = most
        self._qualifies = None if qualifies is None else high.order.index(qualifies)

    def best(self, cards: Sequence[str]) -> int | None:
        """The rank of the lowest five of these cards; None when none of them is a low hand."""
        return self._lowest(combinations(cards, 5))

    def best_with(self, own: Sequence[str], board: Sequence[str], count: int = 2) -> int | None:
        """The same with exactly ``count`` own cards and the rest from the board."""
        return self._lowest(
            (*mine, *shared) for mine in combinations(own, count) for shared in combinations(board, 5 - count)
        )

    def name(self, rank: int) -> str:
        """The class of a rank: ``high_card`` where the five are of different ranks and nothing else."""
        return self._high.name(-rank)

    def _lowest(self, hands: Iterable[tuple[str, ...]]) -> int | None:
        high, qualifies = self._high.best, self._qualifies
        lowest: int | None = None
        for hand in hands:
            rank = high(hand)
            if qualifies is not None and (rank >> 20 != qualifies or rank >> 16 & 15 > self._most):
                continue
            if lowest is None or rank < lowest:
                lowest = rank
        return None if lowest is None else -lowest


_BY_RANKS_ALONE: Final = Ranking(
    5, (HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, FULL_HOUSE, FOUR_OF_A_KIND), ace=1, low_ace_before=None
)
RAZZ: Final = Low(_BY_RANKS_ALONE)
EIGHT_OR_BETTER: Final = Low(_BY_RANKS_ALONE, most=8, qualifies=HIGH_CARD)
DEUCE_TO_SEVEN: Final = Low(Ranking(5, STANDARD, low_ace_before=None))


def deals(size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every hand of ``size`` of the 52 cards up to an exchange of suits, and how many hands it stands for.

    A ruling that treats all suits alike is judged once for each: 1,755 hands of three cards stand for 22,100, and
    134,459 of five for 2,598,960.
    """
    by_count = [list(combinations(HIGH_TO_TWO, count)) for count in range(size + 1)]
    for parts in _partitions(size, 4):
        lengths = sorted(set(parts), reverse=True)
        choices = [list(combinations_with_replacement(by_count[each], parts.count(each))) for each in lengths]
        for chosen in product(*choices):
            suits = [ranks for same in chosen for ranks in same]
            ways = factorial(4)
            for ranks in set(suits):
                ways //= factorial(suits.count(ranks))
            yield tuple(rank + SUITS[place] for place, ranks in enumerate(suits) for rank in ranks), ways


def _partitions(total: int, parts: int, most: int = 13) -> Iterator[tuple[int, ...]]:
    """``total`` as a sum of so many terms, the highest first, zeros included."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most), -1, -1):
        for rest in _partitions(total - first, parts - 1, first):
            yield (first, *rest)
