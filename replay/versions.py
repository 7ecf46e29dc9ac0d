"""Which of several versions of an event is the event: the one that fits the next good seal.

Everybody who may write to a log may write a second line under a number that is taken. The table's own seal tells them
apart: a checkpoint's chain is the digest of the events that the table sent (`replay.evidence`), so of all ways to
choose among the versions since the last checkpoint at most one comes to it. `decide` goes through the ways as far as
they come to the chains of the seals, over more than one seal where one leaves several (without keys, a seal itself may
be a forgery that fits). The outcome is a function of the versions that there are, not of the order in which they came.

Where no good seal tells, none of the versions is believed, but for two cases. A line that was refused does not stand
against an event. And two checkpoints that bear the same chain seal the same: one of them is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from replay.evidence import Chain, Keys, wrong_signature
from replay.opening import day_of

MAX_WAYS: Final = 256
"""So many ways to choose are followed at once; where a segment has more, its versions are in doubt."""
MAX_EVENTS: Final = 5_000
"""A seal that comes so many events after the one before it decides nothing."""


class Version(NamedTuple):
    """A line under the number of an event."""

    line: bytes
    event: Any
    """None: it was refused."""

    @property
    def is_seal(self) -> bool:
        """Whether it is a checkpoint."""
        return self.event is not None and self.event.type == "checkpoint"


class Decision(NamedTuple):
    """What can be said of the events up to ``last``, of which there are several versions."""

    last: int
    chosen: dict[int, Version | None]
    """By number; None: in doubt."""
    by: dict[int, int]
    """Of those that an event was preferred to: number -> the checkpoint that decided."""
    open: bool
    """More may be said when the log goes on."""


class _Way:
    """A choice among the versions, as far as it fits."""

    __slots__ = ("chain", "choice", "sealed")

    def __init__(self, chain: Chain, choice: dict[int, Version], sealed: int) -> None:
        self.chain = chain
        self.choice = choice
        self.sealed = sealed
        """The last good seal on it."""


class Place(NamedTuple):
    """Of which table and gaming day a session is, by its first event: a key counts for some alone."""

    table: str = ""
    gaming_day: str = ""
    """Empty where the first event is not the opening of the table."""

    @classmethod
    def by(cls, event: Any) -> Place:
        """In the words of a session's first event."""
        return cls(event.table, day_of(event) if event.type == "table_opened" and event.seq == 1 else "")


def decide(
    first: int,
    since: int,
    chain: Chain | None,
    versions: Callable[[int], Sequence[Version]],
    keys: Keys | None,
    place: Place,
) -> Decision:
    """Decide about event ``first``, of which there are several versions, and whatever is decided with it.

    ``since``: the last checkpoint before it, 0 for none. ``chain``: of the events since; None where some of them are
    missing or in doubt, so that no seal can tell. ``versions``: what there is under a number, in an order that does not
    depend on that of arrival; nothing where the event is missing. ``place``: the session's, as far as it is decided.
    """
    return _Deciding(first, since, versions, keys, place).run(chain)


