"""Baccarat banque (bacarà a dos draps): AD-2025, game 9. One player holds the bank against two cloths.

I    A limited bank answers with what lies on the table, an open one without limit. The maximum of a limited bank binds
     it when it is set up, not when it has grown.
V    The house takes 2 per cent of what a limited bank wins in a coup over both cloths, 1.25 per cent of an open one's.
VI   The holder of a cloth draws up to four, is free on five, stands on six and seven, declares eight and nine. The
     banker is free, as he answers two hands with one card; with zero he must draw. A banker with a natural ends the
     coup; a cloth with one has won at once.
VII  Stakes on one cloth, on both (half and half), on the line (half plays); banco for the whole bank, or for half of it
     where each cloth has one. One card each, twice round: first cloth, second cloth, banker. A cloth without a stake
     gets no cards.

The text at hand has section I alone; the pack says what the rest is filled from. Errors are those of game 8, VIII.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, NamedTuple, Self

from pydantic import model_validator

from replay.baccarat_hands import NATURALS, total
from replay.book import Bet, Book
from replay.games import Objection
from replay.games._circle_baccarat import (
    BANKER,
    WORDS,
    CircleBaccarat,
    CircleLaw,
    CirclePassages,
    Dealt,
    Fault,
    Said,
    last_card,
)
from replay.games._law_parts import check_prices_by_choice
from replay.law import ONE_PRICE, OptionValues, Passage
from replay.odds import Odds
from replay.rules import GameRules, Table

PLACES: Final = ("place1", "place2")
FREE_TOTAL: Final = 5
"""Below it the holder of a cloth draws, above it he stands."""

WON: Final = "won"
LOST: Final = "lost"
TIE: Final = "tie"
NULL: Final = "null"


# --- What the game asks of its pack -----------------------------------------------------------------------------------

_PICKS: Final = {"punter": frozenset({1, 2, "both", "line1", "line2"}), "banco": frozenset({1, 2})}
"""Where a stake may lie, so that it is known what it plays on each cloth."""


class BaccaratBanquePassages(CirclePassages):
    """What is cited beside the tables."""

    bank: Passage
    """That there is one bank, what it may be set up with, and that none stakes against his own."""
    minimum: Passage
    cover: Passage
    """That no stake goes beyond a limited bank."""


class BaccaratBanqueLaw(CircleLaw):
    """What baccarat banque asks of its pack. Without an option ``bank_type`` the bank is limited, and has one price."""

    known_wagers = frozenset({"bank", *_PICKS})
    prices_needed = dict.fromkeys(_PICKS, (ONE_PRICE,))
    option_values: ClassVar[OptionValues] = {"bank_type": ("limited", "open"), "banco_free": "flag"}
    known_options = frozenset(option_values)

    passages: BaccaratBanquePassages

    @model_validator(mode="after")
    def _prices_and_picks(self) -> Self:
        check_prices_by_choice(self, "bank", "bank_type")
        for name, known in _PICKS.items():
            wager = self.wagers.get(name)
            if wager is not None and not (wager.picks and known.issuperset(wager.picks)):
                listed = ", ".join(sorted(map(str, known)))
                raise ValueError(f"wagers.{name}.picks: one or more of {listed}")
        return self


# --- VI: what a coup comes to -----------------------------------------------------------------------------------------


class CoupJudge:
    """One coup, judged from its cards and announcements: `results` by cloth (0 and 1), seen from the cloth."""

    def __init__(
        self,
        cards: Sequence[Dealt],
        said: Sequence[Said],
        in_play: Sequence[int],
        free: Sequence[bool],
        banker_seat: int | None,
        void_grounds: Sequence[str],
        passages: CirclePassages,
    ) -> None:
        """``in_play``: the cloths that have a stake. ``free``: by cloth, whether its holder may do as he likes."""
        self.passages = passages
        self.cards = cards
        self.said = said
        self.in_play = in_play
        self.free = free
        self.banker_seat = banker_seat
        self.faults: list[Fault] = []
        self.dead: set[int] = set()
        """Numbers of the cards that belong to no hand."""
        self.totals = [0, 0]
        self.banker = 0
        self.third: dict[str, list[int]] = {}
        """The numbers of the third cards of each hand."""
        self.results = dict.fromkeys(in_play, NULL)
        self.judge(void_grounds)

    @property
    def last_card(self) -> int:
        """The number of the last card that belongs to the coup."""
        return last_card(self.cards, self.dead)

    def fault(self, code: str, text: str, seq: int = 0, seat: int | None = None, passage: str = "") -> None:
        """``passage``: empty where it is that of drawing."""
        self.faults.append(Fault(code, text, seq, seat, passage or self.passages.drawing))

    def judge(self, void_grounds: Sequence[str]) -> None:
        """Every cloth in play comes to ``won``, ``lost``, ``tie`` or ``null``."""
        for number, card in enumerate(self.cards):
            if card.void in void_grounds:
                self.dead.update(range(number + 1, len(self.cards)))
                return
        if not self.first_cards():
            return
        natural = self.banker in NATURALS
        words = self.announcements()
        undecided = [cloth for cloth in self.in_play if not natural and self.totals[cloth] not in NATURALS]
        for cloth in self.in_play:
            answer = words.get(cloth)
            if self.totals[cloth] in NATURALS and answer is not None and answer.choice != "declare":
                text = f"seat {answer.seat} chose to {answer.choice} on {self.totals[cloth]}, which is to be declared"
                self.fault("illegal_decision", text, answer.seq, answer.seat)
        if natural:
            self.against_natural(words)
            return
        null = [cloth for cloth in undecided if not self.cloth_draws(cloth, words.get(cloth))]
        for cloth in self.in_play:
            if cloth not in undecided:
                self.no_card_for(self.third[PLACES[cloth]], f"cloth {cloth + 1}, which has won with its natural")
        null += self.banker_draws(undecided, null, words.get(None))
        for cloth in self.in_play:
            if cloth not in undecided:
                self.results[cloth] = WON
            elif cloth not in null:
                self.results[cloth] = self.compared(cloth)

    def compared(self, cloth: int) -> str:
        """The nearest to nine wins."""
        if self.totals[cloth] == self.banker:
            return TIE
        return WON if self.totals[cloth] > self.banker else LOST

    # --- the first cards

    def first_cards(self) -> bool:
        """VII: one card each, twice round; False where the coup is null."""
        order = [*(PLACES[cloth] for cloth in self.in_play), BANKER] * 2
        first = self.cards[: len(order)]
        if len(first) < len(order):
            self.fault(
                "drawing_error",
                "the coup was ended before the first cards were complete",
                passage=self.passages.dealing,
            )
            return False
        for card, to in zip(first, order, strict=True):
            if card.to != to:
                text = f"a first card went to {card.to} instead of {to}, and the coup was played on"
                self.fault("dealing_error", text, card.seq, passage=self.passages.dealing)
                return False
        for cloth in self.in_play:
            self.totals[cloth] = total([card.value for card in first if card.to == PLACES[cloth]])
        self.banker = total([card.value for card in first if card.to == BANKER])
        later = range(len(order), len(self.cards))
        self.third = {to: [number for number in later if self.cards[number].to == to] for to in (*PLACES, BANKER)}
        for cloth in (0, 1):
            if cloth not in self.in_play:
                self.no_card_for(self.third[PLACES[cloth]], f"cloth {cloth + 1}, which has no stake")
        return True

    def no_card_for(self, numbers: list[int], whom: str) -> None:
        """A third card where there may be none: it is dead."""
        if numbers:
            self.fault("drawing_error", f"a third card was dealt for {whom}", self.cards[numbers[0]].seq)
            self.dead.update(numbers)

    # --- announcements

    def announcements(self) -> dict[int | None, Said]:
        """The first word for each cloth, the last of the banker (None)."""
        words: dict[int | None, Said] = {}
        for said in self.said:
            cloth: int | None = None
            if said.seat not in (0, self.banker_seat):
                if said.hand is None and len(self.in_play) != 1:
                    continue  # for which cloth is not known
                cloth = self.in_play[0] if said.hand is None else said.hand - 1
            if cloth is not None and cloth not in self.in_play:
                continue
            score = self.banker if cloth is None else self.totals[cloth]
            if said.choice not in WORDS:
                text = f"seat {said.seat} chose to {said.choice}: one may draw, stand or declare"
                self.fault("illegal_decision", text, said.seq, said.seat)
            elif said.choice == "declare" and score not in NATURALS:
                text = f"seat {said.seat} declared without eight or nine"
                self.fault("illegal_decision", text, said.seq, said.seat)
            elif cloth is None:
                words[None] = said
                if score in NATURALS and said.choice != "declare":
                    text = f"the banker chose to {said.choice} on {score}, which is to be declared"
                    self.fault("illegal_decision", text, said.seq, said.seat)
            elif cloth not in words:
                words[cloth] = said
        return words

    def announced_against(self, cloth: int, answer: Said) -> bool:
        """The holder of the cloth said what the rules of drawing do not let him say."""
        score = self.totals[cloth]
        if self.free[cloth] or score == FREE_TOTAL or (answer.choice == "draw") == (score < FREE_TOTAL):
            return False
        text = f"seat {answer.seat} announced to {answer.choice} on {score}, against the rules of drawing"
        self.fault("illegal_decision", text, answer.seq, answer.seat)
        return True

    # --- third cards

    def against_natural(self, words: dict[int | None, Said]) -> None:
        """The banker has eight or nine: nobody draws, the totals of two cards compare."""
        for cloth in self.in_play:
            answer = words.get(cloth)
            if answer is not None and self.totals[cloth] not in NATURALS:
                self.announced_against(cloth, answer)
            self.results[cloth] = self.compared(cloth)
        numbers = sorted(number for hand in self.third.values() for number in hand if number not in self.dead)
        self.no_card_for(numbers, "a coup that the banker's natural had ended")

    def cloth_draws(self, cloth: int, answer: Said | None) -> bool:
        """The third card of a cloth without a natural; False where the cloth is null."""
        numbers, score = self.third[PLACES[cloth]], self.totals[cloth]
        if answer is None:
            if score < FREE_TOTAL and not numbers and not self.free[cloth]:
                self.fault("drawing_error", f"cloth {cloth + 1} has {score} and was given no card")
                return False
            if score > FREE_TOTAL and numbers and not self.free[cloth]:
                self.no_card_for(numbers, f"cloth {cloth + 1}, which stands on {score}")
                return True
        elif self.announced_against(cloth, answer):
            if score == 0 and not numbers:
                self.fault(
                    "drawing_error", f"cloth {cloth + 1} has zero and must get a card", passage=self.passages.errors
                )
                return False
        elif answer.choice == "draw" and not numbers:
            self.fault("drawing_error", f"cloth {cloth + 1} asked for a card and got none")
            return False
        elif answer.choice == "stand" and numbers:
            text = f"cloth {cloth + 1} stands on {score}, and a card was given to it"
            self.fault("dealing_error", text, self.cards[numbers[0]].seq, passage=self.passages.errors)
            self.dead.update(numbers)
            return True
        if numbers:
            self.totals[cloth] = max(self.with_third(score, numbers, f"cloth {cloth + 1} was given", "better"))
        return True

    def with_third(self, score: int, numbers: list[int], who: str, which: str) -> list[int]:
        """What a hand comes to with each of its third cards."""
        if len(numbers) > 1:
            text = f"{who} two third cards: the {which} one counts"
            self.fault("dealing_error", text, self.cards[numbers[1]].seq, passage=self.passages.errors)
        return [(score + self.cards[number].value) % 10 for number in numbers]

    def banker_draws(self, undecided: list[int], null: list[int], word: Said | None) -> list[int]:
        """The banker's third card; the cloths that are null because he did not take the one that he must."""
        numbers = self.third[BANKER]
        if not undecided:
            self.no_card_for(numbers, "the banker, although no cloth was left undecided")
        elif numbers:
            self.banker = min(self.with_third(self.banker, numbers, "the banker took", "worse"))
        elif self.banker == 0 and len(null) < len(undecided):
            text = "the banker has zero and must draw, and took no card"
            if word is not None and word.choice == "stand":
                self.fault("illegal_decision", text, word.seq, word.seat)
            else:
                self.fault("drawing_error", text)
            return undecided
        return []


