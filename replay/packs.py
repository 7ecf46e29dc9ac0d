"""Rule packs as values: which regulations there are, what each says of a game, and what is wrong with one.

A pack is a set of texts: ``pack.toml`` (name, jurisdiction, source, dates in force) and a TOML file a game. `Packs` is
made of such texts and never changes; whoever judges is given one. A pack is whole, or it is written as differences
from another, table by table:

- ``based_on = "AD-2025"``: a law of its own that begins from another's text. Nothing of that other binds it; a table in
  which it changes something cites a passage of its own. ``without = ["wagers.horn"]`` takes tables out.
- ``extends = "AD-2025"``: a house's own rules *under* a law. It chooses within what the law leaves open: values of
  options (or narrower bounds for them), the limits that its tables post, fewer wagers; and is refused beyond that.

Both say who approved them. A change in the middle of a year is two packs of one jurisdiction, each with its dates.
"""

from __future__ import annotations

import datetime
import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from replay import games
from replay.law import Fault, nearest, read_law
from replay.pack_text import HouseText, PackText, apply_house, merged, read_house_text, read_pack_text
from replay.rules import GameRules, HouseLimits, RuleError

PACK_FILE: Final = "pack.toml"
EXTENDS_MAX: Final = 8
"""So many packs at most may stand on one another."""
MAX_TEXT_BYTES: Final = 256 * 1024
"""Of one file. The longest that comes with retally has 7,000."""
MAX_DEPTH: Final = 16
"""Of tables and lists within one another, and of the parts of a dotted key. One of thousands of parts would keep the
reader of TOML busy for hours."""
_TOML_TOKENS: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"{3,5}|\Z)'
    r"|'''.*?(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*|[=,\[\]{}\n]|\.",
    re.DOTALL,
)
"""Strings and comments, whole; what ends a key; the dots between its parts."""


class PackError(RuleError):
    """A pack that cannot be used: one clear line that names the file and the key."""


class Problem(NamedTuple):
    """Something that is wrong with a pack."""

    file: str
    """``AD-2025/craps.toml``."""
    fault: Fault

    def __str__(self) -> str:
        return f"{self.file}: {self.fault}"


