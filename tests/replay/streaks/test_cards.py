"""Cards out of a shoe: bets on order and composition are fair when the shoe is, and win when it is not."""

from itertools import permutations
from math import comb, log
from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.rules import Table
from replay.streaks.cards import INDEX, CardsOfShoe, OrderBettor
from replay.streaks.composition import ADDED, COPIES, KINDS, MISSING, PARTS, added, missing
from tests.installed import PACKS
from tests.replay.streaks.told import told

BACCARAT = Table(PACKS.game("AD-2025", "punto_banco"))


class Dealt:
    """A table's shoes, dealt to a detector; what is burned unseen is dealt as ``??`` where asked."""

    def __init__(self, game="punto_banco", **options):
        self.watch = CardsOfShoe(Table(PACKS.game("AD-2025", game), options=options), 1.0)
        self.seq = 0

    def shoe(self, cards, until=None):
        """Deal a shoe; how many cards it took for the order's wealth to reach ``until``, else 0."""
        self.seq += 1
        self.watch.shoe_loaded(told(seq=self.seq, decks=6, cards=None))
        for number, card in enumerate(cards, 1):
            self.seq += 1
            self.watch.card_dealt(told(seq=self.seq, card=card))
            if until is not None and self.watch.on_order.wealth >= until:
                return number
        return 0


def shuffled(random, deck=FRENCH_DECK * 6):
    cards = list(deck)
    random.shuffle(cards)
    return cards


# The bets are fair


def test_the_bet_on_order_is_fair_over_all_orders_of_a_shoe():
    """Seven different cards in one order, then in each of the 5,040: on average nothing is won, and some win."""
    wealths = []
    for order in permutations(range(3, 10)):
        bettor = OrderBettor()
        for card in range(3, 10):
            bettor.see(card, [0] * 52, 0)
        bettor.interrupt()
        left = [1 if 3 <= card < 10 else 0 for card in range(52)]
        wealth, unseen = 1.0, 7
        for card in order:
            wealth *= bettor.see(card, left, unseen)
            left[card] -= 1
            unseen -= 1
        wealths.append(wealth)

    assert sum(wealths) / len(wealths) == pytest.approx(1.0)
    assert max(wealths) > 2


