"""A night with two games that another distribution brings, small enough that its figures can be worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from types import ModuleType
from typing import Any, Final

from replay.audit import Auditor
from replay.games import boule
from replay.judging import Judging
from replay.packs import Packs
from streams.store import open_store
from tests.installed import PACKS

DAY: Final = date(2026, 11, 29)
NIGHT: Final = {"BO01": ("boule", "AD-2025"), "LW01": ("lucky_wheel", "WHEELS"), "LW02": ("lucky_wheels", "WHEELS")}
"""By table, what is played there, and by which rules."""


class Wheel(boule.Boule):
    """Boule under a name of its own: one ball decides for everybody."""


class Wheels(boule.Boule):
    """The same with a ball for each seat."""

    one_result = False


def modules() -> dict[str, ModuleType]:
    """The modules of the games, as their distribution's entry points would give them."""
    made = {}
    for name, procedure in (("lucky_wheel", Wheel), ("lucky_wheels", Wheels)):
        module = made[name] = ModuleType(name)
        vars(module).update(GAME=procedure, odds=boule.odds)
    return made


def packs() -> Packs:
    """Andorra's boule, and a pack with the games: boule's law, with titles of their own, in English and Spanish."""
    andorra = {name: PACKS.files["AD-2025"][name] for name in ("pack.toml", "boule.toml")}
    text = andorra["boule.toml"].decode()
    head, _, rest = text.partition("[titles]")
    law = rest[rest.index("[passages]") :]
    files = {"pack.toml": b'name = "WHEELS"\njurisdiction = "WHEELS"\ntitle = "Wheels"\nsource = "The maker"\n'}
    for name in modules():
        title = name.replace("_", " ").title()
        own = head.replace('"boule"', f'"{name}"').replace("Bola o Boule", f"{title} (law)")
        files[f"{name}.toml"] = f'{own}[titles]\nen = "{title}"\nes = "{title} (es)"\n\n{law}'.encode()
    return Packs({"AD-2025": andorra, "WHEELS": files})


def table_day(table: str, game: str, rules: str) -> Iterator[bytes]:
    """A gaming day of one round, in which seats 1 and 2 lose 10.00 EUR each on red. Their chips are in the tray, and
    the 50.00 EUR for which they bought some are counted."""
    events: list[dict[str, Any]] = [
        {"type": "table_opened", "casino": "valira", "pit": "p", "game": game, "rules": rules, "currency": "EUR",
         "chip_unit": 100, "rounding": "down", "float": 100_000},
        {"type": "dealer_on", "dealer": "d1"},
        {"type": "round_opened", "round": 1},
        *({"type": "bet_placed", "round": 1, "bet": f"b{seat}", "seat": seat, "wager": "red", "amount": 1_000}
          for seat in (1, 2)),
        {"type": "bets_closed", "round": 1},
        {"type": "ball_landed", "round": 1, "number": 5},
        *({"type": "bet_settled", "round": 1, "bet": f"b{seat}", "paid": 0, "returned": 0} for seat in (1, 2)),
        {"type": "round_closed", "round": 1},
        {"type": "table_closed", "float": 100_000 - 5_000 + 2_000},
        {"type": "drop_counted", "amount": 5_000},
    ]  # fmt: skip
    for seq, event in enumerate(events, 1):
        envelope = {"v": 1, "session": f"{table}-{DAY}", "seq": seq, "at": f"{DAY}T20:{seq:02}:00Z", "table": table}
        yield json.dumps({**envelope, "device": table, **event}).encode() + b"\n"


def store_night(where: str, law: Packs, night: Mapping[str, tuple[str, str]] = NIGHT) -> None:
    """Audit a night into a new store."""
    auditor = Auditor(Judging(packs=law), raw=True)
    for table, (game, rules) in night.items():
        for place, line in enumerate(table_day(table, game, rules), 1):
            auditor.feed(line, table, place)
    with open_store(where) as store:
        store.migrate()
        for row in auditor.finish():
            store.add(row)
        store.flush()
