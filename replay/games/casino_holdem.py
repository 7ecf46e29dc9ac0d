"""Casino hold'em (Texas pòquer de contrapartida): AD-2022, game 20.

IV   The best five of seven cards, two own and five of the board; standard ranking, the ace high or low.
V    The ante is paid by a table, the second stake even money. The bonus TXB is paid on the own cards and the flop.
VI   Stakes close with "no va més". After the flop a place stakes twice its ante, or gives up and loses ante and TXB.
     TXB is settled; turn and river follow. The dealer plays with a pair of fours or better. When he does not play, the
     ante is paid by its table on the player's hand, and the second stake comes back; otherwise the higher hand wins.
VII  Limits for ante and TXB.
VIII A wrong deal is void: all stakes go back. The cards speak for themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from replay.games._house_poker import HousePoker, Place, Result, by_table, figures, lost, push, rank
from replay.games._house_poker_law import DealWithBoard, HousePokerLaw, LeastOfFive
from replay.hands import FIVE, STANDARD, deals
from replay.law import ONE_PRICE
from replay.odds import Odds
from replay.rules import GameRules
from replay.watched import AtMost, Watchable

FLOP = 3
TURN = 4


class CasinoHoldemLaw(HousePokerLaw):
    """What casino hold'em asks of its pack."""

    before_deal = ("ante", "aa_bonus")
    known_wagers = frozenset({"ante", "call", "aa_bonus"})
    needed_wagers = frozenset({"ante", "call"})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "ante": STANDARD,
        "call": (ONE_PRICE,),
        "aa_bonus": ("pair_of_aces", "flush"),
    }
    hands_paid: ClassVar[Mapping[str, tuple[str, ...]]] = {"ante": STANDARD, "aa_bonus": ("pair_of_aces", "flush")}

    deal: DealWithBoard
    qualification: LeastOfFive
    """VI: the least hand with which the dealer plays."""


# --- V, VI: rulings ---------------------------------------------------------------------------------------------------


def bonus(rules: GameRules, own_and_flop: Sequence[str]) -> Result:
    """V: TXB, on exactly these five cards. A pair of aces is the least hand that is paid, a flush the next step."""
    wager = rules.wagers["aa_bonus"]
    hand = FIVE.best(own_and_flop)
    if hand >= FIVE.least("flush"):
        return by_table(wager.prices, "flush", wager.passage)
    if hand >= FIVE.least("pair", "A"):
        return by_table(wager.prices, "pair_of_aces", wager.passage)
    return lost(wager.passage)


def qualifies(rules: GameRules, dealer: int) -> bool:
    """VI: the dealer plays with a pair of fours or better, be it all on the board."""
    return dealer >= rules.law_as(CasinoHoldemLaw).qualification.bound


def showdown(rules: GameRules, player: int, dealer: int) -> tuple[Result, Result]:
    """VI: ante and second stake, for the ranks of the two best hands."""
    ante, call = rules.wagers["ante"], rules.wagers["call"]
    assert call.price is not None
    by_ante_table = by_table(ante.prices, FIVE.name(player), ante.passage)
    if not qualifies(rules, dealer):
        return by_ante_table, push(call.passage)
    if player > dealer:
        return by_ante_table, Result(call.price, True, call.passage)
    if player == dealer:
        return push(call.passage), push(call.passage)
    return lost(call.passage), lost(call.passage)


# --- VI: procedure ----------------------------------------------------------------------------------------------------


class CasinoHoldem(HousePoker):
    """One table of casino hold'em."""

    needs = CasinoHoldemLaw
    beside_ante = ("aa_bonus",)
    answer = "call"
    choices = ("call", "fold")
    watched = Watchable(nulls={"aa_bonus": AtMost()})
    """The bonus is lost by giving up and else goes by cards that are known by then, so that it gives back at most what
    it gives to whoever never gives up."""

    # After the flop, before the turn: twice the ante, or "no hi vaig".

    def too_late(self, wager: str) -> bool:
        return len(self.board) >= TURN

    def too_soon(self, place: Place, wager: str) -> str:
        return "" if len(self.board) >= FLOP else "the flop is not complete"

    def fault(self, place: Place, choice: str) -> str:
        if len(self.board) < FLOP:
            return "the flop was not complete"
        if len(self.board) >= TURN:
            return "the turn was dealt already"
        if choice == "fold" and "call" in place.bets:
            return "had staked on its hand"
        return ""

    def fold(self, place: Place) -> None:
        """Ante and TXB are lost, whatever the cards."""
        self.decide(place.bets.get("aa_bonus"), lost(self.rules.wagers["call"].passage))
        super().fold(place)

    def answered(self, place: Place) -> None:
        self.settle_bonus()

    def settle_bonus(self) -> None:
        """ "¿Algun guanyador del Texas Bonus?", once every place has staked or given up."""
        if len(self.board) < FLOP or next(self.unanswered(), None) is not None:
            return
        for place in self.places.values():
            bet = place.bets.get("aa_bonus")
            if bet is not None and "call" in place.bets and len(place.cards) == self.own_size:
                cards = [*place.cards, *self.board[:FLOP]]
                if rank(FIVE, cards) is not None:
                    self.decide(bet, bonus(self.rules, cards))

    # Turn and river; the dealer shows.

    def board_card(self) -> None:
        if len(self.board) == TURN:
            self.passed_over()
            self.settle_bonus()
        self.settle_all()

    def hands_complete(self) -> None:
        self.settle_bonus()
        self.settle_all()

    def settle_all(self) -> None:
        """Ante and second stake, when the river is out and all hands are complete."""
        if not self.all_have_cards() or len(self.board) < self.board_size:
            return
        self.tell_outcome(FIVE)
        dealer = rank(FIVE, [*self.dealer, *self.board])
        for place in self.places.values():
            bet = place.bets.get("call")
            if bet is None:
                continue
            player = rank(FIVE, [*place.cards, *self.board])
            if player is not None and dealer is not None:
                ante, call = showdown(self.rules, player, dealer)
                self.decide(place.bets["ante"], ante)
                self.decide(bet, call)

    def short(self) -> bool:
        """Two cards each; five on the board where somebody has staked on his hand."""
        if super().short():
            return True
        called = any("call" in place.bets for place in self.places.values())
        return called and len(self.board) < self.board_size


# --- exact figures ----------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """TXB, for a hand that is never given up. Ante and second stake hang on what the player decides."""
    if "aa_bonus" not in rules.wagers:
        return
    edge, variance = figures((weight, bonus(rules, cards)) for cards, weight in deals(5))
    yield Odds(
        wager="aa_bonus", decks=1, edge=edge, variance=variance, assumes="a fresh deck; the hand is never given up"
    )


GAME = CasinoHoldem
