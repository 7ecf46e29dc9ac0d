"""What a driver asks of the brokers beside the stream: whose a partition is, its log, and how things stand.

All of it blocks, and is for threads. What is asked regularly (`Brokers.survey`) belongs to one thread.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord
from kafka.errors import KafkaError

from streams.live.clock import steady
from streams.live.config import LiveSettings
from streams.live.errors import BrokerError
from streams.live.publisher import end, producer
from streams.live.registry import Claim, Offsets, PartitionRegistry, Registry, SessionEntry, encode, log_of
from streams.live.source import PartitionReader, Range, consumer, ends_of
from streams.live.topics import IN, SESSIONS

Place = tuple[str, int]
"""Topic and partition."""

ASK_MS: Final = 10_000
IDS_EVERY_S: Final = 2.0
"""How often it is asked which topics there are."""
REGISTRY_POLLS: Final = 600


@dataclass(frozen=True)
class Stand:
    """Where the four topics stand in one partition."""

    first: Offsets
    end: Offsets
    log: str


@dataclass(frozen=True)
class Survey:
    """How things stood on the brokers at a moment, or later."""

    at: float
    """Seconds of `steady`: all that was there by then is before ``end``, and in the other fields."""
    first: Mapping[Place, int]
    """Of the partitions that were asked for: from where they have their records still."""
    end: Mapping[Place, int]
    ids: Mapping[str, str]
    """The topics' ids; a topic that is not there is left out."""
    counts: Mapping[str, int]
    """How many partitions each topic has."""
    epochs: Mapping[int, int] = field(default_factory=dict)
    """Partition -> the epoch of its last claim."""
    homes: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Session -> the partitions by which events of it have come; without sessions that come by one alone."""


class Reader(Protocol):
    """See `streams.live.source.PartitionReader`."""

    def chunk(self) -> list[ConsumerRecord]: ...

    def close(self) -> None: ...


class Brokers(Protocol):
    """The brokers, as a driver sees them. Each raises `BrokerError` where they are away."""

    def claim(self, partition: int, base: int) -> tuple[PartitionRegistry, int]:
        """The partition is ours: what the registry said of it before that, and our epoch, which is above ``base``."""
        ...

    def stand(self, partition: int) -> Stand:
        """Where the partition's log begins and ends."""
        ...

    def read(self, partition: int, ranges: Mapping[str, Range]) -> Reader:
        """A piece of the partition's log; raises `Gone` too."""
        ...

    def survey(self, partitions: Collection[int], opened: Sequence[SessionEntry] = ()) -> Survey:
        """How things stand, once these entries are in the registry too: others may have met the same sessions."""
        ...

    def close(self) -> None:
        """Let go of all connections."""
        ...


