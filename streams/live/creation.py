"""What is there before a worker: the topics as code, what must hold of those that are there, and the store's tables."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from kafka import KafkaAdminClient
from kafka.errors import KafkaError, TopicAlreadyExistsError

from streams.live.config import LiveSettings
from streams.live.errors import TopicError
from streams.live.topics import IN, OUT, SESSIONS, TABLES

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


def prepare(settings: LiveSettings) -> int:
    """`ensure`, and have the store's schema up to date: what comes before any worker.

    Raises:
        TopicError: as `ensure` does.
        streams.store.StoreError: the store cannot be used.
    """
    partitions = ensure(settings)
    with settings.open_store() as store:
        store.migrate()
    return partitions


def ensure(settings: LiveSettings) -> int:
    """Make the topics that are not there, and give the number of partitions that the four and the registry have.

    Topics that are there are left as they are.

    Raises:
        TopicError: Kafka is away or refuses, or the topics' numbers of partitions differ.
    """
    wanted = definitions(settings)
    try:
        admin = KafkaAdminClient(**settings.kafka_client(), client_id="retally-topics", bootstrap_timeout_ms=5_000)
        try:
            there = _partitions(admin, wanted)
            missing = {name: options for name, options in wanted.items() if not there.get(name)}
            if missing:
                log.info("making topics: %s", ", ".join(missing))
                _make(admin, missing)
                admin.wait_for_topics(list(missing))
                there = _partitions(admin, wanted)
        finally:
            admin.close()
    except KafkaError as error:
        raise TopicError(f"kafka://{settings.kafka}: the topics cannot be made: {error}") from None
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
