"""Pai gow poker, AD-2022 game 12, passage by passage: what the scenarios leave out, and the house way rule by rule."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.games._foxwoods import foxwoods, high_rank, low_rank, without
from replay.games.pai_gow_poker import Hand, cover, dealing_order, odds, wins
from replay.hands import JOKER, pai_gow
from replay.results import Verdict
from replay.rules import Table
from tests.games.retold import claim, flat, fold_without, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "pai_gow_poker")
SECOND = pai_gow("second")
TABLE = {"game": "pai_gow_poker", "rules": "AD-2022", "limits": {"min": 500, "max": 50000}}

# A hand for each place: the dealer's is king high, those of the seats differ in what they do against it.
DEALER = "KS QH 9D 7C 5S 3H 2D"
WINS = "AS AH KD QC 9S 4H 2C"  # K-Q in front, aces in back
PUSHES = "JS JH TC 8C 7S 6H 3C"  # T-8 loses to Q-9 in front, jacks win
LOSES = "QS JD TH 8D 6D 5H 4S"  # J-T in front, queen high in back
FRONT = {DEALER: "QH 9D", WINS: "KD QC", PUSHES: "TC 8C", LOSES: "JD TH"}


def play(*events, **table):
    """The re-tally of a scenario: each bet's (paid, returned) or verdict, and the findings as (code, bet or seat)."""
    money, found = settle({**TABLE, **table}, events)
    return money, [
        (finding.code, finding.bet or (finding.seat if finding.amount is None else finding.amount)) for finding in found
    ]


def bet(name, seat=1, wager="main", amount=1000, **more):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, **more}}


def card(code, to, **more):
    return {"card_dealt": {"card": code, **({"seat": to} if isinstance(to, int) else {"to": to}), **more}}


def hand(to, cards):
    return [card(code, to) for code in cards.split()]


def put(seat, cards):
    return {"decision": {"seat": seat, "choice": "set", "cards": cards.split()}}


def dice(total, **more):
    """Three dice that add up to ``total``."""
    first = max(1, total - 12)
    second = min(6, total - first - 1)
    return {"dice_rolled": {"dice": [first, second, total - first - second], **more}}


def taken(amount):
    return {"commission_taken": {"amount": amount}}


def played(cards, *claims, seat=1, mains=None):
    """A round of one seat against the dealer, who is served first, set by both."""
    return [
        mains or bet("b", seat),
        "bets_closed",
        dice(8),
        hand("dealer", DEALER),
        hand(seat, cards),
        put(seat, FRONT[cards]),
        put(0, FRONT[DEALER]),
        *claims,
        "round_closed",
    ]


def whole(*claims):
    """Claims that give everything back, for rounds whose money is not the point."""
    return [claim(name, 0, 1000) for name in claims]


# III and V, the stakes


def test_a_win_is_paid_at_par_less_five_per_cent_a_null_game_gives_the_stake_back_a_loss_takes_it():
    assert play(played(WINS, claim("b", 950, 1000))) == ({"b": (950, 1000)}, [])
    assert play(played(PUSHES, claim("b", 0, 1000))) == ({"b": (0, 1000)}, [])
    assert play(played(LOSES, claim("b", 0, 0))) == ({"b": (0, 0)}, [])


@pytest.mark.parametrize(("per_cent", "paid"), [(0, 1000), (1, 990), ("2.5", 975), (5, 950)])
def test_the_commission_is_up_to_five_per_cent(per_cent, paid):
    assert play(played(WINS, claim("b", paid, 1000)), options={"commission_pct": Decimal(per_cent)})[1] == []


def test_a_commission_of_more_than_five_per_cent_is_a_fault_of_the_setup_and_five_are_taken():
    table = Table(PACKS.game("AD-2022", "pai_gow_poker"), options={"commission_pct": 6})

    assert [text for _, text in table.faults] == ["option commission_pct: 0 to 5, not 6"]
    assert table.options["commission_pct"] == 5


def test_what_a_win_pays_is_rounded_as_the_table_rounds():
    for rounding, paid in (("down", 1150), ("up", 1200), ("nearest", 1200)):
        stake = bet("b", amount=1250)  # 1187.50
        assert play(played(WINS, claim("b", paid, 1250), mains=stake), chip_unit=50, rounding=rounding)[1] == []


def test_several_bettors_ride_on_one_seat():
    mains = [bet("b", player="p1"), bet("c", player="p2", amount=2000)]

    assert play(played(WINS, claim("b", 950, 1000), claim("c", 1900, 2000), mains=mains)) == (
        {"b": (950, 1000), "c": (1900, 2000)},
        [],
    )


def test_the_maximum_binds_the_running_sum_of_a_seat_and_the_minimum_each_stake():
    mains = [bet("a", amount=400), bet("b", amount=30000), bet("c", amount=20000), bet("d", amount=500)]

    assert play(mains, "bets_closed")[1] == [("below_minimum", "a"), ("above_maximum", "c"), ("above_maximum", "d")]


