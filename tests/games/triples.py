"""Short words for the events of the triple games, and their re-tally, for the tests of both."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from replay.events import from_fields
from replay.results import Finding, Settlement, Verdict
from replay.scenario import Scenario
from replay.session import Session

CLOSED, END = "bets_closed", "round_closed"
UNCLAIMED = {"settlement_claims": False}
"""For tests about findings other than money: nothing is compared, nothing is unsettled."""
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def flatten(events):
    """Events, and lists of them, as one list."""
    for part in events:
        if isinstance(part, list):
            yield from flatten(part)
        else:
            yield part


def tables(game):
    """The two ways to re-tally a table of this game: `play` and `fold`."""
    opened = {"game": game, "rules": "AD-2022", "limits": {"min": 1000, "max": 50000}}

    def play(*events, **table):
        """Each bet's (paid, returned) or verdict, and the findings as (code, bet or seat)."""
        log = list(flatten(events))
        outcome = Scenario.read({"scenario": "-", "source": "-", "table": {**opened, **table}, "events": log}).settle()
        money = {
            bet.bet: "open" if bet.verdict is Verdict.OPEN else (bet.paid, bet.returned) if bet.stake else "withdrawn"
            for bet in outcome.settlements
        }
        said = [(f.code, f.bet or f.seat) if f.bet or f.seat is not None else (f.code,) for f in outcome.findings]
        assert all(f.passage and f.text for f in outcome.findings if f.code not in ("unknown_bet", "duplicate_bet"))
        return money, said

    def fold(events, missing=(), **table):
        """Fold a log with holes: verdicts by round and bet, and the codes of the findings of the table."""
        session = Session("-")
        first = {"table_opened": {"casino": "-", "pit": "-", "currency": "EUR", **opened, **table}}
        for seq, item in enumerate([first, *flatten(events)], 1):
            name, fields = (item, {}) if isinstance(item, str) else next(iter(item.items()))
            if seq in missing:
                session.hole(seq, seq, "sequence_gap", "an event is missing")
                continue
            envelope = {"session": "-", "seq": seq, "at": NOON + timedelta(seconds=seq), "table": "-", "device": "-"}
            session.step(from_fields({**envelope, **(fields or {}), "type": name}), b"")
        session.finish()
        said = session.drain()
        verdicts = {(bet.round, bet.bet): bet.verdict for bet in said if isinstance(bet, Settlement)}
        return verdicts, [found.code for found in said if isinstance(found, Finding) and found.code != "sequence_gap"]

    return play, fold


def stake(name, seat=1, amount=1000, wager="main", **more):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, **more}}


def deal(card, to, hand=None, **more):
    """A card to a seat, to ``D`` the dealer, or to ``burn``."""
    where = {"seat": to} if isinstance(to, int) else {"to": "dealer" if to == "D" else to}
    if hand is not None:
        where["hand"] = hand
    return {"card_dealt": {"card": card, **where, **more}}


def cards(to, text, hand=None):
    return [deal(card, to, hand) for card in text.split()]


def call(choice, seat=1, hand=None):
    return {"decision": {"seat": seat, "choice": choice, **({} if hand is None else {"hand": hand})}}


def claim(name, paid, returned):
    return {"bet_settled": {"bet": name, "paid": paid, "returned": returned}}


def raised(name, by):
    return {"bet_raised": {"bet": name, "by": by}}


def withdrawn(name):
    return {"bet_withdrawn": {"bet": name}}
