"""Monte, or Banca, four places of a Spanish deck: AD-2022, game 13.

II  Spanish decks of forty: 1 to 7, sota, cavall, rei in oros, copes, espases and bastos. One is in play a round.
V   The house is the bank. When the first card after the bets matches a place, a tenth is deducted from all that is won,
    Vista Hermosa excepted.
VI  The wagers and what they pay, less a point for each card doubled or burnt. The layout: two cards above, two below.
    Equal cards above are burnt; a card turned for the lower row that equals one above goes on top of it (doubled,
    tripled); the fourth of one rank annuls the play. First phase: cards are drawn until one matches a place; its place
    wins, the other of its row is out. Second phase: the same on the row that is left, with new bets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from fractions import Fraction
from math import comb
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import Field

from replay.book import Bet, Book
from replay.cards import Shoe
from replay.events import BetPlaced, BetsClosed, BetSettled, CardDealt, RoundClosed, ShoeLoaded
from replay.games import Game, Objection
from replay.law import (
    ONE_PRICE,
    Count,
    Fault,
    GameLaw,
    Passage,
    Passages,
    Provision,
    Ratio,
    Several,
    WagerLaw,
    nearest,
)
from replay.money import Price
from replay.odds import Odds, edge_and_variance, net, pick_text
from replay.rules import GameRules, Table, Wager
from replay.watched import AtMost, Watchable

RANKS: Final = "1234567SCR"
SUITS: Final = "OCEB"
"""Oros, copes, espases, bastos: in a circle, each followed by the next."""
SPANISH_DECK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
PARTNER: Final = {1: 2, 2: 1, 3: 4, 4: 3}
"""The other place of the row."""
COPIES: Final = len(SUITS)
"""Cards of one rank."""
LEFT_TO_DRAW: Final = 4
"""So many cards at least are taken to be left when a layout is complete: else 33 were doubled or burnt."""
ON_SUITS: Final = ("camo", "anti", "viudo")
VISTA_HERMOSA: Final = "vista_hermosa"
PICKS: Final[Mapping[str, tuple[int | str, ...]]] = {
    **dict.fromkeys((*ON_SUITS, "pot"), (1, 2, 3, 4)),
    "card_vs_card": ("1v2", "2v1", "3v4", "4v3", "1v3", "3v1", "2v4", "4v2"),
    "pair_vs_pair": ("12v34", "34v12", "13v24", "24v13"),
}
"""VI: what a wager may be on. Vista Hermosa is on a card of the deck."""


class MonteWager(WagerLaw):
    """VI: a wager, the phases in which it may be laid, and how many suits on its card is."""

    phases: Annotated[Several[Literal[1, 2]], Field(min_length=1)]
    suits_on: Literal[1, 2, 3] | None = None


class Points(Provision):
    """VI: what is taken off a price for each card doubled or burnt."""

    off_a_card: Count


class Door(Provision):
    """V: what is left of all that is won when the first card after the bets matches a place."""

    keeps: Annotated[Ratio, Field(ge=0)]


class Multiples(Provision):
    """VI: a wager's maximum, in multiples of the minimum, in the first phase and in the second."""

    multiples: Annotated[Several[Annotated[int, Field(ge=1)]], Field(min_length=1)]


class MontePassages(Passages):
    """What is cited beside the tables."""

    deck: Passage
    """Which cards there are."""
    layout: Passage
    """How the four places are laid."""
    second_phase: Passage
    """What becomes of bets when the first phase is decided."""
    limits: Passage
    """How much may be laid."""


