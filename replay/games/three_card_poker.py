"""Three-card poker (Tripòquer): AD-2022, game 15.

II   One deck; the ace is the highest card, and the lowest in A-2-3.
IV   Nine places.
V    Fortuna and Ante before the deal, either or both; three cards each. Fortuna is paid by a table on the own cards.
     A place with an ante stakes as much again on Bet, or gives the ante up. The dealer plays with a queen or better.
     When he does not, the ante wins even money and Bet stays; otherwise the higher hand wins both, and equal hands
     push. A straight or better gets the extra-ante besides, whatever the dealer has.
VI   Limits for Ante and Fortuna; Bet equals the ante.
VII  The cards are dealt one by one, or in threes from a shuffler.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from replay.cards import FRENCH_DECK
from replay.games._house_poker import Place, Result, ShowdownPoker, by_table, figures, lost, push, rank, with_bonus
from replay.games._house_poker_law import Deal, HandBonus, HousePokerLaw, Rank, hand_of
from replay.hands import THREE, deals
from replay.law import ONE_PRICE, PriceText, Provision, Several
from replay.money import Price
from replay.odds import Odds
from replay.rules import GameRules
from replay.watched import Exact, Watchable


class ThreeCardPokerDeal(Deal):
    """V: three cards each."""

    own: Literal[3]
    dealer: Literal[3]


class LeastOfThree(Provision):
    """A bound among hands of three cards: a class, and the deciding ranks that it begins with."""

    hand: Annotated[str, hand_of(THREE)]
    ranks: Annotated[Several[Rank], Field(max_length=3)]


class ExtraAnte(HandBonus):
    """V: what the ante wins by its own hand besides."""

    straight_flush: PriceText | None = None
    three_of_a_kind: PriceText | None = None
    straight: PriceText | None = None
    flush: PriceText | None = None
    pair: PriceText | None = None
    high_card: PriceText | None = None


class ThreeCardPokerLaw(HousePokerLaw):
    """What three-card poker asks of its pack."""

    before_deal = ("ante", "pair_plus")
    known_wagers = frozenset({"ante", "pair_plus", "play"})
    needed_wagers = frozenset({"ante", "play"})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {"ante": (ONE_PRICE,), "play": (ONE_PRICE,)}
    hands_paid: ClassVar[Mapping[str, tuple[str, ...]]] = {"pair_plus": THREE.order}

    deal: ThreeCardPokerDeal
    qualification: LeastOfThree
    """V: the least hand with which the dealer plays."""
    extra_ante: ExtraAnte

    @cached_property
    def ante_bonus(self) -> dict[str, Price]:
        return self.extra_ante.prices


# --- V: rulings -------------------------------------------------------------------------------------------------------


def fortuna(rules: GameRules, player: int) -> Result:
    """V: Fortuna, for the rank of the own three cards. A pair is the least hand that is paid."""
    wager = rules.wagers["pair_plus"]
    return by_table(wager.prices, THREE.name(player), wager.passage)


def least_qualifying(rules: GameRules) -> int:
    """V: the dealer plays with a queen high or better."""
    bound = rules.law_as(ThreeCardPokerLaw).qualification
    return THREE.least(bound.hand, *bound.ranks)


def showdown(rules: GameRules, player: int, dealer: int) -> tuple[Result, Result]:
    """V: ante, with its extra, and bet, for the ranks of the two hands."""
    ante, play = rules.wagers["ante"], rules.wagers["play"]
    assert ante.price is not None and play.price is not None
    if dealer < least_qualifying(rules):
        ante_is, play_is = Result(ante.price, True, ante.passage), push(play.passage)
    elif player > dealer:
        ante_is, play_is = Result(ante.price, True, ante.passage), Result(play.price, True, play.passage)
    elif player == dealer:
        ante_is, play_is = push(ante.passage), push(play.passage)
    else:
        ante_is, play_is = lost(ante.passage), lost(play.passage)
    extra = rules.law_as(ThreeCardPokerLaw).ante_bonus.get(THREE.name(player))
    return with_bonus(ante_is, extra), play_is


# --- V: procedure -----------------------------------------------------------------------------------------------------


class ThreeCardPoker(ShowdownPoker):
    """One table of three-card poker."""

    needs = ThreeCardPokerLaw
    answer = "play"
    choices = ("play", "fold")
    ranking = THREE
    watched = Watchable(nulls={"pair_plus": Exact()})
    """The pack is shuffled for each deal, and Fortuna is paid on a hand that was given up as well: its odds hold for
    every bet."""

    def settle_side(self, place: Place) -> None:
        """Fortuna stands by itself: it is not lost with a fold."""
        player = rank(THREE, place.cards)
        if player is not None and "pair_plus" in place.bets:
            self.decide(place.bets["pair_plus"], fortuna(self.rules, player))

    def settle(self, place: Place) -> None:
        player, dealer = rank(THREE, place.cards), rank(THREE, self.dealer)
        if player is not None and dealer is not None:
            ante, play = showdown(self.rules, player, dealer)
            self.decide(place.bets["ante"], ante)
            self.decide(place.bets["play"], play)


# --- exact figures ----------------------------------------------------------------------------------------------------


STRATEGY = THREE.least("high_card", "Q", "6", "4")
"""The published optimal strategy: stake on queen, six, four or better, otherwise give up."""


class Dealers:
    """The 22,100 hands that the dealer may have, to count those that hold none of a player's cards."""

    def __init__(self) -> None:
        self._ranks: dict[str, list[int]] = {}
        """Any three cards or fewer, up to an exchange of suits -> the ranks of all hands that hold them, the lowest
        first."""

    def below(self, own: Sequence[str], bounds: Sequence[int]) -> list[int]:
        """For each of ``bounds``, how many hands without any of the player's cards rank below it: all, less those that
        hold one of them, plus those that hold two, less the one that holds three."""
        found = [0] * len(bounds)
        for size in range(len(own) + 1):
            for held in combinations(own, size):
                ranks = self._holding(held)
                for place, bound in enumerate(bounds):
                    found[place] += (-1) ** size * bisect_left(ranks, bound)
        return found

    def _holding(self, held: tuple[str, ...]) -> list[int]:
        """The ranks of all hands that hold these cards."""
        suits = [card[1] for card in held]
        alike = "".join(f"{card[0]}{suits.index(card[1])}" for card in held)
        ranks = self._ranks.get(alike)
        if ranks is None:
            others = [card for card in FRENCH_DECK if card not in held]
            ranks = sorted(THREE.best(held + rest) for rest in combinations(others, 3 - len(held)))
            self._ranks[alike] = ranks
        return ranks


