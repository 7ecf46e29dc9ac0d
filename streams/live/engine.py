"""A worker's share of the floor, without Kafka, Faust, clock or thread: records in, batches out.

The order of things, for whoever drives it (one thread calls `LiveFloor`; `Batch.write`, `Reading.feed` and
`Reading.fold` may run in others):

1. A partition is assigned: read the registry's partition to its end, `LiveFloor.assign`, read the four topics from what
   that returns up to their ends of this moment, giving every record to `take` (the four topics about evenly, best
   merged by the records' times: what runs ahead is held in memory), then `caught_up`. Records of the stream are given
   to `take` only after that.
2. The stream: `take` every record, of each topic and partition in the order of offsets. What was taken before is
   ignored; where offsets were skipped, the engine asks for them (`wanted`).
3. Every 200 ms or so: `batch`, `Batch.write` in a thread (again and again until it succeeds), `written`. While
   `LiveFloor.full`, take nothing.
4. At any time: `wanted` names pieces of the log that must be read (again) by a consumer of their own; give each record
   to `Reading.feed`, then call `Reading.fold` (long: in a thread), then `finished`; or `failed`.
5. A partition goes: let the batch in flight end, then `revoke`. While it is open whether it goes, take nothing of it,
   and name it to `batch` as held: if nobody else has had it in between, it goes on where it stopped.

A session is folded as its events come. Its findings are written with the next batch, all else with the next whole one
(`Settings.rest_every_s`). Three things interrupt that: its partition was taken over, an event came too late to be
folded in its place, or what the store holds at its end is not what was said. Then it is folded from its first event
again, what that says waits until it can be held against the store (`streams.live.batch.Comparison`), and then it goes
on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from hashlib import sha256
from typing import Final

import msgspec

from replay.audit import Auditor, Folded, session_of
from replay.evidence import Keys
from replay.results import Cage, Finding, Rejected, Row
from replay.session import Said
from replay.streaks.watch import Watching
from streams.live.batch import Batch, Comparison, Digests, Kept, Outlet, Proof
from streams.live.registry import Offsets, PartitionRegistry, Position, SessionEntry, State
from streams.live.topics import IN

__all__ = ["Batch", "FloorStats", "Kept", "LiveFloor", "Outlet", "Reading", "Settings"]

MOST_NAMED: Final = 1_000
"""Sessions of a partition of which nothing but rejected lines has been seen."""
MOST_ASIDE: Final = 20_000
"""Lines of a session that come while it is read again; with more, the reading begins anew."""
MOST_QUESTIONS: Final = 8
"""Sessions that one batch holds against the store: what all others say must not wait for hundreds of them."""
MOST_PROOFS: Final = 2
"""So often a session that ends is folded again because the store does not hold what was said."""
_AT_ONCE: Final = (Finding, Rejected)
"""Rows that somebody waits for, who looks while the chips are still on the table."""
PRUNE_EVERY_S: Final = 3600.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a floor is folded. Times are seconds of the injected clock."""

    keys: Keys | None = None
    """The gateways' public keys, without which signatures are not checked."""
    rules: str | None = None
    """Judge by this pack instead of the ones that the tables were opened under."""
    watching: Watching | None = None
    """How streaks are watched for; None: not at all."""
    raw: bool = True
    """Every event's bytes go to the store too."""
    home: Callable[[str], int] | None = None
    """The partition by which a table's events come. A session that comes by another one, for a gateway has mistaken its
    key or another session's name, is left alone there, and cannot take back what is said at home. None: any will do."""
    hole_patience_s: float = 5.0
    """So long a missing event is waited for; twice as long after each time that one came after all."""
    longest_patience_s: float = 600.0
    quiet_s: float = 30.0
    """A closed table whose drop was counted is done when nothing has come for so long."""
    drop_wait_s: float = 12 * 3600.0
    """A closed table whose drop was not counted is done when nothing has come for so long."""
    abandoned_s: float = 48 * 3600.0
    """A table that was never closed is done when nothing has come for so long."""
    rest_every_s: float = 1.0
    """How often all is written but findings and rejected lines: settlements, rounds, raw events, readings of streaks,
    the cage and sessions' own rows, in larger blocks than what is waited for. What says how far a partition, or a
    session, has been worked off goes only with all it claims."""
    summary_every_s: float = 10.0
    """How often the session's own row is written while it is open."""
    forget_after_s: float = 21 * 86400.0
    """A session that was done so long ago leaves the registry. Longer than the topics keep their records."""
    most_waiting_rows: int = 200_000
    """With so many rows waiting to be written the floor is `LiveFloor.full`."""
    sessions_a_reading: int = 8
    """So many sessions are read again at once at most: their lines are held in memory."""


