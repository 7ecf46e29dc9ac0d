// Bytes, and text in one spelling alone: hexadecimal digits, Base64, UTF-8, numbers, days. And SHA-256.
"use strict";

/** Why something cannot be read, or does not hold: one clear line. */
class Refusal extends Error {}

function refuse(text) {
  throw new Refusal(text);
}

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const NAME = /^[ !#-[\]-~]{1,64}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;
const MOST_SHOWN = 120;

/** Somebody else's text, for one of our own lines. */
function shown(text) {
  const cut = [...String(text)];
  const short = cut.length > MOST_SHOWN ? [...cut.slice(0, MOST_SHOWN - 1), "…"] : cut;
  return `'${short.join("").replace(UNPRINTABLE, "?")}'`;
}

function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Bytes from hexadecimal digits, which have been looked at. */
function unhex(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let place = 0; place < bytes.length; place++) bytes[place] = parseInt(text.slice(2 * place, 2 * place + 2), 16);
  return bytes;
}

function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    bytes.set(part, place);
    place += part.length;
  }
  return bytes;
}

function same(one, other) {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

function startsWith(bytes, beginning) {
  return bytes.length >= beginning.length && beginning.every((byte, place) => bytes[place] === byte);
}

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", parts.length === 1 ? parts[0] : joined(parts)));
}

const ENCODER = new TextEncoder();

function utf8(text) {
  return ENCODER.encode(text);
}

/** Text from UTF-8; null where it is none. */
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-8 without control characters other than the line feed. */
function plainText(bytes, what) {
  const text = decoded(bytes);
  if (text === null) refuse(`${what} is no UTF-8 text`);
  if (/[\x00-\x09\x0b-\x1f]/.test(text)) refuse(`${what} holds a control character`);
  return text;
}

/** The lines of a text, each of which ends with a line feed. */
function linesOf(text, what) {
  if (!text.endsWith("\n")) refuse(`${what} does not end with a line end`);
  return text.slice(0, -1).split("\n");
}

/** A number from 0, of 1 to 16 digits. As a BigInt: a log may have more leaves than a double counts. */
function numberFrom(text, what) {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) refuse(`${what} is ${shown(text)}, not a number of 1 to 16 digits`);
  return BigInt(text);
}

/** Base64 (RFC 4648, section 4) in the one spelling that it has. */
function base64From(text, what) {
  let found = "";
  try {
    found = /^[A-Za-z0-9+/=]+$/.test(text) ? atob(text) : "";
  } catch {
    found = "";
  }
  if (!found || btoa(found) !== text) refuse(`${what} is ${shown(text)}, not Base64 as it is written`);
  return Uint8Array.from(found, (character) => character.charCodeAt(0));
}

function hashFrom(text, what) {
  const found = base64From(text, what);
  if (found.length !== 32) refuse(`${what} has ${found.length} bytes, not 32`);
  return found;
}

/** Whether this is a day of the calendar, as in 2026-11-29. */
function isDay(text) {
  const found = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (!found) return false;
  const [year, month, day] = found.slice(1).map(Number);
  const lengths = [31, (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28, 31, 30, 31, 30];
  lengths.push(31, 31, 30, 31, 30, 31);
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= lengths[month - 1];
}

/** Microseconds since 1970-01-01 UTC at which a day begins in UTC. */
function midnight(day) {
  const [year, month, date] = day.split("-").map(Number);
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, date);
  return moment.getTime() * 1000;
}

function dayAt(micros) {
  return new Date(Math.floor(micros / 1000)).toISOString().slice(0, 10);
}

/** A moment for people. */
function clock(micros) {
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?([Zz]|([+-])([0-9]{2}):?([0-9]{2}))$/;

/** Microseconds since 1970-01-01 UTC of a moment in RFC 3339; null where it is none. */
function momentFrom(text) {
  const found = TIME.exec(text);
  if (!found || !isDay(found[1])) return null;
  const [hours, minutes, seconds] = [found[2], found[3], found[4]].map(Number);
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  let offset = 0;
  if (found[7]) {
    if (Number(found[8]) > 23 || Number(found[9]) > 59) return null;
    offset = (Number(found[8]) * 60 + Number(found[9])) * (found[7] === "-" ? -60 : 60);
  }
  const fraction = Number((found[5] ?? "").padEnd(6, "0"));
  return midnight(found[1]) + ((hours * 60 + minutes) * 60 + seconds - offset) * 1e6 + fraction;
}

/** A count with its word: `3 events`. */
function counted(number, what) {
  return `${Number(number).toLocaleString("en-US")} ${what}${Number(number) === 1 ? "" : "s"}`;
}
