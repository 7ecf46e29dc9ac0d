"""The store's contract, tried on every engine: what goes in comes out, and writing twice is writing once."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from replay.results import Finding, RawEvent, Rejected, Round, Row, SessionSummary, Settlement, Streak, Verdict
from replay.revisions import taken_back
from replay.segment import Said
from replay.told import take_back_event, take_back_own
from streams.store import Store, StoreError, open_store
from streams.store import store as store_module
from streams.store.engine import Engine
from streams.store.migrations import known, migrate
from streams.store.tables import BY_RECORD, TABLES, Type
from tests.streams.store_rows import AT_US, DAY, RECORDS, SESSION, TEXTS, row, rows_of

any_store = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
"""One store for all examples of a test: each example must leave room for the next."""


def write(store: Store, *rows: Row) -> None:
    """Write ``rows`` as one block a table."""
    for each in rows:
        store.add(each)
    store.flush()


def empty(store: Store, table: str) -> None:
    """Drop all rows of ``table``."""
    store._engine.execute(f"TRUNCATE TABLE {table}")


# The schema


def test_a_second_migration_finds_everything_present(where):
    with open_store(where) as store:
        first = store.migrate()
        second = store.migrate()

        assert [each.state for each in first if each.state != "skipped"] == ["applied"] * (len(first) - skipped(first))
        assert [each.state for each in second if each.state != "skipped"] == ["present"] * (len(first) - skipped(first))
        assert first[0].state == "applied"


def skipped(migrated: Any) -> int:
    return sum(each.state == "skipped" for each in migrated)


def test_what_a_server_is_too_old_for_is_skipped_with_a_notice(store):
    """Debian's server is older than the second migration wants; the embedded engine is not."""
    current = store.migrate()[1]
    applied = store.query("SELECT count() AS n FROM schema_migrations FINAL WHERE number = 2")[0]["n"]

    assert (current.state == "present") == (applied == 1)
    assert (current.state == "skipped") == ("requires ClickHouse 22.8" in current.notice)


def test_sessions_of_before_the_law_was_kept_have_none(where):
    """Rows that migrations up to 0005 had room for, as an older retally wrote them."""
    with open_store(where) as store:
        migrate(store._engine, known()[:5])
        store._engine.execute(
            "INSERT INTO sessions (gaming_day, session, rules, revision)"
            f" SELECT toDate('{DAY}'), '{SESSION}', 'AD-2025', 1"
        )
        store.migrate()

        assert store.query("SELECT session, rules, law FROM sessions_current") == [
            {"session": SESSION, "rules": "AD-2025", "law": ""}
        ]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_has_the_columns_of_its_record_and_is_sorted_by_its_identity(store, table):
    described = {
        each["name"]: each["type"]
        for each in store.query(
            "SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {t:String}",
            {"t": table.name},
        )
    }
    statement = store.query(f"SHOW CREATE TABLE {table.name}")[0]["statement"]

    for name, type_ in table.columns:
        assert described.pop(name).replace("LowCardinality(String)", "String") == type_.sql
    if table.stamp:
        assert described.pop(table.stamp) == "Int64"
    assert set(described.values()) <= {"DateTime('UTC')", "LowCardinality(String)"}  # what is worked out of these
    assert ", ".join(table.identity) in statement
    assert "revision" not in table.identity


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_view_of_current_rows_has_every_column(store, table):
    columns = "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {t:String}"
    of_table = [each["name"] for each in store.query(columns, {"t": table.name})]
    of_view = [each["name"] for each in store.query(columns, {"t": table.current})]

    assert sorted(of_view) == sorted(of_table)


# What goes in comes out


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_a_plain_record_comes_back_as_it_was(store, record):
    written = row(record)
    write(store, written)

    assert list(store.read(record)) == [written]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
@any_store
@given(data=st.data())
def test_any_record_comes_back_as_it_was(store, record, data):
    """Extremes of 64 bits, every script, quotes, zero bytes, and bytes that are no text at all."""
    table = BY_RECORD[record]
    counts = frozenset(name for name, type_ in table.columns if type_ in (Type.COUNT, Type.REVISION))
    same = (
        attrgetter("digest") if record is Rejected else identity
    )  # a line that is no event is one, wherever it stands
    written = data.draw(st.lists(rows_of(record, counts), max_size=8, unique_by=lambda each: same(each)))
    shown = [each for each in written if not (isinstance(each, Said) and taken_back(each))]
    empty(store, table.name)
    write(store, *written)

    read = list(store.read(record))

    assert Counter(map(repr, read)) == Counter(map(repr, shown))


