"""The device side: a gateway's event lines to Kafka, in order, until the broker has them.

A `Publisher` gathers the lines of a table for a few milliseconds and sends them as one record. Every record is sent
with ``acks=all`` by an idempotent producer and is kept until it is acknowledged. When the broker is away nothing is
dropped: what waits is bounded, and `Publisher.publish` blocks until there is room. Should a producer give up records
all the same (its sequence was broken, say), they are sent again by a new one, in their order: a record may then come
twice, which is no harm (`replay.audit`), and never not at all.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
from kafka import KafkaProducer
from kafka.errors import KafkaError
from kafka.partitioner import murmur2

from replay.events import MAX_EVENT_BYTES
from streams.live.config import LiveSettings
from streams.live.errors import PublisherClosed
from streams.live.topics import TABLES, topic_of

LINES_A_RECORD: Final = 20
LINGER_MS: Final = 5.0
RECORD_BYTES: Final = 256 * 1024
"""A record that has so many bytes takes no further line."""
MAX_WAITING_BYTES: Final = 32 * 1024 * 1024
FOREVER_MS: Final = (1 << 31) - 1
"""Kafka's longest time: 24 days."""
RETRY_S: Final = 1.0
END_S: Final = 5.0

log = logging.getLogger(__name__)


class _Envelope(msgspec.Struct):
    """What a line says of where it belongs."""

    type: str = ""
    table: str = ""


_read: Final[Callable[[bytes], _Envelope]] = msgspec.json.Decoder(_Envelope).decode


def route(line: bytes, table: str = "", topic: str = TABLES) -> tuple[str, bytes]:
    """The topic of an event line, and its key: its table's name.

    What the line itself does not say, or says so that it cannot be read, is taken from ``table`` and ``topic``: a
    broken line must reach the auditor like every other.
    """
    try:
        envelope = _read(line)
        topic = topic_of(envelope.type)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return topic, table.encode()
    return topic, (table or envelope.table).encode()


def home(table: str, partitions: int) -> int:
    """The partition in which Kafka's own clients put what is keyed by this table, of so many."""
    number: int = (murmur2(table.encode("utf-8", "surrogatepass")) & 0x7FFFFFFF) % partitions
    return number


def producer(settings: LiveSettings, **options: Any) -> KafkaProducer:
    """A producer that sends with ``acks=all``, idempotently, and goes on trying; raises `KafkaError`."""
    return KafkaProducer(
        **settings.kafka_client(),
        acks="all",
        enable_idempotence=True,
        metrics_enabled=False,
        allow_auto_create_topics=False,
        **{
            "delivery_timeout_ms": FOREVER_MS,
            "max_block_ms": 10_000,
            "bootstrap_timeout_ms": 10_000,
            "reconnect_backoff_max_ms": 1000,
            "batch_size": 128 * 1024,
            **options,
        },
    )


class _Record:
    """A record on its way."""

    __slots__ = ("key", "topic", "value")

    def __init__(self, topic: str, key: bytes, value: bytes) -> None:
        self.topic = topic
        self.key = key
        self.value = value


class _Gathering:
    """Lines that will be one record."""

    __slots__ = ("lines", "size")

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.size = 0


