"""The file of the gateways' public keys: which key counts for which tables, on which gaming days, and until when.

The file is TOML::

    format = "retally-keys/2"

    [[keys]]
    id = "56475aa75463474c"                # as `retally keys list` tells it
    public = "03a107bf…"                   # Ed25519, 64 hexadecimal digits
    gateway = "BO-gateway"                 # whose it is, for people; one gateway has several keys over time
    tables = ["BO*", "CR01"]               # names, or patterns
    from = 2026-11-01                      # the first gaming day; without it, there is none
    until = 2027-10-31                     # the last one; likewise
    revoked = 2026-12-10T14:00:00Z         # from then on it counts for nothing; a date is its first moment in UTC

A key that is given other tables on other days has several entries, and counts for what any of them says; revoked by
one, it is revoked altogether. Files of format 1, lines of ``key-id hexadecimal`` (`streams.keys`), are read as well;
their keys are unscoped: each counts for every table and day.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, Final, NamedTuple

from replay.evidence import PublicKey, key_id, public_key
from replay.key_scope import FIRST_YEAR, LAST_YEAR, MAX_PATTERNS, Grant, ScopedKeys, Terms, unscoped
from streams.bounds import TooLarge, read_bytes
from streams.keys import KeyFileError, new_key, public_keys_in, read_keys
from streams.whole import write_whole

FORMAT: Final = "retally-keys/2"
MAX_BYTES: Final = 4 * 1024 * 1024
MAX_ENTRIES: Final = 10_000
_IS_TOML: Final = re.compile(r"""\s*(\[|[\w"'.-]+\s*=)""").match
_HEADER: Final = re.compile(r"^\s*\[\[\s*keys\s*\]\]").match
_NAME: Final = re.compile(r"[ !#-\[\]-~]{1,64}").fullmatch
_ID: Final = re.compile(r"[0-9a-f]{16}").fullmatch
_DIGITS: Final = re.compile(r"[0-9a-f]{64}").fullmatch
_FIELDS: Final = ("id", "public", "gateway", "tables", "from", "until", "revoked")


class Entry(NamedTuple):
    """One ``[[keys]]`` of a file."""

    name: str
    """The key's identifier."""
    key: PublicKey
    grant: Grant
    gateway: str | None = None
    revoked: datetime | None = None

    def text(self) -> str:
        """The entry as it stands in a file, with an empty line before it."""
        lines = ["", "[[keys]]", f'id = "{self.name}"', f'public = "{bytes(self.key).hex()}"']
        if self.gateway is not None:
            lines.append(f'gateway = "{self.gateway}"')
        lines.append(f"tables = [{', '.join(f'{chr(34)}{table}{chr(34)}' for table in self.grant.tables)}]")
        if self.grant.since is not None:
            lines.append(f"from = {self.grant.since}")
        if self.grant.until is not None:
            lines.append(f"until = {self.grant.until}")
        if self.revoked is not None:
            lines.append(f"revoked = {_moment(self.revoked)}")
        return "\n".join(lines) + "\n"


def read_key_file(path: Path) -> ScopedKeys:
    """The public keys of a file of either format, ready to verify with, and what each counts for.

    Raises:
        KeyFileError: the file cannot be read, or is wrong: which entry, in which line, which field, and how.
    """
    text = _text(path)
    if not _is_versioned(text):
        return ScopedKeys({name: public_key(digits) for name, digits in read_keys(path).items()}, {})
    return _together(path, _entries(path, text))


def keys_in(path: Path) -> ScopedKeys:
    """The public keys of a file of either format, or the one of a private key. Raises `KeyFileError`."""
    if not _text(path).lstrip().startswith("-----BEGIN"):
        return read_key_file(path)
    return ScopedKeys({name: public_key(digits) for name, digits in public_keys_in(path).items()}, {})


def new_listed_key(to: Path, public: Path, grant: Grant, gateway: str | None = None) -> tuple[str, str]:
    """Make a private key in the file ``to`` (`streams.keys.new_key`), and give it an entry in the file ``public``,
    which is made where it is not there; its id and public key (hexadecimal). Raises `KeyFileError`."""

    def listed(name: str, hexadecimal: str) -> str:
        return with_key(public, Entry(name, public_key(hexadecimal), grant, gateway))

    return new_key(to, public, listed)


def with_key(path: Path, entry: Entry) -> str:
    """The text of a file, which may not be there yet, with one more entry; what stands in it stays as it is. One of
    format 1 becomes one of format 2, in which its keys count for every table. Raises `KeyFileError`."""
    for name in (*entry.grant.tables, *([] if entry.gateway is None else [entry.gateway])):
        if not _is_name(name):
            raise KeyFileError(f"{_shown(name)!r} is no name or pattern: 1 to 64 characters of ASCII, no quotes")
    before = _HEAD
    if path.exists():
        text = _text(path)
        before = text if _is_versioned(text) else _converted(path, text)
    after = before.rstrip("\n") + "\n" + entry.text()
    _together(path, _entries(path, after))
    return after


def revoke(path: Path, name: str, moment: datetime) -> None:
    """Say in a file that from ``moment`` on the key of that name counts for nothing; all else stays as it is.

    A revocation can be set to an earlier moment, not to a later one.

    Raises:
        KeyFileError: there is no such key; it is revoked already, from then or earlier; the file is wrong.
    """
    text = _text(path)
    if not _is_versioned(text):
        text = _converted(path, text)
    entries = _entries(path, text)
    terms = _together(path, entries).terms.get(name)
    if terms is None:
        raise KeyFileError(f"{path}: holds no key {name}")
    if terms.revoked is not None and terms.revoked <= moment:
        raise KeyFileError(f"{path}: key {name} is revoked already, from {_moment(terms.revoked)} on")
    after = _with_revocation(text, [number for number, entry in enumerate(entries) if entry.name == name], moment)
    expected = [entry._replace(revoked=moment) if entry.name == name else entry for entry in entries]
    try:
        done = _entries(path, after) == expected
    except KeyFileError:
        done = False
    if not done:
        raise KeyFileError(
            f"{path}: write 'revoked = {_moment(moment)}' into the entry of {name}: it is not a plain [[keys]]"
        )
    _write(path, after)


_HEAD: Final = f"""# The gateways' public keys: which tables each may seal, and on which gaming days.
format = "{FORMAT}"
"""


def told(path: Path, name: str, keys: ScopedKeys) -> dict[str, str]:
    """What is to be said of a key in a file, for people and programs."""
    terms = keys.terms.get(name)
    scope = "unscoped: every table, every day" if terms is None else str(terms)
    gateway = "" if terms is None or terms.gateway is None else terms.gateway
    return {
        "file": str(path),
        "id": name,
        "public": bytes(keys[name]).hex(),
        "gateway": gateway,
        "counts_for": scope,
    }


def unscoped_notice(path: Path, keys: ScopedKeys) -> str:
    """That a file is of format 1, where it is; else empty."""
    if not unscoped(keys):
        return ""
    return f"{path}: its keys are unscoped (format 1): each counts for every table and day"


# --- reading ----------------------------------------------------------------------------------------------------------


def _text(path: Path) -> str:
    try:
        return read_bytes(path, MAX_BYTES).decode("utf-8")
    except TooLarge as error:
        raise KeyFileError(str(error)) from None
    except OSError as error:
        raise KeyFileError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise KeyFileError(f"{path}: cannot be read (not UTF-8 text)") from None


def _is_versioned(text: str) -> bool:
    """Whether the first line that says anything is one of TOML."""
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return _IS_TOML(next(lines, "")) is not None


def _entries(path: Path, text: str) -> list[Entry]:
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise KeyFileError(f"{path}: not TOML: {error}") from None
    except (RecursionError, ValueError) as error:  # a number of too many digits, brackets without end
        raise KeyFileError(f"{path}: not TOML ({type(error).__name__})") from None
    version = found.pop("format", None)
    if version is None:
        raise KeyFileError(f'{path}: format: missing; the file begins with format = "{FORMAT}"')
    if version != FORMAT:
        raise KeyFileError(f"{path}: format: {_shown(version)} is unknown; this retally reads {FORMAT}")
    tables = found.pop("keys", None)
    if found:
        raise KeyFileError(f"{path}: {_shown(next(iter(found)))}: unknown; a file has format and keys")
    if not isinstance(tables, list) or not tables:
        raise KeyFileError(f"{path}: holds no key: keys is a list of [[keys]]")
    if len(tables) > MAX_ENTRIES:
        raise KeyFileError(f"{path}: keys: {len(tables):,} entries; {MAX_ENTRIES:,} are the most")
    lines = [number for number, line in enumerate(text.split("\n"), 1) if _HEADER(line)]
    return [_Fields(_place(path, number, lines, len(tables)), table).entry() for number, table in enumerate(tables)]


def _place(path: Path, index: int, lines: Sequence[int], entries: int) -> str:
    where = f" (line {lines[index]})" if len(lines) == entries else ""
    return f"{path}, key {index + 1}{where}"


class _Fields:
    """The fields of one entry on their way to what they mean."""

    def __init__(self, place: str, table: Any) -> None:
        self._place = place
        if not isinstance(table, dict):
            raise KeyFileError(f"{place}: is no table of fields")
        self._table = table
        for field in table:
            if field not in _FIELDS:
                raise self._wrong(_shown(field), f"unknown; the fields are {', '.join(_FIELDS)}")

    def entry(self) -> Entry:
        name, digits = self._needed("id"), self._needed("public")
        if not isinstance(name, str) or not _ID(name):
            raise self._wrong("id", f"{_shown(name)} is not 16 hexadecimal digits in small letters")
        if not isinstance(digits, str) or not _DIGITS(digits):
            raise self._wrong("public", "not 64 hexadecimal digits in small letters")
        key = public_key(digits)
        if key_id(key) != name:
            raise self._wrong("id", f"{name} is not the id of this public key, which is {key_id(key)}")
        gateway = self._table.get("gateway")
        if gateway is not None and not _is_name(gateway):
            raise self._wrong("gateway", f"{_shown(gateway)} is no name: 1 to 64 characters of ASCII, no quotes")
        since, until = self._day("from"), self._day("until")
        if since is not None and until is not None and until < since:
            raise self._wrong("until", f"{until} is before {since}, the first day")
        return Entry(name, key, Grant(tables=self._tables(), since=since, until=until), gateway, self._revoked())

    def _tables(self) -> tuple[str, ...]:
        tables = self._needed("tables")
        if not isinstance(tables, list) or not tables:
            raise self._wrong("tables", 'not a list of tables or patterns, like ["BO*", "CR01"]')
        for number, table in enumerate(tables, 1):
            if not _is_name(table):
                text = f"{_shown(table)} is no table or pattern: 1 to 64 characters of ASCII, no quotes"
                raise self._wrong(f"tables, number {number}", text)
        if len(tables) > MAX_PATTERNS:
            raise self._wrong("tables", f"{len(tables):,} of them; {MAX_PATTERNS} are the most: write patterns")
        return tuple(tables)

    def _day(self, field: str) -> date | None:
        value = self._table.get(field)
        if value is None:
            return None
        if not isinstance(value, date) or isinstance(value, datetime):
            raise self._wrong(field, f"{_shown(value)} is no date; write it like 2026-11-29, without quotes")
        return value

    def _revoked(self) -> datetime | None:
        value = self._table.get("revoked")
        if value is None:
            return None
        if not isinstance(value, date):
            raise self._wrong("revoked", f"{_shown(value)} is no date; write 2026-12-10 or 2026-12-10T14:00:00Z")
        try:
            return first_moment(value)
        except KeyFileError as error:
            raise self._wrong("revoked", str(error)) from None

    def _needed(self, field: str) -> Any:
        if field not in self._table:
            raise self._wrong(field, "missing")
        return self._table[field]

    def _wrong(self, field: str, text: str) -> KeyFileError:
        return KeyFileError(f"{self._place}: {field}: {text}")


def first_moment(value: date) -> datetime:
    """From when on a revocation counts that names this date, or this moment; raises `KeyFileError`."""
    if not FIRST_YEAR < value.year < LAST_YEAR:
        raise KeyFileError(f"{value} is not between the years {FIRST_YEAR} and {LAST_YEAR}")
    if not isinstance(value, datetime):
        return datetime.combine(value, time(), UTC)
    if value.tzinfo is None:
        raise KeyFileError(f"{value} has no time zone: write Z behind it for UTC, or an offset")
    return value.astimezone(UTC)


def _together(path: Path, entries: list[Entry]) -> ScopedKeys:
    """The keys of all entries; those of one key together."""
    keys: dict[str, PublicKey] = {}
    terms: dict[str, Terms] = {}
    for entry in entries:
        before = terms.get(entry.name)
        grants = (entry.grant,) if before is None else (*before.grants, entry.grant)
        if before is not None and before.gateway != entry.gateway:
            raise KeyFileError(f"{path}, key {entry.name}: gateway: its entries name several")
        known = [one for one in (None if before is None else before.revoked, entry.revoked) if one is not None]
        keys[entry.name] = entry.key
        try:
            terms[entry.name] = Terms(gateway=entry.gateway, grants=grants, revoked=min(known, default=None))
        except ValueError as error:
            raise KeyFileError(f"{path}, key {entry.name}: tables: {error}") from None
    return ScopedKeys(keys, terms)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME(value) is not None


def _shown(value: Any) -> str:
    return "".join(one if one.isprintable() else "?" for one in str(value)[:60])


# --- writing ----------------------------------------------------------------------------------------------------------


def key_file(entries: Sequence[Entry]) -> str:
    """The text of a file of these entries."""
    return _HEAD + "".join(entry.text() for entry in entries)


def _converted(path: Path, text: str) -> str:
    """A file of format 1 as one of format 2: its keys count for every table and day, as they did. Comments stay."""
    keys = read_keys(path)
    out = [_HEAD]
    for line in text.splitlines():
        content, hash_sign, comment = line.partition("#")
        if hash_sign:
            out.append(f"#{comment.rstrip()}\n")
        words = content.split()
        if words:
            key = public_key(keys[words[0]])
            out.append(Entry(key_id(key), key, Grant(tables=("*",))).text())
    return "".join(out)


def _with_revocation(text: str, indices: Sequence[int], moment: datetime) -> str:
    """The text, with the revocation in the entries of these numbers."""
    out: list[str] = []
    entry = -1
    for line in text.split("\n"):
        header = _HEADER(line) is not None
        entry += header
        if entry in indices and re.match(r"\s*revoked\s*=", line):
            continue
        out.append(line)
        if header and entry in indices:
            out.append(f"revoked = {_moment(moment)}")
    return "\n".join(out)


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise KeyFileError(f"{path}: cannot be written ({error.strerror})") from None
