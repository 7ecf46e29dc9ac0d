"""Scenarios: what happened at one table, in order, and what an independent re-tally must make of it.

A scenario is the input of the dispute calculator and an acceptance test at once. `Scenario.read` takes the parsed YAML;
`Scenario.settle` replays it through the very engine that audits logs, and compares with the ``expect`` block.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final, Literal

import msgspec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from replay.codes import CODES
from replay.corrections import NOTHING, resolve
from replay.event_fields import Amount
from replay.events import Refusal, from_fields
from replay.gathering import GATHERED
from replay.judging import Judging
from replay.results import Finding, Settlement, Verdict
from replay.session import Session

_NAME: Final = "scenario"
_START: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)


class ExpectedMoney(BaseModel):
    """What the rules give a bet: ``paid`` on top of ``returned``, minor units."""

    model_config = ConfigDict(extra="forbid", strict=True)

    paid: Amount
    returned: Amount


def _known_code(code: str) -> str:
    if code not in CODES:
        raise ValueError(f"no such finding code (there are: {', '.join(sorted(CODES))})")
    return code


class ExpectedFinding(BaseModel):
    """A finding, matched on its code and on each other key given."""

    model_config = ConfigDict(extra="forbid", strict=True)

    code: Annotated[str, AfterValidator(_known_code)]
    bet: str | None = None
    seat: int | None = None
    amount: int | None = None


class Expectation(BaseModel):
    """Every bet that was placed, and the complete list of findings."""

    model_config = ConfigDict(extra="forbid", strict=True)

    settlements: dict[str, ExpectedMoney | Literal["open", "withdrawn"]] = {}
    findings: list[ExpectedFinding] = []


class ScenarioTable(BaseModel):
    """The table as it was opened; what these fields may hold, `replay.events.TableOpened` says."""

    model_config = ConfigDict(extra="allow", strict=True)

    game: str
    rules: str


class ScenarioFile(BaseModel):
    """The file as it is written."""

    model_config = ConfigDict(extra="forbid", strict=True)

    scenario: str
    source: str
    table: ScenarioTable
    events: Annotated[list[Any], Field(min_length=1, max_length=100_000)]
    """Each a name, or a name with its fields."""
    expect: Expectation | None = None


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the re-tally made of a scenario, and where that is not what was expected (one line each)."""

    settlements: list[Settlement]
    findings: list[Finding]
    setup: list[Finding]
    """What is wrong with how the table was opened; an expect block says nothing of it."""
    mismatches: list[str]
    expected: bool
    """The scenario has an expect block."""

    @property
    def met(self) -> bool:
        """Everything came out as expected, or nothing was expected."""
        return not self.mismatches


class Scenario:
    """A scenario that has been read: its events, ready to be replayed."""

    def __init__(self, file: ScenarioFile, events: list[Any]) -> None:
        self.name = file.scenario
        self.source = file.source
        self.expect = file.expect
        self.events = events

    @classmethod
    def read(cls, data: Any) -> Scenario:
        """Check parsed YAML; raises `Refusal` with the place (``events.3.amount``) and the reason."""
        try:
            file = ScenarioFile.model_validate(data)
        except ValidationError as error:
            raise _refusal(error) from None
        opened = {"casino": _NAME, "pit": _NAME, "currency": "EUR", **file.table.model_dump()}
        events = [_event(1, "table", "table_opened", opened)]
        for index, item in enumerate(file.events):
            name, fields = _name_and_fields(f"events.{index}", item)
            events.append(_event(index + 2, f"events.{index}", name, fields))
        return cls(file, events)

    def settle(self, judging: Judging) -> Outcome:
        """Replay it, under another rule pack if ``judging.rules`` names one."""
        session = Session(_NAME, judging)
        resolved = resolve({event.seq: event for event in self.events}, lambda target, correction: True)
        for event in self.events:
            seq = event.seq
            session.step(resolved.standing.get(seq, event), b"", resolved.besides.get(seq, NOTHING))
        session.finish()
        settlements: dict[tuple[int, str], Settlement] = {}
        findings: list[Finding] = []
        setup: list[Finding] = []
        for said in session.drain():
            if isinstance(said, Settlement):
                settlements[said.round, said.bet] = said
            elif isinstance(said, Finding):
                if session.table is None:
                    raise Refusal("table", said.text)
                if said.withdrawn:
                    findings = [found for found in findings if _identity(found) != _identity(said)]
                else:
                    (findings if said.seq > 1 else setup).append(said)
        told = list(settlements.values())
        mismatches = self._mismatches(told, findings)
        return Outcome(
            settlements=told, findings=findings, setup=setup, mismatches=mismatches, expected=self.expect is not None
        )

    def _mismatches(self, settlements: list[Settlement], findings: list[Finding]) -> list[str]:
        if self.expect is None:
            return []
        lines = []
        expected = self.expect.settlements
        found = {settlement.bet: settlement for settlement in settlements}
        for bet in dict.fromkeys([*expected, *found]):
            wanted, got = _shown_expectation(expected.get(bet)), _shown(found.get(bet))
            if wanted != got:
                lines.append(f"bet {bet}: expected {wanted}, the rules give {got}")
        left = list(findings)
        for wish in self.expect.findings:
            wanted_fields = wish.model_dump(exclude_none=True)
            match = next(
                (f for f in left if all(getattr(f, key) == value for key, value in wanted_fields.items())), None
            )
            if match is None:
                lines.append(f"finding expected and not made: {_words(wanted_fields)}")
            else:
                left.remove(match)
        for finding in left:
            fields = {"code": finding.code, "bet": finding.bet, "seat": finding.seat, "amount": finding.amount}
            shown = _words({key: value for key, value in fields.items() if value not in (None, "")})
            lines.append(f"finding not expected: {shown} ({finding.text})")
        return lines


