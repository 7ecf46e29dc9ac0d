"""Blackjack, AD-2025 game 3, passage by passage: what the scenarios leave out, and the exact odds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from replay.games.blackjack import odds
from replay.results import Finding
from replay.session import Session
from tests.games.blackjacks import CLOSED, END, call, deal, stake, tables
from tests.games.retold import UNCLAIMED, claim, raised, scenario, set_up, withdrawn
from tests.installed import JUDGING, PACKS

RULES = PACKS.game("AD-2025", "blackjack")


TABLE = {"game": "blackjack", "rules": "AD-2025", "limits": {"min": 1000, "max": 50000}}
play, _ = tables("blackjack", "AD-2025")


def setup_findings(options, **table):
    """What is said of the table as it was opened."""
    return set_up({**TABLE, "options": options, **table})


def insure(name, of, amount=500, seat=1):
    return stake(name, seat, amount, "insurance", of=of)


def split(name, of="m1", amount=1000, seat=1, hand=2, **more):
    return stake(name, seat, amount, hand=hand, of=of, **more)


def first_deal(dealer, **boxes):
    """``b1="TS 9H"``: the initial deal to these boxes, with the dealer's first card."""
    cards = {int(key[1:]): text.split() for key, text in boxes.items()}
    firsts = [deal(two[0], seat) for seat, two in cards.items()]
    return [*firsts, deal(dealer, "D"), *[deal(two[1], seat) for seat, two in cards.items()]]


def dealer(*cards):
    return [deal(card, "D") for card in cards]


# V.1.a, the hand against the dealer


@pytest.mark.parametrize(
    ("box", "draws", "expected"),
    [
        ("TS 9H", ["8C"], (1000, 1000)),
        ("TS 8H", ["8C"], (0, 1000)),
        ("TS 7H", ["8C"], (0, 0)),
        ("TS 2H", ["6C", "9C"], (1000, 1000)),
        ("AS 7H", ["8C"], (0, 1000)),
    ],
)
def test_higher_wins_even_money_equal_pushes_lower_loses_and_a_bust_dealer_pays_all(box, draws, expected):
    money, said = play(stake("m1"), CLOSED, first_deal("TC", b1=box), call("stand"), dealer(*draws),
                       claim("m1", *expected), END)  # fmt: skip

    assert money == {"m1": expected}
    assert said == []


def test_a_bust_is_lost_at_once_whatever_the_dealer_makes():
    events = [stake("m1"), CLOSED, first_deal("TC", b1="TS 6H"), call("hit"), deal("KH", 1), claim("m1", 0, 0), END]

    assert play(*events) == ({"m1": (0, 0)}, [])


def test_a_blackjack_beats_a_dealers_21_of_three_cards():
    events = [stake("m1"), stake("m2", 2), CLOSED, first_deal("6C", b1="AS KH", b2="TS TH"), call("stand", 2),
              dealer("5C", "TC"), claim("m1", 1500, 1000), claim("m2", 0, 0), END]  # fmt: skip

    assert play(*events) == ({"m1": (1500, 1000), "m2": (0, 0)}, [])


@pytest.mark.parametrize(("second", "expected"), [("KC", (0, 1000)), ("9C", (1500, 1000))])
def test_against_an_ace_a_blackjack_waits_for_the_second_card_which_is_due_for_it(second, expected):
    events = [stake("m1"), CLOSED, first_deal("AC", b1="AS KH"), dealer(second), claim("m1", *expected), END]

    assert play(*events) == ({"m1": expected}, [])


def test_a_dealers_blackjack_beats_21_of_three_cards_and_of_a_split():
    events = [stake("m1"), stake("m2", 2), CLOSED, first_deal("AC", b1="5S 6H", b2="TS TH"),
              call("hit"), deal("TC", 1), call("split", 2), split("x", "m2", seat=2), deal("AS", 2),
              deal("AD", 2, 2), dealer("KC"), END]  # fmt: skip

    assert play(*events, **UNCLAIMED) == ({"m1": (0, 0), "m2": (0, 0), "x": (0, 0)}, [])


def test_half_given_back_rounds_as_the_table_rounds_its_payouts():
    for rounding, half in (("down", 500), ("nearest", 1000), ("up", 1000)):
        money, _ = play(stake("m1", amount=1500), CLOSED, first_deal("9C", b1="TS 6H"), call("surrender"), END,
                        chip_unit=500, rounding=rounding, **UNCLAIMED)  # fmt: skip
        assert money == {"m1": (0, half)}


# V.1.a, when stakes are decided


def test_a_blackjack_against_a_nine_may_be_paid_as_soon_as_both_its_cards_are_down():
    money, said = play(stake("m1"), stake("m2", 2), CLOSED, deal("AS", 1), deal("TS", 2), deal("9C", "D"),
                       deal("KH", 1), claim("m1", 1500, 1000), deal("TH", 2), call("stand", 2), dealer("9D"),
                       claim("m2", 1000, 1000), END)  # fmt: skip

    assert said == []
    assert money["m1"] == (1500, 1000)


@pytest.mark.parametrize("first", ["AC", "KC"])
def test_a_blackjack_claimed_before_the_dealers_second_card_is_too_early(first):
    money, said = play(stake("m1"), CLOSED, first_deal(first, b1="AS KH"), claim("m1", 1500, 1000), dealer("9D"), END)

    assert (money, said) == ({"m1": (1500, 1000)}, [("settled_too_early", "m1")])


