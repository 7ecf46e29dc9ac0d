"""The floor, live: for the wall."""

from __future__ import annotations

from typing import Final

from grafana_foundation_sdk.builders import dashboard as builders

from dashboards.grafana.parts import (
    DAYS,
    SEVERITIES,
    board,
    chosen,
    money,
    several,
    stat_panel,
    table_panel,
)

_CHOSEN: Final = chosen("casino", "game", "table")
_HAND: Final = money("assumeNotNull(s.claimed_paid) + assumeNotNull(s.claimed_returned)", "f.currency")
_DUE: Final = money("assumeNotNull(s.paid) + assumeNotNull(s.returned)", "f.currency")

FEED: Final = f"""
    WITH f AS (
        SELECT * FROM findings_current
        WHERE {DAYS} AND $__timeFilter(at){_CHOSEN}
        ORDER BY severity = 'severe' DESC, at DESC LIMIT 60
    )
    SELECT f.at AS time, f.severity AS severity, f.`table` AS `table`, if(f.seat < 0, '', toString(f.seat)) AS box,
        replaceAll(f.code, '_', ' ') AS finding, f.text AS why,
        if(s.bet = '' OR isNull(s.claimed_paid), '', {_HAND}) AS `paid out`,
        if(s.bet = '' OR isNull(s.paid), '', {_DUE}) AS due,
        if(isNull(f.amount), '', {money("assumeNotNull(f.amount)", "f.currency")}) AS amount,
        f.passage AS rule, f.dealer AS dealer, f.session AS session, f.round AS round
    FROM f
    ANY LEFT JOIN (
        SELECT session, bet, claimed_paid, claimed_returned, paid, returned, arrayJoin(seqs) AS seq
        FROM settlements_current
        WHERE {DAYS} AND (session, bet) IN (SELECT session, bet FROM f WHERE bet != '')
    ) AS s ON s.session = f.session AND s.bet = f.bet AND s.seq = f.seq
    ORDER BY f.severity = 'severe' DESC, f.at DESC
"""
"""Findings, the severe first, beside what was handed over on the bet and what was due, stakes given back included."""


def _each(sums: str) -> str:
    """SQL: the amounts of all currencies in one cell. ``sums``: a query for currency and money."""
    amounts = f"arrayStringConcat(groupArray({money('money')}), ', ')"
    return f"SELECT if(count() = 0, 'nothing', {amounts}) AS amount FROM ({sums} ORDER BY currency)"