def _identity(finding: Finding) -> tuple[int, str, str]:
    return finding.seq, finding.code, finding.subject


def _refusal(error: ValidationError) -> Refusal:
    first = error.errors(include_url=False, include_input=False)[0]
    place = [str(part) for part in first["loc"]]
    if place[:2] == ["expect", "settlements"] and len(place) > 3:
        return Refusal(".".join(place[:3]), "what is expected of a bet is `open`, `withdrawn`, or paid and returned")
    return Refusal(".".join(place), first["msg"].removeprefix("Value error, "))


def _name_and_fields(place: str, item: Any) -> tuple[str, dict[str, Any]]:
    if isinstance(item, str):
        return item, {}
    if not isinstance(item, dict) or len(item) != 1:
        raise Refusal(place, "an event is a name, or one name with its fields")
    [(name, fields)] = item.items()
    if not isinstance(name, str) or not isinstance(fields, dict | None):
        raise Refusal(place, "an event is a name, or one name with its fields")
    return name, fields or {}


def _event(seq: int, place: str, name: str, fields: dict[str, Any]) -> Any:
    envelope = {"session": _NAME, "seq": seq, "at": _START + timedelta(seconds=seq), "table": _NAME, "device": _NAME}
    for key in fields:
        if not isinstance(key, str):
            raise Refusal(f"{place}.{key}", "the name of a field is a word")
        if key in envelope or key == "type":
            raise Refusal(f"{place}.{key}", "a scenario's events bear no envelope")
    try:
        return from_fields({**envelope, **fields, "type": name})
    except Refusal as refusal:
        raise Refusal(f"{place}.{refusal.field}" if refusal.field else place, refusal.reason) from None


def taken_back(settlement: Settlement) -> bool:
    """The bet was withdrawn whole, whatever was claimed on it after.

    A bet that gathers what a seat puts into a hand may stay at nothing without being one.
    """
    if settlement.verdict is Verdict.WITHDRAWN:
        return True
    return settlement.stake == 0 and settlement.wager != GATHERED


def _shown(settlement: Settlement | None) -> str:
    if settlement is None:
        return "no such bet"
    if settlement.verdict is Verdict.OPEN:
        return "open"
    if taken_back(settlement):
        return "withdrawn"
    return f"paid {settlement.paid} returned {settlement.returned}"


def _shown_expectation(expected: ExpectedMoney | str | None) -> str:
    if expected is None:
        return "nothing"
    if isinstance(expected, str):
        return expected
    return f"paid {expected.paid} returned {expected.returned}"


def _words(fields: dict[str, Any]) -> str:
    return " ".join(f"{key} {value}" if key != "code" else str(value) for key, value in fields.items())
