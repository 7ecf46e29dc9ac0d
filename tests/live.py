"""A floor on this machine: broker, ClickHouse, a worker and simulated tables, and the findings as they arrive.

``python -m tests.live [--tables N] [--hours H] [--pace P] [--workers N]``, or ``make live``. Everything runs on
loopback, on free ports, in a temporary folder, and is ended with this program.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from clickhouse_driver import Client

from streams.store import StoreError, open_store
from tests.servers import ClickHouseServer, KafkaBroker, clickhouse_server, free_ports, kafka_broker

QUIET_S = 6.0
"""When nothing new has come for so long after the floor has closed, all has come."""
DATABASE = "floor"


class Live:
    """Commands of this very checkout, with their logs in one folder."""

    def __init__(self, folder: Path, broker: KafkaBroker, server: ClickHouseServer) -> None:
        self.folder = folder
        self.store = server.url(DATABASE)
        self.keys = folder / "floor.keys"
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("RETALLY_")},
            "RETALLY_KAFKA": broker.bootstrap,
            "RETALLY_STORE": self.store,
            "RETALLY_PARTITIONS": "8",
        }
        self._kafka = f"kafka://{broker.bootstrap}"

    def command(self, name: str, *arguments: str, **settings: str) -> subprocess.Popen[bytes]:
        """Start ``retally`` with these arguments, its output in ``<name>.log``."""
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "streams.commands", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**self._environment, **settings},
            )

    def worker(self, number: int) -> subprocess.Popen[bytes]:
        """Start a worker."""
        [port] = free_ports(1)
        print(f"worker {number}: http://127.0.0.1:{port}/metrics", flush=True)
        return self.command(f"worker-{number}", "worker", "--keys", str(self.keys), RETALLY_HTTP_PORT=str(port))

    def floor(self, options: argparse.Namespace) -> subprocess.Popen[bytes]:
        """Start the simulated tables; their public key is there at once."""
        return self.command(
            "floor",
            *("simulate", "--to", self._kafka, "--tables", str(options.tables), "--hours", str(options.hours)),
            *("--seed", str(options.seed), "--faults", "0.05", "--pace", str(options.pace)),
            *("--keys", str(self.keys), "--truth", str(self.folder / "truth.jsonl")),
        )


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """The process, told to stop on the way out."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()


def show(live: Live, floor: subprocess.Popen[bytes], workers: list[subprocess.Popen[bytes]]) -> None:
    """Print findings as they come, until the floor has closed and nothing comes any more."""
    seen: set[tuple[Any, ...]] = set()
    quiet_since = time.monotonic()
    store = open_store(live.store)
    while floor.poll() is None or time.monotonic() - quiet_since < QUIET_S:
        for worker in workers:
            if worker.poll() is not None:
                raise SystemExit(f"a worker ended: see {live.folder}")
        try:
            found = store.query(
                "SELECT session, seq, code, subject, severity, table, round, text FROM findings_current"
                " WHERE withdrawn = 0 ORDER BY at_us"
            )
        except StoreError:
            found = []  # not migrated yet
        for row in found:
            key = (row["session"], row["seq"], row["code"], row["subject"])
            if key not in seen:
                seen.add(key)
                quiet_since = time.monotonic()
                at = time.strftime("%H:%M:%S")
                print(f"{at}  {row['severity']:<8}{row['code']:<20}{row['table']} round {row['round']}: {row['text']}")
        sys.stdout.flush()
        time.sleep(0.3)
    counts = store.query("SELECT verdict, count() AS bets FROM settlements_current GROUP BY verdict ORDER BY verdict")
    planted = len((live.folder / "truth.jsonl").read_text().splitlines())
    print(f"\n{planted} wrongs planted, {len(seen)} findings; settlements: ", end="")
    print(", ".join(f"{row['bets']:,} {row['verdict']}" for row in counts))
    store.close()


def main() -> None:
    """Start everything, show, end everything."""
    parser = argparse.ArgumentParser(prog="make live", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--hours", type=float, default=1.0, help="how long the tables are open, in their own time")
    parser.add_argument("--pace", type=float, default=60.0, help="seconds of play in a second")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="retally-live-")))
        try:
            print("starting Kafka and ClickHouse ...", flush=True)
            broker = stack.enter_context(kafka_broker(folder / "kafka"))
            server = stack.enter_context(clickhouse_server(folder / "clickhouse"))
        except (pytest.skip.Exception, pytest.fail.Exception) as missing:
            raise SystemExit(f"make live: {missing.msg}") from None
        client = Client("127.0.0.1", port=server.port)
        client.execute(f"CREATE DATABASE {DATABASE}")
        client.disconnect()
        live = Live(folder, broker, server)
        print(f"Kafka kafka://{broker.bootstrap}   ClickHouse {live.store}   logs {folder}", flush=True)
        floor = stack.enter_context(ended(live.floor(options)))
        while not live.keys.exists():
            if floor.poll() is not None:
                raise SystemExit((folder / "floor.log").read_text())
            time.sleep(0.05)
        workers = [stack.enter_context(ended(live.worker(number))) for number in range(1, options.workers + 1)]
        show(live, floor, workers)


if __name__ == "__main__":
    main()
