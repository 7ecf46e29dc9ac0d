"""Circle poker (AD-2022, game 23): the deck, places, turns, bets, the dealer, the exchange of cards; by passage."""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest

from replay.games import odds_of
from replay.games._circle_poker_law import CirclePokerLaw
from replay.games.circle_poker import Variety
from replay.law import read_law
from replay.results import Finding, Settlement
from replay.scenario import Scenario
from replay.session import Session
from tests.games.circle_poker_hands import (
    BLINDS,
    CHECKS,
    END,
    FLOP,
    LIMPS,
    LOST,
    REST,
    RIVER,
    TABLE,
    THREE,
    TURN,
    acts,
    board,
    claim,
    hand,
    own,
    post,
    rake,
    settle,
)
from tests.installed import JUDGING, PACKS

RULES: Final = PACKS.game("AD-2022", "circle_poker")
LAW: Final = RULES.law_as(CirclePokerLaw)

# --- II, the deck -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deck", "low_straight", "not_one"),
    [
        (52, "AS 2H 3D 4C 5S", "AS 6H 7D 8C 9S"),
        (36, "AS 6H 7D 8C 9S", "AS 7H 8D 9C TS"),
        (32, "AS 7H 8D 9C TS", "AS 8H 9D TC JS"),
        (28, "AS 8H 9D TC JS", "AS 9H TD JC QS"),
    ],
)
def test_the_ace_is_also_low_before_the_lowest_rank_in_play(deck, low_straight, not_one):
    variety = Variety("five_card_draw", LAW.varieties["five_card_draw"], LAW.decks[str(deck)])
    other, low, high = (variety.ranks(cards.split(), ())[0] or 0 for cards in (not_one, low_straight, "AS KH QD JC TS"))

    assert 0 < other < low < high


def test_a_card_twice_in_the_hand_is_impossible_and_a_card_unread_never():
    _, findings = settle(BLINDS, own(s2="?? 9D", s3="?? 6S", s1="AC 9D"), acts("1 fold, 2 fold"), END, **TABLE)

    assert findings == [("impossible_card",)]


def test_a_rank_that_is_not_in_the_deck_is_impossible():
    _, findings = settle(BLINDS, own(s2="KC 9D", s3="7S 5S", s1="AC AH"), acts("1 fold, 2 fold"), END, deck=36, **TABLE)

    assert findings == [("impossible_card",)]


def test_exchanged_cards_come_again_only_when_the_whole_deck_is_out():
    """28 cards, five seats: 25 are dealt, and the fourth exchanged card comes from those given away before."""
    deck = [rank + suit for rank in "A89TJQK" for suit in "SHDC"]
    hands = {f"s{seat}": " ".join(deck[seat * 5 - 5 : seat * 5]) for seat in range(1, 6)}
    events = [
        post(", ".join(f"{seat} ante 100" for seat in range(1, 6))),
        own(**hands),
        acts("1 check, 2 check, 3 check, 4 check, 5 check"),
        acts(f"1 draw {deck[0]} {deck[1]} {deck[2]}"),
        own(s1=" ".join(deck[25:])),
        acts(f"2 draw {deck[5]}"),
    ]

    for card, expected in ((deck[1], []), (deck[7], [("impossible_card",)])):
        _, findings = settle(
            *events, own(s2=card), variety="five_card_draw", deck=28, button=5, rake_percent=0, ante=100
        )
        assert findings == expected


# --- VI, combinations ---------------------------------------------------------------------------------------------


def test_omaha_takes_exactly_two_own_cards_and_three_of_the_board():
    money, _ = settle(
        BLINDS,
        own(s2="AS KH QD 2C", s3="2H 2D 8C 7C"),
        acts("2 call 100, 3 check"),
        board("AH AD KS", burn="4C"),
        acts("2 check, 3 check"),
        board("KC", burn="4D"),
        acts("2 check, 3 check"),
        board("2S", burn="4S"),
        acts("2 check, 3 check"),
        END,
        **{**TABLE, "variety": "omaha", "button": 2},
    )

    assert money["seat2"] == (200, 200)  # aces full of kings; twos full of aces is all that the other has


