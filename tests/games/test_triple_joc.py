"""Triple joc, AD-2022 game 21, passage by passage: what the scenarios leave out, and the exact odds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.games.triple_joc import odds, poker_ruling, six_cards, war_ruling
from replay.hands import FIVE
from replay.results import Finding, Verdict
from replay.scenario import Scenario
from replay.session import Session
from tests.games.blackjacks import CLOSED, END, call, cards, deal, stake, tables
from tests.games.retold import UNCLAIMED, claim, raised, withdrawn
from tests.installed import JUDGING, PACKS

play, fold = tables("triple_joc")
RULES = PACKS.game("AD-2022", "triple_joc")
WAR, POKER = RULES.wagers["war"], RULES.wagers["poker"]


def three(seat=1, **more):
    """The three stakes of a place: ``w1``, ``b1``, ``p1`` at place 1."""
    return [
        stake(f"{wager[0]}{seat}", seat, wager=wager, **more)
        for wager in ("war", "blackjack", "poker")
    ]  # fmt: skip


def first_deal(dealer, *hands):
    """The first two cards of places 1, 2 …, and the dealer's first."""
    twos = [hand.split() for hand in hands]
    firsts = [deal(two[0], seat) for seat, two in enumerate(twos, 1)]
    return [*firsts, deal(dealer, "D"), *[deal(two[1], seat) for seat, two in enumerate(twos, 1)]]


def alone(dealer, hand, *events, **table):
    """Place 1 alone with its three stakes, claims of no matter."""
    return play(three(), CLOSED, first_deal(dealer, hand), *events, END, **UNCLAIMED, **table)


# III and IV, the stakes


@pytest.mark.parametrize("missing", ["war", "blackjack", "poker"])
def test_each_of_the_three_stakes_is_compulsory_and_the_others_play(missing):
    laid = [bet for bet in three() if bet["bet_placed"]["wager"] != missing]
    events = [laid, CLOSED, first_deal("9C", "KS 7H")]
    if missing != "blackjack":
        events += [call("stand"), deal("TD", "D")]
    if missing != "poker":
        events += cards(1, "KH 2D 3D 4D")

    money, findings = play(events, END, **UNCLAIMED)
    won = {"w1": (1000, 1000), "b1": (0, 0), "p1": (1000, 1000)}
    assert findings == [("below_minimum", 1)]
    assert money == {bet: result for bet, result in won.items() if bet != f"{missing[0]}1"}


def test_two_missing_stakes_are_two_findings():
    assert play(stake("w", wager="war"), CLOSED)[1] == [("below_minimum", 1), ("below_minimum", 1)]


def test_the_limits_hold_for_each_box_or_its_own():
    big = [stake("w", wager="war", amount=50000), stake("b", wager="blackjack", amount=50500)]

    assert play(big, stake("p", wager="poker", amount=900), CLOSED)[1] == [
        ("above_maximum", "b"),
        ("below_minimum", "p"),
    ]
    limits = {"min": 1000, "max": 50000, "poker": {"min": 500, "max": 800}}
    assert play(big, stake("p", wager="poker", amount=900), CLOSED, limits=limits)[1] == [
        ("above_maximum", "b"),
        ("above_maximum", "p"),
    ]


def test_the_maximum_is_at_most_fifty_times_the_minimum():
    def said(most):
        session = Session("-", JUDGING)
        table = {"min": 1000, "max": most}
        opened = {"game": "triple_joc", "rules": "AD-2022", "limits": table}
        events = Scenario.read({"scenario": "-", "source": "-", "table": opened, "events": ["round_opened"]}).events
        session.step(events[0], b"")
        return [found.code for found in session.drain() if isinstance(found, Finding)]

    assert said(50000) == []
    assert said(50500) == ["setup_not_allowed"]


def test_one_stake_a_box_and_one_place_a_player():
    assert play(three(player="ana"), three(2, player="ben"), CLOSED)[1] == []
    assert play(three(player="ana"), three(2, player="ana"), CLOSED)[1] == [("too_many_bets", "w2")]
    assert play(three(), stake("x", wager="war"), stake("y", wager="poker"), CLOSED)[1] == [
        ("too_many_bets", "x"),
        ("too_many_bets", "y"),
    ]


