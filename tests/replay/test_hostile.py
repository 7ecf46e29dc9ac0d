"""A hundred thousand hostile lines: each is rejected with its place, and the valid rest is audited all the same."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

from replay import audit
from replay.audit import Auditor
from replay.events import MAX_EVENT_BYTES, Refusal, decode
from replay.results import Finding, Rejected, Row, Settlement
from tests.installed import judged
from tests.replay import logs

LINES: Final = 100_000
WRONG_VALUES: Final[tuple[Any, ...]] = (
    *(
        None,
        True,
        False,
        -1,
        0,
        10**15 + 1,
        10**19,
        10**400,
        5.0,
        1e300,
        -0.0,
        "",
        "5",
        "7",
        "x" * 65,
        "\n",
        "\x7f",
        "é",
    ),
    *(
        "\u2028",
        "\u202e",
        "a\\b",
        '"',
        [],
        [[]],
        {},
        {"a": {}},
        [None],
        "XX1",
        "1O",
        "ZZ",
        "10S",
        "??",
        "2026-13-45T99:99:99Z",
    ),
    *("2026-11-29T21:03:11", "NaN", "'; DROP TABLE events; --", "<script>", "\x1b[2J", "../../etc/passwd", "=1+1"),
)
UNKNOWN_FIELDS: Final = (
    "stake",
    "Amount",
    "amount ",
    "__proto__",
    "$ref",
    "",
    "a\nb",
    "\x1b[31m",
    "x" * 500,
    "type\x00",
)


def nested(chance: random.Random, _: bytes) -> bytes:
    """A bomb of brackets, in one of the places where it may explode."""
    deep = chance.choice([150, 300, 5_000, 15_000])
    bomb = chance.choice(["[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep, "[" * deep])
    return (
        chance.choice(['{"a":%s,"type":"bet_placed"}', '{"type":"bet_placed","pick":%s}', "%s"])
        .replace("%s", bomb)
        .encode()
    )


def cut(chance: random.Random, line: bytes) -> bytes:
    return line[: chance.randrange(len(line))]


def noise(chance: random.Random, line: bytes) -> bytes:
    at = chance.randrange(len(line))
    return line[:at] + chance.randbytes(chance.randint(1, 4)) + line[at + chance.randint(0, 4) :]


def other_value(chance: random.Random, line: bytes) -> bytes:
    event = json.loads(line)
    event[chance.choice(list(event))] = chance.choice(WRONG_VALUES)
    return json.dumps(event, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def unknown_field(chance: random.Random, line: bytes) -> bytes:
    return json.dumps(json.loads(line) | {chance.choice(UNKNOWN_FIELDS): chance.choice(WRONG_VALUES)}).encode()


def missing_field(chance: random.Random, line: bytes) -> bytes:
    event = json.loads(line)
    for name in chance.sample(list(event), chance.randint(1, 3)):
        del event[name]
    return json.dumps(event).encode()


def negative(chance: random.Random, line: bytes) -> bytes:
    return logs.altered(line, amount=-chance.randint(1, 10**9))


def no_card(chance: random.Random, line: bytes) -> bytes:
    event = json.loads(line)
    envelope = {key: event[key] for key in ("v", "session", "seq", "at", "table", "device")}
    card = chance.choice(["1S", "7X", "TT", "hearts", "", "7h", "10H", 7, "QQ"])
    return json.dumps(envelope | {"type": "card_dealt", "card": card, "to": "dealer"}).encode()


def not_text(chance: random.Random, line: bytes) -> bytes:
    return chance.choice(
        [chance.randbytes(40), line.decode().encode("utf-16"), b"\xff" + line, line.replace(b"e", b"\xe9")]
    )


def oversize(chance: random.Random, line: bytes) -> bytes:
    return line[:-1] + b" " * MAX_EVENT_BYTES + b"}"


def other_json(chance: random.Random, _: bytes) -> bytes:
    return chance.choice(
        [b"", b" ", b"null", b"1", b"[]", b"{}", b'"bet_placed"', b"NaN", b"{}{}", b"true", b'{"type":{}}']
    )


MUTATIONS: Final[list[tuple[int, Callable[[random.Random, bytes], bytes]]]] = [
    (15, cut),
    (15, noise),
    (25, other_value),
    (12, unknown_field),
    (12, missing_field),
    (6, negative),
    (6, no_card),
    (5, not_text),
    (3, other_json),
    (1, nested),
    (1, oversize),
]


def hostile(seed: int, valid: list[bytes], count: int) -> list[bytes]:
    """Lines that are no events of the contract: what stays one by chance is left out."""
    chance = random.Random(seed)
    ways = [way for weight, way in MUTATIONS for _ in range(weight)]
    lines: list[bytes] = []
    while len(lines) < count:
        line = chance.choice(ways)(chance, chance.choice(valid))
        try:
            decode(line)
        except Refusal:
            lines.append(line)
    return lines


def held_by(auditor: Auditor) -> list[dict[int, Any]]:
    """What each session that has not been put away waits with."""
    return [track.held for track in auditor._tracks.values() if isinstance(track, audit._Track)]


def audited(lines: list[tuple[bytes, bool]]) -> tuple[list[Row], Auditor]:
    auditor = Auditor(judged(keys=logs.KEYS))
    rows: list[Row] = []
    for place, (line, _) in enumerate(lines, 1):
        auditor.feed(line, "hostile.jsonl", place)
        if place % 5000 == 0:
            rows += auditor.drain()
            assert sum(map(len, held_by(auditor))) <= audit.MAX_HELD_EVENTS
    return rows + auditor.finish(), auditor


def test_a_hundred_thousand_hostile_lines_are_rejected_one_by_one_and_the_rest_is_audited_as_before():
    valid = [logs.sample(seed, 60, session=f"BO0{seed}-2026-11-29") for seed in (1, 2, 3)]
    chance = random.Random(7)
    clean = logs.interleaved(chance, [log.lines for log in valid])
    bad = hostile(42, clean, LINES)
    mixed: list[tuple[bytes, bool]] = []
    for place, line in enumerate(clean):
        mixed += [(each, False) for each in bad[place * LINES // len(clean) : (place + 1) * LINES // len(clean)]]
        mixed.append((line, True))

    rows, auditor = audited(mixed)
    rejected = [row for row in rows if isinstance(row, Rejected)]

    assert auditor.late() == {}
    assert auditor.session_count() == len(valid)
    assert [(row.source, row.place, row.raw) for row in rejected] == [
        ("hostile.jsonl", place, line) for place, (line, good) in enumerate(mixed, 1) if not good
    ]
    for row in rejected:
        assert row.reason and row.reason.isprintable() and len(row.reason) <= 200
        assert row.field.isprintable() and len(row.field) <= 100
        assert row.field or "JSON" in row.reason or "object" in row.reason or "bytes" in row.reason, row
    assert by_session(rows) == by_session(audited([(line, True) for line in clean])[0])


def by_session(rows: list[Row]) -> dict[str, list[Row]]:
    """What is said of each session, in order."""
    said: dict[str, list[Row]] = {}
    for row in rows:
        if not isinstance(row, Rejected):
            said.setdefault(row.session, []).append(row)
    return said


def test_the_valid_rest_of_that_log_is_worth_comparing():
    rows, _ = audited([(line, True) for line in logs.sample(1, 60, session="BO01-2026-11-29").lines])

    assert sum(isinstance(row, Settlement) for row in rows) > 100
    assert sum(isinstance(row, Finding) for row in rows) > 20


def test_valid_events_of_hostile_contents_are_audited_without_an_exception():
    """They obey the contract and nothing else: odd set-ups, wagers, claims, rounds and times in any order."""
    for seed in range(300):
        chance = random.Random(seed)
        lines = [odd_event(chance, seq) for seq in range(1, 60)]
        rows, _ = audited([(line, True) for line in lines])

        assert sum(isinstance(row, Rejected) for row in rows) == 0


def odd_event(chance: random.Random, seq: int) -> bytes:
    """A valid event that makes little sense where it stands."""
    pick = chance.choice([None, 0, 5, 9, -3, "a", "5", [1, 2], [5]])
    bet, amount = chance.choice("abcdef"), chance.choice([1, 100, 300, 10**15])
    money = {"paid": chance.choice([0, 100, 10**15]), "returned": chance.choice([0, 300])}
    stake = {"bet": bet, "seat": chance.randint(0, 9), "wager": chance.choice(["red", "straight_up", "tie", "5"])}
    kinds: list[tuple[str, dict[str, Any]]] = [
        ("bet_placed", {**stake, "amount": amount, "pick": pick, "of": chance.choice([None, "a"])}),
        ("bet_raised", {"bet": bet, "by": amount}),
        ("bet_withdrawn", {"bet": bet} | ({"amount": amount} if chance.random() < 0.5 else {})),
        ("bets_closed", {}),
        ("ball_landed", {"number": chance.choice([0, 1, 5, 9, 42, 99])}),
        ("bet_settled", {"bet": bet, **money}),
        ("round_closed", {}),
        ("round_opened", {}),
        ("dice_rolled", {"dice": [0, 9]}),
        ("card_dealt", {"card": "7H", "seat": 3}),
        ("shoe_loaded", {"decks": 6}),
        ("cut_card", {}),
        ("table_closing", {"last": 3}),
        ("rake_taken", {"amount": amount}),
        ("decision", {"seat": 1, "choice": "hit"}),
        ("fill", {"amount": amount}),
        ("dealer_on", {"dealer": "d"}),
        ("table_closed", {"float": 5}),
        ("drop_counted", {"amount": 5}),
        ("checkpoint", {"chain": "0" * 64, "key": "k", "signature": "0" * 128}),
    ]  # fmt: skip
    kind, fields = kinds[min(int(chance.expovariate(0.2)), len(kinds) - 1)]
    if seq == 1 and chance.random() < 0.95:
        limits = chance.choice(
            [{}, {"min": 200, "max": 5000}, {"max": 1}, {"straight_up": {"min": 9}}, {"red": {"max": 3}}]
        )
        house = {
            "casino": "C",
            "pit": "P",
            "game": "boule",
            "rules": chance.choice(["AD", "AD-2025"]),
            "currency": "EUR",
        }
        odd = {"chip_unit": chance.choice([1, 7, 10**15]), "rounding": chance.choice(["up", "nearest", "down"])}
        kind, fields = "table_opened", {**house, **odd, "limits": limits, "settlement_claims": chance.random() < 0.8}
    at = f"20{chance.choice([26, 26, 26, 10])}-11-29T21:{chance.randint(0, 59):02d}:00Z"
    envelope = {
        "v": 1,
        "session": "S",
        "seq": seq,
        "at": at,
        "table": "T" if chance.random() < 0.98 else "U",
        "device": "d",
    }
    if chance.random() < 0.3:
        envelope["round"] = chance.choice([1, 1, 2, 3, 10**9])
    return json.dumps(envelope | {"type": kind} | fields).encode()
