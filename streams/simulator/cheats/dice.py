"""Cheats with dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from streams.simulator.cheats.cheat import Cheat

if TYPE_CHECKING:
    from streams.simulator.table import TableSimulator


class LoadedDice(Cheat):
    """One face of every die comes more often: with the chance (1 + ``heavier``) / 6, the others alike."""

    name = "loaded-dice"
    parameters: ClassVar = {"face": (6, 1, 6), "heavier": (0.3, 0, 5), "dice": (3, 1, 3)}
    """``dice``: so many of them are loaded, the first ones."""

    def die(self, table: TableSimulator, face: int, which: int) -> int:
        """See `Cheating.die`: a die that would show another face turns over so often that the chance comes out."""
        if self.begun and which < self.strengths["dice"]:
            heavy = int(self.strengths["face"])
            if face != heavy and self.random.random() < self.strengths["heavier"] / 5:
                return heavy
        return face


class ControlledShooter(Cheat):
    """A shooter who throws fewer sevens once a point is on: of those that chance would give him, this share does not
    come; another throw stands in its place."""

    name = "controlled-shooter"
    parameters: ClassVar = {"control": (0.3, 0, 1)}
    has_player = True

    def thrown(self, table: TableSimulator, dice: list[int], shooter: int, point: int) -> list[int]:
        """See `Cheating.thrown`."""
        if self.player is None or shooter != self.player.seat or not point:
            return dice
        if sum(dice) == 7 and self.random.random() < self.strengths["control"]:
            while sum(dice) == 7:
                dice = [self.random.randrange(1, 7), self.random.randrange(1, 7)]
        return dice