@dataclass(frozen=True, kw_only=True)
class FloorStats:
    """The engine in numbers. Counts are since it was made."""

    partitions: int
    catching_up: int
    sessions: int
    """Sessions that are open."""
    interrupted: int
    """Of them: those that wait to be read again, or to be compared."""
    waiting_for_events: int
    """Of them: those that wait for a missing event."""
    rounds_open: int
    oldest_round_opened_us: int | None
    """When the oldest open round was opened, by its own event's time: microseconds since 1970-01-01 UTC."""
    lines: int
    events: int
    rejected: int
    rows_waiting: int
    given_up: int
    """Holes that were given up."""
    reread: int
    """Sessions that were read again."""
    corrections: int
    """Rows that were written because the store held something else."""
    disproved: int
    """Sessions at whose end the store did not hold what was said."""
    lost: int
    """Sessions that cannot be folded from their first event any more."""
    troubles: int
    """Lines on which the rules failed: a fault of the program."""
    strays: int
    """Sessions that came by a partition that is not their table's."""


class _Is(Enum):
    """What happens to a session's lines and to what it says."""

    LIVE = auto()
    """Folded; said at once."""
    HELD_BACK = auto()
    """Folded; what it says waits to be compared with the store."""
    ASIDE = auto()
    """Collected; it must be read again."""
    ENDED = auto()
    """Collected; what the store holds of it is being proven."""
    LOST = auto()
    """Left alone."""


@dataclass(eq=False)
class _Live:
    """A session of ours that is not done."""

    name: str
    start: Offsets
    touched: float
    patience_s: float
    way: _Is = _Is.LIVE
    held_back: list[Said] = field(default_factory=list)
    base: int = 0
    digests: Digests = field(default_factory=dict)
    comparison: Comparison | None = None
    proof: Proof | None = None
    aside: list[bytes] = field(default_factory=list)
    reading: Reading | None = None
    hole: tuple[int, float] = (0, 0.0)
    """The event that it waits for, and since when."""
    dropped: bool = False
    told: float = 0.0
    """When its own row was last written."""
    disproved: int = 0


@dataclass(eq=False)
class _Gap:
    """Offsets that the stream skipped."""

    topic: str
    first: int
    end: int
    reading: Reading | None = None


class Reading:
    """A piece of the log that must be read, in ``partition``, by a consumer of its own."""

    def __init__(
        self, partition: int, ranges: dict[str, tuple[int, int]], sessions: Collection[str], settings: Settings
    ) -> None:
        self.partition = partition
        self.ranges = ranges
        """Topic -> first offset and the one after the last. First 0: whatever the topic still has."""
        self.sessions = frozenset(sessions)
        """The sessions that are to be folded; none: the records themselves are wanted."""
        self.folded: dict[str, Folded | None] = {}
        """None where folding failed."""
        self.records: list[tuple[str, int, bytes]] = []
        self._settings = settings
        self._lines: dict[bytes, list[bytes]] = {_bytes(name): [] for name in self.sessions}

    def feed(self, topic: str, offset: int, value: bytes | None) -> None:
        """A record of the ranges; in any order. Others are ignored."""
        first, end = self.ranges.get(topic, (0, 0))
        if value is None or not first <= offset < end:
            return
        if not self.sessions:
            self.records.append((topic, offset, value))
            return
        for line in value.split(b"\n"):
            lines = self._lines.get(session_of(line))
            if lines is not None:
                lines.append(line)

    def fold(self) -> None:
        """All has been fed: fold it. Takes seconds for a long night; for a thread."""
        for name in sorted(self.sessions):
            lines = self._lines.pop(_bytes(name))
            try:
                how = self._settings
                self.folded[name] = Folded(name, lines, keys=how.keys, rules=how.rules, watching=how.watching)
            except Exception:
                log.exception("session %s cannot be folded", name)
                self.folded[name] = None


