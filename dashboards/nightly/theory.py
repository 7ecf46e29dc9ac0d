"""What the bets were worth: expectation and variance from exact odds and actual stakes, as fractions until the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import isqrt
from typing import Any, Final, NamedTuple

from replay.odds import Odds
from replay.odds_table import figures as odds_of
from replay.packs import Packs
from replay.rules import GameRules, RuleError, Table

NO_ODDS: Final = "no_exact_odds"
"""What the wager comes to hangs on how people play, and no odds of it are derived."""
SEVERAL: Final = "odds_hang_on_play"
"""There are exact odds for several ways to play, or for states of the game; which of them held is not on record."""
UNKNOWN_RULES: Final = "rules_not_known"
"""The rule pack is not known here, or the table's opening is not in the store."""
RETALLY_FAILED: Final = "retally_failed"
"""retally itself failed to work the odds out."""


class Priced(NamedTuple):
    """The figures of one wager, for one unit staked."""

    edge: Fraction
    variance: Fraction
    assumes: str


Pricing = Callable[[str, str], Priced | str]
"""The figures of a wager and pick, or why there are none."""


class PriceList:
    """What each wager of one table is worth, as it was opened."""

    def __init__(self, packs: Packs, rules: str, game: str, opening: bytes | None) -> None:
        """``opening``: the raw ``table_opened``; None where it is not in the store. Raises `PackError` where what the
        pack says of the game is wrong."""
        self._odds: tuple[Odds, ...] = ()
        self._options: Mapping[str, Any] = {}
        self._decks: int | None = None
        self._known = False
        found = packs.pack(rules).games.get(game) if rules in packs.names else None
        if found is None or opening is None:
            return
        try:
            event = json.loads(opening)
            self._options = Table(found, options=_legal(found, event.get("options") or {})).options
            self._decks = event.get("decks")
        except (ValueError, RuleError):
            return
        self._known = True
        self._odds = odds_of(found)

    def price(self, wager: str, pick: str) -> Priced | str:
        """The figures of this wager, or why there are none: `NO_ODDS`, `SEVERAL`, `UNKNOWN_RULES`."""
        if not self._known:
            return UNKNOWN_RULES
        known = [odds for odds in self._odds if odds.wager == wager]
        if any(odds.by_strategy for odds in known):
            return SEVERAL
        fits = [odds for odds in known if _same_pick(odds.pick, pick)] or [odds for odds in known if not odds.pick]
        if not fits:
            return SEVERAL if known else NO_ODDS
        if self._decks is not None:
            fits = [odds for odds in fits if odds.decks in (None, self._decks)]
        held = [odds for odds in fits if odds.holds(self._options)]
        figures = {(odds.edge, odds.variance): odds for odds in held}
        if len(figures) != 1:
            return SEVERAL
        (only,) = figures.values()
        return Priced(only.edge, only.variance, only.assumes)


def _same_pick(one: str, other: str) -> bool:
    """The same number, card or pair of them; in a pair their order says nothing."""
    return one == other or ("-" in one and sorted(one.split("-")) == sorted(other.split("-")))


def _legal(rules: GameRules, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that the pack allows, as `replay.rules.Table` wants them; a wrong one was a finding at the table."""
    legal: dict[str, Any] = {}
    for name, value in options.items():
        try:
            Table(rules, options={name: value})
        except RuleError:
            continue
        legal[name] = value
    return legal


class Theory:
    """Sums of bets that can be compared with their odds, and of those that cannot."""

    __slots__ = ("bets", "expected", "left_out", "staked", "variance", "win")

    def __init__(self) -> None:
        self.bets = 0
        self.staked = 0
        self.win = 0
        """What the rules gave the house of these bets."""
        self.expected = Fraction(0)
        self.variance = Fraction(0)
        self.left_out = 0
        """Stakes on wagers without exact odds."""

    def add(self, other: Theory) -> None:
        """Take in another sum."""
        self.bets += other.bets
        self.staked += other.staked
        self.win += other.win
        self.expected += other.expected
        self.variance += other.variance
        self.left_out += other.left_out

    def figures(self) -> dict[str, Any]:
        """As the report prints them: money in whole minor units, z and shares as text with two digits."""
        deviation = root(self.variance)
        return {
            "compared_bets": self.bets,
            "compared_staked": self.staked,
            "left_out_staked": self.left_out,
            "left_out_share": percent(self.left_out, self.left_out + self.staked),
            "compared_win": self.win,
            "theoretical_win": nearest(self.expected),
            "deviation": deviation,
            "z": z_score(Fraction(self.win) - self.expected, self.variance),
        }


def unpriced(wager: str, pick: str) -> str:
    """The pricing of a table whose odds retally itself failed to work out."""
    return RETALLY_FAILED


def theory_of(rows: Iterable[Mapping[str, Any]], priced: Pricing) -> tuple[Theory, list[dict[str, Any]]]:
    """One table-day's rows of `queries.THEORY`: their sum, and a line for each wager and pick."""
    total = Theory()
    lines = []
    for row in rows:
        price = priced(row["wager"], row["pick"])
        part = Theory()
        if isinstance(price, str):
            part.left_out = row["staked"]
        else:
            part.bets, part.staked, part.win = row["count_of"], row["staked"], row["win"]
            part.expected = row["staked"] * price.edge
            part.variance = (row["squares_high"] * 1_000_000 + row["squares_low"]) * price.variance
        total.add(part)
        lines.append(
            {
                "wager": row["wager"],
                "pick": row["pick"],
                "bets": row["count_of"],
                "staked": row["staked"],
                "reason": price if isinstance(price, str) else "",
                "edge": "" if isinstance(price, str) else str(price.edge),
                "assumes": "" if isinstance(price, str) else price.assumes,
            }
        )
    return total, lines


def nearest(value: Fraction) -> int:
    """To the next whole minor unit; a half to the even one."""
    return round(value)


def root(variance: Fraction) -> int:
    """The square root to the next whole minor unit."""
    whole = isqrt(int(4 * variance))  # of twice the root, rounded down
    return (whole + 1) // 2


def percent(part: int, whole: int) -> str:
    """``part`` of ``whole`` in per cent with two digits, exactly rounded; empty where there is no whole."""
    return hundredths(nearest(Fraction(10_000 * part, whole))) if whole else ""


def z_score(off: Fraction, variance: Fraction) -> str:
    """How many standard deviations ``off`` is, with two digits; empty where nothing varies."""
    if not variance:
        return ""
    size = (isqrt(int(40_000 * off * off / variance)) + 1) // 2
    return hundredths(-size if off < 0 else size)


def hundredths(value: int) -> str:
    """``-250`` as ``-2.50``."""
    whole, rest = divmod(abs(value), 100)
    return f"{'-' if value < 0 else ''}{whole}.{rest:02d}"
