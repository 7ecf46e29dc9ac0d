"""A million lines between good and bad: the fast way, the models and an independent reader make the same of each, and
the auditor loses none."""

from __future__ import annotations

from itertools import islice
from typing import Any

from replay.audit import Auditor
from replay.events import decode
from replay.results import RawEvent, Rejected, SessionSummary
from tests.installed import judged
from tests.replay import fuzz, logs

_LINES = 1_000_000
_BATCH = 5_000


def lines() -> list[str]:
    """Raises AssertionError at the first line on which two disagree; takes a quarter of an hour."""
    drawn = fuzz.lines(1, _LINES)
    accepted = rejected = kept = copies = place = 0
    auditor = Auditor(judged(keys=logs.KEYS), raw=True)

    def count(rows: list[Any]) -> None:
        nonlocal rejected, kept, copies
        rejected += sum(isinstance(row, Rejected) for row in rows)
        kept += sum(isinstance(row, RawEvent) for row in rows)
        copies += sum(row.duplicates for row in rows if isinstance(row, SessionSummary))

    while batch := list(islice(drawn, _BATCH)):
        for line in batch:
            place += 1
            assert not (wrong := fuzz.differs(line)), (place, wrong, line)
            accepted += fuzz.outcome(decode, line) is not None
            auditor.feed(line, "drawn", place)
        count(auditor.drain())
    count(auditor.finish())
    assert (place, auditor.lines, rejected, kept + copies) == (_LINES, _LINES, _LINES - accepted, accepted)
    return [f"{_LINES:,} lines, {accepted:,} of them events: three readers agree on each; the auditor lost none"]
