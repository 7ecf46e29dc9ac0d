"""The dashboards as static pages, drawn from a store: what Grafana would show, without Grafana.

It reads the dashboards' JSON as Grafana does: kinds of panels, places on the grid, units, thresholds, mappings. What a
page cannot do (zoom, choose, refresh) is left out, and panels that ask Prometheus say so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from html import escape
from typing import Any, Final

from dashboards.grafana.charts import bars, lanes, lines
from dashboards.grafana.checking import Answer, Ask, first_choice
from dashboards.grafana.macros import Span, expand, replace_variables
from dashboards.grafana.parts import PLUGIN

WIDTH: Final = 1888
"""Of the page, in pixels: 1920 less its margins."""
UNIT: Final = 38
"""The height of a row of Grafana's grid, with its gap."""
COLOURS: Final = {
    "green": "#73bf69",
    "red": "#f2495c",
    "orange": "#ff9830",
    "blue": "#5794f2",
    "purple": "#b877d9",
    "text": "#ccccdc",
}
ROWS_SHOWN: Final = 40

_STYLE: Final = """
*{box-sizing:border-box}
body{margin:0;background:#111217;color:#ccccdc;font:14px/1.35 Inter,Helvetica,Arial,sans-serif}
header{display:flex;gap:24px;align-items:baseline;padding:12px 16px;border-bottom:1px solid #2c2f36}
h1{font-size:20px;margin:0}nav a{color:#6e9fff;margin-right:14px;text-decoration:none}.when{color:#9a9ba5}
main{position:relative;margin:12px 16px}
section{position:absolute;background:#181b1f;border:1px solid #2c2f36;border-radius:3px;overflow:hidden;
padding:6px 10px}
h2{font-size:14px;font-weight:500;margin:0 0 4px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:500;color:#6e9fff;padding:3px 8px;border-bottom:1px solid #2c2f36}
td{padding:4px 8px;border-bottom:1px solid #23262c;vertical-align:top;overflow-wrap:anywhere}
.n{text-align:right}th{white-space:nowrap}
.big td,.big th{font-size:18px;padding:7px 8px}
.wall{display:flex;gap:10px;height:calc(100% - 24px)}
.one{flex:1;display:flex;flex-direction:column;align-items:center;justify-content:center;text-align:center}
.one b{font-weight:600;line-height:1.1}
.tile{flex:1;border-radius:3px;color:#fff;padding:4px 8px;display:flex;flex-direction:column;justify-content:center;
align-items:center;text-shadow:0 1px 2px #0008}
.tiles{display:grid;grid-template-columns:repeat(10,1fr);gap:6px;height:calc(100% - 26px)}
.tile b{font-size:34px;line-height:1}.tile span{font-size:20px}
.none{color:#9a9ba5;display:flex;align-items:center;justify-content:center;height:80%}
svg text{fill:#9a9ba5;font-size:12px}.key{color:#b9bac4;font-size:12px;margin-right:14px;white-space:nowrap}
.key i{display:inline-block;width:12px;height:4px;margin-right:5px;vertical-align:middle}a{color:#6e9fff}
"""


def pages(boards: Sequence[Mapping[str, Any]], ask: Ask, span: Span) -> dict[str, str]:
    """A self-contained page for each dashboard, by name of file. What `ask` raises goes through."""
    links = "".join(f'<a href="{board["uid"]}.html">{escape(board["title"])}</a>' for board in boards)
    return {f"{board['uid']}.html": _page(board, links, ask, span) for board in boards}


def _page(board: Mapping[str, Any], links: str, ask: Ask, span: Span) -> str:
    variables = first_choice(board, ask, span)
    panels = board["panels"]
    height = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in panels) * UNIT
    body = "".join(_panel(panel, ask, span, variables) for panel in panels)
    chosen = ", ".join(f"{name}: {'all' if value == '$__all' else value}" for name, value in variables.items())
    when = f"{span.start:%Y-%m-%d %H:%M} to {span.end:%Y-%m-%d %H:%M} UTC; {chosen}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(board["title"])}</title>'
        f"<style>{_STYLE}</style><header><h1>{escape(board['title'])}</h1><nav>{links}</nav>"
        f'<span class="when">{escape(when)}</span></header><main style="height:{height}px">{body}</main></html>\n'
    )


def _panel(panel: Mapping[str, Any], ask: Ask, span: Span, variables: Mapping[str, Any]) -> str:
    grid = panel["gridPos"]
    column = WIDTH / 24
    width, height = int(grid["w"] * column) - 8, grid["h"] * UNIT - 8
    place = f"left:{int(grid['x'] * column)}px;top:{grid['y'] * UNIT}px;width:{width}px;height:{height}px"
    target = panel["targets"][0]
    if target["datasource"]["type"] == PLUGIN:
        answer = ask(expand(target["rawSql"], span, variables))
        inside = _DRAWN[panel["type"]](panel, answer, width - 22, height - 40)
    else:
        inside = '<div class="none">from the workers, by way of Prometheus</div>'
    title = escape(replace_variables(panel["title"], variables))
    return f'<section style="{place}" title="{escape(panel["description"])}"><h2>{title}</h2>{inside}</section>'


def _rows(answer: Answer) -> list[tuple[Any, ...]]:
    return list(answer.rows())


def _text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _with_unit(value: Any, unit: str) -> str:
    if unit == "s" and isinstance(value, int | float):
        return f"{value} s" if value < 120 else f"{value / 60:.1f} min" if value < 7200 else f"{value / 3600:.1f} h"
    return _text(value)


