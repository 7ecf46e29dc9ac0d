"""A gaming day's streaks out of a store: what has alarmed, what stands out over the floor and over days, and what a
regulator wants to be investigated."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import msgspec
from rich.markup import escape

from replay.results import Finding, Streak
from replay.streaks import floor
from replay.streaks.floor import Raised
from replay.streaks.jurisdictions import Figures, Investigation, investigate, jurisdiction
from streams.store import Store
from streams.streaks import StreaksError

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN: Final = 20
_WIN: Final = "`drop` + float_close + credits - float_open - fills"


class Night(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day's streaks."""

    date: str
    level: str
    """Of what is raised over the floor, at most this part is false in the mean."""
    processes: int
    """So many watched."""
    alarms: list[Finding]
    """What alarmed by itself, at the level that the audit was given; in order of time."""
    raised: list[Raised]
    """What stands out among all processes of the day (e-BH)."""
    over_days: list[Raised]
    """Players, dealers and tables that stand out over all days up to this one."""
    investigations: list[Investigation]
    """What the jurisdiction wants to be investigated."""
    readings: list[Streak]
    """The last reading of each process, those nearest to an alarm first."""

    @property
    def clean(self) -> bool:
        """Nothing stands out."""
        return not (self.alarms or self.raised or self.over_days or self.investigations)


def night_of(store: Store, date: str | None, level: str, said_at: str, regulator: str | None) -> Night:
    """What ``store`` holds of a gaming day, the last one where ``date`` is None. ``said_at``: the level of the audit.

    Raises:
        StreaksError: there is no such day, or a level is no chance.
        RuleError: there is no such regulator.
    """
    chance, audited = chance_of("--level", level), chance_of("--alarms-at", said_at)
    thresholds = None if regulator is None else jurisdiction(regulator)
    if date is None:
        found = store.query("SELECT toString(max(gaming_day)) AS day, count() AS n FROM sessions_current")[0]
        if not found["n"]:
            raise StreaksError("the store holds no session")
        date = str(found["day"])
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError:
        raise StreaksError(f"--date {date}: not a day such as 2026-11-29") from None
    asked = {"day": day.isoformat()}
    of_day = "gaming_day = toDate({day:String})"
    ever = list(store.read(Streak, "gaming_day <= toDate({day:String})", asked))
    now = [row for row in ever if row.gaming_day == asked["day"]]
    last = {(row.session, row.process): row for row in now}
    alarms = store.read(Finding, f"{of_day} AND kind = 'streak'", asked)
    return Night(
        date=asked["day"],
        level=str(chance),
        processes=len(last),
        alarms=sorted(alarms, key=lambda row: (row.at_us, row.session, row.seq)),
        raised=floor.night(now, chance, said_at=audited),
        over_days=floor.over_days(ever, chance),
        investigations=[] if thresholds is None else investigate(_figures(store, day), thresholds),
        readings=sorted(last.values(), key=lambda row: (row.alarm_milli - row.e_milli, row.session, row.process)),
    )


def _figures(store: Store, day: datetime.date) -> list[Figures]:
    """What each table has taken in up to ``day``: the month so far, the last thirty days, its base, its life.

    The base is the calendar year before, in a table's first year the month before.
    """
    month = day.replace(day=1)
    before = (month - datetime.timedelta(days=1)).replace(day=1)
    periods: dict[str, tuple[datetime.date, datetime.date]] = {
        "month": (month, day),
        "rolling": (day - datetime.timedelta(days=29), day),
        "year": (datetime.date(day.year - 1, 1, 1), datetime.date(day.year - 1, 12, 31)),
        "previous": (before, month - datetime.timedelta(days=1)),
        "life": (datetime.date(1970, 1, 2), day),
    }
    sums = ", ".join(
        f"sumIf(`drop`, {within}) AS {name}_drop, sumIf({_WIN}, {within}) AS {name}_win"
        for name, (first, end) in periods.items()
        for within in (f"gaming_day >= toDate('{first}') AND gaming_day <= toDate('{end}')",)
    )
    rows = store.query(
        f"SELECT casino, `table`, game, currency, {sums} FROM sessions_current WHERE state = 'closed'"
        " GROUP BY casino, `table`, game, currency ORDER BY casino, `table`, game, currency"
    )
    return [
        Figures(
            casino=row["casino"],
            table=row["table"],
            game=row["game"],
            currency=row["currency"],
            drop=row["month_drop"],
            win=row["month_win"],
            base_hold=_hold(row, "year") or _hold(row, "previous"),
            rolling_drop=row["rolling_drop"],
            rolling_win=row["rolling_win"],
            lifetime_hold=_hold(row, "life"),
        )
        for row in rows
    ]


def _hold(row: dict[str, Any], period: str) -> Fraction | None:
    drop = row[f"{period}_drop"]
    return Fraction(row[f"{period}_win"], drop) if drop > 0 else None


def chance_of(option: str, level: str) -> Fraction:
    """The level in ``level``; raises `StreaksError`."""
    try:
        chance = Fraction(level)
    except (ValueError, ZeroDivisionError):
        chance = Fraction(0)
    if not 0 < chance <= 1:
        raise StreaksError(f"{option} {level}: not a chance such as 1/100 or 0.01, above 0 and at most 1")
    return chance


def show(night: Night, console: Console) -> None:
    """Print it."""
    console.print(f"[bold]{night.date}[/]  {night.processes:,} processes watched for streaks")
    for alarm in night.alarms:
        colour = "red" if alarm.severity.value == "severe" else "yellow"
        where = f"{escape(alarm.table)} round {alarm.round}, event {alarm.seq}"
        console.print(f"[{colour}]{escape(alarm.code)}[/]  {where}: {escape(alarm.text)}")
    if not night.alarms:
        console.print("No alarm.")
    for title, raised in (("over the floor", night.raised), ("over the days", night.over_days)):
        console.rule(f"what stands out {title}, at {night.level}", align="left")
        for one in raised:
            console.print(f"{one.rank}. {escape(one.text)}")
        if not raised:
            console.print("nothing")
    if night.investigations:
        console.rule("what the regulator wants to be investigated", align="left")
        for found in night.investigations:
            console.print(escape(found.text))
    if night.readings:
        _show_readings(night.readings[:_SHOWN], console)


def _show_readings(readings: list[Streak], console: Console) -> None:
    from rich.table import Table

    table = Table("table", "process", "bets on", "seen", "won", "needed", "stands")
    table.title = "Nearest to an alarm (powers of ten)"
    for row in readings:
        table.add_row(
            escape(row.table),
            escape(row.process),
            row.code.replace("_", " "),
            f"{row.observations:,}",
            f"{row.e_milli / 1000:.1f}",
            f"{row.alarm_milli / 1000:.1f}",
            row.state,
        )
    console.print(table)
