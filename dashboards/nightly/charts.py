"""Charts of the report as inline SVG: no script, no font of its own, legible in print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

WIDTH: Final = 960
_LABELS: Final = 230
_ROW: Final = 26
_BAND: Final = 14
_LINE: Final = 18


def bands(rows: Sequence[tuple[str, int, int, int]], written: Callable[[int], str], title: str) -> str:
    """A row each of (label, actual, expected, deviation): a line with a band of one and two deviations, and a dot."""
    ends = [edge for _, actual, mean, sd in rows for edge in (actual, mean - 2 * sd, mean + 2 * sd)]
    scale = _Scale(min(*ends, 0), max(*ends, 0), _LABELS, WIDTH - 45)
    height = _ROW * len(rows) + 34
    parts = [_opening(height, title)]
    parts += _axis(scale, height, written)
    for number, (label, actual, mean, sd) in enumerate(rows):
        middle = _ROW * number + _ROW // 2 + 4
        parts.append(_label(label, middle))
        for times, shade in ((2, "band2"), (1, "band1")):
            left, right = scale(mean - times * sd), scale(mean + times * sd)
            width = max(right - left, 1)
            parts.append(
                f'<rect class="{shade}" x="{left}" y="{middle - _BAND // 2}" width="{width}" height="{_BAND}"/>'
            )
        x = scale(mean)
        parts.append(f'<line class="mean" x1="{x}" x2="{x}" y1="{middle - 9}" y2="{middle + 9}"/>')
        outside = abs(actual - mean) > 2 * sd
        parts.append(f'<circle class="{"dot out" if outside else "dot"}" cx="{scale(actual)}" cy="{middle}" r="4.5"/>')
    return "".join([*parts, "</svg>"])


def columns(rows: Sequence[tuple[str, int, int]], written: Callable[[int], str], title: str) -> str:
    """A column each of (label, up, down): up above the line, down below it, each with its figure."""
    top = max(max((up for _, up, _ in rows), default=0), 1)
    low = max(max((down for _, _, down in rows), default=0), 1)
    height, head, foot = 210, 18, 40
    middle = head + (height - head - foot) * top // (top + low)
    step = (WIDTH - 20) // max(len(rows), 1)
    bar = min(step - 10, 56)
    parts = [_opening(height, title)]
    for number, (label, up, down) in enumerate(rows):
        x = 10 + step * number + (step - bar) // 2
        mid = x + bar // 2
        rise = (middle - head) * up // top
        fall = (height - foot - middle) * down // low
        if up:
            parts.append(f'<rect class="over" x="{x}" y="{middle - rise}" width="{bar}" height="{max(rise, 1)}"/>')
            parts.append(f'<text class="figure" x="{mid}" y="{middle - rise - 4}">{escape(written(up))}</text>')
        if down:
            parts.append(f'<rect class="under" x="{x}" y="{middle}" width="{bar}" height="{max(fall, 1)}"/>')
            parts.append(f'<text class="figure" x="{mid}" y="{middle + fall + 12}">{escape(written(down))}</text>')
        parts.append(f'<text class="tick" x="{mid}" y="{height - 6}">{escape(label)}</text>')
    parts.append(f'<line class="zero" x1="10" x2="{WIDTH - 10}" y1="{middle}" y2="{middle}"/>')
    return "".join([*parts, "</svg>"])


def bars(rows: Sequence[tuple[str, int, int]], written: Callable[[int], str], title: str) -> str:
    """A row each of (label, value, mark): a bar to the value from nought, and a line where the mark is."""
    ends = [edge for _, value, mark in rows for edge in (value, mark)]
    scale = _Scale(min(*ends, 0), max(*ends, 0), _LABELS, WIDTH - 45)
    height = _ROW * len(rows) + 34
    parts = [_opening(height, title)]
    parts += _axis(scale, height, written)
    for number, (label, value, mark) in enumerate(rows):
        middle = _ROW * number + _ROW // 2 + 4
        left, right = sorted((scale(0), scale(value)))
        shade = "won" if value >= 0 else "lost"
        parts.append(_label(label, middle))
        parts.append(f'<rect class="{shade}" x="{left}" y="{middle - 7}" width="{max(right - left, 1)}" height="14"/>')
        x = scale(mark)
        parts.append(f'<line class="mean" x1="{x}" x2="{x}" y1="{middle - 10}" y2="{middle + 10}"/>')
    return "".join([*parts, "</svg>"])


def lengths(rows: Sequence[tuple[str, int, str, str]], title: str) -> str:
    """A row each of (label, count, class, text): a bar as long as the count, and the text at its end."""
    most = max((count for _, count, _, _ in rows), default=1)
    height = _LINE * len(rows) + 8
    parts = [_opening(height, title)]
    for number, (label, count, look, text) in enumerate(rows):
        middle = _LINE * number + _LINE // 2 + 4
        width = max((WIDTH - _LABELS - 170) * count // most, 2)
        parts.append(_label(label, middle))
        parts.append(
            f'<rect class="{look}" x="{_LABELS}" y="{middle - 6}" width="{width}" height="12"/>'
            f'<text class="count" x="{_LABELS + width + 6}" y="{middle + 4}">{escape(text)}</text>'
        )
    return "".join([*parts, "</svg>"])


class _Scale:
    """From amounts to places, in whole pixels."""

    def __init__(self, low: int, high: int, left: int, right: int) -> None:
        step = _step(max(high - low, 1))
        self.low = low // step * step
        self.high = -(-high // step) * step or step
        self.step = step
        self.left, self.right = left, right

    def __call__(self, value: int) -> int:
        return self.left + (value - self.low) * (self.right - self.left) // (self.high - self.low)

    def ticks(self) -> range:
        return range(self.low, self.high + 1, self.step)


def _step(span: int) -> int:
    """A round step (1, 2 or 5 of a power of ten) that goes into the span eight times at most."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if span <= 8 * factor * power:
                return factor * power
        power *= 10


def _opening(height: int, title: str) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>"
    )


def _label(text: str, middle: int) -> str:
    return f'<text class="label" x="{_LABELS - 10}" y="{middle + 4}">{escape(text)}</text>'


def _axis(scale: _Scale, height: int, written: Callable[[int], str]) -> list[str]:
    parts = []
    for tick in scale.ticks():
        x = scale(tick)
        parts.append(f'<line class="{"zero" if not tick else "grid"}" x1="{x}" x2="{x}" y1="2" y2="{height - 22}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{height - 6}">{escape(written(tick))}</text>')
    return parts
