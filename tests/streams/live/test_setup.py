"""Settings, keys and the worker's own figures: what is set wins in order, secrets stay hidden, mistakes are said."""

from __future__ import annotations

import io
import json
import logging
import sys
from datetime import date

import pytest
from typer.testing import CliRunner

from replay.evidence import key_id, public_half
from replay.key_scope import Grant, ScopedKeys
from streams.commands.app import app
from streams.key_files import new_listed_key, read_key_file
from streams.keys import KeyFileError, new_key, public_keys_in, read_private_key
from streams.live.config import LiveSettings, load, shown, unknown_variables
from streams.live.errors import ConfigError
from streams.live.metrics import JsonLines
from streams.live.outlet import RECORD_BYTES, KafkaOutlet
from streams.live.play import LONGEST_PAUSE_S, play
from streams.live.publisher import home
from streams.simulator.floor import Floor


@pytest.fixture(autouse=True)
def no_variables(monkeypatch):
    """Nothing is set but what the test sets."""
    for name in ("KAFKA", "CONFIG", "STORE", "GROUP", "PARTITIONS", "KAFKA_PASSWORD", "CLICKHOUSE_PASSWORD"):
        monkeypatch.delenv(f"RETALLY_{name}", raising=False)


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(tmp_path, monkeypatch):
    file = tmp_path / "retally.toml"
    file.write_text('group = "of-the-file"\nkafka = "file:1"\npartitions = 3\n')
    monkeypatch.setenv("RETALLY_KAFKA", "kafka://one,two:2")
    monkeypatch.setenv("RETALLY_GROUP", "of-the-environment")

    settings = load(file, group="given", store=None)

    assert (settings.group, settings.kafka, settings.partitions) == ("given", "one:9092,two:2", 3)
    assert settings.store == "clickhouse://default@127.0.0.1:9000/retally"
    monkeypatch.setenv("RETALLY_CONFIG", str(file))
    assert load().partitions == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("kafak = 'a:1'", "kafak: no such setting"),
        ("kafka = 'a:99999'", "kafka: not kafka://host:port"),
        ("partitions = 0", "partitions: Input should be greater than or equal to 1"),
        ("store = 'http://db'", "store: http:// is no store"),
        ("kafka_security = 'SASL_SSL'", "kafka_security SASL_SSL needs kafka_user and kafka_password"),
        ("kafka_key_file = 'key.pem'", "kafka_key_file goes with kafka_cert_file"),
        ("not toml", "retally.toml: "),
    ],
)
def test_a_setting_that_cannot_be_is_said_in_one_line(tmp_path, text, says):
    file = tmp_path / "retally.toml"
    file.write_text(text)

    with pytest.raises(ConfigError) as refused:
        load(file)

    assert says in str(refused.value)
    assert "\n" not in str(refused.value) or text == "not toml"


def test_passwords_are_never_shown(monkeypatch):
    monkeypatch.setenv("RETALLY_KAFKA_PASSWORD", "queen-of-spades")
    monkeypatch.setenv("RETALLY_STORE", "clickhouse://u:jack-of-hearts@db/floor")

    printed = CliRunner().invoke(app, ["config", "show"]).output
    settings = load()

    for text in (printed, repr(settings), str(shown(settings))):
        assert "queen" not in text
        assert "jack" not in text
    assert "kafka_password" in printed
    assert unknown_variables({"RETALLY_KAFAK": "", "RETALLY_KAFKA": "", "PATH": ""}) == ["RETALLY_KAFAK"]


def test_a_key_is_made_once_and_known_by_its_public_half(tmp_path):
    file, public = tmp_path / "gateway.pem", tmp_path / "floor.keys"

    name, hexadecimal = new_listed_key(file, public, Grant(tables=("BO*",)))
    other, _ = new_listed_key(tmp_path / "other.pem", public, Grant(tables=("CR*",)))

    assert file.stat().st_mode & 0o777 == 0o600
    assert key_id(public_half(read_private_key(file))) == name
    assert list(read_key_file(public)) == [name, other]
    assert public_keys_in(file) == {name: hexadecimal}
    with pytest.raises(KeyFileError, match="never overwritten"):
        new_key(file)
    with pytest.raises(KeyFileError, match="not a private key"):
        read_private_key(public)


def test_workers_judge_by_what_the_file_of_keys_says_of_each(tmp_path):
    scoped, plain = tmp_path / "scoped.keys", tmp_path / "plain.keys"
    name, hexadecimal = new_listed_key(tmp_path / "gateway.pem", scoped, Grant(tables=("BO*",)), "gateway-7")
    plain.write_text(f"{name} {hexadecimal}\n")

    for file, terms in ((scoped, {name: "BO*"}), (plain, {})):
        keys = LiveSettings(keys=file).judging().keys
        assert isinstance(keys, ScopedKeys)
        assert list(keys) == [name]
        assert {one: str(found) for one, found in keys.terms.items()} == terms


def test_an_entry_of_the_log_is_one_line_of_json_whatever_it_holds():
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(JsonLines())
    log = logging.Logger("streams.live")
    log.addHandler(handler)
    try:
        raise ValueError("two\nlines")
    except ValueError:
        log.error("a %s\nthing", "strange", exc_info=sys.exc_info())

    [line] = out.getvalue().splitlines()
    entry = json.loads(line)
    assert entry["message"] == "a strange\nthing"
    assert entry["level"] == "error"
    assert "two\nlines" in entry["error"]


def test_a_floor_plays_at_its_pace_and_waits_for_no_count_room():
    class Heard:
        def __init__(self) -> None:
            self.tables: set[str] = set()

        def publish(self, line: bytes, table: str) -> None:
            self.tables.add(table)

        def flush(self) -> None:
            """Nothing waits."""

    now, pauses = [0.0], []

    def wait(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    floor = Floor(tables=2, hours=0.2, seed=1, first_day=date(2026, 11, 28), only=("boule",))
    heard = Heard()
    count = play(floor, heard, pace=60, clock=lambda: now[0], wait=wait)  # type: ignore[arg-type]

    assert count > 50
    assert heard.tables == {plan.name for plan in floor.plans}
    assert max(pauses) <= LONGEST_PAUSE_S + 1e-6
    assert 10 < now[0] < 12 + 10 * LONGEST_PAUSE_S


def test_results_of_one_table_are_cut_between_lines_into_records_that_a_broker_takes(monkeypatch):
    sent: list[tuple[str, bytes, bytes]] = []
    outlet = KafkaOutlet(load(kafka="one:1"))
    monkeypatch.setattr(outlet.teller, "tell", lambda topic, records: sent.extend((topic, *each) for each in records))
    lines = [bytes([65 + number % 26]) * (1 + number * 97 % 3_000) for number in range(200)]
    outlet.send("t", b"CR01", b"\n".join(lines))
    outlet.send("t", b"BO01", b"x")

    assert sent[-1] == ("t", b"BO01", b"x")
    assert b"\n".join(value for *_, value in sent[:-1]).split(b"\n") == lines
    assert {len(value) // RECORD_BYTES for *_, value in sent[:-2]} == {1}


@pytest.mark.parametrize(
    ("table", "hashed"),
    [("21", -973932308), ("foobar", -790332482), ("a-little-bit-longer-string", -1486304829), ("abc", 479470107)],
)
def test_a_table_is_at_home_where_kafka_s_own_clients_put_it(table, hashed):
    """The hashes are those of Apache Kafka's own tests (UtilsTest.testMurmur2)."""
    partition = home(table, 48)

    assert (hashed & 0x7FFFFFFF) % 48 == partition
