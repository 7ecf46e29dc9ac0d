"""Punto banco on the simulated floor: a coup every fifty seconds, a shoe every hour and a quarter."""

from __future__ import annotations

from streams.simulator.baccarat import BANK_DRAWS, DECK, VALUE, points
from streams.simulator.players import Player, Stake
from streams.simulator.shoe import ShoeTable
from streams.simulator.table import TableSetup
from streams.simulator.truth import Expected, mispaid

DECKS = 6
_SIDE_BETS = ("player_pair", "banker_pair", "lucky_six", "dragon")
"""What other casinos offer and this one does not."""


def _owner(cards: list[str]) -> str:
    """Whose the next card is when these have come out, in this order; empty when the coup is complete."""
    out = len(cards)
    if out < 4:
        return ("player", "banker")[out % 2]
    player, bank = points(cards[0:4:2]), points(cards[1:4:2])
    if player > 7 or bank > 7:
        return ""
    if out == 4:
        return "player" if player < 6 else "banker" if bank < 6 else ""
    if out == 5 and player < 6 and str(VALUE[cards[4][0]]) in BANK_DRAWS[bank]:
        return "banker"
    return ""


def _hands(cards: list[str]) -> tuple[int, int]:
    """What player and bank have, of cards in the order of the shoe."""
    player, bank = cards[0:4:2], cards[1:4:2]
    third = cards[4:]
    if third and points(player) < 6:
        player = [*player, third[0]]
        third = third[1:]
    return points(player), points(bank + third)


