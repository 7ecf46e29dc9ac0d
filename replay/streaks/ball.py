"""The ball: does it rest on all numbers alike?"""

from __future__ import annotations

from typing import Final

from replay.events import BallLanded
from replay.rules import Table
from replay.streaks.detector import Detector
from replay.streaks.mixture import Adaptive, Mixture, Pool, tilted
from replay.streaks.process import Process

NUMBERS: Final = 9
"""Boule has the numbers 1 to 9."""
CAUTION: Final = (60, 400)
"""Balls of which those who learn the numbers' frequencies make up their minds, on strong biases and on slight ones."""


class Ball(Detector):
    """Null: each of the nine numbers comes with 1/9, independent of all before. Alternatives: one number comes more
    often by a quarter, two thirds or half as much again as often as twice; or the even or the odd ones do; and, with a
    third of the money, whatever else the balls show: some numbers side by side, on a wheel that is not level.

    A wheel is not changed in the night: one process for the table.
    """

    NULL: Final = (1 / NUMBERS,) * NUMBERS

    def __init__(self, table: Table, share: float) -> None:
        super().__init__(table, share)
        self.started = 0
        self._begin()

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Boule."""
        return table.rules.game == "boule"

    def _begin(self) -> None:
        self.started += 1
        look = "the wheel: is it level, is a cup worn, loose or warmed, does the croupier throw the ball the same way."
        name = "ball" if self.started == 1 else f"ball ({self.started})"
        self.process = Process("ball_biased", name, self.share / (self.started * (self.started + 1)), look)
        self.running.append(self.process)
        single = [(1.0, tilted(self.NULL, [number], by)) for by in (0.25, 0.65, 1.5) for number in range(NUMBERS)]
        groups = [(1.0, tilted(self.NULL, group, by)) for group in ((0, 2, 6, 8), (1, 3, 5, 7)) for by in (0.2, 0.5)]
        learning = [(1 / 6, Adaptive(self.NULL, caution)) for caution in CAUTION]
        self.bettor = Pool((4 / 6, Mixture(single + groups)), *learning)

    def ball_landed(self, event: BallLanded) -> None:
        """The ball rests."""
        if 1 <= event.number <= NUMBERS:
            self.process.become(self.bettor.observe(event.number - 1), event.seq, self.round)

    def disowned(self) -> None:
        """A new process."""
        self.process.ended = True
        self._begin()
