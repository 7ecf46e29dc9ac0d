"""The command line: the one place that ties everything together.

Exit status 0: clean; 1: something was found; 2: bad input, with one clear line on standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from streams import cli_streaks
from streams.cli_dashboards import dashboards_app
from streams.cli_report import report_app
from streams.live import commands as live
from streams.view import commands as viewing

if TYPE_CHECKING:
    from rich.console import Console

    from replay.results import Row
    from replay.rules import GameRules
    from streams.phh import PhhHand

app = typer.Typer(
    name="retally",
    help="Recomputes every settlement of a casino floor from the tables' own events, under the regulation in force.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
rules_app = typer.Typer(help="The regulations that retally knows.", no_args_is_help=True)
app.add_typer(rules_app, name="rules")
evidence_app = typer.Typer(help="Evidence that proves itself, offline.", no_args_is_help=True)
app.add_typer(evidence_app, name="evidence")
import_app = typer.Typer(help="What others have written down, as logs.", no_args_is_help=True)
app.add_typer(import_app, name="import")
app.add_typer(report_app, name="report")
app.add_typer(dashboards_app, name="dashboards")
app.add_typer(live.config_app, name="config")
app.add_typer(live.keys_app, name="keys")

_FOUND = 1
_BAD_INPUT = 2
_SHOWN = 20

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def main() -> None:
    """The command ``retally``."""
    try:
        app()
    except KeyboardInterrupt:
        _refuse("interrupted")
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(0) from None


def _refuse(reason: object) -> NoReturn:
    sys.stderr.write(f"retally: {reason}\n")
    raise SystemExit(_BAD_INPUT)


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Whatever is wrong with the input is said in one line."""
    from replay.events import Refusal
    from replay.rules import RuleError
    from streams.auditing import KeyFileError
    from streams.demo import DemoError
    from streams.live.errors import LiveError
    from streams.logs import LogError
    from streams.phh import PhhError
    from streams.simulator.cheats import CheatError
    from streams.simulator.games import UnknownGame
    from streams.store import StoreError
    from streams.streaks import StreaksError

    known = (Refusal, RuleError, LogError, PhhError, LiveError, StoreError, KeyFileError, UnknownGame, DemoError)
    of_streaks = (CheatError, StreaksError)
    try:
        yield
    except (*known, *of_streaks) as error:
        _refuse(error)
    except OSError as error:
        _refuse(f"{error.filename}: {error.strerror}" if error.filename else error)


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


@contextmanager
def _progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error, where somebody is looking."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(what, total=total)
        yield lambda step: progress.advance(task, step)


def _print_json(value: object) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


# --- the dispute calculator ---------------------------------------------------------------------------------------


@app.command(epilog="Example: retally settle tests/scenarios/craps --json")
def settle(
    paths: Annotated[list[Path], typer.Argument(metavar="FILE|FOLDER…", help="Scenario files, or folders of them.")],
    rules: Annotated[str | None, typer.Option(help="Judge by this rule pack instead of the one in the file.")] = None,
    as_json: Json = False,
) -> None:
    """The dispute calculator: what the rules give for what happened at a table.

    Exit status 1 when an expect block is not met.
    """
    from streams.scenarios import outcome_fields, scenario_files, settle_file

    results: list[dict[str, Any]] = []
    unmet = 0
    with _clear_errors():
        files = scenario_files(paths)
        for file in files:
            name, outcome = settle_file(file, rules)
            unmet += not outcome.met
            if as_json:
                results.append({"file": str(file), **outcome_fields(outcome)})
            else:
                _print_outcome(file, name, outcome, details=len(files) == 1)
    if as_json:
        _print_json(results)
    else:
        met = len(files) - unmet
        typer.echo(f"{len(files)} scenarios: {met} met, {unmet} not met")
    raise SystemExit(_FOUND if unmet else 0)


