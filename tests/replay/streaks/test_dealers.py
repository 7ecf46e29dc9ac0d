"""Dealers: errors, favour and pace, bet on at the house's own rates."""

from fractions import Fraction
from random import Random
from statistics import median

import pytest

from replay.heading import Heading
from replay.results import Settlement, Verdict
from replay.rules import Table
from replay.streaks.dealers import Dealers, error_factors, favour_factors, pace_factors
from replay.streaks.expectations import Expectations, read_expectations
from replay.streaks.watch import Watch, WatchSettings
from tests.installed import PACKS
from tests.replay.streaks.told import told

BOULE = Table(PACKS.game("AD-2025", "boule"))


class Pit:
    """Rounds of one table, as the watch tells them."""

    def __init__(self):
        self.watch = Dealers(BOULE, 1.0)
        self.number = 0

    def round(self, differences, seconds=60.0, dealer="d1"):
        """``differences``: by player, what he got beyond what was due; 0 where all is right."""
        self.number += 1
        for player, difference in differences:
            verdict = Verdict.OVERPAID if difference > 0 else Verdict.UNDERPAID if difference else Verdict.MATCH
            self.watch.settled(
                Settlement(
                    "s", self.number, "b", "2026-01-01", "c", "p", "t", "boule", "AD-2025", "EUR", dealer, player, 1,
                    "black", "", 100, 0, 0, difference, 0, verdict, difference, "", (1,), 0, 0, 1,
                )
            )  # fmt: skip
        opened = 1_000_000_000 * self.number
        self.watch.round_over(
            told(
                closed_seq=self.number, round=self.number, dealer=dealer, bets=len(differences), game="boule",
                opened_at_us=opened, closed_at_us=opened + int(seconds * 1e6),
            )
        )  # fmt: skip

    def wealth(self, name):
        return next((process.wealth for process in self.watch.processes() if process.name == name), 1.0)


def rounds_until(wealth, name, play, most=3000):
    pit = Pit()
    for number in range(1, most + 1):
        play(pit)
        if pit.wealth(name) >= wealth:
            return number
    return most + 1


# The bets are fair


@pytest.mark.parametrize("chance", [0.002, 0.02, 0.2, 0.5, 0.9])
def test_a_bet_on_errors_is_fair_at_the_houses_rate_and_loses_below_it(chance):
    for rate in (chance, chance / 2, 0.0):
        up, down = error_factors(True, chance), error_factors(False, chance)
        means = [rate * won + (1 - rate) * lost for won, lost in zip(up, down, strict=True)]

        assert max(means) == pytest.approx(1.0) if rate == chance else max(means) < 1.0
        assert min(down) > 0


@pytest.mark.parametrize("chance", [0.002, 0.02, 0.5, 0.9])
def test_a_bet_on_favour_is_fair_at_the_houses_rate_with_errors_either_way(chance):
    factors = [favour_factors(gain, chance) for gain in (5, -5, 0)]
    for rate in (chance, chance / 2, 0.0):
        means = [rate / 2 * (ours + theirs) + (1 - rate) * none for ours, theirs, none in zip(*factors, strict=True)]

        assert max(means) == pytest.approx(1.0) if rate == chance else max(means) <= 1.0


@pytest.mark.parametrize("wrong", [True, False])
def test_nothing_is_staked_on_a_round_of_so_many_bets_that_one_may_always_be_wrong(wrong):
    """Five hundred bets at 1 in 500: a wrong one in each round is no more than the house expects."""
    assert set(error_factors(wrong, 500 / 500)) == {1.0}
    assert set(favour_factors(5 if wrong else 0, 600 / 500)) == {1.0}


@pytest.mark.parametrize("durations", [(20, 20), (10, 30), (1, 39), (120, 120), (90, 150), (20, 220)])
def test_a_bet_on_pace_gains_nothing_where_the_mean_lies_in_the_band(durations):
    """The house's band is 20 to 120 seconds."""
    means = [sum(pair) / 2 for pair in zip(*(pace_factors(each, 20, 120) for each in durations), strict=True)]

    assert max(means) <= 1.0 + 1e-12
    assert min(pace_factors(1e9, 20, 120)) > 0


def test_a_dealer_who_errs_as_often_as_dealers_may_is_left_alone():
    """100 seeded nights of 300 rounds with three bets each, one in 500 wrong, by chance for or against the player: at
    most one night in 20 ever sees a stake grow twentyfold, for each bet."""
    names = ("errors of dealer d1", "favour of dealer d1", "pace of dealer d1", "favour of dealer d1 to p1")
    beyond = dict.fromkeys(names, 0)
    nights = 100
    for seed in range(nights):
        random = Random(seed)
        pit = Pit()
        for _ in range(300):
            wrong = [(f"p{seat}", random.choice((-5, 5)) if random.random() < 1 / 500 else 0) for seat in range(3)]
            pit.round(wrong, random.expovariate(1 / 60))
        for process in pit.watch.processes():
            if process.name in beyond:
                beyond[process.name] += process.peak >= 20

    assert max(beyond.values()) <= nights / 20


