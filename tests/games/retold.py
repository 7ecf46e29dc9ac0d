"""What games' tests have in common: a few events at a table, and what the re-tally makes of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from replay.events import from_fields
from replay.results import Finding, Settlement, Verdict
from replay.scenario import Scenario
from replay.session import Session

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def flat(events):
    """Events out of lists of lists."""
    for item in events:
        if isinstance(item, list):
            yield from flat(item)
        else:
            yield item


def settle(table, events):
    """Each bet's (paid, returned), or its verdict where it is open or withdrawn; and the findings."""
    log = list(flat(events))
    outcome = Scenario.read({"scenario": "-", "source": "-", "table": table, "events": log}).settle()
    money = {
        bet.bet: bet.verdict.value if bet.verdict in (Verdict.OPEN, Verdict.WITHDRAWN) else (bet.paid, bet.returned)
        for bet in outcome.settlements
    }
    return money, outcome.findings


def fold(table, events):
    """A log with its holes (``"HOLE"``): the findings that stand as (code, bet), and each bet's verdict."""
    session = Session("s")
    opened = {"table_opened": {**table, "casino": "c", "pit": "p", "currency": "EUR"}}
    for seq, item in enumerate([opened, *flat(events)], 1):
        if item == "HOLE":
            session.hole(seq, seq, "sequence_gap", "an event is missing")
            continue
        name, fields = (item, {}) if isinstance(item, str) else next(iter(item.items()))
        envelope = {"session": "s", "seq": seq, "at": NOON + timedelta(seconds=seq), "table": "T", "device": "D"}
        session.step(from_fields({**envelope, **fields, "type": name}), b"")
    session.finish()
    said = session.drain()
    findings = [(item.code, item.bet) for item in said if isinstance(item, Finding) and not item.withdrawn]
    return findings, {item.bet: item.verdict for item in said if isinstance(item, Settlement)}
