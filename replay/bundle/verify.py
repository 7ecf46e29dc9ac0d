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

from replay.bundle import contents, trust
from replay.bundle.container import BundleError, read, wrong_checksums
from replay.bundle.contents import Entry, Manifest, Opening, Part
from replay.bundle.differences import comparable, differing, first_difference, line_of, named
from replay.bundle.policy import Policy
from replay.bundle.seal_keys import MAX_KEYS_BYTES, SealKeys
from replay.bundle.sealed_events import Seals, check_order
from replay.bundle.sealed_where import SealedWhere
from replay.bundle.statements import MAX_PROBLEMS, Claim, Ledger, Problem, Said, Statement, printable
from replay.bundle.trust import LawSaid
from replay.engine import ENGINE
from replay.evidence import Keys, key_id
from replay.line import read as read_line
from replay.packs import PACK_FILE, Packs

MAX_SESSION_BYTES: Final = 128 * 1024 * 1024
MAX_SESSION_EVENTS: Final = 250_000
MAX_MANIFEST_BYTES: Final = 16 * 1024 * 1024
MAX_OTHERWISE: Final = 200
"""So many are told of what another engine said otherwise."""
MAX_LINE_SHOWN: Final = 2000
NOBODY: Final = "nobody but whoever made the bundle"

HOLDER: Final = "whoever gave you the root"

