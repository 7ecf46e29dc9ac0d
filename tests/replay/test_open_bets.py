"""However many bets lie on a table: one more costs the same, and more than any table has is one finding."""

from __future__ import annotations

import gc
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import book
from replay.book import Bet
from replay.events import decode
from replay.piles import Piles, lift
from replay.refold import fold
from replay.results import Finding, Round, Row, Settlement, Verdict
from replay.session import Session
from tests.installed import JUDGING, PACKS
from tests.replay.test_audit import audited, verdict

WAGERS: Final = [
    pytest.param(pack, rules.game, wager, id=f"{pack}-{rules.game}-{wager}")
    for pack in PACKS.names
    for rules in PACKS.pack(pack).games.values()
    if rules.origin == pack
    for wager in rules.wagers
]


class Table:
    """Writes the events of one table."""

    def __init__(self, pack: str, game: str, limits: dict[str, Any] | None = None) -> None:
        self.lines: list[bytes] = []
        self.round = 0
        house = {"casino": "C", "pit": "P", "game": game, "rules": pack, "currency": "EUR", "chip_unit": 1}
        self.say("table_opened", **house, limits=limits or {"min": 1, "max": 10**12}, decks=6, float=0)

    def say(self, kind: str, **fields: Any) -> None:
        """The next event."""
        envelope: dict[str, Any] = {"v": 1, "type": kind, "session": "S", "seq": len(self.lines) + 1, "table": "T"}
        envelope |= {"at": "2026-11-29T21:00:00Z", "device": "d"} | ({"round": self.round} if self.round else {})
        self.lines.append(json.dumps(envelope | fields).encode())

    def open_round(self) -> None:
        """The next one."""
        self.round += 1
        self.say("round_opened")

    def bet(self, wager: str, pick: Any = None, *, name: str = "", amount: int = 100, seat: int = 1) -> str:
        """One more, whose id is given back."""
        name = name or f"b{len(self.lines)}"
        fields = {"bet": name, "seat": seat, "wager": wager, "amount": amount}
        self.say("bet_placed", **fields, **({"pick": pick} if pick is not None else {}))
        return name


def steps(lines: list[bytes]) -> tuple[int, Session]:
    """How many lines of Python it takes to fold these events but for the first two, and the session."""
    session = Session("S", JUDGING)
    events = [(decode(line), line) for line in lines]
    for event, line in events[:2]:
        session.step(event, line)
    count = 0

    def trace(*_: object) -> Callable[..., Any]:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    gc.collect()
    gc.disable()  # what others have left would be cleared away while lines are counted
    sys.settrace(trace)
    try:
        for event, line in events[2:]:
            session.step(event, line)
    finally:
        sys.settrace(before)
        gc.enable()
    return count, session


@pytest.mark.parametrize(("pack", "game", "wager"), WAGERS)
def test_one_more_bet_costs_the_same_however_many_lie_there(pack, game, wager):
    picks = PACKS.pack(pack).games[game].wagers[wager].picks

    def cost(bets: int) -> int:
        table = Table(pack, game)
        table.open_round()
        for number in range(bets):
            table.bet(wager, picks[0] if picks else None, seat=number % 3 + 1)
        return steps(table.lines)[0]

    few, many = cost(60), cost(240)
    assert many < 5 * few


def test_a_throw_costs_the_same_however_many_bets_stand():
    def cost(bets: int) -> int:
        table = Table("AD-2025", "craps")
        table.open_round()
        for number in range(bets):
            table.bet("hard_way", 6, seat=number % 7)
        before, _ = steps(table.lines)
        for _ in range(20):
            table.say("bets_closed")
            table.say("dice_rolled", dice=[1, 3], seat=1)
        after, session = steps(table.lines)
        assert session.book is not None
        assert len(session.book.live) == bets
        return after - before

    cost(10)  # what is worked out once in a process is worked out
    assert cost(400) == cost(10)


