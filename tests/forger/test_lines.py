"""Whoever can get a line into the log, or into a bundle, wants it to say one thing to one reader and another to the
next, or to talk over what the table said. Each test: what he has, and what he wants.

He has retally, and writes verdicts, manifest and page of his bundle as they follow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pytest

from replay.bundle import sealing
from replay.bundle.contents import Scope
from replay.results import Finding, SessionSummary, Settlement
from streams.logs import LogLine
from streams.sources import LogSource
from tests.installed import judged
from tests.replay import logs
from tests.replay.bundle import bundles
from tests.replay.bundle.bundles import Night
from tests.replay.test_audit import audited

CLEAN: Final = logs.boule([logs.Coup(7, [logs.Stake("red"), logs.Stake("straight_up", 3)])])
OTHER: Final = logs.boule([logs.Coup(2, [logs.Stake("black")])], session="BO02-2026-11-29")
JUDGING: Final = judged(keys=logs.KEYS)
BET: Final = next(seq for seq in range(1, 20) if CLEAN.kind(seq) == "bet_placed")


def with_more(*extra: bytes, first: Sequence[bytes] = ()) -> logs.Log:
    """The log, and what he has got into it."""
    return logs.Log(CLEAN.session, CLEAN.table, [*first, *CLEAN.lines, *extra])


def resealed(seq: int, change: Callable[[bytes], bytes]) -> list[bytes]:
    """What the gateway has sealed when a device says this of event ``seq``."""
    lines = [change(line) if place == seq else line for place, line in enumerate(CLEAN.lines, 1)]
    assert lines != CLEAN.lines
    return logs.resealed(lines)


def problems(content: bytes) -> list[str]:
    verified = bundles.verify(content, keys=logs.KEYS)
    return [f"{problem.place}: {problem.text}" for problem in verified.problems]


def exported(held: logs.Log) -> bytes:
    return bundles.exported(Night(held, OTHER), Scope(session=CLEAN.session), log=bundles.floor_log(held, OTHER))


# No key: a line is appended to the log


APPENDED: Final = {
    "a second version of a bet": logs.altered(CLEAN.lines[BET - 1], amount=500),
    "a second version of the opening": logs.altered(CLEAN.lines[0], gaming_day="2020-01-01"),
    "a second version of the last seal": logs.altered(CLEAN.lines[-1], device="x"),
    "a seal in the place of a bet": logs.altered(CLEAN.lines[-1], seq=BET),
    "garbage that bears a used number": b'{"session":"BO01-2026-11-29","seq":4}',
    "garbage that bears a number past the end": b'{"session":"BO01-2026-11-29","seq":99}',
    "garbage that bears the next number": b'{"session":"BO01-2026-11-29","seq":%d}' % (len(CLEAN.lines) + 1),
    "a seal of the highest number, unread": b'{"type":"checkpoint","session":"BO01-2026-11-29","seq":99999999999999999,'
    b'"chain":"' + b"ab" * 32 + b'"}',
    "number 0 on another day": b'{"session":"BO01-2026-11-29","seq":0,"at":"2020-01-01T00:00:00Z"}',
}


@pytest.mark.parametrize("what", APPENDED)
@pytest.mark.parametrize("first", [False, True])
def test_one_unsigned_line_does_not_make_a_session_unprovable(what, first):
    """He wants that the genuine session can never be proven."""
    line = APPENDED[what]
    held = with_more(first=[line]) if first else with_more(line)

    assert problems(exported(held)) == []


@pytest.mark.parametrize("what", APPENDED)
def test_nor_does_he_choose_what_is_sealed_of_it(what):
    """He wants a leaf of his own in the floor's log, in which the night's sessions stand."""
    genuine = sealing.judged(CLEAN.session, CLEAN.lines, JUDGING)
    forged = sealing.judged(CLEAN.session, with_more(APPENDED[what]).lines, JUDGING)

    assert genuine is not None and forged is not None
    assert (forged.content, forged.chain, forged.date, forged.events) == (
        genuine.content,
        genuine.chain,
        genuine.date,
        genuine.events,
    )
    if what != "garbage that bears the next number":
        assert forged.state == genuine.state


@pytest.mark.parametrize("what", APPENDED)
def test_nor_do_verdicts_change(what):
    """He wants that an overpayment is not told, or that the table's day is beyond judging."""
    cheated = logs.boule([logs.Coup(7, [logs.Stake("red", error=90000), logs.Stake("straight_up", 3)])])
    assert [json.loads(line)["seq"] for line in cheated.lines] == [json.loads(line)["seq"] for line in CLEAN.lines]
    before, _ = audited(cheated.lines)
    after, _ = audited([APPENDED[what], *cheated.lines])

    assert verdicts(before) == verdicts(after)
    assert any(verdict.endswith("overpaid 90000") for verdict in verdicts(before))


