"""Monte, AD-2022 game 13, passage by passage: what the scenarios leave out, and the odds of a full deck."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.games.monte import SPANISH_DECK, card_on_suit, odds
from replay.results import Verdict
from tests.games.retold import claim, fold, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "monte")
TABLE = {"game": "monte", "rules": "AD-2022", "chip_unit": 50, "limits": {"min": 500, "max": 100000}}


def play(*events, **table):
    """The re-tally of a scenario: each bet's (paid, returned) or verdict, and the findings as (code, bet)."""
    money, found = settle({**TABLE, **table}, events)
    return money, [(finding.code, finding.bet) for finding in found]


def due(*events, **table):
    """The money alone, where nothing is claimed; and nothing may be found."""
    money, findings = play(*events, "round_closed", settlement_claims=False, **table)
    assert findings == []
    return money


def lay(*codes):
    """Cards at places: ``1:5O``."""
    return [{"card_dealt": {"card": code[2:], "to": f"place{code[0]}"}} for code in codes]


def draw(*codes):
    return [{"card_dealt": {"card": code, "to": "community"}} for code in codes]


def bet(name, wager, pick=None, amount=1000, seat=1):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "pick": pick, "amount": amount}}


LAYOUT = lay("1:5O", "2:RC", "3:2E", "4:SB")
CLOSED = "bets_closed"


# VI, the suits go round: oros, copes, espases, bastos


@pytest.mark.parametrize(
    ("own", "camo", "anti", "viudo"),
    [("5O", "5C", "5B", "5E"), ("5C", "5E", "5O", "5B"), ("5E", "5B", "5C", "5O"), ("5B", "5O", "5E", "5C")],
)
def test_camo_is_the_next_suit_anti_the_one_before_viudo_the_other(own, camo, anti, viudo):
    assert [card_on_suit(RULES.wagers[wager], own) for wager in ("camo", "anti", "viudo")] == [camo, anti, viudo]


def test_the_deck_has_forty_cards():
    assert len(SPANISH_DECK) == len(set(SPANISH_DECK)) == 40


# VI, the first phase


@pytest.mark.parametrize(
    ("wager", "pick", "card", "paid"),
    [("pot", 4, "SO", 3000), ("pot", 3, "SO", None), ("camo", 4, "SO", 11000), ("anti", 4, "SE", 11000),
     ("viudo", 4, "SC", 11000), ("viudo", 4, "SO", None), ("camo", 1, "SO", None),
     ("card_vs_card", "4v3", "SO", 1000), ("card_vs_card", "3v4", "SO", None), ("card_vs_card", "4v2", "SO", 1000),
     ("card_vs_card", "2v4", "SO", None), ("card_vs_card", "1v3", "SO", 0), ("card_vs_card", "3v1", "SO", 0),
     ("pair_vs_pair", "24v13", "SO", 1000), ("pair_vs_pair", "34v12", "SO", 1000),
     ("pair_vs_pair", "12v34", "SO", None),
     ("pair_vs_pair", "13v24", "SO", None)],
)  # fmt: skip
def test_what_place_four_does_to_every_wager(wager, pick, card, paid):
    expected = (0, 0) if paid is None else (paid, 1000)

    assert due(LAYOUT, bet("a", wager, pick), CLOSED, draw("7C", card)) == {"a": expected}


def test_vista_hermosa_is_decided_by_the_first_card_though_it_matches_no_place():
    stakes = [bet("v", "vista_hermosa", "7C", 500), bet("w", "vista_hermosa", "5C", 500), bet("p", "pot", 1)]
    money, findings = play(LAYOUT, stakes, CLOSED, draw("7C"), claim("w", 0, 0), claim("v", 16000, 500), draw("5C"),
                           claim("p", 3000, 1000), "round_closed")  # fmt: skip

    assert money == {"v": (16000, 500), "w": (0, 0), "p": (3000, 1000)}
    assert findings == []


@pytest.mark.parametrize("pick", ["5O", "RC", "8O", "AH", None, 5, [5]])
def test_vista_hermosa_is_on_a_card_of_the_deck_that_has_not_come_out(pick):
    assert play(LAYOUT, bet("v", "vista_hermosa", pick, 500))[1] == [("wager_not_offered", "v")]


