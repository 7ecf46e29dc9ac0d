"""A round that is called void: played as if it had not been, its stakes given back, what was handed over compared.

The game does not hear of such a round, from its first event on: so what lies on from earlier rounds stands as it stood,
and so does everything that the game knows (a point, a bank, whose turn it is). The cards have left the shoe all the
same. In a game that is played for pots nothing lies on: there the game counts what each seat puts in, as ever, and all
of it goes back.
"""

from __future__ import annotations

from typing import Any, Final

from replay import games
from replay.book import Bet, Book

_GOES_ON: Final = frozenset({"shoe_loaded", "cut_card", "table_closing", "dice_changed"})
"""Events that are of the table, not of the round."""

_SEEN: Final = frozenset({"card_dealt", "tile_dealt", "dice_rolled", "ball_landed", *_GOES_ON})
"""What falls by chance falls in a void round too."""


class VoidRound:
    """One such round."""

    def __init__(self, book: Book, game: games.Game) -> None:
        self._book = book
        self._game = game
        self._by_the_game = game.pots
        self.called = False
        """The round was called void: what comes now is the giving back."""
        self._own: dict[str, Bet] = {}
        """The bets that were laid in it."""

    def take(self, event: Any, kind: str) -> bool:
        """An event of the round, but for its opening and closing; whether the game is to have it."""
        book = self._book
        if kind in _GOES_ON:
            return True
        if self._by_the_game and not self.called:
            return True
        if kind == "bet_placed":
            self._placed(event)
        elif kind == "bet_raised":
            bet = self._own.get(event.bet)
            if bet is not None and not bet.decided:
                book.raise_by(bet, event.by)
            elif bet is not None:
                text = f"bet {bet.id} was raised after the round was called void"
                book.refund(bet, event.by, "late_bet", self._game.call_passage, text)
        elif kind == "bet_withdrawn":
            bet = self._own.get(event.bet)
            if bet is not None and not bet.decided:
                if event.amount is None or event.amount >= bet.amount:
                    book.withdraw(bet)
                else:
                    book.lower_by(bet, event.amount)
        elif kind == "bet_settled":
            self._claimed(event)
        elif kind == "card_dealt":
            self._game.card_left_the_shoe(event.card)
        return False

    def shows(self, kind: str) -> bool:
        """Whether those who watch for streaks see such an event of it. Where the throws make a point, theirs is as it
        was before."""
        return kind in _SEEN and not (kind == "dice_rolled" and self._game.watched.points)

    def call(self, event: Any, *, blind: bool) -> None:
        """It is called void: all that was laid in it is due back. ``blind``: what was, cannot be told."""
        book = self._book
        self.called = True
        book.report("round_voided", "", f"{event.by} calls the round void: {event.reason}; its stakes go back")
        if blind:
            return
        if self._by_the_game:
            number = book.round
            for bets in (book.live, book.due, book.settled):
                self._own |= {bet.id: bet for bet in bets.values() if bet.round == number and not bet.withdrawn}
        for bet in self._own.values():
            self._give_back(bet)

    def _placed(self, event: Any) -> None:
        bet = self._book.place(event)
        if bet is not None:
            self._own[bet.id] = bet
            if self.called:
                self._give_back(bet)

    def _claimed(self, event: Any) -> None:
        book = self._book
        bet = book.live.get(event.bet)
        if bet is None or bet.id in self._own:
            book.claim(event, early=False)
        elif event.paid + event.returned and not self.called:
            handed = event.paid + event.returned
            text = f"{book.table.shown(handed)} were handed over on bet {bet.id}, which stands as it did before"
            book.report("overpaid", bet.passage, text, bet=bet, amount=handed)

    def _give_back(self, bet: Bet) -> None:
        book = self._book
        if bet.withdrawn:
            return
        if bet.decided and not book.reopen(bet):
            return
        book.decide(bet, 0, bet.amount)
