// A session of a bundle: whether all of its events are there, in order, and what its seals say.
"use strict";

const MOST_SESSION_BYTES = 128 * 1024 * 1024;
const MOST_SESSION_EVENTS = 250_000;
const NO_SIGNATURE = "0".repeat(128);
const LINE_FEED = 10;

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

/** Every event of the session is there once, from the first to the closing of the table. `fail(place, text)`. */
function checkOrder(place, session, heads, fail) {
  let expected = 1;
  heads.forEach((head, index) => {
    const where = `line ${index + 1}`;
    if (!head.seq) {
      fail(`${place}, ${where}`, `cannot be read: ${head.reason}`);
      expected++;
      return;
    }
    if (head.session !== session) fail(`${place}, event ${head.seq} (${where})`, `is of session ${head.session}`);
    if (head.seq > expected) fail(`${place}, ${eventsText(expected, head.seq - 1)} (before ${where})`, "missing");
    else if (head.seq === expected - 1) fail(`${place}, event ${head.seq} (${where})`, "stands there twice");
    else if (head.seq < expected) fail(`${place}, event ${head.seq} (${where})`, "stands out of order");
    expected = Math.max(expected, head.seq + 1);
  });
  if (!heads.some((head) => head.event?.type === "table_closed")) fail(place, "ends before the table was closed");
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

/** The chains and signatures of a session.
 *
 * `keys.problem(event, table, day)` gives the key's bytes, or says why there is none. Tells by `fail(claim, place, text)`;
 * gives how many seals hold, and the keys that are named and that signed. */
async function checkSeals(place, heads, keys, fail) {
  const opening = heads[0]?.event?.type === "table_opened" ? heads[0].event : null;
  const table = opening?.table ?? "";
  const gamingDay = opening === null ? "" : gamingDayOf(opening);
  const found = { good: 0, named: new Set(), signed: new Set() };
  let parts = [];
  let first = 0;
  for (const [index, { line, event, seq }] of heads.entries()) {
    if (event?.type !== "checkpoint") {
      parts.push(line);
      continue;
    }
    const chain = hex(await sha256(...parts));
    const where = `${place}, event ${seq}`;
    const fits = chain === event.chain;
    if (!fits) fail("seals", `${place}, ${spanText(heads.slice(first, index + 1))}`, "not the events that the table sealed");
    found.named.add(event.key);
    if (keys.asked) {
      const signed = await checkSignature(where, line, event, table, gamingDay, keys, fail);
      if (signed && fits) {
        found.good++;
        found.signed.add(event.key);
      }
    }
    parts = [unhex(event.chain), line];
    first = index + 1;
  }
  if (first < heads.length || heads.length === 0) {
    fail("seals", `${place}, ${spanText(heads.slice(first))}`, "under no seal of the table");
  }
  return found;
}

async function checkSignature(where, line, event, table, gamingDay, keys, fail) {
  const key = keys.of(event.key);
  if (key === undefined) {
    fail("seals", where, `the seal bears key ${event.key}, which is not at hand: whose it is cannot be told`);
    return false;
  }
  if (!(await sealIsSigned(key, line, event))) {
    fail("seals", where, `the seal is not signed by key ${event.key}`);
    return false;
  }
  const outside = keys.outside(event, table, gamingDay);
  if (outside) fail("scope", where, `the seal ${outside}`);
  return !outside;
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
    this.asked = this.carried.size > 0 || trusted !== null;
  }

  /** The bytes of a key: the reader's own count. */
  of(name) {
    return (this.trusted?.get(name) ?? this.carried.get(name))?.bytes;
  }

  /** Why a seal lies outside of what its key is for, by the reader's word or the bundle's; empty where it does not. */
  outside(event, table, gamingDay) {
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
