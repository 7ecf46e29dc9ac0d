"""A floor of tables over some days: which tables there are, when they open, and their events merged by time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from heapq import merge
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.evidence import key_id, public_half
from replay.key_scope import Grant
from replay.packs import Packs
from replay.rules import RuleError
from streams.key_files import Entry, key_file
from streams.simulator import games, openings
from streams.simulator.cheats import Wanted, parse
from streams.simulator.gateway import Line
from streams.simulator.table import TableSetup, TableSimulator
from streams.simulator.truth import Planted

OPENING_HOUR_UTC = 16
CASINO = "valira"


class TablePlan(NamedTuple):
    """One table of the floor: its name, pit, how it is opened."""

    name: str
    pit: str
    setup: TableSetup
    without: frozenset[str] = frozenset()
    """Wagers that the rules which it is opened under have taken out."""


class Floor:
    """A simulated floor. The same arguments give the same bytes."""

    def __init__(
        self,
        *,
        tables: int,
        hours: float,
        seed: int,
        first_day: date,
        days: int = 1,
        only: Sequence[str] = (),
        fault_rate: float = 0.0,
        cheats: Sequence[str] = (),
        packs: Packs | None = None,
        rules: str | None = None,
    ) -> None:
        """``tables``: how many, dealt over the games in turn; ``hours``: how long each is open a day; ``only``: play
        just these games; ``fault_rate``: share of rounds with a wrong planted; ``cheats``: who cheats, in the words of
        `streams.simulator.cheats`; ``packs``: the regulations, of which each table's must be one (None: nobody looks);
        ``rules``: of them, the pack that all tables are opened under, and without ``only`` the games that it has are
        played.

        Raises:
            UnknownGame: the floor cannot play a game.
            CheatError: a cheat is none, or cannot be done on this floor.
            RuleError: there is no such pack, or a table's has not its game on one of the days.
        """
        assert rules is None or packs is not None
        self.seed = seed
        self.hours = hours
        self.days = [first_day + timedelta(days=day) for day in range(days)]
        self.fault_rate = fault_rate
        self.truth: list[Planted] = []
        """What was planted, complete once the lines have been taken."""
        self.plans = _plans(tables, list(only) or _games_of(packs, rules), packs, rules, first_day)
        if packs is not None:
            for pack, game in sorted({(plan.setup.rules, plan.setup.game) for plan in self.plans}):
                for day in self.days:
                    packs.rules_for(pack, day, game)
        self.cheats: dict[str, list[Wanted]] = {}
        """What is done at each table, by its name."""
        for wanted in map(parse, cheats):
            for name in wanted.tables([(plan.name, plan.setup) for plan in self.plans]):
                self.cheats.setdefault(name, []).append(wanted)
        self.key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"retally floor {seed}".encode()).digest())

    def public_keys(self) -> dict[str, str]:
        """The gateway's public key: key id -> 64 hexadecimal digits."""
        public = public_half(self.key)
        return {key_id(public): bytes(public).hex()}

    def key_file(self) -> str:
        """The file of that key, which counts for the floor's tables from its first day on."""
        public = public_half(self.key)
        tables = tuple(sorted({f"{plan.name[:2]}*" for plan in self.plans}))
        return key_file([Entry(key_id(public), public, Grant(tables=tables, since=self.days[0]), "floor")])

    def table(self, plan: TablePlan, day: date) -> TableSimulator:
        """One table's gaming day, ready to be played."""
        opens = datetime(day.year, day.month, day.day, OPENING_HOUR_UTC, tzinfo=UTC)
        number = int(plan.name[2:])
        with games.played_by(plan.setup.game):
            table = games.simulator(plan.setup.game).at(plan.setup)(
                plan.name,
                plan.setup,
                casino=CASINO,
                pit=plan.pit,
                opens=opens + timedelta(minutes=7 * (number % 5)),
                seconds=int(self.hours * 3600),
                seed=str(self.seed),
                key=self.key,
                fault_rate=self.fault_rate,
            )
        table.without = plan.without
        table.cheats = tuple(wanted.at(plan.name, f"{self.seed}/{day}") for wanted in self.cheats.get(plan.name, ()))
        return table

    def day(self, day: date) -> Iterator[Line]:
        """All tables of one day, merged by time; within a table the order of its log is kept."""
        tables = [self.table(plan, day) for plan in self.plans]
        yield from merge(*map(_lines, tables), key=lambda line: line.at_us)
        for table in tables:
            self.truth += table.truth

    def lines(self) -> Iterator[bytes]:
        """Every line of every day."""
        for day in self.days:
            for line in self.day(day):
                yield line.text


def _lines(table: TableSimulator) -> Iterator[Line]:
    with games.played_by(table.setup.game):
        yield from table.lines()


def _games_of(packs: Packs | None, rules: str | None) -> list[str]:
    """The games to play where none is named."""
    if packs is None or rules is None:
        return list(games.names())
    found = [game for game in games.names() if game in packs.pack(rules).games]
    if not found:
        raise RuleError(f"rule pack {rules} has no game that the floor plays (it plays: {', '.join(games.names())})")
    return found


def _plans(tables: int, names: list[str], packs: Packs | None, rules: str | None, day: date) -> list[TablePlan]:
    """Deal ``tables`` over the games in turn; each game's tables are opened in its several ways in turn."""
    found: list[TablePlan] = []
    count: dict[str, int] = {}
    codes: dict[str, str] = {}
    ways: dict[str, list[tuple[TableSetup, frozenset[str]]]] = {}
    for index in range(tables):
        game = names[index % len(names)]
        number = count[game] = count.get(game, 0) + 1
        if game not in ways:
            ways[game] = openings.ways(game, packs, rules, day)
        code = games.simulator(game).code
        if codes.setdefault(code, game) != game:
            raise games.UnknownGame(f"{codes[code]} and {game}: tables of both are called {code}; play one (--game)")
        setup, without = ways[game][(number - 1) % len(ways[game])]
        found.append(TablePlan(f"{code}{number:02d}", f"pit{index // 8 + 1}", setup, without))
    return found
