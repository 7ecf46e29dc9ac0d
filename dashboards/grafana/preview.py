"""The dashboards as static pages, drawn from a store: what Grafana would show, without Grafana.

It reads the dashboards' JSON as Grafana does: kinds of panels, places on the grid, units, thresholds, mappings, links.
What a page cannot do (zoom, choose, refresh) is left out, and panels that ask Prometheus say so. A link to a round
leads to it: each table's night that a dashboard links to has a page of its own, with the rounds that are linked to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from html import escape
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlsplit

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
ROUND: Final = "retally-round"
"""The dashboard of which there is a page for every table's night."""
_FIELD: Final = re.compile(r"\$\{__data\.fields\.(\w+)\}")

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
.said{display:flex;flex-direction:column;gap:6px;height:calc(100% - 26px)}
.said .tile{flex-direction:row;justify-content:space-between;gap:24px;padding:0 16px;white-space:nowrap}
.said .tile *{overflow:hidden;text-overflow:ellipsis;font-weight:500}
.scroll{overflow:auto;height:calc(100% - 24px)}
.text{display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}
.round{position:absolute;left:0;width:100%;display:none}
.round:target,.rounds:not(:has(:target)) .round:first-child{display:block}
.none{color:#9a9ba5;display:flex;align-items:center;justify-content:center;height:80%}
svg text{fill:#9a9ba5;font-size:12px}.key{color:#b9bac4;font-size:12px;margin-right:14px;white-space:nowrap}
.key i{display:inline-block;width:12px;height:4px;margin-right:5px;vertical-align:middle}a{color:#6e9fff}
"""


class Rounds:
    """The rounds that are linked to, by session, in the order in which they were met."""

    def __init__(self) -> None:
        """None as yet."""
        self.linked: dict[str, list[str]] = {}
        self.complete = False
        """From now on no page is added."""

    def address(self, url: str, row: Mapping[str, Any]) -> str:
        """Where a panel's link leads for ``row``: the page of a table's night, at the round; empty: there is none."""
        named = _FIELD.sub(lambda match: quote(_plain(row.get(match[1])), safe=""), url)
        parts = urlsplit(named)
        given = parse_qs(parts.query)
        session, number = given.get("var-session", [""])[0], given.get("var-round", [""])[0]
        if parts.path.strip("/") != f"d/{ROUND}" or not session:
            return named
        known = self.linked.get(session, [])
        if self.complete and number not in known:
            return ""
        if number not in known:
            self.linked[session] = [*known, number]
        return f"{page_of(session)}#round-{quote(number, safe='')}"


def page_of(session: str) -> str:
    """The name of the file for a table's night: what is no letter, digit or hyphen is written as its number."""
    return "round-" + re.sub(r"[^A-Za-z0-9-]", lambda match: f"_{ord(match[0]):x}", session) + ".html"


def pages(boards: Sequence[Mapping[str, Any]], ask: Ask, span: Span) -> dict[str, str]:
    """Self-contained pages by name of file: one for each dashboard, and one for each table's night that is linked to.

    What `ask` raises goes through.
    """
    links = "".join(f'<a href="{board["uid"]}.html">{escape(board["title"])}</a>' for board in boards)
    rounds = Rounds()
    made = {}
    for board in boards:
        variables = first_choice(board, ask, span)
        body = _panels(board["panels"], ask, span, variables, rounds)
        made[f"{board['uid']}.html"] = _page(board, links, span, variables, body)
    rounds.complete = True
    for board in boards:
        if board["uid"] == ROUND:
            for session in list(rounds.linked):
                made[page_of(session)] = _night(board, links, ask, span, session, rounds)
    return made


def _night(board: Mapping[str, Any], links: str, ask: Ask, span: Span, session: str, rounds: Rounds) -> str:
    """A table's night once, and below it each of its rounds that is linked to: of these one is shown."""
    whole = [panel for panel in board["panels"] if "${round" not in json.dumps(panel)]
    single = [panel for panel in board["panels"] if "${round" in json.dumps(panel)]
    variables: dict[str, str | Sequence[str]] = dict(first_choice(board, ask, span)) | {"session": session}
    body = _panels(whole, ask, span, variables, rounds)
    top = min(panel["gridPos"]["y"] for panel in single)
    lower = [panel | {"gridPos": panel["gridPos"] | {"y": panel["gridPos"]["y"] - top}} for panel in single]
    shown = []
    for number in rounds.linked[session]:
        inside = _panels(lower, ask, span, variables | {"round": number}, rounds)
        shown.append(f'<div class="round" id="round-{escape(number)}" style="top:{top * UNIT}px">{inside}</div>')
    told = {name: value for name, value in variables.items() if name != "round"}
    return _page(board, links, span, told, f'{body}<div class="rounds">{"".join(shown)}</div>')


def _page(board: Mapping[str, Any], links: str, span: Span, variables: Mapping[str, Any], body: str) -> str:
    height = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in board["panels"]) * UNIT
    chosen = ", ".join(f"{name}: {'all' if value == '$__all' else value}" for name, value in variables.items())
    when = f"{span.start:%Y-%m-%d %H:%M} to {span.end:%Y-%m-%d %H:%M} UTC; {chosen}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(board["title"])}</title>'
        f"<style>{_STYLE}</style><header><h1>{escape(board['title'])}</h1><nav>{links}</nav>"
        f'<span class="when">{escape(when)}</span></header><main style="height:{height}px">{body}</main></html>\n'
    )


def _panels(
    panels: Sequence[Mapping[str, Any]], ask: Ask, span: Span, variables: Mapping[str, Any], rounds: Rounds
) -> str:
    return "".join(_panel(panel, ask, span, variables, rounds) for panel in panels)


def _panel(panel: Mapping[str, Any], ask: Ask, span: Span, variables: Mapping[str, Any], rounds: Rounds) -> str:
    grid = panel["gridPos"]
    column = WIDTH / 24
    width, height = int(grid["w"] * column) - 8, grid["h"] * UNIT - 8
    place = f"left:{int(grid['x'] * column)}px;top:{grid['y'] * UNIT}px;width:{width}px;height:{height}px"
    target = panel["targets"][0]
    if target["datasource"]["type"] == PLUGIN:
        answer = ask(expand(target["rawSql"], span, variables))
        if panel["type"] == "table":
            inside = _table(panel, answer, rounds)
        else:
            inside = _DRAWN[panel["type"]](panel, answer, width - 22, height - 40)
    else:
        inside = '<div class="none">from the workers, by way of Prometheus</div>'
    title = escape(replace_variables(panel["title"], variables))
    return f'<section style="{place}" title="{escape(panel["description"])}"><h2>{title}</h2>{inside}</section>'


def _rows(answer: Answer) -> list[tuple[Any, ...]]:
    return list(answer.rows())


def _plain(value: Any) -> str:
    """A value as it stands in an address: no separators."""
    return "" if value is None else str(value)


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
    mapped = _mapped(panel["fieldConfig"]["defaults"]).get(str(value))
    if mapped:
        return mapped
    steps = panel["fieldConfig"]["defaults"]["thresholds"]["steps"]
    number = value if isinstance(value, int | float) else float("-inf")
    reached = [step["color"] for step in steps if step.get("value") is None or step["value"] <= number]
    return COLOURS[reached[-1]]


def _stat(panel: Mapping[str, Any], answer: Answer, width: int, height: int) -> str:
    rows, unit = _rows(answer), panel["fieldConfig"]["defaults"].get("unit", "short")
    if not rows:
        return '<div class="none">No data</div>'
    if panel["options"].get("text"):
        return _said(panel, rows)
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


def _said(panel: Mapping[str, Any], rows: Sequence[tuple[Any, ...]]) -> str:
    """A tile for each row, one below the other: its name, and a text."""
    sizes = panel["options"]["text"]
    tiles = "".join(
        f'<div class="tile" style="background:{_step(panel, value)}">'
        f'<span style="font-size:{sizes["titleSize"]}px">{escape(_text(name))}</span>'
        f'<b style="font-size:{sizes["valueSize"]}px">{escape(_text(value))}</b></div>'
        for name, value in rows
    )
    return f'<div class="said">{tiles}</div>'


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


def _table(panel: Mapping[str, Any], answer: Answer, rounds: Rounds) -> str:
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
        named = dict(zip(answer.names, row, strict=True))
        cells = []
        for place in shown:
            properties = overrides.get(answer.names[place], {})
            text = _text(row[place])
            color = _mapped(properties).get(text, "")
            style = f' style="background:{color};color:#111217;font-weight:600"' if color else ""
            inside = escape(text)
            if "links" in properties:
                to = rounds.address(properties["links"][0]["url"], named)
                inside = f'<a href="{escape(to)}">{inside}</a>' if to else inside
            elif properties.get("custom.cellOptions", {}).get("wrapText"):
                inside = f'<div class="text" title="{inside}">{inside}</div>'
            cells.append(f'<td class="{"n" if place in numeric else ""}"{style}>{inside}</td>')
        body.append(f"<tr>{''.join(cells)}</tr>")
    if not body:
        return '<div class="none">No data</div>'
    large = "big" if panel["options"].get("cellHeight") == "lg" else ""
    return f'<div class="scroll"><table class="{large}"><tr>{head}</tr>{"".join(body)}</table></div>'


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
    "timeseries": _series,
    "barchart": _bars,
    "state-timeline": _timeline,
}
