"""What a cheat is: it is asked at the few places of a simulated table where chance or a hand decides."""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING, ClassVar

from replay.errors import RetallyError
from streams.simulator import games
from streams.simulator.cheating import Cheating
from streams.simulator.gateway import SECOND_US
from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup
from streams.simulator.truth import Planted

if TYPE_CHECKING:
    from streams.simulator.table import TableSimulator


class CheatError(RetallyError):
    """A cheat that cannot be done as it was asked for: one clear line."""


class Cheat(Cheating):
    """One cheat at one table during one gaming day.

    A subclass sets ``name`` and ``parameters``, and overrides what it meddles with; a game says whether it can be done
    there (`TableSimulator.open_to`).
    """

    name: ClassVar[str]
    parameters: ClassVar[dict[str, tuple[float, float, float]]]
    """Its strengths: name -> (default, least, most)."""
    has_player: ClassVar[bool] = False
    """Somebody sits down for it, and stays."""
    by_hand: ClassVar[bool] = False
    """It cannot be done where a machine shuffles all the time."""

    def __init__(self, since_s: float, strengths: dict[str, float], seed: str, text: str) -> None:
        """``since_s``: seconds after the opening; ``seed``: of its own chance; ``text``: as it was asked for."""
        self.since_s = since_s
        self.strengths = strengths
        self.random = random.Random(seed)
        self.text = text
        self.player: Player | None = None
        """Who cheats, where somebody does."""
        self.begun = False

    @classmethod
    def games(cls) -> list[str]:
        """Where it can be done."""
        return [game for game in games.names() if cls.name in games.simulator(game).open_to]

    @classmethod
    def fits(cls, setup: TableSetup) -> bool:
        """Whether it can be done at a table that is opened so."""
        shuffled_always = setup.options.get("shoe") == "continuous"
        return cls.name in games.simulator(setup.game).open_to and not (cls.by_hand and shuffled_always)

    def begins(self, table: TableSimulator) -> None:
        """What is done once, when it begins."""

    def on(self) -> bool:
        """Whether it has begun."""
        return self.begun

    # --- what the table asks --------------------------------------------------------------------------------------

    def round_begins(self, table: TableSimulator) -> None:
        """See `Cheating.round_begins`."""
        if not self.begun and table.now_us >= table.opened_us + int(self.since_s * SECOND_US):
            self.begun = True
            table.truth.append(
                Planted(session=table.session, round=table.round + 1, fault=f"cheat {self.text}", expected=())
            )
            self.begins(table)
        if self.begun and self.has_player:
            self._sit_down(table)

    def _sit_down(self, table: TableSimulator) -> None:
        """Take a seat, if need be somebody else's, and chips whenever there are few left."""
        player = self.player
        if player is None:
            taken = {other.seat for other in table.players}
            free = [seat for seat in range(1, table.seats + 1) if seat not in taken]
            seat = self.random.choice(free) if free else table.players.pop().seat
            token = hashlib.sha256(f"{table.session}/{self.text}".encode()).hexdigest()[:10]
            player = self.player = Player(f"p{token}", seat, 0, table.minimum, 0.0, 1 << 30)
            player.known = True
            table.players.append(player)
        if player not in table.players:
            table.players.append(player)
        if player.bankroll < table.maximum:
            chips = 10 * table.maximum
            player.bankroll += chips
            table.drop += chips
            table.tray -= chips

    def is_mine(self, stake: Stake) -> bool:
        """Whether whoever cheats has laid this stake."""
        return self.player is not None and stake.player is self.player
