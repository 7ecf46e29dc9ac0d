"""What topics let go of before it was read: the stream says nothing of it, and goes on behind it.

Two things show it. A position stands still before what the topic has still, from one survey to the next: nothing of
what is gone will come. Or a fetch began at an offset, and its first record lies further on: what lies between was a
transaction's marker, or it was gone, and the client went on where the topic began. The next survey tells which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from streams.live.runs import Run

Place = tuple[str, int]
"""Topic and partition."""


class Hole(NamedTuple):
    """Offsets of which a fetch brought nothing."""

    topic: str
    partition: int
    first: int
    end: int


class Unread:
    """Of all partitions of a worker."""

    def __init__(self) -> None:
        self._stood: dict[Place, int] = {}
        """Positions that lay before what the topics have still, when that was last asked."""
        self._holes: list[Hole] = []

    def fetched(self, topic: str, partition: int, run: Run, safe: Callable[[int], Mapping[str, int]]) -> None:
        """A fetch brought this. ``safe``: of a partition, the offsets before which all has been read by now."""
        end = run.records[0].offset if run.records else run.after
        if end > run.first and end > (first := max(run.first, safe(partition)[topic])):
            self._holes.append(Hole(topic, partition, first, end))

    def asked(self) -> list[Hole]:
        """It is about to be asked where the topics begin: the holes of which the answer will tell."""
        holes, self._holes = self._holes, []
        return holes

    def stands_still(self, first: Mapping[Place, int], position: Callable[[str, int], int | None]) -> list[Place]:
        """The topics begin there; ``position``: the next offset of a topic in a partition of ours, caught up. Where the
        stream will not come any more to what it has not read."""
        before = {place: at for place, begins in first.items() if (at := position(*place)) is not None and at < begins}
        found = [place for place, at in before.items() if self._stood.get(place) == at]
        self._stood = before
        return found
