"""A worker of several processes: together they come to what one would, whichever ends, and one answers for all."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
import threading
import time
from dataclasses import fields
from pathlib import Path

import pytest
from prometheus_client import values
from typer.testing import CliRunner

from streams.commands.app import app
from streams.live import creation, member
from streams.live.config import LiveSettings, load
from streams.live.crew import SILENT_S, Crew, Patience, Process
from streams.live.engine import FloorStats
from streams.live.errors import ConfigError, TopicError
from streams.live.member import Task
from streams.live.metrics import CrewMetrics, Metrics, Told, keep_in
from tests.streams.live.workers import Night, Worker, publish, until, wait_for_equality, workers

real = [pytest.mark.kafka, pytest.mark.clickhouse, pytest.mark.slow, pytest.mark.xdist_group("kafka")]


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    """Nothing is set but what the test sets."""
    for name in [name for name in os.environ if name.startswith("RETALLY_") and name != "RETALLY_KAFKA_HOME"]:
        monkeypatch.delenv(name)


# Settings


def test_a_worker_is_one_process_unless_more_are_asked_for(monkeypatch):
    assert load().processes == 1
    monkeypatch.setenv("RETALLY_PROCESSES", "3")
    assert load().processes == 3
    assert "processes = 3    # RETALLY_PROCESSES" in CliRunner().invoke(app, ["config", "show"]).output


def test_the_embedded_store_is_refused_to_several_processes_in_one_line(tmp_path):
    refused = CliRunner().invoke(app, ["worker", "--store", str(tmp_path / "store"), "--processes", "2"])

    assert refused.exit_code == 2
    assert refused.output.splitlines() == [
        f"retally: processes 2: the store {tmp_path / 'store'} is a folder, which only one can use at a time"
    ]


def test_fewer_than_one_process_is_none():
    with pytest.raises(ConfigError, match="processes: Input should be greater than or equal to 1"):
        load(processes=0)


def test_a_process_is_told_all_settings_passwords_too_and_asks_nobody_else(monkeypatch):
    given = load(
        kafka_security="SASL_SSL", kafka_user="u", kafka_password="queen-of-spades", streak_level="1/7", processes=2
    )

    line = Task(2, 12, Path("/figures"), given).line()
    monkeypatch.setenv("RETALLY_GROUP", "another")
    task = Task.of_line(line)

    assert task.settings.model_dump() == given.model_dump()
    assert (task.process, task.partitions, task.figures) == (2, 12, Path("/figures"))


# Figures


@pytest.fixture
def figures(monkeypatch, tmp_path: Path) -> Path:
    """A folder for them; afterwards figures are kept as ever."""
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    return tmp_path


def stats(**given: int) -> FloorStats:
    """These figures; all others are 0."""
    return FloorStats(**{**{each.name: 0 for each in fields(FloorStats)}, **given})


def of_process(folder: Path, number: int, stands: FloorStats, lag: dict[tuple[str, int], int]) -> Metrics:
    keep_in(folder, number)
    metrics = Metrics(now_us=lambda: 100_000_000)
    metrics.stands(stands, lag)
    return metrics


def read(told: Told) -> dict[str, float]:
    lines = [line.rsplit(" ", 1) for line in told.text().decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def test_figures_of_all_processes_are_added_and_of_what_is_worst_the_worst_is_told(figures):
    one = stats(partitions=3, sessions=5, lines=100, rows_waiting=7, oldest_round_opened_us=90_000_000)
    other = stats(partitions=1, sessions=2, lines=11, rows_waiting=0, oldest_round_opened_us=40_000_000)
    first = of_process(figures, 1, one, {("cards", 0): 4, ("cards", 1): 5})
    second = of_process(figures, 2, other, {("cards", 2): 8})
    for seconds in (0.02, 0.3):
        first.flush_seconds.observe(seconds)
    second.flush_seconds.observe(0.3)
    second.store_errors.labels("store").inc()

    found = read(CrewMetrics(figures))

    assert found["retally_partitions"] == 4
    assert found["retally_sessions"] == 7
    assert found["retally_lines_total"] == 111
    assert found["retally_rows_waiting"] == 7
    assert found["retally_oldest_open_round_seconds"] == 60
    assert found['retally_lag_records{topic="cards"}'] == 17
    assert found['retally_lag_records_worst{topic="cards"}'] == 8
    assert found['retally_flush_seconds_bucket{le="0.25"}'] == 1
    assert found['retally_flush_seconds_bucket{le="0.5"}'] == found["retally_flush_seconds_count"] == 3
    assert found["retally_flush_seconds_sum"] == pytest.approx(0.62)
    assert found['retally_store_errors_total{at="store"}'] == 1
    assert found["retally_process_restarts_total"] == 0


def test_a_crew_has_the_figures_that_a_worker_of_one_process_has(figures):
    alone, crew = Metrics(), CrewMetrics(figures)
    kept = of_process(figures, 1, stats(), {("cards", 0): 1})
    for each in (alone, kept):
        each.stands(stats(), {("cards", 0): 1})
        each.flush_seconds.observe(0.1)

    assert read(alone).keys() == read(crew).keys() - {"retally_process_restarts_total"}


def test_of_a_process_that_has_ended_only_what_it_counted_stays_and_the_next_one_counts_on(figures):
    crew = CrewMetrics(figures)
    of_process(figures, 1, stats(partitions=2, lines=10), {("cards", 0): 3})
    of_process(figures, 2, stats(partitions=2, lines=20), {("cards", 1): 90})

    crew.ended(2)
    found = read(crew)

    assert (found["retally_partitions"], found["retally_lines_total"]) == (2, 30)
    assert found['retally_lag_records{topic="cards"}'] == found['retally_lag_records_worst{topic="cards"}'] == 3
    of_process(figures, 2, stats(partitions=1, lines=5), {})
    again = read(crew)
    assert (again["retally_partitions"], again["retally_lines_total"]) == (3, 35)
    assert again['retally_lag_records{topic="cards"}'] == 3


def test_nothing_is_left_of_a_topic_of_which_no_partition_is_ours_any_more():
    metrics = Metrics()

    metrics.stands(stats(), {("cards", 0): 3})
    metrics.stands(stats(), {})

    assert 'retally_lag_records{topic="cards"} 0.0' in metrics.text().decode()


# Processes that end


def crew_of(script: str, folder: Path, **given) -> Crew:
    """Two processes that do what ``script`` says instead of a worker's work; its ``argv[1]`` is the number."""
    settings = load(processes=2, http_port=0)
    patience = Patience(pauses_s=(0.01, 0.02), often=3)
    return Crew(settings, 12, folder, command=[sys.executable, "-c", script], patience=patience)


