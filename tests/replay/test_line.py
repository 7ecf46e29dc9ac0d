"""One strict reading of a line: what stands twice, or is no number, is no event; whose a line is, all say alike."""

from __future__ import annotations

import json
import random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay import fast
from replay.audit import Auditor
from replay.events import HOT, MODELS, Refusal, decode
from replay.line import read, session_of, whose
from replay.results import RawEvent, Rejected, SessionSummary
from tests.installed import judged
from tests.replay import fuzz, logs
from tests.replay.test_events import BET, events, line_of, mutated

LINE: Final = json.dumps(BET, separators=(",", ":")).encode()
FUZZED: Final = 30_000


def refused(line: bytes) -> Refusal:
    with pytest.raises(Refusal) as caught:
        decode(line)
    return caught.value


# What is no event


@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        (b'"amount":1000', b'"amount":1,"amount":500', "amount"),
        (b'"amount":1000', b'"amount":"ten thousand","amount":500', "amount"),
        (b'"amount":1000', b'"amount":1000,"amount":1000', "amount"),
        (b'"amount":1000', b'"amount" :1,"amount"\t:500', "amount"),
        (b'"amount":1000', b'"amount":1,"\\u0061mount":500', "amount"),
        (b'"amount":1000', b'"amount":1000,"all_in":true,"all_in":false', "all_in"),
        (b'"amount":1000', b'"amount":1000,"player":null,"player":null', "player"),
        (b'"at":', b'"at":-Infinity,"at":', "at"),
        (b'"session":', b'"session":5,"session":', "session"),
        (b'"session":', b'"session":"BO99","session":', "session"),
        (b'"type":', b'"type":"checkpoint","type":', "type"),
        (b'"v":1', b'"v":1,"v":1', "v"),
        (b'"round":412', b'"round":412,"round":412', "round"),
        (b'"device":"CR01-bets"', b'"device":"a:b","device":"a:b"', "device"),
    ],
)
def test_a_key_that_stands_there_twice_is_refused_by_its_name(before, after, field):
    line = LINE.replace(before, after)

    assert line != LINE
    assert refused(line).field == field


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (b'{"a":1,"a":2}', "options.a"),
        (b'{"a":{"b":1,"b":1}}', "options.a.b"),
        (b'{"a":[1,{"b":1,"b":1}]}', "options"),
    ],
)
def test_so_is_one_within_a_field(options, field):
    opened = logs.boule([logs.Coup()]).lines[0]
    line = opened.replace(b'"limits":', b'"options":' + options + b',"limits":')

    assert refused(line).field.startswith(field)


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity"])
def test_what_is_no_number_is_refused_by_the_name_of_its_field(number):
    opened = logs.boule([logs.Coup()]).lines[0]

    assert refused(LINE.replace(b"1000", number)).field == "amount"
    assert refused(opened.replace(b'"limits":', b'"options":{"a":' + number + b'},"limits":')).field.startswith(
        "options.a"
    )


@pytest.mark.parametrize("field", ["chain", "signature"])
def test_hexadecimal_digits_are_small_letters(field):
    seal = next(line for line in logs.boule([logs.Coup()]).lines if b'"checkpoint"' in line)
    digits = json.loads(seal)[field]
    for place, digit in enumerate(digits):
        if digit.isalpha():
            capital = digits[:place] + digit.upper() + digits[place + 1 :]
            assert refused(seal.replace(digits.encode(), capital.encode())).field == field


def test_of_the_fast_types_every_optional_field_is_counted_that_has_another_value_than_its_default():
    for kind in HOT:
        fields = MODELS[kind].model_fields
        others: dict[str, Any] = {"pick": 5, "cards": ["7H"], "exposed": True, "up": False, "all_in": True}
        required = {"bet": "b", "seat": 1, "wager": "w", "amount": 5, "by": 5, "card": "7H", "tile": 1, "dice": [1]}
        required |= {
            "number": 1,
            "choice": "c",
            "paid": 1,
            "returned": 1,
            "chain": "0" * 64,
            "key": "k",
            "signature": "0" * 128,
        }
        base = {name: BET[name] for name in ("v", "session", "seq", "at", "table", "device")} | {"type": kind}
        base |= {name: required[name] for name, info in fields.items() if info.is_required() and name in required}
        for name, info in fields.items():
            if info.is_required() or name in ("v", "type"):
                continue
            value = others.get(name, "x" if name in ("of", "player", "to", "void", "by", "bet") else 1)
            event: Any = decode(json.dumps(base | {name: value}).encode())
            assert (event.given(event), event.least_colons) == (1, len(base) + 2), (kind, name)


