"""What the games that play blackjack ask of their packs.

`HandsLaw` says how hands are played, in all of them; `BlackjackLaw` is the game itself (`replay.games.blackjack`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from replay.blackjack_sevens import RESULTS, as_ratio
from replay.law import (
    ONE_PRICE,
    Count,
    Fault,
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

    decks: Annotated[int, Field(ge=1, le=8)] | None = None
    """Nothing: as many as the option ``decks`` says."""
    burned_after_loading: Count | None = None
    """Nothing: as many as the option ``burn_cards`` says."""


class BoxLaw(Provision):
    """How many stakes a box holds."""

    most_stakes: Positive | None = None
    """Nothing: as many as the option ``stakes_per_box`` says."""


class DealerLaw(Provision):
    """How the dealer draws (`replay.blackjack_hands.DealerRule`)."""

    stands_on: Annotated[int, Field(ge=12, le=21)]


class HoleCardLaw(Provision):
    """The dealer has a second card from the deal on, face down, unless the table deals without one."""


class DealersBlackjackLaw(Provision):
    """What the dealer's blackjack takes of a stake that was doubled or split."""

    takes: Literal["all", "first_stake"]
    """All of it, or what was laid before the deal."""


class SplitLaw(Provision):
    """How often a box is split where all boxes of the table are in use."""

    full_table: Positive
    """So many boxes, or more."""
    most_hands: Positive
    """So many hands a box then, whatever the house allows."""


class DoubleLaw(Provision):
    """How much is added to a stake that is doubled."""

    for_less: bool
    """As much as the stake at most, and not just as much."""


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
    stake: Positive | None = None
    """The one amount that may be staked, in minor units; nothing: within the table's limits."""


class HandsLaw(GameLaw):
    """The part of a game's law that says how its hands are played."""

    passages: BlackjackPassages
    shoe: ShoeLaw
    box: BoxLaw
    dealer: DealerLaw
    surrender: SurrenderLaw
    wagers: Mapping[str, BlackjackWager]

    @model_validator(mode="after")
    def _what_no_table_says_is_an_option(self) -> Self:
        shoe = self.shoe
        for place, value, option in (
            ("shoe.decks", shoe.decks, "decks"),
            ("shoe.burned_after_loading", shoe.burned_after_loading, "burn_cards"),
            ("box.most_stakes", self.box.most_stakes, "stakes_per_box"),
        ):
            if (value is None) != (option in self.options):
                raise ValueError(f"{place}: either here, or by an option {option} of the house")
        return self

    @model_validator(mode="after")
    def _insurance_has_a_bound(self) -> Self:
        insurance = self.wagers.get("insurance")
        if insurance is not None and insurance.most is None:
            raise ValueError("wagers.insurance.most is missing: the part of a stake that may be insured, as in '1/2'")
        return self

    @property
    def shoe_decks(self) -> int:
        return self.shoe.decks or 0

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


MATCHES: Final = ("unsuited", "suited")
"""What a card may have alike with the dealer's: the rank alone, the suit too."""
HOLE_CARD_WAGERS: Final = ("match_the_dealer", "suited")
NEEDS_HOLE_CARD: Final = "stands in a law that has a table hole_card"
OF_A_HOLE_CARD: Final = frozenset(
    {
        *("hole_card", "dealt", "soft_17", "blackjack_pays", "even_money", "double_on", "max_hands", "resplit_aces"),
        *("surrender", "additional_wager", "suited_pays", "match_the_dealer", "match_paytable"),
    }
)
"""Options that a table with a hole card follows, and no other."""


class BlackjackLaw(HandsLaw):
    """What blackjack asks of its pack. A pack may offer the hand alone, or side bets with it."""

    known_wagers = frozenset(
        {"main", "insurance", "under_13", "over_13", "jackpot", "progressive", "suited", "match_the_dealer"}
    )
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
        "decks": "int",
        "burn_cards": "int",
        "stakes_per_box": "int",
        "hole_card": ("peek", "no_peek", "no_hole"),
        "dealt": ("shoe", "hand"),
        "soft_17": ("stand", "hit"),
        "blackjack_pays": "choice",
        "even_money": "flag",
        "double_on": ("any", "ten_eleven"),
        "max_hands": "int",
        "resplit_aces": "flag",
        "surrender": ("none", "late"),
        "additional_wager": ("none", "over_under_13", "suited"),
        "suited_pays": "fraction",
        "match_the_dealer": "flag",
        "match_paytable": "table",
    }
    known_options = frozenset(option_values)
    needed_options = frozenset({"boxes"})

    limits: LimitsLaw = LimitsLaw()
    hole_card: HoleCardLaw | None = None
    """Nothing: the dealer has one card until the boxes have played, and plays by the rest of this law."""
    dealers_blackjack: DealersBlackjackLaw | None = None
    double: DoubleLaw | None = None
    split: SplitLaw | None = None
    irregularities: Provision | None = None

    @property
    def side_bets_most(self) -> Fraction | None:
        bound = self.limits.side_bets
        return None if bound is None else bound.most_of_minimum

    def faults(self) -> Iterator[Fault]:
        """Options and wagers of a table with a hole card stand in a law that has one; they are what the code takes
        them for."""
        with_hole = self.hole_card is not None
        for chosen in sorted(OF_A_HOLE_CARD):
            if with_hole != (chosen in self.options):
                text = "is missing: a law with a hole_card leaves it to the house" if with_hole else NEEDS_HOLE_CARD
                yield Fault(f"options.{chosen}", text)
        if not with_hole:
            yield from (Fault(f"wagers.{name}", NEEDS_HOLE_CARD) for name in HOLE_CARD_WAGERS if name in self.wagers)
        for name in ("dealers_blackjack", "double", "split", "irregularities"):
            if with_hole != (getattr(self, name) is not None):
                yield Fault(name, "is missing: a law with a hole_card says it" if with_hole else NEEDS_HOLE_CARD)
        for name in ("decks", "burn_cards", "stakes_per_box", "max_hands"):
            option = self.options.get(name)
            if option is not None:
                if option.default is None and option.only is None:
                    yield Fault(f"options.{name}.default", "is missing: what holds where a table says nothing")
                if option.least is None or option.least < (name != "burn_cards"):
                    yield Fault(f"options.{name}.least", f"{int(name != 'burn_cards')} or more")
        yield from self._prices_of_options()

    def _prices_of_options(self) -> Iterator[Fault]:
        """What an option says that a wager pays can be paid."""
        pays = self.options.get("blackjack_pays")
        for choice in () if pays is None else pays.choices:
            if as_ratio(choice) is None:
                yield Fault("options.blackjack_pays.choices", f"prices, winnings to stake, as in '3/2', not {choice}")
        least = self.options["suited_pays"].least if "suited_pays" in self.options else None
        if "suited_pays" in self.options and (least is None or least < 0):
            yield Fault("options.suited_pays.least", "0 or more: nobody wins less than nothing")
        match = self.wagers.get("match_the_dealer")
        if match is not None:
            prices = match.pays if isinstance(match.pays, dict) else {}
            decks = sorted({name.partition("_")[0] for name in prices})
            wanted = {f"{number}_{kind}" for number in decks for kind in MATCHES}
            if not decks or wanted != set(prices) or not all(number.isdecimal() for number in decks):
                text = "by number of decks, rank alone and suit too, as in { 6_unsuited = '4/1', 6_suited = …}"
                yield Fault("wagers.match_the_dealer.pays", text)
