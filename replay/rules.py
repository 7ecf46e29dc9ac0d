"""Rule packs in memory: what a regulation says of a game in numbers, and what one table makes of it.

A pack is a folder of `replay.regulations` with a ``pack.toml`` and one file a game. Numbers, options and their legal
bounds live there, each with its passage; what they do lives in the game's module.
"""

from __future__ import annotations

import datetime
import tomllib
from decimal import Decimal
from fractions import Fraction
from typing import Any

from replay.errors import RetallyError
from replay.money import Price, payout, shown


class RuleError(RetallyError):
    """A rule pack, a jurisdiction, a game or an option that does not exist or is not allowed: one clear line."""


class NotAllowed(RuleError):
    """A value that the regulation does not allow the house to choose; ``legal`` is the nearest that it does."""

    def __init__(self, message: str, legal: Any) -> None:
        super().__init__(message)
        self.legal = legal


class Wager:
    """One wager of a game: its price or prices, the picks it takes, the passage it stands in."""

    __slots__ = ("data", "id", "name", "passage", "picks", "price", "prices")

    def __init__(self, wager: str, data: dict[str, Any]) -> None:
        self.id = wager
        self.name: str = data.get("name", "")
        """What the regulation calls it."""
        self.passage: str = data["passage"]
        self.picks: tuple[int | str, ...] = tuple(data.get("picks", ()))
        """The picks allowed; empty where the wager has none, or the game's module judges them."""
        pays = data.get("pays")
        self.price: Price | None = Price.parse(pays) if isinstance(pays, str) else None
        self.prices: dict[str, Price] = (
            {key: Price.parse(text) for key, text in pays.items()} if isinstance(pays, dict) else {}
        )
        """Where the price hangs on the pick or the result: by its text."""
        self.data = data
        """The whole table as the pack has it, for what one game alone needs."""


class Option:
    """A choice left to the house: its ``kind`` (flag, int, fraction, choice, table, list) and its legal bounds."""

    __slots__ = ("choices", "data", "default", "id", "kind", "least", "most", "passage")

    def __init__(self, option: str, data: dict[str, Any]) -> None:
        self.id = option
        self.kind: str = data["kind"]
        self.passage: str = data["passage"]
        self.default: Any = data.get("default")
        self.choices: tuple[Any, ...] = tuple(data.get("choices", ()))
        self.least: Fraction | None = Fraction(str(data["least"])) if "least" in data else None
        self.most: Fraction | None = Fraction(str(data["most"])) if "most" in data else None
        self.data = data
        if self.kind == "fraction" and self.default is not None:
            self.default = Fraction(str(self.default))

    def read(self, value: Any) -> Any:
        """The value as the game uses it; raises `NotAllowed` for one that the regulation excludes, `RuleError` for one
        that is of the wrong kind."""
        kind = self.kind
        if kind == "flag":
            if not isinstance(value, bool):
                raise RuleError(f"option {self.id}: true or false, not {value!r}")
            return value
        if kind == "choice":
            for choice in self.choices:
                if str(choice) == str(value) and not isinstance(value, bool):
                    return choice
            message = f"option {self.id}: one of {', '.join(map(str, self.choices))}, not {value}"
            raise NotAllowed(message, self.default if self.default is not None else self.choices[0])
        if kind == "table":
            if not isinstance(value, dict):
                raise RuleError(f"option {self.id}: a table of values, not {value!r}")
            return dict(value)
        if kind == "list":
            if not isinstance(value, list):
                raise RuleError(f"option {self.id}: a list of values, not {value!r}")
            return list(value)
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            raise RuleError(f"option {self.id}: a number, not {value!r}")
        number = Fraction(str(value))
        if kind == "int" and number.denominator != 1:
            raise RuleError(f"option {self.id}: a whole number, not {value}")
        if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            low, high = self.least, self.most
            bounds = f"{low} at least" if high is None else f"{high} at most" if low is None else f"{low} to {high}"
            legal = low if low is not None and number < low else high
            assert legal is not None
            raise NotAllowed(f"option {self.id}: {bounds}, not {value}", int(legal) if kind == "int" else legal)
        return int(number) if kind == "int" else number


class GameRules:
    """What one pack says of one game."""

    __slots__ = ("data", "game", "options", "origin", "pack", "source", "title", "wagers")

    def __init__(self, pack: str, origin: str, data: dict[str, Any]) -> None:
        self.pack = pack
        self.origin = origin
        """The pack whose text this is: another than ``pack`` where the game is taken over."""
        self.game: str = data["game"]
        self.title: str = data["title"]
        self.source: str = data["source"]
        self.wagers = {key: Wager(key, table) for key, table in data.get("wagers", {}).items()}
        self.options = {key: Option(key, table) for key, table in data.get("options", {}).items()}
        self.data = data
        """The whole file, for tables that one game alone needs."""


