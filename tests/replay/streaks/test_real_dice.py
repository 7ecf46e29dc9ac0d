"""Real dice that are known to be biased, thrown in the nineteenth century.

R. Wolf, Zurich 1882, 20,000 throws of a white and a red die (E. Jaynes, "Where do we stand on maximum entropy?", 1978,
table 1); W. Weldon 1894, 26,306 throws of twelve dice, how many showed a five or a six (K. Pearson, "On the criterion
…", Philosophical Magazine 50, 1900). Only counts have come down, so the throws are drawn in random orders from them.
"""

from __future__ import annotations

import random
from math import log
from statistics import median

import pytest

from replay.streaks.dice import Faces
from replay.streaks.mixture import Adaptive, Mixture, Pool, tilted

WHITE = (3246, 3449, 2897, 2841, 3635, 3932)
RED = (3407, 3631, 3176, 2916, 3448, 3422)
WELDON = (185, 1149, 3265, 5475, 6114, 5194, 3067, 1331, 403, 105, 14, 4, 0)


def throws_until(bettor, outcomes, wealth):
    """Observations until ``wealth`` is reached; 0: never."""
    return next((count for count, outcome in enumerate(outcomes, 1) if bettor.observe(outcome) >= wealth), 0)


def twelve_dice(throws):
    """A bettor on fives and sixes of Weldon's dice, and whether each die shows one."""
    null = (2 / 3, 1 / 3)
    slight = Mixture([(1.0, tilted(null, [1], by)) for by in (0.02, -0.02)])
    return Pool((0.5, slight), (0.5, Adaptive(null, 600))), (at < shown for shown in throws for at in range(12))


@pytest.mark.parametrize(("counts", "orders"), [(WHITE, 40), (RED, 20)])
def test_wolfs_dice_alarm_in_every_order_at_what_a_floor_of_a_hundred_tables_asks(counts, orders):
    rng = random.Random(1882)
    throws = [face for face, count in enumerate(counts) for _ in range(count)]
    found = []
    for _ in range(orders):
        rng.shuffle(throws)
        found.append(throws_until(Faces(), throws, 1e7))

    divergence = sum(count / len(throws) * log(6 * count / len(throws)) for count in counts)

    assert all(found)
    assert median(found) < 1.75 * log(1e7) / divergence  # 1 is the best that can be in the mean for a known bias


def test_weldons_dice_alarm_at_one_in_a_thousand():
    rng = random.Random(1894)
    throws = [shown for shown, count in enumerate(WELDON) for _ in range(count)]
    found = []
    for _ in range(4):
        rng.shuffle(throws)
        bettor, dice = twelve_dice(throws)
        found.append(throws_until(bettor, dice, 1000))

    assert all(found)
