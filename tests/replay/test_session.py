"""A session as a fold: what it says, when it may be asked for it, and what it takes back."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import segment
from replay.book import microseconds
from replay.events import decode
from replay.refold import fold
from replay.results import Cage, Finding, Round, Settlement, Verdict
from replay.revisions import final, identity
from replay.session import Session
from tests.installed import JUDGING, judged
from tests.replay import logs


def played(
    log: logs.Log, *, every: int = 0, sealed: bool = False, rules: str | None = None, revision: int | None = None
) -> tuple[list[Any], Session]:
    """All that is said of a log in order, taken out after each ``every`` events (0: at the end)."""
    session = Session(log.session, judged(keys=logs.KEYS, rules=rules), revision=revision)
    said: list[Any] = []
    for line in log.lines:
        session.step(decode(line), line)
        if every and session.count % every == 0:
            said += session.drain(sealed=sealed)
    session.finish()
    return said + session.drain(), session


def of(kind: type, said: list[Any]) -> list[Any]:
    return [row for row in said if isinstance(row, kind)]


def broken(log: logs.Log, number: int) -> logs.Log:
    """The log with one stake of this round altered."""
    seq = next(seq for seq in log.rounds[number - 1] if log.kind(seq) == "bet_placed")
    lines = list(log.lines)
    lines[seq - 1] = logs.altered(lines[seq - 1], amount=4200)
    return logs.Log(log.session, log.table, lines, log.rounds)


# What a clean night says


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.booleans(), st.booleans(), st.booleans())
def test_a_night_without_errors_gives_no_findings_and_the_dealers_money(seed, numbered, announced, sealed):
    log = logs.sample(seed, 6, errors=False, numbered=numbered, announced=announced, sealed=sealed)
    said, session = played(log)

    assert of(Finding, said) == []
    assert {bet.verdict for bet in of(Settlement, said)} == {Verdict.MATCH}
    assert all((bet.paid, bet.returned) == (bet.claimed_paid, bet.claimed_returned) for bet in of(Settlement, said))
    assert [row.sealed for row in of(Round, said)] == [sealed] * 6
    assert session.summary().rounds == 6


@given(logs.logs())
def test_the_summary_counts_what_is_finally_said(log):
    said, summary = fold(log.session, log.lines, judged(keys=logs.KEYS))

    assert summary.settlements == len(of(Settlement, said))
    assert summary.findings == len(of(Finding, said))
    assert summary.rounds == len(of(Round, said)) == len(log.rounds)
    assert summary.events == len(log.lines)
    assert summary.fills == sum(row.amount for row in of(Cage, said) if row.movement == "fill")


@given(logs.logs())
def test_every_bet_has_one_settlement(log):
    said, _ = fold(log.session, log.lines, JUDGING)
    placed = {bet for number in range(1, len(log.rounds) + 1) for bet in log.bets(number)}

    assert sorted(bet.bet for bet in of(Settlement, said)) == sorted(placed)


@given(logs.logs())
def test_a_settlement_rests_on_the_events_that_name_its_bet(log):
    for bet in of(Settlement, fold(log.session, log.lines, JUDGING)[0]):
        events = [decode(log.lines[seq - 1]) for seq in bet.seqs]

        assert all(getattr(event, "bet", bet.bet) == bet.bet for event in events)
        assert events[0].type == "bet_placed"
        assert microseconds(events[0].at) == bet.placed_at_us


def test_a_round_tells_how_many_findings_it_had():
    said, _ = played(logs.sample(5, 30))
    told = {row.round: row.findings for row in of(Round, said)}
    findings = of(Finding, said)

    assert sum(told.values()) == len(findings) > 10
    assert told == {number: sum(finding.round == number for finding in findings) for number in told}


def test_a_round_that_is_still_open_tells_its_findings_too():
    log = logs.boule([logs.Coup(7, [logs.Stake("red", claim="early")])], closed=False)
    last = next(seq for seq in log.rounds[0] if log.kind(seq) == "round_closed")
    log.lines = log.lines[: last - 1]
    said, _ = played(log)

    assert [(row.findings, row.closed_seq) for row in of(Round, said)] == [(1, 0)]


def test_a_bet_that_is_decided_when_the_log_ends_is_told_with_what_is_due():
    log = logs.boule([logs.Coup(7, [logs.Stake("red"), logs.Stake("black")])], closed=False)
    ball = next(seq for seq in log.rounds[0] if log.kind(seq) == "ball_landed")
    log.lines = log.lines[:ball]
    said, _ = played(log)

    assert [(bet.verdict, bet.paid, bet.returned) for bet in of(Settlement, said)] == [
        (Verdict.UNCLAIMED, 1000, 1000),
        (Verdict.UNCLAIMED, 0, 0),
    ]
    assert of(Finding, said) == []


# When it is asked


def assert_same_whenever_asked(log: logs.Log) -> None:
    expected = msgspec.json.encode(final(played(log)[0]))

    for every in (1, 2, 7, 50):
        for sealed in (False, True):
            said, session = played(log, every=every, sealed=sealed)
            assert msgspec.json.encode(final(said)) == expected
            assert session.summary() == played(log)[1].summary()


@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_does_not_depend_on_when_it_is_asked_for(seed):
    assert_same_whenever_asked(logs.sample(seed, 12))


@pytest.mark.parametrize("number", [1, 2, 5, 8])
def test_what_a_broken_chain_takes_back_does_not_depend_on_when_it_is_asked_for(number):
    assert_same_whenever_asked(broken(logs.sample(3, 8), number))


@pytest.mark.parametrize("most", [1, 2, 3, 5, 8, 13, 40])
def test_the_limit_of_what_can_be_taken_back_does_not_depend_on_when_it_is_asked_for(most, monkeypatch):
    """One checkpoint at the end of a long night, and it does not fit."""
    monkeypatch.setattr(segment, "MAX_UNSEALED", most)
    log = logs.sample(11, 10, sealed=False, closed=False)
    writer = logs.Writer(log.session, log.table)
    writer.log.lines = list(log.lines)
    writer.seal()

    assert_same_whenever_asked(writer.log)


def test_results_of_a_log_without_checkpoints_are_not_all_kept(monkeypatch):
    monkeypatch.setattr(segment, "MAX_UNSEALED", 50)
    session = Session("BO01-2026-11-29", JUDGING)
    for line in logs.sample(1, 200, sealed=False).lines:
        session.step(decode(line), line)
        session.drain(sealed=True)
        assert len(session.segment.said) <= 60


def test_only_what_no_broken_chain_can_take_back_is_given_out_as_sealed():
    log = broken(logs.sample(3, 8), 5)
    said, _ = played(log, every=1, sealed=True)
    keys = [identity(row) for row in said]

    assert len(set(keys)) == len(keys)
    assert not any(isinstance(row, Finding) and row.withdrawn for row in said)


# Revisions


@settings(max_examples=150)
@given(logs.logs(), st.data())
def test_what_is_said_again_bears_a_higher_revision(log, data):
    if len(log.rounds) > 1 and data.draw(st.booleans()) and log.bets(1):
        log = broken(log, 1)
    told: dict[tuple[Any, ...], int] = {}
    for row in played(log, every=1)[0]:
        assert row.revision > told.get(identity(row), 0)
        told[identity(row)] = row.revision


def test_a_claim_that_bears_the_next_rounds_number_supersedes_in_one_revision():
    """The event that ends a round is itself a claim on a bet of it."""
    log = logs.boule([logs.Coup(7, [logs.Stake("red", claim="never")])], sealed=False, closed=False)
    log.lines.pop()  # round_closed
    claim = {
        "type": "bet_settled",
        "bet": "b1-0",
        "paid": 1000,
        "returned": 1000,
        "seq": len(log.lines) + 1,
        "round": 2,
    }
    log.lines.append(logs.altered(log.lines[-1], number=..., **claim))
    said, _ = played(log)

    assert [finding.code for finding in of(Finding, said)] == ["unsettled"]
    assert [bet.verdict for bet in of(Settlement, said)] == [Verdict.MATCH]


# The table


def opened(**fields: Any) -> tuple[list[Any], Session]:
    """What is said of a night whose table was opened in another way."""
    log = logs.sample(1, 3)
    log.lines[0] = logs.altered(log.lines[0], **fields)
    return played(log)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"rules": "AD-1999"}, "there is no rule pack AD-1999 (there are: AD-2022, AD-2025"),
        ({"game": "tric_trac"}, "rule pack AD-2025 has no game tric_trac (it has: "),
        ({"options": {"extra": True}}, "option extra: boule under AD-2025 has no such option (it has: none)"),
        ({"rules": "AD", "gaming_day": "2020-01-01"}, "no rule pack of AD was in force on 2020-01-01 (known: AD-2022"),
        ({"limits": {"min": {"min": 5}}}, "limit"),
        ({"limits": {"red": 5}}, "limit"),
    ],
)
def test_a_table_that_cannot_be_judged_says_why_and_which_it_is(fields, reason):
    said, session = opened(**fields)
    [finding] = [row for row in of(Finding, said) if row.code == "rejected_event"]
    summary = session.summary()

    assert reason in finding.text
    assert (finding.casino, finding.pit, finding.table, finding.currency) == ("Casino", "P1", "BO01", "EUR")
    assert finding.gaming_day == summary.gaming_day == fields.get("gaming_day", "2026-11-29")
    assert (summary.casino, summary.table) == ("Casino", "BO01")
    assert of(Settlement, said) == []


@pytest.mark.parametrize("kind", ["checkpoint", "round_opened", "fill", "bet_placed"])
def test_a_session_that_does_not_begin_with_its_table_says_so(kind):
    log = logs.sample(1, 3)
    at = next(index for index, _ in enumerate(log.lines) if log.kind(index + 1) == kind)
    lines = [logs.altered(log.lines[at], seq=1), *(logs.altered(line, seq=i) for i, line in enumerate(log.lines, 2))]
    said, summary = fold(log.session, lines, JUDGING)
    findings = [row for row in of(Finding, said) if row.code == "rejected_event"]

    assert [finding.text for finding in findings] == [f"the session begins with {kind}, not with table_opened"]
    assert findings[0].table == summary.table == "BO01"
    assert of(Settlement, said) == []


def test_a_session_whose_first_event_is_missing_has_a_day_and_a_table_all_the_same():
    log = logs.sample(1, 3)
    said, summary = fold(log.session, log.lines[1:], JUDGING)
    [finding] = [row for row in of(Finding, said) if row.code == "sequence_gap"]

    assert (finding.gaming_day, finding.table, finding.at_us > 0) == ("2026-11-29", "BO01", True)
    assert summary.gaming_day == "2026-11-29"


def test_an_event_of_another_table_is_found_even_if_it_is_a_checkpoint():
    for kind in ("bet_placed", "checkpoint"):
        log = logs.sample(1, 3)
        seq = next(seq for seq in log.rounds[1] if log.kind(seq) == kind)
        log.lines[seq - 1] = logs.altered(log.lines[seq - 1], table="BO02")
        said, _ = played(log)

        assert (kind, seq) in [
            (kind, row.seq) for row in of(Finding, said) if row.code == "rejected_event" and "BO02" in row.text
        ]


def test_after_the_table_was_closed_only_the_drop_is_counted():
    log = logs.sample(1, 3, sealed=False)
    late = logs.altered(log.lines[3], seq=len(log.lines) + 1, at="2026-11-30T06:00:00Z", round=4)
    said, summary = fold(log.session, [*log.lines, late], JUDGING)

    assert [row.code for row in of(Finding, said) if row.seq == len(log.lines) + 1] == ["rejected_event"]
    assert summary.drop == 77000
    assert summary.state == "closed"


def test_a_hole_after_the_table_was_closed_changes_no_bet():
    log = logs.sample(1, 3)
    closed = next(seq for seq in range(1, len(log.lines)) if log.kind(seq) == "table_closed")
    whole = of(Settlement, fold(log.session, log.lines, JUDGING)[0])
    said, _ = fold(log.session, [line for seq, line in enumerate(log.lines, 1) if seq != closed + 2], JUDGING)

    assert [row.code for row in of(Finding, said) if row.seq > closed] == ["sequence_gap"]
    assert of(Settlement, said) == whole


def test_a_clock_that_goes_back_is_noticed_and_changes_nothing_else():
    log = logs.sample(1, 5, errors=False, sealed=False)
    seq = log.rounds[2][2]
    log.lines[seq - 1] = logs.altered(log.lines[seq - 1], at="2026-11-29T19:59:59Z")
    said, _ = played(log)

    assert [(row.code, row.seq) for row in of(Finding, said)] == [("clock_backwards", seq)]
    assert {bet.verdict for bet in of(Settlement, said)} == {Verdict.MATCH}


def test_another_rule_pack_can_be_laid_over_a_night():
    said, session = played(logs.sample(random.Random(1).randint(0, 9), 3, errors=False), rules="AD-2022")

    assert session.summary().rules == "AD-2022"
    assert {bet.rules for bet in of(Settlement, said)} == {"AD-2022"}
