"""``retally streaks``: what has alarmed in a night, and what stands out over the floor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from streams.commands.shell import (
    FOUND,
    LEVEL,
    TABLES,
    Json,
    Packs,
    StoreArgument,
    Tables,
    add_row,
    chance_of,
    clear_errors,
    packs_of,
    print_json,
    screen,
)
from streams.printable import plain

if TYPE_CHECKING:
    from rich.console import Console

    from replay.results import Streak
    from streams.night_streaks import Night

EXAMPLE = "Example: retally streaks demo/store --date 2026-11-29 --level 1/100"
SHOWN: Final = 20
"""So many readings are shown; --json has all."""


def streaks(
    where: StoreArgument,
    date: Annotated[
        str | None, typer.Option("--date", metavar="DATE", help="The gaming day; else the last one.")
    ] = None,
    level: Annotated[
        str,
        typer.Option(
            "--level",
            metavar="CHANCE",
            help="Of the whole report: the chance that anything is raised although all is well.",
        ),
    ] = LEVEL,
    alarms_at: Annotated[
        str, typer.Option("--alarms-at", metavar="CHANCE", help="The level that the audit was given, if another one.")
    ] = LEVEL,
    tables: Tables = TABLES,
    regulator: Annotated[
        str | None,
        typer.Option(
            "--regulator", metavar="NAME", help="What this regulator wants to be investigated: US-KS, US-MD, US-OH."
        ),
    ] = None,
    packs: Packs = None,
    as_json: Json = False,
) -> None:
    """The streaks of a gaming day: alarms, and what stands out over the floor and over days. Exit status 1 if any."""
    import msgspec

    from dashboards.nightly import required
    from streams.night_streaks import night_of
    from streams.store import open_store

    names = () if regulator is None else (regulator,)
    with clear_errors(), open_store(where, create=False) as store:
        chances = chance_of("--level", level), chance_of("--alarms-at", alarms_at)
        law = packs_of(packs)
        night = night_of(store, date, *chances, tables, lambda day: required(store.query, day, law, names))
    if as_json:
        print_json(msgspec.to_builtins(night, enc_hook=str))
    else:
        _show(night, screen())
    raise SystemExit(0 if night.clean else FOUND)


def _show(night: Night, console: Console) -> None:
    from streams.night_streaks import too_many

    console.print(f"[bold]{night.date}[/]  {night.processes:,} processes watched for streaks")
    for bound in night.bounds:
        notice = too_many(night.date, bound)
        console.print(
            plain(notice)
            or f"{plain(bound.casino)}: were all well, anything of this would be raised in 1 night of"
            f" {bound.nights:,} at most"
        )
    for alarm in night.alarms:
        colour = "red" if alarm.severity.value == "severe" else "yellow"
        where = f"{plain(alarm.table)} round {alarm.round}, event {alarm.seq}"
        console.print(f"[{colour}]{plain(alarm.code)}[/]  {where}: {plain(alarm.text)}")
    if not night.alarms:
        console.print("No alarm.")
    for title, raised in (("over the floor", night.raised), ("over the days", night.over_days)):
        console.rule(f"what stands out {title}, at {night.level}", align="left")
        for one in raised:
            of = f"{plain(one.casino)}: " if len(night.bounds) > 1 else ""
            console.print(f"{of}{one.rank}. {plain(one.text)}")
        if not raised:
            console.print("nothing")
    if night.investigations:
        console.rule("what the regulator wants to be investigated", align="left")
        for found in night.investigations:
            console.print(plain(found["text"]))
    if night.readings:
        _show_readings(night.readings[:SHOWN], console)


def _show_readings(readings: list[Streak], console: Console) -> None:
    from rich.table import Table

    table = Table("table", "process", "bets on", "seen", "won", "needed", "stands")
    table.title = "Nearest to an alarm (powers of ten)"
    for row in readings:
        add_row(
            table,
            row.table,
            row.process,
            row.code.replace("_", " "),
            f"{row.observations:,}",
            f"{row.log10_wealth_milli / 1000:.1f}",
            f"{row.log10_alarm_milli / 1000:.1f}",
            row.state,
        )
    console.print(table)