def _print_outcome(file: Path, name: str, outcome: Any, *, details: bool) -> None:
    console = _console()
    mark = "[red]NOT MET[/]" if not outcome.met else "[green]met[/]" if outcome.expected else "settled"
    console.print(f"{mark}  [bold]{_plain(file)}[/]  {_plain(name)}")
    for mismatch in outcome.mismatches:
        console.print(f"     {_plain(mismatch)}")
    if not details:
        return
    from rich.table import Table

    table = Table("bet", "wager", "stake", "paid", "returned", "claimed", "verdict", "passage", title=_plain(name))
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
        console.print(f"[yellow]set-up[/]  {_plain(fault.text)}  [dim]{_plain(fault.passage)}[/]")
    for finding in outcome.findings:
        amount = "" if finding.amount is None else f" ({finding.amount})"
        console.print(f"[yellow]{finding.code}[/]{amount}  {_plain(finding.text)}  [dim]{_plain(finding.passage)}[/]")


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _plain(text: object) -> str:
    from rich.markup import escape

    return escape(str(text))


# --- auditing -----------------------------------------------------------------------------------------------------


@app.command(epilog="Example: retally audit night.jsonl.zst --keys floor.keys --into floor-store")
def audit(
    log: Annotated[
        list[str],
        typer.Argument(metavar="LOG…", help="Files (.jsonl, .jsonl.zst), folders of them, or kafka://host:port."),
    ],
    into: Annotated[
        str | None, typer.Option(metavar="STORE", help="A folder, or clickhouse://user@host:port/database.")
    ] = None,
    rules: Annotated[str | None, typer.Option(metavar="PACK", help="Judge by this rule pack.")] = None,
    keys: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The gateways' public keys; without them, signatures are not checked."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes, each with a share of the sessions.")] = 1,
    no_streaks: cli_streaks.Off = False,
    level: cli_streaks.Level = cli_streaks.LEVEL,
    tables: cli_streaks.Tables = cli_streaks.TABLES,
    house: cli_streaks.House = None,
    as_json: Json = False,
) -> None:
    """Audits logs: recomputes every settlement, and says what is wrong.

    With --json a line for each settlement, finding and rejected line; a later line of the same identity (settlements:
    session, round, bet; findings: session, seq, code, subject) and a higher revision supersedes an earlier one.
    Exit status 1 when something was found.
    """
    from streams import auditing, logs
    from streams.store import Store, open_store

    with _clear_errors():
        public_keys = None if keys is None else auditing.read_keys(keys)
        if rules is not None:
            from replay.regulations import pack

            pack(rules)
        watching = cli_streaks.watching(no_streaks, level, tables, house)
        found = [live.log_at(one) for one in log]
        size = sum(logs.size_of(one) for one in found)
        store: Store | None = None
        if into is not None:
            store = open_store(into)
            store.migrate()
        show = _Shown(as_json, store)
        try:
            with _progress("auditing", size) as progress:
                tally = auditing.audit(
                    found,
                    show.take,
                    keys=public_keys,
                    rules=rules,
                    raw=store is not None,
                    watching=watching,
                    workers=workers,
                    progress=progress,
                )
            if store is not None:
                store.flush()
        finally:
            if store is not None:
                store.close()
    if not as_json:
        show.summary(tally)
    raise SystemExit(0 if tally.clean else _FOUND)