@pytest.mark.parametrize(
    ("wager", "pick"),
    [("card_vs_card", "1v4"), ("card_vs_card", "4v1"), ("card_vs_card", "2v3"), ("card_vs_card", "1v1"),
     ("pair_vs_pair", "14v23"), ("pair_vs_pair", "23v14"), ("pair_vs_pair", "12v12"), ("pot", 5), ("pot", 0),
     ("camo", "5"), ("viudo", None), ("banca", None)],
)  # fmt: skip
def test_diagonals_and_other_inventions_are_no_wagers(wager, pick):
    assert play(LAYOUT, bet("a", wager, pick), claim("a", 0, 1000))[1] == [("wager_not_offered", "a")]


@given(st.permutations(SPANISH_DECK))
def test_opposite_bets_of_an_honest_round_mirror_each_other(deck):
    """A round dealt by the book has no findings, and of two opposite bets one wins and one loses, or both go back."""
    cards = iter(deck)
    places: dict[int, list[str]] = {}
    events: list[dict[str, dict[str, str]]] = []
    while len(places) < 4:
        card = next(cards)
        place = min(set(range(1, 5)) - set(places))
        on = next((other for other in (1, 2) if place > 2 and places[other][0][0] == card[0]), 0)
        events += lay(f"{on or place}:{card}")
        if on:
            places[on].append(card)
            if sum(1 for event in events if event["card_dealt"]["card"][0] == card[0]) == 4:
                return  # void
        elif place in (2, 4) and places[place - 1][0][0] == card[0]:
            if sum(1 for event in events if event["card_dealt"]["card"][0] == card[0]) == 4 and place == 2:
                return  # void
            del places[place - 1]
        else:
            places[place] = [card]
    picks = ["1v2", "2v1", "3v4", "4v3", "1v3", "3v1", "2v4", "4v2"]
    pairs = ["12v34", "34v12", "13v24", "24v13"]
    stakes = [bet(pick, "card_vs_card", pick) for pick in picks] + [bet(pick, "pair_vs_pair", pick) for pick in pairs]
    ranks = {own[0][0]: place for place, own in places.items()}
    rows = [{1, 2}, {3, 4}]
    draws = []
    while rows:
        card = next(cards)
        draws += draw(card)
        for row in rows:
            if ranks.get(card[0]) in row:
                rows.remove(row)
                draws += [CLOSED] if rows else []
                break
    money = due(events, stakes, CLOSED, draws)

    for pick in picks + pairs:
        backed, against = pick.split("v")
        mirrored = {money[pick][0] > 0, money[f"{against}v{backed}"][0] > 0}
        returned = {money[pick][1], money[f"{against}v{backed}"][1]}
        assert (mirrored == {True, False} and returned == {0, 1000}) or (mirrored == {False} and returned == {1000})


# VI, doubled, tripled and burnt cards


def test_a_point_comes_off_for_each_card_on_top_and_for_vista_hermosa_for_burnt_ones_too():
    burnt = lay("1:7O", "2:7B")
    below = lay("3:3O", "4:3B")
    top = lay("1:5O", "2:RC", "1:5E", "1:5B", "2:RO")
    low = lay("3:2E", "4:SB")
    stakes = [bet("v", "vista_hermosa", "4C", 500), bet("c", "camo", 4)]

    assert due(burnt, top, below, low, stakes, CLOSED, draw("4C", "SO")) == {"v": (500 * 25, 500), "c": (8000, 1000)}
    assert due(burnt, LAYOUT, stakes, CLOSED, draw("4C", "SO")) == {"v": (500 * 30, 500), "c": (11000, 1000)}


def test_the_upper_pair_may_be_burnt_again_and_again():
    pairs = lay("1:7O", "2:7B", "1:6O", "2:6B")

    assert due(pairs, LAYOUT, bet("v", "vista_hermosa", "4C", 500), CLOSED, draw("4C", "SO")) == {"v": (500 * 28, 500)}


def test_the_pot_and_the_cards_are_never_reduced():
    doubled = lay("1:5O", "2:RC", "1:5E", "3:2E", "4:SB")

    assert due(doubled, bet("p", "pot", 4), bet("c", "card_vs_card", "4v3"), CLOSED, draw("7C", "SO")) == {
        "p": (3000, 1000),
        "c": (1000, 1000),
    }


