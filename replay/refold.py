"""A session as a whole: all of its lines put in order and folded at once, the first time or again.

`fold` is the definition of what a session says; `replay.audit.Auditor`, which takes lines as they come, must come to
the same. `Refold` reads sessions again of which an event came too late.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from replay.audit import UNREADABLE, explain, keep_first
from replay.judging import Judging
from replay.line import read, session_of
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
) -> tuple[list[Said], SessionSummary]:
    """Fold all lines of one session, in whatever order they stand, and give what it finally says and its summary.

    ``without``: leave out these events, given as (seq, SHA-256 of the bytes). This is the definition of what a session
    says: `Auditor` must come to the same.
    """
    session = Session(name, judging, revision=revision)
    ordered = Ordered(name, lines, without)
    for part in ordered:
        if isinstance(part, Hole):
            session.hole(*part)
        else:
            session.step(*part)
    session.finish()
    return final(session.drain()), session.summary(ordered.duplicates)


class Happened(NamedTuple):
    """An event of a session, and its exact bytes."""

    event: Any
    line: bytes


class Hole(NamedTuple):
    """Events that are missing, in dispute or unreadable; see `Session.hole`."""

    first: int
    last: int
    code: str
    reason: str
    versions: tuple[Any, ...] = ()
    """The event's, where it is in dispute."""


class Ordered:
    """All lines of one session put in order: what `Session.step` and `Session.hole` take, one after the other."""

    def __init__(self, name: str, lines: Iterable[bytes], without: frozenset[tuple[int, bytes]] = frozenset()) -> None:
        """``lines``: in whatever order. ``without``: leave out these events, given as (seq, SHA-256 of the bytes)."""
        self._versions: dict[int, dict[bytes, Any]] = {}
        self._refusals: dict[int, str] = {}
        self.duplicates = 0
        """Copies with equal bytes."""
        for line in lines:
            session, seq, event, reason = read(line)
            if session != name or (without and (seq, hashlib.sha256(line).digest()) in without):
                continue
            if event is None:
                keep_first(self._refusals, seq, reason)
                continue
            known = self._versions.setdefault(seq, {})
            self.duplicates += line in known
            known[line] = event

    def __iter__(self) -> Iterator[Happened | Hole]:
        next_seq = 1
        for seq in sorted(self._versions):
            if next_seq < seq:
                for hole in explain(next_seq, seq - 1, self._refusals):
                    yield Hole(*hole)
            known = self._versions[seq]
            if len(known) > 1:
                reason = f"event {seq} came twice, with different contents"
                yield Hole(seq, seq, "conflicting_event", reason, tuple(known.values()))
            else:
                [(line, event)] = known.items()
                yield Happened(event, line)
            next_seq = seq + 1
        while self._versions and next_seq in self._refusals:
            yield Hole(next_seq, next_seq, "rejected_event", UNREADABLE.format(next_seq, self._refusals[next_seq]))
            next_seq += 1


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
            revision = len(set(lines)) + 1
            before, _ = fold(name, lines, self._judging, without=self._late[name], revision=revision)
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
