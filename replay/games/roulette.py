"""Roulette: ES-1979, games 01 "Ruleta" and 02 "Ruleta americana con un solo cero"; US-NJ, N.J.A.C. 13:69F-5.

01 II     The ball comes to rest on one of the numbers 1 to 36 and 0; in New Jersey on 00 as well, which is written 37.
01 IV.1   A wager wins or loses by its numbers alone: from 35 to 1 on one of them to even money on eighteen; what wins
          is paid, and the stake is the player's again.
01 IV.1.B On 0 the even chances lose nothing yet at the French wheel: the player takes half of the stake back
          (*partage*), or leaves it in prison, where the next spin frees it without winnings or takes it; another 0
          halves it, and he chooses again, as long as half of it is not under the table's minimum. On the last spin
          half comes back. At the American wheel (02 IV) half comes back at once. In New Jersey (5.2) they lose, or
          lose half, as the house has posted.
01 IV.2   The maxima are multiples of the minimum; in New Jersey what the table posts.
01 IV.3   After the call a stake is refused. A defective throw is void: the stakes stay, and the ball is thrown again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar, Final, Literal, TypeVar

import msgspec
from pydantic import Field

from replay.book import Bet, Book
from replay.events import BallLanded, BetSettled, Decision, RoundClosed, TableClosing
from replay.games import Game, Objection
from replay.law import ONE_PRICE, Fault, GameLaw, OptionValues, Passage, Passages, Provision, Several
from replay.odds import Odds, edge_and_variance
from replay.rules import GameRules, Table
from replay.watched import AtMost, Exact, Null, Repetition, Watchable

R = TypeVar("R", bound=Provision)

EVEN_CHANCES: Final = ("red", "black", "even", "odd", "low", "high")
HIGHEST: Final = 36
DOUBLE_ZERO: Final = 37
"""As 00 is written in a log."""
ZEROS: Final = frozenset({0, DOUBLE_ZERO})
NUMBERS_OF: Final[Mapping[str, range]] = {"single_zero": range(DOUBLE_ZERO), "double_zero": range(DOUBLE_ZERO + 1)}
"""The numbers of each wheel."""

# --- The layout: which numbers a wager may be laid on -----------------------------------------------------------------

Numbers = tuple[int, ...]
Positions = Mapping[object, Numbers]
"""The numbers of each position, by the pick (a list sorted, as a tuple) that stands for it."""


def _rows(first: int, last: int) -> Numbers:
    return tuple(range(3 * first - 2, 3 * last + 1))


def layout(wheel: str) -> dict[str, Positions]:
    """The positions of every wager that is not an even chance, on the cloth of this wheel: row r has 3r-2, 3r-1, 3r,
    and the zeros touch the first row."""
    double = wheel == "double_zero"
    numbers = NUMBERS_OF[wheel]
    splits = [(n, n + 1) for n in range(1, HIGHEST) if n % 3] + [(n, n + 3) for n in range(1, HIGHEST - 2)]
    if double:
        splits += [(0, 1), (0, 2), (2, 37), (3, 37), (0, 37)]
        trios: list[Numbers] = [(0, 1, 2), (0, 2, 37), (2, 3, 37)]
    else:
        splits += [(0, 1), (0, 2), (0, 3)]
        trios = [(0, 1, 2), (0, 2, 3)]
    corners = [(n, n + 1, n + 3, n + 4) for n in range(1, 33) if n % 3]
    around: Numbers = (0, 1, 2, 3, 37) if double else (0, 1, 2, 3)
    columns: dict[object, Numbers] = {c: tuple(range(c, HIGHEST + 1, 3)) for c in (1, 2, 3)}
    dozens: dict[object, Numbers] = {d: _rows(4 * d - 3, 4 * d) for d in (1, 2, 3)}
    return {
        "straight_up": {n: (n,) for n in numbers},
        "split": {pair: pair for pair in splits},
        "street": {row: row for row in (_rows(r, r) for r in range(1, 13))},
        "trio": {trio: trio for trio in trios},
        "corner": {corner: corner for corner in corners},
        "first_four": {} if double else {None: around, around: around},
        "basket": {None: around, around: around} if double else {},
        "six_line": {rows: rows for rows in (_rows(r, r + 1) for r in range(1, 12))},
        "column": columns,
        "dozen": dozens,
        "double_column": {(a, a + 1): tuple(sorted(columns[a] + columns[a + 1])) for a in (1, 2)},
        "double_dozen": {(a, a + 1): dozens[a] + dozens[a + 1] for a in (1, 2)},
    }


LAYOUTS: Final = {wheel: layout(wheel) for wheel in NUMBERS_OF}

# --- What the game asks of its pack -----------------------------------------------------------------------------------


class RoulettePassages(Passages):
    """What is cited beside the tables."""

    second_ball: Passage
    no_such_number: Passage
    """Of a number that the wheel has not."""
    choice: Passage
    """Of a player's choice where there is none."""
    limits: Passage


