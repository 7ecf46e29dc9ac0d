"""Craps, passage by passage, under AD-2025, MO-1985 and RO-CRAPS: what the scenarios leave out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from replay.events import from_fields
from replay.results import Finding, Kind, Settlement, Verdict
from replay.rules import RuleError, Table
from replay.scenario import Scenario
from replay.session import Session
from tests.games.retold import claim, scenario, shown
from tests.installed import JUDGING, PACKS

AD, MO, RO = "AD-2025", "MO-1985", "RO-CRAPS"
LAWS = (AD, MO, RO)
RULES = {name: PACKS.game(name, "craps") for name in LAWS}
SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios" / "craps").glob("*.yaml"))
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LIMITS = {"min": 500, "max": 100000}
POINTS = (4, 5, 6, 8, 9, 10)


def settle(rules, *events, **table):
    head = {"game": "craps", "rules": rules, "limits": LIMITS, **table}
    return scenario(head, events).settle(JUDGING)


def play(rules, *events, **table):
    """The re-tally of a table without claims: each bet's (paid, returned) or verdict, and the findings as (code, bet or
    seat or "")."""
    outcome = settle(rules, *events, **{"settlement_claims": False, **table})
    return shown(outcome.settlements), [said(finding) for finding in outcome.findings]


def said(finding):
    return finding.code, finding.bet or finding.seat or ""


def bet(name, wager, amount=1000, pick=None, of=None, seat=1, player=None):
    fields = {"bet": name, "seat": seat, "wager": wager, "amount": amount, "pick": pick, "of": of, "player": player}
    return {"bet_placed": fields}


def more(name, by):
    return {"bet_raised": {"bet": name, "by": by}}


def back(name, amount=None):
    return {"bet_withdrawn": {"bet": name, "amount": amount}}


def throw(*dice, void=None, seat=None):
    return {"dice_rolled": {"dice": list(dice), "void": void, "seat": seat}}


def declines(seat):
    return {"decision": {"seat": seat, "choice": "pass"}}


def closing(last):
    return {"table_closing": {"last": last}}


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path):
    yaml = YAML(typ="safe")

    assert Scenario.read(yaml.load(path.read_text("utf-8"))).settle(JUDGING).mismatches == []


# IV.1, wagers


@pytest.mark.parametrize("rules", LAWS)
def test_wagers_of_other_regulations_are_not_offered(rules):
    foreign = sorted({wager for each in LAWS for wager in RULES[each].wagers} - set(RULES[rules].wagers))

    money, findings = play(rules, *(bet(wager, wager) for wager in foreign), "round_closed")

    assert money == dict.fromkeys(foreign, (0, 1000))
    assert findings == [("wager_not_offered", wager) for wager in foreign]


def test_picks_outside_the_list_are_not_offered():
    money, findings = play(AD, bet("a", "hard_way", pick=5), bet("b", "place_right", pick=7), bet("c", "hard_way"),
                           bet("d", "place_wrong", pick="6"), bet("e", "place_right", pick=8))  # fmt: skip

    assert findings == [("wager_not_offered", name) for name in "abcd"]
    assert money["e"] == "open"


def test_in_macau_the_player_names_one_of_the_two_numbers():
    _, findings = play(MO, bet("a", "big_6_8"), bet("b", "big_6_8", pick=[6, 8]), bet("c", "big_5_9", pick=6))

    assert findings == [("wager_not_offered", name) for name in "abc"]


@given(st.integers(1, 10**7), st.sampled_from([("big_6_8", 6, 600), ("big_5_9", 9, 500)]))
def test_macau_pays_full_units_at_seven_and_the_rest_even(amount, big):
    wager, pick, unit = big
    dice = {6: (2, 4), 9: (4, 5)}[pick]

    money, _ = play(MO, bet("a", wager, amount, pick=pick), throw(*dice), chip_unit=1, limits={})

    assert money["a"] == (amount // unit * 700 + amount % unit, amount)


def test_macau_big_4_10_pays_nine_to_five_on_any_stake_rounded_to_the_chip():
    money, _ = play(MO, bet("a", "big_4_10", 300, pick=10), bet("b", "big_4_10", 110, pick=10), throw(4, 6),
                    chip_unit=50, limits={})  # fmt: skip

    assert money == {"a": (500, 300), "b": (150, 110)}  # 540 and 198 exactly


@pytest.mark.parametrize(("value", "paid"), [(2, 2000), (3, 3000)])
def test_in_romania_the_house_chooses_what_the_field_pays_on_12(value, paid):
    money, _ = play(RO, bet("a", "field"), throw(6, 6), bet("b", "field"), throw(1, 1), options={"field_12": value})

    assert money == {"a": (paid, 1000), "b": (2000, 1000)}


def test_options_outside_their_list_are_faults_of_the_setup_and_the_lawful_ones_hold():
    for rules, option, value, lawful in (
        (RO, "odds_multiple", 4, "3-4-5"),
        (RO, "field_12", 4, 2),
        (AD, "multiple_gain_factor", 4, 3),
        (AD, "multiple_gain_factor", 0, 1),
    ):
        table = Table(RULES[rules], options={option: value})

        assert [text.split(":")[0] for _, text in table.faults] == [f"option {option}"]
        assert table.options[option] == lawful


def test_an_option_of_another_regulation_is_refused():
    with pytest.raises(RuleError, match="no such option"):
        Table(RULES[MO], options={"field_12": 3})


# Placing and taking back


def test_come_needs_a_point_a_line_bet_none_and_both_are_one_after_the_other():
    money, findings = play(AD, bet("c0", "come"), bet("x0", "dont_come"), throw(2, 2), bet("w1", "pass_line"),
                           bet("d1", "dont_pass"), bet("c1", "come"), throw(1, 3), bet("c2", "come"),
                           bet("w2", "pass_line"))  # fmt: skip

    assert findings == [("wager_not_offered", name) for name in ("c0", "x0", "w1", "d1", "c2")]
    assert (money["c1"], money["w2"]) == ("open", "open")


def test_odds_need_a_live_line_bet_of_their_kind_whose_number_is_known():
    _, findings = play(
        AD,
        bet("w", "pass_line"), bet("d", "dont_pass"), bet("o1", "pass_odds", of="w"), throw(2, 2), bet("c", "come"),
        bet("o2", "come_odds", of="c"), bet("o3", "pass_odds", of="d"), bet("o4", "dont_pass_odds", of="w"),
        bet("o5", "pass_odds"), bet("o6", "pass_odds", of="nobody"), bet("o7", "pass_odds", of="o7"),
        bet("o8", "pass_odds", of="w"), bet("o9", "come_odds", of="w"), throw(3, 4), bet("oA", "pass_odds", of="w"),
    )  # fmt: skip

    assert findings == [("wager_not_offered", f"o{each}") for each in "1234567"] + [
        ("wager_not_offered", "o9"),
        ("wager_not_offered", "oA"),
    ]


@pytest.mark.parametrize("rules", LAWS)
def test_pass_and_come_are_bound_from_the_first_call_or_throw(rules):
    money, findings = play(
        rules,
        bet("w0", "pass_line"), more("w0", 500), back("w0", 500),  # still being arranged
        throw(2, 2, void="off_table"), back("w0"),  # a throw, though void
        "round_closed", back("w0"),  # open again, and bound all the same
        throw(2, 2), bet("c", "come"), "bets_closed", "round_closed", back("c"), throw(2, 3), back("c"),
    )  # fmt: skip

    assert findings == [("withdrawal_not_allowed", "w0")] * 2 + [("withdrawal_not_allowed", "c")] * 2
    assert money == {"w0": "open", "c": "open"}


@pytest.mark.parametrize("rules", LAWS)
def test_dont_bets_may_be_taken_back_between_throws_and_their_odds_are_void(rules):
    money, findings = play(
        rules,
        bet("d", "dont_pass"), throw(2, 2), bet("do", "dont_pass_odds", 500, of="d"), bet("x", "dont_come"),
        throw(3, 3), bet("xo", "dont_come_odds", 500, of="x"), bet("f", "field", of="d"), back("d"), "bets_closed",
        back("x"), throw(6, 5), back("x"),
    )  # fmt: skip

    assert findings == [("late_withdrawal", "x")]
    assert money == {"d": "withdrawn", "do": (0, 500), "x": "withdrawn", "xo": (0, 500), "f": (1000, 1000)}


def test_void_odds_are_due_by_claim():
    outcome = settle(AD, bet("d", "dont_pass"), throw(2, 2), bet("do", "dont_pass_odds", of="d"), back("d"),
                     "round_closed")  # fmt: skip

    assert [said(finding) for finding in outcome.findings] == [("unsettled", "do")]


def test_other_bets_may_be_taken_back_between_throws_or_in_part():
    money, findings = play(
        AD,
        bet("w", "pass_line"), bet("b", "big_6"), bet("h", "hard_way", pick=6), bet("p", "place_right", pick=9),
        bet("f", "field"), back("f"), throw(2, 2), bet("o", "pass_odds", of="w"), throw(5, 6), back("b"),
        back("h", 400), back("p", 1000), back("o", 999), throw(3, 3), throw(2, 2),
    )  # fmt: skip

    assert findings == []
    assert money == {"w": (1000, 1000), "b": "withdrawn", "h": (5400, 600), "p": "withdrawn", "f": "withdrawn",
                     "o": (2, 1)}  # fmt: skip


def test_a_line_bet_is_not_raised_once_its_number_is_known():
    money, findings = play(
        AD,
        bet("w", "pass_line"), bet("d", "dont_pass"), more("w", 500), throw(2, 2), more("w", 500), more("d", 500),
        bet("c", "come"), more("c", 500), throw(3, 3), more("c", 500), bet("o", "pass_odds", 500, of="w"),
        more("o", 500), bet("p", "place_right", pick=4), more("p", 500), throw(1, 3),
    )  # fmt: skip

    assert findings == [("wager_not_offered", name) for name in ("w", "d", "c")]
    assert money["w"] == (1500, 2000)  # 1,500 played, 500 come back
    assert money["d"] == (0, 500)
    assert money["c"] == "open"
    assert money["o"] == (2000, 1000)
    assert money["p"] == (2700, 1500)


# The come-out, where it matters


def ride(rules):
    """A come bet on 5 with odds, don't come on 9 with odds, place, hard way and big 6 meet a come-out throw."""
    return [
        rules,
        bet("w", "pass_line"), throw(2, 2), bet("c", "come"), throw(2, 3), bet("x", "dont_come"), throw(4, 5),
        bet("co", "come_odds", of="c"), bet("xo", "dont_come_odds", 1500, of="x"), throw(3, 1),
        bet("p", "place_right", 1200, pick=6), bet("h", "hard_way", pick=4),
    ]  # fmt: skip


