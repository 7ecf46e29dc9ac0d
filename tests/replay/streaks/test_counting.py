"""Stakes that follow the count: a counter is told from whoever merely plays high, or by a system."""

from itertools import product
from random import Random
from statistics import median

import pytest

from replay.cards import FRENCH_DECK
from replay.results import Settlement, Verdict
from replay.rules import Table
from replay.streaks.counting import HI_LO, CountBettor, Counting, growth
from tests.installed import PACKS
from tests.replay.streaks.told import told

BLACKJACK = Table(PACKS.game("AD-2025", "blackjack"))


class Night:
    """Rounds of blackjack for one player: some cards come, he wins or not, and stakes as he likes."""

    def __init__(self, seed, decks=6):
        self.random = Random(seed)
        self.watch = Counting(BLACKJACK, 1.0)
        self.decks = decks
        self.seq = 0
        self.number = 0
        self.shoe = []
        self.running = 0
        self.losses = 0

    def event(self, **fields):
        self.seq += 1
        return told(seq=self.seq, round=self.number, **fields)

    @property
    def true_count(self):
        return 52 * self.running / len(self.shoe)

    def load(self):
        self.shoe = list(FRENCH_DECK * self.decks)
        self.random.shuffle(self.shoe)
        self.running = 0
        self.watch.shoe_loaded(self.event(decks=self.decks, cards=None))

    def round(self, stake, won):
        if len(self.shoe) < 78:
            self.load()
        self.number += 1
        self.watch.round = self.number
        bet = f"b{self.number}"
        amount = stake(self)
        self.watch.bet_placed(self.event(bet=bet, wager="main", player="p1", seat=1, amount=amount))
        for _ in range(self.random.choice((9, 10, 11, 12))):
            card = self.shoe.pop()
            self.running += HI_LO[card[0]]
            self.watch.card_dealt(self.event(card=card, to=None))
        paid = amount if won else 0
        self.watch.settled(
            Settlement(
                "s", self.number, bet, "2026-01-01", "c", "p", "t", "blackjack", "AD-2025", "EUR", "d", "p1", 1, "main",
                "", amount, paid, 2 * paid, None, None, Verdict.UNCLAIMED, 0, "", (1,), 0, 0, 1,
            )
        )  # fmt: skip
        self.watch.round_over(told(closed_seq=self.seq, round=self.number))

    def rounds_until(self, wealth, stake, most=600):
        self.load()
        for number in range(1, most + 1):
            self.round(stake, self.random.random() < 0.43)
            if self.watch.running[0].peak >= wealth:
                return number
        return most + 1


def spread(high, low=10, at=2):
    """A counter: ``low`` below a true count, ``high`` from it on."""
    return lambda night: high if night.true_count >= at else low


@pytest.mark.parametrize("times", [1, 2, 3, 10, 1000])
def test_growth_is_what_it_says(times):
    exact = (times + 1) ** (times + 1) / times**times if times < 100 else (times + 0.5) * 2.718281828459045

    assert growth(times) == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("chances", [(0.5, 0.5), (0.1, 0.9), (0.02, 0.6), (0.0, 1.0)])
