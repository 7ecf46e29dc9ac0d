"""Craps: what each throw does to each wager of each regulation, and the exact odds that follow."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from replay.games._craps_layout import next_point, slot, spots
from replay.games.craps import odds
from replay.money import Price
from tests.installed import PACKS

AD, MO, RO = "AD-2025", "MO-1985", "RO-CRAPS"
LAWS = (AD, MO, RO)
RULES = {name: PACKS.game(name, "craps") for name in LAWS}
POINTS = (4, 5, 6, 8, 9, 10)

# IV.1, wagers: what each throw does, and what it pays

ONE_THROW = {
    "field": {2: "2", 3: "1", 4: "1", 9: "1", 10: "1", 11: "1", 12: "2"},
    "under_7": dict.fromkeys((2, 3, 4, 5, 6), "1"),
    "over_7": dict.fromkeys((8, 9, 10, 11, 12), "1"),
    "seven": {7: "4"},
    "big_7": {7: "9/2"},
    "eleven": {11: "15"},
    "any_craps": {2: "7", 3: "7", 12: "7"},
    "craps_2": {2: "30"},
    "craps_3": {3: "15"},
    "craps_12": {12: "30"},
    "horn": {2: "4", 3: "4", 11: "4", 12: "4"},
}
RACES = {
    "big_6": {0: (6, 7, "1")},
    "big_8": {0: (8, 7, "1")},
    "place_right": {4: (4, 7, "9/5"), 5: (5, 7, "7/5"), 6: (6, 7, "7/6"),
                    8: (8, 7, "7/6"), 9: (9, 7, "7/5"), 10: (10, 7, "9/5")},
    "place_wrong": {4: (7, 4, "5/11"), 5: (7, 5, "5/8"), 6: (7, 6, "4/5"),
                    8: (7, 8, "4/5"), 9: (7, 9, "5/8"), 10: (7, 10, "5/11")},
    "pass_odds": {4: (4, 7, "2"), 5: (5, 7, "3/2"), 6: (6, 7, "6/5"),
                  8: (8, 7, "6/5"), 9: (9, 7, "3/2"), 10: (10, 7, "2")},
    "dont_pass_odds": {4: (7, 4, "1/2"), 5: (7, 5, "2/3"), 6: (7, 6, "5/6"),
                       8: (7, 8, "5/6"), 9: (7, 9, "2/3"), 10: (7, 10, "1/2")},
    "big_6_8": {6: (6, 7, "7/6"), 8: (8, 7, "7/6")},
    "big_5_9": {5: (5, 7, "7/5"), 9: (9, 7, "7/5")},
    "big_4_10": {4: (4, 7, "9/5"), 10: (10, 7, "9/5")},
}  # fmt: skip
"""Wager -> number -> the total that wins, the total that loses, the price."""
RACES["come_odds"] = RACES["pass_odds"]
RACES["dont_come_odds"] = RACES["dont_pass_odds"]
HARD = {4: "7", 6: "9", 8: "9", 10: "7"}
OFFERED = {
    AD: "pass_line dont_pass come dont_come pass_odds come_odds dont_pass_odds dont_come_odds field big_6 big_8 under_7"
    " over_7 hard_way seven eleven any_craps craps_2 craps_3 craps_12 horn place_right place_wrong",
    MO: "pass_line dont_pass come dont_come pass_odds come_odds dont_pass_odds dont_come_odds field hard_way big_7"
    " eleven any_craps big_6_8 big_5_9 big_4_10",
    RO: "pass_line dont_pass come dont_come pass_odds come_odds dont_pass_odds dont_come_odds field big_6 big_8"
    " hard_way seven eleven any_craps craps_2 craps_3 craps_12 place_right",
}


def read_by_hand(wager, number, total, double):
    """The page's table of wagers once more: a price as text, or what else becomes of the bet."""
    if wager in ONE_THROW:
        return ONE_THROW[wager].get(total, "loses")
    if wager in RACES:
        wins, loses, pays = RACES[wager][number]
        return pays if total == wins else "loses" if total == loses else "stands"
    if wager == "hard_way":
        if total != number:
            return "loses" if total == 7 else "stands"
        return HARD[number] if double else "loses"
    right = wager in ("pass_line", "come")
    if number:
        return {number: "1" if right else "loses", 7: "loses" if right else "1"}.get(total, "stands")
    if right:
        return {7: "1", 11: "1", 2: "loses", 3: "loses", 12: "loses"}.get(total, "travels")
    return {7: "loses", 11: "loses", 2: "1", 3: "1", 12: "pushes"}.get(total, "travels")


