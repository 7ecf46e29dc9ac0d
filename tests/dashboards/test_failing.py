"""Where retally itself fails on one table, that is told beside it, and the rest of the night is there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from dashboards.grafana import built
from dashboards.nightly import files, gather, gathering, languages, wording
from dashboards.nightly.tracing import trace
from replay.odds import Odds
from replay.packs import Packs
from replay.rules import GameRules, RuleError
from streams.commands.app import app
from streams.store import open_store
from tests.dashboards.wheels import DAY, packs

WELL = ("BO01", "LW02")
ILL = "LW01"


def failing(rules: GameRules) -> Iterator[Odds]:
    """Odds that cannot be worked out."""
    raise ZeroDivisionError("no cards left")


def figures_of(where: str, law: Packs) -> dict[str, Any]:
    with open_store(where, create=False) as store:
        return gather(store.query, DAY, law, ["US-KS"])


def by_table(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["table"]: row for row in rows}


def page_of(figures: Mapping[str, Any], language: str = "en") -> str:
    return files(figures, wording(language))[f"nightly-{DAY}.html"].decode()


# --- its odds -----------------------------------------------------------------------------------------------------


@pytest.fixture
def without_odds(where: str, outside: dict[str, ModuleType]) -> dict[str, Any]:
    """The figures of a night in which the odds of one game cannot be worked out."""
    vars(outside["lucky_wheel"])["odds"] = failing
    return figures_of(where, packs())


def test_a_table_whose_odds_fail_is_named_and_the_night_is_not_complete(without_odds: dict[str, Any]) -> None:
    [failure] = without_odds["failures"]

    assert without_odds["state"] == "failed"
    assert (failure["table"], failure["work"]) == (ILL, "odds")
    assert failure["error"].startswith("ZeroDivisionError in ")
    assert failure["error"].endswith("failing: no cards left")
    assert {row["table"]: row["failed"] for row in without_odds["sessions"]} == {
        "BO01": False,
        ILL: True,
        "LW02": False,
    }


def test_its_stakes_are_compared_with_nothing_and_its_win_is_in_every_sum(without_odds: dict[str, Any]) -> None:
    tables = by_table(without_odds["scopes"]["tables"])
    [casino] = without_odds["scopes"]["casinos"]

    assert (tables[ILL]["compared_staked"], tables[ILL]["left_out_staked"], tables[ILL]["z"]) == (0, 2_000, "")
    assert [tables[name]["theoretical_win"] for name in WELL] == [222, 222]
    assert (casino["win"], casino["left_out_staked"], casino["compared_staked"]) == (6_000, 2_000, 4_000)
    assert [row["reason"] for row in without_odds["wagers"] if row["game"] == "lucky_wheel"] == ["retally_failed"]
    assert [row["table"] for row in without_odds["periods"]["month"]["without_odds"]] == [ILL]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "LW01 (Lucky Wheel): retally itself failed to work out what its bets were worth."),
        ("es", "LW01 (Lucky Wheel (es)): el propio retally no pudo calcular lo que valían sus apuestas."),
        ("ca", "LW01 (Lucky Wheel (law)): el mateix retally no va poder calcular el que valien les seves apostes."),
    ],
)
def test_the_page_says_so_in_its_language(without_odds: dict[str, Any], language: str, said: str) -> None:
    page = page_of(without_odds, language)

    assert said in page
    assert wording(language)("log.failed") in page
    assert f"WHEELS; {wording(language)('word.failed')}" in page


def test_a_pack_that_is_wrong_is_told_by_file_and_key_beside_its_tables(where: str) -> None:
    law = packs()
    wrong = {name: dict(texts) for name, texts in law.files.items()}
    wrong["WHEELS"]["lucky_wheel.toml"] = wrong["WHEELS"]["lucky_wheel.toml"].replace(b"[bowl]", b"[bowls]")
    figures = figures_of(where, Packs(wrong))

    assert [(row["table"], row["error"]) for row in figures["failures"]] == [
        (ILL, "WHEELS/lucky_wheel.toml: bowl: is missing")
    ]
    assert by_table(figures["scopes"]["tables"])["LW02"]["theoretical_win"] == 222


def test_the_dashboards_name_the_game_whose_odds_fail(outside: dict[str, ModuleType]) -> None:
    vars(outside["lucky_wheel"])["odds"] = failing

    with pytest.raises(RuleError, match=r"^WHEELS/lucky_wheel\.toml: .* ZeroDivisionError: no cards left$"):
        built(packs())


# --- what explains its difference ---------------------------------------------------------------------------------


@pytest.fixture
def untraced(where: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of the night's store; the difference of one table cannot be traced."""

    def traced(sessions: Mapping[str, Any], *others: Any, **named: Any) -> list[dict[str, Any]]:
        if f"{ILL}-{DAY}" in sessions:
            raise KeyError("seat")
        return trace(sessions, *others, **named)

    monkeypatch.setattr(gathering, "trace", traced)
    return where


def test_a_table_whose_difference_cannot_be_traced_is_in_no_sum_and_nothing_of_it_is_called_unexplained(
    untraced: str,
) -> None:
    figures = figures_of(untraced, packs())
    ill = by_table(figures["sessions"])[ILL]

    assert [(row["table"], row["work"]) for row in figures["failures"]] == [(ILL, "trace")]
    assert (figures["state"], ill["problem"], ill["unexplained"]) == ("failed", "failed", None)
    assert sorted(by_table(figures["scopes"]["tables"])) == list(WELL)
    assert [row["table"] for row in figures["trays"]] == list(WELL)
    assert figures["late"] == []


@pytest.mark.parametrize("language", languages())
def test_its_win_as_counted_is_shown_all_the_same(untraced: str, language: str) -> None:
    page = page_of(figures_of(untraced, packs()), language)

    assert wording(language)("note.failed") in page
    assert wording(language)("work.trace") in page
    assert wording(language)("note.unexplained") not in page


def test_the_command_ends_with_one_and_writes_every_file(
    untraced: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("streams.commands.report.packs_of", lambda folders: packs())
    words = ["report", "nightly", "--store", untraced, "--date", str(DAY), "--to", str(tmp_path / "out")]
    result = CliRunner().invoke(app, words)
    told = json.loads((tmp_path / "out" / f"nightly-{DAY}.json").read_text("utf-8"))

    assert (result.exit_code, result.output.split(":")[0]) == (1, "Log not judged")
    assert [row["table"] for row in told["failures"]] == [ILL]
    assert (tmp_path / "out" / f"nightly-{DAY}-failures.csv").read_text("utf-8").count("\n") == 2
