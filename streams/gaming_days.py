"""Which gaming days a store holds: nothing is said of one that it does not hold, least of all that it is clean."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from replay.errors import RetallyError
from streams.store import Store

SHOWN: Final = 5
"""So many spans of days are named, the last ones."""


class DayError(RetallyError):
    """The store has no session of a gaming day: one clear line."""


def known_day(store: Store, day: date) -> None:
    """Raises `DayError` where the store has no session of the day, with the days of which it has some."""
    rows = store.query("SELECT DISTINCT gaming_day AS day FROM sessions_current ORDER BY day")
    days: list[date] = [row["day"] for row in rows]
    if day not in days:
        raise DayError(f"the store has no session of {day}; {_told(days)}")


def _told(days: list[date]) -> str:
    if not days:
        return "it has none at all"
    spans: list[tuple[date, date]] = []
    for day in days:
        if spans and day - spans[-1][1] == timedelta(days=1):
            spans[-1] = (spans[-1][0], day)
        else:
            spans.append((day, day))
    named = [str(first) if first == last else f"{first} to {last}" for first, last in spans[-SHOWN:]]
    return f"it has {'… ' if len(spans) > SHOWN else ''}{', '.join(named)}"
