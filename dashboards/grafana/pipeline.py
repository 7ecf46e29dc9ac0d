"""The pipeline: whether verdicts keep up with the tables, and whether the evidence holds."""

from __future__ import annotations

from typing import Final

from grafana_foundation_sdk.builders import dashboard as builders

from dashboards.grafana.parts import (
    DAYS,
    board,
    chosen,
    series_panel,
    several,
    stat_panel,
    table_panel,
    worker_panel,
)

_CHOSEN: Final = chosen("casino", "game", "table")


def pipeline() -> builders.Dashboard:
    """Lag, throughput, what was rejected, checkpoints and the workers."""
    panels = [
        stat_panel(
            "Newest event",
            "When the newest event in the store happened.",
            f"SELECT formatDateTime(max(at), '%Y-%m-%d %H:%i:%S UTC') AS newest FROM events WHERE {DAYS}",
            (0, 0, 8, 5),
        ),
        stat_panel(
            "Checkpoints that do not hold",
            "Checkpoints whose chain or signature does not hold, at the tables chosen: somebody altered or lost a log.",
            f"SELECT sum(checkpoints_bad) AS bad FROM sessions_current WHERE {DAYS}{_CHOSEN}",
            (8, 0, 4, 5),
            steps=((None, "green"), (1, "red")),
        ),
        stat_panel(
            "Checkpoints that hold",
            "Checkpoints whose chain and signature hold, at the tables chosen.",
            f"SELECT sum(checkpoints_good) AS good FROM sessions_current WHERE {DAYS}{_CHOSEN}",
            (12, 0, 4, 5),
        ),
        stat_panel(
            "Rejected lines",
            "Lines in the store that are no events of the contract, of all time.",
            "SELECT count() AS rejected FROM rejected_current",
            (16, 0, 4, 5),
            steps=((None, "green"), (1, "orange")),
        ),
        stat_panel(
            "Events missing",
            "Holes in the numbering of events at the tables chosen.",
            f"SELECT sum(gaps) AS missing FROM sessions_current WHERE {DAYS}{_CHOSEN}",
            (20, 0, 4, 5),
            steps=((None, "green"), (1, "red")),
        ),
        series_panel(
            "Events and settlements a minute",
            "How much the tables publish, and how many bets are settled, by the tables' own clocks.",
            f"""
            SELECT toStartOfMinute(at) AS time, 'events' AS what, count() AS number
            FROM events WHERE {DAYS} AND $__timeFilter(at) GROUP BY time
            UNION ALL
            SELECT toStartOfMinute(settled_at) AS time, 'settlements' AS what, count() AS number
            FROM settlements_current WHERE {DAYS} AND $__timeFilter(settled_at){_CHOSEN} GROUP BY time
            ORDER BY time
            """,
            (0, 5, 24, 9),
        ),
        table_panel(
            "Evidence by table",
            "What each table's log holds: events, checkpoints good and bad, holes, conflicts, copies, rejected lines.",
            f"""
            SELECT `table`, session, state, events, checkpoints_good AS `checkpoints good`,
                checkpoints_bad AS `checkpoints bad`, gaps AS holes, conflicts, duplicates AS copies, rejected
            FROM sessions_current WHERE {DAYS}{_CHOSEN}
            ORDER BY checkpoints_bad + gaps + conflicts + rejected DESC, `table`
            """,
            (0, 14, 12, 11),
            painted={"state": {"open": "green"}},
        ),
        table_panel(
            "Lines that were rejected",
            "The lines that are no events, where they came from, and why.",
            """
            SELECT source, place, session, field, reason FROM rejected_current ORDER BY source, place DESC LIMIT 100
            """,
            (12, 14, 12, 11),
        ),
        worker_panel(
            "Records not yet read",
            "Lag of the workers behind Kafka, by topic, and of the partition furthest behind.",
            {
                "{{topic}}": "sum by (topic) (retally_lag_records)",
                "{{topic}}, worst partition": "max by (topic) (retally_lag_records_worst)",
            },
            (0, 25, 8, 9),
        ),
        worker_panel(
            "Events a second",
            "Events that the workers read, and lines that they rejected.",
            {
                "events": "sum(rate(retally_events_total[5m]))",
                "rejected": "sum(rate(retally_rejected_total[5m]))",
            },
            (8, 25, 8, 9),
        ),
        worker_panel(
            "Workers",
            "Workers that answer, the partitions that they hold, and the open rounds.",
            {
                "workers": 'count(up{job="retally"} == 1) or vector(0)',
                "partitions": "sum(retally_partitions)",
                "catching up": "sum(retally_catching_up)",
                "open rounds": "sum(retally_rounds_open)",
            },
            (16, 25, 8, 9),
        ),
        worker_panel(
            "Oldest open round",
            "Age of the oldest round that no worker could finish.",
            {"oldest": "max(retally_oldest_open_round_seconds)"},
            (0, 34, 8, 9),
            unit="s",
        ),
        worker_panel(
            "Writing",
            "Time in which 95 of a hundred batches are written, and the rows that wait.",
            {
                "seconds": "histogram_quantile(0.95, sum by (le) (rate(retally_flush_seconds_bucket[5m])))",
                "rows waiting": "sum(retally_rows_waiting)",
            },
            (8, 34, 8, 9),
        ),
        worker_panel(
            "Troubles",
            "Lines on which the rules failed, sessions that were lost, and batches that the store refused.",
            {
                "troubles": "sum(increase(retally_troubles_total[1h]))",
                "lost": "sum(increase(retally_lost_total[1h]))",
                "store errors": "sum(increase(retally_store_errors_total[1h]))",
            },
            (16, 34, 8, 9),
        ),
    ]
    return board(
        "retally-pipeline",
        "Pipeline",
        "Whether verdicts keep up with the tables, and whether the evidence holds.",
        [several("casino"), several("game"), several("table")],
        panels,
        refresh="10s",
    )
