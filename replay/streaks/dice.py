"""Dice: do their faces fall alike, does the shooter throw as chance does, do triples come as often as they should?

Null of all: each valid throw is that of fair dice, independent of each other and of all throws before: 1/6 a face.
Void throws are left out: a die that left the table shows nothing.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from math import fsum
from typing import Final

from replay.events import DiceChanged, DiceRolled
from replay.rules import Table
from replay.streaks.detector import Detector, watched_at
from replay.streaks.mixture import Adaptive, Mixture, Pool, Ratios, tilted
from replay.streaks.process import EProcess
from replay.streaks.winnings import part

FACE: Final = (1 / 6,) * 6
PAIR: Final = (1 / 36,) * 36
"""Two dice, by six times the first face and the second, each counted from 0."""
HEAVIER: Final = (0.22, 0.55, 1.1, 2.2)
"""A heavy face comes so much more often; what lies between costs a few per cent of the speed of each."""
LIGHTER: Final = -0.3
CAUTION: Final = 600
"""Throws of which the bettor who learns the faces' frequencies makes up his mind; see `Adaptive`."""


@cache
def _loaded() -> Mixture:
    heavier = [(16.0, tilted(FACE, [face], by)) for by in HEAVIER for face in range(6)]
    lighter = [(3.0, tilted(FACE, [face], LIGHTER)) for face in range(6)]
    return Mixture(heavier + lighter)


def faces() -> Pool:
    """Bettors on a face that comes more often than the others, at `HEAVIER` strengths (with a seventeenth of their
    money: more rarely); and one, with a twelfth of it all, on whatever slight bias the throws show in the long
    run, as Wolf's dice had it (E. Jaynes, "Where do we stand on maximum entropy?", 1978).
    """
    return Pool((11 / 12, _loaded().anew()), (1 / 12, Adaptive(FACE, CAUTION)))


def pairs() -> Mixture:
    """One bettor on two dice together: sevens, doubles, and totals of a kind, which come more often or more rarely than
    36 equal ways give them though each die may be fair by itself (glued, magnetic or matched dice; a slide)."""
    return _matched().anew()


@cache
def _matched() -> Mixture:
    sevens = [6 * face + (5 - face) for face in range(6)]
    doubles = [7 * face for face in range(6)]
    two_three_twelve = [0, 1, 6, 35]
    sixes_and_eights = [6 * one + other for one in range(6) for other in range(6) if one + other + 2 in (6, 8)]
    alternatives: list[tuple[float, Ratios]] = []
    for kind, bys in (
        (sevens, (0.25, 0.7, -0.25, -0.6)),
        (doubles, (0.25, 0.7, -0.5)),
        (sixes_and_eights, (0.25, 0.6)),
        (two_three_twelve, (0.4, 1.0)),
        ([28, 33], (0.5, 1.2)),  # elevens
    ):
        alternatives += [(1.0, tilted(PAIR, kind, by)) for by in bys]
    return Mixture(alternatives)


class _DiceSet:
    """One set of dice: a bettor on all of them alike, and one on each of them."""

    def __init__(self, number: int, dice: int, faces_: EProcess, pairs_: EProcess | None) -> None:
        self.number = number
        self.together = faces()
        self.each = [faces() for _ in range(dice)]
        self.faces = faces_
        self.pairs = pairs_
        self.bettor = pairs()

    def wealth(self) -> float:
        """Half of the money is on all dice alike, the other half on one of them."""
        return fsum([self.together.wealth / 2, *(one.wealth / (2 * len(self.each)) for one in self.each)])

    def end(self) -> None:
        """They are taken away."""
        self.faces.ended = True
        if self.pairs is not None:
            self.pairs.ended = True


