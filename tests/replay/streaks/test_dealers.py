"""Dealers: errors at the house's rate; favour and pace beside the other dealers of the table."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import combinations, product
from math import comb
from random import Random
from statistics import median

import pytest

from replay.heading import Heading
from replay.results import Settlement, Verdict
from replay.rules import Table
from replay.streaks.dealers import FAVOURS, Dealers, error_factors, favour_factors, pace_factors, to_him_factors
from replay.streaks.expectations import Expectations, read_expectations
from replay.streaks.watch import Watch, WatchSettings
from tests.installed import PACKS
from tests.replay.streaks.honest import at_most
from tests.replay.streaks.told import told

BOULE = Table(PACKS.game("AD-2025", "boule"))


class Pit:
    """Rounds of one table, as the watch tells them."""

    def __init__(self):
        self.watch = Dealers(BOULE, 1.0)
        self.number = 0
        self.at = datetime(2026, 1, 1, 20, tzinfo=UTC)

    def round(self, differences, seconds=30.0, dealer="d1", waits=30.0):
        """``differences``: by player, what he got beyond what was due, 0 where all is right; a third says the wager,
        else it is black. ``seconds``: from no more bets to the last payout; ``waits``: for somebody to lay a stake."""
        self.number += 1
        if self.watch.dealing != dealer:
            self.watch.dealer_on(told(dealer=dealer))
        self.at += timedelta(seconds=waits)
        self.watch.bets_closed(told(seq=self.number, at=self.at))
        self.at += timedelta(seconds=seconds)
        for player, difference, *wager in differences:
            verdict = Verdict.OVERPAID if difference > 0 else Verdict.UNDERPAID if difference else Verdict.MATCH
            self.watch.bet_settled(told(seq=self.number, at=self.at))
            self.watch.settled(
                Settlement(
                    "s", self.number, "b", "2026-01-01", "c", "p", "t", "boule", "AD-2025", "EUR", dealer, player, 1,
                    wager[0] if wager else "black", "", 100, 0, 0, difference, 0, verdict, difference, "", (1,), 0, 0,
                    1,
                )
            )  # fmt: skip
        self.watch.round_over(told(closed_seq=self.number, round=self.number))

    def wealth(self, name):
        return next((process.wealth for process in self.watch.processes() if process.name == name), 1.0)

    def peaks(self, start):
        """Of the processes whose name starts so."""
        return [process.peak for process in self.watch.processes() if process.name.startswith(start)]


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


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 0.83, 1.0])
@pytest.mark.parametrize(("his", "theirs"), [(1, 1), (1, 4), (3, 1)])
def test_a_bet_on_favour_gains_nothing_whatever_share_of_errors_is_in_the_players_favour(share, his, theirs):
    """Over all ways in which a block of errors can fall, under him and under the others alike."""
    means = [0.0] * len(FAVOURS)
    for fors, others in product(range(his + 1), range(theirs + 1)):
        ways = comb(his, fors) * comb(theirs, others)
        chance = ways * share ** (fors + others) * (1 - share) ** (his + theirs - fors - others)
        for at, factor in enumerate(favour_factors((fors, his - fors), (others, theirs - others))):
            means[at] += chance * factor

    assert max(means) <= 1.0 + 1e-12


@pytest.mark.parametrize(("bets", "wrong"), [((1, 3), 1), ((2, 2, 1), 2), ((3, 1), 3)])
def test_a_bet_on_who_is_paid_too_much_is_fair_wherever_errors_fall(bets, wrong):
    """Over all ways to choose which of the bets are wrong; the first player is bet on."""
    owners = [player for player, count in enumerate(bets) for _ in range(count)]
    ways = list(combinations(owners, wrong))
    share = max(bets[0] / len(owners), 1 / len(bets))
    means = [
        sum(each) / len(ways)
        for each in zip(*(to_him_factors(share, way.count(0), wrong - way.count(0)) for way in ways), strict=True)
    ]

    assert max(means) <= 1.0 + 1e-12


@pytest.mark.parametrize("wrong", [True, False])
def test_nothing_is_staked_on_a_round_of_so_many_bets_that_one_may_always_be_wrong(wrong):
    """Five hundred bets at 1 in 500: a wrong one in each round is no more than the house expects."""
    assert set(error_factors(wrong, 500 / 500)) == {1.0}


def test_a_bet_on_pace_gains_nothing_where_he_takes_much_longer_in_half_of_the_cases_at_most():
    """Slower, faster, as fast: one of the first two in half of the cases, or less."""
    slow, fast, alike = pace_factors(60, 30), pace_factors(30, 60), pace_factors(40, 30)
    for slower, faster in ((0.5, 0.5), (0.5, 0.0), (0.0, 0.5), (0.3, 0.2)):
        rest = 1 - slower - faster
        means = [slower * s + faster * f + rest * a for s, f, a in zip(slow, fast, alike, strict=True)]

        assert max(means) <= 1.0 + 1e-12


# The honest are left alone


def beyond(play, names, *, nights=60, rounds=300, wealth=20.0):
    """The number of seeded nights in which a process whose name starts with one of ``names`` has ever had ``wealth``,
    by name: at most 1 in ``wealth`` each, by Ville's inequality."""
    found = dict.fromkeys(names, 0)
    for seed in range(nights):
        random, pit = Random(seed), Pit()
        for number in range(rounds):
            play(pit, number, random)
        for name in names:
            found[name] += max(pit.peaks(name), default=1.0) >= wealth
    return found


