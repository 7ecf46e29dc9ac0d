"""A table as its first event opens it: under which rules, and what a session's rows then begin with."""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple

import msgspec

from replay import games
from replay.heading import Heading
from replay.judging import Judging
from replay.rules import Table


def day_of(event: Any) -> str:
    """The gaming day that a session is of, as far as this first event tells: its own word, else its time's date."""
    named: str | None = getattr(event, "gaming_day", None)
    return named or event.at.astimezone(datetime.UTC).date().isoformat()


def as_it_says(name: str, event: Any) -> Heading:
    """The heading of a session whose table says these things of itself, whether it can be judged or not."""
    return Heading(name, day_of(event), event.table, event.casino, event.pit, event.game, event.rules, event.currency)


class Rumour(NamedTuple):
    """What an event that is in dispute says of its session. Of two the lesser one counts."""

    seq: int
    day: str
    says: tuple[str, ...]
    at: datetime.datetime
    heading: Heading


def rumour_of(name: str, event: Any) -> Rumour:
    """What this version of an event says of when and where the session ``name`` is."""
    heading = as_it_says(name, event) if event.type == "table_opened" else Heading(name, day_of(event), event.table)
    return Rumour(event.seq, heading.gaming_day, msgspec.structs.astuple(heading), event.at, heading)


def opened(event: Any, judging: Judging) -> tuple[Table, type[games.Game]]:
    """The table under its rules, and its game's procedure; raises `RuleError` where it cannot be judged."""
    day = day_of(event)
    rules = judging.packs.rules_for(judging.rules or event.rules, datetime.date.fromisoformat(day), event.game)
    options = event.options
    if judging.rules is not None:
        options = {key: value for key, value in options.items() if key in rules.options}
    table = Table(
        rules,
        name=event.table,
        casino=event.casino,
        pit=event.pit,
        currency=event.currency,
        chip_unit=event.chip_unit,
        rounding=event.rounding,
        limits=event.limits,
        options=options,
        decks=event.decks,
        claims=event.settlement_claims,
        gaming_day=day,
    )
    return table, games.load(event.game).under(rules)
