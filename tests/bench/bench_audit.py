"""Events a second through decoding alone and through the full audit, on one core and one log; memory; start-up."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from statistics import median

from replay import events
from replay.audit import Auditor
from replay.evidence import public_key
from replay.results import Settlement
from streams.logs import LogWriter, read
from streams.simulator.floor import Floor
from tests.installed import judged

GAMES = ("craps", "blackjack", "punto_banco", "boule")
_RUNS = 3


def _floor(tables: int, days: int, hours: float) -> Floor:
    return Floor(tables=tables, hours=hours, seed=1, first_day=date(2026, 11, 1), days=days, only=GAMES)


def _seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(_RUNS):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return median(times)


def _decode_all(lines: list[bytes], decode: Callable[[bytes], object]) -> Callable[[], None]:
    def work() -> None:
        for line in lines:
            decode(line)

    return work


def _audit_all(lines: list[bytes], keys: dict[str, str] | None = None) -> Callable[[], int]:
    def work() -> int:
        public = None if keys is None else {name: public_key(key) for name, key in keys.items()}
        auditor = Auditor(judged(keys=public))
        settled = 0
        for place, line in enumerate(lines, 1):
            auditor.feed(line, "bench", place)
            if place % 5_000 == 0:
                settled += _settlements(auditor.drain(sealed=True))
        return settled + _settlements(auditor.finish())

    return work


def _settlements(rows: Iterable[object]) -> int:
    return sum(type(row) is Settlement for row in rows)


def throughput() -> list[str]:
    """(a) decoding alone, by msgspec and by the models; (b) the full audit; their ratios; by game and mixed."""
    report = []
    for only in (*((game,) for game in GAMES), GAMES):
        floor = Floor(tables=len(only), hours=6, seed=1, first_day=date(2026, 11, 1), days=8 // len(only), only=only)
        lines = list(floor.lines())
        count = len(lines)
        decoding = _seconds(_decode_all(lines, events.decode))
        models = _seconds(_decode_all(lines, events.decode_by_model))
        audit = _audit_all(lines)
        auditing = _seconds(audit)
        settled = audit()
        signed = _seconds(_audit_all(lines, floor.public_keys()))
        report.append(
            f"{'+'.join(only)}: {count:,} events; decoding {count / decoding:,.0f}/s (by the models alone"
            f" {count / models:,.0f}/s); full audit {count / auditing:,.0f} events/s and {settled / auditing:,.0f}"
            f" settlements/s, {decoding / auditing:.2f} of decoding alone, {models / auditing:.2f} of the models alone;"
            f" with signatures checked {count / signed:,.0f} events/s"
        )
    return report


def memory() -> list[str]:
    """Peak memory of `retally audit` on logs of about 300,000 and 3,000,000 events; takes minutes."""
    report = []
    with tempfile.TemporaryDirectory() as folder:
        for days in (2, 20):
            log = Path(folder) / f"{days}.jsonl"
            floor = _floor(8, days, 10)
            with LogWriter(log) as writer:
                count = writer.write("", floor.lines())
            peak_kib = _peak_kib("audit", str(log))
            report.append(f"audit of {count:,} events in a file: peak memory {peak_kib / 1024:,.0f} MiB")
            assert sum(1 for _ in read([log])) == count
    return report


def _peak_kib(*arguments: str) -> int:
    code = (
        "import resource, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'streams.commands', *sys.argv[1:]], stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return int(done.stdout)


def startup() -> list[str]:
    """Seconds from the shell to the end of ``retally --help``, beside Python alone."""
    helped = _seconds(lambda: subprocess.run([sys.executable, "-m", "streams.commands", "--help"], capture_output=True))
    bare = _seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], capture_output=True))
    return [f"retally --help: {helped:.2f} s, {helped / bare:.1f} times Python alone ({bare:.2f} s)"]
