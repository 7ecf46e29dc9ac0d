"""The simulated pai gow poker table: its dealers' house way, and that an audit finds what was planted."""

from __future__ import annotations

import random

import pytest

from replay.games._foxwoods import foxwoods, high_rank, low_rank, without
from replay.hands import pai_gow
from streams.simulator.games.pai_gow_poker import _DECK, _house_way, _splits, _straights
from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of


@pytest.mark.parametrize("wheel", ["second", "low"])
def test_the_dealers_and_the_rules_know_the_same_house_way(wheel: str) -> None:
    """Written down twice, once by choosing among the 21 ways to divide a hand, once by naming the two cards."""
    dealt = random.Random(wheel)
    pack, ranking, straights = [*_DECK, "XX"], pai_gow(wheel), _straights(wheel)
    for _ in range(1500):
        cards = dealt.sample(pack, 7)
        if dealt.random() < 0.5 and "XX" not in cards:
            cards[0] = "XX"
        splits = _splits(cards, straights)
        mine = _house_way(cards, splits)
        rules = next(split for split in splits if set(split.front) == set(foxwoods(cards, ranking)))

        assert (mine.low, mine.high) == (rules.low, rules.high), cards


def test_the_dealers_and_the_rules_rank_hands_in_the_same_order() -> None:
    dealt = random.Random(5)
    pack, ranking, straights = [*_DECK, "XX"], pai_gow("second"), _straights("second")
    lows, highs = [], []
    for _ in range(60):
        cards = dealt.sample(pack, 7)
        for split in _splits(cards, straights):
            lows.append((split.low, low_rank(split.front)))
            highs.append((split.high, high_rank(ranking, without(cards, split.front))))

    for pairs in (lows, highs):
        mine, rules = zip(*sorted(pairs), strict=True)
        assert list(rules) == sorted(rules)
        assert len(set(mine)) == len(set(rules)) == len(set(pairs))


def test_an_honest_night_leads_to_no_finding() -> None:
    """Dealers and rules agree on every hand, every commission and every player's bank."""
    comparison = audited(floor_of("pai_gow_poker", tables=3, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int) -> None:
    """Stakes, banks, dice, hands, the way they are set, the paying hand, the log itself."""
    floor = floor_of("pai_gow_poker", tables=3, hours=2, seed=seed, fault_rate=0.6)
    comparison = audited(floor)

    assert comparison.planted > 60
    assert len(by_fault(floor.truth)) > 35
    assert comparison.missed == []
    assert comparison.invented == []
