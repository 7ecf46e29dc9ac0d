"""The whole live side in one process, on one clock: brokers, a store, workers, producers, and what befalls them.

`play` plays one schedule, drawn from its seed: the same seed is the same schedule. Which faults there are at all is
drawn first (`Swarm`), so that some schedules are full of one kind and others of none. Each worker is a real
`streams.live.driver.Driver` on an event loop of its own, whose time is the world's: it may be stopped in the midst of
anything, while the others go on.

What must hold (`tests.streams.live.promise`) is looked at while it is played: whenever something is stored or
registered, and once more at the end. An error that a worker did not foresee breaks it too. `Broken` says what does not
hold.
"""

from __future__ import annotations

import asyncio
import logging
import random
from asyncio import events
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cache
from types import SimpleNamespace
from typing import Any, Final, cast
from zlib import crc32

from replay.events import Refusal, decode
from replay.results import Row
from streams.live import writing
from streams.live.config import load
from streams.live.driver import Driver
from streams.live.engine import LiveFloor, Settings
from streams.live.registry import Registry, log_of
from streams.live.runs import Run
from streams.live.topics import IN, topic_of
from streams.simulator.floor import Floor
from tests.installed import judged
from tests.replay.streaks.volatile import WATCHING
from tests.streams.live.around import STEP_S, Entry, FakeBrokers, Kept, Log, Loop, Outlet, RegistryLog
from tests.streams.live.promise import Promise

