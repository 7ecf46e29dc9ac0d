"""Thresholds of regulators: what must be investigated, by the text of each regulation."""

from fractions import Fraction

import msgspec
import pytest

from replay.rules import RuleError
from replay.streaks.jurisdictions import Figures, investigate, jurisdiction, jurisdiction_names, read_jurisdiction

MONTH = Figures(
    casino="prairie",
    table="BJ01",
    game="blackjack",
    currency="USD",
    drop=1_000_000_00,
    win=160_000_00,
    standard_deviation=20_000_00,
    base_hold=Fraction(16, 100),
    rolling_drop=1_000_000_00,
    rolling_win=160_000_00,
    lifetime_hold=Fraction(16, 100),
)
"""A table that wins what it always has."""


def passages(name, **changed):
    return [each.passage for each in investigate([msgspec.structs.replace(MONTH, **changed)], jurisdiction(name))]


def test_a_table_on_its_base_needs_no_investigation_anywhere():
    found = [passages(name) for name in jurisdiction_names()]

    assert list(jurisdiction_names()) == ["US", "US-KS", "US-MD", "US-OH"]
    assert found == [[], [], [], []]


@pytest.mark.parametrize(
    ("win", "told"), [(190_000_00, False), (190_000_01, True), (130_000_00, False), (129_999_99, True)]
)
def test_kansas_asks_for_fluctuations_in_excess_of_three_per_cent(win, told):
    """K.A.R. 112-108-51(c): "all percentage fluctuations in excess of three percent from the base level"."""
    assert told == ("K.A.R. 112-108-51(c)" in passages("US-KS", win=win))


@pytest.mark.parametrize(("win", "told"), [(180_000_00, False), (180_000_01, True), (139_999_99, True)])
def test_kansas_asks_for_what_is_outside_the_standard_deviation(win, told):
    """K.A.R. 112-108-51(b)."""
    assert told == ("K.A.R. 112-108-51(b)" in passages("US-KS", win=win))


@pytest.mark.parametrize(("win", "told"), [(200_000_00, False), (200_000_01, True), (119_999_99, True)])
def test_ohio_asks_for_more_than_four_per_cent_on_the_rolling_thirty_days(win, told):
    """Ohio Adm. Code 3772-10-08(A): lifetime average against rolling thirty days, on a per table basis."""
    assert told == ("Ohio Adm. Code 3772-10-08(A)(2)" in passages("US-OH", rolling_win=win))
    assert passages("US-OH", win=win) == []


@pytest.mark.parametrize(("win", "told"), [(199_200_00, False), (199_200_01, True), (120_799_99, True)])
def test_maryland_asks_for_what_is_outside_the_95_per_cent_interval(win, told):
    """COMAR 36.05.03.25 B(2); 1.96 x 20,000 = 39,200."""
    assert told == (passages("US-MD", win=win) == ["COMAR 36.05.03.25 B(2)"])


def test_what_is_not_known_is_not_judged():
    unknown = {"base_hold": None, "lifetime_hold": None}

    assert [passages(name, win=0, rolling_win=0, **unknown) for name in jurisdiction_names()] == [[], [], [], []]
    assert passages("US-MD", win=0, standard_deviation=None) == []
    assert [passages(name, drop=0, rolling_drop=0) for name in jurisdiction_names()] == [[], [], [], []]


def test_the_reason_is_one_sentence():
    [found] = investigate(
        [msgspec.structs.replace(MONTH, win=129_500_00, standard_deviation=None)], jurisdiction("US-KS")
    )

    assert found.text == (
        "This month table BJ01 won 129,500.00 USD of a drop of 1,000,000.00 USD: 12.95 % against 16 % at its base"
        " level, 3.05 points less; more than 3 must be investigated"
    )
    assert Fraction(-305, 100) == found.beyond


def test_a_game_as_a_whole_is_named_as_such():
    [found] = investigate([msgspec.structs.replace(MONTH, table="", win=300_000_00)], jurisdiction("US-MD"))

    assert "the tables of blackjack" in found.text


def test_an_unknown_jurisdiction_is_named():
    with pytest.raises(RuleError, match="there is no jurisdiction US-NV"):
        jurisdiction("US-NV")


GOOD = """
name = "X"
title = "t"
source = "s"
[thresholds.a]
passage = "1"
figure = "month"
against = "base"
points = "3"
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('name = "X"', "", "name: a text is missing"),
        ('passage = "1"', "", "thresholds.a.passage: a text is missing"),
        ('"month"', '"week"', "thresholds.a.figure: one of month, rolling_30_days, not 'week'"),
        ('"base"', '"floor"', "thresholds.a.against: one of base, lifetime, not 'floor'"),
        ('"3"', "3.0", "thresholds.a.points: a positive number as a string"),
        ('"3"', '"1/0"', "thresholds.a.points: a positive number as a string"),
        ('points = "3"', "", "thresholds.a: either points or deviations"),
        ('points = "3"', 'points = "3"\nmost = 1', "thresholds.a.most: no such setting"),
        ("[thresholds.a]", "[other.a]", "thresholds: at least one is needed"),
        ("[thresholds.a]", "[thresholds.a", "not TOML"),
    ],
)
def test_a_wrong_setting_is_named(old, new, says):
    assert read_jurisdiction(GOOD).name == "X"
    with pytest.raises(RuleError, match=says):
        read_jurisdiction(GOOD.replace(old, new))
