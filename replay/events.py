"""The event contract: what a table device may say, one JSON object a line.

Every event carries the same envelope (`Envelope`) and a ``type`` that tells what else it holds. Unknown types, unknown
fields and values out of bounds are refused with a `Refusal` that names the field; nothing is coerced (``"5"`` is no
number, ``1`` is no truth value). Amounts are integers of the currency's minor unit (EUR 10.00 = 1000).

`json_schema` is what a device maker codes against; `decode` is what retally itself uses.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

import msgspec
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from replay import fast, strict
from replay.errors import RetallyError

MAX_EVENT_BYTES: Final = 64 * 1024
TOO_LONG: Final = f"the event has {{:,}} bytes; {MAX_EVENT_BYTES:,} are the most"
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
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?([Zz]|[+-][0-9]{2}:?[0-9]{2})$"
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
    seq: Annotated[int, Field(ge=1, le=10**9)]
    """Counts the events of a session from 1 without holes, across all of the table's devices."""
    at: Time
    """RFC 3339 with an offset, microseconds at most."""
    table: Identifier
    device: Identifier
    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] | None = None
    """The round that the event belongs to; may be missing between rounds."""


class TableOpened(Envelope):
    """The gaming day of a table begins (seq 1): what is played, under which rules, with what in the tray."""

    type: Literal["table_opened"]
    casino: Identifier
    pit: Identifier
    game: Word
    rules: Identifier
    """A rule pack (``AD-2025``) or a jurisdiction (``AD``: the pack in force at the event's time)."""
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]
    chip_unit: Stake = 1
    """Smallest chip: payouts are multiples of it."""
    rounding: Literal["down", "nearest", "up"] = "down"
    limits: Annotated[dict[Word, LimitValue], Field(max_length=64)] = {}
    options: Annotated[dict[Word, OptionValue], Field(max_length=64)] = {}
    decks: Annotated[int, Field(ge=1, le=16)] | None = None
    settlement_claims: bool = True
    """False where no device reports payouts: settlements are recomputed and nothing is compared."""
    float_minor: Annotated[Amount, Field(alias="float")] = 0
    """Opening chip inventory."""
    gaming_day: GamingDay | None = None
    """Where it is not the UTC date of ``at``: casinos far from Greenwich, tables that open after midnight."""


class TableClosed(Envelope):
    """The gaming day of a table ends; only ``drop_counted`` and the last ``checkpoint`` follow."""

    type: Literal["table_closed"]
    float_minor: Annotated[Amount, Field(alias="float")]
    """Closing chip inventory."""


class DealerOn(Envelope):
    """Another dealer takes the table."""

    type: Literal["dealer_on"]
    dealer: Identifier


class Fill(Envelope):
    """Chips come from the cage."""

    type: Literal["fill"]
    amount: Stake


class Credit(Envelope):
    """Chips go back to the cage."""

    type: Literal["credit"]
    amount: Stake


class DropCounted(Envelope):
    """The count room has counted the table's drop box."""

    type: Literal["drop_counted"]
    amount: Amount


class Checkpoint(Envelope):
    """Seals all events since the last checkpoint (`replay.evidence`)."""

    type: Literal["checkpoint"]
    chain: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    key: Identifier
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


class RoundOpened(Envelope):
    """Bets are open ("facin joc")."""

    type: Literal["round_opened"]


class BetPlaced(Envelope):
    """A stake goes down."""

    type: Literal["bet_placed"]
    bet: Identifier
    seat: Seat
    wager: Word
    amount: Stake
    pick: Pick | None = None
    of: Identifier | None = None
    hand: HandNumber | None = None
    player: Identifier | None = None
    all_in: bool = False


class BetRaised(Envelope):
    """A stake grows."""

    type: Literal["bet_raised"]
    bet: Identifier
    by: Stake


class BetWithdrawn(Envelope):
    """A stake, or ``amount`` of it, is taken back."""

    type: Literal["bet_withdrawn"]
    bet: Identifier
    amount: Stake | None = None


class BetsClosed(Envelope):
    """ "No va més"."""

    type: Literal["bets_closed"]


class CardDealt(Envelope):
    """A card leaves the shoe, to a ``seat`` or ``to`` somebody else."""

    type: Literal["card_dealt"]
    card: Card
    seat: Seat | None = None
    hand: HandNumber | None = None
    to: Word | None = None
    up: bool | None = None
    exposed: bool = False
    void: Word | None = None
    by: Word | None = None


class TileDealt(Envelope):
    """A tile is dealt."""

    type: Literal["tile_dealt"]
    tile: Tile
    seat: Seat | None = None
    to: Word | None = None


