"""The log of one floor: append-only, a night at a time, and what is remembered of it from one night to the next.

`LogState` is that memory. The house has it from its own log, a witness from the nights that he has accepted, and
neither takes it from the other: `follow` reads the leaves of one night against it, and gives the memory after that
night, or says what is wrong with the night (`NightError`). What a night holds, `replay.bundle.leaves` says; that its
leaves are those under a head, the tree (`grown`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from replay.bundle import leaves, note
from replay.bundle.leaves import (
    MAX_LEAVES,
    NONE,
    Absent,
    Case,
    Closed,
    Entry,
    Import,
    KeyChange,
    Late,
    Night,
    Session,
    read_roster,
)
from replay.bundle.merkle import EMPTY, Tree, leaf_hash
from replay.bundle.note import LOG, Key
from replay.bundle.strict import NoteError, shown
from replay.errors import RetallyError

Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Size = Annotated[int, msgspec.Meta(ge=0, le=10**16 - 1)]
Day = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}\Z")]

Wrong = Literal[
    "after_the_end",
    "boundary",
    "closed",
    "entry",
    "import",
    "key",
    "late",
    "missing_night",
    "no_night",
    "order",
    "ordinal",
    "roster",
    "table_missing",
    "too_many",
]
"""What is wrong with a night, in one word for programs."""


class NightError(RetallyError):
    """A night that does not follow from the one before: one clear line, and one word for programs."""

    def __init__(self, code: Wrong, text: str) -> None:
        super().__init__(text)
        self.code: Wrong = code


class TableState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last leaf with a session of this table."""

    table: str
    ordinal: Size
    leaf: Digest
    """Its hash."""
    session: str
    date: Day
    events: Size


class Owed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A session that a night said was still to come."""

    date: Day
    table: str


class GatewayKey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A gateway's key, as the log has it."""

    public: Digest
    terms: str
    revoked: bool = False


class LogState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is remembered of a floor's log."""

    log: str
    """The key that signs its heads (`replay.bundle.note.Key`); its name is the log's."""
    size: Size = 0
    root: Digest = EMPTY.hex()
    peaks: Annotated[list[Digest], msgspec.Meta(max_length=64)] = []
    first: Annotated[str, msgspec.Meta(pattern=r"^(\d{4}-\d{2}-\d{2})?\Z")] = ""
    """The first night; empty before it."""
    date: Annotated[str, msgspec.Meta(pattern=r"^(\d{4}-\d{2}-\d{2})?\Z")] = ""
    """The last night; empty before the first."""
    ended: bool = False
    """Nothing may follow."""
    tables: list[TableState] = []
    """In order of their names."""
    owed: list[Owed] = []
    gateways: list[GatewayKey] = []

    @property
    def key(self) -> Key:
        """The key that signs the heads. Raises `NoteError`."""
        return note.read_key(self.log, LOG)

    @property
    def tree(self) -> Tree:
        """The log's tree, to which leaves can be added. Raises `NoteError` where peaks, size and root misfit."""
        try:
            tree = Tree(self.size, [bytes.fromhex(peak) for peak in self.peaks])
        except ValueError as error:
            raise NoteError(f"what is remembered of the log does not hold together: {error}") from None
        if tree.root().hex() != self.root:
            raise NoteError("what is remembered of the log does not hold together: its root is not that of its peaks")
        return tree


class Followed(NamedTuple):
    """A night that follows from what was remembered."""

    state: LogState
    """What is remembered after it."""
    entries: list[Entry]
    night: Night
    remarks: list[str]
    """What is as it may be, but ought to be looked at."""


def grown(state: LogState, night: Sequence[bytes]) -> Tree:
    """The tree with these leaves more. Raises `NoteError`."""
    tree = state.tree
    for leaf in night:
        tree.append(leaf)
    return tree


def follow(state: LogState, night: Sequence[bytes], roster: bytes) -> Followed:
    """Read the leaves of one night, after ``state``; ``roster``: the tables that may be open (`leaves.roster_text`).

    Raises `NightError`; `NoteError` where ``state`` or ``roster`` cannot be used.
    """
    return _Following(state, night, roster).run()


