"""Mahjong pai gow on the simulated floor: three dice, eight tiles, each position against the bank."""

from __future__ import annotations

from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup, TableSimulator
from streams.simulator.truth import Expected

_WHITE = 10
_SET = tuple(range(1, _WHITE + 1)) * 4
_ROUNDS = 5
_ROUNDS_OF_TIE_AND_PAIR = 3
_TILES_A_ROUND = 8
_VOID = ("off_table", "broken", "stacked", "cup_opened")
_BANK = 0


def _first_position(dice: list[int]) -> int:
    """The dice count round the table from the bank, as at mahjong: five is the bank again."""
    return (sum(dice) - 1) % 4


def _rank(tiles: list[int]) -> int:
    """A hand as one number; the higher one is better."""
    low, high = sorted(tiles)
    if low == high:
        return 1000 + high
    return 500 if (low, high) == (2, 8) else (low + high) % 10 * 20 + high


class MahjongPaiGowTable(TableSimulator):
    """One mahjong pai gow table. A player has his seat; his stakes lie at the position that he fancies."""

    code = "MJ"
    seats = 9

    def opening(self) -> None:
        self.in_multiples: bool = self.setup.options.get("multiples_of_min", False)
        self.faults = (
            *("late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "wager_not_offered", "no_position"),
            *("tie_late_in_set", "above_maximum", "raised_over_maximum", "duplicate_bet", "dealt_before_call"),
            *("no_throw", "bad_throw_counted", "wrong_first_position", "dealt_out_of_order", "third_tile"),
            *("third_tile_to_bank", "one_tile", "one_tile_to_bank", "tile_astray", "not_dealt", "no_shuffle"),
            *("impossible_tile", "settled_too_early", "commission_forgotten", "commission_on_pair"),
            *("odd_pair_paid", "equal_points_pushed", "stake_mismatch" if self.in_multiples else "below_minimum"),
        )
        self.wall: list[int] = []
        self.out: dict[int, int] = {}
        self.rounds_dealt = 0
        self.set_known = True
        """The log has been whole since the shuffle: the auditor knows which round of the set this is."""
        self._shuffle(told=True)

    def _shuffle(self, *, told: bool) -> None:
        self.wall = list(_SET)
        self.random.shuffle(self.wall)
        self.out = {}
        self.rounds_dealt = 0
        if told:
            self.emit("shoe_loaded", decks=1)
            self.set_known = True

    def hole_made(self) -> None:
        """Until the next shuffle nobody knows how many rounds the set has served."""
        self.set_known = False

    def play_round(self) -> None:
        rng = self.random
        if self.rounds_dealt >= _ROUNDS and self.set_known and self.chance("no_shuffle"):
            self.plant("no_shuffle", Expected(code="dealing_error"))
            self._shuffle(told=False)
        elif self.rounds_dealt >= _ROUNDS or len(self.wall) < _TILES_A_ROUND:
            self.wait(20, 40)
            self._shuffle(told=True)
        self.stakes: list[Stake] = []
        self.hands: tuple[list[int], ...] = ([], [], [], [])
        for player in self.players:
            self.wait(0.5, 3)
            self._bets_of(player)
        if self.stakes and rng.random() < 0.15:
            stake = rng.choice(self.stakes)
            room = self.most(stake.wager) - stake.amount
            self.think_again(stake, self.stakes, given_up=0.4, least=self.minimum, room=room)
        if self.wanted is not None:
            self._wrongs_before_call()
        self.wait(8, 15)
        if self.chance("dealt_before_call"):
            self.plant("dealt_before_call", Expected(code="dealing_error"))
        else:
            self.emit("bets_closed")
        if self.wanted is not None:
            self._wrongs_after_call()
        if self.stakes and self.chance("not_dealt"):
            self.plant("not_dealt", Expected(code="dealing_error"))
            for stake in self.stakes:
                self.settle(stake, 0, stake.amount)
            return
        first = self._throw()
        self._deal(first)
        self._pay()

    # --- stakes ---------------------------------------------------------------------------------------------------

    def _judged(self, stake: Stake) -> bool:
        """Whether the auditor can tell if this bet is offered at all."""
        return self.set_known or stake.wager in ("win", "lose")

    def _lay(self, player: Player, wager: str, amount: int, position: int) -> None:
        if 0 < amount <= player.bankroll:
            player.bankroll -= amount
            self.stakes.append(self.lay_unasked(position, wager, amount, player=player, named=True))

    def _bets_of(self, player: Player) -> None:
        rng = self.random
        position = 1 + (player.seat + (rng.random() < 0.2)) % 3
        if rng.random() < 0.85:
            amount = min(player.unit, self.maximum)
            if not self.in_multiples and rng.random() < 0.3:
                amount = min(amount + self.setup.chip_unit * rng.randrange(1, 8), self.maximum)
            self._lay(player, "win" if rng.random() < 0.7 else "lose", amount, position)
        if self.rounds_dealt < _ROUNDS_OF_TIE_AND_PAIR:
            for wager in ("pair", "tie"):
                if rng.random() < 0.1 + 0.4 * player.boldness:
                    self._lay(player, wager, self.least(wager), position)
        if rng.random() < 0.1 * player.boldness:
            self._lay(player, "win", self.minimum, position % 3 + 1)

    # --- dice and tiles -------------------------------------------------------------------------------------------

    def _throw(self) -> int | None:
        """The dice are thrown until a throw is good. The position they name; None when none is named."""
        rng = self.random
        self.wait(2, 4)
        if self.chance("no_throw"):
            self.plant("no_throw", Expected(code="dealing_error"))
            return None
        while rng.random() < 0.02 or self.chance("bad_throw_counted"):
            dice = [rng.randrange(1, 7) for _ in range(3)]
            if rng.random() < 0.2:
                self.emit("dice_rolled", dice=[dice[0], dice[1], 0])  # a die lies under the table
            else:
                self.emit("dice_rolled", dice=dice, void=rng.choice(_VOID))
            self.wait(3, 6)
            if rng.random() < 0.5 and self.chance("bad_throw_counted"):
                self.plant("bad_throw_counted", Expected(code="bad_throw_counted"))
                return None
        dice = [rng.randrange(1, 7) for _ in range(3)]
        self.emit("dice_rolled", dice=dice)
        self.wait(1, 3)
        if rng.random() < 0.005:
            self.emit("dice_changed")
        return _first_position(dice)

    def _deal(self, first: int | None) -> None:
        """Two tiles to each position in turn, two at once or one by one."""
        rng = self.random
        self.rounds_dealt += 1
        order = [((first or 0) + step) % 4 for step in range(4)]
        if first is not None and self.chance("wrong_first_position"):
            order = order[1:] + order[:1]
            self.plant("wrong_first_position", Expected(code="dealing_error"))
        if first is not None and self.chance("dealt_out_of_order"):
            order[1], order[3] = order[3], order[1]
            self.plant("dealt_out_of_order", Expected(code="dealing_error"))
        turns = [each for each in order for _ in range(2)] if rng.random() < 0.5 else order * 2
        taken = {stake.seat for stake in self.stakes}
        if self.chance("one_tile"):
            self._short(turns, rng.choice(sorted(taken) or [1]))
        if self.chance("one_tile_to_bank"):
            self._short(turns, _BANK)
        self.early: list[Stake] = []
        for number, position in enumerate(turns):
            if number == len(turns) - 1 and self.wanted == "settled_too_early":
                self._settle_early(position)
            self._tile(position)
        if self.wall:
            if self.chance("tile_astray"):
                self._emit_tile(self.wall.pop(), 7)
                self.plant("tile_astray", Expected(code="dealing_error"))
            if self.chance("third_tile"):
                position = rng.choice(sorted(taken) or [1])
                self.plant("third_tile", Expected(code="dealing_error", seat=position))
                self._tile(position)
            if self.chance("third_tile_to_bank"):
                self.plant("third_tile_to_bank", Expected(code="dealing_error"))
                self._tile(_BANK)

    def _short(self, turns: list[int], position: int) -> None:
        """A position is passed over when its second tile is due."""
        del turns[len(turns) - 1 - turns[::-1].index(position)]
        expected = Expected(code="dealing_error", seat=position or None)
        self.plant("one_tile" if position else "one_tile_to_bank", expected)

    def _tile(self, position: int) -> None:
        tile = self.wall.pop()
        if self.set_known and self.chance("impossible_tile"):
            gone = [each for each in range(1, _WHITE + 1) if self.out.get(each, 0) == 4]
            if gone:
                tile = self.random.choice(gone)
                self.plant("impossible_tile", Expected(code="impossible_card"))
        self.hands[position].append(tile)
        self._emit_tile(tile, position)

    def _emit_tile(self, tile: int, position: int) -> None:
        self.out[tile] = self.out.get(tile, 0) + 1
        shown = "W" if tile == _WHITE else tile
        if position:
            self.emit("tile_dealt", tile=shown, seat=position)
        else:
            self.emit("tile_dealt", tile=shown, to="dealer")
        self.wait(0.5, 1)

    # --- paying ---------------------------------------------------------------------------------------------------

    def _due(self, stake: Stake) -> tuple[int, int]:
        """What a stake is due, (paid, returned)."""
        hand, bank, amount = self.hands[stake.seat], self.hands[_BANK], stake.amount
        if len(hand) != 2 or len(bank) != 2:
            return 0, amount
        if stake.wager == "pair":
            return (self.chips(6 * amount), amount) if hand[0] == hand[1] else (0, 0)
        ahead = _rank(hand) - _rank(bank)
        if stake.wager == "tie":
            return (0, 0) if ahead else (self.chips(60 * amount), amount)
        if ahead == 0:
            return 0, amount
        return (self.part(amount, 19, 20), amount) if (ahead > 0) == (stake.wager == "win") else (0, 0)

    def _settle_early(self, position: int) -> None:
        """The last tile is still to come, and the dealer, who has seen it, settles a bet that waits for it."""
        waiting = [stake for stake in self.stakes if position in (_BANK, stake.seat) and self._judged(stake)]
        if waiting and self.chance("settled_too_early"):
            stake = self.random.choice(waiting)
            self.stakes.remove(stake)
            self.hands[position].append(self.wall[-1])
            self.settle_early(stake, *self._due(stake))
            self.hands[position].pop()

    def _pay(self) -> None:
        """Position by position."""
        for stake in sorted(self.stakes, key=lambda stake: stake.seat):
            self.wait(0.5, 2)
            paid, returned = self._due(stake)
            if not self._judged(stake):
                self.hand_over(stake, paid, returned)
                continue
            if self.wanted is None or not self._mispaid(stake, paid, returned):
                self.settle(stake, paid, returned)
            self.grabbed_lost(stake)

    def _mispaid(self, stake: Stake, paid: int, returned: int) -> bool:
        """Whether a dealer has paid who has this game's own wrongs in his head; else he pays as is due."""
        amount = stake.amount
        hand, bank = self.hands[stake.seat], self.hands[_BANK]
        handed: tuple[int, int] | None = None
        if stake.wager in ("win", "lose") and paid and self.chance("commission_forgotten"):
            handed = amount, amount
        elif stake.wager == "pair" and paid and self.chance("commission_on_pair"):
            handed = self.part(paid, 19, 20), amount
        elif stake.wager == "pair" and sorted(hand) == [2, 8] and self.chance("odd_pair_paid"):
            handed = self.chips(6 * amount), amount
        elif len(hand) == len(bank) == 2 and stake.wager == "win" and self.chance("equal_points_pushed"):
            points, banks = sum(hand) % 10, sum(bank) % 10
            if returned == 0 and points == banks and hand[0] != hand[1] and bank[0] != bank[1]:
                handed = 0, amount  # held for a tie, as in Macau
        if handed is None or sum(handed) == paid + returned:
            return False
        assert self.wanted is not None
        due, back = (paid, returned + stake.refund), handed[1] + stake.refund
        self.mispay(self.wanted, stake, due, (handed[0], back))
        return True

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def _wrongs_before_call(self) -> None:
        rng = self.random
        position, chip = rng.randrange(1, 4), self.setup.chip_unit
        if self.chance("wager_not_offered"):
            self.refused("wager_not_offered", "wager_not_offered", position, "dragon", self.minimum)
        if self.chance("no_position"):
            self.refused("no_position", "wager_not_offered", rng.choice((0, 4, 5)), "win", self.minimum)
        if _ROUNDS_OF_TIE_AND_PAIR <= self.rounds_dealt < _ROUNDS and self.set_known and self.chance("tie_late_in_set"):
            wager = rng.choice(("tie", "pair"))
            self.refused("tie_late_in_set", "wager_not_offered", position, wager, self.least(wager))
        wager = rng.choice(("win", "lose"))
        if self.chance("below_minimum"):
            self.stakes.append(self.accepted("below_minimum", "below_minimum", position, wager, self.minimum - chip))
        if self.chance("stake_mismatch"):
            amount = self.minimum + chip
            self.stakes.append(self.accepted("stake_mismatch", "stake_mismatch", position, wager, amount))
        if self.chance("above_maximum"):
            amount = self.maximum + self.minimum
            self.stakes.append(self.accepted("above_maximum", "above_maximum", position, wager, amount))
        judged = [stake for stake in self.stakes if self._judged(stake)]
        if judged and self.chance("raised_over_maximum"):
            grown = rng.choice(judged)
            least = self.minimum
            self.raised_over(grown, ((self.most(grown.wager) - grown.amount) // least + 1) * least)
        if judged and self.chance("duplicate_bet"):
            self.laid_again(rng.choice(judged))

    def _wrongs_after_call(self) -> None:
        if self.chance("late_bet"):
            self.refused("late_bet", "late_bet", self.random.randrange(1, 4), "win", self.minimum)
        self.touched_late([stake for stake in self.stakes if self._judged(stake)])


SIMULATOR = MahjongPaiGowTable
SETUPS = (
    TableSetup(game="mahjong_pai_gow", rules="AD", limits={"min": 500, "max": 50_000}, chip_unit=100),
    TableSetup(
        game="mahjong_pai_gow",
        rules="AD",
        limits={"min": 1_000, "max": 50_000},
        options={"multiples_of_min": True},
        chip_unit=50,
        rounding="nearest",
    ),
    TableSetup(
        game="mahjong_pai_gow",
        rules="AD",
        limits={"min": 2_000, "max": 200_000, "tie": {"min": 500, "max": 10_000}},
        chip_unit=100,
        rounding="up",
        float_minor=10_000_000,
    ),
)
