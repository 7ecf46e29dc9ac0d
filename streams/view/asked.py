"""What a browser asks for, read strictly: a path and a few bounded parameters, or one clear line that says why not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final
from urllib.parse import unquote_to_bytes

MAX_BYTES: Final = 2048
"""Of a request's path with its query."""
MAX_PARAMETERS: Final = 24
MAX_CHARACTERS: Final = 64
"""Of one parameter."""


class Refused(Exception):
    """A request that is not answered: ``status`` (400 to 599), and one line for whoever asked."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


def split(target: str) -> tuple[str, dict[str, str]]:
    """A request's target as path and parameters; raises `Refused`.

    >>> split("/round?session=CR01-2026-11-29&round=5")
    ('/round', {'session': 'CR01-2026-11-29', 'round': '5'})
    """
    if len(target) > MAX_BYTES:
        raise Refused(414, f"the address is longer than {MAX_BYTES} bytes")
    if not target.startswith("/") or any(not "!" <= letter <= "~" for letter in target):
        raise Refused(400, "the address is no path on this server")
    path, _, query = target.partition("?")
    found: dict[str, str] = {}
    pairs = [pair for pair in query.split("&") if pair]
    if len(pairs) > MAX_PARAMETERS:
        raise Refused(400, f"more than {MAX_PARAMETERS} parameters")
    for pair in pairs:
        name, _, value = pair.partition("=")
        name, value = _plain(name), _plain(value).strip()
        if name in found:
            raise Refused(400, f"{_shown(name)} is given twice")
        if value:
            found[name] = value
    return path, found


def _plain(text: str) -> str:
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        raise Refused(400, "a percent sign in the address stands for nothing")
    try:
        plain = unquote_to_bytes(text.replace("+", " ")).decode()
    except UnicodeDecodeError:
        raise Refused(400, "the address is not UTF-8") from None
    if not plain.isprintable():
        raise Refused(400, "the address holds a character that cannot be printed")
    return plain


def _shown(name: str) -> str:
    return repr(name if len(name) <= MAX_CHARACTERS else name[:MAX_CHARACTERS] + "…")


Reader = Callable[[str, str], Any]
"""Takes a parameter's name and text; gives its value or raises `Refused`."""


def read(given: Mapping[str, str], known: Mapping[str, Reader]) -> dict[str, Any]:
    """The values of parameters that a page knows; raises `Refused` for others."""
    for name in given:
        if name not in known:
            raise Refused(400, f"there is no parameter {_shown(name)} here")
    return {name: reader(name, given[name]) for name, reader in known.items() if name in given}


def words(name: str, text: str) -> str:
    """A name as the event contract has them: printable ASCII, 64 characters at most."""
    if len(text) > MAX_CHARACTERS:
        raise Refused(400, f"{name}: longer than {MAX_CHARACTERS} characters")
    if not re.fullmatch(r"[ !#-\[\]-~]+", text):
        raise Refused(400, f"{name}: letters, digits and signs of ASCII without quote and backslash")
    return text


def token(name: str, text: str) -> str:
    """A name that is searched for: as `words`, without the signs that mean something to SQL or HTML."""
    if re.search("[<>'`;]", text):
        raise Refused(400, f"{name}: no < > ' ` or ; in what is searched for")
    return words(name, text)


def whole(name: str, text: str) -> int:
    """A number from 0 to 1,000,000,000."""
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) > 10**9:
        raise Refused(400, f"{name}: a whole number up to 1,000,000,000")
    return int(text)


def day(name: str, text: str) -> str:
    """A gaming day, ISO form."""
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            raise ValueError
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise Refused(400, f"{name}: a day, 2026-11-29") from None


def moment(name: str, text: str) -> int:
    """A time in UTC, as microseconds since 1970: ``2026-11-29T21:03``, with seconds or without."""
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2})?", text):
            raise ValueError
        at = datetime.fromisoformat(text).replace(tzinfo=UTC)
        if at.year < 1970:
            raise ValueError
    except ValueError:
        raise Refused(400, f"{name}: a time in UTC, 2026-11-29T21:03") from None
    return int(at.timestamp()) * 1_000_000


def amount(name: str, text: str) -> Decimal:
    """An amount of money as people write it, in whole units of whatever currency.

    >>> amount("least", "12.5")
    Decimal('12.5')
    """
    if not re.fullmatch(r"[0-9]{1,13}(?:[.][0-9]{1,4})?", text):
        raise Refused(400, f"{name}: an amount, 25 or 25.50")
    return Decimal(text)


def one_of(*choices: str) -> Reader:
    """One of these words."""

    def reader(name: str, text: str) -> str:
        if text not in choices:
            raise Refused(400, f"{name}: one of {', '.join(choices)}")
        return text

    return reader
