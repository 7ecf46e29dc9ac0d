// A bundle, verified: from the bytes of one file, and what its reader was given another way, to what is proven.
"use strict";

const FORMATS = ["retally-evidence/3", "retally-evidence/4"];
const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;
const MOST_CARRIED_KEYS_BYTES = 1024 * 1024;
const MOST_PROBLEMS = 200;
const NOT_LOOKED_AT = "this page has no rules of games: ask retally evidence verify";

/** The statements, in the words of `retally evidence verify`. */
const CLAIMS = {
  bytes: "the bytes are those of the manifest",
  order: "each session is whole and in order",
  seals: "the seals hold",
  keys: "they are by keys that you trust",
  scope: "for the tables and dates that these keys are for",
  verdicts: "the verdicts follow from the events under the law in the bundle",
  law: "that law is the one that you trust",
  log: "the sessions stand under the head that you were given",
};
const PROVEN = "proven";
const NOT_ASKED = "not asked";
const FAILED = "FAILED";
const NOBODY_VOUCHES = "nobody but whoever made the bundle";
const WHOLE_NIGHT = "this is the whole night under the head that you were given";

class BundleVerification {
  constructor(members, { keys = null, policy = null, root = null }) {
    this.members = members;
    this.trusted = keys;
    this.policy = policy;
    this.root = root === null ? null : root.toLowerCase();
    this.problems = Object.fromEntries(Object.keys(CLAIMS).map((claim) => [claim, []]));
    this.proven = {};
    this.notAsked = { verdicts: NOT_LOOKED_AT, law: NOT_LOOKED_AT };
    this.looked = 0;
    this.events = 0;
    this.named = new Set();
    this.seals = { good: 0, unsigned: 0, trusted: 0, signedBy: new Set() };
    this.keys = new SealKeys(null, keys);
    this.log = null;
    this.vouched = NOBODY_VOUCHES;
    this.oldSeal = null;
    this.manifest = null;
  }

  fail(claim, place, text) {
    if (this.problems[claim].length < MOST_PROBLEMS) this.problems[claim].push({ place, text });
  }

