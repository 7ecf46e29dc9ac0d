"""Session logs for the tests of the core: well-formed lines, settled by a dealer of these few lines of arithmetic.

Nothing here calls the engine: what a log's bets are worth is worked out a second time, so that the two can be compared.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import strategies as st

from replay.evidence import NO_SIGNATURE, key_id, public_half, sign

OPENED: Final = datetime(2026, 11, 29, 20, 0, 0, tzinfo=UTC)
STEP: Final = timedelta(milliseconds=1250)
KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
"""The gateway's key. Not a secret: it signs the tests' own logs."""
KEYS: Final = {key_id(public_half(KEY)): public_half(KEY)}

SIMPLE_CHANCES: Final = {
    "red": (2, 4, 7, 9),
    "black": (1, 3, 6, 8),
    "even": (2, 4, 6, 8),
    "odd": (1, 3, 7, 9),
    "high": (6, 7, 8, 9),
    "low": (1, 2, 3, 4),
}


@dataclass
class Stake:
    """A bet at boule, and what the dealer does with it: ``error`` minor units too many or too few, 0 as a rule."""

    wager: str = "red"
    pick: int | None = None
    amount: int = 1000
    seat: int = 1
    error: int = 0
    claim: str = "now"
    """``now``, ``early`` (before the ball), ``late`` (after the round was closed), ``twice`` or ``never``."""
    withdrawn: bool = False

    def due(self, number: int) -> tuple[int, int]:
        """Winnings and stake given back, when ``number`` comes."""
        if self.wager == "straight_up":
            return (7 * self.amount, self.amount) if self.pick == number else (0, 0)
        return (self.amount, self.amount) if number in SIMPLE_CHANCES[self.wager] else (0, 0)


@dataclass
class Coup:
    """One round of boule."""

    number: int = 7
    stakes: list[Stake] = field(default_factory=list)
    late_stake: bool = False
    """Somebody bets after the call; the stake goes back."""


@dataclass
class Log:
    """The lines of a session, event ``seq`` at index ``seq`` - 1, and where its rounds lie."""

    session: str
    table: str
    lines: list[bytes] = field(default_factory=list)
    rounds: list[range] = field(default_factory=list)
    """The seqs of each round, its checkpoint included."""

    def kind(self, seq: int) -> str:
        kind: str = json.loads(self.lines[seq - 1])["type"]
        return kind

    def bets(self, number: int) -> set[str]:
        """The bets placed in a round."""
        events = [json.loads(self.lines[seq - 1]) for seq in self.rounds[number - 1]]
        return {event["bet"] for event in events if event["type"] == "bet_placed"}


class Writer:
    """Writes one session's log, as the table's gateway does."""

    def __init__(
        self,
        session: str,
        table: str,
        *,
        numbered: bool = True,
        sealed: bool = True,
        key: Ed25519PrivateKey = KEY,
    ) -> None:
        self.log = Log(session, table)
        self.round: int | None = None
        self._numbered = numbered
        self._sealed = sealed
        self._key = key
        self._chain = hashlib.sha256()

    def event(self, kind: str, /, **fields: Any) -> None:
        """The next event."""
        line = self._line(kind, fields)
        self.log.lines.append(line)
        self._chain.update(line + b"\n")

    def seal(self) -> None:
        """A checkpoint, where the log has any."""
        if not self._sealed:
            return
        chain = self._chain.hexdigest()
        fields = {"chain": chain, "key": key_id(public_half(self._key)), "signature": NO_SIGNATURE}
        unsigned = self._line("checkpoint", fields)
        line = unsigned.replace(NO_SIGNATURE.encode(), sign(self._key, chain, unsigned).encode())
        self.log.lines.append(line)
        self._chain = hashlib.sha256(bytes.fromhex(chain))
        self._chain.update(line + b"\n")

    def _line(self, kind: str, fields: dict[str, Any]) -> bytes:
        seq = len(self.log.lines) + 1
        at = (OPENED + seq * STEP).isoformat(timespec="microseconds").replace("+00:00", "Z")
        envelope: dict[str, Any] = {"v": 1, "type": kind, "session": self.log.session, "seq": seq, "at": at}
        envelope |= {"table": self.log.table, "device": f"{self.log.table}-{kind[:4]}"}
        if self._numbered and self.round is not None:
            envelope["round"] = self.round
        return json.dumps(envelope | fields, separators=(",", ":")).encode()


def resealed(lines: Iterable[bytes], key: Ed25519PrivateKey = KEY) -> list[bytes]:
    """The lines as they are, whatever they are, with the checkpoints among them made anew."""
    made: list[bytes] = []
    chain = hashlib.sha256()
    for line in lines:
        if b'"chain"' in line:
            value = chain.hexdigest()
            fields = {"chain": value, "key": key_id(public_half(key)), "signature": NO_SIGNATURE}
            line = json.dumps(json.loads(line) | fields, separators=(",", ":")).encode()
            line = line.replace(NO_SIGNATURE.encode(), sign(key, value, line).encode())
            chain = hashlib.sha256(bytes.fromhex(value))
        chain.update(line + b"\n")
        made.append(line)
    return made


def boule(
    coups: Sequence[Coup],
    *,
    session: str = "BO01-2026-11-29",
    rules: str = "AD-2025",
    numbered: bool = True,
    announced: bool = True,
    sealed: bool = True,
    closed: bool = True,
) -> Log:
    """A night of boule. ``numbered``: events bear their round's number; ``announced``: rounds begin with
    round_opened."""
    table = session[:4]
    writer = Writer(session, table, numbered=numbered, sealed=sealed)
    limits = {"min": 200, "max": 100000, "straight_up": {"min": 200, "max": 20000}}
    house = {"casino": "Casino", "pit": "P1", "game": "boule", "rules": rules, "currency": "EUR", "chip_unit": 100}
    writer.event("table_opened", **house, limits=limits, float=500000)
    writer.event("dealer_on", dealer="d17")
    late: list[dict[str, Any]] = []
    for index, coup in enumerate(coups):
        first = len(writer.log.lines) + 1
        writer.round = index + 1
        _coup(writer, coup, f"{index + 1}", announced, late)
        writer.seal()
        writer.log.rounds.append(range(first, len(writer.log.lines) + 1))
        writer.round = None
        if index % 3 == 1:
            writer.event("fill", amount=10000 + index)
    if closed:
        writer.event("table_closed", float=498000)
        writer.seal()
        writer.event("drop_counted", amount=77000)
        writer.seal()
    return writer.log


def _coup(writer: Writer, coup: Coup, name: str, announced: bool, late: list[dict[str, Any]]) -> None:
    if announced:
        writer.event("round_opened")
    ids = [f"b{name}-{index}" for index in range(len(coup.stakes))]
    for bet, stake in zip(ids, coup.stakes, strict=True):
        fields: dict[str, Any] = {"bet": bet, "seat": stake.seat, "wager": stake.wager, "amount": stake.amount}
        if stake.pick is not None:
            fields["pick"] = stake.pick
        writer.event("bet_placed", **fields)
    for bet, stake in zip(ids, coup.stakes, strict=True):
        if stake.withdrawn:
            writer.event("bet_withdrawn", bet=bet)
    claims = [
        (stake, _claim(bet, coup.number, stake))
        for bet, stake in zip(ids, coup.stakes, strict=True)
        if not stake.withdrawn
    ]
    for claim in late:
        writer.event("bet_settled", **claim)
    late.clear()
    writer.event("bets_closed")
    for stake, claim in claims:
        if stake.claim == "early":
            writer.event("bet_settled", **claim)
    if coup.late_stake:
        writer.event("bet_placed", bet=f"b{name}-late", seat=9, wager="black", amount=500)
        writer.event("bet_settled", bet=f"b{name}-late", paid=0, returned=500)
    writer.event("ball_landed", number=coup.number)
    for stake, claim in claims:
        if stake.claim in ("now", "twice"):
            writer.event("bet_settled", **claim)
        if stake.claim == "twice":
            writer.event("bet_settled", **claim)
        if stake.claim == "late":
            late.append(claim)
    writer.event("round_closed")


def _claim(bet: str, number: int, stake: Stake) -> dict[str, Any]:
    paid, returned = stake.due(number)
    return {"bet": bet, "paid": max(0, paid + stake.error), "returned": returned}


def sample(seed: int, coups: int, *, errors: bool = True, **options: Any) -> Log:
    """A night of boule drawn by ``seed``: stakes of each kind and, with ``errors``, dealer's errors of each kind."""
    chance = random.Random(seed)
    return boule([_drawn_coup(chance, errors) for _ in range(coups)], **options)


