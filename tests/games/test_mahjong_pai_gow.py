"""Mahjong Pai Gow, AD-2022 game 17, passage by passage: what the scenarios leave out, and the odds of forty tiles."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.games.mahjong_pai_gow import TILES, WHITE_DRAGON, odds, ruling, strength
from replay.results import Verdict
from tests.games.retold import claim, fold, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "mahjong_pai_gow")
TABLE = {"game": "mahjong_pai_gow", "rules": "AD-2022", "chip_unit": 50, "limits": {"min": 500, "max": 50000}}


def play(*events, **table):
    """The re-tally of a scenario: each bet's (paid, returned) or verdict, and the findings as (code, bet or seat)."""
    money, found = settle({**TABLE, **table}, events)
    return money, [(finding.code, finding.bet or finding.seat) for finding in found]


def bet(name, wager="win", amount=1000, seat=1):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount}}


def throw(*dice, void=None):
    return {"dice_rolled": {"dice": list(dice), "void": void}}


def deal(position, *tiles):
    """Tiles for the bank (0) or a player position."""
    to = {"seat": position} if position else {"to": "dealer"}
    return [{"tile_dealt": {"tile": tile, **to}} for tile in tiles]


CALL = ["bets_closed", throw(1, 2, 2)]  # five: the bank is first
REST = [deal(2, 1, 2), deal(3, 3, 4)]
WON = [CALL, deal(0, 9, 8), deal(1, 7, 2), REST]  # nine points over seven
ROUND = ["round_opened", CALL, deal(0, 9, 8), deal(1, 7, 2), REST, "round_closed"]
FORTY = [tile for tile in (*range(1, 10), "W") for _ in range(4)]


def rounds(number):
    """So many rounds of one set of forty tiles, without bets."""
    eights = [FORTY[8 * index : 8 * index + 8] for index in range(number)]
    return [
        ["round_opened", CALL, [deal(position, *eight[2 * position : 2 * position + 2]) for position in range(4)],
         "round_closed"]
        for eight in eights
    ]  # fmt: skip


# IV, the hierarchy of hands


def ranked():
    """All hands, best first, written down as the passage has them."""
    pairs = [(tile, tile) for tile in reversed(TILES)]
    points = [
        hand
        for total in range(9, -1, -1)
        for hand in sorted(combinations(TILES, 2), key=lambda hand: -hand[1])
        if (hand[0] % 10 + hand[1] % 10) % 10 == total and hand != (2, 8)
    ]
    return [*pairs, (2, 8), *points]


def test_hands_rank_as_pairs_then_two_eight_then_points_then_the_higher_tile():
    hands = ranked()

    assert len(hands) == 55
    assert hands[11:16] == [(9, WHITE_DRAGON), (1, 8), (2, 7), (3, 6), (4, 5)]
    assert hands[-3:] == [(1, 9), (3, 7), (4, 6)]
    assert sorted(combinations_with_replacement(TILES, 2), key=lambda hand: strength(*hand), reverse=True) == hands


@given(st.sampled_from(TILES), st.sampled_from(TILES), st.sampled_from(TILES), st.sampled_from(TILES))
def test_hands_tie_only_when_both_tiles_are_the_same(a, b, c, d):
    assert (strength(a, b) == strength(c, d)) == (sorted((a, b)) == sorted((c, d)))
    assert strength(a, b) == strength(b, a)


@pytest.mark.parametrize(
    ("hand", "bank", "win", "lose", "tie", "pair"),
    [((7, 2), (9, 8), "19/20", None, None, None), ((9, 8), (7, 2), None, "19/20", None, None),
     ((9, 6), (6, 9), "0/1", "0/1", "60/1", None), ((4, 4), (4, 4), "0/1", "0/1", "60/1", "6/1"),
     ((1, 1), (9, 9), None, "19/20", None, "6/1"), ((2, 8), (10, 9), "19/20", None, None, None),
     ((10, 10), (2, 8), "19/20", None, None, "6/1")],
)  # fmt: skip
def test_what_two_hands_make_of_every_wager(hand, bank, win, lose, tie, pair):
    for wager, price in {"win": win, "lose": lose, "tie": tie, "pair": pair}.items():
        ruled = ruling(RULES.wagers[wager], hand, bank)

        assert (None if ruled is None else str(ruled)) == price


