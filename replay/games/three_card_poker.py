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

from collections.abc import Iterator

from replay.games._house_poker import Place, Result, ShowdownPoker, by_table, figures, lost, push, rank, with_bonus
from replay.hands import THREE, deals
from replay.odds import Odds
from replay.rules import GameRules

# --- V: rulings -------------------------------------------------------------------------------------------------------


def fortuna(rules: GameRules, player: int) -> Result:
    """V: Fortuna, for the rank of the own three cards. A pair is the least hand that is paid."""
    wager = rules.wagers["pair_plus"]
    return by_table(wager.prices, THREE.name(player), wager.passage)


def qualifies(rules: GameRules, dealer: int) -> bool:
    """V: the dealer plays with a queen high or better."""
    bound = rules.data["qualification"]
    return dealer >= THREE.least(bound["hand"], *bound["ranks"])


def showdown(rules: GameRules, player: int, dealer: int) -> tuple[Result, Result]:
    """V: ante, with its extra, and bet, for the ranks of the two hands."""
    ante, play = rules.wagers["ante"], rules.wagers["play"]
    assert ante.price is not None and play.price is not None
    if not qualifies(rules, dealer):
        ante_is, play_is = Result(ante.price, True, ante.passage), push(play.passage)
    elif player > dealer:
        ante_is, play_is = Result(ante.price, True, ante.passage), Result(play.price, True, play.passage)
    elif player == dealer:
        ante_is, play_is = push(ante.passage), push(play.passage)
    else:
        ante_is, play_is = lost(ante.passage), lost(play.passage)
    extra = rules.data["extra_ante"].get(THREE.name(player))
    return with_bonus(ante_is, extra), play_is


# --- V: procedure -----------------------------------------------------------------------------------------------------


class ThreeCardPoker(ShowdownPoker):
    """One table of three-card poker."""

    before_deal = ("ante", "pair_plus")
    answer = "play"
    choices = ("play", "fold")
    ranking = THREE

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


def odds(rules: GameRules) -> Iterator[Odds]:
    """Fortuna. Ante and bet hang on what the player decides."""
    edge, variance = figures((weight, fortuna(rules, THREE.best(cards))) for cards, weight in deals(3))
    yield Odds(wager="pair_plus", decks=1, edge=edge, variance=variance, assumes="a fresh deck")


GAME = ThreeCardPoker
