"""Sic Bo, AD-2022 game 16, passage by passage: what the scenarios leave out, and the odds of the 216 throws."""

from __future__ import annotations

import copy
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.games.sic_bo import Layout, SicBoLaw, odds, ruling
from replay.law import read_law
from replay.results import Verdict
from replay.rules import GameRules
from tests.games.retold import claim, fold, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "sic_bo")
TABLE = {"game": "sic_bo", "rules": "AD-2022", "chip_unit": 100, "limits": {"min": 500, "max": 50000}}


def play(*events, **table):
    """The re-tally of a scenario: each bet's (paid, returned) or verdict, and the findings as (code, bet)."""
    money, found = settle({**TABLE, **table}, events)
    return money, [(finding.code, finding.bet) for finding in found]


def bet(name, wager, amount=1000, pick=None, seat=1):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, "pick": pick}}


def throw(*dice, void=None):
    return {"dice_rolled": {"dice": list(dice), "void": void}}


# IV, wagers


def wins(wager, pick, dice, *, paytable="atlantic", triple_pays=3):
    """An independent reading of the wager table: winnings for one unit, or None."""
    total, alike = sum(dice), len(set(dice)) == 1
    count = sum(die == pick for die in dice)
    column = {"atlantic": 0, "macau": 1, "australia": 2}[paytable]
    totals = {
        4: (60, 50, 62),
        5: (30, 18, 31),
        6: (17, 14, 18),
        7: (12, 12, 12),
        8: (8, 8, 8),
        9: (6, 6, 7),
        10: (6, 6, 6),
    }
    outcomes = {
        "small": 1 if 4 <= total <= 10 and not alike else None,
        "big": 1 if 11 <= total <= 17 and not alike else None,
        "odd": 1 if total % 2 == 1 and not alike else None,
        "even": 1 if total % 2 == 0 and not alike else None,
        "total": totals.get(min(total, 21 - total), (0, 0, 0))[column] if total == pick else None,
        "double": (10, 8, 11)[column] if count >= 2 else None,
        "triple": (180, 150, 180)[column] if count == 3 else None,
        "any_triple": (30, 24, 31)[column] if alike else None,
        "single": (None, 1, 2, triple_pays)[count],
        "combination": (5, 5, 6)[column] if isinstance(pick, list) and set(pick) <= set(dice) else None,
    }
    return outcomes[wager]


PICKS = {"total": range(4, 18), "double": range(1, 7), "triple": range(1, 7), "single": range(1, 7),
         "combination": [[2, 5], [5, 2], [1, 6], [3, 4]]}  # fmt: skip


@pytest.mark.parametrize("paytable", ["atlantic", "macau", "australia"])
@pytest.mark.parametrize("wager", list(RULES.wagers))
def test_every_wager_on_every_throw_under_every_pay_table(wager, paytable):
    for triple_pays in (3, 12):
        layout = Layout(RULES, {"paytable": paytable, "single_triple_pays": triple_pays})
        for pick in PICKS.get(wager, [None]):
            for dice in product(range(1, 7), repeat=3):
                price = ruling(layout, RULES.wagers[wager], pick, list(dice))
                expected = wins(wager, pick, dice, paytable=paytable, triple_pays=triple_pays)

                assert (None if price is None else price.ratio) == expected


@pytest.mark.parametrize(
    ("wager", "pick"),
    [("total", 3), ("total", 18), ("total", None), ("total", "4"), ("double", 0), ("double", 7), ("triple", None),
     ("single", 9), ("combination", [4, 4]), ("combination", [1, 7]), ("combination", [0, 1]),
     ("combination", [1, 2, 3]), ("combination", [2]), ("combination", 2), ("combination", None),
     ("odd", None), ("even", None), ("field", None)],
)  # fmt: skip
def test_a_wager_or_pick_off_the_layout_does_not_play(wager, pick):
    money, findings = play(
        bet("a", wager, 1000, pick), "bets_closed", throw(2, 2, 2), claim("a", 0, 1000), "round_closed"
    )

    assert money == {"a": (0, 1000)}
    assert findings == [("wager_not_offered", "a")]


def test_odd_and_even_lose_to_every_triple_where_they_are_offered():
    money, findings = play(
        bet("o", "odd"), bet("e", "even"), "bets_closed", throw(5, 5, 5), claim("o", 0, 0), claim("e", 0, 0),
        "round_closed", options={"odd_even": True},
    )  # fmt: skip

    assert money == {"o": (0, 0), "e": (0, 0)}
    assert findings == []


