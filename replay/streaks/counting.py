"""Stakes that follow the count: who raises when the shoe is rich in tens and aces, and only then?

This is *advantage play*: whoever counts in his head breaks no rule and cheats nobody. What is said of him says so.

The count is Hi-Lo: +1 for each 2 to 6 that has come, -1 for each ten, picture and ace (H. Dubner 1963; S. Wong,
Professional Blackjack, 1975); the true count is that over the packs not yet seen. Cards burned face down are not
counted: no player sees them. A stake is looked at before the first card of its round: the sum of a player's main
stakes, called *raised* where it is at least twice the smallest that he has laid at the table before.

Null: *whether a player raises hangs on whether he raised last time and on whether he won then, in a way that is his own
but stays the same, and not on the count*. That leaves room for whoever plays high for a while, or doubles after a loss
or a win. Four unknown chances, then, one for each pair of raised and won; whoever has just sat down has a fifth.
Alternative: he raises from a true count of 1, 2, 3 or 4 on, and not below, but for slips in 3, 10 or 25 of 100 rounds.

The e-process is the likelihood of the alternatives, mixed in equal parts, over the greatest likelihood that any such
player can have (L. Wasserman, A. Ramdas, S. Balakrishnan, "Universal inference", 2020): of a true player it is at most
the likelihood ratio, a martingale from 1 on, whatever his five chances are. It costs about half a unit of the natural
logarithm for each of them, and nothing else has to be known of him.

Tried on: flat stakes; stakes that are raised at random, or for a while; stakes that double after each loss (a
martingale); whales.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Final

from replay.events import BetPlaced, BetRaised, BetWithdrawn, CardDealt, CardRevealed, ShoeLoaded
from replay.results import Round, Settlement
from replay.rules import Table
from replay.streaks.cards import decks_of
from replay.streaks.detector import Detector, watched_at
from replay.streaks.process import MAX_WEALTH, EProcess

HI_LO: Final = dict.fromkeys("23456", 1) | dict.fromkeys("789", 0) | dict.fromkeys("TJQKA", -1)
RAISES_FROM: Final = (1, 2, 3, 4)
"""True counts."""
SLIPS: Final = (0.03, 0.1, 0.25)
CHANCES: Final = {
    (raised, *counts): tuple(1.0 - slip if raised == count else slip for count in counts for slip in SLIPS)
    for raised, *counts in product((False, True), repeat=1 + len(RAISES_FROM))
}
"""Raised or not; of each of `RAISES_FROM`, whether the count has reached it -> what each alternative gave for that."""
UNKNOWN: Final = 4
"""The habit of whoever has not laid a stake before."""


@lru_cache(maxsize=16_384)
def growth(times: int) -> float:
    """(k+1)^(k+1) / k^k, by multiplication alone; 1 for k = 0.

    >>> growth(0), growth(1), growth(2)
    (1.0, 4.0, 6.75)
    """
    result, base, exponent = 1.0, (times + 1) / times if times else 1.0, times
    while exponent:
        if exponent & 1:
            result *= base
        base *= base
        exponent >>= 1
    return (times + 1) * result


class CountBettor:
    """One player's stakes against the count. See the module for null and alternative."""

    __slots__ = ("experts", "fit", "habit", "raised", "rounds")

    def __init__(self) -> None:
        self.experts = [1.0 / (len(RAISES_FROM) * len(SLIPS))] * (len(RAISES_FROM) * len(SLIPS))
        """The likelihood of each alternative over the greatest of the null, times its part."""
        self.habit = UNKNOWN
        """Twice whether he raised last time, plus whether he won."""
        self.raised = [0] * 5
        self.rounds = [0] * 5

    def look(self, raised: bool, running: int, unseen: int) -> float:
        """A stake was laid at a running count, with so many cards unseen: the wealth now."""
        habit = self.habit
        rounds = self.rounds[habit]
        same = self.raised[habit] if raised else rounds - self.raised[habit]
        greatest = growth(same) / growth(rounds)
        # The greatest likelihood of the null has just been multiplied by ``greatest``.
        self.rounds[habit] = rounds + 1
        self.raised[habit] += raised
        rich = 52 * running
        chances = CHANCES[raised, *[rich >= count * unseen for count in RAISES_FROM]]
        self.experts = [wealth * (chance / greatest) for wealth, chance in zip(self.experts, chances, strict=True)]
        return sum(self.experts)


class _Player:
    """Who he is at the table, and what he did."""

    __slots__ = ("bettor", "net", "process", "raised", "smallest", "stake")

    def __init__(self, process: EProcess) -> None:
        self.process = process
        self.bettor = CountBettor()
        self.smallest = 0
        """The smallest stake that he has laid before; 0: none yet."""
        self.stake = 0
        """In the round at hand, minor units."""
        self.raised = False
        self.net = 0
        """What the round has brought him, minor units."""


