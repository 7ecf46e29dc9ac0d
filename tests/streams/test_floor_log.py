"""The floor's log on the command line: a house that seals its nights, a regulator who checks and signs them."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import zstandard
from typer.testing import CliRunner

from replay.bundle import note
from replay.bundle.leaves import Late, Session, read
from streams import floor_logs, witnessing
from streams.commands.app import app
from tests.replay import logs
from tests.replay.bundle.floors import KEY, ORIGIN

ROOT: Final = Path(__file__).parent.parent.parent
DAYS: Final = ("2026-11-29", "2026-11-30")


def invoke(*arguments: object) -> tuple[int, str, str]:
    """Run ``retally`` in this process: (exit status, standard output, standard error)."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two clean nights of a small floor: ``log`` (a folder), ``keys``, and ``tables``, its roster."""
    folder = tmp_path_factory.mktemp("nights")
    status, _, error = invoke(
        *("simulate", "--tables", 2, "--hours", 0.1, "--days", 2, "--seed", 3, "--game", "boule", "--game", "craps"),
        *("--to", folder / "log", "--keys", folder / "keys"),
    )
    assert status == 0, error
    (folder / "tables").write_text("CR01\nBO01\n", "ascii")
    return folder


class Floor:
    """A house with its log, and a regulator, in one folder."""

    def __init__(self, folder: Path, nights: Path) -> None:
        self.folder, self.nights = folder, nights
        self.log, self.key, self.state, self.pem = (folder / name for name in ("log", "key", "state", "witness"))
        self.vkey = invoke("evidence", "new-log", self.log, "--origin", ORIGIN, "--key", self.key)[1].strip()
        arguments = ("--log", self.vkey, "--name", "regulator.example/w1", "--key", self.pem, "--state", self.state)
        self.witness = invoke("witness", "new", *arguments)[1].strip()
        self.policy = folder / "policy"
        self.policy.write_text(f"log {self.vkey}\nwitness regulator {self.witness}\nquorum regulator\n", "utf-8")

    def seal(self, day: str, *more: object, source: Path | None = None, to: str = "") -> tuple[int, str, str]:
        roster = () if "--roster" in more else ("--roster", self.nights / "tables")
        return invoke(
            *("evidence", "seal", "--from", source or self.nights / "log", "--date", day, "--log", self.log),
            *(
                "--key",
                self.key,
                "--keys",
                self.nights / "keys",
                *roster,
                "--to",
                self.folder / (to or f"{day}.zip"),
                *more,
            ),
        )

    def check(self, name: str, *more: object) -> tuple[int, str, str]:
        return invoke("witness", "check", self.folder / name, "--state", self.state, "--key", self.pem, *more)

    def cosigned(self, answer: Path, *more: object) -> tuple[int, str, str]:
        return invoke("evidence", "cosigned", answer, "--log", self.log, "--policy", self.policy, *more)

    def leaves(self, day: str) -> list[Any]:
        night = floor_logs.read_log(self.log).nights_from(day)[0]
        return [read(leaf) for leaf in night.leaves]


@pytest.fixture
def floor(tmp_path: Path, nights: Path) -> Floor:
    return Floor(tmp_path, nights)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, nights: Path) -> Floor:
    """Both nights sealed, checked and signed."""
    floor = Floor(tmp_path_factory.mktemp("done"), nights)
    for day in DAYS:
        assert floor.seal(day)[0] == 0
        assert floor.check(f"{day}.zip", "--to", floor.folder / f"{day}.answer")[0] == 0
        assert floor.cosigned(floor.folder / f"{day}.answer")[0] == 0
    return floor


def lines_of(folder: Path) -> list[bytes]:
    """All lines of a compressed log, as the library of zstd reads it."""
    found: list[bytes] = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            found += zstandard.ZstdDecompressor().stream_reader(file).read().splitlines()
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# A night, sealed, checked and signed