class DiceRolled(Envelope):
    """A throw; ``void`` names the ground on which it was called void."""

    type: Literal["dice_rolled"]
    dice: Annotated[list[Face], Field(max_length=8)]
    void: Word | None = None
    seat: Seat | None = None


class DiceChanged(Envelope):
    """Other dice are offered."""

    type: Literal["dice_changed"]


class BallLanded(Envelope):
    """The ball rests; ``void`` names the ground on which the spin was called void, and ``number`` is then where the
    ball lay, any number if nowhere. The double zero of roulette is 37."""

    type: Literal["ball_landed"]
    number: Annotated[int, Field(ge=0, le=99)]
    void: Word | None = None


class Decision(Envelope):
    """A player's choice."""

    type: Literal["decision"]
    seat: Seat
    choice: Word
    hand: HandNumber | None = None
    cards: Annotated[list[Card], Field(max_length=16)] | None = None
    amount: Amount | None = None
    bet: Identifier | None = None
    all_in: bool = False


class BetSettled(Envelope):
    """What the dealer did: the claim."""

    type: Literal["bet_settled"]
    bet: Identifier
    paid: Amount
    returned: Amount


class RoundClosed(Envelope):
    """All is paid and collected; the table is cleared."""

    type: Literal["round_closed"]


class ShoeLoaded(Envelope):
    """New cards (tiles) are in the shoe; ``cards`` where their number is not that of the decks."""

    type: Literal["shoe_loaded"]
    decks: Annotated[int, Field(ge=1, le=16)] | None = None
    cards: Annotated[int, Field(ge=1, le=1000)] | None = None


class CutCard(Envelope):
    """The cut card or separator comes out."""

    type: Literal["cut_card"]


class TableClosing(Envelope):
    """The last n throws or coups are announced."""

    type: Literal["table_closing"]
    last: Annotated[int, Field(ge=1, le=99)]


class RakeTaken(Envelope):
    """The house's cut of a pot, or its fee of a seat."""

    type: Literal["rake_taken"]
    amount: Amount
    seat: Seat | None = None
    bet: Identifier | None = None


class CommissionTaken(Envelope):
    """The house's commission on a win."""

    type: Literal["commission_taken"]
    amount: Amount
    seat: Seat | None = None
    bet: Identifier | None = None


Event = Annotated[
    TableOpened
    | TableClosed
    | DealerOn
    | Fill
    | Credit
    | DropCounted
    | Checkpoint
    | RoundOpened
    | BetPlaced
    | BetRaised
    | BetWithdrawn
    | BetsClosed
    | CardDealt
    | TileDealt
    | DiceRolled
    | DiceChanged
    | BallLanded
    | Decision
    | BetSettled
    | RoundClosed
    | ShoeLoaded
    | CutCard
    | TableClosing
    | RakeTaken
    | CommissionTaken,
    Field(discriminator="type"),
]

_ADAPTER: Final[TypeAdapter[Any]] = TypeAdapter(Event)


