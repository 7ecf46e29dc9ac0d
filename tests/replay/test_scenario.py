"""Scenarios: what is malformed is refused by its place, and what is not as expected is told in one line each."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from replay.events import Refusal
from replay.scenario import Scenario
from tests.installed import JUDGING, judged

GOOD: dict[str, Any] = {
    "scenario": "Red pays even money",
    "source": "AD-2025 game 4, V.1",
    "table": {"game": "boule", "rules": "AD-2025", "limits": {"min": 200}},
    "events": [
        {"bet_placed": {"bet": "r", "seat": 1, "wager": "red", "amount": 1000}},
        "bets_closed",
        {"ball_landed": {"number": 7}},
        {"bet_settled": {"bet": "r", "paid": 900, "returned": 1000}},
        {"round_closed": None},
    ],
    "expect": {
        "settlements": {"r": {"paid": 1000, "returned": 1000}},
        "findings": [{"code": "underpaid", "bet": "r", "amount": 100}],
    },
}


def changed(*path: Any, to: Any) -> dict[str, Any]:
    """The good scenario with another value in one place; ``...`` takes it out."""
    data = copy.deepcopy(GOOD)
    inner: Any = data
    for key in path[:-1]:
        inner = inner[key]
    if to is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return data


def mismatches(data: dict[str, Any]) -> list[str]:
    return Scenario.read(data).settle(JUDGING).mismatches


def test_a_good_scenario_is_met():
    outcome = Scenario.read(GOOD).settle(JUDGING)

    assert outcome.met
    assert [bet.bet for bet in outcome.settlements] == ["r"]
    assert [finding.code for finding in outcome.findings] == ["underpaid"]


@pytest.mark.parametrize("data", [None, [], 5, "text", {}, True])
def test_what_is_no_scenario_is_refused(data):
    with pytest.raises(Refusal):
        Scenario.read(data)


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (["scenario"], ..., "scenario"),
        (["scenario"], 5, "scenario"),
        (["source"], None, "source"),
        (["extra"], 1, "extra"),
        (["table"], ..., "table"),
        (["table"], [], "table"),
        (["table", "game"], ..., "table.game"),
        (["table", "rules"], 5, "table.rules"),
        (["table", "chip_unit"], 0, "table.chip_unit"),
        (["table", "chip_unit"], "50", "table.chip_unit"),
        (["table", "rounding"], "sideways", "table.rounding"),
        (["table", "limits"], {"min": -1}, "table.limits.min"),
        (["table", "limits"], {"min": {"min": 5}}, "table"),
        (["table", "session"], "x", "table.session"),
        (["table", "type"], "bet_placed", "table.type"),
        (["table", "colour"], "green", "table.colour"),
        (["table", "rules"], "AD-1999", "table"),
        (["table", "game"], "tric_trac", "table"),
        (["table", "options"], {"extra": True}, "table"),
        (["events"], ..., "events"),
        (["events"], [], "events"),
        (["events"], "bets_closed", "events"),
        (["events", 1], 5, "events.1"),
        (["events", 1], None, "events.1"),
        (["events", 1], "bets_shut", "events.1.type"),
        (["events", 1], {}, "events.1"),
        (["events", 1], {"bets_closed": None, "ball_landed": None}, "events.1"),
        (["events", 1], {"bets_closed": []}, "events.1"),
        (["events", 1], {"bets_closed": {"at": "now"}}, "events.1.at"),
        (["events", 1], {"bets_closed": {"seq": 5}}, "events.1.seq"),
        (["events", 1], {"bets_closed": {"type": "ball_landed"}}, "events.1.type"),
        (["events", 1], {7: None}, "events.1"),
        (["events", 0, "bet_placed", "amount"], -5, "events.0.amount"),
        (["events", 0, "bet_placed", "amount"], 10.0, "events.0.amount"),
        (["events", 0, "bet_placed", "amount"], ..., "events.0.amount"),
        (["events", 0, "bet_placed", "colour"], "red", "events.0.colour"),
        (["events", 0, "bet_placed", "pick"], {"a": 1}, "events.0.pick"),
        (["events", 0, "bet_placed", 7], 1, "events.0.7"),
        (["expect"], [], "expect"),
        (["expect", "settlement"], {}, "expect.settlement"),
        (["expect", "settlements", "r"], "lost", "expect.settlements.r"),
        (["expect", "settlements", "r"], {"paid": 5}, "expect.settlements.r"),
        (["expect", "settlements", "r", "paid"], -1, "expect.settlements.r"),
        (["expect", "findings", 0], "underpaid", "expect.findings.0"),
        (["expect", "findings", 0, "code"], ..., "expect.findings.0.code"),
        (["expect", "findings", 0, "code"], "underpiad", "expect.findings.0.code"),
        (["expect", "findings", 0, "wager"], "red", "expect.findings.0.wager"),
        (["expect", "findings", 0, "amount"], "100", "expect.findings.0.amount"),
    ],
)  # fmt: skip
def test_a_malformed_scenario_is_refused_by_its_place(path, value, place):
    with pytest.raises(Refusal) as caught:
        Scenario.read(changed(*path, to=value)).settle(JUDGING)

    assert caught.value.field == place
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1500


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (["expect", "settlements", "r", "paid"], 900, "bet r: expected paid 900 returned 1000, the rules give paid"),
        (["expect", "settlements", "r"], "open", "bet r: expected open, the rules give paid 1000 returned 1000"),
        (["expect", "settlements", "r"], ..., "bet r: expected nothing, the rules give paid 1000 returned 1000"),
        (["expect", "settlements", "s"], "open", "bet s: expected open, the rules give no such bet"),
        (["expect", "findings"], [], "finding not expected: underpaid bet r seat 1 amount 100"),
        (["expect", "findings", 0, "amount"], 99, "finding expected and not made: underpaid bet r amount 99"),
    ],
)  # fmt: skip
def test_what_is_not_as_expected_is_told(path, value, line):
    told = mismatches(changed(*path, to=value))

    assert any(each.startswith(line) for each in told), told


def test_a_scenario_that_expects_nothing_is_met_whatever_happens():
    assert mismatches(changed("expect", to=...)) == []


def test_two_findings_of_a_kind_must_be_expected_twice():
    data = changed("events", to=[*GOOD["events"][:4], GOOD["events"][3], GOOD["events"][3], "round_closed"])
    data["expect"]["findings"].append({"code": "settled_twice"})

    assert len(mismatches(data)) == 1
    data["expect"]["findings"].append({"code": "settled_twice", "bet": "r"})
    assert mismatches(data) == []


def test_a_scenario_can_be_settled_under_another_pack():
    outcome = Scenario.read(GOOD).settle(judged(rules="AD-2022"))

    assert {bet.rules for bet in outcome.settlements} == {"AD-2022"}
    with pytest.raises(Refusal, match=r"MO-1985 has no game boule"):
        Scenario.read(GOOD).settle(judged(rules="MO-1985"))
