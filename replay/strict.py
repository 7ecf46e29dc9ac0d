"""JSON as the contract has it: no key twice in one object, and no number that is none.

The parsers that make events of lines (msgspec, pydantic) each take one of two equal keys, not always the same one, and
know words for infinity. What two readers can read in two ways proves nothing, so a line is held to these rules besides:
by Python's own parser, which shows every pair of an object as it stands. It is slow, and only asked where a line gives
reason (`replay.events.decode`), or was refused.
"""

from __future__ import annotations

import json
from typing import Any, Final

_MAX_DIGITS: Final = 18
"""Longer whole numbers are no number of ours, and are not worked out."""


class _Pairs(list[tuple[str, Any]]):
    """An object, key by key."""


class _Odd:
    """A value that is no number of ours: NaN, an infinity, one of more digits than any field has."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _whole(text: str) -> int | None:
    return int(text) if len(text) <= _MAX_DIGITS else None


def _fraction(text: str) -> None:
    """Whatever it is: nobody asks for it."""


_decode: Final = json.JSONDecoder(
    object_pairs_hook=_Pairs, parse_constant=_Odd, parse_int=_whole, parse_float=_fraction
).decode


def pairs(line: bytes) -> list[tuple[str, Any]] | None:
    """The pairs of the object that a line is, in order; objects within it likewise. None: it is no JSON object. NaN
    and its like are let pass, for `fault` to find."""
    try:
        found = _decode(line.decode())
    except (ValueError, RecursionError):
        return None
    return found if type(found) is _Pairs else None


def fault(line: bytes) -> tuple[str, str] | None:
    """The field (dotted) by which a line that is an event otherwise offends, and how; None: nothing does."""
    found = pairs(line)
    return ("", "not valid JSON") if found is None else _fault(found, "")


def _fault(value: Any, place: str) -> tuple[str, str] | None:
    if type(value) is _Odd:
        return place, f"{value.text} is no number"
    if type(value) is _Pairs:
        met: set[str] = set()
        for key, part in value:
            field = f"{place}.{key}" if place else key
            if key in met:
                return field, "stands there twice"
            met.add(key)
            if (found := _fault(part, field)) is not None:
                return found
    elif type(value) is list:
        for index, part in enumerate(value):
            if (found := _fault(part, f"{place}.{index}")) is not None:
                return found
    return None


def only(found: list[tuple[str, Any]], key: str) -> Any:
    """What stands under this key; None where nothing does, or more than one thing."""
    values = [value for name, value in found if name == key]
    return values[0] if len(values) == 1 else None
