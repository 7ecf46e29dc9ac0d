"""Triple blackjack on the simulated floor: one hand of a player against three of the dealer, box by box.

Players, calls and most wrongs are those of the blackjack table; here are the numbered boxes and the three hands.
"""

from __future__ import annotations

from typing import Any

from streams.simulator.blackjack_boxes import DECKS, Hand, bank_total
from streams.simulator.games._blackjack_table import BlackjackTable
from streams.simulator.players import Stake
from streams.simulator.table import TableSetup
from streams.simulator.truth import Expected

BOXES = (1, 2, 3)
_ACE_OR_TEN = "ATJQK"


class TripleBlackjackTable(BlackjackTable):
    """One triple blackjack table."""

    code = "TB"
    open_to = ()

    def opening(self) -> None:
        self.insured: dict[str, int] = {}
        """Insurance -> the box of the stake that it insures."""
        super().opening()
        faults = [fault for fault in self.faults if fault != "too_many_bets"]
        self.faults = (*faults, "second_stake", "fourth_stake", "no_such_box", "box_paid_early", "next_box_first")

    # --- stakes ---------------------------------------------------------------------------------------------------

    def lay_unasked(self, seat: int, wager: str, amount: int, **fields: Any) -> Stake:
        """A main stake lies on a numbered box; one on a hand of a split on the same as the one that it belongs to."""
        if wager == "main" and fields.get("pick") is None:
            fields["pick"] = self.numbers.get(fields.get("of", ""), 0) or self.random.choice(BOXES)
        stake = super().lay_unasked(seat, wager, amount, **fields)
        if wager == "main":
            self.numbers[stake.id] = stake.pick
        return stake

    def _take_bets(self) -> tuple[list[Stake], list[Stake]]:
        """Each player on one, two or all three of his boxes, some behind others."""
        rng = self.random
        self.numbers: dict[str, int] = {}
        self.insured = {}
        mains: list[Stake] = []
        sides: list[Stake] = []
        for index, player in enumerate(self.players):
            self.wait(0.3, 1.5)
            if index and rng.random() < 0.06:
                continue
            mine = 0
            for number in rng.sample(BOXES, rng.choice((1, 2, 3, 3))):
                amount = min(player.unit, self.maximum)
                if rng.random() < 0.25 and amount + 5 * self.setup.chip_unit <= self.maximum:
                    amount += self.setup.chip_unit * rng.randrange(1, 6)
                stake = self.lay(player, "main", amount, pick=number, named=True)
                if stake is not None:
                    mains.append(stake)
                    mine += 1
            if mine:
                sides += self._side_bets(player)
        if not mains:
            stake = self.lay_unasked(self.players[0].seat, "main", self.minimum, player=self.players[0], named=True)
            self.players[0].bankroll -= self.minimum
            mains.append(stake)
        for player in self.players:
            if rng.random() < 0.12 and player.bankroll >= 2 * self.minimum:
                behind = rng.choice(mains)
                there = [stake for stake in mains if (stake.seat, stake.pick) == (behind.seat, behind.pick)]
                laid = sum(stake.amount for stake in there) + self.minimum
                if len(there) < 3 and laid <= self.maximum and all(stake.player is not player for stake in there):
                    player.bankroll -= self.minimum
                    mains.append(
                        self.lay_unasked(behind.seat, "main", self.minimum, pick=behind.pick, player=player, named=True)
                    )
        if len(mains) > 1 and rng.random() < 0.05:
            self._think_again(mains, sides)
        if self.wanted is not None:
            self._wrongs_before_call(mains, sides)
            self._crowd_box(mains)
        return mains, sides

    def _crowd_box(self, mains: list[Stake]) -> None:
        """A player's second stake on a box, the fourth stake on one, a stake on none."""
        rng = self.random
        stake = rng.choice(mains)
        there = [other for other in mains if (other.seat, other.pick) == (stake.seat, stake.pick)]
        room = self.maximum - sum(other.amount for other in there)
        if stake.player is not None and room >= self.minimum and self.chance("second_stake"):
            mains.append(
                self.accepted("second_stake", "too_many_bets", stake.seat, "main", self.minimum, pick=stake.pick,
                              player=stake.player, named=True)
            )  # fmt: skip
        elif room >= 4 * self.minimum and self.chance("fourth_stake"):
            guests = range(len(there), 4)
            mains += self.crowded("fourth_stake", stake.seat, "main", self.minimum, guests, pick=stake.pick)
        elif self.chance("no_such_box"):
            self.refused("no_such_box", "wager_not_offered", stake.seat, "main", self.minimum, pick=rng.choice((4, 7)))

    def _insure(self) -> None:
        """Against the dealer's ace, as many stakes as one likes."""
        if self.dealer[0][0] != "A":
            return
        rng, unit = self.random, self.setup.chip_unit
        self._insure_nothing()
        for box in self.boxes:
            for stake in box.hands[0].stakes:
                half = self.part(stake.amount, 1, 2)
                if 2 * half > stake.amount:
                    half -= unit
                if self.chance("insurance_too_large"):
                    over = self.lay_unasked(box.seat, "insurance", half + unit * rng.randrange(2, 5), of=stake.id)
                    self.plant("insurance_too_large", Expected(code="side_bet_too_large", bet=over.id))
                elif half and stake.player is not None and half <= stake.player.bankroll and rng.random() < 0.25:
                    stake.player.bankroll -= half
                    over = self.lay_unasked(box.seat, "insurance", half, player=stake.player, named=True, of=stake.id)
                else:
                    continue
                self.insurances.append(over)
                self.insured[over.id] = self.numbers[stake.id]

    # --- the dealer -----------------------------------------------------------------------------------------------

    def _settle_hand(self, hand: Hand, dealer: list[str]) -> None:
        """A blackjack that cannot be equalled is paid in box 1 at once, in the others when they come into play."""
        waiting: list[Stake] = []
        if hand.natural and not dealer:
            waiting = [stake for stake in hand.stakes if stake.pick > self.in_play]
            hand.stakes = [stake for stake in hand.stakes if stake.pick <= self.in_play]
        super()._settle_hand(hand, dealer)
        hand.stakes = waiting

    def _settle_box(self, number: int, dealer: list[str]) -> None:
        """The stakes on one box, from the dealer's right to his left."""
        for box in reversed(self.boxes):
            for hand in box.hands:
                others = [stake for stake in hand.stakes if stake.pick != number]
                hand.stakes = [stake for stake in hand.stakes if stake.pick == number]
                super()._settle_hand(hand, dealer)
                hand.stakes = others

    def _first_deal(self) -> None:
        self.in_play = 1
        super()._first_deal()

    def _draw(self) -> None:
        """A hand for each box, all with the same first card."""
        first = self.dealer[0]
        hands = [hand for box in self.boxes for hand in box.hands]
        natural = any(hand.natural for hand in hands)
        self.put_off = 0
        """The box before, which is settled only after the next hand."""
        unpaid: list[str] = []
        for number in BOXES:
            self.in_play = number
            if first[0] not in _ACE_OR_TEN:
                for box in self.boxes:
                    if box.hands[0].natural:
                        self._settle_hand(box.hands[0], [])
            self._pay_early_for(number, hands)
            dealer = self._hand_for(number, first, hands, natural)
            self._settle_early(number, dealer)
            if self.put_off == number:
                unpaid = dealer
                continue
            if self.put_off:
                self._settle_box(self.put_off, unpaid)
                self.put_off = 0
            for stake in [stake for stake in self.insurances if self.insured[stake.id] == number]:
                won = dealer[1][0] in _ACE_OR_TEN and dealer[1][0] != "A"
                self._settle(stake, *((2 * stake.amount, stake.amount) if won else (0, 0)))
            self._settle_box(number, dealer)

    def _hand_for(self, number: int, first: str, hands: list[Hand], natural: bool) -> list[str]:
        """The dealer's cards for one box; stakes that a wrong leaves undecided are swept in."""
        rng = self.random
        dealer = [first]
        early = [hand for hand, stake, _ in self.early if stake.pick == number]
        on = [hand for hand in hands if hand in early or any(stake.pick == number for stake in hand.stakes)]
        insured = any(self.insured[stake.id] == number for stake in self.insurances)
        alive = [hand for hand in on if not hand.out]
        later = any(stake.pick > number for hand in hands for stake in hand.stakes) or any(
            self.insured[stake.id] > number for stake in self.insurances
        )
        if any(not hand.natural for hand in alive):
            if not later and not self.early and self.chance("dealer_takes_none"):
                for hand in hands:
                    hand.stakes = []
                self.insurances = []
                self.plant("dealer_takes_none", Expected(code="dealer_misplay"))
                return dealer
            while bank_total(dealer) < 17:
                if len(dealer) > 1 and not insured and self.chance("dealer_stands_short"):
                    self.plant("dealer_stands_short", Expected(code="dealer_misplay"))
                    return dealer
                if len(dealer) > 1 and not natural and not insured and self._competed(number + 1, hands):
                    if self.chance("next_box_first"):
                        self.put_off = number
                        self.plant("next_box_first", Expected(code="dealer_misplay"))
                        return dealer
                self._card_for(number, dealer)
            if self.chance("dealer_overdraws"):
                self._card_for(number, [])
                self.plant("dealer_overdraws", Expected(code="dealer_misplay"))
        elif insured or (alive and first[0] in _ACE_OR_TEN):
            self._card_for(number, dealer)
        elif not alive and not natural and self.chance("dealer_draws_alone"):
            for _ in range(rng.randrange(1, 3)):
                self._card_for(number, [])
            self.plant("dealer_draws_alone", Expected(code="dealer_misplay"))
        return dealer

    def _competed(self, number: int, hands: list[Hand]) -> bool:
        """Somebody plays for this box."""
        return any(stake.pick == number and not hand.out for hand in hands for stake in hand.stakes)

    def _card_for(self, number: int, dealer: list[str]) -> None:
        self.wait(0.5, 1)
        fields = {} if number == 1 and self.random.random() < 0.5 else {"hand": number}
        dealer.append(self._card(to="dealer", **fields))
        self.drawn = True

    def _pay_early_for(self, number: int, hands: list[Hand]) -> None:
        """A stake is settled before the dealer's hand for its box, or for the box before, is drawn."""
        natural, least = False, number
        if self.chance("natural_paid_early"):
            natural = True
        elif self.chance("box_paid_early"):
            least = number + 1
        elif not self.chance("hand_paid_early"):
            return
        waiting = [
            (hand, stake)
            for hand in hands
            for stake in hand.stakes
            if hand.natural == natural and not hand.out and stake.pick >= least
        ]
        if waiting and not self.early:
            hand, stake = self.random.choice(waiting)
            hand.stakes.remove(stake)
            won = self.part(stake.amount, 3, 2) if hand.natural else stake.amount
            self.hand_over(stake, won, stake.amount)
            self.early = [(hand, stake, won)]

    def _settle_early(self, number: int, dealer: list[str]) -> None:
        """What a stake that was settled too early came to."""
        for hand, stake, won in [entry for entry in self.early if entry[1].pick == number]:
            assert self.wanted is not None
            self._early_was(self.wanted, hand, stake, won, dealer)
            self.early = []

    def _pay(self) -> None:
        """What is left on the first cards."""
        for box in reversed(self.boxes):
            self._settle_sevens(box, ended=True)


SIMULATOR = TripleBlackjackTable
SETUPS = (
    TableSetup(
        game="triple_blackjack",
        rules="AD",
        limits={"min": 1_000, "max": 50_000},
        chip_unit=100,
        decks=DECKS,
    ),
    TableSetup(
        game="triple_blackjack",
        rules="AD",
        limits={"min": 1_000, "max": 25_000},
        options={"shoe": "continuous", "over_under_13": True, "jackpot": True, "jackpot_stake": 500},
        chip_unit=50,
        decks=DECKS,
    ),
    TableSetup(
        game="triple_blackjack",
        rules="AD",
        limits={"min": 2_500, "max": 125_000},
        options={"boxes": 9, "progressive": True, "progressive_paytable": {"three_sevens": 100, "two_sevens": 5}},
        chip_unit=100,
        rounding="nearest",
        decks=DECKS,
        float_minor=10_000_000,
    ),
)
