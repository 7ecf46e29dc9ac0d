"""One simulated table's gaming day: its clock, its people, its tray, its gateway, and the wrongs planted in it.

A game's simulator (`streams.simulator.games`) extends `TableSimulator` with `play_round`, which tells what happens at
the table by `emit`, `lay`, `settle` and the rest; the envelope, the seal, the tray and the evidence are done here.
All amounts are minor units; times are microseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.evidence import NO_SIGNATURE, Chain, key_id, public_half, sign
from streams.simulator.truth import Expected, Planted, mispaid

_SECOND = 1_000_000
_encode = msgspec.json.encode

MONEY_FAULTS = ("overpaid", "underpaid", "loser_paid", "loser_pushed", "push_paid", "push_taken", "winner_pushed",
                "unsettled", "settled_twice", "unknown_bet")  # fmt: skip
"""Wrongs of the paying hand, which every game has: `TableSimulator.settle` plants them."""
EVIDENCE_FAULTS = ("missing", "doubled", "altered", "contradicted", "delayed", "swapped", "garbled", "malformed",
                   "clock_backwards")  # fmt: skip
"""Wrongs of the log, which every game has: they are done to a round's events on their way."""
MOST_ROUNDS_WANTED = 60
"""A wrong that has found no opportunity in so many rounds gives way to another one."""


class Line(NamedTuple):
    """An event on its way: when it happened, and its bytes."""

    at_us: int
    text: bytes


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


class Player:
    """Somebody with a bankroll, who sits (or stands) at the table for a while."""

    __slots__ = ("bankroll", "boldness", "known", "name", "rounds_left", "seat", "unit")

    def __init__(self, name: str, seat: int, bankroll: int, unit: int, boldness: float, rounds_left: int) -> None:
        self.name = name
        self.seat = seat
        self.bankroll = bankroll
        self.unit = unit
        """The usual stake."""
        self.boldness = boldness
        """0 to 1: how readily side bets and long shots are taken."""
        self.rounds_left = rounds_left
        self.known = False
        """Every one of his bets bears his name: he plays with a card of the house."""


class Cheating:
    """What a table asks those who cheat at it (`streams.simulator.cheats`); as it stands here, nobody does."""

    needs_order: ClassVar[bool] = False
    """The shoe must lie in an order, where else a card is drawn when it comes."""

    def round_begins(self, table: TableSimulator) -> None:
        """A round is about to begin."""

    def dealer(self, table: TableSimulator, dealer: str) -> str:
        """Who comes to deal; ``dealer`` by right."""
        return dealer

    def die(self, table: TableSimulator, face: int, which: int) -> int:
        """What the die ``which``, from 0, shows; ``face`` by chance."""
        return face

    def thrown(self, table: TableSimulator, dice: list[int], shooter: int, point: int) -> list[int]:
        """What the shooter's pair of dice shows; ``dice`` by chance. ``point`` 0: none is on."""
        return dice

    def shuffled(self, table: TableSimulator, cards: list[str]) -> list[str]:
        """The cards in the order in which they lie in the shoe; ``cards`` by chance."""
        return cards

    def stake(self, table: TableSimulator, player: Player, amount: int) -> int:
        """What a player lays; ``amount`` by habit."""
        return amount

    def wager(self, table: TableSimulator, player: Player, wagers: list[str]) -> list[str]:
        """What a player lays it on; ``wagers`` by habit."""
        return wagers

    def before_call(self, table: TableSimulator) -> list[Stake]:
        """Stakes that go down at the very last moment."""
        return []

    def handed(self, table: TableSimulator, stake: Stake, paid: int, returned: int) -> tuple[int, int]:
        """What is handed over for a stake; so much is due."""
        return paid, returned


class Stake:
    """A bet as the dealer sees it."""

    __slots__ = ("amount", "id", "pick", "player", "refund", "seat", "wager")

    def __init__(self, bet: str, seat: int, wager: str, amount: int, pick: Any, player: Player | None) -> None:
        self.id = bet
        self.seat = seat
        self.wager = wager
        self.amount = amount
        self.refund = 0
        """Chips laid on it in vain: `TableSimulator.settle` gives them back with what is due."""
        self.pick = pick
        self.player = player


