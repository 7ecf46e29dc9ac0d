"""Cards out of a shoe: does their order repeat one that was seen before, and are they those that were loaded?

Null of both: *the shoe was shuffled uniformly*. Whatever has been seen of it, each card that has not been seen is then
equally likely to be the next, those burned face down among them: nobody knows whether a card that was not seen lies in
the discards or in the shoe. The chance that the next card seen is a given one is therefore exactly ``copies of it not
seen / cards not seen``, and a stake on it at these odds neither gains nor loses in the mean. Where the cut card is put
changes nothing, for it is put blindly.

The cases that these bets are made for: at the Golden Nugget, Atlantic City, on 30 April 2012, fourteen players at
mini-baccarat saw that the cards of a pack delivered as pre-shuffled came in an order that repeated itself, and won 41
hands in a row and 1.5 million dollars (Golden Nugget v. Gemaco; N.J. Superior Court 2012, 2014); false shuffles and
false cuts that keep a slug of cards together; packs with cards taken out or added ("shorted" and "heavy" shoes).
"""

from __future__ import annotations

from typing import Final

from replay.cards import FRENCH_DECK, RANKS, SUITS
from replay.events import CardDealt, ShoeLoaded
from replay.rules import Table
from replay.streaks.composition import CompositionBettor
from replay.streaks.detector import Detector, anew, watched_at
from replay.streaks.process import MAX_WEALTH

INDEX: Final = {rank + suit: 4 * place + SUITS.index(suit) for place, rank in enumerate(RANKS) for suit in SUITS}
"""Card -> 0 to 51: four times the rank's place, and the suit's."""
NEW_PACK: Final = tuple(INDEX[card] for card in FRENCH_DECK)
"""The order of a new pack: ace to king of each suit. It is known before any card is seen."""
EVERY: Final = 52
"""So many cards lie between two looks at the composition."""


# --- order ------------------------------------------------------------------------------------------------------------


class _Thread:
    """Where in the memory the cards of now have been found, and in which direction they run."""

    __slots__ = ("at", "hits", "misses", "step")

    def __init__(self, step: int) -> None:
        self.step = step
        self.at = -1
        """Where the next card should be found; -1: nowhere."""
        self.hits = 0
        """So many cards after the first two have been as they should."""
        self.misses = 0
        """So many have not since the last that was."""

    def drop(self) -> None:
        self.at = -1
        self.hits = self.misses = 0


class OrderBettor:
    """Bets that the next card is the one that followed when the last four came in this order before.

    Null: the shoe was shuffled uniformly. Alternative: it holds a stretch of an order seen before, forwards or
    backwards: in an earlier shoe, earlier in this one (packs that were never mixed with each other), or in a new pack.

    Two cards in succession point at the place where they last lay so; when the next two are as that place says, half of
    the wealth is staked on the one after them, and nine tenths as long as it comes true. A fifth of each stake is on
    the card after the next, for one may have been burned or taken out; the thread is given up at the third card that
    does not fit, for others may have been riffled in. Between uniform shoes such a thread is found about once in ten
    shoes, and costs half the wealth; in a repeated order a hit is worth about 25 times the stake.
    """

    __slots__ = ("backward", "forward", "memory", "pairs", "previous")

    FOUND: Final = 2
    FORGETS_AT: Final = 20_000

    def __init__(self) -> None:
        self.memory: list[int] = []
        """All cards in the order seen; -1 where the view was broken."""
        self.pairs: dict[int, int] = {}
        """52 times a card plus the one after it -> where in the memory the second lay last."""
        self.previous = -1
        self.forward = _Thread(1)
        self.backward = _Thread(-1)
        self._remember_new_pack()

    def _remember_new_pack(self) -> None:
        self.memory.clear()
        self.pairs.clear()
        for start in range(0, 52, 13):
            self.memory += NEW_PACK[start : start + 13]
            self.memory.append(-1)
            for at in range(len(self.memory) - 13, len(self.memory) - 1):
                self.pairs[52 * self.memory[at - 1] + self.memory[at]] = at

    def interrupt(self) -> None:
        """Other cards, or some were not seen: what comes next does not follow what came last."""
        if len(self.memory) > self.FORGETS_AT:
            self._remember_new_pack()
        elif self.memory[-1] >= 0:
            self.memory.append(-1)
        self.previous = -1
        self.forward.drop()
        self.backward.drop()

    def see(self, card: int, left: list[int], unseen: int) -> float:
        """By how much the wealth is multiplied by ``card``. ``left`` of each kind and ``unseen`` in all are as before
        it, ``unseen`` 0 where the shoe is not known. 1.0: nothing was staked."""
        forward, backward = self.forward, self.backward
        memory, previous = self.memory, self.previous
        factor = 1.0
        if forward.hits >= 2:
            factor = self._follow(forward, card, left, unseen)
            backward.drop()
        elif backward.hits >= 2:
            factor = self._follow(backward, card, left, unseen)
        place = len(memory)
        if previous >= 0:
            pairs = self.pairs
            if forward.hits < 2:
                at = forward.at
                if at >= 0 and memory[at] == card:
                    forward.hits += 1
                    forward.at = at + 1
                else:
                    forward.hits = 0
                    forward.at = pairs.get(52 * previous + card, -2) + 1
            if backward.hits < 2:
                at = backward.at
                if at >= 0 and memory[at] == card:
                    backward.hits += 1
                    backward.at = at - 1
                else:
                    backward.hits = 0
                    backward.at = pairs.get(52 * card + previous, 1) - 2
            pairs[52 * previous + card] = place
        memory.append(card)
        self.previous = card
        return factor

    def _follow(self, thread: _Thread, card: int, left: list[int], unseen: int) -> float:
        """Stake on what the thread foretells, see, and move the thread on."""
        memory, at, step = self.memory, thread.at, thread.step
        length = len(memory)
        first = memory[at] if 0 <= at < length else -1
        second = memory[at + step] if 0 <= at + step < length else -1
        if first < 0:
            thread.drop()
            return 1.0
        factor = 1.0
        if unseen:
            stake = 0.5 if thread.hits == self.FOUND or thread.misses else 0.9
            if left[first]:
                factor -= 0.8 * stake
                if card == first:
                    factor += 0.8 * stake * unseen / left[first]
            if second >= 0 and left[second]:
                factor -= 0.2 * stake
                if card == second:
                    factor += 0.2 * stake * unseen / left[second]
        if card == first:
            thread.at += step
            thread.hits += 1
            thread.misses = 0
        elif card == second:
            thread.at += 2 * step
            thread.hits += 1
            thread.misses = 0
        else:
            thread.misses += 1
            if thread.misses == 3:
                thread.drop()
        return factor


