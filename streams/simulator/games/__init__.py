"""How each game is played on the simulated floor, one module a game, found by its name.

A module exposes two names. ``SIMULATOR`` is a subclass of `TableSimulator`, whose docstring says what it sets, what it
overrides and how long a round lasts. ``SETUPS`` is a tuple of `TableSetup`, the ways in which such a table may be
opened: the floor takes them in turn, so that together they should show each option that changes the play. The module of
another distribution is found by its entry point of the group ``retally.simulators``, whose name is the game's.
"""

from __future__ import annotations

import pkgutil
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Final

from replay.errors import RetallyError, told
from replay.law import nearest
from streams.simulator.table import TableSetup, TableSimulator

GROUP: Final = "retally.simulators"


class UnknownGame(RetallyError):
    """A game that the floor cannot play: one clear line."""


@cache
def names() -> tuple[str, ...]:
    """The games that the floor can play: retally's own, and those of other distributions."""
    return tuple(sorted({*_own_names(), *_from_outside()}))


@cache
def simulator(game: str) -> type[TableSimulator]:
    """How this game is played; raises `UnknownGame` for one that the floor cannot play."""
    found: type[TableSimulator] = _module_of(game).SIMULATOR
    return found


@cache
def setups(game: str) -> tuple[TableSetup, ...]:
    """The ways in which a table of this game is opened on the floor; raises `UnknownGame`."""
    found: tuple[TableSetup, ...] = _module_of(game).SETUPS
    return found


@contextmanager
def played_by(game: str) -> Iterator[None]:
    """Where the simulator of another distribution fails, it is told in one line whose, and where: raises
    `UnknownGame`. One of ours fails as it does."""
    try:
        yield
    except RetallyError:
        raise
    except Exception as error:
        entry = _from_outside().get(game)
        if entry is None:
            raise
        at = traceback.extract_tb(error.__traceback__)[-1]
        raise UnknownGame(f"{_named(entry)} fails: {told(error)} ({at.filename}, line {at.lineno})") from error


@cache
def _own_names() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(__path__) if module.name[0] != "_")


@cache
def _from_outside() -> dict[str, EntryPoint]:
    """Simulators that other distributions bring, by game; none of them takes the place of one of ours."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in _own_names()}


@cache
def _module_of(game: str) -> ModuleType:
    if game in _own_names():
        return import_module(f"streams.simulator.games.{game}")
    entry = _from_outside().get(game)
    if entry is None:
        raise UnknownGame(f"the floor does not play {game} (it plays: {', '.join(names())}){nearest(game, names())}")
    try:
        found: ModuleType = entry.load()
        problem = _problem(game, found)
    except Exception as error:
        raise UnknownGame(f"{_named(entry)} cannot be used: {told(error)}") from error
    if problem:
        raise UnknownGame(f"{_named(entry)} cannot be used: {problem}")
    return found


def _problem(game: str, module: ModuleType) -> str:
    """What is wrong with a simulator's module; empty: nothing. Raises whatever it does where a name is missing."""
    found, ways = module.SIMULATOR, module.SETUPS
    if not (isinstance(found, type) and issubclass(found, TableSimulator)):
        return "its SIMULATOR is no TableSimulator"
    if not re.fullmatch("[A-Z]{2}", found.code):
        return f"its code is {found.code!r}; two capitals are wanted"
    if not (isinstance(ways, tuple) and ways and all(isinstance(way, TableSetup) for way in ways)):
        return "its SETUPS are no tuple of TableSetup"
    others = {way.game for way in ways} - {game}
    return f"one of its SETUPS is of {min(others)}" if others else ""


def _named(entry: EntryPoint) -> str:
    return f"the simulator of {entry.name} ({GROUP}: {entry.value})"
