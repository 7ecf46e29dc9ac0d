"""The simulated circle poker tables: an audit finds what was planted there, and nothing else."""

from __future__ import annotations

import pytest

from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of


def test_an_honest_night_leads_to_no_finding():
    """Hold'em, Omaha high-low, draw with 32 cards and stud; a percentage of the pots and a fee per time."""
    comparison = audited(floor_of("circle_poker", tables=4, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int):
    """Turns, sizes of bets, the deal, side pots, the rake, the paying hand, the log itself."""
    floor = floor_of("circle_poker", tables=4, hours=3, seed=seed, fault_rate=0.7)
    comparison = audited(floor)

    assert len(by_fault(floor.truth)) > 35
    assert comparison.missed == []
    assert comparison.invented == []
