"""What happens to a worker's partitions when the group deals them out anew; topics and registry are lists."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Coroutine
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from replay.results import RawEvent, Settlement
from streams.live import driver as driver_module
from streams.live.brokers import Stand, Survey
from streams.live.config import load
from streams.live.driver import Driver
from streams.live.engine import LiveFloor, Settings
from streams.live.errors import BrokerError
from streams.live.metrics import Metrics
from streams.live.registry import PartitionRegistry
from streams.live.runs import Run
from streams.live.topics import DICE, IN, TABLES
from tests.installed import JUDGING
from tests.streams.live.test_engine import TABLE, topic_for


@dataclass
class Record:
    """As the stream has it."""

    offset: int
    value: bytes
    key: bytes = b"BO01"


class Rig:
    """A driver that takes a boule table's night from partition 0, before anything is written."""

    def __init__(self) -> None:
        self.logs: dict[tuple[str, int], list[bytes]] = defaultdict(list)
        """By topic and partition."""
        self.times_read: Counter[int] = Counter()
        """How often each partition was caught up."""
        self.now = 1_000.0
        self.claims: Counter[int] = Counter()
        self.log = "one"
        self.driver = Driver(
            load(kafka="127.0.0.1:1"),
            LiveFloor(Settings(judging=JUDGING), clock=lambda: self.now),
            open_store=lambda: pytest.fail("nothing is to be written"),
            outlet=SimpleNamespace(close=lambda: None),  # type: ignore[arg-type]
            brokers=self,  # type: ignore[arg-type]
            metrics=Metrics(),
            partitions=3,
            clock=lambda: self.now,
        )

    def claim(self, number: int, base: int) -> tuple[PartitionRegistry, int]:
        self.claims[number] += 1
        return PartitionRegistry(number, epoch=1), base + self.claims[number] + 1

    def stand(self, number: int) -> Stand:
        return Stand(dict.fromkeys(IN, 0), {topic: len(self.logs[topic, number]) for topic in IN}, self.log)

    def read(self, number: int, ranges: dict[str, tuple[int, int]]) -> Any:
        self.times_read[number] += 1
        found = [
            SimpleNamespace(topic=topic, offset=offset, value=self.logs[topic, number][offset], key=b"BO01")
            for topic, (first, end) in ranges.items()
            for offset in range(first, end)
        ]
        chunks = [found] if found else []
        return SimpleNamespace(chunk=lambda: chunks.pop() if chunks else [], close=lambda: None)

    async def get(self, lines: list[bytes], *, number: int = 0) -> None:
        """These lines come by the stream, each as a record."""
        for line in lines:
            topic = topic_for(line)
            log = self.logs[topic, number]
            log.append(line)
            await self.driver.take({(topic, number): Run(len(log) - 1, [Record(len(log) - 1, line)], len(log))})

    async def caught_up(self) -> None:
        """Return when all partitions of ours can be taken."""
        while not all(self.driver.ready(number) for number in self.driver.partitions()):
            await asyncio.sleep(0.001)

    def said(self) -> list[Any]:
        """What would be written now."""
        batch = self.driver.floor.batch(held=self.driver._held, whole=True)
        if batch is None:
            return []
        self.driver.floor.written(batch)
        return batch.rows


@pytest.fixture
def rig() -> Rig:
    return Rig()


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


def test_a_partition_that_stays_goes_on_where_it_stopped(rig: Rig) -> None:
    async def work() -> None:
        await rig.driver.assigned({0}, 1)
        await rig.caught_up()
        await rig.get(TABLE[:60])
        await rig.driver.hold({0})
        await rig.driver.assigned({0}, 2)
        await rig.get(TABLE[60:])

        raw = [row.raw for row in rig.said() if isinstance(row, RawEvent)]

        assert raw == TABLE
        assert rig.times_read == {0: 1}

    run(work())


