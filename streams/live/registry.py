"""The registry of sessions: what a worker must know to go on where another one stopped, and whose a partition is.

A compacted topic with three kinds of record, JSON under a key that tells them apart:

========================  ==================================================================================
``claim/<number>/<who>``  from here on the partition is whose this is; see below
``session/<name>``        the session is ``open``, ``done`` or ``lost``; from where in the four topics it must be
                          read to be folded from its first event; up to where it is done
``position/<number>``     the next offset of each topic in this partition: everything before it has been said, or
                          belongs to a session that is open
========================  ==================================================================================

What concerns partition N of the topics is written to partition N of the registry, so that it is read in the order in
which it was written. A record without value takes back what was said under its key.

**Epochs.** Whoever takes a partition writes a claim first. The broker puts all claims of a partition in one order, and
a claim's place in it is its epoch: no two have the same, and a later one is higher. Every other record, and every row
in the store, bears the epoch of its writer. Of two rows the one of the higher epoch counts (`replay.results`'
``revision``: the epoch comes before the number of events). A record whose epoch is lower than a claim that stands
before it is *stale*: its writer had lost the partition, whatever it believed. A stale record can only make more be
read again: a session that it calls done or lost counts as open. So nobody need be stopped for the right word to win.

**Logs.** Offsets mean something only in the topics in which they were counted. ``log`` names these: a digest of the
topics' ids, which Kafka gives anew when a topic is made anew. What was said of another log holds no more.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

import msgspec

CLAIM: Final = b"claim/"
SESSION: Final = b"session/"
POSITION: Final = b"position/"
EPOCH_BITS: Final = 32
"""A revision has the epoch above so many bits, and below them how many events were known."""

Offsets = dict[str, int]
"""Topic -> offset, within one partition."""

log = logging.getLogger(__name__)


def epoch_of(revision: int) -> int:
    """The epoch of whoever gave a row this revision; 0: an audit, or a worker that knew no epochs."""
    return revision >> EPOCH_BITS


def log_of(ids: Mapping[str, str]) -> str:
    """The name of the log that topics of these ids are; empty where an id is not known (an old broker)."""
    if not all(ids.values()):
        return ""
    return hashlib.sha256("\n".join(f"{topic} {ids[topic]}" for topic in sorted(ids)).encode()).hexdigest()[:16]


def are_two(log: str, other: str) -> bool:
    """Whether these names are of two logs; one that is not known (empty) may be either."""
    return bool(log and other) and log != other


class State(StrEnum):
    """Where a session stands."""

    OPEN = "open"
    """It is being folded, and must be read again by whoever takes over its partition."""
    DONE = "done"
    """All that it says is in the store. What has been read of it so far changes nothing any more."""
    LOST = "lost"
    """It cannot be folded whole: what the store holds of it stays as it is."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A partition is somebody's from here on. Its epoch is ``base`` plus its offset plus one."""

    partition: int
    who: str
    """Different for every claim."""
    base: int
    """No claim has a lower one than those before it: it rises where offsets begin anew."""
    at_s: int
    """When this was said: seconds since 1970-01-01 UTC."""

    @property
    def key(self) -> bytes:
        """The record's key: claims do not replace one another, for what was stale stays so."""
        return CLAIM + f"{self.partition}/{self.who}".encode()


class SessionEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What the registry says of one session."""

    session: str
    partition: int
    state: State
    start: Offsets
    """Every event of the session lies at these offsets or after them. A topic not named: anywhere."""
    end: Offsets
    """Done: everything before these offsets has been folded. Empty while it is open."""
    at_s: int
    """When this was said: seconds since 1970-01-01 UTC."""
    table: str = ""
    """Whose it is; empty while nothing but rejected lines bear its name."""
    epoch: int = 0
    log: str = ""

    @property
    def key(self) -> bytes:
        """The record's key."""
        return SESSION + self.session.encode("utf-8", "surrogatepass")


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """How far a partition has been worked off."""

    partition: int
    next: Offsets
    epoch: int = 0
    log: str = ""

    @property
    def key(self) -> bytes:
        """The record's key."""
        return POSITION + str(self.partition).encode()


Entry = SessionEntry | Position

encode: Final = msgspec.json.Encoder(order="deterministic").encode
"""An entry, or a claim, as the value of its record."""


