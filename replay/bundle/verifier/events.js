// What a line of a log is: an event of the contract, or why it is none. Nothing is coerced: "5" is no number.
"use strict";

const MOST_EVENT_BYTES = 64 * 1024;
const MOST_AMOUNT = 1e15;
const EARLIEST = midnight("2000-01-01");
const LATEST = midnight("2100-01-01");
const CARDS = new Set([
  ..."SHDC".split("").flatMap((suit) => "A23456789TJQK".split("").map((rank) => rank + suit)),
  ..."OCEB".split("").flatMap((suit) => "1234567SCR".split("").map((rank) => rank + suit)),
  "XX",
  "??",
]);

// Kinds of values: functions that say whether a value is one.

const matching = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const between = (least, most) => (value) => typeof value === "number" && value >= least && value <= most;
const oneOf = (...values) => (value) => values.includes(value);
const listOf = (kind, least, most) => (value) =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(kind);
const mapOf = (key, kind) => (value) =>
  value instanceof Map && value.size <= 64 && [...value].every(([name, part]) => key(name) && kind(part));
const either = (...kinds) => (value) => kinds.some((kind) => kind(value));

const identifier = matching(NAME);
const word = matching(/^[ !#-[\]-~]{1,32}$/);
const amount = between(0, MOST_AMOUNT);
const stake = between(1, MOST_AMOUNT);
const seat = between(0, 99);
const ordinal = between(1, 99);
const number = between(1, 1e9);
const reason = matching(/^[ !#-[\]-~]{1,120}$/);
const flag = (value) => typeof value === "boolean";
const card = (value) => CARDS.has(value);
const day = (value) => typeof value === "string" && /^20/.test(value) && isDay(value);
const moment = (value) => {
  const at = typeof value === "string" ? momentFrom(value) : null;
  return at !== null && at >= EARLIEST && at < LATEST;
};
const pick = either(between(-999, 999), matching(/^[A-Za-z0-9_?]{1,16}$/), listOf(between(0, 99), 1, 16));
const option = either(flag, between(-MOST_AMOUNT, MOST_AMOUNT), decimal, (value) => isShort(value));
const options = mapOf(word, either(option, mapOf(word, option), listOf(option, 0, 64)));
const limits = mapOf(word, either(amount, mapOf(oneOf("min", "max"), amount)));

function isShort(value) {
  return typeof value === "string" && [...value].length <= 64;
}

/** A number from -1000 to 1000 with at most 9 digits that count. */
function decimal(value) {
  if (!(value instanceof OddNumber)) return false;
  const number = Number(value.text);
  if (!(Math.abs(number) <= 1000)) return false;
  const [, whole, fraction = "", exponent = "0"] = /^-?([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$/.exec(String(number));
  const digits = (whole + fraction).replace(/^0+/, "");
  const decimals = fraction.length - Number(exponent);
  return Math.max(digits.length, decimals) <= 9;
}

const need = (kind) => ({ kind, needed: true });
const may = (kind) => ({ kind: (value) => value === null || kind(value) });
const given = (kind) => ({ kind });

const ENVELOPE = {
  v: given(oneOf(1)),
  session: need(identifier),
  seq: need(number),
  at: need(moment),
  table: need(identifier),
  device: need(identifier),
  round: may(number),
};

const OF_CHIPS = { amount: need(stake), player: may(identifier), kind: may(word) };

const CONTRACT = {
  table_opened: {
    casino: need(identifier),
    pit: need(identifier),
    game: need(word),
    rules: need(identifier),
    currency: need(matching(/^[A-Z]{3}$/)),
    chip_unit: given(stake),
    rounding: given(oneOf("down", "nearest", "up")),
    limits: given(limits),
    options: given(options),
    decks: may(between(1, 16)),
    settlement_claims: given(flag),
    float: given(amount),
    gaming_day: may(day),
  },
  table_closed: { float: need(amount) },
  dealer_on: { dealer: need(identifier) },
  fill: { amount: need(stake) },
  credit: { amount: need(stake) },
  drop_counted: { amount: need(amount) },
  limits_changed: { limits: need(limits) },
  chips_counted: { amount: need(amount), kind: may(word) },
  cash_in: OF_CHIPS,
  cash_out: OF_CHIPS,
  marker_issued: OF_CHIPS,
  marker_paid: OF_CHIPS,
  chips_exchanged: OF_CHIPS,
  promo_taken: OF_CHIPS,
  checkpoint: { chain: need(matching(DIGEST)), key: need(identifier), signature: need(matching(SIGNATURE)) },
  round_opened: {},
  bet_placed: {
    bet: need(identifier),
    seat: need(seat),
    wager: need(word),
    amount: need(stake),
    pick: may(pick),
    of: may(identifier),
    hand: may(ordinal),
    player: may(identifier),
    all_in: given(flag),
  },
  bet_raised: { bet: need(identifier), by: need(stake) },
  bet_withdrawn: { bet: need(identifier), amount: may(stake) },
  bets_closed: {},
  card_dealt: {
    card: need(card),
    seat: may(seat),
    hand: may(ordinal),
    to: may(word),
    up: may(flag),
    exposed: given(flag),
    void: may(word),
    by: may(word),
  },
  card_revealed: { card: need(card) },
  tile_dealt: { tile: need(either(between(1, 9), oneOf("W"))), seat: may(seat), to: may(word) },
  dice_rolled: { dice: need(listOf(between(0, 9), 0, 8)), void: may(word), seat: may(seat) },
  dice_changed: {},
  ball_landed: { number: need(between(0, 99)), void: may(word) },
  decision: {
    seat: need(seat),
    choice: need(word),
    hand: may(ordinal),
    cards: may(listOf(card, 0, 16)),
    amount: may(amount),
    bet: may(identifier),
    all_in: given(flag),
  },
  bet_settled: {
    bet: need(identifier),
    paid: need(amount),
    returned: need(amount),
    corrects: may(number),
    by: may(identifier),
  },
  round_voided: { reason: need(reason), by: need(identifier) },
  goodwill_paid: {
    amount: need(stake),
    reason: need(reason),
    by: need(identifier),
    bet: may(identifier),
    player: may(identifier),
  },
  round_closed: {},
  shoe_loaded: { decks: may(between(1, 16)), cards: may(between(1, 1000)) },
  cut_card: {},
  table_closing: { last: need(ordinal) },
  rake_taken: { amount: need(amount), seat: may(seat), bet: may(identifier) },
  commission_taken: { amount: need(amount), seat: may(seat), bet: may(identifier) },
  event_corrected: { corrects: need(number), correct: need(said), reason: need(reason), by: need(identifier) },
};

/** An event as it should have been said: its type and its own fields, without the envelope. A seal is never put right. */
function said(value) {
  if (!(value instanceof Map)) return false;
  const type = value.get("type");
  if (typeof type !== "string" || type === "checkpoint" || !Object.hasOwn(CONTRACT, type)) return false;
  return wrongOf(value, CONTRACT[type]) === "";
}

/** What is wrong with the fields of an object that has a `type`; empty: nothing. */
function wrongOf(found, fields) {
  for (const [name, { kind, needed }] of Object.entries(fields)) {
    if (!found.has(name)) {
      if (needed) return `it has no ${name}`;
    } else if (!kind(found.get(name))) return `its ${name} is no value that this field may have`;
  }
  const unknown = [...found.keys()].find((name) => name !== "type" && !Object.hasOwn(fields, name));
  return unknown === undefined ? "" : `it has the unknown field ${shown(unknown)}`;
}

/** The event that a line is: its fields, and `micros`, its time. */
function eventFrom(line) {
  if (line.length > MOST_EVENT_BYTES) refuse(`it has ${line.length} bytes; ${MOST_EVENT_BYTES} are the most`);
  const found = jsonFrom(line);
  if (!(found instanceof Map)) refuse("it is no object");
  const type = found.get("type");
  if (typeof type !== "string" || !Object.hasOwn(CONTRACT, type)) refuse("it has no type that an event has");
  const wrong = wrongOf(found, { ...ENVELOPE, ...CONTRACT[type] });
  if (wrong) refuse(wrong);
  const event = Object.fromEntries(found);
  return { ...event, micros: momentFrom(event.at) };
}

/** The session and number of a line that is no event; an empty name and 0 where it does not say them, each once. */
function whoseIs(line) {
  const nobody = { session: "", seq: 0 };
  if (line.length > MOST_EVENT_BYTES) return nobody;
  try {
    const found = jsonFrom(line, true);
    const session = found.get("session");
    const seq = found.get("seq");
    return identifier(session) && between(1, 1e9)(seq) ? { session, seq } : nobody;
  } catch {
    return nobody;
  }
}

/** What a line is: `event` is null where it was refused, and `reason` says why. */
function readLine(line) {
  try {
    const event = eventFrom(line);
    return { line, session: event.session, seq: event.seq, event, reason: "" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { line, ...whoseIs(line), event: null, reason: error.message };
  }
}
