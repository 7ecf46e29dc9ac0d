"""One simulated table's gaming day: its clock, its people, its stakes and its tray.

A game's simulator (`streams.simulator.games`) extends `TableSimulator` with `play_round`, which tells what happens at
the table by `emit`, `lay`, `settle` and the rest. Envelope and seal are the gateway's (`streams.simulator.gateway`);
which wrong is wanted, and what is done to the log, is told in `streams.simulator.wrongs`.
All amounts are minor units; times are microseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from streams.simulator.cheating import Cheating
from streams.simulator.gateway import SECOND_US, Gateway, Line
from streams.simulator.players import Player, Stake
from streams.simulator.truth import Expected, Planted, mispaid
from streams.simulator.wrongs import MONEY_FAULTS, Wrongs, wrongly_handed

_CLOCK_BACK_S = 1800
"""Further than any round is long. It happens to a table once: of a device that is told once, no more is said."""
_TELLING_US = 40_000
"""So long it takes to tell an event."""


class TableSetup(msgspec.Struct, frozen=True, kw_only=True):
    """How a table is opened: what ``table_opened`` says of it."""

    game: str
    rules: str
    limits: dict[str, Any]
    options: dict[str, Any] = {}
    currency: str = "EUR"
    chip_unit: int = 100
    rounding: str = "down"
    decks: int | None = None
    float_minor: int = 5_000_000
    claims: bool = True


class TableSimulator:
    """One table's gaming day.

    A game's subclass must set ``code`` and have `play_round`; it sets the other attributes below where its game
    differs, ``faults`` as soon as `opening` knows the options, and overrides `opening`, `closing` and `hole_made` where
    it has something to do then. What it tells and asks: `emit`, `wait`, `lay`, `raise_stake`, `withdraw`, `settle`,
    `chips` and `part`; `chance` and `plant`, between which it does a wrong of its own, for many of which there is a
    method (`refused`, `accepted`, `illegal` and others).

    The clock, ``now_us``, stands still but for `wait` and for 40 ms with every event: a round lasts as long as
    `play_round` waits, mostly about a minute, and 4 to 12 s pass before the next one. Rounds begin until ``closes_us``,
    with at least one player; the last one is played to its end. A table without players waits 1 to 5 minutes.
    """

    code: ClassVar[str]
    """Two capitals, of this game alone, that begin the table's name: ``CR``."""
    seats: int = 7
    faults: tuple[str, ...] = ()
    """The wrongs of play that this game's simulator can plant, beside those of the paying hand and of the log. A table
    whose options or rules leave no room for one of them has fewer."""
    money_faults: ClassVar[tuple[str, ...]] = MONEY_FAULTS
    """The wrongs of the paying hand that can be done here."""
    open_to: ClassVar[tuple[str, ...]] = ()
    """The cheats (`streams.simulator.cheats`) that can be done here, by name: those that this game's play asks."""
    pooled: ClassVar[bool] = False
    """The stakes make a pot among the players: the table wins none of them, whatever the log tells."""
    clear_after_round: ClassVar[bool] = True
    """After a hole in the log the auditor sees again with the next round. Where it takes longer, the subclass calls
    `clear` when the state of the table is certain again."""

    def __init__(
        self,
        name: str,
        setup: TableSetup,
        *,
        casino: str,
        pit: str,
        opens: datetime,
        seconds: int,
        seed: str,
        key: Ed25519PrivateKey,
        fault_rate: float = 0.0,
    ) -> None:
        """``opens``: UTC; ``seconds``: for how long rounds begin; ``fault_rate``: share of rounds with a wrong."""
        self.table = name
        self.setup = setup
        self.casino = casino
        self.pit = pit
        self.session = f"{name}-{opens.date().isoformat()}"
        self.random = random.Random(f"{seed}/{self.session}")
        self.minimum: int = setup.limits["min"]
        self.maximum: int = setup.limits.get("max", 200 * self.minimum)
        self.opened_us = int(opens.replace(tzinfo=UTC).timestamp()) * SECOND_US
        self.closes_us = self.opened_us + seconds * SECOND_US
        self.clock_was_back = False
        self.now_us = self.opened_us
        self.gateway = Gateway(name, self.session, key)
        self.wrongs = Wrongs(
            self.session, self.random, rate=fault_rate, money_faults=self.money_faults, pooled=self.pooled
        )
        self.round = 0
        self._bets = 0
        self.players: list[Player] = []
        self._players_made = 0
        self.tray = setup.float_minor
        self.drop = 0
        self._dealer_until_us = 0
        self.cheats: tuple[Cheating, ...] = ()
        self.without: frozenset[str] = frozenset()
        """Wagers that people know and the rules of this table do not have: nobody lays them."""
        self.dealing = ""
        """Who deals."""

    @classmethod
    def at(cls, setup: TableSetup) -> type[TableSimulator]:
        """The class that plays a table that is opened so, where a game is played in more than one way."""
        return cls

    # --- the day --------------------------------------------------------------------------------------------------

    def lines(self) -> Iterator[Line]:
        """All events of the day, in the order in which they reach the log."""
        setup = self.setup
        fields: dict[str, Any] = {
            "casino": self.casino,
            "pit": self.pit,
            "game": setup.game,
            "rules": setup.rules,
            "currency": setup.currency,
            "chip_unit": setup.chip_unit,
            "rounding": setup.rounding,
            "limits": setup.limits,
            "options": setup.options,
            "settlement_claims": setup.claims,
            "float": setup.float_minor,
        }
        if setup.decks is not None:
            fields["decks"] = setup.decks
        self.emit("table_opened", **fields)
        self.opening()
        yield from self.gateway.take()
        while self.now_us < self.closes_us:
            self._people()
            for cheat in self.cheats:
                cheat.round_begins(self)
            if not self.players:
                self.wait(60, 300)
                continue
            self._begin_round()
            self.play_round()
            yield from self._end_round()
        self.closing()
        yield from self.gateway.take()
        self._fill(self.setup.float_minor - self.tray)  # so that it opens with what it was closed with
        self.emit("table_closed", float=self.tray)
        self._seal()
        yield from self.gateway.take()
        self.wait(4 * 3600, 8 * 3600)
        self.emit("drop_counted", amount=self.drop)
        self._seal()
        yield from self.gateway.take()

    def opening(self) -> None:
        """What happens before the first round (a shoe is loaded)."""

    def play_round(self) -> None:
        """One round, from the opening of bets to the last chip; how long it takes is for its waits to say."""
        raise AssertionError(f"{type(self).__name__} plays no rounds")

    def closing(self) -> None:
        """What happens after the last round (stakes that live on are returned)."""

    # --- telling --------------------------------------------------------------------------------------------------

    def wait(self, least: float, most: float) -> None:
        """Let time pass: a number of seconds between the two."""
        self.now_us += int(self.random.uniform(least, most) * SECOND_US)

    def emit(self, kind: str, **fields: Any) -> int:
        """An event of this table, now; its sequence number."""
        stamp_us = self.now_us
        if kind == "bets_closed" and not self.clock_was_back and self.chance("clock_backwards"):
            self.clock_was_back = True
            stamp_us -= _CLOCK_BACK_S * SECOND_US
            self.plant("clock_backwards", Expected(code="clock_backwards", seq=None))
        if self.round and kind not in ("table_closed", "drop_counted"):
            fields = {"round": self.round, **fields}
        seq = self.gateway.send(kind, fields, at_us=self.now_us, stamp_us=stamp_us)
        self.now_us += _TELLING_US
        return seq

    def _seal(self) -> None:
        self.gateway.seal(self.now_us)
        self.now_us += _TELLING_US

    # --- people ---------------------------------------------------------------------------------------------------

    def _people(self) -> None:
        """Dealers take turns; players come, buy chips, and leave; the cage sends and takes chips."""
        rng = self.random
        if self.now_us >= self._dealer_until_us:
            self.dealing = f"d{rng.randrange(40):02d}"
            for cheat in self.cheats:
                self.dealing = cheat.dealer(self, self.dealing)
            self.emit("dealer_on", dealer=self.dealing)
            self._dealer_until_us = self.now_us + rng.randrange(20, 41) * 60 * SECOND_US
        self.players = [p for p in self.players if p.rounds_left > 0 and p.bankroll >= self.minimum]
        free = [seat for seat in range(1, self.seats + 1) if all(p.seat != seat for p in self.players)]
        while free and rng.random() < (0.5 if len(self.players) < self.seats // 2 else 0.1):
            self._welcome(free.pop(rng.randrange(len(free))))
        short = self.setup.float_minor - self.tray
        if not -self.setup.float_minor <= short <= self.setup.float_minor * 2 // 3:
            self._fill(short // 10_000 * 10_000 if short > 0 else -(-short // 10_000 * 10_000))

    def _fill(self, amount: int) -> None:
        """Chips come into the tray from the cage, or go back to it where the amount is negative."""
        if amount:
            self.emit("fill" if amount > 0 else "credit", amount=abs(amount))
        self.tray += amount

    def _welcome(self, seat: int) -> None:
        rng = self.random
        name = self.new_name()
        unit = self.minimum * rng.choice((1, 1, 1, 2, 2, 3, 5, 10))
        bankroll = unit * rng.randrange(15, 60)
        self.players.append(Player(name, seat, bankroll, unit, rng.random(), rng.randrange(8, 90)))
        self.drop += bankroll
        self.tray -= bankroll

    def new_name(self, of: str = "") -> str:
        """A name that nobody had yet; ``of``: for whom, where it is not for somebody who plays at the table."""
        self._players_made += 1
        return f"p{hashlib.sha256(f'{self.session}/{of}{self._players_made}'.encode()).hexdigest()[:10]}"

    # --- chance ---------------------------------------------------------------------------------------------------

    def die(self, which: int = 0) -> int:
        """A die is thrown, the ``which``-th of the throw from 0."""
        face = self.random.randrange(1, 7)
        for cheat in self.cheats:
            face = cheat.die(self, face, which)
        return face

    def shuffle(self, cards: list[str]) -> None:
        """Cards are shuffled, to be loaded; the next one last."""
        self.random.shuffle(cards)
        for cheat in self.cheats:
            cards[:] = cheat.shuffled(self, list(cards))

    def cards_out(self) -> tuple[list[str], int]:
        """The cards that have come out of the shoe, and how many are left in it; for games with a shoe."""
        raise AssertionError(f"{type(self).__name__} has no shoe")

    def next_cards(self, count: int) -> list[str]:
        """The cards that come next, the first one first; for games whose shoe lies in order."""
        raise AssertionError(f"{type(self).__name__} has no shoe that lies in order")

    def foresee(self) -> Any:
        """What the dice or the ball will show in this round; for games that can be past posted."""
        raise AssertionError(f"{type(self).__name__} cannot be foreseen")

    def imagined(self, chance: random.Random) -> Any:
        """What they might show, by another's ``chance``."""
        raise AssertionError(f"{type(self).__name__} cannot be foreseen")

    def even_chance(self, outcome: Any) -> str:
        """A wager at even money that this outcome wins."""
        raise AssertionError(f"{type(self).__name__} cannot be foreseen")

    # --- stakes ---------------------------------------------------------------------------------------------------

    def lay(
        self, player: Player, wager: str, amount: int, *, pick: Any = None, named: bool = False, **fields: Any
    ) -> Stake | None:
        """A player lays a stake. None when his chips do not reach, or the rules have no such wager any more. ``named``:
        the event names the player beside the seat."""
        if amount > player.bankroll or amount <= 0 or wager in self.without:
            return None
        player.bankroll -= amount
        return self.lay_unasked(player.seat, wager, amount, pick=pick, player=player, named=named, **fields)

    def lay_unasked(
        self,
        seat: int,
        wager: str,
        amount: int,
        *,
        pick: Any = None,
        player: Player | None = None,
        named: bool = False,
        **fields: Any,
    ) -> Stake:
        """The same, whoever's chips they are: for wrongs, and for stakes that a rule demands."""
        self._bets += 1
        bet = f"b{self._bets}"
        if pick is not None:
            fields["pick"] = pick
        if player is not None and (named or player.known):
            fields["player"] = player.name
        self.emit("bet_placed", bet=bet, seat=seat, wager=wager, amount=amount, **fields)
        return Stake(bet, seat, wager, amount, pick, player)

    def lay_beside(self, first: Stake, wager: str, amount: int, *, named: bool = False) -> Stake:
        """A further stake of whoever has this one; mostly the event says to which one it belongs."""
        fields: dict[str, Any] = {"of": first.id} if self.random.random() < 0.8 else {}
        if first.player is not None:
            first.player.bankroll -= amount
        return self.lay_unasked(first.seat, wager, amount, player=first.player, named=named, **fields)

    def raise_stake(self, stake: Stake, by: int) -> None:
        """The stake grows."""
        self.emit("bet_raised", bet=stake.id, by=by)
        stake.amount += by
        if stake.player is not None:
            stake.player.bankroll -= by

    def withdraw(self, stake: Stake, amount: int | None = None) -> None:
        """The stake, or a part of it, is taken back in time."""
        fields = {} if amount is None else {"amount": amount}
        seq = self.emit("bet_withdrawn", bet=stake.id, **fields)
        taken = stake.amount if amount is None else amount
        if amount is None:
            self.wrongs.taken_back(seq, stake.id, taken)
        stake.amount -= taken
        if stake.player is not None:
            stake.player.bankroll += taken

    def think_again(
        self,
        stake: Stake,
        among: list[Stake],
        *,
        given_up: float = 0.5,
        least: int | None = None,
        room: int | None = None,
    ) -> None:
        """A stake is taken back, in part or whole, or grows, while bets are open.

        ``among``: the stakes that lie there, it among them; ``given_up``: how often it is taken back whole;
        ``least``: so much is taken back or laid on it (the smallest stake on its wager); ``room``: it grows by no more.
        """
        least = self.least(stake.wager) if least is None else least
        if self.random.random() < given_up:
            among.remove(stake)
            self.withdraw(stake)
        elif stake.amount >= 2 * least:
            self.withdraw(stake, least)
        elif stake.player is not None and stake.player.bankroll >= least and (room is None or least <= room):
            self.raise_stake(stake, least)

    def chips(self, amount: int) -> int:
        """``amount`` in chips of the table, rounded as the table does; for dealers who divide."""
        return self.part(amount, 1, 1)

    def part(self, amount: int, num: int, den: int) -> int:
        """``num``/``den`` of ``amount`` in chips of the table, rounded as the table does."""
        unit = self.setup.chip_unit * den
        chips, rest = divmod(amount * num, unit)
        if rest and (self.setup.rounding == "up" or (self.setup.rounding == "nearest" and 2 * rest >= unit)):
            chips += 1
        return chips * self.setup.chip_unit

    def settle(self, stake: Stake, paid: int, returned: int) -> None:
        """The dealer settles a decided bet: ``paid`` on top of ``returned`` is what is due. Here the money wrongs are
        planted."""
        handed = self._handed(stake, paid, returned + stake.refund)
        if self.cheats and handed == (paid, returned + stake.refund):
            for cheat in self.cheats:
                handed = cheat.handed(self, stake, *handed)
        if handed is not None:
            self.hand_over(stake, *handed)
            if self.chance("settled_twice"):
                self.emit("bet_settled", bet=stake.id, paid=handed[0], returned=handed[1])
                self.leave_the_tray(stake, sum(handed))
                self.plant("settled_twice", Expected(code="settled_twice", bet=stake.id), win=-sum(handed))
            elif self.chance("unknown_bet") and self.round > self.wrongs.last_hole + 1:
                self.emit("bet_settled", bet=f"{stake.id}x", paid=0, returned=stake.amount)
                self.tray -= stake.amount
                self.plant("unknown_bet", Expected(code="unknown_bet", bet=f"{stake.id}x"), win=-stake.amount)

    def hand_over(self, stake: Stake, paid: int, returned: int) -> None:
        """Chips change hands, and the device reports it."""
        self.emit("bet_settled", bet=stake.id, paid=paid, returned=returned)
        self.tray += stake.amount
        self.leave_the_tray(stake, paid + returned)
        if stake.player is not None:
            stake.player.bankroll += paid + returned

    def leave_the_tray(self, stake: Stake, amount: int) -> None:
        """Chips go to whoever has this stake."""
        self.tray -= amount

    def _handed(self, stake: Stake, paid: int, returned: int) -> tuple[int, int] | None:
        """What the dealer hands over for a bet that is due (paid, returned): the same, unless a wrong is planted."""
        fault = self.wrongs.of_the_hand()
        if fault is None:
            return paid, returned
        if fault == "unsettled":
            self.plant(fault, Expected(code="unsettled", bet=stake.id), win=paid + returned)
            self.tray += stake.amount
            return None
        unit = self.setup.chip_unit
        off = max(unit, self.chips(paid // 4))
        handed = wrongly_handed(fault, stake.amount, paid, returned, unit=unit, off=off)
        if handed is None:
            return paid, returned
        self.plant(fault, *mispaid(stake.id, sum(handed) - paid - returned))
        return handed

    def mispay(self, fault: str, stake: Stake, due: tuple[int, int], handed: tuple[int, int]) -> None:
        """The dealer hands over something else than is due, as a wrong of the game's own; both (paid, returned)."""
        self.hand_over(stake, *handed)
        self.plant(fault, *mispaid(stake.id, sum(handed) - sum(due)))

    def to_the_box(self, kind: str, amount: int, **fields: Any) -> None:
        """The house's cut (``rake_taken``, ``commission_taken``) leaves the tray for the box, which is counted with the
        drop."""
        self.emit(kind, amount=amount, **fields)
        self.tray -= amount
        self.drop += amount

    def fee_from_player(self, kind: str, amount: int, player: Player | None, **fields: Any) -> None:
        """The house's cut, which a player hands over beside his stakes, goes to the box."""
        self.emit(kind, amount=amount, **fields)
        self.drop += amount
        if player is not None:
            player.bankroll -= amount

    def settle_early(self, stake: Stake, paid: int, returned: int) -> None:
        """The dealer settles a bet, for what it will come to, before it is decided."""
        self.hand_over(stake, paid, returned)
        self.plant("settled_too_early", Expected(code="settled_too_early", bet=stake.id))

    def give_back(self, stake: Stake) -> None:
        """A stake that is not in play goes back whole (refused, void)."""
        self.hand_over(stake, 0, stake.amount)

    # --- wrongs of stakes ----------------------------------------------------------------------------------------

    def first_free(self, taken: Container[int]) -> int:
        """The first seat that is not among these; 0 where all are."""
        return next((seat for seat in range(1, self.seats + 1) if seat not in taken), 0)

    def least(self, wager: str) -> int:
        """The smallest stake on a wager."""
        own = self.setup.limits.get(wager)
        return int(own.get("min", self.minimum)) if own else self.minimum

    def most(self, wager: str) -> int:
        """The largest stake on a wager."""
        own = self.setup.limits.get(wager)
        return int(own.get("max", self.maximum)) if own else self.maximum

    def refused(self, fault: str, code: str, seat: int, wager: str, amount: int, **fields: Any) -> None:
        """A stake that goes back to whoever laid it."""
        wrong = self.lay_unasked(seat, wager, amount, **fields)
        self.wait(0.5, 2)
        self.give_back(wrong)
        self.plant(fault, Expected(code=code, bet=wrong.id))

    def accepted(self, fault: str, code: str, seat: int, wager: str, amount: int, **fields: Any) -> Stake:
        """A stake that is wrong and plays as it lies."""
        wrong = self.lay_unasked(seat, wager, amount, **fields)
        self.plant(fault, Expected(code=code, bet=wrong.id))
        return wrong

    def raised_in_vain(self, fault: str, code: str, stake: Stake, by: int) -> None:
        """Chips are laid on a stake that may not grow; they come back with it."""
        self.emit("bet_raised", bet=stake.id, by=by)
        stake.refund += by
        self.tray += by
        self.plant(fault, Expected(code=code, bet=stake.id))

    def grabbed(self, fault: str, code: str, stake: Stake) -> None:
        """Somebody takes back a stake that must lie; the dealer puts it back."""
        self.emit("bet_withdrawn", bet=stake.id)
        self.plant(fault, Expected(code=code, bet=stake.id))

    def touched_late(self, stakes: Sequence[Stake]) -> None:
        """After the call one of these stakes grows, or somebody takes one back."""
        if stakes and self.chance("late_raise"):
            self.raised_in_vain("late_raise", "late_bet", self.random.choice(stakes), self.minimum)
        if stakes and self.chance("late_withdrawal"):
            self.grabbed("late_withdrawal", "late_withdrawal", self.random.choice(stakes))

    def crowded(
        self, fault: str, seat: int, wager: str, amount: int, guests: Iterable[int], **fields: Any
    ) -> list[Stake]:
        """Guests with these numbers stake on one place, each so much; the last of them is one too many."""
        stakes = []
        for number in guests:
            guest = Player(f"guest{number}", seat, 0, self.minimum, 0.0, 0)
            stakes.append(self.lay_unasked(seat, wager, amount, player=guest, named=True, **fields))
        self.plant(fault, Expected(code="too_many_bets", bet=stakes[-1].id))
        return stakes

    def grabbed_lost(self, stake: Stake) -> None:
        """Somebody takes back a stake that has lost."""
        if self.chance("taken_back_lost"):
            self.grabbed("taken_back_lost", "late_withdrawal", stake)

    def raised_over(self, stake: Stake, by: int) -> None:
        """A stake grows beyond what may lie there, and plays as it lies."""
        self.raise_stake(stake, by)
        self.plant("raised_over_maximum", Expected(code="above_maximum", bet=stake.id))

    def laid_again(self, stake: Stake) -> None:
        """A device reports a second stake under the id of one that lies there."""
        self.emit("bet_placed", bet=stake.id, seat=stake.seat, wager=stake.wager, amount=self.minimum)
        self.plant("duplicate_bet", Expected(code="duplicate_bet", bet=stake.id))

    def illegal(self, fault: str, seat: int, choice: str) -> None:
        """Something is said that may not be said now."""
        self.emit("decision", seat=seat, choice=choice)
        self.plant(fault, Expected(code="illegal_decision", seat=seat))

    # --- rounds and wrongs ----------------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        self.round += 1
        if self.clear_after_round:
            self.clear()
        self.wrongs.round_begins(self.round, self.faults)
        self.emit("round_opened")
        for player in self.players:
            player.rounds_left -= 1

    def _end_round(self) -> list[Line]:
        self.emit("round_closed")
        self._seal()
        lines = self.gateway.take()
        fault = self.wrongs.of_the_log()
        if fault is not None:
            lines = self.wrongs.tamper(fault, lines, self.gateway.seq)
            if not self.watched:
                self.hole_made()
        self.wait(4, 12)
        return lines

    @property
    def truth(self) -> list[Planted]:
        """What was planted so far."""
        return self.wrongs.truth

    @property
    def wanted(self) -> str | None:
        """The wrong that waits for an opportunity, if one does."""
        return self.wrongs.wanted

    @property
    def planted_in_round(self) -> bool:
        """Whether a wrong was done in this round."""
        return self.wrongs.planted_in_round

    @property
    def watched(self) -> bool:
        """Whether the auditor knows the state of the table: no hole was made since it was last certain."""
        return self.wrongs.watched

    def clear(self) -> None:
        """The state of the table is certain to anybody who watches from here on."""
        self.wrongs.watched = True

    def chance(self, fault: str) -> bool:
        """Whether this is the time to do this wrong. Follow with `plant` when it was done."""
        return self.wrongs.chance(fault)

    def plant(self, fault: str, *expected: Expected, win: int | None = None) -> None:
        """The wrong was done: put it on record with the findings that it must lead to. ``win``: what it did to the
        table's win, where that is not what was overpaid and underpaid."""
        self.wrongs.plant(fault, *expected, win=win)

    def hole_made(self) -> None:
        """The auditor has lost sight of the table: what it cannot know from here on (what is out of the shoe) must not
        be needed for a wrong to be found."""
