"""How soon a cheat is found: what a bench of the detectors is made of, and how it measures.

A *cheat* plays observations at a strength from a grid. They are told to the detector's own class and, beside it, to
what is usually done at the same nominal level, looked at after every observation, as a surveillance room does:

- chi-square of all categories since the start, once each is expected five times;
- z-scores of each category, or of a mean, since the start, at 3.2905, two-sided (not corrected for their number, as is
  usual), once five of each category are expected, or after thirty observations;
- CUSUM of the log-likelihood of one alternative that is named with each, alarm at log(1/a) (E. Page, 1954).

Delays are counted from the first observation under the cheat, and are medians over `RUNS` runs. A run that has not
alarmed at the cheat's horizon counts as longer than it. The bound that no test can beat is log(1/a)/KL in the mean,
with the divergence of one observation under the cheat from the null that comes closest to it (A. Wald, 1945). Where the
null is *the mean is at most m*, that divergence is the rate at which the best bettor's wealth grows (J. Honda and
A. Takemura, "An asymptotically optimal policy for finite support models in the multiarmed bandit problem", 2011): see
`growth_rate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import ceil, inf, log, sqrt
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

LEVELS: Final = (0.001, 0.000001)
RUNS: Final = 61
TWO_SIDED: Final = 3.2905
"""Of the normal law, at 0.001."""
CRITICAL: Final = {1: 10.828, 2: 13.816, 3: 16.266, 5: 20.515, 8: 26.124, 12: 32.909}
"""Of chi-square at 0.001, by degrees of freedom."""

Bettor = Callable[[Any], float]
"""Told an observation; the wealth now."""
Alarm = Callable[[Any], bool]
"""Told an observation; whether the test alarms now."""


class Watchable(NamedTuple):
    """What can be observed of one game, and the tests that look at it."""

    ours: Callable[[], Bettor]
    usual: dict[str, Callable[[], Alarm]]
    fair: Callable[[Random], Iterator[Any]]
    """Where all is as the null allows it at most."""
    night: int
    """So many observations are a fair night."""
    nights: int = 200


class Cheat(NamedTuple):
    """One cheat over a grid of strengths."""

    family: str
    title: str
    strength: str
    """What the grid is of, for an axis."""
    unit: str
    """What is counted."""
    grid: tuple[float, ...]
    label: str
    """A format of one strength."""
    watched: Watchable
    play: Callable[[float, Random], Iterator[Any]]
    divergence: Callable[[float], float]
    """Of one observation, natural logarithm."""
    basis: str
    """The null, and how the divergence was found."""
    horizon: int = 10_000
    begins: Callable[[float], int] = lambda strength: 0
    """So many observations are fair before it."""


class Row(NamedTuple):
    """What came out at one strength. `inf`: longer than the horizon in more than half of the runs."""

    label: str
    bounds: tuple[float, ...]
    """At each of `LEVELS`."""
    ours: tuple[float, ...]
    usual: dict[str, float]
    early: dict[str, float]
    """The share of runs in which a test had alarmed before the cheat began; their delays are left out."""


class Found(NamedTuple):
    """What came out of one cheat."""

    cheat: Cheat
    rows: list[Row]
    fair: dict[str, float]
    """The share of fair nights with an alarm, by test."""


# --- what is usually done ---------------------------------------------------------------------------------------------


def chi_square(chances: Sequence[float]) -> Alarm:
    """Of the categories that are observed."""
    counts = [0] * len(chances)
    least, critical = ceil(5 / min(chances)), CRITICAL[len(chances) - 1]
    observed, squares = 0, 0.0

    def tell(outcome: int) -> bool:
        nonlocal observed, squares
        squares += (2 * counts[outcome] + 1) / chances[outcome]
        counts[outcome] += 1
        observed += 1
        return observed >= least and squares / observed - observed > critical

    return tell


def z_scores(chances: Sequence[float]) -> Alarm:
    """Of each category."""
    counts = [0] * len(chances)
    least = ceil(5 / min(chances))
    spreads = [(chance, chance * (1 - chance) * TWO_SIDED**2) for chance in chances]
    observed = 0

    def tell(outcome: int) -> bool:
        nonlocal observed
        counts[outcome] += 1
        observed += 1
        return observed >= least and any(
            (count - observed * chance) ** 2 > spread * observed
            for count, (chance, spread) in zip(counts, spreads, strict=True)
        )

    return tell


def z_of_mean(mean: float, spread: float) -> Alarm:
    """Of a number with a known mean and standard deviation."""
    observed, total = 0, 0.0

    def tell(value: float) -> bool:
        nonlocal observed, total
        observed += 1
        total += value - mean
        return observed >= 30 and abs(total) > TWO_SIDED * spread * sqrt(observed)

    return tell


def z_of_chances() -> Alarm:
    """Of what comes or does not, each time with a chance that is known: (it came, its chance); None: no bet."""
    observed, total, variance = 0, 0.0, 0.0

    def tell(seen: tuple[bool, float] | None) -> bool:
        nonlocal observed, total, variance
        if seen is None:
            return False
        came, chance = seen
        observed += 1
        total += came - chance
        variance += chance * (1 - chance)
        return observed >= 30 and abs(total) > TWO_SIDED * sqrt(variance)

    return tell


def cusum(growth: Callable[[Any], Sequence[float]]) -> Alarm:
    """Of the logarithms of likelihood ratios, one for each alternative, that an observation brings."""
    sums: list[float] = []
    high = log(1 / LEVELS[0])

    def tell(seen: Any) -> bool:
        nonlocal sums
        more = growth(seen)
        sums = [max(0.0, before + each) for before, each in zip(sums or [0.0] * len(more), more, strict=True)]
        return max(sums) >= high

    return tell


def cusum_of(*alternatives: Sequence[float]) -> Alarm:
    """Of categories; each alternative is its likelihood ratios by outcome."""
    columns = [tuple(map(log, column)) for column in zip(*alternatives, strict=True)]
    return cusum(columns.__getitem__)


def seen_as(of: Callable[[Any], Any], test: Callable[..., Alarm], *args: Any) -> Callable[[], Alarm]:
    """A test that is told something made of the observation."""

    def begin() -> Alarm:
        alarm = test(*args)
        return lambda seen: alarm(of(seen))

    return begin


def of_categories(chances: Sequence[float], *alternatives: Sequence[float]) -> dict[str, Callable[[], Alarm]]:
    """All three, on categories. For two of them chi-square is the z-score, squared, and left out."""
    found: dict[str, Callable[[], Alarm]] = {
        "chi-square": partial(chi_square, chances),
        "z-scores": partial(z_scores, chances),
        "CUSUM": partial(cusum_of, *alternatives),
    }
    if len(chances) == 2:
        del found["chi-square"]
    return found


# --- what is played ---------------------------------------------------------------------------------------------------


def drawn(chances: Sequence[float], rng: Random) -> Iterator[int]:
    """Categories, by their chances, independent of each other."""
    outcomes = range(len(chances))
    while True:
        yield from rng.choices(outcomes, chances, k=64)


# --- the bound --------------------------------------------------------------------------------------------------------


def divergence(chances: Sequence[float], null: Sequence[float]) -> float:
    """Kullback-Leibler, of categories.

    >>> divergence([0.5, 0.5], [0.25, 0.75]) == 0.5 * log(0.5 / 0.25) + 0.5 * log(0.5 / 0.75)
    True
    """
    return sum(chance * log(chance / fair) for chance, fair in zip(chances, null, strict=True) if chance > 0)


def of_share(share: float, null: float) -> float:
    """Kullback-Leibler, of what comes or does not."""
    return divergence((share, 1 - share), (null, 1 - null))


def growth_rate(chances: Sequence[float], gains: Sequence[float], most: float = 1.0) -> float:
    """The best rate at which wealth grows when a constant part of it, at most ``most``, is staked on what wins
    ``gains`` of a stake with ``chances``: the divergence from the closest law under which it wins nothing in the mean.

    >>> abs(growth_rate([0.25, 0.75], [-1.0, 1.0]) - of_share(0.75, 0.5)) < 1e-9
    True
    """

    def rate(stake: float) -> float:
        return sum(chance * log(1 + stake * gain) for chance, gain in zip(chances, gains, strict=True) if chance > 0)

    low, high = 0.0, most * (1 - 1e-12)
    for _ in range(100):
        third = (high - low) / 3
        if rate(low + third) < rate(high - third):
            low += third
        else:
            high -= third
    return rate((low + high) / 2)


# --- measuring --------------------------------------------------------------------------------------------------------


def delays(cheat: Cheat, strength: float, rng: Random) -> tuple[list[float], dict[str, float]]:
    """One run: observations from the cheat's beginning to our alarm at each of `LEVELS`, and to the usual tests'. 0 and
    less: before it began; `inf`: not until the horizon."""
    ours = cheat.watched.ours()
    at: list[float] = []
    usual = dict.fromkeys(cheat.watched.usual, inf)
    waiting = [(name, begin()) for name, begin in cheat.watched.usual.items()]
    levels = len(LEVELS)
    number = -cheat.begins(strength)
    for seen in cheat.play(strength, rng):
        number += 1
        if len(at) < levels:
            wealth = ours(seen)
            while len(at) < levels and wealth * LEVELS[len(at)] >= 1:
                at.append(number)
        alarmed = [name for name, alarm in waiting if alarm(seen)]
        if alarmed:
            usual |= dict.fromkeys(alarmed, number)
            waiting = [(name, alarm) for name, alarm in waiting if name not in alarmed]
        if number == cheat.horizon or (len(at) == levels and not waiting):
            break
    return at + [inf] * (levels - len(at)), usual


def _median(found: Sequence[float]) -> float:
    """Of those from the cheat's beginning on."""
    after = [delay for delay in found if delay > 0]
    return median(after) if after else inf


