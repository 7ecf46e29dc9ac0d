"""Winnings: does a player, a table, or whoever bets late win more than the games give?

A *purse* follows a player as a shadow: whenever he lays a stake, it stakes a part of its own cash on the same, at odds
that are fair, or unfavourable, to it if all is well: it gets back ``what the stake gives back / what it gives back at
most in the mean`` (`replay.streaks.worth`). The part is fixed when the stake is laid, as a part of the cash that was
free when the round began, and all parts of a round together are no more than that, so that any number of bets may lie
on one throw or one shoe, and be decided rounds later: whatever hangs on whatever, the cash with the value of all that
lies is a nonnegative supermartingale from 1 on, and the cash alone is less. Of what lies on from one round to the next
so much counts as the game's file says that it is worth at least (`replay.watched.Watchable.lying`).

Null, of a player, of a player under one dealer: *no wager gives back more than it is worth*; each game's file says how
firmly that holds (`replay.watched.Watchable.nulls`), whatever the player knows of the past. Alternative: he wins more:
he knows the next card, moves chips, plays biased dice. Null, of late bets, of the table, of a player, of whoever deals:
the same of what is laid or raised `LATE_WITHIN` before "no more bets" or after it, the claim counting where there is
one, for a late bet is refused by the rules and paid by the dealer who did not see it. Errors of an honest dealer are in
his claims: at 1 in 500 they add a thousandth or two to what a late stake gives back, which the null does not allow for.
Alternative: stakes that come late win (past posting, capping). Null, of a table's hold: the same in both directions:
its wagers give back neither more nor less than they are worth.

What a stake gives back is looked at by the unit staked, not in money: a purse cannot be ruined by one large bet, and a
raise is seen by `late bets`. A push or a void gives the part back and no more (chips refused on a bet that plays come
back with it, which is worth the house's edge on them: such a bet has a finding of its own). Each purse holds a bold and
a cautious part (fractions by the variance of the wager, after Kelly), and keeps half of its cash for fresh starts, the
k-th getting 1/(k(k+1)) of it, one after every `FRESH` rounds, for a cheat that begins late in the night.

Tried on: dead tables; players who double after losses, and whales; payouts that are wrong and put right; stakes that
are taken back. Not tried on: holes in the log.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import msgspec

from replay.events import BetPlaced, BetRaised, BetsClosed, BetWithdrawn, CardDealt, DealerOn, DiceRolled
from replay.results import Round, Settlement
from replay.rules import Table
from replay.streaks.detector import Detector, anew
from replay.streaks.process import MAX_WEALTH, EProcess
from replay.streaks.worth import Worth, worth_of, worths

LATE_WITHIN: Final = timedelta(seconds=1.5)
"""So soon before "no more bets" a stake is late."""
FRESH: Final = 24
"""So many rounds lie between fresh starts."""
PLAYER: Final = (0.06, 0.3)
"""The cautious and the bold part of the cash that a purse stakes on an even bet."""
LATE: Final = (0.1, 0.5)
"""Of late bets: the cautious part is the best one behind whoever knows the result of every tenth of them."""
HOLD: Final = (0.01, 0.05)
OF_A_ROUND: Final = (0.04, 0.12, 0.35, 0.8)
"""Of the hold, where every round decides its bets: the parts that are staked on a round's mean gain."""
MAX_OF_A_PLAYER: Final = 1.0 / PLAYER[1]
"""So many even bets of a player are followed in a round, longer ones in proportion: then the bold part is all laid."""
MAX_OF_A_TABLE: Final = 1.0 / HOLD[1]


