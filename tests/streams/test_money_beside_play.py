"""The night's money where something was put right, given outside the rules, counted twice, or carried over wrongly."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from dashboards.nightly.gathering import gather
from replay.streaks.jurisdictions import jurisdiction
from streams.into_store import audit_into
from streams.store import open_store
from tests.installed import JUDGING, PACKS
from tests.replay.logs import Writer

DAY = "2026-11-29"
FLOAT = 10_000_000


class Night:
    """Tables of boule, and what the report of their day says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[bytes] = []

    def table(self, events: list[tuple[str, dict[str, Any]]], close: int, *drops: int, **opened: Any) -> None:
        """One session: its events after the opening, the closing float, and the counts of its drop."""
        name = opened.pop("session", f"BO01-{DAY}")
        house = {"casino": "C", "pit": "P1", "game": "boule", "rules": "AD-2025", "currency": "EUR", "float": FLOAT}
        writer = Writer(name, name[:4], sealed=False)
        writer.event("table_opened", **{**house, **opened})
        for kind, fields in events:
            writer.round = fields.pop("round", writer.round)
            writer.event(kind, **fields)
        writer.round = None
        writer.event("table_closed", float=close)
        for amount in drops:
            writer.event("drop_counted", amount=amount)
        self.lines += writer.log.lines

    def figures(self, jurisdictions: tuple[str, ...] = ()) -> dict[str, Any]:
        log = self.folder / "night.jsonl"
        log.write_bytes(b"".join(line + b"\n" for line in self.lines))
        with open_store(str(self.folder / "store")) as store:
            store.migrate()
            audit_into(store, [log], lambda row: None, JUDGING)
            found: dict[str, Any] = json.loads(
                json.dumps(gather(store.query, date.fromisoformat(DAY), PACKS, jurisdictions))
            )
        return found


@pytest.fixture
def night(tmp_path: Path) -> Night:
    return Night(tmp_path)


def lost(amount: int, *claims: dict[str, Any], bet: str = "x") -> list[tuple[str, dict[str, Any]]]:
    """A round in which ``amount`` on black loses, and what was done with it."""
    return [
        ("bet_placed", {"bet": bet, "seat": 1, "wager": "black", "amount": amount, "round": 1}),
        ("bets_closed", {}),
        ("ball_landed", {"number": 2}),
        *(("bet_settled", {"bet": bet, **claim}) for claim in claims),
        ("round_closed", {}),
    ]


def traced(figures: dict[str, Any]) -> list[tuple[str, int]]:
    return [(line["cause"], line["amount"]) for line in figures["trace"]]


@pytest.mark.parametrize("said", [{}, {"corrects": 5, "by": "sup1"}])
def test_what_was_handed_over_and_taken_back_is_nothing(night, said):
    night.table(lost(5000, {"paid": 5000, "returned": 5000}, {"paid": 0, "returned": 0, **said}), FLOAT + 5000, 0)
    figures = night.figures()
    [table], [tray] = figures["sessions"], figures["trays"]

    assert (table["win"], table["win_by_rules"], table["difference"]) == (5000, 5000, 0)
    assert table["unexplained"] == tray["off"] == 0
    assert sum(amount for _, amount in traced(figures)) == 0


def test_what_was_handed_over_twice_is_counted_twice(night):
    won = [("bet_settled", {"bet": "y", "paid": 1000, "returned": 1000})] * 2
    night.table(
        [
            ("bet_placed", {"bet": "y", "seat": 1, "wager": "red", "amount": 1000, "round": 1}),
            ("bets_closed", {}),
            ("ball_landed", {"number": 2}),
            *((kind, dict(fields)) for kind, fields in won),
            ("round_closed", {}),
        ],
        FLOAT - 3000,
        0,
    )
    figures = night.figures()

    assert traced(figures) == [("settled_twice", -2000)]
    assert figures["sessions"][0]["unexplained"] == figures["trays"][0]["off"] == 0