@pytest.mark.parametrize(
    "cards",
    [
        ("1:5O", "2:RC", "1:5E", "1:5B", "1:5C"),
        ("1:5O", "2:5B", "1:5C", "2:RC", "1:5E"),
        ("1:5O", "2:5B", "1:5C", "2:5E"),
    ],
)
def test_the_fourth_of_a_rank_above_voids_the_play(cards):
    void = lay(*cards)

    assert play(void, "round_closed")[1] == []
    assert play(void, bet("a", "pot", 1), claim("a", 0, 1000), "round_closed") == (
        {"a": (0, 1000)},
        [("wager_not_offered", "a")],
    )
    assert play(void, lay("3:2E"), draw("7C"), "round_closed")[1] == [("dealing_error", ""), ("dealing_error", "")]
    assert due(void, "round_closed", LAYOUT, bet("a", "pot", 4), CLOSED, draw("7C", "SO")) == {"a": (3000, 1000)}


def test_three_of_a_rank_below_are_no_matter():
    burnt = lay("1:5O", "2:RC", "3:3O", "4:3B", "3:3E", "4:SB")

    assert due(burnt, bet("a", "camo", 4), bet("c", "anti", 3), CLOSED, draw("7C", "SO")) == {
        "a": (11000, 1000),
        "c": (0, 0),
    }


def test_a_wager_on_a_suit_that_lies_burnt_or_on_top_cannot_win():
    doubled = lay("1:5O", "2:RC", "1:5E", "3:2E", "4:SB")
    burnt = lay("1:5O", "2:5B", "1:5E", "2:RC", "3:2E", "4:SB")

    assert play(doubled, bet("v", "viudo", 1), bet("c", "camo", 1))[1] == [("wager_not_offered", "v")]
    assert play(burnt, bet("c", "camo", 1), bet("v", "viudo", 1), bet("a", "anti", 1))[1] == [
        ("wager_not_offered", "c"),
        ("wager_not_offered", "v"),
    ]


def test_with_both_upper_places_tripled_only_the_anti_is_offered_below_in_either_phase():
    tripled = lay("1:5O", "2:RC", "1:5E", "1:5B", "2:RO", "2:RE", "3:2E", "4:SB")
    stakes = [bet(wager[0] + str(place), wager, place) for wager in ("camo", "anti", "viudo") for place in (3, 4)]
    refused = [("wager_not_offered", name) for name in ("c3", "c4", "v3", "v4")]

    assert play(tripled, stakes)[1] == refused
    assert play(tripled, CLOSED, draw("7C", "RB"), stakes)[1] == refused
    assert play(lay("1:5O", "2:RC", "1:5E", "1:5B", "2:RO", "3:2E", "4:SB"), stakes)[1] == []


# VI, a layout that is not right


def test_places_out_of_order_are_one_finding_and_the_bets_play():
    money, findings = play(lay("2:RC", "1:5O", "4:SB", "3:2E"), bet("a", "pot", 4), CLOSED, draw("7C", "SO"),
                           claim("a", 3000, 1000), "round_closed")  # fmt: skip

    assert money == {"a": (3000, 1000)}
    assert findings == [("dealing_error", "")]


@pytest.mark.parametrize(
    "cards",
    [("1:5O", "2:RC", "1:6E", "3:2E", "4:SB"), ("1:5O", "2:RC", "3:2E", "3:7E", "4:SB"),
     ("1:5O", "2:RC", "3:RE", "4:SB"),
     ("1:5O", "2:RC", "3:2E", "4:5B")],
)  # fmt: skip
def test_on_an_irregular_layout_all_bets_go_back(cards):
    money, findings = play(lay(*cards), bet("a", "pot", 1), bet("b", "card_vs_card", "3v4"), bet("w", "pot", 2),
                           {"bet_withdrawn": {"bet": "w"}}, CLOSED, draw("7C", "SO"), claim("a", 0, 1000),
                           claim("b", 0, 1000), "round_closed")  # fmt: skip

    assert money == {"a": (0, 1000), "b": (0, 1000), "w": "withdrawn"}
    assert findings == [("dealing_error", "")]


