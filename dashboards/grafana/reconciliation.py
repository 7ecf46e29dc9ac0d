"""Money counted beside money recomputed: per table, game, shift, day and month."""

from __future__ import annotations

from typing import Final

from grafana_foundation_sdk.builders import dashboard as builders

from dashboards.grafana.edges import known_odds, place
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
from dashboards.nightly.queries import OWN_STAKE, WIN
from dashboards.stated import with_games
from replay.packs import Packs

_CHOSEN: Final = chosen("casino", "game", "table")
_DEALER: Final = chosen("dealer")
_BETS: Final = f"""{DAYS} AND $__timeFilter(settled_at) AND isNotNull(paid) AND isNotNull(returned)
    AND NOT {OWN_STAKE}{_CHOSEN}"""
_WIN_OF_BETS: Final = "toInt64(stake) - assumeNotNull(paid) - assumeNotNull(returned)"


def complete(days: str) -> str:
    """A condition on sessions: of the gaming days that ``days`` chooses, closed, and their drop counted. Before that
    nobody knows what a table has won."""
    return (
        f"{days} AND state = 'closed'"
        f" AND session IN (SELECT session FROM cage_current WHERE {days} AND movement = 'drop_counted'){_CHOSEN}"
    )


def counted(by: str) -> str:
    """Complete table-days as they were counted, by the column ``by``."""
    return f"""
        SELECT {by}, {money("dropped")} AS `drop`, {money("won")} AS win,
            if(dropped = 0, NULL, round(won / dropped * 100, 1)) AS `hold %`, tables
        FROM (
            SELECT {by}, currency, sum(`drop`) AS dropped, sum({WIN}) AS won, count() AS tables
            FROM sessions_current WHERE {complete(DAYS)} GROUP BY {by}, currency
        )
        ORDER BY {by}
    """


def theory(by: str, odds: str) -> str:
    """What the bets with exact odds should have won for the house, by the column ``by``, with a band of two sigma.
    ``odds``: of `known_odds`.

    Bets are summed by session before it is asked what table, game and rules that is; and all six amounts are written
    by one expression: planning a query of many takes longer than running it.
    """
    written = money("x")
    together = with_games("game IN ({one_result:Games})")
    return f"""
        {odds}
        SELECT {by}, shown[1] AS staked, shown[2] AS `win by the rules`, shown[3] AS `theoretical win`,
            shown[4] AS `band from`, shown[5] AS `band to`, z, shown[6] AS `staked without odds`
        FROM (
            SELECT {by}, if(spread = 0, NULL, round((won - expected) / sqrt(spread), 2)) AS z,
                toInt64(round(2 * sqrt(spread))) AS band,
                arrayMap(x -> {written}, [staked, won, expected, expected - band, expected + band, apart]) AS shown
            FROM (
                SELECT {by}, currency, sumIf(stakes, v > 0) AS staked, sumIf(win, v > 0) AS won,
                    intDiv(sum(stakes * e), 1000000) AS expected, sum(v * squares) AS spread,
                    sumIf(stakes, v = 0) AS apart
                FROM (
                    SELECT {by}, currency, {place()} AS at, known_edges[at] AS e, known_variances[at] AS v, stakes,
                        squares, win
                    FROM (
                        SELECT session, wager, pick, sum(part) AS stakes, sum(gain) AS win,
                            sum(if(coup > 0, pow(toFloat64(part), 2), squared)) AS squares
                        FROM (
                            SELECT session, wager, pick, if({together}, settlements_current.round, 0) AS coup,
                                sum(stake) AS part, sum({_WIN_OF_BETS}) AS gain,
                                sum(pow(toFloat64(stake), 2)) AS squared
                            FROM settlements_current WHERE {_BETS}
                            GROUP BY session, wager, pick, coup
                        )
                        GROUP BY session, wager, pick
                    ) AS bets
                    INNER JOIN (
                        SELECT session, `table`, game, rules, currency FROM sessions_current WHERE {DAYS}
                    ) AS played USING session
                )
                GROUP BY {by}, currency
            )
        )
        ORDER BY {by}
    """


_THEORY: Final = (
    " Theoretical win: stakes times the house's exact edge. Band: two standard deviations to either side, in which"
    " equal bets on one throw, ball or coup count as one. Stakes on wagers without exact odds stand apart."
)
_COUNTED: Final = " Win is drop + closing float + credits - opening float - fills; hold is win in a hundred of drop."


