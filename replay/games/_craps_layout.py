"""The layout of craps: where stakes lie, what each throw does to them there, and what bounds them.

A throw is one of 36, by its two faces (`slot`); a `Spot` is a wager with its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from enum import Enum
from fractions import Fraction
from itertools import product
from typing import Any, Final

from replay.alike import shared
from replay.games._craps_law import (
    COMES,
    CRAPS,
    FIELD,
    FIRE,
    LINES,
    NATURALS,
    ODDS,
    POINTS,
    CrapsLaw,
    CrapsWager,
    Limit,
)
from replay.money import Price
from replay.rules import GameRules, Table, Wager


class Fate(Enum):
    """What a throw does to a bet that it does not make win."""

    STANDS = "stands"
    LOSES = "loses"
    PUSHES = "pushes"
    TRAVELS = "travels"
    """The total becomes the number of the line bet."""


SLOTS: Final = range(36)
Ruling = Price | Fate
"""A price: the bet wins at it."""
STANDS: Final = Fate.STANDS
LOSES: Final = Fate.LOSES
PUSHES: Final = Fate.PUSHES
TRAVELS: Final = Fate.TRAVELS


# --- the rulings ------------------------------------------------------------------------------------------------------


def price(wager: Wager, options: Mapping[str, Any], key: int | str) -> Price:
    """What a wager pays on a number, a total or whatever its price hangs on: one price, or by that, or as the house
    chose."""
    if wager.price is not None:
        return wager.price
    option = wager.law_as(CrapsWager).pays_option.get(str(key))
    if option is not None:
        return Price(options[option])
    return wager.prices.get(str(key)) or wager.prices["other"]


def ruling(wager: Wager, options: Mapping[str, Any], number: int, first: int, second: int) -> Ruling:
    """IV.1: what a throw does to a bet that works. ``number`` is what the bet is on: the pick, or the number that a
    line bet has got (0 before it has one)."""
    total, double = first + second, first == second

    def pays(key: int | str = number) -> Price:
        return price(wager, options, key)

    match wager.id:
        # A, simple wagers
        case "pass_line" | "come":
            if number:
                return _race(pays(), total, wins=number, loses=7)
            if total in NATURALS:
                return pays()
            return LOSES if total in CRAPS else TRAVELS
        case "dont_pass" | "dont_come":
            if number:
                return _race(pays(), total, wins=7, loses=number)
            if total in NATURALS:
                return LOSES
            if total == wager.law_as(CrapsWager).bar:
                return PUSHES
            return pays() if total in CRAPS else TRAVELS
        case "field":
            return pays(total) if total in FIELD else LOSES
        case "big_6":
            return _race(pays(), total, wins=6, loses=7)
        case "big_8":
            return _race(pays(), total, wins=8, loses=7)
        case "under_7":
            return pays() if total < 7 else LOSES
        case "over_7":
            return pays() if total > 7 else LOSES
        # B, multiple wagers
        case "hard_way":
            if total == number and double:
                return pays()
            return LOSES if total in (7, number) else STANDS
        case "seven" | "big_7":
            return pays() if total == 7 else LOSES
        case "eleven":
            return pays() if total == 11 else LOSES
        case "any_craps":
            return pays() if total in CRAPS else LOSES
        case "craps_2":
            return pays() if total == 2 else LOSES
        case "craps_3":
            return pays() if total == 3 else LOSES
        case "craps_12":
            return pays() if total == 12 else LOSES
        case "horn":
            return pays(total) if total in (2, 3, 11, 12) else LOSES
        case "horn_high":
            return pays(f"high_{total}" if total == number else total) if total in (2, 3, 11, 12) else LOSES
        case "world":
            return pays(total) if total in (2, 3, 7, 11, 12) else LOSES
        case "c_and_e":
            return pays(total) if total in (2, 3, 11, 12) else LOSES
        case "hop":
            faces = 10 * min(first, second) + max(first, second)
            return pays("double" if double else "other") if faces == number else LOSES
        # C, odds: with their line bet
        case "pass_odds" | "come_odds":
            return _race(pays(), total, wins=number, loses=7)
        case "dont_pass_odds" | "dont_come_odds":
            return _race(pays(), total, wins=7, loses=number)
        # D, place bets, bought and laid ones, and the bigs of Macau
        case "place_right" | "buy" | "big_6_8" | "big_5_9" | "big_4_10":
            return _race(pays(), total, wins=number, loses=7)
        case "place_wrong" | "lay":
            return _race(pays(), total, wins=7, loses=number)
        case "fire":  # the points that a shooter makes decide it
            return STANDS
    raise AssertionError(wager.id)


def _race(pays: Price, total: int, *, wins: int, loses: int) -> Ruling:
    """One total before another; any other leaves the bet standing."""
    return pays if total == wins else LOSES if total == loses else STANDS


def next_point(point: int, total: int) -> int:
    """The point after a throw, 0 for none: a come-out throw sets it, the point again or a 7 takes it off."""
    if point == 0:
        return total if total in POINTS else 0
    return 0 if total in (7, point) else point


ON: Final = "on"
OFF: Final = "off"
"""What a player may call of a bet: it works on every throw, or on none."""


class Spot:
    """Where a stake lies: a wager with its number (0: none yet), and what each throw does to it there.

    ``on_point`` and ``come_out`` are ruled by `slot`: what was thrown while a point was on, and while none was.
    """

    __slots__ = ("base", "called", "come_out", "number", "on_point", "pays", "unit", "wager")

    def __init__(
        self,
        wager: Wager,
        number: int,
        options: Mapping[str, Any],
        rests: bool,
        base: Spot | None = None,
        call: str = "",
    ) -> None:
        """``rests``: on a come-out throw; ``call``: what the player has called, where it lies in ``base`` otherwise."""
        self.wager = wager
        self.number = number
        self.unit = wager.law_as(CrapsWager).unit
        """Each full unit of the stake is paid at the price, the rest even; 0: the price holds for any stake."""
        on_point: tuple[Ruling, ...]
        if base is not None:
            on_point = base.on_point
        else:  # in the order of `slot`
            on_point = tuple(ruling(wager, options, number, *dice) for dice in product(range(1, 7), repeat=2))
        resting = tuple(map(self._resting, on_point))
        self.on_point: tuple[Ruling, ...] = resting if call == OFF else on_point
        self.come_out = resting if call == OFF or (rests and call != ON) else self.on_point
        self.pays = frozenset(wager.prices.values() if wager.id == FIRE else (r for r in on_point if type(r) is Price))
        """All prices at which it may win."""
        self.base = self if base is None else base
        """The spot for what counts together: the same, whatever is called."""
        self.called: dict[str, Spot] = {}
        """By what the player may call: where the bet lies then."""

    def _resting(self, ruled: Ruling) -> Ruling:
        """A bet that rests stands; odds go back when their line bet is decided."""
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
    """Where a throw stands in the rulings of a `Spot`: one place for each of the 36."""
    return 6 * first + second - 7


def spots(rules: GameRules, options: Mapping[str, Any]) -> dict[tuple[str, int], Spot]:
    """Every place of the layout, by wager and number; those of called bets hang on them (`Spot.called`)."""
    law = rules.law_as(CrapsLaw)
    come_out, calls = law.come_out, () if law.calls is None else law.calls.wagers
    resting = () if come_out is None or options[come_out.unless_option] else come_out.rest
    found: dict[tuple[str, int], Spot] = {}
    for wager in rules.wagers.values():
        for number in numbers(wager):
            rests = wager.id in resting
            spot = found[wager.id, number] = Spot(wager, number, options, rests)
            if wager.id in calls:
                spot.called = {call: Spot(wager, number, options, rests, spot, call) for call in (ON, OFF)}
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
                    most = gain // max(pays.ratio for pays in spot.pays)
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
                ratios = [max(pays.ratio for pays in spot.pays) for spot in layout.values() if spot.wager.id == wager]
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
        places = [each for spot in self.spots.values() for each in (spot, *spot.called.values())]
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
