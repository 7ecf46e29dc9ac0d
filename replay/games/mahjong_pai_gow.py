"""Mahjong Pai Gow, two tiles against the bank's two: AD-2022, game 17.

II    Forty tiles: four each of 1 to 9 and four white dragons, which are worth 10.
IV    The set is shuffled every five rounds; tie and pair are not offered from the fourth on. Three dice name the
      position that gets its tiles first, counter-clockwise: bank, 1, 2, 3. The hierarchy of hands is wanting in the
      copy at hand; it is that of the same game elsewhere: pairs, then 2-8, then points, and of equal points the higher
      tile.
V     A position's hand wins, loses or ties against the bank's; two identical tiles are a pair whatever the bank holds.
VI    Win and lose pay even money less 5 per cent, the tie 60, the pair 6 to 1.
VIII  Stakes go down before the tiles are dealt, within limits of which the upper is 20 to 100 times the lower.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Annotated, Final

import msgspec
from pydantic import Field, model_validator

from replay.book import Bet, Book
from replay.events import BetPlaced, BetsClosed, BetSettled, DiceChanged, DiceRolled, RoundClosed, ShoeLoaded, TileDealt
from replay.games import Game, Objection
from replay.law import ONE_PRICE, Count, Fault, GameLaw, Passage, Passages, Provision, Several
from replay.money import Price
from replay.odds import Odds, edge_and_variance, net
from replay.rules import GameRules, Table, Wager
from replay.watched import AtMost, Null, Watchable, either_way

BANK: Final = 0
POSITIONS: Final = (0, 1, 2, 3)
"""IV: bank, 1, 2, 3, and so on round the table."""
WHITE_DRAGON: Final = 10
TILES: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, WHITE_DRAGON)
TILES_A_ROUND: Final = 2 * len(POSITIONS)
PUSH: Final = Price(0)
THROWS: Final = range(3, 19)
"""What three dice may add up to."""

Positive = Annotated[int, Field(ge=1)]


class TileSet(Provision):
    """II, IV: copies of each tile, rounds that are dealt of one set, and the rounds with tie and pair."""

    copies: Positive
    rounds: Positive
    tie_and_pair_rounds: Count

    @property
    def unseen_with_pairs(self) -> int:
        """So many tiles at least have not been seen when a pair is staked."""
        rounds_before = max(min(self.tie_and_pair_rounds, self.rounds) - 1, 0)
        return len(TILES) * self.copies - TILES_A_ROUND * rounds_before


class FirstPosition(Provision):
    """IV: the sums of the dice by which each position gets the first tile."""

    bank: Several[int]
    player_1: Several[int]
    player_2: Several[int]
    player_3: Several[int]

    @property
    def by_sum(self) -> dict[int, int]:
        """The position that a sum names."""
        sums = (self.bank, self.player_1, self.player_2, self.player_3)
        return {total: position for position, totals in enumerate(sums) for total in totals}

    @model_validator(mode="after")
    def _each_sum_once(self) -> FirstPosition:
        sums = sorted((*self.bank, *self.player_1, *self.player_2, *self.player_3))
        if sums != list(THROWS):
            raise ValueError(f"each sum of three dice, {THROWS[0]} to {THROWS[-1]}, at one position")
        return self


class Limits(Provision):
    """VIII: within which multiples of the minimum the maximum lies."""

    least_multiple: Positive
    most_multiple: Positive

    @model_validator(mode="after")
    def _in_order(self) -> Limits:
        if self.most_multiple < self.least_multiple:
            raise ValueError("most_multiple is no less than least_multiple")
        return self


class MahjongPassages(Passages):
    """What is cited beside the tables."""

    tiles: Passage
    """Which tiles the set holds."""
    deal: Passage
    """The set is shuffled, then each position is dealt its tiles."""
    two_tiles: Passage
    """Each position gets two."""
    tie_and_pair: Passage
    """When these two wagers are not offered any more."""


class MahjongLaw(GameLaw):
    """What Mahjong Pai Gow asks of its pack."""

    known_wagers = frozenset({"win", "lose", "tie", "pair"})
    prices_needed = dict.fromkeys(known_wagers, (ONE_PRICE,))
    known_options = frozenset({"multiples_of_min"})

    passages: MahjongPassages
    set: TileSet
    first_position: FirstPosition
    limits: Limits

    def faults(self) -> Iterator[Fault]:
        """VIII: multiples of the minimum are demanded, or are not."""
        for name, option in self.options.items():
            if option.kind != "flag":
                yield Fault(f"options.{name}.kind", f"flag, not {option.kind}")


# --- IV, the hierarchy of hands -----------------------------------------------------------------------------------


def strength(first: int, second: int) -> tuple[int, int, int]:
    """IV: what a hand of two tiles is worth; the higher tuple is the better hand. Equal only for the same two tiles."""
    if first == second:
        return (2, first, first)
    if {first, second} == {2, 8}:
        return (1, 0, 8)
    return (0, (first + second) % 10, max(first, second))


# --- V and VI, what two hands make of a wager ---------------------------------------------------------------------


def ruling(wager: Wager, hand: tuple[int, int], bank: tuple[int, int]) -> Price | None:
    """V, VI: what a wager on a position wins; None when it loses. Win and lose come back at a tie."""
    if wager.id == "pair":
        return wager.price if hand[0] == hand[1] else None
    mine, banks = strength(*hand), strength(*bank)
    if wager.id == "tie":
        return wager.price if mine == banks else None
    if mine == banks:
        return PUSH
    return wager.price if (mine > banks) == (wager.id == "win") else None


# --- IV, the procedure --------------------------------------------------------------------------------------------


class MahjongPaiGow(Game):
    """One table. A bet is decided by the last tile that is dealt to its position or to the bank."""

    handles = ("tile_dealt", "dice_rolled", "dice_changed", "shoe_loaded")

    needs = MahjongLaw
    watched = Watchable(dice=3)

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """The two hands may lie the one or the other way round, so that one beats the other as often as not, whatever
        is left of the set: at 0.95 for one, with ties given back, win and lose give back at most 1. Of N tiles not seen
        at most (c - 1)/(N - 1) of all pairs are of a kind where the set has c copies (c each of N/c kinds); of four,
        pairs are offered as long as N is 24 or more: 7 x 3/23. The tie, at 60 for one, has no null: it gives back 2.1
        where six kinds of four tiles each are left."""
        nulls: dict[str, Null | None] = {}
        tiles = rules.law_as(MahjongLaw).set
        for wager in rules.wagers.values():
            assert wager.price is not None
            if wager.id in ("win", "lose"):
                nulls[wager.id] = either_way(wager.price)
            elif wager.id == "pair" and 1 < tiles.copies < tiles.unseen_with_pairs:
                of_a_kind = Fraction(tiles.copies - 1, tiles.unseen_with_pairs - 1)
                nulls["pair"] = AtMost((1 + wager.price.ratio) * of_a_kind)
        return msgspec.structs.replace(cls.watched, nulls=nulls)

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.law = law = table.rules.law_as(MahjongLaw)
        self.copies = law.set.copies
        self.rounds_most = law.set.rounds
        self.tie_and_pair_rounds = law.set.tie_and_pair_rounds
        self.first_of = law.first_position.by_sum
        self.dice_passage = law.first_position.passage
        self.deal_passage = law.passages.deal
        self.misdeal_passage = law.passages.two_tiles
        self.in_multiples = bool(table.options.get("multiples_of_min"))
        """Stakes have to be multiples of the minimum."""
        self.set_known = True
        """False where events are missing: which round of the set this is, nobody knows until the next shuffle."""
        self.rounds_dealt = 0
        """Rounds of this set in which a tile has been dealt, this one included."""
        self.out: dict[int, int] = {}
        self.clear_table()

    def clear_table(self) -> None:
        """No tile lies on the table."""
        self.hands: tuple[list[int], ...] = ([], [], [], [])
        self.dealt = False
        self.called = False
        self.thrown = False
        self.first: int | None = None
        """The position that the last throw named; None when it was void."""
        self.begun = 0
        """Positions that have their first tile."""
        self.order_judged = False
        self.stakes: dict[str, Bet] = {}
        """This round's bets."""
        self.claimed: dict[str, Bet] = {}
        """Those with a claim that another tile would make premature."""

    def table_opened(self) -> None:
        """VIII: the maximum is 20 to 100 times the minimum."""
        least, most = self.table.minimum, self.table.maximum
        limits = self.law.limits
        low, high = limits.least_multiple, limits.most_multiple
        if least and most is not None and not low * least <= most <= high * least:
            shown = self.table.shown
            text = f"the maximum of {shown(most)} is not {low} to {high} times the minimum of {shown(least)}"
            self.report_setup([(limits.passage, text)])

    def round_begins(self) -> None:
        super().round_begins()
        self.clear_table()

    # VIII, stakes

    def round_of_set(self) -> int:
        """Which round of its set this one is."""
        return self.rounds_dealt if self.dealt else self.rounds_dealt + 1

    def bet_placed(self, event: BetPlaced) -> None:
        """A stake goes down. Whether tie and pair are offered, nobody knows where the round of the set is unknown."""
        if event.wager in ("tie", "pair") and not self.set_known:
            self.book.place_unseen(event)
        else:
            super().bet_placed(event)

    def objection(self, bet: Bet) -> Objection | None:
        objection = self.not_offered(bet)
        if objection is None and bet.seat not in (1, 2, 3):
            text = f"bets belong to positions 1 to 3, not to {bet.seat}"
            objection = Objection("wager_not_offered", self.wager_passage, text)
        if objection is None and bet.wager_id in ("tie", "pair"):
            number = self.round_of_set()
            if self.tie_and_pair_rounds < number <= self.rounds_most:
                text = f"{bet.wager_id} is not offered in round {number} of a set"
                objection = Objection("wager_not_offered", self.law.passages.tie_and_pair, text)
        if objection is None and not self.betting_open:
            objection = self.late(bet)
        return objection

    def placed(self, bet: Bet) -> None:
        self.stakes[bet.id] = bet

    def withdrawn(self, bet: Bet) -> None:
        self.stakes.pop(bet.id, None)

    def bets_closed(self, event: BetsClosed) -> None:
        """ "No hi va més"."""
        self.called = True
        self.close_betting()

    def close_betting(self) -> None:
        """The bets are what they are, each within the limits by itself."""
        if not self.betting_open:
            return
        self.betting_open = False
        shown = self.table.shown
        minimum = self.table.minimum
        for bet in self.stakes.values():
            objection = self.under_minimum(bet, self.table.least(bet.wager_id), self.call_passage)
            if objection is not None:
                self.book.report(*objection, bet=bet)
            most = self.table.most(bet.wager_id)
            if most is not None and bet.amount > most:
                self.book.report(
                    "above_maximum",
                    self.call_passage,
                    f"{bet.wager_id} bet {bet.id}: {shown(bet.amount)} is over the maximum of {shown(most)}",
                    bet=bet,
                )
            if minimum and bet.amount % minimum and self.in_multiples:
                self.book.report(
                    "stake_mismatch",
                    self.call_passage,
                    f"{bet.wager_id} bet {bet.id}: {shown(bet.amount)} is no multiple of {shown(minimum)}",
                    bet=bet,
                )

    # IV, the set and the dice

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """The forty tiles are shuffled anew."""
        self.set_known = True
        self.rounds_dealt = 0
        self.out = {}

    def dice_rolled(self, event: DiceRolled) -> None:
        """The sum names the first position. A void throw, or one without three faces, names none."""
        if not self.dealt:
            self.thrown = True
            valid = event.void is None and len(event.dice) == 3 and all(1 <= die <= 6 for die in event.dice)
            self.first = self.first_of[sum(event.dice)] if valid else None

    def dice_changed(self, event: DiceChanged) -> None:
        """The dice only order the deal: other ones may be taken at any time."""

    # IV, the tiles

    def tile_dealt(self, event: TileDealt) -> None:
        """A tile goes to a position. It counts as it lies."""
        if not self.dealt:
            self.deal_begins()
        tile = event.tile if isinstance(event.tile, int) else WHITE_DRAGON
        copies = self.out[tile] = self.out.get(tile, 0) + 1
        if copies > self.copies and self.set_known:
            self.book.report(
                "impossible_card",
                self.law.passages.tiles,
                f"tile {event.tile} has come out {copies} times in one set, which holds {self.copies}",
            )
        if event.to == "dealer":
            position = BANK
        elif event.seat is not None and event.seat in (1, 2, 3):
            position = event.seat
        else:
            self.dealing_error("a tile was dealt to no position")
            return
        hand = self.hands[position]
        if not hand:
            self.check_order(position)
        hand.append(tile)
        if self.claimed:
            self.find_early_claims(position)
        if len(hand) == 2:
            self.compare(position)
        elif len(hand) == 3:
            self.dealing_error(f"{name_of(position)} got a third tile", position or None, self.misdeal_passage)
            self.misdeal(position)

    def dealing_error(self, text: str, seat: int | None = None, passage: str = "") -> None:
        """The deal is not as it should be; the tiles count as they lie."""
        self.book.report("dealing_error", passage or self.deal_passage, text, seat=seat)

    def deal_begins(self) -> None:
        """The first tile: the set must be shuffled, the betting closed, the dice thrown."""
        self.dealt = True
        if self.rounds_dealt >= self.rounds_most and self.set_known:
            self.dealing_error(f"round {self.rounds_dealt + 1} of a set was dealt without a shuffle")
            self.rounds_dealt = 0
            self.out = {}
        self.rounds_dealt += 1
        if not self.called:
            self.dealing_error("the tiles were dealt before no more bets was called", passage=self.call_passage)
        self.close_betting()
        if not self.thrown:
            self.dealing_error("the tiles were dealt without a throw of the dice", passage=self.dice_passage)
        elif self.first is None:
            self.book.report("bad_throw_counted", self.dice_passage, "the tiles were dealt on a void throw")

    def check_order(self, position: int) -> None:
        """The positions get their first tile in turn, from the one that the dice named."""
        if self.first is not None and not self.order_judged:
            expected = (self.first + self.begun) % len(POSITIONS)
            if position != expected:
                self.order_judged = True
                self.dealing_error(
                    f"{name_of(position)} got its tile when it was the turn of {name_of(expected)}",
                    passage=self.dice_passage,
                )
        self.begun += 1

    # V, bets are decided by the last tile of their position or of the bank

    def bets_at(self, position: int) -> list[Bet]:
        """The bets that a tile of this position concerns: all of them where it is the bank's."""
        return [bet for bet in self.stakes.values() if position in (BANK, bet.seat)]

    def find_early_claims(self, position: int) -> None:
        """Claims that came before this tile came too early."""
        for bet in self.bets_at(position):
            if self.claimed.pop(bet.id, None) is not None:
                self.book.settled_too_early(bet)

    def compare(self, position: int) -> None:
        """A position has its two tiles: hands are compared where the bank has two as well."""
        bank = self.hands[BANK]
        for bet in self.bets_at(position):
            hand = self.hands[bet.seat]
            if len(hand) == len(bank) == 2 and not bet.decided:
                assert bet.wager is not None
                price = ruling(bet.wager, (hand[0], hand[1]), (bank[0], bank[1]))
                if price is None:
                    self.book.decide(bet, 0, 0)
                else:
                    self.book.decide(bet, self.table.pay(bet.amount, price), bet.amount)

    def misdeal(self, position: int) -> None:
        """A position has not exactly two tiles: its bets go back, all bets where it is the bank."""
        for bet in self.bets_at(position):
            if not bet.decided or self.book.reopen(bet):
                self.book.decide(bet, 0, bet.amount, self.misdeal_passage)

    def bet_settled(self, event: BetSettled) -> None:
        """A claim. If it came too early, a further tile will tell."""
        bet = self.stakes.get(event.bet)
        if bet is None:
            super().bet_settled(event)
            return
        if bet.claimed_paid is None:
            self.claimed[bet.id] = bet
        self.book.claim(event, early=False)

    # The end of the round

    def round_closed(self, event: RoundClosed) -> None:
        """Positions that have not got two tiles are misdealt."""
        short = [position for position in POSITIONS if len(self.hands[position]) < 2]
        if self.dealt:
            for position in short:
                self.dealing_error(
                    f"{name_of(position)} got {len(self.hands[position])} tiles, not two",
                    position or None,
                    self.misdeal_passage,
                )
            self.outcome = "; ".join(
                f"{name_of(position)} {shown_hand(self.hands[position])}" for position in POSITIONS
            )
        elif self.stakes:
            self.dealing_error(
                "the round was closed with bets on the table and no tile dealt", None, self.misdeal_passage
            )
        for position in short:
            for bet in self.bets_at(position):
                if not bet.decided:
                    self.book.decide(bet, 0, bet.amount, self.misdeal_passage)
        self.stakes = {}
        self.claimed = {}
        super().round_closed(event)

    def lost_sight(self) -> None:
        self.set_known = False
        self.clear_table()