class _Shown:
    """Takes an audit's rows: to the store, and to the screen."""

    def __init__(self, as_json: bool, store: Any) -> None:
        self._json = as_json
        self._store = store
        self._findings: dict[tuple[Any, ...], Any] = {}
        self._rejected = 0

    def take(self, row: Row) -> None:
        from replay.results import Finding, Rejected, Settlement

        if self._store is not None:
            self._store.add(row)
        if self._json:
            if isinstance(row, Settlement | Finding | Rejected):
                import msgspec

                fields = {"record": type(row).__name__.lower(), **msgspec.structs.asdict(row)}
                if isinstance(row, Rejected):
                    fields["raw"] = row.raw.decode("utf-8", "backslashreplace")
                sys.stdout.write(msgspec.json.encode(fields).decode() + "\n")
        elif isinstance(row, Finding):
            key = (row.session, row.seq, row.code, row.subject)
            if row.withdrawn:
                self._findings.pop(key, None)
            elif len(self._findings) < 10_000:
                self._findings[key] = row
        elif isinstance(row, Rejected):
            self._rejected += 1
            if self._rejected <= _SHOWN:
                field = f"{row.field}: " if row.field else ""
                sys.stderr.write(f"{row.source}:{row.place}: rejected: {field}{row.reason}\n")
            elif self._rejected == _SHOWN + 1:
                sys.stderr.write("… more lines were rejected: --json shows all, --into keeps them\n")

    def summary(self, tally: Any) -> None:
        from rich.table import Table

        console = _console()
        worst = sorted(self._findings.values(), key=lambda f: ("severe", "warning", "notice").index(f.severity.value))[
            :_SHOWN
        ]
        for finding in worst:
            colour = {"severe": "red", "warning": "yellow", "notice": "cyan"}[finding.severity.value]
            console.print(
                f"[{colour}]{finding.code}[/]  {_plain(finding.session)} round {finding.round}: {_plain(finding.text)}"
                f"  [dim]{_plain(finding.passage)}[/]"
            )
        if len(self._findings) > len(worst):
            console.print(f"… and {len(self._findings) - len(worst):,} more findings")
        table = Table("", "", show_header=False, box=None, pad_edge=False)
        table.add_row("lines", f"{tally.lines:,}")
        table.add_row("rejected", f"{tally.rejected:,}")
        table.add_row("sessions", f"{tally.sessions:,}")
        table.add_row("settlements", f"{tally.settlements:,}")
        for verdict, count in tally.verdicts.items():
            table.add_row(f"  {verdict}", f"{count:,}")
        table.add_row("findings", f"{sum(tally.findings.values()):,}")
        for code, count in tally.findings.items():
            table.add_row(f"  {code}", f"{count:,}")
        console.print(table)


# --- the regulator's chair ----------------------------------------------------------------------------------------


Place = Annotated[
    str, typer.Option("--from", metavar="LOG|STORE", help="A file, a folder, kafka://host:port, clickhouse://…")
]
PublicKeys = Annotated[Path | None, typer.Option("--keys", metavar="FILE", help="The gateways' public keys.")]


@app.command(epilog="Example: retally replay CR01-2026-11-29 --from demo/night.jsonl.zst --round 12 --rules MO-1985")
def replay(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="A table's gaming day.")],
    source: Place,
    round_number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="This round alone.")] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="PACK", help="Judge by this rule pack, and say what differs.")
    ] = None,
    keys: PublicKeys = None,
    level: cli_streaks.Level = cli_streaks.LEVEL,
    tables: cli_streaks.Tables = cli_streaks.TABLES,
    house: cli_streaks.House = None,
    as_json: Json = False,
) -> None:
    """Forensic replay: every event, the table after it, the claim beside what the rules give, and the findings.

    With --json a line a step, then a line a difference. Exit status 1 when there is a finding or a difference.
    """
    from replay.regulations import pack
    from streams import replaying
    from streams.sources import open_source

    with _clear_errors():
        public_keys = _public_keys(keys)
        if rules is not None:
            pack(rules)
        watching = cli_streaks.watching(False, level, tables, house)
        with open_source(source) as opened:
            lines = opened.session(session)
        told = replaying.replay(session, lines, watching, rules=rules, round_number=round_number, keys=public_keys)
    if as_json:
        for line in replaying.json_lines(told):
            sys.stdout.write(line + "\n")
    else:
        replaying.show(told, _console())
    raise SystemExit(0 if told.clean else _FOUND)


