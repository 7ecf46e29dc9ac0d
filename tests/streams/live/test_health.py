"""How a worker says that it is: alive, ready, degraded; and what keeps results apart that a topic does not take."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
from kafka.errors import KafkaTimeoutError, MessageSizeTooLargeError

from replay.results import Rejected
from streams.live import creation
from streams.live.config import load
from streams.live.errors import TopicError
from streams.live.health import STUCK_S, Health
from streams.live.metrics import Endpoint, Later, listen
from streams.live.progress import MAX_OPEN, Progress
from streams.live.rejected import PIECE_BYTES, told
from streams.live.teller import Teller
from streams.live.topics import IN


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def caught_up(*numbers: int, behind: tuple[int, ...] = ()) -> dict[int, asyncio.Event]:
    events = {number: asyncio.Event() for number in (*numbers, *behind)}
    for number in numbers:
        events[number].set()
    return events


def test_whether_a_worker_is_alive_hangs_on_its_own_loop_alone() -> None:
    clock = Clock()
    health = Health(clock)
    health.away("store", "no route\nto host")
    clock.now += STUCK_S - 1

    assert health.tell()["alive"]
    health.beat()
    clock.now += STUCK_S + 1
    said = health.tell()
    assert not said["alive"] and not said["ok"] and not said["ready"]
    assert said["degraded"] == [{"what": "store", "why": "no route to host", "for_s": 2 * STUCK_S}]


def test_a_worker_is_ready_once_it_has_caught_up_what_is_its_own() -> None:
    health = Health(Clock())
    assert not health.tell()["ready"]
    health.assigned(caught_up(1, behind=(2,)))
    assert not health.tell()["ready"]
    health.assigned(caught_up(1, 2))
    assert health.tell()["ready"]
    health.assigned({})  # it stands by
    assert health.tell()["ready"]


def test_what_is_away_is_news_once_and_what_is_back_too() -> None:
    health = Health(Clock())

    assert [health.away("store", "a"), health.away("store", "b"), health.back("store"), health.back("store")] == [
        True,
        False,
        True,
        False,
    ]


def test_progress_is_the_moment_of_which_all_that_was_there_has_been_read() -> None:
    progress, position = Progress(), dict.fromkeys(IN, 0)
    progress.asked(10.0, dict.fromkeys(IN, 0))
    progress.asked(11.0, {**dict.fromkeys(IN, 0), IN[1]: 5})
    progress.asked(12.0, {**dict.fromkeys(IN, 0), IN[1]: 9})
    reads = []
    for at in (0, 4, 5, 8, 9):
        position[IN[1]] = at
        progress.come_to(position.__getitem__)
        reads.append(progress.read)

    assert reads == [10.0, 10.0, 11.0, 11.0, 12.0]


def test_a_worker_that_is_always_late_still_progresses() -> None:
    progress = Progress()
    for second in range(1000):
        progress.asked(float(second), dict.fromkeys(IN, second * 10))
        progress.come_to(lambda _, second=second: second * 10 - 500)  # type: ignore[misc]

    assert 900 < progress.read <= 949
    assert len(progress._open) <= MAX_OPEN


def test_a_rejected_line_is_told_by_what_it_is_and_a_bounded_piece_of_it() -> None:
    row = Rejected(
        source="retally.bets/3",
        place=7,
        digest="d" * 64,
        session="s" * 5000,
        seq=1,
        field="f",
        reason="r" * 5000,
        raw=b"x" * 900_000,
    )
    line = told(row)

    assert (line.digest, line.place, line.size, line.piece) == (row.digest, 7, 900_000, b"x" * PIECE_BYTES)
    assert len(line.session) < 2000 and len(line.reason) < 2000


# --- waiting at the start ---------------------------------------------------------------------------------------------


def test_who_is_away_at_the_start_is_waited_for_and_said_once_and_then_rarely(monkeypatch, caplog) -> None:
    clock, asked, health = Clock(), [0], Health()
    monkeypatch.setattr(creation, "steady", clock)
    monkeypatch.setattr(time, "sleep", lambda seconds: setattr(clock, "now", clock.now + seconds))

    def ask() -> int:
        asked[0] += 1
        if clock.now < 200.0:
            raise TopicError("nobody answers", away=True)
        return 7

    assert creation.when_there(ask, "kafka", "Kafka at k:1", health) == 7
    said = [record.getMessage() for record in caplog.records]
    assert said[0] == "waiting for Kafka at k:1, since 0 s: nobody answers"
    assert asked[0] > 40
    assert len(said) < 8
    assert health.tell()["degraded"] == []


def test_what_is_no_absence_is_not_waited_for() -> None:
    with pytest.raises(TopicError, match="refused"):
        creation.when_there(lambda: _raise(TopicError("refused")), "kafka", "Kafka")


def _raise(error: Exception) -> Any:
    raise error


def test_it_is_answered_within_a_second_whatever_the_worker_s_own_thread_does() -> None:
    import urllib.request

    endpoint = Endpoint(Later(), Health().tell)
    listen(endpoint, load(http_port=0))  # nowhere
    endpoint.start("127.0.0.1", 0)
    times = []

    def ask() -> None:
        for _ in range(20):
            began = time.monotonic()
            with urllib.request.urlopen(f"http://127.0.0.1:{endpoint.port}/healthz", timeout=5) as answer:
                assert answer.status == 200
            times.append(time.monotonic() - began)

    asking = threading.Thread(target=ask)
    asking.start()
    until = time.monotonic() + 1.0
    while time.monotonic() < until:
        sum(range(1000))  # as busy as a thread can be
    asking.join()
    endpoint.stop()

    assert len(times) == 20
    assert max(times) < 1.0


# --- telling ----------------------------------------------------------------------------------------------------------


class Producer:
    """Takes what its topics take."""

    def __init__(self) -> None:
        self.told: list[tuple[str, bytes]] = []
        self.away: set[str] = set()
        self.most = 100

    def send(self, topic: str, key: bytes, value: bytes) -> Any:
        if topic in self.away:
            raise KafkaTimeoutError(f"no topic {topic}")
        if len(value) > self.most:
            return SimpleNamespace(succeeded=lambda: False, exception=MessageSizeTooLargeError())
        self.told.append((topic, value))
        return SimpleNamespace(succeeded=lambda: True, exception=None)

    def flush(self, _: float) -> None:
        return


def test_a_topic_that_is_away_keeps_no_other_waiting_and_is_told_when_it_is_back(caplog) -> None:
    producer, clock, untold = Producer(), Clock(), []
    teller = Teller(lambda: producer, lambda _: None, lambda *each: untold.append(each), clock=clock)
    producer.away = {"gone"}
    teller.tell("gone", [(b"k", b"1"), (b"k", b"2")])
    teller.tell("there", [(b"k", b"3")])

    assert teller.wait(5)
    assert producer.told == [("there", b"3")]
    assert teller.away()["gone"][2] == 2
    producer.away = set()
    clock.now += 100
    teller.tell("gone", [(b"k", b"4")])
    for _ in range(500):
        if len(producer.told) == 4:
            break
        time.sleep(0.01)
    teller.close()

    assert producer.told[1:] == [("gone", b"1"), ("gone", b"2"), ("gone", b"4")]
    assert untold == []


def test_what_is_too_large_for_its_topic_is_told_line_by_line_and_one_line_alone_is_counted(caplog) -> None:
    caplog.set_level(logging.ERROR)
    producer, clock, untold = Producer(), Clock(), []
    teller = Teller(lambda: producer, lambda _: None, lambda *each: untold.append(each), clock=clock)
    teller.tell("t", [(b"k", b"a" * 60 + b"\n" + b"b" * 60), (b"k", b"c" * 101), (b"k", b"d")])
    for _ in range(500):
        clock.now += 100
        with teller._changed:
            teller._changed.notify_all()
        if {value[:1] for _, value in producer.told} >= {b"a", b"b", b"d"} and untold:
            break
        time.sleep(0.01)
    teller.close()

    assert {value for _, value in producer.told} == {b"a" * 60, b"b" * 60, b"d"}
    assert untold == [("t", 1)]


def test_what_waits_is_bounded_and_the_oldest_goes_first() -> None:
    producer, untold = Producer(), []
    producer.away = {"t"}
    teller = Teller(
        lambda: producer,
        lambda _: None,
        lambda *each: untold.append(each),
        max_waiting_bytes=50,
        clock=Clock(),
    )
    for number in range(20):
        teller.tell("t", [(b"k", b"%010d" % number)])
    teller.wait(2)
    waiting = teller.away()["t"][2]
    teller.close(0.1)

    assert waiting <= 5
    assert sum(count for _, count in untold) == 20 - waiting
