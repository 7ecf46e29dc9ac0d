"""Triple blackjack, AD-2022 game 19, passage by passage: what the scenarios leave out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from replay.games.triple_blackjack import odds
from replay.results import Verdict
from tests.games.blackjacks import CLOSED, END, call, cards, deal, stake, tables
from tests.games.retold import UNCLAIMED, claim, raised, withdrawn
from tests.installed import PACKS

play, fold = tables("triple_blackjack")
RULES = PACKS.game("AD-2022", "triple_blackjack")


def boxes(*numbers, seat=1, amount=1000, name="abcdefg"):
    """Stakes on these boxes of a seat: ``a1``, ``a2`` … at seat 1, ``b1`` … at seat 2."""
    return [stake(f"{name[seat - 1]}{number}", seat, amount, pick=number) for number in numbers]


def first_deal(dealer, *hands):
    """The initial deal to seats 1, 2 …, and the dealer's first card."""
    twos = [hand.split() for hand in hands]
    firsts = [deal(two[0], seat) for seat, two in enumerate(twos, 1)]
    return [*firsts, deal(dealer, "D"), *[deal(two[1], seat) for seat, two in enumerate(twos, 1)]]


def draw(number, text):
    """The dealer's cards for one box."""
    return cards("D", text, number)


# I and III, the stakes


def test_a_player_stakes_one_two_or_three_boxes():
    for numbers in ((1,), (2,), (3,), (1, 3), (1, 2, 3)):
        assert play(boxes(*numbers), CLOSED)[1] == []


@pytest.mark.parametrize("pick", [{}, {"pick": 0}, {"pick": 4}, {"pick": "one"}])
def test_the_boxes_are_numbered_one_to_three(pick):
    assert play(stake("a", **pick), CLOSED, claim("a", 0, 1000)) == ({"a": (0, 1000)}, [("wager_not_offered", "a")])


def test_a_player_has_one_stake_a_box_and_a_stake_without_a_name_is_the_seated_players():
    def many(*stakes):
        return play([stake(name, pick=pick, player=player) for name, pick, player in stakes], CLOSED)[1]

    assert many(("a", 1, "ana"), ("b", 2, "ana"), ("c", 3, "ana")) == []
    assert many(("a", 1, None), ("b", 1, None)) == [("too_many_bets", "b")]
    assert many(("a", 1, "ana"), ("b", 1, None)) == [("too_many_bets", "b")]
    assert many(("a", 1, "ana"), ("b", 2, None), ("c", 2, "ana")) == [("too_many_bets", "c")]
    assert many(("a", 1, "ana"), ("b", 1, "ben"), ("c", 1, "cai")) == []
    assert many(("a", 1, "ana"), ("b", 2, "ben"), ("c", 2, None)) == []


def test_a_box_has_three_stakes_at_most():
    four = [stake(name, pick=2, player=name) for name in ("ana", "ben", "cai", "dot")]

    assert play(four, stake("eva", pick=3, player="eva"), CLOSED)[1] == [("too_many_bets", "dot")]


def test_a_stake_taken_back_makes_room():
    assert play(boxes(1), withdrawn("a1"), stake("x", pick=1), CLOSED) == ({"a1": "withdrawn", "x": "open"}, [])


def test_minimum_and_maximum_hold_for_each_box_of_each_seat():
    assert play(boxes(1, 2, 3, amount=50000), boxes(1, 2, 3, seat=2, amount=50000), CLOSED)[1] == []
    _, findings = play(boxes(1, 2, amount=900), stake("x", pick=3, amount=50500), CLOSED)
    assert findings == [("below_minimum", "a1"), ("below_minimum", "a2"), ("above_maximum", "x")]


def test_the_stakes_of_several_on_one_box_add_up():
    backed = [stake("x", pick=1, amount=30000, player="ana"), stake("y", pick=1, amount=30000, player="ben")]

    assert play(backed, stake("z", pick=2, amount=30000, player="ben"), CLOSED)[1] == [("above_maximum", "y")]


