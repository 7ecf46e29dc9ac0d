"""What dice or a wheel cannot have shown: told as that, decides nothing, and is no fault of retally's."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from replay.results import Finding, Settlement
from replay.revisions import final
from replay.session import Session
from replay.streaks.watch import WatchSettings
from streams.scenarios import read_scenario
from tests.installed import judged
from tests.test_scenarios import FOLDER

WATCHED: Final = judged(watching=WatchSettings())
IMPOSSIBLE: Final[dict[int, tuple[list[int], ...]]] = {
    2: ([7, 1], [9, 9]),
    3: ([1, 2, 7], [8, 9, 9]),
}
"""By the number of dice: throws of which no die shows them all."""


@cache
def throws() -> list[tuple[Path, int, dict[str, Any]]]:
    """Each scenario's first throw that counts, and what it is changed into."""
    found: list[tuple[Path, int, dict[str, Any]]] = []
    for path in sorted(FOLDER.rglob("*.yaml")):
        for event in read_scenario(path).events:
            if event.type == "dice_rolled" and event.void is None and len(event.dice) in IMPOSSIBLE:
                found += [(path, event.seq, {"dice": dice}) for dice in IMPOSSIBLE[len(event.dice)]]
                break
            if event.type == "ball_landed" and path.parent.name == "boule":
                found += [(path, event.seq, {"number": number}) for number in (0, 10, 37)]
                break
    return found


def test_what_dice_or_a_wheel_cannot_show_is_told_and_decides_nothing():
    assert len({path.parent.name for path, _, _ in throws()}) >= 5
    for path, seq, changed in throws():
        session = Session("scenario", WATCHED)
        for event in read_scenario(path).events:
            session.step(event.model_copy(update=changed) if event.seq == seq else event, b"")
        session.finish()
        said = final(session.drain())
        codes = {row.code for row in said if isinstance(row, Finding) and row.seq == seq}

        assert "rejected_event" in codes, (path, changed)
        assert "rule_fault" not in {row.code for row in said if isinstance(row, Finding)}, (path, changed)
        assert not [row for row in said if isinstance(row, Settlement) and row.paid and row.seqs[-2] == seq], path


@pytest.mark.parametrize("void", ["off_table", "cocked", None])
def test_a_throw_that_was_called_void_may_show_anything_and_a_die_may_be_unreadable(void):
    path = FOLDER / "craps" / "01-come-out-natural-craps-and-bar-twelve.yaml"
    events = read_scenario(path).events
    first = next(event.seq for event in events if event.type == "dice_rolled")
    session = Session("scenario", WATCHED)
    for event in events:
        changed = event.model_copy(update={"dice": [0, 3], "void": void}) if event.seq == first else event
        session.step(changed, b"")

    codes = {row.code for row in session.drain() if isinstance(row, Finding)}
    assert not codes & {"rejected_event", "rule_fault"}
