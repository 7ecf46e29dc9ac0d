"""``retally settle``: the dispute calculator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from streams.commands.shell import FOUND, Json, Packs, clear_errors, judging_of, plain, print_json, screen

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

    Exit status 1 when an expect block is not met.
    """
    from streams.scenarios import outcome_fields, scenario_files, settle_file

    results: list[dict[str, Any]] = []
    unmet = 0
    with clear_errors():
        judging = judging_of(packs, rules=rules)
        files = scenario_files(paths)
        for file in files:
            name, outcome = settle_file(file, judging)
            unmet += not outcome.met
            if as_json:
                results.append({"file": str(file), **outcome_fields(outcome)})
            else:
                _print_outcome(file, name, outcome, details=len(files) == 1)
    if as_json:
        print_json(results)
    else:
        met = len(files) - unmet
        typer.echo(f"{len(files)} scenarios: {met} met, {unmet} not met")
    raise SystemExit(FOUND if unmet else 0)


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
        table.add_row(
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
