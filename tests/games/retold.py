"""What games' tests have in common: a few events at a table, and what the re-tally makes of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from replay.events import from_fields
from replay.results import Finding, Settlement, Verdict
from replay.scenario import Scenario
from replay.session import Session
from tests.installed import JUDGING

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
UNCLAIMED = {"settlement_claims": False}
"""For tests about findings other than money: nothing is compared, nothing is unsettled."""


def flat(events):
    """Events out of lists of lists."""
    for item in events:
        if isinstance(item, list):
            yield from flat(item)
        else:
            yield item


def claim(name, paid, returned):
    return {"bet_settled": {"bet": name, "paid": paid, "returned": returned}}


def raised(name, by):
    return {"bet_raised": {"bet": name, "by": by}}


def withdrawn(name, amount=None):
    return {"bet_withdrawn": {"bet": name, "amount": amount}}


def scenario(table, events):
    """A scenario of these events, at a table that is opened so."""
    return Scenario.read({"scenario": "-", "source": "-", "table": table, "events": list(flat(events))})


def shown(settlements):
    """Each bet's (paid, returned); ``open``, or ``withdrawn`` where nothing lies on it, even if it was paid."""
    return {
        bet.bet: "open" if bet.verdict is Verdict.OPEN else (bet.paid, bet.returned) if bet.stake else "withdrawn"
        for bet in settlements
    }


def settle(table, events):
    """What became of each bet, as `shown`; and the findings."""
    outcome = scenario(table, events).settle(JUDGING)
    return shown(outcome.settlements), outcome.findings


def set_up(table):
    """What is found when a table is opened so."""
    session = Session("-", JUDGING)
    session.step(scenario(table, ["round_opened"]).events[0], b"")
    return [said for said in session.drain() if isinstance(said, Finding)]


def without(table, events, hole):
    """What a session says of a scenario of which the events with the numbers in this range are missing."""
    session = Session("-", JUDGING)
    for event in scenario(table, events).events:
        if event.seq not in hole:
            session.step(event, b"")
        elif event.seq == hole[0]:
            session.hole(hole[0], hole[-1], "sequence_gap", "missing")
    session.finish()
    return session.drain()


def invented(table, events, hole):
    """The codes of what is found about the table, and not about its log, with this hole in it."""
    said = without(table, events, hole)
    return [found.code for found in said if isinstance(found, Finding) and found.kind != "evidence"]


def told(table, events, missing=()):
    """What a session says of a log, just as it stands: the events with these numbers (1: the table is opened) are
    missing, and those for which ``"HOLE"`` stands."""
    session = Session("s", JUDGING)
    opened = {"table_opened": {**table, "casino": "c", "pit": "p", "currency": "EUR"}}
    for seq, item in enumerate([opened, *flat(events)], 1):
        if item == "HOLE" or seq in missing:
            session.hole(seq, seq, "sequence_gap", "an event is missing")
            continue
        name, fields = (item, {}) if isinstance(item, str) else next(iter(item.items()))
        envelope = {"session": "s", "seq": seq, "at": NOON + timedelta(seconds=seq), "table": "T", "device": "D"}
        session.step(from_fields({**envelope, **fields, "type": name}), b"")
    session.finish()
    return session.drain()


def fold(table, events):
    """A log with its holes (``"HOLE"``): the findings that stand as (code, bet), and each bet's verdict."""
    said = told(table, events)
    findings = [(item.code, item.bet) for item in said if isinstance(item, Finding) and not item.withdrawn]
    return findings, {item.bet: item.verdict for item in said if isinstance(item, Settlement)}


def fold_without(table, events, missing=()):
    """A log without these events: each bet's verdict by round and bet, and the codes of the findings of the table."""
    said = told(table, events, missing)
    verdicts = {(bet.round, bet.bet): bet.verdict for bet in said if isinstance(bet, Settlement)}
    return verdicts, [found.code for found in said if isinstance(found, Finding) and found.code != "sequence_gap"]
