"""The leaves of a floor's log: what the house states of a night, one entry a leaf, in text that one can read and type.

An entry is lines of UTF-8, each ended by a line end: first ``retally-leaf/2`` and its kind, then ``name value`` in the
order of the fields below. It has one spelling: what is read is written anew and must be the same bytes. The leaf's hash
is that of RFC 6962 (`replay.bundle.merkle.leaf_hash`).

=============  ====================================================================================================
`Import`       the first leaf of a log alone: the last head of a log of the old form (``retally-seal/1``)
`KeyChange`    a key of a gateway, or of the log itself, that counts from a day on, or counts no more
`Closed`       a table that was not open that night; the whole floor; or the log, which ends with this night
`Absent`       a table that was open, but whose session has not come yet: it is owed, and will come as `Late`
`Session`      a table's gaming day
`Late`         a session of a night before, which came, or grew, when its night had been sealed
`Case`         how far a case has come: its last record
`Night`        the last of each night: its date, its leaves, its tables, the head before it
=============  ====================================================================================================

Within a night they stand in this order, of each table what is said of it in the order of ``ordinal``. Every `Session`
and `Late` of a table bears the next ordinal, from 1 without holes, and the hash of the leaf with the one before: so one
that is left out is missed in the next night.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, Literal, get_args

import msgspec
from nacl.exceptions import CryptoError

from replay.bundle.merkle import leaf_hash
from replay.bundle.strict import NoteError, is_day, is_digest, lines_of, number, shown, utf8
from replay.evidence import PublicKey

FIRST: Final = "retally-leaf/2 "
NONE: Final = "-"
"""Where a value is not there."""
MAX_BYTES: Final = 4096
MAX_LEAVES: Final = 10_000
"""In one night."""
MAX_TEXT: Final = 300
MAX_TERMS: Final = 2000
"""Characters of what a key counts for."""

State = Literal["whole", "open", "broken", "unsealed"]
"""``whole``: every event is there, under seals that hold, to the last one. ``open``: events follow the last seal, or
the table was not closed. ``broken``: events are missing, contradict each other or cannot be read, or a seal does not
hold. ``unsealed``: there is no seal."""


class _Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What all kinds have in common."""

    @property
    def text(self) -> str:
        """The entry, as it is hashed."""
        fields = self.__struct_fields__
        return "".join([FIRST, _KINDS[type(self)], "\n", *(f"{name} {getattr(self, name)}\n" for name in fields)])

    def __bytes__(self) -> bytes:
        return self.text.encode()

    @property
    def hash(self) -> bytes:
        """The hash of the leaf, 32 bytes."""
        return leaf_hash(bytes(self))


class Import(_Entry, frozen=True, kw_only=True):
    """The last head of a log of the old form, which nobody but the house has signed or seen."""

    date: str
    format: Literal["retally-seal/1"] = "retally-seal/1"
    size: int
    root: str
    standing: Literal["unwitnessed"] = "unwitnessed"


class KeyChange(_Entry, frozen=True, kw_only=True):
    """A key that begins or ceases to count, signed by the log's key."""

    date: str
    of: Literal["gateway", "log"]
    change: Literal["added", "changed", "revoked"]
    public: str
    """The key: Ed25519, 64 hexadecimal digits."""
    day: str
    """The gaming day from which on this holds."""
    terms: str
    """What a gateway's key counts for (`replay.key_scope.Terms`, as JSON; where that is too long for a line, ``sha256``
    and its digest); ``-``: for everything."""
    signer: str
    """The key that has signed this: the log's, as it was that night."""
    signature: str

    @property
    def message(self) -> bytes:
        """What is signed: the entry without its last line."""
        return self.text[: self.text.rindex("signature ")].encode()

    def holds(self) -> bool:
        """Whether the signature is the signer's."""
        try:
            PublicKey(bytes.fromhex(self.signer)).verify(self.message, bytes.fromhex(self.signature))
        except CryptoError:
            return False
        return True


