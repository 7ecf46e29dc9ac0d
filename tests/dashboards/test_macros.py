"""The plugin's macros, held against the cases of its own tests."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from dashboards.grafana.macros import ALL, MacroError, Span, conditional_all, expand, expand_times, replace_variables

SPAN = Span(
    datetime.fromisoformat("2014-11-12T11:45:26.371+00:00"),
    datetime.fromisoformat("2015-11-12T11:45:26.371+00:00"),
    20_000,
)
INTERPOLATED = Span(
    datetime.fromisoformat("2014-11-12T11:45:26.123+00:00"), datetime.fromisoformat("2015-11-12T11:45:26.456+00:00")
)
S, E = "toDateTime(1415792726)", "toDateTime(1447328726)"
S_MS, E_MS = "fromUnixTimestamp64Milli(1415792726123)", "fromUnixTimestamp64Milli(1447328726456)"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("bar > $__fromTime", f"bar > {S}"),
        ("bar > $__toTime", f"bar > {E}"),
        ("bar > $__fromTime_ms", "bar > fromUnixTimestamp64Milli(1415792726371)"),
        ("bar > $__toTime_ms", "bar > fromUnixTimestamp64Milli(1447328726371)"),
        ("$__dateFilter(dateCol)", "dateCol >= toDate('2014-11-12') AND dateCol <= toDate('2015-11-12')"),
        (
            "$__dateTimeFilter(dateCol, timeCol)",
            "(dateCol >= toDate('2014-11-12') AND dateCol <= toDate('2015-11-12')) AND"
            f" (timeCol >= {S} AND timeCol <= {E})",
        ),
        ("$__timeInterval(col)", "toStartOfInterval(toDateTime(col), INTERVAL 20 second)"),
        ("$__timeInterval_ms(col)", "toStartOfInterval(toDateTime64(col, 3), INTERVAL 20000 millisecond)"),
        ("INTERVAL $__interval_s second", "INTERVAL 20 second"),
    ],
)
def test_each_macro_becomes_what_the_plugin_makes_of_it(given: str, expected: str) -> None:
    assert expected == expand_times(given, SPAN)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            "where $__timeFilter(cast(sth as timestamp))",
            f"where cast(sth as timestamp) >= {S} AND cast(sth as timestamp) <= {E}",
        ),
        (
            "where $__timeFilter(cast(sth as timestamp) )",
            f"where cast(sth as timestamp) >= {S} AND cast(sth as timestamp) <= {E}",
        ),
        (
            "where $__timeFilter_ms(cast(sth as timestamp) )",
            f"where cast(sth as timestamp) >= {S_MS} AND cast(sth as timestamp) <= {E_MS}",
        ),
        (
            "where ( date >= $__fromTime ) and ( date <= $__toTime ) limit 100",
            f"where ( date >= {S} ) and ( date <= {E} ) limit 100",
        ),
        (
            "where ( date >= $__fromTime_ms and date <= $__toTime_ms ) limit 100",
            f"where ( date >= {S_MS} and date <= {E_MS} ) limit 100",
        ),
    ],
)
def test_a_query_is_interpolated_as_the_plugin_does_it(given: str, expected: str) -> None:
    assert expected == expand_times(given, INTERPOLATED)


def test_an_interval_is_never_under_a_second() -> None:
    span = Span(SPAN.start, SPAN.start + timedelta(seconds=1), 5)

    assert "INTERVAL 1 second" in expand_times("$__timeInterval(at)", span)


def test_a_condition_falls_away_while_all_values_are_chosen() -> None:
    sql = "SELECT 1 WHERE $__conditionalAll(a IN (${a:singlequote}), $a) AND $__conditionalAll(f(b, 1) = $b, $b)"

    assert conditional_all(sql, {"a": ALL, "b": "x"}) == "SELECT 1 WHERE 1=1 AND f(b, 1) = $b"


@pytest.mark.parametrize("value", ["", [], ALL, [ALL]])
def test_nothing_chosen_is_everything(value: str | list[str]) -> None:
    assert conditional_all("WHERE $__conditionalAll(a IN ($a), $a)", {"a": value}) == "WHERE 1=1"


def test_a_condition_on_a_name_that_is_no_variable_stays() -> None:
    assert conditional_all("WHERE $__conditionalAll(a = 1, $a)", {}) == "WHERE a = 1"


def test_several_values_are_quoted_one_by_one() -> None:
    assert expand("t IN (${t:singlequote})", SPAN, {"t": ["a", "o'b"]}) == r"t IN ('a','o\'b')"


def test_a_value_is_percent_encoded_as_grafanas_documentation_has_it() -> None:
    """Its example has 'foo()bar BAZ'."""
    assert replace_variables("${servers:percentencode}", {"servers": "foo()bar BAZ"}) == "foo%28%29bar%20BAZ"


@pytest.mark.parametrize("wrong", ["$__timeGroup(at)", "$__timeFilter", "$__timeFilter(a, b)", "$__timeFilter(a"])
def test_what_the_plugin_would_not_understand_is_refused(wrong: str) -> None:
    with pytest.raises(MacroError):
        expand_times(wrong, SPAN)
