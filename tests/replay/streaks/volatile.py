"""A detector for tests of what stands around detectors: it bets on next to everything, wins and loses without rhyme or
reason, ends and begins again, and alarms often. It says nothing about play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import pytest

from replay.results import Round, Settlement
from replay.rules import Table
from replay.streaks import watch
from replay.streaks.detector import Detector
from replay.streaks.process import MAX_WEALTH, EProcess

WATCHING = watch.WatchSettings(Fraction(1), 1)
"""A level at which a process alarms as soon as it has won a little."""


class Volatile(Detector):
    """A process for each seat that settles, and one for the table, which ends after every third round."""

    codes = ("runs", "player_wins")
    wants = ("bet_placed", "settled", "round_over")

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.begun = 0
        self.begin()

    def begin(self) -> None:
        """Everything anew."""
        self.seats: dict[int, EProcess] = {}
        self.running = []
        self.begin_table()

    def begin_table(self) -> None:
        """A new process of the table."""
        self.begun += 1
        self.of_table = self.start("runs", f"table {self.begun}", 1 / 2, "look.")

    def bet_placed(self, event: Any) -> None:
        """Odd amounts of 5.00 win."""
        self.of_table.multiply(1.7 if event.amount // 500 % 2 else 0.8, event.seq, self.round)

    def settled(self, settlement: Settlement) -> None:
        """Whatever a seat is paid helps it."""
        seat = settlement.seat or 0
        process = self.seats.get(seat)
        if process is None:
            name = f"seat {seat} since {settlement.seqs[0]}"
            process = self.seats[seat] = self.start("player_wins", name, 1 / 32, "look.", player=settlement.player)
        process.multiply(2.5 if settlement.paid else 0.6, settlement.seqs[-1], self.round)

    def round_over(self, row: Round) -> None:
        """Rounds with many bets are good for the table."""
        self.of_table.multiply(1.3 if row.bets % 2 else 0.9, row.closed_seq, row.round)
        if row.round % 3 == 0:
            self.of_table.ended = True
            self.begin_table()

    def lost_sight(self) -> None:
        """The seats' memory is lost."""
        for process in self.seats.values():
            process.ended = True
        self.seats = {}

    def disowned(self) -> None:
        """Everything anew."""
        self.begin()


@contextmanager
def volatile() -> Iterator[None]:
    """While it lasts, `Volatile` alone watches over every table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watch, "DETECTORS", ((Volatile, 1),))
        yield
