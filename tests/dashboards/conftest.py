"""A night with games from outside, in a store."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from replay import games
from tests.dashboards import wheels


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    """Another distribution brings the games of `wheels`; their modules by name."""
    brought, module_of = wheels.modules(), games.module_of
    names = tuple(sorted({*games.names(), *brought}))
    monkeypatch.setattr(games, "names", lambda: names)
    monkeypatch.setattr(games, "module_of", lambda game: brought[game] if game in brought else module_of(game))
    return brought


@pytest.fixture
def where(outside: dict[str, ModuleType], tmp_path: Path) -> str:
    """The address of a store that holds the night of `wheels`."""
    address = str(tmp_path / "store")
    wheels.store_night(address, wheels.packs())
    return address