class WheelLaw(Provision):
    """A wheel's numbers in their order around it."""

    order: Several[int]


class Chances(Provision):
    """The numbers of the even chances."""

    red: Several[int]
    black: Several[int]
    even: Several[int]
    odd: Several[int]
    low: Several[int]
    high: Several[int]


class ZeroLaw(Provision):
    """What becomes of an even chance when a zero comes: it loses, it gives half back, or the player has the choice."""

    even_chances: Literal["lose", "half", "choice"]


class Maxima(Provision):
    """The most that may be laid on each wager, in times the table's minimum; 0 for one that the pack has not."""

    straight_up: int = Field(default=0, ge=0)
    split: int = Field(default=0, ge=0)
    street: int = Field(default=0, ge=0)
    trio: int = Field(default=0, ge=0)
    corner: int = Field(default=0, ge=0)
    first_four: int = Field(default=0, ge=0)
    basket: int = Field(default=0, ge=0)
    six_line: int = Field(default=0, ge=0)
    column: int = Field(default=0, ge=0)
    dozen: int = Field(default=0, ge=0)
    double_column: int = Field(default=0, ge=0)
    double_dozen: int = Field(default=0, ge=0)
    even_chance: int = Field(default=0, ge=0)

    def of(self, wager: str) -> int:
        """For this wager."""
        found: int = getattr(self, "even_chance" if wager in EVEN_CHANCES else wager)
        return found


ALWAYS: Final = "always"
"""The key of a rule that holds however a table is opened."""
_HANGS_ON: Final = ("wheel", "variant", "zero")
"""The options whose values name rules of their own, the first one first."""


