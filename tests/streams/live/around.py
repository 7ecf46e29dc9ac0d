"""What is around a simulated worker: its event loop, the brokers, the registry and the store, on the clock of a world.

All of it is a part of `tests.streams.live.world`, whose faults are what these do to a worker.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio import base_events, events
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from replay.results import Row
from streams.live.brokers import Stand, Survey
from streams.live.errors import BrokerError, Gone, OutletError
from streams.live.registry import Claim, PartitionRegistry, Registry, SessionEntry, encode
from streams.live.topics import IN
from streams.store import StoreError

if TYPE_CHECKING:
    from tests.streams.live.world import World

STEP_S: Final = 0.1


@dataclass
class Entry:
    """What stands at an offset: a record that counts, or that was given up, or a transaction's marker."""

    key: bytes | None
    value: bytes | None
    counts: bool = True


@dataclass
class Log:
    """One partition of a topic."""

    entries: list[Entry] = field(default_factory=list)
    first: int = 0
    """What was before is no longer there."""
    open_from: int | None = None
    """Where the first transaction begins that has not ended."""

    @property
    def end(self) -> int:
        """Where it is readable up to: to the first transaction that has not ended."""
        return len(self.entries) if self.open_from is None else self.open_from

    def commit(self) -> None:
        """The transaction that is under way ends well."""
        if self.open_from is not None:
            self.open_from = None
            self.entries.append(Entry(None, None, counts=False))


@dataclass
class RegistryLog:
    """One partition of the registry."""

    now: Registry
    """That of all partitions."""
    records: list[tuple[bytes, bytes | None]] = field(default_factory=list)

    def append(self, key: bytes, value: bytes | None) -> None:
        """The next record."""
        self.now.apply(key, value, len(self.records))
        self.records.append((key, value))

    def read(self) -> Registry:
        """What whoever reads it from its beginning comes to."""
        registry = Registry()
        for offset, (key, value) in enumerate(self.records):
            registry.apply(key, value, offset)
        return registry


_Base: Final[Any] = base_events.BaseEventLoop


ENDS: Final = 10


class Loop(_Base):  # type: ignore[misc]
    """A worker's event loop: it runs only in `step`, and its time is the world's."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self._world = world
        self._selector = SimpleNamespace(select=lambda _timeout: [])
        self.jobs: list[tuple[float, int, Callable[[], None]]] = []
        """What its threads do: when, and what."""
        self.writing: Any = None
        """Whatever is done for this executor hangs while the store does."""
        self._numbers = count()

    def time(self) -> float:
        return self._world.now

    def _process_events(self, _events: list[Any]) -> None:
        return

    def _write_to_self(self) -> None:
        return

    def run_in_executor(self, executor: Any, function: Callable[..., Any], *args: Any) -> Any:
        """Have it done a little later, and told a little later."""
        future = self.create_future()
        self._later(self._world.latency_s(), partial(self._do, future, executor, function, args))
        return future

    def _later(self, seconds: float, job: Callable[[], None]) -> None:
        heapq.heappush(self.jobs, (self._world.now + seconds, next(self._numbers), job))

    def _do(self, future: asyncio.Future[Any], executor: Any, function: Callable[..., Any], args: Any) -> None:
        if self._world.store_hangs and executor is self.writing:
            self._later(STEP_S, partial(self._do, future, executor, function, args))
            return
        try:
            answer = function(*args)
        except Exception as error:
            self.call_later(self._world.latency_s(), _settle, future, None, error)
        else:
            self.call_later(self._world.latency_s(), _settle, future, answer, None)

    def step(self) -> None:
        """Whatever is due now."""
        events._set_running_loop(self)
        try:
            while self.jobs and self.jobs[0][0] <= self._world.now:
                heapq.heappop(self.jobs)[2]()
            while True:
                self._run_once()
                due = self._scheduled and self._scheduled[0]._when <= self.time() + self._clock_resolution
                if not self._ready and not due:
                    return
        finally:
            events._set_running_loop(None)

    def end(self) -> None:
        """Nothing more happens here: what is under way is let go of, and waits for nobody."""
        self.jobs.clear()
        for _ in range(ENDS):
            under_way = asyncio.all_tasks(self)
            if not under_way:
                break
            for task in under_way:
                task.cancel()
            self.step()
        assert not asyncio.all_tasks(self), "a worker's task does not end"
        self.close()


def _settle(future: asyncio.Future[Any], answer: Any, error: Exception | None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(answer)


class Kept:
    """A worker's connection to the store (`streams.live.batch.Kept`)."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.waiting: list[Row] = []

    def add(self, rows: Iterable[Row]) -> None:
        self.waiting += rows

    def flush(self) -> None:
        world = self.world
        if world.store_refuses or world.store_read_only:
            if self.waiting and world.chance.random() < 0.3:  # a part of it is written all the same
                world.stored(self.waiting[: world.chance.randint(0, len(self.waiting))])
            raise StoreError("away", transient=True)
        world.stored(self.waiting)
        if world.swarm.store_loses_replies and self.waiting and world.chance.random() < 0.05:
            raise StoreError("the reply was lost", transient=True)
        self.waiting = []

    def said(self, session: str) -> list[Row]:
        if self.world.store_refuses:
            raise StoreError("away", transient=True)
        return self.world.disk.said(session)

    def highest(self) -> int:
        if self.world.store_refuses:
            raise StoreError("away", transient=True)
        return max((getattr(row, "revision", 0) for row in self.world.disk.rows.values()), default=0)

    def close(self) -> None:
        return