@pytest.mark.parametrize("wager", ["under_13", "over_13", "jackpot", "progressive", "main", "tie"])
def test_no_other_wager_is_offered(wager):
    assert play(three(), stake("x", wager=wager), claim("x", 0, 1000))[1] == [("wager_not_offered", "x")]


def test_there_are_seven_places():
    assert play(three(7), CLOSED)[1] == []
    assert play(stake("x", 8, wager="war"), claim("x", 0, 1000))[1] == [("wager_not_offered", "x")]


def test_after_the_first_card_stakes_are_late_and_stay():
    money, findings = play(three(), deal("KS", 1), stake("x", 2, wager="war"), withdrawn("p1"), claim("x", 0, 1000))

    assert money["x"] == (0, 1000)
    assert findings == [("late_bet", "x"), ("late_withdrawal", "p1")]


# V, Repte


@given(st.sampled_from(FRENCH_DECK), st.sampled_from(FRENCH_DECK))
def test_the_higher_card_wins_and_a_tie_costs_half(mine, dealers):
    order = "23456789TJQKA"
    price, back = war_ruling(WAR, mine, dealers)

    expected = Fraction(-1, 2)
    if mine[0] != dealers[0]:
        expected = Fraction(1 if order.index(mine[0]) > order.index(dealers[0]) else -1)
    assert price.ratio + back - 1 == expected


def test_war_is_decided_when_both_first_cards_are_down():
    events = [three(), CLOSED, deal("KS", 1)]

    assert play(events, claim("w1", 1000, 1000), deal("9C", "D"))[1] == [("settled_too_early", "w1")]
    assert play(events, deal("9C", "D"), claim("w1", 1000, 1000))[1] == []
    assert play(three(), CLOSED, deal("9C", "D"), deal("KS", 1), claim("w1", 1000, 1000))[1] == [("dealing_error",)]


# V, blackjack


def test_a_blackjack_pays_three_to_two_and_against_a_low_card_the_dealer_draws_none():
    assert alone("9C", "AS KH", cards(1, "2D 3D 4D 7H"))[0]["b1"] == (1500, 1000)
    assert alone("9C", "AS KH", deal("8D", "D"), cards(1, "2D 3D 4D 7H"))[1] == [("dealer_misplay",)]


def test_the_dealer_owes_one_card_to_a_blackjack_that_he_may_equal():
    poker = cards(1, "2D 3D 4D 7H")

    assert alone("TC", "AS KH", deal("AD", "D"), poker) == (
        {"w1": (1000, 1000), "b1": (0, 1000), "p1": (0, 0)},
        [],
    )
    assert alone("TC", "AS KH", deal("5D", "D"), deal("6D", "D"), poker)[1] == [("dealer_misplay",)]


@pytest.mark.parametrize("drawn", ["2D 3C 4C AH", "2D 3C 4C 7H"])
def test_six_cards_that_do_not_pass_21_win_at_once(drawn):
    """5 with two cards, then 15 or 21 with six."""
    hits = [[call("hit"), deal(card, 1)] for card in drawn.split()]
    events = [three(), CLOSED, first_deal("AD", "2C 3S"), hits, claim("b1", 1000, 1000)]

    money, findings = play(events, claim("w1", 0, 0), claim("p1", 2000, 1000), END)
    assert money["b1"] == (1000, 1000)
    assert findings == []


def test_six_cards_that_pass_21_lose():
    hits = [[call("hit"), deal(card, 1)] for card in ["2D", "3C", "4C", "TH"]]

    assert alone("AD", "2C 3S", hits)[0]["b1"] == (0, 0)


def test_five_cards_are_no_six_and_wait_for_the_dealer():
    hits = [[call("hit"), deal(card, 1)] for card in ["2D", "3C", "4C"]]

    money, findings = alone("TD", "2C 3S", hits, call("stand"), deal("8C", "D"), deal("9C", 1))
    assert (money["b1"], findings) == ((0, 0), [])


