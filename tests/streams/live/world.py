"""The whole live side in one process, on one clock: brokers, a store, workers, producers, and what befalls them.

`play` plays one schedule, drawn from its seed: the same seed is the same schedule. Which faults there are at all is
drawn first (`Swarm`), so that some schedules are full of one kind and others of none. Each worker is a real
`streams.live.driver.Driver` on an event loop of its own (`Loop`), whose time is the world's: it may be stopped in the
midst of anything, while the others go on.

What must hold is looked at while it is played: whenever a row is stored (`World.stored`) and whenever a session is
called done (`World.registered`); and once more at the end (`World.differences`). `Broken` says what does not hold.
"""

from __future__ import annotations

import asyncio
import heapq
import random
from asyncio import base_events, events
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cache, partial
from itertools import count
from types import SimpleNamespace
from typing import Any, Final
from zlib import crc32

from replay.events import Refusal, decode
from replay.line import session_of
from replay.refold import fold
from replay.results import Row
from replay.revisions import taken_back
from replay.segment import Said
from replay.told import content_of, key_of
from streams.live import writing
from streams.live.brokers import Stand, Survey
from streams.live.config import load
from streams.live.driver import Driver
from streams.live.engine import LiveFloor, Settings
from streams.live.errors import BrokerError, Gone
from streams.live.registry import Claim, PartitionRegistry, Registry, SessionEntry, State, encode, log_of
from streams.live.runs import Run
from streams.live.topics import IN, topic_of
from streams.simulator.floor import Floor
from streams.store import StoreError
from tests.installed import judged
from tests.streams.live.faults import Disk

GAMES: Final = ("boule", "craps", "blackjack", "sic_bo", "punto_banco", "trente_et_quarante")
FLOORS: Final = 8
SESSION_TIMEOUT_S: Final = 10.0
STEP_S: Final = 0.1
LATER_STEP_S: Final = 1.0
SOON_S: Final = 10.0
DONE_S: Final = 600.0
"""So long, by the world's clock, all may take to come to its end once nothing more befalls it."""


class Broken(AssertionError):
    """Something that must hold does not."""


@dataclass
class Swarm:
    """What may happen in a schedule at all."""

    transactions: bool
    aborts: bool
    expiry: bool
    made_anew: bool
    more_partitions: bool
    mis_keyed: bool
    kills: bool
    stops: bool
    """A process is stopped for a while, and goes on."""
    rebalances: bool
    store_refuses: bool
    store_read_only: bool
    store_hangs: bool
    store_loses_replies: bool
    brokers_away: bool
    clock_jumps: bool
    other_settings: bool
    """Workers are started with other settings than those before them."""
    repeats: bool
    disorder: bool
    losses: bool
    """Events that never come, or come unreadable."""
    quiet: bool
    """A topic has nothing more at the end, while workers are started again."""

    @classmethod
    def drawn(cls, chance: random.Random, only: Collection[str] | None = None) -> Swarm:
        """``only``: these, and no others, whatever was drawn."""
        drawn = {each.name: chance.random() < 0.3 for each in fields(cls)}
        return cls(**(drawn if only is None else {name: name in only for name in drawn}))


# --- the night -------------------------------------------------------------------------------------------------------


@cache
def night(seed: int) -> tuple[tuple[str, str, bytes], ...]:
    """What the tables of a small floor say: (table, topic, line), in the order of time."""
    games = [GAMES[(seed + index) % len(GAMES)] for index in range(2)]
    floor = Floor(tables=2, hours=0.05, seed=seed, first_day=date(2026, 11, 29), only=games, fault_rate=0.25)
    lines, table, topic = [], "", IN[3]
    for line in floor.lines():
        with suppress(Refusal):  # a line that was cut on the way goes where the one before it went
            event = decode(line)
            table, topic = event.table, topic_of(event.type)
        lines.append((table, topic, line))
    return tuple(lines)


# --- brokers and store -----------------------------------------------------------------------------------------------


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


