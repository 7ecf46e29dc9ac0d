"""The file in which a casino says what it expects of its dealers; see `replay.streaks.house`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from replay.errors import RetallyError
from replay.streaks.house import House, read_house
from streams.bounds import TooLarge, read_bytes

MAX_FILE_BYTES: Final = 1024 * 1024


class HouseError(RetallyError):
    """A house's file that cannot be used: one clear line with file and setting."""


def house_at(path: Path) -> House:
    """The settings in a file. Raises `HouseError`."""
    try:
        return read_house(read_bytes(path, MAX_FILE_BYTES).decode("utf-8"))
    except TooLarge as error:
        raise HouseError(str(error)) from None
    except OSError as error:
        raise HouseError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise HouseError(f"{path}: not UTF-8") from None
    except ValueError as error:
        raise HouseError(f"{path}: {error}") from None
