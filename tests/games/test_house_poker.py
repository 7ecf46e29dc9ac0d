"""What the poker games against the house share: the pages' tables of checks and of rare events, game by game."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.events import from_fields
from replay.games._house_poker import hands_by_rank
from replay.hands import THREE
from replay.results import Finding, Round, Settlement, Verdict
from replay.session import Session
from tests.games.house_poker import (
    CLOSE,
    END,
    bet,
    board,
    burn,
    claim,
    dealer,
    exposed,
    hand,
    pack,
    raised,
    say,
    set_up,
    settle,
    withdrawn,
)
from tests.installed import JUDGING


class Kind(NamedTuple):
    """A game, and a round of it in which place 1 wins."""

    game: str
    places: int
    side: str
    """A wager beside the ante, empty where there is none."""
    side_alone: bool
    answer: str
    multiple: int
    own: str
    dealer: str
    street: list[Any]
    """Cards between the hands and the answer."""
    rest: list[Any]
    """Cards after the answer."""
    other: str
    """Cards of a second place, which are worth less than the dealer's."""
    ante_wins: tuple[int, int]
    answer_wins: tuple[int, int]
    """Settlement of an ante of 1,000 and its answer."""
    side_is: tuple[int, int] = (0, 0)


GAMES = {
    kind.game: kind
    for kind in [
        Kind("casino_holdem", 7, "aa_bonus", False, "call", 2, "KS 9D", "QH 8C", board("KD 7C 3H"), board("8S 2D"),
             "6C 4D", (1000, 1000), (2000, 2000)),
        Kind("texas_holdem_bonus", 9, "bonus", False, "flop", 2, "9S 8D", "QH 8C", [],
             burn("4H") + board("7C 6D 5H") + burn("4C") + board("AS") + burn("4D") + board("KS"), "6C 3D",
             (1000, 1000), (2000, 2000)),
        Kind("caribbean_stud", 7, "", False, "raise", 2, "9H 9C 7D 4S 3H", "AS KD 8C 5H 3D", [], [], "QH JD 8S 6C 4D",
             (1000, 1000), (2000, 2000)),
        Kind("three_card_poker", 9, "pair_plus", True, "play", 1, "AH 9C 4D", "QS 8D 3C", [], [], "JH 7S 5C",
             (1000, 1000), (1000, 1000)),
        Kind("four_card_poker", 7, "aces_up", True, "play", 1, "AH AC 9D 6S 4H", "QS JC 8D 5C 4D 3H", [], [],
             "JH 9S 7C 6D 3S", (1000, 1000), (1000, 1000), (500, 500)),
    ]
}  # fmt: skip


@pytest.fixture(params=sorted(GAMES))
def kind(request: pytest.FixtureRequest) -> Kind:
    return GAMES[request.param]


def stakes(kind: Kind) -> list[Any]:
    return bet("a", "ante") + (bet("s", kind.side, 500) if kind.side else [])


def answer(kind: Kind, name: str = "k", seat: int = 1, of: str | None = "a", ante: int = 1000) -> list[Any]:
    return bet(name, kind.answer, kind.multiple * ante, seat, of=of)


def before_answers(kind: Kind) -> list[Any]:
    return hand(kind.own) + dealer(kind.dealer) + kind.street


def paid(kind: Kind) -> list[Any]:
    return claim("a", *kind.ante_wins) + claim("k", *kind.answer_wins) + side_paid(kind)


def side_paid(kind: Kind) -> list[Any]:
    return claim("s", *kind.side_is) if kind.side else []


def all_back(kind: Kind, *names: str) -> list[Any]:
    return claim("a", 0, 1000) + (claim("s", 0, 500) if kind.side else []) + [
        each for name in names for each in claim(name, 0, kind.multiple * 1000)
    ]  # fmt: skip


def won(kind: Kind) -> dict[str, Any]:
    return {"a": kind.ante_wins, "k": kind.answer_wins} | ({"s": kind.side_is} if kind.side else {})


def void(kind: Kind, answered: bool = False) -> dict[str, Any]:
    money: dict[str, Any] = {"a": (0, 1000)}
    if kind.side:
        money["s"] = (0, 500)
    if answered:
        money["k"] = (0, kind.multiple * 1000)
    return money


# A round as it should be


def test_a_clean_round_has_no_findings(kind):
    assert settle(kind.game, stakes(kind), CLOSE, before_answers(kind), answer(kind), kind.rest, paid(kind), END) == (
        won(kind),
        [],
    )


