"""Logs as files: a ``.jsonl``, a ``.jsonl.zst``, or a folder of them, read line by line and written in order.

Lines come without their line end, byte for byte. A line that is too long for an event comes cut off just past the
limit, with its true length beside it, so that a file of one endless line does not fill the memory; nor does a small
file that decompresses to a huge one. Blank lines are no lines.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

import zstandard

from replay.errors import RetallyError
from replay.events import MAX_EVENT_BYTES
from streams.whole import Part

SUFFIXES = (".jsonl", ".jsonl.zst")
STANDARD_INPUT: Final = frozenset({"-", "/dev/stdin"})
"""The names of a log that comes by standard input."""
_MAX_LINE_KEPT: Final = MAX_EVENT_BYTES + 1
"""A longer line is no event, whatever is in the rest of it."""
_READ_BYTES: Final = 256 * 1024
_COMPRESSED_BYTES: Final = 512
"""So much is decompressed at once: 16 MiB can come of it, for a block of four bytes holds 128 KiB at the most."""
_ZSTD_MAGIC: Final = zstandard.FRAME_HEADER
KAFKA_SCHEME: Final = "kafka://"
"""The address of a log that stands in Kafka's topics begins so."""


class LogError(RetallyError):
    """A log that cannot be read or written: one clear line."""


class LogLine(NamedTuple):
    """A line of a log, and where it stands: the file, and the line's number from 1."""

    source: str
    place: int
    text: bytes
    """Cut off where it is longer than any event may be."""
    length: int
    """How many bytes the whole line has."""


class Elsewhere(Protocol):
    """A log that is no file. When it is read again it has the same lines in the same order."""

    @property
    def size(self) -> int:
        """What `read` tells ``progress`` of adds up to about this."""
        ...

    def read(self, progress: Callable[[int], None] | None = None) -> Iterator[LogLine]:
        """All lines. Raises `LogError`."""
        ...


Log = Path | Elsewhere


def files_of(log: Path) -> list[Path]:
    """The files of a log, in order of their names; raises `LogError` where there is nothing to read."""
    if log.is_dir():
        found = sorted(path for path in log.rglob("*") if path.name.endswith(SUFFIXES) and path.is_file())
        if not found:
            raise LogError(f"{log}: no {' or '.join(SUFFIXES)} file in this folder")
        return found
    if not log.exists():
        raise LogError(f"{log}: no such file or folder")
    if not log.name.endswith(SUFFIXES):
        raise LogError(f"{log}: a log is a folder or a file named {' or '.join(SUFFIXES)}")
    return [log]


def size_of(log: Log) -> int:
    """How much there is to read: bytes as they stand on disk, or what the log itself counts in. Raises `LogError`."""
    if isinstance(log, Path):
        return sum(path.stat().st_size for path in files_of(log))
    return log.size


def size_of_all(logs: Iterable[Log]) -> int:
    """How much of these logs there is to read, of what can be; see `size_of`."""
    size = 0
    for log in logs:
        with suppress(LogError, OSError):
            size += size_of(log)
    return size


def read(
    logs: Iterable[Log],
    progress: Callable[[int], None] | None = None,
    failed: Callable[[LogError], None] | None = None,
) -> Iterator[LogLine]:
    """All lines of these logs. ``progress`` hears of how much was read, see `size_of`. A file that cannot be read, or
    not to its end, is told to ``failed``, and the next one goes on; without it, this raises `LogError`."""
    for log in logs:
        for part in _parts(log, failed):
            try:
                yield from part(progress)
            except LogError as error:
                if failed is None:
                    raise
                failed(error)


def _parts(log: Log, failed: Callable[[LogError], None] | None) -> list[_Part]:
    """What reads a log, file by file."""
    if not isinstance(log, Path):
        return [log.read]
    try:
        return [partial(_read_file, path) for path in files_of(log)]
    except LogError as error:
        if failed is None:
            raise
        failed(error)
        return []


_Part = Callable[[Callable[[int], None] | None], Iterator[LogLine]]


def _read_file(path: Path, progress: Callable[[int], None] | None) -> Iterator[LogLine]:
    with _clear(str(path)), path.open("rb") as raw:
        yield from _lines_of(raw, str(path), path.suffix == ".zst", progress)


