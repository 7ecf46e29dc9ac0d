"""Which record goes to which table, and how a record's fields become columns and come back.

The columns of a table are the fields of its record, under the same names. What a column cannot hold as it is:

===================  =============================  ==============================================================
field                column                         why
===================  =============================  ==============================================================
``gaming_day: str``  ``Date``                       a day that is none (or outside 1970 to 2105) is stored as
                                                    1970-01-01 and reads as ``""``: not known
``seat: int | None`` ``Int16``, -1 for None         a Nullable column costs a second file
``bool``             ``UInt8``                      old servers have no Bool
``raw: bytes``       ``String``                     ClickHouse's String is any bytes
``tuple[int, ...]``  ``Array(UInt32)``
===================  =============================  ==============================================================

A whole number outside its column's range is stored as the nearest that fits, and logged: one absurd row of a hostile
log must not keep a night out of the store.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any, Final, TypeVar

import msgspec

from replay.results import (
    Cage,
    Finding,
    Kind,
    RawEvent,
    Rejected,
    Round,
    Row,
    SessionSummary,
    Settlement,
    Severity,
    Streak,
    Verdict,
)

log = logging.getLogger(__name__)

RowT = TypeVar("RowT", bound=Row)

Column = Sequence[Any]
"""The values of one column, a block's rows long."""

UNKNOWN_DAY: Final = date(1970, 1, 1)
LAST_DAY: Final = date(2105, 12, 31)
"""An old server takes any later day for the first."""
NO_SEAT: Final = -1
_CUT_ROWS: Final = 256
_SAMPLE: Final = 64
"""So many values of a column tell whether its texts repeat."""


class Type(Enum):
    """The types of column that the tables use, by ClickHouse's names."""

    TEXT = ("String", "text")
    BYTES = ("String", "bytes")
    DAY = ("Date", "day")
    FLAG = ("UInt8", "flag")
    SEAT = ("Int16", "seat")
    COUNT = ("UInt32", "count")
    REVISION = ("UInt64", "revision")
    WHOLE = ("Int64", "whole")
    WHOLE_OR_NONE = ("Nullable(Int64)", "whole or none")
    COUNTS = ("Array(UInt32)", "counts")

    @property
    def sql(self) -> str:
        """ClickHouse's name."""
        return self.value[0]


_RANGES: Final[Mapping[Type, tuple[int, int]]] = {
    Type.SEAT: (-(1 << 15), (1 << 15) - 1),
    Type.COUNT: (0, (1 << 32) - 1),
    Type.REVISION: (0, (1 << 64) - 1),
    Type.WHOLE: (-(1 << 63), (1 << 63) - 1),
    Type.WHOLE_OR_NONE: (-(1 << 63), (1 << 63) - 1),
}
"""Per type of whole number: the least and the greatest value."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that a sink fills.

    ``columns`` has the record's fields in the record's order, called as they are encoded; ``identity`` is what the
    table is sorted by.
    """

    name: str
    record: type[msgspec.Struct]
    identity: tuple[str, ...]
    columns: tuple[tuple[str, Type], ...]
    stamp: str = ""
    """A column that no record has: when the row was written, in microseconds since 1970-01-01 UTC."""

    @property
    def written(self) -> tuple[tuple[str, Type], ...]:
        """The columns of what is written."""
        return (*self.columns, (self.stamp, Type.WHOLE)) if self.stamp else self.columns

    @property
    def current(self) -> str:
        """The view of the rows that count now."""
        return f"{self.name}_current"

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(name for name, _ in self.columns)

    def block(self, rows: Sequence[msgspec.Struct], written_at_us: int = 0) -> Block:
        """``rows`` as columns, written at this time."""
        values: list[list[Any]] = [[] for _ in self.columns]
        # A few rows at a time, so that they are still in the processor's cache when they are cut: four times as fast.
        for start in range(0, len(rows), _CUT_ROWS):
            cut = zip(*map(msgspec.structs.astuple, rows[start : start + _CUT_ROWS]), strict=True)
            for column, part in zip(values, cut, strict=True):
                column.extend(part)
        typed = zip(self.columns, values, strict=True)
        columns = [_encode(self.name, name, type_, column) for (name, type_), column in typed]
        if self.stamp:
            columns.append([written_at_us] * len(rows))
        return Block(self, columns, len(rows))

    def records(self, columns: Mapping[str, Column]) -> Iterator[msgspec.Struct]:
        """The records of columns that were read, by name; as many as the columns are long."""
        annotations = self.record.__annotations__
        said = [annotations[each] for each in self.record.__struct_fields__]
        typed = zip(self.columns, said, strict=True)
        decoded = [_decode(annotation, type_, columns[name]) for (name, type_), annotation in typed]
        for values in zip(*decoded, strict=True):
            yield self.record(**dict(zip(self.record.__struct_fields__, values, strict=True)))


@dataclass(frozen=True, slots=True)
class Block:
    """What one insert writes: all columns of ``table``, each ``count`` values long, fit for every engine.

    Text is bytes, a flag is 0 or 1, a day is the number of days since 1970-01-01.
    """

    table: Table
    columns: list[Column]
    count: int


