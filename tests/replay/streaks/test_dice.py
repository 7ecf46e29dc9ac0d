"""Dice and the ball at the table: what the detectors are told, and what they make of it."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import isclose, log
from statistics import median

import pytest

from replay.rules import Table
from replay.streaks.ball import Ball
from replay.streaks.dice import FACE, HEAVIER, LIGHTER, ONLY, PAIR, TOPS, Dice, Shooters, Triples
from replay.streaks.mixture import tilted
from tests.installed import PACKS
from tests.replay.streaks.honest import at_most
from tests.replay.streaks.told import told

OF = {"craps": "AD-2025", "boule": "AD-2025", "punto_banco": "AD-2025", "trente_et_quarante": "AD-2025"}


def table(game):
    return Table(PACKS.game(OF.get(game, "AD-2022"), game))


def throw(seq, *dice, void=None, seat=1):
    return told(seq=seq, dice=list(dice), void=void, seat=seat)


def wealth(detector, name):
    return next(process.wealth for process in detector.running if process.name == name)


def test_other_dice_are_another_process_with_a_part_of_its_own():
    dice = Dice(table("craps"), 1.0)
    dice.dice_rolled(throw(1, 3, 4))
    dice.dice_changed(told(seq=2))
    dice.dice_rolled(throw(3, 3, 4))

    assert [(process.name, process.ended) for process in dice.running] == [
        ("dice of the table", False),
        ("dice 1", True),
        ("dice 1, both together", True),
        ("dice 2", False),
        ("dice 2, both together", False),
    ]


def test_the_parts_of_any_number_of_dice_add_up_to_less_than_the_whole():
    dice = Dice(table("craps"), 1.0)
    for seq in range(2000):
        dice.dice_rolled(throw(seq, 3, 4))
        dice.dice_changed(told(seq=seq))

    assert sum(process.share for process in dice.running) <= 1.0


def test_void_throws_and_throws_of_too_few_dice_are_no_observations():
    dice = Dice(table("sic_bo"), 1.0)
    dice.dice_rolled(throw(1, 3, 3, 3, void="off_table"))
    dice.dice_rolled(throw(2, 3, 3))

    assert [process.observations for process in dice.running] == [0, 0]


@pytest.mark.parametrize("loaded", [(0,), (1,), (0, 1)])
def test_one_loaded_die_is_found_and_two_of_the_same_make_as_well(loaded):
    rng = random.Random(3)
    dice = Dice(table("craps"), 1.0)
    for seq in range(1, 1500):
        faces = [rng.randrange(1, 7) for _ in range(2)]
        for die in loaded:
            if faces[die] != 6 and rng.random() < 0.12:  # 6 comes six tenths more often
                faces[die] = 6
        dice.dice_rolled(throw(seq, *faces))

    assert wealth(dice, "dice 1") > 1e4


def test_dice_that_turn_to_sevens_together_are_found_though_each_is_fair():
    rng = random.Random(4)
    dice = Dice(table("craps"), 1.0)
    for seq in range(1, 2000):
        first, second = rng.randrange(1, 7), rng.randrange(1, 7)
        if rng.random() < 0.1:
            second = 7 - first  # still a fair face
        dice.dice_rolled(throw(seq, first, second))

    assert wealth(dice, "dice 1, both together") > 1e4
    assert wealth(dice, "dice 1") < 100


def test_triples_four_times_as_often_are_found_while_no_face_is_preferred():
    rng = random.Random(5)
    sic_bo = table("sic_bo")
    triples = Triples(sic_bo, 1.0)
    for seq in range(1, 1500):
        faces = [rng.randrange(1, 7) for _ in range(3)]
        if rng.random() < 3 / 36:
            faces = [faces[0]] * 3
        triples.dice_rolled(throw(seq, *faces))

    assert wealth(triples, "triples 1") > 1e6


def test_a_shooter_who_keeps_sevens_away_once_a_point_is_on_is_found_and_his_neighbour_is_not():
    rng = random.Random(6)
    shooters, point = Shooters(table("craps"), 1.0), 0
    for seq in range(1, 4000):
        seat = 1 + seq // 40 % 2
        faces = (rng.randrange(1, 7), rng.randrange(1, 7))
        while seat == 2 and point and sum(faces) == 7 and rng.random() < 0.5:
            faces = (rng.randrange(1, 7), rng.randrange(1, 7))
        shooters.dice_rolled(throw(seq, *faces, seat=seat))
        point = shooters.point.number

    assert wealth(shooters, "shooter at seat 2") > 1e4
    assert wealth(shooters, "shooter at seat 1") < 100


def test_after_missing_throws_nothing_is_bet_until_a_seven_has_shown_that_no_point_is_on():
    shooters = Shooters(table("craps"), 1.0)
    shooters.dice_rolled(throw(1, 3, 3))
    shooters.lost_sight()
    for seq, dice in enumerate([(3, 3), (2, 2), (3, 4), (5, 5)], 2):
        shooters.dice_rolled(throw(seq, *dice))

    assert [process.observations for process in shooters.running] == [2]


def test_throws_of_fair_dice_leave_a_shooters_wealth_at_one_in_the_mean():
    mean = Fraction(0)
    for throws in product(product(range(1, 7), repeat=2), repeat=2):
        shooters = Shooters(table("craps"), 1.0)
        for seq, dice in enumerate(throws, 1):
            shooters.dice_rolled(throw(seq, *dice))
        mean += Fraction(shooters.running[0].wealth) / 36**2

    assert isclose(1.0, float(mean), rel_tol=1e-12)


def test_a_number_of_the_ball_that_comes_half_as_often_again_is_found():
    rng = random.Random(8)
    ball = Ball(table("boule"), 1.0)
    for seq in range(1, 2500):
        number = rng.randrange(1, 10) if rng.random() > 0.06 else 7
        ball.ball_landed(told(seq=seq, number=number, void=None))

    assert wealth(ball, "ball") > 1e3


@pytest.mark.parametrize("outcomes", [[4], [2, 3], [8, 0, 1], [7, 8, 0, 1]], ids=["one", "two", "three", "four"])
@pytest.mark.parametrize("by", [0.7])
def test_a_number_and_neighbours_around_the_wheel_are_found_near_their_bound(outcomes, by):
    null = (1 / 9,) * 9
    chances = chances_of(null, outcomes, by)
    delays = []
    for seed in range(11):
        rng, ball = random.Random(seed), Ball(table("boule"), 1.0)
        seq = 0
        while ball.process.wealth < 1e6 and seq < 3000:
            seq += 1
            ball.ball_landed(told(seq=seq, number=1 + rng.choices(range(9), chances)[0], void=None))
        delays.append(seq)

    assert median(delays) <= 1.7 * bound(chances, null)


# The order in which a device reports the dice


@pytest.mark.parametrize("game", ["craps", "sic_bo"])
def test_fair_dice_that_are_reported_in_order_of_size_are_fair(game):
    """100 nights of 300 throws: at most one in 20 ever sees a stake grow twentyfold, for each process."""
    beyond, nights = dict[str, int](), 100
    for seed in range(nights):
        rng, dice = random.Random(seed), Dice(table(game), 1.0)
        for seq in range(1, 301):
            dice.dice_rolled(throw(seq, *sorted(rng.randrange(1, 7) for _ in range(dice.count))))
        for process in dice.running:
            beyond[process.name] = beyond.get(process.name, 0) + (process.peak >= 20)

    assert at_most(1 / 20, max(beyond.values()), nights)


def test_throws_of_fair_dice_leave_every_wealth_at_one_in_the_mean_in_whatever_order_they_are_reported():
    for order in (list, sorted, lambda dice: sorted(dice, reverse=True)):
        means = dict[str, float]()
        for throws in product(product(range(1, 7), repeat=2), repeat=2):
            dice = Dice(table("craps"), 1.0)
            for seq, faces in enumerate(throws, 1):
                dice.dice_rolled(throw(seq, *order(faces)))
            for process in dice.running:
                means[process.name] = means.get(process.name, 0.0) + process.wealth / 36**2

        assert means == pytest.approx(dict.fromkeys(means, 1.0))


# A cheat for every alternative


def throws_until(draw, name, wealth=1e6, *, game="craps", seeds=11, most=6000, change_every=0):
    """The median number of throws until the process has the wealth. ``draw``: of a source of chance, the dice."""
    delays = []
    for seed in range(seeds):
        rng, dice = random.Random(seed), Dice(table(game), 1.0)
        for seq in range(1, most + 1):
            dice.dice_rolled(throw(seq, *draw(rng)))
            if wealth_of(dice, name) >= wealth:
                break
            if change_every and seq % change_every == 0:
                dice.dice_changed(told(seq=seq))
        delays.append(seq)
    return median(delays)


def wealth_of(detector, name):
    return max((process.wealth for process in detector.running if process.name == name), default=1.0)


def bound(chances, null, wealth=1e6):
    return log(wealth) / sum(chance * log(chance / fair) for chance, fair in zip(chances, null, strict=True) if chance)


def chances_of(null, outcomes, by):
    return [fair * more for fair, more in zip(null, tilted(null, outcomes, by), strict=True)]


FACES_OF = [([5], by) for by in HEAVIER[1:]] + [([0], LIGHTER)] + [(list(TOPS[3]), ONLY)]


@pytest.mark.parametrize(("faces", "by"), FACES_OF, ids=str)
def test_a_single_die_of_each_kind_is_found_near_its_bound(faces, by):
    """Of one die alone, which three dice loaded alike are, three times as fast."""
    chances = chances_of(FACE, faces, by)

    def draw(rng):
        return [face + 1 for face in rng.choices(range(6), chances, k=3)]

    assert throws_until(draw, "dice 1", game="sic_bo") <= 1.8 * bound(chances, FACE) / 3 + 4


TOTALS = {
    "sevens": [7], "elevens": [11], "sixes and eights": [6, 8], "two, three, twelve": [2, 3, 12],
}  # fmt: skip
WAYS = {name: [way for way in range(36) if way // 6 + way % 6 + 2 in totals] for name, totals in TOTALS.items()}
WAYS["doubles"] = [7 * face for face in range(6)]


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("sevens", 0.7), ("sevens", -0.6), ("doubles", 0.7), ("doubles", -0.5), ("sixes and eights", 0.6),
        ("two, three, twelve", 1.0), ("elevens", 1.2),
    ],
)  # fmt: skip
def test_a_pair_of_each_kind_is_found_near_its_bound(name, by):
    chances = chances_of(PAIR, WAYS[name], by)

    def draw(rng):
        [way] = rng.choices(range(36), chances)
        return way // 6 + 1, way % 6 + 1

    assert throws_until(draw, "dice 1, both together", most=2500) <= 1.8 * bound(chances, PAIR)


@pytest.mark.parametrize(("by", "most"), [(-0.75, 1.8), (1.0, 1.8), (3.0, 1.8)])
def test_triples_more_often_or_more_rarely_are_found_near_their_bound(by, most):
    chances = chances_of(Triples.NULL, [1], by)
    delays = []
    for seed in range(11):
        rng, triples = random.Random(seed), Triples(table("sic_bo"), 1.0)
        seq = 0
        while triples.process.wealth < 1e6 and seq < 6000:
            seq += 1
            triples.dice_rolled(throw(seq, *((3, 3, 3) if rng.random() < chances[1] else (1, 2, 3))))
        delays.append(seq)

    assert median(delays) <= most * bound(chances, Triples.NULL)


@pytest.mark.parametrize(("by", "within"), [(0.3, 1200), (1.0, 140)])
def test_loaded_dice_that_are_exchanged_for_others_of_the_same_make_are_found(by, within):
    """Both dice, other ones every 27 throws."""
    chances = chances_of(FACE, [5], by)

    def draw(rng):
        return [face + 1 for face in rng.choices(range(6), chances, k=2)]

    assert throws_until(draw, "dice of the table", change_every=27, seeds=31, most=2000) <= within


def test_one_die_of_two_of_which_three_faces_are_missing_is_found_within_half_an_hour():
    def draw(rng):
        return rng.choice((1, 3, 5)), rng.randrange(1, 7)

    assert throws_until(draw, "dice 1", seeds=31, most=300) <= 60


def test_dice_of_which_three_faces_are_missing_are_found_within_two_dozen_throws():
    def draw(rng):
        return rng.choice((1, 2, 3)), rng.choice((1, 2, 3))

    assert throws_until(draw, "dice 1", seeds=31, most=300) <= 24
