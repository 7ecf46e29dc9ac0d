"""Cards and shoes: codes as they travel (``7H``, ``TS``), and how many copies of a card can have come out."""

from __future__ import annotations

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
FRENCH_DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards."""


class Shoe:
    """What has come out since cards were loaded, so that a copy too many is seen.

    Before any ``shoe_loaded`` the count runs from the first event. After a hole in the log nothing is known of the shoe
    until it is loaded again: `forget`.
    """

    __slots__ = ("copies", "cut", "decks", "known", "loaded", "out", "seen")

    def __init__(self, decks: int, deck: tuple[str, ...] = FRENCH_DECK) -> None:
        self.decks = decks
        self.copies = dict.fromkeys(deck, decks)
        self.known = True
        self.loaded = False
        """A ``shoe_loaded`` was seen."""
        self.cut = False
        """The cut card has come out."""
        self.out = 0
        """Cards that have left the shoe since it was loaded."""
        self.seen: dict[str, int] = {}

    def load(self) -> None:
        """New cards are in the shoe."""
        self.known = True
        self.loaded = True
        self.restart()

    def restart(self) -> None:
        """All cards are back: a new deck, a continuous shuffler at the start of a round."""
        self.cut = False
        self.out = 0
        self.seen = {}

    def forget(self) -> None:
        """A part of the log is missing: how many cards are out is unknown until the next load."""
        self.known = False
        self.restart()

    def knows(self, card: str, instead_of: str) -> bool:
        """A card that is out was this one: it could not be read (``??``), or was taken for another. False as `take`."""
        if instead_of in self.seen:
            self.seen[instead_of] -= 1
        count = self.seen[card] = self.seen.get(card, 0) + 1
        return count <= self.copies.get(card, 0) or not self.known

    def take(self, card: str) -> bool:
        """One card leaves the shoe. False when it cannot be: more copies than the shoe holds, or no card of the deck.
        A card that nobody could read (``??``) is counted as out and never impossible."""
        self.out += 1
        if card == "??":
            return True
        count = self.seen.get(card, 0) + 1
        self.seen[card] = count
        return count <= self.copies.get(card, 0) or not self.known