def test_stakes_are_judged_as_they_stand_at_no_more_bets():
    events = [bet("a", amount=400), {"bet_raised": {"bet": "a", "by": 100}}, bet("b", 2, amount=60000)]
    assert play(events, {"bet_withdrawn": {"bet": "b", "amount": 10000}}, "bets_closed")[1] == []


def test_the_limits_are_not_for_the_stake_of_the_house():
    assert play(bet("k", 2, "bank", 99000), bet("h", 0, amount=60000), bet("i", 0, amount=100), "bets_closed")[1] == []


def test_six_players_sit_at_the_table():
    for seat in (6, 7):
        found = play(bet("b", seat), "bets_closed")[1]
        assert found == ([("wager_not_offered", "b")] if seat == 7 else [])
    assert play(bet("k", 7, "bank"), bet("l", 0, "bank"), "bets_closed")[1] == [
        ("wager_not_offered", "k"),
        ("wager_not_offered", "l"),
    ]


def test_a_stake_wholly_withdrawn_in_time_is_no_stake():
    events = [bet("b"), bet("c", 2), {"bet_withdrawn": {"bet": "c"}}, "bets_closed", dice(8)]

    money, findings = play(
        events, hand("dealer", DEALER), hand(1, WINS), put(1, "KD QC"), put(0, "QH 9D"), claim("b", 950, 1000)
    )
    assert (money, findings) == ({"b": (950, 1000), "c": "withdrawn"}, [])


def test_after_the_first_card_a_stake_is_late_even_without_no_more_bets():
    money, findings = play(
        bet("b"), dice(8), card("KS", "dealer"), bet("c", 2), {"bet_withdrawn": {"bet": "b"}}, claim("c", 0, 1000)
    )

    assert money["c"] == (0, 1000)
    assert findings == [
        ("dealing_error", None),
        ("dealing_error", None),
        ("late_bet", "c"),
        ("late_withdrawal", "b"),
    ]


def test_no_more_bets_are_not_taken_back_by_a_second_opening():
    assert play("round_opened", bet("b"), "bets_closed", "round_opened", bet("c", 2))[1] == [("late_bet", "c")]


# VI, the bank


def banked(bank, house, *mains, claims=(), first=3):
    """Seat 3 banks with a pair of aces; the dealer and seats 1 and 5 play. Bank 3, dice 5: seat 0 is served first."""
    return [
        bet("k", 3, "bank", bank),
        [] if house is None else bet("h", 0, amount=house),
        *mains,
        "bets_closed",
        dice(5),
        hand("dealer", "AD AC KH QC 8S 5D 3H"),
        hand(1, "KS QH TD 8C 6S 4H 2D"),
        hand(3, "AS AH KD JC 9S 7H 3C"),
        hand(5, "2S 2H QD TC 7S 5H 4C"),
        put(1, "QH TD"),
        put(3, "KD JC"),
        put(5, "QD TC"),
        put(0, "KH QC"),
        *claims,
        "round_closed",
    ]


def test_the_net_of_the_round_is_the_banks_less_commission():
    """Dealer: K-Q beats K-J, the aces with the lower kicker do not: null. Seats 1 and 5 lose."""
    claims = [claim("h", 0, 1000), claim("a", 0, 0), claim("c", 0, 0), claim("k", 4750, 10000), taken(250)]

    money, findings = play(banked(10000, 1000, bet("a", 1, amount=3000), bet("c", 5, amount=2000), claims=claims))
    assert (money["k"], findings) == ((4750, 10000), [])


def test_a_net_loss_comes_off_the_stake_of_the_bank():
    events = [
        bet("k", 1, "bank", 5000),
        bet("h", 0, amount=1000),
        bet("w", 2, amount=2000),
        "bets_closed",
        dice(7),
        hand("dealer", LOSES),
        hand(1, DEALER),
        hand(2, WINS),
        put(1, "QH 9D"),
        put(2, "KD QC"),
        put(0, "JD TH"),
        claim("h", 0, 0),
        claim("w", 1900, 2000),
        claim("k", 0, 4000),
        taken(100),
        "round_closed",
    ]

    assert play(events) == ({"k": (0, 4000), "h": (0, 0), "w": (1900, 2000)}, [])


def test_the_stake_of_the_house_wins_without_commission():
    events = [
        bet("k", 1, "bank", 5000),
        bet("h", 0, amount=1000),
        "bets_closed",
        dice(7),
        hand("dealer", WINS),
        hand(1, DEALER),
        put(1, "QH 9D"),
        put(0, "KD QC"),
        claim("h", 1000, 1000),
        claim("k", 0, 4000),
        taken(0),
        "round_closed",
    ]

    assert play(events) == ({"k": (0, 4000), "h": (1000, 1000)}, [])


