"""Dealers: who errs more often than dealers may, in whose favour, and whose pace is far from that of his peers.

One look a round, for what goes wrong within a round hangs together (an outcome misread is paid wrongly at every seat).

Errors. Null: *a bet is settled wrongly with a chance of at most the house's rate* (`Expectations.errors`, 1 in 500),
whatever came before; then a round of n bets holds a wrong one with a chance of at most n times that, however they hang
together. Alternative: 3 or 15 times as often.

Favour. Null: *of the rounds that stay wrong, as many are in the players' favour under him as under the other dealers of
the table that night*. How many that are nobody need know: whoever is paid too little complains, and whoever is paid too
much does not, so that most of what stays wrong is in the players' favour under every honest dealer. Alternative: under
him it is another share, higher or lower (`FAVOURS`). His wrong rounds are played against theirs in blocks, one of the
one and all that are waiting of the other (R. Turner, A. Ly, P. Grünwald, "Generic E-variables for exact sequential
k-sample tests that allow for optional stopping", 2024): see `favour_factors`.

Favour to one player. Null: *a payout that is too high goes to any of the bets of that round on the same wager with the
same result alike, or to any of the players who have such bets*. How often the dealer errs, at which wagers, and how
much of it is put right, plays no part; whoever lays wagers that are hard to pay has more errors, and so has everybody
else who lays them. Alternative: the odds that it goes to him are 3, 10 or 40 times higher. It is watched from the first
payout on that was too high for him; that one is not counted.

Pace. Null: *in at most half of all cases he takes more than one and a half times as long as a peer does, and in at most
half of them a peer takes more than one and a half times as long as he does*. What is compared is the time that a dealer
can do something about, from "no more bets" to the last payout, with that of another dealer at the table that night who
had as many bets to settle, to within a power of two; each time of a peer once. How long customers take to come plays no
part. Alternative: in 6, 7.5 or 9.5 of ten cases.

Tried on: dead tables, with customers every 200 to 600 seconds; eight of ten underpayments put right; errors that all
lie in one player's complicated bets; dealers who are half as fast again as their peers. Not tried on: holes in the log.

Every bettor keeps half of its wealth for fresh starts, the k-th getting 1/(k(k+1)) of it, one after every 32 looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from math import fsum
from operator import mul
from typing import Final

from replay.events import BetsClosed, BetSettled, DealerOn
from replay.results import Round, Settlement, Verdict
from replay.rules import Table
from replay.streaks.detector import Detector
from replay.streaks.process import MAX_WEALTH, EProcess

MATCH: Final = Verdict.MATCH
UNCLAIMED: Final = Verdict.UNCLAIMED
OVERPAID: Final = Verdict.OVERPAID
FRESH: Final = 32
TIMES: Final = (3.0, 15.0)
"""So much more often a dealer errs, by the alternatives."""
FAVOURS: Final = (
    (0.9, 0.5), (0.97, 0.8), (0.6, 0.2),
    (0.1, 0.5), (0.03, 0.2), (0.4, 0.8),
)  # fmt: skip
"""By alternative: the share of what is wrong that is in the players' favour, under him and under the others."""
ODDS: Final = (3.0, 10.0, 40.0)
"""So many times higher are the odds that a payout that is too high goes to one player."""
TOLERATED: Final = 1.5
"""So many times as long as a peer a dealer may take."""
OFTENER: Final = (0.6, 0.75, 0.95)
"""In such a share of cases he takes longer than that, or a peer does, by the alternatives."""


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


@lru_cache(maxsize=4_096)
def favour_factors(his: tuple[int, int], theirs: tuple[int, int]) -> tuple[float, ...]:
    """For a block of his wrong rounds and one of the others', each (in the players' favour, against them). By
    alternative, the likelihood over that of the mean of both shares, weighted by the sizes of the blocks: at most 1 in
    the mean whatever share is true of both.

    >>> favour_factors((1, 0), (0, 1))[0] == 0.9 * 0.5 / (0.7 * 0.3)
    True
    """
    of_him, of_them = sum(his), sum(theirs)
    factors = []
    for share, other in FAVOURS:
        mean = (of_him * share + of_them * other) / (of_him + of_them)
        factor = 1.0
        for (fors, againsts), each in ((his, share), (theirs, other)):
            for _ in range(fors):
                factor *= each / mean
            for _ in range(againsts):
                factor *= (1.0 - each) / (1.0 - mean)
        factors.append(factor)
    return tuple(factors)


def to_him_factors(share: float, his: int, others: int) -> list[float]:
    """For payouts that were too high, ``his`` and those of ``others``, where each goes to him with a chance of at most
    ``share`` if all is well; however they hang together.

    >>> to_him_factors(0.5, 1, 0), to_him_factors(1.0, 1, 0)
    ([1.5, 1.8181818181818181, 1.951219512195122], [1.0, 1.0, 1.0])
    """
    return [(his * odds + others) / ((1.0 + share * (odds - 1.0)) * (his + others)) for odds in ODDS]


