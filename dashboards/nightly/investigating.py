"""What a jurisdiction requires to be investigated: the figures that its thresholds are held against, and what came out.

The base is the year before; in the first year, the month before. A standard deviation is given only where all the
stakes have exact odds: one of a part of the bets would call too much unusual.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from dashboards.nightly.queries import Record
from dashboards.nightly.theory import hundredths, nearest
from replay.streaks.jurisdictions import Figures, Jurisdiction, investigate

_Key = tuple[str, str, str, str]
"""Casino, table (empty: all tables of the game), game, currency."""


def investigations(
    month: Mapping[str, list[Record]],
    rolling: Mapping[str, list[Record]],
    holds: Mapping[str, list[Record]],
    places: Iterable[Jurisdiction],
) -> list[Record]:
    """What each jurisdiction requires to be investigated. ``month``, ``rolling``: the scopes of this month and of the
    last thirty days; ``holds``: drop and win by table of ``year_before``, ``month_before`` and ``lifetime``.

    Each: ``hold`` and ``against_hold`` in per cent, ``beyond`` and ``most`` in the threshold's unit (points of the
    drop, or standard deviations), all with two digits as text.
    """
    past = {name: _sums(rows) for name, rows in holds.items()}
    rolled = {_key(row): row for scope in ("tables", "games") for row in rolling[scope]}
    figures = [_figures(row, rolled, past) for scope in ("tables", "games") for row in month[scope]]
    return [
        {
            "jurisdiction": place.name,
            "title": place.title,
            "found": [
                {
                    "threshold": found.threshold,
                    "passage": found.passage,
                    "casino": found.casino,
                    "table": found.table,
                    "game": found.game,
                    "hold": hundredths(nearest(found.hold * 10_000)),
                    "against_hold": hundredths(nearest(found.against * 10_000)),
                    "beyond": hundredths(nearest(found.beyond * 100)),
                    "most": hundredths(nearest(found.most * 100)),
                    "text": found.text,
                }
                for found in investigate(figures, place)
            ],
        }
        for place in places
    ]


def _key(row: Mapping[str, Any]) -> _Key:
    return row["casino"], row.get("table", ""), row["game"], row["currency"]


def _sums(rows: Iterable[Record]) -> dict[_Key, tuple[int, int]]:
    """Drop and win, by table and by game."""
    sums: dict[_Key, tuple[int, int]] = {}
    for row in rows:
        for table in (row["table"], ""):
            key = row["casino"], table, row["game"], row["currency"]
            drop, win = sums.get(key, (0, 0))
            sums[key] = drop + row["dropped"], win + row["won"]
    return sums


def _hold(sums: Mapping[_Key, tuple[int, int]], key: _Key) -> Fraction | None:
    drop, win = sums.get(key, (0, 0))
    return Fraction(win, drop) if drop > 0 else None


def _figures(row: Record, rolled: Mapping[_Key, Record], past: Mapping[str, Mapping[_Key, tuple[int, int]]]) -> Figures:
    key = _key(row)
    base = _hold(past["year_before"], key)
    if base is None:
        base = _hold(past["month_before"], key)
    lately = rolled.get(key)
    known = bool(row["compared_staked"]) and not row["left_out_staked"]
    known_lately = lately is not None and bool(lately["compared_staked"]) and not lately["left_out_staked"]
    return Figures(
        casino=row["casino"],
        table=row.get("table", ""),
        game=row["game"],
        currency=row["currency"],
        drop=row["drop"],
        win=row["win"],
        theoretical_win=row["theoretical_win"] if known else None,
        standard_deviation=row["deviation"] if known else None,
        base_hold=base,
        rolling_drop=None if lately is None else lately["drop"],
        rolling_win=None if lately is None else lately["win"],
        rolling_standard_deviation=lately["deviation"] if lately is not None and known_lately else None,
        lifetime_hold=_hold(past["lifetime"], key),
    )
