// A session of a bundle: whether all of its events are there, in order, and what its seals say.
"use strict";

const MOST_SESSION_BYTES = 128 * 1024 * 1024;
const MOST_SESSION_EVENTS = 250_000;
const NO_SIGNATURE = "0".repeat(128);
const LINE_FEED = 10;
const LINE_END = Uint8Array.of(LINE_FEED);

/** The lines of a file of events, each without the line feed that ends it, and whether the last one has one. */
function splitLines(bytes) {
  const lines = [];
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return { lines, ended: start === bytes.length };
}

/** Every event of the session is there once, from the first to the closing of the table. */
function checkOrder(place, session, heads, fail) {
  const wrong = (where, text) => fail("order", `${place}, ${where}`, text);
  let expected = 1;
  heads.forEach((head, index) => {
    const line = `line ${index + 1}`;
    if (!head.seq) {
      wrong(line, `cannot be read: ${head.reason}`);
      expected++;
      return;
    }
    if (head.session !== session) wrong(`event ${head.seq} (${line})`, `is of session ${head.session}`);
    if (head.seq > expected) wrong(`${eventsText(expected, head.seq - 1)} (before ${line})`, "missing");
    else if (head.seq === expected - 1) wrong(`event ${head.seq} (${line})`, "stands there twice");
    else if (head.seq < expected) wrong(`event ${head.seq} (${line})`, "stands out of order");
    expected = Math.max(expected, head.seq + 1);
  });
  const { table } = openingOf(heads);
  if (!heads.some((head) => head.event?.type === "table_closed" && head.event.table === table)) {
    fail("order", place, "ends before the table was closed: what followed, if anything, is not here");
  }
}

function eventsText(first, last) {
  return first === last ? `event ${first}` : `events ${first} to ${last}`;
}

/** Events in words. */
function spanText(heads) {
  const known = heads.filter((head) => head.seq);
  if (known.length === 0) return heads.length ? "events that cannot be read" : "no event";
  return eventsText(known[0].seq, known.at(-1).seq);
}

/** The gaming day of a session that begins with this event. */
function gamingDayOf(event) {
  return (event.type === "table_opened" && event.gaming_day) || dayAt(event.micros);
}

/** Table and gaming day of a session, by its first line; empty where that is not the opening of a table. */
function openingOf(heads) {
  const event = heads[0]?.event;
  return event?.type === "table_opened" ? { table: event.table, day: gamingDayOf(event) } : { table: "", day: "" };
}

/** The chain of every checkpoint of a session, the signature on it, and whether its key is for this session. Tells by
 * `fail(claim, place, text)`, counts in `seals`; gives the names of the keys that the checkpoints bear. */
async function checkSeals(place, heads, keys, seals, fail) {
  const session = openingOf(heads);
  const named = new Set();
  let parts = [];
  let first = 0;
  for (const [index, { line, event, seq }] of heads.entries()) {
    if (event?.type === "checkpoint") {
      const fits = hex(await sha256(...parts, new Uint8Array(0))) === event.chain;
      const where = `${place}, ${spanText(heads.slice(first, index + 1))}`;
      if (!fits) fail("seals", where, "not the events that the table sealed");
      await checkSignature(`${place}, event ${seq}`, line, event, session, keys, seals, fits, fail);
      named.add(event.key);
      parts = [unhex(event.chain)];
      first = index + 1;
    }
    parts.push(line, LINE_END);
  }
  if (first < heads.length || heads.length === 0) {
    fail("seals", `${place}, ${spanText(heads.slice(first))}`, "under no seal of the table");
  }
  return named;
}

async function checkSignature(where, line, event, session, keys, seals, fits, fail) {
  if (!keys.atHand && keys.trusted === null) {
    seals.unsigned++;
    return;
  }
  const key = keys.of(event.key);
  if (key === undefined || !(await sealIsSigned(key, line, event))) {
    seals.unsigned++;
    const missing = `the seal bears key ${event.key}, which is not at hand: whose it is cannot be told`;
    fail("seals", where, key === undefined ? missing : `the seal is not signed by key ${event.key}`);
    return;
  }
  const trusted = keys.isTrusted(event.key);
  if (trusted) seals.trusted++;
  const outside = keys.outside(event, session);
  if (outside) fail("scope", where, `the seal ${outside}`);
  else if (fits && (trusted || keys.trusted === null)) {
    seals.good++;
    seals.signedBy.add(event.key);
  }
}

/** What is signed: SHA-256 of the chain's 32 bytes, and the line with 128 zeros in the place of the signature. */
async function sealIsSigned(key, line, event) {
  const signature = utf8(event.signature);
  const places = occurrences(line, signature);
  if (places.length !== 1) return false;
  const unsigned = line.slice();
  unsigned.set(utf8(NO_SIGNATURE), places[0]);
  return signatureHolds(key, await sha256(unhex(event.chain), unsigned), unhex(event.signature));
}

function occurrences(line, wanted) {
  const places = [];
  for (let place = line.indexOf(wanted[0]); place >= 0; place = line.indexOf(wanted[0], place + 1)) {
    if (same(line.subarray(place, place + wanted.length), wanted)) {
      places.push(place);
      place += wanted.length - 1;
    }
  }
  return places;
}

/** The keys of a bundle and those of the reader, to hold seals against. */
class SealKeys {
  constructor(carried, trusted) {
    this.carried = carried ?? new Map();
    this.trusted = trusted;
    this.atHand = this.carried.size > 0 || (trusted?.size ?? 0) > 0;
  }

  /** The bytes of the key by which seals of this name are checked: the bundle's, for by that one it was judged. */
  of(name) {
    return (this.carried.get(name) ?? this.trusted?.get(name))?.bytes;
  }

  /** Whether that key, and not its name alone, is one that the reader trusts. */
  isTrusted(name) {
    const trusted = this.trusted?.get(name);
    return trusted !== undefined && same(trusted.bytes, this.of(name));
  }

  /** Why a seal lies outside of what its key is for, by the reader's word or the bundle's; empty where it does not. */
  outside(event, { table, day: gamingDay }) {
    for (const keys of [this.trusted, this.carried]) {
      const terms = keys?.get(event.key)?.terms ?? null;
      if (terms === null) continue;
      const whose = `bears key ${event.key}${terms.gateway === null ? "" : ` of ${terms.gateway}`}, which `;
      if (table && event.table !== table) return `names table ${event.table}, in a session of ${table}`;
      const why = outsideOf(terms, table || event.table, gamingDay, event.micros);
      if (why) return whose + why;
    }
    return "";
  }

  /** Keys of these that count for every table and day, for all that the reader (or, without him, the bundle) says. */
  unscoped(names) {
    const keys = this.trusted ?? this.carried;
    return [...names].filter((name) => keys.has(name) && keys.get(name).terms === null).sort();
  }
}