def verdicts(rows: Sequence[Any]) -> set[str]:
    last = {(row.round, row.bet): row for row in rows if isinstance(row, Settlement)}
    return {f"{row.bet}: {row.verdict.value} {row.difference}" for row in last.values()}


@pytest.mark.parametrize("what", APPENDED)
@pytest.mark.parametrize("first", [False, True])
def test_nor_is_the_session_missing_from_its_night(what, first):
    """He wants it gone from what is sealed and exported of the night, without a word."""
    held = with_more(first=[APPENDED[what]]) if first else with_more(APPENDED[what])

    class Held:
        size = 1

        def read(self, progress: Callable[[int], None] | None = None) -> Iterator[LogLine]:
            for place, line in enumerate([*held.lines, *OTHER.lines], 1):
                yield LogLine("log", place, line, len(line))

    assert [name for name, _ in LogSource(Held()).night("2026-11-29")] == [CLEAN.session, OTHER.session]


# A device: the gateway seals what it says


TWICE: Final[dict[str, Callable[[bytes], bytes]]] = {
    "two amounts": lambda line: line.replace(b'"amount":1000', b'"amount":1,"amount":500'),
    "words before the amount": lambda line: line.replace(b'"amount":', b'"amount":"ten thousand","amount":'),
    "two types": lambda line: line.replace(b'"type":', b'"type":"checkpoint","type":'),
    "a time before time": lambda line: line.replace(b'"at":', b'"at":-Infinity,"at":'),
    "a round that is none": lambda line: line.replace(b'"round":1', b'"round":"one"'),
}


@pytest.mark.parametrize("what", TWICE)
def test_what_two_readers_read_in_two_ways_is_no_event(what):
    """He wants proven evidence of a stake of 500 where another reader sees 1."""
    lines = resealed(BET, TWICE[what])
    rows, _ = audited(lines)
    told = [row for row in rows if isinstance(row, Finding) and row.seq == BET]

    assert [row.code for row in told if not row.withdrawn] == ["rejected_event"]
    assert not any(isinstance(row, Settlement) and row.stake in (1, 500) for row in rows)


@pytest.mark.parametrize("what", TWICE)
def test_and_the_bundle_says_what_the_audit_says(what):
    """He wants that the audit tells of a rejected event and the bundle of none, or that it cannot be exported whole."""
    held = logs.Log(CLEAN.session, CLEAN.table, resealed(BET, TWICE[what]))
    content = exported(held)
    rows, _ = audited(held.lines)
    verdicts = [json.loads(line) for line in bundles.unpacked(content)[bundles.VERDICTS].splitlines()]

    assert problems(content) == []
    assert {(row["code"], row["seq"], row["text"]) for row in verdicts if row["record"] == "finding"} == {
        (row.code, row.seq, row.text) for row in rows if isinstance(row, Finding) and not row.withdrawn
    }


@pytest.mark.parametrize("twice", [b'"session":"BO99-2026-11-29","session":', b'"session":5,"session":'])
def test_a_line_of_two_sessions_is_nobodys(twice):
    """He wants an event that one reader finds in one session and another in the next. It is a hole in the one that
    sealed it."""
    lines = resealed(BET, lambda line: line.replace(b'"session":', twice))
    rows, _ = audited(lines)

    assert [row.session for row in rows if isinstance(row, SessionSummary)] == [CLEAN.session]
    assert [row.code for row in rows if isinstance(row, Finding) and row.seq == BET] == ["sequence_gap"]


# A bundle in his hands, no key


def test_a_capital_in_a_signature_is_no_seal():
    """He wants a severe finding in a clean session, in a bundle that proves it."""
    seal = CLEAN.lines[-1]
    signature = json.loads(seal)["signature"]
    letter = next(place for place, digit in enumerate(signature) if digit.isalpha())
    capital = signature[:letter] + signature[letter].upper() + signature[letter + 1 :]
    lines = [*CLEAN.lines[:-1], seal.replace(signature.encode(), capital.encode())]

    assert any("under no seal of the table" in problem for problem in problems(bundles.rewritten(lines)))


def test_a_seal_or_a_closing_that_cannot_be_decoded_counts_for_nothing():
    """He has the gateway's key too, and wants a session that passes for closed and sealed, though it is not."""
    closing = next(seq for seq in range(1, len(CLEAN.lines) + 1) if CLEAN.kind(seq) == "table_closed")
    unclosed = resealed(closing, lambda line: line.replace(b'"float":', b'"floats":'))

    assert any("before the table was closed" in problem for problem in problems(bundles.rewritten(unclosed)))
