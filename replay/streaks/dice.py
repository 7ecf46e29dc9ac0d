"""Dice: do their faces fall alike, does the shooter throw as chance does, do triples come as often as they should?

Null of all: each valid throw is that of fair dice, independent of each other and of all throws before: 1/6 a face.
Void throws are left out: a die that left the table shows nothing.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache, lru_cache
from itertools import product
from math import fsum, prod
from typing import Final, NamedTuple

from replay.events import DiceChanged, DiceRolled
from replay.rules import Table
from replay.streaks.detector import Detector, anew, watched_at
from replay.streaks.mixture import Adaptive, Mixture, Ratios, tilted
from replay.streaks.process import MAX_WEALTH, EProcess, spread

FACE: Final = (1 / 6,) * 6
PAIR: Final = (1 / 36,) * 36
"""Two dice, by six times the first face and the second, each counted from 0."""
HEAVIER: Final = (0.22, 0.55, 1.1, 2.2)
"""A heavy face comes so much more often; what lies between costs a few per cent of the speed of each."""
LIGHTER: Final = -0.3
TOPS: Final = tuple(product((0, 5), (1, 4), (2, 3)))
"""The faces, from 0, of dice of which three are missing: one of each opposite pair, twice each, for nobody ever sees
two opposite faces at once."""
ONLY: Final = 0.96
"""Such a face comes so much more often: a device may misread one in fifty."""
OF_THE_TABLE: Final = (0.3, 1.0)
"""Of `HEAVIER`, where dice are followed from set to set."""
CAUTION: Final = 600
"""Dice of which the bettor who learns the faces' frequencies makes up his mind; see `Adaptive`."""
SETS: Final = 4
"""So many sets of dice get equal parts of the level; see `replay.streaks.process.spread`."""

Weighted = tuple[tuple[float, tuple[float, ...]], ...]
"""Alternatives on one die: weight, and by face how much likelier it is than 1/6."""


def _loaded() -> Weighted:
    """A face that comes more often than the others, at `HEAVIER` strengths (with a seventeenth of the money: more
    rarely), and with a ninth of it all dice of which three faces are missing."""
    heavier = [(16.0, tilted(FACE, [face], by)) for by in HEAVIER for face in range(6)]
    lighter = [(3.0, tilted(FACE, [face], LIGHTER)) for face in range(6)]
    tops = [(6.0, tilted(FACE, faces, ONLY)) for faces in TOPS]
    return tuple((weight, tuple(ratios)) for weight, ratios in heavier + lighter + tops)


def _of_the_table() -> Weighted:
    return tuple((1.0, tuple(tilted(FACE, [face], by))) for by in OF_THE_TABLE for face in range(6))


ON_A_DIE: Final = {"set": _loaded(), "table": _of_the_table()}


@cache
def _matched() -> tuple[list[float], ...]:
    """Alternatives on two dice together, by `PAIR`: sevens, doubles, and totals of a kind."""
    sevens = [6 * face + (5 - face) for face in range(6)]
    doubles = [7 * face for face in range(6)]
    two_three_twelve = [0, 1, 6, 35]
    sixes_and_eights = [6 * one + other for one in range(6) for other in range(6) if one + other + 2 in (6, 8)]
    elevens = [6 * one + other for one in range(6) for other in range(6) if one + other + 2 == 11]
    return tuple(
        tilted(PAIR, kind, by)
        for kind, bys in (
            (sevens, (0.25, 0.7, -0.25, -0.6)),
            (doubles, (0.25, 0.7, -0.5)),
            (sixes_and_eights, (0.25, 0.6)),
            (two_three_twelve, (0.4, 1.0)),
            (elevens, (0.5, 1.2)),
        )
        for by in bys
    )


@lru_cache(maxsize=4_096)
def on_dice(of: str, dice: tuple[int, ...]) -> tuple[float, ...]:
    """By alternative, how much likelier a throw is that shows these faces (from 0), whichever die shows which: those in
    which all dice are loaded alike, then those in which one of them is and nobody knows which. Of one die: the first.
    Where the dice ``of`` a table are followed together, two of them as a pair as well."""
    one = [[ratios[face] for face in dice] for _, ratios in ON_A_DIE[of]]
    found = [prod(each) for each in one]
    if len(dice) > 1:
        found += [fsum(each) / len(dice) for each in one]
    if of == "table" and len(dice) == 2:
        found += [ratios[6 * dice[0] + dice[1]] for ratios in _matched()]
    return tuple(found)


@cache
def _weights(of: str, dice: int) -> Mixture:
    weights = [weight for weight, _ in ON_A_DIE[of]]
    alternatives = weights if dice == 1 else weights * 2
    if of == "table" and dice == 2:
        alternatives = alternatives + [1.0] * len(_matched())
    return Mixture([(weight, ()) for weight in alternatives])


class _Throw(NamedTuple):
    """What is asked of one throw, in whatever order it was reported."""

    dice: tuple[int, ...]
    """From 0, in order of size."""
    of_set: tuple[float, ...]
    of_table: tuple[float, ...]
    pair: int
    """Of two dice, by `PAIR`."""


@lru_cache(maxsize=4_096)
def _throw(reported: tuple[int, ...]) -> _Throw:
    dice = tuple([face - 1 for face in sorted(reported)])
    return _Throw(dice, on_dice("set", dice), on_dice("table", dice), 6 * dice[0] + dice[-1])


