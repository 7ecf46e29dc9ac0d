"""How the dealers of poker against the house read hands."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from streams.simulator.poker_dealer import (
    FLUSH,
    FULL,
    HIGH,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    best,
)

FIVE = tuple(range(9))
FOUR = (0, 1, 2, 5, 3, 4, -1, 7, 6)
THREE = (0, 1, -1, 4, 3, 2, -1, -1, 5)
DECK = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]


def cards(text: str) -> list[str]:
    """Cards as they are written: ``"AS 2H"``."""
    return text.split()


def test_the_22_100_hands_of_three_cards_are_of_their_known_kinds():
    """48, 52, 720, 1,096 and 3,744 hands from straight flush to pair."""
    kinds = Counter(best(list(hand), 3, THREE)[0] for hand in combinations(DECK, 3))

    assert kinds == {STRAIGHT_FLUSH: 48, TRIPS: 52, STRAIGHT: 720, FLUSH: 1096, PAIR: 3744, HIGH: 16440}


def test_the_best_five_of_seven():
    """The ace is low in a wheel, two trips are a full house, the third pair and the sixth card do not count."""
    assert best(cards("AS 2H 3D 4C 5S 9H 9D"), 5, FIVE) == (STRAIGHT, (4, 5))
    assert best(cards("9S 9H 9D 4C 4S 4H KD"), 5, FIVE) == (FULL, (6, 9, 4))
    assert best(cards("9S 9H 4D 4C KS KH 7D"), 5, FIVE) == (TWO_PAIR, (2, 13, 9, 7))
    assert best(cards("AS KS QS JS TS AH AD"), 5, FIVE) == (STRAIGHT_FLUSH, (8, 14))
    assert best(cards("QS KH AD 2C 3S 7H 9D"), 5, FIVE) == (HIGH, (0, 14, 13, 12, 9, 7))


def test_the_best_four_of_five_or_six():
    """A pair of aces beside a four-card flush is a flush; three aces and two kings are three of a kind."""
    assert best(cards("AS 9S 5S 2S AH"), 4, FOUR) == (FLUSH, (4, 14, 9, 5, 2))
    assert best(cards("AS AH AD KC KS"), 4, FOUR) == (TRIPS, (5, 14, 13))
    assert best(cards("2S 3H 4D AC KS KH"), 4, FOUR) == (STRAIGHT, (3, 4))
    assert best(cards("9S 9H 4D 4C KS KH"), 4, FOUR) == (TWO_PAIR, (2, 13, 9))