def test_a_night_is_sealed_checked_and_witnessed(done):
    status, out, _ = invoke("evidence", "status", "--log", done.log, "--policy", done.policy, "--json")
    told = json.loads(out)

    assert status == 0
    assert told["date"] == DAYS[1]
    assert [one["name"] for one in told["witnessed"]] == ["regulator"]
    assert [type(leaf).__name__ for leaf in done.leaves(DAYS[0])] == ["KeyChange", "Session", "Session", "Night"]
    assert [type(leaf).__name__ for leaf in done.leaves(DAYS[1])] == ["Session", "Session", "Night"]


def test_the_nights_report_tells_of_heads_that_no_witness_has_signed(nights, floor, tmp_path):
    """The head of the night of the report itself is signed after it: its report stands under it."""
    store, reports = tmp_path / "store", tmp_path / "reports"
    assert invoke("audit", nights / "log", "--keys", nights / "keys", "--into", store)[0] == 0
    report = ("report", "nightly", "--store", store, "--date", DAYS[1], "--to", reports, "--json")
    asked = (*report, "--log", floor.log, "--policy", floor.policy)
    before = invoke(*report)
    assert json.loads(before[1])["heads"] is None
    assert (before[0], invoke(*report, "--log", floor.log)[0]) == (0, 2)

    assert floor.seal(DAYS[0])[0] == 0
    status, out, _ = invoke(*asked)
    assert status == 1
    assert json.loads(out)["heads"] == {
        "last": DAYS[0],
        "not_witnessed": [
            {
                "code": "head_not_witnessed",
                "day": DAYS[0],
                "stands": "house only, which is not enough under the policy",
            }
        ],
    }
    page = (reports / f"nightly-{DAYS[1]}.html").read_text("utf-8")
    assert "witnesses who have not signed the heads of these nights: 29 November 2026" in page

    assert floor.check(f"{DAYS[0]}.zip", "--to", floor.folder / "answer")[0] == 0
    assert floor.cosigned(floor.folder / "answer")[0] == 0
    assert floor.seal(DAYS[1])[0] == 0
    status, out, _ = invoke(*asked)
    assert (status, json.loads(out)["heads"]["not_witnessed"]) == (0, [])
    page = (reports / f"nightly-{DAYS[1]}.html").read_text("utf-8")
    assert "up to the night of 29 November 2026" in page


def test_a_night_that_nobody_has_witnessed_says_so(floor):
    floor.seal(DAYS[0])
    status, out, _ = invoke("evidence", "status", "--log", floor.log, "--policy", floor.policy)

    assert status == 1
    assert out.splitlines()[-1] == "house only, which is not enough under the policy"
    assert invoke("evidence", "status", "--log", floor.log)[0] == 0


def test_the_leaves_are_of_what_the_log_holds_byte_for_byte(done, nights):
    lines = lines_of(nights / "log")
    for day in DAYS:
        for leaf in done.leaves(day):
            if isinstance(leaf, Session):
                own = [line for line in lines if json.loads(line)["session"] == leaf.session]
                own.sort(key=lambda line: json.loads(line)["seq"])
                digest = hashlib.sha256(b"".join(line + b"\n" for line in own)).hexdigest()
                assert (leaf.content, leaf.events, leaf.last) == (digest, len(own), len(own))
                assert (leaf.chain, leaf.state) == (json.loads(own[-1])["chain"], "whole")


def test_a_store_seals_what_its_log_does(floor, nights, tmp_path):
    assert invoke("audit", nights / "log", "--into", tmp_path / "store")[0] == 0
    assert floor.seal(DAYS[0])[0] == 0
    night = (floor.log / f"night-{DAYS[0]}.json").read_bytes()
    (floor.log / f"night-{DAYS[0]}.json").unlink()
    assert floor.seal(DAYS[0], source=tmp_path / "store", to="again.zip")[0] == 0

    assert (floor.log / f"night-{DAYS[0]}.json").read_bytes() == night
    assert (floor.folder / "again.zip").read_bytes() == (floor.folder / f"{DAYS[0]}.zip").read_bytes()