def test_records_that_come_again_after_a_rebalance_are_known(rig: Rig) -> None:
    async def work() -> None:
        await rig.driver.assigned({0}, 1)
        await rig.caught_up()
        await rig.get(TABLE)
        await rig.driver.hold({0})
        await rig.driver.assigned({0}, 2)
        for topic in IN:
            again = [Record(offset, line) for offset, line in enumerate(rig.logs[topic, 0])]
            await rig.driver.take({(topic, 0): Run(0, again, len(again))})

        raw = [row.raw for row in rig.said() if isinstance(row, RawEvent)]

        assert raw == TABLE

    run(work())


def test_while_it_is_open_whose_a_partition_is_nothing_is_taken_nor_said(rig: Rig) -> None:
    async def work() -> None:
        await rig.driver.assigned({0}, 1)
        await rig.caught_up()
        await rig.get(TABLE[:60])
        await rig.driver.hold({0})
        await rig.get(TABLE[60:])

        assert not rig.driver.ready(0)
        assert rig.said() == []

        await rig.driver.assigned({0}, 2)

        assert rig.driver.ready(0)
        raw = [row.raw for row in rig.said() if isinstance(row, RawEvent)]
        assert raw == TABLE[:60]

    run(work())


@pytest.mark.parametrize("generation", [3, 2**31 - 1, 1, -1])
def test_a_partition_that_another_may_have_had_in_between_is_read_again(rig: Rig, generation: int) -> None:
    async def work() -> None:
        await rig.driver.assigned({0}, 1)
        await rig.caught_up()
        await rig.get(TABLE)
        await rig.driver.hold({0})
        await rig.driver.assigned({0}, generation)
        await rig.caught_up()

        assert rig.times_read == {0: 2}

    run(work())


def test_of_several_partitions_one_stays_one_goes_and_one_is_new(rig: Rig) -> None:
    async def work() -> None:
        await rig.driver.assigned({0, 1}, 4)
        await rig.caught_up()
        await rig.get(TABLE)
        await rig.driver.hold({0, 1})
        await rig.driver.assigned({0, 2}, 5)
        await rig.caught_up()

        assert rig.driver.partitions() == rig.driver.floor.assigned() == {0, 2}
        assert rig.times_read == {0: 1, 1: 1, 2: 1}
        assert any(isinstance(row, Settlement) for row in rig.said())

    run(work())


def test_a_partition_that_is_being_caught_up_when_the_group_is_dealt_out_anew_is_read_once(rig: Rig) -> None:
    async def work() -> None:
        for line in TABLE:
            rig.logs[topic_for(line), 0].append(line)
        await rig.driver.assigned({0}, 1)
        await rig.driver.hold({0})
        await rig.driver.assigned({0}, 2)
        await rig.caught_up()

        raw = [row.raw for row in rig.said() if isinstance(row, RawEvent)]

        assert sorted(raw) == sorted(TABLE)
        assert rig.times_read == {0: 1}

    run(work())


def test_who_slept_for_longer_than_the_group_waits_lets_go_of_all_before_anything_else(rig: Rig) -> None:
    """And claims anew what it still has, under a higher epoch."""

    async def work() -> None:
        await rig.driver.assigned({0}, 1)
        await rig.caught_up()
        await rig.get(TABLE[:60])
        before = rig.driver.floor.epoch(0)
        rig.now += 75.0
        await rig.get(TABLE[60:])

        assert not rig.driver.ready(0)
        assert rig.driver.floor.assigned() == frozenset()
        assert rig.said() == []

        await asyncio.sleep(0)
        for task in rig.driver._tasks[0]:
            task.cancel()
        rig.driver._start(0, rig.driver._catch_up(0))
        await rig.caught_up()

        assert rig.driver.floor.epoch(0) > before
        assert sorted(row.raw for row in rig.said() if isinstance(row, RawEvent)) == sorted(TABLE)

    run(work())


def test_offsets_that_are_no_records_are_no_gap(rig: Rig) -> None:
    """The markers of transactions."""

    async def work() -> None:
        await rig.driver.assigned({0}, 1)
        await rig.caught_up()
        for index, line in enumerate(TABLE):
            topic = topic_for(line)
            first = rig.driver.floor.safe(0)[topic]
            await rig.driver.take({(topic, 0): Run(first, [Record(first + index % 3, line)], first + index % 3 + 2)})

        assert rig.driver.floor.wanted() == []
        assert [row.raw for row in rig.said() if isinstance(row, RawEvent)] == TABLE

    run(work())


