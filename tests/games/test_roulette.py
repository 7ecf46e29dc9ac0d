"""Roulette under ES-1979 and US-NJ, passage by passage: what the scenarios leave out, every place of the cloths, random
tables against a calculator of the tests' own, and the odds of the wheels."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import Final

import pytest

from replay.games.roulette import LAYOUTS, odds, position
from replay.games.roulette import RouletteLaw as Law
from replay.heading import Heading
from replay.rules import Table as RulesTable
from replay.streaks.ball import Ball
from replay.streaks.detector import watched_at
from replay.streaks.watch import Watch, WatchSettings
from replay.streaks.worth import worths
from tests.changed_packs import cut, pack_with, put
from tests.games.retold import claim, fold, set_up, settle
from tests.games.roulette_again import EVEN_CHANCES, PAYS, Table, covered
from tests.installed import PACKS
from tests.replay.streaks.told import told as event

NJ: Final = {
    "game": "roulette",
    "rules": "US-NJ",
    "currency": "USD",
    "chip_unit": 100,
    "limits": {"min": 500, "max": 100000},
}
ES: Final = {"game": "roulette", "rules": "ES-1979", "chip_unit": 50, "limits": {"min": 200}}
WAYS: Final = [
    ("US-NJ", {"wheel": "double_zero"}),
    ("US-NJ", {"wheel": "double_zero", "zero": "half"}),
    ("US-NJ", {"wheel": "single_zero"}),
    ("US-NJ", {"wheel": "single_zero", "zero": "half"}),
    ("ES-1979", {"variant": "french"}),
    ("ES-1979", {"variant": "american"}),
]


def play(table, *events, **other):
    """The re-tally: each bet's (paid, returned) or verdict, and the findings as (code, bet)."""
    money, found = settle({**table, **other}, events)
    return money, [(finding.code, finding.bet) for finding in found]


def bet(name, wager, amount=1000, pick=None, seat=1, player=None):
    fields = {"bet": name, "seat": seat, "wager": wager, "amount": amount, "pick": pick, "player": player}
    return {"bet_placed": fields}


def ball(number, void=None):
    return {"ball_landed": {"number": number, "void": void}}


def decide(name, choice, seat=1):
    return {"decision": {"seat": seat, "bet": name, "choice": choice}}


# 01 II and IV.1, 5.1 and 5.2: the cloth


def is_double(pack, options):
    return pack == "US-NJ" and options["wheel"] == "double_zero"


@pytest.mark.parametrize("wheel", ["single_zero", "double_zero"])
@pytest.mark.parametrize("wager", ["split", "street", "trio", "corner"])
def test_every_list_of_numbers_is_a_place_of_the_cloth_or_none(wheel, wager):
    """All pairs, threes and fours of numbers, against their places in rows and columns."""
    law = PACKS.game("US-NJ", "roulette").law_as(Law)
    size = {"split": 2, "corner": 4}.get(wager, 3)
    numbers = range(38) if size < 4 else [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 32, 33, 34, 35, 36, 37]

    for pick in map(list, combinations(numbers, size)):
        ours = position(law, wheel, wager, pick)
        again = covered("US-NJ", wheel == "double_zero", wager, pick)
        assert (None if ours is None else set(ours)) == again, pick


def test_there_are_as_many_places_as_the_page_lists():
    """Splits: 24 across and 33 along the rows, and those of the zeros; corners: two in each of eleven gaps."""
    count = {wheel: {wager: len(places) for wager, places in LAYOUTS[wheel].items()} for wheel in LAYOUTS}

    assert count["single_zero"]["split"] == 24 + 33 + 3
    assert count["double_zero"]["split"] == 24 + 33 + 5
    for wheel, trios in (("single_zero", 2), ("double_zero", 3)):
        assert (count[wheel]["trio"], count[wheel]["street"]) == (trios, 12)
        assert (count[wheel]["corner"], count[wheel]["six_line"]) == (22, 11)