@pytest.mark.parametrize("working", [True, False])
def test_in_romania_come_odds_place_bets_and_hard_ways_rest_on_the_come_out_7_unless_the_option_says_so(working):
    money, findings = play(*ride(RO), throw(3, 4), options={"working_on_comeout": working})

    assert findings == []
    assert (money["c"], money["x"], money["xo"]) == ((0, 0), (1000, 1000), (1000, 1500))
    assert money["co"] == ((0, 0) if working else (0, 1000))
    assert (money["p"], money["h"]) == (((0, 0), (0, 0)) if working else ("open", "open"))


def test_in_romania_the_number_of_a_come_bet_on_the_come_out_wins_without_its_odds():
    money, _ = play(*ride(RO), throw(2, 3))

    assert (money["c"], money["co"]) == ((1000, 1000), (0, 1000))


def test_in_romania_a_hard_way_rests_on_an_easy_come_out_and_works_with_the_point_on():
    money, _ = play(*ride(RO), throw(3, 1), throw(1, 3))

    assert money["h"] == (0, 0)


def test_in_romania_a_place_bet_on_the_come_out_total_stands_and_wins_on_the_next():
    money, _ = play(*ride(RO), throw(1, 5), throw(1, 5))

    assert money["p"] == (1400, 1200)


@pytest.mark.parametrize("rules", [AD, MO])
def test_under_ad_and_mo_a_come_out_7_takes_come_bets_with_their_odds_and_hard_ways(rules):
    events = [event for event in ride(rules)[1:] if event.get("bet_placed", {}).get("bet") != "p"]

    money, _ = play(rules, *events, throw(3, 4))

    assert (money["c"], money["co"], money["h"]) == ((0, 0), (0, 0), (0, 0))
    assert (money["x"], money["xo"]) == ((1000, 1000), (1000, 1500))


