"""Heads of a log, as c2sp.org/tlog-checkpoint (1.0.0) has them: a signed note of three lines, which are the log's name
(its origin), how many leaves its tree has, and the root of the tree (RFC 6962).

A head of ours bears no line more: what a fourth line said would stand under no root, and no reader of the log could
check it. So none is written, and a head that has one is refused. The name of the key that signed it is the origin, byte
for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.bundle import note
from replay.bundle.merkle import EMPTY
from replay.bundle.note import Key, Note, Signed
from replay.bundle.strict import NoteError, base64_text, hash_from, lines_of, number, shown

_LINES: Final = 3


class Checkpoint(NamedTuple):
    """What a head says."""

    origin: str
    size: int
    root: bytes
    """32 bytes."""

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{base64_text(self.root)}\n"


class Head(NamedTuple):
    """A head, and the note that it was read from."""

    checkpoint: Checkpoint
    note: Note
    by: Key
    """The log's key that has signed it."""
    signed: list[Signed]
    """The signatures of the log, and of those of the witnesses asked for who have signed."""

    @property
    def size(self) -> int:
        """Leaves of the log."""
        return self.checkpoint.size

    @property
    def root(self) -> bytes:
        """The root over them, 32 bytes."""
        return self.checkpoint.root


def read_text(text: str) -> Checkpoint:
    """A head from the text of a note. Raises `NoteError`."""
    lines = lines_of(text, "the head")
    if len(lines) != _LINES:
        which = "fewer lines than" if len(lines) < _LINES else "more lines than"
        raise NoteError(f"the head has {which} the three of a head: origin, size, root")
    origin, size, root = lines
    found = Checkpoint(origin, number(size, "the size of the head"), hash_from(root, "the root of the head"))
    if found.size == 0 and found.root != EMPTY:
        raise NoteError("the head is of no leaf, and its root is not that of no leaf")
    return found


def read_head(data: bytes, logs: Sequence[Key], witnesses: Iterable[Key] = ()) -> Head:
    """A head that its log has signed, with one of the keys ``logs`` (more than one where the key was changed).

    Raises `NoteError` for any other, and where a signature of one of these keys does not hold; that a witness has not
    signed is no error.
    """
    found = note.read_note(data)
    checkpoint = read_text(found.text)
    ours = [key for key in logs if key.name == checkpoint.origin]
    if not ours:
        names = ", ".join(shown(key.name) for key in logs)
        raise NoteError(f"the head is of the log {shown(checkpoint.origin)}, not of {names}")
    signed = found.signed([*ours, *witnesses])
    by = next((one.key for one in signed if one.key in ours), None)
    if by is None:
        raise NoteError(f"the head is not signed by its log {shown(checkpoint.origin)}")
    return Head(checkpoint, found, by, signed)


def sign_head(checkpoint: Checkpoint, private: Ed25519PrivateKey) -> Note:
    """The head as a note that its log has signed. Raises `NoteError` for one that could not be read back."""
    text = checkpoint.text
    if read_text(text) != checkpoint:
        raise NoteError(f"{shown(checkpoint.origin)} cannot be the name of a log")
    return Note(text, (note.sign(text, checkpoint.origin, private),))
