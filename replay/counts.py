"""What a round and a session come to in numbers, and the rows that tell them. Amounts are minor units."""

from __future__ import annotations

from replay.book import Book, microseconds
from replay.heading import Heading
from replay.results import Round, SessionSummary


class RoundSoFar:
    """The round that is open, as its row will tell it."""

    __slots__ = ("bets", "opened_at_us", "opened_seq", "staked", "verifiable")

    def __init__(self, opened_seq: int = 0, opened_at_us: int = 0, *, verifiable: bool = True) -> None:
        self.opened_seq = opened_seq
        self.opened_at_us = opened_at_us
        self.bets = 0
        self.staked = 0
        self.verifiable = verifiable

    def row(self, heading: Heading, book: Book, *, dealer: str, outcome: str, revision: int, closed: bool) -> Round:
        """The round's own row; ``outcome``: what decided it, in the game's words."""
        return Round(
            **heading.columns(),
            round=book.round,
            dealer=dealer,
            opened_seq=self.opened_seq,
            closed_seq=book.seq if closed else 0,
            opened_at_us=self.opened_at_us,
            closed_at_us=microseconds(book.at) if closed else 0,
            outcome=outcome if self.verifiable else "",
            bets=self.bets,
            staked=self.staked,
            findings=book.round_findings,
            sealed=False,
            verifiable=self.verifiable,
            revision=revision,
        )


class Counts:
    """What a session's own row counts and sums, beside what the book has told."""

    __slots__ = (
        "bad_seals",
        "closed_at_us",
        "conflicts",
        "credits",
        "drop",
        "drop_counted",
        "faults",
        "fills",
        "findings",
        "float_close",
        "float_open",
        "gaps",
        "good_seals",
        "opened_at_us",
        "rejected",
        "rounds",
    )

    def __init__(self) -> None:
        self.gaps = self.conflicts = self.rejected = 0
        self.findings = 0
        """About the log itself."""
        self.faults = 0
        """Of retally itself."""
        self.rounds = 0
        self.good_seals = self.bad_seals = 0
        self.fills = self.credits = self.drop = 0
        self.drop_counted = False
        """The count room has counted the drop."""
        self.float_open = self.float_close = 0
        self.opened_at_us = self.closed_at_us = 0

    @classmethod
    def of(cls, row: SessionSummary, faults: int) -> Counts:
        """Those that came to this row; findings that the book told are counted among those about the log."""
        counts = cls()
        counts.gaps, counts.conflicts, counts.rejected = row.gaps, row.conflicts, row.rejected
        counts.findings, counts.faults, counts.rounds = row.findings, faults, row.rounds
        counts.good_seals, counts.bad_seals = row.checkpoints_good, row.checkpoints_bad
        counts.fills, counts.credits, counts.drop = row.fills, row.credits, row.drop
        counts.float_open, counts.float_close = row.float_open, row.float_close
        counts.opened_at_us, counts.closed_at_us = row.opened_at_us, row.closed_at_us
        return counts

    def hole(self, code: str) -> None:
        """Events are missing, in dispute or unreadable."""
        if code == "sequence_gap":
            self.gaps += 1
        elif code == "conflicting_event":
            self.conflicts += 1
        else:
            self.rejected += 1

    def row(
        self, heading: Heading, book: Book | None, *, closed: bool, events: int, duplicates: int, revision: int
    ) -> SessionSummary:
        """The session in one row."""
        return SessionSummary(
            **heading.columns(),
            law=book.table.rules.digest if book is not None else "",
            state="closed" if closed else "open",
            opened_at_us=self.opened_at_us,
            closed_at_us=self.closed_at_us,
            float_open=self.float_open,
            float_close=self.float_close,
            fills=self.fills,
            credits=self.credits,
            drop=self.drop,
            events=events,
            rounds=self.rounds,
            settlements=book.told_settlements if book is not None else 0,
            findings=(book.told_findings if book is not None else 0) + self.findings,
            gaps=self.gaps,
            conflicts=self.conflicts,
            duplicates=duplicates,
            rejected=self.rejected,
            checkpoints_good=self.good_seals,
            checkpoints_bad=self.bad_seals,
            revision=revision,
        )
