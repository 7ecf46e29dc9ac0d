"""What craps asks of its pack: the wagers that its code can rule on, and all that the laws say of them in data."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from replay.law import (
    ONE_PRICE,
    Count,
    GameLaw,
    LawTable,
    OptionLaw,
    OptionValues,
    Provision,
    Ratio,
    Several,
    WagerLaw,
)

NATURALS: Final = (7, 11)
CRAPS: Final = (2, 3, 12)
POINTS: Final = (4, 5, 6, 8, 9, 10)
MADE: Final = {point: Fraction(6 - abs(7 - point), 12 - abs(7 - point)) for point in POINTS}
"""The chance that a point comes before the 7."""
LINES: Final = ("pass_line", "dont_pass")
COMES: Final = ("come", "dont_come")
ODDS: Final = {
    "pass_odds": "pass_line",
    "dont_pass_odds": "dont_pass",
    "come_odds": "come",
    "dont_come_odds": "dont_come",
}
"""Odds wager -> the line wager that it follows."""
FIELD: Final = (2, 3, 4, 9, 10, 11, 12)
WAYS: Final = {total: 6 - abs(total - 7) for total in range(2, 13)}
"""In how many of the 36 ways each total comes."""
NUMBERED: Final = frozenset({"hard_way", "place_right", "place_wrong", "buy", "lay", "big_6_8", "big_5_9", "big_4_10"})
"""Wagers on a number that the player picks."""
ONE_THROW: Final = frozenset({"seven", "big_7", "eleven", "any_craps", "craps_2", "craps_3", "craps_12"})
COMBINED: Final[Mapping[str, tuple[str, ...]]] = {
    "horn": ("2", "3", "11", "12"),
    "horn_high": ("2", "3", "11", "12", "high_2", "high_3", "high_11", "high_12"),
    "world": ("2", "3", "7", "11", "12"),
    "c_and_e": ("2", "3", "11", "12"),
}
"""Wagers for one throw of several parts on one stake, and what their prices hang on: the total, the high one by itself.
A horn may have one price for all."""
PICKS: Final[Mapping[str, tuple[int, ...]]] = {
    "horn_high": (2, 3, 11, 12),
    "hop": tuple(10 * low + high for low in range(1, 7) for high in range(low, 7)),
}
"""What else is picked: the high one of a horn; two faces, the smaller first."""
HOP: Final = ("double", "other")
FIRE: Final = "fire"
FIRE_POINTS: Final = ("4", "5", "6")
"""So many different points made have a price."""
SIMPLE: Final = frozenset({"field", "big_6", "big_8", "under_7", "over_7"})
ON_PLACING: Final = "on_placing"
ON_WINNING: Final = "on_winning"
"""When the vigorish is taken: beside the stake, or off what a bet wins."""
_CALLED: Final = frozenset({"place_right", "place_wrong", "buy", "lay", "hard_way", "big_6", "big_8", *ODDS})
"""What may lie for several throws and be called on or off."""
Number = Annotated[int, Field(ge=2, le=12)]
ByNumber = dict[str, Ratio]
"""By the number, as text."""


class CrapsWager(WagerLaw):
    """A wager, and what only some of them have."""

    bar: Number | None = None
    """The total that stands off: of don't pass and don't come."""
    unit: Count = 0
    """Each full unit of the stake (minor units) is paid at the price, the rest even; 0: the price holds for any."""
    pays_option: Mapping[str, str] = {}
    """By number or total: the option in which the house says what it pays."""
    needs_option: str | None = None
    """Offered only where this option is true."""


class CrapsOption(OptionLaw):
    """An option, and where a choice of it stands for several numbers."""

    by_number: Mapping[str, ByNumber] = {}


class Contract(Provision):
    """Wagers that must be played out."""

    wagers: Several[str]


class Minimum(Provision):
    """IV.2."""


class Limit(Provision):
    """IV.2: what the maximum of these wagers is measured by."""

    wagers: Several[str]
    least_multiple: Count | None = None
    most_multiple: Count | None = None
    """Of the minimum."""
    gain_option: str | None = None
    """The option that says how many times the table's maximum they may win."""
    per_cent: dict[str, Count] | None = None
    """By number: of the table's maximum."""
    of_line: Literal["stake", "win"] | None = None
    """They are odds, and their stake (or their win) is measured by the line bet's stake."""
    most: ByNumber | None = None
    """By number: that measure."""
    most_option: str | None = None
    """Or the option in which the house says it."""
    cuts_win: bool = False
    """All odds on a line bet together win no more than its stake."""


