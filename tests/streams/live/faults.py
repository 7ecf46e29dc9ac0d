"""A floor's live side in one process, with faults: topics as lists, workers that die, a store that stumbles.

`run` plays one schedule, drawn from its seed: the same seed gives the same schedule. What a worker is asked for by
`streams.live.engine` is done here as a real one does it, only worse. At the end everything is delivered, time passes
until every session is done, and `differences` tells where the store and the offline audit do not say the same.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from hashlib import sha256
from typing import Any
from zlib import crc32

import msgspec

from replay.events import Refusal, decode
from replay.evidence import Keys, public_key
from replay.line import session_of
from replay.refold import fold
from replay.results import RawEvent, Rejected, Row
from replay.revisions import identity, taken_back
from replay.segment import Said
from replay.told import content_of, key_of
from streams.live.batch import Batch
from streams.live.engine import LiveFloor, Reading, Settings
from streams.live.registry import SESSION, Claim, Holding, Registry, SessionEntry, State, encode
from streams.live.topics import IN, TABLES, topic_of
from streams.simulator.floor import Floor
from tests.installed import judged
from tests.replay.streaks.volatile import WATCHING

PARTITIONS = 2
GAMES = ("boule", "craps", "blackjack", "sic_bo", "punto_banco", "trente_et_quarante")
FLOORS = 6
"""So many different nights are played; each schedule takes one of them."""


class Away(Exception):
    """The store or the broker does not answer."""


# --- the night that is played ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Night:
    """What the tables of a floor say: (table, topic, line), in the order of time."""

    lines: tuple[tuple[str, str, bytes], ...]
    keys: Keys


@cache
def night(seed: int) -> Night:
    """One of some short nights with wrongs planted."""
    games = [GAMES[(seed + index) % len(GAMES)] for index in range(3 + seed % 2)]
    floor = Floor(tables=len(games), hours=0.15, seed=seed, first_day=date(2026, 11, 29), only=games, fault_rate=0.25)
    lines, table, topic = [], "", TABLES
    for line in floor.lines():
        with suppress(Refusal):  # a line that was cut on the way goes where the one before it went
            event = decode(line)
            table, topic = event.table, topic_of(event.type)
        lines.append((table, topic, line))
    return Night(tuple(lines), {name: public_key(text) for name, text in floor.public_keys().items()})


@dataclass(frozen=True)
class Record:
    """Lines of one table on their way to one topic."""

    table: str
    topic: str
    value: bytes


def spoilt(night: Night, chance: random.Random) -> Iterator[tuple[str, str, bytes]]:
    """The night's lines with some lost, some unreadable, some contradicted, and some that are nobody's."""
    rate = chance.choice((0.0, 0.0, 0.002, 0.01))
    for table, topic, line in night.lines:
        draw = chance.random() / rate if rate else 1.0
        if draw < 0.2:
            continue  # it never comes
        if draw < 0.4:
            line = line.replace(b'"v":1', b'"v":7')
        elif draw < 0.6:
            yield table, topic, line.replace(b'"device":"', b'"device":"x')
        elif draw < 0.7:
            yield table, topic, b"\x00 not an event " + chance.randbytes(8).replace(b"\n", b"")
        elif draw < 0.8:
            yield table, topic, line.replace(b'"v":1', b'"v":9')  # unreadable first, readable after
        yield table, topic, line


def records(lines: Iterable[tuple[str, str, bytes]], chance: random.Random) -> list[Record]:
    """The lines in records of several, some of them sent twice, late, or in another order."""
    most = chance.choice((1, 4, 20))
    gathered: dict[tuple[str, str], list[bytes]] = defaultdict(list)
    sent: list[Record] = []

    def flush(table: str, topic: str) -> None:
        waiting = gathered.pop((table, topic), None)
        if waiting:
            sent.append(Record(table, topic, b"\n".join(waiting)))

    for table, topic, line in lines:
        gathered[table, topic].append(line)
        if len(gathered[table, topic]) >= chance.randint(1, most):
            flush(table, topic)
    for table, topic in sorted(gathered):
        flush(table, topic)
    moved = chance.choice((0.0, 0.0, 0.01, 0.1))
    reach = chance.choice((3, 30, 1000))
    keyed = []
    for index, record in enumerate(sent):
        late = chance.random() < moved
        keyed.append((index + (chance.uniform(0, reach) if late else 0.0), index, record))
        if chance.random() < moved / 2:
            keyed.append((index + chance.uniform(0, reach), index, record))
    return [record for _, _, record in sorted(keyed, key=lambda item: item[:2])]


# --- the broker and the store ----------------------------------------------------------------------------------------


@dataclass
class Broker:
    """Topics and the registry, as lists."""

    logs: dict[tuple[str, int], list[bytes]] = field(
        default_factory=lambda: {(topic, number): [] for topic in IN for number in range(PARTITIONS)}
    )
    registry: dict[int, list[tuple[bytes, bytes | None]]] = field(
        default_factory=lambda: {number: [] for number in range(PARTITIONS)}
    )
    results: list[tuple[str, bytes, bytes]] = field(default_factory=list)

    def claimed(self, number: int) -> Holding:
        """The partition is claimed, and what the registry says of it."""
        registry = Registry()
        log = self.registry[number]
        claim = Claim(partition=number, who=str(len(log)), base=0, at_s=0)
        log.append((claim.key, encode(claim)))
        for offset, (key, value) in enumerate(log):
            registry.apply(key, value, offset)
        return Holding(registry=registry.partition(number), epoch=len(log))

    def publish(self, record: Record) -> None:
        self.logs[record.topic, crc32(record.table.encode()) % PARTITIONS].append(record.value)

    def states(self) -> dict[str, State]:
        """What the registry finally says of every session."""
        last: dict[bytes, bytes | None] = {}
        for entries in self.registry.values():
            last.update(entries)
        return {
            key[len(SESSION) :].decode(): msgspec.json.decode(value, type=SessionEntry).state
            for key, value in last.items()
            if key.startswith(SESSION) and value is not None
        }


@dataclass
class Disk:
    """What is stored: of the rows under one key the one with the highest revision counts, among equals the last."""

    rows: dict[tuple[Any, ...], Row] = field(default_factory=dict)

    def write(self, rows: Iterable[Row]) -> None:
        for row in rows:
            key = key_of(row)
            if not isinstance(row, RawEvent | Rejected):
                stored = self.rows.get(key)
                if stored is not None and stored.revision > row.revision:  # type: ignore[union-attr]
                    continue
            self.rows[key] = row

    def said(self, session: str) -> list[Row]:
        return [
            row for row in self.rows.values() if row.session == session and not isinstance(row, RawEvent | Rejected)
        ]


class Weather:
    """Whether the store and the broker are there."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.storm = 0.0
        """How often a call fails."""

    def strike(self) -> None:
        if self.chance.random() < self.storm:
            raise Away


