"""What a hand of circle poker is worth on the simulated floor, with 52 cards or fewer.

Nothing here is taken from the rules engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

RANKS: Final = "23456789TJQKA"


def kind_of(cards: Sequence[str]) -> int:
    """0 nothing, 1 a pair, 2 two pair, 3 three of a kind, 4 more: at a glance."""
    ranks = [card[0] for card in cards]
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if counts[0] >= 4 or (counts[0] == 3 and len(counts) > 1 and counts[1] >= 2):
        return 4
    if counts[0] == 3:
        return 3
    return min(2, counts.count(2))


def shown_by(cards: Sequence[str]) -> tuple[list[int], list[int]]:
    """How open cards compare."""
    ranks = [RANKS.index(card[0]) for card in cards]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return [count for count, _ in groups], [rank for _, rank in groups]


def low_rank(card: str) -> int:
    """What a card is in a low hand: 1, the ace, to 13."""
    return 1 if card[0] == "A" else RANKS.index(card[0]) + 2


def strength_of(cards: Sequence[str], deck_size: int) -> tuple[int, ...]:
    """The best five of these cards: class (8 straight flush … 0), then the ranks that decide."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    best = _of_ranks(ranks)
    lowest = len(RANKS) - deck_size // 4
    top = _straight(set(ranks), lowest)
    if top >= 0:
        best = max(best, (4, top))
    for suit in "SHDC":
        suited = [RANKS.index(card[0]) for card in cards if card[1] == suit]
        if len(suited) >= 5:
            flush_top = _straight(set(suited), lowest)
            flush = 7 if deck_size < 52 else 6
            if flush_top >= 0:
                best = max(best, (9, flush_top))
            best = max(best, (flush, *sorted(suited, reverse=True)[:5]))
    if best[0] == 5:  # a full house is above a flush, but with fewer than 52 cards
        best = (6 if deck_size < 52 else 7, *best[1:])
    return best


def _of_ranks(ranks: Sequence[int]) -> tuple[int, ...]:
    """Without suits and straights: 8 four of a kind, 5 full house, 3, 2, 1, 0."""
    groups = sorted(((min(4, ranks.count(rank)), rank) for rank in set(ranks)), reverse=True)
    (first, rank), rest = groups[0], groups[1:]

    def kickers(count: int, *used: int) -> list[int]:
        return [each for each in ranks if each not in used][:count]

    if first == 4:
        return (8, rank, *kickers(1, rank))
    if first == 3:
        pairs = [other for count, other in rest if count >= 2]
        return (5, rank, max(pairs)) if pairs else (3, rank, *kickers(2, rank))
    if first == 2:
        if rest and rest[0][0] == 2:
            return (2, rank, rest[0][1], *kickers(1, rank, rest[0][1]))
        return (1, rank, *kickers(3, rank))
    return (0, *ranks[:5])


def _straight(ranks: set[int], lowest: int) -> int:
    """The top of the highest straight; -1 without one. The ace also comes before the lowest rank in play."""
    for top in range(12, lowest + 3, -1):
        if all(top - step in ranks for step in range(5)):
            return top
    if 12 in ranks and all(lowest + step in ranks for step in range(4)):
        return lowest + 3
    return -1
