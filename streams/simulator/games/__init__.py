"""How each game is played on the simulated floor, one module a game, found by its name.

A module exposes two names. ``SIMULATOR`` is a subclass of `TableSimulator`, whose docstring says what it sets, what it
overrides and how long a round lasts. ``SETUPS`` is a tuple of `TableSetup`, the ways in which such a table may be
opened: the floor takes them in turn, so that together they should show each option that changes the play.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from replay.errors import RetallyError
from streams.simulator.table import TableSetup, TableSimulator


class UnknownGame(RetallyError):
    """A game that the floor cannot play."""


@cache
def names() -> tuple[str, ...]:
    """The games that the floor can play."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@cache
def simulator(game: str) -> type[TableSimulator]:
    """How this game is played; raises `UnknownGame` for one that the floor cannot play."""
    if game not in names():
        raise UnknownGame(f"the floor does not play {game} (it plays: {', '.join(names())})")
    found: type[TableSimulator] = import_module(f"streams.simulator.games.{game}").SIMULATOR
    return found


@cache
def setups(game: str) -> tuple[TableSetup, ...]:
    """The ways in which a table of this game is opened on the floor."""
    simulator(game)
    found: tuple[TableSetup, ...] = import_module(f"streams.simulator.games.{game}").SETUPS
    return found