class FakeKept:
    """A worker's connection to the disk: flushes fail before anything was written, halfway, or after."""

    def __init__(self, disk: Disk, weather: Weather) -> None:
        self.disk, self.weather = disk, weather
        self.waiting: list[Row] = []

    def add(self, rows: Iterable[Row]) -> None:
        self.waiting += rows

    def flush(self) -> None:
        half = self.weather.chance.randint(0, len(self.waiting))
        try:
            self.weather.strike()
        except Away:
            self.disk.write(self.waiting[:half])  # it is all kept, and written again
            raise
        self.disk.write(self.waiting)
        self.waiting = []

    def said(self, session: str) -> list[Row]:
        self.weather.strike()
        return self.disk.said(session)

    def highest(self) -> int:
        self.weather.strike()
        return max((getattr(row, "revision", 0) for row in self.disk.rows.values()), default=0)


class FakeOutlet:
    """A worker's producer."""

    def __init__(self, broker: Broker, weather: Weather) -> None:
        self.broker, self.weather = broker, weather

    def send(self, topic: str, key: bytes, value: bytes) -> None:
        self.broker.results += [(topic, key, line) for line in value.split(b"\n")]

    def register(self, partition: int, key: bytes, value: bytes | None) -> None:
        self.broker.registry[partition].append((key, value))

    def sent(self) -> None:
        return

    def flush(self) -> None:
        self.weather.strike()


# --- workers ---------------------------------------------------------------------------------------------------------


