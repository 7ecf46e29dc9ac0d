"""Casino war, AD-2022 game 14, passage by passage: what the scenarios leave out, and the odds of fresh shoes."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.games.casino_war import ORDER, odds, ruling
from replay.results import Verdict
from tests.games.retold import claim, fold, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "casino_war")
TABLE = {"game": "casino_war", "rules": "AD-2022", "chip_unit": 100, "limits": {"min": 500, "max": 15000}}


def play(*events, **table):
    """The re-tally of a scenario: each bet's (paid, returned) or verdict, and the findings as (code, bet or seat)."""
    money, found = settle({**TABLE, **table}, events)
    return money, [(finding.code, finding.bet or finding.seat) for finding in found]


def bet(name, wager="main", amount=1000, seat=1, of=None):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, "of": of}}


def card(code, to="dealer", **more):
    return {"card_dealt": {"card": code, **({"seat": to} if isinstance(to, int) else {"to": to}), **more}}


def choose(choice, seat=1):
    return {"decision": {"seat": seat, "choice": choice}}


BURNT = [card("2C", "burn"), card("3C", "burn"), card("5C", "burn")]
TIED = [bet("m"), "bets_closed", card("7H", 1), card("7S")]
WAR = [*TIED, bet("w", "war"), *BURNT]
WON = [*WAR, card("9H", 1), card("8S"), claim("m", 0, 1000), claim("w", 1000, 1000)]


# II, the order of the cards


@given(st.integers(0, 12), st.integers(0, 12))
def test_the_higher_card_wins_and_suits_do_not_matter(box, dealer):
    main, war, tie = (RULES.wagers[wager] for wager in ("main", "war", "tie"))

    assert ORDER == "23456789TJQKA"
    assert (ruling(main, box, dealer) is not None) == (box > dealer)
    assert (ruling(tie, box, dealer) is not None) == (box == dealer)
    assert (ruling(war, box, dealer) is not None) == (box >= dealer)


@pytest.mark.parametrize(
    ("mine", "dealers", "due"), [("AH", "KS", (1000, 1000)), ("2H", "AS", (0, 0)), ("TH", "9S", (1000, 1000))]
)
def test_the_ace_is_highest(mine, dealers, due):
    assert play(bet("m"), "bets_closed", card(mine, 1), card(dealers), claim("m", *due), "round_closed") == (
        {"m": due},
        [],
    )


def test_a_first_stake_is_decided_whichever_card_comes_first():
    assert play(
        bet("m"),
        bet("n", seat=2),
        "bets_closed",
        card("9S"),
        card("TH", 2),
        card("8H", 1),
        claim("n", 1000, 1000),
        claim("m", 0, 0),
        "round_closed",
    ) == ({"m": (0, 0), "n": (1000, 1000)}, [])


def test_there_are_nine_boxes():
    money, findings = play(
        bet("a", seat=9), bet("b", seat=10), bet("c", seat=0), claim("b", 0, 1000), claim("c", 0, 1000)
    )

    assert money["b"] == money["c"] == (0, 1000)
    assert findings == [("wager_not_offered", "b"), ("wager_not_offered", "c")]


def test_more_than_eight_decks_are_too_many():
    assert play({"shoe_loaded": {"decks": 8}})[1] == []
    assert play({"shoe_loaded": {"decks": 9}})[1] == [("dealing_error", None)]


def test_copies_are_counted_from_the_first_event_and_reported_once_a_card():
    burnt = [card("KH", "burn")] * 2

    assert play(burnt, burnt, options={"decks": 1})[1] == [("impossible_card", None)]
    assert play(burnt, options={"decks": 2})[1] == []
    assert play({"shoe_loaded": {"decks": 2}}, burnt, options={"decks": 1})[1] == []
    assert play(burnt * 3)[1] == []
    assert play(burnt * 3, burnt)[1] == [("impossible_card", None)]
    assert play(burnt, {"shoe_loaded": {}}, burnt, options={"decks": 2})[1] == []


# V, the tie bet


def test_a_tie_bet_needs_a_first_stake_when_the_betting_closes():
    assert play(bet("t", "tie"), bet("m"), "bets_closed")[1] == []
    assert play(
        bet("m"), bet("t", "tie"), {"bet_withdrawn": {"bet": "m"}}, "bets_closed", claim("t", 0, 1000), "round_closed"
    ) == (
        {"m": "withdrawn", "t": (0, 1000)},
        [("wager_not_offered", "t")],
    )
    assert play(bet("m"), "bets_closed", bet("t", "tie", seat=2))[1] == [("wager_not_offered", "t")]


