"""What the regulation lets the house choose: a choice outside it is a finding, and the nearest lawful one is played."""

import pytest

from replay.scenario import Scenario
from tests.installed import JUDGING


def outcome(game, rules, options):
    """A table opened with these options, and one round opened and closed."""
    return Scenario.read(
        {
            "scenario": "A table is opened",
            "source": "the game's options",
            "table": {"game": game, "rules": rules, "limits": {"min": 500, "max": 50_000}, "options": options},
            "events": ["round_opened", "round_closed"],
        }
    ).settle(JUDGING)


@pytest.mark.parametrize(
    ("game", "rules", "options", "passage", "text"),
    [
        ("punto_banco", "AD-2025", {"banker_pay": "free"}, "game 7", "commission_5, half_on_6, not free"),
        ("craps", "AD-2025", {"multiple_gain_factor": 5}, "game 6, IV.2", "1 to 3, not 5"),
        ("blackjack", "AD-2025", {"boxes": 12}, "game 3", "6 to 9, not 12"),
    ],
)
def test_an_option_outside_the_regulation_is_a_finding_that_cites_it(game, rules, options, passage, text):
    [fault] = outcome(game, rules, options).setup

    assert fault.code == "setup_not_allowed"
    assert fault.passage.startswith(passage)
    assert text in fault.text


@pytest.mark.parametrize("options", [{}, {"multiple_gain_factor": 1}, {"multiples_of_min": True}])
def test_a_lawful_choice_is_none(options):
    assert outcome("craps", "AD-2025", options).setup == []
