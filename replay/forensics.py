"""Forensic replay: one session told step by step, with the table as it lies after each event.

`replay` folds a session exactly as `replay.refold.fold` does, and writes down after every event what there is to see:
the bets with what they have come to, the cards, dice and ball as the devices reported them (`Tableau`) and what the
game itself shows (`replay.games.Game.lying`), what was said (settlements), and the findings at the event they are
about. `differences` holds two replays of one session, under two rule packs, against each other.

All amounts are minor units, all times microseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from replay.book import Bet, Book, microseconds
from replay.judging import Judging
from replay.order import Happened, Hole, Ordered
from replay.results import Finding, SessionSummary, Settlement, Streak, Verdict
from replay.revisions import final, identity
from replay.segment import Said
from replay.session import Session
from replay.tableau import Shown, Tableau, describe, pick_shown

_MAX_PLACES: Final = 10_000
"""A hole of more events than these is not looked up event by event."""

HOLE: Final = "hole"
"""The type of a step that stands for events that are missing, in dispute or unreadable."""


class BetShown(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One bet as it stands after a step."""

    bet: str
    round: int
    """The round in which it was placed."""
    seat: int
    player: str
    wager: str
    pick: str
    lies: str
    """Where it lies while it is undecided, where wager and pick do not say it: the number that a come bet has gone
    to."""
    of: str
    """The bet that it belongs to; empty where it belongs to none."""
    amount: int
    """What plays."""
    refund: int
    """What was laid on it in vain and must come back."""
    status: str
    """``playing`` (undecided), ``due`` (decided, and nothing done with it yet), ``settled``, ``withdrawn``, ``refused``
    (it is due back), ``unsettled`` (its round was closed without a claim)."""
    paid: int | None
    """Winnings that the rules give; None while it is undecided."""
    returned: int | None
    claimed_paid: int | None
    """What was handed over; None before the claim."""
    claimed_returned: int | None
    wins: dict[str, int]
    """What it would be paid now if it won, by the case that would make it win (empty: the only one). Empty where the
    bet is decided, or the game cannot say."""
    passage: str


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One event, or one hole, and the table after it."""

    seq: int
    last_seq: int
    """The same as ``seq``, but for a hole of several events."""
    type: str
    """The event's, or `HOLE`."""
    at_us: int
    """Of a hole, the time of the event before it."""
    round: int
    """The round that the table is in after the step; 0 before the first."""
    text: str
    """The event for people."""
    raw: str
    """The event's exact line; what is no UTF-8 in it as backslash escapes. Empty for a hole."""
    table: Shown
    bets: tuple[BetShown, ...]
    settlements: tuple[Settlement, ...]
    """Said at this event: the claim beside what the rules give."""
    findings: tuple[Finding, ...]
    """About this event. One that a later event took back is marked ``withdrawn``."""


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """A session from its first event to its last."""

    summary: SessionSummary
    steps: tuple[Step, ...]
    """All steps, or those of the round asked for."""
    settlements: tuple[Settlement, ...]
    """The last word on every bet of the session."""
    findings: tuple[Finding, ...]
    """All findings of the session that stand."""
    streaks: tuple[Streak, ...]
    """What each process that watches for streaks has come to at last."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A bet that comes to something else under another rule pack, or a finding that only one of the two makes."""

    kind: str
    """``settlement`` or ``finding``."""
    round: int
    bet: str
    """Empty for a finding about no bet."""
    seq: int
    """The event that decides the bet, or that the finding is about."""
    here: Settlement | Finding | None
    """As the first pack has it; None where it has no such bet, or no such finding."""
    there: Settlement | Finding | None


def replay(
    name: str,
    lines: Iterable[bytes],
    judging: Judging,
    *,
    round_number: int | None = None,
) -> Replayed:
    """Replay session ``name`` from its lines, in whatever order they stand. ``round_number``: give the steps of this
    round alone (the session is folded whole all the same)."""
    return replay_ordered(name, Ordered(name, lines, judging.keys), judging, round_number=round_number)


