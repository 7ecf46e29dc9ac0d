"""Hands of blackjack: what cards count, the life of a hand from its first card until it is closed.

What the games that play blackjack share (`replay.games.blackjack` and those that build on it). Nothing here pays or
reports; stakes are only carried along. Cards are two characters (``7H``, ``TS``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

import msgspec

from replay.blackjack_law import BlackjackPassages, HandsLaw
from replay.book import Bet
from replay.cards import FRENCH_DECK
from replay.rules import GameRules
from replay.watched import Estimate, Null, Watchable, pays_at_most

POINTS: Final[dict[str, int]] = {
    card: 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in FRENCH_DECK
}
"""Card -> points, the ace as one."""

PERFECT_PLAY: Final = Estimate(most=Fraction(103, 100), variance=Fraction(13, 10))
ESTIMATED: Final[Mapping[str, Mapping[str, Fraction | int]]] = {
    "main": {"win": 1, "blackjack": Fraction(3, 2)},
    "under_13": {"": 1},
    "over_13": {"": 1},
}
"""The wagers that are held to `PERFECT_PLAY`, at the prices for which it was estimated."""
ESTIMATED_DECKS: Final = 6
ESTIMATED_STANDS_ON: Final = 17
ESTIMATED_RETURNED: Final = Fraction(1, 2)
"""Of a stake whose hand is given up."""
WATCHED: Final = Watchable(shoe=True, counted="main", before_the_deal=True)


def watched_under(rules: GameRules) -> Watchable:
    """What a stake is worth hangs on decisions, and no exact figure exists. A fresh shoe of six packs is half a per
    cent against the best player, and each point of the true count is worth about half a per cent to him (P. Griffin,
    The Theory of Blackjack, 1979): the null is that a stake laid before the deal gives back at most 1.03 of itself in
    the mean, which is perfect play at a true count of 7. That is an estimate, no bound: whoever plays in no poorer shoe
    is beyond it, as he should be. Under and over 13 are held to it too, which a count of their own may exceed. Stakes
    laid after a card has been seen (splits, insurance) are left out.

    It was made for wagers that pay as `ESTIMATED`, from six packs, where the dealer stands on 17 and half of a stake
    comes back when a hand is given up, and holds for what is no better for the player; otherwise a wager has no null.
    A dealer who looks at his hole card, and whose blackjack takes the first stake alone, is worth a quarter of a per
    cent to the player: there it is perfect play at a true count of 6.5. Where the house chooses the number of packs, it
    is so at tables of six and more."""
    law = rules.law_as(HandsLaw)
    held = []
    if not law.shoe_decks or law.shoe_decks >= ESTIMATED_DECKS:
        held = [
            name for name, most in ESTIMATED.items() if name in rules.wagers and pays_at_most(rules.wagers[name], most)
        ]
    posted = rules.options.get("blackjack_pays")
    as_estimated = (
        law.dealer.stands_on == ESTIMATED_STANDS_ON
        and law.surrender.returned <= ESTIMATED_RETURNED
        and all(Fraction(str(price)) <= ESTIMATED["main"]["blackjack"] for price in (posted.choices if posted else ()))
    )
    null = PERFECT_PLAY if law.shoe_decks else msgspec.structs.replace(PERFECT_PLAY, least_decks=ESTIMATED_DECKS)
    nulls: dict[str, Null | None] = {name: null for name in held if as_estimated or name != "main"}
    return msgspec.structs.replace(WATCHED, nulls=nulls)


OPEN: Final = 0
"""The hand is being played, or will be."""
LAPSED: Final = 1
"""The hand stands on its cards unless it is played on: it was surrendered in vain, or nobody asked it."""
CLOSED: Final = 2
"""The hand stands, is surrendered, doubled, a split ace with its second card, or has 21 or more."""


Fault = tuple[str, str]
"""What is wrong with a card or a call: the passage, and one sentence."""


class Hand:
    """One hand of a box. ``number`` is 1 for the hand that is dealt; each split forms the next."""

    __slots__ = ("aces", "added", "asked", "begun", "bets", "cards", "doubling", "hard", "mismatch_told", "missed",
                 "number", "raise_void", "split", "split_ace", "status", "surrendered", "void_cards")  # fmt: skip

    def __init__(self, number: int) -> None:
        self.number = number
        self.cards: list[str] = []
        self.hard = 0
        """Points with every ace as one."""
        self.aces = 0
        self.status = OPEN
        self.bets: list[Bet] = []
        """The stakes that ride on it."""
        self.split = False
        """It is one of the hands of a split: 21 with two cards is no blackjack."""
        self.split_ace = False
        """It is one of the hands of a split pair of aces: one card, and another split if that is an ace."""
        self.begun = 0
        """When it was begun among the hands of its box; 0 while it lies with the one card that a split left it."""
        self.asked = 0
        """Cards called for and not yet given."""
        self.doubling = False
        """A double was called and its card has not come."""
        self.added = False
        """Somebody added a stake to the double."""
        self.surrendered = False
        self.missed = False
        """It has been said that nobody asked this hand."""
        self.mismatch_told = False
        """It has been said that nobody staked this hand of a split."""
        self.void_cards = 0
        """Cards called for against the rules: when they come, they do not count."""
        self.raise_void = False
        """A double was called against the rules: chips added to it come back."""

    def take(self, card: str) -> None:
        """The card lies with the hand."""
        self.cards.append(card)
        points = POINTS[card]
        self.hard += points
        if points == 1:
            self.aces += 1

    @property
    def total(self) -> int:
        """Points with an ace as eleven where that does not pass 21."""
        return self.hard + 10 if self.aces and self.hard <= 11 else self.hard

    @property
    def bust(self) -> bool:
        """More than 21."""
        return self.hard > 21

    @property
    def out(self) -> bool:
        """Bust or surrendered: it competes no more."""
        return self.hard > 21 or self.surrendered

    @property
    def blackjack(self) -> bool:
        """21 with the first two cards of a hand that was not split."""
        return self.hard == 11 and len(self.cards) == 2 and self.aces == 1 and not self.split

    @property
    def pair_of_split_aces(self) -> bool:
        """A split ace that got an ace: closed, but it may be split once more."""
        return self.split_ace and len(self.cards) == 2 and self.aces == 2

    def closes_itself(self) -> bool:
        """Its cards close it: 21 or more, or a split ace with its second card."""
        return self.total >= 21 or (self.split_ace and len(self.cards) >= 2)


class Box:
    """One box of the table, with the stakes made on it and the hands that its cards form."""

    __slots__ = ("begun", "first", "hands", "line", "seat", "sides", "split_void", "stakes")

    def __init__(self, seat: int, first: Bet) -> None:
        self.seat = seat
        self.first = first
        """The first main stake: its player commands the box."""
        self.stakes: list[Bet] = []
        """All main stakes, those of split hands included."""
        self.sides: list[Bet] = []
        """Side bets that hang on the first cards."""
        self.hands = [Hand(1)]
        self.hands[0].begun = self.begun = 1
        self.line: list[str] = []
        """The first three cards dealt to hand 1, whatever a split makes of them."""
        self.split_void = False
        """A split was called that formed no hand: cards for that hand do not count."""

    def hand(self, number: int) -> Hand | None:
        """The hand of this number."""
        return self.hands[number - 1] if 1 <= number <= len(self.hands) else None

    def split(self, hand: Hand) -> Hand:
        """Take the second card of a two-card hand away to a new hand, which lies at its left and is returned."""
        assert len(hand.cards) == 2
        aces = hand.aces == 2
        first, second = hand.cards
        new = Hand(len(self.hands) + 1)
        self.hands.append(new)
        hand.cards = []
        hand.hard = hand.aces = hand.asked = 0
        hand.doubling = False
        hand.take(first)
        new.take(second)
        for each in (hand, new):
            each.split = True
            each.split_ace = aces
            each.status = OPEN
        return new

    def begin(self, hand: Hand) -> None:
        """A hand of a split gets its second card."""
        if not hand.begun:
            self.begun += 1
            hand.begun = self.begun

    def earlier_open(self, hand: Hand) -> Hand | None:
        """A hand of this box that was begun before ``hand`` and is still open."""
        for other in self.hands:
            if other.status == OPEN and other.begun and other is not hand:
                if not hand.begun or other.begun < hand.begun:
                    return other
        return None

    def stake(self, bet_id: str) -> Bet | None:
        """The main stake of this id."""
        for bet in self.stakes:
            if bet.id == bet_id:
                return bet
        return None

    def first_stake_of(self, bet: Bet) -> Bet:
        """The stake made before the deal that a stake belongs to: by its ``of``, and that one's, to the first."""
        if bet.of is None and bet.state is None:
            return self.first
        while bet.of is not None:
            earlier = self.stake(bet.of)
            if earlier is None or earlier is bet:
                break
            bet = earlier
        return bet

    def awaits_stake(self, bet: Bet) -> Hand | None:
        """The hand of a split that a new stake is laid on: it has not got its second card, nor a stake of the same
        bettor. None when the stake is no such one."""
        hand = None if bet.hand is None else self.hand(bet.hand)
        if hand is None or not hand.split or hand.begun or len(hand.cards) != 1:
            return None
        if bet.of is not None and self.stake(bet.of) is None:
            return None
        first = self.first_stake_of(bet)
        return None if any(self.first_stake_of(other) is first for other in hand.bets) else hand

    def name(self, hand: Hand) -> str:
        """What a pit boss calls the hand."""
        return f"box {self.seat}" if len(self.hands) == 1 else f"box {self.seat}, hand {hand.number}"


