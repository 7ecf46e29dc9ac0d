"""What an evidence bundle of given events must contain: all in it but events, keys and seal follows from the events.

========================  ==============================================================================================
member                    content
========================  ==============================================================================================
``index.html``            the page for people (`replay.bundle.page`)
``keys.txt``              the public keys that the checkpoints name, ``key-id hexadecimal`` a line; of a key that counts
                          for some tables and days alone, a blank and its `replay.key_scope.Terms` as JSON besides
``manifest.json``         `Manifest`: scope, sessions, and SHA-256 of every other member
``rules/PACK/*.toml``     the law: all texts that the sessions are judged by (`carried`), and no other
``log/…``                 what places the sessions in the floor's log (`replay.bundle.logged`), where they stand in one
``seal.json``             `replay.bundle.seals.SealProof`: in the place of ``log/…``, of nights that were sealed before
                          there was such a log
``sessions/N/events…``    every event line of the session in order, as it came, checkpoints included
``sessions/N/verdicts…``  what retally says: settlements, findings, rounds, cage, streaks, the session in one row
========================  ==============================================================================================

Of a bundle of one round the verdicts and the page tell of that round alone; the events are the whole session's all the
same, for what a round comes to hangs on the shoe, the point and the stakes before it, and on the seals after it.

A bundle is judged by the law that is in it and by nothing else, when it is made as when it is verified: whatever packs
are installed then, the same events give the same verdicts. Which members there are, and what the manifest and the seal
look like, belongs to `FORMAT`; what verdicts and page say of given events, to `replay.engine.ENGINE`.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec

from replay import key_scope
from replay.bundle import page
from replay.bundle.seals import Head
from replay.engine import ENGINE
from replay.evidence import Keys, public_key
from replay.forensics import Step, replay
from replay.judging import Judging
from replay.key_scope import ScopedKeys, Terms
from replay.line import read as read_line
from replay.opening import day_of
from replay.order import Ordered
from replay.packs import Packs
from replay.refold import fold
from replay.results import Cage, Finding, Round, SessionSummary, Settlement, Streak
from replay.rules import RuleError
from replay.streaks.watch import WatchSettings

Format = Literal["retally-evidence/3", "retally-evidence/4"]
FORMAT: Final[Format] = "retally-evidence/4"
"""Of the bundles that are made now: in their page there is a verifier. Those of format 3, whose page has none, are
verified as they ever were; in all else they are alike."""
WATCHING: Final = WatchSettings()
"""Streaks are judged as the format says, at 1 night in 100 and for 100 tables, whatever level a floor has set itself: a
verdict must follow from the events alone."""
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Text = Annotated[str, msgspec.Meta(max_length=64)]


class Scope(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the bundle was made of: a session, one round of it, or all sessions of a gaming day."""

    session: Text | None = None
    round: Annotated[int, msgspec.Meta(ge=1, le=10**9)] | None = None
    date: Text | None = None

    def __str__(self) -> str:
        if self.session is None:
            return f"the night of {self.date}"
        return f"session {self.session}" if self.round is None else f"round {self.round} of session {self.session}"


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A session of the bundle."""

    session: Text
    folder: Text
    """``sessions/0001``."""
    gaming_day: Text
    game: Text
    rules: Text
    """The rule pack that it was judged by; what the table named, where it cannot be judged."""
    law: Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{64})?\Z")]
    """The digest of that pack's texts on the game (`replay.packs.Packs.digest`); empty where it cannot be judged."""
    events: Count
    chain: str
    """Its last checkpoint's chain; empty where it has none."""


