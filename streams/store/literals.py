"""Parameters of a query, written into it as literals.

``{name:Type}`` is ClickHouse's own notation. A current server would take such parameters itself, an old one does not;
both understand literals, so the text is made here, once, for every engine. Nothing of a value gets there unquoted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final

Parameter = str | bytes | int | float | date | datetime | Sequence["Parameter"]

_PLACEHOLDER: Final = re.compile(r"(?<!\$)\{([A-Za-z_]\w*):\s*([A-Za-z][A-Za-z0-9]*(?:\([A-Za-z0-9]+\))?)\s*\}")
_ARRAY: Final = re.compile(r"Array\((\w+)\)")
_INTEGER: Final = re.compile(r"(U?)Int(8|16|32|64)")
_PLAIN: Final = frozenset(range(0x20, 0x7F)) - frozenset(b"'\\")
_TABLE: Final = tuple(chr(byte) if byte in _PLAIN else f"\\x{byte:02x}" for byte in range(256))


def bind(sql: str, parameters: Mapping[str, Parameter] | None) -> str:
    """``sql`` with every ``{name:Type}`` replaced by the literal of ``parameters[name]``.

    Types: String (str or bytes), UInt8 … UInt64, Int8 … Int64, Float64, Date (a date or its ISO form), DateTime (an
    aware datetime), and Array of them. ``${name:format}``, Grafana's notation, is left alone.

    Raises:
        ValueError: a parameter is missing, is not asked for, or does not fit its type; the text names it.

    >>> bind("SELECT * FROM rounds WHERE session = {s:String} AND round > {n:UInt32}", {"s": "it's", "n": 7})
    "SELECT * FROM rounds WHERE session = 'it\\\\x27s' AND round > 7"
    """
    given = dict(parameters or {})
    used: set[str] = set()

    def literal_of(match: re.Match[str]) -> str:
        name, type_ = match.group(1), match.group(2)
        if name not in given:
            raise ValueError(f"the query asks for a parameter {name!r} that was not given")
        used.add(name)
        try:
            return literal(given[name], type_)
        except (TypeError, ValueError, OverflowError) as wrong:
            raise ValueError(f"parameter {name!r} is no {type_}: {wrong}") from None

    text = _PLACEHOLDER.sub(literal_of, sql)
    if given.keys() != used:
        raise ValueError(f"the query does not ask for the parameter {min(given.keys() - used)!r}")
    return text


def literal(value: Parameter, type_: str) -> str:
    """``value`` as a literal of ClickHouse's ``type_``.

    Raises:
        TypeError, ValueError: it is none, or the type is not one of those that `bind` names.

    >>> literal([1, 2], "Array(UInt32)")
    '[1, 2]'
    """
    if array := _ARRAY.fullmatch(type_):
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise TypeError("a list is wanted")
        # `[]` alone has no type that an old server could compare with.
        return f"[{', '.join(literal(item, array[1]) for item in value)}]" if value else f"emptyArray{array[1]}()"
    if type_ == "String":
        return _string(value)
    if integer := _INTEGER.fullmatch(type_):
        return _integer(value, signed=not integer[1], bits=int(integer[2]))
    if type_ == "Float64":
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError("a number is wanted")
        return f"toFloat64('{float(value)!r}')"
    if type_ == "Date":
        if isinstance(value, datetime) or not isinstance(value, str | date):
            raise TypeError("a date is wanted")
        day = date.fromisoformat(value) if isinstance(value, str) else value
        return f"toDate('{day.isoformat()}')"
    if type_ == "DateTime":
        if not isinstance(value, datetime) or value.tzinfo is None:
            raise TypeError("a datetime with a time zone is wanted")
        return f"toDateTime('{value.astimezone(UTC):%Y-%m-%d %H:%M:%S}', 'UTC')"
    raise ValueError("no type that a parameter can have")


def _string(value: Parameter) -> str:
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogateescape")
    if not isinstance(value, bytes):
        raise TypeError("text or bytes are wanted")
    return f"'{''.join(map(_TABLE.__getitem__, value))}'"


def _integer(value: Parameter, *, signed: bool, bits: int) -> str:
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, int):
        raise TypeError("a whole number is wanted")
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    if not low <= value <= high:
        raise ValueError(f"{value} is not between {low} and {high}")
    return str(value)