def test_a_tie_bet_is_decided_by_the_first_cards_only():
    assert play(bet("m"), bet("t", "tie"), "bets_closed", card("7H", 1), card("8S"), claim("t", 0, 0), claim("m", 0, 0),
                "round_closed") == ({"m": (0, 0), "t": (0, 0)}, [])  # fmt: skip


# V and VIII, stakes in time and out of it


def test_the_first_card_closes_the_betting():
    money, findings = play(
        bet("m"), card("9H", 1), bet("n", seat=2), {"bet_raised": {"bet": "m", "by": 500}},
        {"bet_withdrawn": {"bet": "m"}}, card("8S"), claim("n", 0, 1000), claim("m", 1000, 1500), "round_closed",
    )  # fmt: skip

    assert money == {"m": (1000, 1500), "n": (0, 1000)}
    assert findings == [("late_bet", "n"), ("late_bet", "m"), ("late_withdrawal", "m")]


def test_what_is_no_wager_is_so_also_when_it_is_late():
    assert play(TIED, bet("x", "pair"))[1] == [("wager_not_offered", "x")]
    assert play(TIED, bet("x", seat=12))[1] == [("wager_not_offered", "x")]
    assert play(TIED, bet("w", "war", seat=3))[1] == [("wager_not_offered", "w")]


@pytest.mark.parametrize("wager", ["main", "tie"])
def test_one_stake_of_a_kind_a_box(wager):
    assert play(bet("m"), bet("t", "tie"), bet("x", wager))[1] == [("too_many_bets", "x")]


def test_one_war_stake_a_box():
    assert play(TIED, bet("w", "war"), bet("x", "war"), claim("x", 0, 1000))[1] == [("too_many_bets", "x")]


def test_a_box_is_free_again_when_its_stake_is_taken_back():
    assert play(bet("m"), {"bet_withdrawn": {"bet": "m"}}, bet("n"), "bets_closed")[1] == []


def test_limits_hold_for_the_stakes_as_they_stand_at_the_close():
    raised = {"bet_raised": {"bet": "m", "by": 200}}
    own = {"min": 500, "max": 15000, "tie": {"min": 100, "max": 300}}

    assert play(bet("m", amount=400), raised, "bets_closed")[1] == []
    assert play(bet("m", amount=15000), raised, "bets_closed")[1] == [("above_maximum", "m")]
    assert play(bet("m"), {"bet_withdrawn": {"bet": "m", "amount": 600}}, "bets_closed")[1] == [("below_minimum", "m")]
    assert play(bet("m"), bet("t", "tie", 400), "bets_closed", limits=own)[1] == [("above_maximum", "t")]
    assert play(bet("m", amount=400), card("9H", 1), "bets_closed")[1] == [("below_minimum", "m")]


def test_a_war_stake_has_no_limit_of_its_own_and_equals_the_first_as_it_stood_at_the_close():
    raised = [
        bet("m", amount=15000),
        {"bet_raised": {"bet": "m", "by": 5000}},
        "bets_closed",
        card("7H", 1),
        card("7S"),
    ]

    assert play(raised, bet("w", "war", 20000))[1] == [("above_maximum", "m")]
    assert play(raised, bet("w", "war", 15000))[1] == [("above_maximum", "m"), ("stake_mismatch", "w")]


@pytest.mark.parametrize(("most", "allowed"), [(5000, True), (15000, True), (15500, False)])
def test_a_posted_maximum_is_at_most_thirty_times_the_minimum(most, allowed):
    findings = audit(table={"limits": {"min": 500, "max": most}})[0]

    assert findings == ([] if allowed else [("setup_not_allowed", "")])


# V, the answer to a tie


def test_a_war_stake_comes_after_the_dealers_first_card_and_before_the_first_burnt_one():
    assert play(bet("m"), "bets_closed", card("7H", 1), bet("w", "war"))[1] == [("wager_not_offered", "w")]
    assert play(TIED, BURNT[:1], bet("w", "war"))[1] == [("missing_decision", 1), ("late_bet", "w")]
    assert play(TIED, choose("surrender"), bet("w", "war"), claim("m", 0, 500))[1] == [("wager_not_offered", "w")]


def test_a_war_stake_may_name_its_first_stake_or_not():
    assert play(TIED, bet("w", "war", of="m"), WON[5:], "round_closed")[0] == {"m": (0, 1000), "w": (1000, 1000)}
    assert play(WON, "round_closed") == ({"m": (0, 1000), "w": (1000, 1000)}, [])


