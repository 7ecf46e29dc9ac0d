"""Leaves: one spelling each, read strictly; and the files that they travel in."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.bundle import leaves
from replay.bundle.leaves import (
    Absent,
    Case,
    Closed,
    Entry,
    Import,
    KeyChange,
    Late,
    Night,
    Session,
    join,
    read,
    read_roster,
    roster_text,
    split,
)
from replay.bundle.strict import NoteError
from tests.replay.bundle.floors import DAYS, HOUSE, entries, floor, read_or_told, session, sessions_of

D: Final = "0123456789abcdef" * 4
IMPORT: Final = Import(date="2026-11-28", size=17, root=D)
KEY_CHANGE: Final = KeyChange(
    date="2026-11-29",
    of="gateway",
    change="added",
    public=D,
    day="2026-11-29",
    terms="-",
    signer=D,
    signature=D + D,
)
CLOSED: Final = Closed(date="2026-11-29", of="table", table="CR 07", reason="under repair since Friday")
ABSENT: Final = Absent(date="2026-11-29", table="CR07", reason="the gateway is down")
SESSION: Final = Session(
    date="2026-11-29",
    table="CR01",
    session="CR01-2026-11-29",
    ordinal=17,
    events=1841,
    last=1841,
    content=D,
    chain=D,
    key="56475aa75463474c",
    state="whole",
    law=D,
    previous=D,
)
LATE: Final = Late(**msgspec.structs.asdict(SESSION), instead_of="16", how="longer")
CASE: Final = Case(date="2026-11-29", case="2026-117", records=4, last=D)
NIGHT: Final = Night(
    date="2026-11-29",
    first=1042,
    count=104,
    tables=100,
    roster=D,
    previous_date="2026-11-28",
    previous_size=1042,
    previous_root=D,
    rules="AD-2025 MO-1985",
    report="-",
)
ALL: Final[tuple[Entry, ...]] = (IMPORT, KEY_CHANGE, CLOSED, ABSENT, SESSION, LATE, CASE, NIGHT)


def test_a_leaf_is_text_that_one_can_read_and_type():
    assert SESSION.text == (
        "retally-leaf/2 session\ndate 2026-11-29\ntable CR01\nsession CR01-2026-11-29\nordinal 17\nevents 1841\n"
        f"last 1841\ncontent {D}\nchain {D}\nkey 56475aa75463474c\nstate whole\nlaw {D}\nprevious {D}\n"
    )


def test_a_leafs_hash_is_that_of_rfc_6962():
    assert SESSION.hash == hashlib.sha256(b"\x00" + SESSION.text.encode()).digest()


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: type(entry).__name__)
def test_what_is_written_is_read_back(entry):
    assert read(bytes(entry)) == entry


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: type(entry).__name__)
def test_a_leaf_has_one_spelling(entry):
    """Every byte more, less or other makes another leaf, or none."""
    data = bytes(entry)
    for place in range(len(data)):
        for other in (
            data[:place] + data[place + 1 :],
            data[:place] + b" " + data[place:],
            data[:place] + b"\n" + data[place:],
        ):
            found = read_or_told(read, other)
            assert found is None or (found != entry and bytes(found) == other)


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: type(entry).__name__)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n", "\r\n"),
        ("retally-leaf/2", "retally-leaf/1"),
        ("2026-11-29\n", "2026-11-31\n"),
        ("2026-11-2", "٢٠٢٦-11-2"),
        ("date ", "Date "),
        ("date 2026", "date  2026"),
        (D, D.upper()),
        (D, D[:-1]),
        (D, f"0x{D[2:]}"),
    ],
)
def test_other_spellings_are_refused(entry, old, new):
    if old in entry.text:
        with pytest.raises(NoteError):
            read(entry.text.replace(old, new).encode())


@pytest.mark.parametrize("number", ["+17", "017", "-17", "17.0", "1_7", "١٧", "", "1" * 17])
def test_a_number_is_written_in_one_way(number):
    with pytest.raises(NoteError, match="ordinal"):
        read(SESSION.text.replace("ordinal 17", f"ordinal {number}").encode())


@pytest.mark.parametrize(
    ("entry", "other"),
    [
        (SESSION, {"ordinal": 0}),
        (SESSION, {"ordinal": 1}),
        (SESSION, {"previous": "-"}),
        (SESSION, {"events": 0}),
        (SESSION, {"last": 1840}),
        (SESSION, {"chain": "-"}),
        (SESSION, {"state": "unsealed"}),
        (SESSION, {"state": "good"}),
        (SESSION, {"session": "a\nb"}),
        (SESSION, {"session": ""}),
        (SESSION, {"session": "x" * 65}),
        (SESSION, {"table": 'a"b'}),
        (SESSION, {"table": "é"}),
        (LATE, {"instead_of": "-"}),
        (LATE, {"how": "new"}),
        (LATE, {"instead_of": "0"}),
        (CLOSED, {"of": "floor"}),
        (CLOSED, {"table": "-"}),
        (CLOSED, {"reason": ""}),
        (CLOSED, {"reason": " x"}),
        (CLOSED, {"reason": "a\nb"}),
        (CLOSED, {"reason": "a\u202eb"}),
        (CLOSED, {"reason": "x" * 301}),
        (IMPORT, {"standing": "witnessed"}),
        (IMPORT, {"format": "retally-seal/2"}),
        (KEY_CHANGE, {"of": "witness"}),
        (KEY_CHANGE, {"signature": D}),
        (NIGHT, {"rules": "MO-1985 AD-2025"}),
        (NIGHT, {"rules": "AD-2025 AD-2025"}),
        (NIGHT, {"rules": ""}),
        (NIGHT, {"previous_date": ""}),
    ],
)
def test_a_leaf_that_says_what_cannot_be_is_neither_read_nor_written(entry, other):
    wrong = msgspec.structs.replace(entry, **other)

    with pytest.raises(NoteError) as told:
        read(wrong.text.encode())
    assert str(told.value).isprintable()


@given(st.binary(max_size=300))
def test_whatever_is_read_it_is_a_leaf_or_one_clear_error(data):
    for text in (data, b"retally-leaf/2 " + data, b"retally-leaf/2 session\ndate 2026-11-29\n" + data):
        found = read_or_told(read, text)
        assert found is None or bytes(found) == text


def test_a_change_of_key_is_signed_by_the_logs_key():
    log = floor(*DAYS[:1])
    change = next(leaf for leaf in map(read, log.nights[0].leaves) if isinstance(leaf, KeyChange))

    assert change.holds()
    assert HOUSE.sign(change.message).hex() == change.signature
    assert not msgspec.structs.replace(change, public=D).holds()
    assert not msgspec.structs.replace(change, signer=D).holds()
    assert not msgspec.structs.replace(change, signer="00" * 32).holds()


def test_a_nights_leaves_stand_in_one_order_whatever_order_they_came_in():
    log = floor(*DAYS[:1])
    sessions = [session(table, DAYS[1]) for table in ("CR01", "BO02", "BO01")]
    one, other = (entries(log, DAYS[1], found) for found in (sessions, sessions[::-1]))

    assert one == other
    assert [leaf.table for leaf in sessions_of(one)] == ["BO01", "BO02", "CR01"]
    assert isinstance(one[-1], Night)


# The files


@given(st.lists(st.binary(min_size=1, max_size=60), max_size=20))
def test_entries_are_split_as_they_were_joined(found):
    assert split(join(found)) == found


@pytest.mark.parametrize(
    "data",
    [
        *(b"3\nab", b"\n", b"0\n", b"03\nabc", b"+3\nabc", b"3 \nabc", b"3abc", b"3\nabc\n", "٣\nabc".encode()),
        *(b"4097\n" + b"x" * 4097, b"9" * 30 + b"\nabc", b"1\nx" * 10_001),
    ],
)
def test_what_holds_no_entries_is_refused(data):
    with pytest.raises(NoteError):
        split(data)


def test_a_roster_is_a_line_a_table_in_order():
    assert roster_text(["CR01", "BO02", "BO01"]) == b"BO01\nBO02\nCR01\n"
    assert read_roster(b"BO01\nBO02\nCR01\n") == ("BO01", "BO02", "CR01")


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"BO01", b"BO02\nBO01\n", b"BO01\nBO01\n", b"BO01\r\n", b"BO01\n\n", b"-\n", "É1\n".encode(), b'a"\n'],
)
def test_what_is_no_roster_is_refused(data):
    with pytest.raises(NoteError):
        read_roster(data)


def test_every_kind_has_its_place():
    kinds: list[Any] = [leaves.place(entry)[0] for entry in ALL]

    assert kinds == sorted(kinds)
