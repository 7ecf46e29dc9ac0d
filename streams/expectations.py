"""The file in which a casino says what it expects of its dealers; see `replay.streaks.expectations`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from replay.errors import RetallyError
from replay.streaks.expectations import Expectations, read_expectations
from streams.bounds import TooLarge, read_bytes

MAX_FILE_BYTES: Final = 1024 * 1024


class ExpectationsError(RetallyError):
    """A house's file that cannot be used: one clear line with file and setting."""


def expectations_at(path: Path) -> Expectations:
    """The settings in a file. Raises `ExpectationsError`."""
    try:
        return read_expectations(read_bytes(path, MAX_FILE_BYTES).decode("utf-8"))
    except TooLarge as error:
        raise ExpectationsError(str(error)) from None
    except OSError as error:
        raise ExpectationsError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise ExpectationsError(f"{path}: not UTF-8") from None
    except ValueError as error:
        raise ExpectationsError(f"{path}: {error}") from None