# IV.2, limits as checks


def test_the_stakes_of_a_player_on_one_wager_and_number_are_added_up_those_of_others_not():
    _, findings = play(
        AD,
        bet("a", "place_right", 60000, pick=9, seat=1, player="p"), bet("b", "place_right", 60000, pick=9, seat=2),
        bet("c", "place_right", 60000, pick=5, seat=1, player="p"), bet("d", "place_right", 60000, pick=9, seat=1),
        bet("e", "place_right", 40001, pick=9, seat=3, player="p"), bet("f", "big_6", 60000), more("f", 40000),
        more("f", 1), more("f", 1), bet("g", "pass_line", 100001),
    )  # fmt: skip

    assert findings == [("above_maximum", name) for name in "efg"]


def test_come_stakes_count_while_they_are_in_the_box():
    _, findings = play(AD, bet("w", "pass_line"), throw(2, 2), bet("c1", "come", 60000), throw(2, 3),
                       bet("c2", "come", 60000), bet("c3", "come", 40001))  # fmt: skip

    assert findings == [("above_maximum", "c3")]


def test_a_wager_may_have_a_minimum_and_maximum_of_its_own():
    _, findings = play(
        AD,
        bet("a", "any_craps", 100), bet("b", "any_craps", 5001), bet("c", "hard_way", 99, pick=6),
        bet("d", "place_wrong", 3001, pick=4), bet("e", "place_wrong", 3000, pick=10),
        limits={**LIMITS, "any_craps": {"min": 100, "max": 5000}, "hard_way": {"min": 100},
                "place_wrong": {"max": 3000}},
    )  # fmt: skip

    assert findings == [("above_maximum", "b"), ("below_minimum", "c"), ("above_maximum", "d")]


@pytest.mark.parametrize(
    ("wager", "pick", "most"),
    [("hard_way", 4, 42857), ("hard_way", 6, 33333), ("seven", None, 75000), ("eleven", None, 20000),
     ("any_craps", None, 42857), ("craps_2", None, 10000), ("craps_3", None, 20000), ("craps_12", None, 10000),
     ("horn", None, 75000), ("place_right", 4, 100000), ("place_right", 5, 100000), ("place_right", 6, 120000),
     ("place_right", 8, 120000), ("place_right", 9, 100000), ("place_right", 10, 100000),
     ("place_wrong", 4, 220000), ("place_wrong", 5, 160000), ("place_wrong", 6, 125000), ("place_wrong", 8, 125000),
     ("place_wrong", 9, 160000), ("place_wrong", 10, 220000), ("field", None, 100000), ("under_7", None, 100000)],
)  # fmt: skip
def test_under_ad_the_maximum_of_each_wager_follows_from_the_simple_chances(wager, pick, most):
    """Multiple wagers: no win above three times 1,000 euros; place bets: their percentages of 1,000 euros."""
    _, findings = play(AD, bet("a", wager, most, pick=pick), bet("b", wager, most + 1, pick=pick, seat=2))

    assert findings == [("above_maximum", "b")]


def test_the_house_may_allow_a_smaller_win_on_multiple_wagers():
    _, findings = play(
        AD, bet("a", "craps_2", 5000), bet("b", "craps_12", 5001), options={"multiple_gain_factor": Decimal("1.5")}
    )

    assert findings == [("above_maximum", "b")]


@pytest.mark.parametrize("rules", [MO, RO])
def test_under_mo_and_ro_the_maximum_is_the_tables_for_all_wagers_but_odds(rules):
    _, findings = play(rules, bet("a", "eleven", 100000), bet("b", "eleven", 100001, seat=2),
                       bet("c", "hard_way", 100001, pick=4))  # fmt: skip

    assert findings == [("above_maximum", "b"), ("above_maximum", "c")]


def test_without_a_posted_maximum_nothing_is_too_large():
    assert play(AD, bet("a", "craps_2", 10**9), bet("b", "field", 1), limits={})[1] == []


def test_stakes_are_looked_at_when_laid_or_raised_not_after_a_withdrawal():
    _, findings = play(
        AD,
        bet("a", "big_6", 500), back("a", 1), more("a", 2), bet("b", "big_8", 400), more("b", 50), more("b", 50),
        options={"multiples_of_min": True},
    )  # fmt: skip

    assert findings == [("stake_mismatch", "a"), ("below_minimum", "b"), ("stake_mismatch", "b")]


