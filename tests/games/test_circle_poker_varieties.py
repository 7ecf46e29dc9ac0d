"""Circle poker (AD-2022, game 23): high-low, stud, razz and deuce to seven."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

import pytest

from replay.games._circle_poker_law import CirclePokerLaw
from replay.games.circle_poker import Variety, award, bring_in_order, shown_strength
from replay.pots import Pot
from tests.games.circle_poker_hands import (
    END,
    LOST,
    acts,
    own,
    post,
    settle,
)
from tests.installed import PACKS

LAW: Final = PACKS.game("AD-2022", "circle_poker").law_as(CirclePokerLaw)

# --- further varieties --------------------------------------------------------------------------------------------


def test_a_pot_is_halved_between_the_high_hand_and_a_low_of_eight_or_less():
    ranks = {1: (900, -80), 2: (700, -70), 3: (800, None)}

    assert award(Pot(650, (1, 2, 3)), ranks, (1, 2, 3), 50) == {1: 350, 2: 300}
    assert award(Pot(650, (1, 3)), {1: (900, None), 3: (800, None)}, (1, 2, 3), 50) == {1: 650}
    assert award(Pot(600, (1, 2)), {1: (9, -5), 2: (9, -4)}, (1, 2), 50) == {1: 150, 2: 450}


def test_without_the_button_an_odd_chip_is_nobody_s():
    ranks = {1: (9,), 2: (9,)}

    assert award(Pot(650, (1, 2)), ranks, (1, 2), 50, ring_known=False) is None
    assert award(Pot(600, (1, 2)), ranks, (1, 2), 50, ring_known=False) == {1: 300, 2: 300}


def test_the_low_half_takes_exactly_two_own_cards_in_omaha():
    omaha = Variety("omaha_hi_lo", LAW.varieties["omaha_hi_lo"], LAW.decks["52"])
    board_cards = ["3S", "7H", "8D", "KC", "KD"]

    assert omaha.ranks(["AS", "2C", "QD", "QH"], board_cards)[1] is not None
    assert omaha.ranks(["AS", "QC", "QD", "QH"], board_cards)[1] is None


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        ("razz", "AS 2S 3S 4S 5S", "AS 2D 3C 4S 6S"),
        ("razz", "9S 8S 7S 6S 5S", "AS AD 2C 3S 4S"),
        ("deuce_to_seven_single", "7S 5D 4C 3S 2S", "7S 6D 4C 3S 2S"),
        ("deuce_to_seven_single", "KS QD JC TS 8S", "6S 5D 4C 3S 2S"),
        ("deuce_to_seven_triple", "KS QD JC TS 8S", "AS 2D 3C 4S 5H"),
        ("deuce_to_seven_triple", "2S 2D 3C 4S 5H", "7S 5S 4S 3S 2S"),
    ],
)
def test_the_lowest_hand_wins_razz_and_deuce_to_seven(name, better, worse):
    variety = Variety(name, LAW.varieties[name], LAW.decks["52"])

    assert variety.ranks(better.split(), ()) > variety.ranks(worse.split(), ())


def test_the_bring_in_goes_by_rank_and_then_by_clubs_diamonds_hearts_spades():
    order = sorted(["2S", "2C", "AH", "2H", "KD", "2D"], key=bring_in_order)
    assert order == ["2C", "2D", "2H", "2S", "KD", "AH"]

    assert max(["AH", "KD", "KC", "9S"], key=lambda card: bring_in_order(card, low=True)) == "KD"


def test_shown_cards_compare_by_pairs_and_then_by_ranks():
    hands = ["KS 2D", "AS 2D", "2S 2D", "AS AD"]
    assert sorted(hands, key=lambda cards: shown_strength(cards.split())) == hands

    lows = ["AS 2D 3C", "2S 3D 4C", "8S 7D AC", "AS AD 2C"]
    assert sorted(lows, key=lambda cards: shown_strength(cards.split(), low=True)) == lows
    assert all(shown_strength(f"{a} {b}".split()) < shown_strength([a, a]) for a, b in combinations(["9S", "5D"], 2))


STUD: Final[dict[str, Any]] = {
    "variety": "seven_card_stud", "button": 3, "betting": "fixed_limit", "small_bet": 200, "big_bet": 400,
    "ante": 50, "bring_in": 100, "rake_percent": 0,
}  # fmt: skip
THIRD: Final = [
    *post("1 ante 50, 2 ante 50, 3 ante 50"),
    *own(s1="AS AH +9C", s2="KS 7D +3D", s3="QS JD +3C"),
]


def test_a_hand_of_stud():
    money, findings = settle(
        THIRD, post("3 bring_in 100"), acts("1 raise 200, 2 call 200, 3 call 100"),
        own(s1="+4C", s2="+KH", s3="+8S"), acts("2 check, 3 check, 1 raise 200, 2 call 200, 3 fold"),
        own(s1="+4D", s2="+2H"), acts("1 raise 400, 2 call 400"),
        own(s1="+TD", s2="+6H"), acts("1 check, 2 check"),
        own(s1="5H", s2="KD"), acts("1 check, 2 raise 400, 1 call 400"), END, **STUD,
    )  # fmt: skip

    assert findings == []
    assert money == {"seat1": LOST, "seat2": (1500, 1250), "seat3": LOST}  # three kings beat two pair


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (post("2 bring_in 100"), [("illegal_decision", 2)]),  # the three of clubs is lower
        (post("3 bring_in 50"), [("below_minimum", 3)]),
        (post("3 bring_in 100, 1 bring_in 100"), [("late_bet", 1)]),
        ([*post("3 bring_in 100"), *acts("3 raise 100")], [("illegal_decision", 3)]),  # it has acted
        ([*post("3 bring_in 100"), *acts("1 raise 150")], [("below_minimum", 1)]),
        ([*post("3 bring_in 100"), *acts("1 raise 300")], [("above_maximum", 1)]),
        ([*post("3 bring_in 100"), *acts("1 raise 200, 2 raise 400")], []),
        (acts("3 raise 200, 1 call 200"), []),  # the first bet may be a full one
        (acts("1 raise 200"), [("illegal_decision", 1)]),
    ],
)
def test_the_bring_in_of_stud_is_an_action_and_may_be_completed(events, expected):
    _, findings = settle(THIRD, events, **STUD)

    assert findings == expected


@pytest.mark.parametrize(
    ("variety", "expected"), [("seven_card_stud", []), ("seven_card_stud_hi_lo", [("above_maximum", 1)])]
)
def test_an_open_pair_allows_the_big_bet_in_the_second_round_of_stud(variety, expected):
    _, findings = settle(
        THIRD, post("3 bring_in 100"), acts("1 call 100, 2 call 100"),
        own(s1="+9D", s2="+KH", s3="+8S"), acts("1 raise 400, 2 fold, 3 fold"), END, **{**STUD, "variety": variety},
    )  # fmt: skip

    assert findings == expected


def test_in_razz_the_highest_card_brings_in_and_the_lowest_shown_cards_act_first():
    _, findings = settle(
        THIRD, post("1 bring_in 100"), acts("2 call 100, 3 call 100"),
        own(s1="+2C", s2="+KH", s3="+8S"), acts("3 check, 1 check, 2 raise 200, 3 fold, 1 fold"), END,
        **{**STUD, "variety": "razz"},
    )  # fmt: skip

    assert findings == []


def test_a_seat_without_its_card_is_dead_and_a_street_dealt_too_early_is_seen():
    _, findings = settle(
        THIRD, post("3 bring_in 100"), acts("1 call 100"),
        own(s1="+9D", s2="+KH"), acts("1 check"), **STUD,
    )  # fmt: skip

    assert findings == [("dealing_error", 3), ("missing_decision", 2)]


def test_stud_closed_with_cards_to_come_is_open():
    money, findings = settle(THIRD, post("3 bring_in 100"), acts("1 call 100, 2 call 100"), END, **STUD)

    assert findings == [("dealing_error",)]
    assert set(money.values()) == {"open"}


def test_three_draws_and_the_big_bet_after_the_second():
    _, findings = settle(
        post("1 small_blind 50, 2 big_blind 100"), own(s1="2S 3S 4S 7D KC", s2="2H 3H 4H 8D QC"),
        acts("1 call 50, 2 check, 2 draw QC, 1 draw KC"), own(s1="JC", s2="TC"),
        acts("2 check, 1 raise 100, 2 call 100, 2 draw TC, 1 draw JC"), own(s1="9C", s2="AC"),
        acts("2 raise 200, 1 call 200, 2 draw AC, 1 draw"), own(s2="AD"),
        acts("2 check, 1 raise 100, 2 call 100"), END,
        variety="deuce_to_seven_triple", button=1, betting="fixed_limit", small_bet=100, big_bet=200, rake_percent=0,
    )  # fmt: skip

    assert findings == [("below_minimum", 1)]
