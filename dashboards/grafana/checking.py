"""Whether the dashboards are what Grafana's schema allows, and whether each of their queries runs on a store."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Protocol

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

from dashboards.grafana.macros import ALL, Span, Variables, expand
from dashboards.grafana.parts import PLUGIN


class Answer(Protocol):
    """Columns as `streams.store.Columns` has them."""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        ...

    @property
    def types(self) -> tuple[str, ...]:
        """The columns' types, as ClickHouse writes them."""
        ...

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Row by row."""
        ...


Ask = Callable[[str], Answer]
"""Runs SQL; what it raises of `ValueError` and the like is a query's error."""


class Query(NamedTuple):
    """One query of a dashboard or an alert rule."""

    where: str
    """``retally-floor: panel Severe findings``."""
    kind: str
    """``panel``, ``variable`` or ``alert``."""
    sql: str
    window_s: int = 0
    """Of an alert: how far back it looks."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of a query."""

    query: Query
    rows: int
    ms: float
    problem: str
    """Empty where it ran."""


def schema_problems(board: Mapping[str, Any]) -> list[str]:
    """Where the SDK's models of Grafana's schema do not give the dashboard back; and panels that say nothing."""
    register_default_plugins()
    uid = board.get("uid", "?")
    try:
        again = json.loads(json.dumps(Dashboard.from_json(dict(board)), cls=JSONEncoder))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return [f"{uid}: not of Grafana's schema: {error!r}"]
    found = [f"{uid}: {place}" for place in _differences(board, again, "")]
    panels = board.get("panels", [])
    if len({panel["id"] for panel in panels}) != len(panels):
        found.append(f"{uid}: two panels have one id")
    found += [f"{uid}: panel {panel['title']} has no description" for panel in panels if not panel.get("description")]
    taken: dict[tuple[int, int], str] = {}
    for panel in panels:
        grid = panel["gridPos"]
        if grid["x"] + grid["w"] > 24:
            found.append(f"{uid}: panel {panel['title']} goes beyond the grid")
        for x in range(grid["x"], grid["x"] + grid["w"]):
            for y in range(grid["y"], grid["y"] + grid["h"]):
                other = taken.setdefault((x, y), panel["title"])
                if other != panel["title"]:
                    return [*found, f"{uid}: panel {panel['title']} lies over {other}"]
    return found


def _differences(one: Any, other: Any, place: str) -> Iterator[str]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for name in sorted(set(one) | set(other)):
            if name not in one or name not in other:
                yield f"{place}.{name}: the schema does not know it, or wants it"
            else:
                yield from _differences(one[name], other[name], f"{place}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _differences(left, right, f"{place}[{number}]")
    elif one != other:
        yield f"{place}: the schema has {other!r} for {one!r}"


def queries(board: Mapping[str, Any]) -> Iterator[Query]:
    """All that a dashboard asks of ClickHouse."""
    for variable in board.get("templating", {}).get("list", []):
        yield Query(f"{board['uid']}: variable {variable['name']}", "variable", variable["query"])
    for panel in board.get("panels", []):
        for target in panel.get("targets", []):
            if target["datasource"]["type"] == PLUGIN:
                yield Query(f"{board['uid']}: panel {panel['title']}", "panel", target["rawSql"])


def alert_queries(alerting: Mapping[str, Any]) -> Iterator[Query]:
    """All that the alert rules ask of ClickHouse."""
    for rule in (rule for group in alerting["groups"] for rule in group["rules"]):
        for data in rule["data"]:
            if "rawSql" in data["model"]:
                window_s = data["relativeTimeRange"]["from"]
                yield Query(f"alert {rule['title']}", "alert", data["model"]["rawSql"], window_s)


def last_night(ask: Ask) -> Span:
    """The time of the latest gaming day in the store; the last twelve hours where there is none."""
    answer = ask(
        "SELECT toUInt32(min(at)) AS a, toUInt32(max(at)) AS b, count() AS c FROM events WHERE gaming_day ="
        " (SELECT max(gaming_day) FROM sessions)"
    )
    first, last, count = next(iter(answer.rows()))
    if not count:
        now = datetime.now(UTC)
        return Span(now - timedelta(hours=12), now)
    return Span(datetime.fromtimestamp(first, UTC), datetime.fromtimestamp(last + 1, UTC))


def first_choice(board: Mapping[str, Any], ask: Ask, span: Span) -> Variables:
    """What a dashboard's variables stand at when it is opened: all, or the first value."""
    values: dict[str, str | Sequence[str]] = {}
    for variable in board.get("templating", {}).get("list", []):
        if variable.get("includeAll"):
            values[variable["name"]] = ALL
            continue
        rows = list(ask(expand(variable["query"], span, values)).rows())
        values[variable["name"]] = str(rows[0][0]) if rows else ""
    return values


def run(query: Query, ask: Ask, span: Span, variables: Variables) -> Ran:
    """Ask it, and say what came of it."""
    if query.window_s:
        span = Span(span.end - timedelta(seconds=query.window_s), span.end)
    start = time.perf_counter()
    try:
        rows = sum(1 for _ in ask(expand(query.sql, span, variables)).rows())
    except (ValueError, OSError) as error:
        return Ran(query, 0, 0.0, str(error).splitlines()[0])
    ms = (time.perf_counter() - start) * 1000
    return Ran(query, rows, ms, "gives no row" if query.kind == "alert" and rows != 1 else "")


def run_all(boards: Sequence[Mapping[str, Any]], alerting: Mapping[str, Any], ask: Ask, span: Span) -> list[Ran]:
    """Every query of every panel, variable and alert rule."""
    ran = []
    for board in boards:
        variables = first_choice(board, ask, span)
        ran += [run(query, ask, span, variables) for query in queries(board)]
    return ran + [run(query, ask, span, {}) for query in alert_queries(alerting)]
