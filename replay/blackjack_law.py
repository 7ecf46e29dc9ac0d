"""What the games that play blackjack ask of their packs.

`HandsLaw` says how hands are played, in all of them; `BlackjackLaw` is the game itself (`replay.games.blackjack`).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from replay.blackjack_sevens import RESULTS
from replay.law import (
    ONE_PRICE,
    Count,
    GameLaw,
    LawTable,
    OptionValues,
    Passage,
    Passages,
    Provision,
    Ratio,
    Several,
    WagerLaw,
)

Positive = Annotated[int, Field(ge=1)]
Part = Annotated[Ratio, Field(ge=0, le=1)]


class ShoeLaw(Provision):
    """The cards, and what is done before the first one is dealt."""

    decks: Annotated[int, Field(ge=1, le=8)]
    burned_after_loading: Count


class BoxLaw(Provision):
    """How many stakes a box holds."""

    most_stakes: Positive


class DealerLaw(Provision):
    """How the dealer draws (`replay.blackjack_hands.DealerRule`)."""

    stands_on: Annotated[int, Field(ge=12, le=21)]


class SurrenderLaw(Provision):
    """Which part of the stake comes back when a hand is given up."""

    returned: Part


class BlackjackPassages(Passages):
    """What is cited beside the tables."""

    cards: Passage
    players: Passage
    play: Passage
    split: Passage
    double: Passage
    limits: Passage
    shoe: Passage


class BlackjackWager(WagerLaw):
    """A wager; ``insurance`` has a bound as well."""

    most: Part | None = None
    """So much of the stake that it insures."""


class HandsLaw(GameLaw):
    """The part of a game's law that says how its hands are played."""

    passages: BlackjackPassages
    shoe: ShoeLaw
    box: BoxLaw
    dealer: DealerLaw
    surrender: SurrenderLaw
    wagers: Mapping[str, BlackjackWager]

    @model_validator(mode="after")
    def _insurance_has_a_bound(self) -> Self:
        insurance = self.wagers.get("insurance")
        if insurance is not None and insurance.most is None:
            raise ValueError("wagers.insurance.most is missing: the part of a stake that may be insured, as in '1/2'")
        return self

    @property
    def shoe_decks(self) -> int:
        return self.shoe.decks

    @property
    def insured(self) -> Fraction:
        """The part of a stake that its insurances may come to; 0 where there are none."""
        insurance = self.wagers.get("insurance")
        return Fraction(0) if insurance is None or insurance.most is None else insurance.most

    @property
    def side_bets_most(self) -> Fraction | None:
        """The most of a stake on sevens, as a part of the table's minimum; None where the law sets no bound."""
        return None


class SideBetsLaw(Provision):
    """V.1.g, V.2: the most of a stake on sevens, as a part of the table's minimum."""

    most_of_minimum: Part


class MultiplesLaw(Provision):
    """V.3: which multiples of the authorised minimum the maximum of a box may be."""

    multiples: Several[Positive]


class LimitsLaw(LawTable):
    """V.3, V.1.g, V.2: what binds the stakes beside the limits that the table posts."""

    side_bets: SideBetsLaw | None = None
    main: MultiplesLaw | None = None


class BlackjackLaw(HandsLaw):
    """What blackjack asks of its pack. A pack may offer the hand alone, or side bets with it."""

    known_wagers = frozenset({"main", "insurance", "under_13", "over_13", "jackpot", "progressive"})
    needed_wagers = frozenset({"main"})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "main": ("win", "blackjack"),
        "insurance": (ONE_PRICE,),
        "under_13": (ONE_PRICE,),
        "over_13": (ONE_PRICE,),
        "jackpot": RESULTS,
    }
    option_values: ClassVar[OptionValues] = {
        "boxes": "int",
        "shoe": ("manual", "continuous"),
        "over_under_13": "flag",
        "jackpot": "flag",
        "jackpot_stake": "int",
        "jackpot_paytable": "table",
        "jackpot_pool": "int",
        "progressive": "flag",
        "progressive_stake": "int",
        "progressive_paytable": "table",
        "progressive_meter": "int",
    }
    known_options = frozenset(option_values)
    needed_options = frozenset({"boxes"})

    limits: LimitsLaw = LimitsLaw()

    @property
    def side_bets_most(self) -> Fraction | None:
        bound = self.limits.side_bets
        return None if bound is None else bound.most_of_minimum
