"""Roulette on the simulated floor: a spin every minute or so, and, at the French wheel, stakes that wait in prison."""

from __future__ import annotations

import random

from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup, TableSimulator
from streams.simulator.truth import Expected, mispaid

_ZEROS = (0, 37)
_RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
_EVEN_CHANCES = {
    "red": _RED,
    "black": set(range(1, 37)) - _RED,
    "even": set(range(2, 37, 2)),
    "odd": set(range(1, 37, 2)),
    "low": set(range(1, 19)),
    "high": set(range(19, 37)),
}
_PAYS = {"straight_up": 35, "split": 17, "street": 11, "trio": 11, "corner": 8, "first_four": 8, "basket": 6,
         "six_line": 5, "column": 2, "dozen": 2}  # fmt: skip
_TIERS = ([5, 8], [10, 11], [13, 16], [23, 24], [27, 30], [33, 36])
_ORPHANS = (1, [6, 9], [14, 17], [17, 20], [31, 34])
_TIMES = {
    "french": {"straight_up": 30, "split": 60, "street": 90, "trio": 90, "corner": 120, "first_four": 120,
               "six_line": 180, "column": 360, "dozen": 360, "double_column": 720, "double_dozen": 720, "even": 540},
    "american": {"straight_up": 20, "split": 40, "street": 60, "trio": 60, "corner": 80, "first_four": 80,
                 "six_line": 120, "column": 240, "dozen": 240, "double_column": 480, "double_dozen": 480, "even": 360},
}  # fmt: skip
"""Where the law sets the maxima: so many times the table's minimum."""
_GROUNDS = ("object", "off_wheel", "direction", "short")
_NO_GROUNDS = ("wind", "shouting")
_LAST_SPINS = 3

Pick = int | list[int] | None


class _Held:
    """A stake in prison."""

    __slots__ = ("seen", "stake", "swept", "zeros")

    def __init__(self, stake: Stake) -> None:
        self.stake = stake
        self.zeros = 1
        self.seen = True
        """The auditor knows of it: no hole in the log since it was laid."""
        self.swept = False
        """The dealer has taken it for lost."""


