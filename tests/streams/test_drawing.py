"""The drawn table of a game that the viewer has no layout for: everything that lies there is to be seen."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec
import pytest

from replay.forensics import BetShown, Step
from streams.view.drawing.table import Layout, table
from tests.installed import PACKS


def drawn(lying: Mapping[str, str | list[str]], *bets: BetShown) -> str:
    """The picture of a table of a game that the viewer does not know."""
    step = Step(
        seq=5, last_seq=5, type="ball_landed", at_us=1, round=1, text="", raw="", table=dict(lying), bets=bets,
        settlements=(), findings=(),
    )  # fmt: skip
    return str(table(step, Layout("ludo", "EUR", None)))


def bet(number: int, wager: str) -> BetShown:
    return BetShown(
        bet=f"b{number}", round=1, seat=number, player="", wager=wager, pick="", lies="", of="", amount=500, refund=0,
        status="playing", paid=None, returned=None, claimed_paid=None, claimed_returned=None, wins={}, passage="",
    )  # fmt: skip


def words(picture: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", picture)


def test_stakes_lie_at_their_seats_with_their_wagers():
    told = words(drawn({}, bet(1, "red_pawn"), bet(3, "six")))

    assert {"red pawn", "six", "€5"} <= set(told)


def test_where_a_ball_rests_and_what_a_game_says_of_its_table_is_told():
    told = words(drawn({"ball": "31", "wheel": "joker", "outcome": "joker", "seat 2 says": "pass"}))

    assert {"ball: 31", "wheel: joker", "joker"} <= set(told)
    assert not any(line.startswith("seat 2 says") for line in told)


def test_dice_cards_and_tiles_are_drawn_as_what_they_are():
    picture = drawn({"dice": "3-4", "seat 1": ["7H", "AS down"], "seat 2": ["5", "W"], "box": ["9"]})

    assert picture.count('class="die ivory"') == 2
    assert re.findall(r'href="#card-(\w+)"', picture) == ["7H", "AS"]
    assert re.findall(r"<title>tile (\w)</title>", picture) == ["9", "5", "W"]


def test_nothing_that_a_log_names_is_taken_for_markup():
    picture = drawn({"<b>": "<i>", "<u>": ["7H"], "seat 1": ["<x>"]}, bet(1, "<script>"))

    assert not re.search(r"<(b|i|u|x|script)>", picture)


def on_cloth(game: str, rules: str, lying: Mapping[str, str | list[str]], *bets: BetShown) -> list[str]:
    """What the picture of a table under this law says."""
    step = Step(
        seq=5, last_seq=5, type="bet_placed", at_us=1, round=1, text="", raw="", table=dict(lying), bets=bets,
        settlements=(), findings=(),
    )  # fmt: skip
    return words(str(table(step, Layout(game, "USD", PACKS.game(rules, game)))))


@pytest.mark.parametrize(
    ("game", "rules"),
    [("craps", "US-NJ"), ("craps", "MO-1985"), ("craps", "AD-2025"), ("craps", "RO-CRAPS"), ("punto_banco", "US-NJ"),
     ("punto_banco", "MO-2004"), ("punto_banco", "AD-2025")],
)  # fmt: skip
def test_every_wager_of_a_law_has_its_place_on_the_cloth(game, rules):
    for number, wager in enumerate(PACKS.game(rules, game).wagers.values(), 1):
        for pick in wager.picks or ("4",) * ("odds" in wager.id) or ("",):
            lying = msgspec.structs.replace(bet(number, wager.id), pick=str(pick))

            assert "not of this game" not in on_cloth(game, rules, {}, lying), (wager.id, pick)


def test_what_a_law_does_not_offer_has_no_place():
    assert "fire" in on_cloth("craps", "US-NJ", {})
    assert "fire" not in on_cloth("craps", "AD-2025", {})
    assert "lucky 6" not in on_cloth("punto_banco", "US-NJ", {})
    assert "not of this game" in on_cloth("punto_banco", "US-NJ", {}, bet(1, "lucky_6"))


def test_what_is_called_made_and_owed_is_told():
    craps = on_cloth("craps", "US-NJ", {"point": "4", "called off": "b1, b2", "points made": "6, 8"})

    assert {"off: b1, b2", "points made: 6, 8"} <= set(craps)
    assert "commission owed: seat 1 2.00 USD" in on_cloth("punto_banco", "US-NJ", {"owed": "seat 1 2.00 USD"})
