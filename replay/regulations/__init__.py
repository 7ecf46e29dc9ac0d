"""The regulations that retally knows, one folder a rule pack: ``pack.toml`` and one TOML file a game.

This and `replay.streaks.jurisdictions` are the places in `replay` that read files: those that come with the package.
"""

from __future__ import annotations

import datetime
from functools import cache
from importlib import resources

from replay.rules import GameRules, Pack, RuleError, read_pack


@cache
def pack_names() -> tuple[str, ...]:
    """The packs that come with retally, by name."""
    folder = resources.files(__package__)
    return tuple(sorted(entry.name for entry in folder.iterdir() if entry.joinpath("pack.toml").is_file()))


@cache
def _own(name: str) -> tuple[Pack, tuple[str, ...]]:
    folder = resources.files(__package__).joinpath(name)
    games = [
        entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".toml") and entry.name != "pack.toml"
    ]
    return read_pack(folder.joinpath("pack.toml").read_text(encoding="utf-8"), games)


@cache
def pack(name: str) -> Pack:
    """The pack of this name, with the games that it takes over from others; raises `RuleError`."""
    if name not in pack_names():
        raise RuleError(f"there is no rule pack {name} (there are: {', '.join(pack_names())})")
    result, takes_over = _own(name)
    for other in takes_over:
        for game, rules in _own(other)[0].games.items():
            if game not in result.games:
                result.games[game] = GameRules(name, other, rules.data)
    return result


@cache
def texts(name: str, game: str) -> dict[str, bytes]:
    """The files that pack ``name`` says what it says of a game in, those of the pack that it takes the game over from
    included: ``{"AD-2025/pack.toml": b"…", "AD-2025/craps.toml": b"…"}``. Raises `RuleError`."""
    found = pack(name)
    if game not in found.games:
        raise RuleError(f"rule pack {name} has no game {game} (it has: {', '.join(sorted(found.games))})")
    origin = found.games[game].origin
    folder = resources.files(__package__)
    files = dict.fromkeys((f"{name}/pack.toml", f"{origin}/pack.toml", f"{origin}/{game}.toml"))
    return {file: folder.joinpath(file).read_bytes() for file in files}


def packs_in_force(day: datetime.date) -> list[Pack]:
    """The packs in force on ``day``, by name."""
    return [
        found
        for found in map(pack, pack_names())
        if (found.in_force is None or found.in_force <= day) and (found.repealed is None or day < found.repealed)
    ]


def resolve(rules: str, day: datetime.date) -> Pack:
    """The pack named ``rules``, or, where that is a jurisdiction, its pack in force on ``day``; raises `RuleError`."""
    if rules in pack_names():
        return pack(rules)
    of_jurisdiction = [pack(name) for name in pack_names() if _own(name)[0].jurisdiction == rules]
    if not of_jurisdiction:
        return pack(rules)
    in_force = [candidate for candidate in packs_in_force(day) if candidate.jurisdiction == rules]
    if not in_force:
        raise RuleError(
            f"no rule pack of {rules} was in force on {day} (known: {', '.join(p.name for p in of_jurisdiction)})"
        )
    return max(in_force, key=lambda candidate: candidate.in_force or datetime.date.min)


def rules_for(rules: str, day: datetime.date, game: str) -> GameRules:
    """What the pack in force says of a game; raises `RuleError`."""
    found = resolve(rules, day)
    if game not in found.games:
        raise RuleError(f"rule pack {found.name} has no game {game} (it has: {', '.join(sorted(found.games))})")
    return found.games[game]
