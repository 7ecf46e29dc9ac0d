"""The topics' names, and the registry of sessions as it is written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.events import MODELS
from streams.live.registry import (
    Claim,
    Offsets,
    PartitionRegistry,
    Position,
    Registry,
    SessionEntry,
    State,
    encode,
    log_of,
)
from streams.live.topics import IN, OUT, SESSIONS, topic_of

NAMES = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=64)
OFFSETS = st.dictionaries(st.sampled_from(IN), st.integers(0, 2**62))


def _entry(session: str = "CR01-2026-11-29", **changes: object) -> SessionEntry:
    fields = {"partition": 3, "state": State.OPEN, "start": dict.fromkeys(IN, 5), "end": {}, "at_s": 1_790_000_000}
    return SessionEntry(session=session, **{**fields, **changes})  # type: ignore[arg-type]


def _read(*records: tuple[bytes | None, bytes | None]) -> PartitionRegistry:
    registry = Registry()
    for key, value in records:
        registry.apply(key, value)
    return registry.partition(3)


def test_every_type_of_event_has_its_topic() -> None:
    assert {topic_of(name) for name in MODELS} == set(IN)
    assert len({*IN, *OUT, SESSIONS}) == 8


def test_what_is_no_type_of_event_has_no_topic() -> None:
    with pytest.raises(ValueError, match="'teapot' is no type of event"):
        topic_of("teapot")


@given(NAMES, OFFSETS, OFFSETS, st.sampled_from(State), st.integers(0, 2**40))
def test_an_entry_is_read_as_it_was_written(name: str, start: Offsets, end: Offsets, state: State, at_s: int) -> None:
    entry = _entry(name, start=start, end=end, state=state, at_s=at_s)

    assert _read((entry.key, encode(entry))).sessions == {name: entry}


def test_the_last_record_under_a_key_counts_and_one_without_value_takes_it_back() -> None:
    opened, done = _entry(), _entry(state=State.DONE, end=dict.fromkeys(IN, 9))

    assert _read((opened.key, encode(opened)), (done.key, encode(done))).sessions == {opened.session: done}
    assert _read((opened.key, encode(opened)), (opened.key, None)).sessions == {}


def test_a_session_that_is_called_like_a_position_is_a_session() -> None:
    entry, position = _entry("position/3"), Position(partition=3, next={IN[0]: 7})
    read = _read((entry.key, encode(entry)), (position.key, encode(position)))

    assert read.sessions == {"position/3": entry}
    assert read.position == {IN[0]: 7}


def test_records_that_cannot_be_read_are_left_out() -> None:
    entry = _entry()
    read = _read(
        (None, b"{}"),
        (b"other/3", b"{}"),
        (entry.key, b"not json"),
        (b"position/3", b'{"partition":"three"}'),
        (b"session/gone", None),
        (entry.key, encode(entry)),
    )

    assert read.sessions == {entry.session: entry}


def test_a_partition_is_read_from_its_position_or_from_where_its_oldest_open_session_begins() -> None:
    position = dict.fromkeys(IN, 100)
    done = _entry("done", state=State.DONE, start=dict.fromkeys(IN, 1))
    early = _entry("early", start={**position, IN[0]: 20})
    late = _entry("late", start={**position, IN[0]: 40, IN[1]: 60})

    assert PartitionRegistry(3).start() == {}
    assert PartitionRegistry(3, position, sessions={"done": done}).start() == position
    assert PartitionRegistry(3, position, sessions={"early": early, "late": late}).start() == {
        **position,
        IN[0]: 20,
        IN[1]: 60,
    }
    assert PartitionRegistry(3, {}, sessions={"early": early}).start() == {}  # from the beginning
    assert PartitionRegistry(3, position, sessions={"anywhere": _entry(start={})}).start() == {}


# --- epochs -----------------------------------------------------------------------------------------------------------


def _claim(who: str, base: int = 0) -> tuple[bytes, bytes]:
    claim = Claim(partition=3, who=who, base=base, at_s=1_790_000_000)
    return claim.key, encode(claim)


def _written(*records: tuple[bytes, bytes]) -> PartitionRegistry:
    """What is read of records that stand at the offsets 0, 1, 2, ..."""
    registry = Registry()
    for offset, (key, value) in enumerate(records):
        registry.apply(key, value, offset)
    return registry.partition(3)


def test_a_later_claim_has_a_higher_epoch_and_offsets_that_begin_anew_do_not_lower_it() -> None:
    assert _written(_claim("a")).epoch == 1
    assert _written(_claim("a"), _claim("b")).epoch == 2
    assert _written(_claim("a", base=70)).epoch == 71
    assert _written(_claim("a", base=70), _claim("b")).epoch == 71  # who claimed so must claim anew, above base
    assert _written(_claim("a", base=70), _claim("b")).base == 70


@pytest.mark.parametrize("state", [State.DONE, State.LOST])
def test_what_a_stale_owner_calls_done_or_lost_counts_as_open(state: State) -> None:
    stale = _entry(state=state, epoch=1, end=dict.fromkeys(IN, 9))
    right = _entry(state=state, epoch=2, end=dict.fromkeys(IN, 9))

    def read(entry: SessionEntry) -> SessionEntry:
        return _written(_claim("a"), _claim("b"), (entry.key, encode(entry))).sessions[entry.session]

    assert read(right) == right
    assert read(stale).state is State.OPEN
    assert read(stale).start == stale.start


def test_the_position_of_a_stale_owner_does_not_replace_another() -> None:
    right, stale = Position(partition=3, next={IN[0]: 7}, epoch=2), Position(partition=3, next={IN[0]: 9}, epoch=1)
    records = [(each.key, encode(each)) for each in (right, stale)]

    assert _written(_claim("a"), _claim("b"), *records).position == {IN[0]: 7}


# --- logs -------------------------------------------------------------------------------------------------------------


def test_offsets_of_another_log_or_beyond_the_end_hold_no_more() -> None:
    done, opened = _entry("done", state=State.DONE, log="one"), _entry("open", log="one")
    known = PartitionRegistry(3, dict.fromkeys(IN, 8), "one", {"done": done, "open": opened})
    ends = dict.fromkeys(IN, 10)

    assert known.counted_in("one", ends) is None
    assert known.counted_in("", ends) is None  # an old broker, which has no ids
    for anew in (known.counted_in("two", ends), known.counted_in("one", {**ends, IN[2]: 7})):
        assert anew is not None
        assert anew.position == {}
        assert list(anew.sessions) == ["open"]
        assert anew.sessions["open"].start == {}


def test_topics_that_are_made_anew_are_another_log() -> None:
    ids = {topic: f"id of {topic}" for topic in IN}

    assert log_of(ids) == log_of(dict(reversed(ids.items()))) != ""
    assert log_of({**ids, IN[1]: "another"}) != log_of(ids)
    assert log_of({**ids, IN[1]: ""}) == ""
