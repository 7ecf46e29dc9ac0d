"""A witness: what he signs, and what a house may try to have him sign that he does not."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.bundle import note, witness
from replay.bundle.checkpoint import read_head
from replay.bundle.house_log import FloorLog, SealedNight
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
    place,
    read,
    roster_text,
)
from replay.bundle.note import LOG, NoteError
from replay.bundle.policy import standing
from replay.bundle.tlog import AddCheckpoint, read_add_checkpoint
from replay.bundle.witness import Alarm, check, new_state, read_state, state_signed
from tests.replay import logs
from tests.replay.bundle.floors import (
    AT,
    DAYS,
    GATEWAY,
    HOUSE,
    KEY,
    ORIGIN,
    POLICY,
    TABLES,
    WITNESS_KEY,
    cosigned,
    entries,
    floor,
    handed,
    private,
    renumbered,
    sealed,
    session,
    signed_anyway,
    vkey,
    witness_of,
)

D: Final = "ab" * 32


def alarm(state: witness.WitnessState, night: SealedNight | witness.HandOver, **other: Any) -> str:
    """The word of the alarm that this hand-over raises."""
    with pytest.raises(Alarm) as told:
        check(state, night if isinstance(night, witness.HandOver) else handed(night), **other)
    assert str(told.value).isprintable()
    return told.value.code


def after(*dates: str) -> tuple[FloorLog, witness.WitnessState]:
    """A log of these nights, and a witness who has accepted them."""
    log = floor(*dates)
    return log, witness_of(*log.nights)


# What he signs


def test_night_after_night_is_accepted_and_remembered():
    state = new_state(KEY, WITNESS_KEY)
    for night in floor(*DAYS).nights:
        checked = check(state, handed(night))
        state = state_signed(checked, AT)

        assert checked.head.size == state.log.size == night.size + len(night.leaves)
        assert checked.followed is not None
        assert checked.followed.remarks == []
    assert [one.date for one in state.accepted] == list(DAYS)
    assert state.log == floor(*DAYS).state


def test_what_he_remembers_is_kept_in_a_file_and_read_again():
    _, state = after(*DAYS)

    assert read_state(msgspec.json.encode(state)) == state
    assert read_state(msgspec.json.encode(new_state(KEY, WITNESS_KEY))) == new_state(KEY, WITNESS_KEY)


def test_his_signature_says_when_and_holds_under_the_policy():
    night = cosigned(floor(DAYS[0]).nights[0])

    assert str(standing(night.head.encode(), POLICY)) == "witnessed by regulator at 2027-01-15 08:00:00 UTC"


def test_the_last_head_is_signed_anew_at_another_time():
    """For a signature that was lost on its way: nothing new is remembered."""
    log, state = after(*DAYS[:2])
    again = check(state, handed(log.nights[-1]))

    assert again.followed is None
    assert again.state == state
    assert state_signed(again, AT + 60).cosigned == AT + 60


def test_the_last_head_is_signed_anew_though_the_logs_key_was_changed_with_it():
    log = floor(DAYS[0])
    night = sealed(log, DAYS[1], new_key=private(9))
    state = witness_of(*log.nights)

    assert check(state, handed(night)).followed is None


def test_he_does_not_sign_at_a_time_before_his_last_signature():
    log, state = after(*DAYS[:1])
    state = state_signed(check(state, handed(log.nights[-1])), AT)

    with pytest.raises(NoteError, match="the clock stands before"):
        state_signed(check(state, handed(log.nights[-1])), AT - 1)


def test_he_is_told_what_ought_to_be_looked_at():
    log = floor(DAYS[0])
    found = {
        "BO01": session("BO01", DAYS[1], state="open"),
        "BO02": session("BO02", DAYS[1], state="unsealed", chain="-", key="-"),
    }
    late = session("CR01", DAYS[0], events=101, last=101, content=D, beginning="")
    night = sealed(log, DAYS[1], [*found.values(), late], absent={"CR01": "the gateway is down"})
    state = witness_of(log.nights[0])
    checked = check(state, handed(night))

    assert checked.followed is not None
    assert [remark.split(":")[0].split(" is ")[0] for remark in checked.followed.remarks] == [
        f"session BO01-{DAYS[1]}",
        f"session BO02-{DAYS[1]}",
        f"session CR01-{DAYS[0]} of {DAYS[0]}",
        "table CR01",
    ]
    assert [(one.table, one.date) for one in checked.state.log.owed] == [("CR01", DAYS[1])]


def test_a_session_that_was_owed_is_owed_no_more_when_it_has_come():
    log = floor()
    sealed(log, DAYS[0], absent={"CR01": "the gateway is down"})
    sealed(log, DAYS[1], [*(session(table, DAYS[1]) for table in TABLES), session("CR01", DAYS[0])])

    assert log.state.owed == []
    assert witness_of(*log.nights).log == log.state


# Another history than the one that he accepted


def test_another_head_of_the_same_size_is_a_split_view():
    """Two floors, or two copies of one, that bear one name: their heads are equal, or one of them is refused."""
    _, state = after(*DAYS[:2])
    other = floor(DAYS[0])
    sealed(other, DAYS[1], [session(table, DAYS[1], content=D) for table in TABLES])

    assert other.state.size == state.log.size
    assert alarm(state, other.nights[-1]) == "split_view"


def test_a_second_branch_fails_though_each_of_its_heads_extends_the_one_before():
    """A and A' both extend the empty log, B extends A, and B' extends A'."""
    one, two = floor(DAYS[0]), floor()
    sealed(two, DAYS[0], [session(table, DAYS[0], content=D) for table in TABLES])
    state = witness_of(*one.nights)
    branch = sealed(two, DAYS[1])

    assert check(state, handed(sealed(one, DAYS[1]))).followed is not None
    assert alarm(state, branch) == "rewritten"


