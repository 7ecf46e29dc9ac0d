"""Four-card poker (Pòquer de 4 cartes): AD-2022, game 18.

I    The best four of five cards against the best four of the dealer's six; the dealer always plays. The player may
     stake up to three times his ante.
II   Seven places, and nobody bets on another player's hand.
V    Asos and Ante before the deal, either or both. Asos is paid by a table on the own cards. A place with an ante
     stakes one to three times as much on Play, or gives the ante up. A hand that is higher than the dealer's, or equal,
     wins both even money. Three of a kind or better gets the automatic bonus on the ante besides, whatever the dealer
     has.

Of the section only I, II and the two pay tables are at hand; ranking, ties and errors follow the standard game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, ClassVar

from pydantic import Field

from replay.book import Bet, Book
from replay.games import Objection
from replay.games._house_poker import (
    Place,
    Result,
    ShowdownPoker,
    by_table,
    figures,
    hands_by_rank,
    lost,
    rank,
    with_bonus,
)
from replay.games._house_poker_law import Deal, HandBonus, HousePokerLaw, HousePokerPassages
from replay.hands import FOUR, MAX_CARDS, PAIR
from replay.law import ONE_PRICE, Passage, PriceText
from replay.money import Price
from replay.odds import Odds
from replay.rules import GameRules, Table
from replay.watched import Exact, Watchable

OfFour = Annotated[int, Field(ge=FOUR.size, le=MAX_CARDS)]
"""Cards of which the best four count."""


class FourCardPokerDeal(Deal):
    """I: five cards to a place, six to the dealer."""

    own: OfFour
    dealer: OfFour


class AutomaticBonus(HandBonus):
    """V: what the ante wins by its own hand besides."""

    four_of_a_kind: PriceText | None = None
    straight_flush: PriceText | None = None
    three_of_a_kind: PriceText | None = None
    flush: PriceText | None = None
    straight: PriceText | None = None
    two_pair: PriceText | None = None
    pair: PriceText | None = None
    high_card: PriceText | None = None


class FourCardPokerPassages(HousePokerPassages):
    """What is cited beside the tables."""

    holder: Passage
    """Nobody bets on another player's hand."""


class FourCardPokerLaw(HousePokerLaw):
    """What four-card poker asks of its pack."""

    before_deal = ("ante", "aces_up")
    known_wagers = frozenset({"ante", "aces_up", "play"})
    needed_wagers = frozenset({"ante", "play"})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {"ante": (ONE_PRICE,), "play": (ONE_PRICE,)}
    hands_paid: ClassVar[Mapping[str, tuple[str, ...]]] = {"aces_up": ("pair_of_aces", *FOUR.order)}

    passages: FourCardPokerPassages
    deal: FourCardPokerDeal
    automatic_bonus: AutomaticBonus

    @cached_property
    def ante_bonus(self) -> dict[str, Price]:
        return self.automatic_bonus.prices


# --- V: rulings -------------------------------------------------------------------------------------------------------


def asos(rules: GameRules, player: int) -> Result:
    """V: Asos, for the rank of the best four. Of the pairs only aces are paid."""
    wager = rules.wagers["aces_up"]
    name = FOUR.name(player)
    if name == PAIR and player >= FOUR.least(PAIR, "A"):
        name = "pair_of_aces"
    return by_table(wager.prices, name, wager.passage)


def showdown(rules: GameRules, player: int, dealer: int) -> tuple[Result, Result]:
    """V: ante, with its bonus, and play, for the ranks of the best fours. An equal hand wins for the player."""
    ante, play = rules.wagers["ante"], rules.wagers["play"]
    assert ante.price is not None and play.price is not None
    if player >= dealer:
        ante_is, play_is = Result(ante.price, True, ante.passage), Result(play.price, True, play.passage)
    else:
        ante_is, play_is = lost(ante.passage), lost(play.passage)
    extra = rules.law_as(FourCardPokerLaw).ante_bonus.get(FOUR.name(player))
    return with_bonus(ante_is, extra), play_is


# --- V: procedure -----------------------------------------------------------------------------------------------------


class FourCardPoker(ShowdownPoker):
    """One table of four-card poker."""

    needs = FourCardPokerLaw
    answer = "play"
    choices = ("play", "fold")
    ranking = FOUR
    watched = Watchable(nulls={"aces_up": Exact()})
    """The pack is shuffled for each deal, and Asos is paid on a hand that was given up as well: its odds hold for every
    bet."""

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.holder_passage = table.rules.law_as(FourCardPokerLaw).passages.holder

    def objection_of_places(self, bet: Bet) -> Objection | None:
        """II: nobody bets on another player's hand."""
        place = self.places.get(bet.seat)
        if place is None or place.player is None or bet.wager_id not in self.before_deal:
            return None
        if bet.player in (None, place.player):
            return None
        return self.refusal(bet, f"the place is {place.player}'s", self.holder_passage)

    def settle_side(self, place: Place) -> None:
        """Asos stands by itself: it is not lost with a fold."""
        player = rank(FOUR, place.cards)
        if player is not None and "aces_up" in place.bets:
            self.decide(place.bets["aces_up"], asos(self.rules, player))

    def settle(self, place: Place) -> None:
        player, dealer = rank(FOUR, place.cards), rank(FOUR, self.dealer)
        if player is not None and dealer is not None:
            ante, play = showdown(self.rules, player, dealer)
            self.decide(place.bets["ante"], ante)
            self.decide(place.bets["play"], play)


# --- exact figures ----------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """Asos. Ante and play hang on what the player decides."""
    if "aces_up" not in rules.wagers:
        return
    own = rules.law_as(FourCardPokerLaw).deal.own
    edge, variance = figures((weight, asos(rules, hand)) for hand, weight in hands_by_rank(FOUR, own).items())
    yield Odds(wager="aces_up", decks=1, edge=edge, variance=variance, assumes="a fresh deck")


GAME = FourCardPoker
