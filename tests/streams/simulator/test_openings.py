"""A floor under another pack than its simulators' own: a house's rules, tried before they hold."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from replay.packs import Packs
from replay.rules import RuleError
from streams.packs import packs_with
from streams.simulator import games
from streams.simulator.floor import Floor
from tests.installed import PACKS
from tests.streams.simulator.nights import NIGHT, audited

EXAMPLES = Path(__file__).parent.parent.parent / "packs"
ABOUT = """
name = "CASA-2026"
jurisdiction = "CASA"
title = "Rules of a house"
source = "Rules of the house, 2026"
approved_by = "The board"
in_force = 2026-01-01
extends = "AD-2025"
"""


def house(**rules: str) -> Packs:
    """The installed packs, and beside them a house's own rules under Andorra's law, by game."""
    files = {"pack.toml": ABOUT.encode()}
    for game, text in rules.items():
        files[f"{game}.toml"] = f'game = "{game}"\npassage = "house rules, {game}"\n{text}'.encode()
    packs = PACKS.beside(Packs({"CASA-2026": files}))
    assert packs.problems(["CASA-2026"]) == []
    return packs


def floor_under(packs: Packs, rules: str, *only: str, tables: int, hours: float, faults: float = 0.0) -> Floor:
    return Floor(
        tables=tables, hours=hours, seed=3, first_day=NIGHT, only=only, fault_rate=faults, packs=packs, rules=rules
    )


def openings(floor: Floor) -> list[dict[str, Any]]:
    """What each table says when it opens."""
    return [event for line in floor.lines() if (event := json.loads(line))["type"] == "table_opened"]


def test_without_a_pack_a_floor_is_to_the_byte_what_it_is_when_nobody_looks_at_the_packs() -> None:
    tables = len(games.names())

    looked_at = Floor(tables=tables, hours=0.05, seed=1, first_day=NIGHT, fault_rate=0.2, packs=PACKS)
    not_looked_at = Floor(tables=tables, hours=0.05, seed=1, first_day=NIGHT, fault_rate=0.2)

    assert list(looked_at.lines()) == list(not_looked_at.lines())


@pytest.mark.parametrize("game", games.names())
def test_under_the_law_that_its_tables_have_anyway_a_floor_plays_the_same(game: str) -> None:
    def played(floor: Floor) -> list[dict[str, Any]]:
        events = [json.loads(line) for line in floor.lines()]
        return [event for event in events if event["type"] not in ("table_opened", "checkpoint")]

    ways = [setup for setup in games.setups(game) if setup.rules == "AD"]
    own = Floor(tables=len(ways), hours=0.05, seed=3, first_day=NIGHT, only=[game])

    assert played(floor_under(PACKS, "AD-2025", game, tables=len(ways), hours=0.05)) == played(own)


def test_a_pack_has_its_own_games_played_in_the_ways_that_stand_on_it() -> None:
    floor = floor_under(PACKS, "MO-1985", tables=2, hours=0.5, faults=0.3)

    assert {plan.setup.game for plan in floor.plans} == {"craps"}
    assert {plan.setup.currency for plan in floor.plans} == {"MOP"}
    assert audited(floor).exact


def test_tables_post_what_the_house_posts_and_an_audit_finds_nothing_of_it() -> None:
    """Boule's own bound of a number, 2.00 to 200.00, would not go with a maximum of 3,000.00 on a chance; sic bo's law
    says nothing of limits."""
    posts = "[limits]\nmin = 1000\nmax = 300000"
    packs = house(boule=posts, blackjack=posts, chemin_de_fer=posts, sic_bo="[limits]\nmin = 1000\nmax = 50000")
    played = ("boule", "blackjack", "chemin_de_fer", "sic_bo")
    opened = openings(floor_under(packs, "CASA-2026", *played, tables=12, hours=0.1))

    assert {(one["rules"], one["limits"]["min"]) for one in opened} == {("CASA-2026", 1000)}
    assert audited(floor_under(packs, "CASA-2026", *played, tables=12, hours=0.5, faults=0.2), packs).exact


def test_a_bound_of_the_house_goes_before_one_of_the_table_that_it_does_not_reach() -> None:
    packs = house(
        punto_banco="[limits]\nmax = 10000\ntie = { min = 2000 }",
        blackjack="[limits]\nmin = 20000\n",
    )
    cards = openings(floor_under(packs, "CASA-2026", "punto_banco", tables=3, hours=0.05))
    boxes = openings(floor_under(packs, "CASA-2026", "blackjack", tables=3, hours=0.05))

    assert [opened["limits"] for opened in cards] == [
        {"min": 500, "max": 10_000, "tie": {"min": 2_000}},
        {"min": 2_000, "max": 10_000, "tie": {"min": 2_000, "max": 5_000}},
        {"min": 1_000, "max": 10_000, "tie": {"min": 2_000}},
    ]
    assert [opened["limits"]["min"] for opened in boxes] == [20_000] * 3


def test_a_house_that_posts_what_no_chip_of_the_table_is_worth_has_smaller_ones() -> None:
    packs = house(triple_joc="[limits]\nmin = 1250\nmax = 50000")

    assert [
        opened["chip_unit"] for opened in openings(floor_under(packs, "CASA-2026", "triple_joc", tables=2, hours=0.1))
    ] == [50, 250]
    assert audited(floor_under(packs, "CASA-2026", "triple_joc", tables=2, hours=1, faults=0.2), packs).exact


def test_what_a_house_has_chosen_every_table_has_and_what_it_has_taken_out_nobody_lays() -> None:
    packs = packs_with([EXAMPLES])
    events = [json.loads(line) for line in floor_under(packs, "CASA-2026", "craps", tables=3, hours=2).lines()]
    opened = [event["options"] for event in events if event["type"] == "table_opened"]
    laid = {event["wager"] for event in events if event["type"] == "bet_placed"}

    assert opened == [{"multiples_of_min": True, "multiple_gain_factor": 2}] * 3
    assert laid >= {"field", "hard_way", "any_craps"}
    assert "horn" not in laid
    assert audited(floor_under(packs, "CASA-2026", "craps", tables=3, hours=2, faults=0.3), packs).exact


def test_an_option_that_a_house_does_not_allow_is_played_as_near_as_it_does() -> None:
    packs = house(pai_gow_poker='[options]\ncommission_pct = { most = "7/2", default = 3 }\njoker = "none"')
    opened = openings(floor_under(packs, "CASA-2026", "pai_gow_poker", tables=3, hours=0.05))

    assert [event["options"]["commission_pct"] for event in opened] == [3, 2.5, 3.5]
    assert {event["options"]["joker"] for event in opened} == {"none"}


def test_dealers_pay_what_they_know_by_heart_and_under_a_law_that_pays_otherwise_it_is_found() -> None:
    """The club pays six to five on a blackjack, where the dealers hand over three to two."""
    packs = packs_with([EXAMPLES])
    compared = audited(floor_under(packs, "CLUB-2026", "blackjack", tables=1, hours=1), packs)

    assert {line.split(": ", 1)[1].split(" ")[0] for line in compared.invented} == {"overpaid"}


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ({"rules": "MO-1985", "only": ["boule"]}, "rule pack MO-1985 has no game boule (it has: craps)"),
        ({"rules": "AD"}, "there is no rule pack AD "),
        ({"first_day": date(2022, 1, 1), "only": ["craps"]}, "no rule pack of AD was in force on 2022-01-01"),
    ],
)
def test_what_cannot_be_judged_is_not_played(asked: dict[str, Any], line: str) -> None:
    given: dict[str, Any] = {"tables": 4, "hours": 0.1, "seed": 1, "first_day": NIGHT, "packs": PACKS, **asked}

    with pytest.raises(RuleError, match=re.escape(line)):
        Floor(**given)


def test_a_pack_without_a_game_that_the_floor_plays_is_refused() -> None:
    about = b'name = "LAW-2026"\njurisdiction = "LAW"\ntitle = "A law"\nsource = "A gazette"'
    packs = PACKS.beside(Packs({"LAW-2026": {"pack.toml": about}}))

    with pytest.raises(RuleError, match="rule pack LAW-2026 has no game that the floor plays"):
        floor_under(packs, "LAW-2026", tables=1, hours=0.1)