def test_several_bets_on_one_position_are_settled_bet_by_bet():
    assert play(bet("a", amount=1250), bet("b", "lose", 500), bet("c", "pair", 500), WON, claim("b", 0, 0),
                claim("c", 0, 0), claim("a", 1150, 1250), "round_closed") == (
        {"a": (1150, 1250), "b": (0, 0), "c": (0, 0)}, [])  # fmt: skip


@pytest.mark.parametrize(("rounding", "paid"), [("down", 1150), ("nearest", 1200), ("up", 1200)])
def test_the_commission_is_rounded_as_the_table_rounds(rounding, paid):
    money, _ = play(bet("a", amount=1250), WON, "round_closed", rounding=rounding)  # 1,187.50

    assert money == {"a": (paid, 1250)}


# IV, tie and pair in the first three rounds of a set


@pytest.mark.parametrize("wager", ["tie", "pair"])
@pytest.mark.parametrize(("played", "offered"), [(0, True), (2, True), (3, False), (4, False)])
def test_tie_and_pair_are_offered_in_three_rounds_of_a_set(wager, played, offered):
    findings = play(rounds(played), bet("t", wager, seat=2))[1]

    assert findings == ([] if offered else [("wager_not_offered", "t")])


def test_a_shuffle_begins_a_new_set():
    assert play(rounds(3), {"shoe_loaded": {"decks": 1}}, bet("t", "tie"))[1] == []


def test_a_round_counts_once_a_tile_has_been_dealt():
    empty = ["round_opened", "bets_closed", throw(1, 2, 2), "round_closed"]

    assert play(rounds(2), empty, empty, bet("t", "tie"))[1] == []


def test_no_offer_is_no_late_bet_besides():
    assert play(rounds(3), CALL, bet("t", "tie"))[1] == [("wager_not_offered", "t")]
    assert play(CALL, bet("t", seat=4))[1] == [("wager_not_offered", "t")]
    assert play(CALL, deal(0, 1), bet("t", "black"))[1] == [("wager_not_offered", "t")]
    assert play(rounds(2), CALL, deal(0, 9), bet("t", "tie"))[1] == [("late_bet", "t")]


@pytest.mark.parametrize("seat", [0, 4, 9])
def test_bets_belong_to_positions_one_to_three(seat):
    assert play(bet("a", seat=seat), claim("a", 0, 1000))[1] == [("wager_not_offered", "a")]


def test_a_sixth_round_without_a_shuffle_is_found_at_its_first_tile_and_begins_a_fresh_set():
    sixth = [bet("t", "tie"), bet("p", "pair"), CALL]
    seventh = [deal(0, 9, 8), deal(1, 7, 2), REST, "round_closed", "round_opened", bet("u", "tie")]
    dealt_to = {"t": (0, 0), "p": (0, 0)}
    unsettled = [("unsettled", "t"), ("unsettled", "p")]

    assert play(rounds(5), sixth)[1] == []
    assert play(rounds(5), sixth, seventh) == ({**dealt_to, "u": "open"}, [("dealing_error", None), *unsettled])
    assert play(rounds(5), {"shoe_loaded": {"decks": 1}}, sixth, seventh)[1] == unsettled


# VIII, stakes


def test_the_first_tile_closes_the_betting():
    money, findings = play(
        bet("a"), throw(1, 2, 2), deal(0, 9), bet("b"), {"bet_raised": {"bet": "a", "by": 500}},
        {"bet_withdrawn": {"bet": "a"}}, deal(0, 8), deal(1, 7, 2), REST, claim("b", 0, 1000), claim("a", 950, 1500),
        "round_closed",
    )  # fmt: skip

    assert money == {"a": (950, 1500), "b": (0, 1000)}
    assert findings == [("dealing_error", None), ("late_bet", "b"), ("late_bet", "a"), ("late_withdrawal", "a")]


