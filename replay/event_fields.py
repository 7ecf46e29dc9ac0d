"""What the fields of events may hold, and the envelope that all of them bear: the words of `replay.events`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

MAX_AMOUNT_MINOR: Final = 10**15
"""Ten trillion in a currency of two decimals: products with any price stay far inside 64 bits."""
MAX_ROUNDS: Final = 10**9
EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2100, 1, 1, tzinfo=UTC)


def _real_day(text: str) -> str:
    date.fromisoformat(text)  # a ValueError names the day that there is not
    return text


Identifier = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[ !#-\[\]-~]+$")]
"""A token of 1 to 64 printable ASCII characters without quote and backslash: sessions, tables, bets, pseudonyms."""
Word = Annotated[str, StringConstraints(min_length=1, max_length=32, pattern=r"^[ !#-\[\]-~]+$")]
"""A name of the vocabulary: wagers, choices, reasons. Which names mean something, the rule pack says."""
Amount = Annotated[int, Field(ge=0, le=MAX_AMOUNT_MINOR)]
Stake = Annotated[int, Field(ge=1, le=MAX_AMOUNT_MINOR)]
Seat = Annotated[int, Field(ge=0, le=99)]
"""A place at the table; 0 is the dealer where the house holds a hand of its own, or the banker."""
HandNumber = Annotated[int, Field(ge=1, le=99)]
Number = Annotated[int, Field(ge=1, le=10**9)]
"""The ``seq`` of an event."""
Reason = Annotated[str, StringConstraints(min_length=1, max_length=120, pattern=r"^[ !#-\[\]-~]+$")]
"""Why something was done, in a word or a few: 1 to 120 printable ASCII characters without quote and backslash."""
CARD_CODES: Final = tuple(
    dict.fromkeys(
        [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
        + [rank + suit for suit in "OCEB" for rank in "1234567SCR"]
        + ["XX", "??"]
    )
)
"""French cards, Spanish cards (2C to 7C are in both: clubs, copes), the joker, a card that nobody could read."""
if TYPE_CHECKING:
    Card = str
else:
    Card = Literal[CARD_CODES]
"""Rank and suit: French (``7H``, ``TS``), Spanish (``RO``, ``7B``), ``XX`` the joker, ``??`` unreadable."""
Tile = Annotated[int, Field(ge=1, le=9)] | Literal["W"]
Face = Annotated[int, Field(ge=0, le=9)]
"""A die as reported: only 1 to 6 are faces; anything else means that it could not be read."""
Pick = (
    Annotated[int, Field(ge=-999, le=999)]
    | Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_?]{1,16}$")]
    | Annotated[list[Annotated[int, Field(ge=0, le=99)]], Field(min_length=1, max_length=16)]
)
OptionScalar = (
    bool
    | Annotated[int, Field(ge=-MAX_AMOUNT_MINOR, le=MAX_AMOUNT_MINOR)]
    | Annotated[Decimal, Field(ge=-1000, le=1000, max_digits=9)]
    | Annotated[str, StringConstraints(max_length=64)]
)
OptionValue = (
    OptionScalar
    | Annotated[dict[Word, OptionScalar], Field(max_length=64)]
    | Annotated[list[OptionScalar], Field(max_length=64)]
)
GamingDay = Annotated[str, StringConstraints(pattern=r"^20[0-9]{2}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_real_day)]
LimitValue = Amount | Annotated[dict[Literal["min", "max"], Amount], Field(max_length=2)]

_TIME: Final = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:?[0-5][0-9])$"
)


def _read_time(value: object) -> object:
    """Pydantic itself reads more than RFC 3339: seconds since 1970, commas, a time without seconds, digits cut off."""
    if not isinstance(value, str):
        return value
    if not _MATCHES_TIME(value):
        raise PydanticCustomError("time", "a date and time of RFC 3339 with an offset, microseconds at most")
    try:
        return datetime.fromisoformat(value.upper())
    except ValueError as error:
        raise PydanticCustomError("time", "no such time: {reason}", {"reason": str(error)}) from None


def _only_int(value: object) -> object:
    """A literal 1 is neither true nor 1.0."""
    if type(value) is not int:
        raise PydanticCustomError("literal_error", "not a whole number")
    return value


_MATCHES_TIME: Final = re.compile(_TIME).fullmatch
Time = Annotated[
    AwareDatetime,
    Field(ge=EARLIEST, lt=LATEST),
    BeforeValidator(_read_time),
    WithJsonSchema({"type": "string", "format": "date-time", "pattern": _TIME}),
]
"""RFC 3339; that a space may stand for the T, and an offset may lack its colon, is all the liberty taken."""


class Envelope(BaseModel):
    """What every event says of itself."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    v: Annotated[Literal[1], BeforeValidator(_only_int)] = 1
    session: Identifier
    """The table's gaming day, ``CR01-2026-11-29``."""
    seq: Number
    """Counts the events of a session from 1 without holes, across all of the table's devices."""
    at: Time
    """RFC 3339 with an offset, microseconds at most."""
    table: Identifier
    device: Identifier
    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] | None = None
    """The round that the event belongs to; may be missing between rounds."""
