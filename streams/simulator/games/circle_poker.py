"""Circle poker on the simulated floor: hold'em, Omaha high-low, draw and stud, about thirty hands an hour.

The players look at their cards, at what they owe and at their mood; the dealer keeps the pots. Nothing here is taken
from the rules engine: hands are ranked, pots are made and shared by arithmetic of this module's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

from streams.simulator.circle_poker_hands import RANKS, kind_of, low_rank, shown_by, strength_of
from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup, TableSimulator
from streams.simulator.truth import Expected

_STREETS: Final = {
    "holdem": ("dd", "bbb", "b", "b"),
    "omaha_hi_lo": ("dddd", "bbb", "b", "b"),
    "five_card_draw": ("ddddd", "x"),
    "seven_card_stud": ("ddu", "u", "u", "u", "d"),
}
"""What comes before each round: own cards down and up, cards of the board, an exchange."""
_FEE_SECONDS: Final = 1800

_EVERYWHERE: Final = ("out_of_turn", "string_bet", "check_while_owing", "call_owing_nothing", "acts_after_folding",
                      "unknown_choice", "short_call", "call_of_more", "raise_of_nothing", "raise_too_small",
                      "late_money", "short_raise_reopened", "second_card", "card_too_many", "fold_settled_early",
                      "pot_to_wrong_seat", "side_pot_to_wrong_seat", "taken_from_the_pot", "slipped_in", "late_ante",
                      "draw_in_vain", "missing_decision", "forced_bet_not_offered", "small_forced_bet")  # fmt: skip
_OF_A_BOARD: Final = ("no_burn", "sixth_card")
_OF_A_DRAW: Final = ("draw_out_of_turn", "draw_again", "exchange_short")
_OF_STUD: Final = ("wrong_bring_in",)
_OF_A_PERCENTAGE: Final = ("rake_too_much", "rake_too_little", "rake_forgotten", "fee_beside_the_rake")
_OF_TIME: Final = ("fee_too_much", "fee_twice", "rake_beside_the_fee")


class _Seat:
    """A player in a hand, and what is before him."""

    __slots__ = ("all_in", "cards", "dead", "folded", "player", "put", "stake", "up")

    def __init__(self, player: Player) -> None:
        self.player = player
        self.stake = Stake(f"seat{player.seat}", player.seat, "hand", 0, None, player)
        self.put = 0
        """What he has put into this round."""
        self.cards: list[str] = []
        self.up: list[str] = []
        self.folded = False
        self.all_in = False
        self.dead = False
        """He was dealt a wrong number of cards."""

    @property
    def number(self) -> int:
        return self.player.seat

    @property
    def able(self) -> bool:
        """He may still bet."""
        return not self.folded and not self.all_in


class _Over(Exception):
    """All but one have folded."""


class CirclePokerTable(TableSimulator):
    """One circle poker table."""

    code = "CP"
    pooled = True
    seats = 7

    def __init__(self, name: str, setup: TableSetup, **floor: Any) -> None:
        super().__init__(name, setup, **floor)
        options = setup.options
        self.variety: str = options["variety"]
        self.streets = _STREETS[self.variety]
        self.fixed: tuple[int, int] | None = None
        if options.get("betting") == "fixed_limit":
            self.fixed = (options["small_bet"], options["big_bet"])
        self.pot_limit = options.get("betting") == "pot_limit"
        self.by_time = options.get("house_take") == "time"
        self.deck_size: int = options.get("deck", 52)
        self.stud = self.variety == "seven_card_stud"
        faults = _EVERYWHERE + (_OF_TIME if self.by_time else _OF_A_PERCENTAGE)
        faults += _OF_A_BOARD if "b" in "".join(self.streets) else ()
        faults += _OF_A_DRAW if "x" in self.streets else ()
        faults += _OF_STUD if self.stud else ()
        faults += ("raise_too_large",) if self.fixed or self.pot_limit else ()
        self.faults = faults
        self.button = options.get("button", 1)
        self.first_hand = True
        self.button_known = True
        """To somebody who watches: without blinds, not after a hole in the log."""
        self.next_fee_us = self.now_us
        self.deck: list[str] = []
        self.board: list[str] = []
        self.hand: list[_Seat] = []
        """Those who play, from the left of the button."""
        self.dead_money = 0
        self.outsider: Stake | None = None
        """A stake that was refused."""
        self.quiet = False
        """Nobody raises any more in this round."""

    def hole_made(self) -> None:
        self.button_known = not self.stud

    # --- a hand ---------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        self.board = []
        self.dead_money = 0
        self.outsider = None
        self._fees()
        most = 4 if self.deck_size == 32 else self.seats
        players = sorted(self.players, key=lambda player: player.seat)[:most]
        if len(players) < 2:
            self.wait(30, 90)
            return
        self._move_button([player.seat for player in players])
        self.hand = [_Seat(player) for player in players]
        self.hand.sort(key=lambda seat: (seat.number <= self.button, seat.number))
        self.deck = [rank + suit for rank in RANKS[-(self.deck_size // 4) :] for suit in "SHDC"]
        self.random.shuffle(self.deck)
        streets = 0
        try:
            first = self._forced_bets()
            self._deal_own(self.streets[0])
            for streets, street in enumerate(self.streets):
                if streets:
                    self._street(street)
                    first = self._first_shown() if self.stud else 0
                self._round_of_betting(streets, first)
        except _Over:
            pass
        self._pay(streets)

    def _move_button(self, seats: list[int]) -> None:
        if self.first_hand and "button" in self.setup.options:
            self.first_hand = False
            return
        self.button = next((seat for seat in seats if seat > self.button), seats[0])

    def _fees(self) -> None:
        """II: where the house takes a fee per time, every seat pays it each half hour."""
        if not self.by_time or self.now_us < self.next_fee_us:
            return
        self.next_fee_us = self.now_us + _FEE_SECONDS * 1_000_000
        fee: int = self.setup.options["time_fee"]
        payers = [player for player in self.players if player.bankroll > 2 * fee + self.minimum]
        for player in payers:
            seat, amount = player.seat, fee
            if self.chance("fee_too_much"):
                amount += self.setup.chip_unit
                over = amount - fee
                self.plant("fee_too_much", Expected(code="wrong_rake", seat=seat, amount=over), win=over)
            self._fee(seat, amount)
            player.bankroll -= amount
            if self.chance("fee_twice"):
                self._fee(seat, fee)
                player.bankroll -= fee
                self.plant("fee_twice", Expected(code="wrong_rake", seat=seat, amount=fee), win=fee)

    def _fee(self, seat: int, amount: int) -> None:
        """A seat pays from the chips before it."""
        self.emit("rake_taken", amount=amount, seat=seat)
        self.drop += amount

    # --- chips ----------------------------------------------------------------------------------------------------

    def _put(self, seat: _Seat, amount: int) -> None:
        seat.player.bankroll -= amount
        seat.stake.amount += amount
        if seat.player.bankroll == 0:
            seat.all_in = True

    def _post(self, seat: _Seat, wager: str, amount: int) -> int:
        """A forced bet, or all that there is of it."""
        least = amount
        if amount > self.setup.chip_unit and seat.player.bankroll > amount and self.chance("small_forced_bet"):
            amount -= self.setup.chip_unit
        amount = min(amount, seat.player.bankroll)
        if not amount:
            return 0
        self._put(seat, amount)
        self.wait(0.5, 2)
        more: dict[str, Any] = {"all_in": True} if seat.all_in else {}
        self.emit("bet_placed", bet=seat.stake.id, seat=seat.number, wager=wager, amount=amount, **more)
        if amount < least and not seat.all_in:
            self.plant("small_forced_bet", Expected(code="below_minimum", seat=seat.number))
        return amount

    def _forced_bets(self) -> int:
        """VI: antes and blinds; who is first to act."""
        options = self.setup.options
        self._refused_bet()
        for seat in self.hand:
            seat.put = 0
        if self.stud:
            for seat in self.hand:
                self._post(seat, "ante", options["ante"])
            return 0
        small, big = (1, 0) if len(self.hand) == 2 else (0, 1)
        if options.get("ante_by") == "big_blind":
            self.dead_money = self._post(self.hand[big], "ante", options["ante"])
        for place, wager in ((small, "small_blind"), (big, "big_blind")):
            seat = self.hand[place]
            seat.put = self._post(seat, wager, options[wager])
        return (big + 1) % len(self.hand)

    def _refused_bet(self) -> None:
        """Somebody who has no cards lays a bet that there is not."""
        free = [seat for seat in range(1, 10) if all(player.seat != seat for player in self.players)]
        if free and self.chance("forced_bet_not_offered"):
            number = self.random.choice(free)
            amount = 2 * self.minimum
            self.outsider = Stake(f"seat{number}", number, "straddle", amount, None, None)
            self.emit("bet_placed", bet=self.outsider.id, seat=number, wager="straddle", amount=amount)
            self.plant("forced_bet_not_offered", Expected(code="wager_not_offered", bet=self.outsider.id))

    # --- cards ----------------------------------------------------------------------------------------------------

    def _card(self, **fields: Any) -> str:
        card = self.deck.pop()
        self.emit("card_dealt", card=card, **fields)
        return card

    def _deal_own(self, street: str) -> None:
        for notation in street:
            for seat in self.hand:
                if not seat.folded:
                    self._own(seat, up=notation == "u")
        live = [seat for seat in self.hand if not seat.folded]
        if len(street) > 1 and not self.stud and len(live) > 2 and self.chance("card_too_many"):
            seat = self.random.choice(live)
            self._own(seat, up=False)
            seat.dead = True
            self.plant("card_too_many", Expected(code="dealing_error", seat=seat.number))

    def _own(self, seat: _Seat, *, up: bool) -> None:
        self.now_us += 500_000
        seat.cards.append(self._card(seat=seat.number, up=up))
        if up:
            seat.up.append(seat.cards[-1])

    def _street(self, street: str) -> None:
        for seat in self.hand:
            seat.put = 0
        self.wait(2, 4)
        if street == "x":
            self._exchange()
        elif street[0] == "b":
            if self.chance("no_burn"):
                self.plant("no_burn", Expected(code="dealing_error"))
            elif self.chance("second_card"):
                self.emit("card_dealt", card=self.hand[0].cards[0], to="burn")
                self.plant("second_card", Expected(code="impossible_card"))
            else:
                self._card(to="burn")
            for _ in street:
                self.board.append(self._card(to="community"))
        else:
            self._deal_own(street)

    def _exchange(self) -> None:
        """VI: each throws away what does not fit, from the left of the button."""
        live = [seat for seat in self.hand if not seat.folded]
        if len(live) > 2 and self.chance("draw_out_of_turn"):
            live[0], live[1] = live[1], live[0]
            self.plant("draw_out_of_turn", Expected(code="illegal_decision", seat=live[0].number))
        owed: list[tuple[_Seat, int]] = []
        for place, seat in enumerate(live):
            self.wait(1, 4)
            counts = {card[0]: [other[0] for other in seat.cards].count(card[0]) for card in seat.cards}
            discards = [card for card in seat.cards if counts[card[0]] == 1][:3]
            if seat.dead or strength_of(seat.cards, self.deck_size)[0] >= 4:
                discards = []
            self.emit("decision", seat=seat.number, choice="draw", cards=discards)
            seat.cards = [card for card in seat.cards if card not in discards]
            owed.append((seat, len(discards)))
            if place + 1 < len(live) and self.chance("draw_again"):
                self.emit("decision", seat=seat.number, choice="draw", cards=seat.cards[:1])
                self.plant("draw_again", Expected(code="illegal_decision", seat=seat.number))
        able = sum(seat.able for seat in live)
        for seat, count in owed:
            short = count > 0 and not seat.dead and able > 1 and len(live) > 2 and self.chance("exchange_short")
            for _ in range(count - short):
                self._own(seat, up=False)
            if short:
                seat.dead = True
                self.plant("exchange_short", Expected(code="dealing_error", seat=seat.number))

    def _first_shown(self) -> int:
        """The place of the best cards that lie open; where he is all-in who has them, the turn passes to his left."""
        live = [place for place, seat in enumerate(self.hand) if not seat.folded]
        return max(live, key=lambda place: (shown_by(self.hand[place].up), -place), default=0)

    def _bring_in(self) -> int:
        """The lowest first card that lies open; the place of who acts next."""
        order = sorted(
            range(len(self.hand)),
            key=lambda place: (RANKS.index(self.hand[place].up[0][0]), "CDHS".index(self.hand[place].up[0][1])),
        )
        place = order[0]
        if len(self.hand) > 2 and self.hand[order[1]].able and self.hand[place].able and self.chance("wrong_bring_in"):
            self.plant("wrong_bring_in", Expected(code="illegal_decision", seat=self.hand[order[1]].number))
            wrong = self.hand[order[1]]
            wrong.put = self._post(wrong, "bring_in", self.setup.options["bring_in"])
            self._wrong_opener = order[1]
            return place
        seat = self.hand[place]
        if seat.able and sum(each.able for each in self.hand) > 1:
            seat.put = self._post(seat, "bring_in", self.setup.options["bring_in"])
            self._wrong_opener = place
        return place

    # --- a round of betting ---------------------------------------------------------------------------------------

    def _round_of_betting(self, street: int, first: int) -> None:
        hand = self.hand
        self.quiet = False
        acted: set[int] = set()
        self._wrong_opener = -1
        if self.stud and street == 0:
            first = self._bring_in()
            if self._wrong_opener >= 0:
                acted.add(self._wrong_opener)
                if self._wrong_opener == first:
                    first += 1
        closed = {hand[place].number for place in acted}
        full = self._least(street)
        waiting = [place % len(hand) for place in range(first, first + len(hand))]
        waiting = [place for place in waiting if place not in acted]
        last: _Seat | None = None
        while waiting:
            level = max(seat.put for seat in hand)
            able = [seat for seat in hand if seat.able]
            if not able or (len(able) == 1 and able[0].put == level):
                return
            seat = hand[waiting[0]]
            if not seat.able:
                waiting.pop(0)
                continue
            if self._skipped(waiting, street):
                return
            if self._out_of_turn(waiting, last):
                if self._live() == 1:
                    raise _Over
                continue
            waiting.pop(0)
            self.wait(2, 8)
            self._before_acting(seat, level, waiting)
            by = self._act(seat, level, full, closed, street, waiting)
            last = seat
            if self._live() == 1:
                raise _Over
            closed.add(seat.number)
            if by:
                place = hand.index(seat)
                waiting = [(place + step) % len(hand) for step in range(1, len(hand))]
                if by >= full or not seat.all_in:
                    closed = {seat.number}
                if by >= full and not self.fixed:
                    full = by
            elif any(hand[place].able for place in waiting):
                self._after_acting(seat)

    def _live(self) -> int:
        return sum(not seat.folded for seat in self.hand)

    def _pot(self) -> int:
        return sum(seat.stake.amount for seat in self.hand)

    def _least(self, street: int) -> int:
        """The smallest bet or full raise of a round; at fixed limit the only one."""
        if self.fixed is None:
            return self.minimum
        return self.fixed[street >= (1 if "x" in self.streets else 2)]

    def _act(self, seat: _Seat, level: int, full: int, closed: set[int], street: int, waiting: Sequence[int]) -> int:
        """One decision; by how much it raises."""
        rng = self.random
        owed = level - seat.put
        chips = seat.player.bankroll
        mood = self._quality(seat) + 0.5 * rng.random() + 0.15 * seat.player.boldness
        reopened = not (seat.number in closed and owed < full)
        others = sum(each.able for each in self.hand if each is not seat)
        if not reopened and owed and chips > owed and self.chance("short_raise_reopened"):
            self._say(seat, "raise", min(chips, owed + full), all_in=chips <= owed + full)
            self._put(seat, owed)
            self.plant("short_raise_reopened", Expected(code="illegal_decision", seat=seat.number))
            return 0
        may_raise = reopened and others > 0 and chips > owed and not self.quiet
        if may_raise and mood > 0.85 and rng.random() < 0.7:
            by = self._raise_by(seat, owed, level, full, street)
            if by:
                return by
        if owed and mood < 0.45 + min(0.25, owed * 0.3 / (self._pot() + 1)) and not seat.all_in:
            self._say(seat, "fold")
            seat.folded = True
            return 0
        if owed == 0:
            if self.chance("call_owing_nothing") and chips > self.minimum:
                self._say(seat, "call", self.minimum)
                self.plant("call_owing_nothing", Expected(code="illegal_decision", seat=seat.number))
            else:
                self._say(seat, "check")
            return 0
        self._call(seat, owed, chips)
        return 0

    def _call(self, seat: _Seat, owed: int, chips: int) -> None:
        unit = self.setup.chip_unit
        if owed >= chips:
            self._put(seat, chips)
            seat.put += chips
            self._say(seat, "call", chips, all_in=True)
            return
        said = owed
        if owed > unit and self.chance("short_call"):
            self._say(seat, "call", unit)
            self.plant("short_call", Expected(code="stake_mismatch", seat=seat.number))
            self.wait(1, 3)
            said = owed - unit
        elif chips > owed + unit and self.chance("call_of_more"):
            said = owed + unit
            self.plant("call_of_more", Expected(code="stake_mismatch", seat=seat.number))
        if self.chance("raise_of_nothing"):
            self._say(seat, "raise", said)
            self.plant("raise_of_nothing", Expected(code="stake_mismatch", seat=seat.number))
        else:
            self._say(seat, "call", said)
        self._put(seat, owed)
        seat.put += owed

    def _raise_by(self, seat: _Seat, owed: int, level: int, full: int, street: int) -> int:
        """A raise of a size that is allowed, or all there is; 0 if there is none."""
        rng = self.random
        unit = self.setup.chip_unit
        room = seat.player.bankroll - owed
        most = room
        least = full
        if self.fixed:
            least = most = full
            bring_in = self.setup.options.get("bring_in", 0)
            if self.stud and street == 0 and level < full and level <= bring_in:
                least = most = full - level
            elif street == 1 and self.stud and self._pair_open() and rng.random() < 0.5:
                least = most = self.fixed[1]
        elif self.pot_limit:
            most = self._pot() + owed
        by = least
        if not self.fixed:
            by = max(least, rng.choice((least, least, 2 * least, (self._pot() + owed) // 2, room)))
            by -= by % unit
        by = min(by, most, room)
        if by <= 0 or (by < least and by < room):
            return 0
        fault = ""
        if self.chance("raise_too_small") and least > unit and room > least:
            by, fault = least - unit, "raise_too_small"
        elif self.chance("raise_too_large") and room > most + unit:
            by, fault = most + unit, "raise_too_large"
            if self.stud and street == 1 and self._pair_open():
                by, fault = least, ""
        amount = owed + by
        self._put(seat, amount)
        seat.put += amount
        self._say(seat, "raise", amount, all_in=seat.all_in)
        if fault:
            code = "below_minimum" if fault == "raise_too_small" else "above_maximum"
            self.plant(fault, Expected(code=code, seat=seat.number))
            self.quiet = True
        if self.fixed and most < full:
            return full  # a completed bring-in
        return by

    def _pair_open(self) -> bool:
        return any(len({card[0] for card in seat.up}) < len(seat.up) for seat in self.hand if not seat.folded)

    def _say(self, seat: _Seat, choice: str, amount: int | None = None, *, all_in: bool = False) -> None:
        fields: dict[str, Any] = {} if amount is None else {"amount": amount}
        if all_in:
            fields["all_in"] = True
        self.emit("decision", seat=seat.number, choice=choice, **fields)

    def _quality(self, seat: _Seat) -> float:
        """0 to about 0.8: how good the cards look."""
        cards = [*seat.cards, *self.board]
        if self.variety == "omaha_hi_lo":
            cards = [*seat.cards[:2], *self.board]
        kind = kind_of(cards)
        high = sum(RANKS.index(card[0]) for card in seat.cards[:2])
        return min(0.8, 0.18 * kind + high / 60)

    # --- wrongs of the players ------------------------------------------------------------------------------------

    def _skipped(self, waiting: Sequence[int], street: int) -> bool:
        """The dealer goes on though the last seat has not acted."""
        left = [self.hand[place] for place in waiting if self.hand[place].able]
        if street + 1 == len(self.streets) or self.streets[street + 1] == "x" or len(left) != 1:
            return False
        if not self.chance("missing_decision"):
            return False
        self.plant("missing_decision", Expected(code="missing_decision", seat=left[0].number))
        return True

    def _out_of_turn(self, waiting: list[int], last: _Seat | None) -> bool:
        """A seat folds before those on its right have acted."""
        later = [place for place in waiting[1:] if self.hand[place].able and self.hand[place] is not last]
        if not later or not self.button_known or not self.chance("out_of_turn"):
            return False
        place = later[-1]
        seat = self.hand[place]
        self.wait(1, 3)
        self._say(seat, "fold")
        seat.folded = True
        waiting.remove(place)
        self.plant("out_of_turn", Expected(code="illegal_decision", seat=seat.number))
        return True

    def _before_acting(self, seat: _Seat, level: int, waiting: Sequence[int]) -> None:
        number = seat.number
        if level > seat.put and self.chance("check_while_owing"):
            self.illegal("check_while_owing", number, "check")
        elif self.chance("unknown_choice"):
            self.illegal("unknown_choice", number, "stand")
        elif "x" not in self.streets and self.chance("draw_in_vain"):
            self.emit("decision", seat=number, choice="draw", cards=[])
            self.plant("draw_in_vain", Expected(code="illegal_decision", seat=number))
        gone = [each for each in self.hand if each.folded]
        if gone and self.chance("acts_after_folding"):
            self._say(gone[0], "call", self.minimum)
            self.plant("acts_after_folding", Expected(code="illegal_decision", seat=gone[0].number))
        elif gone and self.chance("fold_settled_early"):
            self.hand_over(gone[0].stake, 0, 0)
            self.tray -= gone[0].stake.amount
            self.plant("fold_settled_early", Expected(code="settled_too_early", bet=gone[0].stake.id))
            gone[0].stake.wager = "settled"
        elif self.chance("taken_from_the_pot"):
            self.grabbed("taken_from_the_pot", "withdrawal_not_allowed", seat.stake)
        elif self.chance("slipped_in"):
            self.emit("bet_raised", bet=seat.stake.id, by=self.minimum)
            self.plant("slipped_in", Expected(code="illegal_decision", bet=seat.stake.id))
        elif self.chance("late_ante") and waiting and len(waiting) < len(self.hand) - 1:
            self.emit("bet_placed", bet=seat.stake.id, seat=number, wager="ante", amount=self.minimum)
            self.plant("late_ante", Expected(code="late_bet", seat=number))

    def _after_acting(self, seat: _Seat) -> None:
        if seat.able and seat.player.bankroll > self.minimum and self.chance("string_bet"):
            self._say(seat, "raise", self.minimum)
            self.plant("string_bet", Expected(code="illegal_decision", seat=seat.number))

    # --- the pots -------------------------------------------------------------------------------------------------

    def _pay(self, street: int) -> None:
        """III: the dealer takes the rake and pays the pots."""
        live = [seat for seat in self.hand if not seat.folded]
        if len(live) > 1:
            if len(self.board) == 5 and self.deck and self.chance("sixth_card"):
                self._card(to="community")
                self.plant("sixth_card", Expected(code="dealing_error"))
            if self.chance("late_money") and live[0].player.bankroll > self.minimum:
                self._say(live[0], "raise", self.minimum)
                self.plant("late_money", Expected(code="late_bet", seat=live[0].number))
            contenders = [seat for seat in live if not seat.dead]
        else:
            contenders = live
        pots = self._pots(contenders)
        gets = self._gets(pots)
        beaten = [seat for seat in contenders if not gets.get(seat.number)]
        if beaten and len(contenders) > 2 and self.random.random() < 0.4:
            self.wait(1, 3)
            self._say(beaten[-1], "fold")
            contenders.remove(beaten[-1])
            pots = self._pots(contenders)
        rakes = self._rakes(pots, street)
        split = [_Pot(pot.amount - rake, pot.seats) for pot, rake in zip(pots, rakes, strict=True)]
        self._take_rake(sum(rakes))
        gets = self._gets(split)
        number, back = self._uncalled()
        gets[number] = gets.get(number, 0) + back
        self._hand_over(split, gets)

    def _uncalled(self) -> tuple[int, int]:
        """Who has put in most, and what of it nobody called."""
        totals = sorted((self._total(seat) for seat in self.hand), reverse=True)
        top = next(seat for seat in self.hand if self._total(seat) == totals[0])
        return top.number, totals[0] - totals[1]

    def _total(self, seat: _Seat) -> int:
        """What he has put in, the ante for the table aside."""
        return seat.stake.amount - (self.dead_money if seat is self._ante_payer() else 0)

    def _ante_payer(self) -> _Seat | None:
        return self.hand[0 if len(self.hand) == 2 else 1] if self.dead_money else None

    def _pots(self, contenders: Sequence[_Seat]) -> list[_Pot]:
        """A chip of each seat after another, from the bottom: who is still in at that height plays for it."""
        totals = {seat.number: self._total(seat) for seat in self.hand}
        top, back = self._uncalled()
        totals[top] -= back
        heights = sorted({totals[seat.number] for seat in contenders})
        pots = []
        bottom = 0
        for height in heights:
            ceiling = height if height != heights[-1] else max(totals.values())
            amount = sum(max(0, min(total, ceiling) - bottom) for total in totals.values())
            pots.append(_Pot(amount, [seat for seat in contenders if totals[seat.number] >= height]))
            bottom = height
        pots[0].amount += self.dead_money
        return [pot for pot in pots if pot.amount]

    def _rakes(self, pots: Sequence[_Pot], street: int) -> list[int]:
        options = self.setup.options
        if self.by_time or (options.get("no_flop_no_drop") and street == 0):
            return [0 for _ in pots]
        left = options.get("rake_cap", 10**9)
        rakes = []
        for pot in pots:
            rake = min(left, self._whole(pot.amount * options["rake_percent"] // 100))
            rakes.append(rake)
            left -= rake
        return rakes

    def _whole(self, amount: int) -> int:
        return amount - amount % self.setup.chip_unit

    def _take_rake(self, due: int) -> None:
        unit = self.setup.chip_unit
        self.wait(1, 2)
        taken = due
        if self.by_time:
            if self.chance("rake_beside_the_fee"):
                self.to_the_box("rake_taken", unit)
                self.plant("rake_beside_the_fee", Expected(code="wrong_rake", amount=unit))
            return
        if self.chance("rake_too_much"):
            taken += unit
            self.plant("rake_too_much", Expected(code="wrong_rake", amount=unit))
        elif due and self.chance("rake_too_little"):
            taken -= unit
            self.plant("rake_too_little", Expected(code="wrong_rake", amount=unit))
        elif due and self.chance("rake_forgotten"):
            taken = 0
            self.plant("rake_forgotten", Expected(code="wrong_rake", amount=due))
        elif self.chance("fee_beside_the_rake"):
            number = self.hand[0].number
            self._fee(number, unit)
            self.plant("fee_beside_the_rake", Expected(code="wrong_rake", seat=number, amount=unit), win=unit)
        if taken:
            self.to_the_box("rake_taken", taken)

    def _gets(self, pots: Sequence[_Pot]) -> dict[int, int]:
        """Who gets what of the pots."""
        gets: dict[int, int] = {}
        for pot in pots:
            for amount, winners in self._parts(pot):
                each = self._whole(amount // len(winners))
                left = amount - each * len(winners)
                for seat in winners:
                    odd = min(left, self.setup.chip_unit)
                    gets[seat.number] = gets.get(seat.number, 0) + each + odd
                    left -= odd
        return gets

    def _parts(self, pot: _Pot) -> list[tuple[int, list[_Seat]]]:
        """A pot, or its halves, and who wins them, from the left of the button."""
        if len(pot.seats) == 1:
            return [(pot.amount, pot.seats)]
        highs = {seat.number: self._high(seat) for seat in pot.seats}
        best = max(highs.values())
        high = [seat for seat in pot.seats if highs[seat.number] == best]
        if self.variety == "omaha_hi_lo":
            lows = {seat.number: self._low(seat) for seat in pot.seats}
            lowest = min((low for low in lows.values() if low), default=None)
            if lowest is not None:
                half = self._whole(pot.amount // 2)
                return [(pot.amount - half, high), (half, [seat for seat in pot.seats if lows[seat.number] == lowest])]
        return [(pot.amount, high)]

    def _high(self, seat: _Seat) -> tuple[int, ...]:
        if self.variety == "omaha_hi_lo":
            return max(
                strength_of([*own, *shared], 52)
                for own in combinations(seat.cards, 2)
                for shared in combinations(self.board[:5], 3)
            )
        return strength_of([*seat.cards, *self.board[:5]], self.deck_size)

    def _low(self, seat: _Seat) -> tuple[int, ...]:
        """The five ranks of the best low hand from the top; nothing where there is none."""
        own = {low_rank(card) for card in seat.cards}
        board = {low_rank(card) for card in self.board}
        lows = [
            tuple(sorted({*mine, *shared}, reverse=True))
            for mine in combinations(sorted(rank for rank in own if rank <= 8), 2)
            for shared in combinations(sorted(rank for rank in board if rank <= 8), 3)
        ]
        return min((low for low in lows if len(low) == 5), default=())

    def _hand_over(self, pots: Sequence[_Pot], gets: dict[int, int]) -> None:
        """The winners are paid; who gets nothing needs no claim, though some dealers report it."""
        rng = self.random
        if self.outsider is not None:
            self.hand_over(self.outsider, 0, self.outsider.amount)
        certain = self.button_known or all(
            amount % (len(winners) * self.setup.chip_unit) == 0 for pot in pots for amount, winners in self._parts(pot)
        )
        if self._to_the_wrong_seat(pots, gets):
            return
        for seat in self.hand:
            stake = seat.stake
            got = gets.get(seat.number, 0)
            returned = min(got, stake.amount)
            self.wait(0.5, 2)
            if stake.wager == "settled":
                self.tray += stake.amount
            elif got and certain:
                self.settle(stake, got - returned, returned)
            elif got:
                self.hand_over(stake, got - returned, returned)
            elif stake.amount and (self.chance("loser_paid") or self.chance("loser_pushed")):
                self.settle(stake, 0, 0)
            elif rng.random() < 0.1:
                self.hand_over(stake, 0, 0)
            else:
                self.tray += stake.amount

    def _to_the_wrong_seat(self, pots: Sequence[_Pot], gets: dict[int, int]) -> bool:
        """The dealer pushes a pot to a seat that has not won it."""
        if not self.button_known or len(pots[0].seats) < 2:
            return False
        winners = [self._parts(pot) for pot in pots]
        alone = [parts[0][1][0] for parts in winners if len(parts) == 1 and len(parts[0][1]) == 1]
        if len(alone) < len(pots):
            return False
        handed = dict(gets)
        if len(pots) > 1 and alone[0] is not alone[-1] and self.chance("side_pot_to_wrong_seat"):
            fault, right, wrong, amount = "side_pot_to_wrong_seat", alone[-1], alone[0], pots[-1].amount
        elif alone[0] is not pots[0].seats[-1] and self.chance("pot_to_wrong_seat"):
            fault, right, wrong, amount = "pot_to_wrong_seat", alone[0], pots[0].seats[-1], pots[0].amount
        else:
            return False
        handed[right.number] = handed.get(right.number, 0) - amount
        handed[wrong.number] = handed.get(wrong.number, 0) + amount
        for seat in self.hand:
            got = handed.get(seat.number, 0)
            returned = min(got, seat.stake.amount)
            if got or seat is right:
                self.hand_over(seat.stake, got - returned, returned)
            else:
                self.tray += seat.stake.amount
        self.plant(
            fault,
            Expected(code="underpaid", bet=right.stake.id, amount=amount),
            Expected(code="overpaid", bet=wrong.stake.id, amount=amount),
        )
        return True


class _Pot:
    """What is in it, and who plays for it, from the left of the button."""

    __slots__ = ("amount", "seats")

    def __init__(self, amount: int, seats: list[_Seat]) -> None:
        self.amount = amount
        self.seats = seats


SIMULATOR = CirclePokerTable
SETUPS = (
    TableSetup(
        game="circle_poker",
        rules="AD",
        limits={"min": 200},
        options={
            "variety": "holdem", "small_blind": 100, "big_blind": 200, "rake_percent": 5, "rake_cap": 1500,
        },
        chip_unit=50,
        float_minor=2_000_000,
    ),
    TableSetup(
        game="circle_poker",
        rules="AD",
        limits={"min": 500},
        options={
            "variety": "omaha_hi_lo", "betting": "pot_limit", "small_blind": 200, "big_blind": 500, "ante": 500,
            "ante_by": "big_blind", "rake_percent": 4, "no_flop_no_drop": True,
        },
        chip_unit=100,
        float_minor=2_000_000,
    ),
    TableSetup(
        game="circle_poker",
        rules="AD",
        limits={"min": 200},
        options={
            "variety": "five_card_draw", "deck": 32, "betting": "fixed_limit", "small_bet": 200, "big_bet": 400,
            "small_blind": 100, "big_blind": 200, "rake_percent": 5,
        },
        chip_unit=50,
        float_minor=2_000_000,
    ),
    TableSetup(
        game="circle_poker",
        rules="AD",
        limits={"min": 400},
        options={
            "variety": "seven_card_stud", "button": 1, "betting": "fixed_limit", "small_bet": 400, "big_bet": 800,
            "ante": 50, "bring_in": 100, "house_take": "time", "time_fee": 500,
        },
        chip_unit=50,
        float_minor=2_000_000,
    ),
)  # fmt: skip
