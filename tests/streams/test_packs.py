"""Rule packs outside the package, as their user meets them: a folder, --packs or RETALLY_PACKS."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from streams.commands.app import app
from streams.logs import LogWriter
from tests.replay import logs

EXAMPLES: Final = Path(__file__).parent.parent / "packs"

SCENARIO: Final = """
scenario: Blackjack at six to five
source: club rules, blackjack 4
table: {game: blackjack, rules: CLUB, limits: {min: 500, max: 50000}}
events:
  - bet_placed: {bet: b, seat: 1, wager: main, amount: 1000}
  - bets_closed
  - card_dealt: {seat: 1, card: AS}
  - card_dealt: {to: dealer, card: 9H}
  - card_dealt: {seat: 1, card: KS}
  - card_dealt: {to: dealer, card: 8D}
  - bet_settled: {bet: b, paid: 1500, returned: 1000}
  - round_closed
expect:
  settlements:
    b: {paid: 1200, returned: 1000}
  findings:
    - {code: overpaid, bet: b, amount: 300}
"""


def retally(*arguments: object, **environment: str) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    result = CliRunner().invoke(app, [str(each) for each in arguments], env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    file = tmp_path / "six-to-five.yaml"
    file.write_text(SCENARIO)
    return file


def test_a_dispute_is_settled_by_a_pack_in_a_folder(scenario):
    assert retally("settle", scenario, "--packs", EXAMPLES)[0] == 0
    assert retally("settle", scenario, "--packs", EXAMPLES / "CLUB-2026")[0] == 0
    assert retally("settle", scenario, RETALLY_PACKS=f"{EXAMPLES / 'CASA-2026'}:{EXAMPLES / 'CLUB-2026'}")[0] == 0
    status, _, told = retally("settle", scenario)
    assert (status, "there is no rule pack CLUB (there are: AD-2022" in told) == (2, True)


def test_the_odds_of_a_pack_in_a_folder_are_the_published_ones_for_eight_decks():
    """Punto banco from eight decks: banker 1.0579 %, player 1.2351 %, tie at eight to one 14.3596 %."""
    status, out, _ = retally("odds", "--packs", EXAMPLES, "--rules", "CLUB-2026", "--game", "punto_banco", "--json")
    edges = {(row["wager"], row["options"].get("banker_pay")): row["edge"] for row in json.loads(out)}

    def percent(edge: str) -> str:
        over, under = map(int, edge.split("/"))
        return f"{100 * over / under:.4f}"

    assert status == 0
    assert percent(edges["player", None]) == "1.2351"
    assert percent(edges["banker", "commission_5"]) == "1.0579"
    assert percent(edges["tie", None]) == "14.3596"


def test_the_rules_of_a_pack_in_a_folder_are_listed_and_shown():
    listed = json.loads(retally("rules", "list", "--packs", EXAMPLES, "--json")[1])
    club = next(pack for pack in listed if pack["name"] == "CLUB-2026")
    shown = retally("rules", "show", "CASA-2026", "--game", "craps", "--packs", EXAMPLES)[1]

    assert club["approved_by"] == "The club's committee, resolution 3/2026"
    assert (club["based_on"], club["in_force"]) == ("AD-2025", "2026-01-01")
    assert "house rules 2026, craps 2" in shown
    assert "CLUB-2026" not in retally("rules", "list", "--json")[1]


def test_what_is_not_the_laws_own_word_is_shown_so_beside_each_wager_and_option(tmp_path):
    pack = house(tmp_path)
    (pack / "punto_banco.toml").write_text(
        'game = "punto_banco"\n[wagers.tie]\npassage = { cite = "7.3", mark = "usage" }\n'
        '[options.banker_pay]\npassage = { cite = "7.4", mark = "filled", source = "629a.2" }\n'
        '[passages]\ncall = { cite = "7.1", mark = "reading" }\n'
    )

    status, shown, _ = retally("rules", "show", "HOUSE-1", "--game", "punto_banco", "--packs", pack)
    _, text, _ = retally("rules", "show", "HOUSE-1", "--game", "punto_banco", "--packs", pack, "--json")

    words = " ".join(re.sub(r"[^\w\[\].; ]", " ", shown).split())
    assert status == 0
    for said in ("7.3 [from general usage", "7.4 [the text is", "7.1 [our reading of the text]"):
        assert said in words
    assert "not the law s own word 3;" in words
    assert json.loads(text)[0]["wagers"]["tie"]["passage"] == {"cite": "7.3", "mark": "usage"}


def night(folder: Path, rules: str) -> Path:
    """A boule table's night, opened under other rules than its own."""
    path = folder / "night.jsonl"
    with LogWriter(path) as log:
        log.write("", (line.replace(b'"AD-2025"', f'"{rules}"'.encode()) for line in logs.sample(3, 6).lines))
    return path


