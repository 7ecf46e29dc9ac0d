"""What games are called: as the rule packs have it that they are played under, in each language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from replay.packs import Packs


def titles_of(packs: Packs, tables: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By game, ``title``, what its regulation calls it, and ``titles``, its names by language: of the pack that its
    latest table was played under. A game of which no pack is known here has no entry."""
    found: dict[str, dict[str, Any]] = {}
    for row in sorted(tables, key=lambda row: (row["day"], row["session"]), reverse=True):
        game = row["game"]
        if game in found:
            continue
        try:
            rules = packs.game(row["rules"], game)
        except Exception:  # told where its odds are worked out
            continue
        found[game] = {"title": rules.title, "titles": dict(sorted(rules.law.titles.items()))}
    return dict(sorted(found.items()))


def title_in(language: str, game: str, titles: Mapping[str, Mapping[str, Any]]) -> str:
    """A game's name in a language; else what its regulation calls it, else its id with blanks. ``titles``: of
    `titles_of`."""
    known = titles.get(game)
    if known is None:
        return game.replace("_", " ")
    name: str = known["titles"].get(language, known["title"])
    return name
