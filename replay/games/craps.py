"""Craps, under four regulations: AD-2025 (game 6, "Daus o Craps"), MO-1985 (Portaria 97/85/M), RO-CRAPS and US-NJ.

The wagers are the same game everywhere; which of them a table has, what they pay, what limits them, which throws are
void and what the shooter must do is in the packs. In the order of AD-2025 (the articles of MO-1985 in brackets):

IV.1.A  Win and come (2): 7 and 11 win, 2, 3 and 12 lose, another total becomes the number, which then wins against the
        7. Don't win and don't come (3): the reverse, 12 stands off. Win and come may not be taken back. Field (4),
        big 6 and big 8, under and over 7.
IV.1.B  Hard ways (5), seven (6), eleven (7), any craps (8), single craps, horn; in New Jersey what is made of these,
        hops, and the fire bet on the points that one shooter makes.
IV.1.C  Odds follow the line bet whose number is known (2.2, 3.2).
IV.1.D  Place bets: right, the number before the 7; wrong, the 7 before the number (9 to 11: the bigs of Macau). Bought
        and laid bets: the same at true odds, with a vigorish (`replay.games._craps_vigorish`).
IV.2    Minimum and maximum: of the simple wagers by their stake, of the multiple ones by their win, of the place bets
        by their number, of the odds by the line bet.
IV.4    Void throws are repeated (1). The dice are not changed within a series. The shooter bets on a line, and gives
        up the dice after the 7 that loses. No bets after the call. After the last throws what is undecided goes back.

The layout is `replay.games._craps_layout`, the exact odds `replay.games._craps_odds`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from replay.book import Bet, Book
from replay.events import (
    BetPlaced,
    BetsClosed,
    BetSettled,
    BetWithdrawn,
    CommissionTaken,
    Decision,
    DiceChanged,
    DiceRolled,
    RoundOpened,
    TableClosing,
)
from replay.games import Game, Objection
from replay.games._craps_law import (
    COMES,
    CRAPS,
    FIELD,
    FIRE,
    FIRE_POINTS,
    LINES,
    NATURALS,
    ODDS,
    POINTS,
    CrapsLaw,
    CrapsWager,
)
from replay.games._craps_layout import (
    LOSES,
    OFF,
    ON,
    PUSHES,
    TRAVELS,
    Spot,
    layout_of,
    next_point,
    price,
    setup_problems,
    slot,
)
from replay.games._craps_odds import odds
from replay.games._craps_vigorish import Vig
from replay.games._craps_watched import WATCHED, watched_under
from replay.money import Price
from replay.piles import in_order
from replay.rules import GameRules, Table
from replay.watched import Watchable

SEATS: Final = range(100)


class Craps(Game):
    """One craps table. Line bets, odds, place bets, hard ways and bigs live on until a throw decides them."""

    handles = ("dice_rolled", "dice_changed", "decision", "commission_taken")

    needs = CrapsLaw
    one_result = True
    fees_from_players = True
    stakes_live_on: ClassVar[bool] = True
    lasting_stakes = True
    sight_returns_with_round: ClassVar[bool] = False
    watched = WATCHED

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """See `replay.games._craps_watched`."""
        return watched_under(rules, odds(rules))

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        law = self.rules.law_as(CrapsLaw)
        self.layout = layout_of(table)
        self.in_multiples: bool = table.options.get("multiples_of_min", False)
        self.minimum_passage = law.minimum.passage
        self.come_out_passage = "" if law.come_out is None else law.come_out.passage
        self.contract = law.contract
        self.void = law.void
        self.dice_change = law.dice_change
        self.line_bet_rule = law.shooter.line_bet
        self.rotation_rule = law.shooter.rotation
        self.closing = law.closing
        self.calls = law.calls
        self.payable = law.payable
        self.vig = None if law.vigorish is None else Vig(law.vigorish, table, book)
        self.point = 0
        """The point that is on; 0 before a come-out throw."""
        self.called_seq = 0
        """The last call or throw: a contract bet laid before it may not be taken back."""
        self.void_ground = ""
        """Why the last throw was void; empty when it counted."""
        self.sevened_out: int | None = None
        """Who sevened out, until the next come-out throw."""
        self.declined: set[int] = set()
        """Who has declined the dice since."""
        self.last_throws = 0
        """So many throws are left of the last ones announced; 0 when none are."""
        self.closed = False
        """The last throw has been made; nothing is offered until a round opens."""
        self.shooter_is_new: bool | None = True
        """No throw of this shooter has counted yet; None: not known."""
        self.points_made: set[int] = set()
        """By this shooter."""

    def table_opened(self) -> None:
        """IV.2: the maxima that the house has posted lie within the law's bounds."""
        self.report_setup(list(setup_problems(self.table, self.layout.spots)))

    def limits_changed(self) -> None:
        """The places stay, for bets lie on them; their maxima are others."""
        self.layout = self.layout.with_limits(self.table)

    # --- A to D: what is offered, and when ----------------------------------------------------------------------------

    def not_offered(self, bet: Bet) -> Objection | None:
        """Line bets before the come-out, come bets with a point on, odds on a line bet whose number is known."""
        if self.closed:
            return Objection(
                "wager_not_offered",
                self.closing.passage,
                f"{bet.wager_id} bet {bet.id} came after the last throw of the table",
            )
        objection = super().not_offered(bet)
        if objection is not None:
            return objection
        wager = bet.wager_id
        assert bet.wager is not None
        option = bet.wager.law_as(CrapsWager).needs_option
        text = ""
        if option is not None and not self.table.options[option]:
            text = f"{wager} bet {bet.id}: this table has no {option}"
        elif wager == FIRE and not self.shooter_is_new:
            text = f"{wager} bet {bet.id} came after the first throw of the shooter"
        if wager in LINES and self.point:
            text = f"{wager} bet {bet.id} came while the point {self.point} is on"
        elif wager in COMES and not self.point:
            text = f"{wager} bet {bet.id} came while no point is on"
        elif wager in ODDS:
            line = self.book.live.get(bet.of) if bet.of is not None else None
            if line is None or line.wager_id != ODDS[wager]:
                text = f"{wager} bet {bet.id} belongs to no {ODDS[wager]} bet on the table"
            elif not line.state.number:
                text = f"{wager} bet {bet.id} came before bet {line.id} has its number"
        return Objection("wager_not_offered", self.passage_of(bet), text) if text else None

    def bet_placed(self, event: BetPlaced) -> None:
        """A fire bet is not judged while nobody knows what the shooter has thrown."""
        if event.wager == FIRE and self.shooter_is_new is None and event.wager in self.rules.wagers:
            self.book.place_unseen(event)
        else:
            super().bet_placed(event)

    def passage_of(self, bet: Bet) -> str:
        """Where the bet's wager stands."""
        return bet.wager.passage if bet.wager is not None else self.wager_passage

    def objection_to_raise(self, bet: Bet, by: int) -> Objection | None:
        """A line bet that has its number is no longer offered."""
        objection = super().objection_to_raise(bet, by)
        if objection is None and (bet.wager_id in LINES or bet.wager_id in COMES) and bet.state.number:
            return Objection(
                "wager_not_offered",
                self.passage_of(bet),
                f"{bet.wager_id} bet {bet.id} was raised when its number was known ({bet.state.number})",
            )
        if objection is None and bet.wager_id == FIRE and not self.shooter_is_new:
            return Objection(
                "wager_not_offered",
                self.passage_of(bet),
                f"{FIRE} bet {bet.id} was raised after the first throw of the shooter",
            )
        return objection

    def bet_withdrawn(self, event: BetWithdrawn) -> None:
        """What was taken for a part that is taken back goes with it."""
        bet = self.book.live.get(event.bet)
        before = 0 if bet is None else bet.amount
        super().bet_withdrawn(event)
        if self.vig is not None and bet is not None and 0 < bet.amount < before:
            self.vig.lowered(bet)

    def objection_to_withdrawal(self, bet: Bet) -> Objection | None:
        """A, after don't come: win and come must be played out, from the first call or throw on."""
        if bet.wager_id in self.contract.wagers and bet.seqs[0] < self.called_seq:
            return Objection(
                "withdrawal_not_allowed",
                self.contract.passage,
                f"{bet.wager_id} bet {bet.id} may not be taken back before it has won or lost",
            )
        return super().objection_to_withdrawal(bet)

    def withdrawn(self, bet: Bet) -> None:
        """Odds are void without their line bet; a vigorish goes with the chips."""
        if self.vig is not None:
            self.vig.gone(bet)
        places = [spot for spot in self.layout.spots.values() if ODDS.get(spot.wager.id) == bet.wager_id]
        for other in in_order(other for spot in places for other in self.book.piles.bets((bet.id, spot))):
            self.book.decide(other, 0, other.amount)

    def lying(self) -> dict[str, str | list[str]]:
        """The point, the last throws that were announced, what is called on or off, and the points of a fire bet."""
        said: dict[str, str | list[str]] = {"point": str(self.point) if self.point else "off"}
        if self.last_throws:
            said["throws left"] = str(self.last_throws)
        for choice in (ON, OFF):
            called = [bet.id for bet in self.book.live.values() if _called(bet) == choice]
            if called:
                said[f"called {choice}"] = ", ".join(called)
        if self.points_made and (FIRE, 0) in self.layout.spots:
            said["points made"] = ", ".join(map(str, sorted(self.points_made)))
        return said

    def lies(self, bet: Bet) -> str:
        """In the spot of a number: come and don't come that have gone there."""
        spot: Spot | None = bet.state
        return str(spot.number) if spot is not None and spot.number and bet.pick is None else ""

    def wins(self, bet: Bet) -> dict[str, int]:
        """At the price of the spot it lies in; the field by the total that comes."""
        spot: Spot | None = bet.state
        if spot is None:
            return {}
        found: dict[str, int] = {}
        for case, pays in self.cases(spot).items():
            num, den = spot.winnings(bet.amount, pays)
            paid = self.table.share(1, num, den)
            if self.vig is not None:
                paid = self.vig.net(bet, paid)
            line = self.book.live.get(bet.of or "")
            found[case] = paid if line is None or not self.layout.cuts_wins else self.cut(bet, line, paid, {})
        return found

    def cases(self, spot: Spot) -> dict[str, Price]:
        """At which price a bet wins here, by what makes it win; under an empty key where that is one thing."""
        if len(spot.pays) == 1:
            return dict.fromkeys(("",), next(iter(spot.pays)))
        wager = spot.wager
        if wager.id == FIRE:
            return {f"{points} points": wager.prices[points] for points in FIRE_POINTS}
        if wager.id == "field":
            return {str(total): price(wager, self.table.options, total) for total in FIELD}
        found = {}
        for first in range(1, 7):
            for second in range(first, 7):
                ruled = spot.on_point[slot(first, second)]
                if isinstance(ruled, Price) and ruled.num:
                    found[str(first + second)] = ruled
        return found

    # --- IV.2, limits -------------------------------------------------------------------------------------------------

    def placed(self, bet: Bet) -> None:
        """The stake lies in its spot; is it too small or too large?"""
        wager = bet.wager
        assert wager is not None
        number = 0
        if wager.id in ODDS:
            assert bet.of is not None
            number = bet.pick = self.book.live[bet.of].state.number
        elif wager.picks:
            assert isinstance(bet.pick, int)
            number = bet.pick
        self.lie(bet, self.layout.spots[wager.id, number])
        self.check_stake(bet)

    def lie(self, bet: Bet, spot: Spot) -> None:
        """The bet lies in this spot. Added up is what lies there: in all, of one player (or seat, where nobody knows
        the player), as odds of one line bet; and what a seat has in all, and on the lines."""
        bet.state = spot
        of_whom = bet.of if bet.wager_id in ODDS else bet.player or bet.seat
        on_lines = (("lines", bet.seat),) if bet.wager_id in LINES else ()
        self.book.piles.lay(bet, spot, (of_whom, spot.base), ("seat", bet.seat), *on_lines)

    def raised(self, bet: Bet, by: int) -> None:
        """The same, of the stake as it lies now."""
        self.check_stake(bet)

    def check_stake(self, bet: Bet) -> None:
        """Such a bet was accepted and plays in full; each finding is made once of a bet."""
        if self.vig is not None:
            self.vig.laid(bet)
        self.check_payable(bet)
        if bet.wager_id in ODDS:
            self.check_odds(bet)
            return
        shown = self.table.shown
        least = self.table.least(bet.wager_id)
        objection = self.under_minimum(bet, least, self.minimum_passage)
        if objection is not None:
            self.book.report_once(bet, *objection)
        if self.in_multiples and least and bet.amount % least:
            self.book.report_once(
                bet,
                "stake_mismatch",
                self.rules.options["multiples_of_min"].passage,
                f"{bet.wager_id} bet {bet.id}: {shown(bet.amount)} is no multiple of {shown(least)}",
            )
        limit = self.layout.maxima[bet.state.base]
        if limit.most is None:
            return
        laid = self.book.piles.amount((bet.player or bet.seat, bet.state.base))
        if laid > limit.most:
            self.book.report_once(
                bet,
                "above_maximum",
                limit.passage,
                f"{bet.who} has {shown(laid)} on {bet.state}; {shown(limit.most)} is the maximum",
            )

    def check_payable(self, bet: Bet) -> None:
        """Where the law says so, a stake wins a whole number of chips, whatever is thrown."""
        if self.payable is None:
            return
        chip = self.table.chip_unit
        for pays in bet.state.pays:
            num, den = bet.state.winnings(bet.amount, pays)
            if num % (den * chip):
                shown = self.table.shown
                what = f"{bet.wager_id} bet {bet.id} of {shown(bet.amount)}"
                text = f"what {what} wins at {pays} cannot be paid in chips of {shown(chip)}"
                self.book.report_once(bet, "stake_mismatch", self.payable.passage, text)
                return

    def check_odds(self, bet: Bet) -> None:
        """All odds of one line bet are added up."""
        limit = self.layout.odds_maxima.get(bet.state.base)
        if limit is None:
            return
        assert bet.of is not None
        line = self.book.live[bet.of]
        laid = self.book.piles.amount((bet.of, bet.state.base))
        if laid * limit.den > line.amount * limit.num:
            shown = self.table.shown
            most = line.amount * limit.num // limit.den
            self.book.report_once(
                bet,
                "odds_too_large",
                limit.passage,
                f"{shown(laid)} lie as {bet.state} on {shown(line.amount)}; {shown(most)} is the most",
            )

    # --- IV.4, the call, the dice and the shooter ---------------------------------------------------------------------

    def bets_closed(self, event: BetsClosed) -> None:
        """ "No hi van més apostes"."""
        self.betting_open = False
        self.called_seq = event.seq

    def dice_rolled(self, event: DiceRolled) -> None:
        """A throw: void, and repeated as the bets stand, or valid."""
        self.called_seq = event.seq
        ground = self.ground(event)
        self.betting_open = not ground
        if self.closed:
            if self.closing.last is not None:
                self.book.report("dealer_misplay", self.closing.passage, "the dice were thrown after the last throw")
            return
        if self.point == 0:
            self.check_shooter(event, ground)
        self.void_ground = ground
        if ground:
            return
        if event.void is not None:
            self.book.report(
                "dealer_misplay", self.void.passage, f"the throw was called void ({event.void}), and must count"
            )
        first, second = event.dice
        if self.vig is not None:
            self.vig.thrown()
        self.thrown(event, first, second)
        if self.last_throws:
            self.last_throws -= 1
            if self.last_throws == 0:
                self.close()
        if self.vig is not None:
            self.vig.over()

    def ground(self, event: DiceRolled) -> str:
        """Why a throw is void; empty when it counts, whatever was called."""
        if event.void is not None and event.void in self.void.grounds:
            return event.void
        dice = event.dice
        return "" if len(dice) == 2 and 1 <= dice[0] <= 6 and 1 <= dice[1] <= 6 else "a die is missing"

    def thrown(self, event: DiceRolled, first: int, second: int) -> None:
        """Every bet that the throw decides is decided; the point goes on or off."""
        book, table, point = self.book, self.table, self.point
        index = slot(first, second)
        total = first + second
        does = (self.layout.on_point if point else self.layout.come_out)[index]
        hit = {bet: (spot, ruled) for spot, ruled in does for bet in book.piles.bets(spot)}
        lines = {bet: book.live.get(bet.of or "") for bet in hit if bet.wager_id in ODDS}
        won: dict[str, int] = {}
        for bet in in_order(hit):
            spot, ruled = hit[bet]
            if ruled is LOSES:
                book.decide(bet, 0, 0)
            elif ruled is TRAVELS:
                self.lie(bet, self.layout.spots[bet.wager_id, total])
            elif ruled is PUSHES:
                book.decide(bet, 0, bet.amount, self.come_out_passage if bet.wager_id in ODDS else "")
            else:
                assert isinstance(ruled, Price)
                num, den = spot.winnings(bet.amount, ruled)
                paid = table.share(1, num, den)
                line = lines.get(bet)
                if line is not None and self.layout.cuts_wins:
                    paid = self.cut(bet, line, paid, won)
                if self.vig is not None:
                    paid = self.vig.net(bet, paid)
                book.decide(bet, paid, bet.amount)
        self.fire(point, total)
        self.point = next_point(point, total)
        self.outcome = f"{first}-{second} {self.said(point, total)}"
        if point and total == 7:
            self.sevened_out = event.seat
            self.declined.clear()

    def fire(self, point: int, total: int) -> None:
        """The points that the shooter makes are counted, each once, until he loses one: then a fire bet is decided,
        unless he has made them all."""
        self.shooter_is_new = False
        if not point or total not in (point, 7):
            return
        if total == point:
            self.points_made.add(point)
        made = str(len(self.points_made))
        lying = self.layout.spots.get((FIRE, 0))
        if lying is not None and (total == 7 or len(self.points_made) == len(POINTS)):
            pays = lying.wager.prices.get(made)
            for bet in list(self.book.piles.bets(lying)):
                if pays is None:
                    self.book.decide(bet, 0, 0)
                else:
                    self.book.decide(bet, self.table.share(bet.amount, pays.num, pays.den), bet.amount)
        if total == 7:
            self.shooter_is_new = True
            self.points_made.clear()

    def cut(self, bet: Bet, line: Bet, paid: int, won: dict[str, int]) -> int:
        """MO-1985, art. 2.2: all odds on a line bet together win no more than its stake, the earlier bet first."""
        limit = self.layout.odds_maxima.get(bet.state.base)
        if limit is None or not limit.cuts_win:
            return paid
        left = line.amount - won.get(line.id, 0)
        paid = min(paid, left - left % self.table.chip_unit)
        won[line.id] = won.get(line.id, 0) + paid
        return paid

    @staticmethod
    def said(point: int, total: int) -> str:
        """What the stickman calls."""
        if point:
            return "seven-out" if total == 7 else f"point {point} made" if total == point else f"on point {point}"
        return "natural" if total in NATURALS else "craps" if total in CRAPS else f"point {total}"

    def check_shooter(self, event: DiceRolled, ground: str) -> None:
        """Who throws a come-out must have a line bet, and must not have sevened out just before while others wait."""
        seat = event.seat
        rule = self.line_bet_rule
        if rule is not None and seat is not None:
            laid = self.book.piles.amount(("lines", seat))
            least = max(self.table.minimum, 1) if rule.least == "minimum" else 1
            if laid < least:
                self.book.report(
                    "illegal_decision",
                    rule.passage,
                    f"seat {seat} throws the come-out with {self.table.shown(laid)} on the lines, too little to shoot",
                    seat=seat,
                )
        before = self.sevened_out
        if before is None:
            return
        rotation = self.rotation_rule
        if seat == before:
            waiting = (("seat", other) for other in SEATS if other != seat and other not in self.declined)
            if rotation is not None and any(each in self.book.piles for each in waiting):
                self.book.report(
                    "dealer_misplay",
                    rotation.passage,
                    f"seat {seat} keeps the dice after a seven-out while another player waits",
                    seat=seat,
                )
                self.sevened_out = None
        elif seat is not None:
            self.sevened_out = None
        if not ground and not (seat is None and rotation is not None and rotation.named):
            self.sevened_out = None

    def decision(self, event: Decision) -> None:
        """A player declines the dice, or calls a bet on or off."""
        if event.choice == "pass":
            self.declined.add(event.seat)
        elif event.choice in (ON, OFF) and self.calls is not None:
            self.call(event, self.calls.passage)

    def call(self, event: Decision, passage: str) -> None:
        """From now on a bet works on every throw, or on none."""
        name = event.bet or ""
        if name and self.book.may_be_unseen(name):
            return
        bet = self.book.live.get(name)
        if bet is None:
            why = f"there is no bet {name} on the table" if name else "no bet was named"
        elif not self.betting_open:
            why = f"the dice are out, and {bet.wager_id} bet {name} stays as it lies"
        elif not bet.state.base.called:
            why = f"{bet.wager_id} bet {name} works on every throw"
        else:
            self.lie(bet, bet.state.base.called[event.choice])
            return
        text = f"seat {event.seat} called {event.choice}: {why}"
        self.book.report("illegal_decision", passage, text, seat=event.seat)

    def commission_taken(self, event: CommissionTaken) -> None:
        """A vigorish, or money for nothing."""
        if self.vig is not None:
            self.vig.take(event)
        elif self.table.claims:
            self.book.report(
                "wrong_commission",
                self.wager_passage,
                f"{self.table.shown(event.amount)} was taken as commission, which no wager here owes",
                bet_id=event.bet or "",
                seat=event.seat,
                amount=event.amount,
            )

    def dice_changed(self, event: DiceChanged) -> None:
        """New dice within the series only when one has left the table, or has broken."""
        rule = self.dice_change
        if rule is not None and self.point and self.void_ground not in rule.after:
            self.book.report(
                "dice_changed_mid_series", rule.passage, f"the dice were changed while the point {self.point} is on"
            )

    def bet_settled(self, event: BetSettled) -> None:
        """A claim; one on a bet that a void throw seemed to decide is set aside."""
        bet = self.book.live.get(event.bet)
        if bet is not None and self.void_ground and event.bet not in self.book.lapsed:
            self.book.report(
                "bad_throw_counted",
                self.void.passage,
                f"bet {bet.id} was settled on a throw that is void ({self.void_ground})",
                bet=bet,
            )
            bet.aside = event
            return
        self.book.claim(event)

    # --- IV.4, closing the table --------------------------------------------------------------------------------------

    def table_closing(self, event: TableClosing) -> None:
        """ "Les tres últimes tirades"."""
        lawful = self.closing.last
        if lawful is not None and event.last != lawful:
            self.book.report(
                "dealer_misplay",
                self.closing.passage,
                f"the last {event.last} throws were announced, not the last {lawful}",
            )
        if not self.closed:
            self.last_throws = event.last

    def close(self) -> None:
        """The last throw is made: what is undecided goes back."""
        self.closed = True
        self.point = 0
        self.sevened_out = None
        self.shooter_is_new = True
        self.points_made.clear()
        for bet in list(self.book.live.values()):
            self.book.decide(bet, 0, bet.amount, self.closing.passage)

    def round_opened(self, event: RoundOpened) -> None:
        """ "Facin joc": a table that was closed is open again."""
        self.betting_open = True
        self.closed = False

    # --- a hole in the log --------------------------------------------------------------------------------------------

    def lost_sight(self) -> None:
        """The point, the last throw and the shooter are unknown; of last throws that were announced, no more are left
        than before."""
        self.point = 0
        self.void_ground = ""
        self.sevened_out = None
        self.declined.clear()
        self.shooter_is_new = None
        self.points_made.clear()
        if self.vig is not None:
            self.vig.forget()

    def sight_again(self, event: Any) -> bool:
        """A valid 7 takes every point off, whatever it was. While the last throws run, it is not known which of them is
        the last: then the table must have been closed and opened again first."""
        if event.type == "round_opened":
            self.closed = False
        elif event.type == "table_closing":
            self.last_throws = event.last
            self.closed = False
        elif event.type == "dice_rolled" and not self.ground(event):
            if self.last_throws:
                self.last_throws -= 1
                self.closed = self.last_throws == 0
            elif not self.closed and sum(event.dice) == 7:
                self.betting_open = True
                self.called_seq = event.seq
                return True
        return False


def _called(bet: Bet) -> str:
    """What the player has called of his bet; empty: nothing."""
    spot: Spot | None = bet.state
    return "" if spot is None else next((choice for choice, at in spot.base.called.items() if at is spot), "")


__all__ = ["GAME", "odds"]
GAME = Craps
