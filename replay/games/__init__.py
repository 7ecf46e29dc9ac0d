"""The games, one module each, in the order of their regulation.

A game's module holds its procedure (a `Game`: what may happen next, what each event does, which bets are then decided)
and its rulings (pure functions from cards, dice or tiles to what a wager wins). It exposes ``GAME``, the class, and
``odds(rules)``, the exact figures of its wagers (`replay.odds`). `load` finds a module by the game's name, so that a
new game is a new file and nothing else. A game of another distribution is found by its entry point of the group
``retally.games``, whose value is such a module.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, ClassVar, Final, NamedTuple

from replay.book import Bet, Book
from replay.cards import Shoe
from replay.declared import declared
from replay.errors import told
from replay.events import (
    OF_PLAY,
    BetPlaced,
    BetRaised,
    BetsClosed,
    BetSettled,
    BetWithdrawn,
    RoundClosed,
    RoundOpened,
    TableClosed,
    TableClosing,
)
from replay.heading import Heading
from replay.law import GameLaw, nearest
from replay.odds import Odds
from replay.results import Finding
from replay.rules import GameRules, RuleError, Table
from replay.watched import Watchable

GROUP: Final = "retally.games"


class Objection(NamedTuple):
    """Why a stake, a raise or a withdrawal is not accepted: finding code, passage, one sentence for a pit boss."""

    code: str
    passage: str
    text: str


class Game:
    """The procedure of one game at one table. Each event that it `handles` goes to the method of that name.

    What is here is what all games share: stakes go down, grow, are taken back, claimed; a round opens and closes. A
    game overrides the questions (`objection`, `objection_to_raise`, `objection_to_withdrawal`) and hears of what was
    accepted (`placed`, `raised`, `withdrawn`); or it overrides the handlers themselves.
    """

    handles: ClassVar[tuple[str, ...]] = ("round_opened", "bet_placed", "bet_raised", "bet_withdrawn", "bets_closed",
                                          "bet_settled", "round_closed", "table_closing")  # fmt: skip
    """The types of the events that this class handles, beside those of the class it extends: each by its method of that
    name."""
    handled: ClassVar[frozenset[str]] = frozenset(handles)
    """All of them."""
    needs: ClassVar[type[GameLaw]] = GameLaw
    """What the game's code asks of its pack: checked when the pack is loaded."""
    one_result: ClassVar[bool] = False
    """All places of the table share one result, as they do a throw or a coup: bets on the same wager win or lose
    together, wherever they lie."""
    among_players: ClassVar[bool] = False
    """The players bank: they win from each other, and the house has its cut."""
    reports_cut: ClassVar[bool] = False
    """The house's cut is said by events of its own (``rake_taken``, ``commission_taken``)."""
    fees_from_players: ClassVar[bool] = False
    """Where its commission is said by events, the players hand it over beside their stakes, from their own chips."""
    pots: ClassVar[bool] = False
    """The players put their stakes into pots, which they win from each other, and a bet gathers all that a seat puts in
    (`replay.book.Book.gather`): of a hand the house has what is taken of its pots, and nothing else."""
    stakes_live_on: ClassVar[bool] = False
    """Undecided stakes may live on into later rounds, so that after a hole in the log a claim may be for a bet that was
    never seen."""
    lasting_stakes: ClassVar[bool] = False
    """By the game's own rules, and not only where a round was closed too early, a bet may be decided in a later round
    than its own."""
    other_cards: ClassVar[bool] = False
    """Its cards are of another pack than the French one (`replay.cards.FRENCH_DECK`)."""
    watched: ClassVar[Watchable] = Watchable()
    """What there is to watch for streaks under any law, and what the game's wagers are worth to whoever watches."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        cls.handled = cls.handled | declared(cls, "handles", OF_PLAY)

    @classmethod
    def under(cls, rules: GameRules) -> type[Game]:
        """The class that plays the game under one law, where laws differ in more than one can: by what the law says,
        never by its name. It asks the same of its pack (`needs`)."""
        return cls

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """What there is to watch under one law: `watched`, and what its prices and packs of cards let be said besides.
        A wager of which they let nothing be said has no null."""
        return cls.watched

    @classmethod
    def watched_at(cls, table: Table) -> Watchable:
        """What there is to watch at one table: what its law leaves, and what hangs on how it was opened (which wheel it
        has). The nulls of its wagers are the law's."""
        return watched_of(table.rules)

    def __init__(self, table: Table, book: Book) -> None:
        self.table = table
        self.book = book
        self.rules = table.rules
        passages = table.rules.law.passages
        self.call_passage = passages.call
        """The passage after which no more bets are taken."""
        self.wager_passage = passages.wagers
        """The passage that lists the wagers."""
        self.money = table.shown
        """An amount for people: ``12.50 EUR``."""
        self.numbers_called: Mapping[int, str] = {}
        """What people call a number that the log writes otherwise: the double zero, which is 37 there, ``00``."""
        self.betting_open = True
        self.outcome = ""
        """What decided the round, for people (``3-4``); the session clears it when a round opens."""

    def table_opened(self) -> None:
        """The table is open: the place to check what the house has set up (`setup_not_allowed`)."""

    ball_numbers: Container[int] = range(100)
    """The numbers that the wheel has."""

    def cannot_show(self, event: Any) -> str:
        """Why the game's dice or wheel cannot have shown what this event says; empty where they can. A die that nobody
        could read is 0; a throw that was called void may show anything. What a pack of cards does not hold is an
        `impossible_card`."""
        if event.type == "ball_landed":
            return "" if event.number in self.ball_numbers else f"the wheel has no {event.number}"
        if event.void is None and any(face > 6 for face in event.dice):
            return f"dice do not show {'-'.join(map(str, event.dice))}"
        return ""

    def limits_changed(self) -> None:
        """The table posts other limits from now on: whoever keeps what hangs on them works it out anew."""

    def card_left_the_shoe(self, card: str) -> None:
        """A card was dealt in a round that is as if it had not been played."""
        shoe = getattr(self, "shoe", None)
        if isinstance(shoe, Shoe):
            shoe.take(card)

    def report_setup(self, faults: list[tuple[str, str]]) -> None:
        """What the house has set up against the regulation, (passage, sentence) each: one event, one finding."""
        if faults:
            passages = ", ".join(dict.fromkeys(passage for passage, _ in faults))
            self.book.report("setup_not_allowed", passages, "; ".join(text for _, text in faults))

    # --- the round ------------------------------------------------------------------------------------------------

    def round_begins(self) -> None:
        """A round begins, announced by ``round_opened`` or not; called before its first event is handled."""
        self.betting_open = True

    def round_opened(self, event: RoundOpened) -> None:
        """ "Facin joc". The beginning of a round has opened the betting: said again in the middle of one, after no more
        bets, it opens nothing."""

    def bets_closed(self, event: BetsClosed) -> None:
        """ "No va més"."""
        self.betting_open = False

    def table_closing(self, event: TableClosing) -> None:
        """The last throws or coups are announced: of consequence only where the regulation says so."""

    def round_closed(self, event: RoundClosed) -> None:
        """All is paid and collected: what is decided and unclaimed is unsettled. Overriders call this last."""
        self.book.close_round()
        self.betting_open = True

    def table_closed(self, event: TableClosed) -> None:
        """The table is closed, and its last round over: what should have been done by now, and was not."""

    # --- stakes ---------------------------------------------------------------------------------------------------

    def bet_placed(self, event: BetPlaced) -> None:
        """A stake goes down: refused, or accepted."""
        if event.of is not None and event.of in self.book.unseen_ids:
            self.book.place_unseen(event)
            return
        bet = self.book.place(event)
        if bet is None:
            return
        objection = self.objection(bet)
        if objection is None:
            self.placed(bet)
        else:
            self.book.refuse(bet, *objection)

    def bet_raised(self, event: BetRaised) -> None:
        """A stake grows, or the chips come back."""
        bet = self.book.known(event.bet)
        if bet is None:
            self.unknown_stake(event.bet, "raised")
            return
        if bet.decided:
            objection: Objection | None = self.late(bet)
        else:
            objection = self.objection_to_raise(bet, event.by)
        if objection is None:
            self.book.raise_by(bet, event.by)
            self.raised(bet, event.by)
        else:
            self.book.refund(bet, event.by, *objection)

    def bet_withdrawn(self, event: BetWithdrawn) -> None:
        """A stake, or a part of it, is taken back, or stays where it is."""
        bet = self.book.known(event.bet)
        if bet is None:
            self.unknown_stake(event.bet, "withdrawn")
            return
        if bet.decided:
            self.book.report(
                "late_withdrawal", self.call_passage, f"bet {bet.id} was taken back after it was decided", bet=bet
            )
            return
        objection = self.objection_to_withdrawal(bet)
        if objection is not None:
            self.book.report(*objection, bet=bet)
        elif event.amount is None or event.amount >= bet.amount:
            self.book.withdraw(bet)
            self.withdrawn(bet)
        else:
            self.book.lower_by(bet, event.amount)

    def unknown_stake(self, bet_id: str, done: str) -> None:
        """Something was done with a bet that was never placed, or is settled long since."""
        book = self.book
        if bet_id in book.unseen_ids:
            return
        if bet_id in book.past:
            code = "late_bet" if done == "raised" else "late_withdrawal"
            book.report(code, self.call_passage, f"bet {bet_id} was {done} after it was settled", bet_id=bet_id)
        elif not book.unseen:
            book.report("unknown_bet", "", f"bet {bet_id} was {done}, but never placed", bet_id=bet_id)

    def bet_settled(self, event: BetSettled) -> None:
        """A claim."""
        self.book.claim(event)

    # --- questions that a game answers ----------------------------------------------------------------------------

    def objection(self, bet: Bet) -> Objection | None:
        """Why this new stake is refused; None when it plays."""
        if not self.betting_open:
            return self.late(bet)
        return self.not_offered(bet)

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        """Why these chips come back; None when the stake grows."""
        return None if self.betting_open else self.late(bet)

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        """Why this stake stays; None when it may be taken back."""
        if self.betting_open:
            return None
        return Objection("late_withdrawal", self.call_passage, f"bet {bet.id} was taken back after no more bets")

    def late(self, bet: Bet) -> Objection:
        """The objection to chips that come after no more bets."""
        return Objection("late_bet", self.call_passage, f"{bet.wager_id} bet {bet.id} came after no more bets")

    def not_offered(self, bet: Bet) -> Objection | None:
        """The objection to a wager that the rules do not have, or to a pick that it does not have."""
        wager = bet.wager
        if wager is None:
            return Objection(
                "wager_not_offered",
                self.wager_passage,
                f"{bet.wager_id} is no wager of {self.rules.game} under {self.rules.pack}",
            )
        if wager.picks and bet.pick not in wager.picks:
            picks = ", ".join(map(str, wager.picks))
            return Objection("wager_not_offered", wager.passage, f"{wager.id} is on {picks}, not on {bet.pick}")
        return None

    def under_minimum(self, bet: Bet, minimum: int, passage: str) -> Objection | None:
        """The objection to a stake that is smaller than the minimum."""
        if bet.amount >= minimum:
            return None
        text = f"{bet.wager_id} bet {bet.id}: {self.money(bet.amount)} is under the minimum of {self.money(minimum)}"
        return Objection("below_minimum", passage, text)

    def placed(self, bet: Bet) -> None:
        """The stake was accepted."""

    def raised(self, bet: Bet, by: int) -> None:
        """The raise was accepted."""

    def withdrawn(self, bet: Bet) -> None:
        """The stake was taken back whole."""

    # --- what a replay shows --------------------------------------------------------------------------------------

    def lying(self) -> dict[str, str | list[str]]:
        """What the game knows of the table beside what its events show by themselves (`replay.tableau.Tableau`), by
        where it lies; the same key replaces what the events showed."""
        return {}

    def lies(self, bet: Bet) -> str:
        """Where an undecided bet lies now, where wager and pick do not say it: the number that it has gone to."""
        return ""

    def wins(self, bet: Bet) -> dict[str, int]:
        """What an undecided bet would be paid now if it won (minor units), by the case that would make it win; one that
        can win in one way only, or whose case is certain, under an empty key. Empty where the game cannot say."""
        wager = bet.wager
        if wager is None:
            return {}
        price = wager.price or wager.prices.get(str(bet.pick))
        if price is not None:
            return {"": self.table.pay(bet.amount, price)}
        return {case: self.table.pay(bet.amount, price) for case, price in wager.prices.items()}

    # --- a hole in the log ----------------------------------------------------------------------------------------

    def lost_sight(self) -> None:
        """Events are missing: forget what can no longer be known (the shoe, the point). The book has already let go of
        every bet."""

    sight_returns_with_round: ClassVar[bool] = True
    """The state of the table is certain again when the next round begins."""

    def sight_again(self, event: Any) -> bool:
        """Called with each event of play while the state of the table is unknown: True when it is certain from the next
        event on. The event itself is not judged."""
        return False


