"""What the poker games against the house share (AD-2022, games 15, 18, 20, 22 and pòquer de contrapartida).

One deck, shuffled for every round. Stakes before the deal go down until "no va més" or the first card; then each place
answers its cards with a further stake, or gives up; then the hands are compared. Any of these may go wrong:

misdeal        a hand with too many or too few cards: the round is void, and every stake of it goes back
exposed card   found face up in the pack it is passed over; the second of a deal makes the round void
redeal         new cards in a round: the stakes from before the deal play on them, later ones go back, a fold is undone

A game's own module has its rulings (`Result`s), and says when a place may answer and which bets are decided when. The
numbers (places, cards, limits, multiples) and the passages are the pack's.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import ClassVar, NamedTuple

from replay.book import Bet, Book
from replay.cards import SUITS, Shoe
from replay.events import (
    BetsClosed,
    BetSettled,
    BetWithdrawn,
    CardDealt,
    Decision,
    RoundClosed,
    ShoeLoaded,
)
from replay.games import Game, Objection
from replay.games._house_poker_law import DealWithBoard, HousePokerLaw, HousePokerWager
from replay.hands import HIGH_TO_TWO, Ranking, legible
from replay.money import Price
from replay.odds import edge_and_variance
from replay.rules import Table
from replay.watched import Watchable

NOTHING = Price(0)


class Result(NamedTuple):
    """What a stake comes to: the winnings, whether the stake itself comes back, and the passage that says so."""

    price: Price
    back: bool
    passage: str

    @property
    def net(self) -> Fraction:
        """The player's win for one unit staked."""
        return self.price.ratio - (0 if self.back else 1)


def lost(passage: str) -> Result:
    """The stake is collected."""
    return Result(NOTHING, False, passage)


def push(passage: str) -> Result:
    """The stake stays the player's, and wins nothing."""
    return Result(NOTHING, True, passage)


def by_table(prices: dict[str, Price], name: str, passage: str) -> Result:
    """The stake wins what the table has for this class of hand, and loses where the table has none."""
    price = prices.get(name)
    return lost(passage) if price is None else Result(price, True, passage)


def with_bonus(result: Result, bonus: Price | None) -> Result:
    """The same with a bonus on the same stake besides, which is paid even when the stake is lost."""
    if bonus is None:
        return result
    return result._replace(price=Price.of(result.price.ratio + bonus.ratio))


def figures(results: Iterable[tuple[int, Result]]) -> tuple[Fraction, Fraction]:
    """Edge and variance from (weight, result) pairs; equal results are added up first, for the sake of time."""
    weights: Counter[tuple[int, int, bool]] = Counter()
    for weight, result in results:
        weights[result.price.num, result.price.den, result.back] += weight
    return edge_and_variance(
        (weight, Fraction(num, den) - (0 if back else 1)) for (num, den, back), weight in weights.items()
    )


def hands_by_rank(ranking: Ranking, size: int) -> Counter[int]:
    """How many of all hands of ``size`` of the 52 cards have each rank.

    Only the cards of one suit that could make a flush are dealt with their suits; all other hands are told apart by
    the ranks of their cards alone. Of five cards that is 16,770 hands to look at instead of 2,598,960. ``size`` must be
    less than twice the ranking's, so that no two suits can make a flush.
    """
    assert ranking.size <= size < 2 * ranking.size
    found: Counter[int] = Counter()
    flushes: Counter[tuple[str, ...]] = Counter()
    for suited in range(ranking.size, size + 1):
        for own in combinations(HIGH_TO_TWO, suited):
            for others in combinations_with_replacement(HIGH_TO_TWO, size - suited):
                ways = len(SUITS) * _ways(others, len(SUITS) - 1)
                cards = [rank + SUITS[0] for rank in own]
                cards += [rank + SUITS[1 + place % 3] for place, rank in enumerate(others)]
                found[ranking.best(cards)] += ways
                flushes[tuple(sorted(own + others))] += ways
    for ranks in combinations_with_replacement(sorted(HIGH_TO_TWO), size):
        ways = _ways(ranks, len(SUITS)) - flushes[ranks]
        if ways:
            found[ranking.best([rank + SUITS[place % 4] for place, rank in enumerate(ranks)])] += ways
    return found


def _ways(ranks: tuple[str, ...], suits: int) -> int:
    """In how many ways cards of these ranks, equal ones next to each other, may be had of so many suits."""
    return prod(comb(suits, ranks.count(rank)) for rank in set(ranks))