def house(folder: Path) -> Path:
    pack = folder / "HOUSE-1"
    pack.mkdir()
    (pack / "pack.toml").write_text(
        'name = "HOUSE-1"\njurisdiction = "HOUSE"\ntitle = "t"\nsource = "s"\napproved_by = "a"\n'
        'in_force = 2026-01-01\nbased_on = "AD-2025"\n'
    )
    (pack / "boule.toml").write_text('game = "boule"\n[wagers.red]\npays = "1/2"\npassage = "house 1"\n')
    return pack


def test_audit_and_replay_judge_by_a_pack_in_a_folder(tmp_path):
    pack = house(tmp_path)
    log = night(tmp_path, "HOUSE")

    status, out, _ = retally("audit", log, "--packs", pack, "--no-streaks", "--json")
    settled = [json.loads(line) for line in out.splitlines() if '"settlement"' in line]
    red = [row for row in settled if row["wager"] == "red" and row["paid"]]
    assert status == 1
    assert {row["rules"] for row in settled} == {"HOUSE-1"}
    assert red
    assert all(row["paid"] == row["stake"] // 200 * 100 for row in red), "half, in the table's whole units of 1.00"
    status, out, _ = retally("replay", logs.sample(3, 6).session, "--from", log, "--packs", pack, "--rules", "AD-2025")
    assert (status, "what differs from HOUSE-1" in out) == (1, True)
    status, out, _ = retally("audit", log, "--no-streaks")
    assert (status, "there is no rule pack HOUSE" in out) == (1, True)


def test_a_pack_that_is_wrong_is_refused_before_anything_is_judged(tmp_path):
    pack = house(tmp_path)
    (pack / "boule.toml").write_text('game = "boule"\n[bwol]\na = 1\npassage = "house 2"\n[wagers.rad]\npays = "1/2"\n')

    status, out, told = retally("audit", night(tmp_path, "AD-2025"), "--packs", pack)

    assert (status, out) == (2, "")
    assert told.count("\n") == 1
    assert told.startswith("retally: HOUSE-1/boule.toml: ")
    assert "retally rules check" in told


def test_check_says_everything_at_once(tmp_path):
    pack = house(tmp_path)
    (pack / "boule.toml").write_text(
        'game = "boule"\n[bwol]\na = 1\npassage = "house 2"\n[limits.straight_up]\nleast_multiple = "forty"\n'
    )
    (pack / "crabs.toml").write_text('game = "crabs"\n')

    status, out, _ = retally("rules", "check", pack)
    problems = json.loads(retally("rules", "check", pack, "--json")[1])["problems"]

    assert status == 2
    assert any(line.startswith("HOUSE-1/boule.toml: bwol: no such key; did you mean bowl?") for line in problems)
    assert any(line.startswith("HOUSE-1/boule.toml: limits.straight_up.passage: is missing") for line in problems)
    assert any(line.startswith("HOUSE-1/boule.toml: limits.straight_up.least_multiple: ") for line in problems)
    assert any("crabs" in line and "did you mean craps?" in line for line in problems)
    assert all(problem in out for problem in problems)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda folder: folder / "none", "is no folder"),
        (lambda folder: folder, "holds no rule pack"),
        (lambda folder: _empty_pack(folder), "EMPTY-1/pack.toml: "),
    ],
)
def test_a_folder_that_is_no_pack_is_told_in_one_line(make: Any, told: str, tmp_path):
    status, _, error = retally("odds", "--rules", "AD-2025", "--packs", make(tmp_path))

    assert status == 2
    assert told in error
    assert error.count("\n") == 1


def _empty_pack(folder: Path) -> Path:
    (folder / "EMPTY-1").mkdir()
    (folder / "EMPTY-1" / "pack.toml").write_text("")
    return folder / "EMPTY-1"


def test_a_new_pack_is_begun_changed_and_checked(tmp_path):
    status, out, _ = retally("rules", "new", "--from", "AD-2025", "--game", "boule", "--to", tmp_path / "OWN-1")
    assert (status, (tmp_path / "OWN-1" / "boule.toml").exists()) == (0, True)
    assert "retally rules check" in out
    assert retally("rules", "check", tmp_path / "OWN-1")[0] == 0
    assert retally("rules", "new", "--from", "AD-2025", "--to", tmp_path / "OWN-1")[0] == 2
    status, _, _ = retally("rules", "new", "--from", "AD-2025", "--house-rules", "--to", tmp_path / "CLUB-2")
    assert (status, retally("rules", "check", tmp_path)[0]) == (0, 0)
