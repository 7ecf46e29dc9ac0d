"""Real workers, a real broker, a real ClickHouse, and what befell them once: all comes to what the offline audit says,
or it is said loudly why not."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
import urllib.error
import urllib.request
from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, TopicPartition

from streams.live import creation
from streams.live.config import LiveSettings
from streams.live.publisher import producer, route
from streams.live.topics import FINDINGS, IN, REJECTED, TABLES
from tests.streams.live.conftest import delete_topics, records_of
from tests.streams.live.workers import (
    Night,
    Worker,
    differences,
    publish,
    stored,
    until,
    wait_for_equality,
    workers,
)

pytestmark = [pytest.mark.kafka, pytest.mark.clickhouse, pytest.mark.slow, pytest.mark.xdist_group("kafka")]

SHORT: dict[str, Any] = {"tables": 3, "hours": 0.15}


def health(worker: Worker, path: str = "/healthz") -> tuple[int, dict[str, Any]]:
    """The status, and what it says; each within a second."""
    began = time.monotonic()
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{worker.port}{path}", timeout=10) as answer:
            found = answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        found = refused.code, json.load(refused)
    assert time.monotonic() - began < 1.0, "it did not answer within a second"
    return found


def figure(worker: Worker, name: str) -> float:
    lines = worker.get("/metrics").splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name) and line[len(name)] in " {")


def logged(worker: Worker) -> list[dict[str, Any]]:
    """Every line of its log, each of which is JSON."""
    return [json.loads(line) for line in worker.log.read_text().splitlines()]


def all_caught_up(*made: Worker) -> None:
    until(lambda: sum(each.caught_up() for each in made) == 4, 90, "all partitions are caught up")


def test_a_worker_that_was_stopped_while_another_took_its_tables_overwrites_nothing(live: LiveSettings, tmp_path):
    night = Night.played(21, **SHORT)
    expected = night.expected()
    feeding = threading.Thread(target=publish, args=(live, night.lines, 25.0))

    with workers(live, tmp_path, 2, night) as [one, other]:
        all_caught_up(one, other)
        feeding.start()
        time.sleep(4)
        assert one.process is not None
        os.kill(one.process.pid, signal.SIGSTOP)
        until(lambda: other.caught_up() == 4, 60, "the other has all partitions")
        time.sleep(2)
        os.kill(one.process.pid, signal.SIGCONT)
        feeding.join()
        wait_for_equality(live.store, expected)
        time.sleep(3)  # and nothing is said after that

        assert differences(stored(live.store), expected) == []
        assert figure(one, "retally_stalls_total") == 1


def test_a_hole_is_given_up_after_a_restart_though_nothing_more_comes(live: LiveSettings, tmp_path):
    """And though the last that a topic has is a transaction's marker."""
    night = Night.played(22, **SHORT, faults=0.0)
    missing = next(index for index, (_, line) in enumerate(night.lines) if index > 40 and b'"bet_placed"' in line)
    rest = Night([each for index, each in enumerate(night.lines) if index != missing], night.keys)
    sending = producer(live, transactional_id="gateway")
    sending.init_transactions()
    for start in range(0, len(rest.lines), 40):
        sending.begin_transaction()
        for table, line in rest.lines[start : start + 40]:
            sending.send(route(line)[0], key=table.encode(), value=line)
            if start % 80:
                sending.send(route(line)[0], key=table.encode(), value=line.replace(b'"device":"', b'"device":"z'))
        if start % 80:
            sending.abort_transaction()
            sending.begin_transaction()
            for table, line in rest.lines[start : start + 40]:
                sending.send(route(line)[0], key=table.encode(), value=line)
        sending.commit_transaction()
    sending.close()

    with workers(live, tmp_path, 1, rest, RETALLY_HOLE_PATIENCE_S="60") as [worker]:
        all_caught_up(worker)
        worker.stop()
        worker.options["RETALLY_HOLE_PATIENCE_S"] = "1"
        worker.start()
        wait_for_equality(live.store, rest.expected())


def test_what_one_line_or_one_topic_is_stops_nothing(live: LiveSettings, tmp_path):
    """A line of 900 kB, and a topic of results that is not there; the worker is started again in between."""
    night = Night.played(23, **SHORT)
    long = b'{"session":"' + b"x" * 900_000 + b'"}'
    lines = [*night.lines[:200], (night.lines[0][0], long), *night.lines[200:]]
    with_it = Night(lines, night.keys)

    with workers(live, tmp_path, 1, with_it) as [worker]:
        all_caught_up(worker)
        admin = KafkaAdminClient(**live.kafka_client())
        admin.delete_topics([FINDINGS])
        admin.close()
        with producer(live, max_request_size=2_000_000) as sending:
            sending.send(TABLES, key=night.lines[0][0].encode(), value=long)
            sending.flush()
        publish(live, night.lines)
        wait_for_equality(live.store, with_it.expected())
        until(lambda: any(each["what"] == FINDINGS for each in health(worker)[1]["degraded"]), 30, "it says so")
        assert figure(worker, "retally_degraded") >= 1
        told = [json.loads(line) for each in records_of(live, (REJECTED,)) for line in each.value.split(b"\n")]

        assert [row["size"] for row in told if row["size"] > 100_000] == [len(long)]
        assert max(len(each.value) for each in records_of(live, (REJECTED,))) < 100_000
        creation.ensure(live)
        until(lambda: health(worker)[1]["degraded"] == [], 90, "it is told again")
        assert records_of(live, (FINDINGS,))
        assert worker.stop() == 0
    logged(worker)