class PuntoBancoTable(ShoeTable):
    """One punto banco table."""

    code = "PB"
    open_to = ("marked-cards", "unshuffled-shoe", "colluding-dealer")
    seats = 9
    deck = DECK
    decks = DECKS
    below_cut_card = 7

    def opening(self) -> None:
        options = self.setup.options
        self.half_on_six: bool = options.get("banker_pay") == "half_on_6"
        self.per_box: int = options.get("bets_per_box", 1)
        self.in_multiples: bool = options.get("stake_multiple", False)
        faults = ["late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "below_minimum", "above_maximum",
                  "tie_too_large", "too_many_bets", "wager_not_offered", "duplicate_bet", "dealt_out_of_order",
                  "surplus_card", "third_card_misdealt", "third_card_missing", "no_call", "burn_count", "wrong_decks",
                  "coup_after_cut_card", "impossible_card", "illegal_decision", "settled_too_early",
                  "tie_at_nine"]  # fmt: skip
        faults.append("six_at_par" if self.half_on_six else "commission_forgotten")
        if self.in_multiples:
            faults.append("stake_mismatch")
        self.faults = tuple(faults)
        self.stakes: list[Stake] = []
        super().opening()

    # --- the shoe -------------------------------------------------------------------------------------------------

    def _load_shoe(self) -> None:
        """New cards, and as many of them burned as the first one says."""
        super()._load_shoe()
        first = self._card("burn")
        burned = VALUE[first[0]] or 10
        if self.chance("burn_count"):
            burned += 1 if burned == 1 or self.random.random() < 0.5 else -1
            self.plant("burn_count", Expected(code="dealing_error"))
        for _ in range(burned):
            self._card("burn", up=False)

    def _card(self, to: str, **fields: object) -> str:
        """The next card of the shoe."""
        card = self.draw(judged=to != "burn", to=to, **fields)
        self.watch_cut_card()
        return card

    # --- a coup ---------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        rng = self.random
        if self.cut_card_out and not self._may_do_without_shoe():
            self.wait(120, 240)
            self._load_shoe()
        self.stakes = []
        for player in self.players:
            self.wait(0.3, 2.5)
            self._bets_of(player)
        if self.stakes and rng.random() < 0.06:
            self._think_again()
        if self.wanted is not None:
            self._wrongs_before_call()
        self.wait(8, 16)
        if self.chance("no_call"):
            self.plant("no_call", Expected(code="dealing_error"))
        else:
            self.emit("bets_closed")
        late_after = rng.choice((0, 1, 3))
        if late_after == 0:
            self._wrongs_after_call()
        self.wait(1, 3)
        if self.cut_card_out and self.chance("coup_after_cut_card"):
            self.plant("coup_after_cut_card", Expected(code="dealing_error"))
        cards = self._deal(late_after)
        self.wait(1, 3)
        if cards is None:
            for stake in self.stakes:
                self.wait(0.3, 1)
                self.settle(stake, 0, stake.amount)
            return
        self._pay(*_hands(cards))

    def _may_do_without_shoe(self) -> bool:
        """A dealer begins a coup although the cut card is out, and there are cards enough for it."""
        if not (self.shoe_known and self.chance("coup_after_cut_card")):
            return False
        ahead = self.shoe[::-1]
        return any(not _owner(ahead[:out]) for out in range(len(ahead) + 1))

    def _deal(self, late_after: int) -> list[str] | None:
        """The cards of the coup in the order of the shoe; None when it is void."""
        rng = self.random
        cards: list[str] = []
        stuck_at = rng.randrange(6) if rng.random() < 0.003 and len(self.shoe) > 12 and self.wanted is None else 9
        crossed = rng.random() < 0.5
        swapped = self.chance("dealt_out_of_order")
        if swapped:
            self.plant("dealt_out_of_order", Expected(code="dealing_error"))
        owner = "player"
        while owner:
            out = len(cards)
            to = owner
            if swapped and out in ((1, 2) if crossed else (2, 3)):
                to = "banker" if owner == "player" else "player"
            if out == 4:
                self.wait(1, 3)
                if self.wanted is not None and self._wrong_third_card(cards, owner):
                    return None
            if out == 4 and self.chance("third_card_misdealt"):
                to = "banker" if owner == "player" else "player"
                self.plant("third_card_misdealt", Expected(code="drawing_error"))
            if len(self.shoe) > 12 and rng.random() < 0.001 and not self.planted_in_round:
                self._card("burn", up=True, exposed=True)
            if out == stuck_at:
                self._card(to, void=rng.choice(("stuck", "fault")))
                self._card("burn")
                return None
            cards.append(self._card(to))
            self.wait(0.4, 1)
            if late_after == len(cards):
                self._wrongs_after_call()
            owner = _owner(cards)
        if self.chance("surplus_card") and self.shoe:
            self._card(rng.choice(("player", "banker")))
            self.plant("surplus_card", Expected(code="drawing_error"))
        return cards

    def _wrong_third_card(self, cards: list[str], owner: str) -> bool:
        """Wrongs before the fifth card; True when the dealer leaves the card out and settles as the hands lie."""
        rng = self.random
        if self.chance("illegal_decision"):
            self.illegal("illegal_decision", rng.randrange(1, self.seats + 1), rng.choice(("stand", "draw")))
        if self.stakes and self.chance("settled_too_early"):
            ahead = [*cards, *self.shoe[:-3:-1]]
            ends = next(out for out in (5, 6) if not _owner(ahead[:out]))
            early = self.stakes.pop(rng.randrange(len(self.stakes)))
            self.settle_early(early, *self._due(early, *_hands(ahead[:ends])))
        if self.chance("third_card_missing"):
            player, bank = points(cards[0::2]), points(cards[1::2])
            wrong = [Expected(code="drawing_error")]
            for stake in self.stakes:
                paid, returned = self._due(stake, player, bank)
                self.hand_over(stake, paid, returned)
                wrong += mispaid(stake.id, paid + returned - stake.amount)
            self.stakes = []
            self.plant("third_card_missing", *wrong)
            return True
        return False

    # --- stakes ---------------------------------------------------------------------------------------------------

    def most(self, wager: str) -> int:
        """What a box may hold; on a tie a tenth of the table's maximum, or less."""
        most = super().most(wager)
        return min(most, self.maximum // 10) if wager == "tie" else most

    def _bets_of(self, player: Player) -> None:
        rng = self.random
        wagers = [rng.choice(("banker", "banker", "player", "player", "banker"))] if rng.random() < 0.9 else []
        if rng.random() < 0.05 + 0.25 * player.boldness:
            wagers.append("tie")
        for cheat in self.cheats:
            wagers = cheat.wager(self, player, wagers)
        for wager in wagers:
            least = self.least(wager)
            amount = player.unit if wager != "tie" else least * rng.choice((1, 1, 2))
            if not self.in_multiples and rng.random() < 0.2:
                amount += self.setup.chip_unit * rng.randrange(1, 8)
            seat = player.seat
            if self.per_box > 1 and rng.random() < 0.15:
                seat = rng.choice(self.players).seat  # behind somebody else's luck
            box = [stake for stake in self.stakes if (stake.seat, stake.wager) == (seat, wager)]
            room = self.most(wager) - sum(stake.amount for stake in box)
            if amount > room or amount > player.bankroll or len(box) >= self.per_box:
                continue
            player.bankroll -= amount
            named = self.per_box > 1
            self.stakes.append(self.lay_unasked(seat, wager, amount, player=player, named=named))

    def _think_again(self) -> None:
        """A stake is taken back, in part or whole, or grows, while bets are open."""
        rng = self.random
        stake = rng.choice(self.stakes)
        least = self.least(stake.wager)
        if rng.random() < 0.5:
            self.stakes.remove(stake)
            self.withdraw(stake)
        elif stake.amount >= 2 * least and rng.random() < 0.5:
            self.withdraw(stake, least)
        elif stake.player is not None and stake.player.bankroll >= least:
            box = sum(other.amount for other in self.stakes if (other.seat, other.wager) == (stake.seat, stake.wager))
            if box + least <= self.most(stake.wager):
                self.raise_stake(stake, least)

    # --- paying ---------------------------------------------------------------------------------------------------

    def _due(self, stake: Stake, player: int, bank: int) -> tuple[int, int]:
        """What a stake is due, (paid, returned), when the hands have so many points."""
        amount = stake.amount
        if stake.wager == "tie":
            return (8 * amount, amount) if player == bank else (0, 0)
        if player == bank:
            return 0, amount
        if (stake.wager == "player") != (player > bank):
            return 0, 0
        if stake.wager == "player":
            return amount, amount
        if not self.half_on_six:
            return self.part(amount, 95, 100), amount
        return (self.chips(amount) if bank != 6 else self.part(amount, 1, 2)), amount

    def _pay(self, player: int, bank: int) -> None:
        dues = [(stake, *self._due(stake, player, bank)) for stake in self.stakes]
        dues.sort(key=lambda due: due[1] + due[2] > 0)
        for stake, paid, returned in dues:
            self.wait(0.4, 1.5)
            at_par = "commission_forgotten" if not self.half_on_six else "six_at_par"
            if stake.wager == "banker" and stake.amount > paid > 0 and self.chance(at_par):
                self.mispay(at_par, stake, (paid, returned), (stake.amount, returned))
            elif stake.wager == "tie" and paid and self.chance("tie_at_nine"):
                self.mispay("tie_at_nine", stake, (paid, returned), (9 * stake.amount, returned))
            else:
                self.settle(stake, paid, returned)
            if paid + returned == 0:
                self.grabbed_lost(stake)

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def _accepted(self, fault: str, code: str, wager: str, amount: int) -> None:
        """A stake that is wrong and plays, in a box where nobody else is."""
        taken = {stake.seat for stake in self.stakes if stake.wager == wager}
        seats = [seat for seat in range(1, self.seats + 1) if seat not in taken]
        if seats:
            self.stakes.append(self.accepted(fault, code, self.random.choice(seats), wager, amount))

    def _wrongs_before_call(self) -> None:
        rng = self.random
        even = rng.choice(("player", "banker"))
        least = self.least(even)
        if self.chance("below_minimum"):
            self._accepted("below_minimum", "below_minimum", even, least - self.setup.chip_unit)
        if self.chance("stake_mismatch"):
            self._accepted("stake_mismatch", "stake_mismatch", even, least + self.setup.chip_unit)
        if self.chance("above_maximum"):
            self._accepted("above_maximum", "above_maximum", even, self.most(even) + least)
        if self.chance("tie_too_large"):
            self._accepted("tie_too_large", "above_maximum", "tie", self.most("tie") + self.least("tie"))
        if self.chance("too_many_bets"):
            self._crowd_box(even)
        if self.chance("wager_not_offered"):
            seat = rng.randrange(1, self.seats + 1)
            self.refused("wager_not_offered", "wager_not_offered", seat, rng.choice(_SIDE_BETS), self.minimum)
        if self.stakes and self.chance("duplicate_bet"):
            self.laid_again(rng.choice(self.stakes))

    def _crowd_box(self, wager: str) -> None:
        """One player too many stakes in a box."""
        taken = {stake.seat for stake in self.stakes if stake.wager == wager}
        seats = [seat for seat in range(1, self.seats + 1) if seat not in taken]
        if not seats:
            return
        seat, guests = self.random.choice(seats), range(self.per_box + 1)
        self.stakes += self.crowded("too_many_bets", seat, wager, self.least(wager), guests)

    def _wrongs_after_call(self) -> None:
        rng = self.random
        if self.wanted is None:
            return
        if self.chance("late_bet"):
            seat = rng.randrange(1, self.seats + 1)
            self.refused("late_bet", "late_bet", seat, rng.choice(("player", "tie")), self.minimum)
        self.touched_late(self.stakes)


SIMULATOR = PuntoBancoTable
SETUPS = (
    TableSetup(game="punto_banco", rules="AD", limits={"min": 500, "max": 50_000}, chip_unit=50, decks=DECKS),
    TableSetup(
        game="punto_banco",
        rules="AD",
        limits={"min": 2_000, "max": 100_000, "tie": {"min": 1_000, "max": 5_000}},
        options={"banker_pay": "half_on_6", "bets_per_box": 3},
        chip_unit=100,
        decks=DECKS,
        float_minor=8_000_000,
    ),
    TableSetup(
        game="punto_banco",
        rules="AD",
        limits={"min": 1_000, "max": 100_000},
        options={"stake_multiple": True},
        chip_unit=100,
        rounding="nearest",
        decks=DECKS,
        float_minor=8_000_000,
    ),
)
