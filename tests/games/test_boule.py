"""Boule, AD-2025 game 4, passage by passage: what the scenarios leave out, and the odds of the nine numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.games.boule import odds
from tests.games.retold import claim, raised, set_up, settle, withdrawn
from tests.installed import PACKS

RULES = PACKS.game("AD-2025", "boule")
LIMITS = {"min": 200, "max": 100000, "straight_up": {"min": 200, "max": 20000}}
TABLE = {"game": "boule", "rules": "AD-2025", "chip_unit": 100, "limits": LIMITS}
WINS = {
    "red": {2, 4, 7, 9},
    "black": {1, 3, 6, 8},
    "even": {2, 4, 6, 8},
    "odd": {1, 3, 7, 9},
    "high": {6, 7, 8, 9},
    "low": {1, 2, 3, 4},
}
"""The simple chances, as the Spanish catalogue of 1979 and the French arrêté of 2007 have them."""


def play(*events, **table):
    """The re-tally: each bet's (paid, returned) or verdict, and the findings as (code, bet)."""
    money, found = settle({**TABLE, **table}, events)
    return money, [(finding.code, finding.bet) for finding in found]


def setup_findings(limits):
    """What is said of the table as it was opened."""
    return [(said.code, said.passage) for said in set_up({**TABLE, "limits": limits})]


def bet(name, wager, amount=1000, pick=None, seat=1, player=None):
    fields = {"bet": name, "seat": seat, "wager": wager, "amount": amount, "pick": pick, "player": player}
    return {"bet_placed": fields}


def number(name, pick, amount=1000, seat=1, player=None):
    return bet(name, "straight_up", amount, pick, seat, player)


def ball(landed):
    return {"ball_landed": {"number": landed}}


# V.1, wagers


@pytest.mark.parametrize("landed", range(1, 10))
def test_each_simple_chance_pays_par_on_its_four_numbers_and_loses_on_the_others(landed):
    """On 5 all of them lose: no prison, no half stake."""
    money, _ = play(*(bet(wager, wager) for wager in WINS), "bets_closed", ball(landed), "round_closed")

    assert money == {wager: (1000, 1000) if landed in numbers else (0, 0) for wager, numbers in WINS.items()}


@pytest.mark.parametrize("landed", range(1, 10))
def test_a_number_pays_seven_times_and_the_stake_comes_back(landed):
    money, _ = play(
        *(number(f"n{pick}", pick, 300) for pick in range(1, 10)), "bets_closed", ball(landed), "round_closed"
    )

    assert money == {f"n{pick}": (2100, 300) if pick == landed else (0, 0) for pick in range(1, 10)}


@pytest.mark.parametrize("pick", [0, 10, -1, "7", None, [1, 2]])
def test_a_number_outside_one_to_nine_is_not_offered(pick):
    money, findings = play(number("n", pick), "bets_closed", ball(7), claim("n", 0, 1000))

    assert money == {"n": (0, 1000)}
    assert findings == [("wager_not_offered", "n")]


def test_taking_a_bet_that_is_not_offered_is_underpaid_and_paying_it_is_overpaid():
    _, findings = play(
        bet("taken", "dozen"),
        bet("paid", "split"),
        "bets_closed",
        ball(1),
        claim("taken", 0, 0),
        claim("paid", 9000, 1000),
    )

    assert findings == [
        ("wager_not_offered", "taken"),
        ("wager_not_offered", "paid"),
        ("underpaid", "taken"),
        ("overpaid", "paid"),
    ]


def test_a_decided_bet_does_not_carry_over():
    """It is decided by the first ball after it was placed."""
    one = [bet("r", "red"), "bets_closed", ball(2), claim("r", 1000, 1000), "round_closed"]
    money, findings = play(*one, "round_opened", "bets_closed", ball(4), claim("r", 1000, 1000), "round_closed")

    assert money == {"r": (1000, 1000)}
    assert findings == [("settled_twice", "r")]


# V.2, limits


def test_each_bet_by_itself_must_reach_the_minimum():
    _, findings = play(bet("a", "red", 100), bet("b", "red", 100), "bets_closed", ball(5))

    assert findings == [("below_minimum", "a"), ("below_minimum", "b")]


def test_the_minimum_is_looked_at_again_after_a_raise_and_never_after_a_withdrawal():
    reduced = [bet("a", "red", 200), withdrawn("a", 100)]

    assert play(*reduced)[1] == []
    assert play(*reduced, raised("a", 50))[1] == [("below_minimum", "a")]
    assert play(*reduced, raised("a", 100))[1] == []


def test_below_minimum_is_said_once_of_a_bet():
    assert play(bet("a", "red", 50), raised("a", 50), raised("a", 50))[1] == [("below_minimum", "a")]


def test_a_number_has_its_own_minimum_where_one_is_posted():
    own = {"min": 500, "max": 100000, "straight_up": {"min": 100, "max": 20000}}
    none = {"min": 500, "max": 100000, "straight_up": {"max": 20000}}

    assert play(number("n", 1, 200), bet("r", "red", 200), limits=own)[1] == [("below_minimum", "r")]
    assert play(number("n", 1, 200), limits=none)[1] == [("below_minimum", "n")]


