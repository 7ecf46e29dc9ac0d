"""A floor on which nobody cheats and nearly everything is odd.

Dice are reported in order of size and exchanged; some tables are dead, with customers every 200 to 600 seconds; dealers
err in one of 500 bets, and eight of ten underpayments are put right; errors lie in the bets of the one who plays
highest; some double after each loss, some are whales; half of the shoes are dealt by continuous shufflers where the
rules have them. Players leave early and shooters throw once by the simulator's own chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from random import Random

from replay.audit import Auditor
from replay.results import Finding, Kind
from replay.streaks.watch import WatchSettings
from streams.simulator.cheating import Cheating
from streams.simulator.floor import Floor, TablePlan
from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSimulator
from tests.installed import judged

DAY = date(2026, 11, 1)
LEVEL = Fraction(1, 100)


class Odd(Cheating):
    """What is odd at one table; asked where cheats are asked."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        self.dead = self.random.random() < 0.3
        self.had: dict[str, tuple[int, int]] = {}
        """By player: chips before his last stake, and that stake."""

    def round_begins(self, table: TableSimulator) -> None:
        """Nobody comes for a while."""
        if self.dead:
            table.wait(200, 600)

    def thrown(self, table: TableSimulator, dice: list[int], shooter: int, point: int) -> list[int]:
        """In order of size."""
        return sorted(dice)

    def stake(self, table: TableSimulator, player: Player, amount: int) -> int:
        """A third doubles after each loss, a tenth are whales."""
        kind = int(player.name[1:4], 16) % 30
        before, last = self.had.get(player.name, (player.bankroll, 0))
        if kind < 10 and last and player.bankroll < before:
            amount = 2 * last
        elif kind >= 27:
            amount *= 20
        amount = max(table.minimum, min(amount, table.maximum, player.bankroll))
        self.had[player.name] = player.bankroll, amount
        return amount

    def handed(self, table: TableSimulator, stake: Stake, paid: int, returned: int) -> tuple[int, int]:
        """Errors, more of them in high stakes, either way alike; most of those against players are put right."""
        high = stake.amount >= 5 * table.minimum
        if not paid or self.random.random() >= (1 / 300 if high else 1 / 1000):
            return paid, returned
        unit = table.setup.chip_unit
        if self.random.random() < 0.5:
            return paid + unit, returned
        return (paid, returned) if self.random.random() < 0.8 else (paid - unit, returned)


class OddFloor(Floor):
    """Nobody cheats."""

    def table(self, plan: TablePlan, day: date) -> TableSimulator:
        """See `Floor.table`."""
        table = super().table(plan, day)
        table.cheats = (Odd(f"{self.seed}/{plan.name}"),)
        return table


def false_alarms(kind: type[Floor], seeds: range, *, tables: int, hours: float) -> Iterator[tuple[int, list[Finding]]]:
    """Nights by their seeds, with the alarms of each; the floor is watched as one of so many tables."""
    for seed in seeds:
        auditor = Auditor(judged(watching=WatchSettings(LEVEL, tables)))
        alarms: list[Finding] = []
        for place, line in enumerate(kind(tables=tables, hours=hours, seed=seed, first_day=DAY).lines(), 1):
            auditor.feed(line, "floor", place)
            if place % 5_000 == 0:
                alarms += _alarms(auditor.drain())
        alarms += _alarms(auditor.finish())
        yield seed, alarms


def _alarms(rows: Sequence[object]) -> list[Finding]:
    return [row for row in rows if isinstance(row, Finding) and row.kind is Kind.STREAK]
