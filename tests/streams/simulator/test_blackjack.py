"""The simulated blackjack table: its dealers' arithmetic, and that an audit finds what was planted, no more."""

from __future__ import annotations

import pytest

from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of


def test_an_honest_night_leads_to_no_finding():
    """A shoe, a shuffler, a progressive; splits, doubles, backers, insurance: dealers and rules agree on every bet."""
    comparison = audited(floor_of("blackjack", tables=3, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int):
    """Stakes, dealing, decisions, the dealer's own play, the paying hand, the log itself."""
    floor = floor_of("blackjack", tables=3, hours=3, seed=seed, fault_rate=0.6)
    comparison = audited(floor)

    assert comparison.planted > 70
    assert len(by_fault(floor.truth)) > 40
    assert comparison.missed == []
    assert comparison.invented == []
