"""What the house expects of its dealers: settings of a casino, against which dealers are watched.

As a file:

    errors = "1/500"            # a bet is settled wrongly at most so often

    [pace]                      # a round lasts so many seconds in the mean, from opening to closing
    all = [20, 120]
    craps = [20, 300]           # at one game
"""

from __future__ import annotations

import tomllib
from fractions import Fraction
from typing import Final

import msgspec

from replay.chance import MIN_CHANCE, read_chance
from replay.games import load, names

DAY_S: Final = 86_400


class Expectations(msgspec.Struct, frozen=True):
    """Settings of one casino. Raises ValueError where a value is out of bounds."""

    errors: Fraction = Fraction(1, 500)
    """A bet is settled wrongly at most so often."""
    pace: tuple[tuple[str, int, int], ...] = (("", 20, 120),)
    """By game: a round lasts between so many seconds in the mean, from opening to closing. An empty name stands for all
    games that are not named and whose own file states no other pace (`replay.watched.Watchable.pace_s`)."""

    def __post_init__(self) -> None:
        if not MIN_CHANCE <= self.errors < 1:
            raise ValueError(f"errors: a chance from {MIN_CHANCE} to below 1, not {self.errors}")
        games = names()
        for game, least, most in self.pace:
            setting = f"pace.{game or 'all'}"
            if game and game not in games:
                raise ValueError(f"{setting}: no such game (there are: {', '.join(games)})")
            if not 0 < least <= most <= DAY_S:
                raise ValueError(
                    f"{setting}: the shortest and the longest mean, 1 to {DAY_S} seconds, not {least} and {most}"
                )
        if all(game for game, _, _ in self.pace):
            raise ValueError("pace.all: the pace of games that are not named is missing")

    def pace_of(self, game: str) -> tuple[int, int]:
        """The shortest and the longest mean of a game's rounds, in seconds."""
        paces = {name: (least, most) for name, least, most in self.pace}
        return paces.get(game) or (load(game).watched.pace_s if game else None) or paces[""]


def read_expectations(text: str) -> Expectations:
    """Settings from the text of a file; what is not in it is as it is by itself. Raises ValueError naming the setting.

    >>> read_expectations('[pace]\\ncraps = [30, 400]').pace_of("craps")
    (30, 400)
    """
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # and a whole number of thousands of digits
        raise ValueError(f"not TOML: {error}") from None
    except RecursionError:
        raise ValueError("not TOML: nested too deeply") from None
    for key in data:
        if key not in ("errors", "pace"):
            raise ValueError(f"{key}: no such setting (there are: errors, pace)")
    usual = Expectations()
    errors = data.get("errors", str(usual.errors))
    try:
        rate = read_chance(errors) if isinstance(errors, str) else None
    except ValueError:
        rate = None
    if rate is None:
        raise ValueError(f"errors: a chance as a string, as in '1/500', not {errors!r}")
    bands = data.get("pace", {})
    if not isinstance(bands, dict):
        raise ValueError(f"pace: a table of games, not {bands!r}")
    pace = {game: (least, most) for game, least, most in usual.pace}
    for game, band in bands.items():
        if not (isinstance(band, list) and len(band) == 2 and all(type(each) is int for each in band)):
            raise ValueError(f"pace.{game}: two whole numbers of seconds, as in [20, 120], not {band!r}")
        pace["" if game == "all" else game] = (band[0], band[1])
    return Expectations(rate, tuple((game, least, most) for game, (least, most) in pace.items()))
