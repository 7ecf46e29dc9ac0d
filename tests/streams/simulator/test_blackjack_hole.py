"""The simulated blackjack table with a hole card: its dealers' arithmetic, and that an audit finds what was planted, no
more."""

from __future__ import annotations

import json

import pytest

from replay.audit import Auditor
from replay.evidence import key_id, public_half
from replay.results import Finding
from replay.streaks.watch import WatchSettings
from streams.simulator.floor import Floor
from streams.simulator.truth import by_fault
from tests.installed import PACKS, judged
from tests.streams.simulator.nights import NIGHT, audited


def floor_of(hours: float, seed: int, faults: float = 0.0) -> Floor:
    """A table of each way to open one with a hole card."""
    return Floor(tables=5, hours=hours, seed=seed, first_day=NIGHT, only=["blackjack"], fault_rate=faults, packs=PACKS,
                 rules="US-NJ")  # fmt: skip


def test_the_tables_show_every_choice_that_changes_the_play() -> None:
    opened = [event["options"] for line in floor_of(0.01, 1).lines()
              if (event := json.loads(line))["type"] == "table_opened"]  # fmt: skip

    def chosen(option: str) -> set[object]:
        return {options.get(option) for options in opened}

    assert chosen("hole_card") == {"peek", "no_peek", "no_hole"}
    assert {1, 2, 6} < chosen("decks")
    assert {"hit", None} == chosen("soft_17")
    assert {"6/5", None} == chosen("blackjack_pays")
    assert {"over_under_13", "suited", None} == chosen("additional_wager")
    assert {"late", None} == chosen("surrender")


def test_an_honest_night_leads_to_no_finding() -> None:
    """Looks, hole cards that the shoe could not read, splits, doubles for less, even money, surrenders that wait."""
    comparison = audited(floor_of(hours=2, seed=3))

    assert (comparison.planted, comparison.missed, comparison.invented) == (0, [], [])


@pytest.mark.parametrize("seed", [1, 2])
def test_each_planted_wrong_is_found_and_no_other(seed: int) -> None:
    """Stakes, dealing, the hole card, decisions, the dealer's own play, the paying hand, the log itself."""
    floor = floor_of(hours=3, seed=seed, faults=0.6)
    comparison = audited(floor)

    assert comparison.planted > 90
    assert len(by_fault(floor.truth)) > 45
    assert comparison.missed == []
    assert comparison.invented == []


@pytest.mark.parametrize(
    ("cheat", "hours", "code"),
    [("card-counter:spread=20", 6.0, "stakes_follow_count"), ("unshuffled-shoe", 2.0, "repeated_order")],
)
def test_a_strong_cheat_alarms(cheat: str, hours: float, code: str) -> None:
    """At a table of eight packs."""
    floor = Floor(tables=1, hours=hours, seed=5, first_day=NIGHT, only=["blackjack"], cheats=[cheat], packs=PACKS,
                  rules="US-NJ")  # fmt: skip
    keys = {key_id(public_half(floor.key)): public_half(floor.key)}
    auditor = Auditor(judged(keys=keys, watching=WatchSettings(tables=20)))
    for place, line in enumerate(floor.lines(), 1):
        auditor.feed(line, "floor", place)

    assert code in {row.code for row in auditor.finish() if isinstance(row, Finding)}
