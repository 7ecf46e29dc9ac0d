"""From lines to verdicts: events of many sessions, in whatever order they arrive, each session folded on its own.

`Auditor.feed` takes the lines of a log one by one and folds each session as far as it is complete. What comes out of
order is held until the events before it have come; when too much is held, or the table is closed, the missing events
are given up as a hole. Of several versions of an event the first one is folded, until the seal tells which it was
(`replay.track`). Should a missing event come after all, or the seal not bear out what was folded, the session is
`late`: it must be read again from its first event (`replay.refold`), and what it said before is superseded. So the
final word is the same whatever the order of arrival; only memory and time depend on it. Held events are bounded for
each session; a session that is in order holds none, and keeps eight bytes an event, by which a copy is told from a
contradiction.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from replay.at_rest import put_away
from replay.book import microseconds
from replay.events import TOO_LONG, Refusal, decode
from replay.judging import Judging
from replay.line import whose
from replay.order import UNREADABLE, Happened, explain
from replay.results import RawEvent, Rejected, Row, SessionSummary
from replay.segment import Said
from replay.session import Session
from replay.track import Folded, PutAway, Track

MAX_HELD_EVENTS: Final = 10_000
MAX_HELD_BYTES: Final = 8 * 1024 * 1024
MAX_UNSEEN: Final = 100_000
"""Rejected lines that name a session and a sequence number, remembered in all of sessions of which no event has been
seen."""


class Auditor:
    """Audits lines of any number of sessions. Deterministic; holds no more than the limits above, and of a session
    whose table is closed and sealed, once `drain` has told it, a few hundred bytes, eight an event and seventeen a
    seal."""

    def __init__(self, judging: Judging, *, raw: bool = False, patient: bool = False) -> None:
        """``raw``: give back every event's bytes as a `RawEvent` too. ``patient``: that a table was closed is no reason
        to give up what is missing before, for it may be on its way by another road."""
        self._judging = judging
        self._raw = raw
        self._patient = patient
        self.met: list[str] = []
        """The sessions of which the first line has come (the first rejected one; the first event) since whoever asks
        for them emptied the list."""
        self._tracks: dict[str, Track | PutAway] = {}
        self._active: dict[str, Track] = {}
        """Sessions that have been touched since the last drain."""
        self._rows: list[Row] = []
        self._unseen: dict[str, list[tuple[int, str, bytes]]] = {}
        """Rejected lines that name a session of which no event has been seen, as (seq, reason, line)."""
        self._unseen_count = 0
        self.lines = 0
        self.rejected = 0

    @property
    def events(self) -> int:
        """Lines that were no rejected ones."""
        return self.lines - self.rejected

    def feed(self, line: bytes, source: str, place: int, length: int = 0) -> None:
        """One line of a log: ``source`` and ``place`` (line number or offset) tell where it stands. ``length``: the
        bytes that it has, where ``line`` is no more than the beginning of one that is too long."""
        self.lines += 1
        try:
            event = decode(line)
        except Refusal as refusal:
            cut = length > len(line)
            self._reject(line, source, place, Refusal("", TOO_LONG.format(length)) if cut else refusal)
            return
        name = event.session
        track = self._active.get(name)
        if track is None:
            track = self._touch(name)
        session = track.session
        seq = event.seq
        if seq == session.next_seq:
            track.digests.append(seq, line)
            if seq <= track.reaches:
                session.unresolved = True
            if track.refusals:
                track.refusals.pop(seq, None)
            session.step(event, line)
            if track.held:
                track.release()
                self._bound(track, event)
        elif track.aside is not None:
            track.aside.append(line)
        elif self._hold(track, event, line):
            self._bound(track, event)
        else:
            return
        if self._raw:
            self._keep(track, event, line)

    def drain(self, *, sealed: bool = False) -> list[Row]:
        """What has been said since the last call; ``sealed``: without what a broken chain may still take back.
        Sessions that are done are put away."""
        rows = self._rows
        for name, track in self._active.items():
            track.look_at_seals()
            rows += track.session.drain(sealed=sealed)
            if track.session.closed:
                self._rest(name, track)
        self._active = {}
        self._rows = []
        return rows

    def _rest(self, name: str, track: Track) -> None:
        if not (track.held or track.early or track.waiting or track.awaited or track.aside is not None):
            rest = put_away(track.session, track.summary())
            if rest is not None:
                self._tracks[name] = PutAway(track, rest)

    def finish(self) -> list[Row]:
        """The log ends here: give up what is missing, and say what is left to say, a summary for each session last."""
        for name, track in self._tracks.items():
            if isinstance(track, Track) or track.refusals:
                self.end(name)
        rows = self.drain()
        rows += [track.summary() for track in self._tracks.values()]
        return rows

    def late(self) -> dict[str, frozenset[tuple[int, bytes]]]:
        """The sessions that must be read again (`replay.refold`): name -> the events that were not folded at first;
        none, where something puts right what was folded."""
        for track in self._active.values():
            track.look_at_seals()
        found = {name: track for name, track in self._tracks.items() if track.ignored or track.unresolved}
        return {name: frozenset(track.ignored or ()) for name, track in found.items()}

    def session_count(self) -> int:
        """Sessions seen so far."""
        return len(self._tracks)

    # --- one session at a time ------------------------------------------------------------------------------------

    def session(self, name: str) -> Session | None:
        """The fold of this session, to be looked at; None where no event of it has been seen."""
        track = self._known(name)
        return None if track is None else track.session

    def table(self, name: str) -> str:
        """The table that this session's events name, the first of them counts; empty where none has been seen."""
        track = self._known(name)
        if track is None:
            return ""
        held = (part.event.table for part in track.held.values() if isinstance(part, Happened))
        return track.session.table_name or next(held, "")

    def drain_each(self) -> tuple[list[Row], list[tuple[str, list[Said]]]]:
        """Like `drain`, what each session says apart: rejected lines and raw events; every session of which a line has
        come since the last call, and what it has said."""
        rows, active = self._rows, self._active
        self._rows, self._active = [], {}
        for track in active.values():
            track.look_at_seals()
        return rows, [(name, track.session.drain()) for name, track in active.items()]

    def waiting(self) -> dict[str, int]:
        """The sessions that wait for a missing event, and which one."""
        return {
            name: track.session.next_seq
            for name, track in self._tracks.items()
            if isinstance(track, Track) and track.held
        }

    def give_up(self, name: str) -> None:
        """Wait no longer for the events that are missing before what this session holds."""
        self._give_up(self._touch(name), to_the_end=True)

    def settled(self, name: str) -> bool:
        """No more seals of this session will come: whether what was folded stands. Otherwise it is `late`."""
        track = self._touch(name)
        track.give_up_seals()
        return not track.ignored and not track.unresolved

    def end(self, name: str) -> None:
        """This session's log ends here: give up what is missing, and say what is left to say."""
        track = self._touch(name)
        self._give_up(track, to_the_end=True)
        _rejected_at_the_end(track.session, track.refusals)
        track.session.finish()
        track.give_up_seals()
        self._keep_early(track)

    def summary(self, name: str) -> SessionSummary:
        """This session in one row."""
        return self._tracks[name].summary()

    def set_aside(self, name: str) -> list[bytes]:
        """Fold no more of this session: its lines are collected in the list that is given back, until `resume`."""
        track = self._touch(name)
        if track.aside is None:
            track.aside = []
            track.session.next_seq = 0  # no event is the next
            track.session.unresolved = False
            track.held.clear()
            track.waiting.clear()
            track.ignored.clear()
            track.awaited.clear()
            track.sealed = len(track.session.seals.seqs)
        return track.aside

    def resume(self, name: str, folded: Folded) -> None:
        """Go on with this session, which was set aside, from what was read of it again, and fold what was collected."""
        old = self._known(name)
        assert old is not None and old.aside is not None
        track = self._tracks[name] = self._active[name] = folded.track
        track.early = old.early
        lines, rejected, raw = self.lines, self.rejected, self._raw
        rows = self._rows
        self._rows, self._raw = [], False  # all this has been given back and counted already
        try:
            for line in old.aside:
                self.feed(line, "", 0)
        finally:
            self._rows, self._raw = rows, raw
            self.lines, self.rejected = lines, rejected
        if track.session.next_seq > 1:
            self._keep_early(track)

    def forget(self, name: str) -> None:
        """Let go of this session: the next line that names it is met as the first."""
        self._tracks.pop(name, None)
        self._active.pop(name, None)
        self._unseen_count -= len(self._unseen.pop(name, ()))

    # --- order ----------------------------------------------------------------------------------------------------

    def _known(self, name: str) -> Track | None:
        """The session of this name, taken out again where it was put away; None where no event of it has been seen."""
        track = self._tracks.get(name)
        if isinstance(track, PutAway):
            track = self._tracks[name] = track.track(self._judging)
        return track

    def _touch(self, name: str) -> Track:
        track = self._known(name)
        if track is None:
            track = self._tracks[name] = Track(Session(name, self._judging))
            self.met.append(name)
            for refused in self._unseen.pop(name, ()):
                self._unseen_count -= 1
                track.refuse(*refused)
        self._active[name] = track
        return track

    def _bound(self, track: Track, event: Any) -> None:
        """Give up what is missing, should too much be held, or the event at hand close the table."""
        held = track.held
        if not held:
            return
        to_the_end = not self._patient and event.type == "table_closed"
        if to_the_end or len(held) > MAX_HELD_EVENTS or track.held_bytes > MAX_HELD_BYTES:
            self._give_up(track, to_the_end=to_the_end)
            if to_the_end:
                _rejected_at_the_end(track.session, track.refusals)

    def _hold(self, track: Track, event: Any, line: bytes) -> bool:
        """Keep the event until those before it have come; whether there is anything new in it."""
        session, seq, held = track.session, event.seq, track.held
        if seq >= session.next_seq and seq not in held:  # as a rule: where topics are read side by side, it is early
            held[seq] = Happened(event, line)
            session.unresolved |= seq <= track.reaches
            track.held_bytes += len(line)
            return True
        if track.digests.same(seq, line) if seq < session.next_seq else held[seq].line == line:
            track.duplicates += 1
            return False
        if seq < session.next_seq and not track.digests.known(seq) and seq not in track.others:
            track.ignored.add((seq, hashlib.sha256(line).digest()))  # it was missing, and comes late
            return True
        return track.other(event, line)

    def _give_up(self, track: Track, *, to_the_end: bool) -> None:
        """Stop waiting for the missing events before what is held: before all of it, or before enough of it to have
        room again."""
        session = track.session
        for seq in sorted(track.held):
            if seq < session.next_seq:
                continue
            if not to_the_end and len(track.held) <= MAX_HELD_EVENTS // 2 and track.held_bytes <= MAX_HELD_BYTES // 2:
                return
            for hole in explain(session.next_seq, seq - 1, track.refusals):
                hole.befall(session)
            track.release()

    # --- what is kept besides -------------------------------------------------------------------------------------

    def _reject(self, line: bytes, source: str, place: int, refusal: Refusal) -> None:
        self.rejected += 1
        name, seq = whose(line)
        if name and seq:
            if name in self._tracks:
                self._touch(name).refuse(seq, str(refusal), line)
            elif self._unseen_count < MAX_UNSEEN:
                self._unseen_count += 1
                if name not in self._unseen:
                    self.met.append(name)
                self._unseen.setdefault(name, []).append((seq, str(refusal), line))
        self._rows.append(
            Rejected(
                source=source,
                place=place,
                digest=hashlib.sha256(line).hexdigest(),
                session=name,
                seq=seq,
                field=refusal.field,
                reason=refusal.reason,
                raw=line,
            )
        )

    def _keep(self, track: Track, event: Any, line: bytes) -> None:
        """Give back the event as it came, under the gaming day of its session."""
        session = track.session
        if session.next_seq > 1 or session.at is not None:
            if track.early:
                self._keep_early(track)
            self._rows.append(_raw_event(session, event, line))
        else:
            track.early.append((event, line))
            if len(track.early) > MAX_HELD_EVENTS:
                self._keep_early(track)

    def _keep_early(self, track: Track) -> None:
        self._rows += [_raw_event(track.session, event, line) for event, line in track.early]
        track.early.clear()


def _raw_event(session: Session, event: Any, line: bytes) -> RawEvent:
    """The event as it came."""
    return RawEvent(  # by position: see Book
        session.name,
        event.seq,
        hashlib.sha256(line).hexdigest(),
        session.day,
        event.table,
        event.device,
        event.type,
        event.round or 0,
        microseconds(event.at),
        line,
    )


def _rejected_at_the_end(session: Session, refusals: dict[int, str]) -> None:
    """Rejected lines right after the last event that could be read. One that claims a number further on proves nothing:
    no hole is made of it."""
    while session.next_seq in refusals:
        seq = session.next_seq
        session.hole(seq, seq, "rejected_event", UNREADABLE.format(seq, refusals[seq]))
