"""A worker's share of the floor, without Kafka, Faust, clock or thread: records in, batches out.

The order of things, for whoever drives it (one thread calls `LiveFloor`; `Batch.write`, `Reading.feed` and
`Reading.fold` may run in others):

1. A partition is assigned: claim it (`streams.live.registry`), `LiveFloor.assign`, read the four topics from what that
   returns up to their ends of this moment, giving every record to `take` (the four topics about evenly, best merged by
   the records' times: what runs ahead is held in memory) and each topic's end to `reach`, then `caught_up`. Records of
   the stream are given to `take` only after that.
2. The stream: of each run of records that a fetch brought, tell where it begins (`jump`), `take` every record in the
   order of offsets, and tell where it ends (`reach`): there may be offsets that are no records. What was taken before
   is ignored; what was skipped, the engine asks for (`wanted`).
3. Every 200 ms or so: `batch`, `Batch.write` in a thread (again and again until it succeeds), `written`. While
   `LiveFloor.full`, take nothing.
4. At any time: `wanted` names pieces of the log that must be read (again) by a consumer of their own; give each record
   to `Reading.feed`, then call `Reading.fold` (long: in a thread), then `finished`; or `failed`.
5. A partition goes: let the batch in flight end, then `revoke`. While it is open whether it goes, take nothing of it,
   and name it to `batch` as held: if nobody else has had it in between, it goes on where it stopped. Where somebody
   else may have had it (`outranked`; a later claim; a long sleep), revoke it at once, and claim it anew if it is ours.
6. How it stands: `stats`, about as often as a batch.

A session is folded as its events come. Its findings are written with the next batch, all else with the next whole one
(`Settings.rest_every_s`). Three things interrupt that: its partition was taken over, an event came too late to be
folded in its place, or what the store holds at its end is not what was said. Then it is folded from its first event
again, what that says waits until it can be held against the store (`streams.live.batch.Comparison`), and then it goes
on (`streams.live.session.Phase`). `streams.live.partition.Partition` does all this; here is the order of things.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from replay.results import Finding, Rejected, Row
from streams.live.batch import Batch
from streams.live.partition import Counts, Partition
from streams.live.reading import Reading
from streams.live.registry import Holding, Offsets, SessionEntry
from streams.live.session import Phase
from streams.live.settings import Settings

# All that whoever drives a floor deals with.
__all__ = ["Batch", "FloorStats", "LiveFloor", "Reading", "Settings"]

_AT_ONCE: Final = (Finding, Rejected)
"""Rows that somebody waits for, who looks while the chips are still on the table."""


@dataclass(frozen=True, kw_only=True)
class FloorStats:
    """The engine in numbers. Counts are since it was made."""

    partitions: int
    catching_up: int
    sessions: int
    """Sessions that are open."""
    interrupted: int
    """Of them: those that wait to be read again, or to be compared."""
    waiting_for_events: int
    """Of them: those that wait for a missing event."""
    rounds_open: int
    oldest_round_opened_us: int | None
    """When the oldest open round was opened, by its own event's time: microseconds since 1970-01-01 UTC."""
    lines: int
    events: int
    rejected: int
    rows_waiting: int
    given_up: int
    """Holes that were given up."""
    reread: int
    """Sessions that were read again."""
    corrections: int
    """Rows that were written because the store held something else."""
    disproved: int
    """Sessions at whose end the store did not hold what was said."""
    lost: int
    """Sessions that cannot be folded from their first event any more."""
    troubles: int
    """Lines on which the rules failed: a fault of the program."""
    strays: int
    """Sessions that came by a partition that is not their table's."""
    torn: int
    """Sessions that came by several partitions."""
    expired: int
    """Records that the topics let go of before they were read, or while open sessions may need them again."""
    miskeyed: int
    """Producers, about, that key a table's records by something else than the table."""


