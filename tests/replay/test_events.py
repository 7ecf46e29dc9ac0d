"""The event contract: what is let in, what is refused and how; the fast way and the models are one contract."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from replay.event_fields import CARD_CODES, MAX_AMOUNT_MINOR, Envelope
from replay.events import (
    HOT,
    MAX_EVENT_BYTES,
    MODELS,
    Refusal,
    decode,
    decode_by_model,
    from_fields,
    json_schema,
)

BET: Final[dict[str, Any]] = {
    "v": 1,
    "type": "bet_placed",
    "session": "CR01-2026-11-29",
    "seq": 1841,
    "at": "2026-11-29T21:03:11.250000Z",
    "table": "CR01",
    "device": "CR01-bets",
    "round": 412,
    "bet": "b17",
    "seat": 3,
    "wager": "pass_line",
    "amount": 1000,
}


def line_of(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields).encode()


def refusal(line: bytes) -> Refusal:
    with pytest.raises(Refusal) as caught:
        decode(line)
    return caught.value


def outcome(read, line: bytes) -> object:
    """What a reader makes of a line: all fields with their types, or None where it refuses."""
    try:
        event = read(line)
    except Refusal:
        return None
    fields = MODELS[event.type].model_fields
    values = {name: getattr(event, name) for name in fields}
    at = values.pop("at")
    return [(name, type(value), value) for name, value in values.items()], at.isoformat(), at.utcoffset()


def assert_read_alike(line: bytes) -> None:
    assert outcome(decode, line) == outcome(decode_by_model, line)


# Events of every kind, as devices send them

MIDDLE: Final = datetime.fromisoformat("2029-01-01")
names = st.text("abcXYZ019 !#_-.:~[]", min_size=1, max_size=12)
amounts = st.integers(1, 10**6) | st.sampled_from([1, MAX_AMOUNT_MINOR])
times = st.builds(
    lambda at, offset, end: at.isoformat(timespec="auto") + (f"{offset:+03d}:30" if offset else end),
    st.integers(-9 * 10**14, 22 * 10**14).map(lambda microseconds: MIDDLE + timedelta(microseconds=microseconds)),
    st.integers(-12, 12),
    st.sampled_from(["Z", "z", "+00:00", "-00:00", "+0000"]),
)  # fmt: skip
cards = st.sampled_from(CARD_CODES)
scalars = st.booleans() | st.integers(-9, 10**9) | names | st.sampled_from([0.5, 2.25, 5.0, 1e3])
VALUES: Final[dict[str, st.SearchStrategy[Any]]] = {
    "v": st.just(1),
    "seq": st.integers(1, 10**9),
    "at": times,
    "round": st.integers(1, 10**9),
    "currency": st.sampled_from(["EUR", "MOP"]),
    "chip_unit": amounts,
    "rounding": st.sampled_from(["down", "nearest", "up"]),
    "limits": st.dictionaries(names, st.integers(0, 10**6) | st.just({"min": 1, "max": 5}), max_size=3),
    "options": st.dictionaries(names, scalars | st.lists(scalars, max_size=3) | st.just({"a": 1}), max_size=3),
    "decks": st.integers(1, 16),
    "settlement_claims": st.booleans(),
    "float": amounts,
    "gaming_day": st.sampled_from(["2026-11-29", "2024-02-29"]),
    "amount": amounts,
    "by": amounts,
    "paid": st.just(0) | amounts,
    "returned": st.just(0) | amounts,
    "chain": st.text("0123456789abcdef", min_size=64, max_size=64),
    "signature": st.text("0123456789abcdef", min_size=128, max_size=128),
    "seat": st.integers(0, 99),
    "hand": st.integers(1, 99),
    "pick": st.integers(-999, 999)
    | st.sampled_from(["9_10", "a", "?"])
    | st.lists(st.integers(0, 99), min_size=1, max_size=16),
    "all_in": st.booleans(),
    "card": cards,
    "cards": st.lists(cards, max_size=16),
    "up": st.booleans(),
    "exposed": st.booleans(),
    "tile": st.integers(1, 9) | st.just("W"),
    "dice": st.lists(st.integers(0, 9), max_size=8),
    "number": st.integers(0, 99),
    "last": st.integers(1, 99),
    "corrects": st.integers(1, 10**9),
}  # fmt: skip


@st.composite
def events(draw: st.DrawFn, kinds: tuple[str, ...] = tuple(MODELS)) -> dict[str, Any]:
    """A valid event of any of ``kinds``, its fields in any order."""
    kind = draw(st.sampled_from(kinds))
    fields: dict[str, Any] = {"type": kind}
    for name, info in MODELS[kind].model_fields.items():
        wire = info.alias or name
        if wire == "type" or not (info.is_required() or draw(st.booleans())):
            continue
        values = VALUES.get(wire, names)
        if kind == "shoe_loaded" and wire == "cards":
            values = st.integers(1, 1000)
        elif wire == "by" and kind != "bet_raised":
            values = names
        elif wire == "correct":
            values = corrections()
        fields[wire] = draw(values)
    return dict(draw(st.permutations(list(fields.items()))))


@st.composite
def corrections(draw: st.DrawFn) -> dict[str, Any]:
    """An event as it should have been said: without its envelope."""
    fields = draw(events(tuple(kind for kind in MODELS if kind != "checkpoint")))
    return {name: value for name, value in fields.items() if name == "type" or name not in Envelope.model_fields}


@given(events())
def test_every_event_of_the_contract_is_accepted(fields):
    event = decode(line_of(fields))

    assert event.type == fields["type"]


@given(events())
def test_both_ways_of_reading_give_the_same_event(fields):
    assert_read_alike(line_of(fields))
    assert_read_alike(json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode())


junk = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**40), 10**40)
    | st.floats()
    | st.sampled_from([5.0, 1e3, -0.0, 0, -1, 10**15, 10**15 + 1, 2**63, 2**64, "", "W", "??", "1", "A" * 33, "a" * 65])
    | st.text(max_size=5)
    | st.sampled_from(["a\x7fb", "a\nb", "é", "\u2028", "a\\b", 'a"b', " ", "\x00", "😀"])
    | st.lists(st.integers(0, 100) | st.booleans() | st.sampled_from(["7H", "1O"]), max_size=18)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)
odd_times = st.sampled_from(
    [
        "2026-11-29T21:03:60Z",
        "2026-11-29T23:59:60Z",
        "2026-11-29T24:00:00Z",
        "2026-11-29t21:03:11z",
        "2026-11-29 21:03:11Z",
        "2026-11-29_21:03:11Z",
        "2026-11-29T21:03Z",
        "2026-11-29T21:03:11",
        "2026-11-29T21:03:11.1Z",
        "2026-11-29T21:03:11.1234567Z",
        "2026-11-29T21:03:11.9999999Z",
        "2026-11-29T21:03:11.1234560Z",
        "2026-11-29T21:03:11.Z",
        "2026-11-29T21:03:11,5Z",
        "2026-11-29T21:03:11+02",
        "2026-11-29T21:03:11+0200",
        "2026-11-29T21:03:11+02:00",
        "2026-11-29T21:03:11-02:00:30",
        "2026-11-29T21:03:11+23:59",
        "2026-11-29T21:03:11-24:00",
        "2026-11-29T21:03:11+00:60",
        "2026-11-29T21:03:11\u221202:00",
        "\u0662\u0660\u0662\u0666-11-29T21:03:11Z",
        "2026-02-30T21:03:11Z",
        "2024-02-29T21:03:11Z",
        "2026-1-29T21:03:11Z",
        "20261129T210311Z",
        "2026-W48-7T21:03:11Z",
        "2026-333T21:03:11Z",
        " 2026-11-29T21:03:11Z",
        "2026-11-29T21:03:11Z\n",
        "2026-11-29T21:03:11 Z",
        "1764450191",
        "2026-11-29",
        "1999-12-31T23:59:59.999999Z",
        "2000-01-01T00:00:00Z",
        "2000-01-01T01:00:00+02:00",
        "1999-12-31T23:00:00-02:00",
        "2099-12-31T23:59:59.999999Z",
        "2099-12-31T23:59:59.9999999Z",
        "2100-01-01T00:00:00Z",
        "2100-01-01T01:00:00+02:00",
        "2099-12-31T23:00:00-02:00",
        "0001-01-01T00:00:00+10:00",
        "9999-12-31T23:59:59-10:00",
        "0000-01-01T00:00:00Z",
        1764450191,
        1764450191.5,
        True,
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A valid event with one or two things wrong, or odd, about its fields or its bytes."""
    fields = draw(events() | events(HOT))
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from(sorted(fields) or ["v"]))
        match draw(st.sampled_from(["value", "value", "value", "time", "missing", "unknown", "kind"])):
            case "value":
                fields[name] = draw(junk)
            case "time":
                fields["at"] = draw(odd_times)
            case "missing":
                fields.pop(name, None)
            case "unknown":
                fields[draw(st.text(max_size=4) | st.sampled_from([*VALUES, "type"]))] = draw(junk)
            case "kind":
                fields["type"] = draw(st.sampled_from([*MODELS, "bet", "", "BET_PLACED"]))
    line = json.dumps(fields, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    match draw(st.sampled_from(["as it is", "as it is", "double", "escape", "number", "cut", "bytes", "space"])):
        case "double" if fields:
            name = draw(st.sampled_from(sorted(fields)))
            again = json.dumps({name: draw(junk | st.just(fields[name]))}).encode()
            line = line[:-1] + b"," + again[1:] if draw(st.booleans()) else again[:-1] + b"," + line[1:]
        case "escape":
            line = line.replace(b"e", b"\\u0065", draw(st.integers(1, 3)))
        case "number":
            line = line.replace(
                b"1", draw(st.sampled_from([b"1.0", b"1e3", b"01", b"+1", b"NaN", b"-Infinity", b"-0"])), 1
            )
        case "cut":
            line = line[: draw(st.integers(0, len(line)))]
        case "bytes":
            at = draw(st.integers(0, len(line)))
            line = line[:at] + draw(st.binary(min_size=1, max_size=3)) + line[at + 1 :]
        case "space":
            line = draw(st.sampled_from([b" ", b"\t", b"\xef\xbb\xbf", b"\x00"])) + line + b"\r\n"
    return line


@settings(max_examples=400)
@given(mutated())
@example(line_of({**BET, "v": 1.0}))
@example(line_of({**BET, "v": True}))
@example(line_of({**BET, "at": "2026-11-29T21:03:11.1234567Z"}))
@example(line_of({**BET, "bet": "b.1234567"}))
@example(line_of({**BET, "bet": "b.1234567", "at": "2026-11-29T21:03:11.1234567Z"}))
@example(line_of(BET).replace(b'"at": ', b'"at": "2026-11-29T21:03:11.1234567Z", "at": '))
@example(line_of(BET).replace(b'"round": ', b'"at" : "2026-11-29T21:03:11.1234567Z", "round": '))
@example(json.dumps({**BET, "bet": "a\x7fb"}).encode())
@example(line_of({**BET, "bet": "DEL"}).replace(b"DEL", b"a\x7fb"))
def test_both_ways_of_reading_accept_the_same_lines(line):
    assert_read_alike(line)


@settings(max_examples=400)
@given(mutated())
def test_a_refusal_is_one_short_line_that_names_the_place(line):
    try:
        decode(line)
        return
    except Refusal as refused:
        field, reason, shown = refused.field, refused.reason, str(refused)

    assert shown.isprintable()
    assert len(shown) < 400
    assert shown == (f"{field}: {reason}" if field else reason)
    assert field or "JSON" in reason or "object" in reason


@given(odd_times)
def test_a_time_is_read_alike_or_refused_alike(at):
    assert_read_alike(line_of({**BET, "at": at}))


@pytest.mark.parametrize(
    ("at", "offset"),
    [
        ("2026-11-29T21:03:11Z", timedelta(0)),
        ("2026-11-29t21:03:11z", timedelta(0)),
        ("2026-11-29T21:03:11.25+02:00", timedelta(hours=2)),
        ("2100-01-01T01:00:00+02:00", timedelta(hours=2)),
        ("2000-01-01T00:00:00Z", timedelta(0)),
    ],
)
def test_times_of_rfc_3339_are_accepted(at, offset):
    assert decode(line_of({**BET, "at": at})).at.utcoffset() == offset


@pytest.mark.parametrize(
    "at",
    [
        "2026-11-29T21:03:11",
        "2026-11-29T21:03:60Z",
        "2026-11-29T21:03:11.1234567Z",
        "2026-11-29T21:03:11+05:75",
        "1764450191",
        1764450191,
        "2026-11-29",
        "1999-12-31T23:59:59Z",
        "2100-01-01T00:00:00Z",
    ],
)
def test_other_times_are_refused_by_the_name_of_their_field(at):
    assert refusal(line_of({**BET, "at": at})).field == "at"


# Refusals


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"amount": 0}, "amount"),
        ({"amount": -5}, "amount"),
        ({"amount": 5.0}, "amount"),
        ({"amount": "5"}, "amount"),
        ({"amount": True}, "amount"),
        ({"amount": 10**30}, "amount"),
        ({"seat": 100}, "seat"),
        ({"seq": 0}, "seq"),
        ({"round": 0}, "round"),
        ({"pick": []}, "pick"),
        ({"pick": [1.5]}, "pick"),
        ({"pick": {"a": 1}}, "pick"),
        ({"pick": "a b"}, "pick"),
        ({"v": 2}, "v"),
        ({"v": True}, "v"),
        ({"v": 1.0}, "v"),
        ({"type": "bet_laid"}, "type"),
        ({"type": None}, "type"),
        ({"session": "a\nb"}, "session"),
        ({"session": ""}, "session"),
        ({"session": "s" * 65}, "session"),
        ({"stake": 5}, "stake"),
        ({"all_in": 1}, "all_in"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_field(change, field):
    assert refusal(line_of({**BET, **change})).field == field


@pytest.mark.parametrize("name", [name for name in BET if name not in {"v", "round"}])
def test_a_missing_field_is_refused_by_its_name(name):
    assert refusal(line_of({key: value for key, value in BET.items() if key != name})).field == name


OPENED: Final = {
    **BET,
    "type": "table_opened",
    "casino": "C",
    "pit": "P",
    "game": "boule",
    "rules": "AD",
    "currency": "EUR",
}
for name in ("bet", "seat", "wager", "amount"):
    del OPENED[name]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"options": {"a": None}}, "options.a"),
        ({"options": {"a": {"b": {}}}}, "options.a"),
        ({"options": {"a": [[]]}}, "options.a"),
        ({"options": {"a": 10**40}}, "options.a"),
        ({"options": []}, "options"),
        ({"limits": {"min": -1}}, "limits.min"),
        ({"limits": {"tie": {"least": 5}}}, "limits.tie"),
        ({"gaming_day": "2026-13-01"}, "gaming_day"),
        ({"gaming_day": "20\u0662\u0666-12-01"}, "gaming_day"),
        ({"decks": 0}, "decks"),
    ],
)
def test_a_wrong_set_up_is_refused_by_the_name_of_its_field(change, field):
    assert decode(line_of(OPENED)).type == "table_opened"
    assert refusal(line_of({**OPENED, **change})).field == field


