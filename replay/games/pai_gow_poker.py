"""Pai gow poker, two hands out of seven cards: AD-2022, game 12 (the copy begins at the end of III).

III    At most six players sit at the table. The seats are numbered counter-clockwise, the dealer's own is 0.
V      A win is paid at par less a commission of at most 5 %, a null game gives the stake back, a loss takes it.
VI     After "no va més" the dealer throws three dice: counted from the bank, their sum names who gets the first of the
       hands of seven cards, face down, one after the other, counter-clockwise. The bank may be the dealer or a player.
       Everybody makes a low hand of two cards and a high hand of five, which must be the better one; the dealer last,
       in the open, by the house way. The bank's hands are compared with the dealer's first, then with the players'.
VII.3  A hand wrongly composed always loses.

Who beats the bank with both hands wins, with one of them has a null game; equal hands are the bank's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from replay.book import Bet, Book
from replay.cards import FRENCH_DECK, Shoe
from replay.events import (
    BetsClosed,
    BetSettled,
    CardDealt,
    CommissionTaken,
    Decision,
    DiceChanged,
    DiceRolled,
    RoundClosed,
    ShoeLoaded,
)
from replay.games import Game, Objection
from replay.games._foxwoods import foxwoods, high_rank, low_rank, without
from replay.hands import JOKER, PaiGow, legible, pai_gow
from replay.law import Fault, GameLaw, Passage, Passages, Provision, Several, nearest
from replay.money import EVEN, Price
from replay.odds import Odds
from replay.rules import GameRules, Table
from replay.watched import Watchable

DEALER: Final = 0
"""The dealer's position in the ring."""
POSITIONS: Final = 7
UNREAD: Final = "??"
NO_JOKER: Final = "none"
FOXWOODS: Final = "foxwoods"
PER_CENT: Final = 100
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "joker": ("semi_wild", NO_JOKER),
    "wheel": ("second", "low"),
    "house_way": (FOXWOODS, "none"),
}
"""The options among named ways, and the ways that there are."""


class Places(Provision):
    """III: how many players sit at the table. The ring has one position more, the dealer's."""

    most: Annotated[int, Field(ge=1, lt=POSITIONS)]


class Deal(Provision):
    """VI: so many dice, and hands of so many cards, of which so many are the low hand."""

    dice: Annotated[int, Field(ge=1)]
    hand: Literal[7]
    front: Literal[2]


class Void(Provision):
    """VI: the grounds on which a card makes the round void, as ``card_dealt`` names them."""

    grounds: Several[Passage]


class PaiGowPokerPassages(Passages):
    """What is cited beside the tables."""

    pack: Passage
    """Which cards there are."""
    misset: Passage
    """A hand wrongly composed loses."""


class PaiGowPokerLaw(GameLaw):
    """What pai gow poker asks of its pack."""

    known_wagers = frozenset({"main", "bank"})
    needed_wagers = frozenset({"main"})
    known_options = frozenset({"commission_pct", "player_bank", *CHOICES})
    needed_options = known_options

    passages: PaiGowPokerPassages
    places: Places
    deal: Deal
    void: Void

    def faults(self) -> Iterator[Fault]:
        """V: stakes win at par, less a commission; options of the kinds and the choices that there are."""
        for name, wager in self.wagers.items():
            if wager.pays != EVEN:
                yield Fault(f"wagers.{name}.pays", "'1/1': a win is paid at par, less the commission")
        for name in sorted(self.known_options & set(self.options)):
            option, key = self.options[name], f"options.{name}"
            kind = {"commission_pct": "fraction", "player_bank": "flag"}.get(name, "choice")
            if option.kind != kind:
                yield Fault(f"{key}.kind", f"{kind}, not {option.kind}")
            if option.default is None and option.only is None:
                yield Fault(f"{key}.default", "is missing")
            known = CHOICES.get(name, ())
            for choice in option.choices:
                if known and choice not in known:
                    near = nearest(str(choice), known)
                    yield Fault(f"{key}.choices", f"no such choice: {choice} (there are: {', '.join(known)}){near}")
            if name == "commission_pct":
                if option.least is None or option.least < 0:
                    yield Fault(f"{key}.least", "0 or more")
                if option.most is None or option.most > PER_CENT:
                    yield Fault(f"{key}.most", f"{PER_CENT} or less")


