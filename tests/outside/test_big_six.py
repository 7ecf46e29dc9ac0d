"""A game from another distribution: installed beside retally, it is played, audited, reported and proven like ours.

``big_six`` is such a distribution. It is built and installed into an environment of its own, which sees what is
installed where the tests run, and this repository as it stands; nothing is fetched.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from zipfile import ZipFile

import msgspec
import pytest

from replay.results import Finding
from replay.revisions import identity
from streams.simulator.truth import Planted, compare
from tests.viewer import viewing

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("outside")]

ROOT = Path(__file__).parent.parent.parent
SOURCE = Path(__file__).parent / "big_six"
PACK = SOURCE / "retally_big_six" / "packs" / "WHEEL-2026"
DAY = "2026-11-29"
SESSION = f"BX01-{DAY}"
PUBLISHED = {"one": 11.11, "two": 16.67, "five": 22.22, "ten": 18.52, "twenty": 22.22, "joker": 24.07, "logo": 24.07}
"""The house's edge in per cent, wizardofodds.com/games/big-six."""
STOPS = {"one": 24, "two": 15, "five": 7, "ten": 4, "twenty": 2, "joker": 1, "logo": 1}
TIMES = {"one": 1, "two": 2, "five": 5, "ten": 10, "twenty": 20, "joker": 40, "logo": 40}

Retally = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment in which the distribution is installed."""
    folder = tmp_path_factory.mktemp("outside")
    done(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    python = folder / "venv" / "bin" / "python"
    site = Path(done(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    ours = [ROOT, *(path for path in sys.path if Path(path).name in ("site-packages", "dist-packages"))]
    (site / "retally-and-what-it-needs.pth").write_text("".join(f"{path}\n" for path in ours), "utf-8")
    shutil.copytree(SOURCE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet")
    done(python, "-m", "pip", "install", *offline, folder / "source")
    return python


def done(*command: object) -> str:
    """What a command prints that must not fail."""
    made = subprocess.run([*map(str, command)], env=environment(), capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


def environment() -> dict[str, str]:
    """Ours, without what would lead to other modules or settings."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "RETALLY", "PIP"))}


@pytest.fixture(scope="module")
def retally(python: Path, tmp_path_factory: pytest.TempPathFactory) -> Retally:
    """Run ``retally`` in that environment: exit status, standard output, standard error."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")

    def run(*arguments: object) -> tuple[int, str, str]:
        command = [str(python), "-m", "streams.commands", *map(str, arguments)]
        made = subprocess.run(command, cwd=elsewhere, env=environment(), capture_output=True, text=True, timeout=300)
        assert "Traceback" not in made.stderr, made.stderr
        return made.returncode, made.stdout, made.stderr

    return run


@pytest.fixture(scope="module")
def night(retally: Retally, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A night of two wheels with wrongs planted: the log, the truth, the keys; audited into a store."""
    folder = tmp_path_factory.mktemp("wheels")
    asked = ("--game", "big_six", "--tables", 2, "--hours", 3, "--seed", 4, "--faults", 0.25)
    files = ("--to", folder / "log.jsonl", "--truth", folder / "truth.jsonl", "--keys", folder / "floor.keys")
    assert retally("simulate", *asked, *files)[0] == 0
    keys = ("--keys", folder / "floor.keys")
    status, said, _ = retally("audit", folder / "log.jsonl", *keys, "--into", folder / "store", "--json")
    (folder / "said.jsonl").write_text(said, "utf-8")
    assert status == 1
    return folder


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_its_pack_is_listed_shown_and_without_fault(retally: Retally):
    _, listed, _ = retally("rules", "list", "--json")
    _, shown, _ = retally("rules", "show", "WHEEL-2026", "--game", "big_six", "--json")

    packs = {pack["name"]: pack["games"] for pack in json.loads(listed)}
    assert packs["WHEEL-2026"] == {"big_six": "WHEEL-2026"}
    assert "AD-2025" in packs
    assert {name: wager["pays"] for name, wager in json.loads(shown)[0]["wagers"].items()} == {
        name: f"{times}/1" for name, times in TIMES.items()
    }
    assert retally("rules", "check", PACK.parent)[0] == 0


