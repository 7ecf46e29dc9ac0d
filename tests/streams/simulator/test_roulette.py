"""The simulated roulette table: an audit finds what was planted there, and nothing else."""

from __future__ import annotations

import pytest

from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of


def test_an_honest_night_leads_to_no_finding():
    """On both wheels: half at once, partage, prison over spins, spins that are void, the last spins."""
    comparison = audited(floor_of("roulette", tables=5, hours=4, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int):
    """Stakes, the ball, prison, the log itself."""
    floor = floor_of("roulette", tables=5, hours=4, seed=seed, fault_rate=0.6)
    comparison = audited(floor)

    assert len(by_fault(floor.truth)) > 30
    assert comparison.missed == []
    assert comparison.invented == []
