"""Cheats with cards, for `tests.bench.bench_cheats`: how a shoe was shuffled, what is in it, and who counts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from math import comb, log, sqrt
from random import Random
from typing import Final, NamedTuple

from replay.cards import FRENCH_DECK
from replay.rules import Table
from replay.streaks.cards import INDEX, CardsOfShoe
from replay.streaks.counting import HI_LO, CountBettor
from replay.streaks.mixture import tilted
from replay.streaks.process import EProcess
from tests import installed
from tests.bench.bench_cheats import (
    TWO_SIDED,
    Alarm,
    Bettor,
    Cheat,
    Watchable,
    cusum,
    divergence,
    of_categories,
    of_share,
    seen_as,
    z_of_chances,
)
from tests.replay.streaks.told import told

PACKS: Final = 6
SHOE: Final = 52 * PACKS
DEALT: Final = 39 * PACKS
"""So many cards of a shoe are dealt before it is changed: three quarters."""


class Card(NamedTuple):
    """One card from the shoe."""

    card: int
    """0 to 51: four times the rank's place, and the suit's."""
    first: bool
    """Of its shoe."""


_LOADED: Final = told(seq=1, decks=PACKS, cards=None)
_EVENTS: Final = [told(seq=1, card=card, to=None) for card in sorted(INDEX, key=INDEX.__getitem__)]


def shoes(which: Callable[[CardsOfShoe], EProcess]) -> Bettor:
    """The watch over a shoe, told each card."""
    watch = CardsOfShoe(Table(installed.PACKS.game("AD-2025", "punto_banco")), 1.0)

    def tell(seen: Card) -> float:
        if seen.first:
            watch.shoe_loaded(_LOADED)
        watch.card_dealt(_EVENTS[seen.card])
        return which(watch).wealth

    return tell


def dealt(shoe: Sequence[int]) -> Iterator[Card]:
    """The cards of one shoe until it is changed."""
    for number, card in enumerate(islice(shoe, DEALT)):
        yield Card(card, number == 0)


def packs() -> list[int]:
    """What should be in a shoe."""
    return list(range(52)) * PACKS


# --- order ------------------------------------------------------------------------------------------------------------


def repeated(kept: float, rng: Random) -> Iterator[Card]:
    """Each shoe lies in the order of the one before it, but for a share of its cards, which are shuffled among
    themselves."""
    shoe = packs()
    rng.shuffle(shoe)
    while True:
        yield from dealt(shoe)
        places = [place for place in range(SHOE) if rng.random() >= kept]
        moved = [shoe[place] for place in places]
        rng.shuffle(moved)
        for place, card in zip(places, moved, strict=True):
            shoe[place] = card


def of_an_order(kept: float) -> float:
    """The divergence of a card that lies where it lay before in this share of cases, else is any of 52."""
    again = kept + (1 - kept) / 52
    return of_share(again, 1 / 52) if kept < 1 else log(52)


class Followed:
    """Whether a card is one of those that followed the card before it in the last shoe, and the chance of that."""

    def __init__(self) -> None:
        self.last: list[set[int]] = [set() for _ in range(52)]
        self.now: list[set[int]] = [set() for _ in range(52)]
        self.left = [PACKS] * 52
        self.previous = -1

    def see(self, seen: Card) -> tuple[bool, float] | None:
        """None: nothing is foretold."""
        if seen.first:
            self.last, self.now = self.now, [set() for _ in range(52)]
            self.left = [PACKS] * 52
            self.previous = -1
        found = None
        if self.previous >= 0:
            followers = self.last[self.previous]
            chance = sum(self.left[card] for card in followers) / sum(self.left)
            if chance > 0:
                found = seen.card in followers, chance
            self.now[self.previous].add(seen.card)
        self.left[seen.card] -= 1
        self.previous = seen.card
        return found


def _followed(test: Callable[[], Alarm]) -> Alarm:
    alarm, pairs = test(), Followed()
    return lambda seen: alarm(pairs.see(seen))


def _of_half(seen: tuple[bool, float] | None) -> Sequence[float]:
    """The logarithm of the likelihood that half of the cards follow as they did."""
    if seen is None:
        return (0.0,)
    came, chance = seen
    more = (1 + chance) / 2
    return (log(more / chance) if came else log((1 - more) / (1 - chance)),)


ORDER: Final = Watchable(
    partial(shoes, lambda watch: watch.on_order),
    {"z-scores": partial(_followed, z_of_chances), "CUSUM": partial(_followed, partial(cusum, _of_half))},
    partial(repeated, 0.0),
    10 * DEALT,
)


# --- composition ------------------------------------------------------------------------------------------------------


def tampered(ranks: Sequence[int], most: int, more: float, rng: Random) -> Iterator[Card]:
    """Shoes with so many cards more (or fewer) of ``most`` of these ranks, any of them."""
    chosen = rng.sample(ranks, most)
    kinds = [card for card in range(52) if card // 4 in chosen]
    shoe = packs()
    if more < 0:
        for card in rng.sample(kinds * PACKS, -int(more)):
            shoe.remove(card)
    else:
        shoe += rng.sample(kinds * PACKS, int(more))
    while True:
        rng.shuffle(shoe)
        yield from dealt(shoe)


def of_a_shoe(copies: int, more: float) -> float:
    """The divergence a card, of how many of ``copies`` are among those dealt: hypergeometric, of the packs as they are
    from the packs as they should be. All of them and more are taken together: what a card too many shows at once is a
    finding of its own."""

    def law(kind: int, all_: int) -> list[float]:
        ways = comb(all_, DEALT)
        fewer = [comb(kind, number) * comb(all_ - kind, DEALT - number) / ways for number in range(copies)]
        return [*fewer, max(1 - sum(fewer), 0.0)]

    fair, cheat = law(copies, SHOE), law(copies + int(more), SHOE + int(more))
    return divergence(cheat, fair) / DEALT


RANK: Final = (1 / 13,) * 13
COMPOSITION: Final = Watchable(
    partial(shoes, lambda watch: watch.on_composition),
    {
        name: seen_as(lambda seen: seen.card // 4, begin)
        for name, begin in of_categories(
            RANK, *(tilted(RANK, [rank], by) for by in (0.5, -0.5) for rank in range(13))
        ).items()
    },
    partial(repeated, 0.0),
    10 * DEALT,
)
ANY: Final = range(13)
TENS: Final = range(9, 13)
_PACKS_NULL: Final = (
    "Null: the packs that were loaded, shuffled uniformly. Divergence: exact, of how many of the kind are among the"
    " cards dealt, divided by these"
)


# --- the count --------------------------------------------------------------------------------------------------------

POINTS: Final = [HI_LO[card[0]] for card in FRENCH_DECK * PACKS]
WINS: Final = 0.43
"""The player's share of rounds, by and large."""


