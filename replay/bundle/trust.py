"""Whether the law in a bundle is the law that whoever verifies it trusts: the packs that are installed, or given.

A bundle is judged by the packs in it (`replay.bundle.contents.carried`), for a night of ten years ago must come to what
it came to then. That those packs are the law at all is another question, and the verifier's own packs answer it: of
each pack and game that judged, whether the texts are the same, or say the same, or in which key they do not; and
whether that pack is the one that the table meant. For whoever makes a bundle may leave out the newer pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from replay.bundle.container import BundleError
from replay.bundle.contents import Opening
from replay.law import Fault
from replay.packs import PACK_FILE, PackError, Packs, Problem, parse_toml
from replay.rules import RuleError

MAX_RULES_BYTES: Final = 1024 * 1024
"""Of all members under ``rules/`` together: every regulation that comes with retally has 60,000."""
MAX_KEYS: Final = 3
"""So many keys of a file are named in which two texts differ."""
MAX_SHOWN: Final = 60
_SAY_NOTHING_OF_THE_GAME: Final[Mapping[bool, frozenset[str]]] = {
    True: frozenset({"title", "repealed", "takes_over", "games"}),
    False: frozenset({"title", "titles"}),
}
"""Keys of ``pack.toml`` (True) and of a game's file that no verdict on that game hangs on. Which pack is in force on a
day does hang on them: that is asked of the trusted packs alone (`Opening.under`)."""


class LawSaid(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be said of one game under one pack of the bundle."""

    rules: str
    """The rule pack that judged; what the table named, where none did."""
    game: str
    digest: str
    """Of its texts, as they are in the bundle (`replay.packs.Packs.digest`); empty where nothing was judged."""
    trusted: bool
    """Whether it is the law that the verifier trusts for these sessions."""
    text: str
    """Why, or why not, for people."""


def read_rules(members: Mapping[str, memoryview]) -> tuple[Packs, list[Problem]]:
    """The packs under ``rules/``, and what is wrong with those that are none. Raises `BundleError` for too many."""
    texts: dict[str, dict[str, bytes]] = {}
    size = 0
    for name, content in members.items():
        if name.startswith("rules/"):
            size += len(content)
            if size > MAX_RULES_BYTES:
                raise BundleError(f"holds more than {MAX_RULES_BYTES:,} bytes of rules")
            _, pack, file = name.split("/")
            texts.setdefault(pack, {})[file] = bytes(content)
    good: dict[str, dict[str, bytes]] = {}
    problems: list[Problem] = []
    for pack, files in texts.items():
        try:
            Packs({pack: files})
        except PackError as error:
            problems.append(_problem(error))
        else:
            good[pack] = files
    return Packs(good), problems


def faults(packs: Packs, openings: Iterable[Opening | None]) -> list[Problem]:
    """Why the packs of a bundle cannot judge what tables so opened play: a game's text that is broken, a pack that
    stands on one that is not there."""
    found: list[Problem] = []
    for one in dict.fromkeys(openings):
        pack = None if one is None else one.under(packs)
        if one is None or pack is None:
            continue
        try:
            packs.game(pack, one.game)
        except PackError as error:
            found.append(_problem(error))
        except Exception as error:  # whatever stands in the text: the game's code was given it
            found.append(Problem(f"{pack}/{one.game}.toml", Fault("", f"cannot be used ({type(error).__name__})")))
    return list(dict.fromkeys(found))


def _problem(error: PackError) -> Problem:
    file, _, text = str(error).partition(": ")
    return Problem(file, Fault("", text))


def compared(carried: Packs, trusted: Packs, sessions: Mapping[str, Opening | None]) -> list[LawSaid]:
    """What is to be said of the law that these sessions (by name) were judged by: ``carried`` are the bundle's packs,
    ``trusted`` the verifier's. Sessions of one game under one pack are told of together."""
    judged: dict[tuple[str, str], dict[Opening, list[str]]] = {}
    unjudged: dict[tuple[str, str], dict[Opening | None, list[str]]] = {}
    for session, one in sessions.items():
        pack = None if one is None else one.under(carried)
        if one is None:
            unjudged.setdefault(("", ""), {}).setdefault(None, []).append(session)
        elif pack is None:
            unjudged.setdefault((one.rules, one.game), {}).setdefault(one, []).append(session)
        else:
            judged.setdefault((pack, one.game), {}).setdefault(one, []).append(session)
    said = [_judged(carried, trusted, *key, openings) for key, openings in sorted(judged.items())]
    return said + [_unjudged(trusted, *key, openings) for key, openings in sorted(unjudged.items())]


