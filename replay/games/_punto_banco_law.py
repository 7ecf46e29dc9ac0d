"""What punto banco asks of its pack, and what its wagers win: the law as data, and the rulings that follow it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from replay.baccarat_hands import NATURALS, Ending
from replay.cards import RANKS
from replay.games._law_parts import Multiples, ThirdCards, VoidLaw, check_prices_by_choice
from replay.law import (
    ONE_PRICE,
    Count,
    GameLaw,
    LawTable,
    OptionLaw,
    OptionValues,
    Passage,
    Passages,
    Provision,
    WagerLaw,
)
from replay.money import Price
from replay.rules import Wager

PUSH: Final = Price(0)
"""Nothing is won, and the stake comes back."""
HALF_ON_SIX: Final = "half_on_6"
"""The choice of ``banker_pay`` by which a bank that wins with six has a price of its own, ``six``."""
DRAGON_7: Final = "dragon_7"
"""The choice of ``banker_pay`` by which a bank that wins with seven in three cards gives the stakes back."""
COMMISSIONS: Final = ("commission_5", "commission_4")
"""Those by which the house has a commission of what the bank wins."""
LATER: Final = "later"
"""The choice of ``collection`` by which wins are paid in full and the commission is collected afterwards."""
FIRST_CARD: Final = "first_card"
AS_MANY_AS_DECKS: Final = "decks"
"""Choices of ``burn``: as the first card turned says; as many in all as there are decks."""
MOST_BURNED: Final = 13
MARGINS: Final = range(4, 10)
"""By so much a hand without a natural must win for the dragon bonus."""
NATURAL: Final = "natural"
PICKED: Final = ("player", "banker")


class PuntoBancoWager(WagerLaw):
    """A wager, and where it is offered."""

    needs_option: Mapping[str, bool | int | str] = {}
    """Only where these options have these values."""


class TiePart(Provision):
    """The most that a tie may stake is the table's maximum divided by this."""

    part_of_maximum: int = Field(ge=1)


class Counted(Provision):
    """How stakes are added up: a box is one seat and one wager, which its players share; a player has one stake on a
    wager (and pick) in all, wherever it lies."""

    by: Literal["box", "player"]


class Limits(LawTable):
    """How stakes are added up, by boxes where nothing is said, and what bounds the table's own limits."""

    counted: Counted | None = None
    table: Multiples | None = None
    tie: TiePart | None = None


class Packs(Provision):
    """Of how many packs of cards the shoe is made: the law's number, or an option's."""

    decks: int | None = Field(default=None, ge=1)
    decks_option: str | None = None


class CutCardLaw(Provision):
    """How many coups may begin once the cut card is out, and how many cards are left below it, where the law says."""

    cards_below: Count | None = None
    more_coups: Count = 0


class Burning(Provision):
    """How many cards are burned after the first one, by its rank; or as the house says."""

    values: Mapping[Annotated[str, Field(pattern=f"^[{RANKS}]$")], Count]
    option: str | None = None

    @model_validator(mode="after")
    def _each_rank(self) -> Self:
        missing = [rank for rank in RANKS if rank not in self.values]
        if missing:
            raise ValueError(f"values: a number of cards for each rank; there is none for {missing[0]}")
        return self


class PuntoBancoPassages(Passages):
    """What is cited beside the tables."""

    limits: Passage
    tie: Passage
    """That gives stakes on either hand back."""
    dealing: Passage
    """The call before the first card, and the order of the first four."""
    drawing: Passage
    """Who has a third card, by the tables alone."""
    missing_card: Passage
    """That voids the coup."""
    commission: Passage
    """What the house has of the bank's wins, and how it comes to it."""


