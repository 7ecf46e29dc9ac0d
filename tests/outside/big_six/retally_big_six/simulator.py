"""The Big Six wheel on the simulated floor: a spin every minute or so."""

from __future__ import annotations

from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup, TableSimulator
from streams.simulator.truth import Expected

_WHEEL = {
    **dict.fromkeys((1,), "logo"),
    **dict.fromkeys((28,), "joker"),
    **dict.fromkeys((14, 41), "twenty"),
    **dict.fromkeys((7, 21, 34, 48), "ten"),
    **dict.fromkeys((4, 12, 19, 27, 35, 43, 50), "five"),
    **dict.fromkeys((3, 6, 10, 13, 17, 22, 24, 29, 31, 36, 39, 42, 46, 49, 53), "two"),
}
"""By stop; all others bear the one."""
_TIMES = {"one": 1, "two": 2, "five": 5, "ten": 10, "twenty": 20, "joker": 40, "logo": 40}


class BigSixTable(TableSimulator):
    """One wheel. A round lasts a minute or less."""

    code = "BX"
    open_to = ("colluding-dealer",)
    seats = 9
    faults = ("late_bet", "late_withdrawal", "below_minimum", "above_maximum", "wager_not_offered", "second_spin",
              "settled_too_early")  # fmt: skip

    def play_round(self) -> None:
        rng = self.random
        stakes: list[Stake] = []
        for player in self.players:
            self.wait(0.5, 3)
            stakes += self._bets_of(player)
        seat = rng.randrange(1, self.seats + 1)
        if self.chance("wager_not_offered"):
            self.refused("wager_not_offered", "wager_not_offered", seat, "fifty", self.minimum)
        if self.chance("below_minimum"):
            amount = self.minimum - self.setup.chip_unit
            stakes.append(self.accepted("below_minimum", "below_minimum", seat, "one", amount))
        if self.chance("above_maximum"):
            amount = self.most("joker") + self.setup.chip_unit
            stakes.append(self.accepted("above_maximum", "above_maximum", seat, "joker", amount))
        self.wait(8, 15)
        self.emit("bets_closed")
        stop = rng.randrange(1, 55)
        if self.chance("late_bet"):
            self.refused("late_bet", "late_bet", seat, _symbol(stop), self.minimum)
        if stakes and self.chance("late_withdrawal"):
            self.grabbed("late_withdrawal", "late_withdrawal", rng.choice(stakes))
        if stakes and self.chance("settled_too_early"):
            early = stakes.pop(rng.randrange(len(stakes)))
            self.settle_early(early, *_due(early, stop))
        self.wait(10, 20)
        self.emit("ball_landed", number=stop)
        if self.chance("second_spin"):
            self.wait(10, 20)
            self.emit("ball_landed", number=stop % 54 + 1)
            self.plant("second_spin", Expected(code="dealer_misplay"))
        for stake in sorted(stakes, key=lambda stake: _due(stake, stop)[1]):
            self.wait(0.5, 2)
            self.settle(stake, *_due(stake, stop))

    def _bets_of(self, player: Player) -> list[Stake]:
        found = []
        for symbol, times in _TIMES.items():
            if self.random.random() < (0.5 + player.boldness) / (times + 1):
                stake = self.lay(player, symbol, min(player.unit, self.most(symbol)))
                if stake is not None:
                    found.append(stake)
        return found


def _symbol(stop: int) -> str:
    return _WHEEL.get(stop, "one")


def _due(stake: Stake, stop: int) -> tuple[int, int]:
    return (_TIMES[stake.wager] * stake.amount, stake.amount) if stake.wager == _symbol(stop) else (0, 0)


SIMULATOR = BigSixTable
SETUPS = (
    TableSetup(
        game="big_six",
        rules="WHEEL",
        limits={"min": 200, "max": 20_000, "joker": {"min": 200, "max": 5_000}, "logo": {"min": 200, "max": 5_000}},
        chip_unit=100,
        float_minor=2_000_000,
    ),
    TableSetup(
        game="big_six",
        rules="WHEEL-2026",
        limits={"min": 1_000, "max": 50_000},
        chip_unit=500,
        float_minor=5_000_000,
    ),
)
