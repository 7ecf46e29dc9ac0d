"""Lines between good and bad, drawn by a seed, and what an independent reader of JSON says of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from replay.audit import Auditor
from replay.events import MODELS, Refusal, decode, decode_by_model
from replay.line import read
from replay.refold import Refold, fold
from replay.results import Rejected, SessionSummary
from replay.revisions import identity, taken_back
from tests.installed import judged
from tests.replay import logs
from tests.replay.test_hostile import MUTATIONS

OTHER_VALUES: Final = (
    *("NaN", "-Infinity", "Infinity", "null", "true", "false", "0", "1", "500", "-0", "1.0", "1e3", "10e400", "9" * 30),
    *('""', '"a"', '"a:b"', '":"', '"\\u0061"', '"\\ud800"', '"AA"', "[]", "{}", '{"a":1,"a":2}', '{"a":NaN}', "[NaN]"),
    *('"2026-11-29T21:03:11Z"', '"2026-11-29T21:03:11+02:00"', '"BO01-2026-11-29"', '"bet_placed"', '"checkpoint"'),
)


def _pairs(line: bytes) -> list[tuple[bytes, bytes]]:
    """The keys and values of a flat, compact object, as they are written."""
    return [
        (json.dumps(key).encode(), json.dumps(value, separators=(",", ":")).encode())
        for key, value in json.loads(line).items()
    ]


def _written(pairs: list[tuple[bytes, bytes]], comma: bytes = b",", colon: bytes = b":") -> bytes:
    return b"{" + comma.join(key + colon + value for key, value in pairs) + b"}"


def twice(chance: random.Random, line: bytes) -> bytes:
    """A key stands there twice: with the same value or another, before or after, in other letters, spaced."""
    pairs = _pairs(line)
    key, value = chance.choice(pairs)
    other = chance.choice([value, chance.choice(OTHER_VALUES).encode(), chance.choice(pairs)[1]])
    if chance.random() < 0.2:
        key = b'"\\u%04x' % key[1] + key[2:]
    pairs.insert(chance.randint(0, len(pairs)), (key, other))
    if chance.random() < 0.3:  # what is left out must not hide what stands there twice
        pairs.remove(chance.choice([pair for pair in pairs if pair[0] != key]))
    spaces = chance.choice([b"", b"", b" ", b"\t", b" \r"])
    return _written(pairs, colon=spaces + b":" + chance.choice([b"", spaces]))


def odd_value(chance: random.Random, line: bytes) -> bytes:
    pairs = _pairs(line)
    place = chance.randrange(len(pairs))
    pairs[place] = (pairs[place][0], chance.choice(OTHER_VALUES).encode())
    return _written(pairs)


def spelt_out(chance: random.Random, line: bytes) -> bytes:
    """Optional fields with the values that they have without being there; colons in names; an offset."""
    event = json.loads(line)
    for name, info in MODELS[event["type"]].model_fields.items():
        if not info.is_required() and name not in event and chance.random() < 0.5 and not info.alias:
            event[name] = info.default
    if chance.random() < 0.3:
        event["device"] = chance.choice(["a:b", ":", "::a", 'a":', "\u00e9", "a\\b", "x:y:z"])
    if chance.random() < 0.3:
        event["at"] = event["at"].replace("Z", chance.choice(["+00:00", "-01:30", "z", "+0200"]))
    items = list(event.items())
    chance.shuffle(items)
    return json.dumps(dict(items), separators=chance.choice([(",", ":"), (", ", ": "), (" ,", " : ")])).encode()


def other_case(chance: random.Random, line: bytes) -> bytes:
    """A letter in capitals, or small: in a digest, a key's name, a time."""
    letters = [place for place, byte in enumerate(line) if bytes([byte]).isalpha()]
    place = chance.choice(letters)
    return line[:place] + line[place : place + 1].swapcase() + line[place + 1 :]


def one_bit(chance: random.Random, line: bytes) -> bytes:
    place = chance.randrange(len(line))
    return line[:place] + bytes([line[place] ^ 1 << chance.randrange(8)]) + line[place + 1 :]


def margin(chance: random.Random, line: bytes) -> bytes:
    return chance.choice([line + b" ", b" " + line, line + b"\r", b"\t" + line, line + b"\n", b"\xef\xbb\xbf" + line])


def as_it_is(_: random.Random, line: bytes) -> bytes:
    return line