def error(random, *, put_right=0.0, rate=1 / 500):
    """What an honest dealer hands over beyond what is due; so many of the underpayments are put right."""
    if random.random() >= rate:
        return 0
    difference = random.choice((-5, 5))
    return 0 if difference < 0 and random.random() < put_right else difference


def test_a_dealer_who_errs_as_often_as_dealers_may_is_left_alone():
    """Four dealers take turns, three bets a round."""

    def play(pit, number, random):
        bets = [(f"p{seat}", error(random)) for seat in range(3)]
        pit.round(bets, random.expovariate(1 / 30), f"d{number // 30 % 4}")

    counts = beyond(play, ("errors of dealer d1", "favour of dealer d1", "pace of dealer d1"))

    assert at_most(1 / 20, max(counts.values()), 60)


def test_whoever_is_paid_too_little_complains_and_no_honest_dealer_is_accused_of_favour():
    """Eight of ten underpayments are put right. A career: dealers who err ten times as often as they may, so that there
    are a hundred errors."""

    def play(pit, number, random):
        errors = [(f"p{seat}", error(random, put_right=0.8, rate=0.02)) for seat in range(4)]
        pit.round(errors, 30.0, f"d{number // 30 % 4}")

    counts = beyond(play, tuple(f"favour of dealer d{number}" for number in range(4)), nights=40, rounds=1200)

    assert at_most(1 / 20, sum(counts.values()), 4 * 40)


def test_the_player_whose_bets_are_complicated_has_the_errors_and_nobody_favours_him():
    """Half of his odd bets are paid wrongly, either way, as much as those of the one other who lays such bets now and
    then; the plain bets of all others are right."""

    def play(pit, number, random):
        odd = [("odd", error(random, rate=0.5), "hop")]
        if number % 5 == 0:
            odd.append(("other", error(random, rate=0.5), "hop"))
        pit.round([*odd, *((f"p{seat}", 0) for seat in range(6))], 30.0, f"d{number // 30 % 4}")

    names = tuple(f"favour of dealer d{number} to odd" for number in range(4))

    assert at_most(1 / 20, sum(beyond(play, names).values()), 4 * 60)


