"""What a worker tells of itself: ``/metrics`` as Prometheus reads it, ``/healthz``, and a log of JSON lines.

A worker of several processes (`streams.live.crew`) tells the sums of theirs: each keeps its figures in files of one
folder (`keep_in`), which prometheus-client's own collector for several processes reads (`CrewMetrics`).
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
import time
from collections import Counter as Counts
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Protocol, TextIO

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, values
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from replay.results import Finding, Row, Settlement
from streams.live.config import LiveSettings
from streams.live.engine import FloorStats
from streams.live.errors import ConfigError
from streams.live.topics import OUT

_GAUGES: Final = {
    "partitions": "Partitions that are ours.",
    "catching_up": "Of them: those that are still being caught up.",
    "sessions": "Sessions that are open.",
    "interrupted": "Open sessions that wait to be read again or to be compared with the store.",
    "waiting_for_events": "Open sessions that wait for a missing event.",
    "rounds_open": "Rounds that are open.",
    "rows_waiting": "Rows that wait to be written.",
}
_COUNTS: Final = {
    "lines": "Event lines read, copies included.",
    "events": "Event lines that are events.",
    "rejected": "Event lines that were rejected.",
    "given_up": "Missing events that were given up.",
    "reread": "Sessions that were read again.",
    "corrections": "Rows that were written because the store held something else.",
    "disproved": "Sessions at whose end the store did not hold what was said.",
    "lost": "Sessions that cannot be folded from their first event any more.",
    "troubles": "Findings rule_fault: events at which retally itself failed.",
    "strays": "Sessions that came by a partition that is not their table's, and were left alone there.",
    "torn": "Sessions that came by several partitions, and were left alone.",
    "expired": "Records that the topics let go of before they were read, or while open sessions may need them again.",
    "miskeyed": "Keys of records that are not the table's.",
}
_FLUSH_BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60)


log = logging.getLogger(__name__)

disable_created_metrics()  # when each counter was made: a second series for every one


class Metrics:
    """The figures of one worker, all under ``retally_``."""

    def __init__(self, now_us: Callable[[], int] = lambda: time.time_ns() // 1000) -> None:
        """``now_us``: microseconds since 1970-01-01 UTC."""
        self._now_us = now_us
        self.registry = registry = CollectorRegistry()

        def gauge(name: str, text: str, *labels: str, of_all: Literal["livesum", "livemax"] = "livesum") -> Gauge:
            return Gauge(f"retally_{name}", text, labels, registry=registry, multiprocess_mode=of_all)

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"retally_{name}", text, labels, registry=registry)

        self._gauges = {name: gauge(name, text) for name, text in _GAUGES.items()}
        self._counters = {name: counter(name, text) for name, text in _COUNTS.items()}
        self._counted = dict.fromkeys(_COUNTS, 0)
        self._oldest_round = gauge(
            "oldest_open_round_seconds",
            "Age of the oldest open round, by its first event; 0: none is open.",
            of_all="livemax",
        )
        self._lag = gauge("lag_records", "Records in the topic that have not been read, as far as known.", "topic")
        self._lag_partition = gauge(
            "lag_records_worst", "The same of the partition that is furthest behind.", "topic", of_all="livemax"
        )
        self._lagged: set[str] = set()
        self._behind = gauge(
            "behind_seconds",
            "Seconds since all that the topics had by then had been read, of the partition that is furthest behind.",
            of_all="livemax",
        )
        self._degraded = gauge("degraded", "1: this is away, and the worker waits for it.", "what", of_all="livemax")
        self._were_away: set[str] = set()
        self._findings = counter("findings", "Findings told, by code; one that is told again counts again.", "code")
        self._settlements = counter("settlements", "Settlements told, by verdict; likewise.", "verdict")
        self.store_errors = counter("store_errors", "Attempts to write a batch that failed.", "at")
        self.stalls = counter("stalls", "How often nothing went on for so long that all partitions were let go of.")
        self.made_anew = counter("made_anew", "Partitions of which the topics were made anew, or cut short.")
        self.untold = counter("untold", "Records of results that were let go of untold; the store has them.", "topic")
        for topic in OUT:
            self.untold.labels(topic)
        self.full = counter("full", "How often reading stopped because too much waited to be written.")
        self.flush_seconds = Histogram(
            "retally_flush_seconds", "Time to write a batch.", buckets=_FLUSH_BUCKETS, registry=registry
        )

    def stands(
        self,
        stats: FloorStats,
        lag: Mapping[tuple[str, int], int],
        behind_s: float = 0.0,
        degraded: Collection[Mapping[str, Any]] = (),
    ) -> None:
        """How the engine stands now; ``lag``: records not yet read, by topic and partition; ``behind_s``: since when
        that may be more; ``degraded``: what is away, as `streams.live.health.Health.tell` has it."""
        self._behind.set(behind_s)
        away = {each["what"] for each in degraded}
        self._were_away |= away
        for what in self._were_away:
            self._degraded.labels(what).set(what in away)
        for name, gauge in self._gauges.items():
            gauge.set(getattr(stats, name))
        for name, counter in self._counters.items():
            count: int = getattr(stats, name)
            counter.inc(max(0, count - self._counted[name]))
            self._counted[name] = count
        opened_us = stats.oldest_round_opened_us
        self._oldest_round.set(0 if opened_us is None else max(0, self._now_us() - opened_us) / 1e6)
        total = dict.fromkeys(self._lagged, 0)  # of a topic of which no partition is ours any more, nothing is left
        worst = total.copy()
        for (topic, _), count in lag.items():
            total[topic] = total.get(topic, 0) + count
            worst[topic] = max(worst.get(topic, 0), count)
        self._lagged |= total.keys()
        for topic, count in total.items():
            self._lag.labels(topic).set(count)
            self._lag_partition.labels(topic).set(worst[topic])

    def said(self, rows: Collection[Row]) -> None:
        """These rows have been written."""
        verdicts = Counts(row.verdict.value for row in rows if type(row) is Settlement)
        codes = Counts(row.code for row in rows if type(row) is Finding and not row.withdrawn)
        for verdict, count in verdicts.items():
            self._settlements.labels(verdict).inc(count)
        for code, count in codes.items():
            self._findings.labels(code).inc(count)

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        return generate_latest(self.registry)


def keep_in(folder: Path, process: int) -> None:
    """Have this process keep all figures that it makes from now on in files of ``folder``, under its number.

    A process that is started again goes on with the counters of the one that had its number.
    """
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    values.ValueClass = values.MultiProcessValue(lambda: process)


class CrewMetrics:
    """The figures of a worker of several processes: theirs together, and how often one was started again."""

    def __init__(self, folder: Path) -> None:
        """``folder``: where the processes keep theirs (`keep_in`)."""
        self._folder = folder
        self._registry = CollectorRegistry()
        MultiProcessCollector(self._registry, str(folder))
        self.restarts = Counter(
            "retally_process_restarts",
            "How often a process that had ended by itself was started again.",
            registry=self._registry,
        )

    def ended(self, process: int) -> None:
        """This process is no more: what it said of its present counts no longer, what it has counted does."""
        mark_process_dead(process, str(self._folder))

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""
        return generate_latest(self._registry)


class Told(Protocol):
    """Whoever has figures: `Metrics`, `CrewMetrics`."""

    def text(self) -> bytes:
        """All figures as Prometheus reads them."""


class Later:
    """Figures that are not there yet."""

    def __init__(self) -> None:
        self.figures: Told | None = None

    def text(self) -> bytes:
        """All figures as Prometheus reads them; none, as long as there are none."""
        return self.figures.text() if self.figures is not None else b""


class Endpoint:
    """``/metrics``, ``/healthz`` and ``/readyz`` over HTTP, in a thread and on an event loop of its own: whatever a
    worker does, it is answered at once; that its loop hangs is said, not shown."""

    def __init__(self, metrics: Told, health: Callable[[], Mapping[str, Any]]) -> None:
        """``health``: what both say, as JSON; without ``"ok": true`` the status of /healthz is 503, without
        ``"ready": true`` that of /readyz."""
        self._metrics = metrics
        self._health = health
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self.port = 0

    def start(self, host: str, port: int) -> None:
        """Listen; port 0: on a free one. Raises OSError."""
        loop = self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=loop.run_forever, name="retally-http", daemon=True)
        self._thread.start()
        try:
            self.port = asyncio.run_coroutine_threadsafe(self._listen(host, port), loop).result()
        except BaseException:
            self.stop()
            raise

    async def _listen(self, host: str, port: int) -> int:
        app = web.Application()
        app.router.add_get("/metrics", self._get_metrics)
        app.router.add_get("/healthz", self._get_health)
        app.router.add_get("/readyz", self._get_ready)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, host, port).start()
        self._runner = runner
        found: int = runner.addresses[0][1]
        return found

    _runner: web.AppRunner | None = None

    def stop(self) -> None:
        """Listen no more."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        if self._runner is not None:
            asyncio.run_coroutine_threadsafe(self._runner.cleanup(), loop).result(5)
            self._runner = None
        loop.call_soon_threadsafe(loop.stop)
        if self._thread is not None:
            self._thread.join(5)

    async def _get_metrics(self, _: web.Request) -> web.Response:
        return web.Response(body=self._metrics.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _get_health(self, _: web.Request) -> web.Response:
        return self._says("ok")

    async def _get_ready(self, _: web.Request) -> web.Response:
        return self._says("ready")

    def _says(self, what: str) -> web.Response:
        health = self._health()
        return web.json_response(dict(health), status=200 if health.get(what) else 503)


def listen(endpoint: Endpoint, settings: LiveSettings) -> None:
    """Have ``endpoint`` listen where the settings say; raises `ConfigError`."""
    host, port = settings.http_host, settings.http_port
    if port:
        try:
            endpoint.start(host, port)
        except OSError as error:
            raise ConfigError(f"http_port: nothing can listen on {host} port {port}: {error.strerror}") from None


class JsonLines(logging.Formatter):
    """An entry of the log as one JSON line: ``at`` (UTC), ``level``, ``logger``, ``message``, and ``error`` if any.

    Where a worker is several processes, ``process`` is the number of the one that says it.
    """

    def __init__(self, process: int | None = None) -> None:
        super().__init__()
        self._process = process

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever the message holds."""
        entry: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if self._process is not None:
            entry["process"] = self._process
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def log_as_json(level: str, stream: TextIO, process: int | None = None) -> None:
    """Send the log of the whole process to ``stream``, one JSON line an entry; other people's only from warnings on.

    ``process``: its number, where there are several.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines(process))
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.WARNING)
    # While brokers are away, or choose a coordinator, they complain several times a second; we say it once.
    for theirs in ("aiokafka", "kafka"):
        logging.getLogger(theirs).setLevel(logging.WARNING if level == "DEBUG" else logging.CRITICAL)
    for ours in ("streams", "replay"):
        logging.getLogger(ours).setLevel(level)
    logging.captureWarnings(True)
    sys.excepthook = _log_the_last_word
    threading.excepthook = lambda given: _log_the_last_word(given.exc_type, given.exc_value, given.exc_traceback)


def _log_the_last_word(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """What nobody has caught is a line like any other."""
    said = " ".join(f"{kind.__name__}: {error}".split())
    log.critical("unforeseen: %s", said, exc_info=(kind, error or kind(), trace))
