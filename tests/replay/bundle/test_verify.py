"""An evidence bundle proves itself: whatever is altered in it, the verifier says so, and where."""

from __future__ import annotations

import json
import random
import struct
from typing import Any, Final

import pytest

from replay.bundle import page
from replay.bundle.contents import Scope
from replay.bundle.verify import BundleError, Verified
from streams import bundle_files
from tests.installed import PACKS
from tests.replay import logs
from tests.replay.bundle.bundles import (
    DAY,
    EVENTS,
    LOG,
    OTHER,
    VERDICTS,
    Night,
    exported,
    floor_log,
    forged,
    members,
    rewritten,
    swapped,
    unpacked,
    verify,
)
from tests.replay.bundle.floors import HOUSE_ALONE
from tests.replay.logs import Log, altered, resealed

FLOOR_LOG: Final = floor_log(LOG, OTHER)
MEMBERS: Final = members()
CONTENT: Final = bundle_files.pack(MEMBERS)
LAST: Final = len(LOG.lines)


def joined(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def places(verified: Verified) -> list[str]:
    return [problem.place for problem in verified.problems]


def told(verified: Verified) -> str:
    return "\n".join(f"{problem.place}: {problem.text}" for problem in verified.problems)


def content_of(name: str) -> range:
    """Where a member's content lies in the file."""
    start = CONTENT.index(name.encode() + MEMBERS[name]) + len(name)
    return range(start, start + len(MEMBERS[name]))


@pytest.mark.parametrize(
    "scope",
    [Scope(session=LOG.session), Scope(session=LOG.session, round=1), Scope(date=DAY)],
    ids=["session", "round", "night"],
)
def test_a_bundle_as_it_was_exported_is_proven(scope):
    content = exported(Night(LOG, OTHER), scope, log=FLOOR_LOG)

    verified = verify(content, policy=HOUSE_ALONE)

    assert verified.problems == []
    assert verified.keys == list(logs.KEYS)
    assert verified.rules == ["AD-2025"]
    assert verified.sessions == (1 if scope.date is None else 2)
    assert verified.events == LAST + (0 if scope.date is None else len(OTHER.lines))
    assert verified.settlements == (2 if scope.date is None else 3)
    assert f"of the night of {DAY}" in verified.sealed.replace("with", "of")
    assert verified.vouched == "house only"


def test_the_same_events_give_the_same_bytes():
    shuffled = logs.Log(LOG.session, LOG.table, [*reversed(LOG.lines), LOG.lines[3]])

    assert exported(Night(shuffled, OTHER), Scope(session=LOG.session), log=FLOOR_LOG) == CONTENT


def test_the_events_in_it_are_those_of_the_log_byte_for_byte():
    assert MEMBERS[EVENTS] == joined(LOG.lines)


def test_the_verdicts_in_it_say_what_was_wrong():
    """Red won when 7 came; straight up on 3 lost, and 1.00 was paid on it."""
    rows = [json.loads(line) for line in MEMBERS[VERDICTS].splitlines()]

    [finding] = [row for row in rows if row["record"] == "finding"]
    assert (finding["code"], finding["bet"], finding["amount"]) == ("overpaid", "b1-1", 100)
    assert {row["bet"]: row["verdict"] for row in rows if row["record"] == "settlement"} == {
        "b1-0": "match",
        "b1-1": "overpaid",
    }
    assert rows[-1]["record"] == "session"


@pytest.mark.slow
@pytest.mark.parametrize("name", list(MEMBERS))
def test_no_byte_of_any_member_can_be_changed_unseen(name):
    """The bytes of the member lie in the file as they are; the place that is named is the member. Of the page's frame,
    which is one text with one digest, some."""
    inside = content_of(name)
    places_changed = list(inside)
    if name == "index.html":
        before, after = page.frame()
        told = slice(len(before.encode()), len(inside) - len(after.encode()))
        places_changed = [*inside[told], *inside[:: len(inside) // 200]]
    for at in places_changed:
        altered = bytearray(CONTENT)
        altered[at] ^= 1

        verified = verify(bytes(altered))

        assert any(place.startswith(name) for place in places(verified)), (name, at)


@pytest.mark.parametrize("name", ["manifest.json", "log/entry", "log/night.tlog-proof", "keys.txt", EVENTS, VERDICTS])
def test_whatever_becomes_of_a_member_it_is_told_and_nothing_else_goes_wrong(name):
    """Bytes changed, cut out and repeated by lot; the digests in the manifest are made to fit half of the time."""
    chance = random.Random(name)
    for _ in range(60):
        altered = bytearray(MEMBERS[name])
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(altered))
            kind = chance.randrange(3)
            if kind == 0:
                altered[at] = chance.choice(b'09azAZ"{}[],: -\n\x00\xff')
            elif kind == 1:
                del altered[at : at + chance.randint(1, 40)]
            else:
                altered[at:at] = altered[at : at + chance.randint(1, 40)]
        if bytes(altered) == MEMBERS[name]:
            continue
        if chance.random() < 0.5 and name != "manifest.json":
            content = forged(MEMBERS, **{name: bytes(altered)})
        else:
            content = bundle_files.pack(MEMBERS | {name: bytes(altered)})

        verified = verify(content)

        named = any(place.startswith(name.split("/")[0] if "log/" in name else name) for place in places(verified))
        if name == "manifest.json":  # where it gives a member another digest, it is the member that is not as it says
            named |= any("its digest is not the manifest's" in problem.text for problem in verified.problems)
        assert named, (altered, told(verified))


def test_nor_any_byte_between_the_members():
    """Headers, names, the directory: each has one form."""
    inside = {at for name in MEMBERS for at in content_of(name)}
    for at in range(len(CONTENT)):
        if at not in inside:
            altered = bytearray(CONTENT)
            altered[at] ^= 1
            try:
                verified = verify(bytes(altered))
            except BundleError:
                continue
            assert verified.problems, at


@pytest.mark.parametrize("seq", range(1, LAST + 1))
def test_no_byte_of_an_event_can_be_changed_even_if_all_else_is_made_to_fit(seq):
    """The round's seal names the events that are not the table's; the seal's own bytes are under its signature."""
    line = LOG.lines[seq - 1]
    for at in range(seq % 11, len(line), 11):
        changed = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
        verified = verify(rewritten([*LOG.lines[: seq - 1], changed, *LOG.lines[seq:]]))

        assert any(place.startswith(EVENTS) for place in places(verified)), (seq, changed, told(verified))


@pytest.mark.parametrize("seq", range(1, LAST + 1))
def test_a_dropped_event_is_named(seq):
    lines = LOG.lines[: seq - 1] + LOG.lines[seq:]

    for content in (forged(MEMBERS, **{EVENTS: joined(lines)}), rewritten(lines)):
        found = told(verify(content))
        if seq < LAST:
            assert f"{EVENTS}, event {seq} (before line {seq}): missing" in found
        else:
            assert f"{EVENTS}, event {LAST - 1}: under no seal of the table" in found


@pytest.mark.parametrize("seq", range(1, LAST + 1))
def test_a_doubled_event_is_named(seq):
    lines = [*LOG.lines[:seq], LOG.lines[seq - 1], *LOG.lines[seq:]]
    expected = f"{EVENTS}, event {seq} (line {seq + 1}): stands there twice"

    assert expected in told(verify(forged(MEMBERS, **{EVENTS: joined(lines)})))
    assert expected in told(verify(rewritten(lines)))


@pytest.mark.parametrize("seq", range(1, LAST))
def test_swapped_events_are_named(seq):
    lines = swapped(LOG.lines, seq - 1, seq)
    expected = f"{EVENTS}, event {seq} (before line {seq}): missing"

    for content in (forged(MEMBERS, **{EVENTS: joined(lines)}), rewritten(lines)):
        found = told(verify(content))
        assert expected in found
        assert f"{EVENTS}, event {seq} (line {seq + 1}): stands there twice" in found or "out of order" in found


def test_events_that_trade_their_places_and_numbers_are_those_that_no_table_sealed():
    one, other = (logs.altered(LOG.lines[a], seq=b + 1) for a, b in ((3, 4), (4, 3)))
    lines = [*LOG.lines[:3], other, one, *LOG.lines[5:]]

    assert "not the events that the table sealed" in told(verify(rewritten(lines)))


@pytest.mark.parametrize("seq", range(2, LAST + 2))
def test_an_added_event_is_named(seq):
    """The events after it are numbered anew, so that no number is missing or twice."""
    extra = logs.altered(LOG.lines[1], seq=seq)
    later = [logs.altered(line, seq=number) for number, line in enumerate(LOG.lines[seq - 1 :], seq + 1)]
    verified = verify(rewritten([*LOG.lines[: seq - 1], extra, *later]))

    found = told(verified)
    if seq <= LAST:
        assert "not the events that the table sealed" in found
    else:
        assert f"{EVENTS}, event {seq}: under no seal of the table" in found


def test_a_tail_that_was_cut_off_at_a_seal_is_missed_by_the_floors_log():
    """Everything after the closing of the table is gone: the events by themselves do not tell."""
    cut = next(n for n, line in enumerate(LOG.lines) if b'"table_closed"' in line) + 2

    assert verify(rewritten(LOG.lines[:cut])).problems == []
    assert places(verify(rewritten(LOG.lines[:cut]), policy=HOUSE_ALONE)) == ["log"]


def test_a_log_that_ends_before_the_table_was_closed_proves_no_end():
    cut = next(n for n, line in enumerate(LOG.lines) if b'"round_closed"' in line) + 2

    assert "ends before the table was closed" in told(verify(rewritten(LOG.lines[:cut])))


def test_a_verdict_that_does_not_follow_is_named():
    lines = MEMBERS[VERDICTS].splitlines()
    number = next(n for n, line in enumerate(lines) if b'"settlement"' in line and b'"b1-1"' in line)
    row = json.loads(lines[number])
    row |= {"paid": 100, "verdict": "match", "difference": 0}
    lines[number] = json.dumps(row, separators=(",", ":")).encode()

    verified = verify(forged(MEMBERS, **{VERDICTS: joined(lines)}))

    [problem] = verified.problems
    assert problem.place == f"{VERDICTS}, line {number + 1}"
    assert problem.text.startswith("the settlement of bet b1-1 in round 1: this is not what follows")


def test_a_finding_that_was_left_out_is_named():
    lines = [line for line in MEMBERS[VERDICTS].splitlines() if b'"record":"finding"' not in line]

    assert "the finding overpaid at event" in told(verify(forged(MEMBERS, **{VERDICTS: joined(lines)})))


def test_a_page_that_says_something_else_is_named():
    page = MEMBERS["index.html"].replace(b"overpaid", b"all fine")

    [problem] = verify(forged(MEMBERS, **{"index.html": page})).problems

    assert (problem.place.split(",")[0], problem.text) == (
        "index.html",
        "the page says something else than the verdicts",
    )


def test_a_manifest_that_says_something_else_of_a_session_is_named():
    manifest = MEMBERS["manifest.json"].replace(b'"game": "boule"', b'"game": "bowls"')

    assert "manifest.json: what it says of session BO01-2026-11-29 is wrong (game)" in told(
        verify(bundle_files.pack(MEMBERS | {"manifest.json": manifest}))
    )


@pytest.mark.parametrize("name", list(MEMBERS))
def test_a_missing_member_is_named(name):
    left = {each: content for each, content in MEMBERS.items() if each != name}

    assert any(place.startswith(name) for place in places(verify(bundle_files.pack(left))))
    if name != "manifest.json":
        assert any(place.startswith(name) for place in places(verify(forged(MEMBERS, **{name: None}))))


def test_a_member_more_is_named():
    name = "sessions/0002/events.jsonl"

    assert name in places(verify(bundle_files.pack(dict(sorted((MEMBERS | {name: b""}).items())))))
    assert name in places(verify(forged(MEMBERS, **{name: b""})))


def test_keys_of_somebody_else_are_named():
    """A forger may sign everything anew with a key of his own; whoever knows the gateway's key is not deceived."""
    verified = verify(CONTENT, keys={})

    assert places(verified) == ["keys.txt"]
    assert "none of those that you trust" in told(verified)


def test_without_keys_nothing_is_signed():
    content = bundle_files.export(Night(LOG, OTHER), Scope(session=LOG.session), packs=PACKS)

    assert "that the table sealed these events is not proven" in told(verify(content))
    assert verify(content, keys=logs.KEYS).problems == []


# Hostile files


def header(name: bytes, *, flags: int = 0, method: int = 0, size: int = 0, stored: int | None = None) -> bytes:
    stored = size if stored is None else stored
    return struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, flags, method, 0, 33, 0, stored, size, len(name), 0) + name


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "is no zip file"),
        (b"not a zip file, but long enough to be one", "is no zip file"),
        (b"PK\x03\x04" + b"\0" * 10, "is no zip file"),
        (b"PK\x03\x04" + b"\0" * 20, "ends within a member's header"),
        (header(b"manifest.json", flags=1), r"is encrypted \(manifest.json\)"),
        (header(b"manifest.json", method=8, size=2**32 - 1, stored=100) + b"\0" * 100, "manifest.json compressed"),
        (header(b"manifest.json", size=2**32 - 1), "says that manifest.json has 4,294,967,295 bytes"),
        (header(b"../../etc/passwd"), "leads out of it: ../../etc/passwd"),
        (header(b"/etc/passwd"), "leads out of it: /etc/passwd"),
        (header(b"C:\\autoexec.bat"), "leads out of it"),
        (header(b"sessions/0001/..\\x"), "leads out of it"),
        (header(b"evil.html"), "holds a member that no bundle has: evil.html"),
        (header(b"\xff\x1b[2J"), "holds a member that no bundle has"),
        (header(b"keys.txt") * 2, "holds keys.txt twice"),
        (header(b"keys.txt") + header(b"index.html"), "holds index.html out of order"),
        (header(b"keys.txt") + b"PK\x05\x06" + b"\0" * 18, "has another directory of members"),
        (CONTENT + b"\0", "has another directory of members"),
        (CONTENT[:-1], "has another directory of members"),
        (b"MZ" + CONTENT, "is no zip file"),
    ],
    ids=range(19),
)
def test_what_is_no_bundle_is_refused_in_one_line(content, complaint):
    with pytest.raises(BundleError, match=complaint) as refused:
        verify(content)

    assert "\n" not in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{" * 100_000, b"\xff", b'{"format":"retally-evidence/3"}', MEMBERS["manifest.json"][:-20]],
    ids=range(6),
)
@pytest.mark.parametrize("name", ["manifest.json", "log/entry", "log/night.tlog-proof", "keys.txt", EVENTS, VERDICTS])
def test_members_full_of_rubbish_are_named(name, content):
    altered: dict[str, Any] = MEMBERS | {name: content}

    assert any(place.startswith(name) for place in places(verify(bundle_files.pack(altered))))


