"""What a wager is worth, from the exact odds of `replay.odds_table`, as a lookup that lies in the SQL itself.

An edge is in millionths of the stake, the nearest; a variance is of one unit staked. Wagers whose odds hang on options,
decks or play, which a settlement does not carry, are left out: of them nothing is estimated here, and their stakes are
shown apart. The nightly report, which has each table's options, prices more of them.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Final

from replay.odds_table import worked_out
from replay.packs import Packs

_Figures = tuple[Fraction, Fraction]
ANY_PICK: Final = "*"


def lookup(packs: Packs) -> dict[str, _Figures]:
    """Edge and variance by ``rules|game|wager|pick``; the pick ``*`` where every pick is worth the same. Raises
    `RuleError` for a pack whose text is wrong, and for a game whose odds cannot be worked out."""
    by_pick: dict[tuple[str, str, str], dict[str, set[_Figures]]] = defaultdict(lambda: defaultdict(set))
    for rules in packs.names:
        for game in packs.pack(rules).games:
            for odds in worked_out(packs.game(rules, game)):
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


def known_odds(packs: Packs) -> str:
    """SQL, for the head of a query: ``WITH`` the names of the wagers that have odds here, and beside them edges in
    millionths of the stake and variances of one unit. They are told as one text each: a list of so many constants is
    slow to plan with."""
    rows = lookup(packs)
    edges = ",".join(str(round(edge * 1_000_000)) for edge, _ in rows.values())
    spreads = ",".join(f"{float(spread):.6f}" for _, spread in rows.values())
    return (
        f"WITH splitByChar(',', '{','.join(rows)}') AS known_wagers,"
        f" arrayMap(x -> toUInt32(x), range(1, {len(rows) + 1})) AS known_places,"
        f" arrayMap(x -> toInt64(x), splitByChar(',', '{edges}')) AS known_edges,"
        f" arrayMap(x -> toFloat64(x), splitByChar(',', '{spreads}')) AS known_variances"
    )


def place(rules: str = "rules", game: str = "game", wager: str = "wager", pick: str = "pick") -> str:
    """SQL: where in `known_odds` the wager stands; 0 where it has none, for which an array's element is 0."""
    start = f"concat({rules}, '|', {game}, '|', {wager}, '|'"

    def found(key: str, otherwise: str) -> str:
        return f"transform({key}, known_wagers, known_places, {otherwise})"

    return found(f"{start}, {pick})", found(f"{start}, '{ANY_PICK}')", "toUInt32(0)"))