# What is not fair is seen


def test_a_dealer_who_errs_in_one_of_twenty_bets_is_seen_within_a_shift():
    """Three bets a round: twenty-five times the rate that is allowed."""
    delays = []
    for seed in range(11):
        random = Random(seed)

        def play(pit, random=random):
            pit.round([(f"p{seat}", 5 if random.random() < 0.05 else 0) for seat in range(3)])

        delays.append(rounds_until(1e6, "errors of dealer d1", play))

    assert median(delays) <= 80


def test_a_dealer_who_overpays_one_player_in_twenty_bets_is_seen_within_some_hours():
    """Eight others are settled as they should be: in all the dealer errs in one of 180 bets."""
    delays = []
    for seed in range(11):
        random = Random(seed)

        def play(pit, random=random):
            pit.round([("friend", 10 if random.random() < 0.05 else 0), *((f"p{seat}", 0) for seat in range(8))])

        delays.append(rounds_until(1e6, "favour of dealer d1 to friend", play))

    assert median(delays) <= 250


def test_a_dealer_who_errs_rarely_but_always_for_one_player_is_seen_in_the_end():
    """As seldom as dealers may: the direction alone tells."""

    def play(pit):
        pit.round([("friend", 10 if pit.number % 500 == 0 else 0)])

    assert rounds_until(1e6, "favour of dealer d1 to friend", play, most=20_000) <= 17_000


def test_a_dealer_who_keeps_what_is_due_is_seen_too():
    assert rounds_until(1e6, "favour of dealer d1", lambda pit: pit.round([("p1", -5)])) <= 40


@pytest.mark.parametrize(("seconds", "most"), [(10, 120), (400, 20)])
def test_a_pace_far_from_the_floors_is_seen(seconds, most):
    assert rounds_until(1e6, "pace of dealer d1", lambda pit: pit.round([("p1", 0)], seconds)) <= most


# Settings


def test_a_pace_is_that_of_the_game_or_else_of_all():
    house = Expectations(pace=(("craps", 40, 400), ("", 15, 90)))

    assert house.pace_of("craps") == (40, 400)
    assert house.pace_of("boule") == (15, 90)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"errors": Fraction(0)}, "errors: a chance from 1/1000000000 to below 1, not 0"),
        ({"pace": (("", 90, 15),)}, "pace.all: the shortest and the longest mean, 1 to 86400 seconds, not 90 and 15"),
        ({"pace": (("craps", 15, 90),)}, "pace.all: the pace of games that are not named is missing"),
    ],
)
def test_a_setting_out_of_bounds_is_named(settings, says):
    with pytest.raises(ValueError, match=says):
        Expectations(**settings)


def test_settings_are_read_from_a_file_and_the_rest_is_as_it_is_by_itself():
    house = read_expectations('errors = "1/1000"\n[pace]\nall = [15, 90]\nboule = [30, 100]\n')

    assert house.errors == Fraction(1, 1000)
    assert (house.pace_of("boule"), house.pace_of("sic_bo"), house.pace_of("craps")) == ((30, 100), (15, 90), (20, 300))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("errors = 0.002", "errors: a chance as a string"),
        ('errors = "1/0"', "errors: a chance as a string"),
        ('errors = "3"', "errors: a chance from 1/1000000000 to below 1, not 3"),
        ('errors = "0"', "errors: a chance from 1/1000000000 to below 1, not 0"),
        ("pace = 60", "pace: a table of games"),
        ("[pace]\ncraps = [40]", "pace.craps: two whole numbers"),
        (
            "[pace]\ncraps = [90, 40]",
            "pace.craps: the shortest and the longest mean, 1 to 86400 seconds, not 90 and 40",
        ),
        ("[pace]\ncrap = [20, 40]", "pace.crap: no such game"),
        ("[pace]\ncraps = [20, 90000]", "pace.craps: the shortest and the longest mean"),
        ("speed = 1", "speed: no such setting"),
        ("[pace", "not TOML"),
    ],
)
def test_a_setting_that_cannot_be_read_is_named(text, says):
    with pytest.raises(ValueError, match=says):
        read_expectations(text)


def test_the_watch_hands_the_houses_settings_to_the_dealers_watch():
    house = Expectations(errors=Fraction(1, 100))
    watch = Watch(Heading.of("s", BOULE), BOULE, WatchSettings(expectations=house), ((Dealers, 1),))

    assert watch.detectors[0].expectations == house
