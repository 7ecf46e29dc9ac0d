"""Real workers on a real broker and a real ClickHouse come to what the offline audit says, whatever befalls them."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from typing import Any

import pytest

from replay.results import Rejected
from streams.live.config import LiveSettings
from streams.live.publisher import route
from streams.live.topics import BETS, FINDINGS, REJECTED, SETTLEMENTS
from streams.store import open_store
from tests.streams.live.conftest import records_of
from tests.streams.live.workers import Night, mixed_up, publish, stored, until, wait_for_equality, workers

pytestmark = [pytest.mark.kafka, pytest.mark.clickhouse, pytest.mark.slow, pytest.mark.xdist_group("kafka")]


def results_of(settings: LiveSettings, topic: str) -> list[dict[str, Any]]:
    """What was told on this topic."""
    return [json.loads(line) for record in records_of(settings, (topic,)) for line in record.value.split(b"\n")]


def test_a_night_comes_to_what_the_offline_audit_says(live, tmp_path, secure):
    """Though its events come twice, late and in another order, and one topic much later than the others; over TLS."""
    night = Night.played(1)
    expected = night.expected()
    late_table = night.lines[0][0]
    held = [each for each in night.lines if each[0] == late_table and route(each[1])[0] == BETS]
    rest = [each for each in night.lines if each not in held]
    assert len(held) > 100

    with workers(live, tmp_path, 1, night, **secure) as [worker]:
        until(lambda: worker.caught_up() == 4, 60, "the worker has all partitions")
        publish(live, mixed_up(rest, seed=1), seconds=4)
        given_up = 'retally_findings_total{code="sequence_gap"}'
        until(lambda: given_up in worker.get("/metrics"), 60, "the worker has given up waiting for what is missing")
        publish(live, held)
        wait_for_equality(live.store, expected)

        health = json.loads(worker.get("/healthz"))
        assert health["ok"] and not health["away"]
        assert health["caught_up"] == health["partitions"] == [0, 1, 2, 3]
        figures = worker.get("/metrics")
        assert 'retally_findings_total{code="overpaid"}' in figures
        assert "retally_reread_total 0.0" not in figures
        assert worker.stop() == 0

    said = stored(live.store)
    assert said["Rejected"], "no line was rejected: the test tests less than it says"
    published = results_of(live, REJECTED)
    with open_store(live.store) as store:
        kept = list(store.read(Rejected))
    by_place = {(f"{record.topic}/{record.partition}", record.offset): record.value for record in records_of(live)}
    assert all(row.raw in by_place[row.source, row.place].split(b"\n") for row in kept)
    assert len(published) >= len(kept)
    assert {(row["session"], row["seq"], row["code"]) for row in results_of(live, FINDINGS)} >= {
        (row.session, row.seq, row.code) for row in expected["Finding"]
    }
    assert len(results_of(live, SETTLEMENTS)) >= len(expected["Settlement"])
    logged = [json.loads(line) for line in worker.log.read_text().splitlines()]
    assert {"at", "level", "logger", "message"} <= set(logged[0])
    assert secure["RETALLY_KAFKA_PASSWORD"] not in worker.log.read_text()
    assert not [entry for entry in logged if entry["level"] == "error" and entry["logger"].startswith("streams.")]


def test_the_topics_are_a_log_that_can_be_audited(live, tmp_path):
    night = Night.played(2, tables=3, hours=0.3)
    publish(live, night.lines)

    into = str(tmp_path / "audited")
    command = [sys.executable, "-m", "streams.commands", "audit", f"kafka://{live.kafka}", "--into", into]
    keys = tmp_path / "floor.keys"
    keys.write_text("".join(f"{name} {key}\n" for name, key in night.keys.items()))
    done = subprocess.run([*command, "--keys", str(keys)], capture_output=True, text=True, timeout=120)

    assert done.returncode == 1, done.stderr
    wait_for_equality(into, night.expected(), within_s=0)


def test_workers_that_are_killed_and_started_again_lose_nothing_and_double_nothing(live, tmp_path):
    """Two workers, eight kills at random moments, both at once among them, rebalanced each time, under load."""
    night = Night.played(3, tables=8, hours=0.6)
    expected = night.expected()
    chance = random.Random(3)
    feeding = threading.Thread(target=publish, args=(live, night.lines, 45.0))

    with workers(live, tmp_path, 2, night) as [one, other]:
        feeding.start()
        kills = 0
        for victims in ([one], [other], [one, other], [other], [one], [one, other]):
            time.sleep(chance.uniform(2.0, 7.0))
            for victim in victims:
                victim.kill()
                kills += 1
            time.sleep(chance.uniform(0.0, 1.5))
            for victim in victims:
                victim.start()
        feeding.join()
        wait_for_equality(live.store, expected)

    assert kills == 8


def test_workers_that_come_and_go_in_peace_hand_over_without_a_gap(live, tmp_path):
    night = Night.played(4, tables=8, hours=0.4)
    expected = night.expected()
    feeding = threading.Thread(target=publish, args=(live, night.lines, 25.0))

    with workers(live, tmp_path, 1, night) as [one]:
        feeding.start()
        until(lambda: one.caught_up() == 4, 60, "the only worker has all partitions")
        (tmp_path / "other").mkdir()
        with workers(live, tmp_path / "other", 1, night) as [other]:
            until(lambda: other.caught_up() >= 1, 60, "the new worker has its share")
            assert one.stop() == 0
            until(lambda: other.caught_up() == 4, 60, "the one that is left has all partitions")
            feeding.join()
            wait_for_equality(live.store, expected)

    # What stays over a rebalance is not read again.
    assert _times_caught_up(one) == dict.fromkeys(range(4), 1)
    assert _times_caught_up(other) == dict.fromkeys(range(4), 1)


def test_clickhouse_and_the_broker_may_go_and_come_back(live, tmp_path, broker, clickhouse):
    night = Night.played(5, tables=6, hours=0.4)
    expected = night.expected()
    feeding = threading.Thread(target=publish, args=(live, night.lines, 25.0))

    with workers(live, tmp_path, 1, night) as [worker]:
        feeding.start()
        until(lambda: worker.caught_up() == 4, 60, "the worker has all partitions")
        clickhouse.stop()
        until(lambda: bool(json.loads(worker.get("/healthz"))["away"]), 30, "the worker says that the store is away")
        time.sleep(3)
        clickhouse.start()
        until(lambda: not json.loads(worker.get("/healthz"))["away"], 60, "the worker writes again")
        broker.kill()
        time.sleep(2)
        broker.start()
        feeding.join()
        wait_for_equality(live.store, expected)
        assert worker.process is not None and worker.process.poll() is None


def _times_caught_up(worker) -> dict[int, int]:
    """How often the worker has caught up each partition, as its log says."""
    found = re.findall(r"partition (\d+) caught up", worker.log.read_text())
    return dict(Counter(map(int, found)))
