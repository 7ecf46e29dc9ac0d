"""All lines of one session put in order: what a session takes, one after the other.

Under one number there may be several lines, and under some there are none. Which line counts is a matter of all lines
and of the table's seals (`replay.versions`), not of the order in which they stand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from replay.book import microseconds
from replay.corrections import NOTHING, Besides, puts_right, resolve
from replay.evidence import Chain, Keys, wrong_signature
from replay.line import read
from replay.opening import Rumour, day_of, rumour_of
from replay.session import Session
from replay.versions import Decision, Place, Version, decide

UNREADABLE: Final = "event {} was rejected: {}"
CONTRADICTED: Final = "event {} came twice, with different contents"


class Happened(NamedTuple):
    """An event of a session, and its exact bytes."""

    event: Any
    line: bytes
    contradicted: tuple[int, ...] = ()
    """The event is a seal by which these were preferred to other versions."""
    besides: Besides = NOTHING
    """What puts it right, or is put right by it: ``event`` is as it is folded."""

    def befall(self, session: Session) -> None:
        """The session takes it."""
        session.step(self.event, self.line, self.besides)
        for seq in self.contradicted:
            session.contradicted(seq, microseconds(self.event.at))


class Hole(NamedTuple):
    """Events that are missing, in dispute or unreadable; see `Session.hole`."""

    first: int
    last: int
    code: str
    reason: str
    versions: tuple[Any, ...] = ()
    """The events that are in dispute."""
    line: bytes = b""
    """The line that was rejected."""

    def befall(self, session: Session) -> None:
        """The session takes it."""
        session.hole(self.first, self.last, self.code, self.reason, self.versions)


class Ordered:
    """The lines of one session in order."""

    def __init__(
        self,
        name: str,
        lines: Iterable[bytes],
        keys: Keys | None,
        without: frozenset[tuple[int, bytes]] = frozenset(),
        *,
        put_right: bool = True,
    ) -> None:
        """``lines``: in whatever order. ``keys``: as in `replay.judging.Judging`. ``without``: leave out these lines,
        given as (seq, SHA-256 of the bytes). ``put_right``: give what is put right as it should have been said."""
        self.events: dict[int, dict[bytes, Any]] = {}
        """Event by line, by number."""
        self.refused: dict[int, dict[bytes, str]] = {}
        """Reason by line, by number."""
        self.duplicates = 0
        """Copies with equal bytes."""
        self.awaited: set[int] = set()
        """Once all has been given: events with which more could be said of contradictory lines."""
        self._keys = keys
        self.puts_right = False
        """Something puts right what was said, and is heeded."""
        for line in lines:
            session, seq, event, reason = read(line)
            if session != name or (without and (seq, hashlib.sha256(line).digest()) in without):
                continue
            if event is None:
                self.refused.setdefault(seq, {})[line] = reason
                continue
            known = self.events.setdefault(seq, {})
            self.duplicates += line in known
            known[line] = event
            self.puts_right |= put_right and puts_right(event)

    def __iter__(self) -> Iterator[Happened | Hole]:
        return iter(_put_right(list(self._parts()), self._keys)) if self.puts_right else self._parts()

    def _parts(self) -> Iterator[Happened | Hole]:
        """The events as they were said."""
        next_seq = 1
        decision = Decision(0, {}, {}, open=False)
        since = gap = 0
        place = Place()
        chain: Chain | None = Chain()
        """Of the events since the last seal; None where some of them are missing or in doubt."""
        for seq in self._numbers():
            if next_seq < seq:
                chain, gap = None, next_seq
                yield Hole(next_seq, seq - 1, "sequence_gap", missing(next_seq, seq - 1))
            next_seq = seq + 1
            chosen: Version | None
            known = self.events.get(seq, {})
            if len(known) == 1 and seq not in self.refused:
                [(line, event)] = known.items()
                chosen = Version(line, event)
            elif not known and len(self.refused[seq]) == 1:
                [chosen] = self._versions(seq)
            else:
                if seq > decision.last:
                    decision = decide(seq, since, chain and chain.copy(), self._versions, self._keys, place)
                    if decision.open:
                        self.awaited.add(decision.last + 1)
                    if chain is None and gap:
                        self.awaited.add(gap)
                chosen = decision.chosen[seq]
            if chosen is None:
                chain = None
                yield self._in_doubt(seq)
                continue
            if chosen.event is not None and not place.table:
                place = Place.by(chosen.event)
            if chosen.is_seal:
                since, gap, chain = seq, 0, Chain(chosen.event.chain)
            if chain is not None:
                chain.add(chosen.line)
            if chosen.event is None:
                yield self._rejected(seq, chosen)
            elif chosen.is_seal:
                yield Happened(chosen.event, chosen.line, tuple(n for n, by in decision.by.items() if by == seq))
            else:
                yield Happened(chosen.event, chosen.line)

    def counted(self) -> list[bytes]:
        """The lines that count, in order: of several versions the one that the seal bears out. Where it bears out none,
        all of them. Rejected lines after the last event are left out."""
        found: list[bytes] = []
        last = max(self.events, default=0)
        for part in self:
            if isinstance(part, Happened):
                found.append(part.line)
            elif part.line and part.first <= last:
                found.append(part.line)
            elif part.first <= last:
                found += sorted(self.events.get(part.first, ()))
        return found

    def gaming_day(self) -> str:
        """The gaming day that the session is of, as a fold comes to it; empty where no event can be read."""
        rumour: Rumour | None = None
        for part in self:
            if isinstance(part, Happened):
                return day_of(part.event) if rumour is None else rumour.day
            rumours = [rumour_of("", version) for version in part.versions]
            rumour = min([*rumours, *([] if rumour is None else [rumour])], default=None)
        return "" if rumour is None else rumour.day

    def _numbers(self) -> list[int]:
        """The numbers under which there are lines, in order. A rejected line that claims a number further on than the
        next proves nothing."""
        last = max(self.events, default=0)
        found = sorted(self.events.keys() | {seq for seq in self.refused if seq < last})
        while found and last + 1 in self.refused:
            last += 1
            found.append(last)
        return found

    def _versions(self, seq: int) -> list[Version]:
        """All versions of an event, in order of their bytes."""
        found = [Version(line, event) for line, event in self.events.get(seq, {}).items()]
        found += [Version(line, None) for line in self.refused.get(seq, ())]
        return sorted(found, key=lambda version: version.line)

    def _in_doubt(self, seq: int) -> Hole:
        known = self.events.get(seq)
        if not known:
            return self._rejected(seq, self._versions(seq)[0])
        return Hole(seq, seq, "conflicting_event", CONTRADICTED.format(seq), tuple(known.values()))

    def _rejected(self, seq: int, version: Version) -> Hole:
        found = self.refused[seq]
        reason = found[version.line] if seq in self.events else min(found.values())
        return Hole(seq, seq, "rejected_event", UNREADABLE.format(seq, reason), line=version.line)


def _put_right(parts: list[Happened | Hole], keys: Keys | None) -> list[Happened | Hole]:
    """The same as they are folded where some of them put others right."""
    segment_of, good = _segments(parts, keys)

    def may(target: int, correction: int) -> bool:
        segment = segment_of[correction]
        return segment == segment_of[target] or segment in good

    events = {part.event.seq: part.event for part in parts if isinstance(part, Happened)}
    resolved = resolve(events, may)
    for place, part in enumerate(parts):
        if isinstance(part, Happened) and (besides := resolved.besides.get(part.event.seq)) is not None:
            event = resolved.standing.get(part.event.seq, part.event)
            parts[place] = part._replace(event=event, besides=besides)
    return parts


def _segments(parts: list[Happened | Hole], keys: Keys | None) -> tuple[dict[int, int], set[int]]:
    """By which seal each event is covered, counted from 0, and which of these seals are good."""
    segment_of: dict[int, int] = {}
    good: set[int] = set()
    place = Place()
    chain: Chain | None = Chain()
    segment = 0
    for part in parts:
        if isinstance(part, Hole):
            chain = None
            continue
        event, line = part.event, part.line
        if not place.table:
            place = Place.by(event)
        segment_of[event.seq] = segment
        if event.type == "checkpoint":
            wrong = wrong_signature(event, line, keys, table=place.table, gaming_day=place.gaming_day)
            if chain is not None and chain.fits(event.chain) and not wrong:
                good.add(segment)
            segment += 1
            chain = Chain(event.chain)
        if chain is not None:
            chain.add(line)
    return segment_of, good


def keep_first(refusals: dict[int, str], seq: int, reason: str, most: int) -> None:
    """Of several reasons for one number the first in the alphabet counts, so that the order of arrival does not."""
    known = refusals.get(seq)
    if known is None:
        if len(refusals) < most:
            refusals[seq] = reason
    elif reason < known:
        refusals[seq] = reason


def explain(first: int, last: int, refusals: dict[int, str]) -> Iterator[Hole]:
    """Cut the hole from ``first`` to ``last`` into events that were rejected and events that never came."""
    start = first
    rejected = (
        [seq for seq in range(first, last + 1) if seq in refusals]
        if last - first < len(refusals)
        else sorted(seq for seq in refusals if first <= seq <= last)
    )
    for seq in rejected:
        if start < seq:
            yield Hole(start, seq - 1, "sequence_gap", missing(start, seq - 1))
        yield Hole(seq, seq, "rejected_event", UNREADABLE.format(seq, refusals[seq]))
        start = seq + 1
    if start <= last:
        yield Hole(start, last, "sequence_gap", missing(start, last))


def missing(first: int, last: int) -> str:
    """What is said of these events."""
    return f"event {first} is missing" if first == last else f"events {first} to {last} are missing"
