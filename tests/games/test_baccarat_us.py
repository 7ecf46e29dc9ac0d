"""Baccarat under US-NJ and MO-2004: what the scenarios leave out, the published edges, and a second reckoning of random
coups."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from replay.games import watched_of
from replay.games._punto_banco_law import PuntoBancoLaw
from replay.games.punto_banco import odds
from replay.rules import Table
from tests.games.retold import claim, invented, scenario, set_up, settle
from tests.installed import JUDGING, PACKS

US = {"game": "punto_banco", "rules": "US-NJ", "currency": "USD", "limits": {"min": 500, "max": 500000}}
MO = {**US, "rules": "MO-2004", "currency": "MOP"}
LATER = {"collection": "later"}
SUITS = "SHDC"


def bet(name, wager, amount=1000, seat=1, pick=None, player=None):
    fields = {"bet": name, "seat": seat, "wager": wager, "amount": amount, "pick": pick, "player": player}
    return {"bet_placed": fields}


def fee(amount, **whose):
    return {"commission_taken": {"amount": amount, **whose}}


def cards(ranks):
    """A coup of these ranks in the order of the shoe, laid where the rules have them: by a table of its own."""
    hands: dict[str, list[str]] = {"player": [], "banker": []}
    told = []
    for index, rank in enumerate(ranks):
        hand = next_of(hands)
        hands[hand].append(rank)
        told.append({"card_dealt": {"card": rank + SUITS[index % 4], "to": hand}})
    assert not next_of(hands)
    return told


POINTS = {**{str(number): number for number in range(2, 10)}, "A": 1, **dict.fromkeys("TJQK", 0)}


def points(ranks):
    return sum(POINTS[rank] for rank in ranks) % 10


def next_of(hands):
    """Whose the next card is, as the page's table of third cards says; empty where the coup is over."""
    player, banker = hands["player"], hands["banker"]
    if len(player) + len(banker) < 4:
        return "banker" if len(player) > len(banker) else "player"
    if max(points(player[:2]), points(banker[:2])) >= 8 or len(banker) == 3:
        return ""
    if len(player) == 2:
        return "player" if points(player) <= 5 else "banker" if points(banker) <= 5 else ""
    third = POINTS[player[2]]
    stands = {3: (8,), 4: (0, 1, 8, 9), 5: (0, 1, 2, 3, 8, 9), 6: (0, 1, 2, 3, 4, 5, 8, 9)}
    total = points(banker)
    return "banker" if total < 3 or (total < 7 and third not in stands[total]) else ""


def play(table, *events, **options):
    """Each bet's money, and the findings as (code, bet or seat, amount)."""
    money, found = settle({**table, "options": options}, events)
    return money, [(each.code, each.bet or each.seat, each.amount) for each in found]


BANK_WINS = cards("67KK")
"""Seven to six; nobody draws."""


# --- prices -----------------------------------------------------------------------------------------------------------

EDGES = {
    ("player", ""): ("0.012374", "0.012351"),
    ("banker", "commission_5"): ("0.010558", "0.010579"),
    ("banker", "commission_4"): ("0.005972", "0.005993"),
    ("banker", "dragon_7"): ("0.010161", "0.010183"),
    ("banker", "half_on_6"): ("0.014548", "0.014581"),
    ("tie", "8"): ("0.144382", "0.143596"),
    ("tie", ""): ("0.144382", "0.143596"),
    ("tie", "9"): ("0.049313", "0.048440"),
    ("dragon_bonus", "player"): ("0.026675", "0.026517"),
    ("dragon_bonus", "banker"): ("0.093889", "0.093731"),
    ("dragon_7", ""): ("0.076062", "0.076113"),
    ("panda_8", ""): ("0.102074", "0.101876"),
    ("lucky_6", ""): ("0.167163", "0.166836"),
}
"""As published, with six packs and with eight."""


@pytest.mark.parametrize("pack", ["US-NJ", "MO-2004"])
def test_the_edges_are_those_published_with_six_packs_and_with_eight(pack):
    found: dict[tuple[str, str], dict[int | None, str]] = {}
    for each in odds(PACKS.game(pack, "punto_banco")):
        (value,) = each.options.values() or ("",)
        key = each.wager, each.pick if each.wager == "dragon_bonus" else value
        if each.wager != "pair":
            found.setdefault(key, {})[each.decks] = f"{float(each.edge):.6f}"

    assert {key: (figures[6], figures[8]) for key, figures in found.items()} == {key: EDGES[key] for key in found}
    assert {wager for wager, _ in found} == set(PACKS.game(pack, "punto_banco").wagers) - {"pair"}


