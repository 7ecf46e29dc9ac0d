"""Craps, under three regulations: AD-2025 (game 6, "Daus o Craps"), MO-1985 (Portaria 97/85/M) and RO-CRAPS.

The wagers are the same game everywhere; which of them a table has, what they pay, what limits them, which throws are
void and what the shooter must do is in the packs. In the order of AD-2025 (the articles of MO-1985 in brackets):

IV.1.A  Win and come (2): 7 and 11 win, 2, 3 and 12 lose, another total becomes the number, which then wins against the
        7. Don't win and don't come (3): the reverse, 12 stands off. Win and come may not be taken back. Field (4),
        big 6 and big 8, under and over 7.
IV.1.B  Hard ways (5), seven (6), eleven (7), any craps (8), single craps, horn.
IV.1.C  Odds follow the line bet whose number is known (2.2, 3.2).
IV.1.D  Place bets: right, the number before the 7; wrong, the 7 before the number (9 to 11: the bigs of Macau).
IV.2    Minimum and maximum: of the simple wagers by their stake, of the multiple ones by their win, of the place bets
        by their number, of the odds by the line bet.
IV.4    Void throws are repeated (1). The dice are not changed within a series. The shooter bets on a line, and gives
        up the dice after the 7 that loses. No bets after the call. After the last throws what is undecided goes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from enum import Enum
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar, Final

from replay.alike import shared
from replay.book import Bet, Book
from replay.events import (
    BetsClosed,
    BetSettled,
    Decision,
    DiceChanged,
    DiceRolled,
    RoundOpened,
    TableClosing,
)
from replay.games import Game, Objection
from replay.games._craps_law import (
    COMES,
    CRAPS,
    FIELD,
    LINES,
    NATURALS,
    ODDS,
    POINTS,
    WAYS,
    CrapsLaw,
    CrapsWager,
    Limit,
)
from replay.games._craps_watched import WATCHED, watched_under
from replay.money import Price
from replay.odds import Odds
from replay.piles import in_order
from replay.rules import GameRules, Table, Wager
from replay.watched import Watchable


class Fate(Enum):
    """What a throw does to a bet that it does not make win."""

    STANDS = "stands"
    LOSES = "loses"
    PUSHES = "pushes"
    TRAVELS = "travels"
    """The total becomes the number of the line bet."""


SEATS: Final = range(100)
SLOTS: Final = range(25)
Ruling = Price | Fate
"""A price: the bet wins at it."""
STANDS: Final = Fate.STANDS
LOSES: Final = Fate.LOSES
PUSHES: Final = Fate.PUSHES
TRAVELS: Final = Fate.TRAVELS


# --- the rulings ------------------------------------------------------------------------------------------------------


def price(wager: Wager, options: Mapping[str, Any], key: int) -> Price:
    """What a wager pays on a number or total: one price, or by number, or as the house chose."""
    if wager.price is not None:
        return wager.price
    option = wager.law_as(CrapsWager).pays_option.get(str(key))
    if option is not None:
        return Price(options[option])
    return wager.prices.get(str(key)) or wager.prices["other"]


def ruling(wager: Wager, options: Mapping[str, Any], number: int, total: int, double: bool) -> Ruling:
    """IV.1: what a throw does to a bet that works. ``number`` is what the bet is on: the pick, or the number that a
    line bet has got (0 before it has one)."""
    pays = price(wager, options, number if wager.id != "field" else total)
    match wager.id:
        # A, simple wagers
        case "pass_line" | "come":
            if number:
                return _race(pays, total, wins=number, loses=7)
            if total in NATURALS:
                return pays
            return LOSES if total in CRAPS else TRAVELS
        case "dont_pass" | "dont_come":
            if number:
                return _race(pays, total, wins=7, loses=number)
            if total in NATURALS:
                return LOSES
            if total == wager.law_as(CrapsWager).bar:
                return PUSHES
            return pays if total in CRAPS else TRAVELS
        case "field":
            return _one_throw(pays, total in FIELD)
        case "big_6":
            return _race(pays, total, wins=6, loses=7)
        case "big_8":
            return _race(pays, total, wins=8, loses=7)
        case "under_7":
            return _one_throw(pays, total < 7)
        case "over_7":
            return _one_throw(pays, total > 7)
        # B, multiple wagers
        case "hard_way":
            if total == number and double:
                return pays
            return LOSES if total in (7, number) else STANDS
        case "seven" | "big_7":
            return _one_throw(pays, total == 7)
        case "eleven":
            return _one_throw(pays, total == 11)
        case "any_craps":
            return _one_throw(pays, total in CRAPS)
        case "craps_2":
            return _one_throw(pays, total == 2)
        case "craps_3":
            return _one_throw(pays, total == 3)
        case "craps_12":
            return _one_throw(pays, total == 12)
        case "horn":
            return _one_throw(pays, total in (2, 3, 11, 12))
        # C, odds: with their line bet
        case "pass_odds" | "come_odds":
            return _race(pays, total, wins=number, loses=7)
        case "dont_pass_odds" | "dont_come_odds":
            return _race(pays, total, wins=7, loses=number)
        # D, place bets, and the bigs of Macau
        case "place_right" | "big_6_8" | "big_5_9" | "big_4_10":
            return _race(pays, total, wins=number, loses=7)
        case "place_wrong":
            return _race(pays, total, wins=7, loses=number)
    raise AssertionError(wager.id)


def _race(pays: Price, total: int, *, wins: int, loses: int) -> Ruling:
    """One total before another; any other leaves the bet standing."""
    return pays if total == wins else LOSES if total == loses else STANDS


def _one_throw(pays: Price, won: bool) -> Ruling:
    """Each throw decides."""
    return pays if won else LOSES


def next_point(point: int, total: int) -> int:
    """The point after a throw, 0 for none: a come-out throw sets it, the point again or a 7 takes it off."""
    if point == 0:
        return total if total in POINTS else 0
    return 0 if total in (7, point) else point


class Spot:
    """Where a stake lies: a wager with its number (0: none yet), and what each throw does to it there.

    ``on_point`` and ``come_out`` are ruled by `slot`: what was thrown while a point was on, and while none was.
    """

    __slots__ = ("come_out", "number", "on_point", "unit", "wager")

    def __init__(self, wager: Wager, number: int, options: Mapping[str, Any], rests: bool) -> None:
        self.wager = wager
        self.number = number
        self.unit = wager.law_as(CrapsWager).unit
        """Each full unit of the stake is paid at the price, the rest even; 0: the price holds for any stake."""
        on_point: list[Ruling] = [STANDS] * len(SLOTS)
        for first, second in product(range(1, 7), repeat=2):
            on_point[slot(first, second)] = ruling(wager, options, number, first + second, first == second)
        self.on_point = tuple(on_point)
        self.come_out = tuple(map(self._resting, on_point)) if rests else self.on_point

    def _resting(self, ruled: Ruling) -> Ruling:
        """A bet that rests on the come-out stands there; odds go back when their line bet is decided."""
        return PUSHES if self.wager.id in ODDS and ruled is not STANDS else STANDS

    def __str__(self) -> str:
        return f"{self.wager.id} {self.number}" if self.number else self.wager.id

    def winnings(self, amount: int, pays: Price) -> tuple[int, int]:
        """What ``amount`` wins, exactly: numerator and denominator."""
        if self.unit == 0:
            return amount * pays.num, pays.den
        rest = amount % self.unit
        return (amount - rest) * pays.num + rest * pays.den, pays.den


def slot(first: int, second: int) -> int:
    """Where a throw stands in the rulings of a `Spot`: its total, a double twelve higher."""
    return first + second if first != second else first + second + 12


def spots(rules: GameRules, options: Mapping[str, Any]) -> dict[tuple[str, int], Spot]:
    """Every place of the layout, by wager and number."""
    come_out = rules.law_as(CrapsLaw).come_out
    resting = () if come_out is None or options[come_out.unless_option] else come_out.rest
    found: dict[tuple[str, int], Spot] = {}
    for wager in rules.wagers.values():
        for number in numbers(wager):
            found[wager.id, number] = Spot(wager, number, options, wager.id in resting)
    return found


def numbers(wager: Wager) -> tuple[int, ...]:
    """The numbers that a wager may be on; 0 where it is on none, or not yet."""
    if wager.id in LINES or wager.id in COMES:
        return (0, *POINTS)
    if wager.id in ODDS:
        return POINTS
    return tuple(int(pick) for pick in wager.picks) or (0,)


# --- IV.2, the limits -------------------------------------------------------------------------------------------------


class Maximum:
    """The most that one player may have in a spot; None: no limit. Minor units."""

    __slots__ = ("most", "passage")

    def __init__(self, most: int | None, passage: str) -> None:
        self.most = most
        self.passage = passage


class OddsMaximum:
    """The most that may lie as odds on a line bet, as a ratio of its stake; ``cuts_win``: no more than that stake is
    won on them."""

    __slots__ = ("cuts_win", "den", "num", "passage")

    def __init__(self, ratio: Fraction, cuts_win: bool, passage: str) -> None:
        self.num = ratio.numerator
        self.den = ratio.denominator
        self.cuts_win = cuts_win
        self.passage = passage


def maxima(table: Table, layout: dict[tuple[str, int], Spot]) -> dict[Spot, Maximum]:
    """The maximum of each spot but the odds': the wager's own where the table posts one, else what the rules make of
    the table's."""
    found: dict[Spot, Maximum] = {}
    line = table.maximum
    for limit in table.rules.law_as(CrapsLaw).maxima:
        if limit.of_line is not None:
            continue
        for spot in _spots_of(limit, layout):
            most = table.own_most(spot.wager.id)
            if most is None and line is not None:
                if limit.gain_option is not None:
                    gain = table.options[limit.gain_option] * line
                    most = gain // price(spot.wager, table.options, spot.number).ratio
                elif limit.per_cent is not None:
                    most = line * limit.per_cent[str(spot.number)] // 100
                else:
                    most = line
            found[spot] = Maximum(most, limit.passage)
    return found