class MonteLaw(GameLaw):
    """What monte asks of its pack."""

    known_wagers = frozenset({VISTA_HERMOSA, *PICKS})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        VISTA_HERMOSA: (ONE_PRICE,),
        **dict.fromkeys(ON_SUITS, ("first", "second")),
        **dict.fromkeys(("pot", "card_vs_card", "pair_vs_pair"), (ONE_PRICE,)),
    }

    passages: MontePassages
    wagers: Mapping[str, MonteWager] = {}
    points: Points
    door: Door
    limits: Mapping[str, Multiples] = {}

    def faults(self) -> Iterator[Fault]:
        """VI: wagers on places and suits that there are, in their phases, with a limit for each."""
        for name in sorted(self.known_wagers & set(self.wagers)):
            wager, key = self.wagers[name], f"wagers.{name}"
            picks = PICKS.get(name)
            if picks is not None and not (wager.picks and set(wager.picks) <= set(picks)):
                yield Fault(f"{key}.picks", f"some of {', '.join(map(str, picks))}, not {list(wager.picks)}")
            if name == VISTA_HERMOSA and wager.phases != (1,):
                yield Fault(f"{key}.phases", "[1]: it is on the first card drawn")
            if (wager.suits_on is not None) != (name in ON_SUITS):
                there = "is missing: how many suits on its card is" if name in ON_SUITS else "it is on no suit"
                yield Fault(f"{key}.suits_on", there)
            limit = self.limits.get(name)
            if limit is not None and len(limit.multiples) < max(wager.phases):
                yield Fault(f"limits.{name}.multiples", "one for each phase in which the wager may be laid")
        for name in self.limits:
            if name not in self.known_wagers:
                yield Fault(f"limits.{name}", f"no such wager{nearest(name, self.known_wagers)}")


# --- VI, the layout -----------------------------------------------------------------------------------------------


class Layout:
    """The four places, each with the cards that lie there (the first laid is the place's own), and what is burnt."""

    __slots__ = ("burnt", "held", "place_of_rank", "places")

    def __init__(self) -> None:
        self.places: dict[int, list[str]] = {1: [], 2: [], 3: [], 4: []}
        self.burnt: list[str] = []
        self.place_of_rank: dict[str, int] = {}
        self.held: dict[str, int] = {}
        """Cards of each rank on the layout, burnt ones included."""

    @property
    def complete(self) -> bool:
        """A card lies at every place."""
        return all(self.places.values())

    @property
    def on_top(self) -> int:
        """Cards laid on top of others: one a doubled place, two a tripled one."""
        return sum(len(cards) - 1 for cards in self.places.values() if cards)

    def next_place(self) -> int:
        """The place to be filled next; 0 when all are."""
        return next((place for place, cards in self.places.items() if not cards), 0)

    def place_of(self, card: str) -> int:
        """The place of this card's rank; 0 when there is none."""
        return self.place_of_rank.get(card[0], 0)

    def put(self, card: str, place: int) -> None:
        """A card is laid at a place."""
        rank = card[0]
        self.places[place].append(card)
        self.place_of_rank.setdefault(rank, place)
        self.held[rank] = self.held.get(rank, 0) + 1

    def burn_row(self, place: int) -> None:
        """The two cards of a row are equal: both are burnt."""
        for each in (place, PARTNER[place]):
            self.burnt += self.places[each]
            self.places[each] = []
        del self.place_of_rank[self.burnt[-1][0]]

    def tripled(self, place: int) -> bool:
        """Two cards lie on top of the place's own."""
        return len(self.places[place]) == 3


def card_on_suit(wager: Wager, own: str) -> str:
    """VI: the card that camo, anti or viudo is on, seen from the place's own: the same rank in the next suit, the one
    before, the one that is neither. Empty when the place holds no Spanish card."""
    if own[1] not in SUITS:
        return ""
    suits_on = wager.law_as(MonteWager).suits_on
    assert suits_on is not None
    suit = SUITS[(SUITS.index(own[1]) + suits_on) % len(SUITS)]
    return own[0] + suit


# --- V and VI, what a card makes of a wager -----------------------------------------------------------------------


class Prices:
    """What the wagers pay on one layout: by (wager, phase that it was laid in, the tenth deducted)."""

    __slots__ = ("of",)

    def __init__(self, rules: GameRules, on_top: int, burnt: int) -> None:
        """``on_top`` and ``burnt``: how many cards of the layout are."""
        law = rules.law_as(MonteLaw)
        off, keeps = law.points.off_a_card, law.door.keeps
        self.of: dict[tuple[str, int, bool], Price] = {}
        for wager in rules.wagers.values():
            for phase in wager.law_as(MonteWager).phases:
                if wager.id in ON_SUITS:
                    price = wager.prices["second"] if phase == 2 else less(wager.prices["first"], off * on_top)
                else:
                    assert wager.price is not None
                    price = wager.price
                if wager.id == VISTA_HERMOSA:
                    price = less(price, off * (on_top + burnt))
                self.of[wager.id, phase, False] = price
                self.of[wager.id, phase, True] = price if wager.id == VISTA_HERMOSA else Price.of(price.ratio * keeps)


