"""Pots among players: what nobody called, the layers that all-in seats leave, the house's cut, shares and odd chips.

Pure functions over whole chips of a hand (minor units). ``totals`` is what each seat has put into the hand, dead money
aside. For every hand, uncalled part, pots and dead money together are what was put in; and what the shares of a pot and
its rake come to is the pot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


class Pot:
    """One pot: what is in it, and the seats that play for it. The first pot of a hand is the main pot."""

    __slots__ = ("amount", "rake", "seats")

    def __init__(self, amount: int, seats: tuple[int, ...]) -> None:
        self.amount = amount
        self.seats = seats
        self.rake = 0
        """What the house takes off it."""

    @property
    def net(self) -> int:
        """What its winners share."""
        return self.amount - self.rake

    def __repr__(self) -> str:
        return f"Pot({self.amount}, {self.seats}, rake {self.rake})"


def uncalled(totals: Mapping[int, int]) -> tuple[int, int]:
    """The seat that alone has put in most, and what exceeds the second highest total: it goes back before any pot is
    made. An amount of 0 where the highest total is shared."""
    most = second = seat = 0
    for each, total in totals.items():
        if total > most:
            most, second, seat = total, most, each
        elif total > second:
            second = total
    return seat, most - second


def layers(totals: Mapping[int, int], live: Iterable[int], dead: int = 0) -> list[Pot]:
    """The pots, main pot first: a layer for each distinct total of the ``live`` seats.

    A layer takes from every seat, folded ones too, what lies between the level below and its own; the live seats that
    reach its level play for it. What folded seats put in above the highest level belongs to the last pot; ``dead``
    money (one seat's ante for the whole table) to the main pot.
    """
    contenders = sorted(live)
    levels = sorted({totals[seat] for seat in contenders})
    pots: list[Pot] = []
    below = 0
    for level in levels:
        top = max(totals.values()) if level == levels[-1] else level
        amount = sum(min(total, top) - below for total in totals.values() if total > below)
        pots.append(Pot(amount, tuple(seat for seat in contenders if totals[seat] >= level)))
        below = level
    if pots:
        pots[0].amount += dead
    return pots


def take_rake(pots: Sequence[Pot], num: int, den: int, unit: int, cap: int | None = None) -> int:
    """``num``/``den`` of each pot, rounded down to the chip ``unit`` pot by pot; ``cap`` is used up from the main pot
    on. Sets `Pot.rake`; what was taken in all."""
    taken = 0
    for pot in pots:
        pot.rake = pot.amount * num // (den * unit) * unit
        if cap is not None:
            pot.rake = min(pot.rake, cap - taken)
        taken += pot.rake
    return taken


def shares(amount: int, winners: Sequence[int], unit: int) -> dict[int, int]:
    """``amount`` among equal hands. ``winners`` in order from the left of the button: each has the same number of chips
    of ``unit``, the chips left over go one each to the first of them, a rest smaller than a chip to the next."""
    each = amount // (len(winners) * unit) * unit
    odd, rest = divmod(amount - each * len(winners), unit)
    found = {seat: each + unit if place < odd else each for place, seat in enumerate(winners)}
    if rest:
        found[winners[odd]] += rest
    return found


def halves(amount: int, unit: int) -> tuple[int, int]:
    """The high and the low half of a pot, in chips of ``unit``: the odd chip, and what is less than a chip, goes to the
    high half."""
    low = amount // (2 * unit) * unit
    return amount - low, low