def test_what_is_wrong_with_a_pack_of_it_is_told_like_ours(retally: Retally, tmp_path: Path):
    pack = tmp_path / "WHEEL-2027"
    shutil.copytree(PACK, pack)
    about = (pack / "pack.toml").read_text("utf-8")
    (pack / "pack.toml").write_text(about.replace("WHEEL-2026", "WHEEL-2027").replace("2026-01-01", "2027-01-01"))
    game = (pack / "big_six.toml").read_text("utf-8")
    (pack / "big_six.toml").write_text(game.replace("joker = [28]", "joker = [29]").replace('pays = "5/1"', ""))

    status, said, _ = retally("rules", "check", pack)

    assert status == 2
    assert said.splitlines()[:2] == [
        "WHEEL-2027/big_six.toml: wagers.five.pays: one price, as in '3/2'",
        "WHEEL-2027/big_six.toml: stops: each stop from 1 to 54 once; see 28, 29",
    ]


def test_its_odds_are_the_published_ones(retally: Retally):
    _, said, _ = retally("odds", "--rules", "WHEEL-2026", "--json")

    edges = {row["wager"]: Fraction(row["edge"]) for row in json.loads(said)}
    assert {wager: round(float(100 * edge), 2) for wager, edge in edges.items()} == PUBLISHED


def test_a_night_of_it_is_audited_and_what_was_planted_is_found_and_nothing_else(night: Path):
    truth = msgspec.convert(rows(night / "truth.jsonl"), list[Planted])
    said = [row for row in rows(night / "said.jsonl") if row.pop("record") == "finding"]
    last = {identity(finding): finding for finding in msgspec.convert(said, list[Finding])}

    compared = compare(truth, last.values())

    assert {"second_spin", "above_maximum", "late_bet", "settled_too_early"} <= {wrong.fault for wrong in truth}
    assert (compared.missed, compared.invented) == ([], [])
    assert {row.passage for row in last.values() if row.code == "dealer_misplay"} == {"Big Six 6"}


def test_its_night_is_reconciled_with_what_its_odds_give(retally: Retally, night: Path, tmp_path: Path):
    """All stakes on one symbol share a spin, as the game states: the variance is that of their sum. Bets that were not
    laid as they should be are not held against the odds."""
    status, _, err = retally("report", "nightly", "--store", night / "store", "--date", DAY, "--to", tmp_path)
    figures = json.loads((tmp_path / f"nightly-{DAY}.json").read_text("utf-8"))
    [wheels] = figures["scopes"]["games"]

    together: Counter[tuple[str, int, str]] = Counter()
    for row in settled(night):
        together[row["session"], row["round"], row["wager"]] += row["stake"]
    edges = {wager: Fraction(54 - STOPS[wager] * (TIMES[wager] + 1), 54) for wager in STOPS}
    squares = {wager: Fraction(54 + STOPS[wager] * (TIMES[wager] ** 2 - 1), 54) for wager in STOPS}
    theory = sum(staked * edges[wager] for (_, _, wager), staked in together.items())
    variance = sum(staked**2 * (squares[wager] - edges[wager] ** 2) for (_, _, wager), staked in together.items())

    assert (status, err) == (1, "")
    assert (wheels["game"], wheels["rounds"]) == ("big_six", len(rounds_of(night)))
    assert wheels["compared_staked"] == sum(together.values())
    assert wheels["left_out_staked"] == 0
    assert wheels["theoretical_win"] == round(theory)
    assert wheels["deviation"] == round(sqrt(variance))
    assert "Big Six wheel" in (tmp_path / f"nightly-{DAY}.html").read_text("utf-8")


def settled(night: Path) -> list[dict[str, Any]]:
    """The last word on each bet that was in play and is decided: no stake goes back at the wheel but with its win."""
    said = sorted(rows(night / "said.jsonl"), key=lambda row: row.get("revision", 0))
    last = {(row["session"], row["round"], row["bet"]): row for row in said if row["record"] == "settlement"}
    wrong = {(row["session"], row["bet"]) for row in said if row.get("kind") == "procedure"}
    return [
        row
        for row in last.values()
        if row["verdict"] in ("match", "underpaid", "overpaid", "unsettled")
        and (row["paid"] or not row["returned"])
        and (row["session"], row["bet"]) not in wrong
    ]


def rounds_of(night: Path) -> set[tuple[str, int]]:
    return {(row["session"], row["round"]) for row in logged(night) if "round" in row}