@app.command(epilog=viewing.EXAMPLE)
def view(
    store: viewing.StorePlace,
    host: viewing.Host = "127.0.0.1",
    port: viewing.Port = 0,
    rules: viewing.Rules = None,
    keys: viewing.Keys = None,
) -> None:
    """A store in the browser: nights, sessions, a search, and every round replayed step by step on a drawn table.

    Prints the address, and serves it until interrupted. Nothing is written; nothing is fetched from elsewhere.
    """
    with _clear_errors():
        viewing.view(store, host, port, rules, keys)


@app.command(epilog=cli_streaks.EXAMPLE)
def streaks(
    store: cli_streaks.StorePlace,
    date: cli_streaks.Day = None,
    level: cli_streaks.FloorLevel = cli_streaks.LEVEL,
    alarms_at: cli_streaks.AlarmsAt = cli_streaks.LEVEL,
    regulator: cli_streaks.Regulator = None,
    as_json: Json = False,
) -> None:
    """The streaks of a gaming day: alarms, and what stands out over the floor and over days. Exit status 1 if any."""
    with _clear_errors():
        night = cli_streaks.night(store, date, level, alarms_at, regulator)
    if as_json:
        _print_json(cli_streaks.fields(night))
    else:
        cli_streaks.show(night, _console())
    raise SystemExit(0 if night.clean else _FOUND)


@evidence_app.command("export", epilog="Example: retally evidence export --from demo/night.jsonl.zst --keys "
                      "demo/floor.keys --session CR01-2026-11-29 --round 12 --to hand.zip")  # fmt: skip
def evidence_export(
    source: Place,
    to: Annotated[Path, typer.Option(metavar="FILE.zip", help="The bundle; must not be there yet.")],
    session: Annotated[str | None, typer.Option(metavar="S", help="One session.")] = None,
    round_number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="One of its rounds.")] = None,
    day: Annotated[
        datetime | None, typer.Option("--date", metavar="D", formats=["%Y-%m-%d"], help="All sessions of a gaming day.")
    ] = None,
    keys: PublicKeys = None,
    seal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The night's seal as it was issued (retally evidence seal).")
    ] = None,
) -> None:
    """A bundle: the exact events with their seals, public keys, rules, verdicts, digests, and a page to read.

    A round's bundle holds the events of its whole session, for it rests on them. Exit status 1 when the bundle was
    written, but does not prove what it says, for the log itself is broken, open or not signed.
    """
    from replay.bundle import verify as bundle
    from replay.bundle.contents import Scope
    from streams import bundle_files as bundles
    from streams.sources import open_source

    if (session is None) == (day is None) or (round_number is not None and session is None):
        _refuse("say either --session S, with or without --round N, or --date D")
    scope = Scope(session=session, round=round_number, date=None if day is None else day.date().isoformat())
    with _clear_errors():
        public_keys = _public_keys(keys)
        sealed = None if seal is None else bundles.read_seal(seal)
        with open_source(source) as opened:
            content = bundles.export(opened, scope, keys=public_keys, sealed=sealed)
        bundles.write(to, content)
        verified = bundle.verify(content)
    typer.echo(f"{verified.scope}: {verified.events:,} events, {verified.settlements:,} settlements in {to}")
    _print_problems(verified)
    raise SystemExit(0 if verified.holds else _FOUND)


