"""The drawn cloth of roulette: each stake lies where a croupier would look for it."""

from __future__ import annotations

import re

import pytest

from replay.forensics import BetShown, Step
from replay.rules import GameRules
from streams.view.drawing.table import Layout, table
from tests.games.retold import scenario
from tests.installed import JUDGING, PACKS

NJ, ES = (PACKS.game(pack, "roulette") for pack in ("US-NJ", "ES-1979"))


def bet(wager: str, pick: str = "", lies: str = "") -> BetShown:
    return BetShown(
        bet="b1", round=1, seat=4, player="", wager=wager, pick=pick, lies=lies, of="", amount=500, refund=0,
        status="playing", paid=None, returned=None, claimed_paid=None, claimed_returned=None, wins={}, passage="",
    )  # fmt: skip


def drawn(rules: GameRules | None, *bets: BetShown, **lying: str) -> str:
    step = Step(
        seq=5, last_seq=5, type="ball_landed", at_us=1, round=1, text="", raw="", table=dict(lying), bets=bets,
        settlements=(), findings=(),
    )  # fmt: skip
    return str(table(step, Layout("roulette", "EUR", rules)))


def numbers(picture: str) -> dict[str, tuple[float, float, float, float]]:
    """Each number's box on the cloth: its two sides, its top and bottom."""
    box = r'<g class="box pocket \w+"><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
    found = {}
    for match in re.finditer(box + r"[^>]*/><text[^>]*>(\w+)<", picture):
        x, y, w, h = map(float, match.groups()[:4])
        found[match[5]] = (x, x + w, y, y + h)
    return found


def chip(picture: str) -> tuple[float, float]:
    """Where the lowest chip lies."""
    match = re.search(r'<g class="chips"><circle cx="([\d.]+)" cy="([\d.]+)"', picture)
    assert match is not None
    return float(match[1]), float(match[2]) - 4


def touched(picture: str) -> set[str]:
    """The numbers within a chip's reach."""
    x, y = chip(picture)
    return {
        name for name, (left, right, top, end) in numbers(picture).items()
        if left - 4 <= x <= right + 4 and top - 4 <= y <= end + 4
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "wheel", "wager", "pick"),
    [
        (NJ, "double_zero", "straight_up", "00"),
        (NJ, "double_zero", "straight_up", "36"),
        (NJ, "double_zero", "split", "17-20"),
        (NJ, "double_zero", "split", "17-18"),
        (NJ, "double_zero", "split", "0-00"),
        (NJ, "double_zero", "split", "3-00"),
        (NJ, "double_zero", "split", "0-1"),
        (NJ, "double_zero", "corner", "16-17-19-20"),
        (NJ, "double_zero", "corner", "20-19-17-16"),
        (NJ, "single_zero", "trio", "0-1-2"),
        (NJ, "single_zero", "trio", "0-2-3"),
        (ES, "single_zero", "split", "0-3"),
    ],
)
def test_a_stake_touches_the_numbers_that_it_is_laid_on_and_no_other(rules, wheel, wager, pick):
    assert touched(drawn(rules, bet(wager, pick), wheel=wheel)) == set(pick.split("-"))


@pytest.mark.parametrize(("wager", "pick", "at"), [("street", "4-5-6", {"4"}), ("six_line", "4-5-6-7-8-9", {"4", "7"})])
def test_a_stake_on_rows_lies_at_their_end(wager, pick, at):
    assert touched(drawn(ES, bet(wager, pick))) == at


@pytest.mark.parametrize(
    ("lies", "label"), [("", "red"), ("prison", "prison")], ids=["a fresh stake", "a stake in prison"]
)
def test_an_even_chance_lies_in_its_box_or_in_prison(lies, label):
    picture = drawn(ES, bet("red", lies=lies))
    boxes = re.findall(r'<g class="box [^"]*"><rect[^>]*/><text[^>]*>([^<]*)</text>(<g class="stake)?', picture)

    assert [name for name, stake in boxes if stake] == [label]
    assert "prison" not in drawn(NJ, bet("red"))


@pytest.mark.parametrize(("wager", "pick"), [("voisins", ""), ("split", "3"), ("corner", "38-39"), ("basket", "")])
def test_what_has_no_place_on_this_cloth_lies_beside_it(wager, pick):
    picture = drawn(ES, bet(wager, pick))

    assert ("not of this game" in picture) == (wager in ("voisins", "basket", "corner"))
    assert 'class="stake playing"' in picture


@pytest.mark.parametrize(
    ("rules", "wheel", "count", "ball"),
    [(NJ, "double_zero", 38, "00"), (NJ, "single_zero", 37, "0"), (ES, "", 37, "9")],
)
def test_the_wheel_has_its_pockets_and_the_ball_lies_in_one(rules, wheel, count, ball):
    picture = drawn(rules, ball=ball, **({"wheel": wheel} if wheel else {}))

    assert picture.count('class="sector ') == count
    assert picture.count('class="ball"') == 1
    assert f'class="result" text-anchor="middle">{ball}<' in picture
    assert "void: short" in drawn(rules, ball=f"{ball} void: short")
    assert 'class="ball"' not in drawn(rules, ball="99 void: off_wheel")


def test_without_the_rules_a_cloth_is_drawn_all_the_same():
    assert drawn(None, bet("red"), ball="7").count("box pocket") == 37


def test_the_double_zero_is_00_for_people_wherever_it_is_said():
    """In a log it is 37: in what is laid, where the ball rests, what is found."""
    from replay.forensics import replay

    opened = {"game": "roulette", "rules": "US-NJ", "limits": {"min": 500}}
    told = scenario(opened, [
        "round_opened",
        {"bet_placed": {"bet": "n", "seat": 1, "wager": "straight_up", "pick": 37, "amount": 500}},
        {"bet_placed": {"bet": "s", "seat": 1, "wager": "split", "pick": [0, 37], "amount": 500}},
        {"ball_landed": {"number": 37}},
        {"ball_landed": {"number": 37}},
    ])  # fmt: skip
    lines = [event.model_dump_json(exclude_none=True, by_alias=True).encode() for event in told.events]
    steps = replay(told.events[0].session, lines, JUDGING).steps

    assert steps[2].text.endswith("straight_up on 00 (bet n)")
    assert steps[3].text.endswith("split on 0-00 (bet s)")
    assert steps[4].text == "the ball rests on 00"
    assert (steps[4].table["ball"], steps[4].table["outcome"]) == ("00", "00")
    assert [each.pick for each in steps[4].bets] == ["00", "0-00"]
    assert [finding.text for finding in steps[5].findings] == [
        "a further ball, 00, in one round; the first, 00, decides"
    ]
