"""From judged sessions to a night: what is stated of a session, what comes late, and what is never dropped silently."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.bundle import house_log
from replay.bundle.checkpoint import read_head
from replay.bundle.floor_log import NightError
from replay.bundle.house_log import FloorLog
from replay.bundle.leaves import Case, Import, KeyChange, Late, Night, read
from replay.bundle.sealing import judged
from replay.bundle.strict import NoteError
from replay.evidence import key_id, public_half
from replay.key_scope import Grant, ScopedKeys, Terms
from tests.installed import PACKS
from tests.installed import judged as by_installed
from tests.replay import logs
from tests.replay.bundle.floors import (
    DAYS,
    GATEWAY,
    KEY,
    TABLES,
    entries,
    floor,
    private,
    sealed,
    session,
    sessions_of,
    signed_anyway,
)

JUDGING: Final = by_installed(keys=logs.KEYS)
LOG: Final = logs.boule([logs.Coup(7, [logs.Stake("red"), logs.Stake("straight_up", 3)]), logs.Coup(2, [])])
COUNTED: Final = 2
"""The drop and its seal are the last two events."""


def line(**fields: Any) -> bytes:
    """An event line that a table could have written, without a seal after it."""
    event = {"v": 1, "type": "drop_counted", "session": LOG.session, "seq": len(LOG.lines) + 1}
    event |= {"at": "2026-11-30T08:00:00Z", "table": LOG.table, "device": "count", "amount": 5}
    return json.dumps(event | fields).encode()


def content(lines: list[bytes]) -> str:
    return hashlib.sha256(b"".join(each + b"\n" for each in lines)).hexdigest()


# What is stated of a session


def test_a_whole_session_is_stated_by_every_byte_of_its_events():
    found = judged(LOG.session, LOG.lines, JUDGING)
    last = json.loads(LOG.lines[-1])

    assert found is not None
    assert (found.date, found.table, found.state) == ("2026-11-29", "BO01", "whole")
    assert (found.events, found.last, found.content) == (len(LOG.lines), len(LOG.lines), content(LOG.lines))
    assert (found.chain, found.key) == (last["chain"], last["key"])
    assert (found.rules, found.law) == ("AD-2025", PACKS.digest("AD-2025", "boule"))


@given(st.randoms(use_true_random=False))
def test_the_order_of_arrival_and_copies_change_nothing(chance):
    lines = [*LOG.lines, *chance.sample(LOG.lines, 5)]
    chance.shuffle(lines)

    assert judged(LOG.session, lines, JUDGING) == judged(LOG.session, LOG.lines, JUDGING)


def test_another_last_checkpoint_is_another_session():
    """Its chain is the same: the events before it are. The leaf covers its own line as well."""
    last = json.loads(LOG.lines[-1])
    moved = LOG.lines[-1].replace(last["at"].encode(), b"2026-11-29T23:59:59.000000Z")
    one, two = (judged(LOG.session, [*LOG.lines[:-1], end], JUDGING) for end in (LOG.lines[-1], moved))

    assert one is not None
    assert two is not None
    assert one.chain == two.chain
    assert one.content != two.content
    assert (one.state, two.state) == ("whole", "broken")


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        (LOG.lines[:-1], "open"),
        (LOG.lines[:-COUNTED], "whole"),
        (LOG.lines[: LOG.rounds[0][-1]], "open"),
        ([*LOG.lines[:4], *LOG.lines[5:]], "broken"),
        ([*LOG.lines, line()], "open"),
        ([each.replace(b'"amount":1000', b'"amount":1001') for each in LOG.lines], "broken"),
        (logs.boule([logs.Coup(7, [])], sealed=False).lines, "unsealed"),
    ],
)
def test_what_is_not_whole_is_stated_as_it_is(lines, state):
    found = judged(LOG.session, lines, JUDGING)

    assert found is not None
    assert found.state == state
    assert found.content == content(lines)


def test_a_seal_by_a_key_that_is_not_known_is_no_seal():
    found = judged(LOG.session, LOG.lines, by_installed(keys={}))

    assert found is not None
    assert found.state == "broken"


@pytest.mark.parametrize(
    "garbage",
    [
        b'{"v":1,"type":"checkpoint","session":"%s","seq":999999,"chain":"%s"}' % (LOG.session.encode(), b"ab" * 32),
        b'{"type":"\\u0063heckpoint","session":"%s","seq":5,"chain":"%s"}' % (LOG.session.encode(), b"ab" * 32),
        b'{"session":"%s","seq":0,"type":"table_opened","gaming_day":"2026-01-01","at":"2026-01-01T00:00:00Z"}'
        % LOG.session.encode(),
        b'{"session":"%s","seq":1,"type":"table_opened","gaming_day":"2026-01-01"}' % LOG.session.encode(),
        b"\x00\xff",
    ],
)
def test_a_line_that_cannot_be_decoded_states_nothing(garbage):
    """Neither a chain, nor a gaming day, nor an event: whoever can append a line cannot choose the leaf."""
    for lines in ([*LOG.lines, garbage], [garbage, *LOG.lines]):
        assert judged(LOG.session, lines, JUDGING) == judged(LOG.session, LOG.lines, JUDGING)


def test_a_session_of_which_no_event_can_be_read_is_none():
    assert judged(LOG.session, [b"{}", b'{"session":"BO01-2026-11-29","seq":1}'], JUDGING) is None


def test_the_digest_of_so_many_of_the_first_events_tells_whether_a_session_has_grown():
    before = judged(LOG.session, LOG.lines[:-COUNTED], JUDGING)
    after = judged(LOG.session, LOG.lines, JUDGING, beginning=len(LOG.lines) - COUNTED)

    assert before is not None
    assert after is not None
    assert after.beginning == before.content != after.content


# Nights


def test_every_table_counts_its_sessions_without_holes_across_nights():
    log = floor(*DAYS)
    told = [leaf for night in log.nights for leaf in sessions_of(map(read, night.leaves)) if leaf.table == "BO01"]

    assert [leaf.ordinal for leaf in told] == [1, 2, 3, 4]
    assert [leaf.previous for leaf in told[1:]] == [leaf.hash.hex() for leaf in told[:-1]]
    assert told[0].previous == "-"


def test_a_log_read_again_night_by_night_is_the_same_log():
    log, again = floor(*DAYS), FloorLog(KEY)
    for night in log.nights:
        again.add(house_log.read_night(msgspec.json.encode(night)))

    assert again.state == log.state
    assert again.sessions == log.sessions


def test_a_night_that_was_altered_is_found_when_the_log_is_read():
    log = floor(*DAYS[:2])
    text = log.nights[1]
    for other in (
        msgspec.structs.replace(text, entries=text.entries[1:]),
        msgspec.structs.replace(text, entries=[*text.entries[:-1], text.entries[-1].replace("AD-", "MO-")]),
        msgspec.structs.replace(text, head=log.nights[0].head),
        msgspec.structs.replace(text, peaks=text.peaks[::-1]),
        msgspec.structs.replace(text, roster=["BO01"]),
        log.nights[0],
    ):
        again = floor(*DAYS[:1])
        with pytest.raises((NoteError, NightError)):
            again.add(other)


def test_a_session_that_came_when_its_night_was_sealed_is_late_in_the_next():
    log = floor()
    sealed(log, DAYS[0], absent={"CR01": "the gateway is down"})
    found = entries(log, DAYS[1], [*(session(table, DAYS[1]) for table in TABLES), session("CR01", DAYS[0])])
    late = [leaf for leaf in found if isinstance(leaf, Late)]

    assert [(leaf.date, leaf.session, leaf.instead_of, leaf.how) for leaf in late] == [
        (DAYS[0], f"CR01-{DAYS[0]}", "-", "new")
    ]
    assert [leaf.ordinal for leaf in sessions_of(found) if leaf.table == "CR01"] == [1, 2]


def test_a_drop_that_was_counted_after_the_sealing_is_late_in_the_next_night():
    """The sealed night is not opened again; that what was sealed is the beginning of what is there now is stated."""
    log = floor(DAYS[0])
    known = log.sessions[f"BO01-{DAYS[0]}"]
    longer = session("BO01", DAYS[0], events=102, last=102, content="ab" * 32, beginning=known.content)
    other = session("BO02", DAYS[0], events=102, last=102, content="cd" * 32, beginning="ef" * 32)
    sealed(log, DAYS[1], [longer, other, session("CR01", DAYS[0]), *(session(table, DAYS[1]) for table in TABLES)])
    late = [leaf for leaf in map(read, log.nights[-1].leaves) if isinstance(leaf, Late)]

    assert [(leaf.session, leaf.instead_of, leaf.how) for leaf in late] == [
        (f"BO01-{DAYS[0]}", "1", "longer"),
        (f"BO02-{DAYS[0]}", "1", "other"),
    ]


def test_what_is_late_once_is_not_late_again():
    log = floor(DAYS[0])
    longer = session(
        "BO01", DAYS[0], events=102, last=102, content="ab" * 32, beginning=log.sessions[f"BO01-{DAYS[0]}"].content
    )
    tables = [session(table, DAYS[1]) for table in TABLES]
    sealed(log, DAYS[1], [longer, *tables])

    assert not [leaf for leaf in entries(log, DAYS[2], [longer, *tables]) if isinstance(leaf, Late)]


def test_a_table_of_which_nothing_is_said_keeps_the_night_from_being_sealed():
    with pytest.raises(NightError, match="nothing is said of table 'CR01'"):
        sealed(floor(), DAYS[0], [session("BO01", DAYS[0]), session("BO02", DAYS[0])])


def test_a_table_that_is_not_on_the_roster_keeps_the_night_from_being_sealed():
    sessions = [session(table, DAYS[0]) for table in (*TABLES, "CR99")]

    with pytest.raises(NightError, match="'CR99' has a session, and is not on the roster"):
        sealed(floor(), DAYS[0], sessions)


def test_the_key_of_a_gateway_is_told_in_the_log_when_it_seals_first():
    log = floor(*DAYS[:2])
    changes = [[leaf for leaf in map(read, night.leaves) if isinstance(leaf, KeyChange)] for night in log.nights]

    assert [len(found) for found in changes] == [1, 0]
    assert changes[0][0].public == bytes(logs.KEYS[session("BO01", DAYS[0]).key]).hex()


def changes(log: FloorLog) -> list[list[tuple[str, str]]]:
    """Night by night, what was changed of gateways' keys, and what they count for since."""
    nights = [map(read, night.leaves) for night in log.nights]
    return [[(leaf.change, leaf.terms) for leaf in night if isinstance(leaf, KeyChange)] for night in nights]