class _Partition:
    """The sessions of one partition."""

    def __init__(self, registry: PartitionRegistry, settings: Settings, now: float) -> None:
        self.number = registry.partition
        self.settings = settings
        self.auditor = Auditor(
            keys=settings.keys, rules=settings.rules, raw=settings.raw, patient=True, watching=settings.watching
        )
        self.position: Offsets = registry.start()
        self.said_position: Offsets = dict(registry.position)
        self.gaps: list[_Gap] = []
        self.reading: Reading | None = None
        self.catching_up = True
        self.done = {name: entry for name, entry in registry.sessions.items() if entry.state is not State.OPEN}
        self.live = {
            name: _Live(name, entry.start, now, settings.hole_patience_s, way=_Is.HELD_BACK)
            for name, entry in registry.sessions.items()
            if entry.state is State.OPEN
        }
        self.skipped = {_bytes(name): entry.end for name, entry in self.done.items() if entry.state is State.DONE}
        """While catching up: of sessions that are done, up to where their lines are nothing new."""
        self.sources = {topic: f"{topic}/{self.number}" for topic in IN}
        self.opened: list[SessionEntry] = []
        self.troubles: list[Row] = []
        self.pruned = now

    def ours(self, table: str) -> bool:
        """See `streams.live.batch.Ours`."""
        home = self.settings.home
        return home is None or home(table) == self.number

    def safe(self) -> Offsets:
        """The next offset of each topic before which nothing is missing."""
        safe = {topic: self.position.get(topic, 0) for topic in IN}
        for gap in self.gaps:
            safe[gap.topic] = min(safe[gap.topic], gap.first)
        return safe

    def rest(self, now: float) -> None:
        """Nothing has been waited for up to ``now``."""
        for live in self.live.values():
            live.touched = now
            live.hole = (live.hole[0], now)

    def feed(self, topic: str, offset: int, value: bytes) -> int:
        """The lines of one record; how many of them made trouble."""
        auditor, source = self.auditor, self.sources[topic]
        lines = iter(value.split(b"\n"))
        if self.catching_up and self.skipped:
            lines = self._new_lines(lines, topic, offset)
        troubles = 0
        while True:
            line = b""
            try:
                for line in lines:
                    if line:
                        auditor.feed(line, source, offset)
                return troubles
            except Exception as error:
                troubles += 1
                log.exception("a line at %s offset %d: the rules fail", source, offset)
                self._keep_trouble(line, source, offset, error)

    def _new_lines(self, lines: Iterator[bytes], topic: str, offset: int) -> Iterator[bytes]:
        for line in lines:
            end = self.skipped.get(session_of(line))
            if end is None or offset >= end.get(topic, 0):
                yield line

    def _keep_trouble(self, line: bytes, source: str, offset: int, error: Exception) -> None:
        self.troubles.append(
            Rejected(
                source=source,
                place=offset,
                digest=sha256(line).hexdigest(),
                session=session_of(line).decode("utf-8", "replace"),
                seq=0,
                field="",
                reason=f"the rules fail on this line ({type(error).__name__}); it is not judged",
                raw=line,
            )
        )


