"""Text that is read in one spelling alone: what is written anew from what was read must be the same bytes.

Python's own readers are too kind for evidence: ``int`` takes ``+3``, ``1_0`` and the digits of other scripts, and
``b64decode(validate=True)`` takes four spellings of one byte. Whoever accepts two spellings of one thing has two things
to be forged. Everything here raises `NoteError`, and never anything else.
"""

from __future__ import annotations

import base64
import binascii
import re
from datetime import date
from typing import Final

from replay.errors import RetallyError

MAX_SIZE: Final = 10**16 - 1
"""Of a tree: 16 digits."""
HASH_BYTES: Final = 32

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,15}")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class NoteError(RetallyError):
    """A note, head, proof or entry that cannot be read, or is not signed by whom it must be: one clear line."""


def number(text: str, what: str) -> int:
    """A number from 0 to `MAX_SIZE` in decimal digits."""
    if not _NUMBER.fullmatch(text):
        raise NoteError(f"{what} is {shown(text)}, not a number of 1 to 16 digits without a leading zero")
    return int(text)


def base64_bytes(text: str, what: str) -> bytes:
    """Bytes from Base64 (RFC 4648, section 4), padded, in the one spelling that it has."""
    try:
        found = base64.b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        found = b""
    if not found or base64_text(found) != text:
        raise NoteError(f"{what} is {shown(text)}, not Base64 as it is written")
    return found


def base64_text(data: bytes) -> str:
    """Base64 (RFC 4648, section 4)."""
    return base64.b64encode(data).decode("ascii")


def hash_from(text: str, what: str) -> bytes:
    """The 32 bytes of a SHA-256 from Base64."""
    found = base64_bytes(text, what)
    if len(found) != HASH_BYTES:
        raise NoteError(f"{what} has {len(found)} bytes, not {HASH_BYTES}")
    return found


def is_digest(text: str) -> bool:
    """Whether this is a SHA-256 in 64 lower-case hexadecimal digits."""
    return _DIGEST.fullmatch(text) is not None


def is_day(text: str) -> bool:
    """Whether this is a day of the calendar, as in 2026-11-29."""
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def utf8(data: bytes, what: str) -> str:
    """Text from its bytes: UTF-8, and of the characters below U+0020 line ends alone."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NoteError(f"{what} is no UTF-8 text (byte {error.start})") from None
    for place, character in enumerate(text):
        if character < " " and character != "\n":
            raise NoteError(f"{what} holds the control character U+{ord(character):04X} (character {place})")
    return text


def lines_of(text: str, what: str) -> list[str]:
    """The lines of a text, each of which ends in a line end."""
    if not text.endswith("\n"):
        raise NoteError(f"{what} does not end with a line end")
    return text[:-1].split("\n")


def shown(text: str) -> str:
    """Somebody else's text for one of our own lines: short, and without a character that a terminal would obey."""
    cut = text if len(text) <= 60 else text[:57] + "..."
    return "'" + "".join(character if character.isprintable() else "?" for character in cut) + "'"