def test_suits_never_decide():
    money, _ = settle(
        BLINDS, own(s2="AS KS", s3="AC KC"), acts("2 call 100, 3 check"),
        board("QH JD TC", burn="2C"), acts("3 check, 2 check"),
        board("4S", burn="3C"), acts("3 check, 2 check"),
        board("5D", burn="3D"), acts("3 check, 2 check"), END,
        **{**TABLE, "button": 2},
    )  # fmt: skip

    assert money == {"seat2": (0, 200), "seat3": (0, 200)}


# --- IV, places and turns -----------------------------------------------------------------------------------------


def test_with_two_seats_the_button_is_the_small_blind_and_acts_first_before_the_flop_and_last_after():
    _, findings = settle(
        post("2 small_blind 100, 3 big_blind 200"),
        own(s2="AS KS", s3="AC KC"),
        acts("2 call 100, 3 check"),
        board("QH JD TC", burn="2C"),
        acts("3 check, 2 raise 200, 3 fold"),
        END,
        **{**TABLE, "button": 2},
    )

    assert findings == []


def test_the_small_blind_may_be_missing():
    _, findings = settle(
        post("3 big_blind 200"),
        own(s3="7S 6S", s5="9C 9D", s1="AC AH"),
        acts("5 fold, 1 raise 600, 3 fold"),
        END,
        **{**TABLE, "button": 1},
    )

    assert findings == []


def test_the_next_occupied_seat_is_the_left_neighbour_wrapping_round():
    _, findings = settle(
        post("9 small_blind 100, 2 big_blind 200"),
        own(s9="KC 9D", s2="7S 6S", s4="QC QD", s7="AC AH"),
        acts("4 call 200, 7 call 200, 9 call 100, 2 check"),
        board("2D TH JC", burn="4C"),
        acts("9 check, 2 check, 4 check, 7 raise 400, 9 fold, 2 fold, 4 fold"),
        END,
        **{**TABLE, "button": 7},
    )

    assert findings == []


def test_with_antes_only_the_left_of_the_button_is_first():
    _, findings = settle(
        post("1 ante 100, 2 ante 100, 3 ante 100"),
        THREE,
        acts("2 check, 3 check, 1 raise 200, 2 fold, 3 fold"),
        END,
        button=1,
        ante=100,
        rake_percent=0,
    )

    assert findings == []


def test_the_big_blind_may_still_raise():
    _, findings = hand(acts("1 call 200, 2 call 100, 3 raise 400, 1 fold, 2 fold"), END)

    assert findings == []


def test_a_hand_later_the_blinds_say_where_the_button_is():
    _, findings = settle(
        BLINDS, THREE, acts("1 fold, 2 fold"), END,
        post("3 small_blind 100, 1 big_blind 200"),
        own(s3="7S 6S", s1="AC AH", s2="KC 9D"), acts("2 call 200, 3 call 100, 1 check"),
        FLOP, acts("3 check, 1 check, 2 raise 200, 3 fold, 1 fold"), END,
        **TABLE,
    )  # fmt: skip

    assert findings == []


def test_a_hand_later_without_blinds_the_button_is_one_seat_further_left():
    antes = post("1 ante 100, 2 ante 100, 3 ante 100")
    _, findings = settle(
        antes, THREE, acts("2 check, 3 check, 1 raise 200, 2 fold, 3 fold"), END,
        antes, THREE, acts("3 check, 1 check, 2 raise 200, 3 fold, 1 fold"), END,
        button=1, ante=100, rake_percent=0,
    )  # fmt: skip

    assert findings == []


# --- V, out of turn and string bets -------------------------------------------------------------------------------


def test_acting_out_of_turn_counts_and_the_seat_passed_over_is_still_to_act():
    money, findings = hand(acts("2 call 100, 1 call 200, 3 check"), REST, END)

    assert findings == [("illegal_decision", 2)]
    assert money["seat1"] == (400, 200)