class LiveFloor:
    """The sessions of the partitions that a worker has been assigned."""

    def __init__(self, settings: Settings, *, clock: Callable[[], float]) -> None:
        """``clock``: seconds since 1970-01-01 UTC."""
        self._settings = settings
        self._clock = clock
        self._partitions: dict[int, _Partition] = {}
        self._next = Batch()
        self._later: list[Row] = []
        """Rows other than those `_AT_ONCE`, which wait for a whole batch."""
        self._whole_at = clock()
        """When the last whole batch was given."""
        self._in_flight: Batch | None = None
        self._counts = dict.fromkeys(
            ("given_up", "reread", "corrections", "disproved", "lost", "troubles", "strays"), 0
        )
        self._past = [0, 0, 0]
        """Lines, events and rejected lines of partitions that are no longer ours."""

    # --- partitions -----------------------------------------------------------------------------------------------

    def assign(self, partition: int, registry: PartitionRegistry) -> Offsets:
        """The partition is ours: from where its topics are to be read; a topic not named: from its beginning.

        Raises:
            ValueError: it is ours already.
        """
        if partition in self._partitions:
            raise ValueError(f"partition {partition} is assigned already")
        part = self._partitions[partition] = _Partition(registry, self._settings, self._clock())
        return dict(part.position)

    def caught_up(self, partition: int) -> None:
        """The partition has been taken up to where its topics ended when it was assigned."""
        part = self._partitions[partition]
        part.catching_up = False
        part.skipped = {}
        part.position = {topic: part.position.get(topic, 0) for topic in IN}  # what is skipped now is a gap
        part.rest(self._clock())

    def revoke(self, partition: int) -> None:
        """The partition is another's now: forget it. What of it is not in a batch yet is dropped."""
        part = self._partitions.pop(partition)
        auditor = part.auditor
        for index, count in enumerate((auditor.lines, auditor.events, auditor.rejected)):
            self._past[index] += count

    def assigned(self) -> frozenset[int]:
        """The partitions that are ours."""
        return frozenset(self._partitions)

    # --- records --------------------------------------------------------------------------------------------------

    def take(self, topic: str, partition: int, offset: int, value: bytes | None) -> None:
        """A record. Never raises for what is in it; KeyError where the partition is not ours, or the topic is none of
        the four."""
        part = self._partitions[partition]
        expected = part.position.get(topic)
        if expected is not None and offset != expected:
            if offset < expected:
                return
            part.gaps.append(_Gap(topic, expected, offset))
        part.position[topic] = offset + 1
        if value is not None:
            self._feed(part, topic, offset, value)

    def _feed(self, part: _Partition, topic: str, offset: int, value: bytes) -> None:
        self._counts["troubles"] += part.feed(topic, offset, value)
        met = part.auditor.met
        if met:
            start = part.safe()
            start[topic] = min(offset, start[topic])
            for name in met:
                self._meet(part, name, start)
            met.clear()

    def _meet(self, part: _Partition, name: str, start: Offsets) -> None:
        """A session is named for the first time since the partition was assigned, or since it was done."""
        if name in part.live:
            return
        now = self._clock()
        known = part.done.pop(name, None)
        if known is not None:
            live = part.live[name] = _Live(name, known.start, now, self._settings.hole_patience_s, way=_Is.LOST)
            if known.state is State.DONE:
                self._set_aside(part, live)
            else:
                live.aside = part.auditor.set_aside(name)
                return
        else:
            table = part.auditor.table(name)
            if not table and len(part.live) >= MOST_NAMED:
                return
            if table and not part.ours(table):
                self._counts["strays"] += 1
                log.error(
                    "session %s of table %s comes by partition %d, which is not its own", name, table, part.number
                )
                live = part.live[name] = _Live(name, dict(start), now, self._settings.hole_patience_s, way=_Is.LOST)
                live.aside = part.auditor.set_aside(name)
                return
            live = part.live[name] = _Live(name, dict(start), now, self._settings.hole_patience_s)
        part.opened.append(self._entry(part, live, State.OPEN))

    @property
    def full(self) -> bool:
        """So much waits to be written that no more should be taken."""
        return self._waiting_rows() >= self._settings.most_waiting_rows

    def _waiting_rows(self) -> int:
        in_flight = 0 if self._in_flight is None else len(self._in_flight.rows)
        return len(self._next.rows) + len(self._later) + in_flight

    # --- batches --------------------------------------------------------------------------------------------------

    def batch(self, behind: Collection[int] = (), *, held: Collection[int] = (), whole: bool = False) -> Batch | None:
        """Let time pass, and give what is to be written now; None: nothing, or the last batch is not written yet.

        ``behind``: partitions of which a topic is known to be read late; a missing event is not given up there.
        ``held``: partitions that may be another's by now; nothing is said of them, and no time passes for them.
        ``whole``: all that there is to write, even what is written less often.
        """
        now = self._clock()
        parts = []
        for part in self._partitions.values():
            if part.number in held:
                part.rest(now)
                continue
            parts.append(part)
            self._pass_time(part, now, waits=part.catching_up or part.number in behind)
            self._collect(part, now)
        if self._in_flight is not None:
            return None
        whole = whole or self.full or now - self._whole_at >= self._settings.rest_every_s
        for part in parts:
            if not part.catching_up:
                self._compare(part)
                position = part.safe()
                if whole and position != part.said_position:
                    part.said_position = position
                    self._next.reached.append(Position(partition=part.number, next=position))
        batch, self._next = self._next, Batch()
        if whole or batch.claims:
            self._whole_at = now
            batch.rows = self._later + batch.rows  # of equal revisions the one that was said last counts
            self._later = []
        else:
            self._later += [row for row in batch.rows if type(row) not in _AT_ONCE]
            batch.rows = [row for row in batch.rows if type(row) in _AT_ONCE]
        if not batch:
            return None
        self._in_flight = batch
        return batch

    def written(self, batch: Batch) -> None:
        """The batch has been written."""
        assert batch is self._in_flight
        self._in_flight = None
        self._counts["corrections"] += batch.corrections
        now = self._clock()
        for part in self._partitions.values():
            for live in list(part.live.values()):
                if live.comparison is not None and live.comparison in batch.comparisons:
                    self._compared(part, live, live.comparison, now)
                elif live.proof is not None and live.proof in batch.proofs:
                    self._proven(part, live, live.proof, now)

    def _pass_time(self, part: _Partition, now: float, *, waits: bool) -> None:
        """What is due: late sessions are set aside, holes given up, sessions ended."""
        auditor, settings = part.auditor, self._settings
        for name in auditor.late():
            live = part.live.get(name)
            if live is not None:
                live.patience_s = min(2 * live.patience_s, settings.longest_patience_s)
                self._set_aside(part, live)
        for name, seq in auditor.waiting().items():
            live = part.live.get(name)
            if live is None:
                continue
            if waits or live.hole[0] != seq:
                live.hole = (seq, now)
            elif now - live.hole[1] >= live.patience_s:
                self._counts["given_up"] += 1
                try:
                    auditor.give_up(name)
                except Exception:
                    self._counts["troubles"] += 1
                    log.exception("session %s: the rules fail", name)
        for live in list(part.live.values()):
            if live.way is _Is.LOST:
                live.aside.clear()
            elif live.way is _Is.ASIDE and len(live.aside) > MOST_ASIDE:
                live.reading = None
                live.aside.clear()
        if now - part.pruned >= PRUNE_EVERY_S:
            part.pruned = now
            self._prune(part, now)

    def _prune(self, part: _Partition, now: float) -> None:
        for name, entry in list(part.done.items()):
            if now - entry.at_s >= self._settings.forget_after_s:
                del part.done[name]
                self._next.forgotten.append((part.number, name))

    def _collect(self, part: _Partition, now: float) -> None:
        """Gather what has been said since the last time, and end the sessions that are over."""
        batch, auditor = self._next, part.auditor
        batch.opened += part.opened
        part.opened = []
        self._gather(part, now)
        if part.catching_up:
            return
        waiting = auditor.waiting()
        for live in list(part.live.values()):
            if live.way is _Is.LIVE and live.name not in waiting and now - live.touched >= self._quiet_s(part, live):
                if batch.questions >= MOST_QUESTIONS:
                    return
                self._end(part, live)

    def _gather(self, part: _Partition, now: float) -> None:
        batch, settings = self._next, self._settings
        rows, each = part.auditor.drain_each()
        batch.rows += rows
        if part.troubles:
            batch.rows += part.troubles
            part.troubles = []
        for name, said in each:
            live = part.live.get(name)
            if live is None:
                continue
            live.touched = now
            if live.way is _Is.HELD_BACK:
                live.held_back += said
            elif live.way is _Is.LIVE:
                self._say(part, live, said, told=now - live.told >= settings.summary_every_s, now=now)

    def _say(
        self, part: _Partition, live: _Live, said: list[Said], *, told: bool, now: float, ended: bool = False
    ) -> None:
        """Hand on what a session says, with its own row if that is due. Before the table is opened the gaming day is
        not known, under which that row belongs: it is due then only when the session has ``ended`` so."""
        session = part.auditor.session(live.name)
        rows: list[Row] = list(said)
        if session is not None and (ended or (told and session.opened)):
            live.told = now
            rows.append(part.auditor.summary(live.name))
        if not rows:
            return
        live.dropped = live.dropped or _drop_counted(said)
        if live.base:
            rows = [_raised(row, live.base) for row in rows]
        self._next.rows += rows
        self._next.noted.append((live.digests, rows))

    # --- the end of a session -------------------------------------------------------------------------------------

    def _quiet_s(self, part: _Partition, live: _Live) -> float:
        session = part.auditor.session(live.name)
        if session is None or not session.closed:
            return self._settings.abandoned_s
        return self._settings.quiet_s if live.dropped else self._settings.drop_wait_s

    def _end(self, part: _Partition, live: _Live) -> None:
        """Nothing more is to come: say what is left to say, and prove that the store holds it all."""
        auditor = part.auditor
        session = auditor.session(live.name)
        if session is None:  # nothing but rejected lines bear its name
            auditor.forget(live.name)
            del part.live[live.name]
            self._next.forgotten.append((part.number, live.name))
            return
        try:
            auditor.end(live.name)
        except Exception:
            log.exception("session %s: the rules fail at its end", live.name)
            self._lose(part, live)
            return
        rows, each = auditor.drain_each()
        self._next.rows += rows
        said = [row for _, of_one in each for row in of_one]
        self._say(part, live, said, told=True, now=self._clock(), ended=True)
        live.way = _Is.ENDED
        live.aside = auditor.set_aside(live.name)
        live.proof = Proof(live.name, live.digests, part.ours)
        self._next.proofs.append(live.proof)

    def _proven(self, part: _Partition, live: _Live, proof: Proof, now: float) -> None:
        live.proof = None
        if live.aside:
            self._set_aside(part, live)
            return
        if not proof.holds:
            self._counts["disproved"] += 1
            live.disproved += 1
            if live.disproved <= MOST_PROOFS:
                log.warning("session %s: the store does not hold what was said; it is folded again", live.name)
                self._set_aside(part, live)
                return
            log.error("session %s: the store holds something else than what was said, again and again", live.name)
        entry = part.done[live.name] = self._entry(part, live, State.DONE)
        self._next.reached.append(entry)
        del part.live[live.name]
        part.auditor.forget(live.name)

    def _lose(self, part: _Partition, live: _Live) -> None:
        """It cannot be folded: what the store holds of it stays as it is."""
        self._counts["lost"] += 1
        log.error("session %s cannot be folded from its first event any more; what was said of it stands", live.name)
        self._set_aside(part, live)
        live.way = _Is.LOST
        self._next.reached.append(self._entry(part, live, State.LOST))

    def _entry(self, part: _Partition, live: _Live, state: State) -> SessionEntry:
        return SessionEntry(
            session=live.name,
            partition=part.number,
            state=state,
            start=live.start,
            end=part.safe() if state is State.DONE else {},
            at_s=int(self._clock()),
        )

    # --- read again, and compared ---------------------------------------------------------------------------------

    def _set_aside(self, part: _Partition, live: _Live) -> None:
        """It must be folded anew; nothing that the old fold has said and that is not on its way is said any more."""
        live.way = _Is.ASIDE
        live.aside = part.auditor.set_aside(live.name)
        live.held_back = []
        live.digests = {}
        live.comparison = live.proof = live.reading = None
        live.base = 0

    def _compare(self, part: _Partition) -> None:
        """Hold against the store what those say that were read again, once they wait for no event."""
        waiting: dict[str, int] | None = None
        for live in part.live.values():
            if live.way is _Is.HELD_BACK and live.comparison is None:
                waiting = part.auditor.waiting() if waiting is None else waiting
                session = part.auditor.session(live.name)
                if session is not None and live.name not in waiting and self._next.questions < MOST_QUESTIONS:
                    live.comparison = Comparison(live.name, live.held_back, session.count, live.digests, part.ours)
                    live.held_back = []
                    self._next.comparisons.append(live.comparison)

    def _compared(self, part: _Partition, live: _Live, comparison: Comparison, now: float) -> None:
        live.comparison = None
        live.base = comparison.base
        live.dropped = live.dropped or _drop_counted(comparison.said)
        live.way = _Is.LIVE
        said, live.held_back = live.held_back, []
        self._say(part, live, said, told=True, now=now)

    def wanted(self) -> list[Reading]:
        """The pieces of the log that must be read, each named once, and one of a partition at a time."""
        readings = []
        for part in self._partitions.values():
            if part.reading is not None:
                continue
            reading = self._gaps_of(part) or self._late_of(part)
            if reading is not None:
                part.reading = reading
                readings.append(reading)
        return readings

    def _gaps_of(self, part: _Partition) -> Reading | None:
        """The first gap of each topic: of each only as much as one reading is for."""
        ranges: dict[str, tuple[int, int]] = {}
        chosen = []
        for gap in part.gaps:
            if gap.topic not in ranges:
                ranges[gap.topic] = (gap.first, gap.end)
                chosen.append(gap)
        if not chosen:
            return None
        reading = Reading(part.number, ranges, (), self._settings)
        for gap in chosen:
            gap.reading = reading
        return reading

    def _late_of(self, part: _Partition) -> Reading | None:
        if part.catching_up:
            return None
        late = [live for live in part.live.values() if live.way is _Is.ASIDE and live.reading is None]
        late = late[: self._settings.sessions_a_reading]
        if not late:
            return None
        ranges = {topic: (min(live.start.get(topic, 0) for live in late), end) for topic, end in part.position.items()}
        reading = Reading(part.number, ranges, [live.name for live in late], self._settings)
        for live in late:
            live.reading = reading
            live.aside.clear()  # all of it lies before the end of the ranges
        return reading

    def finished(self, reading: Reading) -> None:
        """It has been read and folded."""
        part = self._whose(reading)
        if part is None:
            return
        if not reading.sessions:
            for topic, offset, value in sorted(reading.records):
                self._feed(part, topic, offset, value)
            part.gaps = [gap for gap in part.gaps if gap.reading is not reading]
            return
        for name, folded in reading.folded.items():
            live = part.live.get(name)
            if live is None or live.reading is not reading or live.way is not _Is.ASIDE:
                continue
            if folded is None:
                self._lose(part, live)
                continue
            self._counts["reread"] += 1
            part.auditor.resume(name, folded)
            live.reading = None
            live.aside = []
            live.way = _Is.HELD_BACK

    def failed(self, reading: Reading, *, gone: bool = False) -> None:
        """It could not be read: it is asked for again. ``gone``: the first of its records are no longer there; what is
        left of skipped ones is asked for, and sessions that cannot be folded without them are lost."""
        part = self._whose(reading)
        if part is None:
            return
        for gap in [gap for gap in part.gaps if gap.reading is reading]:
            gap.reading = None
            if gone:
                log.error("%s/%d: not all offsets %d to %d are there", gap.topic, part.number, gap.first, gap.end - 1)
                gap.first = 0  # ask for whatever the topic still has
                for live in part.live.values():
                    if live.way is _Is.HELD_BACK and live.start.get(gap.topic, 0) < gap.end:
                        self._lose(part, live)
        for live in part.live.values():
            if live.reading is reading:
                live.reading = None
                if gone:
                    self._lose(part, live)

    def _whose(self, reading: Reading) -> _Partition | None:
        part = self._partitions.get(reading.partition)
        if part is None or part.reading is not reading:
            return None
        part.reading = None
        return part

    # --- in numbers -----------------------------------------------------------------------------------------------

    def stats(self) -> FloorStats:
        """The engine in numbers; looks at every session, so not for every record."""
        parts = self._partitions.values()
        lives = [(part, live) for part in parts for live in part.live.values()]
        sessions = [part.auditor.session(live.name) for part, live in lives if live.way is _Is.LIVE]
        opened = [session.round_info[1] for session in sessions if session is not None and session.round_open]
        return FloorStats(
            partitions=len(self._partitions),
            catching_up=sum(part.catching_up for part in parts),
            sessions=len(lives),
            interrupted=sum(live.way is not _Is.LIVE for _, live in lives),
            waiting_for_events=sum(len(part.auditor.waiting()) for part in parts),
            rounds_open=len(opened),
            oldest_round_opened_us=min(opened, default=None),
            lines=self._past[0] + sum(part.auditor.lines for part in parts),
            events=self._past[1] + sum(part.auditor.events for part in parts),
            rejected=self._past[2] + sum(part.auditor.rejected for part in parts),
            rows_waiting=self._waiting_rows(),
            **self._counts,
        )


def _drop_counted(said: list[Said]) -> bool:
    return any(type(row) is Cage and row.movement == "drop_counted" for row in said)


def _raised(row: Row, base: int) -> Row:
    return msgspec.structs.replace(row, revision=row.revision + base)  # type: ignore[union-attr]


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogatepass")
