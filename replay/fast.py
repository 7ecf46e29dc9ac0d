"""The fast way to read events: msgspec structs derived from the models of the contract, and whether a key stands twice.

It serves lines of printable ASCII without backslashes; `replay.events.decode` sees to that, and turns to the models for
all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

import msgspec
from pydantic import AwareDatetime, BaseModel

_COLONS_IN_A_TIME: Final = 2


def _round(event: Any) -> int:
    return event.round is not None


_GIVEN: Final[Mapping[str, Callable[[Any], int]]] = {
    "bet_placed": lambda event: (
        (event.round is not None)
        + (event.pick is not None)
        + (event.of is not None)
        + (event.hand is not None)
        + (event.player is not None)
        + event.all_in
    ),
    "bet_withdrawn": lambda event: (event.round is not None) + (event.amount is not None),
    "bet_settled": lambda event: (event.round is not None) + (event.corrects is not None) + (event.by is not None),
    "card_dealt": lambda event: (
        (event.round is not None)
        + (event.seat is not None)
        + (event.hand is not None)
        + (event.to is not None)
        + (event.up is not None)
        + event.exposed
        + (event.void is not None)
        + (event.by is not None)
    ),
    "tile_dealt": lambda event: (event.round is not None) + (event.seat is not None) + (event.to is not None),
    "dice_rolled": lambda event: (event.round is not None) + (event.void is not None) + (event.seat is not None),
    "ball_landed": lambda event: (event.round is not None) + (event.void is not None),
    "decision": lambda event: (
        (event.round is not None)
        + (event.hand is not None)
        + (event.cards is not None)
        + (event.amount is not None)
        + (event.bet is not None)
        + event.all_in
    ),
}
"""Event type -> how many optional fields of such an event have another value than their default. Written out, for a
loop over their names takes four times as long; types that are not here have none but the round."""

_read_fields: Final = msgspec.json.Decoder(dict[str, Any]).decode


def decoder(models: Mapping[str, type[BaseModel]]) -> Callable[[bytes], Any]:
    """Reads events of these types (type -> model), none of which has a field of another name on the wire. What it gives
    has the fields of the model, and besides ``least_colons`` and ``given``, see `no_key_twice`."""
    return msgspec.json.Decoder(Union[tuple(_struct(name, model) for name, model in models.items())]).decode  # noqa: UP007


def no_key_twice(event: Any, more: int, line: bytes) -> bool:
    """Whether no key stands twice in this line, of which msgspec has made ``event``. In doubt False.

    A line has a colon for each of its keys, and two in its time; ``more`` are those that are beyond the
    ``least_colons`` of every event of the type. An optional field whose value is not the default has a key of its own
    too. Where those are all, no colon is left for a second key. Otherwise (a default spelt out, an offset, a name with
    a colon in it) the colons in the values are counted as well: what a second key leaves out of the object is missed.
    """
    if more == event.given(event):
        return True
    fields = _read_fields(line)
    return len(fields) == line.count(b":") - sum(value.count(":") for value in fields.values() if type(value) is str)


def _struct(name: str, model: type[BaseModel]) -> type[msgspec.Struct]:
    required: list[tuple[str, Any]] = []
    optional: list[tuple[str, Any, Any]] = []
    for field, info in model.model_fields.items():
        if field == "type":
            continue
        kind = _kind(info.annotation, list(info.metadata))
        if info.is_required() or field == "v":  # a line without the version is read by the models
            required.append((field, kind))
        else:
            assert info.default in (None, False), "whether the field is there must show in its value"
            optional.append((field, kind, info.default))
    return msgspec.defstruct(
        model.__name__,
        [*required, *optional],
        tag_field="type",
        tag=name,
        forbid_unknown_fields=True,
        gc=False,
        kw_only=True,
        namespace={
            "type": name,
            "least_colons": 1 + len(required) + _COLONS_IN_A_TIME,
            "given": staticmethod(_round if len(optional) == 1 else _GIVEN[name]),
        },
    )


def _kind(annotation: Any, metadata: list[Any]) -> Any:
    """Translate a pydantic annotation to msgspec's. Patterns are left out, for the line is printable ASCII without
    escapes; those of digests and picks, which say more than that, are kept."""
    if annotation is AwareDatetime:
        return Annotated[datetime, msgspec.Meta(tz=True)]
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *rest = get_args(annotation)
        return _kind(inner, [*rest, *metadata])
    if origin in (Union, UnionType):
        return Union[tuple(_kind(part, []) for part in get_args(annotation))]  # noqa: UP007
    if origin is list:
        annotation = list[_kind(get_args(annotation)[0], [])]  # type: ignore[misc]
    bounds: dict[str, Any] = {}
    for item in metadata:
        for part in getattr(item, "metadata", [item]):
            for name in ("ge", "le", "min_length", "max_length"):
                if getattr(part, name, None) is not None and annotation is not datetime:
                    bounds[name] = getattr(part, name)
            pattern = getattr(part, "pattern", None)
            if pattern is not None and "min_length" not in bounds and not getattr(part, "min_length", None):
                bounds["pattern"] = pattern
    return Annotated[annotation, msgspec.Meta(**bounds)] if bounds else annotation
