"""Streaks on the command line: a cheat is planted, alarms in the audit, and stands in store, replay and bundle."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dashboards.nightly import gather, required
from replay.audit import Auditor
from replay.refold import Refold
from replay.results import Streak
from replay.revisions import identity
from replay.streaks.watch import WatchSettings
from replay.told import content_of
from streams.commands.app import app
from streams.simulator.floor import Floor
from streams.store import open_store
from tests.installed import PACKS, judged

SESSION = "PB01-2026-11-29"


def invoke(*words: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A night of a shoe that is not shuffled and of fair boule: ``log.jsonl``, ``truth.jsonl``, ``keys``, ``store``."""
    made: Path = tmp_path_factory.mktemp("streaks")
    asked = ["--game", "punto_banco", "--game", "boule", "--tables", "2", "--hours", "2.5", "--seed", "4"]
    planted = ["--cheat", "unshuffled-shoe:from=20m", "--truth", made / "truth.jsonl", "--keys", made / "keys"]
    assert invoke("simulate", *asked, *planted, "--to", made / "log.jsonl")[0] == 0
    assert invoke("audit", made / "log.jsonl", "--keys", made / "keys", "--into", made / "store")[0] == 1
    return made


@pytest.fixture(scope="module")
def night(folder: Path) -> dict[str, Any]:
    status, out, _ = invoke("streaks", folder / "store", "--json", "--regulator", "US-KS")
    assert status == 1
    told: dict[str, Any] = json.loads(out)
    return told


def test_what_a_regulator_wants_is_what_the_nightly_report_says_and_waits_for_the_count(folder, night):
    """Before the count room has counted a drop nobody knows what a table has won."""
    day = date.fromisoformat(SESSION[-10:])
    with open_store(str(folder / "store"), create=False) as store:
        reported = gather(store.query, day, PACKS, ["US-KS"])["investigations"][0]["found"]

        def uncounted(sql: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
            return [] if "cage_current" in sql else store.query(sql, given)

        asked = required(uncounted, day, PACKS, ["US-KS"])

    assert [found["text"] for found in night["investigations"]] == [found["text"] for found in reported]
    assert asked == []


def test_the_truth_tells_of_the_cheat(folder):
    [line] = (folder / "truth.jsonl").read_text().splitlines()

    assert json.loads(line)["fault"] == "cheat unshuffled-shoe:from=20m"
    assert json.loads(line)["session"] == SESSION


def test_the_night_has_its_alarm_and_no_other_table_has_any(night):
    assert "repeated_order" in {alarm["code"] for alarm in night["alarms"]}
    assert {alarm["session"] for alarm in night["alarms"]} == {SESSION}


def test_an_alarm_says_the_bound_that_it_carries_and_what_to_look_at(night):
    [text] = [alarm["text"] for alarm in night["alarms"] if alarm["code"] == "repeated_order"]

    assert "at most 1 night of 100" in text
    assert "On the video:" in text


def test_what_alarms_stands_out_over_the_floor_too(night):
    assert night["raised"][0]["code"] == "repeated_order"
    assert night["raised"][0]["level"] == "1/100"


def test_what_really_holds_is_said_and_less_where_more_tables_were_open_than_were_expected(folder, night):
    """Two tables, expected to be one: twice the night's half of the level and the days' half, 3/200."""
    assert night["bounds"] == [{"casino": "valira", "tables": 2, "of": 100, "nights": 100}]

    _, few, _ = invoke("streaks", folder / "store", "--json", "--tables", 1)
    _, out, _ = invoke("streaks", folder / "store", "--tables", 1)
    _, _, error = invoke("audit", folder / "log.jsonl", "--tables", 1, "--json")

    assert json.loads(few)["bounds"] == [{"casino": "valira", "tables": 2, "of": 1, "nights": 66}]
    assert "2 tables, but --tables 1" in out
    assert error == (
        "retally: 2026-11-29, valira: 2 tables, but --tables 1: were all well, anything would be raised in 1"
        " night of 66 at most\n"
    )


def test_those_nearest_to_an_alarm_come_first(night):
    margins = [reading["e_milli"] - reading["alarm_milli"] for reading in night["readings"]]

    assert margins == sorted(margins, reverse=True)
    assert len(margins) == night["processes"]


def test_people_read_the_same(folder):
    status, out, _ = invoke("streaks", folder / "store")

    assert status == 1
    assert "repeated_order" in out
    assert "Nearest to an alarm" in out


def test_a_replay_shows_the_alarm_at_its_event(folder, night):
    [alarm] = [alarm for alarm in night["alarms"] if alarm["code"] == "repeated_order"]
    _, out, _ = invoke("replay", SESSION, "--from", folder / "log.jsonl", "--round", alarm["round"], "--json")
    steps = [json.loads(line) for line in out.splitlines()]
    found = [step["seq"] for step in steps for each in step.get("findings", ()) if each["code"] == "repeated_order"]

    assert found == [alarm["seq"]]


def test_an_evidence_bundle_holds_it_and_verifies(folder, tmp_path):
    bundle = tmp_path / "night.zip"
    made = invoke("evidence", "export", "--from", folder / "store", "--keys", folder / "keys", "--session", SESSION,
                  "--to", bundle)  # fmt: skip
    status, out, error = invoke("evidence", "verify", bundle)

    assert made[0] == 0, made
    assert (status, error) == (0, ""), out


def test_without_streaks_an_audit_finds_nothing(folder):
    assert invoke("audit", folder / "log.jsonl", "--no-streaks")[0] == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--date", "today"], "--date today: not a day such as 2026-11-29"),
        (["--level", "2"], "--level 2: not a chance such as 1/100"),
        (["--alarms-at", "1/0"], "--alarms-at 1/0: not a chance such as 1/100"),
        (["--regulator", "XX"], "no jurisdiction XX"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(folder, words, reason):
    status, _, error = invoke("streaks", folder / "store", *words)

    assert status == 2
    assert reason in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--level", "x"], "not a chance such as 1/100"),
        (["--level", "0"], "1/1000000000 to 1"),
        (["--tables", "0"], "at least one table, not 0"),
    ],
)
def test_nor_a_level_that_is_none(folder, words, reason):
    status, _, error = invoke("audit", folder / "log.jsonl", *words)

    assert status == 2
    assert reason in error


def test_the_detectors_say_the_same_in_whatever_order_a_night_with_faults_arrives():
    games = ("craps", "sic_bo", "boule", "punto_banco", "blackjack")
    floor = Floor(tables=5, hours=0.4, seed=11, first_day=date(2026, 11, 7), fault_rate=0.05, only=games)
    lines = list(floor.lines())
    said = []
    for seed in (0, 3):
        random.Random(seed).shuffle(lines)
        auditor = Auditor(judged(watching=WatchSettings(tables=20)))
        for place, line in enumerate(lines):
            auditor.feed(line, "floor", place)
        rows = auditor.finish()
        again = Refold(auditor.late(), judged(watching=WatchSettings(tables=20)))
        for line in lines:
            again.feed(line)
        last = {identity(row): row for row in (*rows, *again.rows()) if isinstance(row, Streak)}
        said.append({key: content_of(row) for key, row in last.items() if row.at_us})

    assert len(said[0]) > 50
    assert said[0] == said[1]


def test_a_cheat_that_is_none_is_refused(tmp_path):
    status, _, error = invoke("simulate", "--cheat", "luck", "--to", tmp_path / "log.jsonl")

    assert status == 2
    assert "there is no such cheat" in error
