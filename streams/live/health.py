"""How a worker is: alive, ready, degraded.

*Alive*: its event loop comes round. That depends on nobody else, and is all that whoever may kill it should ask.
*Ready*: it has begun, and has caught up the partitions that are its own. *Degraded*: something that it needs is away:
what, since when, and how much waits; it goes on by itself when that is back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Protocol

from streams.live.clock import steady

STUCK_S: Final = 60.0
"""An event loop that has not come round for so long is not well."""
CHARS: Final = 500


class _Caught(Protocol):
    def is_set(self) -> bool: ...


class Health:
    """What is known of a worker; written by its threads, asked by whoever answers over HTTP."""

    def __init__(self, clock: Callable[[], float] = steady) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._beat = self.began = clock()
        self._away: dict[str, tuple[str, float]] = {}
        self._partitions: list[int] | None = None
        self._caught_up: list[int] = []
        self._waits = 0

    def beat(self) -> None:
        """The event loop comes round."""
        self._beat = self._clock()

    def away(self, what: str, why: str, since: float | None = None) -> bool:
        """``what`` is away; whether that is news."""
        with self._lock:
            known = self._away.get(what)
            when = known[1] if known is not None else self._clock() if since is None else since
            self._away[what] = (" ".join(why.split())[:CHARS], when)
            return known is None

    def since(self, what: str) -> float:
        """For how many seconds ``what`` has been away; 0: it is not."""
        with self._lock:
            known = self._away.get(what)
        return 0.0 if known is None else self._clock() - known[1]

    def back(self, *what: str) -> bool:
        """These are not away any more; whether that is news."""
        with self._lock:
            found = [self._away.pop(each, None) for each in what]
            return any(each is not None for each in found)

    def only(self, named: Collection[str]) -> None:
        """All but these are not away any more."""
        with self._lock:
            for each in [each for each in self._away if each not in named]:
                del self._away[each]

    def assigned(self, partitions: Mapping[int, _Caught]) -> None:
        """The partitions that are ours, and which of them are caught up."""
        with self._lock:
            self._partitions = sorted(partitions)
            self._caught_up = sorted(number for number, event in partitions.items() if event.is_set())

    def waits(self, rows: int) -> None:
        """So many rows wait to be written."""
        self._waits = rows

    def tell(self) -> dict[str, Any]:
        """How it stands, for JSON. ``ok`` is the same as ``alive``; ``away`` names the first thing that is."""
        now = self._clock()
        with self._lock:
            away = [
                {"what": what, "why": why, "for_s": round(now - since, 1)} for what, (why, since) in self._away.items()
            ]
            partitions, caught_up = self._partitions, self._caught_up
        late_s = now - self._beat
        alive = late_s < STUCK_S
        return {
            "ok": alive,
            "alive": alive,
            "ready": alive and partitions is not None and caught_up == partitions,
            "degraded": away,
            "last_round_s": round(late_s, 3),
            "partitions": partitions or [],
            "caught_up": caught_up,
            "away": f"{away[0]['what']}: {away[0]['why']}" if away else "",
            "rows_waiting": self._waits,
        }
