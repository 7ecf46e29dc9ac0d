"""The simulated triple blackjack table: an audit finds what was planted, and nothing else."""

from __future__ import annotations

import pytest

from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of


def test_an_honest_night_leads_to_no_finding() -> None:
    """Dealers and rules agree on every box, whichever of the three hands decides it."""
    comparison = audited(floor_of("triple_blackjack", tables=3, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int) -> None:
    """Boxes, calls, the three hands of the dealer, the shoe, the paying hand, the log itself."""
    floor = floor_of("triple_blackjack", tables=3, hours=3, seed=seed, fault_rate=0.6)
    comparison = audited(floor)

    assert comparison.planted > 60
    assert len(by_fault(floor.truth)) > 35
    assert comparison.missed == []
    assert comparison.invented == []
