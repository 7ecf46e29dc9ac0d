"""The table of odds: every wager of a pack or of a game, worked out by the games themselves (`replay.odds`)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from replay import games
from replay.errors import told
from replay.odds import Odds
from replay.packs import Pack
from replay.rules import GameRules, RuleError


@lru_cache(maxsize=64)
def figures(rules: GameRules) -> tuple[Odds, ...]:
    """All odds of a game, worked out once."""
    return tuple(games.odds_of(rules)(rules))


def worked_out(rules: GameRules) -> tuple[Odds, ...]:
    """The same, for whoever shows them; raises `RuleError` where the game fails at it."""
    try:
        return figures(rules)
    except Exception as error:
        where = f"{rules.pack}/{rules.game}.toml"
        raise RuleError(f"{where}: the game's odds cannot be worked out: {told(error)}") from error


def odds_table(pack: Pack, game: str | None = None) -> list[dict[str, Any]]:
    """Every wager of a pack (or of one game of it): dicts with ``game, rules, wager, pick, options, decks, edge,
    variance, assumes``; ``edge`` and ``variance`` are exact fractions as text (``"7/495"``). Raises `RuleError`."""
    rows = []
    for name in pack.games if game is None else [game]:
        for odds in worked_out(pack.game(name)):
            rows.append(
                {
                    "game": name,
                    "rules": pack.name,
                    "wager": odds.wager,
                    "pick": odds.pick,
                    "options": odds.options,
                    "decks": odds.decks,
                    "edge": str(odds.edge),
                    "variance": str(odds.variance),
                    "assumes": odds.assumes,
                }
            )
    return rows
