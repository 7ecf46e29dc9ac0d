"""What commands have in common: how they end, what they print with, and the options that several of them take.

The command line imports this for every command: it imports nothing slow itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NoReturn

import typer

from replay.errors import RetallyError
from streams.printable import plain, printable

if TYPE_CHECKING:
    from datetime import date, datetime
    from fractions import Fraction

    from rich.console import Console
    from rich.table import Table

    from replay.judging import Judging
    from replay.key_scope import ScopedKeys
    from replay.packs import Packs as Regulations
    from replay.streaks.watch import WatchSettings

# --- how a command ends -------------------------------------------------------------------------------------------

FOUND: Final = 1
"""Exit status: something was found."""
BAD_INPUT: Final = 2
"""Exit status: what was given cannot be used."""


def complain(reason: object) -> None:
    """Say in one line what cannot be used, and go on."""
    sys.stderr.write(f"retally: {printable(reason)}\n")


def refuse(reason: object) -> NoReturn:
    """End for bad input, with the reason in one line."""
    complain(reason)
    raise SystemExit(BAD_INPUT)


@contextmanager
def clear_errors() -> Iterator[None]:
    """Whatever is wrong with the input is said in one line."""
    try:
        yield
    except RetallyError as error:
        refuse(error)
    except BrokenPipeError:
        raise  # nobody reads what is printed: no fault of the input's
    except OSError as error:
        refuse(f"{error.filename}: {error.strerror}" if error.filename else error)


# --- what it prints with ------------------------------------------------------------------------------------------


def screen() -> Console:
    """Standard output, for people."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            """Left to the command, as of everything else that prints: Rich would say that something was found."""
            raise BrokenPipeError

    return Screen(highlight=False, soft_wrap=True)


SEVERITIES: Final = {"severe": "red", "warning": "yellow", "notice": "cyan"}
"""The colours of findings, the worst first."""


def add_row(table: Table, *values: object) -> None:
    """A row of a table, each value as `plain` text."""
    table.add_row(*map(plain, values))


def say(text: object) -> None:
    """A line on standard output; any text, see `printable`."""
    typer.echo(printable(text))


def print_json(value: object) -> None:
    """A value as indented JSON on standard output."""
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, where somebody is looking."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(what, total=total)
        yield lambda step: progress.advance(task, step)


# --- options that several commands take ----------------------------------------------------------------------------
# An option that more than one command takes stands here once: its type, and the function that makes of what was given
# what the command works with. An option of one command alone stands in that command's signature.

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Place = Annotated[
    str, typer.Option("--from", metavar="LOG|STORE", help="A file, a folder, kafka://host:port, clickhouse://…")
]
StoreArgument = Annotated[
    str, typer.Argument(metavar="STORE", help="A folder, or clickhouse://user@host:port/database.")
]
StoreOption = Annotated[
    str, typer.Option("--store", metavar="STORE", help="A folder, or clickhouse://user@host:port/database.")
]
Keys = Annotated[Path | None, typer.Option("--keys", metavar="FILE", help="The gateways' public keys.")]
Packs = Annotated[
    list[Path] | None,
    typer.Option(
        "--packs",
        metavar="FOLDER",
        envvar="RETALLY_PACKS",
        help="Rule packs beside the installed ones: a pack's folder, or one that holds several. May be given again.",
    ),
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="A TOML file of settings; else RETALLY_CONFIG names it.")
]

LEVEL: Final = "1/100"
TABLES: Final = 100
Level = Annotated[
    str,
    typer.Option(
        metavar="CHANCE",
        help="Of streaks: the chance, each night, that anything is raised on a floor on which all is well.",
    ),
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
        help="Of streaks: what the house expects of its dealers (TOML: errors); without it, the default.",
    ),
]


def gaming_day(option: str, given: datetime, *, days: int = 1) -> date:
    """The gaming day that an option names, the first of so many; raises `RetallyError` where events could not be of
    them."""
    from datetime import timedelta

    from replay.event_fields import EARLIEST, LATEST

    first, end = EARLIEST.date(), LATEST.date()
    if not first <= given.date() <= end - timedelta(days=days):
        raise RetallyError(f"{option} {given.date()}: gaming days are from {first} to before {end}")
    return given.date()


def packs_of(folders: list[Path] | None) -> Regulations:
    """The regulations that there are: the installed packs, and those in these folders. Raises `PackError`."""
    from streams.packs import packs_with

    return packs_with(folders or ())


def judging_of(
    packs: list[Path] | None,
    *,
    keys: Path | None = None,
    rules: str | None = None,
    watching: WatchSettings | None = None,
) -> Judging:
    """By which law a command judges. Raises `RetallyError` for packs or keys that cannot be used, and where there is no
    pack of the name ``rules``."""
    from replay.judging import Judging

    known = packs_of(packs)
    if rules is not None:
        known.pack(rules)
    return Judging(packs=known, keys=read_public_keys(keys), rules=rules, watching=watching)


def read_public_keys(file: Path | None) -> ScopedKeys | None:
    """The public keys of a file, ready to verify with, and what each counts for; None where none is named. That they
    are unscoped is said. Raises `KeyFileError`."""
    from streams.key_files import read_key_file, unscoped_notice

    if file is None:
        return None
    keys = read_key_file(file)
    notice = unscoped_notice(file, keys)
    if notice:
        complain(notice)
    return keys


def watching_of(off: bool, level: str, tables: int, house: Path | None) -> WatchSettings | None:
    """How streaks are watched for; None: not at all. Raises `RetallyError`, also for a house's file although streaks
    are not watched for."""
    from replay.streaks.expectations import Expectations
    from replay.streaks.watch import WatchSettings
    from streams.expectations import ExpectationsError, expectations_at

    try:
        expects = Expectations() if house is None else expectations_at(house)
    except ExpectationsError as error:
        raise RetallyError(f"--house {error}") from None
    if off:
        return None
    chance = chance_of("--level", level)
    try:
        return WatchSettings(chance, tables, expects)
    except ValueError as error:
        raise RetallyError(f"--tables {tables}: {error}") from None


def chance_of(option: str, text: str) -> Fraction:
    """The chance that an option names; raises `RetallyError`."""
    from fractions import Fraction

    from replay.chance import MIN_CHANCE, read_chance

    try:
        found = read_chance(text)
    except ValueError:
        found = Fraction(0)
    if not MIN_CHANCE <= found <= 1:
        raise RetallyError(f"{option} {text}: not a chance such as 1/100 or 0.01, {MIN_CHANCE} to 1")
    return found
