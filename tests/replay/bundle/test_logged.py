"""Bundles of sessions that stand in the floor's log: what is proven of where, and by whose word."""

from __future__ import annotations

import json
from typing import Final

import pytest

from replay.bundle import logged, sealing
from replay.bundle.contents import Scope
from replay.bundle.house_log import FloorLog
from replay.bundle.leaves import join, split
from replay.bundle.strict import NoteError
from replay.bundle.verify import NOBODY, Verified
from replay.evidence import sign
from streams.bundle_files import ExportError
from tests.installed import judged
from tests.replay import logs
from tests.replay.bundle.bundles import (
    DAY,
    EVENTS,
    LOG,
    OTHER,
    Members,
    Night,
    exported,
    floor_log,
    forged,
    members,
    rewritten,
    unpacked,
    verify,
)
from tests.replay.bundle.floors import (
    HOUSE_ALONE,
    ORIGIN,
    POLICY,
    cosigned,
    floor,
    private,
    sealed,
    session,
    signed_anyway,
)

SCOPE: Final = Scope(session=LOG.session)
NIGHT: Final = Scope(date=DAY)
FLOOR_LOG: Final = floor_log(LOG, OTHER)
MEMBERS: Final = members()
WHOLE: Final = members(NIGHT)


def told(verified: Verified) -> list[str]:
    return [f"{problem.place}: {problem.text}" for problem in verified.problems]


def witnessed() -> FloorLog:
    """The same log, its head signed by the witness."""
    log = floor_log(LOG, OTHER)
    log.nights[-1] = cosigned(log.nights[-1])
    return log


@pytest.mark.parametrize(
    "scope", [SCOPE, Scope(session=LOG.session, round=1), NIGHT], ids=["session", "round", "night"]
)
def test_a_bundle_says_who_has_witnessed_its_head(scope):
    content = exported(Night(LOG, OTHER), scope, log=witnessed())

    assert told(verify(content, policy=POLICY)) == []
    assert verify(content, policy=POLICY).vouched == "witnessed by regulator at 2027-01-15 08:00:00 UTC"
    assert ORIGIN in verify(content).sealed


def test_a_head_that_nobody_has_witnessed_is_the_houses_alone():
    content = exported(Night(LOG, OTHER), SCOPE, log=FLOOR_LOG)

    assert verify(content, policy=HOUSE_ALONE).vouched == "house only"
    assert told(verify(content, policy=POLICY)) == ["log: the head is house only, which is not enough under the policy"]


def test_without_a_policy_nobody_vouches_for_the_head():
    """A forger can make a log of his own, and everything else fits: it is said that nobody is known to vouch."""
    content = exported(Night(LOG, OTHER), SCOPE, log=FLOOR_LOG)

    assert told(verify(content)) == []
    assert verify(content).vouched == NOBODY


def test_a_log_of_a_forgers_own_is_not_one_of_the_policy():
    log = floor_log(LOG, OTHER)
    log.nights[0] = signed_anyway(floor(), log.nights[0].leaves, private(66))
    content = exported(Night(LOG, OTHER), SCOPE, log=log)

    assert told(verify(content)) == []
    for policy in (POLICY, HOUSE_ALONE):
        [problem] = told(verify(content, policy=policy))
        assert problem.startswith("log: the note is signed by nobody who is known")


def test_the_root_that_is_held_is_that_of_the_head():
    content = exported(Night(LOG, OTHER), SCOPE, log=FLOOR_LOG)

    assert told(verify(content, root=FLOOR_LOG.state.root)) == []
    assert told(verify(content, root="0" * 64)) == ["log: the head has another root than the one that you hold"]


def test_a_bundle_that_stands_in_no_log_is_not_proven_under_a_policy():
    content = exported(Night(LOG, OTHER), SCOPE)

    assert told(verify(content)) == []
    assert (verify(content).sealed, verify(content).vouched) == ("", NOBODY)
    assert told(verify(content, policy=HOUSE_ALONE)) == [
        "log: is not here: that these sessions stand in a log of your policy is not proven"
    ]


# What a forger tries


def with_log(content: bytes, log: Members) -> bytes:
    """The bundle with the members under ``log/`` of another, and a page and manifest that fit."""
    found = unpacked(content)
    ours = {name: one for name, one in found.items() if not name.startswith("log/")}
    theirs = {name: one for name, one in log.items() if name.startswith("log/")}
    said = logged.read_members(theirs, of_a_night="log/entries" in theirs).said
    page = ours["index.html"].replace(
        b"<p>It is not here where these were sealed.</p>", f"<p>Sealed: <code>{said}</code></p>".encode()
    )
    return forged({**ours, **theirs}, **{"index.html": page})


def test_a_tail_that_was_cut_off_at_a_seal_is_not_the_session_that_was_sealed():
    cut = next(n for n, line in enumerate(LOG.lines) if b'"table_closed"' in line) + 2
    found = told(verify(with_log(rewritten(LOG.lines[:cut]), MEMBERS), policy=HOUSE_ALONE))

    assert [line.split(": ")[2].split(" is ")[0] for line in found] == [
        "its events",
        "its last",
        "its content",
        "its chain",
    ]