# II, the dealer's hands


def test_every_hand_of_the_dealer_begins_with_his_first_card():
    events = [boxes(1, 2, 3), CLOSED, first_deal("6C", "TS 8S"), call("stand"), draw(None, "TD 5D"), claim("a1", 0, 0)]

    assert play(events, draw(2, "TH 2H"), claim("a2", 0, 1000), draw(3, "TC TD"), claim("a3", 1000, 1000), END) == (
        {"a1": (0, 0), "a2": (0, 1000), "a3": (1000, 1000)},
        [],
    )


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_dealer_does_not_draw_for_a_box_without_competitor(number):
    staked = [each for each in (1, 2, 3) if each != number]
    drawn = [draw(each, "9D") for each in (1, 2, 3)]

    assert play(boxes(*staked), CLOSED, first_deal("9C", "TS 9S"), call("stand"), drawn, END, **UNCLAIMED)[1] == [
        ("dealer_misplay",)
    ]


def test_a_box_whose_hands_are_bust_or_given_up_has_no_competitor():
    """Seat 1 gives up boxes 1 and 2, seat 2 goes bust on 1 and 3: one card too many for 1; box 3 has seat 3."""
    events = [boxes(1, 2), boxes(1, 3, seat=2), boxes(3, seat=3), CLOSED, first_deal("9C", "TS 6S", "TH 6H", "TD 9D")]
    events += [call("surrender"), call("hit", 2), deal("KC", 2), call("stand", 3)]

    assert play(events, draw(3, "9H"), END, **UNCLAIMED)[1] == []
    assert play(events, draw(1, "9S"), draw(2, "9H"), draw(3, "9H"), END, **UNCLAIMED)[1] == [("dealer_misplay",)] * 2


def test_a_hand_of_the_dealer_draws_to_16_and_stands_on_17():
    events = [boxes(1, 2), CLOSED, first_deal("6C", "TS 8S"), call("stand")]

    money, findings = play(events, draw(1, "TD"), claim("a1", 1000, 1000), draw(2, "TH 2S"), claim("a2", 0, 1000), END)
    assert (money, findings) == ({"a1": (1000, 1000), "a2": (0, 1000)}, [("dealer_misplay",)])
    money, findings = play(events, draw(1, "TD 2D 5S"), claim("a1", 0, 1000), draw(2, "TH 2S"), claim("a2", 0, 1000))
    assert (money, findings) == ({"a1": (0, 1000), "a2": (0, 1000)}, [("dealer_misplay",)])


def test_a_mistake_is_said_once_a_hand_of_the_dealer():
    events = [boxes(1, 2, 3), CLOSED, first_deal("9C", "TS 8S"), call("stand")]

    drawn = [draw(1, "9D 2D 3D"), draw(2, "9D 2D 3D"), draw(3, "9D 2D 3D")]
    assert play(events, drawn, END, **UNCLAIMED)[1] == [("dealer_misplay",)] * 3


def test_a_card_for_the_next_box_ends_the_hand_before_as_it_lies():
    """15 against 18: the hand for box 1 stood short, and a later card for it does not count."""
    events = [boxes(1, 2), CLOSED, first_deal("6C", "TS 8S"), call("stand"), draw(1, "9D"), draw(2, "TD 4D")]

    money, findings = play(events, draw(1, "6D"), claim("a1", 1000, 1000), claim("a2", 0, 0), END)
    assert (money, findings) == ({"a1": (1000, 1000), "a2": (0, 0)}, [("dealer_misplay",)])


