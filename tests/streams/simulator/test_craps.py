"""The simulated craps table: what its dealers know by heart, and that an audit finds what was planted, no more."""

from __future__ import annotations

import pytest

from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of, under


def test_an_honest_night_leads_to_no_finding():
    """The dealers' arithmetic and the rules agree on every bet of three regulations."""
    comparison = audited(floor_of("craps", tables=4, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int):
    """Late, forbidden, oversized and unoffered bets, dice and throws, the paying hand, the log itself."""
    floor = floor_of("craps", tables=4, hours=3, seed=seed, fault_rate=0.6)
    comparison = audited(floor)

    assert comparison.planted > 80
    assert len(by_fault(floor.truth)) > 30
    assert comparison.missed == []
    assert comparison.invented == []


def test_the_same_seed_gives_the_same_bytes():
    """Chance comes from the seed alone."""
    nights = [list(floor_of("craps", tables=4, hours=1, seed=5, fault_rate=0.3).lines()) for _ in range(2)]

    assert nights[0] == nights[1]


@pytest.mark.parametrize(("seed", "fault_rate"), [(1, 0.0), (2, 0.6)])
def test_new_jersey_is_played_and_paid_by_its_own_rules(monkeypatch, seed: int, fault_rate: float):
    """Bought and laid bets with their vigorish, calls, combined wagers, hops, the fire bet, stakes that can be paid."""
    under(monkeypatch, "craps", "US-NJ")
    floor = floor_of("craps", tables=3, hours=3, seed=seed, fault_rate=fault_rate)
    comparison = audited(floor)

    assert (comparison.planted > 80) == bool(fault_rate)
    assert (comparison.missed, comparison.invented) == ([], [])