def test_a_last_checkpoint_that_was_signed_anew_is_not_the_one_that_was_sealed():
    """With the gateway's own key: the chain is the same, and every seal holds."""
    last = json.loads(LOG.lines[-1])
    unsigned = LOG.lines[-1].replace(last["signature"].encode(), b"0" * 128)
    unsigned = unsigned.replace(last["at"].encode(), b"2026-11-29T23:59:59.000000Z")
    signature = sign(logs.KEY, last["chain"], unsigned)
    lines = [*LOG.lines[:-1], unsigned.replace(b"0" * 128, signature.encode())]

    assert told(verify(rewritten(lines))) == []
    [problem] = told(verify(with_log(rewritten(lines), MEMBERS), policy=HOUSE_ALONE))
    assert problem.startswith(f"{EVENTS}: not the session that was sealed: its content is")


def test_a_session_that_goes_on_after_it_was_sealed_is_not_the_one_that_was_sealed():
    """With the gateway's own key: the drop is counted anew."""
    writer = logs.Writer(LOG.session, LOG.table)
    writer.log.lines += LOG.lines
    writer._chain.update(bytes.fromhex(json.loads(LOG.lines[-1])["chain"]))
    writer._chain.update(LOG.lines[-1] + b"\n")
    writer.event("drop_counted", amount=1)
    writer.seal()
    found = told(verify(with_log(rewritten(writer.log.lines), MEMBERS), policy=HOUSE_ALONE))

    assert told(verify(rewritten(writer.log.lines))) == []
    assert any("its content is" in line for line in found)


def test_a_session_of_another_name_is_none_of_the_sealed():
    other = floor_log(OTHER)
    content = with_log(rewritten(LOG.lines), unpacked(exported(Night(OTHER), Scope(session=OTHER.session), log=other)))

    assert f"log: session {LOG.session} is none of those that were sealed" in told(verify(content, policy=HOUSE_ALONE))


def test_a_night_from_which_a_session_was_left_out_is_named():
    """Its leaves are all there; or one is left out there too, and the rest is no night under the head."""
    content = with_log(exported(Night(LOG), NIGHT), WHOLE)
    assert told(verify(content, policy=HOUSE_ALONE)) == [
        f"log: session {OTHER.session} was sealed that night, and is not here"
    ]

    leaves = split(WHOLE["log/entries"])
    for night in ([leaf for leaf in leaves if OTHER.session.encode() not in leaf], leaves[1:], leaves[:-1]):
        altered = {**unpacked(exported(Night(LOG), NIGHT)), **WHOLE, "log/entries": join(night)}
        assert any(line.startswith("log: ") for line in told(verify(forged(altered), policy=HOUSE_ALONE)))


def test_where_a_night_begins_and_ends_is_nobodys_word():
    """The boundary stands in the night's own leaf, under the root: no other peaks or size are those before it."""
    log = floor("2026-11-28")
    sealed(log, DAY, [session("BO01", DAY), session("BO02", DAY)], roster=["BO01", "BO02"])
    night = log.nights[1]
    good = logged.members_of_night(log, DAY)
    before = logged.members_of_night(log, "2026-11-28")

    assert logged.read_members(good, of_a_night=True).night.date == DAY
    for other in (
        {"log/entries": join(log.nights[0].leaves + night.leaves), "log/peaks": before["log/peaks"]},
        {"log/peaks": b""},
        {"log/peaks": before["log/peaks"]},
        {"log/head": before["log/head"]},
        {"log/entries": before["log/entries"]},
    ):
        with pytest.raises(NoteError):
            logged.read_members({**good, **other}, of_a_night=True)


def test_members_that_do_not_belong_to_the_scope_are_named():
    for altered in (
        {**MEMBERS, "log/peaks": b""},
        {name: content for name, content in MEMBERS.items() if name != "log/night"},
        {**WHOLE, "log/entry": MEMBERS["log/entry"]},
        {**MEMBERS, "seal.json": b"{}"},
    ):
        assert told(verify(forged(altered), policy=HOUSE_ALONE))


@pytest.mark.parametrize("name", [name for name in (*MEMBERS, *WHOLE) if name.startswith("log/")])
@pytest.mark.parametrize(
    "content", [b"1" * 2000 + b"\n", b"\n", b"\xff", b"[]", b"retally-leaf/2 night\n", b"c2sp.org/tlog-proof@v1\n\n"]
)
def test_members_full_of_rubbish_are_named_in_one_line(name, content):
    found = MEMBERS if name in MEMBERS else WHOLE
    problems = told(verify(forged(found, **{name: content}), policy=HOUSE_ALONE))

    assert any(line.startswith("log: ") for line in problems)
    assert all(line.isprintable() for line in problems)


def test_a_session_that_is_in_no_night_of_the_log_is_not_exported_with_it():
    log = floor_log(OTHER)

    with pytest.raises(ExportError, match="the floor's log holds no session 'BO01-2026-11-29'"):
        exported(Night(LOG), SCOPE, log=log)
    with pytest.raises(ExportError, match="the floor's log holds no night of '2026-11-29'"):
        exported(Night(LOG), NIGHT, log=floor("2026-11-28"))


def test_a_session_that_came_late_is_proven_by_its_last_leaf():
    """As it is now; its bundle says that it came late, and with which night it was sealed."""
    short = logs.Log(LOG.session, LOG.table, LOG.lines[:-2])
    log = floor_log(short)
    known = log.sessions[LOG.session]
    longer = sealing.judged(LOG.session, LOG.lines, judged(keys=logs.KEYS), beginning=known.events)
    assert longer is not None
    sealed(log, "2026-11-30", [longer, session("BO01", "2026-11-30")], roster=["BO01"])
    content = exported(Night(LOG), SCOPE, log=log)

    assert told(verify(content, policy=HOUSE_ALONE)) == []
    assert "sealed with the night of 2026-11-30, late" in verify(content).sealed