class Place:
    """A place at the table, for one round."""

    __slots__ = ("bets", "cards", "dead", "folded", "missing", "player", "seat")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.bets: dict[str, Bet] = {}
        """Its stakes by wager, those that were refused or taken back whole left out."""
        self.player: str | None = None
        """Who holds the place, where a bet has named somebody."""
        self.cards: list[str] = []
        self.folded = False
        self.missing = False
        """It was passed over: the time to answer is gone, and it never did."""
        self.dead = False
        """Cards that it had no stake for have been reported."""


class HousePoker(Game):
    """The procedure that these games share. All state is that of one round; the shoe's is that of one pack."""

    handles = ("card_dealt", "decision", "shoe_loaded")

    needs: ClassVar[type[HousePokerLaw]]
    beside_ante: ClassVar[tuple[str, ...]] = ()
    """Wagers before the deal that are only played beside an `ante`."""
    answer: ClassVar[str]
    """The wager with which a place stays in the game."""
    choices: ClassVar[tuple[str, ...]]
    """What a place may announce."""
    watched: ClassVar[Watchable] = Watchable()
    """Ante and later stakes have no null: what is staked when cards have been seen is favourable then, and the ante
    pays for it, so that one alone may give back more than itself. Both together have a best way to play, published for
    some paytables, proved here for none. What the games have beside them may have one."""

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.law = law = table.rules.law_as(HousePokerLaw)
        deal = law.deal
        self.own_size = deal.own
        self.dealer_size = deal.dealer
        self.board_size = deal.board if isinstance(deal, DealWithBoard) else 0
        self.deal_passage = deal.passage
        self.places_most = law.places.most
        self.places_passage = law.places.passage
        self.misdeal_passage = law.passages.misdeal
        self.exposed_void = law.exposed.void_at
        self.exposed_passage = law.exposed.passage
        self.pack_passage = law.passages.pack
        self.before_deal = law.before_deal
        """The wagers that go down before the cards; every other wager of the pack answers cards."""
        self.limits_changed()
        self.shoe = Shoe(1)
        self.clear()

    def limits_changed(self) -> None:
        table = self.table
        self.limits = {wager: (table.least(wager), table.most(wager)) for wager in self.before_deal}

    def clear(self) -> None:
        """The layout is empty."""
        self.places: dict[int, Place] = {}
        self.dealer: list[str] = []
        self.board: list[str] = []
        self.dealt = False
        """A card has come out in this round."""
        self.outstanding = 0
        """So many cards are still due to the hands, once the stakes are closed."""
        self.exposed = 0
        self.void = False
        self.misdealt = self.strayed = self.dealt_on = False
        """What is said once a round: a misdeal, a card to nobody, cards after a void deal."""

    # --- the table ------------------------------------------------------------------------------------------------

    def table_opened(self) -> None:
        """The posted maxima lie in the band that the regulation allows, and there is one deck."""
        table, shown = self.table, self.table.shown
        faults: list[tuple[str, str]] = []
        if table.decks not in (None, 1):
            faults.append((self.pack_passage, f"{table.decks} decks; the game has one"))
        for wager, (least, most) in self.limits.items():
            band = self.law.limits.get(wager)
            if band is None or not least or most is None:
                continue
            low, high = band.least_multiple, band.most_multiple
            if low is not None and high is not None:
                allowed = f"{low} to {high}"
                good = low * least <= most <= high * least
            else:
                allowed = ", ".join(map(str, band.multiples))
                good = any(most == each * least for each in band.multiples)
            if not good:
                text = f"{wager}: a maximum of {shown(most)} is not {allowed} times {shown(least)}"
                faults.append((band.passage, text))
        self.report_setup(faults)

    # --- the round ------------------------------------------------------------------------------------------------

    def round_begins(self) -> None:
        super().round_begins()
        self.clear()
        if not self.shoe.known:
            self.shoe.load()  # every round has a freshly shuffled pack

    def bets_closed(self, event: BetsClosed) -> None:
        if self.betting_open:
            self.close_bets()

    def round_closed(self, event: RoundClosed) -> None:
        """Hands that lack cards were misdealt; who has not answered by now never does."""
        if self.betting_open:
            self.close_bets()
        if not self.void and self.short():
            self.misdeal("the round was closed without the cards that are due")
        if not self.void:
            self.passed_over()
        super().round_closed(event)
        self.clear()
        self.shoe.restart()

    def lost_sight(self) -> None:
        self.clear()
        self.shoe.forget()

    # --- stakes ---------------------------------------------------------------------------------------------------

    def objection(self, bet: Bet) -> Objection | None:
        """The first line of the checks that fits: too late, not offered, one too many."""
        if self.void:
            return self.refusal(bet, "the round is void", self.misdeal_passage)
        wager = bet.wager
        if wager is None:
            return self.not_offered(bet)
        early = wager.id in self.before_deal
        if not self.betting_open if early else self.too_late(wager.id):
            return self.late(bet)
        if not 1 <= bet.seat <= self.places_most:
            return self.refusal(bet, f"the table has the places 1 to {self.places_most}", self.places_passage)
        place = self.places.get(bet.seat)
        if early:
            if wager.id == "ante" and bet.of is not None:
                return self.refusal(bet, "an ante belongs to no other bet", wager.passage)
        else:
            ante = None if place is None else place.bets.get("ante")
            if place is None or ante is None:
                return self.refusal(bet, "there is no ante at that place", wager.passage)
            if bet.of is not None and bet.of != ante.id:
                return self.refusal(bet, f"it names {bet.of}, which is not the ante of its place", wager.passage)
            if place.folded:
                return self.refusal(bet, "that place has given up", wager.passage)
            reason = self.too_soon(place, wager.id)
            if reason:
                return self.refusal(bet, reason, wager.passage)
        objection = self.objection_of_places(bet)
        if objection is None and place is not None and wager.id in place.bets:
            text = f"{wager.id} bet {bet.id} is the second at place {bet.seat}"
            return Objection("too_many_bets", wager.passage, text)
        return objection

    def refusal(self, bet: Bet, why: str, passage: str) -> Objection:
        """The bet is not offered at this moment, or not at this place."""
        return Objection("wager_not_offered", passage, f"{bet.wager_id} bet {bet.id}: {why}")

    def late(self, bet: Bet) -> Objection:
        passage = bet.wager.passage if bet.wager is not None else self.call_passage
        if bet.wager_id in self.before_deal:
            passage = self.call_passage
        return Objection("late_bet", passage, f"{bet.wager_id} bet {bet.id}: chips came too late")

    def objection_of_places(self, bet: Bet) -> Objection | None:
        """Who may lay this stake at this place: a game's own rule on players and places."""
        return None

    @abstractmethod
    def too_late(self, wager: str) -> bool:
        """The time for this answer is over."""

    @abstractmethod
    def too_soon(self, place: Place, wager: str) -> str:
        """Why the time for this answer has not come; empty when it has."""

    def placed(self, bet: Bet) -> None:
        place = self.places.get(bet.seat)
        if place is None:
            place = self.places[bet.seat] = Place(bet.seat)
        if place.player is None:
            place.player = bet.player
        place.bets[bet.wager_id] = bet
        if bet.wager_id not in self.before_deal:
            self.check_multiple(bet, place.bets["ante"].amount)
            self.answered(place)

    def check_multiple(self, bet: Bet, ante: int) -> None:
        """An answer is so many times the ante; another amount plays as it lies."""
        assert bet.wager is not None
        law, shown = bet.wager.law_as(HousePokerWager), self.table.shown
        times, low, high = law.multiple, law.least_multiple, law.most_multiple
        fault = text = ""
        if times is not None:
            fault = "stake_mismatch" if bet.amount != times * ante else ""
            text = f"is not {times} times the ante of {shown(ante)}"
        elif low is not None and bet.amount < low * ante:
            fault, text = "below_minimum", f"is less than {low} times the ante of {shown(ante)}"
        elif high is not None and bet.amount > high * ante:
            fault, text = "above_maximum", f"is over {high} times the ante of {shown(ante)}"
        if fault:
            self.book.report(
                fault, bet.wager.passage, f"{bet.wager_id} bet {bet.id}: {shown(bet.amount)} {text}", bet=bet
            )

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        """A stake grows before the close; one that an earlier round left undecided is in no game any more."""
        place = self.places.get(bet.seat)
        if self.betting_open and place is not None and place.bets.get(bet.wager_id) is bet:
            return None
        return self.late(bet)

    def withdrawn(self, bet: Bet) -> None:
        place = self.places.get(bet.seat)
        if place is not None and place.bets.get(bet.wager_id) is bet:
            del place.bets[bet.wager_id]
            if not place.bets:
                place.player = None

    def bet_withdrawn(self, event: BetWithdrawn) -> None:
        """An answer cannot be taken back, decided or not."""
        bet = self.book.known(event.bet)
        if bet is None or bet.refused or bet.wager is None or bet.wager_id in self.before_deal:
            super().bet_withdrawn(event)
            return
        self.book.report(
            "withdrawal_not_allowed", bet.wager.passage, f"{bet.wager_id} bet {bet.id} cannot be taken back", bet=bet
        )

    def close_bets(self) -> None:
        """ "No va més": the stakes are judged as they lie, and it is known which hands are due."""
        self.betting_open = False
        hands = 0
        for place in self.places.values():
            ante = place.bets.get("ante")
            for wager, bet in list(place.bets.items()):
                objection = self.objection_at_close(bet, ante)
                if objection is not None:
                    del place.bets[wager]
                    self.book.refuse(bet, *objection)
                else:
                    self.check_limits(bet)
            hands += bool(place.bets)
        self.outstanding = hands * self.own_size + self.dealer_size

    def objection_at_close(self, bet: Bet, ante: Bet | None) -> Objection | None:
        assert bet.wager is not None
        if bet is ante:
            return None
        if ante is None and bet.wager_id in self.beside_ante:
            return self.refusal(bet, "there is no ante beside it", bet.wager.passage)
        if bet.of is not None and (ante is None or bet.of != ante.id):
            return self.refusal(bet, f"it names {bet.of}, which is not the ante of its place", bet.wager.passage)
        return None

    def check_limits(self, bet: Bet) -> None:
        least, most = self.limits[bet.wager_id]
        if bet.amount < least:
            code, bound = "below_minimum", f"under the minimum of {self.table.shown(least)}"
        elif most is not None and bet.amount > most:
            code, bound = "above_maximum", f"over the maximum of {self.table.shown(most)}"
        else:
            return
        band = self.law.limits.get(bet.wager_id)
        passage = self.law.passages.limits if band is None else band.passage
        text = f"{bet.wager_id} bet {bet.id}: {self.table.shown(bet.amount)} is {bound}"
        self.book.report(code, passage, text, bet=bet)

    # --- answers --------------------------------------------------------------------------------------------------

    def decision(self, event: Decision) -> None:
        """A place announces what it does. Only chips count as an answer; only a fold needs none."""
        if self.void:
            return
        place = self.places.get(event.seat)
        if place is None or "ante" not in place.bets:
            why = "has no ante"
        elif place.folded:
            why = "has given up already"
        elif event.choice not in self.choices:
            why = f"may say {', '.join(self.choices)}"
        else:
            why = self.fault(place, event.choice)
            if not why:
                if event.choice == "fold":
                    self.fold(place)
                return
        self.book.report(
            "illegal_decision",
            self.rules.wagers[self.answer].passage,
            f"place {event.seat} said {event.choice}, but {why}",
            seat=event.seat,
        )

    @abstractmethod
    def fault(self, place: Place, choice: str) -> str:
        """Why this place may not do that now, as the end of a sentence ("place 3 …"); empty when it may."""

    def fold(self, place: Place) -> None:
        """The place gives up: its ante is collected."""
        place.folded = True
        self.decide(place.bets["ante"], lost(self.rules.wagers["ante"].passage))
        self.answered(place)

    @abstractmethod
    def answered(self, place: Place) -> None:
        """The place has staked or given up."""

    def unanswered(self) -> Iterator[Place]:
        """Places with an ante that neither staked nor gave up, and still may."""
        for place in self.places.values():
            bets = place.bets
            if "ante" in bets and self.answer not in bets and not place.folded and not place.missing:
                yield place

    def passed_over(self) -> None:
        """The time to answer is over: who did not is never decided."""
        for place in self.unanswered():
            place.missing = True
            self.book.report(
                "missing_decision",
                self.rules.wagers[self.answer].passage,
                f"place {place.seat} neither staked nor gave up",
                seat=place.seat,
            )

    # --- cards ----------------------------------------------------------------------------------------------------

    def card_dealt(self, event: CardDealt) -> None:
        burnt = event.to == "burn"
        if self.betting_open and (not burnt or event.exposed):
            self.close_bets()
        if self.exposed >= self.exposed_void:
            if not self.dealt_on:
                self.dealt_on = True
                self.book.report(
                    "dealing_error",
                    self.exposed_passage,
                    "cards were dealt on although a second one had lain face up in the pack, which makes the deal void",
                )
            return
        self.dealt = True
        if not self.shoe.take(event.card):
            self.book.report("impossible_card", self.pack_passage, f"{event.card} came a second time from one pack")
        if self.void:
            return
        self.exposed += event.exposed
        if burnt:
            if not event.exposed:
                self.burnt()
        elif event.to == "dealer":
            self.take(self.dealer, self.dealer_size, event)
        elif event.to == "community" and self.board_size:
            if self.take(self.board, self.board_size, event):
                self.board_card()
        elif event.to is None and event.seat is not None:
            place = self.places.get(event.seat)
            if place is None or not place.bets:
                self.dead_card(event.seat)
            else:
                self.take(place.cards, self.own_size, event)
        elif not self.strayed:
            self.strayed = True
            self.book.report("dealing_error", self.deal_passage, f"{event.card} was dealt to no hand of this game")
        if self.exposed >= self.exposed_void and not self.void:
            self.make_void(self.exposed_passage)

    def take(self, hand: list[str], size: int, event: CardDealt) -> bool:
        """A card of a hand or of the board; False when it makes the round void."""
        if event.exposed:
            self.book.report(
                "dealing_error",
                self.exposed_passage,
                f"{event.card} lay face up in the pack and was dealt all the same",
                seat=event.seat if event.to is None else None,
            )
        hand.append(event.card)
        if len(hand) > size:
            whose = (
                "the board" if hand is self.board else "the dealer" if hand is self.dealer else f"place {event.seat}"
            )
            self.misdeal(f"{whose} has {len(hand)} cards instead of {size}")
            return False
        if self.exposed >= self.exposed_void:
            return False
        if hand is not self.board:
            self.outstanding -= 1
            if not self.outstanding:
                self.hands_complete()
        return True

    def all_have_cards(self) -> bool:
        """The stakes are closed, and every place with one and the dealer have their cards."""
        return not self.betting_open and not self.outstanding

    def burnt(self) -> None:
        """A card was burnt."""

    def board_card(self) -> None:
        """A card of the board lies open."""

    @abstractmethod
    def hands_complete(self) -> None:
        """Every place with a stake and the dealer have their cards."""

    def dead_card(self, seat: int) -> None:
        """A card for a place that has no stake."""
        place = self.places.get(seat)
        if place is None:
            place = self.places[seat] = Place(seat)
        if not place.dead:
            place.dead = True
            self.book.report(
                "dealing_error", self.deal_passage, f"place {seat} got cards and has no valid stake", seat=seat
            )

    def short(self) -> bool:
        """Cards are due that were not dealt."""
        return self.outstanding != 0 and self.has_stakes()

    def has_stakes(self) -> bool:
        """Somebody has a stake in this round."""
        return any(place.bets for place in self.places.values())

    # --- what makes a round void, and a new deal --------------------------------------------------------------------

    def misdeal(self, why: str) -> None:
        """A wrong number of cards: the cards are collected, the stakes go back."""
        if not self.misdealt:
            self.misdealt = True
            self.book.report("dealing_error", self.misdeal_passage, f"misdeal: {why}")
        self.make_void(self.misdeal_passage)

    def make_void(self, passage: str) -> None:
        """Every stake that was not refused goes back, whatever was decided and paid before; no claim was too early."""
        self.void = True
        self.outcome = "void"
        book = self.book
        for place in self.places.values():
            place.folded = False
            for bet in place.bets.values():
                if not bet.decided or book.reopen(bet):
                    book.decide(bet, 0, bet.amount, passage)
                book.take_back(bet, "settled_too_early")

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """New cards. Within a round, after cards, they make those dead, unless all stakes are settled: then they are
        the next round's."""
        if event.decks not in (None, 1) or event.cards not in (None, 52):
            self.book.report("dealing_error", self.pack_passage, "the pack is not one deck of 52 cards")
        self.shoe.load()
        if self.dealt and not self.all_settled():
            self.redeal()

    def all_settled(self) -> bool:
        """Every stake of the round has its claim."""
        bets = [bet for place in self.places.values() for bet in place.bets.values()]
        return bool(bets) and all(bet.claimed_paid is not None for bet in bets)

    def redeal(self) -> None:
        """The stakes from before the deal play on; answers go back; who gave up is in the game again."""
        book = self.book
        hands = 0
        for place in self.places.values():
            for wager, bet in list(place.bets.items()):
                if bet.decided:
                    book.reopen(bet)
                if wager not in self.before_deal and not bet.decided:
                    del place.bets[wager]
                    bet.refused = True
                    book.decide(bet, 0, bet.amount, self.exposed_passage)
            place.cards = []
            place.folded = place.missing = False
            hands += bool(place.bets)
        self.dealer = []
        self.board = []
        self.exposed = 0
        self.void = self.dealt = False
        self.outcome = ""
        self.outstanding = hands * self.own_size + self.dealer_size

    # --- settlement -----------------------------------------------------------------------------------------------

    def decide(self, bet: Bet | None, result: Result) -> None:
        """The bet, where there is one that is still undecided, comes to this."""
        if bet is not None and not bet.decided:
            amount = bet.amount
            self.book.decide(bet, self.table.pay(amount, result.price), amount if result.back else 0, result.passage)

    def tell_outcome(self, ranking: Ranking) -> None:
        """What the dealer had, for people."""
        cards = [*self.dealer, *self.board]
        name = ranking.name(ranking.best(cards)).replace("_", " ") if legible(cards) else "unread"
        self.outcome = f"dealer {' '.join(self.dealer)}: {name}"


