"""The verifier of evidence bundles: from the bytes of one file, what is proven and what is not.

It trusts nothing in the bundle. That the events are those which the table sealed, it works out for itself from their
bytes: order and completeness, the chain of every checkpoint, the signature on it (RFC 8032), the session's place in
the night's Merkle tree. None of that shares code with what writes logs and bundles. That the verdicts follow from the
events, it shows by recomputing them (`replay.bundle.contents`) under the rule packs in the bundle, and comparing byte
for byte; page and manifest likewise. So a bundle says the same for ever, beside whatever packs are installed.

Two things are told apart from what was altered: whether the law in the bundle is the one that is trusted
(`replay.bundle.trust`), and what another rules engine than this one made of the same events (`replay.engine`).

What a bundle alone cannot prove is whose keys it holds, and that the head of the log under which its sessions stand is
the one that everybody was shown: give `verify` the keys, and the policy with the keys of the log and its witnesses,
that were received another way, and it holds the bundle to these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

import msgspec

from replay.bundle import contents, logged, trust
from replay.bundle.container import BundleError, read, wrong_checksums
from replay.bundle.contents import Entry, Manifest, Opening, Part
from replay.bundle.differences import differing, first_difference, named
from replay.bundle.logged import Logged
from replay.bundle.placement import UNWITNESSED
from replay.bundle.policy import Policy, standing
from replay.bundle.seal_keys import MAX_KEYS_BYTES, SealKeys, sealed_place
from replay.bundle.seals import SealProof, head_extends, is_included
from replay.bundle.strict import NoteError
from replay.bundle.trust import LawSaid
from replay.engine import ENGINE
from replay.evidence import Keys, key_id
from replay.line import Line
from replay.line import read as read_line
from replay.packs import PACK_FILE, Packs

MAX_SESSION_BYTES: Final = 128 * 1024 * 1024
MAX_SESSION_EVENTS: Final = 250_000
MAX_MANIFEST_BYTES: Final = 16 * 1024 * 1024
MAX_PROBLEMS: Final = 200
"""So many are told; a bundle that has more is no better for the rest."""
MAX_LINE_SHOWN: Final = 2000
NOBODY: Final = "nobody but whoever made the bundle"

__all__ = ["BundleError", "LawSaid", "Otherwise", "Problem", "Verified", "verify"]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something in the bundle that is not as it must be."""

    place: str
    """The member, and where in it: ``sessions/0001/events.jsonl, events 12 to 25 (round 3)``."""
    text: str