def test_a_second_action_with_nobody_acting_between_is_void():
    money, findings = hand(acts("1 call 200, 1 raise 400, 2 call 100, 3 check"), REST, END)

    assert findings == [("illegal_decision", 1)]
    assert money["seat1"] == (400, 200)


def test_a_void_action_between_does_not_count_as_acting():
    _, findings = hand(acts("1 call 200, 2 check, 1 raise 400, 2 call 100, 3 check"), REST, END)

    assert findings == [("illegal_decision", 1), ("illegal_decision", 2)]


def test_a_check_while_owing_is_void_and_the_seat_is_still_to_act():
    _, findings = hand(acts("1 check, 1 call 200, 2 call 100, 3 check"), REST, END)

    assert findings == [("illegal_decision", 1)]


def test_a_call_while_owing_nothing_is_a_check():
    money, findings = hand(acts("1 call 200, 2 call 100, 3 call 200"), REST, END)

    assert findings == [("illegal_decision", 3)]
    assert money["seat1"] == (400, 200)


def test_a_fold_that_owes_nothing_is_allowed():
    _, findings = hand(acts("1 call 200, 2 call 100, 3 fold"), FLOP, acts("2 check, 1 raise 200, 2 fold"), END)

    assert findings == []


@pytest.mark.parametrize(
    ("wrong", "seat"),
    [
        (acts("1 fold, 2 call 100, 1 call 200, 3 check"), 1),  # it has folded
        (acts("1 raise 600 all_in, 2 call 500, 1 raise 400, 3 call 400"), 1),  # it is all-in
        ([*LIMPS, *acts("2 raise 400")], 2),  # between two rounds
        ([*LIMPS, *acts("1 fold")], 1),
        (acts("1 draw, 1 call 200, 2 call 100, 3 check"), 1),  # there is no draw
        (acts("1 stand, 1 call 200, 2 call 100, 3 check"), 1),
        (acts("7 call 200, 1 call 200, 2 call 100, 3 check"), 7),  # it has no cards
    ],
)
def test_acting_when_one_may_not_is_void(wrong, seat):
    _, findings = hand(wrong, FLOP)

    assert findings == [("illegal_decision", seat)]


def test_acting_when_nobody_can_act_any_more_is_void():
    money, findings = hand(
        acts("1 raise 600 all_in, 2 fold, 3 call 400"), FLOP, acts("3 raise 400"), TURN, acts("3 check"), RIVER, END
    )

    assert findings == [("illegal_decision", 3), ("illegal_decision", 3)]
    assert money["seat1"] == (700, 600)


@pytest.mark.parametrize("folded", [False, True])
def test_money_after_the_last_round_is_late_and_goes_back(folded):
    play = acts("1 raise 600, 2 fold, 3 fold") if folded else [*LIMPS, *REST]
    _, findings = hand(play, acts("1 raise 1000"), END)

    assert findings == [("late_bet", 1)]


# --- VI, the sizes of bets ----------------------------------------------------------------------------------------


def test_a_short_all_in_raise_does_not_reopen_the_raising():
    money, findings = hand(
        acts("1 raise 600, 2 raise 800 all_in, 3 fold, 1 raise 1000"),  # it owes 300; a full raise is 400
        FLOP, TURN, RIVER, END,
    )  # fmt: skip

    assert findings == [("illegal_decision", 1)]
    assert money["seat1"] == (1100, 900)


def test_several_short_all_in_raises_together_may_reopen_it():
    _, findings = settle(
        BLINDS, THREE, own(s4="QC QD"),
        acts("4 raise 600, 1 raise 800 all_in, 2 raise 900 all_in, 3 fold, 4 raise 2000"),
        END,
        **TABLE,
    )  # fmt: skip

    assert ("illegal_decision", 4) not in findings


def test_a_seat_that_has_not_acted_may_raise_a_short_all_in_raise():
    _, findings = hand(acts("1 raise 250 all_in, 2 call 150, 3 raise 450, 2 fold"), FLOP, TURN, RIVER, END)

    assert findings == []


