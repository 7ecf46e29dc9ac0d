"""Blackjack with a hole card: US-NJ, N.J.A.C. 13:69F-2.

2.2     One to eight packs; an ace is 11 unless that gives more than 21, for players and dealer alike; at under and over
        13 it is always 1.
2.6     A second card to the dealer, face down, with the deal. Where he looks (``peek``) he does so before the boxes
        play, with an ace or a ten up; or he does not look; or the table deals without a hole card.
2.7     A blackjack is paid as the table posts, at once where the dealer can have none; or even money against an ace.
2.8     Surrender: half of the stake, unless the dealer's blackjack takes all of it.
2.9     Insurance, while an ace lies and nobody has played: two to one.
2.10    Doubling, by as much as the stake or less.
2.11    Splits: cards of equal value, up to as many hands as the table allows. (d) The dealer's blackjack takes only
        what was laid before the deal.
2.12    He draws to 16, and where the table says so on a soft 17; only if his total can change a stake.
2.15    A box without a card is dead. A card that is not due does not count.
2.17    Under and over 13, or suited cards, for a dollar. 2.23: cards of the rank of the dealer's first one.

What the hole card is decides nothing before it *shows* (`HoleCardTable.time_to_show`). A card that the shoe could not
read is judged when it is turned; one that was taken for another counts as if it had been read right.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar, Final

from replay.blackjack_hands import (
    CLOSED,
    DEALER,
    LAPSED,
    OPEN,
    POINTS,
    Box,
    DealerHand,
    DealerRule,
    Fault,
    Hand,
    all_hands,
    any_open,
    competes,
)
from replay.blackjack_law import MATCHES, BlackjackLaw, BlackjackWager
from replay.blackjack_sevens import as_ratio
from replay.book import Bet, Book
from replay.events import BetPlaced, BetRaised, BetSettled, CardDealt, CardRevealed, Decision, RoundClosed
from replay.games._blackjack_table import PUSH, BlackjackTable, insurance_ruling, main_ruling, thirteen_ruling
from replay.money import Price
from replay.results import Finding
from replay.rules import Table, Wager

UNREAD: Final = "??"
BLACKJACK_SHOWS: Final = (1, 10)
"""Points of a first card with which the dealer may have a blackjack."""

Due = tuple[int, int, str]
"""What a stake comes to: paid, returned, the passage."""


def suited_ruling(price: Price, first: str, second: str) -> Price | None:
    """2.17(a)2: a box's first two cards are of one suit."""
    return price if first[1] == second[1] else None


def match_ruling(prices: dict[str, Price], cards: tuple[str, str], up: str) -> Price | None:
    """2.23: each of a box's first two cards of the rank of the dealer's first one, more if of its suit too; their
    sum where both are."""
    won = [prices[MATCHES[card[1] == up[1]]] for card in cards if card[0] == up[0]]
    return Price.of(sum((price.ratio for price in won), Fraction(0))) if won else None


def match_prices(wager: Wager, decks: int) -> dict[str, Price]:
    """2.23: what the wager pays with so many packs; empty where it is not played with them."""
    prices = {kind: wager.prices.get(f"{decks}_{kind}") for kind in MATCHES}
    return {kind: price for kind, price in prices.items() if price is not None}


class HoleHand(DealerHand):
    """The dealer's hand whose second card may be one that nobody could read, or was taken for another."""

    __slots__ = ("drawn", "unread")

    def __init__(self, rule: DealerRule) -> None:
        super().__init__(rule)
        self.unread = False
        """The second card could not be read, and has not been turned."""
        self.drawn: list[str] = []
        """What he drew after it, whether it counted or not."""

    def take(self, card: str) -> None:
        if card == UNREAD or self.unread:
            self.cards.append(card)
            self.unread = True
        else:
            super().take(card)

    def turn(self, card: str) -> list[str]:
        """The second card is this one, and has been all the time. Which of the cards drawn after it do not count."""
        first, drawn = self.cards[0], self.drawn
        self.cards, self.unread, self.final = [], False, False
        self.hard = self.aces = 0
        for each in (first, card):
            super().take(each)
        too_many = []
        for each in drawn:
            if self.final:
                too_many.append(each)
            else:
                super().take(each)
        return too_many