def test_bets_of_an_irregular_layout_may_go_back_before_the_betting_is_closed():
    assert play(
        lay("1:5O", "2:RC", "3:RE", "4:SB"), bet("a", "pot", 1), claim("a", 0, 1000), bet("b", "pot", 1), "round_closed"
    ) == ({"a": (0, 1000), "b": (0, 1000)}, [("dealing_error", ""), ("unsettled", "b")])


def test_a_card_laid_on_a_complete_layout_spoils_it():
    money, findings = play(LAYOUT, bet("a", "pot", 1), CLOSED, draw("7C"), lay("3:6O"), claim("a", 0, 1000), draw("5C"),
                           "round_closed")  # fmt: skip

    assert money == {"a": (0, 1000)}
    assert findings == [("dealing_error", "")]


def test_a_card_that_is_laid_nowhere_or_drawn_too_soon_is_an_error():
    assert play(LAYOUT[:2], draw("7C"), LAYOUT[2:])[1] == [("dealing_error", "")]
    assert play({"card_dealt": {"card": "7C", "to": "dealer"}})[1] == [("dealing_error", "")]


@pytest.mark.parametrize("card", ["AH", "KD", "XX", "5O"])
def test_a_card_twice_or_of_another_deck_is_impossible(card):
    assert play(LAYOUT, CLOSED, draw(card), "round_closed")[1] == [("impossible_card", "")]


def test_every_round_is_dealt_from_a_full_deck():
    rounds = [LAYOUT, CLOSED, draw("7C", "5C"), "round_closed"]

    assert play(rounds, rounds, {"shoe_loaded": {"decks": 1}}, rounds)[1] == []


# V, the first card after the bets


def test_a_card_at_the_door_costs_the_winners_a_tenth_rounded_as_the_table_rounds():
    stakes = [bet("p", "pot", 1, 550), bet("l", "pot", 2, 550)]

    assert due(LAYOUT, stakes, CLOSED, draw("5C")) == {"p": (1450, 550), "l": (0, 0)}  # 1,485
    assert due(LAYOUT, stakes, CLOSED, draw("5C"), rounding="up") == {"p": (1500, 550), "l": (0, 0)}
    assert due(LAYOUT, stakes, CLOSED, draw("7C", "5C")) == {"p": (1650, 550), "l": (0, 0)}


def test_a_bet_carried_over_a_door_is_paid_in_full_in_the_second_phase():
    assert due(LAYOUT, bet("c", "card_vs_card", "3v4"), CLOSED, draw("5C"), CLOSED, draw("2C")) == {"c": (1000, 1000)}


# VI, the second phase


@pytest.mark.parametrize(
    ("wager", "pick", "offered"),
    [("camo", 3, True), ("anti", 4, True), ("camo", 1, False), ("anti", 2, False), ("card_vs_card", "3v4", True),
     ("card_vs_card", "4v3", True), ("card_vs_card", "1v2", False), ("card_vs_card", "1v3", False),
     ("card_vs_card", "2v4", False), ("pair_vs_pair", "12v34", False), ("pot", 3, False),
     ("vista_hermosa", "4C", False)],
)  # fmt: skip
def test_what_is_offered_when_the_upper_row_is_decided(wager, pick, offered):
    findings = play(LAYOUT, CLOSED, draw("7C", "5C"), bet("a", wager, pick, 500))[1]

    assert findings == ([] if offered else [("wager_not_offered", "a")])


def test_suits_pay_five_in_the_second_phase_however_many_cards_are_doubled():
    doubled = lay("1:5O", "2:RC", "1:5E", "3:2E", "4:SB")
    second = [bet("c", "camo", 3), bet("v", "viudo", 3), bet("x", "camo", 4), CLOSED, draw("6C", "2B")]

    assert due(doubled, CLOSED, draw("7C", "5C"), second) == {"c": (5000, 1000), "v": (0, 0), "x": (0, 0)}