def test_a_full_raise_reopens_the_raising():
    _, findings = hand(acts("1 raise 600, 2 raise 900, 3 fold, 1 raise 1000, 2 fold"), END)

    assert findings == []


def test_a_call_of_less_counts_and_the_seat_puts_in_the_rest():
    money, findings = hand(acts("1 raise 600, 2 call 200, 2 call 300, 3 fold"), FLOP, acts("2 check, 1 check"))
    assert findings == [("stake_mismatch", 2)]

    money, findings = hand(
        acts("1 raise 600, 2 call 200, 3 fold"), FLOP, acts("2 check, 1 check"),
        TURN, acts("2 check, 1 check"), RIVER, acts("2 check, 1 check"), END,
    )  # fmt: skip
    assert findings == [("illegal_decision", 3), ("missing_decision", 2), ("stake_mismatch", 2)]  # it was 2's turn
    assert money == {"seat1": (500, 600), "seat2": LOST, "seat3": LOST}  # 300 of it were never called


def test_a_raise_of_no_more_than_owed_is_a_call():
    _, findings = hand(acts("1 raise 200, 2 raise 50, 2 call 50, 3 check"), FLOP, CHECKS)

    assert findings == [("stake_mismatch", 1), ("stake_mismatch", 2)]


def test_a_call_for_less_or_a_raise_for_less_may_be_all_in():
    _, findings = hand(acts("1 call 150 all_in, 2 raise 50 all_in, 3 check"), FLOP, TURN, RIVER, END)

    assert findings == [("illegal_decision", 3)]  # nobody else can bet: it has nothing to say


def test_the_surplus_of_a_call_goes_back():
    money, findings = hand(acts("1 call 350, 2 call 100, 3 check"), REST, END)

    assert findings == [("stake_mismatch", 1)]
    assert money["seat1"] == (400, 200)


@pytest.mark.parametrize(
    ("play", "options", "expected"),
    [
        ("1 raise 350", {}, [("below_minimum", 1)]),
        ("1 raise 350 all_in", {}, []),
        ("1 raise 400", {}, []),
        ("1 raise 400", {"min_bet": 300}, [("below_minimum", 1)]),
        ("1 raise 800, 2 raise 1200", {}, [("below_minimum", 2)]),  # by 500; the last full raise was by 600
        ("1 raise 800, 2 raise 1300", {}, []),
        ("1 raise 300, 2 raise 400", {}, [("below_minimum", 1)]),  # a raise that is not full is no measure
        ("1 raise 700", {"betting": "pot_limit"}, []),  # 300 in the pot, 200 to call: by 500
        ("1 raise 750", {"betting": "pot_limit"}, [("above_maximum", 1)]),
        ("1 raise 750 all_in", {"betting": "pot_limit"}, [("above_maximum", 1)]),
    ],
)
def test_a_raise_is_at_least_the_last_full_one_and_at_pot_limit_at_most_the_pot(play, options, expected):
    _, findings = hand(acts(play), **options)

    assert findings == expected


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ("1 raise 400, 2 raise 500, 3 raise 600", []),
        ("1 raise 350", [("below_minimum", 1)]),
        ("1 raise 350 all_in", []),
        ("1 raise 500", [("above_maximum", 1)]),
    ],
)
def test_at_fixed_limit_a_raise_is_the_bet_of_the_round(play, expected):
    _, findings = hand(acts(play), betting="fixed_limit", small_bet=200, big_bet=400)

    assert findings == expected


def test_at_fixed_limit_the_big_bet_begins_on_the_turn():
    _, findings = hand(
        LIMPS, FLOP, acts("2 raise 400, 3 call 400, 1 call 400"), TURN, acts("2 raise 200, 3 raise 600, 1 fold"),
        betting="fixed_limit", small_bet=200, big_bet=400,
    )  # fmt: skip

    assert findings == [("above_maximum", 2), ("below_minimum", 2)]


