"""Trente et quarante (trenta i quaranta), two rows of cards: AD-2025, game 5.

II.1  Six French decks; an ace counts 1, a figure 10, the other cards their number.
V.1   Cards go to the black row until it counts 31 or more, then to the red one. Black or red: the lower row wins.
      Color: the winning row has the colour of the first card of the black row; inverse: it has not. All pay even
      money. Equal rows of 32 to 40 are null. Equal rows of 31, the *refait*, are what the zero is at roulette: the
      player takes half of the stake back (*partage*), or leaves it in prison, where the next coup frees it without
      winnings or takes it; each further refait halves it. The text of game 1, which holds the zero, is wanting: French
      arrêté of 14 May 2007, art. 52 and 54, is read for it.
V.2   The maximum is 100 to 1,000 times the minimum.
V.3   Losing stakes are taken first, then color or inverse is paid, then black and red. A card exposed by mistake is
      burnt. The separator before the last five cards ends the game: a coup that it comes into is void.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, factorial, perm
from typing import Annotated, Final, Self

import msgspec
from pydantic import Field, model_validator

from replay.book import Bet, Book
from replay.cards import FRENCH_DECK, Shoe
from replay.events import BetSettled, CardDealt, CutCard, Decision, RoundClosed, ShoeLoaded, TableClosing
from replay.games import Game, Objection
from replay.games._law_parts import Multiples, ShoeLaw
from replay.law import ONE_PRICE, GameLaw, Passage, Passages, Provision, Ratio
from replay.odds import Odds, edge_and_variance
from replay.rules import GameRules, Table
from replay.watched import Null, OfFreshShoe, Repetition, Watchable, either_way, pays_at_most

ROW_ENDS: Final = 31
"""V.3: a row is complete when it counts so many or more."""
ROWS: Final = ("black", "red")
ARGUED_DECKS: Final = 6
"""So many packs color and inverse were looked at with (`TrenteEtQuarante.watched_under`)."""

# --- What the game asks of its pack -------------------------------------------------------------------------------


class EqualRows(Provision):
    """How often both rows of the first coup of a fresh shoe of so many ``decks`` count 31, and the same and more:
    `equal_rows`."""

    decks: int
    refait: Annotated[Ratio, Field(ge=0)]
    null: Annotated[Ratio, Field(ge=0)]

    @model_validator(mode="after")
    def _probabilities(self) -> Self:
        if self.refait + self.null >= 1:
            raise ValueError("refait and null: two probabilities, less than 1 together")
        return self


class TrenteEtQuarantePassages(Passages):
    """What is cited beside the tables."""

    rows: Passage
    """How the cards are laid, and in which order is paid."""
    refait: Passage
    separator: Passage
    exposed: Passage
    """Of cards that came out by mistake."""


class TrenteEtQuaranteLaw(GameLaw):
    """What trente et quarante asks of its pack."""

    known_wagers = frozenset({"black", "red", "color", "inverse"})
    prices_needed = dict.fromkeys(known_wagers, (ONE_PRICE,))

    passages: TrenteEtQuarantePassages
    shoe: ShoeLaw
    limits: Multiples
    equal_rows: EqualRows

    @property
    def shoe_decks(self) -> int:
        return self.shoe.decks

    @model_validator(mode="after")
    def _figures_of_the_shoe(self) -> Self:
        if self.equal_rows.decks != self.shoe.decks:
            raise ValueError(f"equal_rows.decks: {self.shoe.decks}, as in the shoe, with the figures for so many")
        return self


# --- V.1, what the rows make of a chance --------------------------------------------------------------------------


def card_value(card: str) -> int:
    """II.1: what a French card counts."""
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


VALUES: Final = {card: card_value(card) for card in FRENCH_DECK}


def is_black(card: str) -> bool:
    """Spades and clubs are black, hearts and diamonds red."""
    return card[1] in "SC"


def winning_chances(black: int, red: int, first_card_black: bool) -> tuple[str, str] | None:
    """V.1: the row that wins and its neighbour, color or inverse; None when the rows count the same.

    ``black`` and ``red`` are the totals of complete rows, 31 to 40.
    """
    if black == red:
        return None
    row = "black" if black < red else "red"
    return row, "color" if (row == "black") == first_card_black else "inverse"


def is_refait(black: int, red: int) -> bool:
    """V.1: both rows count 31, and the rules of the zero hold."""
    return black == red == ROW_ENDS


# --- V.3, the procedure -------------------------------------------------------------------------------------------


def winning_row(outcome: str) -> str:
    """``black`` or ``red`` from the words of `TrenteEtQuarante.outcome`; something else where no row won."""
    return outcome.partition(": ")[2].partition(" and ")[0]


class TrenteEtQuarante(Game):
    """One table. A coup is a round; ``Bet.state`` counts the refaits that a stake has been through (None: none), and
    from the first on it is in prison."""

    handles = ("card_dealt", "decision", "shoe_loaded", "cut_card")

    needs = TrenteEtQuaranteLaw
    one_result = True
    stakes_live_on = True
    lasting_stakes = True
    watched = Watchable(
        shoe=True,
        runs=Repetition(
            name="colours that repeat",
            look_at="the shoe: how it was shuffled, cut and loaded, and who bets with the run.",
            chances={"black": Fraction(1, 2), "red": Fraction(1, 2)},
            opposed=True,
            of_round=winning_row,
        ),
        lying=Fraction(0),
    )
    """A row ends by its own cards alone, so the two rows of a coup may lie the one or the other way round in the pack:
    both orders are equally likely, given all cards before and which two rows they are, and leave the same cards for
    what comes after. Where they do not count the same, black therefore wins with 1/2."""

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """At even money black and red, of which each wins as often as the other, give back at most what was staked; of
        color and inverse that is so as long as some thirty cards are left, which was looked at with six packs: at more
        than even money, or from fewer packs, they have no null."""
        nulls: dict[str, Null | None] = {}
        decks = rules.law_as(TrenteEtQuaranteLaw).shoe.decks
        for wager in rules.wagers.values():
            assert wager.price is not None
            if pays_at_most(wager, {"": 1}) and (wager.id in ROWS or decks >= ARGUED_DECKS):
                nulls[wager.id] = OfFreshShoe()
            elif wager.id in ROWS:
                nulls[wager.id] = either_way(wager.price)
        return msgspec.structs.replace(cls.watched, nulls=nulls)

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = self.law = table.rules.law_as(TrenteEtQuaranteLaw)
        self.passages = law.passages
        self.shoe = Shoe(law.shoe.decks)
        self.separator_out = False
        self.coups_left: int | None = None
        """Coups still to be dealt after the dealer announced the last ones."""
        self.closing_unseen = False
        """Events are missing: the last coups may have been announced."""
        self.in_round = False
        self.clear_table()

    def clear_table(self) -> None:
        """No card lies on the table."""
        self.black = self.red = 0
        self.first_card_black = False
        self.complete = False
        self.void = False
        self.unreadable = False
        self.refait = False
        self.sent_to_prison: set[str] = set()
        """Bets for which prison was chosen since this coup's refait."""
        self.unclaimed_losers: set[str] = set()
        self.unpaid_winners: dict[str, Bet] = {}

    def table_opened(self) -> None:
        """V.2: the posted maximum is 100 to 1,000 times the minimum."""
        least, most = self.table.minimum, self.table.maximum
        bounds = self.law.limits
        low, high = bounds.least_multiple, bounds.most_multiple
        if least and most is not None and not low * least <= most <= high * least:
            shown = self.table.shown
            text = f"the maximum of {shown(most)} is not {low:,} to {high:,} times the minimum of {shown(least)}"
            self.report_setup([(bounds.passage, text)])

    def round_begins(self) -> None:
        super().round_begins()
        self.in_round = True
        self.clear_table()

    # V.2, minimum and maximum

    def placed(self, bet: Bet) -> None:
        self.book.piles.lay(bet, (bet.who, bet.wager_id))
        self.check_limits(bet)

    def raised(self, bet: Bet, by: int) -> None:
        self.check_limits(bet)

    def check_limits(self, bet: Bet) -> None:
        """The minimum binds each bet, the maximum one player's stakes on one chance, those in prison left out."""
        shown, limits = self.table.shown, self.law.limits
        least, most = self.table.least(bet.wager_id), self.table.most(bet.wager_id)
        objection = self.under_minimum(bet, least, limits.passage)
        if objection is not None:
            self.book.report_once(bet, *objection)
        if most is None:
            most = limits.most_multiple * least or None
        laid = self.book.piles.amount((bet.who, bet.wager_id))
        if most is not None and laid > most:
            self.book.report_once(
                bet,
                "above_maximum",
                limits.passage,
                f"{bet.who} has {shown(laid)} on {bet.wager_id}; {shown(most)} is the maximum",
            )

    # V.1, a stake that a refait has hit stays where it lies

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        if bet.state:
            return Objection("late_bet", self.passages.refait, f"bet {bet.id} is in prison and cannot be raised")
        return super().objection_to_raise(bet, by)

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        if bet.state:
            return Objection(
                "withdrawal_not_allowed", self.passages.refait, f"bet {bet.id} is in prison and cannot be taken back"
            )
        return super().objection_to_withdrawal(bet)

    # V.3, the rows

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """Six fresh decks, the separator before the last five cards."""
        self.shoe.load()
        self.separator_out = False

    def card_dealt(self, event: CardDealt) -> None:
        """A card is burnt, or laid on a row. In which row it counts, the order of the cards decides."""
        card, row = event.card, event.to
        if not self.shoe.take(card):
            self.book.report(
                "impossible_card",
                self.law.shoe.passage,
                f"{card} has come out more often than {self.shoe.decks} decks hold it",
            )
        if row == "burn":
            return
        if row != "black" and row != "red":
            self.book.report(
                "dealing_error", self.passages.rows, f"{card} was laid neither on the black row nor on the red"
            )
            return
        self.betting_open = False
        if self.unreadable:
            return
        if self.separator_out:
            self.book.report(
                "dealing_error",
                self.passages.separator,
                f"{card} was laid on {row} after the separator; it counts for nothing",
            )
        elif self.black < ROW_ENDS:
            if row == "red":
                self.book.report(
                    "dealing_error",
                    self.passages.exposed,
                    f"{card} was laid on red while black counts {self.black}; it is black's",
                )
            self.count(card, "black")
        elif row == "black" or self.complete:
            self.book.report(
                "dealing_error",
                self.passages.exposed,
                f"{card} was laid on {row}, which was complete; it counts for nothing",
            )
        else:
            self.count(card, "red")

    def count(self, card: str, row: str) -> None:
        """The card counts for this row."""
        value = VALUES.get(card)
        if value is None:  # nobody could read it: the coup cannot be judged
            self.unreadable = True
            self.coups_left = None
            self.closing_unseen = True
            self.book.lose_sight()
        elif row == "black":
            if self.black == 0:
                self.first_card_black = is_black(card)
            self.black += value
        else:
            self.red += value
            if self.red >= ROW_ENDS:
                self.decide_coup()

    def cut_card(self, event: CutCard) -> None:
        """The separator comes out: a coup that is not complete is void."""
        self.separator_out = True
        if self.in_round and not self.complete:
            self.void_coup(self.passages.separator)

    def void_coup(self, passage: str) -> None:
        """All stakes of the coup come back; those in prison stay there."""
        self.void = True
        self.betting_open = False
        self.outcome = "void"
        for bet in list(self.book.live.values()):
            if not bet.state:
                self.book.decide(bet, 0, bet.amount, passage)

    # V.1, the coup is decided

    def decide_coup(self) -> None:
        """The red row is complete."""
        self.complete = True
        is_last = False
        if self.coups_left is not None:
            self.coups_left -= 1
            is_last = self.coups_left == 0
            if is_last:
                self.coups_left = None
        chances = winning_chances(self.black, self.red, self.first_card_black)
        self.refait = is_refait(self.black, self.red)
        result = "refait" if self.refait else "null" if chances is None else f"{chances[0]} and {chances[1]}"
        self.outcome = f"black {self.black}, red {self.red}: {result}"
        for bet in list(self.book.live.values()):
            if self.refait:
                bet.state = (bet.state or 0) + 1
                self.book.piles.lay(bet, ("prison", bet.seat))
            elif chances is None:
                if not bet.state:
                    self.book.decide(bet, 0, bet.amount)
            elif bet.wager_id not in chances:
                self.book.decide(bet, 0, 0)
                if bet.claimed_paid is None:
                    self.unclaimed_losers.add(bet.id)
                continue
            elif bet.state:
                self.book.decide(bet, 0, self.prison_value(bet), self.passages.refait)
            else:
                assert bet.wager is not None and bet.wager.price is not None
                self.book.decide(bet, self.table.pay(bet.amount, bet.wager.price), bet.amount)
                if bet.claimed_paid is None:
                    self.unpaid_winners[bet.id] = bet
            if is_last and not bet.decided:
                self.book.decide(bet, 0, self.partage_value(bet), self.passages.refait)

    def prison_value(self, bet: Bet) -> int:
        """What a stake in prison is worth: the whole after one refait, half after two, a quarter after three."""
        return bet.amount if bet.state == 1 else self.table.share(bet.amount, 1, 2 ** (bet.state - 1))

    def partage_value(self, bet: Bet) -> int:
        """Half of what the stake is worth in prison."""
        return self.table.share(bet.amount, 1, 2**bet.state)

    # V.1, the player's choice after a refait

    def decision(self, event: Decision) -> None:
        """``partage`` takes half; ``prison`` leaves the stake, and may become partage until the round is closed."""
        book = self.book
        bet = book.live.get(event.bet) if event.bet is not None else self.lone_stake(event.seat)
        if bet is None and (self.unreadable or self.was_unseen(event.bet)):
            return
        if event.choice not in ("partage", "prison"):
            wrong = f"{event.choice} is no choice at this table"
        elif not self.refait:
            wrong = f"{event.choice} was chosen with no refait in this coup"
        elif bet is None:
            wrong = f"{event.choice} was chosen for a bet that is not to be decided"
        elif event.choice == "partage":
            book.decide(bet, 0, self.partage_value(bet), self.passages.refait)
            return
        else:
            self.sent_to_prison.add(bet.id)
            return
        book.report("illegal_decision", self.passages.refait, wrong, bet=bet, bet_id=event.bet or "", seat=event.seat)

    def lone_stake(self, seat: int) -> Bet | None:
        """The bet that a decision without a bet means: the only one that the seat has to dispose of."""
        bets = self.book.piles.bets(("prison", seat))
        return next(iter(bets)) if len(bets) == 1 else None

    def was_unseen(self, bet_id: str | None) -> bool:
        """The bet may be one of which the log holds nothing, or not all."""
        book = self.book
        if bet_id is None:
            return book.unseen
        return bet_id in book.unseen_ids or (book.unseen and bet_id not in book.past and book.known(bet_id) is None)

    # V.3, losers first, then color or inverse, then black and red

    def bet_settled(self, event: BetSettled) -> None:
        """A claim, in its turn or out of it. One that hands back just half of a stake is the player's partage, where
        nothing else was said."""
        bet_id = event.bet
        bet = self.book.live.get(bet_id)
        if bet is not None and bet.state and self.in_round and self.complete and bet.claimed_paid is None:
            unsaid = self.refait and bet_id not in self.sent_to_prison
            value = self.partage_value(bet)
            if (unsaid or self.closing_unseen) and event.paid + event.returned == value + bet.refund:
                self.book.decide(bet, 0, value, self.passages.refait)
        winner = self.unpaid_winners.pop(bet_id, None)
        if winner is not None:
            self.check_turn(winner)
        self.unclaimed_losers.discard(bet_id)
        super().bet_settled(event)

    def check_turn(self, winner: Bet) -> None:
        """This winner is being paid: may it be?"""
        if self.unclaimed_losers:
            waiting = "losing stakes are taken"
        elif winner.wager_id in ("black", "red") and any(
            other.wager_id not in ("black", "red") for other in self.unpaid_winners.values()
        ):
            waiting = "color and inverse are paid"
        else:
            return
        self.book.report(
            "dealer_misplay",
            self.passages.rows,
            f"{winner.wager_id} bet {winner.id} was paid before all {waiting}",
            bet=winner,
        )

    # The end of the coup, and of the table

    def round_closed(self, event: RoundClosed) -> None:
        """Rows that were begun and not completed void the coup. Without any card the stakes stay for the next one."""
        if self.black and not (self.complete or self.void or self.unreadable):
            self.book.report(
                "dealing_error",
                self.passages.rows,
                f"the coup was closed at black {self.black}, red {self.red}: it is void",
            )
            self.void_coup(self.passages.rows)
        self.in_round = False
        self.refait = False
        super().round_closed(event)

    def table_closing(self, event: TableClosing) -> None:
        """The last n coups are announced."""
        self.coups_left = event.last
        self.closing_unseen = False

    def lost_sight(self) -> None:
        self.shoe.forget()
        self.separator_out = False
        self.coups_left = None
        self.closing_unseen = True
        self.in_round = False
        self.clear_table()


