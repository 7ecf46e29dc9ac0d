"""The command line as a user meets it: exit statuses, one clear line for bad input, JSON that programs can read."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from replay.events import decode
from replay.results import Cage, Finding, RawEvent, Rejected, Round, SessionSummary, Settlement
from streams.commands.app import app
from streams.store import open_store
from tests.replay import logs

SCENARIO = """
scenario: High wins on 7
source: AD-2025 boule V.1
table: {game: boule, rules: AD-2025, limits: {min: 200}}
events:
  - bet_placed: {bet: h, seat: 1, wager: high, amount: 1000}
  - bets_closed
  - ball_landed: {number: 7}
  - bet_settled: {bet: h, paid: %s, returned: 1000}
  - round_closed
expect:
  settlements:
    h: {paid: 1000, returned: 1000}
  findings: []
"""


@pytest.fixture
def run(capfd):
    """Run ``retally`` in this process: (exit status, standard output, standard error)."""

    def run(*arguments):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result.exit_code, result.stdout, result.stderr

    return run


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    """A short night with wrongs planted: the log, the keys, the truth."""
    folder = tmp_path_factory.mktemp("night")
    arguments = ["simulate", "--tables", "2", "--hours", "2", "--seed", "5", "--faults", "0.1", "--game", "boule"]
    files = {name: str(folder / name) for name in ("log.jsonl.zst", "truth.jsonl", "floor.keys")}
    result = CliRunner().invoke(
        app,
        [*arguments, "--to", files["log.jsonl.zst"], "--truth", files["truth.jsonl"], "--keys", files["floor.keys"]],
    )
    assert result.exit_code == 0, result.output
    return files


def test_settle_says_met_and_exits_0(run, tmp_path):
    (tmp_path / "a.yaml").write_text(SCENARIO % 1000)

    status, out, _ = run("settle", tmp_path)

    assert (status, out.splitlines()[-1]) == (0, "1 scenarios: 1 met, 0 not met")


def test_settle_exits_1_when_an_expect_block_is_not_met(run, tmp_path):
    (tmp_path / "a.yaml").write_text(SCENARIO % 900)

    status, out, _ = run("settle", tmp_path / "a.yaml", "--json")

    [result] = json.loads(out)
    assert (status, result["met"]) == (1, False)
    assert result["file"] == str(tmp_path / "a.yaml")
    assert result["settlements"]["h"]["paid"] == 1000
    assert [(f["code"], f["bet"], f["amount"]) for f in result["findings"]] == [("underpaid", "h", 100)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("scenario: [", "a.yaml: line 1:"),
        ("- 1", "a.yaml: Input should be"),
        (SCENARIO.replace("wager: high, amount: 1000", "wager: high, amount: -1") % 0, "a.yaml: events.0.amount:"),
        (SCENARIO.replace("ball_landed", "ball_lost") % 0, "a.yaml: events.2.type: no such event type"),
        (
            SCENARIO.replace("AD-2025, limits", "AD-1999, limits") % 0,
            "a.yaml: table: the table cannot be judged: there",
        ),
        (SCENARIO.replace("game: boule", "game: ludo") % 0, "has no game ludo"),
        ("a: &a [x]\nb: " + "[" * 1000, "a.yaml"),
    ],
)
def test_a_bad_scenario_is_one_clear_line_and_exit_status_2(run, tmp_path, text, complaint):
    (tmp_path / "a.yaml").write_text(text)

    status, _, err = run("settle", tmp_path)

    assert status == 2
    assert err.startswith("retally: ")
    assert complaint in err
    assert err.count("\n") == 1


def test_audit_of_a_clean_log_exits_0(run, tmp_path):
    log = tmp_path / "log.jsonl"
    run("simulate", "--tables", 1, "--hours", 1, "--game", "boule", "--to", log)

    status, out, _ = run("audit", log)

    assert status == 0
    assert "match" in out


def test_audit_finds_what_was_planted_and_exits_1(run, night):
    status, out, _ = run("audit", night["log.jsonl.zst"], "--keys", night["floor.keys"], "--json")

    with open(night["truth.jsonl"]) as file:
        truth = [json.loads(line) for line in file]
    expected = sorted(
        (wrong["session"], wanted["code"], wanted.get("bet", ""), wanted.get("amount"))
        for wrong in truth
        for wanted in wrong["expected"]
    )
    made = [row for line in out.splitlines() if (row := json.loads(line))["record"] == "finding"]
    assert status == 1
    assert sorted((row["session"], row["code"], row["bet"], row["amount"]) for row in made) == expected


def test_two_audits_into_a_store_leave_the_same_rows_as_one(run, night, where):
    records = (Settlement, Finding, Round, SessionSummary, Cage, RawEvent, Rejected)

    def rows():
        with open_store(where) as store:
            return {record: list(store.read(record)) for record in records}

    run("audit", night["log.jsonl.zst"], "--into", where)
    once = rows()
    run("audit", night["log.jsonl.zst"], "--into", where)

    assert all(once.values())
    assert rows() == once


def test_workers_say_what_one_process_says(run, night):
    def said(*more):
        _, out, _ = run("audit", night["log.jsonl.zst"], "--json", *more)
        return sorted(out.splitlines())

    assert said("--workers", 2) == said()


def test_hostile_lines_are_named_by_line_and_field_and_the_rest_is_audited(run, tmp_path):
    log = tmp_path / "log.jsonl"
    run("simulate", "--tables", 1, "--hours", 0.5, "--game", "boule", "--to", log)
    lines = log.read_bytes().splitlines()
    log.write_bytes(
        b"\n".join([*lines[:5], b'{"type":"bet_placed","amount":-1}', b"\xff\xfe", b"[" * 90_000, *lines[5:]])
    )

    status, out, err = run("audit", log)

    assert status == 1
    assert [line.split(": ")[0] for line in err.splitlines()] == [f"{log}:{number}" for number in (6, 7, 8)]
    assert "no findings" in out or "findings" in out
    assert f"{len(lines) + 3:,}" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "nowhere"],
        ["audit", "{log}", "--rules", "XX"],
        ["audit", "{log}", "--keys", "nowhere"],
        ["audit", "{log}", "--into", "clickhouse://nobody@127.0.0.1:1/x"],
        ["settle", "nowhere"],
        ["odds", "--rules", "XX"],
        ["odds", "--rules", "AD-2025", "--game", "ludo"],
        ["rules", "show", "XX"],
        ["simulate", "--game", "ludo", "--to", "{log}.2.jsonl"],
        ["simulate", "--rules", "XX", "--to", "{log}.2.jsonl"],
        ["simulate", "--rules", "MO-1985", "--game", "boule", "--to", "{log}.2.jsonl"],
        ["simulate", "--date", "2022-01-01", "--game", "craps", "--to", "{log}.2.jsonl"],
        ["simulate", "--packs", "nowhere", "--to", "{log}.2.jsonl"],
        ["simulate", "--to", "{log}"],
        ["demo", "--to", "{log}"],
        ["keys", "new", "nowhere/gateway.pem"],
        ["keys", "new", "{log}"],
        ["config", "show", "--config", "nowhere"],
        ["dashboards", "push", "--url", "nowhere"],
        ["report", "nightly", "--store", "nowhere", "--date", "2026-11-29", "--to", "nowhere"],
        ["evidence", "verify", "{log}"],
    ],
)
def test_bad_input_is_one_clear_line_and_exit_status_2(run, night, arguments):
    status, _, err = run(*(argument.replace("{log}", night["log.jsonl.zst"]) for argument in arguments))

    assert status == 2
    assert err.startswith("retally: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("command", [["check"], ["preview", "--to", "nowhere"]])
def test_a_folder_that_is_no_store_yet_is_one_clear_line_to_the_dashboards(run, tmp_path, command):
    with open_store(str(tmp_path)):
        pass

    status, _, err = run("dashboards", *command, "--store", tmp_path)

    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith("retally: ")
    assert "has this store been migrated?" in err


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(run, tmp_path):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        run(
            "simulate",
            "--tables",
            2,
            "--hours",
            0.5,
            "--seed",
            seed,
            "--faults",
            0.2,
            "--to",
            tmp_path / f"{name}.jsonl",
        )

    first, second, other = ((tmp_path / f"{name}.jsonl").read_bytes() for name in "abc")
    assert first == second != other


def test_the_schema_is_json_and_names_every_event_type(run):
    _, out, _ = run("schema")

    schema = json.loads(out)
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert {"bet_placed", "checkpoint", "drop_counted"} <= set(schema["discriminator"]["mapping"])


def test_simulated_lines_are_events(run, tmp_path):
    run("simulate", "--tables", 1, "--hours", 0.2, "--to", tmp_path / "a.jsonl")

    lines = (tmp_path / "a.jsonl").read_bytes().splitlines()
    assert [decode(line).seq for line in lines] == list(range(1, len(lines) + 1))


def test_odds_as_json_are_exact_fractions(run):
    _, out, _ = run("odds", "--rules", "AD-2025", "--game", "boule", "--json")

    rows = json.loads(out)
    assert set(rows[0]) == {"game", "rules", "wager", "pick", "options", "decks", "edge", "variance", "assumes"}
    assert {row["edge"] for row in rows} == {"1/9"}
    assert {row["variance"] for row in rows} == {"512/81", "80/81"}


def test_the_list_of_rules_marks_what_is_taken_over(run):
    _, out, _ = run("rules", "list", "--json")

    packs = {pack["name"]: pack for pack in json.loads(out)}
    assert packs["AD-2022"]["games"]["boule"] == "AD-2025"
    assert packs["AD-2025"]["games"]["boule"] == "AD-2025"
    assert packs["AD-2022"]["repealed"] == packs["AD-2025"]["in_force"] == "2025-12-10"


def test_odds_that_a_game_fails_at_are_told_in_one_line(run, monkeypatch):
    monkeypatch.setattr("replay.games.boule.odds", lambda rules: [1 // 0])

    status, _, err = run("odds", "--rules", "AD-2025", "--game", "boule")

    failed = "the game's odds cannot be worked out: ZeroDivisionError: integer division or modulo by zero"
    assert (status, err) == (2, f"retally: AD-2025/boule.toml: {failed}\n")


def test_a_house_is_tried_on_a_floor_before_its_rules_hold(run, tmp_path):
    log, packs = tmp_path / "log.jsonl", ("--packs", Path(__file__).parent.parent / "packs")

    played = run("simulate", *packs, "--rules", "CASA-2026", "--game", "craps", "--tables", 2, "--to", log)
    audited = run("audit", log, *packs, "--json")

    rows = [json.loads(line) for line in audited[1].splitlines()]
    assert (played[0], audited[0]) == (0, 0)
    assert {row["rules"] for row in rows} == {"CASA-2026"}


@pytest.mark.parametrize("into", [False, True], ids=["alone", "into a store"])
def test_an_audit_says_how_many_seals_hold_and_whether_signatures_were_checked(run, tmp_path, into):
    """Three seals, of which one is signed by nobody: only whoever has the keys can tell."""
    lines = logs.boule([logs.Coup(7, [logs.Stake("red")])]).lines
    assert sum(b'"checkpoint"' in line for line in lines) == 3
    signature = json.loads(lines[-1])["signature"].encode()
    log, keys = tmp_path / "log.jsonl", tmp_path / "keys"
    log.write_bytes(b"".join(line + b"\n" for line in lines).replace(signature, b"ab" * 64))
    keys.write_text("".join(f"{name} {bytes(key).hex()}\n" for name, key in logs.KEYS.items()))
    store = ("--into", tmp_path / "store") if into else ()

    _, without, _ = run("audit", log, *store)
    status, out, _ = run("audit", log, "--keys", keys, *(("--into", tmp_path / "other") if into else ()))

    assert re.search(r"seals that hold +3 of 3 \(signatures not checked: no --keys\)", without)
    assert re.search(r"seals that hold +2 of 3\n", out)
    assert status == 1