__all__ = ["BundleError", "Claim", "LawSaid", "Otherwise", "Problem", "Said", "Statement", "Verified", "verify"]


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
    statements: list[Statement]
    """What is said of each claim, in the order of `Claim`."""

    @property
    def holds(self) -> bool:
        """Nothing has failed, and nothing that was asked for is missing."""
        return not self.failed

    @property
    def failed(self) -> list[Claim]:
        """The claims that do not hold, or that nobody can tell of."""
        return [one.claim for one in self.statements if one.said is Said.FAILED]

    @property
    def problems(self) -> list[Problem]:
        """All that failed, statement by statement."""
        return [problem for one in self.statements for problem in one.problems]

    @property
    def complaints(self) -> list[str]:
        """Why it does not hold, a line each."""
        return [f"{problem.place}: {problem.text}" for problem in self.problems]

    def said(self, claim: Claim) -> Statement:
        """What is said of this claim."""
        return next(one for one in self.statements if one.claim is claim)


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
    """One bundle on its way through the checks; the ledger grows."""

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
        self._ledger = Ledger()
        self._where = SealedWhere(self._ledger, members, root, policy)
        self._engine = 0
        self._openings: dict[str, Opening | None] = {}
        """By session."""
        self._otherwise: list[Otherwise] = []
        self._parts: list[tuple[Entry, str]] = []
        """Of the sessions that were looked at to the end."""
        self._counts = {"events": 0, "settlements": 0, "findings": 0}
        self._seal_keys = SealKeys(None, trusted)
        self._seals = Seals(self._ledger, self._seal_keys)

    def run(self, wrong: list[str]) -> Verified:
        found = self._manifest()
        if found is None:
            self._pass_over()
            return self._result("a bundle whose manifest cannot be read", of_a_night=False)
        self._engine = found.engine
        self._digests(found)
        self._read_rules()
        keys = self._keys()
        self._seal_keys = SealKeys(keys, self._trusted)
        self._seals = Seals(self._ledger, self._seal_keys)
        self._where.read(found)
        self._scope(found)
        named: set[str] = set()
        for number, entry in enumerate(found.sessions, 1):
            named |= self._session(number, entry, keys, found.scope.round)
        if keys and named != set(keys):
            odd = ", ".join(sorted(named ^ set(keys)))
            self._fail(Claim.SEALS, "keys.txt", f"its keys are not those that the checkpoints name ({odd})")
        self._rules(found)
        if not self._otherwise and not self._where.cannot_be_read:  # else it tells what those verdicts say, or that log
            self._page(found)
        looked = bool(self._parts) and len(self._parts) == len(found.sessions)
        if looked and not self._ledger.has_failed(Claim.BYTES, Claim.VERDICTS):
            entries = [entry for entry, _ in self._parts]
            expected = contents.manifest(found.scope, entries, self._members, engine=found.engine, form=found.format)
            self._same(Claim.BYTES, "manifest.json", expected, "not what the members make it")
        for name in wrong[:MAX_PROBLEMS]:
            if not self._ledger.names(name):
                self._fail(Claim.BYTES, name, "the container's checksum of it is wrong")
        law = self._compared()
        self._ledger.prove(Claim.BYTES, f"{len(self._members):,} members")
        self._pass_over()
        if looked:
            self._prove(law)
        return self._result(str(found.scope), of_a_night=found.scope.session is None, law=law)

    def _compared(self) -> list[LawSaid]:
        law = trust.compared(self._packs, self._law, self._openings)
        for said in law:
            if not said.trusted:
                self._fail(Claim.LAW, f"{said.rules} {said.game}".strip() or "the law", said.text)
        return law

    def _pass_over(self) -> None:
        """What was not asked, and what there is to say of it."""
        ledger = self._ledger
        if self._trusted is None:
            ledger.pass_over(Claim.KEYS, "whose they are, the bundle alone says")
        unscoped = self._seal_keys.unscoped(self._seals.signed_by)
        if unscoped:
            ledger.pass_over(Claim.SCOPE, f"nobody has said for which, of {', '.join(unscoped)}")
        elif not self._trusted:
            ledger.pass_over(Claim.SCOPE, "for which they are, the bundle alone says")
        if not self._where.is_asked:
            where = "the head in the bundle" if self._where.said else "none, for no head is in the bundle"
            ledger.pass_over(Claim.LOG, f"they stand under {where}; who vouches for that: {self._where.vouched}")

    def _prove(self, law: list[LawSaid]) -> None:
        """All sessions were looked at: so far does what was found reach."""
        ledger, seals = self._ledger, self._seals
        ledger.prove(Claim.ORDER, f"{_count(len(self._parts), 'session')}, {_count(self._counts['events'], 'event')}")
        ledger.prove(Claim.SEALS, _count(seals.good, "seal"))
        recomputed = (_count(self._counts[what], what[:-1]) for what in ("settlements", "findings"))
        ledger.prove(Claim.VERDICTS, ", ".join(recomputed))
        ledger.prove(Claim.LAW, "; ".join(f"{said.rules} {said.game}" for said in law))
        if self._trusted is not None and seals.unsigned:
            text = f"{_count(seals.unsigned, 'seal')} with no signature that holds: by whose key, cannot be told"
            self._fail(Claim.KEYS, "the seals", text)
        if seals.trusted and not ledger.has_failed(Claim.KEYS):
            ledger.prove(Claim.KEYS, f"{_count(seals.trusted, 'seal')} by {', '.join(sorted(seals.signed_by))}")
            if not self._seal_keys.unscoped(seals.signed_by):
                ledger.prove(Claim.SCOPE, _count(seals.trusted, "seal"))
        if self._where.is_asked:
            ledger.prove(Claim.LOG, self._where.detail)

    def _result(self, scope: str, *, of_a_night: bool, law: list[LawSaid] | None = None) -> Verified:
        return Verified(
            scope=printable(scope),
            sessions=len(self._parts),
            events=self._counts["events"],
            seals=self._seals.good,
            settlements=self._counts["settlements"],
            findings=self._counts["findings"],
            rules=sorted({entry.rules for entry, _ in self._parts}),
            law=law or [],
            engine=self._engine,
            otherwise=self._otherwise,
            keys=sorted(self._seals.signed_by),
            unscoped=self._seal_keys.unscoped(self._seals.signed_by),
            sealed=printable(self._where.said),
            vouched=printable(self._where.vouched),
            statements=self._ledger.statements(of_a_night=of_a_night),
        )

    def _fail(self, claim: Claim, place: str, text: str) -> None:
        self._ledger.fail(claim, place, text)

    def _by_another_engine(self, place: str, what: str, theirs: str, ours: str) -> None:
        text = f"{what}: made by rules engine {self._engine}; engine {ENGINE} says otherwise"
        self._fail(Claim.VERDICTS, place, text)
        if len(self._otherwise) < MAX_OTHERWISE:
            cut = [printable(line, MAX_LINE_SHOWN) for line in (theirs, ours)]
            self._otherwise.append(Otherwise(place=place, text=printable(text), theirs=cut[0], ours=cut[1]))

    def _content(self, claim: Claim, name: str) -> bytes | None:
        """A member's bytes; that it is missing fails this claim."""
        found = self._members.get(name)
        if found is None:
            self._ledger.misses(claim, name)
        return None if found is None else bytes(found)

    def _same(self, claim: Claim, name: str, expected: bytes, text: str) -> None:
        """The member has these very bytes; else the first line that differs is named."""
        found = self._content(claim, name)
        if found is not None and found != expected:
            self._fail(claim, f"{name}, line {first_difference(found, expected)}", text)

    # --- manifest, keys, rules, page ------------------------------------------------------------------------------

    def _manifest(self) -> Manifest | None:
        content = self._members.get("manifest.json")
        if content is None:
            self._ledger.misses(Claim.BYTES, "manifest.json")
            return None
        if len(content) > MAX_MANIFEST_BYTES:
            raise BundleError(f"has a manifest of {len(content):,} bytes; {MAX_MANIFEST_BYTES:,} are the most")
        try:
            return msgspec.json.decode(content, type=Manifest)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            self._fail(Claim.BYTES, "manifest.json", f"cannot be read ({error})")
            return None

    def _digests(self, found: Manifest) -> None:
        """Every member is in the manifest, with its digest, and nothing else is."""
        listed = {member.name: member for member in found.members}
        if len(listed) != len(found.members):
            self._fail(Claim.BYTES, "manifest.json", "names a member twice")
        for name, content in self._members.items():
            if name == "manifest.json":
                continue
            member = listed.pop(name, None)
            if member is None:
                self._fail(Claim.BYTES, name, "was added: the manifest does not name it")
            elif (member.bytes, member.sha256) != (len(content), hashlib.sha256(content).hexdigest()):
                self._fail(Claim.BYTES, name, "was altered: its digest is not the manifest's")
        for name in listed:
            self._ledger.misses(Claim.BYTES, name)

    def _scope(self, found: Manifest) -> None:
        scope, sessions = found.scope, found.sessions
        names = [entry.session for entry in sessions]
        if scope.session is not None:
            fits = scope.date is None and names == [scope.session]
        else:
            fits = scope.date is not None and scope.round is None and names == sorted(set(names)) and bool(names)
            fits = fits and all(entry.gaming_day == scope.date for entry in sessions)
        if not fits:
            self._fail(Claim.BYTES, "manifest.json", f"its sessions are not those of {scope}")
        folders = {f"sessions/{number:04d}" for number in range(1, len(sessions) + 1)}
        for name in self._members:
            if name.startswith("sessions/") and name.rpartition("/")[0] not in folders:
                self._fail(Claim.BYTES, name, "belongs to no session of the manifest")

    def _keys(self) -> Keys | None:
        content = self._content(Claim.SEALS, "keys.txt")
        if content is None:
            return None
        if len(content) > MAX_KEYS_BYTES:
            raise BundleError(f"holds {len(content):,} bytes of keys; {MAX_KEYS_BYTES:,} are the most")
        try:
            found = contents.read_keys(content.decode("ascii"))
        except ValueError as error:
            self._fail(Claim.SEALS, "keys.txt", f"cannot be read ({error})")
            return None
        self._same(Claim.BYTES, "keys.txt", contents.keys_text(found).encode(), "not as retally writes it")
        if not found and self._trusted is None:
            self._fail(Claim.SEALS, "keys.txt", "holds no key: that the table sealed these events is not proven")
        for name, key in found.items():
            if key_id(key) != name:
                self._fail(
                    Claim.SEALS, "keys.txt", f"key {name} is not what it is called: its own name is {key_id(key)}"
                )
            if self._trusted is not None and name not in self._trusted:
                self._fail(Claim.KEYS, "keys.txt", f"key {name} is none of those that you trust")
            elif self._trusted is not None and bytes(self._trusted[name]) != bytes(key):
                self._fail(Claim.KEYS, "keys.txt", f"key {name} is another than the one that you trust")
        return found

    def _read_rules(self) -> None:
        self._packs, wrong = trust.read_rules(self._members)
        for one in wrong:
            self._fail(Claim.VERDICTS, f"rules/{one.file}", str(one.fault))

    def _rules(self, found: Manifest) -> None:
        """The rules are those that the sessions were judged by, whole, and no others."""
        wrong = trust.faults(self._packs, self._openings.values())
        for one in wrong:
            self._fail(Claim.VERDICTS, f"rules/{one.file}", str(one.fault))
        for entry in found.sessions:
            if entry.law and entry.rules in self._packs.names and entry.game not in self._packs.pack(entry.rules).games:
                self._ledger.misses(Claim.VERDICTS, f"rules/{entry.rules}/{entry.game}.toml")
            elif entry.law and entry.rules not in self._packs.names:
                self._ledger.misses(Claim.VERDICTS, f"rules/{entry.rules}/{PACK_FILE}")
        judged_by = contents.rule_files(contents.carried(self._packs, self._openings.values()))
        for name in contents.rule_files(self._packs):
            if name not in judged_by and not wrong:
                self._fail(Claim.BYTES, name, "is no file of the rules that the sessions were judged by")

    def _page(self, found: Manifest) -> None:
        name, sections = "index.html", [section for _, section in self._parts]
        page = self._content(Claim.VERDICTS, name)
        if page is None:
            return
        expected = contents.index_page_as(page, found.format, found.scope, sections, self._where.said)
        if expected is None:
            self._fail(
                Claim.VERDICTS, name, "the frame of the page, with the verifier in it, is none that retally made"
            )
            return
        if page == expected:
            return
        number = first_difference(page, expected)
        if self._engine == ENGINE:
            self._fail(Claim.VERDICTS, f"{name}, line {number}", "the page says something else than the verdicts")
        else:
            theirs, ours = (line_of(text, number).decode("utf-8", "replace") for text in (page, expected))
            self._by_another_engine(f"{name}, line {number}", "the page", theirs, ours)

    # --- a session ------------------------------------------------------------------------------------------------

    def _session(self, number: int, entry: Entry, keys: Keys | None, round_number: int | None) -> set[str]:
        """Check one session; the keys that its checkpoints name."""
        folder = f"sessions/{number:04d}"
        place = f"{folder}/events.jsonl"
        member = self._members.get(place)
        if member is None:
            self._ledger.misses(Claim.BYTES, place)
            return set()
        if len(member) > MAX_SESSION_BYTES:
            raise BundleError(f"holds {len(member):,} bytes in {place}; {MAX_SESSION_BYTES:,} are the most")
        content = bytes(member)
        if content.count(b"\n") > MAX_SESSION_EVENTS:
            raise BundleError(f"holds more than {MAX_SESSION_EVENTS:,} events in {place}")
        lines = content.split(b"\n")
        if lines.pop() != b"":
            self._fail(Claim.ORDER, place, "ends within a line")
        heads = [read_line(line) for line in lines]
        check_order(self._ledger, place, entry.session, heads)
        self._seals.check(place, lines, heads)
        self._openings[entry.session] = contents.opening(lines)
        made = self._judged(place, entry.session, number, lines, keys, round_number)
        if made is not None:
            self._verdicts(folder, entry, made, round_number)
            self._where.check(place, made.entry, lines, self._packs)
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
            text = f"cannot be judged under the rules in the bundle ({type(error).__name__}: {error})"
            self._fail(Claim.VERDICTS, place, text)
            return None

    def _verdicts(self, folder: str, entry: Entry, made: Part, round_number: int | None) -> None:
        """The verdicts, and what the manifest says of the session, are those that follow from the events."""
        if not made.entry.law:
            self._fail(Claim.VERDICTS, folder, "no rules in the bundle can judge it: no bet of it was looked at")
        if round_number is not None and not made.rounds:
            self._fail(Claim.VERDICTS, "manifest.json", f"session {entry.session} has no round {round_number}")
        if made.entry != entry:
            names = [name for name in Entry.__struct_fields__ if getattr(made.entry, name) != getattr(entry, name)]
            text = f"what it says of session {entry.session} is wrong ({', '.join(names)})"
            self._fail(Claim.VERDICTS, "manifest.json", text)
        name = f"{folder}/verdicts.jsonl"
        found = self._content(Claim.VERDICTS, name)
        if found is None or found == made.verdicts:
            return
        if self._engine != ENGINE and comparable(found, made.verdicts):
            for one in differing(found, made.verdicts):
                self._by_another_engine(f"{name}, line {one.line}", one.what, one.theirs, one.ours)
            return
        number = first_difference(found, made.verdicts)
        theirs, ours = (named(text, number) for text in (found, made.verdicts))
        what = theirs if theirs == ours else f"{theirs or 'nothing'}, where {ours or 'nothing'} follows from the events"
        text = f"{what}: this is not what follows from the events under the rules"
        self._fail(Claim.VERDICTS, f"{name}, line {number}", text)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
