"""Chemin de fer, AD-2025 game 8, VI and VIII: the coup, what the scenarios leave out."""

from __future__ import annotations

import pytest

from tests.games.chemin_de_fer import HOLDER, HOUSE, banco, bank, coup, deal, play, punter, say
from tests.games.retold import withdrawn

# VI, drawing: the punter


@pytest.mark.parametrize("total", range(8))
@pytest.mark.parametrize("asks", ["draw", "stand", None])
@pytest.mark.parametrize("given", [True, False])
def test_the_punter_by_the_rules_of_drawing(total, asks, given):
    """Against a banker with seven, who stands whatever comes; the third card is a king and changes no total."""
    cards = f"P{'KA234567'[total]} B7 PK BK"
    result, findings = coup(cards, *([say(HOLDER, asks)] if asks else []), *(["PK"] if given else []))
    compared = "back" if total == 7 else "lost"
    must, may = total < 5, total == 5

    if asks is None:
        if must and not given:
            assert (result, findings) == ("back", [("drawing_error", "")])
        elif total in (6, 7) and given:
            assert (result, findings) == (compared, [("drawing_error", "")])
        else:
            assert (result, findings) == (compared, [])
    elif may or (asks == "draw") == must:  # rightly
        if asks == "draw":
            assert (result, findings) == ((compared, []) if given else ("back", [("drawing_error", "")]))
        else:
            assert (result, findings) == (compared, [("dealing_error", "")] if given else [])
    elif total == 0 and not given:
        assert (result, findings) == ("back", [("illegal_decision", HOLDER), ("drawing_error", "")])
    else:
        assert (result, findings) == (compared, [("illegal_decision", HOLDER)])


def test_the_first_announcement_of_the_holder_counts():
    assert coup("P2 B7 P3 BK", say(HOLDER, "stand"), say(HOLDER, "draw")) == ("lost", [])


def test_against_the_rules_what_was_dealt_counts():
    """Three that stands is given a card, six that draws is denied one."""
    assert coup("P3 B7 PK BK", say(HOLDER, "stand"), "P5") == ("won", [("illegal_decision", HOLDER)])
    assert coup("P6 B5 PK BK", say(HOLDER, "draw"), "B2") == ("lost", [("illegal_decision", HOLDER)])


# VI, drawing: the banker

DRAWN_AGAINST = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "01234567",
    4: "234567",
    5: "567",
    6: "67",
    7: "",
}
"""Without the two cells that are his own choice."""


@pytest.mark.parametrize("banker", range(8))
@pytest.mark.parametrize("third", range(10))
def test_the_banker_after_a_card(banker, third):
    cards = f"P2 B{'KA234567'[banker]} PK BK P{'KA23456789'[third]}"
    player = (2 + third) % 10

    def result(total):
        return "won" if player > total else "lost" if total > player else "back"

    draws, stands = coup(cards, "B3"), coup(cards)
    if (banker, third) in ((3, 9), (5, 4)):
        assert draws == (result((banker + 3) % 10), [])
        assert stands == (result(banker), [])
    elif str(third) in DRAWN_AGAINST[banker]:
        assert draws == (result((banker + 3) % 10), [])
        assert stands == ("back", [("drawing_error", "")])
    else:
        assert draws == (result(banker), [("drawing_error", "")])
        assert stands == (result(banker), [])


@pytest.mark.parametrize("banker", range(8))
def test_the_banker_after_a_punter_who_stood(banker):
    cards = f"P6 B{'KA234567'[banker]} PK BK"

    assert coup(cards, "BK")[1] == ([] if banker < 6 else [("drawing_error", "")])
    assert coup(cards)[1] == ([("drawing_error", "")] if banker < 6 else [])


def test_where_the_banker_announced_it_the_error_is_his_decision():
    """His last announcement counts."""
    assert coup("P6 B6 PK BK", say(HOUSE, "draw"), "B3") == ("back", [("illegal_decision", HOUSE)])
    assert coup("P6 B5 PK BK", say(HOUSE, "stand")) == ("back", [("illegal_decision", HOUSE)])
    assert coup("P6 B5 PK BK", say(HOUSE, "stand"), say(HOUSE, "draw"), "B3") == ("lost", [])


