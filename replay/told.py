"""What a session says, held against what is stored of it: what must be written so that the two are one.

A store's rows only ever gain a higher revision. So a row that a store holds and that no longer holds is taken back
(`replay.revisions.take_back`, `take_back_own`), one that says something else is said again, and both bear a revision
above all that is stored of their session.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from replay.results import RawEvent, Row, SessionSummary
from replay.revisions import identity, take_back, taken_back
from replay.saying import UNKNOWN_DAY
from replay.segment import Said

Key = tuple[Any, ...]
"""What a store tells rows apart by: identity and gaming day."""

NOT_THERE: Final = "taken_back"
"""The state of a session's own row, and the type of a raw event, that is taken back: it does not stand under this
gaming day."""


def key_of(row: Row) -> Key:
    """See `Key`."""
    return (*identity(row), getattr(row, "gaming_day", "") or UNKNOWN_DAY)


def content_of(row: Row) -> tuple[Any, ...]:
    """What a row says, which is all but how often it was said. Rows with equal contents need not be written again."""
    if type(row) is SessionSummary:
        row = msgspec.structs.replace(row, duplicates=0)
    if getattr(row, "gaming_day", "") == UNKNOWN_DAY:
        row = msgspec.structs.replace(row, gaming_day="")  # as the store gives it back
    return msgspec.structs.astuple(row)[:-1]


def final_rows(said: Iterable[Said]) -> dict[Key, Said]:
    """The last word under each key; without what was taken back."""
    last = {key_of(row): row for row in said}
    return {key: row for key, row in last.items() if not taken_back(row)}


def stands(row: Said | SessionSummary) -> bool:
    """Whether a row counts: it is no taking back."""
    return row.state != NOT_THERE if isinstance(row, SessionSummary) else not taken_back(row)


def take_back_own(row: SessionSummary, revision: int) -> SessionSummary:
    """The row that takes back a session's own row, which stood under a day that is not the session's."""
    nothing: dict[str, Any] = {name: 0 if type(getattr(row, name)) is int else "" for name in row.__struct_fields__}
    named = {"session": row.session, "gaming_day": row.gaming_day, "state": NOT_THERE, "revision": revision}
    return SessionSummary(**{**nothing, **named})


def take_back_event(row: RawEvent) -> RawEvent:
    """The row that takes back a raw event, which stood under a day that is not its session's. It has no revision: of
    two rows of one identity the one that was written last counts. It keeps the bytes, so that nothing is lost where
    two programs disagree for a while about the day."""
    return RawEvent(row.session, row.seq, row.digest, row.gaming_day, "", "", NOT_THERE, 0, 0, row.raw)


def corrections(
    now: Iterable[Said | SessionSummary], stored: Iterable[Said | SessionSummary], count: int
) -> list[Said | SessionSummary]:
    """What must be written so that a store which holds ``stored`` of a session says ``now``, no more and no less.

    ``now``: what it finally says, its own row included; ``stored``: of each key the row with the highest revision,
    those that were taken back too; ``count``: distinct events of which it says so. Nothing where nothing differs.
    """
    kept = list(stored)
    if not kept:
        return list(now)
    highest = max(row.revision for row in kept)
    above = max(highest + 1, count)
    standing = {key_of(row): row for row in kept if stands(row)}
    rows: list[Said | SessionSummary] = []
    for row in now:
        known = standing.pop(key_of(row), None)
        if known is not None:
            if content_of(known) == content_of(row):
                continue
            if isinstance(row, SessionSummary) and isinstance(known, SessionSummary):
                row = msgspec.structs.replace(row, duplicates=max(row.duplicates, known.duplicates))
        rows.append(row if row.revision > highest else msgspec.structs.replace(row, revision=above))
    for row in standing.values():
        rows.append(take_back_own(row, above) if isinstance(row, SessionSummary) else take_back(row, above))
    return rows