class _Following:
    """One night on its way through the checks."""

    def __init__(self, state: LogState, night: Sequence[bytes], roster: bytes) -> None:
        self._state = state
        self._leaves = night
        self._roster_digest = hashlib.sha256(roster).hexdigest()
        self._roster = read_roster(roster)
        self._remarks: list[str] = []
        self._tables = {one.table: one for one in state.tables}
        self._owed = {(one.date, one.table): one for one in state.owed}
        self._gateways = {one.public: one for one in state.gateways}
        self._log = state.log
        self._ended = False

    def run(self) -> Followed:
        state = self._state
        if state.ended:
            raise NightError("after_the_end", f"the log ended with the night of {state.date}; nothing may follow")
        tree = grown(state, self._leaves)
        entries = self._entries()
        night = entries[-1]
        assert isinstance(night, Night)
        self._boundary(night)
        self._date(night, entries)
        self._coverage(night, entries)
        for index, (entry, leaf) in enumerate(zip(entries, self._leaves, strict=True)):
            self._entry(index, entry, leaf, night)
        after = LogState(
            log=self._log,
            size=tree.size,
            root=tree.root().hex(),
            peaks=[peak.hex() for peak in tree.peaks()],
            first=state.first or night.date,
            date=night.date,
            ended=self._ended,
            tables=[self._tables[table] for table in sorted(self._tables)],
            owed=[self._owed[key] for key in sorted(self._owed)],
            gateways=[self._gateways[public] for public in sorted(self._gateways)],
        )
        return Followed(after, entries, night, self._remarks)

    def _entries(self) -> list[Entry]:
        """All leaves read; they are in order, and the last and no other is the night's own."""
        if len(self._leaves) > MAX_LEAVES:
            raise NightError("too_many", f"the night has {len(self._leaves):,} leaves; {MAX_LEAVES:,} are the most")
        found: list[Entry] = []
        for number, leaf in enumerate(self._leaves, 1):
            try:
                found.append(leaves.read(leaf))
            except NoteError as error:
                raise NightError("entry", f"leaf {number} of the night: {error}") from None
        if not found or not isinstance(found[-1], Night):
            raise NightError("no_night", "the last leaf of a night is the night's own; there is none")
        places = [leaves.place(entry) for entry in found]
        for number, (before, after) in enumerate(pairwise(places), 2):
            if not before < after:
                raise NightError("order", f"leaf {number} of the night does not stand where it must")
        return found

    def _boundary(self, night: Night) -> None:
        """The night begins where the one before ended, and names it."""
        state = self._state
        ours = (state.size, len(self._leaves) - 1, state.date or NONE, state.size, state.root)
        theirs = (night.first, night.count, night.previous_date, night.previous_size, night.previous_root)
        names = ("first", "count", "previous_date", "previous_size", "previous_root")
        for name, our, their in zip(names, ours, theirs, strict=True):
            if our != their:
                raise NightError("boundary", f"the night of {night.date} has {name} {their}, and must have {our}")
        if (night.tables, night.roster) != (len(self._roster), self._roster_digest):
            raise NightError("roster", f"the night of {night.date} is of another roster than the one that came with it")

    def _date(self, night: Night, entries: Sequence[Entry]) -> None:
        """No night is left out but those on which the floor is said to have been closed."""
        last = self._state.date
        if last and night.date <= last:
            raise NightError("missing_night", f"the night of {night.date} does not come after that of {last}")
        closed = {entry.date for entry in entries if isinstance(entry, Closed) and entry.of == "floor"}
        for day in closed:
            if day > night.date or (day <= last if last else day != night.date):
                raise NightError("closed", f"the floor is said to have been closed on {day}: another night's matter")
        for day in _between(last, night.date):
            if day not in closed:
                raise NightError(
                    "missing_night",
                    f"after the night of {last} comes that of {night.date}: nothing is said of {day}, neither that the"
                    " floor was open nor that it was closed",
                )

    def _coverage(self, night: Night, entries: Sequence[Entry]) -> None:
        """Of each table of the roster one thing is said: sessions, closed, or still to come; of no other table any."""
        said: dict[str, set[str]] = {}
        shut = False
        for entry in entries:
            if isinstance(entry, Session):
                said.setdefault(entry.table, set()).add("has a session")
            elif isinstance(entry, Absent):
                said.setdefault(entry.table, set()).add("is said to have been open, its session still to come")
            elif isinstance(entry, Closed) and entry.of == "table":
                said.setdefault(entry.table, set()).add("is said to have been closed")
            elif isinstance(entry, Closed) and entry.of == "floor" and entry.date == night.date:
                shut = True
        for table in sorted(said):
            if table not in self._roster:
                raise NightError("roster", f"table {shown(table)} {min(said[table])}, and is not on the roster")
            if len(said[table]) > 1 or shut:
                both = [*sorted(said[table]), "the floor is said to have been closed"]
                raise NightError("closed", f"table {shown(table)} {both[0]}, and {both[1]}")
        missing = [table for table in self._roster if table not in said]
        if missing and not shut:
            more = f" and {len(missing) - 1} more tables" if len(missing) > 1 else ""
            raise NightError(
                "table_missing",
                f"nothing is said of table {shown(missing[0])}{more} in the night of {night.date}: neither a session,"
                " nor that it was closed, nor that its session is still to come",
            )

    def _entry(self, index: int, entry: Entry, leaf: bytes, night: Night) -> None:
        if not isinstance(entry, Import | Late | Closed) and entry.date != night.date:
            raise NightError("entry", f"leaf {index + 1} is of {entry.date}, and stands in the night of {night.date}")
        match entry:
            case Import():
                if self._state.size or entry.date >= night.date:
                    raise NightError("import", "a log of the old form is taken over by the first leaf of a log alone")
            case KeyChange():
                self._key_change(entry)
            case Closed():
                if entry.of != "floor" and entry.date != night.date:
                    raise NightError("closed", f"the {entry.of} is said to have been closed on {entry.date}")
                self._ended |= entry.of == "log"
            case Absent():
                self._owed[entry.date, entry.table] = Owed(date=entry.date, table=entry.table)
                self._remarks.append(f"table {entry.table}: the session of {entry.date} is to come: {entry.reason}")
            case Late():
                self._late(entry, night)
                self._session(entry, leaf)
            case Session():
                self._session(entry, leaf)
            case Case() | Night():
                pass

    def _session(self, entry: Session | Late, leaf: bytes) -> None:
        last = self._tables.get(entry.table)
        ours = (1, NONE) if last is None else (last.ordinal + 1, last.leaf)
        if entry.ordinal != ours[0]:
            raise NightError(
                "ordinal",
                f"session {shown(entry.session)} is number {entry.ordinal} of table {shown(entry.table)}, and"
                f" must be number {ours[0]}: sessions of it are missing, or are there twice",
            )
        if entry.previous != ours[1]:
            raise NightError(
                "ordinal", f"session {shown(entry.session)} does not follow from the session before it at its table"
            )
        if entry.state != "whole":
            self._remarks.append(f"session {entry.session}: {STATES[entry.state]}")
        self._tables[entry.table] = TableState(
            table=entry.table,
            ordinal=entry.ordinal,
            leaf=leaf_hash(leaf).hex(),
            session=entry.session,
            date=entry.date,
            events=entry.events,
        )

    def _late(self, entry: Late, night: Night) -> None:
        """It is of a night of this log; and what it says of the leaf whose place it takes is so, as far as that leaf is
        remembered."""
        what = f"session {shown(entry.session)} of {entry.date} came late, and"
        if not self._state.first or not self._state.first <= entry.date < night.date:
            raise NightError("late", f"{what} is of no night of this log before {night.date}")
        if entry.how == "new":
            if self._owed.pop((entry.date, entry.table), None) is None:
                self._remarks.append(f"session {entry.session} of {entry.date} came late, and was not announced")
            return
        if entry.how == "other":
            self._remarks.append(
                f"session {entry.session} of {entry.date} is no longer what was sealed as number {entry.instead_of}"
            )
        if int(entry.instead_of) >= entry.ordinal:
            raise NightError("late", f"{what} takes the place of number {entry.instead_of}, which is not before it")
        last = self._tables.get(entry.table)
        if last is not None and int(entry.instead_of) == last.ordinal:
            if (last.session, last.date) != (entry.session, entry.date):
                raise NightError("late", f"{what} takes the place of another session, {shown(last.session)}")
            if entry.how == "longer" and entry.events <= last.events:
                raise NightError("late", f"{what} has no more events than when it was sealed")

    def _key_change(self, entry: KeyChange) -> None:
        key = self._state.key
        if entry.signer != key.public.hex() or not entry.holds():
            raise NightError("key", f"the change of key {entry.public[:16]}… is not signed by the log's key")
        if entry.of == "log":
            if entry.change != "added" or self._log != self._state.log:
                raise NightError("key", "the log's key is changed by naming the one that comes after it, once a night")
            try:
                self._log = str(note.key_of(key.name, LOG, bytes.fromhex(entry.public)))
            except NoteError as error:
                raise NightError("key", str(error)) from None
            self._remarks.append(f"from the next night on the heads are signed by another key: {self._log}")
            return
        known = self._gateways.get(entry.public)
        if (known is None) != (entry.change == "added") or (known is not None and known.revoked):
            stands = "is not known" if known is None else "was revoked" if known.revoked else "is known"
            raise NightError("key", f"the key {entry.public[:16]}… of a gateway is {entry.change}, and {stands}")
        self._gateways[entry.public] = GatewayKey(
            public=entry.public, terms=entry.terms, revoked=entry.change == "revoked"
        )


STATES: Final[dict[leaves.State, str]] = {
    "whole": "every event is there, under seals that hold",
    "open": "events follow its last seal, or the table was not closed",
    "broken": "events are missing, contradict each other or cannot be read, or a seal does not hold",
    "unsealed": "it bears no seal",
}
"""The states of a session (`replay.bundle.leaves.State`) in words."""


def _between(first: str, last: str) -> Iterator[str]:
    """The days after ``first`` and before ``last``; none where there is no first."""
    if not first:
        return
    day = date.fromisoformat(first) + timedelta(days=1)
    while day.isoformat() < last:
        yield day.isoformat()
        day += timedelta(days=1)
