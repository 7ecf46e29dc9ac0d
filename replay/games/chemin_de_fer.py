"""Chemin de fer (bacarà, ferrocarril): AD-2025, game 8. Baccarat among players, of whom one holds the bank.

IV    Priority: seated before standing; the seats from the one after the banker's, up the numbers and round.
V     A bank that wins may be kept, all of it or half; one that loses moves on; one given up is taken for as much at
      least. The house takes 5 per cent of what the bank's side wins.
VI    Abonaments carry what is staked beyond the bank. Who draws: `replay.games._chemin_de_fer_coup`.
VII   Who makes banco comes first, and first of all who made it and lost; then who goes with the table; then the largest
      stake holds the cards.
VIII  Errors and infractions: there as well.

The coup is judged when it is over, from its cards and announcements in their order, as most of VIII hangs on what came
after an error. Each finding bears the number of the event where the error was made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from replay.baccarat_hands import Ending, coups
from replay.book import Bet, Book
from replay.events import BetPlaced, Decision
from replay.games import Objection
from replay.games._chemin_de_fer_coup import FREE_TOTAL, NULL, PLAYER, TIE, CoupJudge, CoupPassages
from replay.games._circle_baccarat import BANKER, CircleBaccarat, CircleLaw
from replay.games._law_parts import BankersTable
from replay.law import ONE_PRICE, Count, LawTable, OptionValues, Passage, Provision, Several, WagerLaw
from replay.odds import Odds, edge_and_variance, net
from replay.rules import GameRules, Table

# --- What the game asks of its pack -----------------------------------------------------------------------------------

_BANK_SIDE: Final = frozenset({"bank", "bank_share", "abonament"})


class ChemindeFerWager(WagerLaw):
    """A wager of one of the two sides."""

    side: Literal["bank", "against"]


class BankBounds(Provision):
    """V: the bank's maximum, in multiples of the punter's minimum."""

    most_multiple: Count


class Abonaments(Provision):
    """VI: so many at most."""

    most: Count


class Limits(LawTable):
    """V, VI."""

    bank: BankBounds
    abonament: Abonaments


class Exceptions(Provision):
    """VI: where the banker draws or stands as he likes: his total, and the value of the card that he gave."""

    cells: Several[
        Annotated[tuple[Annotated[int, Field(ge=0, le=7)], Annotated[int, Field(ge=0, le=9)]], Field(strict=False)]
    ]


class ChemindeFerPassages(CoupPassages):
    """What is cited beside the tables."""

    bank: Passage
    """Who may put up the bank, for how much, and that none stakes against his own."""
    stakes: Passage
    """The least stake, and that none goes beyond what the bank has."""
    priority: Passage
    """Who comes first of those who made banco."""
    banco: Passage
    """That a banco leaves nothing for others."""
    tie: Passage


class ChemindeFerLaw(CircleLaw):
    """What chemin de fer asks of its pack."""

    known_wagers = _BANK_SIDE | {"banco", "with_table", "with_table_complete", "punter"}
    prices_needed = dict.fromkeys(known_wagers, (ONE_PRICE,))
    option_values: ClassVar[OptionValues] = {
        "drawing": ("table", "free"),
        "banco_free": "flag",
        "bank_unlimited": "flag",
    }
    known_options = frozenset(option_values)

    passages: ChemindeFerPassages
    wagers: Mapping[str, ChemindeFerWager]
    limits: Limits
    exceptions: Exceptions
    third_cards: BankersTable

    @model_validator(mode="after")
    def _sides(self) -> Self:
        for name, wager in self.wagers.items():
            side = "bank" if name in _BANK_SIDE else "against"
            if wager.side != side:
                raise ValueError(f"wagers.{name}.side: {side}, not {wager.side}")
        return self


# --- V: the bank from coup to coup ------------------------------------------------------------------------------------

_TAKES_THE_CARDS: Final = ("banco", "with_table_complete", "with_table")
"""Who has one of these holds the cards, the first one first (VII)."""


class PastBank(NamedTuple):
    """The bank of the last coup: who held it, how it ended, what it stands at."""

    who: tuple[int, bool]
    """Seat, and whether he was standing behind it."""
    lost: bool
    stands_at: int
    allowed: frozenset[int]
    """The amounts for which it may be kept."""
    given_up: bool
    passed_by: frozenset[int]
    """The seats that let it pass since."""


def standing(bet: Bet) -> bool:
    """Placed by a player who stands behind the seat."""
    return bet.pick == "standing"


def _after_banco(bet: Bet) -> bool:
    return bet.wager_id != "banco"


class Cover(NamedTuple):
    """What plays of each stake against the bank, and what of the bank's side answers for it."""

    playing: dict[str, int]
    """Bet id -> the part of the stake that plays."""
    beyond: list[Bet]
    """Stakes that go beyond the cover."""
    total: int
    on_bank: int
    """The part of it that bank and associate answer for; abonaments answer for the rest."""


