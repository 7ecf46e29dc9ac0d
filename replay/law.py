"""What a rule pack may say of a game: typed, and checked when the pack is loaded.

`GameLaw` is what every game has. A game that needs more says so in a subclass in its own file (`Game.needs`): its
tables, its passages, which wagers and options its code knows, and how each of them is priced. A pack that passes this
check holds all that the game's code asks for; `faults` says everything that is wrong with one at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from replay.cited import cited
from replay.errors import told
from replay.money import Price

T = TypeVar("T")
M = TypeVar("M", bound="LawTable")

MAX_FRACTION: Final = 1000
"""Characters of a fraction's text: the exact chance of a refait has 127."""
ONE_PRICE: Final = ""
"""In `GameLaw.prices_needed`: the wager has one price for all that wins."""


def read_fraction(value: str | int) -> Fraction:
    """A fraction of a pack: a whole number, or text as in ``3/2`` or ``0.05``; raises ValueError."""
    if isinstance(value, str) and (len(value) > MAX_FRACTION or "e" in value.lower()):
        raise ValueError("a fraction of whole numbers")  # 1e999999999 would fill the memory
    try:
        return Fraction(value)
    except ZeroDivisionError:
        raise ValueError("a fraction of whole numbers, not of nothing") from None


def _fraction(value: object) -> Fraction:
    if isinstance(value, str | int) and not isinstance(value, bool):
        try:
            return read_fraction(value)
        except ValueError:
            pass
    raise ValueError("a fraction as text, as in '3/2', or a whole number")


def _price(value: object) -> Price:
    if isinstance(value, str):
        try:
            return Price.of(_fraction(value))
        except (ValueError, AssertionError):
            pass
    raise ValueError("a price as text, winnings to stake, as in '3/2'")


def _words(value: str) -> str:
    if not value.strip():
        raise ValueError("a text that says something")
    return value


Wording = Annotated[str, AfterValidator(_words)]
Passage = Annotated[str, BeforeValidator(cited)]
"""Where in the regulation it stands, with its mark where that is not the text's own word (`replay.cited`)."""
Ratio = Annotated[Fraction, BeforeValidator(_fraction)]
PriceText = Annotated[Price, BeforeValidator(_price)]
Several = Annotated[tuple[T, ...], Field(strict=False)]
"""A list in TOML."""
Count = Annotated[int, Field(ge=0)]
OptionValues = Mapping[str, str | tuple[str, ...]]
"""See `GameLaw.option_values`."""


class LawTable(BaseModel):
    """A table of a pack. What it does not name is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, arbitrary_types_allowed=True)


class Provision(LawTable):
    """A table that stands on one passage."""

    passage: Passage


class Passages(LawTable):
    """The passages that a game cites beside those of its tables; a game that cites more of them extends it."""

    call: Passage
    """After which no more bets are taken."""
    wagers: Passage
    """That lists the wagers."""


class WagerLaw(Provision):
    """One wager: what the regulation calls it, what it pays, on what it may be laid."""

    name: str = ""
    pays: PriceText | dict[str, PriceText] | None = None
    """One price, or by pick or result; nothing where the game's own tables say it."""
    picks: Several[int | str] = ()
    """The picks allowed; empty where the wager has none, or the game judges them."""


class OptionLaw(Provision):
    """A choice left to the house, and its legal bounds."""

    kind: Literal["flag", "int", "fraction", "choice", "table", "list"]
    choices: Several[int | str] = ()
    least: Ratio | None = None
    most: Ratio | None = None
    default: bool | int | str | dict[str, Any] | list[Any] | None = None
    only: bool | int | str | dict[str, Any] | list[Any] | None = None
    """The one value that a house has fixed; nothing: any that the bounds allow."""
    house: str = ""
    """Where a house's own rules have narrowed it; empty where they have not."""

    @field_validator("default", "only")
    @classmethod
    def _is_allowed(cls, value: object, info: ValidationInfo) -> object:
        """A value of the kind, within the bounds, where these could be read."""
        if value is not None and {"kind", "choices", "least", "most"} <= info.data.keys():
            expected = _expected(value, **{key: info.data[key] for key in ("kind", "choices", "least", "most")})
            if expected:
                raise ValueError(expected)
        return value


