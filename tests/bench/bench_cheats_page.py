"""The page with the curves of `tests.bench.bench_cheats`: one small chart for each cheat, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, inf, log, log10
from pathlib import Path
from typing import Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tests.bench.bench_cheats import LEVELS, RUNS, Found, Row, figures

LEFT, RIGHT, TOP, BOTTOM = 58.0, 382.0, 12.0, 214.0
"""Of a chart, within 400 by 262."""
CURVES: Final = (
    "bound at 1/1,000",
    "bound at 1/1,000,000",
    "e-process at 1/1,000",
    "e-process at 1/1,000,000",
    "chi-square",
    "z-scores",
    "CUSUM",
)
"""In the order of their colours."""


class Curve(NamedTuple):
    """One test over the grid."""

    style: int
    points: list[tuple[float, float]]
    """What was found within the horizon."""
    beyond: list[tuple[float, float]]
    """Where it was not: at the horizon."""


class Chart(NamedTuple):
    """One cheat, drawn and in figures."""

    title: str
    strength: str
    unit: str
    basis: str
    horizon: str
    across: list[tuple[float, str]]
    up: list[tuple[float, str]]
    curves: list[Curve]
    head: list[str]
    rows: list[list[str]]
    early: str
    fair: str


def _values(row: Row) -> dict[str, float]:
    """What is drawn of a strength, by `CURVES`."""
    values = dict(zip(CURVES, (*row.bounds, *row.ours), strict=False))
    return values | row.usual


def chart(found: Found) -> Chart:
    """Where everything goes."""
    cheat, rows = found.cheat, found.rows
    values = [_values(row) for row in rows]
    drawn = [value for each in values for value in each.values() if value != inf]
    censored = any(value == inf for each in values for value in each.values())
    low = floor(log10(min(drawn)))
    high = ceil(log10(max(*drawn, cheat.horizon if censored else 1.0)))
    first, last = cheat.grid[0], cheat.grid[-1]

    def x(index: int) -> float:
        if first > 0:
            part = log(cheat.grid[index] / first) / log(last / first)
        else:
            part = index / (len(cheat.grid) - 1)
        return round(LEFT + 12 + (RIGHT - LEFT - 24) * part, 1)

    def y(value: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (log10(value) - low) / (high - low), 1)

    curves = [
        Curve(
            style,
            [(x(index), y(each[name])) for index, each in enumerate(values) if each[name] != inf],
            [(x(index), y(cheat.horizon)) for index, each in enumerate(values) if each[name] == inf],
        )
        for style, name in enumerate(CURVES)
        if name in values[0]
    ]
    return Chart(
        cheat.title,
        cheat.strength,
        cheat.unit,
        cheat.basis,
        f"{cheat.horizon:,}" if censored else "",
        [(x(index), row.label) for index, row in enumerate(rows)],
        [(y(10.0**decade), f"{10.0**decade:,.10g}") for decade in range(low, high + 1)],
        sorted(curves, key=lambda curve: curve.style in (2, 3)),
        ["bound", "e-process", "ratio", "bound", "e-process", "ratio", *cheat.watched.usual],
        [[row.label, *figures(cheat, row)] for row in rows],
        "; ".join(
            f"at {row.label}: " + ", ".join(f"{name} in {share:.0%}" for name, share in row.early.items())
            for row in rows
            if row.early
        ),
        ", ".join(f"{name} {share:.1%}" for name, share in found.fair.items()),
    )


def page(found: Sequence[Found], real: Sequence[str], shoes: Sequence[str]) -> str:
    """All of it; ``real`` and ``shoes``: sentences about real dice, and shoes that repeat."""
    families: dict[str, list[Chart]] = {}
    for each in found:
        families.setdefault(each.cheat.family, []).append(chart(each))
    fair = {id(each.cheat.watched): each for each in reversed(found)}
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("streaks.html.j2").render(
        families=families,
        names=CURVES,
        tests=("e-process", "chi-square", "z-scores", "CUSUM"),
        fair=list(reversed(fair.values())),
        real=real,
        shoes=shoes,
        level=LEVELS[0],
        runs=RUNS,
        box=(LEFT, RIGHT, TOP, BOTTOM),
    )
