"""``retally demo``: a night with planted wrongs, from the tables to the report."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streams.commands.shell import FOUND, Packs, clear_errors, packs_of, screen

if TYPE_CHECKING:
    from replay.packs import Packs as Regulations
    from streams.store import Store

EXAMPLE = "Example: retally demo --to demo"


def demo(
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the log, the store and the report go.")] = Path(
        "demo"
    ),
    seed: Annotated[int, typer.Option(help="Another seed, another night.")] = 2026,
    packs: Packs = None,
) -> None:
    """A night on a small floor with planted wrongs, audited into the embedded store, with a report.

    Exit status 0 when each planted wrong was found and nothing else.
    """
    from streams.demo import run

    with clear_errors():
        law = packs_of(packs)
        exact = run(to, seed, screen(), law, partial(_reconciled, law))
    raise SystemExit(0 if exact else FOUND)


def _reconciled(packs: Regulations, store: Store, day: date, planted: Mapping[str, object]) -> dict[str, bytes]:
    """The files of a simulated day's reconciliation, the page first; ``planted``: what its truth says was done."""
    from dashboards.nightly import files, gather, wording
    from replay.streaks.jurisdictions import jurisdiction_names

    return files({**gather(store.query, day, packs, jurisdiction_names()), "planted": planted}, wording("en"))
