"""A table's night, and one round of it: what happened, what was claimed, what the rules give."""

from __future__ import annotations

from typing import Final

from grafana_foundation_sdk.builders import dashboard as builders

from dashboards.grafana.parts import (
    DAYS,
    GAME,
    SEVERITIES,
    VERDICTS,
    board,
    chosen,
    minor_units,
    money,
    series_panel,
    several,
    single,
    stat_panel,
    table_panel,
    timeline_panel,
    value_of,
)
from dashboards.nightly.queries import OWN_STAKE

_SESSION: Final = f"{DAYS} AND session = {value_of('session')}"
_ROUND: Final = f"{_SESSION} AND round = toUInt32OrZero({value_of('round')})"
_STATES: Final = {"clean": "green", "findings": "red", "cannot be verified": "purple"}


def table_round() -> builders.Dashboard:
    """The night as a timeline, its money over time, and the round that was chosen."""
    variables = [
        several("casino"),
        several("game"),
        several("table"),
        single(
            "session",
            "Table and day",
            f"""
            SELECT session FROM sessions_current WHERE {DAYS}{chosen("casino", "game", "table")}
            ORDER BY findings DESC, session
            """,
        ),
        several("dealer"),
        single(
            "round",
            "Round",
            f"""
            SELECT number FROM (
                SELECT toString(round) AS number, findings = 0 AS clean, rounds_current.round AS place
                FROM rounds_current WHERE {_SESSION}{chosen("dealer")}
                UNION ALL
                SELECT '0' AS number, 1 AS clean, 4294967295 AS place
            )
            ORDER BY clean, place
            """,
        ),
    ]
    panels = [
        table_panel(
            "The table",
            "The table's gaming day: its game, the regulation in force, floats, fills, credits and drop.",
            f"""
            SELECT `table`, {GAME} AS game, rules, state, {money("float_open")} AS `opening float`,
                {money("fills")} AS `filled`, {money("credits")} AS credited,
                {money("float_close")} AS `closing float`, {money("`drop`")} AS dropped,
                rounds, settlements, findings
            FROM sessions_current WHERE {_SESSION}
            """,
            (0, 0, 24, 4),
        ),
        timeline_panel(
            "The night",
            "Every round from its opening: clean, with findings, or not verifiable because evidence is missing. The"
            " lane below has the dealer.",
            f"""
            SELECT opened_at AS time,
                multiIf(verifiable = 0, 'cannot be verified', findings > 0, 'findings', 'clean') AS rounds, dealer
            FROM rounds_current WHERE {_SESSION} ORDER BY rounds_current.round
            """,
            (0, 4, 24, 6),
            values=_STATES,
        ),
        series_panel(
            "What the house has won, by the rules",
            "The win of the house since opening, as the rules give it and as it was claimed, in major units of the"
            " table's currency. The two part where something was paid wrongly.",
            f"""
            SELECT settled_at AS time,
                sum(sum(toInt64(stake) - assumeNotNull(paid) - assumeNotNull(returned))) OVER (ORDER BY settled_at)
                    / any({minor_units()}) AS `by the rules`,
                sum(sum(toInt64(stake) - assumeNotNull(paid) - assumeNotNull(returned) - difference))
                    OVER (ORDER BY settled_at) / any({minor_units()}) AS claimed
            FROM settlements_current
            WHERE {_SESSION} AND isNotNull(paid) AND isNotNull(returned) AND NOT {OWN_STAKE}
            GROUP BY settled_at ORDER BY settled_at
            """,
            (0, 10, 12, 9),
            steps=True,
        ),
        table_panel(
            "Findings of the night",
            "All that was found at this table, by time. Time and round lead to the round.",
            f"""
            SELECT at AS time, severity, toString(round) AS round, if(seat < 0, '', toString(seat)) AS box,
                replaceAll(code, '_', ' ') AS finding, text AS why, session
            FROM findings_current WHERE {_SESSION} ORDER BY at
            """,
            (12, 10, 12, 9),
            painted={"severity": SEVERITIES},
            widths={"time": 165, "severity": 85, "round": 60, "box": 50, "finding": 150},
            hidden=("session",),
            wrapped=("why",),
            links=("time", "round"),
        ),
        stat_panel(
            "Round ${round}: outcome",
            "What decided the round, in the game's own notation.",
            f"SELECT if(outcome = '', 'none', outcome) AS decided FROM rounds_current WHERE {_ROUND}",
            (0, 19, 12, 4),
        ),
        stat_panel(
            "Evidence of the round",
            "Sealed: a checkpoint closed the round, and chain and signature hold. Otherwise it says what is amiss.",
            f"""
            SELECT multiIf(verifiable = 0, 'cannot be verified', sealed = 1, 'sealed', 'not sealed') AS evidence
            FROM rounds_current WHERE {_ROUND}
            """,
            (12, 19, 6, 4),
            colours_of={"sealed": "green", "not sealed": "orange", "cannot be verified": "purple"},
        ),
        stat_panel(
            "Wrongly paid in the round",
            "Overpaid and underpaid money of the round added up.",
            f"""
            SELECT {money("wrong", "money_of")} AS wrongly FROM (
                SELECT sum(abs(difference)) AS wrong, any(currency) AS money_of
                FROM settlements_current WHERE {_ROUND}
            )
            """,
            (18, 19, 6, 4),
            steps=((None, "orange"),),
        ),
        table_panel(
            "Findings of the round",
            "What was found in the round, the rule, and the numbers of the events that it rests on; in round 0 what"
            " lies outside of any round.",
            f"""
            SELECT severity, if(seat < 0, '', toString(seat)) AS box, replaceAll(code, '_', ' ') AS finding,
                text AS why, if(isNull(amount), '', {money("assumeNotNull(amount)")}) AS amount, passage AS rule,
                dealer, arrayStringConcat(arrayMap(x -> toString(x), seqs), ', ') AS events
            FROM findings_current WHERE {_ROUND} ORDER BY severity = 'severe' DESC, seq
            """,
            (0, 23, 24, 6),
            painted={"severity": SEVERITIES},
            widths={"severity": 90, "box": 50, "finding": 180, "amount": 130, "rule": 220, "dealer": 80, "events": 180},
            wrapped=("why",),
            large=True,
        ),
        table_panel(
            "Bets: claimed and recomputed",
            "Each bet of the round: what the table says it gave, what the rules give, and the passage that decides.",
            f"""
            SELECT bet, if(seat < 0, '', toString(seat)) AS box, player, wager, pick, shown[1] AS staked,
                if(isNull(claimed_paid), 'nothing', shown[2]) AS `paid, claimed`,
                if(isNull(paid), 'unknown', shown[3]) AS `paid, by the rules`,
                if(isNull(claimed_returned), 'nothing', shown[4]) AS `returned, claimed`,
                if(isNull(returned), 'unknown', shown[5]) AS `returned, by the rules`,
                shown[6] AS `handed over too much`, verdict, passage
            FROM (
                SELECT *, arrayMap(x -> {money("x")}, [stake, assumeNotNull(claimed_paid), assumeNotNull(paid),
                    assumeNotNull(claimed_returned), assumeNotNull(returned), difference]) AS shown
                FROM settlements_current WHERE {_ROUND}
            )
            ORDER BY verdict = 'match', bet
            """,
            (0, 29, 24, 9),
            painted={"verdict": VERDICTS},
            widths={"bet": 70, "box": 50},
        ),
        table_panel(
            "Events of the round",
            "Every event of the round as it came, in order of its number, byte for byte; in round 0 those on which the"
            " findings outside of any round rest.",
            f"""
            SELECT at AS time, seq AS number, type AS event, device, raw AS line
            FROM events_current
            WHERE {_SESSION} AND (seq BETWEEN (SELECT max(opened_seq) FROM rounds_current WHERE {_ROUND})
                    AND (SELECT max(if(closed_seq = 0, 4294967295, closed_seq)) FROM rounds_current WHERE {_ROUND})
                OR seq IN (SELECT arrayJoin(seqs) FROM findings_current WHERE {_ROUND} AND round = 0))
            ORDER BY seq LIMIT 400
            """,
            (0, 38, 24, 14),
            widths={"time": 165, "number": 80, "event": 130, "device": 100},
        ),
    ]
    return board(
        "retally-round",
        "Table and round",
        "A table's night as a timeline, and one round: its events, the claims and what the rules give.",
        variables,
        panels,
        refresh="30s",
    )
