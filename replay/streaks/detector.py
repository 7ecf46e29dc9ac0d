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
from replay.streaks.process import MAX_WEALTH, EProcess, spread
from replay.watched import Watchable

EVENTS: Final = (*OF_PLAY, "dealer_on")
"""The types of the events that a detector may ask for."""
TOLD: Final = ("settled", "round_over")
"""What else it may ask to be told."""
PEOPLE: Final = 64
"""So many people of a table get equal parts of a level, together half of it; those after them ever smaller ones."""
FIRST: Final = 0.9
"""So much of its level has a process that a table has once, unless the table's seals disown it."""


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

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        """``share``: of the table's level; the detector divides it among all processes that it can ever start.
        ``alarm_at_1``: the wealth at which a process alarms that has the table's whole level."""
        self.table = table
        self.watched = watched_at(table)
        """What the game's file says that there is to watch, under the table's law."""
        self.share = share
        self._alarm_at_1 = alarm_at_1
        self._times: dict[str, int] = {}
        """How many processes of a name have been started."""
        self._begun: dict[str, int] = {}
        """And how many of a kind."""
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

    def start(
        self, code: str, name: str, part: float, look_at: str, *, player: str = "", dealer: str = "", seat: int = -1
    ) -> EProcess:
        """A process with ``part`` of the detector's share, from now on among the running ones. What was spent stays
        spent, whatever is disowned: the parts of all that are ever started, those begun anew among them, must add up to
        1 at most. A name that comes again has its number behind it (``ball (2)``)."""
        assert code in self.codes, (code, self.codes)
        times = self._times[name] = self._times.get(name, 0) + 1
        share = self.share * part
        process = EProcess(
            code,
            name if times == 1 else f"{name} ({times})",
            share,
            look_at,
            alarm_at=min(self._alarm_at_1 / share, MAX_WEALTH),
            player=player,
            dealer=dealer,
            seat=seat,
        )
        self.running.append(process)
        return process

    def number(self, kind: str = "") -> int:
        """How many processes of a ``kind`` have been begun before this one, the disowned ones among them."""
        number = self._begun.get(kind, 0)
        self._begun[kind] = number + 1
        return number

    def person(self, kind: str) -> float:
        """The part of a level of the next process of a ``kind`` of which each person has one."""
        return spread(self.number(kind), PEOPLE)

    def lost_sight(self) -> None:
        """Events are missing: what hangs on an unbroken view (a count, a memory of the shoe) starts anew. Wealth that
        was won by what was seen stays."""

    def disowned(self) -> None:
        """What was seen since the last checkpoint is not what the table sealed: every process starts anew, with a part
        of the level that none has had (`start`)."""

    def processes(self) -> Iterator[EProcess]:
        """The running ones."""
        return iter(self.running)


def anew(number: int) -> float:
    """The part of its level that a process has which a table has once: nine tenths; where it is disowned those after it
    share the rest. ``number``: from 0.

    >>> anew(0), sum(anew(number) for number in range(10_000)) <= 1
    (0.9, True)
    """
    return FIRST if number == 0 else (1 - FIRST) / (number * (number + 1))


def watched_at(table: Table) -> Watchable:
    """What the file of the table's game says that there is to watch there, under the table's law. Raises `RuleError`
    for a game that is not there."""
    return load(table.rules.game).watched_at(table)
