"""What games state of themselves, in queries: which games are of a kind is asked of them each time a query is made.

``{one_result:Games}`` in a query is a place for the names of the games that state ``one_result``, as a list that ``IN``
takes. So no list of games stands here, and one that another distribution brings has its place like ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from replay import games
from replay.games import Game
from replay.rules import RuleError

_STATES: Final[Mapping[str, Callable[[type[Game]], bool]]] = {
    "among_players": lambda game: game.among_players,
    "lasting_stakes": lambda game: game.lasting_stakes,
    "one_result": lambda game: game.one_result,
    "other_cards": lambda game: game.other_cards,
    "pots": lambda game: game.pots,
    "reports_cut": lambda game: game.reports_cut,
}
"""What may be asked of a game, by the name under which `replay.games.Game` has it."""
_PLACE: Final = re.compile(r"\{(\w+):Games\}")


def games_with(stated: str) -> tuple[str, ...]:
    """The games that state this of themselves, by name. One that cannot be loaded is not among them: nothing of it can
    be worked out here."""
    states = _STATES[stated]
    found = []
    for name in games.names():
        try:
            if states(games.load(name)):
                found.append(name)
        except RuleError:
            continue
    return tuple(found)


def with_games(sql: str) -> str:
    """A query, with the games in their places: ``game IN ({one_result:Games})`` as ``game IN ('boule', …)``. Where
    there are none the list holds an empty name, which no game has."""
    return _PLACE.sub(lambda place: ", ".join(f"'{name}'" for name in games_with(place[1]) or ("",)), sql)