# IV, minimum and maximum, multiples of the minimum


def test_limits_hold_when_a_bet_is_raised_and_each_is_said_once():
    money, findings = play(
        bet("a", "small", 400), {"bet_raised": {"bet": "a", "by": 50}}, {"bet_raised": {"bet": "a", "by": 60000}},
        {"bet_raised": {"bet": "a", "by": 100}}, "bets_closed", throw(1, 2, 3), claim("a", 60500, 60550),
        "round_closed",
    )  # fmt: skip

    assert money == {"a": (60500, 60550)}
    assert findings == [("below_minimum", "a"), ("above_maximum", "a")]


def test_the_maximum_binds_each_bet_by_itself():
    money, findings = play(bet("a", "big", 50000), bet("b", "big", 50000), "bets_closed", throw(6, 6, 5),
                           claim("a", 50000, 50000), claim("b", 50000, 50000), "round_closed")  # fmt: skip

    assert money == {"a": (50000, 50000), "b": (50000, 50000)}
    assert findings == []


def test_stakes_are_multiples_of_the_wagers_own_minimum():
    limits = {"min": 500, "max": 50000, "triple": {"min": 200}}
    events = [bet("a", "triple", 700, 4), bet("b", "triple", 600, 4), bet("c", "big", 1500), "bets_closed"]

    assert play(*events, limits=limits, options={"multiples_of_min": True})[1] == [("stake_mismatch", "a")]
    assert play(*events, limits=limits)[1] == []


# IV, no bets after the call


def test_a_late_raise_goes_back_and_the_rest_plays():
    money, findings = play(
        bet("a", "small"), "bets_closed", {"bet_raised": {"bet": "a", "by": 2000}}, throw(1, 2, 4),
        claim("a", 1000, 3000), "round_closed",
    )  # fmt: skip

    assert money == {"a": (1000, 3000)}
    assert findings == [("late_bet", "a")]


def test_an_uncalled_throw_closes_the_betting_for_stakes_raises_and_withdrawals():
    money, findings = play(
        bet("a", "small"), throw(6, 6, 6, void="cocked"), bet("b", "big"), {"bet_raised": {"bet": "a", "by": 500}},
        {"bet_withdrawn": {"bet": "a"}}, throw(1, 2, 4), claim("a", 1000, 1500), claim("b", 0, 1000), "round_closed",
    )  # fmt: skip

    assert money == {"a": (1000, 1500), "b": (0, 1000)}
    assert findings == [("dealing_error", ""), ("late_bet", "b"), ("late_bet", "a"), ("late_withdrawal", "a")]


def test_a_withdrawal_in_time_reduces_the_stake_or_takes_it_back_whole():
    money, findings = play(
        bet("a", "small"), bet("b", "small"), {"bet_withdrawn": {"bet": "a", "amount": 400}},
        {"bet_withdrawn": {"bet": "b"}}, "bets_closed", throw(1, 2, 4), claim("a", 600, 600), "round_closed",
    )  # fmt: skip

    assert money == {"a": (600, 600), "b": "withdrawn"}
    assert findings == []


def test_dice_thrown_with_no_call_and_no_bets_are_still_thrown_too_early():
    assert play("round_opened", throw(1, 2, 3), "round_closed")[1] == [("dealing_error", "")]


# IV, llançament nul


@pytest.mark.parametrize("dice", [(1, 2), (1, 2, 3, 4), (1, 2, 0), (1, 7, 3), ()])
def test_a_throw_without_exactly_three_faces_is_void_though_nobody_says_so(dice):
    money, findings = play(
        bet("a", "big"), "bets_closed", throw(*dice), claim("a", 0, 0), throw(6, 5, 3), claim("a", 1000, 1000),
        "round_closed",
    )  # fmt: skip

    no_such_face = [] if all(face <= 6 for face in dice) else [("rejected_event", "")]

    assert money == {"a": (1000, 1000)}
    assert findings == [*no_such_face, ("bad_throw_counted", "a")]


