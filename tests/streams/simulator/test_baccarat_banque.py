"""The simulated baccarat banque table: two cloths and their banker, and that an audit finds what was planted."""

from __future__ import annotations

import pytest

from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of


def test_an_honest_night_leads_to_no_finding():
    """Limited and open banks, bancos, stakes on both cloths and on the line, free play: all of it is in order."""
    comparison = audited(floor_of("baccarat_banque", tables=3, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int):
    """The bank, stakes, words, cards, the house's part, the paying hand, the log itself."""
    floor = floor_of("baccarat_banque", tables=3, hours=3, seed=seed, fault_rate=0.6)
    comparison = audited(floor)

    assert comparison.planted > 60
    assert len(by_fault(floor.truth)) > 40
    assert comparison.missed == []
    assert comparison.invented == []