def test_what_a_gateways_key_counts_for_is_told_in_the_log_when_it_changes():
    """And that it was revoked, once; a key that has sealed nothing is not told of."""
    first = Terms(grants=(Grant(tables=("BO*", "CR*")),))
    other = Terms(grants=(Grant(tables=("BO01",)),))
    over = msgspec.structs.replace(other, revoked=datetime(2026, 11, 29, 12, tzinfo=UTC))
    idle = public_half(private(70))
    log = floor()
    for day, terms in zip(DAYS, (first, other, over, first), strict=True):
        keys = ScopedKeys({**logs.KEYS, key_id(idle): idle}, {GATEWAY: terms, key_id(idle): other})
        sealed(log, day, keys=keys)

    assert changes(log) == [
        [("added", '{"grants":[{"tables":["BO*","CR*"]}]}')],
        [("changed", '{"grants":[{"tables":["BO01"]}]}')],
        [("revoked", '{"grants":[{"tables":["BO01"]}],"revoked":"2026-11-29T12:00:00Z"}')],
        [],
    ]
    assert [(one.public, one.revoked) for one in log.state.gateways] == [(bytes(logs.KEYS[GATEWAY]).hex(), True)]


def test_terms_that_are_too_long_for_a_line_are_told_by_their_digest():
    terms = Terms(grants=(Grant(tables=tuple(f"TABLE-{number:04d}" for number in range(200))),))
    log = floor()
    sealed(log, DAYS[0], keys=ScopedKeys(logs.KEYS, {GATEWAY: terms}))

    assert changes(log) == [[("added", f"sha256 {hashlib.sha256(msgspec.json.encode(terms)).hexdigest()}")]]