# --- at the table -----------------------------------------------------------------------------------------------------


class CardsOfShoe(Detector):
    """Watches a shoe with one process on its order and one on its composition, half of the share each."""

    codes = ("repeated_order", "shoe_composition")
    wants = ("shoe_loaded", "card_dealt")

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.decks = decks_of(table)
        self.continuous = table.options.get("shoe") == "continuous"
        """All cards are back at each round."""
        self._round = 0
        self._seq = 0
        self.known = False
        self.left = [0] * 52
        self.unseen = 0
        self.seen = 0
        """Cards of the shoe that have been seen."""
        self._begin()

    @classmethod
    def serves(cls, table: Table) -> bool:
        return watched_at(table).shoe and decks_of(table) > 0

    def _begin(self) -> None:
        self.order = OrderBettor()
        self.composition = CompositionBettor()
        part = anew(self.number()) / 2
        self.on_order = self.start(
            "repeated_order",
            "order of the cards",
            part,
            "how the cards were shuffled and cut before this shoe, and whether a block of them was kept together; who"
            " raised his stake when the order began to repeat.",
        )
        self.on_composition = self.start(
            "shoe_composition",
            "composition of the shoe",
            part,
            "where the packs came from and who counted them in; count the cards of this shoe now.",
        )

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """All cards of the packs are unseen; where their number is not that of whole packs, the shoe is not watched."""
        self._take_off(event.seq)
        self.order.interrupt()
        decks = self.decks if event.decks is None else event.decks
        self.known = event.cards is None or event.cards == 52 * decks
        if self.known:
            self.decks = decks
            self._fill()
            self.composition.load(decks)

    def _fill(self) -> None:
        self.left = [self.decks] * 52
        self.unseen = 52 * self.decks
        self.seen = 0

    def card_dealt(self, event: CardDealt) -> None:
        """One card, wherever it goes. One that nobody could read stays among the unseen."""
        card = INDEX.get(event.card, -1)
        if card < 0:
            self.order.interrupt()
            return
        if self.continuous and self.round != self._round:
            self._round = self.round
            if self.known:
                self._take_off(event.seq)
                self._fill()
                self.composition.again(self.decks)
        if not self.known:
            self.order.see(card, self.left, 0)
            return
        left = self.left
        if not left[card]:
            self._take_off(event.seq)
            self.known = False  # an impossible card: that is a finding of its own, and these are not the packs
            self.order.see(card, left, 0)
            return
        factor = self.order.see(card, left, self.unseen)
        if factor != 1.0:
            self.on_order.multiply(factor, event.seq, self.round)
        left[card] -= 1
        self.unseen -= 1
        self.seen += 1
        self._seq = event.seq
        if self.seen % EVERY == 0:
            self.on_composition.become(self.composition.look(left, self.unseen), event.seq, self.round)

    def _take_off(self, seq: int) -> None:
        """The shoe at hand is seen no further."""
        composition = self.composition
        if composition.changes and self.seen:
            self.on_composition.become(composition.take_off(self.left, self.unseen), seq, self.round)
        self.seen = 0

    def lost_sight(self) -> None:
        """Cards may have come that were not seen: the shoe is not known until the next one; what was seen before them
        still counts in full."""
        if self.known:
            self._take_off(self._seq)
        self.known = False
        self.order.interrupt()

    def disowned(self) -> None:
        """Both start anew."""
        self.known = False
        self.running = []
        self._begin()


def decks_of(table: Table) -> int:
    """How many packs the table's shoe holds; 0 where nobody says."""
    return int(table.rules.law.shoe_decks or table.decks or table.options.get("decks") or 0)
