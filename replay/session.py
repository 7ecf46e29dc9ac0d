"""One table's gaming day as a fold of its event log.

`Session.step` takes the events in the order of ``seq``; `Session.hole` stands for those that are missing, in dispute or
unreadable. What the session says (settlements, findings, rounds, cage movements) is taken out with `Session.drain`.
A session knows no game: it opens and closes rounds, watches the evidence, and hands each event to the game's method of
that name.

After a hole the session is blind: nothing that happens is judged until the state of the table is certain again (at the
next round, or when the game says so), and no bet that was on the table is compared any more.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final

import msgspec

from replay import faults, games
from replay.book import Book, microseconds
from replay.events import AFTER_CLOSING, OF_PLAY, OF_THE_TABLE, STARTS_A_ROUND, TO_THE_BOX
from replay.evidence import signature_holds
from replay.heading import Heading
from replay.judging import Judging
from replay.results import Cage, Finding, Kind, Round, SessionSummary, Settlement, Streak
from replay.rules import RuleError, Table
from replay.segment import Said, Segment, TakenBack, unverifiable
from replay.streaks.watch import Watch

UNKNOWN_DAY: Final = "1970-01-01"


class RoundSoFar:
    """The round that is open, as its row will tell it."""

    __slots__ = ("bets", "opened_at_us", "opened_seq", "staked", "verifiable")

    def __init__(self, opened_seq: int = 0, opened_at_us: int = 0, *, verifiable: bool = True) -> None:
        self.opened_seq = opened_seq
        self.opened_at_us = opened_at_us
        self.bets = 0
        self.staked = 0
        self.verifiable = verifiable


class Counts:
    """What a session's own row counts and sums, beside what the book has told. Amounts are minor units."""

    __slots__ = (
        "bad_seals",
        "closed_at_us",
        "conflicts",
        "credits",
        "drop",
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
        self.float_open = self.float_close = 0
        self.opened_at_us = self.closed_at_us = 0


class Session:
    """The fold. Deterministic: the same events give the same results."""

    __slots__ = (
        "at",
        "blind",
        "book",
        "closed",
        "count",
        "counts",
        "dealer",
        "early_holes",
        "ended",
        "first_after_hole",
        "fixed_revision",
        "game",
        "handlers",
        "heading",
        "judging",
        "name",
        "next_seq",
        "opened",
        "plain_handlers",
        "round",
        "round_open",
        "segment",
        "so_far",
        "table",
        "table_name",
        "watch",
    )

    def __init__(self, name: str, judging: Judging, *, revision: int | None = None) -> None:
        """``revision``: give all results this revision."""
        self.name = name
        self.judging = judging
        self.fixed_revision = revision
        self.watch: Watch | None = None
        self.next_seq = 1
        self.count = 0
        """Distinct events folded."""
        self.at: datetime.datetime | None = None
        self.opened = False
        self.closed = False
        self.table: Table | None = None
        self.table_name = ""
        self.heading = Heading(name, UNKNOWN_DAY)
        """As far as it is known."""
        self.early_holes: list[tuple[str, int, str]] = []
        """Holes before the first event: told with it, once it is known where and when they were."""
        self.book: Book | None = None
        self.game: games.Game | None = None
        self.handlers: dict[str, Callable[[Any], None]] = {}
        """The game's methods by event type."""
        self.plain_handlers: dict[str, Callable[[Any], None]] = {}
        """Those of events that, in the middle of a round, are of no consequence but to the game and its book."""
        self.dealer = ""
        self.round = 0
        self.round_open = False
        self.so_far = RoundSoFar()
        self.ended: Round | None = None
        """A round that has just been closed: it is told with the next event, sealed when that is a checkpoint."""
        self.blind = False
        self.first_after_hole = False
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

    # --- what comes in --------------------------------------------------------------------------------------------

    def step(self, event: Any, line: bytes) -> None:
        """The next event in order, and its exact bytes. What goes wrong in a game or a detector is `fault`."""
        seq: int = event.seq
        assert seq == self.next_seq, (self.name, seq, self.next_seq)
        self.next_seq = seq + 1
        self.count += 1
        kind: str = event.type
        at = event.at
        book = self.book
        if kind == "checkpoint":
            self._guarded(self._checkpoint, event, line, kind=kind)
            return
        self.segment.chain.add(line)
        if book is None:
            self._guarded(self._first, event, kind=kind)
            return
        book.seq = seq
        book.revision = self.fixed_revision or self.count
        if at < book.at:
            book.report("clock_backwards", "", f"event {seq} bears an earlier time than the one before it")
        book.at = at
        before = len(self.segment.said)
        try:
            handler = self.plain_handlers.get(kind)
            if (
                handler is not None
                and event.round == self.round
                and self.round_open
                and not self.blind
                and event.table == self.table_name
            ):  # as a rule: nothing begins or ends, and the game alone has to do with it
                if kind == "bet_placed":
                    so_far = self.so_far
                    so_far.bets += 1
                    so_far.staked += event.amount
                handler(event)
                if self.watch is not None:
                    self._show(event, kind)
            else:
                if self.ended is not None:
                    self._tell_round()
                if event.table != self.table_name or self.closed:
                    self._misplaced(event)
                elif kind in OF_THE_TABLE:
                    self._of_the_table(event)
                else:
                    self._of_the_round(event, kind)
            if book.out:
                self._collect()
                self.segment.bound()
        except MemoryError:
            raise
        except Exception as error:
            self.fault(error, seq, kind, before)

    def hole(self, first: int, last: int, code: str, reason: str) -> None:
        """The events ``first`` to ``last`` are missing (``sequence_gap``), in dispute (``conflicting_event``) or cannot
        be read (``rejected_event``): nothing about this part of the session is certain."""
        assert first == self.next_seq <= last
        self.next_seq = last + 1
        self.segment.broken = True
        counts = self.counts
        if code == "sequence_gap":
            counts.gaps += 1
        elif code == "conflicting_event":
            counts.conflicts += 1
        else:
            counts.rejected += 1
        self._guarded(self._told_hole, first, code, reason)

    def _told_hole(self, first: int, code: str, reason: str) -> None:
        if self.ended is not None:
            self._tell_round()
        if self.at is None:
            self.early_holes.append((code, first, reason))
        else:
            self._evidence(code, first, reason)
        self._lose_sight()

    def finish(self) -> None:
        """The log ends here: what is undecided is open."""
        self._guarded(self._finished)

    def _finished(self) -> None:
        self._tell_early_holes()
        if self.ended is not None:
            self._tell_round()
        if self.book is not None and not self.closed:
            if self.round_open:
                self.segment.said.append(self._round_row(closed=False))
            self.book.close_table()
            self._collect()
            self._last_look(closed=False)

    def drain(self, *, sealed: bool = False) -> list[Said]:
        """What has been said since the last call. ``sealed``: only what no broken chain can take back any more, which
        is all up to the last checkpoint (and what is too old, see `replay.segment`)."""
        return self.segment.drain(sealed=sealed)

    def summary(self, duplicates: int = 0) -> SessionSummary:
        """The session in one row."""
        counts, book = self.counts, self.book
        return SessionSummary(
            **self.heading.columns(),
            state="closed" if self.closed else "open",
            opened_at_us=counts.opened_at_us,
            closed_at_us=counts.closed_at_us,
            float_open=counts.float_open,
            float_close=counts.float_close,
            fills=counts.fills,
            credits=counts.credits,
            drop=counts.drop,
            events=self.count,
            rounds=counts.rounds,
            settlements=book.told_settlements if book is not None else 0,
            findings=(book.told_findings if book is not None else 0) + counts.findings,
            gaps=counts.gaps,
            conflicts=counts.conflicts,
            duplicates=duplicates,
            rejected=counts.rejected,
            checkpoints_good=counts.good_seals,
            checkpoints_bad=counts.bad_seals,
            revision=self.revision,
        )

    # --- retally itself fails -------------------------------------------------------------------------------------

    def fault(self, error: Exception, seq: int, kind: str, before: int) -> None:
        """Retally itself has failed at event ``seq``, of type ``kind``: nobody is accused. ``before``: so many results
        had been said before that event.

        What the event has made the session say is not said, and nothing that was said of the round stands. The game
        begins anew on a book that has let go of every bet, and the session is blind until the state of the table is
        certain again, as after a hole. Where a detector has failed, this session is watched for streaks no more.
        """
        self._void_what_was_said(before)
        place = faults.place_of(error)
        if place.is_a_detectors:
            self.watch = None
        self._evidence("rule_fault", seq, faults.sentence(error, place, seq, kind))
        self.counts.faults += 1
        self.so_far.verifiable = False
        if self.ended is not None:
            self.ended = msgspec.structs.replace(self.ended, verifiable=False, outcome="")
        self.blind = True
        self.first_after_hole = False  # nothing is missing: the next round is seen from its beginning
        if self.book is None or self.table is None or self.closed:
            return
        self.book.revision = self.revision
        self.book.lose_sight()
        self.book.unseen = True
        self._begin_the_game_anew(self.table, self.book)
        self._collect()
        if self.watch is not None:
            try:
                self.watch.lost_sight()
            except Exception:
                self.watch = None

    def _begin_the_game_anew(self, table: Table, book: Book) -> None:
        """Without a memory that may be half of one event's and half of another's."""
        procedure = games.Blind if self.game is None else type(self.game)
        try:
            self.game = procedure(table, book)
            self.game.lost_sight()
        except Exception:
            self.game = games.Blind(table, book)
        self._take_handlers(self.game)

    def _void_what_was_said(self, before: int) -> None:
        """Of the event at hand (what has been said since ``before``), and of its round."""
        said, book, number = self.segment.said, self.book, self.round
        before = min(before, len(said))
        fresh: list[Said] = said[before:]
        del said[before:]
        if book is not None:
            fresh += book.out
            book.out = []
        taken_back = self.segment.take_back(
            self.revision, lambda row: bool(number) and not isinstance(row, Cage) and row.round == number
        )
        for row in fresh:
            if isinstance(row, Settlement):
                said.append(unverifiable(row, self.revision))
                taken_back.bets[row.round, row.bet] = row
            elif isinstance(row, Finding) and not row.withdrawn and row.kind is not Kind.EVIDENCE:
                taken_back.findings.append(row)
            elif isinstance(row, Round):
                said.append(msgspec.structs.replace(row, outcome="", verifiable=False))
            elif not isinstance(row, Streak):
                said.append(row)
        self._disown(taken_back)

    def _disown(self, taken_back: TakenBack) -> None:
        """The book does not know of what was taken back."""
        book = self.book
        if book is None:
            return
        book.told_findings -= len(taken_back.findings)
        book.round_findings -= sum(finding.round == self.round for finding in taken_back.findings)
        book.disown(taken_back.bets)

    def _guarded(self, act: Callable[..., None], *given: Any, kind: str = "") -> None:
        """Do something for the last event, of type ``kind``, or for none: what goes wrong is a `fault`."""
        before = len(self.segment.said)
        try:
            act(*given)
        except MemoryError:
            raise
        except Exception as error:
            self.fault(error, self.next_seq - 1, kind, before)

    # --- the table ------------------------------------------------------------------------------------------------

    def _first(self, event: Any) -> None:
        """Nothing can be judged before the table is opened under rules that retally has."""
        if self.at is None:
            day = event.at.astimezone(datetime.UTC).date().isoformat()
            self.table_name = event.table
            self.heading = Heading(self.name, day, event.table)
        self.at = event.at
        if event.type != "table_opened" or event.seq != 1:
            self._tell_early_holes()
            if event.seq == 1:
                self._evidence(
                    "rejected_event", 1, f"the session begins with {event.type}, not with table_opened", event
                )
            return
        self.opened = True
        day = event.gaming_day or self.day
        self.heading = Heading(
            self.name, day, self.table_name, event.casino, event.pit, event.game, event.rules, event.currency
        )
        try:
            override = self.judging.rules
            rules = self.judging.packs.rules_for(override or event.rules, datetime.date.fromisoformat(day), event.game)
            options = event.options
            if override is not None:
                options = {key: value for key, value in options.items() if key in rules.options}
            table = Table(
                rules,
                name=event.table,
                casino=event.casino,
                pit=event.pit,
                currency=event.currency,
                chip_unit=event.chip_unit,
                rounding=event.rounding,
                limits=event.limits,
                options=options,
                decks=event.decks,
                claims=event.settlement_claims,
                gaming_day=day,
            )
            procedure = games.load(event.game)
        except (RuleError, ValueError) as error:
            self.counts.rejected += 1
            self._evidence("rejected_event", 1, f"the table cannot be judged: {error}", event)
            return
        self.counts.float_open = event.float_minor
        self.counts.opened_at_us = microseconds(event.at)
        self.open_table(table, procedure, event)
        self._cage(event, "float_open", event.float_minor)

    def open_table(self, table: Table, procedure: type[games.Game], event: Any) -> None:
        """The table is open under its rules: from here on events are judged."""
        self.table = table
        self.heading = Heading.of(self.name, table)
        book = self.book = Book(self.heading, table)
        book.seq = event.seq
        book.at = event.at
        book.revision = self.revision
        self.game = procedure(table, book)
        self._take_handlers(self.game)
        self.game.report_setup(table.faults)
        self.game.table_opened()
        self._collect()
        watching = self.judging.watching
        if watching is not None:
            try:
                self.watch = Watch(self.heading, table, watching)
            except Exception as error:  # no verdict rests on it
                self.counts.faults += 1
                self._evidence(
                    "rule_fault", event.seq, faults.sentence(error, faults.place_of(error), event.seq, event.type)
                )

    def _take_handlers(self, game: games.Game) -> None:
        self.handlers = {kind: getattr(game, kind) for kind in OF_PLAY if hasattr(game, kind)}
        self.plain_handlers = {
            kind: handler
            for kind, handler in self.handlers.items()
            if kind != "round_closed" and kind not in TO_THE_BOX
        }

    def _of_the_table(self, event: Any) -> None:
        kind = event.type
        assert self.book is not None
        if kind == "dealer_on":
            self.dealer = self.book.dealer = event.dealer
            if self.watch is not None:
                self.watch.dealer = event.dealer
                self._show(event, kind)
        elif kind == "fill":
            self.counts.fills += event.amount
            self._cage(event, "fill", event.amount)
        elif kind == "credit":
            self.counts.credits += event.amount
            self._cage(event, "credit", event.amount)
        elif kind == "drop_counted":
            self._drop(event)
        elif kind == "table_closed":
            self._close_table(event)
        else:
            self.book.report("rejected_event", "", f"event {event.seq} opens the table a second time; it is ignored")

    def _drop(self, event: Any) -> None:
        self.counts.drop += event.amount
        self._cage(event, "drop_counted", event.amount)

    def _close_table(self, event: Any) -> None:
        assert self.book is not None and self.game is not None
        if self.round_open:
            self._end_round(event)
        self._collect()
        self.book.close_table()
        self._collect()
        if self.ended is not None:
            self._tell_round(closing=True)
        else:
            self._last_look(closed=True)
        self.book.past = set()
        self.closed = True
        self.counts.float_close = event.float_minor
        self.counts.closed_at_us = microseconds(event.at)
        self._cage(event, "float_close", event.float_minor)

    def _misplaced(self, event: Any) -> None:
        """An event of another table, or one that comes after the table was closed."""
        assert self.book is not None
        if event.table != self.table_name:
            self.counts.rejected += 1
            self._evidence(
                "rejected_event",
                event.seq,
                f"event {event.seq} is of table {event.table}, the session of {self.table_name}",
                event,
            )
            self._lose_sight()
        elif event.type in AFTER_CLOSING:
            self._drop(event)
        else:
            self.counts.rejected += 1
            self._evidence(
                "rejected_event", event.seq, f"event {event.seq} ({event.type}) comes after the table was closed", event
            )

    def _cage(self, event: Any, movement: str, amount: int) -> None:
        heading = self.heading
        self.segment.said.append(
            Cage(
                session=self.name,
                seq=event.seq,
                movement=movement,
                gaming_day=heading.gaming_day,
                casino=heading.casino,
                pit=heading.pit,
                table=heading.table,
                game=heading.game,
                currency=heading.currency,
                amount=amount,
                at_us=microseconds(event.at),
                revision=self.revision,
            )
        )

    # --- rounds ---------------------------------------------------------------------------------------------------

    def _of_the_round(self, event: Any, kind: str) -> None:
        number: int | None = event.round
        starts = kind in STARTS_A_ROUND
        if self.round_open:
            if (number is not None and number > self.round) or (
                number is None and self.blind and kind == "round_opened"
            ):
                already_said = len(self.segment.said)
                self._end_round(event)
                self._tell_round()
                if starts:
                    self._begin_round(event, kind, number or self.round + 1)
                elif kind == "bet_settled" and "bet_settled" in self.handlers:
                    self._settle_after_the_round(event, already_said)
                    return
        elif starts and not (kind == "card_dealt" and event.to == "burn"):
            self._begin_round(event, kind, number if number is not None and number > self.round else self.round + 1)
        if starts or self.round_open:
            self.first_after_hole = False
        if kind in TO_THE_BOX and kind in self.handlers:
            of_a_seat = kind == "rake_taken" and event.seat is not None
            self._cage(event, "fee_taken" if of_a_seat else kind, event.amount)
        if self.blind and self.round_open:
            self._unseen(event, kind)
            return
        handler = self.handlers.get(kind)
        if handler is None:
            assert self.book is not None and self.table is not None
            self.book.report("rejected_event", "", f"event {event.seq}: {self.table.rules.game} has no {kind}")
            return
        if kind == "bet_placed":
            self.so_far.bets += 1
            self.so_far.staked += event.amount
        elif kind == "round_closed":
            if self.round_open:
                self._end_round(event)
                self._show(event, kind)
            return
        handler(event)
        self._show(event, kind)

    def _settle_after_the_round(self, event: Any, already_said: int) -> None:
        """A claim that has ended the round of its own bet: `unsettled` stands, but the settlement is told only once."""
        self.handlers["bet_settled"](event)
        self._show(event, "bet_settled")
        assert self.book is not None
        told = {(row.round, row.bet) for row in self.book.out if isinstance(row, Settlement)}
        said = self.segment.said
        said[already_said:] = [
            row for row in said[already_said:] if not (isinstance(row, Settlement) and (row.round, row.bet) in told)
        ]

    def _begin_round(self, event: Any, kind: str, number: int) -> None:
        assert self.book is not None and self.game is not None
        self.round = self.book.round = number
        self.book.round_findings = 0
        self.book.subjects.clear()
        self.round_open = True
        self.counts.rounds += 1
        self.segment.rounds.append(number)
        if self.blind and self.game.sight_returns_with_round and not (self.first_after_hole and kind != "round_opened"):
            self.blind = False
        self.so_far = RoundSoFar(event.seq, microseconds(event.at), verifiable=not self.blind)
        if self.watch is not None:
            self.watch.round_begins(number)
        self.game.outcome = ""
        self.game.round_begins()

    def _end_round(self, event: Any) -> None:
        """The round is over: the game and the book say what is left to say, and the round's own row waits for the next
        event."""
        assert self.book is not None and self.game is not None
        if self.blind:
            self.book.close_round()
        else:
            self.game.round_closed(event)
            if self.so_far.verifiable and not self.game.stakes_live_on:
                self.book.unseen = False  # claims on what was not seen may come a round late, not later
        self._collect()
        self.round_open = False
        self.ended = self._round_row(closed=True)

    def _round_row(self, *, closed: bool) -> Round:
        book, game, so_far = self.book, self.game, self.so_far
        assert book is not None and game is not None
        return Round(
            **self.heading.columns(),
            round=self.round,
            dealer=self.dealer,
            opened_seq=so_far.opened_seq,
            closed_seq=book.seq if closed else 0,
            opened_at_us=so_far.opened_at_us,
            closed_at_us=microseconds(book.at) if closed else 0,
            outcome=game.outcome if so_far.verifiable else "",
            bets=so_far.bets,
            staked=so_far.staked,
            findings=book.round_findings,
            sealed=False,
            verifiable=so_far.verifiable,
            revision=self.revision,
        )

    def _tell_round(self, *, sealed: bool = False, verifiable: bool = True, closing: bool = False) -> None:
        """Tell the round that has ended; ``closing``: the event at hand closes the table."""
        ended = self.ended
        assert ended is not None and self.book is not None
        row = msgspec.structs.replace(
            ended,
            findings=self.book.round_findings,
            sealed=sealed,
            verifiable=ended.verifiable and verifiable,
            outcome=ended.outcome if verifiable else "",
            revision=self.revision,
        )
        watch = self.watch
        if watch is not None:
            before = self.book.round_findings
            if row.verifiable and not self.blind:
                self._say_streaks(watch.round_over(row, closing=closing))
            elif closing:
                self._last_look(closed=True)
            if self.book.round_findings != before:
                row = msgspec.structs.replace(row, findings=self.book.round_findings)
        self.segment.said.append(row)
        self.ended = None

    # --- streaks --------------------------------------------------------------------------------------------------

    def _show(self, event: Any, kind: str) -> None:
        """What has happened at the table is shown to the detectors of streaks."""
        watch = self.watch
        if watch is not None and not self.blind:
            for see in watch.handlers.get(kind, ()):
                see(event)

    def _last_look(self, *, closed: bool) -> None:
        """The table is closed, or its log ends: how the streaks stand."""
        book = self.book
        if self.watch is not None and book is not None:
            # That the log ends is known besides its events: a reading may have been said after the last of these.
            revision = self.fixed_revision or self.count + (not closed)
            self._say_streaks(self.watch.closing(book.seq, microseconds(book.at), revision, closed=closed))

    def _say_streaks(self, found: list[Streak | Finding]) -> None:
        book = self.book
        assert book is not None
        for row in found:
            if type(row) is Finding:
                book.told_findings += 1
                book.round_findings += row.round == self.round
        self.segment.said += found

    # --- evidence -------------------------------------------------------------------------------------------------

    def _lose_sight(self) -> None:
        self.blind = True
        self.first_after_hole = True
        self.so_far.verifiable = False
        if self.book is None or self.game is None or self.closed:
            return
        self.book.revision = self.revision
        self.book.lose_sight()
        self.book.unseen = True
        self.game.lost_sight()
        self._collect()
        if self.watch is not None:
            self.watch.lost_sight()

    def _unseen(self, event: Any, kind: str) -> None:
        """An event of a round whose state is unknown."""
        assert self.book is not None and self.game is not None
        book = self.book
        self.so_far.verifiable = False
        if kind == "bet_placed":
            self.so_far.bets += 1
            self.so_far.staked += event.amount
            book.place_unseen(event)
        elif kind == "bet_settled":
            if event.bet in book.due or event.bet in book.lapsed:
                book.claim(event)
        elif kind == "round_closed":
            self._end_round(event)
        elif self.game.sight_again(event):
            self.blind = False

    def _checkpoint(self, event: Any, line: bytes) -> None:
        """The chain since the last checkpoint, and the gateway's signature on it."""
        book, segment = self.book, self.segment
        if book is None:
            self._first(event)
            book = self.book
        else:
            book.seq = event.seq
            book.revision = self.revision
            if event.table != self.table_name:
                self._misplaced(event)
        rounds = segment.rounds or [self.round]
        where = f"round {rounds[0]}" if len(rounds) == 1 else f"rounds {rounds[0]} to {rounds[-1]}"
        good = True
        if not segment.broken and segment.chain.value() != event.chain:
            good = False
            self._retract()
            self._evidence(
                "chain_broken", event.seq, f"the events of {where} are not those that the table sealed", event
            )
        keys = self.judging.keys
        if keys is not None:
            key = keys.get(event.key)
            if key is None:
                good = False
                self._evidence(
                    "bad_signature", event.seq, f"the seal of {where} bears the unknown key {event.key}", event
                )
            elif not signature_holds(key, event.chain, line, event.signature):
                good = False
                self._evidence(
                    "bad_signature", event.seq, f"the seal of {where} is not signed by key {event.key}", event
                )
        if good:
            self.counts.good_seals += 1
        else:
            self.counts.bad_seals += 1
        if self.ended is not None:
            self._tell_round(sealed=good and not segment.broken, verifiable=good)
        segment.seal(event.chain, line, [self.round] if self.round_open else ())

    def _retract(self) -> None:
        """The events since the last checkpoint are not what was sealed: nothing that was said of them stands."""
        self._disown(self.segment.take_back(self.revision, lambda row: True))
        if self.watch is not None:
            self.watch.disowned()
        if self.ended is not None:
            self.ended = msgspec.structs.replace(self.ended, verifiable=False)
        self._lose_sight()
        self.first_after_hole = False  # nothing is missing between the checkpoint and the next event

    def _evidence(self, code: str, seq: int, text: str, event: Any = None) -> None:
        """A finding about the log itself."""
        book = self.book
        at = event.at if event is not None else book.at if book is not None else self.at
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
            if watch is not None and not self.blind:
                for row in out:
                    if type(row) is Settlement:
                        watch.settled(row)
            book.out = []
