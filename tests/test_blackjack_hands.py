"""Hands of blackjack: points, the dealer's last card, splits, sevens."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from replay.blackjack_hands import DealerHand, DealerRule, Hand
from replay.blackjack_sevens import as_ratio, jackpot_prizes, sevens
from replay.cards import FRENCH_DECK
from replay.money import Price


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=1, max_size=12))
def test_a_hand_counts_its_aces_as_serves_it_best(cards):
    hand = Hand(1)
    for card in cards:
        hand.take(card)
    points = [(1, 11) if card[0] == "A" else (10,) if card[0] in "TJQK" else (int(card[0]),) for card in cards]
    sums = {0}
    for each in points:
        sums = {total + point for total in sums for point in each}
    within = [total for total in sums if total <= 21]

    assert hand.total == (max(within) if within else min(sums))
    assert hand.bust == (not within)


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=1, max_size=12))
def test_the_dealer_is_final_at_the_first_17_or_more(cards):
    dealt = DealerHand(DealerRule(stands_on=17))
    for card in cards:
        if not dealt.final:
            dealt.take(card)
    low = sum(1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in dealt.cards)
    high = low + 10 if any(card[0] == "A" for card in dealt.cards) else low

    assert dealt.total == (high if 17 <= high <= 21 else low)
    assert dealt.final == (dealt.total >= 17)


@given(st.lists(st.sampled_from(FRENCH_DECK), min_size=1, max_size=3))
def test_sevens_are_read_from_the_first_card_on_as_far_as_they_go(cards):
    made = sevens(cards)
    run = next((i for i, card in enumerate(cards) if card[0] != "7"), len(cards))

    assert len(made) == run
    if run > 1:
        assert ("suited" in made[-1]) == (len({card[1] for card in cards[:run]}) == 1)


def test_a_prize_is_read_exactly_or_not_at_all():
    assert [as_ratio(value) for value in (3, "7/2", "2.5")] == [3, Fraction(7, 2), Fraction(5, 2)]
    assert [as_ratio(value) for value in ("much", "1/0", -1, True, "")] == [None] * 5


@given(st.fractions(min_value=0, max_value=100))
def test_a_posted_jackpot_prize_never_lowers_the_minimum(posted):
    prizes, wrong = jackpot_prizes({"one_seven": Price(2)}, {"one_seven": str(posted)})

    assert prizes["one_seven"].ratio == max(posted, 2)
    assert bool(wrong) == (posted < 2)