def test_a_claim_while_the_dealer_has_one_card_is_too_early_and_says_nothing_of_his_standing():
    _, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 9H"), call("stand"), claim("m1", 1000, 1000),
                   dealer("8C"), END)  # fmt: skip

    assert said == [("settled_too_early", "m1")]


def test_a_claim_before_every_hand_is_closed_is_too_early():
    _, said = play(stake("m1"), stake("m2", 2), CLOSED, first_deal("TC", b1="TS 9H", b2="TD 5H"), call("stand"),
                   claim("m1", 1000, 1000), call("stand", 2), dealer("8C"), claim("m2", 0, 0), END)  # fmt: skip

    assert said == [("settled_too_early", "m1")]


def test_the_first_claim_that_hangs_on_the_dealer_says_that_he_stood_short():
    money, said = play(stake("m1"), stake("m2", 2), CLOSED, first_deal("TC", b1="TS 5H", b2="TD 7H"), call("stand"),
                       call("stand", 2), dealer("6C"), claim("m2", 1000, 1000), claim("m1", 0, 0), END)  # fmt: skip

    assert money == {"m1": (0, 0), "m2": (1000, 1000)}
    assert said == [("dealer_misplay",)]


def test_cards_after_he_stood_short_do_not_count_and_are_not_said_again():
    money, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 7H"), call("stand"), dealer("4C"),
                       claim("m1", 1000, 1000), dealer("7C"), END)  # fmt: skip

    assert (money, said) == ({"m1": (1000, 1000)}, [("dealer_misplay",)])


def test_when_he_stands_short_on_a_soft_hand_the_ace_counts_one():
    money, _ = play(stake("m1"), CLOSED, first_deal("AC", b1="TS 2H"), call("stand"), dealer("5C"),
                    claim("m1", 1000, 1000), END)  # fmt: skip

    assert money == {"m1": (1000, 1000)}


def test_a_claim_on_a_decided_stake_says_nothing_of_the_dealers_standing():
    _, said = play(stake("m1"), stake("m2", 2), CLOSED, first_deal("AC", b1="AS KH", b2="TD 7H"), call("stand", 2),
                   dealer("5C"), claim("m1", 1500, 1000), dealer("AD"), claim("m2", 0, 1000), END)  # fmt: skip

    assert said == []


def test_a_round_closed_with_two_cards_and_less_than_17_stood_short():
    money, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 7H"), call("stand"), dealer("4C"), END)

    assert (money, said) == ({"m1": (1000, 1000)}, [("dealer_misplay",), ("unsettled", "m1")])


def test_a_round_closed_on_one_card_leaves_the_bets_open():
    money, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 7H"), call("stand"), END)

    assert (money, said) == ({"m1": "open"}, [("dealer_misplay",)])


def test_bets_left_open_play_no_part_in_the_next_round():
    money, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 7H"), call("stand"), END,
                       "round_opened", stake("n2", 2), CLOSED, first_deal("TC", b2="TS 8H"), call("stand", 2),
                       dealer("7C"), raised("m1", 500), withdrawn("m1"), END, **UNCLAIMED)  # fmt: skip

    assert money == {"m1": "open", "n2": (1000, 1000)}
    assert said == [("dealer_misplay",), ("late_bet", "m1"), ("late_withdrawal", "m1")]


# V.1.a, the dealer's play


def test_overdrawn_cards_do_not_count_and_are_said_once():
    money, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 9H"), call("stand"), dealer("7C", "4C", "5D"),
                       claim("m1", 1000, 1000), END)  # fmt: skip

    assert (money, said) == ({"m1": (1000, 1000)}, [("dealer_misplay",)])


def test_the_dealer_stands_on_soft_17_and_draws_on_soft_16():
    _, stood = play(stake("m1"), CLOSED, first_deal("AC", b1="TS 9H"), call("stand"), dealer("6C"), END, **UNCLAIMED)
    money, drew = play(stake("m1"), CLOSED, first_deal("AC", b1="TS 9H"), call("stand"), dealer("5C", "TC", "5D"), END,
                       **UNCLAIMED)  # fmt: skip

    assert stood == drew == []
    assert money == {"m1": (0, 0)}


def test_no_card_for_the_dealer_when_all_are_bust():
    events = [stake("m1"), CLOSED, first_deal("TC", b1="TS 6H"), call("hit"), deal("KH", 1), dealer("8C", "9C"), END]

    assert play(*events, **UNCLAIMED)[1] == [("dealer_misplay",)]


def test_an_insurance_alone_is_due_one_card_and_more_change_nothing():
    events = [stake("m1"), CLOSED, first_deal("AC", b1="TS 6H"), insure("i1", "m1"), call("hit"), deal("KH", 1)]

    assert play(*events, dealer("TC"), END, **UNCLAIMED) == ({"m1": (0, 0), "i1": (1000, 500)}, [])
    assert play(*events, dealer("5C", "TC", "9C", "2D"), END, **UNCLAIMED) == ({"m1": (0, 0), "i1": (0, 0)}, [])
    assert play(*events, END, **UNCLAIMED) == ({"m1": (0, 0), "i1": "open"}, [("dealer_misplay",)])