  /** What `read` gives; where it refuses, the claim fails for that reason, and null. */
  async tried(claim, place, read) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.fail(claim, place, error.message);
      return null;
    }
  }

  bytesOf(name) {
    return this.members.get(name)?.bytes ?? null;
  }

  async run() {
    for (const [name, member] of this.members) {
      if (!member.crcHolds) this.fail("bytes", name, "the container's checksum of it is wrong");
    }
    this.manifest = await this.tried("bytes", "manifest.json", () => manifestFrom(this.bytesOf("manifest.json")));
    if (this.manifest === null) {
      this.passOver();
      return this.result();
    }
    if (!isAsWritten(this.bytesOf("manifest.json"), this.manifest)) {
      this.fail("bytes", "manifest.json", "is not written as it must be");
    }
    await this.checkMembers();
    this.checkScope();
    const carried = await this.carriedKeys();
    await this.readLog();
    this.keys = new SealKeys(carried, this.trusted);
    for (const [index, entry] of this.manifest.sessions.entries()) await this.checkSession(index + 1, entry);
    this.checkNamed(carried);
    this.checkWholeNight();
    this.passOver();
    this.prove();
    return this.result();
  }

  /** Every member is in the manifest, with its length and digest, and nothing else is. */
  async checkMembers() {
    const listed = new Map(this.manifest.members.map((member) => [member.name, member]));
    if (listed.size !== this.manifest.members.length) this.fail("bytes", "manifest.json", "names a member twice");
    for (const [name, { bytes }] of this.members) {
      if (name === "manifest.json") continue;
      const member = listed.get(name);
      listed.delete(name);
      if (member === undefined) this.fail("bytes", name, "was added: the manifest does not name it");
      else if (member.bytes !== bytes.length || member.sha256 !== hex(await sha256(bytes))) {
        this.fail("bytes", name, "was altered: its digest is not the manifest's");
      }
    }
    for (const name of listed.keys()) this.fail("bytes", name, "is missing");
    const follow = ["index.html", ...this.manifest.sessions.map((_, index) => `${folderOf(index + 1)}/verdicts.jsonl`)];
    for (const name of follow) if (!this.members.has(name)) this.fail("verdicts", name, "is missing");
    const names = this.manifest.members.map((member) => member.name);
    if (names.some((name, place) => place && name <= names[place - 1])) {
      this.fail("bytes", "manifest.json", "its members are not in order");
    }
  }

  /** The sessions are those that the bundle says it is of. */
  checkScope() {
    const { scope, sessions } = this.manifest;
    const names = sessions.map((entry) => entry.session);
    const inOrder = names.every((name, place) => place === 0 || names[place - 1] < name);
    const fits =
      scope.session !== null
        ? scope.date === null && names.length === 1 && names[0] === scope.session
        : scope.date !== null && scope.round === null && names.length > 0 && inOrder &&
          sessions.every((entry) => entry.gaming_day === scope.date);
    if (!fits) this.fail("bytes", "manifest.json", `its sessions are not those of ${this.scopeText()}`);
    const folders = new Set(sessions.map((_, index) => folderOf(index + 1)));
    for (const name of this.members.keys()) {
      if (name.startsWith("sessions/") && !folders.has(name.slice(0, name.lastIndexOf("/")))) {
        this.fail("bytes", name, "belongs to no session of the manifest");
      }
    }
  }

  scopeText() {
    const { session, round, date } = this.manifest.scope;
    if (session === null) return `the night of ${date}`;
    return round === null ? `session ${session}` : `round ${round} of session ${session}`;
  }

  async carriedKeys() {
    const bytes = this.bytesOf("keys.txt");
    if (bytes === null) {
      this.fail("seals", "keys.txt", "is missing");
      return null;
    }
    if (bytes.length > MOST_CARRIED_KEYS_BYTES) refuse(`it holds ${bytes.length} bytes of keys, which are too many`);
    const found = await this.tried("seals", "keys.txt", () => bundleKeysFrom(bytes));
    if (found?.isSpelt === false) this.fail("bytes", "keys.txt", "is not written as it must be");
    const carried = found?.keys ?? null;
    if (carried?.size === 0 && this.trusted === null) {
      this.fail("seals", "keys.txt", "holds no key: that the table sealed these events is not proven");
    }
    for (const [name, { bytes: key }] of carried ?? []) {
      const own = await keyId(key);
      if (own !== name) this.fail("seals", "keys.txt", `key ${name} is not what it is called: its own name is ${own}`);
      const trusted = this.trusted?.get(name);
      if (this.trusted !== null && trusted === undefined) {
        this.fail("keys", "keys.txt", `key ${name} is none of those that you trust`);
      } else if (trusted !== undefined && !same(trusted.bytes, key)) {
        this.fail("keys", "keys.txt", `key ${name} is another than the one that you trust`);
      }
    }
    return carried;
  }

  // Where it was sealed.

  async readLog() {
    const names = [...this.members.keys()].filter((name) => name.startsWith("log/"));
    const old = this.bytesOf("seal.json");
    if (names.length === 0) {
      if (this.policy !== null) this.fail("log", "log", "is not here: no log of your policy is proven to hold the sessions");
      else if (old === null && this.root !== null) this.fail("log", "log", "is not here: nothing stands under your root");
      if (old !== null) await this.readOldSeal(old);
      return;
    }
    if (old !== null) this.fail("log", "seal.json", "is there beside what stands in the floor's log");
    const ofNight = this.manifest.scope.session === null;
    const expected = ofNight ? LOG_OF_A_NIGHT : LOG_OF_A_SESSION;
    for (const name of names) if (!expected.includes(name)) this.fail("log", name, "belongs to no bundle of this scope");
    const missing = expected.filter((name) => !this.members.has(name));
    for (const name of missing) this.fail("log", name, "is missing");
    if (missing.length) return;
    const read = (name) => this.bytesOf(name);
    this.log = await this.tried("log", "log", () => (ofNight ? placedNight(read) : placedSession(read)));
    if (this.log === null) return;
    if (this.root !== null) this.vouched = "whoever gave you the root, and nobody else";
    if (this.policy !== null) {
      const standing = await this.tried("log", "log", () => standingOf(this.log.head, this.policy));
      if (standing !== null) {
        this.vouched = standing.told;
        if (!standing.enough) this.fail("log", "log", `the head is ${standing.told}, which is not enough under the policy`);
      }
    }
    if (this.root !== null && this.root !== hex(this.log.head.root)) {
      this.fail("log", "log", "the head has another root than the one that you hold");
    }
  }

  async readOldSeal(bytes) {
    const seal = await this.tried("log", "seal.json", () => oldSealFrom(bytes));
    if (seal === null) return;
    this.oldSeal = seal;
    this.vouched = "unwitnessed: nobody but its maker has signed or seen it";
    const before = seal.previous === null ? "" : ` that of ${seal.previous.date}`;
    if (!(await oldHeadExtends(seal))) this.fail("log", "seal.json", `the seal is not proven to extend${before}`);
    if (seal.previous !== null && seal.previous.date >= seal.head.date) {
      this.fail("log", "seal.json", "the night before is not before the night");
    }
    if (this.root !== null && this.root !== seal.head.root) {
      this.fail("log", "seal.json", "the night's seal has another root than the one that you hold");
    }
    if (this.manifest.scope.date !== null && this.isAsked) {
      this.fail("log", "seal.json", "a seal of the old form does not prove that these are all sessions of the night");
    }
  }

  /** The session, from its events, is the one that was sealed. */
  async checkPlace(place, found) {
    if (this.oldSeal !== null) {
      const { head, sessions } = this.oldSeal;
      const ours = sessions.filter((one) => one.session === found.session);
      if (ours.length !== 1) this.fail("log", "seal.json", `session ${found.session} is not proven part of the night`);
      else if (head.date !== found.date) this.fail("log", "seal.json", `session ${found.session} is not of ${head.date}`);
      else if (!(await isInOldSeal(this.oldSeal, ours[0], found.lastChain))) {
        this.fail("log", "seal.json", `session ${found.session}, as it is here, is not the one that was sealed`);
      }
    }
    if (this.log === null) return;
    const entry = this.log.leaves.get(found.session);
    if (entry === undefined) this.fail("log", "log", `session ${found.session} is none of those that were sealed`);
    else {
      for (const text of differencesFrom(entry, found)) this.fail("log", place, `not the session that was sealed: ${text}`);
    }
  }

  /** A night is all of its sessions, and a seal tells of no others than those that are here. */
  checkWholeNight() {
    const { scope, sessions } = this.manifest;
    const here = new Set(sessions.map((entry) => entry.session));
    if (this.oldSeal !== null) {
      const { head, previous, sessions: sealed } = this.oldSeal;
      for (const { session } of sealed) {
        if (!here.has(session)) this.fail("log", "seal.json", `tells of session ${session}, which is not here`);
      }
      const count = head.size - (previous?.size ?? 0);
      if (scope.date !== null && count !== here.size) {
        this.fail("log", "seal.json", `${counted(count, "session")} were sealed that night, ${here.size} are here`);
      }
    }
    if (this.log === null || scope.session !== null) return;
    if (this.log.night.date !== scope.date) {
      this.fail("log", "log", `is of the night of ${this.log.night.date}, and the bundle of ${scope.date}`);
    }
    for (const session of [...this.log.leaves.keys()].sort()) {
      if (!here.has(session)) this.fail("log", "log", `session ${session} was sealed that night, and is not here`);
    }
  }

  // Sessions.

  async checkSession(number, entry) {
    const place = `${folderOf(number)}/events.jsonl`;
    const bytes = this.bytesOf(place);
    if (bytes === null) {
      this.fail("bytes", place, "is missing");
      return;
    }
    if (bytes.length > MOST_SESSION_BYTES) refuse(`it holds ${bytes.length} bytes in ${place}, which are too many`);
    const { lines, ended } = splitLines(bytes);
    if (lines.length > MOST_SESSION_EVENTS) refuse(`it holds ${lines.length} events in ${place}, which are too many`);
    if (!ended) this.fail("order", place, "ends within a line");
    const heads = lines.map(readLine);
    const fail = (...told) => this.fail(...told);
    checkOrder(place, entry.session, heads, fail);
    for (const name of await checkSeals(place, heads, this.keys, this.seals, fail)) this.named.add(name);
    this.events += lines.length;
    this.looked++;
    const found = await asItIs(entry.session, heads);
    this.checkEntry(number, entry, heads.length, found);
    if (found !== null) await this.checkPlace(place, found);
    else if (this.log !== null) this.fail("log", place, "not the session that was sealed: none of it is an event");
  }

  /** What the manifest says of a session is so, as far as it follows without the rules. */
  checkEntry(number, entry, events, found) {
    const ours = { folder: folderOf(number), events, chain: found?.lastChain ?? "" };
    if (found !== null) ours.gaming_day = found.date;
    if (found?.game) ours.game = found.game;
    const wrong = Object.keys(ours).filter((name) => ours[name] !== entry[name]);
    if (wrong.length) {
      this.fail("verdicts", "manifest.json", `what it says of session ${entry.session} is wrong (${wrong.join(", ")})`);
    }
  }

  /** The keys of the bundle are those that its checkpoints name. */
  checkNamed(carried) {
    if (!carried?.size) return;
    const odd = [...carried.keys(), ...this.named].filter((name) => !(carried.has(name) && this.named.has(name)));
    if (odd.length) {
      const names = [...new Set(odd)].sort().map(shown).join(", ");
      this.fail("seals", "keys.txt", `its keys are not those that the checkpoints name (${names})`);
    }
  }

  get isAsked() {
    return this.policy !== null || this.root !== null;
  }

  /** What was not asked, and why. */
  passOver() {
    const unscoped = this.keys.unscoped(this.seals.signedBy);
    if (this.trusted === null) this.notAsked.keys = "you gave no keys: whose they are, the bundle alone says";
    if (unscoped.length) this.notAsked.scope = `nobody has said for which, of ${unscoped.join(", ")}`;
    else if (!this.trusted?.size) this.notAsked.scope = "you gave no keys: for which they are, the bundle alone says";
    if (!this.isAsked) {
      const where = this.whereText() || "where they were sealed is not here";
      this.notAsked.log = `you gave neither a root nor a policy: ${where}; who vouches for that: ${this.vouched}`;
    }
  }

  /** Where every session was looked at: so far does what was found reach. */
  prove() {
    const { sessions } = this.manifest;
    this.proven.bytes = counted(this.members.size, "member");
    if (sessions.length === 0 || this.looked !== sessions.length) return;
    const { good, unsigned, trusted, signedBy } = this.seals;
    this.proven.order = `${counted(sessions.length, "session")}, ${counted(this.events, "event")}`;
    this.proven.seals = counted(good, "seal");
    if (this.trusted !== null && unsigned) {
      const text = `${counted(unsigned, "seal")} with no signature that holds: by whose key, cannot be told`;
      this.fail("keys", "the seals", text);
    }
    if (trusted && this.problems.keys.length === 0) {
      this.proven.keys = `${counted(trusted, "seal")} by ${[...signedBy].sort().join(", ")}`;
      if (this.keys.unscoped(signedBy).length === 0) this.proven.scope = counted(trusted, "seal");
    }
    if (this.isAsked) this.proven.log = `${this.vouched}: ${this.whereText()}`;
  }

  whereText() {
    if (this.log !== null) return `${this.log.told}, in the log ${this.log.head.origin}, root ${hex(this.log.head.root)}`;
    if (this.oldSeal === null) return "";
    const { date, size, root } = this.oldSeal.head;
    return `${date}, ${size} sessions so far, root ${root}`;
  }

  result() {
    const ofNight = this.manifest !== null && this.manifest.scope.session === null;
    const statements = Object.entries(CLAIMS).map(([claim, words]) => {
      const told = { claim, words: claim === "log" && ofNight ? WHOLE_NIGHT : words, problems: this.problems[claim] };
      if (told.problems.length === 0) {
        if (claim in this.proven) return { ...told, said: PROVEN, detail: this.proven[claim] };
        if (claim in this.notAsked) return { ...told, said: NOT_ASKED, detail: this.notAsked[claim] };
        told.problems.push({ place: "the bundle", text: "nothing in it could be looked at for this" });
      }
      return { ...told, said: FAILED, detail: "" };
    });
    return { scope: this.manifest === null ? "a bundle whose manifest cannot be read" : this.scopeText(), statements };
  }
}

