"""Where a worker publishes: results, keyed by table, and the registry, partition by partition."""

from __future__ import annotations

import logging
from typing import Any, Final

from kafka import KafkaProducer

from streams.live.config import LiveSettings
from streams.live.errors import OutletError
from streams.live.publisher import end, producer
from streams.live.topics import SESSIONS

DELIVERY_MS: Final = 20_000
"""What is not acknowledged after so long counts as not sent: the batch is then written again."""
REQUEST_MS: Final = 10_000
LINGER_MS: Final = 100
"""Nothing waits so long, for a flush follows. The producer's own thread sleeps until then."""
RECORD_BYTES: Final = 64 * 1024
"""A record that has so many bytes takes no further line."""

log = logging.getLogger(__name__)


class KafkaOutlet:
    """An outlet (`streams.live.batch.Outlet`) to Kafka. After an error the next record goes through a new producer.

    Results of one table that are said together go into one record, a line each, as a gateway's events do: what a record
    costs is the same whatever it holds.
    """

    def __init__(self, settings: LiveSettings) -> None:
        self._settings = settings
        self._producer: KafkaProducer | None = None
        self._sent: list[Any] = []
        """Futures of what was sent since the last flush."""

    def send(self, topic: str, key: bytes, value: bytes) -> None:
        """Results of one table, a line each, keyed by the table; partitioned by the key."""
        while len(value) > RECORD_BYTES and (end := value.find(b"\n", RECORD_BYTES)) >= 0:
            self._sent.append(self._connected().send(topic, key=key, value=value[:end]))
            value = value[end + 1 :]
        self._sent.append(self._connected().send(topic, key=key, value=value))

    def register(self, partition: int, key: bytes, value: bytes | None) -> None:
        """A record for this partition of the registry."""
        self._sent.append(self._connected().send(SESSIONS, key=key, value=value, partition=partition))

    def flush(self) -> None:
        """Return when everything sent so far is acknowledged.

        Raises:
            OutletError: it is not, and never will be; or brokers are away.
        """
        try:
            sent, self._sent = self._sent, []
            if not sent:
                return
            self._connected().flush(DELIVERY_MS / 1000)
            failed = next((future.exception for future in sent if not future.succeeded()), None)
        except Exception:
            self.close()
            raise
        if failed is not None:
            self.close()
            raise OutletError(f"kafka://{self._settings.kafka}: results were not acknowledged: {failed}")

    def close(self) -> None:
        """Let go of the producer; what was not flushed is given up."""
        self._sent = []
        if self._producer is not None:
            end(self._producer)
            self._producer = None

    def _connected(self) -> KafkaProducer:
        if self._producer is None:
            self._producer = producer(
                self._settings,
                delivery_timeout_ms=DELIVERY_MS,
                request_timeout_ms=REQUEST_MS,
                linger_ms=LINGER_MS,
                client_id="retally",
            )
        return self._producer