# --- V to VII, what two hands make of a stake ---------------------------------------------------------------------


class Hand:
    """Seven cards and how they are divided."""

    __slots__ = ("cards", "due", "early", "front", "high", "judged", "low", "misset", "seat")

    def __init__(self, seat: int, *, due: bool) -> None:
        self.seat = seat
        self.due = due
        """It has a stake, or is the bank's or the dealer's."""
        self.cards: list[str] = []
        self.front: list[str] | None = None
        """The two cards of the low hand, once it is set."""
        self.early = False
        """It was set before another hand that the dealer had to wait for."""
        self.judged = False
        self.low = 0
        self.high = 0
        self.misset = False
        """VI: the low hand outranks the high hand."""

    def divide(self, ranking: PaiGow, front: tuple[str, ...] | list[str]) -> None:
        """Two cards are the low hand, the other five the high hand."""
        self.low = low_rank(front)
        self.high = high_rank(ranking, without(self.cards, front))
        self.misset = self.low > self.high

    @property
    def readable(self) -> bool:
        """Every card of it could be read."""
        return legible(card for card in self.cards if card != JOKER)


def wins(hand: Hand, bank: Hand) -> int:
    """V, VII.3: 2 when the hand wins, 1 for a null game, 0 when it loses. A copy goes to the bank."""
    if hand.misset:
        return 0
    if bank.misset:
        return 2
    return (hand.low > bank.low) + (hand.high > bank.high)


def dealing_order(bank: int, total: int, served: set[int]) -> list[int]:
    """VI: the positions that get hands, in order. The count begins at the bank, which is 1, 8 and 15."""
    first = bank + total - 1
    return [place % POSITIONS for place in range(first, first + POSITIONS) if place % POSITIONS in served]


def cover(bank: int, stakes: list[tuple[int, int]]) -> list[int]:
    """VI: how much of each stake (position, amount) a bank of this amount covers, in the order given."""
    covered = []
    for _, amount in stakes:
        covered.append(min(amount, bank))
        bank -= covered[-1]
    return covered


# --- VI, the procedure --------------------------------------------------------------------------------------------