def test_20_000_open_bets_at_craps_take_no_longer_for_each_than_200():
    def cost(bets: int) -> float:
        table = Table("AD-2025", "craps")
        table.open_round()
        for number in range(bets):
            table.bet("field", seat=number % 7)
        return steps(table.lines)[0] / bets

    assert cost(20_000) < 1.2 * cost(200)


# --- more than any table has ------------------------------------------------------------------------------------------


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "MAX_OPEN_BETS", 20)
    monkeypatch.setattr(book, "MAX_EVENTS_A_BET", 5)


def overflows(rows: Iterable[Row]) -> list[Finding]:
    return [row for row in rows if isinstance(row, Finding) and row.code == "book_overflow"]


def crowded() -> Table:
    """Two rounds of boule: in the first, bets without end; in the second, one."""
    table = Table("AD-2025", "boule", {"min": 100, "max": 30_000, "straight_up": {"min": 100, "max": 6000}})
    table.open_round()
    for number in range(60):
        table.bet("red", name=f"r{number}")
    table.say("ball_landed", number=7)
    table.say("bet_settled", bet="r0", paid=0, returned=0)
    table.say("round_closed")
    table.open_round()
    table.bet("red", name="next")
    table.say("ball_landed", number=7)
    table.say("bet_settled", bet="next", paid=0, returned=0)
    table.say("round_closed")
    table.say("table_closed", float=0)
    return table


def test_more_open_bets_than_any_table_has_are_one_finding_and_the_next_round_is_judged_again(little):
    rows, _ = fold("S", crowded().lines, JUDGING)

    [finding] = overflows(rows)
    assert finding.text.startswith("more than 20 bets wait for a result or a claim: what is open is not judged")
    assert (finding.severity.value, finding.kind.value, finding.round) == ("severe", "evidence", 1)
    verdicts = {row.bet: row.verdict for row in rows if isinstance(row, Settlement)}
    assert [bet for bet, said in verdicts.items() if said is not Verdict.UNVERIFIABLE] == ["next"]
    assert verdicts["next"] is Verdict.UNDERPAID  # 7 is red: 200 were due
    assert {row.round: row.verifiable for row in rows if isinstance(row, Round)} == {1: False, 2: True}
    assert {row.code for row in rows if isinstance(row, Finding)} == {"book_overflow", "underpaid"}


def test_in_whatever_order_the_lines_come(little):
    lines = crowded().lines
    expected = verdict([*fold("S", lines, JUDGING)[0], fold("S", lines, JUDGING)[1]])
    for seed in range(5):
        random.Random(seed).shuffle(lines)
        rows, _ = audited(lines, every=seed, keys=None)
        kept = {key: row for key, row in verdict(rows).items() if key[0] != "streak"}
        assert kept == expected


def test_bets_that_are_never_claimed_count_too_round_after_round(little):
    table = Table("AD-2025", "boule")
    for _ in range(30):
        table.open_round()
        table.bet("red")
        table.say("ball_landed", number=7)
        table.say("round_closed")
    _, session = steps(table.lines)
    rows = session.drain()

    assert len(overflows(rows)) == 1
    assert sum(isinstance(row, Finding) and row.code == "unsettled" for row in rows) >= 28
    assert session.book is not None
    assert len(session.book.overdue) < 20


def test_a_bet_that_is_raised_without_end_is_one_finding(little):
    table = Table("AD-2025", "boule")
    table.open_round()
    table.bet("red", name="a")
    for _ in range(20):
        table.say("bet_raised", bet="a", by=100)
    rows, _ = fold("S", table.lines, JUDGING)

    [finding] = overflows(rows)
    assert finding.text.startswith("bet a was raised or taken back in parts more than 5 times")
    assert max(len(row.seqs) for row in rows if isinstance(row, Finding | Settlement)) <= 7


