"""The genuine floor that the forger works from: two nights of five tables, sealed by their gateway, logged by the
house, cosigned by the regulator. And his workshop: retally itself, which makes all else fit whatever he has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cache
from typing import Any, Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.bundle import contents, logged, sealing
from replay.bundle.contents import Scope
from replay.bundle.house_log import FloorLog
from replay.bundle.strict import NoteError
from replay.evidence import NO_SIGNATURE, Keys, key_id, public_half, sign
from replay.key_scope import Grant, ScopedKeys, Terms, chosen
from replay.packs import Packs
from streams import bundle_files
from streams.key_files import Entry, key_file
from tests.installed import PACKS, judged
from tests.replay import logs
from tests.replay.bundle import floors
from tests.replay.bundle.bundles import EVENTS, VERDICTS, Members, unpacked

__all__ = ["EVENTS", "VERDICTS", "Floor", "Lines", "Members", "unpacked"]

BEFORE: Final = "2026-11-28"
DAY: Final = "2026-11-29"
TABLES: Final = ("BO01", "BO02", "BO03", "BO04", "BO05")
KEY: Final = logs.KEY
"""Of the gateway of these tables."""
OTHER_KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
"""Of the gateway of table BO77, which the house trusts as well."""
OWN_KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(3, 35)))
"""The forger's own."""
OWN_KEYS: Final = {key_id(public_half(OWN_KEY)): public_half(OWN_KEY)}
KEY_ID: Final = key_id(public_half(KEY))

Lines = list[bytes]


def _entry(key: Ed25519PrivateKey, gateway: str, table: str) -> Entry:
    grant = Grant(tables=(table,), since=date(2026, 11, 1), until=date(2026, 11, 30))
    return Entry(key_id(public_half(key)), public_half(key), grant, gateway)


def _scoped(entries: Iterable[Entry]) -> ScopedKeys:
    return ScopedKeys(
        {one.name: one.key for one in entries},
        {one.name: Terms(gateway=one.gateway, grants=(one.grant,)) for one in entries},
    )


_ENTRIES: Final = (_entry(KEY, "BO-gateway", "BO0*"), _entry(OTHER_KEY, "BO77-gateway", "BO77"))


class Floor:
    """What is genuine."""

    keys: Final = _scoped(_ENTRIES)
    """Of the house's gateways, with their scope."""
    keys_text: Final = key_file(_ENTRIES)
    policy_text: Final = f"log {floors.KEY}\nwitness regulator {floors.WITNESS_KEY}\nquorum regulator\n"

    def __init__(self) -> None:
        coups = [logs.Coup(7, [logs.Stake("red"), logs.Stake("straight_up", 3)]), logs.Coup(5, [logs.Stake("black")])]
        wrong = [logs.Coup(7, [logs.Stake("red"), logs.Stake("straight_up", 3, error=90000)]), coups[1]]
        self.night = {
            f"{table}-{DAY}": logs.boule(wrong if table == "BO02" else coups, session=f"{table}-{DAY}")
            for table in TABLES
        }
        """The sessions: at BO02 900.00 too much are paid on a bet that lost (b1-1), at the others all is well."""
        self.night_before = {
            name.replace(DAY, BEFORE): logs.Log(name.replace(DAY, BEFORE), log.table, _a_day_before(log.lines))
            for name, log in self.night.items()
        }
        self.log = FloorLog(floors.KEY)
        """Both nights, their heads cosigned by the witness."""
        for day, night in ((BEFORE, self.night_before), (DAY, self.night)):
            self.seal(self.log, day, {name: log.lines for name, log in night.items()})
            self.log.nights[-1] = floors.cosigned(self.log.nights[-1])
        self.root = self.log.state.root

    def lines(self, session: str = f"BO01-{DAY}") -> Lines:
        """A genuine session's."""
        return list((self.night | self.night_before)[session].lines)

    def seal(self, log: FloorLog, day: str, night: Mapping[str, Lines], **other: Any) -> None:
        """The house seals a night in a log, these sessions as they are judged under its keys."""
        judging = judged(keys=self.keys)
        found = [sealing.judged(name, lines, judging) for name, lines in night.items()]
        other = {"roster": sorted({one.table for one in found if one is not None}), "keys": self.keys, **other}
        floors.sealed(log, day, [one for one in found if one is not None], **other)

    # --- genuine bundles, and what is in them of the log ---------------------------------------------------------

    def in_the_log(self, session: str = f"BO01-{DAY}", log: FloorLog | None = None) -> Members:
        """The members of a session's bundle that place it in the log."""
        return logged.members_of_session(log or self.log, session)

    def night_in_the_log(self, day: str = DAY, log: FloorLog | None = None) -> Members:
        """The members of a night's bundle that place it in the log."""
        return logged.members_of_night(log or self.log, day)

    def session(self, session: str = f"BO01-{DAY}", *, round_number: int | None = None) -> Members:
        """The genuine bundle of a session, or of one of its rounds."""
        scope = Scope(session=session, round=round_number)
        return unpacked(self.made(scope, {session: self.lines(session)}, self.in_the_log(session)))

    def whole_night(self) -> Members:
        """The genuine bundle of the night."""
        night = {name: log.lines for name, log in self.night.items()}
        return unpacked(self.made(Scope(date=DAY), night, self.night_in_the_log()))

    # --- the workshop -------------------------------------------------------------------------------------------

    def made(
        self,
        scope: Scope,
        sessions: Mapping[str, Sequence[bytes]],
        in_the_log: Members,
        *,
        keys: Keys | None = None,
        packs: Packs = PACKS,
        seal: str = "",
    ) -> bytes:
        """A bundle of these events, in which all else is what follows from them: verdicts, page, manifest. ``keys``:
        those that he puts in; the house's where none are given, of these the ones that are named. ``seal``: what the
        page says of where it was sealed, where that is not the log's to say."""
        named = set().union(*map(contents.keys_named, sessions.values()))
        used = chosen(self.keys if keys is None else keys, sorted(named))
        law = contents.carried(packs, map(contents.opening, sessions.values()))
        parts = [
            contents.part(name, number, list(lines), packs=law, keys=used or None, round_number=scope.round)
            for number, (name, lines) in enumerate(sorted(sessions.items()), 1)
        ]
        said = seal
        if any(name.startswith("log/") for name in in_the_log):
            with suppress(NoteError):
                said = logged.read_members(in_the_log, of_a_night=scope.session is None).said
        return bundle_files.pack(contents.build(scope, parts, law, used, in_the_log, said))