def test_a_hand_over_is_a_folder_or_a_zip_and_can_be_written_anew(floor):
    report = floor.folder / "report.html"
    report.write_bytes(b"<html>")
    floor.seal(DAYS[0], "--report", report, to="folder")
    anew = ("evidence", "hand-over", "--log", floor.log, "--to")
    assert invoke(*anew, floor.folder / "anew.zip", "--report", report)[0] == 0
    assert invoke(*anew, floor.folder / "other.zip")[0] == 2

    assert sorted(files(floor.folder / "folder")) == ["add-checkpoint", "entries", "report", "roster"]
    assert floor_logs.read_hand_over(floor.folder / "anew.zip") == floor_logs.read_hand_over(floor.folder / "folder")
    assert files(floor.folder / "folder")["roster"] == b"BO01\nCR01\n"
    assert floor.check("folder")[0] == floor.check("anew.zip")[0] == 0


def test_the_answer_goes_to_standard_output_and_nothing_else_does(floor):
    floor.seal(DAYS[0])
    status, out, error = floor.check(f"{DAYS[0]}.zip")

    assert status == 0
    assert [line.name for line in note.read_signatures(out.encode())] == ["regulator.example/w1"]
    assert f"signed: the night of {DAYS[0]}" in error


# What the house must say, and what is never dropped


def test_every_table_of_the_roster_is_told_of(floor):
    roster = floor.folder / "roster"
    roster.write_text("BO01\nCR01\nCR07\nPB = 1\n", "ascii")
    status, _, error = floor.seal(DAYS[0], "--roster", roster)
    assert status == 2
    assert "nothing is said of table 'CR07' and 1 more tables in the night of 2026-11-29" in error
    assert files(floor.log).keys() == {"log.vkey"}
    assert not (floor.folder / f"{DAYS[0]}.zip").exists()

    more = ("--closed", "CR07=under repair", "--absent", "PB = 1=the gateway is down")
    assert floor.seal(DAYS[0], "--roster", roster, *more)[0] == 0
    status, out, _ = floor.check(f"{DAYS[0]}.zip", "--roster", roster, "--to", floor.folder / "answer")
    assert (status, out.splitlines()[0]) == (
        0,
        "table PB = 1: the session of 2026-11-29 is to come: the gateway is down",
    )
    assert (
        "table PB = 1: its session of 2026-11-29 is still to come"
        in invoke("evidence", "status", "--log", floor.log)[1]
    )
    assert invoke("witness", "status", "--state", floor.state)[1].count("is still to come") == 1


@pytest.mark.parametrize("text", ["CR01", "=x", "CR99=x", "CR01=", "CR01= "])
def test_what_is_said_of_a_table_names_one_and_a_reason(floor, text):
    status, _, error = floor.seal(DAYS[0], "--closed", text)

    assert status == 2
    assert "not a table of the roster, an equals sign and a reason" in error


def test_a_roster_may_come_from_another_system_but_names_no_table_in_two_ways(tmp_path):
    path = tmp_path / "tables"
    path.write_bytes(b"CR01\r\nBO01\r\n\r\n")
    assert floor_logs.read_roster_file(path) == ("BO01", "CR01")
    for content in (b"", b"BO01\nBO01\n", "BO01\u2028CR01\n".encode(), b"BO01\x0cCR01\n", b"-\n", b"\xff\n"):
        path.write_bytes(content)
        with pytest.raises(floor_logs.FloorLogError, match="tables: "):
            floor_logs.read_roster_file(path)


def test_a_key_is_given_as_such_or_as_a_file_whatever_its_name(tmp_path):
    path = tmp_path / "a+b.vkey"
    path.write_text(f"{KEY}\n", "utf-8")

    assert floor_logs.key_from(str(KEY), note.LOG) == floor_logs.key_from(str(path), note.LOG) == KEY


def one_session(folder: Path, lines: list[bytes]) -> tuple[Path, Path, Path]:
    """A log of one session, its keys and its roster."""
    log, keys, tables = folder / "one.jsonl", folder / "one.keys", folder / "one.tables"
    log.write_bytes(b"".join(line + b"\n" for line in lines))
    keys.write_text("".join(f"{name} {bytes(key).hex()}\n" for name, key in logs.KEYS.items()), "ascii")
    tables.write_text("BO01\n", "ascii")
    return log, keys, tables


