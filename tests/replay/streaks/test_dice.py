"""Dice and the ball at the table: what the detectors are told, and what they make of it."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import isclose

import pytest

from replay.rules import Table
from replay.streaks.ball import Ball
from replay.streaks.dice import Dice, Shooters, Triples
from tests.installed import PACKS
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

    assert [process.observations for process in dice.running] == [0]


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