class Refusal(RetallyError):
    """A line that is no event of the contract: ``field`` (dotted, empty for the line as a whole) and ``reason``."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field
        self.reason = reason


def decode(line: bytes) -> Any:
    """Read one event.

    What comes back has the fields of the model named by ``type``. The types that make up nearly all of a log are read
    by msgspec into structs derived from those models; all else, and every line that msgspec refuses, by pydantic
    itself, which knows the reason. The two accept the same lines (tests hold them to it). Neither minds a key that
    stands in an object twice, and pydantic does not mind NaN: `replay.fast.no_key_twice` and `replay.strict.fault` do.

    Raises `Refusal` for a line that is too long, no JSON, no event, or out of bounds.
    """
    if (
        len(line) <= MAX_EVENT_BYTES
        and line.isascii()
        and _BACKSLASH not in line
        and _DELETE not in line
        and _LONG_FRACTION(line) is None
    ):
        try:
            event = _fast(line)
        except (msgspec.MsgspecError, RecursionError):
            pass
        else:
            if _FIRST_WHOLE_YEAR <= event.at.year <= _LAST_WHOLE_YEAR:
                more = line.count(_COLON) - event.least_colons
                if more == 0 or (more == 1 and event.round is not None) or fast.no_key_twice(event, more, line):
                    return event
    try:
        return decode_by_model(line)
    except (Refusal, MemoryError):
        raise
    except Exception as error:  # the program's fault, not the line's: it is kept, and told as ours
        raise Refusal("", f"retally itself failed on this line ({type(error).__name__}); please report it") from error


_BACKSLASH: Final = 0x5C  # as numbers, for which bytes are searched eight times as fast as for bytes
_DELETE: Final = 0x7F
_COLON: Final = 0x3A
_LONG_FRACTION: Final = re.compile(rb"\.[0-9]{7}").search
"""More than six digits of a fraction, which msgspec would round in a time. Where they stand elsewhere, the models judge
as well."""
_FIRST_WHOLE_YEAR: Final = EARLIEST.year + 1
_LAST_WHOLE_YEAR: Final = LATEST.year - 2
"""The outermost years are for the models to judge: there the offset decides."""


def decode_by_model(line: bytes) -> Any:
    """Read one event by the pydantic models, and strictly; raises `Refusal`."""
    if len(line) > MAX_EVENT_BYTES:
        raise Refusal("", TOO_LONG.format(len(line)))
    try:
        event = _ADAPTER.validate_json(line)
    except ValidationError as error:
        raise _refusal(error) from None
    wrong = strict.fault(line)
    if wrong is not None:
        raise Refusal(_on_one_line(wrong[0], 100), wrong[1])
    return event


def from_fields(fields: dict[str, Any]) -> Any:
    """Make one event of already parsed ``fields`` (a scenario's); raises `Refusal`."""
    try:
        return _ADAPTER.validate_python(fields)
    except ValidationError as error:
        raise _refusal(error) from None


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one event line."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "retally event",
        "description": f"One event of a table device: one JSON object a line, UTF-8, at most {MAX_EVENT_BYTES} bytes.",
        **_ADAPTER.json_schema(by_alias=True),
    }


def _refusal(error: ValidationError) -> Refusal:
    first = error.errors(include_url=False, include_input=False)[0]
    where = [str(part) or '""' for part in first["loc"]]
    if where and where[0] in MODELS:
        where = where[1:]
    reason = first["msg"]
    depth = _OF_SEVERAL_KINDS.get(where[0] if where else "", MAX_EVENT_BYTES)
    if len(where) > depth:
        where, reason = where[:depth], "not a value that this field may have"
    match first["type"]:
        case "union_tag_not_found":
            where, reason = ["type"], "Field required"
        case "union_tag_invalid":
            where, reason = ["type"], "no such event type"
        case "literal_error":
            reason = "not one of the values that this field may have"
        case "value_error":
            reason = reason.removeprefix("Value error, ")
        case "extra_forbidden":
            reason = "no such field in this event"
        case "json_invalid":
            reason = reason.removeprefix("Invalid JSON: ")
            reason = f"not valid JSON ({reason})"
    return Refusal(_on_one_line(".".join(where), 100), _on_one_line(reason, 200))


def _on_one_line(text: str, most: int) -> str:
    """Fit to be shown: what a line holds, names of fields included, may be anything."""
    return "".join(character if character.isprintable() else " " for character in text[:most])


_OF_SEVERAL_KINDS: Final = {"pick": 1, "tile": 1, "options": 2, "limits": 2}
"""Fields whose value may be of several kinds: how deep the name of the field goes, before pydantic names the kinds."""

MODELS: Final[dict[str, type[Envelope]]] = {
    get_args(model.model_fields["type"].annotation)[0]: model for model in get_args(get_args(Event)[0])
}
"""Event type -> model."""

OF_THE_TABLE: Final = frozenset({"table_opened", "table_closed", "dealer_on", "fill", "credit", "drop_counted"})
"""Event types that no game has to do with: the table itself, its people, its chips."""
OF_PLAY: Final = tuple(kind for kind in MODELS if kind not in OF_THE_TABLE and kind != "checkpoint")
"""Event types that a game's procedure may handle."""
STARTS_A_ROUND: Final = frozenset(
    {"round_opened", "bet_placed", "bets_closed", "card_dealt", "tile_dealt", "dice_rolled", "ball_landed", "decision"}
)
AFTER_CLOSING: Final = frozenset({"drop_counted", "checkpoint"})
"""What may still come when the table was closed."""
TO_THE_BOX: Final = frozenset({"rake_taken", "commission_taken"})
"""The house's cut."""

HOT: Final = (
    "bet_placed",
    "bet_raised",
    "bet_withdrawn",
    "bets_closed",
    "card_dealt",
    "tile_dealt",
    "dice_rolled",
    "ball_landed",
    "decision",
    "bet_settled",
    "round_opened",
    "round_closed",
    "checkpoint",
)
"""The event types that are read by msgspec. None of them has an aliased field."""

_fast: Final = fast.decoder({name: MODELS[name] for name in HOT})