def test_the_logs_key_is_changed_by_a_leaf_and_signs_from_the_next_night_on():
    later = private(9)
    log = floor(DAYS[0])
    sealed(log, DAYS[1], new_key=later)
    with pytest.raises(NoteError, match="not the key that signs"):
        sealed(log, DAYS[2])
    log.nights.append(house_log.seal(log, entries(log, DAYS[2]), TABLES, later))

    assert log.keys[0] == KEY
    assert log.state.key.public == log.keys[1].public != KEY.public


def test_the_last_seal_of_the_old_form_is_taken_over_by_the_first_leaf_as_unwitnessed():
    taken = Import(date="2026-11-26", size=17, root="ab" * 32)
    log = floor()
    sealed(log, DAYS[0], imported=taken)

    assert read(log.nights[0].leaves[0]) == taken
    assert taken.standing == "unwitnessed"
    with pytest.raises(NightError, match="first leaf of a log alone"):
        sealed(log, DAYS[1], imported=taken)


def test_cases_stand_before_the_nights_own_leaf():
    case = Case(date=DAYS[0], case="2026-117", records=4, last="ab" * 32)
    night = sealed(floor(), DAYS[0], cases=[case])

    assert [type(leaf) for leaf in map(read, night.leaves[-2:])] == [Case, Night]