@evidence_app.command("verify", epilog="Example: retally evidence verify hand.zip --keys floor.keys")
def evidence_verify(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip", help="A bundle, as it was exported.")],
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Public keys that you had another way; only these are trusted.")
    ] = None,
    root: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Root of the night's seal, or of the one before, that you hold."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Proves offline that nothing in a bundle was altered, dropped or added, and that its verdicts follow.

    Exit status 1 when something does not hold; each such thing is named. 2: it is no bundle.
    """
    from streams import bundle_files as bundles

    with _clear_errors():
        verified = bundles.verify(file, keys=_public_keys(keys), root=root)
    if as_json:
        _print_json({"holds": verified.holds, **{name: getattr(verified, name) for name in verified.__struct_fields__}})
    else:
        for what, value in bundles.told(verified):
            typer.echo(f"{what:<28} {value:,}" if isinstance(value, int) else f"{what:<28} {value}")
        _print_problems(verified)
        typer.echo("everything in it is proven" if verified.holds else "NOT PROVEN")
    raise SystemExit(0 if verified.holds else _FOUND)


def _print_problems(verified: Any) -> None:
    for problem in verified.problems:
        typer.echo(f"{problem.place}: {problem.text}")


@evidence_app.command("seal", epilog="Example: retally evidence seal --from floor-store --date 2026-11-29 "
                      "--after 2026-11-28.seal --to 2026-11-29.seal")  # fmt: skip
def evidence_seal(
    source: Place,
    day: Annotated[datetime, typer.Option("--date", metavar="D", formats=["%Y-%m-%d"], help="The gaming day.")],
    to: Annotated[Path, typer.Option(metavar="FILE", help="The night's seal; must not be there yet.")],
    after: Annotated[Path | None, typer.Option(metavar="FILE", help="The seal of the night before.")] = None,
    as_json: Json = False,
) -> None:
    """Seals a night: one root over all of its sessions, which extends the night before.

    Hand the root to the regulator: with it, a bundle of one session proves later that it is part of the night.
    """
    from streams import bundle_files as bundles
    from streams.sources import open_source

    with _clear_errors():
        before = None if after is None else bundles.read_seal(after)
        with open_source(source) as opened:
            sealed = bundles.seal_night(opened, day.date().isoformat(), before)
        bundles.write_seal(to, sealed)
    if as_json:
        _print_json(sealed.head)
    else:
        typer.echo(f"{len(sealed.leaves):,} sessions of {sealed.head.date} sealed, {sealed.head.size:,} in all")
        typer.echo(f"root {sealed.head.root}")


def _public_keys(file: Path | None) -> dict[str, Any] | None:
    from replay.evidence import public_key
    from streams.auditing import read_keys

    return None if file is None else {name: public_key(text) for name, text in read_keys(file).items()}


# --- hands that others have written down --------------------------------------------------------------------------


@import_app.command("phh", epilog="Example: retally import phh hands/ --check")
def import_phh(
    path: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="Hands in PHH notation (.phh, .phhs).")],
    to: Annotated[
        Path | None, typer.Option(metavar="LOG", help="Write them as a log: .jsonl, .jsonl.zst, or a folder.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Audit them at once, and compare the stacks with finishing_stacks.")
    ] = False,
    rules: Annotated[str, typer.Option(metavar="PACK", help="The rule pack that they are judged by.")] = "AD-2022",
    as_json: Json = False,
) -> None:
    """Poker hands in PHH notation (hold'em, Omaha, stud, draw), as sessions of circle poker.

    Exit status 1 when a stack differs or something is found; 2 when a file cannot be read or its variant is unknown.
    """
    from replay.regulations import pack
    from streams import phh

    if check == (to is not None):
        _refuse("say either --to LOG or --check")
    hands: list[phh.PhhHand] = []
    refused: list[str] = []
    checks: list[phh.Check] = []
    with _clear_errors():
        pack(rules)
        files = phh.phh_files(path)
        with _progress("reading", len(files)) as progress:
            for file in files:
                try:
                    for hand in phh.read_hands(file):
                        if check:
                            checks.append(phh.check(hand, rules))
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
        _print_json(
            {
                "hands": len(checks) or len(hands),
                "differ": [{"file": one.name, "differences": one.differences} for one in differ],
                "refused": refused,
            }
        )
    elif check:
        console = _console()
        for one in differ:
            console.print(f"[red]differs[/]  [bold]{_plain(one.name)}[/]")
            for line in one.differences:
                console.print(f"     {_plain(line)}")
        typer.echo(f"{len(checks):,} hands: {len(checks) - len(differ):,} equal, {len(differ):,} differ")
    elif not refused:
        typer.echo(f"{len(hands):,} hands in {to}")
    for line in refused:
        sys.stderr.write(f"retally: {line}\n")
    raise SystemExit(_BAD_INPUT if refused else _FOUND if differ else 0)


def _write_hands(to: Path, hands: list[PhhHand], rules: str) -> None:
    from streams import phh
    from streams.logs import LogWriter

    used: set[str] = set()
    with LogWriter(to) as log:
        for hand in hands:
            log.write("hands", phh.lines_of(hand, phh.session_name(hand, used), rules))


# --- the rules ----------------------------------------------------------------------------------------------------


@app.command(epilog="Example: retally odds --rules AD-2025 --game craps")
def odds(
    rules: Annotated[str, typer.Option(metavar="PACK", help="A rule pack: see 'retally rules list'.")],
    game: Annotated[str | None, typer.Option(help="One game of the pack.")] = None,
    as_json: Json = False,
) -> None:
    """Exact edge and variance of every wager, derived from the rules that settle it."""
    from replay.odds import odds_table

    with _clear_errors():
        rows = odds_table(rules, game)
    if as_json:
        _print_json(rows)
        return
    from rich.table import Table

    table = Table("game", "wager", "options", "edge", "%", "variance", "assumes", title=f"Odds under {rules}")
    for row in rows:
        options = ", ".join(f"{key} {value}" for key, value in row["options"].items())
        wager = f"{row['wager']} {row['pick']}".strip()
        edge, percent = row["edge"], _decimal(row["edge"], 100, 4)
        shown = edge if len(edge) <= 24 else "…"
        table.add_row(row["game"], wager, options, shown, percent, _decimal(row["variance"], 1, 4), row["assumes"])
    _console().print(table)


def _decimal(fraction: str, times: int, places: int) -> str:
    """A fraction as text, times a factor, rounded half away from zero to so many places."""
    from fractions import Fraction

    value = Fraction(fraction) * times
    scaled = round(abs(value) * 10**places)
    sign = "-" if value < 0 and scaled else ""
    whole, rest = divmod(scaled, 10**places)
    return f"{sign}{whole}.{rest:0{places}d}"


@rules_app.command("list", epilog="Example: retally rules list")
def rules_list(as_json: Json = False) -> None:
    """The rule packs: where they hold, since when, and their games."""
    from replay.regulations import pack, pack_names

    packs = [pack(name) for name in pack_names()]
    if as_json:
        _print_json(
            [
                {
                    "name": found.name,
                    "jurisdiction": found.jurisdiction,
                    "title": found.title,
                    "source": found.source,
                    "in_force": found.in_force,
                    "repealed": found.repealed,
                    "games": {game: rules.origin for game, rules in sorted(found.games.items())},
                }
                for found in packs
            ]
        )
        return
    from rich.table import Table

    table = Table("pack", "jurisdiction", "in force", "games", "source")
    for found in packs:
        since = str(found.in_force or "undated") + (f" to {found.repealed}" if found.repealed else "")
        games = ", ".join(
            game if rules.origin == found.name else f"{game} (from {rules.origin})"
            for game, rules in sorted(found.games.items())
        )
        table.add_row(found.name, found.jurisdiction, since, games, found.source)
    _console().print(table)


@rules_app.command("show", epilog="Example: retally rules show AD-2025 --game boule")
def rules_show(
    rules: Annotated[str, typer.Argument(metavar="PACK")],
    game: Annotated[str | None, typer.Option(help="One game of the pack.")] = None,
    as_json: Json = False,
) -> None:
    """A pack's games: their wagers, prices, options and limits, each with its passage."""
    from replay.regulations import pack
    from replay.rules import RuleError

    with _clear_errors():
        found = pack(rules)
        if game is not None and game not in found.games:
            raise RuleError(f"rule pack {rules} has no game {game} (it has: {', '.join(sorted(found.games))})")
        games = [found.games[name] for name in sorted(found.games) if game in (None, name)]
    if as_json:
        _print_json([{"game": one.game, "rules": one.pack, "origin": one.origin, **one.data} for one in games])
        return
    console = _console()
    for one in games:
        _print_game(console, one)


def _print_game(console: Console, rules: GameRules) -> None:
    from rich.table import Table

    origin = "" if rules.origin == rules.pack else f", taken over from {rules.origin}"
    console.print(f"\n[bold]{_plain(rules.title)}[/]  {rules.game} under {rules.pack}{origin}")
    console.print(f"[dim]{_plain(rules.source)}[/]")
    wagers = Table("wager", "called", "pays", "on", "passage")
    for wager in rules.wagers.values():
        pays = str(wager.price) if wager.price else ", ".join(f"{key}: {price}" for key, price in wager.prices.items())
        picks = ", ".join(map(str, wager.picks))
        wagers.add_row(wager.id, wager.name, pays or "see passage", picks, wager.passage)
    console.print(wagers)
    if rules.options:
        options = Table("option", "values", "default", "passage")
        for option in rules.options.values():
            values = ", ".join(map(str, option.choices)) or option.kind
            if option.least is not None or option.most is not None:
                low = "" if option.least is None else option.least
                high = "" if option.most is None else option.most
                values = f"{low} to {high}"
            default = "" if option.default is None else str(option.default).lower()
            options.add_row(option.id, values, default, option.passage)
        console.print(options)
    others = Table("also", "what it says", "passage")
    for key, value in rules.data.items():
        if isinstance(value, dict) and key not in ("wagers", "options"):
            for name, content, passage in _provisions(key.replace("_", " "), value):
                others.add_row(name, _plain(content), _plain(passage))
    if others.row_count:
        console.print(others)


def _provisions(name: str, table: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """A table of a pack as rows: what it is called, what it says, its passage; the tables in it likewise."""
    own = {key: value for key, value in table.items() if key != "passage" and not _is_provision(value)}
    if own or "passage" in table:
        yield name, _flat(own), table.get("passage", "")
    for key, value in table.items():
        if _is_provision(value):
            yield from _provisions(f"{name}: {key.replace('_', ' ')}", value)


def _is_provision(value: Any) -> bool:
    return isinstance(value, dict) and ("passage" in value or any(_is_provision(one) for one in value.values()))


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key.replace('_', ' ')} {_flat(one)}" for key, one in value.items())
    if isinstance(value, list):
        return " ".join(_flat(one) for one in value)
    return str(value)


@app.command(epilog="Example: retally schema > retally-event.schema.json")
def schema() -> None:
    """The JSON Schema of an event line, for makers of table devices."""
    from replay.events import json_schema

    _print_json(json_schema())


# --- simulation ---------------------------------------------------------------------------------------------------


@app.command(
    epilog="Example: retally simulate --tables 4 --hours 8 --faults 0.02 --truth truth.jsonl --to night.jsonl.zst"
)
def simulate(
    to: Annotated[
        str,
        typer.Option(metavar="LOG", help="A .jsonl or .jsonl.zst file, a folder (a file a day), or kafka://host:port."),
    ],
    tables: Annotated[int, typer.Option(min=1, max=999, help="Tables, dealt over the games in turn.")] = 4,
    hours: Annotated[float, typer.Option(min=0.1, max=24, help="How long each table is open a day.")] = 8.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 1,
    days: Annotated[int, typer.Option(min=1, max=366, help="Gaming days.")] = 1,
    first_day: Annotated[
        datetime | None, typer.Option("--date", formats=["%Y-%m-%d"], help="The first gaming day.")
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option("--game", help="Only this game; may be given more than once.")
    ] = None,
    faults: Annotated[float, typer.Option(min=0.0, max=1.0, help="Share of rounds in which a wrong is planted.")] = 0.0,
    truth: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to say what was planted (.jsonl).")] = None,
    keys: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write the gateway's public key.")] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Seal with this private key ('retally keys new').")
    ] = None,
    cheats: cli_streaks.Cheats = None,
    pace: Annotated[
        float | None,
        typer.Option(min=0.001, max=1e6, help="Into Kafka: so many seconds of play in one; else as fast as it goes."),
    ] = None,
) -> None:
    """Plays a floor: tables, players, dealers, sealed logs, and planted wrongs and cheats where asked for."""
    from streams.auditing import write_keys
    from streams.demo import FIRST_DAY, write_truth
    from streams.keys import read_private_key
    from streams.logs import LogError, LogWriter
    from streams.simulator.floor import Floor

    with _clear_errors():
        floor = Floor(
            tables=tables,
            hours=hours,
            seed=seed,
            first_day=first_day.date() if first_day else FIRST_DAY,
            days=days,
            only=game or (),
            fault_rate=faults,
            cheats=cheats or (),
        )
        if key is not None:
            floor.key = read_private_key(key)
        if keys is not None:
            write_keys(keys, floor.public_keys())
        count = 0
        if to.startswith(live.KAFKA):
            with _progress("playing", len(floor.days)) as progress:
                count = live.play_to_kafka(floor, to, pace, progress)
        elif pace is not None:
            raise LogError("--pace goes with --to kafka://host:port; files are written as fast as it goes")
        else:
            with LogWriter(Path(to)) as log, _progress("simulating", len(floor.days)) as progress:
                for day in floor.days:
                    count += log.write(day.isoformat(), (line.text for line in floor.day(day)))
                    progress(1)
        if truth is not None:
            write_truth(truth, floor.truth)
    typer.echo(f"{count:,} events of {len(floor.plans)} tables over {len(floor.days)} days in {to}")
    if faults:
        typer.echo(f"{len(floor.truth):,} wrongs planted")


