"""The command ``retally report``: what the figures of a store come to, for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from streams.store import Store

report_app = typer.Typer(help="Reports from a store.", no_args_is_help=True)


@report_app.callback()
def _report() -> None:
    """Reports from a store."""


@report_app.command(
    "nightly", epilog="Example: retally report nightly --store demo/store --date 2026-11-29 --to reports"
)
def nightly(
    store: Annotated[str, typer.Option(metavar="STORE", help="A folder, or clickhouse://user@host:port/database.")],
    day: Annotated[datetime, typer.Option("--date", formats=["%Y-%m-%d"], help="The gaming day.")],
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the files go; it is made where it is not there.")],
    lang: Annotated[
        str, typer.Option("--language", "--lang", help="The language of the page, such as es or ca.")
    ] = "en",
    jurisdiction: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Whose thresholds of investigation to apply; all that are known otherwise."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON too, for programs.")] = False,
) -> None:
    """Reconciles a gaming day: what was counted against what the rules give, as a page, CSV and JSON.

    Exit status 0 when every table is complete, nothing was found and nothing is left unexplained; 1 otherwise.
    """
    from dashboards.nightly import WordsError, files, gather, wording
    from replay.rules import RuleError
    from replay.streaks.jurisdictions import jurisdiction_names
    from streams.store import StoreError, open_store

    try:
        words = wording(lang)
        with open_store(store, create=False) as opened:
            figures = gather(opened.query, day.date(), jurisdiction or jurisdiction_names())
        made = files(figures, words)
        to.mkdir(parents=True, exist_ok=True)
        for name, contents in made.items():
            (to / name).write_bytes(contents)
    except (WordsError, RuleError, StoreError) as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"{error.filename}: {error.strerror}")
    page = to / f"nightly-{figures['day']}.html"
    if as_json:
        sys.stdout.write((to / f"nightly-{figures['day']}.json").read_text("utf-8"))
    else:
        state = wording("en")(f"state.{figures['state']}")
        typer.echo(f"{state}. {len(made)} files; open {page} in a browser")
    unexplained = any(row["unexplained"] for row in figures["sessions"])
    required = any(place["found"] for place in figures["investigations"])
    clean = figures["state"] == "complete" and not (figures["findings"] or unexplained or required)
    raise SystemExit(0 if clean else 1)


def reconciled(store: Store, day: date, planted: Mapping[str, object]) -> dict[str, bytes]:
    """The files of a simulated day's reconciliation, the page first; ``planted``: what its truth says was done."""
    from dashboards.nightly import files, gather, wording
    from replay.streaks.jurisdictions import jurisdiction_names

    return files({**gather(store.query, day, jurisdiction_names()), "planted": planted}, wording("en"))


def _refuse(reason: str) -> NoReturn:
    sys.stderr.write(f"retally: {reason}\n")
    raise SystemExit(2)
