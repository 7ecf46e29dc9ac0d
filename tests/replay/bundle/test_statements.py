"""What a verification says: a table of statements, of which none is proven that nobody looked at."""

from __future__ import annotations

import random
import time
import tracemalloc
from typing import Final

import msgspec
import pytest

from replay.bundle import contents
from replay.bundle.contents import Scope
from replay.bundle.differences import first_difference, line_of
from replay.bundle.statements import MAX_PROBLEMS, Claim, Ledger, Said
from replay.bundle.verify import Verified
from replay.key_scope import Grant, ScopedKeys, Terms
from streams import bundle_files
from tests.installed import PACKS
from tests.replay import logs
from tests.replay.bundle.bundles import (
    EVENTS,
    LOG,
    OTHER,
    VERDICTS,
    Night,
    by_engine,
    exported,
    floor_log,
    forged,
    members,
    rewritten,
    verify,
)
from tests.replay.bundle.floors import HOUSE_ALONE

FLOOR_LOG: Final = floor_log(LOG, OTHER)
MEMBERS: Final = members()
CONTENT: Final = bundle_files.pack(MEMBERS)
NAME: Final = next(iter(logs.KEYS))
SCOPED: Final = ScopedKeys(logs.KEYS, {NAME: Terms(grants=(Grant(tables=("BO*",)),))})
EVERY: Final = list(Claim)
ALWAYS: Final = [Claim.BYTES, Claim.ORDER, Claim.SEALS, Claim.VERDICTS, Claim.LAW]
"""What is asked of every bundle."""


def said(verified: Verified) -> dict[Claim, Said]:
    return {one.claim: one.said for one in verified.statements}


def proven(verified: Verified) -> list[Claim]:
    return [claim for claim, what in said(verified).items() if what is Said.PROVEN]


# What is asked


def test_what_is_asked_for_is_proven_and_nothing_else():
    root = FLOOR_LOG.state.root

    assert proven(verify(CONTENT)) == ALWAYS
    assert proven(verify(CONTENT, keys=logs.KEYS)) == sorted([*ALWAYS, Claim.KEYS], key=EVERY.index)
    assert proven(verify(CONTENT, keys=SCOPED)) == [claim for claim in EVERY if claim is not Claim.LOG]
    assert proven(verify(CONTENT, policy=HOUSE_ALONE)) == [*ALWAYS, Claim.LOG]
    assert proven(verify(CONTENT, root=root)) == [*ALWAYS, Claim.LOG]
    assert proven(verify(CONTENT, keys=SCOPED, policy=HOUSE_ALONE, root=root)) == EVERY
    for given in ({}, {"keys": logs.KEYS}, {"root": root}):
        verified = verify(CONTENT, **given)
        assert verified.holds
        assert Said.FAILED not in said(verified).values()


def test_the_last_line_says_what_nobody_vouches_for():
    keys = "whose keys these are (--keys)"
    scope = "for which tables and dates these keys are (--keys, with a scope)"
    log = "that this is all there was, and was not made since (--policy, --root)"
    begins = "what was asked is proven; nobody vouches for: "

    assert bundle_files.conclusion(verify(CONTENT)) == f"{begins}{keys}; {scope}; {log}"
    assert bundle_files.conclusion(verify(CONTENT, keys=logs.KEYS)) == f"{begins}{scope}; {log}"
    assert bundle_files.conclusion(verify(CONTENT, keys=SCOPED)) == f"{begins}{log}"
    assert bundle_files.conclusion(verify(CONTENT, keys=SCOPED, policy=HOUSE_ALONE)) == (
        "every statement is proven, by the keys, the law and the head that you gave; the head is house only"
    )
    assert bundle_files.conclusion(verify(CONTENT, keys={}, root="0" * 64)) == "NOT PROVEN: keys, log"


def test_a_night_is_said_to_be_whole_and_a_session_to_stand():
    night = exported(Night(LOG, OTHER), Scope(date="2026-11-29"), log=FLOOR_LOG)

    assert verify(night).said(Claim.LOG).words == "this is the whole night under the head that you were given"
    assert verify(CONTENT).said(Claim.LOG).words == "the sessions stand under the head that you were given"


def test_what_was_not_asked_fails_all_the_same_where_it_is_wrong():
    """A proof that does not hold is no proof, whoever asks."""
    altered = MEMBERS["log/entry"].replace(b"ordinal 1", b"ordinal 2")

    assert said(verify(forged(MEMBERS, **{"log/entry": altered})))[Claim.LOG] is Said.FAILED


# What nobody looked at


@pytest.mark.parametrize("name", ["manifest.json", EVENTS])
def test_what_cannot_be_looked_at_is_not_proven(name):
    for content in (None, b"", b"\xff\n", b"[]\n"):
        kept = {each: one for each, one in {**MEMBERS, name: content}.items() if one is not None}
        verified = verify(bundle_files.pack(kept), keys=SCOPED, policy=HOUSE_ALONE)

        assert set(proven(verified)) <= {Claim.BYTES, Claim.LAW}, content
        assert Claim.VERDICTS not in proven(verified)
        assert all(one.problems for one in verified.statements if one.said is Said.FAILED)


