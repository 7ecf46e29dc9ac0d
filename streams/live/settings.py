"""How a floor is folded, as the engine is told it; what an operator can set of it is in `streams.live.config`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from replay.judging import Judging


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a floor is folded. Times are seconds of the injected clock, which only goes forward."""

    judging: Judging
    """By which law, and what besides the settlements is looked at."""
    raw: bool = True
    """Every event's bytes go to the store too."""
    home: Callable[[str], int] | None = None
    """The partition by which a table's events come. A session that comes by another one, for a gateway has mistaken its
    key or another session's name, is left alone there, and cannot take back what is said at home. None: any will do."""
    alone: bool = False
    """There is but one partition: whatever a record's key is, it comes there."""
    hole_patience_s: float = 5.0
    """So long a missing event is waited for, by what was read of the topics; twice as long after each that came after
    all."""
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
    max_waiting_rows: int = 200_000
    """With so many rows waiting to be written the floor is `LiveFloor.full`."""
    sessions_a_reading: int = 8
    """So many sessions are read again at once at most: their lines are held in memory."""
