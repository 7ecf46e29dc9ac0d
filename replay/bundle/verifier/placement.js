// Where sessions stand in the floor's log: what the members under log/ prove, and the seal of the old form.
"use strict";

const LOG_OF_A_SESSION = ["log/entry", "log/entry.tlog-proof", "log/night", "log/night.tlog-proof"];
const LOG_OF_A_NIGHT = ["log/entries", "log/head", "log/peaks"];

/** One session and the night that it was sealed with, both under one head. */
async function placedSession(read) {
  const [entryBytes, proofBytes, nightBytes, nightProofBytes] = LOG_OF_A_SESSION.map(read);
  const [proof, nightProof] = [proofFrom(proofBytes), proofFrom(nightProofBytes)];
  if (proof.hasExtra || nightProof.hasExtra) refuse("a proof holds what nobody has signed; a bundle's have nothing of the kind");
  if (!same(proof.head, nightProof.head)) refuse("the session and its night are proven under two heads");
  const head = await headFrom(proof.head);
  const [entry, night] = [leafFrom(entryBytes), leafFrom(nightBytes)];
  if (entry.kind !== "session" && entry.kind !== "late") refuse("the leaf with the session is none of a session");
  if (night.kind !== "night") refuse("the leaf of the night is none of a night");
  for (const [one, bytes, what] of [[proof, entryBytes, `session ${entry.session}`], [nightProof, nightBytes, "the night"]]) {
    if (!(await isIncluded(head.root, head.size, one.index, await leafHash(bytes), one.hashes))) {
      refuse(`${what} is not proven to stand under the head`);
    }
  }
  const [first, end] = [BigInt(night.first), BigInt(night.first) + BigInt(night.count)];
  if (night.first !== night.previous_size) refuse(`the night of ${night.date} does not begin where the one before it ended`);
  if (nightProof.index !== end) refuse(`the night of ${night.date} is not the last of its leaves`);
  if (proof.index < first || proof.index >= end) refuse(`session ${entry.session} is not of the night of ${night.date}`);
  if (entry.kind === "session" && entry.date !== night.date) {
    refuse(`session ${entry.session} is of ${entry.date}, and stands in the night of ${night.date}`);
  }
  const told = `leaf ${proof.index} of ${head.size}, number ${entry.ordinal} of table ${entry.table}`;
  const late = entry.kind === "late" ? ", late" : "";
  return { head, night, leaves: new Map([[entry.session, entry]]), told: `${told}, sealed with the night of ${night.date}${late}` };
}

/** All leaves of a night, none left out and none put in, from the tree before it to the head after it. */
async function placedNight(read) {
  const [entriesBytes, headBytes, peaksBytes] = LOG_OF_A_NIGHT.map(read);
  const head = await headFrom(headBytes);
  const data = splitLeaves(entriesBytes);
  const entries = data.map(leafFrom);
  const night = entries.at(-1);
  if (night?.kind !== "night" || entries.slice(0, -1).some((entry) => entry.kind === "night")) {
    refuse("the last leaf of a night, and no other, is the night's own");
  }
  if (night.first !== night.previous_size || BigInt(night.count) !== BigInt(entries.length - 1)) {
    refuse(`the night of ${night.date} counts ${night.count} leaves, and ${entries.length - 1} are here`);
  }
  const lines = peaksBytes.length ? linesOf(plainText(peaksBytes, "the peaks"), "the peaks") : [];
  if (!lines.every(isDigest)) refuse("the peaks are no lines of 64 hexadecimal digits");
  const tree = new Tree(BigInt(night.previous_size), lines.map(unhex));
  if (hex(await tree.root()) !== night.previous_root) refuse(`the night of ${night.date} does not follow from the tree before`);
  for (const leaf of data) await tree.append(leaf);
  if (tree.size !== head.size || !same(await tree.root(), head.root)) {
    refuse(`these are not the leaves of the night of ${night.date} under this head, or not all of them`);
  }
  const sessions = entries.filter((entry) => entry.kind === "session");
  const leaves = new Map(sessions.map((entry) => [entry.session, entry]));
  if (leaves.size !== sessions.length) refuse(`the night of ${night.date} has a session twice`);
  return { head, night, leaves, told: `the ${entries.length} leaves of the night of ${night.date}, the last of ${head.size}` };
}

/** In what a session is another than the one that was sealed. `found`: the same fields, from its events. */
function differencesFrom(entry, found) {
  return ["session", "date", "table", "events", "last", "content", "chain", "key"]
    .filter((name) => String(found[name]) !== entry[name])
    .map((name) => `its ${name} is ${shown(found[name])}, and was sealed as ${shown(entry[name])}`);
}

// The seal of the old form (retally-seal-proof/1): nobody has signed it.

const DIGESTS = (value) => Array.isArray(value) && value.length <= 64 && value.every((one) => matching(DIGEST)(one));
const TREE_SIZE = between(0, 2 ** 53 - 1);

function oldHeadFrom(value, what) {
  const found = fieldsOf(value, ["date", "size", "root"], what);
  if (!matching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)(found.date)) refuse(`${what} has no date`);
  if (!TREE_SIZE(found.size) || !matching(DIGEST)(found.root)) refuse(`${what} has no size or root`);
  return { date: found.date, size: found.size, root: found.root };
}

function oldSealFrom(bytes) {
  const names = ["format", "head", "previous", "consistency", "sessions"];
  const found = fieldsOf(jsonFrom(bytes), names, "the seal");
  if (found.format !== "retally-seal-proof/1") refuse("its format is not retally-seal-proof/1");
  const head = oldHeadFrom(found.head, "the head");
  const previous = found.previous === null ? null : oldHeadFrom(found.previous, "the head before");
  if (!DIGESTS(found.consistency) || !Array.isArray(found.sessions)) refuse("its proofs are none");
  const sessions = found.sessions.map((value) => {
    const { session, index, path } = fieldsOf(value, ["session", "index", "path"], "a session's proof");
    if (!identifier(session) || !TREE_SIZE(index) || !DIGESTS(path)) refuse("a session's proof is none");
    return { session, index, path };
  });
  const seal = { format: found.format, head, previous, consistency: found.consistency, sessions };
  if (!isAsWritten(bytes, seal)) refuse("it is not written as it must be");
  return seal;
}

/** Whether the head is proven to extend the one before. */
async function oldHeadExtends({ head, previous, consistency }) {
  if (previous === null) return consistency.length === 0;
  const [oldSize, size] = [BigInt(previous.size), BigInt(head.size)];
  return isExtended(unhex(previous.root), oldSize, unhex(head.root), size, consistency.map(unhex));
}

async function isInOldSeal({ head, previous }, one, chain) {
  if (one.index < (previous?.size ?? 0) || !chain) return false;
  const [size, index] = [BigInt(head.size), BigInt(one.index)];
  return isIncluded(unhex(head.root), size, index, await leafHash(unhex(chain)), one.path.map(unhex));
}
