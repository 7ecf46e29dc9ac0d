"""What a gateway publishes reaches the broker whole and in order, whatever befalls the broker."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import (
    ACL,
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourcePatternFilter,
    ResourceType,
)
from kafka.consumer.fetcher import ConsumerRecord
from kafka.errors import TopicAuthorizationFailedError

from replay.events import decode
from streams.live import creation
from streams.live.config import LiveSettings, load, shown
from streams.live.errors import PublisherClosed, TopicError
from streams.live.publisher import Publisher, producer, route
from streams.live.topics import BETS, CARDS, DICE, IN, TABLES
from streams.simulator.floor import Floor
from tests.streams.live.conftest import records_of

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka")]

QUICK = dict(request_timeout_ms=1_000, delivery_timeout_ms=1_500, max_block_ms=1_000, bootstrap_timeout_ms=1_000)
"""For a producer that soon gives up what it cannot send."""


def lines_of(tables: int, hours: float = 0.3) -> list[bytes]:
    """The event lines of a small floor, merged by time."""
    return list(Floor(tables=tables, hours=hours, seed=5, first_day=date(2026, 11, 28)).lines())


def by_topic_and_table(lines: list[bytes]) -> dict[tuple[str, bytes], list[bytes]]:
    """The lines as they must come out: of one table and topic in the order in which they went in."""
    found: dict[tuple[str, bytes], list[bytes]] = defaultdict(list)
    for line in lines:
        found[route(line)].append(line)
    return found


def lines_in(records: list[ConsumerRecord]) -> dict[tuple[str, bytes], list[bytes]]:
    found: dict[tuple[str, bytes], list[bytes]] = defaultdict(list)
    for record in records:
        found[record.topic, record.key] += record.value.split(b"\n")
    return found


def first_times(lines: list[bytes]) -> list[bytes]:
    """The lines without their copies: a record that is sent again may be there twice."""
    return list(dict.fromkeys(lines))


def test_every_event_goes_to_its_topic_under_its_table():
    lines = lines_of(4)

    assert {route(line)[0] for line in lines} >= {BETS, TABLES, DICE, CARDS}
    assert all(route(line)[1].decode() == decode(line).table for line in lines)


def test_a_line_that_cannot_be_read_goes_where_its_table_is():
    assert route(b"{garbled", "CR01") == (TABLES, b"CR01")
    assert route(b'{"type":"nonsense","table":"BJ02"}', "CR01", BETS) == (BETS, b"CR01")
    assert route(b"\xff\xfe") == (TABLES, b"")


def test_lines_come_out_in_order_several_a_record(settings: LiveSettings):
    lines = lines_of(6)

    with Publisher(partial(producer, settings)) as publisher:
        for line in lines:
            publisher.publish(line)
    records = records_of(settings)

    assert lines_in(records) == by_topic_and_table(lines)
    assert 1 < max(record.value.count(b"\n") + 1 for record in records) <= 20
    assert publisher.lines == len(lines)
    assert publisher.acknowledged == len(records) < len(lines) / 2


def test_all_events_of_a_table_lie_in_partitions_of_one_number(settings: LiveSettings):
    with Publisher(partial(producer, settings)) as publisher:
        for line in lines_of(12, hours=0.1):
            publisher.publish(line)

    partitions = defaultdict(set)
    for record in records_of(settings):
        partitions[record.key].add(record.partition)
    assert len(partitions) == 12
    assert {len(numbers) for numbers in partitions.values()} == {1}
    assert len(set.union(*partitions.values())) > 1


def test_a_line_after_which_nothing_comes_does_not_wait_for_company(settings: LiveSettings):
    with Publisher(partial(producer, settings)) as publisher:
        publisher.publish(lines_of(1)[0])
        deadline = time.monotonic() + 5
        while not publisher.acknowledged and time.monotonic() < deadline:
            time.sleep(0.01)

        assert publisher.acknowledged == 1


def test_a_broker_that_dies_and_comes_back_has_everything_once_and_in_order(settings, broker):
    lines = lines_of(4, hours=0.5)

    with Publisher(partial(producer, settings), lines_a_record=3) as publisher:
        for number, line in enumerate(lines):
            publisher.publish(line)
            if number == len(lines) // 2:
                broker.kill()
                threading.Thread(target=broker.start).start()

    assert lines_in(records_of(settings)) == by_topic_and_table(lines)


def test_with_the_broker_away_nothing_is_dropped(settings, broker):
    """What waits is bounded, what a producer gives up is sent again in order by another, and closing says it."""
    lines = lines_of(4, hours=0.5)
    room, taken = 20_000, 0
    made: list[KafkaProducer] = []

    def connect() -> KafkaProducer:
        made.append(producer(settings, **QUICK))
        return made[-1]

    def give() -> None:
        nonlocal taken
        for line in lines[50:]:
            patient.publish(line)
            taken += len(line)

    hasty = Publisher(partial(producer, settings))
    patient = Publisher(connect, lines_a_record=3, max_waiting_bytes=room)
    for line in lines[:50]:
        patient.publish(line)
    assert patient.flush(30) and hasty.flush(0)
    broker.kill()
    giving = threading.Thread(target=give)
    giving.start()
    giving.join(4)

    assert giving.is_alive()
    assert room / 2 < taken < room + 1_000 < sum(map(len, lines))
    hasty.publish(b'{"type":"fill","table":"CR99"}')
    with pytest.raises(PublisherClosed, match="before the broker had 1 records"):
        hasty.close(0.5)
    with pytest.raises(PublisherClosed):
        hasty.publish(b'{"type":"fill","table":"CR99"}')

    broker.start()
    giving.join(60)
    patient.close(60)
    assert len(made) > 1, "no producer gave up: the test tests nothing"
    found = {to: first_times(lines) for to, lines in lines_in(records_of(settings)).items()}
    assert found == by_topic_and_table(lines)


@pytest.mark.parametrize("line", [b"", b"{}\n{}", b"x" * 200_000])
def test_what_is_not_one_line_is_refused(settings, line):
    with Publisher(partial(producer, settings)) as publisher, pytest.raises(ValueError, match="not one event line"):
        publisher.publish(line)


def test_topics_are_made_once_and_have_equal_numbers_of_partitions(settings):
    assert creation.ensure(settings) == settings.partitions

    wider = settings.model_copy(update={"partitions": 9})
    assert creation.ensure(wider) == settings.partitions, "topics that are there stay as they are"
    admin = KafkaAdminClient(**settings.kafka_client())
    admin.create_partitions({CARDS: 9})
    admin.close()
    with pytest.raises(TopicError, match=r"must have equal numbers of partitions: retally\.cards has 9, "):
        creation.ensure(settings)


def test_a_broker_that_is_not_there_is_said_in_one_line(settings):
    with pytest.raises(TopicError, match=r"^kafka://127.0.0.1:1: the topics cannot be made: "):
        creation.ensure(settings.model_copy(update={"kafka": "127.0.0.1:1"}))


def test_a_gateway_speaks_tls_with_a_password(settings, secure, broker, monkeypatch):
    for name, value in secure.items():
        monkeypatch.setenv(name, value)
    secured = load(partitions=settings.partitions)
    lines = lines_of(2, hours=0.1)

    with Publisher(partial(producer, secured)) as publisher:
        for line in lines:
            publisher.publish(line)

    assert lines_in(records_of(secured)) == by_topic_and_table(lines)
    assert broker.PASSWORD not in str(shown(secured)) + repr(secured)
    monkeypatch.setenv("RETALLY_KAFKA_PASSWORD", "jack-of-spades")
    with pytest.raises(TopicError, match="the topics cannot be made"):
        creation.ensure(load())


def acls_of_the_page(user: str) -> dict[str, set[str]]:
    """What the page on running retally gives a user: operations by topic."""
    page = (Path(__file__).parents[3] / "deploy" / "README.md").read_text("utf-8")
    found: dict[str, set[str]] = {}
    for line in page.splitlines():
        words = line.split()
        if line.startswith("kafka-acls.sh") and f"User:{user}" in words:
            given = [(words[at], words[at + 1]) for at in range(len(words) - 1)]
            for topic in (value for option, value in given if option == "--topic"):
                found.setdefault(topic, set()).update(value for option, value in given if option == "--operation")
    return found


def test_nobody_but_a_gateway_writes_where_the_page_lets_gateways_write(settings, secure, broker, monkeypatch):
    assert {topic for topic, may in acls_of_the_page("gateway").items() if "Write" in may} == set(IN)
    assert not {topic for topic, may in acls_of_the_page("worker").items() if "Write" in may} & set(IN)
    admin = KafkaAdminClient(**settings.kafka_client())
    user, anything = f"User:{broker.USER}", ResourcePatternFilter(ResourceType.TOPIC, None, ACLResourcePatternType.ANY)
    admin.create_acls(
        [
            ACL(
                user,
                "*",
                ACLOperation[each.upper()],
                ACLPermissionType.ALLOW,
                ResourcePattern(ResourceType.TOPIC, topic),
            )
            for topic, may in acls_of_the_page("gateway").items()
            for each in may
        ]
    )
    for name, value in secure.items():
        monkeypatch.setenv(name, value)
    lines = lines_of(1, hours=0.05)
    try:
        with Publisher(partial(producer, load(partitions=settings.partitions))) as publisher:
            for line in lines:
                publisher.publish(line)
        monkeypatch.setenv("RETALLY_KAFKA_USER", broker.OTHER_USER)
        other = producer(load(partitions=settings.partitions))
        with pytest.raises(TopicAuthorizationFailedError):
            other.send(BETS, key=b"CR01", value=lines[0]).get(timeout=30)
        other.close(timeout=1)
    finally:
        admin.delete_acls([ACLFilter(None, None, ACLOperation.ANY, ACLPermissionType.ANY, anything)])
        admin.close()

    assert lines_in(records_of(settings)) == by_topic_and_table(lines)
