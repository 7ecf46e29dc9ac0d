"""Baccarat on the simulated floor: what cards and hands count, and what the games among players have in common.

Among players: the deeds of a coup that lead to findings, what a dealer pays who has judged a coup wrongly, and the
house's part of what the bank wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from streams.simulator.players import Player, Stake
from streams.simulator.shoe import ShoeTable
from streams.simulator.truth import Expected, mispaid

VALUE = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 0, "J": 0, "Q": 0, "K": 0}
DECK = tuple(rank + suit for suit in "SHDC" for rank in VALUE)
BANK_DRAWS = (
    "0123456789",  # 0, 1, 2: whatever the player drew
    "0123456789",
    "0123456789",
    "012345679",
    "234567",
    "4567",
    "67",
    "",
)
"""By the bank's two cards: the third cards of the player on which the bank draws."""
ENOUGH = 20
"""With fewer cards in the shoe nobody deals one too many."""


def value(card: str) -> int:
    """What a card counts."""
    return VALUE[card[0]]


def points(cards: Sequence[str]) -> int:
    """What a hand is worth."""
    return sum(VALUE[card[0]] for card in cards) % 10


def by_rule(score: int) -> str:
    """What the rules of drawing have a punter say without eight or nine; on five he does as he likes."""
    return "draw" if score < 5 else "either" if score == 5 else "stand"


def opposite(word: str) -> str:
    """The other thing that one may say."""
    return "stand" if word == "draw" else "draw"


class Due(NamedTuple):
    """What a stake is due."""

    stake: Stake
    paid: int
    returned: int


class Account(NamedTuple):
    """What a coup comes to in money: every stake, and the house's part."""

    dues: list[Due]
    commission: int