class Closed(_Entry, frozen=True, kw_only=True):
    """A table that was not open; of the floor: none was; of the log: this was its last night."""

    date: str
    of: Literal["table", "floor", "log"]
    table: str
    """``-`` but for a table."""
    reason: str


class Absent(_Entry, frozen=True, kw_only=True):
    """A table that was open, but whose session has not come yet."""

    date: str
    table: str
    reason: str


class Session(_Entry, frozen=True, kw_only=True):
    """A table's gaming day."""

    date: str
    table: str
    session: str
    ordinal: int
    """Of the table's sessions in the log, from 1."""
    events: int
    """Events of the session."""
    last: int
    """The ``seq`` of the last of them."""
    content: str
    """SHA-256 over the events in order, the exact bytes of each with a line end after it."""
    chain: str
    """The chain of the last checkpoint."""
    key: str
    """The identifier of the key that signed it; ``-``: it names none that the house knows."""
    state: State
    law: str
    """SHA-256 of the texts of the law that judged the session (`replay.packs.Packs.digest`)."""
    previous: str
    """The hash of the leaf with the table's session before."""


class Late(_Entry, frozen=True, kw_only=True):
    """A session of a night that had been sealed before; fields as in `Session`, and what it takes the place of."""

    date: str
    """The gaming day that it is of."""
    table: str
    session: str
    ordinal: int
    events: int
    last: int
    content: str
    chain: str
    key: str
    state: State
    law: str
    previous: str
    instead_of: str
    """The ordinal under which it was sealed before; ``-``: under none."""
    how: Literal["new", "longer", "other"]
    """``new``: it was not sealed before. ``longer``: what was sealed is its beginning. ``other``: it is not."""


class Case(_Entry, frozen=True, kw_only=True):
    """How far a case has come."""

    date: str
    case: str
    records: int
    last: str
    """The hash of its last record."""


class Night(_Entry, frozen=True, kw_only=True):
    """What a night consists of."""

    date: str
    first: int
    """The index of its first leaf."""
    count: int
    """Leaves before this one."""
    tables: int
    """Of the roster."""
    roster: str
    """SHA-256 of the roster (`roster_text`)."""
    previous_date: str
    previous_size: int
    previous_root: str
    rules: str
    """The rule packs that the night was judged by, in order of their names, with a blank between."""
    report: str
    """SHA-256 of the night's report."""


Entry = Import | KeyChange | Closed | Absent | Session | Late | Case | Night
_KINDS: Final[dict[type[_Entry], str]] = {
    Import: "import",
    KeyChange: "key",
    Closed: "closed",
    Absent: "absent",
    Session: "session",
    Late: "late",
    Case: "case",
    Night: "night",
}
_BY_KIND: Final = {kind: entry for entry, kind in _KINDS.items()}

# --- what a value may be --------------------------------------------------------------------------------------------

_NAME: Final = re.compile(r"[ !#-\[\]-~]{1,64}")
"""A table, session or case: see `replay.event_fields.Identifier`."""
_SIGNATURE: Final = re.compile(r"[0-9a-f]{128}")
_RULES: Final = re.compile(r"[A-Z0-9-]{1,32}(?: [A-Z0-9-]{1,32}){0,99}")


def _is_text(value: str) -> bool:
    return 0 < len(value) <= MAX_TEXT and value.isprintable() and value.strip() == value


def _is_terms(value: str) -> bool:
    return value.isascii() and value.isprintable() and 0 < len(value) <= MAX_TERMS and value.strip() == value


