"""What a simulated floor promises, held against what its workers say while a schedule is played, and at its end.

The store says what the offline audit of the same events says; what was rightly said is not unsaid; what is called done
is done; what lies before a position is said, or belongs to a session that is open. Where that cannot hold, for records
are gone or come by several partitions, workers have said so, and what they say is what those events come to that were
left; of a session that is lost, nobody is accused wrongly.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from replay.events import Refusal, decode
from replay.line import session_of
from replay.refold import fold
from replay.results import Finding, Kind, Row, Settlement, Verdict
from replay.revisions import taken_back
from replay.segment import Said
from replay.told import content_of, key_of
from streams.live.engine import FloorStats, Settings
from streams.live.registry import POSITION, SESSION, Position, SessionEntry, State
from streams.live.topics import IN
from tests.streams.live.faults import Disk

if TYPE_CHECKING:
    from tests.streams.live.world import World

Contents = dict[Any, Any]
"""What is said of a session: key -> content."""

ENDS_TRIED: Final = 60
_MISSING: Final = re.compile(r"events? (\d+)(?: to (\d+))? (?:is|are) missing")
_SEQ: Final = re.compile(rb'"seq":(\d+)')
_CAUTIOUS: Final = {Verdict.UNVERIFIABLE, Verdict.OPEN, Verdict.MATCH, Verdict.WITHDRAWN}
"""Verdicts that accuse nobody."""


class Promise:
    """Of one world."""

    def __init__(self, world: World, lines: Iterable[bytes], settings: Settings) -> None:
        """``lines``: all that come at any time."""
        self.world = world
        self.disk = Disk()
        self.all_of: dict[str, list[bytes]] = defaultdict(list)
        """Lines that come at any time, by session."""
        for line in lines:
            self.all_of[_session(line)].append(line)
        self.published: dict[str, dict[bytes, None]] = defaultdict(dict)
        self.came_by: dict[str, set[int]] = defaultdict(set)
        self.gone: dict[str, set[bytes]] = defaultdict(set)
        """Lines that are no longer in the topics."""
        self.broken: list[str] = []
        self.told: Counter[str] = Counter()
        """What workers have said, until their end, of what cannot be judged whole."""
        self._settings = settings
        self._final: dict[str, Contents] = {}
        self._so_far: dict[tuple[str, int], Contents] = {}
        self._known_before: dict[tuple[int, str, str], int] = {}
        """Partition, log, topic -> offsets before which every line is known to belong to a session that is known."""

    # --- what happens ---------------------------------------------------------------------------------------------

    def comes(self, line: bytes, partition: int) -> None:
        """This line is in a topic from now on."""
        name = _session(line)
        self.published[name][line] = None
        self.came_by[name].add(partition)

    def goes(self, line: bytes) -> None:
        """This line is in the topics no longer."""
        self.gone[_session(line)].add(line)

    def cut_short(self) -> None:
        """The topics are shorter than they were."""
        self._known_before.clear()

    def stored(self, rows: Iterable[Row]) -> None:
        """These rows are stored. What was rightly said is not unsaid by that."""
        disk = self.disk
        for row in rows:
            key = key_of(row)
            before = disk.rows.get(key)
            disk.write([row])
            if isinstance(before, Said) and isinstance(row, Said) and disk.rows[key] is row and not taken_back(before):
                self._is_not_unsaid(key, before, row)

    def _is_not_unsaid(self, key: Any, before: Said, row: Said) -> None:
        name = row.session
        right = self.final(name).get(key)
        if right is None or content_of(before) != right or (content_of(row) == right and not taken_back(row)):
            return
        if len(self.came_by[name]) > 1 and isinstance(row, Finding) and row.withdrawn:
            return  # of a torn session, whatever was made of its holes is taken back
        now = self.so_far(name).get(key)
        if (now is None) != taken_back(row) or (now is not None and now != content_of(row)):
            self.breaks(f"what was rightly said is overwritten: {key}: {content_of(row)}")

    def registered(self, partition: int, key: bytes, value: bytes | None) -> None:
        """This is said in the registry."""
        if value is None:
            return
        if key.startswith(SESSION):
            self._is_done(partition, key[len(SESSION) :].decode())
        elif key.startswith(POSITION):
            self._is_worked_off(msgspec.json.decode(value, type=Position))

    def _is_done(self, partition: int, name: str) -> None:
        """A session that is done is one of which the store has all."""
        entry = self.world.known.partition(partition).sessions.get(name)
        if entry is None or entry.state is not State.DONE or not entry.table or name not in self.all_of:
            return
        if self._unread(entry):
            return
        due, found = self.so_far(name), self.said(name)
        if due == found or (self.torn(name) and not self.accused(name, due)):
            return
        if not self.gone[name] or not self._is_what_is_left(name, list(self.published[name]), found):
            self.breaks(f"{name} is called done, and is not: {_differ(due, found)}")

    def _unread(self, entry: SessionEntry) -> bool:
        """Whether something of it lies after what its owner has read."""
        name = entry.session.encode()
        for topic in IN:
            log = self.world.log(topic, entry.partition)
            for each in log.entries[entry.end.get(topic, 0) :]:
                if each.counts and each.value and name in each.value:
                    return True
        return False

    def _is_worked_off(self, position: Position) -> None:
        """What lies before a position belongs to sessions that are known."""
        of_one = self.world.known.partition(position.partition)
        if position.epoch < of_one.epoch or position.log != self.world.log_name():
            return  # whoever says so has lost the partition, or it is said of topics that are no more
        for topic, after in position.next.items():
            log, place = self.world.log(topic, position.partition), (position.partition, position.log, topic)
            for offset in range(max(log.first, self._known_before.get(place, 0)), min(after, len(log.entries))):
                entry = log.entries[offset]
                for line in (entry.value or b"").split(b"\n") if entry.counts else ():
                    name = _session(line)
                    if name and not _is_known(of_one.sessions.get(name), topic, offset):
                        self.breaks(f"{topic}/{position.partition}, offset {offset}: {name} is passed over")
            self._known_before[place] = max(after, self._known_before.get(place, 0))

    def hear(self, stats: FloorStats) -> None:
        """What a worker has said, until its end."""
        self.told.update(lost=stats.lost, torn=stats.torn, expired=stats.expired)

    # --- what must be said ----------------------------------------------------------------------------------------

    def breaks(self, what: str) -> None:
        """Something does not hold; the world says so. What a worker's thread raises, the worker may put up with."""
        self.broken.append(f"at {self.world.now - 1_000:.1f} s: {what}")

    def final(self, name: str) -> Contents:
        """What the offline audit says of this session in the end."""
        if name not in self._final:
            self._final[name] = self._contents(name, self.all_of[name])
        return self._final[name]

    def so_far(self, name: str) -> Contents:
        """What it says of what has been published."""
        lines = self.published[name]
        at = (name, len(lines))
        if at not in self._so_far:
            self._so_far[at] = self._contents(name, lines)
        return self._so_far[at]

    def _contents(self, name: str, lines: Iterable[bytes]) -> Contents:
        said, _ = fold(name, lines, self._settings.judging)
        return {key_of(row): content_of(row) for row in said if not taken_back(row)}

    def said(self, name: str) -> Contents:
        """What the store says of it now."""
        return {key_of(row): content_of(row) for row in self._standing(name)}

    def _standing(self, name: str) -> list[Said]:
        return [row for row in self.disk.said(name) if isinstance(row, Said) and not taken_back(row)]

    def torn(self, name: str) -> bool:
        """Whether it came by several partitions."""
        return len(self.came_by[name]) > 1

    def accused(self, name: str, due: Contents) -> list[Any]:
        """What is said against somebody, and neither the offline audit says in the end, nor could it have said so
        before further events came, without those that are said to be missing."""
        against = {
            key: content_of(row)
            for row in self._standing(name)
            if (isinstance(row, Finding) and row.kind is not Kind.EVIDENCE)
            or (isinstance(row, Settlement) and row.verdict not in _CAUTIOUS)
            if due.get(key := key_of(row)) != content_of(row)
        }
        missing = _missing(self.said(name))
        lines = [line for line in self.published[name] if _seq(line) not in missing]
        while lines and against:
            before = self._contents(name, lines)
            against = {key: content for key, content in against.items() if before.get(key) != content}
            lines.pop()
        return list(against)

    def _is_what_is_left(self, name: str, lines: Sequence[bytes], found: Contents) -> bool:
        """Whether that is what these lines come to without some that are gone: those that are said to be missing, and
        the last ones."""
        gone, missing = self.gone[name], _missing(found)
        left = sorted((line for line in lines if not (line in gone and _seq(line) in missing)), key=_seq)
        for _ in range(ENDS_TRIED):
            if self._contents(name, left) == found:
                return True
            if not left or left[-1] not in gone:
                return False
            left.pop()
        return False

    def differences(self) -> list[str]:
        """Where the store does not say in the end what the offline audit says, and nobody has said so."""
        return [
            problem
            for name in sorted(self.all_of)
            if name and any(_reads(line) for line in self.all_of[name]) and (problem := self._wrong(name))
        ]

    def _wrong(self, name: str) -> str:
        """What is wrong with this session in the end; empty: nothing."""
        due, found, states = self.final(name), self.said(name), self._states(name)
        if due == found:
            return ""
        said = f"{name} ({', '.join(sorted(states))}): {_differ(due, found)}"
        gone, torn, told = self.gone[name], self.torn(name), self.told
        if not gone and not torn:
            return said
        if State.LOST not in states:
            if not told["expired"] and not self.world.figures["made_anew"]:
                return f"{said}; nobody has said that records are gone"
            return "" if not torn and self._is_what_is_left(name, self.all_of[name], found) else said
        if not told["lost"] and not told["torn"]:
            return f"{said}; nobody has said that it is lost"
        if wrongly := self.accused(name, due):
            return f"{said}; wrongly accused: {wrongly[:2]}"
        if torn and not gone and not self.world.swarm.transactions:
            # What a transaction hides is missing, as far as anybody can tell.
            if false := [key for key in found if key[0] == "finding" and key not in due]:
                return f"{said}; made of the holes of a torn session: {false[:2]}"
        return ""

    def _states(self, name: str) -> set[State]:
        found = (self.world.known.partition(number).sessions.get(name) for number in self.world.registry)
        return {entry.state for entry in found if entry is not None}