class BankTable(ShoeTable):
    """A table where one of the players holds the bank."""

    clear_after_round = False
    deck = DECK
    most_cards: ClassVar[int]
    """What a coup takes at most, when nothing goes wrong."""

    def opening(self) -> None:
        self.stakes: list[Stake] = []
        """Of this coup, in the order of placing, the bank among them."""
        self.deed: tuple[str, list[Expected]] | None = None
        """The wrong that was done in this coup, whose consequences in money are not yet known."""
        self.early: Due | None = None
        """A stake that the dealer was done with before the coup was over, and what he did."""
        self.bank_named = False
        """The bank bears the name of its owner."""
        super().opening()

    # --- the shoe -------------------------------------------------------------------------------------------------

    def shoe_ready(self) -> None:
        """New cards once the cut card is out; a dealer may forget."""
        if not self.cut_card_out:
            return
        if self.shoe_known and len(self.shoe) >= self.most_cards and self.may("coup_after_cut_card"):
            self.plant("coup_after_cut_card", Expected(code="dealing_error"))
            return
        self.wait(120, 240)
        self._load_shoe()

    def card(self, to: str, **fields: Any) -> str:
        """The next card of the shoe."""
        card = self.draw(to=to, **fields)
        self.watch_cut_card()
        self.wait(0.4, 1)
        return card

    def maybe_exposed(self) -> None:
        """A card that lay face up in the shoe is put aside."""
        if len(self.shoe) > ENOUGH and self.random.random() < 0.001:
            self.card("burn", up=True, exposed=True)

    def say(self, seat: int, choice: str, **fields: object) -> None:
        """Somebody announces something."""
        self.emit("decision", seat=seat, choice=choice, **fields)
        self.wait(0.5, 2.5)

    # --- stakes ---------------------------------------------------------------------------------------------------

    def put_up(self, banker: Player, amount: int, pick: Any = None) -> Stake:
        """The bank, the first stake of a coup. Its owner may have staked against it before, which is a wrong; ``pick``:
        where that stake lies."""
        own = None
        if self.may("own_stake_before"):
            own = self.lay_unasked(banker.seat, "punter", self.minimum, pick=pick)
        self.bank_named = self.random.random() < 0.7
        banker.bankroll -= amount
        bank = self.lay_unasked(banker.seat, "bank", amount, player=banker, named=self.bank_named)
        self.stakes.append(bank)
        if own is not None:
            self.give_back(own)
            self.plant("own_stake_before", Expected(code="wager_not_offered", bet=own.id))
        return bank

    def stake_from(self, player: Player, seat: int, wager: str, amount: int, pick: Any) -> Stake | None:
        """Somebody stakes, from where he is. None when his chips do not reach."""
        if amount <= 0 or amount > player.bankroll:
            return None
        player.bankroll -= amount
        stake = self.lay_unasked(seat, wager, amount, pick=pick, player=player, named=self.random.random() < 0.7)
        self.stakes.append(stake)
        self.wait(0.5, 2.5)
        return stake

    def call(self) -> bool:
        """The call, unless it is forgotten."""
        called = not self.may("no_call")
        if called:
            self.emit("bets_closed")
        else:
            self.did("no_call", Expected(code="dealing_error"))
        return called

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def may(self, fault: str) -> bool:
        """Whether this is the time to do this wrong: nothing else was done in this coup."""
        return self.deed is None and self.chance(fault)

    def may_with_cards(self, fault: str) -> bool:
        """The same, for wrongs that take more cards than a coup should."""
        return len(self.shoe) > ENOUGH and self.may(fault)

    def did(self, fault: str, *expected: Expected) -> None:
        """This wrong was done. It is put on record when the coup is paid, with what it led to in money."""
        self.deed = (fault, list(expected))

    def expect(self, expected: Expected) -> None:
        """The wrong that was done leads to this as well."""
        assert self.deed is not None
        self.deed[1].append(expected)

    def refuse_own_stake(self, seat: int, pick: Any = None) -> None:
        """The banker stakes against his bank: under his name from this seat, or from his own."""
        if not self.may("own_stake"):
            return
        bank, named = self.stakes[0], self.bank_named and self.random.random() < 0.5
        fields: dict[str, Any] = {"player": bank.player, "named": True} if named else {}
        if named and bank.player is not None:
            bank.player.bankroll -= self.minimum
        at = seat if named else bank.seat
        self.refused("own_stake", "wager_not_offered", at, "punter", self.minimum, pick=pick, **fields)

    def settle_too_early(self, stakes: Sequence[Stake]) -> None:
        """Before a card that is sure to come, the dealer takes a stake for lost, or gives it back."""
        if stakes and self.may("settled_too_early"):
            stake = self.random.choice(stakes)
            self.early = Due(stake, 0, self.random.choice((0, stake.amount)))
            self.hand_over(*self.early)
            self.did("settled_too_early", Expected(code="settled_too_early", bet=stake.id))

    # --- money ----------------------------------------------------------------------------------------------------

    def pay(self, due: Account, believed: Account) -> None:
        """The dealer pays what he believes to be due, and takes the house's part of it."""
        for (stake, paid, returned), done in zip(due.dues, believed.dues, strict=True):
            self.wait(0.4, 1.5)
            if self.early is not None and self.early.stake is stake:
                handed = self.early
            elif done.paid == paid and done.returned == returned:
                self.settle(stake, paid, returned)
                if paid + returned == 0 and stake.wager == "punter":
                    self.grabbed_lost(stake)
                continue
            else:
                handed = done
                self.hand_over(*handed)
            for found in mispaid(stake.id, handed.paid + handed.returned - paid - returned):
                self.expect(found)
        self.early = None
        self._take(due.commission, believed.commission)
        if self.deed is not None:
            fault, expected = self.deed
            self.deed = None
            self.plant(fault, *expected)

    def _take(self, due: int, taken: int) -> None:
        """The house's part goes to the cagnotte."""
        unit = self.setup.chip_unit
        if due != taken:
            self.expect(Expected(code="wrong_commission", amount=abs(taken - due)))
        elif due and self.may("commission_forgotten"):
            taken = 0
            self.plant("commission_forgotten", Expected(code="wrong_commission", amount=due))
        elif due and self.may("commission_too_large"):
            taken = due + unit
            self.plant("commission_too_large", Expected(code="wrong_commission", amount=unit))
        elif due > unit and self.may("commission_too_small"):
            taken = due - unit
            self.plant("commission_too_small", Expected(code="wrong_commission", amount=unit))
        if taken:
            fields = {"bet": self.stakes[0].id} if self.stakes and self.stakes[0].wager == "bank" else {}
            self.to_the_box("commission_taken", taken, **fields)