def test_a_throw_alone_does_not_close_the_betting():
    assert play(throw(1, 2, 2), bet("a"), "bets_closed")[1] == []


def test_limits_hold_for_each_bet_as_it_lies_when_the_bets_close():
    raised = [bet("a", amount=400), {"bet_raised": {"bet": "a", "by": 100}}]

    assert play(raised, bet("b", amount=50000), bet("c", amount=50000), "bets_closed")[1] == []
    assert play(raised, {"bet_withdrawn": {"bet": "a", "amount": 200}}, "bets_closed")[1] == [("below_minimum", "a")]
    assert play(bet("a", amount=50050), CALL[1], deal(0, 1))[1] == [("dealing_error", None), ("above_maximum", "a")]
    assert play(bet("a", amount=50050), "bets_closed", CALL)[1] == [("above_maximum", "a")]


def test_stakes_are_multiples_of_the_tables_minimum_where_the_house_says_so():
    events = [bet("a", amount=1250), bet("b", amount=1500), "bets_closed"]

    assert play(events, options={"multiples_of_min": True})[1] == [("stake_mismatch", "a")]
    assert play(events)[1] == []


@pytest.mark.parametrize(("most", "allowed"), [(9950, False), (10000, True), (50000, True), (50050, False)])
def test_the_maximum_is_twenty_to_a_hundred_times_the_minimum(most, allowed):
    findings = audit(table={"limits": {"min": 500, "max": most}})[0]

    assert findings == ([] if allowed else [("setup_not_allowed", "")])


# IV, the dice and the order of the deal


@pytest.mark.parametrize("total", range(3, 19))
def test_the_sum_of_the_dice_names_the_first_position(total):
    dice = next((a, b, total - a - b) for a in range(1, 7) for b in range(1, 7) if 1 <= total - a - b <= 6)
    first = {5: 0, 9: 0, 13: 0, 17: 0, 6: 1, 10: 1, 14: 1, 18: 1, 3: 2, 7: 2, 11: 2, 15: 2, 4: 3, 8: 3, 12: 3, 16: 3}[
        total
    ]
    order = [(first + turn) % 4 for turn in range(4)]
    tiles = {0: (9, 8), 1: (7, 2), 2: (1, 2), 3: (3, 4)}

    for start in range(4):
        dealt = [deal(position, *tiles[position]) for position in order[start:] + order[:start]]
        findings = play("bets_closed", throw(*dice), dealt, "round_closed")[1]

        assert findings == ([] if start == 0 else [("dealing_error", None)])


def test_tiles_may_be_dealt_two_at_once_or_one_at_a_time():
    one_by_one = [deal(0, 9), deal(1, 7), deal(2, 1), deal(3, 3), deal(0, 8), deal(1, 2), deal(2, 2), deal(3, 4)]

    assert play(CALL, one_by_one, "round_closed")[1] == []
    assert play(CALL, deal(0, 9), deal(2, 1), deal(1, 7), deal(3, 3), one_by_one[4:], "round_closed")[1] == [
        ("dealing_error", None)
    ]


def test_dealing_without_a_throw_or_before_the_call_is_an_error_each():
    tiles = [deal(2, 1, 2), deal(3, 3, 4), deal(0, 9, 8), deal(1, 7, 2)]

    assert play("bets_closed", tiles, "round_closed")[1] == [("dealing_error", None)]
    assert play(throw(1, 2, 2), WON[1:], "round_closed")[1] == [("dealing_error", None)]
    assert play("round_opened", tiles, "round_closed")[1] == [("dealing_error", None), ("dealing_error", None)]


