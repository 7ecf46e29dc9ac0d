"""What blackjack with a hole card is worth to whoever plays it best, exactly, from an endless shoe.

From an endless shoe every card is as likely as any other whatever came before, so that a hand is known by its points
and by whether it has an ace, and the hands of a split are independent once the dealer's hand is given. Nothing is
approximated: splits are played one after the other, up to as many hands as the table allows. The dealer looks at his
hole card; insurance and even money, which no shoe without end makes worth their price, are left alone.

Worths are whole numbers of a unit so small that nothing is ever rounded: fractions would take fifty times as long.

A real shoe is a little better for the player, the more so the fewer packs it has: by some hundredths of a per cent with
eight, by half a per cent with one.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from operator import mul
from typing import Final, NamedTuple

from replay.blackjack_hands import DealerRule
from replay.games._blackjack_table import main_ruling
from replay.odds import net
from replay.rules import Wager

POINTS: Final = range(1, 11)
WAYS: Final = {points: 4 if points == 10 else 1 for points in POINTS}
"""Of thirteen cards."""
RANKS: Final = 13
DEPTH: Final = 100
"""No play of a box draws so many cards: four hands, of which none has more than twenty-one."""
BUST: Final = 22


class Choices(NamedTuple):
    """What the table has chosen, of what changes the play."""

    soft_17_hit: bool = False
    ten_eleven: bool = False
    max_hands: int = 2
    resplit_aces: bool = True
    returned: Fraction | None = None
    """What comes back of a stake that is given up; None: none is."""


class Worth(NamedTuple):
    """The mean of what is won, and of its square, for each end of the dealer's hand; in units of a `BestPlay`."""

    means: tuple[int, ...]
    squares: tuple[int, ...]


def with_card(hard: int, ace: bool, points: int) -> tuple[int, bool]:
    """A hand, as its points with every ace as one and whether it has an ace, with another card."""
    return hard + points, ace or points == 1


def total(hard: int, ace: bool) -> int:
    """An ace is eleven where that does not pass 21."""
    return hard + 10 if ace and hard <= 11 else hard


