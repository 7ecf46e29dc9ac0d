"""Merkle trees as RFC 6962 defines them (section 2.1; the checks as RFC 9162, sections 2.1.3.2 and 2.1.4.2, writes
them out): SHA-256, a zero byte before a leaf and a one before a node, so that neither can pass for the other.

`Tree` grows: it needs the peaks of what it was and the leaves that were added since, and no leaf from before.
`included` and `extends` check a proof from the hashes alone; they share nothing with `Tree` but the two hash functions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

EMPTY = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf, 32 bytes."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of the node above two, 32 bytes."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def peaks_of(size: int) -> Iterator[tuple[int, int]]:
    """The perfect trees that a tree of ``size`` leaves consists of, from the left, as (first leaf, one past the last).

    >>> list(peaks_of(7))
    [(0, 4), (4, 6), (6, 7)]
    """
    start = 0
    for bit in reversed(range(size.bit_length())):
        if size >> bit & 1:
            yield start, start + (1 << bit)
            start += 1 << bit


class Tree:
    """A tree of which the leaves before ``size`` are known by their peaks alone."""

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        """Raises ValueError where a tree of ``size`` leaves has not so many peaks."""
        ranges = list(peaks_of(size))
        if len(ranges) != len(peaks):
            raise ValueError(f"a tree of {size} leaves has {len(ranges)} peaks, not {len(peaks)}")
        self.size = size
        self._known: dict[tuple[int, int], bytes] = dict(zip(ranges, peaks, strict=True))

    def append(self, data: bytes) -> int:
        """A leaf more; its index."""
        index = self.size
        self._known[index, index + 1] = leaf_hash(data)
        self.size += 1
        return index

    def root(self) -> bytes:
        """The tree's head, 32 bytes."""
        return self._subtree(0, self.size) if self.size else EMPTY

    def peaks(self) -> list[bytes]:
        """What has to be kept to let the tree grow on."""
        return [self._subtree(first, end) for first, end in peaks_of(self.size)]

    def inclusion(self, index: int) -> list[bytes]:
        """The proof that leaf ``index`` is in the tree: its siblings from the leaf up (PATH).

        Raises ValueError for a leaf that is not there, or is known by a peak alone.
        """
        if not 0 <= index < self.size:
            raise ValueError(f"the tree has no leaf {index}")
        path: list[bytes] = []
        first, end = 0, self.size
        while end - first > 1:
            middle = first + _split(end - first)
            if index < middle:
                path.append(self._subtree(middle, end))
                end = middle
            else:
                path.append(self._subtree(first, middle))
                first = middle
        return path[::-1]

    def consistency(self, size: int) -> list[bytes]:
        """The proof that the tree as it was at ``size`` leaves is the beginning of this one (PROOF). Empty for a tree
        of no leaves, which is the beginning of any, and for the tree itself."""
        if not 0 <= size <= self.size:
            raise ValueError(f"the tree never had {size} leaves")
        if size in (0, self.size):
            return []
        proof: list[bytes] = []
        first, end, whole = 0, self.size, True
        left = size
        while left != end - first:
            middle = _split(end - first)
            if left <= middle:
                proof.append(self._subtree(first + middle, end))
                end = first + middle
            else:
                proof.append(self._subtree(first, first + middle))
                first += middle
                left -= middle
                whole = False
        if not whole:
            proof.append(self._subtree(first, end))
        return proof[::-1]

    def _subtree(self, first: int, end: int) -> bytes:
        known = self._known.get((first, end))
        if known is None:
            if end - first == 1:
                raise ValueError(f"leaf {first} is known by its peak alone")
            middle = first + _split(end - first)
            known = self._known[first, end] = node_hash(self._subtree(first, middle), self._subtree(middle, end))
        return known


def _split(size: int) -> int:
    """The largest power of two smaller than ``size``."""
    return 1 << (size - 1).bit_length() - 1


def included(root: bytes, size: int, index: int, data: bytes, path: Sequence[bytes]) -> bool:
    """Whether ``path`` proves that ``data`` is leaf ``index`` of the tree with this root and size."""
    if not 0 <= index < size:
        return False
    node, last = index, size - 1
    digest = leaf_hash(data)
    for sibling in path:
        if last == 0:
            return False
        if node & 1 or node == last:
            digest = node_hash(sibling, digest)
            while not node & 1 and node:
                node >>= 1
                last >>= 1
        else:
            digest = node_hash(digest, sibling)
        node >>= 1
        last >>= 1
    return last == 0 and digest == root


def extends(old_root: bytes, old_size: int, root: bytes, size: int, proof: Sequence[bytes]) -> bool:
    """Whether ``proof`` proves that the tree of ``old_size`` leaves is the beginning of the one of ``size``."""
    if not 0 <= old_size <= size:
        return False
    if old_size == 0 and old_root != EMPTY:
        return False
    if old_size == size:
        return not proof and old_root == root
    if old_size == 0:
        return not proof
    hashes = list(proof)
    if old_size & (old_size - 1) == 0:
        hashes.insert(0, old_root)
    if not hashes:
        return False
    node, last = old_size - 1, size - 1
    while node & 1:
        node >>= 1
        last >>= 1
    old = new = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            old = node_hash(sibling, old)
            new = node_hash(sibling, new)
            while not node & 1 and node:
                node >>= 1
                last >>= 1
        else:
            new = node_hash(new, sibling)
        node >>= 1
        last >>= 1
    return last == 0 and old == old_root and new == root
