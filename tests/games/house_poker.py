"""Rounds of poker against the house, written down shortly: for the tests of those games."""

from __future__ import annotations

from typing import Any

from tests.games import retold

CLOSE = ["bets_closed"]
END = ["round_closed"]


def bet(name: str, wager: str, amount: int = 1000, seat: int = 1, **fields: Any) -> list[Any]:
    return [{"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, **fields}}]


def raised(name: str, by: int) -> list[Any]:
    return [{"bet_raised": {"bet": name, "by": by}}]


def withdrawn(name: str, amount: int | None = None) -> list[Any]:
    return [{"bet_withdrawn": {"bet": name, "amount": amount}}]


def say(choice: str, seat: int = 1) -> list[Any]:
    return [{"decision": {"seat": seat, "choice": choice}}]


def claim(name: str, paid: int, returned: int) -> list[Any]:
    return [{"bet_settled": {"bet": name, "paid": paid, "returned": returned}}]


def hand(cards: str, seat: int = 1, **fields: Any) -> list[Any]:
    return [{"card_dealt": {"card": card, "seat": seat, **fields}} for card in cards.split()]


def dealer(cards: str, **fields: Any) -> list[Any]:
    return [{"card_dealt": {"card": card, "to": "dealer", **fields}} for card in cards.split()]


def board(cards: str, **fields: Any) -> list[Any]:
    return [{"card_dealt": {"card": card, "to": "community", **fields}} for card in cards.split()]


def burn(cards: str, **fields: Any) -> list[Any]:
    return [{"card_dealt": {"card": card, "to": "burn", **fields}} for card in cards.split()]


def exposed(card: str) -> list[Any]:
    """A card found face up in the pack, passed over."""
    return burn(card, exposed=True)


def pack(decks: int | None = 1, cards: int | None = None) -> list[Any]:
    return [{"shoe_loaded": {"decks": decks, "cards": cards}}]


def settle(game: str, *events: list[Any], **table: Any) -> tuple[dict[str, Any], list[tuple[str, Any]]]:
    """The re-tally: each bet's (paid, returned), ``open`` or ``withdrawn``, and the findings as (code, bet or seat)."""
    limits = {"min": 500, "max": 15000}
    money, findings = retold.settle(
        {"game": game, "rules": "AD-2022", "chip_unit": 100, "limits": limits, **table}, events
    )
    return money, sorted(
        ((found.code, found.bet or found.seat) for found in findings),
        key=lambda found: (found[0], str(found[1])),
    )


def set_up(game: str, **table: Any) -> list[str]:
    """What is found when a table is opened."""
    return [found.code for found in retold.set_up({"game": game, "rules": "AD-2022", **table})]
