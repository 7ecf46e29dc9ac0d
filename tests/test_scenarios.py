"""Every scenario under ``tests/scenarios``: one hand, throw or coup, and what the rules make of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from ruamel.yaml import YAML

from replay.scenario import Scenario

FOLDER: Final = Path(__file__).parent / "scenarios"


def parsed(path: Path) -> Any:
    """YAML 1.2: `no` is a word."""
    yaml = YAML(typ="safe")
    yaml.version = (1, 2)
    return yaml.load(path.read_text("utf-8"))


@pytest.mark.parametrize("name", sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.yaml")))
def test_scenario(name: str):
    outcome = Scenario.read(parsed(FOLDER / name)).settle()

    assert outcome.mismatches == []


def test_an_expectation_that_is_not_met_is_seen():
    """Without this, a comparison that finds nothing would pass every scenario."""
    data = parsed(FOLDER / "boule" / "01-number-pays-seven.yaml")
    data["expect"]["settlements"]["n7"]["paid"] = 8000
    data["expect"]["findings"] = [{"code": "late_bet", "bet": "n2"}]

    assert len(Scenario.read(data).settle().mismatches) == 2