@pytest.mark.parametrize(("pack", "options"), WAYS)
def test_each_wager_wins_on_its_numbers_alone(pack, options):
    """Every place of the cloth, at every number of the wheel."""
    rules = PACKS.game(pack, "roulette")
    double = is_double(pack, options)
    law, wheel = rules.law_as(Law), "double_zero" if double else "single_zero"
    for wager in rules.wagers:
        for pick in [None] if wager in EVEN_CHANCES else LAYOUTS[wheel][wager]:
            told_as = list(pick) if isinstance(pick, tuple) else pick
            again = covered(pack, double, wager, told_as)
            assert again is not None and set(position(law, wheel, wager, told_as) or ()) == again
            price = rules.wagers[wager].price
            assert price is not None and price.ratio == PAYS.get(wager, 1)


@pytest.mark.parametrize(
    ("wager", "pick"),
    [
        ("straight_up", None),
        ("straight_up", "17"),
        ("straight_up", -1),
        ("straight_up", [17]),
        ("split", 17),
        ("split", [17, 17]),
        ("split", [17]),
        ("split", [3, 4]),
        ("corner", [1, 2, 4]),
        ("corner", [17, 17, 18, 20]),
        ("six_line", [1, 2, 3, 7, 8, 9]),
        ("first_four", [0, 1, 2]),
        ("dozen", 0),
        ("column", "1"),
        ("double_dozen", [1, 3]),
        ("double_dozen", None),
        ("low", 1),
        ("voisins", None),
    ],
)
def test_what_is_not_on_the_layout_goes_back(wager, pick):
    money, findings = play(ES, bet("b", wager, pick=pick), "bets_closed", ball(17), claim("b", 0, 1000))

    assert (money, findings) == ({"b": (0, 1000)}, [("wager_not_offered", "b")])


def test_a_list_in_another_order_is_the_same_place():
    bets = [bet("a", "corner", 20000, [11, 10, 8, 7]), bet("b", "corner", 4000, [7, 8, 10, 11]),
            bet("c", "first_four", 20000), bet("d", "first_four", 4100, [3, 1, 0, 2])]  # fmt: skip

    assert play(ES, *bets)[1] == [("above_maximum", "d")]


# 01 IV.1.B: zero and prison


def test_prison_may_become_partage_until_the_round_is_closed_and_partage_never_prison():
    zero = [bet("r", "red"), bet("e", "even", seat=2), "bets_closed", ball(0)]
    choices = [decide("r", "prison"), decide("r", "partage"), decide("e", "partage", 2), decide("e", "prison", 2)]
    money, findings = play(ES, *zero, *choices, claim("r", 0, 500), claim("e", 0, 500), "round_closed")

    assert (money, findings) == ({"r": (0, 500), "e": (0, 500)}, [("illegal_decision", "e")])


def test_a_choice_after_the_round_was_closed_is_none():
    money, findings = play(ES, bet("r", "red"), "bets_closed", ball(0), "round_closed", decide("r", "partage"))

    assert (money, findings) == ({"r": "open"}, [("illegal_decision", "r")])


def test_half_that_is_handed_over_after_prison_was_chosen_is_too_early():
    zero = [bet("r", "red"), "bets_closed", ball(0), decide("r", "prison"), claim("r", 0, 500), "round_closed"]
    money, findings = play(ES, *zero, "bets_closed", ball(2), "round_closed")

    assert money == {"r": (0, 0)}
    assert findings == [("settled_too_early", "r"), ("overpaid", "r")]


@pytest.mark.parametrize("zeros", range(1, 6))
def test_each_zero_halves_what_is_freed(zeros):
    table = {**ES, "limits": {"min": 50}, "chip_unit": 50}
    spins = ["bets_closed", ball(0), "round_closed"] * zeros
    money, _ = play(table, bet("r", "red", 3200), *spins, "bets_closed", ball(1), claim("r", 0, 3200 >> (zeros - 1)))

    assert money == {"r": (0, 3200 >> (zeros - 1))}


