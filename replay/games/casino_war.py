"""Casino war (El Repte), the higher card wins: AD-2022, game 14.

II    Up to eight decks of 52; ace high, then K Q J 10 … 2, suits do not matter. At most nine boxes.
V     A card to each box and one to the dealer: the higher card wins even money. On a tie the player gives up half of
      the stake, or lays a second one as large and goes to war: three cards are burnt, a card goes to each box at war
      and one to the dealer. Higher: the second stake wins even money; equal again: it wins two to one; in both cases
      the first comes back. Lower: both are lost. The tie bet, laid beside the first stake, wins ten to one when the
      first two cards are equal.
VI    The limits lie within the band that the casino has been authorised.
VIII  All cards but the burnt ones are dealt face up. Only a player who ties may go to war, with an equal stake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, ClassVar, Final

import msgspec
from pydantic import Field

from replay.book import Bet, Book
from replay.cards import FRENCH_DECK, Shoe
from replay.events import BetPlaced, BetsClosed, CardDealt, Decision, RoundClosed, ShoeLoaded
from replay.games import Game, Objection
from replay.law import (
    ONE_PRICE,
    Count,
    GameLaw,
    LawTable,
    OptionValues,
    Passage,
    Passages,
    Provision,
    Ratio,
    Several,
)
from replay.money import Price
from replay.odds import Odds, edge_and_variance, net
from replay.rules import GameRules, Table, Wager
from replay.watched import Null, OfFreshShoe, Watchable, either_way, pays_at_most

ORDER: Final = "23456789TJQKA"
"""II: the ranks, lowest first."""
STRENGTH: Final = {card: ORDER.index(card[0]) for card in FRENCH_DECK}
ARGUED: Final[Mapping[str, Mapping[str, int]]] = {"main": {"": 1}, "war": {"won": 1, "tied": 2}, "tie": {"": 10}}
"""Prices at which the wagers were looked at for whoever watches them (`CasinoWar.watched_under`)."""


# --- the law ------------------------------------------------------------------------------------------------------

Positive = Annotated[int, Field(ge=1)]


class SurrenderLaw(Provision):
    """V: the part of the first stake that comes back when a tie is given up."""

    returns: Annotated[Ratio, Field(ge=0, le=1)]


class BoxesLaw(Provision):
    """II: how many boxes there are."""

    most: Positive


class ShoeLaw(Provision):
    """II: how many packs the shoe may hold."""

    most_decks: Positive


class BurntLaw(Provision):
    """V: how many cards are burnt before a war."""

    cards: Count


class MultiplesLaw(Provision):
    """VI: which multiples of its minimum the maximum of a band may be."""

    multiples: Annotated[Several[Positive], Field(min_length=1)]


class LimitsLaw(LawTable):
    """VI."""

    main: MultiplesLaw


class CasinoWarPassages(Passages):
    """What is cited beside the tables."""

    deal: Passage
    war: Passage
    face_up: Passage


class CasinoWarLaw(GameLaw):
    """What casino war asks of its pack. Without ``war`` a tie can only be given up."""

    known_wagers = frozenset({"main", "war", "tie"})
    needed_wagers = frozenset({"main"})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "main": (ONE_PRICE,),
        "war": ("won", "tied"),
        "tie": (ONE_PRICE,),
    }
    option_values: ClassVar[OptionValues] = {"decks": "int"}
    known_options = frozenset(option_values)
    needed_options = frozenset({"decks"})

    passages: CasinoWarPassages
    surrender: SurrenderLaw
    boxes: BoxesLaw
    shoe: ShoeLaw
    burnt: BurntLaw
    limits: LimitsLaw


# --- V, what two cards make of a stake ----------------------------------------------------------------------------


def ruling(wager: Wager, box: int, dealer: int) -> Price | None:
    """V: what a wager wins when the box has a card of strength ``box`` and the dealer one of ``dealer``; None when it
    wins nothing. ``main`` and ``tie`` go by the first two cards, ``war`` by the second two."""
    if wager.id == "war":
        return wager.prices["won"] if box > dealer else wager.prices["tied"] if box == dealer else None
    if wager.id == "tie":
        return wager.price if box == dealer else None
    return wager.price if box > dealer else None


# --- V and VIII, the procedure ------------------------------------------------------------------------------------


class Box:
    """One of the nine places: its stakes and cards in this round."""

    __slots__ = ("card", "main", "missed", "seat", "surrendered", "tie", "tied", "war", "war_card")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.main: Bet | None = None
        self.tie: Bet | None = None
        self.war: Bet | None = None
        self.card: int | None = None
        """Strength of the first card."""
        self.tied = False
        self.surrendered = False
        self.missed = False
        """The next card came before the box had answered its tie: its first stake stays undecided for good."""
        self.war_card: int | None = None


class CasinoWar(Game):
    """One table. A stake that is left in a tie nobody answered, or in a war that was not dealt, stays undecided."""

    handles = ("card_dealt", "decision", "shoe_loaded")

    needs = CasinoWarLaw
    stakes_live_on = True
    watched = Watchable(shoe=True)

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """The player's card and the dealer's may lie the one or the other way round, whatever is left of the shoe, and
        on a tie the first stake comes back at most: at even money it gives back no more than itself, however a half is
        rounded. The figure for what it gives back at least has the second stake counted in, which makes it no greater
        at the prices of `ARGUED`: where either stake pays more, the bound above alone is stated. The tie gives back, at
        ten to one, no more than itself as long as some thirty cards are left; at more it has no null. The second stake,
        on a tie, is favourable, and is not watched."""
        main, war, tie = rules.wagers["main"], rules.wagers.get("war"), rules.wagers.get("tie")
        assert main.price is not None
        as_argued = pays_at_most(main, ARGUED["main"]) and (war is None or pays_at_most(war, ARGUED["war"]))
        nulls: dict[str, Null | None] = {"main": OfFreshShoe() if as_argued else either_way(main.price)}
        if tie is not None and pays_at_most(tie, ARGUED["tie"]):
            nulls["tie"] = OfFreshShoe()
        return msgspec.structs.replace(cls.watched, nulls=nulls)

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.law = table.rules.law_as(CasinoWarLaw)
        self.boxes_most = self.law.boxes.most
        self.burnt_due = self.law.burnt.cards
        self.given_back = self.law.surrender.returns
        self.deal_passage = self.law.passages.deal
        self.war_passage = self.law.passages.war
        self.face_up_passage = self.law.passages.face_up
        self.shoe = Shoe(table.decks or table.options["decks"])
        self.boxes: dict[int, Box] = {}
        self.stakes_unseen = False
        """Events are missing: a box may hold a first stake of a round in which no card was dealt."""
        self.clear_table()

    def clear_table(self) -> None:
        """No card lies on the table."""
        self.dealer: int | None = None
        self.dealer_war: int | None = None
        self.burnt = 0
        self.burning_judged = False
        self.unreadable = False

    def table_opened(self) -> None:
        """VI: no posted maximum exceeds thirty times the posted minimum."""
        least, most = self.table.least("main"), self.table.most("main")
        limits = self.law.limits.main
        largest = max(limits.multiples)
        if least and most is not None and most > largest * least:
            shown = self.table.shown
            text = f"the maximum of {shown(most)} is more than {largest} times the minimum of {shown(least)}"
            self.report_setup([(limits.passage, text)])

    def round_begins(self) -> None:
        """Stakes on which no card has been dealt yet play on; those that a round left undecided are out of it."""
        super().round_begins()
        carried = self.boxes
        self.boxes = {}
        for box in carried.values():
            stake = box.tie if box.main is None and self.dealer is None else box.main
            if stake is not None and not stake.decided and not box.tied:
                fresh = self.boxes[box.seat] = Box(box.seat)
                fresh.main = box.main
                fresh.tie = box.tie
        self.clear_table()

    # V, VI: the first stakes and the tie bet

    def bet_placed(self, event: BetPlaced) -> None:
        """A stake goes down; whether it may, an unreadable card leaves open."""
        if self.unreadable:
            self.book.place_unseen(event)
        else:
            super().bet_placed(event)

    def objection(self, bet: Bet) -> Objection | None:
        if not 1 <= bet.seat <= self.boxes_most:
            text = f"there is no box {bet.seat}; there are {self.boxes_most}"
            return Objection("wager_not_offered", self.law.boxes.passage, text)
        objection = self.not_offered(bet)
        if objection is not None:
            return objection
        box = self.boxes.get(bet.seat)
        if bet.wager_id == "war":
            return self.objection_to_war(bet, box)
        if not self.betting_open:
            if bet.wager_id == "tie" and (box is None or box.main is None) and not self.stakes_unseen:
                return self.tie_alone(bet)
            return self.late(bet)
        if box is not None and (box.main if bet.wager_id == "main" else box.tie) is not None:
            return self.too_many(bet)
        return None

    def objection_to_war(self, bet: Bet, box: Box | None) -> Objection | None:
        """VIII: only a box that ties goes to war, and before the first card is burnt."""
        if box is None or not box.tied or box.surrendered:
            return Objection("wager_not_offered", self.war_passage, f"box {bet.seat} has no tie to go to war over")
        if self.burnt or box.missed or self.dealer_war is not None:
            return Objection("late_bet", self.war_passage, f"war bet {bet.id} came after the first burnt card")
        if box.war is not None:
            return self.too_many(bet)
        return None

    def too_many(self, bet: Bet) -> Objection:
        """The objection to a second stake of a kind in one box."""
        return Objection("too_many_bets", self.wager_passage, f"box {bet.seat} has a {bet.wager_id} bet already")

    def tie_alone(self, bet: Bet) -> Objection:
        """The objection to a tie bet that is not laid in addition to a first stake."""
        return Objection(
            "wager_not_offered", self.wager_passage, f"tie bet {bet.id} lies in box {bet.seat} without a first stake"
        )

    def placed(self, bet: Bet) -> None:
        box = self.boxes.get(bet.seat)
        if box is None:
            box = self.boxes[bet.seat] = Box(bet.seat)
        if bet.wager_id == "main":
            box.main = bet
        elif bet.wager_id == "tie":
            box.tie = bet
        else:
            box.war = bet
            assert box.main is not None
            if bet.amount != box.main.amount:
                shown = self.table.shown
                self.book.report(
                    "stake_mismatch",
                    self.war_passage,
                    f"the war stake of box {bet.seat} is {shown(bet.amount)}, the first one {shown(box.main.amount)}",
                    bet=bet,
                )

    def withdrawn(self, bet: Bet) -> None:
        box = self.boxes[bet.seat]
        if bet is box.main:
            box.main = None
        else:
            box.tie = None

    def in_its_box(self, bet: Bet) -> bool:
        """The bet is in play in this round, not left over from another."""
        box = self.boxes.get(bet.seat)
        return box is not None and (bet is box.main or bet is box.tie or bet is box.war)

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        return super().objection_to_raise(bet, by) if self.in_its_box(bet) else self.late(bet)

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        if bet.wager_id == "war":
            return Objection("withdrawal_not_allowed", self.war_passage, f"war bet {bet.id} cannot be taken back")
        if self.in_its_box(bet):
            return super().objection_to_withdrawal(bet)
        return Objection("late_withdrawal", self.call_passage, f"bet {bet.id} is of a round that is over")

    def bets_closed(self, event: BetsClosed) -> None:
        """ "No va més"."""
        self.close_betting()

    def close_betting(self) -> None:
        """The first stakes are what they are: tie bets need one beside them, and the limits hold."""
        if not self.betting_open:
            return
        self.betting_open = False
        for box in self.boxes.values():
            if box.tie is not None and box.main is None and not self.stakes_unseen:
                self.book.refuse(box.tie, *self.tie_alone(box.tie))
                box.tie = None
            for bet in (box.main, box.tie):
                if bet is not None:
                    self.check_limits(bet)

    def check_limits(self, bet: Bet) -> None:
        """VI: each stake by itself. It plays as it lies."""
        least, most = self.table.least(bet.wager_id), self.table.most(bet.wager_id)
        passage = self.law.limits.main.passage
        objection = self.under_minimum(bet, least, passage)
        if objection is not None:
            self.book.report_once(bet, *objection)
        if most is not None and bet.amount > most:
            shown = self.table.shown
            self.book.report_once(
                bet,
                "above_maximum",
                passage,
                f"{bet.wager_id} bet {bet.id}: {shown(bet.amount)} is over the maximum of {shown(most)}",
            )

    # V: the deal

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """II: at most eight decks."""
        decks = event.decks if event.decks is not None else self.shoe.decks
        most = self.law.shoe.most_decks
        if decks > most:
            text = f"{decks} decks were loaded; {most} are the most"
            self.book.report("dealing_error", self.law.shoe.passage, text)
        if decks != self.shoe.decks:
            self.shoe = Shoe(decks)
        self.shoe.load()

    def card_dealt(self, event: CardDealt) -> None:
        """A card is burnt, or goes to a box or to the dealer: the first ones, then those of the war."""
        card = event.card
        if not self.shoe.take(card) and self.shoe.seen[card] == self.shoe.copies.get(card, 0) + 1:
            text = f"{card} has come out more often than {self.shoe.decks} decks hold it"
            self.book.report("impossible_card", self.law.shoe.passage, text)
        if event.to == "burn":
            self.card_burnt(event)
            return
        self.close_betting()
        if self.unreadable:
            return
        if event.up is False:
            self.dealing_error(f"{self.whose(event)} got a card face down", event.seat, self.face_up_passage)
        box = self.boxes.get(event.seat) if event.seat is not None else None
        is_first = (
            self.dealer is None
            if event.to == "dealer"
            else (box is not None and box.main is not None and box.card is None)
        )
        if not is_first:
            self.answers_are_due()
        strength = STRENGTH.get(card)
        if strength is None and (is_first or self.takes_war_card(event, box)):
            self.unreadable = True  # what the round comes to is not known
            self.book.lose_sight()
            self.boxes = {}
        elif event.to == "dealer":
            self.card_to_dealer(event, strength, is_first)
        elif box is None or box.main is None:
            if self.stakes_unseen:
                return
            self.dealing_error(f"a card went to {self.whose(event)}, which has no first stake", event.seat)
        else:
            self.card_to_box(event, box, strength, is_first)

    def whose(self, event: CardDealt) -> str:
        """Where a card went, for people."""
        return f"box {event.seat}" if event.seat is not None else f"the {event.to or 'table'}"

    def takes_war_card(self, event: CardDealt, box: Box | None) -> bool:
        """The card would be the dealer's or the box's card of the war."""
        if event.to == "dealer":
            return self.dealer_war is None and any(other.war is not None for other in self.boxes.values())
        return box is not None and box.war is not None and box.war_card is None

    def card_burnt(self, event: CardDealt) -> None:
        """Three cards are burnt, face down, once the ties are answered and before the war is dealt."""
        if event.up is True:
            self.book.report("dealing_error", self.face_up_passage, f"{event.card} was burnt face up")
        if self.dealer is not None:
            self.answers_are_due()
            self.burnt += 1

    def card_to_dealer(self, event: CardDealt, strength: int | None, is_first: bool) -> None:
        """The dealer's first card, or the one card against all boxes at war."""
        if is_first:
            self.dealer = strength
            for box in self.boxes.values():
                self.compare(box)
        elif self.takes_war_card(event, None):
            self.judge_burning()
            self.dealer_war = strength
            for box in self.boxes.values():
                self.compare_war(box)
        else:
            self.dealing_error("the dealer got a card too many")

    def card_to_box(self, event: CardDealt, box: Box, strength: int | None, is_first: bool) -> None:
        """A box's first card, or its card of the war."""
        if is_first:
            box.card = strength
            self.compare(box)
        elif self.takes_war_card(event, box):
            self.judge_burning()
            box.war_card = strength
            self.compare_war(box)
        else:
            self.dealing_error(f"box {box.seat} got a card too many", box.seat)

    def dealing_error(self, text: str, seat: int | None = None, passage: str = "") -> None:
        """The cards on the table stand; a card too many is dead. ``passage``: that of the deal, if none is given."""
        self.book.report("dealing_error", passage or self.deal_passage, text, seat=seat)

    def judge_burning(self) -> None:
        """Before the first card of the war."""
        if not self.burning_judged:
            self.burning_judged = True
            if self.burnt != self.burnt_due:
                self.dealing_error(f"{self.burnt} cards were burnt before the war; {self.burnt_due} must be")

    # V: the first cards decide, or tie

    def compare(self, box: Box) -> None:
        """Box and dealer have their first cards."""
        if box.card is None or self.dealer is None or box.main is None:
            return
        box.tied = box.card == self.dealer
        if box.tie is not None and not box.tie.decided:
            self.settle(box.tie, box.card, self.dealer)
        if not box.tied and not box.main.decided:
            self.settle(box.main, box.card, self.dealer)

    def settle(self, bet: Bet, box: int, dealer: int) -> None:
        """The stake wins at its price, or is lost."""
        assert bet.wager is not None
        price = ruling(bet.wager, box, dealer)
        if price is None:
            self.book.decide(bet, 0, 0)
        else:
            self.book.decide(bet, self.table.pay(bet.amount, price), bet.amount)

    # V: the answer to a tie

    def decision(self, event: Decision) -> None:
        """``surrender`` gives up half of the first stake. ``war`` may be said beside the second stake."""
        if self.unreadable:
            return
        box, choice = self.boxes.get(event.seat), event.choice
        if choice not in ("war", "surrender"):
            wrong = f"{choice} is no choice at this table"
        elif box is None or not box.tied:
            wrong = f"box {event.seat} chose {choice} without a tie"
        elif box.surrendered:
            wrong = f"box {event.seat} chose {choice} after it had surrendered"
        elif choice == "war":
            return
        elif box.war is not None or box.missed:
            wrong = f"box {event.seat} surrendered when its answer was in"
        else:
            box.surrendered = True
            assert box.main is not None
            half = box.main.amount * self.given_back.numerator // self.given_back.denominator
            self.book.decide(box.main, 0, self.table.share(half, 1, 1))
            return
        self.book.report("illegal_decision", self.war_passage, wrong, seat=event.seat)

    def answers_are_due(self) -> None:
        """The next card is dealt: a tie that nobody has answered stays undecided."""
        for box in self.boxes.values():
            if box.tied and box.war is None and not box.surrendered and not box.missed:
                box.missed = True
                self.book.report(
                    "missing_decision",
                    self.deal_passage,
                    f"box {box.seat} tied and neither went to war nor surrendered",
                    seat=box.seat,
                )

    # V: the war

    def compare_war(self, box: Box) -> None:
        """Box and dealer have their cards of the war."""
        if box.war is None or box.war_card is None or self.dealer_war is None or box.war.decided:
            return
        main, war = box.main, box.war
        assert main is not None and war.wager is not None
        self.settle(war, box.war_card, self.dealer_war)
        self.book.decide(main, 0, 0 if ruling(war.wager, box.war_card, self.dealer_war) is None else main.amount)

    # The end of the round

    def round_closed(self, event: RoundClosed) -> None:
        """Ties must have been answered, and wars dealt."""
        self.answers_are_due()
        at_war = [box for box in self.boxes.values() if box.war is not None]
        if not self.unreadable:
            for box in at_war:
                if box.war_card is None:
                    self.dealing_error(f"box {box.seat} went to war and got no card", box.seat)
            if at_war and self.dealer_war is None:
                self.dealing_error("boxes went to war and the dealer drew no card")
        if self.dealer is not None:
            self.stakes_unseen = self.book.unseen = False  # whatever lay in the boxes has been dealt to
        self.outcome = self.result()
        super().round_closed(event)

    def result(self) -> str:
        """The dealer's cards, for people."""
        first = "" if self.dealer is None else ORDER[self.dealer]
        return first if self.dealer_war is None else f"{first}, war {ORDER[self.dealer_war]}"

    def lost_sight(self) -> None:
        self.shoe.forget()
        self.boxes = {}
        self.stakes_unseen = True
        self.clear_table()


