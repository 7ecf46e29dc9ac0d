"""The ClickHouse engine in process (chdb), with its data in a folder.

One process, one folder, at a time: the engine itself cannot do more. Blocks go in as Arrow, the engine's own quick way
for Python's values; answers come out in ClickHouse's native format and are read by clickhouse-driver, so that every
type reaches a caller exactly as it does from a server.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path
from typing import Any, ClassVar, Final

import pyarrow as pa
from clickhouse_driver import errors
from clickhouse_driver.bufferedreader import BufferedReader
from clickhouse_driver.connection import ServerInfo
from clickhouse_driver.context import Context
from clickhouse_driver.streams.native import BlockInputStream

from streams.store.engine import CURRENT_SETTINGS, Columns, tidy
from streams.store.errors import StoreError, engine_code, engine_text
from streams.store.tables import Block, Column, Type

DATABASE: Final = "retally"
_MARKS: Final = ("store", "metadata", "data", "status", "tmp")
"""What the engine leaves in a folder of its own."""
_SETTINGS: Final = {**CURRENT_SETTINGS, "session_timezone": "UTC"}
_ARROW: Final = {
    Type.TEXT: pa.binary(),
    Type.BYTES: pa.binary(),
    Type.DAY: pa.date32(),
    Type.FLAG: pa.uint8(),
    Type.SEAT: pa.int16(),
    Type.COUNT: pa.uint32(),
    Type.REVISION: pa.uint64(),
    Type.WHOLE: pa.int64(),
    Type.WHOLE_OR_NONE: pa.int64(),
    Type.COUNTS: pa.list_(pa.uint32()),
}
_PID: Final = re.compile(r"PID:\s*(\d+)")


class Embedded:
    """An `Engine` in this process, persistent in ``folder``."""

    _open: ClassVar[Path | None] = None

    def __init__(self, folder: Path, *, create: bool) -> None:
        """Open the store in ``folder``, an absolute path, and make it where ``create`` says so.

        Raises:
            StoreError: no store is there and none may be made, the folder holds something else, another process has it
                open, this process has a store open, or the disk refuses.
        """
        self._folder = folder
        self._session: Any = None
        if Embedded._open is not None:
            raise StoreError(f"{folder}: this process has {Embedded._open} open; one embedded store at a time")
        _check_folder(folder, create=create)
        _check_lock(folder)
        try:
            from chdb.session import Session  # costs a third of a second: only who opens a folder pays for it
        except ImportError:
            raise StoreError("an embedded store needs the package chdb-core (pip install chdb-core)") from None
        try:
            self._session = Session(str(folder))
        except RuntimeError as refused:
            raise StoreError(f"{folder}: the embedded store does not open: {engine_text(str(refused))}") from None
        Embedded._open = folder
        try:
            self.execute(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
            self.execute(f"USE {DATABASE}")
            self.execute("SET " + ", ".join(f"{name} = '{value}'" for name, value in _SETTINGS.items()))
            self._version = str(self.select("SELECT version() AS version").data[0][0])
        except BaseException:
            self.close()
            raise

    @property
    def version(self) -> str:
        """As ``SELECT version()`` says it."""
        return self._version

    def execute(self, sql: str) -> None:
        """Run a statement that answers nothing."""
        self._query(sql)

    def select(self, sql: str, binary: frozenset[str] = frozenset()) -> Columns:
        """Run a query; columns named in ``binary`` come as bytes."""
        names, types, data = _read_native(self._query(sql))
        if not names:
            # No rows, no block: the columns' names have to be asked for.
            _, _, described = _read_native(self._query(f"DESCRIBE TABLE ({sql.rstrip().rstrip(';')})"))
            names, types = list(described[0]), list(described[1])
            data = [[] for _ in names]
        return tidy(names, types, data, UTC, binary)

    def insert(self, block: Block, token: str) -> None:
        """Write ``block`` in one piece, once per ``token``."""
        names = ", ".join(f"`{name}`" for name, _ in block.table.written)
        inserter: Any = None
        try:
            batch = _arrow(block)
            sql = f"INSERT INTO {block.table.name} ({names}) SETTINGS insert_deduplication_token = '{token}'"
            inserter = self._session.send_insert(sql, "ArrowStream")
            inserter.append(batch)
            inserter.finish()
        except (RuntimeError, pa.ArrowException, OverflowError) as refused:
            raise self._error(refused) from None
        finally:
            if inserter is not None:
                inserter.cancel()

    def close(self) -> None:
        """Let go of the folder."""
        if self._session is not None:
            self._session.close()
            self._session = None
            Embedded._open = None

    def _query(self, sql: str) -> bytes:
        if self._session is None:
            raise StoreError(f"{self._folder}: the store is closed")
        try:
            return bytes(self._session.query(sql, "Native").bytes())
        except RuntimeError as refused:
            raise self._error(refused) from None
        except Exception as refused:
            # ChdbError derives from Exception alone, and importing it at the top would cost what opening costs.
            if type(refused).__name__ != "ChdbError":
                raise
            raise self._error(refused) from None

    def _error(self, refused: Exception) -> StoreError:
        return StoreError(f"{self._folder}: {engine_text(str(refused))}", code=engine_code(str(refused)))


def _check_folder(folder: Path, *, create: bool) -> None:
    try:
        inside = set(os.listdir(folder))
    except FileNotFoundError:
        if not create:
            raise StoreError(f"{folder}: there is no store (the folder does not exist)") from None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as refused:
            raise StoreError(f"{folder}: the folder cannot be made: {refused.strerror}") from None
        return
    except OSError as refused:
        raise StoreError(f"{folder}: a store is a folder: {refused.strerror}") from None
    if inside and not inside.intersection(_MARKS):
        raise StoreError(f"{folder}: the folder holds other things than a store; name a new or empty one")
    if not create and not inside:
        raise StoreError(f"{folder}: there is no store (the folder is empty)")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(f"{folder}: the folder cannot be written to; the embedded engine needs that even to read")


def _check_lock(folder: Path) -> None:
    """Ask for the engine's lock before the engine does: it would print its own complaint first."""
    holder: re.Match[str] | None = None
    try:
        with (folder / "status").open("r+") as status:
            holder = _PID.search(status.read(200))
            fcntl.flock(status, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        by = f"process {holder[1]}" if holder else "another process"
        raise StoreError(f"{folder}: {by} has the store open; an embedded store serves one process at a time") from None
    except OSError:
        return  # No such file: nobody has it open. Anything else is the engine's to complain about.


def _arrow(block: Block) -> bytes:
    """``block`` as an Arrow stream of one batch."""
    typed = zip(block.table.written, block.columns, strict=True)
    columns = [pa.array(values, type=_ARROW[type_]) for (_, type_), values in typed]
    batch = pa.RecordBatch.from_arrays(columns, names=[name for name, _ in block.table.written])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue().to_pybytes())


