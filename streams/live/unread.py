"""What the stream does not bring: records that topics let go of before they were read, and those that it passes over.

A position that stands still before what the topic has still, from one survey to the next, shows that nothing of what is
gone will come. A fetch that began at an offset, and whose first record lies further on, has met a transaction's marker,
or records that are gone: the next survey tells which. And a position that stands still for long before where the topic
ended has a stream that is elsewhere: the group's own commits, of topics that were made anew, say, lie ahead of it.
Where a topic ends before what was read of it, it is no more what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from streams.live.runs import Run

Place = tuple[str, int]
"""Topic and partition."""

STANDS_S: Final = 5.0
"""So long a position may stand still before what there is to read."""


class Hole(NamedTuple):
    """Offsets of which a fetch brought nothing."""

    topic: str
    partition: int
    first: int
    end: int


class Asked(NamedTuple):
    """What is known when it is about to be asked how the topics stand."""

    holes: Sequence[Hole] = ()
    """Those of which the answer will tell."""
    taken: Mapping[Place, int] = MappingProxyType({})
    """The next offsets."""


NOTHING: Final = Asked()


class Unread:
    """Of all partitions of a worker."""

    def __init__(self) -> None:
        self._stood: dict[Place, int] = {}
        """Positions that lay before what the topics have still, when that was last asked."""
        self._holes: list[Hole] = []
        self._beyond: set[Place] = set()
        """Positions that lay beyond where the topic ended, when that was last asked."""
        self._waits: dict[Place, tuple[int, int, float]] = {}
        """Positions that lie before where the topic ends: where it ended when they were first seen there, and when."""

    def fetched(self, topic: str, partition: int, run: Run, safe: Callable[[int], Mapping[str, int]]) -> None:
        """A fetch brought this. ``safe``: of a partition, the offsets before which all has been read by now."""
        end = run.records[0].offset if run.records else run.after
        if end > run.first and end > (first := max(run.first, safe(partition)[topic])):
            self._holes.append(Hole(topic, partition, first, end))

    def asks(self, taken: Mapping[Place, int]) -> Asked:
        """It is about to be asked how the topics stand; ``taken``: the next offsets of the partitions that are ours."""
        return Asked(list(self._holes), taken)

    def answered(self, asked: Asked) -> list[Hole]:
        """The holes of which the answer tells, but for those of partitions that were forgotten meanwhile; they are let
        go of. Where no answer comes they are asked about again."""
        found = [hole for hole in asked.holes if hole in self._holes]
        self._holes = [hole for hole in self._holes if hole not in found]
        return found

    def forget(self, partition: int) -> None:
        """It is another's now, or is read anew."""
        self._holes = [hole for hole in self._holes if hole.partition != partition]

    def stands_still(self, first: Mapping[Place, int], safe: Mapping[Place, int]) -> list[Place]:
        """The topics begin there; ``safe``: the offsets before which nothing is missing, of partitions that are taken
        now. Where the stream will not come any more to what it has not read."""
        before = {place: at for place, at in safe.items() if at < first.get(place, 0)}
        found = [place for place, at in before.items() if self._stood.get(place) == at]
        self._stood = before
        return found

    def left(self, end: Mapping[Place, int], taken: Mapping[Place, int], at: float) -> list[tuple[Place, int]]:
        """The topics end there, at ``at``; ``taken``: the next offsets, of partitions that are taken now. Where the
        stream has brought nothing for long of what there was, and up to where that is."""
        waits: dict[Place, tuple[int, int, float]] = {}
        for place, stands in taken.items():
            if stands < end.get(place, 0):
                known = self._waits.get(place)
                waits[place] = known if known is not None and known[0] == stands else (stands, end[place], at)
        self._waits = waits
        return [(place, ends) for place, (_, ends, since) in waits.items() if at - since >= STANDS_S]

    def cut_short(self, end: Mapping[Place, int], taken: Mapping[Place, int]) -> list[Place]:
        """The topics end there; ``taken``: the next offsets before that was asked. Which of them end before what was
        read, this time and the time before: a leader that has just been elected may know of less for a moment."""
        beyond = {place for place, at in taken.items() if end.get(place, at) < at}
        found = sorted(beyond & self._beyond)
        self._beyond = beyond
        return found
