"""Caribbean stud poker (pòquer de contrapartida, pòquer sense descart): AD-2022.

The decree's own text of this game is not at hand; its standard is followed, and game 20 where both are alike.

Play    Five cards each. A place stakes twice its ante as a raise, or gives up and loses the ante. The dealer plays with
        ace and king or better. When he does not, the ante wins even money and the raise comes back, whatever the cards;
        otherwise the higher hand wins: the ante even money, the raise by the table. Equal hands push.
Errors  A wrong number of cards makes the round void, and so does a second exposed card. The cards speak for themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from replay.games._house_poker import Place, Result, ShowdownPoker, by_table, lost, push, rank
from replay.games._house_poker_law import Deal, HousePokerLaw, LeastOfFive
from replay.hands import FIVE, MAX_CARDS, STANDARD
from replay.law import ONE_PRICE
from replay.odds import Odds
from replay.rules import GameRules

OfFive = Annotated[int, Field(ge=FIVE.size, le=MAX_CARDS)]
"""Cards of which the best five count."""


class CaribbeanStudDeal(Deal):
    """Five cards each."""

    own: OfFive
    dealer: OfFive


class CaribbeanStudLaw(HousePokerLaw):
    """What Caribbean stud poker asks of its pack."""

    known_wagers = frozenset({"ante", "raise"})
    needed_wagers = known_wagers
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {"ante": (ONE_PRICE,), "raise": STANDARD}
    hands_paid: ClassVar[Mapping[str, tuple[str, ...]]] = {"raise": STANDARD}

    deal: CaribbeanStudDeal
    qualification: LeastOfFive
    """The least hand with which the dealer plays."""


def qualifies(rules: GameRules, dealer: int) -> bool:
    """The dealer plays with ace and king, or better."""
    return dealer >= rules.law_as(CaribbeanStudLaw).qualification.bound


def showdown(rules: GameRules, player: int, dealer: int) -> tuple[Result, Result]:
    """Ante and raise, for the ranks of the two hands."""
    ante, raised = rules.wagers["ante"], rules.wagers["raise"]
    assert ante.price is not None
    if not qualifies(rules, dealer):
        return Result(ante.price, True, ante.passage), push(ante.passage)
    if player > dealer:
        return Result(ante.price, True, ante.passage), by_table(raised.prices, FIVE.name(player), raised.passage)
    if player == dealer:
        return push(ante.passage), push(ante.passage)
    return lost(ante.passage), lost(ante.passage)


class CaribbeanStud(ShowdownPoker):
    """One table of Caribbean stud poker."""

    needs = CaribbeanStudLaw
    answer = "raise"
    choices = ("raise", "fold")
    ranking = FIVE

    def settle(self, place: Place) -> None:
        player, dealer = rank(FIVE, place.cards), rank(FIVE, self.dealer)
        if player is not None and dealer is not None:
            ante, raised = showdown(self.rules, player, dealer)
            self.decide(place.bets["ante"], ante)
            self.decide(place.bets["raise"], raised)


def odds(rules: GameRules) -> Iterator[Odds]:
    """None: the ante and the raise both hang on what the player decides, and there is no other wager."""
    return iter(())


GAME = CaribbeanStud