def odds_on(rules, wager, number, amount, **table):
    """The findings when odds are laid on a line stake of 3,000 whose number is ``number``."""
    line, odds_wager = wager, f"{wager}_odds" if wager != "pass_line" else "pass_odds"
    dice = {4: (2, 2), 5: (2, 3), 6: (3, 3), 8: (4, 4), 9: (4, 5), 10: (5, 5)}[number]
    events = [bet("w", "pass_line", seat=9), throw(4, 5) if number != 9 else throw(4, 4)] if "come" in line else []
    events += [bet("l", line, 3000), throw(*dice)]
    return play(rules, *events, bet("o", odds_wager, amount, of="l"), **table)[1]


AD_RIGHT = dict.fromkeys(POINTS, 3000)
AD_WRONG = {4: 6000, 5: 4500, 6: 3600, 8: 3600, 9: 4500, 10: 6000}
MO_RIGHT = {4: 1500, 5: 2000, 6: 2500, 8: 2500, 9: 2000, 10: 1500}
RO_345 = {4: 9000, 5: 12000, 6: 15000, 8: 15000, 9: 12000, 10: 9000}
ODDS_LIMITS = [
    (AD, {}, "pass_line", AD_RIGHT),
    (AD, {}, "come", AD_RIGHT),
    (AD, {}, "dont_pass", AD_WRONG),
    (AD, {}, "dont_come", AD_WRONG),
    (MO, {}, "pass_line", MO_RIGHT),
    (MO, {}, "come", MO_RIGHT),
    (RO, {}, "pass_line", RO_345),
    (RO, {"odds_multiple": "3-4-5"}, "come", RO_345),
    (RO, {"odds_multiple": 2}, "pass_line", dict.fromkeys(POINTS, 6000)),
    (RO, {"odds_multiple": 10}, "come", dict.fromkeys(POINTS, 30000)),
    (RO, {}, "dont_pass", dict.fromkeys(POINTS, 18000)),  # wins 9,000, 12,000 or 15,000
    (RO, {"odds_multiple": 1}, "dont_come", {4: 6000, 5: 4500, 6: 3600, 8: 3600, 9: 4500, 10: 6000}),
]


@pytest.mark.parametrize(("rules", "options", "line", "most"), ODDS_LIMITS)
def test_odds_are_limited_by_their_line_bet(rules, options, line, most):
    for number in POINTS:
        assert odds_on(rules, line, number, most[number], options=options) == []
        assert odds_on(rules, line, number, most[number] + 1, options=options) == [("odds_too_large", "o")]


def test_macau_has_no_limit_on_dont_odds():
    assert odds_on(MO, "dont_pass", 4, 10**6) == odds_on(MO, "dont_come", 6, 10**6) == []


def test_odds_have_no_minimum_and_need_be_no_multiple_of_it():
    assert odds_on(AD, "pass_line", 6, 3, options={"multiples_of_min": True}) == []


def test_all_odds_of_one_line_bet_are_added_up_and_the_one_that_goes_over_is_named():
    _, findings = play(
        AD,
        bet("w", "pass_line"), bet("v", "pass_line"), throw(2, 2), bet("o1", "pass_odds", 600, of="w"),
        bet("o2", "pass_odds", 600, of="v"), bet("o3", "pass_odds", 401, of="w", seat=2), more("o2", 401),
    )  # fmt: skip

    assert findings == [("odds_too_large", "o3"), ("odds_too_large", "o2")]


def test_in_macau_odds_win_no_more_than_the_line_stake_the_earlier_bet_first():
    money, findings = play(MO, bet("p", "pass_line"), throw(4, 5), bet("o1", "pass_odds", 400, of="p"),
                           bet("o2", "pass_odds", 400, of="p"), bet("o3", "pass_odds", 400, of="p"), throw(4, 5),
                           )  # fmt: skip

    assert findings == [("odds_too_large", "o2"), ("odds_too_large", "o3")]
    assert money == {"p": (1000, 1000), "o1": (600, 400), "o2": (400, 400), "o3": (0, 400)}


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=4), st.integers(1, 5000), st.sampled_from(POINTS),
       st.sampled_from(["down", "nearest", "up"]), st.sampled_from([1, 50]))  # fmt: skip
def test_in_macau_all_odds_on_a_bet_win_what_they_win_or_the_line_stake(stakes, line, point, rounding, chip):
    line *= chip
    dice = (point // 2, point - point // 2)
    money, _ = play(
        MO,
        bet("p", "pass_line", line), throw(*dice),
        *(bet(f"o{index}", "pass_odds", amount * chip, of="p") for index, amount in enumerate(stakes)), throw(*dice),
        chip_unit=chip, rounding=rounding, limits={},
    )  # fmt: skip
    won = [money[f"o{index}"][0] for index in range(len(stakes))]
    true = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}[min(point, 14 - point)]

    assert sum(won) <= line
    for index, amount in enumerate(stakes):
        exact = amount * chip * true
        assert won[index] < exact + chip
        assert won[index] > exact - chip or sum(won[: index + 1]) == line


