"""How often the honest may be accused: a number of false alarms beside the level that bounds their chance."""

from math import comb


def at_most(level: float, alarms: int, nights: int) -> bool:
    """Whether so many alarms, in nights that do not hang on each other, go with a chance of at most ``level`` each: as
    many or more would come by chance in at least one of a thousand such floors.

    >>> at_most(0.05, 9, 100), at_most(0.05, 15, 100)
    (True, False)
    """
    fewer = sum(comb(nights, each) * level**each * (1 - level) ** (nights - each) for each in range(alarms))
    return 1 - fewer >= 0.001
