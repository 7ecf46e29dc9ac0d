"""Runs: outcomes that repeat themselves, as bets on repetition.

Each watcher bets, after an outcome, that the next one is the same again. What the null is differs by game:

- Craps: a point is made with 3/9, 4/10 or 5/11 (4 and 10, 5 and 9, 6 and 8) whatever came before: exact.
- Boule: the number before comes again with 1/9; sic bo: small after small or big after big with 105/216: exact.
- Punto banco: given the results so far (ties left out) the next one is the banker's with about 0.5068; what the cards
  that are gone change is far less than a hundredth but for a few coups at the end of a shoe. The bet is fair at a
  chance that is greater by a hundredth, so that wealth falls if all is well.
- Trente et quarante: red and black, where one of them wins, have a half each but for a few thousandths: again a
  hundredth more.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from replay.events import BallLanded, DiceRolled
from replay.results import Round
from replay.rules import Table
from replay.streaks.detector import Detector
from replay.streaks.dice import Point
from replay.streaks.mixture import Mixture, Ratios, tilted
from replay.streaks.process import Process

_COUP: Final = re.compile(r"player (\d) banker (\d)")

BANKER: Final = 0.5068
"""The banker's chance where the player's or the banker's hand wins, eight packs: 0.458597 / (0.458597 + 0.446247)
(E. Thorp, "The Mathematics of Gambling", 1984; the same figure comes out of `replay.games.punto_banco.odds`)."""
MARGIN: Final = 0.01


def repetition(chance: float) -> list[tuple[float, Ratios]]:
    """Bets that what repeats itself with ``chance`` at most does so far more often. Outcomes: 0 no, 1 yes."""
    null = (1 - chance, chance)
    more = [chance + (1 - chance) * part for part in (0.15, 0.4, 0.85)]
    return [(1.0, tilted(null, [1], to / chance - 1)) for to in more]


class Runs(Detector):
    """One process a table; see the module for what each game's bets are on."""

    def __init__(self, table: Table, share: float) -> None:
        super().__init__(table, share)
        self.started = 0
        self.point = Point()
        self.last = ""
        """What came last; empty: not known."""
        self._begin()

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Games whose outcomes follow each other with a known chance."""
        return table.rules.game in _BEGIN

    def _begin(self) -> None:
        self.started += 1
        game = self.table.rules.game
        name, look, self.bets = _BEGIN[game]
        name += "" if self.started == 1 else f" ({self.started})"
        self.process = Process("runs", name, self.share / (self.started * (self.started + 1)), look)
        self.running.append(self.process)
        self.bettors = {key: Mixture(repetition(float(chance))) for key, chance in self.bets.items()}

    def _bet(self, key: str, repeated: bool, seq: int) -> None:
        """The bets of each kind are played with an equal part of the money."""
        before = self.process.wealth
        bettor = self.bettors[key]
        held = bettor.wealth
        after = bettor.observe(repeated)
        self.process.become(before + (after - held) / len(self.bettors), seq, self.round)

    def _came(self, what: str, seq: int) -> None:
        key = self.last if self.last in self.bettors else "any"
        if self.last and key in self.bettors:
            self._bet(key, what == self.last, seq)
        self.last = what

    def dice_rolled(self, event: DiceRolled) -> None:
        """Craps: a point is made or lost. Sic bo: small or big."""
        if event.void is not None:
            return
        dice = event.dice
        total = sum(dice)
        if len(dice) == 2 and self.table.rules.game == "craps":
            point = self.point.number
            self.point.throw(total)
            if point > 0 and self.point.number == 0:
                made = total != 7
                if self.last == "made":
                    self._bet(f"{min(point, 14 - point)}", made, event.seq)
                self.last = "made" if made else "lost"
        elif len(dice) == 3 and self.table.rules.game == "sic_bo":
            self._came("triple" if dice[0] == dice[1] == dice[2] else "small" if total <= 10 else "big", event.seq)

    def ball_landed(self, event: BallLanded) -> None:
        """Boule."""
        if self.table.rules.game == "boule":
            self._came(str(event.number), event.seq)

    def round_over(self, row: Round) -> None:
        """Punto banco and trente et quarante: the coup's result."""
        if not row.verifiable or not row.outcome:
            return
        coup = _COUP.fullmatch(row.outcome)
        if coup is not None and "banker" in self.bettors:
            player, banker = int(coup[1]), int(coup[2])
            if player != banker:
                self._came("player" if player > banker else "banker", row.closed_seq)
        elif self.table.rules.game == "trente_et_quarante" and ": " in row.outcome:
            result = row.outcome.partition(": ")[2].partition(" and ")[0]
            if result not in ("refait", "null"):
                self._came(result, row.closed_seq)

    def lost_sight(self) -> None:
        """What came last is not known."""
        self.point.number = -1
        self.last = ""

    def disowned(self) -> None:
        """A new process."""
        self.process.ended = True
        self.lost_sight()
        self._begin()


_BEGIN: Final[dict[str, tuple[str, str, dict[str, Fraction | float]]]] = {
    "craps": (
        "points made in a row",
        "the dice, the hands that the shooter throws with, and whether the dice hit the far wall.",
        {"4": Fraction(3, 9), "5": Fraction(4, 10), "6": Fraction(5, 11)},
    ),
    "boule": ("numbers that repeat", "the wheel and how the ball is thrown.", {"any": Fraction(1, 9)}),
    "sic_bo": (
        "small and big that repeat",
        "the shaker: whether the dice turn at all.",
        {"small": Fraction(105, 216), "big": Fraction(105, 216)},
    ),
    "punto_banco": (
        "hands that win in a row",
        "the shoe: how it was shuffled, cut and loaded, and who bets with the run.",
        {"banker": BANKER + MARGIN, "player": 1 - BANKER + MARGIN},
    ),
    "trente_et_quarante": (
        "colours that repeat",
        "the shoe: how it was shuffled, cut and loaded, and who bets with the run.",
        {"any": 0.5 + MARGIN},
    ),
}
"""By game: the process's name, what to look at, and the chance of each kind of repetition."""
