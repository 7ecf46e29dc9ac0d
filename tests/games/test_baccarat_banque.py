"""Baccarat banque, AD-2025 game 9, passage by passage: what the scenarios leave out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.games.baccarat_banque import odds
from tests.games.retold import UNCLAIMED, claim, invented, raised, set_up, settle, withdrawn
from tests.installed import PACKS

LIMITS = {"min": 1000, "bank": {"min": 20000, "max": 200000}}
TABLE = {"game": "baccarat_banque", "rules": "AD-2025", "limits": LIMITS}
FIRST, SECOND, HOUSE = 1, 7, 0
"""Seats: the holder of the first cloth, of the second, the banker."""


def play(*events, **table):
    """The re-tally without claims: each bet's (paid, returned) or verdict, and the findings as (code, bet or seat)."""
    money, found = settle({**TABLE, **UNCLAIMED, **table}, events)
    return money, [(each.code, each.seat if each.code == "illegal_decision" else each.bet) for each in found]


def bet(name, wager, amount, seat, pick=None):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, "pick": pick}}


def bank(amount=50000, seat=HOUSE, name="bk"):
    return bet(name, "bank", amount, seat)


def punter(name, amount, pick, seat=None):
    return bet(name, "punter", amount, seat or (SECOND if pick in (2, "line2") else FIRST), pick)


def banco(name, amount, pick, seat=None):
    return bet(name, "banco", amount, seat or (SECOND if pick == 2 else FIRST), pick)


def say(seat, choice, hand=None):
    return {"decision": {"seat": seat, "choice": choice, "hand": hand}}


def deal(text):
    """Cards in the order of the shoe: ``14`` a four to the first cloth, ``2K`` to the second, ``B9`` to the banker,
    ``X9`` found face up; marks: ``s`` stuck, ``f`` fault."""
    hands = {"1": "place1", "2": "place2", "B": "banker", "X": "burn"}
    events = []
    for index, code in enumerate(text.split()):
        void = {"s": "stuck", "f": "fault"}.get(code[2:])
        events.append({"card_dealt": {"card": code[1] + "SHDC"[index % 4], "to": hands[code[0]], "void": void}})
    return events


def coup(*steps, stakes=None, **options):
    """One coup with 5,000 on either cloth; steps are cards or words. What became of the cloths, and the findings."""
    events = [*(stakes or (bank(), punter("a", 5000, 1), punter("b", 5000, 2))), "bets_closed"]
    for step in steps:
        events += deal(step) if isinstance(step, str) else [step]
    money, findings = play(*events, "round_closed", options=options)
    names = {(5000, 5000): "won", (0, 0): "lost", (0, 5000): "back"}
    return tuple(names[money[name]] for name in "ab" if name in money), findings


def one_cloth(*steps, **more):
    """The same with a stake on the first cloth alone."""
    results, findings = coup(*steps, stakes=(bank(), punter("a", 5000, 1)), **more)
    return results[0], findings


def rank(value):
    return "KA23456789"[value]


# VI, the cloths


@pytest.mark.parametrize("total", range(8))
@pytest.mark.parametrize("asks", ["draw", "stand", None])
@pytest.mark.parametrize("given", [True, False])
def test_the_holder_by_the_rules_of_drawing(total, asks, given):
    """Against a banker who stands on seven; the third card is a king and changes no total."""
    said = [say(FIRST, asks, 1)] if asks else []
    result, findings = one_cloth(f"1{rank(total)} B7 1K BK", *said, *(["1K"] if given else []))
    compared = "back" if total == 7 else "lost"
    must, may = total < 5, total == 5

    if asks is None:
        if must and not given:
            assert (result, findings) == ("back", [("drawing_error", "")])
        else:
            assert (result, findings) == (compared, [("drawing_error", "")] if given and total > 5 else [])
    elif may or (asks == "draw") == must:  # rightly
        if asks == "draw":
            assert (result, findings) == ((compared, []) if given else ("back", [("drawing_error", "")]))
        else:
            assert (result, findings) == (compared, [("dealing_error", "")] if given else [])
    elif total == 0 and not given:
        assert (result, findings) == ("back", [("illegal_decision", FIRST), ("drawing_error", "")])
    else:
        assert (result, findings) == (compared, [("illegal_decision", FIRST)])


