"""Boule on the simulated floor: a ball every minute or so."""

from __future__ import annotations

import random

from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup, TableSimulator
from streams.simulator.truth import Expected

_NUMBERS_OF = {
    "red": {2, 4, 7, 9},
    "black": {1, 3, 6, 8},
    "even": {2, 4, 6, 8},
    "odd": {1, 3, 7, 9},
    "high": {6, 7, 8, 9},
    "low": {1, 2, 3, 4},
}


class BouleTable(TableSimulator):
    """One boule table."""

    code = "BO"
    open_to = ("colluding-dealer", "past-poster")
    seats = 9
    faults = ("late_bet", "late_withdrawal", "below_minimum", "above_maximum", "wager_not_offered", "second_ball",
              "settled_too_early")  # fmt: skip

    def play_round(self) -> None:
        rng = self.random
        stakes: list[Stake] = []
        for player in self.players:
            self.wait(0.5, 3)
            stakes += self._bets_of(player)
        if self.chance("wager_not_offered"):
            wrong = self.lay_unasked(rng.randrange(1, 10), "dozen", self.minimum, pick=1)
            self.give_back(wrong)
            self.plant("wager_not_offered", Expected(code="wager_not_offered", bet=wrong.id))
        if self.chance("below_minimum"):
            seat, amount = rng.randrange(1, 10), self.minimum - self.setup.chip_unit
            stakes.append(self.accepted("below_minimum", "below_minimum", seat, "red", amount))
        if self.chance("above_maximum"):
            seat, amount = rng.randrange(1, 10), self.maximum + self.setup.chip_unit
            stakes.append(self.accepted("above_maximum", "above_maximum", seat, "low", amount))
        if len(stakes) > 1 and rng.random() < 0.05:
            back = stakes.pop(rng.randrange(len(stakes)))
            self.withdraw(back)
        self.wait(8, 15)
        for cheat in self.cheats:
            stakes += cheat.before_call(self)
        self.emit("bets_closed")
        number, self.foreseen = self.foresee(), 0
        if self.chance("late_bet"):
            late = self.lay_unasked(rng.randrange(1, 10), "straight_up", self.minimum, pick=number)
            self.give_back(late)
            self.plant("late_bet", Expected(code="late_bet", bet=late.id))
        if stakes and self.chance("late_withdrawal"):
            self.grabbed("late_withdrawal", "late_withdrawal", rng.choice(stakes))
        early: Stake | None = None
        if stakes and self.chance("settled_too_early"):
            early = stakes.pop(rng.randrange(len(stakes)))
            self.settle_early(early, *_due(early, number))
        self.wait(10, 20)
        self.emit("ball_landed", number=number)
        if self.chance("second_ball"):
            self.wait(5, 9)
            self.emit("ball_landed", number=number % 9 + 1)
            self.plant("second_ball", Expected(code="dealer_misplay"))
        for stake in sorted(stakes, key=lambda stake: _due(stake, number)[1]):
            self.wait(0.5, 2)
            self.settle(stake, *_due(stake, number))

    foreseen = 0

    def foresee(self) -> int:
        """See `TableSimulator.foresee`."""
        if not self.foreseen:
            self.foreseen = self.random.randrange(1, 10)
        return self.foreseen

    def imagined(self, chance: random.Random) -> int:
        """See `TableSimulator.imagined`."""
        return chance.randrange(1, 10)

    def even_chance(self, outcome: int) -> str:
        """See `TableSimulator.even_chance`; nothing at even money wins with a five."""
        return "low" if outcome < 5 else "high"

    def _bets_of(self, player: Player) -> list[Stake]:
        rng = self.random
        wanted: list[tuple[str, int | None]] = []
        if rng.random() < 0.7:
            wanted.append((rng.choice(("red", "black", "even", "odd", "high", "low")), None))
        wanted += [("straight_up", number) for number in range(1, 10) if rng.random() < 0.12 + 0.15 * player.boldness]
        stakes = []
        for wager, pick in wanted:
            amount = player.unit if wager != "straight_up" else self.minimum
            stake = self.lay(player, wager, min(amount, self.maximum), pick=pick)
            if stake is not None:
                stakes.append(stake)
        return stakes


def _due(stake: Stake, number: int) -> tuple[int, int]:
    """Seven times the stake on a number, even money on a chance."""
    if stake.wager == "straight_up":
        return (7 * stake.amount, stake.amount) if stake.pick == number else (0, 0)
    return (stake.amount, stake.amount) if number in _NUMBERS_OF[stake.wager] else (0, 0)


SIMULATOR = BouleTable
SETUPS = (
    TableSetup(
        game="boule",
        rules="AD",
        limits={"min": 200, "max": 100_000, "straight_up": {"min": 200, "max": 20_000}},
        chip_unit=100,
        float_minor=3_000_000,
    ),
)
