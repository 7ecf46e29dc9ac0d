"""What retally says: settlements, findings and the rows that tell of sessions, rounds, streaks and the cage.

Every record here is a value: it is made once, by a fold, and never changed. Money is an ``int`` of the currency's
minor unit. Times are microseconds since 1970-01-01 UTC. A record that is said again carries a higher ``revision``
(the number of distinct events of the session that were known when it was said) under the same identity, and replaces
the earlier one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec


class Verdict(StrEnum):
    """What the comparison of a claim with the recomputed settlement came to."""

    MATCH = "match"
    UNDERPAID = "underpaid"
    OVERPAID = "overpaid"
    UNSETTLED = "unsettled"
    UNVERIFIABLE = "unverifiable"
    OPEN = "open"
    WITHDRAWN = "withdrawn"
    UNCLAIMED = "unclaimed"
    """Decided, and no claim was due: the table reports none, or a beaten hand among players needs none; or none was due
    yet when the log ended."""
    RETRACTED = "retracted"
    """Told of a bet that, as later evidence shows, was never placed in this round: the last word on it is nothing."""


_MATCH: Final = Verdict.MATCH  # of an enum's class it takes ten times as long to fetch a member


def judged(paid: int | None, returned: int, due: int) -> tuple[Verdict, int]:
    """The verdict on a claim (``paid`` None: there is none) against what is ``due`` in all, and by how much it is off.
    Minor units."""
    if paid is None:
        return Verdict.UNCLAIMED, 0
    difference = paid + returned - due
    if not difference:
        return _MATCH, 0
    return Verdict.OVERPAID if difference > 0 else Verdict.UNDERPAID, difference


class Kind(StrEnum):
    """The four families of findings."""

    MONEY = "money"
    PROCEDURE = "procedure"
    EVIDENCE = "evidence"
    STREAK = "streak"


class Severity(StrEnum):
    """How soon somebody should look: ``severe`` now, ``warning`` this night, ``notice`` in the morning."""

    NOTICE = "notice"
    WARNING = "warning"
    SEVERE = "severe"


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """One bet, recomputed. Identity: (session, round in which the bet was placed, bet)."""

    session: str
    round: int
    bet: str
    gaming_day: str
    """ISO date."""
    casino: str
    pit: str
    table: str
    game: str
    rules: str
    """The rule pack, resolved (``AD-2025``, never ``AD``)."""
    currency: str
    dealer: str
    player: str
    seat: int | None
    wager: str
    pick: str
    """The number, card or column chosen, as text; empty where the wager has none."""
    stake: int
    """What lay on the bet when it was decided, refused parts included."""
    paid: int | None
    """Winnings that the rules give; None while the bet is open or cannot be verified."""
    returned: int | None
    """Stake that the rules give back; None likewise."""
    claimed_paid: int | None
    claimed_returned: int | None
    verdict: Verdict
    difference: int
    """What was handed over less what was due, in all: positive is overpaid. 0 where nothing is compared."""
    passage: str
    """The passage of the regulation that decides."""
    seqs: tuple[int, ...]
    """The events it rests on: placing, raises, what decided it, the claim."""
    placed_at_us: int
    settled_at_us: int
    """Time of the last event in ``seqs``."""
    revision: int


class Finding(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Something is wrong. Identity: (session, seq, code, subject)."""

    session: str
    seq: int
    code: str
    subject: str
    """The bet, else the seat, else empty: tells findings of one event and code apart."""
    gaming_day: str
    casino: str
    pit: str
    table: str
    game: str
    rules: str
    currency: str
    dealer: str
    player: str
    round: int
    seat: int | None
    bet: str
    amount: int | None
    kind: Kind
    severity: Severity
    passage: str
    text: str
    """One sentence that a pit boss understands."""
    seqs: tuple[int, ...]
    at_us: int
    withdrawn: bool
    """True once later events took it back; it stays on record."""
    revision: int


