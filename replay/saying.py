"""What a session says: its rows, and what they begin with. How it comes to say them is `replay.session`'s."""

from __future__ import annotations

import datetime
from typing import Any, Final

from replay import games
from replay.book import Book, microseconds
from replay.counts import Counts, RoundSoFar
from replay.heading import Heading
from replay.judging import Judging
from replay.opening import Rumour, rumour_of
from replay.results import Finding, Round, SessionSummary, Settlement, Streak
from replay.segment import Said, Segment, TakenBack
from replay.streaks.watch import Watch
from replay.void_round import VoidRound

UNKNOWN_DAY: Final = "1970-01-01"
OF_EQUIPMENT: Final = frozenset({"dice_rolled", "ball_landed"})
"""Event types that say what the game's equipment has brought."""


class Saying:
    """A session as whoever listens to it sees it."""

    __slots__ = (
        "at",
        "blind",
        "book",
        "closed",
        "count",
        "counts",
        "dealer",
        "early_holes",
        "fixed_revision",
        "game",
        "heading",
        "judging",
        "name",
        "round",
        "rumour",
        "segment",
        "so_far",
        "void",
        "watch",
    )

    def __init__(self, name: str, judging: Judging, *, revision: int | None = None) -> None:
        """``revision``: give all results this revision."""
        self.name = name
        self.judging = judging
        self.fixed_revision = revision
        self.count = 0
        """Distinct events folded."""
        self.at: datetime.datetime | None = None
        self.closed = False
        self.heading = Heading(name, UNKNOWN_DAY)
        """As far as it is known."""
        self.rumour: Rumour | None = None
        """What is said of the session by the first event that is in dispute, should nothing certain be known of it."""
        self.early_holes: list[tuple[str, int, str]] = []
        """Holes before the first event: told with it, once it is known where and when they were."""
        self.book: Book | None = None
        self.game: games.Game | None = None
        self.watch: Watch | None = None
        self.dealer = ""
        self.round = 0
        self.so_far = RoundSoFar()
        self.blind = False
        self.void: VoidRound | None = None
        """The round that is open, or was last, where it is called void."""
        self.segment = Segment()
        self.counts = Counts()

    @property
    def revision(self) -> int:
        """What results bear that are said now."""
        return self.fixed_revision or self.count

    @property
    def day(self) -> str:
        """The gaming day, as far as it is known."""
        return self.heading.gaming_day

    def drain(self, *, sealed: bool = False) -> list[Said]:
        """What has been said since the last call. ``sealed``: only what no broken chain can take back any more, which
        is all up to the last checkpoint (and what is too old, see `replay.segment`)."""
        return self.segment.drain(sealed=sealed)

    def summary(self, duplicates: int = 0) -> SessionSummary:
        """The session in one row."""
        return self.counts.row(
            self.heading,
            self.book,
            closed=self.closed,
            events=self.count,
            duplicates=duplicates,
            revision=self.revision,
        )

    def heard(self, event: Any) -> None:
        """A version of an event that is in dispute. What it says of when and where the session is holds as long as
        nothing certain is known of it; of several versions the first in order, so that the order of arrival does not
        count."""
        if self.at is None:
            rumour = rumour_of(self.name, event)
            if self.rumour is None or rumour < self.rumour:
                self.rumour = rumour
                self.heading = rumour.heading

    def contradicted(self, seq: int, at_us: int) -> None:
        """Of event ``seq`` there are other versions, which the seal of ``at_us`` (microseconds) does not bear out: that
        is told, and changes nothing else."""
        self.counts.findings += 1
        self.segment.said.append(
            self.heading.finding(
                "conflicting_event",
                f"event {seq} came again, with contents that the seal does not bear out",
                seq=seq,
                at_us=at_us,
                revision=self.revision,
                round_number=0,
                dealer="",
            )
        )

    # --- its rows -------------------------------------------------------------------------------------------------

    def _cage(self, event: Any, movement: str, amount: int) -> None:
        self.segment.said.append(
            self.heading.cage(
                movement,
                amount,
                player=getattr(event, "player", None) or "",
                form=getattr(event, "kind", None) or "",
                dealer=self.dealer,
                seq=event.seq,
                at_us=microseconds(event.at),
                revision=self.revision,
            )
        )

    def _round_row(self, *, closed: bool) -> Round:
        assert self.book is not None and self.game is not None
        return self.so_far.row(
            self.heading,
            self.book,
            dealer=self.dealer,
            outcome=self.game.outcome if self.void is None else "void",
            revision=self.revision,
            closed=closed,
        )

    def _evidence(self, code: str, seq: int, text: str, event: Any = None) -> None:
        """A finding about the log itself."""
        book = self.book
        at = event.at if event is not None else book.at if book is not None else self.at
        if at is None and self.rumour is not None:
            at = self.rumour.at
        self.counts.findings += 1
        if book is not None:
            book.round_findings += 1
        self.segment.said.append(
            self.heading.finding(
                code,
                text,
                seq=seq,
                at_us=microseconds(at) if at is not None else 0,
                revision=self.revision,
                round_number=self.round,
                dealer=self.dealer,
            )
        )

    def _tell_early_holes(self) -> None:
        for hole in self.early_holes:
            self._evidence(*hole)
        self.early_holes = []

    def _collect(self) -> None:
        """Take over what the book has said."""
        book = self.book
        assert book is not None
        out = book.out
        if out:
            self.segment.said += out
            watch = self.watch
            if watch is not None and not self.blind and self.void is None:
                for row in out:
                    if type(row) is Settlement:
                        watch.settled(row)
            book.out = []

    def _say_streaks(self, found: list[Streak | Finding]) -> None:
        book = self.book
        assert book is not None
        for row in found:
            if type(row) is Finding:
                book.told_findings += 1
                book.round_findings += row.round == self.round
        self.segment.said += found

    def _disown(self, taken_back: TakenBack) -> None:
        """The book does not know of what was taken back."""
        book = self.book
        if book is None:
            return
        book.told_findings -= len(taken_back.findings)
        book.round_findings -= sum(finding.round == self.round for finding in taken_back.findings)
        book.disown(taken_back.bets)

    # --- streaks --------------------------------------------------------------------------------------------------

    def _show(self, event: Any, kind: str) -> None:
        """What has happened at the table is shown to the detectors of streaks."""
        watch = self.watch
        if watch is not None and not self.blind and (seeing := watch.handlers.get(kind)):
            if kind in OF_EQUIPMENT and (self.game is None or self.game.cannot_show(event)):
                return
            if kind == "dice_rolled" and 0 in event.dice:  # nobody could read one of them
                return
            for see in seeing:
                see(event)

    def _last_look(self, *, closed: bool) -> None:
        """The table is closed, or its log ends: how the streaks stand."""
        book = self.book
        if self.watch is not None and book is not None:
            # That the log ends is known besides its events: a reading may have been said after the last of these.
            revision = self.fixed_revision or self.count + (not closed)
            self._say_streaks(self.watch.closing(book.seq, microseconds(book.at), revision, closed=closed))