# --- Exact odds ---------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """The first coup of a fresh shoe, with half taken at every refait, and with prison at every refait.

    The probabilities of the refait and of the null coup are in the pack (`equal_rows` recomputes them). The rest falls
    on black and red alike: a shoe is as likely to give one row and then the other as the other way round; and the first
    card is black or red alike, whatever it counts.
    """
    equal = rules.law_as(TrenteEtQuaranteLaw).equal_rows
    decks, refait, null = equal.decks, equal.refait, equal.null
    decisive = Fraction(1, 4) * (1 - refait - null)
    coups = [(31, 31, True, refait), (32, 32, True, null)]
    coups += [(*rows, first, decisive) for rows in ((31, 32), (32, 31)) for first in (True, False)]
    for wager in rules.wagers.values():
        assert wager.price is not None
        outcomes: list[tuple[Fraction, Fraction]] = []
        win = loss = Fraction(0)
        for black, red, first_card_black, weight in coups:
            chances = winning_chances(black, red, first_card_black)
            if is_refait(black, red):
                outcomes.append((weight, Fraction(-1, 2)))
            elif chances is None:
                outcomes.append((weight, Fraction(0)))
            elif wager.id in chances:
                outcomes.append((weight, wager.price.ratio))
                win += weight
            else:
                outcomes.append((weight, Fraction(-1)))
                loss += weight
        edge, variance = edge_and_variance(outcomes)
        yield Odds(
            wager=wager.id,
            options={"refait": "partage"},
            decks=decks,
            edge=edge,
            variance=variance,
            assumes="first coup of a fresh shoe, half taken at every refait",
        )
        # In prison a stake of 1 comes back worth 1 or nothing, waits over null coups, is halved by every refait.
        freed = win / (1 - null - Fraction(1, 2) * refait)
        freed_squared = win / (1 - null - Fraction(1, 4) * refait)
        edge = loss + refait * (1 - freed) - win * wager.price.ratio
        square = loss + refait * (1 - 2 * freed + freed_squared) + win * wager.price.ratio**2
        yield Odds(
            wager=wager.id,
            options={"refait": "prison"},
            decks=decks,
            edge=edge,
            variance=square - edge**2,
            assumes="first coup of a fresh shoe, prison at every refait, later coups alike",
        )


def equal_rows(copies: Sequence[int], ends: int = ROW_ENDS) -> tuple[Fraction, Fraction]:
    """The probabilities that two rows dealt one after the other from a full shoe count the same, exactly: first that
    both count ``ends``, then that they count the same and more. ``copies``: how many cards of each value from 1 on
    there are (six decks: nine times 24, then 96). Two minutes for six decks.

    A row is a series of cards of which only the last takes it to ``ends`` or over, and totals only grow: so of all
    orders of its cards those are rows whose last card counts more than ``total - ends``. Rows with a and b cards of a
    value that has c copies can therefore be counted value by value, (c)_(a+b) / (a! b!), with (a-1)! for a! where the
    last card is of that value; the orders of the other cards come in at the end.
    """
    top = len(copies)
    cards = sum(copies)
    by_excess = []
    for excess in range(top):
        total = ends + excess
        # Low values are many and give long rows; they and the high ones are counted apart and then joined.
        middle = min(3, top)
        low = _pairs_of_rows(copies, range(1, middle + 1), total, excess)
        high = _pairs_of_rows(copies, range(middle + 1, top + 1), total, excess)
        ways: dict[int, int] = {}
        for (black, red, blacks_last, reds_last), lengths in low.items():
            rest = high.get((total - black, total - red, not blacks_last, not reds_last))
            if rest is None:
                continue
            for (low_blacks, low_reds), low_ways in lengths.items():
                for (high_blacks, high_reds), high_ways in rest.items():
                    blacks, reds = low_blacks + high_blacks, low_reds + high_reds
                    orders = factorial(blacks - 1) * factorial(reds - 1)
                    size = blacks + reds
                    ways[size] = ways.get(size, 0) + low_ways * high_ways * orders
        by_excess.append(sum((Fraction(count, perm(cards, size)) for size, count in ways.items()), Fraction(0)))
    return by_excess[0], sum(by_excess[1:], Fraction(0))


_Rows = dict[tuple[int, int, bool, bool], dict[tuple[int, int], int]]


def _pairs_of_rows(copies: Sequence[int], values: range, most: int, excess: int) -> _Rows:
    """What two rows can have of some values: (their sums, whether each has its last card of them) -> (their numbers of
    cards) -> ways. A last card counts more than ``excess``."""
    rows: _Rows = {(0, 0, False, False): {(0, 0): 1}}
    for value in values:
        held = copies[value - 1]
        grown: _Rows = {}
        for (black, red, blacks_last, reds_last), lengths in rows.items():
            for more_black in range(min(held, (most - black) // value) + 1):
                for more_red in range(min(held - more_black, (most - red) // value) + 1):
                    drawn = comb(held, more_black + more_red) * comb(more_black + more_red, more_black)
                    black_ends = [(blacks_last, 1)]
                    if value > excess and more_black and not blacks_last:
                        black_ends.append((True, more_black))
                    red_ends = [(reds_last, 1)]
                    if value > excess and more_red and not reds_last:
                        red_ends.append((True, more_red))
                    for black_end, black_choices in black_ends:
                        for red_end, red_choices in red_ends:
                            factor = drawn * black_choices * red_choices
                            key = (black + more_black * value, red + more_red * value, black_end, red_end)
                            into = grown.setdefault(key, {})
                            for (blacks, reds), ways in lengths.items():
                                size = (blacks + more_black, reds + more_red)
                                into[size] = into.get(size, 0) + ways * factor
        rows = grown
    return rows


GAME = TrenteEtQuarante
