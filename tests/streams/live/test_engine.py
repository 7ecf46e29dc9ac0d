"""The engine by itself: one partition, a clock that the test moves, a store and a broker that are lists."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from replay.audit import Auditor
from replay.book import microseconds
from replay.events import decode
from replay.games.boule import Boule
from replay.refold import fold
from replay.results import Cage, Finding, RawEvent, Rejected, Row, SessionSummary, Settlement
from replay.revisions import taken_back
from replay.saying import UNKNOWN_DAY
from replay.segment import Said
from replay.told import content_of, final_rows, key_of
from streams.live.batch import Batch, Comparison, Proof, note
from streams.live.engine import LiveFloor, Settings
from streams.live.kept import KeptInStore
from streams.live.reading import Reading
from streams.live.registry import EPOCH_BITS, POSITION, Holding, Position, State
from streams.live.rejected import RejectedLine
from streams.live.topics import BETS, DICE, FINDINGS, IN, REJECTED, SETTLEMENTS, TABLES, topic_of
from streams.simulator.floor import Floor
from streams.store import open_store
from tests.installed import JUDGING
from tests.replay.logs import put_right
from tests.streams.live.faults import Away, Broker, Disk, FakeKept, FakeOutlet, Weather, night

SESSION = "BO01-2026-11-29"


def _table() -> list[bytes]:
    """A short night at one table, in order and whole, with something wrong in it."""
    for seed in range(100):
        floor = Floor(tables=1, hours=0.15, seed=seed, first_day=date(2026, 11, 29), only=["boule"], fault_rate=0.3)
        lines = list(floor.lines())
        said, summary = fold(SESSION, lines, JUDGING)
        whole = summary.events == len(lines) and summary.rejected == summary.gaps == summary.conflicts == 0
        if whole and any(isinstance(row, Finding) for row in said) and 80 < len(lines) < 300:
            return lines
    raise AssertionError("no such night")


TABLE = _table()


def topic_for(line: bytes) -> str:
    """Where a gateway publishes the line; one that cannot be read may come anywhere."""
    try:
        return topic_of(decode(line).type)
    except ValueError:
        return TABLES


class Rig:
    """A floor with one partition, number 0, and everything around it."""

    def __init__(self, **changes: Any) -> None:
        self.now = 1_790_000_000.0
        self.settings = Settings(**{"judging": JUDGING, "raw": False, **changes})
        self.broker, self.disk = Broker(), Disk()
        self.weather = Weather(random.Random(0))
        self.restart()

    def restart(self) -> None:
        """The worker dies, and another takes over."""
        self.floor = LiveFloor(self.settings, clock=lambda: self.now)
        self.kept, self.outlet = FakeKept(self.disk, self.weather), FakeOutlet(self.broker, self.weather)
        starts = self.floor.assign(0, self.broker.claimed(0))
        for topic in IN:
            self._take(topic, starts.get(topic, 0))
        self.floor.caught_up(0)

    def _take(self, topic: str, first: int) -> None:
        log = self.broker.logs[topic, 0]
        self.floor.jump(topic, 0, first)
        for offset in range(first, len(log)):
            self.floor.take(topic, 0, offset, log[offset])

    def publish(self, lines: Iterable[bytes]) -> None:
        """Each line a record of its own, taken at once."""
        for line in lines:
            topic = topic_for(line)
            self.broker.logs[topic, 0].append(line)
            self._take(topic, len(self.broker.logs[topic, 0]) - 1)

    def tick(self, seconds: float = 0.2, behind: tuple[int, ...] = ()) -> Batch | None:
        """Time passes, and what is due is written and read."""
        self.now += seconds
        batch = self.floor.batch(dict.fromkeys(behind, self.now - 3600.0) if behind else None)
        if batch is not None:
            batch.write(self.kept, self.outlet)
            self.floor.written(batch)
        for reading in self.floor.wanted():
            for topic, (first, end) in reading.ranges.items():
                for offset in range(first, end):
                    reading.feed(topic, offset, self.broker.logs[topic, 0][offset])
            reading.fold()
            self.floor.finished(reading)
        return batch

    def finish(self) -> None:
        """Until the session is done, and that is written."""
        for _ in range(60):
            self.tick(10.0)

    def said(self) -> dict[Any, Any]:
        """What the store says now: key -> content; the session's own row apart."""
        rows = self.disk.said(SESSION)
        return {key_of(row): content_of(row) for row in rows if isinstance(row, Said) and not taken_back(row)}

    def state(self) -> State | None:
        return self.broker.states().get(SESSION)


def audited(lines: Iterable[bytes]) -> dict[Any, Any]:
    """What the offline audit says of the session."""
    said, _ = fold(SESSION, lines, JUDGING)
    return {key_of(row): content_of(row) for row in said}