def seal_one(floor: Floor, lines: list[bytes], day: str = DAYS[0], to: str = "") -> tuple[int, str, str]:
    log, keys, tables = one_session(floor.folder, lines)
    return invoke(
        *("evidence", "seal", "--from", log, "--date", day, "--log", floor.log, "--key", floor.key),
        *("--keys", keys, "--roster", tables, "--to", floor.folder / (to or f"{day}.zip")),
    )


LINES: Final = logs.boule([logs.Coup(7, [logs.Stake("red")])]).lines


def test_a_session_without_a_seal_is_sealed_as_it_is_and_said(floor):
    status, out, _ = seal_one(floor, logs.boule([logs.Coup(7, [])], sealed=False).lines)

    assert status == 1
    assert out.splitlines()[0] == "session BO01-2026-11-29: sealed as unsealed: it bears no seal"
    assert floor.leaves(DAYS[0])[0].state == "unsealed"


def test_a_session_whose_seal_is_broken_is_sealed_as_it_is_and_said(floor):
    status, out, _ = seal_one(floor, [line.replace(b'"amount":1000', b'"amount":9000') for line in LINES])

    assert status == 1
    assert out.startswith("session BO01-2026-11-29: sealed as broken: ")


@pytest.mark.parametrize(
    "line",
    [
        b'{"session":"BO01-2026-11-29","seq":0,"at":"2026-11-01T00:00:00Z"}',
        b'{"session":"BO01-2026-11-29","seq":1,"type":"table_opened","gaming_day":"2026-11-01","at":"2026-11-01T00:00:00Z"}',
        b'{"session":"BO01-2026-11-29","seq":999999,"type":"checkpoint","chain":"%s"}' % (b"ab" * 32),
        b'{"session":"BO01-2026-11-29","type":"checkpoint","chain":"%s","seq":99999999}' % (b"ab" * 32),
    ],
)
def test_no_line_that_cannot_be_decoded_hides_a_session_or_chooses_its_leaf(floor, nights, tmp_path, line):
    """Whoever can append a line to a log, before or after the others, changes nothing of what is sealed."""
    (tmp_path / "honest").mkdir()
    honest = Floor(tmp_path / "honest", nights)
    seal_one(honest, LINES)
    assert seal_one(floor, [line, *LINES, line])[0] == 0

    assert [leaf for leaf in floor.leaves(DAYS[0]) if isinstance(leaf, Session)] == [
        leaf for leaf in honest.leaves(DAYS[0]) if isinstance(leaf, Session)
    ]


def test_a_session_of_which_no_event_can_be_read_is_said(floor):
    status, out, _ = seal_one(floor, [*LINES, b'{"session":"BO02-2026-11-29","seq":1}'])

    assert status == 1
    assert out.splitlines()[0] == "session BO02-2026-11-29: is in no night: no event of it can be read"


def test_a_night_is_sealed_once(floor):
    floor.seal(DAYS[0])
    before = files(floor.log)
    for more in (DAYS[0], "2026-11-28"):
        status, _, error = floor.seal(more, to="again.zip")
        assert status == 2
        assert "the night of 2026-11-29 is sealed; none is opened again" in error
    assert files(floor.log) == before


def test_a_drop_that_is_counted_after_the_sealing_comes_late_in_the_next_night(floor):
    """The session of the night before is told once more, and that what was sealed is its beginning."""
    assert seal_one(floor, LINES[:-2])[0] == 0
    second = [line.replace(b"2026-11-29", b"2026-11-30") for line in logs.boule([], sealed=False).lines]
    status, out, _ = seal_one(floor, [*LINES, *second], DAYS[1])
    late = [leaf for leaf in floor.leaves(DAYS[1]) if isinstance(leaf, Late)]

    assert status == 1  # the second night's own session bears no seal
    assert "BO01-2026-11-30" in out
    assert [(leaf.session, leaf.how, leaf.instead_of, leaf.events) for leaf in late] == [
        ("BO01-2026-11-29", "longer", "1", len(LINES))
    ]
    assert floor.check(f"{DAYS[0]}.zip")[0] == floor.check(f"{DAYS[1]}.zip")[0] == 0


