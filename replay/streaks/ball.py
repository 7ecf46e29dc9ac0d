"""The ball: does it rest on all numbers alike?"""

from __future__ import annotations

from typing import Final

from replay.events import BallLanded
from replay.rules import Table
from replay.streaks.detector import Detector, anew, watched_at
from replay.streaks.mixture import Adaptive, Mixture, Pool, tilted
from replay.streaks.process import MAX_WEALTH

CAUTION: Final = (60, 400)
"""Balls of which those who learn the numbers' frequencies make up their minds, on strong biases and on slight ones."""


ARCS: Final = (2, 3, 4)
"""So many neighbours come more often."""


class Ball(Detector):
    """Null: *each of the numbers comes alike, whatever came before.* Alternatives: one number comes more often by a
    quarter, two thirds or half as much again as often as twice; two to four neighbours do, in the order of the numbers
    around the wheel, on one that is not level; or those do that a wager is on together; and, with a third of the money,
    whatever else the balls show.

    A wheel is not changed in the night: one process for the table. Tried on: dead tables.
    """

    codes = ("ball_biased",)
    wants = ("ball_landed",)

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.numbers = self.watched.ball
        self.least = self.watched.ball_from
        self._begin()

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Where a ball is thrown."""
        return watched_at(table).ball > 0

    def _begin(self) -> None:
        look = "the wheel: is it level, is a cup worn, loose or warmed, does the croupier throw the ball the same way."
        self.process = self.start("ball_biased", "ball", anew(self.number()), look)
        null = (1 / self.numbers,) * self.numbers
        single = [(1.0, tilted(null, [number], by)) for by in (0.25, 0.65, 1.5) for number in range(self.numbers)]
        groups = [
            (1.0, tilted(null, [number - self.least for number in together], by))
            for together in self.watched.ball_together
            for by in (0.2, 0.5)
        ]
        arcs = [
            (0.5, tilted(null, [(first + each) % self.numbers for each in range(length)], by))
            for length in ARCS
            if length < self.numbers / 2
            for by in (0.25, 0.7)
            for first in range(self.numbers)
        ]
        learning = [(1 / 6, Adaptive(null, caution)) for caution in CAUTION]
        self.bettor = Pool((4 / 6, Mixture(single + arcs + groups)), *learning)

    def ball_landed(self, event: BallLanded) -> None:
        """The ball rests; one that was called void is no result."""
        place = event.number - self.least
        if event.void is None and 0 <= place < self.numbers:
            self.process.become(self.bettor.observe(place), event.seq, self.round)

    def disowned(self) -> None:
        """A new process."""
        self.running = []
        self._begin()
