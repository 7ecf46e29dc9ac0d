"""Scenario files: found, read as YAML 1.2, settled."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.constructor import ConstructorError, SafeConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import ScalarNode

from replay.events import Refusal
from replay.judging import Judging
from replay.results import Settlement, Verdict
from replay.scenario import Outcome, Scenario, taken_back
from streams.bounds import TooLarge, read_bytes

MAX_BYTES: Final = 512 * 1024
MAX_DEPTH: Final = 50
MAX_VALUES: Final = 200_000
"""In all, what is repeated by an alias counted each time."""


class _Constructor(SafeConstructor):
    """Reads ``2.5`` as a decimal number, never as a float."""


def _decimal(constructor: SafeConstructor, node: ScalarNode) -> Decimal:
    try:
        return Decimal(str(constructor.construct_scalar(node)))
    except InvalidOperation:
        raise ConstructorError(None, None, "not a decimal number", node.start_mark) from None


_Constructor.add_constructor("tag:yaml.org,2002:float", _decimal)


@cache
def _yaml() -> YAML:
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    yaml.Constructor = _Constructor
    return yaml


def scenario_files(path: Path) -> list[Path]:
    """The file, or those under the folder, in order; raises `Refusal` where there is none."""
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.suffix in (".yaml", ".yml") and file.is_file())
        if not found:
            raise Refusal("", f"{path}: no scenario (.yaml) in this folder")
        return found
    if path.exists():
        return [path]
    raise Refusal("", f"{path}: no such file or folder")


def read_scenario(file: Path) -> Scenario:
    """Read one scenario; raises `Refusal` that names the file and the place."""
    try:
        text = read_bytes(file, MAX_BYTES).decode("utf-8")
        if _depth(text) > MAX_DEPTH:
            raise Refusal("", f"{file}: nested more than {MAX_DEPTH} deep")
        data = _yaml().load(text)
    except TooLarge as error:
        raise Refusal("", str(error)) from None
    except OSError as error:
        raise Refusal("", f"{file}: cannot be read ({error.strerror})") from None
    except MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}: " if mark is not None else ""
        raise Refusal("", f"{file}: {where}{error.problem or 'not YAML'}") from None
    except Refusal:
        raise
    except (YAMLError, RecursionError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else "nested too deeply"
        raise Refusal("", f"{file}: not YAML 1.2 text ({reason})") from None
    if not _is_bounded(data):
        raise Refusal("", f"{file}: nested more than {MAX_DEPTH} deep, or more than {MAX_VALUES:,} values in all")
    try:
        return Scenario.read(data)
    except Refusal as refusal:
        raise Refusal("", f"{file}: {refusal}") from None


_BRACKETS: Final = re.compile(r"[\[\]{}]")


def _depth(text: str) -> int:
    """How deep brackets lie within one another, which the parser would look into for minutes; those in quotes count."""
    depth = deepest = 0
    for found in _BRACKETS.finditer(text):
        depth += 1 if found[0] in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _is_bounded(data: object) -> bool:
    """Whether there is no more in it than may be; an alias costs a file a few letters, and its reader all that it
    stands for."""
    waiting = [(data, 0)]
    seen = 0
    while waiting:
        value, depth = waiting.pop()
        seen += 1
        if depth > MAX_DEPTH or seen > MAX_VALUES:
            return False
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting += [(each, depth + 1) for each in inner]
    return True


def settle_file(file: Path, judging: Judging) -> tuple[str, Outcome]:
    """A scenario's name and what became of it; raises `Refusal`."""
    scenario = read_scenario(file)
    try:
        return scenario.name, scenario.settle(judging)
    except Refusal as refusal:
        raise Refusal("", f"{file}: {refusal}") from None


def outcome_fields(outcome: Outcome) -> dict[str, Any]:
    """An outcome for programs: ``settlements`` by bet (as an expect block has them, with verdict and passage beside),
    ``findings``, ``setup`` (what is wrong with how the table was opened), ``met``, ``mismatches``."""
    return {
        "settlements": {settlement.bet: _settlement_fields(settlement) for settlement in outcome.settlements},
        "findings": [
            {
                "code": finding.code,
                "bet": finding.bet or None,
                "seat": finding.seat,
                "amount": finding.amount,
                "event": finding.seq - 1,
                "severity": finding.severity.value,
                "passage": finding.passage,
                "text": finding.text,
            }
            for finding in outcome.findings
        ],
        "setup": [{"code": one.code, "passage": one.passage, "text": one.text} for one in outcome.setup],
        "met": outcome.met,
        "mismatches": outcome.mismatches,
    }


def _settlement_fields(settlement: Settlement) -> dict[str, Any] | str:
    if settlement.verdict is Verdict.OPEN:
        return "open"
    if taken_back(settlement):
        return "withdrawn"
    fields = msgspec.structs.asdict(settlement)
    names = ("paid", "returned", "claimed_paid", "claimed_returned", "verdict", "difference", "passage")
    return {name: fields[name] for name in names}
