"""Bets on the sevens among the first three cards of a box: the jackpot and the progressive, and what a table pays."""

from __future__ import annotations

from collections.abc import Container, Sequence
from fractions import Fraction
from typing import Any, Final

from replay.book import Bet, Book
from replay.in_words import part_in_words
from replay.money import Price
from replay.rules import Table

SEVENS: Final = (
    ("", "one_seven"),
    ("two_sevens", "two_suited_sevens"),
    ("three_sevens", "three_suited_sevens"),
)
"""The combination of the first one, two, three cards: sevens not of one suit, of one suit."""
RESULTS: Final = tuple(result for pair in SEVENS for result in pair if result)


def sevens(cards: Sequence[str]) -> list[str]:
    """The combinations that a box's first one, two or three cards hold, one for each number of cards."""
    made = []
    for number, card in enumerate(cards):
        if card[0] != "7":
            break
        made.append(SEVENS[number][all(each[1] == card[1] for each in cards[:number])])
    return made


def jackpot_ruling(prizes: dict[str, Price], cards: Sequence[str]) -> Price | None:
    """Only the greatest prize is paid; None: the stake is lost."""
    made = sevens(cards)
    return max((prizes[each] for each in made), key=lambda price: price.ratio) if made else None


def jackpot_prizes(minimums: dict[str, Price], posted: dict[str, Any]) -> tuple[dict[str, Price], list[str]]:
    """What a table pays: its own prize where that is higher, else the minimum; and what is wrong with what it posts."""
    prizes = dict(minimums)
    wrong = []
    for result, value in posted.items():
        ratio = as_ratio(value)
        if result not in minimums or ratio is None:
            wrong.append(f"the jackpot has no prize {result}: {value}")
        elif ratio < minimums[result].ratio:
            least = minimums[result].ratio
            wrong.append(f"the jackpot prize {result} is {value} to 1; at least {least} to 1 is due")
        else:
            prizes[result] = Price.of(ratio)
    return prizes, wrong


def progressive_prizes(
    results: Container[str], posted: dict[str, Any]
) -> tuple[dict[str, tuple[Price, bool]], list[str]]:
    """What a table shows, (price, False) for k to 1, (part, True) for a part of the counter; what is wrong with it."""
    prizes = {}
    wrong = []
    for result, value in posted.items():
        part = isinstance(value, str) and value.endswith("%")
        ratio = as_ratio(value[:-1] if part else value)
        if result not in results or ratio is None:
            wrong.append(f"the progressive has no prize {result}: {value}")
        else:
            prizes[result] = (Price.of(Fraction(ratio, 100 if part else 1)), part)
    return prizes, wrong


def as_ratio(value: Any) -> Fraction | None:
    """A prize as a table posts it (``3``, ``2.5``, ``"7/2"``); None when it is none."""
    try:
        ratio = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None
    return None if ratio < 0 else ratio


class Sevens:
    """V.1.g, V.2: jackpot and progressive at one table. Amounts are minor units."""

    def __init__(self, table: Table, minimum: int, part: Fraction | None) -> None:
        """``minimum``: of the table; ``part``: of which a stake may be no more, None for no bound."""
        self.table = table
        self.part = part
        self.most: int | None = None
        """The most of a stake."""
        if part is not None and minimum:
            self.most = minimum * part.numerator // part.denominator
        options, wagers = table.options, table.rules.wagers
        self.offered = {wager: bool(options.get(wager, True)) for wager in ("jackpot", "progressive")}
        self.stipulated: dict[str, int | None] = {wager: options.get(f"{wager}_stake") for wager in self.offered}
        self.prizes: dict[str, Price] = {}
        self.counter_prizes: dict[str, tuple[Price, bool]] = {}
        self.faults: list[tuple[str, str]] = []
        """What is wrong with the prizes that it posts: passage and sentence."""
        if "jackpot" in wagers:
            jackpot = wagers["jackpot"]
            self.prizes, wrong = jackpot_prizes(jackpot.prices, options.get("jackpot_paytable") or {})
            self.faults += [(jackpot.passage, text) for text in wrong]
        if "progressive" in wagers:
            self.counter_prizes, wrong = progressive_prizes(RESULTS, options.get("progressive_paytable") or {})
            self.faults += [(wagers["progressive"].passage, text) for text in wrong]
        self.pool: int = options.get("jackpot_pool") or 0
        self.counter: int = options.get("progressive_meter") or 0

    def setup_faults(self) -> list[tuple[str, str]]:
        """Prizes below the minimum, stipulated stakes above the most that may be staked: passage and sentence."""
        faults, shown = list(self.faults), self.table.shown
        for wager, stake in self.stipulated.items():
            there = self.table.rules.wagers.get(wager)
            if there is not None and self.offered[wager] and stake and self.most is not None and stake > self.most:
                faults.append((there.passage, f"the {wager} stake is {shown(stake)}; {shown(self.most)} is the most"))
        return faults

    def objection(self, bet: Bet) -> tuple[str, str] | None:
        """What is wrong with the size of a stake, as the code and the end of a sentence; it plays all the same. None
        for what is no stake on sevens too."""
        if bet.wager_id not in self.stipulated:
            return None
        if self.most is not None and bet.amount > self.most:
            assert self.part is not None
            return "side_bet_too_large", f"over {part_in_words(self.part)} of the table's minimum"
        stipulated = self.stipulated[bet.wager_id]
        if stipulated is not None and bet.amount != stipulated:
            return "stake_mismatch", f"not the stipulated {self.table.shown(stipulated)}"
        return None

    def settle(self, book: Book, bet: Bet, line: Sequence[str]) -> None:
        """A stake on sevens, if it is one, by a box's first cards."""
        if bet.wager_id == "jackpot":
            paid = self.jackpot_pays(bet.amount, line)
            if paid is None:
                book.decide(bet, 0, 0)
            else:
                book.decide(bet, paid, bet.amount)
        elif bet.wager_id == "progressive":
            book.decide(bet, self.progressive_pays(bet.amount, line), 0)  # the stake has gone into the counter

    def jackpot_pays(self, amount: int, line: Sequence[str]) -> int | None:
        """V.1.g: the greatest prize; three suited sevens are worth the whole pool if that is more. None: lost."""
        price = jackpot_ruling(self.prizes, line)
        if price is None:
            return None
        paid = self.table.pay(amount, price)
        if "three_suited_sevens" in sevens(line):
            paid = max(paid, self.table.share(self.pool, 1, 1))
        return paid

    def progressive_pays(self, amount: int, line: Sequence[str]) -> int:
        """V.2: the best prize shown at the table."""
        wins = self.progressive_wins(amount)
        return max((wins.get(result, 0) for result in sevens(line)), default=0)

    def wins(self, bet: Bet) -> dict[str, int]:
        """What a stake on sevens would be paid, by result; empty for any other."""
        if bet.wager_id == "jackpot":
            return self.jackpot_wins(bet.amount)
        return self.progressive_wins(bet.amount) if bet.wager_id == "progressive" else {}

    def jackpot_wins(self, amount: int) -> dict[str, int]:
        """Three suited sevens win the pool where that is more."""
        found = {result: self.table.pay(amount, price) for result, price in self.prizes.items()}
        found["three_suited_sevens"] = max(found["three_suited_sevens"], self.table.share(self.pool, 1, 1))
        return found

    def progressive_wins(self, amount: int) -> dict[str, int]:
        """A multiple of the stake, or a part of the counter."""
        return {
            result: self.table.pay(self.counter if of_counter else amount, price)
            for result, (price, of_counter) in self.counter_prizes.items()
        }
