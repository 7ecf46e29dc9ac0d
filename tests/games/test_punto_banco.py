"""Punto banco, AD-2025 game 7, passage by passage: what the scenarios leave out, and the odds of a fresh shoe."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.baccarat_hands import VALUES, coups_by, next_hand
from replay.cards import FRENCH_DECK
from replay.games._punto_banco_law import PuntoBancoLaw
from replay.games.punto_banco import odds
from replay.judging import Judging
from replay.packs import Packs
from replay.results import Verdict
from tests.games.retold import claim, invented, raised, scenario, set_up, settle, withdrawn
from tests.installed import JUDGING, PACKS

RULES = PACKS.game("AD-2025", "punto_banco")
DRAWING = RULES.law_as(PuntoBancoLaw).third_cards.drawing
LIMITS = {"min": 500, "max": 50000}
TABLE = {"game": "punto_banco", "rules": "AD-2025", "limits": LIMITS}


def play(*events, **table):
    """The re-tally: each bet's (paid, returned) or verdict, and the findings as (code, bet or seat)."""
    money, found = settle({**TABLE, **table}, events)
    return money, [(finding.code, finding.bet or finding.seat) for finding in found]


def bet(name, wager, amount=1000, seat=1, player=None):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, "player": player}}


def card(to, code, **more):
    return {"card_dealt": {"card": code, "to": to, **more}}


def deal(*codes, order="PBPBPB"):
    """Cards as they come out, by suit-less ranks or whole codes, to P(layer), B(anker) or the shoe's basket (X)."""
    hands = {"P": "player", "B": "banker", "X": "burn"}
    suits = "SHDC"
    return [
        card(hands[to], code if len(code) == 2 else code + suits[index % 4])
        for index, (code, to) in enumerate(zip(codes, order, strict=False))
    ]


def burn(first, count):
    """The first card turned and so many after it."""
    return [card("burn", first, up=True)] + [card("burn", FRENCH_DECK[index], up=False) for index in range(count)]


NINE_TO_SEVEN = deal("4", "K", "5", "7")
"""The player wins nine to seven."""
SIX_TO_SEVEN = deal("6", "7", "T", "J")
"""The bank wins seven to six; nobody draws."""
STANDARD = [bet("p", "player"), bet("b", "banker"), bet("t", "tie")]
BACK = {"p": (0, 1000), "b": (0, 1000), "t": (0, 1000)}
CLAIMS_BACK = [claim(name, 0, 1000) for name in "pbt"]


def findings(*events, **table):
    """The findings about anything but money, of a round that is closed."""
    said = play(*events, "round_closed", **table)[1]
    return [(code, subject) for code, subject in said if code not in ("unsettled", "underpaid", "overpaid")]


# V, wagers


def rank_of(value):
    return {0: "K", 1: "A"}.get(value, str(value))


NATURAL_ENDS = [
    (player, banker) for player in range(10) for banker in range(10) if player in (8, 9) or banker in (8, 9)
]


@pytest.mark.parametrize(("player", "banker"), NATURAL_ENDS)
def test_a_natural_ends_the_coup_and_the_higher_hand_wins(player, banker):
    cards = deal(rank_of(player), rank_of(banker), "K", "K")
    money, _ = play(*STANDARD, "bets_closed", *cards, "round_closed")

    if player > banker:
        assert money == {"p": (1000, 1000), "b": (0, 0), "t": (0, 0)}
    elif banker > player:
        assert money == {"p": (0, 0), "b": (950, 1000), "t": (0, 0)}
    else:
        assert money == {"p": (0, 1000), "b": (0, 1000), "t": (8000, 1000)}


@pytest.mark.parametrize(
    ("cards", "paid"),
    [
        (deal("2", "6", "4", "K"), None),  # six to six
        (deal("A", "6", "2", "K", "2"), 500),  # two cards: five to six; the bank stands on six against a two
        (deal("A", "3", "K", "K", "2", "3"), 500),  # three cards: three to six
        (deal("6", "7", "K", "K"), 1000),
        (deal("6", "9", "K", "K"), 1000),
    ],
)
def test_half_on_six_covers_sixes_of_two_and_of_three_cards(cards, paid):
    options = {"banker_pay": "half_on_6"}
    money, _ = play(bet("b", "banker"), "bets_closed", *cards, "round_closed", options=options)

    assert money == {"b": (0 if paid is None else paid, 1000)}


