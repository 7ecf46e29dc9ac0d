"""What the laws of several games of cards have alike: tables of their packs, and what must fit together in them."""

from __future__ import annotations

from pydantic import Field

from replay.law import Count, GameLaw, Provision, Several
from replay.money import Price


class ShoeLaw(Provision):
    """Of how many packs of cards the shoe is made."""

    decks: int = Field(ge=1)


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
