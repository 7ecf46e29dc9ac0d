"""A session's place in the log: what a bundle proves of it, and what a forger cannot."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest

from replay.bundle import house_log, note
from replay.bundle.house_log import SealedNight
from replay.bundle.leaves import Late, Session, read
from replay.bundle.note import LOG, NoteError
from replay.bundle.placement import Placement, Views, compare, matches, placed, whole_night
from replay.bundle.sealing import judged
from replay.bundle.tlog import read_proof
from tests.installed import judged as by_installed
from tests.replay import logs
from tests.replay.bundle.floors import (
    DAYS,
    HOUSE,
    HOUSE_ALONE,
    KEY,
    ORIGIN,
    POLICY,
    TABLES,
    changed_night,
    cosigned,
    entries,
    floor,
    private,
    sealed,
    session,
    signed_anyway,
    vkey,
)

LOG_OF_FOUR: Final = floor(*DAYS)
NIGHT: Final = cosigned(LOG_OF_FOUR.nights[2])


def place_of(night: SealedNight, name: str) -> int:
    found = (place for place, leaf in enumerate(night.leaves) if getattr(read(leaf), "session", "") == name)
    return next(found)


def placement(night: SealedNight, name: str, *later: SealedNight) -> Placement:
    """What a bundle holds of this session, under the head of the night, or of a later one."""
    nights = [night, *later]
    own, last = place_of(night, name), len(night.leaves) - 1
    proofs = [bytes(house_log.prove(nights, night.size + place)) for place in (own, last)]
    return Placement(night.leaves[own], proofs[0], night.leaves[last], proofs[1])


SESSION: Final = f"BO02-{DAYS[2]}"
FILES: Final = placement(NIGHT, SESSION)


def test_a_session_is_proven_part_of_its_night_with_who_vouches_for_it():
    found = placed(FILES, POLICY)

    assert (found.entry.session, found.night.date, found.index) == (SESSION, DAYS[2], NIGHT.size + 1)
    assert str(found.standing) == "witnessed by regulator at 2027-01-15 08:00:00 UTC"
    assert str(found) == (
        f"session {SESSION}: number 3 of table BO02 in the log {ORIGIN}, leaf {NIGHT.size + 1} of"
        f" {NIGHT.size + len(NIGHT.leaves)}, sealed with the night of {DAYS[2]}; {found.standing}"
    )


def test_without_a_policy_nobody_is_known_to_vouch_for_it():
    assert placed(FILES).standing is None
    assert str(placed(FILES)).endswith("no key of the log was given: nobody is known to vouch for it")


def test_a_head_that_nobody_has_witnessed_is_the_houses_alone():
    alone = placement(LOG_OF_FOUR.nights[2], SESSION)

    assert str(placed(alone, HOUSE_ALONE).standing) == "house only"
    assert str(placed(alone, POLICY).standing) == "house only, which is not enough under the policy"


def test_it_can_be_proven_under_a_later_head_as_well():
    later = placement(LOG_OF_FOUR.nights[1], f"BO02-{DAYS[1]}", *LOG_OF_FOUR.nights[2:])

    assert placed(later, HOUSE_ALONE).night.date == DAYS[1]


def test_a_session_that_came_late_says_so():
    log = floor(DAYS[0])
    late = session(
        "BO01", DAYS[0], events=102, last=102, beginning=log.sessions[f"BO01-{DAYS[0]}"].content, state="open"
    )
    night = sealed(log, DAYS[1], [late, *(session(table, DAYS[1]) for table in TABLES)])
    found = placed(placement(night, f"BO01-{DAYS[0]}"), HOUSE_ALONE)

    assert isinstance(found.entry, Late)
    assert f"sealed with the night of {DAYS[1]}; it is of {DAYS[0]} and came late; it was sealed as it is" in str(found)


def test_a_night_of_another_date_or_another_place_is_not_its_night():
    """The proofs hold, each for itself, under one head: but the index of the session is none of that night's."""
    nights = LOG_OF_FOUR.nights
    for other in (0, 1, 3):
        last = nights[other].size + len(nights[other].leaves) - 1
        proof = house_log.prove(nights, last)
        own = house_log.prove(nights, NIGHT.size + 1)
        files = Placement(FILES.entry, bytes(own), nights[other].leaves[-1], bytes(proof))
        with pytest.raises(NoteError, match="and not of the night of"):
            placed(files, HOUSE_ALONE)


