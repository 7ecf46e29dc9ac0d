"""A floor's log for tests: keys, sessions without events, and nights sealed and handed over one after the other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.bundle import house_log, note, sealing, witness
from replay.bundle.checkpoint import Checkpoint, sign_head
from replay.bundle.house_log import FloorLog, SealedNight
from replay.bundle.leaves import Entry, Late, Night, Session, join, roster_text
from replay.bundle.note import LOG, WITNESS, Key
from replay.bundle.policy import Policy, read_policy
from replay.bundle.sealing import Judged, Statement
from replay.bundle.strict import NoteError
from replay.bundle.tlog import AddCheckpoint
from replay.bundle.witness import HandOver, WitnessState
from replay.evidence import public_half
from tests.replay import logs


def private(number: int) -> Ed25519PrivateKey:
    """A key that is no secret."""
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def vkey(name: str, kind: int, key: Ed25519PrivateKey) -> Key:
    return note.key_of(name, kind, bytes(public_half(key)))


ORIGIN: Final = "operator.example/retally/floor-1"
HOUSE: Final = private(1)
KEY: Final = vkey(ORIGIN, LOG, HOUSE)
REGULATOR: Final = private(2)
WITNESS_KEY: Final = vkey("regulator.example/w1", WITNESS, REGULATOR)
POLICY: Final[Policy] = read_policy(f"log {KEY}\nwitness regulator {WITNESS_KEY}\nquorum regulator\n".encode())
HOUSE_ALONE: Final[Policy] = read_policy(f"log {KEY}\nquorum none\n".encode())
DAYS: Final = ("2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30")
TABLES: Final = ("BO01", "BO02", "CR01")
AT: Final = 1_800_000_000
"""2027-01-15 08:00:00 UTC."""
GATEWAY: Final = next(iter(logs.KEYS))


def read_or_told(read: Callable[[bytes], Any], data: bytes) -> Any:
    """What is read; None where it is refused, which is done by one clear line."""
    try:
        return read(data)
    except NoteError as error:
        told = str(error)
    assert told.isprintable()
    return None


def session(table: str, date: str, **other: Any) -> Judged:
    """A session as it was judged; ``other``: what is different of it."""
    name = f"{table}-{date}"
    found = Judged(
        session=name,
        date=date,
        table=table,
        events=100,
        last=100,
        content=hashlib.sha256(name.encode()).hexdigest(),
        chain=hashlib.sha256(b"chain " + name.encode()).hexdigest(),
        key=GATEWAY,
        state="whole",
        law=hashlib.sha256(b"law").hexdigest(),
        rules="AD-2025",
        beginning="",
    )
    return found._replace(**other)


def statement(date: str, **other: Any) -> Statement:
    return Statement(date, TABLES)._replace(**other)


def entries(log: FloorLog, date: str, sessions: Iterable[Judged] | None = None, **other: Any) -> list[Entry]:
    """The leaves of a night in which every table has a session, but for what is said otherwise."""
    options = {name: other.pop(name) for name in ("new_key", "cases", "imported") if name in other}
    keys = other.pop("keys", logs.KEYS)
    said = statement(date, **other)
    silent = {*said.closed, *said.absent}
    if sessions is None:
        sessions = [] if date in said.closed_days else [session(t, date) for t in said.roster if t not in silent]
    return sealing.entries_of(log, said, sessions, HOUSE, keys=keys, **options)


def sealed(log: FloorLog, date: str, sessions: Iterable[Judged] | None = None, **other: Any) -> SealedNight:
    """The night sealed, and added to the log."""
    key = other.pop("key", HOUSE)
    night = house_log.seal(log, entries(log, date, sessions, **other), other.get("roster", TABLES), key)
    log.add(night)
    return night


def floor(*dates: str, key: Key = KEY) -> FloorLog:
    """A log with these nights."""
    log = FloorLog(key)
    for date in dates:
        sealed(log, date)
    return log


def signed_anyway(log: FloorLog, leaves: Sequence[Entry | bytes], key: Ed25519PrivateKey = HOUSE) -> SealedNight:
    """A night that a house signs although no house may: whatever its leaves are."""
    state = log.state
    night = [leaf if isinstance(leaf, bytes) else bytes(leaf) for leaf in leaves]
    tree = state.tree
    for leaf in night:
        tree.append(leaf)
    head = sign_head(Checkpoint(state.key.name, tree.size, tree.root()), key)
    return SealedNight(
        size=state.size,
        peaks=state.peaks,
        entries=[leaf.decode() for leaf in night],
        roster=sorted(TABLES),
        head=bytes(head).decode(),
    )


def handed(night: SealedNight, **other: Any) -> HandOver:
    """The hand-over of a night, whatever its leaves are; ``other``: members that are different."""
    request = AddCheckpoint(night.size, tuple(night.tree.consistency(night.size)), night.head.encode())
    made = HandOver(bytes(request), join(night.leaves), roster_text(night.roster))
    return made._replace(**other)


def witness_of(*nights: SealedNight) -> WitnessState:
    """What a witness remembers who has accepted these nights."""
    state = witness.new_state(KEY, WITNESS_KEY)
    for night in nights:
        state = witness.check(state, handed(night)).state
    return state


def cosigned(night: SealedNight, key: Ed25519PrivateKey = REGULATOR, at: int = AT) -> SealedNight:
    """The night with the witness's signature under its head."""
    head = note.read_note(night.head.encode())
    name = WITNESS_KEY.name
    return msgspec.structs.replace(night, head=bytes(head.beside(note.cosign(head.text, name, key, at))).decode())


def sessions_of(leaves: Iterable[Entry]) -> list[Session | Late]:
    return [leaf for leaf in leaves if isinstance(leaf, Session | Late)]


def changed_night(leaves: Sequence[Entry], **other: Any) -> list[Entry]:
    """The leaves with something else in the night's own."""
    *others, night = leaves
    assert isinstance(night, Night)
    return [*others, msgspec.structs.replace(night, **other)]


def renumbered(leaves: Sequence[Entry]) -> list[Entry]:
    """The leaves with a night's own leaf that counts them."""
    return changed_night(leaves, count=len(leaves) - 1)