def test_a_closed_floor_is_a_night_of_its_own():
    log = floor(DAYS[0])
    night = sealed(log, DAYS[1], closed_days={DAYS[1]: "25 December"})

    assert len(night.leaves) == 2
    assert log.state.date == DAYS[1]


def test_days_on_which_the_floor_was_closed_are_said_with_the_next_night():
    log = floor(DAYS[0])
    with pytest.raises(NightError, match=f"nothing is said of {DAYS[1]}"):
        sealed(log, DAYS[3])
    with pytest.raises(NightError, match=f"nothing is said of {DAYS[2]}"):
        sealed(log, DAYS[3], closed_days={DAYS[1]: "holiday"})
    sealed(log, DAYS[3], closed_days={DAYS[1]: "holiday", DAYS[2]: "holiday"})

    assert log.state.date == DAYS[3]


def test_nothing_follows_the_last_night_of_a_log():
    log = floor(DAYS[0])
    sealed(log, DAYS[1], ends="the floor moves; its new log is operator.example/retally/floor-9")

    with pytest.raises(NightError, match="the log ended with the night of"):
        sealed(log, DAYS[2])


def test_a_night_with_a_report_is_handed_over_with_it():
    log = floor()
    night = sealed(log, DAYS[0], report=b"<html>")

    assert house_log.hand_over(night, b"<html>").report == b"<html>"
    for report in (None, b"<html> "):
        with pytest.raises(NoteError, match="report"):
            house_log.hand_over(night, report)


def test_another_key_than_the_logs_seals_nothing():
    log = floor()
    with pytest.raises(NoteError, match="not the key that signs"):
        house_log.seal(log, entries(log, DAYS[0]), TABLES, private(5))


def test_every_leaf_of_every_night_is_proven_under_its_own_head_and_every_later_one():
    log = floor(*DAYS)
    for place, night in enumerate(log.nights):
        for offset, leaf in enumerate(night.leaves):
            for end in range(place + 1, len(log.nights) + 1):
                proof = house_log.prove(log.nights[place:end], night.size + offset)
                head = read_head(proof.note, [KEY])
                assert proof.holds(head, leaf)
    with pytest.raises(NoteError, match="leaf 0 cannot be proven"):
        house_log.prove(log.nights[1:], 0)


def test_a_house_that_signs_two_histories_is_found_by_its_own_log():
    log = floor(DAYS[0])
    other = signed_anyway(floor(DAYS[0]), entries(floor(DAYS[0]), DAYS[1])[1:])

    with pytest.raises(NightError):
        log.add(other)
