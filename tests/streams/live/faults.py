"""Stand-ins for the engine's tests: a night, topics as lists, a store that stumbles, a broker that is away."""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Any

import msgspec

from replay.events import Refusal, decode
from replay.evidence import Keys, public_key
from replay.results import RawEvent, Rejected, Row
from replay.told import key_of
from streams.live.registry import SESSION, Claim, Holding, Registry, SessionEntry, State, encode
from streams.live.topics import IN, TABLES, topic_of
from streams.simulator.floor import Floor

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
