"""A real Kafka broker for the tests of the live side: started once a session, and as good as new after each test."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord

from streams.live import creation
from streams.live.config import LiveSettings, load
from streams.live.topics import IN
from tests.servers import ClickHouseServer, KafkaBroker, kafka_broker
from tests.streams.conftest import new_database

PARTITIONS = 4

_groups = count(1)


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KafkaBroker]:
    """A running Kafka broker, for the whole session."""
    with kafka_broker(tmp_path_factory.mktemp("kafka")) as started:
        yield started


@pytest.fixture
def settings(broker: KafkaBroker, tmp_path: Path) -> Iterator[LiveSettings]:
    """Settings for empty topics on the broker; the store is a folder that is not there yet."""
    made = load(
        kafka=broker.bootstrap,
        partitions=PARTITIONS,
        group=f"test-{next(_groups)}",
        store=str(tmp_path / "store"),
        http_port=0,
    )
    creation.ensure(made)
    yield made
    delete_topics(made)


@pytest.fixture
def live(settings: LiveSettings, clickhouse: ClickHouseServer) -> LiveSettings:
    """Empty topics, and an empty database on a ClickHouse server."""
    return settings.model_copy(update={"store": new_database(clickhouse)})


@pytest.fixture
def secure(broker: KafkaBroker) -> dict[str, str]:
    """Settings, as the environment has them, by which the broker is spoken to under TLS, as a user with a password."""
    return {
        "RETALLY_KAFKA": f"127.0.0.1:{broker.secure_port}",
        "RETALLY_KAFKA_SECURITY": "SASL_SSL",
        "RETALLY_KAFKA_CA_FILE": str(broker.ca_file),
        "RETALLY_KAFKA_MECHANISM": "PLAIN",
        "RETALLY_KAFKA_USER": broker.USER,
        "RETALLY_KAFKA_PASSWORD": broker.PASSWORD,
    }


def delete_topics(settings: LiveSettings) -> None:
    """Delete all topics, and return when they are gone."""
    admin = KafkaAdminClient(**settings.kafka_client())
    try:
        names = [name for name in admin.list_topics() if not name.startswith("__")]
        admin.delete_topics(names)
        deadline = time.monotonic() + 30
        while set(names) & set(admin.list_topics()):
            assert time.monotonic() < deadline, "the topics are not deleted"
            time.sleep(0.1)
    finally:
        admin.close()


def records_of(settings: LiveSettings, topics: tuple[str, ...] = IN) -> list[ConsumerRecord]:
    """All records of these topics, partition by partition, each in the order of its offsets."""
    consumer = KafkaConsumer(**settings.kafka_client(), group_id=None, enable_auto_commit=False)
    found: list[ConsumerRecord] = []
    try:
        places = [TopicPartition(topic, number) for topic in topics for number in range(settings.partitions)]
        consumer.assign(places)
        ends = consumer.end_offsets(places)
        for place in places:
            consumer.assign([place])
            consumer.seek_to_beginning(place)
            while consumer.position(place) < ends[place]:
                for records in consumer.poll(timeout_ms=1000).values():
                    found += records
    finally:
        consumer.close()
    return found
