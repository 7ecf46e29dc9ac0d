"""Whatever somebody types: a command ends with 0, 1 or 2, in one line where it refuses, and never in a traceback."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import pytest
import typer
from typer.testing import CliRunner

from replay.regulations import installed
from streams.commands import app as command_line

DEEP: Final = 5_000
ORIGIN: Final = "casino.example/floor-1"
VKEY: Final = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
"""The example of c2sp.org/signed-note."""
SCENARIO: Final = """
scenario: Red loses on 5
source: "AD-2025 boule V.1"
table: {game: boule, rules: AD-2025, limits: {min: 200}}
events:
  - bet_placed: {bet: "[/b]", seat: 1, wager: red, amount: 1000}
  - bets_closed
  - ball_landed: {number: 5}
  - bet_settled: {bet: "[/b]", paid: 0, returned: 0}
  - round_closed
"""
HOSTILE: Final = (
    *("", " ", "-", "--", "-1", "0", "-0.0", "nan", "inf", "1e400", "1e-99999999", "1/0", "9" * 5000, "²", "٣"),
    *("x" * 10_000, "a\nb", "\t", "\udcff", "é", "\u202egnp", "\x1b[31mred\x1b]0;title\x07", "[/b]", "[bold", "\\"),
    *("%s", "{}", "{0.__class__}", "$__x", "$(id)", "'; DROP TABLE events; --", "*", "?", "~", ".", "..", "../nowhere"),
    *("nowhere/nowhere", "/dev/null", "/dev/zero", "/dev/full", "/proc/self/mem", "/proc/1/mem", "https://[", "://"),
    *("0001-01-01", "9999-12-31", "2026-02-30", "1e9-01-01", "kafka://", "kafka://a:b", "kafka://[", "kafka://:1"),
    *("clickhouse://", "clickhouse://a:b@c:d/e", "clickhouse://[", "clickhouse://127.0.0.1:1/x?secure=1", "file:///x"),
    *("loaded-dice", "loaded-dice:face", "loaded-dice:face=9", "loaded-dice:from=1e99h", "x:y=z,,=", "AD-2025"),
    "boule",
)
FILES: Final[dict[str, bytes]] = {
    "empty": b"",
    "empty.jsonl": b"",
    "empty.jsonl.zst": b"",
    "noise.jsonl.zst": b"\x28\xb5\x2f\xfd\x00\xff\xff\xff",
    "noise": bytes(range(256)) * 20,
    "deep.toml": b"x = " + b"[" * DEEP,
    "keys.toml": b".".join([b"a"] * DEEP) + b" = 1\n",
    "number.toml": b"errors = " + b"9" * 5000 + b"\n",
    "tiny.toml": b'errors = "1e-99999999"\n',
    "deep.yaml": b"a: " + b"[" * DEEP,
    "aliases.yaml": b"a: &a [x]\n" + b"".join(b"b%d: [*a, *a]\n" % n for n in range(50)),
    "deep.phh": b"variant = 'NT'\nactions = " + b"[" * DEEP,
    "text.zip": b"PK\x05\x06" + b"\xff" * 18,
    "\x1b[2Jname.yaml": b"scenario: [",
    "deep.jsonl": b"[" * DEEP + b"\n",
    "key.pem": b"-----BEGIN PRIVATE KEY-----\nnone\n-----END PRIVATE KEY-----\n",
}


GOOD: Final = ("folder", "log.jsonl", "floor.keys", "good.yaml", "floor.log", "house.pem", "roster.txt")
"""What is beside them, and is what it says."""
VALUES: Final = (*HOSTILE, *FILES, *GOOD)
ALL: Final = os.environ.get("RETALLY_FUZZ") == "all"
"""Try every value for every option, which takes a quarter of an hour; else each option gets a share of them, another
one its neighbour, so that each value is tried by several."""
SHARE: Final = 8
CLEAR: Final = re.compile(r"retally: .|.+:\d+: rejected: .|… more lines were rejected").match
"""A line that names what is wrong: one a file, or a line of it."""


class Outcome(NamedTuple):
    """How a command ended."""

    status: object
    out: str
    err: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log, its keys, a store of it, and files that are none of these."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "good.yaml").write_text(SCENARIO)
    (folder / "folder").mkdir()
    log = ["--tables", "1", "--hours", "0.1", "--game", "boule", "--to", str(folder / "log.jsonl")]
    runner = CliRunner()
    assert runner.invoke(command_line.app, ["simulate", *log, "--keys", str(folder / "floor.keys")]).exit_code == 0
    of_floor = [str(folder / "floor.log"), "--origin", ORIGIN, "--key", str(folder / "house.pem")]
    assert runner.invoke(command_line.app, ["evidence", "new-log", *of_floor]).exit_code == 0
    (folder / "roster.txt").write_text("BO01\n")
    return folder


@pytest.fixture
def run(place: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Run ``retally`` as its own process would, in that folder."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Outcome:
        out = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="strict", newline="", write_through=True)
        err = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace", newline="", write_through=True)
        monkeypatch.setattr(sys, "argv", ["retally", *arguments])
        status: object = None
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                command_line.main()
            except SystemExit as ended:
                status = ended.code
        said = [stream.buffer.getvalue().decode() for stream in (out, err)]
        return Outcome(status, *said)

    return run


BASES: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "settle": {"paths": ("good.yaml",)},
    "audit": {"log": ("log.jsonl",)},
    "replay": {"session": ("BO01-2026-11-29",), "source": ("log.jsonl",), "round_number": ("1",)},
    "view": {"where": ("nowhere",)},
    "streaks": {"where": ("nowhere",)},
    "odds": {"rules": ("AD-2025",), "game": ("boule",)},
    "schema": {},
    "simulate": {"to": ("made.jsonl",), "tables": ("1",), "hours": ("0.1",), "game": ("boule",)},
    "worker": {"store": ("clickhouse://[",)},
    "demo": {"to": ("good.yaml",)},
    "rules list": {},
    "rules show": {"rules": ("AD-2025",), "game": ("boule",)},
    "rules check": {"folders": ("folder",)},
    "rules new": {"base": ("AD-2025",), "to": ("made/CLUB-2027",), "game": ("boule",)},
    "evidence export": {"source": ("log.jsonl",), "session": ("BO01-2026-11-29",), "to": ("made.zip",)},
    "evidence verify": {"file": ("text.zip",)},
    "evidence verifier": {"to": ("made.html",)},
    "evidence new-log": {"folder": ("made.log",), "origin": (ORIGIN,), "key": ("made.pem",)},
    "evidence seal": {
        "source": ("log.jsonl",),
        "day": ("2026-11-29",),
        "folder": ("floor.log",),
        "key": ("house.pem",),
        "keys": ("floor.keys",),
        "roster": ("roster.txt",),
        "to": ("made.zip",),
    },
    "evidence cosigned": {"answer": ("noise",), "folder": ("floor.log",)},
    "evidence hand-over": {"folder": ("floor.log",), "to": ("made.zip",)},
    "evidence heads": {"first": ("noise",), "second": ("noise",)},
    "evidence status": {"folder": ("floor.log",)},
    "evidence timestamp-add": {
        "reply": ("noise",),
        "request": ("noise",),
        "certificates": ("noise",),
        "folder": ("floor.log",),
    },
    "evidence timestamp-check": {
        "stamp": ("noise",),
        "head": ("noise",),
        "key": ("noise",),
        "certificates": ("noise",),
    },
    "evidence timestamp-request": {"folder": ("floor.log",), "to": ("made.tsq",)},
    "witness new": {"log": (VKEY,), "name": ("regulator.example",), "key": ("made.pem",), "state": ("made.state",)},
    "witness check": {"hand_over": ("text.zip",), "state": ("noise",), "key": ("house.pem",)},
    "witness status": {"state": ("noise",)},
    "import phh": {"path": ("deep.phh",), "to": ("made.jsonl",)},
    "report nightly": {"store": ("nowhere",), "day": ("2026-11-29",), "to": ("made",)},
    "dashboards build": {"to": ("made",)},
    "dashboards check": {"store": ("nowhere",)},
    "dashboards preview": {"store": ("nowhere",), "to": ("made",)},
    "dashboards push": {"url": ("http://127.0.0.1:1",)},
    "config show": {},
    "keys new": {"to": ("made.pem",)},
    "keys list": {"files": ("floor.keys",)},
    "keys revoke": {"file": ("floor.keys",), "key": ("0" * 16,), "since": ("2026-12-10",)},
}
"""A call of each command that is right, or refused for one thing, so that it is over soon: the values of an option by
its name. What it makes is removed before each call."""
ONLY: Final = {
    ("audit", "into"): re.compile(r"[^:]*://|.*/|.*\n|$|[x\udcff]|.*\.(jsonl|yaml|zip|pem)|floor\.keys|noise|empty"),
    ("demo", "to"): re.compile(r"/dev|/proc|.*\.(jsonl|yaml|zip|pem|phh)|floor\.keys|noise"),
    ("worker", "store"): re.compile(r"[^:]*:"),
}
"""Where nearly any name is good, and what then begins takes long: the values that are refused."""
SLOW: Final = ("dashboards build", "dashboards push")
"""To make the dashboards takes seconds: each option gets a few values."""


def commands(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command, by its words."""
    command = typer.main.get_command(command_line.app) if command is None else command
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(path), command
        return
    for name, each in inner.items():
        yield from commands(each, (*path, name))


