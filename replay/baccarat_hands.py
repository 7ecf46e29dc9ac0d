"""The hands of baccarat, which punto banco, chemin de fer and baccarat banque share.

A hand is a list of card values (ace 1, two to nine their number, ten and figures 0); what it is worth is the last digit
of their sum. Who draws a third card is the law's to say (`Drawing`): its tables stand in the pack.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from replay.cards import FRENCH_DECK

VALUES: Final[dict[str, int]] = {
    card: 1 if card[0] == "A" else int(card[0]) if card[0].isdigit() else 0 for card in FRENCH_DECK
}
"""Card -> its value in a hand."""

NATURALS: Final = (8, 9)
"""Either hand with one of these in two cards: no third card for anyone."""

Draws = Callable[[int], bool]
"""Does the player draw with this total?"""
Answers = Callable[[int, int | None], bool]
"""Does the banker draw with this total, after a third card of this value, or after a player who stood (None)?"""


class Drawing(NamedTuple):
    """The tables of third cards, for totals from 0 to 7."""

    player: frozenset[int]
    """The totals on which the player draws."""
    banker_alone: frozenset[int]
    """The totals on which the banker draws after a player who stood."""
    banker: tuple[frozenset[int], ...]
    """For each banker total from 0 to 7: the player's third cards, by value, that he draws against."""

    def draws(self, player: int) -> bool:
        """Whether the player draws with this total."""
        return player in self.player

    def answers(self, banker: int, third: int | None) -> bool:
        """Whether the banker draws; ``third`` is the value of the player's third card, None where he stood."""
        return banker in self.banker_alone if third is None else third in self.banker[banker]


class Ending(NamedTuple):
    """What a coup came to: both totals, and of how many cards each hand is."""

    player: int
    banker: int
    of_player: int = 2
    of_banker: int = 2


def total(values: Sequence[int]) -> int:
    """What a hand of these card values is worth."""
    return sum(values) % 10


def next_hand(player: Sequence[int], banker: Sequence[int], draws: Draws, answers: Answers) -> str:
    """Whose the next card of the shoe is, ``player`` or ``banker``; empty where the coup is complete."""
    if len(banker) < 2:
        return "player" if len(player) == len(banker) else "banker"
    if len(banker) > 2:
        return ""
    with_two, of_banker = total(player[:2]), total(banker)
    if with_two in NATURALS or of_banker in NATURALS:
        return ""
    if len(player) == 2:
        if draws(with_two):
            return "player"
        return "banker" if answers(of_banker, None) else ""
    return "banker" if answers(of_banker, player[2]) else ""


@lru_cache(maxsize=32)
def coups_by(drawing: Drawing, decks: int) -> dict[Ending, int]:
    """All coups of a fresh shoe by these tables, worked out once (`coups`)."""
    return coups(decks, drawing.draws, drawing.answers)


def coups(decks: int, draws: Draws, answers: Answers) -> dict[Ending, int]:
    """All coups of a fresh shoe: what it came to -> in how many of the orders of six cards it comes.

    Exact: the shoe is counted by card values, each hand of two cards in either order."""
    left = [16 * decks, *(4 * decks for _ in range(9))]
    size = 52 * decks
    found: dict[Ending, int] = {}

    def deal(player: list[int], banker: list[int], orders: int, out: int) -> None:
        """The rest of a coup of which ``out`` cards have come out in so many ``orders``."""
        hand = next_hand(player, banker, draws, answers)
        if not hand:
            for gone in range(out, 6):
                orders *= size - gone
            ending = Ending(total(player), total(banker), len(player), len(banker))
            found[ending] = found.get(ending, 0) + orders
            return
        for value in range(10):
            if left[value]:
                left[value] -= 1
                grown = [*player, value], banker
                if hand == "banker":
                    grown = player, [*banker, value]
                deal(*grown, orders * (left[value] + 1), out + 1)
                left[value] += 1

    def pairs() -> list[tuple[int, int, int]]:
        """Two cards of what is left: their values, and in how many orders they come."""
        return [
            (low, high, left[low] * (left[high] - (low == high)) * (1 if low == high else 2))
            for low in range(10)
            for high in range(low, 10)
        ]

    for first, third, of_player in pairs():
        left[first] -= 1
        left[third] -= 1
        for second, fourth, of_banker in pairs():
            left[second] -= 1
            left[fourth] -= 1
            deal([first, third], [second, fourth], of_player * of_banker, 4)
            left[second] += 1
            left[fourth] += 1
        left[first] += 1
        left[third] += 1
    return found
