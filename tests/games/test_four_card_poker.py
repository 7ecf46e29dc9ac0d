"""Four-card poker, AD-2022 game 18, passage by passage: what the scenarios and the shared checks leave out."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.games.four_card_poker import asos, odds, showdown
from replay.hands import FOUR, deals
from tests.games.house_poker import CLOSE, END, bet, claim, dealer, hand, say, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "four_card_poker")
DEALER = "QS JC 8D 5C 4D 3H"


def play(*events, **table):
    return settle("four_card_poker", *events, **table)


def rank(cards: str) -> int:
    return FOUR.best(cards.split())


# V, rulings


@pytest.mark.parametrize(
    ("cards", "pays", "bonus"),
    [
        ("9S 9H 9D 9C 2S", 40, 20), ("9S 8S 7S 6S 2H", 30, 15), ("AS 2S 3S 4S 9H", 30, 15), ("AS KS QS JS 9H", 30, 15),
        ("AS AH AD KC KS", 7, 2), ("2S 2H 2D KC 9S", 7, 2), ("AS 9S 7S 2S 2H", 6, 0), ("AS KH QD JC 2S", 4, 0),
        ("AS 2H 3D 4C 9S", 4, 0), ("2S 2H 3D 3C 9S", 2, 0), ("AS AH 9D 6C 4S", 1, 0), ("AS AH 9S 6S 4S", 6, 0),
        ("KS KH AD 6C 4S", None, 0), ("KS AH 2D 3C 7S", None, 0),
    ],
)  # fmt: skip
def test_v_asos_and_the_automatic_bonus(cards, pays, bonus):
    side = asos(RULES, rank(cards))
    assert (side.price.ratio, side.back) == ((pays, True) if pays else (0, False))
    ante, _ = showdown(RULES, rank(cards), rank("2D 4H 6C 9S JH QD"))
    assert (ante.price.ratio, ante.back) == (1 + bonus, True)
    ante, stake = showdown(RULES, rank(cards), rank("AS AH AD AC 2S 2D"))
    assert (ante.price.ratio, ante.back, stake.back) == (bonus, False, False)


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=11, max_size=11, unique=True))
def test_v_the_player_wins_ties_and_the_dealer_always_plays(cards):
    player, bank = FOUR.best(cards[:5]), FOUR.best(cards[5:])
    ante, stake = showdown(RULES, player, bank)
    bonus = {"four_of_a_kind": 20, "straight_flush": 15, "three_of_a_kind": 2}.get(FOUR.name(player), 0)
    won = 1 if player >= bank else -1

    assert stake.net == won
    assert ante.net == won + bonus


# I, II, V, procedure


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        (999, "below_minimum"),
        (1000, None),
        (1550, None),
        (3000, None),
        (3001, "above_maximum"),
        (30000, "above_maximum"),
    ],
)
def test_i_play_is_one_to_three_antes(amount, code):
    money, findings = play(
        bet("a", "ante"), CLOSE, hand("AH AC 9D 6S 4H"), dealer(DEALER), bet("p", "play", amount),
        claim("a", 1000, 1000),
        claim("p", amount, amount), END, chip_unit=1,
    )  # fmt: skip

    assert money == {"a": (1000, 1000), "p": (amount, amount)}
    assert findings == ([(code, "p")] if code else [])


def test_ii_nobody_bets_on_another_players_hand():
    """The first bet that names somebody makes the place his."""
    _, findings = play(
        bet("a", "ante"), bet("u", "aces_up", player="ann"), bet("x", "ante", player="bob"),
        bet("b", "ante", seat=2, player="bob"), bet("v", "aces_up", seat=2), CLOSE,
    )  # fmt: skip

    assert findings == [("wager_not_offered", "x")]


def test_ii_a_place_is_free_again_when_all_is_taken_back():
    _, findings = play(
        bet("a", "ante", player="ann"), [{"bet_withdrawn": {"bet": "a"}}], bet("b", "ante", player="bob"), CLOSE
    )

    assert findings == []


def test_v_the_chip_unit_rounds_the_sum_of_ante_and_bonus_once():
    money, _ = play(
        bet("a", "ante", 550), CLOSE, hand("9S 9H 9D KC 2H"), dealer(DEALER), bet("p", "play", 550), END, chip_unit=500
    )

    assert money["a"] == (1500, 550)


def test_v_a_fold_keeps_asos():
    money, findings = play(
        bet("a", "ante"), bet("u", "aces_up"), CLOSE, hand("AH AC 9D 6S 4H"), dealer(DEALER), say("fold"),
        claim("a", 0, 0), claim("u", 1000, 1000), END,
    )  # fmt: skip

    assert (money, findings) == ({"a": (0, 0), "u": (1000, 1000)}, [])


def test_v_asos_is_decided_when_all_hands_are_complete():
    _, findings = play(
        bet("u", "aces_up"), CLOSE, hand("AH AC 9D 6S 4H"), dealer("QS JC 8D 5C 4D"), claim("u", 1000, 1000),
        dealer("3H"),
        END,
    )  # fmt: skip

    assert findings == [("settled_too_early", "u")]


def test_v_cards_outside_the_four_never_count():
    assert rank("AS AH KD QC 2S") == rank("AS AH KD QC TS 9H")
    assert rank("AS KS QS JH 2S") == rank("AS KS QS 2S 2H")


# Exact figures


def test_the_published_edge_of_asos():
    [figures] = odds(RULES)
    pays: Counter[int] = Counter()
    for cards, weight in deals(5):
        result = asos(RULES, FOUR.best(cards))
        pays[result.price.num if result.back else -1] += weight

    assert pays == {
        40: 624, 30: 2_072, 7: 58_656, 6: 114_616, 4: 101_808, 2: 123_552, 1: 81_096, -1: 2_116_536,
    }  # fmt: skip
    assert figures.wager == "aces_up"
    assert figures.edge == Fraction(4077, 54145)


def test_the_lowest_published_edge_by_the_same_counts():
    """Wikipedia: 1.98 % where the table is 50-40-9-6-4-2-1."""
    won = 624 * 50 + 2_072 * 40 + 58_656 * 9 + 114_616 * 6 + 101_808 * 4 + 123_552 * 2 + 81_096

    assert round(Fraction(2_116_536 - won, 2_598_960) * 10_000) == 198