def identity(record: Any) -> tuple[Any, ...]:
    return tuple(getattr(record, name) for name in BY_RECORD[type(record)].identity)


def test_raw_bytes_are_kept_byte_for_byte(store):
    raw = bytes(range(256)) * 3 + b'\r\n{"v":1}\xff'
    write(store, row(RawEvent, raw=raw), row(Rejected, raw=raw))

    assert store.query("SELECT raw FROM events_current") == [{"raw": raw}]
    assert store.query("SELECT raw, length(raw) AS bytes FROM rejected") == [{"raw": raw, "bytes": len(raw)}]


def test_raw_bytes_stay_bytes_where_they_happen_to_be_text(store):
    write(store, row(RawEvent, raw="é".encode()))

    assert store.query("SELECT raw FROM events_current") == [{"raw": b"\xc3\xa9"}]


def test_text_that_has_no_bytes_is_stored_readably(store):
    """A lone surrogate out of a JSON escape is no character, and no file name either."""
    write(store, row(Rejected, reason="\ud800 is no letter"))

    assert [each.reason for each in store.read(Rejected)] == ["? is no letter"]


def test_a_number_that_no_column_holds_is_stored_as_the_nearest(store, caplog):
    write(store, row(Rejected, seq=10**30), row(Round, staked=-(10**30)), row(Settlement, paid=1 << 63, returned=None))

    assert [each.seq for each in store.read(Rejected)] == [(1 << 63) - 1]
    assert [each.staked for each in store.read(Round)] == [-(1 << 63)]
    assert [each.paid for each in store.read(Settlement)] == [(1 << 63) - 1]
    assert "rounds.staked: a number that the column cannot hold" in caplog.text


@pytest.mark.parametrize("day", ["2026-02-31", "0001-01-01", "9999-12-31", "tonight", ""])
def test_a_gaming_day_that_is_none_is_not_known(store, day):
    write(store, row(Round, gaming_day=day))

    assert [each.gaming_day for each in store.read(Round)] == [""]


def test_a_time_stands_beside_its_microseconds_in_utc(store):
    """The server's own zone is another one, and the machine's may be a third."""
    write(store, row(Finding))

    found = store.query("SELECT at_us, at, toString(at) AS text, toHour(at) AS hour FROM findings_current")[0]

    assert found["at_us"] == AT_US
    assert found["at"] == datetime.fromtimestamp(AT_US // 1_000_000, UTC)
    assert found["at"].utcoffset() == timedelta(0)
    assert (found["text"], found["hour"]) == ("2025-11-29 21:03:11", 21)


def test_a_record_without_a_table_is_refused(store):
    with pytest.raises(TypeError, match="no table for a str"):
        store.add("a row")


# Writing twice is writing once


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_the_same_rows_loaded_twice_are_there_once(store, record):
    """Before any merge, and after it."""
    table = BY_RECORD[record]
    write(store, row(record))
    write(store, row(record))

    assert len(list(store.read(record))) == 1
    store._engine.execute(f"OPTIMIZE TABLE {table.name} FINAL")
    assert store.query(f"SELECT count() AS n FROM {table.name}") == [{"n": 1}]


REVISED = [record for record in RECORDS if "revision" in record.__struct_fields__]


@pytest.mark.parametrize("record", REVISED, ids=lambda record: record.__name__)
@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)], ids=str)
@pytest.mark.parametrize("apart", [True, False], ids=["in blocks of their own", "in one block"])
def test_the_highest_revision_counts_in_whatever_order_they_were_written(store, record, order, apart):
    for revision in order:
        store.add(row(record, revision=revision, casino=f"as of {revision}"))
        if apart:
            store.flush()
    store.flush()

    assert [(each.revision, each.casino) for each in store.read(record)] == [(3, "as of 3")]
    store._engine.execute(f"OPTIMIZE TABLE {BY_RECORD[record].name} FINAL")
    assert [(each.revision, each.casino) for each in store.read(record)] == [(3, "as of 3")]


def test_a_condition_cannot_bring_a_superseded_row_back(store):
    """Conditions apply to the rows that count now: an old verdict must not be found by asking for it."""
    write(store, row(Settlement, verdict=Verdict.OVERPAID, revision=1), row(Finding, withdrawn=False, revision=1))
    write(store, row(Settlement, verdict=Verdict.MATCH, revision=2), row(Finding, withdrawn=True, revision=2))

    assert list(store.read(Settlement, "verdict = 'overpaid'")) == []
    assert list(store.read(Settlement, "revision = 1")) == []
    assert list(store.read(Finding, "withdrawn = 0")) == []
    assert store.query("SELECT count() AS n FROM settlements_current WHERE verdict != 'match'") == [{"n": 0}]


