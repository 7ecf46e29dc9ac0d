// JSON in which nothing can be read in two ways: no key twice in an object, no NaN, no character out of place.
"use strict";

/** A number that is not a whole one of at most 15 digits: nothing but a table's option may be one. */
class OddNumber {
  constructor(text) {
    this.text = text;
  }
}

/** What stands under a key that stands in its object twice. */
const TWICE = Symbol("twice");
const DEEPEST = 200;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

class JsonReader {
  /** `lax`: take keys that stand twice, NaN and lone surrogates, to tell at least whose a refused line is. */
  constructor(text, lax) {
    this.text = text;
    this.lax = lax;
    this.place = 0;
  }

  whole() {
    const value = this.value(0);
    this.blanks();
    if (this.place !== this.text.length) refuse(`not JSON (character ${this.place + 1})`);
    return value;
  }

  blanks() {
    while (" \t\n\r".includes(this.text[this.place] ?? "x")) this.place++;
  }

  wrong() {
    refuse(`not JSON (character ${this.place + 1})`);
  }

  value(depth) {
    if (depth > DEEPEST) refuse("nested too deep");
    this.blanks();
    const first = this.text[this.place];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.list(depth);
    if (first === '"') return this.string();
    for (const [word, value] of [["true", true], ["false", false], ["null", null]]) {
      if (this.text.startsWith(word, this.place)) {
        this.place += word.length;
        return value;
      }
    }
    return this.number();
  }

  number() {
    const pattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text);
    if (found) {
      this.place += found[0].length;
      const whole = found[1] === undefined && found[2] === undefined;
      const value = Number(found[0]);
      return whole && Number.isSafeInteger(value) ? value + 0 : new OddNumber(found[0]);
    }
    const word = ["NaN", "Infinity", "-Infinity"].find((one) => this.text.startsWith(one, this.place));
    if (word === undefined) this.wrong();
    if (!this.lax) refuse(`${word} is no number`);
    this.place += word.length;
    return new OddNumber(word);
  }

  string() {
    let found = "";
    let start = ++this.place;
    for (;;) {
      const character = this.text[this.place];
      if (character === undefined || character < " ") this.wrong();
      if (character === '"' || character === "\\") found += this.text.slice(start, this.place);
      if (character === '"') break;
      if (character === "\\") {
        found += this.escape();
        start = this.place;
      } else this.place++;
    }
    this.place++;
    if (!this.lax && !found.isWellFormed()) refuse("a text holds half a character");
    return found;
  }

  escape() {
    const letter = this.text[this.place + 1];
    if (letter === "u") {
      const digits = this.text.slice(this.place + 2, this.place + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.wrong();
      this.place += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }
    if (letter === undefined || !Object.hasOwn(ESCAPES, letter)) this.wrong();
    this.place += 2;
    return ESCAPES[letter];
  }

  list(depth) {
    const found = [];
    this.place++;
    this.blanks();
    if (this.text[this.place] === "]") {
      this.place++;
      return found;
    }
    for (;;) {
      found.push(this.value(depth + 1));
      this.blanks();
      const mark = this.text[this.place++];
      if (mark === "]") return found;
      if (mark !== ",") refuse(`not JSON (character ${this.place})`);
    }
  }

  object(depth) {
    const found = new Map();
    this.place++;
    this.blanks();
    if (this.text[this.place] === "}") {
      this.place++;
      return found;
    }
    for (;;) {
      this.blanks();
      if (this.text[this.place] !== '"') this.wrong();
      const key = this.string();
      this.blanks();
      if (this.text[this.place++] !== ":") refuse(`not JSON (character ${this.place})`);
      const value = this.value(depth + 1);
      if (!found.has(key)) found.set(key, value);
      else if (this.lax) found.set(key, TWICE);
      else refuse(`${shown(key)} stands there twice`);
      this.blanks();
      const mark = this.text[this.place++];
      if (mark === "}") return found;
      if (mark !== ",") refuse(`not JSON (character ${this.place})`);
    }
  }
}

/** The value of a JSON text: objects as maps, whole numbers as numbers. */
function jsonFrom(bytes, lax = false) {
  const text = decoded(bytes);
  if (text === null) refuse("no UTF-8 text");
  return new JsonReader(text, lax).whole();
}

/** An object with these very keys, in any order. */
function fieldsOf(value, names, what) {
  if (!(value instanceof Map)) refuse(`${what} is no object`);
  for (const name of names) if (!value.has(name)) refuse(`${what} has no ${name}`);
  for (const name of value.keys()) if (!names.includes(name)) refuse(`${what} has the unknown field ${shown(name)}`);
  return Object.fromEntries(value);
}
