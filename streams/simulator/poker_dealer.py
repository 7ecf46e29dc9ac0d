"""Poker against the house on the simulated floor: what the dealers of five games have in common.

A dealer reads hands with the arithmetic below, which knows nothing of the rules engine's. A round: stakes before the
deal, a fresh pack, the hands, an answer of each place (a further stake, or the hand is given up), the showdown.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSimulator
from streams.simulator.truth import Expected

_RANKS = "23456789TJQKA"
VALUE = {rank: number for number, rank in enumerate(_RANKS, 2)}
"""2 to 14."""
_DECK = tuple(rank + suit for suit in "SHDC" for rank in _RANKS)

HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH = range(9)
"""Kinds of hands; their worth is the game's."""

Hand = tuple[int, ...]
"""How a hand compares: the worth of its kind, then the values that break ties."""


def straight_top(values: set[int], length: int) -> int:
    """The highest card of a straight of so many cards; 0 without one. An ace is also the lowest card."""
    run = sum(1 << value for value in values)
    if 14 in values:
        run |= 2
    for _ in range(length - 1):
        run &= run << 1
    return max(run.bit_length() - 1, 0)


def best(cards: list[str], size: int, worth: tuple[int, ...]) -> tuple[int, Hand]:
    """The best hand of ``size`` cards among ``cards``: its kind, and how it compares. ``worth`` gives each kind's place
    in the game's order; a negative one is no hand of this game."""
    values = sorted([VALUE[card[0]] for card in cards], reverse=True)
    held = set(values)
    kinds: list[tuple[int, Hand]] = [(HIGH, tuple(values[:size]))]
    times = {value: values.count(value) for value in held}
    groups = sorted(held, key=lambda value: (times[value], value), reverse=True)
    most = times[groups[0]]
    second = next((value for value in groups[1:] if times[value] >= 2), 0)
    first = groups[0]
    rest = [value for value in values if value != first]
    if most >= 2:
        kinds.append((PAIR, (first, *rest[: size - 2])))
        if second and size >= 4:
            pair, other = max(first, second), min(first, second)
            kickers = [value for value in values if value not in (pair, other)]
            kinds.append((TWO_PAIR, (pair, other, *kickers[: size - 4])))
            if most >= 3 and size >= 5:
                pairs = [value for value in held if times[value] >= 2 and value != first]
                kinds.append((FULL, (first, max(pairs))))
    if most >= 3:
        kinds.append((TRIPS, (first, *rest[: size - 3])))
    if most >= 4 and size >= 4:
        kinds.append((QUADS, (first, *rest[: size - 4])))
    top = straight_top(held, size) if len(held) >= size else 0
    if top:
        kinds.append((STRAIGHT, (top,)))
    suits = "".join([card[1] for card in cards])
    for suit in "SHDC":
        if suits.count(suit) >= size:
            suited = [card for card in cards if card[1] == suit]
            flush = sorted((VALUE[card[0]] for card in suited), reverse=True)
            kinds.append((FLUSH, tuple(flush[:size])))
            top = straight_top(set(flush), size)
            if top:
                kinds.append((STRAIGHT_FLUSH, (top,)))
    hand, kind = max([((worth[kind], *ties), kind) for kind, ties in kinds])
    return kind, hand


class Place:
    """A place at the table in one round."""

    __slots__ = ("cards", "folded", "given_early", "open", "seat", "side_settled", "stakes")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.stakes: dict[str, Stake] = {}
        """By wager; the answers too."""
        self.cards: list[str] = []
        self.folded = False
        self.open = False
        """It has not answered: its ante stays undecided."""
        self.given_early = False
        """Its ante was taken before it had given up."""
        self.side_settled = False
        """The stake beside the ante is settled before the showdown."""


class DealVoid(Exception):
    """The deal is void: every stake goes back."""