# --- Exact odds ---------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """Fresh shoes of one to eight decks. ``main`` with a war at every tie, the second stake counted in for one unit of
    the first, and with a surrender at every tie; ``war`` has no figure of its own: it is only laid on a tie."""
    main, war, tie = rules.wagers["main"], rules.wagers.get("war"), rules.wagers.get("tie")
    given_up = rules.law_as(CasinoWarLaw).surrender.returns - 1
    ranks = range(len(ORDER))
    for decks in deck_counts(rules):
        copies = 4 * decks
        tie_bet: list[tuple[int, Fraction]] = []
        always_war: list[tuple[int, Fraction]] = []
        always_surrender: list[tuple[int, Fraction]] = []
        rest = 52 * decks - 2
        for box in ranks:
            for dealer in ranks:
                weight = copies * (copies - 1 if box == dealer else copies)
                first = net(ruling(main, box, dealer))
                deals = weight * rest * (rest - 1)
                if tie is not None:
                    tie_bet.append((deals, net(ruling(tie, box, dealer))))
                always_surrender.append((deals, given_up if box == dealer else first))
                if box != dealer:
                    always_war.append((deals, first))
                if box != dealer or war is None:
                    continue
                left = [copies - 2 if rank == box else copies for rank in ranks]
                for second in ranks:
                    for dealers in ranks:
                        pairs = left[second] * (left[dealers] - (second == dealers))
                        price = ruling(war, second, dealers)
                        always_war.append((weight * pairs, Fraction(-2) if price is None else price.ratio))
        for wager, options, outcomes in (
            (tie, {}, tie_bet),
            (None if war is None else main, {"tie": "war"}, always_war),
            (main, {"tie": "surrender"}, always_surrender),
        ):
            if wager is None:
                continue
            edge, variance = edge_and_variance(outcomes)
            answered = f", always {options['tie']}" if options else ""
            yield Odds(
                wager=wager.id,
                options=options,
                decks=decks,
                edge=edge,
                variance=variance,
                assumes=f"fresh shoe{answered}",
            )


def deck_counts(rules: GameRules) -> range:
    """II: the numbers of decks that the game is played with."""
    return range(1, rules.law_as(CasinoWarLaw).shoe.most_decks + 1)


GAME = CasinoWar