def test_the_maxima_that_the_house_posts_lie_within_the_bounds_of_ad():
    def problems(rules, limits):
        session = opened(rules, limits=limits)
        return [said(each) for each in session.drain() if isinstance(each, Finding)]

    wrong = [("setup_not_allowed", "")]
    assert problems(AD, {"min": 500, "max": 10000}) == problems(AD, {"min": 500, "max": 500000}) == []
    assert problems(AD, {"min": 500, "max": 9999}) == problems(AD, {"min": 500, "max": 500001}) == wrong
    assert problems(AD, {**LIMITS, "field": {"max": 9999}}) == wrong
    assert problems(AD, {**LIMITS, "horn": {"max": 25000}}) == problems(AD, {**LIMITS, "horn": {"max": 75000}}) == []
    assert problems(AD, {**LIMITS, "horn": {"max": 24999}}) == problems(AD, {**LIMITS, "horn": {"max": 75001}}) == wrong
    assert problems(AD, {**LIMITS, "place_right": {"max": 120001}}) == wrong
    assert problems(AD, {}) == problems(MO, {"min": 500, "max": 600}) == problems(RO, {"min": 500, "max": 600}) == []


@pytest.mark.parametrize("rules", LAWS)
def test_every_wager_but_the_odds_has_its_maximum_in_one_passage(rules):
    limited = [wager for limit in RULES[rules].data["limits"].values() if "of_line" not in limit
               for wager in limit.get("wagers", ())]  # fmt: skip

    assert sorted(limited) == sorted(wager for wager in RULES[rules].wagers if not wager.endswith("odds"))


# IV.4, throws and dice as checks

GROUNDS = ["off_table", "broken", "stacked", "on_rim", "in_bowl", "slid", "improper", "cocked", "on_chips", "sneezed"]
VOID = {
    AD: set(GROUNDS) - {"on_chips", "sneezed"},
    MO: {"off_table", "on_rim", "in_bowl", "broken", "improper"},
    RO: set(GROUNDS) - {"cocked", "on_chips", "sneezed"},
}


@pytest.mark.parametrize(("rules", "ground"), list(product(LAWS, GROUNDS)))
def test_a_throw_is_void_on_the_grounds_of_the_pack_and_counts_on_all_others(rules, ground):
    money, findings = play(rules, bet("f", "field"), throw(4, 5, void=ground))

    if ground in VOID[rules]:
        assert (money, findings) == ({"f": "open"}, [])
    else:
        assert (money, findings) == ({"f": (1000, 1000)}, [("dealer_misplay", "")])


@pytest.mark.parametrize("dice", [[], [3], [3, 0], [7, 2], [1, 2, 3]])
@pytest.mark.parametrize("rules", LAWS)
def test_a_throw_without_two_faces_is_void_whatever_was_called(rules, dice):
    money, findings = play(rules, bet("f", "field"), throw(*dice), throw(*dice, void="on_chips"))
    no_such_face = [] if all(face <= 6 for face in dice) else [("rejected_event", "")]

    assert (money, findings) == ({"f": "open"}, no_such_face)


def test_a_claim_after_a_void_throw_is_set_aside_and_the_proper_one_compared():
    outcome = settle(AD, bet("f", "field"), bet("w", "pass_line"), throw(4, 5, void="slid"), claim("f", 1000, 1000),
                     claim("w", 0, 0), throw(3, 4), claim("f", 0, 0), claim("w", 1000, 1000),
                     claim("f", 0, 0))  # fmt: skip

    assert [said(each) for each in outcome.findings] == [
        ("bad_throw_counted", "f"),
        ("bad_throw_counted", "w"),
        ("settled_twice", "f"),
    ]
    assert shown(outcome.settlements) == {"f": (0, 0), "w": (1000, 1000)}


def test_a_claim_on_an_earlier_bet_after_a_void_throw_is_compared():
    outcome = settle(AD, bet("f", "field"), throw(4, 5), bet("c", "come"), throw(4, 5, void="slid"),
                     claim("f", 1000, 1000))  # fmt: skip

    assert [said(each) for each in outcome.findings] == []


def test_the_dice_are_changed_within_a_series_only_when_one_left_the_table_or_broke():
    def changed(rules, *before):
        return play(rules, bet("w", "pass_line"), *before, "dice_changed")[1]

    wrong = [("dice_changed_mid_series", "")]
    assert changed(AD) == changed(AD, throw(3, 4)) == changed(AD, throw(2, 2), throw(1, 3)) == []
    assert changed(AD, throw(2, 2)) == changed(AD, throw(2, 2), throw(1, 1)) == wrong
    assert changed(AD, throw(2, 2), throw(1, 1, void="off_table")) == []
    assert changed(AD, throw(2, 2), throw(1, 1, void="broken")) == []
    assert changed(AD, throw(2, 2), throw(1, void="off_table")) == []
    assert changed(AD, throw(2, 2), throw(1, 1, void="stacked")) == wrong
    assert changed(AD, throw(2, 2), throw(1, 1, void="off_table"), throw(1, 1)) == wrong
    assert changed(MO, throw(2, 2)) == changed(RO, throw(2, 2)) == []


@pytest.mark.parametrize(
    ("laid", "expected"),
    [
        ([], {AD: True, RO: True}),
        ([bet("a", "pass_line", 500)], {}),
        ([bet("a", "dont_pass", 499)], {RO: True}),
        ([bet("a", "dont_pass", 250), bet("b", "pass_line", 250)], {}),
        ([bet("a", "pass_line", 500, seat=2)], {AD: True, RO: True}),
        ([bet("a", "field", 500)], {AD: True, RO: True}),
        ([bet("a", "dont_pass", 500), back("a")], {AD: True, RO: True}),
    ],
)
def test_the_shooter_of_a_come_out_must_have_a_line_bet(laid, expected):
    for rules, void in product(LAWS, (None, "off_table")):
        _, findings = play(rules, *laid, throw(2, 2, void=void, seat=1), throw(2, 2))
        told = [finding for finding in findings if finding[0] != "below_minimum"]

        assert told == ([("illegal_decision", 1)] if expected.get(rules) else [])