class ChemindeFer(CircleBaccarat):
    """One chemin de fer table: one coup a round, judged at its end."""

    needs = ChemindeFerLaw
    hands = (PLAYER, BANKER)

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = self.law = table.rules.law_as(ChemindeFerLaw)
        self.passages = law.passages
        self.exceptions = law.exceptions.cells
        self.answers = law.third_cards.drawing_after(()).answers
        self.against = {name for name, wager in law.wagers.items() if wager.side == "against"}
        self.free = table.options.get("drawing") == "free"
        self.banco_free: bool = table.options.get("banco_free") or False
        self.limits_changed()
        self.past: PastBank | None = None
        self.follows: tuple[int, bool] | None = None
        """VII, banco suivi: who made banco and lost, and comes first in the next coup."""
        self.follows_known = True
        """False after a hole in the log, until a coup that one side has won: a tie or null coup keeps a right that may
        have been won unseen."""

    def limits_changed(self) -> None:
        table = self.table
        own = table.limits.get("bank", {})
        self.bank_least: int = own.get("min", table.minimum)
        self.bank_most: int | None = own.get("max", self.law.limits.bank.most_multiple * table.minimum or None)
        if table.options.get("bank_unlimited"):
            self.bank_most = None

    def clear(self) -> None:
        super().clear()
        self.holder: int | None = None
        self.may_leave = False
        """VIII: the banker declared too early; stakes against him may be taken back."""
        self.gives_up = False

    def lost_sight(self) -> None:
        super().lost_sight()
        self.past = self.follows = None
        self.follows_known = False

    def lose_the_coup(self) -> None:
        super().lose_the_coup()
        self.past = self.follows = None
        self.follows_known = False

    # --- stakes ---------------------------------------------------------------------------------------------------

    def setup_faults(self) -> list[tuple[str, str]]:
        """V: the bank's bounds."""
        limits = self.law.limits.bank
        faults = super().setup_faults()
        times = limits.most_multiple
        if self.table.minimum and self.bank_most is not None and self.bank_most > times * self.table.minimum:
            text = f"the bank's maximum of {self.money(self.bank_most)} is over {times} times the punter's minimum"
            faults.append((limits.passage, text))
        if self.bank_least < self.table.minimum:
            faults.append(
                (limits.passage, f"the bank's minimum of {self.money(self.bank_least)} is under the punter's")
            )
        return faults

    def of_banker(self, bet: Bet, bank: Bet) -> bool:
        """This stake is the banker's own money."""
        if bet.player is not None and bet.player == bank.player:
            return True
        return bet.seat == bank.seat and standing(bet) == standing(bank)

    def order(self, seat: int) -> tuple[bool, int]:
        """IV: the seats from the one after the banker's, up the numbers and round."""
        bank = self.one("bank")
        return (bank is not None and seat <= bank.seat, seat)

    def plays_of(self, bet: Bet) -> int:
        """VIII: of a stake on the line, half plays, in whole chips."""
        if bet.pick != "line":
            return bet.amount
        unit = self.table.chip_unit
        return bet.amount // (2 * unit) * unit

    def whole_bank(self) -> int:
        return self.book.piles.amount("bank") + self.book.piles.amount("bank_share")

    def cover(self) -> Cover:
        """V, VI, VII: stakes play in the order of placing, a banco first, up to the bank and the abonaments so far."""
        live = list(self.book.live.values())
        room = whole = self.whole_bank()
        used = 0
        playing: dict[str, int] = {}
        beyond: list[Bet] = []
        live.sort(key=_after_banco)
        for bet in live:
            if bet.wager_id == "abonament":
                room += bet.amount
            elif bet.wager_id in self.against:
                wants = self.plays_of(bet)
                playing[bet.id] = min(wants, room - used)
                used += playing[bet.id]
                if playing[bet.id] < wants:
                    beyond.append(bet)
        return Cover(playing, beyond, used, min(used, whole))

    def objection(self, bet: Bet) -> Objection | None:
        """Why a stake is refused when it is placed."""
        wager = bet.wager_id
        bank, piles = self.one("bank"), self.book.piles
        if not self.betting_open and not self.may_follow(bet):
            return self.late(bet)
        objection = self.not_offered(bet)
        if objection is not None:
            return objection
        if wager in self.against and bank is not None and self.of_banker(bet, bank):
            return Objection(
                "wager_not_offered", self.passages.bank, f"bet {bet.id} is the banker's, against his own bank"
            )
        if wager == "abonament":
            laid = sum(self.plays_of(other) for wager in self.against for other in piles.bets(wager))
            abonaments = self.law.limits.abonament
            if bank is None or laid < self.whole_bank():
                text = f"abonament {bet.id} was offered before the bank was covered"
                return Objection("wager_not_offered", abonaments.passage, text)
            if len(piles.bets("abonament")) >= abonaments.most:
                text = f"abonament {bet.id} is one too many; {abonaments.most} are allowed"
                return Objection("too_many_bets", abonaments.passage, text)
        elif wager not in ("punter", "banco"):
            if wager in piles:
                assert bet.wager is not None
                return Objection(
                    "too_many_bets", bet.wager.passage, f"there is a {wager} already; bet {bet.id} goes back"
                )
        return None

    def may_follow(self, bet: Bet) -> bool:
        """VII, banco suivi: it may still be announced after the call, until the holder has spoken or drawn."""
        if bet.wager_id != "banco" or (bet.seat, standing(bet)) != self.follows:
            return False
        to_banker = [card.to_banker for card in self.cards[:-1]]
        if to_banker.count(True) > 1 and to_banker.count(False) > 1:
            return False  # a third card came out: the holder has stood or drawn
        if any(said.seat == self.holder for said in self.said):
            return False
        return all(other is bet or (other.seat, standing(other)) != self.follows for other in self.bancos())

    def bet_placed(self, event: BetPlaced) -> None:
        if not self.follows_known and event.wager == "banco" and not self.betting_open:
            self.book.place_unseen(event)
            self.lose_the_coup()  # whether he may follow is not known
            return
        super().bet_placed(event)

    def placed(self, bet: Bet) -> None:
        super().placed(bet)
        if bet.wager_id == "bank":
            self.bank_placed(bet)
        elif not self.betting_open:
            for other in list(self.book.live.values()):
                if other is not bet and other.wager_id in self.against:
                    self.book.decide(other, 0, other.amount, self.passages.banco)
            self.holder = bet.seat
            self.equals(bet, self.whole_bank(), "the whole bank")
            self.tell_beyond(self.cover())

    def bank_placed(self, bank: Bet) -> None:
        """V: who lost may not put up the next bank. Stakes that he laid before go back."""
        past = self.past
        if past is not None and past.lost and past.who == (bank.seat, standing(bank)):
            text = f"seat {bank.seat} has lost the bank and puts up the next one"
            self.book.report_once(bank, "illegal_decision", self.passages.bank, text)
        for bet in list(self.book.live.values()):
            if bet.wager_id in self.against and self.of_banker(bet, bank):
                text = f"bet {bet.id} is the banker's, against his own bank"
                self.book.refuse(bet, "wager_not_offered", self.passages.bank, text)

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        if bet.wager_id in ("bank", "bank_share"):
            text = f"{bet.wager_id} {bet.id} was reduced; a bank never is"
            return Objection("withdrawal_not_allowed", self.passages.bank, text)
        if self.may_leave and bet.wager_id in self.against:
            return None
        return super().objection_to_withdrawal(bet)

    # --- no more bets ---------------------------------------------------------------------------------------------

    def stakes_lie(self) -> None:
        bancos = self.bancos()
        if len(bancos) > 1:
            if not self.follows_known:
                self.lose_the_coup()  # who comes first is not known
                return
            first = min(
                bancos, key=lambda bet: ((bet.seat, standing(bet)) != self.follows, standing(bet), self.order(bet.seat))
            )
            for bet in bancos:
                if bet is not first:
                    text = f"banco {bet.id} of seat {bet.seat} comes after that of seat {first.seat}"
                    self.book.refuse(bet, "too_many_bets", self.passages.priority, text)
        self.judge_bank()
        self.judge_stakes()
        cover = self.cover()
        self.tell_beyond(cover)
        self.holder = self.who_holds(cover.playing)

    def equals(self, bet: Bet, due: int, what: str) -> None:
        """A stake that must be just so large."""
        if bet.amount != due:
            assert bet.wager is not None
            text = f"{bet.wager_id} bet {bet.id} of {self.money(bet.amount)} is not {what} ({self.money(due)})"
            self.book.report_once(bet, "stake_mismatch", bet.wager.passage, text)

    def judge_bank(self) -> None:
        """V: what the bank may be: new, kept, taken again by the same seat, or taken over by another."""
        bank = self.one("bank")
        if bank is None or not self.past_known:
            return
        report = self.book.report_once
        past, least, most = self.past, self.bank_least, self.bank_most
        if past is not None and not past.lost:
            if past.who == (bank.seat, standing(bank)):
                allowed = frozenset({past.stands_at}) if past.given_up else past.allowed
                if bank.amount not in allowed:
                    sums = " or ".join(map(self.money, sorted(allowed)))
                    text = f"the bank of seat {bank.seat} goes on with {self.money(bank.amount)}; it may with {sums}"
                    report(bank, "stake_mismatch", self.passages.bank, text)
                return
            if bank.seat not in past.passed_by:
                least = max(least, past.stands_at)
                most = None if most is None else max(most, past.stands_at)
        if bank.amount < least:
            text = f"seat {bank.seat} took the bank for {self.money(bank.amount)}; {self.money(least)} is the least"
            report(bank, "below_minimum", self.passages.bank, text)
        if most is not None and bank.amount > most:
            report(
                bank,
                "above_maximum",
                self.passages.bank,
                f"the bank of {self.money(bank.amount)} is over the maximum of {self.money(most)}",
            )

    def judge_stakes(self) -> None:
        """V, VI, VII: what the other stakes may be."""
        report = self.book.report_once
        bank, whole = self.one("bank"), self.whole_bank()
        live = list(self.book.live.values())
        abonament_passage = self.law.limits.abonament.passage
        for bet in live:
            wager = bet.wager_id
            if wager == "punter":
                minimum = self.table.least(wager)
                if bet.amount < minimum:
                    text = f"{bet.who} stakes {self.money(bet.amount)}; {self.money(minimum)} is the minimum"
                    report(bet, "below_minimum", self.passages.stakes, text)
            elif wager == "abonament":
                if bet.amount < self.bank_least:
                    least = self.money(self.bank_least)
                    text = f"abonament {bet.id} of {self.money(bet.amount)} is under the bank's minimum of {least}"
                    report(bet, "below_minimum", abonament_passage, text)
                if self.bank_most is not None and bet.amount > self.bank_most:
                    most = self.money(self.bank_most)
                    text = f"abonament {bet.id} of {self.money(bet.amount)} is over the bank's maximum of {most}"
                    report(bet, "above_maximum", abonament_passage, text)
            elif wager == "bank_share":
                self.equals(bet, bank.amount if bank is not None else 0, "what the banker puts up")
            elif wager == "banco":
                self.equals(bet, whole, "the whole bank")
            elif wager == "with_table":
                if bet.amount not in (self.table.share(whole, 1, 2), whole - self.table.share(whole, 1, 2)):
                    self.equals(bet, self.table.share(whole, 1, 2), "half of the bank")
            elif wager == "with_table_complete":
                others = sum(self.plays_of(o) for o in live if o.wager_id in self.against and o is not bet)
                self.equals(bet, max(0, whole - others), "what the others leave of the bank")

    def tell_beyond(self, cover: Cover) -> None:
        """V: no stake goes beyond what the bank has."""
        for bet in cover.beyond:
            covered = self.money(cover.playing[bet.id])
            text = f"of {bet.who}'s stake of {self.money(bet.amount)} only {covered} is covered by the bank"
            self.book.report_once(bet, "above_maximum", self.passages.stakes, text)

    def who_holds(self, playing: dict[str, int]) -> int | None:
        """VII, V: the seat that takes the cards against the bank; ``playing`` is what plays of each stake."""
        stakes: dict[tuple[bool, int], int] = {}
        for wager in _TAKES_THE_CARDS:
            bet = self.one(wager)
            if bet is not None:
                return bet.seat
        for bet in self.book.live.values():
            if playing.get(bet.id):
                key = (standing(bet), bet.seat)
                stakes[key] = stakes.get(key, 0) + playing[bet.id]
        past, bank = self.past, self.one("bank")
        if past is not None and not past.lost and bank is not None:
            seat, stood = past.who
            if (bank.seat, standing(bank)) != past.who and bank.amount > past.stands_at and (stood, seat) in stakes:
                return seat
        if not stakes:
            return None
        return min(stakes, key=lambda key: (key[0], -stakes[key], self.order(key[1])))[1]

    # --- the coup -------------------------------------------------------------------------------------------------

    def decision(self, event: Decision) -> None:
        """An announcement, or the bank passed on."""
        if event.choice == "pass":
            self.passes(event.seat)
            return
        super().decision(event)
        if event.choice == "declare" and self.judged().declared_early:
            self.may_leave = True

    def passes(self, seat: int) -> None:
        """V: who puts up a bank deals it once; after that he may give it up, and others may let it pass."""
        bank, past = self.one("bank"), self.past
        if bank is not None and bank.seat == seat:
            if self.cards:
                self.gives_up = True
            else:
                text = f"seat {seat} gave the bank up before it had dealt a coup"
                self.book.report("illegal_decision", self.passages.bank, text, seat=seat)
        elif past is not None:
            if seat == past.who[0]:
                self.past = past._replace(given_up=True, passed_by=frozenset())
            else:
                self.past = past._replace(passed_by=past.passed_by | {seat})

    def judged(self) -> CoupJudge:
        """The coup as far as it has come."""
        bank = self.one("bank")
        holder = self.holder
        if not self.past_known and not any(self.one(wager) for wager in _TAKES_THE_CARDS):
            # He who passed the bank on may hold the cards (V): it is whoever speaks for a stake, but for the banker,
            # whose words are his own though somebody who stakes may stand behind him.
            staked = {bet.seat for bet in self.book.live.values() if bet.wager_id in self.against}
            if bank is not None:
                staked.discard(bank.seat)
            holder = next((said.seat for said in self.said if said.seat in staked), holder)
        free = self.free or (self.banco_free and bool(self.bancos()))
        return CoupJudge(
            self.cards,
            self.said,
            holder,
            bank.seat if bank is not None else None,
            free=free,
            answers=self.answers,
            exceptions=self.exceptions,
            void_grounds=self.void_grounds,
            passages=self.passages,
        )

    def end_coup(self) -> None:
        """The coup is over: what it came to, what every bet comes to, and what becomes of the bank."""
        judge = self.judged()
        self.tell(judge.faults, judge.last_card)
        self.outcome = NULL if judge.winner == NULL else f"player {judge.player} banker {judge.banker}"
        bank, cover = self.one("bank"), self.cover()
        against = [bet for bet in self.book.live.values() if cover.playing.get(bet.id)]
        who = {(bet.seat, standing(bet)) for bet in against}
        banco = next((bet for bet in against if bet.wager_id == "banco"), None)
        gross = self.settle(judge.winner, cover)
        if bank is not None:
            self.bank_after(bank, judge.winner, gross, cover)
        if judge.winner == BANKER and banco is not None:
            self.follows = (banco.seat, standing(banco))
        elif judge.winner == BANKER and len(who) == 1:
            self.follows = next(iter(who))
        elif judge.winner in (BANKER, PLAYER):
            self.follows = None
        self.follows_known = self.follows_known or judge.winner in (BANKER, PLAYER)

    # --- V, VI: money ---------------------------------------------------------------------------------------------

    def settle(self, winner: str, cover: Cover) -> int:
        """Decide every bet, look at the commission; returns what the bank itself won or lost before that."""
        book = self.book
        bank, share = self.one("bank"), self.one("bank_share")
        carried: list[tuple[Bet, int]] = []
        on_bank = cover.on_bank
        half = 0
        if share is not None:
            half = self.table.chip_unit * (on_bank // (2 * self.table.chip_unit))
            if winner == PLAYER and bank is not None:
                half = max(min(half, share.amount), on_bank - bank.amount)
            carried.append((share, half))
        gross = on_bank - half
        if bank is not None:
            carried.append((bank, gross))
        excess = cover.total - on_bank
        for bet in book.live.values():
            if bet.wager_id == "abonament":
                carried.append((bet, min(bet.amount, excess)))
                excess -= carried[-1][1]
        due = 0
        for bet, part in carried:
            assert bet.wager is not None and bet.wager.price is not None
            if winner == BANKER:
                paid = self.table.pay(part, bet.wager.price)
                due += part - paid
                book.decide(bet, paid, bet.amount)
            elif winner == PLAYER:
                book.decide(bet, 0, bet.amount - part)
        for bet in list(book.live.values()):
            part = cover.playing.get(bet.id, 0)
            if winner == PLAYER:
                assert bet.wager is not None and bet.wager.price is not None
                book.decide(bet, self.table.pay(part, bet.wager.price), bet.amount)
            elif winner == BANKER:
                book.decide(bet, 0, bet.amount - part)
            else:
                book.decide(bet, 0, bet.amount, self.passages.tie if winner == TIE else self.passages.errors)
        self.judge_commission(due)
        return gross

    def bank_after(self, bank: Bet, winner: str, gross: int, cover: Cover) -> None:
        """V: what the bank stands at now, and for what it may be kept.

        After a win: all of it or half; where it was not covered, also the part that played and what it won, or half."""
        unit = self.table.chip_unit
        allowed = {bank.amount}
        stands_at = bank.amount
        if winner == BANKER:
            stands_at = bank.amount + bank.paid
            allowed = {stands_at}
            if gross < bank.amount:
                allowed.add(gross + bank.paid)
            allowed |= {-(-amount // (2 * unit)) * unit for amount in allowed}
        self.past = PastBank(
            (bank.seat, standing(bank)),
            winner == PLAYER,
            stands_at,
            frozenset(allowed),
            self.gives_up,
            frozenset(),
        )


# --- figures ----------------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """Every wager on a fresh shoe, under each fixed way to play where the rules leave a choice: the punter's on five,
    the banker's in the two exceptions. Who plays otherwise has other odds."""
    law = rules.law_as(ChemindeFerLaw)
    cells = law.exceptions.cells
    by_table = law.third_cards.drawing_after(()).answers
    for on_five in (True, False):
        for in_cells in (True, False) if cells else (True,):

            def draws(player: int, on_five: bool = on_five) -> bool:
                return player < FREE_TOTAL or (player == FREE_TOTAL and on_five)

            def answers(banker: int, third: int | None, in_cells: bool = in_cells) -> bool:
                return in_cells if (banker, third) in cells else by_table(banker, third)

            endings = coups(law.shoe.decks, draws, answers)
            yield from _odds_of(rules, endings, law.shoe.decks, _policy(cells, on_five, in_cells))


_TOTALS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven")
_GIVEN: Final = (
    "a ten or a figure",
    "an ace",
    "a two",
    "a three",
    "a four",
    "a five",
    "a six",
    "a seven",
    "an eight",
    "a nine",
)


def _policy(cells: Sequence[tuple[int, int]], on_five: bool, in_cells: bool) -> str:
    """For which way to play the figures are."""
    parts = [f"the punter {'draws' if on_five else 'stands'} on five"]
    if cells:
        where = " and ".join(f"on {_TOTALS[total]} given {_GIVEN[given]}" for total, given in cells)
        parts.append(f"the banker {'draws' if in_cells else 'stands'} {where}")
    return f"a fresh shoe; {', '.join(parts)}; stakes that are paid without rounding"


def _odds_of(rules: GameRules, endings: dict[Ending, int], decks: int, assumes: str) -> Iterator[Odds]:
    for wager in rules.wagers.values():
        on_bank = wager.law_as(ChemindeFerWager).side == "bank"
        outcomes: list[tuple[int, Fraction]] = []
        for ending, orders in endings.items():
            ahead = ending.banker - ending.player if on_bank else ending.player - ending.banker
            outcomes.append((orders, Fraction(0) if ahead == 0 else net(wager.price if ahead > 0 else None)))
        edge, variance = edge_and_variance(outcomes)
        yield Odds(wager=wager.id, decks=decks, edge=edge, variance=variance, assumes=assumes)


GAME = ChemindeFer
