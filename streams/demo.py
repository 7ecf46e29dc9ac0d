"""The demonstration: a night on a small floor, wrongs planted, audited into the embedded store, reported."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from replay.errors import RetallyError
from replay.judging import Judging
from replay.packs import Packs
from replay.results import Finding, Row
from replay.streaks.watch import WatchSettings
from streams import parallel
from streams.key_files import read_key_file
from streams.logs import LogWriter
from streams.printable import plain
from streams.simulator import games
from streams.simulator.floor import Floor
from streams.simulator.truth import Comparison, Planted, by_fault, compare
from streams.store import Store, open_store
from streams.whole import whole, write_all, write_whole

if TYPE_CHECKING:
    from rich.console import Console

FIRST_DAY: Final = date(2026, 11, 29)
_MARK: Final = ".retally-demo"
_TABLES_A_GAME: Final = 1
_HOURS: Final = 4.0
_FAULT_RATE: Final = 0.06


Reconcile = Callable[[Store, date, Mapping[str, object]], Mapping[str, bytes]]
"""Makes the files of the nightly reconciliation from the store, the gaming day and what was planted; the page is the
first."""


class DemoError(RetallyError):
    """The demonstration cannot run here: one clear line."""


def write_truth(path: Path, truth: Iterable[Planted]) -> None:
    """What was planted, a JSON object a line. Raises OSError."""
    with whole(path) as file:
        for wrong in truth:
            file.write(msgspec.json.encode(wrong) + b"\n")


def run(folder: Path, seed: int, console: Console, packs: Packs, reconcile: Reconcile) -> bool:
    """Play the night into ``folder``; whether each planted wrong was found and nothing else. ``packs``: the regulations
    that it is judged by. Raises `RetallyError`."""
    _prepare(folder)
    started = time.monotonic()
    log, keys, truth = folder / "night.jsonl.zst", folder / "floor.keys", folder / "truth.jsonl"
    tables = _TABLES_A_GAME * len(games.names())
    floor = Floor(tables=tables, hours=_HOURS, seed=seed, first_day=FIRST_DAY, fault_rate=_FAULT_RATE, packs=packs)
    console.print(f"[bold]1[/] A night on a floor of {tables} tables ({', '.join(games.names())})")
    with LogWriter(log) as writer:
        events = writer.write("", floor.lines())
    write_whole(keys, floor.key_file().encode())
    write_truth(truth, floor.truth)
    console.print(
        f"  {events:,} sealed events in {plain(log)}; {len(floor.truth)} wrongs planted among them ({plain(truth)})"
    )

    console.print("[bold]2[/] Audited into the embedded store")
    findings: dict[tuple[str, int, str, str], Finding] = {}
    judging = Judging(packs=packs, keys=read_key_file(keys), watching=WatchSettings(tables=tables))
    with open_store(str(folder / "store")) as store:
        store.migrate()

        def take(row: Row) -> None:
            store.add(row)
            if isinstance(row, Finding):
                findings[row.session, row.seq, row.code, row.subject] = row

        tally = parallel.audit([log], take, judging, raw=True)
        store.flush()
        comparison = compare(floor.truth, findings.values())
        console.print(
            f"  {tally.settlements:,} settlements recomputed, {sum(tally.findings.values()):,} findings,"
            f" {tally.rejected} rejected lines in {plain(folder / 'store')}"
        )
        nightly = folder / "nightly"
        reconciled = reconcile(store, FIRST_DAY, _planted(floor, comparison))
        write_all(nightly, reconciled)

    _say_findings(console, tally)
    _say_verdict(console, comparison)
    console.print(f"[bold]4[/] The night reconciled: open {plain(nightly / next(iter(reconciled)))} in a browser")
    console.print(f"[dim]  {time.monotonic() - started:.1f} s[/]")
    return comparison.exact


def _prepare(folder: Path) -> None:
    """An empty folder; an earlier demonstration's is cleared."""
    if folder.exists():
        if not folder.is_dir() or (any(folder.iterdir()) and not (folder / _MARK).exists()):
            raise DemoError(f"{folder}: is there already and holds something else; name another with --to")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).write_text("A folder that 'retally demo' made, and clears when it runs again.\n", encoding="ascii")


def _planted(floor: Floor, comparison: Comparison) -> dict[str, object]:
    return {
        "wrongs": comparison.planted,
        "expected": comparison.expected,
        "found": comparison.found,
        "missed": comparison.missed,
        "invented": comparison.invented,
        "by_fault": sorted(by_fault(floor.truth).items()),
    }


def _say_findings(console: Console, tally: parallel.Tally) -> None:
    from rich.columns import Columns

    console.print("[bold]3[/] What was found")
    console.print(Columns([f"{code} [bold]{count}[/]" for code, count in tally.findings.items()], padding=(0, 3)))


def _say_verdict(console: Console, comparison: Comparison) -> None:
    if comparison.exact:
        console.print(
            f"  [green]All {comparison.expected} findings that the planted wrongs must lead to were made,"
            " and no other.[/]"
        )
        _say_streaks(console, comparison)
        return
    console.print(f"  [red]{len(comparison.missed)} missed, {len(comparison.invented)} invented[/]")
    for line in [*comparison.missed, *comparison.invented][:40]:
        console.print(f"    {plain(line)}")
    _say_streaks(console, comparison)


def _say_streaks(console: Console, comparison: Comparison) -> None:
    """Alarms about streaks are told apart: no cheat was planted, but wrongs by the dozen may well be a pattern."""
    if not comparison.streaks:
        console.print("  No alarm about a streak.")
    for line in comparison.streaks:
        console.print(f"  [yellow]streak[/] {plain(line)}")
