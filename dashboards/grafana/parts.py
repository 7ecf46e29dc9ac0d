"""What the dashboards are made of: the query that the SDK lacks, panels, variables, and snippets of SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

from grafana_foundation_sdk.builders import barchart, stat, statetimeline, table, timeseries
from grafana_foundation_sdk.builders import common as common_builders
from grafana_foundation_sdk.builders import dashboard as builders
from grafana_foundation_sdk.builders import prometheus as prometheus_builders
from grafana_foundation_sdk.cog import builder as cogbuilder
from grafana_foundation_sdk.cog import variants
from grafana_foundation_sdk.models import common, dashboard

from replay.currencies import EXPONENTS, USUAL

PLUGIN: Final = "grafana-clickhouse-datasource"
PLUGIN_VERSION: Final = "4.8.2"
CLICKHOUSE: Final = dashboard.DataSourceRef(type_val=PLUGIN, uid="retally")
PROMETHEUS: Final = dashboard.DataSourceRef(type_val="prometheus", uid="retally-workers")
_FORMATS: Final = {"timeseries": 0, "table": 1}

DAYS: Final = "gaming_day BETWEEN toDate($__fromTime) - 1 AND toDate($__toTime)"
"""The gaming days that the time shown may touch: a night goes on after midnight. It keeps reads to their partitions."""
PLAYED: Final = f"{DAYS} AND opened_at <= $__toTime AND (state = 'open' OR closed_at >= $__fromTime)"
"""Conditions on sessions: those that were open at some moment of the time shown, not the night before as well."""
GAME: Final = "replaceAll(game, '_', ' ')"
ROUND_URL: Final = (
    "/d/retally-round/?var-session=${__data.fields.session}&var-round=${__data.fields.round}&${__url_time_range}"
)
SEVERITIES: Final = {"severe": "red", "warning": "orange", "notice": "blue"}
TILES: Final = 500
"""How many rows a panel of tiles shows; Grafana's own default is 25."""
VERDICTS: Final = {
    "match": "green",
    "overpaid": "red",
    "underpaid": "red",
    "unsettled": "red",
    "unverifiable": "purple",
}


def value_of(name: str) -> str:
    """The value of a variable in SQL, whatever stands in it: percent-encoded on the way, no quote, backslash, dollar or
    macro in a session's name becomes a part of the query."""
    return f"decodeURLComponent('${{{name}:percentencode}}')"


def chosen(*names: str) -> str:
    """Conditions for the variables of these names, each of a column of its own name. Their values are hexadecimal, as
    `several` has it, so that no name becomes a part of the query."""
    return "".join(f" AND $__conditionalAll(hex(`{name}`) IN (${{{name}:singlequote}}), ${name})" for name in names)


def minor_units(currency: str = "currency") -> str:
    """How many minor units make a whole one, in SQL: of ISO 4217."""
    codes = ", ".join(f"'{code}'" for code in EXPONENTS)
    units = ", ".join(str(10**digits) for digits in EXPONENTS.values())
    return f"transform({currency}, [{codes}], [{units}], {10**USUAL})"


def money(amount: str, currency: str = "currency") -> str:
    """Minor units as people read them, with the currency's code: ``1,234.50 EUR``, ``1,500 JPY``."""
    unit = minor_units(currency)
    whole = f"toString(intDiv(abs({amount}), {unit}))"
    grouped = f"replaceRegexpAll(reverse(replaceRegexpAll(reverse({whole}), '([0-9]{{3}})', '\\\\1,')), '^,', '')"
    rest = f"substring(toString({unit} + abs({amount}) % {unit}), 2)"
    return f"concat(if({amount} < 0, '-', ''), {grouped}, if({unit} = 1, '', '.'), {rest}, ' ', {currency})"


