"""One round of betting among players: whose turn it is, what a seat owes, which raises are allowed.

It knows chips and turns, no cards. `BettingRound.act` takes what a seat did, says what of it counts, and leaves in
`BettingRound.wrongs` what was wrong with it, as (finding code, sentence). Of the many ways to act wrongly some count
all the same, some are void (the chips go back); the page of circle poker has the list, from Robert's Rules of Poker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

VOID = -1
"""What `BettingRound.act` answers to an action that does not count."""


class Stakes:
    """How much may be bet in one round. Minor units; 0 where nothing is known of a minimum."""

    __slots__ = ("fixed", "least", "pot_limit")

    def __init__(self, least: int = 0, fixed: tuple[int, ...] = (), *, pot_limit: bool = False) -> None:
        self.least = fixed[0] if fixed else least
        """The smallest opening bet, and the smallest full raise before there was one."""
        self.fixed = fixed
        """At fixed limit: the bets allowed, smallest first (two where a pair lies open in stud)."""
        self.pot_limit = pot_limit


class BettingRound:
    """One round. ``live`` and ``all_in`` are the hand's own sets: a fold and an all-in bet are entered there."""

    __slots__ = (
        "acted",
        "all_in",
        "closed",
        "complete_to",
        "last",
        "last_full",
        "level",
        "live",
        "place",
        "put",
        "ring",
        "short",
        "shown",
        "stakes",
        "turn",
        "unknown_turn",
        "wrongs",
    )

    def __init__(
        self,
        ring: Sequence[int],
        live: set[int],
        all_in: set[int],
        stakes: Stakes,
        shown: Callable[[int], str],
        put: dict[int, int] | None = None,
        *,
        unknown_turn: bool = False,
    ) -> None:
        """``ring``: all seats leftwards from the one that is first to act. ``put``: the blinds. ``shown``: an amount
        for people. ``unknown_turn``: who is first cannot be known, so that nobody acts out of turn."""
        self.ring = ring
        self.place = {seat: place for place, seat in enumerate(ring)}
        self.live = live
        self.all_in = all_in
        self.stakes = stakes
        self.shown = shown
        self.put = dict.fromkeys(ring, 0)
        if put:
            self.put.update(put)
        self.level = max(self.put.values(), default=0)
        """The highest amount that a seat has put into this round."""
        self.last_full = stakes.least
        """The last full raise, or the least that one must be."""
        self.complete_to = 0
        """After a bring-in: the bet that it may be completed to."""
        self.acted: set[int] = set()
        self.closed: set[int] = set()
        """Seats that have acted and may not raise again before there is a full raise."""
        self.last: int | None = None
        """The seat that acted last."""
        self.short: int | None = None
        """The seat that acted last, if it called with too few chips: it puts in the rest."""
        self.unknown_turn = unknown_turn
        self.turn: int | None = None
        """Whose turn it is; None when the round is over."""
        self.wrongs: list[tuple[str, str]] = []
        """What was wrong with the last action. Whoever takes it out clears it."""
        self._turn_from(0)

    @property
    def over(self) -> bool:
        """Nobody has to act any more."""
        return self.turn is None

    def owed(self, seat: int) -> int:
        """What the seat must put in to stay."""
        return self.level - self.put[seat]

    def waiting(self) -> list[int]:
        """The seats that still have to act, in turn."""
        if self.turn is None:
            return []
        first = self.place[self.turn]
        return [seat for seat in (*self.ring[first:], *self.ring[:first]) if self._waits(seat)]

    def bring_in(self, seat: int, amount: int, all_in: bool, complete_to: int) -> None:
        """The forced bet of stud: it is the seat's action, and may be completed to a full bet."""
        self._in_turn(seat, "brings in")
        if all_in:
            self.all_in.add(seat)
        self.put[seat] += amount
        self.level = max(self.level, self.put[seat])
        self.complete_to = complete_to if self.level < complete_to else 0
        self._has_acted(seat)

    def act(self, seat: int, choice: str, amount: int | None, all_in: bool, pot: int) -> int:
        """An action: the chips of it that count, or `VOID`. ``pot``: all chips that are in, antes too."""
        if seat not in self.live or seat in self.all_in or seat not in self.place:
            why = "is all-in" if seat in self.live else "is not in the hand"
            return self._void(f"seat {seat} says {choice}, but {why}")
        if seat == self.last and not (seat == self.short and choice == "call"):
            return self._void(f"seat {seat} acts a second time with nobody acting between: {choice}")
        owed = self.level - self.put[seat]
        if choice == "fold":
            self._in_turn(seat, choice)
            self.live.discard(seat)
            chips = 0
        elif choice == "check":
            if owed:
                return self._void(f"seat {seat} checks while it owes {self.shown(owed)}")
            self._in_turn(seat, choice)
            chips = 0
        elif choice == "call":
            self._in_turn(seat, choice)
            chips = self._call(seat, owed, owed if amount is None else amount, all_in)
        elif choice == "raise":
            self._in_turn(seat, choice)
            chips = self._raise(seat, owed, amount or 0, all_in, pot)
        else:
            return self._void(f"seat {seat} says {choice}, which is nothing that one may do in a round of betting")
        self._has_acted(seat)
        return chips

    # --- what counts ----------------------------------------------------------------------------------------------

    def _call(self, seat: int, owed: int, amount: int, all_in: bool) -> int:
        if owed == 0:
            self._illegal(f"seat {seat} calls while it owes nothing, which is a check")
            return 0
        if amount > owed:
            self._mismatch(
                f"seat {seat} calls with {self.shown(amount)} and owes {self.shown(owed)}; the rest goes back"
            )
            amount = owed
        elif all_in:
            self.all_in.add(seat)
        elif amount < owed:
            self._mismatch(f"seat {seat} calls with {self.shown(amount)} and owes {self.shown(owed)}")
        self.put[seat] += amount
        return amount

    def _raise(self, seat: int, owed: int, amount: int, all_in: bool, pot: int) -> int:
        if amount <= owed:
            if not all_in:
                self._mismatch(f"seat {seat} raises with {self.shown(amount)} and owes {self.shown(owed)}: a call")
            else:
                self.all_in.add(seat)
            self.put[seat] += amount
            return amount
        if seat in self.closed and 0 < owed < self.last_full:
            self._illegal(f"seat {seat} raises though only a short all-in raise came since it acted: a call")
            self.put[seat] += owed
            return owed
        by = amount - owed
        full = self._check_size(seat, by, all_in, pot + owed)
        self.put[seat] += amount
        self.level = self.put[seat]
        if self.level >= self.complete_to:
            self.complete_to = 0
        if all_in:
            self.all_in.add(seat)
        if full:
            self.last_full = max(by, self.stakes.least) if self.stakes.fixed else by
        if full or not all_in:
            self.closed.clear()
        return amount

    def _check_size(self, seat: int, by: int, all_in: bool, pot: int) -> bool:
        """Whether a raise ``by`` so much is a full one; ``pot`` is what is in it after the call."""
        least = self.last_full
        most: int | None = None
        fixed = self.stakes.fixed
        if fixed:
            least, most = fixed[0], fixed[-1]
            if self.complete_to:
                least = most = self.complete_to - self.level
            elif by < most and by not in fixed:
                least = next(bet for bet in fixed if by < bet)
        elif self.stakes.pot_limit:
            most = pot
        shown = self.shown
        if by < least and not all_in:
            self.wrongs.append(
                (
                    "below_minimum",
                    f"seat {seat} raises by {shown(by)}, which is less than the {shown(least)} it must be",
                )
            )
        if most is not None and by > most:
            self.wrongs.append(
                ("above_maximum", f"seat {seat} raises by {shown(by)}, which is more than the {shown(most)} allowed")
            )
        return by >= least

    # --- whose turn -----------------------------------------------------------------------------------------------

    def _in_turn(self, seat: int, done: str) -> None:
        """It counts; but the seat that was passed over is still to act."""
        if self.unknown_turn:
            self.turn = seat
        elif seat != self.turn:
            self._illegal(f"seat {seat} acts out of turn ({done}): it is the turn of seat {self.turn}")

    def _has_acted(self, seat: int) -> None:
        self.acted.add(seat)
        self.closed.add(seat)
        self.last = seat
        self.short = seat if seat in self.live and seat not in self.all_in and self.put[seat] < self.level else None
        if seat == self.turn:
            self._turn_from(self.place[seat] + (self.short is None))
        elif self.turn is not None:
            self._turn_from(self.place[self.turn])

    def _turn_from(self, place: int) -> None:
        """The next seat that has to act, from this place on leftwards; nobody, if one seat at most can bet and no seat
        owes anything."""
        ring, live, all_in, put, acted, level = self.ring, self.live, self.all_in, self.put, self.acted, self.level
        found: int | None = None
        able = 0
        owing = False
        count = len(ring)
        for step in range(count):
            seat = ring[(place + step) % count]
            if seat not in live or seat in all_in:
                continue
            able += 1
            if put[seat] < level:
                owing = True
            elif seat in acted:
                continue
            if found is None:
                found = seat
        self.turn = found if able > 1 or owing else None

    def _waits(self, seat: int) -> bool:
        if seat not in self.live or seat in self.all_in:
            return False
        return seat not in self.acted or self.put[seat] < self.level

    # --- what was wrong -------------------------------------------------------------------------------------------

    def _void(self, text: str) -> int:
        self.wrongs.append(("illegal_decision", f"{text}; it is void"))
        return VOID

    def _illegal(self, text: str) -> None:
        """One finding a decision, whatever was illegal about it."""
        if self.wrongs:
            self.wrongs[0] = ("illegal_decision", f"{self.wrongs[0][1]}; {text}")
        else:
            self.wrongs.append(("illegal_decision", text))

    def _mismatch(self, text: str) -> None:
        self.wrongs.append(("stake_mismatch", text))
