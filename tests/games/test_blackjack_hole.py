"""Blackjack with a hole card (US-NJ): sentences of the law and of its page, and rounds settled by other arithmetic."""

from __future__ import annotations

import copy
import random

import pytest

from replay.cards import FRENCH_DECK
from replay.games import odds_of
from replay.results import Finding
from replay.session import Session
from replay.tableau import Tableau
from tests.games.blackjacks import CLOSED, END, call, deal, stake, tables
from tests.games.hole_card_rounds import Rounds
from tests.games.retold import UNCLAIMED, claim, invented, raised, scenario, set_up, settle, told, withdrawn
from tests.installed import JUDGING, PACKS

play, fold = tables("blackjack", "US-NJ")
NJ = {"game": "blackjack", "rules": "US-NJ", "currency": "USD", "limits": {"min": 1000, "max": 50_000}}


def down(card):
    """The hole card."""
    return deal(card, "D", up=False)


def turn(card):
    return {"card_revealed": {"card": card}}


def dealt(boxes, up, hole=None):
    """A deal: each box's two cards by seat (``"TS 9C"``), the dealer's first, and his second face down."""
    pairs = {seat: text.split() for seat, text in boxes.items()}
    first = [deal(pair[0], seat) for seat, pair in pairs.items()]
    second = [deal(pair[1], seat) for seat, pair in pairs.items() if len(pair) > 1]
    return [*first, deal(up, "D"), *second, *([down(hole)] if hole else [])]


def at(*events, claims=False, **options):
    """A round at a table with these options: each bet's money, and the findings."""
    table = {"options": options} | ({} if claims else UNCLAIMED)
    return play(*events, END, **table)


@pytest.mark.parametrize("tenth", range(10))
def test_rounds_come_to_what_other_arithmetic_makes_of_them(tenth):
    """Whatever the table has chosen, whatever the shoe could not read or took for another card."""
    bets = 0
    for seed in range(12 * tenth, 12 * tenth + 12):
        drawn = Rounds(seed)
        money, findings = settle(drawn.table, drawn.events)
        bets += len(money)

        expected = {bet: "open" if due is None else due for bet, due in drawn.money.items()}
        assert money == expected, seed
        assert sorted(found.code for found in findings) == sorted(drawn.findings), seed
    assert bets > 300


# 2.6, the hole card


def test_with_a_ten_up_a_blackjack_ends_the_round_and_what_comes_after_it_is_void():
    money, found = at(stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: "6H 5D", 2: "8S 8D"}, "KC", "AS"),
                      call("double", 1), raised("m1", 1000), deal("TC", 1), call("split", 2),
                      stake("m2b", 2, hand=2, of="m2"), deal("9C", 2), deal("4D", "D"), claim("m1", 0, 1000),
                      claim("m2", 0, 0), claim("m2b", 0, 1000), claims=True)  # fmt: skip

    assert money == {"m1": (0, 1000), "m2": (0, 0), "m2b": (0, 1000)}
    assert found == [("dealer_misplay",)]


def test_with_an_ace_up_the_dealer_looks_when_play_begins():
    before = [stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: "AH KD", 2: "9S 9D"}, "AC", "KS")]
    money, found = at(*before, stake("i2", 2, 500, "insurance", of="m2"), call("hit", 2), claims=True)

    assert money == {"m1": (0, 1000), "m2": (0, 0), "i2": (1000, 500)}
    assert sorted(found) == [("unsettled", "i2"), ("unsettled", "m1"), ("unsettled", "m2")]


def test_with_a_nine_up_nobody_looks_and_no_blackjack_can_be():
    money, found = at(stake("m1"), CLOSED, dealt({1: "AS KS"}, "9C", "TD"), claim("m1", 1500, 1000), claims=True)

    assert (money, found) == ({"m1": (1500, 1000)}, [])


@pytest.mark.parametrize("deals", ["no_peek", "no_hole"])
def test_where_he_does_not_look_a_blackjack_waits_until_the_card_shows(deals):
    hole = [] if deals == "no_hole" else [down("8D")]
    late = [deal("8D", "D")] if deals == "no_hole" else []
    _, found = at(stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: "AS KS", 2: "TD 9D"}, "KC"), hole,
                  claim("m1", 1500, 1000), call("stand", 2), late, claim("m2", 1000, 1000),
                  claims=True, hole_card=deals)  # fmt: skip

    assert found == [("settled_too_early", "m1")]