def test_a_rewritten_log_is_not_proven_to_extend_by_any_proof_of_its_own():
    _, state = after(*DAYS[:2])
    other = floor()
    sealed(other, DAYS[0], [session(table, DAYS[0], content=D) for table in TABLES])
    sealed(other, DAYS[1])
    night = sealed(other, DAYS[2])
    honest = house_request(floor(*DAYS[:3]).nights[-1])

    assert alarm(state, night) == "rewritten"
    assert alarm(state, handed(night, request=bytes(honest._replace(note=night.head.encode())))) == "rewritten"
    assert (
        alarm(state, handed(night, request=bytes(honest._replace(proof=(), note=night.head.encode())))) == "rewritten"
    )


def house_request(night: SealedNight) -> AddCheckpoint:
    return read_add_checkpoint(handed(night).request)


def test_a_smaller_head_is_a_shrunk_log_or_an_old_one_again():
    log, state = after(*DAYS[:3])
    other = floor(DAYS[0])
    sealed(other, DAYS[1], closed_days={DAYS[1]: "closed"})

    assert alarm(state, other.nights[-1]) == "shrunk"
    with pytest.raises(NoteError, match=f"head of {DAYS[0]} again, and that of {DAYS[2]} has been accepted since"):
        check(state, handed(log.nights[0]))


def test_another_head_of_a_night_that_he_accepted_long_ago_is_a_split_view():
    _, state = after(*DAYS[:3])
    other = floor()
    sealed(other, DAYS[0], [session(table, DAYS[0], content=D) for table in TABLES])

    assert alarm(state, other.nights[0]) == "split_view"


def test_a_first_night_comes_once():
    """Old size 0 is for a witness who has seen nothing yet."""
    log, state = after(*DAYS[:1])
    second = sealed(log, DAYS[1])
    tree = second.tree
    empty = AddCheckpoint(0, (), second.head.encode())

    assert alarm(state, handed(second, request=bytes(empty))) == "rewritten"
    for hashes in ((tree.root(),), tuple(tree.consistency(second.size))):
        assert alarm(state, handed(second, request=bytes(empty._replace(proof=hashes)))) == "rewritten"
    first = handed(log.nights[0])
    wrong = house_request(log.nights[0])._replace(proof=(tree.root(),))
    assert alarm(new_state(KEY, WITNESS_KEY), first._replace(request=bytes(wrong))) == "rewritten"


