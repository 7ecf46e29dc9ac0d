"""What a game's module on the simulated floor exposes, and what it must not ask."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from streams.simulator import games


@pytest.mark.parametrize("game", games.names())
def test_each_way_in_which_a_table_is_opened_is_of_its_game(game: str) -> None:
    assert {setup.game for setup in games.setups(game)} == {game}


def test_each_game_has_two_capitals_of_its_own_for_its_tables() -> None:
    codes = [games.simulator(game).code for game in games.names()]

    assert [code for code in codes if not re.fullmatch("[A-Z]{2}", code)] == []
    assert len(set(codes)) == len(codes)


def asks_for_the_pack(source: str) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr == "rules" for node in ast.walk(ast.parse(source)))


def test_no_game_asks_under_which_pack_it_is_played() -> None:
    """What differs between regulations hangs on data: on a table's options, and on what its dealers have learned."""
    modules = sorted(path for folder in games.__path__ for path in Path(folder).glob("*.py"))

    assert asks_for_the_pack("if self.setup.rules == 'MO-1985': pass")
    assert len(modules) > len(games.names())
    assert [path.name for path in modules if asks_for_the_pack(path.read_text("utf-8"))] == []
