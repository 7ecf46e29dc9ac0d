"""The house way of pai gow poker: how a dealer divides seven cards, by the rules that Foxwoods publishes.

The regulation (AD-2022 game 12, VI) has the dealer compose his two hands in the open and says no more; the rules here
are those of the field. Front is the low hand of two cards, back the high hand of five.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from replay.hands import JOKER, STRAIGHT, TWO, VALUE, PaiGow

ACE: Final = VALUE["A"]
KING: Final = VALUE["K"]
JACK: Final = VALUE["J"]
TEN: Final = VALUE["T"]
SEVEN: Final = VALUE["7"]


def as_ace(card: str) -> str:
    """A card where the joker is an ace."""
    return "AS" if card == JOKER else card


def low_rank(front: Sequence[str]) -> int:
    """The rank of two cards, the joker an ace."""
    return TWO.best([as_ace(card) for card in front])


def high_rank(ranking: PaiGow, back: Sequence[str]) -> int:
    """The rank of the best five of these cards. A second joker, which a faulty pack may hold, is an ace."""
    if back.count(JOKER) > 1:
        place = back.index(JOKER)
        back = [*back[: place + 1], *(as_ace(card) for card in back[place + 1 :])]
    return ranking.best(back)


def without(cards: Sequence[str], front: Sequence[str]) -> list[str]:
    """The cards that are left when ``front`` is taken out."""
    back = list(cards)
    for card in front:
        back.remove(card)
    return back


def foxwoods(cards: Sequence[str], ranking: PaiGow) -> tuple[str, str]:
    """The two cards that go in front. Where several cards would do, those that leave the best hand in back."""
    front = _complete_hand(cards, ranking)
    if front is not None:
        return front
    wanted = sorted(_front_values(Counter(_value(card) for card in cards)))
    return max(
        (pair for pair in combinations(cards, 2) if sorted(map(_value, pair)) == wanted),
        key=lambda pair: high_rank(ranking, without(cards, pair)),
    )


def _value(card: str) -> int:
    """The joker counts as an ace in pairs."""
    return ACE if card == JOKER else VALUE[card[0]]


def _of(counts: Counter[int], least: int, most: int) -> list[int]:
    """The ranks of which there are so many cards, the highest first."""
    return sorted((value for value, count in counts.items() if least <= count <= most), reverse=True)


def _complete_hand(cards: Sequence[str], ranking: PaiGow) -> tuple[str, str] | None:
    """Rule 4: a straight, a flush or a straight flush in back, with fewer than two pairs; None where it does not
    apply."""
    counts = Counter(_value(card) for card in cards)
    pairs = _of(counts, 2, 2)
    threes = _of(counts, 3, 3)
    straight = ranking.least(STRAIGHT)
    if _of(counts, 4, 7) or len(threes) + len(pairs) > 1 or high_rank(ranking, cards) < straight:
        return None
    best, front = (0, 0), None
    for pair in combinations(cards, 2):
        low = low_rank(pair)
        if low >= best[0]:
            high = high_rank(ranking, without(cards, pair))
            if high >= straight and (low, high) > best:
                best, front = (low, high), pair
    singles = _of(counts, 1, 1)
    if pairs and TEN <= pairs[0] <= KING and singles[0] == ACE:
        ace = next(card for card in cards if _value(card) == singles[0])
        beside = next(card for card in cards if _value(card) == singles[1])
        if low_rank((ace, beside)) > best[0]:
            return ace, beside
    return front


def _front_values(counts: Counter[int]) -> tuple[int, int]:
    """All the other rules: the ranks of the two cards in front."""
    fours, threes, pairs, singles = (_of(counts, *bounds) for bounds in ((4, 7), (3, 3), (2, 2), (1, 1)))
    if counts[ACE] >= 5:  # 1
        return (KING, KING) if KING in pairs else (ACE, ACE)
    if fours:  # 2
        return _beside_four(fours[0], [*threes, *pairs], singles)
    if threes:
        if len(threes) == 2:  # 3
            return threes[0], threes[0]
        if pairs:
            return pairs[0], pairs[0]
        return (ACE, singles[0]) if threes[0] == ACE else (singles[0], singles[1])  # 7
    if len(pairs) == 3:  # 5
        return pairs[0], pairs[0]
    if len(pairs) == 2:  # 6
        big, small = pairs
        together = big < JACK and singles[0] >= (ACE if big >= SEVEN else KING)
        return (singles[0], singles[1]) if together else (small, small)
    if pairs:  # 8
        return singles[0], singles[1]
    return singles[1], singles[2]  # 9


def _beside_four(four: int, others: list[int], singles: list[int]) -> tuple[int, int]:
    """Rule 2: four of a kind. ``others`` are the ranks that there are two or three of besides."""
    if others:
        return others[0], others[0]
    split = four >= JACK or (four >= SEVEN and singles[0] < KING)
    return (four, four) if split or len(singles) < 2 else (singles[0], singles[1])
