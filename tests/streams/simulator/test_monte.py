"""The simulated monte table: what its dealers make of a card, and that an audit finds what was planted."""

from __future__ import annotations

from datetime import date

import pytest

from streams.simulator.floor import Floor
from streams.simulator.games.monte import MonteTable
from streams.simulator.players import Stake
from streams.simulator.truth import by_fault
from tests.streams.simulator.nights import audited, floor_of


def table_with(layout: dict[int, list[str]], burnt: list[str]) -> MonteTable:
    """A table where these cards lie."""
    floor = Floor(tables=1, hours=1, seed=1, first_day=date(2026, 11, 7), only=["monte"])
    table = floor.table(floor.plans[0], floor.days[0])
    assert isinstance(table, MonteTable)
    table.places, table.burnt, table.seen = layout, burnt, [card for cards in layout.values() for card in cards] + burnt
    return table


def test_the_dealers_know_what_a_card_decides() -> None:
    """The five of copes on a layout whose five of oros is doubled: place 1 wins, and its camo."""
    table = table_with({1: ["5O", "5B"], 2: ["RC"], 3: ["2E"], 4: ["SB"]}, ["7O", "7C"])
    times = {
        (wager, pick): table._times(Stake("b1", 1, wager, 500, pick, None), "5C", 1, 1)
        for wager, pick in (
            ("camo", 1), ("viudo", 1), ("camo", 2), ("pot", 1), ("pot", 3), ("card_vs_card", "1v3"),
            ("card_vs_card", "2v1"), ("card_vs_card", "4v2"), ("card_vs_card", "3v4"), ("pair_vs_pair", "24v13"),
        )
    }  # fmt: skip

    assert list(times.values()) == [10, -1, -1, 3, -1, 1, -1, 0, None, -1]
    assert not table._can_win("anti", 1)
    assert table._can_win("viudo", 1)


def test_an_honest_night_leads_to_no_finding() -> None:
    """Dealers and rules agree on layouts, both phases, the door, void plays."""
    comparison = audited(floor_of("monte", tables=2, hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int) -> None:
    """Stakes of both phases, layouts, draws, the door, the points, the paying hand, the log itself; a card that nobody
    could read leads to none."""
    floor = floor_of("monte", tables=2, hours=4, seed=seed, fault_rate=0.8)
    comparison = audited(floor)

    assert len(by_fault(floor.truth)) > 45
    assert comparison.missed == []
    assert comparison.invented == []
