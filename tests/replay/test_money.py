"""Rounding to the smallest chip, against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.money import EVEN, Price, payout

amounts = st.integers(0, 10**15)
ratios = st.integers(0, 1000), st.integers(1, 1000)
units = st.sampled_from([1, 5, 25, 50, 100, 500]) | st.integers(1, 10**6)


@given(amounts, *ratios, units)
def test_down_is_the_greatest_multiple_of_the_chip_that_is_not_more(amount, num, den, unit):
    exact = Fraction(amount * num, den)
    paid = payout(amount, num, den, unit, "down")

    assert paid % unit == 0
    assert paid <= exact < paid + unit


@given(amounts, *ratios, units)
def test_up_is_the_smallest_multiple_of_the_chip_that_is_not_less(amount, num, den, unit):
    exact = Fraction(amount * num, den)
    paid = payout(amount, num, den, unit, "up")

    assert paid % unit == 0
    assert paid - unit < exact <= paid


@given(amounts, *ratios, units)
def test_nearest_takes_an_exact_half_up(amount, num, den, unit):
    exact = Fraction(amount * num, den)
    paid = payout(amount, num, den, unit, "nearest")

    assert paid == math.floor(exact / unit + Fraction(1, 2)) * unit
    assert -Fraction(unit, 2) < paid - exact <= Fraction(unit, 2)


@pytest.mark.parametrize(
    ("rounding", "amount", "paid"),
    [
        ("down", 150, 100),
        ("down", 199, 100),
        ("nearest", 149, 100),
        ("nearest", 150, 200),
        ("up", 101, 200),
        ("up", 100, 100),
    ],
)
def test_at_even_money_in_chips_of_a_hundred(rounding, amount, paid):
    assert payout(amount, 1, 1, 100, rounding) == paid


@given(amounts, *ratios, st.sampled_from(["down", "nearest", "up"]))
def test_what_is_a_multiple_of_the_chip_is_paid_exactly_whatever_the_rounding(amount, num, den, rounding):
    assert payout(amount * den, num, den, 1, rounding) == amount * num


@given(*ratios)
def test_a_price_is_a_ratio_however_it_is_written(num, den):
    price = Price(num, den)

    assert price == Price.of(Fraction(num, den)) == Price.parse(str(price))
    assert hash(price) == hash(Price.of(Fraction(num, den)))
    assert price.ratio == Fraction(num, den)


def test_prices_are_read_from_text():
    assert Price.parse("7/6") == Price(7, 6)
    assert Price.parse("9") == Price(9)
    assert Price.parse("1/1") == EVEN
    assert Price(7, 6) != Price(6, 5)
    assert Price(1) != 1
    for text in ("", "a", "1/0", "7:6"):
        with pytest.raises((ValueError, ZeroDivisionError)):
            Price.parse(text)
