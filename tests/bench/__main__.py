"""Run every measurement: ``python -m tests.bench``, or those whose names are given."""

import sys

from tests.bench import bench_audit, bench_engine, bench_shoes, bench_store, bench_watch

MEASUREMENTS = {
    "throughput": bench_audit.throughput,
    "memory": bench_audit.memory,
    "startup": bench_audit.startup,
    "engine": bench_engine.engine,
    "store": bench_store.store,
    "streaks' cost": bench_watch.cost,
    "fair shoes": bench_shoes.fair,
    "repeated shoes": bench_shoes.repeats,
    "fair nights": bench_watch.fair,
    "short fair nights": bench_watch.short,
}


def main() -> None:
    for name in sys.argv[1:] or MEASUREMENTS:
        for line in MEASUREMENTS[name]():
            print(f"{name}: {line}", flush=True)


main()