def _unjudged(trusted: Packs, rules: str, game: str, openings: Mapping[Opening | None, list[str]]) -> LawSaid:
    """Nobody can tell, of sessions that no rules have judged, whether all was well."""
    names = [name for found in openings.values() for name in found]
    known = sorted({pack for one in openings if one is not None and (pack := one.under(trusted)) is not None})
    if not rules:
        text = "begins with no opening of a table: nothing was judged"
    elif known:
        have = ", ".join(known)
        text = f"names {rules}, of which the bundle holds no rules for {game}: nothing was judged. You have {have}"
    else:
        text = f"names {rules}, of which neither the bundle nor you have rules for {game}: nothing was judged"
    return LawSaid(rules=rules, game=game, digest="", trusted=False, text=f"{_sessions(names)} {text}")


def _judged(carried: Packs, trusted: Packs, pack: str, game: str, openings: Mapping[Opening, list[str]]) -> LawSaid:
    try:
        theirs = carried.texts(pack, game)
    except RuleError as error:
        return LawSaid(rules=pack, game=game, digest="", trusted=False, text=_printable(str(error)))
    same, text = _texts(theirs, trusted, pack, game)
    others: list[str] = []
    for one, names in openings.items():
        meant = one.under(trusted)
        if meant != pack and one.rules != pack:
            here = "no pack that you have" if meant is None else f"{meant} with you"
            others.append(f"{_sessions(names)} names {one.rules}, which on {one.day} is {here}, not {pack}")
        begins = trusted.pack(pack).in_force if pack in trusted.names else None
        if begins is not None and one.day < begins:
            others.append(f"{_sessions(names)} is of {one.day}, and {pack} is in force from {begins} on")
    said = [*others, text] if not same or not others else others
    digest = carried.digest(pack, game)
    return LawSaid(rules=pack, game=game, digest=digest, trusted=same and not others, text=_printable("; ".join(said)))


def _texts(theirs: Mapping[str, bytes], trusted: Packs, pack: str, game: str) -> tuple[bool, str]:
    """Whether the trusted packs say the same of a game as these texts; and that, or in what they do not, in words."""
    if pack not in trusted.names:
        return False, f"you have no rule pack {pack} (you have: {', '.join(trusted.names) or 'none'})"
    if game not in trusted.pack(pack).games:
        return False, f"{pack}, as you have it, has no game {game}"
    try:
        ours = trusted.texts(pack, game)
    except RuleError as error:
        return False, f"what you have cannot be used: {error}"
    if theirs == ours:
        return True, "the law that you trust, word for word"
    other: list[str] = []
    alike: list[str] = []
    for file in sorted({*theirs, *ours}):
        if theirs.get(file) == ours.get(file):
            continue
        if file not in ours or file not in theirs:
            other.append(f"{file} is in the bundle alone" if file in theirs else f"{file} is not in the bundle")
            continue
        same, text = _compared_files(file, theirs[file], ours[file])
        (alike if same else other).append(text)
    if other:
        return False, f"another law than the one that you trust: {'; '.join(other)}"
    return True, f"says the same as the law that you trust, though not word for word: {'; '.join(alike)}"


def _compared_files(file: str, theirs: bytes, ours: bytes) -> tuple[bool, str]:
    """Whether two texts of a file say the same of the game, and in which keys they differ, in words."""
    there, here = (parse_toml(text)[0] for text in (theirs, ours))
    if there is None or here is None:
        return False, f"{file} cannot be read {'in the bundle' if there is None else 'as you have it'}"
    idle = _SAY_NOTHING_OF_THE_GAME[file.endswith(f"/{PACK_FILE}")]
    found: list[str] = []
    mine, yours = ({key: value for key, value in table.items() if key not in idle} for table in (there, here))
    for place, one, other in _differences(mine, yours):
        if len(found) == MAX_KEYS:
            return False, f"{file}: {', '.join(found)}, and more"
        found.append(f"{place} is {_shown(one)}, with you {_shown(other)}")
    if found:
        return False, f"{file}: {', '.join(found)}"
    changed = sorted(key for key in idle if there.get(key) != here.get(key))
    return True, f"{file} differs in {', '.join(changed) or 'comments or layout'}"


_NOTHING: Final = object()


def _differences(one: object, other: object, place: str = "") -> Iterator[tuple[str, object, object]]:
    """The dotted keys under which two tables differ, with what each has there. 1 is not true."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys((*one, *other)):
            inner = f"{place}.{key}" if place else key
            yield from _differences(one.get(key, _NOTHING), other.get(key, _NOTHING), inner)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, yours) in enumerate(zip(one, other, strict=True)):
            yield from _differences(mine, yours, f"{place}[{number}]")
    elif type(one) is not type(other) or one != other:
        yield place, one, other


def _shown(value: object) -> str:
    if value is _NOTHING:
        return "not there"
    if isinstance(value, dict):
        return "a table"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def _sessions(names: list[str]) -> str:
    return f"session {names[0]}" if len(names) == 1 else f"session {names[0]} (and {len(names) - 1:,} more)"


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text[:1000])
