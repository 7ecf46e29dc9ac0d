"""Thresholds that regulators set on what tables win: which figures an operator has to investigate, and why.

They are settings of a jurisdiction, one TOML file each, every threshold with its passage. They test nothing: a small
drop leaves the band often with nothing wrong. They stand beside the e-values because the law asks for them.

    name, title, source     what the file is and where its text stands
    [thresholds.NAME]       passage
                            figure: ``month`` (the month so far) or ``rolling_30_days``
                            against: ``base`` (the base level) or ``lifetime`` (the table's whole history)
                            points: percentage points of the drop; or
                            deviations: standard deviations of the win; more than that is to be investigated

    [cash.NAME]             passage
                            currency: of which the amount is
                            more_than or least: minor units that a player brings, or takes away, in a gaming day

All arithmetic is exact: money is an int of minor units, a hold is a fraction.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec

from replay.money import shown
from replay.rules import RuleError


class Threshold(msgspec.Struct, frozen=True, kw_only=True):
    """One threshold. Exactly one of ``points`` and ``deviations`` is set; a figure beyond it is to be investigated."""

    name: str
    passage: str
    figure: str
    """``month`` or ``rolling_30_days``."""
    against: str
    """``base`` or ``lifetime``."""
    points: Fraction | None = None
    """Percentage points of the drop."""
    deviations: Fraction | None = None
    """Standard deviations of the win."""


class CashThreshold(msgspec.Struct, frozen=True, kw_only=True):
    """What a player's cash of a gaming day is held against, that which comes in and that which goes out."""

    name: str
    passage: str
    currency: str
    least: int
    """Minor units: from so much on it is to be looked at."""


class Jurisdiction(msgspec.Struct, frozen=True, kw_only=True):
    """What one regulator asks for."""

    name: str
    title: str
    source: str
    thresholds: tuple[Threshold, ...]
    cash: tuple[CashThreshold, ...] = ()


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What one table, or all tables of one game, have taken in. Money is an int of minor units.

    A figure that is not known is None (a table in its first month has no base): what would need it is left out.
    """

    casino: str
    table: str
    """Empty: all tables of the game."""
    game: str
    currency: str
    drop: int
    """The month so far."""
    win: int
    theoretical_win: int | None = None
    """What the stakes of the month were expected to bring, by the exact odds."""
    standard_deviation: int | None = None
    """Of the month's win."""
    base_hold: Fraction | None = None
    """Win over drop of the previous business year; in the first year, of the previous month."""
    rolling_drop: int | None = None
    """The last thirty days."""
    rolling_win: int | None = None
    rolling_standard_deviation: int | None = None
    lifetime_hold: Fraction | None = None
    """Win over drop of the table's whole history."""

    @property
    def hold(self) -> Fraction | None:
        """Win over drop of the month so far; None without a drop."""
        return Fraction(self.win, self.drop) if self.drop > 0 else None


class Investigation(msgspec.Struct, frozen=True, kw_only=True):
    """One figure that must be investigated."""

    jurisdiction: str
    threshold: str
    passage: str
    casino: str
    table: str
    game: str
    hold: Fraction
    """Win over drop as it is."""
    against: Fraction
    """What it is held against."""
    beyond: Fraction
    """How far off it is, in the threshold's unit: points of the drop, or standard deviations. Negative: it won less."""
    most: Fraction
    """What the threshold allows, in the same unit."""
    text: str
    """One sentence that a pit boss understands."""


def investigate(figures: Iterable[Figures], jurisdiction: Jurisdiction) -> list[Investigation]:
    """What must be investigated, and why, in the order of ``figures`` and of the jurisdiction's thresholds.

    >>> month = Figures(casino="c", table="BJ01", game="blackjack", currency="USD", drop=1_000_000_00,
    ...                 win=120_000_00, base_hold=Fraction(16, 100))
    >>> [each.passage for each in investigate([month], jurisdiction("US-KS"))]
    ['K.A.R. 112-108-51(c)']
    """
    return [
        found
        for each in figures
        for threshold in jurisdiction.thresholds
        if (found := _beyond(each, threshold, jurisdiction.name)) is not None
    ]


def _beyond(figures: Figures, threshold: Threshold, jurisdiction: str) -> Investigation | None:
    drop: int | None = figures.drop
    win: int | None = figures.win
    deviation = figures.standard_deviation
    if threshold.figure == "rolling_30_days":
        drop, win, deviation = figures.rolling_drop, figures.rolling_win, figures.rolling_standard_deviation
    against = figures.base_hold if threshold.against == "base" else figures.lifetime_hold
    if drop is None or drop <= 0 or win is None or against is None:
        return None
    hold = Fraction(win, drop)
    if threshold.points is not None:
        beyond, most, unit = (hold - against) * 100, threshold.points, "points"
    elif deviation:
        assert threshold.deviations is not None
        beyond, most, unit = (win - against * drop) / deviation, threshold.deviations, "standard deviations"
    else:
        return None
    if abs(beyond) <= most:
        return None
    what = f"table {figures.table}" if figures.table else f"the tables of {figures.game}"
    text = (
        f"{_SPANS[threshold.figure]} {what} won {shown(win, figures.currency)} of a drop of"
        f" {shown(drop, figures.currency)}: {_decimal(hold * 100)} % against {_decimal(against * 100)} %"
        f" {_AGAINST[threshold.against]}, {_decimal(abs(beyond))} {unit} {'more' if beyond > 0 else 'less'};"
        f" more than {_decimal(most)} must be investigated"
    )
    return Investigation(
        jurisdiction=jurisdiction,
        threshold=threshold.name,
        passage=threshold.passage,
        casino=figures.casino,
        table=figures.table,
        game=figures.game,
        hold=hold,
        against=against,
        beyond=beyond,
        most=most,
        text=text,
    )


