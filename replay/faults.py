"""When retally itself fails: where it was, and the sentence that says so.

A fault of the program is no fault of the table's. `replay.session.Session.fault` makes the session blind and says one
finding, ``rule_fault``; what that finding says is the same wherever and whenever the same events are folded.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_SESSION: Final = ("replay.session", "replay.saying")
_DETECTORS: Final = "replay.streaks."


class Place(NamedTuple):
    """Whom the session had called when it failed."""

    module: str
    """``replay.games.boule``."""
    function: str
    """``Boule.ball_landed``."""

    @property
    def is_a_detectors(self) -> bool:
        """Whether it is one that watches for streaks: what the table's verdicts rest on has not failed."""
        return self.module.startswith(_DETECTORS)

    def __str__(self) -> str:
        return f"{self.module}, {self.function}"


def place_of(error: BaseException) -> Place:
    """Whom the session had called when it failed: the first frame that is not the session's own any more."""
    place = Place(_SESSION[0], "")
    traceback = error.__traceback__
    while traceback is not None:
        frame = traceback.tb_frame
        here = Place(str(frame.f_globals.get("__name__", "")), frame.f_code.co_qualname)
        if here.module in _SESSION or place.module in _SESSION:
            place = here
        traceback = traceback.tb_next
    return place


def sentence(error: BaseException, place: Place, seq: int, kind: str, *, last: bool = False) -> str:
    """What is said of it. ``kind``: the event's type; empty where it failed at none. ``last``: it has failed once too
    often."""
    at = f"at event {seq} ({kind})" if kind else f"after event {seq}"
    watched = "; this session is watched for streaks no more" if place.is_a_detectors else ""
    of_what = "more of this session" if last else "of this round"
    return (
        f"retally itself failed {at}: {type(error).__name__} in {place}. Nothing {of_what} is judged, and nobody is"
        f" accused{watched}. Please report it, with this session's log"
    )