def test_a_free_banker_may_do_otherwise_than_he_announced():
    assert coup("P2 B3 PK BK P9", say(HOUSE, "stand"), "B3") == ("lost", [])
    assert coup("P2 B3 PK BK P9", say(HOUSE, "draw")) == ("lost", [])


# VI, naturals


@pytest.mark.parametrize("player", range(10))
@pytest.mark.parametrize("banker", range(10))
def test_a_natural_ends_the_coup_and_beats_any_other_hand(player, banker):
    if player not in (8, 9) and banker not in (8, 9):
        return
    expected = "won" if player > banker else "lost" if banker > player else "back"
    if player < 8:
        expected = "lost"
    cards = f"P{'KA23456789'[player]} B{'KA23456789'[banker]} PK BK"

    assert coup(cards) == (expected, [])
    if player >= 8:
        assert coup(cards, say(HOLDER, "declare")) == (expected, [])


def test_a_third_card_beside_a_declared_natural_is_dead():
    assert coup("P8 B2 PK BK", say(HOLDER, "declare"), "P9") == ("won", [("drawing_error", "")])
    assert coup("P8 B2 PK BK", say(HOLDER, "declare"), "B7") == ("won", [("drawing_error", "")])
    assert coup("P5 B8 PK BK", say(HOLDER, "draw"), say(HOUSE, "declare"), "P4") == ("lost", [("drawing_error", "")])


def test_a_banker_who_gives_a_card_on_eight_or_nine_has_lost_his_right():
    """The totals compare: the punter's three cards may beat him."""
    assert coup("P5 B8 PK BK", say(HOLDER, "draw"), "P4") == ("won", [("drawing_error", "")])
    assert coup("P5 B8 PK BK", "P4", say(HOUSE, "declare")) == ("won", [("drawing_error", "")])
    assert coup("P5 B8 PK BK", "P3") == ("back", [("drawing_error", "")])
    assert coup("P5 B8 PK BK", "PK") == ("lost", [("drawing_error", "")])


def test_a_holder_who_does_not_declare_loses_his_right():
    forgot = ("illegal_decision", HOLDER)

    assert coup("P9 B8 PK BK", say(HOLDER, "stand")) == ("lost", [forgot])
    assert coup("P9 B9 PK BK", say(HOLDER, "stand")) == ("back", [forgot])
    assert coup("P8 B8 PK BK", say(HOLDER, "draw")) == ("back", [forgot])
    assert coup("P8 B9 PK BK", say(HOLDER, "stand")) == ("lost", [forgot])
    assert coup("P8 B5 PK BK", say(HOLDER, "stand"), "B4") == ("lost", [forgot])
    assert coup("P8 B5 PK BK", say(HOLDER, "stand"), "B3") == ("back", [forgot])
    assert coup("P8 B5 PK BK", say(HOLDER, "stand")) == ("back", [forgot, ("drawing_error", "")])
    assert coup("P8 B7 PK BK", say(HOLDER, "draw"), "P5") == ("lost", [forgot])
    assert coup("P8 B7 PK BK", say(HOLDER, "draw")) == ("won", [forgot])
    assert coup("P9 B8 PK BK", say(HOLDER, "draw"), "P9") == ("back", [forgot, ("drawing_error", "")])


def test_who_declares_without_eight_or_nine_is_disregarded():
    assert coup("P5 B7 PK BK", say(HOLDER, "declare"), say(HOLDER, "draw"), "P4") == (
        "won",
        [("illegal_decision", HOLDER)],
    )
    assert coup("P5 B7 PK BK", say(HOLDER, "stand"), say(HOUSE, "declare")) == ("lost", [("illegal_decision", HOUSE)])


def test_only_holder_and_banker_speak():
    for choice in ("draw", "stand", "declare"):
        assert coup("P7 B6 PK BK", say(5, choice)) == ("won", [("illegal_decision", 5)])
    assert coup("P7 B6 PK BK", say(5, "pass")) == ("won", [])


# VI, free play


@pytest.mark.parametrize("total", range(8))
@pytest.mark.parametrize("asks", ["draw", "stand", None])
def test_in_free_play_the_punter_does_as_he_likes(total, asks):
    cards = f"P{'KA234567'[total]} B7 PK BK"
    given = ["PK"] if asks == "draw" else []

    assert coup(cards, *([say(HOLDER, asks)] if asks else []), *given, drawing="free") == (
        "back" if total == 7 else "lost",
        [],
    )