def test_a_store_that_hangs_is_told_and_kills_nobody(live: LiveSettings, tmp_path, clickhouse):
    night = Night.played(24, **SHORT)

    with workers(live, tmp_path, 1, night) as [worker]:
        all_caught_up(worker)
        os.kill(clickhouse.pid, signal.SIGSTOP)
        try:
            publish(live, night.lines)
            until(lambda: any(each["what"] == "store" for each in health(worker)[1]["degraded"]), 40, "it says so")
            status, said = health(worker)
            assert (status, said["alive"], said["ready"]) == (200, True, True)
            assert said["rows_waiting"] > 0
            assert health(worker, "/readyz")[0] == 200
        finally:
            os.kill(clickhouse.pid, signal.SIGCONT)
        wait_for_equality(live.store, night.expected())
        until(lambda: health(worker)[1]["degraded"] == [], 30, "all is well again")


def test_a_worker_that_begins_before_its_broker_and_store_waits_for_them(
    live: LiveSettings, tmp_path, broker, clickhouse
):
    night = Night.played(25, tables=1, hours=0.1)
    broker.stop()
    clickhouse.stop()
    try:
        with workers(live, tmp_path, 1, night) as [worker]:
            until(lambda: "waiting for Kafka at" in worker.last_words(), 60, "it says whom it waits for")
            status, said = health(worker)
            assert (status, said["ready"], said["degraded"][0]["what"]) == (200, False, "kafka")
            assert health(worker, "/readyz")[0] == 503
            broker.start()
            until(lambda: "waiting for the store at" in worker.last_words(), 60, "it says whom it waits for")
            clickhouse.start()
            all_caught_up(worker)
            publish(live, night.lines)
            wait_for_equality(live.store, night.expected())
            assert worker.stop() == 0
        assert [
            each for each in logged(worker) if each["level"] == "error" and each["logger"].startswith("streams")
        ] == []
    finally:
        for server in (broker, clickhouse):
            if not server.answers():
                server.start()


def test_topics_that_are_made_anew_or_grow_end_the_worker_and_the_next_one_reads_them(live: LiveSettings, tmp_path):
    before = Night.played(26, tables=2, hours=0.1)

    with workers(live, tmp_path, 1, before) as [worker]:
        all_caught_up(worker)
        publish(live, before.lines)
        until(lambda: figure(worker, "retally_settlements_total") > 0, 60, "it judges")
        time.sleep(3)
        said = stored(live.store)
        delete_topics(live)
        creation.ensure(live)
        assert worker.process is not None
        assert worker.process.wait(60) == 1
        assert "made anew" in logged(worker)[-1]["message"]
        worker.start()
        all_caught_up(worker)
        admin = KafkaAdminClient(**live.kafka_client())
        admin.create_partitions(dict.fromkeys(IN, 5))
        admin.close()
        assert worker.process.wait(60) == 1
        assert "other numbers" in logged(worker)[-1]["message"]
        worker.start()
        until(lambda: worker.caught_up() == 5, 90, "it has the new partition too")

        assert said["Settlement"] and said["Settlement"] <= stored(live.store)["Settlement"]


def test_tables_without_keys_are_told_and_not_judged_by_halves(live: LiveSettings, tmp_path):
    night = Night.played(29, tables=1, hours=0.1, faults=0.0)
    sending = producer(live)

    with workers(live, tmp_path, 1, night) as [worker]:
        all_caught_up(worker)
        for number, (_, line) in enumerate(night.lines):
            sending.send(route(line)[0], value=line, partition=number % 4)
        sending.flush()
        sending.close()
        until(lambda: figure(worker, "retally_torn_total") > 0, 30, "it says so")
        time.sleep(4)

        assert stored(live.store)["Finding"] == set()
        assert figure(worker, "retally_miskeyed_total") > 0
    said = " ".join(each["message"] for each in logged(worker))
    assert "have no key" in said and f"of table {night.lines[0][0]} comes by partitions" in said


def test_records_that_expired_are_lost_and_what_was_proven_stands(live: LiveSettings, tmp_path):
    night = Night.played(30, tables=2, hours=0.1)
    part = len(night.lines) * 2 // 3

    with workers(live, tmp_path, 1, night) as [worker]:
        all_caught_up(worker)
        publish(live, night.lines[:part])
        until(lambda: figure(worker, "retally_events_total") > part * 0.9, 60, "it has read them")
        time.sleep(3)
        said = stored(live.store)
        worker.kill()
        admin = KafkaAdminClient(**live.kafka_client())
        ends = {TopicPartition(each.topic, each.partition): each.offset for each in records_of(live)}
        admin.delete_records({place: max(1, last // 2) for place, last in ends.items()})
        admin.close()
        worker.start()
        all_caught_up(worker)
        publish(live, night.lines[part:])
        until(lambda: figure(worker, "retally_lost_total") > 0, 60, "it says so")
        time.sleep(3)

        proven = {row for row in said["Settlement"] if row.verdict.value not in ("open", "unsettled")}
        assert proven and proven <= stored(live.store)["Settlement"]


def test_a_group_whose_members_share_otherwise_ends_the_worker_with_a_line(live: LiveSettings, tmp_path):
    """As where a program of somebody else's has taken the group's name."""
    night = Night.played(32, tables=1, hours=0.1)
    other = KafkaConsumer(*IN, **live.kafka_client(), group_id=live.group)
    ending = threading.Event()

    def poll() -> None:
        while not ending.is_set():
            other.poll(timeout_ms=200)

    polling = threading.Thread(target=poll)
    polling.start()
    try:
        until(lambda: bool(other.assignment()), 60, "the other is a member")
        with workers(live, tmp_path, 1, night) as [worker]:
            assert worker.process is not None
            assert worker.process.wait(90) == 1
        assert "InconsistentGroupProtocol" in logged(worker)[-1]["message"]
    finally:
        ending.set()
        polling.join()
        other.close()
