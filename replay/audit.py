"""From lines to verdicts: events of many sessions, in whatever order they arrive, each session folded on its own.

`Auditor.feed` takes the lines of a log one by one and folds each session as far as it is complete. What comes out of
order is held until the events before it have come; when too much is held, or the table is closed, the missing events
are given up as a hole. Should one of them come after all, or a second version of an event that has been folded, the
session is `late`: it must be read again from its first event (`replay.refold`), and what it said before is superseded.
So the final word is the same whatever the order of arrival; only memory and time depend on it. Held events are bounded
for each session; a session that is in order holds none, and keeps eight bytes an event, by which a copy is told from a
contradiction.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from replay.at_rest import AtRest, put_away
from replay.book import microseconds
from replay.events import TOO_LONG, Refusal, decode
from replay.judging import Judging
from replay.line import whose
from replay.results import RawEvent, Rejected, Row, SessionSummary
from replay.segment import Said
from replay.session import Session

MAX_HELD_EVENTS: Final = 10_000
MAX_HELD_BYTES: Final = 8 * 1024 * 1024
MAX_REFUSALS_KEPT: Final = 100_000
"""Rejected lines that name a session and a sequence number, remembered for each session to explain holes; and so many
in all of sessions of which no event has been seen."""

UNREADABLE: Final = "event {} was rejected: {}"


class _Digests:
    """Which events of a session were folded, and what they were: eight bytes an event.

    The digest is Python's keyed hash of the bytes: it lives as long as the process and never leaves it.
    """

    __slots__ = ("_add", "_next", "_runs", "_starts")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._runs: list[array[int]] = []
        self._next = 0
        self._add: Callable[[int], None]
        """Adds to the last run."""

    def append(self, seq: int, line: bytes) -> None:
        """The next event folded; ``seq`` never falls."""
        if seq != self._next:
            run = array("q")
            self._starts.append(seq)
            self._runs.append(run)
            self._add = run.append
        self._next = seq + 1
        self._add(hash(line))

    def same(self, seq: int, line: bytes) -> bool:
        """Whether the event folded as ``seq`` had these very bytes; False when none was folded."""
        index = bisect_right(self._starts, seq) - 1
        if index < 0:
            return False
        run = self._runs[index]
        offset = seq - self._starts[index]
        return offset < len(run) and run[offset] == hash(line)

    def known(self, seq: int) -> bool:
        """Whether an event was folded as ``seq``."""
        index = bisect_right(self._starts, seq) - 1
        return index >= 0 and seq - self._starts[index] < len(self._runs[index])

    def packed(self) -> Packed:
        """The same in as little room as it takes."""
        return tuple((start, run.tobytes()) for start, run in zip(self._starts, self._runs, strict=True))

    @classmethod
    def of(cls, packed: Packed) -> _Digests:
        """What was packed."""
        digests = cls()
        for start, content in packed:
            run = array("q", content)
            digests._starts.append(start)
            digests._runs.append(run)
            digests._next, digests._add = start + len(run), run.append
        return digests


Packed = tuple[tuple[int, bytes], ...]


class _Track:
    """One session on its way through the auditor."""

    __slots__ = (
        "aside",
        "digests",
        "disputed",
        "duplicates",
        "early",
        "held",
        "held_bytes",
        "ignored",
        "refusals",
        "session",
    )

    def __init__(self, session: Session) -> None:
        self.session = session
        self.aside: list[bytes] | None = None
        """Set aside: the lines that have come since, which are not folded."""
        self.digests = _Digests()
        self.held: dict[int, tuple[Any, bytes] | None] = {}
        """Events that wait for those before them; None where two versions contradict each other."""
        self.held_bytes = 0
        self.disputed: dict[int, set[int]] = {}
        """Events that contradict each other, by their digests: what else comes under such a number changes nothing."""
        self.early: list[tuple[Any, bytes]] = []
        """Events that are to be given back as they are, once it is known of which gaming day they are."""
        self.refusals: dict[int, str] = {}
        """Why the event of this number, which has not been folded, was rejected."""
        self.ignored: set[tuple[int, bytes]] = set()
        """Lines that came too late to be folded, as (seq, SHA-256): reason to read the session again."""
        self.duplicates = 0

    def summary(self) -> SessionSummary:
        """The session in one row."""
        return self.session.summary(self.duplicates)

    def refuse(self, seq: int, reason: str, line: bytes) -> None:
        """A rejected line bears this number: that is why the event is missing, should it be missing."""
        next_seq = self.session.next_seq
        if self.aside is not None:
            self.aside.append(line)
        elif seq >= next_seq:
            keep_first(self.refusals, seq, reason, MAX_REFUSALS_KEPT)
        elif not self.digests.known(seq) and seq not in self.disputed:
            told = self.refusals.get(seq)
            if told is None or reason < told:
                self.ignored.add((seq, hashlib.sha256(line).digest()))


class _PutAway:
    """A session whose table is closed and sealed: what tells a copy of its events from something new, and how to go on
    where there is something new."""

    __slots__ = ("disputed", "duplicates", "ignored", "packed", "refusals", "rest")

    def __init__(self, track: _Track, rest: AtRest) -> None:
        self.rest = rest
        self.packed = track.digests.packed()
        self.duplicates = track.duplicates
        self.disputed = track.disputed or None
        self.refusals = track.refusals or None
        self.ignored = track.ignored or None

    def summary(self) -> SessionSummary:
        """The session in one row."""
        return self.rest.row

    def track(self, judging: Judging) -> _Track:
        """On its way through the auditor again."""
        track = _Track(self.rest.wake(judging))
        track.digests = _Digests.of(self.packed)
        track.duplicates = self.duplicates
        track.disputed = self.disputed or {}
        track.refusals = self.refusals or {}
        track.ignored = self.ignored or set()
        return track


class Auditor:
    """Audits lines of any number of sessions. Deterministic; holds no more than the limits above, and of a session
    whose table is closed and sealed, once `drain` has told it, a few hundred bytes and eight an event."""

    def __init__(self, judging: Judging, *, raw: bool = False, patient: bool = False) -> None:
        """``raw``: give back every event's bytes as a `RawEvent` too. ``patient``: that a table was closed is no reason
        to give up what is missing before, for it may be on its way by another road."""
        self._judging = judging
        self._raw = raw
        self._patient = patient
        self.met: list[str] = []
        """The sessions of which the first line has come (the first rejected one; the first event) since whoever asks
        for them emptied the list."""
        self._tracks: dict[str, _Track | _PutAway] = {}
        self._active: dict[str, _Track] = {}
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
            if track.refusals:
                track.refusals.pop(seq, None)
            session.step(event, line)
            if track.held:
                self._release(track)
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
            rows += track.session.drain(sealed=sealed)
            if track.session.closed:
                self._rest(name, track)
        self._active = {}
        self._rows = []
        return rows

    def _rest(self, name: str, track: _Track) -> None:
        if not (track.held or track.early or track.aside is not None):
            rest = put_away(track.session, track.summary())
            if rest is not None:
                self._tracks[name] = _PutAway(track, rest)

    def finish(self) -> list[Row]:
        """The log ends here: give up what is missing, and say what is left to say, a summary for each session last."""
        for name, track in self._tracks.items():
            if isinstance(track, _Track) or track.refusals:
                self.end(name)
        rows = self.drain()
        rows += [track.summary() for track in self._tracks.values()]
        return rows

    def late(self) -> dict[str, frozenset[tuple[int, bytes]]]:
        """The sessions that must be read again (`replay.refold`): name -> the events that were not folded at first."""
        return {name: frozenset(track.ignored) for name, track in self._tracks.items() if track.ignored}

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
        held = (event.table for event, _ in filter(None, track.held.values()))
        return track.session.table_name or next(held, "")

    def drain_each(self) -> tuple[list[Row], list[tuple[str, list[Said]]]]:
        """Like `drain`, what each session says apart: rejected lines and raw events; every session of which a line has
        come since the last call, and what it has said."""
        rows, active = self._rows, self._active
        self._rows, self._active = [], {}
        return rows, [(name, track.session.drain()) for name, track in active.items()]

    def waiting(self) -> dict[str, int]:
        """The sessions that wait for a missing event, and which one."""
        return {
            name: track.session.next_seq
            for name, track in self._tracks.items()
            if isinstance(track, _Track) and track.held
        }

    def give_up(self, name: str) -> None:
        """Wait no longer for the events that are missing before what this session holds."""
        self._give_up(self._touch(name), to_the_end=True)

    def end(self, name: str) -> None:
        """This session's log ends here: give up what is missing, and say what is left to say."""
        track = self._touch(name)
        self._give_up(track, to_the_end=True)
        _rejected_at_the_end(track.session, track.refusals)
        track.session.finish()
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
            track.held.clear()
            track.ignored.clear()
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

    def _known(self, name: str) -> _Track | None:
        """The session of this name, taken out again where it was put away; None where no event of it has been seen."""
        track = self._tracks.get(name)
        if isinstance(track, _PutAway):
            track = self._tracks[name] = track.track(self._judging)
        return track

    def _touch(self, name: str) -> _Track:
        track = self._known(name)
        if track is None:
            track = self._tracks[name] = _Track(Session(name, self._judging))
            self.met.append(name)
            for refused in self._unseen.pop(name, ()):
                self._unseen_count -= 1
                track.refuse(*refused)
        self._active[name] = track
        return track

    def _bound(self, track: _Track, event: Any) -> None:
        """Give up what is missing, should too much be held, or the event at hand close the table."""
        held = track.held
        if not held:
            return
        to_the_end = not self._patient and event.type == "table_closed"
        if to_the_end or len(held) > MAX_HELD_EVENTS or track.held_bytes > MAX_HELD_BYTES:
            self._give_up(track, to_the_end=to_the_end)
            if to_the_end:
                _rejected_at_the_end(track.session, track.refusals)

    def _hold(self, track: _Track, event: Any, line: bytes) -> bool:
        """Keep the event until those before it have come; whether there is anything new in it."""
        session, seq, held = track.session, event.seq, track.held
        if seq >= session.next_seq and seq not in held:  # as a rule: where topics are read side by side, it is early
            held[seq] = (event, line)
            track.held_bytes += len(line)
            return True
        versions = track.disputed.get(seq)
        if versions is not None:
            if hash(line) in versions:
                track.duplicates += 1
                return False
            versions.add(hash(line))
            session.heard(event)
        elif seq < session.next_seq:
            if track.digests.same(seq, line):
                track.duplicates += 1
                return False
            track.ignored.add((seq, hashlib.sha256(line).digest()))
        else:
            first = held[seq]
            assert first is not None
            if first[1] == line:
                track.duplicates += 1
                return False
            track.disputed[seq] = {hash(first[1]), hash(line)}
            held[seq] = None
            session.heard(first[0])
            session.heard(event)
            track.held_bytes -= len(first[1])
        return True

    def _release(self, track: _Track) -> None:
        """Fold what is held as far as it is in order."""
        session, held, digests = track.session, track.held, track.digests
        while (seq := session.next_seq) in held:
            waiting = held.pop(seq)
            if waiting is None:
                session.hole(seq, seq, "conflicting_event", f"event {seq} came twice, with different contents")
            else:
                event, line = waiting
                track.held_bytes -= len(line)
                digests.append(seq, line)
                if track.refusals:
                    track.refusals.pop(seq, None)
                session.step(event, line)

    def _give_up(self, track: _Track, *, to_the_end: bool) -> None:
        """Stop waiting for the missing events before what is held: before all of it, or before enough of it to have
        room again."""
        session = track.session
        for seq in sorted(track.held):
            if seq < session.next_seq:
                continue
            if not to_the_end and len(track.held) <= MAX_HELD_EVENTS // 2 and track.held_bytes <= MAX_HELD_BYTES // 2:
                return
            for hole in explain(session.next_seq, seq - 1, track.refusals):
                session.hole(*hole)
            self._release(track)

    # --- what is kept besides -------------------------------------------------------------------------------------

    def _reject(self, line: bytes, source: str, place: int, refusal: Refusal) -> None:
        self.rejected += 1
        name, seq = whose(line)
        if name and seq:
            if name in self._tracks:
                self._touch(name).refuse(seq, str(refusal), line)
            elif self._unseen_count < MAX_REFUSALS_KEPT:
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

    def _keep(self, track: _Track, event: Any, line: bytes) -> None:
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

    def _keep_early(self, track: _Track) -> None:
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


