"""A bet that begins at nothing: it gathers what a seat puts in while a hand of poker is played."""

from __future__ import annotations

from datetime import datetime
from typing import Final

GATHERED: Final = "hand"
"""The wager of a bet that gathers what a seat puts in while a hand is played: nothing at all, if it folds at once."""


class Gathering:
    """In the place of ``bet_placed``: a bet of a hand begins, and nothing has been put in yet."""

    __slots__ = ("amount", "at", "bet", "device", "hand", "of", "pick", "player", "seat", "seq", "wager")

    def __init__(self, bet: str, seat: int, player: str | None, at: datetime, seq: int) -> None:
        self.bet = bet
        self.seat = seat
        self.player = player
        self.at = at
        self.seq = seq
        self.wager = GATHERED
        self.amount = 0
        self.pick = None
        self.of = None
        self.hand = None
        self.device = ""