def test_a_hole_card_that_lies_face_up_counts_and_shows():
    money, found = at(stake("m1"), CLOSED, dealt({1: "TS 9S"}, "AC"), deal("KD", "D"), call("stand"))

    assert (money, found) == ({"m1": (0, 0)}, [("dealing_error",)])


def test_dealt_without_a_hole_card_nothing_of_the_dealers_lies_face_down():
    _, found = at(stake("m1"), CLOSED, dealt({1: "TS 9S"}, "7C"), call("stand"), down("KD"), hole_card="no_hole")

    assert found == [("dealing_error",)]


@pytest.mark.parametrize("again", [[turn("8C")], []])
def test_a_card_is_turned_once_and_only_one_that_lies_face_down(again):
    hole = down("8C") if again else deal("8C", "D")
    _, found = at(stake("m1"), CLOSED, dealt({1: "TS 9S"}, "TC"), hole, call("stand"), again, turn("8C"))

    assert [code for code, *_ in found] == ["dealing_error"] * (1 if again else 2)


def test_another_game_of_blackjack_knows_no_card_that_is_turned():
    _, [found] = settle({"game": "blackjack", "rules": "AD-2025", **UNCLAIMED}, [stake("m1"), CLOSED, turn("8C"), END])

    assert (found.code, found.kind) == ("rejected_event", "evidence")


def test_each_hand_that_is_open_when_the_card_is_turned_was_not_asked_and_may_be_played_on():
    money, found = at(stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: "TS 6S", 2: "9S 2S"}, "TC", "9D"), turn("9D"),
                      call("hit", 2), deal("TD", 2))  # fmt: skip

    assert money == {"m1": (0, 0), "m2": (1000, 1000)}
    assert found == [("missing_decision", 1), ("missing_decision", 2)]


def test_a_card_alone_or_a_surrender_is_no_play_of_such_a_hand():
    money, found = at(stake("m1"), CLOSED, dealt({1: "TS 6S"}, "TC", "9D"), turn("9D"), call("surrender"),
                      deal("5D", 1), surrender="late")  # fmt: skip

    assert money == {"m1": (0, 0)}
    assert found == [("missing_decision", 1), ("illegal_decision", 1), ("dealing_error", 1)]


# 2.6, a card that could not be read


def test_never_turned_it_leaves_open_what_hangs_on_it_and_nothing_is_compared():
    """A bust, and a blackjack against a nine, hang on nothing."""
    money, found = at(stake("m1", 1), stake("m2", 2), stake("m3", 3), CLOSED,
                      dealt({1: "AS KS", 2: "TD 9D", 3: "TC 6C"}, "9C", "??"), claim("m1", 1500, 1000),
                      call("stand", 2), call("hit", 3), deal("TH", 3), claim("m3", 0, 0), claim("m2", 1000, 1000),
                      claims=True)  # fmt: skip

    assert (money, found) == ({"m1": (1500, 1000), "m2": "open", "m3": (0, 0)}, [])


def test_a_claim_in_the_round_after_is_not_compared_with_what_stayed_open():
    _, found = at(stake("m1"), CLOSED, dealt({1: "TD 9D"}, "9C", "??"), call("stand"), END, "round_opened",
                  stake("n1"), claim("m1", 0, 1000), withdrawn("n1"), claims=True)  # fmt: skip

    assert found == []


def test_who_looked_at_it_and_played_on_has_no_blackjack():
    money, found = at(stake("m1", 1), stake("m2", 2), stake("m3", 3), CLOSED,
                      dealt({1: "AS KS", 2: "TD 6D", 3: "TC 9H"}, "AC", "??"),
                      stake("i3", 3, 500, "insurance", of="m3"),
                      call("surrender", 2), claim("i3", 0, 0), claim("m2", 0, 500), claim("m1", 1500, 1000),
                      call("stand", 3), claims=True, surrender="late")  # fmt: skip

    assert money == {"m1": (1500, 1000), "m2": (0, 500), "m3": "open", "i3": (0, 0)}
    assert found == []


