"""Charts of the preview, as SVG in Grafana's dark colours. Positions are pixels; times are seconds since 1970 UTC."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import groupby, pairwise
from typing import Final

PALETTE: Final = ("#73bf69", "#f2cc0c", "#8ab8ff", "#ff780a", "#5794f2", "#b877d9", "#ff9830", "#37872d", "#96d98d")
LIMIT: Final = "#f2495c"
_LEFT: Final = 64
_BOTTOM: Final = 20
_NONE: Final = '<div class="none">No data</div>'

Points = Sequence[tuple[float, float]]


def _ticks(low: float, high: float) -> list[float]:
    """Four to nine round values from ``low`` to ``high``."""
    step = 10.0 ** len(str(int(high - low))) if high - low >= 1 else 1.0
    while (high - low) / step < 4:
        step /= 2 if str(step)[0] != "5" else 2.5
    first = low // step * step
    return [first + step * place for place in range(int((high - first) / step) + 2)]


def _written(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10 or value == int(value) else f"{value:.2f}".rstrip("0")


def _clock(second: float, span_s: float) -> str:
    moment = datetime.fromtimestamp(second, UTC)
    return f"{moment:%d %b}" if span_s > 5 * 86_400 else f"{moment:%H:%M}"


def lines(
    series: Mapping[str, Points], width: int, height: int, *, dashed: Sequence[str], stepped: bool, as_bars: bool
) -> str:
    """Values over time, a colour each, with their names below; those of ``dashed`` as limits."""
    if not series:
        return _NONE
    names = list(series)
    tall = height - _BOTTOM - 22 * (1 + sum(len(name) + 5 for name in names) * 7 // width)
    moments = [moment for points in series.values() for moment, _ in points]
    values = [value for points in series.values() for _, value in points]
    start, end = min(moments), max(moments)
    if start == end:
        start, end = start - 43_200, end + 43_200
    ticks = _ticks(min(*values, 0.0), max(*values, 0.0) or 1.0)
    low, high = ticks[0], ticks[-1]

    def x(moment: float) -> float:
        inner = width - _LEFT - 12
        return _LEFT + (moment - start) / (end - start) * (inner - 40 * as_bars) + 20 * as_bars

    def y(value: float) -> float:
        return 6 + (high - value) / (high - low) * (tall - 6)

    parts = [_grid(ticks, width, y), _times(start, end, x, tall)]
    keys = []
    for place, name in enumerate(names):
        color = LIMIT if name in dashed else PALETTE[place % len(PALETTE)]
        keys.append(f'<span class="key"><i style="background:{color}"></i>{escape(name)}</span>')
        points = sorted(series[name])
        if as_bars:
            wide = max(2.0, min(40.0, (width - _LEFT) / max(len(points), 1) / len(names) - 2))
            parts += [
                f'<rect x="{x(moment) + wide * (place - len(names) / 2):.1f}" y="{min(y(value), y(0)):.1f}"'
                f' width="{wide:.1f}" height="{abs(y(value) - y(0)):.1f}" fill="{color}"/>'
                for moment, value in points
            ]
            continue
        path = f"M{x(points[0][0]):.1f} {y(points[0][1]):.1f}"
        for _, (moment, value) in pairwise(points):
            path += f"H{x(moment):.1f}V{y(value):.1f}" if stepped else f"L{x(moment):.1f} {y(value):.1f}"
        dash = ' stroke-dasharray="10 8"' if name in dashed else ""
        parts.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
    return f'<svg width="{width}" height="{tall + _BOTTOM}">{"".join(parts)}</svg><div>{"".join(keys)}</div>'


def _grid(ticks: Sequence[float], width: int, y: Callable[[float], float]) -> str:
    return "".join(
        f'<line x1="{_LEFT}" x2="{width}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#2c2f36"/>'
        f'<text x="{_LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{_written(tick)}</text>'
        for tick in ticks
    )


def _times(start: float, end: float, x: Callable[[float], float], tall: int) -> str:
    moments = [start + (end - start) * (part + 0.5) / 6 for part in range(6)]
    return "".join(
        f'<text x="{x(moment):.0f}" y="{tall + 15}" text-anchor="middle">{_clock(moment, end - start)}</text>'
        for moment in moments
    )


def bars(values: Sequence[tuple[str, float]], width: int, height: int) -> str:
    """A standing bar for each name, its value above it."""
    if not values:
        return _NONE
    tall = height - _BOTTOM
    ticks = _ticks(min(*(value for _, value in values), 0.0), max(*(value for _, value in values), 0.0) or 1.0)
    low, high = ticks[0], ticks[-1]

    def y(value: float) -> float:
        return 18 + (high - value) / (high - low) * (tall - 18)

    room = (width - _LEFT) / len(values)
    parts = [_grid(ticks, width, y)]
    for place, (name, value) in enumerate(values):
        left = _LEFT + room * place + room * 0.12
        middle = _LEFT + room * (place + 0.5)
        parts.append(
            f'<rect x="{left:.1f}" y="{min(y(value), y(0)):.1f}" width="{room * 0.76:.1f}"'
            f' height="{abs(y(value) - y(0)):.1f}" fill="{PALETTE[0]}"/>'
            f'<text x="{middle:.1f}" y="{min(y(value), y(0)) - 4:.1f}" text-anchor="middle">{_written(value)}</text>'
            f'<text x="{middle:.1f}" y="{height - 4}" text-anchor="middle">{escape(name)}</text>'
        )
    return f'<svg width="{width}" height="{height}">{"".join(parts)}</svg>'


def lanes(found: Mapping[str, tuple[Sequence[tuple[float, str]], Mapping[str, str]]], width: int, height: int) -> str:
    """Which state held when: a lane for each name, equal states that follow one another as one."""
    moments = [moment for states, _ in found.values() for moment, _ in states]
    if not moments:
        return _NONE
    start, end = min(moments), max(moments) + 60
    room = (height - _BOTTOM - 24) / len(found)

    def x(moment: float) -> float:
        return _LEFT + (moment - start) / (end - start) * (width - _LEFT - 8)

    parts, keys = [_times(start, end, x, height - _BOTTOM - 24)], {}
    for lane, (name, (states, colors)) in enumerate(found.items()):
        top = room * lane + 4
        parts.append(f'<text x="0" y="{top + room / 2:.0f}">{escape(name)}</text>')
        merged = [(next(group)[0], value) for value, group in groupby(states, key=lambda state: state[1])]
        values = sorted({value for _, value in merged})
        ends = [moment for moment, _ in merged[1:]] + [end]
        for (moment, value), until in zip(merged, ends, strict=True):
            color = colors.get(value) or PALETTE[values.index(value) % len(PALETTE)]
            if colors:
                keys[value] = color
            wide = max(1.5, x(until) - x(moment) - 0.5)
            parts.append(
                f'<rect x="{x(moment):.1f}" y="{top:.1f}" width="{wide:.1f}" height="{room - 10:.1f}" fill="{color}"/>'
            )
            if not colors and wide > 40:
                parts.append(
                    f'<text x="{x(moment) + 6:.1f}" y="{top + room / 2:.0f}" style="fill:#111217">'
                    f"{escape(value)}</text>"
                )
    legend = "".join(
        f'<span class="key"><i style="background:{color}"></i>{escape(value)}</span>' for value, color in keys.items()
    )
    return f'<svg width="{width}" height="{height - 24}">{"".join(parts)}</svg><div>{legend}</div>'
