"""Winnings: does a player, a table, or whoever bets late win more than the games give?

A *purse* follows a player as a shadow: whenever he lays a stake, it stakes a part of its own cash on the same, at odds
that are fair, or unfavourable, to it if all is well: it gets back ``what the stake gives back / what it gives back at
most in the mean`` (`replay.streaks.worth`). Its share is fixed when the stake is laid, and taken out of its cash at
once, so that any number of bets may lie on one throw or one shoe, and be decided rounds later: whatever hangs on
whatever, the cash with the value of all that lies is a nonnegative supermartingale from 1 on, and the cash alone is
less. A pass line bet that has its number is still worth two thirds of a fresh one (4 and 10), as is a bet of the house
on a don't pass that has; every other bet at craps is worth more. `LIES` of what lies counts there, nothing elsewhere.

Null, of a player, of a player under one dealer: *no wager gives back more than it is worth*, whatever the player knows
of the past. Alternative: he wins more: he knows the next card, moves chips, plays biased dice.
Null, of late bets: the same of what is laid or raised within `LATE_US` before "no more bets" or after it, the claim
counting where there is one, for a late bet is refused by the rules and paid by the dealer who did not see it.
Alternative: stakes that come late win (past posting, capping).
Null, of a table's hold: the same in both directions: its wagers give back neither more nor less than they are worth.

What a stake gives back is looked at by the unit staked, not in money: a purse cannot be ruined by one large bet, and a
raise is seen by `late bets`. A push or a void gives the share back and no more. Each purse holds a bold and a cautious
part (fractions by the variance of the wager, after Kelly), and keeps half of its cash for fresh starts, the k-th
getting 1/(k(k+1)) of it, one after every `FRESH` stakes, for a cheat that begins late in the night.
"""

from __future__ import annotations

from typing import Any, Final

from replay.book import microseconds
from replay.events import BetPlaced, BetRaised, BetsClosed, BetWithdrawn, CardDealt, DealerOn, DiceRolled
from replay.results import Round, Settlement
from replay.rules import Table
from replay.streaks.detector import Detector
from replay.streaks.process import Process
from replay.streaks.worth import BLACKJACK, Worth, worths

LATE_US: Final = 1_500_000
"""So many microseconds before "no more bets" a stake is late."""
FRESH: Final = 64
"""So many stakes lie between fresh starts."""
PLAYER: Final = (0.08, 0.4)
"""The cautious and the bold part of the cash that a purse stakes on an even bet."""
LATE: Final = (0.25, 0.7)
HOLD: Final = (0.02, 0.1)
LIES: Final = {"craps": 0.65}
"""What a stake that lies is worth at least, of a fresh one; 0 for other games."""
LIVES_ON: Final = frozenset({"craps", "trente_et_quarante"})
"""Games whose stakes may lie from one round to the next."""
CONTRACT: Final = frozenset({"pass_line", "come"})
"""Wagers that lose by waiting: a stake on them that is taken back counts as lost."""
EQUAL: Final = 64
"""So many players of a table get equal parts of the level; those after them ever smaller ones."""


def part(number: int) -> float:
    """The part of the level of the process of this number (from 0); all together are 1 at most.

    >>> part(0) == part(63) == 1 / 128, part(64)
    (True, 0.25)
    """
    if number < EQUAL:
        return 0.5 / EQUAL
    late = number - EQUAL + 1
    return 0.5 / (late * (late + 1))


