"""Punto banco: AD-2025 (game 7, "Punt i banca"), US-NJ (baccarat-punto banco, minibaccarat) and MO-2004 (bacará).

The game is the same everywhere; what it pays, which side bets there are, how many packs, how many cards are burned and
how stakes are added up is in the packs. In the order of AD-2025:

V    The player's hand pays par, the bank's by an option, the tie eight to one or nine. Stakes may have bounds of boxes
     or of players.
VI   On a tie the stakes on player and banker may be taken back. A hand of 8 or 9 in two cards ends the coup; otherwise
     the law's tables of third cards say who draws. Nobody has a choice.
VII  The first card turned says how many are burned, or the house does. Once the cut card is out, so many coups may
     begin as the law says. After the call two cards each, the first and the third for the player.

The order of the shoe decides: faces are down, so that a card in the wrong place is put right without prejudice.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Final

import msgspec

from replay.baccarat_hands import VALUES, Ending, coups_by, next_hand, total
from replay.book import Bet, Book
from replay.cards import Shoe
from replay.events import (
    BetsClosed,
    BetSettled,
    CardDealt,
    CommissionTaken,
    CutCard,
    Decision,
    RoundClosed,
    ShoeLoaded,
    TableClosed,
)
from replay.games import Game, Objection
from replay.games._punto_banco_law import (
    AS_MANY_AS_DECKS,
    COMMISSIONS,
    FIRST_CARD,
    HALF_ON_SIX,
    LATER,
    MARGINS,
    PICKED,
    PUSH,
    Coup,
    PuntoBancoLaw,
    PuntoBancoWager,
    price,
    ruling,
)
from replay.money import Price
from replay.odds import Odds, edge_and_variance, net
from replay.rules import GameRules, Table
from replay.watched import OfFreshShoe, Repetition, Watchable, pays_at_most

LESS_A_TWENTIETH: Final = Fraction(19, 20)
ARGUED: Final[Mapping[str, Mapping[str, Fraction | int]]] = {
    "player": {"": 1},
    "banker": {"": LESS_A_TWENTIETH, "commission_5": LESS_A_TWENTIETH, HALF_ON_SIX: 1, "six": Fraction(1, 2)},
    "tie": {"": 8},
}
"""Prices at which the wagers were counted for whoever watches them (`PuntoBanco.watched_under`)."""
ARGUED_DECKS: Final = 6
ARGUED_CARDS_BELOW: Final = 7
_COUP: Final = re.compile(r"player (\d) banker (\d)")


def totals_of(outcome: str) -> tuple[int, int] | None:
    """The player's and the banker's total from the words of `PuntoBanco.outcome`; None for a coup that came to
    nothing."""
    found = _COUP.fullmatch(outcome)
    return None if found is None else (int(found[1]), int(found[2]))


class PuntoBanco(Game):
    """One punto banco table: one coup a round, every bet decided by its last card."""

    handles = ("card_dealt", "decision", "shoe_loaded", "cut_card", "commission_taken")

    needs = PuntoBancoLaw
    one_result = True
    fees_from_players = True
    watched = Watchable(
        shoe=True,
        runs=Repetition(
            name="hands that win in a row",
            look_at="the shoe: how it was shuffled, cut and loaded, and who bets with the run.",
            chances={"banker": Fraction(1, 2), "player": Fraction(1, 2)},
            opposed=True,
            of_coup=totals_of,
        ),
    )
    """Runs: which cards are left moves the banker's chance, mostly by little, by a point with twenty left, but to a
    tenth when they are twos and threes, so that no fixed chance is a null; the order of each coup's cards is."""

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """That no bet is favourable is so as long as some thirty cards are left, and fails below that for those who
        count: of 120 compositions of the last 8 cards, 14 in 100 favoured the player's hand (by 4 per cent at most), 12
        the banker's (6), and 27 the tie, which gave back up to 4.5; of 20 cards, 3, 6 and 6 (E. Thorp and W. Walden, "A
        favorable side bet in Nevada baccarat", 1966, found the like for another side bet). Whoever stakes then alone
        makes his process grow by a few thousandths a shoe in the mean: by so much more often than stated he has an
        alarm, though he does win more than the game gives.

        That was counted at the prices of `ARGUED`, from six packs of which seven cards are left: it holds for who pays
        no more, from no fewer packs, dealt no further down; nothing was for a law that does not say how far. Nor for
        the wagers beside: of what is left of a shoe a dragon seven, a panda eight, a lucky six, a pair or a dragon
        bonus is favourable to those who count, and by more than these. Their winnings have no null.

        Runs: what an order of cards comes to is the law's tables' to say, whatever is paid."""
        law = rules.law_as(PuntoBancoLaw)
        below = -1 if law.cut_card is None or law.cut_card.cards_below is None else law.cut_card.cards_below
        as_deep = min(law.decks) >= ARGUED_DECKS and below >= ARGUED_CARDS_BELOW
        watched = [
            name
            for name, most in ARGUED.items()
            if as_deep and name in rules.wagers and pays_at_most(rules.wagers[name], most)
        ]
        assert cls.watched.runs is not None
        runs = msgspec.structs.replace(cls.watched.runs, drawing=law.third_cards.drawing)
        return msgspec.structs.replace(cls.watched, nulls=dict.fromkeys(watched, OfFreshShoe()), runs=runs)

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = self.law = table.rules.law_as(PuntoBancoLaw)
        self.passages = law.passages
        self.options = table.options
        self.later = table.options.get("collection") == LATER and table.options.get("banker_pay") in COMMISSIONS
        """What the house has of the bank's wins is collected afterwards."""
        self.drawing = law.third_cards.drawing
        self.by_box = law.limits.counted is None or law.limits.counted.by == "box"
        self.bets_per_box: int | None = table.options.get("bets_per_box")
        self.in_multiples: bool = table.options.get("stake_multiple") or False
        self.decks = _decks(table, law)
        self.void_grounds = law.void.grounds
        self.burn: int | str = FIRST_CARD if law.burning.option is None else table.options[law.burning.option]
        self.cut_card_law = law.cut_card
        self.limits_changed()
        self.shoe = Shoe(self.decks)
        self.shoe_cards = 52 * self.decks
        self.burning = False
        """The shoe has been loaded, and the cards that come out first are burned."""
        self.to_burn: int | None = None
        """So many cards in all, as the house or the first card turned says; None before that, or where the card could
        not be read."""
        self.burned = 0
        self.coups_left: int | None = None
        """Since the cut card came out: so many coups may begin; None before it."""
        self.owed: dict[tuple[int, str], int] = {}
        """By seat and bet: the commission that is marked, and not yet collected."""
        self.unknown_accounts = False
        """After a hole in the log, until new cards are loaded: seats may owe for what was not seen."""
        self.paid_since: set[int] = set()
        """The seats whose account was closed after it."""
        self.clear()

    def limits_changed(self) -> None:
        self.minimums = {wager: self.table.least(wager) for wager in self.rules.wagers}
        self.maximums = {wager: self.maximum(wager) for wager in self.rules.wagers}

    def clear(self) -> None:
        """No card of a coup is on the table."""
        self.calls = False
        """ "No hi van més apostes" has been said."""
        self.player: list[int] = []
        self.banker: list[int] = []
        self.ranks: dict[str, list[str]] = {hand: [] for hand in PICKED}
        self.to_come = "player"
        """Whose the next card of the shoe is; empty where the coup is complete or void."""
        self.under_way = False
        """The first card is out."""
        self.void = False
        self.misdealt = False
        """A fault in the first four cards has been told; in the third cards: `misdrawn`."""
        self.misdrawn = False
        self.decided: list[Bet] = []
        """What the last card of the coup decided."""
        self.claimed: list[Bet] = []
        """Bets claimed while the coup was incomplete: too early, if another card of it comes."""

    def round_begins(self) -> None:
        super().round_begins()
        self.clear()

    def lost_sight(self) -> None:
        self.shoe.forget()
        self.burning = False
        self.coups_left = None
        self.owed.clear()
        self.unknown_accounts = True
        self.paid_since.clear()
        self.clear()

    # --- V, what is offered -----------------------------------------------------------------------------------------

    def not_offered(self, bet: Bet) -> Objection | None:
        """Some wagers are on the cloth only where the house has chosen so."""
        objection = super().not_offered(bet)
        if objection is not None or bet.wager is None:
            return objection
        for name, value in bet.wager.law_as(PuntoBancoWager).needs_option.items():
            if self.options[name] != value:
                text = f"{bet.wager_id} bet {bet.id}: this table has {name} {_said(self.options[name])}"
                return Objection("wager_not_offered", bet.wager.passage, text)
        return None

    def wins(self, bet: Bet) -> dict[str, int]:
        """By what would make it win, where that says how much."""
        wager = bet.wager
        if wager is None:
            return {}
        pays = price(wager, self.options)
        if wager.id == "banker" and self.later:
            return {"": bet.amount}
        cases = {case: wager.prices[name] for case, name in _CASES.get(wager.id, {}).items()}
        if pays is not None:
            cases = {"": pays}
        if wager.id == "banker" and self.options.get("banker_pay") == HALF_ON_SIX:
            cases["six"] = wager.prices["six"]
        return {case: self.table.pay(bet.amount, each) for case, each in cases.items()}

    def lying(self) -> dict[str, str | list[str]]:
        """What is owed of the commission."""
        seats: dict[int, int] = {}
        for (seat, _), owed in self.owed.items():
            seats[seat] = seats.get(seat, 0) + owed
        return {"owed": ", ".join(f"seat {seat} {self.money(owed)}" for seat, owed in seats.items())} if seats else {}

    # --- V, the house's limits ------------------------------------------------------------------------------------

    def table_opened(self) -> None:
        """V: the maximum may be bound to the minimum, and a tie's to the table's; II: the number of packs."""
        table, bounds = self.table, self.law.limits
        faults: list[tuple[str, str]] = []
        if bounds.table is not None and table.minimum and table.maximum is not None:
            least, most = bounds.table.least_multiple, bounds.table.most_multiple
            if not least * table.minimum <= table.maximum <= most * table.minimum:
                faults.append(
                    (
                        bounds.table.passage,
                        f"the maximum of {self.money(table.maximum)} is not {least} to {most} times the minimum",
                    )
                )
        own = table.own_most("tie")
        if bounds.tie is not None and own is not None and table.maximum is not None:
            part = bounds.tie.part_of_maximum
            if own * part > table.maximum:
                faults.append(
                    (
                        bounds.tie.passage,
                        f"the maximum of {own} for a tie is over {_part(part)} of the table's, which binds instead",
                    )
                )
        in_bounds = self.law.shoe.decks is not None or table.decks in self.law.decks  # else it is told of the option
        if table.decks not in (None, self.decks) and in_bounds:
            faults.append(
                (
                    self.law.shoe.passage,
                    f"the table was opened with {table.decks} decks, the game has {self.decks}",
                )
            )
        self.report_setup(faults)

    def maximum(self, wager: str) -> int | None:
        """What a box or a player may have: what is posted; on a tie never more than its part of the table's maximum."""
        most, tie = self.table.most(wager), self.law.limits.tie
        if wager != "tie" or self.table.maximum is None or tie is None:
            return most
        part = self.table.maximum // tie.part_of_maximum
        own = self.table.own_most(wager)
        return part if own is None else min(own, part)

    def judge_stakes(self) -> None:
        """V, II: the stakes as they stand when no more are taken. A box is one seat and one wager; where the law knows
        no boxes, what one player has on a wager counts together."""
        by_box = self.by_box
        boxes: dict[Hashable, list[Bet]] = {}
        for bet in self.book.live.values():
            key: Hashable = (bet.seat, bet.wager_id) if by_box else (bet.player or bet.seat, bet.wager_id, _hand(bet))
            boxes.setdefault(key, []).append(bet)
        report = self.book.report_once
        per_box = self.bets_per_box
        for bets in boxes.values():
            seat, wager = bets[0].seat, bets[0].wager_id
            minimum, maximum = self.minimums[wager], self.maximums[wager]
            laid = 0
            players: dict[str, int] = {}
            for bet in bets:
                laid += bet.amount
                players[bet.who] = players.get(bet.who, 0) + bet.amount
                if maximum is not None and laid > maximum:
                    where = f"lies on {wager} in box {seat}" if by_box else f"of {bet.who} lies on {wager}"
                    report(
                        bet,
                        "above_maximum",
                        self.passages.limits,
                        f"{self.money(laid)} {where}; {self.money(maximum)} is the maximum",
                    )
                if per_box is not None and len(players) > per_box and list(players).index(bet.who) >= per_box:
                    report(
                        bet,
                        "too_many_bets",
                        self.rules.options["bets_per_box"].passage,
                        f"{bet.who} is one player too many on {wager} in box {seat}, which takes {per_box}",
                    )
            for who, stake in players.items():
                if stake >= minimum and not (self.in_multiples and minimum and stake % minimum):
                    continue
                first = next(bet for bet in bets if bet.who == who)
                if stake < minimum:
                    report(
                        first,
                        "below_minimum",
                        self.passages.limits,
                        f"{who} has {self.money(stake)} on {wager}; {self.money(minimum)} is the minimum",
                    )
                else:
                    report(
                        first,
                        "stake_mismatch",
                        self.rules.options["stake_multiple"].passage,
                        f"{who} has {self.money(stake)} on {wager}, no multiple of {self.money(minimum)}",
                    )

    # --- VI, the coup is decided ----------------------------------------------------------------------------------

    def decide(self) -> None:
        """The last card is out: what every bet comes to."""
        ending = Ending(total(self.player), total(self.banker), len(self.player), len(self.banker))
        coup = Coup(ending, {hand: ranks[0] == ranks[1] for hand, ranks in self.ranks.items()})
        self.outcome = f"player {ending.player} banker {ending.banker}"
        self.decided = list(self.book.live.values())
        for bet in self.decided:
            assert bet.wager is not None
            won = ruling(bet.wager, _hand(bet), coup, self.options)
            if won is None:
                self.book.decide(bet, 0, 0)
            elif won is PUSH:
                tied = ending.player == ending.banker
                self.book.decide(bet, 0, bet.amount, self.passages.tie if tied else bet.wager.passage)
            elif self.later and bet.wager_id == "banker":
                self.mark(bet, won)
            else:
                self.book.decide(bet, self.table.pay(bet.amount, won), bet.amount)

    def mark(self, bet: Bet, won: Price) -> None:
        """The win is paid in full, whatever the chip; owed is what netting would have kept of it."""
        owed = bet.amount - self.table.pay(bet.amount, won)
        if owed > 0:
            key = bet.seat, bet.id
            self.owed[key] = self.owed.get(key, 0) + owed
        self.book.decide(bet, bet.amount, bet.amount)

    def annul(self, passage: str) -> None:
        """The coup is void, even where its last card seemed to be out: stakes come back, further cards are dead."""
        for bet in self.decided:
            self.book.reopen(bet)
            self.owed.pop((bet.seat, bet.id), None)
        self.void = True
        self.to_come = ""
        self.outcome = "void"
        for bet in list(self.book.live.values()):
            self.book.decide(bet, 0, bet.amount, passage)

    def decision(self, event: Decision) -> None:
        """VI: nobody has a choice; IV: whoever does not want to hold the shoe passes it on."""
        if event.choice != "pass":
            self.book.report(
                "illegal_decision",
                self.passages.drawing,
                f"seat {event.seat} chose to {event.choice}: the tables alone say who draws",
                seat=event.seat,
            )

    # --- the commission -------------------------------------------------------------------------------------------

    def commission_taken(self, event: CommissionTaken) -> None:
        """A seat pays all that it owes, or what it owes for one bet."""
        of_bet = event.bet is not None
        keys = [key for key in self.owed if (key[1] == event.bet if of_bet else key[0] == event.seat)]
        due = sum(self.owed.pop(key) for key in keys)
        if self.later and self.unknown_accounts and (not keys if of_bet else event.seat not in self.paid_since):
            if event.seat is not None and not of_bet:
                self.paid_since.add(event.seat)
            return
        if event.amount != due:
            whose = f"bet {event.bet}" if of_bet else "nobody" if event.seat is None else f"seat {event.seat}"
            self.wrong_commission(
                f"{self.money(event.amount)} was taken as commission; {whose} owed {self.money(due)}",
                abs(event.amount - due),
                seat=None if of_bet else event.seat,
                bet_id=event.bet or "",
            )

    def wrong_commission(self, text: str, amount: int, *, seat: int | None = None, bet_id: str = "") -> None:
        """The house has more or less of the bank's wins than is due. Where no device tells what is paid, nothing is
        compared."""
        if not self.table.claims:
            return
        bet = self.book.known(bet_id) if bet_id else None
        self.book.report(
            "wrong_commission", self.passages.commission, text, bet=bet, bet_id=bet_id, seat=seat, amount=amount
        )

    def close_accounts(self) -> None:
        """The shoe is over: what is still owed was to be collected."""
        seats: dict[int, int] = {}
        for (seat, _), owed in self.owed.items():
            seats[seat] = seats.get(seat, 0) + owed
        self.owed.clear()
        for seat, owed in seats.items():
            self.wrong_commission(
                f"the shoe is over, and seat {seat} still owes {self.money(owed)} of commission", owed, seat=seat
            )

    def table_closed(self, event: TableClosed) -> None:
        """Nobody leaves owing."""
        self.close_accounts()

    # --- VII, the shoe --------------------------------------------------------------------------------------------

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """New cards are in the shoe; the first of them, or the house, says how many are burned."""
        self.close_accounts()
        self.unknown_accounts = False
        decks = self.decks if event.decks is None else event.decks
        if decks != self.decks:
            self.book.report(
                "dealing_error",
                self.law.shoe.passage,
                f"{decks} decks were loaded; the game has {self.decks}",
            )
        self.shoe.load()
        self.shoe_cards = 52 * decks if event.cards is None else event.cards
        self.coups_left = None
        self.burning = True
        self.to_burn = (
            self.decks if self.burn == AS_MANY_AS_DECKS else self.burn if isinstance(self.burn, int) else None
        )
        self.burned = 0

    def card_burned(self, event: CardDealt) -> None:
        """A card goes unused: after the shoe was loaded, or because it was found face up in it during the coup."""
        if self.burning:
            self.burned += 1
            if self.burn == FIRST_CARD and self.burned == 1:
                further = self.law.burning.values.get(event.card[0])
                self.to_burn = None if further is None else 1 + further

    def judge_burning(self) -> None:
        """The burning is over: as many cards as the first one or the house says, or not."""
        self.burning = False
        if self.to_burn is not None and self.burned != self.to_burn:
            text = f"{self.burned} cards were burned; the house has {self.to_burn}"
            if self.burn == FIRST_CARD:
                text = f"{self.burned - 1} cards were burned; the first one said {self.to_burn - 1}"
            self.book.report("dealing_error", self.law.burning.passage, text)

    def cut_card(self, event: CutCard) -> None:
        """Some coups more may begin, or none; said a second time it changes nothing."""
        if self.cut_card_law is not None and self.coups_left is None:
            self.coups_left = self.cut_card_law.more_coups

    # --- VII, the coup --------------------------------------------------------------------------------------------

    def bets_closed(self, event: BetsClosed) -> None:
        self.calls = True
        self.close_betting()

    def close_betting(self) -> None:
        """Stakes lie as they lie: at the call, or at the first card if that comes first."""
        if self.betting_open:
            self.betting_open = False
            if self.burning:
                self.judge_burning()
            self.judge_stakes()

    def card_dealt(self, event: CardDealt) -> None:
        """A card leaves the shoe."""
        if not self.shoe.take(event.card):
            self.book.report(
                "impossible_card",
                self.law.shoe.passage,
                f"another {event.card} came out, of which the shoe holds {self.decks}",
            )
        if event.to == "burn":
            self.card_burned(event)
            if event.void in self.void_grounds and self.under_way and not self.void:
                self.annul(self.law.void.passage)
            return
        if not self.under_way:
            self.coup_begins()
        for bet in self.claimed:
            self.book.settled_too_early(bet)
        self.claimed.clear()
        to = event.to if event.to is not None else f"seat {event.seat}"
        if self.void:
            return
        if event.void in self.void_grounds:
            self.annul(self.law.void.passage)
        elif not self.to_come:
            self.drawing_error(f"a card came out for {to} when the coup was complete")
        elif event.card == "??":
            self.book.lose_sight()  # nobody knows what the coup came to
            self.void = True
            self.to_come = ""
        else:
            if to != self.to_come:
                self.misdelivered(to)
            (self.player if self.to_come == "player" else self.banker).append(VALUES.get(event.card, 0))
            self.ranks[self.to_come].append(event.card[0])
            self.to_come = next_hand(self.player, self.banker, self.drawing.draws, self.drawing.answers)
            if not self.to_come:
                self.decide()

    def coup_begins(self) -> None:
        """The first card of a coup."""
        self.under_way = True
        self.close_betting()
        if self.burning:
            self.judge_burning()
        if not self.calls:
            self.book.report("dealing_error", self.passages.dealing, "a card came out before no more bets was called")
        self.judge_cut_card()

    def judge_cut_card(self) -> None:
        """A coup more has begun: may it, as far as the cut card goes?"""
        law, shoe = self.cut_card_law, self.shoe
        if law is None:
            return
        left = self.shoe_cards - shoe.out + 1
        counted = law.cards_below is not None and shoe.loaded and shoe.known and left <= law.cards_below
        if self.coups_left == 0 or (self.coups_left is None and counted):
            more = f", and {law.more_coups} more had been played" if law.more_coups else ""
            self.book.report("dealing_error", law.passage, f"a coup was begun although the cut card was out{more}")
        elif self.coups_left is not None:
            self.coups_left -= 1

    def misdelivered(self, to: str) -> None:
        """A card went elsewhere than the order of the shoe says; it belongs where it should have gone."""
        out = len(self.player) + len(self.banker) + 1
        if out > 4:
            self.drawing_error(f"the third card went to {to}; it was for the {self.to_come}")
        elif not self.misdealt:
            self.misdealt = True
            self.book.report(
                "dealing_error",
                self.passages.dealing,
                f"card {out} of the coup went to {to}; it was for the {self.to_come}",
            )

    def drawing_error(self, text: str) -> None:
        """VI: third cards not as the tables say, once a coup."""
        if not self.misdrawn:
            self.misdrawn = True
            self.book.report("drawing_error", self.passages.drawing, text)

    def bet_settled(self, event: BetSettled) -> None:
        """A claim. While the coup is incomplete it shows only with the next card whether this one came too early."""
        if not (self.under_way and self.to_come):
            self.book.claim(event)
            return
        bet = self.book.live.get(event.bet)
        first = bet is not None and bet.claimed_paid is None
        self.book.claim(event, early=False)
        if bet is not None and first:
            self.claimed.append(bet)

    def round_closed(self, event: RoundClosed) -> None:
        if self.under_way and self.to_come:
            self.drawing_error(f"the {self.to_come} had one more card to come when the coup was over")
            self.annul(self.passages.missing_card)
        self.clear()
        super().round_closed(event)