def drawn(worths: Iterable[tuple[int, Worth]]) -> Worth:
    """A card is drawn: the points of each, and what the hand is worth with it."""
    columns = [(WAYS[points], worth) for points, worth in worths]
    means = tuple(map(sum, zip(*(tuple(ways * each for each in worth.means) for ways, worth in columns), strict=True)))
    squares = tuple(
        map(sum, zip(*(tuple(ways * each for each in worth.squares) for ways, worth in columns), strict=True))
    )
    assert not any(each % RANKS for each in (*means, *squares))
    return Worth(tuple(each // RANKS for each in means), tuple(each // RANKS for each in squares))


class BestPlay:
    """The best play of the hand against the dealer's first card, when he has looked and has no blackjack."""

    def __init__(self, wager: Wager, stands_on: int, choices: Choices, up: int) -> None:
        self.wager = wager
        self.choices = choices
        self.rule = DealerRule(stands_on, as_players=True, draws_on_soft=choices.soft_17_hit)
        self.ends = (*range(stands_on, 22), BUST)
        """What the dealer's hand may come to."""
        returned = choices.returned or Fraction(0)
        self.unit = (returned.denominator * wager.prices["win"].den) ** 2 * RANKS**DEPTH
        """So many make one stake."""
        self.ends_of = cache(self._ends_of)
        self.chances = self.dealer_ends(up)
        common = lcm(*(chance.denominator for chance in self.chances))
        self.weights = [int(chance * common) for chance in self.chances]
        self._whole = common * self.unit * RANKS**2
        self.settled = cache(self._settled)
        self.played = cache(self._played)
        self.two_cards = cache(self._two_cards)
        self.waiting = cache(self._waiting)

    def dealer_ends(self, up: int) -> tuple[Fraction, ...]:
        """How likely each of his ends is, when no blackjack is under his first card."""
        none = {1: 10, 10: 1}.get(up)
        return self._after_a_card(up, up == 1, tuple(points for points in POINTS if points != none))

    def _ends_of(self, hard: int, ace: bool) -> tuple[Fraction, ...]:
        if self.rule.stands(hard, ace):
            end = min(self.rule.total(hard, ace), BUST)
            return tuple(Fraction(each == end) for each in self.ends)
        return self._after_a_card(hard, ace, tuple(POINTS))

    def _after_a_card(self, hard: int, ace: bool, among: tuple[int, ...]) -> tuple[Fraction, ...]:
        """One card of these, and on by his rule."""
        cards = sum(WAYS[points] for points in among)
        found = [Fraction(0)] * len(self.ends)
        for points in among:
            chance = Fraction(WAYS[points], cards)
            ends = self.ends_of(*with_card(hard, ace, points))
            found = [before + chance * each for before, each in zip(found, ends, strict=True)]
        return tuple(found)

    def mean(self, worths: Iterable[tuple[Worth, int]]) -> Fraction:
        """Of all deals, each with its ways of `RANKS` squared, and over the dealer's ends: in stakes."""
        return Fraction(sum(ways * self._weighed(worth.means) for worth, ways in worths), self._whole)

    def square(self, worths: Iterable[tuple[Worth, int]]) -> Fraction:
        """Likewise of what is won, squared."""
        return Fraction(sum(ways * self._weighed(worth.squares) for worth, ways in worths), self._whole)

    def _weighed(self, numbers: tuple[int, ...]) -> int:
        return sum(map(mul, self.weights, numbers))

    def better(self, *worths: Worth) -> Worth:
        """The one with the greatest mean."""
        return max(worths, key=lambda worth: self._weighed(worth.means))

    def sure(self, won: Fraction) -> int:
        """So many stakes, in units."""
        assert self.unit % won.denominator == 0
        units: int = self.unit // won.denominator * won.numerator
        return units

    def _settled(self, points: int, stake: int) -> Worth:
        """The hand has ended on so much."""
        won = [stake * net(main_ruling(self.wager, points, False, end, False)) for end in self.ends]
        return Worth(tuple(map(self.sure, won)), tuple(self.sure(each * each) for each in won))

    def _played(self, hard: int, ace: bool) -> Worth:
        """Hit or stand, whichever is better."""
        points = total(hard, ace)
        stands = self.settled(points, 1)
        return stands if points >= 21 else self.better(stands, self.hit(hard, ace))

    def hit(self, hard: int, ace: bool) -> Worth:
        """A card, and on."""
        return drawn((points, self.played(*with_card(hard, ace, points))) for points in POINTS)

    def doubled(self, hard: int, ace: bool) -> Worth:
        """One card for twice the stake."""
        return drawn((points, self.settled(total(*with_card(hard, ace, points)), 2)) for points in POINTS)

    def _two_cards(self, first: int, second: int) -> Worth:
        """Two cards that are not split."""
        hard, ace = first + second, 1 in (first, second)
        worth = self.played(hard, ace)
        points = total(hard, ace)
        if points >= 21 or (self.choices.ten_eleven and points not in (10, 11)):
            return worth
        return self.better(worth, self.doubled(hard, ace))

    def split(self, points: int) -> Worth:
        """A pair is split."""
        return self.waiting(points, 2, 2)

    def _waiting(self, points: int, waiting: int, hands: int) -> Worth:
        """So many hands of one such card each wait for their second one, of so many in all."""
        if not waiting:
            return Worth((0,) * len(self.ends), (0,) * len(self.ends))
        after = self.waiting(points, waiting - 1, hands)
        again = hands < self.choices.max_hands and (points != 1 or self.choices.resplit_aces)
        parts = []
        for second in POINTS:
            hand = self.settled(total(1 + second, True), 1) if points == 1 else self.two_cards(points, second)
            worth = self.both(hand, after)
            if second == points and again:
                worth = self.better(worth, self.waiting(points, waiting + 1, hands + 1))
            parts.append((second, worth))
        return drawn(parts)

    def both(self, one: Worth, other: Worth) -> Worth:
        """Two hands, independent once the dealer's is given."""
        products = [2 * a * b for a, b in zip(one.means, other.means, strict=True)]
        assert not any(each % self.unit for each in products)
        return Worth(
            tuple(a + b for a, b in zip(one.means, other.means, strict=True)),
            tuple(a + b + c // self.unit for a, b, c in zip(one.squares, other.squares, products, strict=True)),
        )

    def first_two(self, first: int, second: int) -> Worth:
        """The best that can be made of a box's two cards that are no blackjack."""
        ways = [self.two_cards(first, second)]
        if first == second and self.choices.max_hands > 1:
            ways.append(self.split(first))
        if self.choices.returned is not None:
            lost = self.choices.returned - 1
            ways.append(
                Worth((self.sure(lost),) * len(self.ends), (self.sure(lost * lost),) * len(self.ends))
            )  # fmt: skip
        return self.better(*ways)


@lru_cache(maxsize=64)
def _without_blackjacks(wager: Wager, stands_on: int, choices: Choices) -> tuple[Fraction, Fraction, Fraction]:
    """Of all hands that are no blackjack: mean and mean square of what is won, for one stake; and how likely it is that
    a blackjack wins."""
    mean = square = wins = Fraction(0)
    deals = [(one, two, WAYS[one] * WAYS[two] * (1 + (one != two))) for one in POINTS for two in POINTS if one <= two]
    naturals = Fraction(2 * WAYS[1] * WAYS[10], RANKS**2)
    for up in POINTS:
        play = BestPlay(wager, stands_on, choices, up)
        chance = Fraction(WAYS[up], RANKS)
        his = Fraction(WAYS[{1: 10, 10: 1}[up]] if up in (1, 10) else 0, RANKS)
        worths = [(play.first_two(one, two), ways) for one, two, ways in deals if (one, two) != (1, 10)]
        wins += chance * (1 - his) * naturals
        mean += chance * ((1 - his) * play.mean(worths) - his * (1 - naturals))
        square += chance * ((1 - his) * play.square(worths) + his * (1 - naturals))
    return mean, square, wins


def edge_and_variance_of_main(
    wager: Wager, stands_on: int, choices: Choices, blackjack: Fraction
) -> tuple[Fraction, Fraction]:
    """For the first stake, where a blackjack is paid ``blackjack`` to one."""
    mean, square, wins = _without_blackjacks(wager, stands_on, choices)
    mean += wins * blackjack
    square += wins * blackjack**2
    return -mean, square - mean**2