def test_the_ante_of_the_same_seat_is_meant_where_none_is_named(kind):
    assert settle(
        kind.game, stakes(kind), CLOSE, before_answers(kind), answer(kind, of=None), kind.rest, paid(kind), END
    ) == (won(kind), [])


def test_a_pack_is_loaded_before_each_round_and_between_rounds(kind):
    round_ = [stakes(kind), CLOSE, before_answers(kind), answer(kind), kind.rest, paid(kind), END]

    assert settle(kind.game, pack(), *round_, pack(), *round_)[1] == []
    assert settle(kind.game, *round_, *round_)[1] == []


def test_a_pack_loaded_when_all_is_settled_is_for_the_next_round(kind):
    events = [stakes(kind), CLOSE, before_answers(kind), answer(kind), kind.rest, paid(kind)]

    assert settle(kind.game, *events, pack(), END) == (won(kind), [])


# Betting checks


def test_stakes_end_with_the_close_or_the_first_card(kind):
    for closing in (CLOSE, []):
        money, findings = settle(
            kind.game, stakes(kind), closing, hand(kind.own), bet("late", "ante", seat=2),
            dealer(kind.dealer), kind.street, answer(kind), kind.rest, paid(kind), claim("late", 0, 1000), END,
        )  # fmt: skip
        assert money == {**won(kind), "late": (0, 1000)}
        assert findings == [("late_bet", "late")]


def test_a_raise_before_the_close_adds_to_the_stake(kind):
    ante, stake = kind.ante_wins, kind.answer_wins
    money, findings = settle(
        kind.game, bet("a", "ante", 400), raised("a", 600), CLOSE, before_answers(kind), answer(kind), kind.rest,
        claim("a", *ante), claim("k", *stake), END,
    )  # fmt: skip

    assert money == {"a": ante, "k": stake}
    assert findings == []


def test_any_other_raise_comes_back_and_the_rest_plays(kind):
    money, findings = settle(
        kind.game, bet("a", "ante"), CLOSE, hand(kind.own), raised("a", 300), dealer(kind.dealer), kind.street,
        answer(kind), raised("k", 200), kind.rest, claim("a", kind.ante_wins[0], 1300),
        claim("k", kind.answer_wins[0], kind.answer_wins[1] + 200), END,
    )  # fmt: skip

    assert money == {"a": (kind.ante_wins[0], 1300), "k": (kind.answer_wins[0], kind.answer_wins[1] + 200)}
    assert findings == [("late_bet", "a"), ("late_bet", "k")]


def test_a_stake_taken_back_whole_leaves_no_stake_at_the_place(kind):
    money, findings = settle(
        kind.game, bet("b", "ante"), withdrawn("b"), stakes(kind), CLOSE, before_answers(kind), answer(kind), kind.rest,
        paid(kind), END,
    )  # fmt: skip

    assert money == {**won(kind), "b": "withdrawn"}
    assert findings == []


def test_money_on_a_stake_taken_back_is_overpaid(kind):
    _money, findings = settle(
        kind.game, bet("b", "ante", seat=2), withdrawn("b"), stakes(kind), CLOSE, before_answers(kind), answer(kind),
        kind.rest, paid(kind), claim("b", 0, 1000), END,
    )  # fmt: skip

    assert findings == [("overpaid", "b")]


def test_withdrawals_after_the_close_and_of_the_answer_are_ignored(kind):
    money, findings = settle(
        kind.game, stakes(kind), CLOSE, withdrawn("a", 500), before_answers(kind), answer(kind), withdrawn("k"),
        kind.rest, withdrawn("k", 100), paid(kind), END,
    )  # fmt: skip

    assert money == won(kind)
    assert findings == [("late_withdrawal", "a"), ("withdrawal_not_allowed", "k"), ("withdrawal_not_allowed", "k")]


def test_limits_bind_the_stakes_as_they_stand_at_the_close(kind):
    _money, findings = settle(
        kind.game, bet("a", "ante", 30000), withdrawn("a", 29600), CLOSE, before_answers(kind),
        answer(kind, ante=400), kind.rest, END,
    )  # fmt: skip

    assert ("below_minimum", "a") in findings
    assert "above_maximum" not in dict(findings)