def floor() -> builders.Dashboard:
    """Each table's state, what is wrong, what is at stake, and how far behind we are."""
    panels = [
        stat_panel(
            "Severe findings",
            "Findings of severity severe in the time shown: somebody should go to the table now.",
            f"SELECT count() AS severe FROM findings_current WHERE {DAYS} AND $__timeFilter(at)"
            f" AND severity = 'severe'{_CHOSEN}",
            (0, 0, 4, 5),
            steps=((None, "green"), (1, "red")),
        ),
        stat_panel(
            "Warnings",
            "Findings of severity warning in the time shown: to be looked at this night.",
            f"SELECT count() AS warnings FROM findings_current WHERE {DAYS} AND $__timeFilter(at)"
            f" AND severity = 'warning'{_CHOSEN}",
            (4, 0, 4, 5),
            steps=((None, "green"), (1, "orange")),
        ),
        stat_panel(
            "Money at stake now",
            "Stakes on bets that are still undecided at tables that are open, in each currency.",
            _each(
                f"""
                SELECT currency, sum(stake) AS money FROM settlements_current
                WHERE {DAYS} AND verdict = 'open'
                    AND session IN (SELECT session FROM sessions_current WHERE {DAYS} AND state = 'open'){_CHOSEN}
                GROUP BY currency
                """
            ),
            (8, 0, 5, 5),
        ),
        stat_panel(
            "Wrongly paid in the time shown",
            "Overpaid and underpaid money added up, whoever had the advantage of it, in each currency.",
            _each(
                f"""
                SELECT currency, sum(abs(difference)) AS money FROM settlements_current
                WHERE {DAYS} AND $__timeFilter(settled_at) AND difference != 0{_CHOSEN} GROUP BY currency
                """
            ),
            (13, 0, 6, 5),
            steps=((None, "orange"),),
        ),
        stat_panel(
            "Behind the tables",
            "Age of the newest event of the tables that are open, at the end of the time shown; 0 while none is open.",
            f"""
            SELECT if(countIf(state = 'open') = 0, 0,
                greatest(0, dateDiff('second', maxIf(newest, state = 'open'), $__toTime))) AS behind
            FROM sessions_current
            LEFT JOIN (SELECT session, max(at) AS newest FROM events WHERE {DAYS} GROUP BY session) AS e USING session
            WHERE {DAYS}{_CHOSEN}
            """,
            (19, 0, 5, 5),
            unit="s",
            steps=((None, "green"), (30, "orange"), (120, "red")),
        ),
        stat_panel(
            "Tables: severe findings",
            "A tile for each table, with its severe findings in the time shown; red where there is one.",
            f"""
            SELECT `table` AS name, countIf(severity = 'severe') AS severe
            FROM (
                SELECT `table`, '' AS severity FROM sessions_current WHERE {DAYS}{_CHOSEN}
                UNION ALL
                SELECT `table`, severity FROM findings_current WHERE {DAYS} AND $__timeFilter(at){_CHOSEN}
            )
            GROUP BY name ORDER BY name
            """,
            (0, 5, 24, 6),
            steps=((None, "green"), (1, "red")),
            rows=True,
        ),
        table_panel(
            "What is wrong, the severe first",
            "Each finding: at which table and box, what was handed over on the bet and what was due (stakes given back"
            " included), and why. The time leads to the round.",
            FEED,
            (0, 11, 24, 15),
            painted={"severity": SEVERITIES},
            widths={"time": 215, "severity": 100, "table": 85, "box": 60, "finding": 190, "paid out": 140, "due": 140}
            | {"amount": 140, "rule": 210, "dealer": 80},
            hidden=("session", "round"),
            link="time",
            large=True,
        ),
        table_panel(
            "The tables",
            "Each table: open or closed, its latest dealer and round, its findings, and what lies on it now.",
            f"""
            SELECT t.`table` AS `table`, t.state AS state, t.game AS game, r.dealer AS dealer, r.round AS round,
                f.severe AS severe, f.warning AS warnings, {money("o.staked", "t.currency")} AS `at stake now`,
                t.session AS session
            FROM (SELECT * FROM sessions_current WHERE {DAYS}{_CHOSEN}) AS t
            LEFT JOIN (
                SELECT session, argMax(dealer, rounds_current.round) AS dealer, max(rounds_current.round) AS round
                FROM rounds_current WHERE {DAYS} GROUP BY session
            ) AS r ON r.session = t.session
            LEFT JOIN (
                SELECT session, countIf(severity = 'severe') AS severe, countIf(severity = 'warning') AS warning
                FROM findings_current WHERE {DAYS} AND $__timeFilter(at) GROUP BY session
            ) AS f ON f.session = t.session
            LEFT JOIN (
                SELECT session, sum(stake) AS staked FROM settlements_current
                WHERE {DAYS} AND verdict = 'open' GROUP BY session
            ) AS o ON o.session = t.session
            ORDER BY f.severe DESC, t.`table`
            """,
            (0, 26, 24, 12),
            painted={"state": {"open": "green"}},
            hidden=("session",),
            link="round",
        ),
    ]
    return board(
        "retally-floor",
        "Floor, live",
        "Each table's state, what is wrong and what is at stake, for the wall.",
        [several("casino"), several("game"), several("table")],
        panels,
        refresh="5s",
    )
