"""The demonstration, as a newcomer runs it: what was planted is found, and the report says so in money."""

import json
import re
from collections import Counter

import pytest
from typer.testing import CliRunner

from streams.commands.app import app
from streams.simulator import games


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The folder that ``retally demo`` has left, and what it printed."""
    folder = tmp_path_factory.mktemp("demo") / "demo"
    result = CliRunner().invoke(app, ["demo", "--to", str(folder)])
    assert result.exit_code == 0, result.output
    return folder, result.output


@pytest.fixture(scope="module")
def figures(demo):
    """The figures of the night's reconciliation."""
    return json.loads((demo[0] / "nightly" / "nightly-2026-11-29.json").read_text())


@pytest.fixture(scope="module")
def expected(demo):
    """The findings that the planted wrongs must lead to, as (code, session, amount)."""
    with (demo[0] / "truth.jsonl").open() as file:
        truth = [json.loads(line) for line in file]
    return [(w["code"], wrong["session"], w.get("amount")) for wrong in truth for w in wrong["expected"]]


def test_every_planted_wrong_is_found_and_nothing_else(demo, expected):
    assert f"All {len(expected)} findings that the planted wrongs must lead to were made, and no other." in demo[1]


def test_every_game_of_the_floor_has_a_table(figures):
    assert {row["game"] for row in figures["sessions"]} == set(games.names())


def test_the_reports_findings_are_the_truth_by_code(figures, expected):
    made: Counter[str] = Counter()
    for row in figures["codes"]:  # one each currency
        if row["kind"] != "streak":
            made[row["code"]] += row["times"]

    assert Counter(code for code, _, _ in expected) == made


@pytest.mark.parametrize("code", ["overpaid", "underpaid"])
def test_the_reports_money_is_the_truth_to_the_cent(figures, expected, code):
    wanted: Counter[str] = Counter()
    for made, session, amount in expected:
        if made == code:
            wanted[session] += amount

    assert wanted == {row["session"]: row[code] for row in figures["sessions"] if row[code]}


def test_the_report_is_one_page_that_needs_nothing_from_outside(demo):
    page = (demo[0] / "nightly" / "nightly-2026-11-29.html").read_text()

    assert page.startswith("<!doctype html>")
    assert not re.search(r'(?:src|href)\s*=\s*["\']|https?://|@import|url\(', page)


def test_the_report_says_what_was_planted_and_what_of_it_was_found(figures, expected):
    planted = figures["planted"]

    assert (len(expected), len(expected), [], []) == (
        planted["expected"],
        planted["found"],
        planted["missed"],
        planted["invented"],
    )


def test_the_nights_reconciliation_is_the_truth_to_the_cent_at_every_table(demo, figures):
    """What is traced is what was planted, and what nothing explains is what the holes in the log hide."""
    sessions = figures["sessions"]
    planted: Counter[str] = Counter()
    hidden: Counter[str] = Counter()
    for line in (demo[0] / "truth.jsonl").read_text().splitlines():
        wrong = json.loads(line)
        planted[wrong["session"]] += wrong["win"]
        hidden[wrong["session"]] += wrong["hidden"]

    assert {row["session"]: planted[row["session"]] for row in sessions} == {
        row["session"]: row["traced"] for row in sessions
    }
    assert {row["session"]: hidden[row["session"]] for row in sessions} == {
        row["session"]: row["unexplained"] for row in sessions
    }


def test_every_panel_of_every_dashboard_has_something_to_show(demo):
    result = CliRunner().invoke(app, ["dashboards", "check", "--store", str(demo[0] / "store"), "--data"])

    assert (result.exit_code, " 0 problems" in result.output) == (0, True), result.output


def test_the_preview_has_a_page_for_each_dashboard_that_needs_nothing_from_outside(demo, tmp_path):
    CliRunner().invoke(app, ["dashboards", "preview", "--store", str(demo[0] / "store"), "--to", str(tmp_path)])
    pages = [page.read_text("utf-8") for page in tmp_path.glob("retally-*.html")]

    assert len(pages) == 5
    assert [page for page in pages if "No data" in page or re.search(r"https?://|<script|<link", page)] == []
    floor = (tmp_path / "retally-floor.html").read_text("utf-8")
    rounds = dict(re.findall(r'href="(round-[^"#]+)#([^"]+)"', floor))
    assert rounds
    assert [name for name, place in rounds.items() if f'id="{place}"' not in (tmp_path / name).read_text("utf-8")] == []


def test_a_demonstration_can_be_repeated_but_clears_nothing_of_others(demo, tmp_path):
    (tmp_path / "mine").write_text("precious")

    result = CliRunner().invoke(app, ["demo", "--to", str(tmp_path)])

    assert result.exit_code == 2
    assert "holds something else" in result.output
    assert (tmp_path / "mine").read_text() == "precious"