def test_a_session_that_is_no_longer_what_was_sealed_is_said(floor):
    assert seal_one(floor, LINES)[0] == 0
    other = logs.boule([logs.Coup(2, [logs.Stake("black")]), logs.Coup(3, [])]).lines
    second = [line.replace(b"2026-11-29", b"2026-11-30") for line in logs.boule([], sealed=False).lines]
    status, out, _ = seal_one(floor, [*other, *second], DAYS[1])

    assert status == 1
    assert "session BO01-2026-11-29: is no longer what was sealed as number 1" in out


def test_sessions_of_days_before_the_logs_first_night_are_in_no_log(floor):
    assert floor.seal(DAYS[1])[0] == 0

    assert {leaf.date for leaf in floor.leaves(DAYS[1]) if isinstance(leaf, Session)} == {DAYS[1]}


# What the regulator is not to be told


def test_a_night_that_was_not_handed_over_is_an_alarm_that_keeps_both_notes(floor):
    floor.seal(DAYS[0])
    floor.check(f"{DAYS[0]}.zip")
    before = floor.state.read_bytes()
    again = floor_logs.read_log(floor.log)
    (floor.log / f"night-{DAYS[0]}.json").unlink()
    floor.seal(DAYS[0], "--closed", "BO01=closed", source=only(floor, "CR01"), to="split.zip")
    status, out, _ = floor.check("split.zip")
    kept = files(floor.folder / "state.alarms")
    [folder] = {name.split("/")[0] for name in kept}

    assert status == 1
    assert out.startswith("ALARM (split_view): two heads of 4 leaves")
    assert floor.state.read_bytes() == before
    assert kept[f"{folder}/accepted.checkpoint"].decode() == again.nights[0].head
    assert kept[f"{folder}/handed-over.checkpoint"].decode() == floor_logs.read_log(floor.log).nights[0].head
    assert sorted(name.split("/")[1] for name in kept) == [
        *("accepted.checkpoint", "add-checkpoint", "alarm", "entries", "handed-over.checkpoint", "roster")
    ]
    floor.check("split.zip")
    assert files(floor.folder / "state.alarms") == kept
    assert json.loads(floor.check("split.zip", "--json")[1])["alarm"] == "split_view"


def only(floor: Floor, table: str) -> Path:
    """The log of one table alone."""
    found = floor.folder / "only.jsonl"
    lines = [line for line in lines_of(floor.nights / "log") if json.loads(line)["table"] == table]
    found.write_bytes(b"".join(line + b"\n" for line in lines))
    return found


def test_two_heads_of_one_log_that_cannot_both_be_are_found_and_printed(floor, done):
    one, two = floor.folder / "one", floor.folder / "two"
    floor.seal(DAYS[0])
    one.write_text(floor_logs.read_log(floor.log).nights[0].head, "utf-8")
    (floor.log / f"night-{DAYS[0]}.json").unlink()
    floor.seal(DAYS[0], "--closed", "BO01=closed", source=only(floor, "CR01"), to="split.zip")
    two.write_text(floor_logs.read_log(floor.log).nights[0].head, "utf-8")
    status, out, _ = invoke("evidence", "heads", one, two, "--key", floor.vkey)

    assert status == 1
    assert (
        out
        == one.read_text("utf-8") + two.read_text("utf-8") + "a split view: two heads that cannot both be of one log\n"
    )
    for day, path in zip(DAYS, (one, two), strict=True):
        path.write_text(floor_logs.read_log(done.log).nights_from(day)[0].head, "utf-8")
    assert invoke("evidence", "heads", one, one, "--key", done.vkey)[:2] == (0, "the same head\n")
    assert invoke("evidence", "heads", one, two, "--log", done.log)[:2] == (
        0,
        "the larger is proven to extend the smaller\n",
    )
    assert invoke("evidence", "heads", one, two, "--key", done.vkey)[1] == (
        "whether the larger extends the smaller is not proven\n"
    )
    assert invoke("evidence", "heads", one, two, "--key", floor.vkey)[0] == 2
    assert invoke("evidence", "heads", one, two)[0] == 2


