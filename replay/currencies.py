"""How many digits of each currency are behind the point: the minor units of ISO 4217.

The list is that of ISO 4217:2015, table A.1 ("list one"), as the maintenance agency publishes it, with amendments up to
number 179 (2025-05): the currencies whose minor unit is no hundredth. What CLDR has is for cash in daily life, and
another matter (no digits for the forint and the Colombian peso, where ISO has two).
"""

from __future__ import annotations

from typing import Final

USUAL: Final = 2
EXPONENTS: Final[dict[str, int]] = {
    **dict.fromkeys(
        ("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
         "XPF"), 0
    ),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}  # fmt: skip
"""Of those that have another number than `USUAL`."""


def exponent(currency: str) -> int:
    """The digits behind the point; `USUAL` for a code that is not known."""
    return EXPONENTS.get(currency, USUAL)