def rank(ranking: Ranking, cards: Sequence[str]) -> int | None:
    """The rank of the best hand in these cards; None when one of them could not be read: bets on it stay open."""
    return ranking.best(cards) if legible(cards) else None


class ShowdownPoker(HousePoker):
    """The games without a board: the hands are complete, then every place answers, then the dealer shows his cards.

    The showdown begins with the first claim on an unrefused bet of a place that has not given up, made once all hands
    are complete: from then on nobody answers any more.
    """

    ranking: ClassVar[Ranking]
    """How hands are compared."""

    def wins(self, bet: Bet) -> dict[str, int]:
        """An ante with its bonus: by the hand that the place has; before it has one, by each that it may get."""
        wager = bet.wager
        bonuses = self.law.ante_bonus
        if wager is None or wager.price is None or wager.id != "ante" or not bonuses:
            return super().wins(bet)
        place = self.places.get(bet.seat)
        cards = place.cards if place is not None else []
        if len(cards) < self.own_size:
            names = ["", *bonuses]
        elif legible(cards):
            names = [self.ranking.name(self.ranking.best(cards))]
        else:
            return {}
        won = Result(wager.price, True, wager.passage)
        found = {
            name if name in bonuses else "": self.table.pay(bet.amount, with_bonus(won, bonuses.get(name)).price)
            for name in names
        }
        if names[0] in bonuses:
            bonus = with_bonus(push(wager.passage), bonuses[names[0]])
            found["bonus_alone"] = self.table.pay(bet.amount, bonus.price)
        return found

    def clear(self) -> None:
        super().clear()
        self.complete = False
        self.showdown = False

    def make_void(self, passage: str) -> None:
        super().make_void(passage)
        self.complete = False

    def redeal(self) -> None:
        super().redeal()
        self.complete = self.showdown = False

    def too_late(self, wager: str) -> bool:
        return self.showdown

    def too_soon(self, place: Place, wager: str) -> str:
        return "" if self.complete else "the hands are not complete"

    def fault(self, place: Place, choice: str) -> str:
        if not self.complete:
            return "the hands were not complete"
        if self.showdown:
            return "the dealer was settling the bets already"
        if choice == "fold" and self.answer in place.bets:
            return "had staked on its hand"
        return ""

    def hands_complete(self) -> None:
        """What hangs on the own cards alone is decided."""
        self.complete = True
        self.tell_outcome(self.ranking)
        for place in self.places.values():
            if place.bets:
                self.settle_side(place)

    def answered(self, place: Place) -> None:
        """Who has staked is compared with the dealer."""
        if not place.folded:
            self.settle(place)

    def bet_settled(self, event: BetSettled) -> None:
        if self.complete and not self.showdown:
            bet = self.book.known(event.bet)
            place = self.places.get(bet.seat) if bet is not None else None
            if (
                bet is not None
                and place is not None
                and place.bets.get(bet.wager_id) is bet
                and not place.folded
                and (event.round is None or event.round >= bet.round)
            ):
                self.showdown = True
                self.passed_over()
        super().bet_settled(event)

    def settle_side(self, place: Place) -> None:
        """The bets of this place that hang on nothing but its own cards."""

    @abstractmethod
    def settle(self, place: Place) -> None:
        """The ante and the answer of this place."""
