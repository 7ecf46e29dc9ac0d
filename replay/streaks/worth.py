"""What a stake is worth before it is decided: the most and the least that the exact odds let it give back in the mean.

The figures come from each game's own ``odds``, fractions turned into floats once. Where a figure hangs on an option,
that of the table counts; where rows differ otherwise (full units or less), the more cautious one in each direction.

How firmly that holds under the table's law, each game's file says of its wagers, with the argument for it
(`replay.watched`):

- `Exact` (dice, the ball, packs shuffled for each deal): the figures hold for every bet whatever came before, where the
  stake is laid before the deal and nothing that the player does changes what it comes to.
- `AtMost`: bounds that hold for every bet, whatever came before and whatever the player makes of it. A stake whose
  cards may lie either way round with the house's is one of that kind; so is one on a card that nobody has seen.
- `OfFreshShoe`: the figures hold for a fresh shoe, and for whoever does not follow the count. Null: *no bet is
  favourable*: a stake gives back at most itself in the mean. Where what decides may lie either way round in the shoe
  that is exact; for other wagers it is so as long as some thirty cards are left, and fails below that for those who
  count, by as little as the games' files say.
- `Estimate`: no exact figure exists, for it hangs on decisions; an estimate of the best that can be done, no bound.

Of wagers that state none there is no null, and their winnings are not watched: what is staked when cards have been seen
is favourable then; players who play against each other win from each other, the better one more without any wrong; of
what a law pays that no argument was made for, nobody has shown what it is worth.

A table that rounds payouts to whole chips otherwise than down may pay up to a chip more than the odds say; one that
rounds down pays less. Both are allowed for by whoever compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce

import msgspec

from replay.games import watched_of
from replay.odds import Odds
from replay.odds_table import figures
from replay.packs import Pack
from replay.rules import GameRules, Table, Wager
from replay.watched import AtMost, Estimate, Exact, Null, OfFreshShoe, Watchable


class Worth(msgspec.Struct, frozen=True):
    """Of one unit staked on one wager."""

    most: float
    """What comes back, stake included, is at most this in the mean."""
    least: float
    """And at least this; 0 where nobody can say."""
    spread: float
    """The variance of what comes back, at least 1."""
    highest: float
    """The most that can come back; 0 where it is not known."""


Worths = Mapping[tuple[str, str], Worth]
"""By wager and pick (as text, empty where it does not matter)."""


def worths(table: Table) -> Worths:
    """For all wagers that can be judged; worked out once for all tables that are opened alike."""
    options = tuple((name, str(value)) for name, value in table.options.items())
    return _worths(table.rules, options, table.decks or table.options.get("decks") or 0)


@lru_cache(maxsize=256)
def _worths(rules: GameRules, options: tuple[tuple[str, str], ...], decks: int) -> Worths:
    watched = watched_of(rules)
    found: dict[tuple[str, str], Worth] = {
        (wager, ""): Worth(float(null.most), 0.0, float(null.variance), 0.0)
        for wager in rules.wagers
        if isinstance(null := watched.null_of(wager), Estimate) and null.least_decks <= (rules.law.shoe_decks or decks)
    }
    for odds in figures(rules) if _figured(watched) else ():
        null = watched.null_of(odds.wager)
        if null is None or odds.by_strategy or (decks and odds.decks not in (None, decks)):
            continue
        if isinstance(null, Exact) and not odds.holds(dict(options)):
            continue
        highest = watched.highest.get(odds.wager)
        worth = _worth(null, odds, _highest(rules.wagers[odds.wager]) if highest is None else float(highest))
        key = odds.wager, odds.pick
        other = found.get(key)
        found[key] = _the_more_cautious(other, worth)
    return found


def worth_of(found: Worths, wager: str, pick: str | None) -> Worth | None:
    """Of a stake as it is told; where its pick is not told (odds at craps, which follow another bet), what holds for
    every pick. None where nobody can say."""
    worth = found.get((wager, ""))
    if worth is not None or pick is not None:
        return worth or found.get((wager, pick or ""))
    return reduce(_the_more_cautious, (each for (name, _), each in found.items() if name == wager), None)


def prepare(packs: Iterable[Pack]) -> None:
    """Work out what `worths` rests on before a table asks for it: some games take a second, once in a process."""
    for pack in packs:
        for game in pack.games:
            rules = pack.game(game)
            if _figured(watched_of(rules)):
                figures(rules)


def _figured(watched: Watchable) -> bool:
    """Whether any of the game's wagers is judged by a figure of its own."""
    return any(isinstance(null, Exact | AtMost | OfFreshShoe) for null in (watched.null, *watched.nulls.values()))


def _worth(null: Null, odds: Odds, highest: float) -> Worth:
    back, spread = float(1 - odds.edge), max(1.0, float(odds.variance))
    match null:
        case Exact():
            return Worth(back, back, spread, highest)
        case OfFreshShoe():
            return Worth(1.0, back - 0.03 if back > 0.95 else 0.0, spread, highest)
        case AtMost():
            return Worth(back if null.most is None else float(null.most), 0.0, spread, highest)
        case Estimate():
            return Worth(float(null.most), 0.0, float(null.variance), 0.0)


def _the_more_cautious(one: Worth | None, other: Worth) -> Worth:
    if one is None:
        return other
    highest = max(one.highest, other.highest) if one.highest and other.highest else 0.0
    return Worth(max(one.most, other.most), min(one.least, other.least), max(one.spread, other.spread), highest)


def _highest(wager: Wager) -> float:
    prices = [wager.price] if wager.price is not None else list(wager.prices.values())
    return float(1 + max(price.ratio for price in prices)) if prices else 0.0
