"""Evidence bundles for tests: one made of a short night of boule, and the tools of somebody who would alter it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from replay.bundle import contents, sealing
from replay.bundle import verify as verifier
from replay.bundle.contents import Scope
from replay.bundle.house_log import FloorLog
from replay.bundle.policy import Policy
from replay.bundle.seals import Seal
from replay.bundle.verify import Verified
from replay.engine import ENGINE
from replay.evidence import Keys
from replay.packs import Packs
from streams import bundle_files
from tests.installed import PACKS, judged
from tests.replay import logs
from tests.replay.bundle import floors
from tests.replay.bundle.floors import KEY

DAY: Final = "2026-11-29"
LOG: Final = logs.boule([logs.Coup(7, [logs.Stake("red"), logs.Stake("straight_up", 3, error=100)])])
OTHER: Final = logs.boule([logs.Coup(2, [logs.Stake("black")])], session="BO02-2026-11-29")
EVENTS: Final = "sessions/0001/events.jsonl"
VERDICTS: Final = "sessions/0001/verdicts.jsonl"

Members = dict[str, bytes]


class Night:
    """A source that holds these logs."""

    def __init__(self, *held: logs.Log) -> None:
        self._held = {log.session: log.lines for log in held}

    def session(self, name: str) -> list[bytes]:
        return self._held[name]

    def night(self, day: str) -> Iterator[tuple[str, list[bytes]]]:
        yield from ((name, lines) for name, lines in sorted(self._held.items()) if name.endswith(day))


def floor_log(*held: logs.Log) -> FloorLog:
    """The log of a floor with one night, in which these were sealed."""
    made = (sealing.judged(one.session, one.lines, judged(keys=logs.KEYS)) for one in held)
    log = FloorLog(KEY)
    floors.sealed(log, DAY, [one for one in made if one is not None], roster=[one.table for one in held])
    return log


def members(scope: Scope | None = None, *held: logs.Log, packs: Packs = PACKS) -> Members:
    """The members of a bundle, as it is exported from the night and the floor's log."""
    held = held or (LOG, OTHER)
    return unpacked(exported(Night(*held), scope or Scope(session=LOG.session), packs=packs, log=floor_log(*held)))


def exported(
    night: Night, scope: Scope, *, packs: Packs = PACKS, log: FloorLog | None = None, sealed: Seal | None = None
) -> bytes:
    """A bundle under the gateway's keys."""
    return bundle_files.export(night, scope, packs=packs, keys=logs.KEYS, log=log, sealed=sealed)


def verify(
    content: bytes,
    *,
    packs: Packs = PACKS,
    keys: Keys | None = None,
    root: str | None = None,
    policy: Policy | None = None,
) -> Verified:
    """The verifier, which trusts these packs: the installed ones."""
    return verifier.verify(content, packs=packs, keys=keys, root=root, policy=policy)


def unpacked(content: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forged(found: Members, **changes: Any) -> bytes:
    """A bundle with other members and a manifest whose digests fit them. ``changes``: name -> content."""
    return by_engine(ENGINE, found, **changes)


def by_engine(engine: int, found: Members, **changes: Any) -> bytes:
    """The same, which says that it was made by this rules engine."""
    altered = {**found, **changes}
    altered = {name: altered[name] for name in sorted(altered) if altered[name] is not None}
    manifest = msgspec.json.decode(found["manifest.json"], type=contents.Manifest)
    altered["manifest.json"] = contents.manifest(manifest.scope, manifest.sessions, altered, engine=engine)
    return bundle_files.pack({name: altered[name] for name in sorted(altered)})


def rewritten(lines: Sequence[bytes], packs: Packs = PACKS) -> bytes:
    """What a forger with retally at hand, but without the gateway's key, makes of these events under these rules:
    verdicts, page and manifest are all those of the events as he has them. Of the floor's log he has nothing."""
    law = contents.carried(packs, [contents.opening(lines)])
    part = contents.part(LOG.session, 1, list(lines), packs=law, keys=logs.KEYS)
    return bundle_files.pack(contents.build(Scope(session=LOG.session), [part], law, logs.KEYS, {}, ""))


def swapped(lines: list[bytes], one: int, other: int) -> list[bytes]:
    """The lines with two of them in each other's place (indices)."""
    moved = list(lines)
    moved[one], moved[other] = moved[other], moved[one]
    return moved