def replay_ordered(
    name: str,
    ordered: Iterable[Any],
    judging: Judging,
    *,
    round_number: int | None = None,
) -> Replayed:
    """The same, from what `replay.order.Ordered` gives."""
    session = Session(name, judging)
    camera = _Camera(session)
    said: list[Said] = []
    drafts: list[_Draft] = []
    duplicates = ordered.duplicates if isinstance(ordered, Ordered) else 0
    rounds: frozenset[int] = frozenset()
    draft: _Draft | None = None
    for part in ordered:
        draft = camera.step(part)
        said += draft.said
        rounds = draft.rounds(rounds)
        if round_number is None or round_number in rounds:
            camera.develop(draft)
            drafts.append(draft)
    session.finish()
    rest = session.drain()
    said += rest
    if draft is not None and drafts and draft is drafts[-1]:
        draft.said += rest
    return Replayed(
        summary=session.summary(duplicates),
        steps=tuple(_finished(drafts, _by_event(said))),
        settlements=tuple(row for row in final(said) if isinstance(row, Settlement)),
        findings=tuple(row for row in final(said) if isinstance(row, Finding)),
        streaks=_last_readings(said),
    )


def _last_readings(said: list[Said]) -> tuple[Streak, ...]:
    """The last reading of each process, in the order of their first ones."""
    return tuple({row.process: row for row in final(said) if isinstance(row, Streak)}.values())


BETWEEN: Final = 0
"""Stands for a round's number where the steps are meant that are of no round."""


class Reel:
    """A session folded once and kept, whose rounds are developed when somebody asks for them: what a viewer pages
    through. The steps of a round are those that `replay` gives for it; going on to the next one folds only what lies
    between, going back folds from the beginning.
    """

    def __init__(self, name: str, ordered: Iterable[Any], judging: Judging) -> None:
        """``ordered``: as for `replay_ordered`."""
        self._name, self._judging = name, judging
        self._parts = list(ordered)
        self._camera = self._loaded()
        self._at = 0
        """How many parts the camera has seen."""
        self._steps_of: dict[int, list[int]] = {}
        """The places of a round's steps among the parts; under `BETWEEN` those of no round."""
        session = Session(name, judging)
        camera = _Camera(session)
        said: list[Said] = []
        rounds: frozenset[int] = frozenset()
        self._places: dict[int, tuple[int, int]] = {}
        for place, part in enumerate(self._parts):
            draft = camera.step(part)
            said += draft.said
            rounds = draft.rounds(rounds)
            for number in rounds or (BETWEEN,):
                steps = self._steps_of.setdefault(number, [])
                seqs = range(part.first, part.last + 1) if isinstance(part, Hole) else (part.event.seq,)
                if len(seqs) <= _MAX_PLACES:
                    self._places |= {seq: (number, len(steps)) for seq in seqs}
                steps.append(place)
        session.finish()
        self._rest = session.drain()
        said += self._rest
        self._by_event = _by_event(said)
        duplicates = ordered.duplicates if isinstance(ordered, Ordered) else 0
        self.told = Replayed(
            summary=session.summary(duplicates),
            steps=(),
            settlements=tuple(row for row in final(said) if isinstance(row, Settlement)),
            findings=tuple(row for row in final(said) if isinstance(row, Finding)),
            streaks=_last_readings(said),
        )
        """The session without its steps."""
        self.rounds = tuple(sorted(self._steps_of.keys() - {BETWEEN}))
        """The numbers of its rounds."""

    def __len__(self) -> int:
        """Events and holes."""
        return len(self._parts)

    def place(self, seq: int) -> tuple[int, int] | None:
        """The last round that this event is a step of (`BETWEEN`: of none), and which of its steps it is, from 0; None
        where the session has no such event."""
        return self._places.get(seq)

    def steps(self, number: int) -> tuple[Step, ...]:
        """The steps of a round, or those `BETWEEN` rounds; empty where there is none."""
        wanted = self._steps_of.get(number)
        if wanted is None:
            return ()
        if wanted[0] < self._at:
            self._camera, self._at = self._loaded(), 0
        chosen = frozenset(wanted)
        drafts: list[_Draft] = []
        for place in range(self._at, wanted[-1] + 1):
            draft = self._camera.step(self._parts[place])
            if place in chosen:
                self._camera.develop(draft)
                drafts.append(draft)
        self._at = wanted[-1] + 1
        if self._at == len(self._parts):
            drafts[-1].said += self._rest
        return tuple(_finished(drafts, self._by_event))

    def _loaded(self) -> _Camera:
        return _Camera(Session(self._name, self._judging))


