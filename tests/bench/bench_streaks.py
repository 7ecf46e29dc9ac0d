"""How soon a loaded die is found, and how often a fair one is accused: `replay.streaks.dice.faces` beside the bound
that no test can beat, and beside what is usually done.

The usual tests have the same nominal level, and are looked at after every throw, as a surveillance room does:

- chi-square of all faces since the start, five degrees of freedom (its critical value at 0.001: 20.515);
- z-scores of each face since the start, at 3.2905, two-sided (not corrected for six faces, as is usual);
- CUSUM of the log-likelihood of one face a quarter heavier, alarm at log(1/a) (E. Page, 1954), for each face.

``python -m tests.bench streaks`` prints the figures and writes a page with the curves, ``build/streaks.html``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from math import log, log10, sqrt
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from replay.streaks.dice import faces
from tests.replay.streaks.test_real_dice import RED, WELDON, WHITE, throws_until, twelve_dice

LEVEL: Final = 0.001
STRENGTHS: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
RUNS: Final = 61
FAIR_NIGHTS: Final = 1000
THROWS_A_NIGHT: Final = 1000
ORDERS: Final = 200
PAGE: Final = Path("build/streaks.html")

Alarm = Callable[[int], bool]
"""Told a face (from 0); whether the test alarms now."""


def ours(level: float = LEVEL) -> Alarm:
    """The bettor on a die's faces."""
    bettor, wealth = faces(), 1 / level
    return lambda face: bettor.observe(face) >= wealth


def chi_square() -> Alarm:
    """The fixed-size test, looked at after every throw once each face is expected five times."""
    counts = [0] * 6

    def tell(face: int) -> bool:
        counts[face] += 1
        throws = sum(counts)
        return throws >= 30 and 6 * sum(count * count for count in counts) / throws - throws > 20.515

    return tell


def z_scores() -> Alarm:
    """Each face's own, once it is expected five times."""
    counts, throws = [0] * 6, 0

    def tell(face: int) -> bool:
        nonlocal throws
        counts[face] += 1
        throws += 1
        spread = 3.2905 * sqrt(throws * 5 / 36)
        return throws >= 30 and any(abs(count - throws / 6) > spread for count in counts)

    return tell


def cusum() -> Alarm:
    """Of one face a quarter heavier."""
    heavy, other = log(1.25), log(0.95)
    sums = [0.0] * 6

    def tell(face: int) -> bool:
        for at in range(6):
            sums[at] = max(0.0, sums[at] + (heavy if at == face else other))
        return max(sums) >= log(1 / LEVEL)

    return tell


TESTS: Final[dict[str, Callable[[], Alarm]]] = {
    "e-process": ours,
    "chi-square": chi_square,
    "z-scores": z_scores,
    "CUSUM": cusum,
}


class Row(NamedTuple):
    """A strength: throws to the alarm, in the median."""

    heavier: float
    bound: float
    bound_million: float
    million: float
    """The e-process at a level of one in a million."""
    delays: dict[str, float]


def chances(heavier: float, face: int) -> list[float]:
    """Of a die with one heavy face."""
    heavy = (1 + heavier) / 6
    return [heavy if at == face else (1 - heavy) / 5 for at in range(6)]


def divergence(heavier: float) -> float:
    """Kullback-Leibler, from the loaded die to the fair one, natural logarithm."""
    return sum(chance * log(6 * chance) for chance in chances(heavier, 0))


def until(alarm: Alarm, weights: list[float], rng: random.Random) -> int:
    """Throws to the alarm."""
    throws = 0
    while True:
        for face in rng.choices(range(6), weights, k=256):
            throws += 1
            if alarm(face):
                return throws


def delays() -> Iterator[Row]:
    """Each strength, every face in turn."""
    for heavier in STRENGTHS:
        rng = random.Random(f"delays {heavier}")
        found: dict[str, list[int]] = {name: [] for name in TESTS}
        million: list[int] = []
        for run in range(RUNS):
            weights = chances(heavier, run % 6)
            for name, test in TESTS.items():
                found[name].append(until(test(), weights, rng))
            million.append(until(ours(1e-6), weights, rng))
        least = 1 / divergence(heavier)
        yield Row(
            heavier,
            log(1 / LEVEL) * least,
            log(1e6) * least,
            median(million),
            {name: median(throws) for name, throws in found.items()},
        )