def test_a_pair_has_the_edge_of_two_cards_of_one_rank():
    pairs = {
        (each.decks, each.pick): each.edge
        for each in odds(PACKS.game("MO-2004", "punto_banco"))
        if each.wager == "pair" and each.decks in (6, 8)
    }

    assert pairs == {(decks, pick): edge for decks, edge in ((6, Fraction(35, 311)), (8, Fraction(43, 415)))
                     for pick in ("player", "banker")}  # fmt: skip


def test_a_hand_of_seven_in_two_cards_is_paid_by_its_margin_and_a_natural_evens_whatever_it_is_ahead():
    by_seven = play(US, bet("n", "dragon_bonus", pick="player"), "bets_closed", cards("7KKKT"), dragon_bonus=True)
    natural = play(US, bet("n", "dragon_bonus", pick="banker"), "bets_closed", cards("K9KK"), dragon_bonus=True)

    assert by_seven[0]["n"] == (6000, 1000)
    assert natural[0]["n"] == (1000, 1000)


def test_a_tie_without_naturals_loses_the_bonus():
    tie = play(US, bet("n", "dragon_bonus", pick="player"), "bets_closed", cards("66KK"), dragon_bonus=True)

    assert tie[0]["n"] == (0, 0)


# --- a second reckoning -----------------------------------------------------------------------------------------------


