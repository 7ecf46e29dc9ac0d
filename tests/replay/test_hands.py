"""Hand ranking against an independent evaluator, and against the published number of hands of each class."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards import FRENCH_DECK
from replay.hands import (
    DEUCE_TO_SEVEN,
    EIGHT_OR_BETTER,
    FIVE,
    FOUR,
    HIGH_TO_TWO,
    JOKER,
    RAZZ,
    STANDARD,
    THREE,
    TWO,
    VALUE,
    Low,
    Ranking,
    deals,
    legible,
    pai_gow,
    stripped,
)


def cards(text: str) -> list[str]:
    return text.split()


def counted(ranking: Ranking, size: int) -> Counter[str]:
    """How many hands of ``size`` cards are of each class."""
    found: Counter[str] = Counter()
    for hand, weight in deals(size):
        found[ranking.name(ranking.best(hand))] += weight
    return found


# All five-card hands, by another's hand


@pytest.mark.slow
def test_all_five_card_hands_rank_as_an_independent_evaluator_has_them():
    """2,598,960 hands: the same 7,462 ranks in the same order (phevaluator counts them down from 7,462 to 1)."""
    evaluate = pytest.importorskip("phevaluator").evaluate_cards
    theirs = {card: evaluate_id for evaluate_id, card in _phevaluator_cards()}
    ours_by_theirs: dict[int, int] = {}
    hands = 0
    for hand in combinations(FRENCH_DECK, 5):
        a, b, c, d, e = hand
        ours = FIVE.best(hand)
        if ours_by_theirs.setdefault(evaluate(theirs[a], theirs[b], theirs[c], theirs[d], theirs[e]), ours) != ours:
            pytest.fail(f"{hand} ranks otherwise than its equals")
        hands += 1
    ranks = [ours_by_theirs[their] for their in sorted(ours_by_theirs, reverse=True)]

    assert hands == 2_598_960
    assert len(ranks) == 7_462
    assert all(lower < higher for lower, higher in pairwise(ranks))


def _phevaluator_cards():
    """Phevaluator numbers the cards from the deuces up, four suits each."""
    return [(4 * (VALUE[rank] - 2) + suit, rank + name) for rank in HIGH_TO_TWO for suit, name in enumerate("CDHS")]


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=7, max_size=7, unique=True))
def test_the_best_five_of_seven_is_the_best_of_all_twenty_one(seven):
    assert FIVE.best(seven) == max(FIVE.best(five) for five in combinations(seven, 5))


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=5, max_size=6, unique=True))
def test_the_best_four_is_the_best_of_all_fours(hand):
    assert FOUR.best(hand) == max(FOUR.best(four) for four in combinations(hand, 4))


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=5, max_size=7))
def test_a_hand_with_a_card_twice_still_ranks(hand):
    """The cards stand, so five of a kind count as four and a fifth."""
    assert FIVE.best(hand) == max(FIVE.best(five) for five in combinations(hand, 5))


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=7, max_size=7, unique=True), st.permutations("SHDC"))
def test_suits_and_the_order_of_cards_never_count(seven, suits):
    other = [card[0] + suits["SHDC".index(card[1])] for card in reversed(seven)]

    assert FIVE.best(seven) == FIVE.best(other)


# Published numbers of hands


def test_deals_stand_for_all_hands():
    """Up to an exchange of suits 169 hands of two cards, 1,755 of three, 16,432 of four, 134,459 of five."""
    assert [(len(list(deals(size))), sum(ways for _, ways in deals(size))) for size in (1, 2, 3, 4)] == [
        (13, 52), (169, 1_326), (1_755, 22_100), (16_432, 270_725),
    ]  # fmt: skip
    assert (len(list(deals(5))), sum(ways for _, ways in deals(5))) == (134_459, 2_598_960)


def test_five_card_hands_of_52():
    assert counted(FIVE, 5) == {
        "royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3_744, "flush": 5_108,
        "straight": 10_200, "three_of_a_kind": 54_912, "two_pair": 123_552, "pair": 1_098_240, "high_card": 1_302_540,
    }  # fmt: skip


def test_three_card_hands():
    assert counted(THREE, 3) == {
        "straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1_096, "pair": 3_744,
        "high_card": 16_440,
    }  # fmt: skip


def test_the_best_four_of_five_cards():
    assert counted(FOUR, 5) == {
        "four_of_a_kind": 624, "straight_flush": 2_072, "three_of_a_kind": 58_656, "flush": 114_616,
        "straight": 101_808, "two_pair": 123_552, "pair": 1_047_552, "high_card": 1_150_080,
    }  # fmt: skip


def test_two_card_hands():
    assert counted(TWO, 2) == {"pair": 78, "high_card": 1_248}


def test_five_card_hands_of_a_deck_of_36():
    """Wikipedia, Six-plus hold 'em: the counts by class, A-6-7-8-9 being a straight."""
    ranking = stripped("6")
    found: Counter[str] = Counter()
    for hand, weight in deals(5):
        if not any(card[0] in "2345" for card in hand):
            found[ranking.name(ranking.best(hand))] += weight

    assert sum(found.values()) == 376_992
    assert found == {
        "royal_flush": 4, "straight_flush": 20, "four_of_a_kind": 288, "flush": 480, "full_house": 1_728,
        "straight": 6_120, "three_of_a_kind": 16_128, "two_pair": 36_288, "pair": 193_536, "high_card": 122_400,
    }  # fmt: skip


