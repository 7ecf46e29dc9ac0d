"""A gaming day's streaks out of a store: what has alarmed, and what stands out over the floor and over days."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from fractions import Fraction

import msgspec

from replay.errors import RetallyError
from replay.results import Finding, Streak
from replay.streaks import floor
from replay.streaks.floor import Raised
from replay.streaks.watch import really
from streams.gaming_days import known_day
from streams.store import Store


class StreaksError(RetallyError):
    """What was asked about streaks cannot be: one clear line."""


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for one casino's floor."""

    casino: str
    tables: int
    """So many were open."""
    of: int
    """So many at most, says whoever set the level."""
    nights: int
    """Were all well, anything would be raised in at most one night of so many."""


class Night(msgspec.Struct, frozen=True, kw_only=True):
    """A gaming day's streaks."""

    date: str
    level: str
    """Of the whole of it: were all well, anything would be raised with at most this chance."""
    bounds: list[Bound]
    """What really holds, by casino: less where more tables were open than the level was meant for."""
    processes: int
    """So many watched."""
    alarms: list[Finding]
    """What alarmed by itself, at the night's half of the level that the audit was given; in order of time."""
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


def night_of(
    store: Store, date: str | None, level: Fraction, said_at: Fraction, tables: int, required: Required
) -> Night:
    """What ``store`` holds of a gaming day, the last one where ``date`` is None. ``said_at``: the level of the audit,
    for at most so many ``tables``.

    Raises:
        StreaksError: that is no day, or the store is empty.
        DayError: the store has no session of the day.
    """
    if date is None:
        found = store.query("SELECT toString(max(gaming_day)) AS day, count() AS n FROM sessions_current")[0]
        if not found["n"]:
            raise StreaksError("the store holds no session")
        date = str(found["day"])
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError:
        raise StreaksError(f"--date {date}: not a day such as 2026-11-29") from None
    known_day(store, day)
    asked = {"day": day.isoformat()}
    of_day = "gaming_day = toDate({day:String})"
    ever = list(store.read(Streak, "gaming_day <= toDate({day:String})", asked))
    now = [row for row in ever if row.gaming_day == asked["day"]]
    last = {(row.session, row.process): row for row in now}
    alarms = store.read(Finding, f"{of_day} AND kind = 'streak'", asked)
    floors = store.query(
        f"SELECT casino, count() AS tables FROM sessions_current WHERE {of_day} GROUP BY casino ORDER BY casino", asked
    )
    return Night(
        date=asked["day"],
        level=str(level),
        bounds=[bound(row["casino"], max(level, said_at), tables, row["tables"]) for row in floors],
        processes=len(last),
        alarms=sorted(alarms, key=lambda row: (row.at_us, row.session, row.seq)),
        raised=floor.night(now, level, said_at=said_at),
        over_days=floor.over_days(ever, level),
        investigations=required(day),
        readings=sorted(last.values(), key=floor.urgency),
    )


def bound(casino: str, level: Fraction, tables: int, were_open: int) -> Bound:
    """What holds for a floor that was watched at ``level`` as one of ``tables`` tables."""
    nights = floor.nights(really(level, tables, were_open))
    return Bound(casino=casino, tables=were_open, of=tables, nights=nights)


def too_many(date: str, found: Bound) -> str:
    """What is to be said where more tables were open than the level was meant for; empty where none were.

    >>> too_many("2026-11-29", bound("valira", Fraction(1, 100), 20, 20))
    ''
    >>> print(too_many("2026-11-29", bound("valira", Fraction(1, 100), 20, 60)))
    2026-11-29, valira: 60 tables, but --tables 20: were all well, anything would be raised in 1 night of 50 at most
    """
    if found.tables <= found.of:
        return ""
    return (
        f"{date}, {found.casino}: {found.tables} tables, but --tables {found.of}: were all well, anything would be"
        f" raised in 1 night of {found.nights} at most"
    )
