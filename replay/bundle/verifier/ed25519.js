// Ed25519 (RFC 8032). The browser verifies; what it may let pass is refused before: keys and points of small order, and
// numbers that are spelt in a second way.
"use strict";

const FIELD = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const EDWARDS_D = reduced(-121665n * power(121666n, FIELD - 2n));
const ROOT_OF_MINUS_ONE = power(2n, (FIELD - 1n) / 4n);
const NEUTRAL = [0n, 1n, 1n, 0n];

function reduced(number) {
  const rest = number % FIELD;
  return rest < 0n ? rest + FIELD : rest;
}

function power(base, exponent) {
  let result = 1n;
  for (let square = base % FIELD; exponent > 0n; exponent >>= 1n, square = (square * square) % FIELD) {
    if (exponent & 1n) result = (result * square) % FIELD;
  }
  return result;
}

function littleEndian(bytes) {
  return BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);
}

/** A point in extended coordinates (RFC 8032, section 5.1.3); null where the 32 bytes are none, or not as it is written. */
function pointFrom(bytes) {
  const number = littleEndian(bytes);
  const sign = number >> 255n;
  const y = number & (2n ** 255n - 1n);
  if (y >= FIELD) return null;
  const top = reduced(y * y - 1n);
  const bottom = reduced(EDWARDS_D * y * y + 1n);
  let x = reduced(top * bottom ** 3n * power(reduced(top * bottom ** 7n), (FIELD - 5n) / 8n));
  if (reduced(bottom * x * x) !== top) x = reduced(x * ROOT_OF_MINUS_ONE);
  if (reduced(bottom * x * x) !== top || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = FIELD - x;
  return [x, y, 1n, reduced(x * y)];
}

/** RFC 8032, section 5.1.4. */
function added([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = reduced((y1 - x1) * (y2 - x2));
  const b = reduced((y1 + x1) * (y2 + x2));
  const c = reduced(t1 * 2n * EDWARDS_D * t2);
  const d = reduced(z1 * 2n * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [reduced(e * f), reduced(g * h), reduced(f * g), reduced(e * h)];
}

function times(number, point) {
  let result = NEUTRAL;
  for (let twice = point; number > 0n; number >>= 1n, twice = added(twice, twice)) {
    if (number & 1n) result = added(result, twice);
  }
  return result;
}

function isNeutral([x, y, z]) {
  return x === 0n && y === z;
}

/** Whether these bytes are a point under which nobody can sign without a secret: for some messages anybody can, where the
 * order is small. */
function isStrong(bytes) {
  const point = pointFrom(bytes);
  return point !== null && !isNeutral(times(8n, point));
}

/** Whether these bytes are a point of the group of prime order. */
function isOfPrimeOrder(bytes) {
  return isStrong(bytes) && isNeutral(times(ORDER, pointFrom(bytes)));
}

const IMPORTED = new Map();

/** The browser's key of 32 bytes; null where they are none that counts. */
async function imported(bytes) {
  const name = hex(bytes);
  if (!IMPORTED.has(name)) {
    const usable = bytes.length === 32 && isStrong(bytes);
    IMPORTED.set(name, usable ? await crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"]) : null);
  }
  return IMPORTED.get(name);
}

async function signatureHolds(publicKey, message, signature) {
  if (signature.length !== 64 || littleEndian(signature.subarray(32)) >= ORDER) return false;
  const key = await imported(publicKey);
  if (key === null || !isStrong(signature.subarray(0, 32))) return false;
  return crypto.subtle.verify("Ed25519", key, signature, message);
}

/** Whether this browser can verify at all. */
async function hasEd25519() {
  try {
    await crypto.subtle.importKey("raw", unhex(`58${"66".repeat(31)}`), "Ed25519", false, ["verify"]);
    return true;
  } catch {
    return false;
  }
}
