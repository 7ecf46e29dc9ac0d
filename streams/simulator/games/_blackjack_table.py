"""Blackjack on the simulated floor: seventy rounds an hour, players near basic strategy who err as people do.

The dealer has one card until the players are done. Boxes may carry the stakes of up to three people, of whom the
first commands; the others double and split along with him or let their stake ride.
"""

from __future__ import annotations

from typing import Any, ClassVar

from streams.simulator.blackjack_boxes import DECK, DECKS, POINTS, Box, Hand, bank_total, is_natural, total_of
from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSimulator
from streams.simulator.truth import Expected, mispaid

_SEVENS = {"one_seven": 2, "two_sevens": 10, "two_suited_sevens": 50, "three_sevens": 200, "three_suited_sevens": 5000}
"""What the jackpot pays at the least, to one."""
_THIRTEEN = ("under_13", "over_13")


class BlackjackTable(TableSimulator):
    """One blackjack table."""

    code = "BJ"
    open_to: ClassVar[tuple[str, ...]] = ("card-counter", "unshuffled-shoe", "colluding-dealer")
    seats = 7

    decks = DECKS
    """In the shoe."""
    wrong_decks = 8
    """So many a dealer reports who errs."""
    burned = 5
    """Cards of a new shoe."""
    most_stakes = 3
    """On a box."""

    def opening(self) -> None:
        self.read_setup()
        self.shoe = list(DECK * self.decks)
        self.in_order = any(cheat.needs_order for cheat in self.cheats)
        """The cards lie in the order in which they will come; else the next one is drawn when it comes."""
        self.used: list[str] = []
        self.cut_at = 0
        """So many cards lie below the cut card."""
        self.cut_card_out = False
        self.shoe_known = True
        """The auditor has seen every card of this shoe."""
        self.boxes: list[Box] = []
        self.dealer: list[str] = []
        self.insurances: list[Stake] = []
        self.early: list[tuple[Hand, Stake, int]] = []
        """Stakes settled too early, and what they were paid."""
        self.served_at_once = False
        """Both hands of a split have their second card: nobody splits again."""
        self.drawn = False
        """A card was given after the first deal."""
        self._load_shoe()

    def read_setup(self) -> None:
        """What the house has chosen, and the wrongs that it leaves room for."""
        options = self.setup.options
        self.continuous: bool = options.get("shoe") == "continuous"
        self.box_count: int = options.get("boxes", 7)
        self.thirteen: bool = options.get("over_under_13", False)
        self.most_on_sevens = self.minimum // 2
        self.on_sevens = {wager: options.get(f"{wager}_stake", 0) for wager in ("jackpot", "progressive")
                          if options.get(wager)}  # fmt: skip
        """Wagers on sevens that the table offers, and their stake where it is stipulated."""
        posted = options.get("jackpot_paytable", {})
        self.jackpot = {result: max(least, posted.get(result, 0)) for result, least in _SEVENS.items()}
        self.pool: int = options.get("jackpot_pool", 0)
        self.counter: int = options.get("progressive_meter", 0)
        self.shown: dict[str, Any] = options.get("progressive_paytable", {})
        faults = ["late_bet", "late_raise", "late_withdrawal", "late_insurance", "insurance_without_ace",
                  "insurance_too_large", "insurance_of_nothing", "insurance_grabbed", "wager_not_offered",
                  "box_not_there", "below_minimum", "above_maximum", "too_many_bets", "duplicate_bet", "double_short",
                  "split_short", "double_for_free", "split_for_free", "hit_on_21", "hit_on_split_ace", "double_on_21",
                  "double_on_three", "unequal_split", "surrender_to_ace", "surrender_late", "empty_box_decides",
                  "card_uncalled", "hand_passed_over", "dealer_overdraws", "dealer_stands_short", "dealer_takes_none",
                  "dealer_draws_alone", "dealt_out_of_order", "card_to_empty_box", "card_face_down", "card_exposed",
                  "served_out_of_turn", "split_hands_at_once", "card_to_closed_hand", "natural_paid_early",
                  "hand_paid_early", "natural_at_par", "surrender_whole", "taken_back_lost"]  # fmt: skip
        if self.thirteen:
            faults += ["thirteen_too_large", "thirteen_too_small", "side_bet_alone"]
        if self.on_sevens:
            faults.append("sevens_too_large")
        if any(self.on_sevens.values()):
            faults.append("sevens_stake_wrong")
        if not self.continuous:
            faults += ["wrong_decks", "burn_count", "round_after_cut_card", "impossible_card"]
        self.faults = tuple(faults)

    # --- the shoe -------------------------------------------------------------------------------------------------

    def _load_shoe(self) -> None:
        """New cards, some of them burned. A card is drawn at random from those that are left."""
        rng = self.random
        self.shoe = list(DECK * self.decks)
        if self.in_order:
            self.shuffle(self.shoe)
        self.used = []
        self.cut_card_out = False
        self.shoe_known = True
        self.cut_at = 0 if self.continuous else self.depth()
        if self.chance("wrong_decks"):
            self.emit("shoe_loaded", decks=self.wrong_decks)
            self.plant("wrong_decks", Expected(code="dealing_error"))
        else:
            self.emit("shoe_loaded", decks=self.decks)
        burned = self.burned
        if burned and self.chance("burn_count"):
            burned = rng.randrange(min(1, burned - 1), burned)
            self.plant("burn_count", Expected(code="dealing_error"))
        for _ in range(burned):
            self._card(to="burn")

    def depth(self) -> int:
        """So many cards lie below the cut card of a new shoe."""
        return self.random.randrange(55, 95)

    def cards_out(self) -> tuple[list[str], int]:
        """See `TableSimulator.cards_out`."""
        return self.used, len(self.shoe)

    def _card(self, said: str = "", /, **fields: Any) -> str:
        """The next card, and where it goes; ``said``: what the shoe takes it for."""
        shoe, rng = self.shoe, self.random
        if self.in_order:
            card = shoe.pop()
        else:
            index = rng.randrange(len(shoe))
            card = shoe[index]
            shoe[index] = shoe[-1]
            shoe.pop()
        if self.shoe_known and "seat" in fields and self.chance("impossible_card"):
            gone = [code for code in DECK if self.used.count(code) == self.decks]
            if gone:
                card = rng.choice(gone)
                self.plant("impossible_card", Expected(code="impossible_card"))
        self.used.append(card)
        self.emit("card_dealt", card=said or card, **fields)
        if len(shoe) == self.cut_at:
            self.emit("cut_card")
            self.cut_card_out = True
        return card

    def _to_hand(self, box: Box, hand: Hand, **fields: Any) -> str:
        """A card to a hand, which counts."""
        if hand.number > 1:
            fields["hand"] = hand.number
        card = self._card(seat=box.seat, **fields)
        self.wait(0.3, 0.8)
        hand.cards.append(card)
        if hand.number == 1 and len(box.line) < 3:
            box.line.append(card)
        return card

    def _drawn_to(self, box: Box, hand: Hand) -> None:
        """A card after the first deal."""
        self.drawn = True
        rng = self.random
        if self.random.random() < 0.002 and not self.planted_in_round:
            self._card(to="burn", exposed=True)
        if self.chance("card_face_down"):
            self._to_hand(box, hand, up=False)
            self.plant("card_face_down", Expected(code="dealing_error"))
        elif self.chance("card_exposed"):
            self._to_hand(box, hand, exposed=True)
            self.plant("card_exposed", Expected(code="dealing_error"))
        else:
            self._to_hand(box, hand)
        if self.insurances and self.chance("insurance_grabbed"):
            self.grabbed("insurance_grabbed", "late_withdrawal", rng.choice(self.insurances))
        if self.dealer[0][0] == "A" and not hand.out and hand.stakes and self.chance("late_insurance"):
            stake = rng.choice(hand.stakes)
            self.refused("late_insurance", "late_bet", box.seat, "insurance", self.setup.chip_unit, of=stake.id)

    def hole_made(self) -> None:
        """What is out of the shoe is unknown until the next one; a shuffler has all its cards back every round."""
        self.shoe_known = self.continuous

    # --- a round --------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        self._prepare_shoe()
        self.dealer = []
        self.insurances = []
        self.early = []
        self.drawn = self.served_at_once = False
        mains, sides = self._take_bets()
        self.wait(3, 7)
        self.emit("bets_closed")
        self._make_boxes(mains, sides)
        self._wrongs_after_call(mains)
        self._first_deal()
        self._insure()
        self._surrender()
        self._serve_out_of_turn()
        for box in self.boxes:
            self._play(box)
        self._draw()
        self._pay()

    def _prepare_shoe(self) -> None:
        if self.continuous:
            self.shoe += self.used
            self.used = []
        elif self.cut_card_out:
            if self.shoe_known and len(self.shoe) > 60 and self.chance("round_after_cut_card"):
                self.plant("round_after_cut_card", Expected(code="dealing_error"))
            else:
                self.wait(90, 180)
                self._load_shoe()

    def _take_bets(self) -> tuple[list[Stake], list[Stake]]:
        """Each player on the box before him, some on a second one, some behind others."""
        rng = self.random
        mains: list[Stake] = []
        sides: list[Stake] = []
        for index, player in enumerate(self.players):
            self.wait(0.3, 1.5)
            amount = min(player.unit, self.maximum)
            if rng.random() < 0.25:
                amount += self.setup.chip_unit * rng.randrange(1, 6)
            if amount > player.bankroll or amount > self.maximum:
                amount = self.minimum
            for cheat in self.cheats:
                amount = cheat.stake(self, player, amount)
            if index and rng.random() < 0.06:
                continue
            stake = self.lay(player, "main", amount, named=True)
            if stake is None:
                continue
            mains.append(stake)
            sides += self._side_bets(player)
        taken = {stake.seat for stake in mains}
        for player in self.players:
            if rng.random() < 0.1 and player.bankroll >= 2 * self.minimum:
                seat = rng.randrange(1, self.box_count + 1)
                there = [stake.amount for stake in mains if stake.seat == seat]
                crowded = len(there) == self.most_stakes or (not there and len(taken) > 4)
                if seat != player.seat and not crowded and sum(there) + self.minimum <= self.maximum:
                    player.bankroll -= self.minimum
                    mains.append(self.lay_unasked(seat, "main", self.minimum, player=player, named=True))
        if len(mains) > 1 and rng.random() < 0.05:
            self._think_again(mains, sides)
        if self.wanted is not None:
            self._wrongs_before_call(mains, sides)
        return mains, sides

    def _side_bets(self, player: Player) -> list[Stake]:
        rng = self.random
        wanted: list[tuple[str, int]] = []
        if self.thirteen and rng.random() < 0.3 * player.boldness:
            wanted.append((rng.choice(_THIRTEEN), self.least("under_13")))
        for wager, stipulated in self.on_sevens.items():
            if rng.random() < 0.4 * player.boldness:
                wanted.append((wager, stipulated or self.setup.chip_unit * rng.randrange(1, 6)))
        laid = [self.lay(player, wager, amount, named=True) for wager, amount in wanted]
        return [stake for stake in laid if stake is not None]

    def _think_again(self, mains: list[Stake], sides: list[Stake]) -> None:
        """A stake is taken back, with what hangs on it, or grows, while bets are open."""
        rng = self.random
        stake = rng.choice(mains[1:])
        alone = sum(other.seat == stake.seat for other in mains) == 1
        if rng.random() < 0.4 and alone:
            for other in [other for other in sides if other.seat == stake.seat]:
                sides.remove(other)
                self.withdraw(other)
            mains.remove(stake)
            self.withdraw(stake)
        elif stake.player is not None and stake.player.bankroll >= self.minimum:
            if sum(other.amount for other in mains if other.seat == stake.seat) + self.minimum <= self.maximum:
                self.raise_stake(stake, self.minimum)

    def _make_boxes(self, mains: list[Stake], sides: list[Stake]) -> None:
        on: dict[int, list[Stake]] = {}
        for stake in mains:
            on.setdefault(stake.seat, []).append(stake)
        self.boxes = [Box(seat, on[seat]) for seat in sorted(on)]
        for box in self.boxes:
            box.sides = [stake for stake in sides if stake.seat == box.seat]
        for alone in [stake for stake in sides if stake.seat not in on]:
            self.give_back(alone)

    def _first_cards(self) -> list[int]:
        """A card to each box, and the dealer's; the numbers of the boxes that are empty."""
        self.wait(1, 2)
        first_pass = list(self.boxes)
        if len(first_pass) > 1 and self.chance("dealt_out_of_order"):
            first_pass[0], first_pass[1] = first_pass[1], first_pass[0]
            self.plant("dealt_out_of_order", Expected(code="dealing_error"))
        for box in first_pass:
            self._to_hand(box, box.hands[0])
        empty = [seat for seat in range(1, self.box_count + 1) if all(box.seat != seat for box in self.boxes)]
        if empty and self.chance("card_to_empty_box"):
            self._card(seat=self.random.choice(empty))
            self.plant("card_to_empty_box", Expected(code="dealing_error"))
        self.dealer.append(self._card(to="dealer"))
        return empty

    def _first_deal(self) -> None:
        empty = self._first_cards()
        for box in self.boxes:
            self._to_hand(box, box.hands[0])
        for box in self.boxes:
            for stake in list(box.sides):
                if stake.wager in _THIRTEEN:
                    box.sides.remove(stake)
                    points = sum(POINTS[card] for card in box.line)
                    wins = points < 13 if stake.wager == "under_13" else points > 13
                    self._settle(stake, *((stake.amount, stake.amount) if wins else (0, 0)))
            self._settle_sevens(box)
            if total_of(box.hands[0].cards) == 21:
                box.hands[0].over = True
        self._out_of_place(empty)

    def _out_of_place(self, empty: list[int]) -> None:
        """A call from a box without a stake, insurance without an ace."""
        rng, unit = self.random, self.setup.chip_unit
        if empty and self.chance("empty_box_decides"):
            self.illegal("empty_box_decides", rng.choice(empty), rng.choice(("hit", "stand", "double")))
        if self.dealer[0][0] != "A" and self.chance("insurance_without_ace"):
            stake = rng.choice(self.boxes).first
            self.refused("insurance_without_ace", "wager_not_offered", stake.seat, "insurance", unit, of=stake.id)

    def _insure_nothing(self) -> None:
        """Time to insure; an insurance may be laid for a stake that is none."""
        self.wait(2, 4)
        if self.chance("insurance_of_nothing"):
            first, unit = self.boxes[0].first, self.setup.chip_unit
            self.refused("insurance_of_nothing", "wager_not_offered", first.seat, "insurance", unit, of=f"{first.id}x")

    def _insure(self) -> None:
        """Against the dealer's ace."""
        if self.dealer[0][0] != "A":
            return
        rng, unit = self.random, self.setup.chip_unit
        self._insure_nothing()
        for box in self.boxes:
            stake = box.first
            half = stake.amount // 2
            amount = half - half % unit
            if self.chance("insurance_too_large"):
                over = self.lay_unasked(box.seat, "insurance", amount + unit * rng.randrange(1, 5), of=stake.id)
                self.insurances.append(over)
                self.plant("insurance_too_large", Expected(code="side_bet_too_large", bet=over.id))
                continue
            if rng.random() > 0.25 or stake.player is None or not amount:
                continue
            if rng.random() < 0.2:
                amount = max(unit, amount // 2 - amount // 2 % unit)
            if amount > stake.player.bankroll:
                continue
            stake.player.bankroll -= amount
            insurance = self.lay_unasked(box.seat, "insurance", amount, player=stake.player, named=True, of=stake.id)
            self.insurances.append(insurance)
            if rng.random() < 0.05:
                self.insurances.remove(insurance)
                self.withdraw(insurance)

    def _surrender(self) -> None:
        """Some give a bad hand up before the first card is drawn."""
        rng = self.random
        up = POINTS[self.dealer[0]]
        for box in self.boxes:
            hand = box.hands[0]
            total = total_of(hand.cards)
            if hand.over or up == 1:
                if not hand.over and self.chance("surrender_to_ace"):
                    self.emit("decision", seat=box.seat, choice="surrender")
                    self.plant("surrender_to_ace", Expected(code="illegal_decision", seat=box.seat))
                continue
            if total in (15, 16) and up in (9, 10) and rng.random() < 0.35:
                self.emit("decision", seat=box.seat, choice="surrender")
                hand.over = hand.surrendered = True
                for stake in hand.stakes:
                    half = self.part(stake.amount, 1, 2)
                    if stake.amount > half and self.chance("surrender_whole"):
                        refund = stake.refund
                        self.mispay("surrender_whole", stake, (0, half + refund), (0, stake.amount + refund))
                    else:
                        self._settle(stake, 0, half)
                hand.stakes = []
                self._settle_sevens(box)

    # --- playing --------------------------------------------------------------------------------------------------

    def _serve_out_of_turn(self) -> None:
        """A box gets its card while a lower one is still open."""
        if not self.chance("served_out_of_turn"):
            return
        waiting = [box for box in self.boxes if not box.hands[0].over]
        for box in waiting[1:]:
            hand = box.hands[0]
            if total_of(hand.cards) < 17:
                self._call(box, hand, "hit")
                self._drawn_to(box, hand)
                self.plant("served_out_of_turn", Expected(code="dealing_error"))
                self._after_card(box, hand)
                return

    def _call(self, box: Box, hand: Hand, choice: str) -> None:
        fields = {"hand": hand.number} if hand.number > 1 else {}
        self.emit("decision", seat=box.seat, choice=choice, **fields)
        self.wait(0.4, 1.2)

    def _play(self, box: Box) -> None:
        """All hands of a box, one after the other; a split adds some."""
        hand = box.hands[0]
        if hand.natural and POINTS[self.dealer[0]] not in (1, 10):
            self._settle_hand(hand, [])  # nothing can beat or equal it
        last = box is self.boxes[-1]
        if last and not hand.over and self.chance("hand_passed_over"):
            hand.over = True
            self.plant("hand_passed_over", Expected(code="missing_decision", seat=box.seat))
            return
        for hand in box.hands:  # grows while it is played
            if hand.split and len(hand.cards) == 1:
                self._second_card(box, hand)
            while not hand.over:
                self.wait(0.8, 3)
                self._decide(box, hand)
            if hand.out and not hand.surrendered:
                self._settle_hand(hand, [])
            if self.wanted is not None and not hand.surrendered:
                self._call_in_vain(box, hand)
        self._settle_sevens(box)

    def _call_in_vain(self, box: Box, hand: Hand) -> None:
        """A card is called for a hand that may have none: it does not count, and chips laid on it come back."""
        total = total_of(hand.cards)
        if hand.split_ace and self.chance("hit_on_split_ace"):
            self._call(box, hand, "hit")
            self.plant("hit_on_split_ace", Expected(code="illegal_decision", seat=box.seat))
        elif total == 21 and self.chance("hit_on_21"):
            self._call(box, hand, "hit")
            self.plant("hit_on_21", Expected(code="illegal_decision", seat=box.seat))
        elif total == 21 and hand.stakes and self.chance("double_on_21"):
            stake = hand.stakes[0]
            self._call(box, hand, "double")
            self.emit("bet_raised", bet=stake.id, by=stake.amount)
            stake.refund = stake.amount
            self.tray += stake.amount
            self.plant("double_on_21", Expected(code="illegal_decision", seat=box.seat))
        else:
            return
        self.drawn = True
        self._card(seat=box.seat, **({"hand": hand.number} if hand.number > 1 else {}))

    def _second_card(self, box: Box, hand: Hand) -> None:
        """The hand of a split gets its second card uncalled; a split ace no more than that."""
        self._drawn_to(box, hand)
        if hand.split_ace:
            hand.over = True
            again = hand.cards[0][0] == hand.cards[1][0] and self.may_split(box, hand)
            if again and self._affords(box, hand) and self.random.random() < 0.6:
                self._split(box, hand)
                self._second_card(box, hand)
        self._after_card(box, hand)

    def may_split(self, box: Box, hand: Hand) -> bool:
        """Whether this pair may be split."""
        return True

    def _after_card(self, box: Box, hand: Hand) -> None:
        if total_of(hand.cards) >= 21 and len(hand.cards) > 1:
            hand.over = True

    def _decide(self, box: Box, hand: Hand) -> None:
        """One decision of whoever commands the box, and what the dealer does."""
        rng = self.random
        two = len(hand.cards) == 2
        if self.too_late_to_surrender(hand) and self.chance("surrender_late"):
            self._call(box, hand, "surrender")
            self.plant("surrender_late", Expected(code="illegal_decision", seat=box.seat))
        pair = two and POINTS[hand.cards[0]] == POINTS[hand.cards[1]]
        choice = self._advice(hand, two, pair)
        if rng.random() < 0.06:
            choice = rng.choice(("hit", "stand", "double" if two else "hit", "split" if pair else "stand"))
        choice = self._wanted_choice(box, hand, self.allowed(box, hand, choice), two, pair)
        if choice in ("double", "split") and not (self._affords(box, hand) and not self.served_at_once):
            choice = "hit" if total_of(hand.cards) < 17 else "stand"
        if choice == "stand":
            self._call(box, hand, "stand")
            hand.over = True
            if self.chance("card_to_closed_hand"):
                self.drawn = True
                self._card(seat=box.seat, **({"hand": hand.number} if hand.number > 1 else {}))
                self.plant("card_to_closed_hand", Expected(code="dealing_error"))
        elif choice == "hit":
            if not hand.split and self.chance("card_uncalled"):
                self.plant("card_uncalled", Expected(code="missing_decision", seat=box.seat))
            else:
                self._call(box, hand, "hit")
            self._drawn_to(box, hand)
            self._after_card(box, hand)
        elif choice == "double":
            self._double(box, hand)
        else:
            if not pair:
                self.plant("unequal_split", Expected(code="illegal_decision", seat=box.seat))
            self._split(box, hand)
            self._second_card(box, hand)
            if not hand.over and self.chance("split_hands_at_once"):
                self._second_card(box, box.hands[-1])
                self.served_at_once = True
                self.plant("split_hands_at_once", Expected(code="dealing_error"))

    def too_late_to_surrender(self, hand: Hand) -> bool:
        """Whether this hand may not be given up any more."""
        return self.drawn

    def allowed(self, box: Box, hand: Hand, choice: str) -> str:
        """The choice, or another one where the table does not allow it."""
        return choice

    def _wanted_choice(self, box: Box, hand: Hand, choice: str, two: bool, pair: bool) -> str:
        """Another choice where a wrong waits for it."""
        if self.wanted is None or hand.split_ace:
            return choice
        if two and (self.chance("double_short") or self.chance("double_for_free")):
            return "double"
        if not two and self.chance("double_on_three"):
            return "double"
        if pair and any(self.chance(fault) for fault in ("split_short", "split_for_free", "split_hands_at_once")):
            return "split"
        if two and not pair and self.chance("unequal_split"):
            return "split"
        if self.chance("card_to_closed_hand"):
            return "stand"
        return choice

    def _advice(self, hand: Hand, two: bool, pair: bool) -> str:
        """About what the books say."""
        up = POINTS[self.dealer[0]]
        total = total_of(hand.cards)
        points = POINTS[hand.cards[0]]
        weak = 2 <= up <= 6
        if pair and (points in (1, 8) or (points in (2, 3, 6, 7, 9) and weak)):
            return "split"
        soft = total > sum(POINTS[card] for card in hand.cards)
        if soft:
            return "double" if two and weak and 15 <= total <= 18 and up > 3 else "stand" if total >= 18 else "hit"
        if two and ((total == 11 and up != 1) or (total == 10 and 2 <= up <= 9) or (total == 9 and 3 <= up <= 6)):
            return "double"
        if total >= 17 or (total >= 13 and weak) or (total == 12 and 4 <= up <= 6):
            return "stand"
        return "hit"

    def _affords(self, box: Box, hand: Hand) -> bool:
        """Whether the one who commands has chips for another stake."""
        player = box.first.player
        return bool(hand.stakes) and (player is None or player.bankroll >= box.firsts[box.first.id][1])

    def _joins(self, box: Box, stake: Stake) -> bool:
        """The commander adds to his own call; the others, if they like and can."""
        if box.firsts[stake.id][0] is box.first:
            return True
        player = stake.player
        return player is not None and player.bankroll >= box.firsts[stake.id][1] and self.random.random() < 0.6

    def _double(self, box: Box, hand: Hand) -> None:
        self._call(box, hand, "double")
        if len(hand.cards) > 2 and self.chance("double_on_three"):
            self.plant("double_on_three", Expected(code="illegal_decision", seat=box.seat))
        if self.chance("double_for_free"):
            self.plant("double_for_free", Expected(code="stake_mismatch", bet=box.first.id))
        else:
            for stake in hand.stakes:
                if self._joins(box, stake):
                    by = stake.amount
                    if self.chance("double_short"):
                        by -= self.setup.chip_unit * self.random.randrange(1, 5)
                        self.plant("double_short", Expected(code="stake_mismatch", bet=stake.id))
                    self.raise_stake(stake, by)
        self._drawn_to(box, hand)
        hand.over = True

    def _split(self, box: Box, hand: Hand) -> None:
        """The second card goes to a new hand, with a stake of its own."""
        rng = self.random
        self._call(box, hand, "split")
        new = Hand(len(box.hands) + 1)
        box.hands.append(new)
        new.cards.append(hand.cards.pop())
        hand.split = new.split = True
        hand.split_ace = new.split_ace = hand.cards[0][0] == new.cards[0][0] == "A"
        hand.over = False
        if self.chance("split_for_free"):
            self.plant("split_for_free", Expected(code="stake_mismatch", bet=box.first.id))
            return
        for stake in hand.stakes:
            if not self._joins(box, stake):
                continue
            first, amount = box.firsts[stake.id]
            wrong = self.chance("split_short")
            laid = amount - self.setup.chip_unit * rng.randrange(1, 5) if wrong else amount
            player = stake.player
            if player is not None:
                player.bankroll -= laid
            added = self.lay_unasked(box.seat, "main", laid, player=player, named=True, hand=new.number, of=first.id)
            new.stakes.append(added)
            box.firsts[added.id] = (first, amount)
            if wrong:
                self.plant("split_short", Expected(code="stake_mismatch", bet=added.id))

    # --- the dealer -----------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        """To 17 while somebody competes; one card for insurances and blackjacks that may be equalled."""
        self.wait(1, 2)
        hands = [hand for box in self.boxes for hand in box.hands]
        alive = [hand for hand in hands if not hand.out]
        competing = [hand for hand in alive if not hand.natural]
        self._pay_early(hands)
        if competing and self.chance("dealer_takes_none"):
            for hand in hands:
                hand.stakes = []  # swept in without a word: nobody can say what they would have come to
            self.insurances = []
            self.plant("dealer_takes_none", Expected(code="dealer_misplay"))
        elif competing:
            self._draw_to_17()
        elif self.insurances or (alive and POINTS[self.dealer[0]] in (1, 10)):
            self._dealer_card()
        elif not alive and self.chance("dealer_draws_alone"):
            self._draw_alone()

    def _draw_to_17(self) -> None:
        """As a dealer must while somebody competes, or about so."""
        while bank_total(self.dealer) < 17:
            if len(self.dealer) > 1 and self.chance("dealer_stands_short"):
                self.plant("dealer_stands_short", Expected(code="dealer_misplay"))
                return
            self._dealer_card()
        if self.chance("dealer_overdraws"):
            self._card(to="dealer")
            self.plant("dealer_overdraws", Expected(code="dealer_misplay"))

    def _draw_alone(self) -> None:
        """The dealer draws, as a wrong, although nobody competes."""
        for _ in range(self.random.randrange(1, 3)):
            self._card(to="dealer")
        self.plant("dealer_draws_alone", Expected(code="dealer_misplay"))

    def _dealer_card(self) -> None:
        self.wait(0.5, 1)
        self.dealer.append(self._card(to="dealer"))
        self.drawn = True

    def _pay_early(self, hands: list[Hand]) -> None:
        """A blackjack is paid against an ace or a ten, a standing hand against one card."""
        if self.chance("natural_paid_early"):
            waiting = [hand for hand in hands if hand.natural and hand.stakes]
        elif self.chance("hand_paid_early"):
            waiting = [hand for hand in hands if not hand.out and not hand.natural and hand.stakes]
        else:
            return
        if waiting:
            hand = self.random.choice(waiting)
            stake = hand.stakes.pop()
            won = self.part(stake.amount, 3, 2) if hand.natural else stake.amount
            self.hand_over(stake, won, stake.amount)
            self.early = [(hand, stake, won)]

    # --- paying ---------------------------------------------------------------------------------------------------

    def _settle(self, stake: Stake, paid: int, returned: int) -> None:
        self.wait(0.2, 0.8)
        self.settle(stake, paid, returned)
        if paid + returned == 0:
            self.grabbed_lost(stake)

    def _due(self, hand: Hand, amount: int, dealer: list[str]) -> tuple[int, int]:
        """What a stake on a hand is due, (paid, returned), against the dealer's cards."""
        total = total_of(hand.cards)
        if total > 21:
            return 0, 0
        if hand.natural:
            return (0 if is_natural(dealer) else self.part(amount, 3, 2)), amount
        bank = bank_total(dealer)
        if is_natural(dealer) or total < bank <= 21:
            return 0, 0
        return (0 if total == bank else self.chips(amount)), amount

    def _settle_hand(self, hand: Hand, dealer: list[str]) -> None:
        for stake in hand.stakes:
            paid, returned = self._due(hand, stake.amount, dealer)
            if hand.natural and paid > self.chips(stake.amount) and self.chance("natural_at_par"):
                self.mispay("natural_at_par", stake, (paid, returned), (self.chips(stake.amount), returned))
            else:
                self._settle(stake, paid, returned)
        hand.stakes = []

    def _pay(self) -> None:
        """What is still on the table, from the dealer's right to his left."""
        for hand, stake, won in self.early:
            self._early_was("natural_paid_early" if hand.natural else "hand_paid_early", hand, stake, won, self.dealer)
        for stake in self.insurances:
            if POINTS[self.dealer[1]] == 10:
                self._settle(stake, 2 * stake.amount, stake.amount)
            else:
                self._settle(stake, 0, 0)
        for box in reversed(self.boxes):
            for hand in box.hands:
                self._settle_hand(hand, self.dealer)
            self._settle_sevens(box, ended=True)

    def _early_was(self, fault: str, hand: Hand, stake: Stake, won: int, dealer: list[str]) -> None:
        """A stake that was settled too early, with so much, against what it came to."""
        due = sum(self._due(hand, stake.amount, dealer))
        early = Expected(code="settled_too_early", bet=stake.id)
        self.plant(fault, early, *mispaid(stake.id, won + stake.amount - due))

    def _settle_sevens(self, box: Box, *, ended: bool = False) -> None:
        """Jackpot and progressive, once the first three cards have decided them."""
        line = box.line
        sevens = next((count for count, card in enumerate(line) if card[0] != "7"), len(line))
        if not box.sides or not (sevens < len(line) or len(line) == 3 or ended or box.hands[0].over):
            return
        made = []
        if sevens:
            made.append("one_seven")
        if sevens > 1:
            made.append("two_suited_sevens" if line[0] == line[1] else "two_sevens")
        if sevens > 2:
            made.append("three_suited_sevens" if line[0] == line[1] == line[2] else "three_sevens")
        for stake in box.sides:
            if stake.wager == "jackpot":
                prizes = [self.chips(stake.amount * self.jackpot[result]) for result in made]
                if "three_suited_sevens" in made:
                    prizes.append(self.chips(self.pool))
                self._settle(stake, max(prizes, default=0), stake.amount if made else 0)
            else:
                prizes = [self._progressive(stake, self.shown[result]) for result in made if result in self.shown]
                self._settle(stake, max(prizes, default=0), 0)
        box.sides = []

    def _progressive(self, stake: Stake, prize: Any) -> int:
        if isinstance(prize, str):
            return self.part(self.counter, int(prize[:-1]), 100)
        return self.chips(stake.amount * int(prize))

    # --- wrongs with stakes ---------------------------------------------------------------------------------------

    def _wrongs_before_call(self, mains: list[Stake], sides: list[Stake]) -> None:
        rng, unit = self.random, self.setup.chip_unit
        taken = {stake.seat for stake in mains}
        free = [seat for seat in range(1, self.box_count + 1) if seat not in taken]
        if free and self.chance("below_minimum"):
            mains.append(self.accepted("below_minimum", "below_minimum", rng.choice(free), "main", self.minimum - unit))
        if free and self.chance("above_maximum"):
            mains.append(self.accepted("above_maximum", "above_maximum", rng.choice(free), "main", self.maximum + unit))
        if self.chance("too_many_bets"):
            seat = rng.choice(mains).seat
            guests = range(sum(stake.seat == seat for stake in mains), self.most_stakes + 1)
            mains += self.crowded("too_many_bets", seat, "main", self.minimum, guests)
        if self.chance("wager_not_offered"):
            wagers = ["perfect_pairs", "lucky_ladies"]
            wagers += [wager for wager in ("jackpot", "progressive") if wager not in self.on_sevens]
            self.refused(
                "wager_not_offered", "wager_not_offered", rng.choice(mains).seat, rng.choice(wagers), self.minimum
            )
        if self.chance("box_not_there"):
            self.refused(
                "box_not_there", "wager_not_offered", self.box_count + rng.randrange(1, 4), "main", self.minimum
            )
        if self.chance("duplicate_bet"):
            self.laid_again(rng.choice(mains))
        self._wrong_side_bets(mains, sides, free)

    def _wrong_side_bets(self, mains: list[Stake], sides: list[Stake], free: list[int]) -> None:
        rng, unit = self.random, self.setup.chip_unit
        seat = rng.choice(mains).seat
        if self.chance("thirteen_too_large"):
            sides.append(
                self.accepted("thirteen_too_large", "above_maximum", seat, rng.choice(_THIRTEEN), self.maximum + unit)
            )
        if self.chance("thirteen_too_small"):
            sides.append(
                self.accepted(
                    "thirteen_too_small", "below_minimum", seat, rng.choice(_THIRTEEN), self.least("under_13") - unit
                )
            )
        if free and self.chance("side_bet_alone"):
            sides.append(
                self.accepted(
                    "side_bet_alone",
                    "wager_not_offered",
                    rng.choice(free),
                    rng.choice(_THIRTEEN),
                    self.least("under_13"),
                )
            )
        if self.chance("sevens_too_large"):
            wager = rng.choice(list(self.on_sevens))
            sides.append(
                self.accepted("sevens_too_large", "side_bet_too_large", seat, wager, self.most_on_sevens + unit)
            )
        if self.chance("sevens_stake_wrong"):
            wager, stipulated = rng.choice([entry for entry in self.on_sevens.items() if entry[1]])
            sides.append(self.accepted("sevens_stake_wrong", "stake_mismatch", seat, wager, stipulated - unit))

    def _wrongs_after_call(self, mains: list[Stake]) -> None:
        if self.wanted is None:
            return
        if self.chance("late_bet"):
            self.refused("late_bet", "late_bet", self.random.choice(mains).seat, "main", self.minimum)
        self.touched_late(mains)
