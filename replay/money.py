"""Money and odds: ints of minor units, exact ratios, rounding to the smallest chip. No float comes near."""

from __future__ import annotations

from fractions import Fraction

from replay.currencies import exponent


class Price:
    """What a winning stake is paid, as an exact ratio: ``Price(7, 6)`` is seven to six."""

    __slots__ = ("den", "num")

    def __init__(self, num: int, den: int = 1) -> None:
        assert num >= 0 and den > 0, (num, den)
        self.num = num
        self.den = den

    @classmethod
    def parse(cls, text: str) -> Price:
        """Read ``"7/6"`` or ``"7"``; raises ValueError."""
        return cls.of(Fraction(text))

    @classmethod
    def of(cls, ratio: Fraction) -> Price:
        """The price with this ratio of winnings to stake."""
        return cls(ratio.numerator, ratio.denominator)

    @property
    def ratio(self) -> Fraction:
        """Winnings for one unit staked."""
        return Fraction(self.num, self.den)

    def __str__(self) -> str:
        return f"{self.num}/{self.den}"

    def __repr__(self) -> str:
        return f"Price({self.num}, {self.den})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Price) and self.num * other.den == other.num * self.den

    def __hash__(self) -> int:
        return hash(self.ratio)


EVEN = Price(1)


def shown(amount: int, currency: str) -> str:
    """Minor units for people: ``1,234.50 EUR``, with the digits that the currency has.

    >>> shown(123450, "EUR"), shown(1500, "JPY"), shown(-1500, "KWD")
    ('1,234.50 EUR', '1,500 JPY', '-1.500 KWD')
    """
    sign = "-" if amount < 0 else ""
    digits = exponent(currency)
    if not digits:
        return f"{sign}{abs(amount):,} {currency}"
    whole, rest = divmod(abs(amount), 10**digits)
    return f"{sign}{whole:,}.{rest:0{digits}d} {currency}"


def payout(amount: int, num: int, den: int, unit: int, rounding: str) -> int:
    """``amount`` x ``num`` / ``den`` in multiples of ``unit`` (all minor units), rounded ``down``, ``nearest`` (an
    exact half goes up) or ``up``."""
    exact = amount * num
    step = den * unit
    if rounding == "down":
        return exact // step * unit
    if rounding == "nearest":
        return (2 * exact + step) // (2 * step) * unit
    assert rounding == "up", rounding
    return -(-exact // step) * unit