class Otherwise(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the rules engine which made the bundle said otherwise than this one does, of the same events under
    the same law."""

    place: str
    """``sessions/0001/verdicts.jsonl, line 3``."""
    text: str
    """What it is about, and which engines."""
    theirs: str
    """The line in the bundle; empty where it has none."""
    ours: str
    """The line that follows by this engine; empty where none does."""


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What the verification came to."""

    scope: str
    """What the bundle is of, in words."""
    sessions: int
    events: int
    seals: int
    """Checkpoints whose chain and signature hold."""
    settlements: int
    findings: int
    rules: list[str]
    law: list[LawSaid]
    """By which law it was judged, and whether that is the law which is trusted."""
    engine: int
    """The rules engine that made the verdicts (`replay.engine.ENGINE`); 0 where that cannot be read."""
    otherwise: list[Otherwise]
    """What that engine said otherwise than this one."""
    keys: list[str]
    """The keys that signed."""
    unscoped: list[str]
    """Those of them that count for every table and day, for nobody has said for which they count."""
    sealed: str
    """Where the sessions were sealed, in words; empty where that is not in the bundle."""
    vouched: str
    """Who vouches for it besides whoever made the bundle, in words."""
    problems: list[Problem]

    @property
    def holds(self) -> bool:
        """Everything is proven, by the law that is trusted, and this engine says the same."""
        return not self.complaints

    @property
    def complaints(self) -> list[str]:
        """Why it does not hold, a line each."""
        return [
            *(f"{problem.place}: {problem.text}" for problem in self.problems),
            *(f"{said.rules} {said.game}: {said.text}".lstrip() for said in self.law if not said.trusted),
            *(f"{one.place}: {one.text}" for one in self.otherwise),
        ]


def verify(
    data: bytes | memoryview,
    *,
    packs: Packs,
    keys: Keys | None = None,
    root: str | None = None,
    policy: Policy | None = None,
) -> Verified:
    """Verify a bundle.

    ``data``: the whole file, or a map of it; nothing but one session at a time is copied. ``packs``: the law that is
    trusted; nothing is judged by it. ``keys``: public keys received another way: only these are trusted. ``policy``:
    whose word about a head of the floor's log is enough, received another way: the sessions must then be proven to
    stand under such a head. ``root``: the root (hexadecimal) of the head that they stand under, received another way.

    Raises `BundleError` for a file that is no bundle.
    """
    view = memoryview(data)
    members = read(view)
    return _Verification(members, packs, keys, root, policy).run(wrong_checksums(view, members))


class _Verification:
    """One bundle on its way through the checks; ``problems`` grows."""

    def __init__(
        self,
        members: Mapping[str, memoryview],
        law: Packs,
        trusted: Keys | None,
        root: str | None,
        policy: Policy | None,
    ) -> None:
        self._members = members
        self._law = law
        """That is trusted."""
        self._packs = Packs({})
        """Those in the bundle."""
        self._trusted = trusted
        self._root = root
        self._policy = policy
        self._logged: Logged | None = None
        """What the floor's log says of the sessions."""
        self._sealed = self._vouched = ""
        self._unread_log = False
        """There is something of a log that proves nothing."""
        self._engine = 0
        self._openings: dict[str, Opening | None] = {}
        """By session."""
        self._problems: list[Problem] = []
        self._otherwise: list[Otherwise] = []
        self._parts: list[tuple[Entry, str]] = []
        self._counts = {"events": 0, "seals": 0, "settlements": 0, "findings": 0}
        self._seal_keys = SealKeys(None, trusted)
        self._signed_by: set[str] = set()

    def run(self, wrong: list[str]) -> Verified:
        found = self._manifest()
        if found is None:
            return self._result("a bundle whose manifest cannot be read", [])
        self._engine = found.engine
        self._digests(found)
        self._read_rules()
        keys = self._keys()
        self._seal_keys = SealKeys(keys, self._trusted)
        proof = self._seal(found)
        self._scope(found)
        if proof is not None:
            self._whole(found, proof)
        if self._logged is not None and found.scope.session is None:
            self._whole_night(found, self._logged)
        named: set[str] = set()
        for number, entry in enumerate(found.sessions, 1):
            named |= self._session(number, entry, keys, proof, found.scope.round)
        if keys and named != set(keys):
            odd = ", ".join(sorted(named ^ set(keys)))
            self._problem("keys.txt", f"its keys are not those that the checkpoints name ({odd})")
        packs = sorted({entry.rules for entry, _ in self._parts})
        self._rules(found)
        if not self._otherwise and not self._unread_log:  # else it tells what those verdicts say, or that log
            self._page(found)
        if not self._problems:
            entries = [entry for entry, _ in self._parts]
            expected = contents.manifest(found.scope, entries, self._members, engine=found.engine)
            self._same("manifest.json", expected, "not what the members make it")
        for name in wrong:
            if not any(problem.place.startswith(name) for problem in self._problems):
                self._problem(name, "the container's checksum of it is wrong")
        return self._result(str(found.scope), packs)

    def _result(self, scope: str, packs: list[str]) -> Verified:
        return Verified(
            scope=scope,
            sessions=len(self._parts),
            events=self._counts["events"],
            seals=self._counts["seals"],
            settlements=self._counts["settlements"],
            findings=self._counts["findings"],
            rules=packs,
            law=trust.compared(self._packs, self._law, self._openings),
            engine=self._engine,
            otherwise=self._otherwise,
            keys=sorted(self._signed_by),
            unscoped=self._seal_keys.unscoped(self._signed_by),
            sealed=self._sealed,
            vouched=self._vouched,
            problems=self._problems,
        )

    def _problem(self, place: str, text: str) -> None:
        if len(self._problems) < MAX_PROBLEMS:
            self._problems.append(Problem(place=_printable(place), text=_printable(text)))

    def _by_another_engine(self, place: str, what: str, theirs: str, ours: str) -> None:
        if len(self._otherwise) < MAX_PROBLEMS:
            text = f"{what}: made by rules engine {self._engine}; engine {ENGINE} says otherwise"
            cut = [_printable(line, MAX_LINE_SHOWN) for line in (theirs, ours)]
            self._otherwise.append(Otherwise(place=place, text=_printable(text), theirs=cut[0], ours=cut[1]))

    def _content(self, name: str) -> bytes | None:
        """A member's bytes; that it is missing is a problem."""
        found = self._members.get(name)
        if found is None:
            self._missing(name)
        return None if found is None else bytes(found)

    def _missing(self, name: str) -> None:
        """Told once of each."""
        if not any(problem.place == name for problem in self._problems):
            self._problem(name, "is missing")

    def _same(self, name: str, expected: bytes, text: str) -> None:
        """The member has these very bytes; else the first line that differs is named."""
        found = self._content(name)
        if found is not None and found != expected:
            self._problem(f"{name}, line {first_difference(found, expected)}", text)

    # --- manifest, keys, rules, page ------------------------------------------------------------------------------

    def _manifest(self) -> Manifest | None:
        content = self._members.get("manifest.json")
        if content is None:
            self._missing("manifest.json")
            return None
        if len(content) > MAX_MANIFEST_BYTES:
            raise BundleError(f"has a manifest of {len(content):,} bytes; {MAX_MANIFEST_BYTES:,} are the most")
        try:
            return msgspec.json.decode(content, type=Manifest)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            self._problem("manifest.json", f"cannot be read ({error})")
            return None

    def _digests(self, found: Manifest) -> None:
        """Every member is in the manifest, with its digest, and nothing else is."""
        listed = {member.name: member for member in found.members}
        if len(listed) != len(found.members):
            self._problem("manifest.json", "names a member twice")
        for name, content in self._members.items():
            if name == "manifest.json":
                continue
            member = listed.pop(name, None)
            if member is None:
                self._problem(name, "was added: the manifest does not name it")
            elif (member.bytes, member.sha256) != (len(content), hashlib.sha256(content).hexdigest()):
                self._problem(name, "was altered: its digest is not the manifest's")
        for name in listed:
            self._missing(name)

    def _scope(self, found: Manifest) -> None:
        scope, sessions = found.scope, found.sessions
        names = [entry.session for entry in sessions]
        if scope.session is not None:
            fits = scope.date is None and names == [scope.session]
        else:
            fits = scope.date is not None and scope.round is None and names == sorted(set(names)) and bool(names)
            fits = fits and all(entry.gaming_day == scope.date for entry in sessions)
        if not fits:
            self._problem("manifest.json", f"its sessions are not those of {scope}")
        folders = {f"sessions/{number:04d}" for number in range(1, len(sessions) + 1)}
        for name in self._members:
            if name.startswith("sessions/") and name.rpartition("/")[0] not in folders:
                self._problem(name, "belongs to no session of the manifest")

    def _keys(self) -> Keys | None:
        content = self._content("keys.txt")
        if content is None:
            return None
        if len(content) > MAX_KEYS_BYTES:
            raise BundleError(f"holds {len(content):,} bytes of keys; {MAX_KEYS_BYTES:,} are the most")
        try:
            found = contents.read_keys(content.decode("ascii"))
        except ValueError as error:
            self._problem("keys.txt", f"cannot be read ({error})")
            return None
        self._same("keys.txt", contents.keys_text(found).encode(), "not as retally writes it")
        if not found and self._trusted is None:
            self._problem("keys.txt", "holds no key: that the table sealed these events is not proven")
        for name, key in found.items():
            if key_id(key) != name:
                self._problem("keys.txt", f"key {name} is not what it is called: its own name is {key_id(key)}")
            if self._trusted is not None and name not in self._trusted:
                self._problem("keys.txt", f"key {name} is none of those that you trust")
            elif self._trusted is not None and bytes(self._trusted[name]) != bytes(key):
                self._problem("keys.txt", f"key {name} is another than the one that you trust")
        return found

    def _read_rules(self) -> None:
        self._packs, wrong = trust.read_rules(self._members)
        for one in wrong:
            self._problem(f"rules/{one.file}", str(one.fault))

    def _rules(self, found: Manifest) -> None:
        """The rules are those that the sessions were judged by, whole, and no others."""
        wrong = trust.faults(self._packs, self._openings.values())
        for one in wrong:
            self._problem(f"rules/{one.file}", str(one.fault))
        for entry in found.sessions:
            if entry.law and entry.rules in self._packs.names and entry.game not in self._packs.pack(entry.rules).games:
                self._missing(f"rules/{entry.rules}/{entry.game}.toml")
            elif entry.law and entry.rules not in self._packs.names:
                self._missing(f"rules/{entry.rules}/{PACK_FILE}")
        judged_by = contents.rule_files(contents.carried(self._packs, self._openings.values()))
        for name in contents.rule_files(self._packs):
            if name not in judged_by and not wrong:
                self._problem(name, "is no file of the rules that the sessions were judged by")

    def _page(self, found: Manifest) -> None:
        name, sections = "index.html", [section for _, section in self._parts]
        expected = contents.index_page(found.scope, sections, self._sealed)
        page = self._content(name)
        if page is None or page == expected:
            return
        number = first_difference(page, expected)
        if self._engine == ENGINE:
            self._problem(f"{name}, line {number}", "the page says something else than the verdicts")
        else:
            lines = (text.split(b"\n")[number - 1 : number] for text in (page, expected))
            theirs, ours = (b"".join(line).decode("utf-8", "replace") for line in lines)
            self._by_another_engine(f"{name}, line {number}", "the page", theirs, ours)

    # --- where it was sealed ----------------------------------------------------------------------------------------

    def _seal(self, found: Manifest) -> SealProof | None:
        """What the bundle says of where its sessions were sealed: in the floor's log, or by a seal of the old form,
        whose proofs are given back."""
        in_the_log = {name: bytes(one) for name, one in self._members.items() if name.startswith(logged.FOLDER)}
        old = self._members.get("seal.json")
        if in_the_log:
            self._read_log(in_the_log, of_a_night=found.scope.session is None)
            self._unread_log = self._logged is None
            if old is not None:
                self._problem("seal.json", "is there beside what stands in the floor's log")
            return None
        self._vouched = UNWITNESSED if old is not None else NOBODY
        if self._policy is not None:
            self._problem("log", "is not here: that these sessions stand in a log of your policy is not proven")
        return None if old is None else self._seal_proof(bytes(old))

    def _read_log(self, members: dict[str, bytes], *, of_a_night: bool) -> None:
        for name, content in members.items():
            if len(content) > logged.MAX_BYTES:
                raise BundleError(f"holds {len(content):,} bytes in {name}; {logged.MAX_BYTES:,} are the most")
        self._vouched = NOBODY
        for name, text in logged.misplaced(members, of_a_night=of_a_night):
            self._problem(name, text)
        try:
            found = self._logged = logged.read_members(members, of_a_night=of_a_night)
            self._sealed = found.said
            if self._policy is not None:
                by = standing(found.note, self._policy)
                self._vouched = str(by)
                if not by.is_met:
                    self._problem("log", f"the head is {by}")
        except NoteError as error:
            self._problem("log", str(error))
            return
        if self._root is not None and self._root.lower() != found.head.root.hex():
            self._problem("log", "the head has another root than the one that you hold")

    def _stands_in_the_log(self, place: str, part: Entry, lines: list[bytes]) -> None:
        """The session is the one that was sealed."""
        assert self._logged is not None
        entry = self._logged.entries.get(part.session)
        if entry is None:
            self._problem("log", f"session {part.session} is none of those that were sealed")
            return
        for problem in logged.differences(entry, lines, self._packs):
            self._problem(place, f"not the session that was sealed: {problem}")

    def _seal_proof(self, content: bytes) -> SealProof | None:
        try:
            found = msgspec.json.decode(content, type=SealProof)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            self._problem("seal.json", f"cannot be read ({error})")
            return None
        self._same("seal.json", contents.pretty(found), "not as retally writes it")
        if not head_extends(found):
            before = "" if found.previous is None else f" that of {found.previous.date}"
            self._problem("seal.json", f"the seal of {found.head.date} is not proven to extend{before}")
        if found.previous is not None and not found.previous.date < found.head.date:
            self._problem("seal.json", "the night before is not before the night")
        if self._root is not None and self._root.lower() != found.head.root:
            self._problem("seal.json", "the night's seal has another root than the one that you hold")
        self._sealed = contents.old_seal(found.head)
        return found

    def _whole(self, found: Manifest, proof: SealProof) -> None:
        """The seal tells of the bundle's sessions and of no others; a night is all of its sessions."""
        ours = {entry.session for entry in found.sessions}
        for one in proof.sessions:
            if one.session not in ours:
                self._problem("seal.json", f"tells of session {one.session}, which is not here")
        sealed = proof.head.size - (0 if proof.previous is None else proof.previous.size)
        if found.scope.date is not None and sealed != len(found.sessions):
            self._problem("seal.json", f"{sealed:,} sessions were sealed that night, {len(found.sessions):,} are here")

    def _whole_night(self, found: Manifest, log: Logged) -> None:
        """The bundle of a night has all sessions that were sealed with it."""
        if log.night.date != found.scope.date:
            self._problem("log", f"is of the night of {log.night.date}, and the bundle of {found.scope.date}")
        here = {entry.session for entry in found.sessions}
        for session in sorted(log.entries.keys() - here):
            self._problem("log", f"session {session} was sealed that night, and is not here")

    def _placed(self, part: Entry, proof: SealProof) -> None:
        """The session is proven to be part of the night."""
        places = [one for one in proof.sessions if one.session == part.session]
        if len(places) != 1:
            self._problem("seal.json", f"session {part.session} is not proven to be part of the night")
        elif proof.head.date != part.gaming_day:
            self._problem("seal.json", f"session {part.session} is of {part.gaming_day}, the seal of {proof.head.date}")
        elif not part.chain or not is_included(proof, places[0], part.chain):
            self._problem(
                "seal.json", f"session {part.session}, as it is here, is not the one that was sealed with the night"
            )

    # --- a session ------------------------------------------------------------------------------------------------

    def _session(
        self, number: int, entry: Entry, keys: Keys | None, proof: SealProof | None, round_number: int | None
    ) -> set[str]:
        """Check one session; the keys that its checkpoints name."""
        folder = f"sessions/{number:04d}"
        place = f"{folder}/events.jsonl"
        member = self._members.get(place)
        if member is None:
            self._missing(place)
            return set()
        if len(member) > MAX_SESSION_BYTES:
            raise BundleError(f"holds {len(member):,} bytes in {place}; {MAX_SESSION_BYTES:,} are the most")
        content = bytes(member)
        if content.count(b"\n") > MAX_SESSION_EVENTS:
            raise BundleError(f"holds more than {MAX_SESSION_EVENTS:,} events in {place}")
        lines = content.split(b"\n")
        if lines.pop() != b"":
            self._problem(place, "ends within a line")
        heads = [read_line(line) for line in lines]
        self._order(place, entry.session, heads)
        self._seals(place, lines, heads)
        self._openings[entry.session] = contents.opening(lines)
        made = self._judged(place, entry.session, number, lines, keys, round_number)
        if made is None:
            return set()
        self._verdicts(folder, made)
        if made.entry != entry:
            names = [name for name in Entry.__struct_fields__ if getattr(made.entry, name) != getattr(entry, name)]
            self._problem("manifest.json", f"what it says of session {entry.session} is wrong ({', '.join(names)})")
        if proof is not None:
            self._placed(made.entry, proof)
        if self._logged is not None:
            self._stands_in_the_log(place, made.entry, lines)
        self._parts.append((made.entry, made.section))
        self._counts["events"] += len(lines)
        self._counts["settlements"] += made.settlements
        self._counts["findings"] += made.findings
        return {head.event.key for head in heads if head.type == "checkpoint"}

    def _judged(
        self,
        place: str,
        session: str,
        number: int,
        lines: list[bytes],
        keys: Keys | None,
        round_number: int | None,
    ) -> Part | None:
        """What follows from the events under the rules in the bundle."""
        try:
            return contents.part(
                session, number, lines, packs=self._packs, keys=keys or None, round_number=round_number
            )
        except MemoryError:
            raise
        except Exception as error:  # whatever stands in these rules: no fold that they make fail may end the verifier
            self._problem(place, f"cannot be judged under the rules in the bundle ({type(error).__name__}: {error})")
            return None

    def _order(self, place: str, session: str, heads: list[Line]) -> None:
        """Every event of the session is there once, in order, from the first to the closing of the table."""
        expected = 1
        for line, head in enumerate(heads, 1):
            if not head.seq:
                self._problem(f"{place}, line {line}", "cannot be read")
                expected += 1
                continue
            if head.session != session:
                self._problem(f"{place}, event {head.seq} (line {line})", f"is of session {head.session}")
            if head.seq > expected:
                missing = f"event {expected}" if head.seq == expected + 1 else f"events {expected} to {head.seq - 1}"
                self._problem(f"{place}, {missing} (before line {line})", "missing")
            elif head.seq == expected - 1:
                self._problem(f"{place}, event {head.seq} (line {line})", "stands there twice")
            elif head.seq < expected:
                self._problem(f"{place}, event {head.seq} (line {line})", "stands out of order")
            expected = max(expected, head.seq + 1)
        if not any(head.type == "table_closed" for head in heads):
            self._problem(place, "ends before the table was closed: what followed, if anything, is not here")

    def _seals(self, place: str, lines: list[bytes], heads: list[Line]) -> None:
        """The chain of every checkpoint, and the signature on it, as `replay.evidence` defines them, from the bytes."""
        table, gaming_day = sealed_place(heads)
        chain = hashlib.sha256()
        first = 0
        for index, (line, head) in enumerate(zip(lines, heads, strict=True)):
            if head.type != "checkpoint":
                chain.update(line)
                continue
            event = head.event
            where = f"{place}, {_events(heads[first : index + 1])}"
            good = chain.hexdigest() == event.chain
            if not good:
                self._problem(where, "not the events that the table sealed")
            asked = self._seal_keys.asked
            reason = self._seal_keys.problem(event, line, table, gaming_day) if asked else ""
            if reason:
                self._problem(f"{place}, event {head.seq}", reason)
            elif good and asked:
                self._counts["seals"] += 1
                self._signed_by.add(event.key)
            chain = hashlib.sha256(bytes.fromhex(event.chain))
            chain.update(line)
            first = index + 1
        if first < len(lines) or not lines:
            self._problem(f"{place}, {_events(heads[first:])}", "under no seal of the table")

    def _verdicts(self, folder: str, made: Part) -> None:
        """The verdicts are those that follow from the events."""
        name = f"{folder}/verdicts.jsonl"
        found = self._content(name)
        if found is None or found == made.verdicts:
            return
        if self._engine != ENGINE:
            for one in differing(found, made.verdicts):
                self._by_another_engine(f"{name}, line {one.line}", one.what, one.theirs, one.ours)
            return
        number = first_difference(found, made.verdicts)
        theirs, ours = (named(text, number) for text in (found, made.verdicts))
        what = theirs if theirs == ours else f"{theirs or 'nothing'}, where {ours or 'nothing'} follows from the events"
        self._problem(f"{name}, line {number}", f"{what}: this is not what follows from the events under the rules")


def _events(heads: list[Line]) -> str:
    """Events in words: ``events 12 to 25 (round 3)``."""
    known = [head for head in heads if head.seq]
    if not known:
        return "no event" if not heads else "events that cannot be read"
    first, last = known[0].seq, known[-1].seq
    what = f"event {first}" if first == last else f"events {first} to {last}"
    rounds = sorted({head.round for head in known if head.round is not None})
    if not rounds:
        return what
    return f"{what} (round {rounds[0]})" if len(rounds) == 1 else f"{what} (rounds {rounds[0]} to {rounds[-1]})"


def _printable(text: str, most: int = 300) -> str:
    return "".join(character if character.isprintable() else "?" for character in text[:most])