GAMES: Final = ("boule", "craps", "blackjack", "sic_bo", "punto_banco", "trente_et_quarante")
FLOORS: Final = 8
SESSION_TIMEOUT_S: Final = 10.0
CUT_SHORT_STEPS: Final = 30
"""So long nothing is written after a topic has been cut short."""
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
            open_store=cast(Any, lambda: Kept(world)),
            outlet=Outlet(world),  # type: ignore[arg-type]
            brokers=FakeBrokers(world),
            metrics=cast(Any, _Figures(world.figures)),
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
            self.ended(self.taking)
            for place, run in self.fetched.items():
                self.places[place] = run.after
                if world.chance.random() < 0.3:
                    world.committed[place] = run.after
            self.taking = None
        if world.brokers_away or not self.member:
            return
        if self.dealing is not None:
            if not self.dealing.done():
                return
            self.ended(self.dealing)
            self.dealing = None
        self.fetched = {}
        for (topic, number), position in self.places.items():
            if not self.driver.ready(number):
                continue
            log = world.log(topic, number)
            begins = position
            if position < log.first or position > len(log.entries):
                begins = log.first  # what aiokafka does then, as often as not within the same fetch
                if world.chance.random() < 0.5:
                    position = begins
            after = min(log.end, begins + world.chance.choice((1, 20, 200)))
            if after > begins:
                self.fetched[topic, number] = self.run(log, position, after)
        if self.fetched:
            self.taking = self.loop.create_task(self.take())

    def ended(self, task: asyncio.Task[Any]) -> None:
        """What its client waits for is over; an error would end the process."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.promise.breaks(f"a worker fails: {error!r}")

    def run(self, log: Log, first: int, after: int) -> Run:
        records = [
            SimpleNamespace(offset=offset, value=log.entries[offset].value, key=log.entries[offset].key)
            for offset in range(max(first, log.first), after)
            if log.entries[offset].counts
        ]
        return Run.fetched(first, records, after)

    def take(self) -> Any:
        return self.driver.take(dict(self.fetched))

    def deal(self, partitions: Collection[int], generation: int) -> None:
        """The group deals its partitions out anew."""
        if self.taking is not None:
            self.taking.cancel()
            self.taking = None

        before = self.dealing

        async def both() -> None:
            if before is not None:  # a client deals with one change of its group after the other
                await before
            await self.driver.hold(set(self.driver.partitions()))
            await self.driver.assigned(set(partitions), generation)

        self.dealing = self.loop.create_task(both())
        self.places = {
            (topic, number): self.world.committed.get((topic, number), 0) for topic in IN for number in partitions
        }


class _Figures:
    """The figures of all workers: of each, how often it was raised."""

    def __init__(self, counts: Counter[str], name: str = "") -> None:
        self._counts = counts
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return _Figures(self._counts, self._name or name)

    def __call__(self, *_: Any, **__: Any) -> Any:
        self._counts[self._name] += 1
        return self


class _Unforeseen(logging.Handler):
    """Hears of errors that the workers of a world did not foresee."""

    def __init__(self, promise: Promise) -> None:
        super().__init__(logging.WARNING)
        self._promise = promise

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self._promise.breaks(f"{record.getMessage()}: {record.exc_info[1]!r}")


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
            judging=judged(watching=WATCHING if seed % 3 == 0 else None),
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
        self.known = Registry()
        """What the registry has come to."""
        self.registry = {number: RegistryLog(self.known) for number in range(self.partitions)}
        self.committed: dict[tuple[str, int], int] = {}
        self.store_refuses = self.store_read_only = self.store_hangs = self.brokers_away = False
        self.lines = list(self._spoilt())
        self.promise = Promise(self, [line for _, _, line in self.lines], self.settings)
        self.disk = self.promise.disk
        self.figures: Counter[str] = Counter()
        """What workers have counted."""
        self.generation = 0
        self.anew = False
        self.past: list[Worker] = []
        """Workers that are no more."""
        self.workers: list[Worker] = [self.worker(self) for _ in range(chance.choice((1, 2)))]
        self.next_fault = self.now + 3.0

    def log(self, topic: str, number: int) -> Log:
        return self.logs[topic, number]

    def log_name(self) -> str:
        """See `streams.live.registry.log_of`."""
        return log_of(self.ids)

    def registered(self, partition: int, key: bytes, value: bytes | None) -> None:
        """This is said in the registry."""
        self.registry[partition].append(key, value)
        self.promise.registered(partition, key, value)

    def stored(self, rows: Iterable[Row]) -> None:
        """These rows are stored."""
        self.promise.stored(rows)

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
            self.promise.comes(line, number)

    # --- what befalls it ---------------------------------------------------------------------------------------------

    def fault(self) -> None:
        """Something happens."""
        chance, swarm = self.chance, self.swarm
        what = chance.choice([name for name in FAULTS if getattr(swarm, name)] or ["nothing"])
        getattr(self, f"_{what}", lambda: None)()

    def _kills(self) -> None:
        index = self.chance.randrange(len(self.workers))
        old = self.workers[index]
        jobs = [job for _, _, job in old.loop.jobs] if self.chance.random() < 0.5 else []
        self.replace(index)
        for job in jobs[:2]:  # what was under way arrives
            with suppress(Exception):
                job()
        self.rebalance()

    def replace(self, index: int) -> None:
        """This worker is no more; another is started."""
        self.promise.hear(self.workers[index].driver.floor.stats())
        self.past.append(self.workers[index])
        self.workers[index] = self.worker(self)

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
                    self.promise.goes(line)

    def _made_anew(self) -> None:
        if self.anew:
            return
        if self.chance.random() < 0.3:
            self._cut_short()
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

    def _cut_short(self) -> None:
        """A broker that knows of less becomes the leader. What is written next takes the place of what is lost: that
        shows only while there is less than there was."""
        self.anew = True
        for log in self.logs.values():
            cut = self.chance.randint(log.first, len(log.entries))
            self._let_go(log.entries[cut:])
            del log.entries[cut:]
            log.open_from = None
        self.promise.cut_short()
        for _ in range(CUT_SHORT_STEPS):
            self.step()

    def _more_partitions(self) -> None:
        if self.partitions < 3:
            self.registry[self.partitions] = RegistryLog(self.known)
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
                self.replace(index)
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
        self.holds()

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
        for worker in self.workers:
            self.promise.hear(worker.driver.floor.stats())
        for problem in self.promise.differences():
            self.promise.breaks(problem)
        self.holds()

    def holds(self) -> None:
        """Raise `Broken` if something did not hold."""
        if self.promise.broken:
            faults = ", ".join(name for name, drawn in vars(self.swarm).items() if drawn)
            raise Broken(f"seed {self.seed} ({faults}): {self.promise.broken[0]}")

    def end(self) -> None:
        """Let go of all workers."""
        for worker in [*self.past, *self.workers]:
            worker.loop.end()

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


_LIVE: Final = load(kafka="127.0.0.1:1", session_timeout_s=SESSION_TIMEOUT_S)
setattr(writing, "KeptInStore", lambda store: store)  # noqa: B010


def play(seed: int, only: Collection[str] | None = None) -> World:
    """One schedule, to its end, with these faults (None: those that are drawn); raises `Broken`."""
    world = World(seed, only)
    live, unforeseen = logging.getLogger("streams.live"), _Unforeseen(world.promise)
    live.addHandler(unforeseen)
    live.propagate, propagates = False, live.propagate
    try:
        world.play()
    finally:
        live.removeHandler(unforeseen)
        live.propagate = propagates
        world.end()
    return world
