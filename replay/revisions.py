"""What is said again: when two rows are the same thing said twice, which word is the last, and what takes one back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from replay.results import Cage, Finding, RawEvent, Rejected, Round, Row, SessionSummary, Settlement, Streak, Verdict
from replay.segment import Said


def identity(row: Row) -> tuple[Any, ...]:
    """What makes two rows the same thing said twice."""
    if isinstance(row, Settlement):
        return ("settlement", row.session, row.round, row.bet)
    if isinstance(row, Finding):
        return ("finding", row.session, row.seq, row.code, row.subject)
    if isinstance(row, RawEvent):
        return ("event", row.session, row.seq, row.digest)
    if isinstance(row, Rejected):
        return ("rejected", row.source, row.place, row.digest)
    if isinstance(row, SessionSummary):
        return ("session", row.session)
    if isinstance(row, Cage):
        return ("cage", row.session, row.seq, row.movement)
    if isinstance(row, Streak):
        return ("streak", row.session, row.process, row.seq)
    return ("round", row.session, row.round)


def final(said: Iterable[Said]) -> list[Said]:
    """The last word under each identity, in the order in which these first came; what was taken back is dropped."""
    last: dict[tuple[Any, ...], Said] = {}
    for row in said:
        last[identity(row)] = row
    return [row for row in last.values() if not taken_back(row)]


def taken_back(row: Said) -> bool:
    """Whether a row says no more than that what was said under its identity does not hold."""
    if isinstance(row, Finding):
        return row.withdrawn
    if isinstance(row, Settlement):
        return row.verdict is Verdict.RETRACTED
    if isinstance(row, Round):
        return row.opened_seq == 0
    return row.at_us == 0


def take_back(row: Said, revision: int) -> Said:
    """The row that takes ``row`` back, see `taken_back`. No sum over amounts sees it."""
    if isinstance(row, Finding):
        return msgspec.structs.replace(row, withdrawn=True, revision=revision)
    if isinstance(row, Settlement):
        return msgspec.structs.replace(
            row,
            stake=0,
            paid=None,
            returned=None,
            claimed_paid=None,
            claimed_returned=None,
            verdict=Verdict.RETRACTED,
            difference=0,
            revision=revision,
        )
    if isinstance(row, Round):
        return msgspec.structs.replace(
            row,
            opened_seq=0,
            outcome="",
            bets=0,
            staked=0,
            findings=0,
            sealed=False,
            verifiable=False,
            revision=revision,
        )
    if isinstance(row, Streak):
        return msgspec.structs.replace(row, at_us=0, revision=revision)
    return msgspec.structs.replace(row, amount=0, at_us=0, revision=revision)
