"""What a stake is worth before it is decided: the most and the least that the exact odds let it give back in the mean.

The figures come from each game's own ``odds``, fractions turned into floats once. Where a figure hangs on an option,
that of the table counts; where rows differ otherwise (full units or less), the more cautious one in each direction.

Three groups of games are told apart:

- Dice, the ball, and packs shuffled for each deal: the figures hold for every bet whatever came before.
- Shoes (punto banco, trente et quarante, casino war): they hold for a fresh shoe. What is left of a shoe moves them by
  less than the house's edge, but for a few cards at its end (E. Thorp and W. Walden, "A favorable side bet in Nevada
  baccarat", 1966), so that the null is: *no bet is favourable*. A stake gives back at most itself in the mean.
- Blackjack: no exact figure exists, for it hangs on decisions. A fresh shoe of six packs is half a per cent against
  the best player, and each point of the true count is worth about half a per cent to him (P. Griffin, The Theory of
  Blackjack, 1979): the null is that a stake laid before the deal gives back at most 1.03 of itself in the mean, which
  is perfect play at a true count of 7. Whoever plays in no poorer shoe is beyond it, as he should be. Stakes laid after
  a card has been seen (splits, insurance) are left out.

A table that rounds payouts to whole chips otherwise than down may pay up to a chip more than the odds say; one that
rounds down pays less. Both are allowed for by whoever compares.
"""

from __future__ import annotations

from typing import Final

import msgspec

from replay.odds import figures
from replay.rules import Table, Wager

EXACT: Final = frozenset({"boule", "craps", "sic_bo", "four_card_poker", "three_card_poker", "texas_holdem_bonus"})
"""Games whose figures hold for every bet."""
OF_A_SHOE: Final = frozenset({"casino_war", "punto_banco", "trente_et_quarante"})
BLACKJACK: Final = frozenset({"blackjack", "triple_blackjack"})
AT_BEST: Final = 1.03
"""What a stake at blackjack gives back at most, in the mean."""


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


def worths(table: Table) -> dict[tuple[str, str], Worth]:
    """By wager and pick (as text, empty where it does not matter), for all wagers that can be judged."""
    game = table.rules.game
    if game in BLACKJACK:
        plain = Worth(AT_BEST, 0.0, 1.3, 0.0)
        return {(wager, ""): plain for wager in ("main", "under_13", "over_13") if wager in table.rules.wagers}
    if game not in EXACT and game not in OF_A_SHOE:
        return {}
    found: dict[tuple[str, str], Worth] = {}
    for odds in figures(table.rules):
        if odds.by_strategy or (game in EXACT and not odds.holds(table.options)):
            continue
        if odds.decks is not None and odds.decks != (table.decks or table.options.get("decks") or odds.decks):
            continue
        key = odds.wager, odds.pick
        back = float(1 - odds.edge)
        spread = max(1.0, float(odds.variance))
        if game in OF_A_SHOE:
            worth = Worth(1.0, back - 0.03 if back > 0.95 else 0.0, spread, _highest(table.rules.wagers[odds.wager]))
        else:
            worth = Worth(back, back, spread, _highest(table.rules.wagers[odds.wager]))
        other = found.get(key)
        if other is not None:
            worth = Worth(
                max(worth.most, other.most),
                min(worth.least, other.least),
                max(worth.spread, other.spread),
                worth.highest,
            )
        found[key] = worth
    return found


def _highest(wager: Wager) -> float:
    prices = [wager.price] if wager.price is not None else list(wager.prices.values())
    return float(1 + max(price.ratio for price in prices)) if prices else 0.0
