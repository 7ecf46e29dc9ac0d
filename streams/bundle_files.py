"""Evidence bundles as files: exported from a log or a store, sealed night by night, verified from the disk.

What is in a bundle, `replay.bundle.contents` says; what a verification proves, `replay.bundle.verify`. Here is the
I/O: the zip is written by the standard library, and read back by `replay.bundle.container`, which shares nothing with
it.
"""

from __future__ import annotations

import io
import mmap
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from replay.bundle import contents, seals
from replay.bundle import verify as verifier
from replay.bundle.contents import Part, Scope
from replay.bundle.seals import Seal, SealError
from replay.bundle.verify import BundleError, Verified
from replay.engine import ENGINE
from replay.evidence import Keys
from replay.key_scope import chosen
from replay.packs import Packs
from streams.bounds import TooLarge, read_bytes
from streams.sources import Source, SourceError
from streams.whole import write_whole

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
_MAX_SEAL_BYTES = 16 * 1024 * 1024


class ExportError(SourceError):
    """A bundle or seal that cannot be made, written or read: one clear line."""


def export(
    source: Source,
    scope: Scope,
    *,
    packs: Packs,
    keys: Keys | None = None,
    sealed: Seal | None = None,
) -> bytes:
    """The bundle of a session, one of its rounds, or a night, as the bytes of a zip file. The same events, law, keys
    and seal give the same bytes, anywhere.

    ``packs``: the law; what the sessions are judged by of it goes into the bundle, and they are judged by that alone.
    ``sealed``: the night's seal as it was issued; without it the night is sealed here, from all of its sessions in
    ``source``, as the first of its tree.

    Raises:
        SourceError: there is no such session, round or night; or the seal is another night's.
    """
    keys = keys or {}
    if scope.date is not None:
        found = {name: contents.arranged(name, lines) for name, lines in source.night(scope.date)}
    else:
        assert scope.session is not None
        found = {scope.session: contents.arranged(scope.session, source.session(scope.session))}
    used = chosen(keys, sorted(set().union(*map(contents.keys_named, found.values()))))
    law = contents.carried(packs, map(contents.opening, found.values()))
    parts = [
        contents.part(name, number, lines, packs=law, keys=used or None, round_number=scope.round)
        for number, (name, lines) in enumerate(sorted(found.items()), 1)
    ]
    if scope.round is not None and not parts[0].rounds:
        raise ExportError(f"session {scope.session} has no round {scope.round}")
    if sealed is None:
        sealed = _seal_of_the_night(source, parts)
    elif any(part.entry.gaming_day != sealed.head.date for part in parts):
        raise ExportError(f"{scope} is not of {sealed.head.date}, the night of the seal")
    proof = None if sealed is None else seals.prove(sealed, [part.entry.session for part in parts])
    return pack(contents.build(scope, parts, law, used, proof))


def _seal_of_the_night(source: Source, parts: list[Part]) -> Seal | None:
    day = parts[0].entry.gaming_day
    try:
        return seal_night(source, day)
    except SourceError:
        return None  # nothing of that night bears a checkpoint: there is nothing to prove


def seal_night(source: Source, day: str, after: Seal | None = None) -> Seal:
    """Seal the gaming day ``day``: all of its sessions that bear a checkpoint. Raises `SourceError`."""
    chains: dict[str, str] = {}
    for name, lines in source.night(day):
        chain = contents.final_chain(name, lines)
        if chain:
            chains[name] = chain
    try:
        return seals.seal(day, chains, after)
    except SealError as error:
        raise ExportError(str(error)) from None


def pack(members: Mapping[str, bytes]) -> bytes:
    """A zip file of these members: stored as they are, of 1980-01-01, in the order given."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED, allowZip64=False) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, _FIRST_DAY)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            try:
                archive.writestr(info, content)
            except zipfile.LargeZipFile:
                raise ExportError("a bundle has 4 GiB at the most; export the night session by session") from None
    return stream.getvalue()


def write(path: Path, content: bytes) -> None:
    """Write a file that is not there yet; raises `ExportError`."""
    try:
        write_whole(path, content, new=True)
    except FileExistsError:
        raise ExportError(f"{path}: is there already; name another") from None
    except OSError as error:
        raise ExportError(f"{path}: cannot be written ({error.strerror})") from None


def write_seal(path: Path, sealed: Seal) -> None:
    """Write a seal; raises `ExportError`."""
    write(path, contents.pretty(sealed))


def read_seal(path: Path) -> Seal:
    """A seal from its file; raises `ExportError`."""
    try:
        return seals.read_seal(read_bytes(path, _MAX_SEAL_BYTES))
    except TooLarge as error:
        raise ExportError(str(error)) from None
    except OSError as error:
        raise ExportError(f"{path}: cannot be read ({error.strerror})") from None
    except SealError as error:
        raise ExportError(f"{path}: {error}") from None


def verify(path: Path, *, packs: Packs, keys: Keys | None = None, root: str | None = None) -> Verified:
    """Verify a bundle on the disk, which is mapped, not read into memory; raises `ExportError`."""
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return verifier.verify(memoryview(mapped), packs=packs, keys=keys, root=root)
    except BundleError as error:
        raise ExportError(f"{path}: {error}") from None
    except ValueError:
        raise ExportError(f"{path}: is empty") from None
    except OSError as error:
        raise ExportError(f"{path}: cannot be read ({error.strerror})") from None


def told(verified: Verified) -> Iterable[tuple[str, Any]]:
    """What was verified, as pairs of words and numbers for people."""
    yield "bundle of", verified.scope
    yield "sessions", verified.sessions
    yield "events", verified.events
    yield "seals that hold", verified.seals
    yield "signed by", ", ".join(verified.keys) or "nobody"
    if verified.unscoped:
        yield "keys for any table and day", ", ".join(verified.unscoped)
    yield "settlements recomputed", verified.settlements
    yield "findings", verified.findings
    for said in verified.law:
        yield f"law: {said.rules or 'none'} {said.game}".rstrip(), said.text
    yield "rules engine", f"{verified.engine}" if verified.engine == ENGINE else f"{verified.engine} (here: {ENGINE})"
    for one in verified.otherwise:
        yield one.place, one.text
        yield "  as it was made", one.theirs or "nothing"
        yield "  as it is here", one.ours or "nothing"
    if verified.head is not None:
        yield f"night's seal ({verified.head.date})", f"{verified.head.size} sessions, root {verified.head.root}"
