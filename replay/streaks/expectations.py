"""What the house expects of its dealers: settings of a casino, against which dealers are watched.

As a file:

    errors = "1/500"            # a bet is settled wrongly at most so often
"""

from __future__ import annotations

import tomllib
from fractions import Fraction

import msgspec

from replay.chance import MIN_CHANCE, read_chance


class Expectations(msgspec.Struct, frozen=True):
    """Settings of one casino. Raises ValueError where a value is out of bounds."""

    errors: Fraction = Fraction(1, 500)
    """A bet is settled wrongly at most so often."""

    def __post_init__(self) -> None:
        if not MIN_CHANCE <= self.errors < 1:
            raise ValueError(f"errors: a chance from {MIN_CHANCE} to below 1, not {self.errors}")


def read_expectations(text: str) -> Expectations:
    """Settings from the text of a file; what is not in it is as it is by itself. Raises ValueError naming the setting.

    >>> read_expectations('errors = "1/1000"').errors
    Fraction(1, 1000)
    """
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # and a whole number of thousands of digits
        raise ValueError(f"not TOML: {error}") from None
    except RecursionError:
        raise ValueError("not TOML: nested too deeply") from None
    for key in data:
        if key != "errors":
            raise ValueError(f"{key}: no such setting (there is: errors)")
    usual = Expectations()
    errors = data.get("errors", str(usual.errors))
    try:
        rate = read_chance(errors) if isinstance(errors, str) else None
    except ValueError:
        rate = None
    if rate is None:
        raise ValueError(f"errors: a chance as a string, as in '1/500', not {errors!r}")
    return Expectations(rate)
