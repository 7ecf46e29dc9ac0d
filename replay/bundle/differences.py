"""Where the verdicts in a bundle are others than those that follow from its events, and what each of them is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec


class Differing(NamedTuple):
    """A verdict that only one side has, or that each has in words of its own."""

    line: int
    """Its place in the bundle's verdicts, or in those that follow where the bundle has none; from 1."""
    what: str
    """``the settlement of bet b3 in round 2``."""
    theirs: str
    """The bundle's line; empty where it has none."""
    ours: str
    """The line that follows; empty where none does."""


_BLOCK: Final = 1 << 16
_SOME_BYTES: Final = 1 << 20
_SOME_LINES: Final = 1000


def first_difference(one: bytes, other: bytes) -> int:
    """The number of the first line that differs, from 1. Nothing is copied but a block at a time."""
    end = min(len(one), len(other))
    start = next((at for at in range(0, end, _BLOCK) if one[at : at + _BLOCK] != other[at : at + _BLOCK]), end)
    place = next((at for at in range(start, min(start + _BLOCK, end)) if one[at] != other[at]), end)
    return one.count(b"\n", 0, place) + 1


def line_of(text: bytes, number: int) -> bytes:
    """This line of a text, from 1; empty where there is no such line."""
    start = 0
    for _ in range(number - 1):
        start = text.find(b"\n", start) + 1
        if not start:
            return b""
    end = text.find(b"\n", start)
    return text[start:] if end < 0 else text[start:end]


def comparable(found: bytes, made: bytes) -> bool:
    """Whether these may be the verdicts of another engine on the same events: not many times as many, or as long."""
    return len(found) <= 4 * len(made) + _SOME_BYTES and found.count(b"\n") <= 2 * made.count(b"\n") + _SOME_LINES


def differing(found: bytes, made: bytes) -> Iterator[Differing]:
    """The verdicts in which two lists of lines differ, in their order; ``found`` are the bundle's."""
    theirs, ours = _by_what(found), _by_what(made)
    same = True
    for what, (number, line) in theirs.items():
        followed = ours.pop(what, (0, b""))[1]
        if line != followed:
            same = False
            yield Differing(number, what, _text(line), _text(followed))
    for what, (number, line) in ours.items():
        same = False
        yield Differing(number, what, "", _text(line))
    if same and found != made:
        number = first_difference(found, made)
        there, here = (_text(line_of(lines, number)) for lines in (found, made))
        yield Differing(number, "the order of the verdicts", there, here)


def _by_what(text: bytes) -> dict[str, tuple[int, bytes]]:
    """The lines by what they are about, with their numbers; of several about one thing, the first."""
    found: dict[str, tuple[int, bytes]] = {}
    for number, line in enumerate(text.split(b"\n"), 1):
        if line:
            found.setdefault(_what(line), (number, line))
    return found


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")


def named(text: bytes, number: int) -> str:
    """A line of the verdicts in words: ``the settlement of bet b3 in round 2``; empty where there is no such line."""
    line = line_of(text, number)
    return _what(line) if line else ""


class _Verdict(msgspec.Struct):
    """What names a line of the verdicts."""

    record: str = ""
    round: int | None = None
    bet: str = ""
    code: str = ""
    seq: int = 0
    subject: str = ""
    movement: str = ""
    process: str = ""


def _what(line: bytes) -> str:
    try:
        verdict = msgspec.json.decode(line, type=_Verdict)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return "something that cannot be read"
    if verdict.record == "settlement":
        return f"the settlement of bet {verdict.bet} in round {verdict.round}"
    if verdict.record == "finding":
        about = f" ({verdict.subject})" if verdict.subject else ""
        return f"the finding {verdict.code} at event {verdict.seq}{about}"
    if verdict.record == "cage":
        return f"the {verdict.movement} at event {verdict.seq}"
    if verdict.record == "streak":
        return f"the reading of {verdict.process} at event {verdict.seq}"
    return f"round {verdict.round}" if verdict.record == "round" else f"the {verdict.record} row"
