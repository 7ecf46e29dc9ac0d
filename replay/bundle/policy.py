"""Whose word about a head is enough: a policy in the text of c2sp.org/tlog-policy, and what a head then counts for.

A policy names the logs that are known, the witnesses that are, and the quorum: which of them must have signed a head.
It reaches whoever verifies by another way than the evidence. An address (``<url>``) at the end of a line is let pass,
and nobody is ever asked there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from replay.bundle import note
from replay.bundle.checkpoint import Head, read_head, read_text
from replay.bundle.note import LOG, WITNESS, Key
from replay.bundle.strict import NoteError, shown

MAX_BYTES: Final = 64 * 1024
MAX_MEMBERS: Final = 1000
_NOBODY: Final = "none"
_COUNT: Final = re.compile(r"[1-9][0-9]{0,3}")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_SECOND: Final = 253_402_300_799
"""9999-12-31, 23:59:59."""


class Group(NamedTuple):
    """So many of these, witnesses or groups, must have signed."""

    needed: int
    members: tuple[str, ...]


class Policy(NamedTuple):
    """Which logs and witnesses are known, and which of these must have signed."""

    logs: tuple[Key, ...]
    witnesses: Mapping[str, Key]
    """By the policy's own names for them."""
    groups: Mapping[str, Group]
    quorum: str
    """A witness or group; ``none``: no cosignature is asked for."""

    def keys_of(self, origin: str) -> list[Key]:
        """The keys of the log of this name: one as a rule, more where it was changed. Raises `NoteError`."""
        found = [key for key in self.logs if key.name == origin]
        if not found:
            raise NoteError(f"the log {shown(origin)} is none of those that the policy names")
        return found

    def is_met(self, signed: Iterable[str]) -> bool:
        """Whether the cosignatures of these witnesses, by the policy's names, are enough."""
        have = {_NOBODY, *signed}
        for name, group in self.groups.items():  # a group is made of what stands before it
            if sum(member in have for member in group.members) >= group.needed:
                have.add(name)
        return self.quorum in have


class Witnessed(NamedTuple):
    """A cosignature that holds."""

    name: str
    """The policy's for the witness."""
    time: int
    """Seconds since 1970-01-01 UTC."""

    def __str__(self) -> str:
        return f"witnessed by {self.name} at {utc(self.time)}"


class Standing(NamedTuple):
    """What a head counts for under a policy."""

    head: Head
    witnessed: tuple[Witnessed, ...]
    is_met: bool
    """Whether the policy's quorum has signed; so it is, too, where the policy asks for no witness."""

    def __str__(self) -> str:
        told = "; ".join(map(str, self.witnessed)) or "house only"
        return told if self.is_met else f"{told}, which is not enough under the policy"


def standing(data: bytes, policy: Policy) -> Standing:
    """A head, and who vouches for it besides the house. Raises `NoteError` where the policy names no such log, or a
    signature of somebody whom it names does not hold."""
    logs = policy.keys_of(read_text(note.read_note(data).text).origin)
    head = read_head(data, logs, policy.witnesses.values())
    names = {key: name for name, key in policy.witnesses.items()}
    witnessed = tuple(Witnessed(names[one.key], one.time) for one in head.signed if one.time is not None)
    return Standing(head, witnessed, policy.is_met(one.name for one in witnessed))


def utc(time: int) -> str:
    """Seconds since 1970-01-01 UTC as people write a time; what no calendar has, as a number."""
    if not 0 <= time <= _LAST_SECOND:
        return f"second {time}"
    return f"{_EPOCH + timedelta(seconds=time):%Y-%m-%d %H:%M:%S} UTC"


def read_policy(data: bytes) -> Policy:
    """A policy from its file. Raises `NoteError`, which names the line."""
    if len(data) > MAX_BYTES:
        raise NoteError(f"the policy has {len(data):,} bytes; {MAX_BYTES:,} are the most")
    if not data.endswith(b"\n"):
        raise NoteError("the policy does not end with a line end")
    reading = _Reading()
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        try:
            reading.line(line)
        except NoteError as error:
            raise NoteError(f"the policy, line {number}: {error}") from None
    return reading.policy()


class _Reading:
    """A policy in the making."""

    def __init__(self) -> None:
        self._logs: list[Key] = []
        self._witnesses: dict[str, Key] = {}
        self._groups: dict[str, Group] = {}
        self._taken: set[str] = set()
        """The names that are members of a group."""
        self._quorum: str | None = None

    def policy(self) -> Policy:
        if self._quorum is None:
            raise NoteError("the policy has no quorum line; one that asks for no witness has: quorum none")
        return Policy(tuple(self._logs), self._witnesses, self._groups, self._quorum)

    def line(self, line: str) -> None:
        if any((character < " " and character != "\t") or character == "\x7f" for character in line):
            raise NoteError("holds a control character")
        words = re.split(r"[ \t]+", line.strip(" \t"))
        if words == [""] or words[0].startswith("#"):
            return
        kind, *rest = words
        if kind == "log" and len(rest) in (1, 2):
            self._add_log(note.read_key(rest[0], LOG))
        elif kind == "witness" and len(rest) in (2, 3):
            self._add_witness(rest[0], note.read_key(rest[1], WITNESS))
        elif kind == "group" and len(rest) >= 3:
            self._add_group(rest[0], rest[1], rest[2:])
        elif kind == "quorum" and len(rest) == 1:
            self._set_quorum(rest[0])
        else:
            raise NoteError(f"{shown(line.strip())} is no line of a policy: log, witness, group or quorum")

    def _add_log(self, key: Key) -> None:
        if any(key.public == one.public for one in self._logs):
            raise NoteError(f"the key of {shown(key.name)} is there twice")
        self._logs.append(key)

    def _add_witness(self, name: str, key: Key) -> None:
        self._check_new(name)
        if any(key.public == one.public for one in self._witnesses.values()):
            raise NoteError(f"the key of {shown(name)} is another witness's too; a cosignature tells only the key")
        self._witnesses[name] = key

    def _add_group(self, name: str, needed: str, members: list[str]) -> None:
        self._check_new(name)
        if len(members) > MAX_MEMBERS:
            raise NoteError(f"group {shown(name)} has more than {MAX_MEMBERS} members")
        for member in members:
            self._check_known(member)
            if member in self._taken:
                raise NoteError(f"{shown(member)} is a member of a group already, and would count twice")
            self._taken.add(member)
        counts = {"any": 1, "all": len(members)}
        if needed not in counts and not _COUNT.fullmatch(needed):
            raise NoteError(f"group {shown(name)} needs {shown(needed)} of its members: a number, any or all")
        count = counts[needed] if needed in counts else int(needed)
        if not 1 <= count <= len(members):
            raise NoteError(f"group {shown(name)} needs {count} of its {len(members)} members")
        self._groups[name] = Group(count, tuple(members))

    def _set_quorum(self, name: str) -> None:
        if self._quorum is not None:
            raise NoteError("there is a second quorum line")
        if name != _NOBODY:
            self._check_known(name)
        self._quorum = name

    def _check_new(self, name: str) -> None:
        if name == _NOBODY or name in self._witnesses or name in self._groups:
            raise NoteError(f"{shown(name)} is taken as a name")

    def _check_known(self, name: str) -> None:
        if name not in self._witnesses and name not in self._groups:
            raise NoteError(f"{shown(name)} is no witness or group of a line before")
