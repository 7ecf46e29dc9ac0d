"""Punto banco on the simulated floor: a coup every fifty seconds, a shoe every hour and a quarter.

The dealers know by heart what three regulations have of their own: Andorra's, New Jersey's and Macau's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from streams.simulator.baccarat import BANK_DRAWS, DECK, VALUE, points
from streams.simulator.players import Player, Stake
from streams.simulator.shoe import ShoeTable
from streams.simulator.table import TableSetup
from streams.simulator.truth import Expected, mispaid

DECKS = 6
_BONUS = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}
"""What the dragon bonus pays by the margin of a hand without a natural."""
_BANK_PAYS = {"commission_5": (95, 100), "commission_4": (96, 100), "half_on_6": (1, 1), "dragon_7": (1, 1)}


class _Regulation(msgspec.Struct, frozen=True, kw_only=True):
    """What is not the same in all of them."""

    boxes: bool = False
    """Stakes are counted by boxes, and a tie holds a tenth of the table's maximum; otherwise by players."""
    below_cut_card: int
    coups_after_cut: int | None
    """So many coups begin once the cut card is out; None: it is not laid down."""
    beside: tuple[str, ...]
    """The side bets that a table has, where its options do."""
    not_offered: tuple[str, ...]
    """What other casinos offer and this one does not."""


_ANDORRA = _Regulation(
    boxes=True,
    below_cut_card=7,
    coups_after_cut=0,
    beside=(),
    not_offered=("player_pair", "banker_pair", "lucky_six", "dragon", "dragon_bonus", "pair"),
)
_NEW_JERSEY = _Regulation(
    below_cut_card=16,
    coups_after_cut=1,
    beside=("dragon_bonus", "dragon_7", "panda_8"),
    not_offered=("pair", "lucky_6", "perfect_pairs"),
)
_MACAU = _Regulation(
    below_cut_card=12,
    coups_after_cut=None,
    beside=("pair", "lucky_6"),
    not_offered=("dragon_bonus", "dragon_7", "panda_8", "small"),
)


class PuntoBancoSetup(TableSetup, frozen=True, kw_only=True):
    """How a punto banco table is opened, and what its dealers have learned."""

    regulation: _Regulation


class _Hands(NamedTuple):
    """The cards of a coup, by hand."""

    player: list[str]
    banker: list[str]

    @property
    def totals(self) -> tuple[int, int]:
        return points(self.player), points(self.banker)


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


def _hands(cards: list[str]) -> _Hands:
    """What player and bank have, of cards in the order of the shoe."""
    player, bank = cards[0:4:2], cards[1:4:2]
    third = cards[4:]
    if third and points(player) < 6:
        player = [*player, third[0]]
        third = third[1:]
    return _Hands(player, bank + third)


def _bonus(own: list[str], other: list[str]) -> int | None:
    """How many times his stake somebody wins on the dragon bonus of ``own``: 0 when it comes back, None when it has
    lost."""
    mine, theirs = points(own), points(other)
    natural = len(own) == 2 and mine > 7
    if mine == theirs:
        return 0 if natural and len(other) == 2 else None
    if mine < theirs:
        return None
    return 1 if natural else _BONUS.get(mine - theirs)


