"""Telling results on their topics, in a thread of its own: whatever becomes of that, judging goes on.

The store has all of it already. What a topic does not take now is kept, up to a bound, and tried again at growing
intervals; beyond the bound the oldest is let go of, counted and logged.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from kafka import KafkaProducer
from kafka.errors import KafkaError, MessageSizeTooLargeError, RecordListTooLargeError

from streams.live.clock import steady

RETRY_S: Final = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Waits before a topic that refuses is tried again; the last one again and again."""
MAX_WAITING_BYTES: Final = 32 * 1024 * 1024
"""Of one topic."""
AT_ONCE: Final = 2_000
"""Records that are sent before it is asked what became of them."""
TOO_LARGE: Final = (MessageSizeTooLargeError, RecordListTooLargeError)

log = logging.getLogger(__name__)


@dataclass
class _Topic:
    """What waits to be told on one topic."""

    name: str
    waiting: deque[tuple[bytes, bytes]] = field(default_factory=deque)
    size: int = 0
    refused: str = ""
    since: float = 0.0
    attempts: int = 0
    again: float = 0.0


class Teller:
    """Tells records, from any thread's `tell` on."""

    def __init__(
        self,
        connect: Callable[[], KafkaProducer],
        end: Callable[[KafkaProducer], None],
        untold: Callable[[str, int], None],
        *,
        max_waiting_bytes: int = MAX_WAITING_BYTES,
        clock: Callable[[], float] = steady,
    ) -> None:
        """``connect`` makes a producer, ``end`` lets go of one. ``untold`` hears of a topic, and how many records were
        let go of."""
        self._connect = connect
        self._let_go = end
        self._untold = untold
        self._max_waiting_bytes = max_waiting_bytes
        self._clock = clock
        self._changed = threading.Condition()
        self._topics: dict[str, _Topic] = {}
        self._busy = False
        self._stopping = False
        self._producer: KafkaProducer | None = None
        self._thread: threading.Thread | None = None

    def tell(self, topic: str, records: Iterable[tuple[bytes, bytes]]) -> None:
        """Have these (key, value) told; returns at once."""
        with self._changed:
            of_one = self._topics.setdefault(topic, _Topic(topic))
            for record in records:
                of_one.waiting.append(record)
                of_one.size += len(record[1])
            self._bound(of_one)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="retally-teller", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def _bound(self, of_one: _Topic) -> None:
        gone = 0
        while of_one.size > self._max_waiting_bytes and len(of_one.waiting) > 1:
            of_one.size -= len(of_one.waiting.popleft()[1])
            gone += 1
        if gone:
            self._untold(of_one.name, gone)
            log.error("%s: %d records are let go of untold; the store has them (%s)", of_one.name, gone, of_one.refused)

    def wait(self, timeout_s: float) -> bool:
        """Wait until all is told that a topic takes now; False: not in this time."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._busy and not any(each.waiting and not each.refused for each in self._topics.values()),
                timeout_s,
            )

    def away(self) -> dict[str, tuple[str, float, int]]:
        """The topics that take nothing now: why, since when (of the clock), how many records wait."""
        with self._changed:
            return {
                each.name: (each.refused, each.since, len(each.waiting))
                for each in self._topics.values()
                if each.refused
            }

    def close(self, timeout_s: float = 5.0) -> None:
        """Tell what can be told in this time, and end."""
        self.wait(timeout_s)
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(timeout_s)

    # --- the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopping or self._due() is not None, self._pause_s())
                if self._stopping:
                    break
                due = self._due()
                if due is None:
                    continue
                records = [due.waiting.popleft() for _ in range(min(len(due.waiting), AT_ONCE))]
                due.size -= sum(len(value) for _, value in records)
                self._busy = True
            left, why = self._send(due.name, records)
            with self._changed:
                self._busy = False
                self._became(due, left, why)
                self._changed.notify_all()
        if self._producer is not None:
            self._let_go(self._producer)

    def _due(self) -> _Topic | None:
        now = self._clock()
        for each in self._topics.values():
            if each.waiting and (not each.refused or now >= each.again):
                return each
        return None

    def _pause_s(self) -> float | None:
        again = [each.again for each in self._topics.values() if each.waiting and each.refused]
        return max(0.0, min(again) - self._clock()) if again else None

    def _became(self, of_one: _Topic, left: list[tuple[bytes, bytes]], why: str) -> None:
        if not left:
            if of_one.refused:
                log.info("%s takes results again, after %.0f s", of_one.name, self._clock() - of_one.since)
            of_one.refused, of_one.attempts = "", 0
            return
        of_one.waiting.extendleft(reversed(left))
        of_one.size += sum(len(value) for _, value in left)
        if not of_one.refused:
            of_one.since = self._clock()
            log.warning("%s takes no results, they are tried again later: %s", of_one.name, why)
        of_one.refused = why
        of_one.again = self._clock() + RETRY_S[min(of_one.attempts, len(RETRY_S) - 1)]
        of_one.attempts += 1
        self._bound(of_one)

    def _send(self, topic: str, records: list[tuple[bytes, bytes]]) -> tuple[list[tuple[bytes, bytes]], str]:
        """What was not told, and why."""
        sent: list[tuple[tuple[bytes, bytes], Any]] = []
        try:
            if self._producer is None:
                self._producer = self._connect()
            for key, value in records:
                sent.append(((key, value), self._producer.send(topic, key=key, value=value)))
            self._producer.flush(30)
        except KafkaError as error:
            if not isinstance(error, TOO_LARGE):
                self._drop()
                told = {id(record) for record, future in sent if future.succeeded()}
                return [record for record in records if id(record) not in told], _why(error)
        left, why = [], ""
        answered = dict.fromkeys(range(len(sent)))
        for number, record in enumerate(records):
            if number not in answered:
                left += self._smaller(topic, record)
                left += records[number + 1 :]
                return left, why or "what comes after a record that is too large is sent again"
            future = sent[number][1]
            if future.succeeded():
                continue
            if isinstance(future.exception, TOO_LARGE):
                left += self._smaller(topic, record)
            else:
                left.append(record)
            why = _why(future.exception)
        if left:
            self._drop()
        return left, why

    def _smaller(self, topic: str, record: tuple[bytes, bytes]) -> list[tuple[bytes, bytes]]:
        """A record that its topic does not take, as one for each line; a line alone is let go of."""
        key, value = record
        lines = value.split(b"\n")
        if len(lines) > 1:
            return [(key, line) for line in lines]
        self._untold(topic, 1)
        log.error("%s does not take a result of %d bytes, which stays untold; the store has it", topic, len(value))
        return []

    def _drop(self) -> None:
        broken, self._producer = self._producer, None
        if broken is not None:
            self._let_go(broken)


def _why(error: BaseException | None) -> str:
    return " ".join(str(error).split())[:500] or type(error).__name__