def test_a_valid_head_of_another_night_proves_nothing():
    other = LOG_OF_FOUR.nights[1].head.encode()
    proofs = [read_proof(proof) for proof in (FILES.proof, FILES.night_proof)]
    swapped = [bytes(msgspec.structs.replace(proof, note=other)) for proof in proofs]

    with pytest.raises(NoteError, match="is not proven to be leaf"):
        placed(FILES._replace(proof=swapped[0], night_proof=swapped[1]), HOUSE_ALONE)
    for mixed in ({"proof": swapped[0]}, {"night_proof": swapped[1]}):
        with pytest.raises(NoteError, match="under two heads"):
            placed(FILES._replace(**mixed), HOUSE_ALONE)


def test_a_root_that_no_signed_head_bears_proves_nothing():
    """A log that the forger made, whose proofs are right: his head is signed by himself."""
    forger = private(66)
    log = floor(key=vkey(ORIGIN, LOG, forger))
    night = signed_anyway(log, entries(log, DAYS[2]), forger)
    files = placement(night, SESSION)

    assert placed(files).standing is None
    for policy in (POLICY, HOUSE_ALONE):
        with pytest.raises(NoteError, match="signed by nobody who is known"):
            placed(files, policy)


@pytest.mark.parametrize("name", Placement._fields)
def test_no_bit_of_what_proves_it_can_be_another(name):
    """But those of signatures that nobody has asked for, which prove nothing either."""
    content: bytes = getattr(FILES, name)
    before = placed(FILES, POLICY)
    for place in range(len(content)):
        altered = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        with pytest.raises(NoteError):
            placed(FILES._replace(**{name: altered}), POLICY)
    assert placed(FILES, POLICY) == before


@pytest.mark.parametrize(
    "other",
    [
        {"date": DAYS[1]},
        {"first": 0},
        {"count": 1},
        {"first": NIGHT.size + 2, "previous_size": NIGHT.size + 2, "count": 2},
        {"previous_size": 3},
    ],
)
def test_a_night_that_the_house_has_signed_with_another_boundary_is_none(other):
    log = floor(*DAYS[:2])
    night = signed_anyway(log, changed_night(entries(log, DAYS[2]), **other))

    with pytest.raises(NoteError):
        placed(placement(night, SESSION), HOUSE_ALONE)


def test_a_leaf_of_another_kind_is_no_session_and_no_night():
    first = NIGHT.leaves[0]
    proof = bytes(house_log.prove([NIGHT], NIGHT.size))

    with pytest.raises(NoteError, match="none of a night"):
        placed(FILES._replace(night=first, night_proof=proof), POLICY)
    with pytest.raises(NoteError, match="none of a session"):
        placed(FILES._replace(entry=FILES.night, proof=FILES.night_proof), POLICY)


# The events


def test_the_events_are_those_that_were_sealed_or_it_is_said_in_what_they_are_not():
    log = logs.boule([logs.Coup(7, [logs.Stake("red")])])
    judging = by_installed(keys=logs.KEYS)
    found, shorter = (judged(log.session, lines, judging) for lines in (log.lines, log.lines[:-2]))
    assert found is not None
    assert shorter is not None
    night = sealed(floor(), "2026-11-29", [found], roster=["BO01"])
    entry = read(night.leaves[place_of(night, log.session)])

    assert isinstance(entry, Session)
    assert matches(entry, found) == []
    assert [problem.split()[1] for problem in matches(entry, shorter)] == ["events", "last", "content", "chain"]


# A whole night