class Games(Mapping[str, GameRules]):
    """The games of one pack, taken over ones included. One whose text is wrong raises `PackError` when asked for."""

    __slots__ = ("_names", "_pack", "_packs")

    def __init__(self, pack: str, names: tuple[str, ...], packs: Packs) -> None:
        self._pack = pack
        self._names = names
        self._packs = packs

    def __getitem__(self, name: str) -> GameRules:
        if name not in self._names:
            raise KeyError(name)
        return self._packs.game(self._pack, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


class Pack:
    """A regulation: name, dates in force, where its text is from, its games."""

    __slots__ = ("_packs", "games", "text")

    def __init__(self, text: PackText, packs: Packs, games_of_it: tuple[str, ...]) -> None:
        self.text = text
        self._packs = packs
        self.games = Games(text.name, games_of_it, packs)
        """In order of their names."""

    @property
    def name(self) -> str:
        """``AD-2025``."""
        return self.text.name

    @property
    def jurisdiction(self) -> str:
        """Under which name a table may ask for whichever pack of it is in force."""
        return self.text.jurisdiction

    @property
    def title(self) -> str:
        """What it is, in words."""
        return self.text.title

    @property
    def source(self) -> str:
        """Where its text is from."""
        return self.text.source

    @property
    def in_force(self) -> datetime.date | None:
        """First day; None where the text bears no date."""
        return self.text.in_force

    @property
    def repealed(self) -> datetime.date | None:
        """First day on which it no longer holds; None while it does."""
        return self.text.repealed

    def game(self, name: str) -> GameRules:
        """What it says of a game; raises `PackError` where its text is wrong, `RuleError` where it has no such game."""
        return self._packs.game(self.name, name)

    def holds_on(self, day: datetime.date) -> bool:
        """Whether it is in force on that day."""
        return (self.in_force is None or self.in_force <= day) and (self.repealed is None or day < self.repealed)


class Packs:
    """Regulations by name. Immutable: what it works out of its texts it works out once, and only what is asked for."""

    __slots__ = ("_games", "_packs", "_parsed", "files")

    def __init__(self, texts: Mapping[str, Mapping[str, bytes]]) -> None:
        """``texts``: pack -> file name (``pack.toml``, ``craps.toml``) -> its bytes. Raises `PackError` for a
        ``pack.toml`` that is missing or wrong; what is wrong with a game's file is told when that game is asked for,
        and by `problems`."""
        self.files: Mapping[str, Mapping[str, bytes]] = MappingProxyType(
            {name: MappingProxyType(dict(files)) for name, files in sorted(texts.items())}
        )
        """The texts, as they were given."""
        self._parsed: dict[str, PackText] = {}
        for name, files in self.files.items():
            found, faults = _pack_text(name, files)
            if found is None:
                raise PackError(str(Problem(f"{name}/{PACK_FILE}", faults[0])))
            self._parsed[name] = found
        self._packs: dict[str, Pack] = {}
        self._games: dict[tuple[str, str], GameRules | PackError] = {}

    def __reduce__(self) -> tuple[type[Packs], tuple[dict[str, dict[str, bytes]]]]:
        return Packs, ({name: dict(files) for name, files in self.files.items()},)

    # --- which there are ------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """The packs, by name."""
        return tuple(self.files)

    def pack(self, name: str) -> Pack:
        """The pack of this name, with the games that it takes over from others; raises `RuleError`."""
        found = self._packs.get(name)
        if found is None:
            if name not in self.files:
                near = nearest(name, self.names)
                raise RuleError(f"there is no rule pack {name} (there are: {', '.join(self.names)}){near}")
            found = self._packs[name] = Pack(self._parsed[name], self, tuple(sorted(self._game_names(name))))
        return found

    def in_force(self, day: datetime.date) -> list[Pack]:
        """The packs in force on ``day``, by name."""
        return [found for found in map(self.pack, self.names) if found.holds_on(day)]

    def resolve(self, rules: str, day: datetime.date, game: str = "") -> Pack:
        """The pack named ``rules``, or, where that is a jurisdiction, its pack in force on ``day``: of several, which
        may each regulate other games, the latest that has the ``game``, where any has it. Raises `RuleError`."""
        if rules in self.files:
            return self.pack(rules)
        of_jurisdiction = [self.pack(name) for name in self.names if self._parsed[name].jurisdiction == rules]
        if not of_jurisdiction:
            return self.pack(rules)
        in_force = [candidate for candidate in of_jurisdiction if candidate.holds_on(day)]
        if not in_force:
            known = ", ".join(candidate.name for candidate in of_jurisdiction)
            raise RuleError(f"no rule pack of {rules} was in force on {day} (known: {known})")
        with_game = [candidate for candidate in in_force if game in candidate.games]
        return max(with_game or in_force, key=lambda candidate: candidate.in_force or datetime.date.min)

    def rules_for(self, rules: str, day: datetime.date, game: str) -> GameRules:
        """What the pack in force says of a game; raises `RuleError`."""
        return self.resolve(rules, day, game).game(game)

    def game(self, name: str, game: str) -> GameRules:
        """What one pack says of one game; raises `PackError` where its text is wrong, `RuleError` where there is no
        such pack, or it has no such game."""
        found = self._games.get((name, game))
        if found is None:
            if game not in self.pack(name).games:
                raise RuleError(f"rule pack {name} has no game {game} (it has: {', '.join(self.pack(name).games)})")
            made, problems = self._made(name, game)
            found = made if made is not None else PackError(str(problems[0]))
            self._games[name, game] = found
        if isinstance(found, PackError):
            raise PackError(str(found))
        return found

    # --- texts ----------------------------------------------------------------------------------------------------

    def texts(self, name: str, game: str) -> dict[str, bytes]:
        """The files that pack ``name`` says what it says of a game in, those of the packs that it stands on included:
        ``{"AD-2025/pack.toml": b"…", "AD-2025/craps.toml": b"…"}``. Raises `RuleError`."""
        if game not in self.pack(name).games:
            self.game(name, game)  # raises
        files: dict[str, bytes] = {}
        for part in dict.fromkeys((name, *self._lineage(name, game))):
            files[f"{part}/{PACK_FILE}"] = self.files[part][PACK_FILE]
            own = self.files[part].get(f"{game}.toml")
            if own is not None:
                files[f"{part}/{game}.toml"] = own
        return dict(sorted(files.items()))

    def digest(self, name: str, game: str) -> str:
        """SHA-256 (hexadecimal) that stands for all that pack ``name`` says of a game: over what ``sha256sum`` prints
        of the files (`texts`), in order of their names. Raises `RuleError`."""
        return digest_of(self.texts(name, game))

    def beside(self, others: Packs) -> Packs:
        """These packs and others. Raises `PackError` where both have one of a name, with other texts."""
        both = dict(self.files)
        for name, files in others.files.items():
            if name in both and dict(both[name]) != dict(files):
                raise PackError(
                    f"{name}/{PACK_FILE}: name: there is a rule pack {name} already, with another text; give yours a"
                    f' name of its own (and based_on = "{name}", if it begins from that one)'
                )
            both[name] = files
        return Packs(both)

    def instead(self, others: Packs) -> Packs:
        """These packs, but of each name that both have, the others' text."""
        return Packs({**self.files, **others.files})

    # --- everything that is wrong ---------------------------------------------------------------------------------

    def problems(self, names: Iterable[str] | None = None) -> list[Problem]:
        """Everything that is wrong with these packs (all of them), at once."""
        found: list[Problem] = []
        for name in self.names if names is None else names:
            found += _dates(self._parsed[name], self._parsed)
            base = _base(self._parsed[name])
            if base is not None and base not in self.files:
                continue  # told by `_dates`: nothing more can be said of it
            for file in sorted(self.files[name]):
                if file == PACK_FILE or file.removesuffix(".toml") in self._game_names(name):
                    continue
                found.append(Problem(f"{name}/{file}", Fault("", "belongs to no game of this pack (see games)")))
            for game in sorted(self._game_names(name)):
                if f"{game}.toml" in self.files[name]:  # what it takes from others is told of these
                    found += self._made(name, game)[1]
        return list(dict.fromkeys(found))

    # --- how a game's law is put together -------------------------------------------------------------------------

    def _game_names(self, name: str, trail: tuple[str, ...] = ()) -> set[str]:
        """The games of a pack: its own files', its base's, those that it takes over."""
        text = self._parsed[name]
        own = {file.removesuffix(".toml") for file in self.files[name] if file != PACK_FILE and file.endswith(".toml")}
        base = _base(text)
        if base is not None and base in self.files and name not in trail and len(trail) < EXTENDS_MAX:
            own |= self._game_names(base, (*trail, name))
        for other in text.takes_over:
            files = self.files.get(other, {})
            own |= {file.removesuffix(".toml") for file in files if file != PACK_FILE and file.endswith(".toml")}
        return own if not text.games else own & set(text.games)

    def _lineage(self, name: str, game: str, trail: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The packs whose files say what this one says of a game, itself first; raises `PackError`."""
        if name in trail or len(trail) >= EXTENDS_MAX:
            key = "extends" if self._parsed[trail[-1]].extends else "based_on"
            raise PackError(str(Problem(f"{trail[-1]}/{PACK_FILE}", Fault(key, f"{name} stands on it itself"))))
        base = _base(self._parsed[name])
        if base is not None:
            if base not in self.files:
                key = "extends" if self._parsed[name].extends else "based_on"
                near = nearest(base, self.names)
                fault = Fault(key, f"there is no rule pack {base} (there are: {', '.join(self.names)}){near}")
                raise PackError(str(Problem(f"{name}/{PACK_FILE}", fault)))
            return (name, *self._lineage(base, game, (*trail, name)))
        if f"{game}.toml" in self.files[name]:
            return (name,)
        for other in self._parsed[name].takes_over:
            if f"{game}.toml" in self.files.get(other, {}):
                return (name, other)
        return (name,)

    def _made(self, name: str, game: str) -> tuple[GameRules | None, list[Problem]]:
        """A game's rules under a pack, and everything that is wrong with its text."""
        try:
            lineage = self._lineage(name, game)
            procedure = games.load(game)
        except PackError as error:
            file, _, rest = str(error).partition(": ")
            return None, [Problem(file, Fault("", rest))]
        except RuleError as error:
            return None, [Problem(f"{name}/{game}.toml", Fault("game", str(error)))]
        problems: list[Problem] = []
        data: dict[str, Any] = {}
        origin = lineage[-1]
        house: HouseLimits | None = None
        for part in reversed(lineage):
            text = self.files[part].get(f"{game}.toml")
            if text is None:
                continue
            file = f"{part}/{game}.toml"
            own, faults = parse_toml(text)
            if own is not None and own.get("game", game if data else None) != game:
                faults = [Fault("game", f"{game}, as the file is called")]
            if own is not None and not faults and self._parsed[part].extends:
                chosen, faults = read_house_text(own, data, law_name=self._parsed[part].extends or "")
                if chosen is not None and not faults:
                    data, faults = apply_house(data, chosen, law_name=self._parsed[part].extends or "")
                    house = _house_limits(house, chosen, self._parsed[part])
            elif own is not None and not faults and data:
                data, faults = merged(data, own, base_name=self._parsed[part].based_on or "")
                origin = part
            elif own is not None and not faults:
                data = own
            problems += [Problem(file, fault) for fault in faults]
            if problems and (part != name or not data):
                return None, problems
        law, faults = read_law(procedure.needs, data)
        own_file = next(part for part in lineage if f"{game}.toml" in self.files[part])
        problems += [Problem(f"{own_file}/{game}.toml", fault) for fault in faults]
        if law is None or problems:
            return None, problems
        rules = GameRules(name, origin, law, data, house, digest=self.digest(name, game))
        beyond = _beyond_the_law(rules) if house is not None else []
        if beyond:
            return None, [Problem(f"{name}/{game}.toml", fault) for fault in beyond]
        return rules, []


def digest_of(texts: Mapping[str, bytes]) -> str:
    """See `Packs.digest`; ``texts``: file -> bytes."""
    lines = (f"{hashlib.sha256(texts[file]).hexdigest()}  {file}\n" for file in sorted(texts))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def parse_toml(text: bytes) -> tuple[dict[str, Any] | None, list[Fault]]:
    """A file's tables, and what is wrong with its form: too long or too deep, no UTF-8, no TOML, a number that is not
    exact."""
    if len(text) > MAX_TEXT_BYTES:
        return None, [Fault("", f"has {len(text):,} bytes; {MAX_TEXT_BYTES:,} are the most")]
    inexact: list[str] = []

    def exact(literal: str) -> int:
        inexact.append(literal)
        return 0

    try:
        decoded = text.decode("utf-8")
        if _has_endless_key(decoded):
            return None, [Fault("", f"holds a key of more than {MAX_DEPTH} parts")]
        data = tomllib.loads(decoded, parse_float=exact)
    except UnicodeDecodeError as error:
        return None, [Fault("", f"is no UTF-8 text (byte {error.start})")]
    except (ValueError, RecursionError) as error:  # what is no TOML, and a whole number of thousands of digits
        return None, [Fault("", f"is no TOML: {error}")]
    if inexact:
        return None, [Fault("", f"{inexact[0]} is not exact; write a whole number, or a fraction as text: '7/495'")]
    if _is_deeper(data, MAX_DEPTH):
        return None, [Fault("", f"holds tables within tables more than {MAX_DEPTH} deep")]
    return data, []


def _has_endless_key(text: str) -> bool:
    parts = 1
    for token in _TOML_TOKENS.finditer(text):
        kind = text[token.start()]
        if kind == ".":
            parts += 1
        elif kind in "=,[]{}\n":
            parts = 1
        if parts > MAX_DEPTH:
            return True
    return False


def _is_deeper(data: dict[str, Any], depth: int) -> bool:
    """Whether tables and lists lie within one another more than so many deep."""
    level: list[Any] = [data]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return bool(level)


def _pack_text(name: str, files: Mapping[str, bytes]) -> tuple[PackText | None, list[Fault]]:
    text = files.get(PACK_FILE)
    if text is None:
        return None, [Fault("", "is missing: it says what the pack is")]
    data, faults = parse_toml(text)
    if data is None:
        return None, faults
    found, faults = read_pack_text(data)
    if found is not None and found.name != name:
        return None, [Fault("name", f"{name}, as its folder is called, not {found.name}")]
    return found, faults


def _base(text: PackText) -> str | None:
    return text.extends or text.based_on


def _dates(text: PackText, packs: Mapping[str, PackText]) -> Iterator[Problem]:
    """The packs that it names are there; a house's rules hold while their law does; two packs of one jurisdiction do
    not begin on one day."""
    file = f"{text.name}/{PACK_FILE}"
    stands_on = [("extends", text.extends), ("based_on", text.based_on)]
    stands_on += [("takes_over", other) for other in text.takes_over]
    for key, other in stands_on:
        if other is not None and other not in packs:
            near = nearest(other, tuple(packs))
            yield Problem(file, Fault(key, f"there is no rule pack {other} (there are: {', '.join(packs)}){near}"))
    law = packs.get(text.extends or "")
    if law is not None and law is not text:
        if law.in_force is not None and text.in_force is not None and text.in_force < law.in_force:
            yield Problem(file, Fault("in_force", f"{law.in_force} at the earliest: {law.name} begins then"))
        if law.repealed is not None and (text.repealed is None or text.repealed > law.repealed):
            yield Problem(file, Fault("repealed", f"{law.repealed} at the latest: {law.name} ends then"))
        if text.jurisdiction == law.jurisdiction:
            yield Problem(
                file, Fault("jurisdiction", f"one of the house's own: {law.jurisdiction} means the law, {law.name}")
            )
    for other_text in packs.values():
        if other_text.name < text.name and (other_text.jurisdiction, other_text.in_force) == (
            text.jurisdiction,
            text.in_force,
        ):
            since = text.in_force or "an unknown day"
            yield Problem(
                file, Fault("in_force", f"{other_text.name} of {text.jurisdiction} begins on {since} too; which holds?")
            )


def _house_limits(before: HouseLimits | None, chosen: HouseText, pack: PackText) -> HouseLimits:
    """The limits of a house's rules, on top of those that they stand on."""
    limits: dict[str, Any] = {} if before is None else dict(before.limits)
    for key, value in chosen.limits.items():
        own = limits.get(key)
        limits[key] = {**own, **value} if isinstance(own, dict) and isinstance(value, dict) else value
    return HouseLimits(limits, chosen.passage or pack.name)


def _beyond_the_law(rules: GameRules) -> list[Fault]:
    """The limits against the law, were a table opened just as the house's rules say: what else such a table is found to
    lack, each table posts for itself."""
    bare = games.setup_faults(GameRules(rules.pack, rules.origin, rules.law, rules.data))
    faults = (fault for fault in games.setup_faults(rules) if fault not in bare)
    return [Fault("limits", f"{text} ({passage})") for passage, text in faults]