def test_if_it_is_one_after_all_he_misplayed_and_what_was_decided_stays():
    money, found = at(stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: "AS KS", 2: "6D 5D"}, "TC", "??"),
                      call("double", 2), raised("m2", 1000), deal("9H", 2), turn("AD"))  # fmt: skip

    assert money == {"m1": (1500, 1000), "m2": (0, 1000)}
    assert found == [("dealer_misplay",)]


def test_what_he_drew_on_it_is_judged_when_it_is_turned():
    money, found = at(stake("m1"), CLOSED, dealt({1: "TS 9S"}, "7D", "??"), call("stand"), deal("8C", "D"), turn("TH"))

    assert (money, found) == ({"m1": (1000, 1000)}, [("dealer_misplay",)])


def test_it_is_no_card_too_many_but_any_other_that_cannot_be_read_ends_the_judging():
    money, found = at(stake("m1"), CLOSED, dealt({1: "TS ??"}, "7D"), call("stand"))

    assert (money, found) == ({"m1": (None, None)}, [])


# 2.9, 2.7: insurance and even money


def test_insurances_of_a_stake_are_held_to_half_of_it_when_play_begins():
    _, found = at(stake("m1"), CLOSED, dealt({1: "TS 9S"}, "AD", "6H"), stake("i1", 1, 300, "insurance", of="m1"),
                  stake("i2", 1, 300, "insurance", of="m1"), call("stand"))  # fmt: skip

    assert found == [("side_bet_too_large", "i2")]


@pytest.mark.parametrize(
    "begins", [call("stand"), claim("i1", 0, 0), claim("m1", 1000, 1000), turn("5H"), deal("2C", "D")]
)
def test_play_begins_with_a_decision_a_claim_a_card_or_when_the_card_is_turned(begins):
    _, found = at(stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: "TS 9S", 2: "TC 9C"}, "AD", "5H"),
                  stake("i1", 1, 300, "insurance", of="m1"), begins, stake("i2", 1, 100, "insurance", of="m1"),
                  claims=True)  # fmt: skip

    assert ("late_bet", "i2") in found


def test_until_then_an_insurance_may_be_changed():
    money, found = at(stake("m1"), CLOSED, dealt({1: "TS 9S"}, "AD", "KH"), stake("i1", 1, 300, "insurance", of="m1"),
                      raised("i1", 200), stake("i2", 1, 500, "insurance", of="m1"), withdrawn("i2"),
                      call("stand"))  # fmt: skip

    assert (money, found) == ({"m1": (0, 0), "i1": (1000, 500), "i2": "withdrawn"}, [])


@pytest.mark.parametrize(
    ("up", "box", "first", "options"),
    [
        ("AD", "AS KS", [], {}),
        ("TD", "AS KS", [], {"even_money": True}),
        ("AD", "TS KS", [], {"even_money": True}),
        ("AD", "AS KS", [call("stand", 2)], {"even_money": True}),
    ],
)
def test_even_money_is_to_be_had_for_a_blackjack_against_an_ace_before_play(up, box, first, options):
    money, found = at(stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: box, 2: "TC 9C"}, up, "6H"), first,
                      call("even_money", 1), call("stand", 1), call("stand", 2), **options)  # fmt: skip

    assert ("illegal_decision", 1) in found
    if box == "AS KS":
        assert money["m1"] == (1500, 1000)


def test_the_insurance_of_a_stake_paid_even_money_stays_and_none_comes_after():
    money, found = at(stake("m1"), CLOSED, dealt({1: "AS KS"}, "AD", "TH"), stake("i1", 1, 500, "insurance", of="m1"),
                      call("even_money"), stake("i2", 1, 100, "insurance", of="m1"), even_money=True)  # fmt: skip

    assert money == {"m1": (1000, 1000), "i1": (1000, 500), "i2": (0, 100)}
    assert found == [("wager_not_offered", "i2")]


# 2.8, surrender