@pytest.mark.parametrize("begins", [0, 3])
def test_of_offsets_without_records_those_that_the_topics_let_go_of_are_told(rig: Rig, begins: int) -> None:
    async def work() -> None:
        await rig.driver.assigned({0}, 1)
        await rig.caught_up()
        await rig.driver.take({(TABLES, 0): Run(0, [Record(3, TABLE[0])], 4)})
        survey = Survey(rig.now, {(TABLES, 0): begins}, {}, dict.fromkeys(IN, "id"), dict.fromkeys(IN, 3))
        rig.driver._log = None
        rig.driver._surveyed(survey, rig.driver._unread.asks({}))

        assert rig.driver.floor.stats().expired == begins

    run(work())


def test_what_the_topics_let_go_of_is_told_though_the_brokers_did_not_answer_at_first(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fetch went on where the topic begins, and the next survey fails: the one after it must tell all the same."""
    monkeypatch.setattr(driver_module, "SURVEY_S", 0.0)
    answer = Survey(0.0, {(TABLES, 0): 3}, {}, dict.fromkeys(IN, "id"), dict.fromkeys(IN, 3))
    away = [BrokerError("away")]

    def survey(*_: object) -> Survey:
        if away:
            raise away.pop()
        return answer

    async def work() -> None:
        rig.survey = survey  # type: ignore[attr-defined]
        await rig.driver.assigned({0}, 1)
        await rig.caught_up()
        await rig.driver.take({(TABLES, 0): Run(0, [Record(3, TABLE[0])], 4)})
        rig.driver._log = None
        asking = asyncio.get_running_loop().create_task(rig.driver._survey_again_and_again())
        while not rig.driver.floor.stats().expired:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.02)
        asking.cancel()

        assert rig.driver.floor.stats().expired == 3

    run(work())


def test_a_topic_that_was_cut_short_keeps_nothing_from_being_told_of_the_others(rig: Rig) -> None:
    async def work() -> None:
        await rig.driver.assigned({0, 1}, 1)
        await rig.caught_up()
        await rig.get(TABLE[:20])
        await rig.driver.take({(TABLES, 1): Run(0, [Record(3, b"1")], 4)})
        rig.driver._log = None
        first = {(DICE, 0): 50, (TABLES, 1): 3}
        short = Survey(rig.now, first, {(TABLES, 0): 1}, dict.fromkeys(IN, "id"), dict.fromkeys(IN, 3))
        for _ in range(2):
            rig.driver._surveyed(short, rig.driver._unread.asks(rig.driver._taken()))

        assert not rig.driver.ready(0)
        assert rig.driver.ready(1)
        assert rig.driver.floor.stats().expired == 3

    run(work())


def test_a_later_claim_takes_the_partition_away(rig: Rig) -> None:
    async def work() -> None:
        await rig.driver.assigned({0}, 1)
        await rig.caught_up()
        await rig.get(TABLE)
        counts = dict.fromkeys(IN, 3)
        ids = dict.fromkeys(IN, "id")
        rig.driver._log = None
        rig.driver._surveyed(Survey(rig.now, {}, {}, ids, counts, {0: rig.driver.floor.epoch(0)}))
        assert rig.driver.ready(0)
        rig.driver._surveyed(Survey(rig.now, {}, {}, ids, counts, {0: rig.driver.floor.epoch(0) + 1}))

        assert not rig.driver.ready(0)
        assert rig.said() == []

    run(work())


@pytest.mark.parametrize("counts", [{}, {IN[0]: 3}, dict.fromkeys(IN, 4)])
def test_topics_that_are_not_as_they_were_are_told(rig: Rig, counts: dict[str, int]) -> None:
    ids = dict.fromkeys(counts, "id")

    rig.driver._surveyed(Survey(rig.now, {}, {}, ids, counts))

    if len(counts) < len(IN):
        assert rig.driver.health.tell()["degraded"][0]["what"] == "topics"
        assert rig.driver.fatal is None
    else:
        assert "have other numbers now" in str(rig.driver.fatal)
