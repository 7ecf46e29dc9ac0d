"""Roulette worked out a second time, from the rules' page alone: places by where numbers lie on the cloth, chances by
their arithmetic, a table by what each event does to it. Nothing of it is the project's own."""

from __future__ import annotations

from fractions import Fraction

RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
EVEN_CHANCES = {
    "red": lambda n: n in RED,
    "black": lambda n: n not in RED,
    "even": lambda n: n % 2 == 0,
    "odd": lambda n: n % 2 == 1,
    "low": lambda n: n <= 18,
    "high": lambda n: n > 18,
}
"""Of a number from 1 to 36."""
PAYS = {"straight_up": 35, "split": 17, "street": 11, "trio": 11, "corner": 8, "first_four": 8, "basket": 6,
        "six_line": 5, "column": 2, "dozen": 2, "double_column": Fraction(1, 2),
        "double_dozen": Fraction(1, 2)}  # fmt: skip
MAXIMA = {
    "french": {"straight_up": 30, "split": 60, "street": 90, "trio": 90, "corner": 120, "first_four": 120,
               "six_line": 180, "column": 360, "dozen": 360, "double_column": 720, "double_dozen": 720},
    "american": {"straight_up": 20, "split": 40, "street": 60, "trio": 60, "corner": 80, "first_four": 80,
                 "six_line": 120, "column": 240, "dozen": 240, "double_column": 480, "double_dozen": 480},
}  # fmt: skip
EVEN_MAXIMA = {"french": 540, "american": 360}
GROUNDS = {"US-NJ": {"object", "off_wheel", "direction", "short"},
           "ES-1979": {"object", "off_wheel", "direction", "short", "improper"}}  # fmt: skip
WITH_ZERO = {
    False: [[0, 1], [0, 2], [0, 3], [0, 1, 2], [0, 2, 3]],
    True: [[0, 1], [0, 2], [2, 37], [3, 37], [0, 37], [0, 1, 2], [0, 2, 37], [2, 3, 37]],
}
SHAPES = {"split": [(2, 1, 2), (2, 2, 1)], "street": [(3, 1, 3)], "corner": [(4, 2, 2)], "six_line": [(6, 2, 3)]}
"""Numbers, rows and columns of a place that holds no zero."""


def place(n):
    """Row and column of a number on the cloth."""
    return divmod(n - 1, 3)