def differences(here: Replayed, there: Replayed) -> list[Difference]:
    """What two replays of one session, each under its own rule pack, make of it differently, in order of the events.

    A settlement differs where the money does (`paid`, `returned`), or its verdict; that each pack cites its own
    passages is no difference. A finding differs where only one of the two makes it, or with another amount.
    """
    found: list[Difference] = []
    ours: dict[tuple[Any, ...], Settlement | Finding] = {identity(row): row for row in here.settlements + here.findings}
    theirs: dict[tuple[Any, ...], Settlement | Finding] = {
        identity(row): row for row in there.settlements + there.findings
    }
    for key in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get(key), theirs.get(key)
        if one is not None and other is not None and _substance(one) == _substance(other):
            continue
        row = one if one is not None else other
        assert row is not None
        found.append(
            Difference(
                kind="settlement" if isinstance(row, Settlement) else "finding",
                round=row.round,
                bet=row.bet,
                seq=max(row.seqs) if isinstance(row, Settlement) else row.seq,
                here=one,
                there=other,
            )
        )
    return sorted(found, key=lambda difference: difference.seq)


def _substance(row: Settlement | Finding) -> tuple[Any, ...]:
    if isinstance(row, Settlement):
        return (row.paid, row.returned, row.verdict, row.difference)
    return (row.amount,)


# --- the state after an event -------------------------------------------------------------------------------------


class _Draft:
    """A step before it is known which findings are about it."""

    __slots__ = ("bets", "number", "open_before", "open_now", "part", "round", "said", "table", "text")

    def __init__(self, part: Any, open_before: int) -> None:
        self.part = part
        self.open_before = self.open_now = open_before
        """The round that was open before the step, and the one that is after it; 0 for none."""
        self.round = 0
        self.number: int | None = None
        """The round that the event itself bears."""
        self.said: list[Said] = []
        self.table: Shown = {}
        self.bets: tuple[BetShown, ...] = ()
        self.text = ""

    def rounds(self, before: frozenset[int]) -> frozenset[int]:
        """The rounds that this step is of (none: it stands between rounds): it says so, or the round is open, or this
        is the seal that closes it. ``before``: those of the step before."""
        if self.number is not None:
            return frozenset((self.number,))
        if not isinstance(self.part, Hole) and self.part.event.type == "checkpoint":
            return before | {self.open_now} - {0}
        return frozenset((self.open_before, self.open_now)) - {0}