class Worker:
    """What the real one does: assignment, stream, batches, readings."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.floor = LiveFloor(world.settings, clock=lambda: world.now)
        self.kept = FakeKept(world.disk, world.weather)
        self.outlet = FakeOutlet(world.broker, world.weather)
        self.stream: dict[tuple[str, int], int] = {}
        self.batch: Batch | None = None
        self.readings: list[Reading] = []
        self.held: set[int] = set()

    def assign(self, number: int) -> None:
        world = self.world
        starts = self.floor.assign(number, world.broker.claimed(number))
        logs = {topic: world.broker.logs[topic, number] for topic in IN}
        ends = {topic: len(log) for topic, log in logs.items()}
        places = {topic: starts.get(topic, 0) for topic in IN}
        while left := [topic for topic in IN if places[topic] < ends[topic]]:
            topic = world.chance.choice(left)
            for _ in range(world.chance.randint(1, 40)):
                if places[topic] < ends[topic]:
                    self.floor.take(topic, number, places[topic], logs[topic][places[topic]])
                    places[topic] += 1
            if world.chance.random() < 0.05:
                self.write()
        self.floor.caught_up(number)
        for topic in IN:
            self.stream[topic, number] = world.chance.randint(0, ends[topic])

    def stay(self, number: int) -> None:
        """The partition was held, and stays: the stream comes again from what was committed."""
        self.held.remove(number)
        for topic in IN:
            self.stream[topic, number] = self.world.chance.randint(0, self.stream[topic, number])

    def revoke(self, number: int) -> None:
        self.floor.revoke(number)
        self.held.discard(number)
        self.readings = [reading for reading in self.readings if reading.partition != number]
        for topic in IN:
            del self.stream[topic, number]

    def consume(self, most: int) -> None:
        world = self.world
        for (topic, number), place in list(self.stream.items()):
            if (topic, number) in world.paused or number in self.held or self.floor.full:
                continue
            log = world.broker.logs[topic, number]
            if world.chance.random() < world.skips and place < len(log):
                place = world.chance.randint(place, len(log) - 1)
            elif world.chance.random() < world.skips:
                place = world.chance.randint(0, place)
            end = min(len(log), place + most)
            self.floor.jump(topic, number, place)
            for offset in range(place, end):
                self.floor.take(topic, number, offset, log[offset])
            self.stream[topic, number] = max(place, end)

    def write(self) -> None:
        """One attempt to write what is due."""
        self.batch = self.floor.batch(held=self.held) or self.batch
        if self.batch is not None:
            try:
                self.batch.write(self.kept, self.outlet)
            except Away:
                return
            self.floor.written(self.batch)
            self.batch = None

    def read(self) -> None:
        """One attempt to read what is wanted."""
        world = self.world
        self.readings += self.floor.wanted()
        for reading in list(self.readings):
            if world.chance.random() < 0.4:
                continue
            self.readings.remove(reading)
            if world.chance.random() < world.weather.storm:
                self.floor.failed(reading)
                continue
            for topic, (first, end) in reading.ranges.items():
                for offset in range(first, end):
                    reading.feed(topic, offset, world.broker.logs[topic, reading.partition][offset])
            reading.fold()
            self.floor.finished(reading)


class World:
    """One schedule."""

    def __init__(self, seed: int) -> None:
        chance = self.chance = random.Random(seed)
        self.now = 1_790_000_000.0
        self.night = night(seed % FLOORS)
        self.settings = Settings(
            judging=judged(
                keys=self.night.keys if chance.random() < 0.5 else None, watching=WATCHING if seed % 4 else None
            ),
            raw=chance.random() < 0.5,
            quiet_s=chance.choice((1.0, 30.0)),
            summary_every_s=chance.choice((0.0, 10.0)),
            rest_every_s=chance.choice((0.0, 1.0, 10.0)),
            max_waiting_rows=chance.choice((200, 10_000)),
            sessions_a_reading=chance.choice((1, 8)),
        )
        self.broker, self.disk, self.weather = Broker(), Disk(), Weather(chance)
        self.skips = chance.choice((0.0, 0.0, 0.05))
        self.paused: set[tuple[str, int]] = set()
        self.workers = [Worker(self) for _ in range(chance.choice((1, 2, 2)))]
        self.ghosts: list[Worker] = []
        """Workers that were given up for dead and still write what they had."""
        self.owner: dict[int, int] = {}
        for number in range(PARTITIONS):
            self._give(number, number % len(self.workers))

    def _give(self, number: int, index: int) -> None:
        self.owner[number] = index
        self.workers[index].assign(number)

    def _crash(self, index: int) -> None:
        old = self.workers[index]
        if self.chance.random() < 0.5:
            self.ghosts.append(old)
        self.workers[index] = Worker(self)
        for number, owner in self.owner.items():
            if owner == index:
                self.workers[index].assign(number)

    def _rebalance(self) -> None:
        """A partition is held, or goes at once, perhaps to whose it was."""
        number = self.chance.randrange(PARTITIONS)
        worker = self.workers[self.owner[number]]
        if self.chance.random() < 0.5:
            worker.held.add(number)
        else:
            worker.revoke(number)
            self._give(number, self.chance.randrange(len(self.workers)))

    def _settle(self) -> None:
        """Partitions that are held stay, or go to another."""
        for index, worker in enumerate(self.workers):
            for number in sorted(worker.held):
                other = self.chance.randrange(len(self.workers))
                if other == index:
                    worker.stay(number)
                else:
                    worker.revoke(number)
                    self._give(number, other)

    def _haunt(self) -> None:
        ghost = self.ghosts.pop()
        batch = ghost.batch or ghost.floor.batch()
        if batch is not None:
            with suppress(Away):
                batch.write(ghost.kept, ghost.outlet)

    def trouble(self) -> None:
        """Something happens, or nothing."""
        chance = self.chance
        draw = chance.random()
        if draw < 0.02:
            self._crash(chance.randrange(len(self.workers)))
        elif draw < 0.04:
            self._rebalance()
        elif draw < 0.07:
            self.weather.storm = chance.choice((0.0, 0.2, 0.8, 1.0))
        elif draw < 0.10:
            self.weather.storm = 0.0
        elif draw < 0.13:
            self.paused.add((chance.choice(IN), chance.randrange(PARTITIONS)))
        elif draw < 0.18:
            self.paused.clear()
        elif draw < 0.25 and self.ghosts:
            self._haunt()
        elif draw > 0.80:
            self._settle()

    def play(self, sent: list[Record]) -> None:
        """Publish it all, with trouble on the way, then let everything come to its end."""
        chance, place = self.chance, 0
        pace = max(5, len(sent) // 60)
        while place < len(sent):
            count = chance.randint(0, pace)
            for record in sent[place : place + count]:
                self.broker.publish(record)
            place += count
            self.trouble()
            for worker in self.workers:
                worker.consume(chance.choice((1, 10, 1000)))
                if chance.random() < 0.7:
                    worker.write()
                worker.read()
            self.now += chance.choice((0.1, 0.2, 1.0, 7.0))
        self.weather.storm = 0.0
        self.skips = 0.0
        self.paused.clear()
        self._settle()
        while self.ghosts:
            self._haunt()
        for _ in range(2_000):
            for worker in self.workers:
                worker.consume(1_000)
                worker.write()
                worker.read()
            self.now += 5.0 if chance.random() < 0.9 else 1_000.0
            if self._quiet():
                for worker in self.workers:
                    worker.write()
                return
            if self.now > 1_790_000_000.0 + 100_000:
                self.now += 10_000.0
        raise AssertionError("the sessions do not come to an end")

    def _quiet(self) -> bool:
        return all(worker.floor.stats().sessions == 0 and worker.batch is None for worker in self.workers) and all(
            worker.stream[topic, number] >= len(self.broker.logs[topic, number])
            for worker in self.workers
            for topic, number in worker.stream
        )


@dataclass
class Played:
    """What a schedule came to."""

    world: World
    lines: list[bytes]


def run(seed: int) -> Played:
    """One schedule, to its end."""
    world = World(seed)
    sent = records(spoilt(world.night, world.chance), world.chance)
    world.play(sent)
    return Played(world, [line for record in sent for line in record.value.split(b"\n")])


def differences(played: Played) -> list[str]:
    """Where what is stored is not what the offline audit of the same lines says; revisions apart."""
    world, problems = played.world, []
    by_session: dict[str, list[bytes]] = defaultdict(list)
    events: set[tuple[str, bytes]] = set()
    rejected: set[bytes] = set()
    for line in played.lines:
        name = session_of(line).decode()
        by_session[name].append(line)
        try:
            events.add((decode(line).session, sha256(line).digest()))
        except Refusal:
            rejected.add(sha256(line).digest())
    sessions = {name for name, _ in events}
    for name in sorted(sessions):
        said, summary = fold(name, by_session[name], world.settings.judging)
        due = {identity(row): content_of(row) for row in (*said, summary)}
        rows = [row for row in world.disk.said(name) if not (isinstance(row, Said) and taken_back(row))]
        stored = {identity(row): content_of(row) for row in rows}
        problems += [f"{key} is stored twice" for key in due if sum(identity(row) == key for row in rows) > 1]
        problems += [f"{key} is missing" for key in due if key not in stored]
        problems += [f"{key} is stored but not due: {stored[key]}" for key in stored if key not in due]
        problems += [
            f"{key} differs:\n  {stored[key]}\n  {due[key]}" for key in due if stored.get(key, due[key]) != due[key]
        ]
    stray = {row.session for row in world.disk.rows.values() if not isinstance(row, Rejected)} - sessions
    problems += [f"rows of {name}, of which there are no events" for name in sorted(stray)]
    kept_lines = {bytes.fromhex(row.digest) for row in world.disk.rows.values() if isinstance(row, Rejected)}
    problems += [f"rejected lines: {len(rejected - kept_lines)} lost, {len(kept_lines - rejected)} made up"] * (
        kept_lines != rejected
    )
    if world.settings.raw:
        raw = [row for row in world.disk.rows.values() if isinstance(row, RawEvent)]
        kept_events = {(row.session, bytes.fromhex(row.digest)) for row in raw}
        if kept_events != events:
            problems.append(f"events: {len(events - kept_events)} lost, {len(kept_events - events)} made up")
        if len(raw) != len(kept_events):
            problems.append(f"events: {len(raw) - len(kept_events)} stored twice")
    states = world.broker.states()
    problems += [f"{name} is {states.get(name)}" for name in sorted(sessions) if states.get(name) is not State.DONE]
    return problems