@given(st.integers(0, 5000), st.lists(st.tuples(st.integers(0, 6), st.integers(1, 2000)), max_size=8))
def test_a_bank_covers_stakes_in_order_until_it_is_used_up(bank, stakes):
    covered = cover(bank, stakes)

    assert sum(covered) == min(bank, sum(amount for _, amount in stakes))
    for (_, amount), part, later in zip(stakes, covered, [*covered, 0][1:], strict=True):
        assert 0 <= part <= amount
        assert part == amount or later == 0


def test_the_seats_are_covered_counter_clockwise_from_the_bank_and_the_rest_comes_back():
    """Bank 4,000 at seat 3: the house's 1,000, seat 5's 2,000, then 1,000 of seat 1's 3,000, though it staked first.
    House null, the others lose: net 3,000 less commission."""
    claims = [claim("h", 0, 1000), claim("c", 0, 0), claim("a", 0, 2000), claim("k", 2850, 4000)]

    money, findings = play(banked(4000, 1000, bet("a", 1, amount=3000), bet("c", 5, amount=2000), claims=claims))
    assert findings == [("stake_mismatch", "k")]
    assert money == {"h": (0, 1000), "c": (0, 0), "a": (0, 2000), "k": (2850, 4000)}


def test_a_bank_that_covers_exactly_is_enough():
    claims = [claim("h", 0, 1000), claim("c", 0, 0), claim("a", 0, 0), claim("k", 4750, 6000)]

    assert play(banked(6000, 1000, bet("a", 1, amount=3000), bet("c", 5, amount=2000), claims=claims))[1] == []


def test_the_bank_does_not_stake_against_itself():
    for events in (
        [bet("k", 3, "bank"), bet("b", 3)],
        [bet("b", 3), bet("k", 3, "bank")],
    ):
        assert play(events, "bets_closed", claim("b", 0, 1000))[1] == [("wager_not_offered", "b")]
    assert play(bet("b", 0), "bets_closed")[1] == [("wager_not_offered", "b")]
    assert play(bet("b", 0), options={"player_bank": False})[1] == [("wager_not_offered", "b")]
    assert play(bet("k", 1, "bank"), options={"player_bank": False})[1] == [("wager_not_offered", "k")]


def test_one_player_banks():
    found = play(bet("k", 3, "bank"), bet("l", 4, "bank"), claim("l", 0, 1000), "bets_closed")

    assert found == ({"k": "open", "l": (0, 1000)}, [("too_many_bets", "l")])


def test_a_bank_taken_back_in_time_makes_room_for_another():
    assert play(bet("k", 3, "bank"), bet("l", 4, "bank"), {"bet_withdrawn": {"bet": "k"}}, "bets_closed") == (
        {"k": "withdrawn", "l": "open"},
        [],
    )


def test_chips_handed_back_of_a_stake_that_then_plays_were_handed_back_too_early():
    events = [bet("k", 3, "bank"), bet("l", 4, "bank"), claim("l", 0, 1000), {"bet_withdrawn": {"bet": "k"}}]

    assert play(events, "bets_closed")[1] == [("settled_too_early", "l")]


# VI, the dice and the deal


def test_the_bank_is_one_eight_and_fifteen():
    everybody = set(range(7))
    for bank in range(7):
        for total in range(3, 19):
            order = dealing_order(bank, total, everybody)
            counted = bank
            for _ in range(total - 1):
                counted = (counted + 1) % 7
            assert order[0] == counted
            assert order == [(counted + step) % 7 for step in range(7)]
            assert (order[0] == bank) == (total in (8, 15))


def test_a_place_without_a_hand_is_passed_over():
    assert dealing_order(0, 4, {0, 2, 5}) == [5, 0, 2]
    assert dealing_order(3, 5, {0, 3}) == [0, 3]


@pytest.mark.parametrize(
    "throws",
    [
        [dice(8), dice(9)],
        [{"dice_rolled": {"dice": [4, 4]}}],
        [{"dice_rolled": {"dice": [2, 2, 2, 2]}}],
        [],
    ],
)
def test_three_dice_are_thrown_once(throws):
    events = [bet("b"), "bets_closed", *throws, hand("dealer", DEALER), hand(1, WINS), put(1, "KD QC"), put(0, "QH 9D")]

    assert play(events, claim("b", 950, 1000), "round_closed") == ({"b": (950, 1000)}, [("dealing_error", None)])


def test_a_void_throw_does_not_count():
    events = [bet("b"), "bets_closed", dice(9, void="cocked"), dice(8), {"dice_changed": None}]

    assert play(events, hand("dealer", DEALER), hand(1, WINS), put(1, "KD QC"), put(0, "QH 9D"))[1] == []


