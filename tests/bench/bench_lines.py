"""A million lines between good and bad: the fast way, the models and an independent reader make the same of each, the
auditor loses none, and says of them what their fold says in whatever order they come."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

from replay.audit import Auditor
from replay.events import decode
from replay.results import RawEvent, Rejected, SessionSummary
from tests.installed import judged
from tests.replay import fuzz, logs

_LINES = 1_000_000
_BATCH = 5_000
_NIGHT = 250
"""So many lines are folded together."""
_ORDERS = 2
"""Of `fuzz.orders`, drawn anew for each."""


def lines() -> list[str]:
    """Raises AssertionError at the first line on which two disagree; takes ten minutes."""
    drawn = fuzz.lines(1, _LINES)
    chance = random.Random(1)
    accepted = rejected = kept = copies = place = folds = 0
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
        for first in range(0, len(batch), _NIGHT):
            night = batch[first : first + _NIGHT]
            expected = fuzz.said_of(night)
            for order in chance.sample(list(fuzz.orders(chance, night)), _ORDERS):
                folds += 1
                assert fuzz.audited(order) == expected, (place, first)
    count(auditor.finish())
    assert (place, auditor.lines, rejected, kept + copies) == (_LINES, _LINES, _LINES - accepted, accepted)
    return [
        f"{_LINES:,} lines, {accepted:,} of them events: three readers agree on each; the auditor lost none",
        f"{folds:,} audits of {_NIGHT} lines in different orders say what their fold says",
    ]
