"""Hundreds of schedules of faults, each played to its end: the store says what the offline audit says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from replay.results import Finding, Kind, Streak
from tests.replay.streaks.volatile import volatile
from tests.streams.live.faults import differences, run

SCHEDULES = 300
AT_ONCE = 25


@pytest.fixture(scope="module", autouse=True)
def streaks_that_alarm() -> Iterator[None]:
    """What is said of streaks must not depend on faults either."""
    with volatile():
        yield


@pytest.mark.parametrize("first", range(0, SCHEDULES, AT_ONCE))
def test_after_every_schedule_of_faults_the_store_says_what_the_offline_audit_says(first: int) -> None:
    reread = corrections = 0
    for seed in range(first, first + AT_ONCE):
        played = run(seed)
        problems = differences(played)
        assert not problems, f"schedule {seed}: {len(problems)} differences, such as {problems[:3]}"

        stats = [worker.floor.stats() for worker in played.world.workers]
        reread += sum(each.reread for each in stats)
        corrections += sum(each.corrections for each in stats)
        assert not any(each.lost or each.troubles for each in stats)
    assert reread > AT_ONCE and corrections > AT_ONCE  # the schedules are as bad as they should be


def test_the_schedules_are_full_of_streaks() -> None:
    rows = run(9).world.disk.rows.values()

    assert sum(isinstance(row, Streak) for row in rows) > 20
    assert sum(isinstance(row, Finding) and row.kind is Kind.STREAK for row in rows) > 5


def test_the_same_seed_is_the_same_schedule() -> None:
    once, again = run(7), run(7)

    assert once.lines == again.lines
    assert once.world.broker.registry == again.world.broker.registry
    assert once.world.disk.rows == again.world.disk.rows
