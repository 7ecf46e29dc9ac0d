"""Hundreds of schedules of faults, each played to its end, in a world of one process (`tests.streams.live.world`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.replay.streaks.volatile import volatile
from tests.streams.live.world import play

SCHEDULES = 240
"""`python -m tests.bench.bench_schedules` plays ten thousand."""
AT_ONCE = 20
KNOWN = [
    # What has gone wrong once, and with which seeds: each by itself, in a world in which nothing else does.
    pytest.param({"stops"}, (67, 75, 91, 107), id="a stale owner"),
    pytest.param({"stops", "disorder"}, (19, 24), id="a stale owner, and events out of order"),
    pytest.param({"quiet", "losses"}, (2, 11), id="an open hole at a restart after which nothing comes"),
    pytest.param({"transactions", "losses"}, (2, 3, 5, 9), id="a marker at a partition's end"),
    pytest.param({"aborts"}, (0, 1, 2, 3), id="aborted transactions"),
    pytest.param({"made_anew"}, (0, 2, 3, 6), id="topics made anew"),
    pytest.param({"expiry", "kills"}, (2, 14, 21), id="records that expired"),
    pytest.param({"mis_keyed"}, (1, 2, 3, 4), id="keys that are not the table's"),
    pytest.param({"more_partitions"}, (0, 1, 2, 3), id="partitions added"),
    pytest.param({"clock_jumps", "losses"}, (1, 9, 10, 11), id="the time of day set back"),
]


@pytest.fixture(scope="module", autouse=True)
def streaks_that_alarm() -> Iterator[None]:
    """What is said of streaks must not depend on faults either."""
    with volatile():
        yield


@pytest.mark.parametrize("first", range(0, SCHEDULES, AT_ONCE))
def test_every_schedule_of_faults_comes_to_the_offline_audit_or_says_why_not(first: int) -> None:
    for seed in range(first, first + AT_ONCE):
        play(seed)


@pytest.mark.parametrize(("faults", "seeds"), KNOWN)
def test_what_went_wrong_once_does_so_no_more(faults: set[str], seeds: tuple[int, ...]) -> None:
    for seed in seeds:
        play(seed, faults)


def test_in_a_world_without_faults_nothing_is_corrected() -> None:
    for seed in range(5):
        world = play(seed, set())

        assert not any(worker.driver.floor.stats().corrections for worker in world.workers)


def test_the_same_seed_is_the_same_schedule() -> None:
    once, again = play(7), play(7)

    assert once.promise.published == again.promise.published
    assert [log.records for log in once.registry.values()] == [log.records for log in again.registry.values()]
    assert once.disk.rows == again.disk.rows
