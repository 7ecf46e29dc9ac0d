"""What a report says of a night at its head: two statements, is the log whole, and is the night clean.

They are told apart, for a night may be told in full and be full of wrongs, and a log with holes may show nothing wrong.
A night is called clean only where all of it could be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Figures = Mapping[str, Any]

BROKEN: Final = ("gaps", "conflicts", "rejected", "checkpoints_bad")
"""Of a session: events that are missing, contradicted or rejected, and seals that do not hold."""


def statements(figures: Figures) -> dict[str, str]:
    """Of a night's figures.

    ``log``: ``missing``, there is no session; ``failed``, retally itself failed on some; ``broken``, some have holes or
    seals that do not hold; ``late``, some are not closed or not counted; ``partial``, a table of the days before has
    none; ``whole``. ``night``: ``dirty``, something was found, is unexplained, was not carried over from the night
    before or must be investigated; ``open``, that is not so, but not all could be looked at; ``clean``.
    """
    return {"log": _log(figures), "night": _night(figures)}


def _log(figures: Figures) -> str:
    if figures["state"] in ("missing", "failed"):
        return str(figures["state"])
    if any(row[name] for row in figures["sessions"] for name in BROKEN):
        return "broken"
    return "whole" if figures["state"] == "complete" else str(figures["state"])


def _night(figures: Figures) -> str:
    unexplained = any(row["unexplained"] for row in figures["sessions"] if not row["problem"])
    required = any(place["found"] for place in figures["investigations"])
    if figures["findings"] or figures["floats"] or unexplained or required:
        return "dirty"
    return "clean" if _log(figures) == "whole" else "open"