def test_a_blackjack_alone_is_due_one_card_against_a_ten_and_none_against_a_nine():
    ten = [stake("m1"), CLOSED, first_deal("TC", b1="AS KH")]
    nine = [stake("m1"), CLOSED, first_deal("9C", b1="AS KH")]

    assert play(*ten, END, **UNCLAIMED) == ({"m1": "open"}, [("dealer_misplay",)])
    assert play(*ten, dealer("5C"), END, **UNCLAIMED) == ({"m1": (1500, 1000)}, [])
    assert play(*ten, dealer("AC", "5C"), END, **UNCLAIMED) == ({"m1": (0, 1000)}, [])
    assert play(*nine, END, **UNCLAIMED) == ({"m1": (1500, 1000)}, [])
    assert play(*nine, dealer("5C", "7C"), END, **UNCLAIMED) == ({"m1": (1500, 1000)}, [])


def test_the_dealer_draws_in_full_while_one_hand_competes_beside_blackjacks():
    events = [stake("m1"), stake("m2", 2), CLOSED, first_deal("9C", b1="AS KH", b2="TS 2H"), call("stand", 2)]

    assert play(*events, dealer("5C"), END, **UNCLAIMED)[1] == [("dealer_misplay",)]


# V.1.a, decisions and cards


def test_a_third_card_nobody_called_for_counts():
    money, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 5H"), deal("4H", 1), call("stand"), dealer("8C"),
                       END, **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (1000, 1000)}, [("missing_decision", 1)])


def test_each_call_is_good_for_one_card():
    _, said = play(stake("m1"), CLOSED, first_deal("TC", b1="2S 2H"), call("hit"), deal("3H", 1), deal("4H", 1),
                   call("stand"), dealer("8C"), END, **UNCLAIMED)  # fmt: skip

    assert said == [("missing_decision", 1)]


def test_each_hand_still_open_at_the_dealers_second_card_was_not_asked():
    _, said = play(stake("m1"), stake("m2", 2), stake("m3", 3), CLOSED,
                   first_deal("TC", b1="TS 5H", b2="TD 5D", b3="TH 9H"), call("stand", 2), dealer("8C"), END,
                   **UNCLAIMED)  # fmt: skip

    assert sorted(said) == [("missing_decision", 1), ("missing_decision", 3)]


def test_a_second_card_for_the_dealer_with_the_deal_passes_everybody_over_and_their_later_play_counts():
    money, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 5H"), dealer("8C"), call("hit"), deal("4H", 1),
                       call("stand"), claim("m1", 1000, 1000), END)  # fmt: skip

    assert (money, said) == ({"m1": (1000, 1000)}, [("missing_decision", 1)])


def test_hits_on_21_and_after_standing_are_illegal_and_their_cards_do_not_count():
    money, said = play(stake("m1"), stake("m2", 2), CLOSED, first_deal("TC", b1="5S 6H", b2="TS 9H"), call("hit"),
                       deal("TH", 1), call("hit"), deal("2H", 1), call("stand", 2), call("hit", 2), deal("5H", 2),
                       dealer("8C"), END, **UNCLAIMED)  # fmt: skip

    assert money == {"m1": (1000, 1000), "m2": (1000, 1000)}
    assert said == [("illegal_decision", 1), ("illegal_decision", 2)]


def test_a_double_on_blackjack_is_illegal_its_card_does_not_count_and_its_chips_come_back():
    for first in ("9C", "TC"):
        money, said = play(stake("m1"), stake("m2", 2), CLOSED, first_deal(first, b1="AS KH", b2="TD TH"),
                           call("double"), raised("m1", 1000), deal("5H", 1), call("stand", 2), dealer("8C"),
                           claim("m1", 1500, 2000), claim("m2", 1000, 1000), END)  # fmt: skip

        assert money == {"m1": (1500, 2000), "m2": (1000, 1000)}
        assert said == [("illegal_decision", 1)]


def test_a_card_to_a_closed_hand_without_a_call_does_not_count():
    money, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 9H"), call("stand"), deal("5H", 1), dealer("8C"),
                       END, **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (1000, 1000)}, [("dealing_error", 1)])


def test_decisions_for_nobody_and_of_another_game_are_illegal():
    _, said = play(stake("m1"), CLOSED, first_deal("TC", b1="TS 9H"), call("fold"), call("stand", 2),
                   call("stand", 1, 2), call("stand"), dealer("8C"), END, **UNCLAIMED)  # fmt: skip

    assert said == [("illegal_decision", 1), ("illegal_decision", 2), ("illegal_decision", 1)]


# V.1.b, insurance

ACE = [stake("m1", amount=2000), CLOSED, first_deal("AC", b1="TS 9H")]


def test_insurances_of_one_stake_are_held_together_to_half_of_it():
    money, said = play(*ACE, insure("i1", "m1", 600), insure("i2", "m1", 500), call("stand"), dealer("KC"), END,
                       **UNCLAIMED)  # fmt: skip

    assert money == {"m1": (0, 0), "i1": (1200, 600), "i2": (1000, 500)}
    assert said == [("side_bet_too_large", "i2")]


def test_until_the_first_drawn_card_an_insurance_may_be_raised_and_withdrawn():
    money, said = play(*ACE, insure("i1", "m1", 600), insure("i2", "m1", 900), raised("i1", 400), withdrawn("i2"),
                       call("stand"), dealer("KC"), END, **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (0, 0), "i1": (2000, 1000), "i2": "withdrawn"}, [])


def test_after_it_neither():
    _, said = play(*ACE, insure("i1", "m1", 600), call("hit"), deal("2C", 1), raised("i1", 400), withdrawn("i1"),
                   insure("i2", "m1", 100), dealer("KC"), END, **UNCLAIMED)  # fmt: skip

    assert said == [("late_bet", "i1"), ("late_withdrawal", "i1"), ("late_bet", "i2")]