class Purse:
    """The shadow's cash, cautious and bold, and what it has lying on the table."""

    __slots__ = (
        "bold",
        "cautious",
        "fraction_bold",
        "fraction_cautious",
        "lies",
        "pocket",
        "process",
        "stakes",
        "starts",
    )

    def __init__(self, process: Process, fractions: tuple[float, float], cash: float = 1.0) -> None:
        self.process = process
        self.fraction_cautious, self.fraction_bold = fractions
        self.cautious = self.bold = cash / 4
        self.pocket = cash / 2
        self.lies = 0.0
        self.stakes = 0
        self.starts = 0

    def lay(self, spread: float) -> tuple[Purse, float, float]:
        """Stake on a wager whose return varies by ``spread``."""
        self.stakes += 1
        if self.stakes % FRESH == 0:
            self._start()
        cautious = self.cautious * self.fraction_cautious / spread
        bold = self.bold * self.fraction_bold / spread
        self.cautious -= cautious
        self.bold -= bold
        self.lies += cautious + bold
        return self, cautious, bold

    def _start(self) -> None:
        """A fresh start with a part of what was kept."""
        self.starts += 1
        fresh = self.pocket / (self.starts + 1)  # 1/2, 1/6, 1/12 … of what the pocket held at first
        self.pocket -= fresh
        self.cautious += fresh / 2
        self.bold += fresh / 2

    def take(self, cautious: float, bold: float, factor: float) -> None:
        """What was laid gives back ``factor`` of itself."""
        self.lies -= cautious + bold
        self.cautious += cautious * factor
        self.bold += bold * factor

    def wealth(self, lying: float) -> float:
        """All that it has; what lies counts for ``lying`` of itself."""
        lies = self.lies
        return self.cautious + self.bold + self.pocket + (lying * lies if lies > 0.0 else 0.0)


class _Laid:
    """A stake on the table, and who has followed it."""

    __slots__ = ("amount", "followers", "late", "less", "player", "seat", "wager", "worth")

    def __init__(self, wager: str, worth: Worth, player: str, seat: int, amount: int) -> None:
        self.wager = wager
        self.worth = worth
        self.player = player
        self.seat = seat
        self.amount = amount
        self.followers: list[tuple[Purse, float, float]] = []
        self.late: list[tuple[Purse, float, float]] = []
        self.less: tuple[Purse, float, float] | None = None
        """The purse that bets on the house."""


