"""The topics: what they are called, and which event goes where.

The four topics that tables write to have the same number of partitions and are keyed by table, so that all events of a
table lie in partitions of one number. The registry of sessions has as many, and what it says of the sessions of a
partition lies in its own partition of that number: so it is read in the order in which it was written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from replay.events import OF_CHIPS

CARDS: Final = "retally.cards"
"""Cards, tiles, shoes."""
DICE: Final = "retally.dice"
"""Dice, and the ball."""
BETS: Final = "retally.bets"
"""Bets, decisions, settlements, rake."""
TABLES: Final = "retally.tables"
"""Tables opened and closed, rounds, the cage, checkpoints."""
IN: Final = (CARDS, DICE, BETS, TABLES)
"""What is read. A record's value is one or more event lines, joined by line feeds."""

SETTLEMENTS: Final = "retally.settlements"
FINDINGS: Final = "retally.findings"
REJECTED: Final = "retally.rejected"
OUT: Final = (SETTLEMENTS, FINDINGS, REJECTED)
"""What is told, at least once: a record's value is one or more results of a table as JSON, joined by line feeds."""

SESSIONS: Final = "retally.sessions"
"""The registry of sessions (compacted), see `streams.live.registry`."""

_TOPIC_OF: Final = {
    **dict.fromkeys(("card_dealt", "card_revealed", "tile_dealt", "shoe_loaded", "cut_card"), CARDS),
    **dict.fromkeys(("dice_rolled", "dice_changed", "ball_landed"), DICE),
    **dict.fromkeys(
        (
            "bet_placed",
            "bet_raised",
            "bet_withdrawn",
            "bets_closed",
            "decision",
            "bet_settled",
            "rake_taken",
            "commission_taken",
        ),
        BETS,
    ),
    **dict.fromkeys(
        (
            "table_opened",
            "table_closing",
            "table_closed",
            "dealer_on",
            "round_opened",
            "round_closed",
            "fill",
            "credit",
            "drop_counted",
            "limits_changed",
            "round_voided",
            "goodwill_paid",
            "event_corrected",
            "checkpoint",
            *OF_CHIPS,
        ),
        TABLES,
    ),
}


def topic_of(event_type: str) -> str:
    """The topic that events of this type are published on.

    Raises:
        ValueError: there is no such type of event.
    """
    try:
        return _TOPIC_OF[event_type]
    except KeyError:
        raise ValueError(f"{event_type!r} is no type of event") from None


class _Envelope(msgspec.Struct):
    device: str = ""
    table: str = ""


_read: Final[Callable[[bytes], _Envelope]] = msgspec.json.Decoder(_Envelope).decode


def device_of(record: bytes) -> tuple[str, str]:
    """The device and the table that a record's first line names; empty where it cannot be read."""
    try:
        found = _read(record.partition(b"\n")[0])
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return "", ""
    return found.device, found.table