@pytest.mark.parametrize("banker", range(8))
def test_in_free_play_the_banker_does_as_he_likes_but_with_zero_he_must_draw(banker):
    cards = f"P7 B{'KA234567'[banker]} PK BK"
    stands, draws = coup(cards, drawing="free"), coup(cards, "BK", drawing="free")

    assert draws == ("back" if banker == 7 else "won", [])
    assert stands == (draws if banker else ("back", [("drawing_error", "")]))


def test_free_play_knows_who_asked_for_a_card():
    assert coup("P5 B7 PK BK", say(HOLDER, "draw"), drawing="free") == ("back", [("drawing_error", "")])
    assert coup("P3 B3 PK BK", say(HOLDER, "stand"), "P5", drawing="free") == ("lost", [("dealing_error", "")])


def test_a_banco_plays_free_where_the_house_allows_it():
    stakes = (bank(), banco("p", 5000, 2))

    assert coup("P3 B2 PK BK", say(2, "stand"), stakes=stakes, banco_free=True) == ("won", [])
    assert coup("P3 B2 PK BK", say(2, "stand"), "BK", banco_free=True) == ("won", [("illegal_decision", 2)])


def test_a_card_that_was_shown_binds_both_to_the_table():
    shown = [("illegal_decision", HOLDER)]

    assert coup("P3u B7u PK BK", say(HOLDER, "stand"), drawing="free") == ("lost", shown)
    assert coup("P3 B7ud PK BK", say(HOLDER, "stand"), drawing="free") == ("lost", shown)
    assert coup("P3ud B7 PK BK", say(HOLDER, "stand"), drawing="free") == ("lost", shown)
    assert coup("P3 B7u PK BK", say(HOLDER, "stand"), drawing="free") == ("lost", [])


def test_the_banker_answers_a_card_that_he_showed():
    """What the croupier showed by accident he need not."""
    assert coup("P7u B6 PK BK") == ("won", [("dealing_error", "")])
    assert coup("P7 B6 PKu BK") == ("won", [("dealing_error", "")])
    assert coup("P7 B6 PKu BKu") == ("won", [])
    assert coup("P7ud B6 PK BK") == ("won", [])


def test_with_both_cards_of_the_player_up_the_banker_must_draw_in_the_optional_cells():
    assert coup("P2u B3u PKu BKu P9") == ("back", [("drawing_error", "")])
    assert coup("P2u B3u PKu BKu P9 B3") == ("lost", [])
    assert coup("P2u B3u PK BK P9") == ("lost", [])
    assert coup("P2ud B5 PKud BK P4", say(HOUSE, "stand")) == ("back", [("illegal_decision", HOUSE)])


# VIII, errors of dealing


@pytest.mark.parametrize("cards", ["P4 P9 B5 B2", "B4 P9 B5 P2", "P4 B9 B5 P2", "B4 B9 P5 P2", "P4 B9 P5 P2 B2"])
def test_first_cards_in_the_wrong_order_annul_the_coup(cards):
    assert coup(cards) == ("back", [("dealing_error", "")])


def test_a_card_before_the_call_is_told_once_and_later_bets_are_late():
    events = [bank(), punter("p", 3000, 2), *deal("P9 B2"), punter("late", 2000, 3), *deal("PK B5"), "round_closed"]

    assert play(*events) == (
        {"bk": (0, 2000), "p": (3000, 3000), "late": (0, 2000)},
        [("dealing_error", ""), ("late_bet", "late")],
    )


@pytest.mark.parametrize(
    ("banker", "card", "result"), [("K", "7", "lost"), ("5", "4", "lost"), ("6", "4", "back"), ("7", "4", "lost")]
)
def test_a_card_for_a_punter_who_stands_goes_to_a_banker_with_up_to_five(banker, card, result):
    """The first card drawn is his, further ones are refused; with six and seven all are."""
    cards = f"P6 B{banker} PK BK"

    assert coup(cards, say(HOLDER, "stand"), f"P{card}") == (result, [("dealing_error", "")])
    assert coup(cards, say(HOLDER, "stand"), f"P{card}", "B9") == (result, [("dealing_error", "")])
    assert coup(cards, f"P{card}") == (result, [("drawing_error", "")])