def test_a_hand_that_is_only_the_first_card_leaves_its_stakes_open():
    events = [boxes(1, 2, 3), CLOSED, first_deal("9C", "TS 8S"), call("stand")]

    assert play(events, draw(2, "9D"), draw(1, "9H"), claim("a2", 0, 1000), claim("a3", 1000, 1000), END) == (
        {"a1": "open", "a2": (0, 1000), "a3": "open"},
        [("dealer_misplay",), ("settled_too_early", "a3"), ("dealer_misplay",)],
    )
    assert play(events, draw(3, "9D"), claim("a3", 0, 1000), END) == (
        {"a1": "open", "a2": "open", "a3": (0, 1000)},
        [("dealer_misplay",), ("dealer_misplay",)],
    )


def test_a_round_closed_while_the_dealer_owes_cards():
    events = [boxes(1, 2), CLOSED, first_deal("6C", "TS 8S"), call("stand"), draw(1, "9D")]

    assert play(events, END, **UNCLAIMED) == (
        {"a1": (1000, 1000), "a2": "open"},
        [("dealer_misplay",), ("dealer_misplay",)],
    )


def test_the_dealer_has_three_hands():
    events = [boxes(3), CLOSED, first_deal("9C", "TS 8S"), call("stand"), draw(4, "9D"), draw(3, "9D")]

    assert play(events, END, **UNCLAIMED) == ({"a3": (0, 1000)}, [("dealing_error",)])


def test_drawing_before_a_player_has_decided():
    events = [boxes(1, 2), CLOSED, first_deal("9C", "TS 8S"), draw(1, "9D"), draw(2, "8D")]

    assert play(events, claim("a1", 0, 1000), claim("a2", 1000, 1000), END) == (
        {"a1": (0, 1000), "a2": (1000, 1000)},
        [("missing_decision", 1)],
    )


def test_a_stake_is_settled_when_the_hand_for_its_box_decides_it():
    events = [boxes(1, 2), CLOSED, first_deal("9C", "TS 8S"), call("stand")]

    assert play(events, draw(1, "9D"), claim("a2", 0, 1000), claim("a1", 0, 1000), draw(2, "9H"), END)[1] == [
        ("settled_too_early", "a2")
    ]


# II, the blackjack


def test_a_blackjack_that_the_dealer_cannot_equal_is_paid_box_by_box():
    """Against a seven; nobody else plays, so that all boxes come into play without a card."""
    events = [boxes(1, 2, 3), CLOSED, first_deal("7C", "AS KS")]

    paid = [claim(f"a{number}", 1500, 1000) for number in (1, 2, 3)]
    assert play(events, paid, END)[1] == []


def test_a_blackjack_waits_until_its_box_is_in_play():
    events = [boxes(1, 2), boxes(1, seat=2), CLOSED, first_deal("7C", "AS KS", "TD 9D")]

    for claims, findings in (
        ([claim("a1", 1500, 1000), call("stand", 2), draw(1, "TC"), claim("a2", 1500, 1000)], []),
        ([claim("a2", 1500, 1000), call("stand", 2), draw(1, "TC"), claim("a1", 1500, 1000)], ["a2"]),
        ([call("stand", 2), claim("a2", 1500, 1000), draw(1, "TC"), claim("a1", 1500, 1000)], ["a2"]),
    ):
        found = play(events, claims, claim("b1", 1000, 1000), END)
        assert found == (
            {"a1": (1500, 1000), "a2": (1500, 1000), "b1": (1000, 1000)},
            [("settled_too_early", bet) for bet in findings],
        )


def test_against_a_ten_one_card_is_due_for_the_blackjack_of_each_box():
    """Hand 1 is no blackjack on two cards and needs no more; hand 2 equals it."""
    events = [boxes(1, 2), CLOSED, first_deal("TC", "AS KS")]

    assert play(events, draw(1, "5D"), claim("a1", 1500, 1000), draw(2, "AD"), claim("a2", 0, 1000), END) == (
        {"a1": (1500, 1000), "a2": (0, 1000)},
        [],
    )
    assert play(events, draw(1, "5D"), claim("a1", 1500, 1000), END) == (
        {"a1": (1500, 1000), "a2": "open"},
        [("dealer_misplay",)],
    )