def test_only_the_come_out_asks_for_the_shooters_line_bet():
    assert play(AD, bet("w", "pass_line", seat=2), throw(2, 2, seat=2), throw(1, 1, seat=1))[1] == []


SEVENED_OUT = [bet("w", "pass_line"), throw(2, 2, seat=1), throw(3, 4, seat=1), bet("v", "pass_line")]
STAYS = bet("o", "hard_way", pick=4, seat=2)
KEPT = [("dealer_misplay", 1)]


@pytest.mark.parametrize(
    ("then", "expected"),
    [
        ([bet("o", "field", seat=2), throw(5, 6, seat=1)], KEPT),
        ([throw(5, 6, seat=1)], []),  # nobody else plays
        ([bet("o", "field", seat=2), declines(2), throw(5, 6, seat=1)], []),
        ([bet("o", "field", seat=2), declines(3), throw(5, 6, seat=1)], KEPT),
        ([STAYS, throw(5, 6, seat=1, void="off_table"), throw(5, 6, seat=1)], KEPT),  # once
        ([STAYS, throw(5, 6, void="off_table"), throw(5, 6, seat=1)], KEPT),
        ([STAYS, throw(5, 6), bet("z", "pass_line"), throw(5, 6, seat=1)], []),  # the come-out after the next
        ([bet("a", "pass_line", seat=2), STAYS, throw(5, 6, seat=2), bet("z", "pass_line"), throw(5, 6, seat=1)], []),
    ],
)  # fmt: skip
def test_after_a_seven_out_the_dice_pass_to_another_who_plays(then, expected):
    assert play(AD, *SEVENED_OUT, *then)[1] == expected
    assert play(RO, *SEVENED_OUT, *then)[1] == expected
    assert play(MO, *SEVENED_OUT, *then)[1] == []


def test_who_declined_before_the_seven_out_is_asked_again():
    assert play(AD, bet("o", "big_6", seat=2), declines(2), *SEVENED_OUT, bet("p", "big_6", seat=2),
                throw(5, 6, seat=1))[1] == KEPT  # fmt: skip


@pytest.mark.parametrize("dice", [[(5, 6)], [(3, 4)], [(1, 1)], [(2, 2), (1, 3)]])
def test_a_natural_craps_or_made_point_leaves_the_dice_with_the_shooter(dice):
    events = [bet("w", "pass_line"), bet("b", "big_8", seat=2), *(throw(*each, seat=1) for each in dice)]

    assert play(AD, *events, bet("v", "pass_line"), bet("c", "big_8", seat=2), throw(5, 6, seat=1))[1] == []


def test_from_the_call_or_an_uncalled_throw_to_a_valid_throw_the_betting_is_closed():
    money, findings = play(
        AD,
        bet("a", "big_6"), throw(1, 1), bet("b", "big_8"), throw(1, 1, void="off_table"), bet("c", "field"),
        more("a", 500), back("a"), "round_opened", bet("d", "field"), "bets_closed", bet("e", "field"),
        throw(5, 6), bet("f", "field"), throw(5, 6, void="off_table"), "round_closed", bet("g", "field"),
    )  # fmt: skip

    assert findings == [("late_bet", "c"), ("late_bet", "a"), ("late_withdrawal", "a"), ("late_bet", "e")]
    assert money == {"a": "open", "b": "open", "c": (0, 1000), "d": (1000, 1000), "e": (0, 1000), "f": "open",
                     "g": "open"}  # fmt: skip


def test_a_withdrawal_of_a_decided_bet_is_late():
    assert play(AD, bet("f", "field"), bet("w", "pass_line"), throw(3, 4), back("f"), back("w"))[1] == [
        ("late_withdrawal", "f"),
        ("late_withdrawal", "w"),
    ]


def test_what_is_claimed_early_is_compared_when_it_is_decided():
    outcome = settle(AD, bet("b", "big_6"), claim("b", 0, 0), claim("b", 1000, 1000), throw(3, 3), "round_closed")

    assert [(*said(each), each.amount) for each in outcome.findings] == [
        ("settled_too_early", "b", None),
        ("settled_twice", "b", None),
        ("underpaid", "b", 2000),
    ]


def test_bets_undecided_at_the_close_of_a_round_play_on_and_claims_may_come_later():
    outcome = settle(AD, bet("w", "pass_line"), bet("f", "field"), throw(2, 2), "round_closed", claim("f", 900, 1000),
                     throw(2, 2), claim("w", 1000, 1000), "round_closed")  # fmt: skip

    assert [said(each) for each in outcome.findings] == [("unsettled", "f"), ("underpaid", "f")]


# Closing the table


def test_after_the_last_throw_undecided_bets_go_back_and_nothing_is_offered_until_a_round_opens():
    events = [
        bet("w", "pass_line"), throw(2, 2), bet("b", "big_8"), closing(3), throw(1, 1), "round_closed", "round_opened",
        bet("c", "come"), throw(2, 3), throw(1, 1, void="slid"), "round_closed", bet("f", "field"), throw(1, 2),
        bet("g", "field"), "bets_closed", throw(3, 4), "round_closed", bet("h", "field"),
        "round_opened", bet("v", "pass_line"), throw(3, 3),
    ]  # fmt: skip
    for rules in (AD, RO):
        money, findings = play(rules, *events)

        assert findings == [("wager_not_offered", "g"), *([("dealer_misplay", "")] if rules == AD else []),
                            ("wager_not_offered", "h")]  # fmt: skip
        assert money == {"w": (0, 1000), "b": (0, 1000), "c": (0, 1000), "f": (1000, 1000), "g": (0, 1000),
                         "h": (0, 1000), "v": "open"}  # fmt: skip