class KafkaBrokers:
    """`Brokers`, by kafka-python."""

    def __init__(self, settings: LiveSettings) -> None:
        self._settings = settings
        self._where = f"kafka://{settings.kafka}"
        self._claiming = threading.Lock()
        self._asking = threading.Lock()
        self._producer: KafkaProducer | None = None
        self._consumer: KafkaConsumer | None = None
        self._tail: KafkaConsumer | None = None
        self._admin: KafkaAdminClient | None = None
        self._registry = Registry()
        self._topics: tuple[dict[str, str], dict[str, int]] = ({}, {})
        self._topics_at = float("-inf")
        self._closed = False

    def claim(self, partition: int, base: int) -> tuple[PartitionRegistry, int]:
        """See `Brokers.claim`."""
        while True:
            who = uuid.uuid4().hex
            claim = Claim(partition=partition, who=who, base=base, at_s=int(time.time()))
            offset = self._send([(partition, claim.key, encode(claim))])
            registry, found = Registry(), False
            ends = ends_of(self._settings, (SESSIONS,), partition)
            place = (SESSIONS, partition)
            with PartitionReader(self._settings, partition, {SESSIONS: (ends.first[place], ends.end[place])}) as reader:
                for record in reader:
                    if record.offset > offset:
                        break
                    registry.apply(record.key, record.value, record.offset)
                    found = found or record.offset == offset
            before = registry.partition(partition)
            if not found:
                raise BrokerError(f"{self._where}: the claim of partition {partition} is not in the registry")
            if before.base > base:  # others had begun higher: claim it above theirs
                base = before.base
                continue
            return before, base + offset + 1

    def _send(self, records: Sequence[tuple[int, bytes, bytes]]) -> int:
        """Put these (partition, key, value) into the registry; the offset of the last one."""
        if not records:
            return -1
        try:
            with self._claiming:
                if self._producer is None:
                    times = {"delivery_timeout_ms": ASK_MS, "request_timeout_ms": ASK_MS // 2}
                    self._producer = producer(self._settings, **times, client_id="retally-claims")
                sending = self._producer
                sent = [
                    sending.send(SESSIONS, key=key, value=value, partition=number) for number, key, value in records
                ]
                sending.flush(ASK_MS / 1000)
                return [int(each.get(timeout=ASK_MS / 1000).offset) for each in sent][-1]
        except KafkaError as error:
            self._drop_producer()
            raise BrokerError(f"{self._where}: the registry cannot be written: {error}") from None

    def _drop_producer(self) -> None:
        with self._claiming:
            broken, self._producer = self._producer, None
        if broken is not None:
            end(broken)

    def stand(self, partition: int) -> Stand:
        """See `Brokers.stand`."""
        ends = ends_of(self._settings, IN, partition)
        ids, _ = self._ask_topics()
        return Stand(
            {topic: ends.first[topic, partition] for topic in IN},
            {topic: ends.end[topic, partition] for topic in IN},
            log_of({topic: ids.get(topic, "") for topic in IN}),
        )

    def read(self, partition: int, ranges: Mapping[str, Range]) -> Reader:
        """See `Brokers.read`."""
        return PartitionReader(self._settings, partition, ranges)

    def survey(self, partitions: Collection[int], opened: Sequence[SessionEntry] = ()) -> Survey:
        """See `Brokers.survey`."""
        self._send([(entry.partition, entry.key, encode(entry)) for entry in opened])
        at = steady()
        try:
            if at - self._topics_at >= IDS_EVERY_S:
                self._topics = self._ask_topics()
                self._topics_at = at
            ids, counts = self._topics
            if self._consumer is None:
                self._consumer = consumer(self._settings, request_timeout_ms=ASK_MS)
            places = [
                TopicPartition(topic, number) for topic in IN for number in partitions if number < counts.get(topic, 0)
            ]
            end = self._consumer.end_offsets(places) if places else {}
            first = self._consumer.beginning_offsets(places) if places else {}
            self._follow(counts.get(SESSIONS, 0))
        except (KafkaError, AssertionError) as error:
            self._drop_survey()
            raise BrokerError(f"{self._where}: cannot be asked: {error}") from None
        log = log_of({topic: ids.get(topic, "") for topic in IN})
        registry = self._registry
        return Survey(at, _by_place(first), _by_place(end), ids, counts, registry.epochs(), registry.torn(log))

    def _follow(self, count: int) -> None:
        """Read the registry, all partitions of it, up to where it ends now."""
        places = [TopicPartition(SESSIONS, number) for number in range(count)]
        if not places:
            return
        if self._tail is None:
            self._registry = Registry()
            self._tail = consumer(self._settings, auto_offset_reset="earliest", request_timeout_ms=ASK_MS)
        tail = self._tail
        if set(places) != tail.assignment():
            self._registry = Registry()
            tail.assign(places)
            tail.seek_to_beginning(*places)
        ends = tail.end_offsets(places)
        for _ in range(REGISTRY_POLLS):
            if self._closed or all(tail.position(place) >= ends[place] for place in places):
                return
            for records in tail.poll(timeout_ms=100).values():
                for record in records:
                    self._registry.apply(record.key, record.value, record.offset)
        raise BrokerError(f"{self._where}: the registry cannot be read to its end")

    def _ask_topics(self) -> tuple[dict[str, str], dict[str, int]]:
        try:
            with self._asking:
                if self._admin is None:
                    self._admin = KafkaAdminClient(
                        **self._settings.kafka_client(), client_id="retally-survey", bootstrap_timeout_ms=5_000
                    )
                found = self._admin.describe_topics([*IN, SESSIONS])
        except KafkaError as error:
            self._drop_admin()
            raise BrokerError(f"{self._where}: cannot be asked for its topics: {error}") from None
        there = [topic for topic in found if topic["partitions"]]
        return (
            {topic["name"]: str(topic["topic_id"]) for topic in there},
            {topic["name"]: len(topic["partitions"]) for topic in there},
        )

    def _drop_admin(self) -> None:
        with self._asking:
            broken, self._admin = self._admin, None
        if broken is not None:
            broken.close()

    def _drop_survey(self) -> None:
        for each in (self._consumer, self._tail):
            if each is not None:
                each.close()
        self._consumer = self._tail = None
        self._topics_at = float("-inf")

    def close(self) -> None:
        """See `Brokers.close`."""
        self._closed = True
        self._drop_survey()
        self._drop_admin()
        self._drop_producer()


def _by_place(offsets: Mapping[TopicPartition, int]) -> dict[Place, int]:
    return {(place.topic, place.partition): offset for place, offset in offsets.items()}