def test_the_dice_are_thrown_after_no_more_bets_and_count_all_the_same():
    events = [bet("b"), dice(8), "bets_closed", hand("dealer", DEALER), hand(1, WINS), put(1, "KD QC"), put(0, "QH 9D")]

    assert play(events)[1] == [("dealing_error", None)]


def deal_of_two(*deal):
    return play(
        bet("b"),
        bet("c", 2),
        "bets_closed",
        dice(8),
        *deal,
        put(1, "KD QC"),
        put(2, "TC 8C"),
        put(0, "QH 9D"),
        claim("b", 950, 1000),
        claim("c", 0, 1000),
        "round_closed",
    )


def test_hands_of_seven_in_the_wrong_order_stand():
    dealer, one, two = hand("dealer", DEALER), hand(1, WINS), hand(2, PUSHES)
    paid = {"b": (950, 1000), "c": (0, 1000)}

    assert deal_of_two(dealer, one, two) == (paid, [])
    for deal in (
        [dealer, two, one],
        [one, two, dealer],
        [dealer[:3], one[:3], dealer[3:], one[3:], two],
        [card("KS", "dealer", up=True), dealer[1:], two, one],
        [dealer, one, two[:6], card("3C", 2, up=True)],
    ):
        assert deal_of_two(deal) == (paid, [("dealing_error", None)])


@pytest.mark.parametrize(
    "deal",
    [
        [hand("dealer", DEALER), hand(1, WINS), hand(2, PUSHES)[:6]],
        [hand("dealer", DEALER), hand(1, WINS), hand(2, PUSHES), card("6C", 2)],
        [hand("dealer", DEALER), hand(2, PUSHES)],
        [hand(1, WINS), hand(2, PUSHES)],
        [hand("dealer", DEALER), hand(1, WINS), hand(2, PUSHES), hand(3, "2S 3S")],
    ],
)
def test_a_hand_that_is_not_of_seven_makes_the_round_void(deal):
    money, findings = play(
        bet("b"), bet("c", 2), "bets_closed", dice(8), deal, claim("b", 0, 1000), claim("c", 0, 1000), "round_closed"
    )

    assert (money, findings) == ({"b": (0, 1000), "c": (0, 1000)}, [("dealing_error", None)])


def test_a_card_too_many_after_the_hands_are_set_makes_the_round_void_all_the_same():
    events = played(WINS)[:-1]

    money, findings = play(events, card("6C", 1), claim("b", 0, 1000), "round_closed")
    assert (money, findings) == ({"b": (0, 1000)}, [("dealing_error", None)])
    money, findings = play(events, claim("b", 950, 1000), card("6C", 1), "round_closed")
    assert money == {"b": (0, 1000)}
    assert findings == [("settled_too_early", "b"), ("dealing_error", None), ("overpaid", "b")]


def test_a_seat_without_stake_is_served_for_nothing():
    money, findings = play(
        bet("b"),
        "bets_closed",
        dice(8),
        hand("dealer", DEALER),
        hand(1, WINS),
        hand(2, PUSHES),
        put(1, "KD QC"),
        put(2, "TC 8C"),
        put(0, "QH 9D"),
        claim("b", 950, 1000),
        "round_closed",
    )

    assert (money, findings) == ({"b": (950, 1000)}, [("dealing_error", None)])


def test_left_over_cards_are_put_away():
    left = [card(code, "burn") for code in FRENCH_DECK if code not in f"{DEALER} {WINS}".split()]
    events = played(WINS)

    assert play(events[:5], left, [card("XX", "burn")], events[5:-1], claim("b", 950, 1000), "round_closed")[1] == []


@pytest.mark.parametrize("ground", ["stuck", "fault"])
def test_a_void_card_makes_the_round_void(ground):
    events = [bet("b"), "bets_closed", dice(8), hand("dealer", DEALER)[:6], card("2D", "dealer", void=ground)]

    assert play(events, claim("b", 0, 1000), "round_closed") == ({"b": (0, 1000)}, [])
    assert play(events, hand(1, WINS), put(1, "AS AH"), claim("b", 950, 1000), taken(50), "round_closed")[1] == [
        ("overpaid", "b"),
        ("wrong_commission", 50),
    ]


def test_a_card_comes_once_in_a_round_and_the_joker_only_where_it_is_played():
    assert play(played(WINS), played(WINS))[1] == [("unsettled", "b"), ("unsettled", "b")]
    assert play(bet("b"), "bets_closed", dice(8), card("XX", "dealer"), card("XX", "dealer"))[1] == [
        ("impossible_card", None)
    ]
    assert play(bet("b"), "bets_closed", dice(8), card("XX", "dealer"), options={"joker": "none"})[1] == [
        ("impossible_card", None)
    ]


