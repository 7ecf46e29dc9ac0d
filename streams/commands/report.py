"""``retally report``: what the figures of a store come to, for people and for programs."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from streams.commands.shell import FOUND, Packs, StoreOption, clear_errors, gaming_day, packs_of, say

app = typer.Typer(help="Reports from a store.", no_args_is_help=True)


@app.callback()
def _report() -> None:
    """Reports from a store."""


@app.command("nightly", epilog="Example: retally report nightly --store demo/store --date 2026-11-29 --to reports")
def nightly(
    store: StoreOption,
    day: Annotated[datetime, typer.Option("--date", formats=["%Y-%m-%d"], help="The gaming day.")],
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the files go; it is made where it is not there.")],
    lang: Annotated[
        str, typer.Option("--language", "--lang", help="The language of the page, such as es or ca.")
    ] = "en",
    jurisdiction: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Whose thresholds of investigation to apply; all that are known otherwise."),
    ] = None,
    packs: Packs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON too, for programs.")] = False,
) -> None:
    """Reconciles a gaming day: what was counted against what the rules give, as a page, CSV and JSON.

    Exit status 0 when the log is whole and the night is clean: every table closed and counted, nothing found, nothing
    left unexplained; 1 otherwise. 2 for a day of which the store has no session: nothing is written then.
    """
    from dashboards.nightly import files, gather, stated, wording
    from replay.streaks.jurisdictions import jurisdiction_names
    from streams.gaming_days import known_day
    from streams.store import open_store
    from streams.whole import write_all

    with clear_errors():
        words = wording(lang)
        of = gaming_day("--date", day)
        law = packs_of(packs)
        with open_store(store, create=False) as opened:
            known_day(opened, of)
            figures = gather(opened.query, of, law, jurisdiction or jurisdiction_names())
        made = files(figures, words)
        write_all(to, made)
    page = to / f"nightly-{figures['day']}.html"
    if as_json:
        sys.stdout.write(made[f"nightly-{figures['day']}.json"].decode("utf-8"))
    else:
        said = " ".join(f"{what}: {text}" for what, _, text in stated(figures, wording("en")))
        say(f"{said} {len(made)} files; open {page} in a browser")
    clean = figures["statements"] == {"log": "whole", "night": "clean"}
    raise SystemExit(0 if clean else FOUND)