class Publisher:
    """Publishes event lines. `publish` may be called by any number of threads; of one table's lines by one thread.

    ``lines_a_record`` and ``linger_ms`` bound how many lines of a table go into one record, and how long the first of
    them waits for the others. ``max_waiting_bytes`` bounds what has not been acknowledged.
    """

    def __init__(
        self,
        connect: Callable[[], KafkaProducer],
        *,
        lines_a_record: int = LINES_A_RECORD,
        linger_ms: float = LINGER_MS,
        max_waiting_bytes: int = MAX_WAITING_BYTES,
    ) -> None:
        """``connect`` makes a producer (`producer`); it is called again until one comes of it."""
        if lines_a_record < 1:
            raise ValueError("a record has at least one line")
        self._connect = connect
        self._lines_a_record = lines_a_record
        self._linger_s = linger_ms / 1000
        self._max_waiting_bytes = max_waiting_bytes
        self._changed = threading.Condition()
        self._gathering: dict[tuple[str, bytes], _Gathering] = {}
        self._gathered: list[_Record] = []
        """Records that are full and not yet given to a producer."""
        self._unacknowledged: dict[int, _Record] = {}
        """Records that a producer has, by number, in the order in which they were given."""
        self._waiting_bytes = 0
        self._given = 0
        self._connected: KafkaProducer | None = None
        self._broken: Exception | None = None
        """Why the producer is of no more use."""
        self._closing = False
        self._abandoned = False
        self.lines = 0
        """Lines taken."""
        self.acknowledged = 0
        """Records that the broker has."""
        self._thread = threading.Thread(target=self._run, name="retally-publisher", daemon=True)
        self._thread.start()

    def publish(self, line: bytes, table: str = "", topic: str = TABLES) -> None:
        """Take one event line, without line end. Blocks while too much waits for the broker.

        ``table`` and ``topic`` stand for what the line does not say itself: see `route`.

        Raises:
            PublisherClosed: it has been closed.
            ValueError: the line is far too long for an event, is empty, or holds a line feed.
        """
        if not 0 < len(line) <= 2 * MAX_EVENT_BYTES or b"\n" in line:
            raise ValueError(f"not one event line: {len(line):,} bytes, {line.count(10):,} line feeds")
        to = route(line, table, topic)
        with self._changed:
            while self._waiting_bytes >= self._max_waiting_bytes and not self._closing:
                self._changed.wait()
            if self._closing:
                raise PublisherClosed("the publisher is closed")
            record = self._gathering.get(to)
            if record is None:
                record = self._gathering[to] = _Gathering()
            record.lines.append(line)
            record.size += len(line) + 1
            self._waiting_bytes += len(line) + 1
            self.lines += 1
            if len(record.lines) >= self._lines_a_record or record.size >= RECORD_BYTES:
                self._gather(to)
            self._changed.notify_all()

    def flush(self, timeout_s: float | None = None) -> bool:
        """Wait until the broker has all that was taken so far; False when ``timeout_s`` passed first."""
        with self._changed:
            for to in list(self._gathering):
                self._gather(to)
            self._changed.notify_all()
            return self._changed.wait_for(lambda: self._waiting_bytes == 0, timeout_s)

    def close(self, timeout_s: float | None = None) -> None:
        """Wait until the broker has everything, and end.

        Raises:
            PublisherClosed: ``timeout_s`` passed first; what was not acknowledged is given up.
        """
        done = self.flush(timeout_s)
        with self._changed:
            left = len(self._unacknowledged) + len(self._gathered)
            self._closing = True
            self._abandoned = not done
            self._changed.notify_all()
        self._thread.join()
        if not done:
            raise PublisherClosed(f"closed before the broker had {left:,} records")

    def __enter__(self) -> Publisher:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close; at once, without waiting for the broker, when something went wrong."""
        try:
            self.close(None if kind is None else 0)
        except PublisherClosed:
            if kind is None:
                raise

    # --- the thread that sends ------------------------------------------------------------------------------------

    def _gather(self, to: tuple[str, bytes]) -> None:
        """The record of this topic and table is full."""
        topic, key = to
        self._gathered.append(_Record(topic, key, b"\n".join(self._gathering.pop(to).lines)))

    def _run(self) -> None:
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._closing or self._broken or self._gathered or self._gathering)
                    if self._closing and (self._abandoned or not self._waiting_bytes):
                        return
                if (self._connected is None or self._broken is not None) and not self._reconnect():
                    continue
                time.sleep(self._linger_s)
                with self._changed:
                    for to in list(self._gathering):
                        self._gather(to)
                    records, self._gathered = self._gathered, []
                self._send(records)
        finally:
            if self._connected is not None:
                end(self._connected)

    def _reconnect(self) -> bool:
        """Make a new producer and give it all that was not acknowledged; False: not now."""
        if self._connected is not None:
            log.warning("the producer gave up records: they are sent again by another (%s)", self._broken)
            end(self._connected)
            self._connected = None
        try:
            self._connected = self._connect()
        except KafkaError as error:
            log.warning("Kafka is away, trying again: %s", error)
            self._pause()
            return False
        with self._changed:
            self._broken = None
            again = list(self._unacknowledged.values())
            self._unacknowledged.clear()
        self._send(again)
        return self._broken is None

    def _send(self, records: list[_Record]) -> None:
        to = self._connected
        assert to is not None
        with self._changed:
            first = self._given
            self._given += len(records)
            self._unacknowledged.update(enumerate(records, first))
        for number, record in enumerate(records, first):
            try:
                future = to.send(record.topic, key=record.key, value=record.value)
            except KafkaError as error:
                # Not even taken: the topic is not there, or nobody knows yet where it is, or it has failed already.
                with self._changed:
                    self._broken = error
                self._pause()
                return
            future.add_callback(self._acknowledge, number)
            future.add_errback(self._fail, to)

    def _acknowledge(self, number: int, _: object) -> None:
        with self._changed:
            record = self._unacknowledged.pop(number, None)
            if record is not None:
                self.acknowledged += 1
                self._waiting_bytes -= len(record.value) + 1
                self._changed.notify_all()

    def _fail(self, by: KafkaProducer, error: Exception) -> None:
        """Called by the producer's own thread, which must not send what comes after: that would be out of order."""
        by._sender.force_close()
        with self._changed:
            if by is self._connected:
                self._broken = error
                self._changed.notify_all()

    def _pause(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closing, RETRY_S)


def end(used: KafkaProducer) -> None:
    """Let go of a producer and what it still holds: that is sent again by another, or given up."""
    used._sender.force_close()  # close() alone waits for what cannot be sent, and leaves the sender running
    try:
        used.close(timeout=END_S)
    except KafkaError as error:
        log.debug("a producer did not end in order: %s", error)
