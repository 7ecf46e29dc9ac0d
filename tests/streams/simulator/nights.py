"""A night of simulated play, audited: what the tests of all simulated games begin with."""

from __future__ import annotations

from datetime import date
from importlib import import_module

import pytest

from replay.audit import Auditor
from replay.evidence import key_id, public_half
from replay.judging import Judging
from replay.packs import Packs
from replay.refold import Refold
from replay.results import Finding
from streams.simulator.floor import Floor
from streams.simulator.truth import Comparison, compare
from tests.installed import PACKS

NIGHT = date(2026, 11, 7)


def floor_of(game: str, *, tables: int, hours: float, seed: int, fault_rate: float = 0.0) -> Floor:
    """Tables of one game, opened in its several ways in turn."""
    return Floor(tables=tables, hours=hours, seed=seed, first_day=NIGHT, only=[game], fault_rate=fault_rate)


def audited(floor: Floor, packs: Packs = PACKS) -> Comparison:
    """Play it, audit it, and set what was found against what was planted."""
    judging = Judging(packs=packs, keys={key_id(public_half(floor.key)): public_half(floor.key)})
    auditor = Auditor(judging)
    lines = list(floor.lines())
    for place, line in enumerate(lines, 1):
        auditor.feed(line, "floor", place)
    rows = auditor.finish()
    again = Refold(auditor.late(), judging)
    for line in lines:
        again.feed(line)
    rows += again.rows()
    last = {(row.session, row.seq, row.code, row.subject): row for row in rows if isinstance(row, Finding)}
    return compare(floor.truth, last.values())


def under(monkeypatch: pytest.MonkeyPatch, game: str, *rules: str) -> None:
    """The game's tables are those alone that are opened under these packs."""
    module = import_module(f"streams.simulator.games.{game}")
    monkeypatch.setattr(module, "SETUPS", tuple(setup for setup in module.SETUPS if setup.rules in rules))