def test_a_seventh_card_is_a_dealing_error_and_does_not_count():
    hits = [[call("hit"), deal(card, 1)] for card in ["2D", "3C", "4C", "AH"]]

    money, findings = alone("AD", "2C 3S", hits, deal("5H", 1))
    assert money == {"w1": (0, 0), "b1": (1000, 1000), "p1": (2000, 1000)}
    assert findings == [("dealing_error", 1)]


def test_aces_are_split_once():
    """A second split is against the rules; hands, stakes and cards count as they lie: three hands of 12, 19, 17."""
    events = [call("split"), stake("s", wager="blackjack", hand=2, of="b1"), deal("AD", 1), call("split")]
    events += [stake("t", wager="blackjack", hand=3, of="b1"), deal("AC", 1), deal("8H", 1, 2), deal("6H", 1, 3)]

    money, findings = alone("9D", "AS AH", events, deal("9C", "D"))
    assert findings == [("illegal_decision", 1)]
    assert {bet: money[bet] for bet in ("b1", "s", "t")} == {"b1": (0, 0), "s": (1000, 1000), "t": (0, 0)}


def test_unequal_cards_are_no_pair():
    assert alone("9D", "KS 7H", call("split"))[1][0] == ("illegal_decision", 1)
    assert alone("9D", "KS KH", call("split"))[1][0] == ("illegal_decision", 1)


def test_a_surrender_gives_half_back_and_the_place_plays_poker():
    assert alone("9D", "TS 6H", call("surrender"), cards(1, "TD TC 2C 3C")) == (
        {"w1": (1000, 1000), "b1": (0, 500), "p1": (3000, 1000)},
        [],
    )


def test_a_double_on_any_two_cards():
    events = [call("double"), raised("b1", 1000), deal("4C", 1), deal("9C", "D"), cards(1, "2C 3C 7D")]

    assert alone("9D", "TS 7H", events)[0]["b1"] == (2000, 2000)


def test_who_has_no_blackjack_stake_gets_two_cards_and_plays_no_hand():
    laid = [stake("w", wager="war"), stake("p", wager="poker"), three(2), CLOSED]
    events = [laid, first_deal("9D", "KS KH", "TS 9H")]

    money, findings = play(
        events, call("stand", 2), deal("8C", "D"), cards(1, "2C 3C 4D 7D"), cards(2, "2D 3D 4H 7C"), END, **UNCLAIMED
    )
    assert findings == [("below_minimum", 1)]
    assert money["w"] == money["p"] == (1000, 1000)
    assert play(events, call("hit", 1))[1][1:] == [("illegal_decision", 1)]
    assert play(events, deal("2C", 1))[1][1:] == [("dealing_error", 1)]


def test_war_and_poker_claims_do_not_end_a_hand():
    """The dealer drew before place 1 was asked; its war is settled, and then it takes a card after all."""
    events = [deal("8C", "D"), claim("w1", 1000, 1000), call("hit"), deal("4C", 1), call("stand")]
    events += [cards(1, "2C 3C 7D"), claim("b1", 1000, 1000), claim("p1", 0, 0)]

    assert play(three(), CLOSED, first_deal("9D", "TS 6H"), events, END)[1] == [("missing_decision", 1)]


# V, poker


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("AS KS QS JS TS 2D", 100),
        ("KS QS JS TS 9S 9D", 25),
        ("AS 2S 3S 4S 5S KD", 25),
        ("9S 9H 9D 9C KS KH", 10),
        ("9S 9H 9D KS KH KC", 6),
        ("2S 5S 7S 9S JS JD", 5),
        ("AS 2H 3D 4C 5S 9D", 4),
        ("AS KH QD JC TS 2D", 4),
        ("2S 2H 2D 5C 9S KD", 3),
        ("2S 2H 3D 3C 4S 4D", 2),
        ("QS QH 3D 5C 7S 9D", 1),
        ("AS AH 3D 5C 7S 9D", 1),
        ("JS JH 3D 5C 7S AD", None),
        ("2S 4H 6D 8C TS QD", None),
        ("QS KH AD 2C 3S 5D", None),
    ],
)
def test_the_table_pays_the_best_five_of_six_cards(hand, pays):
    price = poker_ruling(POKER, hand.split())

    assert (None if price is None else price.ratio) == pays