class Member(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A member and its digest."""

    name: Annotated[str, msgspec.Meta(max_length=128)]
    bytes: Count
    sha256: Digest


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bundle's table of contents."""

    format: Format = FORMAT
    engine: Annotated[int, msgspec.Meta(ge=1, le=2**31)]
    """The rules engine that reached the verdicts (`replay.engine.ENGINE`)."""
    scope: Scope
    sessions: list[Entry]
    members: list[Member]
    """All but the manifest itself, in order of their names."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What follows from the events of one session under the law in the bundle."""

    entry: Entry
    events: bytes
    verdicts: bytes
    section: str
    """Its part of the page."""
    findings: int
    settlements: int
    rounds: int


def arranged(name: str, lines: Iterable[bytes], keys: Keys | None) -> list[bytes]:
    """The lines of one session that count, in the order of ``seq``, each once: of contradictory ones those that the
    seals bear out, see `replay.order.Ordered.counted`. Lines of which neither session nor seq can be read are nobody's,
    and left out."""
    return Ordered(name, lines, keys).counted()


def read_keys(text: str) -> ScopedKeys:
    """The public keys of ``keys.txt``; raises ValueError."""
    found: dict[str, Any] = {}
    terms: dict[str, Terms] = {}
    for line in text.splitlines():
        name, hexadecimal, *more = line.split(" ", 2)
        found[name] = public_key(hexadecimal)
        if more:
            terms[name] = key_scope.decoded(more[0])
    return ScopedKeys(found, terms)


def keys_text(keys: Keys) -> str:
    """``keys.txt``."""
    terms = key_scope.terms_of(keys)
    lines = []
    for name in sorted(keys):
        scope = f" {key_scope.encoded(terms[name])}" if name in terms else ""
        lines.append(f"{name} {bytes(keys[name]).hex()}{scope}\n")
    return "".join(lines)


def keys_named(lines: Iterable[bytes]) -> set[str]:
    """The keys that the checkpoints among these lines name."""
    return {event.key for event in map(_checkpoint, lines) if event is not None}


def final_chain(name: str, lines: Iterable[bytes]) -> str:
    """The chain of a session's last checkpoint, by ``seq``; empty where it has none."""
    sealed = [
        (event.seq, event.chain) for event in map(_checkpoint, lines) if event is not None and event.session == name
    ]
    return max(sealed)[1] if sealed else ""


def _checkpoint(line: bytes) -> Any:
    """The checkpoint that this line is; None: it is none."""
    read = read_line(line)
    return read.event if read.type == "checkpoint" else None


class Opening(NamedTuple):
    """Under which law a table was opened, in its own words."""

    rules: str
    """A rule pack, or a jurisdiction."""
    day: datetime.date
    """The gaming day."""
    game: str

    def under(self, packs: Packs) -> str | None:
        """The one of these packs that this means, if it has the game; None where there is none."""
        try:
            pack = packs.resolve(self.rules, self.day, self.game)
        except RuleError:
            return None
        return pack.name if self.game in pack.games else None


def opening(lines: Iterable[bytes]) -> Opening | None:
    """How the session of these events was opened; None where it does not begin with the opening of a table."""
    found: dict[bytes, Any] = {}
    for line in lines:
        read = read_line(line)
        if read.event is not None and read.seq == 1:
            found[line] = read.event
    events = list(found.values())
    if len(events) != 1 or events[0].type != "table_opened":
        return None
    event = events[0]
    return Opening(event.rules, datetime.date.fromisoformat(day_of(event)), event.game)


def carried(packs: Packs, openings: Iterable[Opening | None]) -> Packs:
    """Of these packs, the texts that tables so opened are judged by: those of the packs that theirs stand on included.
    Under these alone every table means the same pack, and that pack says the same of its game, as under all."""
    texts: dict[str, dict[str, bytes]] = {}
    for one in dict.fromkeys(openings):
        pack = None if one is None else one.under(packs)
        if one is None or pack is None:
            continue
        try:
            files = packs.texts(pack, one.game)
        except RuleError:  # it stands on a pack that there is not: nothing is judged by it
            continue
        for place, text in files.items():
            name, _, file = place.partition("/")
            texts.setdefault(name, {})[file] = text
    return Packs(texts)


def part(
    name: str, number: int, lines: list[bytes], *, packs: Packs, keys: Keys | None, round_number: int | None = None
) -> Part:
    """What a bundle holds of a session: the ``number``-th, with the events ``lines`` in order (see `arranged`).
    ``packs``: the law in the bundle (`carried`)."""
    judging = Judging(packs=packs, keys=keys, watching=WATCHING)
    rows, summary = fold(name, lines, judging)
    chosen = rows if round_number is None else _of_round(rows, round_number)
    settled = next((row.rules for row in rows if isinstance(row, Settlement | Round)), summary.rules)
    entry = Entry(
        session=name,
        folder=f"sessions/{number:04d}",
        gaming_day=summary.gaming_day,
        game=summary.game,
        rules=settled,
        law=summary.law,
        events=len(lines),
        chain=final_chain(name, lines),
    )
    steps: tuple[Step, ...] = ()
    if round_number is not None:
        steps = replay(name, lines, judging, round_number=round_number).steps
    return Part(
        entry=entry,
        events=b"".join(line + b"\n" for line in lines),
        verdicts=b"".join(_line(row) for row in (*chosen, summary)),
        section=page.section(entry.folder, summary, chosen, steps, settled),
        findings=sum(isinstance(row, Finding) for row in chosen),
        settlements=sum(isinstance(row, Settlement) for row in chosen),
        rounds=sum(isinstance(row, Round) for row in chosen),
    )


def _of_round(rows: list[Any], number: int) -> list[Any]:
    """The verdicts of a round, and those about bets that were placed in it."""
    placed = {row.seqs[0] for row in rows if isinstance(row, Settlement) and row.round == number}
    return [row for row in rows if _belongs(row, number, placed)]


def _belongs(row: Any, number: int, placed: set[int]) -> bool:
    if isinstance(row, Cage):
        return False
    if row.round == number:
        return True
    return isinstance(row, Finding) and bool(row.bet) and not placed.isdisjoint(row.seqs)


_RECORDS: Final[dict[type[Any], str]] = {
    Settlement: "settlement",
    Finding: "finding",
    Round: "round",
    Cage: "cage",
    Streak: "streak",
    SessionSummary: "session",
}


def _line(row: Any) -> bytes:
    return msgspec.json.encode({"record": _RECORDS[type(row)], **msgspec.structs.asdict(row)}) + b"\n"


def rule_files(packs: Packs) -> dict[str, bytes]:
    """The members under ``rules/``: these packs."""
    return {f"rules/{pack}/{file}": text for pack, files in packs.files.items() for file, text in files.items()}


def index_page(scope: Scope, sections: list[str], seal: str) -> bytes:
    """``index.html``; ``seal``: where the sessions were sealed, in words, empty where they were not."""
    return page.page(str(scope), sections, seal).encode()


def index_page_as(found: bytes, form: Format, scope: Scope, sections: list[str], seal: str) -> bytes | None:
    """``index.html`` of a bundle of this format, as it must be if the frame is that of the page ``found``; None where
    that is in no frame that retally ever gave out."""
    if form == "retally-evidence/3":
        return page.page_of_format_3(str(scope), sections, seal).encode()
    around = page.frame_of(found.decode("utf-8", "replace"))
    if around is None or around.digest not in page.KNOWN_FRAMES:
        return None
    return page.page(str(scope), sections, seal, around).encode()


def old_seal(head: Head) -> str:
    """The seal of the old form in words."""
    return f"{head.date}, {head.size} sessions so far, root {head.root}; unwitnessed"


def manifest(
    scope: Scope,
    entries: list[Entry],
    members: Mapping[str, bytes | memoryview],
    *,
    engine: int = ENGINE,
    form: Format = FORMAT,
) -> bytes:
    """``manifest.json`` for these members, which must be in order of their names."""
    listed = [
        Member(name=name, bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
        for name, content in members.items()
        if name != "manifest.json"
    ]
    return pretty(Manifest(format=form, engine=engine, scope=scope, sessions=entries, members=listed))


def pretty(value: msgspec.Struct) -> bytes:
    """Canonical JSON for people: two blanks a level, one line end at the end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def build(
    scope: Scope, parts: list[Part], packs: Packs, keys: Keys, sealed: Mapping[str, bytes], seal: str
) -> dict[str, bytes]:
    """All members of a bundle by name, in order. ``packs``: the law that the parts were made under; ``sealed``: the
    members under ``log/``, or ``seal.json``, or none, and ``seal`` what they say, in words."""
    found: dict[str, bytes] = {"keys.txt": keys_text(keys).encode(), **rule_files(packs), **sealed}
    for one in parts:
        found[f"{one.entry.folder}/events.jsonl"] = one.events
        found[f"{one.entry.folder}/verdicts.jsonl"] = one.verdicts
    found["index.html"] = index_page(scope, [one.section for one in parts], seal)
    found = {name: found[name] for name in sorted(found)}
    found["manifest.json"] = manifest(scope, [one.entry for one in parts], found)
    return {name: found[name] for name in sorted(found)}