def reconciliation(packs: Packs) -> builders.Dashboard:
    """What was counted, what the rules give, what chance should give, and what was paid wrongly. ``packs``: the
    regulations that the tables are played under. Raises `RuleError` where no odds can be worked out of one."""
    odds = known_odds(packs)
    this_year = complete("gaming_day BETWEEN toStartOfYear(toDate($__toTime)) AND toDate($__toTime)")
    panels = [
        table_panel(
            "By currency",
            "All tables of the gaming days shown whose drop is counted." + _COUNTED,
            f"""
            SELECT currency, {money("dropped")} AS `drop`, {money("won")} AS win,
                if(dropped = 0, NULL, round(won / dropped * 100, 1)) AS `hold %`, tables
            FROM (
                SELECT currency, sum(`drop`) AS dropped, sum({WIN}) AS won, count() AS tables
                FROM sessions_current WHERE {complete(DAYS)} GROUP BY currency
            )
            """,
            (0, 0, 24, 4),
            large=True,
        ),
        table_panel(
            "Counted, by table",
            "Each table's days whose drop is counted." + _COUNTED,
            counted("`table`"),
            (0, 4, 12, 12),
        ),
        table_panel(
            "Counted, by game",
            "Each game's table-days whose drop is counted." + _COUNTED,
            counted("game"),
            (12, 4, 12, 12),
        ),
        table_panel(
            "Theoretical win, by game", "By game, over the time shown." + _THEORY, theory("game", odds), (0, 16, 24, 11)
        ),
        table_panel(
            "Theoretical win, by table",
            "By table, over the time shown." + _THEORY,
            theory("`table`", odds),
            (0, 27, 24, 12),
        ),
        bar_panel(
            "Win by the rules, by shift",
            "What the house won by the rules in the shifts from 06, 14 and 22 hours UTC, in major units, by currency.",
            f"""
            SELECT concat(multiIf(toHour(settled_at) < 6, '22 to 06', toHour(settled_at) < 14, '06 to 14',
                    toHour(settled_at) < 22, '14 to 22', '22 to 06'), ' ', currency) AS shift,
                sum({_WIN_OF_BETS}) / any({minor_units()}) AS win
            FROM settlements_current WHERE {_BETS}{_DEALER} GROUP BY shift ORDER BY shift
            """,
            (0, 39, 8, 9),
            x="shift",
        ),
        series_panel(
            "Win and drop, by day",
            "Counted win and drop of every gaming day since the start of the year, in major units, by currency.",
            f"""
            SELECT toDateTime(gaming_day) AS time, concat('win ', currency) AS what,
                sum({WIN}) / {minor_units()} AS counted
            FROM sessions_current WHERE {this_year} GROUP BY time, currency
            UNION ALL
            SELECT toDateTime(gaming_day) AS time, concat('drop ', currency) AS what,
                sum(`drop`) / {minor_units()} AS counted
            FROM sessions_current WHERE {this_year} GROUP BY time, currency
            ORDER BY time
            """,
            (8, 39, 8, 9),
            bars=True,
        ),
        table_panel(
            "Counted, by month",
            "Each month since the start of the year in which the time shown ends." + _COUNTED,
            f"""
            SELECT month, {money("dropped")} AS `drop`, {money("won")} AS win,
                if(dropped = 0, NULL, round(won / dropped * 100, 1)) AS `hold %`, tables
            FROM (
                SELECT formatDateTime(gaming_day, '%Y-%m') AS month, currency, sum(`drop`) AS dropped,
                    sum({WIN}) AS won, count() AS tables
                FROM sessions_current WHERE {this_year} GROUP BY month, currency
            )
            ORDER BY month
            """,
            (16, 39, 8, 9),
        ),
        table_panel(
            "Paid wrongly, by game and dealer",
            "Bets on which too much or too little was handed over in the time shown, in money.",
            f"""
            SELECT game, dealer, bets AS `bets paid wrongly`, {money("over")} AS overpaid,
                {money("under")} AS underpaid,
                {money("over - under")} AS `cost to the house`
            FROM (
                SELECT game, dealer, currency, count() AS bets, sumIf(difference, difference > 0) AS over,
                    -sumIf(difference, difference < 0) AS under
                FROM settlements_current
                WHERE {DAYS} AND $__timeFilter(settled_at) AND difference != 0{_CHOSEN}{_DEALER}
                GROUP BY game, dealer, currency
            )
            ORDER BY over + under DESC
            """,
            (0, 48, 24, 11),
        ),
    ]
    return board(
        "retally-reconciliation",
        "Reconciliation",
        "Drop, win, hold and theoretical win, and what was paid wrongly.",
        [several("casino"), several("game"), several("table"), several("dealer")],
        panels,
        refresh="5m",
    )