@pytest.mark.parametrize("void", [throw(1, 2, 2, void="off the table"), throw(1, 2), throw(1, 2, 0)])
def test_a_void_throw_counts_for_nothing_and_is_thrown_again(void):
    tiles = [deal(2, 1, 2), deal(3, 3, 4), deal(0, 9, 8), deal(1, 7, 2)]

    assert play("bets_closed", void, throw(1, 1, 1), tiles, "round_closed")[1] == []
    assert play("bets_closed", throw(1, 1, 1), void, WON[1:], "round_closed")[1] == [("bad_throw_counted", None)]


def test_other_dice_may_be_taken_at_any_time():
    assert (
        play(bet("a"), "bets_closed", "dice_changed", WON[0][1], WON[1:], "dice_changed", claim("a", 950, 1000))[1]
        == []
    )


def test_a_wrong_order_changes_no_settlement():
    money, findings = play(bet("a"), CALL, deal(1, 7, 2), deal(0, 9, 8), REST, claim("a", 950, 1000), "round_closed")

    assert money == {"a": (950, 1000)}
    assert findings == [("dealing_error", None)]


# IV, misdeals


def test_a_third_tile_to_the_bank_returns_all_bets_and_was_not_to_be_paid_before():
    stakes = [bet("a"), bet("p", "pair", seat=2), bet("c", seat=3)]
    money, findings = play(
        stakes, WON, claim("a", 950, 1000), claim("p", 0, 0), deal(0, 1), claim("c", 0, 1000), "round_closed"
    )

    assert money == {"a": (0, 1000), "p": (0, 1000), "c": (0, 1000)}
    assert sorted(findings, key=str) == sorted(
        [("settled_too_early", "a"), ("settled_too_early", "p"), ("dealing_error", None), ("overpaid", "a"),
         ("underpaid", "p")], key=str)  # fmt: skip


def test_a_third_tile_to_a_position_returns_its_bets_alone():
    stakes = [bet("a"), bet("b", "pair", seat=2), bet("c", "lose", seat=3)]
    money, findings = play(stakes, WON, deal(1, 5, 5), claim("a", 0, 1000), claim("b", 0, 0), claim("c", 950, 1000),
                           "round_closed")  # fmt: skip

    assert money == {"a": (0, 1000), "b": (0, 0), "c": (950, 1000)}
    assert findings == [("dealing_error", 1)]


def test_a_position_short_of_tiles_at_the_close_is_misdealt():
    money, findings = play(bet("a"), bet("b", seat=2), CALL, deal(0, 9, 8), deal(1, 7), deal(2, 1, 2), deal(3, 3, 4),
                           claim("a", 0, 1000), claim("b", 0, 0), "round_closed")  # fmt: skip

    assert money == {"a": (0, 1000), "b": (0, 0)}
    assert findings == [("dealing_error", 1)]


def test_a_bank_short_of_tiles_returns_all_bets():
    money, findings = play(bet("a"), bet("p", "pair", seat=2), CALL, deal(0, 9), deal(1, 7, 2), deal(2, 1, 1),
                           deal(3, 3, 4), claim("a", 0, 1000), "round_closed")  # fmt: skip

    assert money == {"a": (0, 1000), "p": (0, 1000)}
    assert findings == [("dealing_error", None), ("unsettled", "p")]


def test_a_round_closed_before_the_deal_returns_the_bets():
    assert play(bet("a"), "bets_closed", claim("a", 0, 1000), "round_closed") == (
        {"a": (0, 1000)},
        [("dealing_error", None)],
    )
    assert play("round_opened", "bets_closed", "round_closed") == ({}, [])


# V, when a bet is decided


def test_a_claim_is_early_when_another_tile_comes_to_its_position_or_the_bank():
    before = [bet("a"), CALL, deal(0, 9), deal(1, 7, 2), claim("a", 950, 1000)]

    assert play(before, deal(0, 8), REST, "round_closed")[1] == [("settled_too_early", "a")]
    assert play(before, deal(2, 1, 2), deal(3, 3, 4), deal(0, 8), "round_closed")[1] == [("settled_too_early", "a")]
    assert play(bet("a"), CALL, deal(0, 9, 8), deal(1, 7, 2), claim("a", 950, 1000), REST, "round_closed")[1] == []


