"""The games without a board (caribbean stud, three-card, four-card poker): when the showdown begins, what it ends."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from tests.games.house_poker import CLOSE, END, bet, claim, dealer, exposed, hand, pack, say, settle


class Kind(NamedTuple):
    """A game in which place 1 beats the dealer, and place 2 does not."""

    game: str
    answer: str
    stake: int
    own: str
    other: str
    dealer: str


GAMES = [
    Kind("caribbean_stud", "raise", 2000, "9H 9C 7D 4S 3H", "QH JD 8S 6C 4D", "AS KD 8C 5H 3D"),
    Kind("three_card_poker", "play", 1000, "AH 9C 4D", "JH 7S 5C", "QS 8D 3C"),
    Kind("four_card_poker", "play", 1000, "AH AC 9D 6S 4H", "JH 9S 7C 6D 3S", "QS JC 8D 5C 4D 3H"),
]


@pytest.fixture(params=GAMES, ids=[kind.game for kind in GAMES])
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


def dealt(kind: Kind) -> list[Any]:
    """Two places with an ante, all hands complete."""
    return (
        bet("a", "ante") + bet("b", "ante", seat=2) + CLOSE + hand(kind.own) + hand(kind.other, 2) + dealer(kind.dealer)
    )


def answer(kind: Kind, name: str, seat: int) -> list[Any]:
    return bet(name, kind.answer, kind.stake, seat)


def paid(kind: Kind) -> list[Any]:
    return claim("a", 1000, 1000) + claim("k", kind.stake, kind.stake)


def test_the_showdown_begins_with_the_first_claim_once_the_hands_are_complete(kind):
    """From then on answers are late, decisions illegal, and who has not answered never does."""
    money, findings = settle(
        kind.game, dealt(kind), answer(kind, "k", 1), paid(kind), answer(kind, "l", 2), say("fold", 2),
        say(kind.answer, 2),
        claim("l", 0, kind.stake), END,
    )  # fmt: skip

    assert money == {"a": (1000, 1000), "k": (kind.stake, kind.stake), "b": "open", "l": (0, kind.stake)}
    assert findings == [
        ("illegal_decision", 2), ("illegal_decision", 2), ("late_bet", "l"), ("missing_decision", 2),
    ]  # fmt: skip


def test_the_claim_on_an_unanswered_ante_itself_begins_the_showdown_and_is_too_early(kind):
    money, findings = settle(kind.game, dealt(kind), claim("a", 1000, 1000), END)

    assert money == {"a": "open", "b": "open"}
    assert findings == [("missing_decision", 1), ("missing_decision", 2), ("settled_too_early", "a")]


def test_a_claim_on_a_folded_or_a_refused_bet_does_not_begin_it(kind):
    money, findings = settle(
        kind.game, bet("a", "ante"), bet("b", "ante", seat=2), bet("x", "ante", seat=2), CLOSE, hand(kind.own),
        hand(kind.other, 2), dealer(kind.dealer), claim("x", 0, 1000), say("fold", 2), claim("b", 0, 0),
        answer(kind, "k", 1), paid(kind), END,
    )  # fmt: skip

    assert money == {"a": (1000, 1000), "k": (kind.stake, kind.stake), "b": (0, 0), "x": (0, 1000)}
    assert findings == [("too_many_bets", "x")]


def test_a_claim_before_the_hands_are_complete_does_not_begin_it(kind):
    money, findings = settle(
        kind.game, bet("a", "ante"), CLOSE, hand(kind.own), claim("a", 1000, 1000), dealer(kind.dealer),
        answer(kind, "k", 1), claim("k", kind.stake, kind.stake), END,
    )  # fmt: skip

    assert money == {"a": (1000, 1000), "k": (kind.stake, kind.stake)}
    assert findings == [("settled_too_early", "a")]


def test_at_the_close_of_the_round_who_has_not_answered_never_does(kind):
    money, findings = settle(kind.game, dealt(kind), say("fold"), claim("a", 0, 0), END)

    assert money == {"a": (0, 0), "b": "open"}
    assert findings == [("missing_decision", 2)]


def test_a_claim_in_a_void_round_begins_nothing(kind):
    _, findings = settle(
        kind.game, dealt(kind), exposed("TC"), exposed("TD"), claim("a", 0, 1000), claim("b", 0, 1000), END
    )

    assert findings == []


def test_after_new_cards_the_answers_begin_anew(kind):
    """Stakes settled already are compared with what the new cards make of them."""
    money, findings = settle(
        kind.game, dealt(kind), answer(kind, "k", 1), claim("a", 1000, 1000), pack(), hand(kind.other),
        hand(kind.own, 2),
        dealer(kind.dealer), answer(kind, "l", 2), say("fold"), claim("k", 0, kind.stake), claim("b", 1000, 1000),
        claim("l", kind.stake, kind.stake), END,
    )  # fmt: skip

    assert money == {"a": (0, 0), "k": (0, kind.stake), "b": (1000, 1000), "l": (kind.stake, kind.stake)}
    assert findings == [("missing_decision", 2), ("overpaid", "a")]


def test_an_ante_that_was_never_answered_is_not_in_the_next_rounds_game(kind):
    """Its place bets anew."""
    money, findings = settle(
        kind.game, dealt(kind), answer(kind, "k", 1), paid(kind), END,
        bet("c", "ante", seat=2), CLOSE, hand(kind.own, 2), dealer(kind.dealer), answer(kind, "m", 2),
        claim("c", 1000, 1000), claim("m", kind.stake, kind.stake), END,
    )  # fmt: skip

    assert money["b"] == "open"
    assert (money["c"], money["m"]) == ((1000, 1000), (kind.stake, kind.stake))
    assert findings == [("missing_decision", 2)]
