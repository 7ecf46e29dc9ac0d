"""``retally rules``: the regulations that retally knows, listed and shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from replay.cited import cited, marked
from streams.commands.shell import (
    BAD_INPUT,
    Json,
    Packs,
    add_row,
    clear_errors,
    packs_of,
    print_json,
    refuse,
    say,
    screen,
)
from streams.printable import plain

if TYPE_CHECKING:
    from rich.console import Console

    from replay.rules import GameRules

app = typer.Typer(help="The regulations that retally knows.", no_args_is_help=True)


@app.command("list", epilog="Example: retally rules list")
def list_packs(packs: Packs = None, as_json: Json = False) -> None:
    """The rule packs: where they hold, since when, who approved them, what they stand on, and their games."""
    with clear_errors():
        known = packs_of(packs)
        all_packs = [known.pack(name) for name in known.names]
        origins = {found.name: {game: found.games[game].origin for game in found.games} for found in all_packs}
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
                    "approved_by": found.text.approved_by,
                    "extends": found.text.extends,
                    "based_on": found.text.based_on,
                    "games": origins[found.name],
                }
                for found in all_packs
            ]
        )
        return
    from rich.table import Table

    table = Table("pack", "jurisdiction", "in force", "games", "source")
    for found in all_packs:
        since = str(found.in_force or "undated") + (f" to {found.repealed}" if found.repealed else "")
        games = ", ".join(
            game if origin == found.name else f"{game} (from {origin})" for game, origin in origins[found.name].items()
        )
        stands_on = f"extends {found.text.extends}" if found.text.extends else ""
        stands_on = f"based on {found.text.based_on}" if found.text.based_on else stands_on
        source = "; ".join(filter(None, (found.source, stands_on, found.text.approved_by)))
        add_row(table, found.name, found.jurisdiction, since, games, source)
    screen().print(table)


@app.command("show", epilog="Example: retally rules show AD-2025 --game boule")
def show_pack(
    rules: Annotated[str, typer.Argument(metavar="PACK")],
    game: Annotated[str | None, typer.Option(help="One game of the pack.")] = None,
    packs: Packs = None,
    as_json: Json = False,
) -> None:
    """A pack's games: their wagers, prices, options and limits, each with its passage.

    What is not the text's own word says so beside it: filled from a sister text, read so, or from general usage.
    """
    with clear_errors():
        found = packs_of(packs).pack(rules)
        if game is not None and game not in found.games:
            refuse(f"rule pack {rules} has no game {game} (it has: {', '.join(sorted(found.games))})")
        games = [found.games[name] for name in sorted(found.games) if game in (None, name)]
    if as_json:
        print_json([{"game": one.game, "rules": one.pack, "origin": one.origin, **one.data} for one in games])
        return
    console = screen()
    for one in games:
        _print_game(console, one)


@app.command("check", epilog="Example: retally rules check house-rules")
def check(
    folders: Annotated[
        list[Path], typer.Argument(metavar="FOLDER…", help="A pack's folder, or one that holds several.")
    ],
    packs: Packs = None,
    as_json: Json = False,
) -> None:
    """Says everything that is wrong with rule packs at once: the file, the key, what is expected there.

    Exit status 2 when something is.
    """
    from replay.packs import PackError
    from streams.packs import read_packs

    with clear_errors():
        known = packs_of(packs)
        try:
            given = read_packs(folders)
            problems = [str(problem) for problem in known.beside(given).problems(given.names)]
        except PackError as error:
            problems, given = [str(error)], None
    if as_json:
        print_json({"packs": list(given.names) if given is not None else [], "problems": problems})
    for problem in problems if not as_json else ():
        say(problem)
    if not as_json and given is not None:
        games = sum(len(known.beside(given).pack(name).games) for name in given.names) if not problems else 0
        names = ", ".join(given.names)
        say(f"{names}: {len(problems)} problems" if problems else f"{names}: {games} games, nothing is wrong")
    raise SystemExit(BAD_INPUT if problems else 0)


@app.command("new", epilog="Example: retally rules new --from AD-2025 --game blackjack --to packs/CLUB-2027")
def new(
    base: Annotated[str, typer.Option("--from", metavar="PACK", help="The rule pack to begin from.")],
    to: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The new pack; its last part is the pack's name: capitals, 0-9, -.")
    ],
    game: Annotated[
        list[str] | None, typer.Option(help="Only this game; may be given more than once. All of them otherwise.")
    ] = None,
    house: Annotated[
        bool, typer.Option("--house-rules", help="A house's own rules under that law (extends), instead of a law.")
    ] = False,
    packs: Packs = None,
) -> None:
    """Writes a rule pack to begin with: based on another, with all that may be said otherwise as comments.

    Then change it, and let 'retally rules check FOLDER' say what is wrong.
    """
    import datetime

    from replay.pack_new import begun
    from streams.whole import whole_folder

    with clear_errors():
        name = to.resolve().name
        texts = begun(
            packs_of(packs), base, name, game or (), house=house, today=datetime.datetime.now().astimezone().date()
        )
        if to.exists():
            refuse(f"{to}: is there already; name another")
        with whole_folder(to) as folder:
            for file, text in texts.items():
                (folder / file).write_text(text, "utf-8")
    for file in texts:
        say(to / file)
    say(f"fill in pack.toml, say in the games' files what differs, then: retally rules check {to}")


def _print_game(console: Console, rules: GameRules) -> None:
    from rich.table import Table

    origin = "" if rules.origin == rules.pack else f", taken over from {rules.origin}"
    console.print(f"\n[bold]{plain(rules.title)}[/]  {plain(f'{rules.game} under {rules.pack}{origin}')}")
    console.print(f"[dim]{plain(rules.source)}[/]")
    wagers = Table("wager", "called", "pays", "on", "passage")
    for wager in rules.wagers.values():
        pays = str(wager.price) if wager.price else ", ".join(f"{key}: {price}" for key, price in wager.prices.items())
        picks = ", ".join(map(str, wager.picks))
        add_row(wagers, wager.id, wager.name, pays or "see passage", picks, wager.passage)
    console.print(wagers)
    if rules.options:
        options = Table("option", "values", "default", "passage")
        for option in rules.options.values():
            values = ", ".join(map(str, option.choices)) or option.kind
            if option.least is not None or option.most is not None:
                low = "" if option.least is None else option.least
                high = "" if option.most is None else option.most
                values = f"{low} to {high}"
            if option.law.only is not None:
                values = f"{option.law.only}, nothing else"
            default = "" if option.default is None else str(option.default).lower()
            add_row(options, option.id, values, default, option.passage)
        console.print(options)
    others = Table("also", "what it says", "passage")
    if rules.house is not None:
        add_row(others, "tables post", _flat(dict(rules.house.limits)), rules.house.passage)
    for name, passage in rules.law.passages.model_dump().items():
        add_row(others, f"passage: {name.replace('_', ' ')}", "", passage)
    for key, value in rules.data.items():
        if isinstance(value, dict) and key not in ("wagers", "options", "passages", "titles"):
            for name, content, passage in _provisions(key.replace("_", " "), value):
                add_row(others, name, content, passage)
    if others.row_count:
        console.print(others)
    marks = len(list(marked(rules.data)))
    if marks:
        console.print(
            f"[yellow]passages that are not the law's own word: {marks}; what each rests on stands in brackets.[/]\n"
            "[dim]Whoever has the text writes its passage in place of that (see 'retally rules new').[/]"
        )


def _provisions(name: str, table: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """A table of a pack as rows: what it is called, what it says, its passage; the tables in it likewise."""
    own = {key: value for key, value in table.items() if key != "passage" and not _is_provision(value)}
    if own or "passage" in table:
        yield name, _flat(own), cited(table["passage"]) if "passage" in table else ""
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