class PuntoBancoLaw(GameLaw):
    """What punto banco asks of its pack. The bank and the tie have one price where no option says it."""

    known_wagers = frozenset(
        {"player", "banker", "tie", "dragon_bonus", "dragon_7", "panda_8", "pair", "lucky_6"}
    )  # fmt: skip
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **dict.fromkeys(("player", "dragon_7", "panda_8", "pair"), (ONE_PRICE,)),
        "dragon_bonus": (NATURAL, *map(str, MARGINS)),
        "lucky_6": ("2", "3"),
    }
    option_values: ClassVar[OptionValues] = {
        "banker_pay": (*COMMISSIONS, HALF_ON_SIX, DRAGON_7),
        "collection": ("netted", LATER),
        "tie_pays": "choice",
        "dragon_bonus": "flag",
        "decks": "int",
        "burn": (FIRST_CARD, AS_MANY_AS_DECKS, *range(1, MOST_BURNED + 1)),
        "bets_per_box": "int",
        "stake_multiple": "flag",
    }
    known_options = frozenset(option_values)

    passages: PuntoBancoPassages
    wagers: Mapping[str, PuntoBancoWager] = {}
    limits: Limits = Limits()
    shoe: Packs
    cut_card: CutCardLaw | None = None
    burning: Burning
    third_cards: ThirdCards
    void: VoidLaw

    @property
    def shoe_decks(self) -> int:
        return self.shoe.decks or 0

    @property
    def decks(self) -> tuple[int, ...]:
        """Every number of packs that a table may have."""
        if self.shoe.decks is not None:
            return (self.shoe.decks,)
        option = self.option_decks
        assert option is not None and option.least is not None and option.most is not None
        return tuple(range(int(option.least), int(option.most) + 1))

    @property
    def option_decks(self) -> OptionLaw | None:
        """The option that says how many packs there are."""
        return self.options.get(self.shoe.decks_option or "")

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        check_prices_by_choice(self, "banker", "banker_pay")
        check_prices_by_choice(self, "tie", "tie_pays")
        bank, pay = self.wagers.get("banker"), self.options.get("banker_pay")
        if bank is not None and pay is not None and HALF_ON_SIX in pay.choices:
            if not isinstance(bank.pays, dict) or "six" not in bank.pays:
                raise ValueError(f"wagers.banker.pays.six: is missing: what {HALF_ON_SIX} pays where six wins")
        if (self.shoe.decks is None) == (self.shoe.decks_option is None):
            raise ValueError("shoe: either decks or decks_option")
        self._decks_of_an_option()
        if self.burning.option is not None and self.burning.option not in self.options:
            raise ValueError(f"burning.option: there is no option {self.burning.option}")
        for name in ("dragon_bonus", "pair"):
            if name in self.wagers and (not self.wagers[name].picks or set(self.wagers[name].picks) - set(PICKED)):
                raise ValueError(f"wagers.{name}.picks: one or both of {', '.join(PICKED)}")
        for name, wager in self.wagers.items():
            for option in wager.needs_option:
                if option not in self.options:
                    raise ValueError(f"wagers.{name}.needs_option: there is no option {option}")
        return self

    def _decks_of_an_option(self) -> None:
        name = self.shoe.decks_option
        if name is None:
            return
        option = self.options.get(name)
        if option is None or option.kind != "int":
            raise ValueError(f"shoe.decks_option: an option of kind int (there is no such option {name})")
        if option.least is None or option.most is None or (option.default is None and option.only is None):
            raise ValueError(f"options.{name}: has least, most and a default")
        if option.least < 1 or option.most > 100:
            raise ValueError(f"options.{name}.least: from 1 to 100 packs")


# --- the rulings ------------------------------------------------------------------------------------------------------


class Coup(NamedTuple):
    """What decides the wagers."""

    ending: Ending
    pairs: Mapping[str, bool]
    """By hand: whether its first two cards are of one rank."""


def price(wager: Wager, options: Mapping[str, Any]) -> Price | None:
    """The one price of a wager at a table with these options; None where it hangs on the coup."""
    if wager.price is not None:
        return wager.price
    if wager.id == "tie":
        return wager.prices[str(options["tie_pays"])]
    return wager.prices[options["banker_pay"]] if wager.id == "banker" else None


def ruling(wager: Wager, pick: str, coup: Coup, options: Mapping[str, Any]) -> Price | None:
    """What a wager wins by this coup; None when it loses. ``pick``: the hand that it is on, where there are two."""
    player, banker, of_player, of_banker = coup.ending
    pays = price(wager, options)
    match wager.id:
        case "tie":
            return pays if player == banker else None
        case "player":
            return PUSH if player == banker else pays if player > banker else None
        case "banker":
            return _of_the_bank(wager, coup.ending, options)
        case "dragon_7":
            return pays if banker == 7 > player and of_banker == 3 else None
        case "panda_8":
            return pays if player == 8 > banker and of_player == 3 else None
        case "lucky_6":
            return wager.prices[str(of_banker)] if banker == 6 > player else None
        case "pair":
            return pays if coup.pairs[pick] else None
        case "dragon_bonus":
            return _bonus(wager, pick, coup.ending)
    raise AssertionError(wager.id)


def _of_the_bank(wager: Wager, ending: Ending, options: Mapping[str, Any]) -> Price | None:
    player, banker = ending.player, ending.banker
    if player == banker:
        return PUSH
    if player > banker:
        return None
    pay = options.get("banker_pay")
    if pay == HALF_ON_SIX and banker == 6:
        return wager.prices["six"]
    if pay == DRAGON_7 and banker == 7 and ending.of_banker == 3:
        return PUSH
    return price(wager, options)


def _bonus(wager: Wager, pick: str, ending: Ending) -> Price | None:
    """The dragon bonus: a natural that wins, or a hand without one that wins by so much; equal naturals push."""
    own, other = (ending.player, ending.banker) if pick == "player" else (ending.banker, ending.player)
    cards, others = (ending.of_player, ending.of_banker) if pick == "player" else (ending.of_banker, ending.of_player)
    natural = cards == 2 and own in NATURALS
    if own == other:
        return PUSH if natural and others == 2 else None
    if own < other:
        return None
    return wager.prices[NATURAL] if natural else wager.prices.get(str(own - other))