def odds_maxima(table: Table, layout: dict[tuple[str, int], Spot]) -> dict[Spot, OddsMaximum]:
    """The maximum of each spot of odds that has one, by their stake or by their win."""
    found: dict[Spot, OddsMaximum] = {}
    for limit in table.rules.law_as(CrapsLaw).maxima:
        if limit.of_line is None:
            continue
        for spot in _spots_of(limit, layout):
            ratio = _most_of_line(table, limit, spot.number)
            if limit.of_line == "win":
                ratio /= price(spot.wager, table.options, spot.number).ratio
            found[spot] = OddsMaximum(ratio, limit.cuts_win, limit.passage)
    return found


def setup_problems(table: Table, layout: dict[tuple[str, int], Spot]) -> Iterator[tuple[str, str]]:
    """What is wrong with the maxima that the house has posted, each with the passage that bounds it: of the simple
    wagers between multiples of the minimum, of the others by what they win, or by the percentages, of the table's."""
    shown = table.shown
    for limit in table.rules.law_as(CrapsLaw).maxima:
        passage = limit.passage
        if limit.least_multiple is not None and limit.most_multiple is not None and table.minimum:
            least, most = limit.least_multiple * table.minimum, limit.most_multiple * table.minimum
            posted = {"the table": table.maximum, **{wager: table.own_most(wager) for wager in limit.wagers}}
            for name, maximum in posted.items():
                if maximum is not None and not least <= maximum <= most:
                    yield (
                        passage,
                        f"the maximum of {name} is {shown(maximum)}; it must be {shown(least)} to {shown(most)}",
                    )
        for wager in limit.wagers:
            own, line = table.own_most(wager), table.maximum
            if own is None or line is None:
                continue
            if limit.gain_option is not None:
                option = table.rules.options[limit.gain_option]
                assert option.least is not None and option.most is not None
                ratios = [
                    price(spot.wager, table.options, spot.number).ratio
                    for spot in layout.values()
                    if spot.wager.id == wager
                ]
                if own * min(ratios) < option.least * line or own * max(ratios) > option.most * line:
                    bounds = f"{option.least} to {option.most} times {shown(line)}"
                    yield passage, f"the maximum of {wager} is {shown(own)}; it must win {bounds}"
            elif limit.per_cent is not None:
                most = line * max(limit.per_cent.values()) // 100
                if own > most:
                    yield passage, f"the maximum of {wager} is {shown(own)}; it may be {shown(most)} at the most"