def test_at_a_draw_the_big_bet_begins_after_the_exchange():
    _, findings = settle(
        post("1 ante 100, 2 ante 100"), own(s1="AS AH AD KC KD", s2="2S 2H 2D 3C 3D"),
        acts("1 raise 200, 2 call 200, 1 draw, 2 draw, 1 raise 400, 2 raise 600"),
        variety="five_card_draw", button=2, betting="fixed_limit", small_bet=200, big_bet=400,
    )  # fmt: skip

    assert findings == [("below_minimum", 2)]


@pytest.mark.parametrize(
    ("forced", "expected"),
    [
        ("2 small_blind 50, 3 big_blind 200", [("below_minimum", 2)]),
        ("2 small_blind 100, 3 big_blind 150", [("below_minimum", 3)]),
        ("2 small_blind 100, 3 big_blind 150 all_in", []),
        ("2 small_blind 100, 3 big_blind 200, 1 ante 50", [("below_minimum", 1)]),
        ("2 small_blind 100, 3 big_blind 200, 1 ante 50 all_in", []),
    ],
)
def test_a_forced_bet_is_that_of_the_table_unless_it_is_all_in(forced, expected):
    _, findings = settle(post(forced), THREE, **{**TABLE, "ante": 100})

    assert findings == expected


def test_a_forced_bet_that_the_variety_does_not_have_is_refused_and_goes_back():
    money, findings = settle(post("1 bring_in 100"), BLINDS, THREE, acts("1 fold, 2 fold"), END, **TABLE)

    assert findings == [("wager_not_offered", "seat1")]
    assert money["seat1"] == (0, 100)


def test_a_blind_after_the_betting_has_begun_is_late():
    _, findings = hand(acts("1 call 200"), post("1 big_blind 200"))

    assert findings == [("late_bet", 1)]


# --- III, the dealer ----------------------------------------------------------------------------------------------


def test_without_a_burn_card_a_street_is_misdealt_and_the_cards_stand():
    money, findings = hand(LIMPS, board("2D TH JC"), CHECKS, TURN, CHECKS, RIVER, CHECKS, END)

    assert findings == [("dealing_error",)]
    assert money["seat1"] == (400, 200)


def test_a_sixth_board_card_does_not_play():
    money, findings = hand(LIMPS, REST, board("KD"), END)  # with the king seat 2 would have two pair, not more

    assert findings == [("dealing_error",)]
    assert money["seat1"] == (400, 200)


def test_a_hand_closed_with_cards_to_come_leaves_all_open_and_no_rake_is_due():
    money, findings = hand(LIMPS, FLOP, CHECKS, END, rake_percent=5)

    assert findings == [("dealing_error",)]
    assert set(money.values()) == {"open"}


def test_the_next_street_before_a_seat_has_acted_leaves_it_live():
    money, findings = hand(acts("1 raise 600, 2 call 500"), FLOP, CHECKS, TURN, CHECKS, RIVER, CHECKS, END)

    assert findings == [("missing_decision", 3)]
    assert money == {"seat1": (800, 600), "seat2": LOST, "seat3": LOST}


def test_a_hand_closed_before_a_seat_has_acted_is_settled_with_it():
    money, findings = hand(LIMPS, FLOP, CHECKS, TURN, CHECKS, RIVER, acts("2 check, 3 check"), END)

    assert findings == [("missing_decision", 1)]
    assert money["seat1"] == (400, 200)


@pytest.mark.parametrize(
    ("dealt", "dead"),
    [({"s2": "KC 9D", "s3": "7S 6S", "s1": "AC AH AD"}, 1), ({"s2": "KC", "s3": "7S 6S", "s1": "AC AH"}, 2)],
)
def test_a_hand_with_a_wrong_number_of_cards_is_dead_at_the_showdown(dealt, dead):
    money, findings = settle(BLINDS, own(**dealt), LIMPS, REST, END, **TABLE)

    assert findings == [("dealing_error", dead)]
    assert money[f"seat{dead}"] == LOST