def test_limits_do_not_bind_the_answer(kind):
    _, findings = settle(
        kind.game, bet("a", "ante", 15000), CLOSE, before_answers(kind), answer(kind, ante=15000), kind.rest, END
    )

    assert [code for code, _ in findings if code != "unsettled"] == []


def test_another_answer_than_the_rules_have_plays_as_it_lies(kind):
    money, findings = settle(
        kind.game, bet("a", "ante"), CLOSE, before_answers(kind), bet("k", kind.answer, 400), kind.rest,
        claim("a", *kind.ante_wins), claim("k", kind.answer_wins[0] * 400 // (1000 * kind.multiple), 400), END,
    )  # fmt: skip

    assert money["k"] == (kind.answer_wins[0] * 400 // (1000 * kind.multiple), 400)
    assert findings in ([("stake_mismatch", "k")], [("below_minimum", "k")])


@pytest.mark.parametrize(
    ("wager", "fields"),
    [
        ("ante", {"seat": 10}), ("ante", {"seat": 0}), ("tie", {"seat": 2}), ("ante", {"seat": 2, "of": "a"}),
    ],
)  # fmt: skip
def test_what_is_not_offered_goes_back(kind, wager, fields):
    money, findings = settle(
        kind.game, stakes(kind), bet("x", wager, **fields), CLOSE, before_answers(kind), answer(kind), kind.rest,
        paid(kind), claim("x", 0, 1000), END,
    )  # fmt: skip

    assert money == {**won(kind), "x": (0, 1000)}
    assert findings == [("wager_not_offered", "x")]


def test_an_answer_needs_an_ante_of_its_place_and_its_time(kind):
    times = [
        (bet("x", kind.answer, seat=3), []),
        ([], bet("x", kind.answer, seat=3)),
        ([], bet("x", kind.answer, of="nothing")),
        (bet("x", kind.answer, of="a"), []),
    ]
    money, findings = settle(
        kind.game, stakes(kind), bet("x", kind.answer), CLOSE, before_answers(kind), answer(kind), kind.rest,
        claim("x", 0, 1000), paid(kind), END,
    )  # fmt: skip
    assert money == {**won(kind), "x": (0, 1000)}
    assert findings == [("wager_not_offered", "x")]
    for early, late in times:
        money, findings = settle(
            kind.game, stakes(kind), CLOSE, hand(kind.own), early, dealer(kind.dealer), kind.street, late, answer(kind),
            kind.rest, claim("x", 0, 1000), paid(kind), END,
        )  # fmt: skip
        assert money == {**won(kind), "x": (0, 1000)}
        assert findings == [("wager_not_offered", "x")]


def test_the_second_bet_of_a_kind_at_a_place_is_refused(kind):
    money, findings = settle(
        kind.game, stakes(kind), bet("b", "ante"), CLOSE, before_answers(kind), answer(kind), answer(kind, "k2"),
        kind.rest, paid(kind), claim("b", 0, 1000), claim("k2", 0, 1000 * kind.multiple), END,
    )  # fmt: skip

    assert money == {**won(kind), "b": (0, 1000), "k2": (0, 1000 * kind.multiple)}
    assert findings == [("too_many_bets", "b"), ("too_many_bets", "k2")]


def test_late_comes_before_not_offered_and_that_before_too_many(kind):
    _, findings = settle(
        kind.game, stakes(kind), CLOSE, hand(kind.own), bet("l", "ante", seat=99), dealer(kind.dealer), kind.street,
        answer(kind), bet("k2", kind.answer, of="x"), kind.rest, paid(kind), END,
    )  # fmt: skip

    assert [found for found in findings if found[0] != "unsettled"] == [("late_bet", "l"), ("wager_not_offered", "k2")]


def test_a_side_bet_names_the_ante_of_its_own_place_or_none(kind):
    if not kind.side:
        return
    for of, code in ((None, None), ("a", None), ("b", "wager_not_offered")):
        _, findings = settle(
            kind.game, bet("s", kind.side, 500, of=of), bet("a", "ante"), bet("b", "ante", seat=2), CLOSE,
        )  # fmt: skip
        assert [found[0] for found in findings] == ([code] if code else [])


def test_a_side_bet_without_an_ante(kind):
    if not kind.side:
        return
    _, findings = settle(kind.game, bet("s", kind.side, 500), CLOSE)

    assert findings == ([] if kind.side_alone else [("wager_not_offered", "s")])


# Play


def test_a_fold_loses_the_ante_at_once(kind):
    money, findings = settle(
        kind.game, bet("a", "ante"), CLOSE, before_answers(kind), say("fold"), claim("a", 0, 0), END
    )

    assert money == {"a": (0, 0)}
    assert findings == []


def test_only_chips_count_as_an_answer(kind):
    """Whoever said the word and staked nothing has not answered, and may still give up."""
    word = {"casino_holdem": "call", "caribbean_stud": "raise"}.get(kind.game, "play")
    money, findings = settle(
        kind.game,
        bet("a", "ante"),
        CLOSE,
        before_answers(kind),
        say(word),
        say(word),
        say("fold"),
        claim("a", 0, 0),
        END,
    )
    assert (money, findings) == ({"a": (0, 0)}, [])
    money, findings = settle(kind.game, bet("a", "ante"), CLOSE, before_answers(kind), say(word), END)
    assert (money, findings) == ({"a": "open"}, [("missing_decision", 1)])


@pytest.mark.parametrize("choice", ["hit", "surrender", "war"])
def test_other_choices_are_disregarded(kind, choice):
    assert settle(
        kind.game, stakes(kind), CLOSE, before_answers(kind), say(choice), answer(kind), kind.rest, paid(kind), END
    ) == (won(kind), [("illegal_decision", 1)])


def test_nobody_gives_up_too_early_twice_after_staking_or_without_an_ante(kind):
    money, findings = settle(
        kind.game, stakes(kind), bet("b", "ante", seat=2), CLOSE, hand(kind.own), hand(kind.other, 2), say("fold"),
        dealer(kind.dealer), kind.street, answer(kind), say("fold"), say("fold", 3), say("fold", 2), say("fold", 2),
        kind.rest, paid(kind), claim("b", 0, 0), END,
    )  # fmt: skip

    assert money == {**won(kind), "b": (0, 0)}
    assert findings == [("illegal_decision", seat) for seat in (1, 1, 2, 3)]


def test_an_answer_after_a_fold_is_refused(kind):
    money, findings = settle(
        kind.game, bet("a", "ante"), CLOSE, before_answers(kind), say("fold"), answer(kind), claim("a", 0, 0),
        claim("k", 0, kind.multiple * 1000), END,
    )  # fmt: skip

    assert money == {"a": (0, 0), "k": (0, kind.multiple * 1000)}
    assert findings == [("wager_not_offered", "k")]


# Dealing


def test_cards_to_a_place_without_a_stake_are_dead(kind):
    money, findings = settle(
        kind.game, stakes(kind), CLOSE, hand("2H 2S 2C TC TS", 4), before_answers(kind), answer(kind), kind.rest,
        paid(kind), END,
    )  # fmt: skip

    assert money == won(kind)
    assert findings == [("dealing_error", 4)]


def test_burnt_cards_change_nothing(kind):
    money, findings = settle(
        kind.game, burn("TC"), stakes(kind), CLOSE, before_answers(kind), burn("TD TH"), answer(kind), kind.rest,
        paid(kind),
        burn("TS"), END,
    )  # fmt: skip

    assert (money, findings) == (won(kind), [])


def test_a_card_too_many_is_a_misdeal_and_every_stake_goes_back(kind):
    for events in (
        [hand(kind.own), hand("TC"), dealer(kind.dealer)],
        [hand(kind.own), dealer(kind.dealer), dealer("TC")],
        [before_answers(kind), hand("TC")],
    ):
        money, findings = settle(kind.game, stakes(kind), CLOSE, *events, all_back(kind), END)
        assert (money, findings) == (void(kind), [("dealing_error", None)])


def test_a_misdeal_takes_the_answer_the_settlement_and_the_fold_back(kind):
    """What was said of money settled before is withdrawn, and the claim compared with what now counts."""
    money, findings = settle(
        kind.game, stakes(kind), bet("b", "ante", seat=2), CLOSE, hand(kind.own), hand(kind.other, 2),
        dealer(kind.dealer),
        kind.street, say("fold", 2), answer(kind), kind.rest, claim("a", 0, 1000), hand("TC"), claim("k", 0,
        kind.multiple * 1000),
        claim("s", 0, 500) if kind.side else [], claim("b", 0, 1000), END,
    )  # fmt: skip

    assert money == {**void(kind, answered=True), "b": (0, 1000)}
    assert findings == [("dealing_error", None)]


def test_a_card_too_few_is_a_misdeal_when_the_round_is_closed(kind):
    """And no claim on it was too early."""
    money, findings = settle(
        kind.game, stakes(kind), CLOSE, hand(kind.own), dealer(kind.dealer.rsplit(" ", 1)[0]), all_back(kind), END
    )

    assert (money, findings) == (void(kind), [("dealing_error", None)])


def test_a_void_round_takes_no_bets_and_hears_no_decisions(kind):
    money, findings = settle(
        kind.game, stakes(kind), CLOSE, before_answers(kind), hand("TC"), answer(kind), say("fold"), say("hit"),
        all_back(kind, "k"), END,
    )  # fmt: skip

    assert money == void(kind, answered=True)
    assert findings == [("dealing_error", None), ("wager_not_offered", "k")]


def test_a_second_copy_of_a_card_cannot_be(kind):
    first = kind.own.split()[0]
    _, findings = settle(kind.game, stakes(kind), CLOSE, before_answers(kind), burn(first))

    assert findings == [("impossible_card", None)]


def test_a_round_has_one_deck(kind):
    for loaded in (pack(2), pack(1, 51)):
        assert settle(kind.game, loaded)[1] == [("dealing_error", None)]
    assert settle(kind.game, pack(), pack(None), pack(1, 52))[1] == []


def test_an_exposed_card_is_passed_over(kind):
    assert settle(
        kind.game, stakes(kind), CLOSE, hand(kind.own), exposed("TC"), dealer(kind.dealer), kind.street, answer(kind),
        kind.rest, paid(kind), END,
    ) == (won(kind), [])  # fmt: skip


def test_an_exposed_card_dealt_to_a_hand_counts_there(kind):
    first, rest = kind.own.split(" ", 1)
    money, findings = settle(
        kind.game, stakes(kind), CLOSE, hand(first, exposed=True), hand(rest), dealer(kind.dealer), kind.street,
        answer(kind), kind.rest, paid(kind), END,
    )  # fmt: skip
    assert (money, findings) == (won(kind), [("dealing_error", 1)])

    first, rest = kind.dealer.split(" ", 1)
    money, findings = settle(
        kind.game, stakes(kind), CLOSE, hand(kind.own), dealer(first, exposed=True), dealer(rest), kind.street,
        answer(kind), kind.rest, paid(kind), END,
    )  # fmt: skip
    assert (money, findings) == (won(kind), [("dealing_error", None)])


def test_a_second_exposed_card_makes_the_round_void(kind):
    """No finding by itself; cards after it are one, once, and do not count."""
    two = exposed("TC") + exposed("TD")

    assert settle(kind.game, stakes(kind), CLOSE, hand(kind.own), two, all_back(kind), END) == (void(kind), [])
    assert settle(
        kind.game, stakes(kind), CLOSE, hand(kind.own), two, dealer(kind.dealer), kind.street, all_back(kind), END
    ) == (void(kind), [("dealing_error", None)])
    assert settle(
        kind.game, stakes(kind), CLOSE, hand(kind.own), exposed("TC"), dealer("TD", exposed=True), all_back(kind), END
    ) == (void(kind), [("dealing_error", None)])


def test_new_cards_make_the_old_ones_dead(kind):
    """The stakes play on, an answer comes back, a fold is undone; the old cards may come again."""
    money, findings = settle(
        kind.game, stakes(kind), bet("b", "ante", seat=2), CLOSE, hand(kind.other), hand(kind.own, 2),
        dealer(kind.dealer),
        kind.street, answer(kind, "old"), say("fold", 2), pack(),
        hand(kind.own), hand(kind.other, 2), dealer(kind.dealer), kind.street, answer(kind), say("fold", 2), kind.rest,
        paid(kind), claim("b", 0, 0), claim("old", 0, kind.multiple * 1000), END,
    )  # fmt: skip

    assert money == {**won(kind), "b": (0, 0), "old": (0, kind.multiple * 1000)}
    assert findings == []


def test_new_cards_after_a_misdeal_are_played_and_the_misdeal_stays_said(kind):
    money, findings = settle(
        kind.game, stakes(kind), CLOSE, hand(kind.own), hand("TC"), pack(), before_answers(kind), answer(kind),
        kind.rest,
        paid(kind), END,
    )  # fmt: skip

    assert (money, findings) == (won(kind), [("dealing_error", None)])


def test_a_round_that_is_closed_without_cards_was_misdealt(kind):
    money, findings = settle(kind.game, stakes(kind), CLOSE, all_back(kind), END)

    assert (money, findings) == (void(kind), [("dealing_error", None)])


def test_a_round_without_stakes_needs_no_cards(kind):
    assert settle(kind.game, bet("x", "tie"), claim("x", 0, 1000), END)[1] == [("wager_not_offered", "x")]


def test_a_hand_that_nobody_could_read_leaves_its_bets_open(kind):
    rest = kind.own.split(" ", 1)[1]
    money, findings = settle(
        kind.game, bet("a", "ante"), CLOSE, hand("??"), hand(rest), dealer(kind.dealer), kind.street, answer(kind),
        kind.rest, END,
    )  # fmt: skip

    assert (money, findings) == ({"a": "open", "k": "open"}, [])


# Claims


def test_a_claim_before_the_decision_stands_and_is_compared(kind):
    money, findings = settle(
        kind.game, stakes(kind), CLOSE, hand(kind.own), claim("a", *kind.ante_wins), dealer(kind.dealer), kind.street,
        answer(kind), kind.rest, claim("k", *kind.answer_wins), side_paid(kind), claim("a", 0, 0), claim("z", 0, 0),
        END,
    )  # fmt: skip

    assert money == won(kind)
    assert findings == [("settled_too_early", "a"), ("settled_twice", "a"), ("unknown_bet", "z")]


def test_what_is_decided_and_not_claimed_is_unsettled(kind):
    _, findings = settle(
        kind.game,
        bet("a", "ante"),
        CLOSE,
        before_answers(kind),
        answer(kind),
        kind.rest,
        claim("a", *kind.ante_wins),
        END,
    )

    assert findings == [("unsettled", "k")]


def test_a_stake_that_is_never_answered_stays_open(kind):
    round_ = [bet("b", "ante"), CLOSE, before_answers(kind), answer(kind, of="b"), kind.rest,
              claim("b", *kind.ante_wins), claim("k", *kind.answer_wins), END]  # fmt: skip
    money, findings = settle(kind.game, bet("a", "ante"), CLOSE, before_answers(kind), END, *round_)

    assert money == {"a": "open", "b": kind.ante_wins, "k": kind.answer_wins}
    assert findings == [("missing_decision", 1)]


def test_nothing_is_compared_where_no_device_reports_claims(kind):
    money, findings = settle(
        kind.game, stakes(kind), CLOSE, before_answers(kind), answer(kind), kind.rest, END, settlement_claims=False
    )

    assert (money, findings) == (won(kind), [])


# Whatever is dealt


HANDS: dict[str, tuple[int, int, list[int], list[int]]] = {
    "casino_holdem": (2, 2, [3], [2]),
    "texas_holdem_bonus": (2, 2, [], [0, 3, 0, 1, 0, 1]),
    "caribbean_stud": (5, 5, [], []),
    "three_card_poker": (3, 3, [], []),
    "four_card_poker": (5, 6, [], []),
}
"""Own cards, the dealer's, and the board's before and after the answers; 0 is a burnt card."""


@pytest.mark.parametrize("game", sorted(HANDS))
@given(st.permutations(FRENCH_DECK), st.lists(st.booleans(), min_size=5, max_size=5))
def test_what_the_rules_give_is_what_they_find_right(game, deck, stays):
    """Five places, any cards, some of them given up: claims of just what is due raise no finding, and no money comes
    from nowhere: a stake is lost whole, or comes back whole."""
    kind, cards = GAMES[game], list(deck)
    own, dealers, early, rest = HANDS[game]

    def deal(count: int) -> str:
        return " ".join(cards.pop() for _ in range(count))

    def street(counts: list[int]) -> list[Any]:
        return [event for count in counts for event in (board(deal(count)) if count else burn(deal(1)))]

    bets = [event for seat in range(1, 6) for event in bet(f"a{seat}", "ante", seat=seat)]
    if kind.side:
        bets += [event for seat in range(1, 6) for event in bet(f"s{seat}", kind.side, 500, seat)]
    hands = [event for seat in range(1, 6) for event in hand(deal(own), seat)] + dealer(deal(dealers)) + street(early)
    for seat, stay in enumerate(stays, 1):
        hands += answer(kind, f"k{seat}", seat, of=f"a{seat}") if stay else say("fold", seat)
    if any(stays):
        hands += street(rest)
    money, _ = settle(kind.game, bets, CLOSE, hands, END, settlement_claims=False)
    claims = [event for name, due in money.items() for event in claim(name, *due)]

    assert settle(kind.game, bets, CLOSE, hands, claims, END) == (money, [])
    assert len(money) == len(bets) + sum(stays)
    assert all(returned in (0, 500, 1000, 1000 * kind.multiple) for _, returned in money.values())
    assert all(money[f"a{seat}"] == (0, 0) for seat, stay in enumerate(stays, 1) if not stay)


# A hole in the log


def log(kind: Kind, *rounds: list[Any]) -> list[Any]:
    events: list[dict[str, Any]] = [{"type": "table_opened", "casino": "-", "pit": "-", "game": kind.game,
               "rules": "AD-2022",
               "currency": "EUR", "limits": {"min": 500, "max": 15000}}]  # fmt: skip
    for number, parts in enumerate(rounds, 1):
        for part in parts:
            [(name, fields)] = ({part: {}} if isinstance(part, str) else part).items()
            events.append({"type": name, **fields, "round": number})
    at = datetime(2026, 1, 1, 12, tzinfo=UTC)
    return [
        from_fields({**event, "session": "-", "seq": seq, "at": at, "table": "-", "device": "-"})
        for seq, event in enumerate(events, 1)
    ]


def test_no_finding_comes_of_events_that_are_missing(kind):
    """Whichever event is missing: its round is unverifiable, the next round is judged, and nothing is invented."""

    def round_(number: int) -> list[Any]:
        parts: list[Any] = [
            "round_opened", *bet(f"a{number}", "ante"), *CLOSE, *before_answers(kind),
            *answer(kind, f"k{number}", of=f"a{number}"), *kind.rest, *claim(f"a{number}", *kind.ante_wins),
            *claim(f"k{number}", *kind.answer_wins), *END,
        ]  # fmt: skip
        return parts

    events = log(kind, round_(1), round_(2), round_(3))
    for missing in range(2, len(events) + 1):
        session = Session("-", JUDGING)
        for event in events:
            if event.seq == missing:
                session.hole(missing, missing, "sequence_gap", "missing")
            else:
                session.step(event, b"")
        session.finish()
        said = session.drain()
        assert [each.code for each in said if isinstance(each, Finding)] == ["sequence_gap"], missing
        verdicts = {each.bet: each.verdict for each in said if isinstance(each, Settlement)}
        hole = events[missing - 1].round
        for number in (1, 2, 3):
            if number not in (hole, hole + 1 if events[missing - 1].type == "round_closed" else hole):
                assert verdicts[f"a{number}"] is Verdict.MATCH, missing


def test_what_a_void_deal_takes_back_is_withdrawn_under_a_higher_revision(kind):
    """And the round counts the findings that stand."""
    events = log(
        kind,
        [
            *bet("a", "ante"),
            *CLOSE,
            *before_answers(kind),
            *answer(kind),
            *kind.rest,
            *claim("a", 0, 0),
            *hand("TC"),
            *END,
        ],
    )
    session = Session("-", JUDGING)
    for event in events:
        session.step(event, b"")
    session.finish()
    said = session.drain()
    money = [each for each in said if isinstance(each, Finding) and each.code == "underpaid" and each.bet == "a"]

    assert [each.withdrawn for each in money] == [False, True, False]
    assert (money[0].seq, money[0].subject) == (money[1].seq, money[1].subject)
    assert money[0].revision < money[1].revision
    assert money[2].amount == 1000
    [round_] = [each for each in said if isinstance(each, Round)]
    standing = [each for each in said if isinstance(each, Finding) and not each.withdrawn]
    assert round_.findings == len(standing) - 1 == session.summary().findings


# The table


def test_a_table_is_opened_with_one_deck(kind):
    assert set_up(kind.game, decks=2) == ["setup_not_allowed"]
    assert set_up(kind.game, decks=1) == set_up(kind.game) == []


def test_the_dealer_may_have_his_cards_first(kind):
    assert settle(
        kind.game, stakes(kind), CLOSE, dealer(kind.dealer), hand(kind.own), kind.street, answer(kind), kind.rest,
        paid(kind), END,
    ) == (won(kind), [])  # fmt: skip


def test_hands_counted_by_ranks_and_one_suit_are_those_of_all_deals_looked_at_one_by_one():
    """The best three of four cards: all 270,725 hands."""
    dealt = Counter(map(THREE.best, combinations(FRENCH_DECK, 4)))

    assert dealt == hands_by_rank(THREE, 4)
