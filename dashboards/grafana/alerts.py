"""The rules that wake somebody, as Grafana is provisioned with them. Each query gives a row when there is nothing.

In a file of provisioning Grafana puts variables of the environment in where a ``$`` stands, but neither into a rule's
queries nor, unless in braces, into its annotations: ``pkg/services/provisioning/alerting/rules_types.go`` takes their
raw text, so that ``$__timeFilter`` and ``$values`` reach it as they are. A dollar that is written twice would stay so.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from grafana_foundation_sdk.builders import prometheus as prometheus_builders

from dashboards.grafana.parts import CLICKHOUSE, DAYS, PROMETHEUS, ClickHouseQuery, tidy


class Alert(NamedTuple):
    """A rule: it fires while its one figure is above ``above``."""

    uid: str
    title: str
    summary: str
    asked: str
    """SQL for the store, or with ``of_workers`` PromQL."""
    above: int
    window_s: int
    """How far back it looks."""
    pending: str
    board: str
    of_workers: bool = False


WRITTEN: Final = """(
            SELECT toDateTime(intDiv(written_at_us, 1000000)) AS written_at, severity, kind FROM findings_current
            WHERE gaming_day >= toDate($__fromTime) - 30)"""
"""The findings of the last month, by when they were written: who waits for them does not ask when the event was."""

ALERTS: Final = (
    Alert(
        "retally-severe",
        "Severe findings",
        "{{ $values.A.Value }} severe findings in a quarter of an hour: somebody should go to the table now",
        f"""
        SELECT count() AS severe FROM {WRITTEN}
        WHERE $__timeFilter(written_at) AND severity = 'severe' AND kind != 'evidence'
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
        SELECT (SELECT count() FROM {WRITTEN}
                WHERE $__timeFilter(written_at) AND kind = 'evidence' AND severity = 'severe')
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
    Alert(
        "retally-silent",
        "Silent worker",
        "{{ $values.A.Value }} workers do not answer, or there is none: tables may go unwatched",
        """
        (count(up{job="retally"} == 0) or vector(0))
            + ((vector(1) unless count(up{job="retally"} == 1)) or vector(0))
        """,
        0,
        300,
        "2m",
        "retally-pipeline",
        of_workers=True,
    ),
    Alert(
        "retally-not-writing",
        "Worker that does not write",
        "{{ $values.A.Value }} workers have rows that wait, and have written no batch for five minutes",
        """
        count((retally_rows_waiting > 0) and (increase(retally_flush_seconds_count[5m]) == 0)) or vector(0)
        """,
        0,
        300,
        "1m",
        "retally-pipeline",
        of_workers=True,
    ),
)


def provisioning() -> dict[str, Any]:
    """The rules, as a file in Grafana's ``provisioning/alerting``."""
    rules = [_rule(alert) for alert in ALERTS]
    return {
        "apiVersion": 1,
        "groups": [{"orgId": 1, "name": "retally", "folder": "retally", "interval": "1m", "rules": rules}],
    }


def _asked(alert: Alert) -> dict[str, Any]:
    """The model of the rule's query ``A``: one figure, as it is now."""
    if alert.of_workers:
        expression = " ".join(alert.asked.split())
        query = prometheus_builders.Dataquery().expr(expression).instant().ref_id("A").datasource(PROMETHEUS)
        return {name: value for name, value in query.build().to_json().items() if value is not None} | {
            "datasource": PROMETHEUS.to_json()
        }
    return ClickHouseQuery(tidy(alert.asked), "table").to_json()


def _rule(alert: Alert) -> dict[str, Any]:
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
                "datasourceUid": (PROMETHEUS if alert.of_workers else CLICKHOUSE).uid,
                "relativeTimeRange": {"from": alert.window_s, "to": 0},
                "model": _asked(alert),
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
        "annotations": {"summary": alert.summary, "dashboard": f"/d/{alert.board}"},
    }