def _spots_of(limit: Limit, layout: dict[tuple[str, int], Spot]) -> Iterator[Spot]:
    return (spot for spot in layout.values() if spot.wager.id in limit.wagers)


def _most_of_line(table: Table, limit: Limit, number: int) -> Fraction:
    """How much of the line stake: fixed, or one multiple for all numbers, or a set of multiples."""
    if limit.most is not None:
        return limit.most[str(number)]
    assert limit.most_option is not None
    option = table.rules.law_as(CrapsLaw).options[limit.most_option]
    chosen = table.options[limit.most_option]
    by_number = option.by_number.get(str(chosen))
    return Fraction(chosen) if by_number is None else by_number[str(number)]


class Layout:
    """What all tables of one set-up have in common: places, maxima, and what each throw does where it does anything."""

    def __init__(self, table: Table) -> None:
        self.spots = spots(table.rules, table.options)
        self.maxima = maxima(table, self.spots)
        self.odds_maxima = odds_maxima(table, self.spots)
        self.cuts_wins = any(limit.cuts_win for limit in self.odds_maxima.values())
        places = self.spots.values()
        self.on_point = [
            [(spot, spot.on_point[at]) for spot in places if spot.on_point[at] is not STANDS] for at in SLOTS
        ]
        self.come_out = [
            [(spot, spot.come_out[at]) for spot in places if spot.come_out[at] is not STANDS] for at in SLOTS
        ]

    def with_limits(self, table: Table) -> Layout:
        """The same places with the maxima that the table posts now."""
        layout = copy(self)
        layout.maxima = maxima(table, self.spots)
        layout.odds_maxima = odds_maxima(table, self.spots)
        layout.cuts_wins = any(limit.cuts_win for limit in layout.odds_maxima.values())
        return layout