def test_half_is_of_what_lay_when_bets_closed_and_insurance_has_no_minimum():
    _, said = play(stake("m1", amount=1000), raised("m1", 1000), CLOSED, first_deal("AC", b1="TS 9H"),
                   insure("i1", "m1", 1000), withdrawn("i1", 999), call("stand"), dealer("KC"), END,
                   **UNCLAIMED)  # fmt: skip
    _, over = play(stake("m1", amount=2000), withdrawn("m1", 1000), CLOSED, first_deal("AC", b1="TS 9H"),
                   insure("i1", "m1", 600), call("stand"), dealer("KC"), END, **UNCLAIMED)  # fmt: skip

    assert said == []
    assert over == [("side_bet_too_large", "i1")]


def test_insurance_without_an_ace_before_it_or_of_nothing_is_not_offered_late_or_not():
    _, early = play(stake("m1"), insure("i1", "m1"), CLOSED, first_deal("AC", b1="TS 9H"), insure("i2", "zz"),
                    call("stand"), dealer("8C"), END, **UNCLAIMED)  # fmt: skip
    money, late = play(stake("m1"), CLOSED, first_deal("KC", b1="TS 5H"), call("hit"), deal("2C", 1),
                       insure("i1", "m1"), call("stand"), dealer("8C"), END, **UNCLAIMED)  # fmt: skip

    assert early == [("wager_not_offered", "i1"), ("wager_not_offered", "i2")]
    assert late == [("wager_not_offered", "i1")]
    assert money["i1"] == (0, 500)


def test_the_insurance_of_a_surrendered_or_bust_stake_is_not_offered():
    _, said = play(stake("m1"), stake("m2", 2), CLOSED, first_deal("AC", b1="TS 6H", b2="TD 9H"), call("hit"),
                   deal("KC", 1), insure("i1", "m1"), call("stand", 2), dealer("8C"), END, **UNCLAIMED)  # fmt: skip

    assert said == [("wager_not_offered", "i1")]


# V.1.c, splits

EIGHTS = [stake("m1"), CLOSED, first_deal("9C", b1="8S 8H"), call("split")]


def test_any_number_of_hands_each_new_one_under_the_next_number():
    money, said = play(*EIGHTS, split("m1b"), deal("8D", 1), call("split"), split("m1c", hand=3), deal("TS", 1),
                       call("stand"), deal("8C", 1, 2), call("split", 1, 2), split("m1d", "m1b", hand=4),
                       deal("TD", 1, 2), call("stand", 1, 2), deal("2D", 1, 3), call("hit", 1, 3), deal("9D", 1, 3),
                       call("stand", 1, 3), deal("AD", 1, 4), call("stand", 1, 4), dealer("9H"), END,
                       **UNCLAIMED)  # fmt: skip

    assert money == {"m1": (0, 1000), "m1b": (0, 1000), "m1c": (1000, 1000), "m1d": (1000, 1000)}
    assert said == []


def test_a_split_stake_other_than_the_first_stake_mismatches_and_plays():
    money, said = play(*EIGHTS, split("m1b", amount=500), deal("TS", 1), call("stand"), deal("AS", 1, 2),
                       call("stand", 1, 2), dealer("TC"), END, **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (0, 0), "m1b": (0, 500)}, [("stake_mismatch", "m1b")])


def test_a_split_that_nobody_stakes_mismatches_on_the_first_stake():
    _, said = play(*EIGHTS, deal("TS", 1), call("stand"), deal("AS", 1, 2), call("stand", 1, 2), dealer("TC"), END,
                   **UNCLAIMED)  # fmt: skip

    assert said == [("stake_mismatch", "m1")]


def test_a_split_stake_after_the_new_hands_second_card_is_late():
    money, said = play(*EIGHTS, deal("TS", 1), call("stand"), deal("AS", 1, 2), split("m1b"), call("stand", 1, 2),
                       dealer("TC"), END, **UNCLAIMED)  # fmt: skip

    assert money["m1b"] == (0, 1000)
    assert said == [("stake_mismatch", "m1"), ("late_bet", "m1b")]


def test_a_backer_may_leave_his_stake_on_hand_1_or_split_for_his_own_amount():
    box = [stake("m1", player="ana"), stake("k1", amount=3000, player="ben"), CLOSED, first_deal("9C", b1="8S 8H")]
    rest = [deal("TS", 1), call("stand"), deal("2S", 1, 2), call("hit", 1, 2), deal("TC", 1, 2), call("stand", 1, 2),
            dealer("TD"), END]  # fmt: skip

    stays, quiet = play(*box, call("split"), split("m1b", player="ana"), rest, **UNCLAIMED)
    splits, also_quiet = play(*box, call("split"), split("m1b", player="ana"),
                              split("k1b", "k1", 3000, player="ben"), rest, **UNCLAIMED)  # fmt: skip
    only_he, still_quiet = play(*box, call("split"), split("k1b", "k1", 3000, player="ben"), rest, **UNCLAIMED)

    assert quiet == also_quiet == still_quiet == []
    assert stays == {"m1": (0, 0), "k1": (0, 0), "m1b": (1000, 1000)}
    assert splits == {**stays, "k1b": (3000, 3000)}
    assert only_he == {"m1": (0, 0), "k1": (0, 0), "k1b": (3000, 3000)}