def test_the_last_throw_itself_decides_first():
    money, _ = play(AD, bet("w", "pass_line"), throw(2, 2), closing(3), throw(1, 1), throw(1, 1), throw(2, 2))

    assert money == {"w": (1000, 1000)}


@pytest.mark.parametrize("last", [1, 2, 4])
def test_under_ad_three_throws_are_announced_and_another_number_counts_down_all_the_same(last):
    for rules in LAWS:
        money, findings = play(rules, bet("h", "hard_way", pick=4), closing(last), *[throw(1, 1)] * (last + 1))

        assert money == {"h": (0, 1000)}
        assert findings == ([("dealer_misplay", "")] * 2 if rules == AD else [])


# One night, two regulations


def test_one_log_under_the_regulations_of_andorra_and_macau():
    """The same events, and everything in which the two texts differ."""
    events = [
        bet("w", "pass_line", seat=2), bet("b7", "big_7"), bet("s", "seven"), bet("u", "under_7"),
        bet("m6", "big_6_8", 800, pick=6), bet("b6", "big_6"), bet("h8", "hard_way", pick=8), throw(2, 2, seat=1),
        bet("o", "pass_odds", 1000, of="w"), bet("d", "field"), "dice_changed", throw(3, 3, void="stacked"),
        throw(3, 2, void="cocked"), throw(6, 5), bet("c", "come"), throw(1, 3), bet("x", "any_craps", 60000, seat=3),
        closing(2), throw(6, 6), throw(5, 1), throw(1, 2), "round_closed",
    ]  # fmt: skip

    andorra, in_andorra = play(AD, *events)
    macau, in_macau = play(MO, *events)

    differ = {name: (andorra[name], macau[name]) for name in andorra if andorra[name] != macau[name]}
    assert differ == {
        "b7": ((0, 1000), (0, 0)),  # no wager of Andorra
        "m6": ((0, 800), (900, 800)),  # the stacked 3-3 counts in Macau: 700 for 600, even for the rest
        "s": ((0, 0), (0, 1000)),  # no wager of Macau
        "u": ((1000, 1000), (0, 1000)),
        "b6": ((1000, 1000), (0, 1000)),
        "o": ((2000, 1000), (1000, 1000)),  # Macau cuts the win to the line stake
        "d": ((1000, 1000), (0, 0)),  # decided by the 6-5; in Macau by the 3-3 that Andorra repeats
    }
    assert andorra["w"] == (1000, 1000)
    assert andorra["c"] == (0, 1000)  # travelled to the 4, returned after the last throw
    assert andorra["h8"] == (0, 1000)
    assert andorra["x"] == (420000, 60000)
    assert in_andorra == [
        ("wager_not_offered", "b7"),
        ("wager_not_offered", "m6"),
        ("illegal_decision", 1),  # the shooter has no line bet
        ("dice_changed_mid_series", ""),
        ("above_maximum", "x"),  # would win 4,200 euros; three times the maximum is 3,000
        ("dealer_misplay", ""),  # the last two throws announced
        ("dealer_misplay", ""),  # and one more made
    ]
    assert in_macau == [
        ("wager_not_offered", "s"),
        ("wager_not_offered", "u"),
        ("wager_not_offered", "b6"),
        ("odds_too_large", "o"),
        ("dealer_misplay", ""),  # the stacked throw
        ("dealer_misplay", ""),  # the cocked throw: both count
    ]


# A hole in the log


def opened(rules, **table):
    session = Session("s", JUDGING)
    fields = {"type": "table_opened", "game": "craps", "rules": rules, "casino": "c", "pit": "p", "currency": "EUR",
              "limits": LIMITS, **table}  # fmt: skip
    step(session, 1, fields)
    return session


def step(session, seq, event):
    if isinstance(event, str):
        event = {event: {}}
    if "type" not in event:
        [(kind, fields)] = event.items()
        event = {**fields, "type": kind}
    envelope = {"session": "s", "seq": seq, "at": NOON + timedelta(seconds=seq), "table": "t", "device": "d"}
    session.step(from_fields({**envelope, **event}), b"")


def with_hole(rules, *events, **table):
    """The verdicts and the findings of a log in which each None is a missing event."""
    session = opened(rules, **table)
    for seq, event in enumerate(events, start=2):
        if event is None:
            session.hole(seq, seq, "sequence_gap", f"event {seq} is missing")
        else:
            step(session, seq, event)
    session.finish()
    told = session.drain()
    verdicts = {each.bet: each.verdict.value for each in told if isinstance(each, Settlement)}
    return verdicts, [said(each) for each in told if isinstance(each, Finding)]


def test_after_a_hole_nothing_is_judged_until_a_valid_7():
    verdicts, findings = with_hole(
        AD,
        bet("w", "pass_line"), throw(2, 2, seat=1), None, claim("w", 0, 1), "round_closed", "round_opened",
        bet("c", "come"), throw(3, 4, void="stacked"), claim("c", 9, 9), "dice_changed", throw(1, 6, seat=1),
        claim("c", 0, 0), bet("v", "pass_line"), bet("o", "field", seat=2), throw(5, 6, seat=1), claim("v", 0, 0),
        claim("o", 1000, 1000), "round_closed",
    )  # fmt: skip

    assert findings == [("sequence_gap", ""), ("underpaid", "v")]
    assert verdicts == {"w": "unverifiable", "c": "unverifiable", "v": "underpaid", "o": "match"}


