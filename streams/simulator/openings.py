"""A table of the floor, opened under another pack than its simulator's own: a house's rules, tried before they hold.

A simulated table is opened as its game's simulator knows it (`TableSetup`). Under other rules its options and limits
give way to theirs, and wagers that they do not have are not laid. What its dealers pay, and what its players do, they
know by heart: where a law pays otherwise, an audit under that law says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from math import gcd
from typing import Any

import msgspec

from replay import games
from replay.packs import Packs
from replay.rules import GameRules, NotAllowed, RuleError
from streams.simulator import games as simulated
from streams.simulator.table import TableSetup


def ways(game: str, packs: Packs | None, rules: str | None, day: date) -> list[tuple[TableSetup, frozenset[str]]]:
    """How tables of a game are opened, and the wagers that are not laid there: as its simulator says, or, where
    ``rules`` names one of the ``packs``, under that one. Of several ways those are taken whose own rules, on this day,
    are what it stands on, if any are. Raises `UnknownGame`, `RuleError`."""
    setups = simulated.setups(game)
    if packs is None or rules is None:
        return [(setup, frozenset()) for setup in setups]
    under = packs.game(rules, game)
    texts = packs.texts(rules, game)
    known = [(setup, _own_rules(packs, setup, day)) for setup in setups]
    at_home = [(setup, own) for setup, own in known if own is not None and f"{own.origin}/{game}.toml" in texts]
    return [
        (_opened_under(under, setup), frozenset() if own is None else frozenset(own.wagers) - frozenset(under.wagers))
        for setup, own in at_home or known
    ]


def _own_rules(packs: Packs, setup: TableSetup, day: date) -> GameRules | None:
    """What the table is opened under otherwise, where there is such a pack."""
    try:
        return packs.rules_for(setup.rules, day, setup.game)
    except RuleError:
        return None


def _opened_under(rules: GameRules, setup: TableSetup) -> TableSetup:
    """The same table under these rules: their pack's name, and options and limits as they have them."""
    options = _options(rules, setup.options)
    opened = msgspec.structs.replace(setup, rules=rules.pack, options=options, chip_unit=_chip(rules, setup.chip_unit))
    ways = [msgspec.structs.replace(opened, limits=limits) for limits in _limits(rules, setup.limits)]
    return next((way for way in ways if not _faults(rules, way)), ways[0])


def _faults(rules: GameRules, setup: TableSetup) -> list[tuple[str, str]]:
    """What an audit would say of this opening."""
    return games.setup_faults(
        rules,
        currency=setup.currency,
        chip_unit=setup.chip_unit,
        rounding=setup.rounding,
        limits=setup.limits,
        options=setup.options,
        decks=setup.decks,
    )


def _chip(rules: GameRules, unit: int) -> int:
    """The table's smallest chip, so small that what the house posts can be laid with it."""
    for limit in rules.house.limits.values() if rules.house is not None else ():
        unit = gcd(unit, *(limit.values() if isinstance(limit, dict) else (limit,)))
    return unit


def _options(rules: GameRules, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those that the rules know, each at the nearest value that they allow, and what a house has chosen."""
    found: dict[str, Any] = {}
    for name, value in options.items():
        if name in rules.options:
            try:
                rules.options[name].read(value)
                found[name] = value
            except NotAllowed as fault:
                found[name] = _plain(fault.legal)
    for name, option in rules.options.items():
        if option.law.house and name not in options:
            found[name] = _plain(option.default)
    return {name: value for name, value in found.items() if value is not None}


def _plain(value: Any) -> Any:
    """An option's value as an event says it; None where a decimal number cannot."""
    if not isinstance(value, Fraction):
        return value
    number = float(value)
    return int(value) if value.denominator == 1 else number if Fraction(str(number)) == value else None


def _limits(rules: GameRules, limits: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the table may post, the likest first: what the house's rules have, over its own; and where they have bounds
    for all wagers, its own bounds of single wagers last of all."""
    house = rules.house.limits if rules.house is not None else {}
    mixed = {name: limit for name, limit in limits.items() if not isinstance(limit, dict) or name in rules.wagers}
    for name, theirs in house.items():
        own = mixed.get(name)
        mixed[name] = _within({**own, **theirs}, theirs) if isinstance(own, dict) else theirs
    mixed = _within(mixed, house)
    if not house.keys() & {"min", "max"}:
        return [mixed]
    return [{name: limit for name, limit in mixed.items() if not isinstance(limit, dict) or name in house}, mixed]


def _within(bounds: dict[str, Any], house: Mapping[str, Any]) -> dict[str, Any]:
    """Of a minimum above a maximum, the one that is not the house's gives way."""
    if "max" not in bounds or bounds.get("min", 0) <= bounds["max"]:
        return bounds
    if "max" in house:
        return {**bounds, "min": bounds["max"]}
    return {name: bound for name, bound in bounds.items() if name != "max"}