def test_unequal_values_may_not_be_split_and_count_as_they_lie():
    money, said = play(stake("m1"), CLOSED, first_deal("9C", b1="TS 8H"), call("split"), split("m1b"), deal("9S", 1),
                       call("stand"), deal("2S", 1, 2), call("stand", 1, 2), dealer("9H"), END,
                       **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (1000, 1000), "m1b": (0, 0)}, [("illegal_decision", 1)])


def test_hand_2_begun_or_continued_while_hand_1_is_open_is_out_of_order_each_time():
    _, said = play(*EIGHTS, split("m1b"), deal("TS", 1), deal("2S", 1, 2), call("hit", 1, 2), deal("3S", 1, 2),
                   call("stand"), call("hit", 1, 2), deal("4S", 1, 2), call("stand", 1, 2), dealer("9H"), END,
                   **UNCLAIMED)  # fmt: skip

    assert said == [("dealing_error", 1), ("dealing_error", 1)]


def test_a_hit_or_double_on_a_split_ace_is_illegal_and_nothing_of_it_counts():
    money, said = play(stake("m1"), CLOSED, first_deal("9C", b1="AS AH"), call("split"), split("m1b"), deal("5S", 1),
                       call("double"), raised("m1", 1000), deal("4S", 1), deal("AD", 1, 2), call("hit", 1, 2),
                       deal("9S", 1, 2), dealer("9H"), claim("m1", 0, 1000), claim("m1b", 0, 0), END)  # fmt: skip

    assert money == {"m1": (0, 1000), "m1b": (0, 0)}
    assert said == [("illegal_decision", 1), ("illegal_decision", 1)]


def test_an_ace_and_ten_after_a_split_are_no_blackjack_and_push_with_21():
    money, said = play(stake("m1"), CLOSED, first_deal("9C", b1="AS AH"), call("split"), split("m1b"), deal("KS", 1),
                       deal("TS", 1, 2), dealer("5H", "7H"), END, **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (0, 1000), "m1b": (0, 1000)}, [])


def test_a_split_of_three_cards_forms_no_hand():
    money, said = play(stake("m1"), CLOSED, first_deal("9C", b1="8S 2H"), call("hit"), deal("8D", 1), call("split"),
                       split("m1b"), deal("KS", 1, 2), call("stand"), dealer("9H"), END, **UNCLAIMED)  # fmt: skip

    assert money == {"m1": (0, 1000), "m1b": (0, 1000)}
    assert said == [("illegal_decision", 1), ("late_bet", "m1b")]


# V.1.d, doubles

NINE = [stake("m1"), CLOSED, first_deal("9C", b1="5S 4H")]


def test_a_double_gets_exactly_one_card():
    money, said = play(*NINE, call("double"), raised("m1", 1000), deal("2S", 1), deal("9S", 1), dealer("8H"), END,
                       **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (0, 0)}, [("dealing_error", 1)])


def test_a_double_with_nothing_added_mismatches_on_the_first_stake():
    money, said = play(*NINE, call("double"), deal("TS", 1), dealer("8H"), END, **UNCLAIMED)

    assert (money, said) == ({"m1": (1000, 1000)}, [("stake_mismatch", "m1")])


def test_chips_added_after_the_card_or_without_a_double_are_late_and_come_back():
    money, said = play(*NINE, raised("m1", 500), call("double"), raised("m1", 1000), deal("TS", 1), raised("m1", 300),
                       dealer("8H"), claim("m1", 2000, 2800), END)  # fmt: skip

    assert (money, said) == ({"m1": (2000, 2800)}, [("late_bet", "m1"), ("late_bet", "m1")])


def test_a_backer_need_not_double_and_rides_on():
    money, said = play(stake("m1", player="ana"), stake("k1", player="ben"), CLOSED, first_deal("9C", b1="5S 4H"),
                       call("double"), raised("m1", 1000), deal("TS", 1), dealer("8H"), END, **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (2000, 2000), "k1": (1000, 1000)}, [])


# V.1.f, surrender


def test_a_surrender_gives_all_stakes_of_the_box_half_back_at_once():
    money, said = play(stake("m1", player="ana"), stake("k1", amount=3000, player="ben"), CLOSED,
                       first_deal("TC", b1="TS 6H"), call("surrender"), claim("m1", 0, 500),
                       claim("k1", 0, 1500), END)  # fmt: skip

    assert (money, said) == ({"m1": (0, 500), "k1": (0, 1500)}, [])


def test_no_surrender_after_the_first_drawn_card_nor_on_a_split_hand():
    _, late = play(stake("m1"), stake("m2", 2), CLOSED, first_deal("TC", b1="5S 6H", b2="TS 6D"), call("hit"),
                   deal("9S", 1), call("stand"), call("surrender", 2), dealer("8C"), END, **UNCLAIMED)  # fmt: skip
    _, on_split = play(*EIGHTS, split("m1b"), call("surrender"), deal("TS", 1), deal("TD", 1, 2),
                       call("stand", 1, 2), dealer("9H"), END, **UNCLAIMED)  # fmt: skip

    assert late == [("illegal_decision", 2)]
    assert on_split == [("illegal_decision", 1)]


def test_a_hand_surrendered_in_vain_stands_unless_it_is_played_on():
    money, said = play(stake("m1"), CLOSED, first_deal("AC", b1="TS 6H"), call("surrender"), call("hit"),
                       deal("4S", 1), call("stand"), dealer("8C"), claim("m1", 1000, 1000), END)  # fmt: skip

    assert (money, said) == ({"m1": (1000, 1000)}, [("illegal_decision", 1)])


