"""A chance as people write it: ``1/500``, ``0.002``, ``2e-3``."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Final

MIN_CHANCE: Final = Fraction(1, 10**9)
"""What is less likely is no setting that anybody means."""
_MAX_LETTERS: Final = 40
_MAX_EXPONENT: Final = 20


def read_chance(text: str) -> Fraction:
    """The number, which may be any; raises ValueError for text that is none, or of more digits than any chance needs.

    >>> read_chance("1/500") == read_chance("2e-3")
    True
    """
    if len(text) > _MAX_LETTERS:
        raise ValueError(f"a number of more than {_MAX_LETTERS} letters")
    try:
        if "e" not in text.lower():
            return Fraction(text)
        number = Decimal(text)
    except (InvalidOperation, ZeroDivisionError):
        raise ValueError("not a number") from None
    if not number.is_finite() or abs(number.adjusted()) > _MAX_EXPONENT:  # as a fraction it could fill the memory
        raise ValueError(f"not a number with an exponent of at most {_MAX_EXPONENT}")
    return Fraction(number)
