"""``retally audit``: every settlement of a log recomputed, shown and stored."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from replay.errors import RetallyError
from streams.commands.shell import (
    BAD_INPUT,
    FOUND,
    LEVEL,
    SEVERITIES,
    TABLES,
    House,
    Json,
    Level,
    Packs,
    Tables,
    clear_errors,
    complain,
    judging_of,
    progress_bar,
    refuse,
    screen,
    watching_of,
)
from streams.printable import plain, printable

if TYPE_CHECKING:
    from replay.results import Finding, Row
    from replay.streaks.watch import WatchSettings
    from streams.logs import Log
    from streams.parallel import Tally
    from streams.store import Store

EXAMPLE = "Example: retally audit night.jsonl.zst --keys floor.keys --into floor-store"

SHOWN = 20
"""So many findings and rejected lines are shown; --json shows all."""


def audit(
    log: Annotated[
        list[str],
        typer.Argument(
            metavar="LOG…", help="Files (.jsonl, .jsonl.zst), folders of them, - (standard input), kafka://host:port."
        ),
    ],
    into: Annotated[
        str | None, typer.Option(metavar="STORE", help="A folder, or clickhouse://user@host:port/database.")
    ] = None,
    rules: Annotated[str | None, typer.Option(metavar="PACK", help="Judge by this rule pack.")] = None,
    keys: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The gateways' public keys; without them, signatures are not checked."),
    ] = None,
    packs: Packs = None,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes, each with a share of the sessions.")] = 1,
    no_streaks: Annotated[bool, typer.Option("--no-streaks", help="Do not watch for streaks.")] = False,
    level: Level = LEVEL,
    tables: Tables = TABLES,
    house: House = None,
    as_json: Json = False,
) -> None:
    """Audits logs: recomputes every settlement, and says what is wrong.

    With --json a line for each settlement, finding and rejected line; a later line of the same identity (settlements:
    session, round, bet; findings: session, seq, code, subject) and a higher revision supersedes an earlier one.
    A log that cannot be read, or not to its end, is named, and the rest is audited.
    Exit status 1 when something was found, 2 when a log could not be read or holds no line.
    """
    from streams import logs, parallel
    from streams.into_store import audit_into
    from streams.store import open_store

    with clear_errors():
        watching = watching_of(no_streaks, level, tables, house)
        judging = judging_of(packs, keys=keys, rules=rules, watching=watching)
        found, unusable = _logs_at(log)
        if not found:
            _tell_unusable(unusable, as_json=as_json)
            raise SystemExit(BAD_INPUT)
        store: Store | None = None
        if into is not None:
            store = open_store(into)
            store.migrate()
        show = _Shown(as_json, signatures=judging.keys is not None)
        try:
            size = logs.size_of_all(found)
            with progress_bar("auditing", size if store is None else 2 * size) as progress:
                if store is None:
                    tally = parallel.audit(found, show.take, judging, workers=workers, progress=progress)
                else:
                    tally = audit_into(store, found, show.take, judging, workers=workers, progress=progress)
        finally:
            if store is not None:
                store.close()
    unusable += tally.unreadable
    if not tally.lines and not unusable:
        refuse(f"{', '.join(log)}: there is no line to audit")
    if not as_json:
        show.summary(tally)
    if watching is not None:
        for notice in show.bounds(watching):
            complain(notice)
    _tell_unusable(unusable, as_json=as_json)
    raise SystemExit(BAD_INPUT if unusable else 0 if tally.clean else FOUND)


def _logs_at(places: list[str]) -> tuple[list[Log], list[str]]:
    """The logs that there are, and what is wrong with the others."""
    from streams import logs
    from streams.sources import log_at

    found: list[Log] = []
    unusable: list[str] = []
    for place in places:
        try:
            one = log_at(place)
            logs.size_of(one)
        except RetallyError as error:
            unusable.append(str(error))
        except OSError as error:
            unusable.append(f"{place}: {error.strerror}")
        else:
            found.append(one)
    return found, unusable


def _tell_unusable(reasons: list[str], *, as_json: bool) -> None:
    """Name the logs that could not be read, or not to their end."""
    import msgspec

    for reason in reasons:
        if as_json:
            sys.stdout.write(msgspec.json.encode({"record": "unusable", "reason": printable(reason)}).decode() + "\n")
        complain(reason)


class _Shown:
    """Takes an audit's rows to the screen."""

    def __init__(self, as_json: bool, *, signatures: bool) -> None:
        """``signatures``: whether there were keys to check them with."""
        self._json = as_json
        self._signatures = signatures
        self._findings: dict[tuple[Any, ...], Finding] = {}
        self._rejected = 0
        self._watched: dict[tuple[str, str], set[str]] = {}
        """By gaming day and casino, the sessions that were watched for streaks."""

    def take(self, row: Row) -> None:
        from replay.results import Finding, Rejected, Settlement, Streak
        from replay.revisions import identity

        if isinstance(row, Streak):
            self._watched.setdefault((row.gaming_day, row.casino), set()).add(row.session)

        if self._json:
            if isinstance(row, Settlement | Finding | Rejected):
                import msgspec

                fields = {"record": type(row).__name__.lower(), **msgspec.structs.asdict(row)}
                if isinstance(row, Rejected):
                    fields["raw"] = row.raw.decode("utf-8", "backslashreplace")
                sys.stdout.write(msgspec.json.encode(fields).decode() + "\n")
        elif isinstance(row, Finding):
            if row.withdrawn:
                self._findings.pop(identity(row), None)
            elif len(self._findings) < 10_000:
                self._findings[identity(row)] = row
        elif isinstance(row, Rejected):
            self._rejected += 1
            if self._rejected <= SHOWN:
                field = f"{row.field}: " if row.field else ""
                sys.stderr.write(f"{printable(row.source)}:{row.place}: rejected: {field}{row.reason}\n")
            elif self._rejected == SHOWN + 1:
                sys.stderr.write("… more lines were rejected: --json shows all, --into keeps them\n")

    def bounds(self, watching: WatchSettings) -> list[str]:
        """What really holds for the floors that had more tables than the level was meant for."""
        from streams.night_streaks import bound, too_many

        found = (
            too_many(date, bound(casino, watching.level, watching.tables, len(sessions)))
            for (date, casino), sessions in sorted(self._watched.items())
        )
        return [notice for notice in found if notice]

    def summary(self, tally: Tally) -> None:
        from rich.table import Table

        console = screen()
        ranks = list(SEVERITIES)
        worst = sorted(self._findings.values(), key=lambda finding: ranks.index(finding.severity.value))[:SHOWN]
        for finding in worst:
            colour = SEVERITIES[finding.severity.value]
            console.print(
                f"[{colour}]{finding.code}[/]  {plain(finding.session)} round {finding.round}: {plain(finding.text)}"
                f"  [dim]{plain(finding.passage)}[/]"
            )
        if len(self._findings) > len(worst):
            console.print(f"… and {len(self._findings) - len(worst):,} more findings")
        table = Table("", "", show_header=False, box=None, pad_edge=False)
        table.add_row("lines", f"{tally.lines:,}")
        table.add_row("rejected", f"{tally.rejected:,}")
        table.add_row("sessions", f"{tally.sessions:,}")
        held = f"{tally.seals_good:,} of {tally.seals_good + tally.seals_bad:,}"
        table.add_row("seals that hold", held if self._signatures else f"{held} (signatures not checked: no --keys)")
        table.add_row("settlements", f"{tally.settlements:,}")
        for verdict, count in tally.verdicts.items():
            table.add_row(f"  {verdict}", f"{count:,}")
        table.add_row("findings", f"{sum(tally.findings.values()):,}")
        for code, count in tally.findings.items():
            table.add_row(f"  {code}", f"{count:,}")
        console.print(table)
        if tally.open:
            console.print(f"{_sessions(tally.open)} still open: no event says that the table was closed")


def _sessions(count: int) -> str:
    return "1 session is" if count == 1 else f"{count:,} sessions are"