_SPANS: Final = {"month": "This month", "rolling_30_days": "In the last 30 days"}
_AGAINST: Final = {"base": "at its base level", "lifetime": "over its lifetime"}


def _decimal(value: Fraction) -> str:
    """Two decimals, halves away from zero, zeros at the end left out.

    >>> _decimal(Fraction(-5, 2)), _decimal(Fraction(4)), _decimal(Fraction(5, 1000))
    ('-2.5', '4', '0.01')
    """
    hundredths = int(abs(value) * 100 + Fraction(1, 2))
    text = f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")
    return f"-{text}" if value < 0 and hundredths else text


def read_jurisdiction(text: str) -> Jurisdiction:
    """A jurisdiction from the text of its file. Raises `RuleError` naming what is wrong."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"not TOML: {error}") from None
    for key in ("name", "title", "source"):
        if not isinstance(data.get(key), str) or not data[key]:
            raise RuleError(f"{key}: a text is missing")
    tables, of_cash = data.get("thresholds", {}), data.get("cash", {})
    if not isinstance(tables, dict) or not isinstance(of_cash, dict) or not (tables or of_cash):
        raise RuleError("thresholds: at least one is needed")
    return Jurisdiction(
        name=data["name"],
        title=data["title"],
        source=data["source"],
        thresholds=tuple(_threshold(name, table) for name, table in tables.items()),
        cash=tuple(_cash(name, table) for name, table in of_cash.items()),
    )


def _cash(name: str, table: Any) -> CashThreshold:
    where = f"cash.{name}"
    if not isinstance(table, dict):
        raise RuleError(f"{where}: a table is needed, not {table!r}")
    for key in table:
        if key not in ("passage", "currency", "more_than", "least"):
            raise RuleError(f"{where}.{key}: no such setting")
    for key in ("passage", "currency"):
        if not isinstance(table.get(key), str) or not table[key]:
            raise RuleError(f"{where}.{key}: a text is missing")
    if ("more_than" in table) == ("least" in table):
        raise RuleError(f"{where}: either more_than or least")
    unit = "more_than" if "more_than" in table else "least"
    amount = table[unit]
    if type(amount) is not int or amount <= 0:
        raise RuleError(f"{where}.{unit}: a positive whole number of minor units, not {amount!r}")
    least = amount + 1 if unit == "more_than" else amount
    return CashThreshold(name=name, passage=table["passage"], currency=table["currency"], least=least)


def _threshold(name: str, table: Any) -> Threshold:
    where = f"thresholds.{name}"
    if not isinstance(table, dict):
        raise RuleError(f"{where}: a table is needed, not {table!r}")
    for key in table:
        if key not in ("passage", "figure", "against", "points", "deviations"):
            raise RuleError(f"{where}.{key}: no such setting")
    if not isinstance(table.get("passage"), str) or not table["passage"]:
        raise RuleError(f"{where}.passage: a text is missing")
    for key, known in (("figure", _SPANS), ("against", _AGAINST)):
        if table.get(key) not in known:
            raise RuleError(f"{where}.{key}: one of {', '.join(known)}, not {table.get(key)!r}")
    if ("points" in table) == ("deviations" in table):
        raise RuleError(f"{where}: either points or deviations")
    unit = "points" if "points" in table else "deviations"
    try:
        if not isinstance(table[unit], str):
            raise ValueError
        most = Fraction(table[unit])
        if most <= 0:
            raise ValueError
    except (ValueError, ZeroDivisionError):
        raise RuleError(f"{where}.{unit}: a positive number as a string, as in '3', not {table[unit]!r}") from None
    return Threshold(
        name=name,
        passage=table["passage"],
        figure=table["figure"],
        against=table["against"],
        points=most if unit == "points" else None,
        deviations=most if unit == "deviations" else None,
    )


@cache
def jurisdiction_names() -> tuple[str, ...]:
    """The jurisdictions whose thresholds come with retally, by name."""
    names = (entry.name for entry in resources.files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def jurisdiction(name: str) -> Jurisdiction:
    """The jurisdiction of this name (``US-KS``); raises `RuleError`."""
    if name not in jurisdiction_names():
        raise RuleError(f"there is no jurisdiction {name} (there are: {', '.join(jurisdiction_names())})")
    return read_jurisdiction(resources.files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
