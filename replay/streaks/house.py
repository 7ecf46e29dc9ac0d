"""What the house expects of its dealers: settings of a casino, against which dealers are watched."""

from __future__ import annotations

from fractions import Fraction

import msgspec


class House(msgspec.Struct, frozen=True):
    """Settings of one casino. Raises ValueError where a value is out of bounds."""

    errors: Fraction = Fraction(1, 500)
    """A bet is settled wrongly at most so often."""
    pace: tuple[tuple[str, int, int], ...] = (
        ("", 20, 120),
        ("circle_poker", 20, 300),
        ("craps", 20, 300),
    )
    """By game: a round lasts between so many seconds in the mean, from opening to closing. An empty name stands for all
    games that are not named."""

    def __post_init__(self) -> None:
        if not 0 < self.errors < 1:
            raise ValueError(f"the rate of errors is above 0 and below 1, not {self.errors}")
        for game, least, most in self.pace:
            if not 0 < least <= most:
                raise ValueError(f"the pace of {game or 'all games'}: {least} to {most} seconds is no band")
        if all(game for game, _, _ in self.pace):
            raise ValueError("the pace of games that are not named is missing")

    def pace_of(self, game: str) -> tuple[int, int]:
        """The shortest and the longest mean of a game's rounds, in seconds."""
        return next(
            (least, most)
            for name, least, most in sorted(self.pace, key=lambda band: band[0] != game)
            if name in (game, "")
        )