class RouletteLaw(GameLaw):
    """What roulette asks of its pack. What ``zero`` and ``maxima`` say hangs on how a table is opened: each of their
    tables is called as the value of an option for which it holds, or ``always``."""

    known_wagers = frozenset({*LAYOUTS["single_zero"], *EVEN_CHANCES})
    prices_needed = dict.fromkeys(known_wagers, (ONE_PRICE,))
    known_options = frozenset(_HANGS_ON)
    option_values: ClassVar[OptionValues] = {"wheel": tuple(NUMBERS_OF), "variant": "choice", "zero": "choice"}

    passages: RoulettePassages
    chances: Chances
    wheels: Mapping[str, WheelLaw]
    zero: Mapping[str, ZeroLaw]
    maxima: Mapping[str, Maxima] = {}
    void: Mapping[str, Provision] = {}
    """The grounds on which a spin is void (``ball_landed.void``)."""
    void_spins: Provision

    def wheel_of(self, options: Mapping[str, Any]) -> str:
        """Which wheel a table with these options has: the option says so, or there is one only."""
        return str(options.get("wheel", next(iter(self.wheels))))

    def zero_of(self, options: Mapping[str, Any]) -> ZeroLaw:
        """What a zero does to the even chances at such a table."""
        found = _for(self.zero, options)
        assert found is not None, options
        return found

    def maxima_of(self, options: Mapping[str, Any]) -> Maxima | None:
        """The maxima at such a table; None where the law sets none."""
        return _for(self.maxima, options)

    def numbers_of(self, wager: str) -> Numbers:
        """The numbers of an even chance."""
        found: Numbers = getattr(self.chances, wager)
        return found

    def faults(self) -> Iterator[Fault]:
        """Wheels with all their numbers, chances without a zero, and a rule for however a table is opened."""
        for name, wheel in self.wheels.items():
            if name not in NUMBERS_OF:
                yield Fault(f"wheels.{name}", f"no such wheel (there are: {', '.join(NUMBERS_OF)})")
            elif sorted(wheel.order) != list(NUMBERS_OF[name]):
                yield Fault(f"wheels.{name}.order", f"each of the numbers 0 to {NUMBERS_OF[name][-1]} once")
        for one, other in (EVEN_CHANCES[place : place + 2] for place in (0, 2, 4)):
            if sorted(self.numbers_of(one) + self.numbers_of(other)) != list(range(1, HIGHEST + 1)):
                yield Fault(f"chances.{one}", f"of the numbers 1 to {HIGHEST} those that are not in {other}")
        asked = self.options.get("wheel")
        if asked is None and len(self.wheels) != 1:
            yield Fault("options.wheel", "is missing: which of the wheels a table has")
        for choice in asked.choices if asked is not None else ():
            if choice not in self.wheels:
                yield Fault(f"wheels.{choice}", "is missing: the numbers around this wheel")
        known = {str(choice) for name in _HANGS_ON if name in self.options for choice in self.options[name].choices}
        for section, tables in (("zero", self.zero), ("maxima", self.maxima)):
            for name in tables:
                if name not in known | {ALWAYS}:
                    yield Fault(f"{section}.{name}", f"no value of an option, nor {ALWAYS}")
            for opened in self._openings() if tables or section == "zero" else ():
                if _for(tables, opened) is None:
                    how = ", ".join(f"{name} {value}" for name, value in opened.items()) or "any table"
                    yield Fault(section, f"says nothing of {how}")
                    break
        for name, maxima in self.maxima.items():
            for wager in self.wagers:
                if not maxima.of(wager):
                    key = "even_chance" if wager in EVEN_CHANCES else wager
                    yield Fault(f"maxima.{name}.{key}", "is missing: how many times the minimum")
                    break

    def _openings(self) -> Iterator[dict[str, object]]:
        names = [name for name in _HANGS_ON if name in self.options]
        for values in product(*(self.options[name].choices for name in names)):
            yield dict(zip(names, values, strict=True))


def _for(tables: Mapping[str, R], options: Mapping[str, Any]) -> R | None:
    for name in _HANGS_ON:
        found = tables.get(str(options.get(name)))
        if found is not None:
            return found
    return tables.get(ALWAYS)


# --- Rulings ----------------------------------------------------------------------------------------------------------


def position(law: RouletteLaw, wheel: str, wager: str, pick: object) -> Numbers | None:
    """The numbers that a bet lies on; None where the layout has no such position."""
    if wager in EVEN_CHANCES:
        return law.numbers_of(wager) if pick is None else None
    key = tuple(sorted(pick)) if isinstance(pick, list) else pick
    return LAYOUTS[wheel].get(wager, {}).get(key)


def prison_value(table: Table, amount: int, zeros: int) -> int:
    """What a stake in prison is worth: the whole after one zero, half after two, a quarter after three."""
    return amount if zeros == 1 else table.share(amount, 1, 2 ** (zeros - 1))


def partage_value(table: Table, amount: int, zeros: int) -> int:
    """Half of that."""
    return table.share(amount, 1, 2**zeros)


# --- The procedure ----------------------------------------------------------------------------------------------------