class Purse:
    """The shadow's cash, cautious and bold, and the value of what it has lying on the table."""

    __slots__ = (
        "bold",
        "cautious",
        "fraction_bold",
        "fraction_cautious",
        "lies",
        "looks",
        "pocket",
        "process",
        "starts",
    )

    def __init__(self, process: EProcess, fractions: tuple[float, float], cash: float = 1.0) -> None:
        self.process = process
        self.fraction_cautious, self.fraction_bold = fractions
        self.cautious = self.bold = cash / 4
        self.pocket = cash / 2
        self.lies = 0.0
        self.looks = 0
        self.starts = 0

    def lay(self, spread: float) -> tuple[Purse, float, float]:
        """Stake on a wager whose return varies by ``spread``, at once."""
        cautious = self.cautious * self.fraction_cautious / spread
        bold = self.bold * self.fraction_bold / spread
        self.cautious -= cautious
        self.bold -= bold
        return self, cautious, bold

    def stakes(self) -> tuple[float, float]:
        """What it stakes on an even bet laid in this round: of the cautious and of the bold part."""
        return self.cautious * self.fraction_cautious, self.bold * self.fraction_bold

    def wealth(self, lying: float) -> float:
        """All that it has; what lies counts for ``lying`` of itself. Every so many looks there is a fresh start with a
        part of what was kept."""
        self.looks += 1
        if self.looks % FRESH == 0:
            self.starts += 1
            fresh = self.pocket / (self.starts + 1)  # 1/2, 1/6, 1/12 … of what the pocket held at first
            self.pocket -= fresh
            self.cautious += fresh / 2
            self.bold += fresh / 2
        lies = self.lies
        return self.cautious + self.bold + self.pocket + (lying * lies if lies > 0.0 else 0.0)


class Rounds:
    """The bettors on a table's hold where every round decides its bets: one stake a round, on the mean gain of all bets
    that lay when the first of them was decided, each by its size. `OF_A_ROUND` parts, with the players and with the
    house; half is kept for fresh starts as a `Purse` does."""

    __slots__ = ("looks", "parts", "pocket", "starts")

    def __init__(self) -> None:
        self.parts = [0.25 / len(OF_A_ROUND)] * (2 * len(OF_A_ROUND))
        self.pocket = 0.5
        self.looks = self.starts = 0

    def look(self, more: float, less: float) -> float:
        """The wealth after a round in which a stake with the players gained ``more`` of itself in the mean, one with
        the house ``less``; at least -1."""
        self.looks += 1
        if self.looks % FRESH == 0:
            self.starts += 1
            fresh = self.pocket / (self.starts + 1)
            self.pocket -= fresh
            fresh /= len(self.parts)
            self.parts = [part + fresh for part in self.parts]
        factors = [1.0 + stake * gain for gain in (more, less) for stake in OF_A_ROUND]
        self.parts = [part * factor for part, factor in zip(self.parts, factors, strict=True)]
        return sum(self.parts) + self.pocket


class Terms(msgspec.Struct, frozen=True, gc=False):
    """On which a wager is followed."""

    worth: Worth
    contract: bool
    """It loses by waiting: a stake on it that is taken back counts as lost."""
    size: float
    """So much of an even bet is staked on it."""
    both_ways: bool
    """The house's side of it can be taken."""
    house_wins: float
    """And gives back so much when the stake is lost."""


class Share(msgspec.Struct, eq=False, gc=False):
    """What a purse, and perhaps a second one beside it, has staked on bets that were laid in one round: parts of the
    cash that was free then."""

    purse: Purse
    cautious: float
    """On an even bet."""
    bold: float
    second: Purse | None = None
    second_cautious: float = 0.0
    second_bold: float = 0.0
    back: float = 0.0
    """What came back less what was laid since `pay`, in stakes on even bets."""
    lies: float = 0.0
    """What lies, where that is counted."""
    lay_when_paid: float = 0.0
    """What lay at the last `pay`."""

    def pay(self, touched: dict[Purse, None]) -> None:
        """Into the purses with it."""
        back, more = self.back, self.lies - self.lay_when_paid
        purse, cautious, bold = self.purse, self.cautious, self.bold
        purse.cautious += cautious * back
        purse.bold += bold * back
        touched[purse] = None
        if more:
            purse.lies += (cautious + bold) * more
        second = self.second
        if second is not None:
            cautious, bold = self.second_cautious, self.second_bold
            second.cautious += cautious * back
            second.bold += bold * back
            touched[second] = None
            if more:
                second.lies += (cautious + bold) * more
        self.lay_when_paid = self.lies
        self.back = 0.0


class _Hand(Share, eq=False, gc=False, kw_only=True):
    """One player in one round: what his own purse, and that of him under the dealer, have staked; and who else follows
    what he lays."""

    player: str
    seat: int
    more: Share
    """Of the hold, with the players."""
    less: Share
    """With the house."""
    laid: float = 0.0
    """Of the purse's cash, in stakes on even bets."""