def _is_known(entry: SessionEntry | None, topic: str, offset: int) -> bool:
    """Whether a line there is one that the registry's entry of its session knows of."""
    if entry is None:
        return False
    if entry.state is State.OPEN:
        return entry.start.get(topic, 0) <= offset
    return entry.state is State.LOST or offset < entry.end.get(topic, 0)


def _differ(due: Contents, found: Contents) -> str:
    missing = [key for key in due if key not in found]
    more = [key for key in found if key not in due]
    other = [key for key in found if key in due and found[key] != due[key]]
    counts = f"{len(missing)} missing, {len(more)} too many, {len(other)} differ"
    return f"{counts}, such as {missing[:1] + more[:1] + other[:1]}"


def _missing(found: Contents) -> set[int]:
    """The events that are said to be missing."""
    missing: set[int] = set()
    for key, content in found.items():
        if key[0] == "finding" and key[3] == "sequence_gap":
            match = next(filter(None, (_MISSING.search(str(each)) for each in content)))
            missing.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return missing


def _session(line: bytes) -> str:
    return session_of(line).decode()


def _seq(line: bytes) -> int:
    found = _SEQ.search(line)
    return int(found[1]) if found else 0


def _reads(line: bytes) -> bool:
    try:
        decode(line)
    except Refusal:
        return False
    return True
