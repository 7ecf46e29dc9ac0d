"""Craps under US-NJ: what the scenarios leave out, the published edges, and a second reckoning of random throws."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from replay.games import watched_of
from replay.games.craps import odds
from replay.rules import Table
from replay.session import Session
from replay.streaks.worth import worth_of, worths
from replay.watched import AtMost
from tests.changed_packs import pack_with, put
from tests.games.retold import claim, invented, raised, scenario, settle, withdrawn
from tests.installed import JUDGING, PACKS

NJ = {"game": "craps", "rules": "US-NJ", "currency": "USD", "chip_unit": 100, "limits": {"min": 500, "max": 500000}}
RULES = PACKS.game("US-NJ", "craps")
POINTS = (4, 5, 6, 8, 9, 10)
TRUE = {4: "2", 5: "3/2", 6: "6/5", 8: "6/5", 9: "3/2", 10: "2"}
PLACE = {4: "9/5", 5: "7/5", 6: "7/6", 8: "7/6", 9: "7/5", 10: "9/5"}


def bet(name, wager, amount=1000, seat=1, pick=None, of=None):
    fields = {"bet": name, "seat": seat, "wager": wager, "amount": amount, "pick": pick, "of": of}
    return {"bet_placed": fields}


def throw(first, second, seat=1, **more):
    return ["bets_closed", {"dice_rolled": {"dice": [first, second], "seat": seat, **more}}]


def call(choice, name, seat=1):
    return {"decision": {"seat": seat, "choice": choice, "bet": name}}


def vig(amount, name):
    return {"commission_taken": {"bet": name, "amount": amount}}


def play(*events, options=None, **table):
    """Each bet's money at a table without claims, and the findings as (code, bet or seat, amount)."""
    head = {**NJ, "settlement_claims": False, "options": options or {}, **table}
    money, found = settle(head, events)
    return money, [(each.code, each.bet or each.seat, each.amount) for each in found]


def with_claims(*events, options=None):
    """The findings about money as (code, bet, amount), but for what nobody has handed over."""
    _, found = settle({**NJ, "options": options or {}}, events)
    about = ("wrong_commission", "overpaid", "underpaid")
    return [(each.code, each.bet, each.amount) for each in found if each.code in about]


# --- published edges --------------------------------------------------------------------------------------------------

EDGES = {
    "pass_line": "7/495", "come": "7/495", "dont_pass": "3/220", "dont_come": "3/220", "pass_odds": "0",
    "come_odds": "0", "dont_pass_odds": "0", "dont_come_odds": "0", "big_6": "1/11", "big_8": "1/11", "seven": "1/6",
    "any_craps": "1/9", "eleven": "1/9", "craps_3": "1/9", "craps_2": "5/36", "craps_12": "5/36", "horn": "1/8",
    "world": "2/15", "c_and_e": "1/9",
    **{f"place_right {point}": {4: "1/15", 5: "1/25", 6: "1/66"}[min(point, 14 - point)] for point in POINTS},
    **{f"hard_way {total}": "1/9" if total in (4, 10) else "1/11" for total in (4, 6, 8, 10)},
    **{f"horn_high {high}": "23/180" if high in (2, 12) else "11/90" for high in (2, 3, 11, 12)},
    **{f"hop {low}{high}": "5/36" if low == high else "1/9" for low in range(1, 7) for high in range(low, 7)},
    **{f"buy {point} on_placing": "1/20" for point in POINTS},
    **{f"buy {point} on_winning": {4: "1/60", 5: "1/50", 6: "1/44"}[min(point, 14 - point)] for point in POINTS},
    **{f"lay {point} on_placing": {4: "1/40", 5: "1/30", 6: "1/24"}[min(point, 14 - point)] for point in POINTS},
    **{f"lay {point} on_winning": {4: "1/60", 5: "1/50", 6: "1/44"}[min(point, 14 - point)] for point in POINTS},
    "field 2 2": "1/18", "field 2 3": "1/36", "field 3 2": "1/36", "field 3 3": "0",
}  # fmt: skip


