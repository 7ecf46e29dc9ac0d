"""Triple joc on the simulated floor: war, blackjack and six-card poker with the cards of one deck.

Players and their calls at blackjack are those of the blackjack table; here are the three stakes and the other games.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from streams.simulator.blackjack_boxes import DECK, Box, Hand, total_of
from streams.simulator.games._blackjack_table import BlackjackTable
from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup
from streams.simulator.truth import Expected

_ORDER = "23456789TJQKA"
_WAGERS = ("war", "main", "poker")
_SIX = 6


def _pays(five: tuple[str, ...]) -> int:
    """What the table pays for five cards, to one; 0 loses."""
    places = sorted(_ORDER.index(card[0]) for card in five)
    counts = Counter(places)
    shape = sorted(counts.values(), reverse=True)
    suited = len({card[1] for card in five}) == 1
    if len(counts) == 5:
        straight = places[4] - places[0] == 4 or places == [0, 1, 2, 3, 12]
        if straight and suited:
            return 100 if places[0] == 8 else 25
        return 5 if suited else 4 if straight else 0
    if shape == [2, 1, 1, 1]:
        return int(max(counts, key=lambda place: counts[place]) >= _ORDER.index("Q"))
    return {4: 10, 3: 6 if 2 in shape else 3, 2: 2}[shape[0]]


class TripleJocTable(BlackjackTable):
    """One triple joc table."""

    code = "TJ"
    open_to = ()

    def opening(self) -> None:
        self.place_cards: dict[int, list[str]] = {}
        self.exposed = 0
        self.sixes: list[Hand] = []
        """Hands that were paid for their six cards."""
        super().opening()
        absent = {"wrong_decks", "burn_count", "round_after_cut_card", "dealer_takes_none"}
        self.faults = (
            *(fault for fault in self.faults if fault not in absent),
            *("second_place", "stake_missing", "pair_split", "aces_split_again", "tie_pushed", "card_after_void"),
            *("poker_paid_early", "poker_out_of_order", "five_cards", "seven_cards"),
        )

    # --- the deck -------------------------------------------------------------------------------------------------

    def _load_shoe(self) -> None:
        """No shoe: one deck, shuffled for every round."""

    def _prepare_shoe(self) -> None:
        self.shoe = list(DECK)
        self.random.shuffle(self.shoe)
        self.used = []
        self.place_cards = {}
        self.exposed = 0
        self.sixes = []

    def _card(self, said: str = "", /, **fields: Any) -> str:
        if fields.get("exposed"):
            if "seat" not in fields and (self.wanted is not None or self.exposed):
                return ""  # a second one makes the deal void
            self.exposed += 1
        card = self.shoe.pop()
        if "seat" in fields and self.used and self.chance("impossible_card"):
            card = self.random.choice(self.used)
            self.plant("impossible_card", Expected(code="impossible_card"))
        self.used.append(card)
        self.emit("card_dealt", card=card, **fields)
        if "seat" in fields:
            mine = self.place_cards.setdefault(fields["seat"], [])
            if len(mine) < _SIX:
                mine.append(card)
        return card

    def hole_made(self) -> None:
        """Every round has all its cards."""

    # --- stakes ---------------------------------------------------------------------------------------------------

    def lay_unasked(self, seat: int, wager: str, amount: int, **fields: Any) -> Stake:
        """The stake that plays the hand is called blackjack."""
        return super().lay_unasked(seat, "blackjack" if wager == "main" else wager, amount, **fields)

    def _take_bets(self) -> tuple[list[Stake], list[Stake]]:
        """Each player his three stakes."""
        rng = self.random
        self.laid: dict[str, list[Stake]] = {wager: [] for wager in _WAGERS}
        for player in self.players:
            self.wait(0.5, 2)
            if player.bankroll < 3 * self.minimum or (self.laid["main"] and rng.random() < 0.05):
                continue
            self._three_stakes(player.seat, player)
        if not self.laid["main"]:
            self._three_stakes(self.players[0].seat, None)
        if rng.random() < 0.05:
            stake = rng.choice(self.laid[rng.choice(_WAGERS)])
            if stake.amount + self.minimum <= self.maximum:
                self.raise_stake(stake, self.minimum)
        mains = self.laid["main"]
        if self.wanted is not None:
            self._wrongs_before_call(mains, [])
        return mains, []

    def _three_stakes(self, seat: int, player: Player | None) -> None:
        rng = self.random
        for wager in rng.sample(_WAGERS, 3):
            amount = self.minimum
            if player is not None:
                amount = min(player.unit * rng.choice((1, 1, 2)), self.maximum, player.bankroll)
                amount = amount if player.bankroll >= 3 * amount else self.minimum
                player.bankroll -= amount
            self.laid[wager].append(self.lay_unasked(seat, wager, amount, player=player, named=player is not None))

    def _at(self, wager: str, seat: int) -> list[Stake]:
        return [stake for stake in self.laid[wager] if stake.seat == seat]

    # --- the deal and war -----------------------------------------------------------------------------------------

    def _first_deal(self) -> None:
        """A card each, war, and a second card each."""
        empty = self._first_cards()
        for box in reversed(self.boxes):
            for stake in self._at("war", box.seat):
                self._settle_war(stake, _ORDER.index(box.line[0][0]) - _ORDER.index(self.dealer[0][0]))
        for box in self.boxes:
            self._to_hand(box, box.hands[0])
            if total_of(box.hands[0].cards) == 21:
                box.hands[0].over = True
        self._out_of_place(empty)

    def _settle_war(self, stake: Stake, difference: int) -> None:
        amount = stake.amount
        if difference:
            self._settle(stake, *((self.chips(amount), amount) if difference > 0 else (0, 0)))
            return
        half = self.part(amount, 1, 2)
        if half < amount and self.chance("tie_pushed"):
            self.mispay("tie_pushed", stake, (0, half + stake.refund), (0, amount + stake.refund))
        else:
            self._settle(stake, 0, half)

    # --- blackjack ------------------------------------------------------------------------------------------------

    def _drawn_to(self, box: Box, hand: Hand) -> None:
        """Six cards that do not pass 21 are paid at once."""
        super()._drawn_to(box, hand)
        if len(hand.cards) == _SIX and total_of(hand.cards) <= 21:
            hand.over = True
            self.sixes.append(hand)
            for stake in hand.stakes:
                self._settle(stake, self.chips(stake.amount), stake.amount)
            hand.stakes = []

    def _second_card(self, box: Box, hand: Hand) -> None:
        self._drawn_to(box, hand)
        if hand.split_ace:
            hand.over = True
            again = hand.cards[0][0] == hand.cards[1][0] and self._affords(box, hand)
            if again and self.chance("aces_split_again"):
                self.plant("aces_split_again", Expected(code="illegal_decision", seat=box.seat))
                self._split(box, hand)
                self._second_card(box, hand)
        self._after_card(box, hand)

    def _wanted_choice(self, box: Box, hand: Hand, choice: str, two: bool, pair: bool) -> str:
        """Only aces are split, and once."""
        if not pair or (hand.cards[0][0] == "A" and not hand.split):
            return super()._wanted_choice(box, hand, choice, two, pair)
        if not hand.split and self._affords(box, hand) and not self.served_at_once and self.chance("pair_split"):
            self.plant("pair_split", Expected(code="illegal_decision", seat=box.seat))
            return "split"
        if choice == "split":
            return "stand" if total_of(hand.cards) >= 17 else "hit"
        return choice

    def _call_in_vain(self, box: Box, hand: Hand) -> None:
        """While the dealer has to draw, so that the card is none for poker alone."""
        if any(self._competes(other) for each in self.boxes for other in each.hands):
            super()._call_in_vain(box, hand)

    def _competes(self, hand: Hand) -> bool:
        return bool(hand.stakes) and not hand.out and not hand.natural

    def _draw(self) -> None:
        """The dealer's cards; then blackjack is settled, and poker dealt."""
        self.wait(1, 2)
        self.void = False
        if not self.exposed and self.wanted in (None, "card_after_void") and self._may_be_void():
            self._make_void()
            return
        hands = [hand for box in self.boxes for hand in box.hands if hand not in self.sixes]
        alive = [hand for hand in hands if not hand.out]
        self._pay_early(hands)
        waiting = [hand for hand, _, _ in self.early]
        if any(self._competes(hand) or (hand in waiting and not hand.natural) for hand in hands):
            self._draw_to_17()
        elif self.insurances or (alive and self.dealer[0][0] in "ATJQK"):
            self._dealer_card()
        elif self.chance("dealer_draws_alone"):
            self._draw_alone()

    def _may_be_void(self) -> bool:
        return self.chance("card_after_void") or self.random.random() < 0.01

    def _make_void(self) -> None:
        """Two cards lie face up in the pack: what has not been settled goes back."""
        wanted = self.wanted
        self.wrongs.wanted = None
        self._card(to="burn", exposed=True)
        self.exposed = 0
        self._card(to="burn", exposed=True)
        self.wrongs.wanted = wanted
        if self.chance("card_after_void"):
            self._card(to="dealer")
            self.plant("card_after_void", Expected(code="dealing_error"))
        self.void = True
        for box in self.boxes:
            for hand in box.hands:
                for stake in hand.stakes:
                    self._settle(stake, 0, stake.amount)
                hand.stakes = []
        for stake in (*self.insurances, *self.laid["poker"]):
            self._settle(stake, 0, stake.amount)
        self.insurances = []

    # --- paying, and poker ----------------------------------------------------------------------------------------

    def _pay(self) -> None:
        if self.void:
            return
        super()._pay()
        self._deal_poker()

    def _deal_poker(self) -> None:
        rng = self.random
        seats = [box.seat for box in self.boxes if self._at("poker", box.seat)]
        short = [seat for seat in seats if len(self.place_cards[seat]) < _SIX]
        if len(short) > 1 and self.chance("poker_out_of_order"):
            seats.remove(short[1])
            seats.insert(seats.index(short[0]), short[1])
            self.plant("poker_out_of_order", Expected(code="dealing_error"))
        unfinished = short[-1] if short and self.chance("five_cards") else 0
        early: list[Stake] = []
        for seat in seats:
            mine = self.place_cards[seat]
            while len(mine) < _SIX and not (seat == unfinished and len(mine) == _SIX - 1):
                if len(mine) == _SIX - 1 and self.chance("poker_paid_early"):
                    stake = self._at("poker", seat)[0]
                    self._settle_poker(stake, [*mine, self.shoe[-1]])
                    early.append(stake)
                    self.plant("poker_paid_early", Expected(code="settled_too_early", bet=stake.id))
                self.wait(0.3, 0.8)
                self._card(seat=seat)
            if rng.random() < 0.3 and self.chance("seven_cards"):
                self._card(seat=seat)
                self.plant("seven_cards", Expected(code="dealing_error", seat=seat))
        if unfinished:
            self.plant("five_cards", Expected(code="dealing_error", seat=unfinished))
        for seat in seats:
            if seat != unfinished:
                for stake in self._at("poker", seat):
                    if stake not in early:
                        self._settle_poker(stake, self.place_cards[seat])

    def _settle_poker(self, stake: Stake, six: list[str]) -> None:
        prize = max(map(_pays, combinations(six, 5)))
        self._settle(stake, self.chips(prize * stake.amount), stake.amount if prize else 0)

    # --- wrongs with stakes ---------------------------------------------------------------------------------------

    def _wrongs_before_call(self, mains: list[Stake], sides: list[Stake]) -> None:
        rng, unit = self.random, self.setup.chip_unit
        taken = {stake.seat for stake in mains}
        free = [seat for seat in range(1, self.seats + 1) if seat not in taken]
        wager = rng.choice(_WAGERS)
        if free:
            seat = rng.choice(free)
            for fault, amount in (("below_minimum", self.minimum - unit), ("above_maximum", self.maximum + unit)):
                if self.chance(fault):
                    self._three_stakes(seat, None)
                    stake = self._at(wager, seat)[0]
                    self.withdraw(stake)
                    self.laid[wager].remove(stake)
                    self.laid[wager].append(self.accepted(fault, fault, seat, wager, amount))
                    return
            players = [stake.player for stake in mains if stake.player is not None]
            if players and self.chance("second_place"):
                player = rng.choice(players)
                before = sum(map(len, self.laid.values()))
                player.bankroll += 3 * self.minimum
                self._three_stakes(seat, player)
                assert sum(map(len, self.laid.values())) == before + 3
                first = min((self._at(each, seat)[0] for each in _WAGERS), key=lambda stake: int(stake.id[1:]))
                self.plant("second_place", Expected(code="too_many_bets", bet=first.id))
                return
        seat = rng.choice(mains).seat
        if self.chance("too_many_bets"):
            self.laid[wager].append(self.accepted("too_many_bets", "too_many_bets", seat, wager, self.minimum))
        elif self.chance("stake_missing"):
            wager = rng.choice(("war", "poker"))
            stake = self._at(wager, seat)[0]
            self.laid[wager].remove(stake)
            self.withdraw(stake)
            self.plant("stake_missing", Expected(code="below_minimum", seat=seat))
        elif self.chance("wager_not_offered"):
            other = rng.choice(("under_13", "jackpot", "tie", "perfect_pairs"))
            self.refused("wager_not_offered", "wager_not_offered", seat, other, self.minimum)
        elif self.chance("box_not_there"):
            self.refused("box_not_there", "wager_not_offered", self.seats + rng.randrange(1, 4), wager, self.minimum)
        elif self.chance("duplicate_bet"):
            self.laid_again(rng.choice(self.laid[wager]))


SIMULATOR = TripleJocTable
SETUPS = (
    TableSetup(game="triple_joc", rules="AD", limits={"min": 1_000, "max": 50_000}, chip_unit=100),
    TableSetup(
        game="triple_joc",
        rules="AD",
        limits={"min": 5_000, "max": 250_000},
        chip_unit=500,
        rounding="nearest",
        float_minor=20_000_000,
    ),
)
