"""``retally replay``: a session step by step, for people and as JSON lines, and what another pack would make of it."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from streams.commands.shell import (
    FOUND,
    LEVEL,
    SEVERITIES,
    TABLES,
    House,
    Json,
    Keys,
    Level,
    Packs,
    Place,
    Tables,
    clear_errors,
    judging_of,
    screen,
    watching_of,
)
from streams.printable import plain

if TYPE_CHECKING:
    import msgspec
    from rich.console import Console

    from replay.forensics import BetShown, Difference, Replayed, Step
    from replay.judging import Judging
    from replay.results import Finding, Settlement

EXAMPLE = "Example: retally replay CR01-2026-11-29 --from demo/night.jsonl.zst --round 12 --rules MO-1985"

VERDICTS = {"match": "green", "underpaid": "red", "overpaid": "red", "unsettled": "red"}


def replay(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="A table's gaming day.")],
    source: Place,
    round_number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="This round alone.")] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="PACK", help="Judge by this rule pack, and say what differs.")
    ] = None,
    keys: Keys = None,
    packs: Packs = None,
    level: Level = LEVEL,
    tables: Tables = TABLES,
    house: House = None,
    as_json: Json = False,
) -> None:
    """Forensic replay: every event, the table after it, the claim beside what the rules give, and the findings.

    With --json a line a step, then a line a difference. Exit status 1 when there is a finding or a difference.
    """
    from streams.sources import open_source

    with clear_errors():
        watching = watching_of(False, level, tables, house)
        judging = judging_of(packs, keys=keys, rules=rules, watching=watching)
        with open_source(source) as opened:
            lines = opened.session(session)
        compared = _compared(session, lines, judging, round_number)
    if as_json:
        for line in _json_lines(compared):
            sys.stdout.write(line + "\n")
    else:
        _show(compared, screen())
    raise SystemExit(0 if compared.clean else FOUND)


@dataclass(frozen=True)
class Compared:
    """A replay, and what differs from the table's own rules where it was judged by others."""

    told: Replayed
    rules: str
    """The pack that ``told`` was judged by."""
    own_rules: str
    """The pack that the table was opened under; the same where no other was asked for."""
    differences: list[Difference]

    @property
    def clean(self) -> bool:
        """No finding at the steps that are shown, and nothing that differs."""
        found = any(not finding.withdrawn for step in self.told.steps for finding in step.findings)
        return not found and not self.differences


def _compared(
    session: str,
    lines: list[bytes],
    judging: Judging,
    round_number: int | None,
) -> Compared:
    """A session, or one round of it, judged by ``judging.rules`` beside the table's own.

    Raises:
        SourceError: there is no such round.
        RuleError: there is no such pack, or it lacks the table's game.
    """
    import msgspec

    from replay import forensics
    from replay.refold import Ordered
    from replay.rules import RuleError
    from streams.sources import SourceError

    def told(by: str | None) -> Replayed:
        ordered = Ordered(session, lines)
        how = msgspec.structs.replace(judging, rules=by)
        return forensics.replay_ordered(session, ordered, how, round_number=round_number)

    rules = judging.rules
    own = told(None)
    if not own.steps:
        raise SourceError(f"session {session} has no round {round_number}")
    summary = own.summary
    opened_under = own.settlements[0].rules if own.settlements else summary.rules
    if rules is None:
        return Compared(own, opened_under, opened_under, [])
    judging.packs.rules_for(rules, datetime.date.fromisoformat(summary.gaming_day), summary.game)
    other = told(rules)
    if other.steps and other.summary.state == "open" and not other.settlements and own.settlements:
        raise RuleError(f"session {session} cannot be judged by {rules}: {other.findings[0].text}")
    differing = forensics.differences(own, other)
    if round_number is not None:
        seqs = {step.seq for step in own.steps}
        differing = [one for one in differing if one.round == round_number or one.seq in seqs]
    return Compared(other, rules, opened_under, differing)


# --- for programs -------------------------------------------------------------------------------------------------


def _json_lines(compared: Compared) -> Iterator[str]:
    """A line a step, a line a process that watched for streaks, then a line a difference."""
    for step in compared.told.steps:
        yield _json("step", step)
    for reading in compared.told.streaks:
        yield _json("streak", reading)
    for difference in compared.differences:
        yield _json("difference", difference)


def _json(record: str, value: msgspec.Struct) -> str:
    import msgspec

    return msgspec.json.encode({"record": record, **msgspec.structs.asdict(value)}).decode()


# --- for people ---------------------------------------------------------------------------------------------------