def row(cheat: Cheat, strength: float) -> Row:
    """All runs at one strength."""
    rng = Random(f"{cheat.title} {strength}")
    runs = [delays(cheat, strength, rng) for _ in range(RUNS)]
    ours = [[run[0][index] for run in runs] for index in range(len(LEVELS))]
    usual = {name: [run[1][name] for run in runs] for name in cheat.watched.usual}
    kl = cheat.divergence(strength)
    return Row(
        cheat.label.format(strength),
        tuple(log(1 / level) / kl for level in LEVELS),
        tuple(map(_median, ours)),
        {name: _median(found) for name, found in usual.items()},
        {
            name: sum(delay <= 0 for delay in found) / RUNS
            for name, found in {"e-process": ours[0], **usual}.items()
            if min(found) <= 0
        },
    )


def false_alarms(watched: Watchable) -> dict[str, float]:
    """The share of fair nights with an alarm, by test."""
    rng = Random("fair")
    tests: dict[str, Callable[[], Alarm]] = {"e-process": lambda: _at_level(watched.ours()), **watched.usual}
    false = dict.fromkeys(tests, 0)
    for _ in range(watched.nights):
        waiting = [(name, begin()) for name, begin in tests.items()]
        for number, seen in enumerate(watched.fair(rng), 1):
            for name in [name for name, alarm in waiting if alarm(seen)]:
                false[name] += 1
                waiting = [(other, alarm) for other, alarm in waiting if other != name]
            if number == watched.night:
                break
    return {name: count / watched.nights for name, count in false.items()}