@pytest.mark.parametrize(
    ("up", "hole", "deals", "expected"),
    [
        ("9C", "KD", "peek", (0, 500)),
        ("KC", "9D", "peek", (0, 500)),
        ("KC", "AD", "no_peek", (0, 0)),
        ("AC", "9D", "no_peek", (0, 500)),
    ],
)
def test_half_comes_back_unless_he_has_a_blackjack(up, hole, deals, expected):
    money, found = at(stake("m1"), CLOSED, dealt({1: "TS 6S"}, up, hole), call("surrender"),
                      hole_card=deals, surrender="late")  # fmt: skip

    assert (money, found) == ({"m1": expected}, [])


def test_without_a_hole_card_one_card_is_due_for_a_surrender_against_a_ten_and_no_more():
    deck = [stake("m1"), CLOSED, dealt({1: "TS 6S"}, "KC"), call("surrender")]
    options = {"hole_card": "no_hole", "surrender": "late"}

    assert at(*deck, deal("AD", "D"), **options) == ({"m1": (0, 0)}, [])
    assert at(*deck, deal("5D", "D"), deal("9D", "D"), **options) == ({"m1": (0, 500)}, [("dealer_misplay",)])
    assert at(*deck, **options) == ({"m1": "open"}, [("dealer_misplay",)])


# 2.10, 2.11: doubles and splits


def test_the_raises_of_a_stake_are_together_no_more_than_it():
    _, found = at(stake("m1"), CLOSED, dealt({1: "6S 5S"}, "6C", "TD"), call("double"), raised("m1", 600),
                  raised("m1", 400), raised("m1", 100), deal("TH", 1), deal("TS", "D"))  # fmt: skip

    assert found == [("stake_mismatch", "m1")]


def test_a_double_that_nobody_adds_to_is_told():
    _, found = at(stake("m1"), CLOSED, dealt({1: "6S 5S"}, "6C", "TD"), call("double"), deal("TH", 1), deal("TS", "D"))

    assert found == [("stake_mismatch", "m1")]


def test_with_seven_boxes_four_hands_are_three():
    eights = [stake("m1"), CLOSED, dealt({1: "8S 8H"}, "6C", "TD"), call("split"), stake("b", hand=2, of="m1"),
              deal("8D", 1), call("split"), stake("c", hand=3, of="m1"), deal("8C", 1), call("split"),
              stake("d", hand=4, of="m1"), deal("TH", 1), call("stand"), deal("TD", 1, 4), call("stand", 1, 4),
              deal("9D", 1, 3), call("stand", 1, 3), deal("9H", 1, 2), call("stand", 1, 2),
              deal("KD", "D")]  # fmt: skip

    assert at(*eights, boxes=7, max_hands=4)[1] == [("illegal_decision", 1)]
    assert at(*eights, boxes=6, max_hands=4)[1] == []


def test_a_second_pair_of_aces_may_be_split_where_the_table_does_and_stands_else():
    aces = [stake("m1"), CLOSED, dealt({1: "AS AH"}, "7C", "TD"), call("split"), stake("b", hand=2, of="m1"),
            deal("AD", 1), call("split"), stake("c", hand=3, of="m1"), deal("9D", 1), deal("8C", 1, 3),
            deal("6D", 1, 2)]  # fmt: skip
    money, found = at(*aces, max_hands=3, boxes=6)

    assert (money, found) == ({"m1": (1000, 1000), "b": (0, 1000), "c": (1000, 1000)}, [])
    assert at(*aces, max_hands=3, resplit_aces=False)[1][0] == ("illegal_decision", 1)
    assert at(*aces, max_hands=2)[1][0] == ("illegal_decision", 1)


def test_the_dealers_hand_decides_nothing_while_a_pair_of_aces_may_be_split():
    _, found = at(stake("m1"), CLOSED, dealt({1: "AS AH"}, "7C", "TD"), call("split"), stake("b", hand=2, of="m1"),
                  deal("6D", 1), deal("AD", 1, 2), call("split", 1, 2), stake("c", hand=3, of="b"), deal("9D", 1, 2),
                  deal("9C", 1, 3), claim("m1", 0, 1000), claim("b", 1000, 1000), claim("c", 1000, 1000), claims=True,
                  max_hands=3, boxes=6)  # fmt: skip

    assert found == []


# 2.12, the dealer