def test_five_card_hands_of_52_and_a_joker():
    """The published counts of a deck with a bug."""
    ranking = pai_gow("second")
    found = counted(ranking, 5)
    for hand, weight in deals(4):
        found[ranking.name(ranking.best([*hand, JOKER]))] += weight

    assert sum(found.values()) == 2_869_685
    assert found == {
        "five_aces": 1, "royal_flush": 24, "straight_flush": 180, "four_of_a_kind": 828, "full_house": 4_368,
        "flush": 7_804, "straight": 20_532, "three_of_a_kind": 63_360, "two_pair": 138_600, "pair": 1_215_024,
        "high_card": 1_418_964,
    }  # fmt: skip


def lows(low: Low) -> tuple[Counter[str], Counter[str]]:
    """How many hands without a pair there are with each top card, and how many low hands of each class."""
    tops: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    for hand, weight in deals(5):
        rank = low.best(hand)
        if rank is not None:
            classes[low.name(rank)] += weight
            if low.name(rank) == "high_card":
                tops["?A23456789TJQKA"[-rank >> 16 & 15]] += weight
    return tops, classes


def test_razz_hands():
    """Ace low, straights and flushes ignored: from 1,024 wheels to 506,880 king lows (Wikipedia, Lowball)."""
    tops, classes = lows(RAZZ)

    assert tops == {
        "5": 1_024, "6": 5_120, "7": 15_360, "8": 35_840, "9": 71_680, "T": 129_024, "J": 215_040, "Q": 337_920,
        "K": 506_880,
    }  # fmt: skip
    assert classes["high_card"] == 1_317_888
    assert classes["pair"] == 1_098_240


def test_eight_or_better_hands():
    tops, classes = lows(EIGHT_OR_BETTER)

    assert tops == {"5": 1_024, "6": 5_120, "7": 15_360, "8": 35_840}
    assert classes == {"high_card": 57_344}


def test_deuce_to_seven_hands():
    """Straights and flushes count against, the ace is high only: 1,020 suit patterns for each set of five ranks, and
    4, 14, 34 … sets under each top card."""
    tops, classes = lows(DEUCE_TO_SEVEN)

    assert tops == {
        "7": 4_080, "8": 14_280, "9": 34_680, "T": 70_380, "J": 127_500, "Q": 213_180, "K": 335_580, "A": 503_880,
    }  # fmt: skip
    assert classes["straight"] == 9_180
    assert classes["straight_flush"] + classes["royal_flush"] == 36


# What decides


def in_order(ranking: Ranking, *hands: str) -> bool:
    """Each hand beats the next."""
    ranks = [ranking.best(cards(hand)) for hand in hands]
    return all(higher > lower for higher, lower in pairwise(ranks))


def test_the_combination_decides_first_then_every_other_card():
    assert in_order(FIVE, "AS AH KD 7C 3S", "AD AC KS 7H 2D", "AD AC QS JH TD", "KD KC AS QH JD")
    assert in_order(FIVE, "AS AH 3D 3C 2S", "KD KC QS QH AD", "KS KH JS JH AC", "KS KH JS JH QC")
    assert in_order(FIVE, "3S 3H 3D 2C 2S", "2D 2C 2S AH AD")


