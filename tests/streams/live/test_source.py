"""Reading pieces of the topics outside of the stream, from a real broker."""

from __future__ import annotations

import time
from collections import Counter

import pytest
from kafka import KafkaAdminClient, TopicPartition

from streams.live.config import LiveSettings
from streams.live.errors import Gone
from streams.live.publisher import producer
from streams.live.source import PartitionReader
from streams.live.topics import BETS, CARDS, TABLES

pytestmark = [pytest.mark.kafka, pytest.mark.xdist_group("kafka")]

BETS_A_ROUND = 50
ROUNDS = 500


@pytest.fixture
def played(settings: LiveSettings) -> list[tuple[str, bytes]]:
    """Records of a busy table in partition 0: many more bets than anything else, a millisecond between two, all of the
    last minute: a broker drops what is older than it keeps."""
    records = []
    for number in range(ROUNDS):
        records.append((TABLES, b"round %d" % number))
        records += [(BETS, b"bet %d.%d" % (number, bet)) for bet in range(BETS_A_ROUND)]
        records.append((CARDS, b"card %d" % number))
    sending = producer(settings, linger_ms=50)
    for at_ms, (topic, value) in enumerate(records, int(time.time() * 1000) - 60_000):
        sending.send(topic, value=value, partition=0, timestamp_ms=at_ms)
    sending.flush()
    sending.close()
    return records


def test_topics_are_merged_by_time_however_much_more_one_holds_than_another(settings, played):
    ends = {BETS: ROUNDS * BETS_A_ROUND, CARDS: ROUNDS, TABLES: ROUNDS}

    with PartitionReader(settings, 0, {topic: (0, end) for topic, end in ends.items()}) as reader:
        read = [(record.topic, record.value) for record in reader]

    assert read == played


def test_a_range_begins_and_ends_where_it_says(settings, played):
    ranges = {BETS: (20_010, 20_060), TABLES: (400, 402)}
    offsets: Counter[str] = Counter()
    within = []
    for topic, value in played:
        first, end = ranges.get(topic, (0, 0))
        if first <= offsets[topic] < end:
            within.append(value)
        offsets[topic] += 1

    with PartitionReader(settings, 0, ranges) as reader:
        read = [record.value for record in reader]

    assert read == within


def test_what_is_no_longer_kept_is_said(settings, played):
    admin = KafkaAdminClient(**settings.kafka_client())
    admin.delete_records({TopicPartition(BETS, 0): 100})
    admin.close()

    with pytest.raises(Gone, match=r"retally\.bets/0 keeps nothing before offset 100"):
        PartitionReader(settings, 0, {BETS: (10, 200)})