def test_a_session_that_no_rules_can_judge_has_no_verdicts_that_are_proven():
    log = logs.boule([logs.Coup(7, [logs.Stake("red")])], rules="XX-1900")

    verified = verify(exported(Night(log), Scope(session=log.session)))

    assert verified.failed == [Claim.VERDICTS, Claim.LAW]
    assert verified.settlements == 0


def test_a_ledger_proves_nothing_by_itself():
    ledger = Ledger()
    assert {one.said for one in ledger.statements(of_a_night=False)} == {Said.FAILED}

    ledger.pass_over(Claim.KEYS, "nobody asked")
    ledger.prove(Claim.BYTES, "3 members")
    ledger.prove(Claim.SEALS, "4 seals")
    ledger.fail(Claim.SEALS, "here", "no")
    found = {one.claim: (one.said, one.detail) for one in ledger.statements(of_a_night=False)}

    assert found[Claim.KEYS] == (Said.NOT_ASKED, "nobody asked")
    assert found[Claim.BYTES] == (Said.PROVEN, "3 members")
    assert found[Claim.SEALS] == (Said.FAILED, "")


def test_so_many_problems_of_one_kind_hide_none_of_another():
    """He fills the list with events out of order, so that the seal that does not hold is not told."""
    lines = [*LOG.lines[:3], *[LOG.lines[2]] * (2 * MAX_PROBLEMS), *LOG.lines[3:]]
    verified = verify(rewritten([line.replace(b'"paid":100', b'"paid":0') for line in lines]), policy=HOUSE_ALONE)

    assert len(verified.said(Claim.ORDER).problems) == MAX_PROBLEMS
    assert verified.failed == [Claim.ORDER, Claim.SEALS, Claim.LOG]
    assert all(one.problems for one in verified.statements if one.said is Said.FAILED)


def test_every_problem_belongs_to_one_statement():
    verified = verify(forged(MEMBERS, **{VERDICTS: b"", "log/entry": b"", "keys.txt": b""}), keys=SCOPED)
    found = [problem for one in verified.statements for problem in one.problems]

    assert verified.problems == found
    assert len({(problem.place, problem.text) for problem in found}) == len(found)


def test_it_is_data_for_programs():
    told = msgspec.json.decode(msgspec.json.encode(verify(forged(MEMBERS, **{VERDICTS: b""}))))

    assert [one["claim"] for one in told["statements"]] == [claim.value for claim in EVERY]
    failed = next(one for one in told["statements"] if one["said"] == "FAILED")
    assert (failed["claim"], failed["problems"][0]["place"]) == ("verdicts", f"{VERDICTS}, line 1")


# No input takes the machine away


def test_the_first_line_that_differs_is_found_without_cutting_the_text_into_lines():
    chance = random.Random(3)
    for _ in range(300):
        one = b"".join(chance.choice([b"a\n", b"bb\n", b"\n", b"c"]) for _ in range(chance.randint(0, 12)))
        other = b"".join(chance.choice([b"a\n", b"bb\n", b"\n", b"c"]) for _ in range(chance.randint(0, 12)))
        if one == other:
            continue
        lines, others = (text.splitlines(keepends=True) for text in (one, other))
        expected = next(
            (n for n, (a, b) in enumerate(zip(lines, others, strict=False), 1) if a != b),
            min(len(lines), len(others)) + 1,
        )
        if expected > 1 and not lines[: expected - 1][-1].endswith(b"\n"):
            expected -= 1  # the line that has no end goes on in the other

        assert first_difference(one, other) == expected, (one, other)
        assert [line_of(one, number) for number in range(1, 20)][: one.count(b"\n") + 1] == one.split(b"\n")


@pytest.mark.parametrize("engine", [1, 2])
def test_verdicts_full_of_line_ends_cost_no_memory(engine):
    content = by_engine(engine, MEMBERS, **{VERDICTS: b"x\n" * (8 << 20)})
    verify(CONTENT)
    tracemalloc.start()
    try:
        verified = verify(content)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert Claim.VERDICTS in verified.failed
    assert peak < 7 * (16 << 20)  # the file, the member, and little more; its lines alone would be 20 times as much


def test_a_bundle_of_one_round_is_verified_in_time_that_grows_with_the_session():
    """Each of its bets is told of by a finding of another round: all rows used to be looked through for each."""

    def seconds(bets: int) -> float:
        stakes = [logs.Stake("straight_up", 3, error=100, seat=seat % 7 + 1) for seat in range(50)]
        log = logs.boule([logs.Coup(7, stakes) for _ in range(bets // 50)])
        law = contents.carried(PACKS, [contents.opening(log.lines)])
        begins = time.process_time()
        contents.part(log.session, 1, log.lines, packs=law, keys=None, round_number=1)
        return time.process_time() - begins

    seconds(50)
    assert seconds(1600) < 12 * seconds(400)