def _step(panel: Mapping[str, Any], value: Any) -> str:
    steps = panel["fieldConfig"]["defaults"]["thresholds"]["steps"]
    number = value if isinstance(value, int | float) else float("-inf")
    reached = [step["color"] for step in steps if step.get("value") is None or step["value"] <= number]
    return COLOURS[reached[-1]]


def _stat(panel: Mapping[str, Any], answer: Answer, width: int, height: int) -> str:
    rows, unit = _rows(answer), panel["fieldConfig"]["defaults"].get("unit", "short")
    if not rows:
        return '<div class="none">No data</div>'
    if panel["options"]["reduceOptions"]["values"]:
        tiles = "".join(
            f'<div class="tile" style="background:{_step(panel, value)}"><span>{escape(_text(name))}</span>'
            f"<b>{escape(_with_unit(value, unit))}</b></div>"
            for name, value in rows
        )
        return f'<div class="tiles">{tiles}</div>'
    shown = [_with_unit(value, unit) for value in rows[0]]
    size = min(height * 0.62, 1.7 * width / sum(max(len(text), 2) for text in shown))
    figures = "".join(
        f'<div class="one"><b style="font-size:{size:.0f}px;color:{_step(panel, value)}">{escape(text)}</b></div>'
        for text, value in zip(shown, rows[0], strict=True)
    )
    return f'<div class="wall">{figures}</div>'


def _overrides(panel: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for override in panel["fieldConfig"].get("overrides", []):
        if override["matcher"]["id"] == "byName":
            properties = {each["id"]: each["value"] for each in override["properties"]}
            found.setdefault(override["matcher"]["options"], {}).update(properties)
    return found


def _mapped(properties: Mapping[str, Any]) -> dict[str, str]:
    mappings = properties.get("mappings", [])
    return {value: COLOURS[look["color"]] for each in mappings for value, look in each["options"].items()}


def _table(panel: Mapping[str, Any], answer: Answer, width: int, height: int) -> str:
    overrides = _overrides(panel)
    shown = [place for place, name in enumerate(answer.names) if not overrides.get(name, {}).get("custom.hidden")]
    numeric = {place for place in shown if re.search(r"U?Int|Float|Decimal", answer.types[place])}
    head = ""
    for place in shown:
        name = answer.names[place]
        wide = overrides.get(name, {}).get("custom.width")
        style = f' style="width:{wide}px"' if wide else ""
        head += f'<th class="{"n" if place in numeric else ""}"{style}>{escape(name)}</th>'
    body = []
    for row in _rows(answer)[:ROWS_SHOWN]:
        cells = []
        for place in shown:
            properties = overrides.get(answer.names[place], {})
            text = _text(row[place])
            color = _mapped(properties).get(text, "")
            style = f' style="background:{color};color:#111217;font-weight:600"' if color else ""
            linked = f'<a href="retally-round.html">{escape(text)}</a>' if "links" in properties else escape(text)
            cells.append(f'<td class="{"n" if place in numeric else ""}"{style}>{linked}</td>')
        body.append(f"<tr>{''.join(cells)}</tr>")
    if not body:
        return '<div class="none">No data</div>'
    large = "big" if panel["options"].get("cellHeight") == "lg" else ""
    return f'<table class="{large}"><tr>{head}</tr>{"".join(body)}</table>'


def _series(panel: Mapping[str, Any], answer: Answer, width: int, height: int) -> str:
    """The frame made wide, as the plugin does: a series for each number column and each value of the text columns."""
    texts = [place for place, kind in enumerate(answer.types) if "String" in kind]
    numbers = [place for place in range(1, len(answer.names)) if place not in texts]
    series: dict[str, list[tuple[float, float]]] = {}
    for row in _rows(answer):
        for place in numbers:
            name = " ".join([str(row[text]) for text in texts] or [answer.names[place]])
            if row[place] is not None:
                series.setdefault(name, []).append((row[0].timestamp(), float(row[place])))
    custom = panel["fieldConfig"]["defaults"].get("custom", {})
    dashed = [
        name
        for override in panel["fieldConfig"].get("overrides", [])
        for name in series
        if override["matcher"]["id"] == "byRegexp" and re.search(override["matcher"]["options"], name)
    ]
    return lines(
        series,
        width,
        height,
        dashed=dashed,
        stepped=custom.get("lineInterpolation") == "stepAfter",
        as_bars=custom.get("drawStyle") == "bars",
    )


def _bars(panel: Mapping[str, Any], answer: Answer, width: int, height: int) -> str:
    x = answer.names.index(panel["options"]["xField"])
    y = next(place for place in range(len(answer.names)) if place != x)
    return bars([(str(row[x]), float(row[y])) for row in _rows(answer)], width, height)


def _timeline(panel: Mapping[str, Any], answer: Answer, width: int, height: int) -> str:
    rows, overrides = _rows(answer), _overrides(panel)
    found = {
        name: (
            [(row[0].timestamp(), str(row[place])) for row in rows],
            _mapped(overrides.get(name, {})),
        )
        for place, name in enumerate(answer.names)
        if place
    }
    return lanes(found, width, height)


_DRAWN: Final = {
    "stat": _stat,
    "table": _table,
    "timeseries": _series,
    "barchart": _bars,
    "state-timeline": _timeline,
}