def test_saying_war_is_not_enough():
    assert play(TIED, choose("war"), BURNT, "round_closed") == ({"m": "open"}, [("missing_decision", 1)])


def test_a_tie_unanswered_at_the_close_stays_open_for_good():
    money, findings = play(TIED, "round_closed", bet("n"), {"bet_withdrawn": {"bet": "m"}},
                           {"bet_raised": {"bet": "m", "by": 500}}, "bets_closed", card("9H", 1), card("8S"),
                           claim("n", 1000, 1000), claim("m", 0, 1000), "round_closed")  # fmt: skip

    assert money == {"m": "open", "n": (1000, 1000)}
    assert findings == [
        ("missing_decision", 1),
        ("late_withdrawal", "m"),
        ("late_bet", "m"),
        ("settled_too_early", "m"),
    ]


def test_a_tied_box_waits_while_other_boxes_get_their_first_cards():
    assert play(bet("m"), bet("n", seat=2), "bets_closed", card("7H", 1), card("7S"), card("9H", 2),
                choose("surrender"), claim("n", 1000, 1000), claim("m", 0, 500), "round_closed") == (
        {"m": (0, 500), "n": (1000, 1000)}, [])  # fmt: skip


@pytest.mark.parametrize(
    ("before", "choice"),
    [([bet("m"), "bets_closed", card("7H", 1)], "surrender"), ([bet("m"), "bets_closed", card("7H", 1)], "war"),
     ([*TIED, choose("surrender")], "surrender"), ([*TIED, choose("surrender")], "war"),
     ([*TIED, bet("w", "war")], "surrender"), (TIED, "hit"), (["round_opened"], "war"),
     ([bet("m"), "bets_closed", card("8H", 1), card("7S")], "war")],
)  # fmt: skip
def test_an_answer_that_may_not_be_given_is_disregarded(before, choice):
    assert play(before, choose(choice))[1] == [("illegal_decision", 1)]


def test_an_answer_after_the_next_card_is_disregarded():
    assert play(TIED, BURNT[:1], choose("surrender"), "round_closed") == (
        {"m": "open"},
        [("missing_decision", 1), ("illegal_decision", 1)],
    )


@pytest.mark.parametrize(
    ("stake", "unit", "rounding", "half"),
    [
        (500, 100, "down", 200),
        (500, 100, "up", 300),
        (500, 100, "nearest", 300),
        (501, 1, "up", 250),
        (101, 50, "up", 50),
    ],
)
def test_half_the_stake_is_rounded_half_a_minor_unit_first_dropped(stake, unit, rounding, half):
    money, _ = play(
        bet("m", amount=stake), TIED[1:], choose("surrender"), "round_closed", chip_unit=unit, rounding=rounding
    )

    assert money == {"m": (0, half)}


# V and VIII, the deal


@pytest.mark.parametrize("burnt", [0, 2, 4])
def test_other_than_three_burnt_cards_is_one_finding_a_war(burnt):
    events = [*WAR[:5], *[card("2C", "burn")] * burnt, *WON[8:], "round_closed"]

    assert play(events) == ({"m": (0, 1000), "w": (1000, 1000)}, [("dealing_error", None)])


def test_cards_burnt_elsewhere_are_not_counted():
    assert play(card("9C", "burn"), TIED, choose("surrender"), card("9C", "burn"), claim("m", 0, 500))[1] == []


@pytest.mark.parametrize("to", [2, 11, "dealer", "community", "player"])
def test_a_card_too_many_is_dead(to):
    seat = to if isinstance(to, int) else None

    assert play(bet("m"), "bets_closed", card("9H", 1), card("8S"), card("AH", to), claim("m", 1000, 1000),
                "round_closed") == ({"m": (1000, 1000)}, [("dealing_error", seat)])  # fmt: skip


def test_a_second_first_card_and_a_second_war_card_are_dead():
    assert play(
        bet("m"), "bets_closed", card("9H", 1), card("2H", 1), card("8S"), claim("m", 1000, 1000), "round_closed"
    ) == (
        {"m": (1000, 1000)},
        [("dealing_error", 1)],
    )
    assert play(WAR, card("9H", 1), card("2H", 1), card("8S"), card("AS"), WON[-2:], "round_closed") == (
        {"m": (0, 1000), "w": (1000, 1000)},
        [("dealing_error", 1), ("dealing_error", None)],
    )


def test_a_war_card_to_a_box_that_is_not_at_war_is_dead():
    assert play(
        bet("n", seat=2),
        TIED[0],
        "bets_closed",
        card("KH", 2),
        TIED[2:],
        bet("w", "war"),
        BURNT,
        card("2H", 2),
        WON[8:],
        claim("n", 1000, 1000),
        "round_closed",
    )[1] == [("dealing_error", 2)]


