"""A rule pack to begin with: the files of a new one that stands on another, with all that it may say as comments."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator

from replay.packs import Pack, PackError, Packs
from replay.rules import GameRules, Option

_NAME = re.compile(r"[A-Z0-9][A-Z0-9-]{0,31}")


def begun(
    packs: Packs, base: str, name: str, games: Iterable[str], *, house: bool, today: datetime.date
) -> dict[str, str]:
    """The files of pack ``name``, by their names. ``games``: these alone; none: all that the base has. ``house``: a
    house's own rules under the base (``extends``), else a law of its own (``based_on``).

    Raises:
        PackError: the name is none, or is in use.
        RuleError: there is no such base, or it has no such game.
    """
    if not _NAME.fullmatch(name):
        raise PackError(f"{name}: a pack's name has capitals, digits and hyphens, as in CLUB-2027")
    if name in packs.names:
        raise PackError(f"{name}: there is such a pack already; give yours a name of its own")
    found = packs.pack(base)
    chosen = list(games)
    rules = [found.game(game) for game in chosen or found.games]
    write = _house_file if house else _law_file
    files = {"pack.toml": _pack_file(found, name, chosen, house=house, today=today)}
    files |= {f"{one.game}.toml": write(packs, one) for one in rules}
    return files


def _pack_file(base: Pack, name: str, games: list[str], *, house: bool, today: datetime.date) -> str:
    stands_on = "extends" if house else "based_on"
    what = "house rules under" if house else "a law that begins from"
    since = max(today, base.in_force or today)
    lines = [
        f"# {name}: {what} {base.name} ({base.title}).",
        f'name = "{name}"',
        "# Tables may name this instead of a pack; they then play under whichever pack of it is in force.",
        f'jurisdiction = "{name.partition("-")[0]}{"-HOUSE" if name.partition("-")[0] == base.jurisdiction else ""}"',
        f'title = "{name}"',
        'source = "where these rules are written down"',
        'approved_by = "who has approved them, and by what"',
        "# The first day on which they hold; repealed = the first day on which they no longer do.",
        f"in_force = {since.isoformat()}",
        f'{stands_on} = "{base.name}"',
    ]
    if games:
        lines.append(f"games = [{', '.join(f'{chr(34)}{game}{chr(34)}' for game in games)}]")
    return "\n".join(lines) + "\n"


def _law_file(packs: Packs, rules: GameRules) -> str:
    """The text of the base, every line a comment."""
    text = packs.files[rules.origin][f"{rules.game}.toml"].decode()
    own = [line for line in text.splitlines() if not re.match(r"game\s*=", line)]
    head = [
        f"# What differs from {rules.origin}: take the # from before what you say otherwise, with its [table] and a",
        '# passage of your own. To take a table out: without = ["wagers.NAME"].',
        f'game = "{rules.game}"',
        "",
    ]
    return "\n".join([*head, *(f"# {line}".rstrip() for line in own)]) + "\n"


def _house_file(packs: Packs, rules: GameRules) -> str:
    """What the law leaves open, with its bounds."""
    wagers = ", ".join(sorted(rules.wagers))
    lines = [
        f"# What the house chooses within {rules.pack}, which leaves these things open.",
        f'game = "{rules.game}"',
        '# passage = "where in the house\'s own rules this stands"',
        f'# without = ["wagers.NAME"]   # wagers that are not offered, of: {wagers}',
        "",
        "# The limits that tables post, in minor units; [limits] of the law bound them.",
        "# [limits]",
        "# min = 500",
        "# max = 100000",
        "",
        "# One value for all tables, or narrower bounds: NAME = { least = …, most = …, default = … }",
        "# [options]" if rules.options else "# (the law leaves no options)",
    ]
    lines += [line for option in rules.options.values() for line in _option_lines(option)]
    return "\n".join(lines) + "\n"


def _option_lines(option: Option) -> Iterator[str]:
    bounds: str = option.kind
    if option.choices:
        bounds = f"one of {', '.join(map(str, option.choices))}"
    elif option.least is not None or option.most is not None:
        low = "" if option.least is None else f"{option.least} at least "
        bounds = f"{low}{'' if option.most is None else f'{option.most} at most'}".strip()
    yield f"# {option.id}: {bounds} ({option.passage})"
    yield f"# {option.id} = {_toml(option.default)}"


def _toml(value: object) -> str:
    if value is None:
        return "…"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else f'"{value}"'
