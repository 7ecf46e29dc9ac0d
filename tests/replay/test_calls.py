"""After "no va més" a second "facin joc" in the same round opens nothing: a late bet stays late in every such game."""

import pytest

from replay.scenario import Scenario
from tests.installed import JUDGING

CASES = [
    ("boule", "AD-2025", "red", {"ball_landed": {"number": 2}}),
    ("punto_banco", "AD-2025", "player", {"card_dealt": {"card": "9H", "to": "player"}}),
    ("trente_et_quarante", "AD-2025", "red", {"card_dealt": {"card": "9H", "to": "black"}}),
    ("casino_war", "AD-2022", "main", {"card_dealt": {"card": "9H", "to": "dealer"}}),
]


@pytest.mark.parametrize(("game", "rules", "wager", "after"), CASES, ids=[case[0] for case in CASES])
def test_bets_stay_closed_when_the_round_is_announced_again(game, rules, wager, after):
    outcome = Scenario.read(
        {
            "scenario": "The round is announced again after no more bets",
            "source": "no more bets",
            "table": {"game": game, "rules": rules, "limits": {"min": 500, "max": 50_000}},
            "events": [
                "round_opened",
                {"bet_placed": {"bet": "b1", "seat": 1, "wager": wager, "amount": 1000}},
                "bets_closed",
                "round_opened",
                {"bet_placed": {"bet": "late", "seat": 2, "wager": wager, "amount": 1000}},
                after,
            ],
        }
    ).settle(JUDGING)

    assert ("late_bet", "late") in [(finding.code, finding.bet) for finding in outcome.findings]