def test_all_cards_but_the_burnt_ones_lie_face_up():
    assert play(bet("m"), "bets_closed", card("9H", 1, up=False), card("8S", up=False), claim("m", 1000, 1000),
                "round_closed")[1] == [("dealing_error", 1), ("dealing_error", None)]  # fmt: skip
    assert play(card("9C", "burn", up=True), card("9C", "burn", up=False))[1] == [("dealing_error", None)]
    assert play(bet("m"), "bets_closed", card("9H", 1, up=True), card("8S"), claim("m", 1000, 1000))[1] == []


def test_a_war_that_is_not_dealt_leaves_both_stakes_open():
    open_stakes = {"m": "open", "w": "open"}

    assert play(WAR, "round_closed") == (open_stakes, [("dealing_error", 1), ("dealing_error", None)])
    assert play(WAR, card("9H", 1), "round_closed") == (open_stakes, [("dealing_error", None)])
    assert play(WAR, card("9S"), "round_closed") == (open_stakes, [("dealing_error", 1)])


def test_a_claim_before_the_later_war_card_is_too_early():
    assert play(WAR, card("8S"), claim("m", 0, 1000), card("9H", 1), claim("w", 1000, 1000), "round_closed")[1] == [
        ("settled_too_early", "m")
    ]


def test_stakes_of_a_round_without_cards_play_on():
    assert play(bet("m"), bet("t", "tie"), "bets_closed", "round_closed", card("7H", 1), card("8S"), claim("m", 0, 0),
                claim("t", 0, 0), "round_closed") == ({"m": (0, 0), "t": (0, 0)}, [])  # fmt: skip


# A hole in the log


def audit(*events, table=None):
    """A log with its holes: the findings as (code, bet), and each bet's verdict."""
    return fold({**TABLE, **(table or {})}, events)


def test_after_a_hole_nothing_is_said_that_the_missing_events_could_explain():
    findings, verdicts = audit(
        "round_opened", "HOLE", "round_closed", "round_opened", bet("t", "tie"), bet("n", seat=2), "bets_closed",
        card("9H", 1), card("9D", 2), card("8S"), claim("unseen", 1000, 1000), claim("n", 1000, 1000), "round_closed",
        bet("o"), card("9H", 1), card("8S"), claim("o", 1000, 1000), claim("never", 1, 1), "round_closed",
    )  # fmt: skip

    assert findings == [("sequence_gap", ""), ("unknown_bet", "never")]
    assert verdicts == {"t": Verdict.OPEN, "n": Verdict.MATCH, "o": Verdict.MATCH}


def test_an_unreadable_card_leaves_the_round_unjudged():
    findings, verdicts = audit(
        bet("m"), bet("n", seat=2), "bets_closed", card("??", 1), card("9D", 2), card("9S"), bet("w", "war", seat=2),
        choose("surrender"), BURNT[:2], card("9S", 2), claim("m", 1000, 1000), claim("n", 0, 0), claim("w", 0, 0),
        "round_closed", bet("o"), card("9H", 1), card("8S"), claim("o", 1000, 1000), "round_closed",
    )  # fmt: skip

    assert findings == []
    assert verdicts == {**dict.fromkeys("mnw", Verdict.UNVERIFIABLE), "o": Verdict.MATCH}


# Exact odds


PUBLISHED = {
    ("tie", ""): {1: "6/17", 2: "26/103", 4: "14/69", 6: "58/311", 8: "74/415"},
    ("main", "war"): {1: "86/4165", 2: "3962/176851", 4: "6730/291387", 6: "23138/993023", 8: "276706/11826255"},
    ("main", "surrender"): {1: "1/34", 2: "7/206", 4: "5/138", 6: "23/622", 8: "31/830"},
}


def test_the_edges_are_the_published_ones():
    figures = {(row.wager, row.options.get("tie", ""), row.decks): row.edge for row in odds(RULES)}

    assert len(figures) == 24
    for (wager, answer), edges in PUBLISHED.items():
        for decks, edge in edges.items():
            assert figures[wager, answer, decks] == Fraction(edge)


def test_the_tie_bet_loses_as_its_formula_says_for_every_number_of_decks():
    for row in odds(RULES):
        if row.wager == "tie":
            assert row.decks is not None
            win = Fraction(4 * row.decks - 1, 52 * row.decks - 1)

            assert row.edge == 1 - 11 * win
            assert row.variance == 121 * win * (1 - win)
