"""A hundred thousand closed sessions in one audit: what each of them leaves in memory."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import time
from collections.abc import Iterator
from typing import Any, Final

from replay.audit import Auditor
from replay.evidence import NO_SIGNATURE
from replay.streaks.watch import WatchSettings
from tests.installed import judged

SESSIONS: Final = int(os.environ.get("RETALLY_BENCH_SESSIONS", "100000"))
_LINES_A_BATCH: Final = 5_000
_ROUNDS: Final = 2


class _Lines:
    """One session of craps, sealed round by round; nobody checks the signatures."""

    def __init__(self, number: int) -> None:
        self._name = f"CR{number % 500:03}-session-{number}"
        self._table = self._name[:5]
        self._seq = 0
        self._chain = hashlib.sha256()

    def _event(self, kind: str, **fields: Any) -> bytes:
        self._seq += 1
        envelope = {"v": 1, "type": kind, "session": self._name, "seq": self._seq, "at": "2026-11-29T21:00:00Z"}
        line = json.dumps(envelope | {"table": self._table, "device": "d"} | fields, separators=(",", ":")).encode()
        if kind != "checkpoint":
            self._chain.update(line + b"\n")
        return line

    def _seal(self) -> bytes:
        chain = self._chain.hexdigest()
        line = self._event("checkpoint", chain=chain, key="0" * 16, signature=NO_SIGNATURE)
        self._chain = hashlib.sha256(bytes.fromhex(chain) + line + b"\n")
        return line

    def __iter__(self) -> Iterator[bytes]:
        house = {"casino": "C", "pit": "P", "game": "craps", "rules": "AD-2025", "currency": "EUR", "chip_unit": 100}
        yield self._event("table_opened", **house, limits={"min": 100, "max": 100_000}, float=0)
        for number in range(1, _ROUNDS + 1):
            yield self._event("round_opened", round=number)
            for seat in range(3):
                stake = {"bet": f"b{number}{seat}", "seat": seat, "wager": "field", "amount": 1000}
                yield self._event("bet_placed", **stake, round=number)
            yield self._event("dice_rolled", dice=[3, 4], seat=1, round=number)
            for seat in range(3):
                yield self._event("bet_settled", bet=f"b{number}{seat}", paid=0, returned=0, round=number)
            yield self._event("round_closed", round=number)
            yield self._seal()
        yield self._event("table_closed", float=0)
        yield self._seal()
        yield self._event("drop_counted", amount=5)
        yield self._seal()


def _resident_kib() -> int:
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def sessions() -> Iterator[str]:
    """Memory by the number of sessions that were closed, each watched for streaks."""
    auditor = Auditor(judged(watching=WatchSettings()))
    started, place, before = time.monotonic(), 0, 0
    for number in range(SESSIONS):
        for line in _Lines(number):
            place += 1
            auditor.feed(line, "bench", place)
            if place % _LINES_A_BATCH == 0:
                auditor.drain(sealed=True)
        if (number + 1) % (SESSIONS // 10) == 0:
            now = _resident_kib()
            each = f", {(now - before) * 1024 / (SESSIONS // 10):,.0f} bytes for each more" if before else ""
            took = time.monotonic() - started
            yield f"{number + 1:,} sessions, {place:,} events: {now / 1024:,.0f} MiB{each} ({took:,.0f} s)"
            before = now