class PuntoBancoTable(ShoeTable):
    """One punto banco table."""

    code = "PB"
    open_to = ("marked-cards", "unshuffled-shoe", "colluding-dealer")
    seats = 9
    deck = DECK
    setup: PuntoBancoSetup

    def opening(self) -> None:
        options = self.setup.options
        regulation = self.regulation = self.setup.regulation
        self.decks: int = options.get("decks", self.setup.decks or DECKS)
        self.wrong_decks = 8 if self.decks == 6 else 6
        self.below_cut_card = regulation.below_cut_card
        self.coups_since_cut = 0
        """Begun since the cut card came out."""
        self.banker_pay: str = options.get("banker_pay", "commission_5")
        self.half_on_six = self.banker_pay == "half_on_6"
        self.later = options.get("collection") == "later" and self.banker_pay.startswith("commission")
        self.tie_pays: int = options.get("tie_pays", 8)
        self.burn: int | str = options.get("burn", "first_card")
        has = {"dragon_bonus": options.get("dragon_bonus", False)}
        has |= dict.fromkeys(("dragon_7", "panda_8"), self.banker_pay == "dragon_7")
        self.beside = [wager for wager in regulation.beside if has.get(wager, True) and wager not in self.without]
        self.owed: dict[str, tuple[Stake, int]] = {}
        """The bets of which the commission is marked and not yet collected, and how much."""
        self.per_box: int = options.get("bets_per_box", 1)
        self.in_multiples: bool = options.get("stake_multiple", False)
        faults = ["late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "below_minimum", "above_maximum",
                  "wager_not_offered", "duplicate_bet", "dealt_out_of_order", "surplus_card", "third_card_misdealt",
                  "third_card_missing", "no_call", "burn_count", "wrong_decks", "impossible_card", "illegal_decision",
                  "settled_too_early", "tie_mispaid"]  # fmt: skip
        if regulation.boxes:
            faults += ["tie_too_large", "too_many_bets"]
        else:
            faults.append("commission_for_nothing")
        if regulation.coups_after_cut is not None:
            faults.append("coup_after_cut_card")
        if self.later:
            faults += ["commission_netted", "commission_short", "commission_never"]
        elif self.half_on_six:
            faults.append("six_at_par")
        else:
            faults.append("dragon_seven_paid" if self.banker_pay == "dragon_7" else "commission_forgotten")
        if self.beside:
            faults += ["side_bet_mispaid", "pick_not_offered"]
        if self.in_multiples:
            faults.append("stake_mismatch")
        self.faults = tuple(faults)
        self.stakes: list[Stake] = []
        super().opening()

    # --- the shoe -------------------------------------------------------------------------------------------------

    def _load_shoe(self) -> None:
        """New cards, and as many of them burned as the first one or the house says."""
        self.coups_since_cut = 0
        self._collect_all()
        super()._load_shoe()
        first = self._card("burn")
        burned = VALUE[first[0]] or 10
        if self.burn == "decks":
            burned = self.decks - 1
        elif isinstance(self.burn, int):
            burned = self.burn - 1
        if self.chance("burn_count"):
            burned += 1 if burned <= 1 or self.random.random() < 0.5 else -1
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
        if self._shoe_is_over() and not self._may_do_without_shoe():
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
        if self._shoe_is_over() and self.shoe_known and self.chance("coup_after_cut_card"):
            self.plant("coup_after_cut_card", Expected(code="dealing_error"))
        self.coups_since_cut += self.cut_card_out
        cards = self._deal(late_after)
        self.wait(1, 3)
        if cards is None:
            for stake in self.stakes:
                self.wait(0.3, 1)
                self.settle(stake, 0, stake.amount)
            return
        self._pay(_hands(cards))
        if self.later:
            self._collect_some()
        elif not self.regulation.boxes and self.chance("commission_for_nothing"):
            self._fee(self.setup.chip_unit, None, seat=1)
            self.plant("commission_for_nothing", Expected(code="wrong_commission", seat=1, amount=self.setup.chip_unit))

    def _shoe_is_over(self) -> bool:
        """No coup more may begin."""
        return self.cut_card_out and self.coups_since_cut >= (self.regulation.coups_after_cut or 0)

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
            hands = _hands(ahead[:ends])
            self.settle_early(early, *self._due(early, hands))
            self._mark(early, hands)
        if self.chance("third_card_missing"):
            hands = _Hands(cards[0::2], cards[1::2])
            wrong = [Expected(code="drawing_error")]
            for stake in self.stakes:
                paid, returned = self._due(stake, hands)
                self.hand_over(stake, paid, returned)
                wrong += mispaid(stake.id, paid + returned - stake.amount)
            self.stakes = []
            self.plant("third_card_missing", *wrong)
            return True
        return False

    # --- stakes ---------------------------------------------------------------------------------------------------

    def most(self, wager: str) -> int:
        """What a box or a player may have; of boxes on a tie a tenth of the table's maximum, or less."""
        most = super().most(wager)
        return min(most, self.maximum // 10) if wager == "tie" and self.regulation.boxes else most

    def _bets_of(self, player: Player) -> None:
        rng = self.random
        wagers = [rng.choice(("banker", "banker", "player", "player", "banker"))] if rng.random() < 0.9 else []
        if rng.random() < 0.05 + 0.25 * player.boldness:
            wagers.append("tie")
        if self.beside and rng.random() < 0.1 + 0.3 * player.boldness:
            wagers.append(rng.choice(self.beside))
        for cheat in self.cheats:
            wagers = cheat.wager(self, player, wagers)
        for wager in wagers:
            least = self.least(wager)
            amount = player.unit if wager in ("player", "banker") else least * rng.choice((1, 1, 2))
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
            pick = rng.choice(("player", "banker")) if wager in ("dragon_bonus", "pair") else None
            self.stakes.append(self.lay_unasked(seat, wager, amount, pick=pick, player=player, named=named))

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

    def _due(self, stake: Stake, hands: _Hands) -> tuple[int, int]:
        """What a stake is due, (paid, returned), when these are the hands."""
        amount = stake.amount
        player, bank = hands.totals
        match stake.wager:
            case "tie":
                return self._won(amount, self.tie_pays if player == bank else None)
            case "dragon_bonus":
                ours = stake.pick == "player"
                return self._won(amount, _bonus(*(hands if ours else hands[::-1])))
            case "pair":
                cards = hands.player if stake.pick == "player" else hands.banker
                return self._won(amount, 11 if cards[0][0] == cards[1][0] else None)
            case "dragon_7":
                return self._won(amount, 40 if bank == 7 > player and len(hands.banker) == 3 else None)
            case "panda_8":
                return self._won(amount, 25 if player == 8 > bank and len(hands.player) == 3 else None)
            case "lucky_6":
                return self._won(amount, (12 if len(hands.banker) == 2 else 20) if bank == 6 > player else None)
        if player == bank:
            return 0, amount
        if (stake.wager == "player") != (player > bank):
            return 0, 0
        if stake.wager == "player":
            return self.chips(amount), amount
        if self.later:
            return amount, amount
        if self.half_on_six and bank == 6:
            return self.part(amount, 1, 2), amount
        if self._pushes(hands):
            return 0, amount
        return self.part(amount, *_BANK_PAYS[self.banker_pay]), amount

    def _won(self, amount: int, times: int | None) -> tuple[int, int]:
        return (0, 0) if times is None else (self.chips(times * amount), amount)

    def _pushes(self, hands: _Hands) -> bool:
        """The bank wins with a seven in three cards where nobody pays a commission."""
        player, bank = hands.totals
        return self.banker_pay == "dragon_7" and bank == 7 > player and len(hands.banker) == 3

    def _pay(self, hands: _Hands) -> None:
        dues = [(stake, *self._due(stake, hands)) for stake in self.stakes]
        dues.sort(key=lambda due: due[1] + due[2] > 0)
        for stake, paid, returned in dues:
            self.wait(0.4, 1.5)
            wrong = self._wrong_price(stake, paid, hands)
            if wrong is None:
                self.settle(stake, paid, returned)
            else:
                fault, handed = wrong
                self.mispay(fault, stake, (paid, returned), (handed, returned))
            self._mark(stake, hands)
            if paid + returned == 0:
                self.grabbed_lost(stake)

    def _wrong_price(self, stake: Stake, paid: int, hands: _Hands) -> tuple[str, int] | None:
        """A wrong of this game's own at the paying of this stake, and what is then paid on it."""
        amount = stake.amount
        if stake.wager == "banker" and self._pushes(hands) and self.chance("dragon_seven_paid"):
            return "dragon_seven_paid", amount
        if paid == 0:
            return None
        if stake.wager == "banker":
            at_par = "six_at_par" if self.half_on_six else "commission_forgotten"
            if amount > paid and self.chance(at_par):
                return at_par, amount
            netted = self.part(amount, *_BANK_PAYS[self.banker_pay])
            if self.later and netted < amount and self.chance("commission_netted"):
                return "commission_netted", netted
        elif stake.wager == "tie" and self.chance("tie_mispaid"):
            return "tie_mispaid", self.chips((17 - self.tie_pays) * amount)
        elif stake.wager in self.beside and self.chance("side_bet_mispaid"):
            return "side_bet_mispaid", paid - self.chips(amount) if paid > amount else paid + self.setup.chip_unit
        return None

    # --- the commission, where it is collected later ------------------------------------------------------------

    def _mark(self, stake: Stake, hands: _Hands) -> None:
        """A lammer for what a winning bet on the bank owes."""
        player, bank = hands.totals
        if self.later and stake.wager == "banker" and bank > player:
            owed = stake.amount - self.part(stake.amount, *_BANK_PAYS[self.banker_pay])
            if owed > 0:
                self.owed[stake.id] = stake, owed

    def _fee(self, amount: int, player: Player | None, **fields: Any) -> None:
        self.wait(0.5, 2)
        self.fee_from_player("commission_taken", amount, player, **fields)

    def _of_seat(self, seat: int) -> list[tuple[Stake, int]]:
        return [(stake, owed) for stake, owed in self.owed.values() if stake.seat == seat]

    def _collect_some(self) -> None:
        """Somebody asks to pay, for one bet or for all; who has left the table has paid."""
        rng = self.random
        here = {player.seat for player in self.players if player.rounds_left > 0}
        for seat in sorted({stake.seat for stake, _ in self.owed.values()}):
            mine = self._of_seat(seat)
            if seat in here and rng.random() > 0.1:
                continue
            if rng.random() < 0.3:
                stake, owed = mine[0]
                self._collect(owed, mine[:1], bet=stake.id, **({"seat": seat} if rng.random() < 0.5 else {}))
                if seat in here or len(mine) == 1:
                    continue
                mine = mine[1:]
            self._collect(sum(owed for _, owed in mine), mine, seat=seat)

    def _collect(self, owed: int, bets: list[tuple[Stake, int]], **fields: Any) -> None:
        taken, unit = owed, self.setup.chip_unit
        short = self.shoe_known and self.chance("commission_short")
        if short:
            taken = owed - unit if owed > unit and self.random.random() < 0.5 else owed + unit
        self._fee(taken, bets[0][0].player, **fields)
        for stake, _ in bets:
            del self.owed[stake.id]
        if short:
            about = {"bet": fields["bet"]} if "bet" in fields else {"seat": fields["seat"]}
            self.plant("commission_short", Expected(code="wrong_commission", amount=abs(taken - owed), **about))

    def _collect_all(self) -> None:
        """The shoe is over: every seat pays, unless the dealer forgets one."""
        seats = sorted({stake.seat for stake, _ in self.owed.values()})
        if seats and self.shoe_known and self.chance("commission_never"):
            seat = seats.pop()
            owed = sum(owed for _, owed in self._of_seat(seat))
            self.plant("commission_never", Expected(code="wrong_commission", seat=seat, amount=owed))
        for seat in seats:
            mine = self._of_seat(seat)
            self._fee(sum(owed for _, owed in mine), mine[0][0].player, seat=seat)
        self.owed.clear()

    def closing(self) -> None:
        """Whoever still owes pays."""
        self._collect_all()

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
            wager = rng.choice(self.regulation.not_offered)
            self.refused("wager_not_offered", "wager_not_offered", seat, wager, self.minimum)
        if "dragon_bonus" in self.beside or "pair" in self.beside:
            if self.chance("pick_not_offered"):
                wager = "pair" if "pair" in self.beside else "dragon_bonus"
                seat = rng.randrange(1, self.seats + 1)
                self.refused("pick_not_offered", "wager_not_offered", seat, wager, self.least(wager), pick="tie")
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
    PuntoBancoSetup(
        game="punto_banco",
        rules="AD",
        regulation=_ANDORRA,
        limits={"min": 500, "max": 50_000},
        chip_unit=50,
        decks=DECKS,
    ),
    PuntoBancoSetup(
        game="punto_banco",
        rules="AD",
        regulation=_ANDORRA,
        limits={"min": 2_000, "max": 100_000, "tie": {"min": 1_000, "max": 5_000}},
        options={"banker_pay": "half_on_6", "bets_per_box": 3},
        chip_unit=100,
        decks=DECKS,
        float_minor=8_000_000,
    ),
    PuntoBancoSetup(
        game="punto_banco",
        rules="AD",
        regulation=_ANDORRA,
        limits={"min": 1_000, "max": 100_000},
        options={"stake_multiple": True},
        chip_unit=100,
        rounding="nearest",
        decks=DECKS,
        float_minor=8_000_000,
    ),
    PuntoBancoSetup(
        game="punto_banco",
        rules="US-NJ",
        regulation=_NEW_JERSEY,
        limits={"min": 2_500, "max": 1_000_000, "dragon_bonus": {"min": 500, "max": 50_000}},
        options={"dragon_bonus": True},
        currency="USD",
        chip_unit=25,
        decks=8,
        float_minor=30_000_000,
    ),
    PuntoBancoSetup(
        game="punto_banco",
        rules="US-NJ",
        regulation=_NEW_JERSEY,
        limits={"min": 1_000, "max": 500_000},
        options={"collection": "later", "banker_pay": "commission_4", "tie_pays": 9, "decks": 6},
        currency="USD",
        chip_unit=100,
        decks=6,
        float_minor=15_000_000,
    ),
    PuntoBancoSetup(
        game="punto_banco",
        rules="US-NJ",
        regulation=_NEW_JERSEY,
        limits={
            "min": 1_000,
            "max": 500_000,
            "dragon_7": {"min": 500, "max": 10_000},
            "panda_8": {"min": 500, "max": 10_000},
        },
        options={"banker_pay": "dragon_7", "decks": 8},
        currency="USD",
        chip_unit=100,
        decks=8,
        float_minor=15_000_000,
    ),
    PuntoBancoSetup(
        game="punto_banco",
        rules="MO-2004",
        regulation=_MACAU,
        limits={
            "min": 50_000,
            "max": 5_000_000,
            "pair": {"min": 10_000, "max": 500_000},
            "lucky_6": {"min": 10_000, "max": 500_000},
        },
        options={"banker_pay": "half_on_6", "burn": "decks", "decks": 8},
        currency="MOP",
        chip_unit=5_000,
        decks=8,
        float_minor=500_000_000,
    ),
    PuntoBancoSetup(
        game="punto_banco",
        rules="MO-2004",
        regulation=_MACAU,
        limits={"min": 30_000, "max": 3_000_000},
        options={"burn": 5, "decks": 7},
        currency="HKD",
        chip_unit=1_000,
        decks=7,
        float_minor=300_000_000,
    ),
)
