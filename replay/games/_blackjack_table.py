"""Blackjack (BlackJack, Vint-i-u): AD-2025, game 3.

II      Six decks; an ace is 1 or 11 as serves the player best, pictures and tens are 10.
IV.1    Up to three stakes on a box; the player of the first commands it, the others are bound by what he does.
V.1.a   One card to each box in turn and one to the dealer, then a second card to each box; he has no second card yet.
        Boxes play in turn, a card for each call, none at 21. While competitors remain the dealer draws to 16 and
        stands on 17, an ace counting 11 whenever that makes 17 to 21. Even money; equal totals push; a blackjack
        wins three for two, and loses to nothing.
V.1.b   Insurance against the dealer's blackjack, while his ace lies and no third card has been given: two to one.
V.1.c   Two cards of equal value may be split, as often as they come; split aces get one card each.
V.1.d   Any first two cards may be doubled, for one card more.
V.1.e   Under and over 13: the first two cards, the ace always one.
V.1.f   A hand may be given up for half of its stake, never against an ace nor after the first third card.
V.1.g   Jackpot: sevens among the first three cards. V.2: the same as a progressive, at the table's own prizes.
V.3     Stakes are made before the deal, within the limits of the box.
V.4     Five cards are burned from a new shoe; cards are dealt face up; an exposed card is removed.

Readings where the text is silent. A dealer's blackjack takes all stakes of a hand, doubles and splits too. Split aces
may be split again. Sevens: the third card is the next one dealt to hand 1; a hand that ends with two sevens has the
prize of two. A backer of a box need not add money to a double or split: his stake rides on, or stays on hand 1. A hand
that the dealer passed over, and one surrendered in vain, stand on their cards unless they are played on after all.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar, Final

from replay.blackjack_hands import (
    CLOSED,
    DEALER,
    LAPSED,
    OPEN,
    POINTS,
    WATCHED,
    Box,
    DealerHand,
    DealerRule,
    Fault,
    FirstDeal,
    Hand,
    all_hands,
    any_open,
    call_double,
    call_hit,
    call_split,
    competes,
    still_to_play,
    watched_under,
)
from replay.blackjack_law import BlackjackLaw, HandsLaw
from replay.blackjack_sevens import Sevens
from replay.book import Bet, Book
from replay.cards import FRENCH_DECK, Shoe
from replay.events import (
    BetPlaced,
    BetRaised,
    BetsClosed,
    BetSettled,
    CardDealt,
    CutCard,
    Decision,
    RoundClosed,
    ShoeLoaded,
)
from replay.games import Game, Objection
from replay.in_words import part_in_words
from replay.law import GameLaw
from replay.money import Price
from replay.piles import Piles
from replay.results import Finding
from replay.rules import GameRules, Table, Wager
from replay.watched import Watchable

PUSH: Final = Price(0)
"""The stake comes back and wins nothing."""


# --- V.1, what the wagers win: None loses --------------------------------------------------------------------------


def main_ruling(wager: Wager, total: int, blackjack: bool, dealer_total: int, dealer_blackjack: bool) -> Price | None:
    """V.1.a: a hand against the dealer's final hand."""
    if total > 21:
        return None
    if blackjack:
        return PUSH if dealer_blackjack else wager.prices["blackjack"]
    if dealer_blackjack:
        return None
    if dealer_total > 21 or total > dealer_total:
        return wager.prices["win"]
    return PUSH if total == dealer_total else None


def insurance_ruling(wager: Wager, second: str) -> Price | None:
    """V.1.b: the dealer's second card, after an ace."""
    return wager.price if POINTS[second] == 10 else None


def thirteen_ruling(wager: Wager, first: str, second: str) -> Price | None:
    """V.1.e: the box's first two cards; 13 loses both ways."""
    total = POINTS[first] + POINTS[second]
    return wager.price if (total < 13 if wager.id == "under_13" else total > 13) else None


# --- the table -----------------------------------------------------------------------------------------------------


