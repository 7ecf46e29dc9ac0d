// The container: the one form of a zip file in which every byte is certain. Members are stored as they are.
"use strict";

const MOST_MEMBERS = 30_000;
const MOST_BYTES = 2 ** 32;
const MOST_MEMBER_BYTES = 256 * 1024 * 1024;
const MEMBER_NAME =
  /^(?:index\.html|manifest\.json|keys\.txt|seal\.json|rules\/[A-Z0-9-]{1,32}\/[a-z0-9_]{1,64}\.toml|sessions\/[0-9]{4}\/(?:events|verdicts)\.jsonl|log\/(?:(?:entry|night)(?:\.tlog-proof)?|entries|head|peaks))$/;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const ZIP_VERSION = 20;
const MADE_BY = (3 << 8) | ZIP_VERSION;
const FIRST_DAY = (1 << 5) | 1;
const MODE = 0o100644 * 65536;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, number) => {
  let crc = number;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (let place = 0; place < bytes.length; place++) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ bytes[place]) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}

/** Little-endian numbers, each of so many bytes: `[2, 20], [4, crc]`. */
function packed(...numbers) {
  const bytes = [];
  for (const [size, number] of numbers) {
    for (let place = 0; place < size; place++) bytes.push(Math.floor(number / 256 ** place) % 256);
  }
  return Uint8Array.from(bytes);
}

function localHeader(name, crc, length) {
  const sizes = [[4, crc], [4, length], [4, length], [2, name.length], [2, 0]];
  return packed([4, 0x04034b50], [2, ZIP_VERSION], [2, 0], [2, 0], [2, 0], [2, FIRST_DAY], ...sizes);
}

function directoryOf(headers, place) {
  const entries = headers.flatMap(({ name, crc, length, start }) => [
    packed([4, 0x02014b50], [2, MADE_BY], [2, ZIP_VERSION], [2, 0], [2, 0], [2, 0], [2, FIRST_DAY], [4, crc],
      [4, length], [4, length], [2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, MODE], [4, start]),
    name,
  ]);
  const size = entries.reduce((sum, entry) => sum + entry.length, 0);
  const count = headers.length;
  return joined([...entries, packed([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, place], [2, 0])]);
}

/** The members of a bundle by name, in order, and of each whether its checksum is right. */
function membersOf(file) {
  if (file.length >= MOST_BYTES) refuse("it is too large for a bundle");
  if (file.length < END_BYTES || file[0] !== 0x50 || file[1] !== 0x4b) refuse("it is no zip file");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const members = new Map();
  const headers = [];
  let place = 0;
  let before = "";
  while (place + 4 <= file.length && view.getUint32(place, true) === 0x04034b50) {
    if (headers.length >= MOST_MEMBERS) refuse(`it holds more than ${MOST_MEMBERS} members`);
    if (place + LOCAL_BYTES > file.length) refuse("it ends within a member's header");
    const crc = view.getUint32(place + 14, true);
    const length = view.getUint32(place + 22, true);
    const nameBytes = file.subarray(place + LOCAL_BYTES, place + LOCAL_BYTES + view.getUint16(place + 26, true));
    const name = String.fromCharCode(...nameBytes.subarray(0, 200));
    if (!MEMBER_NAME.test(name)) refuse(`it holds a member that no bundle has: ${shown(name)}`);
    const content = place + LOCAL_BYTES + nameBytes.length;
    if (!same(file.subarray(place, place + LOCAL_BYTES), localHeader(nameBytes, crc, length))) {
      refuse(`it has another header before ${name} than a bundle has: it is not as it was exported`);
    }
    if (length > file.length - content) refuse(`it ends within ${name}`);
    if (length > MOST_MEMBER_BYTES) refuse(`${name} is too large`);
    if (members.has(name)) refuse(`it holds ${name} twice`);
    if (name < before) refuse(`it holds ${name} out of order`);
    const bytes = file.subarray(content, content + length);
    members.set(name, { bytes, crcHolds: crc32(bytes) === crc });
    headers.push({ name: nameBytes, crc, length, start: place });
    before = name;
    place = content + length;
  }
  if (!same(file.subarray(place), directoryOf(headers, place))) {
    refuse(`it has another directory of members than a bundle has (from byte ${place} on)`);
  }
  return members;
}