def test_twenty_one_with_more_cards_loses_to_the_dealers_blackjack_in_that_box_only():
    events = [boxes(1, 2), CLOSED, first_deal("TC", "5S 6S"), call("hit"), deal("TH", 1)]

    assert play(events, draw(1, "AD"), claim("a1", 0, 0), draw(2, "9D"), claim("a2", 1000, 1000), END)[1] == []


# II, insurance


def insured(*numbers, of="a"):
    return [stake(f"i{number}", wager="insurance", amount=500, of=f"{of}{number}") for number in numbers]


def test_each_box_is_insured_by_itself_and_decided_by_the_second_card_of_its_hand():
    events = [boxes(1, 2), CLOSED, first_deal("AC", "TS 9S"), insured(1, 2), call("stand")]

    assert play(
        events,
        draw(1, "8D"),
        claim("i1", 0, 0),
        claim("a1", 0, 1000),
        draw(2, "QD"),
        claim("i2", 1000, 500),
        claim("a2", 0, 0),
        END,
    ) == ({"a1": (0, 1000), "a2": (0, 0), "i1": (0, 0), "i2": (1000, 500)}, [])


def test_an_insurance_alone_is_worth_one_card():
    """The hand is bust; box 2 is insured, box 1 is not."""
    events = [boxes(1, 2), CLOSED, first_deal("AC", "TS 6S"), insured(2), call("hit"), deal("KD", 1)]

    assert play(events, draw(2, "5D"), claim("i2", 0, 0), claim("a1", 0, 0), claim("a2", 0, 0), END)[1] == []
    assert play(events, draw(1, "5D"), draw(2, "5D"), END, **UNCLAIMED)[1] == [("dealer_misplay",)]
    assert play(events, END, **UNCLAIMED) == (
        {"a1": (0, 0), "a2": (0, 0), "i2": "open"},
        [("dealer_misplay",)],
    )


def test_the_insurances_of_all_boxes_are_taken_before_the_first_drawn_card():
    events = [boxes(1, 2), CLOSED, first_deal("AC", "TS 9S"), call("stand"), draw(1, "8D")]

    assert play(events, insured(2), claim("i2", 0, 500))[1] == [("late_bet", "i2")]


def test_an_insurance_belongs_to_a_stake():
    events = [boxes(1), CLOSED, first_deal("AC", "TS 9S")]

    assert play(events, insured(2), claim("i2", 0, 500))[1] == [("wager_not_offered", "i2")]


# I, the decisions of blackjack


def test_a_bust_hand_loses_all_its_boxes_at_once():
    events = [boxes(1, 2, 3), CLOSED, first_deal("9C", "TS 6S"), call("hit"), deal("KD", 1)]

    assert play(events, [claim(f"a{number}", 0, 0) for number in (1, 2, 3)], END)[1] == []


def test_a_double_needs_money_on_one_box_at_least_each_by_its_own_amount():
    events = [boxes(1), stake("x", pick=2, amount=3000), CLOSED, first_deal("9C", "5S 6S"), call("double")]
    end = [deal("9S", 1), draw(1, "9D"), draw(2, "9D"), END]

    assert play(events, raised("x", 3000), end, **UNCLAIMED) == ({"a1": (1000, 1000), "x": (6000, 6000)}, [])
    assert play(events, raised("x", 1000), end, **UNCLAIMED)[1] == [("stake_mismatch", "x")]
    assert play(events, end, **UNCLAIMED)[1] == [("stake_mismatch", "a1")]


def test_a_split_box_by_box():
    """Eights split with money on both boxes; the stake on box 2 names no other, and belongs to the one there."""
    events = [boxes(1), stake("x", pick=2, amount=2000), CLOSED, first_deal("7C", "8S 8H"), call("split")]
    events += [stake("s1", pick=1, hand=2, of="a1"), stake("s2", pick=2, hand=2, amount=2000)]
    events += [deal("TS", 1), call("stand"), deal("9H", 1, 2), call("stand", hand=2)]

    assert play(events, draw(1, "TD"), draw(2, "8D 3D"), END, **UNCLAIMED) == (
        {"a1": (1000, 1000), "s1": (0, 1000), "x": (0, 2000), "s2": (0, 0)},
        [],
    )