def keep_first(refusals: dict[int, str], seq: int, reason: str, most: int | None = None) -> None:
    """Of several reasons for one number the first in the alphabet counts, so that the order of arrival does not."""
    known = refusals.get(seq)
    if known is None:
        if most is None or len(refusals) < most:
            refusals[seq] = reason
    elif reason < known:
        refusals[seq] = reason


def explain(first: int, last: int, refusals: dict[int, str]) -> Iterator[tuple[int, int, str, str]]:
    """Cut the hole from ``first`` to ``last`` into events that were rejected and events that never came."""
    start = first
    rejected = (
        [seq for seq in range(first, last + 1) if seq in refusals]
        if last - first < len(refusals)
        else sorted(seq for seq in refusals if first <= seq <= last)
    )
    for seq in rejected:
        if start < seq:
            yield (start, seq - 1, "sequence_gap", _gap(start, seq - 1))
        yield (seq, seq, "rejected_event", UNREADABLE.format(seq, refusals[seq]))
        start = seq + 1
    if start <= last:
        yield (start, last, "sequence_gap", _gap(start, last))


def _rejected_at_the_end(session: Session, refusals: dict[int, str]) -> None:
    """Rejected lines right after the last event that could be read. One that claims a number further on proves nothing:
    no hole is made of it."""
    while session.next_seq in refusals:
        seq = session.next_seq
        session.hole(seq, seq, "rejected_event", UNREADABLE.format(seq, refusals[seq]))


def _gap(first: int, last: int) -> str:
    return f"event {first} is missing" if first == last else f"events {first} to {last} are missing"


class Folded:
    """All lines of one session that were read again, folded as far as nothing is missing, for `Auditor.resume`."""

    def __init__(self, name: str, lines: Iterable[bytes], judging: Judging) -> None:
        """``lines``: in whatever order. Of no other session; what cannot be read may be among them."""
        auditor = Auditor(judging)
        track = self.track = auditor._touch(name)
        for line in lines:
            try:
                event = decode(line)
            except Refusal as refusal:
                named, seq = whose(line)
                if named == name and seq:
                    track.refuse(seq, str(refusal), line)
                continue
            if event.session == name:
                auditor._hold(track, event, line)
        auditor._release(track)

    @property
    def events(self) -> int:
        """Events that were folded or are held."""
        return self.track.session.count + len(self.track.held)