def test_the_edges_are_those_published():
    found: dict[str, set[Fraction]] = {}
    for each in odds(RULES):
        options = [value for name, value in each.options.items() if name != "working_on_comeout"]
        pick = "" if "odds" in each.wager else each.pick
        found.setdefault(" ".join(filter(None, (each.wager, pick, *options))), set()).add(each.edge)
    fire = found.pop("fire")

    assert found == {name: {Fraction(edge)} for name, edge in EDGES.items()}
    assert [f"{float(edge):.6f}" for edge in fire] == ["0.207628"]


def test_the_fire_bet_is_worth_what_chance_brings():
    """Forty thousand shooters, thrown with another generator than the arithmetic has: four points come to
    one in 114, and what four and five bring is so within three standard errors."""
    rng = Random(13_690)
    shooters = 40_000
    made_by = [0] * 7
    for _ in range(shooters):
        made: set[int] = set()
        point = 0
        while len(made) < 6:
            total = rng.randrange(1, 7) + rng.randrange(1, 7)
            if not point:
                point = total if total in POINTS else 0
            elif total == 7:
                break
            elif total == point:
                made.add(point)
                point = 0
        made_by[len(made)] += 1
    chances = {4: Fraction(879, 100_000), 5: Fraction(1640, 1_000_000), 6: Fraction(162, 1_000_000)}
    for number, chance in chances.items():
        expected = float(chance) * shooters
        assert abs(made_by[number] - expected) < 3.5 * expected**0.5, (number, made_by[number], expected)
    exact = next(each for each in odds(RULES) if each.wager == "fire").edge
    assert abs(1 - float(exact) - float(25 * chances[4] + 250 * chances[5] + 1000 * chances[6])) < 0.01


# --- a second reckoning -----------------------------------------------------------------------------------------------

ONE_THROW = {
    "seven": {7: "4"}, "any_craps": dict.fromkeys((2, 3, 12), "7"), "craps_2": {2: "30"}, "craps_3": {3: "15"},
    "craps_12": {12: "30"}, "eleven": {11: "15"},
    "field": {**dict.fromkeys((3, 4, 9, 10, 11), "1"), 2: "2", 12: "3"},
}  # fmt: skip
PARTS = {"horn": (2, 3, 11, 12), "world": (2, 3, 7, 11, 12)}
PAYS = {2: 30, 3: 15, 7: 4, 11: 15, 12: 30}


