"""Cheats with dice and with the ball, for `tests.bench.bench_cheats`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from random import Random
from typing import Final

from replay.games._craps_law import POINTS
from replay.rules import Table
from replay.streaks.ball import Ball
from replay.streaks.dice import FACE, Faces, Point, Shooters, Triples
from replay.streaks.mixture import tilted
from tests.bench.bench_cheats import (
    Bettor,
    Cheat,
    Watchable,
    divergence,
    drawn,
    of_categories,
    of_share,
    seen_as,
)
from tests.installed import PACKS
from tests.replay.streaks.told import told

CRAPS: Final = Table(PACKS.game("AD-2025", "craps"))
SIC_BO: Final = Table(PACKS.game("AD-2022", "sic_bo"))
BOULE: Final = Table(PACKS.game("AD-2025", "boule"))


def tilt(null: Sequence[float], outcomes: Sequence[int], by: float) -> list[float]:
    """The chances where ``outcomes`` are ``by`` likelier, and the others all alike less."""
    return [fair * more for fair, more in zip(null, tilted(null, outcomes, by), strict=True)]


# --- a die ------------------------------------------------------------------------------------------------------------

DIE: Final = Watchable(
    lambda: Faces().observe,
    of_categories(FACE, *(tilted(FACE, [face], 0.25) for face in range(6))),
    partial(drawn, FACE),
    1_000,
    1_000,
)


def loaded(heavier: float, rng: Random) -> Iterator[int]:
    """Faces, one of which, any, is heavier."""
    return drawn(tilt(FACE, [rng.randrange(6)], heavier), rng)


def of_a_face(heavier: float) -> float:
    """The divergence of such a die."""
    return divergence(tilt(FACE, [0], heavier), FACE)


def exchanged(heavier: float, fair_throws: float, rng: Random) -> Iterator[int]:
    """A fair die for so many throws, then a loaded one."""
    return chain(islice(drawn(FACE, rng), int(fair_throws)), loaded(heavier, rng))


def change(heavier: float) -> Cheat:
    """A die that is loaded in the course of the night."""
    return Cheat(
        "Dice",
        f"a die {heavier:.0%} heavier on one face after some fair throws",
        "fair throws before it",
        "throws",
        (0, 500, 2_000, 10_000),
        "{:,.0f}",
        DIE,
        partial(exchanged, heavier),
        lambda fair_throws: of_a_face(heavier),
        "Null: 1/6 a face. Divergence: exact, of a throw of the loaded die; delays count from its first throw.",
        20_000,
        int,
    )


# --- triples ----------------------------------------------------------------------------------------------------------

TRIPLE: Final = (35 / 36, 1 / 36)
_SHAKEN: Final = (told(seq=1, void=None, dice=[1, 1, 2]), told(seq=1, void=None, dice=[1, 1, 1]))


def triples() -> Bettor:
    """The watch for triples, told whether one came."""
    watch = Triples(SIC_BO, 1.0)

    def tell(triple: int) -> float:
        watch.dice_rolled(_SHAKEN[triple])
        return watch.process.wealth

    return tell


TRIPLES: Final = Watchable(triples, of_categories(TRIPLE, tilted(TRIPLE, [1], 1.0)), partial(drawn, TRIPLE), 1_000)


# --- the shooter ------------------------------------------------------------------------------------------------------

_THROWN: Final = [
    told(seq=1, void=None, seat=1, dice=[one, other], total=one + other) for one in range(1, 7) for other in range(1, 7)
]
_SEVEN: Final = [int(event.total == 7) for event in _THROWN]
_NO_SEVEN: Final = [way for way in range(36) if not _SEVEN[way]]


def shooters() -> Bettor:
    """The watch for controlled throws, told the way (of 36) in which the dice lie."""
    watch = Shooters(CRAPS, 1.0)

    def tell(way: int) -> float:
        watch.dice_rolled(_THROWN[way])
        return watch.running[0].wealth

    return tell


def thrown(always: bool, control: float, rng: Random) -> Iterator[int]:
    """Two dice by a shooter who keeps back a share of his sevens: in every throw, or only while a point is on."""
    point = Point(POINTS)
    while True:
        way = rng.randrange(36)
        if _SEVEN[way] and (always or point.number) and rng.random() < control:
            way = rng.choice(_NO_SEVEN)
        point.throw(_THROWN[way].total)
        yield way


def with_a_point(control: float) -> float:
    """The share of throws with a point on, of a shooter who controls those. By renewal: 36/24 throws to a point, and
    from there a geometric number to its end."""
    seven = (1 - control) / 6
    ways = {point: 6 - abs(7 - point) for point in POINTS}
    to_the_end = sum(number / 24 / (seven + (1 - seven) * number / 30) for number in ways.values())
    return to_the_end / (to_the_end + 36 / 24)


SEVENS: Final = (5 / 6, 1 / 6)
SHOOTER: Final = Watchable(
    shooters,
    {
        name: seen_as(_SEVEN.__getitem__, begin)
        for name, begin in of_categories(SEVENS, tilted(SEVENS, [1], 6 / 8 - 1)).items()
    },
    partial(thrown, False, 0.0),
    1_000,
)
_SHOOTERS_NULL: Final = "Null: each throw is a 7 with 1/6. Divergence: exact, of whether a 7 comes"


# --- the ball ---------------------------------------------------------------------------------------------------------

_LANDED: Final = [told(seq=1, number=number, void=None) for number in range(1, 10)]


def ball() -> Bettor:
    """The watch over the ball, told the number, from 0."""
    watch = Ball(BOULE, 1.0)

    def tell(number: int) -> float:
        watch.ball_landed(_LANDED[number])
        return watch.process.wealth

    return tell


NUMBER: Final = (1 / 9,) * 9
BALL: Final = Watchable(
    ball,
    of_categories(NUMBER, *(tilted(NUMBER, [number], 0.5) for number in range(9))),
    partial(drawn, NUMBER),
    1_000,
)


def sector(numbers: int, heavier: float, rng: Random) -> Iterator[int]:
    """So many numbers side by side come more often, one as often as the other."""
    first = rng.randrange(9)
    return drawn(tilt(NUMBER, [(first + each) % 9 for each in range(numbers)], heavier), rng)


def of_a_sector(numbers: int, heavier: float) -> float:
    """The divergence of such a ball."""
    return divergence(tilt(NUMBER, range(numbers), heavier), NUMBER)


def evens(heavier: float, rng: Random) -> Iterator[int]:
    """The even numbers come more often."""
    return drawn(tilt(NUMBER, (1, 3, 5, 7), heavier), rng)


_BALLS_NULL: Final = "Null: 1/9 a number. Divergence: exact."

CHEATS: Final = (
    Cheat(
        "Dice", "a die with one heavy face", "one face heavier by", "throws",
        (0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0), "{:.0%}", DIE, loaded, of_a_face,
        "Null: 1/6 a face. Divergence: exact.", 20_000,
    ),
    change(0.3),
    change(1.0),
    Cheat(
        "Dice", "triples at sic bo", "as often as they should, triples come", "throws",
        (0.0, 0.25, 0.5, 1.5, 2.0, 3.0, 5.0), "{:g}×", TRIPLES,
        lambda times, rng: drawn((1 - times / 36, times / 36), rng),
        lambda times: of_share(times / 36, 1 / 36),
        "Null: a triple with 1/36. Divergence: exact.",
    ),
    Cheat(
        "Dice", "a shooter who keeps sevens back while a point is on", "of those sevens kept back", "throws",
        (0.15, 0.2, 0.3, 0.5, 0.75, 1.0), "{:.0%}", SHOOTER, partial(thrown, False),
        lambda control: with_a_point(control) * of_share((1 - control) / 6, 1 / 6),
        f"{_SHOOTERS_NULL}, times the share of throws with a point on (hand lengths say the same).",
    ),
    Cheat(
        "Dice", "a shooter who keeps sevens back in every throw", "of sevens kept back", "throws",
        (0.15, 0.2, 0.3, 0.5, 0.75, 1.0), "{:.0%}", SHOOTER, partial(thrown, True),
        lambda control: of_share((1 - control) / 6, 1 / 6), f"{_SHOOTERS_NULL}.",
    ),
    Cheat(
        "Ball", "one number comes more often", "one of nine heavier by", "balls",
        (0.2, 0.3, 0.5, 0.75, 1.0, 2.0), "{:.0%}", BALL, partial(sector, 1), partial(of_a_sector, 1), _BALLS_NULL,
    ),
    Cheat(
        "Ball", "a sector of three numbers comes more often", "three of nine heavier by", "balls",
        (0.15, 0.2, 0.3, 0.5, 0.75, 1.0), "{:.0%}", BALL, partial(sector, 3), partial(of_a_sector, 3), _BALLS_NULL,
    ),
    Cheat(
        "Ball", "even numbers come more often", "four of nine heavier by", "balls",
        (0.1, 0.15, 0.2, 0.3, 0.5, 0.75), "{:.0%}", BALL, evens, partial(of_a_sector, 4), _BALLS_NULL,
    ),
)  # fmt: skip