def name_of(position: int) -> str:
    """A position, for people."""
    return f"position {position}" if position else "the bank"


def shown_hand(tiles: list[int]) -> str:
    """A hand, for people: ``9-W``."""
    return "-".join("W" if tile == WHITE_DRAGON else str(tile) for tile in tiles) or "none"


# --- Exact odds ---------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """One position against the bank, four tiles of a fresh set."""
    copies = rules.law_as(MahjongLaw).set.copies
    left = dict.fromkeys(TILES, copies)
    deals: list[tuple[tuple[int, int], tuple[int, int], int]] = []
    hands = list(combinations_with_replacement(TILES, 2))
    for bank in hands:
        banks_ways = ways(bank, left)
        for tile in bank:
            left[tile] -= 1
        deals += [(hand, bank, banks_ways * ways(hand, left)) for hand in hands]
        for tile in bank:
            left[tile] += 1
    for wager in rules.wagers.values():
        outcomes = [(weight, net(ruling(wager, hand, bank))) for hand, bank, weight in deals]
        edge, variance = edge_and_variance(outcomes)
        yield Odds(wager=wager.id, edge=edge, variance=variance, assumes="a fresh set of forty tiles")


def ways(hand: tuple[int, int], left: dict[int, int]) -> int:
    """In how many ways the tiles that are left give this hand."""
    first, second = hand
    return left[first] * (left[first] - 1) // 2 if first == second else left[first] * left[second]


GAME = MahjongPaiGow