def covered(pack, double, wager, pick):
    """The numbers of a wager; None where there is no such place on the cloth."""
    zeros = {0, 37} if double else {0}
    everything = set(range(1, 37)) | zeros
    if wager in EVEN_CHANCES:
        return None if pick is not None else {n for n in range(1, 37) if EVEN_CHANCES[wager](n)}
    if wager == "straight_up":
        return {pick} if type(pick) is int and pick in everything else None
    if wager in ("column", "dozen"):
        if type(pick) is not int or not 1 <= pick <= 3:
            return None
        return {n for n in range(1, 37) if (place(n)[1] if wager == "column" else (n - 1) // 12) == pick - 1}
    if wager in ("double_column", "double_dozen"):
        if pack != "ES-1979" or not isinstance(pick, list) or sorted(pick) not in ([1, 2], [2, 3]):
            return None
        return set().union(*(covered(pack, double, wager.removeprefix("double_"), one) for one in pick))
    if wager in ("first_four", "basket"):
        around = {0, 1, 2, 3} | zeros
        there = double == (wager == "basket")
        named = pick is None or (isinstance(pick, list) and sorted(pick) == sorted(around))
        return around if there and named else None
    if wager not in PAYS or not isinstance(pick, list) or len(set(pick)) < len(pick) or not set(pick) <= everything:
        return None
    numbers = sorted(pick)
    if zeros & set(numbers) or wager == "trio":
        fits = numbers in WITH_ZERO[double] and len(numbers) == {"split": 2, "trio": 3}.get(wager)
        return set(numbers) if fits else None
    rows, columns = ({place(n)[axis] for n in numbers} for axis in (0, 1))
    touching = max(rows) - min(rows) == len(rows) - 1 and max(columns) - min(columns) == len(columns) - 1
    return set(numbers) if touching and (len(numbers), len(rows), len(columns)) in SHAPES[wager] else None


class Stake:
    def __init__(self, event, numbers):
        self.wager, self.amount, self.numbers = event["wager"], event["amount"], numbers
        self.who = event.get("player") or f"seat {event['seat']}"
        self.refund = self.zeros = 0
        self.due = None
        """(paid, returned) once it is decided."""
        self.withdrawn = False
        self.claimed = None
        self.gone = False
        """Settled or taken back, and its round is closed."""
        self.flagged = set()

    @property
    def live(self):
        return self.due is None and not self.withdrawn


class Table:
    """A table's events, one by one: ``bets`` by id, ``found`` the findings as (code, bet)."""

    def __init__(self, pack, limits, options, unit, rounding="down"):
        self.pack, self.limits, self.unit, self.rounding = pack, limits, unit, rounding
        self.double = pack == "US-NJ" and options.get("wheel", "double_zero") == "double_zero"
        self.variant = options.get("variant", "french") if pack == "ES-1979" else ""
        if pack == "ES-1979":
            self.zero = "choice" if self.variant == "french" else "half"
        else:
            self.zero = options.get("zero", "lose") if self.double else "lose"
        self.top = 37 if self.double else 36
        self.bets, self.found, self.begun = {}, [], True
        self.open, self.number, self.void, self.spins_left, self.imprisoned = True, None, False, None, set()

    def say(self, code, bet=""):
        self.found.append((code, bet))

    def say_once(self, code, bet):
        if code not in self.bets[bet].flagged:
            self.bets[bet].flagged.add(code)
            self.say(code, bet)

    def chips(self, amount):
        """Exact money in chips of the table."""
        whole, rest = divmod(Fraction(amount), self.unit)
        if rest and (self.rounding == "up" or (self.rounding == "nearest" and 2 * rest >= self.unit)):
            whole += 1
        return int(whole) * self.unit

    # stakes

    def least(self, wager):
        return self.limits.get(wager, {}).get("min", self.limits.get("min", 0))

    def most(self, wager):
        own = self.limits.get(wager, {}).get("max")
        if own is not None or self.pack == "US-NJ":
            return self.limits.get("max") if own is None else own
        if wager in EVEN_CHANCES:
            return self.limits.get("max") or EVEN_MAXIMA[self.variant] * self.limits["min"]
        return MAXIMA[self.variant][wager] * self.limits["min"]

    def check(self, bet, stake):
        if stake.amount < self.least(stake.wager):
            self.say_once("below_minimum", bet)
        there = (stake.who, stake.wager, stake.numbers)
        together = sum(
            other.amount
            for other in self.bets.values()
            if other.live and not other.zeros and (other.who, other.wager, other.numbers) == there
        )
        most = self.most(stake.wager)
        if most is not None and together > most:
            self.say_once("above_maximum", bet)

    def bet_placed(self, bet, **event):
        numbers = covered(self.pack, self.double, event["wager"], event.get("pick"))
        stake = self.bets[bet] = Stake(event, numbers)
        if not self.open or numbers is None:
            self.say("wager_not_offered" if self.open else "late_bet", bet)
            self.rule(bet, stake, 0, stake.amount)
        else:
            self.check(bet, stake)

    def bet_raised(self, bet, by):
        stake = self.bets[bet]
        if self.open and stake.live and not stake.zeros:
            stake.amount += by
            self.check(bet, stake)
            return
        self.say("late_bet", bet)
        stake.refund += by
        if stake.due is not None:
            stake.due = (stake.due[0], stake.due[1] + by)

    def bet_withdrawn(self, bet, amount=None):
        stake = self.bets[bet]
        if stake.zeros and stake.live:
            self.say("withdrawal_not_allowed", bet)
        elif not self.open or not stake.live:
            self.say("late_withdrawal", bet)
        elif amount is None or amount >= stake.amount:
            stake.withdrawn = True
            if stake.claimed is not None:
                self.compare(bet, stake, stake.refund)
        else:
            stake.amount -= amount

    def bets_closed(self):
        self.open = False

    # the ball

    def ball_landed(self, number, void=None):
        if self.number is not None:
            self.say("dealer_misplay")
        elif void in GROUNDS[self.pack]:
            self.void = self.open = True
        elif number > self.top:
            self.say("dealer_misplay")
            self.void = self.open = True
        else:
            if void is not None:
                self.say("dealer_misplay")
            self.counts(number)

    def counts(self, number):
        self.number, self.void, self.open = number, False, False
        last = self.spins_left == 1
        self.spins_left = None if self.spins_left in (None, 1) else self.spins_left - 1
        for bet, stake in self.bets.items():
            if not stake.live:
                continue
            if number in (0, 37) and stake.wager in EVEN_CHANCES:
                stake.zeros += self.zero == "choice"
                if self.zero == "half":
                    self.rule(bet, stake, 0, self.chips(Fraction(stake.amount, 2)))
                elif self.zero == "lose":
                    self.rule(bet, stake, 0, 0)
                elif last:
                    self.rule(bet, stake, 0, self.half(stake))
            elif number not in stake.numbers:
                self.rule(bet, stake, 0, 0)
            elif stake.zeros:
                worth = Fraction(stake.amount, 2 ** (stake.zeros - 1))
                self.rule(bet, stake, 0, stake.amount if stake.zeros == 1 else self.chips(worth))
            else:
                pays = 1 if stake.wager in EVEN_CHANCES else PAYS[stake.wager]
                self.rule(bet, stake, self.chips(stake.amount * pays), stake.amount)

    def half(self, stake):
        return self.chips(Fraction(stake.amount, 2**stake.zeros))

    def may_halve(self, stake):
        return stake.zeros == 1 or Fraction(stake.amount, 2 ** (stake.zeros - 1)) >= self.limits.get("min", 0)

    def decision(self, bet, choice, seat=1):
        stake = self.bets.get(bet)
        here = stake is not None and stake.live and stake.zeros > 0
        if choice not in ("partage", "prison") or self.zero != "choice" or self.number != 0 or not here:
            self.say("illegal_decision", bet)
        elif choice == "prison":
            self.imprisoned.add(bet)
        elif not self.may_halve(stake):
            self.say("illegal_decision", bet)
        else:
            self.rule(bet, stake, 0, self.half(stake))

    def table_closing(self, last):
        self.spins_left = last

    # settling

    def rule(self, bet, stake, paid, returned):
        stake.due = (paid, returned + stake.refund)
        if stake.claimed is not None:
            self.compare(bet, stake, sum(stake.due))

    def compare(self, bet, stake, due):
        if stake.claimed != due:
            self.say("overpaid" if stake.claimed > due else "underpaid", bet)

    def bet_settled(self, bet, paid, returned):
        stake, handed = self.bets.get(bet), paid + returned
        if stake is None:
            self.say("unknown_bet", bet)
        elif stake.live and self.void:
            self.say("bad_throw_counted", bet)
        elif stake.claimed is not None:
            self.say("settled_twice", bet)
        else:
            asked = stake.live and stake.zeros and self.number == 0 and bet not in self.imprisoned
            if asked and self.may_halve(stake) and self.half(stake) and handed == self.half(stake) + stake.refund:
                self.rule(bet, stake, 0, self.half(stake))
            early = stake.live
            stake.claimed = handed
            if early:
                self.say("settled_too_early", bet)
            else:
                self.compare(bet, stake, sum(stake.due) if stake.due else stake.refund)

    def round_closed(self):
        for bet, stake in self.bets.items():
            if stake.due is not None and stake.claimed is None:
                self.say_once("unsettled", bet)
            stake.gone = stake.withdrawn or (stake.due is not None and stake.claimed is not None)
        self.open, self.number, self.imprisoned = True, None, set()

    def money(self):
        """Each bet's (paid, returned), ``open`` or ``withdrawn``."""
        return {
            bet: "withdrawn" if stake.withdrawn else "open" if stake.due is None else stake.due
            for bet, stake in self.bets.items()
        }
