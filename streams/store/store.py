"""A store: the sink that records go into, and the place where they are asked for."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self, cast

import msgspec

from replay.results import Finding, RawEvent, Rejected, Row, Settlement
from streams.store.address import parse_address
from streams.store.embedded import Embedded
from streams.store.engine import Columns, Engine
from streams.store.errors import StoreError
from streams.store.literals import Parameter, bind
from streams.store.migrations import Migrated, known, migrate
from streams.store.server import Server
from streams.store.tables import BY_RECORD, TABLES, Block, RowT, Table

BLOCK_ROWS: Final = 50_000
BLOCK_BYTES: Final = 32 * 1024 * 1024
"""Raw bytes (`RawEvent.raw`, `Rejected.raw`) in one block."""
BLOCK_DAYS: Final = 50
"""Gaming days in one block: each is a partition, and a server refuses a block of more than a hundred."""
RETRY_DELAYS_S: Final = (0.1, 0.3, 1.0, 3.0, 5.0)
"""Seconds before each further attempt to write a block."""
BINARY: Final = frozenset({"raw"})
"""Columns that a query gives as bytes wherever they appear under these names."""

_FIRST: Final = (Finding, Settlement)
"""Whoever watches waits for these; everything else is written after them, raw events last."""
_RAW: Final = (RawEvent, Rejected)
_UNKNOWN_TABLE: Final = 60

log = logging.getLogger(__name__)


class Sink(Protocol):
    """Where records go. What was added is safe once `flush` has returned, and not before."""

    def add(self, row: Row) -> None:
        """Take a record."""
        ...

    def flush(self) -> None:
        """Write all that was taken."""
        ...


@dataclass(slots=True)
class _Buffer:
    """Records of one table that wait, and the blocks that are cut from them and not yet known to be written."""

    table: Table
    rows: list[msgspec.Struct] = field(default_factory=list)
    raw_bytes: int = 0
    sealed: list[tuple[Block, str]] = field(default_factory=list)
    """Blocks with their deduplication tokens: whatever happens, a block is sent again as it was, under its token."""


class Store:
    """Records in, rows out, on one engine. Open one with `open_store`.

    `add` and `flush` belong to one thread; queries may come from any, and wait for each other. What was added and not
    flushed is in no query's answer, and is gone when the store is closed.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        block_rows: int = BLOCK_ROWS,
        retry_delays_s: tuple[float, ...] = RETRY_DELAYS_S,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if block_rows < 1:
            raise ValueError("a block has at least one row")
        self._engine = engine
        self._block_rows = block_rows
        self._retry_delays_s = retry_delays_s
        self._sleep = sleep
        self._lock = threading.RLock()
        others = [table for table in TABLES if table.record not in (*_FIRST, RawEvent)]
        ordered = [*(BY_RECORD[record] for record in _FIRST), *others, BY_RECORD[RawEvent]]
        self._buffers: dict[type[msgspec.Struct], _Buffer] = {table.record: _Buffer(table) for table in ordered}

    @property
    def engine_version(self) -> str:
        """The engine's version: ``26.9.2.1``."""
        return self._engine.version

    def migrate(self) -> tuple[Migrated, ...]:
        """Bring the database to the schema that this program knows; what it has had already is left alone.

        Raises:
            StoreError: see `streams.store.migrations.migrate`.
        """
        with self._lock:
            return migrate(self._engine, known())

    def add(self, row: Row) -> None:
        """Take ``row``; where its table's buffer is full, that is written first.

        While the store is away a table holds two blocks at most: one that waits to be sent again and one that fills up.

        Raises:
            StoreError: the full buffer could not be written. It is kept; ``row`` was not taken.
            TypeError: ``row`` is none of the records that have a table.
        """
        buffer = self._buffer(type(row))
        buffer.rows.append(row)
        if isinstance(row, _RAW):
            buffer.raw_bytes += len(row.raw)

    def extend(self, rows: Iterable[Row]) -> None:
        """Take all of ``rows``, however many; where the buffer of one of their tables is full, that is written first.

        Raises:
            StoreError: a full buffer could not be written. It is kept; none of ``rows`` was taken.
            TypeError: one of ``rows`` is none of the records that have a table. None was taken.
        """
        by_record: dict[type[Row], list[Row]] = {}
        for row in rows:
            record = type(row)
            if record in by_record:
                by_record[record].append(row)
            else:
                by_record[record] = [row]
        for buffer, of_one in [(self._buffer(record), of_one) for record, of_one in by_record.items()]:
            buffer.rows += of_one
            if buffer.table.record in _RAW:
                buffer.raw_bytes += _raw_bytes(of_one)

    def _buffer(self, record: type[Row]) -> _Buffer:
        """The buffer of ``record``, with room in it."""
        buffer = self._buffers.get(record)
        if buffer is None:
            raise TypeError(f"a store has no table for a {record.__name__}")
        if len(buffer.rows) >= self._block_rows or buffer.raw_bytes >= BLOCK_BYTES:
            self._write(buffer)
        return buffer

    def flush(self) -> None:
        """Write all that was added, findings first.

        Raises:
            StoreError: a block could not be written, after all retries. It is kept, and the next flush sends it again,
                unchanged and under the same token.
        """
        for buffer in self._buffers.values():
            self._write(buffer)

    def query(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> list[dict[str, Any]]:
        """The rows that ``sql`` asks for, as dictionaries; see `query_columns`."""
        return self.query_columns(sql, parameters).dicts()

    def query_columns(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> Columns:
        """What ``sql`` asks for, by column.

        ``{name:Type}`` in ``sql`` stands for ``parameters[name]`` (see `streams.store.literals.bind`). A column named
        ``raw`` comes as bytes. Current rows are read from the views ``<table>_current``.

        Raises:
            StoreError: the engine refuses it or does not answer.
            ValueError: ``parameters`` are not what ``sql`` asks for.
        """
        text = bind(sql, parameters)
        with self._lock:
            try:
                return self._engine.select(text, BINARY)
            except StoreError as refused:
                raise self._explained(refused) from None

    def read(
        self, record: type[RowT], condition: str = "1", parameters: Mapping[str, Parameter] | None = None
    ) -> Iterator[RowT]:
        """The records that count now and meet ``condition`` (SQL over their fields), in the order of their identity."""
        table = BY_RECORD[cast("type[msgspec.Struct]", record)]
        names = ", ".join(f"`{name}`" for name in table.names)
        order = ", ".join(table.identity)
        sql = f"SELECT {names} FROM {table.current} WHERE {condition} ORDER BY {order}"
        found = self.query_columns(sql, parameters)
        yield from cast("Iterator[RowT]", table.records(dict(zip(found.names, found.data, strict=True))))

    def close(self) -> None:
        """Let go of the engine. What was not flushed is dropped."""
        with self._lock:
            self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Flush and close; after an error only close, so that nothing half-done is stored as if it were whole."""
        try:
            if kind is None:
                self.flush()
        finally:
            self.close()

    def _write(self, buffer: _Buffer) -> None:
        with self._lock:
            # Blocks that failed earlier go first, so that a store that is away does not pile up new ones.
            while buffer.sealed:
                self._insert(*buffer.sealed[0])
                del buffer.sealed[0]
            for rows in self._pieces(buffer):
                buffer.sealed.append((buffer.table.block(rows, time.time_ns() // 1000), str(uuid.uuid4())))
            buffer.rows = []
            buffer.raw_bytes = 0
            while buffer.sealed:
                self._insert(*buffer.sealed[0])
                del buffer.sealed[0]

    def _pieces(self, buffer: _Buffer) -> Iterator[list[msgspec.Struct]]:
        """The buffer's rows, cut so that each piece is fit for a block; nearly always they are one piece."""
        small = len(buffer.rows) <= self._block_rows and buffer.raw_bytes <= BLOCK_BYTES
        pieces = [buffer.rows] if small else _cut_by_size(buffer.rows, self._block_rows)
        return chain.from_iterable(_cut_by_day(piece) for piece in pieces if piece)

    def _insert(self, block: Block, token: str) -> None:
        for delay_s in (*self._retry_delays_s, None):
            try:
                self._engine.insert(block, token)
                return
            except StoreError as refused:
                if delay_s is None or not refused.transient:
                    raise self._explained(refused) from None
                log.info("a block of %d rows for %s is sent again: %s", block.count, block.table.name, refused)
                self._sleep(delay_s)

    def _explained(self, refused: StoreError) -> StoreError:
        if refused.code == _UNKNOWN_TABLE:
            return StoreError(f"{refused} (has this store been migrated?)", code=refused.code)
        return refused


def _raw_bytes(rows: list[Any]) -> int:
    return sum([len(row.raw) for row in rows])


def _cut_by_size(rows: list[msgspec.Struct], most_rows: int) -> Iterator[list[msgspec.Struct]]:
    piece: list[msgspec.Struct] = []
    raw_bytes = 0
    for row in rows:
        if len(piece) >= most_rows or raw_bytes >= BLOCK_BYTES:
            yield piece
            piece, raw_bytes = [], 0
        piece.append(row)
        if isinstance(row, _RAW):
            raw_bytes += len(row.raw)
    if piece:
        yield piece


def _cut_by_day(rows: list[msgspec.Struct]) -> Iterator[list[msgspec.Struct]]:
    day_of: Callable[[msgspec.Struct], str] = attrgetter("gaming_day")
    if not hasattr(rows[0], "gaming_day") or len(set(map(day_of, rows))) <= BLOCK_DAYS:
        yield rows
        return
    by_day: dict[str, list[msgspec.Struct]] = {}
    for row in rows:
        by_day.setdefault(day_of(row), []).append(row)
    ordered = sorted(by_day)
    for start in range(0, len(ordered), BLOCK_DAYS):
        yield [row for day in ordered[start : start + BLOCK_DAYS] for row in by_day[day]]


def open_store(where: str, *, create: bool = True, block_rows: int = BLOCK_ROWS) -> Store:
    """The store at ``where``: a folder (embedded), or ``clickhouse://user[:password]@host:port/database[?secure=1]``.

    A server's password may also stand in the environment, as RETALLY_CLICKHOUSE_PASSWORD. ``create`` makes a folder
    that is not there; a server's database must exist. The schema is not touched: `Store.migrate` does that.

    Raises:
        StoreError: the address is none, the folder is in use, or the server is away or refuses.
    """
    address = parse_address(where)
    engine: Engine = Embedded(address, create=create) if isinstance(address, Path) else Server(address)
    return Store(engine, block_rows=block_rows)
