"""Seals of the old form (``retally-seal/1``): as nights were sealed before there was the floor's log. They are read and
proven from, and no more are made.

They make one Merkle tree (RFC 6962) over the final chains of all sessions, night after night. A session's leaf is the
32 bytes of its last checkpoint's chain; a night adds its sessions in order of their names. A `Head` is not signed,
where a night begins is its maker's word, and nobody else has seen it: it is unwitnessed, and the floor's log takes the
last of them over as such (`replay.bundle.leaves.Import`).

`Seal` is the house's own file of a night, with every leaf of the night, and the peaks from which the next night grows.
`SealProof` is what goes into a bundle: the heads, and the proofs of the sessions that are in it, no others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final, Literal

import msgspec

from replay.bundle.merkle import Tree, extends, included
from replay.errors import RetallyError

Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Digests = Annotated[list[Digest], msgspec.Meta(max_length=64)]
"""A proof, or peaks: no tree is 64 levels high."""
Size = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
MAX_SESSIONS: Final = 10_000
"""In one night."""


class SealError(RetallyError):
    """A seal that is none, or does not follow from the one before: one clear line."""


class Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tree after a night."""

    date: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}\Z")]
    size: Size
    """Leaves, those of all nights so far."""
    root: Digest


class Leaf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A session of the night."""

    session: str
    chain: Digest


class Seal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A night's seal, with all that the house needs to prove from it and to seal the next night."""

    format: Literal["retally-seal/1"] = "retally-seal/1"
    head: Head
    previous: Head | None
    """The night before; None for the first."""
    previous_peaks: Digests
    leaves: Annotated[list[Leaf], msgspec.Meta(max_length=MAX_SESSIONS)]
    """This night's sessions, in order of their names."""


class Inclusion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The proof of one session."""

    session: str
    index: Size
    path: Digests


class SealProof(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a bundle holds of a seal."""

    format: Literal["retally-seal-proof/1"] = "retally-seal-proof/1"
    head: Head
    previous: Head | None
    consistency: Digests
    """That ``head`` extends ``previous``; empty for the first night."""
    sessions: Annotated[list[Inclusion], msgspec.Meta(max_length=MAX_SESSIONS)]


def read_seal(data: bytes) -> Seal:
    """A seal from its file; raises `SealError` for one that does not hold together."""
    try:
        found = msgspec.json.decode(data, type=Seal)
        tree = _tree(found)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise SealError(f"no seal of a night ({error})") from None
    if (tree.size, tree.root().hex()) != (found.head.size, found.head.root):
        raise SealError("no seal of a night (its root is not that of its sessions)")
    if found.previous is not None:
        before = Tree(found.previous.size, [bytes.fromhex(peak) for peak in found.previous_peaks])
        if before.root().hex() != found.previous.root:
            raise SealError("no seal of a night (its peaks are not those of the night before)")
    return found


def prove(sealed: Seal, sessions: Iterable[str]) -> SealProof:
    """The proofs of these sessions; those that the seal does not hold are left out."""
    tree = _tree(sealed)
    first = sealed.previous.size if sealed.previous is not None else 0
    places = {leaf.session: first + place for place, leaf in enumerate(sealed.leaves)}
    return SealProof(
        head=sealed.head,
        previous=sealed.previous,
        consistency=[digest.hex() for digest in tree.consistency(first)],
        sessions=[
            Inclusion(session=name, index=places[name], path=[digest.hex() for digest in tree.inclusion(places[name])])
            for name in sorted(sessions)
            if name in places
        ],
    )


def head_extends(proof: SealProof) -> bool:
    """Whether the night's head is proven to extend that of the night before; True for a first night."""
    if proof.previous is None:
        return not proof.consistency
    old, new = proof.previous, proof.head
    hashes = [bytes.fromhex(digest) for digest in proof.consistency]
    return extends(bytes.fromhex(old.root), old.size, bytes.fromhex(new.root), new.size, hashes)


def is_included(proof: SealProof, one: Inclusion, chain: str) -> bool:
    """Whether the session with this final chain is proven to be part of this very night."""
    first = proof.previous.size if proof.previous is not None else 0
    path = [bytes.fromhex(digest) for digest in one.path]
    root = bytes.fromhex(proof.head.root)
    return one.index >= first and included(root, proof.head.size, one.index, bytes.fromhex(chain), path)


def _tree(sealed: Seal) -> Tree:
    """The tree of a seal, from the peaks of the night before and this night's leaves."""
    size = sealed.previous.size if sealed.previous is not None else 0
    tree = Tree(size, [bytes.fromhex(peak) for peak in sealed.previous_peaks])
    for leaf in sealed.leaves:
        tree.append(bytes.fromhex(leaf.chain))
    return tree
