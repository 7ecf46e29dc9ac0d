"""Triple joc, three games with the same cards: AD-2022, game 21.

II, III One deck; ace high, then K Q J … 2. Seven places of three boxes; a player has one place.
IV      The limits hold for each of the three boxes.
V       Everybody makes three stakes. Repte: a card to each place and one to the dealer; the higher wins even money, a
        tie costs half. Blackjack: a second card to each place, and on by the rules of the house
        (`replay.games.blackjack`), but only aces may be split, and once; six cards that do not pass 21 are paid at
        once. Poker: each place gets the cards that it lacks to six; a table pays its best five from queens up.
VI      An exposed card is put away; a second one makes the deal void.

Readings. War and poker do not hang on the blackjack: a bust, surrendered or split hand plays poker with all cards of
its place. A void deal gives back what has not been settled yet. A place without a blackjack stake gets its two cards
and plays no hand. A-2-3-4-5 is a straight.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from replay.blackjack_hands import CLOSED, LAPSED, Box, DealerHand, Fault, FirstDeal, Hand, all_hands, any_open
from replay.blackjack_law import BlackjackWager, BoxLaw, HandsLaw, Part, Positive, ShoeLaw
from replay.book import Bet, Book
from replay.cards import SUITS
from replay.events import CardDealt, Decision, RoundClosed
from replay.games import Objection
from replay.games._blackjack_table import BlackjackTable, insurance_ruling
from replay.games.casino_war import STRENGTH
from replay.hands import FIVE, HIGH_CARD, HIGH_TO_TWO, MAX_CARDS, PAIR, STANDARD
from replay.in_words import count_in_words
from replay.law import ONE_PRICE, LawTable, Provision, Several
from replay.money import Price
from replay.odds import Odds, edge_and_variance, net
from replay.rules import GameRules, Table, Wager
from replay.watched import AtMost, Watchable, either_way

LOST: Final = Price(0)
SIX: Final = 6
"""Cards of a hand of poker whose exact figure is known."""


# --- the law -------------------------------------------------------------------------------------------------------


class OneDeckLaw(ShoeLaw):
    """II: one pack, of which every exact figure is."""

    decks: Literal[1]


class PlacesLaw(Provision):
    """III: how many places there are."""

    most: Positive


class ThreeStakesLaw(BoxLaw):
    """V: what each place has to stake."""

    compulsory: Several[Literal["war", "blackjack", "poker"]]


class SixCardsLaw(Provision):
    """V: with so many cards that do not pass 21 a hand is paid at once."""

    cards: Annotated[int, Field(ge=3)]


class ExposedLaw(Provision):
    """VI: the exposed card that makes the deal void."""

    void_at: Positive


class BandLaw(Provision):
    """IV: the maximum, in multiples of the minimum."""

    least_multiple: Positive
    most_multiple: Positive


class LimitsLaw(LawTable):
    """IV."""

    main: BandLaw


class TripleJocWager(BlackjackWager):
    """A wager; ``war`` and ``poker`` say more."""

    tie_returns: Part | None = None
    """Of ``war``: the part of the stake that comes back on a tie."""
    cards: Annotated[int, Field(ge=FIVE.size, le=MAX_CARDS)] | None = None
    """Of ``poker``: the cards of a place, of which the best five count."""
    lowest_pair: Annotated[str, Field(pattern=f"^[{HIGH_TO_TWO}]$")] | None = None
    """Of ``poker``: the rank of the lowest pair that wins."""


class TripleJocLaw(HandsLaw):
    """What triple joc asks of its pack."""

    known_wagers = frozenset({"war", "blackjack", "insurance", "poker"})
    needed_wagers = frozenset({"war", "blackjack", "poker"})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "war": ("won",),
        "blackjack": ("win", "blackjack"),
        "insurance": (ONE_PRICE,),
        "poker": tuple(name for name in STANDARD if name != HIGH_CARD),
    }

    shoe: OneDeckLaw
    places: PlacesLaw
    box: ThreeStakesLaw
    six_cards: SixCardsLaw
    exposed: ExposedLaw
    limits: LimitsLaw
    wagers: Mapping[str, TripleJocWager]

    @model_validator(mode="after")
    def _each_game_is_whole(self) -> Self:
        for name, key in (("war", "tie_returns"), ("poker", "cards"), ("poker", "lowest_pair")):
            if name in self.wagers and getattr(self.wagers[name], key) is None:
                raise ValueError(f"wagers.{name}.{key} is missing")
        return self


# --- V, what the cards make of a stake -----------------------------------------------------------------------------


def war_ruling(wager: Wager, mine: str, dealers: str) -> tuple[Price, Fraction]:
    """Repte: what the stake wins, and which part of it comes back."""
    if STRENGTH[mine] == STRENGTH[dealers]:
        back = wager.law_as(TripleJocWager).tie_returns
        assert back is not None
        return LOST, back
    if STRENGTH[mine] > STRENGTH[dealers]:
        return wager.prices["won"], Fraction(1)
    return LOST, Fraction(0)


def poker_ruling(wager: Wager, cards: Sequence[str]) -> Price | None:
    """Poker: the best five of six cards by the table; None loses."""
    rank = FIVE.best(cards)
    lowest = wager.law_as(TripleJocWager).lowest_pair
    assert lowest is not None
    if rank < FIVE.least(PAIR, lowest):
        return None
    return wager.prices[FIVE.name(rank)]


# --- V and VI, the procedure ---------------------------------------------------------------------------------------


class Place:
    """One of the seven places: its cards, whatever blackjack hands they form, and its stakes on the other two games."""

    __slots__ = ("cards", "poker", "seat", "war")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.cards: list[str] = []
        """Its first six cards."""
        self.war: list[Bet] = []
        self.poker: list[Bet] = []


class TripleJoc(BlackjackTable):
    """One table. ``boxes`` are the places that play blackjack, ``places`` all that have a stake."""

    needs = TripleJocLaw
    watched = Watchable()
    main = "blackjack"

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """At war the player's card and the dealer's may lie the one or the other way round, whatever is left of the
        pack, and on a tie the stake comes back at most: 1 at most at even money. Poker goes by six cards, of which
        each, however the blackjack hand is played, is chosen before it is seen: they are as good as any six, and the
        figure is that of six. Blackjack hangs on decisions here too, and insurance may be favourable: neither is
        watched."""
        return Watchable(nulls={"war": either_way(rules.wagers["war"].prices["won"]), "poker": AtMost()})

    def __init__(self, table: Table, book: Book) -> None:
        law = table.rules.law_as(TripleJocLaw)
        self.compulsory = law.box.compulsory
        self.stakes_passage = law.box.passage
        self.poker_size = law.wagers["poker"].cards or 0
        self.paid_at = law.six_cards.cards
        self.void_at = law.exposed.void_at
        super().__init__(table, book)

    def read_options(self) -> None:
        """III: seven places, a fresh deck for each round, no side bets."""
        self.boxes_of_table = self.rules.law_as(TripleJocLaw).places.most
        self.continuous = True
        self.offered = {}

    def table_opened(self) -> None:
        """IV: no posted maximum is more than the largest multiple of its minimum."""
        limits, shown = self.rules.law_as(TripleJocLaw).limits.main, self.table.shown
        for wager in self.compulsory:
            least, most = self.table.least(wager), self.table.most(wager)
            if least and most is not None and most > limits.most_multiple * least:
                text = f"{wager}: {shown(most)} is more than {limits.most_multiple} times {shown(least)}"
                self.setup_faults.append((limits.passage, text))
        super().table_opened()

    def clear(self) -> None:
        super().clear()
        self.places: dict[int, Place] = {}
        self.exposed = 0
        self.void = False
        self.void_told = False
        """A card after a void deal has been reported."""
        self.poker_disorder = False
        """Poker cards out of turn have been reported."""
        self.second_places: set[int] = set()
        """Places of which it has been said that their player has another."""

    # --- III to V, the stakes -------------------------------------------------------------------------------------

    def objection(self, bet: Bet) -> Objection | None:
        return self.late(bet) if self.void else super().objection(bet)

    def placed(self, bet: Bet) -> None:
        super().placed(bet)
        if self.betting_open and bet.wager_id != self.main:
            self.check_count(bet)

    def piles_of(self, bet: Bet) -> tuple[Hashable, ...]:
        """All stakes of one player, too, and those at one place."""
        return (*super().piles_of(bet), bet.player, (bet.player, bet.seat))

    def check_count(self, bet: Bet) -> None:
        """III, V: one stake a box, one place a player. What is too many plays."""
        piles = self.laid
        text = ""
        if len(piles.bets((bet.seat, bet.wager_id))) > 1:
            text = f"bet {bet.id} is a second {bet.wager_id} stake at place {bet.seat}"
        elif bet.player is not None and bet.seat not in self.second_places:
            first = next(iter(piles.bets(bet.player)))
            if first is not bet and len(piles.bets((bet.player, bet.seat))) == 1:
                self.second_places.add(bet.seat)
                text = f"{bet.player} stakes at place {bet.seat} and at place {first.seat}"
        if text:
            self.book.report("too_many_bets", self.cite.players, text, bet=bet)

    def close_window(self) -> None:
        """No more bets: which places get cards is known."""
        if not self.betting_open or self.dark:
            return
        self.places = {seat: Place(seat) for seat in sorted({bet.seat for bet in self.placed_bets if not bet.decided})}
        super().close_window()
        self.first_deal = FirstDeal(self.deal_order(list(self.places)))

    def judge_main_stakes(self, laid: list[Bet]) -> None:
        """IV, V: each stake within the limits, and none of the three missing."""
        for bet in laid:
            least, most = self.table.least(bet.wager_id), self.table.most(bet.wager_id)
            if bet.amount < least:
                self.too_small(bet, least)
            elif most is not None and bet.amount > most:
                shown = self.table.shown
                text = f"{bet.wager_id} bet {bet.id} of {shown(bet.amount)} is over the maximum of {shown(most)}"
                self.book.report("above_maximum", self.cite.limits, text, bet=bet)
        for seat in self.places:
            there = {bet.wager_id for bet in laid if bet.seat == seat}
            for wager in self.compulsory:
                if wager not in there:
                    due = count_in_words(len(self.compulsory))
                    text = f"place {seat} has no {wager} stake; all {due} are compulsory"
                    self.book.report("below_minimum", self.stakes_passage, text, seat=seat)

    def judge_side_bet(self, bet: Bet) -> None:
        """War and poker stand beside the blackjack stake, and without it."""
        place = self.places[bet.seat]
        (place.war if bet.wager_id == "war" else place.poker).append(bet)

    def claim_presumes(self, bet: Bet) -> None:
        """War and poker say nothing of how a hand has ended."""
        if bet.wager_id == self.main:
            super().claim_presumes(bet)

    # --- V, the cards ---------------------------------------------------------------------------------------------

    def card_dealt(self, event: CardDealt) -> None:
        if self.void:
            if event.to != "burn" and not self.void_told:
                self.void_told = True
                text = f"{event.card} was dealt after the second exposed card had made the deal void"
                self.book.report("dealing_error", self.cite.shoe, text, seat=event.seat)
            return
        super().card_dealt(event)
        if event.exposed and not self.dark:
            self.exposed += 1
            if self.exposed == self.void_at:
                self.make_void()

    def card_to_box(self, seat: int, number: int, card: str) -> Fault | None:
        """A card to a place: for war and blackjack, or, when these are over, for poker."""
        place = self.places.get(seat)
        if place is None:
            return (self.cite.play, f"{card} was dealt to place {seat}, which has no stake")
        if self.blackjack_is_over():
            return self.poker_card(place, card)
        if seat in self.boxes:
            fault = super().card_to_box(seat, number, card)
        else:
            fault = self.card_without_hand(place, card)
        self.card_of(place, card)
        return fault

    def card_without_hand(self, place: Place, card: str) -> Fault | None:
        """A place without a blackjack stake gets its two cards and no more."""
        seat = place.seat
        if self.first_deal.missing and len(place.cards) < 2:
            self.first_deal.missing -= 1
            if not self.first_deal.in_turn(seat):
                return (self.cite.play, f"{card} went to place {seat} out of turn in the first deal")
            return None
        return (self.cite.play, f"{card} went to place {seat}, which plays no hand, before the blackjack was over")

    def card_of(self, place: Place, card: str) -> None:
        """Every card of a place counts for poker, up to the sixth; the first is its card of war."""
        if len(place.cards) == self.poker_size:
            return
        place.cards.append(card)
        if len(place.cards) == 1:
            self.settle_war(place)
        elif len(place.cards) == self.poker_size:
            self.settle_poker(place)

    def blackjack_is_over(self) -> bool:
        """Every hand is closed, and the dealer's is final or needs no card."""
        return not self.first_deal.missing and not any_open(self.boxes) and not self.owes_cards()

    def poker_card(self, place: Place, card: str) -> Fault | None:
        """In rising order each place with a poker stake gets the cards that it lacks."""
        for box, hand in all_hands(self.boxes):
            if hand.status == LAPSED:
                self.close_hand(box, hand)
        seat = place.seat
        if not place.poker:
            return (self.cite.play, f"{card} was dealt to place {seat}, which has no poker stake")
        if len(place.cards) == self.poker_size:
            return (self.cite.play, f"{card} is card number {self.poker_size + 1} of place {seat}")
        fault: Fault | None = None
        if not self.poker_disorder:
            for lower in self.places.values():
                if lower.seat < seat and lower.poker and len(lower.cards) < self.poker_size:
                    self.poker_disorder = True
                    due = count_in_words(self.poker_size)
                    fault = (self.cite.play, f"{card} went to place {seat} before place {lower.seat} had {due} cards")
                    break
        self.card_of(place, card)
        return fault

    # --- V, Repte and poker ---------------------------------------------------------------------------------------

    def settle_war(self, place: Place) -> None:
        """The first card of the place against the dealer's first."""
        if not place.cards or not self.dealer.cards:
            return
        for bet in place.war:
            if not bet.decided:
                assert bet.wager is not None
                price, back = war_ruling(bet.wager, place.cards[0], self.dealer.cards[0])
                returned = self.table.share(bet.amount, back.numerator, back.denominator) if back < 1 else bet.amount
                self.book.decide(bet, self.table.pay(bet.amount, price), returned)

    def settle_poker(self, place: Place) -> None:
        """The place has its six cards."""
        for bet in place.poker:
            if not bet.decided:
                assert bet.wager is not None
                self.decide(bet, poker_ruling(bet.wager, place.cards))

    # --- V, blackjack ---------------------------------------------------------------------------------------------

    def decision(self, event: Decision) -> None:
        if not self.void:
            super().decision(event)

    def objection_to_split(self, box: Box, hand: Hand) -> str | None:
        """ "The only pair with which it is allowed to open is that of aces, and only once"."""
        objection = super().objection_to_split(box, hand)
        if objection is not None:
            return objection
        if hand.split:
            return f"{box.name(hand)} was split a second time"
        return (
            None if hand.aces == 2 else f"{' and '.join(hand.cards)} of {box.name(hand)} were split; only aces may be"
        )

    def card_taken(self, box: Box, hand: Hand, card: str) -> None:
        super().card_taken(box, hand, card)
        if len(hand.cards) == self.paid_at and hand.status != CLOSED:
            self.close_hand(box, hand)

    def settle_hand(self, hand: Hand) -> None:
        """Six cards that do not pass 21 win at once, whatever the dealer makes."""
        if len(hand.cards) < self.paid_at or hand.bust:
            super().settle_hand(hand)
            return
        for bet in hand.bets:
            if not bet.decided:
                assert bet.wager is not None
                self.decide(bet, bet.wager.prices["win"])

    def dealer_draws(self, dealer: DealerHand, card: str) -> None:
        """While a hand competes, to 17; one card for an insurance or a blackjack that he may equal; else none."""
        self.pass_over()
        if not self.owes_cards():
            self.misplay(f"the dealer took {card} and owed no card" + f", he had {dealer.total}" * dealer.final)
        if not dealer.final:
            dealer.take(card)

    def dealer_has(self, dealer: DealerHand) -> None:
        if len(dealer.cards) == 1:
            for place in self.places.values():
                self.settle_war(place)
        super().dealer_has(dealer)

    # --- VI, a void deal; the end of the round --------------------------------------------------------------------

    def make_void(self) -> None:
        """What has not been settled goes back whole; what has been stands."""
        self.void = True
        split = [bet for box in self.boxes.values() for bet in box.stakes if bet not in self.placed_bets]
        for bet in (*self.placed_bets, *split, *self.insurances):
            if bet.refused or bet.withdrawn or bet.claimed_paid is not None:
                continue
            if not bet.decided or (self.table.claims and self.book.reopen(bet)):
                self.book.decide(bet, 0, bet.amount, self.cite.shoe)

    def end_hands(self) -> None:
        """A place that lacks cards for poker has an undecided stake."""
        if self.void:
            return
        super().end_hands()
        if not any(place.cards for place in self.places.values()):
            return
        for place in self.places.values():
            if place.poker and len(place.cards) < self.poker_size:
                text = f"place {place.seat} has {len(place.cards)} cards for poker; {self.poker_size} are due"
                self.book.report("dealing_error", self.cite.play, text, seat=place.seat)

    def round_closed(self, event: RoundClosed) -> None:
        super().round_closed(event)
        if self.void:
            self.outcome = "void"


