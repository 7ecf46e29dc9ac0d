"""A gaming day's streaks out of a store: what has alarmed, and how every process stands."""

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import msgspec
from rich.markup import escape

from replay.results import Finding, Streak
from streams.store import Store
from streams.streaks import StreaksError

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN: Final = 20


class Night(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day's streaks."""

    date: str
    level: str
    processes: int
    """So many watched."""
    alarms: list[Finding]
    """What alarmed by itself, at the level that the audit was given; in order of time."""
    readings: list[Streak]
    """The last reading of each process, those nearest to an alarm first."""


def night_of(store: Store, date: str | None, level: str) -> Night:
    """What ``store`` holds of a gaming day, the last one where ``date`` is None.

    Raises:
        StreaksError: there is no such day, or ``level`` is no chance.
    """
    chance = chance_of(level)
    if date is None:
        found = store.query("SELECT toString(max(gaming_day)) AS day, count() AS n FROM sessions_current")[0]
        if not found["n"]:
            raise StreaksError("the store holds no session")
        date = str(found["day"])
    else:
        try:
            date = datetime.date.fromisoformat(date).isoformat()
        except ValueError:
            raise StreaksError(f"--date {date}: not a day such as 2026-11-29") from None
    of_day = "gaming_day = toDate({day:String})"
    last = {(row.session, row.process): row for row in store.read(Streak, of_day, {"day": date})}
    alarms = store.read(Finding, f"{of_day} AND kind = 'streak'", {"day": date})
    return Night(
        date=date,
        level=str(chance),
        processes=len(last),
        alarms=sorted(alarms, key=lambda row: (row.at_us, row.session, row.seq)),
        readings=sorted(last.values(), key=lambda row: (row.alarm_milli - row.e_milli, row.session, row.process)),
    )


def chance_of(level: str) -> Fraction:
    """The level in ``level``; raises `StreaksError`."""
    try:
        chance = Fraction(level)
    except (ValueError, ZeroDivisionError):
        chance = Fraction(0)
    if not 0 < chance <= 1:
        raise StreaksError(f"--level {level}: not a chance such as 1/100 or 0.01, above 0 and at most 1")
    return chance


def show(night: Night, console: Console) -> None:
    """Print it."""
    from rich.table import Table

    console.print(f"[bold]{night.date}[/]  {night.processes:,} processes watched for streaks")
    for alarm in night.alarms:
        colour = "red" if alarm.severity.value == "severe" else "yellow"
        console.print(
            f"[{colour}]{escape(alarm.code)}[/]  {escape(alarm.table)} round {alarm.round}, event {alarm.seq}:"
            f" {escape(alarm.text)}"
        )
    if not night.alarms:
        console.print("No alarm.")
    if night.readings:
        table = Table("table", "process", "bets on", "observations", "won", "needed", "stands")
        table.title = "Nearest to an alarm (powers of ten)"
        for row in night.readings[:_SHOWN]:
            table.add_row(
                escape(row.table), escape(row.process), row.code.replace("_", " "), f"{row.observations:,}",
                f"{row.e_milli / 1000:.1f}", f"{row.alarm_milli / 1000:.1f}", row.state,
            )  # fmt: skip
        console.print(table)
