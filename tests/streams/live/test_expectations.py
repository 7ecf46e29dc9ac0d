"""What the house expects of its dealers, from a file: the same at a worker and an audit; mistakes in it are said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from replay.results import Finding
from streams.commands.app import app
from streams.live.config import load
from streams.live.errors import ConfigError
from tests.replay import logs
from tests.streams.live.test_engine import SESSION, Rig

LENIENT = 'errors = "1/20"\n'
"""A house whose dealers may err more often than usual: whoever errs in every round is found later."""
NIGHT = logs.boule([logs.Coup(7, [logs.Stake(error=100), logs.Stake(seat=2)]) for _ in range(30)])


def invoke(*words: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "night.jsonl"
    file.write_bytes(b"".join(line if line.endswith(b"\n") else line + b"\n" for line in NIGHT.lines))
    return file


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text(LENIENT)
    return file


def erring(records: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """Who is found to err too often, and by which event."""
    return sorted((found["seq"], found["subject"]) for found in records if found.get("code") == "dealer_errors")


def audited(log: Path, *words: object) -> list[dict[str, Any]]:
    _, out, _ = invoke("audit", log, "--json", *words)
    return [json.loads(line) for line in out.splitlines()]


def live(log: Path, house: Path | None) -> list[dict[str, Any]]:
    """What a worker with these settings says in the end."""
    rig = Rig(judging=load(house=house).judging())
    rig.publish(NIGHT.lines)
    rig.finish()
    return [
        {"seq": row.seq, "subject": row.subject, "code": row.code}
        for row in rig.disk.said(SESSION)
        if isinstance(row, Finding) and not row.withdrawn
    ]


def replayed(log: Path, *words: object) -> list[dict[str, Any]]:
    _, out, _ = invoke("replay", SESSION, "--from", log, "--json", *words)
    steps = [json.loads(line) for line in out.splitlines()]
    return [found for step in steps for found in step.get("findings", ())]


def test_an_audit_a_worker_and_a_replay_find_the_same_with_the_same_house(log, house):
    offline = erring(audited(log, "--house", house))

    assert offline
    assert erring(live(log, house)) == offline
    assert erring(replayed(log, "--house", house)) == offline


def test_without_a_house_the_same_dealer_is_found_sooner(log, house):
    usual = erring(audited(log))

    assert usual == erring(live(log, None)) == erring(replayed(log))
    assert usual[0] < erring(audited(log, "--house", house))[0]


def test_workers_of_an_audit_know_the_house_too(log, house):
    assert erring(audited(log, "--house", house, "--workers", 2)) == erring(audited(log, "--house", house))


def test_the_house_may_stand_in_the_environment_or_in_the_file_and_is_shown(tmp_path, house, monkeypatch):
    config = tmp_path / "retally.toml"
    config.write_text(f"house = '{house}'\n")

    assert json.loads(invoke("config", "show", "--config", config, "--json")[1])["house"] == str(house)
    monkeypatch.setenv("RETALLY_HOUSE", str(house))
    assert f'house = "{house}"    # RETALLY_HOUSE' in invoke("config", "show")[1]


WRONG = [
    ("errors = 0.002", "errors: a chance as a string, as in '1/500', not 0.002"),
    ('errors = "2"', "errors: a chance from 1/1000000000 to below 1, not 2"),
    ("speed = 1", "speed: no such setting"),
    ("[errors", "not TOML"),
    (None, "cannot be read (No such file or directory)"),
]


@pytest.mark.parametrize(("text", "says"), WRONG, ids=[says.split(":")[0] for _, says in WRONG])
@pytest.mark.parametrize("command", ["audit", "replay", "config", "worker"])
def test_a_house_that_cannot_be_is_said_in_one_line_with_file_and_setting(tmp_path, monkeypatch, command, text, says):
    house = tmp_path / "house.toml"
    if text is not None:
        house.write_text(text)
    if command in ("config", "worker"):
        monkeypatch.setenv("RETALLY_HOUSE", str(house))
        words: tuple[object, ...] = ("config", "show") if command == "config" else ("worker",)
    else:
        log = tmp_path / "none.jsonl"
        words = ("audit", log) if command == "audit" else ("replay", SESSION, "--from", log)
        words = (*words, "--house", house)

    status, _, error = invoke(*words)

    assert status == 2
    assert error.startswith(f"retally: {'house:' if command in ('config', 'worker') else '--house'} {house}: {says}")
    assert error.count("\n") == 1


def test_a_house_that_was_spoilt_since_the_settings_were_read_is_said_as_well(house):
    settings = load(house=house)
    house.write_text("[errors")

    with pytest.raises(ConfigError, match=r"house: .*house.toml: not TOML"):
        settings.watching()
