"""The file in which a casino says what it expects of its dealers; see `replay.streaks.house`."""

from __future__ import annotations

from pathlib import Path

from replay.errors import RetallyError
from replay.streaks.house import House, read_house


class HouseError(RetallyError):
    """A house's file that cannot be used: one clear line with file and setting."""


def house_at(path: Path) -> House:
    """The settings in a file. Raises `HouseError`."""
    try:
        return read_house(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HouseError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise HouseError(f"{path}: not UTF-8") from None
    except ValueError as error:
        raise HouseError(f"{path}: {error}") from None