class Reckoning:
    """A table of New Jersey's craps once more, as its page has it: every bet by itself, in plain words."""

    def __init__(self, chip, working, on_winning):
        self.chip, self.working, self.on_winning = chip, working, on_winning
        self.point = 0
        self.made = set()
        self.lying = {}
        self.money = {}

    def lay(self, name, wager, amount, pick=None, of=None):
        self.lying[name] = {"wager": wager, "amount": amount, "pick": pick, "of": of, "number": 0, "called": ""}

    def win(self, amount, price):
        return int(Fraction(price) * amount // self.chip * self.chip)

    def parts(self, amount, parts, total):
        """Of several parts on one stake the winner pays for the losers."""
        if total not in parts:
            return None
        part = Fraction(amount, len(parts))
        hits = parts.count(total)
        return int((part * PAYS[total] * hits - part * (len(parts) - hits)) // self.chip * self.chip)

    def throw(self, first, second):
        total, double = first + second, first == second
        sevened = self.point and total == 7
        if self.point and total == self.point:
            self.made.add(total)
        lines = {name: dict(each) for name, each in self.lying.items()}
        for name, each in list(self.lying.items()):
            due = self.due(each, lines, first, second, total, double)
            if due is not None:
                self.money[name] = due
                del self.lying[name]
        if sevened:
            self.made.clear()
        if self.point:
            self.point = 0 if total in (7, self.point) else self.point
        else:
            self.point = total if total in POINTS else 0

    def due(self, each, lines, first, second, total, double):
        wager, amount, pick, number = each["wager"], each["amount"], each["pick"], each["number"]
        back, lost = (0, amount), (0, 0)
        if wager in ("pass_line", "come", "dont_pass", "dont_come"):
            right = wager in ("pass_line", "come")
            if number:
                if total not in (7, number):
                    return None
                return (self.win(amount, 1), amount) if (total == number) == right else lost
            if total in (7, 11):
                return (self.win(amount, 1), amount) if right else lost
            if total in (2, 3, 12):
                return lost if right else back if total == 12 else (self.win(amount, 1), amount)
            each["number"] = total
            return None
        price: str | int | Fraction | None
        if wager in ONE_THROW:
            price = ONE_THROW[wager].get(total)
            return lost if price is None else (self.win(amount, price), amount)
        if wager in PARTS or wager == "horn_high":
            won = self.parts(amount, PARTS.get(wager) or (*PARTS["horn"], pick), total)
            return lost if won is None else (won, amount)
        if wager == "c_and_e":
            price = {2: 3, 3: 3, 12: 3, 11: 7}.get(total)
            return lost if price is None else (self.win(amount, price), amount)
        if wager == "hop":
            hit = pick == 10 * min(first, second) + max(first, second)
            return (self.win(amount, 30 if double else 15), amount) if hit else lost
        if wager == "fire":
            if len(self.made) == 6:
                return self.win(amount, 999), amount
            if not (self.point and total == 7):
                return None
            price = {4: 24, 5: 249}.get(len(self.made))
            return lost if price is None else (self.win(amount, price), amount)
        comes_out = self.point == 0
        rests = comes_out and not self.working and wager in ("come_odds", "place_right", "buy", "hard_way")
        rests = each["called"] == "off" or (rests and each["called"] != "on")
        if each["of"] is not None:
            number = lines[each["of"]]["number"]
            if total not in (7, number):
                return None
            if rests:
                return back
            right = wager in ("pass_odds", "come_odds")
            price = TRUE[number] if right else 1 / Fraction(TRUE[number])
            return (self.win(amount, price), amount) if (total == number) == right else lost
        if rests:
            return None
        target = pick or int(wager[-1])
        if wager == "hard_way":
            if total == target and double:
                return self.win(amount, 7 if target in (4, 10) else 9), amount
            return lost if total in (7, target) else None
        if total not in (7, target):
            return None
        if (total == 7) != (wager == "lay"):
            return lost
        if wager == "place_right":
            return self.win(amount, PLACE[target]), amount
        if wager in ("big_6", "big_8"):
            return self.win(amount, 1), amount
        price = TRUE[target] if wager == "buy" else 1 / Fraction(TRUE[target])
        paid = self.win(amount, price)
        if self.on_winning:
            part = Fraction(amount if wager == "buy" else paid, 20)
            paid = max(0, paid - max(100, int(part // 100 * 100)))
        return paid, amount


CALLED = ("place_right", "buy", "lay", "hard_way", "big_6", "big_8", "pass_odds", "come_odds", "dont_pass_odds",
          "dont_come_odds")  # fmt: skip
ODDS_OF = {"pass_line": "pass_odds", "come": "come_odds", "dont_pass": "dont_pass_odds", "dont_come": "dont_come_odds"}


@pytest.mark.parametrize("seed", range(30))
def test_random_throws_come_to_what_a_second_reckoning_says(seed):
    rng = Random(seed)
    working, on_winning = rng.random() < 0.3, rng.random() < 0.5
    chip = rng.choice((1, 25, 100))
    options = {"working_on_comeout": working, "vigorish": "on_winning" if on_winning else "on_placing",
               "fire_bet": True, "field_12": 3, "odds_multiple": 100}  # fmt: skip
    ours = Reckoning(chip, working, on_winning)
    events, fresh = [], True
    for number in range(60):
        for one in range(rng.randrange(0, 5)):
            name, amount = f"b{number}.{one}", rng.randrange(500, 6000, rng.choice((5, 50, 500)))
            numbered = [each for each in ours.lying.values() if each["wager"] in ODDS_OF and each["number"]]
            wagers = ["pass_line", "dont_pass"] if ours.point == 0 else ["come", "dont_come"]
            wagers += ["place_right", "buy", "lay", "hard_way", "big_6", "big_8", *ONE_THROW, *PARTS, "horn_high",
                       "c_and_e", "hop", *(["fire"] if fresh else []), *(["odds"] * 4 if numbered else [])]  # fmt: skip
            wager, pick, of = rng.choice(wagers), None, None
            if wager in ("place_right", "buy", "lay"):
                pick = rng.choice(POINTS)
            elif wager == "hard_way":
                pick = rng.choice((4, 6, 8, 10))
            elif wager == "horn_high":
                pick = rng.choice(PARTS["horn"])
            elif wager == "hop":
                low, high = sorted((rng.randrange(1, 7), rng.randrange(1, 7)))
                pick = 10 * low + high
            elif wager == "odds":
                line = rng.choice(numbered)
                of = next(key for key, each in ours.lying.items() if each is line)
                wager = ODDS_OF[line["wager"]]
            events.append(bet(name, wager, amount, pick=pick, of=of))
            ours.lay(name, wager, amount, pick, of)
        for name, each in ours.lying.items():
            if each["wager"] in CALLED and rng.random() < 0.05:
                each["called"] = rng.choice(("on", "off"))
                events.append(call(each["called"], name))
        first, second = rng.randrange(1, 7), rng.randrange(1, 7)
        fresh = bool(ours.point) and first + second == 7
        ours.throw(first, second)
        events += throw(first, second)
    limits = {"min": 100, "max": 10**9}
    money, found = play(*events, options=options, chip_unit=chip, limits=limits)

    assert money == {**dict.fromkeys(ours.lying, "open"), **ours.money}
    assert {code for code, _, _ in found} <= {"stake_mismatch", "illegal_decision", "odds_too_large", "dealer_misplay"}
    assert chip > 1 or not {code for code, _, _ in found} & {"odds_too_large"}


# --- calls ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wager", ["pass_line", "dont_pass", "field", "seven", "horn", "fire"])
@pytest.mark.parametrize("choice", ["on", "off"])
def test_bets_that_always_work_cannot_be_called(wager, choice):
    found = play(bet("x", wager, 2000), call(choice, "x", seat=4), options={"fire_bet": True}, limits={"min": 0})[1]

    assert found == [("illegal_decision", 4, None)]


def test_a_call_for_a_bet_that_is_not_there_or_while_the_dice_are_out_is_illegal():
    p6 = bet("p", "place_right", 1200, pick=6)

    assert play(call("on", "p", seat=3))[1] == [("illegal_decision", 3, None)]
    assert play({"decision": {"seat": 3, "choice": "off"}})[1] == [("illegal_decision", 3, None)]
    assert play(p6, "bets_closed", call("off", "p"), throw(2, 2))[1] == [("illegal_decision", 1, None)] * 2
    assert play(p6, throw(2, 2), throw(3, 3), call("off", "p"))[1][-1] == ("illegal_decision", 1, None)


def test_odds_called_off_go_back_when_their_line_is_decided():
    start = [bet("w", "pass_line"), throw(2, 2), bet("o", "pass_odds", 1000, of="w"), call("off", "o")]

    assert play(start, throw(3, 1))[0] == {"w": (1000, 1000), "o": (0, 1000)}
    assert play(start, throw(3, 4))[0] == {"w": (0, 0), "o": (0, 1000)}
    assert play(start, call("on", "o"), throw(3, 4))[0] == {"w": (0, 0), "o": (0, 0)}


def test_what_is_called_counts_with_the_rest_to_the_maximum_and_goes_with_its_line():
    limits = {"min": 500, "max": 2000}
    places = [bet("a", "place_right", 1200, pick=6), call("on", "a"), bet("b", "place_right", 1200, pick=6)]
    line = [bet("d", "dont_pass"), throw(2, 2), bet("o", "dont_pass_odds", 2000, of="d"), call("off", "o")]

    assert ("above_maximum", "b", None) in play(places, limits=limits)[1]
    assert play(line, withdrawn("d"))[0] == {"d": "withdrawn", "o": (0, 2000)}


def test_in_other_laws_nothing_is_called():
    head = {"game": "craps", "rules": "AD-2025", "limits": {"min": 500, "max": 100000}, "settlement_claims": False}

    assert settle(head, [bet("p", "place_right", 1200, pick=6), call("off", "p"), throw(3, 3)])[0] == {
        "p": (1400, 1200)
    }


# --- the vigorish -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wager", "pick", "amount", "options", "due"),
    [
        ("buy", 4, 2000, {}, 100), ("buy", 4, 3900, {}, 100), ("buy", 4, 4000, {}, 200), ("buy", 6, 500, {}, 100),
        ("buy", 4, 3000, {"vig_rounding": "nearest"}, 200), ("buy", 4, 2900, {"vig_rounding": "nearest"}, 100),
        ("buy", 4, 2100, {"vig_rounding": "up"}, 200), ("buy", 5, 1000, {"vig_unit": 25}, 50),
        ("buy", 5, 1000, {"vig_unit": 1}, 50), ("lay", 4, 4000, {}, 100), ("lay", 10, 8000, {}, 200),
        ("lay", 5, 3000, {}, 100), ("lay", 6, 6000, {}, 200), ("lay", 6, 6000, {"vig_rounding": "nearest"}, 300),
    ],
)  # fmt: skip
def test_the_vigorish_is_five_per_cent_of_what_is_bought_and_of_what_a_laid_bet_would_win(
    wager, pick, amount, options, due
):
    start = [bet("w", "pass_line", 500), throw(5, 4) if pick != 9 else throw(2, 2), bet("y", wager, amount, pick=pick)]

    assert with_claims(start, vig(due, "y"), throw(1, 1), options=options) == []
    assert with_claims(start, vig(due - 1, "y"), throw(1, 1), options=options) == [("wrong_commission", "y", 1)]
    assert with_claims(start, throw(1, 1), options=options) == [("wrong_commission", "y", due)]


def test_a_void_throw_judges_no_vigorish_and_a_reduction_owes_nothing_new():
    start = [bet("y", "buy", 4000, pick=4)]

    assert with_claims(start, throw(1, 1, void="slid"), vig(200, "y"), throw(1, 1)) == []
    assert with_claims(start, vig(200, "y"), withdrawn("y", 2000), throw(1, 1)) == []
    assert with_claims(start, withdrawn("y", 2000), vig(100, "y"), throw(1, 1)) == []
    assert with_claims(start, vig(200, "y"), withdrawn("y", 2000), raised("y", 2000), throw(1, 1)) == [
        ("wrong_commission", "y", 100)
    ]
    lowered = [start, vig(200, "y"), throw(1, 1), withdrawn("y", 2000), throw(1, 1)]
    assert with_claims(lowered, raised("y", 4000), vig(200, "y"), throw(1, 1)) == []


def test_a_bet_that_was_taken_back_took_its_vigorish_along():
    again = [bet("y", "buy", 2000, pick=4), vig(100, "y"), withdrawn("y"), bet("y", "buy", 2000, pick=5)]

    assert with_claims(again, vig(100, "y"), throw(1, 1)) == []
    assert with_claims(again, throw(1, 1)) == [("wrong_commission", "y", 100)]


def test_a_loss_owes_no_vigorish_where_it_is_taken_from_wins():
    options = {"vigorish": "on_winning"}
    start = [bet("w", "pass_line", 500), throw(4, 4), bet("y", "buy", 2000, pick=4), bet("l", "lay", 600, pick=4)]

    assert with_claims(start, throw(3, 4), claim("y", 0, 0), claim("l", 200, 600), options=options) == []
    assert with_claims(start, throw(2, 2), claim("y", 3900, 2000), claim("l", 0, 0), options=options) == []
    assert with_claims(start, vig(100, "y"), options=options) == [("wrong_commission", "y", 100)]


def test_after_a_hole_nobody_is_accused_of_a_vigorish_that_was_not_seen():
    events = [
        "round_opened", bet("w", "pass_line", 500), *throw(4, 4), bet("y", "buy", 2000, pick=4), vig(100, "y"),
        call("on", "y"), *throw(1, 2), *throw(3, 4), "round_closed", "round_opened",
        bet("z", "buy", 2000, pick=4), vig(100, "z"), call("on", "z"), *throw(2, 2), claim("z", 4000, 2000),
        "round_closed",
    ]  # fmt: skip
    table = {**NJ, "options": {}}

    for missing in range(2, 12):
        assert "wrong_commission" not in invented(table, events, [missing]), missing


# --- the fire bet -----------------------------------------------------------------------------------------------------


def shooter(points, *, sevens=True):
    """Throws of one shooter who makes these points, and then sevens out."""
    thrown = [throw(min(point - 1, 6), point - min(point - 1, 6)) for point in points for _ in range(2)]
    return [*thrown, *([throw(2, 2), throw(3, 4)] if sevens else [])]


@pytest.mark.parametrize(
    ("points", "money"),
    [
        ([4, 5, 6], (0, 0)),
        ([4, 5, 6, 4, 5, 6], (0, 0)),
        ([4, 5, 6, 8], (2400, 100)),
        ([4, 5, 6, 8, 9], (24900, 100)),
        ([4, 5, 6, 8, 9, 10], (99900, 100)),
    ],
)
def test_the_fire_bet_pays_by_the_different_points_made(points, money):
    assert (
        play(bet("f", "fire", 100), shooter(points), options={"fire_bet": True}, limits={"min": 100})[0]["f"] == money
    )


def test_the_sixth_point_pays_at_once_and_naturals_and_craps_are_nothing():
    start = [bet("f", "fire", 100), throw(3, 4), throw(1, 1)]
    six = shooter([4, 5, 6, 8, 9, 10], sevens=False)

    assert play(start, six, options={"fire_bet": True}, limits={"min": 100})[0]["f"] == (99900, 100)
    assert play(start, six[:-1], options={"fire_bet": True}, limits={"min": 100})[0]["f"] == "open"


def test_a_fire_bet_is_taken_before_a_shooters_first_throw_and_after_none():
    options, limits = {"fire_bet": True}, {"min": 100}
    late = play(throw(1, 1), bet("f", "fire", 100), options=options, limits=limits)
    void = play(throw(1, 1, void="slid"), "round_opened", bet("f", "fire", 100), options=options, limits=limits)
    next_one = play(shooter([4]), bet("f", "fire", 100), shooter([4]), options=options, limits=limits)

    assert ("wager_not_offered", "f", None) in late[1]
    assert not any(code == "wager_not_offered" for code, _, _ in void[1])
    assert next_one[0]["f"] == (0, 0)
    assert not any(code == "wager_not_offered" for code, _, _ in next_one[1])


# --- stakes that can be paid ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wager", "pick", "by"),
    [("place_right", 6, 600), ("place_right", 5, 500), ("lay", 5, 300), ("horn", None, 400), ("world", None, 500),
     ("horn_high", 2, 500), ("lay", 4, 200), ("lay", 6, 600), ("buy", 5, 200), ("buy", 6, 500)],
)  # fmt: skip
def test_stakes_go_by_what_can_be_paid_in_dollar_chips(wager, pick, by):
    payable = []
    for amount in range(100, 3001, 100):
        found = play(bet("x", wager, amount, pick=pick), options={"vigorish": "on_winning"}, limits={"min": 0})[1]
        if not found:
            payable.append(amount)

    assert payable == list(range(by, 3001, by))


def test_odds_are_judged_too_and_once_a_bet():
    start = [bet("w", "pass_line"), throw(4, 5), bet("o", "pass_odds", 300, of="w"), raised("o", 200), raised("o", 200)]

    assert [found for found in play(start)[1] if found[0] == "stake_mismatch"] == [("stake_mismatch", "o", None)]


# --- who throws -------------------------------------------------------------------------------------------------------


def test_any_stake_on_a_line_lets_one_shoot():
    assert play(bet("w", "pass_line", 100), throw(2, 2), limits={"min": 0})[1] == []
    assert play(bet("w", "come", 100), bet("v", "field", 500), throw(2, 2))[1][-1] == ("illegal_decision", 1, None)


def test_after_a_seven_out_the_next_throw_that_names_a_seat_tells_who_shoots():
    start = [bet("w", "pass_line"), bet("v", "place_right", 1200, pick=6, seat=2), throw(2, 2), throw(3, 4)]
    nameless = {"dice_rolled": {"dice": [1, 1]}}
    after = [bet("x", "pass_line"), bet("u", "place_right", 1200, pick=6, seat=2), "bets_closed", nameless]
    again = [bet("y", "pass_line"), throw(5, 6)]

    assert [code for code, _, _ in play(start, after, again)[1]] == ["dealer_misplay"]
    assert [code for code, _, _ in play(start, after, bet("y", "pass_line", seat=2), throw(5, 6, seat=2))[1]] == []


# --- what is shown ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laid", "wins"),
    [
        (bet("x", "horn", 400), {"2": 2700, "3": 1200, "11": 1200, "12": 2700}),
        (bet("x", "world", 500), {"2": 2600, "3": 1100, "11": 1100, "12": 2600}),
        (bet("x", "hop", 500, pick=13), {"": 7500}),
        (bet("x", "buy", 2000, pick=4), {"": 4000}),
        (bet("x", "fire", 100), {"4 points": 2400, "5 points": 24900, "6 points": 99900}),
        (bet("x", "pass_line", 500), {"": 500}),
    ],
)
def test_what_a_bet_would_win_is_told_by_what_would_make_it_win(laid, wins):
    session = Session("-", JUDGING)
    for event in scenario({**NJ, "options": {"fire_bet": True}, "limits": {"min": 100}}, [laid]).events:
        session.step(event, b"")

    assert session.game is not None
    assert session.book is not None
    assert session.game.wins(session.book.live["x"]) == wins


def test_what_is_called_and_the_points_made_lie_on_the_table():
    session = Session("-", JUDGING)
    events = [bet("p", "place_right", 1200, pick=6), call("off", "p"), throw(2, 2), throw(3, 1)]
    for event in scenario(NJ, events).events:
        session.step(event, b"")

    assert session.game is not None
    assert session.game.lying() == {"point": "off", "called off": "p", "points made": "4"}


# --- who watches ------------------------------------------------------------------------------------------------------


def test_bought_and_laid_bets_are_held_to_what_they_give_back_but_for_the_vigorish():
    watched = watched_of(RULES)

    assert watched.nulls == {"fire": None, "buy": AtMost(Fraction(1)), "lay": AtMost(Fraction(1))}
    dear = pack_with("craps", put("wagers.buy.pays.4", "5/2"), "US-NJ").game("US-NJ", "craps")
    assert watched_of(dear).nulls["buy"] == AtMost(Fraction(7, 6))


def test_odds_without_a_pick_are_watched_as_any_of_them_and_told_with_their_number():
    found = worths(Table(RULES))
    odds_bet = worth_of(found, "pass_odds", None)

    assert odds_bet is not None
    assert odds_bet.most == 1.0
    assert worth_of(found, "fire", None) is None
    outcome = scenario(NJ, [bet("w", "pass_line"), throw(4, 5), bet("o", "pass_odds", 400, of="w")]).settle(JUDGING)

    assert {row.bet: row.pick for row in outcome.settlements} == {"w": "", "o": "9"}


def test_what_is_filled_or_from_general_usage_is_cited_so():
    outcome = scenario({**NJ, "chip_unit": 100}, [bet("p", "place_right", 700, pick=5)]).settle(JUDGING)

    (found,) = [each for each in outcome.findings if each.code == "stake_mismatch"]
    assert found.passage == "13:69F-1.4 [the text is silent; filled from 13:69F-13.6(b)1, mini-dice]"
