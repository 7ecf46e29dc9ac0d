"""What a stake is worth before it is decided: the most and the least that the exact odds let it give back in the mean.

The figures come from each game's own ``odds``, fractions turned into floats once. Where a figure hangs on an option,
that of the table counts; where rows differ otherwise (full units or less), the more cautious one in each direction.

Games are told apart by how firmly that holds:

- Dice, the ball, and packs shuffled for each deal (`EXACT`): the figures hold for every bet whatever came before, where
  the stake is laid before the deal and nothing that the player does changes what it comes to. Fortuna, aces up and the
  bonus of texas hold'em bonus are paid on a hand that was given up as well.
- Bounds that hold for every bet (`AT_MOST`), whatever came before and whatever the player makes of it:
  casino hold'em's bonus is lost by giving up and else goes by cards that are known by then, so that it gives back at
  most what it gives to whoever never gives up. Monte's Vista Hermosa is one card of the 36 - k that have not been seen,
  at 32 - k for one; (33 - k) / (36 - k) is 11/12 at most. Mahjong pai gow: the two hands may lie the one or the other
  way round, so that one beats the other as often as not, whatever is left of the set: at 0.95 for one, with ties given
  back, win and lose give back at most 1. Of N tiles not seen at most 3/(N - 1) of all pairs are of a kind (four each of
  N/4 kinds), and pairs are offered as long as N is 24 or more: 7 x 3/23. At casino war and at triple joc's war the
  player's card and the dealer's may lie either way round too, and on a tie the first stake comes back at most: 1 at
  most, however a half is rounded. Triple joc's poker goes by six cards, of which each, however the blackjack hand is
  played, is chosen before it is seen: they are as good as any six, and the figure is that of six.
- Shoes (punto banco, trente et quarante, casino war): the figures hold for a fresh shoe, and for whoever does not
  follow the count. Null: *no bet is favourable*: a stake gives back at most itself in the mean. For black and red,
  whose rows may lie either way round, and for casino war's first stake that is exact. For the others it is so as long
  as some thirty cards are left, and fails below that for those who count: of 120 compositions of the last 8 cards at
  punto banco, 14 in 100 favoured the player's hand (by 4 per cent at most), 12 the banker's (6), and 27 the tie, which
  gave back up to 4.5; of 20 cards, 3, 6 and 6 (E. Thorp and W. Walden, "A favorable side bet in Nevada baccarat", 1966,
  found the like for another side bet). Whoever stakes then alone makes his process grow by a few thousandths a shoe in
  the mean: by so much more often than stated he has an alarm, though he does win more than the game gives.
- Blackjack: no exact figure exists, for it hangs on decisions. A fresh shoe of six packs is half a per cent against
  the best player, and each point of the true count is worth about half a per cent to him (P. Griffin, The Theory of
  Blackjack, 1979): the null is that a stake laid before the deal gives back at most 1.03 of itself in the mean, which
  is perfect play at a true count of 7. That is an estimate, no bound: whoever plays in no poorer shoe is beyond it, as
  he should be. Under and over 13 are held to it too, which a count of their own may exceed. Stakes laid after a card
  has been seen (splits, insurance) are left out.

Of these there is no null, and winnings are not watched:

- Caribbean stud; ante and later stakes of casino hold'em, texas hold'em bonus, three and four card poker: what is
  staked when cards have been seen is favourable then, and the ante pays for it. One alone may give back more than
  itself. Both together have a best way to play, published for some paytables, proved here for none.
- Pai gow poker: the house plays by a fixed way, against which the best division of seven cards is not known; a player
  may be the bank. Casino war's second stake is favourable, and triple joc's insurance, its blackjack: as above.
- Monte's other wagers: places doubled or burnt make some of them favourable by up to a fifth (`replay.games.monte`),
  as all can see. Mahjong pai gow's tie, at 60 for one, gives back 2.1 where six kinds of four tiles each are left.
- Chemin de fer, baccarat banque, circle poker, the bank at pai gow poker: players against each other. What one wins
  another loses, a better player wins more without any wrong, and no figure says how much better one may be. The house's
  commission or rake says nothing of it: it is taken from the winner, and makes the sum of all negative, not each.

A table that rounds payouts to whole chips otherwise than down may pay up to a chip more than the odds say; one that
rounds down pays less. Both are allowed for by whoever compares.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from replay.odds import figures
from replay.rules import Pack, Table, Wager

EXACT: Final = frozenset({"boule", "craps", "sic_bo", "four_card_poker", "three_card_poker", "texas_holdem_bonus"})
"""Games whose figures hold for every bet."""
AT_MOST: Final[dict[str, dict[str, float]]] = {
    "casino_holdem": {"aa_bonus": 0.0},
    "mahjong_pai_gow": {"win": 1.0, "lose": 1.0, "pair": 21 / 23},
    "monte": {"vista_hermosa": 0.0},
    "triple_joc": {"war": 1.0, "poker": 0.0},
}
"""What a wager gives back at most in the mean, by game; 0: the most that any of its figures says."""
OF_A_SHOE: Final = frozenset({"casino_war", "punto_banco", "trente_et_quarante"})
FIGURED: Final = EXACT | OF_A_SHOE | AT_MOST.keys()
"""Games that are judged by figures of their own."""
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
    if game not in FIGURED:
        return {}
    bounds = AT_MOST.get(game)
    found: dict[tuple[str, str], Worth] = {}
    for odds in figures(table.rules):
        if odds.by_strategy or (game in EXACT and not odds.holds(table.options)):
            continue
        if bounds is not None and odds.wager not in bounds:
            continue
        if odds.decks is not None and odds.decks != (table.decks or table.options.get("decks") or odds.decks):
            continue
        key = odds.wager, odds.pick
        back = float(1 - odds.edge)
        spread = max(1.0, float(odds.variance))
        if bounds is not None:
            worth = Worth(bounds[odds.wager] or back, 0.0, spread, _highest(table.rules.wagers[odds.wager]))
        elif game in OF_A_SHOE:
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


def prepare(packs: Iterable[Pack]) -> None:
    """Work out what `worths` rests on before a table asks for it: some games take a second, once in a process."""
    for pack in packs:
        for game, rules in sorted(pack.games.items()):
            if game in FIGURED:
                figures(rules)


def _highest(wager: Wager) -> float:
    prices = [wager.price] if wager.price is not None else list(wager.prices.values())
    return float(1 + max(price.ratio for price in prices)) if prices else 0.0
