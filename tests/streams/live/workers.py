"""Real workers for tests: processes that are started, told to stop, and killed; and what they must come to."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from replay.events import Refusal, decode
from replay.evidence import Keys, public_key
from replay.line import session_of
from replay.refold import fold
from replay.results import Cage, Finding, Rejected, Round, SessionSummary, Settlement, Streak
from replay.revisions import taken_back
from replay.streaks.watch import WatchSettings
from streams.live.config import LiveSettings
from streams.live.kept import KeptInStore
from streams.live.play import lines_of
from streams.live.publisher import Publisher, producer
from streams.simulator.floor import Floor
from streams.store import StoreError, open_store
from tests.installed import judged
from tests.servers import free_ports

GAMES = ("craps", "blackjack", "punto_banco", "sic_bo", "boule")

Said = dict[str, set[Any]]
"""Per kind of row what is said, but for how often it was said."""


@dataclass
class Night:
    """A floor's night: its lines with their tables, and its gateway's key."""

    lines: list[tuple[str, bytes]]
    keys: dict[str, str]

    @classmethod
    def played(cls, seed: int, *, tables: int = 6, hours: float = 0.5, faults: float = 0.1) -> Night:
        """A simulated one, with wrongs of play and of evidence."""
        floor = Floor(
            tables=tables, hours=hours, seed=seed, first_day=date(2026, 11, 28), only=GAMES, fault_rate=faults
        )
        lines = [(table, line) for _, table, line in lines_of(floor, floor.days[0])]
        return cls(lines, floor.public_keys())

    def expected(self) -> Said:
        """What the offline audit says of it."""
        by_session: dict[bytes, list[bytes]] = defaultdict(list)
        rejected = set()
        for _, line in self.lines:
            by_session[session_of(line)].append(line)
            try:
                decode(line)
            except Refusal as refusal:
                rejected.add((line, refusal.field, refusal.reason))
        by_session.pop(b"", None)
        keys: Keys = {name: public_key(text) for name, text in self.keys.items()}
        rows = [
            row
            for name, lines in by_session.items()
            for row in fold(name.decode(), lines, judged(keys=keys, watching=WatchSettings()))[0]
        ]
        return {**_said(rows), "Rejected": rejected}


def stored(where: str) -> Said:
    """What the store at ``where`` says now."""
    tables = ("settlements", "findings", "rounds", "cage", "streaks")
    names = " UNION ALL ".join(f"SELECT DISTINCT session FROM {table}" for table in tables)
    with open_store(where) as store:
        kept = KeptInStore(store)
        rows = [row for name in {each["session"] for each in store.query(names)} for row in kept.said(name)]
        rejected = {(row.raw, row.field, row.reason) for row in store.read(Rejected)}
    return {**_said(row for row in rows if not isinstance(row, SessionSummary)), "Rejected": rejected}


def _said(rows: Iterable[Any]) -> Said:
    said: Said = {kind.__name__: set() for kind in (Settlement, Finding, Round, Cage, Streak)}
    for row in rows:
        if not taken_back(row):
            content = msgspec.structs.replace(row, revision=0)
            assert content not in said[type(row).__name__], f"said twice: {row}"
            said[type(row).__name__].add(content)
    return said


def differences(found: Said, expected: Said) -> list[str]:
    """What is missing and what is too many, a few of each kind; empty: all is as it must be."""
    left = []
    for kind in expected:
        for what, rows in (("missing", expected[kind] - found[kind]), ("too many", found[kind] - expected[kind])):
            if rows:
                left.append(f"{len(rows)} {kind} {what}: {sorted(map(str, rows))[:3]}")
    return left


def wait_for_equality(where: str, expected: Said, within_s: float = 90.0) -> None:
    """Wait until the store says what the offline audit says, and a moment more; fails with what differs."""
    deadline = time.monotonic() + within_s
    while True:
        try:
            left = differences(stored(where), expected)
        except StoreError as away:
            left = [str(away)]
        if not left:
            return
        assert time.monotonic() < deadline, "\n".join(left)
        time.sleep(0.5)


@dataclass
class Worker:
    """A worker's process, which can be ended and started again."""

    settings: LiveSettings
    log: Path
    options: dict[str, str] = field(default_factory=dict)
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it is not waited for."""
        [self.port] = free_ports(1)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RETALLY_")}
        environment |= {
            "RETALLY_KAFKA": self.settings.kafka,
            "RETALLY_STORE": self.settings.store,
            "RETALLY_GROUP": self.settings.group,
            "RETALLY_HTTP_PORT": str(self.port),
            "RETALLY_SESSION_TIMEOUT_S": "6",
            **self.options,
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "streams.commands", "worker"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
            )

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process is not None
        assert self.process.poll() is None, f"the worker had ended by itself:\n{self.last_words()}"
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """Tell it to stop, and give its exit status."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def get(self, path: str) -> str:
        """What it answers over HTTP."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return str(answer.read().decode())

    def pids(self) -> list[int]:
        """Of its process, and of those that it has started."""
        assert self.process is not None
        crew = json.loads(self.get("/healthz")).get("processes", [])
        return [self.process.pid, *(each["pid"] for each in crew if each["pid"] is not None)]

    def caught_up(self) -> int:
        """How many partitions it has caught up; 0 while it does not answer."""
        try:
            return len(json.loads(self.get("/healthz"))["caught_up"])
        except OSError:
            return 0

    def last_words(self) -> str:
        """The end of its log."""
        return self.log.read_text("utf-8", "replace")[-4000:]


@contextmanager
def workers(settings: LiveSettings, folder: Path, count: int, night: Night, **options: str) -> Iterator[list[Worker]]:
    """Started workers, killed on the way out. Each has its log in ``folder``."""
    keys = folder / "floor.keys"
    keys.write_text("".join(f"{name} {key}\n" for name, key in night.keys.items()))
    options = {"RETALLY_KEYS": str(keys), "RETALLY_HOLE_PATIENCE_S": "1", **options}
    made = [Worker(settings, folder / f"worker-{number}.log", options) for number in range(count)]
    try:
        for each in made:
            each.start()
        yield made
    finally:
        for each in made:
            if each.process is not None and each.process.poll() is None:
                each.process.kill()
                each.process.wait()


def publish(settings: LiveSettings, lines: list[tuple[str, bytes]], seconds: float = 0.0, a_record: int = 20) -> None:
    """Publish lines of tables, evenly over this time."""
    with Publisher(partial(producer, settings), lines_a_record=a_record) as publisher:
        for number in spread(len(lines), seconds):
            table, line = lines[number]
            publisher.publish(line, table)


def until(true: Callable[[], bool], within_s: float, what: str, every_s: float = 0.1) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < deadline, f"not within {within_s:.0f} s: {what}"
        time.sleep(every_s)


def spread(count: int, seconds: float) -> Iterator[int]:
    """``range(count)``, evenly over this time."""
    began = time.monotonic()
    for number in range(count):
        ahead = began + seconds * number / count - time.monotonic()
        if ahead > 0.002:
            time.sleep(ahead)
        yield number


def mixed_up(lines: list[tuple[str, bytes]], seed: int) -> list[tuple[str, bytes]]:
    """The lines as a bad network brings them: some twice, some late, neighbours in another order."""
    chance = random.Random(seed)
    placed = []
    for number, each in enumerate(lines):
        late = chance.choice([0, 0, 0, 0, 0, 0, 3, 30, 300]) if chance.random() < 0.3 else 0
        placed.append((number + late * chance.random(), each))
        if chance.random() < 0.03:
            placed.append((number + 200 * chance.random(), each))
    return [each for _, each in sorted(placed, key=lambda placed: placed[0])]
