"""Texas hold'em bonus, AD-2022 game 22, passage by passage: what the scenarios and the shared checks leave out."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.games.texas_holdem_bonus import bonus, odds, showdown, two_cards
from replay.hands import FIVE
from tests.games.house_poker import CLOSE, END, bet, board, burn, claim, dealer, exposed, hand, say, set_up, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "texas_holdem_bonus")
FLOP = burn("2H") + board("KD 7C 3H")
TURN = burn("4H") + board("8S")
RIVER = burn("5H") + board("2D")
DEALT = CLOSE + hand("KS 9D") + dealer("QH 8C")


def play(*events, **table):
    return settle("texas_holdem_bonus", *events, **table)


# III, IV


def test_iii_one_place_a_player():
    """An ante of somebody who has one elsewhere is refused; a stranger's, or one without a name, is not."""
    _, findings = play(
        bet("a", "ante", player="ann"), bet("b", "ante", seat=2, player="ann"), bet("c", "ante", seat=2, player="bob"),
        bet("d", "ante", seat=3), bet("e", "ante", seat=4), CLOSE,
    )  # fmt: skip

    assert findings == [("too_many_bets", "b")]


@pytest.mark.parametrize("seat", [0, 10])
def test_iii_nine_places(seat):
    assert play(bet("a", "ante", seat=9), bet("b", "ante", seat=seat), CLOSE)[1] == [("wager_not_offered", "b")]


def test_iv_a_maximum_is_5_10_20_or_30_times_the_minimum():
    for times in (1, 4, 5, 6, 10, 15, 20, 29, 30, 31, 50):
        allowed = times in (5, 10, 20, 30)
        assert set_up("texas_holdem_bonus", limits={"min": 500, "max": 500 * times}) == (
            [] if allowed else ["setup_not_allowed"]
        )
    assert set_up("texas_holdem_bonus", limits={"min": 500, "max": 5000, "bonus": {"min": 100, "max": 700}}) == [
        "setup_not_allowed"
    ]


# V, rulings


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=9, max_size=9, unique=True))
def test_v_the_higher_hand_wins_and_the_ante_with_a_straight_or_better(cards):
    player, bank = FIVE.best(cards[:7]), FIVE.best(cards[2:])
    straight = FIVE.name(player) in (
        "straight", "flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush",
    )  # fmt: skip

    side = 1 if player > bank else 0 if player == bank else -1
    assert {showdown(RULES, wager, player, bank).net for wager in ("flop", "turn", "river")} == {side}
    assert showdown(RULES, "ante", player, bank).net == (0 if side == 1 and not straight else side)


@pytest.mark.parametrize(
    ("own", "pays"),
    [
        ("AS AH", 30), ("AS KS", 25), ("QD AD", 20), ("AC JC", 20), ("AS KH", 15), ("KS KH", 10), ("QS QH", 10),
        ("JS JH", 10), ("AS QH", 5), ("JH AS", 5), ("TS TH", 3), ("2S 2H", 3), ("7S 7H", 3), ("AS TS", None),
        ("KS QS", None), ("KS QH", None), ("AS 2H", None),
    ],
)  # fmt: skip
def test_v_the_bonus_table(own, pays):
    result = bonus(RULES, own.split(), ["AD", "4C"])

    assert (result.price.ratio, result.back) == ((pays, True) if pays else (0, False))


def test_v_aces_against_aces_replace_the_line_for_aces():
    assert bonus(RULES, ["AS", "AH"], ["AD", "AC"]).price.ratio == 1000
    assert bonus(RULES, ["KS", "KH"], ["AD", "AC"]).price.ratio == 10


def test_v_the_lines_of_the_bonus_table_by_hands():
    """The page's counts of the 1,326 hands of two cards."""
    lines = Counter(RULES.wagers["bonus"].prices.get(two_cards(own)) for own in combinations(FRENCH_DECK, 2))

    assert {price.num if price else 0: count for price, count in lines.items()} == {
        30: 6, 25: 4, 20: 8, 15: 12, 10: 18, 5: 24, 3: 54, 0: 1_200,
    }  # fmt: skip


# V, procedure


