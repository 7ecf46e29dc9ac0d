"""The command `retally streaks`, and how streaks are asked for elsewhere on the command line.

The command line imports this for every command: it imports nothing slow itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from replay.streaks.watch import Watching
    from streams.streaks import Night

LEVEL = "1/100"
TABLES = 100

Level = Annotated[
    str,
    typer.Option(metavar="CHANCE", help="Of streaks: the chance, each night, that any alarm of the floor is false."),
]
Tables = Annotated[
    int,
    typer.Option("--tables", metavar="N", help="Of streaks: at most so many tables are open in one night."),
]
House = Annotated[
    Path | None,
    typer.Option(
        "--house",
        metavar="FILE",
        help="Of streaks: what the house expects of its dealers (TOML: errors, pace); without it, the defaults.",
    ),
]
Off = Annotated[bool, typer.Option("--no-streaks", help="Do not watch for streaks.")]
Cheats = Annotated[
    list[str] | None,
    typer.Option(
        "--cheat",
        metavar="NAME:KEY=VALUE,…",
        help="Somebody cheats, as in loaded-dice:face=6,from=2h; may be given more than once. Names, with what they"
        " take and its default: loaded-dice (face 6, heavier 0.3, dice 3), controlled-shooter (control 0.3),"
        " card-counter (spread 12), colluding-dealer (errs 0.1), past-poster (knows 0.3, units 5), unshuffled-shoe"
        " (kept 1), marked-cards (known 1, cards 1, units 5); each takes from (0) and table (NAME, or all) too.",
    ),
]


def watching(off: bool, level: str, tables: int, house: Path | None) -> Watching | None:
    """How streaks are watched for; None: not at all. Raises `StreaksError`, also for a house's file although streaks
    are not watched for."""
    from replay.streaks import house as settings
    from replay.streaks.watch import Watching
    from streams.house import HouseError, house_at
    from streams.streaks import StreaksError, chance_of

    try:
        expects = settings.House() if house is None else house_at(house)
    except HouseError as error:
        raise StreaksError(f"--house {error}") from None
    if off:
        return None
    chance = chance_of("--level", level)
    try:
        return Watching(chance, tables, expects)
    except ValueError as error:
        raise StreaksError(f"--tables {tables}: {error}") from None


EXAMPLE = "Example: retally streaks demo/store --date 2026-11-29 --level 1/100"
StorePlace = Annotated[str, typer.Argument(metavar="STORE", help="A folder, or clickhouse://user@host:port/database.")]
Day = Annotated[str | None, typer.Option("--date", metavar="DATE", help="The gaming day; else the last one.")]
AlarmsAt = Annotated[
    str, typer.Option("--alarms-at", metavar="CHANCE", help="The level that the audit was given, if another one.")
]
Regulator = Annotated[
    str | None,
    typer.Option(
        "--regulator", metavar="NAME", help="What this regulator wants to be investigated: US-KS, US-MD, US-OH."
    ),
]
FloorLevel = Annotated[
    str,
    typer.Option(
        "--level",
        metavar="CHANCE",
        help="Of what is raised over the whole floor, at most this part is false in the mean.",
    ),
]


def night(where: str, date: str | None, level: str, said_at: str, regulator: str | None) -> Night:
    """What a store holds of a gaming day; raises `StreaksError`, `StoreError`, `RuleError`."""
    from dashboards.nightly import required
    from streams.store import open_store
    from streams.streaks import night_of

    names = () if regulator is None else (regulator,)
    with open_store(where, create=False) as store:
        return night_of(store, date, level, said_at, lambda day: required(store.query, day, names))


def show(found: Night, console: Console) -> None:
    """Print it."""
    from streams.streaks import show

    show(found, console)


def fields(found: Night) -> object:
    """What JSON can say of it: fractions as text."""
    import msgspec

    return msgspec.to_builtins(found, enc_hook=str)