class Looked(NamedTuple):
    """A player's stake in one round."""

    raised: bool
    """It is at least twice his smallest."""
    running: int
    unseen: int
    won: bool

    @property
    def true_count(self) -> float:
        """Hi-Lo, over the packs unseen."""
        return 52 * self.running / self.unseen


def rounds(rng: Random) -> Iterator[tuple[int, int]]:
    """The running count before each round, and the cards unseen: some ten a round, three quarters of a shoe."""
    while True:
        shoe = rng.sample(POINTS, SHOE)
        at = running = 0
        while at < DEALT:
            yield running, SHOE - at
            cards = rng.choice((9, 10, 11, 12))
            running += sum(shoe[at : at + cards])
            at += cards


def counter(since: int, slips: float, rng: Random) -> Iterator[Looked]:
    """A player who raises from a true count of ``since`` on, and not below, but for slips."""
    for running, unseen in rounds(rng):
        follows = rng.random() >= slips
        yield Looked((52 * running >= since * unseen) == follows, running, unseen, rng.random() < WINS)


def high_for_a_while(rng: Random) -> Iterator[Looked]:
    """A player who does not count: he raises in one of twenty rounds, and then for some ten in a row."""
    raised = False
    for running, unseen in rounds(rng):
        raised = rng.random() < (0.9 if raised else 0.05)
        yield Looked(raised, running, unseen, rng.random() < WINS)


def raises_from(spread: float) -> int:
    """The true count from which on whoever raises in equal steps to ``spread`` times as much at +4 lays twice as much
    or more, as the simulator's counter does."""
    return next(count for count in range(1, 5) if 1 + (spread - 1) * count / 4 >= 2)


def stakes() -> Bettor:
    """The bettor on one player's stakes."""
    bettor = CountBettor()

    def tell(seen: Looked) -> float:
        wealth = bettor.look(seen.raised, seen.running, seen.unseen)
        bettor.habit = 2 * seen.raised + seen.won
        return wealth

    return tell