def less(price: Price, points: int) -> Price:
    """A price with points taken off."""
    return Price(max(0, price.num - points * price.den), price.den)


WINS: Final = "wins"
LOSES: Final = "loses"
BACK: Final = "back"
STAYS: Final = "stays"


def ruling(wager: Wager, pick: Any, layout: Layout, card: str, place: int, phase: int) -> str:
    """VI: what the card that decides a phase makes of a wager, all but Vista Hermosa. ``place`` is the card's.

    A card against another that names neither place of the decided row plays on in the second phase; one that names its
    loser and a place of the other row cannot be finished, and goes back.
    """
    if wager.id in ON_SUITS:
        return WINS if place == pick and card == card_on_suit(wager, layout.places[place][0]) else LOSES
    if wager.id == "pot":
        return WINS if place == pick else LOSES
    backed, against = pick.split("v")
    if str(place) in backed:
        return WINS
    if str(place) in against:
        return LOSES
    return STAYS if phase == 1 and str(PARTNER[place]) not in backed + against else BACK


# --- VI, the procedure --------------------------------------------------------------------------------------------


class Phase(IntEnum):
    """Where a round stands."""

    LAYOUT = 0
    FIRST_BETS = 1
    FIRST_DRAWS = 2
    SECOND_BETS = 3
    SECOND_DRAWS = 4
    OVER = 5
    VOID = 6