class Roulette(Game):
    """One table. ``Bet.state`` counts the zeros that an even chance has been through (None: none); from the first on it
    is in prison."""

    handles = ("ball_landed", "decision")

    needs = RouletteLaw
    one_result = True
    stakes_live_on = True
    lasting_stakes = True

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """The ball comes to any number whatever came before, so that the odds hold for every bet that is laid before it
        is thrown. An even chance whose player chooses gives back at most what half at every zero does: in prison a
        stake is worth at most its half, be it freed, lost, halved again or given half on the last spin; and what lies
        there may come to nothing."""
        law = rules.law_as(RouletteLaw)
        chosen = any(zero.even_chances == "choice" for zero in law.zero.values())
        of_chances: Null = AtMost() if chosen else Exact()
        return Watchable(
            null=Exact(),
            nulls=dict.fromkeys(EVEN_CHANCES, of_chances),
            lying=Fraction(0) if chosen else None,
        )

    @classmethod
    def watched_at(cls, table: Table) -> Watchable:
        """The wheel that the table has: each number, those that lie side by side, and what comes again."""
        return _watched(table.rules, table.rules.law_as(RouletteLaw).wheel_of(table.options))

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = self.law = table.rules.law_as(RouletteLaw)
        self.wheel = law.wheel_of(table.options)
        self.numbers = NUMBERS_OF[self.wheel]
        self.zero = law.zero_of(table.options)
        self.maxima = law.maxima_of(table.options)
        self.numbers_called = {DOUBLE_ZERO: "00"} if DOUBLE_ZERO in self.numbers else {}
        self.in_round = False
        self.number: int | None = None
        """Where the valid ball of this round came to rest."""
        self.last_void: tuple[str, str] | None = None
        """Ground and passage, where the last spin was void and no valid one has followed."""
        self.spins_left: int | None = None
        """Spins still to come after the dealer announced the last ones."""
        self.closing_unseen = False
        """Events are missing: the last spins may have been announced."""
        self.sent_to_prison: set[str] = set()
        """Bets for which prison was chosen since this round's zero."""

    def round_begins(self) -> None:
        super().round_begins()
        self.in_round = True
        self.number = None
        self.sent_to_prison = set()

    def shown(self, number: int) -> str:
        """A number as people call it."""
        return self.numbers_called.get(number, str(number))

    def lying(self) -> dict[str, str | list[str]]:
        found: dict[str, str | list[str]] = {"wheel": self.wheel}
        if self.spins_left is not None:
            found["spins left"] = str(self.spins_left)
        return found

    def lies(self, bet: Bet) -> str:
        return "prison" if bet.state else ""

    def wins(self, bet: Bet) -> dict[str, int]:
        return {} if bet.state else super().wins(bet)

    # --- 01 IV.3, the ball ----------------------------------------------------------------------------------------

    def ball_landed(self, event: BallLanded) -> None:
        """The ball rests: every bet is decided, but for stakes in prison; or the spin is void, and bets are open again
        until the next call."""
        if self.number is not None:
            further, first = self.shown(event.number), self.shown(self.number)
            text = f"a further ball, {further}, in one round; the first, {first}, decides"
            self.book.report("dealer_misplay", self.law.passages.second_ball, text)
            return
        ground = None if event.void is None else self.law.void.get(event.void)
        if ground is not None:
            self.void_spin(str(event.void), ground.passage)
        elif event.number not in self.numbers:
            passage = self.law.passages.no_such_number
            self.book.report("dealer_misplay", passage, f"the wheel has no {event.number}: the spin is void")
            self.void_spin("no such number", passage)
        else:
            if event.void is not None:
                text = f"{event.void} is no ground for a void spin: it counts"
                self.book.report("dealer_misplay", self.law.void_spins.passage, text)
            self.decide(event.number)

    def void_spin(self, ground: str, passage: str) -> None:
        """It decides nothing, and the ball is thrown again."""
        self.last_void = ground, passage
        self.betting_open = True
        self.outcome = f"no spin: {ground}"

    def decide(self, number: int) -> None:
        """The first valid ball of the round."""
        self.betting_open = False
        self.number = number
        self.last_void = None
        self.outcome = self.shown(number)
        is_last = False
        if self.spins_left is not None:
            self.spins_left -= 1
            is_last = self.spins_left == 0
            if is_last:
                self.spins_left = None
        for bet in list(self.book.live.values()):
            if number in ZEROS and bet.wager_id in EVEN_CHANCES:
                self.zero_on(bet, is_last)
                continue
            numbers = position(self.law, self.wheel, bet.wager_id, bet.pick)
            assert numbers is not None and bet.wager is not None and bet.wager.price is not None, bet.id
            if number not in numbers:
                self.book.decide(bet, 0, 0)
            elif bet.state:
                self.book.decide(bet, 0, prison_value(self.table, bet.amount, bet.state), self.zero.passage)
            else:
                self.book.decide(bet, self.table.pay(bet.amount, bet.wager.price), bet.amount)

    # --- 01 IV.1.B, 02 IV, 5.2: zero and the even chances ---------------------------------------------------------

    def zero_on(self, bet: Bet, is_last: bool) -> None:
        """A zero comes to an even chance."""
        rule = self.zero
        if rule.even_chances == "lose":
            self.book.decide(bet, 0, 0, rule.passage)
            return
        bet.state = (bet.state or 0) + 1
        if rule.even_chances == "half" or is_last:
            self.book.decide(bet, 0, partage_value(self.table, bet.amount, bet.state), rule.passage)
        else:
            self.book.piles.lay(bet, ("prison", bet.seat))

    def may_halve(self, bet: Bet) -> bool:
        """Whether half may be taken of a stake in prison: after a second zero not of what is under the minimum."""
        zeros: int = bet.state
        return zeros == 1 or bet.amount >= self.table.minimum * (1 << (zeros - 1))

    def decision(self, event: Decision) -> None:
        """``partage`` takes half; ``prison`` leaves the stake, and may become partage until the round is closed."""
        book, choice, passage = self.book, event.choice, self.zero.passage
        bet = book.live.get(event.bet) if event.bet is not None else self.lone_stake(event.seat)
        if bet is None and self.was_unseen(event.bet):
            return
        if choice not in ("partage", "prison"):
            wrong = f"{choice} is no choice at this table"
        elif self.zero.even_chances != "choice":
            wrong, passage = f"there is no {choice} at this table", self.law.passages.choice
        elif self.number not in ZEROS:
            wrong = f"{choice} was chosen with no zero in this round"
        elif bet is None or not bet.state:
            wrong = f"{choice} was chosen for a bet that is no even chance to be decided"
        elif choice == "prison":
            self.sent_to_prison.add(bet.id)
            return
        elif not self.may_halve(bet):
            worth = self.money(prison_value(self.table, bet.amount, bet.state))
            wrong = f"half was taken of {worth}, which is under the minimum: it stays until it is freed or lost"
        else:
            book.decide(bet, 0, partage_value(self.table, bet.amount, bet.state), passage)
            return
        book.report("illegal_decision", passage, wrong, bet=bet, bet_id=event.bet or "", seat=event.seat)

    def lone_stake(self, seat: int) -> Bet | None:
        """The bet that a decision without a bet means: the only one that the seat has in prison."""
        bets = self.book.piles.bets(("prison", seat))
        return next(iter(bets)) if len(bets) == 1 else None

    def was_unseen(self, bet_id: str | None) -> bool:
        """The bet may be one of which the log holds nothing, or not all."""
        book = self.book
        if bet_id is None:
            return book.unseen
        return bet_id in book.unseen_ids or (book.unseen and bet_id not in book.past and book.known(bet_id) is None)

    def bet_settled(self, event: BetSettled) -> None:
        """A claim. One on an undecided bet after a void spin is set aside; one that hands back just half of a stake in
        prison is the player's partage, where nothing else was said."""
        bet = self.book.live.get(event.bet)
        if bet is not None and event.bet not in self.book.lapsed and self.last_void is not None:
            ground, passage = self.last_void
            text = f"bet {bet.id} was settled on a spin that is void ({ground})"
            self.book.report("bad_throw_counted", passage, text, bet=bet)
            return
        if bet is not None and bet.state and self.in_round and self.number in ZEROS and bet.claimed_paid is None:
            value = partage_value(self.table, bet.amount, bet.state)
            unsaid = bet.id not in self.sent_to_prison and self.may_halve(bet)
            if value and (unsaid or self.closing_unseen) and event.paid + event.returned == value + bet.refund:
                self.book.decide(bet, 0, value, self.zero.passage)
        super().bet_settled(event)

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        if bet.state:
            return Objection("late_bet", self.zero.passage, f"bet {bet.id} is in prison and cannot be raised")
        return super().objection_to_raise(bet, by)

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        if bet.state:
            text = f"bet {bet.id} is in prison and cannot be taken back"
            return Objection("withdrawal_not_allowed", self.zero.passage, text)
        return super().objection_to_withdrawal(bet)

    def round_closed(self, event: RoundClosed) -> None:
        """Without a valid ball the stakes play on the next one; a choice is no longer open."""
        self.in_round = False
        self.number = None
        super().round_closed(event)

    def table_closing(self, event: TableClosing) -> None:
        """The last n spins are announced."""
        self.spins_left = event.last
        self.closing_unseen = False

    def lost_sight(self) -> None:
        self.in_round = False
        self.number = None
        self.last_void = None
        self.spins_left = None
        self.closing_unseen = True
        self.sent_to_prison = set()

    # --- 01 IV.2, limits ------------------------------------------------------------------------------------------

    def not_offered(self, bet: Bet) -> Objection | None:
        objection = super().not_offered(bet)
        if objection is not None or position(self.law, self.wheel, bet.wager_id, bet.pick) is not None:
            return objection
        assert bet.wager is not None
        where = "" if bet.pick is None else f" on {bet.pick}"
        text = f"this layout has no {bet.wager_id}{where}"
        return Objection("wager_not_offered", bet.wager.passage, text)

    def table_opened(self) -> None:
        """The maxima that a table posts are those of the law, where it sets any."""
        least, maxima = self.table.minimum, self.maxima
        if maxima is None or not least:
            return
        posted = [(wager, maxima.of(wager), self.table.own_most(wager)) for wager in self.rules.wagers]
        posted.append(("even chances", maxima.even_chance, self.table.maximum))
        faults = []
        for name, times, most in posted:
            if most is not None and most != times * least:
                text = f"the maximum of {self.money(most)} on {name} is not {times:,} times the minimum"
                faults.append((maxima.passage, text))
        self.report_setup(faults)

    def placed(self, bet: Bet) -> None:
        self.book.piles.lay(bet, self.pile(bet))
        self.check_limits(bet)

    def raised(self, bet: Bet, by: int) -> None:
        self.check_limits(bet)

    def pile(self, bet: Bet) -> tuple[str, str, Numbers | None]:
        """What is added up: one player's live stakes on one position, those in prison left out."""
        return bet.who, bet.wager_id, position(self.law, self.wheel, bet.wager_id, bet.pick)

    def check_limits(self, bet: Bet) -> None:
        """The minimum binds each bet by itself, the maximum all that the player has there."""
        passage = self.law.passages.limits
        objection = self.under_minimum(bet, self.table.least(bet.wager_id), passage)
        if objection is not None:
            self.book.report_once(bet, *objection)
        most = self.maximum(bet.wager_id)
        laid = self.book.piles.amount(self.pile(bet))
        if most is not None and laid > most:
            text = f"{bet.who} has {self.money(laid)} on one {bet.wager_id}; {self.money(most)} is the maximum"
            self.book.report_once(bet, "above_maximum", self.maxima.passage if self.maxima else passage, text)

    def maximum(self, wager: str) -> int | None:
        """What is posted for the wager, or for all even chances; else what the law gives; None: nothing."""
        own = self.table.own_most(wager)
        if own is not None:
            return own
        if self.maxima is None:
            return self.table.maximum
        if wager in EVEN_CHANCES and self.table.maximum is not None:
            return self.table.maximum
        return self.maxima.of(wager) * self.table.minimum or None


