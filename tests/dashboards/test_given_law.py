"""The law is given: what a house's own packs say is in the dashboards, in the nightly report and in its thresholds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dashboards.grafana import built
from replay.packs import Packs
from streams.commands.app import app
from streams.packs import packs_with, read_packs
from streams.store import open_store
from tests.dashboards.wheels import DAY, store_night
from tests.installed import PACKS

HOUSE = Path(__file__).resolve().parents[1] / "packs"


def run(*words: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.stdout, result.stderr


def test_a_houses_own_pack_has_its_odds_in_the_dashboards_that_are_built_with_it() -> None:
    """Punto banco from eight decks: of a stake on the player the house keeps 1.2351 %, as every book has it."""
    andorra = {name: PACKS.files["AD-2025"][name] for name in ("pack.toml", "punto_banco.toml", "blackjack.toml")}
    packs = read_packs([HOUSE / "CLUB-2026"]).beside(Packs({"AD-2025": andorra}))
    title = "Theoretical win, by game"
    (sql,) = [p["targets"][0]["rawSql"] for board in built(packs) for p in board["panels"] if p["title"] == title]
    wagers, edges, _ = (told.split(",") for told in re.findall(r"splitByChar\(',', '([^']*)'\)", sql))

    assert edges[wagers.index("CLUB-2026|punto_banco|player|*")] == "12351"


@pytest.mark.parametrize(("given", "reason"), [(("--packs", HOUSE), ""), ((), "rules_not_known")])
def test_bets_under_a_houses_own_rules_are_compared_where_its_pack_is_given(
    tmp_path: Path, given: tuple[object, ...], reason: str
) -> None:
    store_night(str(tmp_path / "store"), packs_with([HOUSE]), {"BO01": ("boule", "CASA-2026")})
    words = ("report", "nightly", "--store", tmp_path / "store", "--date", DAY, "--to", tmp_path / "out", "--json")
    _, out, _ = run(*words, *given)

    assert [row["reason"] for row in json.loads(out)["wagers"]] == [reason]


@pytest.mark.parametrize(
    "words",
    [
        ("dashboards", "build", "--to", "out"),
        ("dashboards", "check", "--store", "store"),
        ("dashboards", "preview", "--store", "store", "--to", "out"),
        ("dashboards", "push", "--url", "http://127.0.0.1:1"),
        ("report", "nightly", "--store", "store", "--date", DAY, "--to", "out"),
        ("streaks", "store"),
        ("demo", "--to", "out"),
    ],
    ids=lambda words: "-".join(words[:2]),
)
def test_a_folder_that_holds_no_pack_is_one_clear_line_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store("store") as store:
        store.migrate()
    status, out, err = run(*words, "--packs", "nowhere")

    assert (status, out, err) == (2, "", "retally: nowhere: is no folder\n")
    assert not Path("out").exists()
