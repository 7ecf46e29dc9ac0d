"""Triple blackjack (Triple Black Jack): AD-2022, game 19.

I       What is not said here is as in blackjack (`replay.games.blackjack`). A player may stake one, two or all three
        boxes in front of him, numbered 1 to 3, one stake a box; one hand of cards serves them all.
II      After the second card of every hand box 1 comes into play, and it alone. The players play their hands, once; a
        hand over 21 loses all its stakes at once. The dealer draws as in blackjack, if he has a competitor, and settles
        box 1. Then he takes away all his cards but the first, box 2 comes into play, and he draws a second hand; in
        the same way a third one for box 3. A blackjack is always paid three for two. Against the dealer's ace one may
        insure as often as one has boxes staked.
III     Minimum and maximum hold for each of the three boxes of each player.

Readings. A hand is surrendered whole: half of the stake on every box comes back. It is doubled, or split, with money on
the boxes that its player chooses, at least one. Insurances are taken in the one window of blackjack. Others may back a
box as in blackjack: "one stake a box" binds a player. Where nothing is left to play for, a box is over without a card.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Self

from pydantic import model_validator

from replay.blackjack_hands import DEALER, LAPSED, Box, DealerHand, Fault, Hand, all_hands, any_open
from replay.blackjack_law import BlackjackLaw, DealerLaw, Positive
from replay.book import Bet, Book
from replay.events import CardDealt, RoundClosed
from replay.games import Objection
from replay.games import blackjack as game_3
from replay.games._blackjack_table import BlackjackTable, main_ruling
from replay.in_words import count_in_words
from replay.odds import Odds
from replay.rules import GameRules, Table


class ThreeHandsLaw(DealerLaw):
    """II: the dealer's hands, one for each numbered box."""

    hands: Positive


class TripleBlackjackLaw(BlackjackLaw):
    """What triple blackjack asks of its pack."""

    dealer: ThreeHandsLaw

    @model_validator(mode="after")
    def _a_hand_for_each_box(self) -> Self:
        boxes = self.wagers["main"].picks if "main" in self.wagers else (1,)
        if not boxes or not all(isinstance(box, int) and 1 <= box <= self.dealer.hands for box in boxes):
            raise ValueError(f"wagers.main.picks: boxes out of 1 to {self.dealer.hands}, for each of which the dealer "
                             f"plays a hand (dealer.hands), not {list(boxes)}")  # fmt: skip
        return self


def box_of(bet: Bet) -> int:
    """The numbered box that a main stake lies on."""
    assert isinstance(bet.pick, int)
    return bet.pick