def without(*numbers: int) -> list[bytes]:
    return [line for number, line in enumerate(TABLE, 1) if number not in numbers]


def middle(kind: str) -> int:
    """The number of an event of this type somewhere in the night."""
    numbers = [number for number, line in enumerate(TABLE, 1) if f'"type":"{kind}"'.encode() in line]
    return numbers[len(numbers) // 2]


# --- the usual ------------------------------------------------------------------------------------------------------


def test_what_an_event_leads_to_is_in_the_next_batch() -> None:
    rig, auditor = Rig(rest_every_s=0.0), Auditor(JUDGING)
    due: dict[Any, Any] = {}
    for line in TABLE:
        rig.publish([line])
        rig.tick()
        auditor.feed(line, "", 0)
        due.update((key_of(row), row) for row in auditor.drain())

        assert rig.said() == {key: content_of(row) for key, row in due.items() if not taken_back(row)}


def test_rows_that_nobody_waits_for_are_gathered_for_a_second() -> None:
    """Twenty batches of 250 ms: findings are in any of them, the rest in every fourth."""
    rig = Rig(raw=True)
    kinds = []
    for start in range(0, 80, 4):
        rig.publish(TABLE[start : start + 4])
        batch = rig.tick(0.25)
        kinds.append({type(row) for row in batch.rows} if batch is not None else set())

    assert [number for number, found in enumerate(kinds) if RawEvent in found] == [3, 7, 11, 15, 19]
    assert all(found <= {Finding} for number, found in enumerate(kinds) if number % 4 != 3)
    assert any(Finding in found for number, found in enumerate(kinds) if number % 4 != 3)
    assert any(Settlement in found for number, found in enumerate(kinds) if number % 4 == 3)


def test_no_position_is_said_before_the_raw_events_that_it_claims_are_stored() -> None:
    rig, claimed, stored = Rig(raw=True), [], []
    for start in range(0, 80, 4):
        rig.publish(TABLE[start : start + 4])
        rig.tick(0.25)
        entries = [value for key, value in rig.broker.registry[0] if value and key.startswith(POSITION)]
        claimed.append(sum(msgspec.json.decode(entries[-1], type=Position).next.values()) if entries else 0)
        stored.append(sum(isinstance(row, RawEvent) for row in rig.disk.rows.values()))

    assert claimed == stored == [0, 0, 0, 16, 16, 16, 16, 32, 32, 32, 32, 48, 48, 48, 48, 64, 64, 64, 64, 80]


def test_a_session_is_done_when_its_drop_was_counted_and_nothing_more_comes() -> None:
    rig = Rig(quiet_s=30.0)
    rig.publish(TABLE)
    for _ in range(29):
        rig.tick(1.0)
    assert rig.state() is State.OPEN
    for _ in range(5):
        rig.tick(1.0)

    assert rig.state() is State.DONE
    assert rig.said() == audited(TABLE)
    assert rig.floor.stats().sessions == 0


@pytest.mark.parametrize(
    ("wait", "without_event"), [("drop_wait_s", "drop_counted"), ("abandoned_s", "table_closed")], ids=str
)
def test_a_session_whose_end_does_not_come_is_done_some_time_later(wait: str, without_event: str) -> None:
    rig = Rig(**{wait: 1_000.0})
    lines = TABLE[: middle(without_event) - 1]
    rig.publish(lines)
    rig.tick()
    rig.tick(990.0)
    rig.tick()
    assert rig.state() is State.OPEN
    rig.tick(10.0)
    rig.tick()

    assert rig.state() is State.DONE
    assert rig.said() == audited(lines)


def test_results_go_to_their_topics_under_their_table_as_json() -> None:
    rig = Rig()
    rig.publish([*TABLE, b"nonsense"])
    rig.finish()
    results = rig.broker.results
    types = {SETTLEMENTS: Settlement, FINDINGS: Finding, REJECTED: RejectedLine}
    rows = [(key, msgspec.json.decode(value, type=types[topic])) for topic, key, value in results]

    assert {topic for topic, _, _ in results} == set(types)
    assert all(key == b"BO01" for key, row in rows if not isinstance(row, RejectedLine))
    assert next(row for _, row in rows if isinstance(row, RejectedLine)).piece == b"nonsense"


def test_the_session_s_own_row_is_written_now_and_then_and_at_its_end() -> None:
    rig = Rig(summary_every_s=10.0, rest_every_s=0.0)
    rig.publish(TABLE[:20])
    rig.tick()
    [first] = [row for row in rig.disk.said(SESSION) if isinstance(row, SessionSummary)]
    rig.publish(TABLE[20:])
    rig.finish()
    [last] = [row for row in rig.disk.said(SESSION) if isinstance(row, SessionSummary)]

    assert (first.state, first.events) == ("open", 20)
    summary = fold(SESSION, TABLE, JUDGING)[1]
    assert last == msgspec.structs.replace(summary, revision=(1 << EPOCH_BITS) + summary.revision)


def test_a_session_that_was_never_opened_has_a_row_of_its_own_at_its_end() -> None:
    """Its first event came in two versions, so that neither counts."""
    other = TABLE[0].replace(b'"pit":', b'"pit": ', 1)
    lines = [TABLE[0], other, *TABLE[1:]]
    rig = Rig(abandoned_s=60.0)
    rig.publish(lines)
    rig.finish()
    [row] = [row for row in rig.disk.said(SESSION) if isinstance(row, SessionSummary)]

    assert content_of(row) == content_of(fold(SESSION, lines, JUDGING)[1])


def test_the_figures_say_since_when_a_round_is_open() -> None:
    rig = Rig()
    opened, closed = (
        next(place for place, line in enumerate(TABLE) if f'"type":"{kind}"'.encode() in line)
        for kind in ("round_opened", "round_closed")
    )
    told = []
    for lines in (TABLE[:opened], TABLE[opened:closed], TABLE[closed : closed + 1]):
        rig.publish(lines)
        stats = rig.floor.stats()
        told.append((stats.rounds_open, stats.oldest_round_opened_us))

    assert told == [(0, None), (1, microseconds(decode(TABLE[opened]).at)), (0, None)]


def test_records_without_value_and_empty_lines_are_nothing() -> None:
    rig = Rig()
    for offset, value in enumerate((None, b"", b"\n\n", TABLE[0] + b"\n", TABLE[1])):
        rig.floor.take(TABLES, 0, offset, value)

    assert rig.floor.stats().events == 2
    assert rig.floor.stats().rejected == 0


def test_records_that_come_again_are_ignored() -> None:
    rig = Rig()
    rig.publish(TABLE[:10])
    lines = rig.floor.stats().lines
    rig._take(TABLES, 0)

    assert rig.floor.stats().lines == lines


def test_a_partition_that_is_not_ours_is_refused() -> None:
    with pytest.raises(KeyError):
        Rig().floor.take(TABLES, 1, 0, TABLE[0])


def test_a_partition_is_assigned_once() -> None:
    rig = Rig()
    with pytest.raises(ValueError, match="partition 0 is assigned already"):
        rig.floor.assign(0, rig.broker.claimed(0))


def test_the_floor_is_full_when_too_much_waits_to_be_written() -> None:
    rig = Rig(max_waiting_rows=30, raw=True)
    rig.weather.storm = 1.0
    rig.publish(TABLE[:20])
    batch = rig.floor.batch()
    assert batch is not None
    full = [rig.floor.full]
    with pytest.raises(Away):
        batch.write(rig.kept, rig.outlet)
    rig.publish(TABLE[20:40])
    assert rig.floor.batch() is None
    full.append(rig.floor.full)
    rig.weather.storm = 0.0
    batch.write(rig.kept, rig.outlet)
    rig.floor.written(batch)
    rig.tick()

    assert [*full, rig.floor.full] == [False, True, False]
    assert sum(isinstance(row, RawEvent) for row in rig.disk.rows.values()) == 40


# --- what is missing --------------------------------------------------------------------------------------------------


def test_a_missing_event_is_waited_for_and_then_given_up() -> None:
    rig, lost = Rig(hole_patience_s=5.0), middle("bet_placed")
    rig.publish(without(lost))
    for _ in range(20):
        rig.tick(0.2)
    before = rig.said()
    for _ in range(10):
        rig.tick(0.2)

    assert not any("sequence_gap" in key for key in before)
    assert any("sequence_gap" in key for key in rig.said())
    assert rig.floor.stats().given_up == 1
    rig.finish()
    assert rig.said() == audited(without(lost))


def test_an_event_that_comes_in_time_leaves_no_trace() -> None:
    rig, late = Rig(hole_patience_s=5.0), middle("ball_landed")
    rig.publish(without(late))
    rig.tick(4.0)
    rig.publish([TABLE[late - 1]])
    rig.finish()

    assert rig.floor.stats().given_up == rig.floor.stats().reread == 0
    assert rig.said() == audited(TABLE)
    assert not any(isinstance(row, Finding) and row.withdrawn for row in rig.disk.said(SESSION))


def test_an_event_that_comes_too_late_takes_back_what_was_said_without_it() -> None:
    rig, late = Rig(hole_patience_s=5.0), middle("ball_landed")
    rig.publish(without(late))
    rig.tick(1.0)
    rig.tick(6.0)
    rig.tick()
    assert any("sequence_gap" in key for key in rig.said())
    rig.publish([TABLE[late - 1]])
    for _ in range(4):
        rig.tick()

    assert rig.said() == audited(TABLE)
    assert rig.floor.stats().reread == 1
    [gap] = [row for row in rig.disk.said(SESSION) if isinstance(row, Finding) and row.code == "sequence_gap"]
    assert gap.withdrawn


def test_who_was_wrong_to_give_up_waits_twice_as_long_the_next_time() -> None:
    first, second = middle("ball_landed"), len(TABLE) - 8
    rig = Rig(hole_patience_s=5.0)
    rig.publish(line for number, line in enumerate(TABLE[:-12], 1) if number != first)
    rig.tick(1.0)
    rig.tick(6.0)
    rig.publish([TABLE[first - 1]])
    for _ in range(4):
        rig.tick()
    rig.publish(line for number, line in enumerate(TABLE, 1) if number > len(TABLE) - 12 and number != second)
    rig.tick(0.1)
    rig.tick(9.0)
    given_up = rig.floor.stats().given_up
    rig.tick(2.0)

    assert (given_up, rig.floor.stats().given_up) == (1, 2)


def test_nothing_is_given_up_where_a_topic_is_known_to_be_behind() -> None:
    rig, late = Rig(hole_patience_s=5.0), middle("bet_placed")
    rig.publish(without(late))
    for _ in range(10):
        rig.tick(3.0, behind=(0,))
    assert rig.floor.stats().given_up == 0
    rig.tick(3.0)
    rig.tick(3.0)

    assert rig.floor.stats().given_up == 1


def test_a_closed_table_is_no_reason_to_give_up_what_comes_by_another_topic() -> None:
    rig = Rig(hole_patience_s=5.0)
    other = [line for line in TABLE if topic_of(decode(line).type) != TABLES]
    rig.publish(line for line in TABLE if topic_of(decode(line).type) == TABLES)
    rig.tick(2.0)
    rig.publish(other)
    rig.finish()

    assert rig.floor.stats().given_up == 0
    assert rig.said() == audited(TABLE)


def test_an_event_contradicted_after_it_was_sealed_is_told_and_nothing_is_read_again() -> None:
    rig = Rig()
    other = TABLE[middle("bet_placed") - 1].replace(b'"device":"', b'"device":"x')
    rig.publish(TABLE[:-20])
    rig.tick()
    rig.publish([other])
    for _ in range(4):
        rig.tick()
    rig.publish(TABLE[-20:])
    rig.finish()

    assert any("conflicting_event" in key for key in rig.said())
    assert rig.said() == audited([*TABLE, other])
    assert rig.floor.stats().reread == 0


def test_offsets_that_the_stream_skips_are_read_by_other_means() -> None:
    rig = Rig()
    rig.publish(TABLE[:20])
    for line in TABLE[20:30]:
        rig.broker.logs[topic_of(decode(line).type), 0].append(line)
    rig.publish(TABLE[30:])
    for topic in IN:
        places = len(rig.broker.logs[topic, 0])
        if rig.floor._partitions[0].position[topic] != places:
            rig._take(topic, places - 1)
    rig.finish()

    assert rig.said() == audited(TABLE)
    assert rig.floor.stats().given_up == 0


# --- what comes after the end -----------------------------------------------------------------------------------------


def test_a_copy_of_an_event_of_a_done_session_changes_nothing() -> None:
    rig = Rig(raw=True)
    rig.publish(TABLE)
    rig.finish()
    before = dict(rig.disk.rows)
    rig.publish([TABLE[10]])
    rig.tick()
    assert rig.state() is State.OPEN
    rig.finish()

    assert rig.state() is State.DONE
    summaries = [row for row in rig.disk.said(SESSION) if isinstance(row, SessionSummary)]
    assert [row.duplicates for row in summaries] == [1]
    assert {key: row for key, row in rig.disk.rows.items() if row not in summaries} == {
        key: row for key, row in before.items() if not isinstance(row, SessionSummary)
    }


def test_an_event_of_a_done_session_that_was_missing_supersedes_what_was_said() -> None:
    rig, late = Rig(hole_patience_s=1.0), middle("bet_settled")
    rig.publish(without(late))
    rig.finish()
    assert rig.state() is State.DONE
    assert rig.said() == audited(without(late))
    rig.restart()
    rig.publish([TABLE[late - 1]])
    rig.finish()

    assert rig.state() is State.DONE
    assert rig.said() == audited(TABLE)


def test_a_worker_that_takes_over_skips_what_is_done() -> None:
    rig = Rig()
    rig.publish(TABLE)
    rig.finish()
    other = [line.replace(b"BO01", b"BO02") for line in TABLE[:12]]
    rig.publish(other)
    rig.tick()
    rig.broker.registry[0] = [item for item in rig.broker.registry[0] if not item[0].startswith(b"position/")]
    rig.restart()

    assert rig.floor.stats().lines == len(other)


def test_sessions_that_were_done_long_ago_leave_the_registry() -> None:
    rig = Rig(forget_after_s=10_000.0)
    rig.publish(TABLE)
    rig.finish()
    rig.tick(9_000.0)
    assert rig.state() is State.DONE
    rig.tick(5_000.0)

    assert rig.state() is None


def test_a_name_that_only_rejected_lines_bear_is_done_in_the_end() -> None:
    rig = Rig(abandoned_s=100.0)
    rig.publish([b'{"session":"%s","seq":4}' % SESSION.encode()])
    rig.tick()
    assert rig.state() is State.OPEN
    rig.tick(101.0)
    rig.tick()

    assert rig.state() is State.DONE  # a record that takes back would count whoever wrote it
    assert rig.floor.stats().sessions == 0


def test_a_rejected_line_that_comes_before_its_session_explains_the_hole_even_after_a_crash() -> None:
    rig = Rig(hole_patience_s=1.0)
    bad = TABLE[10].replace(b'"v":1', b'"v":7')
    rig.publish([bad])
    rig.tick(2.0)
    rig.restart()
    rig.publish(without(11))
    rig.finish()

    assert rig.said() == audited([bad, *without(11)])


# --- those who take over ----------------------------------------------------------------------------------------------


def test_nothing_is_stored_before_its_session_is_registered_and_no_position_before_what_it_claims() -> None:
    rig, calls = Rig(), []
    for target, name in ((rig.kept, "add"), (rig.kept, "flush"), (rig.outlet, "register"), (rig.outlet, "flush")):
        real = getattr(target, name)

        def call(*args: Any, real: Any = real, name: str = name) -> None:
            calls.append((name, args))
            real(*args)

        setattr(target, name, call)
    rig.publish(TABLE[:20])
    rig.tick(2.0)
    registered = [index for index, (name, args) in enumerate(calls) if name == "register"]
    keys = [calls[index][1][1] for index in registered]
    added = [index for index, (name, _) in enumerate(calls) if name == "add"]

    assert keys == [b"session/" + SESSION.encode(), b"position/0"]
    assert registered[0] < added[0] and added[-1] < registered[1]
    between = [name for name, _ in calls[added[-1] : registered[1]]]
    assert between.count("flush") == 2  # the rows, the corrections


def test_a_batch_that_failed_goes_on_where_it_stopped() -> None:
    rig = Rig(raw=True)
    rig.publish(TABLE)
    rig.weather.storm = 0.5
    failures = 0
    for _ in range(80):
        rig.now += 10.0
        batch = rig.floor.batch()
        while batch is not None:
            try:
                batch.write(rig.kept, rig.outlet)
            except Away:
                failures += 1
                continue
            rig.floor.written(batch)
            break

    assert failures > 3
    assert rig.state() is State.DONE
    assert rig.said() == audited(TABLE)
    assert sum(isinstance(row, RawEvent) for row in rig.disk.rows.values()) == len(TABLE)


def test_what_a_worker_takes_over_and_finds_stored_is_not_written_again() -> None:
    rig = Rig()
    rig.publish(TABLE[:-5])
    rig.tick(2.0)
    stored = dict(rig.disk.rows)
    rig.restart()
    rig.tick()

    assert rig.floor.stats().corrections == 0
    assert {key: row for key, row in rig.disk.rows.items() if not isinstance(row, SessionSummary)} == {
        key: row for key, row in stored.items() if not isinstance(row, SessionSummary)
    }


def test_what_a_worker_s_fold_does_not_say_is_taken_back_and_what_differs_is_said_above_it() -> None:
    said, _ = fold(SESSION, TABLE, JUDGING)
    stray = msgspec.structs.replace(next(row for row in said if isinstance(row, Finding)), seq=3, revision=900)
    wrong = msgspec.structs.replace(next(row for row in said if isinstance(row, Settlement)), paid=1, revision=950)
    kept = FakeKept(Disk(), Weather(random.Random(0)))
    kept.disk.write([stray, wrong])
    comparison = Comparison(SESSION, list(said), len(TABLE), {})
    rows = comparison.corrections(kept)
    kept.disk.write(rows)

    assert comparison.base + len(TABLE) == 951
    assert {row.revision for row in rows} == {951}
    assert final_rows(kept.disk.said(SESSION)).keys() == final_rows(said).keys()  # type: ignore[arg-type]
    assert Proof(SESSION, comparison.digests).holds is False
    proof = Proof(SESSION, comparison.digests)
    proof.look(kept)
    assert proof.holds


def test_what_somebody_else_wrote_under_a_session_is_found_at_its_end_and_put_right() -> None:
    rig = Rig()
    rig.publish(TABLE)
    rig.tick(1.0)
    settlement = next(row for row in rig.disk.said(SESSION) if isinstance(row, Settlement))
    rig.disk.write([msgspec.structs.replace(settlement, paid=123, revision=5_000)])
    rig.disk.write([msgspec.structs.replace(settlement, bet="never", revision=1)])
    del rig.disk.rows[key_of(next(row for row in rig.disk.said(SESSION) if isinstance(row, Cage)))]
    rig.finish()

    assert rig.floor.stats().disproved == 1
    assert rig.said() == audited(TABLE)
    assert rig.state() is State.DONE


def test_a_session_whose_first_events_are_gone_is_left_as_it_is() -> None:
    rig = Rig()
    rig.publish(TABLE[:-10])
    rig.tick(2.0)
    stored = rig.said()
    rig.floor = LiveFloor(rig.settings, clock=lambda: rig.now)
    starts = rig.floor.assign(0, rig.broker.claimed(0))
    for topic in IN:
        rig._take(topic, starts[topic] + 3)
    rig.floor.caught_up(0)
    for reading in rig.floor.wanted():
        rig.floor.failed(reading, {topic: starts[topic] + 3 for topic in IN})
    rig.publish(TABLE[-10:])
    rig.finish()

    assert rig.said() == stored
    assert rig.state() is State.LOST
    assert rig.floor.stats().lost == 1
    rig.restart()
    rig.publish(TABLE[-3:])
    rig.finish()
    assert rig.said() == stored
    assert rig.state() is State.LOST


def test_of_offsets_that_are_gone_what_is_left_is_read() -> None:
    rig = Rig(raw=True)
    rig.publish(TABLE[:1])
    rig.tick()
    log = rig.broker.logs[TABLES, 0]
    log += [b"gone", b"left", TABLE[-1]]
    rig._take(TABLES, 3)
    [reading] = rig.floor.wanted()
    assert reading.ranges == {TABLES: (1, 3)}
    rig.floor.failed(reading, {TABLES: 2})
    [reading] = rig.floor.wanted()
    assert reading.ranges == {TABLES: (2, 3)}
    assert rig.floor.stats().expired == 1
    reading.feed(TABLES, 2, log[2])
    reading.fold()
    rig.floor.finished(reading)
    rig.tick()

    assert rig.floor.wanted() == []
    assert [row.raw for row in rig.disk.rows.values() if isinstance(row, Rejected)] == [b"left"]


def test_records_that_were_read_and_are_gone_when_an_open_session_is_taken_over_are_told() -> None:
    rig = Rig()
    bets = [line for line in TABLE if topic_for(line) == BETS]
    rig.publish(TABLE[: TABLE.index(bets[2]) + 1])
    rig.tick(2.0)
    claimed = rig.broker.claimed(0)
    assert claimed.registry.position[BETS] == 3
    floor = LiveFloor(rig.settings, clock=lambda: rig.now)
    starts = floor.assign(0, dataclasses.replace(claimed, first={BETS: 2}))

    assert starts[BETS] == 2
    assert floor.stats().expired == 2


def read_again() -> tuple[Rig, Reading]:
    """An event came after it had been given up: the session must be read again, by this."""
    rig, late = Rig(hole_patience_s=1.0), middle("ball_landed")
    rig.publish(without(late))
    rig.tick(0.1)
    rig.tick(2.0)
    rig.publish([TABLE[late - 1]])
    rig.floor.batch()
    [reading] = rig.floor.wanted()
    return rig, reading


def test_records_that_are_gone_when_a_session_must_be_read_again_are_told_once() -> None:
    rig, reading = read_again()
    rig.floor.failed(reading, {BETS: 4})
    [reading] = rig.floor.wanted()
    rig.floor.failed(reading, {BETS: 5})
    rig.floor.wanted()

    assert rig.floor.stats().expired == 5


def test_a_session_that_comes_by_another_table_s_partition_says_nothing_there() -> None:
    rig = Rig(home=lambda table: 0 if table == "BO01" else 1)
    stray = TABLE[0].replace(b'"table":"BO01"', b'"table":"BO07"').replace(SESSION.encode(), b"BO07-2026-11-29")
    rig.publish(TABLE[:30])
    rig.publish([stray])
    rig.publish(TABLE[30:])
    rig.finish()

    assert rig.said() == audited(TABLE)
    assert rig.disk.said("BO07-2026-11-29") == []
    assert rig.floor.stats().strays == 1


def test_what_is_said_of_another_table_under_the_same_name_is_not_taken_back() -> None:
    rig = Rig(home=lambda table: 0 if table == "BO01" else 1)
    cage = next(row for row in fold(SESSION, TABLE, JUDGING)[0] if isinstance(row, Cage))
    others = msgspec.structs.replace(cage, table="BO07", seq=4_000)
    rig.disk.write([others])
    rig.publish(TABLE)
    rig.finish()

    assert rig.state() is State.DONE
    assert rig.floor.stats().disproved == 0
    assert rig.disk.rows[key_of(others)] == others


def test_a_reading_that_failed_is_asked_for_again() -> None:
    rig, reading = read_again()
    assert rig.floor.wanted() == []
    rig.floor.failed(reading)
    batch = rig.floor.batch()
    assert batch is None
    rig.finish()

    assert rig.said() == audited(TABLE)


def test_a_partition_that_is_revoked_is_forgotten_whatever_is_on_its_way() -> None:
    rig, late = Rig(hole_patience_s=1.0), middle("ball_landed")
    rig.publish(without(late))
    rig.tick(0.1)
    rig.tick(2.0)
    rig.publish([TABLE[late - 1], b"nonsense"])
    batch = rig.floor.batch()
    assert batch is not None
    [reading] = rig.floor.wanted()
    rig.floor.revoke(0)
    batch.write(rig.kept, rig.outlet)
    rig.floor.written(batch)
    rig.floor.finished(reading)
    rig.floor.failed(reading)

    assert rig.floor.assigned() == frozenset()
    assert rig.floor.stats().lines == len(TABLE) + 1
    rig.restart()
    rig.finish()
    assert rig.said() == audited(TABLE)


# --- a fault of the program -------------------------------------------------------------------------------------------


def test_where_a_game_fails_the_store_says_what_the_offline_audit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    number = middle("ball_landed")
    real = Boule.ball_landed

    def fails(self: Boule, event: Any) -> None:
        if event.seq == number:
            raise ZeroDivisionError
        real(self, event)

    monkeypatch.setattr(Boule, "ball_landed", fails)
    rig = Rig()
    rig.broker.logs[DICE, 0].append(b"")
    rig.publish(TABLE)
    rig.finish()
    faults = [row for row in rig.disk.said(SESSION) if isinstance(row, Finding) and row.code == "rule_fault"]

    assert [fault.seq for fault in faults] == [number]
    assert rig.floor.stats().troubles == 1
    assert rig.state() is State.DONE
    assert not [row for row in rig.disk.rows.values() if isinstance(row, Rejected)]
    assert rig.said() == audited(TABLE)


# --- whatever comes, however ------------------------------------------------------------------------------------------


@hypothesis_settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_whatever_the_order_the_pauses_and_the_crashes_the_last_word_is_the_audit_s(data: st.DataObject) -> None:
    lines = TABLE[:40] + TABLE[-6:]
    if data.draw(st.booleans(), "put right"):
        lines = put_right(random.Random(data.draw(st.integers(0, 99), "seed")), lines)
    order = list(range(len(lines)))
    for _ in range(data.draw(st.integers(0, 12), "moves")):
        source, target = (data.draw(st.integers(0, len(order) - 1)) for _ in range(2))
        order.insert(target, order.pop(source))
    sent = [lines[index] for index in order]
    sent += [lines[index] for index in data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=4), "copies")]
    rig = Rig(hole_patience_s=5.0, raw=data.draw(st.booleans(), "raw"))
    place = 0
    while place < len(sent):
        count = data.draw(st.integers(1, 20))
        rig.publish(sent[place : place + count])
        place += count
        rig.tick(data.draw(st.sampled_from((0.1, 3.0, 40.0))))
        if data.draw(st.integers(0, 4)) == 0:
            rig.restart()
    rig.finish()

    assert rig.state() is State.DONE
    assert rig.said() == audited(sent)


