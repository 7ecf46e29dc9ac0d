"""Boxes and hands of the three games of blackjack on the simulated floor, and what cards come to in them."""

from __future__ import annotations

from streams.simulator.players import Stake

DECKS = 6
DECK = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
POINTS = {card: 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in DECK}


def total_of(cards: list[str]) -> int:
    """A player's total: an ace is eleven where that does not pass 21."""
    points = sum(POINTS[card] for card in cards)
    return points + 10 if points <= 11 and any(card[0] == "A" for card in cards) else points


def bank_total(cards: list[str]) -> int:
    """The dealer's total: an ace is eleven where that makes 17 to 21."""
    points = sum(POINTS[card] for card in cards)
    return points + 10 if 7 <= points <= 11 and any(card[0] == "A" for card in cards) else points


def is_natural(cards: list[str]) -> bool:
    """Whether an ace and a ten, or a picture, are all that there is."""
    return len(cards) == 2 and sorted(POINTS[card] for card in cards) == [1, 10]


class Hand:
    """One hand of a box."""

    __slots__ = ("cards", "number", "over", "split", "split_ace", "stakes", "surrendered")

    def __init__(self, number: int) -> None:
        self.number = number
        self.cards: list[str] = []
        self.stakes: list[Stake] = []
        self.split = False
        self.split_ace = False
        self.over = False
        """No more is played on it."""
        self.surrendered = False

    @property
    def natural(self) -> bool:
        """A blackjack."""
        return not self.split and is_natural(self.cards)

    @property
    def out(self) -> bool:
        """It competes no more."""
        return self.surrendered or total_of(self.cards) > 21


class Box:
    """One box with a main stake."""

    __slots__ = ("first", "firsts", "hands", "line", "seat", "sides")

    def __init__(self, seat: int, stakes: list[Stake]) -> None:
        self.seat = seat
        self.first = stakes[0]
        self.firsts = {stake.id: (stake, stake.amount) for stake in stakes}
        """The stakes made before the deal, and what they were then; those on split hands lead there too."""
        self.hands = [Hand(1)]
        self.hands[0].stakes = list(stakes)
        self.sides: list[Stake] = []
        self.line: list[str] = []
        """The first three cards of hand 1."""
