"""Dealers: who errs more often than dealers may, in whose favour, and whose pace is far from the floor's.

One look a round, for what goes wrong within a round hangs together (an outcome misread is paid wrongly at every seat).

Errors. Null: *a bet is settled wrongly with a chance of at most the house's rate* (`Expectations.errors`, 1 in 500),
whatever came before; then a round of n bets holds a wrong one with a chance of at most n times that, however they hang
together. Alternative: 3 or 15 times as often.

Favour. Null: *a round that is wrong is as likely to be so in the player's favour as in the house's*. Alternative: in
four of five of a dealer's wrong rounds the same side gains.

Favour to one player. Null: both of these, for his bets under one dealer. Alternative: nine of ten of the errors in his
bets are in his favour, or against him, and there are as many as there may be, 5 or 25 times as many. It is watched from
his first error on: what has never happened need not be looked at in every round.

Pace. Null: *a round lasts, from its opening to its closing, at least ``least`` and at most ``most`` seconds in the
mean* (`Expectations.pace`), rounds above four times ``least`` counting as that long for the first. Alternative:
shorter, or longer, in the mean: stakes of a tenth to six tenths of the wealth on how far each round is from the bound
(I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", 2024).

Every bettor keeps half of its wealth for fresh starts, the k-th getting 1/(k(k+1)) of it, one after every 32 looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import Final

from replay.results import Round, Settlement, Verdict
from replay.rules import Table
from replay.streaks.detector import Detector
from replay.streaks.expectations import Expectations
from replay.streaks.process import EProcess
from replay.streaks.winnings import part

MATCH: Final = Verdict.MATCH
UNCLAIMED: Final = Verdict.UNCLAIMED
FRESH: Final = 32
TIMES: Final = (3.0, 15.0)
"""So much more often a dealer errs, by the alternatives."""
OFTEN: Final = (1.0, 5.0, 25.0)
"""And so much more often in one player's bets."""
SLOW: Final = (0.2, 0.6)
FAST: Final = (0.1, 0.3)
CAP: Final = 4
"""A round counts for at most so many times the shortest mean, against a dealer who is too fast."""


class Bettor:
    """A mixture of bets on one null, equal parts each, with fresh starts."""

    __slots__ = ("looks", "pocket", "process", "starts", "wealths")

    def __init__(self, process: EProcess, alternatives: int) -> None:
        self.process = process
        self.wealths = [0.5 / alternatives] * alternatives
        self.pocket = 0.5
        self.looks = 0
        self.starts = 0

    def look(self, factors: Sequence[float], seq: int, round_: int) -> None:
        """What each alternative's wealth is multiplied by, by the event ``seq`` of ``round_``."""
        self.looks += 1
        if self.looks % FRESH == 0:
            self.starts += 1
            fresh = self.pocket / (self.starts + 1)
            self.pocket -= fresh
            fresh /= len(self.wealths)
            self.wealths = [wealth + fresh for wealth in self.wealths]
        self.wealths = list(map(mul, self.wealths, factors))
        self.process.become(sum(self.wealths) + self.pocket, seq, round_)


@lru_cache(maxsize=1_024)
def error_factors(wrong: bool, chance: float) -> tuple[float, ...]:
    """For a round that is wrong with a chance of at most ``chance``; nothing is staked where that says nothing.

    >>> error_factors(True, 0.01)
    (3.0, 15.0)
    >>> sum(0.01 * up + 0.99 * down for up, down in zip(error_factors(True, 0.01), error_factors(False, 0.01)))
    2.0
    """
    if chance >= 1.0:
        return (1.0,) * len(TIMES)
    more = [min(times * chance, (1.0 + chance) / 2) for times in TIMES]
    return tuple(each / chance if wrong else (1.0 - each) / (1.0 - chance) for each in more)


def favour_factors(gain: int, chance: float) -> list[float]:
    """For a player's bets of a round under one dealer, of which one is wrong with a chance of at most ``chance``; he
    gained ``gain`` in all. In his favour first, then against him.

    >>> favour_factors(5, 0.01)
    [1.8, 9.0, 45.0, 0.2, 1.0, 5.0]
    """
    if chance >= 1.0:
        return [1.0] * (2 * len(OFTEN))
    factors = []
    for share in (1.8, 0.2) if gain >= 0 else (0.2, 1.8):
        for times in OFTEN:
            more = min(times * chance, (1.0 + chance) / 2) if times > 1.0 else chance
            factors.append(share * (more / chance) if gain else (1.0 - more) / (1.0 - chance))
    return factors


def pace_factors(seconds: float, least: float, most: float) -> list[float]:
    """For a round of so many seconds: too slow, too fast."""
    slow = seconds / most - 1.0
    fast = 1.0 - min(seconds, CAP * least) / least
    return [1.0 + stake * slow for stake in SLOW] + [1.0 + stake * fast for stake in FAST]


Pair = tuple[str, str, int]
"""Dealer, player's token, and seat where there is no token, else -1."""


class _Dealer:
    """The bettors on one dealer."""

    __slots__ = ("errors", "favour", "pace")

    def __init__(self, errors: Bettor, favour: Bettor, pace: Bettor) -> None:
        self.errors = errors
        self.favour = favour
        self.pace = pace