def test_what_was_dealt_against_the_rules_counts():
    assert one_cloth("13 B7 1K BK", say(FIRST, "stand", 1), "15") == ("won", [("illegal_decision", FIRST)])
    assert one_cloth("16 B7 1K BK", say(FIRST, "draw", 1), "12") == ("won", [("illegal_decision", FIRST)])


def test_a_card_refused_is_dead():
    assert one_cloth("16 B7 1K BK", say(FIRST, "stand", 1), "12") == ("lost", [("dealing_error", "")])
    assert one_cloth("16 B7 1K BK", "12") == ("lost", [("drawing_error", "")])


def test_the_first_word_for_each_cloth_counts():
    said = [say(FIRST, "stand", 1), say(SECOND, "draw", 2), say(FIRST, "draw", 1), say(SECOND, "stand", 2)]

    assert coup("15 24 B7 1K 2K BK", *said, "24") == (("lost", "won"), [])


def test_a_cloth_that_is_null_leaves_the_other_alone():
    assert coup("14 26 B5 1K 2K BK", say(FIRST, "draw", 1), say(SECOND, "stand", 2)) == (
        ("back", "won"),
        [("drawing_error", "")],
    )


def test_free_play_of_a_banco():
    stakes = (bank(5000), banco("a", 5000, 1))
    told = [("below_minimum", "bk")]

    assert coup("14 B3 1K BK", say(FIRST, "stand", 1), stakes=stakes, banco_free=True) == (("won",), told)
    assert coup("14 B3 1K BK", stakes=stakes, banco_free=True) == (("won",), told)
    assert coup("16 B3 1K BK", say(FIRST, "draw", 1), "1A", stakes=stakes, banco_free=True) == (("won",), told)
    assert coup("14 B3 1K BK", say(FIRST, "stand", 1), stakes=stakes)[1] == [*told, ("illegal_decision", FIRST)]
    assert one_cloth("14 B3 1K BK", say(FIRST, "stand", 1), banco_free=True)[1] == [("illegal_decision", FIRST)]


# VI, naturals


@pytest.mark.parametrize("cloth", range(10))
@pytest.mark.parametrize("banker", [8, 9])
def test_against_a_natural_of_the_banker_nobody_draws(cloth, banker):
    expected = "won" if cloth > banker else "back" if cloth == banker else "lost"

    assert one_cloth(f"1{rank(cloth)} B{banker} 1K BK") == (expected, [])


def test_a_card_against_the_bankers_natural_is_dead_and_told_once():
    assert coup("15 25 B8 1K 2K BK", "14", "24", "BA") == (("lost", "lost"), [("drawing_error", "")])


@pytest.mark.parametrize("cloth", [8, 9])
@pytest.mark.parametrize("banker", range(1, 8))
def test_a_natural_of_a_cloth_has_won_at_once(cloth, banker):
    assert one_cloth(f"1{cloth} B{rank(banker)} 1K BK") == ("won", [])
    assert one_cloth(f"1{cloth} B{rank(banker)} 1K BK", say(FIRST, "declare", 1)) == ("won", [])
    assert one_cloth(f"1{cloth} B{rank(banker)} 1K BK", "19") == ("won", [("drawing_error", "")])
    assert one_cloth(f"1{cloth} B{rank(banker)} 1K BK", "B9") == ("won", [("drawing_error", "")])


def test_with_no_cloth_undecided_the_banker_may_not_draw_even_with_zero():
    assert coup("18 29 BK 1K 2K BK") == (("won", "won"), [])
    assert coup("18 29 BK 1K 2K BK", "B9") == (("won", "won"), [("drawing_error", "")])


def test_who_does_not_declare_has_won_all_the_same():
    assert one_cloth("18 B3 1K BK", say(FIRST, "stand", 1)) == ("won", [("illegal_decision", FIRST)])
    assert one_cloth("19 B3 1K BK", say(FIRST, "draw", 1)) == ("won", [("illegal_decision", FIRST)])
    assert one_cloth("19 B8 1K BK", say(FIRST, "draw", 1)) == ("won", [("illegal_decision", FIRST)])


def test_who_declares_without_eight_or_nine_is_disregarded():
    assert one_cloth("15 B7 1K BK", say(FIRST, "declare", 1), say(FIRST, "draw", 1), "14") == (
        "won",
        [("illegal_decision", FIRST)],
    )
    assert one_cloth("16 B7 1K BK", say(HOUSE, "declare")) == ("lost", [("illegal_decision", HOUSE)])