class HoleCardTable(BlackjackTable):
    """One table. That play has begun is the base's ``drawn``."""

    handles: ClassVar[tuple[str, ...]] = ("card_revealed",)
    needs: ClassVar[type[BlackjackLaw]] = BlackjackLaw

    def __init__(self, table: Table, book: Book) -> None:
        law = table.rules.law_as(BlackjackLaw)
        assert law.hole_card and law.dealers_blackjack and law.double and law.split and law.irregularities
        self.law = law
        self.hole_passage = law.hole_card.passage
        self.takes_all = law.dealers_blackjack.takes == "all"
        self.takes_passage = law.dealers_blackjack.passage
        self.for_less = law.double.for_less
        self.full_table = law.split
        self.irregular = law.irregularities.passage
        super().__init__(table, book)

    def rule_of_dealer(self, stands_on: int) -> DealerRule:
        """2.12: an ace counts as a player's does; whether he draws on a soft 17 the table says."""
        return DealerRule(stands_on, as_players=True, draws_on_soft=self.table.options["soft_17"] == "hit")

    def read_options(self) -> None:
        options = self.table.options
        self.boxes_of_table = options["boxes"]
        self.continuous = options.get("shoe") == "continuous"
        self.decks: int = self.law.shoe_decks or options["decks"]
        self.deals: str = options["hole_card"]
        self.from_hand = options["dealt"] == "hand"
        self.resplit_aces: bool = options["resplit_aces"]
        self.max_hands: int = options["max_hands"]
        if self.boxes_of_table >= self.full_table.full_table:
            self.max_hands = min(self.max_hands, self.full_table.most_hands)
        self.ten_eleven = options["double_on"] == "ten_eleven"
        self.pays = Price.of(Fraction(str(options["blackjack_pays"])))
        self.pays_passage = self.rules.options["blackjack_pays"].passage
        self.even_money_passage = self.rules.options["even_money"].passage
        suited = options["suited_pays"]
        self.suited = None if suited is None else Price.of(suited)
        self.match = self.prices_of_match()
        beside = options["additional_wager"]
        thirteen = beside == "over_under_13"
        self.offered = {
            "under_13": thirteen,
            "over_13": thirteen,
            "suited": beside == "suited" and self.suited is not None,
            "match_the_dealer": bool(options["match_the_dealer"]) and bool(self.match),
            **self.sevens.offered,
        }

    def prices_of_match(self) -> dict[str, Price]:
        """2.23: by number of decks, or as the table posts them; empty where the wager is not to be had."""
        wager = self.rules.wagers.get("match_the_dealer")
        posted: dict[str, Any] = self.table.options["match_paytable"] or {}
        prices = {} if wager is None else match_prices(wager, self.decks)
        if not prices:
            return {}
        for kind, value in posted.items():
            ratio = as_ratio(value)
            if kind not in prices or ratio is None:
                text = f"match_paytable: {kind}: {value} is no prize of match_the_dealer"
                self.setup_faults.append((self.rules.options["match_paytable"].passage, text))
            else:
                prices[kind] = Price.of(ratio)
        return prices

    def table_opened(self) -> None:
        """Besides: options that the house may choose each by itself, and not together."""
        options, of = self.table.options, self.rules.options
        if options["max_hands"] > self.max_hands:
            text = f"with {self.boxes_of_table} boxes a box is split into {self.max_hands} hands at most"
            self.setup_faults.append((self.full_table.passage, text))
        if self.from_hand and self.decks > 2:
            text = f"{self.decks} decks are dealt from a shoe, one or two from the hand"
            self.setup_faults.append((of["dealt"].passage, text))
        if options["match_the_dealer"] and not self.match:
            text = f"match_the_dealer is not played with {self.decks} decks"
            self.setup_faults.append((of["match_the_dealer"].passage, text))
        super().table_opened()

    # --- the round ------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        super().clear()
        self.bank = HoleHand(self.dealer_rule)
        self.dealer = self.bank
        self.lies_down = False
        """The hole card was dealt face down."""
        self.turned = False
        """Everybody sees it."""
        self.shown = False
        """Whether the dealer has a blackjack can be seen."""
        self.looked = False
        """He has looked at a card that could not be read, and played on: he has no blackjack."""
        self.over = False
        """He has looked and has a blackjack: nobody plays."""
        self.ended = False
        self.closed_pairs: set[tuple[int, int]] = set()
        """Box and hand of pairs of split aces that are not split again."""
        self.calls_in_vain: set[tuple[int, str]] = set()
        """Box and choice of what was called when the round was over."""
        self.in_vain: list[Any] = []
        """Events of play since it was over."""
        self.even_paid: set[str] = set()
        """Bets that were paid even money."""
        self.dead: set[str] = set()
        """Bets of boxes that were dead."""
        self.stood_short = False
        self.last_misplay: Finding | None = None
        self.of_total: Finding | None = None
        """What was said of the dealer's play by his total."""
        self.of_over: Finding | None = None
        """That he dealt on when the round was over."""
        self.too_many: dict[str, list[Finding]] = {}
        """What was said of copies of a card that cannot be, by card."""
        self.calls: list[Finding] = []
        """What was said of decisions."""

    def deal_order(self, seats: list[int]) -> list[int]:
        """2.6: a card to each of these boxes, one to the dealer, a second one to each box, and one face down to him."""
        order = [*seats, DEALER, *seats]
        return order if self.deals == "no_hole" else [*order, DEALER]

    def first_draw(self) -> None:
        self.begin_play()

    def insured_stake(self, bet_id: str) -> Bet | None:
        """Paid even money it is insured all the same."""
        return self.book.known(bet_id)

    def begin_play(self, *, closing: bool = False) -> None:
        """2.9: nobody insures any more; with an ace up the dealer looks. 2.15: a box without a card is dead."""
        if self.drawn or not (closing or self.bank.cards or any(hand.cards for _, hand in all_hands(self.boxes))):
            return
        super().first_draw()
        for box in [box for box in self.boxes.values() if not any(hand.cards for hand in box.hands)]:
            self.is_dead(box)
        self.look()

    def is_dead(self, box: Box) -> None:
        """2.15: all its stakes come back, insurances too."""
        del self.boxes[box.seat]
        self.first_deal.missing -= 2
        stakes = {bet.id for bet in box.stakes}
        for bet in [*box.stakes, *box.sides, *(bet for bet in self.insurances if bet.of in stakes)]:
            if not bet.decided:
                self.dead.add(bet.id)
                self.book.decide(bet, 0, bet.amount, self.irregular)
        if not self.first_deal.out_of_order:
            self.first_deal.out_of_order = True
            text = f"box {box.seat} has a stake, and had no card when play began"
            self.book.report("dealing_error", self.cite.play, text, seat=box.seat)

    @property
    def insurance_time(self) -> bool:
        """2.9: until play begins."""
        return not self.drawn

    # --- 2.6, what shows ------------------------------------------------------------------------------------------

    @property
    def may_have_blackjack(self) -> bool:
        """By his first card."""
        return bool(self.bank.cards) and POINTS[self.bank.cards[0]] in BLACKJACK_SHOWS

    def all_closed(self) -> bool:
        """Nobody is still to play: no hand is open, and no pair of split aces may be split again."""
        return not any(
            hand.status == OPEN or self.may_split_again(box, hand) for box, hand in all_hands(self.boxes)
        )  # fmt: skip

    def time_to_show(self) -> bool:
        """Whether the dealer has a blackjack can be seen by now, if the card can be read."""
        if len(self.bank.cards) < 2:
            return False
        if self.turned or self.deals == "no_hole":
            return True
        if self.deals == "peek" and self.may_have_blackjack:
            return self.drawn or not self.bank.shows_ace
        return self.all_closed() and (self.drawn or not self.bank.shows_ace)

    def look(self) -> None:
        """Something has happened: does the hole card show now? What hangs on it is decided."""
        if not self.shown and self.time_to_show() and (self.looked or not self.bank.unread):
            self.shown = True
            if self.deals == "peek" and self.bank.blackjack:
                self.round_is_over()
        self.settle_all()

    def round_is_over(self) -> None:
        """The dealer has looked and has a blackjack: nobody plays. A box that lacks its second card still gets it."""
        self.over = True
        for _, hand in all_hands(self.boxes):
            if len(hand.cards) >= 2:
                hand.status = CLOSED

    def plays_on(self) -> None:
        """A decision, or a card: who had to look at a card that could not be read has no blackjack."""
        if self.bank.unread and self.deals == "peek" and self.may_have_blackjack:
            self.looked = True
            self.look()

    def card_revealed(self, event: CardRevealed) -> None:
        """The hole card is turned: nobody plays any more."""
        if self.dark:
            return
        card, bank = event.card, self.bank
        if not self.lies_down or self.turned or self.ended:
            self.book.report(
                "dealing_error", self.hole_passage, f"{card} was turned, and no card of the dealer lay down"
            )
            return
        read = bank.cards[1]
        self.turned = True
        if card in POINTS and card != read:
            can_be = self.shoe.knows(card, read)
            if read == UNREAD:
                self.judge_dealer(bank.turn(card))
                if bank.blackjack and self.looked:
                    self.misplay("the dealer has a blackjack, and played on after he had looked")
            else:
                text = f"{card} was turned, the shoe had read {read}"
                self.book.report("dealing_error", self.hole_passage, text)
                if self.too_many.get(read):
                    self.book.unsay(self.too_many[read].pop())
                if not can_be:
                    self.impossible(card)
                self.misread(card)
        self.begin_play()
        self.look()
        if not self.over:
            self.pass_over("the dealer turned his card")
        self.no_more_splits()
        self.look()

    # --- 2.6, a card that was taken for another -------------------------------------------------------------------

    def misread(self, card: str) -> None:
        """The hole card counts as if it had been read right, also for what was decided by the wrong one."""
        bank, was_over = self.bank, self.over
        if self.of_total is not None:
            self.book.unsay(self.of_total)
            self.of_total, self.misplayed = None, False
        too_many = bank.turn(card)
        if was_over and not bank.blackjack:
            self.was_not_over()
        elif self.deals == "peek" and self.shown and bank.blackjack and not was_over:
            self.was_over()
        else:
            self.judge_dealer(too_many)
        if self.stood_short and not bank.final:
            self.stands_short("the dealer stood short")
        for bet, due in self.decided_by_dealer():
            if due is None or due[:2] != (bet.paid, bet.returned - bet.refund):
                if self.book.reopen(bet) and due is not None:
                    self.book.decide(bet, *due)

    def decided_by_dealer(self) -> list[tuple[Bet, Due | None]]:
        """Stakes of the round that were decided, each with what it comes to now (None: nothing yet)."""
        found: list[tuple[Bet, Due | None]] = []
        for _, hand in all_hands(self.boxes):
            for bet in hand.bets:
                if bet.decided and bet.id not in self.even_paid:
                    found.append((bet, self.due(hand, bet) if hand.status == CLOSED else None))
        for bet in self.insurances:
            if bet.decided and not bet.withdrawn and not bet.refused and bet.id not in self.dead:
                found.append((bet, self.due_of_insurance(bet)))
        return found

    def was_over(self) -> None:
        """He had a blackjack when he looked: what was played since is void, what was added to a stake comes back."""
        self.over = True
        if self.bank.drawn or any(len(box.line) > 2 or len(box.hands) > 1 for box in self.boxes.values()):
            self.misplay("the dealer had a blackjack when he looked, and dealt on")
        for finding in self.calls:
            self.book.unsay(finding)
        for box in self.boxes.values():
            if len(box.line) >= 2:
                hand = Hand(1)
                for card in box.line[:2]:
                    hand.take(card)
                hand.begun, hand.status, hand.bets = 1, CLOSED, list(box.stakes)
                box.hands = [hand]

    def was_not_over(self) -> None:
        """He had no blackjack when he looked: what was done since is played."""
        decided = [bet for bet, _ in self.decided_by_dealer()]
        self.over = False
        if self.of_over is not None:
            self.book.unsay(self.of_over)
            self.of_over, self.misplayed = None, False
        for bet in decided:
            self.book.reopen(bet)
        for _, hand in all_hands(self.boxes):
            if not hand.closes_itself():
                hand.status = OPEN
        in_vain, self.in_vain, self.calls_in_vain = self.in_vain, [], set()
        for event in in_vain:
            self.play_after_all(event)

    def play_after_all(self, event: Any) -> None:
        """An event that had been in vain."""
        if event.type == "decision":
            self.decision(event)
        elif event.type == "card_dealt":
            if event.to == "dealer":
                self.card_to_dealer(event, None)
            else:
                self.card_to_box(event.seat, event.hand or 1, event.card)
        else:
            bet = self.book.known(event.bet)
            if event.type == "bet_raised" and bet is not None and bet.refund >= event.by:
                bet.refund -= event.by
                self.bet_raised(event)
            elif event.type == "bet_placed" and bet is not None and self.split_hand(bet) is not None:
                if self.book.reopen(bet):
                    self.split_stake_placed(bet)

    # --- 2.11, 2.17, 2.23: stakes ---------------------------------------------------------------------------------

    def judge_side_bet(self, bet: Bet) -> None:
        """Beside a main stake; of one amount where the law says it, else within the wager's own limits."""
        wager = bet.wager
        assert wager is not None
        box = self.boxes.get(bet.seat)
        stake = wager.law_as(BlackjackWager).stake
        if box is None or (stake is None and bet.wager_id != "match_the_dealer"):
            super().judge_side_bet(bet)
            return
        box.sides.append(bet)
        shown, own = self.table.shown, self.table.limits.get(bet.wager_id) or {}
        if stake is not None:
            if bet.amount != stake:
                text = f"{wager.id} bet {bet.id} of {shown(bet.amount)} is not the {shown(stake)} of this wager"
                self.book.report("stake_mismatch", wager.passage, text, bet=bet)
            return
        if bet.amount < own.get("min", 0):
            self.too_small(bet, own["min"])
        if bet.amount > own.get("max", bet.amount):
            text = f"{wager.id} bet {bet.id} of {shown(bet.amount)} is over the maximum of {shown(own['max'])}"
            self.book.report("above_maximum", wager.passage, text, bet=bet)

    def doubles(self, bet: Bet) -> bool:
        """2.10: by as much as the stake, or less where the law says so."""
        return bet.amount <= 2 * bet.first_amount if self.for_less else super().doubles(bet)

    def placed(self, bet: Bet) -> None:
        super().placed(bet)
        self.settle_insurances_now()

    def bet_placed(self, event: BetPlaced) -> None:
        """2.6: what is staked on a split when the round is over comes back."""
        if self.over and event.wager == self.main and (event.seat, "split") in self.calls_in_vain:
            bet = self.book.place(event)
            if bet is not None:
                self.in_vain.append(event)
                self.book.decide(bet, 0, bet.amount, self.takes_passage)
        else:
            super().bet_placed(event)

    def bet_raised(self, event: BetRaised) -> None:
        """Likewise what is added to a double."""
        bet = self.book.known(event.bet) if self.over else None
        if bet is not None and (bet.seat, "double") in self.calls_in_vain:
            self.in_vain.append(event)
            self.give_back(bet, event.by)
        else:
            super().bet_raised(event)

    # --- claims ---------------------------------------------------------------------------------------------------

    def bet_settled(self, event: BetSettled) -> None:
        """A claim that waits for a card alone which nobody could read is not too early."""
        bet = self.book.live.get(event.bet)
        waits = False
        if bet is not None and bet.claimed_paid is None and bet.round == self.book.round:
            if bet.wager_id == "insurance" or bet.state is not None:
                self.claim_presumes(bet)
                waits = not bet.decided and self.waits_for_card(bet)
        self.book.claim(event, early=not waits)

    def claim_presumes(self, bet: Bet) -> None:
        """To settle an insurance, or a stake against an ace, says that nobody insures any more; to settle a stake, that
        its hand has ended; one that hangs on the dealer's total, that he stands."""
        if bet.wager_id == "insurance":
            self.begin_play()
            return
        if bet.wager_id != self.main:
            return
        if self.bank.shows_ace:
            self.begin_play()
        box, hand = self.boxes.get(bet.seat), self.hand_of(bet)
        if box is None or hand is None or len(self.bank.cards) < 2:
            return
        if hand.status == LAPSED or (self.over and hand.status == OPEN):
            self.close_hand(box, hand)
        if any_open(self.boxes):
            return
        self.no_more_splits()
        for each, other in all_hands(self.boxes):
            if other.status == LAPSED:
                self.close_hand(each, other)
        self.look()
        bank = self.bank
        if not (bet.decided or bank.final or bank.unread or hand.surrendered or hand.blackjack):
            self.stands_short(f"the dealer stood on {bank.total}, on which he has to draw")

    def stands_short(self, text: str) -> None:
        """He takes no more cards, and has to: his hand counts as it lies."""
        if not self.misplayed:
            self.misplay(text)
            self.of_total = self.last_misplay
        self.stood_short = self.bank.final = True
        self.settle_all()

    def waits_for_card(self, bet: Bet) -> bool:
        """Nothing is wanting for this stake but to know what the hole card is."""
        if not self.bank.unread:
            return False
        hand = self.hand_of(bet)
        if bet.wager_id == "insurance" or (hand is not None and (hand.blackjack or hand.surrendered)):
            return self.time_to_show()
        return self.all_closed()

    # --- 2.6, 2.11, the boxes' cards ------------------------------------------------------------------------------

    def face_down(self, event: CardDealt) -> Fault | None:
        """2.6: the hole card lies face down; 2.2(a)1: at a table dealt from the hand a box's first two cards may."""
        if event.to == "dealer" and len(self.bank.cards) == 1 and self.deals != "no_hole":
            return None
        if self.from_hand and event.seat is not None:
            box = self.boxes.get(event.seat)
            if box is not None and (event.hand or 1) == 1 and len(box.hands) == 1 and len(box.hands[0].cards) < 2:
                return None
        return super().face_down(event)

    def judged_unread(self, event: CardDealt) -> bool:
        """The hole card alone."""
        is_hole = event.to == "dealer" and len(self.bank.cards) == 1 and self.deals != "no_hole"
        return is_hole and event.card == UNREAD

    def card_to_box(self, seat: int, number: int, card: str) -> Fault | None:
        box = self.boxes.get(seat)
        hand = None if box is None else box.hand(number)
        if box is not None and hand is None and self.over:
            self.comes_in_vain(card)
            return None
        if box is None or hand is None:
            return super().card_to_box(seat, number, card)
        fault: Fault | None = None
        if number == 1 and not hand.split and len(hand.cards) < 2:
            if not self.first_deal.in_turn(seat):
                fault = (self.cite.play, f"{card} went to box {seat} out of turn in the first deal")
            self.first_deal.missing -= 1
        else:
            self.begin_play()
            self.plays_on()
            if self.over:
                self.comes_in_vain(card)
                return None
            self.no_more_splits(below=seat)
            if not self.may_have(box, hand):
                return self.not_counted(box, hand, card, None)
            if len(hand.cards) >= 2:
                self.called_for(box, hand, card)
            fault = self.drawn_in_turn(box, hand, card)
        hand.take(card)
        box.begin(hand)
        self.card_taken(box, hand, card)
        if self.over and len(hand.cards) >= 2:
            self.close_hand(box, hand)
        return fault

    def card_dealt(self, event: CardDealt) -> None:
        before = self.over
        super().card_dealt(event)
        if before and self.over and event.to != "burn":
            self.in_vain.append(event)

    def comes_in_vain(self, card: str) -> None:
        """A card when the round is over."""
        if not self.misplayed:
            self.misplay(f"{card} was dealt after the dealer had shown a blackjack")
            self.of_over = self.last_misplay

    def close_hand(self, box: Box, hand: Hand) -> None:
        hand.status = CLOSED
        self.look()

    # --- 2.7 to 2.11, decisions -----------------------------------------------------------------------------------

    def decision(self, event: Decision) -> None:
        """The first one begins play, but for even money. When the round is over they are void."""
        if self.dark:
            return
        choice = event.choice
        if choice != "even_money":
            self.begin_play()
            self.plays_on()
        box = self.boxes.get(event.seat)
        hand = None if box is None else box.hand(event.hand or 1)
        if self.over:
            self.in_vain.append(event)
            self.calls_in_vain.add((event.seat, choice))
        elif choice == "even_money":
            self.even_money(event.seat, hand)
        else:
            self.no_more_splits(below=event.seat)
            super().decision(event)
            self.look()

    def impossible(self, card: str) -> Finding:
        finding = super().impossible(card)
        self.too_many.setdefault(card, []).append(finding)
        return finding

    def illegal(self, seat: int, passage: str, text: str) -> None:
        self.calls.append(self.book.report("illegal_decision", passage, text, seat=seat))

    def even_money(self, seat: int, hand: Hand | None) -> None:
        """2.7: a blackjack is paid at par before anybody knows whether the dealer has one too."""
        stakes = [] if hand is None else [bet for bet in hand.bets if not bet.decided]
        offered = self.table.options["even_money"] and self.bank.shows_ace and not (self.drawn or self.shown)
        if not stakes or hand is None or not hand.blackjack or not offered:
            self.illegal(seat, self.even_money_passage, f"box {seat} was given even money, which is not to be had")
            return
        for bet in stakes:
            assert bet.wager is not None
            self.even_paid.add(bet.id)
            paid = self.table.pay(bet.amount, bet.wager.prices["win"])
            self.book.decide(bet, paid, bet.amount, self.even_money_passage)

    def stand(self, box: Box, hand: Hand) -> None:
        if hand.status == CLOSED and self.may_split_again(box, hand):
            self.closed_pairs.add((box.seat, hand.number))
        elif hand.status == CLOSED:
            self.illegal(box.seat, self.cite.play, f"stand was called for {box.name(hand)}, which is closed")
        else:
            self.close_hand(box, hand)

    def objection_to_double(self, box: Box, hand: Hand) -> str | None:
        """2.10: at some tables on ten and eleven alone."""
        objection = super().objection_to_double(box, hand)
        if objection is None and self.ten_eleven and hand.total not in (10, 11):
            return f"{box.name(hand)} was doubled on {hand.total}; this table doubles on 10 and 11"
        return objection

    def may_split_again(self, box: Box, hand: Hand) -> bool:
        """2.11(e): a pair of split aces, where the table splits them again and the box has not all its hands."""
        return (
            hand.pair_of_split_aces
            and self.resplit_aces
            and len(box.hands) < self.max_hands
            and (box.seat, hand.number) not in self.closed_pairs
        )

    def no_more_splits(self, below: int = 100) -> None:
        """Pairs of split aces in the boxes below have not been split again."""
        for box, hand in all_hands(self.boxes):
            if box.seat < below and hand.pair_of_split_aces:
                self.closed_pairs.add((box.seat, hand.number))

    def split(self, box: Box, hand: Hand) -> None:
        """2.11: a pair of split aces that may not be split again is a closed hand."""
        if hand.pair_of_split_aces and not self.may_split_again(box, hand):
            box.split_void = True
            text = f"{box.name(hand)}, a pair of split aces, was split again; this table does not"
            self.illegal(box.seat, self.cite.split, text)
        else:
            super().split(box, hand)

    def objection_to_split(self, box: Box, hand: Hand) -> str | None:
        """2.11(c)1: up to so many hands a box."""
        if len(hand.cards) == 2 and len(box.hands) >= self.max_hands:
            return f"{box.name(hand)} was split; this table has {self.max_hands} hands a box at most"
        return super().objection_to_split(box, hand)

    def objection_to_surrender(self, hand: Hand) -> str | None:
        """2.8: the first two cards of a hand that nothing was done with."""
        if self.table.options["surrender"] != "late":
            return "at a table that has no surrender"
        if hand.split:
            return "after a split"
        if len(hand.cards) != 2 or hand.asked or hand.doubling:
            return "after it had been played on"
        return "after it had stood" if hand.status == LAPSED else None

    def surrender(self, box: Box, hand: Hand) -> None:
        """2.8: half of the stake, as soon as it shows that the dealer has no blackjack."""
        objection = "but is closed" if hand.status == CLOSED else self.objection_to_surrender(hand)
        if objection is None:
            hand.surrendered = True
            self.close_hand(box, hand)
            return
        self.illegal(box.seat, self.surrender_passage, f"{box.name(hand)} was surrendered {objection}")
        if hand.status == OPEN and not (hand.asked or hand.doubling):
            hand.status = LAPSED

    # --- 2.12, the dealer -----------------------------------------------------------------------------------------

    def card_to_dealer(self, event: CardDealt, fault: Fault | None) -> Fault | None:
        card, bank = event.card, self.bank
        lying = len(bank.cards)
        if lying >= 2 or (lying == 1 and self.deals == "no_hole"):
            self.draws(card)
            return fault
        if not self.first_deal.in_turn(DEALER):
            fault = fault or (self.cite.play, f"the dealer took {card} out of turn in the first deal")
        self.first_deal.missing -= 1
        if lying == 1 and event.up is not False:
            self.turned = True
            fault = fault or (self.hole_passage, f"the hole card {card} was dealt face up")
        self.lies_down = lying == 1 and not self.turned
        bank.take(card)
        for box in self.boxes.values():
            self.settle_first_cards(box)
        self.look()
        return fault

    def draws(self, card: str) -> None:
        """2.12: a card that the dealer draws."""
        bank = self.bank
        self.begin_play()
        self.plays_on()
        if self.over:
            self.comes_in_vain(card)
            return
        self.pass_over()
        self.no_more_splits()
        if not competes(self.boxes) and not self.second_is_due():
            self.misplay(f"the dealer took {card}, which nobody's stake asked for")
        elif bank.final and not bank.unread:
            bank.drawn.append(card)
            self.judge_dealer([card])
        else:
            if len(bank.cards) >= 2:
                bank.drawn.append(card)
            bank.take(card)
        self.look()

    def second_is_due(self) -> bool:
        """Without a hole card, he shows a second one where it decides an insurance, a blackjack, a surrender."""
        if len(self.bank.cards) != 1:
            return False
        if any(not bet.decided for bet in self.insurances):
            return True
        return self.may_have_blackjack and any(
            (hand.blackjack or hand.surrendered) and any(not bet.decided for bet in hand.bets)
            for _, hand in all_hands(self.boxes)
        )

    def judge_dealer(self, too_many: list[str]) -> None:
        """Cards that he drew on a total on which he stands; they do not count."""
        if too_many and not self.misplayed:
            self.misplay(f"the dealer took {too_many[0]} on {self.bank.total}, on which he has to stand")
            self.of_total = self.last_misplay

    def misplay(self, text: str) -> None:
        if not self.misplayed:
            self.misplayed = True
            self.last_misplay = self.book.report("dealer_misplay", self.cite.play, text)

    def owes_cards(self) -> bool:
        bank = self.bank
        if bank.unread:
            return False
        if len(bank.cards) < 2 and any(not bet.decided for bet in self.insurances):
            return True
        for _, hand in all_hands(self.boxes):
            if hand.cards and any(not bet.decided for bet in hand.bets):
                if len(bank.cards) < 2 or not (bank.final or hand.blackjack or hand.surrendered):
                    return True
        return False

    # --- settlement -----------------------------------------------------------------------------------------------

    def settle_all(self) -> None:
        """Everything that is decided by now."""
        self.settle_insurances_now()
        self.settle_hands()

    def settle_insurances_now(self) -> None:
        """2.9: when the hole card shows."""
        for bet in self.insurances:
            due = None if bet.decided else self.due_of_insurance(bet)
            if due is not None:
                self.book.decide(bet, *due)

    def due_of_insurance(self, bet: Bet) -> Due | None:
        """What an insurance comes to; None: it hangs on a card that does not show."""
        assert bet.wager is not None
        if not self.shown:
            return None
        price = None if self.looked else insurance_ruling(bet.wager, self.bank.cards[1])
        return self.won(bet, price, bet.wager.passage)

    def won(self, bet: Bet, price: Price | None, passage: str) -> Due:
        """The stake wins at ``price`` and comes back; or it loses."""
        return (0, 0, passage) if price is None else (self.table.pay(bet.amount, price), bet.amount, passage)

    def settle_hand(self, hand: Hand) -> None:
        for bet in hand.bets:
            due = None if bet.decided else self.due(hand, bet)
            if due is not None:
                self.book.decide(bet, *due)

    def due(self, hand: Hand, bet: Bet) -> Due | None:
        """What a stake on a closed hand comes to; None: it is not decided yet."""
        bank, wager = self.bank, bet.wager
        assert wager is not None
        if hand.bust:
            return 0, 0, wager.passage
        hidden = self.may_have_blackjack and not self.shown
        if hand.surrendered:
            if hidden:
                return None
            return 0, 0 if bank.blackjack and not self.looked else self.half_of(bet), self.surrender_passage
        if hand.blackjack:
            if hidden or not bank.cards:
                return None
            price = PUSH if bank.blackjack and not self.looked else self.pays
            return self.won(bet, price, self.pays_passage)
        if bank.unread or not bank.final or not (self.over or self.all_closed()):
            return None
        if bank.blackjack:
            return 0, self.added_to(bet), self.takes_passage
        return self.won(bet, main_ruling(wager, hand.total, False, bank.total, False), wager.passage)

    def added_to(self, bet: Bet) -> int:
        """2.11(d): what comes back of a stake that the dealer's blackjack takes: all that was laid after the deal."""
        if self.takes_all:
            return 0
        return bet.amount - bet.first_amount if bet.state == 1 else bet.amount

    def settle_first_cards(self, box: Box) -> None:
        """2.17(d), 2.23: when the box has two cards, and the dealer his first one for the wager that looks at it."""
        if len(box.line) < 2:
            return
        first, second = box.line[:2]
        up = self.bank.cards[0] if self.bank.cards else None
        for bet in box.sides:
            if bet.decided or bet.wager is None:
                continue
            if bet.wager_id == "suited":
                assert self.suited is not None
                self.decide(bet, suited_ruling(self.suited, first, second))
            elif bet.wager_id == "match_the_dealer":
                if up is not None:
                    self.decide(bet, match_ruling(self.match, (first, second), up))
            else:
                self.decide(bet, thirteen_ruling(bet.wager, first, second))

    def round_closed(self, event: RoundClosed) -> None:
        super().round_closed(event)
        self.ended = True
        if self.bank.unread:
            self.outcome = f"dealer {' '.join(self.bank.cards)}"

    def end_hands(self) -> None:
        """The cards are taken in: who has not been asked stands, and a card that was never turned leaves open what
        hangs on it."""
        bank = self.bank
        self.begin_play(closing=True)
        if len(bank.cards) >= 2 and not self.over:
            self.pass_over("the round was closed")
        self.no_more_splits()
        for box, hand in all_hands(self.boxes):
            if not self.over:
                self.check_split_stake(box, hand)
            hand.status = CLOSED
        self.look()
        if self.owes_cards():
            self.misplay("the round was closed before the dealer had drawn his cards")
            bank.final = len(bank.cards) >= 2
            self.settle_all()
        if bank.unread:
            for bet in [*(bet for _, hand in all_hands(self.boxes) for bet in hand.bets), *self.insurances]:
                if not bet.decided:
                    self.book.leave_open(bet)
                    self.book.disown([(bet.round, bet.id)])

    # --- what a replay shows --------------------------------------------------------------------------------------

    def lying(self) -> dict[str, str | list[str]]:
        """What the table knows of the hole card."""
        if len(self.bank.cards) < 2 or self.deals == "no_hole":
            return {}
        if self.over:
            words = "a blackjack, the round is over"
        elif self.bank.unread:
            words = "not read; no blackjack, for he played on" if self.looked else "not read"
        elif self.turned:
            words = "turned"
        else:
            words = "no blackjack" if self.shown else "nobody has seen it"
        return {"hole card": words}

    def wins(self, bet: Bet) -> dict[str, int]:
        """A blackjack, suited cards and cards of the dealer's rank as the table pays them."""
        if bet.wager_id == "suited" and self.suited is not None:
            return {"": self.table.pay(bet.amount, self.suited)}
        if bet.wager_id == "match_the_dealer":
            return {kind: self.table.pay(bet.amount, price) for kind, price in self.match.items()}
        found = super().wins(bet)
        if "blackjack" in found:
            found["blackjack"] = self.table.pay(bet.amount, self.pays)
        return found