def test_a_night_that_was_not_handed_over_is_missing():
    log, state = after(*DAYS[:1])
    sealed(log, DAYS[1])
    third = sealed(log, DAYS[2])

    assert alarm(state, third) == "missing_night"


def test_a_date_of_which_nothing_is_said_is_missing():
    log, state = after(*DAYS[:1])
    night = signed_anyway(log, entries(log, DAYS[2]))

    assert alarm(state, night) == "missing_night"


def test_a_night_on_which_he_insists_is_not_another():
    """A head that stands still, or is of another night than the one that must have been by now."""
    log, state = after(*DAYS[:2])

    assert alarm(state, log.nights[-1], date=DAYS[2]) == "another_date"
    assert alarm(state, sealed(log, DAYS[2]), date=DAYS[3]) == "another_date"
    assert witness.is_overdue(state, DAYS[2])
    assert not witness.is_overdue(state, DAYS[1])


def test_a_night_that_has_not_been_yet_is_not_signed():
    log, state = after(*DAYS[:2])

    assert alarm(state, sealed(log, DAYS[2]), latest=DAYS[1]) == "future"


def test_a_closed_log_has_no_head_more():
    log = floor(DAYS[0])
    sealed(log, DAYS[1], ends="the floor is closed for good")
    state = witness_of(*log.nights)
    open_again = msgspec.structs.replace(log.state, ended=False)
    log.state = open_again

    assert alarm(state, sealed(log, DAYS[2])) == "after_the_end"
    assert not witness.is_overdue(state, DAYS[3])


# Who has signed


def test_what_the_house_has_not_signed_says_nothing_of_the_house():
    """Nobody can raise an alarm about a house by making a note himself: it is refused, and no more."""
    log, state = after(*DAYS[:1])
    second = sealed(log, DAYS[1])
    request = house_request(second)
    head = note.read_note(second.head.encode())
    forger = private(99)
    for other in (
        bytes(note.Note(head.text, (note.sign(head.text, ORIGIN, forger),))),
        bytes(head._replace(text=head.text.replace("\n", "\n1", 1))),
        bytes(note.Note(head.text, (head.signatures[0]._replace(id=b"\0\0\0\0"),))),
        b"",
        head.text.encode(),
    ):
        with pytest.raises(NoteError):
            check(state, handed(second, request=bytes(request._replace(note=other))))


def test_a_head_of_another_floor_is_refused():
    other = floor(*DAYS[:2], key=vkey("operator.example/retally/floor-2", LOG, HOUSE))
    _, state = after(*DAYS[:1])

    with pytest.raises(NoteError, match=r"is of the log 'operator\.example/retally/floor-2'"):
        check(state, handed(other.nights[1]))


def test_a_head_by_a_key_that_was_replaced_is_an_alarm():
    later = private(9)
    log = floor(DAYS[0])
    sealed(log, DAYS[1], new_key=later)
    state = witness_of(*log.nights)
    night = entries(log, DAYS[2])

    assert alarm(state, signed_anyway(log, night, HOUSE)) == "key"
    assert check(state, handed(signed_anyway(log, night, later))).followed is not None


def test_a_split_view_under_a_key_that_was_replaced_is_one_all_the_same():
    log = floor(DAYS[0])
    sealed(log, DAYS[1], new_key=private(9))
    state = witness_of(*log.nights)
    other = floor()
    sealed(other, DAYS[0], [session(table, DAYS[0], content=D) for table in TABLES])

    assert alarm(state, other.nights[0]) == "split_view"


# The whole night


