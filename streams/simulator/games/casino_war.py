"""Casino war on the simulated floor: a card each, and a war over every tie."""

from __future__ import annotations

from typing import Any

from streams.simulator.players import Player, Stake
from streams.simulator.shoe import ShoeTable
from streams.simulator.table import TableSetup
from streams.simulator.truth import Expected

_ORDER = "23456789TJQKA"
_BURNT = 3


def _higher(card: str, other: str) -> int:
    """Positive when the first card is the higher one, 0 when they tie."""
    return _ORDER.index(card[0]) - _ORDER.index(other[0])


class _Box:
    """One place in a round."""

    __slots__ = ("card", "main", "open", "seat", "surrendered", "tie", "war", "war_card")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.main: Stake | None = None
        self.tie: Stake | None = None
        self.war: Stake | None = None
        self.card = ""
        self.war_card = ""
        self.surrendered = False
        self.open = False
        """Its first stake and that of the war stay undecided."""


class CasinoWarTable(ShoeTable):
    """One casino war table."""

    code = "CW"
    open_to = ("unshuffled-shoe",)
    seats = 9
    clear_after_round = False
    deck = tuple(rank + suit for suit in "SHDC" for rank in _ORDER)
    wrong_decks = 9
    faults = ("late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "below_minimum", "above_maximum",
              "wager_not_offered", "box_not_there", "tie_without_main", "too_many_bets", "duplicate_bet",
              "second_war_stake", "war_without_tie", "war_after_surrender", "war_too_late", "war_mismatch",
              "war_raised", "war_withdrawn", "decision_without_tie", "decision_too_soon", "strange_choice",
              "surrender_after_war", "missing_decision", "burn_count", "burnt_face_up", "face_down",
              "card_to_empty_box", "card_too_many", "dealer_card_too_many", "no_war_card", "dealer_without_war_card",
              "impossible_card", "wrong_decks", "settled_too_early", "war_at_par", "surrender_whole")  # fmt: skip

    def opening(self) -> None:
        self.decks = self.setup.decks or self.setup.options.get("decks", 6)
        self.boxes: dict[int, _Box] = {}
        super().opening()

    # --- the shoe -------------------------------------------------------------------------------------------------

    def _decks_told(self) -> int:
        """The auditor knows the shoe by what it is told of its decks."""
        told = super()._decks_told()
        self.shoe_known = told == self.decks
        return told

    def _card(self, *, seat: int | None = None, to: str | None = None, up: bool | None = None) -> str:
        fields: dict[str, Any] = {"seat": seat, "to": to, "up": up}
        card = self.draw(**{name: value for name, value in fields.items() if value is not None})
        self.wait(0.4, 1)
        return card

    # --- a round --------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        rng = self.random
        if len(self.shoe) < max(40, 13 * self.decks):
            self.wait(60, 120)
            self._load_shoe()
        self.boxes = {}
        for player in self.players:
            self.wait(0.5, 2.5)
            self._bets_of(player)
        if self.boxes and rng.random() < 0.08:
            self._think_again(rng.choice([box for box in self.boxes.values() if box.main is not None]))
        if self.wanted is not None:
            self._wrongs_before_call()
        lonely = None
        if self.chance("tie_without_main") and self._free_seat():
            lonely = self.lay_unasked(self._free_seat(), "tie", self.least("tie"))
        self.wait(5, 10)
        self.emit("bets_closed")
        if lonely is not None:
            self.give_back(lonely)
            self.plant("tie_without_main", Expected(code="wager_not_offered", bet=lonely.id))
        mains = [box for box in self.boxes.values() if box.main is not None]
        if not mains:
            return
        if self.wanted is not None:
            self._wrongs_after_call()
        dealer = self._deal(mains)
        tied = [box for box in mains if _higher(box.card, dealer) == 0]
        self._answers(tied, [box for box in mains if box not in tied])
        dealers_war = self._wage([box for box in tied if box.war is not None])
        self.wait(1, 3)
        self._pay(mains, dealer, dealers_war)
        self.clear()

    def _bets_of(self, player: Player) -> None:
        rng = self.random
        if rng.random() < 0.1:
            return
        amount = player.unit if rng.random() < 0.7 else player.unit + self.setup.chip_unit * rng.randrange(1, 5)
        main = self.lay(player, "main", max(self.least("main"), min(amount, self.most("main"))))
        if main is None:
            return
        box = self.boxes[player.seat] = _Box(player.seat)
        box.main = main
        if rng.random() < 0.1 + 0.4 * player.boldness:
            box.tie = self.lay(player, "tie", self.least("tie") * rng.choice((1, 1, 2)))

    def _think_again(self, box: _Box) -> None:
        """The box is given up, or grows, while bets are open."""
        main = box.main
        assert main is not None
        if self.random.random() < 0.4:
            self.withdraw(main)
            if box.tie is not None:
                self.withdraw(box.tie)
            del self.boxes[box.seat]
        elif box.tie is not None and self.random.random() < 0.5:
            self.withdraw(box.tie)
            box.tie = None
        elif main.player is not None and main.player.bankroll >= self.minimum:
            if main.amount + self.minimum <= self.most("main"):
                self.raise_stake(main, self.minimum)

    def _deal(self, boxes: list[_Box]) -> str:
        """A card to each box and one to the dealer; the dealer's."""
        rng = self.random
        down = -1
        if self.chance("face_down"):
            down = rng.randrange(len(boxes) + 1)
            seat = boxes[down].seat if down < len(boxes) else None
            self.plant("face_down", Expected(code="dealing_error", seat=seat))
        for number, box in enumerate(sorted(boxes, key=lambda box: box.seat)):
            face_up = None
            if down < len(boxes) and down >= 0 and boxes[down] is box:
                face_up = False
            elif number % 2:
                face_up = True
            box.card = self._card(seat=box.seat, up=face_up)
            if rng.random() < 0.3 and self.chance("decision_too_soon"):
                self.illegal("decision_too_soon", box.seat, "surrender")
        if self.chance("card_to_empty_box") and self._free_seat():
            seat = self._free_seat()
            self._card(seat=seat)
            self.plant("card_to_empty_box", Expected(code="dealing_error", seat=seat))
        uneven = [box for box in boxes if _higher(box.card, self.shoe[-1])]
        if uneven and self.chance("settled_too_early"):
            box = rng.choice(uneven)
            assert box.main is not None
            self.settle_early(box.main, *self._due_main(box, self.shoe[-1], ""))
            box.open = True
        dealer = self._card(to="dealer", up=False if down == len(boxes) else None)
        if self.chance("card_too_many"):
            seat = rng.choice(boxes).seat
            if all(_higher(box.card, dealer) for box in boxes):
                self._card(seat=seat)
                self.plant("card_too_many", Expected(code="dealing_error", seat=seat))
        elif self.chance("dealer_card_too_many") and all(_higher(box.card, dealer) for box in boxes):
            self._card(to="dealer")
            self.plant("dealer_card_too_many", Expected(code="dealing_error"))
        return dealer

    # --- ties -----------------------------------------------------------------------------------------------------

    def _answers(self, tied: list[_Box], others: list[_Box]) -> None:
        rng = self.random
        if others and self.chance("war_without_tie"):
            box = rng.choice(others)
            self.refused("war_without_tie", "wager_not_offered", box.seat, "war", self.minimum)
        if others and self.chance("decision_without_tie"):
            self.illegal("decision_without_tie", rng.choice(others).seat, rng.choice(("surrender", "war")))
        for box in tied:
            self.wait(2, 6)
            main = box.main
            assert main is not None
            if self.chance("strange_choice"):
                self.illegal("strange_choice", box.seat, rng.choice(("fold", "stand")))
            if self.chance("missing_decision"):
                box.open = True
                self.plant("missing_decision", Expected(code="missing_decision", seat=box.seat))
                continue
            short = main.player is not None and main.player.bankroll < main.amount
            if short or rng.random() < 0.15:
                self._surrender(box)
            else:
                self._go_to_war(box, main)

    def _surrender(self, box: _Box) -> None:
        self.emit("decision", seat=box.seat, choice="surrender")
        box.surrendered = True
        assert box.main is not None
        if self.chance("war_after_surrender"):
            if self.random.random() < 0.5:
                self.illegal("war_after_surrender", box.seat, "war")
            else:
                seat, amount = box.seat, box.main.amount
                self.refused("war_after_surrender", "wager_not_offered", seat, "war", amount, of=box.main.id)

    def _go_to_war(self, box: _Box, main: Stake) -> None:
        rng = self.random
        if rng.random() < 0.4:
            self.emit("decision", seat=box.seat, choice="war")
        amount = main.amount
        wrong = self.chance("war_mismatch")
        if wrong:
            amount += self.setup.chip_unit if rng.random() < 0.5 else -self.setup.chip_unit
        box.war = war = self.lay_beside(main, "war", amount)
        if wrong:
            self.plant("war_mismatch", Expected(code="stake_mismatch", bet=war.id))
        if self.chance("second_war_stake"):
            self.refused("second_war_stake", "too_many_bets", box.seat, "war", main.amount)
        if self.chance("surrender_after_war"):
            self.illegal("surrender_after_war", box.seat, "surrender")
        if self.chance("war_raised"):
            self.raised_in_vain("war_raised", "late_bet", war, self.minimum)
        if self.chance("war_withdrawn"):
            self.grabbed("war_withdrawn", "withdrawal_not_allowed", war)

    def _wage(self, at_war: list[_Box]) -> str:
        """Three cards are burnt, and a card goes to each box at war and to the dealer; the dealer's."""
        rng = self.random
        if not at_war:
            return ""
        burnt = _BURNT
        if self.chance("burn_count"):
            burnt += rng.choice((-1, 1))
            self.plant("burn_count", Expected(code="dealing_error"))
        for _ in range(burnt):
            if self.chance("burnt_face_up"):
                self._card(to="burn", up=True)
                self.plant("burnt_face_up", Expected(code="dealing_error"))
            else:
                self._card(to="burn", up=rng.choice((False, None)))
        if self.chance("war_too_late"):
            box = rng.choice(at_war)
            self.refused("war_too_late", "late_bet", box.seat, "war", self.minimum)
        forgotten = rng.choice(at_war) if self.chance("no_war_card") else None
        for box in at_war:
            if box is forgotten:
                box.open = True
                self.plant("no_war_card", Expected(code="dealing_error", seat=box.seat))
            else:
                box.war_card = self._card(seat=box.seat)
        if self.chance("dealer_without_war_card"):
            for box in at_war:
                box.open = True
            self.plant("dealer_without_war_card", Expected(code="dealing_error"))
            return ""
        return self._card(to="dealer")

    # --- paying ---------------------------------------------------------------------------------------------------

    def _due_main(self, box: _Box, dealer: str, dealers_war: str) -> tuple[int, int]:
        """What the first stake is due, (paid, returned)."""
        assert box.main is not None
        amount = box.main.amount
        first = _higher(box.card, dealer)
        if first:
            return (self.chips(amount), amount) if first > 0 else (0, 0)
        if box.surrendered:
            return 0, self.chips(amount // 2)
        return (0, amount) if _higher(box.war_card, dealers_war) >= 0 else (0, 0)

    def _pay(self, boxes: list[_Box], dealer: str, dealers_war: str) -> None:
        for box in boxes:
            self.wait(0.5, 2)
            main, tie, war = box.main, box.tie, box.war
            assert main is not None
            if tie is not None:
                even = _higher(box.card, dealer) == 0
                self.settle(tie, self.chips(10 * tie.amount) if even else 0, tie.amount if even else 0)
            if box.open:
                continue
            paid, returned = self._due_main(box, dealer, dealers_war)
            if box.surrendered and self.chance("surrender_whole"):
                self.mispay("surrender_whole", main, (paid, returned), (0, main.amount))
            else:
                self.settle(main, paid, returned)
                if returned == 0:
                    self.grabbed_lost(main)
            if war is None:
                continue
            outcome = _higher(box.war_card, dealers_war)
            times = 2 if outcome == 0 else int(outcome > 0)
            if times == 2 and self.chance("war_at_par"):
                self.mispay("war_at_par", war, (2 * war.amount, war.amount), (war.amount, war.amount))
            else:
                self.settle(war, self.chips(times * war.amount), war.amount if times else 0)

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def _free_seat(self) -> int:
        """The first box that is empty; 0 where none is."""
        return self.first_free(self.boxes)

    def _wrongs_before_call(self) -> None:
        rng = self.random
        seat, least, most = self._free_seat(), self.least("main"), self.most("main")
        for fault, amount in (("below_minimum", least - self.setup.chip_unit), ("above_maximum", most + least)):
            if seat and self.chance(fault):
                self.boxes[seat] = _Box(seat)
                self.boxes[seat].main = self.accepted(fault, fault, seat, "main", amount)
        if self.chance("wager_not_offered"):
            wager = rng.choice(("insurance", "pair", "suited_tie"))
            self.refused("wager_not_offered", "wager_not_offered", rng.randrange(1, 10), wager, least)
        if self.chance("box_not_there"):
            self.refused("box_not_there", "wager_not_offered", 10, rng.choice(("main", "tie")), least)
        taken = [box for box in self.boxes.values() if box.main is not None]
        if not taken:
            return
        box = rng.choice(taken)
        assert box.main is not None
        if self.chance("too_many_bets"):
            self.refused("too_many_bets", "too_many_bets", box.seat, "main", least)
        if self.chance("duplicate_bet"):
            self.laid_again(box.main)

    def _wrongs_after_call(self) -> None:
        rng = self.random
        box = rng.choice([box for box in self.boxes.values() if box.main is not None])
        assert box.main is not None
        if self.chance("late_bet"):
            if rng.random() < 0.5:
                self.refused("late_bet", "late_bet", rng.randrange(1, 10), "main", self.minimum)
            else:
                self.refused("late_bet", "late_bet", box.seat, "tie", self.minimum)
        if self.chance("late_raise"):
            self.raised_in_vain("late_raise", "late_bet", box.main, self.minimum)
        if self.chance("late_withdrawal"):
            self.grabbed("late_withdrawal", "late_withdrawal", box.tie or box.main)


SIMULATOR = CasinoWarTable
SETUPS = (
    TableSetup(game="casino_war", rules="AD", limits={"min": 500, "max": 15_000}, chip_unit=100, decks=6),
    TableSetup(
        game="casino_war",
        rules="AD",
        limits={"min": 1_000, "max": 20_000, "tie": {"min": 500, "max": 5_000}},
        options={"decks": 8},
        chip_unit=50,
        rounding="up",
    ),
    TableSetup(
        game="casino_war",
        rules="AD",
        limits={"min": 500, "max": 5_000},
        options={"decks": 2},
        chip_unit=100,
        float_minor=3_000_000,
    ),
)