def _a_day_before(lines: Iterable[bytes]) -> Lines:
    return logs.resealed([line.replace(DAY.encode(), BEFORE.encode()) for line in lines])


@cache
def floor() -> Floor:
    """The genuine floor; it is made once."""
    return Floor()


# --- tools --------------------------------------------------------------------------------------------------------


def anew(members: Mapping[str, bytes | None]) -> bytes:
    """A bundle of these members, with a manifest whose digests fit them; None: take it out."""
    left = {name: content for name, content in sorted(members.items()) if content is not None}
    manifest = msgspec.json.decode(left["manifest.json"], type=contents.Manifest)
    left["manifest.json"] = contents.manifest(manifest.scope, manifest.sessions, left, engine=manifest.engine)
    return bundle_files.pack(left)


def packed(members: Mapping[str, bytes | None]) -> bytes:
    """A bundle of these members as they are; None: take it out."""
    return bundle_files.pack({name: content for name, content in sorted(members.items()) if content is not None})


def joined(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def place_of(lines: Sequence[bytes], what: str, nth: int = 0) -> int:
    """The index of the nth event of a type."""
    return [place for place, line in enumerate(lines) if json.loads(line)["type"] == what][nth]


def with_line(lines: Sequence[bytes], place: int, change: Callable[[bytes], bytes]) -> Lines:
    """The lines with one of them changed."""
    found = [change(line) if index == place else line for index, line in enumerate(lines)]
    assert found != list(lines)
    return found


def written(event: dict[str, Any]) -> bytes:
    return json.dumps(event, separators=(",", ":")).encode()


def sealed_by(
    key: Ed25519PrivateKey,
    lines: Sequence[bytes],
    *,
    after: int = 0,
    spelt: Callable[[bytes], bytes] = lambda line: line,
    **fields: Any,
) -> Lines:
    """The lines, with every checkpoint behind the first ``after`` of them made anew by this key. ``fields``: others for
    those checkpoints; ``spelt``: how their lines are written before they are signed."""
    made: Lines = []
    chain = hashlib.sha256()
    for place, line in enumerate(lines):
        if b'"chain"' in line:
            value = chain.hexdigest()
            if place >= after:
                unsigned = {"chain": value, "key": key_id(public_half(key)), "signature": NO_SIGNATURE}
                line = spelt(written(json.loads(line) | fields | unsigned))
                line = line.replace(NO_SIGNATURE.encode(), sign(key, value, line).encode())
            chain = hashlib.sha256(bytes.fromhex(json.loads(line)["chain"]))
        chain.update(line + b"\n")
        made.append(line)
    return made