def test_a_hand_with_a_wrong_number_of_cards_still_wins_when_all_others_fold():
    money, findings = settle(BLINDS, own(s2="KC 9D", s3="7S", s1="AC AH"), acts("1 fold, 2 fold"), END, **TABLE)

    assert findings == [("dealing_error", 3)]
    assert money["seat3"] == (100, 200)


def test_a_card_in_the_middle_of_the_hand_makes_a_hand_dead_once():
    money, findings = hand(LIMPS, own(s1="AD"), own(s1="AS"), REST, END)

    assert findings == [("dealing_error", 1)]
    assert money["seat1"] == LOST


# --- VI, the draw -------------------------------------------------------------------------------------------------

DRAW: Final[dict[str, Any]] = {"variety": "five_card_draw", "button": 3, "ante": 100, "min_bet": 200, "rake_percent": 0}
DEALT: Final = [
    *post("1 ante 100, 2 ante 100, 3 ante 100"),
    *own(s1="AS AH KD 7C 2D", s2="QS QH QD 8C 3D", s3="JS JH 9D 6C 4D"),
]
CALLED: Final = acts("1 raise 200, 2 call 200, 3 call 200")


def test_exchanged_cards_come_at_once_or_after_all_have_discarded():
    discards = acts("1 draw 7C 2D, 2 draw, 3 draw 9D 6C 4D")
    new = [own(s1="AC AD"), [], own(s3="TS TD TH")]
    end = [*acts("1 check, 2 check, 3 check"), *END]
    for after in (False, True):
        if after:
            events = [*discards, *new[0], *new[2]]
        else:
            events = [discards[0], *new[0], discards[1], discards[2], *new[2]]
        money, findings = settle(DEALT, CALLED, events, end, **DRAW)
        assert findings == []
        assert money == {"seat1": (600, 300), "seat2": LOST, "seat3": LOST}


def test_all_in_seats_exchange_too():
    money, findings = settle(
        DEALT, acts("1 raise 200 all_in, 2 raise 400 all_in, 3 fold, 1 draw 7C 2D, 2 draw 8C 3D"),
        own(s1="AC 5D", s2="4S 5S"), END, **DRAW,
    )  # fmt: skip

    assert findings == []
    assert money == {"seat1": (400, 300), "seat2": (0, 200), "seat3": LOST}


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        ("2 draw, 1 draw, 3 draw", [("illegal_decision", 2)]),
        ("1 draw, 1 draw, 2 draw, 3 draw", [("illegal_decision", 1)]),
        ("1 draw, 2 raise 400, 2 draw, 3 draw", [("illegal_decision", 2)]),
        ("1 draw, 2 draw, 3 draw, 1 draw 2D", [("illegal_decision", 1)]),
    ],
)
def test_the_exchange_goes_from_the_left_of_the_button_once_each(draw, expected):
    _, findings = settle(DEALT, CALLED, acts(draw), acts("1 check, 2 check, 3 check"), END, **DRAW)

    assert findings == expected


def test_the_exchange_before_a_seat_has_acted_is_a_missing_decision():
    _, findings = settle(
        DEALT, acts("1 raise 200, 2 call 200, 1 draw, 2 draw, 3 draw, 1 check, 2 check, 3 check"), END, **DRAW
    )

    assert findings == [("missing_decision", 3)]


def test_an_exchange_instead_of_a_call_is_void():
    _, findings = settle(
        DEALT, acts("1 raise 200, 2 draw, 2 call 200, 3 fold, 1 draw, 2 draw, 1 check, 2 check"), END, **DRAW
    )

    assert findings == [("illegal_decision", 2)]


def test_a_hand_closed_before_a_seat_has_said_its_draw_is_a_missing_decision():
    money, findings = settle(DEALT, CALLED, acts("1 draw, 3 draw"), END, **DRAW)

    assert findings == [("illegal_decision", 3), ("missing_decision", 2)]
    assert money["seat2"] == (600, 300)


