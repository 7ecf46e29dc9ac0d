"""The floor, live: for the wall."""

from __future__ import annotations

from typing import Final

from grafana_foundation_sdk.builders import dashboard as builders

from dashboards.grafana.parts import (
    DAYS,
    PLAYED,
    SEVERITIES,
    board,
    chosen,
    money,
    several,
    stat_panel,
    table_panel,
)

_CHOSEN: Final = chosen("casino", "game", "table")
_DEALER: Final = chosen("dealer")
_HAND: Final = money("assumeNotNull(s.claimed_paid) + assumeNotNull(s.claimed_returned)", "f.currency")
_DUE: Final = money("assumeNotNull(s.paid) + assumeNotNull(s.returned)", "f.currency")

FEED: Final = f"""
    WITH f AS (
        SELECT * FROM findings_current
        WHERE {DAYS} AND $__timeFilter(at){_CHOSEN}{_DEALER}
        ORDER BY severity = 'severe' DESC, at DESC LIMIT 60
    )
    SELECT f.at AS time, f.severity AS severity, f.`table` AS `table`, toString(f.round) AS round,
        if(f.seat < 0, '', toString(f.seat)) AS box,
        replaceAll(f.code, '_', ' ') AS finding, f.text AS why,
        if(s.bet = '' OR isNull(s.claimed_paid), '', {_HAND}) AS `paid out`,
        if(s.bet = '' OR isNull(s.paid), '', {_DUE}) AS due,
        if(isNull(f.amount), '', {money("assumeNotNull(f.amount)", "f.currency")}) AS amount,
        f.passage AS rule, r.outcome AS outcome, f.dealer AS dealer, f.session AS session
    FROM f
    ANY LEFT JOIN (
        SELECT session, bet, claimed_paid, claimed_returned, paid, returned, arrayJoin(seqs) AS seq
        FROM settlements_current
        WHERE {DAYS} AND (session, bet) IN (SELECT session, bet FROM f WHERE bet != '')
    ) AS s ON s.session = f.session AND s.bet = f.bet AND s.seq = f.seq
    ANY LEFT JOIN (
        SELECT session, rounds_current.round AS played, outcome FROM rounds_current
        WHERE {DAYS} AND (session, rounds_current.round) IN (SELECT session, f.round FROM f)
    ) AS r ON r.session = f.session AND r.played = f.round
    ORDER BY f.severity = 'severe' DESC, f.at DESC
"""
"""Findings, the severe first, beside what was handed over on the bet and what was due (stakes given back included), the
rule, and what the round came to."""

_NOTHING: Final = "nothing severe in the time shown"
_ON_THE_WALL: Final = 6
"""How many of the latest severe findings are shown in large letters, and to how many letters each is cut."""
_LETTERS: Final = 96


def latest() -> str:
    """The newest severe findings in words: table, box and what it is; what was handed over, what was due, and why."""
    severe = f"{DAYS} AND $__timeFilter(at) AND severity = 'severe'{_CHOSEN}{_DEALER}"
    return f"""
        SELECT name, value FROM (
            SELECT concat(`table`, if(seat < 0, '', concat(', box ', toString(seat))), ': ', replaceAll(code, '_', ' '),
                    ', ', if(minutes < 120, toString(minutes), toString(intDiv(minutes, 60))),
                    if(minutes < 120, ' min ago', ' h ago')) AS name,
                concat(text, if(passage = '', '', concat(' (', passage, ')'))) AS told,
                if(lengthUTF8(told) > {_LETTERS}, concat(substringUTF8(told, 1, {_LETTERS}), '…'), told) AS value,
                found
            FROM (
                SELECT `table`, seat, code, text, passage, at AS found, dateDiff('minute', at, $__toTime) AS minutes
                FROM findings_current WHERE {severe} ORDER BY at DESC LIMIT {_ON_THE_WALL}
            )
            UNION ALL
            SELECT '' AS name, '' AS told, '{_NOTHING}' AS value, $__fromTime AS found
            WHERE (SELECT count() FROM findings_current WHERE {severe}) = 0
        )
        ORDER BY found DESC
    """


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
            f" AND severity = 'severe'{_CHOSEN}{_DEALER}",
            (0, 0, 4, 4),
            steps=((None, "green"), (1, "red")),
        ),
        stat_panel(
            "Warnings",
            "Findings of severity warning in the time shown: to be looked at this night.",
            f"SELECT count() AS warnings FROM findings_current WHERE {DAYS} AND $__timeFilter(at)"
            f" AND severity = 'warning'{_CHOSEN}{_DEALER}",
            (4, 0, 4, 4),
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
            (8, 0, 5, 4),
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
            (13, 0, 6, 4),
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
            (19, 0, 5, 4),
            unit="s",
            steps=((None, "green"), (30, "orange"), (120, "red")),
        ),
        stat_panel(
            "Severe findings by table, in the last hour that it was open",
            "A tile for each table, with its severe findings in the last hour that it was open in the time shown; red"
            " where there is one.",
            f"""
            SELECT `table` AS name, countIf(found > until - 3600) AS severe
            FROM (
                SELECT session, `table`, if(state = 'open', $__toTime, least(closed_at, $__toTime)) AS until
                FROM sessions_current WHERE {PLAYED}{_CHOSEN}
            ) AS t
            LEFT JOIN (
                SELECT session, at AS found FROM findings_current
                WHERE {DAYS} AND $__timeFilter(at) AND severity = 'severe'{_CHOSEN}{_DEALER}
            ) AS f USING session
            GROUP BY name ORDER BY name
            """,
            (0, 4, 24, 6),
            steps=((None, "green"), (1, "red")),
            rows=True,
        ),
        stat_panel(
            "The latest severe findings",
            "Table, box and what it is; what was handed over, what was due, and by which rule.",
            latest(),
            (0, 10, 24, 15),
            steps=((None, "red"),),
            rows=True,
            letters=(28, 28),
            colours_of={_NOTHING: "green"},
        ),
        table_panel(
            "What is wrong, the severe first",
            "Each finding: at which table and box, what was handed over on the bet and what was due (stakes given back"
            " included), why, and what the round came to. Time and round lead to the round.",
            FEED,
            (0, 25, 24, 15),
            painted={"severity": SEVERITIES},
            widths={"time": 205, "severity": 90, "table": 80, "round": 75, "box": 55, "finding": 180, "paid out": 130}
            | {"due": 130, "amount": 130, "rule": 170, "outcome": 190, "dealer": 75},
            hidden=("session",),
            wrapped=("why", "rule", "outcome"),
            links=("time", "round"),
            large=True,
        ),
        table_panel(
            "The tables",
            "Each table: open or closed, its latest dealer and round, its findings, and what lies on it now.",
            f"""
            SELECT t.`table` AS `table`, t.state AS state, replaceAll(t.game, '_', ' ') AS game, r.dealer AS dealer,
                r.round AS round, f.severe AS severe, f.warning AS warnings,
                {money("o.staked", "t.currency")} AS `at stake now`, t.session AS session
            FROM (SELECT * FROM sessions_current WHERE {PLAYED}{_CHOSEN}) AS t
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
            (0, 40, 24, 12),
            painted={"state": {"open": "green"}},
            hidden=("session",),
            links=("round",),
        ),
    ]
    return board(
        "retally-floor",
        "Floor, live",
        "Each table's state, what is wrong and what is at stake, for the wall.",
        [several("casino"), several("game"), several("table"), several("dealer")],
        panels,
        refresh="5s",
    )