def _part(of_maximum: int) -> str:
    return "a tenth" if of_maximum == 10 else f"1/{of_maximum}"


def _hand(bet: Bet) -> str:
    """The hand that a bet is on, where its wager has one."""
    return str(bet.pick) if bet.wager is not None and bet.wager.picks else ""


def _decks(table: Table, law: PuntoBancoLaw) -> int:
    """How many packs are in the shoe: as the law says, or the house."""
    if law.shoe.decks is not None:
        return law.shoe.decks
    chosen: int = table.options[law.shoe.decks_option or ""]
    return chosen


def _said(value: object) -> str:
    """An option's value as people write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


_CASES: Final[Mapping[str, Mapping[str, str]]] = {
    "dragon_bonus": {"natural": "natural", **{f"by {margin}": str(margin) for margin in reversed(MARGINS)}},
    "lucky_6": {"two cards": "2", "three cards": "3"},
}
"""In which ways a wager wins, and under which name each has its price."""
_WITH_OPTIONS: Final = {"banker": "banker_pay", "tie": "tie_pays"}
"""Wagers whose price an option says."""


def odds(rules: GameRules) -> Iterator[Odds]:
    """Every wager, by each option that changes it, on a fresh shoe of each number of packs: all coups, counted by card
    values, and pairs by ranks."""
    law = rules.law_as(PuntoBancoLaw)
    for decks, wager in product(law.decks, rules.wagers.values()):
        option = _WITH_OPTIONS.get(wager.id, "") if wager.prices else ""
        for chosen, pick in product(rules.options[option].choices if option else ("",), wager.picks or ("",)):
            options = {option: chosen} if option else {}
            outcomes = [
                (weight, net(ruling(wager, str(pick), coup, options))) for coup, weight in _coups(wager.id, law, decks)
            ]
            edge, variance = edge_and_variance(outcomes)
            yield Odds(
                wager=wager.id,
                pick=str(pick),
                options={name: str(value) for name, value in options.items()},
                decks=decks,
                edge=edge,
                variance=variance,
                assumes="a fresh shoe, and stakes that are paid without rounding",
            )


def _coups(wager: str, law: PuntoBancoLaw, decks: int) -> list[tuple[Coup, int]]:
    """All coups of a fresh shoe that a wager tells from one another, with their weights."""
    if wager == "pair":
        others = {"same": 4 * decks - 1, "other": 48 * decks}
        return [(Coup(Ending(0, 0), dict.fromkeys(PICKED, rank == "same")), weight) for rank, weight in others.items()]
    no_pairs = dict.fromkeys(PICKED, False)
    return [(Coup(ending, no_pairs), orders) for ending, orders in coups_by(law.third_cards.drawing, decks).items()]


GAME = PuntoBanco
