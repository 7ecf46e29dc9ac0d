"""Circle poker (AD-2022, game 23): the showdown, the pots, the house's benefit, claims."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.scenario import Scenario
from tests.games.circle_poker_hands import (
    BLINDS,
    CHECKS,
    END,
    FLOP,
    LIMPS,
    LOST,
    REST,
    RIVER,
    TABLE,
    THREE,
    TURN,
    Events,
    acts,
    board,
    claim,
    hand,
    own,
    post,
    rake,
    settle,
)
from tests.installed import JUDGING

# --- VI, the showdown ---------------------------------------------------------------------------------------------


def test_a_mucked_hand_plays_for_no_pot():
    money, findings = hand(LIMPS, REST, acts("1 fold"), END)

    assert findings == []
    assert money == {"seat1": LOST, "seat2": (400, 200), "seat3": LOST}


def test_the_last_hand_cannot_be_mucked():
    money, findings = hand(LIMPS, REST, acts("1 fold, 3 fold, 2 fold"), END)

    assert findings == [("illegal_decision", 2)]
    assert money["seat2"] == (400, 200)


def test_a_mucked_hand_is_seen_after_the_claims_too():
    money, findings = hand(LIMPS, REST, claim("seat2 400 200"), acts("1 fold"), END, claims=True)

    assert findings == []
    assert money["seat2"] == (400, 200)


def test_a_mucked_hand_leaves_the_pots_to_those_who_reached_them():
    money, _ = hand(acts("1 raise 300 all_in, 2 raise 900 all_in, 3 call 800"), FLOP, TURN, RIVER, acts("2 fold"), END)

    assert money == {"seat1": (600, 300), "seat2": LOST, "seat3": (400, 1000)}


def test_an_unread_card_leaves_the_seats_of_its_pots_open():
    deal = own(s2="?? 9D", s3="7S 6S", s1="AC AH")
    play = [*acts("1 raise 300 all_in, 2 call 200, 3 call 100"), *FLOP, *acts("2 raise 400, 3 fold"), *TURN, *RIVER]
    money, findings = settle(BLINDS, deal, play, END, **TABLE)

    assert findings == []
    assert money == {"seat1": "open", "seat2": "open", "seat3": LOST}


def test_an_unread_card_of_a_side_pot_leaves_the_main_pot_open_too():
    play = [*acts("1 raise 300 all_in, 2 raise 900, 3 call 800"), *FLOP, *acts("2 check, 3 check")]
    rest = [*TURN, *acts("2 check, 3 check"), *RIVER, *acts("2 check, 3 check")]
    money, _ = settle(BLINDS, own(s2="?? 9D", s3="7S 6S", s1="AC AH"), play, rest, END, **TABLE)
    assert set(money.values()) == {"open"}

    money, _ = settle(BLINDS, own(s2="KC 9D", s3="7S 6S", s1="?? AH"), play, rest, END, **TABLE)
    assert set(money.values()) == {"open"}


def test_an_unread_hand_that_is_mucked_or_alone_matters_to_nobody():
    money, _ = settle(BLINDS, own(s2="?? ??", s3="7S 6S", s1="AC AH"), LIMPS, REST, acts("2 fold"), END, **TABLE)
    assert money == {"seat1": (400, 200), "seat2": LOST, "seat3": LOST}

    money, _ = settle(
        BLINDS, own(s2="?? ??", s3="7S 6S", s1="AC AH"), acts("1 fold, 2 raise 300, 3 fold"), END, **TABLE
    )
    assert money["seat2"] == (200, 400)


# --- III, the pots ------------------------------------------------------------------------------------------------


def test_what_nobody_called_goes_back_and_is_not_raked():
    money, findings = hand(
        acts("1 raise 2000, 2 fold, 3 fold"), rake(0), claim("seat1 300 2000"), END, rake_percent=5, claims=True
    )

    assert findings == []
    assert money["seat1"] == (300, 2000)


def test_the_money_of_mucked_hands_above_the_highest_live_level_is_in_the_last_pot():
    """Seats 1 and 4 put in 1,000 each and muck; seat 3 is all-in for 400."""
    money, _ = settle(
        BLINDS, own(s2="KC 9D", s3="7S 6S", s4="QC QD", s1="AC AH"),
        acts("4 raise 1000, 1 call 1000, 2 fold, 3 call 200 all_in"), FLOP, acts("4 check, 1 check"),
        TURN, acts("4 check, 1 check"), RIVER, acts("4 check, 1 check, 4 fold, 1 fold"), END, **TABLE,
    )  # fmt: skip

    assert money == {"seat1": LOST, "seat2": LOST, "seat3": (2100, 400), "seat4": LOST}


def test_one_ante_for_the_table_is_dead_money_of_the_main_pot():
    money, _ = settle(
        post("3 ante 200"), BLINDS, THREE,
        acts("1 raise 500 all_in, 2 raise 900, 3 call 800"), FLOP, acts("2 check, 3 check"),
        TURN, acts("2 check, 3 check"), RIVER, acts("2 check, 3 check"), END,
        **{**TABLE, "ante": 200, "ante_by": "big_blind"},
    )  # fmt: skip

    assert money == {"seat1": (1200, 500), "seat2": (0, 1000), "seat3": LOST}


def test_one_ante_is_never_uncalled():
    money, _ = settle(
        post("3 ante 200"), BLINDS, THREE, acts("1 fold, 2 fold"), END,
        **{**TABLE, "ante": 200, "ante_by": "big_blind", "rake_percent": 5, "no_flop_no_drop": True},
    )  # fmt: skip

    assert money["seat3"] == (100, 400)


def test_each_ante_of_its_own_seat_counts_for_the_pots_only():
    money, findings = settle(
        post("1 ante 100, 2 ante 100, 3 ante 50 all_in"), post("1 small_blind 100, 2 big_blind 200"), THREE,
        acts("1 call 100, 2 check"), FLOP, acts("1 check, 2 check"), TURN, acts("1 check, 2 check"),
        RIVER, acts("1 check, 2 check"), END, button=3, ante=100, rake_percent=0,
    )  # fmt: skip

    assert findings == []
    assert money == {"seat1": (350, 300), "seat2": LOST, "seat3": LOST}


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_what_the_seats_get_and_the_rake_are_what_they_put_in(data):
    """Any legal play of three to six seats at no limit, all-ins included; the hand is played out."""
    count = data.draw(st.integers(3, 6))
    deck = data.draw(st.permutations(FRENCH_DECK))
    stacks = [data.draw(st.integers(4, 40)) * 50 for _ in range(count)]
    events, chips = _play(count, list(deck), stacks, data)
    scenario = Scenario.read(
        {
            "scenario": "-",
            "source": "-",
            "table": {
                "game": "circle_poker", "rules": "AD-2022", "chip_unit": 50, "settlement_claims": False,
                "options": {"button": count, "small_blind": 50, "big_blind": 100, "rake_percent": 5, "rake_cap": 150},
            },
            "events": events,
        }
    )  # fmt: skip

    outcome = scenario.settle(JUDGING)

    got = sum((each.paid or 0) + (each.returned or 0) for each in outcome.settlements)
    kept = sum(finding.amount or 0 for finding in outcome.findings)  # the rake, which nobody took
    assert {finding.code for finding in outcome.findings} <= {"wrong_rake"}
    assert [each.stake for each in sorted(outcome.settlements, key=lambda each: each.seat or 0)] == chips
    assert got + kept == sum(chips)


def _play(count: int, deck: list[str], stacks: list[int], data: Any) -> tuple[Events, list[int]]:
    """Events of a hand, and what each seat puts in; turns and minima are kept by arithmetic of its own."""
    put = [0] * count
    events: Events = []

    def pay(seat: int, amount: int) -> tuple[int, str]:
        amount = min(amount, stacks[seat] - put[seat])
        put[seat] += amount
        return amount, " all_in" if put[seat] == stacks[seat] else ""

    for seat, wager, blind in ((0, "small_blind", 50), (1, "big_blind", 100)):
        amount, mark = pay(seat, blind)
        events += post(f"{seat + 1} {wager} {amount}{mark}")
    for seat in range(count):
        events += own(**{f"s{seat + 1}": f"{deck.pop()} {deck.pop()}"})
    live = list(range(count))
    for street in range(4):
        if street:
            events += board(" ".join(deck.pop() for _ in range(3 if street == 1 else 1)), burn=deck.pop())
        before = list(put) if street else [0] * count
        last = 100
        waiting = [(2 + step) % count for step in range(count)] if street == 0 else list(range(count))
        while waiting:
            seat = waiting.pop(0)
            level = max(put[each] - before[each] for each in range(count))
            owed = level - (put[seat] - before[seat])
            able = [each for each in live if put[each] < stacks[each]]
            if seat not in able or (len(able) == 1 and owed == 0):
                continue
            choice = data.draw(st.sampled_from(["fold", "call", "call", "raise", "shove"]))
            if choice == "fold" and len(live) > 1 and owed:
                live.remove(seat)
                events += acts(f"{seat + 1} fold")
                if len(live) == 1:
                    return [*events, *END], put
                continue
            room = stacks[seat] - put[seat]
            if choice in ("raise", "shove") and len(able) > 1 and room > owed:
                by = room - owed if choice == "shove" else min(last, room - owed)
                full = by >= last
                amount, mark = pay(seat, owed + by)
                events += acts(f"{seat + 1} raise {amount}{mark}")
                if full:
                    last = by
                order = [(seat + step) % count for step in range(1, count)]
                if full:
                    waiting = order
                else:  # those who have acted may only call: whoever still waits keeps the turn
                    return [*events, *_call_down(order, live, put, stacks, before, deck, street), *END], put
                continue
            if owed == 0:
                events += acts(f"{seat + 1} check")
                continue
            amount, mark = pay(seat, owed)
            events += acts(f"{seat + 1} call {amount}{mark}")
    return [*events, *END], put


def _call_down(
    order: list[int],
    live: list[int],
    put: list[int],
    stacks: list[int],
    before: list[int],
    deck: list[str],
    street: int,
) -> Events:
    """Everybody calls what is owed, and checks from then on."""
    events: Events = []
    for seat in order:
        level = max(put[each] - before[each] for each in range(len(put)))
        owed = level - (put[seat] - before[seat])
        if seat not in live or put[seat] == stacks[seat] or owed == 0:
            continue
        amount = min(owed, stacks[seat] - put[seat])
        put[seat] += amount
        events += acts(f"{seat + 1} call {amount}{' all_in' if put[seat] == stacks[seat] else ''}")
    for later in range(street + 1, 4):
        events += board(" ".join(deck.pop() for _ in range(3 if later == 1 else 1)), burn=deck.pop())
        able = [seat for seat in sorted(live) if put[seat] < stacks[seat]]
        if len(able) > 1:
            events += acts(", ".join(f"{seat + 1} check" for seat in able))
    return events


# --- II, the house's benefit --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "taken", "expected"),
    [
        ({}, 150, []),  # 3,000 in the pot
        ({}, 0, [("wrong_rake", 150)]),
        ({"rake_percent": Decimal("2.5")}, 50, []),  # 75, in chips of 50
        ({"rake_percent": 0}, 0, []),
        ({"rake_cap": 100}, 100, []),
    ],
)
def test_the_rake_is_a_percentage_rounded_down_to_chips(options, taken, expected):
    play = [*acts("1 raise 1000, 2 call 900, 3 call 800"), *REST]
    _, findings = hand(play, rake(taken), END, **{"rake_percent": 5, **options})

    assert findings == expected


def test_the_rake_may_be_taken_in_parts():
    play = [*acts("1 raise 1000, 2 call 900, 3 call 800"), *REST]
    _, findings = hand(play, rake(100), rake(50), END, rake_percent=5)

    assert findings == []


def test_with_no_flop_no_drop_a_hand_with_a_flop_is_raked():
    play = [*acts("1 raise 1000, 2 call 900, 3 fold"), *FLOP, *acts("2 raise 400, 1 fold")]
    _, findings = hand(play, rake(100), END, rake_percent=5, no_flop_no_drop=True)

    assert findings == []


@pytest.mark.parametrize(
    ("fees", "expected"),
    [
        ([*rake(500, 1), *rake(500, 2)], []),
        ([*rake(400, 1)], [("wrong_rake", 1, 100)]),
        ([*rake(500, 1), *rake(500, 1)], [("wrong_rake", 1, 500)]),
        ([*rake(50)], [("wrong_rake", 50)]),
    ],
)
def test_a_fee_per_time_is_taken_once_a_seat_and_nothing_from_the_pot(fees, expected):
    _, findings = settle(
        fees, BLINDS, THREE, acts("1 fold, 2 fold"), END, **{**TABLE, "house_take": "time", "time_fee": 500}
    )

    assert findings == expected


def test_the_fee_may_be_taken_again_in_the_next_hand():
    once = [*rake(500, 1), *BLINDS, *THREE, *acts("1 fold, 2 fold"), *END]
    _, findings = settle(once, once, **{**TABLE, "house_take": "time", "time_fee": 500})

    assert findings == []


def test_a_fee_of_a_seat_is_wrong_where_the_house_takes_a_percentage():
    _, findings = hand(rake(500, 1), acts("1 fold, 2 fold"), END)

    assert findings == [("wrong_rake", 1, 500)]


# --- III, claims --------------------------------------------------------------------------------------------------


def test_a_seat_that_gets_nothing_needs_no_claim_and_a_winner_does():
    _, findings = hand(LIMPS, REST, END, claims=True)

    assert findings == [("unsettled", "seat1")]


def test_a_claim_on_a_loser_is_overpaid_and_a_claim_of_nothing_is_right():
    _, findings = hand(LIMPS, REST, claim("seat1 400 200, seat2 0 0, seat3 100 0"), END, claims=True)

    assert findings == [("overpaid", "seat3", 100)]


def test_a_claim_before_the_hand_has_ended_is_too_early_and_compared_later():
    _, findings = hand(LIMPS, FLOP, claim("seat1 400 100"), CHECKS, TURN, CHECKS, RIVER, CHECKS, END, claims=True)

    assert findings == [("settled_too_early", "seat1"), ("underpaid", "seat1", 100)]


def test_a_claim_on_a_seat_without_a_bet_in_the_hand_is_unknown():
    first = [*BLINDS, *THREE, *own(s7="2C 2H"), *acts("7 fold, 1 fold, 2 fold"), *claim("seat3 100 200"), *END]
    second = [*BLINDS, *THREE, *acts("1 fold, 2 fold"), *claim("seat3 100 200, seat7 100 0"), *END]
    _, findings = settle(first, second, **TABLE, claims=True)

    assert findings == [("unknown_bet", "seat7")]


def test_a_seat_is_a_new_bet_in_every_hand():
    once = [*BLINDS, *THREE, *acts("1 fold, 2 fold"), *claim("seat3 100 200"), *END]
    scenario = Scenario.read(
        {
            "scenario": "-",
            "source": "-",
            "table": {"game": "circle_poker", "rules": "AD-2022", "options": {**TABLE}},
            "events": once + once,
        }
    )
    outcome = scenario.settle(JUDGING)

    assert outcome.findings == []
    assert {(each.round, each.bet, each.verdict) for each in outcome.settlements if each.bet == "seat3"} == {
        (1, "seat3", "match"),
        (2, "seat3", "match"),
    }


def test_a_winner_who_was_never_paid_does_not_hide_what_happens_in_the_next_hand():
    first = [*BLINDS, *THREE, *acts("1 fold, 2 fold"), *END]
    second = [*BLINDS, *THREE, *acts("1 fold, 2 fold"), *claim("seat3 100 100"), *END]
    _, findings = settle(first, second, **TABLE, claims=True)

    assert findings == [("underpaid", "seat3", 100), ("unsettled", "seat3")]


def test_chips_cannot_be_taken_back_out_of_the_pot_nor_slipped_in():
    _, findings = hand(
        LIMPS, [{"bet_withdrawn": {"bet": "seat1"}}, {"bet_raised": {"bet": "seat2", "by": 100}}], REST, END
    )

    assert findings == [("illegal_decision", "seat2"), ("withdrawal_not_allowed", "seat1")]
