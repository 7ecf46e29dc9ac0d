"""A line of a log, read once and by one parser, whoever asks: the event that it is, or whose it is and why it is none.

What a line is besides its session and number (its type, its round, a checkpoint's chain, key and signature) only an
event tells. Of a line that `replay.events.decode` refuses, no more is read than whose it is, and that strictly: it must
be an object of JSON that says so once.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from replay import strict
from replay.events import MAX_EVENT_BYTES, Refusal, decode

_MAX_SEQ: Final = 10**9
_SESSION: Final = re.compile(rb'"session"[ \t\r\n]*:[ \t\r\n]*"([^"]*)"')
_IDENTIFIER: Final = re.compile(r"[ !#-\[\]-~]{1,64}").fullmatch
"""See `replay.event_fields.Identifier`."""


class Line(NamedTuple):
    """What a line is."""

    session: str
    """Empty: it cannot be told."""
    seq: int
    """0: it cannot be told."""
    event: Any
    """None: it was refused."""
    reason: str
    """Why it was refused."""

    @property
    def type(self) -> str:
        """The event's; empty where it was refused."""
        return "" if self.event is None else self.event.type

    @property
    def round(self) -> int | None:
        """The event's."""
        return None if self.event is None else self.event.round


def read(line: bytes) -> Line:
    """What this line is."""
    try:
        event = decode(line)
    except Refusal as refusal:
        return Line(*whose(line), None, str(refusal))
    return Line(event.session, event.seq, event, "")


def whose(line: bytes) -> tuple[str, int]:
    """The session and sequence number of a line that was refused; ``("", 0)`` where they cannot be read. Of one that is
    too long they are not, for a file's reader gives no more than its beginning."""
    found = strict.pairs(line) if len(line) <= MAX_EVENT_BYTES else None
    if found is None:
        return "", 0
    session, seq = strict.only(found, "session"), strict.only(found, "seq")
    if type(session) is not str or type(seq) is not int or not 1 <= seq <= _MAX_SEQ or not _IDENTIFIER(session):
        return "", 0
    return session, seq


def session_of(line: bytes) -> bytes:
    """The name under which a line is dealt out: that of its session, where `read` can tell it. Of lines that belong to
    nobody some have one too. Ten times as fast as `read`."""
    found = _SESSION.findall(line)
    if len(found) == 1 and b"\\" not in line:
        name: bytes = found[0]
        return name
    return read(line).session.encode()
