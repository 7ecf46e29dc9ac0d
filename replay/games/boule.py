"""Boule (bola), the roulette with nine numbers: AD-2025, game 4.

V.1  A number pays seven times the stake, a simple chance even money; the winner always has the stake back as well.
     When 5 comes, all simple chances lose.
V.2  The maximum is 40 to 100 times the minimum on a number, 200 to 500 times on a simple chance, and binds each player
     by himself; a cloth may be opened at twice the authorised minimum.
V.3  After "no hi van més apostes" a stake is refused and goes back.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from replay.book import Bet, Book
from replay.events import BallLanded
from replay.games import Game
from replay.law import ONE_PRICE, GameLaw, LawTable, Passage, Passages, Provision, Several
from replay.money import Price
from replay.odds import Odds, edge_and_variance
from replay.rules import GameRules, Table, Wager
from replay.watched import Exact, Repetition, Watchable

SIMPLE_CHANCES: Final = ("red", "black", "even", "odd", "high", "low")


class Bowl(Provision):
    """II, V.1: the numbers of each simple chance."""

    red: Several[int]
    black: Several[int]
    even: Several[int]
    odd: Several[int]
    high: Several[int]
    low: Several[int]


class Multiples(Provision):
    """V.2: the maximum, in multiples of the minimum."""

    least_multiple: int
    most_multiple: int


class Doubled(Provision):
    """V.2: how many times the authorised minimum a cloth may be opened at."""

    multiple: int


class Limits(LawTable):
    """V.2."""

    straight_up: Multiples
    simple_chance: Multiples
    doubled_minimum: Doubled


class BoulePassages(Passages):
    """What is cited beside the tables."""

    second_ball: Passage
    limits: Passage


class BouleLaw(GameLaw):
    """What boule asks of its pack."""

    known_wagers = frozenset({"straight_up", *SIMPLE_CHANCES})
    prices_needed = dict.fromkeys(known_wagers, (ONE_PRICE,))

    passages: BoulePassages
    bowl: Bowl
    limits: Limits

    def wins_on(self, wager: str) -> tuple[int, ...]:
        """The numbers of a simple chance."""
        found: tuple[int, ...] = getattr(self.bowl, wager)
        return found


def ruling(rules: GameRules, wager: Wager, pick: object, number: int) -> Price | None:
    """V.1: what a bet wins when ``number`` comes; None when it loses."""
    if wager.id == "straight_up":
        return wager.price if pick == number else None
    return wager.price if number in rules.law_as(BouleLaw).wins_on(wager.id) else None


class Boule(Game):
    """One boule table. Every bet is decided by the first ball after it was placed."""

    handles = ("ball_landed",)

    needs = BouleLaw
    one_result = True
    ball_numbers = range(1, 10)
    watched = Watchable(
        ball=9,
        ball_together=((1, 3, 7, 9), (2, 4, 6, 8)),
        runs=Repetition(
            name="numbers that repeat",
            look_at="the wheel and how the ball is thrown.",
            chances={"any": Fraction(1, 9)},
            of_ball=str,
        ),
        null=Exact(),
    )
    """The ball comes to any number whatever came before, so that the odds hold for every bet that is laid before it is
    thrown, and the number before comes again with 1/9."""

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.law = table.rules.law_as(BouleLaw)
        self.number: int | None = None

    def round_begins(self) -> None:
        super().round_begins()
        self.number = None

    def ball_landed(self, event: BallLanded) -> None:
        """The ball rests: every bet on the table is decided."""
        self.betting_open = False
        if self.number is not None:
            self.book.report(
                "dealer_misplay",
                self.law.passages.second_ball,
                f"a second ball, {event.number}, in one round; the first, {self.number}, decides",
            )
            return
        self.number = event.number
        self.outcome = str(event.number)
        for bet in list(self.book.live.values()):
            assert bet.wager is not None
            price = ruling(self.rules, bet.wager, bet.pick, event.number)
            if price is None:
                self.book.decide(bet, 0, 0)
            else:
                self.book.decide(bet, self.table.pay(bet.amount, price), bet.amount)

    # --- V.2, limits ----------------------------------------------------------------------------------------------

    def table_opened(self) -> None:
        """The posted maxima are multiples of the authorised minimum, of which the posted one may be the double."""
        limits = self.law.limits
        posted = [
            ("straight_up" if wager == "straight_up" else "simple_chance", wager, most)
            for wager in self.rules.wagers
            if (most := self.table.own_most(wager)) is not None
        ]
        if self.table.maximum is not None:
            posted.append(("simple_chance", "simple chances", self.table.maximum))
        minimum = min(self.table.minimum, self.table.least("straight_up"))
        if not minimum:
            return
        faults: list[tuple[str, str]] = []
        for twice in (1, limits.doubled_minimum.multiple):
            faults = []
            for kind, name, most in posted:
                bounds = limits.straight_up if kind == "straight_up" else limits.simple_chance
                low, high = bounds.least_multiple, bounds.most_multiple
                if not low * minimum <= most * twice <= high * minimum:
                    text = f"the maximum of {self.money(most)} on {name} is not {low} to {high} times the minimum"
                    faults.append((bounds.passage, text))
            if not faults:
                return
        self.report_setup(faults)

    def placed(self, bet: Bet) -> None:
        self.book.piles.lay(bet, self.pile(bet))
        self.check_minimum(bet)
        self.check_maximum(bet)

    def raised(self, bet: Bet, by: int) -> None:
        self.check_minimum(bet)
        self.check_maximum(bet)

    def check_minimum(self, bet: Bet) -> None:
        """Each bet by itself."""
        objection = self.under_minimum(bet, self.table.least(bet.wager_id), self.law.passages.limits)
        if objection is not None:
            self.book.report_once(bet, *objection)

    def pile(self, bet: Bet) -> tuple[str, str, object]:
        """What is added up: one player's live stakes on one number, or on one simple chance."""
        return bet.who, bet.wager_id, bet.pick if bet.wager_id == "straight_up" else None

    def check_maximum(self, bet: Bet) -> None:
        """Of all that the player has there."""
        most = self.maximum(bet)
        if most is None:
            return
        laid = self.book.piles.amount(self.pile(bet))
        if laid > most:
            where = f"number {bet.pick}" if bet.wager_id == "straight_up" else bet.wager_id
            self.book.report_once(
                bet,
                "above_maximum",
                self.law.passages.limits,
                f"{bet.who} has {self.money(laid)} on {where}; {self.money(most)} is the maximum",
            )

    def maximum(self, bet: Bet) -> int | None:
        """What is posted; where nothing is, the upper end of what the regulation lets the house post."""
        limits = self.law.limits
        if bet.wager_id == "straight_up":
            own = self.table.own_most("straight_up")
            return own if own is not None else limits.straight_up.most_multiple * self.table.minimum or None
        own = self.table.most(bet.wager_id)
        return own if own is not None else limits.simple_chance.most_multiple * self.table.minimum or None


def odds(rules: GameRules) -> Iterator[Odds]:
    """Each of the nine numbers is equally likely."""
    for wager in rules.wagers.values():
        for pick in wager.picks or (None,):
            outcomes: list[tuple[int, Fraction]] = []
            for number in range(1, 10):
                price = ruling(rules, wager, pick, number)
                outcomes.append((1, Fraction(-1) if price is None else price.ratio))
            edge, variance = edge_and_variance(outcomes)
            yield Odds(
                wager=wager.id,
                pick="" if pick is None else str(pick),
                edge=edge,
                variance=variance,
                assumes="a fair ball",
            )


GAME = Boule
