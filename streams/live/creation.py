"""What is there before a worker: the topics as code, what must hold of those that are there, and the store's tables."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from kafka import KafkaAdminClient
from kafka.errors import (
    AuthorizationError,
    KafkaError,
    SaslAuthenticationFailedError,
    TopicAlreadyExistsError,
)

from streams.live.clock import steady
from streams.live.config import LiveSettings, shown
from streams.live.errors import TopicError
from streams.live.health import Health
from streams.live.topics import IN, OUT, SESSIONS, TABLES
from streams.store import StoreError

AUTHENTICATION: Final = (AuthorizationError, SaslAuthenticationFailedError)
WAIT_S: Final = (0.5, 1.0, 2.0)
"""Waits between attempts; the last one again and again."""

T = TypeVar("T")

log = logging.getLogger(__name__)


def definitions(settings: LiveSettings) -> dict[str, dict[str, Any]]:
    """Each topic by name, as Kafka's admin client makes it."""
    kept = {"cleanup.policy": "delete", "retention.ms": str(settings.retention_hours * 3_600_000)}
    # A record that takes back another stays for a week, so that a worker that reads slowly does not miss it.
    compacted = {"cleanup.policy": "compact", "delete.retention.ms": str(7 * 86_400_000)}
    return {
        name: {
            "num_partitions": settings.partitions,
            "replication_factor": settings.replication,
            # So many copies have a record before it is acknowledged: one copy may be away.
            "configs": {"min.insync.replicas": str(max(1, settings.replication - 1)), **configs},
        }
        for name, configs in {**dict.fromkeys((*IN, *OUT), kept), SESSIONS: compacted}.items()
    }


def prepare(settings: LiveSettings, health: Health | None = None) -> int:
    """`ensure`, and have the store's schema up to date: what comes before any worker. Waits for a broker and a store
    that are away, as a running worker does, and says so.

    Raises:
        TopicError: as `ensure` does.
        streams.store.StoreError: the store refuses: a password, a database that is not there, a newer schema.
    """
    partitions = when_there(lambda: ensure(settings), "kafka", f"Kafka at {settings.kafka}", health)
    when_there(lambda: _migrate(settings), "store", f"the store at {shown(settings)['store']}", health)
    return partitions


def _migrate(settings: LiveSettings) -> None:
    with settings.open_store() as store:
        store.migrate()


def when_there(
    ask: Callable[[], T],
    what: str,
    named: str,
    health: Health | None = None,
) -> T:
    """What ``ask`` answers, once whom it asks is there: one line says who is waited for, then at growing intervals."""
    began, told_s, attempt = steady(), 0.0, 0
    while True:
        try:
            answer = ask()
        except (TopicError, StoreError) as error:
            if not (error.away if isinstance(error, TopicError) else error.transient):
                raise
            waited_s = steady() - began
            if waited_s >= told_s:
                log.warning("waiting for %s, since %.0f s: %s", named, waited_s, error)
                told_s = max(10.0, 2 * waited_s)
            if health is not None:
                health.away(what, str(error), began)
                health.beat()
            time.sleep(WAIT_S[min(attempt, len(WAIT_S) - 1)])
            attempt += 1
        else:
            if health is not None:
                health.beat()
                health.back(what)
            return answer


def ensure(settings: LiveSettings) -> int:
    """Make the topics that are not there, and give the number of partitions that the four and the registry have.

    Topics that are there are left as they are, but for the registry: it gets as many partitions as the four have.

    Raises:
        TopicError: Kafka is away (``away``) or refuses, or the topics' numbers of partitions differ.
    """
    wanted = definitions(settings)
    try:
        admin = KafkaAdminClient(**settings.kafka_client(), client_id="retally-topics", bootstrap_timeout_ms=5_000)
        try:
            there = _partitions(admin, wanted)
            if four := next((there[name] for name in IN if there.get(name)), 0):
                wanted[SESSIONS]["num_partitions"] = four
            missing = {name: options for name, options in wanted.items() if not there.get(name)}
            if missing:
                log.info("making topics: %s", ", ".join(missing))
                _make(admin, missing)
                admin.wait_for_topics(list(missing))
                there = _partitions(admin, wanted)
            if 0 < there[SESSIONS] < there[TABLES] and len({there[name] for name in IN}) == 1:
                log.info("the registry gets as many partitions as the topics have: %d", there[TABLES])
                admin.create_partitions({SESSIONS: there[TABLES]})
                admin.wait_for_topics([SESSIONS])
                there = _partitions(admin, wanted)
        finally:
            admin.close()
    except KafkaError as error:
        refuses = isinstance(error, AUTHENTICATION)
        said = f"kafka://{settings.kafka}: the topics cannot be made: {error}"
        raise TopicError(said, away=not refuses) from None
    return check(there)


def check(partitions: Mapping[str, int]) -> int:
    """The number of partitions that the four topics and the registry have in common, of ``partitions`` by topic.

    Raises:
        TopicError: it is not the same: a table's events would lie in partitions of different numbers.
    """
    counts = {name: partitions.get(name, 0) for name in (*IN, SESSIONS)}
    if len(set(counts.values())) > 1:
        said = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise TopicError(f"the topics must have equal numbers of partitions: {said}")
    return counts[TABLES]


def _partitions(admin: KafkaAdminClient, names: Iterable[str]) -> dict[str, int]:
    """How many partitions each topic has; 0: it is not there."""
    return {topic["name"]: len(topic["partitions"]) for topic in admin.describe_topics(list(names))}


def _make(admin: KafkaAdminClient, missing: Mapping[str, Mapping[str, Any]]) -> None:
    for name, options in missing.items():
        try:
            admin.create_topics({name: dict(options)})
        except TopicAlreadyExistsError:
            log.debug("%s has just been made by another", name)