class Loop(base_events.BaseEventLoop):
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
            raise BrokerError("away")

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
            self._places[topic] = (log, first, min(end, log.end))
        if gone:
            raise Gone("gone", gone)
        self._world, self._partition = world, partition

    def chunk(self) -> list[Any]:
        if self._world.brokers_away:
            raise BrokerError("away")
        found: list[Any] = []
        for topic, (log, first, end) in self._places.items():
            after = min(end, first + self._world.chance.randint(1, 60))
            for offset in range(first, after):
                entry = log.entries[offset]
                if entry.counts and offset >= log.first:
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
            log = world.registry[partition]
            claim = Claim(partition=partition, who=f"{len(log)}", base=base, at_s=0)
            registry = Registry()
            for offset, (key, value) in enumerate(log):
                registry.apply(key, value, offset)
            before = registry.partition(partition)
            log.append((claim.key, encode(claim)))
            if before.base <= base:
                return before, base + len(log)
            base = before.base

    def stand(self, partition: int) -> Stand:
        world = self._there()
        logs = {topic: world.log(topic, partition) for topic in IN}
        return Stand(
            {topic: log.first for topic, log in logs.items()},
            {topic: log.end for topic, log in logs.items()},
            log_of(world.ids),
        )

    def read(self, partition: int, ranges: Mapping[str, tuple[int, int]]) -> FakeReader:
        return FakeReader(self._there(), partition, ranges)

    def survey(self, partitions: Collection[int], opened: Sequence[SessionEntry] = ()) -> Survey:
        world = self._there()
        for entry in opened:
            world.registered(entry.partition, entry.key, encode(entry))
        homes: dict[str, set[int]] = defaultdict(set)
        epochs = {}
        log = log_of(world.ids)
        for number, records in world.registry.items():
            registry = Registry()
            for offset, (key, value) in enumerate(records):
                registry.apply(key, value, offset)
            of_one = registry.partition(number)
            epochs[number] = of_one.epoch
            for entry in of_one.sessions.values():
                if entry.table and entry.log == log:
                    homes[entry.session].add(number)
        return Survey(
            world.now,
            {(topic, number): world.log(topic, number).first for topic in IN for number in partitions},
            {(topic, number): world.log(topic, number).end for topic in IN for number in partitions},
            dict(world.ids),
            dict.fromkeys(IN, world.partitions),
            epochs,
            {name: frozenset(found) for name, found in homes.items() if len(found) > 1},
        )

    def close(self) -> None:
        return


# --- workers ---------------------------------------------------------------------------------------------------------


class Worker:
    """A process: a driver, its event loop, and its place in the group."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.loop = Loop(world)
        self.stopped_at = self.stopped_until = 0.0
        self.places: dict[tuple[str, int], int] = {}
        """The stream's positions."""
        self.taking: asyncio.Task[Any] | None = None
        self.fetched: dict[tuple[str, int], Run] = {}
        self.dealing: asyncio.Task[Any] | None = None
        self.wants_in = True
        self.member = False
        self.rejoins_at = world.now
        self.driver = self._driver()
        self._on_its_loop(self.driver.start)

    def _driver(self) -> Driver:
        world = self.world
        settings = world.settings
        if world.swarm.other_settings:
            patience, waiting = world.chance.choice((1.0, 5.0, 20.0)), world.chance.choice((500, 200_000))
            settings = replace(settings, hole_patience_s=patience, max_waiting_rows=waiting)
        floor = LiveFloor(settings, clock=lambda: world.now, wall=lambda: world.wall)
        made = Driver(
            world.live,
            floor,
            open_store=lambda: Kept(world),  # type: ignore[arg-type, return-value]
            outlet=Outlet(world),  # type: ignore[arg-type]
            brokers=FakeBrokers(world),  # type: ignore[arg-type]
            metrics=NO_METRICS,
            partitions=world.partitions,
            clock=lambda: world.now,
        )
        self.loop.writing = made._writer.threads
        made._reader = SimpleNamespace(submit=lambda *_: None)  # type: ignore[assignment]
        return made

    def _on_its_loop(self, function: Callable[..., Any], *args: Any) -> Any:
        events._set_running_loop(self.loop)
        try:
            return function(*args)
        finally:
            events._set_running_loop(None)

    @property
    def runs(self) -> bool:
        return self.world.now >= self.stopped_until

    def step(self) -> None:
        self.fetch()
        self.loop.step()

    def fetch(self) -> None:
        """What the consumer brings is given to the driver; what was taken is committed, now and then."""
        world = self.world
        if self.taking is not None:
            if not self.taking.done():
                return
            for place, run in self.fetched.items():
                self.places[place] = run.after
                if world.chance.random() < 0.3:
                    world.committed[place] = run.after
            self.taking = None
        if world.brokers_away or not self.member or (self.dealing is not None and not self.dealing.done()):
            return
        self.fetched = {}
        for (topic, number), position in self.places.items():
            if not self.driver.ready(number):
                continue
            log = world.log(topic, number)
            if position < log.first or position > len(log.entries):
                position = log.first
            after = min(log.end, position + world.chance.choice((1, 20, 200)))
            if after > position:
                self.fetched[topic, number] = self.run(log, position, after)
        if self.fetched:
            self.taking = self.loop.create_task(self.take())

    def run(self, log: Log, first: int, after: int) -> Run:
        records = [
            SimpleNamespace(offset=offset, value=log.entries[offset].value, key=log.entries[offset].key)
            for offset in range(first, after)
            if log.entries[offset].counts
        ]
        return Run(first, records, after)

    def take(self) -> Any:
        return self.driver.take(dict(self.fetched))

    def deal(self, partitions: Collection[int], generation: int) -> None:
        """The group deals its partitions out anew."""
        if self.taking is not None:
            self.taking.cancel()
            self.taking = None

        async def both() -> None:
            await self.driver.hold(set(self.driver.partitions()))
            await self.driver.assigned(set(partitions), generation)

        self.dealing = self.loop.create_task(both())
        self.places = {
            (topic, number): self.world.committed.get((topic, number), 0) for topic in IN for number in partitions
        }


