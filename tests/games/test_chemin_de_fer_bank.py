"""Chemin de fer, AD-2025 game 8, IV, V and VII: stakes, the bank, the money, and the odds of fixed policies."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.games.chemin_de_fer import odds
from replay.results import Verdict
from tests.games.chemin_de_fer import (
    LIMITS,
    NULL,
    TABLE,
    banco,
    bank,
    banker_wins,
    bet,
    deal,
    play,
    player_wins,
    punter,
    say,
    tie,
)
from tests.games.retold import UNCLAIMED, claim, invented, scenario, set_up, settle, withdrawn
from tests.installed import JUDGING, PACKS

RULES = PACKS.game("AD-2025", "chemin_de_fer")

# V, VI, VII: stakes


def table_of(*stakes, cards=None, **more):
    return play(*stakes, "bets_closed", *(cards or banker_wins()), "round_closed", **more)


def test_the_bank_wins_what_is_covered_less_five_per_cent():
    assert table_of(bank(10000), punter("a", 4000, 2), punter("b", 1000, 3)) == (
        {"bk": (4750, 10000), "a": (0, 0), "b": (0, 0)},
        [],
    )


def test_equal_totals_are_null():
    assert table_of(bank(10000), punter("a", 4000, 2), cards=tie()) == ({"bk": (0, 10000), "a": (0, 4000)}, [])


def test_what_goes_beyond_the_bank_does_not_play():
    stakes = [bank(10000), punter("a", 8000, 2), punter("b", 3000, 3), punter("c", 1000, 4)]
    beyond = [("above_maximum", "b"), ("above_maximum", "c")]

    assert table_of(*stakes) == ({"bk": (9500, 10000), "a": (0, 0), "b": (0, 1000), "c": (0, 1000)}, beyond)
    assert table_of(*stakes, cards=player_wins()) == (
        {"bk": (0, 0), "a": (8000, 8000), "b": (2000, 3000), "c": (0, 1000)},
        beyond,
    )


def test_beside_a_banco_nothing_else_plays():
    stakes = [bank(10000), punter("a", 2000, 2), banco("b", 10000, 5)]

    assert table_of(*stakes, cards=player_wins()) == (
        {"bk": (0, 0), "a": (0, 2000), "b": (10000, 10000)},
        [("above_maximum", "a")],
    )


def test_a_stake_on_the_line_plays_half():
    """Limits look at what lies there."""
    stakes = [bank(10000), punter("a", 3100, 2, "line")]

    assert table_of(*stakes, chip_unit=100) == ({"bk": (1400, 10000), "a": (0, 1600)}, [])
    assert table_of(*stakes, chip_unit=100, cards=player_wins()) == ({"bk": (0, 8500), "a": (1500, 3100)}, [])
    assert table_of(*stakes, chip_unit=100, rounding="up")[0]["a"] == (0, 1600)
    assert table_of(bank(10000), punter("a", 1900, 2, "line"))[1] == []
    assert table_of(bank(10000), punter("a", 900, 2, "line"))[1] == [("below_minimum", "a")]


def test_a_banker_and_his_associate_share_half_and_half():
    stakes = [bank(3000), bet("sh", "bank_share", 3000, 4), punter("a", 5001, 2)]

    assert table_of(*stakes) == ({"bk": (2375, 3000), "sh": (2375, 3000), "a": (0, 0)}, [])
    assert table_of(*stakes, cards=player_wins()) == ({"bk": (0, 499), "sh": (0, 500), "a": (5001, 5001)}, [])


def test_a_share_that_is_not_the_bankers_is_told_and_pays_no_more_than_it_has():
    stakes = [bank(3000), bet("sh", "bank_share", 1000, 4), punter("a", 4000, 2)]

    assert table_of(*stakes, cards=player_wins()) == (
        {"bk": (0, 0), "sh": (0, 0), "a": (4000, 4000)},
        [("stake_mismatch", "sh")],
    )


def test_stakes_that_must_be_just_so_large():
    assert table_of(bank(10000), banco("b", 9000, 2))[1] == [("stake_mismatch", "b")]
    assert table_of(bank(10000), bet("w", "with_table", 5000, 2))[1] == []
    assert table_of(bank(10000), bet("w", "with_table", 4000, 2))[1] == [("stake_mismatch", "w")]
    half = bet("w", "with_table", 5000, 2)
    assert table_of(bank(10000), half, punter("p", 2000, 3), bet("c", "with_table_complete", 3000, 4))[1] == []
    assert table_of(bank(10000), half, bet("c", "with_table_complete", 4000, 4))[1] == [("stake_mismatch", "c")]
    assert table_of(bank(5000), bet("sh", "bank_share", 5000, 3), banco("b", 10000, 2))[1] == []


def test_abonaments_carry_the_excess_in_the_order_of_placing():
    stakes = [
        bank(10000), punter("a", 10000, 2), bet("x", "abonament", 2000, 3), bet("y", "abonament", 3000, 4),
        punter("b", 4000, 5),
    ]  # fmt: skip

    assert table_of(*stakes) == (
        {"bk": (9500, 10000), "a": (0, 0), "x": (1900, 2000), "y": (1900, 3000), "b": (0, 0)},
        [],
    )
    assert table_of(*stakes, cards=player_wins()) == (
        {"bk": (0, 0), "a": (10000, 10000), "x": (0, 0), "y": (0, 1000), "b": (4000, 4000)},
        [],
    )
    assert table_of(*stakes, cards=tie())[0]["x"] == (0, 2000)


def test_an_abonament_stays_within_the_limits_of_a_first_bank():
    covered = [bank(10000), banco("b", 10000, 2)]

    assert table_of(*covered, bet("x", "abonament", 999, 3))[1] == [("below_minimum", "x")]
    assert table_of(*covered, bet("x", "abonament", 100001, 3))[1] == [("above_maximum", "x")]
    assert table_of(*covered, bet("x", "abonament", 100001, 3), options={"bank_unlimited": True})[1] == []


def test_stakes_that_are_refused():
    refused = {"x": (0, 2000)}

    for wager in ("tie", "player", "banker", "side"):
        money, findings = table_of(bank(), bet("x", wager, 2000, 2))
        assert (money["x"], findings) == (refused["x"], [("wager_not_offered", "x")])
    for wager in ("bank", "bank_share", "with_table", "with_table_complete"):
        first = [] if wager == "bank" else [bet("first", wager, {"bank_share": 4000}.get(wager, 2000), 3)]
        money, findings = table_of(bank(4000), *first, bet("x", wager, 2000, 4))
        assert money["x"] == refused["x"]
        assert ("too_many_bets", "x") in findings
    for stake in (punter("x", 2000, 1), banco("x", 2000, 1)):
        assert table_of(bank(2000), stake) == ({"bk": (0, 2000), "x": (0, 2000)}, [("wager_not_offered", "x")])
        assert table_of(stake, bank(2000)) == ({"bk": (0, 2000), "x": (0, 2000)}, [("wager_not_offered", "x")])
    assert table_of(bank(2000), punter("x", 2000, 1, "standing"))[1] == []


def test_late_stakes_raises_and_withdrawals():
    stakes = [bank(5000), punter("a", 2000, 2), "bets_closed"]
    late = [
        punter("x", 1000, 3),
        {"bet_raised": {"bet": "a", "by": 500}},
        withdrawn("a"),
        *player_wins(),
        "round_closed",
    ]

    assert play(*stakes, *late) == (
        {"bk": (0, 3000), "a": (2000, 2500), "x": (0, 1000)},
        [("late_bet", "x"), ("late_bet", "a"), ("late_withdrawal", "a")],
    )


def test_a_bank_is_never_reduced():
    stakes = [bank(5000), bet("sh", "bank_share", 5000, 3), withdrawn("bk"), withdrawn("sh", 100), punter("a", 2000, 2)]

    assert play(*stakes, "bets_closed", withdrawn("bk"), *player_wins(), "round_closed") == (
        {"bk": (0, 4000), "sh": (0, 4000), "a": (2000, 2000)},
        [("withdrawal_not_allowed", "bk"), ("withdrawal_not_allowed", "sh"), ("withdrawal_not_allowed", "bk")],
    )


def test_a_stake_is_judged_as_it_stands_at_the_call():
    assert table_of(bank(), punter("a", 800, 2), {"bet_raised": {"bet": "a", "by": 200}})[1] == []
    assert table_of(bank(), punter("a", 6000, 2), withdrawn("a", 1000))[1] == []
    assert table_of(bank(), punter("a", 2000, 2), withdrawn("a"))[0]["a"] == "withdrawn"


def test_without_a_card_the_bets_stay_open_and_play_on():
    idle = [bank(5000), punter("a", 500, 2), "bets_closed", "round_closed"]

    assert play(*idle) == ({"bk": "open", "a": "open"}, [("below_minimum", "a")])
    assert play(*idle, "bets_closed", *player_wins(), "round_closed") == (
        {"bk": (0, 4500), "a": (500, 500)},
        [("below_minimum", "a")],
    )


# VII: who holds the cards


def holder(*stakes, before=()):
    """The seat that may speak: all speak, and the others are told that they may not."""
    events = [
        *before,
        *stakes,
        "bets_closed",
        *deal("P7 B6 PK BK"),
        *(say(seat, "stand") for seat in range(1, 9)),
        "round_closed",
    ]
    told = {seat for code, seat in play(*events)[1] if code == "illegal_decision"}
    bankers = {stake["bet_placed"]["seat"] for stake in stakes if stake["bet_placed"]["wager"] == "bank"}
    return set(range(1, 9)) - told - bankers


def test_the_largest_stake_holds_the_cards():
    assert holder(bank(20000), punter("a", 3000, 2), punter("b", 4000, 3), punter("c", 2000, 4)) == {3}
    assert holder(bank(20000), punter("a", 3000, 2), punter("b", 2000, 4), punter("c", 2000, 4)) == {4}


def test_equal_stakes_go_by_the_order_of_the_seats_from_the_banker():
    assert holder(bank(20000, seat=3), punter("a", 2000, 2), punter("b", 2000, 5), punter("c", 2000, 4)) == {4}
    assert holder(bank(20000, seat=6), punter("a", 2000, 2), punter("b", 2000, 5)) == {2}


def test_only_what_plays_counts():
    assert holder(bank(3000), punter("a", 2000, 2), punter("b", 9000, 3)) == {2}


def test_standing_players_only_hold_where_nobody_seated_staked():
    assert holder(bank(20000), punter("a", 9000, 2, "standing"), punter("b", 1000, 3)) == {3}
    assert holder(bank(20000), punter("a", 2000, 2, "standing"), punter("b", 3000, 3, "standing")) == {3}


def test_banco_and_with_the_table_hold_whatever_others_stake():
    half, rest = bet("w", "with_table", 5000, 4), bet("c", "with_table_complete", 3000, 6)

    assert holder(bank(10000), punter("a", 6000, 2), banco("b", 10000, 5, "standing")) == {5}
    assert holder(bank(10000), half, punter("a", 5000, 2)) == {4}
    assert holder(bank(10000), half, punter("a", 2000, 2), rest) == {6}


WON = [bank(4000, name="k0"), punter("p0", 4000, 3), "bets_closed", *banker_wins(), "round_closed"]
"""The bank of seat 1 stands at 7800, and seat 3 may follow with banco."""
TIED = [bank(4000, name="k0"), punter("p0", 4000, 3), "bets_closed", *tie(), "round_closed"]
LOST = [bank(4000, name="k0"), punter("p0", 4000, 3), "bets_closed", *player_wins(), "round_closed"]
PASSED = [*WON, say(1, "pass")]


def test_who_passed_the_bank_on_holds_once_against_a_larger_one():
    larger, same = bank(8000, seat=2), bank(7800, seat=2)
    stakes = [punter("a", 1000, 1), punter("b", 5000, 4)]

    assert holder(larger, *stakes, before=PASSED) == {1}
    assert holder(same, *stakes, before=PASSED) == {4}
    assert holder(larger, punter("b", 5000, 4), before=PASSED) == {4}
    first = [*PASSED, larger, *stakes, "bets_closed", *tie(), "round_closed"]
    assert holder(bank(8000, seat=2, name="k2"), punter("c", 1000, 1), punter("d", 5000, 4), before=first) == {4}


# VII: banco


def test_banco_goes_by_priority():
    """Seated before standing, then the order of the seats; the others are refused."""
    first = [bank(5000, seat=3), banco("a", 5000, 2), banco("b", 5000, 4, "standing"), banco("c", 5000, 5)]
    money, findings = table_of(*first, cards=player_wins())

    assert money == {"bk": (0, 0), "a": (0, 5000), "b": (0, 5000), "c": (5000, 5000)}
    assert sorted(findings) == [("too_many_bets", "a"), ("too_many_bets", "b")]


BANCO_LOST = [bank(4000, name="k0"), banco("p0", 4000, 6), "bets_closed", *banker_wins(), "round_closed"]


@pytest.mark.parametrize("between", [None, tie, lambda: NULL])
def test_who_made_banco_and_lost_comes_first_and_a_null_coup_keeps_the_right(between):
    amount = 7800
    more = []
    if between is not None:
        more = [bank(amount, name="k1"), punter("p1", 2000, 2), "bets_closed", *between(), "round_closed"]
    again = [bank(amount), banco("a", amount, 2), banco("b", amount, 6), "bets_closed", *player_wins(), "round_closed"]
    money, findings = play(*BANCO_LOST, *more, *again)

    assert (money["a"], money["b"]) == ((0, amount), (amount, amount))
    assert findings == [("too_many_bets", "a")]


def test_the_only_player_against_the_bank_has_the_right_too():
    again = [bank(7800), banco("a", 7800, 2), banco("b", 7800, 3), "bets_closed", *player_wins(), "round_closed"]

    assert play(*WON, *again)[1] == [("too_many_bets", "a")]


def test_the_right_is_his_who_stood_if_he_stood():
    stood = [bank(4000, name="k0"), banco("p0", 4000, 6, "standing"), "bets_closed", *banker_wins(), "round_closed"]
    again = [bank(7800), banco("a", 7800, 2), banco("b", 7800, 6), "bets_closed", *player_wins(), "round_closed"]

    assert play(*stood, *again)[1] == [("too_many_bets", "b")]


def test_the_right_lasts_for_one_coup():
    other = [
        bank(7800, name="k1"),
        punter("p1", 2000, 2),
        punter("p2", 2000, 4),
        "bets_closed",
        *banker_wins(),
        "round_closed",
    ]
    again = [bank(11600), banco("a", 11600, 2), banco("b", 11600, 6), "bets_closed", *player_wins(), "round_closed"]

    assert play(*BANCO_LOST, *other, *again)[1] == [("too_many_bets", "b")]


def test_he_may_follow_after_the_call_until_the_holder_speaks():
    """His banco displaces the other stakes against the bank, which come back without a finding."""
    again = [bank(7800), punter("a", 2000, 2), punter("b", 1000, 4), "bets_closed", *deal("P9 B2")]
    late = [banco("c", 7800, 6), *deal("PK B5"), say(6, "declare"), "round_closed"]

    assert play(*BANCO_LOST, *again, *late) == (
        {"k0": (3800, 4000), "p0": (0, 0), "bk": (0, 0), "a": (0, 2000), "b": (0, 1000), "c": (7800, 7800)},
        [],
    )
    spoken = [*deal("PK B5"), say(2, "declare"), banco("c", 7800, 6), "round_closed"]
    assert play(*BANCO_LOST, *again, *spoken)[1] == [("late_bet", "c")]
    assert play(*BANCO_LOST, *again, banco("x", 7800, 5), *deal("PK B5"), "round_closed")[1] == [("late_bet", "x")]


# V: the bank from coup to coup


def next_bank(before, amount, seat, **more):
    _, findings = play(*before, bank(amount, seat=seat), "bets_closed", *banker_wins(), "round_closed", **more)
    return findings


def test_a_bank_that_won_may_be_kept_whole_or_halved():
    assert [next_bank(WON, amount, 1) for amount in (7800, 3900)] == [[], []]
    assert [next_bank(WON, amount, 1) for amount in (4000, 5000, 8000)] == [[("stake_mismatch", "bk")]] * 3


def test_where_it_was_not_covered_the_part_that_played_may_go_on_doubled():
    """Of 10,000 covered with 4,000: 13,800 and 7,800, and half of either, rounded up to the chip."""
    before = [bank(10000, name="k0"), punter("p0", 4000, 3), "bets_closed", *banker_wins(), "round_closed"]

    assert [next_bank(before, amount, 1) for amount in (13800, 7800, 6900, 3900)] == [[]] * 4
    assert next_bank(before, 4000, 1) == [("stake_mismatch", "bk")]
    assert next_bank(before, 7000, 1, chip_unit=200) == [] == next_bank(before, 4000, 1, chip_unit=200)


def test_a_bank_that_tied_goes_on_as_it_was():
    assert next_bank(TIED, 4000, 1) == []
    assert next_bank(TIED, 2000, 1) == [("stake_mismatch", "bk")]


def test_who_lost_the_bank_may_not_put_up_the_next():
    assert next_bank(LOST, 4000, 1) == [("illegal_decision", 1)]
    assert next_bank(LOST, 1000, 2) == []
    assert next_bank(LOST, 999, 2) == [("below_minimum", "bk")]


def test_a_bank_given_up_is_taken_over_for_as_much_at_least():
    assert next_bank(PASSED, 7800, 2) == [] == next_bank(PASSED, 9000, 2)
    assert next_bank(PASSED, 7799, 2) == [("below_minimum", "bk")]


def test_unless_its_taker_had_let_it_pass_too():
    assert next_bank([*PASSED, say(2, "pass"), say(3, "pass")], 1000, 2) == []
    assert next_bank([*PASSED, say(2, "pass")], 999, 2) == [("below_minimum", "bk")]
    assert next_bank([*PASSED, say(2, "pass")], 1000, 3) == [("below_minimum", "bk")]


def test_a_bank_given_up_and_taken_again_by_the_same_seat():
    """Only for what it stood at."""
    assert next_bank(PASSED, 7800, 1) == []
    assert next_bank(PASSED, 3900, 1) == [("stake_mismatch", "bk")]
    assert next_bank([*TIED, say(1, "pass")], 4000, 1) == []


def test_the_maximum_binds_a_new_bank_and_not_a_grown_one():
    assert next_bank([], 100000, 1) == []
    assert next_bank([], 100001, 1) == [("above_maximum", "bk")]
    assert next_bank([], 100001, 1, options={"bank_unlimited": True}) == []
    grown = [bank(90000, name="k0"), banco("p0", 90000, 3), "bets_closed", *banker_wins(), "round_closed"]
    assert next_bank(grown, 175500, 1) == []
    assert next_bank([*grown, say(1, "pass")], 175500, 2) == []
    assert next_bank([*grown, say(1, "pass")], 175501, 2) == [("above_maximum", "bk")]


def test_without_limits_of_its_own_the_bank_has_the_punters():
    assert next_bank([], 999, 1, limits={"min": 1000}) == [("below_minimum", "bk")]
    assert next_bank([], 100000, 1, limits={"min": 1000}) == []
    assert next_bank([], 100001, 1, limits={"min": 1000}) == [("above_maximum", "bk")]
    assert next_bank([], 1, 1, limits={}) == []


def test_who_puts_up_a_bank_deals_it_once():
    events = [bank(5000), say(1, "pass"), punter("a", 5000, 2), "bets_closed", *player_wins(), "round_closed"]

    assert play(*events)[1] == [("illegal_decision", 1)]
    assert play(bank(5000), "bets_closed", "round_closed", say(1, "pass"))[1] == [("illegal_decision", 1)]
    assert play(bank(5000), "bets_closed", *tie(), say(1, "pass"), "round_closed")[1] == []


def test_posted_limits_of_the_bank():
    def setup(limits, **options):
        return [said.code for said in set_up({**TABLE, "limits": limits, "options": options})]

    assert setup(LIMITS) == setup({"min": 1000}) == setup({}) == []
    assert setup({"min": 1000, "bank": {"min": 1000, "max": 100001}}) == ["setup_not_allowed"]
    assert setup({"min": 1000, "bank": {"min": 1000, "max": 100001}}, bank_unlimited=True) == []
    assert setup({"min": 1000, "bank": {"min": 999, "max": 100000}}) == ["setup_not_allowed"]


# Money and shoe


def test_commission_is_looked_at_in_sum():
    claims = [claim("bk", 4750, 5000), claim("p", 0, 0)]
    coup_won = [bank(), punter("p", 5000, 2), "bets_closed", *banker_wins(), *claims]

    def amount(*taken, **table):
        events = [*coup_won, *({"commission_taken": {"amount": each}} for each in taken), "round_closed"]
        _, found = settle({**TABLE, **table}, events)
        return [(finding.code, finding.amount) for finding in found]

    assert amount(250) == amount(100, 150) == []
    assert amount() == [("wrong_commission", 250)]
    assert amount(300) == [("wrong_commission", 50)]
    assert amount(settlement_claims=False) == []
    coup_won[3:7] = tie()
    assert amount(10)[-1] == ("wrong_commission", 10)


@pytest.mark.parametrize(("rounding", "paid"), [("down", 1100), ("nearest", 1150), ("up", 1150)])
def test_what_the_bank_wins_is_rounded_to_the_chip(rounding, paid):
    """19/20 of 12.00 is 11.40; what is left goes to the house."""
    events = [
        bank(5000),
        punter("p", 1200, 2),
        "bets_closed",
        *banker_wins(),
        claim("bk", paid, 5000),
        claim("p", 0, 0),
    ]
    more = [{"commission_taken": {"amount": 1200 - paid}}, "round_closed"]

    assert play(*events, *more, chip_unit=50, rounding=rounding, settlement_claims=True)[1] == []


def test_claims_before_the_last_card_of_the_coup_are_too_early():
    start = [bank(), punter("p", 5000, 2), "bets_closed"]
    fee = {"commission_taken": {"amount": 250}}

    def told(*events):
        return play(*start, *events, "round_closed", settlement_claims=True)[1]

    early = [*deal("P2 B7 PK BK"), claim("p", 0, 0), *deal("PK"), claim("bk", 4750, 5000), fee]
    dead = [*deal("P9 B2 PK BK"), claim("p", 5000, 5000), claim("bk", 0, 0), *deal("B3")]
    void = [*deal("P9 B2 PK"), claim("p", 0, 5000), *deal("BKf"), claim("bk", 0, 5000)]
    before = [claim("p", 5000, 5000), *deal("P9 B2 PK BK"), claim("bk", 0, 0)]
    never = [*deal("P9 B2 PK"), claim("p", 0, 5000), claim("bk", 0, 5000)]
    assert told(*early) == [("settled_too_early", "p")]
    assert told(*dead) == [("drawing_error", "")]
    assert told(*void) == [("settled_too_early", "p")]
    assert told(*before) == [("settled_too_early", "p")]
    assert told(*never) == [("drawing_error", "")]


def test_claims_are_compared_once_and_a_bet_without_one_is_unsettled():
    events = [bank(), punter("p", 5000, 2), "bets_closed", *player_wins(), claim("p", 5000, 5000), claim("p", 0, 0)]

    assert play(*events, claim("zz", 0, 0), "round_closed", settlement_claims=True)[1] == [
        ("settled_twice", "p"),
        ("unknown_bet", "zz"),
        ("unsettled", "bk"),
    ]


def test_findings_bear_the_event_of_the_error():
    events = [bank(), punter("p", 5000, 2), "bets_closed", *deal("P3 B7 PK BK"), say(2, "stand"), "round_closed"]
    _, found = settle({**TABLE, **UNCLAIMED}, events)

    assert [(finding.code, finding.seq) for finding in found] == [("illegal_decision", 9)]


def test_the_shoe():
    loaded = {"shoe_loaded": {"decks": 8}}
    stakes = [bank(), punter("p", 5000, 2), "bets_closed", *player_wins(), "round_closed"]
    seven = [{"card_dealt": {"card": "3H", "to": "burn"}}] * 7

    assert play(loaded, *stakes)[1] == [("dealing_error", "")]
    assert play("cut_card", *stakes)[1] == [("dealing_error", "")]
    assert play(*stakes[:-1], "cut_card", "round_closed")[1] == []
    assert play(*seven, *stakes)[1] == [("impossible_card", "")]
    assert play("cut_card", *seven[:3], {"shoe_loaded": {"decks": 6}}, *seven[:6], *stakes)[1] == []


def test_an_unreadable_card_leaves_the_coup_unverifiable():
    unreadable = {"card_dealt": {"card": "??", "to": "banker"}}
    events = [
        bank(),
        punter("p", 5000, 2),
        "bets_closed",
        *player_wins()[:3],
        unreadable,
        claim("p", 0, 0),
        "round_closed",
    ]
    outcome = scenario(TABLE, events).settle(JUDGING)

    assert {settlement.verdict for settlement in outcome.settlements} == {Verdict.UNVERIFIABLE}
    assert outcome.findings == []


FEE = {"commission_taken": {"amount": 200}}
LOG = [
    "round_opened", *WON[:-1], claim("p0", 0, 0), claim("k0", 3800, 4000), FEE, "round_closed",
    "round_opened", say(1, "pass"), bank(9000, seat=2, name="k1"), punter("a1", 5000, 3), punter("b1", 1000, 1),
    "bets_closed", *deal("P3 B3 P4 B4"), say(1, "stand"), say(2, "stand"), claim("k1", 0, 9000), claim("a1", 0, 5000),
    claim("b1", 0, 1000), "round_closed",
    "round_opened", bank(9000, seat=2, name="k2"), banco("c2", 9000, 4), "bets_closed", *banker_wins(),
    claim("k2", 8550, 9000), claim("c2", 0, 0), {"commission_taken": {"amount": 450}}, "round_closed",
    "round_opened", bank(17550, seat=2, name="k3"), punter("d3", 5000, 5), "bets_closed", *deal("P9 B2"),
    banco("e3", 17550, 4), claim("d3", 0, 5000), *deal("PK B5"), say(4, "declare"), claim("k3", 0, 0),
    claim("e3", 17550, 17550), "round_closed",
]  # fmt: skip


def test_the_log_is_clean():
    assert invented(TABLE, LOG, range(0)) == []


@given(st.integers(2, len(LOG) + 1), st.integers(0, 30))
def test_no_finding_is_invented_after_a_hole(first, length):
    assert invented(TABLE, LOG, range(first, min(first + length, len(LOG) + 1) + 1)) == []


TIE_AFTER_A_LOST_BANCO = [
    "round_opened", bank(4000, name="k0"), banco("p0", 4000, 4), "bets_closed", *banker_wins(), claim("p0", 0, 0),
    claim("k0", 3800, 4000), FEE, "round_closed",
    "round_opened", bank(7800, name="k1"), punter("a1", 1000, 2), "bets_closed", *tie(), claim("k1", 0, 7800),
    claim("a1", 0, 1000), "round_closed",
    "round_opened", bank(7800, name="k2"), punter("a2", 1000, 2), "bets_closed", *deal("P9 B2 PK B5"),
    banco("b2", 7800, 4), claim("a2", 0, 1000), say(4, "declare"), claim("k2", 0, 0), claim("b2", 7800, 7800),
    "round_closed",
]  # fmt: skip


def test_after_a_hole_a_tie_does_not_tell_who_may_follow():
    """The hole hides who lost the banco, the tie keeps his right: whether he may follow after the call is unknown."""
    assert invented(TABLE, TIE_AFTER_A_LOST_BANCO, range(0)) == []
    assert invented(TABLE, TIE_AFTER_A_LOST_BANCO, range(6, 8)) == []


STOOD_BEHIND_THE_BANKER = [
    "round_opened", *WON[:-1], claim("p0", 0, 0), claim("k0", 3800, 4000), FEE, "round_closed",
    "round_opened", bank(7800, name="k1"), punter("a1", 1000, 1, "standing"), punter("b1", 2000, 2), "bets_closed",
    *deal("P2 B3 P2 B4 P3"), say(1, "stand"), claim("k1", 0, 7800), claim("a1", 0, 1000), claim("b1", 0, 2000),
    "round_closed",
]  # fmt: skip


def test_after_a_hole_the_banker_speaks_for_himself_though_somebody_stakes_behind_his_seat():
    assert invented(TABLE, STOOD_BEHIND_THE_BANKER, range(0)) == []
    assert invented(TABLE, STOOD_BEHIND_THE_BANKER, range(4, 5)) == []


def test_banco_suivi_is_in_time_while_first_cards_are_out_alone():
    """A banker who dealt himself three has cut nobody's time short; a third card for the player has."""
    before = [*BANCO_LOST, bank(7800), punter("p", 1000, 3), "bets_closed"]
    late = [banco("b", 7800, 6), say(6, "stand"), "round_closed"]

    assert play(*before, *deal("P2 B9 BK B4 P5"), *late)[1] == [("dealing_error", "")]
    assert play(*before, *deal("P2 B9 P2 B8 P3"), *late)[1][0] == ("late_bet", "b")