def test_a_stake_that_was_never_halved_comes_back_as_it_lay_though_it_is_no_whole_chip():
    money, _ = play(ES, bet("r", "red", 1030), "bets_closed", ball(0), "round_closed", "bets_closed", ball(1))

    assert money == {"r": (0, 1030)}


def test_a_ball_after_the_last_is_an_ordinary_one_and_void_ones_do_not_count():
    last = [{"table_closing": {"last": 1}}, "bets_closed", ball(5, "short"), "bets_closed", ball(7), "round_closed"]
    money, findings = play(ES, *last, bet("r", "red"), "bets_closed", ball(0), "round_closed")

    assert (money, findings) == ({"r": "open"}, [])


def test_stakes_in_prison_count_for_no_maximum():
    fresh = [bet("a", "red", 108000), "bets_closed", ball(0), "round_closed", bet("b", "red", 108000)]

    assert play(ES, *fresh)[1] == []
    assert play(ES, *fresh, bet("c", "red", 200))[1] == [("above_maximum", "c")]


@pytest.mark.parametrize(("pack", "options"), [way for way in WAYS if way[1] != {"variant": "french"}])
def test_there_is_no_choice_where_zero_decides_at_once(pack, options):
    _, findings = play(
        {**NJ, "rules": pack, "options": options, "limits": {"min": 500}},
        *(bet("r", "red"), "bets_closed", ball(0), decide("r", "partage"), decide("r", "prison")),
        settlement_claims=False,
    )

    assert findings == [("illegal_decision", "r")] * 2


# 01 IV.3, 5.3 and 5.4: the ball


@pytest.mark.parametrize("rules", ["US-NJ", "ES-1979"])
@pytest.mark.parametrize("ground", ["object", "off_wheel", "direction", "short", "improper", "wind"])
def test_a_spin_is_void_on_the_grounds_of_the_law_alone(rules, ground):
    is_ground = ground != "wind" and (rules, ground) != ("US-NJ", "improper")
    money, findings = play({**NJ, "rules": rules, "limits": {"min": 500}}, bet("r", "red"), "bets_closed",
                           ball(3, ground), settlement_claims=False)  # fmt: skip

    assert money == {"r": "open" if is_ground else (1000, 1000)}
    assert findings == ([] if is_ground else [("dealer_misplay", "")])


@pytest.mark.parametrize(
    ("options", "number"), [({"wheel": "double_zero"}, 38), ({"wheel": "single_zero"}, 37), ({}, 99)]
)
@pytest.mark.parametrize("void", [None, "wind", "object"])
def test_a_number_that_the_wheel_has_not_decides_nothing(options, number, void):
    """Where a spin is void by the law, where the ball lay is nobody's matter."""
    money, findings = play(
        NJ, bet("r", "red"), "bets_closed", ball(number, void), bet("b", "black"), "bets_closed", ball(2),
        options=options, settlement_claims=False,
    )  # fmt: skip

    assert money == {"r": (0, 0), "b": (1000, 1000)}
    assert findings == ([] if void == "object" else [("dealer_misplay", "")])


def test_of_further_balls_each_is_told_and_none_is_a_spin():
    further = [ball(4), ball(40), ball(5, "short"), ball(6)]
    money, findings = play(NJ, bet("n", "straight_up", pick=4), "bets_closed", *further, claim("n", 35000, 1000))

    assert (money, findings) == ({"n": (35000, 1000)}, [("dealer_misplay", "")] * 3)


def test_without_a_ball_the_bets_play_on_the_next_one():
    one = [bet("a", "red"), "bets_closed", "round_closed"]

    assert play(NJ, *one) == ({"a": "open"}, [])
    assert play(NJ, *one, "bets_closed", ball(1), claim("a", 1000, 1000)) == ({"a": (1000, 1000)}, [])


# 01 IV.2: limits


def setup_findings(**table):
    return [(said.code, said.passage) for said in set_up({**ES, **table})]