def reckoned(wager, pick, amount, hands, options, chip):
    """(paid, returned), and what is owed afterwards; from the page's table of wagers."""
    player, banker = hands["player"], hands["banker"]
    ours, theirs = points(player), points(banker)
    pay = options.get("banker_pay", "commission_5")

    def won(price):
        return int(Fraction(price) * amount // chip * chip), amount

    lost, back = (0, 0), (0, amount)
    if wager == "player":
        return (won(1) if ours > theirs else back if ours == theirs else lost), 0
    if wager == "tie":
        return (won(options.get("tie_pays", 8)) if ours == theirs else lost), 0
    if wager == "banker":
        if ours >= theirs:
            return (back if ours == theirs else lost), 0
        if pay == "dragon_7":
            return (back if theirs == 7 and len(banker) == 3 else won(1)), 0
        if pay == "half_on_6":
            return won("1/2" if theirs == 6 else 1), 0
        netted = won("19/20" if pay == "commission_5" else "24/25")
        if options.get("collection") == "later":
            return (amount, amount), amount - netted[0]
        return netted, 0
    if wager == "dragon_7":
        return (won(40) if theirs == 7 and ours < 7 and len(banker) == 3 else lost), 0
    if wager == "panda_8":
        return (won(25) if ours == 8 and theirs < 8 and len(player) == 3 else lost), 0
    if wager == "lucky_6":
        return (won(12 if len(banker) == 2 else 20) if theirs == 6 and ours < 6 else lost), 0
    hand, other = (player, banker) if pick == "player" else (banker, player)
    if wager == "pair":
        return (won(11) if hand[0] == hand[1] else lost), 0
    mine, yours = points(hand), points(other)
    if len(hand) == 2 and mine in (8, 9) and mine >= yours:
        if mine > yours:
            return won(1), 0
        return (back if len(other) == 2 else lost), 0
    return (won({4: 1, 5: 2, 6: 4, 7: 6, 8: 10, 9: 30}[mine - yours]) if mine - yours >= 4 else lost), 0


HOUSES = [
    (US, {"dragon_bonus": True, "tie_pays": 9}, ["dragon_bonus"]),
    (US, {"collection": "later"}, []),
    (US, {"collection": "later", "banker_pay": "commission_4", "dragon_bonus": True}, ["dragon_bonus"]),
    (US, {"banker_pay": "dragon_7", "collection": "later"}, ["dragon_7", "panda_8"]),
    (MO, {}, ["pair", "lucky_6"]),
    (MO, {"banker_pay": "half_on_6"}, ["pair", "lucky_6"]),
]


@pytest.mark.parametrize("seed", range(24))
def test_random_coups_come_to_what_a_second_reckoning_says(seed):
    rng = Random(seed)
    table, options, beside = HOUSES[seed % len(HOUSES)]
    chip = rng.choice((1, 25, 100))
    shoe = list("A23456789TJQK" * 32)
    rng.shuffle(shoe)
    events, expected, wrong = [], {}, []
    owed: dict[int, int] = {}
    for coup in range(8):
        hands: dict[str, list[str]] = {"player": [], "banker": []}
        told = []
        while hand := next_of(hands):
            hands[hand].append(shoe.pop())
            told.append({"card_dealt": {"card": hands[hand][-1] + rng.choice(SUITS), "to": hand}})
        claims = []
        for number in range(rng.randrange(1, 7)):
            name, seat = f"b{coup}.{number}", rng.randrange(1, 8)
            wager = rng.choice(["player", "banker", "banker", "tie", *beside, *beside])
            pick = rng.choice(("player", "banker")) if wager in ("dragon_bonus", "pair") else None
            amount = 500 + rng.randrange(0, 4000, rng.choice((5, 50, 500)))
            events.append(bet(name, wager, amount, seat, pick))
            expected[name], due = reckoned(wager, pick, amount, hands, options, chip)
            if due:
                owed[seat] = owed.get(seat, 0) + due
            claims.append(claim(name, *expected[name]))
        events += ["bets_closed", *told, *claims, "round_closed"]
        for seat in sorted(owed):
            if rng.random() < 0.5:
                off = rng.choice((0, 0, 0, 5, -5))
                due = owed.pop(seat)
                events.append(fee(due + off, seat=seat))
                wrong += [("wrong_commission", seat, abs(off))] if off else []
    events.append({"shoe_loaded": {"decks": 8}})
    wrong += [("wrong_commission", seat, due) for seat, due in owed.items()]
    money, found = settle({**table, "options": options, "chip_unit": chip}, events)

    assert money == expected
    assert sorted((each.code, each.seat, each.amount) for each in found) == sorted(wrong)


# --- the commission ---------------------------------------------------------------------------------------------------


def test_an_account_that_is_open_when_the_table_closes_is_told():
    coup = [bet("b", "banker"), "bets_closed", BANK_WINS, claim("b", 1000, 1000), "round_closed"]
    events = [*coup, {"table_closed": {"float": 0}}]

    assert play(US, *events, **LATER)[1] == [("wrong_commission", 1, 50)]
    assert play(US, *coup, fee(50, seat=1), {"table_closed": {"float": 0}}, **LATER)[1] == []
    assert play(US, *coup, fee(50, bet="b", seat=7), {"table_closed": {"float": 0}}, **LATER)[1] == []


def test_a_coup_that_is_annulled_after_its_last_card_owes_nothing():
    coup = [bet("b", "banker"), "bets_closed", BANK_WINS, {"card_dealt": {"card": "9S", "to": "burn",
            "void": "stuck"}}, claim("b", 0, 1000), "round_closed", {"shoe_loaded": {"decks": 8}}]  # fmt: skip

    assert play(US, *coup, **LATER) == ({"b": (0, 1000)}, [])


@pytest.mark.parametrize("table", [US, MO, {**US, "rules": "AD-2025", "currency": "EUR"}])
def test_where_the_commission_is_netted_nothing_is_owed_besides(table):
    coup = [bet("b", "banker"), "bets_closed", BANK_WINS, claim("b", 950, 1000), "round_closed"]

    assert play(table, *coup, fee(50, seat=1))[1] == [("wrong_commission", 1, 50)]


def test_without_a_device_for_payments_no_account_is_kept():
    table = {**US, "settlement_claims": False}
    coup = [bet("b", "banker"), "bets_closed", BANK_WINS, "round_closed", {"shoe_loaded": {"decks": 8}}]

    assert play(table, *coup, **LATER)[1] == []


def test_after_a_hole_a_seat_may_pay_for_what_was_not_seen():
    coup = ["round_opened", bet("b", "banker"), "bets_closed", *BANK_WINS, claim("b", 1000, 1000),
            "round_closed"]  # fmt: skip
    again = ["round_opened", bet("c", "banker"), "bets_closed", *BANK_WINS, claim("c", 1000, 1000),
             "round_closed", fee(100, seat=1), {"shoe_loaded": {"decks": 8}}]  # fmt: skip
    events = [*coup, *again]
    table = {**US, "options": LATER}

    for missing in range(2, len(coup) + 2):
        assert invented(table, events, [missing]) == [], missing


# --- the shoe ---------------------------------------------------------------------------------------------------------


def burnt(count):
    return [{"card_dealt": {"card": card, "to": "burn"}} for card in ("3S", "4S", "5S", "6S", "7S", "8S", "9S")[:count]]


@pytest.mark.parametrize(
    ("table", "options", "count", "found"),
    [
        (US, {}, 4, []),
        (US, {}, 3, ["dealing_error"]),
        (US, {}, 0, []),
        (MO, {}, 4, []),
        (MO, {"burn": 3}, 3, []),
        (MO, {"burn": 3}, 4, ["dealing_error"]),
        (MO, {"burn": 3}, 0, ["dealing_error"]),
        (MO, {"burn": "decks", "decks": 6}, 6, []),
        (MO, {"burn": "decks"}, 6, ["dealing_error"]),
    ],
)
def test_so_many_cards_are_burned_as_the_first_one_or_the_house_says(table, options, count, found):
    decks = options.get("decks", 8)
    events = [{"shoe_loaded": {"decks": decks}}, *burnt(count), bet("b", "player"), "bets_closed", cards("K9KK")]

    assert [code for code, _, _ in play(table, *events, claim("b", 0, 0), "round_closed", **options)[1]] == found


@pytest.mark.parametrize(("decks", "copies", "found"), [(6, 6, 0), (6, 7, 1), (7, 7, 0), (8, 8, 0), (8, 9, 1)])
def test_a_shoe_holds_as_many_copies_as_the_house_has_packs(decks, copies, found):
    events = [{"shoe_loaded": {"decks": decks}}] + [{"card_dealt": {"card": "9S", "to": "burn"}}] * copies

    codes = [code for code, _, _ in play(US, *events, decks=decks)[1]]
    assert codes.count("impossible_card") == found


def test_other_packs_than_the_table_was_opened_with_are_told():
    loaded = [{"shoe_loaded": {"decks": 6}}]

    assert [code for code, _, _ in play(US, *loaded, decks=8)[1]] == ["dealing_error"]
    assert [found.code for found in settle({**US, "decks": 6}, loaded)[1]] == []
    assert [found.code for found in set_up({**US, "decks": 7, "options": {"decks": 6}})] == ["setup_not_allowed"]
    assert [found.code for found in set_up({**US, "decks": 5})] == ["setup_not_allowed"]


COUP = ["bets_closed", *cards("K9KK"), "round_closed"]


def coups_after(cut, coups, table):
    """How many coups too many are found when the cut card comes out within a coup (at its third card), or before."""
    first = [*COUP[:3], "cut_card", *COUP[3:]] if cut == "within" else ["cut_card", *COUP]
    events = [*first, *(COUP * (coups - 1))]
    return [code for code, _, _ in play({**table, "settlement_claims": False}, *events)[1]].count("dealing_error")


def test_after_the_cut_card_new_jersey_plays_one_coup_more_and_macau_is_not_judged():
    assert [coups_after("within", coups, US) for coups in (1, 2, 3, 4)] == [0, 0, 1, 2]
    assert [coups_after("before", coups, US) for coups in (1, 2, 3)] == [0, 1, 2]
    assert [coups_after(cut, 4, MO) for cut in ("within", "before")] == [0, 0]


# --- stakes -----------------------------------------------------------------------------------------------------------


def test_what_one_player_has_on_a_wager_counts_together_wherever_it_lies():
    limits = {"min": 1000, "max": 5000}
    stakes = [
        bet("a", "player", 3000, seat=1, player="ana"), bet("b", "player", 3000, seat=2, player="ana"),
        bet("c", "player", 3000, seat=1, player="bob"), bet("d", "banker", 600, seat=3),
        bet("e", "banker", 400, seat=3),
        bet("f", "tie", 5000, seat=3), bet("g", "tie", 500, seat=4),
    ]  # fmt: skip
    found = play({**US, "limits": limits, "settlement_claims": False}, *stakes, "bets_closed")[1]

    assert found == [("above_maximum", "b", None), ("below_minimum", "g", None)]


# --- who watches ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", ["US-NJ", "MO-2004"])
def test_winnings_are_not_watched_where_nobody_says_how_far_a_shoe_is_dealt_but_runs_are(pack):
    """No bet was shown to be unfavourable in what is left of such a shoe, and side bets can be counted."""
    rules = PACKS.game(pack, "punto_banco")
    watched = watched_of(rules)

    assert (watched.nulls, watched.null) == ({}, None)
    assert watched.runs is not None
    assert watched.runs.drawing == rules.law_as(PuntoBancoLaw).third_cards.drawing
    assert Table(rules).options["decks"] == 8


def test_what_rests_on_general_usage_is_cited_so():
    outcome = scenario({**US, "options": LATER}, [fee(50, seat=1)]).settle(JUDGING)

    (found,) = outcome.findings
    assert "13:69F-3 and -7, vigorish [" in found.passage
    assert "58 Pa. Code 629a.2(c)" in found.passage