@contextmanager
def _clear(source: str) -> Iterator[None]:
    """What goes wrong with a file is told in one line."""
    try:
        yield
    except (OSError, EOFError, zstandard.ZstdError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise LogError(f"{source}: cannot be read ({reason})") from None


def _lines_of(
    raw: BinaryIO, source: str, compressed: bool, progress: Callable[[int], None] | None
) -> Iterator[LogLine]:
    pieces = _pieces(raw, progress)
    if compressed:
        pieces = _decompressed(pieces)
    for place, (text, length) in enumerate(_lines(pieces), 1):
        if length:
            yield LogLine(source, place, text, length)


def _pieces(raw: BinaryIO, progress: Callable[[int], None] | None) -> Iterator[bytes]:
    while piece := raw.read(_READ_BYTES):
        yield piece
        if progress is not None:
            progress(len(piece))


def _decompressed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The content of a zstd file of one frame or more; a file that ends within a frame is an error, not an end."""
    decompressor = zstandard.ZstdDecompressor()
    frame = None
    for piece in pieces:
        for start in range(0, len(piece), _COMPRESSED_BYTES):
            rest = piece[start : start + _COMPRESSED_BYTES]
            while rest:
                if frame is None or frame.eof:
                    frame = decompressor.decompressobj()
                content = frame.decompress(rest)
                rest = frame.unused_data if frame.eof else b""
                for at in range(0, len(content), _READ_BYTES):
                    yield content[at : at + _READ_BYTES]
    if frame is None:
        raise EOFError("it is empty: a compressed log has one frame at least")
    if not frame.eof:
        raise EOFError("the compressed file ends too early")


def _lines(pieces: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Each line without its line end, as much of it as is kept, and its whole length."""
    begun, length, last = b"", 0, b""
    """Of the line that has not ended yet: what is kept of it, how long it is so far, its last byte."""
    for piece in pieces:
        first, *lines = piece.split(b"\n")
        if len(begun) < _MAX_LINE_KEPT:
            begun += first[: _MAX_LINE_KEPT - len(begun)]
        length += len(first)
        if not lines:
            last = first[-1:] or last
            continue
        if (first[-1:] or last) == b"\r":
            length -= 1
            begun = begun[:length]
        yield begun, length
        open_line = lines.pop()
        for line in lines:
            if line[-1:] == b"\r":
                line = line[:-1]
            yield line if len(line) <= _MAX_LINE_KEPT else line[:_MAX_LINE_KEPT], len(line)
        begun, length, last = open_line[:_MAX_LINE_KEPT], len(open_line), open_line[-1:]
    if length:
        yield begun, length


class Kept:
    """What can be read once only (standard input, a pipe), as a log: kept in a temporary file, for it is read again
    where an event comes late, and by each process of several."""

    def __init__(self, where: str) -> None:
        """Takes in all that comes by ``where``, to its end; the temporary file goes with this value. Raises
        `LogError`."""
        self._name = "stdin" if where in STANDARD_INPUT else where
        with _clear(self._name):
            self._file: Any = tempfile.NamedTemporaryFile(prefix="retally-")  # noqa: SIM115
            self._path = Path(self._file.name)
            with _opened(where) as coming:
                shutil.copyfileobj(coming, self._file, _READ_BYTES)
            self._file.flush()

    def __getstate__(self) -> dict[str, Any]:
        return {"_name": self._name, "_path": self._path}  # the process that took it in keeps the file

    def __str__(self) -> str:
        return self._name

    @property
    def size(self) -> int:
        """Bytes, as they came."""
        return self._path.stat().st_size

    def read(self, progress: Callable[[int], None] | None = None) -> Iterator[LogLine]:
        """All lines; zstd is told by its first bytes. Raises `LogError`."""
        with _clear(self._name), self._path.open("rb") as raw:
            compressed = raw.read(len(_ZSTD_MAGIC)) == _ZSTD_MAGIC
            raw.seek(0)
            yield from _lines_of(raw, self._name, compressed, progress)


def comes_once(where: str) -> bool:
    """Whether what is at ``where`` can be read once only: standard input, a pipe, a socket."""
    if where in STANDARD_INPUT:
        return True
    try:
        kind = os.stat(where).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)


@contextmanager
def _opened(where: str) -> Iterator[BinaryIO]:
    standard = where in STANDARD_INPUT
    with open(0 if standard else where, "rb", closefd=not standard) as coming:
        if stat.S_ISCHR(os.fstat(coming.fileno()).st_mode) and not coming.isatty():
            raise OSError(errno.EINVAL, "it is a device, which may have no end")
        yield coming


class LogWriter:
    """Writes lines to a log: to one file, or to a folder with one compressed file for each name given. A file bears its
    name once it is whole (`streams.whole`)."""

    def __init__(self, log: Path) -> None:
        """Raises `LogError` where nothing can be written, or something is there already."""
        self._log = log
        self._is_file = log.name.endswith(SUFFIXES)
        self._open: tuple[str, BinaryIO] | None = None
        self._part: Part | None = None
        """The file at hand, in the making."""
        if log.exists() and (self._is_file or any(log.iterdir() if log.is_dir() else [log])):
            raise LogError(f"{log}: is there already, and not empty; name another")

    def write(self, name: str, lines: Iterable[bytes]) -> int:
        """Write the lines, in a folder to the file of this name; how many there were."""
        count = 0
        stream = self._stream("" if self._is_file else name)
        try:
            for line in lines:
                stream.write(line + b"\n")
                count += 1
        except OSError as error:
            raise LogError(f"{self._log}: cannot be written ({error.strerror})") from None
        return count

    def close(self) -> None:
        """Finish the file at hand. Raises `LogError`."""
        if self._open is None or self._part is None:
            return
        stream, part = self._open[1], self._part
        self._open = self._part = None
        try:
            if stream is not part.file:
                stream.close()
            part.keep()
        except OSError as error:
            part.discard()
            raise LogError(f"{self._log}: cannot be written ({error.strerror})") from None

    def discard(self) -> None:
        """Leave nothing of the file at hand."""
        if self._part is not None:
            self._part.discard()
        self._open = self._part = None

    def _stream(self, name: str) -> BinaryIO:
        if self._open is not None and self._open[0] == name:
            return self._open[1]
        self.close()
        path = self._log if self._is_file else self._log / f"{name}.jsonl.zst"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._part = Part(path)
        except OSError as error:
            raise LogError(f"{path}: cannot be written ({error.strerror})") from None
        stream: BinaryIO = self._part.file
        if path.suffix == ".zst":
            stream = zstandard.ZstdCompressor(level=3, write_checksum=True).stream_writer(stream, closefd=False)
        self._open = (name, stream)
        return stream

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()
