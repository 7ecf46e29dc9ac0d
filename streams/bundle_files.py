"""Evidence bundles as files: exported from a log or a store, verified from the disk.

What is in a bundle, `replay.bundle.contents` says; what a verification proves, `replay.bundle.verify`. Here is the
I/O: the zip is written by the standard library, and read back by `replay.bundle.container`, which shares nothing with
it.
"""

from __future__ import annotations

import io
import mmap
import os
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from replay.bundle import contents, logged, seals
from replay.bundle import verify as verifier
from replay.bundle.container import MAX_BYTES
from replay.bundle.contents import Part, Scope
from replay.bundle.house_log import FloorLog
from replay.bundle.policy import Policy
from replay.bundle.seals import Seal, SealError
from replay.bundle.strict import NoteError
from replay.bundle.verify import BundleError, Claim, Said, Statement, Verified
from replay.engine import ENGINE
from replay.evidence import Keys
from replay.key_scope import chosen
from replay.packs import Packs
from streams.bounds import TooLarge, read_bytes
from streams.sources import Source, SourceError
from streams.whole import write_whole

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
_MAX_SEAL_BYTES = 16 * 1024 * 1024
MAX_IN_MEMORY: Final = 64 * 1024 * 1024
"""A bundle of more bytes is verified from a copy on the disk."""
_BLOCK: Final = 1024 * 1024


class ExportError(SourceError):
    """A bundle or seal that cannot be made, written or read: one clear line."""


def export(
    source: Source,
    scope: Scope,
    *,
    packs: Packs,
    keys: Keys | None = None,
    log: FloorLog | None = None,
    sealed: Seal | None = None,
) -> bytes:
    """The bundle of a session, one of its rounds, or a night, as the bytes of a zip file. The same events, law, keys
    and log give the same bytes, anywhere.

    ``packs``: the law; what the sessions are judged by of it goes into the bundle, and they are judged by that alone.
    ``log``: the floor's log, in which they were sealed. ``sealed``: in its place, the night's seal of the old form, as
    it was issued. Without either the bundle says nothing of where they were sealed.

    Raises:
        SourceError: there is no such session, round or night, or it is not in the log; or the seal is another night's.
    """
    keys = keys or {}
    if scope.date is not None:
        found = {name: contents.arranged(name, lines, keys or None) for name, lines in source.night(scope.date)}
    else:
        assert scope.session is not None
        found = {scope.session: contents.arranged(scope.session, source.session(scope.session), keys or None)}
    used = chosen(keys, sorted(set().union(*map(contents.keys_named, found.values()))))
    law = contents.carried(packs, map(contents.opening, found.values()))
    parts = [
        contents.part(name, number, lines, packs=law, keys=used or None, round_number=scope.round)
        for number, (name, lines) in enumerate(sorted(found.items()), 1)
    ]
    if scope.round is not None and not parts[0].rounds:
        raise ExportError(f"session {scope.session} has no round {scope.round}")
    members, said = _sealed(scope, parts, log, sealed)
    return pack(contents.build(scope, parts, law, used, members, said))


def _sealed(scope: Scope, parts: list[Part], log: FloorLog | None, old: Seal | None) -> tuple[dict[str, bytes], str]:
    """The members that say where the sessions were sealed, and that in words. Raises `ExportError`."""
    if log is not None:
        try:
            if scope.session is not None:
                members = logged.members_of_session(log, scope.session)
            else:
                members = logged.members_of_night(log, scope.date or "")
            return members, logged.read_members(members, of_a_night=scope.session is None).said
        except NoteError as error:
            raise ExportError(f"the floor's log {error}") from None
    if old is None:
        return {}, ""
    if any(part.entry.gaming_day != old.head.date for part in parts):
        raise ExportError(f"{scope} is not of {old.head.date}, the night of the seal")
    proof = seals.prove(old, [part.entry.session for part in parts])
    return {"seal.json": contents.pretty(proof)}, contents.old_seal(old.head)


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


def read_seal(path: Path) -> Seal:
    """A seal of the old form from its file; raises `ExportError`."""
    try:
        return seals.read_seal(read_bytes(path, _MAX_SEAL_BYTES))
    except TooLarge as error:
        raise ExportError(str(error)) from None
    except OSError as error:
        raise ExportError(f"{path}: cannot be read ({error.strerror})") from None
    except SealError as error:
        raise ExportError(f"{path}: {error}") from None


def verify(
    path: Path, *, packs: Packs, keys: Keys | None = None, root: str | None = None, policy: Policy | None = None
) -> Verified:
    """Verify a bundle on the disk; raises `ExportError`. What is verified is a copy that nobody else can change: in
    memory, or where it is large in a file without a name."""
    content = _copy(path)
    try:
        return verifier.verify(content, packs=packs, keys=keys, root=root, policy=policy)
    except BundleError as error:
        raise ExportError(f"{path}: {error}") from None
    except MemoryError:
        raise
    except Exception as error:  # whatever stands in the file: the fault is told as ours, and nothing is proven
        reason = f"retally itself failed while it verified this ({type(error).__name__}); please report it"
        raise ExportError(f"{path}: {reason}") from error


def _copy(path: Path) -> memoryview:
    """The content of a file, as it is now. Raises `ExportError`."""
    content: bytes | mmap.mmap
    try:
        with path.open("rb") as file, tempfile.TemporaryFile() as copy:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                raise ExportError(f"{path}: is empty")
            if size >= MAX_BYTES:
                raise ExportError(f"{path}: has {size:,} bytes; a bundle has less than {MAX_BYTES:,}")
            if size <= MAX_IN_MEMORY:
                content = file.read(size)
            else:
                _copy_sparsely(file, copy, size)
                content = mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise ExportError(f"{path}: cannot be read ({error.strerror})") from None
    if len(content) != size:
        raise ExportError(f"{path}: was cut short while it was read")
    return memoryview(content)


def _copy_sparsely(file: BinaryIO, copy: BinaryIO, size: int) -> None:
    """So many bytes; where they are nothing but zeros, the copy has a hole and takes no room."""
    copied = 0
    while copied < size and (block := file.read(min(_BLOCK, size - copied))):
        copied += len(block)
        if block.count(0) == len(block):
            copy.seek(copied)
        else:
            copy.write(block)
    copy.truncate(copied)
    copy.flush()


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
    yield "sealed", verified.sealed or "where, is not here"
    yield "who vouches for that", verified.vouched


def table(statements: Iterable[Statement]) -> Iterable[str]:
    """The statements for people: a line each, and under one that failed a line for each place."""
    for one in statements:
        detail = f" ({one.detail})" if one.detail else ""
        yield f"{one.said:<10} {one.words}{detail}"
        yield from (f"{'':<10}   {problem.place}: {problem.text}" for problem in one.problems)


_NOBODY_VOUCHES: Final = {
    Claim.KEYS: "whose keys these are (--keys)",
    Claim.SCOPE: "for which tables and dates these keys are (--keys, with a scope)",
    Claim.LOG: "that this is all there was, and was not made since (--policy, --root)",
}


def conclusion(verified: Verified) -> str:
    """The last line: what all statements come to, and what nobody vouches for."""
    if verified.failed:
        return f"NOT PROVEN: {', '.join(verified.failed)}"
    not_asked = [_NOBODY_VOUCHES[one.claim] for one in verified.statements if one.said is Said.NOT_ASKED]
    if not_asked:
        return f"what was asked is proven; nobody vouches for: {'; '.join(not_asked)}"
    return f"every statement is proven, by the keys, the law and the head that you gave; the head is {verified.vouched}"