def peaks(night: SealedNight) -> list[bytes]:
    return [bytes.fromhex(peak) for peak in night.peaks]


def test_a_night_is_proven_whole_by_its_leaves_and_the_peaks_before_it():
    found = whole_night(NIGHT.leaves, peaks(NIGHT), NIGHT.head.encode(), POLICY)

    assert [entry.session for entry in found.entries if isinstance(entry, Session)] == [
        f"{t}-{DAYS[2]}" for t in TABLES
    ]
    assert found.night.date == DAYS[2]
    assert str(found.standing).startswith("witnessed by regulator")


def test_a_night_with_a_leaf_less_or_another_boundary_is_not_whole():
    head, leaves = NIGHT.head.encode(), NIGHT.leaves
    before = LOG_OF_FOUR.nights[1]
    for night, known in (
        (leaves[1:], peaks(NIGHT)),
        (leaves[:-1], peaks(NIGHT)),
        ([], peaks(NIGHT)),
        ([leaves[1], leaves[0], *leaves[2:]], peaks(NIGHT)),
        ([*before.leaves, *leaves], peaks(before)),
        (leaves, peaks(before)),
        (leaves, peaks(NIGHT)[::-1]),
        (leaves, []),
    ):
        with pytest.raises(NoteError):
            whole_night(night, known, head, POLICY)
    with pytest.raises(NoteError, match="under this head, or not all of them"):
        whole_night(leaves, peaks(NIGHT), LOG_OF_FOUR.nights[3].head.encode(), HOUSE_ALONE)


# Two heads


def heads(*nights: SealedNight, proof: Any = None, keys: Any = (KEY,)) -> Views:
    return compare(nights[0].head.encode(), nights[1].head.encode(), list(keys), proof)


def test_two_heads_of_one_size_with_two_roots_are_a_split_view():
    other = floor(DAYS[0])
    sealed(other, DAYS[1], [session(table, DAYS[1], content="ab" * 32) for table in TABLES])

    assert heads(LOG_OF_FOUR.nights[1], other.nights[1]) is Views.SPLIT
    assert heads(LOG_OF_FOUR.nights[1], LOG_OF_FOUR.nights[1]) is Views.SAME


def test_heads_of_two_sizes_are_of_one_log_where_that_is_proven():
    one, two = LOG_OF_FOUR.nights[0], LOG_OF_FOUR.nights[3]
    size = LOG_OF_FOUR.nights[1].size
    proof = house_log.grows(LOG_OF_FOUR.nights, size)

    assert heads(one, two) is heads(two, one) is Views.UNPROVEN
    assert heads(one, two, proof=proof) is heads(two, one, proof=proof) is Views.GROWS
    forged = floor()
    sealed(forged, DAYS[0], [session(table, DAYS[0], content="ab" * 32) for table in TABLES])
    assert heads(forged.nights[0], two, proof=proof) is Views.SPLIT


def test_heads_of_two_logs_or_by_nobodys_key_say_nothing_of_each_other():
    other_key = vkey("operator.example/retally/floor-2", LOG, HOUSE)
    other = floor(DAYS[0], key=other_key).nights[0]

    with pytest.raises(NoteError, match="of two logs"):
        heads(LOG_OF_FOUR.nights[0], other, keys=(KEY, other_key))
    with pytest.raises(NoteError):
        heads(LOG_OF_FOUR.nights[0], other)
    with pytest.raises(NoteError):
        compare(LOG_OF_FOUR.nights[0].head.encode(), b"", [KEY])


def test_a_witness_who_would_sign_both_views_is_seen_in_both():
    """He signs one of them; a second cosignature of his, of the other, shows him up as much as the house."""
    other = floor(DAYS[0])
    sealed(other, DAYS[1], [session(table, DAYS[1], content="ab" * 32) for table in TABLES])
    both = [cosigned(night) for night in (LOG_OF_FOUR.nights[1], other.nights[1])]

    assert all(note.read_note(night.head.encode()).signed([KEY]) for night in both)
    assert heads(*both) is Views.SPLIT
