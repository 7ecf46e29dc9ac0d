"""Runs: outcomes that repeat themselves, as bets on repetition.

Each bettor bets, after an outcome, that the next one is the same again. Which outcomes those are, and their chances, a
game states with the argument for them (`replay.watched.Repetition`); each null is exact, so that the wealth is a
martingale, whatever has been seen before and whatever is left of a shoe:

- Throws, the ball, rounds, points that are made or lost: *an outcome comes again with the chance stated*, whatever came
  before.
- Coups at baccarat: *the shoe was shuffled uniformly*. A coup ends by its own cards alone. Given all cards before, and
  which cards the coup took, every order of them in which they make up one complete coup is therefore equally likely,
  and `Orders` counts in how many of these the player wins, and the banker. The stake is laid before the coup, its odds
  are those of the count; a tie leaves it as it is. Of the bit that is uncertain about a winner, 0.955 is about the
  order of the cards (400 shoes): such a bet takes a twentieth longer than one at chances known beforehand, and needs no
  margin.

What a shuffle cannot know must not choose the coups that are looked at: whether one counts (is void, cannot be read, is
missing in the log) is taken not to hang on the order of its cards.

Alternative, of all: in a part of the cases (`PARTS`) the outcome comes again for certain, and falls by chance in the
others; after every outcome, or, where there are two that oppose each other, after one of them only. And, with an eighth
of the money, whatever slight persistence, or its opposite, shows in the long run (`Learner`).

Tried on: shoes cut anywhere; ties. Not tried on: holes in the log, and coups that nobody could verify.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

from replay.baccarat_hands import VALUES, Drawing, next_hand, total
from replay.events import BallLanded, CardDealt, DiceRolled
from replay.results import Round
from replay.rules import Table
from replay.streaks.detector import Detector, anew, watched_at
from replay.streaks.dice import Point
from replay.streaks.mixture import Mixture, Ratios
from replay.streaks.process import MAX_WEALTH

PARTS: Final = (0.15, 0.4, 0.85)
"""In so many of the cases an outcome comes again for certain, by the alternatives."""
MAX_LEARNT: Final = 1e250
"""A bettor so rich plays no more."""


class Learner:
    """A bettor who learns from what came how much to stake on repetition, or against it.

    Null: *an outcome comes again with the chance given.* Each time he stakes a part of what he has, which what came
    before decides: the sum of all surprises (how far what came lay above its chance) over the sum of their squares, and
    no more than half of what keeps him solvent (aGRAPA: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded
    random variables by betting", 2024).
    """

    __slots__ = ("_squares", "_surprises", "wealth")

    def __init__(self) -> None:
        self.wealth = 1.0
        self._surprises = 0.0
        self._squares = 10.0

    def observe(self, given: float, again: bool) -> float:
        """The wealth after an outcome that came again, or did not, with a chance of ``given`` that it would."""
        surprise = (1.0 if again else 0.0) - given
        stake = max(-0.5, min(0.5, self._surprises / self._squares))
        if self.wealth < MAX_LEARNT:
            self.wealth *= 1.0 + stake * surprise
        self._surprises += surprise
        self._squares += surprise * surprise
        return self.wealth


def repeats(given: float, part: float, chance: float) -> tuple[float, float]:
    """How much likelier it is under an alternative than under the null that the outcome is another, and that it is the
    same again. ``given``: its exact chance, all considered that is known when the stake is decided; ``chance``: as it
    was when the stake was laid, as nearly as one likes.

    >>> repeats(0.5, 0.5, 0.5)  # again with 1/2 + 1/2 * 1/2
    (0.5, 1.5)
    >>> other, again = repeats(0.25, 0.5, 0.5)
    >>> 0.75 * other + 0.25 * again
    1.0
    """
    odds = 1 + part / (chance * (1 - part))
    mean = given * odds + 1 - given
    return 1 / mean, odds / mean


_SPLITS: Final = {
    size: [
        (of_player, of_banker, list(permutations([at for at in range(size) if at not in of_player + of_banker])))
        for of_player in combinations(range(size), 2)
        for of_banker in combinations([at for at in range(size) if at not in of_player], 2)
    ]
    for size in (4, 5, 6)
}
"""By the number of a coup's cards: the places of the player's first two, of the banker's, and the orders of the others'
places."""


class Orders:
    """Coups under one law's tables of third cards."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.winners = lru_cache(maxsize=8192)(self._winners)
        self._third = [[self.next([0, player], [0, banker]) for banker in range(10)] for player in range(10)]
        """By the player's and the banker's total of two cards: whose the next card is."""
        self._answer = [[self.next([0, 0, card], [0, banker]) for card in range(10)] for banker in range(10)]
        """By the banker's total of two cards and the card that the player drew: the same."""

    def next(self, player: list[int], banker: list[int]) -> str:
        """Whose the next card is; empty where the coup is complete."""
        return next_hand(player, banker, self.drawing.draws, self.drawing.answers)

    def _winners(self, cards: tuple[int, ...]) -> tuple[int, int]:
        """In how many of the orders in which cards of these values (0 to 9, rising) make up one complete coup the
        player wins, and in how many the banker; both in the same measure."""
        player_wins = banker_wins = 0
        for (one, other), (third, fourth), orders in _SPLITS[len(cards)]:
            player = (cards[one] + cards[other]) % 10
            banker = (cards[third] + cards[fourth]) % 10
            hand = self._third[player][banker]
            more = len(orders[0])
            if not hand:
                if not more:
                    player_wins += player > banker
                    banker_wins += banker > player
            elif hand == "banker":
                if more == 1:
                    banker = (banker + cards[orders[0][0]]) % 10
                    player_wins += player > banker
                    banker_wins += banker > player
            elif more:
                for first, *second in orders:
                    card = cards[first]
                    if bool(self._answer[banker][card]) == bool(second):
                        players = (player + card) % 10
                        bankers = (banker + cards[second[0]]) % 10 if second else banker
                        player_wins += players > bankers
                        banker_wins += bankers > players
        return player_wins, banker_wins

    def of_the_coup(self, cards: list[int], player: int, banker: int) -> tuple[int, ...]:
        """The values of the cards, rising, that make up a coup which came to these totals; those that came when it was
        complete are none of it. Empty where they do not."""
        hands: dict[str, list[int]] = {"player": [], "banker": []}
        for number, value in enumerate(cards):
            hand = self.next(hands["player"], hands["banker"])
            if not hand:
                cards = cards[:number]
                break
            if value < 0:
                return ()
            hands[hand].append(value)
        complete = not self.next(hands["player"], hands["banker"])
        if not complete or (total(hands["player"]), total(hands["banker"])) != (player, banker):
            return ()
        return tuple(sorted(cards))


orders_of = lru_cache(maxsize=8)(Orders)
"""Worked out once for all tables of a law."""


class Runs(Detector):
    """One process a table; see the module for what its bets are on."""

    codes = ("runs",)
    may_want = ("dice_rolled", "ball_landed", "round_over", "card_dealt")

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.point = Point(self.watched.points)
        self.last = ""
        """What came last; empty: not known."""
        self.cards: list[int] = []
        """Of the coup, by value, in the order in which they left the shoe; -1 where nobody could read one."""
        self.columns: dict[tuple[str, float], tuple[Ratios, Ratios]] = {}
        """By what came last and the exact chance that it comes again: each alternative's `repeats`."""
        assert self.watched.runs is not None
        self.runs = runs = self.watched.runs
        self.chances = runs.chances
        if runs.of_dice is not None:
            self.dice_rolled = self._dice_rolled
        elif runs.of_ball is not None:
            self.ball_landed = self._ball_landed
        elif runs.of_round is not None:
            self.round_over = self._round_over
        elif runs.of_coup is not None:
            assert runs.drawing is not None
            self.orders = orders_of(runs.drawing)
            self.card_dealt = self._card_dealt
            self.round_over = self._coup_over
        else:
            self.dice_rolled = self._point_rolled
        kinds = frozenset(self.chances)
        self.alternatives = [(2.0, kinds, part) for part in PARTS]
        if runs.opposed:
            self.alternatives += [(1.0, frozenset({kind}), part) for kind in sorted(kinds) for part in PARTS]
        self._begin()

    @classmethod
    def serves(cls, table: Table) -> bool:
        """Games whose outcomes follow each other with a known chance."""
        return watched_at(table).runs is not None

    def _begin(self) -> None:
        self.process = self.start("runs", self.runs.name, anew(self.number()), self.runs.look_at)
        self.learner = Learner()
        self.bettor = Mixture([(weight, ()) for weight, _, _ in self.alternatives])

    def _bet(self, kind: str, given: float, again: bool, seq: int) -> None:
        """After ``kind``, which comes again with a chance of ``given`` if all is well: did it come ``again``?"""
        column = self.columns.get((kind, given))
        if column is None:
            chance = float(self.chances[kind])
            pairs = [
                repeats(given, part, chance) if kind in kinds else (1.0, 1.0) for _, kinds, part in self.alternatives
            ]
            column = self.columns[kind, given] = tuple(no for no, _ in pairs), tuple(yes for _, yes in pairs)
        wealth = (7 * self.bettor.take(column[again]) + self.learner.observe(given, again)) / 8
        self.process.become(wealth, seq, self.round)

    def _came(self, what: str, seq: int) -> None:
        """One of the outcomes whose chances are always the same."""
        kind = self.last if self.last in self.chances else "any"
        if self.last and kind in self.chances:
            self._bet(kind, float(self.chances[kind]), what == self.last, seq)
        self.last = what

    def _point_rolled(self, event: DiceRolled) -> None:
        """A throw that may make the point, or lose it."""
        if event.void is not None or len(event.dice) != self.watched.dice:
            return
        point = self.point.number
        spots = sum(event.dice)
        self.point.throw(spots)
        if point > 0 and self.point.number == 0:
            made = spots == point
            if self.last == "made":
                kind = str(point)
                self._bet(kind, float(self.chances[kind]), made, event.seq)
            self.last = "made" if made else "lost"

    def _dice_rolled(self, event: DiceRolled) -> None:
        """A throw."""
        if event.void is None and len(event.dice) == self.watched.dice:
            assert self.runs.of_dice is not None
            self._came(self.runs.of_dice(event.dice), event.seq)

    def _ball_landed(self, event: BallLanded) -> None:
        """The ball rests; one that was called void is no result."""
        if event.void is None:
            assert self.runs.of_ball is not None
            self._came(self.runs.of_ball(event.number), event.seq)

    def _card_dealt(self, event: CardDealt) -> None:
        """A card of the coup: the order of the shoe decides, wherever it was laid."""
        if event.to != "burn":
            self.cards.append(VALUES.get(event.card, -1))

    def _round_over(self, row: Round) -> None:
        """What the round has brought."""
        if row.verifiable and row.outcome:
            assert self.runs.of_round is not None
            came = self.runs.of_round(row.outcome)
            if came in self.chances:
                self._came(came, row.closed_seq)

    def _coup_over(self, row: Round) -> None:
        """A coup that came to what its round's outcome says, if its cards say so too."""
        assert self.runs.of_coup is not None
        totals = self.runs.of_coup(row.outcome) if self.cards and row.verifiable else None
        if totals is not None:
            self._look(*totals, row.closed_seq)
        self.cards.clear()

    def _look(self, player: int, banker: int, seq: int) -> None:
        cards = self.orders.of_the_coup(self.cards, player, banker)
        if not cards or player == banker:
            return
        came = "player" if player > banker else "banker"
        if self.last:
            of_player, of_banker = self.orders.winners(cards)
            same = of_player if self.last == "player" else of_banker
            self._bet(self.last, same / (of_player + of_banker), came == self.last, seq)
        self.last = came

    def lost_sight(self) -> None:
        """What came last is not known."""
        self.point.number = -1
        self.last = ""
        self.cards.clear()

    def disowned(self) -> None:
        """A new process."""
        self.running = []
        self.lost_sight()
        self._begin()
