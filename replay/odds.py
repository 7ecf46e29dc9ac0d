"""Exact odds: what a wager is worth to the house, from the same rulings that settle it.

A game's module yields one `Odds` for each wager, pick and option value, made by enumerating all that can happen and
asking the game's own ruling what each outcome pays. Nothing here is typed in from a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from replay.money import Price


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """One wager's figures, for one unit staked."""

    wager: str
    pick: str = ""
    options: dict[str, str] = {}
    """The values of the options that the figure depends on."""
    decks: int | None = None
    edge: Fraction
    """Expected loss of the player, for one unit staked, to the decision of the bet, pushes counted."""
    variance: Fraction
    """Variance of the player's win, for one unit staked."""
    assumes: str
    """Where the figure holds: fresh shoe, strategy, full units …"""
    by_strategy: bool = False
    """It holds for one way to play a hand, and people have their own: no yardstick for what a table wins."""

    def holds(self, options: Mapping[str, Any]) -> bool:
        """Whether a table with these options is one for which the figure holds."""
        return all(
            name in options and str(options[name]).lower() == value.lower() for name, value in self.options.items()
        )


def edge_and_variance(outcomes: Iterable[tuple[Fraction | int, Fraction | int]]) -> tuple[Fraction, Fraction]:
    """Edge and variance from (weight, net win for one unit) pairs. Weights need not add up to 1. What wins the same is
    added up first, for the sake of time: most outcomes of a game win one of a few amounts."""
    weights: dict[tuple[int, int], Fraction | int] = {}
    for weight, net in outcomes:
        key = net.numerator, net.denominator
        weights[key] = weights.get(key, 0) + weight
    total = mean = square = Fraction(0)
    for (num, den), weight in weights.items():
        won = Fraction(num, den)
        total += weight
        mean += weight * won
        square += weight * won**2
    mean /= total
    return -mean, square / total - mean**2


def net(price: Price | None) -> Fraction:
    """What the player wins on one unit staked at ``price``; None: the stake is lost."""
    return Fraction(-1) if price is None else price.ratio


def pick_text(pick: object) -> str:
    """What a wager is on, as the tables of odds have it; empty where it is on nothing in particular."""
    return "" if pick is None else str(pick)