class Blind(Game):
    """In the place of a game that has failed for good: it sees nothing, and never again."""

    sight_returns_with_round = False


@cache
def names() -> tuple[str, ...]:
    """The games that retally can audit: its own, and those of other distributions."""
    return tuple(sorted({*_own_names(), *_from_outside()}))


@cache
def _own_names() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(__path__) if module.name[0] != "_")


@cache
def _from_outside() -> dict[str, EntryPoint]:
    """Games that other distributions bring, by name; none of them takes the place of one of ours."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in _own_names()}


@cache
def module_of(game: str) -> ModuleType:
    """A game's module; raises `RuleError` for a game that is not here, or whose distribution cannot be used."""
    if game in _own_names():
        return import_module(f"replay.games.{game}")
    entry = _from_outside().get(game)
    if entry is None:
        raise RuleError(f"there is no game {game} (there are: {', '.join(names())}){nearest(game, names())}")
    try:
        found: ModuleType = entry.load()
        is_game = issubclass(found.GAME, Game) and callable(found.odds)
    except Exception as error:
        raise RuleError(f"game {game} ({GROUP}: {entry.value}) cannot be used: {told(error)}") from None
    if not is_game:
        raise RuleError(f"game {game} ({GROUP}: {entry.value}) cannot be used: its GAME is no game")
    return found


def load(game: str) -> type[Game]:
    """The procedure of a game; raises `RuleError` for a game that is not here."""
    found: type[Game] = module_of(game).GAME
    return found


@lru_cache(maxsize=64)
def watched_of(rules: GameRules) -> Watchable:
    """What there is to watch at a game's tables under one law, worked out once; raises `RuleError` for a game that is
    not here."""
    return load(rules.game).watched_under(rules)


def setup_faults(rules: GameRules, **opened: Any) -> list[tuple[str, str]]:
    """What would be found wrong with a table that is opened so (what `Table` takes beside the rules; nothing: just as
    the rules say), as (passage, sentence). Raises `RuleError`, as `Table` does."""
    table = Table(rules, **opened)
    procedure = load(rules.game).under(rules)(table, Book(Heading.of("", table), table))
    procedure.report_setup(table.faults)
    procedure.table_opened()
    return [(said.passage, said.text) for said in procedure.book.out if isinstance(said, Finding)]


def odds_of(rules: GameRules) -> Callable[[GameRules], Iterable[Odds]]:
    """The ``odds`` function of a game's module."""
    found: Callable[[GameRules], Iterable[Odds]] = module_of(rules.game).odds
    return found
