"""How soon cheats are found, and how often the fair are accused: the detectors of `replay.streaks` beside the bound
that no test can beat, and beside what is usually done. See `tests.bench.bench_cheats` for how it is measured.

``python -m tests.bench streaks`` prints the figures and writes a page with the curves, ``build/streaks.html``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

from replay.streaks.dice import Faces
from tests.bench import bench_cheats_cards, bench_cheats_dice, bench_cheats_people, bench_shoes
from tests.bench.bench_cheats import measured, told
from tests.bench.bench_cheats_page import page
from tests.replay.streaks.test_real_dice import RED, WELDON, WHITE, throws_until, twelve_dice

CHEATS: Final = (*bench_cheats_dice.CHEATS, *bench_cheats_cards.CHEATS, *bench_cheats_people.CHEATS)
ORDERS: Final = 200
PAGE: Final = Path("build/streaks.html")


def real_dice() -> Iterator[str]:
    """Wolf's and Weldon's throws, in random orders."""
    for name, counts in (("white", WHITE), ("red", RED)):
        rng = random.Random(1882)
        throws = [face for face, count in enumerate(counts) for _ in range(count)]
        found = []
        for _ in range(ORDERS):
            rng.shuffle(throws)
            found.append(throws_until(Faces(), throws, 1e7))
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


def streaks() -> Iterator[str]:
    """Every cheat over its grid, shoes that repeat an order, real dice; and the page."""
    found = []
    for each in measured(CHEATS):
        found.append(each)
        yield from told(each)
    shoes = []
    for line in bench_shoes.repeats():
        shoes.append(line)
        yield line
    real = []
    for line in real_dice():
        real.append(line)
        yield line
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(found, real, shoes), "utf-8")
    yield f"curves: {PAGE}"
