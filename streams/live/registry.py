"""The registry of sessions: what a worker must know to go on where another one stopped.

A compacted topic with two kinds of record, JSON under a key that tells them apart:

=====================  =====================================================================================
``session/<name>``     the session is ``open``, ``done`` or ``lost``; from where in the four topics it must be
                       read to be folded from its first event; up to where it is done
``position/<number>``  the next offset of each topic in this partition: everything before it has been said, or
                       belongs to a session that is open
=====================  =====================================================================================

What concerns partition N of the topics is written to partition N of the registry, so that it is read in the order in
which it was written. A record without value takes back what was said under its key.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import msgspec

SESSION: Final = b"session/"
POSITION: Final = b"position/"

Offsets = dict[str, int]
"""Topic -> offset, within one partition."""

log = logging.getLogger(__name__)


class State(StrEnum):
    """Where a session stands."""

    OPEN = "open"
    """It is being folded, and must be read again by whoever takes over its partition."""
    DONE = "done"
    """All that it says is in the store. What has been read of it so far changes nothing any more."""
    LOST = "lost"
    """Its first events are no longer in the topics: what the store holds of it stays as it is."""


class SessionEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What the registry says of one session."""

    session: str
    partition: int
    state: State
    start: Offsets
    """Every event of the session lies at these offsets or after them."""
    end: Offsets
    """Done: everything before these offsets has been folded. Empty while it is open."""
    at_s: int
    """When this was said: seconds since 1970-01-01 UTC."""

    @property
    def key(self) -> bytes:
        """The record's key."""
        return SESSION + self.session.encode("utf-8", "surrogatepass")


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """How far a partition has been worked off."""

    partition: int
    next: Offsets

    @property
    def key(self) -> bytes:
        """The record's key."""
        return POSITION + str(self.partition).encode()


Entry = SessionEntry | Position

encode: Final = msgspec.json.Encoder(order="deterministic").encode
"""An entry as the value of its record."""


@dataclass
class PartitionRegistry:
    """What the registry says of one partition."""

    partition: int
    position: Offsets = field(default_factory=dict)
    """Empty: nothing has been read yet."""
    sessions: dict[str, SessionEntry] = field(default_factory=dict)

    def start(self) -> Offsets:
        """From where the topics must be read so that nothing is missed; a topic not named: from its beginning."""
        start = dict(self.position)
        for entry in self.sessions.values():
            if entry.state is State.OPEN:
                for topic, offset in entry.start.items():
                    start[topic] = min(offset, start.get(topic, 0))
        return start


class Registry:
    """The registry as it was read, record by record."""

    def __init__(self) -> None:
        self._partitions: dict[int, PartitionRegistry] = {}
        self._whose: dict[bytes, int] = {}

    def apply(self, key: bytes | None, value: bytes | None) -> None:
        """The next record. One that cannot be read is logged and left out."""
        key = key or b""
        if value is None:
            self._forget(key)
            return
        try:
            if key.startswith(SESSION):
                entry = msgspec.json.decode(value, type=SessionEntry)
                self.partition(entry.partition).sessions[entry.session] = entry
                self._whose[key] = entry.partition
            elif key.startswith(POSITION):
                position = msgspec.json.decode(value, type=Position)
                self.partition(position.partition).position = dict(position.next)
            else:
                log.warning("the registry has a record with the unknown key %r", key[:80])
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            log.error("the registry has a record under %r that cannot be read: %s", key[:80], error)

    def partition(self, number: int) -> PartitionRegistry:
        """What is said of this partition; empty where nothing is."""
        return self._partitions.setdefault(number, PartitionRegistry(number))

    def _forget(self, key: bytes) -> None:
        partition = self._whose.pop(key, None)
        if partition is not None and key.startswith(SESSION):
            self.partition(partition).sessions.pop(key[len(SESSION) :].decode("utf-8", "surrogatepass"), None)
