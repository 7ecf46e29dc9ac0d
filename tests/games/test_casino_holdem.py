"""Casino hold'em, AD-2022 game 20, passage by passage: what the scenarios and the shared checks leave out."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.games.casino_holdem import bonus, odds, qualifies, showdown
from replay.hands import FIVE, deals
from tests.games.house_poker import CLOSE, END, bet, board, burn, claim, dealer, hand, say, set_up, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "casino_holdem")


def play(*events, **table):
    return settle("casino_holdem", *events, **table)


def rank(cards: str) -> int:
    return FIVE.best(cards.split())


# V, pay tables


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("AS KS QS JS TS", 100), ("9S KS QS JS TS", 20), ("AS 2S 3S 4S 5S", 20), ("9S 9H 9D 9C TS", 10),
        ("9S 9H 9D TC TS", 3), ("AS 9S 8S 7S 2S", 2), ("AS KH QS JS TS", 1), ("9S 9H 9D TC KS", 1),
        ("9S 9H TD TC KS", 1),
        ("2S 2H 3D 4C KS", 1), ("8S 6H 4D 3C 2S", 1),
    ],
)  # fmt: skip
def test_v_the_ante_is_paid_by_the_players_hand(cards, pays):
    """Also when the dealer does not play."""
    worse, unqualified = rank("7S 5H 4D 3C 2S"), rank("3S 3H AD KC QS")
    for dealer_rank in (worse, unqualified):
        ante, _ = showdown(RULES, rank(cards), dealer_rank)
        assert (ante.price.ratio, ante.back) == (pays, True)


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("AS KS QS JS TS", 25), ("9S 9H 9D 9C TS", 25), ("9S 9H 9D TC TS", 25), ("7S 5S 4S 3S 2S", 25),
        ("AS 2H 3D 4C 5S", 7), ("2S 2H 2D 3C 4S", 7), ("2S 2H 3D 3C 4S", 7), ("AS AH 2D 3C 4S", 7),
        ("KS KH AD QC JS", None), ("AS KH QD JC 9S", None),
    ],
)  # fmt: skip
def test_v_txb_is_paid_from_a_pair_of_aces(cards, pays):
    result = bonus(RULES, cards.split())

    assert (result.price.ratio, result.back) == ((pays, True) if pays else (0, False))


# VI, settlement


def test_vi_the_dealer_plays_with_a_pair_of_fours_or_better():
    assert qualifies(RULES, rank("4S 4H 2D 3C 5S"))
    assert qualifies(RULES, rank("AS 2H 3D 4C 5S"))
    assert not qualifies(RULES, rank("3S 3H AD KC QS"))
    assert not qualifies(RULES, rank("AS KH QD JC 9S"))


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=9, max_size=9, unique=True))
def test_vi_exactly_one_line_of_the_settlement_table_holds(cards):
    player, bank = FIVE.best(cards[:7]), FIVE.best(cards[2:])
    ante, call = showdown(RULES, player, bank)

    if bank < FIVE.least("pair", "4"):
        assert ante.back and ante.net >= 1 and call.net == 0
    elif player > bank:
        assert ante.net >= 1 and call.net == 1
    elif player == bank:
        assert ante.net == call.net == 0
    else:
        assert ante.net == call.net == -1


def test_vi_the_board_qualifies_the_dealer_and_threes_do_not():
    def round_(pair, *settled):
        return play(
            bet("a", "ante"), CLOSE, hand("KS QD"), dealer("JC 9H"), board(f"{pair} 8S"), bet("k", "call", 2000),
            board("7D 2C"), *settled, END,
        )[0]  # fmt: skip

    assert round_("4C 4S") == {"a": (1000, 1000), "k": (2000, 2000)}
    assert round_("3C 3S") == {"a": (1000, 1000), "k": (0, 2000)}


def test_vi_a_royal_flush_on_the_board_is_a_push_without_any_prize():
    money, _ = play(
        bet("a", "ante"), CLOSE, hand("2C 3D"), dealer("5S 5D"), board("AH KH QH"), bet("k", "call", 2000),
        board("JH TH"),
        END,
    )  # fmt: skip

    assert money == {"a": (0, 1000), "k": (0, 2000)}


def test_vi_four_of_a_kind_on_the_board_is_decided_by_the_kicker():
    def round_(own):
        return play(
            bet("a", "ante"), CLOSE, hand(own), dealer("QS 2D"), board("9S 9H 9D"), bet("k", "call", 2000),
            board("9C 8H"),
            END,
        )[0]["a"]  # fmt: skip

    assert round_("QD 3C") == (0, 1000)
    assert round_("KD 3C") == (10000, 1000)
    assert round_("JD 3C") == (0, 0)


def test_vi_txb_is_decided_when_every_place_has_answered():
    stakes = [bet("a", "ante"), bet("t", "aa_bonus", 500), bet("b", "ante", seat=2), CLOSE, hand("AS AD"),
              hand("9D 6C", 2), dealer("QH 8C"), board("KD 7C 3H"), bet("k", "call", 2000)]  # fmt: skip
    paid = claim("t", 3500, 500)
    rest = [board("8S 2D"), claim("a", 1000, 1000), claim("k", 2000, 2000), claim("b", 0, 0), END]

    assert play(*stakes, say("fold", 2), paid, *rest)[1] == []
    assert play(*stakes, paid, say("fold", 2), *rest)[1] == [("settled_too_early", "t")]
    assert play(*stakes, say("fold", 2), board("8S 2D"), claim("a", 1000, 1000), claim("k", 2000, 2000),
                claim("b", 0, 0), paid, END)[1] == []  # fmt: skip


def test_vi_txb_is_decided_at_the_latest_with_the_turn():
    """The place that was passed over stays undecided, with its TXB."""
    money, findings = play(
        bet("a", "ante"), bet("t", "aa_bonus", 500), bet("b", "ante", seat=2), bet("u", "aa_bonus", 500, seat=2), CLOSE,
        hand("AS AD"), hand("9D 6C", 2), dealer("QH 8C"), board("KD 7C 3H"), bet("k", "call", 2000), board("8S"),
        claim("t", 3500, 500), bet("c", "call", 2000, seat=2), say("fold", 2), board("2D"), claim("a", 1000, 1000),
        claim("k", 2000, 2000), claim("c", 0, 2000), END,
    )  # fmt: skip

    assert money == {"a": (1000, 1000), "t": (3500, 500), "k": (2000, 2000), "b": "open", "u": "open", "c": (0, 2000)}
    assert findings == [("illegal_decision", 2), ("late_bet", "c"), ("missing_decision", 2)]


def test_vi_a_fold_loses_txb_at_once_whatever_the_cards():
    money, findings = play(
        bet("a", "ante"), bet("t", "aa_bonus", 500), CLOSE, hand("AS AD"), dealer("QH 8C"), board("AC AH 3H"),
        say("fold"),
        claim("a", 0, 0), claim("t", 0, 0), END,
    )  # fmt: skip

    assert (money, findings) == ({"a": (0, 0), "t": (0, 0)}, [])


def test_vi_no_turn_and_river_are_due_when_everybody_has_folded_but_they_are_for_a_called_hand():
    stakes = [bet("a", "ante"), CLOSE, hand("AS AD"), dealer("QH 8C"), board("KC 7H 3H")]

    assert play(*stakes, say("fold"), claim("a", 0, 0), END) == ({"a": (0, 0)}, [])
    assert play(*stakes, bet("k", "call", 2000), board("2D"), claim("a", 0, 1000), claim("k", 0, 2000), END) == (
        {"a": (0, 1000), "k": (0, 2000)},
        [("dealing_error", None)],
    )


def test_vi_nobody_answers_before_the_flop_or_after_the_turn():
    money, findings = play(
        bet("a", "ante"), CLOSE, hand("KS 9D"), dealer("QH 8C"), board("KD 7C"), bet("x", "call", 2000), say("fold"),
        board("3H"), bet("k", "call", 2000), board("8S"), bet("y", "call", 2000), say("call"), board("2D"),
        claim("a", 1000, 1000), claim("k", 2000, 2000), claim("x", 0, 2000), claim("y", 0, 2000), END,
    )  # fmt: skip

    assert money == {"a": (1000, 1000), "k": (2000, 2000), "x": (0, 2000), "y": (0, 2000)}
    assert findings == [
        ("illegal_decision", 1), ("illegal_decision", 1), ("late_bet", "y"), ("wager_not_offered", "x"),
    ]  # fmt: skip


def test_vi_the_dealers_cards_may_come_last():
    money, findings = play(
        bet("a", "ante"), CLOSE, hand("KS 9D"), board("KD 7C 3H"), bet("k", "call", 2000), board("8S 2D"),
        dealer("QH 8C"),
        claim("a", 1000, 1000), claim("k", 2000, 2000), END,
    )  # fmt: skip

    assert (money, findings) == ({"a": (1000, 1000), "k": (2000, 2000)}, [])


def test_viii_a_sixth_card_on_the_board_is_a_misdeal_that_takes_a_settled_txb_back():
    money, findings = play(
        bet("a", "ante"), bet("t", "aa_bonus", 500), CLOSE, hand("AS AD"), dealer("QH 8C"), board("KD 7C 3H"),
        bet("k", "call", 2000), claim("t", 3500, 500), board("8S 2D 5C"), claim("a", 0, 1000), claim("k", 0, 2000), END,
    )  # fmt: skip

    assert money == {"a": (0, 1000), "t": (0, 500), "k": (0, 2000)}
    assert findings == [("dealing_error", None), ("overpaid", "t")]


def test_viii_an_exposed_card_on_the_board_counts_there():
    money, findings = play(
        bet("a", "ante"), CLOSE, hand("KS 9D"), dealer("QH 8C"), board("KD", exposed=True), board("7C 3H"),
        bet("k", "call", 2000), burn("TC"), board("8S 2D"), claim("a", 1000, 1000), claim("k", 2000, 2000), END,
    )  # fmt: skip

    assert (money, findings) == ({"a": (1000, 1000), "k": (2000, 2000)}, [("dealing_error", None)])


# VII, limits


@pytest.mark.parametrize(
    ("limits", "allowed"),
    [
        ({"min": 500, "max": 25000}, True),
        ({"min": 500, "max": 2500}, True),
        ({"min": 500, "max": 2400}, False),
        ({"min": 500, "max": 25100}, False),
        ({"min": 500, "max": 25000, "aa_bonus": {"min": 100, "max": 5000}}, True),
        ({"min": 500, "max": 25000, "aa_bonus": {"min": 100, "max": 6000}}, False),
        ({"min": 500}, True),
    ],
)
def test_vii_a_maximum_is_5_to_50_times_the_minimum(limits, allowed):
    assert set_up("casino_holdem", limits=limits) == ([] if allowed else ["setup_not_allowed"])


# Exact figures


def test_the_published_edge_of_txb():
    """9,516 hands flush or better, 273,144 from aces to straights, of 2,598,960."""
    [figures] = odds(RULES)
    counts: Counter[Fraction] = Counter()
    for cards, weight in deals(5):
        counts[bonus(RULES, cards).net] += weight

    assert counts == {25: 9_516, 7: 273_144, -1: 2_598_960 - 9_516 - 273_144}
    assert figures.wager == "aa_bonus"
    assert figures.edge == Fraction(6933, 108290)
    mean = -Fraction(6933, 108290)
    square = Fraction(25**2 * 9_516 + 7**2 * 273_144 + 2_316_300, 2_598_960)
    assert figures.variance == square - mean**2