@pytest.mark.parametrize("rules", LAWS)
def test_each_wager_offered_does_on_each_throw_what_the_page_says(rules):
    options = {option.id: option.default for option in RULES[rules].options.values()}

    layout = spots(RULES[rules], options)

    assert {wager for wager, _ in layout} == set(OFFERED[rules].split()) == set(RULES[rules].wagers)
    for (wager, number), spot in layout.items():
        for first, second in product(range(1, 7), repeat=2):
            ruled = spot.on_point[slot(first, second)]
            expected = read_by_hand(wager, number, first + second, first == second)
            assert (str(ruled.ratio) if isinstance(ruled, Price) else ruled.value) == expected, (wager, number)


@pytest.mark.parametrize("rules", [AD, MO])
def test_under_ad_and_mo_all_bets_work_on_the_come_out(rules):
    layout = spots(RULES[rules], {})

    assert all(spot.come_out is spot.on_point for spot in layout.values())


@pytest.mark.parametrize("point", POINTS)
def test_each_point_is_made_or_lost_and_nothing_else_ends_the_series(point):
    assert next_point(0, point) == point
    assert [total for total in range(2, 13) if next_point(point, total) == 0] == sorted((7, point))
    assert [next_point(0, total) for total in (2, 3, 7, 11, 12)] == [0] * 5


# Exact odds

PUBLISHED = {
    "pass_line": "7/495", "come": "7/495", "dont_pass": "3/220", "dont_come": "3/220", "big_6": "1/11",
    "big_8": "1/11", "under_7": "1/6", "over_7": "1/6", "hard_way 4": "1/9", "hard_way 10": "1/9",
    "hard_way 6": "1/11", "hard_way 8": "1/11", "seven": "1/6", "big_7": "1/12", "eleven": "1/9", "any_craps": "1/9",
    "craps_3": "1/9", "craps_2": "5/36", "craps_12": "5/36", "horn": "1/6", "place_right 4": "1/15",
    "place_right 10": "1/15", "place_right 5": "1/25", "place_right 9": "1/25", "place_right 6": "1/66",
    "place_right 8": "1/66", "place_wrong 4": "1/33", "place_wrong 10": "1/33", "place_wrong 5": "1/40",
    "place_wrong 9": "1/40", "place_wrong 6": "1/55", "place_wrong 8": "1/55", "big_4_10 4": "1/15",
    "big_4_10 10": "1/15", "big_6_8 6 full": "1/66", "big_6_8 8 full": "1/66", "big_6_8 6 under": "1/11",
    "big_6_8 8 under": "1/11", "big_5_9 5 full": "1/25", "big_5_9 9 full": "1/25", "big_5_9 5 under": "1/5",
    "big_5_9 9 under": "1/5", "field": "1/18", "field 2": "1/18", "field 3": "1/36",
}  # fmt: skip
"""The page's figures: wager and number, for the field the option, for the bigs full units or less."""
WAYS = {total: sum(a + b == total for a, b in product(range(1, 7), repeat=2)) for total in range(2, 13)}


def key(row):
    unit = "full" if "full units" in row.assumes else "under" if "stakes under" in row.assumes else ""
    return " ".join(filter(None, [row.wager, row.pick, row.options.get("field_12", ""), unit]))