def showdowns(rules: GameRules, own: Sequence[str], dealers: Dealers) -> Iterator[tuple[int, tuple[Result, Result]]]:
    """All that can come of ante and bet against the 18,424 hands that the dealer may have, and how often."""
    player, playing = THREE.best(own), least_qualifying(rules)
    bounds = [0, playing, max(playing, player), max(playing, player + 1), THREE.least("straight_flush", "A") + 1]
    below = dealers.below(own, bounds)
    for (low, high), (fewer, more) in zip(pairwise(bounds), pairwise(below), strict=True):
        if low < high:
            yield more - fewer, showdown(rules, player, low)


def odds(rules: GameRules) -> Iterator[Odds]:
    """Fortuna, and ante and bet by the published optimal strategy: the ante for one unit, folds counted; the bet for
    one unit where it is staked."""
    if "pair_plus" in rules.wagers:
        edge, variance = figures((weight, fortuna(rules, THREE.best(cards))) for cards, weight in deals(3))
        yield Odds(wager="pair_plus", decks=1, edge=edge, variance=variance, assumes="a fresh deck")
    antes: list[tuple[int, Result]] = []
    plays: list[tuple[int, Result]] = []
    dealers = Dealers()
    for own, weight in deals(3):
        for ways, (ante, play) in showdowns(rules, own, dealers):
            if THREE.best(own) < STRATEGY:
                ante = lost(ante.passage)
            else:
                plays.append((weight * ways, play))
            antes.append((weight * ways, ante))
    for wager, results in (("ante", antes), ("play", plays)):
        edge, variance = figures(results)
        yield Odds(
            wager=wager,
            decks=1,
            edge=edge,
            variance=variance,
            assumes="a fresh deck; the hand is played with queen, six, four or better",
            by_strategy=True,
        )


GAME = ThreeCardPoker