# VI, the banker


@pytest.mark.parametrize("banker", range(1, 8))
def test_the_banker_is_free(banker):
    cards = f"16 27 B{rank(banker)} 1K 2K BK"

    assert coup(cards)[1] == coup(cards, "B2")[1] == coup(cards, say(HOUSE, "draw"))[1] == []


def test_a_banker_with_zero_must_draw_while_a_cloth_is_undecided():
    assert coup("16 29 BK 1K 2K BK") == (("back", "won"), [("drawing_error", "")])
    assert coup("16 29 BK 1K 2K BK", say(HOUSE, "stand")) == (("back", "won"), [("illegal_decision", HOUSE)])
    assert coup("16 29 BK 1K 2K BK", "B7") == (("lost", "won"), [])


def test_two_third_cards():
    """For a cloth the better total counts, for the banker the worse."""
    told = [("dealing_error", "")]

    assert one_cloth("14 B7 1K BK", "14", "1A") == ("won", told)
    assert one_cloth("14 B7 1K BK", "1A", "14") == ("won", told)
    assert one_cloth("16 B4 1K BK", "B4", "BA") == ("won", told)


# VII, first cards


@pytest.mark.parametrize(
    "cards", ["24 14 B9 2K 1K BK", "14 1K 24 2K B9 BK", "B9 14 24 BK 1K 2K", "14 24 B9 BK 1K 2K", "14 B9 24 1K BK 2K"]
)
def test_first_cards_in_another_order_annul_the_coup(cards):
    assert coup(cards) == (("back", "back"), [("dealing_error", "")])


def test_a_cloth_without_a_stake_gets_no_cards():
    assert one_cloth("14 24 B9 1K 2K BK") == ("back", [("dealing_error", "")])
    assert one_cloth("17 B6 1K BK", "29") == ("won", [("drawing_error", "")])


@pytest.mark.parametrize("count", range(1, 6))
def test_without_all_first_cards_the_coup_is_null(count):
    cards = ["14", "24", "B9", "1K", "2K"][:count]

    assert coup(" ".join(cards)) == (("back", "back"), [("drawing_error", "")])


@pytest.mark.parametrize("mark", ["s", "f"])
@pytest.mark.parametrize("at", range(8))
def test_stuck_cards_and_faults_annul(mark, at):
    cards = ["14", "24", "B6", "1K", "2K", "BK", "15", "25"]
    cards[at] += mark

    assert coup(" ".join(cards)) == (("back", "back"), [])


def test_a_card_face_up_in_the_shoe_is_dead():
    assert one_cloth("X9 17 XK B6 1K X8 BK") == ("won", [])


def test_the_shoe():
    stakes = [bank(), punter("a", 5000, 1)]
    seven_to_six = deal("17 B6 1K BK")
    nines = deal(" ".join(["X9"] * 25))[::4]

    assert play({"shoe_loaded": {"decks": 8}}, *stakes, "bets_closed", *seven_to_six, "round_closed")[1] == [
        ("dealing_error", "")
    ]
    assert play("cut_card", *stakes, "bets_closed", *seven_to_six, "round_closed")[1] == [("dealing_error", "")]
    assert play(*stakes, *seven_to_six, "bets_closed", "round_closed")[1] == [("dealing_error", "")]
    assert play(*nines, *stakes, "bets_closed", *seven_to_six, "round_closed")[1] == [("impossible_card", "")]


# VII, stakes


SEVEN_SIX = deal("17 26 B6 1K 2K BK")
"""The first cloth wins, the second ties."""
BOTH_LOSE = deal("16 26 B7 1K 2K BK")
FIRST_LOSES = deal("16 27 B7 1K 2K BK")


def table_of(*stakes, cards=None, **more):
    return play(*stakes, "bets_closed", *(cards or BOTH_LOSE), "round_closed", **more)


