"""What the store asks of an engine, and what an answer looks like.

An engine executes, selects and inserts; it buffers nothing, retries nothing and knows no table's meaning. Its errors
are `StoreError`, and those that may pass say so (``transient``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Final, Protocol

from streams.store.tables import Block, Column

DEDUPLICATION_TOKENS: Final = (22, 8)
"""The server version from which ``insert_deduplication_token`` (and `CURRENT_SETTINGS`) can be counted on."""
CURRENT_SETTINGS: Final[Mapping[str, str]] = {
    # A partition is a function of the identity, so current rows can be found partition by partition.
    "do_not_merge_across_partitions_select_final": "1",
}


@dataclass(frozen=True, slots=True)
class Columns:
    """A query's answer by column: ``data[i]`` has the values of the column ``names[i]``, of ClickHouse's ``types[i]``.

    Text is str (bytes that are not UTF-8 as surrogate escapes), except in the columns that were asked for as bytes.
    DateTime is an aware `datetime.datetime` in UTC, Date a `datetime.date`, Decimal exact, NULL None.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    data: tuple[Column, ...]

    def __len__(self) -> int:
        return len(self.data[0]) if self.data else 0

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Row by row, as tuples."""
        return zip(*self.data, strict=True)

    def dicts(self) -> list[dict[str, Any]]:
        """Row by row, as dictionaries."""
        return [dict(zip(self.names, row, strict=True)) for row in self.rows()]


class Engine(Protocol):
    """A ClickHouse, wherever it runs."""

    @property
    def version(self) -> str:
        """As ``SELECT version()`` says it: ``26.9.2.1``."""
        ...

    def execute(self, sql: str) -> None:
        """Run a statement that answers nothing."""
        ...

    def select(self, sql: str, binary: frozenset[str] = frozenset()) -> Columns:
        """Run a query; columns named in ``binary`` come as bytes."""
        ...

    def insert(self, block: Block, token: str) -> None:
        """Write ``block`` in one piece. The same token twice writes once, where the engine keeps tokens."""
        ...

    def close(self) -> None:
        """Let go of it; nothing can be asked afterwards."""
        ...


def version_of(text: str) -> tuple[int, ...]:
    """A version as numbers that compare.

    >>> version_of("18.16.1") < version_of("22.8")
    True
    """
    return tuple(int(part) for part in re.findall(r"\d+", text)[:4])


def tidy(
    names: Sequence[str], types: Sequence[str], data: Sequence[Column], zone: tzinfo, binary: frozenset[str]
) -> Columns:
    """Columns as a driver read them, made as `Columns` promises; ``zone`` is what a time without a zone is meant in."""
    described = zip(names, types, data, strict=True)
    made = tuple(_tidied(type_, values, zone, name in binary) for name, type_, values in described)
    return Columns(tuple(names), tuple(types), made)


def _tidied(type_: str, values: Column, zone: tzinfo, as_bytes: bool) -> Column:
    if "DateTime" in type_:
        return [_in_utc(value, zone) for value in values]
    if "String" not in type_:
        return values
    if as_bytes:
        return [value.encode() if isinstance(value, str) else value for value in values]
    if type_ in ("String", "LowCardinality(String)") and bytes not in set(map(type, values)):
        return values
    return [_as_text(value) for value in values]


def _in_utc(value: Any, zone: tzinfo) -> Any:
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=zone)).astimezone(UTC)
    return _within(value, lambda item: _in_utc(_as_text(item), zone))


def _as_text(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return _within(value, _as_text)


def _within(value: Any, change: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(change(item) for item in value)
    if isinstance(value, dict):
        return {change(key): change(item) for key, item in value.items()}
    return value
