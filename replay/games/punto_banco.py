"""Punto banco (punt i banca): AD-2025, game 7.

V    The player's hand pays par, the bank's by one of two options, the tie eight to one; a tie stakes at most a tenth of
     the table's maximum. Stakes may have to be multiples of the minimum.
VI   On a tie the stakes on player and banker may be taken back. A hand of 8 or 9 in two cards ends the coup; otherwise
     the tables of third cards (`replay.baccarat_hands`) say who draws. Nobody has a choice.
VII  The first card turned says how many are burned. No coup begins once the cut card is out. After "no hi van més
     apostes" two cards each, the first and the third for the player.

The order of the shoe decides: faces are down, so that a card in the wrong place is put right without prejudice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, ClassVar, Final, Self

import msgspec
from pydantic import Field, model_validator

from replay.baccarat_hands import VALUES, coups, next_hand, total
from replay.book import Bet, Book
from replay.cards import Shoe
from replay.events import BetsClosed, BetSettled, CardDealt, CutCard, Decision, RoundClosed, ShoeLoaded
from replay.games import Game
from replay.games._law_parts import Multiples, ShoeLaw, VoidLaw, check_prices_by_choice
from replay.law import ONE_PRICE, Count, GameLaw, LawTable, OptionValues, Passage, Passages, Provision
from replay.money import Price
from replay.odds import Odds, edge_and_variance, net
from replay.rules import GameRules, Table, Wager
from replay.watched import OfFreshShoe, Repetition, Watchable, pays_at_most

PUSH: Final = Price(0)
"""Nothing is won, and the stake comes back."""
RANKS: Final = "A23456789TJQK"
HALF_ON_SIX: Final = "half_on_6"
"""The choice of ``banker_pay`` by which a bank that wins with six has a price of its own, ``six``."""
LESS_A_TWENTIETH: Final = Fraction(19, 20)
ARGUED: Final[Mapping[str, Mapping[str, Fraction | int]]] = {
    "player": {"": 1},
    "banker": {"": LESS_A_TWENTIETH, "commission_5": LESS_A_TWENTIETH, HALF_ON_SIX: 1, "six": Fraction(1, 2)},
    "tie": {"": 8},
}
"""Prices at which the wagers were counted for whoever watches them (`PuntoBanco.watched_under`)."""
ARGUED_DECKS: Final = 6
ARGUED_CARDS_BELOW: Final = 7


class TiePart(Provision):
    """V: the most that a tie may stake is the table's maximum divided by this."""

    part_of_maximum: int = Field(ge=1)


class Limits(LawTable):
    """V."""

    table: Multiples
    tie: TiePart


class CutCardLaw(Provision):
    """VII: so many cards are left in the shoe below the cut card."""

    cards_below: Count


class Burning(Provision):
    """VII: how many cards are burned after the first one, by its rank."""

    values: Mapping[Annotated[str, Field(pattern=f"^[{RANKS}]$")], Count]

    @model_validator(mode="after")
    def _each_rank(self) -> Self:
        missing = [rank for rank in RANKS if rank not in self.values]
        if missing:
            raise ValueError(f"values: a number of cards for each rank; there is none for {missing[0]}")
        return self


class PuntoBancoPassages(Passages):
    """What is cited beside the tables."""

    limits: Passage
    tie: Passage
    """That gives stakes on either hand back."""
    dealing: Passage
    """The call before the first card, and the order of the first four."""
    drawing: Passage
    """Who has a third card, by the tables alone."""
    missing_card: Passage
    """That voids the coup."""


class PuntoBancoLaw(GameLaw):
    """What punto banco asks of its pack. The bank has one price where there is no option ``banker_pay``."""

    known_wagers = frozenset({"player", "banker", "tie"})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {"player": (ONE_PRICE,), "tie": (ONE_PRICE,)}
    option_values: ClassVar[OptionValues] = {
        "banker_pay": ("commission_5", HALF_ON_SIX),
        "bets_per_box": "int",
        "stake_multiple": "flag",
    }
    known_options = frozenset(option_values)

    passages: PuntoBancoPassages
    limits: Limits
    shoe: ShoeLaw
    cut_card: CutCardLaw
    burning: Burning
    void: VoidLaw

    @property
    def shoe_decks(self) -> int:
        return self.shoe.decks

    @model_validator(mode="after")
    def _prices_of_the_bank(self) -> Self:
        check_prices_by_choice(self, "banker", "banker_pay")
        bank, pay = self.wagers.get("banker"), self.options.get("banker_pay")
        if bank is not None and pay is not None and HALF_ON_SIX in pay.choices:
            if not isinstance(bank.pays, dict) or "six" not in bank.pays:
                raise ValueError(f"wagers.banker.pays.six: is missing: what {HALF_ON_SIX} pays where six wins")
        return self


