"""Stakes and claims, as the scenarios' conventions have them: refused, withdrawn, early, late, twice, never."""

from __future__ import annotations

from typing import Any

import pytest

from replay.results import Finding, Settlement, Verdict
from replay.scenario import Scenario
from replay.session import Session
from tests.installed import JUDGING

LIMITS = {"min": 200, "max": 100000}


def play(
    *events: Any, **table: Any
) -> tuple[dict[str, tuple[str, int | None, int | None]], list[tuple[str, str, int | None]]]:
    """Each bet's last (verdict, paid, returned), and the findings as (code, bet, amount)."""
    table = {"game": "boule", "rules": "AD-2025", "limits": LIMITS, **table}
    scenario = Scenario.read({"scenario": "-", "source": "-", "table": table, "events": list(events)})
    session = Session("scenario", JUDGING)
    for event in scenario.events:
        session.step(event, b"")
    session.finish()
    said = session.drain()
    bets = {row.bet: (row.verdict.value, row.paid, row.returned) for row in said if isinstance(row, Settlement)}
    return bets, [(row.code, row.bet, row.amount) for row in said if isinstance(row, Finding)]


def bet(name: str = "b", wager: str = "red", amount: int = 1000, **more: Any) -> dict[str, Any]:
    return {"bet_placed": {"bet": name, "seat": 1, "wager": wager, "amount": amount, **more}}


def claim(paid: int, returned: int, name: str = "b", **more: Any) -> dict[str, Any]:
    return {"bet_settled": {"bet": name, "paid": paid, "returned": returned, **more}}


def raised(by: int, name: str = "b") -> dict[str, Any]:
    return {"bet_raised": {"bet": name, "by": by}}


def withdrawn(amount: int | None = None, name: str = "b") -> dict[str, Any]:
    return {"bet_withdrawn": {"bet": name, "amount": amount}}


def ball(number: int) -> dict[str, Any]:
    return {"ball_landed": {"number": number}}


RED, BLACK = ball(7), ball(1)
CLOSED, END = "bets_closed", "round_closed"


# Claims


@pytest.mark.parametrize(
    ("paid", "returned", "verdict", "findings"),
    [
        (1000, 1000, "match", []),
        (2000, 0, "match", []),
        (0, 2000, "match", []),
        (900, 1000, "underpaid", [("underpaid", "b", 100)]),
        (0, 0, "underpaid", [("underpaid", "b", 2000)]),
        (1100, 1000, "overpaid", [("overpaid", "b", 100)]),
    ],
)
def test_what_was_handed_over_is_compared_in_all(paid, returned, verdict, findings):
    bets, found = play(bet(), CLOSED, RED, claim(paid, returned), END)

    assert bets == {"b": (verdict, 1000, 1000)}
    assert found == findings


def test_a_bet_that_lost_and_was_collected_matches_and_one_that_was_pushed_is_overpaid():
    assert play(bet(), CLOSED, BLACK, claim(0, 0), END) == ({"b": ("match", 0, 0)}, [])
    assert play(bet(), CLOSED, BLACK, claim(0, 1000), END)[1] == [("overpaid", "b", 1000)]


def test_a_claim_before_the_ball_is_too_early_and_is_compared_once_it_has_landed():
    early = ("settled_too_early", "b", None)

    assert play(bet(), CLOSED, claim(1000, 1000), RED, END) == ({"b": ("match", 1000, 1000)}, [early])
    assert play(bet(), CLOSED, claim(1000, 1000), BLACK, END)[1] == [early, ("overpaid", "b", 2000)]
    assert play(bet(), CLOSED, claim(0, 0), RED, END)[1] == [early, ("underpaid", "b", 2000)]


def test_a_second_claim_is_told_and_not_compared():
    twice = ("settled_twice", "b", None)

    assert play(bet(), CLOSED, RED, claim(1000, 1000), claim(9000, 0), END) == ({"b": ("match", 1000, 1000)}, [twice])
    assert play(bet(), CLOSED, claim(1000, 1000), claim(5, 5), RED, END)[1] == [("settled_too_early", "b", None), twice]
    assert play(bet(), CLOSED, RED, claim(1000, 1000), END, claim(1, 1))[1] == [twice]
    assert play(bet(), CLOSED, RED, END, claim(1000, 1000), claim(1, 1))[1] == [("unsettled", "b", None), twice]


