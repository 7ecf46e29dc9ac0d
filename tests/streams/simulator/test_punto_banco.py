"""The simulated punto banco table: its dealers' tables of third cards, and that an audit finds what was planted."""

from __future__ import annotations

import pytest

from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of, under


def test_an_honest_night_leads_to_no_finding():
    """Both payments of the bank, back-bettors, multiples: dealers and rules agree on every coup."""
    comparison = audited(floor_of("punto_banco", tables=3, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int):
    """Stakes, dealing, third cards, the shoe, the paying hand, the log itself."""
    floor = floor_of("punto_banco", tables=3, hours=2.5, seed=seed, fault_rate=0.6)
    comparison = audited(floor)

    assert comparison.planted > 60
    assert len(by_fault(floor.truth)) > 30
    assert comparison.missed == []
    assert comparison.invented == []


@pytest.mark.parametrize(("seed", "fault_rate"), [(1, 0.0), (2, 0.6)])
def test_new_jersey_and_macau_are_played_and_paid_by_their_own_rules(monkeypatch, seed: int, fault_rate: float):
    """Side bets, commission collected later, shoes of six to eight packs, cards burned as the house says."""
    under(monkeypatch, "punto_banco", "US-NJ", "MO-2004")
    floor = floor_of("punto_banco", tables=5, hours=3, seed=seed, fault_rate=fault_rate)
    comparison = audited(floor)

    assert (comparison.planted > 100) == bool(fault_rate)
    assert (comparison.missed, comparison.invented) == ([], [])