def _expected(
    value: object, kind: str, choices: tuple[int | str, ...], least: Fraction | None, most: Fraction | None
) -> str:
    """What an option's value has to be, where this one is not; empty where it is."""
    if kind == "choice":
        is_one = value in choices and not isinstance(value, bool)
        return "" if is_one else f"one of {', '.join(map(str, choices))}"
    if kind in _SHAPES:
        shape, words = _SHAPES[kind]
        return "" if isinstance(value, shape) else words
    try:
        number = _fraction(value)
    except ValueError as error:
        return "a whole number" if kind == "int" else str(error)
    if kind == "int" and not isinstance(value, int):
        return "a whole number"
    if least is not None and number < least:
        return f"{least} at least"
    return f"{most} at most" if most is not None and number > most else ""


_SHAPES: Final[Mapping[str, tuple[type, str]]] = {
    "flag": (bool, "true or false"),
    "table": (dict, "a table"),
    "list": (list, "a list"),
}


class GameLaw(LawTable):
    """What one pack says of one game."""

    known_wagers: ClassVar[frozenset[str] | None] = None
    """The wagers that the game's code can settle; None: whatever the pack calls them."""
    needed_wagers: ClassVar[frozenset[str]] = frozenset()
    """Those of them that it cannot do without."""
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Under which names a wager's prices must stand, by wager; `ONE_PRICE` alone: it has one price."""
    known_options: ClassVar[frozenset[str]] = frozenset()
    """The options that the game's code follows."""
    needed_options: ClassVar[frozenset[str]] = frozenset()
    """Those of them that it cannot do without."""
    option_values: ClassVar[OptionValues] = {}
    """What the game's code takes an option for, by option: a kind, or the choices that it knows."""

    game: str
    title: Wording
    """What the regulation calls the game."""
    titles: Mapping[str, str] = {}
    """The game's name by language (ISO 639-1), for people."""
    source: Wording
    passages: Passages
    wagers: Mapping[str, WagerLaw] = {}
    options: Mapping[str, OptionLaw] = {}

    @property
    def shoe_decks(self) -> int:
        """How many packs of cards the law puts in the shoe; 0 where the table says it, or there is none."""
        return 0

    @property
    def contract_wagers(self) -> frozenset[str]:
        """Wagers that may not be taken back once they are under way."""
        return frozenset()

    def faults(self) -> Iterator[Fault]:
        """What is wrong though every table by itself is well formed: values that do not go together, or that the game's
        code cannot follow."""
        return iter(())


class Fault(NamedTuple):
    """Something that is wrong in a file of a pack."""

    key: str
    """Where in the file, dotted; empty: the file itself."""
    text: str
    """What is expected there."""

    def __str__(self) -> str:
        return f"{self.key}: {self.text}" if self.key else self.text


def read_table(model: type[M], data: Mapping[str, Any]) -> tuple[M | None, list[Fault]]:
    """A table of a pack as its model, and everything that is wrong with its form; None where it cannot be read."""
    try:
        return model.model_validate(dict(data)), []
    except ValidationError as error:
        return None, list(_faults(model, error, data))


def read_law(needs: type[GameLaw], data: Mapping[str, Any]) -> tuple[GameLaw | None, list[Fault]]:
    """A game's law from a pack's data, and everything that is wrong with it; None where it cannot be used."""
    try:
        law, faults = read_table(needs, data)
        if law is not None:
            faults = [*_names(needs, law), *_prices(needs, law), *_options(needs, law), *law.faults()]
    except Exception as error:  # of the game's own code, which may come from another distribution
        return None, [Fault("", f"the game fails at it: {told(error)}")]
    return (None if faults else law), faults


def nearest(name: str, known: Iterable[str]) -> str:
    """``; did you mean NAME?`` where one of the names is near, else nothing."""
    found = get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {found[0]}?" if found else ""


def _faults(needs: type[LawTable], error: ValidationError, data: Mapping[str, Any]) -> Iterator[Fault]:
    """Pydantic's errors in a pack's words, one for each place."""
    places: set[str] = set()
    for one in error.errors(include_url=False):
        place = _place(one["loc"], data)
        if place in places:
            continue
        places.add(place)
        if one["type"] == "extra_forbidden":
            fields = _fields(needs, one["loc"][:-1])
            known = f"; there are: {', '.join(fields)}" if fields else ""
            yield Fault(place, f"no such key{nearest(str(one['loc'][-1]), fields)}{known}")
        elif one["type"] == "missing":
            yield Fault(place, "is missing")
        else:  # a check of a whole table names its place itself
            of_table = one["type"] == "value_error" and isinstance(one["input"], Mapping | BaseModel)
            found = "" if of_table else f", not {_shown(one['input'])}"
            yield Fault(place, f"{one['msg'].removeprefix('Value error, ')}{found}")


