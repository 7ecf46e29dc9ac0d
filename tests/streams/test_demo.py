"""The demonstration, as a newcomer runs it: what was planted is found, and the report says so in money."""

import json
import re
from collections import Counter

import pytest
from typer.testing import CliRunner

from dashboards.night import gather
from streams import cli
from streams.simulator import games
from streams.store import open_store


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The folder that ``retally demo`` has left, and what it printed."""
    folder = tmp_path_factory.mktemp("demo") / "demo"
    result = CliRunner().invoke(cli.app, ["demo", "--to", str(folder)])
    assert result.exit_code == 0, result.output
    return folder, result.output


@pytest.fixture(scope="module")
def figures(demo):
    """What the report asks of the store."""
    with open_store(str(demo[0] / "store"), create=False) as store:
        return gather(store.query, "2026-11-29")


@pytest.fixture(scope="module")
def expected(demo):
    """The findings that the planted wrongs must lead to, as (code, session, amount)."""
    with (demo[0] / "truth.jsonl").open() as file:
        truth = [json.loads(line) for line in file]
    return [(w["code"], wrong["session"], w.get("amount")) for wrong in truth for w in wrong["expected"]]


def test_every_planted_wrong_is_found_and_nothing_else(demo, expected):
    assert f"All {len(expected)} findings that the planted wrongs must lead to were made, and no other." in demo[1]


def test_every_game_of_the_floor_has_a_table(figures):
    assert {row["game"] for row in figures["tables"]} == set(games.names())


def test_the_reports_findings_are_the_truth_by_code(figures, expected):
    assert {row["code"]: row["times"] for row in figures["codes"]} == Counter(code for code, _, _ in expected)


@pytest.mark.parametrize("code", ["overpaid", "underpaid"])
def test_the_reports_money_is_the_truth_to_the_cent(figures, expected, code):
    wanted: Counter[str] = Counter()
    for made, session, amount in expected:
        if made == code:
            wanted[session] += amount

    assert {row["session"]: row[code] for row in figures["tables"] if row[code]} == wanted


def test_the_win_is_what_the_cage_says_and_what_the_claims_say(figures):
    """Win = drop + closing + credits - opening - fills; a table without broken evidence reports every bet, and there it
    is the stakes less what was handed over."""
    whole = [
        row
        for row in figures["tables"]
        if not (row["gaps"] + row["conflicts"] + row["rejected"] + row["checkpoints_bad"] + row["unsettled"])
        and row["game"] in ("boule", "sic_bo")
        and row["findings"] == 0
    ]
    for row in whole:
        assert row["win"] == row["win_claimed"]


def test_the_report_is_one_page_that_needs_nothing_from_outside(demo):
    page = (demo[0] / "report.html").read_text()

    assert page.startswith("<!doctype html>")
    assert not re.search(r'(?:src|href)\s*=\s*["\']|https?://|@import|url\(', page)


def test_the_nights_reconciliation_is_the_truth_to_the_cent_at_every_table(demo):
    """What is traced is what was planted, and what nothing explains is what the holes in the log hide."""
    sessions = json.loads((demo[0] / "nightly" / "nightly-2026-11-29.json").read_text())["sessions"]
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
    result = CliRunner().invoke(cli.app, ["dashboards", "check", "--store", str(demo[0] / "store"), "--data"])

    assert (result.exit_code, " 0 problems" in result.output) == (0, True), result.output


def test_the_preview_has_a_page_for_each_dashboard_that_needs_nothing_from_outside(demo, tmp_path):
    CliRunner().invoke(cli.app, ["dashboards", "preview", "--store", str(demo[0] / "store"), "--to", str(tmp_path)])
    pages = [page.read_text("utf-8") for page in tmp_path.glob("retally-*.html")]

    assert len(pages) == 5
    assert [page for page in pages if "No data" in page or re.search(r"https?://|<script|<link", page)] == []


def test_a_demonstration_can_be_repeated_but_clears_nothing_of_others(demo, tmp_path):
    (tmp_path / "mine").write_text("precious")

    result = CliRunner().invoke(cli.app, ["demo", "--to", str(tmp_path)])

    assert result.exit_code == 2
    assert "holds something else" in result.output
    assert (tmp_path / "mine").read_text() == "precious"