class HousePokerTable(TableSimulator):
    """One table of a poker game against the house."""

    seats = 7
    own: ClassVar[int]
    """Cards of a place."""
    dealers: ClassVar[int]
    """Cards of the dealer."""
    side: ClassVar[str] = ""
    """The wager beside the ante, if there is one."""
    side_alone: ClassVar[bool] = False
    """It may be laid without an ante."""
    answer: ClassVar[str]
    """The wager with which a place stays in the game."""
    said: ClassVar[str]
    """What may be said with it."""
    times: ClassVar[tuple[int, int]]
    """It is so many antes at least and at most."""
    late_words: ClassVar[tuple[str, ...]] = ()
    """What may not be said any more once the time to answer is over; ``said`` and fold, if nothing else."""
    named: ClassVar[bool] = False
    """Stakes bear the player's name."""
    other_faults: ClassVar[tuple[str, ...]] = ()
    """The wrongs that this game alone has."""

    def opening(self) -> None:
        faults = ["late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "below_minimum", "above_maximum",
                  "wager_not_offered", "place_not_there", "too_many_bets", "duplicate_bet", "answer_without_ante",
                  "answer_too_soon", "answer_after_fold", "answer_twice", "answer_to_another", "answer_raised",
                  "answer_withdrawn", "answer_too_late", "decision_too_soon", "decision_without_ante",
                  "decision_too_late", "fold_twice", "fold_after_answer", "strange_choice", "missing_decision",
                  "card_to_empty_place", "card_too_many", "card_missing", "exposed_card_dealt", "dealt_on_after_void",
                  "impossible_card", "wrong_decks", "settled_too_early"]  # fmt: skip
        if self.times[0] == self.times[1]:
            faults.append("answer_mismatch")
        else:
            faults += ["answer_too_small", "answer_too_large"]
        if self.side and not self.side_alone:
            faults.append("side_without_ante")
        self.faults = (*faults, *self.other_faults)
        self.places: dict[int, Place] = {}
        self.pack: list[str] = []
        self.dealer: list[str] = []
        self.board: list[str] = []
        self.out: list[str] = []
        """Cards that lie in hands."""
        self.exposed = 0

    # --- what a game says -----------------------------------------------------------------------------------------

    def stays(self, place: Place) -> bool:
        """Whether this place stakes on its cards."""
        raise AssertionError(f"{type(self).__name__} has no strategy")

    def dues(self, place: Place) -> list[tuple[Stake, int, int]]:
        """What its stakes are due, (stake, paid, returned), in the order of settlement; those left open not at all."""
        raise AssertionError(f"{type(self).__name__} settles nothing")

    def dealer_shows(self) -> None:
        """The dealer's hand is read, once."""
        raise AssertionError(f"{type(self).__name__} has no dealer")

    def before_answers(self) -> None:
        """Cards of the board that lie there before the places answer."""

    def play_out(self) -> None:
        """From the answers to the last chip: where there is no board, the dealer shows and settles."""
        self.wait(2, 5)
        self.showdown()

    # --- a round --------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        rng = self.random
        self.places = {}
        for player in self.players:
            self.wait(0.5, 2.5)
            self._bets_of(player)
        if self.places and rng.random() < 0.06:
            self._think_again(rng.choice(list(self.places.values())))
        if self.wanted is not None:
            self._wrongs_before_call()
        lonely = None
        seat = self.free_seat()
        if seat and self.chance("side_without_ante"):
            lonely = self.lay_unasked(seat, self.side, self.least(self.side))
        self.wait(4, 9)
        if lonely is not None or self.wanted is not None or rng.random() < 0.97:
            self.emit("bets_closed")  # else the first card closes the bets
        if lonely is not None:
            self.give_back(lonely)
            self.plant("side_without_ante", Expected(code="wager_not_offered", bet=lonely.id))
        if not self.places:
            return
        if self.wanted is not None:
            self._wrongs_after_call()
        try:
            while True:
                self._new_pack()
                self._deal()
                self.before_answers()
                if self._answers():
                    break
            self.play_out()
        except DealVoid:
            self.wait(5, 15)
            for place in self.places.values():
                for stake in place.stakes.values():
                    self.settle(stake, 0, stake.amount)

    def _bets_of(self, player: Player) -> None:
        rng = self.random
        place = Place(player.seat)
        alone = self.side_alone and rng.random() < 0.1
        amount = player.unit if rng.random() < 0.7 else player.unit + self.setup.chip_unit * rng.randrange(1, 6)
        if not alone and rng.random() < 0.92:
            amount = max(self.least("ante"), min(amount, self.most("ante")))
            self.add(place, self.lay(player, "ante", amount, named=self.named))
        if self.side and (alone or (place.stakes and rng.random() < 0.15 + 0.6 * player.boldness)):
            least = self.least(self.side)
            amount = max(least, min(self.most(self.side), least * rng.choice((1, 1, 2))))
            self.add(place, self.lay(player, self.side, amount, named=self.named))
        if place.stakes:
            self.places[player.seat] = place

    def add(self, place: Place, stake: Stake | None) -> None:
        """The stake is this place's, where there is one."""
        if stake is not None:
            place.stakes[stake.wager] = stake

    def _think_again(self, place: Place) -> None:
        """A place is given up, or its stake grows or shrinks, while bets are open."""
        stake = self.random.choice(list(place.stakes.values()))
        least = self.least(stake.wager)
        if self.random.random() < 0.4:
            for lying in place.stakes.values():
                self.withdraw(lying)
            del self.places[place.seat]
        elif stake.amount >= 2 * least:
            self.withdraw(stake, least)
        elif stake.player is not None and stake.player.bankroll >= least:
            if stake.amount + least <= self.most(stake.wager):
                self.raise_stake(stake, least)

    # --- the deal -------------------------------------------------------------------------------------------------

    def _new_pack(self) -> None:
        rng = self.random
        self.pack = rng.sample(_DECK, 50)
        self.out = []
        self.dealer = []
        self.board = []
        self.exposed = 0
        for place in self.places.values():
            place.cards = []
            place.folded = False
        if self.chance("wrong_decks"):
            self.emit("shoe_loaded", decks=2)
            self.plant("wrong_decks", Expected(code="dealing_error"))
        elif rng.random() < 0.2:
            self.emit("shoe_loaded", decks=1)

    def card(self, *, seat: int | None = None, to: str | None = None) -> str:
        """The next card of the pack. Raises `DealVoid` when it makes the deal void."""
        rng = self.random
        is_hand = to is None or to == "dealer"
        if is_hand and rng.random() < 0.0008 and not self.planted_in_round:
            self._burn_exposed()
        card = self.pack.pop()
        fields: dict[str, Any] = {"seat": seat} if seat is not None else {"to": to}
        if to == "burn":
            self.emit("card_dealt", card=card, **fields)
            return card
        if self.wanted is not None and rng.random() < 0.2:
            if not self.exposed and self.chance("exposed_card_dealt"):
                fields["exposed"] = True
                self.exposed = 1
                self.plant("exposed_card_dealt", Expected(code="dealing_error", seat=seat))
            elif is_hand and not self.exposed and self.chance("dealt_on_after_void"):
                self.plant("dealt_on_after_void", Expected(code="dealing_error"))
                self.emit("card_dealt", card=self.pack.pop(), to="burn", exposed=True)
                self.emit("card_dealt", card=self.pack.pop(), to="burn", exposed=True)
                self.emit("card_dealt", card=card, **fields)
                raise DealVoid
            elif is_hand and len(self.out) > self.own and self.chance("impossible_card"):
                card = rng.choice(self.out[: -self.own])
                self.plant("impossible_card", Expected(code="impossible_card"))
        self.out.append(card)
        self.emit("card_dealt", card=card, **fields)
        return card

    def _burn_exposed(self) -> None:
        """A card lies face up in the pack: it is passed over; the second one makes the deal void."""
        self.emit("card_dealt", card=self.pack.pop(), to="burn", exposed=True)
        self.exposed += 1
        if self.exposed == 2:
            raise DealVoid

    def _deal(self) -> None:
        """The hands, in packets."""
        rng = self.random
        places = [self.places[seat] for seat in sorted(self.places)]
        self.wait(1, 3)
        for number, place in enumerate(places):
            if self.wanted is not None and number and rng.random() < 0.4:
                self._wrongs_in_deal(place)
            short = rng.random() < 0.3 and self.chance("card_missing")
            place.cards = [self.card(seat=place.seat) for _ in range(self.own - short)]
            if short:
                self.spoil("card_missing")
            self.wait(0.3, 0.8)
            if rng.random() < 0.3 and self.chance("card_too_many"):
                self.card(seat=place.seat)
                self.spoil("card_too_many")
        self.dealer = [self.card(to="dealer") for _ in range(self.dealers)]
        if self.chance("card_too_many"):
            self.card(to="dealer")
            self.spoil("card_too_many")

    def _wrongs_in_deal(self, place: Place) -> None:
        """Wrongs while a place has no cards yet."""
        free = self.free_seat()
        ante = place.stakes.get("ante")
        if free and self.chance("card_to_empty_place"):
            for _ in range(self.random.randrange(1, self.own + 1)):
                self.card(seat=free)
            self.plant("card_to_empty_place", Expected(code="dealing_error", seat=free))
        if ante is None:
            return
        if self.chance("answer_too_soon"):
            self.refused("answer_too_soon", "wager_not_offered", place.seat, self.answer, self.times[0] * ante.amount)
        if self.chance("decision_too_soon"):
            self.illegal("decision_too_soon", place.seat, self.random.choice((self.said, "fold")))
        if not place.given_early and self.chance("settled_too_early"):
            place.given_early = True
            self.settle_early(ante, 0, 0)

    # --- the answers ----------------------------------------------------------------------------------------------

    def staying(self) -> list[Place]:
        """The places that have staked on their cards."""
        return [place for place in self.places.values() if self.answer in place.stakes]

    def _answers(self) -> bool:
        """Each place stakes or gives up. False when new cards are dealt instead."""
        rng = self.random
        playing = [place for place in self.places.values() if "ante" in place.stakes]
        free = self.first_free({place.seat for place in playing})
        if free and self.chance("answer_without_ante"):
            self.refused("answer_without_ante", "wager_not_offered", free, self.answer, self.times[0] * self.minimum)
        if free and self.chance("decision_without_ante"):
            self.illegal("decision_without_ante", free, self.said)
        for place in playing:
            self.wait(2, 7)
            if self.chance("strange_choice"):
                self.illegal("strange_choice", place.seat, rng.choice(("hit", "surrender", "pass")))
            if not place.given_early and self.chance("missing_decision"):
                place.open = True
                self.plant("missing_decision", Expected(code="missing_decision", seat=place.seat))
                continue
            ante = place.stakes["ante"]
            short = ante.player is not None and ante.player.bankroll < self.times[0] * ante.amount
            if place.given_early or short or not self.stays(place):
                self._fold(place)
            else:
                self._stake(place, ante)
        if not self.planted_in_round and rng.random() < 0.002:
            self.emit("shoe_loaded", decks=1)
            for place in self.staying():
                self.give_back(place.stakes.pop(self.answer))
            return False
        return True

    def _fold(self, place: Place) -> None:
        self.emit("decision", seat=place.seat, choice="fold")
        place.folded = True
        if self.chance("fold_twice"):
            self.illegal("fold_twice", place.seat, "fold")
        if self.chance("answer_after_fold"):
            amount = self.times[0] * place.stakes["ante"].amount
            self.refused("answer_after_fold", "wager_not_offered", place.seat, self.answer, amount)

    def _stake(self, place: Place, ante: Stake) -> None:
        rng = self.random
        least, most = self.times
        if rng.random() < 0.4:
            self.emit("decision", seat=place.seat, choice=self.said)
        times = rng.randrange(least, most + 1)
        amount = times * ante.amount
        if ante.player is not None and ante.player.bankroll < amount:
            amount = least * ante.amount
        others = [
            other.stakes["ante"] for other in self.places.values() if other is not place and "ante" in other.stakes
        ]
        if others and self.chance("answer_to_another"):
            other = rng.choice(others)
            self.refused("answer_to_another", "wager_not_offered", place.seat, self.answer, amount, of=other.id)
        chip = self.setup.chip_unit
        wrong = code = ""
        if self.chance("answer_mismatch"):
            wrong, code = "answer_mismatch", "stake_mismatch"
            amount += chip if rng.random() < 0.5 else -chip
        elif self.chance("answer_too_small"):
            wrong, code, amount = "answer_too_small", "below_minimum", least * ante.amount - chip
        elif self.chance("answer_too_large"):
            wrong, code, amount = "answer_too_large", "above_maximum", most * ante.amount + chip
        stake = self.stake_more(place, self.answer, amount)
        if wrong:
            self.plant(wrong, Expected(code=code, bet=stake.id))
        if self.wanted is None:
            return
        if self.chance("answer_twice"):
            self.refused("answer_twice", "too_many_bets", place.seat, self.answer, amount)
        if self.chance("answer_raised"):
            self.raised_in_vain("answer_raised", "late_bet", stake, self.minimum)
        if self.chance("answer_withdrawn"):
            self.grabbed("answer_withdrawn", "withdrawal_not_allowed", stake)
        if self.chance("fold_after_answer"):
            self.illegal("fold_after_answer", place.seat, "fold")

    def stake_more(self, place: Place, wager: str, amount: int) -> Stake:
        """A further stake of a place that has an ante."""
        stake = place.stakes[wager] = self.lay_beside(place.stakes["ante"], wager, amount, named=self.named)
        return stake

    # --- the showdown ---------------------------------------------------------------------------------------------

    def showdown(self) -> None:
        """The stakes are settled, place by place."""
        self.dealer_shows()
        for place in self.places.values():
            self.wait(0.5, 2)
            for stake, paid, returned in self.dues(place):
                if place.given_early and stake.wager == "ante":
                    continue
                before = self.gateway.seq
                self.settle(stake, paid, returned)
                if returned == 0 and stake.wager == "ante":
                    self.grabbed_lost(stake)
                if self.gateway.seq > before and not place.folded and self.wanted is not None:
                    self.wrongs_too_late()

    def wrongs_too_late(self) -> None:
        """Wrongs once the time to answer is over."""
        antes = [place for place in self.places.values() if "ante" in place.stakes]
        if not antes:
            return
        place = self.random.choice(antes)
        if self.chance("answer_too_late"):
            amount = self.times[0] * place.stakes["ante"].amount
            self.refused("answer_too_late", "late_bet", place.seat, self.answer, amount)
        if self.chance("decision_too_late"):
            words = self.late_words or (self.said, "fold")
            self.illegal("decision_too_late", place.seat, self.random.choice(words))

    def won(self, stake: Stake, num: int, den: int = 1) -> tuple[Stake, int, int]:
        """The stake wins ``num``/``den`` of itself."""
        return stake, self.part(stake.amount, num, den), stake.amount

    def by_table(self, stake: Stake, times: int) -> tuple[Stake, int, int]:
        """The stake wins so many times itself; with 0 it is taken."""
        return self.won(stake, times) if times else self.lost(stake)

    def lost(self, stake: Stake) -> tuple[Stake, int, int]:
        """The stake is taken."""
        return stake, 0, 0

    def pushed(self, stake: Stake) -> tuple[Stake, int, int]:
        """The stake comes back."""
        return stake, 0, stake.amount

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def spoil(self, fault: str) -> NoReturn:
        """Too many cards were dealt or too few: raises `DealVoid`."""
        self.plant(fault, Expected(code="dealing_error"))
        raise DealVoid

    def free_seat(self) -> int:
        """The first place without a stake; 0 where none is."""
        return self.first_free(self.places)

    def wrongs_before_call(self) -> None:
        """Wrongs of one game alone, while bets are open."""

    def _wrongs_before_call(self) -> None:
        self.wrongs_before_call()
        rng = self.random
        wager = rng.choice(("ante", self.side)) if self.side_alone else "ante"
        seat, least, most = self.free_seat(), self.least(wager), self.most(wager)
        for fault, amount in (("below_minimum", least - self.setup.chip_unit), ("above_maximum", most + least)):
            if seat and self.chance(fault):
                self.places[seat] = Place(seat)
                self.add(self.places[seat], self.accepted(fault, fault, seat, wager, amount))
        if self.chance("wager_not_offered"):
            seat = rng.randrange(1, self.seats + 1)
            self.refused("wager_not_offered", "wager_not_offered", seat, rng.choice(("jackpot", "insurance")), least)
        if self.chance("place_not_there"):
            self.refused("place_not_there", "wager_not_offered", self.seats + 1, "ante", self.least("ante"))
        if not self.places:
            return
        place = rng.choice(list(self.places.values()))
        stake = rng.choice(list(place.stakes.values()))
        if self.chance("too_many_bets"):
            self.refused("too_many_bets", "too_many_bets", place.seat, stake.wager, self.least(stake.wager))
        if self.chance("duplicate_bet"):
            self.laid_again(stake)

    def _wrongs_after_call(self) -> None:
        rng = self.random
        place = rng.choice(list(self.places.values()))
        stake = rng.choice(list(place.stakes.values()))
        if self.chance("late_bet"):
            wager = self.side if self.side and rng.random() < 0.5 else "ante"
            self.refused("late_bet", "late_bet", rng.randrange(1, self.seats + 1), wager, self.least(wager))
        if self.chance("late_raise"):
            self.raised_in_vain("late_raise", "late_bet", stake, self.minimum)
        if self.chance("late_withdrawal"):
            self.grabbed("late_withdrawal", "late_withdrawal", stake)
