"""Caribbean stud poker (pòquer de contrapartida, pòquer sense descart): AD-2022.

The decree's own text of this game is not at hand; its standard is followed, and game 20 where both are alike.

Play    Five cards each. A place stakes twice its ante as a raise, or gives up and loses the ante. The dealer plays with
        ace and king or better. When he does not, the ante wins even money and the raise comes back, whatever the cards;
        otherwise the higher hand wins: the ante even money, the raise by the table. Equal hands push.
Errors  A wrong number of cards makes the round void, and so does a second exposed card. The cards speak for themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from replay.games._house_poker import Place, Result, ShowdownPoker, by_table, lost, push, rank
from replay.hands import FIVE
from replay.odds import Odds
from replay.rules import GameRules


def qualifies(rules: GameRules, dealer: int) -> bool:
    """The dealer plays with ace and king, or better."""
    bound = rules.data["qualification"]
    return dealer >= FIVE.least(bound["hand"], *bound["ranks"])


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
