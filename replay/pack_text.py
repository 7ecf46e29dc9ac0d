"""What stands in a pack's files, before it is anybody's law: ``pack.toml``, and files that are differences.

`merged` writes a pack that is ``based_on`` another over that other's text, table by table; `apply_house` narrows a
law's text by what a house that ``extends`` it has chosen. Both say what is wrong, with the key and what is expected.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from replay.cited import cited, is_citation
from replay.law import Fault, LawTable, OptionLaw, Several, nearest, read_fraction, read_table
from replay.rules import Option, RuleError

Name = Annotated[str, Field(pattern=r"^[A-Z0-9][A-Z0-9-]{0,31}$")]
"""Capitals, digits and hyphens."""
Words = Annotated[str, AfterValidator(str.strip), Field(min_length=1)]
_BOUNDS: Final = ("min", "max")
WITHOUT: Final = "without"


class PackText(LawTable):
    """``pack.toml``."""

    name: Name
    jurisdiction: Words
    title: Words
    source: Words
    in_force: datetime.date | None = None
    repealed: datetime.date | None = None
    takes_over: Several[Name] = ()
    """Packs whose other games this one has as well."""
    extends: Name | None = None
    based_on: Name | None = None
    approved_by: Words | None = None
    """Who has approved it, and by what."""
    games: Several[str] = ()
    """Of the packs that it stands on, these games alone; empty: all of them."""


class HouseText(LawTable):
    """A game's file in a pack that ``extends`` a law."""

    game: str
    passage: Words | None = None
    """Where in the house's own rules this stands."""
    titles: Mapping[str, str] = {}
    options: Mapping[str, Any] = {}
    """A value, or a table of narrower bounds (``least``, ``most``, ``choices``, ``default``)."""
    limits: Mapping[str, int | dict[str, int]] = {}
    """What its tables post: ``min``, ``max``, or these by wager."""
    without: Several[str] = ()
    """Wagers that the house does not offer: ``wagers.horn``."""


class NarrowerOption(LawTable):
    """Bounds that a house sets for its own tables within the law's."""

    default: bool | int | str | None = None
    choices: Several[int | str] = ()
    least: int | str | None = None
    most: int | str | None = None


def read_pack_text(data: Mapping[str, Any]) -> tuple[PackText | None, list[Fault]]:
    """``pack.toml``, and everything that is wrong with it."""
    found, faults = read_table(PackText, data)
    if found is None:
        return None, faults
    if found.extends and found.based_on:
        faults.append(Fault("based_on", "a pack either extends a law or is based on one"))
    if (found.extends or found.based_on) and found.takes_over:
        faults.append(Fault("takes_over", "a pack that stands on another has that one's games already"))
    if (found.extends or found.based_on) and found.approved_by is None:
        faults.append(Fault("approved_by", "is missing: who has approved these rules, and by what"))
    if (found.extends or found.based_on) and found.in_force is None:
        faults.append(Fault("in_force", "is missing: since when they hold, as in 2026-01-01"))
    if found.in_force is not None and found.repealed is not None and found.in_force >= found.repealed:
        faults.append(Fault("repealed", f"after {found.in_force}, from when on it is in force"))
    return (None if faults else found), faults


# --- a law of its own ---------------------------------------------------------------------------------------------


def merged(base: Mapping[str, Any], own: Mapping[str, Any], *, base_name: str) -> tuple[dict[str, Any], list[Fault]]:
    """A law's text with what another, based on it, says otherwise; everything that is wrong with that."""
    faults: list[Fault] = []
    without = own.get(WITHOUT, [])
    if not (isinstance(without, list) and all(isinstance(place, str) for place in without)):
        return {}, [Fault(WITHOUT, "a list of tables, as in ['wagers.horn']")]
    result = dict(base)
    for place in without:
        cut = _cut(result, place.split("."))
        if cut is None:
            faults.append(Fault(WITHOUT, f"{base_name} has no {place}{nearest(place, _places(base))}"))
        else:
            result = cut
    rest = {key: value for key, value in own.items() if key != WITHOUT}
    faults += _uncited(result, rest, "", base_name)
    return _over(result, rest), faults


def _over(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in own.items():
        before = result.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping) and not is_citation(value):
            result[key] = _over(before, value)
        else:
            result[key] = value
    return result


