"""Files that are whole, or not there at all.

Each is written under a temporary name beside its own, brought to the disk, and only then given its name: whatever comes
in between (a full disk, a signal, a power cut), nobody finds a part of a file under the name of the whole, and what was
there before is there still. A temporary file begins with a dot and ends in `SUFFIX`; one is left behind only by a
process that was killed.

Every function raises OSError, which bears the name of the file that was asked for.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

SUFFIX: Final = ".part"
_PUBLIC: Final = 0o666
"""As far as the process's umask lets."""
_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS}
"""The file system has no hard links."""


class Part:
    """A file in the making: write to ``file``, then `keep` it or `discard` it."""

    def __init__(self, path: Path, *, new: bool = False, mode: int = _PUBLIC) -> None:
        """``new``: the file must not be there, not even when it is kept; else it takes the place of one that is, with
        that one's permissions. What is no file (a terminal, a pipe) is written to as it is."""
        self._path = path
        self._new = new
        with named(path):
            self._target = Path(os.path.realpath(path))
            there = self._target.stat() if self._target.exists() else None
            if there is not None and new:
                raise FileExistsError(errno.EEXIST, "is there already")
            self._temporary: Path | None = None
            if there is not None and not stat.S_ISREG(there.st_mode):
                self.file: BinaryIO = self._target.open("wb")
                return
            temporary = beside(self._target)
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            self._temporary = temporary
            self.file = os.fdopen(handle, "wb")
            if there is not None:
                os.fchmod(handle, stat.S_IMODE(there.st_mode))

    def finish(self) -> None:
        """All is written: bring it to the disk, still under its temporary name. Where this fails it is discarded."""
        try:
            with named(self._path):
                if not self.file.closed:
                    self.file.flush()
                    if self._temporary is not None:
                        os.fsync(self.file.fileno())
                    self.file.close()
        except BaseException:
            self.discard()
            raise

    def keep(self) -> None:
        """Give it its name. Where this fails it is discarded."""
        self.finish()
        temporary, self._temporary = self._temporary, None
        if temporary is None:
            return
        try:
            with named(self._path):
                if self._new:
                    _take_name(temporary, self._target)
                else:
                    temporary.replace(self._target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync(self._target.parent)

    def discard(self) -> None:
        """Leave nothing behind."""
        with suppress(OSError):
            self.file.close()
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.unlink(missing_ok=True)
            self._temporary = None


@contextmanager
def whole(path: Path, *, new: bool = False, mode: int = _PUBLIC) -> Iterator[BinaryIO]:
    """A file to write to, which is there once this ends well; see `Part`."""
    part = Part(path, new=new, mode=mode)
    try:
        with named(path):
            yield part.file
    except BaseException:
        part.discard()
        raise
    part.keep()


def write_whole(path: Path, content: bytes, *, new: bool = False, mode: int = _PUBLIC) -> None:
    """A file that holds ``content``; see `Part`."""
    with whole(path, new=new, mode=mode) as file:
        file.write(content)


def write_all(folder: Path, contents: Mapping[str, bytes]) -> list[Path]:
    """Several files by their names in ``folder``, which is made where it is not there: none gets its name before all of
    them are on the disk. The paths, in the order given."""
    parts: dict[Path, Part] = {}
    with ExitStack() as undo:
        for name, content in contents.items():
            path = folder / name
            with named(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                part = parts[path] = Part(path)
                undo.callback(part.discard)
                part.file.write(content)
                part.finish()
        for part in parts.values():
            part.keep()
    return list(parts)


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, which bears its name ``folder`` once this ends well; it must not be there."""
    with named(folder):
        target = Path(os.path.realpath(folder))
        if target.exists():
            raise FileExistsError(errno.EEXIST, "is there already")
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = beside(target)
        temporary.mkdir()
    try:
        yield temporary
        with named(folder):
            temporary.rename(target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    _sync(target.parent)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """An OSError that comes out of this bears a name: that of the file that was asked for, not of the temporary one."""
    try:
        yield
    except OSError as error:
        if error.filename is not None and not str(error.filename).endswith(SUFFIX):
            raise
        raise type(error)(error.errno, error.strerror or str(error), str(path)) from None


def beside(path: Path) -> Path:
    """A temporary name in the same folder, that nothing bears."""
    return path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}{SUFFIX}")


def _take_name(temporary: Path, target: Path) -> None:
    """Give the file the name ``target``; unlike a renaming, this fails where something is there."""
    try:
        os.link(temporary, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        temporary.replace(target)
    else:
        temporary.unlink()


def _sync(folder: Path) -> None:
    """Bring a folder's own entries to the disk, where the file system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