# --- VII: stakes ------------------------------------------------------------------------------------------------------


class Cover(NamedTuple):
    """What plays of each stake on the first and on the second cloth, and the stakes that go beyond the bank."""

    playing: dict[str, tuple[int, int]]
    beyond: list[Bet]


class BaccaratBanque(CircleBaccarat):
    """One table with two cloths: one coup a round, judged at its end."""

    needs = BaccaratBanqueLaw
    hands = (*PLACES, BANKER)

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.passages = table.rules.law_as(BaccaratBanqueLaw).passages
        self.bank_type: str = table.options.get("bank_type", "limited")
        self.limited = self.bank_type == "limited"
        self.banco_free: bool = table.options.get("banco_free") or False
        self.limits_changed()
        self.held_before: int | None = None
        """The seat that held the bank in the coup before."""

    def limits_changed(self) -> None:
        own = self.table.limits.get("bank", {})
        self.bank_least: int = own.get("min", 0)
        self.bank_most: int | None = own.get("max") if self.limited else None

    def lost_sight(self) -> None:
        super().lost_sight()
        self.held_before = None

    def lose_the_coup(self) -> None:
        super().lose_the_coup()
        self.held_before = None

    def objection(self, bet: Bet) -> Objection | None:
        """Why a stake is refused when it is placed."""
        objection = super().objection(bet)
        if objection is not None:
            return objection
        bank = self.one("bank")
        assert bet.wager is not None
        if bet.wager_id == "bank":
            if bank is not None:
                return Objection(
                    "too_many_bets", self.passages.bank, f"there is a bank already; bet {bet.id} goes back"
                )
            return None
        if bet.wager_id == "banco":
            if not self.limited:
                text = f"banco {bet.id} was offered against an open bank, which has no whole"
                return Objection("wager_not_offered", bet.wager.passage, text)
            if any(other.pick == bet.pick for other in self.bancos()):
                text = f"banco {bet.id} is the second one on cloth {bet.pick}"
                return Objection("too_many_bets", bet.wager.passage, text)
        if bank is not None and self.of_banker(bet, bank):
            return self.against_himself(bet)
        return None

    def of_banker(self, bet: Bet, bank: Bet) -> bool:
        """This stake is the banker's own money."""
        return bet.seat == bank.seat or (bet.player is not None and bet.player == bank.player)

    def against_himself(self, bet: Bet) -> Objection:
        """The objection to a stake of the banker."""
        return Objection("wager_not_offered", self.passages.bank, f"bet {bet.id} is the banker's, against his own bank")

    def placed(self, bet: Bet) -> None:
        """A bank: what its holder laid against it before goes back."""
        super().placed(bet)
        if bet.wager_id == "bank":
            for other in list(self.book.live.values()):
                if other is not bet and self.of_banker(other, bet):
                    self.book.refuse(other, *self.against_himself(other))

    def halves(self, amount: int) -> tuple[int, int]:
        """The larger and the smaller half, in chips."""
        half = self.table.chip_unit * (amount // (2 * self.table.chip_unit))
        return amount - half, half

    def wants(self, bet: Bet) -> tuple[int, int]:
        """What a stake would play on the first and on the second cloth."""
        amount, pick = bet.amount, bet.pick
        if pick == "both":
            return self.halves(amount)
        if pick in ("line1", "line2"):
            amount = self.halves(amount)[1]
        return (amount, 0) if pick in (1, "line1") else (0, amount)

    def cover(self) -> Cover:
        """VII: against a limited bank stakes play in the order of placing, bancos first, up to the bank."""
        playing: dict[str, tuple[int, int]] = {}
        beyond: list[Bet] = []
        bank, bancos = self.one("bank"), self.bancos()
        whole = room = bank.amount if bank is not None else 0
        for bet in sorted(self.book.live.values(), key=lambda bet: bet.wager_id != "banco"):
            if bet.wager_id == "bank":
                continue
            first, second = self.wants(bet)
            if self.limited or bank is None:
                most = room
                if bet.wager_id == "banco" and len(bancos) > 1:
                    most = min(room, self.halves(whole)[0])
                plays_first = min(first, most)
                plays_second = min(second, most - plays_first)
                if plays_first + plays_second < first + second:
                    beyond.append(bet)
                first, second = plays_first, plays_second
                room -= first + second
            playing[bet.id] = (first, second)
        return Cover(playing, beyond)

    def stakes_lie(self) -> None:
        """V, I: the stakes as they stand when no more are taken; a stake on the line counts whole."""
        report = self.book.report_once
        bank, bancos = self.one("bank"), self.bancos()
        whole = bank.amount if bank is not None else 0
        if bank is not None and self.past_known and bank.seat != self.held_before:
            if bank.amount < self.bank_least:
                text = (
                    f"the bank was set up with {self.money(bank.amount)}; {self.money(self.bank_least)} is the minimum"
                )
                report(bank, "below_minimum", self.passages.minimum, text)
            if self.bank_most is not None and bank.amount > self.bank_most:
                text = (
                    f"the bank was set up with {self.money(bank.amount)}; {self.money(self.bank_most)} is the maximum"
                )
                report(bank, "above_maximum", self.passages.bank, text)
        minimum = self.table.minimum
        for bet in self.book.live.values():
            if bet.wager_id != "bank" and bet.amount < minimum:
                report(
                    bet,
                    "below_minimum",
                    self.passages.minimum,
                    f"{bet.who} stakes {self.money(bet.amount)}; {self.money(minimum)} is the minimum",
                )
        for bet in bancos:
            if bet.amount not in ((whole,) if len(bancos) == 1 else self.halves(whole)):
                what = "the whole bank" if len(bancos) == 1 else "half of the bank"
                text = f"banco {bet.id} of {self.money(bet.amount)} is not {what} of {self.money(whole)}"
                assert bet.wager is not None
                report(bet, "stake_mismatch", bet.wager.passage, text)
        for bet in self.cover().beyond:
            report(
                bet,
                "above_maximum",
                self.passages.cover,
                f"{bet.who}'s stake of {self.money(bet.amount)} goes beyond the bank of {self.money(whole)}",
            )

    # --- the coup is over -----------------------------------------------------------------------------------------

    def end_coup(self) -> None:
        book, bank, cover = self.book, self.one("bank"), self.cover()
        in_play = [cloth for cloth in (0, 1) if any(plays[cloth] for plays in cover.playing.values())]
        free = [self.banco_free and any(b.pick == cloth + 1 for b in self.bancos()) for cloth in (0, 1)]
        seat = bank.seat if bank is not None else None
        judge = CoupJudge(self.cards, self.said, in_play, free, seat, self.void_grounds, self.passages)
        self.tell(judge.faults, judge.last_card)
        results = judge.results
        hands = [f"cloth {cloth + 1} {judge.totals[cloth]}" for cloth in in_play]
        null = all(result == NULL for result in results.values())
        self.outcome = NULL if null else ", ".join([*hands, f"banker {judge.banker}"])
        net = 0
        for bet in list(book.live.values()):
            if bet is bank:
                continue
            won = sum(part for cloth, part in enumerate(cover.playing[bet.id]) if results.get(cloth) == WON)
            lost = sum(part for cloth, part in enumerate(cover.playing[bet.id]) if results.get(cloth) == LOST)
            net += lost - won
            assert bet.wager is not None and bet.wager.price is not None
            book.decide(bet, self.table.pay(won, bet.wager.price), bet.amount - lost)
        due = 0
        if bank is not None:
            self.held_before = bank.seat
            assert bank.wager is not None
            paid = 0
            if net > 0:
                paid = self.table.pay(net, bank.wager.price or bank.wager.prices[self.bank_type])
                due = net - paid
            book.decide(bank, paid, max(0, bank.amount + min(net, 0)))
        self.judge_commission(due)


def odds(rules: GameRules) -> Iterator[Odds]:
    """None: what every wager comes to hangs on what banker and holders decide, and no policy of theirs is laid down."""
    return iter(())


GAME = BaccaratBanque