@pytest.mark.parametrize("new", ["AC", "AC AD KS"])
def test_another_number_of_cards_than_was_exchanged_makes_the_hand_dead(new):
    money, findings = settle(
        DEALT, CALLED, acts("1 draw 7C 2D, 2 draw, 3 draw"), own(s1=new), acts("1 check, 2 check, 3 check"), END, **DRAW
    )

    assert findings == [("dealing_error", 1)]
    assert money["seat2"] == (600, 300)


def test_a_card_that_the_seat_does_not_hold_cannot_be_exchanged():
    money, findings = settle(
        DEALT, CALLED, acts("1 draw KS, 2 draw, 3 draw"), own(s1="AC"), acts("1 check, 2 check, 3 check"), END, **DRAW
    )

    assert findings == [("dealing_error", 1)]
    assert money["seat1"] == LOST


# --- the table, holes in the log ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"rake_percent": 6},
        {"variety": "badugi"},
        {"deck": 40},
        {"house_take": "time"},
        {"betting": "fixed_limit"},
        {"betting": "fixed_limit", "small_bet": 400, "big_bet": 200},
    ],
)
def test_what_the_house_may_not_set_up_is_said_when_the_table_opens(options):
    codes = [said.code for said in _table(options).drain() if isinstance(said, Finding)]

    assert codes == ["setup_not_allowed"]


def test_the_rake_is_five_per_cent_at_most_whatever_the_table_posts():
    play = [*acts("1 raise 1000, 2 call 900, 3 call 800"), *REST]
    _, findings = hand(play, rake(150), END, rake_percent=8)

    assert findings == []


def _table(options: dict[str, Any]) -> Session:
    scenario = Scenario.read(
        {
            "scenario": "-",
            "source": "-",
            "table": {"game": "circle_poker", "rules": "AD-2022", "options": options},
            "events": ["round_opened"],
        }
    )
    session = Session("scenario", JUDGING)
    session.step(scenario.events[0], b"")
    return session


def test_a_hole_in_the_log_leads_to_no_finding_and_the_next_hand_is_judged():
    play = [*BLINDS, *THREE, *LIMPS, *REST, *rake(0), *claim("seat1 400 200"), *END]
    again = ["round_opened", *play[:-1], *claim("seat2 100 0"), *END]
    events = Scenario.read(
        {
            "scenario": "-",
            "source": "-",
            "table": {"game": "circle_poker", "rules": "AD-2022", "options": {**TABLE}},
            "events": [*play, *again],
        }
    ).events
    for missing in range(1, len(play) + 1):
        session = Session("scenario", JUDGING)
        for place, event in enumerate(events):
            if place == missing:
                session.hole(place + 1, place + 1, "sequence_gap", "event missing")
            else:
                session.step(event, b"")
        session.finish()
        said = session.drain()
        findings = [each for each in said if isinstance(each, Finding) and each.code != "sequence_gap"]
        assert [(each.code, each.bet, each.amount) for each in findings] == [("overpaid", "seat2", 100)], missing
        second = [each for each in said if isinstance(each, Settlement) and each.round == 2]
        assert len({each.bet for each in second}) == 3


def test_no_wager_has_odds_of_its_own():
    rules = PACKS.game("AD-2022", "circle_poker")

    assert list(odds_of(rules)(rules)) == []


# --- what the pack must say ---------------------------------------------------------------------------------------


def faults_of(alter) -> list[str]:
    """What is wrong with the pack's law when something in it is altered."""
    data = copy.deepcopy(dict(RULES.data))
    alter(data)
    return [str(fault) for fault in read_law(CirclePokerLaw, data)[1]]


