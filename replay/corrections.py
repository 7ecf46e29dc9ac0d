"""What is put right: the events of a session that are folded as if something else had been said; the void rounds.

An ``event_corrected`` names an earlier event and says it as it should have been; a ``bet_settled`` with ``corrects``
does so with the claim that it names. A correction may itself be put right, and of several of one event the last counts.
`resolve` is a function of the events alone, not of the order in which they came.

What is sealed is changed by nothing that is not: a correction of an event under an earlier seal counts once a good seal
covers the correction too, and so does the void of a round that began under one.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from replay.event_fields import Envelope
from replay.events import OF_THE_TABLE, STARTS_A_ROUND, from_fields
from replay.opening import day_of

_ENVELOPE: Final = tuple(Envelope.model_fields)


class Correction(NamedTuple):
    """What became of an event that puts another one right."""

    corrects: int
    was: Any = None
    """The event as it was said."""
    now: Any = None
    """The event as this correction has it."""
    wrong: str = ""
    """Why it changes nothing; empty: it does."""
    waits: bool = False
    """It changes nothing before it is sealed."""


class Besides(NamedTuple):
    """What is to be known of an event beside what it says."""

    correction: Correction | None = None
    """It puts another one right, or calls a round void: ``corrects`` is then the event that begins it."""
    said: Any = None
    """It was said so, and put right; None: it stands as it was said."""
    by: tuple[int, ...] = ()
    """The corrections by which it was put right, the one that counts last."""
    voided: int = 0
    """It begins a round that this event calls void."""


NOTHING: Final = Besides()


class Resolved(NamedTuple):
    """What is folded of a session in which something is put right."""

    standing: dict[int, Any]
    """The events that stand in another form than they were said, by number."""
    besides: dict[int, Besides]
    """By number."""


def is_correction(event: Any) -> bool:
    """Whether this event puts another one right."""
    kind = event.type
    return kind == "event_corrected" or (kind == "bet_settled" and event.corrects is not None)


def puts_right(event: Any) -> bool:
    """Whether this event says something of what was before it: a session that has one cannot be folded as it comes."""
    return event.type == "round_voided" or is_correction(event)


def resolve(events: Mapping[int, Any], may: Callable[[int, int], bool]) -> Resolved:
    """Resolve all corrections and voids of a session. ``events``: by number, in order. ``may``: whether the correction
    of the second number may change the event of the first one."""
    standing: dict[int, Any] = {}
    told: dict[int, Correction] = {}
    by: dict[int, list[int]] = {}
    left = [-seq for seq, event in events.items() if is_correction(event)]
    heapq.heapify(left)
    while left:
        seq = -heapq.heappop(left)
        event = standing.get(seq, events[seq])
        if seq in told or not is_correction(event):
            continue
        correction = told[seq] = _one(seq, event, events, may)
        if correction.wrong:
            continue
        target = correction.corrects
        by.setdefault(target, []).append(seq)
        if target not in standing:
            standing[target] = correction.now
            if is_correction(correction.now) and not is_correction(correction.was):
                heapq.heappush(left, -target)
    voids: dict[int, int] = {}
    for seq, begun in _calls(events.values()).items():
        told[seq] = _void(seq, begun, voids, may)
    besides = {
        seq: Besides(
            told.get(seq), events[seq] if seq in standing else None, tuple(reversed(by.get(seq, ()))), voids.get(seq, 0)
        )
        for seq in told.keys() | standing.keys() | voids.keys()
    }
    return Resolved(standing, besides)


def _one(seq: int, event: Any, events: Mapping[int, Any], may: Callable[[int, int], bool]) -> Correction:
    """What becomes of the correction ``event``, whose number is ``seq``."""
    target = event.corrects
    was = events.get(target) if target < seq else None
    if was is None:
        return Correction(target, wrong=f"it corrects event {target}, and there is no such event before it")
    if was.type == "checkpoint":
        return Correction(target, was, wrong=f"it corrects event {target}, which is a seal")
    if event.type == "bet_settled":
        if was.type != "bet_settled" or was.bet != event.bet:
            return Correction(
                target, was, wrong=f"it corrects event {target}, which is no settlement of bet {event.bet}"
            )
        fields = _fields(was) | {"paid": event.paid, "returned": event.returned}
    else:
        correct = event.correct
        if was.type != correct.type:
            wrong = f"it corrects event {target}, which is {was.type}, not {correct.type}"
            return Correction(target, was, wrong=wrong)
        if was.type == "bet_placed" and was.bet != correct.bet:
            return Correction(target, was, wrong=f"it gives the bet of event {target} another id")
        envelope = {name: getattr(was, name) for name in _ENVELOPE}
        fields = envelope | correct.model_dump(by_alias=True)
    now = from_fields(fields)
    if was.type == "table_opened" and day_of(now) != day_of(was):
        return Correction(target, was, wrong="it gives the session another gaming day")
    if not may(target, seq):
        return Correction(
            target, was, now, f"it corrects event {target}, which is sealed, and is not sealed itself", True
        )
    return Correction(target, was, now)


def _fields(event: Any) -> dict[str, Any]:
    """The fields of a settlement."""
    return {name: getattr(event, name) for name in (*_ENVELOPE, "type", "bet", "paid", "returned", "corrects", "by")}


def _void(seq: int, begun: int, voids: dict[int, int], may: Callable[[int, int], bool]) -> Correction:
    """What becomes of event ``seq``, which calls the round void that ``begun`` begins (0: there is none). ``voids``:
    the rounds that are void already, and by what; this one is added where the call counts."""
    if not begun or begun in voids:
        return Correction(begun, wrong="it voids a round, and there is none to be voided")
    if not may(begun, seq):
        return Correction(begun, wrong="it voids a round that is sealed in part, and is not sealed itself", waits=True)
    voids[begun] = seq
    return Correction(begun)


def _calls(events: Iterable[Any]) -> dict[int, int]:
    """The calls that a round is void, by number, and the event that begins the round at hand; 0: none is. A round
    begins and ends here as it does for `replay.session`."""
    found: dict[int, int] = {}
    table = ""
    number = begun = 0
    closed = False
    for event in events:
        kind = event.type
        table = table or event.table
        if kind == "round_voided":
            found[event.seq] = begun if event.table == table and not closed else 0
            continue
        if closed or event.table != table or kind == "checkpoint":
            continue
        closed = kind == "table_closed"
        starts = kind in STARTS_A_ROUND
        if begun and event.round is not None and event.round > number and _of_play(event):
            begun = 0
        if not begun and starts and not (kind == "card_dealt" and event.to == "burn"):
            number = event.round if event.round is not None and event.round > number else number + 1
            begun = event.seq
        if kind == "round_closed":
            begun = 0
    return found


def _of_play(event: Any) -> bool:
    return event.type not in OF_THE_TABLE and not is_correction(event)