def test_half_handed_over_for_such_a_hand_before_the_dealer_has_drawn_is_too_early():
    money, said = play(stake("m1"), CLOSED, first_deal("AC", b1="TS 6H"), call("surrender"), claim("m1", 0, 500),
                       dealer("7C"), END)  # fmt: skip

    assert money == {"m1": (0, 0)}
    assert said == [("illegal_decision", 1), ("settled_too_early", "m1"), ("overpaid", "m1")]


# V.1.e, under and over 13

THIRTEEN = {"over_under_13": True}


@pytest.mark.parametrize("cards", ["AS KH", "5S 7H", "6S 7H", "AS AH", "TS 4H", "KS QH"])
def test_under_and_over_13_against_the_sum_with_aces_as_one(cards):
    points = sum({"A": 1, "K": 10, "Q": 10, "T": 10}.get(card[0]) or int(card[0]) for card in cards.split())
    money, _ = play(stake("m1"), stake("u", amount=1000, wager="under_13"), stake("o", amount=1000, wager="over_13"),
                    CLOSED, first_deal("TC", b1=cards), call("stand"), END, options=THIRTEEN, **UNCLAIMED)  # fmt: skip

    assert money["u"] == ((1000, 1000) if points < 13 else (0, 0))
    assert money["o"] == ((1000, 1000) if points > 13 else (0, 0))


def test_under_and_over_have_the_limits_of_the_table_or_their_own():
    own = {"min": 1000, "max": 50000, "under_13": {"min": 500, "max": 2000}}
    _, said = play(stake("m1"), stake("u1", amount=500, wager="under_13"), stake("u2", amount=2500, wager="under_13"),
                   stake("o1", amount=500, wager="over_13"), stake("o2", amount=60000, wager="over_13"), CLOSED,
                   options=THIRTEEN, limits=own, **UNCLAIMED)  # fmt: skip

    assert said == [("above_maximum", "u2"), ("below_minimum", "o1"), ("above_maximum", "o2")]


# V.1.g and V.2, sevens

JACKPOT = {"jackpot": True}


def jackpot(*play_on, cards, options=None, amount=500, **table):
    return play(stake("m1"), stake("j", amount=amount, wager="jackpot"), CLOSED, first_deal("9C", b1=cards), *play_on,
                options={**JACKPOT, **(options or {})}, **table)  # fmt: skip


def test_sevens_that_are_split_have_their_third_card_in_hand_1s_second():
    money, said = jackpot(call("split"), split("m1b"), deal("7D", 1), claim("j", 100000, 500), cards="7S 7H")

    assert (money["j"], said) == ((100000, 500), [])


@pytest.mark.parametrize("end", [call("stand"), call("surrender")])
def test_when_hand_1_ends_with_two_sevens_the_prize_of_two_is_due(end):
    money, said = jackpot(end, claim("j", 5000, 500), cards="7S 7H")

    assert (money["j"], said) == ((5000, 500), [])


def test_before_that_it_is_too_early():
    assert jackpot(claim("j", 5000, 500), call("stand"), cards="7S 7H")[1] == [("settled_too_early", "j")]


def test_a_card_that_does_not_count_is_no_third_card():
    money, _ = jackpot(call("stand"), call("hit"), deal("7D", 1), cards="7S 7H", **UNCLAIMED)

    assert money["j"] == (5000, 500)


def test_three_suited_sevens_win_the_whole_pool_where_that_is_more():
    pool = {"jackpot_pool": 3000050}
    money, _ = jackpot(call("hit"), deal("7S", 1), cards="7S 7S", options=pool, chip_unit=100, **UNCLAIMED)

    assert money["j"] == (3000000, 500)


def test_only_the_greatest_prize_is_paid_by_the_tables_own_figures():
    posted = {"jackpot_paytable": {"two_suited_sevens": 300}}
    money, _ = jackpot(call("hit"), deal("7H", 1), cards="7S 7S", options=posted, **UNCLAIMED)

    assert money["j"] == (150000, 500)


def test_the_progressive_pays_the_best_prize_listed_and_keeps_the_stake():
    posted = {"one_seven": 1, "two_suited_sevens": "50%"}
    options = {"progressive": True, "progressive_meter": 1000, "progressive_paytable": posted}
    bets = [stake("m1"), stake("p", amount=500, wager="progressive"), CLOSED]

    for cards, third, paid in (("7S 2H", "7D", 500), ("7S 7H", "7D", 500), ("7S 7S", "7D", 500), ("2S 7H", "7D", 0)):
        money, _ = play(*bets, first_deal("9C", b1=cards), call("hit"), deal(third, 1), options=options, **UNCLAIMED)
        assert money["p"] == (paid, 0)
    money, _ = play(*bets, first_deal("9C", b1="7S 7S"), call("stand"), options={**options, "progressive_meter": 2000},
                    **UNCLAIMED)  # fmt: skip
    assert money["p"] == (1000, 0)


def test_side_bets_are_held_to_half_of_the_minimum_and_then_to_the_stipulated_stake():
    options = {"jackpot": True, "progressive": True, "jackpot_stake": 300, "progressive_stake": 200}
    _, said = play(stake("m1"), stake("j1", amount=501, wager="jackpot"), stake("j2", amount=400, wager="jackpot"),
                   stake("j3", amount=300, wager="jackpot"), stake("p1", amount=300, wager="progressive"), CLOSED,
                   options=options, **UNCLAIMED)  # fmt: skip

    assert said == [("side_bet_too_large", "j1"), ("stake_mismatch", "j2"), ("stake_mismatch", "p1")]