class Void(Provision):
    """IV.4, null throws."""

    grounds: Several[str]


class DiceChange(Provision):
    """IV.4: after which throws the dice may be changed within a series."""

    after: Several[str]


class LineBet(Provision):
    """What the shooter must have on a line: the minimum, or anything."""

    least: Literal["minimum", "any"]


class Rotation(Provision):
    """The dice change hands on the 7 that loses. Who throws next is seen at the next come-out throw; ``named``: at the
    next one that names a seat."""

    named: bool = False


class Shooter(LawTable):
    """Who throws."""

    line_bet: LineBet | None = None
    rotation: Rotation | None = None


class ComeOut(Provision):
    """What does not work while no point is on, unless the house says so."""

    rest: Several[str]
    unless_option: str


class Calls(Provision):
    """Wagers that a player may call on or off between throws."""

    wagers: Several[str]


class Vigorish(Provision):
    """The house's part of bought and laid bets: so much of the stake, or of what they would win."""

    rate: Annotated[Ratio, Field(gt=0, lt=1)]
    of_stake: Several[str] = ()
    of_win: Several[str] = ()
    when_option: str
    """When it is taken."""
    unit_option: str
    """It is rounded to this, and no less than it."""
    rounding_option: str


class Payable(Provision):
    """No stake is taken whose win cannot be paid in the table's chips."""


class Closing(Provision):
    """The last throws of the table, and how many must be announced."""

    last: Count | None = None


