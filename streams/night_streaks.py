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
from streams.gaming_days import known_day
from streams.store import Store


class StreaksError(RetallyError):
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


def night_of(store: Store, date: str | None, level: Fraction, said_at: Fraction, required: Required) -> Night:
    """What ``store`` holds of a gaming day, the last one where ``date`` is None. ``said_at``: the level of the audit.

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
    return Night(
        date=asked["day"],
        level=str(level),
        processes=len(last),
        alarms=sorted(alarms, key=lambda row: (row.at_us, row.session, row.seq)),
        raised=floor.night(now, level, said_at=said_at),
        over_days=floor.over_days(ever, level),
        investigations=required(day),
        readings=sorted(last.values(), key=floor.urgency),
    )
