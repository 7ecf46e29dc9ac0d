"""Baccarat among players (AD-2025, games 8 and 9): what chemin de fer and baccarat banque share at the table.

One of the players holds the bank, the others stake against it, and the house takes its part of what the bank wins.
Cards and announcements are kept until the coup is over and are judged then: what an error comes to hangs on what came
after it. Each finding bears the number of the event where the error was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple

from replay.baccarat_hands import VALUES
from replay.book import Bet, Book
from replay.cards import Shoe
from replay.events import BetsClosed, BetSettled, CardDealt, CommissionTaken, CutCard, Decision, RoundClosed, ShoeLoaded
from replay.games import Game
from replay.games._law_parts import ShoeLaw, VoidLaw
from replay.law import GameLaw, Passage, Passages
from replay.rules import Table
from replay.watched import Watchable

WORDS: Final = ("draw", "stand", "declare")
"""What one may announce; ``declare`` turns up eight or nine."""
BANKER: Final = "banker"


class CirclePassages(Passages):
    """What both games cite beside the tables."""

    dealing: Passage
    """The call before the first card, the order of the first cards, the end of the shoe."""
    drawing: Passage
    """What holder and banker may say and take."""
    commission: Passage
    errors: Passage
    """Errors and infractions."""


class CircleLaw(GameLaw):
    """What both games ask of their pack."""

    needed_wagers = frozenset({"bank"})

    passages: CirclePassages
    shoe: ShoeLaw
    void: VoidLaw

    @property
    def shoe_decks(self) -> int:
        return self.shoe.decks


class Dealt(NamedTuple):
    """A card that went to a hand."""

    to: str
    value: int
    up: bool
    by_dealer: bool
    void: str | None
    seq: int

    @property
    def to_banker(self) -> bool:
        return self.to == BANKER


class Said(NamedTuple):
    """An announcement, and how many cards had been dealt to the hands before it."""

    seat: int
    choice: str
    hand: int | None
    after: int
    seq: int


class Fault(NamedTuple):
    """Something against the rules of play; ``seq`` is the event where it was done, 0 for the end of the round."""

    code: str
    text: str
    seq: int
    seat: int | None
    passage: str


def last_card(cards: Sequence[Dealt], dead: set[int]) -> int:
    """The number of the last card that belongs to the coup; -1 where there is none."""
    return max((number for number in range(len(cards)) if number not in dead), default=-1)


class CircleBaccarat(Game):
    """A table where players play baccarat against one of them."""

    handles = ("card_dealt", "decision", "shoe_loaded", "cut_card", "commission_taken")

    among_players = True
    reports_cut = True
    hands: ClassVar[tuple[str, ...]]
    """Whom cards are dealt to."""
    watched = Watchable(shoe=True)
    """Players against each other: what one wins another loses, a better player wins more without any wrong, and no
    figure says how much better one may be. The house's commission says nothing of it: it is taken from the winner, and
    makes the sum of all negative, not each."""

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = table.rules.law_as(CircleLaw)
        self.shoe_passage = law.shoe.passage
        self.dealing_passage = law.passages.dealing
        self.commission_passage = law.passages.commission
        self.decks = law.shoe.decks
        self.void_grounds = law.void.grounds
        self.shoe = Shoe(self.decks)
        self.past_known = True
        """False after a hole in the log, until a coup has been judged: who held the bank before is unknown."""
        self.clear()

    def table_opened(self) -> None:
        self.report_setup(self.setup_faults())

    def setup_faults(self) -> list[tuple[str, str]]:
        """What the house may not set up so: passage and sentence each."""
        if self.table.decks in (None, self.decks):
            return []
        text = f"the table was opened with {self.table.decks} decks, the game has {self.decks}"
        return [(self.shoe_passage, text)]

    def clear(self) -> None:
        """Nothing has happened in the coup yet. Bank and stakes of a round without cards live on in the book."""
        self.called = False
        self.cards: list[Dealt] = []
        self.said: list[Said] = []
        self.claims: list[tuple[Bet, int, int]] = []
        """Bets that were claimed, after how many cards, in which event."""
        self.unreadable = False
        """What the coup comes to cannot be known."""
        self.commission = 0

    def round_begins(self) -> None:
        super().round_begins()
        self.clear()

    def lost_sight(self) -> None:
        self.shoe.forget()
        self.past_known = False
        self.clear()

    def placed(self, bet: Bet) -> None:
        """The bets of a wager, and what they come to, are asked for all the time."""
        self.book.piles.lay(bet, bet.wager_id)

    def one(self, wager: str) -> Bet | None:
        """The bet of this wager that is in play."""
        return next(iter(self.book.piles.bets(wager)), None)

    def bancos(self) -> list[Bet]:
        """The stakes that cover a whole bank."""
        return list(self.book.piles.bets("banco"))

    # --- no more bets ---------------------------------------------------------------------------------------------

    def bets_closed(self, event: BetsClosed) -> None:
        self.called = True
        self.close_betting()

    def close_betting(self) -> None:
        """At the call, or at the first card if that comes first."""
        if self.betting_open:
            self.betting_open = False
            self.stakes_lie()

    def stakes_lie(self) -> None:
        """Stakes lie as they lie, and are judged."""

    def lose_the_coup(self) -> None:
        """What the coup comes to hangs on something that was not seen."""
        self.book.lose_sight()
        self.unreadable = True
        self.past_known = False

    # --- cards and words ------------------------------------------------------------------------------------------

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        if event.decks is not None and event.decks != self.decks:
            text = f"{event.decks} decks were loaded; the game has {self.decks}"
            self.book.report("dealing_error", self.shoe_passage, text)
        self.shoe.load()

    def cut_card(self, event: CutCard) -> None:
        """The coup under way is the last one of this shoe."""
        self.shoe.cut = True

    def card_dealt(self, event: CardDealt) -> None:
        """A card leaves the shoe; one that lay face up in it (``to: burn``) is dead."""
        if not self.shoe.take(event.card):
            text = f"another {event.card} came out, of which the shoe holds {self.decks}"
            self.book.report("impossible_card", self.shoe_passage, text)
        if event.to not in self.hands:
            if event.void not in self.void_grounds or not self.cards:
                return
        if not self.cards:
            self.close_betting()
            if not self.called:
                text = "a card came out before no more bets was called"
                self.book.report("dealing_error", self.dealing_passage, text)
            if self.shoe.cut:
                text = "a coup was begun although the cut card was out"
                self.book.report("dealing_error", self.dealing_passage, text)
        if event.card == "??":
            self.unreadable = True
        self.cards.append(
            Dealt(
                event.to or "",
                VALUES.get(event.card, 0),
                event.up is True,
                event.by == "dealer",
                event.void,
                event.seq,
            )
        )

    def decision(self, event: Decision) -> None:
        """An announcement."""
        if event.choice != "pass":
            self.said.append(Said(event.seat, event.choice, event.hand, len(self.cards), event.seq))

    # --- money ----------------------------------------------------------------------------------------------------

    def commission_taken(self, event: CommissionTaken) -> None:
        """What went to the house."""
        self.commission += event.amount

    def bet_settled(self, event: BetSettled) -> None:
        """A claim. Whether it came too early shows when the coup is over and its last card is known."""
        bet = self.book.live.get(event.bet)
        if bet is None or not self.cards:
            self.book.claim(event)
            return
        if bet.claimed_paid is None:
            self.claims.append((bet, len(self.cards), event.seq))
        self.book.claim(event, early=False)

    def round_closed(self, event: RoundClosed) -> None:
        if self.unreadable:
            self.lose_the_coup()
        elif self.cards:
            self.end_coup()
            self.past_known = True
        self.clear()
        super().round_closed(event)

    def end_coup(self) -> None:
        """The coup is over: what it came to, and what every bet comes to."""

    def tell(self, faults: Sequence[Fault], last: int) -> None:
        """The faults of the coup, and the claims that came before its last card."""
        book, now = self.book, self.book.seq
        for code, text, seq, seat, passage in faults:
            book.seq = seq or now
            book.report(code, passage, text, seat=seat)
        for bet, after, seq in self.claims:
            if after <= last and not bet.decided:
                book.seq = seq
                book.settled_too_early(bet)
        book.seq = now

    def judge_commission(self, due: int) -> None:
        """What was taken in the round must add up to what is due."""
        if self.table.claims and self.commission != due:
            text = f"{self.money(self.commission)} was taken for the house; {self.money(due)} was due"
            self.book.report("wrong_commission", self.commission_passage, text, amount=abs(self.commission - due))
