"""A simulated table's gateway: it numbers, stamps and chains what the table tells, and seals it with its key.

Times are microseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.evidence import NO_SIGNATURE, Chain, key_id, public_half, sign

SECOND_US = 1_000_000
_encode = msgspec.json.encode


class Line(NamedTuple):
    """An event on its way: when it happened, and its bytes."""

    at_us: int
    text: bytes


class Gateway:
    """The gateway of one table for one session: every event that the table tells leaves as a line, in order."""

    def __init__(self, table: str, session: str, key: Ed25519PrivateKey) -> None:
        self.table = table
        self.session = session
        self.seq = 0
        """The number of the last event; 0 before the first one."""
        self._key = key
        self._key_id = key_id(public_half(key))
        self._chain = Chain()
        self._waiting: list[Line] = []
        self._minute = (-1, "")
        """The last minute that was written out, and how."""

    def send(self, kind: str, fields: dict[str, Any], *, at_us: int, stamp_us: int) -> int:
        """An event that happened at ``at_us`` and says that it did at ``stamp_us``; its sequence number."""
        event = self._envelope(kind, stamp_us)
        event.update(fields)
        self._leaves(_encode(event), at_us)
        return self.seq

    def seal(self, at_us: int) -> None:
        """A checkpoint, signed: the chain over all that was sent before it."""
        chain = self._chain.value()
        event = self._envelope("checkpoint", at_us)
        event.update(chain=chain, key=self._key_id, signature=NO_SIGNATURE)
        unsigned = _encode(event)
        self._chain = Chain(chain)
        self._leaves(unsigned.replace(NO_SIGNATURE.encode(), sign(self._key, chain, unsigned).encode()), at_us)

    def take(self) -> list[Line]:
        """The lines that have left since the last call."""
        lines, self._waiting = self._waiting, []
        return lines

    def _envelope(self, kind: str, stamp_us: int) -> dict[str, Any]:
        self.seq += 1
        return {
            "v": 1,
            "type": kind,
            "session": self.session,
            "seq": self.seq,
            "at": self._time(stamp_us),
            "table": self.table,
            "device": self.table,
        }

    def _leaves(self, text: bytes, at_us: int) -> None:
        self._chain.add(text)
        self._waiting.append(Line(at_us, text))

    def _time(self, at_us: int) -> str:
        minute, micro = divmod(at_us, 60 * SECOND_US)
        if self._minute[0] != minute:
            moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
            self._minute = (minute, moment.strftime("%Y-%m-%dT%H:%M:"))
        return f"{self._minute[1]}{micro // SECOND_US:02d}.{micro % SECOND_US:06d}Z"