def test_the_maxima_that_are_posted_are_the_laws():
    lawful = {"min": 200, "max": 108000, "straight_up": {"max": 6000}, "first_four": {"max": 24000}}
    american = {"min": 200, "max": 72000, "straight_up": {"max": 4000}}

    assert setup_findings(limits=lawful) == []
    assert setup_findings(limits=american, options={"variant": "american"}) == []
    assert setup_findings(limits=american) == [("setup_not_allowed", "01 IV.2.A")]
    assert setup_findings(limits=lawful, options={"variant": "american"}) == [("setup_not_allowed", "02 V")]
    assert setup_findings(limits={"max": 1}) == []
    assert [said.code for said in set_up({**NJ, "limits": {"min": 500, "max": 501}})] == []


def test_without_limits_nothing_binds():
    bets = [bet("n", "straight_up", 10**9, 7), bet("r", "red", 1)]

    assert play(ES, *bets, limits={})[1] == play(NJ, *bets, limits={})[1] == []


# what is cited


def test_a_finding_says_what_of_new_jersey_is_from_general_usage():
    _, found = settle(NJ, [bet("b", "basket", pick=[0, 1, 2, 3, 37]), ball(2), claim("b", 0, 0)])
    [underpaid] = found

    assert underpaid.passage == "13:69F-5.2 [from general usage (a summary of 58 Pa. Code 617a), text not at hand]"
    assert not any("[" in said.passage for said in settle(ES, [bet("r", "red"), ball(3), claim("r", 0, 0)])[1])


def test_nothing_of_new_jersey_is_cited_as_the_laws_word():
    rules = PACKS.game("US-NJ", "roulette")
    wagers = [wager.passage for wager in rules.wagers.values()]
    options = [option.passage for option in rules.options.values()]

    for passage in (*wagers, *options, *rules.law.passages.model_dump().values()):
        assert passage.endswith("text not at hand]"), passage


# a hole in the log


def test_after_a_hole_a_stake_that_was_in_prison_is_not_judged():
    lying = [bet("r", "red"), "bets_closed", ball(0), "HOLE", "round_closed"]
    findings, verdicts = fold(ES, [*lying, "bets_closed", ball(2), claim("r", 0, 1000), "round_closed"])

    assert [code for code, _ in findings] == ["sequence_gap"]
    assert verdicts == {"r": "unverifiable"}


def test_after_a_hole_the_last_spins_may_have_been_announced():
    """Half may have been due, whatever the player had said."""
    unseen = [bet("x", "red"), "bets_closed", ball(1), "HOLE", "round_closed"]
    last = [bet("r", "red"), "bets_closed", ball(0), decide("r", "prison"), claim("r", 0, 500), "round_closed"]

    assert [code for code, _ in fold(ES, [*unseen, *last])[0]] == ["sequence_gap"]


# random tables


PICKS: Final = {
    "straight_up": [0, 1, 17, 36, 37, 38],
    "split": [[1, 2], [4, 1], [0, 3], [0, 37], [2, 37], [3, 4]],
    "street": [[4, 5, 6], [5, 6, 7]],
    "trio": [[0, 1, 2], [2, 3, 37], [0, 2, 3]],
    "corner": [[1, 2, 4, 5], [3, 4, 6, 7]],
    "six_line": [[1, 2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 7]],
    "column": [1, 3, 4],
    "dozen": [1, 2, [1, 2]],
    "double_column": [[1, 2], [3, 2], [1, 3]],
    "double_dozen": [[2, 3], [1, 2], 1],
    "first_four": [None, [0, 1, 2, 3], [3, 2, 1, 0]],
    "basket": [None, [37, 0, 1, 2, 3]],
}
MOSTLY: Final = ("bet_placed", "bet_placed", "bet_placed", "bets_closed", "ball", "ball", "settle", "settle", "settle",
                 "decision", "bet_raised", "bet_withdrawn", "round_closed", "table_closing")  # fmt: skip