def test_the_sixth_and_seventh_card_never_count():
    assert FIVE.best(cards("AS AH KD QC JS 9S 8H")) == FIVE.best(cards("AS AH KD QC JS 3S 2H"))


def test_the_ace_is_low_in_one_straight_and_there_is_no_wrap():
    assert in_order(FIVE, "AS KH QD JC TS", "KD QC JS TH 9D", "6D 5C 4S 3H 2D", "5D 4C 3S 2H AD", "AD AC AS KH QD")
    assert FIVE.name(FIVE.best(cards("KS AH 2D 3C 4S"))) == "high_card"
    assert in_order(THREE, "AS KH QD", "KD QC JS", "4D 3C 2S", "3D 2C AS", "AS KS 2S")
    assert in_order(FOUR, "AS KH QD JC", "5D 4C 3S 2H", "4D 3C 2S AH", "AS AH KD KC")


def test_an_order_of_its_own_in_three_and_four_cards():
    assert in_order(THREE, "4S 3S 2S", "2S 2H 2D", "AS KH QD", "AS KS JS", "AS AH KD", "AS KH JD")
    assert in_order(
        FOUR, "2S 2H 2D 2C", "AS KS QS JS", "2S 2H 2D 3C", "5S 4S 3S AS", "AS KH QD JC", "AS AH KD KC", "AS AH KD QC"
    )


def test_in_a_stripped_deck_the_flush_beats_the_full_house_and_the_ace_goes_before_the_lowest_rank():
    for lowest, straight, next_one in (
        ("6", "AS 6H 7D 8C 9S", "6S 7H 8D 9C TS"), ("7", "AS 7H 8D 9C TS", "7S 8H 9D TC JS"),
        ("8", "AS 8H 9D TC JS", "8S 9H TD JC QS"),
    ):  # fmt: skip
        ranking = stripped(lowest)
        assert ranking.name(ranking.best(cards(straight))) == "straight"
        assert in_order(ranking, "AS KS JS TS 9S", "AS AH AD KC KS", next_one, straight, "AS AH AD KC QS")


def test_the_wheel_is_the_second_straight_or_the_lowest():
    second, low = pai_gow("second"), pai_gow("low")

    assert in_order(second, "AS KH QD JC TS", "AS 2H 3D 4C 5S", "KS QH JD TC 9S", "6S 5H 4D 3C 2S")
    assert in_order(low, "AS KH QD JC TS", "KS QH JD TC 9S", "6S 5H 4D 3C 2S", "AS 2H 3D 4C 5S")
    assert in_order(second, "AS KS QS JS TS", "AS 2S 3S 4S 5S", "KS QS JS TS 9S")
    assert second.name(second.best(cards("AS 2S 3S 4S 5S"))) == "straight_flush"


def test_the_joker_completes_a_straight_or_a_flush_and_is_an_ace_otherwise():
    ranking = pai_gow("second")

    for hand, same in (
        ("XX AS AH AD KC", "AC AS AH AD KC"),
        ("XX KS KH QD QC", "AS KS KH QD QC"),
        ("XX 9S 8H 7D 6C", "TS 9S 8H 7D 6C"),
        ("XX 5S 4H 3D 2C", "AS 5S 4H 3D 2C"),
        ("XX AS KS 8S 6S", "QS AS KS 8S 6S"),
        ("XX KS QS JS TS", "AS KS QS JS TS"),
        ("XX 9S 7S 6S 5S", "8S 9S 7S 6S 5S"),
    ):
        assert ranking.best(cards(hand)) == ranking.best(cards(same)), hand
    assert ranking.name(ranking.best(cards("XX AS AH AD AC"))) == "five_aces"
    assert in_order(ranking, "XX AS AH AD AC", "AS KS QS JS TS")


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=4, max_size=4, unique=True))
def test_the_joker_is_the_best_of_what_it_may_be(four):
    """An ace, or whichever card makes a straight, a flush or a straight flush of the four."""
    ranking = pai_gow("low")
    best = 0
    for card in FRENCH_DECK:
        rank = ranking.best([*four, card])
        if card not in four and (
            card[0] == "A" or ranking.name(rank) in ("straight", "flush", "straight_flush", "royal_flush")
        ):
            best = max(best, rank)
    if sorted(card[0] for card in four) == ["A"] * 4:
        best = ranking.least("five_aces")

    assert ranking.best([*four, JOKER]) == best