class _Deciding:
    def __init__(
        self,
        first: int,
        since: int,
        versions: Callable[[int], Sequence[Version]],
        keys: Keys | None,
        place: Place,
    ) -> None:
        self._first = first
        self._since = since
        self._versions = versions
        self._keys = keys
        self._place = place
        self._contested: dict[int, list[Version]] = {}
        self._good: dict[tuple[bytes, Place], bool] = {}
        """Whether the signature of a seal is good, in a session of that place."""

    def run(self, chain: Chain | None) -> Decision:
        """Follow all ways at once, event by event, until one is left."""
        ways = [_Way(chain or Chain(), {}, 0)]
        seq = self._first
        found = self._of(seq)
        if chain is None:
            if not all(version.is_seal for version in found):
                return self._ended(seq, [], open_=False)
            ways = [_sealed_by(way, version, seq, good=False) for way in ways for version in found]
            seq += 1
        elif seq - self._since > MAX_EVENTS:
            return self._ended(seq, [], open_=False)
        while seq - self._since <= MAX_EVENTS:
            found = self._of(seq)
            if not found:
                return self._ended(seq - 1, ways, open_=True)
            if ways:
                ways = self._next(ways, seq, found)
                if len(ways) == 1 and ways[0].sealed == seq:
                    return self._ended(seq, ways, open_=False)
            if not ways and all(version.is_seal for version in found):
                return self._ended(seq, [], open_=False)
            seq += 1
        return self._ended(seq - 1, ways, open_=False)

    def _of(self, seq: int) -> Sequence[Version]:
        """The versions that may be the event: one that bears a good signature is, whatever else there is."""
        found = self._versions(seq)
        if len(found) < 2:
            return found
        self._contested[seq] = list(found)
        if self._keys is None or not self._place.table:
            return found
        signed = [version for version in found if version.is_seal and self._is_good(version, self._place)]
        return signed or found

    def _is_good(self, seal: Version, place: Place) -> bool:
        known = self._good.get((seal.line, place))
        if known is None:
            wrong = wrong_signature(seal.event, seal.line, self._keys, table=place.table, gaming_day=place.gaming_day)
            known = self._good[seal.line, place] = not wrong
        return known

    def _place_of(self, way: _Way) -> Place:
        opening = way.choice.get(1)
        return self._place if opening is None or opening.event is None else Place.by(opening.event)

    def _next(self, ways: list[_Way], seq: int, found: Sequence[Version]) -> list[_Way]:
        """The ways that go on with this event; none where they become too many."""
        following: list[_Way] = []
        for seal in (version for version in found if version.is_seal):
            following += [
                _sealed_by(way, seal, seq, good=self._is_good(seal, self._place_of(way)))
                for way in ways
                if way.chain.fits(seal.event.chain)
            ]
        others = [version for version in found if not version.is_seal]
        if following:  # a line that was refused does not stand against a seal that fits
            others = [version for version in others if version.event is not None]
        for way in ways:
            following += [_going_on(way, version, seq, alone=len(found) == 1) for version in others]
            if len(following) > MAX_WAYS:
                return []
        return following

    def _ended(self, last: int, ways: list[_Way], *, open_: bool) -> Decision:
        """Nothing more is to be had: what the ways that are left agree on is decided, up to the seal that all have."""
        sealed = min((way.sealed for way in ways), default=0)
        chosen: dict[int, Version | None] = {}
        by: dict[int, int] = {}
        for seq, all_versions in self._contested.items():
            if seq > last:
                continue
            decided = list({way.choice[seq].line: way.choice[seq] for way in ways}.values()) if seq <= sealed else []
            if len(decided) == 1:
                chosen[seq] = decided[0]
                by[seq] = max(seq, sealed)
            else:
                chosen[seq] = _least_harm(decided or self._of(seq))
                by[seq] = seq
            version = chosen[seq]
            if version is None or not any(other.event is not None and other != version for other in all_versions):
                del by[seq]
        return Decision(last, chosen, by, open_)


def _sealed_by(way: _Way, seal: Version, seq: int, *, good: bool) -> _Way:
    chain = Chain(seal.event.chain)
    chain.add(seal.line)
    return _Way(chain, {**way.choice, seq: seal}, seq if good else way.sealed)


def _going_on(way: _Way, version: Version, seq: int, *, alone: bool) -> _Way:
    if alone:
        way.chain.add(version.line)
        return way
    chain = way.chain.copy()
    chain.add(version.line)
    return _Way(chain, {**way.choice, seq: version}, way.sealed)


def _least_harm(versions: Sequence[Version]) -> Version | None:
    """Where no seal tells: the event that nothing but refused lines stands against, or one of several checkpoints that
    seal the same."""
    events = [version for version in versions if version.event is not None]
    if len(events) == 1:
        return events[0]
    if not events or not all(version.is_seal and version.event.chain == events[0].event.chain for version in events):
        return None
    return min(events, key=lambda version: version.line)
