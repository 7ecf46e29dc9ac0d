"""Circle poker, players against each other: AD-2022, game 23, and its varieties.

II   One deck, of 52 cards or stripped; the ace is high, and low before the lowest card in play. The house takes a
     percentage of each pot, or a fee per time.
III  The dealer deals, watches that nobody bets out of turn, keeps the pot, takes the house's benefit, pays the pot.
IV   One player a place. The button marks whose turn it is to be dealt last.
V    Nobody plays for another; turns, calls and raises are as in `replay.betting`.
VI   The best hand of the variety takes the pot; with fewer than 52 cards the flush beats the full house.

All that a seat puts into a hand is one bet, ``seat<N>``; chips of an action that is void go back at once and are in no
bet. What was dealt is `Hand`, what a hand is worth is `Variety`, and how the pots are made and shared is `replay.pots`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from fractions import Fraction
from typing import Any

from replay.betting import BettingRound, Stakes
from replay.book import Bet, Book
from replay.cards import Shoe
from replay.events import BetPlaced, BetRaised, BetSettled, CardDealt, Decision, RakeTaken, RoundClosed
from replay.games import Game, Objection
from replay.games._circle_poker_law import LOWS, CirclePokerLaw, Deck, VarietyLaw
from replay.hands import (
    RAZZ,
    VALUE,
    Low,
    Ranking,
    legible,
)
from replay.odds import Odds
from replay.pots import Pot, halves, layers, shares, take_rake, uncalled
from replay.rules import GameRules, Table
from replay.watched import Watchable

# --- VI, what a hand is worth -------------------------------------------------------------------------------------


class Variety:
    """One variety of the game, played with one deck."""

    def __init__(self, name: str, law: VarietyLaw, deck: Deck) -> None:
        self.name = name
        self.streets = law.streets
        self.last = len(self.streets) - 1
        self.own_due = law.own_due
        """Own cards of a seat after each street."""
        self.board_size = law.board_size
        self.stud = "u" in self.streets[0]
        self.small_rounds = law.small_rounds
        self.open_pair = law.open_pair
        self.wins: tuple[Ranking | Low, ...] = tuple(LOWS.get(name) or deck.ranking for name in law.wins)
        """What takes the pot; with two, its high and its low half."""
        self.own_in_hand = law.own_in_hand
        self.lowest_wins = self.wins == (RAZZ,)

    def ranks(self, own: Sequence[str], board: Sequence[str]) -> tuple[int | None, ...]:
        """What the hand is worth for each part of the pot, higher is better; None for the low half where it is no low
        hand. The cards must be `legible` and of the right number."""
        if self.own_in_hand:
            return tuple(ranking.best_with(own, board, self.own_in_hand) for ranking in self.wins)
        cards = (*own, *board)
        return tuple(ranking.best(cards) for ranking in self.wins)


def award(
    pot: Pot, ranks: Mapping[int, tuple[int | None, ...]], ring: Sequence[int], unit: int, *, ring_known: bool = True
) -> dict[int, int] | None:
    """Who gets what of one pot. ``ranks``: `Variety.ranks` of those of its seats whose cards are known; ``ring``: all
    seats from the left of the button. None where it hangs on cards that nobody could read, or on an odd chip that goes
    by the button when that is not known."""
    if len(pot.seats) == 1:
        return {pot.seats[0]: pot.net}
    if any(seat not in ranks for seat in pot.seats):
        return None
    parts = len(ranks[pot.seats[0]])
    winners: list[list[int]] = []
    for part in range(parts):
        best: int | None = None
        found: list[int] = []
        for seat in ring:
            if seat not in pot.seats:
                continue
            rank = ranks[seat][part]
            if rank is None or (best is not None and rank < best):
                continue
            if rank != best:
                best, found = rank, []
            found.append(seat)
        if found:
            winners.append(found)
    amounts = (pot.net,) if len(winners) == 1 else halves(pot.net, unit)
    awarded: dict[int, int] = {}
    for amount, seats in zip(amounts, winners, strict=True):
        if not ring_known and amount % (len(seats) * unit):
            return None
        for seat, share in shares(amount, seats, unit).items():
            awarded[seat] = awarded.get(seat, 0) + share
    return awarded


def shown_strength(cards: Sequence[str], *, low: bool = False) -> tuple[list[int], list[int]]:
    """How the cards that a seat shows compare before they are five: pairs and the like first, then the ranks from the
    top. ``low``: the ace counts as one."""
    counts: dict[int, int] = {}
    for card in cards:
        value = VALUE[card[0]]
        if low and value == 14:
            value = 1
        counts[value] = counts.get(value, 0) + 1
    groups = sorted(((count, value) for value, count in counts.items()), reverse=True)
    return [count for count, _ in groups], [value for _, value in groups]


def bring_in_order(card: str, *, low: bool = False) -> tuple[int, int]:
    """The order of the first up cards, by rank and then by suit: clubs, diamonds, hearts, spades."""
    value = VALUE[card[0]]
    return (1 if low and value == 14 else value), "CDHS".index(card[1])


# --- a hand -------------------------------------------------------------------------------------------------------


class Phase(IntEnum):
    """Where a hand stands."""

    DEALING = 0
    """Forced bets and the first own cards."""
    STREET = 1
    """The cards of a later street are coming."""
    BETTING = 2
    DRAWING = 3
    """Each seat says what it exchanges."""
    BETWEEN = 4
    """The round is over, the next street is due."""
    SHOWDOWN = 5
    """All rounds are over; the cards speak."""
    OVER = 6
    """All but one have folded."""


class Hand:
    """All that happened in one hand. Amounts are minor units."""

    def __init__(self) -> None:
        self.phase = Phase.DEALING
        self.bets: dict[int, Bet] = {}
        """What each seat has put in; a seat that got cards and no more has a bet of nothing."""
        self.totals: dict[int, int] = {}
        """The same, dead money aside."""
        self.dead = 0
        """One seat's ante for the whole table."""
        self.pot = 0
        """All chips that are in."""
        self.blinds: dict[int, int] = {}
        self.big_blinds: list[int] = []
        self.small_blinds: list[int] = []
        self.antes = 0
        """The highest ante."""
        self.own: dict[int, list[str]] = {}
        self.up: dict[int, list[str]] = {}
        """Those of them that lie open, in stud."""
        self.board: list[str] = []
        self.live: set[int] = set()
        """Seats with cards that have not folded."""
        self.all_in: set[int] = set()
        self.mucked: set[int] = set()
        self.misdealt: set[int] = set()
        """Seats with a wrong number of cards."""
        self.ring: tuple[int, ...] = ()
        """All seats, from the left of the button."""
        self.ring_known = True
        self.street = 0
        self.street_cards = 0
        """Board cards of this street."""
        self.burned = False
        self.betting: BettingRound | None = None
        self.discarded: dict[int, int] = {}
        """How many cards each seat exchanges in this draw, of those that have said it."""
        self.drawn: dict[int, int] = {}
        self.returned_cards: set[str] = set()
        """Cards that were exchanged: dealt again when the deck is used up."""
        self.rake_due = 0


