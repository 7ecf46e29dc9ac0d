"""Faust without what it does for every record.

Faust puts each record into a message, an event and a queue, awaits each of them a few times, and notes times and counts
that nobody asks for: with one event a record, that is most of a worker's time. `read` has what a fetch brought
taken in one piece instead. Who reads what, what has been taken, and what is read again after a rebalance, is Faust's
own affair as ever.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from faust import App
from faust.transport.drivers import aiokafka
from faust.types import TP
from faust.types.tuples import Message

from streams.live.runs import Run

FETCH_WAIT_MS: Final = 50
LOOK_S: Final = 0.2
"""So long a fetch waits at most, and then asks again of which partitions records can be taken."""
FULL_S: Final = 0.02
"""The same where none can be."""

Runs = Mapping[tuple[str, int], Run]
"""What a fetch brought, of each topic and partition."""


@dataclass(frozen=True)
class Taker:
    """Whoever takes the records."""

    ready: Callable[[int], bool]
    """Whether records of this partition can be taken now; others are left where they are."""
    take: Callable[[Runs], Awaitable[None]]
    """Take all these records, and how far they go. When it is cancelled, for a rebalance begins, they come again."""


class _ConsumerThread(aiokafka.AIOKafkaConsumerThread):
    """The thread in which the client of a consumer lives."""

    def _create_worker_consumer(self, transport: aiokafka.Transport) -> Any:
        """Faust's client, that reads what is committed, with a shorter wait for topics in which nothing happens.

        The client asks a broker for one answer at a time, and leaves out of the question what it has not handed on yet.
        So a question about topics that happen to be quiet keeps all others waiting, with Faust for one and a half
        seconds.
        """
        client = super()._create_worker_consumer(transport)
        client._fetch_max_wait_ms = FETCH_WAIT_MS
        client._isolation_level = "read_committed"
        return client

    async def _fetch_records(self, consumer: Any, active_partitions: set[TP], *args: Any, **kwargs: Any) -> Any:
        """What Faust's brings, and of each partition from which offset it was fetched to which: there may be offsets
        that are no records, the markers of transactions."""
        before = _positions(consumer, active_partitions)
        fetched: Any = await super()._fetch_records(consumer, active_partitions, *args, **kwargs)
        records: dict[TP, list[Any]] = fetched
        after = _positions(consumer, active_partitions)
        return {
            tp: Run.fetched(first, records.get(tp, []), after[tp])
            for tp, first in before.items()
            if tp in after and (after[tp] != first or records.get(tp))
        }


def _positions(consumer: Any, partitions: set[TP]) -> dict[TP, int]:
    """The next offset of each of these partitions that has one."""
    subscription = consumer._subscription.subscription
    assignment = None if subscription is None else subscription.assignment
    if assignment is None:
        return {}
    states = {tp: assignment.state_value(tp) for tp in partitions if tp in assignment.tps}
    return {tp: state.position for tp, state in states.items() if state is not None and state.has_valid_position}


class _Consumer(aiokafka.Consumer):
    """Faust's consumer."""

    def _new_consumer_thread(self) -> aiokafka.AIOKafkaConsumerThread:
        return _ConsumerThread(self, loop=self.loop, beacon=self.beacon)

    async def getmany(self, timeout: float) -> AsyncIterator[tuple[TP, Message]]:
        """Fetch, and have all of it taken; nothing is left to go record by record."""
        await self._take(timeout)
        nothing: tuple[tuple[TP, Message], ...] = ()
        for each in nothing:
            yield each

    async def _take(self, timeout: float) -> None:
        """Fetch, and acknowledge what has been taken."""
        fetched, active = await self._wait_next_records(timeout)
        runs: Any = fetched
        if runs is None or self.should_stop:
            return
        if not self.flow_active:
            await self._seek_back()
            return
        found: dict[tuple[str, int], Run] = {tp: run for tp, run in runs.items() if active is None or tp in active}
        if not found:
            return
        taking = self._taker.take(found)
        done = await self.wait_first(taking, self.suspend_flow.wait())
        if taking in done.done and self.flow_active:
            for tp, run in found.items():
                self._acked[TP(*tp)].append(run.after - 1)

    @property
    def _taker(self) -> Taker:
        return cast(_Transport, self.transport).taker

    async def _seek_back(self) -> None:
        """As Faust does it with what was fetched while partitions change hands."""
        try:
            await self.perform_seek()
        except Exception as error:
            self.log.warning("cannot go back to what was committed: %r", error)

    async def _getmany(self, active_partitions: set[TP] | None, timeout: float) -> Any:
        """Fetch of the partitions of which records can be taken now."""
        ready = {tp for tp in active_partitions or () if self._taker.ready(tp.partition)}
        if not ready:
            await self.sleep(FULL_S)
            return {}
        return await super()._getmany(ready, min(timeout, LOOK_S))

    def _new_offset(self, tp: TP) -> int | None:
        """All before an offset that is acknowledged has been taken, or was there no more."""
        acked = self._acked[tp]
        if not acked:
            return None
        offset: int = max(acked) + 1
        acked.clear()
        return offset


class _Transport(aiokafka.Transport):
    Consumer = _Consumer
    taker: Taker


def read(app: App, topics: Sequence[str], taker: Taker) -> None:
    """Have ``app`` read ``topics`` for ``taker``."""
    transport = _Transport(app.conf.broker_consumer, app)
    transport.taker = taker
    app.transport = transport
    app.topics.add(app.topic(*topics, value_type=bytes, key_type=bytes))


def failure(app: App) -> BaseException | None:
    """Why the client has no group any more: it holds that back for whoever fetches by its own methods, and waits.

    For any thread.
    """
    thread = getattr(app._consumer, "_thread", None)
    client: Any = getattr(thread, "_consumer", None)
    coordinator = getattr(client, "_coordinator", None)
    task = getattr(coordinator, "_coordination_task", None)
    if task is not None and task.done() and not task.cancelled():
        error: BaseException | None = task.exception()
        return error
    return getattr(coordinator, "_pending_exception", None)