def false_alarms() -> dict[str, float]:
    """The share of fair nights with an alarm."""
    shares = {}
    for name, test in TESTS.items():
        rng = random.Random("fair")
        nights = 0
        for _ in range(FAIR_NIGHTS):
            alarm = test()
            nights += any(alarm(face) for face in rng.choices(range(6), k=THROWS_A_NIGHT))
        shares[name] = nights / FAIR_NIGHTS
    return shares


def real_dice() -> Iterator[str]:
    """Wolf's and Weldon's throws, in random orders."""
    for name, counts in (("white", WHITE), ("red", RED)):
        rng = random.Random(1882)
        throws = [face for face, count in enumerate(counts) for _ in range(count)]
        found = []
        for _ in range(ORDERS):
            rng.shuffle(throws)
            found.append(throws_until(faces(), throws, 1e7))
        alarms = [at for at in found if at]
        yield (
            f"Wolf's {name} die alarms at a wealth of 10,000,000 in {len(alarms)} of {ORDERS} orders, after"
            f" {median(alarms):,.0f} throws in the median, {max(alarms):,} at most"
        )
    rng = random.Random(1894)
    throws = [shown for shown, count in enumerate(WELDON) for _ in range(count)]
    found = []
    for _ in range(ORDERS):
        rng.shuffle(throws)
        bettor, dice = twelve_dice(throws)
        found.append(throws_until(bettor, dice, 1000) // 12)
    alarms = [at for at in found if at]
    yield (
        f"Weldon's twelve dice alarm at a wealth of 1,000 in {len(alarms)} of {ORDERS} orders, after"
        f" {median(alarms):,.0f} throws of the twelve in the median"
    )


def page(rows: list[Row], shares: dict[str, float], real: list[str]) -> str:
    """The figures as a page with curves; strengths and throws on logarithmic axes."""
    left, right, top, bottom = 70.0, 780.0, 20.0, 380.0
    most = max(max(row.delays.values()) for row in rows)
    decades = range(1, int(log10(most)) + 2)

    def x(heavier: float) -> float:
        first, last = STRENGTHS[0], STRENGTHS[-1]
        return round(left + (right - left) * log(heavier / first) / log(last / first), 1)

    def y(throws: float) -> float:
        return round(bottom - (bottom - top) * (log10(throws) - 1) / (decades[-1] - 1), 1)

    names = ["lower bound", *TESTS]
    curves = {
        name: [(x(row.heavier), y(row.bound if name == "lower bound" else row.delays[name])) for row in rows]
        for name in names
    }
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("streaks.html.j2").render(
        rows=rows,
        shares=shares,
        real=real,
        level=LEVEL,
        nights=FAIR_NIGHTS,
        throws=THROWS_A_NIGHT,
        curves=curves,
        across=[(x(row.heavier), f"{row.heavier:.0%}") for row in rows],
        up=[(y(10.0**decade), f"{10**decade:,}") for decade in decades],
        box=(left, right, top, bottom),
    )


def loaded_dice() -> Iterator[str]:
    """All of it."""
    rows = []
    for row in delays():
        rows.append(row)
        others = ", ".join(f"{name} {throws:,.0f}" for name, throws in row.delays.items() if name != "e-process")
        yield (
            f"a face {row.heavier:.0%} heavier: {row.delays['e-process']:,.0f} throws in the median at 1/1,000,"
            f" {row.delays['e-process'] / row.bound:.2f} of the bound; {row.million:,.0f} at 1/1,000,000,"
            f" {row.million / row.bound_million:.2f} of it; looked at after every throw: {others}"
        )
    shares = false_alarms()
    yield f"{FAIR_NIGHTS:,} fair nights of {THROWS_A_NIGHT:,} throws at a level of {LEVEL}: " + ", ".join(
        f"{name} accuses the die in {share:.1%}" for name, share in shares.items()
    )
    real = list(real_dice())
    yield from real
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(rows, shares, real), "utf-8")
    yield f"curves: {PAGE}"
