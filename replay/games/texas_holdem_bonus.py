"""Texas hold'em bonus (Texas Hold'em Pòquer Bonus): AD-2022, game 22.

III  Nine places; a player holds one of them only.
IV   The best five of seven cards, standard ranking; limits for Ante and Bonus.
V    Ante and Bonus before the deal. On two own cards a place stakes Flop, twice its ante, or gives up; after the flop
     it may stake Turn, after the turn card River, one ante each, and checks otherwise. A card is burnt before each
     street. A hand higher than the dealer's wins Flop, Turn and River even money, and the ante too when it is a
     straight or better; otherwise the ante stays. Equal hands push. The Bonus is paid on the two own cards by a table,
     whatever becomes of the other stakes.
VI   Errors in dealing: the text is lost; wrong and exposed cards as in games 20 and 21.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import ClassVar, Final

from replay.book import Bet
from replay.events import CardDealt
from replay.games import Objection
from replay.games._house_poker import HousePoker, Place, Result, by_table, figures, lost, push, rank
from replay.games._house_poker_law import DealWithBoard, HandOfFive, HousePokerLaw
from replay.hands import FIVE, HIGH_TO_TWO, VALUE, deals, legible
from replay.law import ONE_PRICE, Provision
from replay.odds import Odds
from replay.rules import GameRules
from replay.watched import Exact, Watchable

FLOP = 3
TURN = 4
RIVER = 5

ACES: Final = "AA"
ACES_AGAINST_ACES: Final = "AA_against_AA"
TWO_CARDS: Final = (
    ACES_AGAINST_ACES,
    *(rank + rank for rank in HIGH_TO_TWO),
    *(high + low + suits for high, low in combinations(HIGH_TO_TWO, 2) for suits in "so"),
)
"""The lines that the bonus table may have (`two_cards`)."""


class AnteWinsWith(Provision):
    """V: the least hand with which the ante is paid."""

    hand: HandOfFive


class TexasHoldemBonusLaw(HousePokerLaw):
    """What Texas hold'em bonus asks of its pack."""

    before_deal = ("ante", "bonus")
    known_wagers = frozenset({"ante", "flop", "turn", "river", "bonus"})
    needed_wagers = frozenset({"ante", "flop"})
    prices_needed = dict.fromkeys(("ante", "flop", "turn", "river"), (ONE_PRICE,))
    hands_paid: ClassVar[Mapping[str, tuple[str, ...]]] = {"bonus": TWO_CARDS}

    deal: DealWithBoard
    ante_wins_with: AnteWinsWith


# --- V: rulings -------------------------------------------------------------------------------------------------------


def showdown(rules: GameRules, wager: str, player: int, dealer: int) -> Result:
    """V: ante, flop, turn or river, for the ranks of the two best hands. The dealer always plays."""
    price, passage = rules.wagers[wager].price, rules.wagers[wager].passage
    assert price is not None
    if player < dealer:
        return lost(passage)
    if player == dealer:
        return push(passage)
    if wager == "ante" and player < FIVE.least(rules.law_as(TexasHoldemBonusLaw).ante_wins_with.hand):
        return push(passage)
    return Result(price, True, passage)


def two_cards(own: Sequence[str]) -> str:
    """The line of the bonus table: ``AKs`` (of one suit), ``AKo`` (of two), ``TT``."""
    high, low = sorted(own, key=lambda card: -VALUE[card[0]])
    ranks = high[0] + low[0]
    if high[0] == low[0]:
        return ranks
    return ranks + ("s" if high[1] == low[1] else "o")


def bonus(rules: GameRules, own: Sequence[str], dealer: Sequence[str]) -> Result:
    """V: one line of the table, for the two own cards; aces against the dealer's aces may have their own."""
    wager = rules.wagers["bonus"]
    line = two_cards(own)
    if line == ACES and ACES_AGAINST_ACES in wager.prices and two_cards(dealer) == ACES:
        line = ACES_AGAINST_ACES
    return by_table(wager.prices, line, wager.passage)


# --- V: procedure -----------------------------------------------------------------------------------------------------