COMMANDS: Final = dict(commands())
PARAMETERS: Final = [
    pytest.param(name, parameter.name, id=f"{name} {parameter.name}")
    for name, command in COMMANDS.items()
    for parameter in command.params
    if parameter.name != "help" and not getattr(parameter, "is_flag", False)
]


def words(name: str, given: dict[str, tuple[str, ...]]) -> list[str]:
    """The command line that gives these values."""
    options: list[str] = []
    arguments: list[str] = []
    for parameter in COMMANDS[name].params:
        for value in given.get(parameter.name, ()):
            if parameter.param_type_name == "argument":
                arguments.append(value)
            else:
                options += [parameter.opts[0], value]
    return [*name.split(), *options, "--", *arguments]


def clear(place: Path) -> None:
    """Remove what a call has made."""
    for made in place.iterdir():
        if made.name in FILES or made.name in GOOD:
            continue
        shutil.rmtree(made) if made.is_dir() and not made.is_symlink() else made.unlink()


def test_every_command_has_a_call_here():
    assert set(BASES) == set(COMMANDS)


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_no_value_of_any_option_ends_in_a_traceback(run, place, name, parameter):
    first = crc32(f"{name} {parameter}".encode()) % SHARE
    for value in VALUES if ALL else VALUES[first :: SHARE * (5 if name in SLOW else 1)]:
        if (name, parameter) in ONLY and not ONLY[name, parameter].match(value):
            continue
        clear(place)
        ended = run(*words(name, {**BASES[name], parameter: (value,)}))

        assert ended.status in (0, 1, 2), (value, ended)
        assert "Traceback" not in ended.err, (value, ended)
        assert ended.err.endswith("\n") or not ended.err, (value, ended)
        assert all(CLEAR(line) for line in ended.err.splitlines()), (value, ended)
        assert ended.status != 2 or ended.err or ended.out, (value, ended)
        assert "\x1b]" not in ended.out + ended.err, (value, ended)
        assert "\x1b[2J" not in ended.out + ended.err, (value, ended)


def test_the_packs_are_those_that_are_installed():
    """The base calls name packs, games and sessions that there are."""
    assert "boule" in installed().pack("AD-2025").games