def _at_level(ours: Bettor) -> Alarm:
    return lambda seen: ours(seen) * LEVELS[0] >= 1


def measured(cheats: Sequence[Cheat]) -> Iterator[Found]:
    """Every cheat; games that are watched alike have their fair nights once."""
    fair: dict[int, dict[str, float]] = {}
    for cheat in cheats:
        shares = fair.get(id(cheat.watched))
        if shares is None:
            shares = fair[id(cheat.watched)] = false_alarms(cheat.watched)
        yield Found(cheat, [row(cheat, strength) for strength in cheat.grid], shares)


# --- in words ---------------------------------------------------------------------------------------------------------


def delay(cheat: Cheat, found: float) -> str:
    """A delay for people."""
    return f"> {cheat.horizon:,}" if found == inf else f"{found:,.0f}"


def ratio(found: float, bound: float) -> str:
    """Of a delay to its bound."""
    return "–" if found == inf else f"{found / bound:.2f}"


def figures(cheat: Cheat, found: Row) -> list[str]:
    """At each of `LEVELS` the bound, our delay and their ratio; and the usual tests' delays."""
    cells: list[str] = []
    for bound, ours in zip(found.bounds, found.ours, strict=True):
        cells += [f"{bound:,.0f}" if bound >= 10 else f"{bound:.1f}", delay(cheat, ours), ratio(ours, bound)]
    return cells + [delay(cheat, found.usual[name]) for name in cheat.watched.usual]


def told(found: Found) -> Iterator[str]:
    """One cheat as a table in text."""
    cheat = found.cheat
    yield f"{cheat.family}: {cheat.title}; {cheat.unit} to the alarm, in the median of {RUNS} runs"
    yield f"  {cheat.basis}"
    names = list(cheat.watched.usual)
    yield f"  {cheat.strength:>34} " + "".join(
        f"{name:>12}" for name in ("bound 1e-3", "e-process", "ratio", "bound 1e-6", "e-process", "ratio", *names)
    )
    for each in found.rows:
        columns = figures(cheat, each)
        early = ", ".join(f"{name} in {share:.0%}" for name, share in each.early.items())
        yield (
            f"  {each.label:>34} "
            + "".join(f"{column:>12}" for column in columns)
            + (f"   alarmed before it began: {early}" if early else "")
        )
    yield (
        f"  false alarms in {cheat.watched.nights:,} fair nights of {cheat.watched.night:,} {cheat.unit}: "
        + ", ".join(f"{name} {share:.1%}" for name, share in found.fair.items())
    )