def _show(compared: Compared, console: Console) -> None:
    """Print every step, and what differs."""
    told = compared.told
    summary = told.summary
    money = _money(summary.currency)
    console.print(
        f"[bold]{plain(summary.session)}[/]  {plain(summary.game)} at {plain(summary.table)}, judged by"
        f" [bold]{plain(compared.rules)}[/]"
    )
    number = 0
    before: Step | None = None
    for step in told.steps:
        if step.round != number:
            number = step.round
            console.rule(f"round {number}", align="left", style="dim")
        _show_step(step, before, console, money)
        before = step
    if told.streaks:
        console.rule("streaks, at the end of the session", align="left", style="dim")
        for reading in told.streaks:
            style = "red" if reading.state == "alarmed" else "dim"
            console.print(
                f"[{style}]{plain(reading.process)}[/]  {plain(reading.code)}: 10 to the power of"
                f" {reading.log10_wealth_milli / 1000:.1f} in {reading.observations:,} observations;"
                f" alarms at {reading.log10_alarm_milli / 1000:.1f}"
            )
    if compared.rules != compared.own_rules:
        console.rule(f"what differs from {plain(compared.own_rules)}", align="left")
        for difference in compared.differences:
            for line in _difference(difference, compared, money):
                console.print(line)
        if not compared.differences:
            console.print("nothing")


def _show_step(step: Step, before: Step | None, console: Console, money: Callable[[int | None], str]) -> None:
    """Cards, dice and bets are shown where the event has changed them."""
    from replay.forensics import HOLE

    seq = f"{step.seq}" if step.seq == step.last_seq else f"{step.seq}-{step.last_seq}"
    style = "bold red" if step.type == HOLE else "bold"
    console.print(f"[{style}]{seq:>6}[/]  [dim]{_time(step.at_us)}[/]  [{style}]{plain(step.text)}[/]")
    if step.table and (before is None or before.table != step.table):
        lying = "   ".join(
            f"[dim]{plain(place)}[/] {plain(' '.join(what) if isinstance(what, list) else what)}"
            for place, what in step.table.items()
        )
        console.print(f"        {lying}")
    if before is None or before.bets != step.bets:
        for bet in step.bets:
            console.print(f"        {_bet(bet, money)}")
    for settlement in step.settlements:
        console.print(f"        {_settlement(settlement, money)}")
    for finding in step.findings:
        console.print(f"        {_finding(finding)}")


def _bet(bet: BetShown, money: Callable[[int | None], str]) -> str:
    what = f"{bet.wager} {bet.pick}".strip()
    who = f"seat {bet.seat}" + (f" {bet.player}" if bet.player else "")
    if bet.paid is not None:
        now = f"{money(bet.paid)} paid, {money(bet.returned)} returned"
    elif bet.wins:
        now = "wins " + ", ".join(f"{case} {money(paid)}".strip() for case, paid in bet.wins.items())
    else:
        now = ""
    if bet.claimed_paid is not None and bet.paid is None:
        now += f"  (handed over already: {money(bet.claimed_paid)} + {money(bet.claimed_returned)})"
    return plain(f"{bet.bet}  {what}  {who}  {money(bet.amount)}  {bet.status}  {now}".rstrip())


def _settlement(row: Settlement, money: Callable[[int | None], str]) -> str:
    due = "not known" if row.paid is None else f"{money(row.paid)} + {money(row.returned)}"
    claimed = "nothing" if row.claimed_paid is None else f"{money(row.claimed_paid)} + {money(row.claimed_returned)}"
    colour = VERDICTS.get(row.verdict.value, "cyan")
    return (
        f"[{colour}]{row.verdict.value}[/]  "
        + plain(f"bet {row.bet}: due {due}, handed over {claimed}")
        + f"  [dim]{plain(row.passage)}[/]"
    )


def _finding(row: Finding) -> str:
    taken_back = "  [dim](taken back by a later event)[/]" if row.withdrawn else ""
    colour = SEVERITIES[row.severity.value]
    return f"[{colour}]{row.code}[/]  {plain(row.text)}  [dim]{plain(row.passage)}[/]{taken_back}"


def _difference(one: Difference, compared: Compared, money: Callable[[int | None], str]) -> Iterator[str]:
    from replay.results import Settlement

    about = f"bet {one.bet}" if one.bet else f"event {one.seq}"
    yield f"round {one.round}, {plain(about)}"
    for pack, row in ((compared.own_rules, one.here), (compared.rules, one.there)):
        said = (
            _settlement(row, money) if isinstance(row, Settlement) else _finding(row) if row is not None else "nothing"
        )
        yield f"    {plain(pack):<9} {said}"


def _money(currency: str) -> Callable[[int | None], str]:
    from replay.money import shown

    return lambda amount: "" if amount is None else shown(amount, currency)


def _time(at_us: int) -> str:
    moment: Any = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(microseconds=at_us)
    return str(moment.strftime("%H:%M:%S.%f"))[:-3]
