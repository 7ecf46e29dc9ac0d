// Public keys of gateways, and what each counts for: tables, gaming days, and until when.
"use strict";

const MOST_KEYS_BYTES = 4 * 1024 * 1024;
const MOST_PATTERNS = 256;
const HOUR = 3600 * 1e6;
/** So long before 00:00 UTC a day begins where it begins first. */
const EARLIEST_BEGIN = 14 * HOUR;
/** So long after 00:00 UTC of its gaming day a session may be sealed by a key whose days end with it. */
const LATEST_SEAL = 8 * 24 * HOUR;

async function keyId(publicKey) {
  return hex(await sha256(publicKey)).slice(0, 16);
}

/** `*` stands for any characters, or for none. */
function fitsPattern(pattern, name) {
  const parts = pattern.split("*");
  if (parts.length === 1) return pattern === name;
  const last = parts.pop();
  let place = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (name.startsWith(part) ? 0 : -1) : name.indexOf(part, place);
    if (found < 0) return false;
    place = found + part.length;
  }
  return name.length - last.length >= place && name.endsWith(last);
}

/** Terms from the JSON of a bundle's `keys.txt`; and that JSON in the one spelling that it has. */
function termsFrom(text) {
  const read = jsonFrom(utf8(text));
  const found = optionalFields(read, ["gateway", "grants", "revoked"], "what the key counts for");
  if (!Array.isArray(found.grants) || found.grants.length === 0) refuse("it counts for nothing");
  const grants = found.grants.map((one) => {
    const grant = optionalFields(one, ["tables", "from", "until"], "a grant");
    if (!Array.isArray(grant.tables)) refuse("a grant names no tables");
    return { tables: grant.tables, from: grant.from ?? null, until: grant.until ?? null };
  });
  let revoked = null;
  if (found.revoked !== undefined) {
    revoked = typeof found.revoked === "string" ? momentFrom(found.revoked) : null;
    if (revoked === null) refuse("revoked is no moment");
  }
  const terms = checkedTerms({ gateway: found.gateway ?? null, grants, revoked });
  return { terms, isSpelt: termsText(terms, found.revoked) === text };
}

function optionalFields(value, names, what) {
  if (!(value instanceof Map)) refuse(`${what} is no object`);
  for (const name of value.keys()) if (!names.includes(name)) refuse(`${what} has the unknown field ${shown(name)}`);
  return Object.fromEntries(value);
}

function termsText(terms, revoked) {
  const grants = terms.grants.map(({ tables, from, until }) => ({
    tables,
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
  }));
  const gateway = terms.gateway === null ? {} : { gateway: terms.gateway };
  const written = /T.*:[0-9]{2}(\.(?!000000)[0-9]{6})?(Z|[+-](?!00:00)[0-9]{2}:[0-9]{2})$/;
  if (revoked !== undefined && !written.test(revoked)) return "";
  return JSON.stringify({ ...gateway, grants, ...(revoked === undefined ? {} : { revoked }) });
}

function checkedTerms(terms) {
  if (terms.gateway !== null && !identifier(terms.gateway)) refuse("gateway is no name");
  for (const { tables, from, until } of terms.grants) {
    if (tables.length === 0 || !tables.every(identifier)) refuse("tables is no list of names or patterns");
    for (const date of [from, until]) if (date !== null && !(typeof date === "string" && isDay(date))) refuse("no day");
  }
  const patterns = terms.grants.reduce((sum, grant) => sum + grant.tables.length, 0);
  if (patterns > MOST_PATTERNS) refuse(`a key has ${MOST_PATTERNS} tables or patterns at the most`);
  if (terms.revoked !== null && !(terms.revoked >= 0 && terms.revoked < midnight("3000-01-01"))) {
    refuse("revoked is not between the years 1970 and 2999");
  }
  return terms;
}

/** Why a seal at `micros`, on a session of this table and gaming day (empty: it cannot be told), is outside of the terms;
 * empty where it is not. */
function outsideOf(terms, table, gamingDay, micros) {
  if (terms.revoked !== null) {
    if (micros >= terms.revoked) return `was revoked from ${clock(terms.revoked)} on, before the seal (${clock(micros)})`;
    if (gamingDay && midnight(gamingDay) >= terms.revoked + EARLIEST_BEGIN) {
      return `was revoked from ${clock(terms.revoked)} on, before the gaming day ${gamingDay}`;
    }
  }
  const ofTable = terms.grants.filter((grant) => grant.tables.some((pattern) => fitsPattern(pattern, table)));
  if (ofTable.length === 0) return `does not count for table ${table}`;
  const ofDay = ofTable.filter(
    ({ from, until }) => !gamingDay || ((from === null || from <= gamingDay) && (until === null || gamingDay <= until)),
  );
  if (ofDay.length === 0) return `does not count on the gaming day ${gamingDay}`;
  const inTime = ofDay.some(
    ({ from, until }) =>
      (from === null || micros + EARLIEST_BEGIN >= midnight(from)) &&
      (until === null || micros - LATEST_SEAL < midnight(until)),
  );
  return inTime ? "" : `does not count for a seal of ${clock(micros)}`;
}

