"""Logs as files: a ``.jsonl``, a ``.jsonl.zst``, or a folder of them, read line by line and written in order.

Lines come without their line end, byte for byte. A line that is too long for an event comes cut off just past the
limit, so that it is refused as too long and a file of one endless line does not fill the memory. Blank lines are no
lines.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Protocol

import zstandard

from replay.errors import RetallyError
from replay.events import MAX_EVENT_BYTES

_LINE_END_BYTES = 2
_CHUNK = MAX_EVENT_BYTES + _LINE_END_BYTES
SUFFIXES = (".jsonl", ".jsonl.zst")
KAFKA_SCHEME: Final = "kafka://"
"""The address of a log that stands in Kafka's topics begins so."""


class LogError(RetallyError):
    """A log that cannot be read or written: one clear line."""


class LogLine(NamedTuple):
    """A line of a log, and where it stands: the file, and the line's number from 1."""

    source: str
    place: int
    text: bytes


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


def read(logs: Iterable[Log], progress: Callable[[int], None] | None = None) -> Iterator[LogLine]:
    """All lines of these logs. ``progress`` hears of how much was read, see `size_of`. Raises `LogError`."""
    for log in logs:
        if isinstance(log, Path):
            for path in files_of(log):
                yield from _read_file(path, progress)
        else:
            yield from log.read(progress)


def _read_file(path: Path, progress: Callable[[int], None] | None) -> Iterator[LogLine]:
    source = str(path)
    try:
        with path.open("rb") as raw:
            stream: BinaryIO = raw
            if path.suffix == ".zst":
                stream = io.BufferedReader(_Decompressed(raw), 1 << 20)
            place = told = 0
            readline = stream.readline
            while text := readline(_CHUNK):
                place += 1
                if text[-1:] == b"\n":
                    text = text[:-1]
                    if text[-1:] == b"\r":
                        text = text[:-1]
                elif len(text) == _CHUNK:
                    _skip_line(readline)
                if text:
                    yield LogLine(source, place, text)
                if progress is not None and place & 0xFFF == 0:
                    progress(raw.tell() - told)
                    told = raw.tell()
            if progress is not None:
                progress(raw.tell() - told)
    except (OSError, EOFError, zstandard.ZstdError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise LogError(f"{source}: cannot be read ({reason})") from None


class _Decompressed(io.RawIOBase):
    """The content of a zstd file of one frame or more; a file that ends within a frame is an error, not an end."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._begun = False
        self._content = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._content:
            if self._frame.eof:
                rest = self._frame.unused_data
                self._frame = zstandard.ZstdDecompressor().decompressobj()
                self._begun = False
            else:
                rest = b""
            chunk = rest or self._raw.read(1 << 18)
            if not chunk:
                if self._begun:
                    raise zstandard.ZstdError("the compressed file ends too early")
                return 0
            self._begun = True
            self._content = memoryview(self._frame.decompress(chunk))
        size = min(len(buffer), len(self._content))
        buffer[:size] = self._content[:size]
        self._content = self._content[size:]
        return size


def _skip_line(readline: Callable[[int], bytes]) -> None:
    while (rest := readline(_CHUNK)) and rest[-1:] != b"\n":
        pass


class LogWriter:
    """Writes lines to a log: to one file, or to a folder with one compressed file for each name given."""

    def __init__(self, log: Path) -> None:
        """Raises `LogError` where nothing can be written, or something is there already."""
        self._log = log
        self._is_file = log.name.endswith(SUFFIXES)
        self._open: tuple[str, BinaryIO] | None = None
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
        """Finish the file at hand."""
        if self._open is not None:
            self._open[1].close()
            self._open = None

    def _stream(self, name: str) -> BinaryIO:
        if self._open is not None and self._open[0] == name:
            return self._open[1]
        self.close()
        path = self._log if self._is_file else self._log / f"{name}.jsonl.zst"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            stream: BinaryIO = path.open("wb")
        except OSError as error:
            raise LogError(f"{path}: cannot be written ({error.strerror})") from None
        if path.suffix == ".zst":
            stream = zstandard.ZstdCompressor(level=3, write_checksum=True).stream_writer(stream)
        self._open = (name, stream)
        return stream

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
