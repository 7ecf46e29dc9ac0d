"""Craps on the simulated floor: two throws a minute, line bets with odds, place bets, long shots.

The dealers know the prices of four regulations by heart: Andorra's, Macau's, New Jersey's and the casino game of the
Romanian description. A round is a series, from the come-out to its decision, or a part of one.
"""

from __future__ import annotations

from math import lcm
from typing import Any

from streams.simulator.games._craps_laws import (
    ANDORRA,
    BY_POINT,
    CALLED,
    CONTRACT,
    EVEN,
    EVERYWHERE,
    FIELD,
    FIRE,
    HARD_WAYS,
    LONG_SHOTS,
    MACAU,
    NEW_JERSEY,
    ODDS_OF,
    ONE_THROW,
    PLACE_RIGHT,
    PLACE_WRONG,
    POINTS,
    RIGHT_ODDS,
    ROMANIA,
    WRONG_ODDS,
    CrapsSetup,
    faces,
    horn_high,
    stays,
)
from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSimulator
from streams.simulator.truth import Expected


class _Lying:
    """A stake on the layout."""

    __slots__ = ("called", "line", "number", "seen", "stake")

    def __init__(self, stake: Stake, line: _Lying | None, seen: bool) -> None:
        self.stake = stake
        self.line = line
        """The line bet that these odds belong to."""
        self.number = 0
        """The number that a line bet waits for; 0 before its first throw."""
        self.seen = seen
        """The auditor knows of it: no hole in the log since it was laid."""
        self.called = ""
        """``on`` or ``off``, where the player has called it so."""