@pytest.mark.parametrize("counts", [(0, 5, 5, 0, -3, 8, 8, 1), (3, 3, 3, 3, 3, 3, 3, 3), (0, 9, 0, 9, 0, 9, 0, 9)])
def test_no_player_of_the_null_gains_in_the_mean(chances, counts):
    """Over all 256 ways in which eight stakes can be raised or not, with chances that hang on the last one."""
    mean = 0.0
    for raises in product((False, True), repeat=8):
        bettor = CountBettor()
        bettor.habit = 0
        likelihood = wealth = 1.0
        for raised, count in zip(raises, counts, strict=True):
            chance = chances[bettor.habit // 2]
            likelihood *= chance if raised else 1.0 - chance
            wealth = bettor.look(raised, count, 156)
            bettor.habit = 2 * raised
        mean += likelihood * wealth

    assert mean <= 1.0 + 1e-12


@pytest.mark.parametrize(
    "system",
    [
        lambda night: 10,
        lambda night: 10 if night.random.random() < 0.7 else 40,
        lambda night: 10 if night.number // 40 % 2 else 50,
        lambda night: 10 * 2 ** (night.losses % 5),
    ],
    ids=["flat", "at random", "high for a while", "doubling after losses"],
)
def test_whoever_does_not_count_is_left_alone(system):
    """40 nights of 200 rounds: at most one in 20 ever sees twenty times the stake."""
    beyond = 0
    for seed in range(40):
        night = Night(seed)
        night.losses = 0
        night.load()
        for _ in range(200):
            won = night.random.random() < 0.43
            night.round(system, won)
            night.losses = 0 if won else night.losses + 1
        beyond += night.watch.running[0].peak >= 20

    assert beyond <= 2


@pytest.mark.parametrize(("high", "at"), [(120, 2), (40, 1), (120, 3)])
def test_a_counter_is_seen_within_some_shoes(high, at):
    """A spread of 1 to 12, or of 1 to 4, without slips: the median is a few hours at a hundred rounds an hour."""
    delays = [Night(seed).rounds_until(1e6, spread(high, at=at)) for seed in range(11)]

    assert median(delays) <= 300


def test_a_counter_who_hides_one_raise_in_ten_is_seen_too():
    def stake(night):
        follows = night.random.random() >= 0.1
        return 120 if (night.true_count >= 2) == follows else 10

    assert median([Night(seed).rounds_until(1e6, stake, most=1000) for seed in range(7)]) <= 700


def test_the_count_is_unknown_after_a_hole_until_a_shoe_is_loaded():
    night = Night(1)
    night.load()
    night.round(lambda night: 10, True)
    night.watch.lost_sight()
    night.round(lambda night: 10, True)

    assert night.watch.running[0].observations == 0

    night.load()
    night.round(lambda night: 10, True)

    assert night.watch.running[0].observations == 1


def test_a_stake_is_what_lies_before_the_first_card():
    """Two stakes on two boxes, one raised, one taken back in part; a split stake comes later and does not count."""
    night = Night(1)
    watch = night.watch
    for bet, amount in (("a", 10), ("b", 20)):
        watch.bet_placed(night.event(bet=bet, wager="main", player="p1", seat=1, amount=amount))
    watch.bet_raised(night.event(bet="a", by=5))
    watch.bet_withdrawn(night.event(bet="b", amount=8))
    watch.card_dealt(night.event(card="5S", to=None))
    watch.bet_placed(night.event(bet="c", wager="main", player="p1", seat=1, amount=27))

    assert watch.players["p1"].stake == 27


@pytest.mark.parametrize(
    ("read", "turned", "count", "unseen"),
    [("6H", "6H", 1, 51), ("??", "6H", 1, 51), ("6H", "KD", -1, 51), ("6H", None, 1, 51), ("??", None, 0, 52)],
)
def test_a_hole_card_counts_as_what_it_is_when_it_is_turned(read, turned, count, unseen):
    night = Night(1, decks=1)
    watch = night.watch
    night.load()
    watch.card_dealt(night.event(card=read, to="dealer", up=False))
    if turned:
        watch.card_revealed(night.event(card=turned))

    assert (watch.running_count, watch.unseen) == (count, unseen)


def test_with_a_hole_card_every_number_of_packs_is_counted_that_the_table_has():
    rules = PACKS.game("US-NJ", "blackjack")

    assert [Counting(Table(rules, options={"decks": decks}), 1.0).decks for decks in range(1, 9)] == list(range(1, 9))
    assert Counting(Table(rules, decks=2), 1.0).decks == 2


def test_a_shuffler_cannot_be_counted():
    assert not Counting.serves(Table(PACKS.game("AD-2025", "blackjack"), options={"shoe": "continuous"}))
    assert Counting.serves(BLACKJACK)
