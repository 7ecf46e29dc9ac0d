"""What grafana-clickhouse-datasource v4 makes of a query before ClickHouse sees it.

First, in the browser, ``$__conditionalAll`` and the dashboard's variables; then, on the server, the macros of time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

ALL: Final = "$__all"
"""A variable's value while "All" is chosen."""

Variables = Mapping[str, str | Sequence[str]]
"""The value of each variable: one, several, or `ALL`."""

_VARIABLE: Final = re.compile(r"\$(\w+)|\$\{(\w+)(?::(\w+))?\}")
_CONDITIONAL: Final = "$__conditionalAll("


class MacroError(ValueError):
    """A macro that the plugin would not understand either, in one line."""


@dataclass(frozen=True, slots=True)
class Span:
    """The time that a dashboard shows."""

    start: datetime
    end: datetime
    interval_ms: int = 60_000
    """The width of a point, as Grafana works it out from the panel's."""


def expand(sql: str, span: Span, variables: Variables) -> str:
    """The query as it is sent. Raises `MacroError`."""
    return expand_times(replace_variables(conditional_all(sql, variables), variables), span)


def arguments(sql: str, opening: int) -> tuple[list[str], int]:
    """The arguments of the call whose parenthesis opens at ``opening``, and where the text goes on after it."""
    depth, start, found = 0, opening + 1, []
    for place in range(opening, len(sql)):
        letter = sql[place]
        depth += (letter == "(") - (letter == ")")
        if depth == 0 or (depth == 1 and letter == ","):
            found.append(sql[start:place])
            start = place + 1
        if depth == 0:
            return found, place + 1
    raise MacroError(f"a parenthesis is never closed: {sql[opening - 20 : opening + 30]}")


def conditional_all(sql: str, variables: Variables) -> str:
    """``$__conditionalAll(condition, $variable)``: the condition, or ``1=1`` while all values are chosen."""
    while (at := sql.rfind(_CONDITIONAL)) >= 0:
        given, end = arguments(sql, at + len(_CONDITIONAL) - 1)
        if len(given) != 2:
            raise MacroError(f"$__conditionalAll takes a condition and a variable, not {len(given)} arguments")
        name = re.search(r"\w+", given[1])
        value = variables.get(name[0], "?") if name else "?"
        everything = value in ("", ALL) or list(value) in ([], [ALL])
        sql = sql[:at] + ("1=1" if everything else given[0]) + sql[end:]
    return sql


def replace_variables(sql: str, variables: Variables) -> str:
    """Put in the variables' values, several of them quoted; names that are no variables stay, as in Grafana."""

    def value_of(match: re.Match[str]) -> str:
        name, form = match[1] or match[2], match[3]
        if name not in variables:
            return match[0]
        value = variables[name]
        if form == "percentencode" and isinstance(value, str):
            return quote(value, safe="-_.~")
        if form == "singlequote":
            many = [value] if isinstance(value, str) else value
            return ",".join("'" + each.replace("'", r"\'") + "'" for each in many)
        if form not in (None, "raw"):
            raise MacroError(f"${{{name}:{form}}}: only percentencode of one value, singlequote and raw are known here")
        return value if isinstance(value, str) else "'" + "','".join(value) + "'"

    return _VARIABLE.sub(value_of, sql)


def _second(moment: datetime) -> str:
    return f"toDateTime({int(moment.timestamp())})"


def _millisecond(moment: datetime) -> str:
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return f"fromUnixTimestamp64Milli({since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000})"


def _day(moment: datetime) -> str:
    return f"toDate('{moment:%Y-%m-%d}')"


def _between(column: str, span: Span, written: Callable[[datetime], str]) -> str:
    return f"{column} >= {written(span.start)} AND {column} <= {written(span.end)}"


def _both(span: Span, day: str, moment: str) -> str:
    return f"({_between(day, span, _day)}) AND ({_between(moment, span, _second)})"


_MACROS: Final[Mapping[str, tuple[int, Callable[..., str]]]] = {
    "fromTime": (0, lambda span: _second(span.start)),
    "toTime": (0, lambda span: _second(span.end)),
    "fromTime_ms": (0, lambda span: _millisecond(span.start)),
    "toTime_ms": (0, lambda span: _millisecond(span.end)),
    "timeFilter": (1, lambda span, column: _between(column, span, _second)),
    "timeFilter_ms": (1, lambda span, column: _between(column, span, _millisecond)),
    "dateFilter": (1, lambda span, column: _between(column, span, _day)),
    "dateTimeFilter": (2, _both),
    "dt": (2, _both),
    "timeInterval": (
        1,
        lambda span, column: (
            f"toStartOfInterval(toDateTime({column}), INTERVAL {max(span.interval_ms // 1000, 1)} second)"
        ),
    ),
    "timeInterval_ms": (
        1,
        lambda span, column: (
            f"toStartOfInterval(toDateTime64({column}, 3), INTERVAL {max(span.interval_ms, 1)} millisecond)"
        ),
    ),
    "interval_s": (0, lambda span: str(max(span.interval_ms // 1000, 1))),
}
"""Name -> (how many arguments, what it becomes)."""


def expand_times(sql: str, span: Span) -> str:
    """The macros of time, whose names are told apart by their ends: ``fromTime`` is no part of ``fromTime_ms``."""
    while (match := re.search(r"\$__(\w+)", sql)) is not None:
        name, end = match[1], match.end()
        if name not in _MACROS:
            raise MacroError(f"the plugin has no macro $__{name}")
        wanted, written = _MACROS[name]
        given: list[str] = []
        if wanted:
            if sql[end : end + 1] != "(":
                raise MacroError(f"$__{name} takes {wanted} argument(s), and has none")
            given, end = arguments(sql, end)
        if len(given) != wanted:
            raise MacroError(f"$__{name} takes {wanted} argument(s), not {len(given)}")
        sql = sql[: match.start()] + written(span, *(each.strip() for each in given)) + sql[end:]
    return sql