BEGINS: Final = {"bet_placed", "bets_closed", "ball_landed", "decision"}
"""What begins a round."""


def random_event(rng, again, count):
    """An event that makes sense or does not, with the state of ``again``; and the next bet's number."""
    kind = rng.choice(MOSTLY)
    bets = [name for name, stake in again.bets.items() if not stake.gone]
    if kind == "bet_placed" or not bets:
        wager = rng.choice([*EVEN_CHANCES, *EVEN_CHANCES, *PICKS])
        pick = None if wager in EVEN_CHANCES and rng.random() < 0.95 else rng.choice(PICKS.get(wager, [3]))
        amount = rng.choice((50, 200, 500, 750, 1000, 1250, 6000, 30000, 108000))
        fields = {"bet": f"b{count}", "wager": wager, "amount": amount, "seat": rng.randrange(1, 4)}
        if rng.random() < 0.3:
            fields["player"] = rng.choice(("anna", "bru"))
        return "bet_placed", fields if pick is None else {**fields, "pick": pick}
    if kind == "ball":
        number = rng.choice((0, 0, 0, 1, 2, 17, 22, 36, 37, 38, rng.randrange(37)))
        void = rng.choice((None,) * 6 + ("object", "short", "improper", "wind"))
        return "ball_landed", {"number": number} if void is None else {"number": number, "void": void}
    name = rng.choice(bets[-6:])
    stake = again.bets[name]
    if kind == "settle":
        half = again.half(stake)
        due = (
            stake.due if stake.due and rng.random() < 0.8 else rng.choice([(0, 0), (0, half + stake.refund), (500, 0)])
        )
        return "bet_settled", {"bet": name if rng.random() < 0.97 else "nobody", "paid": due[0], "returned": due[1]}
    if kind == "decision":
        return kind, {"bet": name, "choice": rng.choice(("partage", "prison", "prison", "stand")), "seat": 1}
    if kind == "bet_raised":
        return kind, {"bet": name, "by": rng.choice((50, 500, 6000))}
    if kind == "bet_withdrawn":
        return kind, {"bet": name} if rng.random() < 0.5 else {"bet": name, "amount": rng.choice((50, 200, 1000))}
    if kind == "round_closed" and not again.begun:
        kind = "bets_closed"
    return kind, {"last": rng.randrange(1, 4)} if kind == "table_closing" else {}


@pytest.mark.parametrize(("pack", "options"), WAYS)
@pytest.mark.parametrize("rounding", ["down", "nearest", "up"])
def test_random_tables_come_to_what_the_page_says(pack, options, rounding):
    """Whatever happens in whatever order: money and findings, against the second calculator."""
    limits = {"min": 500, "straight_up": {"min": 100}, "red": {"min": 50, "max": 20000}}
    if pack == "US-NJ":
        limits["max"] = 30000
    for seed in range(60):
        rng = random.Random(f"{pack}{sorted(options.items())}{rounding}{seed}")
        again = Table(pack, limits, options, 50, rounding)
        events = []
        for count in range(60):
            name, fields = random_event(rng, again, count)
            getattr(again, name)(**fields)
            again.begun = name != "round_closed" and (again.begun or name in BEGINS)
            events.append({name: fields})
        table = {"game": "roulette", "rules": pack, "chip_unit": 50, "rounding": rounding, "limits": limits}
        money, found = settle({**table, "options": options}, [{"round_opened": {}}, *events])

        expected = {bet: due for bet, due in again.money().items() if due != "withdrawn"}
        assert {bet: due for bet, due in money.items() if not again.bets[bet].withdrawn} == expected, (seed, events)
        assert sorted((each.code, each.bet) for each in found) == sorted(again.found), (seed, events)


# House edge


def edges(pack):
    return {(each.wager, *sorted(each.options.items())): each.edge for each in odds(PACKS.game(pack, "roulette"))}


