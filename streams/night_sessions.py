"""The sessions of which the house tells when it seals a night: those of the night, and of nights before what came late.

Which sessions there are is told by decoded events, and of which gaming day a session is by its fold; a line that was
only looked at decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from replay.bundle.house_log import FloorLog
from replay.bundle.sealing import Judged, judged
from replay.judging import Judging
from streams.sources import Surveyed


class NightSessions(NamedTuple):
    """What a source holds for a night."""

    judged: list[Judged]
    """The sessions of the night, and those of nights before that the log does not have as they are now."""
    later: list[str]
    """Sessions of nights to come."""
    before: list[str]
    """Sessions of days before the log's first night: they are in no log."""
    unread: list[str]
    """Sessions of which no event can be read: they are in no night."""


def sessions_for(source: Surveyed, date: str, log: FloorLog, judging: Judging) -> NightSessions:
    """What ``source`` holds for the night of ``date``, the next of ``log``. Raises `streams.sources.SourceError`."""
    judging = msgspec.structs.replace(judging, watching=None)
    survey = source.survey()
    found = NightSessions([], [], [], sorted(name for name, seen in survey.items() if not seen.events))
    wanted: set[str] = set()
    for name, seen in survey.items():
        sealed = log.sessions.get(name)
        if seen.events and seen.day > date:
            found.later.append(name)
        elif seen.events and (sealed is None or sealed.events != seen.events):
            wanted.add(name)
    for one in _judged(source, wanted, log, judging):
        if one.date > date:
            found.later.append(one.session)
        elif one.date < (log.state.first or date):
            found.before.append(one.session)
        else:
            found.judged.append(one)
    found.later.sort()
    return found


def _judged(source: Surveyed, names: set[str], log: FloorLog, judging: Judging) -> Iterator[Judged]:
    for name, lines in source.sessions(names):
        sealed = log.sessions.get(name)
        one = judged(name, lines, judging, beginning=0 if sealed is None else sealed.events)
        if one is not None:
            yield one
