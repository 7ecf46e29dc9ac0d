"""The one error that a store raises for what a user can put right."""

from __future__ import annotations

import re
from typing import Final

from replay.errors import RetallyError

MAX_TEXT: Final = 400
"""Characters of an engine's own words that are passed on."""

_CODE = re.compile(r"Code:\s*(\d+)")
_NOISE = re.compile(
    r"(?:,? ?Stack trace.*$)|(?:\(version [^)]*\))|(?:: While executing \w+\b)|(?:\([A-Z_]+\)\s*$)"
    r"|(?:^.*?DB::Exception: )"
)


class StoreError(RetallyError):
    """A store cannot do what it was asked to; the message is one line, for the person at the terminal.

    ``transient`` says that the same may succeed a little later (the server is away, busy, starting); ``code`` is the
    engine's own error number, 0 where there is none.
    """

    def __init__(self, message: str, *, transient: bool = False, code: int = 0) -> None:
        super().__init__(" ".join(message.split()))
        self.transient = transient
        self.code = code


def engine_code(text: str) -> int:
    """The error number in an engine's message, 0 where there is none.

    >>> engine_code("Code: 60. DB::Exception: Table default.x doesn't exist. (UNKNOWN_TABLE)")
    60
    """
    found = _CODE.search(text)
    return int(found.group(1)) if found else 0


def engine_text(text: str) -> str:
    """An engine's message in one line, without stack trace, version and the name of the error.

    >>> engine_text("Code: 60.\\nDB::Exception: Table default.x doesn't exist. Stack trace:\\n\\n0. /usr/lib")
    "Table default.x doesn't exist"
    """
    line = " ".join(text.split())
    previous = None
    while previous != line:
        previous, line = line, _NOISE.sub("", line).strip()
    line = line.rstrip(". ")
    return line if len(line) <= MAX_TEXT else line[: MAX_TEXT - 1] + "…"