def correlation() -> Alarm:
    """z-score of the correlation of raises with the true count, from the thirtieth round on."""
    rounds_ = 0
    raises = counts = squares = products = 0.0

    def tell(seen: Looked) -> bool:
        nonlocal rounds_, raises, counts, squares, products
        rounds_ += 1
        raises += seen.raised
        counts += seen.true_count
        squares += seen.true_count**2
        products += seen.true_count * seen.raised
        if rounds_ < 30:
            return False
        spread = (raises - raises**2 / rounds_) * (squares - counts**2 / rounds_)
        return spread > 0 and abs(products - raises * counts / rounds_) * sqrt(rounds_ / spread) > TWO_SIDED

    return tell


def _from_two_on(seen: Looked) -> Sequence[float]:
    """The logarithm of the likelihood that he raises from +2 on with one slip in ten, to that he does in one round of
    five."""
    chance = 0.9 if seen.true_count >= 2 else 0.1
    return (log(chance / 0.2) if seen.raised else log((1 - chance) / 0.8),)


COUNT: Final = Watchable(
    stakes,
    {"z-scores": correlation, "CUSUM": partial(cusum, _from_two_on)},
    high_for_a_while,
    500,
)


@lru_cache
def of_a_counter(since: int, slips: float) -> float:
    """The divergence of a raise, given the count, from raises that hang on the last round alone: information between
    raise and count, over 40,000 simulated rounds."""
    rng = Random("count")
    seen = list(islice(counter(since, slips, rng), 40_000))
    habits = [2 * before.raised + before.won for before in seen]
    raised, played = [0] * 4, [0] * 4
    for habit, now in zip(habits, seen[1:], strict=False):
        raised[habit] += now.raised
        played[habit] += 1
    total = 0.0
    for habit, now in zip(habits, seen[1:], strict=False):
        fair = raised[habit] / played[habit]
        chance = 1 - slips if now.true_count >= since else slips
        total += divergence((chance, 1 - chance), (fair, 1 - fair))
    return total / (len(seen) - 1)


_COUNT_NULL: Final = (
    "Null: raises hang on the last round, not on the count. Divergence: an estimate from 40,000 simulated rounds, of a"
    " raise given the count from the closest such habit. Fair: a player who plays high for a while."
)

CHEATS: Final = (
    Cheat(
        "Cards", "a shoe in the order of the last one", "of its cards keep their order", "cards",
        (0.2, 0.3, 0.4, 0.5, 0.7, 1.0), "{:.0%}", ORDER, repeated, of_an_order,
        "Null: a uniform shuffle. Divergence: of whether a card is the one that lay at its place, one of 52; whoever"
        " must first find the place among 234, forwards or backwards, needs log(468) more, 1.6 cards at least.",
        2_340, lambda kept: DEALT,
    ),
    Cheat(
        "Cards", "cards of one rank are missing", "of 24 missing", "cards",
        (4, 6, 8, 12, 24), "{:g}", COMPOSITION, lambda number, rng: tampered(ANY, 1, -number, rng),
        lambda number: of_a_shoe(24, -number), f"{_PACKS_NULL}.", 7_020,
    ),
    Cheat(
        "Cards", "tens and pictures are missing", "of 96 missing", "cards",
        (8, 12, 16, 24, 32), "{:g}", COMPOSITION, lambda number, rng: tampered(TENS, 4, -number, rng),
        lambda number: of_a_shoe(96, -number), f"{_PACKS_NULL}.", 7_020,
    ),
    Cheat(
        "Cards", "cards of one rank are too many", "more than 24", "cards",
        (4, 6, 8, 12), "{:g}", COMPOSITION, partial(tampered, ANY, 1), partial(of_a_shoe, 24),
        f"{_PACKS_NULL}; all 24 and more are taken together, for a card too many is a finding of its own.", 7_020,
    ),
    Cheat(
        "Cards", "a counter at blackjack with a spread", "from the minimum to so many times as much at +4", "rounds",
        (2, 2.5, 3, 5), "{:g}×", COUNT, lambda spread, rng: counter(raises_from(spread), 0.0, rng),
        lambda spread: of_a_counter(raises_from(spread), 0.0), _COUNT_NULL, 5_000,
    ),
    Cheat(
        "Cards", "a counter who raises from +2 on, and slips", "of rounds he does the opposite", "rounds",
        (0.02, 0.05, 0.1, 0.2, 0.3), "{:.0%}", COUNT, partial(counter, 2), partial(of_a_counter, 2), _COUNT_NULL, 5_000,
    ),
)  # fmt: skip
