"""What games state of themselves, and a game that another distribution brings: it is on no list, and has its place."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dashboards.grafana import built
from dashboards.grafana.macros import ALL, Span, expand
from dashboards.nightly import files, gather, wording
from dashboards.nightly.sections import sections
from dashboards.nightly.titles import title_in
from dashboards.stated import games_with, with_games
from replay import games
from replay.rules import RuleError
from streams.store import open_store
from streams.store.embedded import Embedded
from tests.dashboards.wheels import DAY, NIGHT, packs

STATED = {
    "one_result": ("boule", "craps", "monte", "punto_banco", "roulette", "sic_bo", "trente_et_quarante"),
    "among_players": ("baccarat_banque", "chemin_de_fer", "circle_poker"),
    "reports_cut": ("baccarat_banque", "chemin_de_fer", "circle_poker", "pai_gow_poker"),
    "pots": ("circle_poker",),
    "lasting_stakes": ("craps", "roulette", "trente_et_quarante"),
    "other_cards": ("monte",),
}
"""By the regulations: one throw, ball or coup decides for everybody; players bank; what the house takes goes into a box
of its own; pots are played for; a stake stays until its number or an unequal coup comes; forty Spanish cards."""


@pytest.mark.parametrize("stated", STATED)
def test_the_games_state_what_their_regulations_say(stated: str) -> None:
    assert STATED[stated] == games_with(stated)


def test_a_query_has_the_games_in_their_places() -> None:
    sql = "game IN ({lasting_stakes:Games}) AND gaming_day = {day:Date}"

    assert with_games(sql) == "game IN ('craps', 'roulette', 'trente_et_quarante') AND gaming_day = {day:Date}"


def test_where_no_game_states_it_the_list_has_a_name_that_none_bears(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "names", lambda: ())

    assert with_games("game NOT IN ({pots:Games})") == "game NOT IN ('')"


def test_a_game_whose_distribution_cannot_be_used_is_of_no_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    names, load = games.names(), games.load

    def loaded(game: str) -> type[games.Game]:
        if game == "broken":
            raise RuleError("game broken (retally.games: nowhere) cannot be used")
        return load(game)

    monkeypatch.setattr(games, "names", lambda: (*names, "broken"))
    monkeypatch.setattr(games, "load", loaded)

    assert STATED["one_result"] == games_with("one_result")


# --- a game from outside ------------------------------------------------------------------------------------------


def figures_of(where: str) -> dict[str, Any]:
    with open_store(where, create=False) as store:
        return gather(store.query, DAY, packs())


def test_the_nightly_deviation_of_a_game_from_outside_follows_from_what_it_states(where: str) -> None:
    """Red is on four of nine numbers and pays even money: an edge of 1/9, a variance of 80/81. The deviation of one bet
    of 20.00 EUR is 20.00 times the root of 80/81, which is 19.88; of two of 10.00, each by itself, 14.05."""
    tables = {row["table"]: row for row in figures_of(where)["scopes"]["tables"]}

    assert {table: row["theoretical_win"] for table, row in tables.items()} == dict.fromkeys(NIGHT, 222)
    assert {table: row["deviation"] for table, row in tables.items()} == {"BO01": 1_988, "LW01": 1_988, "LW02": 1_405}


def test_grafanas_band_of_a_game_from_outside_follows_from_what_it_states(where: str) -> None:
    """Two deviations above 2.22 EUR: 39.75 more for one bet, 28.11 for two."""
    title = "Theoretical win, by table"
    (sql,) = [p["targets"][0]["rawSql"] for board in built(packs()) for p in board["panels"] if p["title"] == title]
    span = Span(datetime(2026, 11, 29, 16, tzinfo=UTC), datetime(2026, 11, 30, 4, tzinfo=UTC))
    engine = Embedded(Path(where), create=False)
    try:
        answer = engine.select(expand(sql, span, {"casino": ALL, "game": ALL, "table": ALL, "dealer": ALL}))
        rows = [dict(zip(answer.names, row, strict=True)) for row in answer.rows()]
    finally:
        engine.close()

    assert {row["table"]: row["band to"] for row in rows} == {
        "BO01": "41.97 EUR",
        "LW01": "41.97 EUR",
        "LW02": "30.33 EUR",
    }


def test_the_night_of_a_game_from_outside_is_complete(where: str) -> None:
    figures = figures_of(where)

    assert (figures["state"], figures["failures"]) == ("complete", [])
    assert {row["game"]: row["unexplained"] for row in figures["sessions"]} == dict.fromkeys(
        ("boule", "lucky_wheel", "lucky_wheels"), 0
    )


# --- what games are called ----------------------------------------------------------------------------------------


def called(figures: Mapping[str, Any], language: str) -> set[str]:
    """What stands below the names of the tables."""
    (part,) = [part for part in sections(figures, wording(language)) if part.id == "tables"]
    return {row[0].below.replace("\N{NON-BREAKING HYPHEN}", "-") for block in part.blocks for row in block.rows}


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", {"Boule, AD-2025", "Lucky Wheel, WHEELS", "Lucky Wheels, WHEELS"}),
        ("es", {"Boule, AD-2025", "Lucky Wheel (es), WHEELS", "Lucky Wheels (es), WHEELS"}),
        ("ca", {"Bola, AD-2025", "Lucky Wheel (law), WHEELS", "Lucky Wheels (law), WHEELS"}),
    ],
)
def test_a_game_is_called_as_its_pack_has_it_in_the_pages_language_or_else_as_its_regulation_does(
    where: str, language: str, names: set[str]
) -> None:
    figures = figures_of(where)
    page = files(figures, wording(language))[f"nightly-{DAY}.html"].decode()

    assert names == called(figures, language)
    assert "lucky wheel" not in page


def test_the_figures_for_programs_have_the_names_in_every_language(where: str) -> None:
    assert figures_of(where)["titles"]["lucky_wheel"] == {
        "title": "Lucky Wheel (law)",
        "titles": {"en": "Lucky Wheel", "es": "Lucky Wheel (es)"},
    }


def test_a_game_of_which_no_pack_is_known_is_called_by_its_id() -> None:
    assert title_in("es", "three_card_brag", {}) == "three card brag"