@pytest.mark.parametrize(("soft_17", "misplays"), [("stand", False), ("hit", True)])
def test_who_stands_on_a_soft_17_stands_short_where_the_table_draws_to_it(soft_17, misplays):
    money, found = at(stake("m1"), CLOSED, dealt({1: "TS 8S"}, "AC", "6D"), call("stand"), claim("m1", 1000, 1000),
                      claims=True, soft_17=soft_17)  # fmt: skip

    assert money == {"m1": (1000, 1000)}
    assert found == ([("dealer_misplay",)] if misplays else [])


def test_a_soft_17_of_any_number_of_cards_is_drawn_to_and_a_hard_one_is_not():
    hand = [stake("m1"), CLOSED, dealt({1: "TS 8S"}, "2C", "AD"), call("stand"), deal("4D", "D"), deal("TD", "D")]

    assert at(*hand, soft_17="hit") == ({"m1": (1000, 1000)}, [])
    assert at(*hand, deal("5D", "D"), soft_17="hit") == ({"m1": (1000, 1000)}, [("dealer_misplay",)])


def test_a_card_that_no_stake_asks_for_does_not_count():
    money, found = at(stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: "AS KS", 2: "TC 6C"}, "6C", "8D"),
                      call("hit", 2), deal("KD", 2), deal("7D", "D"))  # fmt: skip

    assert (money, found) == ({"m1": (1500, 1000), "m2": (0, 0)}, [("dealer_misplay",)])


def test_a_round_closed_on_sixteen_stood_short():
    money, found = at(stake("m1"), CLOSED, dealt({1: "TS 7S"}, "TC", "6D"), call("stand"))

    assert (money, found) == ({"m1": (1000, 1000)}, [("dealer_misplay",)])


# 2.15, irregularities


def test_a_box_without_a_card_is_dead_with_all_that_lies_on_it():
    money, found = at(stake("m1", 1), stake("m2", 2), stake("u2", 2, 100, "under_13"), CLOSED,
                      dealt({1: "TS 9S"}, "AC", "7D"), stake("i2", 2, 100, "insurance", of="m2"), call("stand", 1),
                      deal("5C", 2), additional_wager="over_under_13")  # fmt: skip

    assert money == {"m1": (1000, 1000), "m2": (0, 1000), "u2": (0, 100), "i2": (0, 100)}
    assert [code for code, *_ in found] == ["dealing_error", "dealing_error"]


def test_a_box_with_one_card_gets_its_second_over_a_blackjack_too():
    money, found = at(stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: "TS 9S", 2: "AD"}, "KC", "AS"), deal("TD", 2))

    assert (money, found) == ({"m1": (0, 0), "m2": (0, 1000)}, [("dealing_error",)])


def test_without_it_the_hand_stands_as_it_lies():
    money, found = at(
        stake("m1", 1), stake("m2", 2), CLOSED, dealt({1: "TS 9S", 2: "AD"}, "KC", "7S"), call("stand", 1)
    )

    assert money == {"m1": (1000, 1000), "m2": (0, 0)}
    assert sorted(found) == [("dealing_error",), ("missing_decision", 2)]


# 2.2, 2.5, options


@pytest.mark.parametrize(("decks", "copies"), [(1, 1), (2, 2), (8, 8)])
def test_the_shoe_holds_as_many_copies_as_packs(decks, copies):
    burned = [deal("7H", "burn") for _ in range(copies + 1)]
    opened = [stake("m1"), CLOSED, burned, dealt({1: "TS 9S"}, "TC", "7D"), call("stand")]

    assert at(*opened, decks=decks)[1] == [("impossible_card",)]
    assert play(*opened, END, decks=decks, **UNCLAIMED)[1] == [("impossible_card",)], "as the table says when it opens"


