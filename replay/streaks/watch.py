"""The watch over one table: it tells the detectors what happens, and says what their processes have come to.

The floor's operator sets one level (`WatchSettings`): the chance, each night, that anything is raised although all is
well, by an alarm or in the report. Half of it is for a night's alarms and what stands out among its tables together,
half for what comes again over the days (`replay.streaks.floor`). A table has an equal part of the night's half, its
detectors divide that part among them (`DETECTORS`), a detector divides its own among all processes that it can ever
start. A process alarms the first time that its wealth reaches the reciprocal of its own part; by Ville's inequality and
the union bound all alarms of a night together are then false with probability at most that half, whatever hangs on
whatever, and whenever one looks.

That is said of a floor with no more tables than the settings have (`really` tells what holds with more), and of each
session's log as it is known in the end. A fold that is done anew because an event came late is another path of the same
bets: what the path before it had said is withdrawn, and the bound holds for what stands. Whoever acts on every alarm
in the moment that it sounds, those that are withdrawn later among them, counts each such fold as one more table.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, log10
from typing import Any, Final

import msgspec

from replay.chance import MIN_CHANCE
from replay.codes import STREAK_WORDS
from replay.heading import Heading
from replay.results import Finding, Round, Settlement, Streak, Verdict
from replay.rules import Table
from replay.streaks.ball import Ball
from replay.streaks.cards import CardsOfShoe
from replay.streaks.counting import Counting
from replay.streaks.dealers import Dealers
from replay.streaks.detector import EVENTS, Detector
from replay.streaks.dice import Dice, Shooters, Triples
from replay.streaks.expectations import Expectations
from replay.streaks.process import SAID_WITHIN, EProcess, milli
from replay.streaks.runs import Runs
from replay.streaks.winnings import Winnings

DETECTORS: Final[tuple[tuple[type[Detector], int], ...]] = (
    (Dice, 3),
    (Triples, 1),
    (Shooters, 1),
    (Ball, 3),
    (CardsOfShoe, 2),
    (Runs, 1),
    (Winnings, 3),
    (Counting, 2),
    (Dealers, 2),
)
"""Who watches, and its weight: of those that serve a table, each has a share of the table's level by its weight."""

SAID_EVERY: Final = 50
"""A reading is said again so often, in rounds, where anything was observed since."""

OF_THE_NIGHT: Final = Fraction(1, 2)
"""So much of the level is for what a night raises, the rest for what comes again over the days."""

_COUNTS: Final = frozenset({Verdict.MATCH, Verdict.OVERPAID, Verdict.UNDERPAID, Verdict.UNSETTLED, Verdict.UNCLAIMED})
"""Verdicts on bets that were decided and could be verified."""
_UNSETTLED: Final = Verdict.UNSETTLED


MAX_TABLES: Final = 10**6


def really(level: Fraction, tables: int, were_open: int) -> Fraction:
    """The level that holds for a floor that was watched as one of ``tables`` tables, when so many were open.

    >>> really(Fraction(1, 100), 20, 20), really(Fraction(1, 100), 20, 30)
    (Fraction(1, 100), Fraction(1, 80))
    """
    return level * (OF_THE_NIGHT * max(Fraction(1), Fraction(were_open, tables)) + 1 - OF_THE_NIGHT)


class WatchSettings(msgspec.Struct, frozen=True):
    """How a floor is watched. Raises ValueError where a value is out of bounds."""

    level: Fraction = Fraction(1, 100)
    """The chance, each night, that anything is raised on a floor on which all is well."""
    tables: int = 100
    """At most so many tables are open in one night: each has an equal part of the night's half of the level."""
    expectations: Expectations = Expectations()
    """What the house expects of its dealers."""

    def __post_init__(self) -> None:
        if not MIN_CHANCE <= self.level <= 1:
            raise ValueError(f"the level of false alarms is {MIN_CHANCE} to 1, not {self.level}")
        if not 1 <= self.tables <= MAX_TABLES:
            raise ValueError(f"a floor has at least one table, not {self.tables} (and {MAX_TABLES:,} at most)")


