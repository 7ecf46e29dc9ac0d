"""What a wager is worth, from the exact odds of `replay.odds`, as a lookup that lies in the SQL itself.

An edge is in millionths of the stake, the nearest; a variance is of one unit staked. Wagers whose odds hang on options,
decks or play, which a settlement does not carry, are left out: of them nothing is estimated here, and their stakes are
shown apart. The nightly report, which has each table's options, prices more of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Final

from replay.odds import figures
from replay.regulations import pack, pack_names

_Figures = tuple[Fraction, Fraction]
ANY_PICK: Final = "*"


@cache
def lookup() -> dict[str, _Figures]:
    """Edge and variance by ``rules|game|wager|pick``; the pick ``*`` where every pick is worth the same."""
    by_pick: dict[tuple[str, str, str], dict[str, set[_Figures]]] = defaultdict(lambda: defaultdict(set))
    for rules in pack_names():
        for game, of_game in pack(rules).games.items():
            for odds in figures(of_game):
                if not odds.by_strategy:
                    by_pick[rules, game, odds.wager][odds.pick].add((odds.edge, odds.variance))
    found: dict[str, _Figures] = {}
    for (rules, game, wager), picks in by_pick.items():
        everything = set().union(*picks.values())
        if len(everything) == 1:
            found[f"{rules}|{game}|{wager}|{ANY_PICK}"] = everything.pop()
            continue
        for pick, figures_of in picks.items():
            if pick and len(figures_of) == 1:
                (found[f"{rules}|{game}|{wager}|{pick}"],) = figures_of
    return dict(sorted(found.items()))


def _list(values: list[str]) -> str:
    return "[" + ", ".join(values) + "]"


def edge_millionths(rules: str = "rules", game: str = "game", wager: str = "wager", pick: str = "pick") -> str:
    """SQL: the house's edge in millionths; 0 where `variance` is 0."""
    return _looked_up(
        rules, game, wager, pick, lambda edge, _: str(round(edge * 1_000_000)), "toInt64(0)", "Array(Int64)"
    )


def variance(rules: str = "rules", game: str = "game", wager: str = "wager", pick: str = "pick") -> str:
    """SQL: the variance of one unit staked; 0 where the wager has no odds here."""
    return _looked_up(
        rules, game, wager, pick, lambda _, spread: f"{float(spread):.6f}", "toFloat64(0)", "Array(Float64)"
    )


def _looked_up(
    rules: str, game: str, wager: str, pick: str, written: Callable[[Fraction, Fraction], str], default: str, kind: str
) -> str:
    rows = lookup()
    start = f"concat(toString({rules}), '|', toString({game}), '|', toString({wager}), '|'"

    def table(keys: list[str], key: str, otherwise: str) -> str:
        names = _list([f"'{name}'" for name in keys])
        values = _list([written(*rows[name]) for name in keys])
        return f"transform({key}, {names}, CAST({values}, '{kind}'), {otherwise})"

    whole = [name for name in rows if name.endswith(f"|{ANY_PICK}")]
    single = [name for name in rows if name not in set(whole)]
    return table(whole, f"{start}, '{ANY_PICK}')", table(single, f"{start}, toString({pick}))", default))
