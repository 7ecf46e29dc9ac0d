// As much of TOML as a file of public keys has: texts, dates, lists of texts, and the heads [[keys]].
"use strict";

/** A date; `time` is null, or the rest of a moment as it is written. */
class TomlDate {
  constructor(day, time) {
    this.day = day;
    this.time = time;
  }
}

class TomlReader {
  constructor(text) {
    this.text = text.replaceAll("\r\n", "\n");
    this.place = 0;
  }

  whole() {
    const top = new Map();
    const entries = [];
    let here = top;
    for (;;) {
      this.skip(true);
      if (this.place >= this.text.length) return { top, entries };
      if (this.taken(/\[\[[ \t]*keys[ \t]*\]\]/y)) {
        here = new Map();
        entries.push(here);
      } else this.field(here);
      this.skip(false);
      if (this.place < this.text.length && this.text[this.place] !== "\n") this.wrong();
    }
  }

  field(here) {
    const key = this.taken(/([A-Za-z0-9_-]+)[ \t]*=[ \t]*/y);
    if (!key) this.wrong();
    if (here.has(key[1])) refuse(`the file of keys has ${key[1]} twice (line ${this.line()})`);
    here.set(key[1], this.value());
  }

  value() {
    if (this.taken(/\[/y)) return this.list();
    const text = this.taken(/"([^"\\\x00-\x1f\x7f]*)"(?!")/y) ?? this.taken(/'([^'\x00-\x1f\x7f]*)'(?!')/y);
    if (text) return text[1];
    const date = this.taken(/([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt ]([0-9:.]+(?:[Zz]|[+-][0-9]{2}:[0-9]{2})?))?/y);
    if (!date || !isDay(date[1])) this.wrong();
    return new TomlDate(date[1], date[2] ?? null);
  }

  list() {
    const found = [];
    for (;;) {
      this.skip(true);
      if (this.taken(/\]/y)) return found;
      found.push(this.value());
      this.skip(true);
      if (!this.taken(/,/y)) {
        if (!this.taken(/\]/y)) this.wrong();
        return found;
      }
    }
  }

  /** Past blanks and comments, and line ends with `lines`. */
  skip(lines) {
    this.taken(lines ? /(?:[ \t\n]|#[^\n]*)*/y : /[ \t]*(?:#[^\n]*)?/y);
  }

  taken(pattern) {
    pattern.lastIndex = this.place;
    const found = pattern.exec(this.text);
    if (found) this.place += found[0].length;
    return found;
  }

  line() {
    return this.text.slice(0, this.place).split("\n").length;
  }

  wrong() {
    refuse(`the file of keys cannot be read by this page (line ${this.line()}): write it as retally keys does`);
  }
}