@pytest.mark.parametrize(("rounding", "paid"), [("down", 1050), ("nearest", 1100), ("up", 1100)])
def test_the_commission_is_inside_the_payment_rounded_to_the_chip(rounding, paid):
    """19/20 of 11.50 is 10.925."""
    money, said = play(
        bet("b", "banker", 1150), "bets_closed", *SIX_TO_SEVEN, claim("b", paid, 1150), "round_closed",
        chip_unit=50, rounding=rounding,
    )  # fmt: skip

    assert (money, said) == ({"b": (paid, 1150)}, [])


def test_half_a_stake_is_rounded_too():
    cards = deal("A", "3", "K", "K", "2", "3")
    money, _ = play(
        bet("b", "banker", 1300),
        "bets_closed",
        *cards,
        "round_closed",
        chip_unit=100,
        options={"banker_pay": "half_on_6"},
    )

    assert money == {"b": (600, 1300)}


@pytest.mark.parametrize("wager", ["player_pair", "banker_pair", "six", "banker_6", "small", "either_pair"])
def test_there_are_no_side_bets(wager):
    money, said = play(bet("x", wager), "bets_closed", *NINE_TO_SEVEN, claim("x", 0, 1000), "round_closed")

    assert (money, said) == ({"x": (0, 1000)}, [("wager_not_offered", "x")])


# VI, third cards

DRAWN_AGAINST = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}
"""The table as the Spanish catalogue prints it: banker total -> the player's third cards that he draws against."""


@pytest.mark.parametrize("banker", range(8))
@pytest.mark.parametrize("third", range(10))
def test_the_bank_draws_by_the_table(banker, third):
    """Dealt rightly there is no finding; dealt the other way the coup is void, or the card is dead."""
    draws = str(third) in DRAWN_AGAINST[banker]
    four = deal("K", rank_of(banker), "2", "K")
    five = [*four, card("player", rank_of(third) + "H")]
    six = [*five, card("banker", "2D")]
    player, after = (2 + third) % 10, (banker + 2) % 10
    money = {}
    for name, cards in (("five", five), ("six", six)):
        money[name], said = play(bet("p", "player"), "bets_closed", *cards, "round_closed")
        right = (name == "six") == draws
        assert [code for code, _ in said] == (["unsettled"] if right else ["drawing_error", "unsettled"])

    def result(of_banker):
        return {"p": (1000, 1000) if player > of_banker else (0, 1000) if player == of_banker else (0, 0)}

    assert money["six"] == (result(after) if draws else result(banker))
    assert money["five"] == ({"p": (0, 1000)} if draws else result(banker))


@pytest.mark.parametrize("banker", range(8))
@pytest.mark.parametrize("player", [6, 7])
def test_after_a_player_who_stood_the_bank_draws_up_to_five(player, banker):
    four = deal(rank_of(player), rank_of(banker), "K", "K")

    assert findings(bet("p", "player"), "bets_closed", *four) == ([("drawing_error", None)] if banker <= 5 else [])
    assert findings(bet("p", "player"), "bets_closed", *four, card("banker", "2H")) == (
        [] if banker <= 5 else [("drawing_error", None)]
    )


@pytest.mark.parametrize("player", range(6))
def test_the_player_draws_up_to_five(player):
    """With seven the bank stands whatever comes."""
    four = deal(rank_of(player), "7", "K", "K")
    money, said = play(*STANDARD, "bets_closed", *four, *CLAIMS_BACK, "round_closed")

    assert findings(*STANDARD, "bets_closed", *four, card("player", "2H")) == []
    assert (money, said) == (BACK, [("drawing_error", None)])


