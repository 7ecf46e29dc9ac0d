"""The clock by which the live side waits: it only goes forward, whatever is done to the time of day."""

from __future__ import annotations

import time
from typing import Final

_CLOCK: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Where there is one, a clock that goes on while the machine sleeps: others have had our partitions by then."""


def steady() -> float:
    """Seconds since some moment in the past. What an event says of its time is data, and never compared with this."""
    return time.clock_gettime(_CLOCK)