def test_bets_stay_over_a_round_closed_after_a_void_throw_only():
    before = [bet("a", "big"), "bets_closed", throw(6, 6, 4, void="off the table"), "round_closed"]

    assert play(*before) == ({"a": "open"}, [])
    assert play(*before, throw(6, 5, 3), claim("a", 1000, 1000), "round_closed") == ({"a": (1000, 1000)}, [])
    assert play(
        *before, bet("b", "big"), throw(6, 5, 3), claim("a", 1000, 1000), claim("b", 0, 1000), "round_closed"
    ) == (
        {"a": (1000, 1000), "b": (0, 1000)},
        [("late_bet", "b")],
    )


def test_a_new_facin_joc_opens_the_betting_after_a_round_closed_on_a_void_throw():
    money, findings = play(
        bet("a", "big"), "bets_closed", throw(6, 6, 4, void="off the table"), "round_closed",
        "round_opened", bet("b", "big"), claim("b", 0, 0), "bets_closed", throw(6, 5, 3), claim("a", 1000, 1000),
        "round_closed",
    )  # fmt: skip

    assert money == {"a": (1000, 1000), "b": (1000, 1000)}
    assert findings == [("settled_too_early", "b"), ("underpaid", "b")]


def test_bets_stay_over_a_round_closed_without_any_throw():
    before = [bet("a", "big"), "bets_closed", "round_closed"]

    assert play(*before) == ({"a": "open"}, [])
    assert play(*before, "round_opened", "bets_closed", throw(1, 1, 2), claim("a", 0, 0), "round_closed") == (
        {"a": (0, 0)},
        [],
    )


def test_a_second_valid_throw_decides_nothing_more():
    money, findings = play(
        bet("a", "big"), "bets_closed", throw(6, 6, 4), throw(1, 1, 2), claim("a", 1000, 1000), "round_closed"
    )

    assert money == {"a": (1000, 1000)}
    assert findings == [("dealer_misplay", "")]


def test_a_claim_before_any_throw_is_early_and_stands():
    money, findings = play(bet("a", "big"), "bets_closed", claim("a", 1000, 1000), throw(1, 1, 2), "round_closed")

    assert money == {"a": (0, 0)}
    assert findings == [("settled_too_early", "a"), ("overpaid", "a")]


# IV, canvi de daus


def test_dice_may_be_changed_between_rounds_and_after_a_void_throw():
    played = [bet("a", "big"), "bets_closed", throw(6, 6, 4), claim("a", 1000, 1000)]
    changed = [("dice_changed_mid_series", "")]

    assert play(*played, "dice_changed", "round_closed", "dice_changed")[1] == []
    assert play(*played[:3], "dice_changed", played[3], "round_closed")[1] == changed
    assert play(*played[:1], "dice_changed")[1] == changed
    assert play(*played[:2], throw(6, 6, 6, void="broken"), "dice_changed", *played[2:], "round_closed")[1] == []
    assert play("dice_changed", "round_opened", "dice_changed")[1] == []


# A hole in the log


def audit(*events):
    """A log with its holes: the findings as (code, bet), and each bet's verdict."""
    return fold(TABLE, events)


def test_after_a_hole_nothing_is_said_that_the_missing_events_could_explain():
    findings, verdicts = audit(
        bet("a", "big"), "HOLE", throw(6, 6, 4), claim("a", 1000, 1000), "round_closed",
        throw(1, 2, 3), claim("carried", 1000, 1000), "round_closed",
        "round_opened", bet("b", "small"), "bets_closed", throw(1, 2, 3), claim("b", 1000, 1000), claim("c", 1, 1),
        "round_closed",
    )  # fmt: skip

    assert findings == [("sequence_gap", ""), ("unknown_bet", "c")]
    assert verdicts == {"a": Verdict.UNVERIFIABLE, "b": Verdict.MATCH}


# Exact odds


PUBLISHED = {
    "atlantic": ["11/72", "5/36", "1/6", "7/72", "1/8", "41/216", "1/8", "5/27", "35/216", "5/36", "1/6"],
    "macau": ["7/24", "17/36", "11/36", "7/72", "1/8", "41/216", "1/8", "1/3", "65/216", "11/36", "1/6"],
    "australia": ["1/8", "1/9", "13/108", "7/72", "1/8", "2/27", "1/8", "1/9", "35/216", "1/9", "1/36"],
}