@pytest.mark.parametrize(("burned", "due", "wrong"), [(1, 1, False), (0, 1, True), (3, 3, False), (0, 0, False)])
def test_as_many_cards_are_burned_as_the_table_says(burned, due, wrong):
    _, found = at({"shoe_loaded": {"decks": 8}}, [deal("5C", "burn") for _ in range(burned)], stake("m1"), CLOSED,
                  dealt({1: "TS 9S"}, "TC", "7D"), call("stand"), burn_cards=due)  # fmt: skip

    assert found == ([("dealing_error", 1)] if wrong else [])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"max_hands": 4}, "with 7 boxes a box is split into 3 hands at most"),
        ({"dealt": "hand", "decks": 6}, "6 decks are dealt from a shoe, one or two from the hand"),
        ({"match_the_dealer": True, "decks": 2}, "match_the_dealer is not played with 2 decks"),
        ({"match_paytable": {"rank": 4}, "decks": 6}, "match_paytable: rank: 4 is no prize of match_the_dealer"),
        ({"blackjack_pays": "7/5"}, "option blackjack_pays: one of 3/2, 6/5, not 7/5"),
        ({"decks": 9}, "option decks: 1 to 8, not 9"),
    ],
)
def test_what_does_not_go_together_is_told_when_the_table_opens(options, told):
    [found] = set_up({**NJ, "options": options})

    assert found.code == "setup_not_allowed"
    assert told in found.text


def test_from_the_hand_the_boxes_first_two_cards_may_lie_face_down():
    down_too = [stake("m1"), CLOSED, deal("TS", 1, up=False), deal("7C", "D"), deal("9S", 1, up=False), down("TD"),
                call("hit"), deal("2C", 1, up=False)]  # fmt: skip

    assert at(*down_too, dealt="hand", decks=2)[1] == [("dealing_error", 1)]
    assert len(at(*down_too, decks=2)[1]) == 3


def test_match_the_dealer_has_limits_of_its_own_and_a_paytable_of_the_tables():
    bets = [stake("m1"), stake("x", 1, 400, "match_the_dealer"), CLOSED, dealt({1: "9S 9H"}, "9S", "TD"), call("stand")]
    options = {"decks": 6, "match_the_dealer": True, "match_paytable": {"unsuited": 3, "suited": 12}}
    limits = {"min": 1000, "max": 50_000, "match_the_dealer": {"min": 500}}
    money, found = play(*bets, END, limits=limits, options=options, **UNCLAIMED)

    assert money["x"] == (400 * 15, 400)
    assert found == [("below_minimum", "x")]
    assert at(*bets, **options)[1] == []


def test_stakes_beyond_those_of_a_box_play_and_are_told():
    bets = [stake("m1"), stake("m2"), CLOSED, dealt({1: "9S TH"}, "9C", "TD"), call("stand")]

    assert at(*bets) == ({"m1": (0, 1000), "m2": (0, 1000)}, [("too_many_bets", "m2")])
    assert at(*bets, stakes_per_box=2)[1] == []


# Holes, and what is shown


@pytest.mark.parametrize(
    ("up", "hole", "then", "options", "lies", "known"),
    [
        ("7C", "6S", [], {}, "6S down", "nobody has seen it"),
        ("TC", "6S", [], {}, "6S down", "no blackjack"),
        ("TC", "AS", [], {}, "AS down", "a blackjack, the round is over"),
        ("TC", "AS", [], {"hole_card": "no_peek"}, "AS down", "nobody has seen it"),
        ("7C", "??", [], {}, "?? down", "not read"),
        ("TC", "??", [call("hit")], {}, "?? down", "not read; no blackjack, for he played on"),
        ("7C", "??", [turn("6S")], {}, "6S", "turned"),
        ("7C", "KD", [turn("6S")], {}, "6S", "turned"),
    ],
)
def test_a_replay_shows_the_hole_card_and_what_the_table_knows_of_it(up, hole, then, options, lies, known):
    told_so = scenario({**NJ, "options": options}, [stake("m1"), CLOSED, dealt({1: "TS 2S"}, up, hole), then])
    session, tableau = Session("-", JUDGING), Tableau()
    for event in told_so.events:
        session.step(event, b"")
        tableau.see(event)

    assert tableau.shown()["dealer"] == [up, lies]
    assert session.game is not None
    assert session.game.lying() == {"hole card": known}