class Watch:
    """The detectors of one table, during one gaming day. What it says is taken from `round_over` and `closing`."""

    __slots__ = (
        "_heading",
        "_nights",
        "_on_round",
        "_on_settled",
        "_rounds",
        "_settled",
        "_unsettled",
        "dealer",
        "detectors",
        "handlers",
        "round",
    )

    def __init__(
        self,
        heading: Heading,
        table: Table,
        watching: WatchSettings,
        detectors: tuple[tuple[type[Detector], int], ...] | None = None,
    ) -> None:
        """``detectors``: others than `DETECTORS`."""
        serving = [
            (kind, weight) for kind, weight in (DETECTORS if detectors is None else detectors) if kind.serves(table)
        ]
        total = sum(weight for _, weight in serving)
        alarm_at_1 = float(watching.tables / (watching.level * OF_THE_NIGHT))
        self.detectors: tuple[Detector, ...] = tuple(
            kind(table, weight / total, alarm_at_1) for kind, weight in serving
        )
        for detector in self.detectors:
            detector.expectations = watching.expectations
        self.dealer = ""
        """Who deals; set by the session."""
        self.round = 0
        self.handlers: dict[str, tuple[Callable[[Any], None], ...]] = _handlers(self.detectors)
        """By event type: what is to be called with an event of that type."""
        self._on_settled: tuple[Callable[[Settlement], None], ...] = _methods(self.detectors, "settled")
        self._on_round: tuple[Callable[[Round], None], ...] = _methods(self.detectors, "round_over")
        self._heading = heading
        self._nights = float(1 / watching.level)
        self._rounds = 0
        self._settled: set[tuple[int, str]] = set()
        """Bets, as (round, bet), that were settled in this round."""
        self._unsettled: set[tuple[int, str]] = set()
        """Bets that were told as unsettled, for whose claim the dealer may yet come."""

    # --- what happens ---------------------------------------------------------------------------------------------

    def round_begins(self, number: int) -> None:
        """The table is in another round."""
        self.round = number
        for detector in self.detectors:
            detector.round = number

    def settled(self, settlement: Settlement) -> None:
        """A bet is settled. One that is told a second time (an unsettled one is claimed late; a deal is declared void
        and dealt again) counts as it was told first."""
        verdict = settlement.verdict
        if verdict not in _COUNTS or settlement.paid is None:
            return
        key = (settlement.round, settlement.bet)
        if self._unsettled and key in self._unsettled:
            return
        settled = self._settled
        before = len(settled)
        settled.add(key)
        if len(settled) == before:
            return
        if verdict is _UNSETTLED:
            self._unsettled.add(key)
        for tell in self._on_settled:
            tell(settlement)

    def lost_sight(self) -> None:
        """See `Detector.lost_sight`."""
        for detector in self.detectors:
            detector.lost_sight()

    def disowned(self) -> None:
        """See `Detector.disowned`."""
        for detector in self.detectors:
            detector.disowned()

    # --- what is said ---------------------------------------------------------------------------------------------

    def round_over(self, row: Round, *, closing: bool = False) -> list[Streak | Finding]:
        """A round is told: what is to be said of the processes now. ``closing``: the table was closed with it."""
        for tell in self._on_round:
            tell(row)
        self._settled.clear()
        self._rounds += 1
        if closing:
            return self.closing(row.closed_seq, row.closed_at_us, row.revision, closed=True)
        return self._look(row.closed_seq, row.closed_at_us, row.revision, every=self._rounds % SAID_EVERY == 0)

    def closing(self, seq: int, at_us: int, revision: int, *, closed: bool) -> list[Streak | Finding]:
        """The table is closed (or its log ends, ``closed`` False): the last readings."""
        if closed:
            for detector in self.detectors:
                for process in detector.running:
                    process.ended = True
        return self._look(seq, at_us, revision, every=True)

    def _look(self, seq: int, at_us: int, revision: int, *, every: bool) -> list[Streak | Finding]:
        said: list[Streak | Finding] = []
        for detector in self.detectors:
            over = False
            for process in detector.running:
                ended = process.ended
                if not (process.touched or ended or every):
                    continue
                process.touched = False
                as_said = process.said_below < process.wealth < process.said_above
                if as_said and process.peak < process.alarm_at and not (ended or every):
                    continue
                over = over or ended
                alarmed = process.peak >= process.alarm_at and process.peak_seq > 0 and not process.alarmed
                if alarmed:
                    process.alarmed = True
                    said.append(self._alarm(process, at_us, revision))
                elif as_said and not (ended or (every and process.observations != process.said)):
                    continue
                if process.observations:
                    said.append(self._reading(process, seq, at_us, revision, at_alarm=alarmed))
            if over:
                detector.running = [process for process in detector.running if not process.ended]
        return said

    def _reading(self, process: EProcess, seq: int, at_us: int, revision: int, *, at_alarm: bool) -> Streak:
        """How a process stands; ``at_alarm``: with what it had when it alarmed, it may have lost some since."""
        process.said = process.observations
        process.said_below = process.wealth / SAID_WITHIN
        process.said_above = process.wealth * SAID_WITHIN
        return Streak(
            **self._heading.columns(),
            process=process.name,
            seq=seq,
            dealer=process.dealer,
            player=process.player,
            round=self.round,
            code=process.code,
            log10_wealth_milli=milli(process.peak if at_alarm else process.wealth),
            log10_alarm_milli=ceil(1000 * log10(process.alarm_at)),
            observations=process.observations,
            state="alarmed" if process.alarmed else "ended" if process.ended else "running",
            at_us=at_us,
            revision=revision,
        )

    def _alarm(self, process: EProcess, at_us: int, revision: int) -> Finding:
        weighty = sorted(round_ for _, round_, _ in process.heaviest)
        rounds = "" if not weighty else f" The rounds that weigh most: {', '.join(map(str, weighty))}."
        return self._heading.finding(
            process.code,
            f"{STREAK_WORDS[process.code]} ({process.name}): a stake of 1 on it from event {process.since_seq} on, at"
            f" the odds that are fair if all is well, has become {_wealth(process.peak)}, in"
            f" {process.observations:,} observations."
            f" A floor on which all is well has a false alarm in at most 1 night of {self._nights:,.0f}.{rounds}"
            f" On the video: {process.look_at}",
            seq=process.peak_seq,
            at_us=at_us,
            revision=revision,
            round_number=process.peak_round,
            dealer=process.dealer or self.dealer,
            subject=process.name,
            player=process.player,
            seat=None if process.seat < 0 else process.seat,
            seqs=tuple(sorted({process.peak_seq, *(seq for _, _, seq in process.heaviest)})),
        )


def _wealth(wealth: float) -> str:
    """A wealth in words.

    >>> _wealth(213_456.7), _wealth(2e12)
    ('213,456', '10 to the power of 12.3')
    """
    return f"{int(wealth):,}" if wealth < 1e9 else f"10 to the power of {log10(wealth):.1f}"


def _methods(detectors: tuple[Detector, ...], name: str) -> tuple[Callable[[Any], None], ...]:
    return tuple(
        getattr(detector, name) for detector in detectors if name in detector.wanted and hasattr(detector, name)
    )


def _handlers(detectors: tuple[Detector, ...]) -> dict[str, tuple[Callable[[Any], None], ...]]:
    """What each event is to be handed to, by its type."""
    found = {kind: _methods(detectors, kind) for kind in EVENTS}
    return {kind: methods for kind, methods in found.items() if methods}
