"""What the poker games against the house ask of their pack (AD-2022, games 15, 18, 20, 22, pòquer de contrapartida).

They share one form: places, a deal, stakes before the deal with their limits, and the stakes that answer cards, each so
many times the ante.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from replay.hands import FIVE, Ranking
from replay.law import Fault, GameLaw, LawTable, Passage, Passages, Provision, Several, WagerLaw, nearest
from replay.money import Price

Positive = Annotated[int, Field(ge=1)]
Rank = Literal["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"]


def hand_of(ranking: Ranking) -> AfterValidator:
    """A text that names a class of hands of this ranking."""

    def known(name: str) -> str:
        if name not in ranking.order:
            raise ValueError(f"one of {', '.join(ranking.order)}")
        return name

    return AfterValidator(known)


HandOfFive = Annotated[str, hand_of(FIVE)]


class Places(Provision):
    """How many there are at the table."""

    most: Positive


class Deal(Provision):
    """How many cards a place and the dealer get. A game says how many its rulings can compare."""

    own: Positive
    dealer: Positive


class DealWithBoard(Deal):
    """Two cards each, and five that all share: the first three, then one, then one."""

    own: Literal[2]
    dealer: Literal[2]
    board: Literal[5]


class Exposed(Provision):
    """Cards found face up in the pack: with how many of them a deal is void."""

    void_at: Positive


class LeastOfFive(Provision):
    """A bound among hands of five cards: a class, and the deciding ranks that it begins with."""

    hand: HandOfFive
    ranks: Annotated[Several[Rank], Field(max_length=5)]

    @property
    def bound(self) -> int:
        """The lowest rank that reaches it."""
        return FIVE.least(self.hand, *self.ranks)


class HandBonus(Provision):
    """What a stake wins by its own hand besides, won or lost: a game has one with a price for each hand."""

    @cached_property
    def prices(self) -> dict[str, Price]:
        """By the hand's name, those that it pays."""
        named = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: price for name, price in named.items() if isinstance(price, Price)}


class Multiples(LawTable):
    """Two multiples of an amount, within which another lies."""

    least_multiple: Positive | None = None
    most_multiple: Positive | None = None

    @model_validator(mode="after")
    def _both_or_none(self) -> Multiples:
        least, most = self.least_multiple, self.most_multiple
        if (least is None) != (most is None) or (least is not None and most is not None and least > most):
            raise ValueError("least_multiple and most_multiple together, the second no less than the first")
        return self


class Band(Multiples, Provision):
    """How high the posted maximum of a wager may be: so many times its minimum, or within two multiples of it."""

    multiples: Several[Positive] = ()

    @model_validator(mode="after")
    def _one_form(self) -> Band:
        if bool(self.multiples) == (self.least_multiple is not None):
            raise ValueError("either multiples, or least_multiple and most_multiple")
        return self


class HousePokerWager(Multiples, WagerLaw):
    """A wager; one that answers cards is so many times the ante, or within two multiples of it."""

    multiple: Positive | None = None

    @property
    def answers(self) -> bool:
        """It says how many times the ante it is."""
        return self.multiple is not None or self.least_multiple is not None

    @model_validator(mode="after")
    def _one_form(self) -> HousePokerWager:
        if self.multiple is not None and self.least_multiple is not None:
            raise ValueError("either multiple, or least_multiple and most_multiple")
        return self


class HousePokerPassages(Passages):
    """What is cited beside the tables."""

    pack: Passage
    """One deck of 52."""
    misdeal: Passage
    """A wrong number of cards makes the round void."""
    limits: Passage
    """Every stake before the deal keeps to the posted limits."""


class HousePokerLaw(GameLaw):
    """What all these games ask of their pack."""

    before_deal: ClassVar[tuple[str, ...]] = ("ante",)
    """The wagers that go down before the cards; every other one answers cards."""
    hands_paid: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Of wagers whose price hangs on a hand: the hands that their table may pay. It need not pay all of them."""

    passages: HousePokerPassages
    wagers: Mapping[str, HousePokerWager] = {}
    places: Places
    deal: Deal
    exposed: Exposed
    limits: Mapping[str, Band] = {}
    """Of stakes before the deal; where a wager has none, the house posts what it likes."""

    @cached_property
    def ante_bonus(self) -> dict[str, Price]:
        """What the ante wins by its own hand besides, won or lost, by the hand's name."""
        return {}

    def faults(self) -> Iterator[Fault]:
        """Limits of stakes that have them, answers that are so many times the ante, hands that there are."""
        for name in self.limits:
            if name not in self.before_deal:
                known = ", ".join(self.before_deal)
                yield Fault(
                    f"limits.{name}", f"no stake before the deal (there are: {known}){nearest(name, self.before_deal)}"
                )
        for name, wager in self.wagers.items():
            if name not in (self.known_wagers or ()):
                continue  # it is told that there is no such wager
            early = name in self.before_deal
            if early and wager.answers:
                yield Fault(f"wagers.{name}", "goes down before the deal: it is no multiple of the ante")
            elif not early and not wager.answers:
                yield Fault(f"wagers.{name}.multiple", "is missing: how many times the ante it is")
            hands = self.hands_paid.get(name)
            if hands is None:
                continue
            if isinstance(wager.pays, dict):
                for hand in wager.pays:
                    if hand not in hands:
                        yield Fault(f"wagers.{name}.pays.{hand}", f"no such hand{nearest(hand, hands)}")
            elif name not in self.prices_needed:
                yield Fault(f"wagers.{name}.pays", f"a price by hand, as in {{ {hands[0]} = '3/2' }}")