# --- Exact odds ----------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """One fresh deck: war, poker of six cards, insurance when only the dealer's ace is known. ``blackjack`` hangs on
    decisions."""
    war = rules.wagers["war"]
    deck = [rank + suit for rank in HIGH_TO_TWO for suit in SUITS]
    outcomes: list[tuple[int, Fraction]] = []
    for mine in HIGH_TO_TWO:
        for dealers in deck:
            if dealers != mine + "S":
                price, back = war_ruling(war, mine + "S", dealers)
                outcomes.append((1, price.ratio + back - 1))
    edge, variance = edge_and_variance(outcomes)
    yield Odds(wager="war", decks=1, edge=edge, variance=variance, assumes="fresh deck")
    insurance = rules.wagers.get("insurance")
    if insurance is not None:
        edge, variance = edge_and_variance((1, net(insurance_ruling(insurance, card))) for card in deck if card != "AS")
        yield Odds(
            wager="insurance", decks=1, edge=edge, variance=variance,
            assumes="fresh deck, only the dealer's ace is known",
        )  # fmt: skip
    poker = rules.wagers["poker"]
    if poker.law_as(TripleJocWager).cards != SIX:
        return
    ways_to: dict[Price | None, int] = {}
    for hand, ways in six_cards():
        won = poker_ruling(poker, hand)
        ways_to[won] = ways_to.get(won, 0) + ways
    edge, variance = edge_and_variance((ways, net(won)) for won, ways in ways_to.items())
    yield Odds(wager="poker", decks=1, edge=edge, variance=variance, assumes="fresh deck")


def six_cards() -> Iterator[tuple[tuple[str, ...], int]]:
    """Every hand of six cards, and for how many of the 20,358,520 it stands.

    Those with five or six cards of one suit are gone through one by one, in one suit for all four. All others of the
    same ranks are alike for a ruling that knows no other use of suits: one of them stands for all.
    """
    flushes: dict[str, int] = {}
    for count in (5, 6):
        for ranks in combinations(HIGH_TO_TWO, count):
            suited = tuple(rank + SUITS[0] for rank in ranks)
            if count == 6:
                flushes["".join(ranks)] = flushes.get("".join(ranks), 0) + len(SUITS)
                yield suited, len(SUITS)
                continue
            for rank in HIGH_TO_TWO:
                all_ranks = "".join(sorted((*ranks, rank), key=HIGH_TO_TWO.index))
                ways = len(SUITS) * (len(SUITS) - 1)
                flushes[all_ranks] = flushes.get(all_ranks, 0) + ways
                yield (*suited, rank + SUITS[1]), ways
    for multiset in combinations_with_replacement(HIGH_TO_TWO, 6):
        ways = 1
        for rank in dict.fromkeys(multiset):
            ways *= comb(len(SUITS), multiset.count(rank))
        ways -= flushes.get("".join(multiset), 0)
        if ways > 0:
            yield tuple(rank + SUITS[place % len(SUITS)] for place, rank in enumerate(multiset)), ways


GAME = TripleJoc
