"""The exact odds of craps: every wager on every number, followed throw by throw to its decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from replay.games._craps_law import COMES, FIRE, LINES, MADE, ODDS, POINTS, WAYS, CrapsLaw, CrapsWager
from replay.games._craps_layout import PUSHES, STANDS, TRAVELS, Spot, next_point, numbers, slot, spots
from replay.games._craps_vigorish import Fees, fees_of
from replay.money import Price
from replay.odds import Odds
from replay.rules import GameRules, Wager


def odds(rules: GameRules) -> Iterator[Odds]:
    """Every wager on every number, followed throw by throw to its decision, for each option value that matters."""
    law = rules.law_as(CrapsLaw)
    layouts: dict[tuple[tuple[str, Any], ...], dict[tuple[str, int], Spot]] = {}
    for wager in rules.wagers.values():
        named = [*wager.law_as(CrapsWager).pays_option.values()]
        if law.vigorish is not None and wager.id in (*law.vigorish.of_stake, *law.vigorish.of_win):
            named.append(law.vigorish.when_option)
        if law.come_out is not None and wager.id in law.come_out.rest:
            named.append(law.come_out.unless_option)
        for number in [0] if wager.id in LINES or wager.id in COMES else numbers(wager):
            figures: dict[tuple[Any, ...], list[tuple[Fraction, Fraction, str]]] = {}
            for chosen in product(*(rules.options[name].choices or (False, True) for name in named)):
                options = {option.id: option.default for option in rules.options.values()}
                options.update(zip(named, chosen, strict=True))
                key = tuple(options.items())
                if key not in layouts:
                    layouts[key] = spots(rules, options)
                layout = layouts[key]
                fees = fees_of(law, wager.id, options)
                figures[chosen] = [
                    (*_worth(layout, layout[wager.id, number], stake, fees), assumes)
                    for stake, assumes in _stakes(layout[wager.id, number])
                ]
            for shown, found in _that_matter(named, figures):
                for edge, variance, assumes in found:
                    yield Odds(
                        wager=wager.id,
                        pick=str(number) if number else "",
                        options=shown,
                        edge=edge,
                        variance=variance,
                        assumes=assumes,
                    )


def _that_matter(
    named: list[str], figures: Mapping[tuple[Any, ...], list[tuple[Fraction, Fraction, str]]]
) -> Iterator[tuple[dict[str, str], list[tuple[Fraction, Fraction, str]]]]:
    """The figures by the options that change them, as text."""
    left = {tuple(zip(named, chosen, strict=True)): found for chosen, found in figures.items()}
    for name in named:
        fewer: dict[tuple[tuple[str, Any], ...], list[Any]] = {}
        for chosen, found in left.items():
            fewer.setdefault(tuple(pair for pair in chosen if pair[0] != name), []).append(found)
        if all(found == each[0] for each in fewer.values() for found in each):
            left = {chosen: each[0] for chosen, each in fewer.items()}
    for chosen, found in left.items():
        yield {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in chosen}, found


def _stakes(spot: Spot) -> list[tuple[int, str]]:
    """The stakes to look at: any, or where a price holds for full units only, such a unit and less."""
    fair = "fair dice, followed to its decision"
    if spot.wager.id in ODDS:
        return [(1, f"{fair}, within the limits of the odds, laid as soon as the number is known")]
    if not spot.unit:
        return [(1, fair)]
    return [(spot.unit, f"{fair}, stakes in full units of {spot.unit}"), (1, f"{fair}, stakes under {spot.unit}")]


State = tuple[Spot, int]
"""Where the stake lies, and the point."""


def _worth(layout: dict[tuple[str, int], Spot], spot: Spot, stake: int, fees: Fees) -> tuple[Fraction, Fraction]:
    """Edge and variance; a fee is exact, of a stake that is never taken back."""
    return _of_fire(spot.wager) if spot.wager.id == FIRE else _follow(layout, spot, stake, fees)


def _of_fire(wager: Wager) -> tuple[Fraction, Fraction]:
    """From all points made back to none: the mean and the mean square of what is won, by which points are made. A
    come-out that sets no point changes nothing."""
    comes = {point: Fraction(WAYS[point], sum(WAYS[each] for each in POINTS)) for point in POINTS}

    def ends(made: frozenset[int]) -> Fraction:
        pays = wager.prices.get(str(len(made)))
        return Fraction(-1) if pays is None else pays.ratio

    worth: dict[frozenset[int], tuple[Fraction, Fraction]] = {}
    for size in range(len(POINTS), -1, -1):
        for made in map(frozenset, combinations(POINTS, size)):
            net = ends(made)
            if size == len(POINTS):
                worth[made] = net, net * net
                continue
            lost = sum((comes[point] * (1 - MADE[point]) for point in POINTS), Fraction(0))
            mean: Fraction = lost * net
            square: Fraction = lost * net * net
            for point in POINTS:
                if point not in made:
                    chance = comes[point] * MADE[point]
                    mean += chance * worth[made | {point}][0]
                    square += chance * worth[made | {point}][1]
            again = 1 - sum((comes[point] * MADE[point] for point in made), Fraction(0))
            worth[made] = Fraction(mean, again), Fraction(square, again)
    mean, square = worth[frozenset()]
    return -mean, square - mean * mean


def _follow(layout: dict[tuple[str, int], Spot], spot: Spot, stake: int, fees: Fees) -> tuple[Fraction, Fraction]:
    """Edge and variance of a bet followed to its decision.

    A Markov chain over `State`: for each state the expected net win and its expected square are the averages over the
    36 throws of what the throw gives or of what the next state is worth; the equations are solved exactly.
    """
    starts = _starts(spot)
    states: dict[State, int] = {state: index for index, (state, _) in enumerate(starts)}
    rows: list[dict[int, Fraction]] = []
    rights: list[list[Fraction]] = []
    queue = list(states)
    for state in queue:
        row = {states[state]: Fraction(1)}
        right = [Fraction(0), Fraction(0)]
        for first, second in product(range(1, 7), repeat=2):
            here, point = state
            ruled = (here.on_point if point else here.come_out)[slot(first, second)]
            if ruled is STANDS or ruled is TRAVELS:
                there = here if ruled is STANDS else layout[here.wager.id, first + second]
                following = (there, next_point(point, first + second))
                if following not in states:
                    states[following] = len(states)
                    queue.append(following)
                index = states[following]
                row[index] = row.get(index, Fraction(0)) - Fraction(1, 36)
                continue
            net = Fraction(0) if ruled is PUSHES else Fraction(-1)
            if isinstance(ruled, Price):
                num, den = here.winnings(stake, ruled)
                net = Fraction(num, den * stake)
                if not fees.on_placing:
                    net -= fees.of_stake + fees.of_win * net
            if fees.on_placing:
                net -= fees.of_stake + fees.of_win * max(pays.ratio for pays in spot.pays)
            right[0] += net * Fraction(1, 36)
            right[1] += net * net * Fraction(1, 36)
        rows.append(row)
        rights.append(right)
    worth = _solve(rows, rights)
    weight = Fraction(sum(each for _, each in starts))
    mean = sum((each * worth[states[state]][0] for state, each in starts), Fraction(0)) / weight
    square = sum((each * worth[states[state]][1] for state, each in starts), Fraction(0)) / weight
    return -mean, square - mean * mean


def _starts(spot: Spot) -> list[tuple[State, int]]:
    """The states in which a bet is laid, with their weights."""
    wager, number = spot.wager.id, spot.number
    if wager in COMES:
        return [((spot, point), WAYS[point]) for point in POINTS]
    if wager == "pass_odds" or wager == "dont_pass_odds":
        return [((spot, number), 1)]
    if wager in ODDS:  # the come bet was laid on the first throw after the come-out
        return [((spot, next_point(point, number)), WAYS[point]) for point in POINTS]
    return [((spot, 0), 1)]


def _solve(rows: list[dict[int, Fraction]], rights: list[list[Fraction]]) -> list[list[Fraction]]:
    """The solutions of a system of linear equations, one row a state, by elimination."""
    size = len(rows)
    for pivot in range(size):
        row, right = rows[pivot], rights[pivot]
        scale: Fraction = row[pivot]
        assert scale != 0
        for column in row:
            row[column] /= scale
        rights[pivot] = right = [value / scale for value in right]
        for other in range(size):
            factor = rows[other].get(pivot, Fraction(0))
            if other == pivot or not factor:
                continue
            target = rows[other]
            for column, value in row.items():
                target[column] = target.get(column, Fraction(0)) - factor * value
            rights[other] = [mine - factor * theirs for mine, theirs in zip(rights[other], right, strict=True)]
    return rights
