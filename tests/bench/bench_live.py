"""The live side, measured: ``python -m tests.bench.bench_live`` (``make bench-live``), or parts of it by name.

The parts: one, twenty, unwatched, crew, crew_unwatched, late, delay.

One broker, one ClickHouse and one worker on this machine, over loopback:

- events a second that one worker takes from the stream until they are folded and their verdicts written, with one
  event a record and with twenty, beside what a bare aiokafka consumer reads of the same records, and what Faust does
  with an agent that does nothing;
- the same with twenty without the watch for streaks, to see what that costs;
- the same two with a worker of as many processes as there are processors, and how much of these broker and ClickHouse
  take meanwhile;
- how fast a worker catches up on a partition that it takes over;
- the time from a ``bet_settled`` being given to the publisher to its finding being readable in ClickHouse, at 2,000
  events a second.

Processor time is given beside wall time: on a machine that does other things as well it is the one to go by.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

from aiokafka import AIOKafkaConsumer
from clickhouse_driver import Client

from streams.live import creation
from streams.live.config import LiveSettings, load
from streams.live.play import lines_of
from streams.live.publisher import Publisher, producer
from streams.live.topics import IN
from streams.simulator.floor import Floor
from streams.store import open_store
from tests.servers import ClickHouseServer, KafkaBroker, clickhouse_server, kafka_broker
from tests.streams.live.conftest import delete_topics
from tests.streams.live.workers import GAMES, Night, Worker, spread, until, workers

EVENTS: Final = 240_000
PACED_EVENTS_S: Final = 2_000
PACED_S: Final = 30.0
PARTITIONS: Final = 12
SESSION_TIMEOUT_S: Final = 60
"""Of a worker that is stopped for a while: the longest there is."""
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def floor_lines(tables: int, hours: float, faults: float, most: int) -> Night:
    """The first ``most`` events of a simulated floor."""
    floor = Floor(tables=tables, hours=hours, seed=11, first_day=date(2026, 11, 28), only=GAMES, fault_rate=faults)
    lines = []
    for _, table, line in lines_of(floor, floor.days[0]):
        lines.append((table, line))
        if len(lines) == most:
            break
    return Night(lines, floor.public_keys())


def paid_wrong(most: int) -> Night:
    """Events of a floor on which nothing goes wrong but payouts: every tenth that is paid is a chip too high.

    Nothing is missing or late, so that what is timed is the way and no waiting; seals are left out.
    """
    seqs: dict[str, int] = {}
    lines, paid = [], 0
    clean = floor_lines(tables=40, hours=2.0, faults=0.0, most=most)
    for table, line in clean.lines:
        event = json.loads(line)
        if event["type"] == "checkpoint":
            continue
        seqs[event["session"]] = event["seq"] = seqs.get(event["session"], 0) + 1
        if event["type"] == "bet_settled" and event["paid"] > 0:
            paid += 1
            event["paid"] += 100 * (paid % 10 == 0)
        lines.append((table, json.dumps(event, separators=(",", ":")).encode()))
    return Night(lines, clean.keys)


def processor_s(*pids: int) -> float:
    """User and system time of these processes so far."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / _TICKS


def figure(worker: Worker, name: str) -> float:
    """One of the worker's metrics; 0 while it does not answer."""
    try:
        found = re.search(rf"^{name} (\S+)$", worker.get("/metrics"), re.MULTILINE)
    except OSError:
        return 0.0
    return float(found[1]) if found else 0.0


class Bench:
    """Broker, server and the settings of each measurement."""

    def __init__(self, folder: Path, broker: KafkaBroker, server: ClickHouseServer) -> None:
        self.folder = folder
        self.broker = broker
        self.server = server
        self.runs = 0

    def fresh(self) -> LiveSettings:
        """Empty topics, an empty database, a new group."""
        self.runs += 1
        client = Client("127.0.0.1", port=self.server.port)
        client.execute(f"CREATE DATABASE bench_{self.runs}")
        client.disconnect()
        settings = load(
            kafka=self.broker.bootstrap,
            partitions=PARTITIONS,
            group=f"bench-{self.runs}",
            store=self.server.url(f"bench_{self.runs}"),
        )
        if self.runs > 1:
            delete_topics(settings)
        creation.ensure(settings)
        (self.folder / f"run-{self.runs}").mkdir()
        return settings

    def servers(self) -> tuple[int, int]:
        """The process ids of the broker and of ClickHouse."""
        return self.broker.pid, self.server.pid

    def publish(self, settings: LiveSettings, night: Night, a_record: int) -> None:
        """As fast as it goes."""
        with Publisher(partial(producer, settings), lines_a_record=a_record, linger_ms=20) as publisher:
            for table, line in night.lines:
                publisher.publish(line, table)