def test_double_zero_costs_a_nineteenth_and_the_five_three_of_thirty_eight():
    """Published: 1/19, 3/38; with half lost on the zeros 1/38."""
    wheel, lose, half = ("wheel", "double_zero"), ("zero", "lose"), ("zero", "half")
    found = edges("US-NJ")

    for wager in ("straight_up", "split", "street", "trio", "corner", "six_line", "column", "dozen"):
        assert found[wager, wheel] == Fraction(1, 19)
    assert found["basket", wheel] == Fraction(3, 38)
    for wager in EVEN_CHANCES:
        assert (found[wager, wheel, lose], found[wager, wheel, half]) == (Fraction(1, 19), Fraction(1, 38))


def test_single_zero_costs_a_thirty_seventh():
    american = edges("US-NJ")
    spanish = edges("ES-1979")

    for wager in PAYS:
        if wager != "basket":
            assert spanish[(wager,)] == Fraction(1, 37)
    for wager in (*EVEN_CHANCES, "straight_up", "first_four"):
        assert american[wager, ("wheel", "single_zero")] == Fraction(1, 37)


def test_partage_costs_a_seventy_fourth_and_prison_a_seventy_third():
    """Published: 1/74 and 1/73; prison once and then half 75/5476."""
    found = edges("ES-1979")
    french = ("variant", "french")

    for wager in EVEN_CHANCES:
        assert found[wager, ("variant", "american")] == Fraction(1, 74)
        assert found[wager, ("on_zero", "partage"), french] == Fraction(1, 74)
        assert found[wager, ("on_zero", "prison"), french] == Fraction(1, 73)
        assert found[wager, ("on_zero", "prison once, then partage"), french] == Fraction(75, 5476)


def test_prison_is_what_some_spins_of_every_course_come_to():
    """Every course of a stake over four spins, by the second calculator; the rest is under a part in a million."""
    mean = square = Fraction(0)

    def course(spins, weight):
        nonlocal mean, square
        table = Table("ES-1979", {"min": 0}, {"variant": "french"}, Fraction(1, 64))
        table.bet_placed("r", wager="red", amount=Fraction(1), seat=1)
        for number in spins:
            table.ball_landed(number)
            table.round_closed()
        due = table.money()["r"]
        if due == "open":
            for number, count in ((0, 1), (1, 18), (2, 18)):
                if len(spins) < 4:
                    course([*spins, number], weight * Fraction(count, 37))
        else:
            net = sum(Fraction(part) for part in due) - 1
            mean += weight * net
            square += weight * net**2

    course([], Fraction(1))
    [row] = [each for each in odds(PACKS.game("ES-1979", "roulette"))
             if each.wager == "red" and each.options.get("on_zero") == "prison"]  # fmt: skip

    assert abs(-mean - row.edge) < Fraction(1, 10**6)
    assert abs(square - mean**2 - row.variance) < Fraction(1, 10**5)


# what a pack must say


@pytest.mark.parametrize(
    ("pack", "change", "wrong"),
    [
        ("US-NJ", cut("wheels.single_zero"), "wheels.single_zero: is missing: the numbers around this wheel"),
        ("US-NJ", cut("options.wheel"), "options.wheel: is missing: which of the wheels a table has"),
        ("US-NJ", put("wheels.single_zero.order", list(range(36))), "each of the numbers 0 to 36 once"),
        ("US-NJ", put("chances.red", [1]), "chances.red: of the numbers 1 to 36 those that are not in black"),
        ("US-NJ", cut("zero.half"), "zero: says nothing of wheel double_zero, zero half"),
        ("US-NJ", put("zero.prison", {"even_chances": "choice", "passage": "1"}), "zero.prison: no value of an option"),
        ("US-NJ", put("zero.lose.even_chances", "keep"), "zero.lose.even_chances: "),
        ("ES-1979", cut("maxima.american"), "maxima: says nothing of variant american"),
        ("ES-1979", cut("maxima.french.split"), "maxima.french.split: is missing: how many times the minimum"),
        ("ES-1979", cut("maxima.french.even_chance"), "maxima.french.even_chance: is missing"),
    ],
)
def test_what_would_not_go_together_is_told(pack, change, wrong):
    problems = [str(problem) for problem in pack_with("roulette", change, pack).problems([pack])]

    assert any(wrong in problem for problem in problems), problems


