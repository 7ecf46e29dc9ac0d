"""The house's own log of a floor: its nights with their leaves, from which heads are signed, handed over and proven.

A night holds the peaks of the tree before it: with these and its leaves everything under its own head is proven without
the nights before. The log as a whole is a fold of its nights, each of which is checked as a witness would.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.bundle import leaves
from replay.bundle.checkpoint import Checkpoint, read_head, sign_head
from replay.bundle.floor_log import Digest, LogState, Size, follow
from replay.bundle.leaves import MAX_LEAVES, NONE, Entry, Late, Night, Session, join, roster_text
from replay.bundle.merkle import Tree
from replay.bundle.note import Key
from replay.bundle.policy import Policy, Standing, standing
from replay.bundle.strict import NoteError, shown
from replay.bundle.tlog import AddCheckpoint, TlogProof
from replay.bundle.witness import HandOver
from replay.evidence import public_half


class SealedNight(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A night of the house's log, with all that is needed to prove from it."""

    format: Literal["retally-night/1"] = "retally-night/1"
    size: Size
    """Leaves before it."""
    peaks: Annotated[list[Digest], msgspec.Meta(max_length=64)]
    """Of the tree before it."""
    entries: Annotated[list[str], msgspec.Meta(min_length=1, max_length=MAX_LEAVES)]
    """Its leaves."""
    roster: list[str]
    head: str
    """The head after it: a note that the house has signed, and who else has since."""

    @property
    def leaves(self) -> list[bytes]:
        """Its leaves as bytes."""
        return [entry.encode() for entry in self.entries]

    @property
    def tree(self) -> Tree:
        """The tree after it."""
        tree = Tree(self.size, [bytes.fromhex(peak) for peak in self.peaks])
        for leaf in self.leaves:
            tree.append(leaf)
        return tree

    @property
    def night(self) -> Night:
        """Its own leaf. Raises `NoteError`."""
        found = leaves.read(self.entries[-1].encode())
        if not isinstance(found, Night):
            raise NoteError("the last leaf of a night is not the night's own")
        return found


def read_night(data: bytes) -> SealedNight:
    """A night from its file. Raises `NoteError`."""
    try:
        return msgspec.json.decode(data, type=SealedNight)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NoteError(f"is no night of a floor's log, or not all of one ({error})") from None


class FloorLog:
    """The house's log of a floor, night by night, each checked against the ones before it."""

    def __init__(self, log: Key) -> None:
        self.state = LogState(log=str(log))
        self.nights: list[SealedNight] = []
        self.sessions: dict[str, Session | Late] = {}
        """Of each session the last leaf."""
        self.keys = [log]
        """Every key that has signed its heads, the one that counts last."""

    def add(self, night: SealedNight) -> None:
        """The next night. Raises `NoteError`, or `replay.bundle.floor_log.NightError`, for one that does not follow."""
        state = self.state
        if (night.size, night.peaks) != (state.size, state.peaks):
            raise NoteError("does not follow from the night before it")
        head = read_head(night.head.encode(), [state.key])
        followed = follow(state, night.leaves, roster_text(night.roster))
        after = followed.state
        if (head.size, head.root.hex()) != (after.size, after.root):
            raise NoteError("has another head than its leaves make")
        if after.log != state.log:
            self.keys.append(after.key)
        self.state = after
        self.nights.append(night)
        for entry in followed.entries:
            if isinstance(entry, Session | Late):
                self.sessions[entry.session] = entry

    def nights_from(self, date: str) -> list[SealedNight]:
        """The night of this date, and all that follow. Raises `NoteError`."""
        for place, night in enumerate(self.nights):
            if night.night.date == date:
                return self.nights[place:]
        raise NoteError(f"holds no night of {shown(date)}")


def seal(log: FloorLog, entries: Sequence[Entry], roster: Sequence[str], private: Ed25519PrivateKey) -> SealedNight:
    """The night with its head signed. Raises `replay.bundle.floor_log.NightError` for a night that a witness would
    refuse, and `NoteError` for a key that is not the log's."""
    state = log.state
    if bytes(public_half(private)) != state.key.public:
        raise NoteError(f"this is not the key that signs the heads of {state.key.name}")
    night = [bytes(entry) for entry in entries]
    after = follow(state, night, roster_text(roster)).state
    head = sign_head(Checkpoint(state.key.name, after.size, bytes.fromhex(after.root)), private)
    return SealedNight(
        size=state.size,
        peaks=state.peaks,
        entries=[entry.text for entry in entries],
        roster=sorted(roster),
        head=bytes(head).decode(),
    )


# --- what is handed over and proven from a night --------------------------------------------------------------------


def hand_over(night: SealedNight, report: bytes | None = None) -> HandOver:
    """What a witness is handed over of this night. Raises `NoteError` where ``report`` is not the night's."""
    digest = night.night.report
    if (NONE if report is None else hashlib.sha256(report).hexdigest()) != digest:
        raise NoteError("its report is another one" if report is not None else "its report is wanted too")
    proof = tuple(night.tree.consistency(night.size))
    request = AddCheckpoint(night.size, proof, night.head.encode())
    return HandOver(bytes(request), join(night.leaves), roster_text(night.roster), report)


def prove(nights: Sequence[SealedNight], index: int) -> TlogProof:
    """The proof that the leaf ``index`` of the log stands under the head of the last of these nights, which follow one
    another; the leaf is of one of them. Raises `NoteError`."""
    try:
        return TlogProof(index, tuple(_tree_of(nights).inclusion(index)), nights[-1].head.encode())
    except ValueError as error:
        raise NoteError(f"leaf {index} cannot be proven from these nights: {error}") from None


def grows(nights: Sequence[SealedNight], size: int) -> tuple[bytes, ...]:
    """The proof that the head of the last of these nights, which follow one another, extends the one of ``size``
    leaves, which is not before the first of them. Raises `NoteError`."""
    try:
        return tuple(_tree_of(nights).consistency(size))
    except ValueError as error:
        raise NoteError(f"the log has no head of {size} leaves: {error}") from None


def not_witnessed(log: FloorLog, policy: Policy, day: str) -> list[tuple[str, Standing]]:
    """The nights before ``day`` whose heads have not the signatures that the policy asks for, and what each counts for.

    That day's own head cannot have them yet where this is asked for its report: the report is under the head. Raises
    `NoteError` where the policy does not know the log.
    """
    dated = ((night.night.date, standing(night.head.encode(), policy)) for night in log.nights)
    return [(date, found) for date, found in dated if date < day and not found.is_met]


def _tree_of(nights: Sequence[SealedNight]) -> Tree:
    """The tree after the last of these nights, which follow one another."""
    tree = nights[0].tree
    for night in nights[1:]:
        for leaf in night.leaves:
            tree.append(leaf)
    return tree