def test_in_romania_place_bets_that_rest_on_the_7_were_let_go_before_it():
    verdicts, findings = with_hole(
        RO,
        bet("p", "place_right", 1200, pick=6), None, throw(3, 4), bet("w", "pass_line"), throw(3, 3),
        throw(3, 3), claim("p", 1400, 1200), claim("w", 1000, 1000), "round_closed",
    )  # fmt: skip

    assert findings == [("sequence_gap", "")]
    assert verdicts == {"p": "unverifiable", "w": "match"}


def test_a_hole_among_the_last_throws_leaves_the_table_unknown_until_it_is_open_again_and_a_7_comes():
    verdicts, findings = with_hole(
        AD,
        closing(3), bet("w", "pass_line"), throw(5, 5), None, throw(3, 4), bet("f", "field"), throw(3, 4),
        claim("f", 0, 1000), "round_closed", throw(3, 4), "round_opened", bet("g", "field"), throw(3, 4),
        bet("v", "pass_line"), throw(5, 6), claim("v", 1000, 1000), "round_closed",
    )  # fmt: skip

    assert findings == [("sequence_gap", "")]
    assert verdicts == {"w": "unverifiable", "f": "unverifiable", "g": "unverifiable", "v": "match"}


ONE_OF_MANY = ("pass_line", "dont_pass", "come", "dont_come", "field", "hard_way", "place_right", "big_6_8", "seven")
moves = st.one_of(
    st.tuples(st.just("bet"), st.sampled_from(ONE_OF_MANY), st.sampled_from(POINTS), st.integers(1, 3)),
    st.tuples(st.just("throw"), st.integers(1, 6), st.integers(1, 6), st.sampled_from([None, None, None, "slid"])),
    st.sampled_from([("odds",), ("back",), ("call",), ("close",)]),
)


def night(rules, drawn):
    """A night without faults: only what is offered is laid, everything decided is settled as the rules give."""
    session = opened(rules)
    game, book = session.game, session.book
    assert game is not None and book is not None
    log, ids = [], iter(range(10**6))

    def happens(event):
        log.append(event)
        step(session, len(log) + 1, event)

    for move in drawn:
        kind = move[0]
        if kind == "throw":
            happens(throw(move[1], move[2], void=None if rules == MO else move[3]))
            for due in list(book.due.values()):
                happens(claim(due.id, due.paid, due.returned))
        elif kind == "close":
            happens("round_closed")
        elif kind == "call":
            happens("bets_closed")
        elif game.betting_open:
            if kind == "bet":
                wager, number, seat = move[1:]
                spot = (wager, number if RULES[rules].wagers.get(wager) and RULES[rules].wagers[wager].picks else 0)
                offered = bool(game.point) if "come" in wager else not game.point if "pass" in wager else True
                if spot in game.layout.spots and offered:
                    happens(bet(f"b{next(ids)}", wager, 1000, pick=spot[1] or None, seat=seat))
            else:
                for line in list(book.live.values()):
                    if kind == "odds" and line.wager_id in ("pass_line", "dont_come") and line.state.number:
                        wager = line.wager_id.removesuffix("_line") + "_odds"
                        if not any(other.of == line.id for other in book.live.values()):
                            happens(bet(f"b{next(ids)}", wager, 500, of=line.id))
                    elif kind == "back" and line.wager_id in ("hard_way", "place_right"):
                        happens(back(line.id))
    for due in list(book.due.values()):
        happens(claim(due.id, due.paid, due.returned))
    happens("round_closed")
    session.finish()
    return log, session.drain()


@settings(max_examples=60)
@given(st.sampled_from(LAWS), st.lists(moves, min_size=5, max_size=40), st.data())
def test_a_missing_event_never_makes_a_finding(rules, drawn, data):
    log, told = night(rules, drawn)
    assert [each for each in told if isinstance(each, Finding)] == []
    missing = data.draw(st.integers(0, len(log) - 1))

    _, findings = with_hole(rules, *log[:missing], None, *log[missing + 1 :])

    assert findings == [("sequence_gap", "")]


@settings(max_examples=60)
@given(st.sampled_from(LAWS), st.lists(moves, min_size=5, max_size=40))
def test_every_bet_is_settled_once_and_what_it_gets_back_is_nothing_or_its_stake(rules, drawn):
    log, told = night(rules, drawn)
    placed = [event["bet_placed"]["bet"] for event in log if "bet_placed" in event]
    settled = [each for each in told if isinstance(each, Settlement)]

    assert sorted(each.bet for each in settled) == sorted(placed)
    for each in settled:
        if each.verdict is Verdict.MATCH:
            assert each.returned in (0, each.stake)
            assert each.paid == 0 or each.returned == each.stake
        assert each.passage


@pytest.mark.parametrize("rules", LAWS)
def test_every_finding_cites_its_passage(rules):
    outcome = settle(
        rules,
        bet("a", "pass_line", 1), bet("b", "come"), bet("c", "nothing"), bet("k", "dont_pass", 200000, seat=4),
        throw(2, 2, seat=7), bet("o", "pass_odds", 10**6, of="a"), "dice_changed", throw(1, 1, void="off_table"),
        claim("a", 0, 0), bet("l", "field"), back("a"), back("k"), throw(1, 2, void="on_chips"), closing(1),
        throw(1, 1), bet("z", "field"), throw(1, 1), "round_closed", limits={"min": 500, "max": 100000},
    )  # fmt: skip

    assert all(finding.passage for finding in outcome.findings)
    assert all(finding.kind is not Kind.EVIDENCE for finding in outcome.findings)
    assert len({finding.code for finding in outcome.findings}) >= 9
