"""The rules that wake somebody, as Grafana is provisioned with them. Each query gives a row when there is nothing."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from dashboards.grafana.parts import CLICKHOUSE, DAYS, ClickHouseQuery, tidy


class Alert(NamedTuple):
    """A rule: it fires while its one figure is above ``above``."""

    uid: str
    title: str
    summary: str
    sql: str
    above: int
    window_s: int
    """How far back it looks."""
    pending: str
    board: str


ALERTS: Final = (
    Alert(
        "retally-severe",
        "Severe findings",
        "{{ $values.A.Value }} severe findings in a quarter of an hour: somebody should go to the table now",
        f"""
        SELECT count() AS severe FROM findings_current
        WHERE {DAYS} AND $__timeFilter(at) AND severity = 'severe' AND kind != 'evidence'
        """,
        0,
        900,
        "0s",
        "retally-floor",
    ),
    Alert(
        "retally-evidence",
        "Broken evidence",
        "{{ $values.A.Value }} findings or checkpoints say that a log was altered, or that part of it is missing",
        f"""
        SELECT (SELECT count() FROM findings_current
                WHERE {DAYS} AND $__timeFilter(at) AND kind = 'evidence' AND severity = 'severe')
            + (SELECT sum(checkpoints_bad) FROM sessions_current WHERE {DAYS} AND state = 'open') AS broken
        """,
        0,
        3600,
        "0s",
        "retally-pipeline",
    ),
    Alert(
        "retally-stalled",
        "Stalled pipeline",
        "Tables are open, and their newest event in the store is {{ $values.A.Value }} seconds old",
        f"""
        SELECT if(countIf(state = 'open') = 0, 0,
            greatest(0, dateDiff('second', maxIf(newest, state = 'open'), $__toTime))) AS behind
        FROM sessions_current
        LEFT JOIN (SELECT session, max(at) AS newest FROM events WHERE {DAYS} GROUP BY session) AS e USING session
        WHERE {DAYS}
        """,
        300,
        43_200,
        "2m",
        "retally-pipeline",
    ),
)


def provisioning() -> dict[str, Any]:
    """The rules, as a file in Grafana's ``provisioning/alerting``.

    Grafana puts the environment's variables in where a ``$`` stands in such a file, so each of ours is written twice.
    """
    rules = [_rule(alert) for alert in ALERTS]
    return {
        "apiVersion": 1,
        "groups": [{"orgId": 1, "name": "retally", "folder": "retally", "interval": "1m", "rules": rules}],
    }


def _rule(alert: Alert) -> dict[str, Any]:
    asked = ClickHouseQuery(tidy(alert.sql).replace("$", "$$"), "table").to_json() | {"instant": True}
    limit = {
        "refId": "C",
        "type": "threshold",
        "expression": "A",
        "conditions": [{"evaluator": {"type": "gt", "params": [alert.above]}}],
    }
    return {
        "uid": alert.uid,
        "title": alert.title,
        "condition": "C",
        "data": [
            {
                "refId": "A",
                "datasourceUid": CLICKHOUSE.uid,
                "relativeTimeRange": {"from": alert.window_s, "to": 0},
                "model": asked,
            },
            {
                "refId": "C",
                "datasourceUid": "__expr__",
                "relativeTimeRange": {"from": 0, "to": 0},
                "model": limit,
            },
        ],
        "noDataState": "Alerting",
        "execErrState": "Error",
        "for": alert.pending,
        "labels": {"product": "retally"},
        "annotations": {"summary": alert.summary.replace("$", "$$"), "dashboard": f"/d/{alert.board}"},
    }
