"""A bettor on which of some outcomes comes next, who does not know what is wrong, nor since when.

Null: the outcomes come independently with given probabilities (or, where a caller says so, with probabilities that make
every alternative's likelihood ratio at most 1 in the mean). Alternatives: a few other sets of probabilities, each true
from the beginning or from some later moment on.

The wealth is the likelihood ratio of a mixture: over the alternatives (each costs the logarithm of its share, which is
why there are few of them), and over the moment from which on one of them is true: half of the money plays from the
first observation, the other half waits, and a part of it begins to play every `Mixture.every` observations, so that
after n beginnings 1/sqrt(n) of that half still waits. A stake on a fair bet has no tendency to grow, whenever it is
laid; so neither has their sum, and Ville's inequality holds for all beginnings together (G. Lorden, "Procedures for
reacting to a change in distribution", 1971, without his loss of the guarantee; J. Shin, A. Ramdas, A. Rinaldo,
"E-detectors", 2024; for categories: J. Ryu and G. Wornell, "Gambling-based confidence sequences for bounded random
vectors", 2024). A change at the n-th beginning is found later by about the logarithm of 4n sqrt(n) over the divergence,
not never.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from math import fsum, sqrt
from operator import mul
from typing import Final

Ratios = Sequence[float]
"""By outcome: how much likelier it is under an alternative than under the null."""

FIRST: Final = 0.5
"""So much of the money plays from the first observation on."""
_STOPS_AT: Final = 1e250
"""A bettor so rich plays no more: what has stopped is still fair, and no number overflows."""
_FAR_FROM_IT: Final = 1e200
"""No few outcomes make a bettor so poor stop."""


def tilted(null: Sequence[float], outcomes: Iterable[int], by: float) -> list[float]:
    """The ratios of the alternative in which ``outcomes`` (indices) are ``by`` likelier (0.2: a fifth; -0.2: a fifth
    less likely), and the others all alike less.

    >>> tilted([0.25, 0.25, 0.5], [0], 1.0)  # a half, a sixth, a third
    [2.0, 0.6666666666666666, 0.6666666666666666]
    """
    chosen = frozenset(outcomes)
    inside = fsum(null[outcome] for outcome in sorted(chosen))
    other = (1 - inside * (1 + by)) / (1 - inside)
    return [1 + by if outcome in chosen else other for outcome in range(len(null))]


class Mixture:
    """The bettor. The wealth after each observation is the same on every machine: only sums, products
    and roots make it, each correctly rounded."""

    __slots__ = ("_beginnings", "_count", "_growth", "_next", "_playing", "_shares", "_waiting", "every", "wealth")

    def __init__(self, alternatives: Sequence[tuple[float, Ratios]], *, every: int = 32) -> None:
        """``alternatives``: (weight, ratios by outcome) each; weights need not add up to 1. ``every``: observations
        from one beginning to the next. Where all outcomes are told by `take`, the ratios may be empty."""
        total = fsum(weight for weight, _ in alternatives)
        self.every = every
        self.wealth = 1.0
        self._shares = [weight / total for weight, _ in alternatives]
        self._growth = [tuple(column) for column in zip(*(ratios for _, ratios in alternatives), strict=True)]
        """By outcome: each alternative's ratio."""
        self._playing = [FIRST * share for share in self._shares]
        self._waiting = 1 - FIRST
        self._beginnings = 1
        self._count = 0
        self._next = every

    def anew(self) -> Mixture:
        """Another bettor on the same alternatives, told nothing yet, in a small part of the time that the first took.
        This one must not have been told anything either. What they share, both replace and neither changes."""
        assert self._count == 0
        return copy(self)

    def observe(self, outcome: int) -> float:
        """The wealth after ``outcome`` (its index)."""
        return self.take(self._growth[outcome])

    def observe_all(self, outcomes: Sequence[int]) -> float:
        """The wealth after a few outcomes that come at once: what it is in between is not worked out."""
        count = self._count + len(outcomes)
        if count > self._next or self.wealth > _FAR_FROM_IT:
            for outcome in outcomes:
                self.observe(outcome)
            return self.wealth
        playing: Iterable[float] = self._playing
        for outcome in outcomes:
            playing = map(mul, playing, self._growth[outcome])
        self._playing = list(playing)
        self._count = count
        self.wealth = fsum(self._playing) + self._waiting
        return self.wealth

    def take(self, ratios: Ratios) -> float:
        """The wealth after an outcome of which each alternative has its own likelihood ratio, as `Ratios` have them but
        by alternative: where the null's chances are others at each observation."""
        if self.wealth >= _STOPS_AT:
            return self.wealth
        if self._count == self._next:
            self._begin()
        self._count += 1
        self._playing = list(map(mul, self._playing, ratios))
        self.wealth = fsum(self._playing) + self._waiting
        return self.wealth

    def _begin(self) -> None:
        """A part of what waits begins to play."""
        self._next += self.every
        self._beginnings += 1
        part = self._waiting * (1 - sqrt((self._beginnings - 1) / self._beginnings))
        self._waiting -= part
        self._playing = [stake + part * share for stake, share in zip(self._playing, self._shares, strict=True)]


class Adaptive:
    """A bettor who learns the probabilities from what comes, and can so tell any slight bias in the long run.

    The likelihood ratio of a Dirichlet mixture (the prior lies around the null; R. Krichevsky and V. Trofimov, "The
    performance of universal encoding", 1981): before each observation it expects an outcome as often as it came so far,
    as if ``caution`` fair observations had come before the first. It pays about half the logarithm of (observations /
    caution) for each outcome but one, which is too dear for a strong bias and cheap for one that needs thousands.
    """

    __slots__ = ("_counts", "_null", "_total", "wealth")

    def __init__(self, null: Sequence[float], caution: float) -> None:
        """``null``: the probabilities; ``caution``: a number of observations."""
        self._null = tuple(null)
        self._counts = [caution * chance for chance in null]
        self._total = caution
        self.wealth = 1.0

    def observe(self, outcome: int) -> float:
        """The wealth after ``outcome`` (its index)."""
        if self.wealth < _STOPS_AT:
            counts = self._counts
            self.wealth *= counts[outcome] / (self._total * self._null[outcome])
            counts[outcome] += 1.0
            self._total += 1.0
        return self.wealth

    def observe_all(self, outcomes: Sequence[int]) -> float:
        """The wealth after a few outcomes that come at once."""
        for outcome in outcomes:
            self.observe(outcome)
        return self.wealth


class Pool:
    """Bettors on the same outcomes who share a purse from the start: the wealth is their mean, by weight."""

    __slots__ = ("_parts", "wealth")

    def __init__(self, *parts: tuple[float, Mixture | Adaptive]) -> None:
        """``parts``: (weight, bettor); the weights add up to 1."""
        self._parts = parts
        self.wealth = 1.0

    def observe(self, outcome: int) -> float:
        """The wealth after ``outcome`` (its index)."""
        self.wealth = fsum([weight * bettor.observe(outcome) for weight, bettor in self._parts])
        return self.wealth

    def observe_all(self, outcomes: Sequence[int]) -> float:
        """The wealth after a few outcomes that come at once."""
        self.wealth = fsum([weight * bettor.observe_all(outcomes) for weight, bettor in self._parts])
        return self.wealth
