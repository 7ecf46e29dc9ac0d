"""Findings that are wrong in two ways at one event are two findings, wherever they are kept."""

from replay.scenario import Scenario
from tests.installed import JUDGING

TWICE_WRONG = {
    "scenario": "A coup after the cut card whose first card comes before no more bets",
    "source": "AD-2025 game 7, VII",
    "table": {"game": "punto_banco", "rules": "AD-2025", "limits": {"min": 500, "max": 50000}},
    "events": [
        {"bet_placed": {"bet": "b1", "seat": 1, "wager": "player", "amount": 1000}},
        "cut_card",
        {"card_dealt": {"card": "9H", "to": "player"}},
        {"card_dealt": {"card": "2C", "to": "banker"}},
        {"card_dealt": {"card": "TS", "to": "player"}},
        {"card_dealt": {"card": "3D", "to": "banker"}},
        {"bet_settled": {"bet": "b1", "paid": 1000, "returned": 1000}},
        "round_closed",
    ],
}


def test_two_findings_of_one_code_at_one_event_have_two_identities():
    outcome = Scenario.read(TWICE_WRONG).settle(JUDGING)

    assert [finding.code for finding in outcome.findings] == ["dealing_error", "dealing_error"]
    assert len({(finding.seq, finding.code, finding.subject) for finding in outcome.findings}) == 2