def _drawn_coup(chance: random.Random, errors: bool) -> Coup:
    stakes = []
    for _ in range(chance.randint(1, 4)):
        wager = chance.choice([*SIMPLE_CHANCES, "straight_up"])
        stake = Stake(wager, chance.randint(1, 9) if wager == "straight_up" else None, 100 * chance.randint(2, 50))
        stake.seat = chance.randint(1, 7)
        if errors:
            stake.error = chance.choice([0, 0, 0, 0, 100, -100])
            stake.claim = chance.choice(["now"] * 8 + ["early", "twice", "never"])
            stake.withdrawn = chance.random() < 0.1
        stakes.append(stake)
    return Coup(chance.randint(1, 9), stakes, errors and chance.random() < 0.1)


@st.composite
def stakes(draw: st.DrawFn) -> Stake:
    """Any stake that a boule table can see, and any way in which it is settled."""
    wager = draw(st.sampled_from([*SIMPLE_CHANCES, "straight_up"]))
    return Stake(
        wager=wager,
        pick=draw(st.integers(1, 9)) if wager == "straight_up" else None,
        amount=draw(st.integers(1, 200)) * 100,
        seat=draw(st.integers(1, 4)),
        error=draw(st.sampled_from([0, 0, 0, 100, -100])),
        claim=draw(st.sampled_from(["now", "now", "now", "early", "late", "twice", "never"])),
        withdrawn=draw(st.integers(0, 7)) == 7,
    )


