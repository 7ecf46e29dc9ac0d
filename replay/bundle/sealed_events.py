"""The events of one session as the verifier looks at them: from their bytes alone, by no code that writes logs.

Each stands there once and in order, from the first to the closing of the table; under every checkpoint lie the events
that its chain says, and it is signed, as `replay.evidence` defines both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from replay.bundle.seal_keys import SealKeys, sealed_place
from replay.bundle.statements import Claim, Ledger
from replay.line import Line


def check_order(ledger: Ledger, place: str, session: str, heads: Sequence[Line]) -> None:
    """Every event of the session is there once, in order, from the first to the closing of the table. ``place``: the
    member; ``heads``: its lines."""

    def wrong(where: str, text: str) -> None:
        ledger.fail(Claim.ORDER, f"{place}, {where}", text)

    expected = 1
    for line, head in enumerate(heads, 1):
        if not head.seq:
            wrong(f"line {line}", "cannot be read")
            expected += 1
            continue
        if head.session != session:
            wrong(f"event {head.seq} (line {line})", f"is of session {head.session}")
        if head.seq > expected:
            missing = f"event {expected}" if head.seq == expected + 1 else f"events {expected} to {head.seq - 1}"
            wrong(f"{missing} (before line {line})", "missing")
        elif head.seq == expected - 1:
            wrong(f"event {head.seq} (line {line})", "stands there twice")
        elif head.seq < expected:
            wrong(f"event {head.seq} (line {line})", "stands out of order")
        expected = max(expected, head.seq + 1)
    table, _ = sealed_place(heads)
    if not any(head.type == "table_closed" and head.event.table == table for head in heads):
        ledger.fail(Claim.ORDER, place, "ends before the table was closed: what followed, if anything, is not here")


class Seals:
    """The seals of all sessions of a bundle."""

    def __init__(self, ledger: Ledger, keys: SealKeys) -> None:
        self._ledger = ledger
        self._keys = keys
        self.good = 0
        """Whose chain and signature hold; by a trusted key within its scope, where keys were given."""
        self.signed_by: set[str] = set()
        """The keys of these."""
        self.unsigned = 0
        """Of which nobody can tell by whose key they are."""
        self.trusted = 0
        """Signed by trusted keys."""

    def check(self, place: str, lines: Sequence[bytes], heads: Sequence[Line]) -> None:
        """The chain of every checkpoint of a session, the signature on it, and whether its key is for this session."""
        table, gaming_day = sealed_place(heads)
        chain = hashlib.sha256()
        first = 0
        for index, (line, head) in enumerate(zip(lines, heads, strict=True)):
            if head.type == "checkpoint":
                fits = chain.hexdigest() == head.event.chain
                if not fits:
                    where = f"{place}, {in_words(heads[first : index + 1])}"
                    self._ledger.fail(Claim.SEALS, where, "not the events that the table sealed")
                self._sealed(f"{place}, event {head.seq}", head, line, table, gaming_day, fits=fits)
                chain = hashlib.sha256(bytes.fromhex(head.event.chain))
                first = index + 1
            chain.update(line + b"\n")
        if first < len(lines) or not lines:
            where = f"{place}, {in_words(heads[first:])}"
            self._ledger.fail(Claim.SEALS, where, "under no seal of the table")

    def _sealed(self, where: str, head: Line, line: bytes, table: str, gaming_day: str, *, fits: bool) -> None:
        keys, event = self._keys, head.event
        if not keys.at_hand and keys.trusted is None:
            self.unsigned += 1  # that there are no keys is said of the keys
            return
        if wrong := keys.wrong_signature(event, line):
            self.unsigned += 1
            self._ledger.fail(Claim.SEALS, where, wrong)
            return
        trusted = keys.is_trusted(event.key)
        self.trusted += trusted
        if strange := keys.out_of_scope(event, table, gaming_day):
            self._ledger.fail(Claim.SCOPE, where, strange)
        elif fits and (trusted or keys.trusted is None):
            self.good += 1
            self.signed_by.add(event.key)


def in_words(heads: Sequence[Line]) -> str:
    """Events in words: ``events 12 to 25 (round 3)``."""
    known = [head for head in heads if head.seq]
    if not known:
        return "no event" if not heads else "events that cannot be read"
    first, last = known[0].seq, known[-1].seq
    what = f"event {first}" if first == last else f"events {first} to {last}"
    rounds = sorted({head.round for head in known if head.round is not None})
    if not rounds:
        return what
    return f"{what} (round {rounds[0]})" if len(rounds) == 1 else f"{what} (rounds {rounds[0]} to {rounds[-1]})"