def test_a_round_of_many_settled_bets_is_no_overflow(little):
    table = Table("AD-2025", "boule")
    table.open_round()
    for number in range(100):
        table.bet("red", name=f"b{number}")
        table.say("bet_withdrawn", bet=f"b{number}")
    rows, _ = fold("S", table.lines, JUDGING)

    assert overflows(rows) == []
    assert Counter(row.verdict for row in rows if isinstance(row, Settlement)) == {Verdict.WITHDRAWN: 100}


# --- what is added up -------------------------------------------------------------------------------------------------


@st.composite
def nights(draw: st.DrawFn) -> list[bytes]:
    """A table of craps at which anything may happen to a few bets."""
    table = Table("AD-2025", "craps", {"min": 100, "max": 5000})
    table.open_round()
    chance = draw(st.randoms(use_true_random=False))
    placed: list[str] = []
    for _ in range(draw(st.integers(1, 60))):
        what = chance.random()
        if what < 0.5 or not placed:
            wager = chance.choice(["pass_line", "come", "dont_pass", "field", "hard_way", "pass_odds", "come_odds"])
            fields: dict[str, Any] = {"wager": wager, "amount": chance.choice([100, 300, 4000])}
            fields |= {"bet": f"b{len(table.lines)}", "seat": chance.randint(1, 3)}
            fields |= {"player": chance.choice("xy")} if chance.random() < 0.5 else {}
            fields |= {"pick": chance.choice([4, 6])} if wager == "hard_way" else {}
            fields |= {"of": chance.choice(placed)} if wager.endswith("odds") and placed else {}
            table.say("bet_placed", **fields)
            placed.append(fields["bet"])
        elif what < 0.6:
            table.say("bet_raised", bet=chance.choice(placed), by=chance.choice([100, 5000]))
        elif what < 0.7:
            parts = {"amount": 100} if chance.random() < 0.7 else {}
            table.say("bet_withdrawn", bet=chance.choice(placed), **parts)
        elif what < 0.8:
            table.say("bet_settled", bet=chance.choice(placed), paid=0, returned=0)
        elif what < 0.95:
            table.say("dice_rolled", dice=[chance.randint(1, 6), chance.randint(1, 6)], seat=1)
        else:
            table.say("round_closed")
            table.open_round()
    return table.lines


@settings(max_examples=150)
@given(nights())
def test_what_is_added_up_as_bets_come_and_go_is_what_lies_there(lines):
    session = Session("S", JUDGING)
    for line in lines:
        session.step(decode(line), line)
        live = list(session.book.live.values()) if session.book is not None else []
        for pile in {id(pile): pile for bet in live for pile in bet.piles}.values():
            there = [bet for bet in live if pile in bet.piles]
            assert pile.amount == sum(bet.amount for bet in there)
            assert list(pile.bets.values()) == there or pile.key not in ("seat", "lines")
            assert set(pile.bets.values()) == set(there)
        for bet in live:
            owner = [other for other in live if other.state is bet.state and other.player == bet.player]
            owner = owner if bet.player else [other for other in owner if other.seat == bet.seat]
            if bet.wager_id not in ("pass_odds", "come_odds"):
                assert session.book is not None
                laid = session.book.piles.amount((bet.player or bet.seat, bet.state))
                assert laid == sum(other.amount for other in owner)


def bets(*amounts: int) -> Iterator[Bet]:
    for number, amount in enumerate(amounts):
        table = Table("AD-2025", "boule")
        table.bet("red", name=f"b{number}", amount=amount)
        yield Bet(decode(table.lines[1]), 1, None)


def test_a_pile_that_is_empty_is_no_more():
    piles = Piles()
    first, second = bets(100, 250)
    piles.lay(first, "red", ("red", 1))
    piles.lay(second, "red")
    assert (piles.amount("red"), piles.amount(("red", 1)), piles.amount("black")) == (350, 100, 0)
    assert list(piles.bets("red")) == [first, second]

    lift(first)
    piles.lay(second, "black")
    assert (piles.amount("red"), piles.amount("black")) == (0, 250)
    assert "red" not in piles
    assert "black" in piles
    assert first.piles == ()