layout_of = shared(Layout)


# --- the procedure ----------------------------------------------------------------------------------------------------


class Craps(Game):
    """One craps table. Line bets, odds, place bets, hard ways and bigs live on until a throw decides them."""

    handles = ("dice_rolled", "dice_changed", "decision")

    needs = CrapsLaw
    one_result = True
    stakes_live_on: ClassVar[bool] = True
    lasting_stakes = True
    sight_returns_with_round: ClassVar[bool] = False
    watched = WATCHED

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """See `replay.games._craps_watched`."""
        return watched_under(rules, odds(rules))

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = self.rules.law_as(CrapsLaw)
        self.layout = layout_of(table)
        self.in_multiples: bool = table.options.get("multiples_of_min", False)
        self.minimum_passage = law.minimum.passage
        self.come_out_passage = "" if law.come_out is None else law.come_out.passage
        self.contract = law.contract
        self.void = law.void
        self.dice_change = law.dice_change
        self.line_bet_rule = law.shooter.line_bet
        self.rotation_rule = law.shooter.rotation
        self.closing = law.closing
        self.point = 0
        """The point that is on; 0 before a come-out throw."""
        self.called_seq = 0
        """The last call or throw: a contract bet laid before it may not be taken back."""
        self.void_ground = ""
        """Why the last throw was void; empty when it counted."""
        self.sevened_out: int | None = None
        """Who sevened out, until the next come-out throw."""
        self.declined: set[int] = set()
        """Who has declined the dice since."""
        self.last_throws = 0
        """So many throws are left of the last ones announced; 0 when none are."""
        self.closed = False
        """The last throw has been made; nothing is offered until a round opens."""

    def table_opened(self) -> None:
        """IV.2: the maxima that the house has posted lie within the law's bounds."""
        self.report_setup(list(setup_problems(self.table, self.layout.spots)))

    def limits_changed(self) -> None:
        """The places stay, for bets lie on them; their maxima are others."""
        self.layout = self.layout.with_limits(self.table)

    # --- A to D: what is offered, and when ----------------------------------------------------------------------------

    def not_offered(self, bet: Bet) -> Objection | None:
        """Line bets before the come-out, come bets with a point on, odds on a line bet whose number is known."""
        if self.closed:
            return Objection(
                "wager_not_offered",
                self.closing.passage,
                f"{bet.wager_id} bet {bet.id} came after the last throw of the table",
            )
        objection = super().not_offered(bet)
        if objection is not None:
            return objection
        wager = bet.wager_id
        text = ""
        if wager in LINES and self.point:
            text = f"{wager} bet {bet.id} came while the point {self.point} is on"
        elif wager in COMES and not self.point:
            text = f"{wager} bet {bet.id} came while no point is on"
        elif wager in ODDS:
            line = self.book.live.get(bet.of) if bet.of is not None else None
            if line is None or line.wager_id != ODDS[wager]:
                text = f"{wager} bet {bet.id} belongs to no {ODDS[wager]} bet on the table"
            elif not line.state.number:
                text = f"{wager} bet {bet.id} came before bet {line.id} has its number"
        return Objection("wager_not_offered", self.passage_of(bet), text) if text else None

    def passage_of(self, bet: Bet) -> str:
        """Where the bet's wager stands."""
        return bet.wager.passage if bet.wager is not None else self.wager_passage

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        """A line bet that has its number is no longer offered."""
        objection = super().objection_to_raise(bet, by)
        if objection is None and (bet.wager_id in LINES or bet.wager_id in COMES) and bet.state.number:
            return Objection(
                "wager_not_offered",
                self.passage_of(bet),
                f"{bet.wager_id} bet {bet.id} was raised when its number was known ({bet.state.number})",
            )
        return objection

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        """A, after don't come: win and come must be played out, from the first call or throw on."""
        if bet.wager_id in self.contract.wagers and bet.seqs[0] < self.called_seq:
            return Objection(
                "withdrawal_not_allowed",
                self.contract.passage,
                f"{bet.wager_id} bet {bet.id} may not be taken back before it has won or lost",
            )
        return super().objection_to_withdrawal(bet)

    def withdrawn(self, bet: Bet) -> None:
        """Odds are void without their line bet."""
        places = [spot for spot in self.layout.spots.values() if ODDS.get(spot.wager.id) == bet.wager_id]
        for other in in_order(other for spot in places for other in self.book.piles.bets((bet.id, spot))):
            self.book.decide(other, 0, other.amount)

    def lying(self) -> dict[str, str | list[str]]:
        """The point, and the last throws that were announced."""
        left = {"throws left": str(self.last_throws)} if self.last_throws else {}
        return {"point": str(self.point) if self.point else "off", **left}

    def lies(self, bet: Bet) -> str:
        """In the spot of a number: come and don't come that have gone there, and odds."""
        spot: Spot | None = bet.state
        return str(spot.number) if spot is not None and spot.number and bet.pick is None else ""

    def wins(self, bet: Bet) -> dict[str, int]:
        """At the price of the spot it lies in; the field by the total that comes."""
        spot: Spot | None = bet.state
        if spot is None:
            return {}
        totals = {spot.number: ""} if spot.wager.price is not None or spot.number else {0: ""}
        if spot.wager.id == "field":
            totals = {total: str(total) for total in FIELD}
        found: dict[str, int] = {}
        for total, case in totals.items():
            num, den = spot.winnings(bet.amount, price(spot.wager, self.table.options, total))
            paid = self.table.share(1, num, den)
            line = self.book.live.get(bet.of or "")
            found[case] = paid if line is None or not self.layout.cuts_wins else self.cut(bet, line, paid, {})
        return found

    # --- IV.2, limits -------------------------------------------------------------------------------------------------

    def placed(self, bet: Bet) -> None:
        """The stake lies in its spot; is it too small or too large?"""
        wager = bet.wager
        assert wager is not None
        number = 0
        if wager.id in ODDS:
            assert bet.of is not None
            number = self.book.live[bet.of].state.number
        elif wager.picks:
            assert isinstance(bet.pick, int)
            number = bet.pick
        self.lie(bet, self.layout.spots[wager.id, number])
        self.check_stake(bet)

    def lie(self, bet: Bet, spot: Spot) -> None:
        """The bet lies in this spot. Added up is what lies there: in all, of one player (or seat, where nobody knows
        the player), as odds of one line bet; and what a seat has in all, and on the lines."""
        bet.state = spot
        of_whom = bet.of if bet.wager_id in ODDS else bet.player or bet.seat
        on_lines = (("lines", bet.seat),) if bet.wager_id in LINES else ()
        self.book.piles.lay(bet, spot, (of_whom, spot), ("seat", bet.seat), *on_lines)

    def raised(self, bet: Bet, by: int) -> None:
        """The same, of the stake as it lies now."""
        self.check_stake(bet)

    def check_stake(self, bet: Bet) -> None:
        """Such a bet was accepted and plays in full; each finding is made once of a bet."""
        if bet.wager_id in ODDS:
            self.check_odds(bet)
            return
        shown = self.table.shown
        least = self.table.least(bet.wager_id)
        objection = self.under_minimum(bet, least, self.minimum_passage)
        if objection is not None:
            self.book.report_once(bet, *objection)
        if self.in_multiples and least and bet.amount % least:
            self.book.report_once(
                bet,
                "stake_mismatch",
                self.rules.options["multiples_of_min"].passage,
                f"{bet.wager_id} bet {bet.id}: {shown(bet.amount)} is no multiple of {shown(least)}",
            )
        limit = self.layout.maxima[bet.state]
        if limit.most is None:
            return
        laid = self.book.piles.amount((bet.player or bet.seat, bet.state))
        if laid > limit.most:
            self.book.report_once(
                bet,
                "above_maximum",
                limit.passage,
                f"{bet.who} has {shown(laid)} on {bet.state}; {shown(limit.most)} is the maximum",
            )

    def check_odds(self, bet: Bet) -> None:
        """All odds of one line bet are added up."""
        limit = self.layout.odds_maxima.get(bet.state)
        if limit is None:
            return
        assert bet.of is not None
        line = self.book.live[bet.of]
        laid = self.book.piles.amount((bet.of, bet.state))
        if laid * limit.den > line.amount * limit.num:
            shown = self.table.shown
            most = line.amount * limit.num // limit.den
            self.book.report_once(
                bet,
                "odds_too_large",
                limit.passage,
                f"{shown(laid)} lie as {bet.state} on {shown(line.amount)}; {shown(most)} is the most",
            )

    # --- IV.4, the call, the dice and the shooter ---------------------------------------------------------------------

    def bets_closed(self, event: BetsClosed) -> None:
        """ "No hi van més apostes"."""
        self.betting_open = False
        self.called_seq = event.seq

    def dice_rolled(self, event: DiceRolled) -> None:
        """A throw: void, and repeated as the bets stand, or valid."""
        self.called_seq = event.seq
        ground = self.ground(event)
        self.betting_open = not ground
        if self.closed:
            if self.closing.last is not None:
                self.book.report("dealer_misplay", self.closing.passage, "the dice were thrown after the last throw")
            return
        if self.point == 0:
            self.check_shooter(event, ground)
        self.void_ground = ground
        if ground:
            return
        if event.void is not None:
            self.book.report(
                "dealer_misplay", self.void.passage, f"the throw was called void ({event.void}), and must count"
            )
        first, second = event.dice
        self.thrown(event, first, second)
        if self.last_throws:
            self.last_throws -= 1
            if self.last_throws == 0:
                self.close()

    def ground(self, event: DiceRolled) -> str:
        """Why a throw is void; empty when it counts, whatever was called."""
        if event.void is not None and event.void in self.void.grounds:
            return event.void
        dice = event.dice
        return "" if len(dice) == 2 and 1 <= dice[0] <= 6 and 1 <= dice[1] <= 6 else "a die is missing"

    def thrown(self, event: DiceRolled, first: int, second: int) -> None:
        """Every bet that the throw decides is decided; the point goes on or off."""
        book, table, point = self.book, self.table, self.point
        index = slot(first, second)
        total = first + second
        does = (self.layout.on_point if point else self.layout.come_out)[index]
        hit = {bet: (spot, ruled) for spot, ruled in does for bet in book.piles.bets(spot)}
        lines = {bet: book.live.get(bet.of or "") for bet in hit if bet.wager_id in ODDS}
        won: dict[str, int] = {}
        for bet in in_order(hit):
            spot, ruled = hit[bet]
            if ruled is LOSES:
                book.decide(bet, 0, 0)
            elif ruled is TRAVELS:
                self.lie(bet, self.layout.spots[bet.wager_id, total])
            elif ruled is PUSHES:
                book.decide(bet, 0, bet.amount, self.come_out_passage if bet.wager_id in ODDS else "")
            else:
                assert isinstance(ruled, Price)
                num, den = spot.winnings(bet.amount, ruled)
                paid = table.share(1, num, den)
                line = lines.get(bet)
                if line is not None and self.layout.cuts_wins:
                    paid = self.cut(bet, line, paid, won)
                book.decide(bet, paid, bet.amount)
        self.point = next_point(point, total)
        self.outcome = f"{first}-{second} {self.said(point, total)}"
        if point and total == 7:
            self.sevened_out = event.seat
            self.declined.clear()

    def cut(self, bet: Bet, line: Bet, paid: int, won: dict[str, int]) -> int:
        """MO-1985, art. 2.2: all odds on a line bet together win no more than its stake, the earlier bet first."""
        limit = self.layout.odds_maxima.get(bet.state)
        if limit is None or not limit.cuts_win:
            return paid
        left = line.amount - won.get(line.id, 0)
        paid = min(paid, left - left % self.table.chip_unit)
        won[line.id] = won.get(line.id, 0) + paid
        return paid

    @staticmethod
    def said(point: int, total: int) -> str:
        """What the stickman calls."""
        if point:
            return "seven-out" if total == 7 else f"point {point} made" if total == point else f"on point {point}"
        return "natural" if total in NATURALS else "craps" if total in CRAPS else f"point {total}"

    def check_shooter(self, event: DiceRolled, ground: str) -> None:
        """Who throws a come-out must have a line bet, and must not have sevened out just before while others wait."""
        seat = event.seat
        rule = self.line_bet_rule
        if rule is not None and seat is not None:
            laid = self.book.piles.amount(("lines", seat))
            least = max(self.table.minimum, 1) if rule.least == "minimum" else 1
            if laid < least:
                self.book.report(
                    "illegal_decision",
                    rule.passage,
                    f"seat {seat} throws the come-out with {self.table.shown(laid)} on the lines, too little to shoot",
                    seat=seat,
                )
        before = self.sevened_out
        if before is None:
            return
        rotation = self.rotation_rule
        if seat == before:
            waiting = (("seat", other) for other in SEATS if other != seat and other not in self.declined)
            if rotation is not None and any(each in self.book.piles for each in waiting):
                self.book.report(
                    "dealer_misplay",
                    rotation.passage,
                    f"seat {seat} keeps the dice after a seven-out while another player waits",
                    seat=seat,
                )
                self.sevened_out = None
        elif seat is not None:
            self.sevened_out = None
        if not ground:
            self.sevened_out = None

    def decision(self, event: Decision) -> None:
        """A player declines the dice."""
        if event.choice == "pass":
            self.declined.add(event.seat)

    def dice_changed(self, event: DiceChanged) -> None:
        """New dice within the series only when one has left the table, or has broken."""
        rule = self.dice_change
        if rule is not None and self.point and self.void_ground not in rule.after:
            self.book.report(
                "dice_changed_mid_series", rule.passage, f"the dice were changed while the point {self.point} is on"
            )

    def bet_settled(self, event: BetSettled) -> None:
        """A claim; one on a bet that a void throw seemed to decide is set aside."""
        bet = self.book.live.get(event.bet)
        if bet is not None and self.void_ground and event.bet not in self.book.lapsed:
            self.book.report(
                "bad_throw_counted",
                self.void.passage,
                f"bet {bet.id} was settled on a throw that is void ({self.void_ground})",
                bet=bet,
            )
            bet.aside = event
            return
        self.book.claim(event)

    # --- IV.4, closing the table --------------------------------------------------------------------------------------

    def table_closing(self, event: TableClosing) -> None:
        """ "Les tres últimes tirades"."""
        lawful = self.closing.last
        if lawful is not None and event.last != lawful:
            self.book.report(
                "dealer_misplay",
                self.closing.passage,
                f"the last {event.last} throws were announced, not the last {lawful}",
            )
        if not self.closed:
            self.last_throws = event.last

    def close(self) -> None:
        """The last throw is made: what is undecided goes back."""
        self.closed = True
        self.point = 0
        self.sevened_out = None
        for bet in list(self.book.live.values()):
            self.book.decide(bet, 0, bet.amount, self.closing.passage)

    def round_opened(self, event: RoundOpened) -> None:
        """ "Facin joc": a table that was closed is open again."""
        self.betting_open = True
        self.closed = False

    # --- a hole in the log --------------------------------------------------------------------------------------------

    def lost_sight(self) -> None:
        """The point, the last throw and the shooter are unknown; of last throws that were announced, no more are left
        than before."""
        self.point = 0
        self.void_ground = ""
        self.sevened_out = None
        self.declined.clear()

    def sight_again(self, event: Any) -> bool:
        """A valid 7 takes every point off, whatever it was. While the last throws run, it is not known which of them is
        the last: then the table must have been closed and opened again first."""
        if event.type == "round_opened":
            self.closed = False
        elif event.type == "table_closing":
            self.last_throws = event.last
            self.closed = False
        elif event.type == "dice_rolled" and not self.ground(event):
            if self.last_throws:
                self.last_throws -= 1
                self.closed = self.last_throws == 0
            elif not self.closed and sum(event.dice) == 7:
                self.betting_open = True
                self.called_seq = event.seq
                return True
        return False


