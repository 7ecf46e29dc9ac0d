"""What stands out of chance: how far each detector has come, and the raw counts behind it."""

from __future__ import annotations

from typing import Final

from grafana_foundation_sdk.builders import dashboard as builders

from dashboards.grafana.parts import (
    DAYS,
    bar_panel,
    board,
    chosen,
    minor_units,
    money,
    series_panel,
    several,
    table_panel,
)
from dashboards.nightly.queries import OWN_STAKE
from dashboards.stated import with_games

_CHOSEN: Final = chosen("casino", "game", "table")
_DEALER: Final = chosen("dealer")
_WON: Final = f"isNotNull(paid) AND isNotNull(returned) AND NOT {OWN_STAKE}"
_TABLES: Final = f"""session IN (
    SELECT session FROM sessions_current WHERE {DAYS}{_CHOSEN}
)"""
"""Events name no casino and no game. What an event is hangs on its bytes, of which its identity holds the digest: so
its type may be asked for before copies are dropped, and only the lines of that type are read."""


def _curves(who: str, won: str) -> str:
    """The sums of ``won`` so far, every five minutes, of the eight furthest from nothing of the column ``who``."""
    return f"""
        WITH w AS (
            SELECT settled_at, concat({who}, ' ', currency) AS who, {won} AS won, {minor_units()} AS unit
            FROM settlements_current
            WHERE {DAYS} AND $__timeFilter(settled_at) AND {who} != '' AND {_WON}{_CHOSEN}{_DEALER}
        )
        SELECT time, who, sum(won) OVER (PARTITION BY who ORDER BY time) / unit AS won_so_far
        FROM (
            SELECT toStartOfInterval(settled_at, INTERVAL 5 minute) AS time, who, sum(w.won) AS won,
                any(w.unit) AS unit
            FROM w
            WHERE who IN (SELECT who FROM w GROUP BY who ORDER BY abs(sum(w.won)) DESC, who LIMIT 8)
            GROUP BY time, who
        )
        ORDER BY time
    """


def streaks() -> builders.Dashboard:
    """E-values with their alarm lines, faces of the dice, cards, and the curves of players and dealers."""
    french = with_games("game NOT IN ({other_cards:Games})")
    panels = [
        series_panel(
            "How far the strongest detectors have come",
            "The decimal logarithm of an e-value, for the eight processes that came furthest in the time shown: 0 is an"
            " even bet against chance, 3 a thousandfold one. Dashed: the lowest line at which one of them alarms on its"
            " own, at twice which a curve is cut off. Each has no tendency to grow while all is well.",
            f"""
            WITH s AS (
                SELECT * FROM streaks_current WHERE {DAYS} AND $__timeFilter(at){_CHOSEN}
            ), strongest AS (
                SELECT session, process FROM s GROUP BY session, process ORDER BY max(e_milli) DESC LIMIT 8
            )
            SELECT at AS time, concat(`table`, ': ', process) AS series,
                least(max(e_milli), 2 * max(alarm_milli)) / 1000 AS evidence
            FROM s WHERE (session, process) IN strongest GROUP BY time, series
            UNION ALL
            SELECT at AS time, 'alarm line' AS series, min(alarm_milli) OVER () / 1000 AS evidence
            FROM s WHERE (session, process) IN strongest
            ORDER BY time
            """,
            (0, 0, 24, 11),
            steps=True,
            dashed="alarm line",
        ),
        table_panel(
            "Every detector as it stands",
            "The newest reading of each process: how far it is, where it alarms, and what share of the way that is.",
            f"""
            SELECT `table`, process, replaceAll(argMax(code, seq), '_', ' ') AS `watches for`,
                argMax(observations, seq) AS observed, round(max(e_milli) / 1000, 2) AS furthest,
                round(argMax(e_milli, seq) / 1000, 2) AS now, round(argMax(alarm_milli, seq) / 1000, 2) AS alarm,
                argMax(state, seq) AS state, argMax(streaks_current.round, seq) AS round, session
            FROM streaks_current WHERE {DAYS} AND $__timeFilter(at){_CHOSEN}
            GROUP BY `table`, session, process ORDER BY furthest - alarm DESC LIMIT 100
            """,
            (0, 11, 24, 9),
            painted={"state": {"alarmed": "red", "running": "green"}},
            hidden=("session",),
            links=("round",),
        ),
        bar_panel(
            "Faces of the dice",
            "How often each face came up, of all dice thrown at the tables chosen; fair dice have them all alike.",
            f"""
            SELECT toString(arrayJoin(JSONExtract(raw, 'dice', 'Array(UInt8)'))) AS face, count() AS thrown
            FROM events FINAL PREWHERE type = 'dice_rolled' AND {DAYS}
            WHERE $__timeFilter(at) AND {_TABLES}
            GROUP BY face HAVING face BETWEEN '1' AND '6' ORDER BY face
            """,
            (0, 20, 8, 9),
            x="face",
        ),
        bar_panel(
            "Cards that came out",
            "How often each rank was dealt at the tables chosen; over whole shoes they come out alike. Without"
            " games whose pack is another.",
            f"""
            SELECT substring(card, 1, 1) AS rank, sum(number) AS dealt
            FROM (
                SELECT card, count() AS number FROM events FINAL PREWHERE card != '' AND {DAYS}
                WHERE $__timeFilter(at)
                    AND session IN (SELECT session FROM sessions_current WHERE {DAYS} AND {french}{_CHOSEN})
                GROUP BY card
            )
            WHERE position('A23456789TJQK', substring(card, 1, 1)) > 0 AND length(card) = 2
            GROUP BY rank ORDER BY position('A23456789TJQK', rank)
            """,
            (8, 20, 16, 9),
            x="rank",
        ),
        series_panel(
            "Players: what each has won",
            "Winnings less stakes since the start of the time shown, by the rules, of the eight players furthest from"
            " nothing, in major units of their currency.",
            _curves("player", "assumeNotNull(paid) + assumeNotNull(returned) - toInt64(stake)"),
            (0, 29, 12, 10),
        ),
        series_panel(
            "Dealers: what the house has won with each",
            "The win of the house since the start of the time shown, by the rules, of the eight dealers furthest from"
            " nothing, in major units of the currency.",
            _curves("dealer", "toInt64(stake) - assumeNotNull(paid) - assumeNotNull(returned)"),
            (12, 29, 12, 10),
        ),
        table_panel(
            "Errors by dealer",
            "How often each dealer paid wrongly, of the bets that he settled, and what it came to.",
            f"""
            SELECT dealer, bets, wrong, round(wrong / bets * 1000, 2) AS `per thousand`,
                {money("over")} AS overpaid, {money("under")} AS underpaid
            FROM (
                SELECT dealer, currency, count() AS bets, countIf(difference != 0) AS wrong,
                    sumIf(difference, difference > 0) AS over, -sumIf(difference, difference < 0) AS under
                FROM settlements_current
                WHERE {DAYS} AND $__timeFilter(settled_at) AND dealer != ''{_CHOSEN}{_DEALER}
                GROUP BY dealer, currency
            )
            ORDER BY wrong DESC, dealer
            """,
            (0, 39, 24, 9),
        ),
    ]
    return board(
        "retally-streaks",
        "Streaks",
        "What stands out of chance, with the lines at which it alarms.",
        [several("casino"), several("game"), several("table"), several("dealer")],
        panels,
        refresh="1m",
    )