def test_hands_of_a_faulty_pack_stand():
    """Two jokers: the second is an ace."""
    events = [bet("b"), "bets_closed", dice(8), hand("dealer", DEALER), hand(1, "XX XX KD QC 9S 4H 2C")]

    for front in ("KD QC", "XX XX"):
        money, findings = play(events, put(1, front), put(0, "QH 9D"), claim("b", 950, 1000))
        assert findings[0] == ("impossible_card", None)
        assert money == {"b": (950, 1000) if front == "KD QC" else (0, 0)}


# VI, setting the hands


def unset(*decisions, claims=(), **table):
    return play(
        bet("b"),
        "bets_closed",
        dice(8),
        hand("dealer", DEALER),
        hand(1, WINS),
        *decisions,
        *claims,
        "round_closed",
        **table,
    )


def test_a_hand_that_is_never_set_is_set_by_the_house_way():
    """One pair: the pair in back, king and queen in front."""
    for way in ("foxwoods", "none"):
        assert unset(put(0, "QH 9D"), claims=[claim("b", 950, 1000)], options={"house_way": way}) == (
            {"b": (950, 1000)},
            [("dealer_misplay", None), ("missing_decision", 1)],
        )


def test_a_dealer_who_is_not_seen_to_set_has_set_by_the_house_way():
    assert unset(put(1, "KD QC"), claims=[claim("b", 950, 1000)]) == ({"b": (950, 1000)}, [])


def test_the_dealer_sets_last():
    assert unset(put(0, "QH 9D"), put(1, "KD QC"), claims=[claim("b", 950, 1000)])[1] == [("dealer_misplay", None)]


def test_a_wrong_set_of_the_dealer_that_comes_too_soon_is_two_faults():
    found = unset(put(0, "KS QH"), put(1, "KD QC"), claims=[claim("b", 950, 1000)])[1]

    assert found == [("dealer_misplay", None)] * 2


def test_another_card_of_the_same_rank_is_the_same_house_way():
    """A pair of nines and nothing else: the dealer puts the house way's queen and jack in front."""
    events = [bet("b"), "bets_closed", dice(8), hand("dealer", "QH QS 9D 9C 5S 3H AD"), hand(1, WINS), put(1, "KD QC")]

    assert play(events, put(0, "9C 9D"), claim("b", 0, 1000), "round_closed")[1] == []


@pytest.mark.parametrize(
    "decision",
    [
        {"seat": 1, "choice": "set", "cards": ["KD", "QH"]},
        {"seat": 1, "choice": "set", "cards": ["KD"]},
        {"seat": 1, "choice": "set", "cards": ["KD", "KD"]},
        {"seat": 1, "choice": "set", "cards": ["KD", "QC", "9S"]},
        {"seat": 1, "choice": "set"},
        {"seat": 4, "choice": "set", "cards": ["KD", "QC"]},
        {"seat": 1, "choice": "stand"},
    ],
)
def test_only_two_cards_of_the_own_hand_can_be_set(decision):
    found = unset({"decision": decision}, put(1, "KD QC"), put(0, "QH 9D"), claims=[claim("b", 950, 1000)])

    assert found == ({"b": (950, 1000)}, [("illegal_decision", decision["seat"])])


def test_a_hand_is_set_once():
    found = unset(put(1, "KD QC"), put(1, "AS AH"), put(0, "QH 9D"), put(0, "KS QH"), claims=[claim("b", 950, 1000)])

    assert found == ({"b": (950, 1000)}, [("illegal_decision", 1), ("illegal_decision", 0)])


def test_a_misset_bank_loses_to_every_hand_that_is_not_misset_itself():
    """Bank 1 puts its aces in front; seat 2 is mis-set as well, seat 3 and the dealer are not."""
    events = [
        bet("k", 1, "bank", 5000),
        bet("h", 0),
        bet("b", 2),
        bet("c", 3),
        "bets_closed",
        dice(7),
        hand("dealer", DEALER),
        hand(1, WINS),
        hand(2, "JS JH TC 8C 7S 6H 3C"),
        hand(3, LOSES),
        put(1, "AS AH"),
        put(2, "JS JH"),
        put(3, "JD TH"),
        put(0, "QH 9D"),
        claim("h", 1000, 1000),
        claim("b", 0, 0),
        claim("c", 950, 1000),
        claim("k", 0, 4000),
        "round_closed",
    ]

    assert play(events) == (
        {"k": (0, 4000), "h": (1000, 1000), "b": (0, 0), "c": (950, 1000)},
        [("hand_misset", 1), ("hand_misset", 2)],
    )


