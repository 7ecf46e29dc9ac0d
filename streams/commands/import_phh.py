"""``retally import phh``: poker hands that others have written down, as logs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streams.commands.shell import (
    BAD_INPUT,
    FOUND,
    Json,
    Packs,
    clear_errors,
    judging_of,
    plain,
    print_json,
    progress_bar,
    refuse,
    screen,
)

if TYPE_CHECKING:
    from streams.phh import PhhHand

app = typer.Typer(help="What others have written down, as logs.", no_args_is_help=True)


@app.command("phh", epilog="Example: retally import phh hands/ --check")
def import_phh(
    path: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="Hands in PHH notation (.phh, .phhs).")],
    to: Annotated[
        Path | None, typer.Option(metavar="LOG", help="Write them as a log: .jsonl, .jsonl.zst, or a folder.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Audit them at once, and compare the stacks with finishing_stacks.")
    ] = False,
    rules: Annotated[str, typer.Option(metavar="PACK", help="The rule pack that they are judged by.")] = "AD-2022",
    packs: Packs = None,
    as_json: Json = False,
) -> None:
    """Poker hands in PHH notation (hold'em, Omaha, stud, draw), as sessions of circle poker.

    Exit status 1 when a stack differs or something is found; 2 when a file cannot be read or its variant is unknown.
    """
    from streams import phh

    if check == (to is not None):
        refuse("say either --to LOG or --check")
    hands: list[phh.PhhHand] = []
    refused: list[str] = []
    checks: list[phh.Check] = []
    with clear_errors():
        judging = judging_of(packs, rules=rules)
        files = phh.phh_files(path)
        with progress_bar("reading", len(files)) as progress:
            for file in files:
                try:
                    for hand in phh.read_hands(file):
                        if check:
                            checks.append(phh.check(hand, judging))
                        else:
                            phh.translate(hand, rules)
                            hands.append(hand)
                except phh.PhhError as error:
                    refused.append(str(error))
                progress(1)
        if to is not None and not refused:
            _write_hands(to, hands, rules)
    differ = [one for one in checks if not one.equal]
    if as_json:
        print_json(
            {
                "hands": len(checks) or len(hands),
                "differ": [{"file": one.name, "differences": one.differences} for one in differ],
                "refused": refused,
            }
        )
    elif check:
        console = screen()
        for one in differ:
            console.print(f"[red]differs[/]  [bold]{plain(one.name)}[/]")
            for line in one.differences:
                console.print(f"     {plain(line)}")
        typer.echo(f"{len(checks):,} hands: {len(checks) - len(differ):,} equal, {len(differ):,} differ")
    elif not refused:
        typer.echo(f"{len(hands):,} hands in {to}")
    for line in refused:
        sys.stderr.write(f"retally: {line}\n")
    raise SystemExit(BAD_INPUT if refused else FOUND if differ else 0)


def _write_hands(to: Path, hands: list[PhhHand], rules: str) -> None:
    from streams import phh
    from streams.logs import LogWriter

    used: set[str] = set()
    with LogWriter(to) as log:
        for hand in hands:
            log.write("hands", phh.lines_of(hand, phh.session_name(hand, used), rules))
