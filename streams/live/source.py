"""Reading the topics outside of the stream: what a worker catches up on, and a floor's log as ``kafka://host:port``.

Nothing here belongs to a consumer group or commits an offset: what is read is said by offsets, and reading it again
gives the same.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from kafka import KafkaConsumer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord
from kafka.errors import KafkaError

from streams.live.config import LiveSettings
from streams.live.errors import BrokerError, Gone
from streams.live.topics import IN
from streams.logs import KAFKA_SCHEME, LogError, LogLine

CHUNK_RECORDS: Final = 2_000
POLL_MS: Final = 1_000
PATIENCE_POLLS: Final = 60
"""So many polls in a row may bring nothing before the brokers count as away."""

Range = tuple[int, int]
"""The first offset, and the one after the last."""


def consumer(settings: LiveSettings, **options: Any) -> KafkaConsumer:
    """A consumer of no group, of what is committed; raises `KafkaError`."""
    given: dict[str, Any] = {
        "group_id": None,
        "isolation_level": "read_committed",
        "enable_auto_commit": False,
        "auto_offset_reset": "none",
        "allow_auto_create_topics": False,
        "metrics_enabled": False,
        "bootstrap_timeout_ms": 10_000,
        "reconnect_backoff_max_ms": 1_000,
        "max_poll_records": CHUNK_RECORDS,
        "max_partition_fetch_bytes": 4 * 1024 * 1024,
    }
    return KafkaConsumer(**settings.kafka_client(), **{**given, **options})


class PartitionReader:
    """Reads ranges of several topics in one partition, merged by the times of the records.

    Within a topic the order of offsets is kept. Belongs to one thread at a time, but for `close`.
    """

    def __init__(self, settings: LiveSettings, partition: int, ranges: Mapping[str, Range]) -> None:
        """All of each range must be there.

        Raises:
            Gone: the first records of a range are no longer there.
            BrokerError: the brokers are away.
        """
        self._where = f"kafka://{settings.kafka}"
        self._ends = {TopicPartition(topic, partition): end for topic, (first, end) in ranges.items() if first < end}
        self._ahead: dict[TopicPartition, deque[ConsumerRecord]] = {place: deque() for place in self._ends}
        self._open = set(self._ends)
        """Topics that have more to come than what has been read ahead."""
        self._consumers: dict[TopicPartition, KafkaConsumer] = {}
        """One a topic, which is asked only when nothing of it has been read ahead. One for all of them would have to
        have some of them paused, and kafka-python (3.0.12) may never give again what it had fetched of these."""
        self._reading = threading.Lock()
        self._closing = False
        try:
            gone = {}
            for place in self._ends:
                asked = self._consumers[place] = consumer(settings)
                asked.assign([place])
                kept_from = asked.beginning_offsets([place])[place]
                first = ranges[place.topic][0]
                if first < kept_from:
                    gone[place.topic] = kept_from
                asked.seek(place, first)
            if gone:
                said = ", ".join(f"{topic}/{partition} keeps nothing before offset {gone[topic]:,}" for topic in gone)
                raise Gone(said, gone)
        except KafkaError as error:
            self.close()
            raise BrokerError(f"{self._where}: cannot be read: {error}") from None
        except Gone:
            self.close()
            raise

    def chunk(self, most: int = CHUNK_RECORDS) -> list[ConsumerRecord]:
        """The next records, at least one; none when all ranges have been read. Raises `BrokerError`."""
        with self._reading:
            return self._chunk(most)

    def _chunk(self, most: int) -> list[ConsumerRecord]:
        chunk: list[ConsumerRecord] = []
        while not chunk:
            self._read_ahead()
            heads = [ahead for ahead in self._ahead.values() if ahead]
            if not heads:
                return []
            while len(chunk) < most:
                earliest = min(heads, key=lambda ahead: int(ahead[0].timestamp))
                record = earliest.popleft()
                chunk.append(record)
                if not earliest:
                    if TopicPartition(record.topic, record.partition) in self._open:
                        break
                    heads.remove(earliest)
                    if not heads:
                        break
        return chunk

    def close(self) -> None:
        """Let go of the connections, once a chunk that is being read in another thread has been given up."""
        self._closing = True
        with self._reading:
            for each in self._consumers.values():
                each.close()
            self._consumers = {}

    def __enter__(self) -> PartitionReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[ConsumerRecord]:
        while chunk := self.chunk():
            yield from chunk

    def _read_ahead(self) -> None:
        """Read until something is known of every topic that has more to come."""
        try:
            for place in list(self._open):
                in_vain = 0
                while place in self._open and not self._ahead[place]:
                    if self._closing or not self._consumers:
                        raise BrokerError(f"{self._where}: closed while it was read")
                    asked, end = self._consumers[place], self._ends[place]
                    records = asked.poll(timeout_ms=POLL_MS).get(place, [])
                    self._ahead[place].extend(record for record in records if record.offset < end)
                    if asked.position(place) >= end:
                        self._open.remove(place)
                    in_vain = 0 if records else in_vain + 1
                    if in_vain > PATIENCE_POLLS:
                        raise BrokerError(f"{self._where}: nothing comes any more")
        except KafkaError as error:
            raise BrokerError(f"{self._where}: cannot be read: {error}") from None


class Ends(NamedTuple):
    """Where topics begin and end at one moment, as ``(topic, partition) -> offset``."""

    first: dict[tuple[str, int], int]
    end: dict[tuple[str, int], int]


def ends_of(settings: LiveSettings, topics: tuple[str, ...], partition: int | None = None) -> Ends:
    """Where these topics begin and end now, in one partition or in all; raises `BrokerError`."""
    where = f"kafka://{settings.kafka}"
    try:
        asking = consumer(settings)
        try:
            places = []
            for topic in topics:
                numbers = asking.partitions_for_topic(topic)
                if not numbers:
                    raise BrokerError(f"{where}: there is no topic {topic}")
                places += [TopicPartition(topic, number) for number in sorted(numbers) if partition in (None, number)]
            first, end = asking.beginning_offsets(places), asking.end_offsets(places)
        finally:
            asking.close()
    except KafkaError as error:
        raise BrokerError(f"{where}: cannot be read: {error}") from None
    return Ends({tuple(place): first[place] for place in places}, {tuple(place): end[place] for place in places})


@dataclass(frozen=True)
class KafkaLog:
    """The four topics as a log, up to where they ended when it was made. Read again, it gives the same lines."""

    settings: LiveSettings
    ranges: Mapping[int, Mapping[str, Range]]
    """Partition -> topic -> offsets."""

    def __str__(self) -> str:
        return f"{KAFKA_SCHEME}{self.settings.kafka}"

    @property
    def size(self) -> int:
        """How many records there are, about: what `read` tells ``progress`` of adds up to it."""
        return sum(end - first for topics in self.ranges.values() for first, end in topics.values())

    def read(self, progress: Callable[[int], None] | None = None) -> Iterator[LogLine]:
        """All lines, partition by partition, with topic, partition and offset as their place. Raises `LogError`."""
        try:
            for partition, ranges in self.ranges.items():
                with PartitionReader(self.settings, partition, ranges) as reader:
                    while chunk := reader.chunk():
                        for record in chunk:
                            source = f"{record.topic}/{partition}"
                            for line in (record.value or b"").split(b"\n"):
                                if line:
                                    yield LogLine(source, record.offset, line, len(line))
                        if progress is not None:
                            progress(len(chunk))
        except BrokerError as error:
            raise LogError(str(error)) from None


def kafka_log(settings: LiveSettings) -> KafkaLog:
    """The log that the topics are at this moment. Raises `LogError`."""
    try:
        ends = ends_of(settings, IN)
    except BrokerError as error:
        raise LogError(str(error)) from None
    ranges: dict[int, dict[str, Range]] = {}
    for topic, number in sorted(ends.end):
        ranges.setdefault(number, {})[topic] = (ends.first[topic, number], ends.end[topic, number])
    return KafkaLog(settings, ranges)