def test_a_stake_on_both_cloths_plays_half_on_each():
    """The second cloth has the smaller half."""
    stakes = [bank(), punter("x", 5000, "both")]
    lost_won = deal("16 27 B6 1K 2K BK")

    assert table_of(*stakes, cards=SEVEN_SIX)[0]["x"] == (2500, 5000)
    assert table_of(*stakes, cards=SEVEN_SIX, chip_unit=1000)[0]["x"] == (3000, 5000)
    assert table_of(*stakes, cards=lost_won, chip_unit=1000)[0]["x"] == (2000, 5000)
    assert table_of(*stakes, cards=FIRST_LOSES, chip_unit=1000)[0] == {"bk": (2000, 50000), "x": (0, 2000)}
    assert table_of(*stakes, chip_unit=1000)[0]["x"] == (0, 0)


def test_a_stake_on_the_line_plays_half():
    first, second = [bank(), punter("x", 5000, "line1")], [bank(), punter("x", 5000, "line2")]

    assert table_of(*first, cards=deal("17 B6 1K BK"), chip_unit=1000) == ({"bk": (0, 48000), "x": (2000, 5000)}, [])
    assert table_of(*second, cards=deal("26 B7 2K BK"), chip_unit=1000) == ({"bk": (1000, 50000), "x": (0, 3000)}, [])
    assert table_of(bank(), punter("x", 1500, "line1"), cards=deal("17 B6 1K BK"))[1] == []
    assert table_of(bank(), punter("x", 999, "line1"), cards=deal("17 B6 1K BK"))[1] == [("below_minimum", "x")]


def test_a_limited_bank_covers_stakes_in_the_order_of_placing():
    """Of a stake on both cloths the second is cut first."""
    stakes = [bank(20000), punter("a", 15000, 1), punter("x", 6000, "both"), punter("c", 2000, 2)]
    beyond = [("above_maximum", "x"), ("above_maximum", "c")]

    assert table_of(*stakes) == ({"bk": (19600, 20000), "a": (0, 0), "x": (0, 1000), "c": (0, 2000)}, beyond)
    assert table_of(*stakes, cards=SEVEN_SIX)[0] == {
        "bk": (0, 2000),
        "a": (15000, 15000),
        "x": (3000, 6000),
        "c": (0, 2000),
    }


def test_an_open_bank_answers_without_limit():
    """What it owes beyond the table is not in its settlement."""
    stakes = [bank(20000), punter("a", 90000, 1), punter("b", 10000, 2)]
    opened = {"options": {"bank_type": "open"}}

    assert table_of(*stakes, cards=SEVEN_SIX, **opened) == ({"bk": (0, 0), "a": (90000, 90000), "b": (0, 10000)}, [])
    assert table_of(*stakes, **opened) == ({"bk": (98750, 20000), "a": (0, 0), "b": (0, 0)}, [])


def test_a_banco_goes_first_and_leaves_nothing_for_others():
    stakes = [bank(20000), punter("a", 5000, 1), banco("b", 20000, 2)]

    assert table_of(*stakes, cards=deal("26 B7 2K BK")) == (
        {"bk": (19600, 20000), "a": (0, 5000), "b": (0, 0)},
        [("above_maximum", "a")],
    )


def test_with_a_banco_on_each_cloth_each_plays_half_of_the_bank():
    halves = [bank(20000), banco("a", 10000, 1), banco("b", 10000, 2)]
    whole = [bank(20000), banco("a", 20000, 1), banco("b", 20000, 2)]

    assert table_of(*halves) == ({"bk": (19600, 20000), "a": (0, 0), "b": (0, 0)}, [])
    money, findings = table_of(*whole)
    assert money == {"bk": (19600, 20000), "a": (0, 10000), "b": (0, 10000)}
    assert sorted(findings) == [(code, name) for code in ("above_maximum", "stake_mismatch") for name in "ab"]
    assert table_of(bank(20000), banco("a", 19000, 1), cards=deal("16 B7 1K BK"))[1] == [("stake_mismatch", "a")]


