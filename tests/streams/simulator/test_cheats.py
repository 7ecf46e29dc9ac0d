"""Cheats at simulated tables: each does what its name says, and breaks no rule; before it begins, nothing is other than
in the fair night."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from replay.audit import Auditor
from replay.evidence import key_id, public_half
from replay.results import Finding, Kind
from replay.streaks.watch import WatchSettings
from streams.simulator import games
from streams.simulator.cheats import CHEATS, CheatError, parse
from streams.simulator.floor import Floor
from streams.simulator.truth import compare
from tests.installed import judged
from tests.streams.simulator.nights import NIGHT


def floor(game: str, *cheats: str, hours: float = 2.0, seed: int = 5, tables: int = 1) -> Floor:
    return Floor(tables=tables, hours=hours, seed=seed, first_day=NIGHT, only=[game], cheats=cheats)


@cache
def played(game: str, cheat: str, hours: float) -> tuple[Floor, tuple[dict[str, Any], ...], tuple[bytes, ...]]:
    made = floor(game, *filter(None, [cheat]), hours=hours)
    lines = tuple(made.lines())
    return made, tuple(json.loads(line) for line in lines), lines


def findings(made: Floor, lines: tuple[bytes, ...]) -> list[Finding]:
    """What an audit finds at the level of 1 night in 100 on a floor of 20 tables."""
    keys = {key_id(public_half(made.key)): public_half(made.key)}
    auditor = Auditor(judged(keys=keys, watching=WatchSettings(tables=20)))
    for place, line in enumerate(lines, 1):
        auditor.feed(line, "floor", place)
    return [row for row in auditor.finish() if isinstance(row, Finding) and not row.withdrawn]


def of(kind: str, events: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == kind]


# How they are asked for


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("luck", "there is no such cheat"),
        ("loaded-dice:faces=6", "not one of its parameters"),
        ("loaded-dice:face", "not one of its parameters"),
        ("loaded-dice:face=7", "face is 1 to 6, not 7"),
        ("loaded-dice:heavier=much", "not a number"),
        ("loaded-dice:heavier=nan", "heavier is 0 to 5, not nan"),
        ("loaded-dice:from=soon", "not a time such as 2h"),
    ],
)
def test_what_is_no_cheat_is_refused_with_the_place_and_the_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        parse(text)


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("1.5m", 90), ("2h", 7200)])
def test_it_begins_when_it_is_asked_to(text, seconds):
    assert seconds == parse(f"loaded-dice:from={text}").since_s


def test_every_cheat_can_be_done_somewhere_and_a_game_is_open_to_none_but_those():
    named = {cheat for game in games.names() for cheat in games.simulator(game).open_to}

    assert named == set(CHEATS)


def test_one_that_no_table_of_the_floor_has_room_for_is_refused():
    with pytest.raises(CheatError, match="cannot be done at any table of this floor"):
        floor("boule", "loaded-dice")
    with pytest.raises(CheatError, match="cannot be done at table CR02"):
        floor("craps", "loaded-dice:table=CR02")


def test_it_is_done_at_the_first_table_at_the_one_named_or_at_all():
    at = {text: sorted(floor("craps", text, tables=3).cheats) for text in ("loaded-dice", "loaded-dice:table=CR02")}

    assert at == {"loaded-dice": ["CR01"], "loaded-dice:table=CR02": ["CR02"]}
    assert sorted(floor("craps", "loaded-dice:table=all", tables=3).cheats) == ["CR01", "CR02", "CR03"]


# What they do


@pytest.mark.parametrize(
    ("game", "cheat"),
    [
        ("craps", "loaded-dice:heavier=1"),
        ("craps", "controlled-shooter:control=1"),
        ("blackjack", "card-counter"),
        ("boule", "past-poster"),
        ("sic_bo", "past-poster"),
        ("punto_banco", "unshuffled-shoe"),
        ("punto_banco", "marked-cards"),
        ("boule", "colluding-dealer"),
    ],
)
def test_before_it_begins_the_night_is_to_the_byte_the_fair_one(game, cheat):
    with_it = list(floor(game, f"{cheat}{',' if ':' in cheat else ':'}from=40m", hours=1).lines())
    fair = list(floor(game, hours=1).lines())
    begin = next(at for at, (one, other) in enumerate(zip(with_it, fair, strict=False)) if one != other)

    assert json.loads(fair[begin])["at"] >= json.loads(fair[0])["at"][:14] + "40"


@pytest.mark.parametrize("game", ["craps", "sic_bo"])
def test_loaded_dice_show_their_face_so_much_more_often(game):
    """Twice as often: with the chance 1/3, in some hundreds of throws within four standard deviations."""
    _, events, _ = played(game, "loaded-dice:face=2,heavier=1", 6.0)
    faces = Counter(face for event in of("dice_rolled", events) if "void" not in event for face in event["dice"])
    thrown = sum(faces.values())

    assert abs(faces[2] - thrown / 3) < 4 * (thrown * 2 / 9) ** 0.5


def test_a_controlled_shooter_throws_no_seven_on_a_point():
    made, events, _ = played("craps", "controlled-shooter:control=1", 4.0)
    del made
    sevens: Counter[bool] = Counter()
    seats = {event["seat"] for event in of("bet_placed", events) if "player" in event}
    point = 0
    for event in of("dice_rolled", events):
        total = sum(event["dice"])
        if "void" in event or 0 in event["dice"]:
            continue
        if point and total == 7:
            sevens[event["seat"] in seats] += 1
        point = 0 if point and total in (7, point) else point or (total if total in (4, 5, 6, 8, 9, 10) else 0)

    assert {True: sevens[True]} == {True: 0}
    assert len(seats) == 1


def test_an_unshuffled_shoe_comes_in_the_order_of_the_last_one():
    _, events, _ = played("punto_banco", "unshuffled-shoe", 4.0)
    shoes: list[list[str]] = []
    for event in events:
        if event["type"] == "shoe_loaded":
            shoes.append([])
        elif event["type"] == "card_dealt":
            shoes[-1].append(event["card"])

    assert len(shoes) > 2
    shortest = min(map(len, shoes))
    assert len({tuple(shoe[:shortest]) for shoe in shoes}) == 1


def test_a_counter_bets_his_spread_and_nobody_else_does():
    _, events, _ = played("blackjack", "card-counter:spread=12", 6.0)
    names = Counter(event["player"] for event in of("bet_placed", events) if event["wager"] == "main")
    counter = max(names, key=lambda name: names[name])
    stakes = {event["amount"] for event in of("bet_placed", events) if event["player"] == counter}

    assert {1_000, 12_000} <= stakes


def test_a_past_poster_who_always_knows_never_loses():
    """But with a five, on which nothing at even money wins. His other bets are the minimum, 2.00."""
    _, events, _ = played("boule", "past-poster:knows=1,units=7", 2.0)
    placed = {
        event["bet"]: event for event in of("bet_placed", events) if event["amount"] == 1400 and "player" in event
    }
    numbers = {event["round"]: event["number"] for event in of("ball_landed", events)}
    settled = [event for event in of("bet_settled", events) if event["bet"] in placed]

    assert settled
    for event in settled:
        assert (event["paid"] > 0) == (numbers[placed[event["bet"]]["round"]] != 5)


def test_a_player_who_knows_the_first_card_bets_on_the_side_that_it_favours():
    _, events, _ = played("punto_banco", "marked-cards", 6.0)
    called: set[int] = set()
    first: dict[int, str] = {}
    for event in events:
        if event["type"] == "bets_closed":
            called.add(event["round"])
        elif event["type"] == "card_dealt" and event.get("round") in called:
            first.setdefault(event["round"], event["card"][0])
    names = Counter(event["player"] for event in of("bet_placed", events) if "player" in event)
    [(cheat, _)] = names.most_common(1)
    bets = [event for event in of("bet_placed", events) if event.get("player") == cheat and event["round"] in first]

    assert len(bets) > 100
    for bet in bets:
        assert (bet["wager"] == "player") == (first[bet["round"]] in "6789")


def test_each_error_of_a_colluding_dealer_is_on_record_and_found():
    made, _, lines = played("boule", "colluding-dealer:errs=0.3", 3.0)
    compared = compare(made.truth, findings(made, lines))

    assert compared.exact
    assert compared.found > 5


@pytest.mark.parametrize(
    ("game", "cheat"),
    [
        ("craps", "loaded-dice:heavier=0.5"),
        ("craps", "controlled-shooter"),
        ("blackjack", "card-counter"),
        ("blackjack", "unshuffled-shoe"),
        ("boule", "past-poster"),
        ("sic_bo", "past-poster"),
        ("punto_banco", "marked-cards"),
    ],
)
def test_no_other_cheat_breaks_a_rule_and_the_truth_tells_of_it(game, cheat):
    made, _, lines = played(game, cheat, 1.0)

    assert [row for row in findings(made, lines) if row.kind is not Kind.STREAK] == []
    assert [f"cheat {cheat}"] == [wrong.fault for wrong in made.truth]


def test_every_cheat_is_asked_for_by_a_name_of_its_own():
    assert set(CHEATS) == {kind.name for kind in CHEATS.values()}


# What is found of them


@pytest.mark.parametrize(
    ("game", "cheat", "hours", "code"),
    [
        ("punto_banco", "unshuffled-shoe", 3.0, "repeated_order"),
        ("blackjack", "unshuffled-shoe", 2.0, "repeated_order"),
        ("punto_banco", "marked-cards:cards=4", 6.0, "player_wins"),
        ("boule", "past-poster:knows=0.8", 2.0, "late_bets_win"),
        ("sic_bo", "past-poster:knows=0.8", 2.0, "late_bets_win"),
        ("boule", "colluding-dealer:errs=0.3", 3.0, "dealer_errors"),
        ("blackjack", "colluding-dealer:errs=0.5", 4.0, "dealer_errors"),
        ("blackjack", "card-counter:spread=20", 6.0, "stakes_follow_count"),
        ("craps", "controlled-shooter:control=0.9", 8.0, "controlled_throws"),
        ("craps", "loaded-dice:heavier=2", 4.0, "dice_biased"),
        ("sic_bo", "loaded-dice:heavier=1", 3.0, "dice_biased"),
    ],
)
def test_a_strong_cheat_alarms(game, cheat, hours, code):
    made, _, lines = played(game, cheat, hours)

    assert code in {row.code for row in findings(made, lines) if row.kind is Kind.STREAK}
