"""What the live engine costs beside the offline audit of the same lines, in processor time, without Kafka and store."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from statistics import median

from replay.audit import Auditor
from replay.events import decode
from replay.results import Row
from streams.live.engine import LiveFloor, Settings
from streams.live.registry import Holding, PartitionRegistry
from streams.live.topics import topic_of
from streams.simulator.floor import Floor
from tests.installed import JUDGING

GAMES = ("craps", "blackjack", "punto_banco", "boule")
_RUNS = 3
_TICK_S = 0.2
_TAKEN_AT_ONCE = 1_000

Records = list[tuple[str, int, bytes]]
"""Topic, offset, value."""


class _Nowhere:
    """A store and an outlet that are never away and keep nothing."""

    def add(self, rows: Sequence[Row]) -> None:
        """Take rows."""

    def said(self, session: str) -> list[Row]:
        """Nothing."""
        return []

    def send(self, topic: str, key: bytes, value: bytes) -> None:
        """Results."""

    def register(self, partition: int, key: bytes, value: bytes | None) -> None:
        """A record of the registry."""

    def flush(self) -> None:
        """Done."""


def _seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(_RUNS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return median(times)


def _records(lines: list[bytes], lines_a_record: int) -> Records:
    """The lines by topic, in records of one table; a table's records are sent when one of them is full."""
    records: Records = []
    waiting: dict[str, dict[str, list[bytes]]] = defaultdict(lambda: defaultdict(list))
    offsets: dict[str, int] = defaultdict(int)

    def flush(table: str) -> None:
        for topic, values in waiting.pop(table).items():
            records.append((topic, offsets[topic], b"\n".join(values)))
            offsets[topic] += 1

    for line in lines:
        event = decode(line)
        values = waiting[event.table][topic_of(event.type)]
        values.append(line)
        if len(values) >= lines_a_record:
            flush(event.table)
    for table in list(waiting):
        flush(table)
    return records


def _offline(lines: list[bytes]) -> None:
    auditor = Auditor(JUDGING)
    for place, line in enumerate(lines, 1):
        auditor.feed(line, "bench", place)
        if place % _TAKEN_AT_ONCE == 0:
            auditor.drain()
    auditor.finish()


def _live(records: Records, *, write: bool) -> None:
    """All records as fast as they go: at 200 ms of the floor's own clock a batch, written to nowhere or not at all."""
    now = [0.0]
    floor = LiveFloor(Settings(judging=JUDGING, raw=False), clock=lambda: now[0])
    floor.assign(0, Holding(registry=PartitionRegistry(0)))
    floor.caught_up(0)
    nowhere = _Nowhere()
    for start in range(0, len(records), _TAKEN_AT_ONCE):
        for topic, offset, value in records[start : start + _TAKEN_AT_ONCE]:
            floor.take(topic, 0, offset, value)
        now[0] += _TICK_S
        batch = floor.batch()
        if batch is not None:
            if write:
                batch.write(nowhere, nowhere)
            floor.written(batch)


def engine() -> list[str]:
    """The engine's time beside the offline audit's: taking and batching, and with the writer's own work (digests, JSON
    of results; no store); with one line a record, and with up to twenty, which come out of order across the topics."""
    floor = Floor(tables=4, hours=4, seed=1, first_day=date(2026, 11, 1), days=1, only=GAMES)
    lines = list(floor.lines())
    count = len(lines)
    offline = _seconds(partial(_offline, lines))
    report = [f"offline audit: {count:,} events, {count / offline:,.0f} a second of processor time"]
    for lines_a_record in (1, 20):
        records = _records(lines, lines_a_record)
        taking = _seconds(partial(_live, records, write=False))
        writing = _seconds(partial(_live, records, write=True))
        report.append(
            f"{len(records):,} records: {count / taking:,.0f} events a second, {taking / offline:.2f} times the audit's"
            f" time; with the writer's work {count / writing:,.0f}, {writing / offline:.2f} times"
        )
    return report