def test_tens_and_figures_count_nothing_and_the_ace_one():
    assert [VALUES[rank + "S"] for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
    assert len({VALUES["7" + suit] for suit in "SHDC"}) == 1


def test_a_card_to_the_wrong_hand_belongs_to_the_hand_that_had_to_draw():
    """The player's third card went to the bank, and the bank's to the player."""
    cards = [*deal("2", "3", "K", "K"), card("banker", "5S"), card("player", "5D")]
    money, said = play(
        bet("b", "banker"), "bets_closed", *cards, claim("b", 950, 1000), "round_closed"
    )  # two and five against three and five

    assert (money, said) == ({"b": (950, 1000)}, [("drawing_error", None)])


def test_drawing_errors_are_told_once_a_coup():
    cards = [
        *deal("2", "3", "K", "K"),
        card("banker", "5S"),
        card("player", "5D"),
        card("player", "9D"),
        card("banker", "9C"),
    ]

    assert findings(bet("b", "banker"), "bets_closed", *cards) == [("drawing_error", None)]
    assert findings(bet("b", "banker"), "bets_closed", *cards, "round_closed", "bets_closed", *cards) == [
        ("drawing_error", None),
        ("drawing_error", None),
    ]


def test_a_surplus_card_is_dead():
    money, said = play(
        bet("p", "player"), "bets_closed", *NINE_TO_SEVEN, card("banker", "2H"), claim("p", 1000, 1000), "round_closed"
    )

    assert (money, said) == ({"p": (1000, 1000)}, [("drawing_error", None)])


@pytest.mark.parametrize("count", [1, 2, 3])
def test_without_one_of_the_first_four_cards_the_coup_is_void(count):
    money, said = play(*STANDARD, "bets_closed", *NINE_TO_SEVEN[:count], *CLAIMS_BACK, "round_closed")

    assert (money, said) == (BACK, [("drawing_error", None)])


def test_a_void_coup_that_nobody_pays_back_is_unsettled():
    _, said = play(bet("p", "player"), "bets_closed", *NINE_TO_SEVEN[:3], "round_closed")

    assert said == [("drawing_error", None), ("unsettled", "p")]


@pytest.mark.parametrize("choice", ["draw", "stand", "hit", "declare", "pass"])
def test_nobody_has_a_choice_but_to_pass_the_shoe_on(choice):
    said = findings(*STANDARD, {"decision": {"seat": 4, "choice": choice}}, "bets_closed", *NINE_TO_SEVEN)

    assert said == ([] if choice == "pass" else [("illegal_decision", 4)])


# V and II, limits


def stakes(*bets, options=None, limits=LIMITS):
    return findings(*bets, "bets_closed", *NINE_TO_SEVEN, options=options or {}, limits=limits)


def test_a_players_stakes_in_a_box_are_added_up_to_the_minimum():
    assert stakes(bet("a", "player", 300), bet("b", "player", 200)) == []
    assert stakes(bet("a", "player", 200), bet("b", "player", 200)) == [("below_minimum", "a")]
    assert stakes(bet("a", "player", 300), bet("b", "banker", 300), bet("c", "player", 300, seat=2)) == [
        ("below_minimum", "a"),
        ("below_minimum", "b"),
        ("below_minimum", "c"),
    ]


def test_two_players_in_one_box_have_each_the_minimum_to_reach():
    bets = [bet("a", "player", 300, player="ana"), bet("b", "player", 300, player="ben")]

    assert stakes(*bets, options={"bets_per_box": 2}) == [("below_minimum", "a"), ("below_minimum", "b")]


def test_a_stake_is_judged_as_it_stands_when_no_more_are_taken():
    assert stakes(bet("a", "player", 300), raised("a", 200)) == []
    assert stakes(bet("a", "player", 60000), withdrawn("a", 10000)) == []
    assert stakes(bet("a", "player", 600), withdrawn("a", 200)) == [("below_minimum", "a")]
    assert stakes(bet("a", "player", 60000), withdrawn("a"), bet("b", "player", 50000)) == []


def test_the_first_card_closes_the_betting_where_nobody_called():
    said = findings(bet("a", "player", 300), NINE_TO_SEVEN[0], raised("a", 500), withdrawn("a"), *NINE_TO_SEVEN[1:])

    assert said == [("below_minimum", "a"), ("dealing_error", None), ("late_bet", "a"), ("late_withdrawal", "a")]


def test_each_bet_with_which_the_box_stands_over_its_maximum_is_told():
    bets = [bet(name, "player", 20000, player=name) for name in ("ana", "ben", "cai")]
    bets.append(bet("more", "player", 500, player="ana"))

    assert stakes(*bets, options={"bets_per_box": 3}) == [("above_maximum", "cai"), ("above_maximum", "more")]


def test_a_box_is_one_seat_and_one_wager():
    bets = [bet(f"{wager}{seat}", wager, 50000, seat=seat) for seat in (1, 2, 3) for wager in ("player", "banker")]

    assert stakes(*bets) == []


@pytest.mark.parametrize(("per_box", "too_many"), [(1, ["ben", "cai", "dan"]), (2, ["cai", "dan"]), (3, ["dan"])])
def test_so_many_players_a_box(per_box, too_many):
    bets = [bet(name, "banker", 1000, player=name) for name in ("ana", "ben", "cai", "dan")]
    bets.append(bet("again", "banker", 1000, player="ana"))

    assert stakes(*bets, options={"bets_per_box": per_box}) == [("too_many_bets", name) for name in too_many]


def test_without_a_player_the_seat_is_the_player():
    assert stakes(bet("a", "banker"), bet("b", "banker"), bet("c", "banker")) == []
    assert stakes(bet("a", "banker"), bet("b", "banker", player="ana")) == [("too_many_bets", "b")]


def test_a_player_who_went_away_takes_no_place():
    assert stakes(bet("a", "banker", player="ana"), withdrawn("a"), bet("b", "banker", player="ben")) == []


def test_multiples_of_the_minimum_where_the_house_asks_for_them():
    whole = {"stake_multiple": True}

    assert stakes(bet("a", "player", 1200)) == []
    assert stakes(bet("a", "player", 1200), options=whole) == [("stake_mismatch", "a")]
    assert stakes(bet("a", "player", 700), bet("b", "player", 300), options=whole) == []
    assert stakes(bet("a", "player", 700), bet("b", "player", 400), options=whole) == [("stake_mismatch", "a")]
    assert stakes(bet("a", "player", 300), options=whole) == [("below_minimum", "a")]
    assert stakes(bet("t", "tie", 700), options=whole, limits={**LIMITS, "tie": {"min": 100}}) == []
    assert stakes(bet("t", "tie", 750), options=whole, limits={**LIMITS, "tie": {"min": 100}}) == [
        ("stake_mismatch", "t")
    ]


@pytest.mark.parametrize(("own", "most"), [({}, 5000), ({"max": 4000}, 4000), ({"max": 9000}, 5000)])
def test_a_tie_holds_a_tenth_of_the_table_maximum_or_its_own_where_that_is_lower(own, most):
    limits = {**LIMITS, "tie": own}

    assert stakes(bet("t", "tie", most), limits=limits) == []
    assert stakes(bet("t", "tie", most + 1), limits=limits) == [("above_maximum", "t")]


def test_a_wager_may_have_limits_of_its_own():
    limits = {**LIMITS, "banker": {"min": 1000, "max": 20000}}

    assert stakes(bet("p", "player", 500), bet("b", "banker", 999), limits=limits) == [("below_minimum", "b")]
    assert stakes(bet("p", "player", 50000), bet("b", "banker", 20001), limits=limits) == [("above_maximum", "b")]


def test_without_limits_nothing_binds():
    assert stakes(bet("p", "player", 1), bet("t", "tie", 10**9), limits={}) == []


def setup_findings(limits, **table):
    return [(said.code, said.passage) for said in set_up({**TABLE, "limits": limits, **table})]


def test_the_table_maximum_is_twenty_to_a_hundred_times_the_minimum():
    not_allowed = [("setup_not_allowed", "game 7, V")]

    assert [setup_findings({"min": 500, "max": 500 * times}) for times in (20, 100)] == [[], []]
    assert [setup_findings({"min": 500, "max": 500 * times}) for times in (19, 101)] == [not_allowed] * 2
    assert setup_findings({**LIMITS, "tie": {"max": 5000}}) == []
    assert setup_findings({**LIMITS, "tie": {"max": 5001}}) == not_allowed
    assert setup_findings(LIMITS, decks=6) == []
    assert setup_findings(LIMITS, decks=8) == [("setup_not_allowed", "game 7, II")]


# VII, the call


def test_stakes_after_the_call_go_back():
    money, said = play(
        "bets_closed", bet("a", "player"), *NINE_TO_SEVEN, bet("b", "tie"), claim("a", 0, 1000), claim("b", 0, 1000),
        "round_closed",
    )  # fmt: skip

    assert (money, said) == ({"a": (0, 1000), "b": (0, 1000)}, [("late_bet", "a"), ("late_bet", "b")])


def test_a_late_raise_comes_back():
    money, said = play(
        bet("p", "player"), bet("b", "banker"), "bets_closed", raised("p", 300), raised("b", 200), *NINE_TO_SEVEN,
        claim("p", 1000, 1300), claim("b", 0, 200), "round_closed",
    )  # fmt: skip

    assert (money, said) == ({"p": (1000, 1300), "b": (0, 200)}, [("late_bet", "p"), ("late_bet", "b")])


def test_a_withdrawal_in_time_reduces_the_stake():
    money, said = play(
        bet("a", "player"), withdrawn("a", 400), bet("b", "player", seat=2), withdrawn("b"), "bets_closed",
        *NINE_TO_SEVEN, claim("a", 600, 600), "round_closed",
    )  # fmt: skip

    assert (money, said) == ({"a": (600, 600), "b": "withdrawn"}, [])


def test_a_card_before_the_call_is_told_once_and_counts():
    money, said = play(bet("p", "player"), *NINE_TO_SEVEN, "bets_closed", claim("p", 1000, 1000), "round_closed")

    assert (money, said) == ({"p": (1000, 1000)}, [("dealing_error", None)])


# VII, the shoe

CLEAN = [bet("p", "player"), "bets_closed", *NINE_TO_SEVEN]


@pytest.mark.parametrize(
    ("first", "value"), [("AS", 1), ("2H", 2), ("9D", 9), ("TC", 10), ("JS", 10), ("QH", 10), ("KD", 10)]
)
def test_the_first_card_says_how_many_are_burned(first, value):
    loaded = {"shoe_loaded": {"decks": 6}}

    assert findings(loaded, *burn(first, value), *CLEAN) == []
    assert findings(loaded, *burn(first, value - 1), *CLEAN) == [("dealing_error", None)]
    assert findings(loaded, *burn(first, value + 1), *CLEAN) == [("dealing_error", None)]


def test_the_burning_is_looked_at_once_a_shoe():
    wrong = [{"shoe_loaded": {"decks": 6}}, *burn("3S", 2)]

    assert findings(*wrong, *CLEAN, "round_closed", *CLEAN) == [("dealing_error", None)]
    assert findings(*wrong, *CLEAN, "round_closed", *wrong, *CLEAN) == [("dealing_error", None)] * 2


def test_a_card_burned_during_the_coup_does_not_belong_to_the_burning():
    loaded = [{"shoe_loaded": {"decks": 6}}, *burn("3S", 3)]

    assert findings(*loaded, bet("p", "player"), "bets_closed", card("burn", "5H", up=True), *NINE_TO_SEVEN) == []
    assert findings(*loaded, bet("p", "player"), "bets_closed", *deal("4", "K", "2", "5", "7", order="PBXPB")) == []


def test_cards_burned_without_a_new_shoe_are_not_counted():
    assert findings(*burn("9S", 2), *CLEAN) == []


@pytest.mark.parametrize("decks", [1, 5, 7, 8])
def test_another_number_of_decks_is_told(decks):
    assert findings({"shoe_loaded": {"decks": decks}}, *burn("3S", 3), *CLEAN) == [("dealing_error", None)]


def test_no_coup_begins_once_the_cut_card_is_out():
    assert findings("cut_card", *CLEAN) == [("dealing_error", None)]
    assert findings(bet("p", "player"), "bets_closed", NINE_TO_SEVEN[0], "cut_card", *NINE_TO_SEVEN[1:]) == []
    assert findings(*CLEAN, "cut_card", "round_closed", *CLEAN, "round_closed", *CLEAN) == [("dealing_error", None)] * 2
    assert findings(*CLEAN, "cut_card", "round_closed", {"shoe_loaded": {}}, *burn("3S", 3), *CLEAN) == []


@pytest.mark.parametrize(("out", "said"), [(304, []), (305, [("dealing_error", None)])])
def test_with_seven_cards_left_no_coup_begins(out, said):
    """Whether the device saw the cut card or not: of six decks 305 are out."""
    shoe = [code for code in FRENCH_DECK if code not in ("4S", "KS", "5C", "7D")] * 7  # 336 cards, none of the coup's
    exposed = [card("burn", code) for code in shoe[: out - 5]]
    events = [
        {"shoe_loaded": {"decks": 6}},
        *burn("4H", 4),
        bet("p", "player"),
        "bets_closed",
        *exposed,
        *NINE_TO_SEVEN,
    ]

    assert [each for each in findings(*events) if each[0] != "impossible_card"] == said


def test_both_ways_to_see_the_cut_card_are_one_finding():
    assert findings({"shoe_loaded": {"cards": 10}}, *burn("2S", 2), "cut_card", *CLEAN) == [("dealing_error", None)]


@pytest.mark.parametrize("order", ["PPBB", "BPBP", "BBPP", "PBBP", "BPPB", "PBPP"])
def test_first_cards_in_another_order_are_put_right_by_the_order_of_the_shoe(order):
    money, said = play(
        bet("p", "player"),
        "bets_closed",
        *deal("4", "K", "5", "7", order=order),
        claim("p", 1000, 1000),
        "round_closed",
    )

    assert (money, said) == ({"p": (1000, 1000)}, [("dealing_error", None)])


def test_at_each_copy_too_many():
    """Six nines of diamonds may come out, burned ones included."""
    six = [card("burn", "9D") for _ in range(6)]

    assert findings(*six, *CLEAN) == []
    assert findings(*six, card("burn", "9D"), card("burn", "9D"), *CLEAN) == [("impossible_card", None)] * 2
    assert findings(*six, {"shoe_loaded": {"decks": 6}}, *burn("9D", 9), *CLEAN) == []


def test_an_impossible_card_counts():
    six = [card("burn", "9D") for _ in range(6)]
    money, _ = play(*six, bet("p", "player"), "bets_closed", *deal("9D", "K", "K", "7"), "round_closed")

    assert money == {"p": (1000, 1000)}


# Rare events


@pytest.mark.parametrize("ground", ["stuck", "fault"])
@pytest.mark.parametrize("at", range(6))
def test_a_coup_that_is_called_void_gives_every_stake_back(ground, at):
    cards = deal("2", "3", "K", "K", "5", "5")
    cards[at]["card_dealt"]["void"] = ground
    money, said = play(*STANDARD, "bets_closed", *cards, *CLAIMS_BACK, "round_closed")

    assert (money, said) == (BACK, [])


def test_cards_stuck_to_the_last_one_annul_the_coup_too():
    """What was settled before they were seen is compared with the void coup, and an earlier finding is taken back."""
    stuck = card("banker", "2H", void="stuck")
    right = [bet("p", "player"), "bets_closed", *NINE_TO_SEVEN, stuck, claim("p", 0, 1000), "round_closed"]
    settled = [bet("p", "player"), "bets_closed", *NINE_TO_SEVEN, claim("p", 1000, 1000), stuck, "round_closed"]

    assert play(*right) == ({"p": (0, 1000)}, [])
    assert play(*settled) == ({"p": (0, 1000)}, [("overpaid", "p")])


def test_after_a_void_coup_stakes_are_late_and_the_next_coup_is_clean():
    void = [bet("p", "player"), "bets_closed", card("player", "5H", void="stuck"), claim("p", 0, 1000)]

    assert findings(*void, bet("q", "player")) == [("late_bet", "q")]
    assert play(*void, "round_closed", *CLEAN, claim("p", 1000, 1000), "round_closed")[1] == []


def test_a_face_up_card_is_dead_and_the_next_one_takes_its_place():
    for order in ("XPBPB", "PXBPB", "PBXPB", "PBPXB"):
        codes = ["4", "K", "5", "7"]
        codes.insert(order.index("X"), "9")
        money, said = play(
            bet("p", "player"), "bets_closed", *deal(*codes, order=order), claim("p", 1000, 1000), "round_closed"
        )
        assert (money, said) == ({"p": (1000, 1000)}, [])


def test_without_any_card_the_bets_stay_open_and_play_on():
    idle = [bet("p", "player", 300), "bets_closed", "round_closed"]

    assert play(*idle) == ({"p": "open"}, [("below_minimum", "p")])
    assert play(*idle, "bets_closed", *NINE_TO_SEVEN, claim("p", 300, 300), "round_closed") == (
        {"p": (300, 300)},
        [("below_minimum", "p")],
    )


def test_a_claim_before_the_last_card_is_too_early_and_still_compared():
    early = [bet("p", "player"), "bets_closed", claim("p", 1000, 1000), *NINE_TO_SEVEN, "round_closed"]
    between = [
        bet("p", "player"),
        "bets_closed",
        *NINE_TO_SEVEN[:3],
        claim("p", 0, 0),
        NINE_TO_SEVEN[3],
        "round_closed",
    ]
    on_void = [
        bet("p", "player"),
        "bets_closed",
        *NINE_TO_SEVEN[:3],
        claim("p", 0, 1000),
        card("banker", "7C", void="fault"),
    ]

    assert play(*early)[1] == [("settled_too_early", "p")]
    assert play(*between)[1] == [("settled_too_early", "p"), ("underpaid", "p")]
    assert play(*on_void, "round_closed")[1] == [("settled_too_early", "p")]


def test_a_claim_before_a_card_that_never_comes_was_not_too_early():
    """The coup is void when it is closed, and the claim is compared with that."""
    _, said = play(
        bet("p", "player"), "bets_closed", *NINE_TO_SEVEN[:3], claim("p", 0, 0), claim("p", 0, 0), "round_closed"
    )

    assert said == [("settled_twice", "p"), ("drawing_error", None), ("underpaid", "p")]


def test_a_stake_left_for_the_next_coup_is_a_new_bet():
    tie = deal("4", "K", "5", "9")
    again = [bet("p2", "player"), "bets_closed", *NINE_TO_SEVEN, claim("p2", 1000, 1000), "round_closed"]
    money, said = play(bet("p", "player"), "bets_closed", *tie, claim("p", 0, 1000), "round_closed", *again)

    assert (money, said) == ({"p": (0, 1000), "p2": (1000, 1000)}, [])


def test_a_card_that_nobody_could_read_leaves_the_coup_unverifiable():
    unread = [bet("p", "player"), "bets_closed", *NINE_TO_SEVEN[:3], card("banker", "??"), claim("p", 0, 0)]
    outcome = scenario(TABLE, unread).settle(JUDGING)

    assert [settlement.verdict for settlement in outcome.settlements] == [Verdict.UNVERIFIABLE]
    assert outcome.findings == []


LOG = [
    {"shoe_loaded": {"decks": 6}}, *burn("3S", 3), "round_opened", *CLEAN, claim("p", 1000, 1000), "round_closed",
    "round_opened", *STANDARD, "bets_closed", *deal("2", "3", "K", "K", "5", "5"),
    claim("p", 0, 0), claim("b", 950, 1000), claim("t", 0, 0), "round_closed",
    "round_opened", *CLEAN, claim("p", 1000, 1000), "round_closed",
]  # fmt: skip


@given(st.integers(2, len(LOG) + 1), st.integers(0, 6))
def test_no_finding_is_invented_after_a_hole(first, length):
    hole = range(first, min(first + length, len(LOG) + 1) + 1)

    assert invented(TABLE, LOG, hole) == []


# Exact figures

TOTAL = {6: 878869206895680, 8: 4998398275503360}
"""The orders of six cards: 312 x 311 x 310 x 309 x 308 x 307, and 416 x … x 411."""
PUBLISHED = {
    6: (392220492728832, 403095751234560, 83552962932288),
    8: (2230518282592256, 2292252566437888, 475627426473216),
}
EDGES = {
    (6, "player", ""): (Fraction(18880657128, 1525814595305), "0.904778"),
    (6, "banker", "commission_5"): (Fraction(460294100, 43594702723), "0.860101"),
    (6, "banker", "half_on_6"): (Fraction(716053792, 49219825655), "0.864336"),
    (6, "tie", ""): (Fraction(220299549488, 1525814595305), "6.968483"),
    (8, "player", ""): (Fraction(241149546272, 19524993263685), "0.904691"),
    (8, "banker", "commission_5"): (Fraction(114753351728, 10847218479825), "0.860019"),
    (8, "banker", "half_on_6"): (Fraction(284694798368, 19524993263685), "0.864234"),
    (8, "tie", ""): (Fraction(103841353768, 723147898655), "6.974206"),
}


@pytest.mark.parametrize("decks", [6, 8])
def test_the_coups_are_counted_as_published(decks):
    found = coups_by(DRAWING, decks)
    player = sum(orders for (player, banker, *_), orders in found.items() if player > banker)
    banker = sum(orders for (player, banker, *_), orders in found.items() if banker > player)
    tie = sum(orders for (player, banker, *_), orders in found.items() if player == banker)

    assert (player, banker, tie) == PUBLISHED[decks]
    assert player + banker + tie == TOTAL[decks]


@pytest.mark.parametrize(("decks", "published"), [(6, "0.053844451"), (8, "0.053863716")])
def test_the_bank_wins_with_six_as_often_as_published(decks, published):
    six = sum(orders for (player, banker, *_), orders in coups_by(DRAWING, decks).items() if player < banker == 6)

    assert f"{float(Fraction(six, TOTAL[decks])):.9f}" == published


ANOTHER_LAW = """
name = "OTHER"
jurisdiction = "OTHER"
title = "Eight decks"
source = "Rules of the house"
in_force = 2026-01-01
based_on = "AD-2025"
approved_by = "The regulator"
games = ["punto_banco"]
"""


def with_decks(decks):
    """Packs of which one, a law of its own based on AD-2025, has so many decks in the shoe."""
    text = f'game = "punto_banco"\n[shoe]\ndecks = {decks}\npassage = "rule 1"\n'
    packs = Packs({**PACKS.files, "OTHER": {"pack.toml": ANOTHER_LAW.encode(), "punto_banco.toml": text.encode()}})

    assert packs.problems(["OTHER"]) == []
    return packs


@pytest.mark.parametrize("decks", [6, 8])
def test_the_odds_are_those_published(decks):
    figures = {
        (each.decks, each.wager, each.options.get("banker_pay", "")): (each.edge, f"{float(each.variance):.6f}")
        for each in odds(with_decks(decks).game("OTHER", "punto_banco"))
    }

    assert figures == {key: value for key, value in EDGES.items() if key[0] == decks}


def test_with_eight_decks_the_house_has_what_every_table_of_odds_says():
    """Banker less five per cent, player, and the tie at eight to one, in per cent to four places."""
    found = {
        each.wager: round(100 * each.edge, 4)
        for each in odds(with_decks(8).game("OTHER", "punto_banco"))
        if each.holds({"banker_pay": "commission_5"})
    }

    assert found == {"banker": Fraction("1.0579"), "player": Fraction("1.2351"), "tie": Fraction("14.3596")}


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([{"shoe_loaded": {"decks": 8}}, *burn("3S", 3)], []),
        ([{"shoe_loaded": {"decks": 6}}, *burn("3S", 3)], [("dealing_error", "rule 1")]),
        ([card("burn", "9D")] * 8, []),
        ([card("burn", "9D")] * 9, [("impossible_card", "rule 1")]),
    ],
)
def test_a_law_with_eight_decks_is_judged_by_eight(events, said):
    claims = [claim("p", 1000, 1000), claim("b", 0, 0), claim("t", 0, 0)]
    coup = [*STANDARD, "bets_closed", *NINE_TO_SEVEN, *claims, "round_closed"]
    told = scenario({**TABLE, "rules": "OTHER", "decks": 8}, [*events, *coup]).settle(Judging(packs=with_decks(8)))

    assert told.setup == []
    assert [(found.code, found.passage) for found in told.findings] == said
    assert [bet.verdict for bet in told.settlements] == [Verdict.MATCH] * 3


def test_the_odds_are_of_the_six_decks_of_the_game():
    assert [(each.wager, each.decks) for each in odds(RULES)] == [
        ("player", 6), ("banker", 6), ("banker", 6), ("tie", 6)
    ]  # fmt: skip


def test_the_third_card_tables_are_complete():
    assert [DRAWING.draws(player) for player in range(8)] == [True] * 6 + [False] * 2
    assert [DRAWING.answers(banker, None) for banker in range(8)] == [True] * 6 + [False] * 2
    assert [sorted(values) for values in DRAWING.banker] == [
        [int(v) for v in DRAWN_AGAINST[total]] for total in range(8)
    ]


@given(st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_every_coup_ends_within_six_cards_each_hand_with_two_or_three(values):
    player: list[int] = []
    banker: list[int] = []
    for value in values:
        hand = next_hand(player, banker, DRAWING.draws, DRAWING.answers)
        if not hand:
            break
        {"player": player, "banker": banker}[hand].append(value)

    assert next_hand(player, banker, DRAWING.draws, DRAWING.answers) == ""
    assert 2 <= len(banker) <= len(player) + 1
    assert 2 <= len(player) <= 3
    assert len(banker) <= 3