class ClickHouseQuery(variants.Dataquery):
    """A query as version 4 of the plugin keeps it in a panel."""

    def __init__(self, sql: str, form: str, ref_id: str = "A") -> None:
        """``form``: ``table``, or ``timeseries`` for frames with a column ``time``."""
        self.sql = sql
        self.form = form
        self.ref_id = ref_id

    def to_json(self) -> dict[str, object]:
        """As it lies in the dashboard's JSON."""
        return {
            "datasource": CLICKHOUSE.to_json(),
            "editorType": "sql",
            "format": _FORMATS[self.form],
            "meta": {},
            "pluginVersion": PLUGIN_VERSION,
            "queryType": self.form,
            "rawSql": self.sql,
            "refId": self.ref_id,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Read it back; raises KeyError where something is missing."""
        return cls(data["rawSql"], data["queryType"], data["refId"])


class _Query(cogbuilder.Builder[variants.Dataquery]):
    def __init__(self, query: ClickHouseQuery) -> None:
        self._query = query

    def build(self) -> variants.Dataquery:
        return self._query


def tidy(sql: str) -> str:
    """The query without the indentation that it has in our source."""
    lines = [line.rstrip() for line in sql.strip().splitlines()]
    rest = [len(line) - len(line.lstrip()) for line in lines[1:] if line]
    cut = min(rest, default=0)
    return "\n".join([lines[0], *(line[cut:] for line in lines[1:])])


def _laid(panel: Any, title: str, about: str, sql: str, form: str, at: tuple[int, int, int, int]) -> Any:
    x, y, w, h = at
    panel.title(title).description(about).datasource(CLICKHOUSE)
    panel.grid_pos(dashboard.GridPos(x=x, y=y, w=w, h=h))
    return panel.with_target(_Query(ClickHouseQuery(tidy(sql), form)))


def _steps(steps: Sequence[tuple[float | None, str]]) -> builders.ThresholdsConfig:
    made = [dashboard.Threshold(value=value, color=color) for value, color in steps]
    return builders.ThresholdsConfig().mode(dashboard.ThresholdsMode.ABSOLUTE).steps(made)


def colours(values: Mapping[str, str]) -> list[dict[str, Any]]:
    """A mapping of values to colours, as an override's property ``mappings`` has it."""
    options = {value: {"color": color, "index": place} for place, (value, color) in enumerate(values.items())}
    return [{"type": "value", "options": options}]


def _property(name: str, value: object) -> dashboard.DynamicConfigValue:
    return dashboard.DynamicConfigValue(id_val=name, value=value)


def stat_panel(
    title: str,
    about: str,
    sql: str,
    at: tuple[int, int, int, int],
    *,
    steps: Sequence[tuple[float | None, str]] = ((None, "green"),),
    unit: str = "short",
    rows: bool = False,
    letters: tuple[int, int] | None = None,
    colours_of: Mapping[str, str] | None = None,
) -> stat.Panel:
    """Figures in large letters: the columns of one row, or with ``rows`` a tile for each row (name, value).

    ``letters``: the sizes of a tile's name and value in pixels; then the tiles lie one below the other, their values
    are texts. ``colours_of``: colours of certain values, before ``steps``.
    """
    reduce = common_builders.ReduceDataOptions().calcs(["lastNotNull"]).values(rows).fields("/.*/" if not rows else "")
    if rows:
        reduce.limit(TILES)
    panel = _laid(stat.Panel(), title, about, sql, "table", at)
    panel.unit(unit).thresholds(_steps(steps)).reduce_options(reduce).graph_mode(common.BigValueGraphMode.NONE)
    panel.color_mode(common.BigValueColorMode.BACKGROUND if rows else common.BigValueColorMode.VALUE)
    panel.text_mode(common.BigValueTextMode.VALUE_AND_NAME if rows else common.BigValueTextMode.AUTO)
    if letters is not None:
        panel.reduce_options(reduce.fields("/^value$/")).orientation(common.VizOrientation.HORIZONTAL)
        name_px, value_px = letters
        panel.text(common_builders.VizTextDisplayOptions().title_size(name_px).value_size(value_px))
    if colours_of:
        results = {
            value: dashboard.ValueMappingResult(color=color, index=place)
            for place, (value, color) in enumerate(colours_of.items())
        }
        panel.mappings([dashboard.ValueMap(options=results)])
    assert isinstance(panel, stat.Panel)
    return panel


def table_panel(
    title: str,
    about: str,
    sql: str,
    at: tuple[int, int, int, int],
    *,
    painted: Mapping[str, Mapping[str, str]] | None = None,
    widths: Mapping[str, int] | None = None,
    hidden: Sequence[str] = (),
    wrapped: Sequence[str] = (),
    links: Sequence[str] = (),
    large: bool = False,
) -> table.Panel:
    """Rows. ``painted``: columns and the colours of their values; ``wrapped``: columns of sentences; ``links``: those
    that lead to the row's round, whose columns ``session`` and ``round`` name it."""
    panel = _laid(table.Panel(), title, about, sql, "table", at)
    panel.cell_height(common.TableCellHeight.LG if large else common.TableCellHeight.SM)
    panel.align(common.FieldTextAlignment.AUTO)
    properties: dict[str, list[dashboard.DynamicConfigValue]] = {}
    for name, values in (painted or {}).items():
        cell = {"type": "color-background", "mode": "basic"}
        properties[name] = [_property("mappings", colours(values)), _property("custom.cellOptions", cell)]
    for name, width in (widths or {}).items():
        properties.setdefault(name, []).append(_property("custom.width", width))
    for name in hidden:
        properties.setdefault(name, []).append(_property("custom.hidden", True))
    for name in wrapped:
        properties.setdefault(name, []).append(_property("custom.cellOptions", {"type": "auto", "wrapText": True}))
    for name in links:
        properties.setdefault(name, []).append(_property("links", [{"title": "The round", "url": ROUND_URL}]))
    for name, values_of in properties.items():
        panel.override_by_name(name, values_of)
    assert isinstance(panel, table.Panel)
    return panel


def series_panel(
    title: str,
    about: str,
    sql: str,
    at: tuple[int, int, int, int],
    *,
    unit: str = "short",
    bars: bool = False,
    steps: bool = False,
    dashed: str = "",
) -> timeseries.Panel:
    """Values over ``time``: a series for each column, or for each value of a column of text. ``dashed``: a pattern of
    names that are drawn as limits."""
    panel = _laid(timeseries.Panel(), title, about, sql, "timeseries", at)
    panel.unit(unit).line_width(2).show_points(common.VisibilityMode.NEVER).span_nulls(True)
    panel.legend(
        common_builders.VizLegendOptions()
        .display_mode(common.LegendDisplayMode.LIST)
        .placement(common.LegendPlacement.BOTTOM)
        .show_legend(True)
    )
    if bars:
        panel.draw_style(common.GraphDrawStyle.BARS).fill_opacity(70)
    if steps:
        panel.line_interpolation(common.LineInterpolation.STEP_AFTER)
    if dashed:
        line = {"fill": "dash", "dash": [10, 10]}
        color = {"mode": "fixed", "fixedColor": "red"}
        panel.override_by_regexp(dashed, [_property("custom.lineStyle", line), _property("color", color)])
    assert isinstance(panel, timeseries.Panel)
    return panel


def bar_panel(
    title: str, about: str, sql: str, at: tuple[int, int, int, int], *, x: str, unit: str = "short", flat: bool = False
) -> barchart.Panel:
    """Bars for each value of the column ``x``; ``flat``: lying, for long names."""
    panel = _laid(barchart.Panel(), title, about, sql, "table", at)
    panel.x_field(x).unit(unit).fill_opacity(80).group_width(0.8).show_value(common.VisibilityMode.AUTO)
    panel.orientation(common.VizOrientation.HORIZONTAL if flat else common.VizOrientation.VERTICAL)
    assert isinstance(panel, barchart.Panel)
    return panel


def timeline_panel(
    title: str, about: str, sql: str, at: tuple[int, int, int, int], *, values: Mapping[str, str]
) -> statetimeline.Panel:
    """Which state held when: a lane for each column beside ``time``."""
    panel = _laid(statetimeline.Panel(), title, about, sql, "table", at)
    panel.show_value(common.VisibilityMode.AUTO).merge_values(True).row_height(0.8).fill_opacity(80)
    for name in ("rounds",):
        panel.override_by_name(name, [_property("mappings", colours(values))])
    assert isinstance(panel, statetimeline.Panel)
    return panel


def worker_panel(
    title: str, about: str, expressions: Mapping[str, str], at: tuple[int, int, int, int], *, unit: str = "short"
) -> timeseries.Panel:
    """What the workers tell of themselves: PromQL by name of series."""
    x, y, w, h = at
    panel = timeseries.Panel().title(title).description(about).datasource(PROMETHEUS).unit(unit).line_width(2)
    panel.grid_pos(dashboard.GridPos(x=x, y=y, w=w, h=h))
    for place, (legend, expression) in enumerate(expressions.items()):
        query = prometheus_builders.Dataquery().expr(expression).legend_format(legend).range()
        panel.with_target(query.ref_id(chr(ord("A") + place)).datasource(PROMETHEUS))
    return panel


_LISTS: Final = {
    "casino": "sessions_current WHERE {days}",
    "game": "sessions_current WHERE {days}",
    "table": "sessions_current WHERE {days}{chosen}",
    "dealer": "rounds_current WHERE {days} AND dealer != ''",
}


def several(name: str) -> builders.QueryVariable:
    """A variable of which all, one or several values may be chosen. The plugin takes the first column for
    the value, the second for what is shown."""
    source = _LISTS[name].format(days=DAYS, chosen=chosen("casino", "game"))
    sql = f"SELECT DISTINCT hex(`{name}`) AS id, `{name}` FROM {source} ORDER BY `{name}`"
    everything = dashboard.VariableOption(text="All", value="$__all", selected=True)
    variable = _variable(name, name.capitalize(), sql)
    return variable.multi(True).include_all(True).current(everything)


def single(name: str, label: str, sql: str) -> builders.QueryVariable:
    """A variable of one value: at first the first that ``sql`` gives."""
    return _variable(name, label, tidy(sql)).multi(False).include_all(False)


def _variable(name: str, label: str, sql: str) -> builders.QueryVariable:
    variable = builders.QueryVariable(name).label(label).datasource(CLICKHOUSE).query(sql)
    return variable.refresh(dashboard.VariableRefresh.ON_TIME_RANGE_CHANGED).sort(dashboard.VariableSort.DISABLED)


def board(
    uid: str,
    title: str,
    about: str,
    variables: Sequence[builders.QueryVariable],
    panels: Sequence[Any],
    *,
    refresh: str,
) -> builders.Dashboard:
    """A dashboard with its links to the others. Times are shown as the casino's own browser has them."""
    made = builders.Dashboard(title).uid(uid).description(about).tags(["retally"]).readonly().refresh(refresh)
    made.timezone("browser").time("now-12h", "now").tooltip(dashboard.DashboardCursorSync.CROSSHAIR)
    others = builders.DashboardLink("retally").type(dashboard.DashboardLinkType.DASHBOARDS).tags(["retally"])
    made.link(others.as_dropdown(False).keep_time(True).include_vars(True))
    for variable in variables:
        made.with_variable(variable)
    for place, panel in enumerate(panels, 1):
        made.with_panel(panel.id(place))
    return made