# Readers agree


@settings(max_examples=300)
@given(mutated() | events().map(line_of))
def test_what_is_an_event_is_one_to_every_reader(line):
    assert fuzz.differs(line) == ""


def test_thirty_thousand_lines_between_good_and_bad_are_read_alike_and_none_is_lost():
    auditor = Auditor(judged(keys=logs.KEYS), raw=True)
    rows: list[Any] = []
    accepted = 0
    given = list(fuzz.lines(14, FUZZED))
    for place, line in enumerate(given, 1):
        assert fuzz.differs(line) == "", line
        accepted += fuzz.outcome(decode, line) is not None
        auditor.feed(line, "fuzz.jsonl", place)
        if place % 5000 == 0:
            rows += auditor.drain()
    rows += auditor.finish()
    rejected = [row for row in rows if isinstance(row, Rejected)]
    kept = [row for row in rows if isinstance(row, RawEvent)]
    copies = sum(row.duplicates for row in rows if isinstance(row, SessionSummary))

    assert FUZZED / 10 < accepted < FUZZED / 2
    assert (auditor.lines, auditor.events, auditor.rejected) == (FUZZED, accepted, FUZZED - accepted)
    assert len(rejected) == FUZZED - accepted
    assert len(kept) + copies == accepted
    assert {row.raw for row in rejected} | {row.raw for row in kept} == set(given)


@pytest.mark.parametrize("seed", range(4))
def test_an_audit_of_lines_between_good_and_bad_is_their_fold_in_whatever_order_they_come(seed):
    """Sealed nights into which such lines have got, and such lines alone."""
    chance = random.Random(seed)
    for night in (*fuzz.nights(seed, 40), list(fuzz.lines(seed, 150))):
        expected = fuzz.said_of(night)
        for order in fuzz.orders(chance, night):
            assert fuzz.audited(order) == expected


# Whose a line is


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (b'{"session":"S","seq":4}', ("S", 4)),
        (b'{"session":"S","seq":4,"amount":1,"amount":2}', ("S", 4)),
        (b'{"session":"S","seq":4,"amount":NaN}', ("S", 4)),
        (b'{"session":"S","seq":4,"amount":' + b"9" * 5000 + b"}", ("S", 4)),
        (b'{"session":"\\u0053","seq":4,"options":{"session":"T"}}', ("S", 4)),
        (b'{"session":"S","session":"T","seq":4}', ("", 0)),
        (b'{"session":"S","session":"S","seq":4}', ("", 0)),
        (b'{"session":"S","seq":4,"seq":5}', ("", 0)),
        (b'{"session":"S","seq":true}', ("", 0)),
        (b'{"session":"S","seq":4.0}', ("", 0)),
        (b'{"session":"S","seq":0}', ("", 0)),
        (b'{"session":"S","seq":1000000001}', ("", 0)),
        (b'{"session":"S\\u001b[2J","seq":4}', ("", 0)),
        (b'{"session":"\\ud800","seq":4}', ("", 0)),
        (b'{"session":["S"],"seq":4}', ("", 0)),
        (b'{"options":{"session":"S"},"seq":4}', ("", 0)),
        (b'[{"session":"S","seq":4}]', ("", 0)),
        (b'{"session":"S","seq":4}{}', ("", 0)),
        (b'{"session":"S","seq":4', ("", 0)),
        (b"\xff", ("", 0)),
        (b"[" * 50_000, ("", 0)),
    ],
)
def test_whose_a_refused_line_is_must_stand_there_once(line, named):
    assert whose(line) == named
    assert read(line)[:3] == (*named, None)


@given(mutated() | events().map(line_of) | st.sampled_from(list(fuzz.lines(3, 500))))
def test_a_line_is_dealt_out_to_where_it_belongs(line):
    named = read(line).session

    assert named == "" or session_of(line).decode() == named
    try:
        assert named == decode(line).session
    except Refusal:
        assert named == whose(line)[0]


def test_the_fast_way_counts_colons():
    event: Any = decode(LINE)

    assert fast.no_key_twice(event, event.given(event), LINE)
    assert fast.no_key_twice(event, 99, LINE), "the keys are counted themselves"
    assert not fast.no_key_twice(event, 99, LINE.replace(b'"v":1', b'"v":1,"v":1'))
