"""A session as a whole: all of its lines put in order and folded at once, the first time or again.

`fold` is the definition of what a session says; `replay.audit.Auditor`, which takes lines as they come, must come to
the same. `Refold` reads sessions again of which an event came too late, or puts right what was said before it.
"""

from __future__ import annotations

from collections.abc import Iterable

from replay.judging import Judging
from replay.line import session_of
from replay.order import Ordered
from replay.results import Row, SessionSummary
from replay.revisions import final, identity, take_back
from replay.segment import Said
from replay.session import Session


def fold(
    name: str,
    lines: Iterable[bytes],
    judging: Judging,
    *,
    revision: int | None = None,
    without: frozenset[tuple[int, bytes]] = frozenset(),
    put_right: bool = True,
) -> tuple[list[Said], SessionSummary]:
    """Fold all lines of one session, in whatever order they stand, and give what it finally says and its summary.

    ``without``: leave out these events, given as (seq, SHA-256 of the bytes). ``put_right=False``: fold what is put
    right as it was said, and say nothing of what puts it right. This is the definition of what a session says:
    `Auditor` must come to the same.
    """
    session = Session(name, judging, revision=revision)
    ordered = Ordered(name, lines, judging.keys, without, put_right=put_right)
    for part in ordered:
        part.befall(session)
    session.finish()
    return final(session.drain()), session.summary(ordered.duplicates)


class Refold:
    """Reads late sessions again: collect their lines, then get what supersedes what was said the first time."""

    def __init__(self, late: dict[str, frozenset[tuple[int, bytes]]], judging: Judging) -> None:
        self.superseded: list[Row] = []
        """What was said the first time and holds no longer, once `rows` has been asked for."""
        self._late = late
        self._lines: dict[bytes, list[bytes]] = {name.encode(): [] for name in late}
        self._judging = judging

    def feed(self, line: bytes) -> None:
        """One line of the log, of whatever session."""
        lines = self._lines.get(session_of(line))
        if lines is not None:
            lines.append(line)

    def rows(self) -> list[Row]:
        """What is said now and was not, under a higher revision; what no longer holds, as taken back."""
        rows: list[Row] = []
        for name in self._late:
            lines = self._lines[name.encode()]
            revision = len(set(lines)) + 2  # above a reading at the end of the log, which bears one more than there are
            late = self._late[name]
            before, _ = fold(name, lines, self._judging, without=late, revision=revision, put_right=False)
            now, summary = fold(name, lines, self._judging, revision=revision)
            said_now = {identity(row): row for row in now}
            said_before = {identity(row): row for row in before}
            fresh = [row for key, row in said_now.items() if said_before.get(key) != row]
            self.superseded += [row for key, row in said_before.items() if said_now.get(key) != row]
            rows += [
                take_back(row, revision)
                for key, row in said_before.items()
                if key not in said_now or said_now[key].gaming_day != row.gaming_day
            ]
            rows += fresh
            rows.append(summary)
        return rows