def test_the_entries_are_the_leaves_under_the_head_all_of_them():
    log, state = after(*DAYS[:1])
    night = sealed(log, DAYS[1])
    leaves = night.leaves
    for other in (
        leaves[1:],
        leaves[:-1],
        [*leaves, leaves[-1]],
        [leaves[1], leaves[0], *leaves[2:]],
        [leaves[0].replace(b"events 100", b"events 101"), *leaves[1:]],
        [],
    ):
        assert alarm(state, handed(night, entries=join(other))) == "leaves_differ"
    assert alarm(state, handed(night, entries=b"garbage")) == "entry"


def changed(night: list[Entry], kind: type[Any], **other: Any) -> list[Entry]:
    """The leaves with the first of this kind changed."""
    place = next(place for place, entry in enumerate(night) if isinstance(entry, kind))
    return [*night[:place], msgspec.structs.replace(night[place], **other), *night[place + 1 :]]


@pytest.mark.parametrize(
    ("code", "alter"),
    [
        ("boundary", lambda night: changed(night, Night, first=0)),
        ("boundary", lambda night: changed(night, Night, count=2)),
        ("boundary", lambda night: changed(night, Night, count=4)),
        ("boundary", lambda night: changed(night, Night, previous_size=0)),
        ("boundary", lambda night: changed(night, Night, previous_root=D)),
        ("boundary", lambda night: changed(night, Night, previous_date="-")),
        ("missing_night", lambda night: [*night[:-1], msgspec.structs.replace(night[-1], date=DAYS[0])]),
        ("roster", lambda night: changed(night, Night, roster=D)),
        ("roster", lambda night: changed(night, Night, tables=2)),
        ("no_night", lambda night: night[:-1]),
        ("order", lambda night: [night[1], night[0], *night[2:]]),
        ("order", lambda night: [night[0], night[-1], *night[1:]]),
        ("order", lambda night: renumbered([night[0], night[0], *night[1:]])),
        ("table_missing", lambda night: renumbered(night[1:])),
        ("ordinal", lambda night: changed(night, Session, ordinal=3)),
        ("ordinal", lambda night: changed(night, Session, previous=D)),
        ("ordinal", lambda night: changed(night, Session, ordinal=1, previous="-")),
        ("entry", lambda night: changed(night, Session, date=DAYS[0])),
        ("roster", lambda night: changed(night, Session, table="BO00", ordinal=1, previous="-")),
        ("entry", lambda night: [b"retally-leaf/2 session\n", *night[1:]]),
        ("entry", lambda night: [b"{}", *night[1:]]),
        ("entry", lambda night: [bytes(night[0]).replace(b"\n", b"\r\n"), *night[1:]]),
        ("closed", lambda night: closed(night, of="table", table="BO01")),
        ("closed", lambda night: closed(night, of="floor", table="-")),
        ("closed", lambda night: closed(night, of="floor", table="-", date=DAYS[0])),
        ("closed", lambda night: closed(night, of="floor", table="-", date=DAYS[3])),
        ("closed", lambda night: closed(night, of="log", table="-", date=DAYS[0])),
        ("closed", lambda night: absent(night, "BO01")),
        ("roster", lambda night: absent(night, "BO99")),
        ("import", lambda night: in_order(night, Import(date=DAYS[0], size=9, root=D))),
        ("entry", lambda night: in_order(night, Case(date=DAYS[0], case="2026-1", records=1, last=D))),
        ("key", lambda night: in_order(night, key_change(of="gateway", key=private(77)))),
        ("key", lambda night: in_order(night, key_change(of="gateway", public=D))),
        ("key", lambda night: in_order(night, key_change(of="gateway", change="revoked"))),
        ("key", lambda night: in_order(night, key_change(of="gateway", change="changed"))),
        ("key", lambda night: in_order(night, key_change(of="gateway", public=bytes(logs.KEYS[GATEWAY]).hex()))),
        ("key", lambda night: in_order(night, key_change(of="log", key=private(77)))),
        ("key", lambda night: in_order(night, key_change(of="log", change="revoked"))),
        ("key", lambda night: in_order(night, key_change(of="log", public="00" * 32))),
        ("late", lambda night: late(night, date=DAYS[1])),
        ("late", lambda night: late(night, date="2026-11-01")),
        ("late", lambda night: late(night, instead_of="2")),
        ("late", lambda night: late(night, session="BO01-another")),
        ("late", lambda night: late(night, events=99, last=99)),
    ],
)
def test_a_night_that_is_not_as_it_must_be_is_an_alarm_though_the_house_has_signed_it(code, alter):
    log, state = after(*DAYS[:1])
    night = signed_anyway(log, alter(entries(log, DAYS[1])))

    assert alarm(state, night) == code