def test_poker_is_decided_by_the_sixth_card():
    events = [three(), CLOSED, first_deal("9C", "KS 7H"), call("stand"), deal("TD", "D"), cards(1, "KH 2D 3D")]

    assert ("settled_too_early", "p1") in play(events, claim("p1", 1000, 1000), deal("4D", 1))[1]
    assert ("settled_too_early", "p1") not in play(events, deal("4D", 1), claim("p1", 1000, 1000))[1]


def test_poker_cards_are_dealt_in_rising_order_said_once():
    events = [three(), three(2), three(3), CLOSED, first_deal("9C", "TS 9H", "TH 9S", "TD 9D")]
    events += [call("stand", seat) for seat in (1, 2, 3)] + [deal("9C", "burn"), deal("8C", "D")]

    third, second, first = cards(3, "2S 3S 4S 6S"), cards(2, "2H 3H 4H 6H"), cards(1, "2D 3D 4D 6D")
    assert play(events, first, second, third, END, **UNCLAIMED)[1][1:] == []
    assert play(events, third, second, first, END, **UNCLAIMED)[1][1:] == [("dealing_error", 3)]


def test_a_place_without_a_poker_stake_gets_no_poker_cards():
    laid = [stake("w", wager="war"), stake("b", wager="blackjack"), CLOSED]

    events = [laid, first_deal("9C", "TS 9H"), call("stand"), deal("8C", "D"), deal("2C", 1)]
    assert play(events, END, **UNCLAIMED)[1] == [("below_minimum", 1), ("dealing_error", 1)]


def test_a_card_to_a_closed_hand_before_the_dealer_has_drawn_counts_for_poker_only():
    events = [call("stand"), deal("5C", 1), deal("8C", "D"), cards(1, "TD TC 3C")]

    money, findings = alone("9C", "TS 7H", events)
    assert findings == [("dealing_error", 1)]
    assert money == {"w1": (1000, 1000), "b1": (0, 1000), "p1": (3000, 1000)}


def test_a_seat_without_any_stake_gets_no_card():
    assert alone("9C", "TS 7H", call("stand"), deal("8C", "D"), deal("2C", 4), cards(1, "TD TC 3C 4C"))[1] == [
        ("dealing_error", 4)
    ]


def test_a_hand_that_lacks_poker_cards_at_the_end_leaves_the_stake_open():
    money, findings = alone("9C", "TS 7H", call("stand"), deal("8C", "D"), cards(1, "TD TC 3C"))

    assert (money["p1"], findings) == ("open", [("dealing_error", 1)])
    assert play(three(), CLOSED, END, **UNCLAIMED)[1] == []


def test_a_dealer_who_goes_on_to_poker_before_he_has_drawn():
    """15 against 17: no claim has said that he stands, so the cards come before the blackjack is over."""
    money, findings = alone("9C", "TS 7H", call("stand"), deal("6C", "D"), cards(1, "TD TC 3C 4C"))

    assert findings == [("dealing_error", 1)] * 4 + [("dealer_misplay",)]
    assert money == {"w1": (1000, 1000), "b1": (1000, 1000), "p1": (3000, 1000)}


def test_with_a_hand_never_asked_poker_begins_when_the_dealer_is_done():
    money, findings = alone("9C", "TS 7H", deal("8C", "D"), cards(1, "TD TC 3C 4C"))

    assert findings == [("missing_decision", 1)]
    assert money == {"w1": (1000, 1000), "b1": (0, 1000), "p1": (3000, 1000)}


# VI, exposed cards, faulty cards