def test_more_events_than_a_session_can_have_are_refused(monkeypatch):
    monkeypatch.setattr("replay.bundle.verify.MAX_SESSION_EVENTS", 10)

    with pytest.raises(BundleError, match="holds more than 10 events"):
        verify(CONTENT)


def test_a_session_of_more_bytes_than_fit_is_refused(monkeypatch):
    monkeypatch.setattr("replay.bundle.verify.MAX_SESSION_BYTES", 100)

    with pytest.raises(BundleError, match="100 are the most"):
        verify(CONTENT)


@pytest.mark.parametrize(
    "scope",
    [Scope(session=LOG.session), Scope(session=LOG.session, round=1), Scope(date=DAY)],
    ids=["session", "round", "night"],
)
def test_what_was_put_right_after_its_seal_is_proven_with_what_puts_it_right(scope):
    last = len(LOG.lines)
    ball = next(seq for seq in range(1, last) if LOG.kind(seq) == "ball_landed")
    correction = altered(
        LOG.lines[-2], type="event_corrected", seq=last + 1, amount=..., corrects=ball,
        correct={"type": "ball_landed", "number": 3}, reason="misread", by="sup1",
    )  # fmt: skip
    seal = altered(LOG.lines[-1], seq=last + 2)
    put_right = Log(LOG.session, LOG.table, resealed([*LOG.lines, correction, seal]), LOG.rounds)
    content = exported(Night(put_right, OTHER), scope, log=floor_log(put_right, OTHER))

    verified = verify(content, policy=HOUSE_ALONE)
    verdicts = unpacked(content)[VERDICTS]

    assert verified.problems == []
    assert b'"corrected"' in verdicts
    assert put_right.lines[: last - 1] == LOG.lines[: last - 1]
