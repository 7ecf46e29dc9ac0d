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

from replay import games
from replay.book import Book, microseconds
from replay.codes import CODES
from replay.evidence import Chain, signature_holds
from replay.judging import Judging
from replay.results import Cage, Finding, Kind, Round, SessionSummary, Settlement, Streak, Verdict
from replay.rules import RuleError, Table
from replay.streaks.watch import Watch

Said = Settlement | Finding | Round | Cage | Streak

_STARTS_A_ROUND: Final = frozenset(
    {"round_opened", "bet_placed", "bets_closed", "card_dealt", "tile_dealt", "dice_rolled", "ball_landed", "decision"}
)
_OF_THE_TABLE: Final = frozenset({"table_opened", "table_closed", "dealer_on", "fill", "credit", "drop_counted"})
_AFTER_CLOSING: Final = frozenset({"drop_counted", "checkpoint"})
_TO_THE_BOX: Final = frozenset({"rake_taken", "commission_taken"})
MOST_UNSEALED: Final = 50_000
"""When so many results have been said since the last checkpoint, the older half of them stands even if the chain
breaks: a log without checkpoints must not fill the memory."""
UNKNOWN_DAY: Final = "1970-01-01"


class Session:
    """The fold. Deterministic: the same events give the same results."""

    __slots__ = (
        "at",
        "blind",
        "book",
        "chain",
        "closed",
        "count",
        "day",
        "dealer",
        "drained",
        "early_holes",
        "ended",
        "first_after_hole",
        "fixed_revision",
        "game",
        "handlers",
        "house",
        "judging",
        "name",
        "next_seq",
        "opened",
        "plain_handlers",
        "round",
        "round_count",
        "round_info",
        "round_open",
        "said",
        "segment_broken",
        "segment_rounds",
        "segment_start",
        "sums",
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
        self.day = UNKNOWN_DAY
        self.house = ("", "", "", "", "")
        """Casino, pit, game, rule pack and currency, as far as they are known of a table that cannot be judged."""
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
        self.round_count = 0
        self.round_open = False
        self.round_info = [0, 0, 0, 0, True]  # opened seq, opened at µs, bets, staked, verifiable
        self.ended: Round | None = None
        """A round that has just been closed: it is told with the next event, sealed when that is a checkpoint."""
        self.blind = False
        self.first_after_hole = False
        self.chain = Chain()
        self.segment_broken = False
        """Events since the last checkpoint are missing: the chain cannot be checked."""
        self.segment_rounds: list[int] = []
        self.said: list[Said] = []
        """Results since the last checkpoint, and those before it that have not been taken out."""
        self.drained = 0
        """So many of them have been taken out."""
        self.segment_start = 0
        """So many of them stand: they are older than the last checkpoint (or than the limit above)."""
        self.sums = dict.fromkeys(
            (
                "settlements",
                "findings",
                "gaps",
                "conflicts",
                "rejected",
                "good",
                "bad",
                "fills",
                "credits",
                "drop",
                "float_open",
                "float_close",
                "opened_at_us",
                "closed_at_us",
            ),
            0,
        )

    # --- what comes in --------------------------------------------------------------------------------------------

    def step(self, event: Any, line: bytes) -> None:
        """The next event in order, and its exact bytes."""
        seq: int = event.seq
        assert seq == self.next_seq, (self.name, seq, self.next_seq)
        self.next_seq = seq + 1
        self.count += 1
        kind: str = event.type
        at = event.at
        book = self.book
        if kind == "checkpoint":
            if book is None:
                self._first(event)
            self._checkpoint(event, line)
            return
        self.chain.add(line)
        if book is None:
            self._first(event)
            return
        book.seq = seq
        book.revision = self.fixed_revision or self.count
        if at < book.at:
            book.report("clock_backwards", "", f"event {seq} bears an earlier time than the one before it")
        book.at = at
        handler = self.plain_handlers.get(kind)
        if (
            handler is not None
            and event.round == self.round
            and self.round_open
            and not self.blind
            and event.table == self.table_name
        ):  # as a rule: nothing begins or ends, and the game alone has to do with it
            if kind == "bet_placed":
                info = self.round_info
                info[2] += 1
                info[3] += event.amount
            handler(event)
            if self.watch is not None:
                self._show(event, kind)
        else:
            if self.ended is not None:
                self._tell_round()
            if event.table != self.table_name or self.closed:
                self._misplaced(event)
            elif kind in _OF_THE_TABLE:
                self._of_the_table(event)
            else:
                self._of_the_round(event, kind)
        if book.out:
            self._collect()
            if len(self.said) - self.segment_start > MOST_UNSEALED:
                self.segment_start += MOST_UNSEALED // 2

    def hole(self, first: int, last: int, code: str, reason: str) -> None:
        """The events ``first`` to ``last`` are missing (``sequence_gap``), in dispute (``conflicting_event``) or cannot
        be read (``rejected_event``): nothing about this part of the session is certain."""
        assert first == self.next_seq <= last
        self.next_seq = last + 1
        self.segment_broken = True
        self.sums[{"sequence_gap": "gaps", "conflicting_event": "conflicts"}.get(code, "rejected")] += 1
        if self.ended is not None:
            self._tell_round()
        if self.at is None:
            self.early_holes.append((code, first, reason))
        else:
            self._evidence(code, first, reason)
        self._lose_sight()

    def finish(self) -> None:
        """The log ends here: what is undecided is open."""
        self._tell_early_holes()
        if self.ended is not None:
            self._tell_round()
        if self.book is not None and not self.closed:
            if self.round_open:
                self.said.append(self._round_row(closed=False))
            self.book.close_table()
            self._collect()
            self._last_look(closed=False)

    def drain(self, *, sealed: bool = False) -> list[Said]:
        """What has been said since the last call. ``sealed``: only what no broken chain can take back any more, which
        is all up to the last checkpoint (and what is too old, see `MOST_UNSEALED`)."""
        end = max(self.segment_start, self.drained) if sealed else len(self.said)
        fresh = self.said[self.drained : end]
        self.drained = end
        done = min(self.drained, self.segment_start)
        if done:
            self.said = self.said[done:]
            self.drained -= done
            self.segment_start -= done
        return fresh

    def summary(self, duplicates: int = 0) -> SessionSummary:
        """The session in one row."""
        sums = self.sums
        casino, pit, game, rules, currency = self.house
        return SessionSummary(
            session=self.name,
            gaming_day=self.day,
            casino=casino,
            pit=pit,
            table=self.table_name,
            game=game,
            rules=rules,
            currency=currency,
            state="closed" if self.closed else "open",
            opened_at_us=sums["opened_at_us"],
            closed_at_us=sums["closed_at_us"],
            float_open=sums["float_open"],
            float_close=sums["float_close"],
            fills=sums["fills"],
            credits=sums["credits"],
            drop=sums["drop"],
            events=self.count,
            rounds=self.round_count,
            settlements=self.book.told_settlements if self.book else 0,
            findings=(self.book.told_findings if self.book else 0) + sums["findings"],
            gaps=sums["gaps"],
            conflicts=sums["conflicts"],
            duplicates=duplicates,
            rejected=sums["rejected"],
            checkpoints_good=sums["good"],
            checkpoints_bad=sums["bad"],
            revision=self.fixed_revision or self.count,
        )

    # --- the table ------------------------------------------------------------------------------------------------

    def _first(self, event: Any) -> None:
        """Nothing can be judged before the table is opened under rules that retally has."""
        if self.at is None:
            self.day = event.at.astimezone(datetime.UTC).date().isoformat()
            self.table_name = event.table
        self.at = event.at
        if event.type != "table_opened" or event.seq != 1:
            self._tell_early_holes()
            if event.seq == 1:
                self._evidence(
                    "rejected_event", 1, f"the session begins with {event.type}, not with table_opened", event
                )
            return
        self.opened = True
        self.day = day = event.gaming_day or self.day
        self.house = (event.casino, event.pit, event.game, event.rules, event.currency)
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
            self.sums["rejected"] += 1
            self._evidence("rejected_event", 1, f"the table cannot be judged: {error}", event)
            return
        self.sums["float_open"] = event.float_minor
        self.sums["opened_at_us"] = microseconds(event.at)
        self.open_table(table, procedure, event)
        self._cage(event, "float_open", event.float_minor)

    def open_table(self, table: Table, procedure: type[games.Game], event: Any) -> None:
        """The table is open under its rules: from here on events are judged."""
        self.table = table
        self.day = table.gaming_day
        self.house = (table.casino, table.pit, table.rules.game, table.rules.pack, table.currency)
        self.book = Book(self.name, table)
        self.book.seq = event.seq
        self.book.at = event.at
        self.book.revision = self.fixed_revision or self.count
        self.game = procedure(table, self.book)
        game = self.game
        self.handlers = {
            kind: getattr(game, kind)
            for kind in (
                "round_opened",
                "bet_placed",
                "bet_raised",
                "bet_withdrawn",
                "bets_closed",
                "card_dealt",
                "tile_dealt",
                "dice_rolled",
                "dice_changed",
                "ball_landed",
                "decision",
                "bet_settled",
                "round_closed",
                "shoe_loaded",
                "cut_card",
                "table_closing",
                "rake_taken",
                "commission_taken",
            )
            if hasattr(game, kind)
        }
        self.plain_handlers = {
            kind: handler
            for kind, handler in self.handlers.items()
            if kind != "round_closed" and kind not in _TO_THE_BOX
        }
        game.report_setup(table.faults)
        game.table_opened()
        watching = self.judging.watching
        if watching is not None:
            self.watch = Watch(self.name, table, watching)
        self._collect()

    def _of_the_table(self, event: Any) -> None:
        kind = event.type
        assert self.book is not None
        if kind == "dealer_on":
            self.dealer = self.book.dealer = event.dealer
            if self.watch is not None:
                self.watch.dealer = event.dealer
                self._show(event, kind)
        elif kind == "fill":
            self.sums["fills"] += event.amount
            self._cage(event, "fill", event.amount)
        elif kind == "credit":
            self.sums["credits"] += event.amount
            self._cage(event, "credit", event.amount)
        elif kind == "drop_counted":
            self._drop(event)
        elif kind == "table_closed":
            self._close_table(event)
        else:
            self.book.report("rejected_event", "", f"event {event.seq} opens the table a second time; it is ignored")

    def _drop(self, event: Any) -> None:
        self.sums["drop"] += event.amount
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
        self.sums["float_close"] = event.float_minor
        self.sums["closed_at_us"] = microseconds(event.at)
        self._cage(event, "float_close", event.float_minor)

    def _misplaced(self, event: Any) -> None:
        """An event of another table, or one that comes after the table was closed."""
        assert self.book is not None
        if event.table != self.table_name:
            self.sums["rejected"] += 1
            self._evidence(
                "rejected_event",
                event.seq,
                f"event {event.seq} is of table {event.table}, the session of {self.table_name}",
                event,
            )
            self._lose_sight()
        elif event.type in _AFTER_CLOSING:
            self._drop(event)
        else:
            self.sums["rejected"] += 1
            self._evidence(
                "rejected_event", event.seq, f"event {event.seq} ({event.type}) comes after the table was closed", event
            )

    def _cage(self, event: Any, movement: str, amount: int) -> None:
        table = self.table
        assert table is not None
        self.said.append(
            Cage(
                session=self.name,
                seq=event.seq,
                movement=movement,
                gaming_day=table.gaming_day,
                casino=table.casino,
                pit=table.pit,
                table=table.name,
                game=table.rules.game,
                currency=table.currency,
                amount=amount,
                at_us=microseconds(event.at),
                revision=self.fixed_revision or self.count,
            )
        )

    # --- rounds ---------------------------------------------------------------------------------------------------

    def _of_the_round(self, event: Any, kind: str) -> None:
        number: int | None = event.round
        starts = kind in _STARTS_A_ROUND
        if self.round_open:
            if (number is not None and number > self.round) or (
                number is None and self.blind and kind == "round_opened"
            ):
                already_said = len(self.said)
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
        if kind in _TO_THE_BOX and kind in self.handlers:
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
            info = self.round_info
            info[2] += 1
            info[3] += event.amount
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
        told = {(said.round, said.bet) for said in self.book.out if isinstance(said, Settlement)}
        self.said[already_said:] = [
            said
            for said in self.said[already_said:]
            if not (isinstance(said, Settlement) and (said.round, said.bet) in told)
        ]

    def _begin_round(self, event: Any, kind: str, number: int) -> None:
        assert self.book is not None and self.game is not None
        self.round = self.book.round = number
        self.book.round_findings = 0
        self.book.subjects.clear()
        self.round_open = True
        self.round_count += 1
        self.segment_rounds.append(number)
        if self.blind and self.game.sight_returns_with_round and not (self.first_after_hole and kind != "round_opened"):
            self.blind = False
        self.round_info = [event.seq, microseconds(event.at), 0, 0, not self.blind]
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
            if self.round_info[4] and not self.game.stakes_live_on:
                self.book.unseen = False  # claims on what was not seen may come a round late, not later
        self._collect()
        self.round_open = False
        self.ended = self._round_row(closed=True)

    def _round_row(self, *, closed: bool) -> Round:
        table, book, game = self.table, self.book, self.game
        assert table is not None and book is not None and game is not None
        opened_seq, opened_at, bets, staked, verifiable = self.round_info
        return Round(
            session=self.name,
            round=self.round,
            gaming_day=table.gaming_day,
            casino=table.casino,
            pit=table.pit,
            table=table.name,
            game=table.rules.game,
            rules=table.rules.pack,
            currency=table.currency,
            dealer=self.dealer,
            opened_seq=opened_seq,
            closed_seq=book.seq if closed else 0,
            opened_at_us=opened_at,
            closed_at_us=microseconds(book.at) if closed else 0,
            outcome=game.outcome if verifiable else "",
            bets=bets,
            staked=staked,
            findings=book.round_findings,
            sealed=False,
            verifiable=bool(verifiable),
            revision=self.fixed_revision or self.count,
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
            revision=self.fixed_revision or self.count,
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
        self.said.append(row)
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
        self.said += found

    # --- evidence -------------------------------------------------------------------------------------------------

    def _lose_sight(self) -> None:
        self.blind = True
        self.first_after_hole = True
        self.round_info[4] = False
        if self.book is None or self.game is None or self.closed:
            return
        self.book.revision = self.fixed_revision or self.count
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
        self.round_info[4] = False
        if kind == "bet_placed":
            self.round_info[2] += 1
            self.round_info[3] += event.amount
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
        book = self.book
        if book is not None:
            book.seq = event.seq
            book.revision = self.fixed_revision or self.count
        if book is not None and event.table != self.table_name:
            self._misplaced(event)
        rounds = self.segment_rounds or [self.round]
        where = f"round {rounds[0]}" if len(rounds) == 1 else f"rounds {rounds[0]} to {rounds[-1]}"
        good = True
        if not self.segment_broken and self.chain.value() != event.chain:
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
        self.sums["good" if good else "bad"] += 1
        if self.ended is not None:
            self._tell_round(sealed=good and not self.segment_broken, verifiable=good)
        self.chain = Chain(event.chain)
        self.chain.add(line)
        self.segment_broken = False
        self.segment_rounds = [self.round] if self.round_open else []
        self.segment_start = len(self.said)

    def _retract(self) -> None:
        """The events since the last checkpoint are not what was sealed: nothing that was said of them stands."""
        revision = self.fixed_revision or self.count
        book = self.book
        since = self.said[self.segment_start :]
        bets = {(said.round, said.bet): said for said in since if isinstance(said, Settlement)}
        void = {
            bet: msgspec.structs.replace(
                said, paid=None, returned=None, verdict=Verdict.UNVERIFIABLE, difference=0, revision=revision
            )
            for bet, said in bets.items()
        }
        again: list[Said] = []
        for index, said in enumerate(since, self.segment_start):
            fresh = index >= self.drained
            if isinstance(said, Settlement):
                if (said.round, said.bet) in void:
                    again.append(void.pop((said.round, said.bet)))
            elif isinstance(said, Finding) and said.kind is not Kind.EVIDENCE and not said.withdrawn:
                assert book is not None
                book.told_findings -= 1
                book.round_findings -= said.round == self.round
                if not fresh:
                    again.append(msgspec.structs.replace(said, withdrawn=True, revision=revision))
            elif isinstance(said, Round):
                again.append(msgspec.structs.replace(said, outcome="", verifiable=False, revision=revision))
            elif isinstance(said, Streak):
                if not fresh:
                    again.append(msgspec.structs.replace(said, at_us=0, revision=revision))
            elif fresh:
                again.append(said)
        self.said = self.said[: max(self.drained, self.segment_start)] + again
        if book is not None:
            book.disown(bets)
        if self.watch is not None:
            self.watch.disowned()
        if self.ended is not None:
            self.ended = msgspec.structs.replace(self.ended, verifiable=False)
        self._lose_sight()
        self.first_after_hole = False  # nothing is missing between the checkpoint and the next event

    def _evidence(self, code: str, seq: int, text: str, event: Any = None) -> None:
        """A finding about the log itself."""
        kind, severity = CODES[code]
        casino, pit, game, rules, currency = self.house
        at = event.at if event is not None else self.book.at if self.book is not None else self.at
        self.sums["findings"] += 1
        if self.book is not None:
            self.book.round_findings += 1
        self.said.append(
            Finding(
                session=self.name,
                seq=seq,
                code=code,
                subject="",
                gaming_day=self.day,
                casino=casino,
                pit=pit,
                table=self.table_name,
                game=game,
                rules=rules,
                currency=currency,
                dealer=self.dealer,
                player="",
                round=self.round,
                seat=None,
                bet="",
                amount=None,
                kind=kind,
                severity=severity,
                passage="",
                text=text,
                seqs=(seq,),
                at_us=microseconds(at) if at is not None else 0,
                withdrawn=False,
                revision=self.fixed_revision or self.count,
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
            self.said += out
            watch = self.watch
            if watch is not None and not self.blind:
                for row in out:
                    if type(row) is Settlement:
                        watch.settled(row)
            book.out = []
