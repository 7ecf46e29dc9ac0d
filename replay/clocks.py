"""The clocks of a table's devices, held against the order of its events.

The table's gateway numbers the events, so that their order does not hang on clocks. A device whose clock is wrong
stamps all of its events wrongly: that is told once for each device, and once more where it has become much worse. Less
than `TOLERANCE` is nothing: devices are set by a network, and their messages take their time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

TOLERANCE: Final = timedelta(seconds=1)
_WORSE: Final = 2
"""So many times as far off as was told: it is told again."""


class _Stamp(NamedTuple):
    """As much of an event as is told of it."""

    device: str
    seq: int


class Clocks:
    """What is known of the clocks of one session."""

    __slots__ = ("_told", "latest", "latest_at")

    def __init__(self) -> None:
        self.latest: Any = None
        """The event that bears the latest time so far."""
        self.latest_at = datetime(1970, 1, 1, tzinfo=UTC)
        """Its time."""
        self._told: dict[str, timedelta] = {}
        """By how much each device was off when it was told."""

    def at_rest(self) -> tuple[Any, ...]:
        """The same in as little room as it takes."""
        latest = self.latest
        device, seq = ("", 0) if latest is None else (latest.device, latest.seq)
        return device, seq, self.latest_at, self._told or None

    @classmethod
    def awake(cls, rest: tuple[Any, ...]) -> Clocks:
        """What was put to rest."""
        clocks = cls()
        device, seq, clocks.latest_at, told = rest
        clocks.latest = _Stamp(device, seq)
        clocks._told = told or {}
        return clocks

    def behind(self, event: Any) -> str:
        """What is to be told of an event that bears an earlier time than `latest`, in a sentence; empty: nothing."""
        before, before_at, lag = self.latest, self.latest_at, self.latest_at - event.at
        if lag <= TOLERANCE:
            return ""
        self.latest, self.latest_at = event, event.at  # which of the two is right, nobody knows
        if not self._is_news(event.device, lag):
            return ""
        return (
            f"by the order of events the clock of device {event.device} is {seconds(lag)} behind that of"
            f" {before.device} since event {event.seq}: it bears {_time(event.at)}, event {before.seq} before it"
            f" {_time(before_at)}"
        )

    def ahead(self, at: datetime, device: str, called: Any) -> bool:
        """Whether it is to be told that a stake of ``device`` was laid ``at`` a later time than that of ``called``, no
        more bets, which is numbered after it. What a device says against itself is told each time."""
        lead = at - called.at
        return lead > TOLERANCE and (device == called.device or self._is_news(device, lead))

    def _is_news(self, device: str, off: timedelta) -> bool:
        told = self._told.get(device)
        if told is not None and off <= _WORSE * told:
            return False
        self._told[device] = off
        return True


def seconds(span: timedelta) -> str:
    """A span for people.

    >>> seconds(timedelta(seconds=6)), seconds(timedelta(milliseconds=1250))
    ('6 s', '1.25 s')
    """
    milliseconds = (span + timedelta(microseconds=500)) // timedelta(milliseconds=1)
    whole, rest = divmod(milliseconds, 1000)
    return f"{whole:,}.{rest:03d}".rstrip("0").rstrip(".") + " s"


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(sep=" ", timespec="milliseconds").replace("+00:00", " UTC")


def contradiction(bet_id: str, laid: datetime, called: Any) -> str:
    """What is told of a stake whose own clock says that it came after no more bets, numbered before it."""
    return (
        f"by its device's clock bet {bet_id} was laid at {_time(laid)}, {seconds(laid - called.at)} after no more bets"
        f" ({_time(called.at)}), and it is numbered before it: order and clocks contradict each other"
    )