@dataclass
class PartitionRegistry:
    """What the registry says of one partition."""

    partition: int
    position: Offsets = field(default_factory=dict)
    """Empty: nothing has been read yet."""
    log: str = ""
    """In which the position counts."""
    sessions: dict[str, SessionEntry] = field(default_factory=dict)
    epoch: int = 0
    """Of the last claim; 0: nobody has claimed it."""
    base: int = 0
    claims: dict[str, int] = field(default_factory=dict)
    """Who -> when it was claimed by them."""

    def start(self) -> Offsets:
        """From where the topics must be read so that nothing is missed; a topic not named: from its beginning."""
        start = dict(self.position)
        for entry in self.sessions.values():
            if entry.state is State.OPEN:
                for topic in list(start):
                    if topic in entry.start:
                        start[topic] = min(start[topic], entry.start[topic])
                    else:
                        del start[topic]
        return start

    def needed(self) -> Offsets:
        """From where open sessions need records again, as far as is known."""
        needed: Offsets = {}
        for entry in self.sessions.values():
            if entry.state is State.OPEN:
                for topic, offset in entry.start.items():
                    needed[topic] = min(needed.get(topic, offset), offset)
        return needed

    def counted_in(self, log: str, ends: Mapping[str, int], *, cut_short: bool = False) -> PartitionRegistry | None:
        """What of it holds in this log, whose topics end there; None: all. ``cut_short``: they were shorter once than
        what was read of them.

        Where the topics were made anew, or are shorter than what was read of them, no offset means what it meant. They
        are read from their beginning then (the position is empty): which sessions were open is still known, all others
        will be met as if for the first time. Where that was done before, sessions of the log before are still known:
        their events lie anywhere.
        """
        others = {name for name, entry in self.sessions.items() if are_two(entry.log, log)}
        beyond = cut_short or any(offset > ends.get(topic, offset) for topic, offset in self.position.items())
        if beyond or are_two(self.log, log):
            others = set(self.sessions)
        elif not others:
            return None
        position = {} if beyond or self.log != log else self.position
        sessions = {}
        for name, entry in self.sessions.items():
            if name not in others:
                sessions[name] = entry
            elif entry.state is State.OPEN:
                sessions[name] = msgspec.structs.replace(entry, start={}, end={})
            elif position:
                sessions[name] = msgspec.structs.replace(entry, start={}, end={}, state=State.DONE)
        return replace(self, position=position, sessions=sessions)


class Registry:
    """The registry as it was read, record by record; of each partition in the order of offsets."""

    def __init__(self) -> None:
        self._partitions: dict[int, PartitionRegistry] = {}
        self._whose: dict[bytes, int] = {}

    def apply(self, key: bytes | None, value: bytes | None, offset: int = 0) -> None:
        """The next record. One that cannot be read is logged and left out."""
        key = key or b""
        if value is None:
            self._forget(key)
            return
        try:
            if key.startswith(SESSION):
                entry = msgspec.json.decode(value, type=SessionEntry)
                of_one = self.partition(entry.partition)
                if entry.epoch < of_one.epoch and entry.state is not State.OPEN:
                    entry = msgspec.structs.replace(entry, state=State.OPEN, end={})
                of_one.sessions[entry.session] = entry
                self._whose[key] = entry.partition
            elif key.startswith(POSITION):
                position = msgspec.json.decode(value, type=Position)
                of_one = self.partition(position.partition)
                if position.epoch >= of_one.epoch or not of_one.position:
                    of_one.position, of_one.log = dict(position.next), position.log
            elif key.startswith(CLAIM):
                claim = msgspec.json.decode(value, type=Claim)
                of_one = self.partition(claim.partition)
                of_one.base = max(of_one.base, claim.base)
                of_one.epoch = max(of_one.epoch, claim.base + offset + 1)
                of_one.claims[claim.who] = claim.at_s
                self._whose[key] = claim.partition
            else:
                log.warning("the registry has a record with the unknown key %r", key[:80])
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            log.error("the registry has a record under %r that cannot be read: %s", key[:80], error)

    def partition(self, number: int) -> PartitionRegistry:
        """What is said of this partition; empty where nothing is."""
        return self._partitions.setdefault(number, PartitionRegistry(number))

    def epochs(self) -> dict[int, int]:
        """Partition -> the epoch of its last claim."""
        return {of_one.partition: of_one.epoch for of_one in self._partitions.values()}

    def torn(self, log: str) -> dict[str, frozenset[int]]:
        """Session -> the partitions by which events of it have come in this log; without sessions that come by one
        alone."""
        homes: dict[str, set[int]] = {}
        for of_one in self._partitions.values():
            for entry in of_one.sessions.values():
                if entry.table and not are_two(entry.log, log):
                    homes.setdefault(entry.session, set()).add(entry.partition)
        return {name: frozenset(found) for name, found in homes.items() if len(found) > 1}

    def _forget(self, key: bytes) -> None:
        partition = self._whose.pop(key, None)
        if partition is not None and key.startswith(SESSION):
            self.partition(partition).sessions.pop(key[len(SESSION) :].decode("utf-8", "surrogatepass"), None)
        elif partition is not None and key.startswith(CLAIM):
            self.partition(partition).claims.pop(key[len(CLAIM) :].decode().partition("/")[2], None)


@dataclass(frozen=True, kw_only=True)
class Holding:
    """A partition as it was taken."""

    registry: PartitionRegistry
    epoch: int = 0
    """Ours."""
    log: str = ""
    """In which offsets count from now on."""
    first: Offsets = field(default_factory=dict)
    """From where the topics have their records still; a topic not named: from 0."""
    asks: bool = False
    """Sessions that are met may have been told of before, though the registry does not know them: ask the store."""
