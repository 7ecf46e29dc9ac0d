"""What keeps a floor going: it reads what must be read again, writes what is to be written, and says how it stands.

A `Driver` belongs to one event loop, on which alone it calls `streams.live.engine.LiveFloor`. Whatever blocks is done
in threads: one writes to the store and the outlet, one asks the brokers how things stand, others read the topics and
fold. It knows nothing of Faust.

A worker that has slept for longer than the group waits for it has lost its partitions, whatever it was in the midst
of: before it says anything else it lets go of all of them (`Driver.awake`), and claims anew what is still its own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, Final, ParamSpec, TypeVar

from streams.live.brokers import Brokers, Place, Survey
from streams.live.clock import steady
from streams.live.config import LiveSettings
from streams.live.engine import LiveFloor, Reading
from streams.live.errors import BrokerError, Fatal, Gone
from streams.live.health import Health
from streams.live.metrics import Metrics
from streams.live.outlet import KafkaOutlet
from streams.live.progress import Progress
from streams.live.registry import Holding, epoch_of, log_of
from streams.live.runs import Run
from streams.live.topics import IN
from streams.live.unread import NOTHING, Asked, Unread
from streams.live.writing import RETRY_S, Writer
from streams.store import Store, StoreError

READERS: Final = 2
REVOKE_WAIT_S: Final = 10.0
"""So long a partition that goes waits for the batch in flight."""
LATE_S: Final = 3.0
"""Where a partition has been read no further than to what was there so long ago, what is said comes late anyhow."""
LATE_EVERY_S: Final = 2.0
"""How often is written then: fewer, larger blocks let worker and store catch up sooner."""
STOP_WAIT_S: Final = 10.0
"""So long a worker that is told to stop tries to write what it has."""
LEAST_S: Final = 0.01
"""So long records are at least taken between two batches."""
TURN_S: Final = 0.02
"""So long records are taken at a stretch, before whatever else there is to do has its turn."""
BEAT_S: Final = 0.2
"""How often it is looked at the clock, at least."""
SURVEY_S: Final = 0.5
"""How often the brokers are asked how things stand."""
HANGS_S: Final = 10.0
"""What has not answered for so long counts as away."""

log = logging.getLogger(__name__)

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
        brokers: Brokers,
        metrics: Metrics,
        health: Health | None = None,
        partitions: int = 0,
        clock: Callable[[], float] = steady,
    ) -> None:
        """``partitions``: how many the topics have; 0: whatever they have at first."""
        self.floor = floor
        self.metrics = metrics
        self.health = health or Health(clock)
        self._settings = settings
        self._writer = Writer(open_store, outlet, metrics, self.health, clock)
        self._outlet = outlet
        self._brokers = brokers
        self._count = partitions
        self._clock = clock
        self._progress: dict[int, Progress] = {}
        self._survey: Survey | None = None
        """The last one."""
        self._away_s: float | None = None
        """After so many seconds it is said again that the brokers are away."""
        self._unread = Unread()
        self._cut_short: set[int] = set()
        """Partitions that must be read anew, for a topic has less than was read of it."""
        self._log: str | None = None
        """Of which log the partitions are that we have, once one has been claimed."""
        self._bases: dict[int, int] = {}
        """Partition -> an epoch that the store or the registry has, and ours must be above."""
        self._given = 0.0
        """When the last batch was asked for."""
        self._reader = ThreadPoolExecutor(READERS, "retally-reader")
        self._asker = ThreadPoolExecutor(1, "retally-asker")
        self._ready: dict[int, asyncio.Event] = {}
        """Partitions that are ours: set once they are caught up."""
        self._held: set[int] = set()
        """Of them: those of which it is not known whether they stay."""
        self._generation = 0
        """See `assigned`."""
        self._tasks: dict[int, set[asyncio.Task[None]]] = {}
        """What is being read, by partition."""
        self._always: list[asyncio.Task[None]] = []
        """What goes on from start to stop."""
        self._writing: asyncio.Task[bool] | None = None
        self._written = asyncio.Condition()
        self._stopping = False
        self._beat = clock()
        self.fatal: Fatal | None = None
        """Why it cannot go on as it was started."""
        self.on_fatal: Callable[[Fatal], None] = lambda _: None

    # --- the stream -----------------------------------------------------------------------------------------------

    def ready(self, partition: int) -> bool:
        """Whether records of this partition can be taken now."""
        return self._is_ours(partition) and not self.floor.full

    def _is_ours(self, partition: int) -> bool:
        """Caught up, and nobody else's by now."""
        event = self._ready.get(partition)
        return event is not None and event.is_set() and partition not in self._held

    async def take(self, runs: Mapping[Place, Run]) -> None:
        """Take what a fetch brought of the stream, by topic and partition. What is not ours is left out."""
        floor, now = self.floor, self._clock
        self.awake()
        turn = now() + TURN_S
        for (topic, partition), run in runs.items():
            if not self._is_ours(partition):
                continue
            epoch = floor.epoch(partition)
            floor.jump(topic, partition, run.first)
            self._unread.fetched(topic, partition, run, floor.safe)
            for record in run.records:
                if now() >= turn:
                    await asyncio.sleep(0)
                    await self._room()
                    self.awake()
                    turn = now() + TURN_S
                    if not self._has(partition, epoch):  # which changes while others have their turn, and only then
                        break
                floor.take(topic, partition, record.offset, record.value, record.key)
            else:
                floor.reach(topic, partition, run.after)

    def _has(self, partition: int, epoch: int) -> bool:
        """Whether the partition is ours still, under this epoch, and caught up."""
        return self._is_ours(partition) and self.floor.epoch(partition) == epoch

    async def _room(self) -> None:
        if self.floor.full:
            log.warning("too much waits to be written: nothing more is read until it is")
            self.metrics.full.inc()
            async with self._written:
                await self._written.wait_for(lambda: not self.floor.full or self._stopping)

    # --- time -----------------------------------------------------------------------------------------------------

    def awake(self) -> None:
        """Look at the clock: whoever has slept for too long has lost everything."""
        now = self._clock()
        slept_s, self._beat = now - self._beat, now
        self.health.beat()
        if slept_s <= self._settings.session_timeout_s:
            return
        log.error(
            "nothing went on here for %.1f s: all partitions are let go of, and read anew if they are ours", slept_s
        )
        self.metrics.stalls.inc()
        # Whether they are, the group says as soon as it is asked.
        self._anew(sorted(self._ready), pause_s=self._settings.session_timeout_s / 5 + 1.0)

    async def _beat_again_and_again(self) -> None:
        while not self._stopping:
            self.awake()
            try:
                self._tell_how_it_stands()
            except Exception:
                log.exception("how it stands cannot be told")
            await asyncio.sleep(BEAT_S)

    def _tell_how_it_stands(self) -> None:
        """To whoever asks, whatever is away meanwhile."""
        now, stats = self._clock(), self.floor.stats()
        self._read_up_to()
        self._look_at_store(now, stats.rows_waiting)
        self.metrics.stands(stats, self._lag(), self._behind(now), self.health.tell()["degraded"])

    # --- partitions -----------------------------------------------------------------------------------------------

    async def hold(self, partitions: Iterable[int]) -> None:
        """The group deals its partitions out anew: these may be another's soon. `assigned` tells."""
        self.awake()
        self._held.update(self.partitions().intersection(partitions))
        await self._nothing_in_flight()

    async def assigned(self, partitions: Iterable[int], generation: int) -> None:
        """These partitions are ours from now on, and no others; those that are new are caught up by themselves.

        ``generation``: how often the group has dealt its partitions out, as its coordinator counts. Where it did so
        once since this was called last, nobody else can have had a partition that was ours and is ours again: it goes
        on where it stopped.
        """
        self.awake()
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
        self.health.assigned(self._ready)

    async def _revoke(self, gone: Sequence[int]) -> None:
        """These partitions go."""
        if not gone:
            return
        for partition in gone:
            self._ready.pop(partition).set()  # whoever waits finds that it is not ours
            self._stop_reading(partition)
        await self._nothing_in_flight()
        for partition in gone:
            self._forget(partition)
            self._cut_short.discard(partition)
        log.info("partitions %s are another's now", gone)

    def _anew(self, partitions: Iterable[int], *, pause_s: float = 0.0) -> None:
        """Another may have had these: nothing more is said of what is known of them, and they are claimed anew. What is
        being written may be: it is outranked by whatever whoever had them said."""
        for partition in partitions:
            if partition in self._ready:
                self._stop_reading(partition)
                self._forget(partition)
                self._ready[partition].clear()
                self._start(partition, self._catch_up(partition, pause_s))
        self.health.assigned(self._ready)

    def _stop_reading(self, partition: int) -> None:
        for task in self._tasks.pop(partition, set()):
            task.cancel()

    def _forget(self, partition: int) -> None:
        if partition in self.floor.assigned():
            self.floor.revoke(partition)
        self._unread.forget(partition)
        self._progress.pop(partition, None)

    async def _nothing_in_flight(self) -> None:
        if self._writing is not None:
            await asyncio.wait([self._writing], timeout=REVOKE_WAIT_S)

    def _start(self, partition: int, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        tasks = self._tasks.setdefault(partition, set())
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def partitions(self) -> frozenset[int]:
        """Those that are ours, caught up or not."""
        return frozenset(self._ready)

    async def _catch_up(self, partition: int, pause_s: float = 0.0) -> None:
        """Read the partition from where its open sessions begin, up to where its topics end now."""
        await asyncio.sleep(pause_s)
        attempt, began = 0, self._clock()
        count: int | None = None
        while count is None:
            try:
                count = await self._catch_up_once(partition)
                continue
            except (BrokerError, StoreError) as error:
                log.warning("partition %d cannot be caught up, trying again: %s", partition, error)
            except Exception:
                log.exception("partition %d cannot be caught up, trying again", partition)
            self._forget(partition)
            await asyncio.sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
            attempt += 1
        self.awake()
        if partition not in self.floor.assigned():
            return
        self._cut_short.discard(partition)
        self.floor.caught_up(partition)
        self._ready[partition].set()
        self.health.assigned(self._ready)
        log.info("partition %d caught up: %d records in %.1f s", partition, count, self._clock() - began)

    async def _catch_up_once(self, partition: int) -> int:
        holding, ends = await self._claim(partition)
        floor = self.floor
        starts = floor.assign(partition, holding)
        self._progress[partition] = Progress()
        count = 0
        ranges = {topic: (first, ends[topic]) for topic, first in starts.items()}
        reader = await self._read(self._brokers.read, partition, ranges)
        try:
            while chunk := await self._read(reader.chunk):
                self.awake()
                await asyncio.sleep(0)  # where it found that we slept, this ends here
                for record in chunk:
                    floor.take(record.topic, partition, record.offset, record.value, record.key)
                count += len(chunk)
                await self._room()
        finally:
            self._reader.submit(reader.close)
        for topic, end in ends.items():
            floor.reach(topic, partition, end)
        return count

    async def _claim(self, partition: int) -> tuple[Holding, Mapping[str, int]]:
        """The partition is ours: what is known of it, and where its topics end."""
        registry, epoch = await self._read(self._brokers.claim, partition, self._bases.get(partition, 0))
        asks = False
        if not registry.epoch:  # nobody had it before, or the registry was made anew: does the store know more?
            highest = await self._writer.highest()
            asks = highest > 0
            if epoch_of(highest) >= epoch:
                registry, epoch = await self._read(self._brokers.claim, partition, epoch_of(highest))
        stand = await self._read(self._brokers.stand, partition)
        counted = registry.counted_in(stand.log, stand.end, cut_short=partition in self._cut_short)
        if counted is not None:
            registry = counted
            if not registry.position:
                asks = True
                self.metrics.made_anew.inc()
                log.error(
                    "partition %d: its topics were made anew, or are shorter than what was read of them: all that they"
                    " have now is read; of %d open sessions what the store has stands, where their events are gone",
                    partition,
                    len(registry.sessions),
                )
        self._log = stand.log
        return Holding(registry=registry, epoch=epoch, log=stand.log, first=stand.first, asks=asks), stand.end

    async def _read_again(self, reading: Reading) -> None:
        """Read a piece of the log that the engine asks for."""
        partition = reading.partition
        try:
            await self._read(_feed, self._brokers, reading)
        except Gone as error:
            log.error("partition %d: what must be read again is no longer there: %s", partition, error)
            self.floor.failed(reading, error.first)
        except BrokerError as error:
            log.warning("partition %d cannot be read again now: %s", partition, error)
            await asyncio.sleep(RETRY_S[-1])
            self.floor.failed(reading)
        else:
            self.awake()
            self.floor.finished(reading)

    async def _read(self, function: Callable[P, T], *args: P.args, **_: P.kwargs) -> T:
        return await self._in(self._reader, function, *args)

    async def _in(self, threads: Executor, function: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, function, *args)

    # --- how things stand on the brokers ---------------------------------------------------------------------------

    async def _survey_again_and_again(self) -> None:
        while not self._stopping:
            before = self._unread.asks(self._taken())
            try:
                asked = (sorted(self._ready), self.floor.opened())
                self._survey = await self._in(self._asker, self._brokers.survey, *asked)
            except BrokerError as error:
                self._say_away(error)
            else:
                self._away_s = None
                if self.health.back("kafka"):
                    log.info("Kafka is there again")
                try:
                    self._surveyed(self._survey, before)
                except Exception:
                    log.exception("what the brokers say cannot be made use of")
            await asyncio.sleep(SURVEY_S)

    def _say_away(self, error: BrokerError) -> None:
        """A line when the brokers go, and then at growing intervals."""
        self.health.away("kafka", str(error))
        since = self.health.since("kafka")
        if self._away_s is None or since >= self._away_s:
            log.warning("waiting for Kafka at %s, since %.0f s: %s", self._settings.kafka, since, error)
            self._away_s = max(10.0, 2 * since)

    def _surveyed(self, survey: Survey, before: Asked = NOTHING) -> None:
        self.awake()
        self._as_it_was_started(survey)
        for partition, progress in self._progress.items():
            ends = {topic: survey.end[topic, partition] for topic in IN if (topic, partition) in survey.end}
            if len(ends) == len(IN):
                progress.asked(survey.at, ends)
        lost = []
        for partition in self.floor.assigned():
            epoch = survey.epochs.get(partition, 0)
            if epoch > self.floor.epoch(partition):
                log.error("partition %d was claimed by another worker: it is claimed anew if still ours", partition)
                lost.append(partition)
        self._anew(lost, pause_s=1.0)
        for session, partitions in survey.homes.items():
            self.floor.tear(session, partitions)
        self._look_for_unread(survey, before)

    def _taken(self) -> dict[Place, int]:
        """The next offsets of the partitions that are ours."""
        floor = self.floor
        ours = ((number, topic, at) for number in floor.assigned() for topic, at in floor.position(number).items())
        return {(topic, number): at for number, topic, at in ours}

    def _look_for_unread(self, survey: Survey, before: Asked) -> None:
        """What the topics let go of before it was read is told; what the stream passes over is read beside it."""
        floor = self.floor
        short = self._unread.cut_short(survey.end, before.taken)
        for topic, partition in short:
            log.error("%s/%d is shorter than what was read of it: all that it has now is read", topic, partition)
        self._cut_short.update(partition for _, partition in short)
        self._anew({partition for _, partition in short})
        taken = {place: at for place, at in self._taken().items() if self.ready(place[1])}
        safe = {(topic, number): floor.safe(number)[topic] for topic, number in taken}
        for topic, partition in self._unread.stands_still(survey.first, safe):
            floor.expired(topic, partition, survey.first[topic, partition])
        for (topic, partition), end in self._unread.left(survey.end, taken, survey.at):
            log.warning("%s/%d: the stream brings nothing before %d, which is read beside it", topic, partition, end)
            floor.jump(topic, partition, end)
        for hole in self._unread.answered(before):
            first = survey.first.get((hole.topic, hole.partition), 0)
            floor.missed(hole.topic, hole.partition, hole.first, min(hole.end, first))

    def _as_it_was_started(self, survey: Survey) -> None:
        """Topics that are made anew, or get further partitions, need a worker that is started anew."""
        missing = [topic for topic in IN if topic not in survey.ids]
        if missing:
            self.health.away("topics", f"not there: {', '.join(missing)}")
            return
        self.health.back("topics")
        counts = {survey.counts[topic] for topic in IN}
        self._count = self._count or min(counts)
        if counts != {self._count}:
            said = ", ".join(f"{topic} has {survey.counts[topic]}" for topic in IN)
            self._end(f"the topics had {self._count} partitions, and have other numbers now: {said}")
        elif self._log and (now := log_of({topic: survey.ids[topic] for topic in IN})) and now != self._log:
            self._end("the topics were made anew while they were read")

    def _end(self, why: str) -> None:
        if self.fatal is None:
            self.fatal = Fatal(f"{why}: the worker ends, and must be started again")
            log.critical("%s", self.fatal)
            self.on_fatal(self.fatal)

    # --- writing --------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to write, every `LiveSettings.flush_ms`, or when the last batch is written if that takes longer; more
        rarely while events come faster than they are read."""
        self._beat = self._clock()
        begin = asyncio.get_running_loop().create_task
        self._always = [
            begin(self._beat_again_and_again()),
            begin(self._survey_again_and_again()),
            begin(self._flush_again_and_again()),
        ]

    async def stop(self) -> None:
        """Let the batch in flight end, write once more what there is, and let go of store and outlet.

        What cannot be written now is read again by whoever takes over.
        """
        if not self._always:
            return
        for event in self._ready.values():
            event.clear()
        for task in [task for tasks in self._tasks.values() for task in tasks]:
            task.cancel()
        try:
            await asyncio.wait_for(asyncio.shield(self._flush_once_more()), STOP_WAIT_S)
        except TimeoutError:
            log.warning("not everything could be written: it is read again later")
        self._stopping = True
        for task in self._always:
            task.cancel()
        self._writer.stopping = True
        try:
            await asyncio.wait_for(self._writer.let_go(), STOP_WAIT_S)
        except TimeoutError:
            log.warning("the store does not answer")
        self._asker.submit(self._brokers.close)
        for threads in (self._reader, self._asker):
            threads.shutdown(wait=False)

    async def _flush_once_more(self) -> None:
        while self._writing is not None:
            await asyncio.sleep(0.01)
        await self._flush(whole=True)

    async def _flush_again_and_again(self) -> None:
        flush_s = self._settings.flush_ms / 1000
        began = self._clock()
        while not self._stopping:
            await asyncio.sleep(max(LEAST_S, began + flush_s - self._clock()))
            began = self._clock()
            try:
                await self._flush()
            except Exception:
                # Nothing that is unwritten was let go: the next round may do better.
                log.exception("a round of writing failed")

    async def _flush(self, *, whole: bool = False) -> None:
        self.awake()
        read = self._read_up_to()
        now = self._clock()
        late = any(now - at > LATE_S for at in read.values())
        if late and not whole and not self.floor.full and now - self._given < LATE_EVERY_S:
            return
        self._given = now
        batch = self.floor.batch(read, held=self._held, whole=whole)
        for reading in self.floor.wanted():
            self._start(reading.partition, self._read_again(reading))
        if batch is None:
            return
        self._writing = asyncio.get_running_loop().create_task(self._writer.write(batch))
        try:
            written = await asyncio.shield(self._writing)
        finally:
            self._writing = None
        self.awake()
        if written:
            self.floor.written(batch)
            self.metrics.said(batch.rows)
            outranked = self.floor.outranked()
            for partition, epoch in outranked.items():
                log.error(
                    "partition %d: the store has words of a later owner: it is claimed anew if still ours", partition
                )
                self._bases[partition] = max(epoch, self._bases.get(partition, 0))
            self._anew(outranked, pause_s=1.0)
        async with self._written:
            self._written.notify_all()

    def _read_up_to(self) -> dict[int, float]:
        """Of each partition that is caught up: see `streams.live.progress`."""
        for partition, progress in self._progress.items():
            if partition not in self._held:
                safe = self.floor.safe(partition)
                progress.come_to(safe.__getitem__)
        return {number: progress.read for number, progress in self._progress.items() if self._is_ours(number)}

    def _lag(self) -> dict[Place, int]:
        """Records that the topics have and that have not been taken, as far as is known."""
        if self._survey is None:
            return {}
        ours = {number: self.floor.safe(number) for number in self.floor.assigned()}
        ends = self._survey.end.items()
        return {(topic, number): max(0, end - ours[number][topic]) for (topic, number), end in ends if number in ours}

    def _behind(self, now: float) -> float:
        """Seconds since all that was there by then had been taken, of the partition that is furthest behind; since we
        began, where nothing is known."""
        read = [max(self._progress[number].read, self.health.began) for number in self._progress]
        return max((now - at for at in read), default=0.0)

    def _look_at_store(self, now: float, rows: int) -> None:
        """A store that neither answers nor refuses is away too."""
        since = self._writer.since
        if since is not None and now - since > HANGS_S:
            self.health.away("store", f"does not answer, since {now - since:.0f} s", since)
        self.health.waits(rows)
        for topic, (why, when, count) in self._outlet.teller.away().items():
            self.health.away(topic, f"{why} ({count} records wait)", when)
        self.health.only({"store", "kafka", "topics", "registry", *self._outlet.teller.away()})


def _feed(brokers: Brokers, reading: Reading) -> None:
    """Read what ``reading`` asks for and fold it; for a thread. Raises `BrokerError`."""
    reader = brokers.read(reading.partition, reading.ranges)
    try:
        while chunk := reader.chunk():
            for record in chunk:
                reading.feed(record.topic, record.offset, record.value)
    finally:
        reader.close()
    reading.fold()