WELL = """import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
print('{"ok": true}', flush=True)"""


def test_a_process_that_ends_again_and_again_ends_the_crew_and_the_others_end_in_peace(tmp_path, caplog):
    script = f"{WELL}\nif sys.argv[1] == '2': sys.exit(3)\ntime.sleep(60)"

    async def work() -> tuple[int, Crew]:
        crew = crew_of(script, tmp_path)
        return await crew.work(), crew

    status, crew = asyncio.run(work())

    assert status == 1
    assert read(crew.metrics)["retally_process_restarts_total"] == 2
    said = [record.getMessage() for record in caplog.records]
    assert said[-1] == "process 2 has ended 3 times in a row: all stop"
    assert said[0] == "process 2 ended with status 3, and is started again in 0.0 s"


def test_a_process_that_hangs_is_killed_and_started_again(tmp_path, caplog):
    beats = "\nwhile sys.argv[1] == '1': print('{\"ok\": true}', flush=True); time.sleep(0.1)\ntime.sleep(60)"

    async def work() -> int:
        crew = crew_of(f"{WELL}{beats}", tmp_path)
        crew._patience = Patience(pauses_s=(0.01,), often=100, hung_s=1.0)
        working = asyncio.create_task(crew.work())
        while read(crew.metrics)["retally_process_restarts_total"] < 1:
            await asyncio.sleep(0.05)
        crew.stop()
        return await working

    assert asyncio.run(asyncio.wait_for(work(), 60)) == 0
    said = [record.getMessage() for record in caplog.records]
    assert said[0].startswith("process 2 has not been heard of for ")
    assert said[1] == "process 2 was ended by SIGKILL, and is started again in 0.0 s"


def test_a_crew_that_is_told_to_stop_ends_well_when_each_process_does(tmp_path):
    async def work() -> tuple[int, bool, int]:
        crew = crew_of(f"{WELL}\ntime.sleep(60)", tmp_path)
        working = asyncio.create_task(crew.work())
        while not crew.health()["ready"]:
            await asyncio.sleep(0.02)
        [one, other] = crew.health()["processes"]
        os.kill(other["pid"], signal.SIGKILL)
        while crew.health()["ready"]:
            await asyncio.sleep(0.001)
        [one, other] = crew.health()["processes"]
        while not crew.health()["ready"]:
            await asyncio.sleep(0.02)
        crew.stop()
        return await working, one["ok"], other["ok"]

    assert asyncio.run(work()) == (0, True, False)