def test_money_outside_the_rules_is_traced_with_its_amount(night):
    events = lost(160_000, {"paid": 0, "returned": 0})
    events.append(("goodwill_paid", {"amount": 160_000, "reason": "complaint", "by": "dir1", "bet": "x"}))
    night.table(events, FLOAT, 0)
    figures = night.figures()

    assert traced(figures) == [("goodwill_paid", -160_000)]
    assert figures["sessions"][0]["unexplained"] == figures["trays"][0]["off"] == 0


def test_a_stake_that_is_given_back_in_a_later_round_is_traced_with_its_amount(night):
    events = lost(160_000, {"paid": 0, "returned": 0})
    events += [("round_opened", {"round": 2}), ("bet_settled", {"bet": "x", "paid": 0, "returned": 160_000})]
    night.table([*events, ("round_closed", {})], FLOAT, 0)
    figures = night.figures()

    assert traced(figures) == [("settled_twice", -160_000)]
    assert figures["sessions"][0]["unexplained"] == figures["trays"][0]["off"] == 0


def test_the_last_count_of_the_drop_holds(night):
    night.table(lost(4000, {"paid": 0, "returned": 0}), FLOAT + 3900, 4000, 100)
    figures = night.figures()

    assert figures["sessions"][0]["drop"] == 100
    assert figures["sessions"][0]["unexplained"] == 0
    assert [(row["code"], row["amount"]) for row in figures["findings"]] == [("drop_recounted", 3900)]


def test_a_float_that_was_not_carried_over_is_told(night):
    night.table(
        lost(1000, {"paid": 0, "returned": 0}), FLOAT - 1000, 2000, session="BO01-2026-11-28", gaming_day="2026-11-28"
    )
    night.table(lost(1000, {"paid": 0, "returned": 0}), FLOAT - 10_000, 2000, float=FLOAT - 11_000)
    figures = night.figures()
    [float_] = figures["floats"]

    assert (float_["table"], float_["float_close"], float_["float_open"], float_["off"]) == (
        "BO01",
        FLOAT - 1000,
        FLOAT - 11_000,
        -10_000,
    )
    assert not figures["findings"]
    assert figures["statements"]["night"] == "dirty"


def test_the_expected_drop_stands_beside_the_counted_one(night):
    chips: list[tuple[str, dict[str, Any]]] = [
        ("cash_in", {"amount": 100_000, "player": "p1"}),
        ("marker_issued", {"amount": 50_000, "player": "p2"}),
        ("marker_paid", {"amount": 20_000, "player": "p2", "kind": "chips"}),
        ("promo_taken", {"amount": 1_000, "player": "p1"}),
    ]
    night.table(chips, FLOAT - 130_000, 129_000)
    [cash] = night.figures()["cash"]

    assert (cash["drop_expected"], cash["drop"], cash["off"]) == (130_000, 129_000, -1_000)
    assert (cash["cash_in"], cash["markers"], cash["markers_paid"], cash["promo"]) == (100_000, 50_000, 20_000, 1_000)


def test_a_player_s_cash_of_the_day_is_held_against_the_law_s_thresholds(night):
    """31 CFR 1021.311: more than 10,000 dollars; 1021.320: 5,000 or more. In and out are added up apart."""
    told = {"p1": (600_000, 400_001), "p2": (600_000, 400_000), "p3": (499_999, 0)}
    for number, table in enumerate(("BO01", "BO02")):
        cash = [
            ("cash_in", {"amount": sums[number], "player": player}) for player, sums in told.items() if sums[number]
        ]
        cash.append(("cash_out", {"amount": 300_000, "player": "p3"}))
        night.table(cash, FLOAT, 0, session=f"{table}-{DAY}", currency="USD")
    rows = night.figures(("US",))["cash_of_players"]

    assert [(row["player"], row["threshold"]) for row in rows] == [
        ("p1", "currency_transaction"),
        ("p1", "suspicious_from"),
        ("p2", "suspicious_from"),
        ("p3", "suspicious_from"),
    ]
    assert (rows[-1]["cash_in"], rows[-1]["cash_out"]) == (499_999, 600_000)
    assert rows[0]["passage"] == jurisdiction("US").cash[0].passage == "31 CFR 1021.311; 1021.313"