def in_order(night: list[Entry], entry: Entry) -> list[Entry]:
    """The leaves and one more, where it must stand."""
    return renumbered(sorted([*night, entry], key=place))


def closed(night: list[Entry], **other: Any) -> list[Entry]:
    return in_order(night, Closed(**{"date": DAYS[1], "table": "-", "reason": "why", **other}))


def absent(night: list[Entry], table: str) -> list[Entry]:
    return in_order(night, Absent(date=DAYS[1], table=table, reason="why"))


def key_change(*, key: Any = HOUSE, **other: Any) -> KeyChange:
    public = bytes(key.public_key().public_bytes_raw()).hex()
    fields = {"change": "added", "public": "cd" * 32, **other}
    draft = KeyChange(date=DAYS[1], day=DAYS[1], terms="-", signer=public, signature="0" * 128, **fields)
    signed = key.sign(draft.message).hex()
    if other.get("public") == D:  # not what was signed
        signed = key.sign(b"another").hex()
    return msgspec.structs.replace(draft, signature=signed)


def late(night: list[Entry], **other: Any) -> list[Entry]:
    """The leaves, of which the table's first is one that came late, wrong in one thing."""
    first = next(entry for entry in night if isinstance(entry, Session))
    fields = msgspec.structs.asdict(first) | {"date": DAYS[0], "session": f"BO01-{DAYS[0]}", "events": 101, "last": 101}
    one = Late(**fields | {"instead_of": "1", "how": "longer"} | other)
    others = [entry for entry in night if entry is not first]
    second = msgspec.structs.replace(first, ordinal=first.ordinal + 1, previous=one.hash.hex())
    return renumbered(sorted([*others, one, second], key=place))


def test_a_late_session_that_is_right_is_none_of_these():
    log, state = after(*DAYS[:1])
    night = signed_anyway(log, late(entries(log, DAYS[1])))

    assert check(state, handed(night)).followed is not None


def test_a_session_that_was_hidden_for_good_is_missed_at_its_table_in_the_next_night():
    """The house seals a session, forgets it, and seals the next night as if it had not been: the ordinal has a hole, or
    the leaf before is another."""
    log, state = after(*DAYS[:2])
    forgetful = floor(DAYS[0])
    sealed(forgetful, DAYS[1], [session("BO01", DAYS[1]), session("BO02", DAYS[1])], closed={"CR01": "closed"})
    without = [leaf for leaf in entries(forgetful, DAYS[2]) if isinstance(leaf, Session) and leaf.table == "CR01"]
    night = [leaf for leaf in entries(log, DAYS[2]) if not (isinstance(leaf, Session) and leaf.table == "CR01")]

    assert alarm(state, signed_anyway(log, in_order(night, without[0]))) == "ordinal"


def test_his_own_list_of_tables_is_held_against_the_houses():
    log, state = after(*DAYS[:1])
    night = handed(sealed(log, DAYS[1]))

    assert check(state, night, roster=TABLES).followed is not None
    for other in (TABLES[:-1], (*TABLES, "CR02")):
        assert alarm(state, night, roster=other) == "roster"