@pytest.mark.parametrize("dead", [(0, 60), (200, 600)], ids=["busy", "dead"])
def test_what_customers_do_is_none_of_the_dealers_pace(dead):
    """One to eight bets a round, settled one after the other; customers come when they like. Dealers work at paces that
    differ by a fifth."""

    def play(pit, number, random):
        dealer, bets = number // 30 % 4, random.randrange(1, 9)
        seconds = (0.9 + dealer / 15) * (random.uniform(10, 20) + sum(random.uniform(0.5, 2) for _ in range(bets)))
        pit.round([(f"p{seat}", 0) for seat in range(bets)], seconds, f"d{dealer}", random.uniform(*dead))

    counts = beyond(play, tuple(f"pace of dealer d{number}" for number in range(4)), nights=25)

    assert at_most(1 / 20, sum(counts.values()), 4 * 25)


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
    for seed in range(31):
        random = Random(seed)

        def play(pit, random=random):
            pit.round([("friend", 10 if random.random() < 0.05 else 0), *((f"p{seat}", 0) for seat in range(8))])

        delays.append(rounds_until(1e6, "favour of dealer d1 to friend", play))

    assert median(delays) <= 200


def test_a_dealer_who_errs_rarely_but_always_for_one_player_is_seen_in_the_end():
    """As seldom as dealers may: that it is always he tells."""

    def play(pit):
        pit.round([("friend", 10 if pit.number % 500 == 0 else 0), ("other", 0)])

    assert rounds_until(1e6, "favour of dealer d1 to friend", play, most=20_000) <= 17_000


@pytest.mark.parametrize(("gain", "others"), [(-5, (5, -5)), (5, (5, -5)), (-5, (5, 5, 5, 5, -5))])
def test_a_dealer_whose_errors_are_all_for_one_side_is_seen_beside_others_whose_are_not(gain, others):
    """He and another take turns, each errs in every tenth round. The last: most underpayments are put right."""

    def play(pit):
        number = pit.number // 10
        if pit.number % 10:
            pit.round([("p1", 0)])
        elif number % 2:
            pit.round([("p1", gain)])
        else:
            pit.round([("p1", others[number // 2 % len(others)])], dealer="d2")

    assert rounds_until(1e6, "favour of dealer d1", play, most=1500) <= 1200


@pytest.mark.parametrize("seconds", [10, 90])
def test_a_pace_three_times_that_of_his_peers_is_seen_within_a_shift(seconds):
    """Peers take 30 seconds; after 40 rounds of theirs he comes."""
    delays = []
    for seed in range(11):
        random, pit = Random(seed), Pit()
        for number in range(80):
            mine = number >= 40
            pit.round([("p1", 0)], (seconds if mine else 30) * random.uniform(0.7, 1.3), "d1" if mine else "d2")
        delays.append(max(pit.peaks("pace of dealer d1")))

    assert median(delays) >= 1e6


# Settings


@pytest.mark.parametrize("errors", [Fraction(0), Fraction(1)])
def test_a_setting_out_of_bounds_is_named(errors):
    with pytest.raises(ValueError, match=f"errors: a chance from 1/1000000000 to below 1, not {errors}"):
        Expectations(errors)


def test_settings_are_read_from_a_file_and_the_rest_is_as_it_is_by_itself():
    assert read_expectations('errors = "1/1000"').errors == Fraction(1, 1000)
    assert read_expectations("") == Expectations()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("errors = 0.002", "errors: a chance as a string"),
        ('errors = "1/0"', "errors: a chance as a string"),
        ('errors = "3"', "errors: a chance from 1/1000000000 to below 1, not 3"),
        ('errors = "0"', "errors: a chance from 1/1000000000 to below 1, not 0"),
        ("speed = 1", "speed: no such setting"),
        ("[errors", "not TOML"),
    ],
)
def test_a_setting_that_cannot_be_read_is_named(text, says):
    with pytest.raises(ValueError, match=says):
        read_expectations(text)


def test_the_watch_hands_the_houses_settings_to_the_dealers_watch():
    house = Expectations(errors=Fraction(1, 100))
    watch = Watch(Heading.of("s", BOULE), BOULE, WatchSettings(expectations=house), ((Dealers, 1),))

    assert watch.detectors[0].expectations == house
