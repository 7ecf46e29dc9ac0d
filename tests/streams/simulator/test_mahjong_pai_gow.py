"""The simulated mahjong pai gow table: its dealers' order of hands, and that an audit finds what was planted."""

from __future__ import annotations

from itertools import combinations

import pytest

from streams.simulator.games.mahjong_pai_gow import _SET, _rank
from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of


def test_the_dealers_know_the_hands() -> None:
    """Of 780 pairs of tiles: the best of each kind, and how many hands there are of it."""
    hands = sorted((list(pair) for pair in combinations(_SET, 2)), key=_rank, reverse=True)

    assert hands[0] == [10, 10]
    assert sum(_rank(hand) >= 1000 for hand in hands) == 10 * 6
    assert sum(_rank(hand) == 500 for hand in hands) == 4 * 4
    assert len({_rank(hand) for hand in hands}) == 55
    assert _rank([9, 10]) > _rank([1, 8]) > _rank([7, 2]) > _rank([3, 6]) > _rank([5, 4]) > _rank([10, 8])
    assert _rank([9, 1]) > _rank([3, 7]) > _rank([6, 4])


def test_an_honest_night_leads_to_no_finding() -> None:
    """Dealers and rules agree over sets, void throws and both sides of the bank."""
    comparison = audited(floor_of("mahjong_pai_gow", tables=3, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int) -> None:
    """Stakes, dice, tiles, the set, the paying hand, the log itself."""
    floor = floor_of("mahjong_pai_gow", tables=3, hours=3, seed=seed, fault_rate=0.7)
    comparison = audited(floor)

    assert len(by_fault(floor.truth)) > 40
    assert comparison.missed == []
    assert comparison.invented == []