def test_the_maximum_of_the_table_never_binds_a_number():
    assert play(number("n", 1, 19000), limits={"min": 200, "max": 1000})[1] == []


def test_one_players_stakes_on_the_same_chance_are_added_up():
    bets = [bet("a", "red", 60000), bet("b", "red", 40000), bet("c", "red", 200), bet("d", "black", 100000)]

    assert play(*bets)[1] == [("above_maximum", "c")]


def test_different_players_are_never_added_up():
    """The house may set no limit for them together."""
    bets = [bet(f"b{seat}", "red", 100000, seat=seat) for seat in range(1, 9)]
    bets += [number(f"n{name}", 5, 20000, seat=1, player=name) for name in ("anna", "bru", "cai")]

    assert play(*bets)[1] == []


def test_the_player_is_the_player_wherever_he_sits():
    bets = [bet("a", "low", 60000, seat=1, player="anna"), bet("b", "low", 60000, seat=2, player="anna")]

    assert play(*bets)[1] == [("above_maximum", "b")]


def test_a_raise_over_the_maximum_is_seen_and_said_once():
    money, findings = play(
        bet("a", "odd", 99000), raised("a", 1100), raised("a", 100), ball(9), claim("a", 100200, 100200)
    )

    assert findings == [("above_maximum", "a")]
    assert money == {"a": (100200, 100200)}


def test_what_was_taken_back_does_not_count_towards_the_maximum():
    bets = [
        bet("a", "red", 60000),
        withdrawn("a"),
        bet("b", "red", 60000),
        withdrawn("b", 20000),
        bet("c", "red", 60000),
    ]

    assert play(*bets)[1] == []


def test_without_a_minimum_and_a_maximum_nothing_binds():
    assert play(number("n", 1, 10**9), bet("r", "red", 1), limits={})[1] == []


