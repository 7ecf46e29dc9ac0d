"""A witness of a floor's log (the regulator, an auditor): what he is handed over, what he remembers, and what he checks
before he signs a head.

He takes nothing from the house but what it has signed, and holds each night against his own memory of the one before:
the head extends the one that he accepted last; the leaves that he was given are those under it, every one; they are one
night, whole (`replay.bundle.floor_log.follow`). Only then is there a new memory, which has to be stored for good before
he signs. What a house has signed and may not have signed is an `Alarm`, and both notes are kept: his last one and this.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from replay.bundle import note
from replay.bundle.checkpoint import Head, read_head, read_text
from replay.bundle.floor_log import Day, Digest, Followed, LogState, NightError, Size, Wrong, follow, grown
from replay.bundle.leaves import NONE, read_roster, split
from replay.bundle.merkle import extends
from replay.bundle.note import LOG, WITNESS, Key, Signature
from replay.bundle.strict import NoteError, is_day, shown
from replay.bundle.tlog import AddCheckpoint, read_add_checkpoint
from replay.errors import RetallyError

MEMBERS: Final = ("add-checkpoint", "entries", "report", "roster")
"""The files of a hand-over; ``report`` may be missing."""
MAX_MEMBER_BYTES: Final = 64 * 1024 * 1024

Code = Wrong | Literal["split_view", "shrunk", "rewritten", "leaves_differ", "report", "future", "another_date"]
"""What an alarm is about, in one word for programs."""


class Alarm(RetallyError):
    """Something that the log has signed, and may not have signed: one clear line."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(text)
        self.code: Code = code


class HandOver(NamedTuple):
    """What the house hands over of a night."""

    request: bytes
    """``add-checkpoint``: a request of c2sp.org/tlog-witness, with the head."""
    entries: bytes
    """Every leaf of the night (`replay.bundle.leaves.join`)."""
    roster: bytes
    report: bytes | None = None

    def members(self) -> dict[str, bytes]:
        """The files by their names."""
        found = {"add-checkpoint": self.request, "entries": self.entries, "roster": self.roster}
        return found if self.report is None else {**found, "report": self.report}


class Accepted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A head that the witness has accepted."""

    date: Day
    size: Size
    root: Digest


class WitnessState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a witness remembers of one log. It is all that stands between him and a house that tells him another
    story: it is kept on his own disk, and never taken from a hand-over."""

    format: Literal["retally-witness/1"] = "retally-witness/1"
    witness: str
    """His own key."""
    log: LogState
    accepted: list[Accepted] = []
    """Every head that he accepted."""
    note: str = ""
    """The last of them as the house signed it."""
    cosigned: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] = 0
    """When he signed last: seconds since 1970-01-01 UTC."""
    former: list[str] = []
    """The keys that the log's heads were signed with before the one that counts now."""


class Checked(NamedTuple):
    """A hand-over that a witness may sign, once ``state`` is stored."""

    state: WitnessState
    head: Head
    date: str
    followed: Followed | None
    """The night; None where he has accepted this very head before, and signs it anew."""


def new_state(log: Key, witness: Key) -> WitnessState:
    """The memory of a witness who has seen nothing of this log yet."""
    return WitnessState(witness=str(witness), log=LogState(log=str(log)))


def read_state(data: bytes) -> WitnessState:
    """A memory from its file. Raises `NoteError` for one that is empty, cut off, or does not hold together: nothing is
    ever assumed in its place."""
    if not data.strip():
        raise NoteError("is empty; what a witness remembered is not to be made up: fetch it from a backup")
    try:
        found = msgspec.json.decode(data, type=WitnessState)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NoteError(f"is no memory of a witness, or not all of one ({error})") from None
    log = found.log
    note.read_key(found.witness, WITNESS)
    if log.tree.size:
        last = found.accepted[-1] if found.accepted else None
        if last is None or (last.date, last.size, last.root) != (log.date, log.size, log.root):
            raise NoteError("is no memory of a witness: its last head is not that of its log")
        said = read_text(note.read_note(found.note.encode()).text)
        if (said.origin, said.size, said.root.hex()) != (log.key.name, log.size, log.root):
            raise NoteError("is no memory of a witness: its last note is not that of its last head")
    elif found.accepted or found.note or log != LogState(log=log.log):
        raise NoteError("is no memory of a witness: it has heads, and is of no leaf")
    return found