class CrapsLaw(GameLaw):
    """What craps asks of its pack."""

    known_wagers = frozenset({*LINES, *COMES, *ODDS, *NUMBERED, *ONE_THROW, *SIMPLE, *COMBINED, "hop", FIRE})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **dict.fromkeys((*LINES, *COMES, *ONE_THROW, *SIMPLE - {"field"}), (ONE_PRICE,)),
        **{name: keys for name, keys in COMBINED.items() if name != "horn"},
        "hop": HOP,
        FIRE: FIRE_POINTS,
    }
    option_values: ClassVar[OptionValues] = {
        "vigorish": (ON_PLACING, ON_WINNING),
        "vig_rounding": ("down", "nearest", "up"),
        "vig_unit": "int",
        "fire_bet": "flag",
    }
    known_options = frozenset(
        {
            *("multiples_of_min", "multiple_gain_factor", "odds_multiple", "working_on_comeout"),
            *("field_2", "field_12", *option_values),
        }
    )

    wagers: Mapping[str, CrapsWager]
    options: Mapping[str, CrapsOption] = {}
    contract: Contract
    limits: Mapping[str, Minimum | Limit]
    void: Void
    dice_change: DiceChange | None = None
    shooter: Shooter = Shooter()
    come_out: ComeOut | None = None
    calls: Calls | None = None
    vigorish: Vigorish | None = None
    payable: Payable | None = None
    closing: Closing

    @property
    def contract_wagers(self) -> frozenset[str]:
        return frozenset(self.contract.wagers)

    @property
    def minimum(self) -> Minimum:
        """Where the minimum stands."""
        found = self.limits["minimum"]
        assert isinstance(found, Minimum)
        return found

    @property
    def maxima(self) -> tuple[Limit, ...]:
        """What bounds each kind of wager."""
        return tuple(limit for limit in self.limits.values() if isinstance(limit, Limit))

    @model_validator(mode="after")
    def holds_together(self) -> Self:
        """Whatever may lie on a number has a price and a bound there, and every option named is there."""
        if type(self.limits.get("minimum")) is not Minimum:
            raise ValueError("limits.minimum: is missing: where the minimum stands")
        for name, wager in self.wagers.items():
            self._is_priced(name, wager)
        for name, limit in self.limits.items():
            if isinstance(limit, Limit):
                self._is_bounded(f"limits.{name}", limit)
        if self.come_out is not None:
            self._is_option("come_out.unless_option", self.come_out.unless_option, "flag")
        if self.calls is not None:
            wrong = sorted(set(self.calls.wagers) - _CALLED)
            if wrong:
                raise ValueError(f"calls.wagers: bets that stay for several throws, and no line bet, not {wrong[0]}")
        self._has_vigorish()
        return self

    def _has_vigorish(self) -> None:
        law = self.vigorish
        owing = () if law is None else (*law.of_stake, *law.of_win)
        for name in ("buy", "lay"):
            if name in self.wagers and name not in owing:
                raise ValueError(f"vigorish: is missing: what the house has of a {name} bet")
        if law is None:
            return
        if set(owing) - {"buy", "lay"} or len(owing) != len(set(owing)):
            raise ValueError("vigorish.of_stake: buy and lay, each of its stake or of its win")
        self._is_option("vigorish.when_option", law.when_option, "choice")
        self._is_option("vigorish.unit_option", law.unit_option, "int")
        self._is_option("vigorish.rounding_option", law.rounding_option, "choice")
        least = self.options[law.unit_option].least
        if least is None or least < 1:
            raise ValueError(f"options.{law.unit_option}.least: 1 or more")

    def _is_priced(self, name: str, wager: CrapsWager) -> None:
        place = f"wagers.{name}"
        if name in ("dont_pass", "dont_come") and wager.bar is None:
            raise ValueError(f"{place}.bar: is missing: the total that stands off")
        if name in NUMBERED and not wager.picks:
            raise ValueError(f"{place}.picks: is missing: the numbers that it may be laid on")
        if name in NUMBERED and not all(pick in POINTS for pick in wager.picks):
            raise ValueError(f"{place}.picks: numbers of {', '.join(map(str, POINTS))}")
        if name in PICKS and (not wager.picks or not set(wager.picks) <= set(PICKS[name])):
            raise ValueError(f"{place}.picks: some of {', '.join(map(str, PICKS[name]))}")
        if wager.needs_option is not None:
            self._is_option(f"{place}.needs_option", wager.needs_option, "flag")
        for option in wager.pays_option.values():
            self._is_option(f"{place}.pays_option", option, "choice")
        if wager.pays is None:
            raise ValueError(f"{place}.pays: is missing: a price, as in '3/2', or one by number")
        if isinstance(wager.pays, dict) and "other" not in wager.pays and name not in self.prices_needed:
            keys = POINTS if name in ODDS else wager.picks if name in NUMBERED else COMBINED.get(name, FIELD)
            for key in map(str, keys):
                if key not in wager.pays and key not in wager.pays_option:
                    raise ValueError(f"{place}.pays.{key}: is missing: a price, as in '3/2'")

    def _is_bounded(self, place: str, limit: Limit) -> None:
        for name in limit.wagers:
            if name not in self.wagers:
                continue  # a pack may offer fewer wagers than it bounds
            numbers = POINTS if name in ODDS else self.wagers[name].picks
            for key in map(str, numbers):
                for field, table in (("per_cent", limit.per_cent), ("most", limit.most)):
                    if table is not None and key not in table:
                        raise ValueError(f"{place}.{field}.{key}: is missing")
            if limit.of_line is None and (limit.per_cent is not None) and not numbers:
                raise ValueError(f"{place}.per_cent: {name} is on no number")
            if (limit.of_line is not None) != (name in ODDS):
                raise ValueError(f"{place}.of_line: goes with odds, and with nothing else ({name})")
        if (limit.least_multiple is None) != (limit.most_multiple is None):
            raise ValueError(f"{place}: least_multiple and most_multiple go together")
        if limit.gain_option is not None:
            self._is_option(f"{place}.gain_option", limit.gain_option, "fraction")
            bounds = self.options[limit.gain_option]
            if bounds.least is None or bounds.most is None or bounds.default is None:
                raise ValueError(f"options.{limit.gain_option}: has least, most and a default")
        if limit.of_line is not None and (limit.most is None) == (limit.most_option is None):
            raise ValueError(f"{place}: either most or most_option")
        if limit.most_option is not None:
            self._is_option(f"{place}.most_option", limit.most_option, "choice")
            option = self.options[limit.most_option]
            for choice in option.choices:
                if not isinstance(choice, int):
                    for key in map(str, POINTS):
                        if key not in option.by_number.get(choice, {}):
                            raise ValueError(f"options.{limit.most_option}.by_number.{choice}.{key}: is missing")

    def _is_option(self, place: str, name: str, kind: str) -> None:
        if name not in self.options or self.options[name].kind != kind:
            raise ValueError(f"{place}: an option of kind {kind} (there is no such option {name})")
        if self.options[name].default is None:
            raise ValueError(f"options.{name}.default: is missing")
