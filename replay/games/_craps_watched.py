"""What there is to watch at craps under one law (`replay.watched`), and what a bet is worth that lies on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final, NamedTuple

import msgspec

from replay.games._craps_law import COMES, FIRE, LINES, MADE, ODDS, WAYS, CrapsWager
from replay.odds import Odds
from replay.rules import GameRules, Wager
from replay.watched import AtMost, Exact, Null, Repetition, Watchable

WATCHED: Final = Watchable(
    dice=2,
    points=MADE,
    runs=Repetition(
        name="points made in a row",
        look_at="the dice, the hands that the shooter throws with, and whether the dice hit the far wall.",
        chances={str(point): chance for point, chance in MADE.items()},
    ),
    null=Exact(),
    lying=Fraction(0),
)
"""No throw hangs on those before it, so that the odds hold for every bet that is laid before a throw, and a point is
made with 3/9, 4/10 or 5/11 (4 and 10, 5 and 9, 6 and 8) whatever came before."""

AGAINST: Final = ("dont_pass", "dont_come")
"""Line bets that win when the shooter loses."""
STEP: Final = Fraction(1, 20)
"""What a bet that lies is worth is rounded down to a multiple of this."""


class _Bet(NamedTuple):
    """A wager on one number, at a table of one kind: what it gives back in the mean, the stake included."""

    wager: Wager
    highest: Fraction
    """What it gives back at most."""
    least: Fraction
    most: Fraction
    """Stakes in full units and less differ."""

    @property
    def on_numbers(self) -> list[Fraction]:
        """What it gives back in the mean once it has its number, by the number; empty where it gets none."""
        wager = self.wager
        if wager.id not in LINES and wager.id not in COMES:
            return []
        assert wager.price is not None
        against = wager.id in AGAINST
        return [(1 + wager.price.ratio) * (1 - made if against else made) for made in MADE.values()]


def watched_under(rules: GameRules, figures: Iterable[Odds]) -> Watchable:
    """`WATCHED`, but for the wagers whose odds do not hold whatever the player does: a line bet that may be taken back
    when it has got a number on which it is worth less than a fresh one; and odds that are not paid fairly, for what
    what they are worth hangs on whether they rest. ``figures``: the game's odds under this law.

    Of bought and laid bets there is a bound: what they give back but for the vigorish, which may be handed over beside
    the stake, and is rounded. The fire bet is left out: what it is worth while it lies hangs on the points that are
    made by then.

    A bet that has no number yet, or gets none, is worth what it was when it was laid. At even money a pass line bet
    that has its number is still worth two thirds of a fresh one (4 and 10), as is a bet of the house on a don't pass
    that has; every other bet is worth more."""
    figures = list(figures)
    bets = list(_bets(rules, figures))
    contract = rules.law.contract_wagers
    unfair = {odds.wager for odds in figures if odds.wager in ODDS and odds.edge}
    revocable = {
        bet.wager.id
        for bet in bets
        if bet.wager.id not in contract and min(bet.on_numbers, default=bet.most) < bet.most
    }
    nulls: dict[str, Null | None] = dict.fromkeys(sorted(unfair | revocable | {FIRE} & set(rules.wagers)))
    nulls |= {name: AtMost(_without_vigorish(rules.wagers[name])) for name in ("buy", "lay") if name in rules.wagers}
    worth = min((_worth_lying(bet) for bet in bets if bet.wager.id not in nulls), default=Fraction(1))
    highest = {bet.wager.id: bet.highest for bet in bets if bet.wager.law_as(CrapsWager).pays_option}
    return msgspec.structs.replace(WATCHED, nulls=nulls, highest=highest, lying=worth // STEP * STEP)


def _without_vigorish(wager: Wager) -> Fraction:
    """What a bought or laid bet gives back in the mean, the stake included, on the best of its numbers."""
    back = []
    for number in map(int, wager.picks):
        pays = wager.price or wager.prices[str(number)]
        wins = MADE[number] if wager.id == "buy" else 1 - MADE[number]
        back.append(wins * (1 + pays.ratio))
    return max(back)


def _bets(rules: GameRules, figures: Iterable[Odds]) -> Iterator[_Bet]:
    found: dict[tuple[str, ...], list[Fraction]] = {}
    for odds in figures:
        table = [text for option in sorted(odds.options.items()) for text in option]
        found.setdefault((odds.wager, odds.pick, *table), []).append(1 - odds.edge)
    for (wager, *_), back in found.items():
        yield _Bet(rules.wagers[wager], _highest(rules, rules.wagers[wager]), min(back), max(back))


def _highest(rules: GameRules, wager: Wager) -> Fraction:
    prices = [wager.price] if wager.price is not None else list(wager.prices.values())
    options = wager.law_as(CrapsWager).pays_option.values()
    ratios = [price.ratio for price in prices] + [
        Fraction(to) for name in options for to in rules.options[name].choices
    ]
    return 1 + max(ratios)


def _worth_lying(bet: _Bet) -> Fraction:
    """What the stake is worth at least while it lies, of what it was worth when it was laid: to whoever follows the
    player, who reckons with ``most`` and has a stake that stands off back and no more; and to whoever stakes with the
    house, who reckons with ``least``."""
    wager, highest, least, most = bet
    gives_back = [least, most, *bet.on_numbers]
    bar = wager.law_as(CrapsWager).bar if wager.id in AGAINST else None
    stands_off = Fraction(0 if bar is None else WAYS[bar], 36)
    fresh = 1 - stands_off * max(1 / most - 1, Fraction(0))
    players = min(fresh, min(gives_back) / most)
    houses = (highest - max(gives_back)) / (highest - least) if highest > least else Fraction(1)
    return min(players, houses)