def check(
    state: WitnessState,
    handed: HandOver,
    *,
    roster: Sequence[str] | None = None,
    date: str | None = None,
    latest: str | None = None,
) -> Checked:
    """Check a hand-over against what is remembered.

    ``roster``: the tables that the witness himself knows of; ``date``: the night that he expects; ``latest``: no night
    after this day has been yet.

    Raises:
        NoteError: it cannot be read, or is not signed by the log: it says nothing of the house.
        Alarm: the house has signed it, and it is wrong.
    """
    request = read_add_checkpoint(handed.request)
    logs = [state.log.key, *(note.read_key(key, LOG) for key in state.former)]
    head = read_head(request.note, logs, [note.read_key(state.witness, WITNESS)])
    if _seen_before(state, head):
        if date is not None and date != state.log.date:
            raise Alarm("another_date", f"the head of {state.log.date} was handed over again; {date} is expected")
        return Checked(state, head, state.log.date, None)
    if head.by != state.log.key:
        raise Alarm("key", f"the head is signed by a key that counts no more: {head.by}")
    _grows(state, request, head)
    try:
        leaves = split(handed.entries)
        tree = grown(state.log, leaves)
        if (tree.size, tree.root()) != (head.size, head.root):
            raise Alarm("leaves_differ", "the entries are not the leaves under the head, or not all of them")
        followed = follow(state.log, leaves, handed.roster)
    except NightError as error:
        raise Alarm(error.code, str(error)) from None
    except NoteError as error:
        raise Alarm("entry", str(error)) from None
    night = followed.night
    if date is not None and night.date != date:
        raise Alarm("another_date", f"the night of {night.date} was handed over, and that of {date} is expected")
    if latest is not None and night.date > latest:
        raise Alarm("future", f"the night of {night.date} has not been yet")
    if roster is not None:
        _same_roster(read_roster(handed.roster), roster)
    if handed.report is not None and night.report != hashlib.sha256(handed.report).hexdigest():
        raise Alarm("report", f"the report is not the one of which the night of {night.date} has the digest")
    if handed.report is None and night.report != NONE:
        raise Alarm("report", f"the report of the night of {night.date} was not handed over with it")
    after = msgspec.structs.replace(
        state,
        log=followed.state,
        accepted=[*state.accepted, Accepted(date=night.date, size=head.size, root=head.root.hex())],
        note=bytes(head.note).decode(),
        former=state.former if followed.state.log == state.log.log else [*state.former, state.log.log],
    )
    return Checked(after, head, night.date, followed)


def _seen_before(state: WitnessState, head: Head) -> bool:
    """Whether this is the head that he accepted last. Raises `Alarm` for one that contradicts what he accepted, and
    `NoteError` for one that he has left behind."""
    root = head.root.hex()
    same = next((one for one in state.accepted if one.size == head.size), None)
    if same is not None and same.root != root:
        raise Alarm(
            "split_view",
            f"two heads of {head.size:,} leaves: on {same.date} one with the root {same.root} was accepted, and this"
            f" one has {root}",
        )
    if same is not None and head.size < state.log.size:
        raise NoteError(f"this is the head of {same.date} again, and that of {state.log.date} has been accepted since")
    if head.size < state.log.size:
        raise Alarm(
            "shrunk", f"the log has {head.size:,} leaves, and had {state.log.size:,} when its last head was accepted"
        )
    return same is not None


def _grows(state: WitnessState, request: AddCheckpoint, head: Head) -> None:
    """The head extends the last one that was accepted. Raises `Alarm`."""
    log = state.log
    if request.old > log.size:
        raise Alarm(
            "missing_night",
            f"what was handed over begins after {request.old:,} leaves, and the last head that was accepted has"
            f" {log.size:,}: hand over the night{f' after that of {log.date}' if log.date else 's before'} first",
        )
    if request.old < log.size:
        raise Alarm(
            "rewritten",
            f"what was handed over begins after {request.old:,} leaves, and the last head that was accepted has"
            f" {log.size:,}: the house has forgotten a head, or denies it",
        )
    if not extends(bytes.fromhex(log.root), log.size, head.root, head.size, request.proof):
        raise Alarm(
            "rewritten",
            f"the head of {head.size:,} leaves is not proven to extend the last one that was accepted, of"
            f" {log.size:,} leaves" + (f" ({log.date})" if log.date else ""),
        )


def _same_roster(theirs: Sequence[str], ours: Sequence[str]) -> None:
    unknown = sorted(set(theirs) - set(ours))
    missing = sorted(set(ours) - set(theirs))
    if unknown or missing:
        which = f"table {shown((unknown or missing)[0])}"
        told = "is on the house's roster, and not on yours" if unknown else "is on your roster, and not on the house's"
        more = len(unknown) + len(missing) - 1
        raise Alarm("roster", f"{which} {told}" + (f"; so it is with {more} more" if more else ""))


def state_signed(checked: Checked, time: int) -> WitnessState:
    """What is to be remembered when a hand-over is signed at ``time`` (seconds since 1970-01-01 UTC).

    Raises `NoteError` where the clock stands before the last signature.
    """
    if time < checked.state.cosigned:
        raise NoteError("the clock stands before the time of the last cosignature; set it right first")
    return msgspec.structs.replace(checked.state, cosigned=time)


def is_overdue(state: WitnessState, day: str) -> bool:
    """Whether the night of ``day`` (as in 2026-11-29) has not been accepted. Raises `NoteError`."""
    if not is_day(day):
        raise NoteError(f"{shown(day)} is no day, as in 2026-11-29")
    return state.log.date < day and not state.log.ended


def cosignature_of(data: bytes, head: Head, witnesses: Sequence[Key]) -> tuple[Signature, Key, int]:
    """The cosignature of this head by one of these witnesses, among the signature lines that came as an answer: the
    line, whose it is, and when he signed. Raises `NoteError` where there is none, or one does not hold.
    """
    lines = note.read_signatures(data)
    [one, *others] = head.note._replace(signatures=tuple(lines)).signed(witnesses)
    if others or one.time is None:
        raise NoteError("the answer bears more cosignatures than one; give them one at a time")
    line = next(line for line in lines if (line.name, line.id) == (one.key.name, one.key.id))
    return line, one.key, one.time