class TripleBlackjack(BlackjackTable):
    """One table. `boxes` are the seats as in blackjack; what II calls boxes 1 to 3 are the stakes' picks."""

    needs = TripleBlackjackLaw

    def __init__(self, table: Table, book: Book) -> None:
        self.hands_of_dealer = table.rules.law_as(TripleBlackjackLaw).dealer.hands
        super().__init__(table, book)

    def clear(self) -> None:
        super().clear()
        self.dealers = [self.dealer, *(DealerHand(self.dealer_rule) for _ in range(1, self.hands_of_dealer))]
        """The dealer's hands, one for each box; his first card lies in all of them."""
        self.in_play = 1
        """The last box that has come into play."""
        self.abandoned: set[int] = set()
        """Boxes for which the dealer went on with his first card alone: their stakes stay undecided."""
        self.faulted: set[int] = set()
        """Boxes for which a mistake of the dealer has been said."""
        self.insured_boxes: dict[str, int] = {}
        """Insurance -> the box whose stake it insures."""

    # --- I, III: stakes -------------------------------------------------------------------------------------------

    def piles_of(self, bet: Bet) -> tuple[Hashable, ...]:
        """Main stakes, too, on each numbered box, and those of each player on it."""
        box = (bet.seat, box_of(bet)) if bet.wager_id == self.main else None
        return super().piles_of(bet) if box is None else (*super().piles_of(bet), box, (*box, bet.player))

    def check_count(self, bet: Bet) -> None:
        """I: one stake a box for each player; others may back it, three stakes in all. One too many plays."""
        seat, number, piles = bet.seat, box_of(bet), self.laid
        seated = next(iter(piles.bets((seat, self.main)))).player
        whose = bet.player or seated
        unnamed = {None} if whose == seated else set()
        there = len(piles.bets((seat, number)))
        if sum(len(piles.bets((seat, number, player))) for player in {whose, *unnamed}) > 1:
            text = f"bet {bet.id} is the second stake of one player on box {number} of seat {seat}"
        elif there > self.most_stakes:
            text = f"bet {bet.id} is stake number {there} on box {number} of seat {seat}"
        else:
            return
        self.book.report("too_many_bets", self.cite.players, text, bet=bet)

    def judge_main_stakes(self, laid: list[Bet]) -> None:
        """III: the minimum binds each stake, the maximum all stakes on one numbered box of a seat together."""
        table, shown = self.table, self.table.shown
        least, most = table.least(self.main), table.most(self.main)
        sums: dict[tuple[int, int], int] = {}
        for bet in laid:
            if bet.wager_id != self.main:
                continue
            if bet.amount < least:
                self.too_small(bet, least)
            place = bet.seat, box_of(bet)
            total = sums[place] = sums.get(place, 0) + bet.amount
            if most is not None and total > most:
                text = (
                    f"with {bet.id} box {place[1]} of seat {place[0]} has {shown(total)}; {shown(most)} is the maximum"
                )
                self.book.report("above_maximum", self.cite.limits, text, bet=bet)

    def not_offered(self, bet: Bet) -> Objection | None:
        """A stake on a hand of a split belongs to one on the same box: to the first there, if it names none."""
        objection = super().not_offered(bet)
        box = self.boxes.get(bet.seat)
        if objection is not None or bet.wager_id != self.main or box is None or not bet.hand:
            return objection
        if bet.of is None:
            bet.of = next((stake.id for stake in box.stakes if stake.pick == bet.pick), None)
        stake = None if bet.of is None else box.stake(bet.of)
        if stake is None or stake.pick == bet.pick:
            return None
        text = f"split stake {bet.id} is on box {bet.pick}, the stake {stake.id} on box {stake.pick}"
        return Objection("wager_not_offered", self.cite.split, text)

    def placed(self, bet: Bet) -> None:
        super().placed(bet)
        if bet.wager_id == "insurance":
            assert bet.of is not None
            self.insured_boxes[bet.id] = box_of(self.book.live[bet.of])

    # --- II: the dealer's hands -----------------------------------------------------------------------------------

    def of_box(self, number: int) -> Iterator[Hand]:
        """The players' hands that still play for this box: with a stake on it, neither bust nor given up."""
        for _, hand in all_hands(self.boxes):
            if hand.cards and not hand.out and any(bet.pick == number for bet in hand.bets):
                yield hand

    def insurances_of(self, number: int) -> list[Bet]:
        """The insurances of the stakes on this box."""
        return [bet for bet in self.insurances if self.insured_boxes[bet.id] == number and not bet.withdrawn]

    def owes(self, number: int) -> bool:
        """The dealer still has to draw for this box."""
        dealer = self.dealers[number - 1]
        if not dealer.blackjack_known and any(not bet.decided for bet in self.insurances_of(number)):
            return True
        for hand in self.of_box(number):
            if hand.blackjack:
                if dealer.may_have_blackjack:
                    return True
            elif not dealer.final:
                return True
        return False

    def is_over(self, number: int) -> bool:
        """The dealer's hand for this box is final, or is so without a card: nothing is left to play for."""
        if self.dealers[number - 1].final or number in self.abandoned:
            return True
        return not self.first_deal.missing and not any_open(self.boxes) and not self.owes(number)

    def next_box(self) -> None:
        """A box comes into play when the dealer's hand for the one before is final."""
        before = self.in_play
        while self.in_play < self.hands_of_dealer and self.is_over(self.in_play):
            self.in_play += 1
        if self.in_play > before:
            self.settle_hands()

    def misplay_for(self, number: int, text: str) -> None:
        """The dealer's own play is wrong: said once a hand of his."""
        if number not in self.faulted:
            self.faulted.add(number)
            self.book.report("dealer_misplay", self.cite.play, f"the dealer's hand for box {number}: {text}")

    def stands_short(self, number: int, text: str) -> None:
        """He went on without the cards that he owes: what lies counts, if it is more than his first card."""
        self.misplay_for(number, text)
        if self.dealers[number - 1].blackjack_known:
            self.dealers[number - 1].final = True
        else:
            self.abandoned.add(number)

    def card_to_dealer(self, event: CardDealt, fault: Fault | None) -> Fault | None:
        """The dealer's first card, which lies in all his hands, or one that he draws for a box."""
        card, number = event.card, event.hand or 1
        if number > self.hands_of_dealer:
            has = count_in_words(self.hands_of_dealer)
            return fault or (self.cite.play, f"{card} was dealt to hand {number} of the dealer; he has {has}")
        dealer = self.dealers[number - 1]
        if self.first_deal.missing:
            if not self.first_deal.in_turn(DEALER):
                fault = fault or (self.cite.play, f"the dealer took {card} out of turn in the first deal")
            if len(self.dealer.cards) < self.first_deal.dealers:
                self.first_deal.missing -= 1
                for each in self.dealers:
                    each.take(card)
            elif not dealer.final:
                dealer.take(card)
        else:
            self.draws_for(number, dealer, card)
        self.settle_insurances(dealer, self.insurances_of(number))
        self.settle_hands()
        self.next_box()
        return fault

    def draws_for(self, number: int, dealer: DealerHand, card: str) -> None:
        """While somebody competes for this box, to 17; with this card the hands for the boxes before are over."""
        self.pass_over()
        for earlier in range(1, number):
            if not self.is_over(earlier):
                self.stands_short(earlier, f"he drew for box {number} before it was final")
        self.next_box()
        if any(not hand.blackjack for hand in self.of_box(number)):
            if dealer.final or number < self.in_play:
                self.misplay_for(number, f"he took {card} after it had ended on {dealer.total}")
        elif not any(self.of_box(number)) and not self.insurances_of(number):
            self.misplay_for(number, f"he took {card} with nobody left to play against")
        if not dealer.final and number not in self.abandoned:
            dealer.take(card)

    # --- II: settlement -------------------------------------------------------------------------------------------

    def settle_hand(self, hand: Hand) -> None:
        """The stakes on a closed hand, each against the dealer's hand for its box. A blackjack that the dealer cannot
        equal is paid when its box comes into play."""
        for bet in hand.bets:
            if bet.decided:
                continue
            number = box_of(bet)
            dealer = self.dealers[number - 1]
            if not hand.bust and not dealer.final:
                if not hand.blackjack or not dealer.cards or number > self.in_play:
                    continue
                if dealer.may_have_blackjack:
                    continue
            assert bet.wager is not None
            self.decide(bet, main_ruling(bet.wager, hand.total, hand.blackjack, dealer.total, dealer.blackjack))

    def close_hand(self, box: Box, hand: Hand) -> None:
        super().close_hand(box, hand)
        self.next_box()

    def claim_presumes(self, bet: Bet) -> None:
        """As in blackjack, by the dealer's hand for the box of the stake."""
        if bet.wager_id != self.main:
            super().claim_presumes(bet)
            return
        number = box_of(bet)
        dealer = self.dealers[number - 1]
        if not dealer.blackjack_known or self.first_deal.missing:
            return
        for each, hand in all_hands(self.boxes):
            if hand.status == LAPSED:
                self.close_hand(each, hand)
        if not bet.decided and not dealer.final and not any_open(self.boxes):
            self.stands_short(number, f"he stood on {dealer.total}; he draws to {self.dealer_rule.stands_on - 1}")
            self.settle_hands()
            self.next_box()

    def end_hands(self) -> None:
        """The cards are taken in: every hand of the dealer is over."""
        for number in range(1, self.hands_of_dealer + 1):
            if number not in self.abandoned and self.owes(number):
                self.stands_short(number, "the round was closed before he had drawn his cards")
        for box, hand in all_hands(self.boxes):
            self.check_split_stake(box, hand)
            self.close_hand(box, hand)

    def round_closed(self, event: RoundClosed) -> None:
        super().round_closed(event)
        if self.dealer.cards:
            shown = [f"{' '.join(each.cards)} = {each.total}" for each in self.dealers if len(each.cards) > 1]
            self.outcome = "dealer " + ("; ".join(shown) or self.dealer.cards[0])


def odds(rules: GameRules) -> Iterator[Odds]:
    """As in blackjack: the wagers that no decision touches. Each insurance of a hand has the same figure."""
    yield from game_3.odds(rules)


GAME = TripleBlackjack