@st.composite
def logs(draw: st.DrawFn, *, session: str = "BO01-2026-11-29", most_coups: int = 4) -> Log:
    """Any well-formed night of boule."""
    coups = draw(
        st.lists(
            st.builds(Coup, st.integers(1, 9), st.lists(stakes(), max_size=3), st.booleans()),
            min_size=1,
            max_size=most_coups,
        )
    )
    yes = st.booleans()
    return boule(
        coups,
        session=session,
        numbered=draw(yes),
        announced=draw(yes),
        sealed=draw(yes),
        closed=draw(st.just(True) | yes),
    )


def altered(line: bytes, **fields: Any) -> bytes:
    """The line with other values in it; a value of ``...`` takes the field out."""
    event = json.loads(line) | fields
    return json.dumps({key: value for key, value in event.items() if value is not ...}, separators=(",", ":")).encode()


def interleaved(chance: random.Random, logs: Iterable[Sequence[bytes]]) -> list[bytes]:
    """The lines of several logs, each in its own order."""
    queues = [list(reversed(log)) for log in logs]
    lines = []
    while queues := [queue for queue in queues if queue]:
        lines.append(chance.choice(queues).pop())
    return lines


def put_right(chance: random.Random, lines: Sequence[bytes], most: int = 4) -> list[bytes]:
    """The same log with corrections of every kind in it, void rounds, money outside the rules, other limits, chips; its
    events numbered anew, and sealed anew where they were."""
    events = [json.loads(line) for line in lines]
    for _ in range(chance.randint(1, most)):
        place = chance.randint(2, len(events))
        before = events[place - 1]
        told = {name: before[name] for name in ("session", "at", "table", "round") if name in before}
        fresh = {"v": 1, **told, "device": "desk", **_said_of(chance, chance.choice(events[:place]))}
        events.insert(place, {**fresh, "seq": 0})
    numbers = {id(event): seq for seq, event in enumerate(events, 1)}
    for event in events:
        event["seq"] = numbers[id(event)]
        if "corrects" in event and not isinstance(event["corrects"], int):
            event["corrects"] = numbers[id(event["corrects"])]
    written = [json.dumps(event, separators=(",", ":")).encode() for event in events]
    return resealed(written)


def _said_of(chance: random.Random, target: dict[str, Any]) -> dict[str, Any]:
    """The type and fields of an event that puts ``target`` right, or says something else beside play."""
    beside: list[dict[str, Any]] = [
        {"type": "round_voided", "reason": "ball out", "by": "dir1"},
        {"type": "goodwill_paid", "amount": 700, "reason": "complaint", "by": "dir1"},
        {"type": "limits_changed", "limits": {"min": 300, "max": 60000}},
        {"type": "cash_in", "amount": 5000, "player": "p1"},
        {"type": "chips_counted", "amount": 490000},
    ]
    own = {name: value for name, value in target.items() if name not in _ENVELOPE or name == "type"}
    match target["type"]:
        case "ball_landed":
            own["number"] = chance.randint(1, 9)
        case "bet_placed":
            own["amount"] = 100 * chance.randint(2, 50)
        case "bet_settled" if chance.random() < 0.7:
            again = {"paid": chance.choice([0, own["paid"], 900]), "returned": own["returned"]}
            return {"type": "bet_settled", "bet": own["bet"], **again, "corrects": target, "by": "sup1"}
        case "round_opened" | "round_closed" | "dealer_on" | "fill" | "table_opened":
            return chance.choice(beside)
    if "corrects" in own:
        own["corrects"] = chance.randint(1, 9)
    if chance.random() < 0.2:
        own = {"type": "bets_closed"}
    return {"type": "event_corrected", "corrects": target, "correct": own, "reason": "misread", "by": "sup1"}


_ENVELOPE: Final = frozenset({"v", "type", "session", "seq", "at", "table", "device", "round"})
