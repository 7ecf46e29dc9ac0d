"""Blackjack: its table under each law, and the figures of the wagers that no decision touches.

AD-2025 game 3, where the dealer has one card until the boxes have played: `replay.games._blackjack_table`.
US-NJ, N.J.A.C. 13:69F-2, with a hole card: `replay.games._blackjack_hole`, for laws that have a table ``hole_card``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from replay.blackjack_law import BlackjackLaw, HandsLaw
from replay.blackjack_sevens import jackpot_ruling
from replay.games import Game
from replay.games._blackjack_best import Choices, edge_and_variance_of_main
from replay.games._blackjack_hole import HoleCardTable, match_prices, match_ruling
from replay.games._blackjack_table import BlackjackTable, insurance_ruling, thirteen_ruling
from replay.money import Price
from replay.odds import Odds, edge_and_variance, net
from replay.rules import GameRules, Option


class Blackjack(BlackjackTable):
    """Blackjack without a hole card; with one it is played by `HoleCardTable`."""

    @classmethod
    def under(cls, rules: GameRules) -> type[Game]:
        """By whether the law has a hole card."""
        return cls if rules.law_as(BlackjackLaw).hole_card is None else HoleCardTable


def odds(rules: GameRules) -> Iterator[Odds]:
    """The wagers that no decision touches, from a fresh shoe of each number of packs that the law lets a table have:
    under and over 13, insurance, match the dealer, the jackpot.

    ``main`` hangs on the player's decisions. Where the dealer looks at a hole card it has the figures of the best play
    from an endless shoe (`replay.games._blackjack_best`), at the law's own choices and with each of them made
    otherwise; from a real shoe no exact one, with its splits, is to be had within minutes. Nor is there one for
    ``progressive`` and ``suited``, whose prizes are the table's own.
    """
    law = rules.law_as(HandsLaw)
    if isinstance(law, BlackjackLaw) and law.hole_card is not None and "peek" in rules.options["hole_card"].choices:
        yield from _odds_of_main(rules, law)
    for decks in (law.shoe_decks,) if law.shoe_decks else _choices_of_decks(rules.options["decks"]):
        yield from _odds_of(rules, decks)


_OF_PLAY: Final = ("soft_17", "blackjack_pays", "double_on", "max_hands", "resplit_aces", "surrender")
"""The options that a hand's worth hangs on, beside how the hole card is dealt."""


def _odds_of_main(rules: GameRules, law: BlackjackLaw) -> Iterator[Odds]:
    """At the law's own choices, and with one of them at a time made otherwise; the dealer's, with each price."""
    by_law = {name: rules.options[name].default for name in _OF_PLAY}
    ways = [by_law]
    for name in _OF_PLAY:
        ways += [{**by_law, name: value} for value in _values(rules.options[name]) if value != by_law[name]]
    ways += [
        {**by_law, "soft_17": soft, "blackjack_pays": pays}
        for soft in _values(rules.options["soft_17"])
        for pays in _values(rules.options["blackjack_pays"])
        if soft != by_law["soft_17"] and pays != by_law["blackjack_pays"]
    ]
    for way in ways:
        choices = Choices(
            soft_17_hit=way["soft_17"] == "hit",
            ten_eleven=way["double_on"] == "ten_eleven",
            max_hands=way["max_hands"],
            resplit_aces=way["resplit_aces"],
            returned=law.surrender.returned if way["surrender"] == "late" else None,
        )
        edge, variance = edge_and_variance_of_main(
            rules.wagers["main"], law.dealer.stands_on, choices, Fraction(str(way["blackjack_pays"]))
        )
        told = {"hole_card": "peek"} | {name: str(value).lower() for name, value in way.items()}
        yield Odds(wager="main", options=told, edge=edge, variance=variance, by_strategy=True,
                   assumes="the best play, an endless shoe")  # fmt: skip


def _values(option: Option) -> list[Any]:
    """What a table may choose; of numbers, those within the bounds."""
    if option.law.only is not None:
        return [option.default]
    if option.kind == "flag":
        return [True, False]
    if option.kind == "choice":
        return list(option.choices)
    assert option.least is not None and option.kind == "int", option.id
    return list(range(int(option.least), int(option.default if option.most is None else option.most) + 1))


def _choices_of_decks(option: Option) -> range:
    """How many packs a table may have."""
    if option.law.only is not None:
        return range(option.default, option.default + 1)
    most = option.default if option.most is None else int(option.most)
    return range(1 if option.least is None else int(option.least), most + 1)


def _odds_of(rules: GameRules, decks: int) -> Iterator[Odds]:
    """The same from a shoe of so many packs."""
    kinds = [rank + "S" for rank in "A23456789T"]
    copies = {kind: decks * (16 if kind == "TS" else 4) for kind in kinds}
    pairs = [
        (first, second, copies[first] * (copies[second] - (first == second))) for first in kinds for second in kinds
    ]
    chosen = {} if rules.law_as(HandsLaw).shoe_decks else {"decks": str(decks)}
    for name in ("under_13", "over_13"):
        wager = rules.wagers.get(name)
        if wager is not None:
            figures = edge_and_variance((ways, net(thirteen_ruling(wager, one, two))) for one, two, ways in pairs)
            yield Odds(wager=name, options=chosen, decks=decks, edge=figures[0], variance=figures[1],
                       assumes="fresh shoe")  # fmt: skip
    wager = rules.wagers.get("insurance")
    if wager is not None:
        seconds = ((copies[kind] - (kind == "AS"), net(insurance_ruling(wager, kind))) for kind in kinds)
        edge, variance = edge_and_variance(seconds)
        yield Odds(wager="insurance", options=chosen, decks=decks, edge=edge, variance=variance,
                   assumes="fresh shoe, only the dealer's ace is known")  # fmt: skip
    wager = rules.wagers.get("match_the_dealer")
    prices = {} if wager is None else match_prices(wager, decks)
    if prices:
        edge, variance = edge_and_variance(_match_outcomes(prices, decks))
        yield Odds(wager="match_the_dealer", options=chosen, decks=decks, edge=edge, variance=variance,
                   assumes="fresh shoe, the prices of the law")  # fmt: skip
    wager = rules.wagers.get("jackpot")
    if wager is not None:
        edge, variance = edge_and_variance(_jackpot_outcomes(wager.prices, decks))
        yield Odds(wager="jackpot", options=chosen, decks=decks, edge=edge, variance=variance,
                   assumes="fresh shoe, the lowest prizes allowed, a third card is always taken")  # fmt: skip


def _match_outcomes(prices: dict[str, Price], decks: int) -> Iterator[tuple[int, Fraction]]:
    """Two cards of a shoe that the dealer's nine of spades has left: ``9S``, another nine, any other card."""
    copies = {"9S": decks - 1, "9H": 3 * decks, "2S": 48 * decks}
    for one in copies:
        for two in copies:
            yield copies[one] * (copies[two] - (one == two)), net(match_ruling(prices, (one, two), "9S"))


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
