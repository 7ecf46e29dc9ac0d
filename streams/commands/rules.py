"""``retally rules``: the regulations that retally knows, listed and shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from streams.commands.shell import Json, clear_errors, plain, print_json, refuse, screen

if TYPE_CHECKING:
    from rich.console import Console

    from replay.rules import GameRules

app = typer.Typer(help="The regulations that retally knows.", no_args_is_help=True)


@app.command("list", epilog="Example: retally rules list")
def list_packs(as_json: Json = False) -> None:
    """The rule packs: where they hold, since when, and their games."""
    from replay.regulations import pack, pack_names

    packs = [pack(name) for name in pack_names()]
    if as_json:
        print_json(
            [
                {
                    "name": found.name,
                    "jurisdiction": found.jurisdiction,
                    "title": found.title,
                    "source": found.source,
                    "in_force": found.in_force,
                    "repealed": found.repealed,
                    "games": {game: rules.origin for game, rules in sorted(found.games.items())},
                }
                for found in packs
            ]
        )
        return
    from rich.table import Table

    table = Table("pack", "jurisdiction", "in force", "games", "source")
    for found in packs:
        since = str(found.in_force or "undated") + (f" to {found.repealed}" if found.repealed else "")
        games = ", ".join(
            game if rules.origin == found.name else f"{game} (from {rules.origin})"
            for game, rules in sorted(found.games.items())
        )
        table.add_row(found.name, found.jurisdiction, since, games, found.source)
    screen().print(table)


@app.command("show", epilog="Example: retally rules show AD-2025 --game boule")
def show_pack(
    rules: Annotated[str, typer.Argument(metavar="PACK")],
    game: Annotated[str | None, typer.Option(help="One game of the pack.")] = None,
    as_json: Json = False,
) -> None:
    """A pack's games: their wagers, prices, options and limits, each with its passage."""
    from replay.regulations import pack

    with clear_errors():
        found = pack(rules)
        if game is not None and game not in found.games:
            refuse(f"rule pack {rules} has no game {game} (it has: {', '.join(sorted(found.games))})")
        games = [found.games[name] for name in sorted(found.games) if game in (None, name)]
    if as_json:
        print_json([{"game": one.game, "rules": one.pack, "origin": one.origin, **one.data} for one in games])
        return
    console = screen()
    for one in games:
        _print_game(console, one)


def _print_game(console: Console, rules: GameRules) -> None:
    from rich.table import Table

    origin = "" if rules.origin == rules.pack else f", taken over from {rules.origin}"
    console.print(f"\n[bold]{plain(rules.title)}[/]  {rules.game} under {rules.pack}{origin}")
    console.print(f"[dim]{plain(rules.source)}[/]")
    wagers = Table("wager", "called", "pays", "on", "passage")
    for wager in rules.wagers.values():
        pays = str(wager.price) if wager.price else ", ".join(f"{key}: {price}" for key, price in wager.prices.items())
        picks = ", ".join(map(str, wager.picks))
        wagers.add_row(wager.id, wager.name, pays or "see passage", picks, wager.passage)
    console.print(wagers)
    if rules.options:
        options = Table("option", "values", "default", "passage")
        for option in rules.options.values():
            values = ", ".join(map(str, option.choices)) or option.kind
            if option.least is not None or option.most is not None:
                low = "" if option.least is None else option.least
                high = "" if option.most is None else option.most
                values = f"{low} to {high}"
            default = "" if option.default is None else str(option.default).lower()
            options.add_row(option.id, values, default, option.passage)
        console.print(options)
    others = Table("also", "what it says", "passage")
    for key, value in rules.data.items():
        if isinstance(value, dict) and key not in ("wagers", "options"):
            for name, content, passage in _provisions(key.replace("_", " "), value):
                others.add_row(name, plain(content), plain(passage))
    if others.row_count:
        console.print(others)


def _provisions(name: str, table: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """A table of a pack as rows: what it is called, what it says, its passage; the tables in it likewise."""
    own = {key: value for key, value in table.items() if key != "passage" and not _is_provision(value)}
    if own or "passage" in table:
        yield name, _flat(own), table.get("passage", "")
    for key, value in table.items():
        if _is_provision(value):
            yield from _provisions(f"{name}: {key.replace('_', ' ')}", value)


def _is_provision(value: Any) -> bool:
    return isinstance(value, dict) and ("passage" in value or any(_is_provision(one) for one in value.values()))


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key.replace('_', ' ')} {_flat(one)}" for key, one in value.items())
    if isinstance(value, list):
        return " ".join(_flat(one) for one in value)
    return str(value)