@given(
    amounts=st.lists(st.integers(1000, 9000), min_size=1, max_size=5),
    added=st.lists(st.integers(1000, 4000), max_size=3),
    ending=st.sampled_from([banker_wins, player_wins, tie]),
)
def test_what_one_side_wins_the_other_loses(amounts, added, ending):
    """But for the house's twentieth."""
    stakes = [bank(6000), *(punter(f"p{index}", amount, index + 2) for index, amount in enumerate(amounts))]
    stakes += [bet(f"x{index}", "abonament", amount, 9) for index, amount in enumerate(added)]
    money, _ = play(*stakes, "bets_closed", *ending(), "round_closed")
    staked = sum(stake["bet_placed"]["amount"] for stake in stakes)
    won = sum(paid for paid, _ in money.values())
    lost = staked - sum(returned for _, returned in money.values())

    if ending is banker_wins:
        assert 20 * won <= 19 * lost < 20 * (won + len(money))
    else:
        assert won == lost


# Exact figures

EDGES = {
    (True, True): ("0.012374", "0.010558"),
    (True, False): ("0.011993", "0.010921"),
    (False, True): ("0.015242", "0.007843"),
    (False, False): ("0.015501", "0.007579"),
}
"""Punter draws on five, banker draws in his two cells -> punter's edge, bank's edge after 5 per cent."""


def test_the_odds_of_the_four_policies_are_those_published():
    figures: dict[tuple[tuple[bool, bool], str], str] = {}
    for each in odds(RULES):
        policy = ("punter draws" in each.assumes, "banker draws" in each.assumes)
        figures.setdefault((policy, each.wager), f"{float(each.edge):.6f}")

    assert {policy: (figures[policy, "punter"], figures[policy, "bank"]) for policy in EDGES} == EDGES
    assert figures[(True, True), "banco"] == EDGES[True, True][0]
    assert figures[(True, True), "abonament"] == EDGES[True, True][1]


def test_with_both_policies_drawing_the_punter_has_the_odds_of_punto_banco():
    first = next(each for each in odds(RULES) if each.wager == "punter")

    assert first.edge == Fraction(18880657128, 1525814595305)