def test_v_a_whole_hand_with_all_stakes():
    money, findings = play(
        bet("a", "ante"), bet("o", "bonus", 500), DEALT, say("play"), bet("f", "flop", 2000), FLOP, say("raise"),
        bet("t", "turn"), TURN, say("raise"), bet("r", "river"), RIVER, claim("a", 0, 1000), claim("f", 2000, 2000),
        claim("t", 1000, 1000), claim("r", 1000, 1000), claim("o", 0, 0), END,
    )  # fmt: skip

    assert money == {"a": (0, 1000), "f": (2000, 2000), "t": (1000, 1000), "r": (1000, 1000), "o": (0, 0)}
    assert findings == []


def test_v_who_checked_on_the_turn_may_bet_on_the_river_and_silence_is_a_check():
    for said in (say("check"), []):
        money, findings = play(
            bet("a", "ante"), DEALT, bet("f", "flop", 2000), FLOP, said, TURN, bet("r", "river", of="a"), RIVER,
            claim("a", 0, 1000), claim("f", 2000, 2000), claim("r", 1000, 1000), END,
        )  # fmt: skip
        assert money == {"a": (0, 1000), "f": (2000, 2000), "r": (1000, 1000)}
        assert findings == []


def test_v_every_stake_has_its_window():
    """Before it: not offered. After it: late."""
    early_turn, early_river = bet("x", "turn"), bet("y", "river")
    money, findings = play(
        bet("a", "ante"), DEALT, bet("f", "flop", 2000), early_turn, early_river, burn("2H") + board("KD 7C"),
        bet("l", "flop", 2000), bet("z", "turn"), board("3H"), bet("w", "river"), TURN, bet("u", "turn"), RIVER,
        bet("v", "river"), END,
    )  # fmt: skip

    assert money["f"] == (2000, 2000)
    assert [found for found in findings if found[0] != "unsettled"] == [
        ("late_bet", "l"), ("late_bet", "u"), ("late_bet", "v"), ("wager_not_offered", "w"), ("wager_not_offered", "x"),
        ("wager_not_offered", "y"), ("wager_not_offered", "z"),
    ]  # fmt: skip


def test_v_turn_and_river_need_a_flop_stake():
    _, findings = play(
        bet("a", "ante"), bet("b", "ante", seat=2), CLOSE, hand("KS 9D"), hand("TC TD", 2), dealer("QH 8C"),
        bet("f", "flop", 2000), say("fold", 2), FLOP, bet("x", "turn", seat=2), TURN, bet("y", "river", seat=2), RIVER,
        claim("x", 0, 1000), claim("y", 0, 1000), claim("b", 0, 0), claim("a", 0, 1000), claim("f", 2000, 2000), END,
    )  # fmt: skip

    assert findings == [("wager_not_offered", "x"), ("wager_not_offered", "y")]


@pytest.mark.parametrize(
    ("early", "on_flop", "illegal"),
    [
        (say("check"), [], True), (say("raise"), [], True), (say("play"), [], False), ([], say("check"), False),
        ([], say("raise"), False), ([], say("fold"), True), ([], say("call"), True), ([], say("check", 2), True),
    ],
)  # fmt: skip
def test_v_what_may_be_said_when(early, on_flop, illegal):
    _, findings = play(
        bet("a", "ante"), DEALT, early, bet("f", "flop", 2000), FLOP, on_flop, TURN, RIVER, claim("a", 0, 1000),
        claim("f", 2000, 2000), END,
    )  # fmt: skip

    assert [code for code, _ in findings] == (["illegal_decision"] if illegal else [])


def test_v_nothing_is_said_after_the_river():
    _, findings = play(
        bet("a", "ante"), DEALT, bet("f", "flop", 2000), FLOP, TURN, RIVER, say("check"), claim("a", 0, 1000),
        claim("f", 2000, 2000), END,
    )  # fmt: skip

    assert findings == [("illegal_decision", 1)]


def test_v_a_fold_keeps_the_bonus_which_is_decided_at_the_end_of_the_hand():
    start = [bet("a", "ante"), bet("o", "bonus", 500), bet("b", "ante", seat=2), CLOSE, hand("AS KH"), hand("KS 9D", 2),
             dealer("QH 8C"), say("fold"), claim("a", 0, 0), bet("f", "flop", 2000, seat=2)]  # fmt: skip
    rest = [claim("b", 0, 1000), claim("f", 2000, 2000), END]
    paid = claim("o", 7500, 500)

    assert play(*start, FLOP, TURN, RIVER, paid, *rest)[1] == []
    assert play(*start, FLOP, TURN, paid, RIVER, *rest)[1] == [("settled_too_early", "o")]