class CrapsTable(TableSimulator):
    """One craps table."""

    code = "CR"
    open_to = ("loaded-dice", "controlled-shooter", "colluding-dealer")
    seats = 10
    clear_after_round = False
    setup: CrapsSetup

    def opening(self) -> None:
        options = self.setup.options
        regulation = self.regulation = self.setup.regulation
        self.in_multiples: bool = options.get("multiples_of_min", False)
        self.offered = {*EVERYWHERE, *regulation.offered} - self.without
        self.rest_on_come_out = () if options.get("working_on_comeout", False) else regulation.rest_on_come_out
        self.field = {**FIELD, 2: (options.get("field_2", 2), 1), 12: (options.get("field_12", 2), 1)}
        self.one_throw = {**ONE_THROW, **regulation.prices}
        if options.get("fire_bet"):
            self.offered |= {"fire"} - self.without
        self.on_winning = options.get("vigorish") == "on_winning"
        self.vig_unit: int = options.get("vig_unit", 100)
        self.vig_rounding: str = options.get("vig_rounding", "down")
        self.shooter_is_new = True
        self.shooter_known = True
        """The auditor knows whether he is, too."""
        self.points_made: set[int] = set()
        self.gain_factor: int = options.get("multiple_gain_factor", 3)
        self.odds_multiple = str(options.get("odds_multiple", regulation.odds_multiple))
        self.point = 0
        self.shooter = 0
        """Who throws, or threw last."""
        self.sevened_out = False
        """The last valid throw was a seven-out."""
        self.seven_out_seen = False
        """And the auditor saw whose."""
        self.declined: set[int] = set()
        """Who has not wanted the dice since the seven-out."""
        self.throws_again = False
        """The shooter throws another come-out after his seven-out."""
        self.keeping = False
        """And he does so against the rules."""
        self.last_void = ""
        self.lying: list[_Lying] = []
        self.long_shots = tuple(wager for wager in LONG_SHOTS if wager in self.offered)
        once = ("field", *self.one_throw, "horn_high", "hop")
        self.once = tuple(wager for wager in once if wager in self.offered)
        self.last_throws: int | None = None
        """So many throws are left of the last ones announced."""
        faults = ["late_bet", "late_raise", "line_raised", "late_withdrawal", "taken_back_lost",
                  "contract_withdrawal", "contract_grabbed", "above_maximum", "place_too_large", "odds_too_large",
                  "wager_not_offered", "come_without_point", "line_with_point", "odds_without_number",
                  "odds_of_other_line", "pick_not_offered", "duplicate_bet", "called_void", "bad_throw_counted",
                  "settled_too_early"]  # fmt: skip
        faults.append("stake_mismatch" if self.in_multiples else "below_minimum")
        if "buy" in self.offered:
            faults += ["vig_not_kept"] if self.on_winning else ["vig_forgotten", "vig_mistaken"]
            faults.append("vig_for_nothing")
        if "fire" in self.offered:
            faults += ["fire_too_late", "fire_withdrawn"]
        self.faults = (*faults, *regulation.faults)
        self.emit("dice_changed")

    # --- a round --------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        rng = self.random
        self._leave()
        if self.point == 0:
            self._hand_dice_on()
        elif all(player.seat != self.shooter for player in self.players):
            self.shooter = self._in_turn()[0].seat
        while True:
            if self.last_throws is None and self.now_us >= self.closes_us - 240_000_000:
                self._announce_closing()
            come_out = self.point == 0
            self._take_bets()
            self._throw()
            if self.last_throws == 0:
                self._close()
                return
            if self.point == 0 or (not come_out and rng.random() < 0.03):
                return

    def _leave(self) -> None:
        """Whoever is gone has taken up what may be taken up; the rest lies until it is decided."""
        here = {player.seat for player in self.players}
        for lying in [lying for lying in self.lying if lying.stake.seat not in here]:
            if lying in self.lying and not stays(lying.stake.wager):
                self._take_back(lying)

    def _in_turn(self) -> list[Player]:
        """The players as the dice go round, the last shooter at the end."""
        return sorted(self.players, key=lambda player: (player.seat <= self.shooter, player.seat))

    def _hand_dice_on(self) -> None:
        """Who throws the come-out: the shooter keeps the dice until he sevens out, or does not want them any more."""
        rng = self.random
        players = self._in_turn()
        here = any(player.seat == self.shooter for player in self.players)
        if not self.sevened_out and here and rng.random() > 0.02:
            return
        if self.seven_out_seen and here and len(players) > 1 and self.chance("dice_kept"):
            self.keeping = self.throws_again = True
            return
        last = self.shooter
        if rng.random() < 0.3:
            self.emit("dice_changed")
        for player in players:
            if player.seat == last or rng.random() > 0.08:
                self.shooter = player.seat
                break
            self._decline(player.seat)
        else:
            self.shooter = players[0].seat
        self.throws_again = self.sevened_out and self.shooter == last

    def _decline(self, seat: int) -> None:
        self.declined.add(seat)
        self.emit("decision", seat=seat, choice="pass")

    def _throw_again(self) -> None:
        """The shooter throws again after his seven-out, over the heads of others who have bets (a wrong), or because
        they do not want the dice."""
        others = [lying for lying in self.lying if lying.stake.seat != self.shooter]
        if self.keeping and any(lying.seen for lying in others) and self.chance("dice_kept"):
            self.plant("dice_kept", Expected(code="dealer_misplay", seat=self.shooter))
        else:
            for seat in sorted({lying.stake.seat for lying in others} - self.declined):
                self._decline(seat)
        self.keeping = self.throws_again = False

    # --- betting --------------------------------------------------------------------------------------------------

    def _take_bets(self) -> None:
        rng = self.random
        for player in sorted(self.players, key=lambda player: player.seat != self.shooter):
            self.wait(0.3, 2)
            self._bets_of(player)
        if self.watched and self.wanted is not None:
            self._wrongs_before_call()
        if self.lying and rng.random() < 0.06:
            lying = rng.choice(self.lying)
            must_lie = self.point == 0 and lying.stake.seat == self.shooter  # the shooter's line bet
            if not stays(lying.stake.wager) and not must_lie:
                if lying.line is not None and lying.stake.amount > 2 * self.minimum and rng.random() < 0.3:
                    self.withdraw(lying.stake, self.minimum)
                else:
                    self._take_back(lying)
        self.wait(5, 11)
        if self.regulation.calls and rng.random() < 0.08:
            self._call_something()
        if self.throws_again:
            self._throw_again()
        self.emit("bets_closed")
        if self.watched and self.wanted is not None:
            self._wrongs_after_call()

    def _call_something(self) -> None:
        """Somebody has a bet work that rests, or rest that works."""
        lying = [each for each in self.lying if each.stake.wager in CALLED]
        if lying:
            chosen = self.random.choice(lying)
            chosen.called = self.random.choice(("on", "off"))
            self.emit("decision", seat=chosen.stake.seat, choice=chosen.called, bet=chosen.stake.id)

    def _bets_of(self, player: Player) -> None:
        rng = self.random
        unit, bold = player.unit, player.boldness
        shoots = player.seat == self.shooter
        have = {(lying.stake.wager, lying.stake.pick) for lying in self.lying if lying.stake.seat == player.seat}
        waits_wrong = 0.3 < bold < 0.45
        if "fire" in self.offered and self.shooter_is_new and ("fire", None) not in have and bold > 0.5:
            if rng.random() < 0.6:
                fire = self._bet(player, "fire", self.least("fire"))
                if fire is not None:
                    fire.seen = fire.seen and self.shooter_known
        if self.point == 0:
            if ("pass_line", None) not in have and ("dont_pass", None) not in have:
                if shoots or rng.random() < 0.75:
                    if shoots and len(self.players) > 1 and self.chance("shooter_without_line_bet"):
                        self.plant("shooter_without_line_bet", Expected(code="illegal_decision", seat=player.seat))
                    else:
                        self._bet(player, "dont_pass" if waits_wrong else "pass_line", unit, must=shoots)
        else:
            if rng.random() < 0.3:
                self._bet(player, "dont_come" if waits_wrong else "come", unit)
            if rng.random() < 0.6:
                self._odds(player)
        place = "place_right" if "place_right" in self.offered else "big_6_8"
        if (self.point or rng.random() < 0.2) and bold > 0.35 and not waits_wrong:
            for inside in (6, 8):
                if inside != self.point and (place, inside) not in have and rng.random() < 0.35:
                    self._bet(player, place, unit if self.in_multiples else self.chips(unit * 6 // 5), pick=inside)
        if rng.random() > 0.45 * (0.2 + bold):
            return
        wager = rng.choice(self.long_shots)
        number: int | None = None
        if wager == "hard_way":
            number = rng.choice((4, 6, 8, 10))
        elif wager in ("place_right", "place_wrong", "buy", "lay"):
            number = rng.choice(POINTS)
        elif wager == "horn_high":
            number = rng.choice((2, 3, 11, 12))
        elif wager == "hop":
            low, high = sorted((rng.randrange(1, 7), rng.randrange(1, 7)))
            number = 10 * low + high
        elif wager.startswith("big_") and len(wager) > 5:
            number = rng.choice([int(part) for part in wager.split("_")[1:]])
        if (wager, number) not in have:
            laid = self._bet(player, wager, self._odd_amount(), pick=number)
            if laid is not None and rng.random() < 0.06 and player.bankroll >= self.minimum:
                self.wait(0.5, 2)
                more = self._fit(self.minimum, wager, number)
                if rng.random() < 0.5:
                    self._take_back(laid)
                elif laid.stake.amount + more <= self._most(wager, number):
                    self.raise_stake(laid.stake, more)
                    self._take_vig(laid.stake, more)

    def _odd_amount(self) -> int:
        """A stake for a long shot: the minimum, or an amount that does not divide well."""
        rng = self.random
        if self.in_multiples or rng.random() < 0.6:
            return self.minimum * rng.choice((1, 1, 1, 2, 3))
        return self.minimum + self.setup.chip_unit * rng.randrange(0, 30)

    def _odds(self, player: Player) -> None:
        """Odds on the player's line bets whose number is known and that have none."""
        rng = self.random
        backed = {id(lying.line) for lying in self.lying if lying.line is not None}
        for lying in list(self.lying):
            stake = lying.stake
            if stake.seat != player.seat or not lying.number or id(lying) in backed or rng.random() < 0.3:
                continue
            most = self._most_odds(lying)
            wager = ODDS_OF[stake.wager]
            amount = self._down(min(most, 3 * stake.amount, player.bankroll))
            if rng.random() < 0.3:
                amount = self._down(amount // 2)
            amount = self._fit(amount, wager, lying.number, down=True)
            if amount:
                self._bet(player, wager, amount, line=lying)

    def _bet(
        self,
        player: Player,
        wager: str,
        amount: int,
        *,
        pick: int | None = None,
        line: _Lying | None = None,
        must: bool = False,
    ) -> _Lying | None:
        """A player's stake, within the limits and his means; ``must``: the least one if the usual one is too much."""
        if line is None:
            amount = max(min(amount, self._most(wager, pick)), self.least(wager))
            amount = self._fit(amount, wager, pick)
            if self.in_multiples:
                amount -= amount % self.least(wager)
        if must and amount > player.bankroll:
            amount = self.least(wager)
        fields: dict[str, Any] = {} if line is None else {"of": line.stake.id}
        stake = self.lay(player, wager, amount, pick=pick, **fields)
        if stake is None:
            return None
        laid = self._lies(stake, line)
        self._take_vig(stake, amount)
        return laid

    def _lies(self, stake: Stake, line: _Lying | None = None) -> _Lying:
        lying = _Lying(stake, line, self.watched and (line is None or line.seen))
        self.lying.append(lying)
        return lying

    def _take_back(self, lying: _Lying) -> None:
        """A stake is taken up; odds that lie on it come back."""
        self.lying.remove(lying)
        self.withdraw(lying.stake)
        if lying.stake.refund:
            self.hand_over(lying.stake, 0, lying.stake.refund)
        for odds in [other for other in self.lying if other.line is lying]:
            self.lying.remove(odds)
            self._hand(odds, 0, odds.stake.amount)

    # --- the vigorish -------------------------------------------------------------------------------------------

    def _vig(self, stake: Stake) -> int:
        """Five per cent of what is bought, or of what a laid bet would win; a unit at least."""
        base = stake.amount if stake.wager == "buy" else self.part(stake.amount, *WRONG_ODDS[stake.pick])
        units, rest = divmod(base, 20 * self.vig_unit)
        if rest and (self.vig_rounding == "up" or (self.vig_rounding == "nearest" and rest >= 10 * self.vig_unit)):
            units += 1
        return max(units, 1) * self.vig_unit

    def _take_vig(self, stake: Stake, laid: int) -> None:
        """The vigorish of chips that were just laid, beside the stake, unless the dealer errs."""
        if stake.wager not in ("buy", "lay") or self.on_winning:
            return
        due = self._vig(stake)
        if laid < stake.amount:  # it was paid for what lay there before
            stake.amount -= laid
            due -= self._vig(stake)
            stake.amount += laid
        taken = due
        first = laid == stake.amount and self.lying[-1].seen
        if first and self.chance("vig_forgotten"):
            taken = 0
            self.plant("vig_forgotten", Expected(code="wrong_commission", bet=stake.id, amount=due))
        elif first and self.chance("vig_mistaken"):
            taken = due + self.vig_unit if due <= self.vig_unit or self.random.random() < 0.5 else due - self.vig_unit
            self.plant("vig_mistaken", Expected(code="wrong_commission", bet=stake.id, amount=abs(taken - due)))
        if taken:
            self.wait(0.5, 2)
            self.fee_from_player("commission_taken", taken, stake.player, bet=stake.id)

    def _wrong_vig(self) -> None:
        if self.chance("vig_for_nothing"):
            stands = self._some("pass_line", "dont_pass", "place_right", "field")
            if stands is not None:
                self.fee_from_player("commission_taken", self.vig_unit, None, bet=stands.stake.id)
                found = Expected(code="wrong_commission", bet=stands.stake.id, amount=self.vig_unit)
                self.plant("vig_for_nothing", found)

    # --- limits ---------------------------------------------------------------------------------------------------

    def _down(self, amount: int) -> int:
        return amount - amount % self.setup.chip_unit

    def _fit(self, amount: int, wager: str, pick: int | None, *, down: bool = False) -> int:
        """The next stake from this one on that can be paid in chips, where it has to be; ``down``: up to this one."""
        if not self.regulation.payable:
            return amount
        unit = self.setup.chip_unit * lcm(*(den for _, den in self._prices(wager, pick)))
        return amount // unit * unit if down else -(-amount // unit) * unit

    def _prices(self, wager: str, pick: int | None) -> list[tuple[int, int]]:
        """All at which a wager may win."""
        if wager in self.one_throw:
            return list(self.one_throw[wager].values())
        if wager == "horn_high":
            return [(1, 5)]
        by_number = {
            "place_right": PLACE_RIGHT,
            **dict.fromkeys(("buy", "pass_odds", "come_odds"), RIGHT_ODDS),
            **dict.fromkeys(("lay", "dont_pass_odds", "dont_come_odds"), WRONG_ODDS),
        }
        return [by_number[wager][pick]] if wager in by_number and pick is not None else [EVEN]

    def _most(self, wager: str, pick: int | None) -> int:
        """The largest stake."""
        own = self.setup.limits.get(wager)
        if own and "max" in own:
            return int(own["max"])
        if wager in self.regulation.by_their_win:
            num, den = self._long_price(wager, pick)
            return self._down(self.gain_factor * self.maximum * den // num)
        if wager in self.regulation.per_cent:
            assert pick is not None
            return self._down(self.regulation.per_cent[wager][pick] * self.maximum // 100)
        return self.maximum

    def _long_price(self, wager: str, pick: int | None) -> tuple[int, int]:
        if wager == "hard_way":
            assert pick is not None
            return HARD_WAYS[pick]
        return next(iter(self.one_throw[wager].values()))

    def _most_odds(self, line: _Lying) -> int:
        """The largest odds on a line bet whose number is known."""
        by_point = BY_POINT.get(self.odds_multiple)
        multiple = int(self.odds_multiple) if by_point is None else by_point[line.number]
        right = line.stake.wager in CONTRACT
        num, den = (self.regulation.right_odds if right else self.regulation.wrong_odds)[line.number]
        return multiple * line.stake.amount * num // den

    # --- the throw ------------------------------------------------------------------------------------------------

    def _throw(self) -> None:
        """The dice until they count, and what the dealers do then."""
        rng = self.random
        self.wait(3, 7)
        if self.point or not self.planted_in_round:
            while rng.random() < (0.6 if self.chance("bad_throw_counted") else 0.025):
                self._void_throw()
        dice = [self.die(0), self.die(1)]
        for cheat in self.cheats:
            dice = cheat.thrown(self, dice, self.shooter, self.point)
        total = sum(dice)
        if self.chance("settled_too_early") and not self.last_void:
            once = [lying for lying in self.lying if lying.seen and lying.stake.wager in self.once]
            if once:
                early = rng.choice(once)
                due = self._due(early, dice)
                assert due is not None
                self.lying.remove(early)
                self.settle_early(early.stake, due[0], due[1] + early.stake.refund)
        if self.chance("called_void"):
            ground = rng.choice(self.regulation.no_ground)
            self.emit("dice_rolled", dice=dice, seat=self.shooter, void=ground)
            self.plant("called_void", Expected(code="dealer_misplay"))
        else:
            self.emit("dice_rolled", dice=dice, seat=self.shooter)
        self.last_void = ""
        decided: list[tuple[_Lying, int, int]] = []
        left: list[_Lying] = []
        for lying in self.lying:
            due = self._due(lying, dice)
            if due is None:
                left.append(lying)
            else:
                decided.append((lying, *due))
        self.lying = left
        self.sevened_out = total == 7 and self.point != 0
        self.seven_out_seen = self.sevened_out and self.watched
        self._shooter_threw(total)
        if self.sevened_out:
            self.declined.clear()
        if total == 7 and self.last_throws is None:
            self.clear()  # no point is on after a 7, whatever was on before
        if self.point == 0:
            self.point = total if total in POINTS else 0
        elif total in (7, self.point):
            self.point = 0
        if self.last_throws:
            self.last_throws -= 1
        decided.sort(key=lambda entry: entry[1] + entry[2] > 0)
        for lying, paid, returned in decided:
            self.wait(0.2, 1.2)
            self._hand(lying, paid, returned)
            if paid + returned == 0 and lying.seen:
                self.grabbed_lost(lying.stake)

    def _shooter_threw(self, total: int) -> None:
        """What a fire bet hangs on. ``self.point`` is the point before the throw."""
        self.shooter_is_new = self.sevened_out
        self.shooter_known = self.shooter_known or self.watched
        if self.point and total == self.point:
            self.points_made.add(total)
        if self.sevened_out:
            self.points_made.clear()

    def _void_throw(self) -> None:
        """A throw that does not count, and is repeated."""
        rng = self.random
        dice = [rng.randrange(1, 7), rng.randrange(1, 7)]
        if rng.random() < 0.1:
            dice.pop()
            self.last_void = "missing"
            self.emit("dice_rolled", dice=dice, seat=self.shooter)
        else:
            self.last_void = rng.choice(self.regulation.void)
            self.emit("dice_rolled", dice=dice, seat=self.shooter, void=self.last_void)
        self.wait(2, 5)
        if self.last_void in ("off_table", "broken") and rng.random() < 0.5:
            self.emit("dice_changed")
        seen = [lying for lying in self.lying if lying.seen]
        if seen and self.chance("bad_throw_counted"):
            taken = rng.choice(seen)
            self.emit("bet_settled", bet=taken.stake.id, paid=0, returned=0)
            self.plant("bad_throw_counted", Expected(code="bad_throw_counted", bet=taken.stake.id))
        self.wait(4, 10)

    def _hand(self, lying: _Lying, paid: int, returned: int) -> None:
        """Settle a decided bet. Wrongs are done only with bets that the auditor has seen go down."""
        stake = lying.stake
        if lying.seen and paid and stake.wager in ("buy", "lay") and self.chance("vig_not_kept"):
            self.mispay("vig_not_kept", stake, (paid, returned + stake.refund), (paid + self._vig(stake), returned))
        elif lying.seen:
            self.settle(lying.stake, paid, returned)
        else:
            self.hand_over(lying.stake, paid, returned + lying.stake.refund)

    def _due(self, lying: _Lying, dice: list[int]) -> tuple[int, int] | None:
        """What a stake is due after a throw, (paid, returned); None while it is undecided. ``self.point`` is the point
        before the throw. A line bet finds its number here."""
        total, pair = sum(dice), dice[0] == dice[1]
        stake = lying.stake
        wager, amount = stake.wager, stake.amount
        if lying.line is not None:
            return self._due_of_odds(lying, lying.line, total)
        if wager in CONTRACT:
            if not lying.number:
                if total in (7, 11):
                    return amount, amount
                if total in (2, 3, 12):
                    return 0, 0
                lying.number = total
                return None
            return (amount, amount) if total == lying.number else (0, 0) if total == 7 else None
        if wager in ("dont_pass", "dont_come"):
            if not lying.number:
                if total in (2, 3):
                    return amount, amount
                if total == 12:
                    return 0, amount
                if total in (7, 11):
                    return 0, 0
                lying.number = total
                return None
            return (amount, amount) if total == 7 else (0, 0) if total == lying.number else None
        if wager == "field":
            return self._won(amount, self.field.get(total))
        if wager in self.one_throw:
            return self._won(amount, self.one_throw[wager].get(total))
        if wager == "horn_high":
            return self._won(amount, horn_high(stake.pick, total))
        if wager == "hop":
            return self._won(amount, ((30, 1) if pair else (15, 1)) if sorted(dice) == faces(stake.pick) else None)
        if wager == "fire":
            return self._due_of_fire(amount, total)
        if self._rests(lying):
            return None
        if wager == "hard_way":
            if total == stake.pick and pair:
                return self._won(amount, HARD_WAYS[total])
            return (0, 0) if total in (7, stake.pick) else None
        if wager == "lay":
            if total not in (7, stake.pick):
                return None
            return self._less_vig(stake, WRONG_ODDS[stake.pick]) if total == 7 else (0, 0)
        if wager == "place_wrong":
            return self._won(amount, PLACE_WRONG[stake.pick]) if total == 7 else (0, 0) if total == stake.pick else None
        number = stake.pick if stake.pick is not None else int(wager[-1])
        if total == 7:
            return 0, 0
        if total != number:
            return None
        if wager == "place_right":
            return self._won(amount, PLACE_RIGHT[number])
        if wager == "buy":
            return self._less_vig(stake, RIGHT_ODDS[number])
        if wager in ("big_6", "big_8"):
            return self.chips(amount), amount
        return self._macau_big(amount, number), amount

    def _rests(self, lying: _Lying) -> bool:
        """Whether this throw does nothing to it. ``self.point`` is the point before the throw."""
        if lying.called:
            return lying.called == "off"
        return self.point == 0 and lying.stake.wager in self.rest_on_come_out

    def _less_vig(self, stake: Stake, price: tuple[int, int]) -> tuple[int, int]:
        paid, returned = self._won(stake.amount, price)
        return (max(0, paid - self._vig(stake)) if self.on_winning else paid), returned

    def _due_of_fire(self, amount: int, total: int) -> tuple[int, int] | None:
        """Decided by the seven-out, or by the sixth different point."""
        if self.point == 0 or total not in (7, self.point):
            return None
        if total == 7:
            return self._won(amount, FIRE.get(len(self.points_made)))
        return self._won(amount, FIRE[6]) if len(self.points_made | {total}) == 6 else None

    def _won(self, amount: int, price: tuple[int, int] | None) -> tuple[int, int]:
        return (0, 0) if price is None else (self.part(amount, *price), amount)

    def _macau_big(self, amount: int, number: int) -> int:
        """Seven for every full six (five), par on what is over; on 4 and 10 nine for five of the whole."""
        if number in (4, 10):
            return self.part(amount, 9, 5)
        full = 600 if number in (6, 8) else 500
        return self.chips(amount // full * 700 + amount % full)

    def _due_of_odds(self, odds: _Lying, line: _Lying, total: int) -> tuple[int, int] | None:
        """Odds go with their line bet."""
        if total not in (7, line.number):
            return None
        stake = odds.stake
        if self._rests(odds):
            return 0, stake.amount
        if line.stake.wager not in CONTRACT:
            return self._won(stake.amount, WRONG_ODDS[line.number]) if total == 7 else (0, 0)
        if total == 7:
            return 0, 0
        paid = self.part(stake.amount, *RIGHT_ODDS[line.number])
        if self.regulation.odds_win_at_most_the_line:
            paid = min(paid, line.stake.amount)
        return paid, stake.amount

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def hole_made(self) -> None:
        """What lies on the layout stays unknown to the auditor until it is decided, and a claim for a bet that was
        never laid may from here on be one for a bet that he did not see."""
        for lying in self.lying:
            lying.seen = False
        self.seven_out_seen = False
        self.shooter_known = False
        self.wrongs.rule_out("unknown_bet")

    def _free_seat(self, wager: str, pick: int | None) -> int:
        """Somebody who has nothing on this wager yet; 0 where everybody has."""
        taken = {lying.stake.seat for lying in self.lying if (lying.stake.wager, lying.stake.pick) == (wager, pick)}
        seats = [seat for seat in range(1, self.seats + 1) if seat not in taken]
        return self.random.choice(seats) if seats else 0

    def _some(self, *wagers: str, number: bool | None = None) -> _Lying | None:
        """A stake that the auditor knows, on one of the wagers; ``number``: whose number is known, or is not."""
        fit = [
            lying
            for lying in self.lying
            if lying.seen and lying.stake.wager in wagers and (number is None or (lying.number > 0) == number)
        ]
        return self.random.choice(fit) if fit else None

    def _refused(self, fault: str, code: str, wager: str, *, pick: int | None = None, of: _Lying | None = None) -> None:
        """A stake that goes back."""
        fields: dict[str, Any] = {} if of is None else {"of": of.stake.id}
        seat = self.random.randrange(1, self.seats + 1) if of is None else of.stake.seat
        self.refused(fault, code, seat, wager, self.least(wager), pick=pick, **fields)

    def _accepted(self, fault: str, code: str, wager: str, amount: int, pick: int | None = None) -> None:
        """A stake that is wrong and plays. The person who lays it has nothing else on it."""
        seat = self._free_seat(wager, pick)
        if seat:
            self._lies(self.accepted(fault, code, seat, wager, amount, pick=pick))

    def _wrongs_before_call(self) -> None:
        rng = self.random
        self._wrong_sizes()
        self._wrong_odds()
        self._wrong_vig()
        self._wrong_fire()
        if self.chance("line_called"):
            line = self._some("pass_line", "dont_pass", "come", "dont_come", "field")
            if line is not None:
                self.emit("decision", seat=line.stake.seat, choice=rng.choice(("on", "off")), bet=line.stake.id)
                self.plant("line_called", Expected(code="illegal_decision", seat=line.stake.seat))
        if self.chance("wager_not_offered"):
            self._refused("wager_not_offered", "wager_not_offered", rng.choice(self.regulation.not_offered))
        if self.chance("pick_not_offered"):
            self._refused("pick_not_offered", "wager_not_offered", "hard_way", pick=rng.choice((5, 7, 9)))
        if self.point == 0 and self.chance("come_without_point"):
            self._refused("come_without_point", "wager_not_offered", rng.choice(("come", "dont_come")))
        if self.point and self.chance("line_with_point"):
            self._refused("line_with_point", "wager_not_offered", rng.choice(("pass_line", "dont_pass")))
        if self.point and self.chance("dice_changed_mid_series"):
            self.emit("dice_changed")
            self.plant("dice_changed_mid_series", Expected(code="dice_changed_mid_series"))
        if self.chance("line_raised"):
            line = self._some("pass_line", "dont_pass", number=True)
            if line is not None:
                self.raised_in_vain("line_raised", "wager_not_offered", line.stake, self.minimum)
        if self.chance("contract_withdrawal"):
            line = self._some(*CONTRACT, number=True)
            if line is not None:
                self.grabbed("contract_withdrawal", "withdrawal_not_allowed", line.stake)
        if self.chance("duplicate_bet"):
            seen = [lying for lying in self.lying if lying.seen]
            if seen:
                self.laid_again(rng.choice(seen).stake)

    def _wrong_fire(self) -> None:
        late = not self.shooter_is_new and self.shooter_known
        if late and self.chance("fire_too_late"):
            self._refused("fire_too_late", "wager_not_offered", "fire")
        if late and self.chance("fire_withdrawn"):
            fire = self._some("fire")
            if fire is not None:
                self.grabbed("fire_withdrawn", "withdrawal_not_allowed", fire.stake)

    def _wrong_sizes(self) -> None:
        rng = self.random
        if self.chance("below_minimum"):
            self._accepted("below_minimum", "below_minimum", "field", self.least("field") - self.setup.chip_unit)
        if self.regulation.payable and self.chance("stake_mismatch"):
            number = rng.choice((6, 8))
            amount = self._fit(self.least("place_right"), "place_right", number) + self.setup.chip_unit
            self._accepted("stake_mismatch", "stake_mismatch", "place_right", amount, number)
        if self.in_multiples and self.chance("stake_mismatch"):
            self._accepted("stake_mismatch", "stake_mismatch", "field", self.least("field") + self.setup.chip_unit)
        if self.chance("above_maximum"):
            even = rng.choice([wager for wager in ("field", "under_7", "over_7", "big_7") if wager in self.offered])
            self._accepted("above_maximum", "above_maximum", even, self._over(even))
        if self.chance("win_too_large"):
            few = ("seven", "eleven", "any_craps", "craps_2", "craps_3", "craps_12", "horn")
            long = rng.choice([wager for wager in few if wager in self.offered])
            self._accepted("win_too_large", "above_maximum", long, self._over(long))
        if self.chance("place_too_large"):
            place = rng.choice([wager for wager in ("place_right", "place_wrong", "big_6_8") if wager in self.offered])
            number = rng.choice((6, 8) if place == "big_6_8" else POINTS)
            self._accepted("place_too_large", "above_maximum", place, self._over(place, number), number)

    def _over(self, wager: str, pick: int | None = None) -> int:
        """A stake over the maximum, and a multiple of the minimum, or of what can be paid."""
        least = self.least(wager)
        return self._fit((self._most(wager, pick) // least + 1) * least, wager, pick)

    def _wrong_odds(self) -> None:
        rng = self.random
        if self.chance("odds_too_large"):
            backed = {id(lying.line) for lying in self.lying if lying.line is not None}
            lines = [
                lying
                for lying in self.lying
                if lying.seen and lying.number and id(lying) not in backed
                and lying.stake.wager in self.regulation.odds_bounded
            ]  # fmt: skip
            if lines:
                line = rng.choice(lines)
                amount = self._down(self._most_odds(line)) + self.setup.chip_unit * rng.randrange(1, 9)
                wager = ODDS_OF[line.stake.wager]
                amount = self._fit(amount, wager, line.number)
                odds = self._lies(self.lay_unasked(line.stake.seat, wager, amount, of=line.stake.id), line)
                self.plant("odds_too_large", Expected(code="odds_too_large", bet=odds.stake.id))
        if self.chance("odds_without_number"):
            young = self._some(*ODDS_OF, number=False)
            if young is not None:
                self._refused("odds_without_number", "wager_not_offered", ODDS_OF[young.stake.wager], of=young)
        if self.chance("odds_of_other_line"):
            old = self._some(*ODDS_OF, number=True)
            if old is not None:
                other = rng.choice([odds for line, odds in ODDS_OF.items() if line != old.stake.wager])
                self._refused("odds_of_other_line", "wager_not_offered", other, of=old)

    def _wrongs_after_call(self) -> None:
        rng = self.random
        if self.chance("called_late"):
            called = self._some(*CALLED)
            if called is not None:
                self.emit("decision", seat=called.stake.seat, choice="off", bet=called.stake.id)
                self.plant("called_late", Expected(code="illegal_decision", seat=called.stake.seat))
        if self.chance("late_bet"):
            self._refused("late_bet", "late_bet", rng.choice(self.once))
        if self.chance("late_raise"):
            standing = self._some("place_right", "place_wrong", "hard_way", "big_6", "big_8", "big_6_8", "field")
            if standing is not None:
                self.raised_in_vain("late_raise", "late_bet", standing.stake, self.minimum)
        if self.chance("contract_grabbed"):
            line = self._some(*CONTRACT)
            if line is not None:
                self.grabbed("contract_grabbed", "withdrawal_not_allowed", line.stake)
        if self.chance("late_withdrawal"):
            grabbed = [lying for lying in self.lying if lying.seen and not stays(lying.stake.wager)]
            if grabbed:
                self.grabbed("late_withdrawal", "late_withdrawal", rng.choice(grabbed).stake)

    # --- closing the table ----------------------------------------------------------------------------------------

    def closing(self) -> None:
        """Where nobody was left for the last throws, what may be taken up is."""
        self.players = []
        self._leave()

    def _announce_closing(self) -> None:
        """ "The last three throws"."""
        if self.wrongs.rate and self.watched:
            self.wrongs.wanted = self.random.choice(("closing_count", "thrown_after_last", None))
        self.last_throws = 3
        if self.chance("closing_count"):
            self.last_throws = self.random.choice((2, 4, 5))
            self._planted_at_the_end("closing_count")
        self.emit("table_closing", last=self.last_throws)

    def _close(self) -> None:
        """The last throw is made: what is undecided goes back, and the day is over."""
        lying, self.lying = self.lying, []
        for stake in lying:
            self.wait(0.2, 1)
            self._hand(stake, 0, stake.stake.amount)
        if self.chance("thrown_after_last"):
            self.emit("dice_rolled", dice=[self.random.randrange(1, 7), 6], seat=self.shooter)
            self._planted_at_the_end("thrown_after_last")
        self.closes_us = self.now_us

    def _planted_at_the_end(self, fault: str) -> None:
        """A wrong in counting the last throws, which is one only where their number is laid down."""
        self.plant(fault, *([Expected(code="dealer_misplay")] if self.regulation.counts_last_throws else []))


SIMULATOR = CrapsTable
SETUPS = (
    CrapsSetup(game="craps", rules="AD", regulation=ANDORRA, limits={"min": 500, "max": 100_000}, chip_unit=50),
    CrapsSetup(
        game="craps",
        rules="AD",
        regulation=ANDORRA,
        limits={"min": 1_000, "max": 200_000, "field": {"min": 1_000, "max": 100_000}},
        options={"multiples_of_min": True, "multiple_gain_factor": 2},
        chip_unit=100,
        rounding="nearest",
        float_minor=8_000_000,
    ),
    CrapsSetup(
        game="craps",
        rules="MO",
        regulation=MACAU,
        limits={"min": 1_000, "max": 200_000},
        currency="MOP",
        chip_unit=10,
        float_minor=8_000_000,
    ),
    CrapsSetup(
        game="craps",
        rules="RO",
        regulation=ROMANIA,
        limits={"min": 500, "max": 100_000},
        options={"odds_multiple": 5, "field_12": 3},
        currency="RON",
        chip_unit=100,
    ),
    CrapsSetup(
        game="craps",
        rules="US-NJ",
        regulation=NEW_JERSEY,
        limits={
            "min": 1_000,
            "max": 500_000,
            "fire": {"min": 100, "max": 1_000},
            **{name: {"min": 500, "max": 20_000} for name in ("horn", "horn_high", "world", "c_and_e", "hop")},
        },
        options={"fire_bet": True, "field_12": 3},
        currency="USD",
        chip_unit=100,
        float_minor=15_000_000,
    ),
    CrapsSetup(
        game="craps",
        rules="US-NJ",
        regulation=NEW_JERSEY,
        limits={"min": 1_500, "max": 300_000},
        options={"vigorish": "on_winning", "odds_multiple": 10, "working_on_comeout": True, "vig_rounding": "nearest"},
        currency="USD",
        chip_unit=100,
        float_minor=15_000_000,
    ),
    CrapsSetup(
        game="craps",
        rules="US-NJ",
        regulation=NEW_JERSEY,
        limits={"min": 2_500, "max": 500_000},
        options={"vig_unit": 50, "vig_rounding": "up", "odds_multiple": 2},
        currency="USD",
        chip_unit=50,
        rounding="nearest",
        float_minor=20_000_000,
    ),
)
