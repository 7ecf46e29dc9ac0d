"""Streaks: what the detectors cost, in an audit and in a worker; and how many fair nights have a false alarm.

`cost` plays a floor and takes turns with and without detectors, on one core and one log. `fair` plays nights on which
nobody cheats and nobody errs, from the simulator's events through decoding, book and detectors, at the level of 1 night
in 100 on a floor of 20 tables; `short` plays a thousand of them that are short. Nights, hours and the first seed can be
given: ``python -m tests.bench.bench_watch NIGHTS HOURS [FIRST [odd]]``. `odd` plays honest nights on which nearly
everything is odd (`tests.odd_floor`).
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from functools import partial
from statistics import median

from replay.audit import Auditor
from replay.results import Streak
from replay.streaks.watch import WatchSettings
from streams.live.engine import LiveFloor, Settings
from streams.live.registry import Holding, PartitionRegistry
from streams.simulator.floor import Floor
from tests.bench.bench_audit import GAMES
from tests.bench.bench_engine import Records, _Nowhere, _records
from tests.installed import judged
from tests.odd_floor import OddFloor, false_alarms

TABLES = 20
LEVEL = Fraction(1, 100)
_RUNS = 5
_TAKEN_AT_ONCE = 2_000
DAY = date(2026, 11, 1)


def _audit(lines: list[bytes], watching: WatchSettings | None) -> list[object]:
    auditor = Auditor(judged(watching=watching))
    found: list[object] = []
    for place, line in enumerate(lines, 1):
        auditor.feed(line, "bench", place)
        if place % 5_000 == 0:
            found += auditor.drain(sealed=True)
    return found + auditor.finish()


def _work(records: Records, watching: WatchSettings | None) -> None:
    """A worker's own work: taking, folding, batching, digests and JSON of results; no store and no broker."""
    now = [0.0]
    floor = LiveFloor(Settings(judging=judged(watching=watching), raw=False), clock=lambda: now[0])
    floor.assign(0, Holding(registry=PartitionRegistry(0)))
    floor.caught_up(0)
    kept = _Nowhere()
    for start in range(0, len(records), _TAKEN_AT_ONCE):
        for topic, offset, value in records[start : start + _TAKEN_AT_ONCE]:
            floor.take(topic, 0, offset, value)
        now[0] += 0.2
        batch = floor.batch()
        if batch is not None:
            batch.write(kept, kept)
            floor.written(batch)


def _in_turn(work: Callable[[WatchSettings | None], object]) -> tuple[float, float]:
    """Median processor seconds with and without detectors, taking turns."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(_RUNS):
        for watched in (True, False):
            started = time.process_time()
            work(WatchSettings(LEVEL, TABLES) if watched else None)
            times[watched].append(time.process_time() - started)
    return median(times[True]), median(times[False])


def cost() -> Iterator[str]:
    """What the detectors add to an audit, by game and mixed, and their share of a worker's time."""
    lines: list[bytes] = []
    for only in (*((game,) for game in GAMES), GAMES):
        lines = list(Floor(tables=len(only), hours=8 / len(only), seed=1, first_day=DAY, only=only).lines())
        watched, alone = _in_turn(partial(_audit, lines))
        rows = sum(isinstance(row, Streak) for row in _audit(lines, WatchSettings(LEVEL, TABLES)))
        yield (
            f"audit, {'mixed' if len(only) > 1 else only[0]}: {len(lines):,} events, with detectors"
            f" {watched / alone:.2f} times as long, {1e6 * (watched - alone) / len(lines):.1f} µs more an event;"
            f" {rows:,} readings"
        )
    for lines_a_record in (1, 20):
        records = _records(lines, lines_a_record)
        watched, alone = _in_turn(partial(_work, records))
        yield (
            f"worker without Faust, store and broker, {lines_a_record} lines a record: the detectors take"
            f" {100 * (watched - alone) / watched:.0f} % of its time"
        )


def _told(count: int, hours: float, first: int = 1, kind: type[Floor] = Floor) -> Iterator[str]:
    began, false, codes = time.perf_counter(), 0, Counter[str]()
    for done, (seed, alarms) in enumerate(
        false_alarms(kind, range(first, first + count), tables=TABLES, hours=hours), 1
    ):
        if alarms:
            false += 1
            codes.update(alarm.code for alarm in alarms)
            yield f"night {seed}: " + "; ".join(f"{row.table} {row.code} ({row.subject})" for row in alarms)
        if done % 100 == 0 or done == count:
            yield (
                f"{done} {kind.__name__} nights of {TABLES} tables, {hours:g} hours each: {false} with a false alarm"
                f" {dict(codes)}, {time.perf_counter() - began:.0f} s"
            )


def fair() -> Iterator[str]:
    """Thirty whole nights."""
    return _told(30, 8.0)


def short() -> Iterator[str]:
    """A thousand short nights."""
    return _told(1_000, 0.4)


def odd() -> Iterator[str]:
    """A thousand short nights on which nobody cheats and nearly everything is odd, and ten whole ones."""
    yield from _told(1_000, 0.4, kind=OddFloor)
    yield from _told(10, 8.0, kind=OddFloor)


if __name__ == "__main__":
    count, hours, first, *more = [*sys.argv[1:], "1"][: max(3, len(sys.argv) - 1)]
    for told in _told(int(count), float(hours), int(first), OddFloor if more == ["odd"] else Floor):
        print(told, flush=True)