def test_a_split_stake_equals_that_of_its_own_box():
    events = [boxes(1), stake("x", pick=2, amount=2000), CLOSED, first_deal("7C", "8S 8H"), call("split")]

    assert play(events, stake("s", pick=2, hand=2, of="x"), **UNCLAIMED)[1] == [("stake_mismatch", "s")]
    assert play(events, stake("s", pick=1, hand=2, of="x"), **UNCLAIMED)[1] == [("wager_not_offered", "s")]
    assert play(events, stake("s", pick=2, hand=2, amount=2000), deal("TS", 1), call("stand"), **UNCLAIMED)[1] == []


def test_a_hand_without_a_stake_on_a_box_does_not_compete_for_it():
    """Hand 2 has a stake on box 1 only; hand 1 is bust: nobody is left for box 2."""
    events = [boxes(1, 2), CLOSED, first_deal("7C", "8S 8H"), call("split"), stake("s", pick=1, hand=2, of="a1")]
    events += [deal("6S", 1), call("hit"), deal("KS", 1), deal("TH", 1, 2), call("stand", hand=2)]

    assert play(events, draw(1, "TD"), END, **UNCLAIMED) == ({"a1": (0, 0), "a2": (0, 0), "s": (1000, 1000)}, [])
    assert play(events, draw(1, "TD"), draw(2, "TD"), END, **UNCLAIMED)[1] == [("dealer_misplay",)]


def test_half_of_an_odd_stake_is_rounded_box_by_box():
    events = [boxes(1, 2, amount=1050), CLOSED, first_deal("9C", "TS 6S"), call("surrender")]

    money, _ = play(events, END, chip_unit=50, **UNCLAIMED)
    assert money == {"a1": (0, 500), "a2": (0, 500)}


def test_a_jackpot_rides_on_the_hand_once():
    options = {"jackpot": True}
    lonely = [boxes(2), stake("j", seat=2, wager="jackpot", amount=500), CLOSED]

    assert play(lonely, claim("j", 0, 500), options=options)[1] == [("wager_not_offered", "j")]
    assert play(boxes(2), stake("j", wager="jackpot", amount=500), CLOSED)[1] == [("wager_not_offered", "j")]
    events = [boxes(2), stake("j", wager="jackpot", amount=500), CLOSED, first_deal("9C", "7S TS"), call("stand")]
    assert play(events, claim("j", 1000, 500), draw(2, "9D"), claim("a2", 0, 0), END, options=options)[1] == []


# A hole in the log


ROUND = [
    "round_opened",
    boxes(1, 2, 3),
    CLOSED,
    first_deal("9C", "TS 8S"),
    call("stand"),
    draw(1, "9D"),
    claim("a1", 0, 1000),
    draw(2, "8D"),
    claim("a2", 1000, 1000),
    draw(3, "2D 9H"),
    claim("a3", 0, 0),
    END,
]


@pytest.mark.parametrize("missing", range(2, 19))
def test_no_hole_makes_a_finding(missing):
    verdicts, findings = fold([ROUND] * 3, {missing})

    assert findings == []
    assert set(verdicts.values()) <= {Verdict.MATCH, Verdict.UNVERIFIABLE}
    assert all(verdicts[3, bet] is Verdict.MATCH for bet in ("a1", "a2", "a3"))


# The exact figures


def test_the_wagers_without_decisions_have_the_figures_of_blackjack():
    assert {row.wager: row.edge for row in odds(RULES)} == {
        "under_13": Fraction(407, 4043),
        "over_13": Fraction(265, 4043),
        "insurance": Fraction(23, 311),
        "jackpot": Fraction(65732, 125333),
    }
