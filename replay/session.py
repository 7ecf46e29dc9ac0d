"""One table's gaming day as a fold of its event log.

`Session.step` takes the events in the order of ``seq``; `Session.hole` stands for those that are missing, in dispute or
unreadable. What the session says (settlements, findings, rounds, cage movements) is taken out with `Session.drain`.
A session knows no game: it opens and closes rounds, watches the evidence, and hands each event to the game's method of
that name.

After a hole the session is blind: nothing that happens is judged until the state of the table is certain again (at the
next round, or when the game says so), and no bet that was on the table is compared any more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec

from replay import faults, games
from replay.beside_play import BesidePlay
from replay.book import Book, microseconds
from replay.corrections import NOTHING, Besides, is_correction
from replay.counts import RoundSoFar
from replay.events import AFTER_CLOSING, OF_THE_TABLE, STARTS_A_ROUND, TO_THE_BOX
from replay.evidence import wrong_signature
from replay.heading import Heading
from replay.judging import Judging
from replay.opening import as_it_says, day_of, opened
from replay.results import Round, Settlement
from replay.rules import RuleError, Table
from replay.saying import OF_EQUIPMENT
from replay.segment import BROKEN, GOOD, UNSIGNED, UNTOLD, Said, Seals
from replay.streaks.watch import Watch
from replay.void_round import VoidRound

MAX_FAULTS: Final = 20
"""When retally has failed so often in a session, it fails at everything there: nobody is helped by more of the same."""


class Session(BesidePlay):
    """The fold. Deterministic: the same events give the same results."""

    __slots__ = (
        "ended",
        "first_after_hole",
        "handlers",
        "next_seq",
        "opened",
        "plain_handlers",
        "procedure",
        "round_open",
        "seals",
        "table",
        "table_name",
    )

    def __init__(self, name: str, judging: Judging, *, revision: int | None = None) -> None:
        """``revision``: give all results this revision."""
        super().__init__(name, judging, revision=revision)
        self.next_seq = 1
        self.opened = False
        self.table: Table | None = None
        self.table_name = ""
        self.procedure: type[games.Game] = games.Game
        """The game's, by which the table is played."""
        self.handlers: dict[str, Callable[[Any], None]] = {}
        """The game's methods by event type."""
        self.plain_handlers: dict[str, Callable[[Any], None]] = {}
        """Those of events that, in the middle of a round, are of no consequence but to the game and its book."""
        self.round_open = False
        self.seals = Seals()
        self.ended: Round | None = None
        """A round that has just been closed: it is told with the next event, sealed when that is a checkpoint."""
        self.first_after_hole = False

    @property
    def round_opened_us(self) -> int | None:
        """When the open round was opened, by its own event's time: microseconds since 1970-01-01 UTC; None: none is."""
        return self.so_far.opened_at_us if self.round_open else None

    # --- what comes in --------------------------------------------------------------------------------------------

    def step(self, event: Any, line: bytes, besides: Besides = NOTHING) -> None:
        """The next event in order, and its exact bytes. What goes wrong in a game or a detector is `fault`.
        ``besides``: where the event puts others right, or is put right, what `replay.corrections` has found."""
        seq: int = event.seq
        assert seq == self.next_seq, (self.name, seq, self.next_seq)
        self.next_seq = seq + 1
        self.count += 1
        kind: str = event.type
        at = event.at
        book = self.book
        self.besides = besides
        if kind == "checkpoint":
            self._guarded(self._checkpoint, event, line)
            return
        self.segment.chain.add(line)
        if book is None:
            self._guarded(self._first, event)
            return
        book.seq = seq
        book.revision = self.fixed_revision or self.count
        book.at = at
        if at < self.clocks.latest_at:
            self._look_at_clocks(event, self.so_far.opened_at_us if self.round_open else None)
        else:
            self.clocks.latest, self.clocks.latest_at = event, at
        if besides.by:
            book.put_right[seq] = besides.by
        before = len(self.segment.said)
        try:
            handler = self.plain_handlers.get(kind)
            if (
                handler is not None
                and event.round == self.round
                and self.round_open
                and not self.blind
                and self.void is None
                and event.table == self.table_name
                and (kind != "bet_settled" or event.corrects is None)
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
                    self._guarded(self._tell_round)
                    before = len(self.segment.said)
                if event.table != self.table_name or self.closed:
                    self._misplaced(event)
                elif kind in OF_THE_TABLE or is_correction(event):
                    self._of_the_table(event)
                else:
                    self._of_the_round(event, kind)
            if book.out:
                self._collect()
                self.segment.bound()
            if book.full:
                self._overflow(event)
        except MemoryError:
            raise
        except Exception as error:
            self.fault(error, event, before)

    def _overflow(self, event: Any) -> None:
        """More is open than any table has: nothing about this part of the session is certain, as after a hole."""
        book = self.book
        assert book is not None
        text = f"{book.full}: what is open is not judged, nor what comes until the state of the table is certain again"
        self._evidence("book_overflow", event.seq, text, event)
        book.let_go()
        self._lose_sight()

    def hole(self, first: int, last: int, code: str, reason: str, versions: tuple[Any, ...] = ()) -> None:
        """The events ``first`` to ``last`` are missing (``sequence_gap``), in dispute (``conflicting_event``) or cannot
        be read (``rejected_event``): nothing about this part of the session is certain. ``versions``: of the event that
        is in dispute, see `heard`."""
        assert first == self.next_seq <= last
        for version in versions:
            self.heard(version)
        self.next_seq = last + 1
        self.segment.broken = True
        self.counts.hole(code)
        if self.ended is not None:
            self._guarded(self._tell_round)
        if self.at is None:
            self.early_holes.append((code, first, reason))
        else:
            self._evidence(code, first, reason)
        self._guarded(self._lose_sight)

    def finish(self) -> None:
        """The log ends here: what is undecided is open."""
        self._tell_early_holes()
        self._tell_pending()
        if self.ended is not None:
            self._guarded(self._tell_round)
        if self.book is not None and not self.closed:
            self._guarded(self._left_open)

    def _left_open(self) -> None:
        assert self.book is not None
        if self.round_open:
            self.segment.said.append(self._round_row(closed=False))
        self.book.close_table()
        self._collect()
        self._last_look(closed=False)

    # --- retally itself fails -------------------------------------------------------------------------------------

    def fault(self, error: Exception, event: Any, before: int) -> None:
        """Retally itself has failed at this event (None: at none, but after the last one), and nobody is accused.
        ``before``: so many results had been said before it.

        What the event has made the session say is not said, and nothing that was said of the round stands. The game
        begins anew on a book that has let go of every bet, and the session is blind until the state of the table is
        certain again, as after a hole. Where a detector has failed, this session is watched for streaks no more; after
        `MAX_FAULTS` nothing more of it is judged.
        """
        out: list[Said] = []
        if self.book is not None:
            out += self.book.out
            self.book.out = []
        self._disown(self.segment.take_back_event(self.revision, before, out, self.round))
        place = faults.place_of(error)
        if place.is_a_detectors:
            self.watch = None
        if self.counts.faults + 1 >= MAX_FAULTS:
            self.game = self.watch = None
        self._say_fault(error, place, event)
        self.so_far.verifiable = False
        self.blind = self.first_after_hole = True
        try:
            self._begin_anew(event)
        except Exception:  # a second one: without the game and the detectors, nothing is left that could fail
            self.game = self.watch = None
            self._begin_anew(event)

    def _begin_anew(self, event: Any) -> None:
        """After a fault at this event: the book lets go of every bet, the game forgets; what needs no judging is kept:
        that a bet was laid, that the table was opened, or closed."""
        book, table = self.book, self.table
        if book is not None and table is not None and not self.closed:
            book.revision = self.revision
            book.lose_sight()
            book.unseen = True
            procedure = games.Blind if self.game is None else type(self.game)
            self.game = procedure(table, book)
            self.game.lost_sight()
            self._take_handlers(self.game)
            self._collect()
            if self.watch is not None:
                self.watch.lost_sight()
            kind = "" if event is None else event.type
            if kind == "bet_placed" and event.bet not in book.unseen_ids:
                book.place_unseen(event)
                self._collect()
            elif kind == "table_opened" and event.seq == 1:
                self._cage(event, "float_open", event.float_minor)
            elif kind == "table_closed":
                self._close_table(event)
        if self.ended is not None:
            self._tell_round(verifiable=False)

    def _say_fault(self, error: Exception, place: faults.Place, event: Any) -> None:
        self.counts.faults += 1
        seq, kind = self.next_seq - 1, "" if event is None else event.type
        text = faults.sentence(error, place, seq, kind, last=self.counts.faults >= MAX_FAULTS)
        self._evidence("rule_fault", seq, text, event)

    def _guarded(self, act: Callable[..., None], event: Any = None, *given: Any, **named: Any) -> None:
        """Do something for this event, or for none: what goes wrong is a `fault`."""
        before = len(self.segment.said)
        try:
            act(*(given if event is None else (event, *given)), **named)
        except MemoryError:
            raise
        except Exception as error:
            self.fault(error, event, before)

    # --- the table ------------------------------------------------------------------------------------------------

    def _first(self, event: Any) -> None:
        """Nothing can be judged before the table is opened under rules that retally has."""
        if self.at is None:
            self.table_name = event.table
            if self.rumour is None or event.seq < self.rumour.seq:
                self.heading = Heading(self.name, day_of(event), event.table)
        self.at = event.at
        if event.type != "table_opened" or event.seq != 1:
            self._tell_early_holes()
            if event.seq == 1:
                self._evidence(
                    "rejected_event", 1, f"the session begins with {event.type}, not with table_opened", event
                )
            return
        self.opened = True
        self.heading = as_it_says(self.name, event)
        try:
            table, procedure = opened(event, self.judging)
        except RuleError as error:
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
        self.procedure = procedure
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
                self._say_fault(error, faults.place_of(error), event)

    def _take_handlers(self, game: games.Game) -> None:
        self.handlers = {kind: getattr(game, kind, _unheard) for kind in self.procedure.handled}
        for kind in OF_EQUIPMENT & self.handlers.keys():
            self.handlers[kind] = partial(self._by_equipment, self.handlers[kind])
        self.plain_handlers = {
            kind: handler
            for kind, handler in self.handlers.items()
            if kind != "round_closed" and kind not in TO_THE_BOX
        }

    def _by_equipment(self, handler: Callable[[Any], None], event: Any) -> None:
        """What dice or a ball have brought. What they cannot have is told; the game takes such a throw for void."""
        assert self.game is not None and self.book is not None
        why = self.game.cannot_show(event)
        if why:
            self.book.report("rejected_event", "", f"event {event.seq} does not count: {why}")
        if not why or event.type != "ball_landed":
            handler(event)

    def _of_the_table(self, event: Any) -> None:
        kind = event.type
        if kind == "table_closed":
            self._close_table(event)
        elif kind == "round_voided":
            self._call_void(event, open_=self.round_open)
        else:
            self.beside_play(event)
            if kind == "dealer_on" and self.watch is not None:
                self.watch.dealer = event.dealer
                self._show(event, kind)

    def _close_table(self, event: Any) -> None:
        assert self.book is not None and self.game is not None
        if self.round_open:
            self._end_round(event)
        if not self.blind:
            self.game.table_closed(event)
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
        elif event.type in AFTER_CLOSING or is_correction(event):
            self.beside_play(event)
        else:
            self.counts.rejected += 1
            self._evidence(
                "rejected_event", event.seq, f"event {event.seq} ({event.type}) comes after the table was closed", event
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
            assert self.game is not None
            of_a_seat = event.seat is not None if kind == "rake_taken" else self.game.fees_from_players
            self._cage(event, "fee_taken" if of_a_seat else kind, event.amount)
        if self.blind and self.round_open:
            self._unseen(event, kind)
            return
        if self.void is not None and self.round_open and kind != "round_closed":
            self._of_a_void_round(event, kind)
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

    def _of_a_void_round(self, event: Any, kind: str) -> None:
        assert self.void is not None
        if kind == "bet_placed":
            self.so_far.bets += 1
            self.so_far.staked += event.amount
        if self.void.take(event, kind) and (handler := self.handlers.get(kind)) is not None:
            handler(event)
        if self.void.shows(kind):
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
        self.void = VoidRound(self.book, self.game) if self.besides.voided else None
        if self.void is None or self.game.pots:
            self.game.round_begins()

    def _end_round(self, event: Any) -> None:
        """The round is over: the game and the book say what is left to say, and the round's own row waits for the next
        event."""
        assert self.book is not None and self.game is not None
        if self.blind or self.void is not None:
            self.book.close_round()
        else:
            self.game.round_closed(event)
            if self.so_far.verifiable and not self.game.stakes_live_on:
                self.book.unseen = False  # claims on what was not seen may come a round late, not later
        self._collect()
        self.round_open = False
        self.ended = self._round_row(closed=True)

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
            if row.verifiable and not self.blind and self.void is None:
                self._say_streaks(watch.round_over(row, closing=closing))
            elif closing:
                self._last_look(closed=True)
            if self.book.round_findings != before:
                row = msgspec.structs.replace(row, findings=self.book.round_findings)
        self.segment.said.append(row)
        self.ended = None

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
            if book.awaits(event.bet):
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
        good = segment.fits(event.chain)
        if not good:
            self._retract()
            self._evidence(
                "chain_broken", event.seq, f"the events of {where} are not those that the table sealed", event
            )
        day = self.heading.gaming_day if self.opened else ""
        state = UNTOLD if segment.broken else GOOD if good else BROKEN
        wrong = wrong_signature(event, line, self.judging.keys, table=self.table_name, gaming_day=day)
        if wrong:
            state = UNSIGNED if state == GOOD else state
            good = False
            self._evidence("bad_signature", event.seq, f"the seal of {where} {wrong}", event)
        if good:
            self.counts.good_seals += 1
        else:
            self.counts.bad_seals += 1
        if self.ended is not None:
            self._guarded(self._tell_round, sealed=good and not segment.broken, verifiable=good)
        self.seals.add(event.seq, microseconds(event.at), state)
        segment.seal(event.chain, line, [self.round] if self.round_open else ())

    def _retract(self) -> None:
        """The events since the last checkpoint are not what was sealed: nothing that was said of them stands."""
        self._disown(self.segment.take_back(self.revision, lambda row: True))
        if self.ended is not None:
            self.ended = msgspec.structs.replace(self.ended, verifiable=False)
        self._guarded(self._disowned)
        self.first_after_hole = False  # nothing is missing between the checkpoint and the next event

    def _disowned(self) -> None:
        if self.watch is not None:
            self.watch.disowned()
        self._lose_sight()


def _unheard(event: Any) -> None:
    """In the place of a handler, once the game has failed for good."""