/** The keys of a bundle, by identifier: `{ bytes, terms }`, terms null where nobody says what it counts for. And whether
 * they are spelt as they must be. */
async function bundleKeysFrom(bytes) {
  const text = decoded(bytes);
  if (text === null || !/^[\n -~]*$/.test(text)) refuse("is not ASCII text");
  const keys = new Map();
  let isSpelt = true;
  let before = "";
  for (const line of text === "" ? [] : linesOf(text, "it")) {
    const found = /^([ -~]{1,64}?) ([0-9a-f]{64})(?: (\{.*\}))?$/.exec(line);
    if (!found) refuse(`holds ${shown(line)}, which is no key`);
    const [, name, digits, terms] = found;
    if (name <= before) refuse(`holds key ${shown(name)} out of order, or twice`);
    before = name;
    const scope = terms === undefined ? { terms: null, isSpelt: true } : termsFrom(terms);
    isSpelt &&= scope.isSpelt;
    keys.set(name, { bytes: unhex(digits), terms: scope.terms });
  }
  return { keys, isSpelt };
}

/** The keys of the reader's own file, of either format. */
async function keyFileFrom(bytes) {
  if (bytes.length > MOST_KEYS_BYTES) refuse("the file of keys is too large");
  const text = decoded(bytes);
  if (text === null) refuse("the file of keys is no UTF-8 text");
  const lines = text.split("\n").map((line) => line.trim());
  const first = lines.find((line) => line !== "" && !line.startsWith("#")) ?? "";
  const keys = /^(\[|[\w"'.-]+\s*=)/.test(first) ? tomlKeys(new TomlReader(text).whole()) : plainKeys(lines);
  if (keys.size === 0) refuse("the file of keys holds no key");
  for (const [name, key] of keys) {
    const own = await keyId(key.bytes);
    if (own !== name) refuse(`the file of keys: ${name} is not the id of its key, which is ${own}`);
  }
  return keys;
}

/** Format 1: `key-id hexadecimal` a line. Its keys count for every table and day. */
function plainKeys(lines) {
  const keys = new Map();
  for (const [index, line] of lines.entries()) {
    const words = line.split("#")[0].trim();
    if (words === "") continue;
    const found = /^([0-9a-f]{16})\s+([0-9a-f]{64})$/.exec(words);
    if (!found) refuse(`the file of keys, line ${index + 1}: not a key id and 64 hexadecimal digits`);
    if (keys.has(found[1])) refuse(`the file of keys, line ${index + 1}: the key is there twice`);
    keys.set(found[1], { bytes: unhex(found[2]), terms: null });
  }
  return keys;
}

/** Format 2 (`retally-keys/2`): a key with several entries counts for what any of them says. */
function tomlKeys({ top, entries }) {
  if (top.get("format") !== "retally-keys/2") refuse("the file of keys: its format is not retally-keys/2");
  if (top.size !== 1) refuse("the file of keys has format and [[keys]], and nothing else");
  const keys = new Map();
  for (const [index, entry] of entries.entries()) {
    const where = `the file of keys, key ${index + 1}`;
    const known = ["id", "public", "gateway", "tables", "from", "until", "revoked"];
    for (const name of entry.keys()) if (!known.includes(name)) refuse(`${where}: ${shown(name)} is unknown`);
    const text = (name) => (typeof entry.get(name) === "string" ? entry.get(name) : "");
    const date = (name) => {
      const value = entry.get(name);
      if (value !== undefined && !(value instanceof TomlDate && value.time === null)) refuse(`${where}: ${name} is no date`);
      return value === undefined ? null : value.day;
    };
    if (!/^[0-9a-f]{16}$/.test(text("id"))) refuse(`${where}: id is not 16 hexadecimal digits`);
    if (!DIGEST.test(text("public"))) refuse(`${where}: public is not 64 hexadecimal digits`);
    if (!Array.isArray(entry.get("tables"))) refuse(`${where}: tables is no list`);
    const grant = { tables: entry.get("tables"), from: date("from"), until: date("until") };
    if (grant.from !== null && grant.until !== null && grant.until < grant.from) refuse(`${where}: until is before from`);
    const revoked = entry.has("revoked") ? momentOf(entry.get("revoked"), where) : null;
    const gateway = entry.has("gateway") ? entry.get("gateway") : null;
    const before = keys.get(text("id"));
    if (before && !same(before.bytes, unhex(text("public")))) refuse(`${where}: another key than before`);
    if (before && before.terms.gateway !== gateway) refuse(`${where}: its entries name several gateways`);
    const revocations = [before?.terms.revoked ?? null, revoked].filter((one) => one !== null);
    const terms = checkedTerms({
      gateway,
      grants: [...(before?.terms.grants ?? []), grant],
      revoked: revocations.length ? Math.min(...revocations) : null,
    });
    keys.set(text("id"), { bytes: unhex(text("public")), terms });
  }
  return keys;
}

function momentOf(value, where) {
  if (!(value instanceof TomlDate)) refuse(`${where}: revoked is no date`);
  const found = value.time === null ? midnight(value.day) : momentFrom(`${value.day}T${value.time}`);
  if (found === null) refuse(`${where}: revoked has no time zone, or is no moment`);
  return found;
}
