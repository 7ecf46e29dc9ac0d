"""Blackjack: its table under each law, and the figures of the wagers that no decision touches.

AD-2025 game 3, where the dealer has one card until the boxes have played: `replay.games._blackjack_table`.
US-NJ, N.J.A.C. 13:69F-2, with a hole card: `replay.games._blackjack_hole`, for laws that have a table ``hole_card``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from replay.blackjack_law import BlackjackLaw, HandsLaw
from replay.blackjack_sevens import jackpot_ruling
from replay.games import Game
from replay.games._blackjack_hole import HoleCardTable
from replay.games._blackjack_table import BlackjackTable, insurance_ruling, thirteen_ruling
from replay.money import Price
from replay.odds import Odds, edge_and_variance, net
from replay.rules import GameRules


class Blackjack(BlackjackTable):
    """Blackjack without a hole card; with one it is played by `HoleCardTable`."""

    @classmethod
    def under(cls, rules: GameRules) -> type[Game]:
        """By whether the law has a hole card."""
        return cls if rules.law_as(BlackjackLaw).hole_card is None else HoleCardTable


def odds(rules: GameRules) -> Iterator[Odds]:
    """The wagers that no decision touches, from a fresh shoe: under and over 13, insurance, the jackpot.

    There is no figure for ``main``: it hangs on the player's decisions, and with splits without number no exact one is
    to be had within minutes; nor for ``progressive``, whose prizes are the table's own.
    """
    decks = rules.law_as(HandsLaw).shoe_decks
    kinds = [rank + "S" for rank in "A23456789T"]
    copies = {kind: decks * (16 if kind == "TS" else 4) for kind in kinds}
    pairs = [
        (first, second, copies[first] * (copies[second] - (first == second))) for first in kinds for second in kinds
    ]
    for name in ("under_13", "over_13"):
        wager = rules.wagers.get(name)
        if wager is not None:
            figures = edge_and_variance((ways, net(thirteen_ruling(wager, one, two))) for one, two, ways in pairs)
            yield Odds(wager=name, decks=decks, edge=figures[0], variance=figures[1], assumes="fresh shoe")
    wager = rules.wagers.get("insurance")
    if wager is not None:
        seconds = ((copies[kind] - (kind == "AS"), net(insurance_ruling(wager, kind))) for kind in kinds)
        edge, variance = edge_and_variance(seconds)
        yield Odds(wager="insurance", decks=decks, edge=edge, variance=variance,
                   assumes="fresh shoe, only the dealer's ace is known")  # fmt: skip
    wager = rules.wagers.get("jackpot")
    if wager is not None:
        edge, variance = edge_and_variance(_jackpot_outcomes(wager.prices, decks))
        yield Odds(wager="jackpot", decks=decks, edge=edge, variance=variance,
                   assumes="fresh shoe, the lowest prizes allowed, a third card is always taken")  # fmt: skip


def _jackpot_outcomes(prizes: dict[str, Price], decks: int) -> Iterator[tuple[int, Fraction]]:
    """Three cards of the shoe, told apart by the suit of a seven; ``2S`` stands for all other cards."""
    kinds = ["7S", "7H", "7D", "7C", "2S"]
    copies = [decks] * 4 + [decks * 48]
    for one in range(5):
        for two in range(5):
            for three in range(5):
                ways = copies[one] * (copies[two] - (two == one)) * (copies[three] - (three == one) - (three == two))
                yield ways, net(jackpot_ruling(prizes, (kinds[one], kinds[two], kinds[three])))


GAME = Blackjack