class PaiGowPoker(Game):
    """One table. Stakes on which no card was dealt play on in the next round."""

    handles = ("card_dealt", "dice_rolled", "dice_changed", "decision", "shoe_loaded", "commission_taken")

    needs = PaiGowPokerLaw
    reports_cut = True
    stakes_live_on = True

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """As many dice as the law has thrown. No wager has a null: the house plays by a fixed way, against which the
        best division of seven cards is not known, and a player may be the bank, so that what one wins another loses."""
        return Watchable(dice=rules.law_as(PaiGowPokerLaw).deal.dice)

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = table.rules.law_as(PaiGowPokerLaw)
        options = table.options
        self.places_most = law.places.most
        self.places_passage = law.places.passage
        self.dice_due = law.deal.dice
        self.hand_size: int = law.deal.hand
        self.front_size: int = law.deal.front
        self.deal_passage = law.deal.passage
        self.void_grounds = law.void.grounds
        self.void_passage = law.void.passage
        self.misset_passage = law.passages.misset
        self.pack_passage = law.passages.pack
        self.may_bank: bool = options["player_bank"]
        self.house_way: bool = options["house_way"] == FOXWOODS
        commission = Fraction(options["commission_pct"], PER_CENT)
        self.net_price = Price.of(1 - commission)
        """What a win is paid: par, less the commission."""
        self.ranking = pai_gow(options["wheel"])
        self.shoe = Shoe(1, FRENCH_DECK if options["joker"] == NO_JOKER else (*FRENCH_DECK, JOKER))
        self.stakes: list[Bet] = []
        """The stakes in play, in the order of placing."""
        self.stakes_unseen = False
        """Events are missing: stakes of a round without cards may have been carried over."""
        self.clear()

    def clear(self) -> None:
        """No dice, no cards, no hands."""
        self.bank: Bet | None = None
        """The stake of a player who banks; known once the stakes are closed."""
        self.dice: list[int] | None = None
        self.order: list[int] = []
        self.turn = -1
        """Place in the order of the hand that is being dealt."""
        self.hands: dict[int, Hand] = {}
        self.dealt = False
        self.misdealt = False
        self.finished = False
        """All hands are dealt and set: the stakes are decided."""
        self.void = False
        self.unjudged = False
        """What stakes there are is not known."""
        self.unset = 0
        """So many hands are yet to be set."""
        self.claimed: list[Bet] = []
        """Stakes settled since the last card or set."""
        self.commission_due = 0
        self.commission_taken_sum: int | None = None

    # --- the round ----------------------------------------------------------------------------------------------------

    def round_begins(self) -> None:
        super().round_begins()
        self.stakes = [] if self.dealt else [bet for bet in self.stakes if not bet.decided]
        self.clear()
        self.shoe.load()  # the pack is shuffled for every round
        if not self.stakes_unseen:
            self.book.unseen = False

    def bets_closed(self, event: BetsClosed) -> None:
        self.close_betting()

    def round_closed(self, event: RoundClosed) -> None:
        """What was not set by now is set by the house way. Without any card the stakes stay where they are."""
        if self.dealt and not self.unjudged and not self.void and not self.finished:
            self.finish()
        self.check_commission()
        if self.dealt:
            self.stakes_unseen = self.book.unseen = False  # whatever lay on the table has been played for
        super().round_closed(event)

    def lost_sight(self) -> None:
        self.clear()
        self.stakes = []
        self.stakes_unseen = True

    def sight_again(self, event: Any) -> bool:
        """Hands were dealt: no stake from before them is left when the next round begins."""
        if event.type == "card_dealt" and event.to != "burn":
            self.stakes_unseen = False
        return False

    # --- stakes -------------------------------------------------------------------------------------------------------

    def objection(self, bet: Bet) -> Objection | None:
        """What no later stake can change; the rest is judged when the stakes are closed."""
        if not self.betting_open:
            return self.late(bet)
        objection = self.not_offered(bet)
        if objection is not None:
            return objection
        least = DEALER if bet.wager_id == "main" and self.may_bank else 1
        if not least <= bet.seat <= self.places_most:
            return self.refusal(bet, f"there is no such box at seat {bet.seat}", self.places_passage)
        if bet.wager_id == "bank" and not self.may_bank:
            return self.refusal(bet, "no player banks at this table", self.call_passage)
        return None

    def refusal(self, bet: Bet, why: str, passage: str) -> Objection:
        """The bet is not offered."""
        return Objection("wager_not_offered", passage, f"{bet.wager_id} bet {bet.id}: {why}")

    def placed(self, bet: Bet) -> None:
        self.stakes.append(bet)

    def withdrawn(self, bet: Bet) -> None:
        self.stakes.remove(bet)

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        return super().objection_to_raise(bet, by) if bet in self.stakes else self.late(bet)

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        if bet in self.stakes:
            return super().objection_to_withdrawal(bet)
        return Objection("late_withdrawal", self.call_passage, f"bet {bet.id} is of a round that is over")

    def banker(self) -> Bet | None:
        """The first player's bank that lies on the table."""
        return next((bet for bet in self.stakes if bet.wager_id == "bank"), None)

    def objection_at_close(self, bet: Bet, bank: Bet | None) -> Objection | None:
        """One bank, against which neither its own seat nor, where the dealer banks, the house stakes."""
        if bet.wager_id == "bank":
            if bet is bank:
                return None
            return Objection("too_many_bets", self.call_passage, f"bank {bet.id}: there is a bank already")
        if bet.seat == (DEALER if bank is None else bank.seat):
            return self.refusal(bet, "the bank does not stake against itself", self.call_passage)
        return None

    def close_betting(self) -> None:
        """ "No va més": the stakes are judged as they lie, and it is known which hands are due."""
        if not self.betting_open:
            return
        self.betting_open = False
        if self.stakes_unseen:
            self.unjudged = True  # who banks, and against whom, is not known
            self.book.lose_sight()
            self.stakes = []
            return
        self.bank = bank = self.banker()
        for bet in list(self.stakes):
            objection = self.objection_at_close(bet, bank)
            if objection is not None:
                self.stakes.remove(bet)
                self.book.refuse(bet, *objection)
            elif bet.claimed_paid is not None and bet.state is None:
                self.book.settled_too_early(bet)
            bet.state = True
        self.check_limits()
        if bank is not None:
            against = sum(bet.amount for bet in self.against())
            if bank.amount < against:
                shown = self.table.shown
                text = f"the bank of {shown(bank.amount)} does not cover the stakes of {shown(against)}"
                self.book.report_once(bank, "stake_mismatch", self.call_passage, text)
        for seat in (self.bank_seat, DEALER, *(bet.seat for bet in self.stakes)):
            if seat not in self.hands:
                self.hands[seat] = Hand(seat, due=True)
        self.unset = len(self.hands)

    @property
    def bank_seat(self) -> int:
        """Who banks: a player's seat, or the dealer."""
        return DEALER if self.bank is None else self.bank.seat

    def check_limits(self) -> None:
        """V: each stake against the minimum, those of one seat together against the maximum. Not the house's own."""
        least, most = self.table.least("main"), self.table.most("main")
        sums: dict[int, int] = {}
        for bet in self.stakes:
            if bet.wager_id != "main" or bet.seat == DEALER:
                continue
            objection = self.under_minimum(bet, least, self.wager_passage)
            if objection is not None:
                self.book.report_once(bet, *objection)
            total = sums[bet.seat] = sums.get(bet.seat, 0) + bet.amount
            if most is not None and total > most:
                shown = self.table.shown
                text = f"with bet {bet.id} seat {bet.seat} has {shown(total)}; {shown(most)} is the maximum"
                self.book.report_once(bet, "above_maximum", self.wager_passage, text)

    def against(self) -> Iterator[Bet]:
        """VI: the stakes against the bank, the house's first, then seat by seat counter-clockwise from the bank."""
        seats = [(self.bank_seat + step) % POSITIONS for step in range(1, POSITIONS)]
        for seat in (DEALER, *(seat for seat in seats if seat != DEALER)):
            for bet in self.stakes:
                if bet.seat == seat and bet.wager_id == "main":
                    yield bet

    def wins(self, bet: Bet) -> dict[str, int]:
        """A stake as far as the bank covers it, at par, a player's less the commission; the bank what it wins if every
        hand loses. Before the stakes are closed nobody banks yet, and a stake is taken to be covered."""
        if bet.wager is None:
            return {}
        stakes = list(self.against()) if self.bank is not None else []
        if bet.wager_id == "bank":
            if bet is not self.bank:
                return {}
            at_stake = sum(cover(bet.amount, [(each.seat, each.amount) for each in stakes]))
            return {"every_hand_loses": self.table.pay(at_stake, self.net_price)}
        amount = bet.amount
        if self.bank is not None and bet in stakes:
            covered = cover(self.bank.amount, [(each.seat, each.amount) for each in stakes])
            amount = covered[stakes.index(bet)]
        return {"": self.table.pay(amount, EVEN if bet.seat == DEALER else self.net_price)}

    # --- the dice, the cards ------------------------------------------------------------------------------------------

    def dice_rolled(self, event: DiceRolled) -> None:
        """Three dice, once, after "no va més". A void throw is thrown again."""
        if event.void is not None:
            return
        faults = []
        if self.betting_open:
            faults.append("the dice were thrown before no more bets")
        if self.dice is not None:
            faults.append("the dice were thrown a second time")
        if len(event.dice) != self.dice_due:
            faults.append(f"{len(event.dice)} dice were thrown; there are {self.dice_due}")
        if self.dice is None:
            self.dice = event.dice
        if faults:
            self.book.report("dealing_error", self.deal_passage, "; ".join(faults))

    def dice_changed(self, event: DiceChanged) -> None:
        """The dice only say who is served first: which ones they are is no matter."""

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """Another pack."""
        self.shoe.load()

    def card_dealt(self, event: CardDealt) -> None:
        """A card of a hand; those that are left over are put away."""
        card = event.card
        if not self.shoe.take(card) and self.shoe.seen[card] == self.shoe.copies.get(card, 0) + 1:
            self.book.report("impossible_card", self.pack_passage, f"{card} came out more often than the pack holds it")
        stray = event.to == "burn"
        if not stray and not self.dealt:
            self.deal_begins()
        if self.unjudged or self.void:
            return
        if not stray:
            self.claims_were_early()
        if event.void in self.void_grounds:
            self.make_void()
        elif not stray:
            self.hand_card(event)

    def deal_begins(self) -> None:
        """The first card of a hand: the stakes are closed and the dice are thrown."""
        self.dealt = True
        if self.betting_open:
            self.book.report("dealing_error", self.deal_passage, "a card was dealt before no more bets")
            self.close_betting()
        if self.unjudged:
            return
        if self.dice is None:
            self.misdeal("no dice were thrown")
        else:
            self.order = dealing_order(self.bank_seat, sum(self.dice), set(self.hands))

    def hand_card(self, event: CardDealt) -> None:
        """Whose card it is, and whether it comes in its turn."""
        if event.up:
            self.misdeal(f"{event.card} was dealt face up")
        seat = DEALER if event.to == "dealer" else event.seat if event.to is None else None
        if seat is None:
            self.misdeal(f"{event.card} was dealt to no hand of this game")
            return
        hand = self.hands.get(seat)
        if hand is None:
            hand = self.hands[seat] = Hand(seat, due=False)
        hand.cards.append(event.card)
        if not hand.due:
            self.misdeal(f"seat {seat} was served and has no stake")
        elif self.order:
            if seat != self.order[self.turn] or self.turn < 0:
                self.turn += 1
                if self.turn >= len(self.order) or seat != self.order[self.turn]:
                    self.misdeal("the hands were not served in the order of the dice")
                    self.order = []
        if len(hand.cards) > self.hand_size:
            self.misdeal(f"a hand has {len(hand.cards)} cards; {self.hand_size} are due")
        if self.finished:
            self.make_void()
        elif not self.unset and self.complete():
            self.finish()

    def complete(self) -> bool:
        """Every hand that was dealt, or is due, has its seven cards."""
        return all(len(hand.cards) == self.hand_size for hand in self.hands.values())

    def misdeal(self, why: str) -> None:
        """Said once a round. Whether the round is void, the hands say when they are all there."""
        if not self.misdealt:
            self.misdealt = True
            self.book.report("dealing_error", self.deal_passage, why)

    def make_void(self) -> None:
        """The round is void: all stakes go back, whatever was decided before."""
        self.betting_open = False
        self.void = True
        self.outcome = "void"
        self.commission_due = 0
        for bet in self.stakes:
            if not bet.decided or self.book.reopen(bet):
                self.book.decide(bet, 0, bet.amount, self.void_passage)

    # --- the hands are set --------------------------------------------------------------------------------------------

    def decision(self, event: Decision) -> None:
        """``set``: two cards of the hand are its low hand."""
        if self.unjudged or self.void:
            return
        hand = self.hands.get(event.seat)
        if event.choice != "set":
            wrong = f"chose {event.choice}; a hand can only be set"
        elif hand is None or not hand.cards:
            wrong = "has no hand to set"
        elif hand.front is not None:
            wrong = "set its hand a second time"
        elif not self.holds(hand, event.cards or []):
            wrong = f"set {' '.join(event.cards or ['nothing'])}, which are not two cards of its hand"
        else:
            self.set_hand(hand, event.cards or [])
            return
        self.book.report("illegal_decision", self.call_passage, f"{self.whose(event.seat)} {wrong}", seat=event.seat)

    def whose(self, seat: int) -> str:
        """A position, for people."""
        return "the dealer" if seat == DEALER else f"seat {seat}"

    def holds(self, hand: Hand, front: list[str]) -> bool:
        """They are two cards of this hand, as far as its cards could be read."""
        left = list(hand.cards)
        for card in front:
            if card in left:
                left.remove(card)
            elif UNREAD in left:
                left.remove(UNREAD)
            else:
                return False
        return len(front) == self.front_size

    def set_hand(self, hand: Hand, front: list[str]) -> None:
        """A hand is set; when it was the last one, all is decided."""
        self.claims_were_early()
        hand.front = front
        self.unset -= hand.due
        hand.early = hand.seat == DEALER and self.unset > 0
        if self.complete():
            self.judge(hand)
            if not self.unset:
                self.finish()

    def judge(self, hand: Hand) -> None:
        """A hand that was set is composed as VI demands, the dealer's by the house way and after all others."""
        if hand.judged or hand.front is None or not hand.due:
            return
        hand.judged = True
        if hand.early:
            self.book.report(
                "dealer_misplay", self.call_passage, "the dealer set his hand before every other hand was set"
            )
        if not hand.readable:
            return
        hand.divide(self.ranking, hand.front)
        if hand.seat == DEALER and self.house_way:
            low, high = hand.low, hand.high
            front = foxwoods(hand.cards, self.ranking)
            hand.divide(self.ranking, front)
            if (hand.low, hand.high) != (low, high):
                text = f"the dealer put {' '.join(hand.front)} in front; the house way is {' '.join(front)}"
                self.book.report("dealer_misplay", self.call_passage, text)
        elif hand.misset:
            self.book.report(
                "hand_misset",
                self.misset_passage,
                f"the low hand of {self.whose(hand.seat)} outranks the high hand: it loses",
                seat=hand.seat,
            )

    # --- the hands are compared ---------------------------------------------------------------------------------------

    def finish(self) -> None:
        """All hands are dealt and set, or the round is over: the stakes are decided."""
        self.finished = True
        if not self.complete():
            self.misdeal("a hand is without its seven cards")
            self.make_void()
            return
        for hand in self.hands.values():
            if hand.due and hand.front is None:
                if hand.seat != DEALER:
                    text = f"seat {hand.seat} never set its hand; the house way sets it"
                    self.book.report("missing_decision", self.call_passage, text, seat=hand.seat)
                if hand.readable:
                    hand.divide(self.ranking, foxwoods(hand.cards, self.ranking))
            else:
                self.judge(hand)
        self.settle()

    def settle(self) -> None:
        """V: every stake against the bank, then the bank's own result. An unread hand leaves its stakes undecided."""
        bank, bank_hand = self.bank, self.hands[self.bank_seat]
        bank_read = bank_hand.readable
        stakes = list(self.against())
        amounts = [bet.amount for bet in stakes]
        covered = amounts if bank is None else cover(bank.amount, [(bet.seat, bet.amount) for bet in stakes])
        net = 0
        for bet, stake in zip(stakes, covered, strict=True):
            hand = self.hands[bet.seat]
            if not bank_read or not hand.readable:
                self.unjudged = True
                continue
            result = wins(hand, bank_hand)
            passage = self.misset_passage if hand.misset or bank_hand.misset else self.wager_passage
            back = bet.amount - stake
            if result == 2:
                price = EVEN if bet.seat == DEALER else self.net_price
                paid = self.table.pay(stake, price)
                net -= stake
                if bet.seat != DEALER:
                    self.commission_due += stake - paid
                self.book.decide(bet, paid, bet.amount, passage)
            elif result:
                self.book.decide(bet, 0, bet.amount, passage)
            else:
                net += stake
                self.book.decide(bet, 0, back, passage)
        if bank is not None and bank_read and not self.unjudged:
            paid = self.table.pay(max(net, 0), self.net_price)
            self.commission_due += max(net, 0) - paid
            self.book.decide(bank, paid, bank.amount + min(net, 0))
        if bank_read:
            name = self.ranking.name(bank_hand.high).replace("_", " ")
            self.outcome = f"bank {self.whose(self.bank_seat)}: {name}"

    # --- money --------------------------------------------------------------------------------------------------------

    def bet_settled(self, event: BetSettled) -> None:
        """A claim is in time when neither a card nor a set follows it."""
        bet = self.book.known(event.bet)
        if bet is None or bet.refused or bet.withdrawn or bet.claimed_paid is not None:
            self.book.claim(event)
        elif bet not in self.stakes:
            self.book.claim(event, early=False)  # left undecided by a round that could not be read
        elif self.betting_open and self.objection_at_close(bet, self.banker()) is not None:
            self.book.claim(event, early=False)  # chips that are not to play are handed back at once
        elif not self.dealt and not self.void:
            bet.state = True
            self.book.claim(event)
        else:
            self.claimed.append(bet)
            self.book.claim(event, early=False)

    def claims_were_early(self) -> None:
        """A card or a set follows what was settled already."""
        for bet in self.claimed:
            self.book.settled_too_early(bet)
        self.claimed = []

    def commission_taken(self, event: CommissionTaken) -> None:
        """The house's cut, as reported."""
        self.commission_taken_sum = (self.commission_taken_sum or 0) + event.amount

    def check_commission(self) -> None:
        """V: what was taken in the round is what its winners and its bank owe."""
        taken, due = self.commission_taken_sum, self.commission_due
        if taken is not None and taken != due and not self.unjudged:
            shown = self.table.shown
            self.book.report(
                "wrong_commission",
                self.wager_passage,
                f"{shown(taken)} of commission were taken in the round, {shown(due)} were due",
                amount=abs(taken - due),
            )


def odds(rules: GameRules) -> Iterator[Odds]:
    """None: every result hangs on how a player divides seven cards, for which there is no published best way."""
    yield from ()


GAME = PaiGowPoker