def test_stakes_that_are_refused():
    alone = deal("16 B7 1K BK")

    def refused(*events, code, **more):
        money, findings = table_of(*events, punter("a", 5000, 1), cards=alone, **more)
        assert money["x"] == (0, next(e["bet_placed"]["amount"] for e in events if e["bet_placed"]["bet"] == "x"))
        assert findings == [(code, "x")]

    for wager in ("tie", "abonament", "bank_share", "with_table"):
        refused(bank(), bet("x", wager, 5000, 2), code="wager_not_offered")
    for pick in (3, "line3", None, "1"):
        refused(bank(), bet("x", "punter", 5000, 2, pick), code="wager_not_offered")
    refused(bank(), banco("x", 50000, 1), code="wager_not_offered", options={"bank_type": "open"})
    refused(bank(), bet("x", "punter", 5000, HOUSE, 1), code="wager_not_offered")
    refused(bet("x", "punter", 5000, HOUSE, 1), bank(), code="wager_not_offered")
    refused(bank(), bank(30000, seat=12, name="x"), code="too_many_bets")
    money, findings = table_of(bank(20000), banco("a", 20000, 1), banco("x", 20000, 1, seat=3), cards=alone)
    assert (money["x"], findings) == ((0, 20000), [("too_many_bets", "x")])


def test_late_stakes_raises_and_withdrawals():
    stakes = [bank(), punter("a", 5000, 1), "bets_closed"]
    late = [punter("x", 2000, 2), raised("a", 500), withdrawn("a"), *deal("17 B6 1K BK"), "round_closed"]

    assert play(*stakes, *late) == (
        {"bk": (0, 45000), "a": (5000, 5500), "x": (0, 2000)},
        [("late_bet", "x"), ("late_bet", "a"), ("late_withdrawal", "a")],
    )
    in_time = [bank(), punter("a", 5000, 1), withdrawn("a", 1000), punter("b", 3000, 2), withdrawn("b"), "bets_closed"]
    assert play(*in_time, *deal("17 B6 1K BK"), "round_closed") == (
        {"bk": (0, 46000), "a": (4000, 4000), "b": "withdrawn"},
        [],
    )


def test_the_bank_within_its_limits_when_it_is_set_up():
    def told(amount, seat=HOUSE, before=(), **more):
        events = [
            *before,
            bank(amount, seat),
            punter("a", 5000, 1),
            "bets_closed",
            *deal("16 B7 1K BK"),
            "round_closed",
        ]
        return play(*events, **more)[1]

    assert told(20000) == told(200000) == []
    assert told(19999) == [("below_minimum", "bk")]
    assert told(200001) == [("above_maximum", "bk")]
    assert told(200001, options={"bank_type": "open"}) == []
    assert told(1, limits={"min": 1000}) == [("above_maximum", "a")]
    grown = [bank(200000, 9, "b0"), punter("a0", 5000, 1), "bets_closed", *deal("16 B7 1K BK"), "round_closed"]
    assert told(204900, 9, grown) == told(5000, 9, grown) == []
    assert told(204900, 10, grown) == [("above_maximum", "bk")]


def test_without_a_card_the_bets_stay_open_and_play_on():
    idle = [bank(), punter("a", 500, 1), "bets_closed", "round_closed"]

    assert play(*idle) == ({"bk": "open", "a": "open"}, [("below_minimum", "a")])
    assert play(*idle, "bets_closed", *deal("17 B6 1K BK"), "round_closed") == (
        {"bk": (0, 49500), "a": (500, 500)},
        [("below_minimum", "a")],
    )


# V, the house's part, and claims


@pytest.mark.parametrize(("bank_type", "due"), [("limited", 100), ("open", 63)])
def test_commission_is_looked_at_in_sum(bank_type, due):
    """2 per cent of 5,000, or 1.25 per cent: 4,937.5, rounded down."""
    lost = [bank(), punter("a", 5000, 1), "bets_closed", *deal("16 B7 1K BK")]
    claims = [claim("bk", 5000 - due, 50000), claim("a", 0, 0)]

    def amounts(*taken, **table):
        events = [*lost, *claims, *({"commission_taken": {"amount": each}} for each in taken), "round_closed"]
        _, found = settle({**TABLE, "options": {"bank_type": bank_type}, **table}, events)
        return [(finding.code, finding.amount) for finding in found]

    assert amounts(due) == amounts(due - 1, 1) == amounts(settlement_claims=False) == []
    assert amounts() == [("wrong_commission", due)]
    assert amounts(due + 5) == [("wrong_commission", 5)]


def test_commission_is_on_the_net_of_both_cloths():
    stakes = [bank(), punter("a", 5000, 1), punter("b", 7000, 2)]

    assert table_of(*stakes, cards=deal("17 25 B6 1K 2K BK"))[0]["bk"] == (1960, 50000)
    assert table_of(*stakes, cards=deal("15 27 B6 1K 2K BK"))[0]["bk"] == (0, 48000)