NIGHT = [
    {"shoe_loaded": {"decks": 8}}, deal("5C", "burn"), "round_opened", stake("a1", 1), stake("a2", 2), CLOSED,
    dealt({1: "8S 8H", 2: "AS KS"}, "AC", "7D"), stake("i1", 1, 500, "insurance", of="a1"), call("split", 1),
    stake("a1b", 1, hand=2, of="a1"), deal("3C", 1), call("double", 1), raised("a1", 1000), deal("TC", 1),
    deal("9C", 1, 2), call("stand", 1, 2), turn("7D"), claim("i1", 0, 0), claim("a2", 1500, 1000),
    claim("a1b", 0, 0), claim("a1", 2000, 2000), END,
    "round_opened", stake("b1", 1), CLOSED, dealt({1: "TS 9S"}, "KC", "6D"), call("stand", 1), turn("6D"),
    deal("KD", "D"), claim("b1", 1000, 1000), END,
]  # fmt: skip


def test_the_clean_night_is_clean():
    assert [found.code for found in settle(NJ, NIGHT)[1]] == []


@pytest.mark.parametrize("place", range(2, 60))
def test_no_finding_is_invented_because_an_event_is_missing(place):
    assert invented(NJ, NIGHT, range(place, place + 1)) == []


def mixed_up(chance, events):
    """The same with some left out, doubled, exchanged, and others between them."""
    events = copy.deepcopy(events)
    for _ in range(chance.choice((1, 2, 4, 8))):
        here, there = chance.randrange(len(events)), chance.randrange(len(events))
        card = chance.choice([*FRENCH_DECK, "??", "XX"])
        seat, hand = chance.randint(0, 7), chance.choice([None, 1, 2, 3, 4])
        choice = chance.choice(["hit", "stand", "double", "split", "surrender", "even_money", "fold"])
        match chance.randrange(6):
            case 0:
                del events[here]
            case 1:
                events.insert(there, copy.deepcopy(events[here]))
            case 2:
                events[here], events[there] = events[there], events[here]
            case 3:
                events.insert(here, chance.choice([turn(card), deal(card, "D"), down(card), deal(card, seat, hand)]))
            case 4:
                events.insert(here, call(choice, seat, hand))
            case _:
                events.insert(here, chance.choice([END, "round_opened", CLOSED, "cut_card", "HOLE"]))
    return events


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_told_of_a_table_retally_itself_does_not_fail_at_it(seed):
    drawn, chance = Rounds(seed), random.Random(seed)
    for _ in range(3):
        said = told(drawn.table, mixed_up(chance, drawn.events))

        assert not [found for found in said if isinstance(found, Finding) and found.code == "rule_fault"]


# Figures


PUBLISHED = {
    1: ("1/17", "67/663", "15/221"),
    2: ("7/103", "135/1339", "89/1339"),
    6: ("23/311", "407/4043", "265/4043"),
    8: ("31/415", "543/5395", "353/5395"),
}


@pytest.mark.parametrize("decks", PUBLISHED)
def test_the_edges_are_the_published_ones_for_every_number_of_packs(decks):
    rules = PACKS.game("US-NJ", "blackjack")
    figures = {odds.wager: str(odds.edge) for odds in odds_of(rules)(rules) if odds.decks == decks}

    assert tuple(figures[wager] for wager in ("insurance", "under_13", "over_13")) == PUBLISHED[decks]


@pytest.mark.parametrize(("decks", "edge", "rank", "suit"), [(6, "1958/48205", 4, 11), (8, "1052/28635", 3, 14)])
def test_match_the_dealer_by_every_two_cards_and_as_published(decks, edge, rank, suit):
    """Of a shoe from which the dealer's first card is gone: each card by itself, for the prices add up."""
    rules = PACKS.game("US-NJ", "blackjack")
    [found] = [odds for odds in odds_of(rules)(rules) if (odds.wager, odds.decks) == ("match_the_dealer", decks)]
    left = 52 * decks - 1
    both = 0
    for one in FRENCH_DECK:
        for two in FRENCH_DECK:
            ways = (decks - (one == "9S")) * (decks - (two == "9S") - (one == two))
            won = sum(suit if card == "9S" else rank for card in (one, two) if card[0] == "9")
            both += ways * (won or -1)

    assert str(found.edge) == edge
    assert -both * found.edge.denominator == found.edge.numerator * left * (left - 1)
