"""Trente et quarante on the simulated floor: two rows of cards a minute, and stakes that wait in prison."""

from __future__ import annotations

from streams.simulator.players import Player, Stake
from streams.simulator.shoe import ShoeTable
from streams.simulator.table import TableSetup
from streams.simulator.truth import Expected, mispaid
from streams.simulator.wrongs import MONEY_FAULTS

DECKS = 6
_VALUE = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10}
_CHANCES = ("black", "red", "color", "inverse")
_LAST_COUPS = 3
_WRONG_CHOICES = {"illegal_decision": ("stand", "surrender"), "decision_without_refait": ("partage", "prison")}


class _Held:
    """A stake that a refait has hit."""

    __slots__ = ("refaits", "seen", "stake")

    def __init__(self, stake: Stake, seen: bool) -> None:
        self.stake = stake
        self.refaits = 1
        self.seen = seen
        """The auditor knows of it: no hole in the log since it was laid."""


class TrenteEtQuaranteTable(ShoeTable):
    """One trente et quarante table; its separator is the cut card."""

    code = "TQ"
    open_to = ("unshuffled-shoe",)
    seats = 10
    deck = tuple(rank + suit for suit in "SHDC" for rank in _VALUE)
    decks = DECKS
    below_cut_card = 5
    faults = ("late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "prison_raised", "prison_withdrawn",
              "wager_not_offered", "below_minimum", "above_maximum", "raised_over_maximum", "duplicate_bet",
              "red_before_black", "surplus_on_black", "surplus_on_red", "laid_elsewhere", "dealt_after_separator",
              "impossible_card", "coup_broken_off", "paid_before_losers", "rows_paid_first", "illegal_decision",
              "decision_without_refait", "decision_on_decided", "settled_too_early", "unsettled", "half_kept",
              "freed_and_paid")  # fmt: skip
    # A stake that is left lying makes what is paid after it out of turn: it is the last one of a coup (`_pay`).
    money_faults = tuple(fault for fault in MONEY_FAULTS if fault != "unsettled")

    def opening(self) -> None:
        self.stakes: list[Stake] = []
        self.prison: list[_Held] = []
        self.early: Stake | None = None
        """Settled while the coup is still being dealt."""
        self.last_coups: int | None = None
        self.closing_seen = True
        super().opening()

    # --- the shoe -------------------------------------------------------------------------------------------------

    def _card(self, to: str) -> str:
        """The next card of the shoe; the separator, when it is the next to come."""
        card = self.draw(to=to)
        self.wait(0.5, 1.2)
        self.watch_cut_card()
        return card

    def hole_made(self) -> None:
        """The shoe, the stakes in prison and an announced end are unknown to the auditor; and a claim for a bet that
        was never laid may from here on be one for a bet that he did not see."""
        super().hole_made()
        for held in self.prison:
            held.seen = False
        self.closing_seen = self.last_coups is None
        self.wrongs.rule_out("unknown_bet")

    # --- a coup ---------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        rng = self.random
        if self.cut_card_out:
            self.wait(120, 240)
            self._load_shoe()
        if self.last_coups is None and self.now_us >= self.closes_us - 240_000_000:
            self.last_coups = _LAST_COUPS
            self.emit("table_closing", last=_LAST_COUPS)
        self.stakes = []
        self.early = None
        for player in self.players:
            self.wait(0.5, 3)
            self._bets_of(player)
        if self.wanted is not None:
            self._wrongs_before_call()
        if self.stakes and rng.random() < 0.08:
            self.think_again(rng.choice(self.stakes), self.stakes)
        self.wait(6, 12)
        self.emit("bets_closed")
        if self.wanted is not None:
            self._wrongs_after_call()
        self.wait(1, 3)
        rows = self._deal()
        self.wait(2, 4)
        if rows is not None:
            self._decide(*rows)

    def _bets_of(self, player: Player) -> None:
        rng = self.random
        for chances in (("black", "red"), ("color", "inverse")):
            if rng.random() < 0.55:
                chance = rng.choice(chances)
                amount = player.unit
                if rng.random() < 0.3:
                    amount += self.setup.chip_unit * rng.randrange(1, 8)
                stake = self.lay(player, chance, min(amount, self.most(chance)))
                if stake is not None:
                    self.stakes.append(stake)

    def _deal(self) -> tuple[int, int, bool] | None:
        """What black and red count, and whether the first card was black; None when the coup is void."""
        rng = self.random
        black, red, first = 0, 0, ""
        broken_off = self.stakes and rng.random() < 0.3 and self.chance("coup_broken_off")
        while black < 31 or red < 31:
            row = "black" if black < 31 else "red"
            if row == "red" and red == 0 and self._surplus("surplus_on_black", "black"):
                continue
            if black and rng.random() < 0.2 and self._surplus("laid_elsewhere", rng.choice(("community", "dealer"))):
                continue
            if len(self.shoe) > 20 and rng.random() < 0.001:
                self._card("burn")
            to = row
            if row == "black" and rng.random() < 0.3 and self.chance("red_before_black"):
                to = "red"
                self.plant("red_before_black", Expected(code="dealing_error"))
            if self.stakes and red and self.early is None and self.chance("settled_too_early"):
                self.early = self.stakes.pop(rng.randrange(len(self.stakes)))
                self.hand_over(self.early, 0, self.early.amount)
            card = self._card(to)
            first = first or card
            if row == "black":
                black += _VALUE[card[0]]
            else:
                red += _VALUE[card[0]]
            if self.cut_card_out and red < 31:
                self._void()
                return None
            if broken_off and red:
                self._break_off()
                return None
        if len(self.shoe) > 20:
            self._surplus("surplus_on_red", rng.choice(("black", "red")))
        return black, red, first[1] in "SC"

    def _surplus(self, fault: str, to: str) -> bool:
        """A card that counts for no row."""
        if len(self.shoe) < 20 or not self.chance(fault):
            return False
        self.plant(fault, Expected(code="dealing_error"))
        self._card(to)
        return True

    def _void(self) -> None:
        """The separator came before the red row was complete: what was laid in this coup goes back."""
        if self.chance("dealt_after_separator"):
            self._card("red")
            self.plant("dealt_after_separator", Expected(code="dealing_error"))
        if self.early is not None:
            self.plant("settled_too_early", Expected(code="settled_too_early", bet=self.early.id))
        for stake in self.stakes:
            self.wait(0.3, 1)
            self.settle(stake, 0, stake.amount)

    def _break_off(self) -> None:
        """The coup is left as it lies, and nobody gets his stake back."""
        unsettled = [Expected(code="unsettled", bet=stake.id) for stake in self.stakes]
        kept = sum(stake.amount + stake.refund for stake in self.stakes)
        self.tray += sum(stake.amount for stake in self.stakes)
        self.plant("coup_broken_off", Expected(code="dealing_error"), *unsettled, win=kept)

    # --- the coup is decided --------------------------------------------------------------------------------------

    def _decide(self, black: int, red: int, black_first: bool) -> None:
        last = False
        if self.last_coups is not None:
            self.last_coups -= 1
            last = self.last_coups == 0
        if black == red:
            won: tuple[str, ...] = ()
        elif black < red:
            won = ("black", "color" if black_first else "inverse")
        else:
            won = ("red", "inverse" if black_first else "color")
        if self.early is not None:
            self._early_was(self.early, black, red, won)
        if black == red == 31:
            self._refait(last)
        else:
            self._pay(won, last)
        if last:
            self.closes_us = self.now_us

    def _early_was(self, early: Stake, black: int, red: int, won: tuple[str, ...]) -> None:
        """What the stake that was given back before the coup was decided should have come to."""
        due = 2 * early.amount if early.wager in won else 0 if won else early.amount
        if black == red == 31:
            if self.last_coups != 0:
                self.emit("decision", seat=early.seat, bet=early.id, choice="partage")
            due = self.part(early.amount, 1, 2)
        wrong = Expected(code="settled_too_early", bet=early.id)
        self.plant("settled_too_early", wrong, *mispaid(early.id, early.amount - due))

    def _pay(self, won: tuple[str, ...], last: bool) -> None:
        """Losers are taken, color or inverse is paid, then black or red. In prison stakes are lost or set free."""
        losers: list[tuple[Stake, int, int]] = []
        beside: list[tuple[Stake, int, int]] = []
        rows: list[tuple[Stake, int, int]] = []
        back: list[tuple[Stake, int, int]] = []
        for stake in self.stakes:
            if not won:
                back.append((stake, 0, stake.amount))
            elif stake.wager not in won:
                losers.append((stake, 0, 0))
            else:
                into = rows if stake.wager in ("black", "red") else beside
                into.append((stake, self.chips(stake.amount), stake.amount))
        lost = self._prison_after(won, last)
        if losers and beside and self.chance("paid_before_losers"):
            self._out_of_turn("paid_before_losers", beside)
        if beside and rows and not losers and not lost and self.chance("rows_paid_first"):
            self._out_of_turn("rows_paid_first", rows)
        for held in lost:
            self.wait(0.3, 1)
            self.settle(held.stake, 0, 0) if held.seen else self.hand_over(held.stake, 0, 0)
        dues = [*losers, *beside, *rows, *back]
        for number, (stake, paid, returned) in enumerate(dues, 1):
            self.wait(0.3, 1.2)
            if number == len(dues) and self.chance("unsettled"):
                self.tray += stake.amount
                self.plant("unsettled", Expected(code="unsettled", bet=stake.id), win=paid + returned + stake.refund)
                continue
            self.settle(stake, paid, returned)
            if returned == 0:
                self.grabbed_lost(stake)
            if self.chance("decision_on_decided"):
                self.emit("decision", seat=stake.seat, bet=stake.id, choice="partage")
                wrong = Expected(code="illegal_decision", bet=stake.id, seat=stake.seat)
                self.plant("decision_on_decided", wrong)

    def _out_of_turn(self, fault: str, winners: list[tuple[Stake, int, int]]) -> None:
        stake, paid, returned = winners.pop(self.random.randrange(len(winners)))
        self.hand_over(stake, paid, returned)
        self.plant(fault, Expected(code="dealer_misplay", bet=stake.id))

    def _prison_after(self, won: tuple[str, ...], last: bool) -> list[_Held]:
        """Sets free what has won, and in the last coup what is undecided; the lost stakes are still to be taken, before
        anything is paid."""
        lost = [held for held in self.prison if won and held.stake.wager not in won]
        free = [held for held in self.prison if held.stake.wager in won]
        rest = [held for held in self.prison if not won]
        for held in free:
            self.wait(0.3, 1)
            worth = self.part(held.stake.amount, 1, 2 ** (held.refaits - 1))
            if held.seen and self.chance("freed_and_paid"):
                self.mispay("freed_and_paid", held.stake, (0, worth), (worth, worth))
            else:
                self._give(held, worth)
        if last:
            for held in rest:
                self._give(held, self._half(held))
            rest = []
        self.prison = rest
        return lost

    def _half(self, held: _Held) -> int:
        """Half of what a stake in prison is worth."""
        return self.part(held.stake.amount, 1, 2**held.refaits)

    def _give(self, held: _Held, returned: int) -> None:
        if held.seen and self.closing_seen:
            self.settle(held.stake, 0, returned)
        else:
            self.hand_over(held.stake, 0, returned + held.stake.refund)

    # --- the refait -----------------------------------------------------------------------------------------------

    def _refait(self, last: bool) -> None:
        """Every stake is in prison now, or in it again; its owner may take half of it."""
        rng = self.random
        for held in self.prison:
            held.refaits += 1
        self.prison += [_Held(stake, True) for stake in self.stakes]
        stay: list[_Held] = []
        for held in self.prison:
            self.wait(0.5, 2)
            stake = held.stake
            if last:
                if held.seen and self.closing_seen and self.chance("decision_on_decided"):
                    self.emit("decision", seat=stake.seat, bet=stake.id, choice="prison")
                    wrong = Expected(code="illegal_decision", bet=stake.id, seat=stake.seat)
                    self.plant("decision_on_decided", wrong)
                self._give(held, self._half(held))
                continue
            wish = rng.choice(("partage", "partage", "prison", "prison first", "silent partage", "silence"))
            if wish in ("prison", "prison first"):
                self.emit("decision", seat=stake.seat, bet=stake.id, choice="prison")
            if wish in ("partage", "prison first"):
                self.emit("decision", seat=stake.seat, bet=stake.id, choice="partage")
                if held.seen and self.chance("half_kept"):
                    self.mispay("half_kept", stake, (0, self._half(held)), (0, 0))
                else:
                    self._give(held, self._half(held))
            elif wish == "silent partage":
                self.hand_over(stake, 0, self._half(held) + stake.refund)
            else:
                stay.append(held)
        self.prison = stay

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def _free_seat(self, wager: str) -> int:
        """Somebody who has nothing on this chance; 0 where everybody has."""
        taken = {stake.seat for stake in self.stakes if stake.wager == wager}
        seats = [seat for seat in range(1, self.seats + 1) if seat not in taken]
        return self.random.choice(seats) if seats else 0

    def _wrongs_before_call(self) -> None:
        rng = self.random
        chance = rng.choice(_CHANCES)
        seat, least, most = self._free_seat(chance), self.least(chance), self.most(chance)
        if seat and self.chance("below_minimum"):
            self.stakes.append(
                self.accepted("below_minimum", "below_minimum", seat, chance, least - self.setup.chip_unit)
            )
        if seat and self.chance("above_maximum"):
            if rng.random() < 0.5:  # in two stakes
                self.stakes.append(self.lay_unasked(seat, chance, most))
                self.stakes.append(self.accepted("above_maximum", "above_maximum", seat, chance, least))
            else:
                self.stakes.append(self.accepted("above_maximum", "above_maximum", seat, chance, most + least))
        if self.chance("wager_not_offered"):
            wager = rng.choice(("insurance", "even", "couleur"))
            self.refused("wager_not_offered", "wager_not_offered", rng.randrange(1, 11), wager, self.minimum)
        held = next((held for held in self.prison if held.seen), None)
        if held is not None and self.chance("prison_raised"):
            self.raised_in_vain("prison_raised", "late_bet", held.stake, self.minimum)
        if held is not None and self.chance("prison_withdrawn"):
            self.grabbed("prison_withdrawn", "withdrawal_not_allowed", held.stake)
        if not self.stakes:
            return
        stake = rng.choice(self.stakes)
        for fault, choices in _WRONG_CHOICES.items():
            if self.chance(fault):
                self.emit("decision", seat=stake.seat, bet=stake.id, choice=rng.choice(choices))
                self.plant(fault, Expected(code="illegal_decision", bet=stake.id, seat=stake.seat))
        if self.chance("duplicate_bet"):
            self.laid_again(stake)
        if self.chance("raised_over_maximum"):
            self.raised_over(stake, self.most(stake.wager))

    def _wrongs_after_call(self) -> None:
        rng = self.random
        if self.chance("late_bet"):
            self.refused("late_bet", "late_bet", rng.randrange(1, 11), rng.choice(_CHANCES), self.minimum)
        if not self.stakes:
            return
        stake = rng.choice(self.stakes)
        if self.chance("late_raise"):
            self.raised_in_vain("late_raise", "late_bet", stake, self.minimum)
        if self.chance("late_withdrawal"):
            self.grabbed("late_withdrawal", "late_withdrawal", stake)


SIMULATOR = TrenteEtQuaranteTable
SETUPS = (
    TableSetup(
        game="trente_et_quarante",
        rules="AD",
        limits={"min": 1_000, "max": 500_000},
        chip_unit=100,
        decks=DECKS,
        float_minor=10_000_000,
    ),
    TableSetup(
        game="trente_et_quarante",
        rules="AD",
        limits={"min": 500, "max": 50_000},
        chip_unit=100,
        rounding="nearest",
        decks=DECKS,
    ),
)