def test_the_dealers_own_set_counts_where_there_is_no_house_way():
    options = {"house_way": "none"}

    assert unset(put(1, "KD QC"), put(0, "KS QH"), claims=[claim("b", 950, 1000)], options=options) == (
        {"b": (950, 1000)},
        [("hand_misset", 0)],
    )
    assert unset(put(1, "KD QC"), put(0, "KS 2D"), claims=[claim("b", 0, 1000)], options=options)[1] == [
        ("hand_misset", 0),
        ("underpaid", "b"),
    ]
    assert unset(put(1, "KD QC"), put(0, "3H 2D"), claims=[claim("b", 950, 1000)], options=options)[1] == []


def test_king_queen_in_front_of_a_lower_hand_is_misset_and_equal_as_far_as_two_cards_go_is_not():
    ranking = SECOND
    for cards, front, misset in (
        ("KS QH 9D 7C 5S 3H 2D", "KS QH", True),
        ("KS KH QD QC 5S 3H 2D", "KH QD", False),
        ("AS AH KD QC 9S 4H 2C", "AS KD", True),
        ("AS KH QD 9C 7S 4H 2D", "KH QD", False),
        ("KS KH KD QC 9S 4H 2C", "KS QC", False),
        ("9S 9H AD JC 6S 5H 3C", "9S 9H", True),
        ("AS AH XX QC 9S 4H 2C", "AS AH", True),
    ):
        seven = Hand(1, due=True)
        seven.cards = cards.split()
        seven.divide(ranking, front.split())
        assert seven.misset == misset, cards


def divided(cards, front):
    seven = Hand(1, due=True)
    seven.cards = cards.split()
    seven.divide(SECOND, front.split())
    return seven


def test_copies_go_to_the_bank():
    bank = divided("AS KH QD 9C 7S 4H 2D", "KH QD")

    assert wins(divided("AH KD QC 9S 7C 4S 2C", "KD QC"), bank) == 0
    assert wins(divided("JS JH KD QC 7C 4S 2C", "KD QC"), bank) == 1
    assert wins(divided("AH AD KC QS 7C 4S 2C", "KC QS"), bank) == 1
    assert wins(divided("JS JH AD 5C 7C 4S 2C", "AD 7C"), bank) == 2


def test_the_joker_is_an_ace_in_front_and_completes_straights_in_back():
    assert divided("XX KH 9D 7C 5S 4H 2D", "XX KH").low == low_rank(["AS", "KD"])
    assert SECOND.name(divided("XX KH QD 8C 7S 6H 4D", "KH QD").high) == "straight"


# The house way


