"""A key counts for the tables and gaming days that it was given, and for nothing once it is revoked."""

from __future__ import annotations

import pickle
from datetime import UTC, date, datetime, timedelta, timezone
from fnmatch import fnmatchcase
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.key_scope import (
    MAX_PATTERNS,
    Grant,
    ScopedKeys,
    Terms,
    chosen,
    decoded,
    encoded,
    out_of_scope,
    unscoped,
)
from tests.replay import logs

NAME = next(iter(logs.KEYS))
NIGHT = datetime(2026, 11, 29, 22, tzinfo=UTC)


def grant(*tables: str, since: str = "", until: str = "") -> Grant:
    return Grant(
        tables=tables,
        since=date.fromisoformat(since) if since else None,
        until=date.fromisoformat(until) if until else None,
    )


def fault(terms: Terms, *, table: str = "BO01", day: str = "2026-11-29", at: datetime = NIGHT) -> str:
    """What is wrong with a seal by a key of these terms."""
    return out_of_scope(ScopedKeys(logs.KEYS, {NAME: terms}), seal(table, at), table, day)


def seal(table: str, at: datetime) -> Any:
    return SimpleNamespace(key=NAME, table=table, at=at)


@pytest.mark.parametrize(
    ("pattern", "table", "covered"),
    [
        ("BO01", "BO01", True),
        ("BO01", "BO011", False),
        ("BO01", "bo01", False),
        ("BO*", "BO01", True),
        ("BO*", "BO", True),
        ("BO*", "XBO01", False),
        ("*01", "BO01", True),
        ("*01", "BO012", False),
        ("*", "whatever there is", True),
        ("B*1", "B1", True),
        ("B*B1", "B1", False),
        ("P*-*-3", "PIT-2-3", True),
        ("P*-*-3", "PIT-3", False),
        ("BO?1", "BO01", False),
        ("BO[01]1", "BO01", False),
        ("BO[01]1", "BO[01]1", True),
        ("BO.1", "BO01", False),
    ],
)
def test_an_asterisk_stands_for_any_characters_and_nothing_else_for_another(pattern, table, covered):
    assert grant(pattern).covers(table) is covered


@given(st.text("ab*", min_size=1, max_size=8), st.text("ab", max_size=10))
def test_patterns_are_those_of_the_shell(pattern, table):
    assert grant(pattern).covers(table) is fnmatchcase(table, pattern)


def test_a_pattern_of_many_asterisks_takes_no_time():
    assert not grant("a*" * 31 + "b").covers("a" * 64)


@pytest.mark.parametrize(
    ("day", "counts"),
    [("2026-10-31", False), ("2026-11-01", True), ("2026-11-30", True), ("2026-12-01", False)],
)
def test_the_first_and_the_last_day_belong_to_the_grant(day, counts):
    terms = Terms(grants=(grant("BO01", since="2026-11-01", until="2026-11-30"),))

    assert (fault(terms, day=day) == "") is counts


@pytest.mark.parametrize(
    ("at", "counts"),
    [
        pytest.param(datetime(2026, 11, 28, 9, 59, tzinfo=UTC), False, id="before the day begins anywhere"),
        pytest.param(datetime(2026, 11, 28, 10, tzinfo=UTC), True, id="the day begins in Kiritimati (UTC+14)"),
        pytest.param(datetime(2026, 11, 30, 5, tzinfo=UTC), True, id="past midnight"),
        pytest.param(datetime(2026, 12, 2, 12, tzinfo=UTC), True, id="the drop is counted after the weekend"),
        pytest.param(datetime(2026, 12, 6, 23, 59, tzinfo=UTC), True, id="a week after the day"),
        pytest.param(datetime(2026, 12, 7, 0, tzinfo=UTC), False, id="later"),
    ],
)
def test_the_seals_of_a_gaming_day_are_made_on_it_or_soon_after(at, counts):
    terms = Terms(grants=(grant("BO01", since="2026-11-29", until="2026-11-29"),))

    assert (fault(terms, at=at) == "") is counts
    assert (fault(terms, at=at, day="") == "") is counts  # also where the opening is missing