def test_the_roster_and_report_that_came_are_those_of_the_night():
    log, state = after(*DAYS[:1])
    night = sealed(log, DAYS[1], report=b"report")

    assert check(state, handed(night, report=b"report")).followed is not None
    assert alarm(state, handed(night)) == "report"
    assert alarm(state, handed(night, report=b"another")) == "report"
    assert alarm(state, handed(night, report=b"report", roster=roster_text(["BO01"]))) == "roster"
    assert alarm(state, handed(night, report=b"report", roster=b"")) == "entry"


def test_a_report_that_the_night_knows_nothing_of_is_none():
    log, state = after(*DAYS[:1])

    assert alarm(state, handed(sealed(log, DAYS[1]), report=b"report")) == "report"


# What he remembers


@pytest.mark.parametrize("length", [0, 1, 10, 100, 500, 1000, -2])
def test_a_memory_that_is_empty_or_cut_off_is_never_made_up(length):
    data = msgspec.json.encode(after(*DAYS[:2])[1])

    with pytest.raises(NoteError, match=r"memory|made up"):
        read_state(data[:length])


@pytest.mark.parametrize(
    "change",
    [
        {"note": ""},
        {"accepted": []},
        {"witness": str(KEY)},
        {"format": "retally-witness/2"},
        {"else": 1},
    ],
)
def test_a_memory_that_does_not_hold_together_is_refused(change):
    state = msgspec.to_builtins(after(*DAYS[:2])[1]) | change

    with pytest.raises(NoteError):
        read_state(msgspec.json.encode(state))


@pytest.mark.parametrize("change", [{"size": 5}, {"root": D}, {"peaks": []}, {"date": DAYS[3]}, {"log": "x"}])
def test_a_log_that_is_remembered_otherwise_is_refused(change):
    state = msgspec.to_builtins(after(*DAYS[:2])[1])
    state["log"] |= change

    with pytest.raises(NoteError):
        read_state(msgspec.json.encode(state))


@given(st.binary(max_size=200))
def test_whatever_is_handed_over_is_checked_or_told_in_one_line(data):
    log, state = after(*DAYS[:1])
    night = sealed(log, DAYS[1])
    for other in (
        handed(night, request=data),
        handed(night, entries=data),
        handed(night, roster=data),
        handed(night, request=bytes(house_request(night)._replace(note=data))),
    ):
        with pytest.raises((NoteError, Alarm)) as told:
            check(state, other)
        assert str(told.value).isprintable()


# The answer


def answer(night: SealedNight, *lines: note.Signature) -> tuple[note.Signature, note.Key, int]:
    head = read_head(night.head.encode(), [KEY])
    return witness.cosignature_of("".join(map(str, lines)).encode(), head, [WITNESS_KEY])


def test_the_answer_of_the_witness_is_his_signature_of_this_head():
    one, two = floor(*DAYS[:2]).nights
    key = private(2)
    good = note.cosign(note.read_note(one.head.encode()).text, WITNESS_KEY.name, key, AT)
    other = note.cosign(note.read_note(one.head.encode()).text, "other.example", private(40), AT)

    assert answer(one, good) == (good, WITNESS_KEY, AT)
    assert answer(one, other, good) == (good, WITNESS_KEY, AT)
    for night, lines in (
        (two, [good]),
        (one, [other]),
        (one, [good._replace(value=good.value[:-1] + b"\0")]),
        (one, [good._replace(name="w2.example")]),
        (one, [good, good]),
        (one, [note.cosign("x\n", WITNESS_KEY.name, key, AT)]),
        (one, [note.sign(note.read_note(one.head.encode()).text, ORIGIN, HOUSE)]),
        (one, []),
    ):
        with pytest.raises(NoteError):
            answer(night, *lines)


def test_leaves_that_are_read_are_the_ones_that_were_signed():
    log, state = after(*DAYS[:1])
    night = sealed(log, DAYS[1])
    checked = check(state, handed(night))

    assert checked.followed is not None
    assert checked.followed.entries == [read(leaf) for leaf in night.leaves]