@pytest.mark.parametrize("rules", LAWS)
def test_the_edge_of_every_wager_is_the_published_one(rules):
    rows = list(odds(RULES[rules]))

    assert {row.wager for row in rows} == set(RULES[rules].wagers)
    for row in rows:
        if row.wager.endswith("odds"):
            assert row.edge == 0
        else:
            assert row.edge == Fraction(PUBLISHED[key(row)]), key(row)


@pytest.mark.parametrize("rules", LAWS)
def test_the_variance_of_every_wager_follows_from_its_chances(rules):
    """Of one throw by its ways, of a race by the ways of the two totals, of the lines by the chances of the points."""
    for row in odds(RULES[rules]):
        number = int(row.pick or 0)
        chances: list[tuple[Fraction | int, Fraction]]
        if row.options.get("working_on_comeout") == "false":
            continue
        if row.wager in ONE_THROW:
            prices = {**ONE_THROW[row.wager], **({12: row.options["field_12"]} if row.options else {})}
            chances = [(WAYS[total], Fraction(prices.get(total, -1))) for total in WAYS]
        elif row.wager in RACES:
            wins, loses, pays = RACES[row.wager][number]
            price = Fraction(1) if "stakes under" in row.assumes else Fraction(pays)
            chances = [(WAYS[wins], price), (WAYS[loses], Fraction(-1))]
        elif row.wager == "hard_way":
            chances = [(1, Fraction(HARD[number])), (6 + WAYS[number] - 1, Fraction(-1))]
        else:
            points = sum(Fraction(WAYS[p], 36) * Fraction(WAYS[p], WAYS[p] + 6) for p in POINTS)
            made = Fraction(8, 36) + points
            lost = 1 - made
            if row.wager in ("pass_line", "come"):
                chances = [(made, Fraction(1)), (lost, Fraction(-1))]
            else:
                push = Fraction(1, 36)
                chances = [(lost - push, Fraction(1)), (made, Fraction(-1)), (push, Fraction(0))]
        total = sum(weight for weight, _ in chances)
        mean = sum(weight * net for weight, net in chances) / total
        assert row.variance == sum(weight * (net - mean) ** 2 for weight, net in chances) / total, key(row)
        assert row.edge == -mean


def test_come_odds_that_rest_on_the_come_out_risk_less():
    """Romania, come bet on 4, laid on the first throw with a point on. The odds are decided by a 4 or a 7 while a point
    is on; on a come-out throw they go back. R(q) is the chance that they are decided while working, from point q."""
    chance = {total: Fraction(ways, 36) for total, ways in WAYS.items()}
    # From a come-out throw: 4 or 7 returns; another point q puts it on; craps and 11 repeat.
    # From point q: 4 or 7 decides, q made leads to a come-out throw, the rest repeats.
    others = [q for q in POINTS if q != 4]
    decided = chance[4] + chance[7]
    # R(0) = sum over q of chance[q] R(q) / (1 - chance of craps and 11);
    # R(q) = (decided + chance[q] R(0)) / (decided + chance[q])
    repeat = chance[2] + chance[3] + chance[12] + chance[11]
    base = sum(chance[q] * decided / (decided + chance[q]) for q in others)
    again = sum(chance[q] * chance[q] / (decided + chance[q]) for q in others)
    off = base / (1 - repeat - again)
    on = {q: (decided + chance[q] * off) / (decided + chance[q]) for q in others}
    # The first point was 4 with 3 of 24 ways: then the 4 made it, and the next throw is a come-out.
    works = Fraction(3, 24) * off + sum(Fraction(WAYS[q], 24) * on[q] for q in others)
    expected = works * (Fraction(1, 3) * 4 + Fraction(2, 3))  # wins 2 with 3 ways, loses 1 with 6

    found = {(row.wager, row.pick, row.options.get("working_on_comeout")): row for row in odds(RULES[RO])}
    resting = found["come_odds", "4", "false"]

    assert resting.variance == expected
    assert resting.edge == 0
