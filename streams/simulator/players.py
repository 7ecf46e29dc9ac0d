"""Who plays at a simulated table, and what lies on it. Amounts are minor units."""

from __future__ import annotations

from typing import Any


class Player:
    """Somebody with a bankroll, who sits (or stands) at the table for a while."""

    __slots__ = ("bankroll", "boldness", "known", "name", "rounds_left", "seat", "unit")

    def __init__(self, name: str, seat: int, bankroll: int, unit: int, boldness: float, rounds_left: int) -> None:
        self.name = name
        self.seat = seat
        self.bankroll = bankroll
        self.unit = unit
        """The usual stake."""
        self.boldness = boldness
        """0 to 1: how readily side bets and long shots are taken."""
        self.rounds_left = rounds_left
        self.known = False
        """Every one of his bets bears his name: he plays with a card of the house."""


class Stake:
    """A bet as the dealer sees it."""

    __slots__ = ("amount", "id", "pick", "player", "refund", "seat", "wager")

    def __init__(self, bet: str, seat: int, wager: str, amount: int, pick: Any, player: Player | None) -> None:
        self.id = bet
        self.seat = seat
        self.wager = wager
        self.amount = amount
        self.refund = 0
        """Chips laid on it in vain: `TableSimulator.settle` gives them back with what is due."""
        self.pick = pick
        self.player = player