class Winnings(Detector):
    """Watches the winnings at one table: of each player, of each player under each dealer, of late bets, of the house.

    Of its share players and pairs have a quarter each, late bets a quarter (half of that for the table as a whole),
    the table's hold a quarter.
    """

    def __init__(self, table: Table, share: float) -> None:
        super().__init__(table, share)
        game = table.rules.game
        self.worths = worths(table)
        self.at_blackjack = game in BLACKJACK
        self.lying = LIES.get(game, 0.0)
        self.lives_on = game in LIVES_ON
        self.upward = table.chip_unit - 1 if table.rounding != "down" else 0
        """So much more than the odds say may be paid, by rounding."""
        self.downward = table.chip_unit - 1 if table.rounding != "up" else 0
        self.dealer = ""
        if self.at_blackjack:
            self.card_dealt = self._card_dealt
        self._forget()

    @classmethod
    def serves(cls, table: Table) -> bool:
        return bool(worths(table))

    def _forget(self) -> None:
        self.laid: dict[str, _Laid] = {}
        self.pending: list[tuple[_Laid, Any]] = []
        """What was laid or raised since bets were opened, and when."""
        self.closed = False
        """No more bets."""
        self.dealt = False
        """A card of the round has been seen."""
        self.players: dict[str, Purse] = {}
        self.pairs: dict[tuple[str, str], Purse] = {}
        self.late_players: dict[str, Purse] = {}
        self.touched: dict[Purse, None] = {}
        self.running = []
        self.hold = self._process(
            "hold_off",
            "hold of the table",
            self.share / 4,
            "fills and credits against the chips on the table, and the payouts of the rounds that weigh most.",
        )
        self.more = Purse(self.hold, HOLD, 0.5)
        self.less = Purse(self.hold, HOLD, 0.5)
        self.late = Purse(
            self._process(
                "late_bets_win",
                "late bets of the table",
                self.share / 8,
                "hands at the layout when bets are closed, and the size of the stakes before and after the result.",
            ),
            LATE,
        )

    def _process(self, code: str, name: str, share: float, look_at: str, **whom: Any) -> Process:
        process = Process(code, name, share, look_at, **whom)
        self.running.append(process)
        return process

    # --- who is followed ------------------------------------------------------------------------------------------

    def _player(self, who: str, laid: _Laid) -> Purse:
        purse = self.players.get(who)
        if purse is None:
            process = self._process(
                "player_wins",
                f"winnings of {who}",
                self.share / 4 * part(len(self.players)),
                f"the hands and the eyes of {who} before the result, and who sits or stands nearby.",
                player=laid.player,
                seat=laid.seat,
            )
            purse = self.players[who] = Purse(process, PLAYER)
        return purse

    def _pair(self, who: str, laid: _Laid) -> Purse:
        key = who, self.dealer
        purse = self.pairs.get(key)
        if purse is None:
            process = self._process(
                "player_wins",
                f"winnings of {who} with dealer {self.dealer}",
                self.share / 4 * part(len(self.pairs)),
                f"signals between {who} and dealer {self.dealer}, and how the cards or chips lie before they are turned"
                " or counted.",
                player=laid.player,
                dealer=self.dealer,
                seat=laid.seat,
            )
            purse = self.pairs[key] = Purse(process, PLAYER)
        return purse

    def _late_player(self, who: str, laid: _Laid) -> Purse:
        purse = self.late_players.get(who)
        if purse is None:
            process = self._process(
                "late_bets_win",
                f"late bets of {who}",
                self.share / 8 * part(len(self.late_players)),
                f"the hands of {who} when bets are closed and when the result is out: chips laid or added then.",
                player=laid.player,
                seat=laid.seat,
            )
            purse = self.late_players[who] = Purse(process, LATE)
        return purse

    # --- stakes ---------------------------------------------------------------------------------------------------

    def dealer_on(self, event: DealerOn) -> None:
        """Another dealer."""
        self.dealer = event.dealer

    def bet_placed(self, event: BetPlaced) -> None:
        """A stake is laid: the shadows follow it."""
        pick = event.pick
        worths = self.worths
        worth = worths.get((event.wager, ""))
        if worth is None:
            text = "-".join(map(str, pick)) if isinstance(pick, list) else str(pick)
            worth = worths.get((event.wager, text))
            if worth is None:
                return
        if self.dealt:
            return
        player = event.player
        who = player if player is not None else f"seat {event.seat}"
        laid = _Laid(event.wager, worth, player or "", event.seat, event.amount)
        if event.bet in self.laid:
            self._give(self.laid[event.bet], 0.0, 0.0, 0.0)
        self.laid[event.bet] = laid
        spread = worth.spread
        laid.followers = [self._player(who, laid).lay(spread), self.more.lay(spread)]
        if self.dealer:
            laid.followers.append(self._pair(who, laid).lay(spread))
        if worth.least > 0.0 and worth.highest > worth.least:
            laid.less = self.less.lay(spread)
        if self.closed:
            self._is_late(laid)
        else:
            self.pending.append((laid, event.at))

    def bet_raised(self, event: BetRaised) -> None:
        """A stake grows: nothing changes for those who follow it by the unit, unless it is late."""
        laid = self.laid.get(event.bet)
        if laid is None:
            return
        laid.amount += event.by
        if not self.dealt:
            if self.closed:
                self._is_late(laid)
            else:
                self.pending.append((laid, event.at))

    def bet_withdrawn(self, event: BetWithdrawn) -> None:
        """A stake is taken back whole: so do the shadows, but for bets that lose by waiting."""
        laid = self.laid.get(event.bet)
        if laid is None:
            return
        laid.amount -= laid.amount if event.amount is None else event.amount
        if laid.amount <= 0:
            del self.laid[event.bet]
            back = 0.0 if laid.wager in CONTRACT and self.lives_on else 1.0
            self._give(laid, back, back, self.lying if self.lives_on else 1.0)

    def bets_closed(self, event: BetsClosed) -> None:
        """No more bets: what was laid or raised just before is late."""
        for laid, at in reversed(self.pending):
            if microseconds(event.at) - microseconds(at) > LATE_US:
                break
            self._is_late(laid)
        self.pending.clear()
        self.closed = True

    def _is_late(self, laid: _Laid) -> None:
        if not laid.late:
            who = laid.player or f"seat {laid.seat}"
            spread = laid.worth.spread
            laid.late = [self.late.lay(spread), self._late_player(who, laid).lay(spread)]

    def dice_rolled(self, event: DiceRolled) -> None:
        """At craps bets are open again after each throw."""
        if self.lives_on:
            self.closed = False
            self.pending.clear()

    def _card_dealt(self, event: CardDealt) -> None:
        """At blackjack, whoever lays a stake now has seen a card."""
        if event.to != "burn":
            self.dealt = True

    # --- what they come to ----------------------------------------------------------------------------------------

    def settled(self, settlement: Settlement) -> None:
        """A stake is decided."""
        laid = self.laid.pop(settlement.bet, None)
        stake, paid, returned = settlement.stake, settlement.paid, settlement.returned
        if laid is None or not stake or paid is None or returned is None:
            return
        worth = laid.worth
        if laid.late:
            claimed, claimed_back = settlement.claimed_paid, settlement.claimed_returned
            if claimed is not None and claimed_back is not None:
                late = self._factor(claimed, claimed_back, stake, worth)
            else:
                late = self._factor(paid, returned, stake, worth)
            for purse, cautious, bold in laid.late:
                purse.take(cautious, bold, late)
                self.touched[purse] = None
            laid.late = []
        house = 0.0
        if laid.less is not None:
            back = (paid + self.downward + returned) / stake if paid else returned / stake
            back = min(back, worth.highest)
            house = 1.0 - (back - worth.least) / (worth.highest - worth.least)
        self._give(laid, self._factor(paid, returned, stake, worth), 0.0, house)

    def _factor(self, paid: int, returned: int, stake: int, worth: Worth) -> float:
        """What a share gives back at fair odds; a push, or a void, gives it back and no more."""
        if paid:
            return (max(paid - self.upward, 0) + returned) / (stake * worth.most)
        return returned / stake if returned < stake else 1.0

    def _give(self, laid: _Laid, followers: float, late: float, house: float) -> None:
        touched = self.touched
        for purse, cautious, bold in laid.followers:
            purse.take(cautious, bold, followers)
            touched[purse] = None
        for purse, cautious, bold in laid.late:
            purse.take(cautious, bold, late)
            touched[purse] = None
        if laid.less is not None:
            purse, cautious, bold = laid.less
            purse.take(cautious, bold, house)
            touched[purse] = None

    def round_over(self, row: Round) -> None:
        """The wealth after the round."""
        if not self.lives_on and self.laid:
            for laid in self.laid.values():
                self._give(laid, 0.0, 0.0, 0.0)  # nobody knows what they came to
            self.laid.clear()
        self.closed = self.dealt = False
        self.pending.clear()
        seq, number, lying = row.closed_seq, row.round, self.lying
        hold = False
        for purse in self.touched:
            if purse.process is self.hold:
                hold = True
            else:
                purse.process.become(purse.wealth(lying), seq, number)
        if hold:
            self.hold.become(self.more.wealth(lying) + self.less.wealth(lying), seq, number)
        self.touched.clear()

    def lost_sight(self) -> None:
        """What lay on the table is not followed any more, and counts as lost."""
        for laid in self.laid.values():
            self._give(laid, 0.0, 0.0, 0.0)
        self.laid.clear()
        self.pending.clear()
        self.closed = self.dealt = False

    def disowned(self) -> None:
        self._forget()
