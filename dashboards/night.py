"""The report of a night's audit: one self-contained page, every figure asked of the store in SQL.

`gather` asks; it takes any function that answers a query with dictionaries, so that an embedded store and a server
serve alike. `render` makes the page. Money is in minor units until it is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from replay.money import shown

Query = Callable[[str, Mapping[str, str]], list[dict[str, Any]]]

_DAY: Final = "WHERE gaming_day = toDate({day:String})"

QUERIES: Final[dict[str, str]] = {
    "tables": f"""
        SELECT session, `table`, pit, game, rules, currency, state, events, rounds, float_open, float_close, fills,
               credits, `drop`, gaps, conflicts, rejected, checkpoints_good, checkpoints_bad
        FROM sessions_current {_DAY} ORDER BY `table`, session
    """,
    "play": f"""
        SELECT session, count() AS bets, sum(stake) AS staked,
               sum(if(isNull(paid), 0, stake - assumeNotNull(paid) - assumeNotNull(returned))) AS win_due,
               sum(if(isNull(claimed_paid), 0,
                      stake - assumeNotNull(claimed_paid) - assumeNotNull(claimed_returned))) AS win_claimed,
               sum(if(verdict = 'overpaid', difference, 0)) AS overpaid,
               sum(if(verdict = 'underpaid', -difference, 0)) AS underpaid,
               countIf(verdict = 'unsettled') AS unsettled,
               countIf(verdict = 'unverifiable') AS unverifiable
        FROM settlements_current {_DAY} GROUP BY session ORDER BY session
    """,
    "verdicts": f"""
        SELECT verdict, count() AS bets FROM settlements_current {_DAY} GROUP BY verdict ORDER BY bets DESC, verdict
    """,
    "codes": f"""
        SELECT kind, code, severity, count() AS times, sum(ifNull(amount, 0)) AS money
        FROM findings_current {_DAY} AND kind != 'streak'
        GROUP BY kind, code, severity ORDER BY times DESC, code
    """,
    "findings": f"""
        SELECT session, `table`, game, `round`, seq, code, severity, kind, seat, bet, player, dealer, amount, currency,
               passage, text, toString(at) AS at
        FROM findings_current {_DAY} AND kind != 'streak' ORDER BY at_us, session, seq, code
    """,
    "streaks": f"""
        SELECT session, `table`, game, `round`, seq, code, severity, player, dealer, subject, text, toString(at) AS at
        FROM findings_current {_DAY} AND kind = 'streak' ORDER BY at_us, session, seq, code
    """,
    "watched": f"""
        SELECT `table`, process, argMax(code, seq) AS what, max(seq) AS at_seq, argMax(e_milli, seq) AS e,
               argMax(alarm_milli, seq) AS alarm, argMax(observations, seq) AS seen, argMax(state, seq) AS stands
        FROM streaks_current {_DAY} GROUP BY session, `table`, process ORDER BY e - alarm DESC, `table`, process
    """,
    "hours": f"""
        SELECT toHour(at) AS hour, count() AS times, countIf(severity = 'severe') AS severe
        FROM findings_current {_DAY} AND kind != 'streak' GROUP BY hour ORDER BY min(at_us)
    """,
}


def gather(query: Query, day: str) -> dict[str, Any]:
    """All figures of a gaming day (ISO date), by the names of `QUERIES`, with each table's play beside its session."""
    figures: dict[str, Any] = {name: query(sql, {"day": day}) for name, sql in QUERIES.items()}
    play = {row["session"]: row for row in figures.pop("play")}
    found: dict[str, int] = {}
    for finding in figures["findings"]:
        found[finding["session"]] = found.get(finding["session"], 0) + 1
    nothing = dict.fromkeys(
        ("bets", "staked", "win_due", "win_claimed", "overpaid", "underpaid", "unsettled", "unverifiable"), 0
    )
    for row in figures["tables"]:
        row |= {**nothing, **play.get(row["session"], {})}
        row["findings"] = found.get(row["session"], 0)
        row["win"] = row["drop"] + row["float_close"] + row["credits"] - row["float_open"] - row["fills"]
    figures["day"] = day
    return figures


def render(figures: Mapping[str, Any], planted: Mapping[str, Any] | None = None) -> str:
    """The page. ``planted``: what a simulation planted and what was found of it, for a section of its own."""
    environment = Environment(
        loader=PackageLoader("dashboards", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["money"] = shown
    environment.filters["number"] = lambda value: f"{value:,}"
    return environment.get_template("night.html.j2").render(**figures, planted=planted)
