"""How far a worker has read: the moment of which it is certain that all that the topics had by then has been taken.

The brokers are asked again and again where the topics end (`streams.live.brokers.Brokers.survey`). Once a worker's
positions have come to what an answer says, it has read up to when that was asked: records, or offsets that are none
(the markers of transactions). A worker that slept, or cannot ask, has read no further for that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

MAX_OPEN: Final = 64
"""Answers that have not been come to; of more, every other one is let go of."""

Place = tuple[str, int]


class Progress:
    """Of one partition."""

    def __init__(self) -> None:
        self.read = float("-inf")
        """See above."""
        self._open: deque[tuple[float, dict[str, int]]] = deque()

    def asked(self, at: float, ends: Mapping[str, int]) -> None:
        """The topics ended there at ``at``, or later."""
        self._open.append((at, dict(ends)))
        if len(self._open) > MAX_OPEN:
            self._open = deque(list(self._open)[1::2])

    def come_to(self, position: Callable[[str], int]) -> None:
        """The next offset of each topic is this now."""
        while self._open and all(position(topic) >= end for topic, end in self._open[0][1].items()):
            self.read = max(self.read, self._open.popleft()[0])