def pace_factors(his: float, peers: float) -> tuple[float, ...]:
    """For two times in seconds: too slow, too fast."""
    return _PACE[(his > TOLERATED * peers) + 2 * (peers > TOLERATED * his)]


_LONGER: Final = tuple(2 * share for share in OFTENER)
_NOT: Final = tuple(2 * (1 - share) for share in OFTENER)
_PACE: Final = (_NOT + _NOT, _LONGER + _NOT, _NOT + _LONGER)
"""Where neither takes longer than is tolerated, he does, a peer does."""

Pair = tuple[str, str, int]
"""Dealer, player's token, and seat where there is no token, else -1."""


class _Dealer:
    """The bettors on one dealer, and what they have not been told yet."""

    __slots__ = ("errors", "favour", "his", "pace", "taken", "theirs")

    def __init__(self, errors: Bettor, favour: Bettor, pace: Bettor, theirs: tuple[int, int]) -> None:
        self.errors = errors
        self.favour = favour
        self.pace = pace
        self.his = (0, 0)
        """Wrong rounds that no block has had yet: in the players' favour, against them."""
        self.theirs = theirs
        """Those of the others."""
        self.taken: dict[int, int] = {}
        """By the size of what was to settle: so many of the times at this table have been compared with, or passed
        over because they are his own."""

    def wrong(self, own: bool, gain: int, seq: int, round_: int) -> None:
        """A round was wrong, his own or another's."""
        more = (1, 0) if gain > 0 else (0, 1)
        if own:
            self.his = (self.his[0] + more[0], self.his[1] + more[1])
        else:
            self.theirs = (self.theirs[0] + more[0], self.theirs[1] + more[1])
        if any(self.his) and any(self.theirs):
            self.favour.look(favour_factors(self.his, self.theirs), seq, round_)
            self.his = self.theirs = (0, 0)