_NEW: Final[list[tuple[int, Callable[[random.Random, bytes], bytes]]]] = [
    (30, twice),
    (20, odd_value),
    (25, spelt_out),
    (15, other_case),
    (15, one_bit),
    (3, margin),
    (15, as_it_is),
]


def lines(seed: int, count: int) -> Iterator[bytes]:
    """So many lines."""
    chance = random.Random(seed)
    valid = [
        line for number in range(1, 5) for line in logs.sample(number, 40, session=f"BO0{number}-2026-11-29").lines
    ]
    valid += [json.dumps(event, separators=(",", ":")).encode() for event in _OTHER_KINDS]
    ways = [way for weight, way in (*_NEW, *MUTATIONS) for _ in range(weight)]
    for _ in range(count):
        yield chance.choice(ways)(chance, chance.choice(valid))


_ENVELOPE: Final[dict[str, Any]] = {
    "v": 1,
    "session": "BO09-2026-11-29",
    "at": "2026-11-29T21:03:11.25Z",
    "table": "BO09",
    "device": "d",
}
_OF_CHIPS: Final = ("cash_in", "cash_out", "marker_issued", "marker_paid", "chips_exchanged", "promo_taken")
_PUT_RIGHT: Final = {"corrects": 3, "reason": "misread", "by": "p"}
_KINDS: Final[list[tuple[str, dict[str, Any]]]] = [
    (
        "table_opened",
        {"casino": "C", "pit": "P", "game": "boule", "rules": "AD", "currency": "EUR", "float": 5},
    ),
    ("card_dealt", {"card": "7H", "seat": 3, "hand": 1, "up": True, "exposed": True, "void": "x", "by": "y"}),
    ("card_dealt", {"card": "XX", "to": "burn", "round": 7}),
    ("card_revealed", {"card": "7H"}),
    ("tile_dealt", {"tile": "W", "seat": 0}),
    ("dice_rolled", {"dice": [1, 6], "seat": 2}),
    ("decision", {"seat": 1, "choice": "hit", "hand": 2, "cards": ["7H", "TS"], "amount": 0, "all_in": True}),
    (
        "bet_placed",
        {"bet": "b", "seat": 0, "wager": "w", "amount": 1, "pick": [1, 2], "of": "a", "player": "p"},
    ),
    ("bet_withdrawn", {"bet": "b", "amount": 5}),
    ("bet_raised", {"bet": "b", "by": 5}),
    ("rake_taken", {"amount": 5, "seat": 0}),
    ("ball_landed", {"number": 37, "void": "out"}),
    ("bet_settled", {"bet": "b", "paid": 0, "returned": 5, "corrects": 3, "by": "p"}),
    ("round_voided", {"reason": "a card exposed", "by": "p"}),
    ("goodwill_paid", {"amount": 5, "reason": "r", "by": "p", "bet": "b", "player": "q"}),
    ("limits_changed", {"limits": {"min": 5, "red": {"min": 1, "max": 9}}}),
    ("chips_counted", {"amount": 0, "kind": "cash"}),
    *((kind, {"amount": 5, "player": "p", "kind": "cash"}) for kind in _OF_CHIPS),
    ("event_corrected", _PUT_RIGHT | {"correct": {"type": "ball_landed", "number": 1}}),
    ("event_corrected", _PUT_RIGHT | {"correct": {"type": "limits_changed", "limits": {"min": 5}}}),
    ("event_corrected", _PUT_RIGHT | {"correct": {"type": "table_closed", "float": 5}}),
    (
        "event_corrected",
        _PUT_RIGHT | {"correct": {"type": "event_corrected"} | _PUT_RIGHT | {"correct": {"type": "fill", "amount": 1}}},
    ),
    # and what none of them may have: another field, a field of the envelope, a value out of bounds, a seal
    ("event_corrected", _PUT_RIGHT | {"correct": {"type": "ball_landed", "number": 1, "seat": 1}}),
    ("event_corrected", _PUT_RIGHT | {"correct": {"type": "ball_landed", "number": 1, "seq": 1}}),
    ("event_corrected", _PUT_RIGHT | {"correct": {"type": "ball_landed", "number": 100}}),
    (
        "event_corrected",
        _PUT_RIGHT | {"correct": {"type": "checkpoint", "chain": "0" * 64, "key": "k", "signature": "0" * 128}},
    ),
]
_OTHER_KINDS: Final = [
    _ENVELOPE | {"seq": number, "type": kind} | fields for number, (kind, fields) in enumerate(_KINDS, 1)
] * 20