def test_a_claim_after_the_round_is_compared_and_stays_unsettled_as_a_finding():
    unsettled = ("unsettled", "b", None)

    assert play(bet(), CLOSED, RED, END, claim(1000, 1000)) == ({"b": ("match", 1000, 1000)}, [unsettled])
    assert play(bet(), CLOSED, RED, END, claim(1000, 1100))[1] == [unsettled, ("overpaid", "b", 100)]
    assert play(bet(), CLOSED, RED, END, "round_opened", bet("c"), claim(900, 1000))[1][1] == ("underpaid", "b", 100)


def test_a_bet_that_nobody_settles_is_unsettled_once():
    bets, found = play(bet(), CLOSED, RED, END, bet("c"), CLOSED, BLACK, claim(0, 0, "c"), END)

    assert bets == {"b": ("unsettled", 1000, 1000), "c": ("match", 0, 0)}
    assert found == [("unsettled", "b", None)]


def test_a_claim_on_a_bet_that_was_never_placed_is_unknown():
    assert play(bet(), claim(5, 5, "x"), CLOSED, RED, claim(1000, 1000), END)[1] == [("unknown_bet", "x", None)]


def test_a_table_without_devices_for_payouts_is_recomputed_and_nothing_is_compared():
    assert play(bet(), CLOSED, RED, END, settlement_claims=False) == ({"b": ("unclaimed", 1000, 1000)}, [])


# Refusals


def test_a_refused_bet_goes_back_and_a_claim_is_due():
    late = ("late_bet", "b", None)

    assert play(bet("a"), CLOSED, bet(), RED, claim(1000, 1000, "a"), claim(0, 1000), END) == (
        {"a": ("match", 1000, 1000), "b": ("match", 0, 1000)},
        [late],
    )
    assert play(CLOSED, bet(), RED, END)[1] == [late, ("unsettled", "b", None)]
    assert play(CLOSED, bet(), RED, claim(1000, 1000), END)[1] == [late, ("overpaid", "b", 1000)]
    assert play(CLOSED, bet(), claim(0, 1000), RED, END)[1] == [late]


def test_a_wager_that_is_not_offered_is_refused():
    bets, found = play(bet(wager="tie"), claim(0, 1000), CLOSED, RED, END)

    assert (bets, found) == ({"b": ("match", 0, 1000)}, [("wager_not_offered", "b", None)])


@pytest.mark.parametrize(("amount", "code"), [(100, "below_minimum"), (200000, "above_maximum")])
def test_a_bet_too_small_or_too_large_plays_as_it_lies(amount, code):
    bets, found = play(bet(amount=amount), CLOSED, RED, claim(amount, amount), END)

    assert (bets, found) == ({"b": ("match", amount, amount)}, [(code, "b", None)])


def test_a_second_bet_under_an_id_in_play_is_ignored():
    bets, found = play(bet(), bet(amount=5000, wager="black"), CLOSED, RED, claim(1000, 1000), END)

    assert (bets, found) == ({"b": ("match", 1000, 1000)}, [("duplicate_bet", "b", None)])


def test_an_id_cannot_be_used_again_to_hide_a_bet_that_is_still_to_be_paid():
    """The winner lies on the table unpaid; a late bet takes its name."""
    bets, found = play(bet(), CLOSED, RED, bet(amount=300), claim(0, 300), END)

    assert bets == {"b": ("underpaid", 1000, 1000)}
    assert found == [("duplicate_bet", "b", None), ("underpaid", "b", 1700)]


def test_an_id_may_be_used_again_in_a_later_round():
    bets, found = play(bet(), CLOSED, RED, claim(1000, 1000), END, bet(), CLOSED, BLACK, claim(0, 0), END)

    assert (bets, found) == ({"b": ("match", 0, 0)}, [])


def test_a_claim_finds_the_older_bet_of_its_id_when_the_newer_is_settled_or_not_yet_decided():
    first = [bet(), CLOSED, RED, END]
    unsettled = ("unsettled", "b", None)

    assert play(*first, bet(amount=300), claim(1000, 1000, round=1), CLOSED, BLACK, claim(0, 0), END)[1] == [unsettled]
    assert play(*first, bet(amount=300), CLOSED, BLACK, claim(0, 0, round=2), claim(1000, 1000), END)[1] == [unsettled]


# Withdrawals


