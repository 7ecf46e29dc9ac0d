"""What a detector is: it is told what happens at one table, and keeps the processes that bet on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from replay.codes import CODES, STREAK_WORDS
from replay.declared import declared
from replay.events import OF_PLAY
from replay.games import load
from replay.law import nearest
from replay.rules import Table
from replay.streaks.expectations import Expectations
from replay.streaks.process import EProcess
from replay.watched import Watchable

EVENTS: Final = (*OF_PLAY, "dealer_on")
"""The types of the events that a detector may ask for."""
TOLD: Final = ("settled", "round_over")
"""What else it may ask to be told."""


class Detector:
    """Watches one kind of streak at one table, during one gaming day.

    A subclass lists what it ``wants`` to be told, and has a method for each: any event of the contract by its type's
    name (``dice_rolled(event)``, ``card_dealt(event)``, ``shoe_loaded(event)``, ``bet_placed(event)`` …), told after
    the table's procedure has handled it and only while the state of the table is certain; ``settled(settlement)`` for
    each decided bet, once, with the verdict on its claim (match, overpaid, underpaid, unsettled, unclaimed);
    ``round_over(round)`` when a round has been told. It never raises on what a log can hold.

    Within one event the order is: the event, then what was settled by it. A round is told with the event that follows
    it, before that event. What the processes have come to is looked at right after ``round_over``.
    """

    codes: ClassVar[tuple[str, ...]] = ()
    """Of the findings in which its processes alarm."""
    wants: ClassVar[tuple[str, ...]] = ()
    """Events, by type, and of `TOLD`: each is told to the method of that name."""
    may_want: ClassVar[tuple[str, ...]] = ()
    """Likewise, where a detector gives itself the method if its table has something to watch."""
    wanted: ClassVar[frozenset[str]] = frozenset()
    """All of them."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        cls.wanted = cls.wanted | declared(cls, "wants", (*EVENTS, *TOLD), set_later="may_want")
        for code in cls.codes:
            if code not in STREAK_WORDS or code not in CODES:
                raise TypeError(f"{cls.__name__}.codes: {code} is no code of a streak{nearest(code, STREAK_WORDS)}")

    def __init__(self, table: Table, share: float) -> None:
        """``share``: of the table's level; the detector divides it among all processes that it can ever start."""
        self.table = table
        self.watched = watched_at(table)
        """What the game's file says that there is to watch, under the table's law."""
        self.share = share
        self.running: list[EProcess] = []
        """Its processes, in the order of their beginning. One that comes to its end is marked `EProcess.ended` and
        stays here until the watch has said so and takes it off: whoever needs the living ones alone keeps them
        elsewhere."""
        self.round = 0
        """The round that the table is in; set by the watch."""
        self.expectations = Expectations()
        """What the house expects of its dealers; set by the watch."""

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Whether there is anything to watch at such a table."""
        return True

    def lost_sight(self) -> None:
        """Events are missing: what hangs on an unbroken view (a count, a memory of the shoe) starts anew. Wealth that
        was won by what was seen stays."""

    def disowned(self) -> None:
        """What was seen since the last checkpoint is not what the table sealed: every process starts anew."""

    def processes(self) -> Iterator[EProcess]:
        """The running ones."""
        return iter(self.running)


def watched_at(table: Table) -> Watchable:
    """What the file of the table's game says that there is to watch there, under the table's law. Raises `RuleError`
    for a game that is not there."""
    return load(table.rules.game).watched_at(table)