@app.command(epilog="Example: retally worker --kafka kafka-1:9092 --store clickhouse://retally@ch-1/retally")
def worker(
    config: live.ConfigFile = None,
    kafka: Annotated[str | None, typer.Option(metavar="HOST:PORT", help="Brokers to begin with.")] = None,
    store: Annotated[
        str | None, typer.Option(metavar="STORE", help="clickhouse://user@host:port/database, or a folder.")
    ] = None,
    keys: Annotated[Path | None, typer.Option(metavar="FILE", help="The gateways' public keys.")] = None,
    group: Annotated[str | None, typer.Option(help="The workers of one group share the tables.")] = None,
    processes: Annotated[int | None, typer.Option(help="So many, each on a processor of its own.")] = None,
) -> None:
    """The Faust worker: Kafka in, verdicts out, ClickHouse filled. 'retally config show' lists all that can be set.

    Ends on SIGTERM or SIGINT after writing what it has; may be killed at any moment without loss.
    """
    with _clear_errors():
        live.work(config, kafka=kafka, store=store, keys=keys, group=group, processes=processes)


@app.command(epilog="Example: retally demo --to demo")
def demo(
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the log, the store and the report go.")] = Path(
        "demo"
    ),
    seed: Annotated[int, typer.Option(help="Another seed, another night.")] = 2026,
) -> None:
    """A night on a small floor with planted wrongs, audited into the embedded store, with a report.

    Exit status 0 when each planted wrong was found and nothing else.
    """
    from streams.cli_report import reconciled
    from streams.demo import run

    with _clear_errors():
        exact = run(to, seed, _console(), reconciled)
    raise SystemExit(0 if exact else _FOUND)


if __name__ == "__main__":
    main()
