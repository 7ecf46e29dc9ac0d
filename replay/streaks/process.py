"""An e-process under watch: its wealth, the level it may use, and the rounds that made it grow."""

from __future__ import annotations

from math import log10
from typing import Final

SAID_WITHIN: Final = 1.7782794100389228
"""A reading is said again when the wealth has grown or fallen by this factor, a quarter of a power of ten."""
MAX_WEALTH: Final = 1e300
"""Wealth is cut here. What is cut stays below what it would have been, so the guarantee stays."""
HEAVIEST: Final = 5
"""So many rounds are remembered as those that weigh most."""


class EProcess:
    """One e-process: a test martingale (or a mixture of some) against one null hypothesis.

    Whoever owns it tells it each gain with `multiply` or `become`, at the event that brought it. ``share`` is its part
    of the level of its table; the shares of all processes that a table can ever have add up to at most 1.
    """

    __slots__ = (
        "alarm_at",
        "alarmed",
        "code",
        "dealer",
        "ended",
        "heaviest",
        "look_at",
        "name",
        "observations",
        "peak",
        "peak_round",
        "peak_seq",
        "player",
        "said",
        "said_above",
        "said_below",
        "seat",
        "share",
        "since_seq",
        "touched",
        "wealth",
        "weighed",
        "weighs",
    )

    def __init__(
        self,
        code: str,
        name: str,
        share: float,
        look_at: str,
        *,
        alarm_at: float = MAX_WEALTH,
        player: str = "",
        dealer: str = "",
        seat: int = -1,
    ) -> None:
        """``code``: of the finding when it alarms; ``name``: unique among the processes of its session (``dice 2``);
        ``look_at``: one sentence on what to look at on the video; ``alarm_at``: the wealth at which it alarms by
        itself; ``seat`` -1: none. A detector makes it with `replay.streaks.detector.Detector.start`."""
        self.code = code
        self.name = name
        self.share = share
        self.look_at = look_at
        self.player = player
        self.dealer = dealer
        self.seat = seat
        self.wealth = 1.0
        self.observations = 0
        self.since_seq = 0
        """The event from which on it has watched; 0: nothing seen yet."""
        self.heaviest: list[tuple[float, int, int]] = []
        """The rounds that weigh most: (factor by which the round multiplied the wealth, round, its last seq)."""
        self.weighed = -1
        """The round that was last found to be one of them; its entry is still there."""
        self.weighs = 0.0
        """A round that multiplies the wealth by no more is not one of them."""
        self.alarmed = False
        self.ended = False
        """Nothing more will come (the dice were changed, the shoe is over). The watch says so when the round is over,
        and takes the process off its detector's list."""
        self.touched = False
        """Its wealth has changed since the watch last looked."""
        self.alarm_at = alarm_at
        """The wealth at which it alarms by itself."""
        self.peak = 1.0
        """The most that its wealth has ever been up to the event at which it reached the wealth of an alarm, and the
        event and round that brought it there: the guarantee is about ever reaching a wealth, so what was reached within
        a round alarms although the round goes on; and the wealth at that event is an e-value, as the most of a round is
        not."""
        self.peak_seq = 0
        self.peak_round = 0
        self.said = 0
        """What was last told of it: how many observations it had then."""
        self.said_below, self.said_above = 1 / SAID_WITHIN, SAID_WITHIN
        """Within these bounds its wealth is as good as what was last told."""

    def multiply(self, factor: float, seq: int, round_: int) -> None:
        """The wealth becomes ``factor`` times what it is, by the event ``seq`` of ``round_``."""
        self.become(self.wealth * factor, seq, round_)

    def become(self, wealth: float, seq: int, round_: int) -> None:
        """The wealth becomes ``wealth`` by the event ``seq`` of ``round_``: one more observation."""
        before = self.wealth
        self.wealth = MAX_WEALTH if wealth > MAX_WEALTH else wealth
        self.observations += 1
        if self.since_seq == 0:
            self.since_seq = seq
        self.touched = True
        if wealth > before > 0.0:
            factor = wealth / before
            if factor > self.weighs or self.weighed == round_:
                self._weigh(factor, seq, round_)
            if wealth > self.peak and (self.peak < self.alarm_at or not self.peak_seq):
                self.peak = wealth
                self.peak_seq = seq
                self.peak_round = round_

    def _weigh(self, factor: float, seq: int, round_: int) -> None:
        """A round that is one of the heaviest, already or by what it has just gained: keep them in order, the heaviest
        first, of equal ones the earlier. A round only grows."""
        heaviest = self.heaviest
        place = len(heaviest) - 1
        entry = (factor, round_, seq)
        if self.weighed == round_:
            while heaviest[place][1] != round_:
                place -= 1
            entry = (heaviest[place][0] * factor, round_, seq)
        elif place < HEAVIEST - 1:
            heaviest.append(entry)
            place += 1
        self.weighed = round_
        gain = entry[0]
        while place and gain > heaviest[place - 1][0]:
            heaviest[place] = heaviest[place - 1]
            place -= 1
        heaviest[place] = entry
        if len(heaviest) == HEAVIEST:
            self.weighs = heaviest[-1][0]

    @property
    def milli(self) -> int:
        """See `milli`."""
        return milli(self.wealth)


def spread(number: int, first: int) -> float:
    """The part of a level of the process of this number (from 0), where nobody knows how many there will be: half of it
    in equal parts among the ``first`` ones, a sixth among twice as many after them, a twelfth among four times as many,
    and so on. All together are 1 at most.

    >>> spread(0, 4) == spread(3, 4) == 1 / 8, spread(4, 4) == spread(11, 4) == 1 / 48
    (True, True)
    """
    block = (number // first + 1).bit_length()
    return 1 / (block * (block + 1) * (first << (block - 1)))


def milli(wealth: float) -> int:
    """Thousandths of the wealth's decimal logarithm; -300,000 where nothing is left."""
    return round(1000 * log10(wealth)) if wealth > 1e-300 else -300_000
