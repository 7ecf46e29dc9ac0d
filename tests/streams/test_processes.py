"""``retally`` as a process among others: what is sent to it, who reads it, and what befalls the processes it starts."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

RETALLY: Final = (sys.executable, "-m", "streams.commands")
PATIENCE_S: Final = 60
SCENARIO: Final = """
scenario: High wins on 7
source: AD-2025 boule V.1
table: {game: boule, rules: AD-2025, limits: {min: 200}}
events:
  - bet_placed: {bet: h, seat: 1, wager: high, amount: 1000}
  - bets_closed
  - ball_landed: {number: 7}
  - bet_settled: {bet: h, paid: 1000, returned: 1000}
  - round_closed
expect:
  settlements:
    h: {paid: 1000, returned: 1000}
  findings: []
"""


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An honest night of boule at three tables, longer than what one block of the audit takes."""
    log = tmp_path_factory.mktemp("night") / "night.jsonl"
    simulated = ["simulate", "--tables", "3", "--hours", "2", "--seed", "7", "--game", "boule", "--to", str(log)]
    subprocess.run([*RETALLY, *simulated], check=True, timeout=PATIENCE_S, capture_output=True)
    return log


def children(pid: int) -> list[int]:
    """The processes that this one has started, but for the one that only tracks resources."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
            found.append(int(child))
    return found


def when(what: Callable[[], bool]) -> None:
    """Wait until it is so."""
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end, "it has never come to it"
        time.sleep(0.01)


@pytest.fixture
def endless(night: Path, tmp_path: Path) -> Path:
    """A log that keeps an audit busy for longer than any test waits."""
    log = tmp_path / "endless.jsonl"
    lines = night.read_bytes()
    log.write_bytes(lines * max(1, 150_000_000 // len(lines)))
    return log


def started(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*RETALLY, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # as a shell starts it in front
    )


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes by /proc, which only Linux has")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_an_audit_one_of_whose_workers_dies_names_it_and_ends(endless, how):
    audit = started("audit", endless, "--workers", 2)
    when(lambda: len(children(audit.pid)) == 2)

    os.kill(children(audit.pid)[1], how)
    _, error = audit.communicate(timeout=PATIENCE_S)

    assert audit.returncode == 2
    assert error.splitlines()[-1].endswith(f"worker 2 of 2 was ended by {how.name} before its share was done")
    assert "Traceback" not in error


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes by /proc, which only Linux has")
@pytest.mark.parametrize("workers", [1, 2])
def test_an_audit_that_is_interrupted_says_so_and_leaves_no_process(endless, workers):
    audit = started("audit", endless, "--workers", workers)
    if workers > 1:
        when(lambda: len(children(audit.pid)) == workers)
    else:
        when(lambda: has_open(audit.pid, endless))
    of_it = children(audit.pid)

    os.killpg(audit.pid, signal.SIGINT)  # as a terminal does: every process of the command gets it
    _, error = audit.communicate(timeout=PATIENCE_S)

    assert (audit.returncode, error.splitlines()[-1:]) == (2, ["retally: interrupted"])
    assert "Traceback" not in error
    assert not [pid for pid in of_it if Path(f"/proc/{pid}").exists()]


def has_open(pid: int, file: Path) -> bool:
    folder = Path(f"/proc/{pid}/fd")
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):  # closed since
            if os.readlink(folder / name) == str(file):
                return True
    return False


@pytest.mark.parametrize("workers", [1, 2])
def test_a_log_on_standard_input_is_audited_as_its_file_is(night, workers):
    def said(log: object, **how: object) -> tuple[int, list[str]]:
        command = [*RETALLY, "audit", str(log), "--json", "--workers", str(workers)]
        done = subprocess.run(command, timeout=PATIENCE_S, capture_output=True, text=True, **how)  # type: ignore[call-overload]
        return done.returncode, sorted(done.stdout.splitlines())

    of_file = said(night)

    with night.open("rb") as file:
        assert said("-", stdin=file) == of_file
    with subprocess.Popen(["cat", str(night)], stdout=subprocess.PIPE) as cat:
        assert said("-", stdin=cat.stdout) == of_file
    assert of_file[0] == 0
    assert len(of_file[1]) > 100


@pytest.mark.parametrize("workers", [1, 2])
def test_a_reader_that_has_enough_ends_a_command_without_a_word(night, workers):
    """As ``retally audit … | head -1``. The status says neither that it is clean nor that something was found."""
    audit = started("audit", night, "--json", "--workers", workers)
    assert audit.stdout is not None
    assert audit.stderr is not None
    assert json.loads(audit.stdout.readline())
    audit.stdout.close()

    assert audit.wait(PATIENCE_S) == 128 + signal.SIGPIPE
    assert audit.stderr.read() == ""
    audit.stderr.close()


def test_nobody_reads_what_a_short_command_prints():
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run([*RETALLY, "rules", "list"], stdout=writing, stderr=subprocess.PIPE, timeout=PATIENCE_S)

    os.close(writing)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_a_scenario_that_cannot_be_used_stops_no_other(tmp_path):
    """Whatever it lacks: each is named in a line, the rest is settled, and the status says that there was one."""
    good = ("a.yaml", "z.yaml")
    wrong = {
        "deep.yaml": b"a: " + b"[" * 5000,
        "empty.yaml": b"",
        "latin.yaml": "scenario: é".encode("latin-1"),
        "no_game.yaml": SCENARIO.replace("game: boule", "game: nowhere").encode(),
        "no_pack.yaml": SCENARIO.replace("AD-2025, limits", "AD-1900, limits").encode(),
        "text.yaml": b"no scenario",
    }
    for name in good:
        (tmp_path / name).write_text(SCENARIO)
    for name, content in wrong.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.yaml").mkdir()

    done = subprocess.run([*RETALLY, "settle", str(tmp_path)], timeout=PATIENCE_S, capture_output=True, text=True)
    as_json = subprocess.run(
        [*RETALLY, "settle", str(tmp_path), "--json"], timeout=PATIENCE_S, capture_output=True, text=True
    )

    assert (done.returncode, as_json.returncode) == (2, 2)
    assert "2 scenarios: 2 met, 0 not met" in done.stdout
    named = [line for line in done.stderr.splitlines() if line.startswith("retally: ")]
    assert len(named) == len(done.stderr.splitlines()) == len(wrong)
    assert all(any(name in line for line in named) for name in wrong)
    results = json.loads(as_json.stdout)
    assert {Path(one["file"]).name for one in results if "unusable" in one} == set(wrong)
    assert {Path(one["file"]).name for one in results if "unusable" not in one} == set(good)
