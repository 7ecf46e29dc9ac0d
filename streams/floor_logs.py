"""The house's log of a floor as a folder, and hand-overs as folders or zip files.

The folder has one file for the log's key (`KEY_FILE`) and one a night (``night-2026-11-29.json``), each of them there
whole or not at all, and one process at a time in it: two that sealed two nights after one and the same would sign two
histories. What the files hold, `replay.bundle.house_log` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from replay.bundle import container, note
from replay.bundle.container import BundleError
from replay.bundle.floor_log import NightError
from replay.bundle.house_log import FloorLog, SealedNight, read_night
from replay.bundle.leaves import MAX_LEAVES, read_roster, roster_text
from replay.bundle.note import LOG, WITNESS, Key
from replay.bundle.policy import Policy, read_policy
from replay.bundle.strict import NoteError
from replay.bundle.witness import MAX_MEMBER_BYTES, MEMBERS, HandOver
from replay.errors import RetallyError
from streams.bundle_files import pack
from streams.locks import locked
from streams.whole import whole_folder, write_whole

KEY_FILE: Final = "log.vkey"
_NIGHT_FILE: Final = re.compile(r"night-(\d{4}-\d{2}-\d{2})\.json")
_MAX_NIGHT_BYTES: Final = MAX_LEAVES * 8192
_MAX_TEXT_BYTES: Final = 1024 * 1024
_ALLOWED: Final = re.compile("|".join(MEMBERS).encode())


class FloorLogError(RetallyError):
    """A floor's log, or what belongs to one, that cannot be read or written: one clear line."""


@contextmanager
def _clear(path: Path) -> Iterator[None]:
    """What is wrong with a file is told with its name."""
    try:
        yield
    except (NoteError, NightError, BundleError) as error:
        raise FloorLogError(f"{path}: {error}") from None
    except OSError as error:
        raise FloorLogError(f"{error.filename or path}: {error.strerror}") from None


def read_file(path: Path, most: int = _MAX_TEXT_BYTES) -> bytes:
    """A file's bytes, at most so many. Raises `FloorLogError`."""
    with _clear(path), path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise FloorLogError(f"{path}: has more than {most:,} bytes")
    return data


# --- the house's log ------------------------------------------------------------------------------------------------


def new_log(folder: Path, key: Key) -> None:
    """Begin a log in a folder that is not there yet; ``key`` signs its heads. Raises `FloorLogError`."""
    with _clear(folder), whole_folder(folder) as made:
        write_whole(made / KEY_FILE, f"{key}\n".encode())


def read_log(folder: Path) -> FloorLog:
    """The log in a folder, every night of it checked against the ones before. Raises `FloorLogError`."""
    if not (folder / KEY_FILE).is_file():
        raise FloorLogError(f"{folder}: is no floor's log; retally evidence new-log begins one")
    log = FloorLog(read_key_file(folder / KEY_FILE, LOG))
    with _clear(folder):
        nights = sorted(path for path in folder.iterdir() if _NIGHT_FILE.fullmatch(path.name))
    for path in nights:
        night = _read_night(path)
        with _clear(path):
            log.add(night)
            if path.name != f"night-{log.state.date}.json":
                raise NoteError(f"holds the night of {log.state.date}")
    return log


def _read_night(path: Path) -> SealedNight:
    data = read_file(path, _MAX_NIGHT_BYTES)
    with _clear(path):
        return read_night(data)


@contextmanager
def writing(folder: Path) -> Iterator[FloorLog]:
    """The log in a folder, to which nobody else writes until this ends. Raises `FloorLogError`."""
    if not folder.is_dir():
        raise FloorLogError(f"{folder}: is no floor's log; retally evidence new-log begins one")
    with locked(folder):
        yield read_log(folder)


def write_night(folder: Path, night: SealedNight, *, new: bool) -> None:
    """A night of the log in its file: a new one, or one to whose head a signature was added. Raises
    `FloorLogError`."""
    path = folder / f"night-{night.night.date}.json"
    with _clear(path):
        write_whole(path, msgspec.json.format(msgspec.json.encode(night), indent=1) + b"\n", new=new)


# --- hand-overs -----------------------------------------------------------------------------------------------------


def write_hand_over(path: Path, handed: HandOver) -> None:
    """A hand-over as a zip file, where the name ends so, or else as a folder; it must not be there. Raises
    `FloorLogError`."""
    members = handed.members()
    with _clear(path):
        if path.suffix == ".zip":
            write_whole(path, pack({name: members[name] for name in sorted(members)}), new=True)
            return
        with whole_folder(path) as folder:
            for name, content in members.items():
                write_whole(folder / name, content)


def read_hand_over(path: Path) -> HandOver:
    """A hand-over, from a zip file or a folder. Raises `FloorLogError`."""
    if path.is_dir():
        members = {name: read_file(path / name, MAX_MEMBER_BYTES) for name in MEMBERS if (path / name).exists()}
    else:
        data = memoryview(read_file(path, MAX_MEMBER_BYTES))
        with _clear(path):
            found = container.read(data, _ALLOWED)
        wrong = container.wrong_checksums(data, found)
        members = {name: bytes(content) for name, content in found.items()}
        if wrong:
            raise FloorLogError(f"{path}: the container's checksum of {wrong[0]} is wrong")
    for name in MEMBERS:
        if name not in members and name != "report":
            raise FloorLogError(f"{path}: is no hand-over: it has no {name}")
    return HandOver(members["add-checkpoint"], members["entries"], members["roster"], members.get("report"))


# --- keys, rosters and policies -------------------------------------------------------------------------------------


def read_key_file(path: Path, kind: int) -> Key:
    """The verifier key in a file of one line. Raises `FloorLogError`."""
    data = read_file(path)
    with _clear(path):
        return note.read_key(data.decode("utf-8", "replace").removesuffix("\n"), kind)


def key_from(text: str, kind: int) -> Key:
    """A verifier key that was given as such, or as the name of a file that holds it. Raises `NoteError` or
    `FloorLogError`."""
    return note.read_key(text, kind) if "+" in text else read_key_file(Path(text), kind)


def read_roster_file(path: Path) -> tuple[str, ...]:
    """The tables of a roster: a line each, in whatever order. Raises `FloorLogError`."""
    data = read_file(path)
    with _clear(path):
        text = data.decode("utf-8", "replace")
        return read_roster(roster_text([line for line in text.splitlines() if line]))


def read_policy_file(path: Path) -> Policy:
    """A policy. Raises `FloorLogError`."""
    data = read_file(path)
    with _clear(path):
        return read_policy(data)


def witnesses_of(policy: Policy | None, given: list[str]) -> list[Key]:
    """The witnesses that are known: those of the policy, and those given. Raises `NoteError` or `FloorLogError`."""
    found = [key_from(text, WITNESS) for text in given]
    return found if policy is None else [*policy.witnesses.values(), *found]
