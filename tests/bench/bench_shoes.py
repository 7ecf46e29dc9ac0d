"""Streaks: fair shoes without an alarm, and how soon an order that repeats has one.

`fair` deals 10,000 shuffled shoes of six packs, fifteen a night, to the detector of cards, and counts the nights in
which the wealth on order or on composition ever reached 1,000: at most one in a thousand may. `repeats` deals one
shuffled shoe and then the same cards again, as they lay, reversed, cut, riffled once, and with a slug of sixty kept,
and gives the number of cards until the wealth is a million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from types import SimpleNamespace

from replay.cards import FRENCH_DECK
from replay.rules import Table
from replay.streaks.cards import CardsOfShoe
from tests.installed import PACKS

SHOES = 10_000
A_NIGHT = 15
ALARM = 1_000.0
MILLION = 1e6
_REPEATS = 200


class _Shoes:
    """One night's shoes at one table."""

    def __init__(self) -> None:
        self.watch = CardsOfShoe(Table(PACKS.game("AD-2025", "punto_banco")), 1.0)
        self.seq = 0

    def deal(self, cards: list[str], until: float = float("inf")) -> int:
        """How many cards it took to a wealth on order; 0: it did not come to that."""
        self.seq += 1
        self.watch.shoe_loaded(SimpleNamespace(seq=self.seq, decks=6, cards=None))  # type: ignore[arg-type]
        for number, card in enumerate(cards, 1):
            self.seq += 1
            self.watch.card_dealt(SimpleNamespace(seq=self.seq, card=card, to=None))  # type: ignore[arg-type]
            if self.watch.on_order.wealth >= until:
                return number
        return 0


def _shuffled(random: Random, cards: list[str] | None = None) -> list[str]:
    found = list(FRENCH_DECK * 6 if cards is None else cards)
    random.shuffle(found)
    return found


def _riffled(order: list[str], random: Random) -> list[str]:
    halves = [order[:156], order[156:]]
    return [halves[random.random() >= len(halves[0]) / (len(halves[0]) + len(halves[1]))].pop(0) for _ in order]


def _slug(order: list[str], random: Random) -> list[str]:
    return [*order[120:180], *_shuffled(random, [*order[:120], *order[180:]])]


AGAIN: dict[str, Callable[[list[str], Random], list[str]]] = {
    "as it lay": lambda order, random: order,
    "reversed": lambda order, random: order[::-1],
    "cut in the middle": lambda order, random: [*order[156:], *order[:156]],
    "riffled once": _riffled,
    "with a slug of 60": _slug,
}


def fair() -> Iterator[str]:
    """No alarm in ten thousand fair shoes."""
    random = Random(1)
    orders, compositions = 0.0, 0.0
    beyond = nights = 0
    for _ in range(SHOES // A_NIGHT + 1):
        night = _Shoes()
        for _ in range(A_NIGHT):
            night.deal(_shuffled(random)[: random.randrange(220, 300)])
        order, composition = night.watch.on_order.peak, night.watch.on_composition.peak
        orders, compositions = max(orders, order), max(compositions, composition)
        beyond += order >= ALARM or composition >= ALARM
        nights += 1
    yield (
        f"{nights * A_NIGHT:,} fair shoes in {nights:,} nights: {beyond} nights reached {ALARM:,.0f}"
        f" (most: {orders:,.0f} on order, {compositions:,.0f} on composition)"
    )


def repeats() -> Iterator[str]:
    """How many cards of a repeated order it takes."""
    for name, again in AGAIN.items():
        delays = []
        for seed in range(_REPEATS):
            random = Random(seed)
            night = _Shoes()
            order = _shuffled(random)
            night.deal(order)
            delays.append(night.deal(again(order, random), until=MILLION))
        missed = delays.count(0)
        seen = sorted(delay for delay in delays if delay)
        cards = f"{median(seen):.0f} cards ({seen[-1]} at most, {missed} of {_REPEATS} missed)"
        yield f"a shoe {name}: a million after {cards}"


if __name__ == "__main__":
    for line in (*fair(), *repeats()):
        print(line, flush=True)