class _Laid(msgspec.Struct, eq=False, gc=False):
    """A stake on the table, and how much of an even bet each follower has on it; 0: it does not follow."""

    terms: Terms
    hand: _Hand
    amount: int
    part: float
    more: float
    less: float
    late: tuple[tuple[Purse, float, float], ...] = ()


class Winnings(Detector):
    """Watches the winnings at one table: of each player, of each player under each dealer, of late bets, of the house.

    Of its share players and pairs have a quarter each, late bets a quarter (a third of that for the table as a whole,
    for players, for dealers), the table's hold a quarter.
    """

    codes = ("player_wins", "late_bets_win", "hold_off")
    wants = (
        "dealer_on",
        "bet_placed",
        "bet_raised",
        "bet_withdrawn",
        "bets_closed",
        "dice_rolled",
        "settled",
        "round_over",
    )
    may_want = ("card_dealt",)

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.worths = worths(table)
        self.known: dict[Any, Terms | None] = {}
        """By wager and pick as they come in events; None: it is not followed."""
        lying = self.watched.lying
        self.lives_on = lying is not None
        """Stakes may lie from one round to the next."""
        self.lying = float(lying or 0)
        """What a stake that lies is worth at least, of a fresh one."""
        self.contract = table.rules.law.contract_wagers
        """Wagers that lose by waiting: a stake on them that is taken back counts as lost."""
        self.upward = table.chip_unit - 1 if table.rounding != "down" else 0
        """So much more than the odds say may be paid, by rounding."""
        self.downward = table.chip_unit - 1 if table.rounding != "up" else 0
        self.dealer = ""
        if self.watched.before_the_deal:
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
        """A card of the round has been seen, where that matters."""
        self.players: dict[str, Purse] = {}
        self.pairs: dict[tuple[str, str], Purse] = {}
        self.late_players: dict[str, Purse] = {}
        self.late_dealers: dict[str, Purse] = {}
        self.hands: dict[str | int, _Hand] = {}
        """Of this round, by player, or by seat where nobody is named."""
        self.shares: dict[Share, None] = {}
        """Those of this round, and of earlier ones with bets that were decided in this one."""
        self.touched: dict[Purse, None] = {}
        """Purses that got something back since the last look."""
        self.running = []
        part = anew(self.number())
        self.hold = self.start(
            "hold_off",
            "hold of the table",
            part / 4,
            "fills and credits against the chips on the table, and the payouts of the rounds that weigh most.",
        )
        self.more = Purse(self.hold, HOLD, 0.5)
        self.less = Purse(self.hold, HOLD, 0.5)
        self.rounds = Rounds()
        self.held = 0.0
        """The wealth on the hold after the last round, where every round decides its bets; 0: told already."""
        self._round()
        self.late = Purse(
            self.start(
                "late_bets_win",
                "late bets of the table",
                part / 12,
                "hands at the layout when bets are closed, and the size of the stakes before and after the result.",
            ),
            LATE,
        )

    def _round(self) -> None:
        """Nobody has laid anything in this round."""
        self.hands.clear()
        self.shares.clear()
        self.shares_of_more = Share(self.more, *self.more.stakes())
        self.shares_of_less = Share(self.less, *self.less.stakes())
        self.followed_more = self.followed_less = 0.0
        self.decided = False
        """A bet of the round has been decided, and every round decides its bets."""

    # --- who is followed ------------------------------------------------------------------------------------------

    def _hand(self, player: str, seat: int) -> _Hand:
        who = player or f"seat {seat}"
        purse = self.players.get(who)
        if purse is None:
            process = self.start(
                "player_wins",
                f"winnings of {who}",
                self.person("player") / 4,
                f"the hands and the eyes of {who} before the result, and who sits or stands nearby.",
                player=player,
                seat=seat,
            )
            purse = self.players[who] = Purse(process, PLAYER)
        more, less, shares = self.shares_of_more, self.shares_of_less, self.shares
        pair = self._pair(who, player, seat) if self.dealer else None
        of_pair = (0.0, 0.0) if pair is None else pair.stakes()
        hand = self.hands[player or seat] = _Hand(
            purse, *purse.stakes(), pair, *of_pair, player=player, seat=seat, more=more, less=less
        )
        shares[hand] = None
        if self.lives_on:
            shares[more] = shares[less] = None
        return hand

    def _pair(self, who: str, player: str, seat: int) -> Purse:
        key = who, self.dealer
        purse = self.pairs.get(key)
        if purse is None:
            process = self.start(
                "player_wins",
                f"winnings of {who} with dealer {self.dealer}",
                self.person("pair") / 4,
                f"signals between {who} and dealer {self.dealer}, and how the cards or chips lie before they are turned"
                " or counted.",
                player=player,
                dealer=self.dealer,
                seat=seat,
            )
            purse = self.pairs[key] = Purse(process, PLAYER)
        return purse

    def _late_player(self, hand: _Hand) -> Purse:
        who = hand.player or f"seat {hand.seat}"
        purse = self.late_players.get(who)
        if purse is None:
            process = self.start(
                "late_bets_win",
                f"late bets of {who}",
                self.person("late") / 12,
                f"the hands of {who} when bets are closed and when the result is out: chips laid or added then.",
                player=hand.player,
                seat=hand.seat,
            )
            purse = self.late_players[who] = Purse(process, LATE)
        return purse

    def _late_dealer(self, dealer: str) -> Purse:
        purse = self.late_dealers.get(dealer)
        if purse is None:
            process = self.start(
                "late_bets_win",
                f"late bets with dealer {dealer}",
                self.person("late dealer") / 12,
                f"whether dealer {dealer} sees the hands at the layout when bets are closed, and whose they are.",
                dealer=dealer,
            )
            purse = self.late_dealers[dealer] = Purse(process, LATE)
        return purse

    # --- stakes ---------------------------------------------------------------------------------------------------

    def dealer_on(self, event: DealerOn) -> None:
        """Another dealer."""
        self.dealer = event.dealer

    def bet_placed(self, event: BetPlaced) -> None:
        """A stake is laid: the shadows follow it."""
        if self.dealt:
            return
        wager, pick, bet = event.wager, event.pick, event.bet
        key = wager, tuple(pick) if type(pick) is list else pick
        try:
            terms = self.known[key]
        except KeyError:
            terms = self.known[key] = self._terms(event)
        if terms is None:
            return
        if bet in self.laid:
            self._take(self.laid.pop(bet), 0.0, 0.0)
        hand = self.hands.get(event.player or event.seat)
        if hand is None:
            hand = self._hand(event.player or "", event.seat)
        size = terms.size
        part = more = less = 0.0
        if hand.laid + size <= MAX_OF_A_PLAYER:
            hand.laid += size
            hand.back -= size
            part = size
        if self.followed_more + size <= MAX_OF_A_TABLE and not self.decided:
            self.followed_more += size
            hand.more.back -= size
            more = size
        if terms.both_ways and self.followed_less + size <= MAX_OF_A_TABLE and not self.decided:
            self.followed_less += size
            hand.less.back -= size
            less = size
        laid = self.laid[bet] = _Laid(terms, hand, event.amount, part, more, less)
        if self.lying:
            hand.lies += part
            hand.more.lies += more
            hand.less.lies += less
        if self.closed:
            self._is_late(laid)
        else:
            self.pending.append((laid, event.at))

    def _terms(self, event: BetPlaced) -> Terms | None:
        pick = event.pick
        text = "-".join(map(str, pick)) if isinstance(pick, list) else str(pick)
        worth = worth_of(self.worths, event.wager, None if pick is None else text)
        if worth is None:
            return None
        both_ways = worth.highest > worth.least > 0.0
        contract = self.lives_on and event.wager in self.contract
        return Terms(worth, contract, 1.0 / worth.spread, both_ways, _house_wins(0.0, worth) if both_ways else 0.0)

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
            back = 0.0 if laid.terms.contract else 1.0
            self._take(laid, back, self.lying if self.lives_on else 1.0)
            for purse, cautious, bold in laid.late:
                purse.cautious += cautious * back
                purse.bold += bold * back

    def bets_closed(self, event: BetsClosed) -> None:
        """No more bets: what was laid or raised just before is late."""
        if self.pending:
            closed_at = event.at
            for laid, at in reversed(self.pending):
                if closed_at - at > LATE_WITHIN:
                    break
                self._is_late(laid)
            self.pending.clear()
        self.closed = True

    def _is_late(self, laid: _Laid) -> None:
        if not laid.late:
            spread = laid.terms.worth.spread
            laid.late = (self.late.lay(spread), self._late_player(laid.hand).lay(spread))
            if self.dealer:
                laid.late = (*laid.late, self._late_dealer(self.dealer).lay(spread))

    def dice_rolled(self, event: DiceRolled) -> None:
        """Where stakes lie on, bets are open again after each throw."""
        if self.lives_on:
            self.closed = False
            self.pending.clear()

    def _card_dealt(self, event: CardDealt) -> None:
        """Whoever lays a stake now has seen a card."""
        if event.to != "burn":
            self.dealt = True

    # --- what they come to ----------------------------------------------------------------------------------------

    def settled(self, settlement: Settlement) -> None:
        """A stake is decided."""
        self.decided = not self.lives_on
        laid = self.laid.pop(settlement.bet, None)
        if laid is None:
            return
        stake, paid, returned = settlement.stake, settlement.paid, settlement.returned
        if not stake or paid is None or returned is None:
            return
        terms = laid.terms
        worth = terms.worth
        if laid.late:
            claimed, claimed_back = settlement.claimed_paid, settlement.claimed_returned
            if claimed is not None and claimed_back is not None:
                late = self._factor(claimed, claimed_back, stake, worth)
            else:
                late = self._factor(paid, returned, stake, worth)
            for purse, cautious, bold in laid.late:
                purse.cautious += cautious * late
                purse.bold += bold * late
                self.touched[purse] = None
        if paid or returned:
            house = 0.0
            if laid.less:
                back = (paid + self.downward + returned) / stake if paid else returned / stake
                house = _house_wins(back, worth)
            self._take(laid, self._factor(paid, returned, stake, worth), house)
        else:
            self._take(laid, 0.0, terms.house_wins)

    def _factor(self, paid: int, returned: int, stake: int, worth: Worth) -> float:
        """What a share gives back at fair odds; a push, or a void, gives it back and no more: less of it where a
        stake may be worth more than itself."""
        if paid:
            return (max(paid - self.upward, 0) + returned) / (stake * worth.most)
        return min(returned / stake, 1.0) / max(worth.most, 1.0)

    def _take(self, laid: _Laid, players: float, house: float) -> None:
        """What was laid with the player comes back ``players`` times, what was laid with the house ``house`` times."""
        hand = laid.hand
        if players:
            hand.back += laid.part * players
            hand.more.back += laid.more * players
        if house:
            hand.less.back += laid.less * house
        if self.lives_on:
            shares = self.shares
            if hand not in shares:
                shares[hand] = shares[hand.more] = shares[hand.less] = None
            if self.lying:
                hand.lies -= laid.part
                hand.more.lies -= laid.more
                hand.less.lies -= laid.less

    def _pay(self) -> None:
        """All that came back goes into the purses."""
        for share in self.shares:
            share.pay(self.touched)
        if not self.lives_on and (self.followed_more or self.followed_less):
            more = self.shares_of_more.back / self.followed_more if self.followed_more else 0.0
            less = self.shares_of_less.back / self.followed_less if self.followed_less else 0.0
            self.held = self.rounds.look(more, less)
        self._round()

    def round_over(self, row: Round) -> None:
        """The wealth after the round."""
        if not self.lives_on:
            self.laid.clear()  # whatever is left: nobody knows what it came to, and it counts as lost
        self.closed = self.dealt = False
        self.pending.clear()
        self._pay()
        seq, number, lying = row.closed_seq, row.round, self.lying
        touched = self.touched
        if self.more in touched:
            del touched[self.more], touched[self.less]
            self.hold.become(self.more.wealth(lying) + self.less.wealth(lying), seq, number)
        elif self.held:
            self.hold.become(self.held, seq, number)
            self.held = 0.0
        for purse in touched:
            purse.process.become(purse.wealth(lying), seq, number)
        touched.clear()

    def lost_sight(self) -> None:
        """What lay on the table is not followed any more, and counts as lost; nobody knows who deals now."""
        self.dealer = ""
        for laid in self.laid.values():
            self._take(laid, 0.0, 0.0)
        self.laid.clear()
        self._pay()
        self.pending.clear()
        self.closed = self.dealt = False

    def disowned(self) -> None:
        """Every purse starts anew, and nothing lies on the table."""
        self._forget()


def _house_wins(back: float, worth: Worth) -> float:
    """What a share that is laid with the house gives back at fair odds, when the stake gives back ``back``."""
    return 1.0 - (min(back, worth.highest) - worth.least) / (worth.highest - worth.least)