# --- What there is to watch -------------------------------------------------------------------------------------------

SIDE_BY_SIDE: Final = 6
"""So many sectors are watched of each wheel, which overlap by half."""


def sectors(order: Sequence[int]) -> tuple[Numbers, ...]:
    """Numbers that lie side by side, a third of the wheel each."""
    size, wide = len(order), len(order) // 3
    starts = [size * place // SIDE_BY_SIDE for place in range(SIDE_BY_SIDE)]
    return tuple(tuple(order[(start + step) % size] for step in range(wide)) for start in starts)


@lru_cache(maxsize=64)
def _watched(rules: GameRules, wheel: str) -> Watchable:
    law = rules.law_as(RouletteLaw)
    count = len(NUMBERS_OF[wheel])
    chances = tuple(law.numbers_of(chance) for chance in EVEN_CHANCES)
    return msgspec.structs.replace(
        Roulette.watched_under(rules),
        ball=count,
        ball_from=0,
        ball_together=(*chances, *sectors(law.wheels[wheel].order)),
        runs=Repetition(
            name="numbers that repeat",
            look_at="the wheel and how the ball is thrown.",
            chances={"any": Fraction(1, count)},
            of_ball=str,
        ),
    )


# --- Exact odds -------------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """Each number of the wheel is equally likely. Of the even chances, how a zero is taken."""
    law = rules.law_as(RouletteLaw)
    asked = "wheel" in rules.options
    wheels = rules.options["wheel"].choices if asked else tuple(law.wheels)
    for wheel in map(str, wheels):
        options = {"wheel": wheel} if asked else {}
        for wager in rules.wagers:
            if wager in EVEN_CHANCES:
                yield from _of_even_chance(rules, wager, wheel, options)
                continue
            numbers = next(iter(LAYOUTS[wheel][wager].values()), None)
            if numbers is not None:
                won = len(numbers)
                yield _odds(rules, wager, options, won, len(NUMBERS_OF[wheel]) - won, ())


ON_ZERO: Final = "on_zero"
"""Under which name odds say what the player does when a zero comes: it is his choice, and no option of a table."""


def _of_even_chance(rules: GameRules, wager: str, wheel: str, options: dict[str, str]) -> Iterator[Odds]:
    law = rules.law_as(RouletteLaw)
    names: list[str] = [name for name in _HANGS_ON if name != "wheel" and name in rules.options]
    said: set[tuple[tuple[str, str], ...]] = set()
    for values in product(*(rules.options[name].choices for name in names)):
        opened = dict(zip(names, map(str, values), strict=True))
        rule = law.zero_of({**opened, "wheel": wheel})
        hangs: dict[str, str] = {}
        if law.zero.get(wheel) is not rule:
            hangs = {name: value for name, value in opened.items() if value in law.zero}
        key = tuple(hangs.items())
        if key in said:
            continue
        said.add(key)
        won = len(law.numbers_of(wager))
        zeros = len(ZEROS & set(NUMBERS_OF[wheel]))
        lost = len(NUMBERS_OF[wheel]) - won - zeros
        here = {**options, **hangs}
        if rule.even_chances == "lose":
            yield _odds(rules, wager, here, won, lost + zeros, ())
        elif rule.even_chances == "half":
            yield _odds(rules, wager, here, won, lost, [(zeros, Fraction(-1, 2))])
        else:
            yield from _in_prison(rules, wager, here, won, lost, zeros)


def _in_prison(
    rules: GameRules, wager: str, options: dict[str, str], won: int, lost: int, zeros: int
) -> Iterator[Odds]:
    """Half taken at every zero; prison once, then half; prison at every zero.

    In prison a unit comes back with ``won`` of all numbers, is lost with ``lost``, and with a zero is a half unit there
    again: what it gives back is ``f = (won + zeros * f / 2) / all``, and so is its square with a quarter.
    """
    numbers = won + lost + zeros
    once = Fraction(won + Fraction(zeros, 4), numbers), Fraction(won + Fraction(zeros, 16), numbers)
    always = Fraction(won, numbers - Fraction(zeros, 2)), Fraction(won, numbers - Fraction(zeros, 4))
    for name, (back, squared) in (
        ("partage", (Fraction(1, 2), Fraction(1, 4))),
        ("prison once, then partage", once),
        ("prison", always),
    ):
        price = rules.wagers[wager].price
        assert price is not None
        mean = Fraction(won * price.ratio - lost + zeros * (back - 1), numbers)
        square = Fraction(won * price.ratio**2 + lost + zeros * (squared - 2 * back + 1), numbers)
        yield Odds(
            wager=wager,
            options={**options, ON_ZERO: name},
            edge=-mean,
            variance=square - mean**2,
            assumes=f"a fair ball; at every zero {name}; minimum and last spin left aside",
        )


def _odds(
    rules: GameRules,
    wager: str,
    options: dict[str, str],
    won: int,
    lost: int,
    others: Sequence[tuple[int, Fraction]],
) -> Odds:
    """From the numbers that win and lose, and others with what a unit staked wins on them."""
    price = rules.wagers[wager].price
    assert price is not None
    edge, variance = edge_and_variance([(won, price.ratio), (lost, Fraction(-1)), *others])
    return Odds(wager=wager, options=dict(options), edge=edge, variance=variance, assumes="a fair ball")


GAME = Roulette
