"""Ten thousand schedules of faults of the live side: ``python -m tests.bench.bench_schedules [FIRST COUNT]``.

Prints the seeds in which something did not hold, and what; exit status 1 if there is any.
"""

from __future__ import annotations

import sys
import time

from tests.replay.streaks.volatile import volatile
from tests.streams.live.world import Broken, play

COUNT = 10_000


def main(first: int = 0, count: int = COUNT) -> int:
    """Play them."""
    began, broken = time.monotonic(), []
    with volatile():
        for seed in range(first, first + count):
            try:
                play(seed)
            except Broken as found:
                broken.append(seed)
                print(found, flush=True)
    took = time.monotonic() - began
    print(f"{count:,} schedules in {took:,.0f} s ({1000 * took / count:.0f} ms each), {len(broken)} broken: {broken}")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
