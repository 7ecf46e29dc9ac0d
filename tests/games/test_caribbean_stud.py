"""Caribbean stud poker, AD-2022: what the scenarios and the shared checks leave out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.games.caribbean_stud import odds, qualifies, showdown
from replay.hands import FIVE, deals
from tests.games.house_poker import CLOSE, END, bet, claim, dealer, hand, set_up, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "caribbean_stud")


def rank(cards: str) -> int:
    return FIVE.best(cards.split())


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("AS KS QS JS TS", 100), ("9S KS QS JS TS", 50), ("AS 2S 3S 4S 5S", 50), ("9S 9H 9D 9C TS", 20),
        ("9S 9H 9D TC TS", 7), ("AS 9S 8S 7S 2S", 5), ("AS 2H 3S 4S 5S", 4), ("9S 9H 9D TC KS", 3),
        ("9S 9H TD TC KS", 2), ("2S 2H 3D 4C KS", 1), ("AS KH QD JC 3S", 1),
    ],
)  # fmt: skip
def test_the_raise_table(cards, pays):
    """Against the lowest hand that plays, A-K-4-3-2."""
    ante, raised = showdown(RULES, rank(cards), rank("AD KC 4H 3D 2C"))

    assert raised.price.ratio == pays
    assert ante.price.ratio == 1
    assert raised.back and ante.back


def test_the_dealer_plays_with_ace_and_king_or_better():
    assert qualifies(RULES, rank("AD KC 4H 3D 2C"))
    assert qualifies(RULES, rank("2S 2H 3D 4C 5S"))
    assert not qualifies(RULES, rank("AD QC JH TD 9C"))
    assert not qualifies(RULES, rank("KD QC JH TD 8C"))


def test_how_often_the_dealer_plays():
    """1,463,700 of 2,598,960 hands."""
    assert sum(weight for cards, weight in deals(5) if qualifies(RULES, FIVE.best(cards))) == 1_463_700


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=10, max_size=10, unique=True))
def test_exactly_one_line_of_the_settlement_table_holds(cards):
    player, bank = FIVE.best(cards[:5]), FIVE.best(cards[5:])
    ante, raised = showdown(RULES, player, bank)

    if bank < rank("AD KC 4H 3D 2C"):
        assert ante.net == 1 and raised.net == 0
    elif player > bank:
        assert ante.net == 1 and raised.net >= 1
    elif player == bank:
        assert ante.net == raised.net == 0
    else:
        assert ante.net == raised.net == -1


def test_equal_in_all_five_cards_is_a_push():
    money, findings = settle(
        "caribbean_stud", bet("a", "ante"), CLOSE, hand("AS KH QD 7C 3S"), dealer("AD KC QS 7H 3D"),
        bet("k", "raise", 2000), claim("a", 0, 1000), claim("k", 0, 2000), END,
    )  # fmt: skip

    assert (money, findings) == ({"a": (0, 1000), "k": (0, 2000)}, [])


@pytest.mark.parametrize("wager", ["jackpot", "insurance", "exchange", "aa_bonus", "play"])
def test_there_is_no_other_wager(wager):
    assert settle("caribbean_stud", bet("a", "ante"), bet("x", wager, 100), CLOSE)[1] == [("wager_not_offered", "x")]


def test_no_multiple_of_the_minimum_is_prescribed():
    assert set_up("caribbean_stud", limits={"min": 500, "max": 100000}) == []


def test_no_wager_is_free_of_decisions():
    assert list(odds(RULES)) == []