def test_a_head_that_stands_still_is_an_alarm(floor):
    floor.seal(DAYS[0])
    assert floor.check(f"{DAYS[0]}.zip")[0] == 0
    status, out, _ = floor.check(f"{DAYS[0]}.zip", "--date", DAYS[1])
    assert (status, out.splitlines()[0]) == (
        1,
        "ALARM (another_date): the head of 2026-11-29 was handed over again; 2026-11-30 is expected",
    )
    status, out, _ = invoke("witness", "status", "--state", floor.state, "--date", DAYS[1])
    assert (status, out.splitlines()[-1]) == (1, "ALARM (overdue): the night of 2026-11-30 has not been accepted")
    assert invoke("witness", "status", "--state", floor.state, "--date", DAYS[0])[0] == 0


def test_a_night_that_has_not_been_yet_is_an_alarm(floor, tmp_path):
    lines = [line.replace(b"2026-11-29", b"2099-11-29") for line in logs.boule([], sealed=False).lines]
    seal_one(floor, lines, "2099-11-29")

    assert floor.check("2099-11-29.zip")[1].startswith("ALARM (future)")


@pytest.mark.parametrize("length", [0, 1, 100, 1000])
def test_a_memory_that_is_empty_or_cut_off_is_never_begun_anew_in_silence(floor, length):
    floor.seal(DAYS[0])
    floor.check(f"{DAYS[0]}.zip")
    floor.state.write_bytes(floor.state.read_bytes()[:length])
    status, _, error = floor.check(f"{DAYS[0]}.zip")

    assert status == 2
    assert error.startswith(f"retally: {floor.state}: is")
    floor.state.unlink()
    assert floor.check(f"{DAYS[0]}.zip")[0] == 2
    assert not floor.state.exists()


def test_a_hand_over_that_is_none_is_refused_in_one_line(floor):
    floor.seal(DAYS[0], to="folder")
    good = files(floor.folder / "folder")
    for name, content in (
        ("add-checkpoint", b""),
        ("add-checkpoint", good["add-checkpoint"].replace(b"old 0", b"old +0")),
        ("add-checkpoint", good["add-checkpoint"][:-1]),
        ("roster", None),
        ("entries", None),
    ):
        path = floor.folder / "folder" / name
        path.unlink() if content is None else path.write_bytes(content)
        status, out, error = floor.check("folder")
        assert (status, out) == (2, "")
        assert error.count("\n") == 1
        path.write_bytes(good[name])
    (floor.folder / "empty.zip").write_bytes(b"")
    assert floor.check("empty.zip")[0] == floor.check("nothing.zip")[0] == 2
    assert floor.check("folder")[0] == 0


def test_nobody_but_the_witness_signs_with_his_memory(floor):
    floor.seal(DAYS[0])
    status, _, error = invoke(
        "witness", "check", floor.folder / f"{DAYS[0]}.zip", "--state", floor.state, "--key", floor.key
    )

    assert status == 2
    assert "this is not the key of regulator.example/w1, whose memory this is" in error


# What the house is not to be told


def test_an_answer_that_is_not_the_witnesses_is_not_added(floor, done, tmp_path):
    """A foreign signature, a wrong one, that of another night, and what is none at all."""
    floor.seal(DAYS[0])
    floor.check(f"{DAYS[0]}.zip", "--to", floor.folder / "answer")
    good = (floor.folder / "answer").read_bytes()
    before = files(floor.log)
    head = floor_logs.read_log(floor.log).nights[0].head
    other = floor.folder / "other"
    for content in (
        (done.folder / f"{DAYS[0]}.answer").read_bytes(),
        good.replace(b"w1", b"w2"),
        good[:40] + (b"A" if good[40:41] != b"A" else b"B") + good[41:],
        head.split("\n\n")[1].encode(),
        good + good,
        good[:-1],
        b"",
        b"OK",
    ):
        other.write_bytes(content)
        status, _, error = floor.cosigned(other)
        assert status == 2, content
        assert error.count("\n") == 1
        assert files(floor.log) == before
    assert floor.cosigned(floor.folder / "answer")[0] == 0