def test_a_key_counts_for_what_any_of_its_grants_says_but_for_no_mixture_of_them():
    terms = Terms(grants=(grant("BO*", until="2026-11-28"), grant("CR*", since="2026-11-29")))

    assert fault(terms, table="CR01") == ""
    assert fault(terms, table="BO01", day="2026-11-28") == ""
    assert fault(terms, table="BO01") == f"bears key {NAME}, which counts for BO* to 2026-11-28, " \
                                         "not on the gaming day 2026-11-29"  # fmt: skip
    assert "not for table SB01" in fault(terms, table="SB01")


def test_what_is_wrong_is_said_in_one_sentence():
    terms = Terms(gateway="BO-gateway", grants=(grant("BO01", "BO02", since="2026-11-01"),))

    assert fault(terms, table="CR01") == (
        f"bears key {NAME} of BO-gateway, which counts for BO01 and BO02 from 2026-11-01, not for table CR01"
    )
    assert str(Terms(grants=(grant(*(f"BO{number}" for number in range(300 - 100))),))) == (
        "BO0, BO1, BO2, BO3 and 196 more"
    )
    assert str(Terms(grants=(grant("*"),))) == "every table"


def test_a_revocation_counts_from_its_moment_on():
    moment = datetime(2026, 11, 29, 22, 0, 1, tzinfo=UTC)
    terms = Terms(grants=(grant("*"),), revoked=moment)

    assert fault(terms, at=moment - timedelta(microseconds=1)) == ""
    assert fault(terms, at=moment).startswith(f"bears key {NAME}, which was revoked from 2026-11-29 22:00:01 UTC on")
    assert fault(terms, at=moment.astimezone(timezone(timedelta(hours=-5)))) != ""
    assert fault(terms, day="2026-11-30") == ""  # a day that may have begun
    assert "before the gaming day 2026-12-01" in fault(terms, day="2026-12-01")


def test_keys_without_terms_count_for_everything():
    keys = ScopedKeys(logs.KEYS, {})

    for some in (keys, dict(logs.KEYS)):
        assert out_of_scope(some, seal("BO77", NIGHT), "BO01", "2026-11-29") == ""
        assert unscoped(some) == [NAME]
    assert unscoped(ScopedKeys(logs.KEYS, {NAME: Terms(grants=(grant("*"),))})) == []


def test_keys_keep_their_scope_on_the_way_to_another_process_and_into_a_bundle():
    terms = Terms(gateway="BO", grants=(grant("BO*", since="2026-11-01"),), revoked=NIGHT)
    keys = ScopedKeys(logs.KEYS, {NAME: terms})

    for other in (pickle.loads(pickle.dumps(keys)), chosen(keys, [NAME, "0" * 16])):
        assert other == keys
        assert other.terms == keys.terms
    assert chosen(keys, []).terms == {}
    assert decoded(encoded(terms)) == terms


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"grants":[]}',
        '{"grants":[{"tables":["a\\u0007"]}]}',
        '{"grants":[{"tables":["*"],"to":"2026-01-01"}]}',
        '{"grants":[{"tables":["*"]}],"revoked":"2026-01-01T00:00:00"}',
        '{"grants":[{"tables":["*"]}],"revoked":"9999-12-31T23:00:00Z"}',
        '{"grants":' + "[" * 100_000,
    ],
)
def test_terms_that_are_none_are_refused(text):
    with pytest.raises(ValueError, match=r"."):
        decoded(text)


def test_the_tables_of_a_key_are_bounded():
    many = tuple(f"T{number}" for number in range(MAX_PATTERNS))
    Terms(grants=(grant(*many),))

    with pytest.raises(ValueError, match=str(MAX_PATTERNS)):
        Terms(grants=(grant(*many), grant("T")))


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_first_and_the_last_day_that_there_are_are_days(day):
    """Neither as a gaming day nor as a grant's do they break the arithmetic of dates."""
    terms = Terms(grants=(grant("BO01", since=day, until=day),), revoked=datetime(2026, 12, 1, tzinfo=UTC))

    assert fault(terms) != ""
    assert isinstance(fault(terms, day=day), str)
