"""What the truth says about a hole in the log: the part of the win that the log does not tell any more."""

from __future__ import annotations

from datetime import date

import pytest

from streams.simulator.floor import Floor
from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSimulator


def seated() -> tuple[TableSimulator, list[Stake]]:
    """A table, and a player's two stakes of 500 and 700 on it."""
    floor = Floor(tables=1, hours=1, seed=1, first_day=date(2026, 11, 7), only=["boule"])
    table = floor.table(floor.plans[0], floor.days[0])
    player = Player("p", 1, 10_000, 500, 0.5, 10)
    stakes = [table.lay(player, "red", amount) for amount in (500, 700)]
    return table, [stake for stake in stakes if stake is not None]


def test_a_stake_whose_laying_is_lost_is_hidden() -> None:
    table, _ = seated()
    lines = table.gateway.take()
    table.wrongs.tamper("missing", lines, table.gateway.seq)

    assert [wrong.hidden for wrong in table.truth] == [700]


@pytest.mark.parametrize("before", [True, False])
def test_a_stake_whose_laying_is_lost_and_that_is_taken_back_whole_hides_nothing(before: bool) -> None:
    """Its return is told without a sum, and nobody knows of the stake: nothing came and nothing went."""
    table, stakes = seated()
    lines = table.gateway.take()
    if before:
        table.withdraw(stakes[1])
    table.wrongs.tamper("missing", lines, table.gateway.seq)
    if not before:
        table.withdraw(stakes[1])

    assert [wrong.hidden for wrong in table.truth] == [0]


def test_a_stake_of_an_earlier_round_whose_return_is_lost_is_hidden() -> None:
    """By the log it lies there still."""
    table, stakes = seated()
    table.gateway.take()
    table.withdraw(stakes[0])
    table.withdraw(stakes[1])
    lines = table.gateway.take()
    table.wrongs.tamper("missing", lines, table.gateway.seq)

    assert [wrong.hidden for wrong in table.truth] == [-700]