@pytest.mark.parametrize(
    ("cards", "front"),
    [
        # 1, five aces
        ("XX AS AH AD AC QS 7H", "AS AH"),
        ("XX AS AH AD AC KS KH", "KS KH"),
        ("XX AS AH AD AC QS QH", "AS AH"),
        # 2, four of a kind
        ("9S 9H 9D 9C 4S 4H KD", "4S 4H"),
        ("AS AH AD AC 4S 4H 4D", "4S 4H"),
        ("5S 5H 5D 5C AS AH AD", "AS AH"),
        ("JS JH JD JC 9S 7H 2D", "JS JH"),
        ("AS AH AD AC KS 7H 2D", "AS AH"),
        ("XX AH AD AC 9S 7H 2D", "AH AD"),
        ("TS TH TD TC KS 7H 2D", "KS 7H"),
        ("7S 7H 7D 7C AS 9H 2D", "AS 9H"),
        ("7S 7H 7D 7C XX 9H 2D", "XX 9H"),
        ("TS TH TD TC QS 8H 2D", "TS TH"),
        ("7S 7H 7D 7C QS 9H 2D", "7S 7H"),
        ("6S 6H 6D 6C QS 9H 3D", "QS 9H"),
        ("2S 2H 2D 2C 5S 4H 3D", "5S 4H"),
        # 3, two threes; a three and a pair
        ("9S 9H 9D 4S 4H 4D KC", "9S 9H"),
        ("9S 9H 9D KS KH 4D 2C", "KS KH"),
        ("9S 9H 9D 4S 4H KD 2C", "4S 4H"),
        ("5S 5H 5D KS KH QD QC", "KS KH"),
        ("XX AH AD KS KH QD 3C", "KS KH"),
        # 4, a complete hand
        ("KS QH JD TC 9S 5H 2D", "5H 2D"),
        ("KS QH JD TC 9S 8H 2D", "KS 2D"),
        ("KS QH JD TC 9S 8H 7D", "KS QH"),
        ("AS 9S 7S 5S 2S KH QD", "KH QD"),
        ("AS QS 9S 7S 5S 2S KH", "AS KH"),
        ("9S 8H 7D 6C 5S 9H 2D", "9S 2D"),
        ("9S 8H 7D 6C 5S 9H 9D", "9S 9H"),
        ("XX 9H 8D 6C 5S KH TD", "KH TD"),
        ("8S 8H 9S TD JC QH 2C", "8S 2C"),
        # 4, exception: an ace and a pair of tens to kings
        ("AS KS KH QD JC TS 5H", "AS QD"),
        ("AS TS TH 9D 8C 7S 6H", "AS TS"),
        ("AS JS JH KS 9S 4S 2D", "AS KS"),
        ("AS 9S 9H 8D 7C 6S 5H", "AS 9S"),
        # 5, three pairs
        ("KS KH 9S 9H 4D 4C AS", "KS KH"),
        ("AS XX 9S 9H 4D 4C KS", "AS XX"),
        # 6, two pairs
        ("JS JH 4D 4C AS 8H 3D", "4D 4C"),
        ("AS AH KD KC QS 8H 3D", "KD KC"),
        ("XX AH 3D 3C QS 8H 7D", "3D 3C"),
        ("TS TH 4D 4C AS 8H 3D", "AS 8H"),
        ("7S 7H 4D 4C XX 8H 3D", "XX 8H"),
        ("TS TH 4D 4C KS 8H 3D", "4D 4C"),
        ("6S 6H 4D 4C KS 8H 3D", "KS 8H"),
        ("3S 3H 2D 2C AS 8H 4D", "AS 8H"),
        ("6S 6H 4D 4C QS 8H 3D", "4D 4C"),
        ("QS QH JD JC TS 9H 8D", "JD JC"),
        ("7S 7H 6D 6C 5S 4H 3D", "6D 6C"),
        # 7, three of a kind
        ("AS AH AD KC 9S 7H 2D", "AS KC"),
        ("AS XX AD QC 9S 7H 2D", "AS QC"),
        ("KS KH KD AC 9S 7H 2D", "AC 9S"),
        ("2S 2H 2D QC 9S 7H 4D", "QC 9S"),
        # 8, one pair
        ("9S 9H AD KC 7S 4H 2D", "AD KC"),
        ("AS XX QD JC 7S 4H 2D", "QD JC"),
        # 9, nothing
        ("AS QH TD 8C 6S 4H 2D", "QH TD"),
        ("XX QH TD 8C 6S 4H 2D", "QH TD"),
    ],
)
def test_the_house_way(cards, front):
    seven = cards.split()
    chosen = foxwoods(seven, SECOND)

    assert low_rank(chosen) == low_rank(front.split()), chosen


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("XX AH AD AC KS QH JD", "straight"),  # two aces in front, ace and joker with K-Q-J in back
        ("9S 9H 8S 7S 6S 5S 2D", "straight_flush"),  # the nine of hearts goes in front, not the one of spades
        ("KS QH JD TC 9S 8S 2S", "straight"),
        ("AS QS 9S 7S 5S 2S KH", "flush"),
    ],
)
def test_of_several_ways_to_the_same_front_the_best_back_is_taken(cards, name):
    seven = cards.split()

    assert SECOND.name(high_rank(SECOND, without(seven, foxwoods(seven, SECOND)))) == name


@given(
    st.lists(st.sampled_from([*FRENCH_DECK, JOKER]), min_size=7, max_size=7, unique=True),
    st.sampled_from(["second", "low"]),
)
def test_the_house_way_never_missets_a_hand(cards, wheel):
    ranking = pai_gow(wheel)
    front = foxwoods(cards, ranking)

    assert high_rank(ranking, without(cards, front)) >= low_rank(front)


@given(st.permutations(["XX", "AS", "KS", "KH", "QD", "JC", "TS"]))
def test_the_house_way_does_not_hang_on_the_order_of_the_cards(cards):
    front = foxwoods(cards, SECOND)

    assert sorted(map(low_rank, [front])) == [low_rank(["KS", "KH"])]


# Claims, commission, rounds without cards


def test_a_claim_is_in_time_when_no_card_and_no_set_follows():
    events = [bet("b"), "bets_closed", dice(8), hand("dealer", DEALER), hand(1, WINS)]

    for before, after in (([], [put(1, "KD QC"), put(0, "QH 9D")]), ([put(1, "KD QC")], [put(0, "QH 9D")])):
        found = play(events, before, claim("b", 950, 1000), after, "round_closed")
        assert found == ({"b": (950, 1000)}, [("settled_too_early", "b")])
    assert play(events, put(1, "KD QC"), claim("b", 950, 1000), "round_closed")[1] == []
    assert play(events[:3], claim("b", 950, 1000), events[3:], put(1, "KD QC"), "round_closed")[1] == [
        ("settled_too_early", "b")
    ]
    assert play(bet("b"), claim("b", 950, 1000), "bets_closed")[1] == [("settled_too_early", "b")]


def test_an_illegal_set_after_a_claim_does_not_make_it_too_early():
    found = unset(put(1, "KD QC"), put(0, "QH 9D"), claim("b", 950, 1000), put(1, "AS AH"))

    assert found == ({"b": (950, 1000)}, [("illegal_decision", 1)])