def test_a_store_gives_back_what_a_session_said_so_that_it_is_proven(tmp_path: Path) -> None:
    pytest.importorskip("chdb", reason="chdb is not installed; pip install chdb-core")
    rows: list[Row] = []
    auditor = Auditor(JUDGING)
    for _, _, line in night(3).lines:
        auditor.feed(line, "", 0)
        rows += auditor.drain()
    rows += auditor.finish()
    with open_store(str(tmp_path / "store")) as store:
        store.migrate()
        kept = KeptInStore(store)
        kept.add(rows)
        kept.flush()
        names = {row.session for row in rows if isinstance(row, SessionSummary)}
        for name in sorted(names):
            said = [row for row in rows if isinstance(row, Said) and row.session == name]
            comparison = Comparison(name, said, len(said), {})

            assert comparison.corrections(kept) == []
            note(comparison.digests, [row for row in rows if isinstance(row, SessionSummary) and row.session == name])
            proof = Proof(name, comparison.digests)
            proof.look(kept)
            assert proof.holds


def test_a_row_of_an_unknown_gaming_day_says_what_it_says_when_the_store_gives_it_back() -> None:
    row = next(row for row in fold(SESSION, TABLE, JUDGING)[0] if isinstance(row, Cage))
    said = msgspec.structs.replace(row, gaming_day=UNKNOWN_DAY)
    stored = msgspec.structs.replace(row, gaming_day="", revision=7)

    assert key_of(stored) == key_of(said)
    assert content_of(stored) == content_of(said)