def test_two_cards_compare_with_five_as_far_as_they_go():
    """VI of pai gow poker: the high hand must outrank the low hand; equal as far as two cards go is enough."""
    assert FIVE.best(cards("KS KH 7D 5C 2S")) >= TWO.best(cards("KD KC"))
    assert FIVE.best(cards("AS QH 7D 5C 2S")) >= TWO.best(cards("AD QC"))
    assert FIVE.best(cards("AS QH 7D 5C 2S")) < TWO.best(cards("AD KC"))
    assert FIVE.best(cards("QS QH 7D 5C 2S")) < TWO.best(cards("KD KC"))


def test_the_lowest_hand_is_the_best_low():
    def before(low: Low, *hands: str) -> bool:
        ranks = [low.best(cards(hand)) or 0 for hand in hands]
        return 0 not in ranks and all(lower > higher for lower, higher in pairwise(ranks))

    assert before(RAZZ, "AS 2S 3S 4S 5S", "AS 2H 3D 4C 6S", "2S 3H 4D 5C 6S", "AS 2H 3D 4C KS", "AS AH 2D 3C 4S")
    assert before(DEUCE_TO_SEVEN, "7S 5H 4D 3C 2S", "7S 6H 4D 3C 2S", "AS 2H 3D 4C 5S", "2S 2H 3D 4C 5S",
                  "6S 5H 4D 3C 2S", "7S 5S 4S 3S 2S")  # fmt: skip
    assert before(EIGHT_OR_BETTER, "AS 2S 3S 4S 5S", "7S 6H 5D 4C 3S", "8S 4H 3D 2C AS", "8S 7H 6D 5C 4S")
    assert EIGHT_OR_BETTER.best(cards("9S 4H 3D 2C AS")) is None
    assert EIGHT_OR_BETTER.best(cards("8S 8H 3D 2C AS KS QS")) is None
    assert EIGHT_OR_BETTER.best(cards("8S 8H 3D 2C AS 5H KD")) == EIGHT_OR_BETTER.best(cards("8S 5H 3D 2C AS"))


def test_exactly_two_own_cards_and_three_of_the_board():
    own, board = cards("AS KS 2H 2D"), cards("QS JS TH 2C 9D")

    assert FIVE.name(FIVE.best_with(own, board)) == "straight"
    assert FIVE.name(FIVE.best_with(cards("AS KH QD 2D"), cards("KS QS JS TS 2S"))) == "straight"
    assert EIGHT_OR_BETTER.best_with(cards("AS 2S KH KD"), cards("3S 4S 5S 9D 9H")) == EIGHT_OR_BETTER.best(
        cards("AS 2S 3S 4S 5S")
    )
    assert EIGHT_OR_BETTER.best_with(cards("AS KS KH KD"), cards("2S 3S 4S 5S 9H")) is None


def test_the_least_of_a_class_is_reached_by_all_its_hands():
    assert FIVE.best(cards("4S 4H 5D 3C 2S")) >= FIVE.least("pair", "4")
    assert FIVE.best(cards("3S 3H AD KC QS")) < FIVE.least("pair", "4")
    assert THREE.best(cards("QS 3H 2D")) >= THREE.least("high_card", "Q")
    assert THREE.best(cards("JS TH 8D")) < THREE.least("high_card", "Q")
    assert FIVE.best(cards("AS KH 4D 3C 2S")) >= FIVE.least("high_card", "A", "K")
    assert FIVE.best(cards("AS QH JD TC 9S")) < FIVE.least("high_card", "A", "K")
    assert FIVE.order == STANDARD


def test_only_the_52_cards_can_be_read():
    assert legible(FRENCH_DECK)
    assert not legible(["AS", "??"])
    assert not legible([JOKER])
    with pytest.raises(KeyError):
        FIVE.best(["AS", "KS", "QS", "JS", "??"])
