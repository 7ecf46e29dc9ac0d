"""What a game's file says to whoever watches its tables for streaks: what falls by chance, and what a stake is worth.

A game states it once, as `replay.games.Game.watched`, with the argument for each null beside it. The detectors
(`replay.streaks`) take everything from there and know no game by name, so that a new game is watched without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import msgspec


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


Null = Exact | OfFreshShoe | AtMost | Estimate


class Runs(msgspec.Struct, frozen=True, kw_only=True):
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


class Watched(msgspec.Struct, frozen=True, kw_only=True):
    """A game's statement. What is not stated is not there to be watched; dealers always are."""

    dice: int = 0
    """So many dice are thrown."""
    triples: bool = False
    """Wagers on three equal faces make it worth while to load one die against another."""
    points: Mapping[int, Fraction] = {}
    """Players throw the dice in turn; each of these totals becomes the point, which is made, with the chance given,
    when it comes again before a 7."""
    ball: int = 0
    """A ball comes to rest on one of the numbers from 1 to this, all alike."""
    ball_together: tuple[tuple[int, ...], ...] = ()
    """Numbers that a wager is on together."""
    shoe: bool = False
    """Cards are dealt from a shoe of French packs."""
    counted: str = ""
    """The wager that is worth more the richer the shoe is in tens and aces; whoever counts raises his stake on it."""
    runs: Runs | None = None
    """Outcomes that may repeat themselves."""
    null: Null | None = None
    """Of every wager whose odds hang on no strategy, but for those in ``nulls``; None: their winnings are not
    watched."""
    nulls: Mapping[str, Null] = {}
    """Of single wagers."""
    before_the_deal: bool = False
    """It holds for stakes that are laid before a card of the round was seen; others are left out."""
    lying: Fraction | None = None
    """Undecided stakes may lie on from one round to the next, and are then worth at least so much of a fresh one, which
    may be nothing; None: a round decides all that is watched."""
    pace_s: tuple[int, int] | None = None
    """The shortest and the longest mean of a round from its opening to its closing, in seconds, where it is not the one
    of most games; a house may set another."""

    def null_of(self, wager: str) -> Null | None:
        """The null of a wager; None where there is none."""
        return self.nulls.get(wager, self.null)