class LiveFloor:
    """The sessions of the partitions that a worker has been assigned."""

    def __init__(
        self, settings: Settings, *, clock: Callable[[], float], wall: Callable[[], float] | None = None
    ) -> None:
        """``clock``: seconds that only go forward; ``wall``: seconds since 1970-01-01 UTC, without it the same."""
        self._settings = settings
        self._clock = clock
        self._wall = wall or clock
        self._partitions: dict[int, Partition] = {}
        self._next = Batch()
        self._later: list[Row] = []
        """Rows other than those `_AT_ONCE`, which wait for a whole batch."""
        self._whole_at = clock()
        """When the last whole batch was given."""
        self._in_flight: Batch | None = None
        self._counts = Counts()
        self._past = [0, 0, 0]
        """Lines, events and rejected lines of partitions that are no longer ours."""

    # --- partitions -----------------------------------------------------------------------------------------------

    def assign(self, partition: int, holding: Holding) -> Offsets:
        """The partition is ours: from where its topics are to be read, each of the four.

        Raises:
            ValueError: it is ours already.
        """
        if partition in self._partitions:
            raise ValueError(f"partition {partition} is assigned already")
        part = Partition(holding, self._settings, self._clock, self._counts, self._wall)
        self._partitions[partition] = part
        return dict(part.position)

    def caught_up(self, partition: int) -> None:
        """The partition has been taken up to where its topics ended when it was assigned."""
        self._partitions[partition].caught_up()

    def revoke(self, partition: int) -> None:
        """The partition is another's now: forget it. What of it is not in a batch yet is dropped."""
        auditor = self._partitions.pop(partition).auditor
        for index, count in enumerate((auditor.lines, auditor.events, auditor.rejected)):
            self._past[index] += count

    def assigned(self) -> frozenset[int]:
        """The partitions that are ours."""
        return frozenset(self._partitions)

    # --- records --------------------------------------------------------------------------------------------------

    def take(self, topic: str, partition: int, offset: int, value: bytes | None, key: bytes | None = b"") -> None:
        """A record. Never raises for what is in it; KeyError where the partition is not ours, or the topic is none of
        the four."""
        self._partitions[partition].take(topic, offset, value, key)

    def jump(self, topic: str, partition: int, first: int) -> None:
        """What is taken next of this topic begins at ``first``."""
        self._partitions[partition].jump(topic, first)

    def reach(self, topic: str, partition: int, after: int) -> None:
        """All that this topic has before ``after`` has been taken."""
        self._partitions[partition].reach(topic, after)

    def expired(self, topic: str, partition: int, first: int) -> None:
        """What this topic had before ``first`` is there no more, read or not."""
        self._partitions[partition].expired({topic: first})

    def missed(self, topic: str, partition: int, first: int, end: int) -> None:
        """What this topic had from ``first`` up to ``end`` was gone before it was read, and what comes after it was
        taken."""
        self._partitions[partition].missed(topic, first, end)

    def safe(self, partition: int) -> Offsets:
        """The next offset of each topic before which nothing is missing; KeyError where the partition is not ours."""
        return self._partitions[partition].safe()

    def position(self, partition: int) -> Offsets:
        """The next offset of each topic that has not been taken; before it there may be gaps. KeyError as above."""
        return self._partitions[partition].position

    def epoch(self, partition: int) -> int:
        """Ours; KeyError where the partition is not ours."""
        return self._partitions[partition].epoch

    def outranked(self) -> dict[int, int]:
        """Partitions of which the store has rows of a higher epoch than ours, and which."""
        return {number: part.outranked for number, part in self._partitions.items() if part.outranked}

    def opened(self) -> list[SessionEntry]:
        """Sessions that were met since this was asked last, as they will stand in the registry: told before they are
        judged, they are known to whoever has met them too."""
        return [entry for part in self._partitions.values() for entry in part.met()]

    def tear(self, session: str, partitions: Collection[int]) -> None:
        """Events of this session come by all these partitions: no more is said of it."""
        for number in partitions:
            if number in self._partitions:
                self._partitions[number].tear(session, partitions)

    @property
    def full(self) -> bool:
        """So much waits to be written that no more should be taken."""
        return self._waiting_rows() >= self._settings.max_waiting_rows

    def _waiting_rows(self) -> int:
        in_flight = 0 if self._in_flight is None else len(self._in_flight.rows)
        return len(self._next.rows) + len(self._later) + in_flight

    # --- batches --------------------------------------------------------------------------------------------------

    def batch(
        self, read: Mapping[int, float] | None = None, *, held: Collection[int] = (), whole: bool = False
    ) -> Batch | None:
        """Let time pass, and give what is to be written now; None: nothing, or the last batch is not written yet.

        ``read``: of each partition, a moment of the clock: what its topics had by then has been taken. A partition not
        named waits for nothing meanwhile; None: all have been read up to now.
        ``held``: partitions that may be another's by now; nothing is said of them.
        ``whole``: all that there is to write, even what is written less often.
        """
        now = self._clock()
        parts = []
        for part in self._partitions.values():
            if part.number in held:
                continue
            parts.append(part)
            read_s = now if read is None else read.get(part.number, -math.inf)
            self._look_for_torn(part)
            part.pass_time(now, read_s, self._next)
            part.collect(now, read_s, self._next)
        if self._in_flight is not None:
            return None
        whole = whole or self.full or now - self._whole_at >= self._settings.rest_every_s
        for part in parts:
            if not part.catching_up:
                part.compare(self._next)
                if whole:
                    part.worked_off(self._next)
        batch, self._next = self._next, Batch()
        if whole or batch.claims:
            self._whole_at = now
            batch.rows = self._later + batch.rows  # of equal revisions the one that was said last counts
            self._later = []
        else:
            self._later += [row for row in batch.rows if type(row) not in _AT_ONCE]
            batch.rows = [row for row in batch.rows if type(row) in _AT_ONCE]
        if not batch:
            return None
        self._in_flight = batch
        return batch

    def _look_for_torn(self, part: Partition) -> None:
        """Sessions that have just been met here, and are known in another partition of ours."""
        for name in part.new:
            ours = {other.number for other in self._partitions.values() if other.has_events_of(name)}
            if len(ours) > 1:
                self.tear(name, ours)
        part.new.clear()

    def written(self, batch: Batch) -> None:
        """The batch has been written."""
        assert batch is self._in_flight
        self._in_flight = None
        self._counts.corrections += batch.corrections
        now = self._clock()
        for part in self._partitions.values():
            part.written(batch, self._next, now)

    # --- what must be read again ----------------------------------------------------------------------------------

    def wanted(self) -> list[Reading]:
        """The pieces of the log that must be read, each named once, and one of a partition at a time."""
        wanted = [part.wanted() for part in self._partitions.values()]
        return [reading for reading in wanted if reading is not None]

    def finished(self, reading: Reading) -> None:
        """It has been read and folded."""
        part = self._whose(reading)
        if part is not None:
            part.finished(reading, self._next)

    def failed(self, reading: Reading, first: Mapping[str, int] | None = None) -> None:
        """It could not be read: it is asked for again. ``first``: from where topics have their records still, where the
        first of those asked for are no longer there; what is left is asked for, and sessions that turn out to be told
        of by more events than are left are lost."""
        part = self._whose(reading)
        if part is not None:
            part.failed(reading, first=first or {})

    def _whose(self, reading: Reading) -> Partition | None:
        """The partition that waits for it; None: its partition has gone since, or has gone and come back."""
        part = self._partitions.get(reading.partition)
        return part if part is not None and part.reading is reading else None

    # --- in numbers -----------------------------------------------------------------------------------------------

    def stats(self) -> FloorStats:
        """The engine in numbers; looks at every session, so not for every record."""
        parts = self._partitions.values()
        sessions = [live for part in parts for live in part.live.values()]
        opened = [opened_us for live in sessions if (opened_us := live.round_opened_us) is not None]
        return FloorStats(
            partitions=len(parts),
            catching_up=sum(part.catching_up for part in parts),
            sessions=len(sessions),
            interrupted=sum(live.phase is not Phase.LIVE for live in sessions),
            waiting_for_events=sum(len(part.auditor.waiting()) for part in parts),
            rounds_open=len(opened),
            oldest_round_opened_us=min(opened, default=None),
            lines=self._past[0] + sum(part.auditor.lines for part in parts),
            events=self._past[1] + sum(part.auditor.events for part in parts),
            rejected=self._past[2] + sum(part.auditor.rejected for part in parts),
            rows_waiting=self._waiting_rows(),
            **vars(self._counts),
        )
