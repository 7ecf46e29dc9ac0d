"""A session whose table is closed and sealed, put away: as much of it as what may still come needs.

That is the count of the drop, the last checkpoint, and whatever does not belong there. What is put away is a few
hundred bytes and seventeen a seal; a session as it is folded is tens of thousands.
"""

from __future__ import annotations

import datetime
from functools import lru_cache
from typing import Final

import msgspec

from replay.book import Book
from replay.clocks import Clocks
from replay.counts import Counts
from replay.evidence import Chain
from replay.heading import Heading
from replay.judging import Judging
from replay.results import SessionSummary
from replay.rules import GameRules, Table
from replay.segment import Seals
from replay.session import Session

_SHARED: Final = ("gaming_day", "table", "casino", "pit", "game", "rules", "currency", "law")
"""Columns that have few values, of which each is kept once."""


@lru_cache(4096)
def _one(text: str) -> str:
    return text


class AtRest:
    """One session put away; see `put_away`."""

    __slots__ = (
        "_at",
        "_chain",
        "_clocks",
        "_dealer",
        "_drop_counted",
        "_faults",
        "_revision",
        "_round",
        "_rules",
        "_seals",
        "next_seq",
        "row",
    )

    def __init__(self, session: Session, row: SessionSummary) -> None:
        assert session.book is not None
        self.row = msgspec.structs.replace(row, **{name: _one(getattr(row, name)) for name in _SHARED})
        """What it comes to."""
        self.next_seq = session.next_seq
        self._rules: GameRules = session.book.table.rules
        self._chain = session.segment.chain.at_rest()
        self._seals = session.seals.packed()
        self._at: datetime.datetime = session.book.at
        self._round = session.round
        self._dealer = session.dealer
        self._faults = session.counts.faults
        self._clocks = session.clocks.at_rest()
        self._drop_counted = session.counts.drop_counted
        self._revision = session.fixed_revision

    def wake(self, judging: Judging) -> Session:
        """The session as it was, for what comes after closing: it says the same as if it had never been put away."""
        row = self.row
        session = Session(row.session, judging, revision=self._revision)
        session.next_seq = self.next_seq
        session.opened = session.closed = True
        session.count = row.events
        session.at = self._at
        session.round = self._round
        session.dealer = self._dealer
        session.table_name = row.table
        session.heading = Heading(
            row.session, row.gaming_day, row.table, row.casino, row.pit, row.game, row.rules, row.currency
        )
        session.counts = Counts.of(row, self._faults)
        session.counts.drop_counted = self._drop_counted
        session.clocks = Clocks.awake(self._clocks)
        session.segment.chain = Chain.awake(self._chain)
        session.seals = Seals.unpacked(self._seals)
        table = Table(self._rules, name=row.table, casino=row.casino, pit=row.pit, currency=row.currency)
        book = session.book = Book(session.heading, table)
        book.dealer, book.round, book.at = self._dealer, self._round, self._at
        book.told_settlements = row.settlements
        return session


def put_away(session: Session, row: SessionSummary) -> AtRest | None:
    """The session put away, ``row`` being what it comes to; None where more of it is needed: the table is not closed,
    or what was said of it is not sealed or has not been taken out."""
    segment = session.segment
    if not session.closed or session.book is None or session.ended is not None:
        return None
    if segment.said or segment.broken or segment.rounds or session.early_holes or session.pending:
        return None
    return AtRest(session, row)
