"""Chemin de fer on the simulated floor, once the first four cards are out: what holder and banker say and draw.

Each way to end a coup tells how it ends by the rules, and how a dealer believes that it does: one who knows what an
error comes to, or one who does not.
"""

from __future__ import annotations

from typing import NamedTuple

from streams.simulator.baccarat import BANK_DRAWS, BankTable, by_rule, opposite, value
from streams.simulator.truth import Expected

SEATED = 9
"""Seats with numbers; who comes later stands behind one of them."""
AGAINST = ("punter", "banco", "with_table", "with_table_complete")
PLAYER, BANKER, TIE, NULL = "player", "banker", "tie", "null"
_ITS_CHOICE = ((3, 9), (5, 4))
"""The bank's total and what it gave, where the banker does as he likes."""


def _nearest(player: int, banker: int) -> str:
    if player == banker:
        return TIE
    return PLAYER if player > banker else BANKER


class Hand(NamedTuple):
    """The first four cards."""

    player: int
    banker: int
    free: bool
    both_shown: bool
    counts_zero: bool
    basket: bool


class WordsAndCards(BankTable):
    """The half of a chemin de fer table that speaks and draws."""

    def opening(self) -> None:
        self.holder = 0
        """The seat of whoever has the cards against the bank."""
        self.banker_seat = 0
        super().opening()

    @property
    def _two_voices(self) -> bool:
        """Holder and banker are not at one seat (the holder may stand behind the banker)."""
        return self.holder != self.banker_seat

    def with_natural(self, hand: Hand) -> tuple[str, str]:
        """Eight or nine ends the coup, unless who has it does not see it."""
        rng = self.random
        player, banker = hand.player, hand.banker
        seat, banker_seat = self.holder, self.banker_seat
        of_player, of_banker = player > 7, banker > 7
        ends = _nearest(player, banker) if of_player and of_banker else PLAYER if of_player else BANKER
        proper = by_rule(player)
        if of_banker and self._two_voices and self.may("declared_early"):
            self.say(banker_seat, "declare")
            self.did("declared_early", Expected(code="illegal_decision", seat=banker_seat))
            for stake in list(self.stakes):
                if stake.wager in AGAINST and rng.random() < 0.3:
                    self.stakes.remove(stake)
                    self.withdraw(stake)
            return ends, ends
        if of_player and not hand.basket:
            if self._two_voices and self.may("natural_forgotten"):
                return self._forgotten(hand)
            speaks = rng.random() < 0.85
            if speaks:
                self.say(seat, "declare")
        elif of_player:
            speaks = False
        else:
            if self._two_voices and proper != "stand" and self.may_with_cards("card_from_natural"):
                self.say(seat, "draw")
                self.did("card_from_natural", Expected(code="drawing_error"))
                third = value(self.card(PLAYER))
                winner = _nearest((player + third) % 10, banker)
                return winner, rng.choice((winner, BANKER))
            speaks = rng.random() < 0.85
            if speaks:
                self.say(seat, rng.choice(("draw", "stand")) if proper == "either" or hand.free else proper)
        if of_banker and speaks:
            self.say(banker_seat, "declare")
        if (speaks or not of_banker) and self.may_with_cards("card_beside_natural"):
            self.did("card_beside_natural", Expected(code="drawing_error"))
            to = rng.choice((PLAYER, BANKER))
            third = value(self.card(to))
            wrong = _nearest((player + third) % 10, banker) if to == PLAYER else _nearest(player, (banker + third) % 10)
            return ends, rng.choice((ends, wrong))
        return ends, ends

    def _forgotten(self, hand: Hand) -> tuple[str, str]:
        """The holder says that he draws or stands, on eight or nine."""
        player, banker = hand.player, hand.banker
        word = self.random.choice(("draw", "stand"))
        self.say(self.holder, word)
        self.did("natural_forgotten", Expected(code="illegal_decision", seat=self.holder))
        if banker > 7:
            self.say(self.banker_seat, "declare")
            winner = BANKER if player == 9 and banker == 8 else _nearest(player, banker)
            return winner, self.random.choice((winner, _nearest(player, banker)))
        third = None
        if word == "draw" and self.random.random() < 0.5:
            third = value(self.card(PLAYER))
            player = (player + third) % 10
        return self._banker_turn(hand, player, third)

    def without_natural(self, hand: Hand) -> tuple[str, str]:
        """The holder draws or stands, then the banker."""
        rng = self.random
        player, free = hand.player, hand.free
        seat = self.holder
        proper = by_rule(player)
        if proper == "either" or (free and rng.random() < 0.15):
            word = rng.choice(("draw", "stand"))
        else:
            word = proper
        speaks = not self._two_voices or rng.random() < 0.8
        if self.wanted is not None and self._two_voices:
            self._idle_words()
            if proper != "either" and not free and self.may("against_rules"):
                return self._against_rules(hand, opposite(proper))
            if not hand.counts_zero and self.may_with_cards("fifth_card_early"):
                return self._fifth_card_early(hand, word)
        silent_stand = not speaks and not free and proper == "stand"
        if word == "stand" and (
            (speaks and self.may_with_cards("card_after_stand"))
            or (silent_stand and self.may_with_cards("card_unasked"))
        ):
            return self._misgiven(hand, seat, speaks)
        if speaks:
            self.say(seat, word)
        if word == "draw":
            if (speaks or (not free and proper == "draw")) and self.may("denied"):
                self.did("denied", Expected(code="drawing_error"))
                believed = self._banker_turn(hand, player, None)[1]
                return NULL, rng.choice((NULL, believed))
            return self._player_draws(hand)
        return self._banker_turn(hand, player, None)

    def _idle_words(self) -> None:
        """Words that count for nothing."""
        rng = self.random
        if self.may("declared_without"):
            self.say(self.holder, "declare")
            self.did("declared_without", Expected(code="illegal_decision", seat=self.holder))
        elif self.may("banker_declared_without"):
            self.say(self.banker_seat, "declare")
            self.did("banker_declared_without", Expected(code="illegal_decision", seat=self.banker_seat))
        elif self.may("stranger_spoke"):
            seats = [seat for seat in range(1, SEATED + 1) if seat not in (self.holder, self.banker_seat)]
            seat = rng.choice(seats)
            self.say(seat, rng.choice(("draw", "stand", "declare")))
            self.did("stranger_spoke", Expected(code="illegal_decision", seat=seat))
        elif self.may("odd_word"):
            seat = rng.randrange(1, SEATED + 1)
            self.say(seat, rng.choice(("hit", "double", "fold")))
            self.did("odd_word", Expected(code="illegal_decision", seat=seat))

    def _against_rules(self, hand: Hand, word: str) -> tuple[str, str]:
        """The holder announces what he may not; the banker gives or does not."""
        self.say(self.holder, word)
        self.did("against_rules", Expected(code="illegal_decision", seat=self.holder))
        if self.random.random() < 0.5:
            return self._player_draws(hand)
        winner, believed = self._banker_turn(hand, hand.player, None)
        if hand.player == 0:
            self.expect(Expected(code="drawing_error"))
            return NULL, self.random.choice((NULL, believed))
        return winner, believed

    def _fifth_card_early(self, hand: Hand, word: str) -> tuple[str, str]:
        """The banker helps himself before the holder has spoken."""
        self.did("fifth_card_early", Expected(code="dealing_error"))
        fifth = value(self.card(BANKER))
        self.say(self.holder, word)
        if word == "stand":
            winner = _nearest(hand.player, (hand.banker + fifth) % 10)
            return winner, self.random.choice((winner, _nearest(hand.player, hand.banker)))
        return self._banker_turn(hand, (hand.player + fifth) % 10, fifth)

    def _misgiven(self, hand: Hand, seat: int, speaks: bool) -> tuple[str, str]:
        """The player stands, and a card comes out for him: it is the banker's up to five."""
        if speaks:
            self.say(seat, "stand")
            self.did("card_after_stand", Expected(code="dealing_error"))
        else:
            self.did("card_unasked", Expected(code="drawing_error"))
        third = value(self.card(PLAYER))
        banker = (hand.banker + third) % 10 if hand.banker < 6 else hand.banker
        winner = _nearest(hand.player, banker)
        return winner, self.random.choice((winner, _nearest((hand.player + third) % 10, hand.banker)))

    def _player_draws(self, hand: Hand) -> tuple[str, str]:
        rng = self.random
        if self.may("third_thrown") and rng.random() < 0.7:
            self.card(PLAYER, void="thrown")
            self.did("third_thrown", Expected(code="illegal_decision", seat=self.holder))
            return BANKER, BANKER
        if not hand.counts_zero and self.may("third_in_basket"):
            self.card(PLAYER, void="basket")
            self.did("third_in_basket", Expected(code="dealing_error"))
            if hand.banker == 7:
                return PLAYER, PLAYER
            third = value(self.card(BANKER)) if rng.random() < 0.8 else 0
            winner = _nearest(9, (hand.banker + third) % 10)
            return winner, winner
        self.settle_too_early(self.stakes)
        self.maybe_exposed()
        third = value(self.card(PLAYER))
        if self.may_with_cards("two_thirds_player"):
            second = value(self.card(PLAYER))
            self.did("two_thirds_player", Expected(code="dealing_error"))
            if (hand.player + second) % 10 > (hand.player + third) % 10:
                third = second
        return self._banker_turn(hand, (hand.player + third) % 10, third)

    def _banker_turn(self, hand: Hand, player: int, third: int | None) -> tuple[str, str]:
        """The banker draws or stands, by his table or as he likes."""
        rng = self.random
        banker = hand.banker
        as_is = _nearest(player, banker)
        if hand.counts_zero:
            if rng.random() < 0.7:
                as_is = _nearest(player, value(self.card(BANKER)))
            return as_is, as_is
        must = banker < 6 if third is None else str(third) in BANK_DRAWS[banker]
        choice = (banker, third) in _ITS_CHOICE
        optional = (hand.free and banker != 0) or choice
        if choice and hand.both_shown:
            must, optional = True, False
        draws = must
        if optional and rng.random() < (0.5 if choice else 0.15):
            draws = not must
        word = ("draw" if draws else "stand") if self._two_voices and rng.random() < 0.7 else ""
        if not optional and (self.may("banker_stays") if must else self.may_with_cards("banker_overdraws")):
            return self._banker_errs(player, banker, word)
        if word:
            self.say(self.banker_seat, word)
        if not draws:
            return as_is, as_is
        if self.may("third_thrown"):
            self.card(BANKER, void="thrown")
            self.did("third_thrown", Expected(code="illegal_decision", seat=self.banker_seat))
            return PLAYER, PLAYER
        self.settle_too_early(self.stakes)
        total = (banker + value(self.card(BANKER))) % 10
        if self.may_with_cards("two_thirds_banker"):
            second = (banker + value(self.card(BANKER))) % 10
            self.did("two_thirds_banker", Expected(code="dealing_error"))
            winner = _nearest(player, min(total, second))
            return winner, rng.choice((winner, _nearest(player, total)))
        winner = _nearest(player, total)
        return winner, winner

    def _banker_errs(self, player: int, banker: int, word: str) -> tuple[str, str]:
        """The banker does not do what he must, and says so or not."""
        rng = self.random
        as_is = _nearest(player, banker)
        wrong = Expected(code="drawing_error")
        if word:
            self.say(self.banker_seat, opposite(word))
            wrong = Expected(code="illegal_decision", seat=self.banker_seat)
        if self.chance("banker_stays"):
            self.did("banker_stays", wrong)
            return NULL, rng.choice((NULL, as_is))
        self.did("banker_overdraws", wrong)
        total = (banker + value(self.card(BANKER))) % 10
        return as_is, rng.choice((as_is, _nearest(player, total)))