class _Camera:
    """Lets the session take one step after the other, and looks at it in between."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.tableau = Tableau()
        self._pictures: dict[tuple[int, str], BetShown] = {}
        """The last picture of each bet on the table: one that has not changed is the same object."""

    def step(self, part: Any) -> _Draft:
        session = self.session
        rounds = session.counts.rounds
        draft = _Draft(part, session.round if session.round_open else 0)
        part.befall(session)
        if not isinstance(part, Hole):
            event = part.event
            if session.counts.rounds != rounds:
                self.tableau.clear()
            self.tableau.see(event, session.game.numbers_called if session.game is not None else {})
            draft.number = event.round
        draft.round = session.round
        draft.open_now = session.round if session.round_open else 0
        draft.said = session.drain()
        return draft

    def develop(self, draft: _Draft) -> None:
        """Look at the table as it is now."""
        session = self.session
        book, game = session.book, session.game
        currency = session.table.currency if session.table is not None else ""
        called = game.numbers_called if game is not None else {}
        part = draft.part
        draft.text = part.reason if isinstance(part, Hole) else _in_words(part, currency, called)
        draft.table = self.tableau.shown()
        if book is None or game is None:
            return
        if not session.blind:
            draft.table |= game.lying()
        if game.outcome:
            draft.table["outcome"] = game.outcome
        pictures: dict[tuple[int, str], BetShown] = {}
        for bet, status in _bets(book):
            key = (bet.round, bet.id)
            known_now = not bet.decided and not session.blind
            lies, wins = (game.lies(bet), game.wins(bet)) if known_now else ("", {})
            picture = _picture(bet, status, pick_shown(bet.pick, called), lies, wins)
            known = self._pictures.get(key)
            pictures[key] = known if known == picture and known is not None else picture
        self._pictures = pictures
        draft.bets = tuple(pictures.values())


def _in_words(part: Happened, currency: str, called: Mapping[int, str]) -> str:
    """The event as it is folded, and as it was said where it was put right."""
    text = describe(part.event, currency, called)
    besides = part.besides
    if besides.said is None:
        return text
    by = " and ".join(f"event {seq}" for seq in besides.by)
    return f"{text} (put right by {by}; it was said: {describe(besides.said, currency, called)})"


def _bets(book: Book) -> Iterator[tuple[Bet, str]]:
    """Every bet on the table, and how it stands; in order of placing."""
    found = [(bet, "playing") for bet in book.live.values()]
    found += [(bet, "unsettled" if bet.unsettled else "refused" if bet.refused else "due") for bet in book.due.values()]
    found += [(bet, "unsettled") for bets in (book.overdue, book.lapsed) for bet in bets.values()]
    found += [(bet, "withdrawn" if bet.withdrawn else "settled") for bet in book.settled.values()]
    yield from sorted(found, key=lambda pair: (pair[0].seqs[0], pair[0].id))


def _picture(bet: Bet, status: str, pick: str, lies: str, wins: dict[str, int]) -> BetShown:
    return BetShown(
        bet=bet.id,
        round=bet.round,
        seat=bet.seat,
        player=bet.player or "",
        wager=bet.wager_id,
        pick=pick,
        lies=lies,
        of=bet.of or "",
        amount=bet.amount,
        refund=bet.refund,
        status=status,
        paid=bet.paid if bet.decided else None,
        returned=bet.returned if bet.decided else None,
        claimed_paid=bet.claimed_paid,
        claimed_returned=None if bet.claimed_paid is None else bet.claimed_returned,
        wins=wins,
        passage=bet.passage,
    )


def _by_event(said: list[Said]) -> dict[int, list[Finding]]:
    """The last word of every finding, by the event that it is about."""
    findings: dict[tuple[Any, ...], Finding] = {}
    for row in said:
        if isinstance(row, Finding):
            findings[identity(row)] = row
    found: dict[int, list[Finding]] = {}
    for finding in findings.values():
        found.setdefault(finding.seq, []).append(finding)
    return found


def _finished(drafts: list[_Draft], by_seq: dict[int, list[Finding]]) -> Iterator[Step]:
    """The steps, each with the findings about its event."""
    at_us = 0
    for draft in drafts:
        part = draft.part
        if isinstance(part, Hole):
            first, last, kind, raw = part.first, part.last, HOLE, ""
        else:
            event = part.event
            first, last, kind, raw = event.seq, event.seq, event.type, part.line.decode("utf-8", "backslashreplace")
            at_us = microseconds(event.at)
        about = by_seq.get(first, []) if last == first else [f for s in by_seq if first <= s <= last for f in by_seq[s]]
        yield Step(
            seq=first,
            last_seq=last,
            type=kind,
            at_us=at_us,
            round=draft.round,
            text=draft.text,
            raw=raw,
            table=draft.table,
            bets=draft.bets,
            settlements=tuple(
                row for row in draft.said if isinstance(row, Settlement) and row.verdict is not Verdict.RETRACTED
            ),
            findings=tuple(about),
        )


# --- in words -----------------------------------------------------------------------------------------------------