class RouletteTable(TableSimulator):
    """One roulette table."""

    code = "RL"
    open_to = ("colluding-dealer", "past-poster")
    seats = 9

    def opening(self) -> None:
        options = self.setup.options
        self.variant: str = options.get("variant", "")
        self.double = options.get("wheel") == "double_zero"
        self.numbers = range(38 if self.double else 37)
        self.zero = {"french": "choice", "american": "half"}.get(self.variant, "lose")
        if self.double:
            self.zero = options.get("zero", "lose")
        self.trios = [[0, 1, 2], [0, 2, 37], [2, 3, 37]] if self.double else [[0, 1, 2], [0, 2, 3]]
        self.stakes: list[Stake] = []
        self.prison: list[_Held] = []
        self.last_spins: int | None = None
        self.closing_seen = True
        self.foreseen: int | None = None
        faults = ["late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "below_minimum", "above_maximum",
                  "raised_over_maximum", "wager_not_offered", "off_the_layout", "duplicate_bet", "second_ball",
                  "called_void", "no_such_number", "bad_throw_counted", "settled_too_early", "illegal_decision",
                  "decision_without_zero", "decision_on_decided"]  # fmt: skip
        if self.zero == "choice":
            faults += ["prison_raised", "prison_withdrawn", "half_kept", "freed_and_paid", "prison_swept"]
        self.faults = tuple(faults)

    def hole_made(self) -> None:
        """The stakes in prison and an announced end are unknown to the auditor; and a claim for a bet that was never
        laid may from here on be one for a bet that he did not see."""
        super().hole_made()
        for held in self.prison:
            held.seen = False
        self.closing_seen = self.last_spins is None
        self.wrongs.rule_out("unknown_bet")

    def most(self, wager: str) -> int:
        """The largest stake on a wager: what is posted, else what the law allows."""
        times = _TIMES.get(self.variant)
        own = self.setup.limits.get(wager)
        if times is None or (own and "max" in own):
            return super().most(wager)
        if wager in _EVEN_CHANCES:
            return int(self.setup.limits.get("max", times["even"] * self.minimum))
        return times[wager] * self.minimum

    # --- a spin ---------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        rng = self.random
        if self.last_spins is None and self.now_us >= self.closes_us - 240_000_000:
            self.last_spins = _LAST_SPINS
            self.emit("table_closing", last=_LAST_SPINS)
        self.stakes = []
        self.foreseen = None
        for player in self.players:
            self.wait(0.5, 3)
            self._bets_of(player)
        if self.wanted is not None:
            self._wrongs_before_call()
        if self.stakes and rng.random() < 0.1:
            stake = rng.choice(self.stakes)
            self.think_again(stake, self.stakes, room=self.most(stake.wager) - stake.amount)
        self.wait(10, 20)
        for cheat in self.cheats:
            self.stakes += cheat.before_call(self)
        self.emit("bets_closed")
        if self.wanted is not None:
            self._wrongs_after_call()
        number = self._spin()
        self.wait(3, 6)
        self._decide(number)

    def _spin(self) -> int:
        """The ball is thrown until a spin counts; where it comes to rest."""
        rng = self.random
        self.wait(12, 20)
        again = False
        while rng.random() < (0.6 if self.chance("bad_throw_counted") else 0.02):
            self.emit("ball_landed", number=rng.choice(self.numbers), void=rng.choice(_GROUNDS))
            self._again(spun=True)
            again = True
        if self.chance("no_such_number"):
            self.emit("ball_landed", number=len(self.numbers) + rng.randrange(60))
            self.plant("no_such_number", Expected(code="dealer_misplay"))
            self._again(spun=False)
            again = True
        number = self.foresee()
        if not again and self.chance("settled_too_early"):
            self._settle_one_early(number)
        if self.chance("called_void"):
            self.emit("ball_landed", number=number, void=rng.choice(_NO_GROUNDS))
            self.plant("called_void", Expected(code="dealer_misplay"))
        else:
            self.emit("ball_landed", number=number)
        if self.chance("second_ball"):
            self.wait(5, 9)
            self.emit("ball_landed", number=rng.choice(self.numbers))
            self.plant("second_ball", Expected(code="dealer_misplay"))
        return number

    def _again(self, *, spun: bool) -> None:
        """The spin was void: bets are open until the next call."""
        rng = self.random
        self.wait(2, 5)
        if spun and self.stakes and self.chance("bad_throw_counted"):
            taken = rng.choice(self.stakes)
            self.emit("bet_settled", bet=taken.id, paid=0, returned=0)
            self.plant("bad_throw_counted", Expected(code="bad_throw_counted", bet=taken.id))
        if self.players and rng.random() < 0.5:
            self._bets_of(rng.choice(self.players))
        self.wait(4, 9)
        self.emit("bets_closed")
        self.wait(12, 20)

    def _settle_one_early(self, number: int) -> None:
        """A bet is settled for what it will come to while the ball runs."""
        waits = number in _ZEROS and self.zero == "choice"
        able = [stake for stake in self.stakes if not (waits and stake.wager in _EVEN_CHANCES)]
        if able:
            early = self.random.choice(able)
            self.stakes.remove(early)
            paid, returned = self._due(early, number)
            self.settle_early(early, paid, returned + early.refund)

    def foresee(self) -> int:
        """See `TableSimulator.foresee`."""
        if self.foreseen is None:
            self.foreseen = self.random.choice(self.numbers)
        return self.foreseen

    def imagined(self, chance: random.Random) -> int:
        """See `TableSimulator.imagined`."""
        return chance.choice(self.numbers)

    def even_chance(self, outcome: int) -> str:
        """See `TableSimulator.even_chance`; nothing at even money wins with a zero."""
        return "low" if outcome <= 18 else "high"

    # --- what is laid ---------------------------------------------------------------------------------------------

    def _bets_of(self, player: Player) -> None:
        rng = self.random
        for wager, pick in self._wishes(player):
            if self._lies(player.seat, wager, pick):
                continue
            least = self.least(wager)
            amount = player.unit if wager in _EVEN_CHANCES else least * rng.choice((1, 1, 2, 3))
            if wager in _EVEN_CHANCES and rng.random() < 0.3:
                amount += self.setup.chip_unit * rng.randrange(1, 8)
            stake = self.lay(player, wager, min(max(amount, least), self.most(wager)), pick=pick)
            if stake is not None:
                self.stakes.append(stake)

    def _wishes(self, player: Player) -> list[tuple[str, Pick]]:
        rng = self.random
        if rng.random() < 0.08:  # a call bet: the device says chip by chip what lies where
            called = rng.choice((_TIERS, _ORPHANS))
            return [("straight_up" if isinstance(pick, int) else "split", pick) for pick in called]
        wanted: list[tuple[str, Pick]] = []
        if rng.random() < 0.6:
            wanted.append((rng.choice(tuple(_EVEN_CHANCES)), None))
        if rng.random() < 0.3:
            wanted.append((rng.choice(("column", "dozen")), rng.randrange(1, 4)))
        while rng.random() < 0.4 + 0.35 * player.boldness:
            wanted.append(self._inside())
        return wanted

    def _inside(self) -> tuple[str, Pick]:
        rng = self.random
        kind = rng.choice(("straight_up",) * 5 + ("split", "split", "street", "trio", "corner", "six_line", "zero"))
        row = 3 * rng.randrange(12)
        if kind == "straight_up":
            return kind, rng.choice(self.numbers)
        if kind == "street":
            return kind, [row + 1, row + 2, row + 3]
        row = min(row, 30)
        if kind == "six_line":
            return kind, list(range(row + 1, row + 7))
        first = row + rng.randrange(1, 3)
        if kind == "corner":
            return kind, [first, first + 1, first + 3, first + 4]
        if kind == "split":
            return kind, rng.choice(([first, first + 1], [first, first + 3], [0, 2]))
        if kind == "trio":
            return kind, rng.choice(self.trios)
        if rng.random() < 0.3 and self.variant:
            return rng.choice(("double_column", "double_dozen")), rng.choice(([1, 2], [2, 3]))
        around = [0, 1, 2, 3, 37] if self.double else [0, 1, 2, 3]
        return "basket" if self.double else "first_four", rng.choice((None, around))

    def _lies(self, seat: int, wager: str, pick: Pick) -> bool:
        """Whether the seat has something there; the first four are one place, however they are named."""
        around = wager in ("first_four", "basket")
        return any(
            stake.seat == seat and stake.wager == wager and (around or stake.pick == pick) for stake in self.stakes
        )

    # --- the spin counts ------------------------------------------------------------------------------------------

    def _due(self, stake: Stake, number: int) -> tuple[int, int]:
        """What a stake that is not in prison comes to, (paid, returned)."""
        wager, amount = stake.wager, stake.amount
        if wager in _EVEN_CHANCES:
            if number in _EVEN_CHANCES[wager]:
                return self.chips(amount), amount
            return (0, self.part(amount, 1, 2)) if number in _ZEROS and self.zero == "half" else (0, 0)
        if number not in self._covered(wager, stake.pick):
            return 0, 0
        if wager in ("double_column", "double_dozen"):
            return self.part(amount, 1, 2), amount
        return self.chips(_PAYS[wager] * amount), amount

    def _covered(self, wager: str, pick: Pick) -> set[int]:
        if wager in ("column", "double_column"):
            columns = pick if isinstance(pick, list) else [pick]
            return {number for number in range(1, 37) if (number - 1) % 3 + 1 in columns}
        if wager in ("dozen", "double_dozen"):
            dozens = pick if isinstance(pick, list) else [pick]
            return {number for number in range(1, 37) if (number - 1) // 12 + 1 in dozens}
        if pick is None:
            return {0, 1, 2, 3, 37} if self.double else {0, 1, 2, 3}
        return set(pick) if isinstance(pick, list) else {pick}

    def _decide(self, number: int) -> None:
        last = False
        if self.last_spins is not None:
            self.last_spins -= 1
            last = self.last_spins == 0
        waits = number in _ZEROS and self.zero == "choice"
        held = [stake for stake in self.stakes if waits and stake.wager in _EVEN_CHANCES]
        dues = [(stake, *self._due(stake, number)) for stake in self.stakes if stake not in held]
        dues.sort(key=lambda due: due[1] + due[2] > 0)
        for stake, paid, returned in dues:
            self.wait(0.3, 1.5)
            self.settle(stake, paid, returned)
            if returned == 0:
                self.grabbed_lost(stake)
            if self.chance("decision_on_decided"):
                self.emit("decision", seat=stake.seat, bet=stake.id, choice="partage")
                self.plant("decision_on_decided", Expected(code="illegal_decision", bet=stake.id, seat=stake.seat))
        if waits:
            self._zero(held, last)
        else:
            self._prison_after(number)
        if last:
            self.closes_us = self.now_us

    # --- prison ---------------------------------------------------------------------------------------------------

    def _prison_after(self, number: int) -> None:
        """Stakes in prison are freed or lost."""
        for held in self.prison:
            self.wait(0.3, 1)
            stake = held.stake
            worth = self.part(stake.amount, 1, 2 ** (held.zeros - 1)) if held.zeros > 1 else stake.amount
            back = worth if number in _EVEN_CHANCES[stake.wager] else 0
            if held.swept:
                self._swept(held, back)
            elif back and held.seen and self.chance("freed_and_paid"):
                self.mispay("freed_and_paid", stake, (0, back + stake.refund), (worth, back + stake.refund))
            else:
                self._give(held, back)
        self.prison = []

    def _half(self, held: _Held) -> int:
        """Half of what a stake in prison is worth."""
        return self.part(held.stake.amount, 1, 2**held.zeros)

    def _give(self, held: _Held, returned: int) -> None:
        if held.seen and self.closing_seen:
            self.settle(held.stake, 0, returned)
        else:
            self.hand_over(held.stake, 0, returned + held.stake.refund)

    def _swept(self, held: _Held, due: int) -> None:
        """What was taken for lost comes to something, or to nothing."""
        due += held.stake.refund
        if held.seen and due:
            self.plant("prison_swept", *mispaid(held.stake.id, -due))

    def _zero(self, fresh: list[Stake], last: bool) -> None:
        """Every even chance is in prison now, or in it again; its owner may take half of it."""
        rng = self.random
        for held in self.prison:
            held.zeros += 1
        self.prison += [_Held(stake) for stake in fresh]
        stay: list[_Held] = []
        for held in self.prison:
            self.wait(0.5, 2)
            stake = held.stake
            may_halve = held.zeros == 1 or stake.amount >= self.minimum * 2 ** (held.zeros - 1)
            if held.swept:
                if last:
                    self._swept(held, self._half(held))
                else:
                    stay.append(held)
            elif last:
                self._give(held, self._half(held))
            elif not may_halve:
                stay.append(held)
            elif held.seen and self.chance("prison_swept"):
                self.hand_over(stake, 0, 0)
                self.plant("prison_swept", Expected(code="settled_too_early", bet=stake.id))
                held.swept = True
                stay.append(held)
            else:
                self._choose(held, stay, rng.choice(("partage", "prison", "prison first", "half", "silence")))
        self.prison = stay

    def _choose(self, held: _Held, stay: list[_Held], wish: str) -> None:
        stake = held.stake
        if wish in ("prison", "prison first"):
            self.emit("decision", seat=stake.seat, bet=stake.id, choice="prison")
        if wish in ("partage", "prison first"):
            self.emit("decision", seat=stake.seat, bet=stake.id, choice="partage")
            if held.seen and self.chance("half_kept"):
                back = stake.refund
                self.mispay("half_kept", stake, (0, self._half(held) + back), (0, back))
            else:
                self._give(held, self._half(held))
        elif wish == "half":
            self.hand_over(stake, 0, self._half(held) + stake.refund)
        else:
            stay.append(held)

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def _free(self, wager: str, pick: Pick) -> int:
        """Somebody who has nothing there; 0 where everybody has."""
        seats = [seat for seat in range(1, self.seats + 1) if not self._lies(seat, wager, pick)]
        return self.random.choice(seats) if seats else 0

    def _wrongs_before_call(self) -> None:
        rng = self.random
        chance = rng.choice(tuple(_EVEN_CHANCES))
        seat, unit = self._free(chance, None), self.setup.chip_unit
        if seat and self.chance("below_minimum"):
            amount = self.least(chance) - unit
            self.stakes.append(self.accepted("below_minimum", "below_minimum", seat, chance, amount))
        if self.chance("above_maximum"):
            wager, pick = rng.choice(((chance, None), ("dozen", 2), self._inside()))
            seat, most = self._free(wager, pick), self.most(wager)
            if seat and rng.random() < 0.5:  # in two stakes
                self.stakes.append(self.lay_unasked(seat, wager, most, pick=pick))
                two = self.accepted("above_maximum", "above_maximum", seat, wager, self.least(wager), pick=pick)
                self.stakes.append(two)
            elif seat:
                one = self.accepted("above_maximum", "above_maximum", seat, wager, most + unit, pick=pick)
                self.stakes.append(one)
        if self.chance("wager_not_offered"):
            wager = rng.choice(("voisins", "insurance", "first_four" if self.double else "basket"))
            self.refused("wager_not_offered", "wager_not_offered", rng.randrange(1, 10), wager, self.minimum)
        if self.chance("off_the_layout"):
            wager, off = rng.choice((("split", [1, 3]), ("corner", [3, 4, 6, 7]), ("straight_up", 38), ("trio", 7),
                                     ("street", [2, 3, 4]), ("red", 3), ("column", 4)))  # fmt: skip
            self.refused("off_the_layout", "wager_not_offered", rng.randrange(1, 10), wager, self.minimum, pick=off)
        held = next((held for held in self.prison if held.seen and not held.swept), None)
        if held is not None and self.chance("prison_raised"):
            self.raised_in_vain("prison_raised", "late_bet", held.stake, self.minimum)
        if held is not None and self.chance("prison_withdrawn"):
            self.grabbed("prison_withdrawn", "withdrawal_not_allowed", held.stake)
        if not self.stakes:
            return
        stake = rng.choice(self.stakes)
        for fault, choice in (("illegal_decision", "stand"), ("decision_without_zero", "partage")):
            if self.chance(fault):
                self.emit("decision", seat=stake.seat, bet=stake.id, choice=choice)
                self.plant(fault, Expected(code="illegal_decision", bet=stake.id, seat=stake.seat))
        if self.chance("duplicate_bet"):
            self.laid_again(stake)
        if self.chance("raised_over_maximum"):
            self.raised_over(stake, self.most(stake.wager))

    def _wrongs_after_call(self) -> None:
        rng = self.random
        if self.chance("late_bet"):
            wager, pick = rng.choice((("red", None), ("straight_up", rng.choice(self.numbers)), ("corner", [1, 2, 3])))
            self.refused("late_bet", "late_bet", rng.randrange(1, 10), wager, self.minimum, pick=pick)
        self.touched_late(self.stakes)


SIMULATOR = RouletteTable
SETUPS = (
    TableSetup(
        game="roulette",
        rules="US-NJ",
        limits={
            "min": 1_000,
            "max": 200_000,
            **{wager: {"min": 200, "max": 20_000} for wager in _PAYS if wager not in ("column", "dozen", "first_four")},
        },
        options={"wheel": "double_zero", "zero": "lose"},
        currency="USD",
        chip_unit=100,
        float_minor=8_000_000,
    ),
    TableSetup(
        game="roulette",
        rules="ES-1979",
        limits={"min": 500},
        options={"variant": "french"},
        chip_unit=50,
        float_minor=8_000_000,
    ),
    TableSetup(
        game="roulette",
        rules="US-NJ",
        limits={"min": 500, "max": 100_000},
        options={"wheel": "double_zero", "zero": "half"},
        currency="USD",
        chip_unit=100,
        float_minor=8_000_000,
    ),
    TableSetup(
        game="roulette",
        rules="ES-1979",
        limits={"min": 200, "max": 72_000},
        options={"variant": "american"},
        chip_unit=50,
        rounding="nearest",
        float_minor=4_000_000,
    ),
    TableSetup(
        game="roulette",
        rules="US-NJ",
        limits={"min": 2_500, "max": 500_000, "straight_up": {"min": 500, "max": 50_000}},
        options={"wheel": "single_zero"},
        currency="USD",
        chip_unit=500,
        float_minor=20_000_000,
    ),
)