def _cut(data: Mapping[str, Any], place: list[str]) -> dict[str, Any] | None:
    """The data without what stands at a place; None where nothing stands there."""
    key, *rest = place
    if key not in data:
        return None
    result = dict(data)
    if not rest:
        del result[key]
        return result
    inner = result[key]
    cut = _cut(inner, rest) if isinstance(inner, Mapping) else None
    if cut is None:
        return None
    result[key] = cut
    return result


def _places(data: Mapping[str, Any], above: str = "") -> tuple[str, ...]:
    found: list[str] = []
    for key, value in data.items():
        if isinstance(value, Mapping):
            found += (f"{above}{key}", *_places(value, f"{above}{key}."))
    return tuple(found)


def _uncited(base: Mapping[str, Any], own: Mapping[str, Any], above: str, base_name: str) -> Iterator[Fault]:
    """Tables that change what the base says under its passage, and keep that passage."""
    for key, value in own.items():
        before = base.get(key)
        if not (isinstance(value, Mapping) and isinstance(before, Mapping)):
            continue
        place = f"{above}{key}"
        if "passage" in before:
            changed = [name for name in value if name not in ("passage", "name")]
            if changed and "passage" not in value:
                yield Fault(
                    f"{place}.passage",
                    f"is missing: {', '.join(changed)} is not what {base_name} has under {_cited(before)!r}",
                )
        else:
            yield from _uncited(before, value, f"{place}.", base_name)


def _cited(table: Mapping[str, Any]) -> str:
    """The passage of a table as it is cited; empty where it has none that can be."""
    try:
        return cited(table.get("passage"))
    except ValueError:
        return ""


# --- a house under a law ------------------------------------------------------------------------------------------


def read_house_text(
    data: Mapping[str, Any], law: Mapping[str, Any], *, law_name: str
) -> tuple[HouseText | None, list[Fault]]:
    """A game's file of a house's own rules, and everything that is wrong with its form, or says again what the law has
    fixed."""
    own = dict(data)
    fixed = {key: own.pop(key) for key in data if key in law and key not in HouseText.model_fields}
    limits = own.get("limits")
    if isinstance(limits, Mapping):
        bounds = {key: value for key, value in limits.items() if _is_bound(key, value, law)}
        own["limits"] = {key: value for key, value in limits.items() if key not in bounds}
        fixed |= {"limits": bounds} if bounds else {}
    found, faults = read_table(HouseText, own)
    faults = [*_fixed(fixed, law, "", "", law_name), *faults]
    if found is not None and found.passage is None and (found.options or found.limits):
        faults.append(Fault("passage", "is missing: where in the house's own rules this stands"))
    return (None if faults else found), faults


def _is_bound(key: str, value: object, law: Mapping[str, Any]) -> bool:
    """Whether a table under ``limits`` says again what the law's own limits are, and not what a house's tables post."""
    of_law = law.get("limits", {}).get(key)
    return isinstance(of_law, Mapping) and isinstance(value, Mapping) and not set(value) <= set(_BOUNDS)


def _fixed(own: Mapping[str, Any], law: Mapping[str, Any], above: str, passage: str, law_name: str) -> Iterator[Fault]:
    """What the law leaves nobody to say, each with what it says."""
    passage = _cited(law) or passage
    for key, value in own.items():
        place, says = f"{above}{key}", law.get(key)
        if isinstance(value, Mapping) and isinstance(says, Mapping):
            yield from _fixed(value, says, f"{place}.", passage, law_name)
        else:
            stands = f"fixes {says}" if key in law else "has no such thing"
            where = f"{law_name}, {passage}" if passage else law_name
            yield Fault(place, f"the law {stands} ({where}); a house chooses options, limits and fewer wagers")


