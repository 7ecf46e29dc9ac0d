"""What keeps a floor going: it reads what must be read again, writes what is to be written, and says how it stands.

A `Driver` belongs to one event loop, on which alone it calls `streams.live.engine.LiveFloor`. Whatever blocks is done
in threads: one writes to the store and the outlet, others read the topics and fold. It knows nothing of Faust.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, ParamSpec, TypeVar

from kafka.errors import KafkaError

from streams.live.config import LiveSettings
from streams.live.engine import Batch, LiveFloor, Reading
from streams.live.errors import BrokerError, Gone, OutletError
from streams.live.kept import KeptInStore
from streams.live.metrics import Metrics
from streams.live.outlet import KafkaOutlet
from streams.live.source import PartitionReader, ends_of, read_registry
from streams.live.topics import IN
from streams.store import Store, StoreError

READERS: Final = 2
RETRY_S: Final = (0.2, 0.5, 1.0, 2.0)
"""Waits between attempts to write or to read; the last one again and again."""
REVOKE_WAIT_S: Final = 10.0
"""So long a partition that goes waits for the batch in flight."""
BEHIND_S: Final = 1.0
"""Where a topic has not been read by now to where it ended so long ago, no event of it counts as missing."""
LATE_S: Final = 3.0
"""Where that is so long ago, what is said comes late anyhow."""
LATE_EVERY_S: Final = 2.0
"""How often is written then: fewer, larger blocks let worker and store catch up sooner."""
STOP_WAIT_S: Final = 10.0
"""So long a worker that is told to stop tries to write what it has."""
LEAST_S: Final = 0.01
"""So long records are at least taken between two batches."""
TURN_S: Final = 0.02
"""So long records are taken at a stretch, before whatever else there is to do has its turn."""
STUCK_S: Final = 60.0
"""An event loop that has not come round for so long is not well."""

log = logging.getLogger(__name__)

Place = tuple[str, int]
"""Topic and partition."""

P = ParamSpec("P")
T = TypeVar("T")


class Driver:
    """Drives a `LiveFloor`: partitions come and go, records are taken, verdicts are written."""

    def __init__(
        self,
        settings: LiveSettings,
        floor: LiveFloor,
        *,
        open_store: Callable[[], Store],
        outlet: KafkaOutlet,
        metrics: Metrics,
        ends: Callable[[], dict[Place, int]] = dict,
    ) -> None:
        """``ends``: where the topics that the stream reads end now, as far as known."""
        self.floor = floor
        self.metrics = metrics
        self._settings = settings
        self._open_store = open_store
        self._outlet = outlet
        self._ends = ends
        self.taken: dict[Place, int] = {}
        """The next offset of each topic and partition; whoever takes records of the stream keeps it up."""
        self._marks: dict[Place, tuple[int, float]] = {}
        """An end that was seen, and when: a topic that has not come to it long after is read late."""
        self._given = 0.0
        """When the last batch was asked for."""
        self._store: Store | None = None
        self._kept: KeptInStore | None = None
        self._writer = ThreadPoolExecutor(1, "retally-writer")
        self._reader = ThreadPoolExecutor(READERS, "retally-reader")
        self._ready: dict[int, asyncio.Event] = {}
        """Partitions that are ours: set once they are caught up."""
        self._held: set[int] = set()
        """Of them: those of which it is not known whether they stay."""
        self._generation = 0
        """See `assigned`."""
        self._tasks: dict[int, set[asyncio.Task[None]]] = {}
        """What is being read, by partition."""
        self._flushing: asyncio.Task[None] | None = None
        self._writing: asyncio.Future[bool] | None = None
        self._written = asyncio.Condition()
        self._stopping = threading.Event()
        self._beat = time.monotonic()
        self.away = ""
        """Why nothing can be written now; empty: it can."""

    # --- the stream -----------------------------------------------------------------------------------------------

    def ready(self, partition: int) -> bool:
        """Whether records of this partition can be taken now."""
        return self._is_ours(partition) and not self.floor.full

    def _is_ours(self, partition: int) -> bool:
        """Caught up, and nobody else's by now."""
        event = self._ready.get(partition)
        return event is not None and event.is_set() and partition not in self._held

    async def take(self, records: Mapping[Place, Sequence[Any]]) -> None:
        """Take records of the stream, aiokafka's, by topic and partition. What is not ours is left out."""
        floor, taken = self.floor, self.taken
        now = time.monotonic
        turn = now() + TURN_S
        for place, found in records.items():
            topic, partition = place
            if not self._is_ours(partition):
                continue
            for record in found:
                if now() >= turn:
                    await asyncio.sleep(0)
                    await self._room()
                    turn = now() + TURN_S
                    if not self._is_ours(partition):  # which changes while others have their turn, and only then
                        break
                floor.take(topic, partition, record.offset, record.value)
                taken[place] = record.offset + 1

    async def _room(self) -> None:
        if self.floor.full:
            log.warning("too much waits to be written: nothing more is read until it is")
            self.metrics.full.inc()
            async with self._written:
                await self._written.wait_for(lambda: not self.floor.full or self._stopping.is_set())

    # --- partitions -----------------------------------------------------------------------------------------------

    async def hold(self, partitions: Iterable[int]) -> None:
        """The group deals its partitions out anew: these may be another's soon. `assigned` tells."""
        self._held.update(self.partitions().intersection(partitions))
        await self._nothing_in_flight()

    async def assigned(self, partitions: Iterable[int], generation: int) -> None:
        """These partitions are ours from now on, and no others; those that are new are caught up by themselves.

        ``generation``: how often the group has dealt its partitions out, as its coordinator counts. Where it did so
        once since this was called last, nobody else can have had a partition that was ours and is ours again: it goes
        on where it stopped.
        """
        ours = frozenset(partitions)
        next_one = generation == self._generation + 1 and self._generation > 0
        self._generation = generation
        stay = ours & self._held if next_one else frozenset()
        await self._revoke(sorted((self.partitions() - ours) | (self._held - stay)))
        self._held.clear()
        if stay:
            log.info("partitions %s stay ours", sorted(stay))
        for partition in sorted(ours - self.partitions()):
            self._ready[partition] = asyncio.Event()
            self._start(partition, self._catch_up(partition))

    async def _revoke(self, gone: Sequence[int]) -> None:
        """These partitions go."""
        if not gone:
            return
        for partition in gone:
            self._ready.pop(partition).set()  # whoever waits finds that it is not ours
            for task in self._tasks.pop(partition, set()):
                task.cancel()
        await self._nothing_in_flight()
        for partition in gone:
            if partition in self.floor.assigned():
                self.floor.revoke(partition)
        for kept in (self.taken, self._marks):
            for place in [place for place in kept if place[1] in gone]:
                del kept[place]
        log.info("partitions %s are another's now", gone)

    async def _nothing_in_flight(self) -> None:
        if self._writing is not None:
            await asyncio.wait([self._writing], timeout=REVOKE_WAIT_S)

    def _start(self, partition: int, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        tasks = self._tasks.setdefault(partition, set())
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def partitions(self) -> frozenset[int]:
        """Those that are ours, caught up or not."""
        return frozenset(self._ready)

    async def _catch_up(self, partition: int) -> None:
        """Read the partition from where its open sessions begin, up to where its topics end now."""
        attempt, began = 0, time.monotonic()
        count: int | None = None
        while count is None:
            try:
                count = await self._catch_up_once(partition)
                continue
            except BrokerError as error:
                log.warning("partition %d cannot be caught up, trying again: %s", partition, error)
            except Exception:
                log.exception("partition %d cannot be caught up, trying again", partition)
            if partition in self.floor.assigned():
                self.floor.revoke(partition)
            await asyncio.sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
            attempt += 1
        self.floor.caught_up(partition)
        self._ready[partition].set()
        log.info("partition %d caught up: %d records in %.1f s", partition, count, time.monotonic() - began)

    async def _catch_up_once(self, partition: int) -> int:
        registry = await self._read(read_registry, self._settings, partition)
        starts = self.floor.assign(partition, registry.partition(partition))
        ends = await self._read(ends_of, self._settings, IN, partition)
        ranges = {}
        for topic in IN:
            first, end = ends.first[topic, partition], ends.end[topic, partition]
            # What is no longer there is skipped here; the engine sees that, and asks for it.
            ranges[topic] = (max(first, starts.get(topic, 0)), end)
        count = 0
        reader = await self._read(PartitionReader, self._settings, partition, ranges)
        try:
            while chunk := await self._read(reader.chunk):
                for record in chunk:
                    self.floor.take(record.topic, partition, record.offset, record.value)
                count += len(chunk)
                await self._room()
        finally:
            self._reader.submit(reader.close)
        return count

    async def _read_again(self, reading: Reading) -> None:
        """Read a piece of the log that the engine asks for."""
        partition = reading.partition
        try:
            await self._read(_feed, self._settings, reading)
        except Gone as error:
            log.error("partition %d: what must be read again is no longer there: %s", partition, error)
            self.floor.failed(reading, gone=True)
        except BrokerError as error:
            log.warning("partition %d cannot be read again now: %s", partition, error)
            await asyncio.sleep(RETRY_S[-1])
            self.floor.failed(reading)
        else:
            self.floor.finished(reading)

    async def _read(self, function: Callable[P, T], *args: P.args, **_: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reader, function, *args)

    # --- writing --------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to write, every `LiveSettings.flush_ms`, or when the last batch is written if that takes longer; more
        rarely while events come faster than they are read."""
        self._flushing = asyncio.get_running_loop().create_task(self._flush_again_and_again())

    async def stop(self) -> None:
        """Let the batch in flight end, write once more what there is, and let go of store and outlet.

        What cannot be written now is read again by whoever takes over.
        """
        if self._flushing is None:
            return
        for event in self._ready.values():
            event.clear()
        for task in [task for tasks in self._tasks.values() for task in tasks]:
            task.cancel()
        try:
            await asyncio.wait_for(asyncio.shield(self._flush_once_more()), STOP_WAIT_S)
        except TimeoutError:
            log.warning("not everything could be written: it is read again later")
        self._stopping.set()
        self._flushing.cancel()
        await asyncio.get_running_loop().run_in_executor(self._writer, self._let_go)
        self._writer.shutdown(wait=False)
        self._reader.shutdown(wait=False)

    async def _flush_once_more(self) -> None:
        while self._writing is not None:
            await asyncio.sleep(0.01)
        await self._flush(whole=True)

    async def _flush_again_and_again(self) -> None:
        flush_s = self._settings.flush_ms / 1000
        began = time.monotonic()
        while not self._stopping.is_set():
            await asyncio.sleep(max(LEAST_S, began + flush_s - time.monotonic()))
            self._beat = began = time.monotonic()
            try:
                await self._flush()
            except Exception:
                # Nothing that is unwritten was let go: the next round may do better.
                log.exception("a round of writing failed")

    async def _flush(self, *, whole: bool = False) -> None:
        ends = self._ends()
        behind = self._behind(ends)
        now = time.monotonic()
        late = max(behind.values(), default=0.0) > LATE_S
        if late and not whole and not self.floor.full and now - self._given < LATE_EVERY_S:
            return
        self._given = now
        batch = self.floor.batch(behind, held=self._held, whole=whole)
        for reading in self.floor.wanted():
            self._start(reading.partition, self._read_again(reading))
        self.metrics.stands(self.floor.stats(), self._lag(ends))
        if batch is None:
            return
        self._writing = asyncio.get_running_loop().run_in_executor(self._writer, self._write, batch)
        try:
            written = await asyncio.shield(self._writing)
        finally:
            self._writing = None
        if written:
            self.floor.written(batch)
            self.metrics.said(batch.rows)
        async with self._written:
            self._written.notify_all()

    def _lag(self, ends: dict[Place, int]) -> dict[Place, int]:
        return {place: max(0, end - self.taken[place]) for place, end in ends.items() if place in self.taken}

    def _behind(self, ends: dict[Place, int]) -> dict[int, float]:
        """Partitions of which a topic has not come, by now, to where it ended some time ago: how many seconds ago."""
        now = time.monotonic()
        behind: dict[int, float] = {}
        for place, end in ends.items():
            mark, since = self._marks.get(place, (0, now))
            if self.taken.get(place, 0) >= mark:
                self._marks[place] = (end, now)
            elif now - since > BEHIND_S:
                behind[place[1]] = max(now - since, behind.get(place[1], 0.0))
        return behind

    def _write(self, batch: Batch) -> bool:
        """Write ``batch``, again and again until it is written; False: the worker stops first."""
        attempt = 0
        began = time.monotonic()
        while not self._stopping.is_set():
            try:
                if self._kept is None:
                    self._store = self._open_store()
                    self._kept = KeptInStore(self._store)
                batch.write(self._kept, self._outlet)
            except Exception as error:
                at = "store" if isinstance(error, StoreError) else "outlet"
                self.metrics.store_errors.labels(at).inc()
                if not self.away:
                    log.warning("a batch cannot be written, trying again: %s", error, exc_info=_unforeseen(error))
                self.away = f"{at}: {error}"
                self._stopping.wait(RETRY_S[min(attempt, len(RETRY_S) - 1)])
                attempt += 1
                continue
            took = time.monotonic() - began
            self.metrics.flush_seconds.observe(took)
            if self.away:
                self.away = ""
                log.info("batches are written again, after %.1f s", took)
            return True
        return False

    def _let_go(self) -> None:
        self._outlet.close()
        if self._store is not None:
            self._store.close()

    # --- health ---------------------------------------------------------------------------------------------------

    def health(self) -> dict[str, Any]:
        """How it stands: ``ok`` is false when the event loop does not come round. A store that is away is not a
        reason to end the worker, which waits for it; it is said under ``away``."""
        late_s = time.monotonic() - self._beat
        return {
            "ok": late_s < STUCK_S,
            "last_round_s": round(late_s, 3),
            "partitions": sorted(self._ready),
            "caught_up": sorted(partition for partition, event in self._ready.items() if event.is_set()),
            "away": self.away,
        }


def _feed(settings: LiveSettings, reading: Reading) -> None:
    """Read what ``reading`` asks for and fold it; for a thread. Raises `BrokerError`."""
    with PartitionReader(settings, reading.partition, reading.ranges) as reader:
        for record in reader:
            reading.feed(record.topic, record.offset, record.value)
    reading.fold()


def _unforeseen(error: Exception) -> bool:
    """Whether an error is none of those that a store or a broker that is away brings."""
    return not isinstance(error, StoreError | OutletError | KafkaError)
