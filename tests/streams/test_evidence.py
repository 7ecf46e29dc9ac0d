"""Replay and evidence on the command line: what a regulator types, on a log and on a store, and bad input."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from typer.testing import CliRunner

from replay.bundle import verify as verifier
from replay.bundle.note import cosign, read_note
from streams import bundle_files, floor_logs
from streams.commands.app import app
from streams.simulator import games as simulated
from tests.installed import PACKS
from tests.replay.bundle.floors import HOUSE, KEY, REGULATOR, WITNESS_KEY

ROOT = Path(__file__).parent.parent.parent
DAYS = ("2026-11-29", "2026-11-30")

OFFLINE = """
import re, socket, sys
def refused(*_, **__):
    raise AssertionError("the network was asked for")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refused
sys.path.insert(0, sys.argv.pop(1))
from streams.commands.app import main
try:
    main()
finally:
    with open("/proc/self/status") as status:
        peak = re.search(r"VmHWM:\\s+(\\d+) kB", status.read())
    sys.stderr.write(f"peak {peak[1]} KiB\\n")
"""


def invoke(*arguments: object) -> tuple[int, str, str]:
    """Run ``retally`` in this process: (exit status, standard output, standard error)."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


def offline(folder: Path, *arguments: object) -> tuple[int, str, str, int]:
    """The same in a process of its own, in an empty environment, with the network off; its peak memory in KiB last."""
    done = subprocess.run(
        [sys.executable, "-s", "-c", OFFLINE, str(ROOT), *map(str, arguments)],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    error, _, peak = done.stderr.rpartition("peak ")
    return done.returncode, done.stdout, error, int(peak.split()[0])


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two clean nights of a small floor: ``log`` (a folder), ``keys``."""
    folder = tmp_path_factory.mktemp("floor")
    status, _, error = invoke(
        *("simulate", "--tables", 2, "--hours", 0.5, "--days", 2, "--seed", 3, "--game", "boule", "--game", "craps"),
        *("--to", folder / "log", "--keys", folder / "keys"),
    )
    assert status == 0, error
    return folder


@pytest.fixture(scope="module")
def bundle(floor: Path) -> Path:
    """One session of the first night."""
    path = floor / "session.zip"
    status, _, error = invoke(
        *("evidence", "export", "--from", floor / "log", "--keys", floor / "keys"),
        *("--session", f"CR01-{DAYS[0]}", "--to", path),
    )
    assert (status, error) == (0, "")
    return path


def test_a_replay_prints_every_event_of_the_round_with_the_verdicts(floor):
    status, out, _ = invoke("replay", f"CR01-{DAYS[0]}", "--from", floor / "log", "--round", 2)

    assert status == 0
    assert "judged by AD-2025" in out
    assert re.search(r"throws \d-\d", out)
    assert re.search(r"match  bet \S+: due .* EUR, handed over .*game 6", out)
    assert "the round is closed" in out


def test_a_replay_as_json_has_a_line_a_step(floor):
    status, out, _ = invoke("replay", f"CR01-{DAYS[0]}", "--from", floor / "log", "--json")

    told = [json.loads(line) for line in out.splitlines()]
    steps = [each for each in told if each["record"] == "step"]
    assert status == 0
    assert [step["seq"] for step in steps] == list(range(1, len(steps) + 1))
    assert {each["record"] for each in told} <= {"step", "streak"}
    assert json.loads(steps[0]["raw"])["type"] == steps[0]["type"] == "table_opened"


def test_a_replay_under_another_pack_says_what_differs_and_exits_1(floor):
    status, out, _ = invoke("replay", f"CR01-{DAYS[0]}", "--from", floor / "log", "--rules", "MO-1985", "--json")

    differing = [line for line in map(json.loads, out.splitlines()) if line["record"] == "difference"]
    assert status == 1
    assert differing
    assert all(one["here"] is None or one["here"]["rules"] == "AD-2025" for one in differing)
    assert all(one["there"] is None or one["there"]["rules"] == "MO-1985" for one in differing)


def seal(floor: Path, log: Path, day: str, source: Path | None = None) -> tuple[int, str, str]:
    """Seal a night of ``floor`` in a floor's log, with the key of the tests."""
    private, tables = floor / "house.pem", floor / "tables"
    private.write_bytes(HOUSE.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    tables.write_text("BO01\nCR01\n", "ascii")
    return invoke(
        *("evidence", "seal", "--from", source or floor / "log", "--date", day, "--log", log, "--key", private),
        *("--keys", floor / "keys", "--roster", tables, "--to", log.with_name(f"{log.name}-{day}.zip")),
    )


def export(floor: Path, log: Path, to: Path, *what: str, source: Path | None = None) -> tuple[int, str, str]:
    """A bundle of what stands in a floor's log."""
    place = source or floor / "log"
    return invoke("evidence", "export", "--from", place, "--keys", floor / "keys", "--log", log, "--to", to, *what)


def test_a_store_tells_and_proves_what_its_log_does(floor, tmp_path):
    """Replay, bundle and the night in the floor's log are byte for byte the same."""
    store = tmp_path / "store"
    assert invoke("audit", floor / "log", "--into", store)[0] == 0
    session = f"BO01-{DAYS[1]}"
    outcomes: list[Any] = []
    for number, source in enumerate((floor / "log", store)):
        bundle, log = tmp_path / f"{number}.zip", tmp_path / f"{number}.log"
        log.mkdir()
        (log / "log.vkey").write_text(f"{KEY}\n", "utf-8")
        replayed = invoke("replay", session, "--from", source, "--json")
        assert seal(floor, log, DAYS[1], source=source)[0] == 0
        assert export(floor, log, bundle, "--date", DAYS[1], source=source)[0] == 0
        outcomes.append((replayed, bundle.read_bytes(), (log / f"night-{DAYS[1]}.json").read_bytes()))

    assert outcomes[0] == outcomes[1]


def test_a_bundle_is_proven_in_a_clean_process_without_a_network(bundle, tmp_path):
    status, out, error, _ = offline(tmp_path, "evidence", "verify", bundle)

    assert (status, error) == (0, "")
    told = out.splitlines()
    assert [line.split("  ")[0] for line in told[-9:-1]] == [
        *("proven", "proven", "proven", "not asked", "not asked", "proven", "proven", "not asked"),
    ]
    assert told[-1].startswith("what was asked is proven; nobody vouches for: whose keys these are (--keys); ")


def test_a_session_is_proven_part_of_a_night_that_extends_the_one_before(floor, tmp_path):
    """With nothing in hand but the keys of the log and of its witness."""
    log, bundle, night, policy = (tmp_path / name for name in ("log", "session.zip", "night.zip", "policy"))
    log.mkdir()
    (log / "log.vkey").write_text(f"{KEY}\n", "utf-8")
    policy.write_text(f"log {KEY}\nwitness regulator {WITNESS_KEY}\nquorum regulator\n", "utf-8")
    for day in DAYS:
        assert seal(floor, log, day)[0] == 0
    head = read_note(floor_logs.read_log(log).nights[1].head.encode())
    answer = tmp_path / "answer"
    answer.write_text(str(cosign(head.text, WITNESS_KEY.name, REGULATOR, 1_790_000_000)), "utf-8")
    assert export(floor, log, bundle, "--session", f"CR01-{DAYS[1]}")[0] == 0
    told = ("--policy", policy, "--keys", floor / "keys")
    status, out, _ = invoke("evidence", "verify", bundle, *told)
    assert status == 1
    assert "the head is house only, which is not enough under the policy" in out
    assert invoke("evidence", "cosigned", answer, "--log", log, "--policy", policy)[0] == 0
    assert export(floor, log, night, "--date", DAYS[1])[0] == 0
    bundle.unlink()
    assert export(floor, log, bundle, "--session", f"CR01-{DAYS[1]}")[0] == 0

    for one in (bundle, night):
        status, out, _ = invoke("evidence", "verify", one, *told)
        assert status == 0, out
        assert "witnessed by regulator at 2026-09-21 14:13:20 UTC" in out
    assert invoke("evidence", "verify", bundle, "--root", floor_logs.read_log(log).state.root)[0] == 0
    status, out, _ = invoke("evidence", "verify", bundle, "--root", "0" * 64)
    assert status == 1
    assert "another root than the one that you hold" in out
    with zipfile.ZipFile(bundle) as archive:
        assert f"BO01-{DAYS[1]}" not in "".join(archive.read(name).decode() for name in archive.namelist())


def test_a_bundle_of_a_broken_log_is_written_and_said_to_prove_nothing(floor, tmp_path):
    log = tmp_path / "log.jsonl"
    lines = [line for file in sorted((floor / "log").iterdir()) for line in _lines(file) if b"CR01-2026-11-29" in line]
    log.write_bytes(b"".join(line + b"\n" for number, line in enumerate(lines) if number != 40))

    status, out, _ = invoke(
        *("evidence", "export", "--from", log, "--keys", floor / "keys", "--session", f"CR01-{DAYS[0]}"),
        *("--to", tmp_path / "broken.zip"),
    )

    assert status == 1
    assert "event 41 (before line 41): missing" in out
    assert "not the events that the table sealed" in out


def _lines(file: Path) -> list[bytes]:
    from streams import logs

    return [line.text for line in logs.read([file])]


def test_a_night_of_every_game_is_proven_and_told(tmp_path):
    """A table of each: the bundle of the night holds, and the third round of every table can be stepped through."""
    log, keys, path = tmp_path / "log.jsonl", tmp_path / "keys", tmp_path / "night.zip"
    tables = len(simulated.names())
    invoke("simulate", "--tables", tables, "--hours", 0.3, "--seed", 9, "--to", log, "--keys", keys)

    status, out, error = invoke("evidence", "export", "--from", log, "--keys", keys, "--date", DAYS[0], "--to", path)

    assert (status, error) == (0, ""), out
    verified = json.loads(invoke("evidence", "verify", path, "--json")[1])
    assert (verified["holds"], verified["sessions"]) == (True, tables)
    sessions = {json.loads(line)["session"] for line in log.read_bytes().splitlines()}
    for session in sorted(sessions):
        status, out, error = invoke("replay", session, "--from", log, "--round", 3)
        assert (status, error) == (0, ""), session
        assert "the round is closed" in out, session


def test_verify_as_json_names_what_does_not_hold(bundle, tmp_path):
    altered = tmp_path / "altered.zip"
    altered.write_bytes(bundle.read_bytes().replace(b'"verdict":"match"', b'"verdict":"MATCH"', 1))

    status, out, _ = invoke("evidence", "verify", altered, "--json")

    told = json.loads(out)
    assert (status, told["holds"]) == (1, False)
    failed = [one for one in told["statements"] if one["said"] == "FAILED"]
    assert [one["claim"] for one in failed] == ["bytes", "verdicts"]
    places = [problem["place"].split(",")[0] for one in failed for problem in one["problems"]]
    assert places == ["sessions/0001/verdicts.jsonl"] * 2


def test_the_page_of_a_bundle_asks_for_nothing_from_outside(bundle):
    with zipfile.ZipFile(bundle) as archive:
        page = archive.read("index.html").decode()

    assert f"Evidence: session CR01-{DAYS[0]}" in page
    assert not re.search(r"(?i)<script [a-z]|<link|<img|src=|href=|url\(|@import|https?:", page)


HEADER = struct.Struct("<4s5H3I2H")


@pytest.mark.parametrize("kind", ["empty", "no zip", "bomb", "path", "twice", "encrypted", "huge"])
def test_a_hostile_file_gets_one_clear_line_little_memory_and_status_2(kind, tmp_path):
    path = tmp_path / "hostile.zip"
    if kind == "empty":
        path.write_bytes(b"")
    elif kind == "no zip":
        path.write_text("a letter to the regulator")
    elif kind == "bomb":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", b"\0" * 100_000_000)
    elif kind == "path":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("../../.bashrc", "echo")
    elif kind == "twice":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(zipfile.ZipInfo("keys.txt"), "")
            with pytest.warns(UserWarning, match="Duplicate name"):
                archive.writestr(zipfile.ZipInfo("keys.txt"), "")
    elif kind == "encrypted":
        path.write_bytes(HEADER.pack(b"PK\x03\x04", 20, 1, 0, 0, 33, 0, 0, 0, 8, 0) + b"keys.txt")
    else:
        size = 300 << 20
        with path.open("wb") as file:
            name = b"sessions/0001/events.jsonl"
            file.write(HEADER.pack(b"PK\x03\x04", 20, 0, 0, 0, 33, 0, size, size, len(name), 0) + name)
            file.truncate(size + 1000)

    status, out, error, peak_kib = offline(tmp_path, "evidence", "verify", path)

    assert (status, out) == (2, "")
    assert re.fullmatch(r"retally: \S+/hostile\.zip: [^\n]+\n", error), error
    assert peak_kib < 200_000


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["replay", "nobody", "--from", "LOG"], "holds no session nobody"),
        (["replay", "CR01-2026-11-29", "--from", "LOG", "--round", "9999"], "has no round 9999"),
        (["replay", "BO01-2026-11-29", "--from", "LOG", "--rules", "MO-1985"], "MO-1985 has no game boule"),
        (["replay", "BO01-2026-11-29", "--from", "LOG", "--rules", "XX"], "no rule pack XX"),
        (["replay", "s", "--from", "/no/such/log"], "/no/such/log: no such file or folder"),
        (["evidence", "export", "--from", "LOG", "--to", "NEW"], "say either --session S"),
        (["evidence", "export", "--from", "LOG", "--to", "NEW", "--round", "1"], "say either --session S"),
        (
            ["evidence", "export", "--from", "LOG", "--to", "NEW", "--date", "2020-01-01"],
            "holds no session of 2020-01-01",
        ),
        (["evidence", "export", "--from", "LOG", "--to", "KEYS", "--date", "2026-11-29"], "is there already"),
        (
            ["evidence", "export", "--from", "LOG", "--to", "NEW", "--session", "CR01-2026-11-29", "--round", "9999"],
            "has no round 9999",
        ),
        (["evidence", "verify", "/no/such/file.zip"], "/no/such/file.zip: cannot be read"),
        (["evidence", "verify", "LOG"], "cannot be read"),
        (["evidence", "verify", "KEYS", "--root", "abc"], "--root abc: is no root of a head, 64 hexadecimal digits"),
        (["evidence", "verify", "KEYS", "--root", " " + "0" * 63], "is no root of a head"),
        (["evidence", "verify", "KEYS", "--root", "\u0660" * 64], "is no root of a head"),
        (
            ["evidence", "export", "--from", "LOG", "--to", "NEW", "--date", "2026-11-29", "--seal", "KEYS"],
            "no seal of a",
        ),
        (
            ["evidence", "export", "--from", "LOG", "--to", "NEW", "--date", "2026-11-29", "--log", "LOG"],
            "is no floor's log; retally evidence new-log begins one",
        ),
        (
            ["evidence", "export", "--from", "LOG", "--to", "NEW", "--session", "S", "--log", "LOG", "--seal", "KEYS"],
            "say either --log or --seal",
        ),
    ],
)
def test_bad_input_is_one_clear_line_and_status_2(floor, tmp_path, arguments, complaint):
    places = {"LOG": floor / "log", "KEYS": floor / "keys", "NEW": tmp_path / "new.zip"}

    status, _, error = invoke(*(places.get(argument, argument) for argument in arguments))

    assert status == 2
    assert complaint in error
    assert error.count("\n") == 1
    assert not (tmp_path / "new.zip").exists()


