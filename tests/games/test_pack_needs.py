"""What a game asks of its pack is checked when the pack is loaded: no pack that passes makes its game fail on a table.

Every key of every game's file is taken out, and every value changed into one of another kind. Either the pack is then
refused, with the file and the key, or each scenario of the game is judged under it without a fault of the program.
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from replay.cited import is_citation
from replay.events import Refusal
from replay.judging import Judging
from replay.packs import PACK_FILE, Packs
from replay.rules import RuleError
from replay.scenario import Scenario
from streams.scenarios import read_scenario
from tests.installed import PACKS
from tests.toml_text import toml_text

SCENARIOS: Final = Path(__file__).parent.parent / "scenarios"
IN_A_TURN: Final = 3
"""So many scenarios at most are played under one altered pack: all of them take a minute."""
OWN: Final = [
    (name, file.removesuffix(".toml"))
    for name in PACKS.names
    for file in sorted(PACKS.files[name])
    if file != PACK_FILE
]


@cache
def _all() -> tuple[Scenario, ...]:
    return tuple(read_scenario(path) for path in sorted(SCENARIOS.rglob("*.yaml")))


@cache
def scenarios(pack: str, game: str) -> tuple[Scenario, ...]:
    """The game's scenarios that are played under this pack, whichever folder they are in."""
    return tuple(one for one in _all() if (one.events[0].rules, one.events[0].game) == (pack, game))


def places(data: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where something stands: the keys of all tables, and the first ones in lists. What is in a citation
    `tests.replay.test_cited` looks at."""
    items = data.items() if isinstance(data, dict) else enumerate(data[:2]) if isinstance(data, list) else ()
    for key, value in items:
        yield (*above, key)
        if not is_citation(value):
            yield from places(value, (*above, key))


def without(data: dict[str, Any], place: tuple[str | int, ...]) -> dict[str, Any]:
    found: Any = copy.deepcopy(data)
    inner = found
    for key in place[:-1]:
        inner = inner[key]
    del inner[place[-1]]
    made: dict[str, Any] = found
    return made


def changed(data: dict[str, Any], place: tuple[str | int, ...]) -> dict[str, Any]:
    """A value of another kind: a text where there was a number or a table, a number where there was a text."""
    found: Any = copy.deepcopy(data)
    inner = found
    for key in place[:-1]:
        inner = inner[key]
    value = inner[place[-1]]
    inner[place[-1]] = 7 if isinstance(value, str | bool) else "seven"
    made: dict[str, Any] = found
    return made


def problems_or_faults(
    pack: str, game: str, data: dict[str, Any], turn: int | None = None
) -> tuple[list[str], list[str]]:
    """What is wrong with the pack; or, where nothing is, which scenarios fail under it, and how; of many,
    some each ``turn``, others the next."""
    played = scenarios(pack, game)
    every = 1 if turn is None else -(-len(played) // IN_A_TURN)
    file = f"{game}.toml"
    texts = {
        name: {one: files[one] for one in (PACK_FILE, file) if one in files} for name, files in PACKS.files.items()
    }
    texts[pack][file] = toml_text(data).encode()
    packs = Packs(texts)
    problems = [str(problem) for problem in packs.problems([pack])]
    faults = []
    if not problems:
        for scenario in played[(turn or 0) % every :: every]:
            try:
                scenario.settle(Judging(packs=packs))
            except (Refusal, RuleError):
                continue  # told in one line: the table is opened with an option that is not there any more
            except Exception as error:
                faults.append(f"{scenario.name}: {type(error).__name__}: {error}")
    return problems, faults


@pytest.mark.parametrize(("pack", "game"), OWN)
def test_no_key_can_be_missing_or_of_another_kind_unseen(pack, game):
    data = tomllib.loads(PACKS.files[pack][f"{game}.toml"].decode())
    assert problems_or_faults(pack, game, data) == ([], [])
    assert scenarios(pack, game)

    failing = []
    for turn, place in enumerate(places(data)):
        for alter in (without, changed):
            problems, faults = problems_or_faults(pack, game, alter(data, place), turn)
            failing += [f"{alter.__name__} {'.'.join(map(str, place))}: {fault}" for fault in faults]
            assert all(problem.startswith(f"{pack}/{game}.toml: ") for problem in problems), problems

    assert failing == []


def test_what_is_wrong_is_told_at_once_with_file_key_and_the_nearest_name():
    data = tomllib.loads(PACKS.files["AD-2025"]["boule.toml"].decode())
    del data["bowl"]["red"]
    data["wagers"]["rad"] = data["wagers"].pop("black")
    data["limits"]["straight_up"]["least_multiple"] = "forty"
    data["bowl"]["rde"] = [1]

    problems, _ = problems_or_faults("AD-2025", "boule", data)

    assert problems[0].startswith("AD-2025/boule.toml: bowl.red: is missing")
    assert any("bowl.rde: no such key; did you mean red?" in problem for problem in problems)
    assert any("limits.straight_up.least_multiple: " in problem and "'forty'" in problem for problem in problems)


def test_a_wager_that_the_game_does_not_know_is_refused_with_the_nearest_name():
    data = tomllib.loads(PACKS.files["AD-2025"]["boule.toml"].decode())
    data["wagers"]["rad"] = data["wagers"].pop("red")

    problems, _ = problems_or_faults("AD-2025", "boule", data)

    assert len(problems) == 1
    assert "wagers.rad: boule knows no such wager; did you mean red?" in problems[0]


def test_a_pack_file_that_is_missing_is_named():
    texts = {name: dict(PACKS.files[name]) for name in PACKS.names}
    del texts["MO-1985"][PACK_FILE]

    with pytest.raises(RuleError, match=r"^MO-1985/pack\.toml: is missing"):
        Packs(texts)
