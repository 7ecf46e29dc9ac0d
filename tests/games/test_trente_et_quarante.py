"""Trente et quarante, AD-2025 game 5, passage by passage: what the scenarios leave out, and the odds of a shoe."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.games.trente_et_quarante import TrenteEtQuaranteLaw, card_value, equal_rows, odds, winning_chances
from replay.results import Verdict
from tests.games.retold import claim, fold, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2025", "trente_et_quarante")
TABLE = {"game": "trente_et_quarante", "rules": "AD-2025", "chip_unit": 100, "limits": {"min": 500, "max": 100000}}
BY_VALUE = {card_value(card): card for card in FRENCH_DECK if card[1] == "D"}


def play(*events, **table):
    """The re-tally of a scenario: each bet's (paid, returned) or verdict, and the findings as (code, bet)."""
    money, found = settle({**TABLE, **table}, events)
    return money, [(finding.code, finding.bet) for finding in found]


def bet(name, wager, amount=1000, seat=1, player=None):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, "player": player}}


def decide(name, choice, seat=1):
    return {"decision": {"seat": seat, "bet": name, "choice": choice}}


def cards(row, *codes):
    return [{"card_dealt": {"card": code, "to": row}} for code in codes]


def row_of(row, total, first="KS"):
    """A complete row: ``first`` counts ten, then red cards up to ``total``, 31 to 40."""
    last = BY_VALUE[total - 30]
    return cards(row, first, "QD", "JH", last)


def coup(black, red, first="KS"):
    return row_of("black", black, first) + row_of("red", red, "KH")


REFAIT = ["bets_closed", *coup(31, 31)]
NULL = ["bets_closed", *coup(35, 35)]
BLACK = ["bets_closed", *coup(32, 33)]
RED = ["bets_closed", *coup(39, 38)]


# V.1, the four chances


@pytest.mark.parametrize("first", ["KS", "KH", "KC", "KD"])
@pytest.mark.parametrize(("black", "red"), [(31, 32), (32, 31), (31, 40), (40, 39), (33, 33), (40, 40)])
def test_the_lower_row_wins_and_color_is_the_first_cards(black, red, first):
    chances = ("black", "red", "color", "inverse")
    money, _ = play([bet(chance, chance) for chance in chances], "bets_closed", coup(black, red, first), "round_closed")
    if black == red:
        winners = None
    else:
        row = "black" if black < red else "red"
        winners = {row, "color" if ("black" if first[1] in "SC" else "red") == row else "inverse"}

    assert money == {
        chance: (0, 1000) if winners is None else (1000, 1000) if chance in winners else (0, 0) for chance in chances
    }


@given(st.integers(31, 40), st.integers(31, 40), st.booleans())
def test_exactly_one_of_each_pair_of_chances_wins_unless_the_rows_are_equal(black, red, first_card_black):
    chances = winning_chances(black, red, first_card_black)

    assert (chances is None) == (black == red)
    assert chances is None or (chances[0] in ("black", "red") and chances[1] in ("color", "inverse"))


