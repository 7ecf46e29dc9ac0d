"""What a bundle holds of the floor's log, and what that proves of its sessions: members under ``log/``.

=====================  ================================================================================================
of a session, a round  ``log/entry`` and ``log/entry.tlog-proof``: the session's leaf, the last where it came late or
                       grew; ``log/night`` and ``log/night.tlog-proof``: that of the night that it was sealed with
of a night             ``log/entries``: all leaves of it (`replay.bundle.leaves.join`); ``log/peaks``: the peaks of the
                       tree before it, hexadecimal, a line each; ``log/head``: the head after it
=====================  ================================================================================================

Which of them a bundle has, its scope says. They are not made anew when a bundle is verified, for they are signed; what
they prove, `replay.bundle.placement` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from replay.bundle import house_log
from replay.bundle.checkpoint import Checkpoint
from replay.bundle.house_log import FloorLog
from replay.bundle.leaves import Absent, Closed, Late, Night, Session, join, read, split
from replay.bundle.placement import Placement, matches, placed, whole_night
from replay.bundle.sealing import judged
from replay.bundle.strict import NoteError, is_digest, lines_of, shown, utf8
from replay.bundle.tlog import read_proof
from replay.judging import Judging
from replay.packs import Packs

FOLDER: Final = "log/"
OF_A_SESSION: Final = ("log/entry", "log/entry.tlog-proof", "log/night", "log/night.tlog-proof")
OF_A_NIGHT: Final = ("log/entries", "log/head", "log/peaks")
MAX_BYTES: Final = 64 * 1024 * 1024
"""Of one member."""


class Logged(NamedTuple):
    """What the members under ``log/`` prove."""

    entries: Mapping[str, Session | Late]
    """Of each session its leaf."""
    night: Night
    """Of the night that they stand in."""
    head: Checkpoint
    note: bytes
    """The head as it is signed: who vouches for it, `replay.bundle.policy.standing` tells."""
    said: str
    """Where the sessions stand, in words."""
    without: str = ""
    """Of which tables the night has no session, by the house's own word, and why; empty where of none."""


def members_of_session(log: FloorLog, session: str) -> dict[str, bytes]:
    """The members of a bundle of this session. Raises `NoteError` where the log does not have it."""
    for night in reversed(log.nights):
        for place, leaf in enumerate(night.leaves):
            entry = read(leaf)
            if isinstance(entry, Session | Late) and entry.session == session:
                last = len(night.entries) - 1
                proofs = [bytes(house_log.prove([night], night.size + index)) for index in (place, last)]
                files = Placement(leaf, proofs[0], night.leaves[last], proofs[1])
                return dict(zip(OF_A_SESSION, files, strict=True))
    raise NoteError(f"holds no session {shown(session)}")


def members_of_night(log: FloorLog, date: str) -> dict[str, bytes]:
    """The members of a bundle of this night. Raises `NoteError` where the log does not have it."""
    night = log.nights_from(date)[0]
    peaks = "".join(f"{peak}\n" for peak in night.peaks).encode()
    return dict(zip(OF_A_NIGHT, (join(night.leaves), night.head.encode(), peaks), strict=True))


def misplaced(members: Mapping[str, bytes], *, of_a_night: bool) -> list[tuple[str, str]]:
    """Members that such a bundle does not have, and those that it lacks, each with what is wrong with it."""
    expected = {*(OF_A_NIGHT if of_a_night else OF_A_SESSION)}
    odd = [(name, "belongs to no bundle of this scope") for name in sorted(members.keys() - expected)]
    return odd + [(name, "is missing") for name in sorted(expected - members.keys())]


def differences(entry: Session | Late, lines: list[bytes], packs: Packs) -> list[str]:
    """In what a session of these events is another than the one that was sealed; empty where it is the same."""
    try:
        found = judged(entry.session, lines, Judging(packs=packs))
    except MemoryError:
        raise
    except Exception as error:  # whatever stands in these packs: no fold that they make fail may end the verifier
        return [f"it cannot be judged ({type(error).__name__})"]
    return ["none of it is an event"] if found is None else matches(entry, found)


def read_members(members: Mapping[str, bytes], *, of_a_night: bool) -> Logged:
    """What they prove. Raises `NoteError` where one is missing, or they prove nothing."""
    if missing := [name for name in (OF_A_NIGHT if of_a_night else OF_A_SESSION) if name not in members]:
        raise NoteError(f"{missing[0]} is missing")
    if of_a_night:
        entries, head, peaks = (members[name] for name in OF_A_NIGHT)
        return _of_a_night(entries, head, peaks)
    return _of_a_session(Placement(*(members[name] for name in OF_A_SESSION)))


def _of_a_session(files: Placement) -> Logged:
    for data in (files.proof, files.night_proof):
        if read_proof(data).extra:
            raise NoteError("a proof holds what nobody has signed; a bundle's have nothing of the kind")
    found = placed(files)
    entry = found.entry
    said = f"leaf {found.index:,} of {found.head.size:,}, number {entry.ordinal} of table {entry.table}"
    said += f", sealed with the night of {found.night.date}"
    if isinstance(entry, Late):
        said += ", late"
    return Logged(
        {entry.session: entry}, found.night, found.head, read_proof(files.proof).note, _said(found.head, said)
    )


def _of_a_night(entries: bytes, head: bytes, peaks: bytes) -> Logged:
    found = whole_night(split(entries), _read_peaks(peaks), head)
    sessions = {entry.session: entry for entry in found.entries if isinstance(entry, Session)}
    if len(sessions) != sum(isinstance(entry, Session) for entry in found.entries):
        raise NoteError(f"the night of {found.night.date} has a session twice")
    said = f"the {found.night.count + 1:,} leaves of the night of {found.night.date}, the last of {found.head.size:,}"
    without = [_without(one, found.night.date) for one in found.entries if isinstance(one, Absent | Closed)]
    return Logged(sessions, found.night, found.head, head, _said(found.head, said), "; ".join(without))


def _without(entry: Absent | Closed, date: str) -> str:
    """``the session of table BO05 is still to come (the gateway is down)``."""
    if isinstance(entry, Absent):
        return f"the session of table {entry.table} is still to come ({entry.reason})"
    what = f"table {entry.table}" if entry.of == "table" else f"the {entry.of}"
    return f"{what} was closed{'' if entry.date == date else f' on {entry.date}'} ({entry.reason})"


def _said(head: Checkpoint, what: str) -> str:
    return f"{what}, in the log {head.origin}, root {head.root.hex()}"


def _read_peaks(data: bytes) -> list[bytes]:
    lines = lines_of(utf8(data, "the peaks"), "the peaks") if data else []
    for line in lines:
        if not is_digest(line):
            raise NoteError(f"the peaks: {shown(line)} is no digest of 64 hexadecimal digits")
    return [bytes.fromhex(line) for line in lines]