def test_bets_and_other_topics_may_be_read_one_after_the_other_when_a_worker_takes_over() -> None:
    rig = Rig()
    rig.publish(TABLE[:-3])
    rig.tick(2.0)
    assert len(rig.broker.logs[BETS, 0]) > 5
    rig.restart()  # topic by topic
    rig.publish(TABLE[-3:])
    rig.finish()

    assert rig.floor.stats().given_up == rig.floor.stats().reread == 0
    assert rig.said() == audited(TABLE)


# --- epochs -----------------------------------------------------------------------------------------------------------


def test_a_session_s_own_row_under_a_day_that_is_not_its_own_is_taken_back() -> None:
    rig = Rig()
    rig.publish(TABLE[:60])
    rig.tick(2.0)
    [own] = [row for row in rig.disk.said(SESSION) if isinstance(row, SessionSummary)]
    rig.disk.write([msgspec.structs.replace(own, gaming_day="2026-10-01", revision=1)])
    rig.restart()
    rig.publish(TABLE[60:])
    rig.finish()

    rows = [row for row in rig.disk.said(SESSION) if isinstance(row, SessionSummary)]
    assert {row.gaming_day: row.state for row in rows} == {"2026-10-01": "taken_back", "2026-11-29": "closed"}


def test_whatever_a_stale_owner_writes_and_whenever_the_later_owner_s_word_counts() -> None:
    rig = Rig()
    rig.publish(TABLE[:40])
    stale_floor, stale_kept, stale_outlet = rig.floor, rig.kept, rig.outlet
    rig.restart()
    rig.publish(TABLE[40:])
    rig.finish()
    said, state = rig.said(), rig.state()
    rig.now += 10_000
    for _ in range(5):  # it gives up holes, ends its sessions, and calls them done
        batch = stale_floor.batch(whole=True)
        if batch is not None:
            batch.write(stale_kept, stale_outlet)
            stale_floor.written(batch)
        rig.now += 100_000

    assert said == audited(TABLE)
    assert rig.said() == said
    assert state is State.DONE
    rig.restart()  # whoever comes next reads again what the stale owner called done
    rig.finish()
    assert rig.said() == said
    assert rig.state() is State.DONE