def ruling(wager: Wager, player: int, banker: int, banker_pay: str) -> Price | None:
    """V, VI: what a wager wins when the hands are worth ``player`` and ``banker``; None when it loses."""
    if wager.id == "tie":
        return wager.price if player == banker else None
    if player == banker:
        return PUSH
    if wager.id == "player":
        return wager.price if player > banker else None
    if player > banker:
        return None
    if wager.price is not None:
        return wager.price
    if banker_pay == HALF_ON_SIX and banker == 6:
        return wager.prices["six"]
    return wager.prices[banker_pay]


_COUP: Final = re.compile(r"player (\d) banker (\d)")


def totals_of(outcome: str) -> tuple[int, int] | None:
    """The player's and the banker's total from the words of `PuntoBanco.outcome`; None for a coup that came to
    nothing."""
    found = _COUP.fullmatch(outcome)
    return None if found is None else (int(found[1]), int(found[2]))


class PuntoBanco(Game):
    """One punto banco table: one coup a round, every bet decided by its last card."""

    handles = ("card_dealt", "decision", "shoe_loaded", "cut_card")

    needs = PuntoBancoLaw
    one_result = True
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
        no more, from no fewer packs, dealt no further down. Other wagers have no null."""
        law = rules.law_as(PuntoBancoLaw)
        as_deep = law.shoe.decks >= ARGUED_DECKS and law.cut_card.cards_below >= ARGUED_CARDS_BELOW
        watched = [
            name
            for name, most in ARGUED.items()
            if as_deep and name in rules.wagers and pays_at_most(rules.wagers[name], most)
        ]
        return msgspec.structs.replace(cls.watched, nulls=dict.fromkeys(watched, OfFreshShoe()))

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = self.law = table.rules.law_as(PuntoBancoLaw)
        self.passages = law.passages
        self.banker_pay: str = table.options.get("banker_pay", "")
        self.bets_per_box: int | None = table.options.get("bets_per_box")
        self.in_multiples: bool = table.options.get("stake_multiple") or False
        self.decks = law.shoe.decks
        self.void_grounds = law.void.grounds
        self.burn_values = law.burning.values
        self.cards_below = law.cut_card.cards_below
        self.limits_changed()
        self.shoe = Shoe(self.decks)
        self.shoe_cards = 52 * self.decks
        self.burning = False
        """The shoe has been loaded, and the cards that come out first are burned."""
        self.to_burn: int | None = None
        """What the first card turned says; None before it, or where it could not be read."""
        self.burned = 0
        """Cards burned after it."""
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
        self.clear()

    # --- V, the house's limits ------------------------------------------------------------------------------------

    def table_opened(self) -> None:
        """V: the maximum is 20 to 100 times the minimum, a tie's a tenth of it; II: six decks."""
        table, bounds = self.table, self.law.limits
        faults: list[tuple[str, str]] = []
        least, most = bounds.table.least_multiple, bounds.table.most_multiple
        if table.minimum and table.maximum is not None:
            if not least * table.minimum <= table.maximum <= most * table.minimum:
                faults.append(
                    (
                        bounds.table.passage,
                        f"the maximum of {self.money(table.maximum)} is not {least} to {most} times the minimum",
                    )
                )
        own, part = table.own_most("tie"), bounds.tie.part_of_maximum
        if own is not None and table.maximum is not None and own * part > table.maximum:
            faults.append(
                (
                    bounds.tie.passage,
                    f"the maximum of {own} for a tie is over {_part(part)} of the table's, which binds instead",
                )
            )
        if table.decks not in (None, self.decks):
            faults.append(
                (
                    self.law.shoe.passage,
                    f"the table was opened with {table.decks} decks, the game has {self.decks}",
                )
            )
        self.report_setup(faults)

    def maximum(self, wager: str) -> int | None:
        """What a box may hold: what is posted; on a tie never more than its part of the table's maximum."""
        most = self.table.most(wager)
        if wager != "tie" or self.table.maximum is None:
            return most
        part = self.table.maximum // self.law.limits.tie.part_of_maximum
        own = self.table.own_most(wager)
        return part if own is None else min(own, part)

    def judge_stakes(self) -> None:
        """V, II: the stakes as they stand when no more are taken. A box is one seat and one wager."""
        boxes: dict[tuple[int, str], list[Bet]] = {}
        for bet in self.book.live.values():
            boxes.setdefault((bet.seat, bet.wager_id), []).append(bet)
        report = self.book.report_once
        per_box = self.bets_per_box
        for (seat, wager), bets in boxes.items():
            minimum, maximum = self.minimums[wager], self.maximums[wager]
            laid = 0
            players: dict[str, int] = {}
            for bet in bets:
                laid += bet.amount
                players[bet.who] = players.get(bet.who, 0) + bet.amount
                if maximum is not None and laid > maximum:
                    report(
                        bet,
                        "above_maximum",
                        self.passages.limits,
                        f"{self.money(laid)} lies on {wager} in box {seat}; {self.money(maximum)} is the maximum",
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
        player, banker = total(self.player), total(self.banker)
        self.outcome = f"player {player} banker {banker}"
        self.decided = list(self.book.live.values())
        for bet in self.decided:
            assert bet.wager is not None
            price = ruling(bet.wager, player, banker, self.banker_pay)
            if price is None:
                self.book.decide(bet, 0, 0)
            elif price is PUSH:
                self.book.decide(bet, 0, bet.amount, self.passages.tie)
            else:
                self.book.decide(bet, self.table.pay(bet.amount, price), bet.amount)

    def annul(self, passage: str) -> None:
        """The coup is void, even where its last card seemed to be out: stakes come back, further cards are dead."""
        for bet in self.decided:
            self.book.reopen(bet)
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

    # --- VII, the shoe --------------------------------------------------------------------------------------------

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """New cards are in the shoe; the first of them will say how many are burned."""
        decks = self.decks if event.decks is None else event.decks
        if decks != self.decks:
            self.book.report(
                "dealing_error",
                self.law.shoe.passage,
                f"{decks} decks were loaded; the game has {self.decks}",
            )
        self.shoe.load()
        self.shoe_cards = 52 * decks if event.cards is None else event.cards
        self.burning = True
        self.to_burn = None
        self.burned = -1

    def card_burned(self, event: CardDealt) -> None:
        """A card goes unused: after the shoe was loaded, or because it was found face up in it during the coup."""
        if self.burning:
            self.burned += 1
            if self.burned == 0:
                self.to_burn = self.burn_values.get(event.card[0])

    def judge_burning(self) -> None:
        """The burning is over: as many cards as the first one said, or not."""
        self.burning = False
        if self.to_burn is not None and self.burned != self.to_burn:
            self.book.report(
                "dealing_error",
                self.law.burning.passage,
                f"{self.burned} cards were burned; the first one said {self.to_burn}",
            )

    def cut_card(self, event: CutCard) -> None:
        """The coup under way is the last one of this shoe."""
        self.shoe.cut = True

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
            self.to_come = next_hand(self.player, self.banker)
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
        shoe = self.shoe
        left = self.shoe_cards - shoe.out + 1
        if shoe.cut or (shoe.loaded and shoe.known and left <= self.cards_below):
            self.book.report(
                "dealing_error",
                self.law.cut_card.passage,
                "a coup was begun although the cut card was out",
            )

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


def odds(rules: GameRules) -> Iterator[Odds]:
    """Every wager, the bank's by either option, on a fresh shoe: all coups, counted by card values."""
    decks = rules.law_as(PuntoBancoLaw).shoe.decks
    endings = coups(decks)
    for wager in rules.wagers.values():
        for banker_pay in map(str, rules.options["banker_pay"].choices) if wager.prices else ("",):
            outcomes = [
                (orders, net(ruling(wager, player, banker, banker_pay))) for (player, banker), orders in endings.items()
            ]
            edge, variance = edge_and_variance(outcomes)
            yield Odds(
                wager=wager.id,
                options={"banker_pay": banker_pay} if banker_pay else {},
                decks=decks,
                edge=edge,
                variance=variance,
                assumes="a fresh shoe, and stakes that are paid without rounding",
            )


GAME = PuntoBanco
