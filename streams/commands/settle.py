"""``retally settle``: the dispute calculator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from replay.errors import RetallyError
from streams.commands.shell import (
    BAD_INPUT,
    FOUND,
    Json,
    Packs,
    add_row,
    clear_errors,
    complain,
    judging_of,
    print_json,
    screen,
)
from streams.printable import plain, printable

if TYPE_CHECKING:
    from replay.scenario import Outcome

EXAMPLE = "Example: retally settle tests/scenarios/craps --json"


def settle(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE|FOLDER…", help="Scenario files, or folders of them.")],
    rules: Annotated[str | None, typer.Option(help="Judge by this rule pack instead of the one in the file.")] = None,
    packs: Packs = None,
    as_json: Json = False,
) -> None:
    """The dispute calculator: what the rules give for what happened at a table.

    A file that is no scenario is named, and the others are settled. Exit status 1 when an expect block is not met, 2
    when there was such a file.
    """
    from streams.scenarios import outcome_fields, settle_file

    results: list[dict[str, Any]] = []
    settled = unmet = 0
    with clear_errors():
        judging = judging_of(packs, rules=rules)
        files, unusable = _files_at(paths)
        for file in files:
            try:
                name, outcome = settle_file(file, judging)
            except RetallyError as error:
                unusable.append(str(error))
                results.append({"file": printable(file), "unusable": printable(error)})
                continue
            settled += 1
            unmet += not outcome.met
            if as_json:
                results.append({"file": printable(file), **outcome_fields(outcome)})
            else:
                _print_outcome(file, name, outcome, details=len(files) == 1)
    if as_json:
        print_json(results)
    elif settled:
        typer.echo(f"{settled} scenarios: {settled - unmet} met, {unmet} not met")
    for reason in unusable:
        complain(reason)
    raise SystemExit(BAD_INPUT if unusable else FOUND if unmet else 0)


def _files_at(paths: list[Path]) -> tuple[list[Path], list[str]]:
    """The scenario files, and what is wrong with paths where there is none."""
    from streams.scenarios import scenario_files

    files: list[Path] = []
    unusable: list[str] = []
    for path in paths:
        try:
            files += scenario_files(path)
        except RetallyError as error:
            unusable.append(str(error))
        except OSError as error:
            unusable.append(f"{path}: {error.strerror}")
    return files, unusable


def _print_outcome(file: Path, name: str, outcome: Outcome, *, details: bool) -> None:
    console = screen()
    mark = "[red]NOT MET[/]" if not outcome.met else "[green]met[/]" if outcome.expected else "settled"
    console.print(f"{mark}  [bold]{plain(file)}[/]  {plain(name)}")
    for mismatch in outcome.mismatches:
        console.print(f"     {plain(mismatch)}")
    if not details:
        return
    from rich.table import Table

    table = Table("bet", "wager", "stake", "paid", "returned", "claimed", "verdict", "passage", title=plain(name))
    for settlement in outcome.settlements:
        claimed = (
            "" if settlement.claimed_paid is None else f"{settlement.claimed_paid} + {settlement.claimed_returned}"
        )
        add_row(
            table,
            settlement.bet,
            f"{settlement.wager} {settlement.pick}".strip(),
            str(settlement.stake),
            _number(settlement.paid),
            _number(settlement.returned),
            claimed,
            settlement.verdict.value,
            settlement.passage,
        )
    console.print(table)
    for fault in outcome.setup:
        console.print(f"[yellow]set-up[/]  {plain(fault.text)}  [dim]{plain(fault.passage)}[/]")
    for finding in outcome.findings:
        amount = "" if finding.amount is None else f" ({finding.amount})"
        console.print(f"[yellow]{finding.code}[/]{amount}  {plain(finding.text)}  [dim]{plain(finding.passage)}[/]")


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
