"""Bettors on outcomes: fair if all is well, whatever the null; quick if it is not."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import isclose, log
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.streaks.dice import Faces, pairs
from replay.streaks.mixture import Adaptive, Mixture, Pool, tilted

LOADED = ((0.2, 5), (0.3, 2), (0.5, 1), (1.0, 3))
"""By how much a face is heavier, and which (from 0)."""


def chances(by, face):
    heavy = (1 + by) / 6
    return [heavy if at == face else (1 - heavy) / 5 for at in range(6)]


def delays(by, face, rng, *, change=0):
    """Throws until the wealth on a die's faces has reached a thousand and a million, counted from ``change`` on, where
    it is loaded."""
    bettor = Faces()
    for _ in range(change):
        bettor.observe(rng.randrange(6))
    weights = chances(by, face)
    first = 0
    for throws in range(1, 100_000):
        wealth = bettor.observe(rng.choices(range(6), weights)[0])
        if wealth >= 1e3 and not first:
            first = throws
        if wealth >= 1e6:
            return first, throws
    raise AssertionError("never found")


def bound(by, face, level):
    """What no test of that level can beat in the mean: log(1/a) over the Kullback-Leibler divergence."""
    return log(1 / level) / sum(chance * log(6 * chance) for chance in chances(by, face))


@pytest.mark.parametrize("every", [1, 2, 3])
def test_with_fair_outcomes_the_wealth_is_one_in_the_mean_at_any_time(every):
    null = (0.5, 0.3, 0.2)
    mean = 0.0
    for outcomes in product(range(3), repeat=7):
        bettor = Pool(
            (0.75, Mixture([(2.0, tilted(null, [0], 0.4)), (1.0, tilted(null, [1, 2], -0.3))], every=every)),
            (0.25, Adaptive(null, 5)),
        )
        chance = 1.0
        for outcome in outcomes:
            bettor.observe(outcome)
            chance *= null[outcome]
        mean += chance * bettor.wealth

    assert isclose(1.0, mean, rel_tol=1e-12)


def test_the_learning_bettor_is_the_ratio_of_polya_urns():
    outcomes = [0, 0, 1, 2, 0, 2]
    urn, expected = [Fraction(2), Fraction(1), Fraction(1)], Fraction(1)
    for outcome in outcomes:
        null = Fraction(1, 2) if outcome == 0 else Fraction(1, 4)
        expected *= urn[outcome] / sum(urn) / null
        urn[outcome] += 1
    bettor = Adaptive((0.5, 0.25, 0.25), 4)
    for outcome in outcomes:
        bettor.observe(outcome)

    assert isclose(float(expected), bettor.wealth, rel_tol=1e-12)


@given(st.lists(st.floats(0.05, 1.0), min_size=2, max_size=9), st.data())
def test_a_tilted_alternative_is_a_distribution(weights, data):
    total = sum(weights)
    null = [weight / total for weight in weights]
    chosen = data.draw(st.sets(st.sampled_from(range(len(null))), min_size=1, max_size=len(null) - 1))
    most = 1 / sum(null[at] for at in chosen) - 1
    ratios = tilted(null, chosen, data.draw(st.floats(-0.9, min(3.0, 0.9 * most))))

    assert isclose(1.0, sum(chance * ratio for chance, ratio in zip(null, ratios, strict=True)), rel_tol=1e-9)


@pytest.mark.parametrize("bettor", [Faces, pairs])
def test_of_two_hundred_fair_nights_at_level_a_twentieth_no_more_alarm_than_chance_allows(bettor):
    rng = random.Random(20)
    outcomes = 6 if bettor is Faces else 36
    alarms = 0
    for _ in range(200):
        mixture = bettor()
        alarms += any(mixture.observe(rng.randrange(outcomes)) >= 20 for _ in range(1000))

    assert alarms <= 17  # 10 are allowed in the mean; more than 17 of 200 come with less than a chance of 0.02


@pytest.mark.parametrize(("by", "face"), LOADED)
def test_a_face_that_is_a_fifth_heavier_or_more_is_found_close_to_the_bound(by, face):
    rng = random.Random(6)
    found = [delays(by, face, rng) for _ in range(61)]

    assert median(first for first, _ in found) <= 1.6 * bound(by, face, 1e-3)
    assert median(last for _, last in found) <= 1.35 * bound(by, face, 1e-6)


def test_a_die_that_is_loaded_later_is_found_soon_after():
    rng = random.Random(7)
    found = median(delays(0.5, 2, rng, change=2000)[0] for _ in range(21))

    assert found <= 3 * bound(0.5, 2, 1e-3)  # what waited begins at the 63rd beginning: a cost of log(2 x 63 x 62)


def test_riches_stop_the_bettor_before_a_number_overflows():
    mixture = Mixture([(1.0, [2.0, 0.0])])
    for _ in range(2000):
        mixture.observe(0)

    assert 1e250 <= mixture.wealth < 1e251
