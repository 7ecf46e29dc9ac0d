"""What the panels work out, on a store of a few rows whose figures can be worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from dashboards.grafana import built
from dashboards.grafana.macros import ALL, Span, expand
from streams.store import open_store
from streams.store.embedded import Embedded
from tests.installed import PACKS

SPAN = Span(datetime.fromisoformat("2026-11-29T16:00:00+00:00"), datetime.fromisoformat("2026-11-30T04:00:00+00:00"))
EVERYTHING = {"casino": ALL, "game": ALL, "table": ALL, "dealer": ALL}
AT_US = int(datetime.fromisoformat("2026-11-29T20:00:00+00:00").timestamp()) * 1_000_000
TABLES = {"C1": (1, 1), "C2": (1, 2)}
"""Two bets of 10.00 EUR on the pass line at each table: in one coup, and in two."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    folder = Path(tmp_path_factory.mktemp("figures")) / "store"
    with open_store(str(folder)) as made:
        made.migrate()
    engine = Embedded(folder, create=False)
    for table, rounds in TABLES.items():
        engine.execute(
            "INSERT INTO sessions (gaming_day, session, casino, pit, `table`, game, rules, currency, state,"
            f" opened_at_us, closed_at_us, revision) SELECT toDate('2026-11-29'), '{table}',"
            f" 'valira', 'p', '{table}', 'craps',"
            f" 'AD-2025', 'EUR', 'closed', {AT_US}, {AT_US}, 1"
        )
        for bet, number in enumerate(rounds):
            engine.execute(
                "INSERT INTO settlements (gaming_day, session, round, bet, casino, pit, `table`, game, rules, currency,"
                " dealer, player, seat, wager, pick, stake, paid, returned, verdict, difference, settled_at_us,"
                f" revision) SELECT toDate('2026-11-29'), '{table}', {number}, 'b{bet}',"
                f" 'valira', 'p', '{table}', 'craps',"
                f" 'AD-2025', 'EUR', 'd', 'p{bet}', 1, 'pass_line', '', 1000, 0, 0, 'match', 0, {AT_US}, 1"
            )
    line = '{"v": 1, "type": "card_dealt",  "card" : "AH"}'
    for seq, kind in ((1, "card_dealt"), (2, "card_burned")):
        engine.execute(
            "INSERT INTO events (gaming_day, session, seq, digest, `table`, device, type, round, at_us, raw)"
            f" SELECT toDate('2026-11-29'), 'C1', {seq}, 'x', 'C1', 'C1', '{kind}', 1, {AT_US}, '{line}'"
        )
    yield engine
    engine.close()


def shown(store: Embedded, title: str) -> list[dict[str, Any]]:
    """The rows of the panel of this title."""
    (sql,) = [p["targets"][0]["rawSql"] for board in built(PACKS) for p in board["panels"] if p["title"] == title]
    answer = store.select(expand(sql, SPAN, EVERYTHING))
    return [dict(zip(answer.names, row, strict=True)) for row in answer.rows()]


def test_a_theoretical_win_is_the_stake_times_the_published_edge(store: Embedded) -> None:
    """Pass line: 7/495 of 20.00 EUR is 0.28 EUR (the house's edge as every book on craps has it)."""
    rows = shown(store, "Theoretical win, by table")

    assert [row["theoretical win"] for row in rows] == ["0.28 EUR", "0.28 EUR"]


def test_equal_bets_in_one_coup_win_and_lose_together(store: Embedded) -> None:
    """Two sigma of an even-money bet: of one of 20.00 EUR 40.00 EUR, of two of 10.00 EUR twice 14.14 EUR."""
    together, apart = shown(store, "Theoretical win, by table")

    assert (together["band to"], apart["band to"]) == ("40.28 EUR", "28.56 EUR")


def test_z_is_how_many_sigma_the_win_is_from_what_it_should_be(store: Embedded) -> None:
    """Both bets lost: (20.00 - 0.28) / 20.00 in one coup, / 14.14 in two."""
    together, apart = shown(store, "Theoretical win, by table")

    assert (together["z"], apart["z"]) == (0.99, 1.39)


def test_both_tables_are_one_game(store: Embedded) -> None:
    (game,) = shown(store, "Theoretical win, by game")

    assert (game["staked"], game["win by the rules"], game["staked without odds"]) == (
        "40.00 EUR",
        "40.00 EUR",
        "0.00 EUR",
    )


def test_a_dealt_card_is_counted_however_its_line_is_spaced(store: Embedded) -> None:
    assert shown(store, "Cards that came out") == [{"rank": "A", "dealt": 1}]


def test_a_wall_without_severe_findings_says_so(store: Embedded) -> None:
    assert [row["value"] for row in shown(store, "The latest severe findings")] == ["nothing severe in the time shown"]


def test_every_table_that_was_open_has_its_tile(store: Embedded) -> None:
    tiles = shown(store, "Severe findings by table, in the last hour that it was open")

    assert tiles == [{"name": "C1", "severe": 0}, {"name": "C2", "severe": 0}]
