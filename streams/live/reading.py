"""A piece of the log that is read beside the stream: offsets that were skipped, or sessions from their first event."""

from __future__ import annotations

from collections.abc import Collection

from replay.line import session_of
from replay.refold import fold
from replay.told import content_of, final_rows
from replay.track import Folded
from streams.live.batch import Contents
from streams.live.settings import Settings


class Reading:
    """A piece of the log that must be read, in ``partition``, by a consumer of its own."""

    def __init__(
        self,
        partition: int,
        ranges: dict[str, tuple[int, int]],
        sessions: Collection[str],
        settings: Settings,
        ended: Collection[str] = (),
    ) -> None:
        """``ended``: of these sessions it is asked what they would say if they ended here."""
        self.partition = partition
        self.ranges = ranges
        """Topic -> first offset and the one after the last. First 0: whatever the topic still has."""
        self.sessions = frozenset(sessions)
        """The sessions that are to be folded; none: the records themselves are wanted."""
        self.folded: dict[str, Folded] = {}
        self.ended: dict[str, Contents] = {}
        self._of_the_end = frozenset(ended)
        self.records: list[tuple[str, int, bytes]] = []
        self._settings = settings
        self._lines: dict[bytes, list[bytes]] = {name.encode("utf-8", "surrogatepass"): [] for name in self.sessions}

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
            lines = self._lines.pop(name.encode("utf-8", "surrogatepass"))
            self.folded[name] = Folded(name, lines, self._settings.judging)
            if name in self._of_the_end:
                said, _ = fold(name, lines, self._settings.judging)
                self.ended[name] = {key: content_of(row) for key, row in final_rows(said).items()}