class Round(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One round of a table. Identity: (session, round)."""

    session: str
    round: int
    gaming_day: str
    casino: str
    pit: str
    table: str
    game: str
    rules: str
    currency: str
    dealer: str
    opened_seq: int
    """0: taken back, there was no such round."""
    closed_seq: int
    """0 while the round is open."""
    opened_at_us: int
    closed_at_us: int
    outcome: str
    """What decided it, in the game's own notation (``3-4``, ``player 7 banker 6``)."""
    bets: int
    staked: int
    findings: int
    sealed: bool
    """A checkpoint closed it, and chain and signature hold."""
    verifiable: bool
    """False when evidence of it is missing, in conflict, rejected or altered."""
    revision: int


class Cage(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Chips that came to or left a table other than by play. Identity: (session, seq, movement)."""

    session: str
    seq: int
    movement: str
    """``float_open``, ``float_close``, ``fill``, ``credit``, ``drop_counted``; to the box, from the tray ``rake_taken``
    and ``commission_taken``, from a seat's own chips ``fee_taken``; ``goodwill_paid``, from the tray; the types of
    `replay.events.OF_CHIPS`."""
    gaming_day: str
    casino: str
    pit: str
    table: str
    game: str
    currency: str
    dealer: str
    """Who had the table."""
    player: str
    """Whose chips or money; empty where it is nobody's, or is not known."""
    form: str
    """What money or chips, in the device's word; empty where it says nothing."""
    amount: int
    at_us: int
    """0: taken back, there was no such movement."""
    revision: int


class Streak(
    msgspec.Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    rename={"log10_wealth_milli": "e_milli", "log10_alarm_milli": "alarm_milli"},
):
    """What one e-process of `replay.streaks` has come to by some event. Identity: (session, process, seq).

    It is an estimate about play, of which a finding speaks when it is beyond doubt.
    """

    session: str
    process: str
    """Its name, unique in the session."""
    seq: int
    gaming_day: str
    casino: str
    pit: str
    table: str
    game: str
    rules: str
    currency: str
    dealer: str
    """Whom it watches; empty where it watches none."""
    player: str
    round: int
    """The round after which it was read."""
    code: str
    """Of the finding when it alarms."""
    log10_wealth_milli: int
    """Thousandths of the decimal logarithm of its wealth: 3000 is a thousandfold stake."""
    log10_alarm_milli: int
    """What ``log10_wealth_milli`` must reach once for an alarm on its own."""
    observations: int
    state: str
    """``running``; ``ended`` (the dice were changed, the table was closed); ``alarmed``, from its alarm on for ever."""
    at_us: int
    """0: taken back, there was no such reading."""
    revision: int


class SessionSummary(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A table's gaming day in one row. Identity: session."""

    session: str
    gaming_day: str
    casino: str
    pit: str
    table: str
    game: str
    rules: str
    law: str
    """SHA-256 (hexadecimal) of the texts of the law that judged it (`replay.packs.Packs.digest`): two sessions with one
    ``law`` were judged by the same words. Empty where the table could not be judged."""
    currency: str
    state: str
    """``open`` or ``closed``."""
    opened_at_us: int
    closed_at_us: int
    float_open: int
    float_close: int
    fills: int
    credits: int
    drop: int
    events: int
    rounds: int
    settlements: int
    findings: int
    gaps: int
    """Holes in the sequence."""
    conflicts: int
    duplicates: int
    """Copies with equal bytes, which were ignored. Not part of what must be equal however the log arrives."""
    rejected: int
    checkpoints_good: int
    checkpoints_bad: int
    revision: int


class RawEvent(msgspec.Struct, frozen=True, gc=False):
    """An event as it came. Identity: (session, seq, digest): two events in conflict are both kept."""

    session: str
    seq: int
    digest: str
    """SHA-256 of ``raw``, hexadecimal."""
    gaming_day: str
    table: str
    device: str
    type: str
    round: int
    at_us: int
    raw: bytes


class Rejected(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line that is no event of the contract. Identity: (source, place, digest)."""

    source: str
    """File or topic and partition."""
    place: int
    """Line number (from 1) or offset."""
    digest: str
    """SHA-256 of ``raw``, hexadecimal."""
    session: str
    """Where it could be read, else empty."""
    seq: int
    """Where it could be read, else 0."""
    field: str
    reason: str
    raw: bytes


Row = Settlement | Finding | Round | Cage | Streak | SessionSummary | RawEvent | Rejected