def test_a_signature_of_a_time_that_has_not_been_yet_is_not_added(floor):
    from streams.keys import read_private_key

    floor.seal(DAYS[0])
    text = note.read_note(floor_logs.read_log(floor.log).nights[0].head.encode()).text
    answer = floor.folder / "answer"
    answer.write_text(
        str(note.cosign(text, "regulator.example/w1", read_private_key(floor.pem), 4_000_000_000)), "utf-8"
    )

    assert "which has not been yet" in floor.cosigned(answer)[2]


def test_an_older_signature_does_not_take_the_place_of_a_newer_one(floor):
    from streams.keys import read_private_key

    floor.seal(DAYS[0])
    text = note.read_note(floor_logs.read_log(floor.log).nights[0].head.encode()).text
    private, answer = read_private_key(floor.pem), floor.folder / "answer"
    for time, status in ((1_700_000_000, 0), (1_700_000_060, 0), (1_700_000_000, 2)):
        answer.write_text(str(note.cosign(text, "regulator.example/w1", private, time)), "utf-8")
        assert floor.cosigned(answer)[0] == status
    status, out, _ = invoke("evidence", "status", "--log", floor.log, "--policy", floor.policy)
    assert (status, out.splitlines()[-1]) == (0, "witnessed by regulator at 2023-11-14 22:14:20 UTC")


