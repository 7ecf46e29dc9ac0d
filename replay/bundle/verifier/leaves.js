// The leaves of a floor's log: text of one spelling, `retally-leaf/2 KIND`, then `name value` lines in order.
"use strict";

const LEAF_HEAD = "retally-leaf/2 ";
const MOST_LEAF_BYTES = 4096;
const MOST_LEAVES = 10_000;
const ABSENT = "-";

const isName = (text) => NAME.test(text);
const isDigest = (text) => DIGEST.test(text);
const isNumber = (text) => /^(?:0|[1-9][0-9]{0,15})$/.test(text);
const isReason = (text) => text !== "" && [...text].length <= 300 && text.trim() === text && !text.match(UNPRINTABLE);
const isTerms = (text) => /^[!-~](?:[ -~]{0,1998}[!-~])?$/.test(text);
const isRules = (text) => {
  const names = text.split(" ");
  return names.length <= 100 && names.every((name, place) => /^[A-Z0-9-]{1,32}$/.test(name) && !(place && name <= names[place - 1]));
};
const orAbsent = (form) => (text) => text === ABSENT || form(text);
const isOneOf = (...words) => (text) => words.includes(text);

const SESSION_FIELDS = {
  date: isDay,
  table: isName,
  session: isName,
  ordinal: isNumber,
  events: isNumber,
  last: isNumber,
  content: isDigest,
  chain: orAbsent(isDigest),
  key: isName,
  state: isOneOf("whole", "open", "broken", "unsealed"),
  law: orAbsent(isDigest),
  previous: orAbsent(isDigest),
};

const LEAF_FIELDS = {
  import: {
    date: isDay,
    format: isOneOf("retally-seal/1"),
    size: isNumber,
    root: isDigest,
    standing: isOneOf("unwitnessed"),
  },
  key: {
    date: isDay,
    of: isOneOf("gateway", "log"),
    change: isOneOf("added", "changed", "revoked"),
    public: isDigest,
    day: isDay,
    terms: isTerms,
    signer: isDigest,
    signature: (text) => SIGNATURE.test(text),
  },
  closed: { date: isDay, of: isOneOf("table", "floor", "log"), table: isName, reason: isReason },
  absent: { date: isDay, table: isName, reason: isReason },
  session: SESSION_FIELDS,
  late: {
    ...SESSION_FIELDS,
    instead_of: orAbsent((text) => isNumber(text) && text !== "0"),
    how: isOneOf("new", "longer", "other"),
  },
  case: { date: isDay, case: isName, records: isNumber, last: isDigest },
  night: {
    date: isDay,
    first: isNumber,
    count: isNumber,
    tables: isNumber,
    roster: isDigest,
    previous_date: orAbsent(isDay),
    previous_size: isNumber,
    previous_root: isDigest,
    rules: orAbsent(isRules),
    report: orAbsent(isDigest),
  },
};

/** A leaf: its kind, and its fields as they are written. */
function leafFrom(bytes) {
  if (bytes.length > MOST_LEAF_BYTES) refuse(`a leaf has ${bytes.length} bytes; ${MOST_LEAF_BYTES} are the most`);
  const [first, ...lines] = linesOf(plainText(bytes, "a leaf"), "a leaf");
  const kind = first.slice(LEAF_HEAD.length);
  if (!first.startsWith(LEAF_HEAD) || !Object.hasOwn(LEAF_FIELDS, kind)) refuse(`a leaf begins with ${shown(first)}`);
  const fields = Object.entries(LEAF_FIELDS[kind]);
  if (lines.length !== fields.length) refuse(`the leaf (${kind}) has ${lines.length} lines after its first`);
  const leaf = { kind };
  for (const [index, [name, form]] of fields.entries()) {
    const value = lines[index].slice(name.length + 1);
    if (!lines[index].startsWith(`${name} `)) refuse(`the leaf (${kind}) has ${shown(lines[index])} where ${name} must be`);
    if (!form(value)) refuse(`${name} of the leaf (${kind}) is ${shown(value)}, which it cannot be`);
    leaf[name] = value;
  }
  checkLeaf(leaf);
  return leaf;
}

/** What the fields of a leaf must come to together. */
function checkLeaf(leaf) {
  const wrong = () => refuse(`the fields of the leaf (${leaf.kind}) do not go together`);
  if (leaf.kind === "closed" && (leaf.of === "table") === (leaf.table === ABSENT)) wrong();
  if (leaf.kind !== "session" && leaf.kind !== "late") return;
  if (leaf.ordinal === "0" || (leaf.ordinal === "1") !== (leaf.previous === ABSENT)) wrong();
  if (leaf.events === "0" || BigInt(leaf.events) > BigInt(leaf.last)) wrong();
  const unsealed = leaf.chain === ABSENT;
  if ((leaf.state === "unsealed") !== unsealed || (unsealed && leaf.key !== ABSENT)) wrong();
  if (leaf.kind === "late" && (leaf.how === "new") !== (leaf.instead_of === ABSENT)) wrong();
}

/** The leaves of a file `entries`: each after a line with its length in bytes. */
function splitLeaves(bytes) {
  const found = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    if (end < 0 || end - start > 20) refuse(`entries: no length stands before entry ${found.length + 1}`);
    const text = String.fromCharCode(...bytes.subarray(start, end));
    const length = Number(numberFrom(text, `the length of entry ${found.length + 1}`));
    start = end + 1 + length;
    if (length === 0 || length > MOST_LEAF_BYTES || start > bytes.length) refuse(`there is no such entry ${found.length + 1}`);
    found.push(bytes.subarray(end + 1, start));
    if (found.length > MOST_LEAVES) refuse(`entries: more than ${MOST_LEAVES}`);
  }
  return found;
}