class Outlet:
    """A worker's outlet (`streams.live.batch.Outlet`)."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.teller = SimpleNamespace(away=dict)

    def send(self, topic: str, key: bytes, value: bytes) -> None:
        return

    def sent(self) -> None:
        return

    def register(self, partition: int, key: bytes, value: bytes | None) -> None:
        self.world.registered(partition, key, value)

    def flush(self) -> None:
        if self.world.brokers_away:
            raise OutletError("away")

    def close(self) -> None:
        return


class FakeReader:
    """See `streams.live.source.PartitionReader`."""

    def __init__(self, world: World, partition: int, ranges: Mapping[str, tuple[int, int]]) -> None:
        gone = {}
        self._places = {}
        for topic, (first, end) in ranges.items():
            log = world.log(topic, partition)
            if first < end and first < log.first:
                gone[topic] = log.first
            self._places[topic] = (log, first, end)
        if gone:
            raise Gone("gone", gone)
        self._world, self._partition = world, partition

    def chunk(self) -> list[Any]:
        if self._world.brokers_away:
            raise BrokerError("away")
        found: list[Any] = []
        for topic, (log, first, end) in self._places.items():
            if first < end and not log.first <= first < len(log.entries):
                raise BrokerError("out of range")
            after = min(end, first + self._world.chance.randint(1, 60), log.end)
            if first < end and first >= after:
                raise BrokerError("nothing comes any more")
            for offset in range(first, after):
                entry = log.entries[offset]
                if entry.counts:
                    found.append(SimpleNamespace(topic=topic, offset=offset, value=entry.value, key=entry.key))
            self._places[topic] = (log, after, end)
        if not found and any(first < end for _, first, end in self._places.values()):
            return self.chunk()
        return found

    def close(self) -> None:
        return


class FakeBrokers:
    """See `streams.live.brokers.Brokers`."""

    def __init__(self, world: World) -> None:
        self.world = world

    def _there(self) -> World:
        if self.world.brokers_away:
            raise BrokerError("away")
        return self.world

    def claim(self, partition: int, base: int) -> tuple[PartitionRegistry, int]:
        world = self._there()
        while True:
            of_one = world.registry[partition]
            before, offset = of_one.read().partition(partition), len(of_one.records)
            claim = Claim(partition=partition, who=f"{offset}", base=base, at_s=0)
            of_one.append(claim.key, encode(claim))
            if before.base <= base:
                return before, base + offset + 1
            base = before.base

    def stand(self, partition: int) -> Stand:
        world = self._there()
        logs = {topic: world.log(topic, partition) for topic in IN}
        return Stand(
            {topic: log.first for topic, log in logs.items()},
            {topic: log.end for topic, log in logs.items()},
            world.log_name(),
        )

    def read(self, partition: int, ranges: Mapping[str, tuple[int, int]]) -> FakeReader:
        return FakeReader(self._there(), partition, ranges)

    def survey(self, partitions: Collection[int], opened: Sequence[SessionEntry] = ()) -> Survey:
        world = self._there()
        for entry in opened:
            world.registered(entry.partition, entry.key, encode(entry))
        return Survey(
            world.now,
            {(topic, number): world.log(topic, number).first for topic in IN for number in partitions},
            {(topic, number): world.log(topic, number).end for topic in IN for number in partitions},
            dict(world.ids),
            dict.fromkeys(IN, world.partitions),
            world.known.epochs(),
            world.known.torn(world.log_name()),
        )

    def close(self) -> None:
        return