def test_a_log_that_was_altered_seals_nothing(floor):
    floor.seal(DAYS[0])
    path = floor.log / f"night-{DAYS[0]}.json"
    good = path.read_bytes()
    for other in (
        good.replace(b"state whole", b"state broken", 1),
        good[: len(good) // 2],
        b"",
        good.replace(b"BO01", b"BO02", 1),
    ):
        path.write_bytes(other)
        status, _, error = floor.seal(DAYS[1])
        assert status == 2
        assert error.startswith(f"retally: {path}: ")
    path.write_bytes(good)
    path.rename(floor.log / "night-2026-11-28.json")
    assert floor.seal(DAYS[1])[0] == 2


def test_keys_are_never_overwritten(floor):
    for arguments in (
        ("evidence", "new-log", floor.log, "--origin", ORIGIN, "--key", floor.folder / "new"),
        ("evidence", "new-log", floor.folder / "new-log", "--origin", ORIGIN, "--key", floor.key),
        ("evidence", "new-log", floor.folder / "new-log", "--origin", "a b", "--key", floor.folder / "new"),
        ("witness", "new", "--log", floor.vkey, "--name", "w", "--key", floor.pem, "--state", floor.state),
    ):
        assert invoke(*arguments)[0] == 2
    assert not (floor.folder / "new").exists()
    assert not (floor.folder / "new-log").exists()


def test_the_last_seal_of_the_old_form_is_taken_over(floor):
    leaf = hashlib.sha256(b"\x00" + bytes.fromhex("ab" * 32)).hexdigest()
    seal = {
        "format": "retally-seal/1",
        "head": {"date": "2026-11-28", "size": 1, "root": leaf},
        "previous": None,
        "previous_peaks": [],
        "leaves": [{"session": "x", "chain": "ab" * 32}],
    }
    (floor.folder / "old.seal").write_text(json.dumps(seal), "utf-8")
    assert floor.seal(DAYS[0], "--after", floor.folder / "old.seal")[0] == 0

    first = floor.leaves(DAYS[0])[0]
    assert (first.root, first.standing) == (leaf, "unwitnessed")
    assert floor.check(f"{DAYS[0]}.zip")[0] == 0


# Two at once, and an end at any moment


def test_two_who_seal_two_nights_at_once_make_one_log(floor):
    results: list[int] = []
    code = "import sys; from streams.commands.app import main; main()"

    def run(day: str, to: str) -> None:
        arguments = ["evidence", "seal", "--from", floor.nights / "log", "--date", day, "--log", floor.log]
        arguments += ["--key", floor.key, "--keys", floor.nights / "keys", "--roster", floor.nights / "tables"]
        command = [sys.executable, "-c", code, *map(str, arguments), "--to", str(floor.folder / to)]
        results.append(subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode)

    threads = [threading.Thread(target=run, args=(DAYS[0], f"{number}.zip")) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(results) == [0, 2, 2]
    assert len(floor_logs.read_log(floor.log).nights) == 1


def test_two_hand_overs_at_once_never_set_the_memory_back(floor, done):
    """The later of two nights is checked while the earlier one is signed again: in every order the later stands."""
    from streams.keys import read_private_key

    for day in DAYS:
        floor.seal(day)
    private = read_private_key(floor.pem)
    handed = [floor_logs.read_hand_over(floor.folder / f"{day}.zip") for day in DAYS]
    witnessing.cosign(floor.state, handed[0], private, now=1)
    signed: list[int] = []

    def check(number: int) -> None:
        try:
            signed.append(witnessing.cosign(floor.state, handed[number % 2], private, now=2).checked.head.size)
        except ValueError:
            signed.append(0)

    threads = [threading.Thread(target=check, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    state = witnessing.read_state(floor.state)

    assert [one.date for one in state.accepted] == list(DAYS)
    assert signed.count(state.log.size) == 6


KILLED: Final = """
import os, signal, sys
from streams import whole, witnessing
from streams.commands.app import main
where = sys.argv.pop(1)
fsync = os.fsync
def killed(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
def after(*given, **named):
    fsync(*given, **named)
    killed()
if where == "before the disk":
    os.fsync = killed
elif where == "after the disk":
    os.fsync = after
elif where == "before the signature":
    witnessing.write_whole = lambda *given, **named: (whole.write_whole(*given, **named), killed())
main()
"""


@pytest.mark.parametrize("where", ["before the disk", "after the disk", "before the signature"])
def test_a_witness_who_is_killed_has_signed_nothing_that_he_does_not_remember(floor, where):
    floor.seal(DAYS[0])
    before = floor.state.read_bytes()
    answer = floor.folder / "answer"
    arguments = ["witness", "check", floor.folder / f"{DAYS[0]}.zip", "--state", floor.state, "--key", floor.pem]
    command = [sys.executable, "-c", KILLED, where, *map(str, arguments), "--to", str(answer)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)

    assert done.returncode == -signal.SIGKILL
    assert not answer.exists()
    assert (floor.state.read_bytes() == before) == (where != "before the signature")
    assert floor.check(f"{DAYS[0]}.zip", "--to", answer)[0] == 0
    assert answer.exists()


def test_a_house_that_is_killed_has_sealed_a_night_whole_or_not_at_all(floor):
    arguments = ["evidence", "seal", "--from", floor.nights / "log", "--date", DAYS[0], "--log", floor.log]
    arguments += ["--key", floor.key, "--keys", floor.nights / "keys", "--roster", floor.nights / "tables"]
    for where in ("before the disk", "after the disk"):
        command = [sys.executable, "-c", KILLED, where, *map(str, arguments), "--to", str(floor.folder / "x.zip")]
        assert subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode == -signal.SIGKILL
        assert floor_logs.read_log(floor.log).nights == []
    assert floor.seal(DAYS[0])[0] == 0


def test_a_full_disk_leaves_the_memory_as_it_was(floor, monkeypatch):
    floor.seal(DAYS[0])
    before = floor.state.read_bytes()

    def full(*_: object) -> Iterator[None]:
        raise OSError(28, os.strerror(28), str(floor.state))

    monkeypatch.setattr(os, "fsync", full)
    status, out, error = floor.check(f"{DAYS[0]}.zip")

    assert (status, out) == (2, "")
    assert "No space left on device" in error
    assert floor.state.read_bytes() == before