def test_v_when_nobody_stakes_the_bonus_is_decided_at_the_last_fold():
    start = [bet("a", "ante"), bet("o", "bonus", 500), bet("b", "ante", seat=2), CLOSE, hand("AS KH"), hand("KS 9D", 2),
             dealer("QH 8C"), say("fold"), claim("a", 0, 0)]  # fmt: skip
    last, paid = say("fold", 2) + claim("b", 0, 0), claim("o", 7500, 500)

    assert play(*start, last, paid, END)[1] == []
    assert play(*start, paid, last, END)[1] == [("settled_too_early", "o")]


def test_v_whoever_is_passed_over_stays_undecided_and_his_bonus_is_settled():
    money, findings = play(bet("a", "ante"), bet("o", "bonus", 500), CLOSE, hand("AS KH"), dealer("QH 8C"),
                           claim("o", 7500, 500), END)  # fmt: skip
    assert money == {"a": "open", "o": (7500, 500)}
    assert findings == [("missing_decision", 1), ("settled_too_early", "o")]

    money, findings = play(bet("a", "ante"), bet("o", "bonus", 500), CLOSE, hand("AS KH"), dealer("QH 8C"), FLOP,
                           claim("o", 7500, 500), END)  # fmt: skip
    assert money == {"a": "open", "o": (7500, 500)}
    assert findings == [("missing_decision", 1)]


def test_v_a_flop_stake_needs_five_cards_on_the_board():
    money, findings = play(
        bet("a", "ante"), DEALT, bet("f", "flop", 2000), FLOP, TURN, claim("a", 0, 1000), claim("f", 0, 2000), END
    )

    assert (money, findings) == ({"a": (0, 1000), "f": (0, 2000)}, [("dealing_error", None)])


def test_v_a_card_is_burnt_before_each_street():
    """Once a street; more than one is no matter; one from before the hands were dealt, or exposed, is none."""
    streets = [board("KD 7C 3H"), board("8S"), board("2D")]
    paid = claim("a", 0, 1000) + claim("f", 2000, 2000) + END
    for burns, errors in (
        (("2H", "4H", "5H"), 0),
        (("2H 2S", "4H 4S", "5H"), 0),
        (("", "4H", "5H"), 1),
        (("2H", "", ""), 2),
        (("", "", ""), 3),
    ):
        cards = [burn(each) + street for each, street in zip(burns, streets, strict=True)]
        _, findings = play(burn("6S"), bet("a", "ante"), DEALT, bet("f", "flop", 2000), *cards, paid)
        assert findings == [("dealing_error", None)] * errors
    _, findings = play(bet("a", "ante"), DEALT, bet("f", "flop", 2000), exposed("2H"), streets[0], TURN, RIVER, paid)
    assert findings == [("dealing_error", None)]


def test_v_a_burnt_card_counts_among_the_copies():
    _, findings = play(bet("a", "ante"), DEALT, bet("f", "flop", 2000), burn("2H"), board("KD 7C 2H"))

    assert findings == [("impossible_card", None)]


def test_vi_a_misdeal_takes_the_bonus_back_too():
    money, findings = play(
        bet("a", "ante"), bet("o", "bonus", 500), CLOSE, hand("AS KH"), dealer("QH 8C"), say("fold"),
        claim("o", 7500, 500),
        hand("2C"), claim("a", 0, 1000), END,
    )  # fmt: skip

    assert money == {"a": (0, 1000), "o": (0, 500)}
    assert findings == [("dealing_error", None), ("overpaid", "o")]


# Exact figures


def test_the_published_edge_of_the_bonus():
    """A-A meets A-A once in 1,225; without that line the edge is 59/663."""
    [figures] = odds(RULES)

    assert figures.wager == "bonus"
    assert figures.edge == Fraction(13873, 162435)
    assert figures.edge + Fraction(6, 1326) * Fraction(1000 - 30, 1225) == Fraction(59, 663)