class TableSimulator:
    """One table's gaming day. Subclasses set ``game``, ``code``, ``faults`` and play rounds."""

    game: ClassVar[str]
    code: ClassVar[str]
    """Two capitals that begin the table's name: ``CR``."""
    seats: ClassVar[int] = 7
    faults: tuple[str, ...] = ()
    """The wrongs of play that this game's simulator can plant, beside `MONEY_FAULTS` and `EVIDENCE_FAULTS`. A table
    whose options or rules leave no room for one of them has fewer."""
    money_faults: tuple[str, ...] = MONEY_FAULTS
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
        self._key = key
        self._key_id = key_id(public_half(key))
        self.opened_us = int(opens.replace(tzinfo=UTC).timestamp()) * _SECOND
        self._closes_us = self.opened_us + seconds * _SECOND
        self._fault_rate = fault_rate
        self.now_us = self.opened_us
        self.seq = 0
        self.round = 0
        self._bets = 0
        self._chain = Chain()
        self._out: list[Line] = []
        self._stamp = (-1, "")
        self.players: list[Player] = []
        self._players_made = 0
        self.tray = setup.float_minor
        self.drop = 0
        self._dealer_until_us = 0
        self.truth: list[Planted] = []
        self._wanted: str | None = None
        """The wrong to be planted at the next opportunity."""
        self._wanted_since = 0
        self._planted_in_round = False
        self._unclear = False
        """A hole was made, and the auditor cannot yet see again: nothing may be planted."""
        self._taken_back: dict[int, tuple[str, int]] = {}
        """The stakes that were taken back whole, by the event that says so: which bet, how much lay there."""
        self._hidden_stakes: dict[str, int] = {}
        """The bets of which the log does not tell all chips that were laid, and where in the truth that is said."""
        self._hole_round = -1
        """The last round with a hole: for a round longer an unknown bet may be one that fell into it."""
        self.deck_of_faults: list[str] = []
        self.cheats: tuple[Cheating, ...] = ()
        self.dealing = ""
        """Who deals."""

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
        yield from self._flush()
        while self.now_us < self._closes_us:
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
        yield from self._flush()
        closing_float = self.tray
        self.emit("table_closed", float=closing_float)
        self._seal()
        yield from self._flush()
        self.wait(4 * 3600, 8 * 3600)
        self.emit("drop_counted", amount=self.drop)
        self._seal()
        yield from self._flush()

    def opening(self) -> None:
        """What happens before the first round (a shoe is loaded)."""

    def play_round(self) -> None:
        """One round, from the opening of bets to the last chip."""
        raise AssertionError(f"{type(self).__name__} plays no rounds")

    def closing(self) -> None:
        """What happens after the last round (stakes that live on are returned)."""

    # --- telling --------------------------------------------------------------------------------------------------

    def wait(self, least: float, most: float) -> None:
        """Let time pass: a number of seconds between the two."""
        self.now_us += int(self.random.uniform(least, most) * _SECOND)

    def emit(self, kind: str, **fields: Any) -> int:
        """An event of this table, now; its sequence number."""
        self.seq += 1
        at = self.now_us
        if self._wanted == "clock_backwards" and kind == "bets_closed" and self._may_plant():
            at -= 90 * _SECOND
            self._plant("clock_backwards", Expected(code="clock_backwards", seq=None))
        event: dict[str, Any] = {
            "v": 1,
            "type": kind,
            "session": self.session,
            "seq": self.seq,
            "at": self._time(at),
            "table": self.table,
            "device": self.table,
        }
        if self.round and kind not in ("table_closed", "drop_counted"):
            event["round"] = self.round
        event.update(fields)
        line = _encode(event)
        self._chain.add(line)
        self._out.append(Line(self.now_us, line))
        self.now_us += 40_000
        return self.seq

    def _time(self, at_us: int) -> str:
        minute, micro = divmod(at_us, 60 * _SECOND)
        if self._stamp[0] != minute:
            moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
            self._stamp = (minute, moment.strftime("%Y-%m-%dT%H:%M:"))
        return f"{self._stamp[1]}{micro // _SECOND:02d}.{micro % _SECOND:06d}Z"

    def _seal(self) -> None:
        self.seq += 1
        chain = self._chain.value()
        event: dict[str, Any] = {
            "v": 1,
            "type": "checkpoint",
            "session": self.session,
            "seq": self.seq,
            "at": self._time(self.now_us),
            "table": self.table,
            "device": self.table,
            "chain": chain,
            "key": self._key_id,
            "signature": NO_SIGNATURE,
        }
        unsigned = _encode(event)
        line = unsigned.replace(NO_SIGNATURE.encode(), sign(self._key, chain, unsigned).encode())
        self._chain = Chain(chain)
        self._chain.add(line)
        self._out.append(Line(self.now_us, line))
        self.now_us += 40_000

    def _flush(self) -> Iterator[Line]:
        out, self._out = self._out, []
        return iter(out)

    # --- people ---------------------------------------------------------------------------------------------------

    def _people(self) -> None:
        """Dealers take turns; players come, buy chips, and leave; the cage sends and takes chips."""
        rng = self.random
        if self.now_us >= self._dealer_until_us:
            self.dealing = f"d{rng.randrange(40):02d}"
            for cheat in self.cheats:
                self.dealing = cheat.dealer(self, self.dealing)
            self.emit("dealer_on", dealer=self.dealing)
            self._dealer_until_us = self.now_us + rng.randrange(20, 41) * 60 * _SECOND
        self.players = [p for p in self.players if p.rounds_left > 0 and p.bankroll >= self.minimum]
        free = [seat for seat in range(1, self.seats + 1) if all(p.seat != seat for p in self.players)]
        while free and rng.random() < (0.5 if len(self.players) < self.seats // 2 else 0.1):
            self._welcome(free.pop(rng.randrange(len(free))))
        if self.tray < self.setup.float_minor // 3:
            amount = self.setup.float_minor - self.tray
            amount -= amount % 10_000
            self.emit("fill", amount=amount)
            self.tray += amount
        elif self.tray > 2 * self.setup.float_minor:
            amount = self.tray - self.setup.float_minor
            amount -= amount % 10_000
            self.emit("credit", amount=amount)
            self.tray -= amount

    def _welcome(self, seat: int) -> None:
        rng = self.random
        self._players_made += 1
        token = hashlib.sha256(f"{self.session}/{self._players_made}".encode()).hexdigest()[:10]
        unit = self.minimum * rng.choice((1, 1, 1, 2, 2, 3, 5, 10))
        bankroll = unit * rng.randrange(15, 60)
        self.players.append(Player(f"p{token}", seat, bankroll, unit, rng.random(), rng.randrange(8, 90)))
        self.drop += bankroll
        self.tray -= bankroll

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
        """A player lays a stake. None when his chips do not reach. ``named``: the event names the player beside the
        seat."""
        if amount > player.bankroll or amount <= 0:
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
            self._taken_back[seq] = stake.id, taken
            self._forget_hidden(stake.id)
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
            if self._chance("settled_twice"):
                self.emit("bet_settled", bet=stake.id, paid=handed[0], returned=handed[1])
                self.leave_the_tray(stake, sum(handed))
                self._plant("settled_twice", Expected(code="settled_twice", bet=stake.id), win=-sum(handed))
            elif self._chance("unknown_bet") and self.round > self._hole_round + 1:
                self.emit("bet_settled", bet=f"{stake.id}x", paid=0, returned=stake.amount)
                self.tray -= stake.amount
                self._plant("unknown_bet", Expected(code="unknown_bet", bet=f"{stake.id}x"), win=-stake.amount)

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
        wanted = self._wanted
        if wanted is None or wanted not in self.money_faults or not self._may_plant():
            return paid, returned
        unit = self.setup.chip_unit
        if wanted == "overpaid" and paid > 0:
            return self._wrong(wanted, stake, paid, returned, paid + max(unit, self.chips(paid // 4)), returned)
        if wanted == "underpaid" and paid > unit:
            return self._wrong(wanted, stake, paid, returned, paid - max(unit, self.chips(paid // 4)), returned)
        if wanted == "loser_paid" and paid == returned == 0:
            return self._wrong(wanted, stake, paid, returned, stake.amount, stake.amount)
        if wanted == "loser_pushed" and paid == returned == 0:
            return self._wrong(wanted, stake, paid, returned, 0, stake.amount)
        if wanted == "push_paid" and paid == 0 and returned == stake.amount:
            return self._wrong(wanted, stake, paid, returned, stake.amount, stake.amount)
        if wanted == "push_taken" and paid == 0 and returned == stake.amount:
            return self._wrong(wanted, stake, paid, returned, 0, 0)
        if wanted == "winner_pushed" and paid > 0 and returned > 0:
            return self._wrong(wanted, stake, paid, returned, 0, returned)
        if wanted == "unsettled":
            self._plant(wanted, Expected(code="unsettled", bet=stake.id), win=paid + returned)
            self.tray += stake.amount
            return None
        return paid, returned

    def _wrong(
        self, fault: str, stake: Stake, paid: int, returned: int, handed_paid: int, handed_returned: int
    ) -> tuple[int, int]:
        self._plant(fault, *mispaid(stake.id, handed_paid + handed_returned - paid - returned))
        return handed_paid, handed_returned

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
        self._planted_in_round = False
        if self.clear_after_round:
            self._unclear = False
        if self._wanted is not None and self.round - self._wanted_since > MOST_ROUNDS_WANTED:
            self._wanted = None
        if self._wanted is None and self._fault_rate and self.random.random() < self._fault_rate:
            if not self.deck_of_faults:
                self.deck_of_faults = [*self.faults, *self.money_faults, *EVIDENCE_FAULTS]
                self.random.shuffle(self.deck_of_faults)
            self._wanted = self.deck_of_faults.pop()
            self._wanted_since = self.round
        self.emit("round_opened")
        for player in self.players:
            player.rounds_left -= 1

    def _end_round(self) -> Iterator[Line]:
        self.emit("round_closed")
        lines = self._out
        self._out = []
        self._seal()
        lines += self._flush()
        if self._wanted in EVIDENCE_FAULTS and self._wanted != "clock_backwards" and self._may_plant():
            lines = self._tamper(self._wanted, lines)
        self.wait(4, 12)
        return iter(lines)

    def clear(self) -> None:
        """The state of the table is certain to anybody who watches from here on."""
        self._unclear = False

    @property
    def watched(self) -> bool:
        """Whether the auditor knows the state of the table: no hole was made since it was last certain."""
        return not self._unclear

    def _may_plant(self) -> bool:
        return not self._planted_in_round and not self._unclear

    def _chance(self, fault: str) -> bool:
        return self._wanted == fault and self._may_plant()

    def chance(self, fault: str) -> bool:
        """Whether this is the time to do this wrong. Follow with `plant` when it was done."""
        return self._wanted is not None and self._wanted == fault and self._may_plant()

    def plant(self, fault: str, *expected: Expected, win: int | None = None) -> None:
        """The wrong was done: put it on record with the findings that it must lead to. ``win``: what it did to the
        table's win, where that is not what was overpaid and underpaid."""
        self._plant(fault, *expected, win=win)

    def _plant(self, fault: str, *expected: Expected, win: int | None = None, hidden: int = 0) -> None:
        if win is None:
            win = sum(each.amount or 0 for each in expected if each.code == "underpaid")
            win -= sum(each.amount or 0 for each in expected if each.code == "overpaid")
        self.truth.append(
            Planted(session=self.session, round=self.round, fault=fault, expected=expected, win=win, hidden=hidden)
        )
        self._wanted = None
        self._planted_in_round = True

    def _tamper(self, fault: str, lines: list[Line]) -> list[Line]:
        """Do something to a round's events on their way to the log. The seal was made before."""
        rng = self.random
        inside = [index for index, line in enumerate(lines) if b'"type":"bet_' in line.text or b'_rolled"' in line.text]
        if len(inside) < 2:
            return lines
        index = inside[rng.randrange(1, len(inside))]
        line = lines[index]
        event = msgspec.json.decode(line.text)
        seq = event["seq"]
        if fault == "missing":
            self._hole(fault, Expected(code="sequence_gap", seq=seq), event, self._money(event))
            return lines[:index] + lines[index + 1 :]
        if fault == "doubled":
            self._plant(fault)
            return [*lines[: index + 1], line, *lines[index + 1 :]]
        if fault == "delayed":
            self._plant(fault)
            return [*lines[:index], *lines[index + 1 :], line]
        if fault == "swapped":
            self._plant(fault)
            return [*lines[: index - 1], line, lines[index - 1], *lines[index + 1 :]]
        if fault == "garbled":
            self._hole(fault, Expected(code="sequence_gap", seq=seq), event, self._money(event))
            return [*lines[:index], line._replace(text=line.text[: len(line.text) // 2]), *lines[index + 1 :]]
        changed = _altered(event)
        if changed is None:
            return lines
        if fault == "malformed":
            self._hole(fault, Expected(code="rejected_event", seq=seq), event, self._money(event))
            field = "amount" if "amount" in event else "paid" if "paid" in event else "device"
            text = _encode({**event, field: -5 if field != "device" else ""})
            return [*lines[:index], line._replace(text=text), *lines[index + 1 :]]
        other = line._replace(text=_encode(changed))
        if fault == "altered":
            hidden = self._money(event) - self._money(changed)
            self._hole(fault, Expected(code="chain_broken", seq=self.seq), event, hidden)
            return [*lines[:index], other, *lines[index + 1 :]]
        assert fault == "contradicted", fault
        self._hole(fault, Expected(code="conflicting_event", seq=seq), event, self._money(event))
        return [*lines[: index + 1], other, *lines[index + 1 :]]

    def _hole(self, fault: str, expected: Expected, event: dict[str, Any], hidden: int) -> None:
        self._plant(fault, expected, hidden=0 if self.pooled else hidden)
        if event["type"] in ("bet_placed", "bet_raised"):
            self._hidden_stakes[event["bet"]] = len(self.truth) - 1
            if any(bet == event["bet"] and seq > event["seq"] for seq, (bet, _) in self._taken_back.items()):
                self._forget_hidden(event["bet"])
        self._unclear = True
        self._hole_round = self.round
        self.hole_made()

    def _forget_hidden(self, bet: str) -> None:
        """A whole stake was taken back, which the log tells without a sum: the chips that went down unseen by the
        auditor went back unseen too."""
        index = self._hidden_stakes.pop(bet, None)
        if index is not None:
            self.truth[index] = msgspec.structs.replace(self.truth[index], hidden=0)

    def _money(self, event: dict[str, Any]) -> int:
        """What the table has won by this event, as long as nothing else happens."""
        kind = event["type"]
        if kind == "bet_placed":
            return int(event["amount"])
        if kind == "bet_raised":
            return int(event["by"])
        if kind == "bet_settled":
            return -int(event["paid"]) - int(event["returned"])
        if kind != "bet_withdrawn":
            return 0
        return -int(event["amount"]) if "amount" in event else -self._taken_back[event["seq"]][1]

    def hole_made(self) -> None:
        """The auditor has lost sight of the table: what it cannot know from here on (what is out of the shoe) must not
        be needed for a wrong to be found."""


def _altered(event: dict[str, Any]) -> dict[str, Any] | None:
    """The same event with another amount, as a cheat would write it."""
    for field in ("amount", "paid", "by"):
        if field in event:
            return {**event, field: event[field] + 5_000}
    return None