def test_an_ace_counts_one_and_a_figure_ten():
    assert [card_value(rank + "S") for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_the_list_of_chances_is_closed():
    money, findings = play(bet("i", "insurance", 100), claim("i", 0, 100), BLACK, "round_closed")

    assert money == {"i": (0, 100)}
    assert findings == [("wager_not_offered", "i")]


# V.1, the refait


def test_the_choice_may_change_from_prison_to_partage_until_the_round_closes():
    stakes = [bet("b", "black"), REFAIT, decide("b", "prison"), decide("b", "partage")]

    assert play(stakes, claim("b", 0, 500), "round_closed") == ({"b": (0, 500)}, [])
    assert play(stakes, "round_closed") == ({"b": (0, 500)}, [("unsettled", "b")])
    assert play(stakes[:3], "round_closed", decide("b", "partage"))[1] == [("illegal_decision", "b")]


@pytest.mark.parametrize("choice", ["stand", "hit", "half"])
def test_there_are_only_partage_and_prison(choice):
    assert play(bet("b", "black"), REFAIT, decide("b", choice), "round_closed") == (
        {"b": "open"},
        [("illegal_decision", "b")],
    )


def test_no_choice_without_a_refait_nor_for_a_decided_bet():
    assert play(bet("b", "black"), decide("b", "prison"))[1] == [("illegal_decision", "b")]
    assert play(bet("b", "black"), NULL, decide("b", "partage"), claim("b", 0, 1000), "round_closed")[1] == [
        ("illegal_decision", "b")
    ]
    assert play(bet("b", "black"), REFAIT, decide("b", "partage"), decide("b", "prison"), claim("b", 0, 500))[1] == [
        ("illegal_decision", "b")
    ]
    assert play(bet("b", "black"), REFAIT, decide("x", "partage"), "round_closed")[1] == [("illegal_decision", "x")]


def test_half_a_stake_is_rounded_to_chips_and_the_prison_value_stays_exact():
    def due(*events, **table):
        return play(bet("b", "black", 1500), *events, "round_closed", **table)[0]["b"]

    assert due(REFAIT, decide("b", "partage")) == (0, 700)
    assert due(REFAIT, decide("b", "partage"), rounding="up") == (0, 800)
    assert due(REFAIT, "round_closed", REFAIT, "round_closed", BLACK) == (0, 700)
    assert due([REFAIT, "round_closed"] * 3, BLACK) == (0, 300)  # 375
    assert due([REFAIT, "round_closed"] * 2, REFAIT, decide("b", "partage")) == (0, 100)  # 187.50


def test_a_whole_stake_freed_from_prison_comes_back_as_it_was_laid():
    assert play(bet("b", "black", 1250), REFAIT, "round_closed", BLACK, "round_closed")[0] == {"b": (0, 1250)}


@pytest.mark.parametrize("after", [NULL, ["bets_closed", *row_of("black", 31), "cut_card"]])
def test_a_null_or_void_coup_leaves_a_stake_in_prison(after):
    before = [bet("b", "black"), REFAIT, "round_closed", after, "round_closed"]

    assert play(before) == ({"b": "open"}, [])
    assert play(before, {"shoe_loaded": {"decks": 6}}, RED, claim("b", 0, 0), "round_closed") == ({"b": (0, 0)}, [])


def test_a_stake_in_prison_is_neither_raised_nor_taken_back():
    before = [bet("b", "black"), REFAIT]
    raised, taken = {"bet_raised": {"bet": "b", "by": 500}}, {"bet_withdrawn": {"bet": "b"}}

    assert play(before, raised, taken, "round_closed") == (
        {"b": "open"},
        [("late_bet", "b"), ("withdrawal_not_allowed", "b")],
    )
    assert play(before, "round_closed", "round_opened", raised, taken, BLACK, claim("b", 0, 1500), "round_closed") == (
        {"b": (0, 1500)},
        [("late_bet", "b"), ("withdrawal_not_allowed", "b")],
    )


def test_half_handed_back_unasked_is_partage_and_anything_else_is_too_early():
    before = [bet("b", "black"), REFAIT]
    early = ("settled_too_early", "b")

    assert play(before, claim("b", 0, 500), "round_closed") == ({"b": (0, 500)}, [])
    assert play(before, claim("b", 0, 600), "round_closed") == ({"b": "open"}, [early])
    assert play(before, decide("b", "prison"), claim("b", 0, 500), "round_closed") == ({"b": "open"}, [early])
    assert play(before, "round_closed", claim("b", 0, 500)) == ({"b": "open"}, [early])
    assert play(before, "round_closed", NULL, claim("b", 0, 500), "round_closed") == ({"b": "open"}, [early])


def test_an_early_claim_on_a_stake_in_prison_stands_until_it_is_decided():
    assert play(bet("b", "black"), REFAIT, claim("b", 0, 1000), "round_closed", BLACK, "round_closed") == (
        {"b": (0, 1000)},
        [("settled_too_early", "b")],
    )


# V.1, the last coups


def test_a_stake_in_prison_is_decided_by_the_last_coup_at_its_partage_value():
    last = {"table_closing": {"last": 1}}
    in_prison = [bet("b", "black"), REFAIT, "round_closed", last]

    assert play(in_prison, NULL, claim("b", 0, 500), "round_closed") == ({"b": (0, 500)}, [])
    assert play(in_prison, BLACK, claim("b", 0, 1000), "round_closed") == ({"b": (0, 1000)}, [])
    assert play(in_prison, RED, claim("b", 0, 0), "round_closed") == ({"b": (0, 0)}, [])
    assert play(in_prison, REFAIT, claim("b", 0, 200), "round_closed") == ({"b": (0, 200)}, [])  # a quarter, 250


def test_null_coups_count_among_the_last_and_void_ones_do_not():
    before = [bet("b", "black"), REFAIT, "round_closed", {"table_closing": {"last": 2}}]
    void = ["bets_closed", *row_of("black", 31), "cut_card", "round_closed", {"shoe_loaded": {}}]

    assert play(before, NULL, "round_closed") == ({"b": "open"}, [])
    assert play(before, void, NULL, "round_closed") == ({"b": "open"}, [])
    assert play(before, void, NULL, "round_closed", NULL, claim("b", 0, 500), "round_closed") == ({"b": (0, 500)}, [])


def test_a_coup_after_the_last_one_is_an_ordinary_coup():
    assert play({"table_closing": {"last": 1}}, NULL, "round_closed", bet("b", "black"), REFAIT, "round_closed") == (
        {"b": "open"},
        [],
    )


# V.2, minimum and maximum


def test_the_maximum_is_one_players_on_one_chance():
    stakes = [bet("a", "black", 60000, 1, "p"), bet("b", "black", 50000, 2, "p"), bet("c", "black", 60000, 1, "q"),
              bet("d", "red", 60000, 1, "p")]  # fmt: skip

    assert play(stakes)[1] == [("above_maximum", "b")]


def test_without_a_posted_maximum_a_thousand_times_the_minimum_binds():
    stakes = [bet("a", "black", 500000), bet("b", "red", 500001)]

    assert play(stakes, limits={"min": 500})[1] == [("above_maximum", "b")]


def test_limits_hold_for_raises_and_are_said_once_a_bet():
    events = [bet("a", "black", 300), *[{"bet_raised": {"bet": "a", "by": by}} for by in (100, 99700, 100)]]

    assert play(events)[1] == [("below_minimum", "a"), ("above_maximum", "a")]


def test_stakes_in_prison_do_not_count_towards_the_maximum():
    assert play(bet("a", "black", 100000), REFAIT, "round_closed", bet("b", "black", 100000))[1] == []


@pytest.mark.parametrize(("most", "allowed"), [(49900, False), (50000, True), (500000, True), (500100, False)])
def test_a_posted_maximum_is_a_hundred_to_a_thousand_times_the_minimum(most, allowed):
    findings = audit(table={"limits": {"min": 500, "max": most}})[0]

    assert findings == ([] if allowed else [("setup_not_allowed", "")])


# V.3, the deal


def test_the_first_row_card_closes_the_betting():
    money, findings = play(
        bet("a", "black"), bet("r", "red"), coup(32, 33)[:1], bet("b", "black"),
        {"bet_raised": {"bet": "a", "by": 500}}, {"bet_withdrawn": {"bet": "r"}}, coup(32, 33)[1:],
        claim("r", 0, 0), claim("b", 0, 1000), claim("a", 1000, 1500), "round_closed",
    )  # fmt: skip

    assert money == {"a": (1000, 1500), "r": (0, 0), "b": (0, 1000)}
    assert findings == [("late_bet", "b"), ("late_bet", "a"), ("late_withdrawal", "r")]


def test_a_burnt_card_counts_for_nothing_and_closes_nothing():
    assert play(
        bet("a", "black"), cards("burn", "9S"), bet("b", "red"), "bets_closed", row_of("black", 31),
        cards("burn", "9S"), row_of("red", 32, "KH"), claim("b", 0, 0), claim("a", 1000, 1000), "round_closed",
    ) == ({"a": (1000, 1000), "b": (0, 0)}, [])  # fmt: skip


@pytest.mark.parametrize("to", [{"to": "dealer"}, {"to": "community"}, {"seat": 1}, {}])
def test_a_card_to_neither_row_is_an_error_and_counts_for_nothing(to):
    money, findings = play(bet("a", "red"), "bets_closed", {"card_dealt": {"card": "5S", **to}}, coup(35, 34),
                           claim("a", 1000, 1000), "round_closed")  # fmt: skip

    assert money == {"a": (1000, 1000)}
    assert findings == [("dealing_error", "")]


def test_the_first_card_is_blacks_wherever_it_lies():
    money, findings = play(
        bet("c", "color"), "bets_closed", cards("red", "KS"), cards("black", "QD", "JH", "AD"), row_of("red", 40, "KH"),
        claim("c", 1000, 1000), "round_closed",
    )  # fmt: skip

    assert money == {"c": (1000, 1000)}
    assert findings == [("dealing_error", "")]


def test_a_surplus_red_card_counts_for_nothing():
    money, findings = play(bet("r", "red"), BLACK, cards("red", "AS"), cards("black", "AS"), claim("r", 0, 0),
                           "round_closed")  # fmt: skip

    assert money == {"r": (0, 0)}
    assert findings == [("dealing_error", ""), ("dealing_error", "")]


def test_a_coup_closed_with_an_incomplete_row_is_void():
    before = [bet("b", "black"), bet("c", "color"), REFAIT, decide("c", "partage"), claim("c", 0, 500), "round_closed"]
    money, findings = play(
        before, bet("r", "red"), "bets_closed", row_of("black", 31), cards("red", "KH"), "round_closed"
    )

    assert money == {"b": "open", "c": (0, 500), "r": (0, 1000)}
    assert findings == [("dealing_error", ""), ("unsettled", "r")]


def test_a_round_closed_without_a_card_leaves_the_stakes_for_the_next_coup():
    assert play(bet("b", "black"), "bets_closed", "round_closed") == ({"b": "open"}, [])
    assert play(bet("b", "black"), "round_closed", BLACK, claim("b", 1000, 1000), "round_closed") == (
        {"b": (1000, 1000)},
        [],
    )


def test_cards_after_the_separator_are_errors_until_a_shoe_is_loaded():
    void = [bet("b", "black"), "bets_closed", row_of("black", 31), "cut_card"]

    assert play(void, cards("red", "KH", "KD"), claim("b", 0, 1000), "round_closed") == (
        {"b": (0, 1000)},
        [("dealing_error", ""), ("dealing_error", "")],
    )
    assert play(BLACK, "cut_card", "round_closed", bet("b", "black"), cards("black", "KH"))[1] == [
        ("dealing_error", "")
    ]
    assert play(BLACK, "cut_card", "round_closed", {"shoe_loaded": {"decks": 6}}, bet("b", "black"), BLACK,
                claim("b", 1000, 1000), "round_closed") == ({"b": (1000, 1000)}, [])  # fmt: skip


def test_the_separator_before_the_first_card_voids_the_coup():
    assert play(bet("b", "black"), "cut_card", bet("late", "red"), claim("b", 0, 1000), claim("late", 0, 1000),
                "round_closed") == ({"b": (0, 1000), "late": (0, 1000)}, [("late_bet", "late")])  # fmt: skip


def test_the_shoe_counts_copies_over_rounds_and_starts_anew_when_loaded():
    tens = [
        "bets_closed",
        *cards("black", "KS", "KS", "KS", "AS"),
        *cards("red", "KH", "QH", "JH", "2S"),
        "round_closed",
    ]

    assert play(tens, tens)[1] == []
    assert play(tens, tens, cards("burn", "KS"))[1] == [("impossible_card", "")]
    assert play(tens, tens, {"shoe_loaded": {"decks": 6}}, tens)[1] == []


def test_an_unreadable_card_leaves_the_coup_unjudged():
    findings, verdicts = audit(
        bet("b", "black"), "bets_closed", *cards("black", "KS", "??", "9S", "TS"),
        *cards("red", "KH", "KD", "KS", "2H"), claim("b", 0, 0),
        "round_closed", bet("r", "red"), *RED, claim("r", 1000, 1000),
        "round_closed",
    )  # fmt: skip

    assert findings == []
    assert verdicts == {"b": Verdict.UNVERIFIABLE, "r": Verdict.MATCH}


# V.3, the order of payment


def test_freed_stakes_and_pushes_are_no_winners_but_a_loser_in_prison_is_a_loser():
    before = [bet("b", "black"), bet("r", "red"), REFAIT, "round_closed", bet("c", "color")]

    assert play(before, BLACK, claim("b", 0, 1000), claim("c", 1000, 1000), claim("r", 0, 0), "round_closed")[1] == [
        ("dealer_misplay", "c")
    ]
    assert play(before, BLACK, claim("b", 0, 1000), claim("r", 0, 0), claim("c", 1000, 1000), "round_closed")[1] == []


def test_an_early_claim_on_a_loser_is_a_claim():
    assert play(bet("b", "black"), bet("r", "red"), "bets_closed", claim("r", 0, 0), coup(32, 33),
                claim("b", 1000, 1000), "round_closed")[1] == [("settled_too_early", "r")]  # fmt: skip


def test_out_of_turn_is_said_once_a_bet():
    assert play(bet("b", "black"), bet("r", "red"), BLACK, claim("b", 1000, 1000), claim("b", 1000, 1000),
                claim("r", 0, 0), "round_closed")[1] == [("dealer_misplay", "b"), ("settled_twice", "b")]  # fmt: skip


# A hole in the log


def audit(*events, table=None):
    """A log with its holes: the findings as (code, bet), and each bet's verdict."""
    return fold({**TABLE, **(table or {})}, events)


def test_after_a_hole_nothing_is_said_that_the_missing_events_could_explain():
    findings, verdicts = audit(
        bet("b", "black"), *REFAIT, "HOLE", "round_closed", "round_opened",
        {"bet_withdrawn": {"bet": "b"}}, bet("r", "red", seat=2), *REFAIT, decide("b", "partage"), claim("b", 0, 200),
        decide("unseen", "partage"), decide("r", "prison", seat=2), claim("r", 0, 500), claim("unseen", 0, 700),
        "round_closed",
    )  # fmt: skip

    assert findings == [("sequence_gap", "")]
    assert verdicts == {"b": Verdict.UNVERIFIABLE, "r": Verdict.MATCH}


# Exact odds


def test_the_edges_are_the_published_ones():
    figures = {(row.wager, row.options["refait"]): row for row in odds(RULES)}

    assert set(figures) == {(wager, choice) for wager in RULES.wagers for choice in ("partage", "prison")}
    for (_, choice), row in figures.items():
        assert round(row.edge, 6) == Fraction("0.010946" if choice == "partage" else "0.011079")
        if choice == "partage":
            assert round(row.variance, 6) == Fraction("0.895754")


def test_equal_rows_come_as_often_as_published():
    equal = RULES.law_as(TrenteEtQuaranteLaw).equal_rows

    assert round(equal.refait, 6) == Fraction("0.021891")
    assert round(equal.null, 6) == Fraction("0.087708")


def deal_all(copies, ends):
    """Every order in which two rows can come out of a small shoe: their totals -> probability."""
    left = list(copies)
    found: dict[tuple[int, int], Fraction] = {}

    def deal(total, chance, finished):
        if total >= ends:
            finished(total, chance)
            return
        cards_left = sum(left)
        for index, count in enumerate(left):
            if count:
                left[index] -= 1
                deal(total + index + 1, chance * Fraction(count, cards_left), finished)
                left[index] += 1

    def then_red(black, chance):
        def add(red, joint):
            found[black, red] = found.get((black, red), Fraction(0)) + joint

        deal(0, chance, add)

    deal(0, Fraction(1), then_red)
    return found


@pytest.mark.parametrize(("copies", "ends"), [((3, 3, 4, 5, 6), 6), ((2, 4, 3, 8), 5), ((4, 4, 2, 2, 4), 7)])
def test_equal_rows_are_counted_right_where_all_deals_can_be_tried(copies, ends):
    deals = deal_all(copies, ends)
    refait = deals[ends, ends]
    null = sum(chance for (black, red), chance in deals.items() if black == red > ends)

    assert equal_rows(copies, ends) == (refait, null)
    assert all(chance == deals[red, black] for (black, red), chance in deals.items())


@pytest.mark.slow
def test_the_packs_figures_are_those_of_six_decks():
    equal = RULES.law_as(TrenteEtQuaranteLaw).equal_rows

    assert equal_rows([24] * 9 + [96]) == (equal.refait, equal.null)