class Dealers(Detector):
    """Watches who deals at one table: errors, whom they favour, pace; a quarter of its share each, and a quarter for
    players under a dealer. Where no claims are reported, pace alone."""

    codes = ("dealer_errors", "dealer_pace")
    wants = ("round_over",)
    may_want = ("settled",)

    def __init__(self, table: Table, share: float) -> None:
        super().__init__(table, share)
        self.dealers: dict[str, _Dealer] = {}
        self.pairs: dict[Pair, Bettor] = {}
        self.claimed: list[Settlement] = []
        """Bets that were settled in this round."""
        self.settled = self.claimed.append
        self._expects: tuple[Expectations, float, tuple[int, int]] | None = None

    def _process(self, code: str, name: str, part_: float, look_at: str, dealer: str, player: str = "") -> EProcess:
        process = EProcess(code, name, self.share / 4 * part_, look_at, dealer=dealer, player=player)
        self.running.append(process)
        return process

    def _dealer(self, name: str) -> _Dealer:
        found = self.dealers.get(name)
        if found is None:
            share = part(len(self.dealers))
            found = self.dealers[name] = _Dealer(
                Bettor(
                    self._process(
                        "dealer_errors",
                        f"errors of dealer {name}",
                        share,
                        f"how dealer {name} reads results and cuts out payouts in the rounds that weigh most.",
                        name,
                    ),
                    len(TIMES),
                ),
                Bettor(
                    self._process(
                        "dealer_errors",
                        f"favour of dealer {name}",
                        share,
                        f"to whom dealer {name} hands over too much, or from whom he keeps what was due.",
                        name,
                    ),
                    2,
                ),
                Bettor(
                    self._process(
                        "dealer_pace",
                        f"pace of dealer {name}",
                        share,
                        f"what dealer {name} does between results: waiting for somebody, or hurrying past checks.",
                        name,
                    ),
                    len(SLOW) + len(FAST),
                ),
            )
        return found

    def _begin_pair(self, dealer: str, player: str, seat: int) -> None:
        who = player or f"seat {seat}"
        self.pairs[dealer, player, seat] = Bettor(
            self._process(
                "dealer_errors",
                f"favour of dealer {dealer} to {who}",
                part(len(self.pairs)),
                f"what passes between dealer {dealer} and {who} when bets are paid and collected.",
                dealer,
                player,
            ),
            2 * len(OFTEN),
        )

    def _expected(self, game: str) -> tuple[float, tuple[int, int]]:
        """The house's rate of errors, and the shortest and longest mean of the game's rounds; looked up once."""
        if self._expects is None or self._expects[0] is not self.expectations:
            self._expects = self.expectations, float(self.expectations.errors), self.expectations.pace_of(game)
        return self._expects[1:]

    def round_over(self, row: Round) -> None:
        """The round is told: one look at each dealer of it, and at each player under him."""
        seq, number = row.closed_seq, row.round
        rate, (least, most) = self._expected(row.game)
        if self.claimed:
            totals: dict[str, int] = {}
            wrong = False
            for settlement in self.claimed:
                verdict = settlement.verdict
                if verdict is not MATCH:
                    if verdict is UNCLAIMED:
                        continue
                    wrong = True
                dealer = settlement.dealer
                totals[dealer] = totals.get(dealer, 0) + 1
            gains = self._look_at_players(rate, seq, number) if wrong or self.pairs else {}
            for dealer, bets in totals.items():
                if dealer:
                    self._look_at(self._dealer(dealer), gains.get(dealer), bets * rate, seq, number)
            self.claimed.clear()
        if row.dealer and row.bets and row.opened_at_us and row.closed_at_us > row.opened_at_us:
            seconds = (row.closed_at_us - row.opened_at_us) / 1e6
            self._dealer(row.dealer).pace.look(pace_factors(seconds, least, most), seq, number)

    def _look_at_players(self, rate: float, seq: int, number: int) -> dict[str, int]:
        """A look at each player under a dealer. By dealer, for those in whose bets something was wrong, what was handed
        over beyond what was due, minor units."""
        bets: dict[Pair, int] = {}
        gains: dict[Pair, int] = {}
        """0 where a bet was left unsettled."""
        for settlement in self.claimed:
            verdict = settlement.verdict
            if verdict is UNCLAIMED:
                continue
            player = settlement.player
            key = settlement.dealer, player, -1 if player or settlement.seat is None else settlement.seat
            bets[key] = bets.get(key, 0) + 1
            if verdict is not MATCH:
                gains[key] = gains.get(key, 0) + settlement.difference
        of_dealers: dict[str, int] = {}
        for key, count in bets.items():
            dealer, player, seat = key
            if not dealer:
                continue
            gain = gains.get(key)
            if gain is not None:
                of_dealers[dealer] = of_dealers.get(dealer, 0) + gain
            pair = self.pairs.get(key)
            if pair is not None:
                if gain != 0:
                    pair.look(favour_factors(gain or 0, count * rate), seq, number)
            elif gain is not None:
                self._begin_pair(dealer, player, seat)
        return of_dealers

    def _look_at(self, dealer: _Dealer, gain: int | None, chance: float, seq: int, number: int) -> None:
        """Was the round wrong, and for whom? ``gain`` None: it was not."""
        dealer.errors.look(error_factors(gain is not None, chance), seq, number)
        if gain:
            dealer.favour.look([1.6, 0.4] if gain > 0 else [0.4, 1.6], seq, number)

    def lost_sight(self) -> None:
        """The round at hand is not seen to its end, and does not count."""
        self.claimed.clear()

    def disowned(self) -> None:
        self.dealers.clear()
        self.pairs.clear()
        self.running = []
        self.claimed.clear()