class Monte(Game):
    """One table. ``Bet.state`` is the phase, 1 or 2, that a bet was laid in. A bet that a round leaves undecided stays
    so: the next round has another layout."""

    handles = ("card_dealt", "shoe_loaded")

    needs = MonteLaw
    one_result = True
    other_cards = True

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """Vista Hermosa is one card of the 36 - k that have not been seen, at 32 - k for one; (33 - k) / (36 - k) is
        11/12 at most, and what it is at other prices is looked up for every k that leaves cards to be drawn. The
        other wagers have no null: places doubled or burnt make some of them favourable by up to a fifth, as all can
        see."""
        if VISTA_HERMOSA not in rules.wagers:
            return cls.watched
        unseen = len(SPANISH_DECK) - len(PARTNER)
        gives_back = [
            Fraction(1 + Prices(rules, 0, out).of[VISTA_HERMOSA, 1, False].ratio, unseen - out)
            for out in range(unseen - LEFT_TO_DRAW + 1)
        ]
        return Watchable(nulls={VISTA_HERMOSA: AtMost(max(gives_back))})

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.law = law = table.rules.law_as(MonteLaw)
        self.door_passage = law.door.passage
        self.deck_passage = law.passages.deck
        self.layout_passage = law.passages.layout
        self.second_passage = law.passages.second_phase
        self.limits_passage = law.passages.limits
        self.shoe = Shoe(1, SPANISH_DECK)
        self.price_lists: dict[tuple[int, int], Prices] = {}
        """By the numbers of cards on top and burnt."""
        self.clear_table()

    def table_opened(self) -> None:
        """A wager's own maximum is no more than its multiple of its minimum."""
        faults = []
        for wager, limit in self.law.limits.items():
            least, most = self.table.least(wager), self.table.own_most(wager)
            largest = max(limit.multiples)
            if least and most is not None and most > largest * least:
                shown = self.table.shown
                text = f"the maximum of {shown(most)} on {wager} is more than {largest} times {shown(least)}"
                faults.append((limit.passage, text))
        self.report_setup(faults)

    def clear_table(self) -> None:
        """A full deck, and no card on the table."""
        self.phase = Phase.LAYOUT
        self.shoe.load()
        self.layout = Layout()
        self.prices: Prices | None = None
        self.stakes: dict[str, Bet] = {}
        """This round's bets."""
        self.places_left: tuple[int, ...] = (1, 2, 3, 4)
        self.draws = 0
        """Cards drawn in this phase."""
        self.misordered = False
        self.irregular = False
        self.unreadable = False

    def round_begins(self) -> None:
        super().round_begins()
        self.clear_table()

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """The other deck: every round is dealt from a full one anyhow."""

    # Bets of the two phases

    def bets_closed(self, event: BetsClosed) -> None:
        """ "No hi va més"."""
        if self.phase in (Phase.FIRST_BETS, Phase.SECOND_BETS):
            self.close_betting()

    def close_betting(self) -> None:
        """The bets of the phase are what they are."""
        self.phase = Phase(self.phase + 1)
        self.draws = 0
        phase = 1 if self.phase is Phase.FIRST_DRAWS else 2
        for bet in self.stakes.values():
            if bet.state == phase and bet.id in self.book.live:
                self.check_limits(bet)
        if self.irregular:
            self.hand_back()

    def bet_placed(self, event: BetPlaced) -> None:
        """A stake goes down; whether it may, an unreadable card leaves open."""
        if self.unreadable:
            self.book.place_unseen(event)
        else:
            super().bet_placed(event)

    def placed(self, bet: Bet) -> None:
        bet.state = 1 if self.phase is Phase.FIRST_BETS else 2
        self.stakes[bet.id] = bet

    def objection(self, bet: Bet) -> Objection | None:
        phase = self.phase
        if phase is Phase.LAYOUT:
            return self.objection_to_wager(bet, "the layout is not complete")
        if phase is Phase.VOID:
            return self.objection_to_wager(bet, "the play is void")
        if phase not in (Phase.FIRST_BETS, Phase.SECOND_BETS):
            return self.late(bet)
        objection = self.not_offered(bet)
        if objection is None:
            reason = self.why_not_now(bet)
            objection = self.objection_to_wager(bet, reason) if reason else None
        return objection

    def objection_to_wager(self, bet: Bet, reason: str) -> Objection:
        """The wager is not offered at this moment."""
        on = "" if bet.pick is None else f" on {bet.pick}"
        return Objection("wager_not_offered", self.wager_passage, f"{bet.wager_id}{on} is not offered: {reason}")

    def why_not_now(self, bet: Bet) -> str:
        """What stands against a wager on this layout in this phase; empty when nothing does."""
        wager, pick, layout = bet.wager, bet.pick, self.layout
        assert wager is not None
        phase = 1 if self.phase is Phase.FIRST_BETS else 2
        if phase not in wager.law_as(MonteWager).phases:
            return "it is a wager of the first phase"
        if wager.id == VISTA_HERMOSA:
            if not isinstance(pick, str) or pick not in self.shoe.copies:
                return "it is on a card of the deck"
            return f"{pick} has come out" if pick in self.shoe.seen else ""
        if phase == 2 and not {int(digit) for digit in str(pick) if digit != "v"} <= set(self.places_left):
            return "it is on the row that is out"
        if wager.id in ON_SUITS:
            assert isinstance(pick, int)
            if wager.id != "anti" and pick >= 3 and layout.tripled(1) and layout.tripled(2):
                return "places 1 and 2 are tripled, and only the anti can win"
            card = card_on_suit(wager, layout.places[pick][0])
            if card in self.shoe.seen:
                return f"{card} has come out"
        return ""

    def is_of_this_phase(self, bet: Bet) -> bool:
        """The bet was laid in the betting that is going on."""
        open_phase = {Phase.FIRST_BETS: 1, Phase.SECOND_BETS: 2}.get(self.phase)
        return bet.id in self.stakes and bet.state == open_phase

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        return None if self.is_of_this_phase(bet) else self.late(bet)

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        if self.is_of_this_phase(bet):
            return None
        if self.phase is Phase.SECOND_BETS and bet.id in self.stakes:
            return Objection(
                "withdrawal_not_allowed", self.second_passage, f"bet {bet.id} was laid in the first phase and plays on"
            )
        return Objection("late_withdrawal", self.call_passage, f"bet {bet.id} was taken back after no more bets")

    def check_limits(self, bet: Bet) -> None:
        """The wager's own limit, else its multiple of the minimum, else the table's maximum. The bet plays."""
        table = self.table
        objection = self.under_minimum(bet, table.least(bet.wager_id), self.limits_passage)
        if objection is not None:
            self.book.report(*objection, bet=bet)
        most = table.own_most(bet.wager_id)
        limit = self.law.limits.get(bet.wager_id)
        if most is None:
            most = table.maximum if limit is None else limit.multiples[bet.state - 1] * table.minimum or None
        if most is not None and bet.amount > most:
            self.book.report(
                "above_maximum",
                self.limits_passage,
                f"{bet.wager_id} bet {bet.id}: {table.shown(bet.amount)} is over the maximum of {table.shown(most)}",
                bet=bet,
            )

    # The layout

    def card_dealt(self, event: CardDealt) -> None:
        """A card is laid at a place, or drawn."""
        card, to = event.card, event.to
        if self.unreadable or (to == "burn" and card in self.layout.burnt):
            return
        if not self.shoe.take(card):
            self.book.report("impossible_card", self.deck_passage, f"{card} came out though the deck holds no other")
        if to == "burn":
            return
        if self.phase is Phase.VOID:
            self.dealing_error(f"{card} was dealt after the play was void")
        elif card == "??" and self.phase not in (Phase.SECOND_BETS, Phase.OVER):
            self.unreadable = True  # what the round comes to is not known
            self.book.lose_sight()
            self.stakes = {}
        elif to == "community":
            self.draw(card)
        elif to in ("place1", "place2", "place3", "place4"):
            self.lay(card, int(to[-1]))
        else:
            self.dealing_error(f"{card} was neither laid at a place nor drawn")

    def dealing_error(self, text: str) -> None:
        """The layout or the order of the round is not right."""
        self.book.report("dealing_error", self.layout_passage, text)

    def lay(self, card: str, place: int) -> None:
        """A card is laid at a place: its own, or on top of it."""
        layout = self.layout
        cards = layout.places[place]
        upper_row_lies = bool(layout.places[1] and layout.places[2])
        if self.phase is not Phase.LAYOUT:
            self.spoil(f"{card} was laid at place {place} when the layout was complete")
            return
        if cards and cards[0][0] != card[0]:
            self.spoil(f"{card} was laid on {cards[0]} at place {place}, a card of another rank")
            return
        in_order = place == layout.next_place() if not cards else place <= 2 and upper_row_lies
        if not in_order and not self.misordered:
            self.misordered = True
            self.dealing_error(f"{card} was laid at place {place} out of order")
        equal = layout.place_of(card)
        layout.put(card, place)
        if place <= 2 and layout.held[card[0]] == COPIES:
            self.phase = Phase.VOID
            self.outcome = f"void, four of rank {card[0]}"
        elif equal == PARTNER[place]:
            layout.burn_row(place)
        elif equal not in (0, place):
            self.spoil(f"{card} was laid at place {place} instead of on top of place {equal}")
        if self.phase is Phase.LAYOUT and layout.complete:
            self.phase = Phase.FIRST_BETS
            key = (layout.on_top, len(layout.burnt))
            self.prices = self.price_lists.get(key)
            if self.prices is None:
                self.prices = self.price_lists[key] = Prices(self.rules, *key)

    def spoil(self, text: str) -> None:
        """The layout is irregular: all bets of the round go back, those still to be laid when their betting closes."""
        self.dealing_error(text)
        self.irregular = True
        if self.phase not in (Phase.FIRST_BETS, Phase.SECOND_BETS):
            self.hand_back()

    def hand_back(self) -> None:
        """The bets of an irregular layout."""
        for bet in self.stakes.values():
            if bet.id in self.book.live:
                self.book.decide(bet, 0, bet.amount, self.layout_passage)

    def wins(self, bet: Bet) -> dict[str, int]:
        """By the layout's cards, the tenth deducted at the door while the card that decides may still be the first."""
        if self.prices is None or bet.wager is None or bet.id not in self.stakes:
            return {}
        if bet.wager_id == VISTA_HERMOSA:
            return {"": self.table.pay(bet.amount, self.prices.of[VISTA_HERMOSA, 1, False])}
        at_the_door, later = (
            self.table.pay(bet.amount, self.prices.of[bet.wager_id, bet.state, docked]) for docked in (True, False)
        )
        betting, drawing = (
            (Phase.FIRST_BETS, Phase.FIRST_DRAWS) if bet.state == 1 else (Phase.SECOND_BETS, Phase.SECOND_DRAWS)
        )
        if self.phase is betting or (self.phase is drawing and self.draws == 0):
            return {"at_the_door": at_the_door, "later": later}
        return {"": later}

    # The draws

    def draw(self, card: str) -> None:
        """A card is drawn. One that matches a place decides the phase."""
        phase = self.phase
        if phase is Phase.LAYOUT:
            self.dealing_error(f"{card} was drawn before the layout was complete")
            return
        if phase in (Phase.SECOND_BETS, Phase.OVER):
            self.book.report("drawing_error", self.second_passage, f"{card} was drawn though the phase was decided")
            return
        if phase is Phase.FIRST_BETS:
            self.book.report("dealing_error", self.call_passage, f"{card} was drawn before no more bets was called")
            self.close_betting()
        self.draws += 1
        if self.phase is Phase.FIRST_DRAWS and self.draws == 1:
            self.decide_vista_hermosa(card)
        place = self.layout.place_of(card)
        if place in self.places_left:
            self.decide_phase(card, place)

    def decide_vista_hermosa(self, card: str) -> None:
        """The very first card drawn is the one named, or is not."""
        assert self.prices is not None
        for bet in self.stakes.values():
            if bet.wager_id == VISTA_HERMOSA and bet.id in self.book.live:
                if bet.pick == card:
                    price = self.prices.of[VISTA_HERMOSA, 1, False]
                    self.book.decide(bet, self.table.pay(bet.amount, price), bet.amount)
                else:
                    self.book.decide(bet, 0, 0)

    def decide_phase(self, card: str, place: int) -> None:
        """The card's place wins, the other place of its row is out."""
        assert self.prices is not None
        phase = 1 if self.phase is Phase.FIRST_DRAWS else 2
        at_the_door = self.draws == 1
        for bet in self.stakes.values():
            if bet.id not in self.book.live:
                continue
            wager = bet.wager
            assert wager is not None
            result = ruling(wager, bet.pick, self.layout, card, place, phase)
            if result == WINS:
                docked = at_the_door and bet.state == phase
                price = self.prices.of[bet.wager_id, bet.state, docked]
                self.book.decide(
                    bet, self.table.pay(bet.amount, price), bet.amount, self.door_passage if docked else ""
                )
            elif result == BACK:
                self.book.decide(bet, 0, bet.amount)
            elif result == LOSES:
                self.book.decide(bet, 0, 0)
        self.outcome += f"{', ' if self.outcome else ''}{card} for place {place}"
        self.places_left = tuple(each for each in self.places_left if each not in (place, PARTNER[place]))
        self.phase = Phase.SECOND_BETS if phase == 1 else Phase.OVER

    # The end of the round

    def bet_settled(self, event: BetSettled) -> None:
        """A claim. On an irregular layout the bets may go back at any time."""
        bet = self.stakes.get(event.bet)
        if self.irregular and bet is not None and self.book.live.get(bet.id) is bet:
            self.book.decide(bet, 0, bet.amount, self.layout_passage)
        super().bet_settled(event)

    def round_closed(self, event: RoundClosed) -> None:
        """No bet may be left open."""
        if self.irregular:
            self.hand_back()
        left = [bet.id for bet in self.stakes.values() if self.book.live.get(bet.id) is bet]
        if left:
            self.book.report(
                "drawing_error", self.second_passage, f"the round was closed with bets undecided: {', '.join(left)}"
            )
        self.stakes = {}
        self.phase = Phase.OVER
        super().round_closed(event)

    def lost_sight(self) -> None:
        self.clear_table()


