"""Blackjack with a hole card on the simulated floor: the dealer looks or does not, and turns his card at the end.

Boxes, players and most wrongs are those of the table without one; here are the hole card, splits and doubles as the
table posts them, even money, a surrender that may wait, and what comes back of an added stake.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from streams.simulator.blackjack_boxes import DECK, POINTS, Box, Hand, is_natural, total_of
from streams.simulator.games._blackjack_table import BlackjackTable
from streams.simulator.players import Player, Stake
from streams.simulator.truth import Expected, mispaid

_DOLLAR: Final = 100
_MATCH: Final = {6: (4, 11), 8: (3, 14)}
"""Packs -> what a card of the dealer's rank pays, and one of his suit too."""
_BESIDE: Final[dict[str, tuple[str, ...]]] = {"over_under_13": ("over_13", "under_13"), "suited": ("suited",)}


class HoleCardTable(BlackjackTable):
    """One blackjack table whose dealer has a hole card, or may have one."""

    def read_setup(self) -> None:
        options = self.setup.options
        self.continuous = options.get("shoe") == "continuous"
        self.box_count = options.get("boxes", 7)
        self.seats = self.box_count
        self.decks = options.get("decks", 8)
        self.wrong_decks = self.decks % 8 + 1
        self.burned = options.get("burn_cards", 1)
        self.most_stakes = options.get("stakes_per_box", 1)
        self.deals: str = options.get("hole_card", "peek")
        self.from_hand = options.get("dealt") == "hand"
        self.hits_soft = options.get("soft_17") == "hit"
        self.pays = Fraction(options.get("blackjack_pays", "3/2"))
        self.even_money: bool = options.get("even_money", False)
        self.ten_eleven = options.get("double_on") == "ten_eleven"
        self.max_hands: int = min(options.get("max_hands", 2), 3 if self.box_count == 7 else 4)
        self.resplit: bool = options.get("resplit_aces", True)
        self.late_surrender = options.get("surrender") == "late"
        self.beside = _BESIDE.get(options.get("additional_wager", "none"), ())
        self.suited = Fraction(options.get("suited_pays", 0))
        self.match = _MATCH.get(self.decks) if options.get("match_the_dealer") else None
        self.thirteen = False
        self.on_sevens: dict[str, int] = {}
        self.said = ""
        """What the shoe took the hole card for; empty: he has none."""
        self.over = False
        """The dealer has looked and has a blackjack."""
        self.must_turn = False
        """The hole card has to be turned before anybody is paid."""
        self.faults = tuple(self._wrongs_of_table())

    def _wrongs_of_table(self) -> list[str]:
        faults = ["late_bet", "late_raise", "late_withdrawal", "late_insurance", "insurance_without_ace",
                  "insurance_too_large", "insurance_of_nothing", "insurance_grabbed", "wager_not_offered",
                  "box_not_there", "below_minimum", "above_maximum", "too_many_bets", "duplicate_bet", "double_over",
                  "split_short", "double_for_free", "split_for_free", "hit_on_21", "hit_on_split_ace", "double_on_21",
                  "double_on_three", "unequal_split", "split_too_often", "surrender_late", "empty_box_decides",
                  "card_uncalled", "hand_passed_over", "dealer_overdraws", "dealer_stands_short", "dealer_draws_alone",
                  "dealt_out_of_order", "card_to_empty_box", "card_face_down", "card_exposed", "served_out_of_turn",
                  "split_hands_at_once", "card_to_closed_hand", "hand_paid_early", "natural_at_par",
                  "even_money_refused", "taken_back_lost"]  # fmt: skip
        faults += ["natural_paid_early", "added_taken"] if self.deals != "peek" else ["plays_on_blackjack"]
        if self.deals != "no_hole":
            faults += ["hole_card_up", "hole_misread", "turned_twice"]
        if self.pays < Fraction(3, 2):
            faults.append("natural_at_three_to_two")
        if self.ten_eleven:
            faults.append("double_off_ten")
        if self.late_surrender:
            faults.append("surrender_whole")
        if self.beside:
            faults += ["not_a_dollar", "side_bet_alone"]
        if not self.continuous:
            faults += ["wrong_decks", "round_after_cut_card", "impossible_card"]
            if self.burned:
                faults.append("burn_count")
        return faults

    def depth(self) -> int:
        low = {1: 36, 2: 52}.get(self.decks, 16 * self.decks)
        return self.random.randrange(low, low + 6 * self.decks)

    # --- stakes ---------------------------------------------------------------------------------------------------

    def _side_bets(self, player: Player) -> list[Stake]:
        rng = self.random
        wanted: list[tuple[str, int]] = []
        if self.beside and rng.random() < 0.3:
            wanted.append((rng.choice(self.beside), _DOLLAR))
        if self.match and rng.random() < 0.3:
            wanted.append(("match_the_dealer", self.setup.chip_unit * rng.randrange(5, 20)))
        laid = [self.lay(player, wager, amount, named=True) for wager, amount in wanted]
        return [stake for stake in laid if stake is not None]

    def _wrong_side_bets(self, mains: list[Stake], sides: list[Stake], free: list[int]) -> None:
        rng = self.random
        seat = rng.choice(mains).seat
        if self.chance("not_a_dollar"):
            amount = _DOLLAR * rng.randrange(2, 6)
            sides.append(self.accepted("not_a_dollar", "stake_mismatch", seat, rng.choice(self.beside), amount))
        if free and self.chance("side_bet_alone"):
            wager = rng.choice(self.beside)
            sides.append(self.accepted("side_bet_alone", "wager_not_offered", rng.choice(free), wager, _DOLLAR))

    # --- a round --------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        self._prepare_shoe()
        self.dealer = []
        self.insurances = []
        self.early = []
        self.drawn = self.served_at_once = self.over = self.must_turn = False
        mains, sides = self._take_bets()
        self.wait(3, 7)
        self.emit("bets_closed")
        self._make_boxes(mains, sides)
        self._wrongs_after_call(mains)
        self._first_deal()
        self._insure()
        self._pay_at_par()
        if self.over:
            self._look_and_collect()
            return
        self._pay_naturals()
        self._serve_out_of_turn()
        for box in self.boxes:
            self._play(box)
            self._pay_before_all_have_played(box)
        self._draw()
        self._pay()

    def _to_hand(self, box: Box, hand: Hand, **fields: Any) -> str:
        """From the hand, a box's first two cards lie face down."""
        if self.from_hand and len(hand.cards) < 2 and not hand.split:
            fields["up"] = False
        return super()._to_hand(box, hand, **fields)

    def _first_deal(self) -> None:
        empty = self._first_cards()
        for box in self.boxes:
            self._to_hand(box, box.hands[0])
        self.said = ""
        if self.deals != "no_hole":
            self._deal_hole_card()
        for box in self.boxes:
            self._settle_sides(box)
            box.hands[0].over = total_of(box.hands[0].cards) == 21
        self._out_of_place(empty)

    def _deal_hole_card(self) -> None:
        """Face down. The shoe cannot read one of a hundred, which is then turned."""
        rng = self.random
        if self.chance("hole_card_up"):
            card = self._card(to="dealer")
            self.plant("hole_card_up", Expected(code="dealing_error"))
        elif self.chance("hole_misread"):
            others = [code for code in DECK if self.shoe.count(code) > 2]
            said = rng.choice(others) if others else ""
            card = self._card(said, to="dealer", up=False)
            self.said = said or card
            if self.said != card:
                self.must_turn = True
                self.plant("hole_misread", Expected(code="dealing_error"))
        else:
            unread = self.wanted is None and rng.random() < 0.01
            card = self._card("??" if unread else "", to="dealer", up=False)
            self.said, self.must_turn = "??" if unread else card, unread
        self.dealer.append(card)
        self.over = self.deals == "peek" and POINTS[self.dealer[0]] in (1, 10) and is_natural(self.dealer)

    def _settle_sides(self, box: Box) -> None:
        """Bets on the first two cards."""
        one, two = box.line[:2]
        points = POINTS[one] + POINTS[two]
        for stake in box.sides:
            if stake.wager == "suited":
                won = self.suited if one[1] == two[1] else Fraction(0)
            elif stake.wager == "match_the_dealer":
                assert self.match is not None
                up = self.dealer[0]
                won = Fraction(sum(self.match[card[1] == up[1]] for card in (one, two) if card[0] == up[0]))
            else:
                won = Fraction(points > 13 if stake.wager == "over_13" else points < 13)
            paid = self.part(stake.amount, won.numerator, won.denominator)
            self._settle(stake, paid, stake.amount if won else 0)
        box.sides = []

    def _insure(self) -> None:
        """Nobody insures against a card that everybody sees."""
        if self.said or self.deals == "no_hole":
            super()._insure()

    def _out_of_place(self, empty: list[int]) -> None:
        rng, unit = self.random, self.setup.chip_unit
        if self.dealer[0][0] == "A" or self.over:
            return  # any decision would end the time to insure
        if empty and self.chance("empty_box_decides"):
            self.illegal("empty_box_decides", rng.choice(empty), rng.choice(("hit", "stand", "double")))
        if self.chance("insurance_without_ace"):
            stake = rng.choice(self.boxes).first
            self.refused("insurance_without_ace", "wager_not_offered", stake.seat, "insurance", unit, of=stake.id)
        if self.chance("even_money_refused"):
            self.illegal("even_money_refused", rng.choice(self.boxes).seat, "even_money")

    def _pay_at_par(self) -> None:
        """Even money for some blackjacks against an ace."""
        hidden = bool(self.said) or self.deals == "no_hole"
        if not self.even_money or self.dealer[0][0] != "A" or not hidden:
            return
        for box in self.boxes:
            hand = box.hands[0]
            if hand.natural and self.random.random() < 0.4:
                self.emit("decision", seat=box.seat, choice="even_money")
                for stake in hand.stakes:
                    self._settle(stake, self.chips(stake.amount), stake.amount)
                hand.stakes = []

    def _look_and_collect(self) -> None:
        """The dealer has a blackjack: he shows it and takes what is lost."""
        if self.chance("plays_on_blackjack"):
            self._card(seat=self.boxes[0].seat)
            self.plant("plays_on_blackjack", Expected(code="dealer_misplay"))
        self._turn()
        self._pay()

    def _pay_naturals(self) -> None:
        """Those that the dealer cannot equal, or has looked at."""
        for hand in [box.hands[0] for box in self.boxes if box.hands[0].natural]:
            if POINTS[self.dealer[0]] not in (1, 10) or self.deals == "peek":
                self._settle_hand(hand, [])
            elif hand.stakes and not self.early and self.chance("natural_paid_early"):
                if self.deals == "no_hole" or any(not box.hands[0].over for box in self.boxes):
                    self._early(hand)

    def _early(self, hand: Hand) -> None:
        stake = hand.stakes.pop()
        won = self._natural(stake.amount) if hand.natural else self.chips(stake.amount)
        self.hand_over(stake, won, stake.amount)
        self.early = [(hand, stake, won)]

    def _pay_before_all_have_played(self, box: Box) -> None:
        """A standing hand is paid while another box is still to play."""
        after = [other for other in self.boxes if other.seat > box.seat and not other.hands[0].over]
        waiting = [hand for hand in box.hands if not hand.out and not hand.natural and hand.stakes]
        if after and waiting and not self.early and self.chance("hand_paid_early"):
            self._early(waiting[0])

    # --- playing --------------------------------------------------------------------------------------------------

    def _play(self, box: Box) -> None:
        if self.wanted == "hand_passed_over" and box is self.boxes[-1]:
            self.must_turn = True
        super()._play(box)

    def _decide(self, box: Box, hand: Hand) -> None:
        rng = self.random
        first = len(hand.cards) == 2 and not hand.split
        if self.drawn and self.dealer[0][0] == "A" and hand.stakes and self.chance("late_insurance"):
            stake = rng.choice(hand.stakes)
            self.refused("late_insurance", "late_bet", box.seat, "insurance", self.setup.chip_unit, of=stake.id)
        up = POINTS[self.dealer[0]]
        if (
            self.late_surrender
            and first
            and total_of(hand.cards) in (15, 16)
            and up in (1, 9, 10)
            and rng.random() < 0.4
        ):
            self._call(box, hand, "surrender")
            hand.over = hand.surrendered = True
            if self.deals == "peek" or up == 9:
                self._settle_hand(hand, [])
            return
        super()._decide(box, hand)

    def too_late_to_surrender(self, hand: Hand) -> bool:
        return self.drawn and (hand.split or len(hand.cards) > 2 or not self.late_surrender)

    def may_split(self, box: Box, hand: Hand) -> bool:
        if len(box.hands) >= self.max_hands:
            return False
        return self.resplit or not hand.split_ace

    def allowed(self, box: Box, hand: Hand, choice: str) -> str:
        forbidden = (choice == "split" and not self.may_split(box, hand)) or (
            choice == "double" and self.ten_eleven and total_of(hand.cards) not in (10, 11)
        )
        return ("hit" if total_of(hand.cards) < 17 else "stand") if forbidden else choice

    def _wanted_choice(self, box: Box, hand: Hand, choice: str, two: bool, pair: bool) -> str:
        """A wrong that waits for a double or a split gets one where that is no wrong of its own."""
        if self.wanted is None or hand.split_ace:
            return choice
        rightly = not self.ten_eleven or total_of(hand.cards) in (10, 11)
        doubles = ("double_over", "double_for_free") if rightly else ("double_off_ten",)
        splits = ("split_short", "split_for_free", "split_hands_at_once")
        if (two and any(map(self.chance, doubles))) or (not two and self.chance("double_on_three")):
            return "double"
        if pair and any(map(self.chance, splits if self.may_split(box, hand) else ("split_too_often",))):
            return "split"
        if two and not pair and self.chance("unequal_split"):
            return "split"
        return "stand" if self.chance("card_to_closed_hand") else choice

    def _split(self, box: Box, hand: Hand) -> None:
        if len(box.hands) >= self.max_hands and self.chance("split_too_often"):
            self.plant("split_too_often", Expected(code="illegal_decision", seat=box.seat))
        super()._split(box, hand)

    def _double(self, box: Box, hand: Hand) -> None:
        """Mostly for as much as the stake, now and then for less."""
        rng, unit = self.random, self.setup.chip_unit
        self._call(box, hand, "double")
        for fault, wrong in (
            ("double_on_three", len(hand.cards) > 2),
            ("double_off_ten", self.ten_eleven and total_of(hand.cards) not in (10, 11)),
        ):
            if wrong and self.chance(fault):
                self.plant(fault, Expected(code="illegal_decision", seat=box.seat))
        if self.chance("double_for_free"):
            self.plant("double_for_free", Expected(code="stake_mismatch", bet=box.first.id))
        else:
            for stake in hand.stakes:
                if not self._joins(box, stake):
                    continue
                by = stake.amount
                if rng.random() < 0.1:
                    by = unit * rng.randrange(1, by // unit + 1)
                elif self.chance("double_over"):
                    by += unit * rng.randrange(1, 5)
                    self.plant("double_over", Expected(code="stake_mismatch", bet=stake.id))
                self.raise_stake(stake, by)
        self._drawn_to(box, hand)
        hand.over = True

    # --- the dealer -----------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        """The hole card lies open, and mostly the device tells it."""
        if self.said and (self.must_turn or self.random.random() < 0.85):
            self.wait(0.5, 1)
            self.emit("card_revealed", card=self.dealer[1])
            if self.chance("turned_twice"):
                self.emit("card_revealed", card=self.dealer[1])
                self.plant("turned_twice", Expected(code="dealing_error"))

    def _draw(self) -> None:
        """To 17, or beyond a soft one, while somebody competes."""
        self.wait(1, 2)
        hands = [hand for box in self.boxes for hand in box.hands]
        competing = [hand for hand in hands if not (hand.out or hand.natural)]
        waits = [hand for hand in hands if hand.stakes and (hand.surrendered or hand.natural)]
        self._turn()
        if competing:
            self._draw_to_17()
        elif not self.said and len(self.dealer) == 1 and (self.insurances or waits):
            self._dealer_card()
        elif self.chance("dealer_draws_alone"):
            self._draw_alone()

    def _must_draw(self) -> bool:
        total = total_of(self.dealer)
        soft = total != sum(POINTS[card] for card in self.dealer)
        return total < 17 or (self.hits_soft and soft and total == 17)

    def _draw_to_17(self) -> None:
        while self._must_draw():
            if len(self.dealer) > 1 and self.chance("dealer_stands_short"):
                self.plant("dealer_stands_short", Expected(code="dealer_misplay"))
                return
            self._dealer_card()
        if self.chance("dealer_overdraws"):
            self._card(to="dealer")
            self.plant("dealer_overdraws", Expected(code="dealer_misplay"))

    # --- paying ---------------------------------------------------------------------------------------------------

    def _natural(self, amount: int) -> int:
        return self.part(amount, self.pays.numerator, self.pays.denominator)

    def _comes_to(self, hand: Hand, stake: Stake, dealer: list[str]) -> tuple[int, int]:
        """What a stake on a hand is due, (paid, returned), against the dealer's cards."""
        total, bank, amount = total_of(hand.cards), total_of(dealer), stake.amount
        if total > 21:
            return 0, 0
        if hand.surrendered:
            return 0, 0 if is_natural(dealer) else self.part(amount, 1, 2)
        if hand.natural:
            return (0 if is_natural(dealer) else self._natural(amount)), amount
        if is_natural(dealer):
            box = next(box for box in self.boxes if box.seat == stake.seat)
            first, laid = box.firsts[stake.id]
            return 0, amount - laid if first is stake else amount
        if total < bank <= 21:
            return 0, 0
        return (0 if total == bank else self.chips(amount)), amount

    def _settle_hand(self, hand: Hand, dealer: list[str]) -> None:
        for stake in hand.stakes:
            self._settle_stake(hand, stake, *self._comes_to(hand, stake, dealer))
        hand.stakes = []

    def _settle_stake(self, hand: Hand, stake: Stake, paid: int, returned: int) -> None:
        """With the wrongs of who pays blackjacks, surrenders and what was added to a stake."""
        amount, refund = stake.amount, stake.refund
        for fault, wrong in (
            ("natural_at_par", (self.chips(amount), returned) if hand.natural else None),
            ("natural_at_three_to_two", (self.part(amount, 3, 2), returned) if hand.natural else None),
            ("surrender_whole", (0, amount) if hand.surrendered else None),
            ("added_taken", (0, 0) if is_natural(self.dealer) and not hand.natural and not hand.surrendered else None),
        ):
            if wrong and sum(wrong) != paid + returned and paid + returned > 0 and self.chance(fault):
                if not hand.natural or paid:
                    self.mispay(fault, stake, (paid, returned + refund), (wrong[0], wrong[1] + refund))
                    return
        self._settle(stake, paid, returned)

    def _pay(self) -> None:
        for hand, stake, won in self.early:
            fault = "natural_paid_early" if hand.natural else "hand_paid_early"
            due = sum(self._comes_to(hand, stake, self.dealer))
            early = Expected(code="settled_too_early", bet=stake.id)
            self.plant(fault, early, *mispaid(stake.id, won + stake.amount - due))
        for stake in self.insurances:
            wins = POINTS[self.dealer[1]] == 10
            self._settle(stake, *((self.chips(2 * stake.amount), stake.amount) if wins else (0, 0)))
        for box in reversed(self.boxes):
            for hand in box.hands:
                self._settle_hand(hand, self.dealer)