def test_a_fifth_card_to_the_banker_before_the_holder_has_spoken():
    """If he stands the banker keeps it, even on six; if he draws it is his."""
    told = [("dealing_error", "")]

    assert coup("P7 B6 PK BK", "B2", say(HOLDER, "stand")) == ("lost", told)
    assert coup("P7 B7 PK BK", "B9", say(HOLDER, "stand")) == ("won", told)
    assert coup("P4 B7 PK BK", "B4", say(HOLDER, "draw")) == ("won", told)
    assert coup("P4 B6 PK BK", "B4", say(HOLDER, "draw"), "B9") == ("won", [*told, ("drawing_error", "")])
    assert coup("P6 B5 PK BK", "B4") == ("lost", [])


def test_a_banker_with_three_cards_before_the_player_has_two_counts_zero():
    told = [("dealing_error", "")]

    assert coup("P2 B9 BK BK P4", say(HOLDER, "stand"), "B7") == ("lost", told)
    assert coup("P2 B9 BK BK P4", say(HOLDER, "stand")) == ("won", told)
    assert coup("P2 B9 BK B9 P6") == ("won", told)


def test_two_third_cards():
    """For the player the better total counts, and its card rules the banker's table; for the banker the worse."""
    told = [("dealing_error", "")]

    assert coup("P2 B7 PK BK", "P3", "P6") == ("won", told)
    assert coup("P2 B7 PK BK", "P6", "P3") == ("won", told)
    assert coup("P2 B6 PK BK", "P6", "P9", "BK") == ("won", told)
    assert coup("P6 B5 PK BK", "B4", "B2") == ("lost", told)
    assert coup("P6 B5 PK BK", "B4", "B8") == ("won", told)


def test_a_card_of_the_player_dropped_into_the_basket():
    told = [("dealing_error", "")]

    assert coup("P2b B8 PK BK") == ("won", told)
    assert coup("P2 B9 PKb BK") == ("back", told)
    assert coup("P2 B4 PKb BK") == ("won", told)
    assert coup("P2 B4 PK BK", "P3b") == ("won", told)
    assert coup("P2 B4 PK BK", "P3b", "B5") == ("back", told)
    assert coup("P2 B7 PK BK", "P3b", "B2") == ("won", [*told, ("drawing_error", "")])


def test_cards_thrown_away_unseen_lose():
    assert coup("P9 B2 PKt B5") == ("lost", [("illegal_decision", HOLDER)])
    assert coup("P2 B9 P5 BKt") == ("won", [("illegal_decision", HOUSE)])


@pytest.mark.parametrize("mark", ["s", "f"])
@pytest.mark.parametrize("at", range(6))
def test_cards_stuck_together_and_faults_that_cannot_be_put_right_annul(mark, at):
    cards = ["P2", "B3", "PK", "BK", "P5", "B5"]
    cards[at] += mark

    assert coup(" ".join(cards)) == ("back", [])


def test_a_card_face_up_in_the_shoe_is_dead():
    assert coup("P9 X8 B2 PK X9 B5") == ("won", [])


@pytest.mark.parametrize("count", [1, 2, 3])
def test_without_one_of_the_first_four_cards_the_coup_is_null(count):
    assert coup(" ".join(["P9", "B2", "PK"][:count])) == ("back", [("drawing_error", "")])


def test_a_banker_who_declares_before_the_holder_has_spoken():
    """The stakes against him may leave, and the cover is counted without them."""
    early = [bank(5000), punter("a", 2000, 2), punter("b", 3000, 3), "bets_closed", *deal("P4 B8 PK BK")]
    events = [*early, say(1, "declare"), withdrawn("b"), say(3, "draw"), "round_closed"]

    assert play(*events) == ({"bk": (1900, 5000), "a": (0, 0), "b": "withdrawn"}, [("illegal_decision", 1)])
    assert play(*early, withdrawn("b"), say(3, "draw"), say(1, "declare"), withdrawn("a"), "round_closed")[1] == [
        ("late_withdrawal", "b"),
        ("late_withdrawal", "a"),
    ]