# --- Exact odds ---------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """Every wager on three layouts: clean, with place 1 doubled, and after one burnt pair whose rank is not laid again;
    and the wagers of the second phase after a clean layout, averaged over the draws of the first."""
    clean = ("5O", "RC", "2E", "SB")
    for name, layout in (
        ("clean", laid(clean)),
        ("place 1 doubled", laid(clean, on_top="5B")),
        ("one burnt pair", laid(clean, burnt=("7O", "7B"))),
    ):
        out = {card for cards in layout.places.values() for card in cards} | set(layout.burnt)
        unseen = [card for card in SPANISH_DECK if card not in out]
        prices = Prices(rules, layout.on_top, len(layout.burnt))
        for wager in rules.wagers.values():
            if wager.id == VISTA_HERMOSA:
                wins = [(1, net(prices.of[VISTA_HERMOSA, 1, False])), (len(unseen) - 1, net(None))]
                yield figure(wager, None, name, 1, wins)
                continue
            for pick in wager.picks:
                if wager.id in ON_SUITS and card_on_suit(wager, layout.places[int(pick)][0]) in out:
                    continue
                phases = wager.law_as(MonteWager).phases
                if 1 in phases:
                    yield figure(wager, pick, name, 1, first_phase(wager, pick, layout, prices, unseen))
                if name == "clean" and 2 in phases and str(pick) not in ("1v3", "3v1", "2v4", "4v2"):
                    yield figure(wager, pick, name, 2, second_phase(wager, pick, layout, prices, unseen))


def laid(own: tuple[str, ...], on_top: str = "", burnt: tuple[str, ...] = ()) -> Layout:
    """A layout of four cards, one more on top of the first, or others burnt."""
    layout = Layout()
    for place, card in enumerate(own, 1):
        layout.put(card, place)
    if on_top:
        layout.put(on_top, 1)
    layout.burnt = list(burnt)
    return layout


def figure(wager: Wager, pick: int | str | None, layout: str, phase: int, outcomes: list[tuple[Any, Fraction]]) -> Odds:
    """One wager's figures."""
    edge, variance = edge_and_variance(outcomes)
    return Odds(
        wager=wager.id,
        pick=pick_text(pick),
        options={"layout": layout, "phase": str(phase)},
        edge=edge,
        variance=variance,
        assumes="a full deck, well shuffled",
    )