class _Bytes(BufferedReader):  # type: ignore[misc]
    """The driver's reader over bytes that are all there."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self.buffer = bytearray(data)
        self.current_buffer_size = len(data)
        self.position = 0

    def read_into_buffer(self) -> None:
        raise EOFError


def _context() -> Context:
    context = Context()
    # Revision 0 is the plain format of files: neither block information nor sparse columns.
    context.server_info = ServerInfo("chdb", 0, 0, 0, 0, "UTC", "chdb", 0)
    context.settings = {}
    context.client_settings = {
        "strings_as_bytes": False,
        "strings_encoding": "utf-8",
        "use_numpy": False,
        "namedtuple_as_json": True,
        "server_side_params": False,
    }
    return context


def _read_native(answer: bytes) -> tuple[list[str], list[str], list[Column]]:
    """The columns of an answer in native format: names, types, values; all empty where there are no rows."""
    stream = BlockInputStream(_Bytes(answer), _context())
    names: list[str] = []
    types: list[str] = []
    parts: list[Sequence[Column]] = []
    try:
        while True:
            block = stream.read()
            names = [name for name, _ in block.columns_with_types]
            types = [type_ for _, type_ in block.columns_with_types]
            if block.num_rows:
                parts.append(block.get_columns())
    except EOFError:
        pass
    except errors.Error as refused:
        raise StoreError(f"the engine's answer holds a type that cannot be read: {engine_text(str(refused))}") from None
    if not parts:
        return names, types, [[] for _ in names]
    if len(parts) == 1:
        return names, types, list(parts[0])
    return names, types, [[value for part in parts for value in part[at]] for at in range(len(names))]