def test_an_owner_whose_words_are_outranked_says_no_more_and_says_so() -> None:
    rig = Rig()
    rig.publish(TABLE[:40])
    rig.tick(2.0)
    higher = [
        msgspec.structs.replace(row, revision=(70 << EPOCH_BITS) + 1)
        for row in rig.disk.said(SESSION)
        if isinstance(row, Settlement)
    ]
    rig.disk.write(higher)
    rig.restart()
    before = dict(rig.disk.rows)
    rig.publish(TABLE[40:])
    rig.tick(2.0)

    assert rig.floor.outranked() == {0: 70}
    assert {key: rig.disk.rows[key] for key in before} == before


@pytest.mark.parametrize("first", [1, 5, 40])
def test_what_rests_on_events_that_are_gone_is_not_taken_back(first: int) -> None:
    """The first events of a session expire while no worker is there; the registry still has where it began."""
    rig = Rig(hole_patience_s=1.0)
    rig.publish(TABLE[:100])
    rig.tick(2.0)
    stored = rig.said()
    rig.floor = LiveFloor(rig.settings, clock=lambda: rig.now)
    kept_from = {topic: min(first, len(rig.broker.logs[topic, 0])) for topic in IN}
    holding = rig.broker.claimed(0)
    starts = rig.floor.assign(0, Holding(registry=holding.registry, epoch=holding.epoch, first=kept_from))
    for topic in IN:
        rig._take(topic, starts[topic])
    rig.floor.caught_up(0)
    rig.publish(TABLE[100:])
    rig.finish()

    assert rig.said() == stored
    assert rig.state() is State.LOST
