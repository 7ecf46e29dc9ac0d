"""A worker's share of the floor, without Kafka, Faust, clock or thread: records in, batches out.

The order of things, for whoever drives it (one thread calls `LiveFloor`; `Batch.write` and `Reading.feed`/`fold` may
run in others):

1. A partition is assigned: read the registry's partition to its end, `LiveFloor.assign`, read the four topics from what
   that returns up to their ends of this moment, giving every record to `take` (the four topics about evenly, best
   merged by the records' times: what runs ahead is held in memory), then `caught_up`. Records of the stream are given
   to `take` only after that.
2. The stream: `take` every record, of each topic and partition in the order of offsets. What was taken before is
   ignored; where offsets were skipped, the engine asks for them (`wanted`).
3. Every 200 ms or so: `batch`, `Batch.write` in a thread (again and again until it succeeds), `written`. While
   `LiveFloor.full`, take nothing.
4. At any time: `wanted` names pieces of the log that must be read (again) by a consumer of their own; give each record
   to `Reading.feed`, then call `Reading.fold` (long: in a thread), then `finished`; or `failed`.
5. A partition goes: let the batch in flight end, then `revoke`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from replay.evidence import Keys
from replay.results import Row
from replay.session import Said
from streams.live.registry import Offsets, PartitionRegistry


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a floor is folded. Times are seconds of the injected clock."""

    keys: Keys | None = None
    """The gateways' public keys, without which signatures are not checked."""
    rules: str | None = None
    """Judge by this pack instead of the ones that the tables were opened under."""
    raw: bool = True
    """Every event's bytes go to the store too."""
    hole_patience_s: float = 5.0
    """So long a missing event is waited for; twice as long after each time that one came after all."""
    longest_patience_s: float = 600.0
    quiet_s: float = 30.0
    """A closed table whose drop was counted is done when nothing has come for so long."""
    drop_wait_s: float = 12 * 3600.0
    """A closed table whose drop was not counted is done when nothing has come for so long."""
    abandoned_s: float = 48 * 3600.0
    """A table that was never closed is done when nothing has come for so long."""
    summary_every_s: float = 10.0
    """How often the session's own row is written while it is open."""
    forget_after_s: float = 21 * 86400.0
    """A session that was done so long ago leaves the registry. Longer than the topics keep their records."""
    most_waiting_rows: int = 200_000
    """With so many rows waiting to be written the floor is `LiveFloor.full`."""
    sessions_a_reading: int = 8
    """So many sessions are read again at once at most: their lines are held in memory."""


class Kept(Protocol):
    """What the store does for a floor; `streams.live.kept.KeptInStore` does it with a `streams.store.Store`.

    All belongs to the thread that writes batches. Errors pass through `Batch.write`.
    """

    def add(self, row: Row) -> None:
        """Take a row."""
        ...

    def flush(self) -> None:
        """Write all that was taken. After an error the rows are kept and the next flush writes them."""
        ...

    def said(self, session: str) -> list[Row]:
        """The rows that count now: the session's settlements, findings, rounds, cage movements, and its own."""
        ...

    def highest_revision(self, session: str) -> int:
        """The highest revision of the session's rows, of those that were withdrawn too; 0 without any."""
        ...


class Outlet(Protocol):
    """Where results and the registry are published. Belongs to the thread that writes batches."""

    def send(self, topic: str, key: bytes, value: bytes) -> None:
        """A result, keyed by table; partitioned by the key."""
        ...

    def register(self, partition: int, key: bytes, value: bytes | None) -> None:
        """A record for this partition of the registry."""
        ...

    def flush(self) -> None:
        """Return when everything sent so far is acknowledged; raise whatever error otherwise."""
        ...


class Batch:
    """What is to be written next. Goes on where it stopped when it is written again after an error."""

    def write(self, kept: Kept, outlet: Outlet) -> None:
        """Write it: new sessions to the registry, rows to the store, results to their topics, the registry's rest.

        Blocks; for a thread. Raises what ``kept`` and ``outlet`` raise: call it again then.
        """
        raise NotImplementedError


class Reading:
    """A piece of the log that must be read, in ``partition``, by a consumer of its own."""

    partition: int
    ranges: dict[str, tuple[int, int]]
    """Topic -> first offset and the one after the last."""

    def feed(self, topic: str, offset: int, value: bytes) -> None:
        """A record of the ranges; in any order."""
        raise NotImplementedError

    def fold(self) -> None:
        """All has been fed: fold it. Takes seconds for a long night; for a thread."""
        raise NotImplementedError


class LiveFloor:
    """The sessions of the partitions that a worker has been assigned."""

    def __init__(self, settings: Settings, *, clock: Callable[[], float]) -> None:
        """``clock``: seconds since 1970-01-01 UTC."""
        raise NotImplementedError

    # --- partitions

    def assign(self, partition: int, registry: PartitionRegistry) -> Offsets:
        """The partition is ours: from where its topics are to be read; a topic not named: from its beginning."""
        raise NotImplementedError

    def caught_up(self, partition: int) -> None:
        """The partition has been taken up to where its topics ended when it was assigned."""
        raise NotImplementedError

    def revoke(self, partition: int) -> None:
        """The partition is another's now: forget it. What waits to be written of it is dropped."""
        raise NotImplementedError

    def assigned(self) -> frozenset[int]:
        """The partitions that are ours."""
        raise NotImplementedError

    # --- records

    def take(self, topic: str, partition: int, offset: int, value: bytes | None) -> None:
        """A record. Never raises for what is in it; KeyError where the partition is not ours."""
        raise NotImplementedError

    @property
    def full(self) -> bool:
        """So much waits to be written that no more should be taken."""
        raise NotImplementedError

    # --- batches

    def batch(self) -> Batch | None:
        """Let time pass, and give what is to be written now; None: nothing, or the last batch is not written yet."""
        raise NotImplementedError

    def written(self, batch: Batch) -> None:
        """The batch has been written."""
        raise NotImplementedError

    # --- reading again

    def wanted(self) -> Iterable[Reading]:
        """The pieces of the log that must be read, each named once."""
        raise NotImplementedError

    def finished(self, reading: Reading) -> None:
        """It has been read and folded."""
        raise NotImplementedError

    def failed(self, reading: Reading, *, gone: bool = False) -> None:
        """It could not be read: it is asked for again. ``gone``: the first of its records are no longer there."""
        raise NotImplementedError


def final_rows(said: Iterable[Said]) -> list[Said]:
    """The last word under each identity."""
    raise NotImplementedError
