"""What a simulated table asks those who cheat at it, at the few places where chance or a hand decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from streams.simulator.players import Player, Stake
    from streams.simulator.table import TableSimulator


class Cheating:
    """What a table asks those who cheat at it (`streams.simulator.cheats`); as it stands here, nobody does."""

    needs_order: ClassVar[bool] = False
    """The shoe must lie in an order, where else a card is drawn when it comes."""

    def round_begins(self, table: TableSimulator) -> None:
        """A round is about to begin."""

    def dealer(self, table: TableSimulator, dealer: str) -> str:
        """Who comes to deal; ``dealer`` by right."""
        return dealer

    def die(self, table: TableSimulator, face: int, which: int) -> int:
        """What the die ``which``, from 0, shows; ``face`` by chance."""
        return face

    def thrown(self, table: TableSimulator, dice: list[int], shooter: int, point: int) -> list[int]:
        """What the shooter's pair of dice shows; ``dice`` by chance. ``point`` 0: none is on."""
        return dice

    def shuffled(self, table: TableSimulator, cards: list[str]) -> list[str]:
        """The cards in the order in which they lie in the shoe; ``cards`` by chance."""
        return cards

    def stake(self, table: TableSimulator, player: Player, amount: int) -> int:
        """What a player lays; ``amount`` by habit."""
        return amount

    def wager(self, table: TableSimulator, player: Player, wagers: list[str]) -> list[str]:
        """What a player lays it on; ``wagers`` by habit."""
        return wagers

    def before_call(self, table: TableSimulator) -> list[Stake]:
        """Stakes that go down at the very last moment."""
        return []

    def handed(self, table: TableSimulator, stake: Stake, paid: int, returned: int) -> tuple[int, int]:
        """What is handed over for a stake; so much is due."""
        return paid, returned