def test_commission_is_compared_only_where_it_is_reported():
    for sums, findings in (
        ([], []),
        ([50], []),
        ([20, 30], []),
        ([0], [("wrong_commission", 50)]),
        ([60], [("wrong_commission", 10)]),
    ):
        reported = [taken(amount) for amount in sums]
        assert play(played(WINS, claim("b", 950, 1000), *reported))[1] == findings


def test_the_commission_is_what_rounding_leaves_of_it():
    """1,250 less 5 % are 1,187.50, paid 1,150: 100 are kept."""
    stake = bet("b", amount=1250)

    assert play(played(WINS, claim("b", 1150, 1250), taken(100), mains=stake), chip_unit=50)[1] == []


def test_a_round_closed_without_any_card_leaves_the_stakes_open_and_they_play_on():
    assert play(bet("b"), "bets_closed", dice(8), "round_closed") == ({"b": "open"}, [])
    later = [bet("c", 2), "bets_closed", dice(8), hand("dealer", DEALER), hand(1, WINS), hand(2, PUSHES)]
    money, findings = play(
        bet("b"),
        "bets_closed",
        "round_closed",
        later,
        put(1, "KD QC"),
        put(2, "TC 8C"),
        put(0, "QH 9D"),
        claim("b", 950, 1000),
        claim("c", 0, 1000),
        "round_closed",
    )
    assert (money, findings) == ({"b": (950, 1000), "c": (0, 1000)}, [])


def test_a_hand_that_nobody_could_read_leaves_its_stakes_open_and_says_nothing():
    """Seat 2 has a card that nobody could read; seat 1 plays against the dealer all the same."""
    events = [bet("b"), bet("c", 2), "bets_closed", dice(8), hand("dealer", DEALER), hand(1, WINS)]
    events += [hand(2, "?? JH TC 8C 7S 6H 3C"), put(1, "KD QC"), put(2, "JS JH"), put(0, "QH 9D")]

    money, findings = play(events, claim("b", 950, 1000), claim("c", 0, 1000), taken(10), "round_closed")
    assert (money, findings) == ({"b": (950, 1000), "c": "open"}, [])
    more = [{"bet_raised": {"bet": "c", "by": 100}}, {"bet_withdrawn": {"bet": "c"}}, "round_closed"]
    assert play(events, claim("b", 950, 1000), "round_closed", bet("d", 3), more)[1] == [
        ("late_bet", "c"),
        ("late_withdrawal", "c"),
    ]


def test_a_bank_that_nobody_could_read_leaves_all_stakes_open():
    events = [bet("b"), "bets_closed", dice(8), hand("dealer", "?? QH 9D 7C 5S 3H 2D"), hand(1, WINS)]

    assert play(events, put(1, "KD QC"), put(0, "KS QH"), claim("b", 950, 1000), "round_closed") == ({"b": "open"}, [])


# A hole in the log


ROUNDS = list(flat([["round_opened", *played(WINS, claim("b", 950, 1000))]] * 3))


@pytest.mark.parametrize("missing", range(2, len(ROUNDS) + 2))
def test_no_hole_makes_a_finding(missing):
    verdicts, findings = fold_without(TABLE, ROUNDS, {missing})

    assert findings == []
    assert set(verdicts.values()) <= {Verdict.MATCH, Verdict.UNVERIFIABLE, Verdict.UNCLAIMED}
    assert missing > len(ROUNDS) // 3 + 1 or verdicts[3, "b"] is Verdict.MATCH


def test_after_a_hole_the_next_round_is_judged_when_the_hands_of_this_one_were_seen():
    third = len(ROUNDS) // 3

    assert fold_without(TABLE, ROUNDS, {5})[0][2, "b"] is Verdict.MATCH
    assert fold_without(TABLE, ROUNDS, {third})[0][3, "b"] is Verdict.MATCH


def test_a_stake_that_may_have_been_carried_over_is_not_missed():
    """A stake of a round without cards is not seen; in the next round its seat is served."""
    lost = ["round_opened", bet("x", 2), "bets_closed", "round_closed"]
    served = ["round_opened", bet("b"), "bets_closed", dice(8), hand("dealer", DEALER), hand(1, WINS), hand(2, PUSHES)]
    served += [put(1, "KD QC"), put(2, "TC 8C"), put(0, "QH 9D"), claim("b", 950, 1000), claim("x", 0, 1000)]

    verdicts, findings = fold_without(
        TABLE, [lost, served, "round_closed", "round_opened", played(WINS, claim("b", 950, 1000))], {3}
    )
    assert findings == []
    assert verdicts[2, "b"] is Verdict.UNVERIFIABLE
    assert verdicts[3, "b"] is Verdict.MATCH


def test_there_are_no_odds_without_a_way_to_set_the_hands():
    assert list(odds(RULES)) == []
