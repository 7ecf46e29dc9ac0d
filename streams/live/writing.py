"""Writing batches in a thread of its own, again and again until each is written; and what the store knows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from kafka.errors import KafkaError

from streams.live.engine import Batch
from streams.live.errors import OutletError
from streams.live.health import Health
from streams.live.kept import KeptInStore
from streams.live.metrics import Metrics
from streams.live.outlet import KafkaOutlet
from streams.store import Store, StoreError

RETRY_S: Final = (0.2, 0.5, 1.0, 2.0)
"""Waits between attempts to write or to read; the last one again and again."""

log = logging.getLogger(__name__)


class Writer:
    """Belongs to one event loop; the store and the outlet belong to its thread."""

    def __init__(
        self,
        open_store: Callable[[], Store],
        outlet: KafkaOutlet,
        metrics: Metrics,
        health: Health,
        clock: Callable[[], float],
    ) -> None:
        self.threads = ThreadPoolExecutor(1, "retally-writer")
        self.since: float | None = None
        """Since when an attempt to write goes on."""
        self.stopping = False
        """What is not written yet stays so."""
        self._open_store = open_store
        self._outlet = outlet
        self._metrics = metrics
        self._health = health
        self._clock = clock
        self._store: Store | None = None
        self._kept: KeptInStore | None = None

    async def write(self, batch: Batch) -> bool:
        """Write ``batch``, again and again until it is written; False: it was told to stop first."""
        attempt = 0
        began = self._clock()
        while not self.stopping:
            self.since = self._clock()
            try:
                await self._in_thread(self._attempt, batch)
            except Exception as error:
                at = "store" if isinstance(error, StoreError) else "registry"
                self._metrics.store_errors.labels(at).inc()
                if self._health.away(at, str(error)):
                    log.warning("a batch cannot be written, trying again: %s", error, exc_info=_unforeseen(error))
                await asyncio.sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
                attempt += 1
                continue
            finally:
                self.since = None
            took = self._clock() - began
            self._metrics.flush_seconds.observe(took)
            if self._health.back("store", "registry"):
                log.info("batches are written again, after %.1f s", took)
            return True
        return False

    async def highest(self) -> int:
        """See `streams.live.batch.Kept.highest`. Raises `StoreError`."""
        found: int = await self._in_thread(lambda: self._opened().highest())
        return found

    async def let_go(self) -> None:
        """Let go of store and outlet."""
        await self._in_thread(self._close)
        self.threads.shutdown(wait=False)

    async def _in_thread(self, function: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.threads, function, *args)

    def _attempt(self, batch: Batch) -> None:
        batch.write(self._opened(), self._outlet)

    def _opened(self) -> KeptInStore:
        if self._kept is None:
            self._store = self._open_store()
            self._kept = KeptInStore(self._store)
        return self._kept

    def _close(self) -> None:
        self._outlet.close()
        if self._store is not None:
            self._store.close()


def _unforeseen(error: Exception) -> bool:
    """Whether an error is none of those that a store or a broker that is away brings."""
    return not isinstance(error, StoreError | OutletError | KafkaError)