def test_a_port_that_is_taken_is_said_in_one_line_before_any_process_begins(tmp_path):
    async def work(port: int) -> None:
        await Crew(load(processes=2, http_port=port), 12, tmp_path).work()

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError) as refused:
            asyncio.run(work(port))

    assert str(refused.value).startswith(f"http_port: nothing can listen on 127.0.0.1 port {port}: ")
    assert "\n" not in str(refused.value)


def test_a_process_that_is_started_while_kafka_is_away_waits_for_it(monkeypatch):
    pauses: list[float] = []

    def ensure(_: LiveSettings) -> int:
        if len(pauses) < 2:
            raise TopicError("away", away=True)
        return 4

    monkeypatch.setattr(creation, "ensure", ensure)
    monkeypatch.setattr(time, "sleep", pauses.append)

    assert member.wait_for_kafka(load()) == 4

    assert pauses == list(creation.WAIT_S[:2])


def test_a_process_is_well_while_it_is_heard_of():
    process = Process(1)
    assert process.stands(0.0)["state"] == "ended"

    process.running = type("Running", (), {"pid": 7})()
    assert process.stands(1.0)["state"] == "starting"
    process.said, process.heard = {"ok": True, "partitions": [4], "caught_up": [], "away": ""}, 2.0
    assert process.stands(3.0) == {
        "process": 1,
        "pid": 7,
        "state": "working",
        **process.said,
        "degraded": [],
        "ready": True,
    }
    assert process.stands(2.0 + SILENT_S)["ok"] is False


# Real processes, on a real broker and a real ClickHouse


def runs(pid: int) -> bool:
    """Whether the process is there, and no mere entry of one that has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def figure(worker: Worker, name: str) -> float:
    found = re.search(rf"^{name} (\S+)$", worker.get("/metrics"), re.MULTILINE)
    return float(found[1]) if found else 0.0


def shares(worker: Worker) -> list[int]:
    """How many partitions each process has, and has caught up. Each says so once a second."""
    try:
        health = json.loads(worker.get("/healthz"))
    except OSError:
        return []
    return [len(each["caught_up"]) for each in health.get("processes", ())]


class TestACrewOfTwo:
    pytestmark = real

    def test_comes_to_what_the_offline_audit_says_though_one_process_is_killed(self, live: LiveSettings, tmp_path):
        night = Night.played(6, tables=6, hours=0.3)
        expected = night.expected()
        feeding = threading.Thread(target=publish, args=(live, night.lines, 6.0))

        with workers(live, tmp_path, 1, night, RETALLY_PROCESSES="2") as [worker]:
            until(lambda: shares(worker) == [2, 2], 90, "each process has its share")
            health = json.loads(worker.get("/healthz"))
            until(lambda: figure(worker, "retally_partitions") == 4, 10, "all partitions are somebody's")
            feeding.start()
            until(lambda: figure(worker, "retally_lines_total") > len(night.lines) / 3, 60, "a third has been read")
            before = figure(worker, "retally_lines_total")
            os.kill(health["processes"][1]["pid"], signal.SIGKILL)
            until(lambda: figure(worker, "retally_process_restarts_total") == 1, 10, "it is started again")
            assert figure(worker, "retally_lines_total") >= before
            feeding.join()
            wait_for_equality(live.store, expected)
            until(lambda: worker.caught_up() == 4, 60, "both are well")
            until(lambda: figure(worker, "retally_partitions") == 4, 10, "all partitions are somebody's")
            pids = worker.pids()

            assert worker.stop() == 0
            assert (len(pids), [pid for pid in pids if runs(pid)]) == (3, [])

        logged = [json.loads(line) for line in worker.log.read_text().splitlines()]
        assert {entry.get("process") for entry in logged} == {None, 1, 2}
        complaints = [entry for entry in logged if entry["level"] == "error" and entry["logger"].startswith("streams.")]
        assert [entry["message"] for entry in complaints] == [
            "process 2 was ended by SIGKILL, and is started again in 0.5 s"
        ]

    def test_leaves_no_process_when_the_one_that_started_them_is_killed(self, live: LiveSettings, tmp_path):
        night = Night.played(7, tables=2, hours=0.1)
        temporary = tmp_path / "temporary"
        temporary.mkdir()

        options = {"RETALLY_PROCESSES": "2", "RETALLY_STREAKS": "false", "TMPDIR": str(temporary)}
        with workers(live, tmp_path, 1, night, **options) as [worker]:
            until(lambda: worker.caught_up() == 4, 60, "all partitions are the two processes'")
            [_, *started] = worker.pids()
            worker.kill()
            began = time.monotonic()
            until(lambda: not any(map(runs, started)), 30, "they have stopped")

        assert len(started) == 2
        assert time.monotonic() - began < 15
        assert list(temporary.glob("retally-crew-*")) == []