class DealerRule:
    """How the dealer draws: what his cards come to, and on what he stands."""

    __slots__ = ("as_players", "draws_on_soft", "stands_on")

    def __init__(self, stands_on: int, *, as_players: bool = False, draws_on_soft: bool = False) -> None:
        self.stands_on = stands_on
        """He stands on this total and more, and draws to one less."""
        self.as_players = as_players
        """His aces count as a player's do: eleven wherever that does not pass 21."""
        self.draws_on_soft = draws_on_soft
        """On just that total he takes another card while an ace counts eleven in it."""

    def total(self, hard: int, aces: int) -> int:
        """An ace is eleven if that makes a total on which he stands, and no more than 21; otherwise one. ``hard``:
        the points with every ace as one."""
        least = 0 if self.as_players else self.stands_on
        return hard + 10 if aces and least <= hard + 10 <= 21 else hard

    def stands(self, hard: int, aces: int) -> bool:
        """He takes no more cards."""
        total = self.total(hard, aces)
        if self.draws_on_soft and total == self.stands_on and total != hard:
            return False
        return total >= self.stands_on


class DealerHand:
    """A hand of the dealer, who draws by his rule."""

    __slots__ = ("aces", "cards", "final", "hard", "rule", "total")

    def __init__(self, rule: DealerRule) -> None:
        self.rule = rule
        self.cards: list[str] = []
        self.hard = 0
        self.aces = 0
        self.total = 0
        self.final = False
        """He stands on it, or he stood on less: what comes later does not count."""

    def take(self, card: str) -> None:
        """The card lies with the hand."""
        self.cards.append(card)
        points = POINTS[card]
        self.hard += points
        if points == 1:
            self.aces += 1
        self.total = self.rule.total(self.hard, self.aces)
        if self.rule.stands(self.hard, self.aces):
            self.final = True

    @property
    def blackjack(self) -> bool:
        """An ace and a ten as the first two cards: with 21 the hand is final, so that no third card counts."""
        return len(self.cards) == 2 and self.hard == 11 and self.aces == 1

    @property
    def blackjack_known(self) -> bool:
        """Whether he has a blackjack can be seen: his second card lies."""
        return len(self.cards) >= 2

    @property
    def shows_ace(self) -> bool:
        """His first card is an ace."""
        return bool(self.cards) and POINTS[self.cards[0]] == 1

    @property
    def may_have_blackjack(self) -> bool:
        """His first card is an ace or counts ten, and nothing more is known."""
        return bool(self.cards) and POINTS[self.cards[0]] in (1, 10) and not self.blackjack_known