class BlackjackTable(Game):
    """One blackjack table. Games that play blackjack with something more override what they do otherwise."""

    handles: ClassVar[tuple[str, ...]] = ("card_dealt", "decision", "shoe_loaded", "cut_card")

    needs: ClassVar[type[GameLaw]] = BlackjackLaw
    watched = WATCHED
    main: ClassVar[str] = "main"
    """The wager that plays the hand."""

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """See `replay.blackjack_hands.watched_under`."""
        return watched_under(rules)

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = self.rules.law_as(HandsLaw)
        self.cite = law.passages
        """The passages that findings cite."""
        self.surrender_passage = law.surrender.passage
        options = table.options
        burned, most = law.shoe.burned_after_loading, law.box.most_stakes
        self.burned_after_loading: int = options["burn_cards"] if burned is None else burned
        self.most_stakes: int = options["stakes_per_box"] if most is None else most
        self.insured = law.insured
        self.given_back = law.surrender.returned
        self.dealer_rule = self.rule_of_dealer(law.dealer.stands_on)
        self.limits_changed()
        self.setup_faults: list[Fault] = []
        self.read_options()
        self.shoe = Shoe(law.shoe_decks or options["decks"])
        self.burns_due = 0
        """Cards of a new shoe that must still be burned."""
        self.clear()

    def rule_of_dealer(self, stands_on: int) -> DealerRule:
        """How he draws."""
        return DealerRule(stands_on)

    def limits_changed(self) -> None:
        table = self.table
        most = self.rules.law_as(HandsLaw).side_bets_most
        self.sevens = Sevens(table, table.minimum or table.least(self.main), most)

    def read_options(self) -> None:
        """What the house has chosen: boxes, shoe, side bets."""
        options = self.table.options
        self.boxes_of_table: int = options["boxes"]
        self.continuous: bool = options.get("shoe") == "continuous"
        thirteen = bool(options.get("over_under_13", True))
        self.offered: dict[str, bool] = {"under_13": thirteen, "over_13": thirteen, **self.sevens.offered}

    def table_opened(self) -> None:
        """Prizes below the minimum, stipulated stakes above half of the table's minimum, another number of decks."""
        self.setup_faults += self.sevens.setup_faults()
        if self.table.decks not in (None, self.shoe.decks):
            text = f"the table plays with {self.table.decks} decks, not with {self.shoe.decks}"
            self.setup_faults.append((self.cite.cards, text))
        self.report_setup(self.setup_faults)

    # --- the round ------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Nothing lies on the table."""
        self.placed_bets: list[Bet] = []
        """Stakes accepted before the deal, in order of placing."""
        self.laid = Piles()
        """Those of them that are undecided, where they are counted."""
        self.boxes: dict[int, Box] = {}
        """Boxes with a main stake, from the close of bets on, in rising order."""
        self.insurances: list[Bet] = []
        self.dealer = DealerHand(self.dealer_rule)
        self.first_deal = FirstDeal(self.deal_order([]))
        self.drawn = False
        """A card has been given after the initial deal: insurance and surrender are over."""
        self.misplayed = False
        """A dealer's mistake of this round has been said."""
        self.first_card_due = False
        """The cut card was out before this round, and no card of the round has come."""
        self.dark = False
        """A card that nobody could read was dealt: the rest of the round cannot be judged."""

    def deal_order(self, seats: list[int]) -> list[int]:
        """V.1.a: a card to each of these boxes, one to the dealer, a second one to each box."""
        return [*seats, DEALER, *seats]

    def round_begins(self) -> None:
        super().round_begins()
        self.clear()
        if self.continuous:
            self.shoe.known = True
            self.shoe.restart()
        self.first_card_due = self.shoe.cut

    def bets_closed(self, event: BetsClosed) -> None:
        self.close_window()

    def close_window(self) -> None:
        """No more bets: the boxes are made up and what lies on them is judged, in the order of placing."""
        if not self.betting_open or self.dark:
            return
        self.betting_open = False
        boxes: dict[int, Box] = {}
        laid = [bet for bet in self.placed_bets if not bet.decided]
        for bet in laid:
            bet.first_amount = bet.amount
            bet.state = 1
            if bet.wager_id == self.main:
                box = boxes.get(bet.seat)
                if box is None:
                    box = boxes[bet.seat] = Box(bet.seat, bet)
                box.stakes.append(bet)
                box.hands[0].bets.append(bet)
        self.boxes = {seat: boxes[seat] for seat in sorted(boxes)}
        self.first_deal = FirstDeal(self.deal_order(list(self.boxes)))
        self.judge_main_stakes(laid)
        for bet in laid:
            if bet.wager_id != self.main:
                self.judge_side_bet(bet)

    def judge_main_stakes(self, laid: list[Bet]) -> None:
        """V.3: the minimum binds each stake, the maximum all stakes of a box together."""
        table, shown = self.table, self.table.shown
        least, most = table.least(self.main), table.most(self.main)
        sums: dict[int, int] = {}
        for bet in laid:
            if bet.wager_id != self.main:
                continue
            if bet.amount < least:
                self.too_small(bet, least)
            laid_so_far = sums[bet.seat] = sums.get(bet.seat, 0) + bet.amount
            if most is not None and laid_so_far > most:
                text = f"with bet {bet.id} {shown(laid_so_far)} lie on box {bet.seat}; {shown(most)} is the maximum"
                self.book.report("above_maximum", self.cite.limits, text, bet=bet)

    def judge_side_bet(self, bet: Bet) -> None:
        """V.1.e, V.1.g, V.2: only beside a main stake; the size of it."""
        wager = bet.wager_id
        box = self.boxes.get(bet.seat)
        assert bet.wager is not None
        if box is None:
            text = f"{wager} bet {bet.id} lies in box {bet.seat}, which has no main stake"
            self.book.refuse(bet, "wager_not_offered", bet.wager.passage, text)
            return
        box.sides.append(bet)
        objection = self.sevens.objection(bet)
        if wager in ("under_13", "over_13"):
            least, most = self.table.least(wager), self.table.most(wager)
            if bet.amount < least:
                self.too_small(bet, least)
            if most is not None and bet.amount > most:
                objection = ("above_maximum", f"over the maximum of {self.table.shown(most)}")
        if objection is not None:
            code, why = objection
            text = f"{wager} bet {bet.id} of {self.table.shown(bet.amount)} is {why}"
            self.book.report(code, bet.wager.passage, text, bet=bet)

    def too_small(self, bet: Bet, least: int) -> None:
        """The stake is below the minimum, and plays."""
        size, minimum = self.table.shown(bet.amount), self.table.shown(least)
        text = f"{bet.wager_id} bet {bet.id} of {size} is under the minimum of {minimum}"
        self.book.report("below_minimum", self.cite.limits, text, bet=bet)

    def round_closed(self, event: RoundClosed) -> None:
        """Every hand has ended; what the dealer still owes he has refused."""
        if not self.dark:
            self.end_hands()
            self.drawn = True
            if self.dealer.cards:
                self.outcome = f"dealer {' '.join(self.dealer.cards)} = {self.dealer.total}"
        super().round_closed(event)

    def end_hands(self) -> None:
        """The cards are taken in."""
        if self.owes_cards():
            self.misplay("the round was closed before the dealer had drawn his cards")
            if self.dealer.blackjack_known:
                self.dealer.final = True
        for box, hand in all_hands(self.boxes):
            self.check_split_stake(box, hand)
            self.close_hand(box, hand)

    # --- V.3, stakes ----------------------------------------------------------------------------------------------

    def bet_placed(self, event: BetPlaced) -> None:
        if self.dark:
            self.book.place_unseen(event)
        else:
            super().bet_placed(event)

    def objection(self, bet: Bet) -> Objection | None:
        objection = self.not_offered(bet)
        if objection is not None:
            return objection
        if bet.wager_id == "insurance":
            if self.insurance_time:
                return None
            return Objection("late_bet", self.cite_of(bet), f"insurance {bet.id} came after the first drawn card")
        if self.betting_open or self.split_hand(bet) is not None:
            return None
        return self.late(bet)

    def not_offered(self, bet: Bet) -> Objection | None:
        objection = super().not_offered(bet)
        if objection is not None:
            return objection
        wager = bet.wager_id
        if not 1 <= bet.seat <= self.boxes_of_table:
            return Objection("wager_not_offered", self.cite.players,
                             f"the table has boxes 1 to {self.boxes_of_table}, no box {bet.seat}")  # fmt: skip
        if not self.offered.get(wager, True):
            return Objection("wager_not_offered", self.cite_of(bet), f"this table does not offer {wager}")
        if wager == "insurance":
            if not self.dealer.shows_ace:
                return Objection("wager_not_offered", self.cite_of(bet),
                                 f"insurance {bet.id} was laid without an ace as the dealer's first card")  # fmt: skip
            insured = self.book.live.get(bet.of or "")
            if insured is None or insured.wager_id != self.main or insured.state is None or insured.round != bet.round:
                return Objection("wager_not_offered", self.cite_of(bet),
                                 f"insurance {bet.id} belongs to no main stake in play")  # fmt: skip
        return None

    def cite_of(self, bet: Bet) -> str:
        """The passage of the bet's wager."""
        return bet.wager.passage if bet.wager is not None else self.wager_passage

    def placed(self, bet: Bet) -> None:
        if bet.wager_id == "insurance":
            self.insurances.append(bet)
        elif not self.betting_open:
            self.split_stake_placed(bet)
        else:
            self.placed_bets.append(bet)
            self.laid.lay(bet, *self.piles_of(bet))
            if bet.wager_id == self.main:
                self.check_count(bet)

    def piles_of(self, bet: Bet) -> tuple[Hashable, ...]:
        """Where a stake is counted: those of one wager on one box."""
        return ((bet.seat, bet.wager_id),)

    def check_count(self, bet: Bet) -> None:
        """IV.1: three stakes a box; a fourth plays all the same."""
        lying = len(self.laid.bets((bet.seat, self.main)))
        if lying > self.most_stakes:
            text = f"bet {bet.id} is stake number {lying} on box {bet.seat}; {self.most_stakes} are the most"
            self.book.report("too_many_bets", self.cite.players, text, bet=bet)

    def split_hand(self, bet: Bet) -> Hand | None:
        """The new hand that this stake is laid on; None when it is no split stake."""
        box = self.boxes.get(bet.seat)
        return None if box is None or bet.wager_id != self.main else box.awaits_stake(bet)

    def split_stake_placed(self, bet: Bet) -> None:
        """V.1.c: a stake equal to the first goes on the other card; the hand plays even if it is not."""
        box = self.boxes[bet.seat]
        hand = self.split_hand(bet)
        assert hand is not None
        first = box.first_stake_of(bet)
        bet.state = hand.number
        box.stakes.append(bet)
        hand.bets.append(bet)
        if bet.amount != first.first_amount:
            shown = self.table.shown
            text = f"split stake {bet.id} is {shown(bet.amount)}, the first stake {shown(first.first_amount)}"
            self.book.report("stake_mismatch", self.cite.split, text, bet=bet)

    def hand_of(self, bet: Bet) -> Hand | None:
        """The hand that a main stake of this round rides on."""
        if bet.wager_id != self.main or bet.state is None or bet.round != self.book.round:
            return None
        box = self.boxes.get(bet.seat)
        return None if box is None else box.hand(bet.state)

    def bet_raised(self, event: BetRaised) -> None:
        bet = self.book.known(event.bet)
        hand = None if bet is None else self.hand_of(bet)
        if bet is not None and hand is not None and hand.raise_void:
            self.give_back(bet, event.by)  # the decision has been reported
        else:
            super().bet_raised(event)

    def give_back(self, bet: Bet, amount: int) -> None:
        """Chips added to a double that was not allowed come back whatever becomes of the bet."""
        if bet.id in self.book.settled:
            return
        bet.refund += amount
        bet.seqs += (self.book.seq,)
        if bet.decided:
            bet.returned += amount

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        if bet.wager_id == "insurance":
            return None if self.insurance_open(bet) else self.late(bet)
        if bet.state is None:
            return super().objection_to_raise(bet, by)
        hand = self.hand_of(bet)
        return None if hand is not None and hand.doubling else self.late(bet)

    def raised(self, bet: Bet, by: int) -> None:
        """V.1.d: a double adds as much as the stake is; the hand plays even if it does not."""
        if bet.state is None or bet.wager_id == "insurance":
            return
        hand = self.hand_of(bet)
        assert hand is not None
        hand.added = True
        if not self.doubles(bet):
            first, added = self.table.shown(bet.first_amount), self.table.shown(bet.amount - bet.first_amount)
            text = f"bet {bet.id} of {first} was doubled by {added}"
            self.book.report("stake_mismatch", self.cite.double, text, bet=bet)

    def doubles(self, bet: Bet) -> bool:
        """Whether what was added to a stake is as much as it may be."""
        return bet.amount == 2 * bet.first_amount

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        if bet.wager_id == "insurance":
            allowed = self.insurance_open(bet)
        else:
            allowed = bet.state is None and self.betting_open
        if allowed:
            return None
        return Objection("late_withdrawal", self.call_passage, f"bet {bet.id} was taken back after no more bets")

    def insurance_open(self, bet: Bet) -> bool:
        """An insurance of this round may still be changed."""
        return self.insurance_time and bet.round == self.book.round

    @property
    def insurance_time(self) -> bool:
        """V.1.b: until the first drawn card."""
        return not self.drawn and not self.dealer.blackjack_known

    # --- claims ---------------------------------------------------------------------------------------------------

    def bet_settled(self, event: BetSettled) -> None:
        bet = self.book.live.get(event.bet)
        if bet is not None and bet.claimed_paid is None and bet.state is not None and bet.round == self.book.round:
            self.claim_presumes(bet)
        super().bet_settled(event)

    def claim_presumes(self, bet: Bet) -> None:
        """To pay or collect a stake says that its hand has ended; and, where the dealer decides it, that he stands."""
        box = self.boxes.get(bet.seat)
        if bet.wager_id != self.main:
            if box is not None and box.hands[0].status == LAPSED:
                self.close_hand(box, box.hands[0])
            return
        dealer = self.dealer
        if not dealer.blackjack_known or self.first_deal.missing:
            return
        for each, hand in all_hands(self.boxes):
            if hand.status == LAPSED:
                self.close_hand(each, hand)
        if not bet.decided and not dealer.final and not any_open(self.boxes):
            self.misplay(f"the dealer stood on {dealer.total}; he draws to {self.dealer_rule.stands_on - 1}")
            dealer.final = True
            self.settle_hands()

    # --- V.4, the shoe --------------------------------------------------------------------------------------------

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """New cards: six decks, of which the first five cards are burned."""
        self.shoe.load()
        self.first_card_due = False
        self.burns_due = self.burned_after_loading
        decks = self.shoe.decks
        loaded = ""
        if event.decks not in (None, decks):
            loaded = f"{event.decks} decks"
        elif event.cards not in (None, decks * len(FRENCH_DECK)):
            loaded = f"{event.cards} cards"
        if loaded:
            text = f"the shoe was loaded with {loaded}, not with {decks} decks"
            self.book.report("dealing_error", self.cite.cards, text)

    def cut_card(self, event: CutCard) -> None:
        """The separator of a shoe filled by hand: the round in progress is the last."""
        if not self.continuous:
            self.shoe.cut = True

    def lost_sight(self) -> None:
        self.shoe.forget()
        self.burns_due = 0
        self.clear()

    # --- V.1.a, cards ---------------------------------------------------------------------------------------------

    def card_dealt(self, event: CardDealt) -> None:
        """A card leaves the shoe; at most one `dealing_error` a card."""
        card = event.card
        if not self.shoe.take(card):
            self.impossible(card)
        fault: Fault | None = None
        burned = event.to == "burn"
        if self.burns_due:
            self.burns_due -= 1
            if not burned:
                self.burns_due = 0
                fault = (self.cite.shoe, f"{self.burned_after_loading} cards of a new shoe must be burned before "
                                            f"{card} is dealt")  # fmt: skip
        if burned or self.dark:
            if fault is not None:
                self.book.report("dealing_error", *fault)
            return
        if self.betting_open:
            self.close_window()
        if self.first_card_due:
            self.first_card_due = False
            fault = fault or (self.cite.shoe, "the cut card was out; a new round needs a new shoe")
        if event.exposed:
            fault = fault or (self.cite.shoe, f"{card} lay face up in the shoe and was dealt; it must be removed")
        if event.up is False:
            fault = fault or self.face_down(event)
        if card not in POINTS and not self.judged_unread(event):
            self.cannot_read()
        else:
            if not self.first_deal.missing and not self.drawn:
                self.first_draw()
            if event.to == "dealer":
                fault = self.card_to_dealer(event, fault)
            elif event.to is None and event.seat is not None:
                fault = self.card_to_box(event.seat, event.hand or 1, card) or fault
            else:
                fault = fault or (self.cite.play, f"{card} was dealt to nobody who plays")
        if fault is not None:
            self.book.report("dealing_error", *fault, seat=event.seat)

    def impossible(self, card: str) -> Finding:
        """One copy of a card too many."""
        text = f"{card} has come out more often than {self.shoe.decks} decks hold it"
        return self.book.report("impossible_card", self.cite.cards, text)

    def face_down(self, event: CardDealt) -> Fault | None:
        """A card was dealt face down: what is wrong with that."""
        return (self.cite.shoe, f"{event.card} was dealt face down")

    def judged_unread(self, event: CardDealt) -> bool:
        """Whether the round can be judged though nobody could read this card."""
        return False

    def cannot_read(self) -> None:
        """A card that is none of the game's lies on the table: nothing in the round can be judged from here on."""
        self.book.lose_sight()
        self.clear()
        self.dark = True

    def first_draw(self) -> None:
        """V.1.b: with the first drawn card the insurances are what they are: half of what they insure, together."""
        self.drawn = True
        sums: dict[str, int] = {}
        for bet in self.insurances:
            if bet.decided or bet.of is None:
                continue
            laid = sums[bet.of] = sums.get(bet.of, 0) + bet.amount
            stake = self.insured_stake(bet.of)
            if stake is not None and laid * self.insured.denominator > stake.first_amount * self.insured.numerator:
                first, sum_laid = self.table.shown(stake.first_amount), self.table.shown(laid)
                part = part_in_words(self.insured)
                text = f"with {bet.id} stake {bet.of} of {first} is insured for {sum_laid}, over {part} of it"
                self.book.report("side_bet_too_large", self.cite_of(bet), text, bet=bet)

    def insured_stake(self, bet_id: str) -> Bet | None:
        """The stake that an insurance is held to; None where it is held to none any more."""
        return self.book.live.get(bet_id)

    # --- V.1.a, the boxes' cards ----------------------------------------------------------------------------------

    def card_to_box(self, seat: int, number: int, card: str) -> Fault | None:
        """A card to a box: the initial deal, a card called for, or neither."""
        box = self.boxes.get(seat)
        if box is None:
            return (self.cite.play, f"{card} was dealt to box {seat}, which has no main stake")
        hand = box.hand(number)
        if hand is None:
            return None if box.split_void else (self.cite.play, f"box {seat} has no hand {number}")
        fault: Fault | None = None
        initial = self.first_deal.missing > 0
        if initial and not self.first_deal.in_turn(seat):
            fault = (self.cite.play, f"{card} went to box {seat} out of turn in the first deal")
        if not self.may_have(box, hand):
            return self.not_counted(box, hand, card, fault)
        if len(hand.cards) >= 2:
            self.called_for(box, hand, card)
        if not initial:
            fault = self.drawn_in_turn(box, hand, card)
        elif len(hand.cards) < 2:
            self.first_deal.missing -= 1
        hand.take(card)
        box.begin(hand)
        self.card_taken(box, hand, card)
        return fault

    def may_have(self, box: Box, hand: Hand) -> bool:
        """Whether a card that is given to this hand counts: one of its first two, or it is still to play."""
        return len(hand.cards) < 2 or hand.status == OPEN

    def not_counted(self, box: Box, hand: Hand, card: str, fault: Fault | None) -> Fault | None:
        """A card to a hand that may have none; ``fault``: what else is wrong with it."""
        if hand.void_cards:
            hand.void_cards -= 1
            return fault
        return fault or (self.cite.play, f"{card} went to {box.name(hand)}, which is closed")

    def called_for(self, box: Box, hand: Hand, card: str) -> None:
        """A third or later card answers a call."""
        if hand.doubling:
            return
        if hand.asked:
            hand.asked -= 1
        else:
            self.book.report("missing_decision", self.cite.play, f"nobody called for {card} in {box.name(hand)}",
                             seat=box.seat)  # fmt: skip

    def drawn_in_turn(self, box: Box, hand: Hand, card: str) -> Fault | None:
        """A card after the first deal: no hand that plays before this one is open, and each hand of a split is
        staked."""
        waiting = still_to_play(self.boxes, box, hand)
        self.check_split_stake(box, hand)
        if waiting is None:
            return None
        passage = self.cite.play if waiting[0] is not box else self.cite.split
        return (passage, f"{card} went to {box.name(hand)} while {waiting[0].name(waiting[1])} was open")

    def card_taken(self, box: Box, hand: Hand, card: str) -> None:
        """What the card does to the hand and to the bets on the first cards."""
        if hand.doubling:
            hand.doubling = False
            if not hand.added:
                self.nothing_added(box, "double", hand)
            hand.asked = 0
            closes = True
        else:
            closes = hand.closes_itself()
        if hand.number == 1 and len(box.line) < 3:
            box.line.append(card)
            self.settle_first_cards(box)
        if closes or hand.status == CLOSED:
            self.close_hand(box, hand)

    def nothing_added(self, box: Box, what: str, hand: Hand) -> None:
        """Nobody in the box laid the stake that a double or a split asks for."""
        text = f"nobody added a stake to the {what} of {box.name(hand)}"
        passage = self.cite.double if what == "double" else self.cite.split
        self.book.report("stake_mismatch", passage, text, bet=box.first)

    def check_split_stake(self, box: Box, hand: Hand) -> None:
        """V.1.c: somebody has to stake a new hand before its second card."""
        if hand.split and not hand.begun and not hand.bets and not hand.mismatch_told:
            hand.mismatch_told = True
            self.nothing_added(box, "split", hand)

    def close_hand(self, box: Box, hand: Hand) -> None:
        """The hand has ended: a bust loses at once, the rest wait for the dealer unless he is done."""
        hand.status = CLOSED
        if hand.number == 1 and len(box.line) >= 2:
            self.settle_sevens(box)
        self.settle_hand(hand)

    # --- V.1.c, V.1.d, V.1.f, decisions ---------------------------------------------------------------------------

    def decision(self, event: Decision) -> None:
        """A call of the player who commands the box."""
        if self.dark:
            return
        seat, choice = event.seat, event.choice
        box = self.boxes.get(seat)
        hand = None if box is None else box.hand(event.hand or 1)
        if box is None or hand is None:
            self.illegal(seat, self.cite.play, f"{choice} was called for box {seat}, where no such hand is in play")
        elif choice == "hit":
            self.judge(box, call_hit(box, hand, self.cite))
        elif choice == "double":
            self.judge(box, call_double(box, hand, self.cite, self.objection_to_double(box, hand)))
        elif choice == "split":
            self.split(box, hand)
        elif choice == "stand":
            self.stand(box, hand)
        elif choice == "surrender":
            self.surrender(box, hand)
        else:
            self.illegal(seat, self.cite.play, f"{choice} is no decision of this game")

    def judge(self, box: Box, fault: Fault | None) -> None:
        """What is wrong with a call, if anything."""
        if fault is not None:
            self.illegal(box.seat, *fault)

    def illegal(self, seat: int, passage: str, text: str) -> None:
        """A decision that the rules do not allow."""
        self.book.report("illegal_decision", passage, text, seat=seat)

    def stand(self, box: Box, hand: Hand) -> None:
        """The hand is content; to stand on a second pair of aces is to split no more."""
        if hand.status != CLOSED:
            self.close_hand(box, hand)
        elif not hand.pair_of_split_aces:
            self.illegal(box.seat, self.cite.play, f"stand was called for {box.name(hand)}, which is closed")

    def split(self, box: Box, hand: Hand) -> None:
        """V.1.c: two hands of two cards."""
        self.judge(box, call_split(box, hand, self.cite, self.objection_to_split(box, hand)))

    def objection_to_double(self, box: Box, hand: Hand) -> str | None:
        """V.1.d: why this open hand may not be doubled; None when it may."""
        count = len(hand.cards)
        return None if count == 2 else f"{box.name(hand)} was doubled on {count} cards, not on two"

    def objection_to_split(self, box: Box, hand: Hand) -> str | None:
        """V.1.c: why these two cards may not be split; None when they may."""
        if len(hand.cards) == 2 and POINTS[hand.cards[0]] != POINTS[hand.cards[1]]:
            first, second = hand.cards
            return f"{first} and {second} of {box.name(hand)} were split; their values differ"
        return None

    def objection_to_surrender(self, hand: Hand) -> str | None:
        """V.1.f: when this open hand may not be given up; None when it may."""
        if self.dealer.shows_ace:
            return "against an ace"
        if hand.split:
            return "after a split"
        return "after the first drawn card" if self.drawn else None

    def surrender(self, box: Box, hand: Hand) -> None:
        """V.1.f: half of the stake comes back; or the call is in vain, and the hand stands."""
        name = box.name(hand)
        if hand.status == CLOSED:
            self.illegal(box.seat, self.surrender_passage, f"{name} was surrendered, but is closed")
            return
        objection = self.objection_to_surrender(hand)
        if objection is not None:
            self.illegal(box.seat, self.surrender_passage, f"{name} was surrendered {objection}")
            hand.status = LAPSED
        else:
            hand.surrendered = True
            for bet in hand.bets:
                self.book.decide(bet, 0, self.half_of(bet), self.surrender_passage)
            self.close_hand(box, hand)

    def half_of(self, bet: Bet) -> int:
        """What comes back of a stake that is given up."""
        return self.table.share(bet.amount, self.given_back.numerator, self.given_back.denominator)

    # --- V.1.a, the dealer ----------------------------------------------------------------------------------------

    def card_to_dealer(self, event: CardDealt, fault: Fault | None) -> Fault | None:
        """The dealer's first card, or one that he draws. Returns what is wrong with the way it was dealt."""
        card, dealer = event.card, self.dealer
        if self.first_deal.missing:
            if not self.first_deal.in_turn(DEALER):
                fault = fault or (self.cite.play, f"the dealer took {card} out of turn in the first deal")
            if len(dealer.cards) < self.first_deal.dealers:
                self.first_deal.missing -= 1
            if not dealer.final:
                dealer.take(card)
        else:
            self.dealer_draws(dealer, card)
        self.dealer_has(dealer)
        return fault

    def dealer_draws(self, dealer: DealerHand, card: str) -> None:
        """V.1.a: when the players have played, while competitors remain, to 17."""
        self.pass_over()
        if competes(self.boxes):
            if dealer.final:
                stands_on = self.dealer_rule.stands_on
                self.misplay(f"the dealer took {card} on {dealer.total}; he stands on {stands_on} or more")
        elif not self.dealer_may_draw():
            self.misplay(f"the dealer took {card} with nobody left to play against")
        if not dealer.final:
            dealer.take(card)

    def dealer_may_draw(self) -> bool:
        """No total matters any more; a card is due or indifferent while there is an insurance or a blackjack."""
        return any(not hand.out for _, hand in all_hands(self.boxes)) or any(
            not bet.withdrawn for bet in self.insurances
        )

    def pass_over(self, then: str = "the dealer drew") -> None:
        """The dealer draws, or does what says that nobody plays any more: a hand still open has not been asked."""
        for box, hand in all_hands(self.boxes):
            if hand.status != OPEN:
                continue
            self.check_split_stake(box, hand)
            hand.status = LAPSED
            if not hand.missed:
                hand.missed = True
                self.book.report("missing_decision", self.cite.play,
                                 f"{then} before {box.name(hand)} had decided", seat=box.seat,
                                 bet=hand.bets[0] if hand.number > 1 and hand.bets else None)  # fmt: skip

    def misplay(self, text: str) -> None:
        """The dealer's own play is wrong: said once a round."""
        if not self.misplayed:
            self.misplayed = True
            self.book.report("dealer_misplay", self.cite.play, text)

    def owes_cards(self) -> bool:
        """A stake in play still waits for a card of the dealer."""
        dealer = self.dealer
        if not dealer.blackjack_known and any(not bet.decided for bet in self.insurances):
            return True
        for _, hand in all_hands(self.boxes):
            if hand.cards and any(not bet.decided for bet in hand.bets):
                if not dealer.blackjack_known or not (dealer.final or hand.blackjack):
                    return True
        return False

    # --- V.1.a and V.1.b, settlement ------------------------------------------------------------------------------

    def dealer_has(self, dealer: DealerHand) -> None:
        """Another card of the dealer lies: what does it decide?"""
        self.settle_insurances(dealer, self.insurances)
        self.settle_hands()

    def settle_insurances(self, dealer: DealerHand, insurances: list[Bet]) -> None:
        """V.1.b: his second card decides them."""
        if len(dealer.cards) != 2:
            return
        for bet in insurances:
            if not bet.decided:
                assert bet.wager is not None
                self.decide(bet, insurance_ruling(bet.wager, dealer.cards[1]))

    def settle_hands(self) -> None:
        """Every closed hand that the dealer's cards decide."""
        for box in self.boxes.values():
            for hand in box.hands:
                if hand.status == CLOSED:
                    self.settle_hand(hand)

    def settle_hand(self, hand: Hand) -> None:
        """The stakes on a closed hand, as far as they are decided: a bust at once; a blackjack when the dealer can have
        none, or has not; the rest when his hand is final."""
        dealer = self.dealer
        if not hand.bust and not dealer.final:
            if not hand.blackjack or not dealer.cards:
                return
            if dealer.may_have_blackjack:
                return
        for bet in hand.bets:
            if not bet.decided:
                assert bet.wager is not None
                self.decide(bet, main_ruling(bet.wager, hand.total, hand.blackjack, dealer.total, dealer.blackjack))

    def decide(self, bet: Bet, price: Price | None) -> None:
        """The bet wins at ``price``, and the stake comes back; or it loses."""
        if price is None:
            self.book.decide(bet, 0, 0)
        else:
            self.book.decide(bet, self.table.pay(bet.amount, price), bet.amount)

    # --- V.1.e, V.1.g, V.2, bets on the first cards ---------------------------------------------------------------

    def settle_first_cards(self, box: Box) -> None:
        """A card has come to hand 1 that is one of its first three."""
        if not box.sides:
            return
        line = box.line
        if len(line) == 2:
            for bet in box.sides:
                if not bet.decided and bet.wager_id in ("under_13", "over_13"):
                    assert bet.wager is not None
                    self.decide(bet, thirteen_ruling(bet.wager, line[0], line[1]))
        if len(line) == 3 or line[-1][0] != "7":
            self.settle_sevens(box)

    def settle_sevens(self, box: Box) -> None:
        """No further card can change the combination of sevens."""
        for bet in box.sides:
            if not bet.decided:
                self.sevens.settle(self.book, bet, box.line)

    def wins(self, bet: Bet) -> dict[str, int]:
        """The sevens by their results, with the pool and the counter as they stand."""
        return self.sevens.wins(bet) if bet.wager_id in self.sevens.offered else super().wins(bet)