def test_a_carried_bet_is_neither_taken_back_nor_raised_nor_settled_before_the_second_phase():
    before = [LAYOUT, bet("c", "card_vs_card", "3v4"), CLOSED, draw("7C", "5C")]
    raised, taken = {"bet_raised": {"bet": "c", "by": 500}}, {"bet_withdrawn": {"bet": "c"}}

    assert play(before, taken)[1] == [("withdrawal_not_allowed", "c")]
    assert play(before, raised, CLOSED, draw("7O", "2O"), claim("c", 1000, 1500), "round_closed") == (
        {"c": (1000, 1500)},
        [("late_bet", "c")],
    )
    assert play(before, CLOSED, taken)[1] == [("late_withdrawal", "c")]
    assert play(before, claim("c", 1000, 1000), CLOSED, draw("7O", "2O"), "round_closed") == (
        {"c": (1000, 1000)},
        [("settled_too_early", "c")],
    )


def test_bets_are_late_while_cards_are_drawn_and_after_the_second_phase():
    late = bet("x", "camo", 3, 500)
    raised = [bet("r", "pot", 1), CLOSED, {"bet_raised": {"bet": "r", "by": 500}}]

    assert play(LAYOUT, CLOSED, late)[1] == [("late_bet", "x")]
    assert play(LAYOUT, raised)[1] == [("late_bet", "r")]
    assert play(LAYOUT, CLOSED, draw("7C", "5C"), CLOSED, late)[1] == [("late_bet", "x")]
    assert play(LAYOUT, CLOSED, draw("7C", "5C"), CLOSED, draw("2C"), late)[1] == [("late_bet", "x")]


def test_a_draw_before_no_more_bets_counts_and_closes_the_betting():
    money, findings = play(
        LAYOUT,
        bet("v", "vista_hermosa", "5C", 500),
        bet("p", "pot", 1),
        draw("5C"),
        bet("x", "pot", 2),
        claim("v", 16000, 500),
        claim("p", 2700, 1000),
        "round_closed",
    )

    assert money["v"] == (16000, 500)
    assert money["p"] == (2700, 1000)
    assert findings == [("dealing_error", ""), ("wager_not_offered", "x"), ("unsettled", "x")]
    assert play(LAYOUT, draw("7C"), bet("x", "pot", 2))[1] == [("dealing_error", ""), ("late_bet", "x")]


def test_a_draw_after_the_last_deciding_card_decides_nothing():
    assert play(LAYOUT, CLOSED, draw("7C", "5C"), CLOSED, draw("2C", "SC"), "round_closed")[1] == [
        ("drawing_error", "")
    ]


def test_a_bet_left_open_stays_so_over_later_rounds():
    left = [
        LAYOUT,
        bet("a", "card_vs_card", "4v3"),
        bet("b", "card_vs_card", "3v4"),
        CLOSED,
        draw("7C", "5C"),
        "round_closed",
    ]
    money, findings = play(left, LAYOUT, {"bet_withdrawn": {"bet": "a"}}, CLOSED, draw("7C", "SC"), "round_closed")

    assert money == {"a": "open", "b": "open"}
    assert findings == [("drawing_error", ""), ("late_withdrawal", "a")]


def test_a_round_may_be_closed_after_the_first_phase_when_nothing_is_left_open():
    assert due(LAYOUT, bet("a", "pot", 1), CLOSED, draw("7C", "5C")) == {"a": (3000, 1000)}


# VI, maximums


@pytest.mark.parametrize(
    ("wager", "pick", "multiple"),
    [("vista_hermosa", "4C", 10), ("camo", 3, 30), ("anti", 3, 30), ("viudo", 3, 30), ("pot", 3, 100),
     ("card_vs_card", "3v4", 200), ("pair_vs_pair", "12v34", 200)],
)  # fmt: skip
def test_maximums_of_the_first_phase(wager, pick, multiple):
    most = multiple * 500

    assert play(LAYOUT, bet("a", wager, pick, most), CLOSED)[1] == []
    assert play(LAYOUT, bet("a", wager, pick, most + 50), CLOSED)[1] == [("above_maximum", "a")]


