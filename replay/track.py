"""One session on its way through the auditor: what was folded, what waits, and what came besides."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any, Final

from replay.at_rest import AtRest
from replay.judging import Judging
from replay.order import Happened, Hole, Ordered, keep_first
from replay.results import SessionSummary
from replay.segment import BROKEN, GOOD
from replay.session import Session
from replay.versions import MAX_EVENTS, MAX_WAYS

MAX_REFUSALS_KEPT: Final = 100_000
"""Rejected lines that name a session and a sequence number, remembered for each session."""


class Digests:
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
    def of(cls, packed: Packed) -> Digests:
        """What was packed."""
        digests = cls()
        for start, content in packed:
            run = array("q", content)
            digests._starts.append(start)
            digests._runs.append(run)
            digests._next, digests._add = start + len(run), run.append
        return digests


Packed = tuple[tuple[int, bytes], ...]


class Track:
    """One session on its way through the auditor.

    Of several versions of an event the first that comes is folded. The rest wait for the seal: if it bears out what was
    folded, that they came is told. In all other cases the session is read again, as `replay.order.Ordered` has it.
    """

    __slots__ = (
        "aside",
        "awaited",
        "digests",
        "disputed",
        "duplicates",
        "early",
        "held",
        "held_bytes",
        "ignored",
        "others",
        "reaches",
        "refusals",
        "refused",
        "sealed",
        "session",
        "told",
        "unweighed",
        "waiting",
    )

    def __init__(self, session: Session) -> None:
        self.session = session
        self.aside: list[bytes] | None = None
        """Set aside: the lines that have come since, which are not folded."""
        self.digests = Digests()
        self.held: dict[int, Happened | Hole] = {}
        """What waits for the events before it."""
        self.held_bytes = 0
        self.early: list[tuple[Any, bytes]] = []
        """Events that are to be given back as they are, once it is known of which gaming day they are."""
        self.refusals: dict[int, str] = {}
        """Why the event of this number, which has not been folded, was rejected."""
        self.refused: dict[int, set[bytes]] = {}
        """Rejected lines by number, as SHA-256."""
        self.unweighed: set[int] = set()
        """Numbers of ``refused`` that may be what was sealed."""
        self.others: dict[int, set[bytes]] = {}
        """Events under a number under which another is folded or held, as SHA-256."""
        self.waiting: set[int] = set()
        """Numbers of ``others`` that no seal has told of yet."""
        self.told: set[int] = set()
        """Numbers of ``others`` that the seal does not bear out."""
        self.sealed = 0
        """So many seals have been looked at."""
        self.disputed: set[int] = set()
        """Numbers of ``others`` of which one version is a seal."""
        self.awaited: set[int] = set()
        """Missing when the session was read again: events with which more can be said of contradictory versions."""
        self.reaches = 0
        """Up to here what puts others right was heeded as far as all was known when the session was read again: with an
        event that was missing then, it may be another matter."""
        self.ignored: set[tuple[int, bytes]] = set()
        """Lines that were not folded and may count, as (seq, SHA-256): reason to read the session again."""
        self.duplicates = 0

    @property
    def unresolved(self) -> bool:
        """An event was folded that puts earlier ones right: reason to read the session again."""
        return self.session.unresolved

    def summary(self) -> SessionSummary:
        """The session in one row."""
        return self.session.summary(self.duplicates)

    def refuse(self, seq: int, reason: str, line: bytes) -> None:
        """A rejected line bears this number: that is why the event is missing, should it be missing."""
        session = self.session
        digest = hashlib.sha256(line).digest()
        known = self.refused.get(seq)
        if self.aside is not None:
            self.aside.append(line)
        elif known is None or digest not in known:
            if len(self.refused) < MAX_REFUSALS_KEPT or known is not None:
                self.refused.setdefault(seq, set()).add(digest)
                self.unweighed.add(seq)
            if seq >= session.next_seq:
                keep_first(self.refusals, seq, reason, MAX_REFUSALS_KEPT)
            elif not self.digests.known(seq):
                told = self.refusals.get(seq)
                if seq in self.others or told is None or reason < told:
                    self.ignored.add((seq, digest))
            elif self._counts_after_all(seq):
                self.ignored.add((seq, digest))

    def release(self) -> None:
        """Fold what is held as far as it is in order."""
        session, held = self.session, self.held
        while (part := held.pop(session.next_seq, None)) is not None:
            self.held_bytes -= len(part.line)
            if isinstance(part, Happened):
                seq = part.event.seq
                self.digests.append(seq, part.line)
                self.told.update(part.contradicted)
                if self.refusals:
                    self.refusals.pop(seq, None)
            part.befall(session)

    def _counts_after_all(self, seq: int) -> bool:
        """Whether a line that was rejected may be what was sealed as event ``seq``, or put others in doubt."""
        seals = self.session.seals
        place = seals.of(seq)
        if place == len(seals.seqs) or seals.seqs[place] == seq:
            return False
        if seals.states[place] == BROKEN:
            return True
        since, seal = seals.since(place), seals.seqs[place]
        return any(since < each < seal for each in self.told) and not self._few_enough(place)

    def other(self, event: Any, line: bytes) -> bool:
        """Another event than this is folded or held under its number; whether this one is new."""
        seq = event.seq
        digest = hashlib.sha256(line).digest()
        known = self.others.setdefault(seq, set())
        if digest in known:
            self.duplicates += 1
            return False
        known.add(digest)
        session, seals = self.session, self.session.seals
        held = self.held.get(seq)
        if event.type == "checkpoint" or (isinstance(held, Happened) and held.event.type == "checkpoint"):
            self.disputed.add(seq)
        place = seals.of(seq)
        if place < len(seals.seqs):
            if not self._borne_out(seq, place):
                self.ignored.add((seq, digest))
            elif seq not in self.told:
                self._tell(seq, place)
        elif (seq < session.next_seq and not self.digests.known(seq)) or isinstance(held, Hole):
            self.ignored.add((seq, digest))
        else:
            self.waiting.add(seq)
        return True

    def look_at_seals(self) -> None:
        """See what the seals say that have come since the last time."""
        session, seals = self.session, self.session.seals
        count = len(seals.seqs)
        if count == self.sealed:
            return
        if session.pending:
            session.unresolved = True
        for seq in [seq for seq in self.awaited if seq < self.session.next_seq]:
            self.awaited.discard(seq)
            if self.digests.known(seq) or seq in self.unweighed:
                self.ignored.add((seq, b""))
        for seq in [seq for seq in self.unweighed if seq <= seals.seqs[-1]]:
            self.unweighed.discard(seq)
            if seals.states[seals.of(seq)] == BROKEN and self.digests.known(seq):
                self.ignored.update((seq, digest) for digest in self.refused[seq])
        self.sealed = count
        if not self.waiting:
            return
        good: dict[int, bool] = {}
        for seq in sorted(self.waiting):
            place = seals.of(seq)
            if place == count:
                break
            self.waiting.discard(seq)
            if place not in good:
                good[place] = self._is_good(place)
            if good[place] and self._may_tell(seq, place):
                self._tell(seq, place)
            else:
                self.ignored.update((seq, digest) for digest in self.others[seq])

    def give_up_seals(self) -> None:
        """The log ends: no seal will tell any more."""
        self.look_at_seals()
        for seq in self.waiting:
            self.ignored.update((seq, digest) for digest in self.others[seq])
        self.waiting.clear()

    def _tell(self, seq: int, place: int) -> None:
        self.told.add(seq)
        self.session.contradicted(seq, self.session.seals.at_us[place])

    def _borne_out(self, seq: int, place: int) -> bool:
        """Whether this seal bears out what was folded as event ``seq``."""
        return self._may_tell(seq, place) and self._is_good(place)

    def _may_tell(self, seq: int, place: int) -> bool:
        """Whether the event is none that bears out itself."""
        return seq not in self.disputed and self.session.seals.seqs[place] != seq

    def _is_good(self, place: int) -> bool:
        """Whether this seal is good and alone, like the one before it, and there are not so many versions between them
        that it tells nothing: see `replay.versions`."""
        seals = self.session.seals
        seq, since = seals.seqs[place], seals.since(place)
        if seals.states[place] != GOOD or seq - since > MAX_EVENTS or seq in self.others or since in self.others:
            return False
        return self._few_enough(place)

    def _few_enough(self, place: int) -> bool:
        seals = self.session.seals
        since, seal = seals.since(place), seals.seqs[place]
        ways = 1
        for seq in {seq for known in (self.others, self.refused) for seq in known if since < seq < seal}:
            ways *= 1 + len(self.others.get(seq, ())) + len(self.refused.get(seq, ()))
        return ways <= MAX_WAYS


class PutAway:
    """A session whose table is closed and sealed: what tells a copy of its events from something new, and how to go on
    where there is something new."""

    __slots__ = ("besides", "duplicates", "ignored", "packed", "refusals", "rest", "unresolved")

    def __init__(self, track: Track, rest: AtRest) -> None:
        self.rest = rest
        self.packed = track.digests.packed()
        self.duplicates = track.duplicates
        self.refusals = track.refusals or None
        self.besides = None
        if track.refused or track.others:
            self.besides = track.refused, track.unweighed, track.others, track.told, track.disputed
        self.ignored = track.ignored or None
        self.unresolved = track.unresolved

    def summary(self) -> SessionSummary:
        """The session in one row."""
        return self.rest.row

    def track(self, judging: Judging) -> Track:
        """On its way through the auditor again."""
        track = Track(self.rest.wake(judging))
        track.digests = Digests.of(self.packed)
        track.duplicates = self.duplicates
        track.sealed = len(track.session.seals.seqs)
        track.refusals = self.refusals or {}
        if self.besides is not None:
            track.refused, track.unweighed, track.others, track.told, track.disputed = self.besides
        track.ignored = self.ignored or set()
        track.session.unresolved = self.unresolved
        return track


class Folded:
    """All lines of one session that were read again, folded as far as nothing is missing, for `Auditor.resume`."""

    def __init__(self, name: str, lines: Iterable[bytes], judging: Judging) -> None:
        """``lines``: in whatever order. Of no other session; what cannot be read may be among them."""
        track = self.track = Track(Session(name, judging))
        ordered = Ordered(name, lines, judging.keys)
        track.duplicates = ordered.duplicates
        for part in ordered:
            seq = part.event.seq if isinstance(part, Happened) else part.first
            if seq in ordered.events:  # what is missing may come yet
                track.held[seq] = part
                track.held_bytes += len(part.line)
        for seq, refused in ordered.refused.items():
            track.refused[seq] = {hashlib.sha256(line).digest() for line in refused}
            track.refusals[seq] = min(refused.values())
        for seq, events in ordered.events.items():
            others = {hashlib.sha256(line).digest() for line in events if line != track.held[seq].line}
            if others:
                track.others[seq] = others
        track.release()
        if ordered.puts_right:
            track.reaches = max(track.held, default=0)
        track.sealed = len(track.session.seals.seqs)
        track.awaited = ordered.awaited | (ordered.refused.keys() - ordered.events.keys())

    @property
    def events(self) -> int:
        """Events that were folded or are held."""
        return self.track.session.count + len(self.track.held)