def test_what_the_house_posts_against_the_regulation_is_one_finding():
    wrong = {"jackpot": True, "jackpot_stake": 600, "jackpot_paytable": {"two_sevens": 9, "five_sevens": 3}}
    [finding] = setup_findings(wrong, decks=8)

    assert finding.code == "setup_not_allowed"
    assert finding.passage == "game 3, V.1.g, game 3, II"
    for words in ("two_sevens is 9 to 1", "no prize five_sevens", "stake is 6.00 EUR; 5.00 EUR", "8 decks"):
        assert words in finding.text
    assert setup_findings({"jackpot": True, "jackpot_stake": 500, "jackpot_paytable": {"one_seven": 2}}, decks=6) == []
    assert len(setup_findings({"progressive": True, "progressive_paytable": {"one_seven": "half%"}})) == 1


# V.3, stakes


def test_stakes_are_judged_when_the_window_closes_on_what_lies_then_in_order_of_placing():
    _, said = play(stake("a", amount=500), stake("b", amount=50000, player="ben"), raised("a", 500),
                   withdrawn("b", 1000), stake("c", amount=1000, player="cai"), stake("d", 2, 60000),
                   withdrawn("d"), CLOSED, **UNCLAIMED)  # fmt: skip

    assert said == [("above_maximum", "c")]


def test_the_window_closes_with_the_first_card_that_is_not_burned():
    _, said = play(stake("m1"), deal("2C", "burn", exposed=True), stake("m2", 2), deal("TS", 1), stake("m3", 3),
                   raised("m1", 500), withdrawn("m2"), deal("TD", 2), **UNCLAIMED)  # fmt: skip

    assert said == [("late_bet", "m3"), ("late_bet", "m1"), ("late_withdrawal", "m2")]


def test_a_side_bet_whose_main_stake_is_withdrawn_is_refused_at_the_close():
    money, said = play(stake("m1"), stake("j", amount=500, wager="jackpot"), withdrawn("m1"), CLOSED,
                       claim("j", 0, 500), options=JACKPOT)  # fmt: skip

    assert (money, said) == ({"m1": "withdrawn", "j": (0, 500)}, [("wager_not_offered", "j")])


def test_a_withdrawn_stake_makes_room_for_another_on_the_box():
    four = [stake(name, player=name) for name in "abc"]

    assert play(*four, withdrawn("a"), stake("d", player="d"), CLOSED, **UNCLAIMED)[1] == []
    assert play(*four, stake("d", player="d"), withdrawn("a"), CLOSED, **UNCLAIMED)[1] == [("too_many_bets", "d")]


def test_a_wager_not_offered_is_that_even_when_it_is_late():
    money, said = play(stake("m1"), CLOSED, stake("u", amount=1000, wager="under_13"), stake("x", wager="war"),
                       stake("m8", 8), stake("m0", 0), stake("m2", 2), **UNCLAIMED)  # fmt: skip

    assert said == [("wager_not_offered", name) for name in ("u", "x", "m8", "m0")] + [("late_bet", "m2")]
    assert money["m8"] == (0, 1000)


def test_splits_and_doubles_may_carry_a_box_above_its_maximum():
    _, said = play(stake("m1", amount=50000), CLOSED, first_deal("9C", b1="8S 8H"), call("split"),
                   split("m1b", amount=50000), deal("3S", 1), call("double"), raised("m1", 50000), deal("9S", 1),
                   deal("TD", 1, 2), call("stand", 1, 2), dealer("9H"), END, **UNCLAIMED)  # fmt: skip

    assert said == []


# V.1.a and V.4, the deal and the shoe


def test_the_first_deal_out_of_order_is_said_once_and_the_cards_count():
    money, said = play(stake("m1"), stake("m2", 2), CLOSED, deal("TS", 2), deal("TH", 1), deal("9C", "D"),
                       deal("9S", 2), deal("8H", 1), call("stand"), call("stand", 2), dealer("9D"), END,
                       **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (0, 1000), "m2": (1000, 1000)}, [("dealing_error", 2)])


def test_a_card_to_a_box_without_a_main_stake_leaves_the_order_as_it_is():
    _, said = play(stake("m1"), CLOSED, deal("TS", 1), deal("2H", 2), deal("9C", "D"), deal("9S", 1), call("stand"),
                   dealer("9D"), END, **UNCLAIMED)  # fmt: skip

    assert said == [("dealing_error", 2)]


def test_cards_face_down_or_exposed_are_one_finding_each_and_count():
    money, said = play(stake("m1"), CLOSED, deal("TS", 1, up=False, exposed=True), deal("9C", "D", up=False),
                       deal("9S", 1, exposed=True), call("stand"), dealer("9D"), END, **UNCLAIMED)  # fmt: skip

    assert (money, said) == ({"m1": (1000, 1000)}, [("dealing_error", 1), ("dealing_error",), ("dealing_error", 1)])


def test_a_drawn_card_while_a_lower_box_is_open_is_said_each_time():
    _, said = play(stake("m1"), stake("m2", 2), CLOSED, first_deal("9C", b1="TS 2H", b2="2S 3H"), call("hit", 2),
                   deal("4H", 2), call("hit", 2), deal("5H", 2), call("stand"), call("hit", 2), deal("6H", 2),
                   call("stand", 2), dealer("9D"), END, **UNCLAIMED)  # fmt: skip

    assert said == [("dealing_error", 2), ("dealing_error", 2)]