@pytest.mark.parametrize(("low", "high"), [(40, 100)])
def test_a_number_may_be_posted_at_forty_to_a_hundred_times_the_minimum(low, high):
    """The posted minimum may be twice the authorised one, so that from 20 times on it can be lawful."""

    def limits(times):
        return {"min": 200, "straight_up": {"max": 200 * times}}

    assert setup_findings(limits(low)) == setup_findings(limits(high)) == setup_findings(limits(low // 2)) == []
    assert (
        setup_findings(limits(low // 2 - 1))
        == setup_findings(limits(high + 1))
        == [("setup_not_allowed", "game 4, V.2")]
    )


def test_a_simple_chance_may_be_posted_at_two_hundred_to_five_hundred_times_the_minimum():
    """From 100 times on, where the posted minimum is twice the authorised one."""
    lawful = [100, 200, 500]
    unlawful = [99, 501]

    assert [setup_findings({"min": 200, "max": 200 * times}) for times in lawful] == [[]] * 3
    assert [len(setup_findings({"min": 200, "max": 200 * times})) for times in unlawful] == [1, 1]
    assert len(setup_findings({"min": 200, "max": 100000, "red": {"max": 100200}})) == 1


def test_both_maxima_hang_on_one_authorised_minimum():
    """A number at 80 times and a simple chance at 120 times the same minimum: no minimum makes both lawful."""
    assert len(setup_findings({"min": 200, "max": 24000, "straight_up": {"max": 16000}})) == 1
    assert setup_findings({"min": 200, "max": 24000, "straight_up": {"max": 8000}}) == []


def test_nothing_is_said_of_maxima_that_are_not_posted():
    assert setup_findings({"min": 200}) == setup_findings({}) == setup_findings({"max": 100000}) == []


# V.3, the call


@pytest.mark.parametrize("close", ["bets_closed", ball(3)])
def test_after_the_call_or_the_ball_stakes_go_back(close):
    money, findings = play(
        bet("a", "red"),
        close,
        bet("late", "black"),
        claim("late", 0, 1000),
        *([ball(3)] if close == "bets_closed" else []),
    )

    assert money["late"] == (0, 1000)
    assert ("late_bet", "late") in findings


def test_a_late_raise_comes_back_and_the_rest_plays():
    money, findings = play(
        bet("won", "red"), bet("lost", "black"), "bets_closed", raised("won", 500), raised("lost", 300), ball(2),
        claim("won", 1000, 1500), claim("lost", 0, 300), "round_closed",
    )  # fmt: skip

    assert money == {"won": (1000, 1500), "lost": (0, 300)}
    assert findings == [("late_bet", "won"), ("late_bet", "lost")]


def test_a_raise_on_a_bet_that_is_settled_taken_back_or_left_unsettled_comes_back_too():
    """The claim stands as it was compared when it was made."""
    settled = [bet("a", "red"), "bets_closed", ball(2), claim("a", 1000, 1000), raised("a", 500), "round_closed"]
    taken_back = [bet("a", "red"), withdrawn("a"), "bets_closed", raised("a", 500), claim("a", 0, 500), ball(2)]
    left = [bet("a", "red"), "bets_closed", ball(2), "round_closed", raised("a", 500)]

    assert play(*settled) == ({"a": (1000, 1500)}, [("late_bet", "a")])
    assert play(*taken_back)[1] == [("late_bet", "a")]
    assert play(*left) == ({"a": (1000, 1500)}, [("unsettled", "a"), ("late_bet", "a")])
    assert play(*left, claim("a", 1000, 1500))[1] == [("unsettled", "a"), ("late_bet", "a")]


def test_a_late_raise_does_not_count_towards_the_maximum():
    assert play(bet("a", "red", 100000), "bets_closed", raised("a", 100))[1] == [("late_bet", "a")]


def test_a_late_withdrawal_is_ignored():
    money, findings = play(
        bet("a", "red"), "bets_closed", withdrawn("a", 400), ball(2), withdrawn("a"), claim("a", 1000, 1000)
    )

    assert money == {"a": (1000, 1000)}
    assert findings == [("late_withdrawal", "a"), ("late_withdrawal", "a")]


def test_without_a_call_the_betting_ends_with_the_ball():
    money, findings = play(bet("a", "red"), raised("a", 200), ball(9), claim("a", 1200, 1200), "round_closed")

    assert money == {"a": (1200, 1200)}
    assert findings == []


def test_money_for_a_bet_that_was_taken_back_is_overpaid():
    money, findings = play(bet("a", "red"), withdrawn("a"), "bets_closed", ball(2), claim("a", 1000, 1000))

    assert money == {"a": "withdrawn"}
    assert findings == [("overpaid", "a")]


def test_a_withdrawn_bet_needs_no_claim():
    assert play(bet("a", "red"), withdrawn("a"), "bets_closed", ball(2), "round_closed")[1] == []


def test_a_refused_bet_needs_its_claim():
    assert play("bets_closed", bet("a", "red"), ball(2), "round_closed")[1] == [("late_bet", "a"), ("unsettled", "a")]


def test_an_early_claim_stands_and_a_second_one_is_not_compared():
    money, findings = play(
        bet("a", "red"), "bets_closed", claim("a", 1000, 1000), ball(2), claim("a", 0, 0), "round_closed"
    )

    assert money == {"a": (1000, 1000)}
    assert findings == [("settled_too_early", "a"), ("settled_twice", "a")]


def test_a_claim_after_the_round_is_compared_and_its_unsettled_stays():
    _, findings = play(bet("a", "red"), "bets_closed", ball(2), "round_closed", claim("a", 0, 1000))

    assert findings == [("unsettled", "a"), ("underpaid", "a")]


def test_of_two_balls_the_first_one_decides():
    money, findings = play(number("n", 4), "bets_closed", ball(4), ball(6), ball(6), claim("n", 7000, 1000))

    assert money == {"n": (7000, 1000)}
    assert findings == [("dealer_misplay", ""), ("dealer_misplay", "")]


# Rare events


def test_without_a_ball_the_bets_play_on_the_next_one():
    """The ball left the bowl and was not thrown again before the round was closed."""
    one = [bet("a", "red"), "bets_closed", "round_closed"]

    assert play(*one) == ({"a": "open"}, [])
    assert play(*one, bet("b", "black"), "bets_closed", ball(2), claim("a", 1000, 1000), claim("b", 0, 0)) == (
        {"a": (1000, 1000), "b": (0, 0)},
        [],
    )


def test_the_next_round_has_its_own_ball():
    one = [bet("a", "red"), "bets_closed", ball(2), claim("a", 1000, 1000), "round_closed"]
    two = [bet("b", "red"), "bets_closed", ball(3), claim("b", 0, 0), "round_closed"]

    assert play(*one, *two) == ({"a": (1000, 1000), "b": (0, 0)}, [])


def test_a_table_without_claims_is_recomputed_and_nothing_is_compared():
    assert play(bet("a", "red"), "bets_closed", ball(2), "round_closed", settlement_claims=False) == (
        {"a": (1000, 1000)},
        [],
    )


@given(
    laid=st.lists(st.tuples(st.integers(1, 9), st.integers(1, 40)), min_size=1, max_size=9), landed=st.integers(1, 9)
)
def test_numbers_pay_seven_times_what_lies_on_the_one_that_comes(laid, landed):
    bets = [number(f"b{index}", pick, chips * 100) for index, (pick, chips) in enumerate(laid)]
    money, _ = play(*bets, "bets_closed", ball(landed), "round_closed")

    assert sum(paid for paid, _ in money.values()) == 700 * sum(chips for pick, chips in laid if pick == landed)


# House edge


def test_every_wager_costs_one_ninth():
    figures = {(each.wager, each.pick): (each.edge, each.variance) for each in odds(RULES)}

    assert len(figures) == 9 + 6
    for (wager, _), figure in figures.items():
        assert figure == (Fraction(1, 9), Fraction(512, 81) if wager == "straight_up" else Fraction(80, 81))
