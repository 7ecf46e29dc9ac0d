"""The event contract: what a table device may say, one JSON object a line.

Every event carries the same envelope (`Envelope`) and a ``type`` that tells what else it holds. Unknown types, unknown
fields and values out of bounds are refused with a `Refusal` that names the field; nothing is coerced (``"5"`` is no
number, ``1`` is no truth value). Amounts are integers of the currency's minor unit (EUR 10.00 = 1000).

`json_schema` is what a device maker codes against; `decode` is what retally itself uses.
"""

from __future__ import annotations

import re
from copy import copy
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Union, get_args

import msgspec
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    create_model,
)

from replay import fast, strict
from replay.chip_events import (
    CashIn,
    CashOut,
    ChipsCounted,
    ChipsExchanged,
    LimitsChanged,
    MarkerIssued,
    MarkerPaid,
    PromoTaken,
)
from replay.errors import RetallyError
from replay.event_fields import (
    EARLIEST,
    LATEST,
    Amount,
    Card,
    Envelope,
    Face,
    GamingDay,
    HandNumber,
    Identifier,
    LimitValue,
    Number,
    OptionValue,
    Pick,
    Reason,
    Seat,
    Stake,
    Tile,
    Word,
)

MAX_EVENT_BYTES: Final = 64 * 1024
TOO_LONG: Final = f"the event has {{:,}} bytes; {MAX_EVENT_BYTES:,} are the most"


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
    limits: dict[Word, LimitValue] = Field({}, max_length=64)
    options: dict[Word, OptionValue] = Field({}, max_length=64)
    decks: Annotated[int, Field(ge=1, le=16)] | None = None
    settlement_claims: bool = True
    """False where no device reports payouts: settlements are recomputed and nothing is compared."""
    float_minor: Annotated[Amount, Field(alias="float")] = 0
    """Opening chip inventory."""
    gaming_day: GamingDay | None = None
    """Where it is not the UTC date of ``at``: casinos far from Greenwich, tables that open after midnight."""


class TableClosed(Envelope):
    """The gaming day of a table ends; only ``drop_counted``, what puts earlier events right (``event_corrected``,
    ``bet_settled`` with ``corrects``) and the last ``checkpoint`` follow."""

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
    """The count room has counted the table's drop box; said again, it has counted it anew, and the last count holds."""

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


class CardRevealed(Envelope):
    """The dealer's face-down card is turned up. Optional where it was read when it was dealt."""

    type: Literal["card_revealed"]
    card: Card


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
    """What the dealer did: the claim. With ``corrects`` it puts an earlier one right."""

    type: Literal["bet_settled"]
    bet: Identifier
    paid: Amount
    returned: Amount
    corrects: Number | None = None
    """The ``seq`` of the claim that this one takes the place of."""
    by: Identifier | None = None
    """Who put it right."""


class RoundVoided(Envelope):
    """The round at hand is as if it had not been played: its stakes go back."""

    type: Literal["round_voided"]
    reason: Reason
    by: Identifier


class GoodwillPaid(Envelope):
    """Money that the house gives outside the rules."""

    type: Literal["goodwill_paid"]
    amount: Stake
    reason: Reason
    by: Identifier
    bet: Identifier | None = None
    player: Identifier | None = None


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


_Plain = (
    TableOpened
    | TableClosed
    | DealerOn
    | Fill
    | Credit
    | DropCounted
    | LimitsChanged
    | ChipsCounted
    | CashIn
    | CashOut
    | MarkerIssued
    | MarkerPaid
    | ChipsExchanged
    | PromoTaken
    | RoundOpened
    | BetPlaced
    | BetRaised
    | BetWithdrawn
    | BetsClosed
    | CardDealt
    | CardRevealed
    | TileDealt
    | DiceRolled
    | DiceChanged
    | BallLanded
    | Decision
    | BetSettled
    | RoundVoided
    | GoodwillPaid
    | RoundClosed
    | ShoeLoaded
    | CutCard
    | TableClosing
    | RakeTaken
    | CommissionTaken
)
"""What may be put right, beside a correction itself: all but the seals."""


def _own_fields(model: type[Envelope]) -> dict[str, Any]:
    """The fields that a type of events has beside the envelope, as `pydantic.create_model` takes them."""
    own = {name: info for name, info in model.model_fields.items() if name not in Envelope.model_fields}
    return {name: (info.annotation, copy(info)) for name, info in own.items()}


def _without_envelope(model: type[Envelope]) -> type[BaseModel]:
    """The same event without its envelope: as it should have been said."""
    config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)
    return create_model(f"{model.__name__}AsItWas", __config__=config, __doc__=model.__doc__, **_own_fields(model))


class CorrectionAsItWas(BaseModel):
    """A correction that is put right itself: what it should have said."""

    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    type: Literal["event_corrected"]
    corrects: Number
    correct: Correct
    reason: Reason
    by: Identifier


if TYPE_CHECKING:
    Correct = Any
else:
    Correct = Annotated[
        Union[(*map(_without_envelope, get_args(_Plain)), CorrectionAsItWas)],
        Field(discriminator="type"),
    ]
"""An event's type and its own fields, whole, without the envelope, which stays as it is."""
CorrectionAsItWas.model_rebuild()


class EventCorrected(Envelope):
    """An earlier event of the session is put right: a misread card, throw, number, seat or amount."""

    type: Literal["event_corrected"]
    corrects: Number
    """The ``seq`` of that event."""
    correct: Correct
    """That event as it should have been said."""
    reason: Reason
    by: Identifier


Event = Annotated[_Plain | EventCorrected | Checkpoint, Field(discriminator="type")]

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
    where = [
        part for index, part in enumerate(where) if not (index and where[index - 1] == "correct" and part in MODELS)
    ]
    reason = first["msg"]
    depth = _OF_SEVERAL_KINDS.get(where[0] if where else "", MAX_EVENT_BYTES)
    if len(where) > depth:
        where, reason = where[:depth], "not a value that this field may have"
    match first["type"]:
        case "union_tag_not_found":
            where, reason = [*where, "type"], "Field required"
        case "union_tag_invalid":
            where, reason = [*where, "type"], "no such event type"
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

OF_CHIPS: Final = (
    "cash_in",
    "cash_out",
    "marker_issued",
    "marker_paid",
    "chips_exchanged",
    "promo_taken",
    "chips_counted",
)
"""Money and chips that come and go, and what is counted of them: no part of play."""
OF_THE_TABLE: Final = frozenset(
    {
        *("table_opened", "table_closed", "dealer_on", "fill", "credit", "drop_counted"),
        *("limits_changed", "round_voided", "goodwill_paid", "event_corrected"),
        *OF_CHIPS,
    }
)
"""Event types that no game has to do with: the table itself, its people, its chips; what is put right."""
OF_PLAY: Final = tuple(kind for kind in MODELS if kind not in OF_THE_TABLE and kind != "checkpoint")
"""Event types that a game's procedure may handle."""
STARTS_A_ROUND: Final = frozenset(
    {"round_opened", "bet_placed", "bets_closed", "card_dealt", "tile_dealt", "dice_rolled", "ball_landed", "decision"}
)
AFTER_CLOSING: Final = frozenset({"drop_counted", "event_corrected", "checkpoint"})
"""What may still come when the table was closed."""
TO_THE_BOX: Final = frozenset({"rake_taken", "commission_taken"})
"""The house's cut."""

HOT: Final = (
    "bet_placed",
    "bet_raised",
    "bet_withdrawn",
    "bets_closed",
    "card_dealt",
    "card_revealed",
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