@pytest.mark.parametrize("cut", [0, 1, 2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize(
    "changed", [missing(3, 7, 1), missing(3, 7, 2), missing(3, 7, 3), added(3, 7, 1), added(3, 7, 4)]
)
def test_a_bet_on_cards_that_are_missing_or_too_many_is_fair_wherever_the_shoe_is_cut(cut, changed):
    """Seven cards, three of a kind, over all orders. When more cards have come than there would be if some were
    missing, or might be one that is too many, a part of the stake is on what cannot be."""
    by_left, by_unseen = changed
    orders = list(permutations((0, 0, 0, 1, 1, 1, 1)))
    mean = sum(by_left[3 - order[:cut].count(0)] * by_unseen[7 - cut] for order in orders) / len(orders)

    assert mean <= 1.0 + 1e-12
    if cut <= 3:
        assert mean == pytest.approx(1.0)


@pytest.mark.parametrize(("number", "held"), [(1, 2), (-1, 4), (-2, 5)])
def test_a_bet_on_changed_packs_is_their_likelihood_ratio(number, held):
    """Against counting: all orders of three of seven cards, as they are and with so many of a kind fewer or more."""
    by_left, by_unseen = missing(3, 7, number) if number > 0 else added(3, 7, -number)
    fair, other = ((held_, 4) for held_ in (3, held))
    for seen in range(min(3, held) + 1):
        chances = [comb(held_, seen) * comb(rest, 3 - seen) / comb(held_ + rest, 3) for held_, rest in (fair, other)]

        assert by_left[3 - seen] * by_unseen[4] == pytest.approx(chances[1] / chances[0])


def test_no_fair_shoe_alarms():
    """300 shoes at a level of 1 in 1,000 each, 20 a night; the bench deals 10,000."""
    random = Random(2012)
    peaks = []
    for _ in range(15):
        table = Dealt()
        for _ in range(20):
            table.shoe(shuffled(random)[: random.randrange(220, 300)])
        peaks.append((table.watch.on_order.peak, table.watch.on_composition.peak))

    assert max(max(pair) for pair in peaks) < 1000


# What is not fair is seen


LEVEL = 1e6
"""A wealth that alarms where one false night in a hundred is allowed to a floor of a hundred tables."""


@pytest.mark.parametrize(
    ("again", "most"),
    [
        (lambda order, random: order, 12),
        (lambda order, random: order[280::-1], 12),
        (lambda order, random: order[100:] + order[:100], 12),
        (lambda order, random: shuffled(random, order[:100]) + order[200:260] + shuffled(random, order[100:200]), 130),
    ],
    ids=["unshuffled", "reversed", "cut", "slug"],
)
def test_an_order_that_repeats_alarms_within_a_dozen_cards(again, most):
    """Well within one repeat, after two shuffled shoes; a slug within a dozen cards of its own beginning."""
    delays = []
    for seed in range(20):
        random = Random(seed)
        table = Dealt()
        table.shoe(shuffled(random)[:281])
        order = shuffled(random)
        table.shoe(order[:281])
        delays.append(table.shoe(again(order, random), until=LEVEL))

    assert min(delays) > 0
    assert median(delays) <= most


def test_new_packs_that_were_never_shuffled_alarm_in_the_first_shoe():
    """The order of a new pack is known before it is seen."""
    assert 0 < Dealt().shoe(FRENCH_DECK * 6, until=LEVEL) <= 13


def test_packs_shuffled_alike_alarm_within_one_repeat():
    """Golden Nugget, 2012: the order of one pack, again and again within the shoe."""
    delays = [Dealt().shoe(shuffled(Random(seed), FRENCH_DECK) * 6, until=LEVEL) for seed in range(20)]

    assert max(delays) <= 2 * 52


def test_a_single_riffle_still_alarms_within_the_shoe():
    """Two halves let fall into each other once: rising sequences stay."""
    delays = []
    for seed in range(10):
        random = Random(seed)
        table = Dealt()
        order = shuffled(random)
        table.shoe(order)
        halves = [order[:156], order[156:]]
        riffled = [halves[random.random() >= len(halves[0]) / (len(halves[0]) + len(halves[1]))].pop(0) for _ in order]
        delays.append(table.shoe(riffled, until=LEVEL))

    assert min(delays) > 0


def test_a_shoe_with_half_of_its_sevens_taken_out_alarms_in_the_night():
    """Twelve of 24 are missing: within eleven shoes of 312 cards less those, the wealth is ten thousandfold."""
    random = Random(7)
    short = [card for card in FRENCH_DECK * 6 if card[0] != "7"] + ["7S", "7H", "7D", "7C"] * 3
    table = Dealt()
    for _ in range(11):
        table.shoe(shuffled(random, short)[:260])

    assert table.watch.on_composition.wealth > 1e4


def test_aces_added_to_a_shoe_alarm():
    """Six twos have become aces of spades: six more than there should be, in each shoe."""
    random = Random(3)
    heavy = [card for card in FRENCH_DECK * 6 if card[0] != "2"] + ["2S", "2H", "2D"] * 6 + ["AS", "AH", "AD"] * 2
    table = Dealt()
    for _ in range(15):
        table.shoe(shuffled(random, heavy)[:260])

    assert table.watch.on_composition.peak > 1e3


def shoes_until(wealth, pack, *, dealt=260, most=80, decks=6, seeds=11):
    """The median number of shoes until the composition's wealth is that; ``pack``: the cards of a shoe, by chance."""
    delays = []
    for seed in range(seeds):
        random, table = Random(seed), Dealt()
        for number in range(1, most + 1):
            table.watch.shoe_loaded(told(seq=1, decks=decks, cards=None))
            cards = pack(random)
            random.shuffle(cards)
            for card in cards[:dealt]:
                table.watch.card_dealt(told(seq=number, card=card))
            if table.watch.on_composition.wealth >= wealth:
                break
        delays.append(number)
    return median(delays)


def test_the_parts_of_the_money_are_all_of_it():
    assert sum(PARTS) == pytest.approx(1.0)
    assert len(PARTS) == sum(KINDS[of] for of, _, _ in MISSING + ADDED)


@pytest.mark.parametrize(("of", "part"), [(of, part) for of, part, _ in MISSING], ids=str)
def test_a_shoe_without_cards_of_each_kind_is_found_near_its_bound(of, part):
    """Shoes of six packs of which 260 cards are dealt. The bound: the likelihood ratio of whoever knows what is missing
    needs a million; here nobody knows which card it is, which costs the logarithm of the parts."""
    held = 6 * COPIES[of]
    number = max(1, round(part * held))
    kind = {0: lambda c: c == "7S", 1: lambda c: c[0] == "7", 2: lambda c: c[1] == "S", 3: lambda c: c[0] in "ATJQK"}[
        of
    ]

    def pack(random):
        cards = list(FRENCH_DECK * 6)
        inside = [card for card in cards if kind(card)]
        random.shuffle(inside)
        return [card for card in cards if not kind(card)] + inside[number:]

    gain = divergence_of(held, number, 312, 260)

    assert shoes_until(1e6, pack) <= 1.8 * log(1e6) / gain + 3


def divergence_of(held, number, cards, seen):
    """Of one shoe, of how many of a kind are among those seen, when ``number`` are missing; natural logarithm."""
    found = 0.0
    for of_kind in range(held - number + 1):
        if seen - of_kind > cards - held:
            continue
        there = comb(held - number, of_kind) * comb(cards - held, seen - of_kind) / comb(cards - number, seen)
        if there:
            found += there * log(there / (comb(held, of_kind) * comb(cards - held, seen - of_kind) / comb(cards, seen)))
    return found


def test_one_card_that_is_missing_for_twelve_hours_is_found():
    """Of 312 cards, five shoes an hour."""
    queen = FRENCH_DECK.index("QS")

    assert (
        shoes_until(1e6, lambda random: list(FRENCH_DECK[:queen] + FRENCH_DECK[queen + 1 :]) + list(FRENCH_DECK * 5))
        <= 60
    )


def test_a_pack_without_its_tens_that_is_dealt_to_the_last_card_is_found():
    """One pack, dealt whole, as at casino war: 48 of 52 cards, shuffled anew each time."""
    assert shoes_until(1e6, lambda random: [c for c in FRENCH_DECK if c[0] != "T"], decks=1, dealt=48, most=20) <= 8


# What the log may hold


def test_a_card_that_the_shoe_cannot_hold_ends_the_watch_over_the_shoe_but_not_over_the_next():
    table = Dealt()
    table.shoe(["AS"] * 7)

    assert not table.watch.known

    table.shoe(["AS"])

    assert table.watch.known


def test_a_shoe_of_another_size_is_not_watched():
    table = Dealt()
    table.watch.shoe_loaded(told(seq=1, decks=6, cards=300))

    assert not table.watch.known


def test_a_hole_leaves_the_wealth_and_forgets_the_shoe():
    table = Dealt()
    table.shoe(FRENCH_DECK)
    won = table.watch.on_order.wealth
    table.watch.lost_sight()

    assert won > LEVEL
    assert table.watch.on_order.wealth == won
    assert not table.watch.known

    table.watch.disowned()

    assert [process.wealth for process in table.watch.processes()] == [1.0, 1.0]


def test_a_shuffler_has_all_cards_back_each_round():
    table = Dealt("blackjack", shoe="continuous")
    table.shoe(["AS"] * 6)
    table.watch.round += 1
    table.watch.card_dealt(told(seq=99, card="AS"))

    assert table.watch.known
    assert table.watch.unseen == 311


def test_it_serves_games_with_a_shoe_alone():
    packs = {game: Table(rules) for name in ("AD-2022", "AD-2025") for game, rules in PACKS.pack(name).games.items()}

    assert sorted(game for game, table in packs.items() if CardsOfShoe.serves(table)) == [
        "baccarat_banque",
        "blackjack",
        "casino_war",
        "chemin_de_fer",
        "punto_banco",
        "trente_et_quarante",
        "triple_blackjack",
    ]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([*FRENCH_DECK, "??", "load", "hole", "round"]), max_size=400))
def test_it_takes_whatever_a_log_holds(log):
    """Wealth stays positive, and no card is counted that is not there."""
    watch = CardsOfShoe(BACCARAT, 0.25)
    for seq, what in enumerate(log, 1):
        if what == "load":
            watch.shoe_loaded(told(seq=seq, decks=None, cards=None))
        elif what == "hole":
            watch.lost_sight()
        elif what == "round":
            watch.round += 1
        else:
            watch.card_dealt(told(seq=seq, card=what))

    assert all(process.wealth > 0 for process in watch.processes())
    assert min(watch.left) >= 0
    assert set(INDEX.values()) == set(range(52))
