// Signed notes (c2sp.org/signed-note), heads (tlog-checkpoint), cosignatures (tlog-cosignature), proofs (tlog-proof), and
// the reader's policy (tlog-policy).
"use strict";

const LOG_KEY = 1;
const WITNESS_KEY = 4;
const MOST_NOTE_BYTES = 64 * 1024;
const MOST_SIGNATURES = 100;
const MOST_HASHES = 63;
const MOST_GROUP = 1000;
const EM_DASH = "— ";
const KEY_NAME = /^[^\p{C}\p{Z}+]+$/u;
const PROOF_HEAD = "c2sp.org/tlog-proof@v1";
const NOBODY = "none";

function checkName(name) {
  if (!KEY_NAME.test(name) || utf8(name).length > 255) refuse(`${shown(name)} is no name of a key`);
}

/** A key `name+id+base64`, of this kind. */
async function noteKeyFrom(text, kind) {
  const found = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/s.exec(text);
  if (!found) refuse(`${shown(text)} is no verifier key: a name, 8 hexadecimal digits and a key, with + between`);
  const [, name, id, encoded] = found;
  checkName(name);
  const material = base64From(encoded, `the key of ${shown(name)}`);
  if (material[0] !== kind) refuse(`the key of ${shown(name)} is of type ${material[0]}, and must be of type ${kind}`);
  const publicKey = material.slice(1);
  if (publicKey.length !== 32 || !isOfPrimeOrder(publicKey)) refuse(`the key of ${shown(name)} is no Ed25519 public key`);
  const own = hex((await sha256(utf8(`${name}\n`), material)).subarray(0, 4));
  if (own !== id) refuse(`the key of ${shown(name)} is not what it is called: its ID is ${own}`);
  return { name, kind, id, publicKey };
}

/** A note: its text, and the signatures that it bears. */
function noteFrom(bytes) {
  if (bytes.length > MOST_NOTE_BYTES) refuse(`the note has ${bytes.length} bytes; ${MOST_NOTE_BYTES} are the most`);
  const text = plainText(bytes, "the note");
  const border = text.lastIndexOf("\n\n");
  if (border < 0) refuse("the note has no empty line between its text and its signatures");
  const body = text.slice(0, border + 1);
  if (body === "\n") refuse("the note has no text");
  const lines = linesOf(text.slice(border + 2), "the note's signatures");
  if (lines.length > MOST_SIGNATURES) refuse(`the note bears more than ${MOST_SIGNATURES} signatures`);
  return { text: body, signatures: lines.map(signatureFrom) };
}

function signatureFrom(line) {
  const found = /^— ([^ ]*) (.*)$/su.exec(line);
  if (!found || !line.startsWith(EM_DASH)) refuse(`${shown(line)} is no signature line: an em dash, a name, a signature`);
  checkName(found[1]);
  const bytes = base64From(found[2], "a signature");
  if (bytes.length <= 4) refuse(`the signature of ${shown(found[1])} is none`);
  return { name: found[1], id: hex(bytes.subarray(0, 4)), value: bytes.subarray(4) };
}

/** The signatures of these keys on a note, each of which holds: `{ key, time }`. One that does not hold, or that is there
 * twice, refuses the note. */
async function signedBy(note, keys) {
  const found = [];
  for (const { name, id, value } of note.signatures) {
    const key = keys.filter((one) => one.name === name && one.id === id).at(-1);
    if (key === undefined) continue;
    if (found.some((one) => one.key === key)) refuse(`the note is signed twice by ${shown(name)}`);
    found.push({ key, time: await checkNoteSignature(key, value, note.text) });
  }
  return found;
}

async function checkNoteSignature(key, value, text) {
  let [time, signature, message] = [null, value, text];
  if (key.kind === WITNESS_KEY) {
    const view = new DataView(value.slice(0, 8).buffer);
    time = value.length > 8 ? view.getBigUint64(0) : 0n;
    signature = value.subarray(8);
    message = `cosignature/v1\ntime ${time}\n${text}`;
  }
  const inTime = time === null || (time > 0n && time < 2n ** 63n);
  if (!inTime || !(await signatureHolds(key.publicKey, utf8(message), signature))) {
    refuse(`the signature of ${shown(key.name)} does not hold`);
  }
  return time;
}

/** What a head says: the log's name, the number of its leaves, and the root over them. */
async function headFrom(bytes) {
  const note = noteFrom(bytes);
  const lines = linesOf(note.text, "the head");
  if (lines.length !== 3) refuse("the head has not the three lines of a head: origin, size, root");
  const size = numberFrom(lines[1], "the size of the head");
  const root = hashFrom(lines[2], "the root of the head");
  if (size === 0n && !same(root, await sha256(new Uint8Array(0)))) refuse("the head is of no leaf, and has another root");
  return { origin: lines[0], size, root, note };
}

