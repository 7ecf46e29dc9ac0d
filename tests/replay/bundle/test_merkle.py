"""Merkle trees: the reference data of Certificate Transparency (RFC 6962), and every proof of every small tree."""

from __future__ import annotations

import hashlib
from typing import Final

import pytest

from replay.bundle.merkle import EMPTY, Tree, extends, included, leaf_hash

LEAVES: Final = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
"""The leaves, roots and proofs of the certificate-transparency project's own tests of RFC 6962."""
ROOTS: Final = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
A: Final = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
B: Final = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
C: Final = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
D: Final = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
E: Final = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
F: Final = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"


def tree(size: int) -> Tree:
    grown = Tree()
    for data in LEAVES[:size]:
        grown.append(data)
    return grown


def large(size: int) -> Tree:
    grown = Tree()
    for number in range(size):
        grown.append(number.to_bytes(2, "big"))
    return grown


@pytest.mark.parametrize("size", range(9))
def test_the_roots_are_those_of_the_reference(size):
    assert tree(size).root().hex() == ROOTS[size]


@pytest.mark.parametrize(
    ("index", "size", "path"),
    [
        (0, 1, []),
        (0, 8, [A, B, C]),
        (5, 8, [D, E, ROOTS[4]]),
        (2, 3, [ROOTS[2]]),
        (1, 5, [ROOTS[1], B, D]),
    ],
)
def test_the_inclusion_proofs_are_those_of_the_reference(index, size, path):
    assert [digest.hex() for digest in tree(size).inclusion(index)] == path
    assert included(bytes.fromhex(ROOTS[size]), size, index, LEAVES[index], [bytes.fromhex(text) for text in path])


@pytest.mark.parametrize(
    ("old", "size", "proof"),
    [(1, 1, []), (1, 8, [A, B, C]), (2, 5, [B, D]), (6, 8, [F, E, ROOTS[4]])],
)
def test_the_consistency_proofs_are_those_of_the_reference(old, size, proof):
    assert [digest.hex() for digest in tree(size).consistency(old)] == proof
    roots = [bytes.fromhex(ROOTS[old]), bytes.fromhex(ROOTS[size])]
    assert extends(roots[0], old, roots[1], size, [bytes.fromhex(text) for text in proof])


def test_every_leaf_of_every_small_tree_is_proven_and_no_other_place_or_leaf():
    for size in range(1, 18):
        grown = large(size)
        root = grown.root()
        for index in range(size):
            path, data = grown.inclusion(index), index.to_bytes(2, "big")
            for place in range(-1, size + 1):
                assert included(root, size, place, data, path) == (place == index)
            assert not included(root, size, index, b"another", path)
            assert not included(root, size, index, data, [*path, root])
            for level in range(len(path)):
                assert not included(root, size, index, data, path[:level] + path[level + 1 :])
                assert not included(root, size, index, data, [*path[:level], EMPTY, *path[level + 1 :]])


def test_every_small_tree_extends_every_smaller_one_and_no_other():
    for size in range(1, 18):
        grown = large(size)
        for old in range(size + 1):
            proof, before = grown.consistency(old), large(old).root()
            assert extends(before, old, grown.root(), size, proof)
            assert not extends(leaf_hash(b"another"), old, grown.root(), size, proof)
            assert old == 0 or not extends(before, old, leaf_hash(b"another"), size, proof)
            for level in range(len(proof)):
                assert not extends(before, old, grown.root(), size, proof[:level] + proof[level + 1 :])
                wrong = [*proof[:level], EMPTY, *proof[level + 1 :]]
                assert not extends(before, old, grown.root(), size, wrong)


def test_a_tree_grows_on_from_its_peaks_alone():
    for old in range(14):
        for size in range(old, 18):
            grown = Tree(old, large(old).peaks())
            for number in range(old, size):
                grown.append(number.to_bytes(2, "big"))
            whole = large(size)

            assert grown.root() == whole.root()
            assert grown.peaks() == whole.peaks()
            assert grown.consistency(old) == whole.consistency(old)
            assert [grown.inclusion(index) for index in range(old, size)] == [
                whole.inclusion(index) for index in range(old, size)
            ]


def test_a_leaf_cannot_pass_for_a_node():
    """RFC 6962, section 2.1: the prefixes keep the two apart."""
    left, right = leaf_hash(LEAVES[0]), leaf_hash(LEAVES[1])

    assert tree(2).root() == hashlib.sha256(b"\x01" + left + right).digest() != leaf_hash(left + right)


def test_peaks_that_do_not_fit_the_size_are_refused():
    with pytest.raises(ValueError, match="7 leaves has 3 peaks, not 1"):
        Tree(7, [EMPTY])
