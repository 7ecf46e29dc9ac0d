"""Cheats at simulated tables: patterns that no single event gives away, for the detectors of streaks.

A cheat is asked for in words, ``loaded-dice:face=6,heavier=0.3,from=2h``: its name, then its parameters. Every cheat
takes ``from`` (how long after the table was opened it begins: ``90m``, ``2h``, seconds without a unit; 0) and ``table``
(its name, or ``all`` on which it can be done; the first of them). What else each takes its class says. Before it begins
the night is to the byte the one without it (but for blackjack with an unshuffled shoe, whose cards lie in order all the
time): a cheat draws from a source of chance of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from streams.simulator.cheats.cards import CardCounter, MarkedCards, UnshuffledShoe
from streams.simulator.cheats.cheat import Cheat, CheatError
from streams.simulator.cheats.dice import ControlledShooter, LoadedDice
from streams.simulator.cheats.money import ColludingDealer, PastPoster
from streams.simulator.table import TableSetup

__all__ = ["CHEATS", "Cheat", "CheatError", "Wanted", "parse"]

CHEATS: Final[dict[str, type[Cheat]]] = {
    kind.name: kind
    for kind in (
        LoadedDice,
        ControlledShooter,
        CardCounter,
        ColludingDealer,
        PastPoster,
        UnshuffledShoe,
        MarkedCards,
    )
}
"""By name."""
_UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3600}


class Wanted:
    """A cheat as it was asked for: made anew for every table and day at which it is done."""

    def __init__(self, kind: type[Cheat], table: str, since_s: float, strengths: dict[str, float], text: str) -> None:
        self.kind = kind
        self.table = table
        """The table's name, ``all``, or empty: the first on which it can be done."""
        self.since_s = since_s
        self.strengths = strengths
        self.text = text
        """As it was written."""

    def tables(self, plans: Sequence[tuple[str, TableSetup]]) -> list[str]:
        """The tables, of those of a floor (name, setup), at which it is done. Raises `CheatError` for none."""
        able = [name for name, setup in plans if self.kind.fits(setup)]
        if self.table == "all":
            found = able
        elif self.table:
            found = [name for name in able if name == self.table]
        else:
            found = able[:1]
        if not found:
            where = f"at table {self.table}" if self.table not in ("", "all") else "at any table of this floor"
            raise CheatError(f"cheat {self.text}: it cannot be done {where} (games: {', '.join(self.kind.games())})")
        return found

    def at(self, table: str, seed: str) -> Cheat:
        """The cheat at one table during one gaming day; ``seed``: of its chance."""
        return self.kind(self.since_s, self.strengths, f"{seed}/{table}/{self.text}", self.text)


def parse(text: str) -> Wanted:
    """The cheat that ``text`` asks for.

    Raises:
        CheatError: there is no such cheat or parameter, or a value is out of bounds.

    >>> parse("loaded-dice:face=6,heavier=0.3,from=2h").since_s
    7200.0
    """
    name, _, rest = text.partition(":")
    kind = CHEATS.get(name)
    if kind is None:
        raise CheatError(f"cheat {name}: there is no such cheat (there are: {', '.join(CHEATS)})")
    table, since_s = "", 0.0
    strengths = {parameter: default for parameter, (default, _, _) in kind.parameters.items()}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if key == "table" and value:
            table = value
        elif key == "from":
            since_s = _seconds(text, value)
        elif key in strengths and equals:
            strengths[key] = _strength(text, key, value, kind.parameters[key])
        else:
            known = ", ".join([*kind.parameters, "from", "table"])
            raise CheatError(f"cheat {text}: {part}: not one of its parameters with a value (they are: {known})")
    return Wanted(kind, table, since_s, strengths, text)


def _seconds(text: str, value: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", value)
    if found is None:
        raise CheatError(f"cheat {text}: from={value}: not a time such as 2h, 90m or 30s")
    return float(found[1]) * _UNITS[found[2]]


def _strength(text: str, key: str, value: str, bounds: tuple[float, float, float]) -> float:
    _, low, high = bounds
    try:
        number = float(value)
    except ValueError:
        raise CheatError(f"cheat {text}: {key}={value}: not a number") from None
    if not low <= number <= high:
        raise CheatError(f"cheat {text}: {key} is {low:g} to {high:g}, not {value}")
    return number