DEALER: Final = 0
"""In the order of a deal: the dealer."""


class FirstDeal:
    """The initial deal: who gets a card after whom."""

    __slots__ = ("dealers", "dealt", "missing", "order", "out_of_order")

    def __init__(self, order: list[int]) -> None:
        self.order = order
        """Seats, and `DEALER`."""
        self.dealers = order.count(DEALER)
        """Cards of the dealer in it."""
        self.dealt = 0
        """So much of it has come in order."""
        self.missing = len(self.order)
        """Cards that it still lacks, whatever their order: the game counts them down."""
        self.out_of_order = False

    def in_turn(self, seat: int) -> bool:
        """A card for ``seat`` is the next one due. The deal is out of order only once."""
        if self.out_of_order:
            return True
        if self.order[self.dealt] == seat:
            self.dealt += 1
            return True
        self.out_of_order = True
        return False


def all_hands(boxes: dict[int, Box]) -> Iterator[tuple[Box, Hand]]:
    """Every hand of the round with its box, in the order of the deal."""
    for box in boxes.values():
        for hand in box.hands:
            yield box, hand


def competes(boxes: dict[int, Box]) -> bool:
    """Some hand needs the dealer's total: it is neither out nor a blackjack."""
    return any(not hand.out and not hand.blackjack for _, hand in all_hands(boxes))


