"""A distribution whose game, packs or simulator cannot be used: that is told in one line, never in a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SIMULATORS = {
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
GAMES = {
    "no_module": ("", "ModuleNotFoundError: No module named 'broken_no_module'"),
    "raises": ("raise OSError('no\\n  disk')", "OSError: no disk"),
    "no_name": ("", "AttributeError: module 'broken_no_name' has no attribute 'GAME'"),
    "no_game": ("GAME = dict\n\ndef odds(rules):\n    return ()", "its GAME is no game"),
    "misspelt": (
        "class GAME(Game):\n    handles = ('ball_lands',)\n\ndef odds(rules):\n    return ()",
        "TypeError: GAME.handles: there is no ball_lands; did you mean ball_landed?",
    ),
}
"""The same of games."""
PLAY = """
from datetime import date
from replay.errors import RetallyError
from streams.simulator.floor import Floor
for game in {games!r}:
    try:
        list(Floor(tables=2, hours=0.1, seed=1, first_day=date(2026, 11, 7), only=['boule', game]).lines())
    except RetallyError as error:
        print(error)
"""
LOAD = """
from replay import games
from replay.rules import RuleError
for game in {games!r}:
    try:
        games.load(game)
    except RuleError as error:
        print(error)
"""
READ = """
from replay.packs import PackError
from replay.regulations import installed
for game in {games!r}:
    try:
        installed()
    except PackError as error:
        print(error)
"""


def said(folder: Path, group: str, modules: dict[str, str], imports: str, program: str) -> dict[str, str]:
    """What the program prints where a distribution brings these modules, by the name of their entry point."""
    metadata = folder / "broken-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    entries = "".join(f"{name} = broken_{name}\n" for name in modules)
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{entries}")
    for name, text in modules.items():
        if name != "no_module":
            (folder / f"broken_{name}.py").write_text(f"{imports}\n{text}\n")
    made = subprocess.run(
        [sys.executable, "-c", program.format(games=sorted(modules))],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return dict(zip(sorted(modules), made.stdout.splitlines(), strict=True))


def test_of_a_simulator_it_is_told_whose_it_is_and_what_is_wrong(tmp_path: Path) -> None:
    modules = {game: text for game, (text, _) in SIMULATORS.items()}
    imports = "from streams.simulator.table import TableSetup, TableSimulator"
    told = said(tmp_path, "retally.simulators", modules, imports, PLAY)

    assert {game: line for game, line in told.items() if SIMULATORS[game][1] not in line} == {}
    assert [game for game, line in told.items() if f"the simulator of {game} (retally.simulators: " not in line] == [
        "same_code"
    ]


def test_of_a_game_it_is_told_whose_it_is_and_what_is_wrong(tmp_path: Path) -> None:
    modules = {game: text for game, (text, _) in GAMES.items()}
    told = said(tmp_path, "retally.games", modules, "from replay.games import Game", LOAD)

    assert told == {
        game: f"game {game} (retally.games: broken_{game}) cannot be used: {line}" for game, (_, line) in GAMES.items()
    }


@pytest.mark.parametrize("group", ["retally.games", "retally.simulators"])
def test_none_takes_the_place_of_one_of_ours(tmp_path: Path, group: str) -> None:
    program = "from {} import games\nprint(games.{}('boule').__name__)  # {{games}}"
    package, name = ("replay", "load") if group == "retally.games" else ("streams.simulator", "simulator")
    ours = {"retally.games": "Boule", "retally.simulators": "BouleTable"}

    assert said(tmp_path, group, {"boule": "1 // 0"}, "", program.format(package, name)) == {"boule": ours[group]}


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("no_module", "", "ModuleNotFoundError: No module named 'broken_no_module'"),
        ("no_package", "", "TypeError: 'broken_no_package' is not a package"),
        ("raises", "1 // 0", "ZeroDivisionError: integer division or modulo by zero"),
    ],
)
def test_of_packs_it_is_told_whose_they_are_and_what_is_wrong(tmp_path: Path, name: str, text: str, line: str) -> None:
    told = said(tmp_path, "retally.packs", {name: text}, "", READ)

    assert told == {name: f"the rule packs of broken_{name} (retally.packs: {name}) cannot be read: {line}"}