class CirclePoker(Game):
    """One table, hand by hand. Every seat's bet is decided when the hand ends."""

    handles = ("card_dealt", "decision", "rake_taken")

    needs = CirclePokerLaw
    among_players = True
    reports_cut = True
    pots = True
    watched = Watchable()
    """Players against each other: what one wins another loses, a better player wins more without any wrong, and no
    figure says how much better one may be. The rake says nothing of it: it is taken from the winner, and makes the sum
    of all negative, not each."""

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.law = table.rules.law_as(CirclePokerLaw)
        self.passages = passages = self.law.passages
        self.passage_of = {
            "illegal_decision": passages.turns,
            "stake_mismatch": passages.bets,
            "below_minimum": passages.bets,
            "above_maximum": passages.bets,
        }
        """What is cited of a decision that was wrong, by the finding's code."""
        options: Mapping[str, Any] = {**dict.fromkeys(CirclePokerLaw.known_options), **table.options}
        self.options = options
        """What the house has chosen; None where it has not, or the law leaves no such choice."""
        book.past_forgotten = True
        deck = self.law.decks[str(options["deck"])]
        self.variety = Variety(options["variety"], self.law.varieties[options["variety"]], deck)
        self.shoe = Shoe(1, deck.cards)
        self.deck_size = len(deck.cards)
        self.burns: bool = options["burn"] and bool(self.variety.board_size)
        self.one_ante: bool = options["ante_by"] == "big_blind"
        self.by_time: bool = options["house_take"] == "time"
        self.rake = Fraction(options["rake_percent"] or 0, 100)
        self.button: int | None = options["button"]
        self.first_hand = True
        self.hand = Hand()
        self.fees: set[int] = set()
        """Seats that have paid the fee per time in this hand."""
        self.rake_taken_minor = 0
        self.unseen = False
        """After a hole in the log, until the next hand: what is taken may be of a hand that was not seen."""

    def round_begins(self) -> None:
        super().round_begins()
        self.unseen = False
        self.hand = Hand()
        if not self.shoe.known:
            self.shoe.load()

    def lost_sight(self) -> None:
        self.hand = Hand()
        self.shoe.forget()
        self.button = None
        self.first_hand = False
        self.unseen = True
        self.book.forget_due()
        self.fees.clear()
        self.rake_taken_minor = 0

    # --- II and VI, what the house has set up ---------------------------------------------------------------------

    def table_opened(self) -> None:
        """A choice of the house must come with the amounts that it needs."""
        options = self.options
        faults: list[tuple[str, str]] = []
        if self.by_time and options["time_fee"] is None:
            faults.append((self.passages.benefit, "the house takes a fee per time, and the table posts none"))
        if options["betting"] == "fixed_limit":
            small, big = options["small_bet"], options["big_bet"]
            if small is None or big is None:
                faults.append((self.passages.bets, "the table plays fixed limit, and posts no small_bet and big_bet"))
            elif big < small:
                faults.append((self.passages.bets, "the big bet is smaller than the small bet"))
        self.report_setup(faults)

    # --- II, the house's benefit ----------------------------------------------------------------------------------

    def rake_taken(self, event: RakeTaken) -> None:
        """A cut of the pots, compared when the hand is closed, or a seat's fee per time."""
        book = self.book
        if self.unseen:
            return
        seat, amount = event.seat, event.amount
        shown = self.table.shown
        if seat is None:
            if not self.by_time:
                self.rake_taken_minor += amount
            elif amount:
                text = f"{shown(amount)} was taken from a pot, and the house takes a fee per time"
                book.report("wrong_rake", self.passages.benefit, text, amount=amount)
            return
        fee = self.options["time_fee"]
        if not self.by_time:
            text = f"seat {seat} was charged {shown(amount)}, and the house takes a percentage of the pots"
            book.report("wrong_rake", self.passages.benefit, text, seat=seat, amount=amount)
        elif seat in self.fees:
            text = f"seat {seat} was charged {shown(amount)}, a second fee in one hand"
            book.report("wrong_rake", self.passages.benefit, text, seat=seat, amount=amount)
        elif fee is not None and amount != fee:
            text = f"seat {seat} was charged {shown(amount)}, and the fee is {shown(fee)}"
            book.report("wrong_rake", self.passages.benefit, text, seat=seat, amount=abs(amount - fee))
        self.fees.add(seat)

    def _check_rake(self) -> None:
        """What was taken from the pots, and what was due."""
        taken, due = self.rake_taken_minor, self.hand.rake_due
        if taken != due:
            shown = self.table.shown
            text = f"{shown(taken)} was taken from the pots, {shown(due)} was due"
            self.book.report("wrong_rake", self.passages.benefit, text, amount=abs(taken - due))

    # --- III, the dealer ------------------------------------------------------------------------------------------

    def card_dealt(self, event: CardDealt) -> None:
        """An own card, a card of the board, or a burnt one."""
        card = event.card
        hand = self.hand
        if not self.shoe.take(card) and not self._dealt_again(card):
            text = f"{card} is in this hand for the second time"
            if card not in self.shoe.copies:
                text = f"{card} is no card of a deck of {self.deck_size}"
            self.book.report("impossible_card", self.passages.deck, text)
        if event.seat is not None:
            self._own_card(event.seat, card, event.up)
        elif event.to == "community":
            self._board_card(card)
        elif event.to == "burn":
            hand.burned = True
        else:
            self.book.report(
                "dealing_error", self.passages.dealing, f"{card} was dealt to {event.to}, and there is no such place"
            )

    def _dealt_again(self, card: str) -> bool:
        """When all cards are out, those that were exchanged are shuffled and dealt."""
        if card in self.hand.returned_cards and self.shoe.out > self.deck_size:
            self.hand.returned_cards.discard(card)
            return True
        return False

    def _own_card(self, seat: int, card: str, up: bool | None) -> None:
        hand, variety = self.hand, self.variety
        if hand.phase is Phase.DEALING and self._dealt_out(seat):
            self._open_round()
        phase = hand.phase
        if phase is Phase.DEALING:
            if seat not in hand.own:
                hand.own[seat] = []
                hand.live.add(seat)
                self._bet_of(seat)
            self._take(seat, card, up)
            return
        if phase is Phase.OVER:
            return
        if seat not in hand.live:
            self._misdeal(seat, f"seat {seat} is dealt a card and is not in the hand")
            return
        after = hand.street + 1
        if variety.stud and phase in (Phase.BETTING, Phase.BETWEEN) and after <= variety.last:
            self._begin_street()
            phase = hand.phase
        self._take(seat, card, up)
        if phase is Phase.DRAWING or (phase is Phase.STREET and not variety.board_size):
            hand.drawn[seat] = hand.drawn.get(seat, 0) + 1
            self._cards_complete()
        else:
            self._misdeal(seat, f"seat {seat} is dealt a card too many")
            if phase is Phase.SHOWDOWN:
                self._settle()

    def _dealt_out(self, seat: int) -> bool:
        """In stud: all seats have the cards of the first street, this one too, so that the next card is another
        street's. Seats that are all-in with their antes say nothing between."""
        hand, due = self.hand, self.variety.own_due[0]
        return self.variety.stud and seat in hand.own and all(len(cards) == due for cards in hand.own.values())

    def _take(self, seat: int, card: str, up: bool | None) -> None:
        hand = self.hand
        own = hand.own[seat]
        if self.variety.stud:
            street = self.variety.streets[hand.street]
            notation = street[min(len(own), len(street) - 1)] if hand.street == 0 else street
            if up or (up is None and notation == "u"):
                hand.up.setdefault(seat, []).append(card)
        own.append(card)

    def _board_card(self, card: str) -> None:
        hand, variety = self.hand, self.variety
        if len(hand.board) >= variety.board_size:
            cards = "a board card in a game without board" if not variety.board_size else "a sixth board card"
            self.book.report("dealing_error", self.passages.dealing, f"{card} is {cards}")
            return
        if hand.phase is Phase.DEALING:
            self._open_round()
        if hand.phase in (Phase.BETTING, Phase.BETWEEN) and hand.street < variety.last:
            self._begin_street()
        hand.board.append(card)
        if hand.phase is Phase.STREET:
            hand.street_cards += 1
            if hand.street_cards == len(variety.streets[hand.street]):
                self._open_round()
        elif hand.phase is Phase.BETWEEN and len(hand.board) == variety.board_size:
            self._round_over()

    def _begin_street(self) -> None:
        """The first card of the next street is on the table."""
        hand = self.hand
        self._report_waiting()
        hand.street += 1
        hand.street_cards = 0
        hand.betting = None
        hand.phase = Phase.STREET
        hand.drawn = {}
        if self.burns and not hand.burned:
            self.book.report("dealing_error", self.passages.dealing, "no card was burnt before the board went on")
        hand.burned = False

    def _cards_complete(self) -> None:
        """When the last card of a street has come, the betting is open: the next card is another street's."""
        hand = self.hand
        if hand.phase is not Phase.STREET:
            return
        if self.variety.streets[hand.street] == "x":
            if any(hand.drawn.get(seat, 0) < hand.discarded[seat] for seat in hand.live):
                return
        elif any(len(hand.own[seat]) < self.variety.own_due[hand.street] for seat in hand.live):
            return
        self._open_round()

    def _check_numbers(self) -> None:
        """Each seat has as many own cards as it should, and got as many as it exchanged."""
        hand = self.hand
        due = self.variety.own_due[hand.street]
        exchange = self.variety.streets[hand.street] == "x"
        for seat in sorted(hand.live):
            count = len(hand.own[seat])
            if exchange and (drawn := hand.drawn.get(seat, 0)) != hand.discarded[seat]:
                self._misdeal(seat, f"seat {seat} exchanged {hand.discarded[seat]} cards and got {drawn}")
            elif count != due:
                self._misdeal(seat, f"seat {seat} has {count} cards instead of {due}")

    def _misdeal(self, seat: int, text: str) -> None:
        if seat not in self.hand.misdealt:
            self.hand.misdealt.add(seat)
            self.book.report("dealing_error", self.passages.dealing, f"{text}: its hand is dead", seat=seat)

    # --- IV, places and the button --------------------------------------------------------------------------------

    def _seat_all(self) -> None:
        """The cards are dealt: who is at the table, from the left of the button."""
        hand = self.hand
        seats = sorted(hand.bets)
        places = [seat for seat in seats if seat in hand.own or hand.bets[seat].amount]
        if not (self.first_hand and self.button is not None):
            self.button = self._button_moved(places)
        self.first_hand = False
        hand.ring_known = self.button is not None
        button = seats[-1] if self.button is None else self.button
        hand.ring = tuple(sorted(seats, key=lambda seat: (seat <= button, seat)))

    def _button_moved(self, seats: list[int]) -> int | None:
        """The blinds tell where the button is; without blinds it is one seat further left than in the hand before."""
        hand = self.hand
        posted = hand.small_blinds or hand.big_blinds
        if posted and len(seats) == 2:
            return posted[0] if hand.small_blinds else next(seat for seat in seats if seat != posted[0])
        if posted:
            return seats[seats.index(posted[0]) - 1]
        if self.button is None:
            return None
        return next((seat for seat in seats if seat > self.button), seats[0])

    def _from(self, seat: int, *, after: bool = False) -> tuple[int, ...]:
        """All seats leftwards from this one, or from the next."""
        ring = self.hand.ring
        place = ring.index(seat) + after
        return ring[place:] + ring[:place]

    def _bet_of(self, seat: int, player: str | None = None) -> Bet:
        """The bet that gathers what the seat puts in."""
        hand = self.hand
        bet = hand.bets.get(seat)
        if bet is None:
            bet = self.book.gather(f"seat{seat}", seat, player)
            bet.passage = self.passages.combinations
            hand.bets[seat] = bet
            hand.totals[seat] = 0
        elif player is not None and bet.player is None:
            bet.player = player
        return bet

    # --- VI, forced bets ------------------------------------------------------------------------------------------

    def bet_placed(self, event: BetPlaced) -> None:
        """An ante, a blind, or the bring-in of stud: chips of the seat's bet."""
        hand, book = self.hand, self.book
        seat, amount, wager = event.seat, event.amount, event.wager
        stud = self.variety.stud
        if wager not in self.rules.wagers or (wager == "bring_in") != (stud and wager != "ante"):
            text = f"{wager} is no forced bet of {self.variety.name}"
            book.refund(self._bet_of(seat, event.player), amount, "wager_not_offered", self.passages.forced_bets, text)
            return
        if wager == "bring_in" and hand.phase is Phase.DEALING:
            self._open_round()
        if not (self._may_bring_in(seat) if wager == "bring_in" else hand.phase is Phase.DEALING):
            text = f"{wager} of seat {seat} comes too late in the hand; it is void"
            book.report("late_bet", self.passages.forced_bets, text, seat=seat)
            return
        least = self.options[wager]
        if least is not None and amount < least and not event.all_in:
            shown = self.table.shown
            text = f"{wager} of seat {seat}: {shown(amount)} is less than {shown(least)}"
            book.report("below_minimum", self.passages.forced_bets, text, seat=seat)
        self._put(seat, amount, event.player)
        if wager == "bring_in":
            self._bring_in(seat, amount, event.all_in)
            return
        if event.all_in:
            hand.all_in.add(seat)
        if wager == "ante":
            hand.antes = max(hand.antes, amount)
            if self.one_ante:
                hand.dead += amount
                hand.totals[seat] -= amount
        else:
            hand.blinds[seat] = hand.blinds.get(seat, 0) + amount
            (hand.big_blinds if wager == "big_blind" else hand.small_blinds).append(seat)

    def _may_bring_in(self, seat: int) -> bool:
        """Nobody has acted yet."""
        hand = self.hand
        betting = hand.betting
        if hand.phase is not Phase.BETTING or betting is None or betting.acted:
            return False
        return hand.street == 0 and seat in hand.live and seat not in hand.all_in

    def _bring_in(self, seat: int, amount: int, all_in: bool) -> None:
        betting = self.hand.betting
        assert betting is not None
        betting.bring_in(seat, amount, all_in, self.options["small_bet"] or 0)
        self._report_wrongs(seat, betting)
        if betting.over:
            self._round_over()

    def _put(self, seat: int, amount: int, player: str | None = None) -> None:
        """Chips go into the pot."""
        hand = self.hand
        bet = self._bet_of(seat, player)
        bet.amount += amount
        if bet.seqs[-1] != self.book.seq:
            bet.seqs += (self.book.seq,)
        hand.totals[seat] += amount
        hand.pot += amount

    def bet_raised(self, event: BetRaised) -> None:
        """A raise is a decision here: these chips are in nobody's turn."""
        text = f"{self.table.shown(event.by)} was added to bet {event.bet} outside the betting; it goes back"
        self.book.report("illegal_decision", self.passages.turns, text, bet_id=event.bet)

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        """What is in the pot stays there."""
        return Objection(
            "withdrawal_not_allowed", self.passages.custody, f"chips of {bet.who} were taken back out of the pot"
        )

    # --- V and VI, betting ----------------------------------------------------------------------------------------

    def decision(self, event: Decision) -> None:
        """What a seat does in its turn, or out of it."""
        hand, variety = self.hand, self.variety
        if hand.phase is Phase.DEALING or (hand.phase is Phase.STREET and not variety.board_size):
            self._open_round()
        seat, choice = event.seat, event.choice
        if choice == "draw":
            self._draw(seat, event.cards or [])
            return
        betting = hand.betting
        if hand.phase is not Phase.BETTING or betting is None:
            self._outside_a_round(seat, choice, event.amount or 0)
            return
        chips = betting.act(seat, choice, event.amount, event.all_in, hand.pot)
        if betting.wrongs:
            self._report_wrongs(seat, betting)
        if chips > 0:
            self._put(seat, chips)
        elif choice == "fold" and seat in hand.bets and seat not in hand.live:
            hand.bets[seat].seqs += (event.seq,)
        if betting.turn is None or len(hand.live) == 1:
            self._round_over()

    def _report_wrongs(self, seat: int, betting: BettingRound) -> None:
        for code, text in betting.wrongs:
            self.book.report(code, self.passage_of[code], text, seat=seat)
        betting.wrongs = []

    def _outside_a_round(self, seat: int, choice: str, amount: int) -> None:
        """A hand that is mucked at the showdown; anything else is void."""
        hand = self.hand
        if choice == "fold" and hand.phase is Phase.SHOWDOWN and seat in hand.live and seat not in hand.mucked:
            if len(hand.live) - len(hand.mucked) > 1:
                hand.mucked.add(seat)
                self._settle()
                return
        if amount and hand.phase >= Phase.SHOWDOWN:
            text = f"seat {seat} puts in {self.table.shown(amount)} after the last round of betting; it is void"
            self.book.report("late_bet", self.passages.turns, text, seat=seat)
            return
        text = f"seat {seat} says {choice} when nobody may bet; it is void"
        self.book.report("illegal_decision", self.passages.turns, text, seat=seat)

    def _open_round(self) -> None:
        """The cards of a street are dealt: a round of betting begins."""
        hand = self.hand
        if not hand.live:
            return
        if hand.phase is Phase.DEALING:
            self._seat_all()
        self._check_numbers()
        if len(hand.live) == 1:
            self._round_over()
            return
        first, unknown = self._first_to_act()
        hand.betting = BettingRound(
            first,
            hand.live,
            hand.all_in,
            self._stakes(),
            self.table.shown,
            hand.blinds if hand.street == 0 else None,
            unknown_turn=unknown,
        )
        hand.phase = Phase.BETTING
        if hand.betting.over:
            self._round_over()

    def _first_to_act(self) -> tuple[tuple[int, ...], bool]:
        """All seats from the first to act leftwards, and whether that cannot be known."""
        hand = self.hand
        if self.variety.stud:
            return self._first_in_stud()
        if hand.street == 0 and hand.blinds:
            last = next(seat for seat in hand.ring if seat in (hand.big_blinds or hand.small_blinds))
            return self._from(last, after=True), False
        return hand.ring, not hand.ring_known

    def _first_in_stud(self) -> tuple[tuple[int, ...], bool]:
        """First the lowest up card (razz: the highest), then the best shown cards (razz: the lowest). Where these are
        of a seat that is all-in, the turn passes to its left."""
        hand = self.hand
        low = self.variety.lowest_wins
        seats = [seat for seat in hand.ring if seat in hand.live]
        if not all(hand.up.get(seat) and legible(hand.up[seat]) for seat in seats):
            return hand.ring, True
        if not seats:
            return hand.ring, False
        if hand.street == 0:
            pick = max if low else min
            return self._from(pick(seats, key=lambda seat: bring_in_order(hand.up[seat][0], low=low))), False
        strengths = {seat: shown_strength(hand.up[seat], low=low) for seat in seats}
        best = (min if low else max)(strengths.values())
        first = [seat for seat in seats if strengths[seat] == best]
        return self._from(first[0]), len(first) > 1 and not hand.ring_known

    def _stakes(self) -> Stakes:
        """How much may be bet in this round."""
        hand, options = self.hand, self.options
        if options["betting"] == "fixed_limit":
            small, big = options["small_bet"], options["big_bet"]
            if small is None or big is None:
                return Stakes()
            if hand.street >= self.variety.small_rounds:
                return Stakes(fixed=(big,))
            if hand.street == 1 and self.variety.open_pair and self._pair_lies_open():
                return Stakes(fixed=(small, big))
            return Stakes(fixed=(small,))
        least = options["min_bet"]
        if least is None:
            least = options["big_blind"]
        if least is None and hand.big_blinds:
            least = max(hand.blinds[seat] for seat in hand.big_blinds)
        if least is None:
            least = options["ante"]
        return Stakes(hand.antes if least is None else least, pot_limit=options["betting"] == "pot_limit")

    def _pair_lies_open(self) -> bool:
        hand = self.hand
        return any(
            len({card[0] for card in hand.up[seat]}) < len(hand.up[seat]) for seat in hand.live if seat in hand.up
        )

    def _round_over(self) -> None:
        """Nobody has to act any more: the hand ends, or the next street is due."""
        hand, variety = self.hand, self.variety
        if len(hand.live) == 1:
            hand.phase = Phase.OVER
            self._settle()
        elif hand.street == variety.last:
            if len(hand.board) < variety.board_size:
                hand.phase = Phase.BETWEEN
                return
            hand.phase = Phase.SHOWDOWN
            self._settle()
        elif variety.streets[hand.street + 1] == "x":
            hand.phase = Phase.DRAWING
            hand.discarded = {}
            hand.drawn = {}
        else:
            hand.phase = Phase.BETWEEN

    def _report_waiting(self) -> None:
        """The game goes on though seats still have to act; they stay in with what they have put in."""
        hand = self.hand
        waiting: Sequence[int] = ()
        what = "act"
        if hand.phase is Phase.BETTING and hand.betting is not None:
            waiting = hand.betting.waiting()
        elif hand.phase is Phase.DRAWING:
            waiting = [seat for seat in hand.ring if seat in hand.live and seat not in hand.discarded]
            what = "say its draw"
        for seat in waiting:
            self.book.report(
                "missing_decision",
                self.passages.turns,
                f"the game went on before seat {seat} had its turn to {what}",
                seat=seat,
            )

    # --- VI, the exchange of cards --------------------------------------------------------------------------------

    def _draw(self, seat: int, cards: Sequence[str]) -> None:
        hand, variety = self.hand, self.variety
        if (
            hand.phase is Phase.BETTING
            and hand.betting is not None
            and hand.street < variety.last
            and variety.streets[hand.street + 1] == "x"
            and seat in hand.live
            and seat not in hand.betting.waiting()
        ):
            self._report_waiting()  # this seat is done with the round, and the exchange begins with it
            self._round_over()
        if hand.phase is not Phase.DRAWING or seat not in hand.live or seat in hand.discarded:
            text = f"seat {seat} exchanges cards when it may not; it is void"
            self.book.report("illegal_decision", self.passages.turns, text, seat=seat)
            return
        turn = next(each for each in hand.ring if each in hand.live and each not in hand.discarded)
        if seat != turn and hand.ring_known:
            text = f"seat {seat} exchanges cards out of turn: it is the turn of seat {turn}"
            self.book.report("illegal_decision", self.passages.turns, text, seat=seat)
        hand.discarded[seat] = len(cards)
        own = hand.own[seat]
        for card in cards:
            if card in own:
                own.remove(card)
                hand.returned_cards.add(card)
            elif "??" in own:
                own.remove("??")
                hand.returned_cards.add(card)
        if all(each in hand.discarded for each in hand.live):
            hand.street += 1
            hand.betting = None
            hand.phase = Phase.STREET
            self._cards_complete()

    # --- III and VI, the pot is paid ------------------------------------------------------------------------------

    def _settle(self) -> None:
        """The hand has ended: what each seat gets. Said again when a hand is mucked."""
        hand = self.hand
        contenders = hand.live - hand.mucked
        if hand.phase is Phase.SHOWDOWN:
            contenders -= hand.misdealt
        uncalled_seat, uncalled_amount = uncalled(hand.totals)
        totals = hand.totals
        if uncalled_amount:
            totals = {**totals, uncalled_seat: totals[uncalled_seat] - uncalled_amount}
        pots = layers(totals, contenders or hand.live, hand.dead)
        hand.rake_due = self._rake(pots)
        passage = self.passages.combinations if len(contenders) > 1 else self.passages.custody
        ranks = self._ranks(contenders) if len(contenders) > 1 else {}
        gets = dict.fromkeys(hand.bets, 0)
        unknown: set[int] = set()
        for pot in pots:
            if not pot.amount:
                continue
            awarded = award(pot, ranks, hand.ring, self.table.chip_unit, ring_known=hand.ring_known)
            if awarded is None or not contenders:
                unknown.update(pot.seats)
                continue
            for seat, amount in awarded.items():
                gets[seat] += amount
        self.outcome = self._outcome(gets, unknown)
        if uncalled_amount:
            gets[uncalled_seat] += uncalled_amount
        for seat, bet in hand.bets.items():
            if bet.decided and (seat in unknown or bet.paid + bet.returned - bet.refund != gets[seat]):
                self.book.reopen(bet)
            if not bet.decided and seat not in unknown:
                returned = min(gets[seat], bet.amount)
                self.book.decide(bet, gets[seat] - returned, returned, passage)

    def _rake(self, pots: Sequence[Pot]) -> int:
        """II: the percentage of each pot, rounded down to chips; sets what the house takes off each."""
        options = self.options
        if self.by_time or (options["no_flop_no_drop"] and self.hand.street == 0):
            return 0
        rake = self.rake
        return take_rake(pots, rake.numerator, rake.denominator, self.table.chip_unit, options["rake_cap"])

    def _ranks(self, seats: set[int]) -> dict[int, tuple[int | None, ...]]:
        """The worth of those hands that could be read."""
        hand = self.hand
        if not legible(hand.board):
            return {}
        return {seat: self.variety.ranks(hand.own[seat], hand.board) for seat in seats if legible(hand.own[seat])}

    def _outcome(self, gets: Mapping[int, int], unknown: set[int]) -> str:
        winners = " ".join(f"seat{seat}" for seat in sorted(gets) if gets[seat])
        if unknown:
            winners = f"{winners} open".strip()
        return f"{' '.join(self.hand.board)}: {winners}" if self.hand.board else winners

    def bet_settled(self, event: BetSettled) -> None:
        """A claim; the same id was another bet in an earlier hand."""
        book = self.book
        if event.round is None or event.round == book.round:
            book.lapsed.pop(event.bet, None)
        book.claim(event, early=self.hand.phase < Phase.SHOWDOWN)

    def round_closed(self, event: RoundClosed) -> None:
        """Who has not acted is named, the pots are settled, the rake is compared; a losing seat needs no claim."""
        hand, variety, book = self.hand, self.variety, self.book
        if hand.phase <= Phase.STREET:
            self._open_round()
        if hand.phase < Phase.SHOWDOWN and hand.live:
            self._report_waiting()
            if len(hand.board) < variety.board_size or (variety.stud and hand.street < variety.last):
                text = "the hand was closed with several players in it and cards still to come"
                book.report("dealing_error", self.passages.dealing, text)
            else:
                hand.phase = Phase.SHOWDOWN
                self._settle()
        self._check_rake()
        self.shoe.restart()
        self.fees.clear()
        self.rake_taken_minor = 0
        for bet in hand.bets.values():
            if not bet.decided:
                book.leave_open(bet)
            elif bet.paid + bet.returned == 0:
                book.waive(bet)
        super().round_closed(event)


def odds(rules: GameRules) -> Iterator[Odds]:
    """No wager here has odds of its own: the players decide, against each other."""
    return iter(())


GAME = CirclePoker
