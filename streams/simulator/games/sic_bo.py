"""Sic Bo on the simulated floor: three dice every forty seconds or so."""

from __future__ import annotations

import random
from typing import Any

from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup, TableSimulator
from streams.simulator.truth import Expected

_TOTALS = {
    "atlantic": (60, 30, 17, 12, 8, 6, 6),
    "macau": (50, 18, 14, 12, 8, 6, 6),
    "australia": (62, 31, 18, 12, 8, 7, 6),
}
"""What the layout pays for the totals 4 (17), 5 (16) … 10 (11)."""
_LONG = {"atlantic": (10, 180, 30, 5), "macau": (8, 150, 24, 5), "australia": (11, 180, 31, 6)}
"""For a double, a triple, any triple, a combination."""
_VOID = ("broken", "off_table", "on_chip", "stacked", "improper")
_LONG_SHOTS = ("total", "total", "total", "double", "combination", "single", "single", "any_triple", "triple")


def _times(layout: str, three_alike: int, stake: Stake, dice: list[int]) -> int:
    """How many times the stake a bet wins; 0 when it loses."""
    total, triple = sum(dice), dice[0] == dice[1] == dice[2]
    wager, pick = stake.wager, stake.pick
    double, all_three, any_triple, combination = _LONG[layout]
    if wager in ("small", "big"):
        return int(not triple and (total <= 10) == (wager == "small"))
    if wager in ("odd", "even"):
        return int(not triple and total % 2 == (wager == "odd"))
    if wager == "total":
        return _TOTALS[layout][min(total, 21 - total) - 4] if total == pick else 0
    if wager == "any_triple":
        return any_triple * triple
    if wager == "combination":
        return combination if set(pick) <= set(dice) else 0
    alike = dice.count(pick)
    if wager == "single":
        return (0, 1, 2, three_alike)[alike]
    return double * (alike >= 2) if wager == "double" else all_three * (alike == 3)