def _or_none(holds: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda value: value == NONE or holds(value)


def _is_name(value: str) -> bool:
    return _NAME.fullmatch(value) is not None


def _is_rules(value: str) -> bool:
    names = value.split(" ")
    return _RULES.fullmatch(value) is not None and names == sorted(set(names))


def _is_ordinal(value: str) -> bool:
    return value != "0" and number(value, "an ordinal") > 0


_FORMS: Final[dict[str, tuple[Callable[[str], bool], str]]] = {
    "case": (_is_name, "a name of 1 to 64 printable ASCII characters"),
    "chain": (_or_none(is_digest), "64 hexadecimal digits, or -"),
    "content": (is_digest, "64 hexadecimal digits"),
    "date": (is_day, "a day, as in 2026-11-29"),
    "day": (is_day, "a day, as in 2026-11-29"),
    "instead_of": (_or_none(_is_ordinal), "an ordinal, or -"),
    "key": (_is_name, "a key"),
    "last": (is_digest, "64 hexadecimal digits"),
    "law": (_or_none(is_digest), "64 hexadecimal digits, or -"),
    "previous": (_or_none(is_digest), "64 hexadecimal digits, or -"),
    "previous_date": (_or_none(is_day), "a day, or -"),
    "previous_root": (is_digest, "64 hexadecimal digits"),
    "reason": (_is_text, f"a text of at most {MAX_TEXT} characters"),
    "public": (is_digest, "64 hexadecimal digits"),
    "report": (_or_none(is_digest), "64 hexadecimal digits, or -"),
    "root": (is_digest, "64 hexadecimal digits"),
    "roster": (is_digest, "64 hexadecimal digits"),
    "rules": (_or_none(_is_rules), "names of rule packs in order, or -"),
    "session": (_is_name, "a name of 1 to 64 printable ASCII characters"),
    "signature": (lambda value: _SIGNATURE.fullmatch(value) is not None, "128 hexadecimal digits"),
    "signer": (is_digest, "64 hexadecimal digits"),
    "table": (_is_name, "a name of 1 to 64 printable ASCII characters"),
    "terms": (_is_terms, f"at most {MAX_TERMS:,} printable ASCII characters, or -"),
}
"""What holds of the value of a field that is neither a number nor one of few words."""


def _values_of(entry: type[_Entry]) -> list[tuple[str, tuple[str, ...], bool]]:
    """The fields of a kind in order: their names, the words that they may be, whether they are numbers."""
    return [
        (field.name, get_args(field.type) if get_args(field.type) else (), field.type is int)
        for field in msgspec.structs.fields(entry)
    ]


_FIELDS: Final = {kind: _values_of(entry) for kind, entry in _BY_KIND.items()}


def read(data: bytes) -> Entry:
    """An entry from its bytes. Raises `NoteError`, which names the line."""
    if len(data) > MAX_BYTES:
        raise NoteError(f"an entry has {len(data):,} bytes; {MAX_BYTES:,} are the most")
    first, *lines = lines_of(utf8(data, "an entry"), "an entry")
    kind = first.removeprefix(FIRST)
    fields = _FIELDS.get(kind)
    if not first.startswith(FIRST) or fields is None:
        raise NoteError(f"an entry begins with {shown(first)}, which is no kind of entry")
    if len(lines) != len(fields):
        raise NoteError(f"the entry ({kind}) has {len(lines)} lines after its first, not {len(fields)}")
    found: dict[str, Any] = {}
    for line, (name, words, is_number) in zip(lines, fields, strict=True):
        if not line.startswith(name + " "):
            raise NoteError(f"the entry ({kind}) has {shown(line)} where {name} must stand")
        found[name] = _value(line[len(name) + 1 :], f"{name} of the entry ({kind})", name, words, is_number)
    entry: Entry = _BY_KIND[kind](**found)  # type: ignore[assignment]
    assert bytes(entry) == data
    _check(entry)
    return entry


def _value(text: str, what: str, name: str, words: tuple[str, ...], is_number: bool) -> Any:
    if is_number:
        return number(text, what)
    if words:
        if text not in words:
            raise NoteError(f"{what} is {shown(text)}, not {' or '.join(words)}")
        return text
    holds, form = _FORMS[name]
    if not holds(text):
        raise NoteError(f"{what} is {shown(text)}, not {form}")
    return text


def _check(entry: Entry) -> None:
    """What fields must come to together."""
    if isinstance(entry, Closed) and (entry.of == "table") == (entry.table == NONE):
        raise NoteError(f"the entry (closed) is of the {entry.of}, and names table {shown(entry.table)}")
    if isinstance(entry, Session | Late):
        if entry.ordinal < 1 or (entry.ordinal == 1) != (entry.previous == NONE):
            raise NoteError(f"session {shown(entry.session)} is number {entry.ordinal} of its table; previous misfits")
        if not 0 < entry.events <= entry.last:
            raise NoteError(f"session {shown(entry.session)} has {entry.events} events, the last of them {entry.last}")
        unsealed = entry.chain == NONE
        if (entry.state == "unsealed") != unsealed or (unsealed and entry.key != NONE):
            raise NoteError(f"session {shown(entry.session)} is {entry.state}; chain and key misfit")
    if isinstance(entry, Late) and (entry.how == "new") != (entry.instead_of == NONE):
        raise NoteError(f"session {shown(entry.session)} came late ({entry.how}); instead_of misfits")


def written(entry: Entry) -> Entry:
    """The same entry, once it is sure that it can be read back. Raises `NoteError`."""
    assert read(bytes(entry)) == entry
    return entry


# --- a night's leaves, and the roster -------------------------------------------------------------------------------


def place(entry: Entry) -> tuple[int, str, int]:
    """By this a night's leaves are in order."""
    match entry:
        case Import():
            return 0, "", 0
        case KeyChange():
            return 1, f"{entry.of} {entry.change} {entry.public}", 0
        case Closed(of="floor"):
            return 2, entry.date, 0
        case Closed(of="log"):
            return 2, "log", 0
        case Session() | Late():
            return 3, entry.table, entry.ordinal
        case Closed() | Absent():
            return 3, entry.table, 10**16
        case Case():
            return 4, entry.case, 0
        case Night():
            return 5, "", 0


def join(entries: Sequence[bytes]) -> bytes:
    """Entries one after the other, each after a line with its length in bytes: the file ``entries`` of a hand-over."""
    return b"".join(f"{len(entry)}\n".encode() + entry for entry in entries)


def split(data: bytes) -> list[bytes]:
    """The entries of such a file. Raises `NoteError`."""
    found: list[bytes] = []
    start = 0
    while start < len(data):
        end = data.find(b"\n", start, start + 20)
        if end < 0:
            raise NoteError(f"entries: no length stands before entry {len(found) + 1}")
        length = number(data[start:end].decode("latin-1"), f"entries: the length of entry {len(found) + 1}")
        start = end + 1 + length
        if not 0 < length <= MAX_BYTES or start > len(data):
            raise NoteError(f"entries: entry {len(found) + 1} has {length:,} bytes, or there is no such entry")
        found.append(data[end + 1 : start])
        if len(found) > MAX_LEAVES:
            raise NoteError(f"entries: more than {MAX_LEAVES:,}")
    return found


def roster_text(tables: Sequence[str]) -> bytes:
    """A roster: the tables that the house may open, in order of their names, a line each. Raises `NoteError`."""
    data = "".join(f"{table}\n" for table in sorted(tables)).encode()
    read_roster(data)
    return data


def read_roster(data: bytes) -> tuple[str, ...]:
    """The tables of a roster. Raises `NoteError`."""
    if not data:
        raise NoteError("the roster names no table")
    tables = lines_of(utf8(data, "the roster"), "the roster")
    for table in tables:
        if not _is_name(table) or table == NONE:
            raise NoteError(f"the roster: {shown(table)} is no name of 1 to 64 printable ASCII characters")
    for table, after in pairwise(tables):
        if not table < after:
            raise NoteError(f"the roster: {shown(after)} stands after {shown(table)}; tables are in order, each once")
    return tuple(tables)
