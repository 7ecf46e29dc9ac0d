"""Cheats with chips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from streams.simulator.cheats.cheat import Cheat
from streams.simulator.players import Stake
from streams.simulator.truth import Expected, Planted

if TYPE_CHECKING:
    from streams.simulator.table import TableSimulator

DEALER = "d40"
"""Nobody else on a simulated floor has this name."""


class ColludingDealer(Cheat):
    """A dealer who deals nearly always at this table, and gives one player's lost stakes back in the share ``errs`` of
    them. Each of these errors is a finding of its own too."""

    name = "colluding-dealer"
    parameters: ClassVar = {"errs": (0.1, 0, 1)}
    has_player = True

    def dealer(self, table: TableSimulator, dealer: str) -> str:
        """See `Cheating.dealer`."""
        return DEALER if self.begun and self.random.random() < 0.9 else dealer

    def handed(self, table: TableSimulator, stake: Stake, paid: int, returned: int) -> tuple[int, int]:
        """See `Cheating.handed`."""
        lost = paid + returned == 0 and stake.amount > 0
        if not (lost and self.is_mine(stake) and table.dealing == DEALER and table.watched):
            return paid, returned
        if self.random.random() >= self.strengths["errs"]:
            return paid, returned
        expected = Expected(code="overpaid", bet=stake.id, amount=stake.amount)
        table.truth.append(
            Planted(
                session=table.session,
                round=table.round,
                fault=f"cheat {self.name}",
                expected=(expected,),
                win=-stake.amount,
            )
        )
        return 0, stake.amount


class PastPoster(Cheat):
    """A player who, in the share ``knows`` of rounds, lays ``units`` times the minimum as the last before the call,
    when the outcome can already be seen (the call comes late); in the others on anything."""

    name = "past-poster"
    parameters: ClassVar = {"knows": (0.3, 0, 1), "units": (5, 1, 1000)}
    has_player = True

    def before_call(self, table: TableSimulator) -> list[Stake]:
        """See `Cheating.before_call`."""
        player = self.player
        if player is None or player not in table.players:
            return []
        outcome: Any = (
            table.foresee() if self.random.random() < self.strengths["knows"] else table.imagined(self.random)
        )
        amount = min(int(table.minimum * self.strengths["units"]), table.maximum)
        table.wait(0.1, 0.3)
        stake = table.lay(player, table.even_chance(outcome), amount, named=True)
        return [] if stake is None else [stake]
