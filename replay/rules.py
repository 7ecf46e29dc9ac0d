"""Rules in memory: what a rule pack says of a game, and what one table makes of it.

Numbers, options and their legal bounds are a pack's (`replay.packs`), each with its passage; what they do is in the
game's file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from replay.errors import RetallyError
from replay.law import GameLaw, OptionLaw, WagerLaw, read_fraction
from replay.money import Price, payout, shown

L = TypeVar("L", bound=GameLaw)
W = TypeVar("W", bound=WagerLaw)


class RuleError(RetallyError):
    """A rule pack, a jurisdiction, a game or an option that does not exist or is not allowed: one clear line."""


class NotAllowed(RuleError):
    """A value that the regulation does not allow the house to choose; ``legal`` is the nearest that it does."""

    def __init__(self, message: str, legal: Any) -> None:
        super().__init__(message)
        self.legal = legal


class Wager:
    """One wager of a game: its price or prices, the picks it takes, the passage it stands in."""

    __slots__ = ("id", "law", "name", "passage", "picks", "price", "prices")

    def __init__(self, wager: str, law: WagerLaw) -> None:
        self.id = wager
        self.law = law
        """All that the pack says of it."""
        self.name = law.name
        """What the regulation calls it."""
        self.passage = law.passage
        self.picks = law.picks
        """The picks allowed; empty where the wager has none, or the game's module judges them."""
        self.price: Price | None = law.pays if isinstance(law.pays, Price) else None
        self.prices: dict[str, Price] = law.pays if isinstance(law.pays, dict) else {}
        """Where the price hangs on the pick or the result: by its text."""

    def law_as(self, kind: type[W]) -> W:
        """All that the pack says of it, as the game's own model of a wager."""
        assert isinstance(self.law, kind), (self.id, type(self.law), kind)
        return self.law


class Option:
    """A choice left to the house: its ``kind`` (flag, int, fraction, choice, table, list) and its legal bounds."""

    __slots__ = ("choices", "default", "id", "kind", "law", "least", "most", "passage")

    def __init__(self, option: str, law: OptionLaw) -> None:
        self.id = option
        self.law = law
        """All that the pack says of it."""
        self.kind = law.kind
        self.passage = f"{law.house}; {law.passage}" if law.house else law.passage
        """A house's own rules go before the law that they narrow."""
        self.choices = law.choices
        self.least = law.least
        self.most = law.most
        self.default: Any = law.default if law.only is None else law.only
        if self.kind == "fraction" and self.default is not None:
            self.default = Fraction(str(self.default))

    def read(self, value: Any) -> Any:
        """The value as the game uses it; raises `NotAllowed` for one that the regulation or the house excludes,
        `RuleError` for one that is of the wrong kind."""
        found = self._within(value)
        if self.law.only is not None and found != self.default:
            raise NotAllowed(f"option {self.id}: the house's rules have {self.law.only}, not {value}", self.default)
        return found

    def _within(self, value: Any) -> Any:
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
        if kind == "fraction" and isinstance(value, str):
            try:
                value = read_fraction(value)
            except ValueError:
                raise RuleError(f"option {self.id}: a number, or a fraction as in '5/2', not {value!r}") from None
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
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


class HouseLimits(NamedTuple):
    """What a house's own rules say that its tables post, within what the law lets them (`Table.limits`)."""

    limits: Mapping[str, Any]
    passage: str


class GameRules:
    """What one pack says of one game."""

    __slots__ = ("data", "digest", "game", "house", "law", "options", "origin", "pack", "source", "title", "wagers")

    def __init__(
        self,
        pack: str,
        origin: str,
        law: GameLaw,
        data: Mapping[str, Any],
        house: HouseLimits | None = None,
        *,
        digest: str = "",
    ) -> None:
        self.pack = pack
        self.origin = origin
        """The pack whose text this is: another than ``pack`` where the game is taken over."""
        self.law = law
        """All that it says, checked."""
        self.data = data
        """The same as plain tables, to be shown."""
        self.house = house
        """The limits that the house's own rules give its tables; None where the pack is no house's."""
        self.digest = digest
        """SHA-256 (hexadecimal) of the texts that say it (`replay.packs.Packs.digest`); empty where there are none."""
        self.game = law.game
        self.title = law.title
        self.source = law.source
        self.wagers = {name: Wager(name, wager) for name, wager in law.wagers.items()}
        self.options = {name: Option(name, option) for name, option in law.options.items()}

    def law_as(self, needs: type[L]) -> L:
        """What it says, as the game's own model."""
        assert isinstance(self.law, needs), (self.game, type(self.law), needs)
        return self.law


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
        self.faults: list[tuple[str, str]] = []
        """What the regulation or the house's own rules do not allow of how the table was set up, as (passage,
        sentence); of an option, the nearest legal value is used."""
        self.limits: dict[str, Any] = {}
        self.minimum = 0
        self.maximum: int | None = None
        self.post(limits or {})
        self.options: dict[str, Any] = {option.id: option.default for option in rules.options.values()}
        chosen = dict(options or {})
        if decks is not None and "decks" in rules.options:
            chosen.setdefault("decks", decks)
        for key, value in chosen.items():
            if key not in rules.options:
                known = ", ".join(sorted(rules.options)) or "none"
                raise RuleError(f"option {key}: {rules.game} under {rules.pack} has no such option (it has: {known})")
            option = rules.options[key]
            try:
                self.options[key] = option.read(value)
            except NotAllowed as fault:
                self.options[key] = fault.legal
                self.faults.append((option.passage, str(fault)))

    def post(self, limits: dict[str, Any]) -> None:
        """From now on these limits hold, and none but these. Raises `RuleError` for one of the wrong kind."""
        for key, value in limits.items():
            if isinstance(value, dict) == (key in ("min", "max")):
                shape = "an amount" if key in ("min", "max") else f"a table, as in {key}: {{min: 500, max: 5000}}"
                raise RuleError(f"limits.{key}: {shape}, not {value}")
        self.limits = self._posted(limits)
        self.minimum = self.limits.get("min", 0)
        self.maximum = self.limits.get("max")

    def _posted(self, limits: dict[str, Any]) -> dict[str, Any]:
        """The limits that hold: those of the house's own rules, where the table posts none of its own within them."""
        house = self.rules.house
        if house is None:
            return limits
        for place, ours, theirs in _bounds(house.limits, limits):
            if place.endswith("min") and theirs < ours:
                text = f"limits.{place} is {shown(theirs, self.currency)}; the house's rules have {{}} at least"
            elif place.endswith("max") and theirs > ours:
                text = f"limits.{place} is {shown(theirs, self.currency)}; the house's rules have {{}} at most"
            else:
                continue
            self.faults.append((house.passage, text.format(shown(ours, self.currency))))
        posted = {**house.limits, **limits}
        for key, own in house.limits.items():
            if isinstance(own, dict) and isinstance(limits.get(key), dict):
                posted[key] = {**own, **limits[key]}
        return posted

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


def _bounds(house: Mapping[str, Any], table: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """The amounts that both name: ``("max", 100000, 200000)``, ``("tie.max", …)``."""
    for key, ours in house.items():
        theirs = table.get(key)
        if isinstance(ours, dict):
            if isinstance(theirs, dict):
                yield from ((f"{key}.{place}", first, second) for place, first, second in _bounds(ours, theirs))
        elif theirs is not None:
            yield key, ours, theirs
