"""The whole floor: what stands out together, and what comes again."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.heading import Heading
from replay.results import Streak
from replay.rules import Table
from replay.streaks.floor import UNSAID_MILLI, e_bh, night, over_days
from replay.streaks.process import SAID_WITHIN
from replay.streaks.watch import Watch, WatchSettings, really
from tests.installed import PACKS
from tests.replay.streaks.honest import at_most

LEVEL = Fraction(1, 100)


def reading(process="winnings of p1", *, e=3000, needs=6000, seq=10, session="T1-2026-01-01", **changed):
    fields = {
        "gaming_day": session[-10:], "casino": "valira", "pit": "p", "table": session[:2], "game": "boule",
        "rules": "AD-2025", "currency": "EUR", "dealer": "", "player": "", "round": 1, "code": "player_wins",
        "observations": 100, "state": "ended", "at_us": 1000 * seq, "revision": seq,
    }  # fmt: skip
    return Streak(
        session=session,
        process=process,
        seq=seq,
        log10_wealth_milli=e,
        log10_alarm_milli=needs,
        **{**fields, **changed},
    )


# Many together


def test_one_process_is_raised_where_it_alarms_alone():
    assert [each.process for each in night([reading(e=6001), reading("hold", e=5600)], LEVEL)] == ["winnings of p1"]
    assert night([reading(e=6000)], LEVEL) == []


def test_five_that_stand_high_together_need_a_fifth_each():
    """log10(5) = 0.69897: 5.302 is enough where 6 is needed alone."""
    high = [reading(f"winnings of p{number}", e=5303) for number in range(5)]

    assert night(high[:4], LEVEL) == []
    assert {each.raised for each in night(high, LEVEL)} == {5}
    assert {each.needed_milli for each in night(high, LEVEL)} == {5302}


def test_another_level_needs_more_or_less():
    """A tenth of the false alarms, ten times the wealth."""
    assert night([reading(e=6500)], Fraction(1, 1000)) == []
    assert len(night([reading(e=7002)], Fraction(1, 1000))) == 1
    assert len(night([reading(e=5002)], Fraction(1, 10))) == 1


def test_what_a_running_process_may_have_lost_unsaid_is_taken_off():
    """A reading is said again when the wealth is less than it over ten to the power of a quarter."""
    assert night([reading(e=6250, state="running")], LEVEL) == []
    assert [each.log10_wealth_milli for each in night([reading(e=6251, state="running")], LEVEL)] == [6001]
    assert pytest.approx(10 ** (UNSAID_MILLI / 1000)) == SAID_WITHIN


def test_the_wealth_at_the_alarm_counts_though_it_is_lost_later():
    rows = [
        reading(e=100, seq=5),
        reading(e=6200, seq=10, state="alarmed"),
        reading(e=2000, seq=20, state="alarmed"),
    ]
    [found] = night(rows, LEVEL)

    assert found.log10_wealth_milli == 6200
    assert found.since_us == 5000


def test_what_was_taken_back_or_said_again_does_not_count():
    rows = [
        reading(e=7000),
        reading(e=7000, at_us=0, revision=11),
        reading("hold", e=7000),
        reading("hold", e=1, revision=12),
    ]

    assert night(rows, LEVEL) == []


def test_the_reason_is_for_a_pit_boss():
    [alone] = night([reading(e=6001)], LEVEL)
    first, _ = night([reading(e=6301), reading("hold", e=6301, code="hold_off")], LEVEL)

    assert alone.text == (
        "winnings of p1 at table T1 (player wins): the odds against it if all is well are 1,002,305 to 1, in 100"
        " observations. Were all well, anything at all would be raised in at most 1 night of 100."
    )
    assert "It is raised with 1 more; in the mean at most 1 % of those raised are false." in first.text


@given(st.lists(st.integers(-9000, 9000), max_size=30))
def test_e_bh_raises_the_most_that_hold_together(margins):
    """By its definition: the greatest k of which the k-th best is at least 1/k of what it needs alone."""
    falling = sorted(margins, reverse=True)
    holds = [k for k in range(1, len(falling) + 1) if 10 ** (falling[k - 1] / 1000) * k >= 1]
    almost = [k for k in range(1, len(falling) + 1) if 10 ** ((falling[k - 1] - 1) / 1000) * k >= 1]

    assert max(almost, default=0) <= e_bh(falling) <= max(holds, default=0)


def test_the_order_of_the_readings_changes_nothing():
    rows = [reading(f"winnings of p{number}", e=6001 + number % 3) for number in range(9)]
    shuffled = rows.copy()
    Random(1).shuffle(shuffled)

    assert night(shuffled, LEVEL) == night(rows, LEVEL)


@pytest.mark.parametrize("level", [Fraction(0), Fraction(2)])
def test_a_level_out_of_bounds_is_named(level):
    with pytest.raises(ValueError, match="the level is above 0"):
        night([], level)
    with pytest.raises(ValueError, match="the level is above 0"):
        over_days([], level)


# The same again


def of_days(e, days, **changed):
    """A player's readings, one session a day, at tables in turn."""
    return [
        reading(e=e, session=f"T{1 + day % 3}-2026-01-{1 + day:02d}", player="p1", **changed) for day in range(days)
    ]


