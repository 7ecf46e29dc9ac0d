"""Three-card poker, AD-2022 game 15, passage by passage: what the scenarios and the shared checks leave out."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.games.three_card_poker import STRATEGY, Dealers, fortuna, least_qualifying, odds, showdown, showdowns
from replay.hands import THREE
from tests.games.house_poker import CLOSE, END, bet, claim, dealer, hand, say, settle
from tests.installed import PACKS

RULES = PACKS.game("AD-2022", "three_card_poker")
DEALERS = Dealers()


def play(*events, **table):
    return settle("three_card_poker", *events, **table)


def rank(cards: str) -> int:
    return THREE.best(cards.split())


def qualifies(bank: int) -> bool:
    return bank >= least_qualifying(RULES)


# V, rulings


@pytest.mark.parametrize(
    ("cards", "pays", "extra"),
    [
        ("AS KS QS", 40, 5), ("AS 2S 3S", 40, 5), ("2S 2H 2D", 25, 4), ("AS KH QD", 6, 1), ("AS 2H 3D", 6, 1),
        ("KS AS 2S", 4, 0), ("2S 4S 9S", 4, 0), ("2S 2H AD", 1, 0), ("AS KH JD", None, 0), ("KS AH 2D", None, 0),
    ],
)  # fmt: skip
def test_v_fortuna_and_the_extra_ante(cards, pays, extra):
    """The extra-ante comes with every result of the ante, in one sum."""
    side = fortuna(RULES, rank(cards))
    assert (side.price.ratio, side.back) == ((pays, True) if pays else (0, False))
    for bank, ante_wins, ante_back in ((rank("JS TH 8D"), 1, True), (rank(cards), 0, True)):
        if ante_wins or qualifies(bank):
            ante, _ = showdown(RULES, rank(cards), bank)
            assert (ante.price.ratio, ante.back) == (ante_wins + extra, ante_back)
    if rank(cards) < rank("AS KS QS"):
        ante, _ = showdown(RULES, rank(cards), rank("AS KS QS"))
        assert (ante.price.ratio, ante.back) == (extra, False)


def test_v_the_dealer_plays_with_a_queen_or_better():
    assert qualifies(rank("QS 3H 2D"))
    assert qualifies(rank("2S 2H 3D"))
    assert not qualifies(rank("JS TH 8D"))


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=6, max_size=6, unique=True))
def test_v_exactly_one_line_of_the_settlement_table_holds(cards):
    player, bank = THREE.best(cards[:3]), THREE.best(cards[3:])
    ante, bet_ = showdown(RULES, player, bank)
    extra = {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1}.get(THREE.name(player), 0)

    if bank < rank("QD 3C 2H"):
        assert ante.net == 1 + extra and bet_.net == 0
    elif player > bank:
        assert ante.net == 1 + extra and bet_.net == 1
    elif player == bank:
        assert ante.net == extra and bet_.net == 0
    else:
        assert ante.net == extra - 1 and bet_.net == -1


# V, procedure


def test_v_a_straight_that_ties_keeps_the_ante_and_gets_the_extra():
    money, findings = play(
        bet("a", "ante"), CLOSE, hand("5H 6C 7D"), dealer("5S 6H 7S"), bet("p", "play"), claim("a", 1000, 1000),
        claim("p", 0, 1000), END,
    )  # fmt: skip

    assert (money, findings) == ({"a": (1000, 1000), "p": (0, 1000)}, [])


def test_v_the_chip_unit_rounds_the_sum_of_ante_and_extra_once():
    """5.50 five times and once again is 33.00: not 27.00 and 5.00."""
    money, _ = play(
        bet("a", "ante", 550), CLOSE, hand("5H 6H 7H"), dealer("5S 6D 8S"), bet("p", "play", 550), END, chip_unit=500
    )

    assert money["a"] == (3000, 550)


def test_v_fortuna_alone_has_nothing_to_decide_and_is_decided_when_the_hands_are_complete():
    start = [bet("f", "pair_plus"), CLOSE, hand("5H 5C 7D")]

    assert play(*start, dealer("5S 6D 8S"), claim("f", 1000, 1000), END) == ({"f": (1000, 1000)}, [])
    assert play(*start, dealer("5S 6D"), claim("f", 1000, 1000), dealer("8S"), END)[1] == [("settled_too_early", "f")]
    assert play(*start, dealer("5S 6D 8S"), say("play"), say("fold"), claim("f", 1000, 1000), END)[1] == [
        ("illegal_decision", 1), ("illegal_decision", 1),
    ]  # fmt: skip


def test_v_a_fold_keeps_fortuna_before_and_after():
    for first, second in ((say("fold"), claim("f", 1000, 1000)), (say("fold") + claim("f", 1000, 1000), [])):
        money, findings = play(
            bet("a", "ante"), bet("f", "pair_plus"), CLOSE, hand("5H 5C 7D"), dealer("5S 6D 8S"), first,
            claim("a", 0, 0),
            second, END,
        )  # fmt: skip
        assert (money, findings) == ({"a": (0, 0), "f": (1000, 1000)}, [])


def test_v_fortuna_and_ante_are_of_any_size_each():
    _, findings = play(bet("a", "ante", 500), bet("f", "pair_plus", 9000), bet("g", "pair_plus", 700, seat=2), CLOSE)

    assert findings == []


def test_v_bet_equals_the_ante():
    start = [bet("a", "ante", 1000), CLOSE, hand("AH 9C 4D"), dealer("QS 8D 3C")]
    for amount in (500, 999, 1001, 3000):
        assert ("stake_mismatch", "p") in play(*start, bet("p", "play", amount), END)[1]


# Exact figures


def test_the_published_counts_and_edge_of_fortuna():
    """Of the 22,100 hands, each by itself."""
    pays: Counter[int] = Counter()
    dealer_plays = 0
    for cards in combinations(FRENCH_DECK, 3):
        result = fortuna(RULES, THREE.best(cards))
        pays[result.price.num if result.back else -1] += 1
        dealer_plays += qualifies(THREE.best(cards))
    figures = next(odds(RULES))

    assert pays == {40: 48, 25: 52, 6: 720, 4: 1_096, 1: 3_744, -1: 16_440}
    assert dealer_plays == 15_380
    assert figures.wager == "pair_plus"
    assert figures.edge == Fraction(193, 5525)


def test_the_published_edge_where_three_of_a_kind_pays_thirty():
    """Casino City Times: 2.32 %. The counts are right, whatever the table."""
    won = 48 * 40 + 52 * 30 + 720 * 6 + 1_096 * 4 + 3_744

    assert round(Fraction(16_440 - won, 22_100) * 10_000) == 232


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=3, max_size=3, unique=True))
@settings(max_examples=3)
def test_the_dealers_hands_are_counted_as_one_by_one(own):
    counted: Counter[tuple[Fraction, Fraction]] = Counter()
    for bank in combinations([card for card in FRENCH_DECK if card not in own], 3):
        ante, stake = showdown(RULES, THREE.best(own), THREE.best(bank))
        counted[ante.net, stake.net] += 1
    quickly: Counter[tuple[Fraction, Fraction]] = Counter()
    for ways, (ante, stake) in showdowns(RULES, own, DEALERS):
        quickly[ante.net, stake.net] += ways

    assert +quickly == counted
    assert sum(counted.values()) == 18_424


def test_the_published_edge_of_ante_and_bet():
    """3.37 % of the ante where the extra-ante is 5-4-1 and the hand is played from queen, six, four (wizardofodds.com):
    2.01 % of all that is staked. That strategy is the best: below it a fold loses less, from it on it loses more."""
    _, ante, stake = odds(RULES)
    played = Fraction(sum(THREE.best(cards) >= STRATEGY for cards in combinations(FRENCH_DECK, 3)), 22_100)
    edge = ante.edge + played * stake.edge

    assert (ante.wager, stake.wager) == ("ante", "play")
    assert round(edge * 10_000) == 337
    assert round(edge / (1 + played) * 10_000) == 201
    for own, plays in (("QS 6H 4D", True), ("QS 6H 3D", False)):
        total = sum(ways * (one.net + other.net) for ways, (one, other) in showdowns(RULES, own.split(), DEALERS))
        assert (Fraction(total, 18_424) > -1) == plays