async def read_bare(settings: LiveSettings, lines: int) -> tuple[float, int]:
    """Seconds in which a bare consumer reads ``lines`` lines of the topics, and the number of records."""
    consumer = AIOKafkaConsumer(*IN, bootstrap_servers=settings.kafka, auto_offset_reset="earliest", group_id=None)
    await consumer.start()
    try:
        began = time.perf_counter()
        left, records = lines, 0
        while left > 0:
            for found in (await consumer.getmany(timeout_ms=1000, max_records=5000)).values():
                records += len(found)
                left -= sum(record.value.count(b"\n") + 1 for record in found)
        return time.perf_counter() - began, records
    finally:
        await consumer.stop()


def read_by_faust(settings: LiveSettings, records: int, *options: str) -> tuple[float, float]:
    """Records a second, of wall time and of processor time, that go through Faust when nothing is done with them."""
    command = [sys.executable, "-m", "tests.bench.faust_alone", settings.kafka, str(PARTITIONS), str(records), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    wall, processor = done.stdout.split()
    return float(wall), float(processor)


def throughput(bench: Bench, night: Night, a_record: int, *, watched: bool = True, processes: int = 1) -> Iterator[str]:
    """A worker that has all partitions is stopped while the events are published, then let go."""
    settings = bench.fresh()
    count = len(night.lines)
    options = {
        "RETALLY_SESSION_TIMEOUT_S": str(SESSION_TIMEOUT_S),
        "RETALLY_STREAKS": str(watched).lower(),
        "RETALLY_PROCESSES": str(processes),
    }
    folder = bench.folder / f"run-{bench.runs}"
    with workers(settings, folder, 1, night, **options) as [worker]:
        until(lambda: worker.caught_up() == PARTITIONS, 180, "the worker has all partitions, and has caught up")
        until(lambda: shared_out(worker, processes), 60, "each process has its share")
        pids = worker.pids()
        signalled(pids, signal.SIGSTOP)
        began = time.perf_counter()
        bench.publish(settings, night, a_record)
        assert time.perf_counter() - began < SESSION_TIMEOUT_S, "while all was published, the worker was taken for dead"
        before = processor_s(*pids), *map(processor_s, bench.servers())
        began = time.perf_counter()
        signalled(pids, signal.SIGCONT)

        def done() -> bool:
            return figure(worker, "retally_lines_total") >= count and figure(worker, "retally_rows_waiting") == 0

        until(done, 300, "everything is folded and written", every_s=0.5)
        took = time.perf_counter() - began
        after = processor_s(*pids), *map(processor_s, bench.servers())
        used, of_broker, of_server = (late - early for early, late in zip(before, after, strict=True))
    bare_s, records = asyncio.run(read_bare(settings, count))
    faust = [] if processes > 1 else [read_by_faust(settings, records, *which) for which in ((), ("lean",))]
    how = f"{', streaks not watched' * (not watched)}{f', {processes} processes' * (processes > 1)}"
    yield (
        f"{count / records:4.1f} events a record{how}: worker"
        f" {count / took:,.0f} events/s ({took:.1f} s, of processor time {used:.1f} s: {count / used:,.0f}/s);"
        f" bare aiokafka consumer {count / bare_s:,.0f} events/s, {records / bare_s:,.0f} records/s"
    )
    yield (
        f"     processors: {used / took:.2f} the worker, {of_broker / took:.2f} the broker,"
        f" {of_server / took:.2f} ClickHouse; load of the machine {os.getloadavg()[0]:.1f}"
    )
    if faust:
        share = [f"{records / used / processor:.2f}" for _, processor in faust]
        alone = [f"{wall:,.0f} records/s ({processor:,.0f} of processor time)" for wall, processor in faust]
        yield (
            f"     Faust, with an agent that does nothing: {alone[0]}; without what a worker leaves out of it:"
            f" {alone[1]}. By processor time the worker takes {share[0]} and {share[1]} of their records"
        )


def shared_out(worker: Worker, processes: int) -> bool:
    """Whether each process of the worker has its share of the partitions."""
    try:
        each = json.loads(worker.get("/healthz")).get("processes", [])
    except OSError:
        return False
    shares = [len(one["caught_up"]) for one in each] or [PARTITIONS]
    return sum(shares) == PARTITIONS and min(shares) >= PARTITIONS // processes


def signalled(pids: list[int], what: signal.Signals) -> None:
    """Send a signal to all of them."""
    for pid in pids:
        os.kill(pid, what)


def catching_up(bench: Bench, night: Night) -> Iterator[str]:
    """A worker that starts late reads all that there is before it takes the stream."""
    settings = bench.fresh()
    count = len(night.lines)
    bench.publish(settings, night, 20)
    with workers(settings, bench.folder / f"run-{bench.runs}", 1, night) as [worker]:
        until(lambda: figure(worker, "retally_partitions") > 0, 120, "the worker begins")
        began, before_s = time.perf_counter(), processor_s(*worker.pids())

        def done() -> bool:
            return figure(worker, "retally_lines_total") >= count and figure(worker, "retally_rows_waiting") == 0

        until(done, 300, "everything is folded and written", every_s=0.5)
        took, used = time.perf_counter() - began, processor_s(*worker.pids()) - before_s
    yield f"catching up: {count / took:,.0f} events/s ({took:.1f} s, of processor time {used:.1f} s)"


def delay(bench: Bench, night: Night) -> Iterator[str]:
    """Findings of bets that were paid wrong, timed."""
    settings = bench.fresh()
    folder = bench.folder / f"run-{bench.runs}"
    settled: dict[tuple[str, int], float] = {}
    found: dict[tuple[str, int], float] = {}
    over = threading.Event()

    def watch() -> None:
        before = 0
        with open_store(settings.store) as store:
            while not over.is_set():
                [answer] = store.query("SELECT count() AS found FROM findings")
                if (
                    answer["found"] != before
                ):  # all are fetched only then: this process has the publisher to run as well
                    before = answer["found"]
                    rows = store.query("SELECT session, seq FROM findings WHERE kind = 'money'")
                    now = time.perf_counter()
                    for row in rows:
                        found.setdefault((row["session"], row["seq"]), now)
                time.sleep(0.02)

    with workers(settings, folder, 1, night) as [worker]:
        until(lambda: figure(worker, "retally_partitions") == PARTITIONS, 120, "the worker has all partitions")
        until(lambda: figure(worker, "retally_catching_up") == 0, 60, "the worker has caught up")
        watching = threading.Thread(target=watch)
        watching.start()
        events = min(len(night.lines), int(PACED_EVENTS_S * PACED_S))
        began, used = time.perf_counter(), processor_s(*worker.pids())
        with Publisher(partial(producer, settings)) as publisher:
            for number in spread(events, events / PACED_EVENTS_S):
                table, line = night.lines[number]
                if b'"bet_settled"' in line:
                    event = json.loads(line) if line.endswith(b"}") else {}
                    settled[str(event.get("session")), int(event.get("seq", 0))] = time.perf_counter()
                publisher.publish(line, table)
        took, used = time.perf_counter() - began, processor_s(*worker.pids()) - used
        time.sleep(3)
        writes = figure(worker, "retally_flush_seconds_count")
        write_ms = 1000 * figure(worker, "retally_flush_seconds_sum") / max(1, writes)
        over.set()
        watching.join()
    delays = sorted(1000 * (found[key] - at) for key, at in settled.items() if key in found)
    yield (
        f"bet_settled to finding readable at {events / took:,.0f} events/s: median {delays[len(delays) // 2]:.0f} ms,"
        f" p99 {delays[int(len(delays) * 0.99)]:.0f} ms, longest {delays[-1]:.0f} ms ({len(delays)} findings;"
        f" a batch is written in {write_ms:.0f} ms; the worker used {100 * used / took:.0f} % of a processor)"
    )


def main() -> None:
    """Measure, a line each."""
    wanted = sys.argv[1:]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="retally-bench-")))
        broker = stack.enter_context(kafka_broker(folder / "kafka"))
        server = stack.enter_context(clickhouse_server(folder / "clickhouse"))
        bench = Bench(folder, broker, server)
        print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
        fast = floor_lines(tables=40, hours=3.0, faults=0.02, most=EVENTS)
        slow = paid_wrong(int(PACED_EVENTS_S * PACED_S))
        measurements = {
            "one": throughput(bench, fast, 1),
            "twenty": throughput(bench, fast, 20),
            "unwatched": throughput(bench, fast, 20, watched=False),
            "crew": throughput(bench, fast, 20, processes=os.cpu_count() or 1),
            "crew_unwatched": throughput(bench, fast, 20, watched=False, processes=os.cpu_count() or 1),
            "late": catching_up(bench, fast),
            "delay": delay(bench, slow),
        }
        for line in chain.from_iterable(measurements[name] for name in wanted or measurements):
            print(line, flush=True)


if __name__ == "__main__":
    main()