def test_an_exposed_card_is_put_away_and_never_dealt():
    burn = deal("2C", "burn", exposed=True)

    poker = cards(1, "TD TC 3C 4C")
    assert alone("9C", "TS 7H", burn, call("stand"), deal("8C", "D"), poker)[1] == []
    assert alone("9C", "TS 7H", call("stand"), deal("8C", "D", exposed=True), poker)[1] == [("dealing_error",)]


def test_a_second_exposed_card_gives_back_what_has_not_been_settled():
    """War was won and settled; the blackjack, doubled, won and not settled, and poker go back whole."""
    events = [three(), CLOSED, deal("2C", "burn", exposed=True), first_deal("5C", "6S 5H"), claim("w1", 1000, 1000)]
    events += [call("double"), raised("b1", 1000), deal("TS", 1), deal("TH", "D"), deal("8D", "D")]
    void = [deal("3C", "burn", exposed=True), claim("b1", 0, 2000), claim("p1", 0, 1000)]

    assert play(events, void, END) == ({"w1": (1000, 1000), "b1": (0, 2000), "p1": (0, 1000)}, [])
    assert play(events, claim("b1", 2000, 2000), void[0], void[2], END)[0]["b1"] == (2000, 2000)


def test_cards_after_a_void_deal_are_one_dealing_error_and_do_not_count():
    burns = [deal("2C", "burn", exposed=True), deal("3C", "burn", exposed=True)]

    money, findings = alone("5C", "6S 5H", burns, call("hit"), deal("TS", 1), deal("TH", "D"), deal("4C", "burn"))
    assert findings == [("dealing_error", 1)]
    assert money == {"w1": (1000, 1000), "b1": (0, 1000), "p1": (0, 1000)}


def test_the_second_exposed_card_may_be_dealt():
    events = [three(), CLOSED, deal("2C", "burn", exposed=True), deal("KS", 1), deal("9C", "D", exposed=True)]

    money, findings = play(events, [claim(bet, 0, 1000) for bet in ("w1", "b1", "p1")], END)
    assert set(money.values()) == {(0, 1000)}
    assert findings == [("dealing_error",)]


def test_a_new_deck_for_every_round():
    one = [three(), CLOSED, first_deal("9C", "TS 7H"), call("stand"), deal("8C", "D"), cards(1, "TD TC 3C 4C"), END]

    assert play(one, one, **UNCLAIMED)[1] == []
    burnt = deal("TS", "burn")
    assert alone("9C", "TS 7H", burnt)[1][0] == ("impossible_card",)


# A hole in the log


ROUND = [
    "round_opened",
    three(),
    CLOSED,
    first_deal("9C", "TS 7H"),
    claim("w1", 1000, 1000),
    call("stand"),
    deal("8C", "D"),
    claim("b1", 0, 1000),
    cards(1, "TD TC 3C 4C"),
    claim("p1", 3000, 1000),
    END,
]


@pytest.mark.parametrize("missing", range(2, 20))
def test_no_hole_makes_a_finding(missing):
    verdicts, findings = fold([ROUND] * 3, {missing})

    assert findings == []
    assert set(verdicts.values()) <= {Verdict.MATCH, Verdict.UNVERIFIABLE}
    assert all(verdicts[3, bet] is Verdict.MATCH for bet in ("w1", "b1", "p1"))


# The exact figures


def test_the_published_frequencies_of_six_cards():
    found: Counter[str] = Counter()
    for hand, ways in six_cards():
        price = poker_ruling(POKER, hand)
        found["loses" if price is None else FIVE.name(FIVE.best(hand))] += ways

    assert sum(found.values()) == 20_358_520
    assert found == {
        "royal_flush": 188, "straight_flush": 1_656, "four_of_a_kind": 14_664, "full_house": 165_984,
        "flush": 205_792, "straight": 361_620, "three_of_a_kind": 732_160, "two_pair": 2_532_816,
        "pair": 2_252_472, "loses": 14_091_168,
    }  # fmt: skip


def test_the_published_edges():
    assert {row.wager: row.edge for row in odds(RULES)} == {
        "war": Fraction(1, 34),
        "poker": Fraction(22460, 508963),
        "insurance": Fraction(1, 17),
    }