# --- odds -------------------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """Every wager on every number, followed throw by throw to its decision, for each option value that matters."""
    layouts: dict[tuple[tuple[str, Any], ...], dict[tuple[str, int], Spot]] = {}
    for wager in rules.wagers.values():
        named = [*wager.law_as(CrapsWager).pays_option.values()]
        come_out = rules.law_as(CrapsLaw).come_out
        if come_out is not None and wager.id in come_out.rest:
            named.append(come_out.unless_option)
        for number in [0] if wager.id in LINES or wager.id in COMES else numbers(wager):
            figures = []
            for chosen in product(*(rules.options[name].choices or (False, True) for name in named)):
                options = {option.id: option.default for option in rules.options.values()}
                options.update(zip(named, chosen, strict=True))
                shown_options = {
                    name: str(value).lower() if isinstance(value, bool) else str(value)
                    for name, value in zip(named, chosen, strict=True)
                }
                key = tuple(options.items())
                if key not in layouts:
                    layouts[key] = spots(rules, options)
                layout = layouts[key]
                for stake, assumes in _stakes(layout[wager.id, number]):
                    edge, variance = _follow(layout, layout[wager.id, number], stake)
                    figures.append((shown_options, edge, variance, assumes))
            if len({(edge, variance, assumes) for _, edge, variance, assumes in figures}) == 1:
                figures = [({}, *figures[0][1:])]  # the option changes nothing
            for shown_options, edge, variance, assumes in figures:
                yield Odds(
                    wager=wager.id,
                    pick=str(number) if number else "",
                    options=shown_options,
                    edge=edge,
                    variance=variance,
                    assumes=assumes,
                )


