"""What a game's file says to whoever watches its tables for streaks: what falls by chance, and what a stake is worth.

A game states it once, as `replay.games.Game.watched`, with the argument for each null beside it; where an argument
rests on the prices or the packs of cards that a law has, as `replay.games.Game.watched_under`, which says what holds
under a given one. The detectors (`replay.streaks`) take everything from there and know no game by name, so that a new
game is watched without them.

Exact odds are a law's own: an `Exact`, and an `AtMost` that states no figure, hold at whatever prices. What was argued
for some prices holds for no better ones (`pays_at_most`); under others the wager has no null, and is not watched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import msgspec

from replay.baccarat_hands import Drawing
from replay.money import Price
from replay.rules import Wager


class Exact(msgspec.Struct, frozen=True):
    """The null of a wager: its odds hold for every bet that is laid before the deal, whatever came before, and nothing
    that the player does changes what it comes to."""


class OfFreshShoe(msgspec.Struct, frozen=True):
    """The null of a wager whose odds are those of a fresh shoe, and of whoever does not follow the count: *no bet is
    favourable*, a stake gives back at most itself in the mean."""


class AtMost(msgspec.Struct, frozen=True):
    """The null of a wager of which only a bound is known, which holds for every bet, whatever came before and whatever
    the player makes of it."""

    most: Fraction | None = None
    """What it gives back at most in the mean, the stake included; None: the most that any of its odds says."""


class Estimate(msgspec.Struct, frozen=True):
    """The null of a wager that has no odds, and of which no bound is proven."""

    most: Fraction
    """What it gives back in the mean, the stake included, is hardly ever more."""
    variance: Fraction
    """Of what it gives back."""
    least_decks: int = 0
    """Where the house chooses how many packs it deals: at tables with so many, or more."""


Null = Exact | OfFreshShoe | AtMost | Estimate


class Repetition(msgspec.Struct, frozen=True, kw_only=True):
    """Outcomes that may repeat themselves, and where they are seen: in the throws, the ball, the rounds or the coups;
    or, where none of these is given, in the points that are made or lost."""

    name: str
    """What is watched, in words."""
    look_at: str
    """What to look at on the video when they do."""
    chances: Mapping[str, Fraction]
    """The chance of each kind of outcome that it comes again next time, if all is well; ``any``: of all of them. Of
    points, that it is made; of coups nearly, the exact one is worked out from each coup's cards."""
    opposed: bool = False
    """There are two that oppose each other, of which one alone may repeat itself."""
    of_dice: Callable[[Sequence[int]], str] | None = None
    """What a valid throw has brought."""
    of_ball: Callable[[int], str] | None = None
    """What a ball has brought."""
    of_round: Callable[[str], str] | None = None
    """What a round has brought, by its outcome in words; empty or no kind of ``chances``: it does not count."""
    of_coup: Callable[[str], tuple[int, int] | None] | None = None
    """What the player's and the banker's hand of a coup at baccarat (`replay.baccarat_hands`) came to, by the round's
    outcome in words; None: it does not count. The kinds are ``player`` and ``banker``."""
    drawing: Drawing | None = None
    """By which tables the law has third cards drawn there."""


class Watchable(msgspec.Struct, frozen=True, kw_only=True):
    """A game's statement. What is not stated is not there to be watched; dealers always are."""

    dice: int = 0
    """So many dice are thrown."""
    triples: bool = False
    """Wagers on three equal faces make it worth while to load one die against another."""
    points: Mapping[int, Fraction] = {}
    """Players throw the dice in turn; each of these totals becomes the point, which is made, with the chance given,
    when it comes again before a 7."""
    ball: int = 0
    """A ball comes to rest on one of so many numbers, all alike."""
    ball_from: int = 1
    """The least of them; the others follow it one by one."""
    ball_together: tuple[tuple[int, ...], ...] = ()
    """Numbers that a wager is on together, or that lie side by side."""
    shoe: bool = False
    """Cards are dealt from a shoe of French packs."""
    counted: str = ""
    """The wager that is worth more the richer the shoe is in tens and aces; whoever counts raises his stake on it."""
    runs: Repetition | None = None
    """Outcomes that may repeat themselves."""
    null: Null | None = None
    """Of every wager whose odds hang on no strategy, but for those in ``nulls``; None: their winnings are not
    watched."""
    nulls: Mapping[str, Null | None] = {}
    """Of single wagers; None: their winnings are not watched."""
    highest: Mapping[str, Fraction] = {}
    """The most that a stake can give back, itself included: of wagers of which an option says a price."""
    before_the_deal: bool = False
    """It holds for stakes that are laid before a card of the round was seen; others are left out."""
    lying: Fraction | None = None
    """Undecided stakes may lie on from one round to the next, and are then worth at least so much of a fresh one, which
    may be nothing; None: a round decides all that is watched."""

    def null_of(self, wager: str) -> Null | None:
        """The null of a wager; None where there is none."""
        return self.nulls.get(wager, self.null)


def either_way(price: Price) -> AtMost:
    """The null of a stake on the better of two hands that may lie the one or the other way round, so that it wins as
    often as it loses, and that comes back at most when they are equal. At ``price`` it gives back 1 + (price - 1) / 2
    at most where that is more than even money, and 1 at most where it is not.

    >>> either_way(Price(19, 20)).most, either_way(Price(6, 5)).most
    (Fraction(1, 1), Fraction(11, 10))
    """
    return AtMost(max(Fraction(1), Fraction(1 + price.ratio, 2)))


def pays_at_most(wager: Wager, argued: Mapping[str, Fraction | int]) -> bool:
    """Whether a wager pays no more than in the law that an argument was made for: ``argued`` has what it paid there, by
    pick or result, and under an empty key its one price."""
    prices = wager.prices if wager.price is None else {"": wager.price}
    return bool(prices) and all(key in argued and price.ratio <= argued[key] for key, price in prices.items())