class Unfit(ValueError):
    """What an independent reader refuses."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise Unfit("a key stands there twice")
    return dict(pairs)


def _no_number(text: str) -> None:
    raise Unfit(text)


def plainly(line: bytes) -> Any:
    """The line as Python's own parser reads it, without duplicate keys and NaN; raises ValueError."""
    return json.loads(line.decode(), object_pairs_hook=_object, parse_constant=_no_number)


def outcome(reader: Callable[[bytes], Any], line: bytes) -> object:
    """What a reader makes of a line: all fields with their types, or None where it refuses."""
    try:
        event = reader(line)
    except Refusal:
        return None
    values = {name: getattr(event, name) for name in MODELS[event.type].model_fields}
    at = values.pop("at")
    return [(name, type(value), value) for name, value in values.items()], at.isoformat(), at.utcoffset()


def differs(line: bytes) -> str:
    """In what the readers disagree on this line; empty where they agree."""
    fast = outcome(decode, line)
    if fast != outcome(decode_by_model, line):
        return "the fast way and the models"
    if fast is None:
        return ""
    try:
        fields = plainly(line)
    except (ValueError, RecursionError):
        return "an independent reader refuses it"
    event = decode(line)
    said = {name: getattr(event, name) for name in ("session", "seq", "type", "table", "device", "round")}
    if {name: fields.get(name) for name in said} != said:
        return "an independent reader sees another event"
    return ""


def nights(seed: int, count: int) -> Iterator[list[bytes]]:
    """So many logs of one session or two, sealed, into which lines between good and bad have got: in the place of
    events, or beside them."""
    chance = random.Random(seed)
    ways = [way for weight, way in (*_NEW, *MUTATIONS) for _ in range(weight)]
    for number in range(count):
        log: list[bytes] = []
        for table in range(chance.randint(1, 2)):
            log += logs.sample(
                chance.randrange(10**6), chance.randint(1, 6), session=f"BO0{table + 1}-night-{number}"
            ).lines
        wrong = chance.choice([0.02, 0.1, 0.4])
        found: list[bytes] = []
        for line in log:
            if chance.random() >= wrong:
                found.append(line)
                continue
            made = chance.choice(ways)(chance, line)
            found += [made] if chance.random() < 0.5 else [line, made]
        yield found


def said_of(lines: Sequence[bytes]) -> dict[tuple[Any, ...], bytes]:
    """What all lines say of each session that they have an event of: by definition, the fold of them all."""
    judging = judged(keys=logs.KEYS)
    own: dict[str, list[bytes]] = {}
    names: set[str] = set()
    for line in lines:
        session, _, event, _ = read(line)
        own.setdefault(session, []).append(line)
        if event is not None:
            names.add(session)
    rows: list[Any] = []
    for name in sorted(names):
        said, summary = fold(name, own[name], judging)
        rows += [*said, summary]
    return _last_words(rows)


def audited(lines: Sequence[bytes]) -> dict[tuple[Any, ...], bytes]:
    """What an auditor finally says who is given the lines in this order."""
    judging = judged(keys=logs.KEYS)
    auditor = Auditor(judging)
    rows: list[Any] = []
    for place, line in enumerate(lines, 1):
        auditor.feed(line, "log", place)
        if place % 50 == 0:
            rows += auditor.drain()
    rows += auditor.finish()
    if late := auditor.late():
        refold = Refold(late, judging)
        for line in lines:
            refold.feed(line)
        rows += refold.rows()
    return _last_words(rows)


def orders(chance: random.Random, lines: Sequence[bytes]) -> Iterator[list[bytes]]:
    """The lines as they are, from the last to the first, in some other order, and with copies among them."""
    yield list(lines)
    yield list(reversed(lines))
    yield chance.sample(list(lines), len(lines))
    yield chance.sample([*lines, *chance.choices(lines, k=5)], len(lines) + 5)


def _last_words(rows: Iterable[Any]) -> dict[tuple[Any, ...], bytes]:
    """The last under each identity, but for revision and copies; without what was taken back."""
    last = {identity(row): row for row in rows if not isinstance(row, Rejected)}
    return {
        key: msgspec.json.encode(
            msgspec.structs.replace(row, revision=0, **({"duplicates": 0} if isinstance(row, SessionSummary) else {}))
        )
        for key, row in last.items()
        if isinstance(row, SessionSummary) or not taken_back(row)
    }