def test_a_player_who_is_a_little_too_lucky_each_day_is_raised_after_some_days():
    """Sixfold each day, and a 1/128 of half of 1/100: a product of 25,600 is asked for. Half of the stake is on all of
    6^6 = 46,656, a quarter on it too, for it began on the first day."""
    assert over_days(of_days(778, 5), LEVEL) == []

    [found] = over_days(of_days(778, 6), LEVEL)

    assert (found.player, found.days, found.table) == ("p1", 6, "")
    assert found.sessions == tuple(f"T{1 + day % 3}-2026-01-{1 + day:02d}" for day in range(5))
    assert "6 sessions on 6 days since 2026-01-01" in found.text


def test_a_dealer_who_turns_after_twenty_honest_days_is_raised_within_five():
    """His honest days have cost nine tenths of the stake each."""
    honest = of_days(-1000, 20, dealer="d7", process="favour of dealer d7")
    turned = [
        reading("favour of dealer d7", e=1500, session=f"T1-2026-02-{day:02d}", player="p1", dealer="d7")
        for day in range(1, 6)
    ]

    assert over_days(honest, LEVEL) == []
    assert len(over_days(honest + turned, LEVEL)) == 1


def test_tables_are_followed_in_their_hold_and_not_in_their_dice_or_seats():
    rows = [
        reading(process, e=2500, session=f"T1-2026-01-0{day}", code=code)
        for process, code in (("hold", "hold_off"), ("dice 2", "dice_biased"), ("winnings of seat 3", "player_wins"))
        for day in (1, 2, 3)
    ]  # fmt: skip

    assert [(each.table, each.code) for each in over_days(rows, LEVEL)] == [("T1", "hold_off")]


def test_the_products_of_fair_sessions_gain_nothing_in_the_mean():
    """Each session doubles, or loses all but a hundredth, at fair odds: over 1,000 seeded months of ten days with one
    player the level of one false in ten holds."""
    random = Random(3)
    false = 0
    months = 1000
    up, down = 301, -2000
    chance = (1 - 0.01) / (2 - 0.01)
    for _ in range(months):
        rows = [
            reading(e=up if random.random() < chance else down, session=f"T1-2026-01-{day:02d}", player="p1")
            for day in range(1, 11)
        ]
        false += bool(over_days(rows, Fraction(1, 10)))

    assert false <= months / 10


# One level


def test_each_casino_of_a_store_is_a_floor_of_its_own():
    """Five that stand high together in one casino and four in the other: nine of one floor would all be raised."""
    here = [reading(f"winnings of p{number}", e=5303) for number in range(5)]
    there = [reading(f"winnings of p{number}", e=5303, casino="riera", session="T2-2026-01-01") for number in range(4)]

    assert {(each.casino, each.raised) for each in night(here + there, LEVEL)} == {("valira", 5)}


def test_who_comes_later_takes_nothing_from_those_who_were_there_before():
    """A thousand players come on the second day: what the first one needs stays the same, and he stays raised."""
    first = [reading(e=4700, player="p0", process="winnings of p0")]
    others = [
        reading(e=-500, player=f"p{number}", process=f"winnings of p{number}", session="T2-2026-01-02", seq=20)
        for number in range(1, 1000)
    ]
    [alone] = over_days(first, LEVEL)
    [among] = over_days(others + first, LEVEL)

    assert (alone.player, alone.needed_milli) == (among.player, among.needed_milli)


def test_over_all_days_on_which_one_looks_the_level_of_the_days_is_kept():
    """400 seeded months at a level of one in five, half of it for the days: each day three more players come, and
    each of all that came plays at fair odds, once fourfold or nothing much; one looks at every night."""
    random, false, months = Random(7), 0, 400
    up, down = 600, -1500
    chance = (1 - 10 ** (down / 1000)) / (10 ** (up / 1000) - 10 ** (down / 1000))
    for _ in range(months):
        rows, raised = [], False
        for day in range(1, 9):
            rows += [
                reading(
                    e=up if random.random() < chance else down, process=f"winnings of p{number}",
                    player=f"p{number}", session=f"T1-2026-01-{day:02d}", seq=day,
                )
                for number in range(3 * day)
            ]  # fmt: skip
            raised = raised or bool(over_days(rows, Fraction(1, 5)))
        false += raised

    assert at_most(1 / 10, false, months)


def test_a_night_its_alarms_and_its_days_have_one_level_together():
    """Half of it each: the alarm of a table's whole part is at twice the tables over the level."""
    table = Table(PACKS.game("AD-2025", "boule"))
    watch = Watch(Heading.of("s", table), table, WatchSettings(Fraction(1, 100), 20))
    process = watch.detectors[0].running[0]

    assert process.alarm_at * process.share == pytest.approx(2 * 20 * 100)
    assert really(Fraction(1, 100), 20, 20) == Fraction(1, 100)
    assert really(Fraction(1, 100), 20, 40) == Fraction(3, 200)  # twice the night's half, and the days' half
