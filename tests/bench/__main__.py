"""Run every measurement: ``python -m tests.bench``, or those whose names are given."""

import sys

from tests.bench import (
    bench_audit,
    bench_bits,
    bench_dashboards,
    bench_engine,
    bench_lines,
    bench_sessions,
    bench_shoes,
    bench_store,
    bench_streaks,
    bench_view,
    bench_watch,
)

MEASUREMENTS = {
    "throughput": bench_audit.throughput,
    "memory": bench_audit.memory,
    "lines": bench_lines.lines,
    "bits": bench_bits.bits,
    "sessions": bench_sessions.sessions,
    "startup": bench_audit.startup,
    "engine": bench_engine.engine,
    "store": bench_store.store,
    "view": bench_view.view,
    "dashboards": bench_dashboards.dashboards,
    "streaks' cost": bench_watch.cost,
    "streaks": bench_streaks.streaks,
    "fair shoes": bench_shoes.fair,
    "fair nights": bench_watch.fair,
    "short fair nights": bench_watch.short,
    "odd nights": bench_watch.odd,
}


def main() -> None:
    for name in sys.argv[1:] or MEASUREMENTS:
        for line in MEASUREMENTS[name]():
            print(f"{name}: {line}", flush=True)


main()
