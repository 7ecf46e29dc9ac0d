"""Where retally itself fails on one table: that is told beside the table, and the rest of the night is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from dashboards.nightly.queries import Record
from replay.errors import RetallyError

T = TypeVar("T")

FAILED: Final = "failed"
"""A table's problem where what explains its difference could not be worked out."""
_OF_A_TABLE: Final = ("day", "session", "casino", "pit", "table", "game")


class Failures:
    """What retally failed to work out, table by table."""

    def __init__(self) -> None:
        self.rows: list[Record] = []
        """Each: the table's day, which ``work`` failed (``odds``, ``trace``, ``cuts``, ``tray``), and the ``error``."""

    def tried(self, table: Mapping[str, Any], work: str, worked_out: Callable[[], T]) -> T | None:
        """What ``worked_out`` gives of a table; None where it fails, which is kept."""
        try:
            return worked_out()
        except Exception as error:  # whatever it is: one table must not take the night's report
            about = {name: table[name] for name in _OF_A_TABLE}
            self.rows.append({**about, "work": work, "error": _told(error)})
            return None

    def of(self, first: str, last: str) -> list[Record]:
        """Those of the gaming days from ``first`` to ``last`` (ISO), in order of the tables."""
        mine = (row for row in self.rows if first <= row["day"] <= last)
        return sorted(mine, key=lambda row: (row["day"], row["table"], row["session"], row["work"]))


def _told(error: Exception) -> str:
    """One line: what is wrong with what was given, or which fault of retally's it is, and where."""
    said = " ".join(str(error).split())
    if isinstance(error, RetallyError):
        return said
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    place = ""
    if traceback is not None:
        frame = traceback.tb_frame
        place = f" in {frame.f_globals.get('__name__', '')}, {frame.f_code.co_qualname}"
    return f"{type(error).__name__}{place}" + (f": {said}" if said else "")