class Dealers(Detector):
    """Watches who deals at one table: errors, whom they favour, pace; a quarter of its share each, and a quarter for
    players under a dealer. Where no claims are reported there is nothing to watch."""

    codes = ("dealer_errors", "dealer_pace")
    wants = ("dealer_on", "bets_closed", "bet_settled", "round_over")
    may_want = ("settled",)

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.claimed: list[Settlement] = []
        """Bets that were settled in this round."""
        self.settled = self.claimed.append
        self.disowned()

    def disowned(self) -> None:
        """Every process starts anew, and nothing is known of any dealer."""
        self.dealers: dict[str, _Dealer] = {}
        self.pairs: dict[Pair, Bettor] = {}
        self.gone_wrong: dict[str, tuple[int, int]] = {}
        """By dealer, the wrong rounds of the night: in the players' favour, against them."""
        self.times: dict[int, list[tuple[str, float]]] = {}
        """By the size of what was to settle: who took how many seconds for it."""
        self.running = []
        self.lost_sight()

    def lost_sight(self) -> None:
        """The round at hand is not seen to its end, and does not count; nobody knows who deals now."""
        self.claimed.clear()
        self.dealing = ""
        self.closed_at: datetime | None = None
        """When there were no more bets; None: not seen."""
        self.paid_at: datetime | None = None
        """The last payout since."""
        self.paid = 0
        """Payouts since."""

    def _dealer(self, name: str) -> _Dealer:
        found = self.dealers.get(name)
        if found is None:
            part = self.person("dealer") / 4
            others = [wrong for other, wrong in self.gone_wrong.items() if other != name]
            found = self.dealers[name] = _Dealer(
                Bettor(
                    self.start(
                        "dealer_errors",
                        f"errors of dealer {name}",
                        part,
                        f"how dealer {name} reads results and cuts out payouts in the rounds that weigh most.",
                        dealer=name,
                    ),
                    len(TIMES),
                ),
                Bettor(
                    self.start(
                        "dealer_errors",
                        f"favour of dealer {name}",
                        part,
                        f"to whom dealer {name} hands over too much, or from whom he keeps what was due.",
                        dealer=name,
                    ),
                    len(FAVOURS),
                ),
                Bettor(
                    self.start(
                        "dealer_pace",
                        f"pace of dealer {name}",
                        part,
                        f"what dealer {name} does from the last bet to the last payout: waiting for somebody, or"
                        " hurrying past checks.",
                        dealer=name,
                    ),
                    2 * len(OFTENER),
                ),
                (sum(fors for fors, _ in others), sum(againsts for _, againsts in others)),
            )
        return found

    def _begin_pair(self, dealer: str, player: str, seat: int) -> None:
        who = player or f"seat {seat}"
        process = self.start(
            "dealer_errors",
            f"favour of dealer {dealer} to {who}",
            self.person("pair") / 4,
            f"what passes between dealer {dealer} and {who} when bets are paid and collected.",
            dealer=dealer,
            player=player,
        )
        self.pairs[dealer, player, seat] = Bettor(process, len(ODDS))

    # --- how fast -------------------------------------------------------------------------------------------------

    def dealer_on(self, event: DealerOn) -> None:
        """Another dealer: what lies between two is nobody's."""
        self.dealing = event.dealer
        self.closed_at = self.paid_at = None

    def bets_closed(self, event: BetsClosed) -> None:
        """No more bets: from now on it is the dealer's time."""
        if self.paid_at is not None:
            self._took(event.seq)
        self.closed_at = event.at
        self.paid_at = None
        self.paid = 0

    def bet_settled(self, event: BetSettled) -> None:
        """A payout."""
        self.paid_at = event.at
        self.paid += 1

    def _took(self, seq: int) -> None:
        """All that was decided is settled."""
        closed_at, paid_at, name = self.closed_at, self.paid_at, self.dealing
        self.closed_at = self.paid_at = None
        if closed_at is None or paid_at is None or not name or paid_at <= closed_at:
            return
        seconds = (paid_at - closed_at).total_seconds()
        size = self.paid.bit_length()
        times = self.times.setdefault(size, [])
        dealer = self._dealer(name)
        taken = dealer.taken.get(size, 0)
        while taken < len(times) and times[taken][0] == name:
            taken += 1
        if taken < len(times):
            dealer.pace.look(pace_factors(seconds, times[taken][1]), seq, self.round)
            taken += 1
        dealer.taken[size] = taken
        times.append((name, seconds))

    # --- how well -------------------------------------------------------------------------------------------------

    def round_over(self, row: Round) -> None:
        """The round is told: one look at each dealer of it, and at the players who were paid too much."""
        seq, number = row.closed_seq, row.round
        if self.paid_at is not None:
            self._took(seq)
        self.closed_at = None
        if not self.claimed:
            return
        totals: dict[str, int] = {}
        gains: dict[str, int] = {}
        """By dealer of something wrong: what was handed over beyond what was due, minor units; 0 where a bet was left
        unsettled."""
        too_high = False
        for settlement in self.claimed:
            verdict = settlement.verdict
            if verdict is UNCLAIMED:
                continue
            dealer = settlement.dealer
            totals[dealer] = totals.get(dealer, 0) + 1
            if verdict is not MATCH:
                gains[dealer] = gains.get(dealer, 0) + settlement.difference
                too_high = too_high or verdict is OVERPAID
        rate = float(self.expectations.errors)
        for dealer, bets in totals.items():
            if dealer:
                errors = self._dealer(dealer).errors
                errors.look(error_factors(dealer in gains, bets * rate), seq, number)
        for dealer, gain in gains.items():
            if dealer and gain:
                self._went_wrong(dealer, gain, seq, number)
        if too_high:
            self._too_high(seq, number)
        self.claimed.clear()

    def _went_wrong(self, dealer: str, gain: int, seq: int, number: int) -> None:
        fors, againsts = self.gone_wrong.get(dealer, (0, 0))
        self.gone_wrong[dealer] = (fors + (gain > 0), againsts + (gain < 0))
        for name, each in self.dealers.items():
            each.wrong(name == dealer, gain, seq, number)

    def _too_high(self, seq: int, number: int) -> None:
        """Payouts were too high: to whom, of those who had such bets?"""
        alike: dict[tuple[str, str, bool], dict[Pair, list[int]]] = {}
        """By dealer, wager and whether it had won: by player, bets and those paid too much."""
        for settlement in self.claimed:
            dealer, player, verdict = settlement.dealer, settlement.player, settlement.verdict
            if dealer and verdict is not UNCLAIMED:
                pair = dealer, player, -1 if player or settlement.seat is None else settlement.seat
                group = alike.setdefault((dealer, settlement.wager, bool(settlement.paid)), {})
                counts = group.setdefault(pair, [0, 0])
                counts[0] += 1
                counts[1] += verdict is OVERPAID
        factors: dict[Pair, list[list[float]]] = {}
        new: dict[Pair, None] = {}
        for group in alike.values():
            bets = sum(count for count, _ in group.values())
            wrong = sum(high for _, high in group.values())
            for pair, (count, high) in group.items():
                if wrong and pair in self.pairs:
                    share = max(count / bets, 1 / len(group))
                    factors.setdefault(pair, []).append(to_him_factors(share, high, wrong - high))
                elif high:
                    new[pair] = None
        for pair, found in factors.items():
            means = [fsum(each) / len(found) for each in zip(*found, strict=True)]
            self.pairs[pair].look(means, seq, number)
        for pair in new:
            self._begin_pair(*pair)