def test_a_bet_withdrawn_whole_in_time_asks_for_no_claim():
    assert play(bet(), withdrawn(), CLOSED, RED, END) == ({"b": ("withdrawn", 0, 0)}, [])
    assert play(bet(), withdrawn(1000), CLOSED, RED, END) == ({"b": ("withdrawn", 0, 0)}, [])
    assert play(bet(), withdrawn(5000), CLOSED, RED, END) == ({"b": ("withdrawn", 0, 0)}, [])


def test_money_handed_over_on_a_bet_that_was_withdrawn_is_overpaid():
    assert play(bet(), withdrawn(), CLOSED, RED, claim(1000, 1000), END)[1] == [("overpaid", "b", 2000)]
    assert play(bet(), withdrawn(), CLOSED, RED, claim(0, 0), END) == ({"b": ("withdrawn", 0, 0)}, [])
    assert play(bet(), withdrawn(), CLOSED, RED, END, claim(0, 500))[1] == [("settled_twice", "b", None)]


def test_a_bet_that_was_claimed_too_early_and_then_withdrawn_is_compared_with_nothing():
    found = play(bet(), claim(0, 1000), withdrawn(), CLOSED, RED, END)[1]

    assert found == [("settled_too_early", "b", None), ("overpaid", "b", 1000)]


def test_a_part_withdrawn_in_time_does_not_play():
    assert play(bet(), withdrawn(400), CLOSED, RED, claim(600, 600), END) == ({"b": ("match", 600, 600)}, [])


@pytest.mark.parametrize("amount", [None, 400])
def test_a_withdrawal_after_the_call_is_ignored(amount):
    bets, found = play(bet(), CLOSED, withdrawn(amount), RED, claim(1000, 1000), END)

    assert (bets, found) == ({"b": ("match", 1000, 1000)}, [("late_withdrawal", "b", None)])


def test_a_withdrawal_of_a_bet_that_is_decided_or_refused_is_late():
    late = ("late_withdrawal", "b", None)

    assert play(bet(), CLOSED, BLACK, withdrawn(), claim(0, 0), END)[1] == [late]
    assert play(bet(), CLOSED, BLACK, claim(0, 0), withdrawn(), END)[1] == [late]
    assert play(bet(), CLOSED, BLACK, claim(0, 0), END, withdrawn())[1] == [late]
    assert play(bet(wager="tie"), withdrawn(), claim(0, 1000), CLOSED, RED, END)[1][1] == late
    assert play(CLOSED, withdrawn(name="x"), RED, END)[1] == [("unknown_bet", "x", None)]


# Raises


def test_a_raise_in_time_plays_and_one_after_the_call_comes_back():
    assert play(bet(), raised(500), CLOSED, RED, claim(1500, 1500), END) == ({"b": ("match", 1500, 1500)}, [])
    bets, found = play(bet(), CLOSED, raised(500), RED, claim(1000, 1500), END)
    assert (bets, found) == ({"b": ("match", 1000, 1500)}, [("late_bet", "b", None)])


def test_a_raise_of_a_bet_that_is_decided_comes_back():
    late = ("late_bet", "b", None)

    assert play(bet(), CLOSED, BLACK, raised(500), claim(0, 500), END) == ({"b": ("match", 0, 500)}, [late])
    assert play(bet(), CLOSED, BLACK, raised(500), claim(0, 0), END)[1] == [late, ("underpaid", "b", 500)]
    assert play(bet(), CLOSED, BLACK, claim(0, 0), raised(500), END)[1] == [late]
    assert play(bet(), CLOSED, BLACK, claim(0, 0), END, raised(500))[1] == [late]
    assert play(bet(wager="tie"), raised(500), claim(0, 1500), CLOSED, RED, END)[0] == {"b": ("match", 0, 1500)}


# The end


def test_what_is_not_decided_when_the_log_ends_is_open_and_what_is_decided_is_told():
    assert play(bet(), CLOSED) == ({"b": ("open", None, None)}, [])
    assert play(bet(), CLOSED, RED) == ({"b": ("unclaimed", 1000, 1000)}, [])
    assert play(bet(), CLOSED, {"table_closed": {"float": 0}})[0] == {"b": ("open", None, None)}
    assert play(bet(), CLOSED, RED, {"table_closed": {"float": 0}})[0] == {"b": ("unsettled", 1000, 1000)}


def test_every_verdict_is_one_of_the_vocabulary():
    assert {verdict.value for verdict in Verdict} >= {
        "match",
        "underpaid",
        "overpaid",
        "unsettled",
        "open",
        "withdrawn",
    }
