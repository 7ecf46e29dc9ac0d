"""Files read in bounds: whatever somebody names as a file of settings, keys or hands, it does not fill the memory."""

from __future__ import annotations

from pathlib import Path

from replay.errors import RetallyError


class TooLarge(RetallyError):
    """A file that holds more than it may: one clear line with its name."""


def read_bytes(path: Path, most: int) -> bytes:
    """All of a file of at most so many bytes. A device without an end is too large, whatever size it says it has.

    Raises:
        TooLarge: it holds more.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise TooLarge(f"{path}: larger than {most:,} bytes")
    return content
