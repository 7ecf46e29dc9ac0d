"""A gaming day's streaks out of a store: what has alarmed, and what stands out over the floor and over days."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import msgspec
from rich.markup import escape

from replay.results import Finding, Streak
from replay.streaks import floor
from replay.streaks.floor import Raised
from streams.store import Store

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN: Final = 20


class StreaksError(ValueError):
    """What was asked about streaks cannot be: one clear line."""


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
    investigations: list[dict[str, str]]
    """What the jurisdiction wants to be investigated, and under which passage, as the nightly report says it."""
    readings: list[Streak]
    """The last reading of each process, those nearest to an alarm first."""

    @property
    def clean(self) -> bool:
        """Nothing stands out."""
        return not (self.alarms or self.raised or self.over_days or self.investigations)


Required = Callable[[datetime.date], list[dict[str, str]]]
"""What is to be investigated on a gaming day."""


def night_of(store: Store, date: str | None, level: str, said_at: str, required: Required) -> Night:
    """What ``store`` holds of a gaming day, the last one where ``date`` is None. ``said_at``: the level of the audit.

    Raises:
        StreaksError: there is no such day, or a level is no chance.
    """
    chance, audited = chance_of("--level", level), chance_of("--alarms-at", said_at)
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
        investigations=required(day),
        readings=sorted(last.values(), key=lambda row: (row.alarm_milli - row.e_milli, row.session, row.process)),
    )


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
            console.print(escape(found["text"]))
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
