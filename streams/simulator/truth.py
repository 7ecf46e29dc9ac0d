"""What was planted, and whether an audit found it: nothing missed, nothing invented."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from replay.results import Finding, Kind


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """One finding that a planted wrong must lead to."""

    code: str
    bet: str = ""
    seat: int | None = None
    """Given where the finding is of a seat rather than of a bet."""
    amount: int | None = None
    seq: int | None = None
    """Given for evidence, which has no other subject."""


def mispaid(bet: str, difference: int) -> list[Expected]:
    """What is found where a bet got ``difference`` more than is due (less, where it is negative), in minor units:
    nothing where it got what is due."""
    if not difference:
        return []
    return [Expected(code="overpaid" if difference > 0 else "underpaid", bet=bet, amount=abs(difference))]


class Planted(msgspec.Struct, frozen=True, kw_only=True):
    """A wrong that the simulator planted."""

    session: str
    round: int
    fault: str
    expected: tuple[Expected, ...]
    """Empty for wrongs that must lead to nothing: a doubled event, two events that changed places on their way."""
    win: int = 0
    """What it did to the table's win, in minor units: negative where the house handed over what it need not have."""
    hidden: int = 0
    """What of the table's win the log does not tell any more, in minor units, or tells otherwise."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Truth against findings. Each entry is one line that a person can read."""

    planted: int
    expected: int
    found: int
    missed: list[str]
    invented: list[str]
    streaks: list[str] = []
    """Alarms about streaks: patterns over many events, of which no planted wrong is the one cause."""

    @property
    def exact(self) -> bool:
        """Each expected finding was made, and no other."""
        return not self.missed and not self.invented


def compare(truth: Iterable[Planted], findings: Iterable[Finding]) -> Comparison:
    """Match each expected finding with one that was made, by session, code and what else the truth gives. Findings of
    streaks are kept apart: wrongs that are planted by the dozen may well be a pattern too."""
    made: dict[tuple[str, str], list[Finding]] = {}
    streaks: list[Finding] = []
    for finding in findings:
        if finding.withdrawn:
            continue
        if finding.kind is Kind.STREAK:
            streaks.append(finding)
        else:
            made.setdefault((finding.session, finding.code), []).append(finding)
    planted = expected = found = 0
    missed = []
    for wrong in truth:
        planted += 1
        for wanted in wrong.expected:
            expected += 1
            candidates = made.get((wrong.session, wanted.code), [])
            match = next((finding for finding in candidates if _fits(wrong, wanted, finding)), None)
            if match is None:
                missed.append(f"{wrong.session} round {wrong.round}: {wrong.fault}: {_words(wanted)}")
            else:
                candidates.remove(match)
                found += 1
    return Comparison(
        planted=planted,
        expected=expected,
        found=found,
        missed=missed,
        invented=[_line(finding) for left in made.values() for finding in left],
        streaks=[_line(finding) for finding in streaks],
    )


def _line(finding: Finding) -> str:
    where = f"{finding.session} round {finding.round} event {finding.seq}"
    return f"{where}: {finding.code} {finding.subject} {finding.text}"


def by_fault(truth: Iterable[Planted]) -> Counter[str]:
    """How often each kind of wrong was planted."""
    return Counter(wrong.fault for wrong in truth)


def _fits(wrong: Planted, wanted: Expected, finding: Finding) -> bool:
    """What is found about the log names an event, and need not say of which round it is."""
    return (
        (finding.round == wrong.round or (wanted.seq is not None and not finding.round))
        and (wanted.bet == finding.bet)
        and (wanted.seat is None or wanted.seat == finding.seat)
        and (wanted.amount is None or wanted.amount == finding.amount)
        and (wanted.seq is None or wanted.seq == finding.seq)
    )


def _words(wanted: Expected) -> str:
    fields = [wanted.code, wanted.bet]
    if wanted.seat is not None:
        fields.append(f"seat {wanted.seat}")
    if wanted.amount is not None:
        fields.append(f"amount {wanted.amount}")
    if wanted.seq is not None:
        fields.append(f"event {wanted.seq}")
    return " ".join(filter(None, fields))