_BY_FIELD: Final = {
    "str": Type.TEXT,
    "bytes": Type.BYTES,
    "bool": Type.FLAG,
    "int": Type.WHOLE,
    "int | None": Type.WHOLE_OR_NONE,
    "tuple[int, ...]": Type.COUNTS,
    "Verdict": Type.TEXT,
    "Kind": Type.TEXT,
    "Severity": Type.TEXT,
}
_COUNTS: Final = frozenset(
    {"seq", "round", "opened_seq", "closed_seq", "bets", "events", "rounds", "settlements", "findings"}
    | {"observations"}
    | {"gaps", "conflicts", "duplicates", "rejected", "checkpoints_good", "checkpoints_bad"}
)
_VOCABULARY: Final[Mapping[str, Callable[[str], str]]] = {"Verdict": Verdict, "Kind": Kind, "Severity": Severity}
"""What a record's field of this annotation is made of: the kind of a finding, not that of a movement of chips."""


def _type(record: type[msgspec.Struct], name: str, annotation: str) -> Type:
    if name == "gaming_day":
        return Type.DAY
    if name == "seat":
        return Type.SEAT
    if name == "revision":
        return Type.REVISION
    # What stands in a rejected line may be anything.
    if name in _COUNTS and record is not Rejected:
        return Type.COUNT
    if annotation not in _BY_FIELD:
        raise TypeError(f"{record.__name__}.{name}: no type of column is known for {annotation}")
    return _BY_FIELD[annotation]


def _table(name: str, record: type[msgspec.Struct], identity: str, stamp: str = "") -> Table:
    annotations: dict[str, str] = record.__annotations__
    columns = tuple(
        (field.encode_name, _type(record, field.name, annotations[field.name]))
        for field in msgspec.structs.fields(record)
    )
    return Table(name, record, tuple(identity.split()), columns, stamp)


TABLES: Final = (
    _table("events", RawEvent, "gaming_day session seq digest"),
    _table("sessions", SessionSummary, "gaming_day session"),
    _table("rounds", Round, "gaming_day session round"),
    _table("settlements", Settlement, "gaming_day session round bet"),
    _table("findings", Finding, "gaming_day session seq code subject", stamp="written_at_us"),
    _table("cage", Cage, "gaming_day session seq movement"),
    _table("streaks", Streak, "gaming_day session process seq"),
    _table("rejected", Rejected, "source place digest"),
)
BY_RECORD: Final[Mapping[type[msgspec.Struct], Table]] = {table.record: table for table in TABLES}


def _encode(table: str, name: str, type_: Type, values: list[Any]) -> Column:
    """``values`` of a record's field as a column of ``type_``."""
    if type_ is Type.BYTES:
        return values
    if type_ is Type.TEXT:
        return _text(values)
    if type_ is Type.DAY:
        days = {text: (_day(text) - UNKNOWN_DAY).days for text in set(values)}
        return list(map(days.__getitem__, values))
    if type_ is Type.FLAG:
        return list(map(int, values))
    if type_ is Type.COUNTS:
        return values
    if type_ is Type.SEAT:
        values = [NO_SEAT if value is None else value for value in values]
    known = [value for value in values if value is not None] if type_ is Type.WHOLE_OR_NONE else values
    low, high = _RANGES[type_]
    if known and (min(known) < low or max(known) > high):
        log.warning("%s.%s: a number that the column cannot hold was stored as the nearest that it can", table, name)
        return [value if value is None else min(max(value, low), high) for value in values]
    return values


class _Codes(dict[str, bytes]):
    """Texts as their bytes: each is encoded once."""

    def __missing__(self, text: str) -> bytes:
        code = self[text] = _text_bytes(text)
        return code


def _text(values: list[str]) -> Column:
    """Text as its bytes. Nearly all repeats within a block."""
    sample = values[:_SAMPLE]
    if 2 * len(set(sample)) <= len(sample):
        return list(map(_Codes().__getitem__, values))
    return list(map(_text_bytes, values))


def _text_bytes(value: str) -> bytes:
    try:
        return value.encode()
    except UnicodeEncodeError:
        # File names that are not UTF-8 reach Python as lone surrogates; other lone surrogates have no bytes at all.
        try:
            return value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return value.encode("utf-8", "replace")


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return UNKNOWN_DAY
    return day if UNKNOWN_DAY <= day <= LAST_DAY else UNKNOWN_DAY


def day_kept(text: str) -> str:
    """A gaming day as a store gives it back: empty where it holds none such.

    >>> day_kept("2026-11-29"), day_kept("2300-01-01")
    ('2026-11-29', '')
    """
    day = _day(text)
    return "" if day == UNKNOWN_DAY else day.isoformat()


def _decode(annotation: str, type_: Type, values: Column) -> Column:
    if type_ is Type.DAY:
        return ["" if day == UNKNOWN_DAY else day.isoformat() for day in values]
    if type_ is Type.FLAG:
        return list(map(bool, values))
    if type_ is Type.SEAT:
        return [None if seat == NO_SEAT else seat for seat in values]
    if type_ is Type.COUNTS:
        return list(map(tuple, values))
    if type_ is Type.TEXT and annotation in _VOCABULARY:
        return list(map(_VOCABULARY[annotation], values))
    return values
