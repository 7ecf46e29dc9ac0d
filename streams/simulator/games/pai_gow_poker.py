"""Pai gow poker on the simulated floor: thirty-odd hands an hour, a player's bank now and then."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from streams.simulator.players import Stake
from streams.simulator.table import TableSetup, TableSimulator
from streams.simulator.truth import Expected

_RANKS = "23456789TJQKA"
_VALUE = {rank: value for value, rank in enumerate(_RANKS, 2)}
_JOKER = "XX"
_DECK = tuple(rank + suit for suit in "SHDC" for rank in _RANKS)
_WHEEL = frozenset((14, 2, 3, 4, 5))
_STRAIGHT = 4
"""A complete hand: straight, flush, full house, four of a kind, straight flush, five aces are 4 to 9."""
_DEALER = 0
_RING = 7

Worth = tuple[int, ...]
"""A hand's class, then its ranks as they decide."""


class _Split(NamedTuple):
    """A way to divide seven cards."""

    front: tuple[str, str]
    low: Worth
    high: Worth


_OF = {card: _VALUE[card[0]] for card in _DECK} | {_JOKER: 14}
"""A card's value, the joker's as an ace's."""


@cache
def _kind(values: tuple[int, ...]) -> Worth:
    """What two or five cards of these values are worth by their ranks alone: the most frequent decide first."""
    counts = tuple(sorted((values.count(value) for value in set(values)), reverse=True))
    kinds = {(5,): 9, (4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (2,): 1}
    return (kinds.get(counts, 0), *sorted(values, key=lambda value: (values.count(value), value), reverse=True))


def _two(cards: tuple[str, str]) -> Worth:
    return _kind((_OF[cards[0]], _OF[cards[1]]))


def _straights(wheel: str) -> list[frozenset[int]]:
    """The straights, highest first."""
    high_to_six = [frozenset(range(top - 4, top + 1)) for top in range(14, 5, -1)]
    high_to_six.insert(1 if wheel == "second" else 9, _WHEEL)
    return high_to_six


def _five(cards: list[str], straights: list[frozenset[int]]) -> Worth:
    """What five cards are worth, the joker among them or not."""
    natural = [card for card in cards if card != _JOKER]
    values = sorted([_OF[card] for card in natural])
    different = frozenset(values)
    run = 0
    if len(different) == len(natural) and (14 in different or values[-1] - values[0] < 5):
        run = next((place for place, straight in enumerate(straights, -len(straights)) if different <= straight), 0)
    suited = len({card[1] for card in natural}) == 1
    if suited and run:
        return (8, -run)
    best = _kind(tuple(sorted([*values, 14]) if len(values) == 4 else values))
    if suited:
        added = [] if len(natural) == 5 else [next(value for value in range(14, 1, -1) if value not in different)]
        best = max(best, (5, *sorted([*values, *added], reverse=True)))
    if run:
        best = max(best, (_STRAIGHT, -run))
    return best


def _splits(cards: list[str], straights: list[frozenset[int]]) -> list[_Split]:
    found = []
    for front in combinations(cards, 2):
        back = [card for card in cards if card not in front]
        found.append(_Split(front, _two(front), _five(back, straights)))
    return found


def _misset(low: Worth, high: Worth) -> bool:
    """The low hand outranks the high hand, as far as two cards go."""
    return low > high[:3]


def _house_way(cards: list[str], splits: list[_Split]) -> _Split:
    """Foxwoods: which of the 21 ways a dealer takes."""
    values = sorted(map(_OF.__getitem__, cards), reverse=True)
    of = {value: values.count(value) for value in values}
    fours = [value for value, count in of.items() if count == 4]
    threes = [value for value, count in of.items() if count == 3]
    pairs = [value for value, count in of.items() if count == 2]
    singles = [value for value, count in of.items() if count == 1]

    def highest(chosen: list[_Split]) -> _Split:
        return max(chosen, key=lambda split: (split.low, split.high))

    def pair_of(value: int) -> _Split:
        return highest([split for split in splits if split.low == (1, value, value)])

    def keeping(*kept: int) -> _Split:
        """These ranks stay in back; the highest of the others go in front."""
        return highest([split for split in splits if not any(_OF[card] in kept for card in split.front)])

    if of.get(14) == 5:
        return pair_of(13 if of.get(13) == 2 else 14)
    if fours:
        four = fours[0]
        if threes or pairs:
            return pair_of((threes or pairs)[0])
        if four > 10 or (four > 6 and singles[0] < 13):
            return pair_of(four)
        return keeping(four)
    if len(threes) == 2:
        return pair_of(threes[0])
    if threes and pairs:
        return pair_of(pairs[0])
    if len(pairs) < 2:
        complete = [split for split in splits if split.high[0] >= _STRAIGHT]
        if complete:
            chosen = highest(complete)
            if pairs and 10 <= pairs[0] <= 13 and singles[0] == 14:
                chosen = max(chosen, keeping(pairs[0]), key=lambda split: split.low)
            return chosen
    if len(pairs) == 3:
        return pair_of(pairs[0])
    if len(pairs) == 2:
        if pairs[0] > 10 or singles[0] < (14 if pairs[0] > 6 else 13):
            return pair_of(pairs[1])
        return keeping(*pairs)
    if threes == [14]:
        return highest([split for split in splits if [_OF[card] for card in split.front].count(14) == 1])
    if threes or pairs:
        return keeping(*threes, *pairs)
    return keeping(values[0])


def _of_the_house(stake: Stake) -> bool:
    """Chips that the dealer stakes from the tray, against a player's bank."""
    return stake.seat == _DEALER and stake.wager == "main"


class _Hand:
    """Seven cards of a position."""

    __slots__ = ("cards", "high", "low", "misset", "seat", "splits")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.cards: list[str] = []
        self.splits: list[_Split] = []
        self.low: Worth = ()
        self.high: Worth = ()
        self.misset = False

    def take(self, split: _Split) -> None:
        """It is divided like this."""
        self.low, self.high = split.low, split.high
        self.misset = _misset(split.low, split.high)


class PaiGowPokerTable(TableSimulator):
    """One table."""

    code = "PG"
    seats = 6
    clear_after_round = False

    def opening(self) -> None:
        options = self.setup.options
        per_cent = options.get("commission_pct", 5)
        self.kept_in_thousand = int(per_cent * 10)
        self.straights = _straights(options.get("wheel", "second"))
        self.with_joker = options.get("joker") != "none"
        self.house_way = options.get("house_way") != "none"
        self.players_bank = options.get("player_bank", True)
        self.pack = (*_DECK, _JOKER) if self.with_joker else _DECK
        faults = ["late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "below_minimum", "above_maximum",
                  "wager_not_offered", "seat_not_there", "house_stake_alone", "duplicate_bet", "thrown_before_call",
                  "thrown_twice", "two_dice", "not_thrown", "served_out_of_order", "card_face_up", "hand_of_six",
                  "hand_of_eight", "nobody_served", "card_before_call", "impossible_card", "hand_misset", "never_set",
                  "strange_cards_set", "three_cards_set", "set_twice", "set_without_hand", "strange_choice",
                  "dealer_first", "settled_too_early", "commission_forgotten", "wrong_commission",
                  "copy_won"]  # fmt: skip
        faults.append("not_the_house_way" if self.house_way else "dealer_misset")
        faults += ["second_bank", "bank_short", "bank_against_itself", "dealer_as_bank"] * self.players_bank
        faults += ["bank_not_offered"] * (not self.players_bank)
        self.faults = tuple(faults)
        self.stakes: list[Stake] = []
        self.bank: Stake | None = None
        self.hands: dict[int, _Hand] = {}
        self.deck: list[str] = []
        self.owed = 0
        """Commission of the round."""
        self.dealt_since_hole = True

    def hole_made(self) -> None:
        """A stake of a round without cards may have been missed, until hands are dealt again."""
        self.dealt_since_hole = False

    # --- a round --------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        if self.dealt_since_hole:
            self.clear()
        self.stakes = []
        self.bank = None
        self.hands = {}
        self.owed = 0
        self._take_bets()
        if not self.stakes:
            return
        if self.wanted is not None:
            self._wrongs_before_call()
        self.deck = list(self.pack)
        self.random.shuffle(self.deck)
        early = False
        self.wait(2, 5)
        if self.chance("thrown_before_call"):
            self.emit("dice_rolled", dice=[1, 2, 3])
            self.plant("thrown_before_call", Expected(code="dealing_error"))
            early = True
        no_call = self.chance("card_before_call")
        if no_call:  # the dice are thrown too soon as well
            self.plant("card_before_call", Expected(code="dealing_error"), Expected(code="dealing_error"))
        else:
            self.emit("bets_closed")
        if not no_call:
            self._wrongs_after_call()
        total = 6 if early else self._throw()
        self.wait(2, 4)
        dealt = self._deal(total)
        self.dealt_since_hole = True
        if not dealt:
            self._all_back()
            return
        self._set()
        self._pay()

    def _take_bets(self) -> None:
        rng = self.random
        for player in self.players:
            self.wait(0.3, 2)
            amount = min(player.unit, self.maximum)
            if rng.random() < 0.2:
                amount += self.setup.chip_unit * rng.randrange(1, 6)
            if rng.random() < 0.05 or amount > self.maximum:
                continue
            stake = self.lay(player, "main", amount, named=rng.random() < 0.5)
            if stake is not None:
                self.stakes.append(stake)
        if len(self.stakes) > 1 and rng.random() < 0.08:
            self._think_again()
        if self.stakes and rng.random() < 0.15:
            self._ride_along()
        if self.players_bank and len(self.stakes) > 1 and rng.random() < 0.3:
            self._players_bank()

    def _think_again(self) -> None:
        """A stake is taken back or grows while bets are open."""
        rng = self.random
        stake = rng.choice(self.stakes)
        if rng.random() < 0.5:
            self.stakes.remove(stake)
            self.withdraw(stake)
        elif stake.amount + self.minimum <= self.maximum:
            self.raise_stake(stake, self.minimum)

    def _ride_along(self) -> None:
        """Somebody stakes behind another player."""
        seat = self.random.choice(self.stakes).seat
        if sum(stake.amount for stake in self.stakes if stake.seat == seat) + self.minimum <= self.maximum:
            player = self.random.choice(self.players)
            player.bankroll -= self.minimum
            self.stakes.append(self.lay_unasked(seat, "main", self.minimum, player=player, named=True))

    def _players_bank(self) -> None:
        """A player whose stake does not lie on the table takes the bank, and the dealer plays with the house's."""
        rng = self.random
        seated = {stake.seat for stake in self.stakes}
        free = [player for player in self.players if player.seat not in seated]
        if not free:
            stake = self.stakes[rng.randrange(len(self.stakes))]
            if stake.player is None or sum(other.seat == stake.seat for other in self.stakes) > 1:
                return
            free = [player for player in self.players if player.seat == stake.seat]
            self.stakes.remove(stake)
            self.withdraw(stake)
        player = rng.choice(free)
        against = sum(stake.amount for stake in self.stakes)
        house = self.minimum * rng.randrange(1, 4) if rng.random() < 0.8 else 0
        if house:
            self.stakes.append(self.lay_unasked(_DEALER, "main", house))
        amount = against + house + self.minimum * rng.choice((0, 1, 5))
        if self.chance("bank_short") and amount > self.minimum:
            amount = self.chips(rng.randrange(self.setup.chip_unit, against + house))
            player.bankroll -= amount
            self.bank = self.lay_unasked(player.seat, "bank", amount, player=player)
            self.plant("bank_short", Expected(code="stake_mismatch", bet=self.bank.id))
        else:
            player.bankroll -= amount
            self.bank = self.lay_unasked(player.seat, "bank", amount, player=player)

    @property
    def bank_seat(self) -> int:
        """Where the bank sits."""
        return _DEALER if self.bank is None else self.bank.seat

    def _throw(self) -> int:
        """The sum of the dice; 0 when they are not thrown."""
        rng = self.random
        dice = [rng.randrange(1, 7) for _ in range(3)]
        if rng.random() < 0.02:
            self.emit("dice_rolled", dice=[rng.randrange(1, 7) for _ in range(3)], void="cocked")
        if self.chance("not_thrown"):
            self.plant("not_thrown", Expected(code="dealing_error"))
            return 0
        if self.chance("two_dice"):
            dice = dice[:2]
            self.plant("two_dice", Expected(code="dealing_error"))
        self.emit("dice_rolled", dice=dice)
        if self.chance("thrown_twice"):
            self.emit("dice_rolled", dice=[rng.randrange(1, 7) for _ in range(3)])
            self.plant("thrown_twice", Expected(code="dealing_error"))
        return sum(dice)

    # --- the deal -------------------------------------------------------------------------------------------------

    def _deal(self, total: int) -> bool:
        """Hands of seven; False when the round is void."""
        rng = self.random
        seats = {_DEALER, self.bank_seat, *(stake.seat for stake in self.stakes)}
        place = self.bank_seat
        for _ in range(max(total, 1) - 1):
            place = (place + 1) % _RING
        order = []
        for _ in range(_RING):
            if place in seats:
                order.append(place)
            place = (place + 1) % _RING
        if total and self.chance("served_out_of_order"):
            first = rng.randrange(len(order) - 1)
            order[first], order[first + 1] = order[first + 1], order[first]
            self.plant("served_out_of_order", Expected(code="dealing_error"))
        short = long = -1
        if self.chance("hand_of_six"):
            short = rng.choice(order)
        elif self.chance("hand_of_eight"):
            long = rng.choice(order)
        stuck = rng.choice(order) if rng.random() < 0.004 and self.wanted is None else -1
        for seat in order:
            hand = self.hands[seat] = _Hand(seat)
            for number in range(7 - (seat == short) + (seat == long)):
                if seat == stuck and number == 3:
                    self._card(seat, void=rng.choice(("stuck", "fault")))
                    return False
                hand.cards.append(self._card(seat))
        if short >= 0 or long >= 0:
            self.plant("hand_of_six" if short >= 0 else "hand_of_eight", Expected(code="dealing_error"))
            return False
        free = [seat for seat in range(1, self.seats + 1) if seat not in self.hands]
        if free and self.chance("nobody_served"):
            seat = rng.choice(free)
            for _ in range(7):
                self._card(seat)
            self.plant("nobody_served", Expected(code="dealing_error"))
        if rng.random() < 0.1:
            for _ in range(min(4, len(self.deck))):
                self._card(-1)
        return True

    def _card(self, seat: int, **fields: Any) -> str:
        card = self.deck.pop()
        if self.chance("impossible_card") and len(self.deck) + 1 < len(self.pack):
            used = [code for hand in self.hands.values() for code in hand.cards if code != _JOKER]
            mine = self.hands[seat].cards if seat in self.hands else []
            others = [code for code in used if code not in mine]
            if others:
                card = self.random.choice(others)
                self.plant("impossible_card", Expected(code="impossible_card"))
        if seat >= 0 and self.chance("card_face_up"):
            fields["up"] = True
            self.plant("card_face_up", Expected(code="dealing_error"))
        if seat > 0:
            fields["seat"] = seat
        else:
            fields["to"] = "burn" if seat else "dealer"
        self.emit("card_dealt", card=card, **fields)
        return card

    def _all_back(self) -> None:
        """The round is void."""
        for stake in (*self.stakes, *([] if self.bank is None else [self.bank])):
            self.wait(0.3, 1)
            self.settle(stake, 0, stake.amount)

    # --- setting --------------------------------------------------------------------------------------------------

    def _set(self) -> None:
        rng = self.random
        for hand in self.hands.values():
            hand.splits = _splits(hand.cards, self.straights)
        seats = [seat for seat in self.hands if seat != _DEALER]
        rng.shuffle(seats)
        dealer = self.hands[_DEALER]
        if self.chance("dealer_first"):
            self._dealer_sets(dealer)
            self.plant("dealer_first", Expected(code="dealer_misplay"))
            for seat in seats:
                self._player_sets(self.hands[seat])
            return
        never = rng.choice(seats) if seats and self.chance("never_set") else -1
        for seat in seats:
            if seat != never:
                self._player_sets(self.hands[seat])
        unseen = rng.random() < 0.03
        if never >= 0:
            hand = self.hands[never]
            hand.take(_house_way(hand.cards, hand.splits))
            wrong = [Expected(code="missing_decision", seat=never)]
            if not unseen:
                wrong.append(Expected(code="dealer_misplay"))
            self.plant("never_set", *wrong)
        if not unseen:
            self._settle_before_the_dealer()
        self._dealer_sets(dealer, unseen=unseen)

    def _emit_set(self, seat: int, cards: Any) -> None:
        self.wait(1, 4)
        self.emit("decision", seat=seat, choice="set", cards=list(cards))

    def _illegal(self, fault: str, seat: int) -> None:
        self.plant(fault, Expected(code="illegal_decision", seat=seat))

    def _player_sets(self, hand: _Hand) -> None:
        """As the house would, or as he likes it better."""
        rng, seat = self.random, hand.seat
        if self.chance("strange_cards_set"):
            strange = next(card for card in _DECK if card not in hand.cards)
            self._emit_set(seat, (hand.cards[0], strange))
            self._illegal("strange_cards_set", seat)
        elif self.chance("three_cards_set"):
            self._emit_set(seat, hand.cards[:3])
            self._illegal("three_cards_set", seat)
        elif self.chance("strange_choice"):
            self.emit("decision", seat=seat, choice=rng.choice(("draw", "stand", "fold")))
            self._illegal("strange_choice", seat)
        free = [other for other in range(1, self.seats + 1) if other not in self.hands]
        if free and self.chance("set_without_hand"):
            other = rng.choice(free)
            self._emit_set(other, hand.cards[:2])
            self._illegal("set_without_hand", other)
        wrong = [split for split in hand.splits if _misset(split.low, split.high)]
        if wrong and self.chance("hand_misset"):
            split = rng.choice(wrong)
            self.plant("hand_misset", Expected(code="hand_misset", seat=seat))
        elif rng.random() < 0.7:
            split = _house_way(hand.cards, hand.splits)
        else:
            legal = [split for split in hand.splits if not _misset(split.low, split.high)]
            split = max(legal, key=lambda split: (split.low, split.high))
        hand.take(split)
        self._emit_set(seat, split.front)
        if self.chance("set_twice"):
            self._emit_set(seat, hand.cards[:2])
            self._illegal("set_twice", seat)

    def _dealer_sets(self, hand: _Hand, *, unseen: bool = False) -> None:
        """By the house way, which counts whatever he does; where there is none, as he likes."""
        rng = self.random
        way = _house_way(hand.cards, hand.splits)
        hand.take(way)
        if unseen:
            return
        legal = [split for split in hand.splits if not _misset(split.low, split.high)]
        wrong = [split for split in hand.splits if _misset(split.low, split.high)]
        other = [split for split in legal if (split.low, split.high) != (way.low, way.high)]
        shown = way
        if self.house_way:
            if other and self.chance("not_the_house_way"):
                shown = rng.choice(other)
                self.plant("not_the_house_way", Expected(code="dealer_misplay"))
        else:
            if wrong and self.chance("dealer_misset"):
                shown = rng.choice(wrong)
                self.plant("dealer_misset", Expected(code="hand_misset", seat=_DEALER))
            elif other and rng.random() < 0.3:
                shown = rng.choice(other)
            hand.take(shown)
        self._emit_set(_DEALER, shown.front)

    def _settle_before_the_dealer(self) -> None:
        """A stake is settled before the dealer has set his hand."""
        if not self.house_way or not self.stakes or not self.chance("settled_too_early"):
            return
        dealer = self.hands[_DEALER]
        dealer.take(_house_way(dealer.cards, dealer.splits))
        if self.bank is not None:
            return
        stake = self.random.choice(self.stakes)
        paid, returned = self._due(stake, stake.amount)
        self.owed += stake.amount - paid if paid else 0
        self.settle_early(stake, paid, returned)
        self.stakes.remove(stake)

    # --- paying ---------------------------------------------------------------------------------------------------

    def _won(self, seat: int, *, copies: bool = False) -> int:
        """2 when the hand beats the bank's, 1 when one of its two does, else 0. ``copies``: as if it won equal ones."""
        hand, bank = self.hands[seat], self.hands[self.bank_seat]
        if hand.misset:
            return 0
        if bank.misset:
            return 2
        if copies:
            return (hand.low >= bank.low) + (hand.high >= bank.high)
        return (hand.low > bank.low) + (hand.high > bank.high)

    def lay_unasked(self, seat: int, wager: str, amount: int, **fields: Any) -> Stake:
        stake = super().lay_unasked(seat, wager, amount, **fields)
        if _of_the_house(stake):
            self.tray -= amount
        return stake

    def leave_the_tray(self, stake: Stake, amount: int) -> None:
        if not _of_the_house(stake):
            super().leave_the_tray(stake, amount)

    def plant(self, fault: str, *expected: Expected, win: int | None = None) -> None:
        """What goes wrong with a stake of the house's own costs it nothing: it pays itself."""
        house = {stake.id for stake in self.stakes if _of_the_house(stake)}
        if any(each.bet in house for each in expected if each.bet):
            win = 0
        super().plant(fault, *expected, win=win)

    def _net(self, amount: int) -> int:
        """What is left of a win after the commission."""
        return self.part(amount, 1000 - self.kept_in_thousand, 1000)

    def _due(self, stake: Stake, played: int, *, copies: bool = False) -> tuple[int, int]:
        """What a stake is due of which so much is covered."""
        won = self._won(stake.seat, copies=copies)
        if won == 2:
            return self._net(played) if stake.seat else self.chips(played), stake.amount
        return 0, stake.amount if won else stake.amount - played

    def _pay(self) -> None:
        rng = self.random
        bank = self.bank
        left = bank.amount if bank is not None else 0
        seats = [_DEALER, *((self.bank_seat + step) % _RING for step in range(1, _RING))]
        net = 0
        for seat in dict.fromkeys(seats):
            for stake in [stake for stake in self.stakes if stake.seat == seat]:
                played = stake.amount if bank is None else min(left, stake.amount)
                left -= played
                won = self._won(seat)
                net += played if won == 0 else -played if won == 2 else 0
                paid, returned = self._due(stake, played)
                if won == 2 and seat:
                    self.owed += played - paid
                self._settle_stake(stake, played, paid, returned)
        if bank is not None:
            paid = self._net(max(net, 0))
            self.owed += max(net, 0) - paid
            self.wait(0.5, 2)
            self.settle(bank, paid, bank.amount + min(net, 0))
        if self.chance("wrong_commission"):
            self.to_the_box("commission_taken", self.owed + self.setup.chip_unit)
            self.plant("wrong_commission", Expected(code="wrong_commission", amount=self.setup.chip_unit))
        elif rng.random() < 0.5:
            if self.owed > self.setup.chip_unit and rng.random() < 0.3:
                self.to_the_box("commission_taken", self.setup.chip_unit)
                self.to_the_box("commission_taken", self.owed - self.setup.chip_unit)
            else:
                self.to_the_box("commission_taken", self.owed)

    def _settle_stake(self, stake: Stake, played: int, paid: int, returned: int) -> None:
        self.wait(0.5, 2)
        if 0 < paid < played and self.chance("commission_forgotten"):
            self.mispay("commission_forgotten", stake, (paid, returned), (played, returned))
            return
        if self.chance("copy_won"):
            other = self._due(stake, played, copies=True)
            if other != (paid, returned):
                self.mispay("copy_won", stake, (paid, returned), other)
                return
        self.settle(stake, paid, returned)
        if paid + returned == 0:
            self.grabbed_lost(stake)

    # --- wrongs with stakes ---------------------------------------------------------------------------------------

    def _wrongs_before_call(self) -> None:
        rng, unit = self.random, self.setup.chip_unit
        taken = {self.bank_seat, *(stake.seat for stake in self.stakes)}
        free = [seat for seat in range(1, self.seats + 1) if seat not in taken]
        if self.bank is None and free:
            seat = rng.choice(free)
            if self.chance("below_minimum"):
                self.stakes.append(self.accepted("below_minimum", "below_minimum", seat, "main", self.minimum - unit))
            elif self.chance("above_maximum"):
                self.stakes.append(self.accepted("above_maximum", "above_maximum", seat, "main", self.maximum + unit))
        seat = rng.randrange(1, self.seats + 1)
        if self.chance("wager_not_offered"):
            self.refused("wager_not_offered", "wager_not_offered", seat, "fortune", self.minimum)
        elif self.chance("seat_not_there"):
            self.refused("seat_not_there", "wager_not_offered", self.seats + rng.randrange(1, 4), "main", self.minimum)
        elif self.bank is None and self.chance("house_stake_alone"):
            self.refused("house_stake_alone", "wager_not_offered", _DEALER, "main", self.minimum)
        elif self.chance("bank_not_offered"):
            self.refused("bank_not_offered", "wager_not_offered", seat, "bank", 10 * self.minimum)
        elif self.chance("dealer_as_bank"):
            self.refused("dealer_as_bank", "wager_not_offered", _DEALER, "bank", 10 * self.minimum)
        elif self.bank is not None and self.chance("second_bank"):
            self.refused("second_bank", "too_many_bets", seat, "bank", 10 * self.minimum)
        elif self.bank is not None and self.chance("bank_against_itself"):
            self.refused("bank_against_itself", "wager_not_offered", self.bank.seat, "main", self.minimum)
        elif self.chance("duplicate_bet"):
            self.laid_again(rng.choice(self.stakes))

    def _wrongs_after_call(self) -> None:
        if self.wanted is None:
            return
        if self.chance("late_bet"):
            self.refused("late_bet", "late_bet", self.random.randrange(1, self.seats + 1), "main", self.minimum)
        self.touched_late(self.stakes)


SIMULATOR = PaiGowPokerTable
SETUPS = (
    TableSetup(game="pai_gow_poker", rules="AD", limits={"min": 1_000, "max": 50_000}, chip_unit=50),
    TableSetup(
        game="pai_gow_poker",
        rules="AD",
        limits={"min": 2_000, "max": 100_000},
        options={"commission_pct": 2.5, "joker": "none", "wheel": "low", "house_way": "none", "player_bank": False},
        chip_unit=50,
        rounding="nearest",
    ),
    TableSetup(
        game="pai_gow_poker",
        rules="AD",
        limits={"min": 1_000, "max": 20_000},
        options={"commission_pct": 4, "wheel": "low"},
        chip_unit=100,
        rounding="up",
    ),
)
