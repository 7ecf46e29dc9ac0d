"""What circle poker asks of its pack: varieties and decks that its code can deal, and how the house takes its cut."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Annotated, ClassVar, Final, Self

from pydantic import AfterValidator, Field, model_validator

from replay.cards import SUITS
from replay.hands import (
    DEUCE_TO_SEVEN,
    EIGHT_OR_BETTER,
    FIVE,
    HIGH_TO_TWO,
    MAX_CARDS,
    RAZZ,
    Ranking,
    stripped,
)
from replay.law import Count, GameLaw, OptionValues, Passage, Passages, Provision, Several, nearest

HIGH: Final = "high"
LOWS: Final = {"eight_or_better": EIGHT_OR_BETTER, "razz": RAZZ, "deuce_to_seven": DEUCE_TO_SEVEN}
FORCED_BETS: Final = ("ante", "small_blind", "big_blind", "bring_in")
AMOUNTS: Final = ("small_bet", "big_bet", "min_bet", *FORCED_BETS, "rake_cap", "time_fee")
"""Options in minor units."""
GO_WITH: Final = (
    ("betting", "fixed_limit", ("small_bet", "big_bet")),
    ("house_take", "percentage", ("rake_percent",)),
    ("house_take", "time", ("time_fee",)),
)
"""Option, choice, and the options that say how much."""
_IN_ORDER: Final = re.compile(r"d+( b+)*|d+( x)*|d*u[du]*( [du])*").fullmatch
"""Streets with a space between: a game with a board, one with exchanges, or stud."""


def _rankings(names: tuple[str, ...]) -> tuple[str, ...]:
    known = (HIGH, *LOWS)
    for name in names:
        if name not in known:
            raise ValueError(f"some of {', '.join(known)}{nearest(name, known)}")
    if len(names) not in (1, 2) or LOWS.get(names[0]) is EIGHT_OR_BETTER:
        raise ValueError(
            "one ranking, or that of the high and that of the low half; every hand has a rank in the first"
        )
    return names


def _streets(streets: tuple[str, ...]) -> tuple[str, ...]:
    if not _IN_ORDER(" ".join(streets)) or " " in "".join(streets):
        raise ValueError(
            "own cards ('dd'), then cards of the board ('bbb') or exchanges ('x'); or own cards of which some lie open"
            " ('ddu'), then one for each street ('u', 'd')"
        )
    return streets


def _ranks(ranks: str) -> str:
    if len(ranks) < FIVE.size or sorted(ranks) != sorted(HIGH_TO_TWO[: len(ranks)]):
        raise ValueError("each rank once, five at least, from the ace down without a gap, as in 'A89TJQK'")
    return ranks


class CirclePokerPassages(Passages):
    """What is cited beside the tables."""

    benefit: Passage
    """The house's percentage or fee."""
    deck: Passage
    dealing: Passage
    custody: Passage
    """Custody and payment of the pot."""
    turns: Passage
    bets: Passage
    forced_bets: Passage
    combinations: Passage


class Deck(Provision):
    """II: the ranks in play, and VI: what they do to the order of the hands."""

    ranks: Annotated[str, AfterValidator(_ranks)]
    """Four cards of each. Straights are made of neighbours, and of the ace next to the lowest rank."""
    flush_beats_full_house: bool = False

    @property
    def cards(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(rank + suit for suit in SUITS for rank in self.ranks)

    @property
    def ranking(self) -> Ranking:
        """VI: what five of its cards are worth; the ace is also low before the lowest rank."""
        lowest = HIGH_TO_TWO[len(self.ranks) - 1]
        if lowest == HIGH_TO_TWO[-1] and not self.flush_beats_full_house:
            return FIVE
        return stripped(lowest, flush_beats_full_house=self.flush_beats_full_house)


class VarietyLaw(Provision):
    """VI: one variety of the game, what is dealt before each round, and which hands win.

    A street is written a letter a card: ``d`` own, face down; ``u`` own, face up; ``b`` board; ``x`` the exchange.
    """

    streets: Annotated[Several[str], AfterValidator(_streets)]
    wins: Annotated[Several[str], AfterValidator(_rankings)]
    """The ranking that takes the pot, or its high and its low half."""
    small_rounds: Count
    """At fixed limit, the rounds of the small bet."""
    open_pair: bool = False
    """At fixed limit, an open pair on the second street allows the big bet."""
    own_in_hand: Annotated[int, Field(ge=0, le=FIVE.size)] = 0
    """Exactly so many own cards make the hand; 0: as many as one likes."""

    @property
    def own_due(self) -> tuple[int, ...]:
        """Own cards of a seat after each street."""
        return tuple(accumulate(sum(street.count(each) for each in "du") for street in self.streets))

    @property
    def board_size(self) -> int:
        """Cards of the board after the last street."""
        return sum(street.count("b") for street in self.streets)


class CirclePokerLaw(GameLaw):
    """What circle poker asks of its pack."""

    known_wagers = frozenset(FORCED_BETS)
    option_values: ClassVar[OptionValues] = {
        **dict.fromkeys(("variety", "deck"), "choice"),
        "betting": ("no_limit", "pot_limit", "fixed_limit"),
        "ante_by": ("each", "big_blind"),
        "house_take": ("percentage", "time"),
        **dict.fromkeys(("burn", "no_flop_no_drop"), "flag"),
        **dict.fromkeys(("button", *AMOUNTS), "int"),
        "rake_percent": "fraction",
    }
    known_options = frozenset(option_values)
    needed_options = frozenset({"variety", "deck", "betting", "house_take"})

    passages: CirclePokerPassages
    varieties: Mapping[str, VarietyLaw]
    decks: Mapping[str, Deck]
    """By the number of cards."""

    @model_validator(mode="after")
    def holds_together(self) -> Self:
        """Every variety's cards make a hand; every choice left to the house can be followed, and comes with what says
        how much."""
        for key, deck in self.decks.items():
            if key != str(len(deck.cards)):
                raise ValueError(f"decks.{key}.ranks: four cards of each are {len(deck.cards)}, not {key}")
        for name, variety in self.varieties.items():
            own = variety.own_due[-1]
            if variety.own_in_hand > own:
                raise ValueError(f"varieties.{name}.own_in_hand: {own} at most, as many as are dealt")
            if not FIVE.size <= (variety.own_in_hand or own) + variety.board_size <= MAX_CARDS:
                raise ValueError(f"varieties.{name}.streets: {FIVE.size} to {MAX_CARDS} cards to make a hand of")
        self._can_be_chosen("variety", "varieties", self.varieties)
        self._can_be_chosen("deck", "decks", self.decks)
        for name, option in self.options.items():
            if name in (*AMOUNTS, "rake_percent") and (option.least is None or option.least < 0):
                raise ValueError(f"options.{name}.least: 0 at least")
            if name == "rake_percent" and (option.most is None or option.most > 100):
                raise ValueError(f"options.{name}.most: 100 at most")
        for name, choice, amounts in GO_WITH:
            if name in self.options and choice in self.options[name].choices:
                for amount in amounts:
                    if amount not in self.options:
                        raise ValueError(f"options.{amount}: is missing: {choice} may be chosen as {name}")
        return self

    def _can_be_chosen(self, name: str, section: str, there: Mapping[str, Provision]) -> None:
        for choice in self.options[name].choices if name in self.options else ():
            if str(choice) not in there:
                raise ValueError(
                    f"options.{name}.choices: there is no {section}.{choice}{nearest(str(choice), list(there))}"
                )