class Dice(Detector):
    """`faces` for each set of dice, taken together and one by one (first, second … as the device reports them); of two
    dice `pairs` as well. Each ``dice_changed`` begins a new set.

    Half of the money is on loaded dice of the same make, the other half on one loaded die among them.
    """

    codes = ("dice_biased",)
    wants = ("dice_rolled", "dice_changed")

    def __init__(self, table: Table, share: float) -> None:
        super().__init__(table, share)
        self.count = self.watched.dice
        self.paired = self.count == 2
        self.sets = 0
        self._begin()

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Where dice are thrown."""
        return watched_at(table).dice > 0

    def _begin(self) -> None:
        share = self.share * part(self.sets) / (2 if self.paired else 1)
        self.sets += 1
        name = f"dice {self.sets}"
        look = "take the dice off the table, measure and weigh them; who brought them, and who has handled them."
        faces_ = EProcess("dice_biased", name, share, look)
        self.running.append(faces_)
        pairs_ = None
        if self.paired:
            pairs_ = EProcess("dice_biased", f"{name}, both together", share, look)
            self.running.append(pairs_)
        self.set = _DiceSet(self.sets, self.count, faces_, pairs_)

    def dice_rolled(self, event: DiceRolled) -> None:
        """A throw."""
        dice = event.dice
        if event.void is not None or len(dice) != self.count:
            return
        current = self.set
        current.together.observe_all([face - 1 for face in dice])
        for bettor, face in zip(current.each, dice, strict=True):
            bettor.observe(face - 1)
        current.faces.become(current.wealth(), event.seq, self.round)
        if current.pairs is not None:
            wealth = current.bettor.observe(6 * dice[0] + dice[1] - 7)
            current.pairs.become(wealth, event.seq, self.round)

    def dice_changed(self, event: DiceChanged) -> None:
        """Other dice."""
        if self.set.faces.observations:
            self.set.end()
            self._begin()

    def disowned(self) -> None:
        """Every process starts anew."""
        self.set.end()
        self._begin()


class Triples(Detector):
    """Triples where wagers are on them: three equal faces, 1 throw in 36 (whatever the faces, so that dice that are
    loaded one against the other show). Alternatives: twice and four times as often, a quarter as often."""

    codes = ("triples_biased",)
    wants = ("dice_rolled", "dice_changed")

    NULL: Final = (35 / 36, 1 / 36)

    def __init__(self, table: Table, share: float) -> None:
        super().__init__(table, share)
        self.sets = 0
        self._begin()

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Where triples are worth something."""
        return watched_at(table).triples

    def _begin(self) -> None:
        look = "the three dice and the shaker; who loads it, and whether it is shaken before the bets or after them."
        self.process = EProcess("triples_biased", f"triples {self.sets + 1}", self.share * part(self.sets), look)
        self.sets += 1
        self.running.append(self.process)
        self.bettor = Mixture(
            [(2.0, tilted(self.NULL, [1], by)) for by in (1.0, 3.0)] + [(1.0, tilted(self.NULL, [1], -0.75))]
        )

    def dice_rolled(self, event: DiceRolled) -> None:
        """A throw."""
        if event.void is None and len(event.dice) == 3:
            triple = event.dice[0] == event.dice[1] == event.dice[2]
            self.process.become(self.bettor.observe(triple), event.seq, self.round)

    def dice_changed(self, event: DiceChanged) -> None:
        """Other dice."""
        if self.process.observations:
            self.disowned()

    def disowned(self) -> None:
        """A new process."""
        self.process.ended = True
        self._begin()


class Point:
    """The point as the throws alone tell it: 0 none, -1 not known (until the next 7)."""

    __slots__ = ("number", "points")

    def __init__(self, points: Container[int]) -> None:
        """``points``: the totals that become it."""
        self.points = points
        self.number = 0

    def throw(self, total: int) -> None:
        """A valid throw of ``total``."""
        if total == 7:
            self.number = 0
        elif self.number == 0:
            if total in self.points:
                self.number = total
        elif total == self.number:
            self.number = 0


class Shooters(Detector):
    """Controlled throws: a shooter who throws fewer sevens than one in six.

    Null: each throw is a 7 with 1/6, whoever throws and whatever came before. Alternatives: 1/7.5, 1/10 and 1/20 (those
    who claim control speak of one seven in seven or eight throws; whoever slides a die throws far fewer), in every
    throw, or only while a point is on, where alone a 7 costs the dice: the last are likelihood ratios of the length of
    the hands, which depends on nothing else (arXiv:2504.13158). One process for each seat from which is thrown.
    """

    codes = ("controlled_throws",)
    wants = ("dice_rolled",)

    CHANCES: Final = (1 / 7.5, 1 / 10, 1 / 20)

    def __init__(self, table: Table, share: float) -> None:
        super().__init__(table, share)
        self.started = 0
        self.point = Point(self.watched.points)
        self.seats: dict[int, tuple[EProcess, Mixture]] = {}

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Where players throw the dice in turn, for a point."""
        return bool(watched_at(table).points)

    def _bettor(self) -> Mixture:
        alternatives: list[tuple[float, Ratios]] = []
        for chance in self.CHANCES:
            seven, other = 6 * chance, 6 / 5 * (1 - chance)
            # outcomes: no seven and a seven without a point, no seven and a seven with one
            alternatives += [(1.0, (other, seven, other, seven)), (1.0, (1.0, 1.0, other, seven))]
        return Mixture(alternatives)

    def dice_rolled(self, event: DiceRolled) -> None:
        """A throw by the shooter of ``seat``."""
        if event.void is not None or len(event.dice) != 2:
            return
        total = event.dice[0] + event.dice[1]
        point = self.point.number
        self.point.throw(total)
        if point < 0:
            return
        seat = -1 if event.seat is None else event.seat
        found = self.seats.get(seat)
        if found is None:
            name = f"shooter at seat {seat}" if seat >= 0 else "shooters"
            if self.started > len(self.seats):
                name += f" ({self.started + 1})"
            process = EProcess(
                "controlled_throws",
                name,
                self.share * part(self.started),
                "how the shooter sets, holds and releases the dice, and whether both hit the far wall.",
                seat=seat,
            )
            self.started += 1
            self.running.append(process)
            found = self.seats[seat] = (process, self._bettor())
        process, bettor = found
        process.become(bettor.observe((total == 7) + 2 * (point > 0)), event.seq, self.round)

    def lost_sight(self) -> None:
        """Whether a point is on is not known."""
        self.point.number = -1

    def disowned(self) -> None:
        """Every process starts anew."""
        for process, _ in self.seats.values():
            process.ended = True
        self.seats = {}
        self.point.number = -1
