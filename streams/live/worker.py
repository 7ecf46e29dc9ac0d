"""The worker: a Faust app that takes the four topics' records, and gives them to the engine.

Faust shares the partitions among the workers of a group and delivers their records, at least once, in order. Nothing
else of it is relied on: not its commits, nor tables, nor transactions. What was said before is known from the registry
of sessions, the topics and the store (`streams.live.engine`), so a worker may be killed at any moment.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import faust
from faust.types import TP

from replay.errors import RetallyError
from replay.streaks.worth import prepare
from streams.live import creation, engine, lean
from streams.live.brokers import KafkaBrokers
from streams.live.clock import steady
from streams.live.config import LiveSettings, shown
from streams.live.driver import Driver
from streams.live.errors import Fatal
from streams.live.health import Health
from streams.live.metrics import Endpoint, Later, Metrics, listen, log_as_json
from streams.live.outlet import KafkaOutlet
from streams.live.publisher import home
from streams.live.topics import IN
from streams.packs import packs_with

NEVER_S: Final = 7 * 86_400.0
"""While the store is away a worker takes nothing, which is no reason to leave the group."""

GARBAGE_EVERY: Final = 50_000
"""So many new objects may be there before those in circles are looked for; most of what a worker makes is in none."""

REFUSED_S: Final = 5.0
"""So long what keeps a worker out of its group may last, before it counts as lasting."""
END_S: Final = 20.0
"""So long a worker that has crashed may take to end."""

BEAT_S: Final = 1.0
"""So often whoever wants to be told is told how the worker stands."""

log = logging.getLogger(__name__)


def make_app(settings: LiveSettings, partitions: int) -> faust.App:
    """The Faust app, without anything that it does."""
    return faust.App(
        settings.group,
        broker=[f"kafka://{broker}" for broker in settings.kafka.split(",")],
        broker_credentials=_credentials(settings),
        # Workers must get equally numbered partitions of all four topics. Faust's own assignor sees to that, but it is
        # used only with tables or standby replicas: the other one deals all partitions of all topics out in turn.
        table_standby_replicas=1,
        topic_partitions=partitions,
        topic_allow_declare=False,
        topic_disable_leader=True,
        key_serializer="raw",
        value_serializer="raw",
        broker_max_poll_interval=NEVER_S,
        broker_session_timeout=settings.session_timeout_s,
        broker_heartbeat_interval=settings.session_timeout_s / 5,
        broker_commit_livelock_soft_timeout=NEVER_S,
        stream_processing_timeout=NEVER_S,
        stream_buffer_maxsize=16_384,
        broker_max_poll_records=5_000,
        web_enabled=False,
        datadir=Path(tempfile.gettempdir()) / "retally-faust",
    )


def _credentials(settings: LiveSettings) -> Any:
    context = settings.ssl_context()
    if settings.kafka_security.startswith("SASL"):
        assert settings.kafka_password is not None
        made = faust.SASLCredentials(
            mechanism=settings.kafka_mechanism,
            username=settings.kafka_user,
            password=settings.kafka_password.get_secret_value(),
            ssl_context=context,
        )
        return made
    return faust.SSLCredentials(context) if context is not None else None


def make_driver(settings: LiveSettings, partitions: int, health: Health | None = None) -> Driver:
    """What an app drives; ``partitions``: how many each topic has. Raises `streams.keys.KeyFileError`,
    `replay.packs.PackError`."""
    floor = engine.LiveFloor(
        engine.Settings(
            judging=settings.judging(),
            raw=settings.raw,
            alone=partitions == 1,
            home=partial(home, partitions=partitions) if settings.murmur2 else None,
            hole_patience_s=settings.hole_patience_s,
        ),
        clock=steady,
        wall=time.time,
    )
    metrics = Metrics()
    return Driver(
        settings,
        floor,
        open_store=settings.open_store,
        outlet=KafkaOutlet(settings, lambda topic, count: metrics.untold.labels(topic).inc(count)),
        brokers=KafkaBrokers(settings),
        metrics=metrics,
        health=health,
        partitions=partitions,
    )


def assemble(settings: LiveSettings, app: faust.App, partitions: int, health: Health | None = None) -> Driver:
    """Have ``app`` take records, partitions and signals to a driver, and the driver start and stop with it."""
    driver = make_driver(settings, partitions, health)
    lean.read(app, IN, lean.Taker(driver.ready, driver.take))

    async def assigned(_: Any, /, *args: Any, **__: Any) -> None:
        await driver.assigned(common_partitions(args[0]), app.consumer_generation_id)

    async def revoked(_: Any, /, *args: Any, **__: Any) -> None:
        await driver.hold({place.partition for place in args[0] if place.topic in IN})

    async def begin() -> None:
        loop = asyncio.get_running_loop()
        driver.on_fatal = lambda why: _crash(loop, app, why)
        driver.start()

    async def end(*_: Any, **__: Any) -> None:
        await driver.stop()

    app.on_partitions_assigned.connect(assigned)
    app.on_partitions_revoked.connect(revoked)
    app.task(begin)
    app.on_before_shutdown.connect(end)
    return driver


def _crash(loop: asyncio.AbstractEventLoop, app: faust.App, why: Exception) -> None:
    task = loop.create_task(app.crash(why))
    task.add_done_callback(lambda _: None)


def common_partitions(assigned: Iterable[TP]) -> set[int]:
    """The numbers of the partitions of which all four topics are assigned; there must be no others."""
    topics: dict[int, set[str]] = {}
    for place in assigned:
        if place.topic in IN:
            topics.setdefault(place.partition, set()).add(place.topic)
    ours = {number for number, found in topics.items() if len(found) == len(IN)}
    if len(ours) < len(topics):
        raise RuntimeError(f"partitions {sorted(topics.keys() - ours)} of some of the four topics are another's")
    return ours


def run(settings: LiveSettings) -> None:
    """Work until the process is told to stop (SIGTERM, SIGINT); then exit with status 0, after a crash with another.

    Raises:
        streams.live.errors.ConfigError, streams.live.errors.TopicError: a setting cannot be used, nothing can listen on
            the HTTP port, or the topics are not as they must be.
        streams.keys.KeyFileError, streams.store.StoreError: keys cannot be used, or the store refuses.
    """
    log_as_json(settings.log_level, sys.stderr)
    health = Health()
    metrics = Later()
    endpoint = Endpoint(metrics, health.tell)
    listen(endpoint, settings)
    try:
        work(settings, creation.prepare(settings, health), health=health, metrics=metrics)
    finally:
        endpoint.stop()


def work(
    settings: LiveSettings,
    partitions: int,
    tell: Callable[[Mapping[str, Any]], None] | None = None,
    *,
    health: Health | None = None,
    metrics: Later | None = None,
) -> None:
    """The same where log, topics and store are ready.

    ``tell`` is told every second how the worker stands (`streams.live.health.Health.tell`), while its event loop comes
    round. Whatever ends it is said in the last line of the log.
    """
    try:
        _work(settings, partitions, tell, health, metrics)
    except Fatal as why:
        log.critical("%s", why)
        raise SystemExit(1) from None
    except (RetallyError, KeyboardInterrupt):
        raise
    except SystemExit as ended:
        if ended.code in (None, 0):
            raise
        log.critical("the worker ends with status %s", ended.code)
        raise
    except BaseException as error:
        log.critical("the worker ends: %s", " ".join(f"{type(error).__name__}: {error}".split()), exc_info=True)
        raise SystemExit(1) from None


def _work(
    settings: LiveSettings,
    partitions: int,
    tell: Callable[[Mapping[str, Any]], None] | None,
    health: Health | None,
    metrics: Later | None,
) -> None:
    if settings.watching() is not None:
        in_force = packs_with(settings.packs).in_force(datetime.now(UTC).date())
        prepare(in_force)  # else every table would wait while the first of a game opens
    asyncio.set_event_loop(asyncio.new_event_loop())
    app = make_app(settings, partitions)
    driver = assemble(settings, app, partitions, health)
    if metrics is not None:
        metrics.figures = driver.metrics
    if tell is not None:

        async def beat() -> None:
            while not app.should_stop:
                await asyncio.to_thread(tell, driver.health.tell())
                await asyncio.sleep(BEAT_S)

        app.task(beat)
    where = shown(settings)["store"]
    log.info("worker of group %s: kafka://%s, %d partitions, %s", settings.group, settings.kafka, partitions, where)
    gc.collect()
    gc.freeze()  # what is there by now stays to the end
    gc.set_threshold(GARBAGE_EVERY, 20, 20)
    worker: Any = faust.Worker(app, quiet=True, override_logging=False, redirect_stdouts=False)
    worker.spinner = None  # it writes to the terminal, and so into the log
    threading.Thread(target=_watch_over, args=(app, driver), name="retally-watchdog", daemon=True).start()
    try:
        worker.execute_from_commandline()
    except SystemExit as ended:
        why = app.crash_reason
        if ended.code and why is not None and driver.fatal is None:
            raise Fatal(f"the worker ends: {type(why).__name__}: {' '.join(str(why).split())}") from None
        if driver.fatal is None:
            raise
    if driver.fatal is not None:
        raise driver.fatal


def _watch_over(app: faust.App, driver: Driver) -> None:
    """A worker that has crashed and does not end, or whose group does not take it, is ended: nobody would start it
    again."""
    crashed_at = refused_at = None
    while True:
        time.sleep(BEAT_S)
        now = steady()
        if crashed_at is None and (app.crashed or driver.fatal is not None):
            crashed_at = now
        refused = lean.failure(app)
        refused_at = None if refused is None else refused_at or now
        if crashed_at is not None and now - crashed_at >= END_S:
            log.critical("the worker has failed and does not end by itself: %s", driver.fatal or app.crash_reason)
            os._exit(1)
        if refused_at is not None and now - refused_at >= REFUSED_S:
            said = " ".join(f"{type(refused).__name__}: {refused}".split())
            log.critical("group %s does not take the worker, which ends: %s", app.conf.id, said)
            os._exit(1)