BURNS = [deal(card, "burn") for card in ("2C", "3C", "4C", "5C", "6C")]


def test_five_cards_are_burned_from_a_new_shoe_and_it_is_said_once_that_they_are_not():
    round_ = [stake("m1"), CLOSED, first_deal("9C", b1="TS 9H"), call("stand"), dealer("9D"), END]

    assert play({"shoe_loaded": {"decks": 6}}, BURNS, round_, **UNCLAIMED)[1] == []
    assert play({"shoe_loaded": {}}, BURNS[:2], round_, **UNCLAIMED)[1] == [("dealing_error", 1)]
    assert play({"shoe_loaded": {"decks": 8}}, BURNS, round_, **UNCLAIMED)[1] == [("dealing_error",)]


def test_the_round_in_which_the_cut_card_comes_is_the_last_of_a_shoe_filled_by_hand():
    one = [stake("m1"), CLOSED, first_deal("9C", b1="TS 9H"), "cut_card", call("stand"), dealer("9D"), END]
    two = [stake("n1"), CLOSED, first_deal("9C", b1="TS 9H"), call("stand"), dealer("9D"), END]
    loaded = [{"shoe_loaded": {"decks": 6}}, *BURNS]

    assert play(one, two, **UNCLAIMED)[1] == [("dealing_error", 1)]
    assert play(one, loaded, two, **UNCLAIMED)[1] == []
    assert play(one, two, options={"shoe": "continuous"}, **UNCLAIMED)[1] == []


def test_burned_cards_count_among_the_six_copies():
    burned = [deal("TS", "burn")] * 6
    events = [stake("m1"), burned, CLOSED, first_deal("9C", b1="TS 9H"), call("stand"), dealer("9D"), END]

    assert play(*events, **UNCLAIMED)[1] == [("impossible_card",)]
    assert play(*events, options={"shoe": "continuous"}, **UNCLAIMED)[1] == [("impossible_card",)]


# What the log does not hold


def session_with_hole(events, missing):
    """The codes that are said when the events at these places (of the list, from 0) are missing."""
    session = Session("-", JUDGING)
    for event in scenario(TABLE, events).events:
        if event.seq - 2 in missing:
            session.hole(event.seq, event.seq, "sequence_gap", "-")
        else:
            session.step(event, b"")
    session.finish()
    return {said.code for said in session.drain() if isinstance(said, Finding)} - {"sequence_gap"}


CLEAN = [
    {"shoe_loaded": {"decks": 6}}, *BURNS, "round_opened", stake("m1", amount=2000), stake("m2", 2), CLOSED,
    *first_deal("AC", b1="8S 8H", b2="5H 6H"), insure("i1", "m1", 1000), call("split"), split("m1b", amount=2000),
    deal("TS", 1), call("stand"), deal("3S", 1, 2), call("double", 1, 2), raised("m1b", 2000), deal("9S", 1, 2),
    call("double", 2), raised("m2", 1000), deal("2D", 2), *dealer("6C"), claim("i1", 0, 0), claim("m1", 1000 * 2, 2000),
    claim("m1b", 4000, 4000), claim("m2", 0, 0), END,
    "round_opened", stake("n1"), CLOSED, *first_deal("9C", b1="AS KH"), claim("n1", 1500, 1000), "cut_card", END,
    {"shoe_loaded": {"decks": 6}}, *BURNS, "round_opened", stake("o1"), CLOSED, *first_deal("9C", b1="TS 9H"),
    call("stand"), *dealer("9D"), claim("o1", 1000, 1000), END,
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(CLEAN)))
def test_no_finding_is_invented_because_an_event_is_missing(place):
    assert session_with_hole(CLEAN, {place}) == set()


def test_the_clean_night_is_clean():
    assert session_with_hole(CLEAN, set()) == set()


def test_a_card_that_nobody_could_read_leaves_the_rest_of_the_round_unjudged_and_the_next_is_judged():
    first = [stake("m1"), CLOSED, deal("??", 1), deal("9C", "D"), stake("x", 2), call("split"), claim("m1", 7, 7), END]
    money, said = play(first, stake("n1"), CLOSED, first_deal("9C", b1="AS KH"), claim("n1", 1, 1), END)

    assert money == {"m1": (None, None), "x": (None, None), "n1": (1500, 1000)}
    assert said == [("underpaid", "n1")]


# The published figures


def test_the_edges_are_the_published_ones():
    edges = {each.wager: each.edge for each in odds(RULES)}

    assert edges == {
        "under_13": Fraction(407, 4043),
        "over_13": Fraction(265, 4043),
        "insurance": Fraction(23, 311),
        "jackpot": Fraction(65732, 125333),
    }


def test_variances_agree_with_a_count_of_all_pairs_and_with_two_point_formulas():
    variances = {each.wager: each.variance for each in odds(RULES)}
    values = [min(rank, 10) for rank in range(1, 14)] * 24
    counts = {value: values.count(value) for value in set(values)}
    under = sum(counts[a] * (counts[b] - (a == b)) for a, b in product(counts, counts) if a + b < 13)
    wins = Fraction(under, 312 * 311)
    tens = Fraction(96, 311)

    assert variances["under_13"] == 4 * wins * (1 - wins)
    assert variances["insurance"] == 9 * tens * (1 - tens)


def test_the_pack_of_2022_takes_the_game_over():
    assert PACKS.game("AD-2022", "blackjack").origin == "AD-2025"
