"""A simulated floor that plays to Kafka, as its gateways would: as fast as it goes, or at a pace."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date
from heapq import merge
from itertools import repeat

from streams.live.publisher import Publisher
from streams.simulator.floor import Floor

LONGEST_PAUSE_S = 5.0
"""Nothing is waited for longer: not the count room in the morning, nor the next evening."""


def play(
    floor: Floor,
    publisher: Publisher,
    *,
    pace: float | None = None,
    progress: Callable[[int], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,
) -> int:
    """Publish every event of every day; how many there were.

    ``pace``: how many seconds of the floor pass in one of ours; None: as fast as the broker takes them. ``progress``
    hears of days that have been played. Raises `streams.live.errors.PublisherClosed`.
    """
    count = 0
    due, before_us = clock(), 0
    for day in floor.days:
        for at_us, table, line in lines_of(floor, day):
            if pace is not None:
                due += min((at_us - before_us) / 1e6 / pace if before_us else 0, LONGEST_PAUSE_S)
                before_us = at_us
                left = due - clock()
                if left > 0:
                    wait(left)
            publisher.publish(line, table)
            count += 1
        if progress is not None:
            progress(1)
    publisher.flush()
    return count


def lines_of(floor: Floor, day: date) -> Iterator[tuple[int, str, bytes]]:
    """The events of one day as (microseconds, table, line), merged by time: a line need not say whose it is."""
    tables = [floor.table(plan, day) for plan in floor.plans]
    named = (zip(table.lines(), repeat(table.table), strict=False) for table in tables)
    for line, name in merge(*named, key=lambda each: each[0].at_us):
        yield line.at_us, name, line.text
    for table in tables:
        floor.truth += table.truth
