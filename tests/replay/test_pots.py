"""Pots: no chip is lost or made, whatever the seats have put in."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.pots import Pot, halves, layers, shares, take_rake, uncalled

hands = st.dictionaries(st.integers(1, 9), st.integers(0, 500), min_size=2, max_size=9).flatmap(
    lambda totals: st.tuples(st.just(totals), st.sets(st.sampled_from(sorted(totals)), min_size=1))
)


@given(hands, st.integers(0, 300))
def test_what_goes_back_and_the_pots_are_all_that_was_put_in(hand, dead):
    totals, live = hand
    seat, back = uncalled(totals)
    left = {**totals, seat: totals[seat] - back} if back else totals

    pots = layers(left, live, dead)

    assert back + sum(pot.amount for pot in pots) == sum(totals.values()) + dead


@given(hands)
def test_every_seat_plays_for_the_pots_that_it_reached_and_no_other(hand):
    totals, live = hand
    pots = layers(totals, live)

    assert pots[0].seats == tuple(sorted(live))
    for pot, higher in pairwise(pots):
        assert set(higher.seats) < set(pot.seats)
        left_out = set(pot.seats) - set(higher.seats)
        assert max(totals[seat] for seat in left_out) < min(totals[seat] for seat in higher.seats)


@given(hands)
def test_a_seat_wins_no_more_of_another_than_it_has_put_in_itself(hand):
    totals, live = hand
    pots = layers(totals, live)

    for seat in live:
        most = sum(min(total, totals[seat]) for total in totals.values())
        above = sum(max(0, total - max(totals[each] for each in live)) for total in totals.values())
        assert sum(pot.amount for pot in pots if seat in pot.seats) <= most + above


@given(hands)
def test_only_a_single_highest_total_is_uncalled_in_part(hand):
    totals, _ = hand
    first, second = sorted(totals.values(), reverse=True)[:2]

    seat, back = uncalled(totals)

    assert back == first - second
    if back:
        assert totals[seat] == first


@given(
    st.lists(st.integers(0, 100_000), min_size=1, max_size=5),
    st.integers(0, 5),
    st.sampled_from([1, 50, 100]),
    st.none() | st.integers(0, 3000),
)
def test_the_rake_of_each_pot_is_whole_chips_up_to_the_cap(amounts, percent, unit, cap):
    pots = [Pot(amount, (1, 2)) for amount in amounts]

    taken = take_rake(pots, percent, 100, unit, cap)

    exact = [amount * percent // 100 // unit * unit for amount in amounts]
    assert taken == sum(pot.rake for pot in pots)
    assert taken == (sum(exact) if cap is None else min(cap, sum(exact)))
    assert all(0 <= pot.rake <= most for pot, most in zip(pots, exact, strict=True))
    assert all(pot.net + pot.rake == pot.amount for pot in pots)


def test_the_cap_is_used_up_from_the_main_pot_on():
    pots = [Pot(3000, (1, 2, 3)), Pot(4000, (1, 2))]

    take_rake(pots, 5, 100, 50, 200)

    assert [pot.rake for pot in pots] == [150, 50]


@given(st.integers(0, 100_000), st.permutations([1, 2, 3, 5, 8]), st.integers(1, 5), st.sampled_from([1, 50, 100]))
def test_equal_hands_share_all_of_a_pot_and_differ_by_less_than_two_chips(amount, order, count, unit):
    winners = order[:count]

    found = shares(amount, winners, unit)

    assert sum(found.values()) == amount
    assert list(found) == winners
    assert max(found.values()) - min(found.values()) < 2 * unit
    assert sum(share % unit != 0 for share in found.values()) <= 1


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (900, {4: 300, 1: 300, 2: 300}),
        (1000, {4: 350, 1: 350, 2: 300}),  # two chips are left over
        (970, {4: 350, 1: 320, 2: 300}),  # one chip and a rest: the rest goes to the next
        (20, {4: 20, 1: 0, 2: 0}),
    ],
)
def test_odd_chips_go_one_each_from_the_left_of_the_button_a_rest_to_the_next(amount, expected):
    assert shares(amount, [4, 1, 2], 50) == expected


@given(st.integers(0, 100_000), st.sampled_from([1, 50, 100]))
def test_the_odd_chip_of_a_halved_pot_goes_to_the_high_hand(amount, unit):
    high, low = halves(amount, unit)

    assert high + low == amount
    assert low % unit == 0
    assert 0 <= high - low < 2 * unit