class Counting(Detector):
    """Watches each player of a game whose wager is worth more to whoever counts, where it is dealt from a shoe."""

    codes = ("stakes_follow_count",)
    wants = (
        "shoe_loaded",
        "card_dealt",
        "card_revealed",
        "bet_placed",
        "bet_raised",
        "bet_withdrawn",
        "settled",
        "round_over",
    )

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.disowned()
        self.wager = self.watched.counted
        self.decks = decks_of(table)
        self.known = False
        self.running_count = 0
        self.unseen = 0

    @classmethod
    def serves(cls, table: Table) -> bool:
        watched = watched_at(table)
        return watched.shoe and bool(watched.counted) and table.options.get("shoe") != "continuous"

    def disowned(self) -> None:
        """Every player's process starts anew with his next stake."""
        self.players: dict[str, _Player] = {}
        self.stakes: dict[str, tuple[str, int]] = {}
        """Main bets of the round that lie before its first card: bet -> who, amount."""
        self.playing: list[_Player] = []
        self.dealt = False
        self.face_down = ""
        """The dealer's card that lies face down, as it was read."""
        self.known = False
        self.running = []

    def lost_sight(self) -> None:
        """Nobody knows the count until a shoe is loaded."""
        self.known = False
        self._clear()

    def _clear(self) -> None:
        self.stakes.clear()
        self.playing.clear()
        self.dealt = False
        self.face_down = ""

    # --- the count ------------------------------------------------------------------------------------------------

    def shoe_loaded(self, event: ShoeLoaded) -> None:
        """The count begins anew."""
        self.known = event.cards is None
        self.running_count = 0
        self.unseen = 52 * (event.decks or self.decks)

    def card_dealt(self, event: CardDealt) -> None:
        """A card that all players see; the first of a round ends the betting."""
        if event.to == "burn":
            return
        if not self.dealt:
            self.dealt = True
            if self.stakes:
                self._look(event.seq)
        if event.to == "dealer" and event.up is False:
            self.face_down = event.card
        self._count(event.card)

    def card_revealed(self, event: CardRevealed) -> None:
        """The dealer's card that lay face down: one that could not be read is seen now, one that was taken for another
        is counted as what it is. One that is never turned players do not see; it is counted all the same, for as a rule
        it is shown when the round ends."""
        read = HI_LO.get(self.face_down[:1])
        if read is not None and event.card[0] in HI_LO:
            self.running_count -= read
            self.unseen += 1
        if self.face_down:
            self._count(event.card)
            self.face_down = ""

    def _count(self, card: str) -> None:
        value = HI_LO.get(card[0])
        if value is not None:
            self.running_count += value
            self.unseen -= 1

    # --- the stakes -----------------------------------------------------------------------------------------------

    def bet_placed(self, event: BetPlaced) -> None:
        """A main stake before the deal."""
        if event.wager == self.wager and not self.dealt:
            who = event.player if event.player is not None else f"seat {event.seat}"
            self.stakes[event.bet] = who, event.amount
            if who not in self.players:
                process = self.start(
                    "stakes_follow_count",
                    f"stakes of {who}",
                    self.person("player"),
                    f"whether {who} watches every card, and what he stakes when many small ones have come.",
                    player=event.player or "",
                    seat=event.seat,
                )
                self.players[who] = _Player(process)

    def bet_raised(self, event: BetRaised) -> None:
        """More on a main stake."""
        known = None if self.dealt else self.stakes.get(event.bet)
        if known is not None:
            self.stakes[event.bet] = known[0], known[1] + event.by

    def bet_withdrawn(self, event: BetWithdrawn) -> None:
        """Less, or nothing."""
        known = None if self.dealt else self.stakes.get(event.bet)
        if known is not None:
            left = 0 if event.amount is None else known[1] - event.amount
            if left > 0:
                self.stakes[event.bet] = known[0], left
            else:
                del self.stakes[event.bet]

    def _look(self, seq: int) -> None:
        """The stakes of the round lie."""
        sums: dict[str, int] = {}
        for who, amount in self.stakes.values():
            sums[who] = sums.get(who, 0) + amount
        for who, stake in sums.items():
            player = self.players[who]
            self.playing.append(player)
            player.net = 0
            player.stake = stake
            smallest = player.smallest
            player.raised = bool(smallest) and stake >= 2 * smallest
            if smallest and self.known:
                wealth = player.bettor.look(player.raised, self.running_count, self.unseen)
                player.process.become(wealth, seq, self.round)
            player.smallest = min(smallest, stake) if smallest else stake

    def settled(self, settlement: Settlement) -> None:
        """What a stake of the round has brought."""
        if settlement.wager == self.wager and settlement.paid is not None and settlement.returned is not None:
            player = self.players.get(settlement.player or f"seat {settlement.seat}")
            if player is not None:
                player.net += settlement.paid + settlement.returned - settlement.stake

    def round_over(self, row: Round) -> None:
        """Whether they won is known: what they do next may hang on it."""
        for player in self.playing:
            player.bettor.habit = 2 * player.raised + (player.net > 0)
        self._clear()