def _stakes(spot: Spot) -> list[tuple[int, str]]:
    """The stakes to look at: any, or where a price holds for full units only, such a unit and less."""
    fair = "fair dice, followed to its decision"
    if spot.wager.id in ODDS:
        return [(1, f"{fair}, within the limits of the odds, laid as soon as the number is known")]
    if not spot.unit:
        return [(1, fair)]
    return [(spot.unit, f"{fair}, stakes in full units of {spot.unit}"), (1, f"{fair}, stakes under {spot.unit}")]


State = tuple[Spot, int]
"""Where the stake lies, and the point."""


def _follow(layout: dict[tuple[str, int], Spot], spot: Spot, stake: int) -> tuple[Fraction, Fraction]:
    """Edge and variance of a bet followed to its decision.

    A Markov chain over `State`: for each state the expected net win and its expected square are the averages over the
    36 throws of what the throw gives or of what the next state is worth; the equations are solved exactly.
    """
    starts = _starts(spot)
    states: dict[State, int] = {state: index for index, (state, _) in enumerate(starts)}
    rows: list[dict[int, Fraction]] = []
    rights: list[list[Fraction]] = []
    queue = list(states)
    for state in queue:
        row = {states[state]: Fraction(1)}
        right = [Fraction(0), Fraction(0)]
        for first, second in product(range(1, 7), repeat=2):
            here, point = state
            ruled = (here.on_point if point else here.come_out)[slot(first, second)]
            if ruled is STANDS or ruled is TRAVELS:
                there = here if ruled is STANDS else layout[here.wager.id, first + second]
                following = (there, next_point(point, first + second))
                if following not in states:
                    states[following] = len(states)
                    queue.append(following)
                index = states[following]
                row[index] = row.get(index, Fraction(0)) - Fraction(1, 36)
                continue
            net = Fraction(0) if ruled is PUSHES else Fraction(-1)
            if isinstance(ruled, Price):
                num, den = here.winnings(stake, ruled)
                net = Fraction(num, den * stake)
            right[0] += net * Fraction(1, 36)
            right[1] += net * net * Fraction(1, 36)
        rows.append(row)
        rights.append(right)
    worth = _solve(rows, rights)
    weight = Fraction(sum(each for _, each in starts))
    mean = sum((each * worth[states[state]][0] for state, each in starts), Fraction(0)) / weight
    square = sum((each * worth[states[state]][1] for state, each in starts), Fraction(0)) / weight
    return -mean, square - mean * mean