def test_a_withdrawn_finding_stays_on_record(store):
    write(store, row(Finding, withdrawn=False, revision=1))
    write(store, row(Finding, withdrawn=True, revision=2))

    assert list(store.read(Finding)) == []
    assert store.query("SELECT withdrawn, revision FROM findings FINAL") == [{"withdrawn": 1, "revision": 2}]


def test_a_rejected_line_that_was_read_from_two_places_is_one(store):
    write(store, row(Rejected, digest="a", source="whole.jsonl"), row(Rejected, digest="b", source="whole.jsonl"))
    write(store, row(Rejected, digest="a", source="part.jsonl"))

    assert [(each.digest, each.source) for each in store.read(Rejected)] == [("a", "part.jsonl"), ("b", "whole.jsonl")]


def test_what_stood_under_another_gaming_day_can_be_taken_back(store):
    """A session's own row and a raw event have no other way to say that they do not hold."""
    summary, event = row(SessionSummary, gaming_day="2026-11-30", revision=7), row(RawEvent, gaming_day="2026-11-30")
    write(store, summary, event, row(SessionSummary), row(RawEvent))

    write(store, take_back_own(summary, 8), take_back_event(event))

    assert [each.gaming_day for each in store.read(SessionSummary)] == [DAY]
    assert [each.gaming_day for each in store.read(RawEvent)] == [DAY]


def test_two_events_in_conflict_are_both_kept(store):
    write(store, row(RawEvent, digest="aa", raw=b"1"), row(RawEvent, digest="bb", raw=b"2"))

    assert [each.raw for each in store.read(RawEvent)] == [b"1", b"2"]


def test_a_reading_of_a_streak_that_was_taken_back_counts_no_more(store):
    write(store, row(Streak, seq=9, revision=9), row(Streak, seq=17, revision=17))
    write(store, row(Streak, seq=17, revision=30, at_us=0))

    assert store.query("SELECT seq FROM streaks_current") == [{"seq": 9}]


@any_store
@given(
    written=st.lists(
        st.builds(
            lambda seq, revision, withdrawn: row(
                Finding, seq=seq, revision=revision, withdrawn=withdrawn, amount=seq * 100 + revision
            ),
            st.integers(1, 4),
            st.integers(1, 5),
            st.booleans(),
        ),
        max_size=20,
        # A revision of an identity says one thing.
        unique_by=lambda each: (each.seq, each.revision),
    ),
    cuts=st.sets(st.integers(0, 20), max_size=4),
    again=st.booleans(),
)
def test_what_counts_is_the_same_however_rows_were_written(store, written, cuts, again):
    """Any order, any blocks, once or twice: the highest revision of each identity, unless it was withdrawn."""
    latest: dict[int, Any] = {}
    for each in written:
        if each.seq not in latest or latest[each.seq].revision < each.revision:
            latest[each.seq] = each
    expected = [latest[seq] for seq in sorted(latest) if not latest[seq].withdrawn]
    empty(store, "findings")

    for _ in range(1 + again):
        for position, each in enumerate(written):
            store.add(each)
            if position in cuts:
                store.flush()
        store.flush()

    assert list(store.read(Finding)) == expected


# The sink


def test_what_was_not_flushed_is_not_there(where):
    with open_store(where) as store:
        store.migrate()
        store.add(row(Finding))

        assert list(store.read(Finding)) == []


def test_leaving_the_block_flushes_and_an_error_does_not(where):
    def fails() -> None:
        with open_store(where) as store:
            store.add(row(Finding, seq=2))
            raise ZeroDivisionError

    with open_store(where) as store:
        store.migrate()
        store.add(row(Finding, seq=1))
    with pytest.raises(ZeroDivisionError):
        fails()

    with open_store(where) as store:
        assert [each.seq for each in store.read(Finding)] == [1]


def test_a_full_buffer_is_written_and_a_block_is_one_insert(where):
    with open_store(where, block_rows=10) as store:
        store.migrate()
        for seq in range(1, 26):
            store.add(row(RawEvent, seq=seq))
        waiting = 25 - store.query("SELECT count() AS n FROM events")[0]["n"]
        store.flush()

        assert 0 < waiting <= 10
        assert store.query("SELECT count() AS n FROM events") == [{"n": 25}]


def test_large_raw_lines_fill_a_block_before_its_rows_do(store, monkeypatch):
    monkeypatch.setattr(store_module, "BLOCK_BYTES", 1000)
    for seq in range(1, 12):
        store.add(row(RawEvent, seq=seq, raw=b"x" * 200))

    assert store.query("SELECT count() AS n FROM events") == [{"n": 10}]