function folderOf(number) {
  return `sessions/${String(number).padStart(4, "0")}`;
}

/** The fields of a session's leaf, from its events; null where none of it is an event. */
async function asItIs(session, heads) {
  const ours = heads.filter((head) => head.event !== null && head.session === session);
  if (ours.length === 0) return null;
  const first = ours[0].event;
  const seal = ours.findLast((head) => head.event.type === "checkpoint")?.event ?? null;
  return {
    session,
    date: gamingDayOf(first),
    table: first.table,
    game: first.type === "table_opened" ? first.game : "",
    events: ours.length,
    last: ours.at(-1).seq,
    content: hex(await sha256(...ours.flatMap((head) => [head.line, LINE_END]), new Uint8Array(0))),
    chain: seal?.chain ?? ABSENT,
    key: seal?.key ?? ABSENT,
    lastChain: seal?.chain ?? "",
  };
}

/** Whether a file is this object in the one spelling of JSON that a bundle has. */
function isAsWritten(bytes, value) {
  return same(bytes, utf8(`${JSON.stringify(value, null, 2)}\n`));
}

/** The manifest. */
function manifestFrom(bytes) {
  if (bytes === null) refuse("is missing");
  if (bytes.length > MOST_MANIFEST_BYTES) refuse("is too large");
  const found = fieldsOf(jsonFrom(bytes), ["format", "engine", "scope", "sessions", "members"], "it");
  if (!FORMATS.includes(found.format)) refuse(`its format is ${shown(found.format)}; this page reads ${FORMATS.join(" and ")}`);
  if (!between(1, 2 ** 31)(found.engine)) refuse("its engine is no number of one");
  const { session, round, date } = fieldsOf(found.scope, ["session", "round", "date"], "its scope");
  const text = matching(/^[ !#-[\]-~]{0,64}$/);
  if (!(session === null || text(session)) || !(date === null || text(date)) || !may(between(1, 1e9)).kind(round)) {
    refuse("its scope is none");
  }
  if (!Array.isArray(found.sessions) || !Array.isArray(found.members)) refuse("its sessions or members are no list");
  const names = ["session", "folder", "gaming_day", "game", "rules", "law", "events", "chain"];
  const sessions = found.sessions.map((value) => {
    const entry = fieldsOf(value, names, "a session of it");
    if (!names.every((name) => (name === "events" ? TREE_SIZE : text)(entry[name]))) refuse("a session of it is none");
    if (entry.law !== "" && !DIGEST.test(entry.law)) refuse("the law of a session is no digest");
    return Object.fromEntries(names.map((name) => [name, entry[name]]));
  });
  const members = found.members.map((value) => {
    const { name, bytes: size, sha256: digest } = fieldsOf(value, ["name", "bytes", "sha256"], "a member of it");
    if (!matching(MEMBER_NAME)(name) || !TREE_SIZE(size) || !matching(DIGEST)(digest)) refuse("a member of it is none");
    return { name, bytes: size, sha256: digest };
  });
  return { format: found.format, engine: found.engine, scope: { session, round, date }, sessions, members };
}

/** What a bundle proves. `given`: what its reader had another way: `keys`, `policy` (both read), `root`. Where the file is
 * no bundle, or cannot be looked at, `refused` says why. */
async function verifyBundle(file, given = {}) {
  try {
    return { refused: "", ...(await new BundleVerification(membersOf(file), given).run()) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: error.message, scope: "", statements: [] };
  }
}