def test_a_second_claim_is_only_reported():
    assert play(bet("a"), CALL, claim("a", 950, 1000), claim("a", 950, 1000), WON[1:], "round_closed") == (
        {"a": (950, 1000)},
        [("settled_twice", "a"), ("settled_too_early", "a")],
    )


def test_money_on_a_bet_withdrawn_in_time_is_overpaid():
    money, findings = play(bet("a"), {"bet_withdrawn": {"bet": "a"}}, bet("b"), {"bet_withdrawn": {"bet": "b"}}, WON,
                           claim("b", 950, 1000), "round_closed")  # fmt: skip

    assert money["a"] == "withdrawn"
    assert findings == [("overpaid", "b")]


# II, forty tiles


def test_tiles_are_counted_over_the_rounds_of_a_set():
    round_of_twos = ["round_opened", CALL, deal(0, 2, 2), deal(1, 3, 4), deal(2, 5, 6), deal(3, 7, 8), "round_closed"]

    assert play(round_of_twos * 2)[1] == []
    assert play(round_of_twos * 2, CALL, deal(0, 2))[1] == [("impossible_card", None)]
    assert play(round_of_twos * 2, {"shoe_loaded": {"decks": 1}}, CALL, deal(0, 2))[1] == []


# A hole in the log


def audit(*events, table=None):
    """A log with its holes: the findings as (code, bet), and each bet's verdict."""
    return fold({**TABLE, **(table or {})}, events)


def test_after_a_hole_the_set_is_unknown_until_it_is_shuffled():
    later = ["round_opened", bet("t", "tie"), bet("a"), WON, claim("t", 0, 1000), claim("a", 950, 1000), "round_closed"]
    last = ["round_opened", bet("u", "tie"), bet("b"), WON, claim("u", 0, 0), claim("b", 950, 1000), "round_closed"]
    findings, verdicts = audit("round_opened", "HOLE", "round_closed", later, ROUND * 5, {"shoe_loaded": {}}, last)

    assert findings == [("sequence_gap", "")]
    assert verdicts == {"t": Verdict.UNVERIFIABLE, "a": Verdict.MATCH, "u": Verdict.MATCH, "b": Verdict.MATCH}


def test_a_ruling_that_a_third_tile_takes_back_is_superseded():
    findings, verdicts = audit(bet("a"), WON, claim("a", 950, 1000), deal(1, 5), "round_closed")

    assert findings == [("settled_too_early", "a"), ("dealing_error", ""), ("overpaid", "a")]
    assert verdicts == {"a": Verdict.OVERPAID}


# Exact odds


def test_the_edges_are_the_published_ones():
    figures = {row.wager: row for row in odds(RULES)}

    assert {wager: str(row.edge) for wager, row in figures.items()} == {
        "win": "903/36556",
        "lose": "903/36556",
        "tie": "2490/9139",
        "pair": "6/13",
    }
    assert figures["pair"].variance == 49 * Fraction(1, 13) * Fraction(12, 13)
    assert figures["tie"].variance == 61**2 * Fraction(109, 9139) * Fraction(9030, 9139)


def test_the_hands_win_lose_and_tie_as_often_as_published():
    """Counted over every way to draw two and two of the forty tiles, a tile at a time."""
    tiles = [tile for tile in TILES for _ in range(4)]
    counts = {"win": 0, "lose": 0, "tie": 0}
    hands = list(combinations(range(40), 2))
    for bank in hands:
        banks = strength(tiles[bank[0]], tiles[bank[1]])
        for hand in hands:
            if hand[0] in bank or hand[1] in bank:
                continue
            mine = strength(tiles[hand[0]], tiles[hand[1]])
            counts["win" if mine > banks else "lose" if mine < banks else "tie"] += 1
    total = sum(counts.values())

    assert Fraction(counts["win"], total) == Fraction(counts["lose"], total) == Fraction(4515, 9139)
    assert Fraction(counts["tie"], total) == Fraction(109, 9139)
