"""What has been said since the last seal, and what the next seal must cover.

A seal that does not fit the events takes back all that was said since the one before it; a fault of retally itself
takes back what was said of the round at hand. So rows are kept until they stand, whether they have been taken out or
not, and whoever takes them out may ask for those alone that stand.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import msgspec

from replay.evidence import Chain
from replay.results import Cage, Finding, Kind, Round, Settlement, Streak, Verdict

Said = Settlement | Finding | Round | Cage | Streak
Bets = dict[tuple[int, str], Settlement]
"""By round and bet."""

MAX_UNSEALED: Final = 50_000
"""When so many results have been said since the last checkpoint, the older half of them stands even if the chain
breaks: a log without checkpoints must not fill the memory."""


class TakenBack(NamedTuple):
    """What a `Segment` took back."""

    bets: Bets
    """The settlements that are void, as they were said last."""
    findings: list[Finding]
    """The findings that are void."""


class Seals:
    """The checkpoints of a session, in order."""

    __slots__ = ("at_us", "seqs", "states")

    def __init__(self) -> None:
        self.seqs = array("q")
        self.at_us = array("q")
        self.states = bytearray()
        """What each says of the events since the one before it: `UNTOLD`, `GOOD`, `UNSIGNED` or `BROKEN`."""

    def add(self, seq: int, at_us: int, state: int) -> None:
        """The next one."""
        self.seqs.append(seq)
        self.at_us.append(at_us)
        self.states.append(state)

    def packed(self) -> bytes:
        """In as little room as it takes."""
        return self.seqs.tobytes() + self.at_us.tobytes() + self.states

    @classmethod
    def unpacked(cls, content: bytes) -> Seals:
        """What was packed."""
        seals = cls()
        count = len(content) // 17
        seals.seqs.frombytes(content[: 8 * count])
        seals.at_us.frombytes(content[8 * count : 16 * count])
        seals.states = bytearray(content[16 * count :])
        return seals

    def of(self, seq: int) -> int:
        """The place of the seal that covers this event (of a checkpoint: its own); the count of all where it is still
        to come."""
        return bisect_left(self.seqs, seq)

    def since(self, place: int) -> int:
        """The number of the seal before the one at this place, 0 for none."""
        return self.seqs[place - 1] if place else 0


UNTOLD: Final = 0
"""Events are missing: the chain cannot be checked."""
GOOD: Final = 1
UNSIGNED: Final = 2
"""The chain fits, the signature is not good."""
BROKEN: Final = 3
"""The chain does not fit."""


class Segment:
    """The events since the last checkpoint, and what they have made the session say."""

    __slots__ = ("broken", "chain", "drained", "rounds", "said", "standing")

    def __init__(self) -> None:
        self.chain = Chain()
        self.broken = False
        """Events since the last checkpoint are missing: the chain cannot be checked."""
        self.rounds: list[int] = []
        """The rounds that the next checkpoint seals."""
        self.said: list[Said] = []
        """Results since the last checkpoint, and those before it that have not been taken out."""
        self.drained = 0
        """So many of them have been taken out."""
        self.standing = 0
        """So many of them stand: they are older than the last checkpoint (or than the limit above)."""

    def bound(self) -> None:
        """Too many have been said since the last checkpoint: let the older half of them stand."""
        self.chain.bound()
        if len(self.said) - self.standing > MAX_UNSEALED:
            self.standing += MAX_UNSEALED // 2

    def drain(self, *, sealed: bool) -> list[Said]:
        """What has been said since the last call. ``sealed``: only what no broken chain can take back any more, which
        is all up to the last checkpoint (and what is too old, see `MAX_UNSEALED`)."""
        self.chain.bound()
        end = max(self.standing, self.drained) if sealed else len(self.said)
        fresh = self.said[self.drained : end]
        self.drained = end
        done = min(self.drained, self.standing)
        if done:
            self.said = self.said[done:]
            self.drained -= done
            self.standing -= done
        return fresh

    def fits(self, chain: str) -> bool:
        """Whether a checkpoint's chain is that of the events; where some are missing it cannot be told, and may be."""
        return self.broken or self.chain.fits(chain)

    def seal(self, chain: str, line: bytes, rounds: Iterable[int]) -> None:
        """A checkpoint closes the segment: ``chain`` is its own, ``line`` its bytes, with which the next one begins;
        ``rounds`` go on into that."""
        self.chain = Chain(chain)
        self.chain.add(line)
        self.broken = False
        self.rounds = list(rounds)
        self.standing = len(self.said)

    def take_back(self, revision: int, which: Callable[[Said], bool]) -> TakenBack:
        """Nothing stands of those results since the last checkpoint that ``which`` holds of: a bet is unverifiable, a
        round too, a finding about play or money is withdrawn, and what has not been taken out yet is not said at all.
        Findings about the log, and chips that came or went, are facts all the same."""
        since = self.said[self.standing :]
        bets: Bets = {(said.round, said.bet): said for said in since if isinstance(said, Settlement) and which(said)}
        void = {bet: unverifiable(said, revision) for bet, said in bets.items()}
        findings: list[Finding] = []
        again: list[Said] = []
        for index, said in enumerate(since, self.standing):
            fresh = index >= self.drained
            if not which(said) or isinstance(said, Cage) or (isinstance(said, Finding) and said.kind is Kind.EVIDENCE):
                if fresh:
                    again.append(said)
            elif isinstance(said, Settlement):
                if (said.round, said.bet) in void:
                    again.append(void.pop((said.round, said.bet)))
            elif isinstance(said, Finding):
                if said.withdrawn:
                    if fresh:
                        again.append(said)
                    continue
                findings.append(said)
                if not fresh:
                    again.append(msgspec.structs.replace(said, withdrawn=True, revision=revision))
            elif isinstance(said, Round):
                again.append(msgspec.structs.replace(said, outcome="", verifiable=False, revision=revision))
            elif not fresh:
                again.append(msgspec.structs.replace(said, at_us=0, revision=revision))
        self.said = self.said[: max(self.drained, self.standing)] + again
        return TakenBack(bets, findings)

    def take_back_event(self, revision: int, before: int, out: list[Said], round_number: int) -> TakenBack:
        """Nothing stands of what one event has made the session say, which is all that was said since ``before`` and
        ``out``; nor of what was said of its round. What it took back itself stays taken back."""
        before = min(before, len(self.said))
        fresh = self.said[before:] + out
        del self.said[before:]
        taken = self.take_back(revision, lambda row: round_number > 0 and _round_of(row) == round_number)
        for row in fresh:
            if isinstance(row, Settlement):
                self.said.append(unverifiable(row, revision))
                taken.bets[row.round, row.bet] = row
            elif isinstance(row, Finding) and not row.withdrawn and row.kind is not Kind.EVIDENCE:
                taken.findings.append(row)
            elif isinstance(row, Round):
                self.said.append(msgspec.structs.replace(row, outcome="", verifiable=False))
            elif not isinstance(row, Streak):
                self.said.append(row)
        return taken


def _round_of(row: Said) -> int:
    return 0 if isinstance(row, Cage) else row.round


def unverifiable(said: Settlement, revision: int) -> Settlement:
    """A settlement of which no more can be said than that there was a bet."""
    fields: dict[str, Any] = {"paid": None, "returned": None, "verdict": Verdict.UNVERIFIABLE, "difference": 0}
    return msgspec.structs.replace(said, **fields, revision=revision)
