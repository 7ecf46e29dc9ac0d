"""Records for tests: one plain example of each kind, and Hypothesis strategies for what contracts allow."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from hypothesis import strategies as st

from replay.results import (
    Cage,
    Finding,
    Kind,
    RawEvent,
    Rejected,
    Round,
    Row,
    SessionSummary,
    Settlement,
    Severity,
    Streak,
    Verdict,
)

DAY = "2026-11-29"
SESSION = f"CR01-{DAY}"
AT_US = 1_764_450_191_250_000
INT64 = st.one_of(st.integers(-(1 << 63), (1 << 63) - 1), st.sampled_from([-(1 << 63), (1 << 63) - 1, 0, -1]))
UINT32 = st.one_of(st.integers(0, (1 << 32) - 1), st.sampled_from([0, (1 << 32) - 1]))
DAYS = st.sampled_from(["", "1970-01-02", "2026-11-29", "2105-12-31"])
"""The first and the last gaming day, one between, or none that is known; few, for each is a partition on disk."""
TEXTS = st.one_of(
    st.text(max_size=40),
    # What Python makes of a file name that is not UTF-8.
    st.binary(max_size=8).map(lambda name: name.decode("utf-8", "surrogateescape")),
    st.sampled_from(["", "'", "\\", "\\'", "{s:String}", "%(s)s", "\0", "\t\n\r", "NULL", "\\N", "é🂡", "'; DROP"]),
)
"""Text as it may come: empty, quoted, escaped, of any script."""

PLAIN: Final[dict[type[Row], dict[str, Any]]] = {
    RawEvent: {
        "device": "CR01-bets",
        "type": "bet_placed",
        "raw": b'{"v":1}',
        "digest": sha256(b'{"v":1}').hexdigest(),
    },
    SessionSummary: {"state": "closed", "float_open": 50_000_00},
    Round: {"opened_seq": 2, "closed_seq": 9, "outcome": "3-4", "sealed": True, "verifiable": True},
    Settlement: {"bet": "b17", "wager": "pass_line", "verdict": Verdict.MATCH, "seqs": (3, 7, 8), "seat": 3},
    Finding: {
        "code": "overpaid",
        "subject": "b17",
        "kind": Kind.MONEY,
        "severity": Severity.SEVERE,
        "seqs": (3, 8),
        "seat": 3,
        "text": "Seat 3 was paid 20.00 on a pass line bet of 10.00; 10.00 was due.",
    },
    Cage: {"movement": "fill", "amount": 10_000_00},
    Streak: {
        "process": "dice 2",
        "code": "dice_biased",
        "log10_wealth_milli": 3_117,
        "state": "running",
        "observations": 250,
    },
    Rejected: {"source": "night.jsonl", "place": 17, "field": "amount", "reason": "not a number", "raw": b"\xff\x00\n"},
}
"""What tells a plain record of each kind from the defaults below."""

_DEFAULTS: Final[dict[str, Any]] = {"session": SESSION, "gaming_day": DAY, "table": "CR01", "game": "craps"}
_BY_TYPE: Final[dict[str, Any]] = {"str": "", "int": 0, "bool": False, "bytes": b"", "int | None": None}
_STRATEGIES: Final[dict[str, st.SearchStrategy[Any]]] = {
    "str": TEXTS,
    "int": INT64,
    "bool": st.booleans(),
    "bytes": st.binary(max_size=300),
    "int | None": st.none() | INT64,
    "tuple[int, ...]": st.lists(UINT32, max_size=6).map(tuple),
    "Verdict": st.sampled_from(Verdict),
    "Kind": st.sampled_from(Kind),
    "Severity": st.sampled_from(Severity),
}
RECORDS: Final = tuple(PLAIN)


def row(record: type[Any], **changes: Any) -> Any:
    """A plain ``record``, with ``changes``."""
    values: dict[str, Any] = {}
    for name in record.__struct_fields__:
        values[name] = _DEFAULTS.get(name, _BY_TYPE.get(record.__annotations__[name]))
        if name.endswith("at_us"):
            values[name] = AT_US
    return record(**{**values, **PLAIN[record], **changes})


def rows_of(record: type[Any], counts: frozenset[str]) -> st.SearchStrategy[Any]:
    """Any ``record`` that its table can hold; ``counts`` are its columns of 32 bits."""
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for name in record.__struct_fields__:
        fields[name] = UINT32 if name in counts else _STRATEGIES[record.__annotations__[name]]
    fields |= {
        name: made
        for name, made in {"gaming_day": DAYS, "seat": st.none() | st.integers(0, 99)}.items()
        if name in fields
    }
    return st.builds(record, **fields)
