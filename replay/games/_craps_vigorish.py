"""The vigorish of bought and laid bets: what the house has of them, when it is taken, and what was."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from replay.book import Bet, Book
from replay.events import CommissionTaken
from replay.games._craps_law import ON_PLACING, CrapsLaw, Vigorish
from replay.games._craps_layout import Spot
from replay.money import payout
from replay.rules import Table


class Fees(NamedTuple):
    """What the house has of a bet, exact, in parts of the stake or of the win."""

    of_stake: Fraction = Fraction(0)
    of_win: Fraction = Fraction(0)
    on_placing: bool = True


def fees_of(law: CrapsLaw, wager: str, options: Mapping[str, Any]) -> Fees:
    """What the house has of a wager at a table with these options, before it is rounded."""
    vigorish = law.vigorish
    if vigorish is None or wager not in (*vigorish.of_stake, *vigorish.of_win):
        return Fees()
    on_placing = options[vigorish.when_option] == ON_PLACING
    if wager in vigorish.of_stake:
        return Fees(of_stake=vigorish.rate, on_placing=on_placing)
    return Fees(of_win=vigorish.rate, on_placing=on_placing)


class Vig:
    """The vigorish of one table: asked when a bet wins, and followed from bet to bet where it is taken beside the
    stake."""

    def __init__(self, law: Vigorish, table: Table, book: Book) -> None:
        self.law = law
        self.table = table
        self.book = book
        self.wagers = frozenset((*law.of_stake, *law.of_win))
        self.on_placing: bool = table.options[law.when_option] == ON_PLACING
        self.unit: int = table.options[law.unit_option]
        self.rounding: str = table.options[law.rounding_option]
        self.pending: dict[str, Bet] = {}
        """Bets whose stake was placed or raised since the last valid throw."""
        self.taken: dict[str, int] = {}
        """By bet that lies: what was taken for it, but for what was a finding itself."""

    def due(self, bet: Bet) -> int:
        """The vigorish of the whole stake as it lies."""
        spot: Spot = bet.state
        base = bet.amount
        if bet.wager_id in self.law.of_win:
            (pays,) = spot.pays
            base = self.table.share(1, *spot.winnings(bet.amount, pays))
        rate = self.law.rate
        return max(payout(base, rate.numerator, rate.denominator, self.unit, self.rounding), self.unit)

    def net(self, bet: Bet, paid: int) -> int:
        """What of a win is paid."""
        return paid if self.on_placing or bet.wager_id not in self.wagers else max(0, paid - self.due(bet))

    def laid(self, bet: Bet) -> None:
        """The stake was placed or has grown: its vigorish is owed by the next valid throw."""
        if self.on_placing and bet.wager_id in self.wagers:
            self.pending[bet.id] = bet

    def lowered(self, bet: Bet) -> None:
        """A part of the stake was taken back, and with it what was taken for it."""
        if bet.id in self.taken:
            self.taken[bet.id] = min(self.taken[bet.id], self.due(bet))

    def gone(self, bet: Bet) -> None:
        """The bet was taken back, and what was taken for it went with it."""
        self.pending.pop(bet.id, None)
        self.taken.pop(bet.id, None)

    def take(self, event: CommissionTaken) -> None:
        """Something was taken: for a bet that owes it, or for nothing."""
        if not self.table.claims:
            return
        name = event.bet or ""
        if name and self.book.may_be_unseen(name):
            return
        bet = self.pending.get(name)
        if bet is not None and self.book.live.get(name) is bet:
            self.taken[name] = self.taken.get(name, 0) + event.amount
            return
        self.report(
            f"{self.table.shown(event.amount)} was taken as vigorish where none was owed",
            event.amount,
            self.book.known(name),
            name,
            None if name else event.seat,
        )

    def thrown(self) -> None:
        """A valid throw: what is owed by now has been taken, or it is told."""
        live = self.book.live
        for name, bet in self.pending.items():
            due, taken = self.due(bet) if live.get(name) is bet else 0, self.taken.get(name, 0)
            if live.get(name) is bet and taken != due and self.table.claims and "wrong_commission" not in bet.codes:
                bet.codes += ("wrong_commission",)
                shown = self.table.shown
                text = f"{shown(taken)} of vigorish was taken for {bet.wager_id} bet {name}; {shown(due)} is due"
                self.report(text, abs(taken - due), bet, name)
        self.pending.clear()

    def over(self) -> None:
        """After a throw: of bets that lie no more nothing is kept."""
        for name in [name for name in self.taken if name not in self.book.live]:
            del self.taken[name]

    def forget(self) -> None:
        """What lies there was not seen."""
        self.pending.clear()
        self.taken.clear()

    def report(self, text: str, amount: int, bet: Bet | None, bet_id: str, seat: int | None = None) -> None:
        """The house has more or less than its part."""
        self.book.report("wrong_commission", self.law.passage, text, bet=bet, bet_id=bet_id, seat=seat, amount=amount)
