"""Games from a shoe on the simulated floor: the order of its cards, and what the auditor knows of them."""

from __future__ import annotations

from typing import Any, ClassVar

from streams.simulator.table import TableSimulator
from streams.simulator.truth import Expected


class ShoeTable(TableSimulator):
    """A table that deals from a shoe in which the cards lie in order."""

    deck: ClassVar[tuple[str, ...]]
    """The cards of one deck, in the order in which they come from the factory."""
    decks: int = 6
    wrong_decks: int = 8
    """So many a dealer reports who errs."""
    below_cut_card: int = -1
    """The cut card comes when so many cards are left; -1: none is used."""

    def opening(self) -> None:
        self.shoe: list[str] = []
        """The cards to come, the next one last."""
        self.out: dict[str, int] = {}
        """How often each card has come out."""
        self.cut_card_out = False
        self.shoe_known = True
        """The auditor has seen every card of this shoe."""
        self._load_shoe()

    def _load_shoe(self) -> None:
        """New cards."""
        self.shoe = list(self.deck * self.decks)
        self.shuffle(self.shoe)
        self.out = {}
        self.cut_card_out = False
        self.shoe_known = True
        self.emit("shoe_loaded", decks=self._decks_told())

    def _decks_told(self) -> int:
        """How many decks the device reports; others than there are is a wrong."""
        if not self.chance("wrong_decks"):
            return self.decks
        self.plant("wrong_decks", Expected(code="dealing_error"))
        return self.wrong_decks

    def next_cards(self, count: int) -> list[str]:
        """See `TableSimulator.next_cards`."""
        return self.shoe[: -count - 1 : -1]

    def draw(self, *, judged: bool = True, **fields: Any) -> str:
        """The next card of the shoe, told with ``fields``. ``judged``: it may be one of which none can be left."""
        card = self.shoe.pop()
        if judged and self.shoe_known and self.chance("impossible_card"):
            gone = [code for code in self.deck if self.out.get(code, 0) == self.decks]
            if gone:
                card = self.random.choice(gone)
                self.plant("impossible_card", Expected(code="impossible_card"))
        self.out[card] = self.out.get(card, 0) + 1
        self.emit("card_dealt", card=card, **fields)
        return card

    def watch_cut_card(self) -> None:
        """The cut card comes where it lies."""
        if len(self.shoe) == self.below_cut_card:
            self.emit("cut_card")
            self.cut_card_out = True

    def hole_made(self) -> None:
        """What is out of the shoe is unknown until the next one."""
        self.shoe_known = False
