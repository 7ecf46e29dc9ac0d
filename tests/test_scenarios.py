"""Every scenario under ``tests/scenarios``: one hand, throw or coup, and what the rules make of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from replay.scenario import ExpectedFinding, ExpectedMoney
from streams.scenarios import read_scenario
from tests.installed import JUDGING

FOLDER: Final = Path(__file__).parent / "scenarios"


@pytest.mark.parametrize("name", sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.yaml")))
def test_scenario(name: str):
    outcome = read_scenario(FOLDER / name).settle(JUDGING)

    assert outcome.mismatches == []


def test_an_expectation_that_is_not_met_is_seen():
    """Without this, a comparison that finds nothing would pass every scenario."""
    scenario = read_scenario(FOLDER / "boule" / "01-number-pays-seven.yaml")
    assert scenario.expect is not None
    expected = scenario.expect.settlements["n7"]
    assert isinstance(expected, ExpectedMoney)
    expected.paid = 8000
    scenario.expect.findings = [ExpectedFinding(code="late_bet", bet="n2")]

    assert len(scenario.settle(JUDGING).mismatches) == 2