/** A `.tlog-proof`. */
function proofFrom(bytes) {
  if (bytes.length > MOST_NOTE_BYTES + 8 * 1024) refuse("the proof is too large");
  const beginning = utf8(`${PROOF_HEAD}\n`);
  if (!startsWith(bytes, beginning)) refuse(`the proof does not begin with ${PROOF_HEAD}`);
  let rest = bytes.subarray(beginning.length);
  const hasExtra = startsWith(rest, utf8("extra "));
  if (hasExtra) {
    const end = rest.indexOf(10);
    base64From(plainText(rest.subarray(0, Math.max(end, 0)), "the proof").slice(6), "what is extra in the proof");
    rest = rest.subarray(end + 1);
  }
  let border = rest.indexOf(10);
  while (border >= 0 && rest[border + 1] !== 10) border = rest.indexOf(10, border + 1);
  if (border < 0) refuse("the proof has no empty line before its head");
  const [first, ...hashes] = linesOf(plainText(rest.subarray(0, border + 1), "the proof"), "the proof");
  if (!first.startsWith("index ")) refuse(`the proof has the line ${shown(first)}, and must have index and a number`);
  if (hashes.length > MOST_HASHES) refuse(`the proof has more than ${MOST_HASHES} hashes`);
  return {
    hasExtra,
    index: numberFrom(first.slice(6), "the index of the proof"),
    hashes: hashes.map((line) => hashFrom(line, "a hash of the proof")),
    head: rest.subarray(border + 2),
  };
}

/** Whose word about a head is enough: the logs, the witnesses by the policy's names, the groups, the quorum. */
async function policyFrom(bytes) {
  if (bytes.length > MOST_NOTE_BYTES) refuse("the policy is too large");
  const text = decoded(bytes);
  if (text === null) refuse("the policy is no UTF-8 text");
  const policy = { logs: [], witnesses: new Map(), groups: new Map(), quorum: null, taken: new Set() };
  for (const [index, line] of linesOf(text, "the policy").entries()) {
    try {
      await policyLine(policy, line);
    } catch (error) {
      throw error instanceof Refusal ? new Refusal(`the policy, line ${index + 1}: ${error.message}`) : error;
    }
  }
  if (policy.quorum === null) refuse("the policy has no quorum line; one that asks for no witness has: quorum none");
  return policy;
}

async function policyLine(policy, line) {
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) refuse("holds a control character");
  const words = line.replace(/^[ \t]+|[ \t]+$/g, "").split(/[ \t]+/);
  if (words[0] === "" || words[0].startsWith("#")) return;
  const [kind, ...rest] = words;
  if (kind === "log" && (rest.length === 1 || rest.length === 2)) {
    const key = await noteKeyFrom(rest[0], LOG_KEY);
    if (policy.logs.some((one) => same(one.publicKey, key.publicKey))) refuse("the key of the log is there twice");
    policy.logs.push(key);
  } else if (kind === "witness" && (rest.length === 2 || rest.length === 3)) {
    checkNew(policy, rest[0]);
    const key = await noteKeyFrom(rest[1], WITNESS_KEY);
    if ([...policy.witnesses.values()].some((one) => same(one.publicKey, key.publicKey))) {
      refuse(`the key of ${shown(rest[0])} is another witness's too`);
    }
    policy.witnesses.set(rest[0], key);
  } else if (kind === "group" && rest.length >= 3) policyGroup(policy, rest);
  else if (kind === "quorum" && rest.length === 1) {
    if (policy.quorum !== null) refuse("there is a second quorum line");
    if (rest[0] !== NOBODY) checkKnown(policy, rest[0]);
    policy.quorum = rest[0];
  } else refuse(`${shown(line.trim())} is no line of a policy: log, witness, group or quorum`);
}

function policyGroup(policy, [name, needed, ...members]) {
  checkNew(policy, name);
  if (members.length > MOST_GROUP) refuse(`group ${shown(name)} has more than ${MOST_GROUP} members`);
  for (const member of members) {
    checkKnown(policy, member);
    if (policy.taken.has(member)) refuse(`${shown(member)} is a member of a group already`);
    policy.taken.add(member);
  }
  const counts = { any: 1, all: members.length };
  if (!Object.hasOwn(counts, needed) && !/^[1-9][0-9]{0,3}$/.test(needed)) refuse(`group ${shown(name)} needs no number`);
  const count = counts[needed] ?? Number(needed);
  if (count < 1 || count > members.length) refuse(`group ${shown(name)} needs ${count} of its ${members.length} members`);
  policy.groups.set(name, { count, members });
}

function checkNew(policy, name) {
  if (name === NOBODY || policy.witnesses.has(name) || policy.groups.has(name)) refuse(`${shown(name)} is taken as a name`);
}

function checkKnown(policy, name) {
  if (!policy.witnesses.has(name) && !policy.groups.has(name)) refuse(`${shown(name)} is no witness or group before`);
}

/** Who vouches for a head under a policy, in words; and whether that is enough. */
async function standingOf(head, policy) {
  const logs = policy.logs.filter((key) => key.name === head.origin);
  if (logs.length === 0) refuse(`the log ${shown(head.origin)} is none of those that the policy names`);
  const signed = await signedBy(head.note, [...logs, ...policy.witnesses.values()]);
  if (!signed.some((one) => logs.includes(one.key))) refuse(`the head is not signed by its log ${shown(head.origin)}`);
  const names = new Map([...policy.witnesses].map(([name, key]) => [key, name]));
  const witnessed = signed.filter((one) => one.time !== null);
  const have = new Set([NOBODY, ...witnessed.map((one) => names.get(one.key))]);
  for (const [name, { count, members }] of policy.groups) {
    if (members.filter((member) => have.has(member)).length >= count) have.add(name);
  }
  const told = witnessed.map(({ key, time }) => `witnessed by ${names.get(key)} at ${secondText(time)}`).join("; ");
  return { told: told || "house only", enough: have.has(policy.quorum) };
}

function secondText(time) {
  return time <= 253402300799n ? clock(Number(time) * 1e6) : `second ${time}`;
}