def test_one_rule_may_hold_however_a_table_is_opened():
    def change(data):
        data["zero"] = {"always": {"even_chances": "lose", "passage": "01"}}
        data["maxima"] = {"always": data["maxima"]["french"]}
        del data["options"]

    packs = pack_with("roulette", change, "ES-1979")
    rules = packs.game("ES-1979", "roulette")

    assert packs.problems(["ES-1979"]) == []
    assert {(each.wager, each.edge) for each in odds(rules)} == {(wager, Fraction(1, 37)) for wager in rules.wagers}


# what there is to watch


@pytest.mark.parametrize(("pack", "options"), WAYS)
def test_the_ball_is_watched_on_all_numbers_of_the_wheel_that_the_table_has(pack, options):
    watched = watched_at(RulesTable(PACKS.game(pack, "roulette"), options=options))
    count = 38 if is_double(pack, options) else 37

    assert (watched.ball, watched.ball_from) == (count, 0)
    assert watched.runs is not None and watched.runs.chances == {"any": Fraction(1, count)}
    assert all(0 <= number < count for together in watched.ball_together for number in together)


def test_a_ball_that_comes_to_a_sector_of_the_wheel_too_often_is_found():
    """A third of the wheel comes half as often again; spins that are void are no results, and leave nothing."""
    table = RulesTable(PACKS.game("US-NJ", "roulette"))
    ball_of, rng = Ball(table, 1.0), random.Random(5)
    wheel = PACKS.game("US-NJ", "roulette").law_as(Law).wheels["double_zero"].order
    for seq in range(1, 1500):
        number = wheel[rng.randrange(12)] if rng.random() < 0.15 else rng.randrange(38)
        ball_of.ball_landed(event(seq=seq, number=number, void=None))
        ball_of.ball_landed(event(seq=seq, number=0, void="short"))

    assert ball_of.process.wealth > 1e3


def test_at_roulette_the_ball_its_runs_and_all_winnings_are_watched():
    for pack, options in WAYS:
        table = RulesTable(PACKS.game(pack, "roulette"), options=options)
        watch = Watch(Heading.of("s", table), table, WatchSettings())

        assert {type(each).__name__ for each in watch.detectors} == {"Ball", "Runs", "Winnings", "Dealers"}


def test_what_a_stake_is_worth_hangs_on_the_wheel_and_on_what_zero_does():
    def worth(pack, wager, **options):
        found = worths(RulesTable(PACKS.game(pack, "roulette"), options=options))[wager, ""]
        return found.most, found.least

    for wheel, zero, wager, edge in (("double_zero", "lose", "red", 1 / 19), ("double_zero", "half", "red", 1 / 38),
                                     ("single_zero", "lose", "red", 1 / 37), ("double_zero", "half", "split", 1 / 19),
                                     ("double_zero", "lose", "basket", 3 / 38)):  # fmt: skip
        assert worth("US-NJ", wager, wheel=wheel, zero=zero) == pytest.approx((1 - edge, 1 - edge))
    assert worth("ES-1979", "red") == pytest.approx((1 - 1 / 74, 0))
    assert worth("ES-1979", "split") == pytest.approx((1 - 1 / 37, 1 - 1 / 37))


def test_no_course_of_choices_makes_a_stake_in_prison_worth_more_than_half():
    """The best of half now and prison, for any number of spins before the last one."""
    value = Fraction(18, 37) + Fraction(1, 37) / 2  # on the last spin
    for _ in range(50):
        assert value <= Fraction(1, 2)
        value = Fraction(18, 37) + Fraction(1, 37) * max(Fraction(1, 4), value / 2)
