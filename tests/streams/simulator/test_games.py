"""What a game's module on the simulated floor exposes, and what it must not ask."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from streams.simulator import games

ROOT = Path(__file__).parent.parent.parent.parent


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


BROKEN = {
    "no_module": ("", "ModuleNotFoundError: No module named 'broken_no_module'"),
    "no_name": ("", "AttributeError: module 'broken_no_name' has no attribute 'SIMULATOR'"),
    "raises": ("raise OSError('no\\n  disk')", "OSError: no disk"),
    "no_simulator": ("SIMULATOR = dict\nSETUPS = ()", "its SIMULATOR is no TableSimulator"),
    "no_code": ("class SIMULATOR(TableSimulator):\n    code = 'bx1'\nSETUPS = ()", "its code is 'bx1'; two capitals"),
    "no_setups": ("class SIMULATOR(TableSimulator):\n    code = 'BX'\nSETUPS = ()", "its SETUPS are no tuple of Table"),
    "other_game": (
        "class SIMULATOR(TableSimulator):\n    code = 'BX'\n"
        "SETUPS = (TableSetup(game='ludo', rules='AD', limits={'min': 100}),)",
        "one of its SETUPS is of ludo",
    ),
    "same_code": (
        "class SIMULATOR(TableSimulator):\n    code = 'BO'\n"
        "SETUPS = (TableSetup(game='same_code', rules='AD', limits={'min': 100}),)",
        "boule and same_code: tables of both are called BO; play one (--game)",
    ),
    "fails": (
        "class SIMULATOR(TableSimulator):\n    code = 'BX'\n    def play_round(self):\n        1 // 0\n"
        "SETUPS = (TableSetup(game='fails', rules='AD', limits={'min': 100}),)",
        "fails: ZeroDivisionError: integer division or modulo by zero (",
    ),
}
"""Modules of simulators, by the game that they are of, and what is told of each."""
PLAYED = """
from datetime import date
from replay.errors import RetallyError
from streams.simulator import games
from streams.simulator.floor import Floor
assert set({games!r}) <= set(games.names())
for game in {games!r}:
    try:
        floor = Floor(tables=2, hours=0.1, seed=1, first_day=date(2026, 11, 7), only=['boule', game])
        list(floor.lines())
    except RetallyError as error:
        print(error)
"""


def test_a_simulator_of_another_distribution_that_cannot_be_used_is_told_in_one_line(tmp_path: Path) -> None:
    metadata = tmp_path / "broken-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    entries = "".join(f"{game} = broken_{game}\n" for game in BROKEN)
    (metadata / "entry_points.txt").write_text(f"[{games.GROUP}]\n{entries}boule = broken_no_name\n")
    for game, (text, _) in BROKEN.items():
        if game != "no_module":
            imports = "from streams.simulator.table import TableSetup, TableSimulator\n"
            (tmp_path / f"broken_{game}.py").write_text(imports + text)

    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    played = subprocess.run(
        [sys.executable, "-c", PLAYED.format(games=sorted(BROKEN))],
        env=environment, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip

    told = dict(zip(sorted(BROKEN), played.stdout.splitlines(), strict=True))
    assert {game: line for game, line in told.items() if BROKEN[game][1] not in line} == {}
    assert all(f"the simulator of {game} (retally.simulators: " in told[game] for game in BROKEN if game != "same_code")
