"""One partition of a floor: records in, in the order of offsets; its sessions met, folded, ended, and remembered.

`streams.live.engine.LiveFloor` has one of each partition that is assigned, and says when. What there is to write goes
into the ``batch`` at hand, which is the one that will be written next.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from replay.audit import Auditor
from replay.line import session_of
from replay.results import Finding
from replay.segment import Said
from streams.live.batch import Batch, Proof, Torn
from streams.live.reading import Reading
from streams.live.registry import Holding, Offsets, Position, SessionEntry, State
from streams.live.session import LiveSession, Phase
from streams.live.settings import Settings
from streams.live.topics import IN, device_of

MAX_NAMED: Final = 1_000
"""Sessions of a partition of which nothing but rejected lines has been seen."""
GAP_OFFSETS: Final = 20_000
"""So much of a gap is read at once: its records are held in memory."""
MAX_QUESTIONS: Final = 8
"""Sessions that one batch holds against the store: what all others say must not wait for hundreds of them."""
PRUNE_EVERY_S: Final = 3600.0

log = logging.getLogger(__name__)


@dataclass
class Counts:
    """What has happened in all partitions of a floor; see `streams.live.engine.FloorStats`."""

    given_up: int = 0
    reread: int = 0
    corrections: int = 0
    disproved: int = 0
    lost: int = 0
    troubles: int = 0
    strays: int = 0
    torn: int = 0
    expired: int = 0
    miskeyed: int = 0


@dataclass(eq=False)
class _Gap:
    """Offsets that the stream skipped."""

    topic: str
    first: int
    end: int
    reading: Reading | None = None


class Partition:
    """A partition that is ours, and its sessions."""

    def __init__(
        self,
        holding: Holding,
        settings: Settings,
        clock: Callable[[], float],
        counts: Counts,
        wall: Callable[[], float],
    ) -> None:
        """``holding``: what is known of it. ``clock``: seconds that only go forward. ``counts``: to be kept up.
        ``wall``: seconds since 1970-01-01 UTC."""
        registry = holding.registry
        self.number = registry.partition
        self.epoch = holding.epoch
        self.auditor = Auditor(settings.judging, raw=settings.raw, patient=True)
        self.reading: Reading | None = None
        """What is being read of it beside the stream."""
        self.catching_up = True
        self.outranked = 0
        """The store has rows of this higher epoch: the partition is another's, or must be claimed anew."""
        self.live: dict[str, LiveSession] = {}
        self._log = holding.log
        self._asks = holding.asks
        self._first = {topic: holding.first.get(topic, 0) for topic in IN}
        """From where the topics have their records still, as far as known."""
        self._settings = settings
        self._clock = clock
        self._wall = wall
        self._counts = counts
        self._said_position: Offsets = dict(registry.position)
        self._gaps: list[_Gap] = []
        self._done = {name: entry for name, entry in registry.sessions.items() if entry.state is not State.OPEN}
        self._skipped = {
            name.encode("utf-8", "surrogatepass"): entry.end
            for name, entry in self._done.items()
            if entry.state is State.DONE
        }
        """While catching up: of sessions that are done, up to where their lines are nothing new."""
        self._sources = {topic: f"{topic}/{self.number}" for topic in IN}
        self._opened: list[SessionEntry] = []
        self._unannounced: list[SessionEntry] = []
        self._torn: list[Torn] = []
        self.new: set[str] = set()
        """Sessions of which the first event has come since somebody looked at them."""
        self._pruned = wall()
        self._keys: set[bytes | None] = set()
        """Records' keys that have been looked at."""
        self._told_gone: Offsets = {}
        """Of each topic: of records before this offset it has been told that they are gone."""
        for topic, offset in registry.position.items():
            self._expire(topic, offset, self._first[topic])
        for topic, offset in registry.needed().items():
            self._miss(topic, offset)
        start = registry.start()
        self.position: Offsets = {topic: max(start.get(topic, 0), self._first[topic]) for topic in IN}
        """The next offset of each topic."""
        for name, entry in registry.sessions.items():
            if entry.state is State.OPEN:
                live = self._add(name, entry.start, Phase.HELD_BACK)
                live.may_have_ended = True
                live.table = entry.table
                if entry.log != self._log:
                    self._register(live, State.OPEN)

    def _expire(self, topic: str, read: int, end: int) -> None:
        """What the topic had from ``read`` up to ``end`` is gone where it begins later now: it was not read in time."""
        gone_before = min(self._first[topic], end)
        if gone_before > read:
            self._told_gone[topic] = max(gone_before, self._told_gone.get(topic, 0))
            self._counts.expired += gone_before - read
            log.error("%s/%d: %d records are gone that were never read", topic, self.number, gone_before - read)

    def _miss(self, topic: str, start: int) -> None:
        """Open sessions must be read again from ``start`` on: what the topic had there may be gone."""
        first = self._first[topic]
        gone = first - max(start, self._told_gone.get(topic, 0))
        if gone > 0:
            self._told_gone[topic] = first
            self._counts.expired += gone
            log.error("%s/%d: %d records are gone that may be needed again by open sessions", topic, self.number, gone)

    def ours(self, table: str) -> bool:
        """See `streams.live.batch.Ours`."""
        home = self._settings.home
        return home is None or home(table) == self.number

    def caught_up(self) -> None:
        """It has been taken up to where its topics ended when it was assigned."""
        self.catching_up = False
        self._skipped = {}

    # --- records --------------------------------------------------------------------------------------------------

    def take(self, topic: str, offset: int, value: bytes | None, key: bytes | None = None) -> None:
        """The next record of a topic; see `streams.live.engine.LiveFloor.take`."""
        if offset < self.position[topic]:
            return
        self.position[topic] = offset + 1
        if value is not None:
            if key != b"" and key not in self._keys:
                self._look_at_key(topic, offset, value, key)
            self._feed(topic, offset, value)

    def jump(self, topic: str, first: int) -> None:
        """What comes of this topic begins at ``first``: what lies before that was skipped, and is read beside it."""
        expected = self.position[topic]
        if first > expected:
            self._gaps.append(_Gap(topic, expected, first))
            self.position[topic] = first

    def reach(self, topic: str, after: int) -> None:
        """All that this topic has before ``after`` has been taken, be it records or not."""
        self.position[topic] = max(self.position[topic], after)

    def _look_at_key(self, topic: str, offset: int, value: bytes, key: bytes | None) -> None:
        """Who keys a table's records by something else than the table is told once: its sessions would be torn."""
        if len(self._keys) < MAX_NAMED:
            self._keys.add(key)
        device, table = device_of(value)
        if table and key != table.encode("utf-8", "surrogatepass") and not self._settings.alone:
            self._counts.miskeyed += 1
            said = "have no key" if key is None else f"are keyed {key[:80]!r}"
            log.warning(
                "%s/%d, offset %d: records of device %s %s, not by their table %s: its events may come to several"
                " partitions, where they cannot be put in order",
                topic,
                self.number,
                offset,
                device,
                said,
                table,
            )

    def _feed(self, topic: str, offset: int, value: bytes) -> None:
        """The lines of one record."""
        auditor, source = self.auditor, self._sources[topic]
        lines = iter(value.split(b"\n"))
        if self.catching_up and self._skipped:
            lines = self._new_lines(lines, topic, offset)
        for line in lines:
            if line:
                auditor.feed(line, source, offset)
        if auditor.met:
            self._meet(topic, offset)

    def _new_lines(self, lines: Iterator[bytes], topic: str, offset: int) -> Iterator[bytes]:
        for line in lines:
            end = self._skipped.get(session_of(line))
            if end is None or offset >= end.get(topic, 0):
                yield line

    def _tell_faults(self, said: list[Said]) -> None:
        """Faults of retally itself are counted, and told where its operator looks."""
        for row in said:
            if type(row) is Finding and row.code == "rule_fault" and not row.withdrawn:
                self._counts.troubles += 1
                log.error("session %s: %s", row.session, row.text)

    def safe(self) -> Offsets:
        """The next offset of each topic before which nothing is missing."""
        safe = dict(self.position)
        for gap in self._gaps:
            safe[gap.topic] = min(safe[gap.topic], gap.first)
        return safe

    # --- sessions, met and remembered -----------------------------------------------------------------------------

    def _meet(self, topic: str, offset: int) -> None:
        """Sessions are named, in the record at hand, for the first time since we have the partition, or since they were
        done."""
        met = self.auditor.met
        start = self.safe()
        start[topic] = min(offset, start[topic])
        for name in met:
            live = self.live.get(name)
            if live is not None:
                self._named(live)
                continue
            known = self._done.pop(name, None)
            if known is None:
                self._begin(name, start)
            else:
                self._begin_again(name, known)
        met.clear()

    def _begin(self, name: str, start: Offsets) -> None:
        """A session of which nothing is known: all of it lies at ``start`` or after that."""
        table = self.auditor.table(name)
        if not table and len(self.live) >= MAX_NAMED:
            return
        # What the store may have of it is looked at before anything is said: its first events may be gone.
        live = self._add(name, {} if self._asks else dict(start), Phase.HELD_BACK if self._asks else Phase.LIVE)
        live.table = table
        live.may_have_ended = self._asks
        if table and not self.ours(table):
            self._counts.strays += 1
            log.error("session %s of table %s comes by partition %d, which is not its own", name, table, self.number)
            live.lose()
        else:
            self._register(live, State.OPEN)

    def _begin_again(self, name: str, known: SessionEntry) -> None:
        """Something comes of a session that was done, or was lost and stays so."""
        live = self._add(name, known.start)
        live.table = known.table or self.auditor.table(name)
        live.may_have_ended = True
        if known.state is State.DONE:
            live.set_aside()
            self._register(live, State.OPEN)
        else:
            live.lose()

    def _named(self, live: LiveSession) -> None:
        """The first event has come of a session of which a rejected line had come before, or that was taken over."""
        table = self.auditor.table(live.name)
        if table and not live.table:
            live.table = table
            if live.phase is not Phase.LOST:
                self._register(live, State.OPEN)

    def _add(self, name: str, start: Offsets, phase: Phase = Phase.LIVE) -> LiveSession:
        doubted = self._asks or any(topic not in start or start[topic] < first for topic, first in self._first.items())
        live = self.live[name] = LiveSession(
            name, start, self.auditor, self._settings, self._clock(), phase, epoch=self.epoch, doubted=doubted
        )
        return live

    def _register(self, live: LiveSession, state: State) -> None:
        entry = self._entry(live, state)
        self._opened.append(entry)
        self._unannounced.append(entry)
        if live.table:
            self.new.add(live.name)

    def met(self) -> list[SessionEntry]:
        """See `streams.live.engine.LiveFloor.opened`."""
        found, self._unannounced = self._unannounced, []
        return found

    def has_events_of(self, name: str) -> bool:
        """Whether events of this session have come here."""
        live = self.live.get(name)
        known = self._done.get(name)
        return bool((live is not None and live.table) or (known is not None and known.table))

    def tear(self, name: str, others: Collection[int]) -> None:
        """Events of this session come by other partitions too: it cannot be put in order, and is left alone."""
        live = self.live.get(name)
        if live is None or live.phase is Phase.LOST:
            return
        self._counts.torn += 1
        log.error(
            "session %s of table %s comes by partitions %s: its events cannot be put in order, and no more is said of"
            " it; producers must key what a table tells by the table",
            name,
            live.table,
            sorted({self.number, *others}),
        )
        live.lose()
        self._register(live, State.LOST)
        self._torn.append(Torn(name, self.epoch, self.ours))

    def _lose(self, live: LiveSession, batch: Batch) -> None:
        """It cannot be folded."""
        self._counts.lost += 1
        log.error("session %s cannot be folded from its first event any more; what was said of it stands", live.name)
        live.lose()
        batch.reached.append(self._entry(live, State.LOST))

    def _entry(self, live: LiveSession, state: State) -> SessionEntry:
        return SessionEntry(
            session=live.name,
            partition=self.number,
            state=state,
            start=live.start,
            end=self.safe() if state is State.DONE else {},
            at_s=int(self._wall()),
            table=live.table,
            epoch=self.epoch,
            log=self._log,
        )

    # --- batches --------------------------------------------------------------------------------------------------

    def pass_time(self, now: float, read: float, batch: Batch) -> None:
        """What is due: late sessions are set aside, holes given up, sessions that were done long ago forgotten.
        ``read``: what was in the topics by then has been read."""
        for name, missed in self.auditor.late().items():
            late = self.live.get(name)
            if late is not None and missed:
                late.came_late()
            elif late is not None:  # an event puts right what was before it: that is no reason to wait longer
                late.set_aside()
        if self.catching_up:
            read = -math.inf
        for name, seq in self.auditor.waiting().items():
            waiting = self.live.get(name)
            if waiting is not None and waiting.waits_in_vain(seq, now, read):
                self._give_up(name)
        for live in self.live.values():
            live.bound()
        wall = self._wall()
        if abs(wall - self._pruned) >= PRUNE_EVERY_S:
            self._pruned = wall
            self._prune(wall, batch)

    def _give_up(self, name: str) -> None:
        self._counts.given_up += 1
        self.auditor.give_up(name)

    def _prune(self, now: float, batch: Batch) -> None:
        for name, entry in list(self._done.items()):
            if now - entry.at_s >= self._settings.forget_after_s:
                del self._done[name]
                batch.forgotten.append((self.number, name))

    def collect(self, now: float, read: float, batch: Batch) -> None:
        """Gather what has been said since the last time, and end the sessions that are over."""
        batch.opened += self._opened
        batch.comparisons += self._torn
        self._opened, self._torn = [], []
        self._gather(now, batch)
        if self.catching_up:
            return
        waiting = self.auditor.waiting()
        for live in list(self.live.values()):
            nothing_left = live.phase is Phase.HELD_BACK and live.fold is None
            if nothing_left and live.table and live.is_over(read):  # it was taken over, and all of its events are gone
                self._lose(live, batch)
            elif (live.phase is Phase.LIVE or nothing_left) and live.name not in waiting and live.is_over(read):
                if batch.questions >= MAX_QUESTIONS:
                    return
                if live.fold is None or self.auditor.settled(live.name):
                    self._end(live, batch)

    def _gather(self, now: float, batch: Batch) -> None:
        rows, each = self.auditor.drain_each()
        batch.rows += rows
        for name, said in each:
            self._tell_faults(said)
            live = self.live.get(name)
            if live is not None:
                live.heard(said, batch, now)

    def compare(self, batch: Batch) -> None:
        """Hold against the store what those say that were read again, once they wait for no event."""
        waiting: dict[str, int] | None = None
        for live in self.live.values():
            if live.phase is Phase.HELD_BACK and live.comparison is None:
                waiting = self.auditor.waiting() if waiting is None else waiting
                if live.fold is not None and live.name not in waiting and batch.questions < MAX_QUESTIONS:
                    live.compare(batch, self.ours)

    def worked_off(self, batch: Batch) -> None:
        """Say how far it has been worked off, where that is news; ``batch`` is a whole one."""
        position = self.safe()
        if position != self._said_position:
            self._said_position = position
            batch.reached.append(Position(partition=self.number, next=position, epoch=self.epoch, log=self._log))

    def written(self, written: Batch, batch: Batch, now: float) -> None:
        """What ``written`` held against the store is known now."""
        for live in list(self.live.values()):
            comparison = live.comparison
            if comparison is not None and comparison in written.comparisons:
                if comparison.outranked:
                    self.outranked = max(self.outranked, comparison.outranked)
                elif comparison.lacking:
                    live.comparison = None
                    self._lose(live, batch)
                elif comparison.hesitates:
                    live.set_aside()
                else:
                    live.compared(comparison, batch, now)
            elif live.proof is not None and live.proof in written.proofs:
                self._proven(live, live.proof, batch)

    # --- the end of a session -------------------------------------------------------------------------------------

    def _end(self, live: LiveSession, batch: Batch) -> None:
        """Nothing more is to come: say what is left to say, and prove that the store holds it all."""
        auditor = self.auditor
        if live.fold is None:  # nothing but rejected lines bear its name
            entry = self._done[live.name] = self._entry(live, State.DONE)
            batch.reached.append(entry)
            self._forget(live)
            return
        auditor.end(live.name)
        rows, each = auditor.drain_each()
        batch.rows += rows
        said = [row for _, of_one in each for row in of_one]
        self._tell_faults(said)
        live.end(said, batch, self.ours, self._clock())

    def _proven(self, live: LiveSession, proof: Proof, batch: Batch) -> None:
        """The store has been asked whether it holds what was said."""
        if not live.aside and not proof.holds:
            self._counts.disproved += 1
        if live.proven(proof):
            entry = self._done[live.name] = self._entry(live, State.DONE)
            batch.reached.append(entry)
            self._forget(live)

    def _forget(self, live: LiveSession) -> None:
        self.auditor.forget(live.name)
        del self.live[live.name]

    # --- what must be read again ----------------------------------------------------------------------------------

    def wanted(self) -> Reading | None:
        """The piece of the log that must be read; None: there is none, or one is being read already."""
        if self.reading is not None:
            return None
        self.reading = self._gaps_to_read() or self._sessions_to_read()
        return self.reading

    def _gaps_to_read(self) -> Reading | None:
        """The first gap of each topic: of each only as much as one reading is for."""
        ranges: dict[str, tuple[int, int]] = {}
        chosen = []
        for gap in list(self._gaps):
            if gap.topic not in ranges:
                if gap.end - gap.first > GAP_OFFSETS:
                    self._gaps.insert(self._gaps.index(gap) + 1, _Gap(gap.topic, gap.first + GAP_OFFSETS, gap.end))
                    gap.end = gap.first + GAP_OFFSETS
                ranges[gap.topic] = (gap.first, gap.end)
                chosen.append(gap)
        if not chosen:
            return None
        reading = Reading(self.number, ranges, (), self._settings)
        for gap in chosen:
            gap.reading = reading
        return reading

    def _sessions_to_read(self) -> Reading | None:
        if self.catching_up:
            return None
        late = [live for live in self.live.values() if live.phase is Phase.ASIDE and live.reading is None]
        late = late[: self._settings.sessions_a_reading]
        if not late:
            return None
        ranges = {
            topic: (max(self._first[topic], min(live.start.get(topic, 0) for live in late)), end)
            for topic, end in self.position.items()
        }
        ended = [live.name for live in late if live.may_have_ended]
        reading = Reading(self.number, ranges, [live.name for live in late], self._settings, ended)
        for live in late:
            for topic, start in live.start.items():
                self._miss(topic, start)
            live.read_by(reading)
        return reading

    def finished(self, reading: Reading, batch: Batch) -> None:
        """It has been read and folded."""
        self.reading = None
        if not reading.sessions:
            for topic, offset, value in sorted(reading.records):
                self._feed(topic, offset, value)
            self._gaps = [gap for gap in self._gaps if gap.reading is not reading]
            return
        for name, folded in reading.folded.items():
            live = self.live.get(name)
            if live is None or live.reading is not reading or live.phase is not Phase.ASIDE:
                continue
            self._counts.reread += 1
            live.resume(folded, reading.ended.get(name))

    def failed(self, reading: Reading, *, first: Mapping[str, int]) -> None:
        """It could not be read; see `streams.live.engine.LiveFloor.failed`."""
        self.reading = None
        for gap in self._gaps:
            if gap.reading is reading:
                gap.reading = None
        for live in self.live.values():
            if live.reading is reading:
                live.reading = None
        if first:
            self.expired(first)

    def expired(self, first: Mapping[str, int]) -> None:
        """Topics have their records from there on still: what of others was not read is lost, and told of."""
        for topic, kept_from in first.items():
            self._first[topic] = max(self._first[topic], kept_from)
            self._expire(topic, self.position[topic], kept_from)
            self.reach(topic, kept_from)
        for gap in self._gaps:
            if gap.reading is None and gap.first < self._first[gap.topic]:
                self._expire(gap.topic, gap.first, gap.end)
                gap.first = min(self._first[gap.topic], gap.end)
        self._gaps = [gap for gap in self._gaps if gap.first < gap.end]
        self._doubt()

    def missed(self, topic: str, first: int, end: int) -> None:
        """See `streams.live.engine.LiveFloor.missed`."""
        self._first[topic] = max(self._first[topic], end)
        self._expire(topic, first, end)
        self._doubt()

    def _doubt(self) -> None:
        """Sessions may have had events that are gone."""
        for live in self.live.values():
            live.doubted |= any(
                topic in live.start and live.start[topic] < first for topic, first in self._first.items()
            )