@pytest.mark.parametrize(("raw", "blocks"), [(b"{}", [10, 10, 5]), (b"x" * 200, [5] * 5)])
def test_rows_that_are_given_together_are_written_in_blocks_of_the_same_bounds(raw, blocks, monkeypatch):
    monkeypatch.setattr(store_module, "BLOCK_BYTES", 1000)
    counts = []
    counting = SimpleNamespace(insert=lambda block, _: counts.append(block.count))
    store = Store(cast("Engine", counting), block_rows=10)
    store.extend([row(RawEvent, seq=seq, raw=raw) for seq in range(25)])
    store.flush()

    assert counts == blocks


def test_a_block_of_many_gaming_days_is_written_in_pieces(store):
    """An engine refuses a block for more than a hundred partitions."""
    days = [str(date(2026, 1, 1) + timedelta(days=number)) for number in range(130)]
    write(store, *(row(Round, gaming_day=day, session=f"CR01-{day}", revision=1) for day in days))

    assert [each.gaming_day for each in store.read(Round)] == days


# Asking


def test_an_answer_without_rows_still_has_its_columns(store):
    answer = store.query_columns("SELECT session, count() AS n FROM findings_current GROUP BY session")

    assert (answer.names, answer.types, len(answer)) == (("session", "n"), ("String", "UInt64"), 0)
    assert answer.dicts() == list(answer.rows()) == []


def test_answers_have_the_same_types_on_every_engine(store):
    answer = store.query_columns(
        "SELECT toDate('2026-11-29') AS day, toDateTime('2026-11-29 21:03:11', 'UTC') AS at,"
        " bitShiftLeft(toUInt64(1), 63) AS big,"
        " [toUInt32(1), toUInt32(2)] AS seqs, CAST(NULL AS Nullable(Int64)) AS nothing, 1 / 4 AS quarter,"
        " toDecimal64('1.50', 2) AS exact, 'é' AS text, ['é'] AS texts, CAST('a' AS Enum8('a' = 1)) AS choice,"
        " toDateTime('2026-11-29 21:03:11', 'Europe/Bucharest') AS east, unhex('FF') AS broken, 'x' AS raw"
    )
    row_ = answer.dicts()[0]

    assert row_ == {
        "day": date(2026, 11, 29),
        "at": datetime(2026, 11, 29, 21, 3, 11, tzinfo=UTC),
        "big": 1 << 63,
        "seqs": [1, 2],
        "nothing": None,
        "quarter": 0.25,
        "exact": Decimal("1.50"),
        "text": "é",
        "texts": ["é"],
        "choice": "a",
        "east": datetime(2026, 11, 29, 19, 3, 11, tzinfo=UTC),
        "broken": "\udcff",
        "raw": b"x",
    }
    assert row_["at"].tzinfo is UTC
    assert row_["east"].tzinfo is UTC


@any_store
@given(text=TEXTS, raw=st.binary(max_size=40), number=st.integers(-(1 << 63), (1 << 63) - 1))
def test_a_parameter_arrives_as_it_is(store, text, raw, number):
    answer = store.query(
        "SELECT {text:String} AS text, {raw:String} AS raw, toInt64({number:Int64}) AS number,"
        " has({texts:Array(String)}, {text:String}) AS has",
        {"text": text, "raw": raw, "number": number, "texts": [text, "x"]},
    )

    assert answer == [{"text": text, "raw": raw, "number": number, "has": 1}]


def test_dates_and_empty_lists_are_parameters_too(store):
    write(store, row(Finding))
    found = store.read(
        Finding,
        "gaming_day = {day:Date} AND at >= {since:DateTime} AND NOT has({not_in:Array(String)}, code)",
        {
            "day": DAY,
            "since": datetime(2025, 11, 29, 23, 3, 11, tzinfo=timezone(timedelta(hours=2))),
            "not_in": [],
        },
    )

    assert [each.session for each in found] == [SESSION]


def test_a_refused_query_says_why_in_one_line(store):
    with pytest.raises(StoreError, match=r"nope.*\(has this store been migrated\?\)$") as refused:
        store.query("SELECT * FROM nope")
    assert "\n" not in str(refused.value)
    assert "Stack trace" not in str(refused.value)

    with pytest.raises(StoreError, match=r"(?i)syntax error"):
        store.query("SELECT FROM WHERE")
    assert store.query("SELECT 1 AS one") == [{"one": 1}]


def test_a_store_without_its_tables_says_so(where):
    with open_store(where) as store, pytest.raises(StoreError, match="has this store been migrated"):
        list(store.read(Finding))