def test_claims_before_the_last_card_of_the_coup_are_too_early():
    start = [bank(), punter("a", 5000, 1), "bets_closed"]

    def told(*events):
        return play(*start, *events, "round_closed", settlement_claims=True)[1]

    early = [*deal("15 B7 1K BK"), claim("a", 5000, 5000), *deal("14"), claim("bk", 0, 45000)]
    dead = [*deal("18 B7 1K BK"), claim("a", 5000, 5000), claim("bk", 0, 45000), *deal("1K")]
    twice = [*deal("18 B7 1K BK"), claim("a", 5000, 5000), claim("a", 0, 0), claim("zz", 0, 0)]
    assert told(*early) == [("settled_too_early", "a")]
    assert told(*dead) == [("drawing_error", "")]
    assert told(*twice) == [("settled_twice", "a"), ("unknown_bet", "zz"), ("unsettled", "bk")]


def test_findings_bear_the_event_of_the_error():
    events = [bank(), punter("a", 5000, 1), "bets_closed", *deal("13 B7 1K BK"), say(FIRST, "stand", 1), "round_closed"]
    _, found = settle({**TABLE, **UNCLAIMED}, events)

    assert [(finding.code, finding.seq) for finding in found] == [("illegal_decision", 9)]


def test_the_set_up_of_the_shoe():
    assert [said.code for said in set_up({**TABLE, "decks": 8})] == ["setup_not_allowed"]


LOG = [
    "round_opened", bank(), punter("a", 5000, 1), punter("b", 6000, 2), "bets_closed", *SEVEN_SIX,
    claim("a", 5000, 5000), claim("b", 0, 6000), claim("bk", 0, 45000), "round_closed",
    "round_opened", bank(45000, name="k1"), banco("c", 45000, 2), "bets_closed", *deal("24 B3 2K BK"),
    say(SECOND, "draw", 2), *deal("2K"), say(HOUSE, "stand"), claim("c", 45000, 45000), claim("k1", 0, 0),
    "round_closed",
    "round_opened", bank(20000, seat=14, name="k2"), punter("d", 8000, "both"), "bets_closed", *BOTH_LOSE,
    claim("k2", 7840, 20000), claim("d", 0, 0), {"commission_taken": {"amount": 160}}, "round_closed",
    "round_opened", bank(300000, seat=14, name="k3"), punter("e", 1000, 1), "bets_closed", *deal("17 B6 1K BK"),
    claim("k3", 0, 299000), claim("e", 1000, 1000), "round_closed",
]  # fmt: skip


def test_the_log_is_clean():
    assert invented(TABLE, LOG, range(0)) == []


@given(st.integers(2, len(LOG) + 1), st.integers(0, 30))
def test_no_finding_is_invented_after_a_hole(first, length):
    assert invented(TABLE, LOG, range(first, min(first + length, len(LOG) + 1) + 1)) == []


PICKS = st.sampled_from([1, 2, "both", "line1", "line2"])


@given(
    stakes=st.lists(st.tuples(PICKS, st.integers(1000, 30000)), min_size=1, max_size=6),
    values=st.lists(st.integers(0, 9), min_size=6, max_size=6),
)
def test_what_one_side_wins_the_other_loses(stakes, values):
    """But for the house's two per cent."""
    bets = [punter(f"p{index}", amount, pick) for index, (pick, amount) in enumerate(stakes)]
    idle = {cloth for cloth in "12" if all(pick in (3 - int(cloth), f"line{3 - int(cloth)}") for pick, _ in stakes)}
    cards = " ".join(to + rank(value) for to, value in zip("12B12B", values, strict=True) if to not in idle)
    money, _ = table_of(bank(40000), *bets, cards=deal(cards))
    staked = 40000 + sum(amount for _, amount in stakes)
    won = sum(paid for paid, _ in money.values())
    lost = staked - sum(returned for _, returned in money.values())

    if money["bk"][0]:
        net = money["bk"][0] + lost - won
        assert 50 * money["bk"][0] <= 49 * net < 50 * (money["bk"][0] + 1)
    else:
        assert won == lost


def test_no_figures_are_given_for_a_game_of_decisions():
    assert list(odds(PACKS.game("AD-2025", "baccarat_banque"))) == []