def _place(loc: tuple[int | str, ...], data: Any) -> str:
    """The dotted place in the file: what pydantic adds of its own (names of types in a union) is left out."""
    parts: list[str] = []
    here: Any = data
    for index, part in enumerate(loc):
        last = index == len(loc) - 1
        if isinstance(here, Mapping) and part in here:
            here = here[part]
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            here = here[part]
        elif not (last and isinstance(here, Mapping)) or _is_type_name(str(part)):
            continue
        parts.append(str(part))
    return ".".join(parts)


def _is_type_name(part: str) -> bool:
    """Whether a part of a place is pydantic's own, as ``function-before[_price(), …]`` or ``dict[…]``."""
    return "[" in part or part in ("int", "str", "bool", "list", "dict", "tuple", "is-instance")


def _fields(model: Any, loc: tuple[int | str, ...]) -> list[str]:
    """The keys of the table at a place of a model, where the model fixes them."""
    for part in loc:
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            return []
        field = model.model_fields.get(str(part))
        model = None if field is None else field.annotation
    if isinstance(model, type) and issubclass(model, BaseModel):
        return sorted(model.model_fields)
    return []


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _names(needs: type[GameLaw], law: GameLaw) -> Iterator[Fault]:
    """Wagers and options that no code knows would be played and never judged."""
    kinds = (
        ("wagers", "wager", law.wagers, needs.known_wagers, needs.needed_wagers),
        ("options", "option", law.options, needs.known_options, needs.needed_options),
    )
    for section, word, there, known, needed in kinds:
        for name in there:
            if known is not None and name not in known:
                listed = ", ".join(sorted(known)) or "none"
                yield Fault(
                    f"{section}.{name}",
                    f"{law.game} knows no such {word}{nearest(name, known)} (it knows: {listed})",
                )
        for name in sorted(needed - set(there)):
            yield Fault(f"{section}.{name}", f"is missing: {law.game} cannot be judged without this {word}")


def _prices(needs: type[GameLaw], law: GameLaw) -> Iterator[Fault]:
    for name, wager in law.wagers.items():
        names = needs.prices_needed.get(name)
        if names is None:
            continue
        key = f"wagers.{name}.pays"
        if names == (ONE_PRICE,):
            if not isinstance(wager.pays, Price):
                yield Fault(key, "one price, as in '3/2'")
        elif not isinstance(wager.pays, dict):
            yield Fault(key, f"a price for each of {', '.join(names)}, as in {{ {names[0]} = '3/2' }}")
        else:
            for missing in (each for each in names if each not in wager.pays):
                yield Fault(f"{key}.{missing}", "is missing: a price, as in '3/2'")


def _options(needs: type[GameLaw], law: GameLaw) -> Iterator[Fault]:
    """Bounds that fit their kind, and what the game's code takes the option for."""
    for name, option in law.options.items():
        key = f"options.{name}"
        taken_for = needs.option_values.get(name, option.kind)
        kind, known = (taken_for, option.choices) if isinstance(taken_for, str) else ("choice", taken_for)
        if option.kind != kind:
            yield Fault(f"{key}.kind", f"{kind}, not {option.kind}")
            continue
        for choice in option.choices:
            if choice not in known:
                listed = ", ".join(map(str, known))
                yield Fault(f"{key}.choices", f"{law.game} knows no {choice} (it knows: {listed})")
        if option.kind == "choice" and not option.choices:
            yield Fault(f"{key}.choices", "is missing: what may be chosen")
        if option.kind != "choice" and option.choices:
            yield Fault(f"{key}.choices", f"an option of kind {option.kind} has none")
        if option.kind not in ("int", "fraction") and (option.least is not None or option.most is not None):
            yield Fault(f"{key}.least", f"an option of kind {option.kind} has no bounds")
        if option.least is not None and option.most is not None and option.least > option.most:
            yield Fault(f"{key}.least", f"at most {option.most}, not {option.least}")
        needed = name in needs.needed_options or option.kind == "choice"
        if option.default is None and option.only is None and needed:
            yield Fault(f"{key}.default", f"is missing: what holds where a table of {law.game} says nothing")
