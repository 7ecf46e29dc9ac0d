"""Forensic replay on a screen or as JSON lines: what `replay.forensics` tells, printed."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from rich.markup import escape

from replay import forensics
from replay.audit import Ordered
from replay.evidence import Keys
from replay.forensics import BetShown, Difference, Replayed, Step
from replay.money import shown
from replay.regulations import rules_for
from replay.results import Finding, Settlement
from replay.rules import RuleError
from replay.streaks.watch import Watching
from streams.sources import SourceError

if TYPE_CHECKING:
    from rich.console import Console

_COLOURS = {"severe": "red", "warning": "yellow", "notice": "cyan"}
_VERDICTS = {"match": "green", "underpaid": "red", "overpaid": "red", "unsettled": "red"}


class Replay(msgspec.Struct, frozen=True, kw_only=True):
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


def replay(
    name: str,
    lines: list[bytes],
    watching: Watching | None = None,
    *,
    rules: str | None = None,
    round_number: int | None = None,
    keys: Keys | None = None,
) -> Replay:
    """Replay a session, or one round of it. ``watching``: how streaks are watched for, None: as is usual.

    Raises:
        SourceError: there is no such round.
        RuleError: there is no such pack, or it lacks the table's game.
    """
    watching = Watching() if watching is None else watching
    own = _told(name, lines, None, round_number, keys, watching)
    if not own.steps:
        raise SourceError(f"session {name} has no round {round_number}")
    summary = own.summary
    opened_under = own.settlements[0].rules if own.settlements else summary.rules
    if rules is None:
        return Replay(told=own, rules=opened_under, own_rules=opened_under, differences=[])
    rules_for(rules, datetime.date.fromisoformat(summary.gaming_day), summary.game)
    other = _told(name, lines, rules, round_number, keys, watching)
    if other.steps and other.summary.state == "open" and not other.settlements and own.settlements:
        raise RuleError(f"session {name} cannot be judged by {rules}: {other.findings[0].text}")
    differing = forensics.differences(own, other)
    if round_number is not None:
        seqs = {step.seq for step in own.steps}
        differing = [one for one in differing if one.round == round_number or one.seq in seqs]
    return Replay(told=other, rules=rules, own_rules=opened_under, differences=differing)


def _told(
    name: str,
    lines: list[bytes],
    rules: str | None,
    round_number: int | None,
    keys: Keys | None,
    watching: Watching,
) -> Replayed:
    ordered = Ordered(name, lines)
    return forensics.replay_ordered(name, ordered, keys=keys, rules=rules, round_number=round_number, watching=watching)


# --- for programs -------------------------------------------------------------------------------------------------


def json_lines(replayed: Replay) -> Iterator[str]:
    """A line a step (``record: step``), a line a process that watched for streaks (``record: streak``), then a line a
    difference (``record: difference``)."""
    for step in replayed.told.steps:
        yield _json("step", step)
    for reading in replayed.told.streaks:
        yield _json("streak", reading)
    for difference in replayed.differences:
        yield _json("difference", difference)


def _json(record: str, value: msgspec.Struct) -> str:
    return msgspec.json.encode({"record": record, **msgspec.structs.asdict(value)}).decode()


# --- for people ---------------------------------------------------------------------------------------------------


def show(replayed: Replay, console: Console) -> None:
    """Print every step, and what differs."""
    told = replayed.told
    summary = told.summary
    money = _money(summary.currency)
    console.print(
        f"[bold]{escape(summary.session)}[/]  {escape(summary.game)} at {escape(summary.table)}, judged by"
        f" [bold]{escape(replayed.rules)}[/]"
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
                f"[{style}]{escape(reading.process)}[/]  {escape(reading.code)}: 10 to the power of"
                f" {reading.e_milli / 1000:.1f} in {reading.observations:,} observations;"
                f" alarms at {reading.alarm_milli / 1000:.1f}"
            )
    if replayed.rules != replayed.own_rules:
        console.rule(f"what differs from {escape(replayed.own_rules)}", align="left")
        for difference in replayed.differences:
            for line in _difference(difference, replayed, money):
                console.print(line)
        if not replayed.differences:
            console.print("nothing")


def _show_step(step: Step, before: Step | None, console: Console, money: Callable[[int | None], str]) -> None:
    """Cards, dice and bets are shown where the event has changed them."""
    seq = f"{step.seq}" if step.seq == step.last_seq else f"{step.seq}-{step.last_seq}"
    style = "bold red" if step.type == forensics.HOLE else "bold"
    console.print(f"[{style}]{seq:>6}[/]  [dim]{_time(step.at_us)}[/]  [{style}]{escape(step.text)}[/]")
    if step.table and (before is None or before.table != step.table):
        lying = "   ".join(
            f"[dim]{escape(place)}[/] {escape(' '.join(what) if isinstance(what, list) else what)}"
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
    return escape(f"{bet.bet}  {what}  {who}  {money(bet.amount)}  {bet.status}  {now}".rstrip())


def _settlement(row: Settlement, money: Callable[[int | None], str]) -> str:
    due = "not known" if row.paid is None else f"{money(row.paid)} + {money(row.returned)}"
    claimed = "nothing" if row.claimed_paid is None else f"{money(row.claimed_paid)} + {money(row.claimed_returned)}"
    colour = {"match": "green", "underpaid": "red", "overpaid": "red", "unsettled": "red"}.get(
        row.verdict.value, "cyan"
    )
    return (
        f"[{colour}]{row.verdict.value}[/]  "
        + escape(f"bet {row.bet}: due {due}, handed over {claimed}")
        + f"  [dim]{escape(row.passage)}[/]"
    )


def _finding(row: Finding) -> str:
    taken_back = "  [dim](taken back by a later event)[/]" if row.withdrawn else ""
    colour = _COLOURS[row.severity.value]
    return f"[{colour}]{row.code}[/]  {escape(row.text)}  [dim]{escape(row.passage)}[/]{taken_back}"


def _difference(one: Difference, replayed: Replay, money: Callable[[int | None], str]) -> Iterator[str]:
    about = f"bet {one.bet}" if one.bet else f"event {one.seq}"
    yield f"round {one.round}, {escape(about)}"
    for pack, row in ((replayed.own_rules, one.here), (replayed.rules, one.there)):
        said = (
            _settlement(row, money) if isinstance(row, Settlement) else _finding(row) if row is not None else "nothing"
        )
        yield f"    {escape(pack):<9} {said}"


def _money(currency: str) -> Callable[[int | None], str]:
    return lambda amount: "" if amount is None else shown(amount, currency)


def _time(at_us: int) -> str:
    moment: Any = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(microseconds=at_us)
    return str(moment.strftime("%H:%M:%S.%f"))[:-3]
