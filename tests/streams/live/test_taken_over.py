"""What whoever takes a partition over may not unsay, and what it does with sessions of which nothing is left."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from replay.results import Finding, Settlement, Verdict
from streams.live import partition
from streams.live.engine import LiveFloor
from streams.live.registry import Holding, PartitionRegistry, SessionEntry, State, encode
from streams.live.topics import BETS, IN, TABLES
from tests.streams.live.test_engine import SESSION, TABLE, Rig, audited, middle, topic_for


def open_bets() -> int:
    """So many events, after which bets lie that nothing has decided yet."""
    placed = [number for number, line in enumerate(TABLE, 1) if b'"type":"bet_placed"' in line]
    return placed[len(placed) // 2]


OPEN = TABLE[: open_bets()]


def abandoned() -> Rig:
    """A table that was left in the midst of a round: what the end of its log leads to has been said."""
    rig = Rig(abandoned_s=100.0)
    rig.publish(OPEN)
    rig.tick()
    rig.tick(101.0)
    rig.tick()
    assert rig.state() is State.DONE
    assert rig.said() == audited(OPEN)
    assert any(isinstance(row, Settlement) and row.verdict is Verdict.OPEN for row in rig.disk.said(SESSION))
    return rig


def test_what_the_end_of_a_session_led_to_stands_while_a_copy_of_an_event_is_looked_at() -> None:
    rig = abandoned()
    rig.publish([OPEN[3]])
    for _ in range(20):
        rig.tick(1.0)
        assert rig.said() == audited(OPEN)
    assert rig.state() is State.OPEN
    for _ in range(30):
        rig.tick(10.0)

    assert rig.state() is State.DONE
    assert rig.said() == audited(OPEN)


def test_what_the_end_of_a_session_led_to_stands_while_another_worker_takes_it_over() -> None:
    rig = abandoned()
    entry = SessionEntry(session=SESSION, partition=0, state=State.OPEN, start=dict.fromkeys(IN, 0), end={}, at_s=0)
    rig.broker.registry[0].append((entry.key, encode(entry)))  # it was killed before it could say that this is done
    rig.restart()
    for _ in range(20):
        rig.tick(1.0)
        assert rig.said() == audited(OPEN)


def test_what_the_end_of_a_session_led_to_is_taken_back_when_it_goes_on() -> None:
    rig = abandoned()
    rig.publish(TABLE[len(OPEN) :])
    rig.tick(1.0)
    rig.tick(1.0)
    rig.tick(1.0)
    assert not any(isinstance(row, Settlement) and row.verdict is Verdict.OPEN for row in rig.disk.said(SESSION))
    rig.finish()

    assert rig.state() is State.DONE
    assert rig.said() == audited(TABLE)


def take_over(rig: Rig, registry: PartitionRegistry, first: dict[str, int], **changes: Any) -> None:
    """Another worker takes the partition, whose topics begin there now."""
    rig.floor = LiveFloor(rig.settings, clock=lambda: rig.now)
    epoch = 1 + rig.broker.claimed(0).epoch
    starts = rig.floor.assign(0, Holding(registry=registry, epoch=epoch, first=first, **changes))
    for topic in IN:
        rig._take(topic, starts[topic])
    rig.floor.caught_up(0)


def test_a_session_of_which_nothing_is_left_is_lost_and_not_open_for_ever() -> None:
    rig = Rig(abandoned_s=100.0)
    rig.publish(OPEN)
    rig.tick(2.0)
    said = rig.said()
    first = {topic: len(rig.broker.logs[topic, 0]) for topic in IN}
    take_over(rig, rig.broker.claimed(0).registry, first)
    rig.tick(1.0)
    assert rig.floor.stats().sessions == 1
    rig.tick(101.0)
    rig.tick(1.0)

    assert rig.state() is State.LOST
    assert rig.floor.stats().lost == 1
    assert rig.said() == said


def test_a_name_that_only_rejected_lines_bear_is_done_though_it_was_taken_over() -> None:
    rig = Rig(abandoned_s=100.0)
    rig.publish([b'{"v":7,"session":"' + SESSION.encode() + b'","seq":3}'])
    rig.tick(1.0)
    rig.restart()
    rig.tick(1.0)
    rig.tick(101.0)
    rig.tick(1.0)

    assert rig.state() is State.DONE
    assert rig.floor.stats().lost == 0


@pytest.mark.parametrize("begins", [0, 1])
def test_where_a_session_s_events_lie_anywhere_whoever_takes_over_doubts_until_it_is_done(begins: int) -> None:
    """The topics were made anew, and have the second half of it: a worker took that, and another takes over from it."""
    rig = Rig(hole_patience_s=1.0)
    half = middle("bet_placed")
    rig.publish(TABLE[:half])
    rig.tick(2.0)
    said = rig.said()
    for log in rig.broker.logs.values():
        log.clear()
    known = rig.broker.claimed(0).registry.counted_in("anew", dict.fromkeys(IN, 0))
    assert known is not None
    assert known.sessions[SESSION].start == {}
    for line in TABLE[half + 2 :]:
        rig.broker.logs[topic_for(line), 0].append(line)
    if begins:
        again = dataclasses.replace(known, position=dict.fromkeys(IN, 1), log="anew")
        take_over(rig, again, {}, log="anew")
    else:
        take_over(rig, known, {}, log="anew", asks=True)
    rig.finish()

    assert rig.state() is State.LOST
    assert rig.said() == said


def test_of_a_session_that_ends_where_the_topics_were_cut_short_nothing_is_taken_back() -> None:
    rig = Rig(summary_every_s=1e9)
    rig.publish(TABLE[:10])
    rig.tick(2.0)
    rig.publish(TABLE[10:])
    rig.tick(2.0)
    said = rig.said()
    assert any(isinstance(row, Finding) for row in rig.disk.said(SESSION))
    for topic, log in ((topic, rig.broker.logs[topic, 0]) for topic in IN):
        del log[sum(topic_for(line) == topic for line in TABLE[:40]) :]
    ends = {topic: len(rig.broker.logs[topic, 0]) for topic in IN}
    registry = rig.broker.claimed(0).registry.counted_in("", ends)
    assert registry is not None
    assert registry.position == {}
    take_over(rig, registry, {}, asks=True)
    rig.finish()

    assert rig.said() == said
    assert rig.state() is State.LOST


def test_a_long_gap_is_read_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "GAP_OFFSETS", 7)
    rig = Rig()
    rig.publish(TABLE[:20])
    for line in TABLE[20:80]:
        rig.broker.logs[topic_for(line), 0].append(line)
    for topic in IN:
        rig._take(topic, len(rig.broker.logs[topic, 0]))
    reading = rig.floor.wanted()[0]
    assert all(end - first <= 7 for first, end in reading.ranges.values())
    assert len(reading.ranges) > 1
    rig.floor.failed(reading)
    rig.publish(TABLE[80:])
    rig.finish()

    assert rig.said() == audited(TABLE)
    assert rig.floor.stats().given_up == 0


# --- the registry, where topics were made anew ------------------------------------------------------------------------


def _entry(name: str, state: State, log: str) -> SessionEntry:
    start = {BETS: 5, TABLES: 3}
    return SessionEntry(session=name, partition=3, state=state, start=start, end={}, at_s=0, epoch=1, log=log)


SESSIONS = {
    name: _entry(name, state, log)
    for name, state, log in (
        ("open before", State.OPEN, "one"),
        ("done before", State.DONE, "one"),
        ("lost before", State.LOST, "one"),
        ("open now", State.OPEN, "two"),
        ("done now", State.DONE, "two"),
    )
}


def test_sessions_that_were_open_in_another_log_are_known_though_no_position_was_written() -> None:
    counted = PartitionRegistry(3, {}, "", dict(SESSIONS)).counted_in("two", {})

    assert counted is not None
    assert counted.position == {}
    assert set(counted.sessions) == {"open before", "open now", "done now"}
    assert counted.sessions["open before"].start == {}
    assert counted.sessions["open now"] == SESSIONS["open now"]


def test_of_sessions_of_the_log_before_it_is_known_in_the_next_that_they_lie_anywhere() -> None:
    position = {BETS: 9}
    counted = PartitionRegistry(3, position, "two", dict(SESSIONS)).counted_in("two", {BETS: 9})

    assert counted is not None
    assert counted.position == position
    assert {name: (entry.state, entry.start) for name, entry in counted.sessions.items() if "before" in name} == {
        "open before": (State.OPEN, {}),
        "done before": (State.DONE, {}),
        "lost before": (State.DONE, {}),
    }
    assert counted.sessions["done now"] == SESSIONS["done now"]


def test_what_was_once_cut_short_is_read_anew_whatever_has_been_written_since() -> None:
    registry = PartitionRegistry(3, {BETS: 9}, "two", {"open now": SESSIONS["open now"]})

    assert registry.counted_in("two", {BETS: 20}) is None
    counted = registry.counted_in("two", {BETS: 20}, cut_short=True)
    assert counted is not None
    assert counted.position == {}
    assert counted.sessions["open now"].start == {}