@pytest.mark.parametrize("value", [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999"])
def test_a_number_that_is_none_is_refused(value):
    assert refusal(line_of({**OPENED, "options": {"a": 12345}}).replace(b"12345", value)).field == "options.a"


def test_a_name_of_a_field_is_shown_without_what_could_steer_a_terminal():
    refused = refusal(line_of({**BET, "evil\n\x1b[2J\u202e\u2028": 1}))

    assert str(refused).isprintable()


def test_a_long_name_of_a_field_is_cut():
    assert len(str(refusal(line_of({**BET, "x" * 50_000: 1})))) < 200


def test_an_event_may_have_sixty_four_kibibytes_and_no_more():
    line = line_of(BET)
    longest = line + b" " * (MAX_EVENT_BYTES - len(line))

    assert decode(longest).bet == "b17"
    assert "65,536" in refusal(longest + b" ").reason
    assert "65,536" in refusal(b"\xff" * 10**6).reason


@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("before", ['{"a":', '{"type":"bet_placed","a":', '{"type":"bet_placed","pick":', ""])
def test_a_nested_bomb_is_refused(before, brackets):
    deep = 9_000
    line = (before + brackets[0] * deep + "1" + brackets[1] * deep + ',"type":"bet_placed"}').encode()

    assert refusal(line).reason


@pytest.mark.parametrize(
    "line",
    [b"", b" ", b"null", b"[]", b"1", b'"bet"', b"{", b"\xff\xfe", b"{}{}", b'{"type":"\xe9"}', b'{"type":"\\ud800"}'],
)
def test_what_is_no_object_is_refused(line):
    assert refusal(line).reason


def test_fields_of_a_scenario_are_read_by_the_same_models():
    at = decode(line_of(BET)).at

    assert from_fields({**BET, "at": at}).amount == 1000
    with pytest.raises(Refusal, match=r"^amount: "):
        from_fields({**BET, "at": at, "amount": "1000"})


# The two forms of the contract


def test_the_fast_way_reads_nothing_that_has_another_name_on_the_wire():
    assert [name for name in HOT for info in MODELS[name].model_fields.values() if info.alias] == []


@given(events(HOT))
def test_the_fast_way_reads_all_that_makes_up_most_of_a_log(fields):
    line = msgspec.json.encode(fields)
    event = decode(line)

    for_the_models = "v" not in fields or event.at.year in (2000, 2099) or re.search(rb"\.[0-9]{7}", line)
    assert isinstance(event, msgspec.Struct) or for_the_models


@cache
def published() -> Any:
    """What validates by the published schema; the test is skipped where nothing can."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@given(events() | mutated().filter(lambda line: outcome(decode, line) is not None).map(json.loads))
def test_the_published_schema_validates_what_is_accepted(fields):
    assert list(published().iter_errors(fields)) == []


@pytest.mark.parametrize(
    "change", [{"amount": 0}, {"stake": 1}, {"v": 2}, {"at": "2026-11-29T21:03:11"}, {"type": "x"}, {"seat": "3"}]
)
def test_the_published_schema_refuses_what_is_refused(change):
    assert list(published().iter_errors({**BET, **change})) != []