def test_what_the_verifier_says_is_a_table_and_a_last_line(floor, bundle, tmp_path):
    altered = tmp_path / "altered.zip"
    altered.write_bytes(bundle.read_bytes().replace(b'"verdict":"match"', b'"verdict":"MATCH"', 1))

    status, out, _ = invoke("evidence", "verify", bundle, "--keys", floor / "keys")
    assert status == 0
    assert re.search(r"(?m)^proven {5}they are by keys that you trust \(\d+ seals by [0-9a-f]{16}\)$", out)
    assert re.search(r"(?m)^not asked {2}the sessions stand under the head that you were given \(they stand under", out)
    assert out.splitlines()[-1].startswith("what was asked is proven; nobody vouches for: ")
    status, out, _ = invoke("evidence", "verify", altered, "--keys", floor / "keys")
    assert status == 1
    assert re.search(r"(?m)^FAILED {5}the verdicts follow .*\n +sessions/0001/verdicts.jsonl, line \d+: ", out)
    assert out.splitlines()[-1] == "NOT PROVEN: bytes, verdicts"


@pytest.mark.parametrize("large", [False, True], ids=["in memory", "on the disk"])
def test_a_file_that_is_cut_short_while_it_is_verified_ends_nothing(bundle, tmp_path, monkeypatch, large):
    """He has the file open, and cuts it when the verifier has begun: what is verified is a copy."""
    path = tmp_path / "cut.zip"
    path.write_bytes(bundle.read_bytes())
    if large:
        monkeypatch.setattr(bundle_files, "MAX_IN_MEMORY", 100)
    whole = verifier.verify

    def cut(content: memoryview, **given: Any) -> verifier.Verified:
        os.truncate(path, 100)
        return whole(content, **given)

    monkeypatch.setattr(verifier, "verify", cut)
    assert bundle_files.verify(path, packs=PACKS).holds
    assert path.stat().st_size == 100


def test_a_file_that_is_cut_short_while_it_is_copied_gets_one_clear_line(bundle, tmp_path, monkeypatch):
    path = tmp_path / "cut.zip"
    path.write_bytes(bundle.read_bytes()[:-1])
    size = bundle.stat().st_size
    told = os.fstat

    def longer(number: int) -> os.stat_result:
        found = told(number)
        return os.stat_result((*found[:6], size, *found[7:10]))

    monkeypatch.setattr(os, "fstat", longer)
    with pytest.raises(bundle_files.ExportError, match="was cut short while it was read"):
        bundle_files.verify(path, packs=PACKS)


def test_a_fault_of_the_verifiers_own_is_not_told_as_one_of_the_file(bundle, monkeypatch):
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("a bug within the verifier")

    monkeypatch.setattr(verifier, "verify", broken)
    status, out, error = invoke("evidence", "verify", bundle)

    assert (status, out) == (2, "")
    assert error == (
        f"retally: {bundle}: retally itself failed while it verified this (ValueError); please report it\n"
    )
