"""A session's place in the floor's log, proven from a few hundred bytes: what a bundle holds of it, and what it proves.

A `Placement` is four files of a bundle: the leaf with the session and its ``.tlog-proof``, the leaf of a night and its
``.tlog-proof`` under the same head. `placed` proves that the session is of this very night: its index lies among those
that the night's leaf counts, so that neither a date nor where a night begins and ends is anybody's word. Who vouches
for the head, the policy tells; without one the proofs lead to a head that anybody could have made. That a session is
what its leaf says, `matches` tells from its events.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

import msgspec

from replay.bundle import leaves, note
from replay.bundle.checkpoint import Checkpoint, Head, read_head, read_text
from replay.bundle.floor_log import STATES
from replay.bundle.leaves import Entry, Late, Night, Session
from replay.bundle.merkle import Tree, extends
from replay.bundle.note import Key
from replay.bundle.policy import Policy, Standing, standing
from replay.bundle.sealing import Judged
from replay.bundle.strict import NoteError, shown
from replay.bundle.tlog import TlogProof, read_proof

UNWITNESSED: Final = "unwitnessed: a seal of the old form, which nobody but its maker has signed or seen"
"""Who vouches for a seal of the old form (``retally-seal/1``)."""


class Placement(NamedTuple):
    """The files."""

    entry: bytes
    """The leaf with the session."""
    proof: bytes
    """Its ``.tlog-proof``."""
    night: bytes
    """The leaf of the night that it stands in."""
    night_proof: bytes
    """Its ``.tlog-proof``, under the same head."""


class Placed(msgspec.Struct, frozen=True):
    """What is proven by a placement."""

    entry: Session | Late
    index: int
    night: Night
    head: Checkpoint
    standing: Standing | None
    """Who vouches for the head; None where no policy was given: nobody is known to."""

    def __str__(self) -> str:
        entry, night = self.entry, self.night
        told = f"session {entry.session}: number {entry.ordinal} of table {entry.table} in the log {self.head.origin}"
        told += f", leaf {self.index:,} of {self.head.size:,}, sealed with the night of {night.date}"
        if isinstance(entry, Late):
            told += f"; it is of {entry.date} and came late"
        if entry.state != "whole":
            told += f"; it was sealed as it is: {STATES[entry.state]}"
        return f"{told}; {self.standing or 'no key of the log was given: nobody is known to vouch for it'}"


def placed(files: Placement, policy: Policy | None = None) -> Placed:
    """What these files prove. Raises `NoteError`, which says what they do not."""
    proof, night_proof = read_proof(files.proof), read_proof(files.night_proof)
    if proof.note != night_proof.note:
        raise NoteError("the session and its night are proven under two heads")
    found = None if policy is None else standing(proof.note, policy)
    head = read_text(note.read_note(proof.note).text) if found is None else found.head.checkpoint
    entry, night = leaves.read(files.entry), leaves.read(files.night)
    if not isinstance(entry, Session | Late):
        raise NoteError("the leaf with the session is none of a session")
    if not isinstance(night, Night):
        raise NoteError("the leaf of the night is none of a night")
    _holds(proof, head, files.entry, f"session {shown(entry.session)}")
    _holds(night_proof, head, files.night, f"the night of {night.date}")
    if night.first != night.previous_size:
        raise NoteError(f"the night of {night.date} does not begin where the one before it ended")
    if night_proof.index != night.first + night.count:
        raise NoteError(f"the night of {night.date} is leaf {night_proof.index:,}, and not the last of its leaves")
    if not night.first <= proof.index < night_proof.index:
        raise NoteError(f"session {shown(entry.session)} is leaf {proof.index:,}, and not of the night of {night.date}")
    if isinstance(entry, Session) and entry.date != night.date:
        raise NoteError(f"session {shown(entry.session)} is of {entry.date}, and stands in the night of {night.date}")
    return Placed(entry, proof.index, night, head, found)


def _holds(proof: TlogProof, head: Checkpoint, leaf: bytes, what: str) -> None:
    if not proof.holds(head, leaf):
        raise NoteError(f"{what} is not proven to be leaf {proof.index:,} of the log under this head")


class WholeNight(NamedTuple):
    """What is proven by all leaves of a night."""

    night: Night
    entries: list[Entry]
    """Every leaf of it, the night's own last."""
    head: Checkpoint
    standing: Standing | None
    """Who vouches for the head; None where no policy was given."""


