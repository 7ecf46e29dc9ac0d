// Merkle trees as RFC 6962 has them, and the checks of their proofs (RFC 9162, sections 2.1.3.2 and 2.1.4.2).
"use strict";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

function leafHash(data) {
  return sha256(LEAF, data);
}

function nodeHash(left, right) {
  return sha256(NODE, left, right);
}

/** Whether `path` proves that the leaf with this hash is number `index` of the tree of `size` leaves. Numbers are BigInts. */
async function isIncluded(root, size, index, hash, path) {
  if (index < 0n || index >= size) return false;
  let node = index;
  let last = size - 1n;
  let digest = hash;
  for (const sibling of path) {
    if (last === 0n) return false;
    if (node & 1n || node === last) {
      digest = await nodeHash(sibling, digest);
      while (!(node & 1n) && node > 0n) {
        node >>= 1n;
        last >>= 1n;
      }
    } else digest = await nodeHash(digest, sibling);
    node >>= 1n;
    last >>= 1n;
  }
  return last === 0n && same(digest, root);
}

/** Whether `proof` proves that the tree of `oldSize` leaves is the beginning of the one of `size`. */
async function isExtended(oldRoot, oldSize, root, size, proof) {
  if (oldSize > size) return false;
  if (oldSize === 0n) return proof.length === 0 && same(oldRoot, await sha256(new Uint8Array(0)));
  if (oldSize === size) return proof.length === 0 && same(oldRoot, root);
  const hashes = (oldSize & (oldSize - 1n)) === 0n ? [oldRoot, ...proof] : [...proof];
  if (hashes.length === 0) return false;
  let node = oldSize - 1n;
  let last = size - 1n;
  while (node & 1n) {
    node >>= 1n;
    last >>= 1n;
  }
  let [before, after] = [hashes[0], hashes[0]];
  for (const sibling of hashes.slice(1)) {
    if (last === 0n) return false;
    if (node & 1n || node === last) {
      before = await nodeHash(sibling, before);
      after = await nodeHash(sibling, after);
      while (!(node & 1n) && node > 0n) {
        node >>= 1n;
        last >>= 1n;
      }
    } else after = await nodeHash(after, sibling);
    node >>= 1n;
    last >>= 1n;
  }
  return last === 0n && same(before, oldRoot) && same(after, root);
}

/** A tree that grows: of the leaves before it only the peaks are known, the roots of the full trees that it consists of. */
class Tree {
  constructor(size, peaks) {
    const heights = [];
    for (let height = 0, rest = size; rest > 0n; height++, rest >>= 1n) if (rest & 1n) heights.unshift(height);
    if (heights.length !== peaks.length) refuse(`a tree of ${size} leaves has ${heights.length} peaks, not ${peaks.length}`);
    this.size = size;
    this.peaks = peaks.map((hash, place) => ({ hash, height: heights[place] }));
  }

  async append(data) {
    let peak = { hash: await leafHash(data), height: 0 };
    while (this.peaks.length && this.peaks.at(-1).height === peak.height) {
      const left = this.peaks.pop();
      peak = { hash: await nodeHash(left.hash, peak.hash), height: peak.height + 1 };
    }
    this.peaks.push(peak);
    this.size++;
  }

  async root() {
    if (this.peaks.length === 0) return sha256(new Uint8Array(0));
    const hashes = this.peaks.map((peak) => peak.hash);
    let root = hashes.pop();
    while (hashes.length) root = await nodeHash(hashes.pop(), root);
    return root;
  }
}
