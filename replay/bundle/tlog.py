"""What is said of a log beside its heads: that it has grown and has not been rewritten, and that a leaf is in it.

A request of c2sp.org/tlog-witness (``add-checkpoint``) holds a new head with the proof that it extends an old one;
a file of c2sp.org/tlog-proof holds a head with the proof that a leaf stands under it. Both are read in one spelling
alone. Whether the hashes prove anything, `replay.bundle.merkle` tells.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from replay.bundle import merkle, note
from replay.bundle.checkpoint import Checkpoint, Head
from replay.bundle.strict import NoteError, base64_bytes, base64_text, hash_from, lines_of, number, shown, utf8

MAX_HASHES: Final = 63
"""Of one proof."""
MAX_BYTES: Final = note.MAX_BYTES + 8 * 1024
PROOF: Final = "c2sp.org/tlog-proof@v1"


class AddCheckpoint(NamedTuple):
    """The body of the request that asks a witness to sign a head."""

    old: int
    """How many leaves the witness has seen."""
    proof: tuple[bytes, ...]
    """That the head extends the one of ``old`` leaves."""
    note: bytes
    """The head."""

    def __bytes__(self) -> bytes:
        lines = [f"old {self.old}", *map(base64_text, self.proof), ""]
        return "".join(line + "\n" for line in lines).encode() + self.note


def read_add_checkpoint(data: bytes) -> AddCheckpoint:
    """The body of such a request. Raises `NoteError`."""
    _bound(data, "the request")
    first, hashes, rest = _parts(data, "the request")
    return AddCheckpoint(number(_after("old ", first, "the request"), "the old size"), hashes, rest)


class TlogProof(msgspec.Struct, frozen=True):
    """A ``.tlog-proof``: where a leaf stands, and the way from it to the root of a head."""

    index: int
    """Of the leaf, from 0."""
    hashes: tuple[bytes, ...]
    note: bytes
    """The head."""
    extra: bytes = b""
    """What else was put there: nobody has signed it."""

    def __bytes__(self) -> bytes:
        lines = [PROOF, *(["extra " + base64_text(self.extra)] if self.extra else [])]
        lines += [f"index {self.index}", *map(base64_text, self.hashes), ""]
        return "".join(line + "\n" for line in lines).encode() + self.note

    def holds(self, head: Checkpoint | Head, leaf: bytes) -> bool:
        """Whether it proves that ``leaf`` is in the log with this head."""
        return merkle.included(head.root, head.size, self.index, leaf, self.hashes)


def read_proof(data: bytes) -> TlogProof:
    """A ``.tlog-proof``. Raises `NoteError`."""
    _bound(data, "the proof")
    begins = PROOF.encode() + b"\n"
    if not data.startswith(begins):
        raise NoteError(f"the proof does not begin with {PROOF}")
    rest, extra = data[len(begins) :], b""
    if rest.startswith(b"extra "):
        line, _, rest = rest.partition(b"\n")
        extra = base64_bytes(utf8(line, "the proof")[len("extra ") :], "what is extra in the proof")
    first, hashes, head = _parts(rest, "the proof")
    return TlogProof(number(_after("index ", first, "the proof"), "the index of the proof"), hashes, head, extra)


def _bound(data: bytes, what: str) -> None:
    if len(data) > MAX_BYTES:
        raise NoteError(f"{what} has {len(data):,} bytes; {MAX_BYTES:,} are the most")


def _parts(data: bytes, what: str) -> tuple[str, tuple[bytes, ...], bytes]:
    """The first line, the hashes after it, and what follows the empty line."""
    border = data.find(b"\n\n")
    if border < 0:
        raise NoteError(f"{what} has no empty line before its head")
    first, *lines = lines_of(utf8(data[: border + 1], what), what)
    if len(lines) > MAX_HASHES:
        raise NoteError(f"{what} has {len(lines):,} hashes; {MAX_HASHES} are the most")
    return first, tuple(hash_from(line, f"a hash of {what}") for line in lines), data[border + 2 :]


def _after(word: str, line: str, what: str) -> str:
    if not line.startswith(word):
        raise NoteError(f"{what} has the line {shown(line)}, and must have {word.strip()} and a number")
    return line[len(word) :]
