"""``retally report``: what the figures of a store come to, for people and for programs."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from streams.commands.shell import FOUND, Packs, StoreOption, clear_errors, gaming_day, packs_of, refuse, say

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
    log: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The floor's log, whose heads are held against --policy.")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Whose word about a head is enough (c2sp.org/tlog-policy).")
    ] = None,
    packs: Packs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON too, for programs.")] = False,
) -> None:
    """Reconciles a gaming day: what was counted against what the rules give, as a page, CSV and JSON.

    With --log and --policy it tells of which nights before the witnesses have not signed the heads. That of the day
    itself they sign when it has its report.

    Exit status 0 when the log is whole and the night is clean: every table closed and counted, nothing found, nothing
    left unexplained, no signature of a witness missing; 1 otherwise. 2 for a day of which the store has no session:
    nothing is written then.
    """
    from dashboards.nightly import files, gather, stated, wording
    from replay.streaks.jurisdictions import jurisdiction_names
    from streams.gaming_days import known_day
    from streams.store import open_store
    from streams.whole import write_all

    if (log is None) != (policy is None):
        refuse("say both --log and --policy, or neither")
    with clear_errors():
        words = wording(lang)
        of = gaming_day("--date", day)
        law = packs_of(packs)
        with open_store(store, create=False) as opened:
            known_day(opened, of)
            figures = gather(opened.query, of, law, jurisdiction or jurisdiction_names())
        if log is not None and policy is not None:
            figures["heads"] = _heads(log, policy, figures["day"])
        made = files(figures, words)
        write_all(to, made)
    page = to / f"nightly-{figures['day']}.html"
    if as_json:
        sys.stdout.write(made[f"nightly-{figures['day']}.json"].decode("utf-8"))
    else:
        said = " ".join(f"{what}: {text}" for what, _, text in stated(figures, wording("en")))
        say(f"{said} {len(made)} files; open {page} in a browser")
    waited_for = figures["heads"] is not None and figures["heads"]["not_witnessed"]
    clean = figures["statements"] == {"log": "whole", "night": "clean"} and not waited_for
    raise SystemExit(0 if clean else FOUND)


def _heads(folder: Path, policy: Path, day: str) -> dict[str, Any]:
    """Of the nights before this day: which is the last that has a head, and whose head no quorum has signed."""
    from replay.bundle.house_log import not_witnessed
    from streams.floor_logs import read_log, read_policy_file

    log = read_log(folder)
    found = not_witnessed(log, read_policy_file(policy), day)
    before = [night.night.date for night in log.nights if night.night.date < day]
    return {
        "last": before[-1] if before else "",
        "not_witnessed": [
            {"code": "head_not_witnessed", "day": date, "stands": str(standing)} for date, standing in found
        ],
    }