def apply_house(law: Mapping[str, Any], house: HouseText, *, law_name: str) -> tuple[dict[str, Any], list[Fault]]:
    """The law's text as the house has narrowed it, and everything in which it goes beyond the law."""
    faults: list[Fault] = []
    result = dict(law)
    if house.titles:
        result["titles"] = {**law.get("titles", {}), **house.titles}
    wagers = dict(law.get("wagers", {}))
    for place in house.without:
        section, _, name = place.partition(".")
        if section != "wagers" or name not in wagers:
            near = nearest(place, tuple(f"wagers.{each}" for each in wagers))
            faults.append(Fault(WITHOUT, f"a wager of {law_name}, as in wagers.NAME, not {place}{near}"))
        else:
            del wagers[name]
    result["wagers"] = wagers
    options = dict(law.get("options", {}))
    for name, value in house.options.items():
        if name not in options:
            near = nearest(name, tuple(options))
            known = ", ".join(sorted(options)) or "none"
            faults.append(
                Fault(f"options.{name}", f"{law_name} leaves no such choice to the house (it leaves: {known}){near}")
            )
            continue
        narrowed, found = _narrowed(name, options[name], value, house.passage or "", law_name)
        faults += found
        options[name] = narrowed
    result["options"] = options
    for key, limit in house.limits.items():
        faults += _limit_faults(key, limit, wagers)
    return result, faults


def _narrowed(
    name: str, data: Mapping[str, Any], value: Any, passage: str, law_name: str
) -> tuple[dict[str, Any], list[Fault]]:
    """An option of the law with what the house has chosen."""
    key = f"options.{name}"
    law, faults = read_table(OptionLaw, _of_all_games(data))
    if law is None:
        return dict(data), [Fault(f"{key}.{fault.key}", fault.text) for fault in faults]
    option = Option(name, law)
    result = {**data, "house": passage}
    if not isinstance(value, dict) or law.kind == "table":
        fault = _refused(option, _number(value) if law.kind == "fraction" else value, key, law_name)
        return ({**result, "only": value}, []) if fault is None else (result, [fault])
    narrower, faults = read_table(NarrowerOption, value)
    if narrower is None:
        return result, [Fault(f"{key}.{fault.key}", fault.text) for fault in faults]
    for field in ("default", "least", "most"):
        chosen = getattr(narrower, field)
        if chosen is None:
            continue
        if field != "default" and law.kind not in ("int", "fraction"):
            faults.append(Fault(f"{key}.{field}", f"an option of kind {law.kind} has no bounds"))
            continue
        fault = _refused(option, _number(chosen), f"{key}.{field}", law_name)
        if fault is not None:
            faults.append(fault)
        result[field] = chosen
    for choice in narrower.choices:
        fault = _refused(option, choice, f"{key}.choices", law_name)
        if fault is not None:
            faults.append(fault)
    if narrower.choices:
        result["choices"] = list(narrower.choices)
    if not faults and result.get("default") is not None:
        tried, wrong = read_table(OptionLaw, _of_all_games(result))
        faults += [Fault(f"{key}.{fault.key}", fault.text) for fault in wrong]
        if tried is not None:
            fault = _refused(Option(name, tried), _number(result["default"]), f"{key}.default", "these rules")
            faults += [] if fault is None else [fault]
    return result, faults


def _of_all_games(data: Mapping[str, Any]) -> dict[str, Any]:
    """What every game's option has, without what one game alone knows of its own."""
    return {key: value for key, value in data.items() if key in OptionLaw.model_fields}


def _refused(option: Option, value: Any, key: str, law_name: str) -> Fault | None:
    """Why the law does not let the house choose this value, with the bound and where it stands; None where it does."""
    try:
        option.read(value)
    except RuleError as error:
        bound = str(error).removeprefix(f"option {option.id}: ")
        return Fault(key, f"{bound} ({law_name}, {option.passage})")
    return None


def _number(value: Any) -> Any:
    """What TOML has as text where it is no whole number: ``"5/2"``. Other text is left as it is."""
    if isinstance(value, str):
        try:
            return read_fraction(value)
        except ValueError:
            return value
    return value


def _limit_faults(key: str, limit: int | Mapping[str, int], wagers: Mapping[str, Any]) -> Iterator[Fault]:
    """``min`` and ``max`` are amounts, everything else is a table of them by wager."""
    place = f"limits.{key}"
    if key in _BOUNDS:
        if not isinstance(limit, int):
            yield Fault(place, "an amount in minor units")
        return
    if isinstance(limit, int):
        yield Fault(place, f"a table by wager, as in {key} = {{ min = 500, max = 5000 }}{nearest(key, _BOUNDS)}")
        return
    if key not in wagers:
        yield Fault(
            place, f"there is no such wager (there are: {', '.join(sorted(wagers))}){nearest(key, tuple(wagers))}"
        )
    for bound in limit:
        if bound not in _BOUNDS:
            yield Fault(f"{place}.{bound}", f"min or max{nearest(bound, _BOUNDS)}")