def _starts(spot: Spot) -> list[tuple[State, int]]:
    """The states in which a bet is laid, with their weights."""
    wager, number = spot.wager.id, spot.number
    if wager in COMES:
        return [((spot, point), WAYS[point]) for point in POINTS]
    if wager == "pass_odds" or wager == "dont_pass_odds":
        return [((spot, number), 1)]
    if wager in ODDS:  # the come bet was laid on the first throw after the come-out
        return [((spot, next_point(point, number)), WAYS[point]) for point in POINTS]
    return [((spot, 0), 1)]


def _solve(rows: list[dict[int, Fraction]], rights: list[list[Fraction]]) -> list[list[Fraction]]:
    """The solutions of a system of linear equations, one row a state, by elimination."""
    size = len(rows)
    for pivot in range(size):
        row, right = rows[pivot], rights[pivot]
        scale: Fraction = row[pivot]
        assert scale != 0
        for column in row:
            row[column] /= scale
        rights[pivot] = right = [value / scale for value in right]
        for other in range(size):
            factor = rows[other].get(pivot, Fraction(0))
            if other == pivot or not factor:
                continue
            target = rows[other]
            for column, value in row.items():
                target[column] = target.get(column, Fraction(0)) - factor * value
            rights[other] = [mine - factor * theirs for mine, theirs in zip(rights[other], right, strict=True)]
    return rights


GAME = Craps