def logged(night: Path) -> list[dict[str, Any]]:
    """The events of the log, but for lines that were spoiled on their way."""
    events = []
    for line in (night / "log.jsonl").read_text("utf-8").splitlines():
        with suppress(ValueError):
            events.append(json.loads(line))
    return events


def test_its_figures_are_on_the_dashboards(retally: Retally, night: Path, tmp_path: Path):
    built = retally("dashboards", "build", "--to", tmp_path / "grafana")
    drawn = retally("dashboards", "preview", "--store", night / "store", "--to", tmp_path / "preview")

    board = (tmp_path / "grafana" / "dashboards" / "retally-reconciliation.json").read_text("utf-8")
    assert (built[0], drawn[0]) == (0, 0)
    assert {f"WHEEL-2026|big_six|{wager}|" for wager in STOPS} <= set(re.findall(r"WHEEL-2026\|\w+\|\w+\|", board))
    assert "big_six" in (tmp_path / "preview" / "retally-reconciliation.html").read_text("utf-8")


def test_a_round_of_it_is_replayed_and_drawn(retally: Retally, python: Path, night: Path):
    events = [event for event in logged(night) if event["session"] == SESSION]
    first = next(event["round"] for event in events if event["type"] == "bet_placed")
    spin = next(event for event in events if event["type"] == "ball_landed" and event["round"] == first)
    status, said, _ = retally("replay", SESSION, "--from", night / "log.jsonl", "--round", spin["round"])
    with viewing(night / "store", str(python)) as address:
        drawn = urlopen(f"{address}/round?session={SESSION}&seq={spin['seq']}").read().decode()

    assert status == 0
    assert f"{SESSION}  big_six at BX01, judged by WHEEL-2026" in said
    assert f"stop {spin['number']}" in said
    assert "<small>Big Six wheel at BX01</small>" in drawn
    assert '<g class="seat">' in drawn
    assert f"stop {spin['number']}</text>" in drawn


def test_a_bundle_of_it_proves_itself_to_whoever_has_the_game(retally: Retally, tmp_path: Path):
    log, keys, bundle = tmp_path / "log.jsonl", tmp_path / "floor.keys", tmp_path / "session.zip"
    retally("simulate", "--game", "big_six", "--tables", 1, "--hours", 0.2, "--to", log, "--keys", keys)

    exported = retally("evidence", "export", "--from", log, "--keys", keys, "--session", SESSION, "--to", bundle)
    verified = retally("evidence", "verify", bundle, "--keys", keys)

    without = subprocess.run(
        [sys.executable, "-m", "streams.commands", "evidence", "verify", bundle, "--keys", keys],
        cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=300,
    )  # fmt: skip

    assert exported[::2] == verified[::2] == (0, "")
    assert "what was asked is proven" in verified[1]
    with ZipFile(bundle) as opened:
        assert opened.read("rules/WHEEL-2026/big_six.toml") == (PACK / "big_six.toml").read_bytes()
    assert (without.returncode, without.stderr) == (1, "")
    assert "rules/WHEEL-2026/big_six.toml: game: there is no game big_six" in without.stdout


def test_a_house_of_its_own_rules_plays_it_within_its_law(retally: Retally, tmp_path: Path):
    """The house takes the logo off the layout, and posts its limits; its tables are audited under its rules."""
    pack = tmp_path / "FAIR-2026"
    began = retally("rules", "new", "--from", "WHEEL-2026", "--house-rules", "--to", pack)
    house = 'game = "big_six"\npassage = "posted at the wheel"\nwithout = ["wagers.logo"]\n'
    (pack / "big_six.toml").write_text(f"{house}[limits]\nmin = 300\nmax = 3000\n", "utf-8")
    log, packs = tmp_path / "log.jsonl", ("--packs", pack)
    played = retally("simulate", *packs, "--rules", "FAIR-2026", "--tables", 2, "--hours", 2, "--to", log)
    events = [json.loads(line) for line in log.read_text("utf-8").splitlines()]

    assert (began[0], played[0]) == (0, 0)
    assert {(event["rules"], event["limits"]["min"]) for event in events if event["type"] == "table_opened"} == {
        ("FAIR-2026", 300)
    }
    assert {event["wager"] for event in events if event["type"] == "bet_placed"} == set(STOPS) - {"logo"}
    assert retally("audit", log, *packs)[0] == 0