class TexasHoldemBonus(HousePoker):
    """One table of Texas hold'em bonus."""

    needs = TexasHoldemBonusLaw
    beside_ante = ("bonus",)
    answer = "flop"
    choices = ("play", "fold", "check", "raise")
    watched = Watchable(nulls={"bonus": Exact()})
    """The pack is shuffled for each deal, and the bonus is paid on a hand that was given up as well: its odds hold for
    every bet."""

    def clear(self) -> None:
        super().clear()
        self.burnt_card = False

    # III: one place a player.

    def objection_of_places(self, bet: Bet) -> Objection | None:
        if bet.wager_id == "ante" and bet.player is not None:
            for place in self.places.values():
                other = place.bets.get("ante")
                if other is not None and other.player == bet.player:
                    text = f"{bet.player} has the place {place.seat} already"
                    return Objection("too_many_bets", self.places_passage, text)
        return None

    # V: flop on the own cards, turn after the flop, river after the turn card.

    def too_late(self, wager: str) -> bool:
        shown = len(self.board)
        return shown > {"flop": 0, "turn": FLOP, "river": TURN}[wager]

    def too_soon(self, place: Place, wager: str) -> str:
        if wager == "flop":
            return "" if self.all_have_cards() else "the hands are not complete"
        if "flop" not in place.bets:
            return "that place has no flop stake"
        return "" if len(self.board) == {"turn": FLOP, "river": TURN}[wager] else "its time has not come"

    def fault(self, place: Place, choice: str) -> str:
        if not self.all_have_cards():
            return "the hands were not complete"
        staked = "flop" in place.bets
        if choice == "fold":
            if staked:
                return "had staked on its hand"
            return "the flop was dealt already" if self.board else ""
        if choice in ("check", "raise"):
            if not staked:
                return "has no flop stake"
            return "" if len(self.board) in (FLOP, TURN) else "there was nothing to check or raise"
        return ""

    def answered(self, place: Place) -> None:
        """The last fold of a round in which nobody has staked on his hand ends it."""
        self.settle_bonus_alone()

    def passed_over(self) -> None:
        super().passed_over()
        self.settle_bonus_alone()

    def settle_bonus_alone(self) -> None:
        """No board is due any more, and the bonus is all that is left."""
        staked = any("flop" in place.bets for place in self.places.values())
        if not staked and self.all_have_cards() and next(self.unanswered(), None) is None:
            self.settle_bonus()

    # A card is burnt before each street.

    def burnt(self) -> None:
        self.burnt_card = True

    def take(self, hand: list[str], size: int, event: CardDealt) -> bool:
        if hand is self.board and len(hand) in (0, FLOP, TURN) and not self.burnt_card:
            street = {0: "flop", FLOP: "turn", TURN: "river"}[len(hand)]
            self.book.report("dealing_error", self.deal_passage, f"no card was burnt before the {street}")
        self.burnt_card = False
        return super().take(hand, size, event)

    def board_card(self) -> None:
        if len(self.board) == 1:
            self.passed_over()
        self.settle_all()

    def hands_complete(self) -> None:
        self.settle_all()

    # The dealer shows; the bonus is settled at the end of the hand.

    def settle_all(self) -> None:
        """When the river is out and all hands are complete."""
        if not self.all_have_cards() or len(self.board) < RIVER:
            return
        self.tell_outcome(FIVE)
        dealer = rank(FIVE, [*self.dealer, *self.board])
        for place in self.places.values():
            if "flop" not in place.bets:
                continue
            player = rank(FIVE, [*place.cards, *self.board])
            if player is None or dealer is None:
                continue
            for wager in ("ante", "flop", "turn", "river"):
                if wager in place.bets:
                    self.decide(place.bets[wager], showdown(self.rules, wager, player, dealer))
        self.settle_bonus()

    def settle_bonus(self) -> None:
        """The bonus of every place, of those that gave up too."""
        for place in self.places.values():
            bet = place.bets.get("bonus")
            if bet is None or not legible(place.cards):
                continue
            if legible(self.dealer) or two_cards(place.cards) != ACES:
                dealer = self.dealer if legible(self.dealer) else ()
                self.decide(bet, bonus(self.rules, place.cards, dealer))

    def short(self) -> bool:
        """Two cards each; five on the board where somebody has a flop stake."""
        if super().short():
            return True
        staked = any("flop" in place.bets for place in self.places.values())
        return staked and len(self.board) < self.board_size


# --- exact figures ----------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """The bonus. The other wagers hang on what the player decides."""
    if "bonus" not in rules.wagers:
        return
    results: list[tuple[int, Result]] = []
    for own, weight in deals(2):
        aces = comb(4 - sum(card[0] == "A" for card in own), 2)
        for ways, dealer in ((aces, ("AS", "AH")), (comb(50, 2) - aces, ("AS", "KS"))):
            results.append((weight * ways, bonus(rules, own, dealer)))
    edge, variance = figures(results)
    yield Odds(wager="bonus", decks=1, edge=edge, variance=variance, assumes="a fresh deck")


GAME = TexasHoldemBonus