def any_open(boxes: dict[int, Box]) -> bool:
    """Somebody is still to play."""
    return any(hand.status == OPEN for _, hand in all_hands(boxes))


def still_to_play(boxes: dict[int, Box], box: Box, hand: Hand) -> tuple[Box, Hand] | None:
    """The hand that must be finished before this one gets a card: boxes play in rising order, and the hands of a split
    one after the other."""
    for seat, lower in boxes.items():
        if seat >= box.seat:
            break
        for other in lower.hands:
            if other.status == OPEN:
                return lower, other
    earlier = box.earlier_open(hand) if len(box.hands) > 1 else None
    return None if earlier is None else (box, earlier)


# What a player calls: each does to the hand what the call does, and says what is wrong with it. What a game does not
# allow of a hand that may be played on is its own ``objection``, a sentence; cards and chips then count as they lie.


def call_hit(box: Box, hand: Hand, cite: BlackjackPassages) -> Fault | None:
    """A card: none at 21 or more, nor beyond the one of a split ace; such a card does not count."""
    if hand.status == CLOSED:
        hand.void_cards += 1
        return (cite.play, f"a card was called for {box.name(hand)}, which is closed")
    if hand.split_ace:
        return (cite.split, f"a card was called for {box.name(hand)}; a split ace gets one, uncalled")
    hand.status = OPEN
    hand.asked += 1
    return None


def call_double(box: Box, hand: Hand, cite: BlackjackPassages, objection: str | None) -> Fault | None:
    """One card for a second stake."""
    hand.added = False
    if hand.status == CLOSED or hand.split_ace:
        hand.raise_void = True
        if hand.status == CLOSED:
            hand.void_cards += 1
        return (cite.double, f"{box.name(hand)} was doubled, but no card may be called for it")
    hand.status = OPEN
    hand.doubling = True
    return None if objection is None else (cite.double, objection)


def call_split(box: Box, hand: Hand, cite: BlackjackPassages, objection: str | None) -> Fault | None:
    """Two hands of two cards."""
    box.split_void = len(hand.cards) != 2 or (hand.status == CLOSED and not hand.pair_of_split_aces)
    if box.split_void:
        return (cite.split, f"{box.name(hand)} was split, but is no open hand of two cards")
    box.split(hand)
    return None if objection is None else (cite.split, objection)
