"""What the laws of several games of cards have alike: tables of their packs, and what must fit together in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from replay.baccarat_hands import Drawing
from replay.law import Count, GameLaw, Provision, Several
from replay.money import Price


class ShoeLaw(Provision):
    """Of how many packs of cards the shoe is made."""

    decks: int = Field(ge=1)


Total = Annotated[int, Field(ge=0, le=7)]
"""Of two cards that are no natural."""
Value = Annotated[int, Field(ge=0, le=9)]
"""Of a card."""


class BankersTable(Provision):
    """When the banker draws a third card at baccarat."""

    banker_alone: Several[Total]
    """The totals on which he draws after a player who stood."""
    banker: Mapping[Annotated[str, Field(pattern="^[0-7]$")], Several[Value]]
    """By his total: the values of the player's third card on which he draws."""

    @model_validator(mode="after")
    def _each_total(self) -> Self:
        missing = [total for total in map(str, range(8)) if total not in self.banker]
        if missing:
            raise ValueError(f"banker.{missing[0]}: is missing: the third cards on which the banker draws")
        return self

    def drawing_after(self, player: tuple[int, ...]) -> Drawing:
        """These tables with the totals on which the player draws."""
        answers = tuple(frozenset(self.banker[str(total)]) for total in range(8))
        return Drawing(frozenset(player), frozenset(self.banker_alone), answers)


class ThirdCards(BankersTable):
    """When both hands of baccarat draw a third card, where nobody has a choice."""

    player: Several[Total]
    """The totals on which the player draws."""

    @property
    def drawing(self) -> Drawing:
        return self.drawing_after(self.player)


class VoidLaw(Provision):
    """The grounds on which a coup is void (``card_dealt.void``): cards stuck together, a fault that stays."""

    grounds: Several[str]


class Multiples(Provision):
    """The maximum that a table posts, in multiples of its minimum."""

    least_multiple: Count
    most_multiple: Count


def check_prices_by_choice(law: GameLaw, wager: str, option: str) -> None:
    """A wager has a price for each choice of the option, or one price where the pack has no such option; raises
    `ValueError` that names the key."""
    offered, chosen = law.wagers.get(wager), law.options.get(option)
    if offered is None:
        return
    if chosen is None:
        if not isinstance(offered.pays, Price):
            raise ValueError(f"wagers.{wager}.pays: one price, as in '19/20', as there is no option {option}")
        return
    prices = offered.pays if isinstance(offered.pays, dict) else {}
    missing = [str(choice) for choice in chosen.choices if str(choice) not in prices]
    if missing:
        raise ValueError(f"wagers.{wager}.pays: a price for each choice of {option}; there is none for {missing[0]}")
