"""``retally import phh``: poker hands that others have written down, as logs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streams.commands.shell import (
    BAD_INPUT,
    FOUND,
    Json,
    Packs,
    clear_errors,
    complain,
    judging_of,
    print_json,
    progress_bar,
    refuse,
    say,
    screen,
)
from streams.printable import plain, printable

if TYPE_CHECKING:
    from replay.judging import Judging
    from streams.phh import Check, PhhHand

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

    A hand that cannot be used is named, with its number in a file of many, and the others are taken. Exit status 1 when
    a stack differs or something is found; 2 when there was such a hand.
    """
    from streams import phh

    if check == (to is not None):
        refuse("say either --to LOG or --check")
    done = _Done()
    with clear_errors():
        judging = judging_of(packs, rules=rules)
        files = phh.phh_files(path)
        with progress_bar("reading", len(files)) as progress:
            for file in files:
                _take(file, done, judging if check else None, rules)
                progress(1)
        if to is not None and done.hands:
            _write_hands(to, done.hands, rules)
    differ = [one for one in done.checks if not one.equal]
    if as_json:
        print_json(
            {
                "hands": len(done.checks) or len(done.hands),
                "differ": [{"file": printable(one.name), "differences": one.differences} for one in differ],
                "refused": [printable(reason) for reason in done.refused],
            }
        )
    elif check:
        console = screen()
        for one in differ:
            console.print(f"[red]differs[/]  [bold]{plain(one.name)}[/]")
            for line in one.differences:
                console.print(f"     {plain(line)}")
        typer.echo(f"{len(done.checks):,} hands: {len(done.checks) - len(differ):,} equal, {len(differ):,} differ")
    elif done.hands:
        say(f"{len(done.hands):,} hands in {to}")
    for reason in done.refused:
        complain(reason)
    raise SystemExit(BAD_INPUT if done.refused else FOUND if differ else 0)


@dataclass
class _Done:
    """What has become of the hands."""

    hands: list[PhhHand] = field(default_factory=list)
    """Those that can be written."""
    checks: list[Check] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Why a file or a hand was left out."""


def _take(file: Path, done: _Done, judging: Judging | None, rules: str) -> None:
    """Check the hands of a file, or, without ``judging``, see which can be written. What cannot be used is refused."""
    from streams import phh

    try:
        found = phh.read_hands(file)
    except phh.PhhError as error:
        found = [error]
    for hand in found:
        try:
            if isinstance(hand, phh.PhhError):
                raise hand
            if judging is not None:
                done.checks.append(phh.check(hand, judging))
                continue
            problems = phh.translate(hand, rules).problems
        except phh.PhhError as error:
            done.refused.append(str(error))
            continue
        if problems:
            done.refused.append(f"{hand.name}: {problems[0]}")
        else:
            done.hands.append(hand)


def _write_hands(to: Path, hands: list[PhhHand], rules: str) -> None:
    from streams import phh
    from streams.logs import LogWriter

    used: set[str] = set()
    with LogWriter(to) as log:
        for hand in hands:
            log.write("hands", phh.lines_of(hand, phh.session_name(hand, used), rules))