def test_limits_hold_for_each_bet_as_it_stands_at_the_close_of_its_phase():
    raised = [bet("a", "camo", 3, 400), {"bet_raised": {"bet": "a", "by": 14600}}]

    assert play(LAYOUT, raised, bet("b", "camo", 3, 15000), CLOSED)[1] == []
    assert play(LAYOUT, raised, {"bet_raised": {"bet": "a", "by": 50}}, CLOSED)[1] == [("above_maximum", "a")]
    assert play(LAYOUT, CLOSED, draw("7C", "5C"), bet("a", "camo", 3, 30000), CLOSED)[1] == []
    assert play(LAYOUT, bet("c", "card_vs_card", "3v4", 400), CLOSED, draw("7C", "5C"), CLOSED)[1] == [
        ("below_minimum", "c")
    ]


def test_a_wagers_own_limits_go_first():
    limits = {"min": 500, "max": 100000, "pot": {"min": 100, "max": 2000}, "camo": {"min": 50}}

    assert play(LAYOUT, bet("p", "pot", 3, 100), bet("q", "pot", 3, 2050), bet("c", "camo", 3, 15000), CLOSED,
                limits=limits)[1] == [("above_maximum", "q")]  # fmt: skip


def test_a_posted_maximum_above_the_multiple_is_not_allowed():
    def setup(most):
        return audit(table={"limits": {"min": 500, "pot": {"max": most}}})[0]

    assert setup(50000) == []
    assert setup(50050) == [("setup_not_allowed", "")]


# A hole in the log


def audit(*events, table=None):
    """A log with its holes: the findings as (code, bet), and each bet's verdict."""
    return fold({**TABLE, **(table or {})}, events)


def test_after_a_hole_the_rest_of_the_round_is_not_judged():
    findings, verdicts = audit(
        LAYOUT[:3], "HOLE", bet("a", "pot", 1), CLOSED, draw("5C"), claim("a", 2700, 1000), "round_closed",
        "round_opened", LAYOUT, bet("b", "pot", 1), CLOSED, draw("5C"), claim("b", 2700, 1000), "round_closed",
    )  # fmt: skip

    assert findings == [("sequence_gap", "")]
    assert verdicts == {"a": Verdict.UNVERIFIABLE, "b": Verdict.MATCH}


def test_an_unreadable_card_leaves_the_round_unjudged():
    findings, verdicts = audit(
        LAYOUT, bet("a", "pot", 1), CLOSED, draw("??", "5C"), claim("a", 0, 0), bet("n", "pot", 1), "round_closed",
        LAYOUT, bet("b", "pot", 1), CLOSED, draw("5C"), claim("b", 2700, 1000), "round_closed",
    )  # fmt: skip

    assert findings == []
    assert verdicts == {"a": Verdict.UNVERIFIABLE, "n": Verdict.UNVERIFIABLE, "b": Verdict.MATCH}


# Exact odds


def published(layout, wager, pick):
    clean = {"vista_hermosa": "1/12", "pot": "1/40", "card_vs_card": "1/120", "pair_vs_pair": "1/60"}
    burnt = {"vista_hermosa": "3/34", "pot": "9/340", "card_vs_card": "3/340", "pair_vs_pair": "3/170"}
    doubled = {
        "vista_hermosa": "3/35", "pot": "558/1925" if pick == "1" else "-251/3850",
        "card_vs_card": {"1v2": "36/175", "2v1": "-67/350", "1v3": "186/1925", "3v1": "-317/3850"}.get(pick, "3/350"),
        "pair_vs_pair": "81/770" if pick in ("12v34", "13v24") else "-142/1925",
    }  # fmt: skip
    table, suits = {
        "clean": (clean, "11/360"),
        "place 1 doubled": (doubled, "1/35"),
        "one burnt pair": (burnt, "11/340"),
    }[layout]
    return Fraction(table.get(wager, suits))


def test_the_edges_are_the_published_ones():
    figures = list(odds(RULES))

    assert {row.options["layout"] for row in figures} == {"clean", "place 1 doubled", "one burnt pair"}
    assert {row.wager for row in figures} == set(RULES.wagers)
    for row in figures:
        if row.options["phase"] == "1":
            assert row.edge == published(row.options["layout"], row.wager, row.pick)
        else:
            assert row.options["layout"] == "clean"
            assert row.edge == Fraction(1, 110 if row.wager == "card_vs_card" else 66)
