"""Where a worker publishes: the registry, partition by partition, and results, keyed by table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kafka import KafkaProducer

from streams.live.config import LiveSettings
from streams.live.errors import OutletError
from streams.live.publisher import end, producer
from streams.live.teller import Teller
from streams.live.topics import SESSIONS

DELIVERY_MS: Final = 20_000
"""What is not acknowledged after so long counts as not sent: the batch is then written again."""
REQUEST_MS: Final = 10_000
TELL_BLOCK_MS: Final = 5_000
TELL_WAIT_S: Final = 2.0
"""So long a batch waits for its results to be told, where their topics take them."""
LINGER_MS: Final = 100
"""Nothing waits so long, for a flush follows. The producer's own thread sleeps until then."""
RECORD_BYTES: Final = 64 * 1024
"""A record that has so many bytes takes no further line."""


class KafkaOutlet:
    """An outlet (`streams.live.batch.Outlet`) to Kafka. After an error the next record goes through a new producer.

    Results of one table that are said together go into one record, a line each, as a gateway's events do: what a record
    costs is the same whatever it holds.
    """

    def __init__(
        self, settings: LiveSettings, untold: Callable[[str, int], None] = lambda _topic, _count: None
    ) -> None:
        """``untold`` hears of a topic, and of how many results of it were let go of."""
        self._settings = settings
        self._producer: KafkaProducer | None = None
        self._sent: list[Any] = []
        """Futures of what was sent since the last flush."""
        self.teller = Teller(self._telling, end, untold)

    def _telling(self) -> KafkaProducer:
        return producer(
            self._settings,
            delivery_timeout_ms=DELIVERY_MS,
            request_timeout_ms=REQUEST_MS,
            max_block_ms=TELL_BLOCK_MS,
            linger_ms=LINGER_MS,
            max_request_size=16 * 1024 * 1024,  # the topic's own limit is the one that counts
            client_id="retally-results",
        )

    def send(self, topic: str, key: bytes, value: bytes) -> None:
        """Results of one table, a line each, keyed by the table; partitioned by the key."""
        records = []
        while len(value) > RECORD_BYTES and (cut := value.find(b"\n", RECORD_BYTES)) >= 0:
            records.append((key, value[:cut]))
            value = value[cut + 1 :]
        self.teller.tell(topic, [*records, (key, value)])

    def sent(self) -> None:
        """Return when the results are told; or after a moment, where they are not."""
        self.teller.wait(TELL_WAIT_S)

    def register(self, partition: int, key: bytes, value: bytes | None) -> None:
        """A record for this partition of the registry."""
        self._sent.append(self._connected().send(SESSIONS, key=key, value=value, partition=partition))

    def flush(self) -> None:
        """Return when everything registered so far is acknowledged.

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
            self._drop()
            raise
        if failed is not None or not all(future.succeeded() for future in sent):
            self._drop()
            raise OutletError(f"kafka://{self._settings.kafka}: the registry was not acknowledged: {failed}")

    def close(self) -> None:
        """Let go of the producers; what was not flushed is given up."""
        self._drop()
        self.teller.close()

    def _drop(self) -> None:
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
