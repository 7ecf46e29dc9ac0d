"""Whatever a casino calls its tables and dealers: a dashboard shows of them what it shows of plainly named ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

import pytest

from dashboards.grafana import built
from dashboards.grafana.checking import last_night, queries, run
from dashboards.grafana.macros import ALL, expand
from dashboards.grafana.preview import pages
from replay.judging import Judging
from replay.streaks.watch import WatchSettings
from streams.into_store import audit_into
from streams.store import open_store
from tests.installed import PACKS

pytest.importorskip("chdb")

BOARDS: Final = built(PACKS)
EVERYTHING: Final = {"casino": ALL, "game": ALL}
NAMES: Final = (
    *("$__x", "$__fromTime", "$__timeFilter(at)", "${session}", "$table", "${table:csv}", "[[table]]", "{{ $values }}"),
    *("o'b", "''", "')", "a,b", "{a,b}", "%27", "a b+c", "--", "/*", "x' OR 1=1 --", "&v="),
)
"""Of what the contract lets a name have: printable ASCII but for the double quote and the backslash."""
NIGHTS: Final = (
    {"casino": "valira", "table": "BO01", "dealer": "d1"},
    *({"casino": name, "table": name, "dealer": name} for name in NAMES),
)


def night(names: Mapping[str, str]) -> list[bytes]:
    """A table's night of two rounds, one of them paid wrongly."""
    told: list[dict[str, Any]] = [
        {"type": "table_opened", "casino": names["casino"], "pit": "pit1", "game": "boule", "rules": "AD-2025",
         "currency": "EUR", "float": 5_000_000, "gaming_day": "2026-11-29", "limits": {"min": 200, "max": 100_000},
         "chip_unit": 100},
    ]  # fmt: skip
    told.append({"type": "dealer_on", "dealer": names["dealer"]})
    for number, paid in ((1, 1000), (2, 3000)):
        told += [
            {"type": "round_opened", "round": number},
            {"type": "bet_placed", "round": number, "bet": f"b{number}", "seat": 1, "wager": "high", "amount": 1000},
            {"type": "bets_closed", "round": number},
            {"type": "ball_landed", "round": number, "number": 7},
            {"type": "bet_settled", "round": number, "bet": f"b{number}", "paid": paid, "returned": 1000},
            {"type": "round_closed", "round": number},
        ]
    told.append({"type": "table_closed", "float": 4_996_000})
    common = {"v": 1, "session": f"{names['table']}-1", "table": names["table"], "device": names["table"]}
    return [
        json.dumps(common | {"seq": seq, "at": f"2026-11-29T20:{seq:02}:00Z"} | event).encode() + b"\n"
        for seq, event in enumerate(told, 1)
    ]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, tuple[int, str]]]:
    """What the queries of the dashboards about tables give with one table's names chosen, by table: how many rows, and
    what is wrong with the query. All tables are in one store."""
    folder = tmp_path_factory.mktemp("names")
    log = folder / "night.jsonl"
    log.write_bytes(b"".join(line for names in NIGHTS for line in night(names)))
    found: dict[str, dict[str, tuple[int, str]]] = {}
    with open_store(str(folder / "store")) as store:
        store.migrate()
        audit_into(store, [log], lambda _: None, Judging(packs=PACKS, watching=WatchSettings()))
        ask = store.query_columns
        span = last_night(ask)
        listed = {
            variable["name"]: {shown: value for value, shown in ask(expand(variable["query"], span, EVERYTHING)).rows()}
            for variable in BOARDS[0]["templating"]["list"]
        }
        for names in NIGHTS:
            chosen: dict[str, str | list[str]] = {name: [listed[name][value]] for name, value in names.items()}
            chosen |= {"game": [listed["game"]["boule"]], "session": f"{names['table']}-1", "round": "2"}
            found[names["table"]] = {
                query.where: (ran.rows, ran.problem)
                for board in BOARDS
                if board["uid"] in ("retally-floor", "retally-round")
                for query in queries(board)
                for ran in [run(query, ask, span, chosen)]
            }
        made = pages(BOARDS, ask, span)
    assert sum(page.startswith("round-") for page in made) == len(NIGHTS)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_dashboard_shows_of_a_table_of_any_name_what_it_shows_of_another(rows, name):
    assert rows[name] == rows["BO01"]


def test_of_a_plainly_named_table_it_shows_what_there_is(rows):
    assert not [where for where, (_, problem) in rows["BO01"].items() if problem]
    assert rows["BO01"]["retally-round: panel Bets: claimed and recomputed"][0] == 1
