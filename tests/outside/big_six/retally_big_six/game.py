"""The Big Six wheel: people stake on a symbol, the wheel stops on one of its 54, and that one wins.

Big Six 2  The wheel has 54 stops; each bears one of seven symbols.
Big Six 3  A stake on the symbol that comes wins at its price and goes back; all others lose.
Big Six 4  The minimum and the maximum are the table's, or those that it posts for a symbol; the maximum binds each
           player by himself.
Big Six 5  After no more bets a stake is refused and goes back.
Big Six 6  One spin decides a round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from replay.book import Bet, Book
from replay.events import BallLanded
from replay.games import Game
from replay.law import ONE_PRICE, Fault, GameLaw, Passage, Passages, Provision, Several
from replay.odds import Odds, edge_and_variance, net
from replay.rules import GameRules, Table
from replay.watched import Exact, Repetition, Watchable

STOPS: Final = 54
SYMBOLS: Final = ("one", "two", "five", "ten", "twenty", "joker", "logo")


class Stops(Provision):
    """2: the stops of each symbol, counted from the logo."""

    one: Several[int]
    two: Several[int]
    five: Several[int]
    ten: Several[int]
    twenty: Several[int]
    joker: Several[int]
    logo: Several[int]


class BigSixPassages(Passages):
    """What is cited beside the tables."""

    second_spin: Passage
    limits: Passage


class BigSixLaw(GameLaw):
    """What the wheel asks of its pack."""

    known_wagers = frozenset(SYMBOLS)
    prices_needed = dict.fromkeys(SYMBOLS, (ONE_PRICE,))

    passages: BigSixPassages
    stops: Stops

    def stops_of(self, symbol: str) -> tuple[int, ...]:
        """Where on the wheel a symbol is."""
        found: tuple[int, ...] = getattr(self.stops, symbol)
        return found

    def faults(self) -> Iterator[Fault]:
        """Each stop bears one symbol."""
        borne = Counter(stop for symbol in SYMBOLS for stop in self.stops_of(symbol))
        wrong = [stop for stop in range(1, STOPS + 1) if borne[stop] != 1] + [
            stop for stop in borne if not 1 <= stop <= STOPS
        ]
        if wrong:
            yield Fault("stops", f"each stop from 1 to {STOPS} once; see {', '.join(map(str, sorted(wrong)))}")


class BigSix(Game):
    """One wheel. Every bet is decided by the first spin after it was placed."""

    handles = ("ball_landed",)
    needs = BigSixLaw
    one_result = True
    watched = Watchable(
        ball=STOPS,
        runs=Repetition(
            name="stops that repeat",
            look_at="the wheel's balance, and how it is spun.",
            chances={"any": Fraction(1, STOPS)},
            of_ball=str,
        ),
        null=Exact(),
    )
    """The wheel comes to any stop whatever came before, so that the odds hold for every bet that is laid before it is
    spun, and the stop before comes again with 1/54."""

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.law = table.rules.law_as(BigSixLaw)
        self.symbols = {stop: symbol for symbol in SYMBOLS for stop in self.law.stops_of(symbol)}
        self.came = 0
        """The stop that has decided the round; 0 before."""

    def round_begins(self) -> None:
        super().round_begins()
        self.came = 0

    def ball_landed(self, event: BallLanded) -> None:
        """The wheel has stopped: every bet on the table is decided."""
        self.betting_open = False
        symbol = self.symbols.get(event.number)
        if symbol is None:
            text = f"the wheel has no stop {event.number}; this spin decides nothing"
            self.book.report("dealer_misplay", self.law.stops.passage, text)
            return
        if self.came:
            text = f"a second spin, {event.number}, in one round; the first, {self.came}, decides"
            self.book.report("dealer_misplay", self.law.passages.second_spin, text)
            return
        self.came = event.number
        self.outcome = symbol
        for bet in list(self.book.live.values()):
            assert bet.wager is not None and bet.wager.price is not None
            if bet.wager.id == symbol:
                self.book.decide(bet, self.table.pay(bet.amount, bet.wager.price), bet.amount)
            else:
                self.book.decide(bet, 0, 0)

    def lying(self) -> dict[str, str | list[str]]:
        return {"wheel": f"{self.outcome}, stop {self.came}"} if self.came else {}

    # --- 4, limits ------------------------------------------------------------------------------------------------

    def placed(self, bet: Bet) -> None:
        self.check_limits(bet)

    def raised(self, bet: Bet, by: int) -> None:
        self.check_limits(bet)

    def check_limits(self, bet: Bet) -> None:
        """The minimum binds each bet, the maximum what one player has on one symbol."""
        objection = self.under_minimum(bet, self.table.least(bet.wager_id), self.law.passages.limits)
        if objection is not None:
            self.book.report_once(bet, *objection)
        most = self.table.most(bet.wager_id)
        if most is None:
            return
        laid = sum(
            other.amount for other in self.book.live.values() if other.wager_id == bet.wager_id and other.who == bet.who
        )
        if laid > most:
            text = f"{bet.who} has {self.money(laid)} on {bet.wager_id}; {self.money(most)} is the maximum"
            self.book.report_once(bet, "above_maximum", self.law.passages.limits, text)


def odds(rules: GameRules) -> Iterator[Odds]:
    """Each of the stops is equally likely."""
    law = rules.law_as(BigSixLaw)
    for wager in rules.wagers.values():
        wins = len(law.stops_of(wager.id))
        edge, variance = edge_and_variance([(wins, net(wager.price)), (STOPS - wins, net(None))])
        yield Odds(wager=wager.id, edge=edge, variance=variance, assumes="a wheel in balance")


GAME = BigSix