def whole_night(
    night: Sequence[bytes], peaks: Sequence[bytes], head: bytes, policy: Policy | None = None
) -> WholeNight:
    """That these are all leaves of a night, none left out and none put in, under the head after it.

    ``peaks``: those of the tree before the night (`replay.bundle.merkle.Tree.peaks`). Raises `NoteError`.
    """
    found = None if policy is None else standing(head, policy)
    said = read_text(note.read_note(head).text) if found is None else found.head.checkpoint
    if not night or len(night) > leaves.MAX_LEAVES:
        raise NoteError(f"a night of {len(night):,} leaves is none")
    entries = [leaves.read(leaf) for leaf in night]
    last = entries[-1]
    if not isinstance(last, Night) or any(isinstance(entry, Night) for entry in entries[:-1]):
        raise NoteError("the last leaf of a night, and no other, is the night's own")
    if (last.first, last.count) != (last.previous_size, len(night) - 1):
        raise NoteError(f"the night of {last.date} counts {last.count:,} leaves, and {len(night) - 1:,} are here")
    try:
        tree = Tree(last.previous_size, peaks)
    except ValueError as error:
        raise NoteError(f"before the night of {last.date}: {error}") from None
    if tree.root().hex() != last.previous_root:
        raise NoteError(f"the night of {last.date} does not follow from the tree before it")
    for leaf in night:
        tree.append(leaf)
    if (tree.size, tree.root()) != (said.size, said.root):
        raise NoteError(f"these are not the leaves of the night of {last.date} under this head, or not all of them")
    return WholeNight(last, entries, said, found)


def matches(entry: Session | Late, found: Judged) -> list[str]:
    """In what a session, as its events are now, is another than the one that was sealed; empty where it is the same.

    Neither a leaf's law nor its state is compared: by which law and which keys a session is judged may change, what
    happened may not.
    """
    problems: list[str] = []
    names = ("session", "date", "table", "events", "last", "content", "chain", "key")
    for name in names:
        ours, sealed = getattr(found, name), getattr(entry, name)
        if ours != sealed:
            problems.append(f"its {name} is {shown(str(ours))}, and was sealed as {shown(str(sealed))}")
    return problems


class Views(Enum):
    """How two heads of one log stand to each other."""

    SAME = "the same head"
    GROWS = "the larger is proven to extend the smaller"
    UNPROVEN = "whether the larger extends the smaller is not proven"
    SPLIT = "a split view: two heads that cannot both be of one log"


def compare(first: bytes, second: bytes, logs: Sequence[Key], proof: Sequence[bytes] | None = None) -> Views:
    """How two heads of one log stand to each other, each signed with one of its keys ``logs``.

    ``proof``: that the larger extends the smaller. One that fails proves nothing by itself, for anybody can make one:
    give the one that the log gives.

    Raises `NoteError` for a head that is none, or of another log.
    """
    heads: list[Head] = [read_head(data, logs) for data in (first, second)]
    old, new = sorted(heads, key=lambda head: head.size)
    if old.checkpoint.origin != new.checkpoint.origin:
        names = f"{shown(old.checkpoint.origin)} and {shown(new.checkpoint.origin)}"
        raise NoteError(f"the heads are of two logs, {names}, of which neither says anything of the other")
    if old.size == new.size:
        return Views.SAME if old.root == new.root else Views.SPLIT
    if old.size == 0:
        return Views.GROWS
    if proof is None:
        return Views.UNPROVEN
    return Views.GROWS if extends(old.root, old.size, new.root, new.size, proof) else Views.SPLIT