class Pack:
    """A regulation: name, dates in force, where its text is from, its games."""

    __slots__ = ("games", "in_force", "jurisdiction", "name", "repealed", "source", "title")

    def __init__(self, data: dict[str, Any]) -> None:
        self.name: str = data["name"]
        self.jurisdiction: str = data["jurisdiction"]
        self.title: str = data["title"]
        self.source: str = data["source"]
        self.in_force: datetime.date | None = data.get("in_force")
        """First day; None where the text bears no date."""
        self.repealed: datetime.date | None = data.get("repealed")
        """First day on which it no longer holds; None while it does."""
        self.games: dict[str, GameRules] = {}


def read_pack(pack_toml: str, game_tomls: list[str]) -> tuple[Pack, tuple[str, ...]]:
    """A pack from the text of its files, and the names of the packs whose other games it takes over."""
    data = tomllib.loads(pack_toml)
    pack = Pack(data)
    for text in game_tomls:
        rules = GameRules(pack.name, pack.name, tomllib.loads(text))
        pack.games[rules.game] = rules
    return pack, tuple(data.get("takes_over", ()))


class Table:
    """One table as it was opened: rules, chips, limits, options. Amounts are minor units."""

    __slots__ = (
        "casino",
        "chip_unit",
        "claims",
        "currency",
        "decks",
        "faults",
        "gaming_day",
        "limits",
        "maximum",
        "minimum",
        "name",
        "options",
        "pit",
        "rounding",
        "rules",
    )

    def __init__(
        self,
        rules: GameRules,
        *,
        name: str = "",
        casino: str = "",
        pit: str = "",
        currency: str = "EUR",
        chip_unit: int = 1,
        rounding: str = "down",
        limits: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
        decks: int | None = None,
        claims: bool = True,
        gaming_day: str = "",
    ) -> None:
        """Raises `RuleError` for an option that the pack does not know, an option or a limit of the wrong kind."""
        self.rules = rules
        self.name = name
        self.casino = casino
        self.pit = pit
        self.currency = currency
        self.chip_unit = chip_unit
        self.rounding = rounding
        self.decks = decks
        self.claims = claims
        self.gaming_day = gaming_day
        self.limits = limits or {}
        for key, value in self.limits.items():
            if isinstance(value, dict) == (key in ("min", "max")):
                shape = "an amount" if key in ("min", "max") else f"a table, as in {key}: {{min: 500, max: 5000}}"
                raise RuleError(f"limits.{key}: {shape}, not {value}")
        self.minimum: int = self.limits.get("min", 0)
        self.maximum: int | None = self.limits.get("max")
        self.faults: list[tuple[str, str]] = []
        """Options that the regulation does not allow, as (passage, sentence); the nearest legal value is used."""
        self.options: dict[str, Any] = {option.id: option.default for option in rules.options.values()}
        for key, value in (options or {}).items():
            if key not in rules.options:
                known = ", ".join(sorted(rules.options)) or "none"
                raise RuleError(f"option {key}: {rules.game} under {rules.pack} has no such option (it has: {known})")
            option = rules.options[key]
            try:
                self.options[key] = option.read(value)
            except NotAllowed as fault:
                self.options[key] = fault.legal
                self.faults.append((option.passage, str(fault)))

    def least(self, wager: str) -> int:
        """The minimum stake of a wager: its own, else the table's, else 0."""
        own = self.limits.get(wager)
        if own is not None and "min" in own:
            return int(own["min"])
        return self.minimum

    def own_most(self, wager: str) -> int | None:
        """The maximum posted for this wager itself; None where there is none."""
        own = self.limits.get(wager)
        return None if own is None else own.get("max")

    def most(self, wager: str) -> int | None:
        """The maximum stake of a wager: its own, else the table's; None where none is posted."""
        own = self.own_most(wager)
        return self.maximum if own is None else own

    def pay(self, amount: int, price: Price) -> int:
        """What ``amount`` wins at ``price``, in chips of the table, rounded as the table does."""
        return payout(amount, price.num, price.den, self.chip_unit, self.rounding)

    def shown(self, amount: int) -> str:
        """An amount for people, in the table's currency: ``12.50 EUR``."""
        return shown(amount, self.currency)

    def share(self, amount: int, num: int, den: int) -> int:
        """``num``/``den`` of ``amount`` in chips of the table, rounded as the table does."""
        return payout(amount, num, den, self.chip_unit, self.rounding)
