"""A session beside its rounds: the table's people and limits, its chips and money, and what is put right."""

from __future__ import annotations

from typing import Any, Final

from replay import games
from replay.book import Book, microseconds
from replay.clocks import TOLERANCE, Clocks, contradiction
from replay.corrections import NOTHING, Besides, Correction, is_correction
from replay.events import OF_CHIPS
from replay.heading import Heading
from replay.judging import Judging
from replay.results import Finding
from replay.rules import RuleError, Table
from replay.saying import Saying
from replay.tableau import describe

_CHIPS_OF_A_PLAYER: Final = frozenset(OF_CHIPS) - {"chips_counted"}


class BesidePlay(Saying):
    """What a session makes of the events that no game has to do with."""

    __slots__ = ("besides", "clocks", "pending", "unresolved")

    def __init__(self, name: str, judging: Judging, *, revision: int | None = None) -> None:
        super().__init__(name, judging, revision=revision)
        self.clocks = Clocks()
        self.besides: Besides = NOTHING
        """Of the event at hand."""
        self.unresolved = False
        """An event has been folded that puts right what was before it, and was folded as it was said: the session must
        be folded anew from its first event."""
        self.pending: list[tuple[Any, Correction]] = []
        """Corrections that wait for their seal."""

    def _look_at_clocks(self, event: Any, round_opened_us: int | None) -> None:
        """An event that bears an earlier time than one before it. ``round_opened_us``: since when a round is open.

        Where it is "no more bets", and fits all but stakes that were laid before it, it is the stakes that contradict
        the order; else it is the event's own clock that is behind.
        """
        book, clocks = self.book, self.clocks
        assert book is not None
        if event.type == "bets_closed" and round_opened_us is not None and round_opened_us <= microseconds(event.at):
            later = [bet for bet in book.live.values() if bet.at > event.at]
            if any(bet.at - event.at > TOLERANCE for bet in later):
                for bet in later:
                    if clocks.ahead(bet.at, bet.device, event):
                        book.report("clock_backwards", "", contradiction(bet.id, bet.at, event), bet=bet)
                clocks.latest, clocks.latest_at = event, event.at
                return
        told = clocks.behind(event)
        if told:
            book.report("clock_backwards", "", told)

    def beside_play(self, event: Any) -> None:
        """An event of the table, but for its closing and the void of a round."""
        kind = event.type
        book = self.book
        assert book is not None
        if kind == "dealer_on":
            self.dealer = book.dealer = event.dealer
        elif kind == "fill":
            self.counts.fills += event.amount
            self._cage(event, "fill", event.amount)
        elif kind == "credit":
            self.counts.credits += event.amount
            self._cage(event, "credit", event.amount)
        elif kind == "drop_counted":
            self._drop(event)
        elif kind == "goodwill_paid":
            self._goodwill(event)
        elif kind == "limits_changed":
            self._post(event)
        elif is_correction(event):
            self._put_right(event)
        elif kind in OF_CHIPS:
            self._cage(event, kind, event.amount)
        else:
            book.report("rejected_event", "", f"event {event.seq} opens the table a second time; it is ignored")

    def _drop(self, event: Any) -> None:
        """The count room's count; a second one takes the place of the first, and is told."""
        book, counts = self.book, self.counts
        assert book is not None
        if counts.drop_counted:
            text = f"the drop is counted anew: {book.table.shown(event.amount)}, not {book.table.shown(counts.drop)}"
            book.report("drop_recounted", "", text, amount=abs(event.amount - counts.drop))
            self._collect()
        counts.drop = event.amount
        counts.drop_counted = True
        self._cage(event, "drop_counted", event.amount)

    def _goodwill(self, event: Any) -> None:
        book = self.book
        assert book is not None
        bet = None if event.bet is None else book.known(event.bet)
        about = "" if event.bet is None else f" on bet {event.bet}"
        text = f"{event.by} gives {book.table.shown(event.amount)}{about} outside the rules: {event.reason}"
        book.report("goodwill_paid", "", text, bet=bet, bet_id=event.bet or "", amount=event.amount)
        self._cage(event, "goodwill_paid", event.amount)

    def _post(self, event: Any) -> None:
        """Other limits hold from here on; what the law has against them is told as when the table was opened."""
        book, game = self.book, self.game
        assert book is not None
        table = book.table
        before = {(found.passage, found.text) for found in _faults_of(table, game)}
        try:
            table.post(event.limits)
        except RuleError as error:
            book.report("rejected_event", "", f"event {event.seq}: {error}")
            return
        if game is not None:
            game.limits_changed()
        for found in _faults_of(table, game):
            if (found.passage, found.text) not in before:
                book.report(found.code, found.passage, found.text)

    # --- what is put right ----------------------------------------------------------------------------------------

    def _put_right(self, event: Any) -> None:
        correction = self.besides.correction
        book = self.book
        assert book is not None
        if correction is None:
            self.unresolved = True
        elif correction.waits:
            self.pending.append((event, correction))
        elif correction.wrong:
            self._refuse_correction(event, correction)
        else:
            was, now = correction.was, correction.now
            by = f" by {event.by}" if event.by else ""
            reason = f" ({event.reason})" if event.type == "event_corrected" else ""
            currency = book.table.currency
            text = (
                f"event {correction.corrects} is put right{by}{reason}: {describe(now, currency)};"
                f" it was said: {describe(was, currency)}"
            )
            bet = getattr(now, "bet", None)
            seat = None if bet else getattr(now, "seat", None)
            book.report("corrected", "", text, bet_id=bet or "", seat=seat, besides=(correction.corrects,))
            self._collect()

    def _call_void(self, event: Any, *, open_: bool) -> None:
        """A round is called void; ``open_``: one is open."""
        correction = self.besides.correction
        if correction is None:
            self.unresolved = True
        elif correction.waits:
            self.pending.append((event, correction))
        elif self.void is not None and open_ and not correction.wrong:
            self.void.call(event, blind=self.blind)
        else:
            self._refuse_correction(event, correction)

    def _refuse_correction(self, event: Any, correction: Correction) -> None:
        self._evidence("rejected_event", event.seq, f"event {event.seq} changes nothing: {correction.wrong}", event)

    def _tell_pending(self) -> None:
        """The log ends, and no seal has come."""
        for event, correction in self.pending:
            self._refuse_correction(event, correction)
        self.pending = []


def _faults_of(table: Table, game: games.Game | None) -> list[Finding]:
    """What the law has against how this table is set up."""
    if game is None:
        return []
    scratch = type(game)(table, Book(Heading.of("", table), table))
    scratch.report_setup(table.faults)
    scratch.table_opened()
    return [said for said in scratch.book.out if isinstance(said, Finding)]
