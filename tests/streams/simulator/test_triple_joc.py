"""The simulated triple joc table: what its dealers pay for poker, and that an audit finds what was planted."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from replay.cards import FRENCH_DECK
from streams.simulator.games.triple_joc import _pays
from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of


def test_the_dealers_know_the_table() -> None:
    """Hands of five spades, and of a deck of five ranks: counted by hand."""
    spades = Counter(map(_pays, combinations([card for card in FRENCH_DECK if card[1] == "S"], 5)))
    high = Counter(map(_pays, combinations([card for card in FRENCH_DECK if card[0] in "AKQJT"], 5)))

    assert spades == {100: 1, 25: 9, 5: 1277}
    assert high == {
        100: 4, 4: 4**5 - 4, 10: 5 * 16, 6: 5 * 4 * 4 * 6, 3: 5 * 4 * 6 * 16, 2: 10 * 36 * 12,
        1: 3 * 6 * 4 * 64, 0: 2 * 6 * 4 * 64,
    }  # fmt: skip


def test_an_honest_night_leads_to_no_finding() -> None:
    """Dealers and rules agree on war, blackjack and poker."""
    comparison = audited(floor_of("triple_joc", tables=2, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int) -> None:
    """Stakes, calls, the cards of three games, exposed cards, the paying hand, the log itself."""
    floor = floor_of("triple_joc", tables=3, hours=3, seed=seed, fault_rate=0.8)
    comparison = audited(floor)

    assert comparison.planted > 50
    assert len(by_fault(floor.truth)) > 30
    assert comparison.missed == []
    assert comparison.invented == []
