"""Numbers as the sentences of findings say them."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def count_in_words(count: int) -> str:
    """``three``; in figures above ten."""
    return _WORDS[count] if 0 <= count < len(_WORDS) else str(count)


def part_in_words(part: Fraction) -> str:
    """``half``; any other part in figures: ``2/3``."""
    return "half" if part == Fraction(1, 2) else str(part)