def test_the_edges_are_the_published_ones():
    expected = {
        ("small", "", ""): "1/36",
        ("big", "", ""): "1/36",
        ("odd", "", "true"): "1/36",
        ("even", "", "true"): "1/36",
    }
    for number in range(1, 7):
        expected["single", str(number), "3"] = "17/216"
        expected["single", str(number), "12"] = "1/27"
    for paytable, edges in PUBLISHED.items():
        for total in range(4, 11):
            for pick in (total, 21 - total):
                expected["total", str(pick), paytable] = edges[total - 4]
        for number in range(1, 7):
            expected["double", str(number), paytable] = edges[7]
            expected["triple", str(number), paytable] = edges[8]
            for other in range(number + 1, 7):
                expected["combination", f"{number}-{other}", paytable] = edges[10]
        expected["any_triple", "", paytable] = edges[9]

    assert {(row.wager, row.pick, "".join(row.options.values())): str(row.edge) for row in odds(RULES)} == expected


def test_the_variance_of_an_even_money_wager_is_one_less_the_squared_edge():
    for row in odds(RULES):
        if row.wager in ("small", "big", "odd", "even"):
            assert row.variance == 1 - Fraction(1, 36) ** 2


@given(st.lists(st.integers(1, 6), min_size=3, max_size=3), st.permutations([0, 1, 2]))
def test_the_order_of_the_dice_changes_nothing(dice, order):
    layout = Layout(RULES, {"paytable": "atlantic", "single_triple_pays": 3})
    turned = [dice[index] for index in order]
    for wager in RULES.wagers.values():
        for pick in PICKS.get(wager.id, [None]):
            assert ruling(layout, wager, pick, dice) == ruling(layout, wager, pick, turned)


# What the pack must say


def read(alter):
    """The pack's law with something altered, and what is wrong with it."""
    data = copy.deepcopy(dict(RULES.data))
    alter(data)
    law, faults = read_law(SicBoLaw, data)
    return (None if law is None else GameRules("AD-2022", "AD-2022", law, data)), [str(fault) for fault in faults]


@pytest.mark.parametrize(
    ("alter", "fault"),
    [
        (lambda law: law["paytables"]["macau"].pop("triple"), "paytables.macau.triple: is missing"),
        (lambda law: law["paytables"]["macau"]["total"].pop("9"), "paytables.macau.total.9: is missing"),
        (
            lambda law: law["paytables"]["macau"]["total"].update({"19": "9/1"}),
            "paytables.macau.total.19: a sum of three",
        ),
        (lambda law: law["paytables"].pop("macau"), "options.paytable.choices: there is no pay table macau"),
        (lambda law: law["wagers"]["odd"].pop("sums"), "wagers.odd.sums: is missing"),
        (lambda law: law["wagers"]["double"].pop("picks"), "wagers.double.picks: the numbers that it may be laid on"),
        (lambda law: law["wagers"]["single"].update(picks=[7]), "wagers.single.picks: the numbers that it may be"),
        (lambda law: law["wagers"]["triple"].update(pays="180/1"), "wagers.triple.pays: the pay tables say it"),
        (lambda law: law["wagers"]["single"]["pays"].update({"3": "3/1"}), "wagers.single.pays: on one die and on two"),
        (lambda law: law["options"].pop("single_triple_pays"), "options.single_triple_pays: is missing"),
        (lambda law: law["options"]["odd_even"].update(kind="int", default=1), "options.odd_even.kind: flag, not int"),
        (
            lambda law: law["options"]["single_triple_pays"].pop("default"),
            "options.single_triple_pays.default: is missing",
        ),
    ],
)
def test_a_pack_under_which_a_bet_could_not_be_judged_is_refused(alter, fault):
    rules, faults = read(alter)

    assert rules is None
    assert len(faults) == 1
    assert faults[0].startswith(fault)
    assert "{" not in faults[0]


def test_a_pack_may_offer_fewer_wagers_and_leave_no_choice_of_odd_and_even():
    """Its layouts then need not print what nobody can lay; odd and even are offered because they are listed."""

    def alter(law):
        for name in ("triple", "single", "small", "big"):
            del law["wagers"][name]
        for table in law["paytables"].values():
            del table["triple"]
        del law["options"]["odd_even"], law["options"]["single_triple_pays"]

    rules, faults = read(alter)

    assert faults == []
    rows = list(odds(rules))
    assert {row.wager for row in rows} == {"odd", "even", "total", "double", "any_triple", "combination"}
    assert {row.edge for row in rows if row.wager == "odd"} == {Fraction(1, 36)}
    assert all(row.options == {} for row in rows if row.wager == "odd")