@pytest.mark.parametrize(
    ("variety", "fault"),
    [
        ({"wins": ["hi"]}, "varieties.holdem.wins: some of high, eight_or_better, razz, deuce_to_seven; did you mean"),
        ({"wins": ["eight_or_better"]}, "varieties.holdem.wins: one ranking"),  # nobody may have such a low hand
        ({"wins": ["high", "razz", "razz"]}, "varieties.holdem.wins: one ranking"),
        ({"wins": []}, "varieties.holdem.wins: one ranking"),
        ({"streets": []}, "varieties.holdem.streets: own cards"),
        ({"streets": ["dd", "bbb", "d"]}, "varieties.holdem.streets: own cards"),
        ({"streets": ["dd", "bbb", "x"]}, "varieties.holdem.streets: own cards"),
        ({"streets": ["ddu", "uu"]}, "varieties.holdem.streets: own cards"),
        ({"streets": ["dd", "b b", "bbb"]}, "varieties.holdem.streets: own cards"),
        ({"streets": ["dd", "bb"]}, "varieties.holdem.streets: 5 to 7 cards"),
        ({"streets": ["dddd", "bbb", "b"]}, "varieties.holdem.streets: 5 to 7 cards"),
        ({"own_in_hand": 3}, "varieties.holdem.own_in_hand: 2 at most"),
    ],
)
def test_a_variety_that_could_not_be_played_is_refused(variety, fault):
    faults = faults_of(lambda law: law["varieties"]["holdem"].update(variety))

    assert len(faults) == 1
    assert faults[0].startswith(fault)
    assert "{" not in faults[0]


@pytest.mark.parametrize(
    ("alter", "fault"),
    [
        (lambda law: law["decks"]["36"].update(ranks="A689TJQK"), "decks.36.ranks: each rank once"),
        (lambda law: law["decks"]["36"].update(ranks="AA6789TJQ"), "decks.36.ranks: each rank once"),
        (lambda law: law["decks"]["36"].update(ranks="A789TJQK"), "decks.36.ranks: four cards of each are 32, not 36"),
        (lambda law: law["decks"].pop("36"), "options.deck.choices: there is no decks.36"),
        (lambda law: law["varieties"].pop("razz"), "options.variety.choices: there is no varieties.razz"),
        (
            lambda law: law["options"]["betting"].update(choices=["no_limit", "spread_limit"]),
            "options.betting.choices: circle_poker knows no spread_limit (it knows: no_limit, pot_limit, fixed_limit)",
        ),
        (lambda law: law["options"]["betting"].pop("default"), "options.betting.default: is missing"),
        (
            lambda law: law["options"].pop("big_bet"),
            "options.big_bet: is missing: fixed_limit may be chosen as betting",
        ),
        (lambda law: law["options"].pop("rake_percent"), "options.rake_percent: is missing"),
        (lambda law: law["options"]["rake_percent"].update(most=101), "options.rake_percent.most: 100 at most"),
        (lambda law: law["options"]["rake_cap"].pop("least"), "options.rake_cap.least: 0 at least"),
        (lambda law: law["options"]["burn"].update(kind="int", default=1), "options.burn.kind: flag, not int"),
    ],
)
def test_a_choice_that_could_not_be_followed_is_refused(alter, fault):
    faults = faults_of(alter)

    assert len(faults) == 1
    assert faults[0].startswith(fault)
    assert "{" not in faults[0]


def test_a_law_may_leave_fewer_choices():
    def alter(law: dict[str, Any]) -> None:
        options = law["options"]
        options["betting"]["choices"] = ["no_limit", "pot_limit"]
        options["house_take"]["choices"] = ["percentage"]
        for name in ("small_bet", "big_bet", "time_fee", "rake_cap", "no_flop_no_drop", "button", "ante_by", "burn"):
            del options[name]

    assert faults_of(alter) == []


def test_whether_the_flush_beats_the_full_house_is_the_law_of_each_deck():
    flush, full_house = ["AS", "KS", "JS", "TS", "9S"], ["AS", "AH", "AD", "KC", "KS"]
    better = {cards: LAW.decks[cards].ranking.best(flush) > LAW.decks[cards].ranking.best(full_house)
              for cards in LAW.decks}  # fmt: skip
    assert better == {"52": False, "36": True, "32": True, "28": True}

    other = LAW.decks["36"].model_copy(update={"flush_beats_full_house": False}).ranking
    assert other.best(flush) < other.best(full_house)
    assert other.name(other.best(["AS", "6H", "7D", "8C", "9S"])) == "straight"