class Faces:
    """Bettors on how often the faces come, told whole throws, who do not know which die is which: a device may report
    them in order of size, or as they lie.

    `_loaded` alternatives, each half on all dice alike and half on one die among them, of which the factor of a throw
    is the mean over its dice: whichever die each number came from, that is 1 in the mean if all are fair. And one, with
    a twelfth of the money, on whatever slight bias all dice show in the long run, as Wolf's had it (E. Jaynes, "Where
    do we stand on maximum entropy?", 1978).
    """

    __slots__ = ("_loaded", "_slight", "wealth")

    def __init__(self, dice: int = 1) -> None:
        self._loaded = _weights("set", dice).anew()
        self._slight = Adaptive(FACE, CAUTION)
        self.wealth = 1.0

    def observe(self, *dice: int) -> float:
        """The wealth after a throw; faces count from 0."""
        return self.take(on_dice("set", dice), dice)

    def take(self, column: tuple[float, ...], dice: tuple[int, ...]) -> float:
        """The same, where what `on_dice` says of a set is at hand."""
        self.wealth = (11 * self._loaded.take(column) + self._slight.observe_all(dice)) / 12
        return self.wealth


def pairs() -> Mixture:
    """One bettor on two dice together: sevens, doubles, and totals of a kind, which come more often or more rarely than
    36 equal ways give them though each die may be fair by itself (glued, magnetic or matched dice; a slide). None of
    these asks which die shows which face."""
    return _pairs().anew()


@cache
def _pairs() -> Mixture:
    return Mixture([(1.0, ratios) for ratios in _matched()])


class Dice(Detector):
    """Null: *each valid throw is that of fair dice, each face with 1/6, whatever came before.* Nothing is assumed of
    the order in which a device reports the dice of a throw, nor of who throws or when dice are changed.

    `Faces` for each set of dice, and of two dice `pairs` as well; each ``dice_changed`` begins a new set. Beside them
    one process follows all throws of the table from set to set, with a quarter of the level: whoever changes dice every
    half hour changes loaded ones for loaded ones.

    Tried on: dice reported in order of size; dice exchanged every 24 to 31 throws; one-throw shooters. Not tried
    on: holes in the log.
    """

    codes = ("dice_biased",)
    wants = ("dice_rolled", "dice_changed")

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.count = self.watched.dice
        self._begin_table()
        self._begin_set()

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Where dice are thrown."""
        return watched_at(table).dice > 0

    def _begin_table(self) -> None:
        look = "who brings the dice of this table and keeps them, and who throws them; measure and weigh all of them."
        self.throws = 0
        """Of the set."""
        self.of_table = self.start("dice_biased", "dice of the table", anew(self.number("table")) / 4, look)
        self.over_sets = _weights("table", self.count).anew()

    def _begin_set(self) -> None:
        number = self.number("set")
        part = 0.75 * spread(number, SETS) / (2 if self.count == 2 else 1)
        name = f"dice {number + 1}"
        look = "take the dice off the table, measure and weigh them; who brought them, and who has handled them."
        self.on_faces = self.start("dice_biased", name, part, look)
        self.faces = Faces(self.count)
        self.on_pairs: EProcess | None = None
        if self.count == 2:
            self.on_pairs = self.start("dice_biased", f"{name}, both together", part, look)
        self.pairs = pairs()
        self.throws = 0

    def dice_rolled(self, event: DiceRolled) -> None:
        """A throw."""
        if event.void is not None or len(event.dice) != self.count:
            return
        dice, of_set, of_table, pair = _throw(tuple(event.dice))
        self.throws += 1
        seq, number = event.seq, self.round
        self.on_faces.become(self.faces.take(of_set, dice), seq, number)
        if self.on_pairs is not None:
            self.on_pairs.become(self.pairs.observe(pair), seq, number)
        self.of_table.become(self.over_sets.take(of_table), seq, number)

    def dice_changed(self, event: DiceChanged) -> None:
        """Other dice."""
        if self.throws:
            self.on_faces.ended = True
            if self.on_pairs is not None:
                self.on_pairs.ended = True
            self._begin_set()

    def disowned(self) -> None:
        """Every process starts anew."""
        self.running = []
        self._begin_table()
        self._begin_set()


class Triples(Detector):
    """Triples where wagers are on them: three equal faces, 1 throw in 36 (whatever the faces, so that dice that are
    loaded one against the other show). Alternatives: twice and four times as often, a quarter as often."""

    codes = ("triples_biased",)
    wants = ("dice_rolled", "dice_changed")

    NULL: Final = (35 / 36, 1 / 36)

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self._begin()

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Where triples are worth something."""
        return watched_at(table).triples

    def _begin(self) -> None:
        number = self.number()
        look = "the three dice and the shaker; who loads it, and whether it is shaken before the bets or after them."
        self.process = self.start("triples_biased", f"triples {number + 1}", spread(number, SETS), look)
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
            self.process.ended = True
            self._begin()

    def disowned(self) -> None:
        """A new process."""
        self.running = []
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

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
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
            process = self.start(
                "controlled_throws",
                f"shooter at seat {seat}" if seat >= 0 else "shooters",
                self.person("seat"),
                "how the shooter sets, holds and releases the dice, and whether both hit the far wall.",
                seat=seat,
            )
            found = self.seats[seat] = (process, self._bettor())
        process, bettor = found
        process.become(bettor.observe((total == 7) + 2 * (point > 0)), event.seq, self.round)

    def lost_sight(self) -> None:
        """Whether a point is on is not known."""
        self.point.number = -1

    def disowned(self) -> None:
        """Every process starts anew."""
        self.running = []
        self.seats = {}
        self.point.number = -1