class SicBoTable(TableSimulator):
    """One Sic Bo table."""

    code = "SB"
    open_to = ("loaded-dice", "colluding-dealer", "past-poster")
    seats = 10
    clear_after_round = False

    def opening(self) -> None:
        options = self.setup.options
        self.layout: str = options.get("paytable", "atlantic")
        self.odd_even: bool = options.get("odd_even", False)
        self.three_alike: int = options.get("single_triple_pays", 3)
        self.in_multiples: bool = options.get("multiples_of_min", False)
        faults = ["late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "wager_not_offered",
                  "pick_not_offered", "below_minimum", "above_maximum", "raised_over_maximum", "duplicate_bet",
                  "thrown_before_call", "bad_throw_counted", "dice_changed_mid_series", "second_throw",
                  "settled_too_early"]  # fmt: skip
        if self.in_multiples:
            faults.append("stake_mismatch")
        self.faults = tuple(faults)
        self.stakes: list[Stake] = []
        """On the layout; those of a round that ended with a void throw play on in the next one."""
        self.to_repeat = False
        """The last throw was void."""
        self.foreseen: list[int] | None = None

    def play_round(self) -> None:
        rng = self.random
        for player in self.players:
            self.wait(0.5, 3)
            self._bets_of(player)
        if self.wanted is not None:
            self._wrongs_before_call()
        if self.stakes and rng.random() < 0.08:
            self.think_again(rng.choice(self.stakes), self.stakes)
        self.wait(6, 12)
        for cheat in self.cheats:
            self.stakes += cheat.before_call(self)
        if self.chance("thrown_before_call"):
            self.plant("thrown_before_call", Expected(code="dealing_error"))
        else:
            self.emit("bets_closed")
        if self.wanted is not None:
            self._wrongs_after_call()
        self.wait(1, 3)
        if self._throw_void():
            self._throw()
            self.clear()

    # --- betting --------------------------------------------------------------------------------------------------

    def _bets_of(self, player: Player) -> None:
        rng = self.random
        wagers = []
        if rng.random() < 0.75:
            wagers.append(rng.choice(("small", "big", "odd", "even") if self.odd_even else ("small", "big")))
        while rng.random() < 0.25 + 0.4 * player.boldness:
            wagers.append(rng.choice(_LONG_SHOTS))
        for wager in dict.fromkeys(wagers):
            least = self.least(wager)
            amount = player.unit if wager in ("small", "big", "odd", "even") else least * rng.choice((1, 1, 2))
            amount = max(min(amount, self.most(wager)), least)
            amount -= amount % least if self.in_multiples else 0
            if not self.in_multiples and rng.random() < 0.2:
                amount = min(amount + self.setup.chip_unit * rng.randrange(1, 6), self.most(wager))
            stake = self.lay(player, wager, amount, pick=self._pick(wager))
            if stake is not None:
                self.stakes.append(stake)

    def _pick(self, wager: str) -> Any:
        rng = self.random
        if wager == "total":
            return rng.randrange(4, 18)
        if wager == "combination":
            return rng.sample(range(1, 7), 2)
        return rng.randrange(1, 7) if wager in ("single", "double", "triple") else None

    # --- the throw ------------------------------------------------------------------------------------------------

    def _dice(self) -> list[int]:
        return [self.die(which) for which in range(3)]

    def foresee(self) -> list[int]:
        """See `TableSimulator.foresee`."""
        if self.foreseen is None:
            self.foreseen = self._dice()
        return self.foreseen

    def imagined(self, chance: random.Random) -> list[int]:
        """See `TableSimulator.imagined`."""
        return [chance.randrange(1, 7) for _ in range(3)]

    def even_chance(self, outcome: list[int]) -> str:
        """See `TableSimulator.even_chance`; no triple wins anything."""
        return "small" if sum(outcome) < 11 else "big"

    def _throw_void(self) -> bool:
        """Throws that do not count, mostly none. False when the round is closed on one, and the stakes lie on."""
        rng = self.random
        while rng.random() < (0.6 if self.chance("bad_throw_counted") and self.stakes else 0.02):
            dice = self._dice()
            if rng.random() < 0.1:
                self.emit("dice_rolled", dice=[dice[0], dice[1], 0])  # a die is missing
            else:
                self.emit("dice_rolled", dice=dice, void=rng.choice(_VOID))
            self.to_repeat = True
            self.wait(3, 8)
            if self.stakes and self.chance("bad_throw_counted"):
                stake = rng.choice(self.stakes)
                self.emit("bet_settled", bet=stake.id, paid=0, returned=0)
                self.plant("bad_throw_counted", Expected(code="bad_throw_counted", bet=stake.id))
            if rng.random() < 0.5:
                self.emit("dice_changed")
            if rng.random() < 0.2 and not self.planted_in_round:
                return False
        return True

    def _throw(self) -> None:
        """The throw that decides."""
        rng = self.random
        dice, self.foreseen = self.foreseen or self._dice(), None
        if self.stakes and not self.to_repeat and self.chance("settled_too_early"):
            early = self.stakes.pop(rng.randrange(len(self.stakes)))
            self.settle_early(early, *self._due(early, dice))
        self.emit("dice_rolled", dice=dice)
        self.to_repeat = False
        self.wait(2, 5)
        if self.chance("second_throw"):
            self.emit("dice_rolled", dice=self._dice())
            self.plant("second_throw", Expected(code="dealer_misplay"))
        if self.stakes and self.chance("dice_changed_mid_series"):
            self.emit("dice_changed")
            self.plant("dice_changed_mid_series", Expected(code="dice_changed_mid_series"))
        stakes, self.stakes = self.stakes, []
        dues = [(stake, *self._due(stake, dice)) for stake in stakes]
        dues.sort(key=lambda due: due[2] > 0)
        for stake, paid, returned in dues:
            self.wait(0.3, 1.5)
            self.settle(stake, paid, returned)
            if returned == 0:
                self.grabbed_lost(stake)

    def _due(self, stake: Stake, dice: list[int]) -> tuple[int, int]:
        """What a stake is due, (paid, returned)."""
        times = _times(self.layout, self.three_alike, stake, dice)
        return (self.chips(times * stake.amount), stake.amount) if times else (0, 0)

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def _wrongs_before_call(self) -> None:
        rng = self.random
        seat, chip = rng.randrange(1, self.seats + 1), self.setup.chip_unit
        if self.chance("wager_not_offered"):
            wager = rng.choice(("triple_any", "field")) if self.odd_even else rng.choice(("odd", "even", "hop"))
            self.refused("wager_not_offered", "wager_not_offered", seat, wager, self.minimum)
        if self.chance("pick_not_offered"):
            wager, pick = rng.choice(
                (("total", 3), ("total", 18), ("combination", [4, 4]), ("combination", [0, 2]), ("single", 7))
            )
            self.refused("pick_not_offered", "wager_not_offered", seat, wager, self.least(wager), pick=pick)
        wager = rng.choice(("small", "big", "any_triple"))
        least, most = self.least(wager), self.most(wager)
        if not self.in_multiples and self.chance("below_minimum"):
            self.stakes.append(self.accepted("below_minimum", "below_minimum", seat, wager, least - chip))
        if self.chance("stake_mismatch"):
            self.stakes.append(self.accepted("stake_mismatch", "stake_mismatch", seat, wager, least + chip))
        over = (most // least + 1) * least
        if self.chance("above_maximum"):
            self.stakes.append(self.accepted("above_maximum", "above_maximum", seat, wager, over))
        if self.stakes and self.chance("raised_over_maximum"):
            grown = rng.choice(self.stakes)
            least, most = self.least(grown.wager), self.most(grown.wager)
            self.raised_over(grown, ((most - grown.amount) // least + 1) * least)
        if self.stakes and self.chance("duplicate_bet"):
            self.laid_again(rng.choice(self.stakes))

    def _wrongs_after_call(self) -> None:
        rng = self.random
        if self.chance("late_bet"):
            seat = rng.randrange(1, self.seats + 1)
            self.refused("late_bet", "late_bet", seat, "total", self.minimum, pick=rng.randrange(4, 18))
        self.touched_late(self.stakes)


SIMULATOR = SicBoTable
SETUPS = (
    TableSetup(game="sic_bo", rules="AD", limits={"min": 500, "max": 50_000}, chip_unit=100),
    TableSetup(
        game="sic_bo",
        rules="AD",
        limits={"min": 1_000, "max": 100_000, "triple": {"min": 500, "max": 5_000}},
        options={"paytable": "macau", "odd_even": True, "single_triple_pays": 12},
        chip_unit=50,
        float_minor=8_000_000,
    ),
    TableSetup(
        game="sic_bo",
        rules="AD",
        limits={"min": 500, "max": 100_000},
        options={"paytable": "australia", "multiples_of_min": True},
        chip_unit=100,
        float_minor=8_000_000,
    ),
)
