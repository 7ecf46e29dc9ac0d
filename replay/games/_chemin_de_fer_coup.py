"""Chemin de fer, AD-2025 game 8, VI and VIII: what a coup comes to, from its cards and announcements.

VI    The nearest to nine wins, equal totals are null. The punter draws up to four, is free on five, stands on six and
      seven, declares eight and nine; the banker has his table and two exceptions. In free play both do as they like,
      but a banker with zero must draw.
VIII  Errors and infractions: who is wronged by one chooses, or the rules are restored; what cannot be restored is null.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from replay.baccarat_hands import NATURALS, Answers, total
from replay.games._circle_baccarat import BANKER, WORDS, CirclePassages, Dealt, Fault, Said, last_card
from replay.law import Passage

STAND_BY_RULE: Final = (6, 7)
FREE_TOTAL: Final = 5
"""Below it the punter draws."""
NINE: Final = 9

PLAYER: Final = "player"
TIE: Final = "tie"
NULL: Final = "null"


class CoupPassages(CirclePassages):
    """What a coup is judged by."""

    holder: Passage
    """Who holds the cards, and speaks for them."""


class CoupJudge:
    """One coup, judged from its cards and announcements; `winner` and `faults` are the result.

    Third cards are what came after each side had two. A card that is refused is `dead`.
    """

    def __init__(
        self,
        cards: Sequence[Dealt],
        said: Sequence[Said],
        holder: int | None,
        banker: int | None,
        *,
        free: bool,
        answers: Answers,
        exceptions: Sequence[tuple[int, int]],
        void_grounds: Sequence[str],
        passages: CoupPassages,
    ) -> None:
        """``holder`` and ``banker`` are seats. ``free``: neither side is bound by the rules of drawing.
        ``answers``: the banker's table."""
        self.passages = passages
        self.cards = cards
        self.said = said
        self.holder = holder
        self.banker_seat = banker
        self.free = free
        self.answers = answers
        self.exceptions = exceptions
        self.faults: list[Fault] = []
        self.dead: set[int] = set()
        """Numbers of the cards that belong to no hand."""
        self.player = 0
        self.banker = 0
        """The totals that are compared."""
        self.banker_counts_zero = False
        self.both_up = False
        self.basket = False
        """A first card of the player fell into the basket: he has declared nine."""
        self.answer: Said | None = None
        """The holder's first announcement."""
        self.last_word: Said | None = None
        """The banker's last one."""
        self.declared: Said | None = None
        """The banker's natural, turned up."""
        self.declared_early = False
        """Before the player had spoken."""
        self.winner = self.judge(void_grounds)

    @property
    def last_card(self) -> int:
        """The number of the last card that belongs to the coup."""
        return last_card(self.cards, self.dead)

    def fault(self, code: str, text: str, seq: int, seat: int | None = None, passage: str = "") -> None:
        """``passage``: empty where it is that of errors and infractions."""
        self.faults.append(Fault(code, text, seq, seat, passage or self.passages.errors))

    def judge(self, void_grounds: Sequence[str]) -> str:
        """``player``, ``banker``, ``tie`` or ``null``."""
        self.strangers()
        for number, card in enumerate(self.cards):
            if card.void in void_grounds:
                self.dead.update(range(number + 1, len(self.cards)))
                return NULL
        for number, card in enumerate(self.cards):
            if card.void == "thrown":
                self.dead.update(range(number + 1, len(self.cards)))
                loser, seat = (BANKER, self.banker_seat) if card.to_banker else (PLAYER, self.holder)
                self.fault("illegal_decision", f"the {loser} threw a card away before it was seen", card.seq, seat)
                return PLAYER if card.to_banker else BANKER
        first = self.first_cards()
        if first is None:
            return NULL
        of_player, of_banker, dealt = first
        basket = next((card for card in of_player if card.void == "basket"), None)
        self.basket = basket is not None
        self.player = NINE if self.basket else total([card.value for card in of_player])
        self.banker = 0 if self.banker_counts_zero else total([card.value for card in of_banker])
        self.turned_up(of_player, of_banker)
        if basket is not None:
            self.fault("dealing_error", "the banker dropped a card of the player into the basket", basket.seq)
        player_natural = self.player in NATURALS
        banker_natural = self.banker in NATURALS
        self.announcements(player_natural, banker_natural, dealt)
        third = list(range(dealt, len(self.cards)))
        if player_natural or banker_natural:
            return self.natural(third, player_natural, banker_natural)
        return self.without_natural(third)

    # --- the first four cards

    def first_cards(self) -> tuple[list[Dealt], list[Dealt], int] | None:
        """The two hands of two, and how many cards they took; None where the coup is null."""
        of_player: list[Dealt] = []
        of_banker: list[Dealt] = []
        dealt = 0
        for card in self.cards:
            if len(of_player) >= 2 and len(of_banker) >= 2:
                break
            (of_banker if card.to_banker else of_player).append(card)
            dealt += 1
        if len(of_player) < 2 or len(of_banker) < 2:
            self.fault(
                "drawing_error", "the coup was ended before each side had two cards", 0, passage=self.passages.dealing
            )
            return None
        if len(of_banker) > 2:
            self.banker_counts_zero = True
            text = "the banker dealt himself more than two first cards: he counts zero"
            self.fault("dealing_error", text, of_banker[2].seq)
            return of_player, of_banker, dealt
        for number, card in enumerate(self.cards[:dealt]):
            if card.to_banker != bool(number % 2):
                text = f"first card {number + 1} went to the wrong side, and the coup was played on"
                self.fault("dealing_error", text, card.seq, passage=self.passages.dealing)
                return None
        return of_player, of_banker, dealt

    def turned_up(self, of_player: list[Dealt], of_banker: list[Dealt]) -> None:
        """A first card that was shown binds both sides to the table; what the banker shows he must answer in kind."""
        self.both_up = all(card.up for card in of_player)
        if any(card.up for card in of_player) or any(card.up and card.by_dealer for card in of_banker):
            self.free = False
        for mine, his in zip(of_player, of_banker, strict=False):
            if mine.up and not mine.by_dealer and not his.up:
                text = "the banker showed a card of the player and did not turn up his own"
                self.fault("dealing_error", text, his.seq)
                return

    # --- announcements

    def strangers(self) -> None:
        """Words that nobody may say, or that are not this seat's to say: they are disregarded."""
        for said in self.said:
            if said.choice not in WORDS:
                text = f"seat {said.seat} chose to {said.choice}: one may draw, stand or declare"
                self.fault("illegal_decision", text, said.seq, said.seat, self.passages.drawing)
            elif said.seat not in (self.holder, self.banker_seat):
                text = f"seat {said.seat} spoke ({said.choice}), and holds neither the cards nor the bank"
                self.fault("illegal_decision", text, said.seq, said.seat, self.passages.holder)

    def announcements(self, player_natural: bool, banker_natural: bool, dealt: int) -> None:
        """Whose word counts: the holder's first, the banker's last."""
        for said in self.said:
            seat, choice = said.seat, said.choice
            of_holder = seat == self.holder and not (seat == self.banker_seat and self.answer is not None)
            if choice not in WORDS or (not of_holder and seat != self.banker_seat):
                continue
            if choice == "declare" and not (player_natural if of_holder else banker_natural):
                text = f"seat {seat} declared without eight or nine"
                self.fault("illegal_decision", text, said.seq, seat, self.passages.drawing)
            elif of_holder:
                if self.answer is None:
                    self.answer = said
            else:
                drawn = any(not card.to_banker for card in self.cards[dealt : said.after])
                if choice == "declare" and self.declared is None:
                    self.declared = said
                    if self.answer is None and not drawn:
                        self.declared_early = True
                        text = "the banker declared before the player had spoken"
                        self.fault("illegal_decision", text, said.seq, seat)
                self.last_word = said

    def announced_against(self, asked: bool) -> bool:
        """VI: the holder, without eight or nine, said what the rules of drawing do not let him say."""
        if self.free or self.player == FREE_TOTAL or asked == (self.player < FREE_TOTAL):
            return False
        assert self.answer is not None
        text = f"the player announced to {self.answer.choice} on {self.player}, against the rules of drawing"
        self.fault("illegal_decision", text, self.answer.seq, self.holder)
        return True

    # --- with eight or nine

    def natural(self, third: list[int], player_natural: bool, banker_natural: bool) -> str:
        """A natural ends the coup, unless who has it loses his right to declare."""
        to_player = [number for number in third if not self.cards[number].to_banker]
        answer = self.answer
        forgot = player_natural and not self.basket and answer is not None and answer.choice != "declare"
        asked = answer is not None and answer.choice == "draw"
        if forgot:
            assert answer is not None
            text = f"the player announced to {answer.choice} on {self.player} and has lost his right to declare"
            self.fault("illegal_decision", text, answer.seq, self.holder)
            if not banker_natural:
                return self.played_on(third, asked)
        elif player_natural:
            self.no_more_cards(third, "the player's natural")
            return self.compared() if banker_natural else PLAYER
        elif answer is not None:
            self.announced_against(asked)
        # The banker has eight or nine.
        if to_player and (self.declared is None or self.declared.after > to_player[0]):
            text = "the banker gave a card although he had eight or nine, and has lost his right to declare"
            self.fault("drawing_error", text, self.cards[to_player[0]].seq)
            drew = asked or (answer is None and (self.free or self.player <= FREE_TOTAL))
            if drew:
                self.take_third(to_player)
            self.dead.update(number for number in third if not drew or self.cards[number].to_banker)
            return self.compared()
        self.no_more_cards(third, "the banker's natural")
        if not player_natural:
            return BANKER
        if self.player == NINE and self.banker != NINE:
            return BANKER  # the nine that forgot to declare loses to the eight that did
        return self.compared()

    def no_more_cards(self, third: list[int], beside: str) -> None:
        """Any third card is dead."""
        if third:
            self.fault("drawing_error", f"a third card was dealt beside {beside}", self.cards[third[0]].seq)
            self.dead.update(third)

    def played_on(self, third: list[int], asked: bool) -> str:
        """The player has eight or nine and lost his right, the banker has neither: he plays on by the table."""
        to_player = [number for number in third if not self.cards[number].to_banker]
        if to_player and not asked:
            return self.misgiven(third, "dealing_error")
        value = self.take_third(to_player) if to_player else None
        return self.banker_answers([number for number in third if self.cards[number].to_banker], value)

    # --- without

    def without_natural(self, third: list[int]) -> str:
        """The holder draws or stands, then the banker."""
        answer = self.answer
        to_player = [number for number in third if not self.cards[number].to_banker]
        to_banker = [number for number in third if self.cards[number].to_banker]
        kept: int | None = None
        if third and third[0] in to_banker and answer is not None and answer.after > third[0]:
            text = "the banker took a fifth card before the player had spoken"
            self.fault("dealing_error", text, self.cards[third[0]].seq)
            to_banker.remove(third[0])
            if answer.choice == "stand":
                kept = third[0]
            else:
                to_player.insert(0, third[0])
        must = self.player < FREE_TOTAL
        if answer is None:
            drew = bool(to_player)
            if must and not drew and not self.free:
                self.fault(
                    "drawing_error",
                    f"the player has {self.player} and was given no card",
                    0,
                    passage=self.passages.drawing,
                )
                return NULL
            if drew and self.player in STAND_BY_RULE and not self.free:
                return self.misgiven(third, "drawing_error")
        else:
            asked = answer.choice == "draw"
            if self.announced_against(asked):
                drew = bool(to_player)
                if self.player == 0 and not drew:
                    self.fault("drawing_error", "the player has zero and must get a card", 0)
                    return NULL
            elif asked and not to_player:
                self.fault(
                    "drawing_error", "the player asked for a card and got none", 0, passage=self.passages.drawing
                )
                return NULL
            elif to_player and not asked:
                return self.misgiven(third, "dealing_error")
            else:
                drew = asked
        value: int | None = None
        if drew:
            basket = next((number for number in to_player if self.cards[number].void == "basket"), None)
            if basket is not None:
                self.fault(
                    "dealing_error",
                    "the banker dropped the player's third card into the basket",
                    self.cards[basket].seq,
                )
                self.player = NINE
                return self.against_the_basket(to_banker)
            value = self.take_third(to_player)
        if kept is not None:
            return self.banker_takes([kept, *to_banker])
        return self.banker_answers(to_banker, value)

    def misgiven(self, third: list[int], code: str) -> str:
        """The player stands, and a card was drawn for him: the banker with 0 to 5 gets the first one drawn."""
        given = next(number for number in third if not self.cards[number].to_banker)
        self.fault(code, f"the player stands on {self.player}, and a card was given to him", self.cards[given].seq)
        self.dead.update(third)
        if self.banker <= FREE_TOTAL:
            self.dead.discard(third[0])
            self.banker = (self.banker + self.cards[third[0]].value) % 10
        return self.compared()

    def take_third(self, numbers: list[int]) -> int:
        """The player's third card; of two the one that makes the better total. Returns its value."""
        if len(numbers) > 1:
            self.fault(
                "dealing_error",
                "the player was given two third cards: the better one counts",
                self.cards[numbers[1]].seq,
            )
        two, values = self.player, [self.cards[number].value for number in numbers]
        best = max(values, key=lambda value: (two + value) % 10)
        self.player = (two + best) % 10
        return best

    def banker_takes(self, numbers: list[int]) -> str:
        """The banker's third card; of two the one that makes the worse total."""
        if len(numbers) > 1:
            self.fault(
                "dealing_error", "the banker took two third cards: the worse one counts", self.cards[numbers[1]].seq
            )
        self.banker = min((self.banker + self.cards[number].value) % 10 for number in numbers)
        return self.compared()

    def against_the_basket(self, to_banker: list[int]) -> str:
        """The player counts nine; the banker may draw, but not on seven."""
        if not to_banker:
            return self.compared()
        if self.banker < 7:
            return self.banker_takes(to_banker)
        self.banker_refused(to_banker)
        return self.compared()

    def banker_answers(self, to_banker: list[int], value: int | None) -> str:
        """The banker's table; ``value`` is the player's third card, None where he stood."""
        if self.banker_counts_zero:
            return self.banker_takes(to_banker) if to_banker else self.compared()
        optional = self.free and self.banker != 0
        must = self.banker < 8 and self.answers(self.banker, value)
        if (self.banker, value) in self.exceptions:
            optional = not self.both_up
            must = True
        if to_banker and (must or optional):
            return self.banker_takes(to_banker)
        if to_banker:
            self.banker_refused(to_banker)
        elif must and not optional:
            word = self.last_word
            text = f"the banker has {self.banker} and must draw, and took no card"
            if word is not None and word.choice == "stand":
                self.fault("illegal_decision", text, word.seq, self.banker_seat, self.passages.drawing)
            else:
                self.fault("drawing_error", text, 0, passage=self.passages.drawing)
            return NULL
        return self.compared()

    def banker_refused(self, to_banker: list[int]) -> None:
        """The banker took a card where he must stand."""
        self.dead.update(to_banker)
        word = self.last_word
        text = f"the banker took a card on {self.banker}, where he must stand"
        if word is not None and word.choice == "draw":
            self.fault("illegal_decision", text, word.seq, self.banker_seat, self.passages.drawing)
        else:
            self.fault("drawing_error", text, self.cards[to_banker[0]].seq, passage=self.passages.drawing)

    def compared(self) -> str:
        """The nearest to nine wins."""
        if self.player == self.banker:
            return TIE
        return PLAYER if self.player > self.banker else BANKER