class _NoMetrics:
    """Figures that nobody looks at."""

    def __getattr__(self, _: str) -> Any:
        return self

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self


NO_METRICS: Final[Any] = _NoMetrics()


# --- the world -------------------------------------------------------------------------------------------------------


class World:
    """One schedule."""

    worker: Callable[[World], Worker] = Worker

    def __init__(self, seed: int, only: Collection[str] | None = None) -> None:
        chance = self.chance = random.Random(seed)
        self.seed = seed
        self.swarm = Swarm.drawn(chance, only)
        self.now = 1_000.0
        self.wall = 1_790_000_000.0
        self.partitions = chance.choice((1, 2, 2))
        self.settings = Settings(
            judging=judged(),
            raw=chance.random() < 0.3,
            alone=self.partitions == 1,
            quiet_s=chance.choice((5.0, 30.0)),
            drop_wait_s=90.0,
            abandoned_s=90.0,
            summary_every_s=chance.choice((0.0, 10.0)),
            rest_every_s=chance.choice((0.0, 1.0)),
        )
        self.live = _LIVE
        self.ids = {topic: f"{topic}-1" for topic in IN}
        self.logs: dict[tuple[str, int], Log] = defaultdict(Log)
        self.registry: dict[int, list[tuple[bytes, bytes | None]]] = {n: [] for n in range(self.partitions)}
        self.committed: dict[tuple[str, int], int] = {}
        self.disk = Disk()
        self.store_refuses = self.store_read_only = self.store_hangs = self.brokers_away = False
        self.lines = list(self._spoilt())
        self.all_of: dict[str, list[bytes]] = defaultdict(list)
        """Lines that come at any time, by session."""
        for _, _, line in self.lines:
            self.all_of[session_of(line).decode()].append(line)
        self.published: dict[str, list[bytes]] = defaultdict(list)
        self.came_by: dict[str, set[int]] = defaultdict(set)
        self.gone: dict[str, list[bytes]] = defaultdict(list)
        """Lines that are no longer in the topics."""
        self._final: dict[str, dict[Any, Any]] = {}
        self._prefix: dict[tuple[str, int], dict[Any, Any]] = {}
        self.generation = 0
        self.anew = False
        self.expired_told = False
        """Whether a worker has said that records were gone before they were read."""
        self.workers: list[Worker] = [self.worker(self) for _ in range(chance.choice((1, 2)))]
        self.next_fault = self.now + 3.0

    def log(self, topic: str, number: int) -> Log:
        return self.logs[topic, number]

    def latency_s(self) -> float:
        return self.chance.choice((0.0, 0.0, 0.05, 0.3))

    # --- producers ---------------------------------------------------------------------------------------------------

    def _spoilt(self) -> Iterator[tuple[str, str, bytes]]:
        chance = self.chance
        for table, topic, line in night(self.seed % FLOORS):
            if self.swarm.losses and chance.random() < 0.01:
                if chance.random() < 0.5:
                    continue
                line = line.replace(b'"v":1', b'"v":7')
            yield table, topic, line

    def records(self) -> list[tuple[str, str, list[bytes]]]:
        """The lines as they are sent: in records, some twice, some late."""
        chance, swarm = self.chance, self.swarm
        placed = []
        for index, (table, topic, line) in enumerate(self.lines):
            late = chance.uniform(0, 60) if swarm.disorder and chance.random() < 0.05 else 0.0
            placed.append((index + late, index, (table, topic, [line])))
            if swarm.repeats and chance.random() < 0.03:
                placed.append((index + chance.uniform(0, 60), index, (table, topic, [line])))
        return [record for _, _, record in sorted(placed, key=lambda each: each[:2])]

    def publish(self, table: str, topic: str, lines: list[bytes]) -> None:
        chance, swarm = self.chance, self.swarm
        key: bytes | None = table.encode()
        if swarm.mis_keyed and table == self.lines[0][0]:
            key = topic.encode()
        number = crc32(key) % self.partitions if key is not None else 0
        log, value = self.log(topic, number), b"\n".join(lines)
        if swarm.aborts and chance.random() < 0.05:
            wrong = value.replace(b'"device":"', b'"device":"z')
            log.entries += [Entry(key, wrong, counts=False), Entry(None, None, counts=False)]
        if log.open_from is not None and chance.random() < 0.5:
            log.commit()
        if swarm.transactions and log.open_from is None and chance.random() < 0.3:
            log.open_from = len(log.entries)
        log.entries.append(Entry(key, value))
        for line in lines:
            name = session_of(line).decode()
            if line not in self.published[name]:
                self.published[name].append(line)
            self.came_by[name].add(number)

    # --- what must hold ----------------------------------------------------------------------------------------------

    def final(self, name: str) -> dict[Any, Any]:
        """What the offline audit says of this session in the end: key -> content."""
        if name not in self._final:
            self._final[name] = _contents(name, self.all_of[name], self.settings)
        return self._final[name]

    def so_far(self, name: str) -> dict[Any, Any]:
        """What it says of what has been published."""
        lines = self.published[name]
        at = (name, len(lines))
        if at not in self._prefix:
            self._prefix[at] = _contents(name, lines, self.settings)
        return self._prefix[at]

    def stored(self, rows: Iterable[Row]) -> None:
        """These rows are stored. What was rightly said is not unsaid by that."""
        disk = self.disk
        for row in rows:
            before = disk.rows.get(key_of(row))
            disk.write([row])
            if before is None or not isinstance(row, Said) or disk.rows[key_of(row)] is not row or taken_back(before):
                continue
            key, name = key_of(row), row.session
            right = self.final(name).get(key)
            if right is None or content_of(before) != right or (content_of(row) == right and not taken_back(row)):
                continue
            now = self.so_far(name).get(key)
            if (now is None) != taken_back(row) or (now is not None and now != content_of(row)):
                raise Broken(f"seed {self.seed}: what was rightly said is overwritten: {key}: {content_of(row)}")

    def registered(self, partition: int, key: bytes, value: bytes | None) -> None:
        """This is said in the registry. A session that is done is one of which the store has all."""
        log = self.registry[partition]
        log.append((key, value))
        if not key.startswith(b"session/") or value is None:
            return
        registry = Registry()
        for offset, (each, what) in enumerate(log):
            registry.apply(each, what, offset)
        entry = registry.partition(partition).sessions.get(key[8:].decode())
        if entry is None or entry.state is not State.DONE or self.excused(entry):
            return
        name = entry.session
        if name not in self.all_of or not entry.table:
            return
        due, found = self.so_far(name), self.said(name)
        if due != found and not self._unread(entry):
            wrong = [each for each in due.keys() | found.keys() if due.get(each) != found.get(each)]
            raise Broken(f"seed {self.seed}: {name} is called done, and is not: {len(wrong)} rows, as {wrong[:2]}")

    def excused(self, entry: SessionEntry) -> bool:
        """Of whose session not all is there any more, or not in one place."""
        return bool(self.gone[entry.session]) or len(self.came_by[entry.session]) > 1

    def _unread(self, entry: SessionEntry) -> bool:
        """Whether something of it lies after what its owner has read."""
        for topic in IN:
            log = self.log(topic, entry.partition)
            for each in log.entries[entry.end.get(topic, 0) :]:
                if each.counts and each.value and entry.session.encode() in each.value:
                    return True
        return False

    def said(self, name: str) -> dict[Any, Any]:
        rows = self.disk.said(name)
        return {key_of(row): content_of(row) for row in rows if isinstance(row, Said) and not taken_back(row)}

    def state(self, name: str) -> set[State]:
        found = set()
        for number, log in self.registry.items():
            registry = Registry()
            for offset, (key, value) in enumerate(log):
                registry.apply(key, value, offset)
            entry = registry.partition(number).sessions.get(name)
            if entry is not None:
                found.add(entry.state)
        return found

    def hear(self) -> None:
        """What workers have said so far."""
        self.expired_told |= any(worker.driver.floor.stats().expired for worker in self.workers)

    def differences(self) -> list[str]:
        """Where the store does not say in the end what the offline audit says, and nobody has said so."""
        self.hear()
        problems = []
        for name in sorted(self.all_of):
            if not name or not any(_reads(line) for line in self.all_of[name]):
                continue
            due, found, states = self.final(name), self.said(name), self.state(name)
            if due == found:
                continue
            if self.gone[name]:
                left = [line for line in self.all_of[name] if line not in self.gone[name]]
                if State.LOST in states or found == _contents(name, left, self.settings) or not left:
                    continue
                if self.expired_told:  # some of them were read in time: the holes are told as such
                    continue
            if self.anew and State.LOST in states:  # what the store held when that happened stands
                continue
            if len(self.came_by[name]) > 1:
                # What a transaction hides is missing, as far as anybody can tell.
                false = [key for key in found if key[0] == "finding" and key not in due]
                if State.LOST in states and (not false or self.swarm.transactions):
                    continue
            missing = [key for key in due if key not in found]
            more = [key for key in found if key not in due]
            other = [key for key in found if key in due and found[key] != due[key]]
            problems.append(
                f"{name} ({states}): {len(missing)} missing, {len(more)} too many, {len(other)} differ, such as"
                f" {(missing + more + other)[:2]}"
            )
        return problems

    # --- what befalls it ---------------------------------------------------------------------------------------------

    def fault(self) -> None:
        """Something happens."""
        chance, swarm = self.chance, self.swarm
        what = chance.choice([name for name in FAULTS if getattr(swarm, name)] or ["nothing"])
        getattr(self, f"_{what}", lambda: None)()

    def _kills(self) -> None:
        index = self.chance.randrange(len(self.workers))
        self.hear()
        old = self.workers[index]
        jobs = [job for _, _, job in old.loop.jobs] if self.chance.random() < 0.5 else []
        self.workers[index] = self.worker(self)
        for job in jobs[:2]:  # what was under way arrives
            with suppress(Exception):
                job()
        self.rebalance()

    def _stops(self) -> None:
        """A process is stopped for a while; as often as not in the midst of reading what it has just been given."""
        if self.chance.random() < 0.6:
            self.rebalance()
            for _ in range(self.chance.randint(1, 6)):
                self.step()
        worker = self.chance.choice(self.workers)
        worker.stopped_at = self.now
        worker.stopped_until = self.now + self.chance.choice((3.0, 15.0, 25.0, 75.0))

    def _rebalances(self) -> None:
        self.rebalance()

    def _store_refuses(self) -> None:
        self.store_refuses = not self.store_refuses

    def _store_read_only(self) -> None:
        self.store_read_only = not self.store_read_only

    def _store_hangs(self) -> None:
        self.store_hangs = not self.store_hangs

    def _brokers_away(self) -> None:
        self.brokers_away = not self.brokers_away

    def _clock_jumps(self) -> None:
        self.wall += self.chance.choice((-3600.0, 3600.0, -86400.0))

    def _quiet(self) -> None:
        self._kills()

    def _expiry(self) -> None:
        topic, number = self.chance.choice(IN), self.chance.randrange(self.partitions)
        log = self.log(topic, number)
        if log.first < log.end:
            first = self.chance.randint(log.first, log.end)
            self._let_go(log.entries[log.first : first])
            log.first = first

    def _let_go(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            for line in (entry.value or b"").split(b"\n"):
                if entry.counts and line:
                    self.gone[session_of(line).decode()].append(line)

    def _made_anew(self) -> None:
        if self.ids[IN[0]].endswith("-2"):
            return
        self.ids = {topic: f"{topic}-2" for topic in IN}
        self.anew = True
        restored = self.chance.random() < 0.5
        for log in self.logs.values():
            kept = [each for each in log.entries[log.first :] if each.counts] if restored else []
            if not restored:
                self._let_go(log.entries)
            log.entries, log.first, log.open_from = kept, 0, None
        self.committed.clear()
        for worker in self.workers:
            worker.places = dict.fromkeys(worker.places, 0)

    def _more_partitions(self) -> None:
        if self.partitions < 3:
            self.registry[self.partitions] = []
            self.partitions += 1

    def rebalance(self) -> None:
        """The group deals its partitions out to whoever is there."""
        self.generation += 1
        there = [worker for worker in self.workers if worker.runs]
        for worker in self.workers:
            worker.member = worker in there
        shift = self.chance.randrange(len(there) or 1)
        for index, worker in enumerate(there):
            ours = [number for number in range(self.partitions) if (number + shift) % len(there) == index]
            worker.deal(ours, self.generation)

    # --- its course --------------------------------------------------------------------------------------------------

    def step(self, seconds: float = STEP_S) -> None:
        """A little time passes."""
        self.now += seconds
        self.wall += seconds
        for index, worker in enumerate(self.workers):
            if worker.driver.fatal is not None:
                self.hear()
                self.workers[index] = self.worker(self)
                self.rebalance()
        there = [worker for worker in self.workers if worker.runs]
        joining = [worker for worker in there if not worker.member and self.now > worker.rejoins_at]
        missed = [
            worker
            for worker in self.workers
            if worker.member and not worker.runs and self.now > worker.stopped_at + SESSION_TIMEOUT_S
        ]
        if joining or missed:
            for worker in missed:
                worker.rejoins_at = worker.stopped_until + self.chance.uniform(0.0, 3.0)
            self.rebalance()
        for worker in self.workers:
            if worker.runs:
                worker.step()

    def play(self) -> None:
        """Publish it all, with trouble on the way, then let everything come to its end."""
        chance = self.chance
        sent = self.records()
        self.rebalance()
        place, pace = 0, max(1, len(sent) // 300)
        while place < len(sent):
            for record in sent[place : place + chance.randint(0, 2 * pace)]:
                self.publish(*record)
                place += 1
            if self.now >= self.next_fault:
                self.fault()
                self.next_fault = self.now + chance.choice((1.0, 3.0, 10.0))
            self.step()
        if self.swarm.quiet:
            self._kills()
        self.store_refuses = self.store_read_only = self.store_hangs = self.brokers_away = False
        for log in self.logs.values():
            log.commit()
        calm = self.now
        while self.now < calm + DONE_S and not self.is_quiet():
            self.step(STEP_S if self.now < calm + SOON_S else LATER_STEP_S)
        problems = self.differences()
        if problems:
            raise Broken(f"seed {self.seed} ({self.swarm}): " + "; ".join(problems[:3]))

    def is_quiet(self) -> bool:
        """Whether nothing is open any more."""
        if any(not worker.runs for worker in self.workers) or int(self.now) % 5:
            return False
        floors = [worker.driver.floor for worker in self.workers]
        have = set().union(*(floor.assigned() for floor in floors))
        return have == set(range(self.partitions)) and all(floor.stats().sessions == 0 for floor in floors)


FAULTS: Final = (
    "expiry",
    "made_anew",
    "more_partitions",
    "kills",
    "stops",
    "rebalances",
    "store_refuses",
    "store_read_only",
    "store_hangs",
    "brokers_away",
    "clock_jumps",
)


def _reads(line: bytes) -> bool:
    try:
        decode(line)
    except Refusal:
        return False
    return True


def _contents(name: str, lines: Iterable[bytes], settings: Settings) -> dict[Any, Any]:
    said, _ = fold(name, lines, settings.judging)
    return {key_of(row): content_of(row) for row in said if not taken_back(row)}


_LIVE: Final = load(kafka="127.0.0.1:1", session_timeout_s=SESSION_TIMEOUT_S)
writing.KeptInStore = lambda store: store  # type: ignore[assignment, misc]


def play(seed: int, only: Collection[str] | None = None) -> World:
    """One schedule, to its end, with these faults (None: those that are drawn); raises `Broken`."""
    world = World(seed, only)
    world.play()
    return world