def first_phase(
    wager: Wager, pick: int | str, layout: Layout, prices: Prices, unseen: list[str]
) -> list[tuple[Fraction, Fraction]]:
    """(probability, net win) of a bet laid in the first phase. Every matching card is as likely to decide, and as
    likely as any to be the first one drawn. A bet that plays on wins in full, whenever the second phase is decided."""
    matching = [card for card in unseen if layout.place_of(card)]
    outcomes: list[tuple[Fraction, Fraction]] = []
    for card in matching:
        place = layout.place_of(card)
        result = ruling(wager, pick, layout, card, place, 1)
        at_once = Fraction(1, len(unseen))
        later = Fraction(1, len(matching)) - at_once
        if result != STAYS:
            outcomes.append((at_once, net_of(result, prices.of[wager.id, 1, True])))
            outcomes.append((later, net_of(result, prices.of[wager.id, 1, False])))
            continue
        left = [other for other in matching if layout.place_of(other) not in (place, PARTNER[place])]
        for other in left:
            final = ruling(wager, pick, layout, other, layout.place_of(other), 2)
            weight = Fraction(1, len(matching) * len(left))
            outcomes.append((weight, net_of(final, prices.of[wager.id, 1, False])))
    return outcomes


def second_phase(
    wager: Wager, pick: int | str, layout: Layout, prices: Prices, unseen: list[str]
) -> list[tuple[Fraction, Fraction]]:
    """The same of a bet laid in the second phase, when the other row has been decided by the n-th card drawn."""
    row = {int(digit) for digit in str(pick) if digit != "v"}
    row |= {PARTNER[place] for place in row}
    matching = sum(1 for card in unseen if layout.place_of(card))
    left = [card for card in unseen if layout.place_of(card) in row]
    blanks = len(unseen) - matching
    outcomes: list[tuple[Fraction, Fraction]] = []
    for drawn in range(1, blanks + 2):
        decided = Fraction(comb(len(unseen) - drawn, matching - 1), comb(len(unseen), matching))
        at_once = Fraction(1, len(unseen) - drawn)
        for card in left:
            result = ruling(wager, pick, layout, card, layout.place_of(card), 2)
            later = Fraction(1, len(left)) - at_once
            outcomes.append((decided * at_once, net_of(result, prices.of[wager.id, 2, True])))
            outcomes.append((decided * later, net_of(result, prices.of[wager.id, 2, False])))
    return outcomes


def net_of(result: str, price: Price) -> Fraction:
    """What a stake of one unit wins or loses."""
    return Fraction(0) if result == BACK else net(price if result == WINS else None)


GAME = Monte
