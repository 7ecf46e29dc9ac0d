"""When the store is away, refuses, or is cut off in the middle: nothing is lost, nothing is doubled, and it is said."""

from __future__ import annotations

import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from replay.results import Finding, RawEvent, Round, Settlement
from streams.store import Store, StoreError, open_store
from streams.store.address import PASSWORD_VARIABLE, ServerAddress, parse_address
from streams.store.embedded import Embedded
from streams.store.engine import Columns, Engine
from streams.store.literals import Parameter
from streams.store.migrations import known, migrate, parse
from streams.store.server import Server
from streams.store.tables import Block
from tests.servers import ClickHouseServer, clickhouse_server, free_ports, self_signed
from tests.streams.conftest import new_database
from tests.streams.store_rows import row


def counts(store: Store, table: str) -> int:
    """Rows of ``table`` as they lie there, superseded and doubled ones included."""
    found: int = store.query(f"SELECT count() AS n FROM {table}")[0]["n"]
    return found


class Faulty:
    """An engine between the store and a real one, that loses answers: ``faults`` says what befalls each insert."""

    def __init__(self, engine: Engine, faults: list[str]) -> None:
        self.engine = engine
        self.faults = faults
        self.tokens: list[str] = []
        self.version = engine.version

    def execute(self, sql: str) -> None:
        self.engine.execute(sql)

    def select(self, sql: str, binary: frozenset[str] = frozenset()) -> Columns:
        return self.engine.select(sql, binary)

    def insert(self, block: Block, token: str) -> None:
        self.tokens.append(token)
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "refused":
            raise StoreError("the block is refused")
        if fault == "lost before":
            raise StoreError("the server does not answer", transient=True)
        self.engine.insert(block, token)
        if fault == "lost after":
            raise StoreError("the server does not answer", transient=True)

    def close(self) -> None:
        self.engine.close()


@pytest.fixture
def faulty(where: str) -> Iterator[Faulty]:
    address = parse_address(where)
    engine: Engine = Embedded(address, create=True) if isinstance(address, Path) else Server(address)
    migrate(engine, known())
    yield Faulty(engine, [])
    engine.close()


@pytest.mark.parametrize("fault", ["lost before", "lost after"])
def test_a_lost_answer_is_asked_for_again_under_the_same_token(faulty, fault):
    slept: list[float] = []
    store = Store(faulty, retry_delays_s=(1.0, 2.0), sleep=slept.append)
    faulty.faults = [fault, fault]
    store.add(row(Finding))
    store.flush()

    assert slept == [1.0, 2.0]
    assert len(faulty.tokens) == 3
    assert len(set(faulty.tokens)) == 1
    assert [each.seq for each in store.read(Finding)] == [0]


def test_where_the_engine_keeps_tokens_a_block_sent_twice_is_written_once(folder):
    """Even before any merge, and in the table itself; an old server leaves that to the merge."""
    with open_store(str(folder)) as opened:
        opened.migrate()
        faulty = Faulty(opened._engine, ["lost after", "lost after"])
        store = Store(faulty, retry_delays_s=(0.0, 0.0), sleep=lambda _: None)
        for seq in range(5):
            store.add(row(Finding, seq=seq))
        store.flush()

        assert len(faulty.tokens) == 3
        assert counts(store, "findings") == 5


def test_a_later_load_of_equal_rows_is_no_duplicate_of_the_block(folder):
    """Tokens are drawn, not computed from the rows: a partition that was dropped can be loaded again."""
    with open_store(str(folder)) as store:
        store.migrate()
        for _ in range(2):
            store.add(row(Finding))
            store.flush()
            store._engine.execute("ALTER TABLE findings DELETE WHERE 1 SETTINGS mutations_sync = 2")
        store.add(row(Finding))
        store.flush()

        assert counts(store, "findings") == 1


@pytest.mark.parametrize("fault", ["lost before", "lost after", "refused"])
def test_a_block_that_failed_is_sent_again_by_the_next_flush(faulty, fault):
    """Unchanged and under its own token, before what came later."""
    store = Store(faulty, retry_delays_s=(), sleep=lambda _: None)
    faulty.faults = [fault]
    store.add(row(Finding, seq=1))
    with pytest.raises(StoreError):
        store.flush()
    store.add(row(Finding, seq=2))
    store.flush()
    store.flush()

    assert faulty.tokens[0] == faulty.tokens[1] != faulty.tokens[2]
    assert len(faulty.tokens) == 3
    assert [each.seq for each in store.read(Finding)] == [1, 2]


def test_buffers_stay_bounded_while_the_store_is_away(faulty):
    """One block waits to be sent and one fills up; then the next row is refused until the store is back."""
    store = Store(faulty, block_rows=3, retry_delays_s=(), sleep=lambda _: None)
    faulty.faults = ["lost before"] * 10
    taken = []
    for seq in range(14):
        try:
            store.add(row(Finding, seq=seq))
        except StoreError:
            continue
        taken.append(seq)
    assert taken == [0, 1, 2, 4, 5, 6]
    faulty.faults = []
    store.add(row(Finding, seq=14))
    store.flush()

    assert [each.seq for each in store.read(Finding)] == [*taken, 14]


def test_of_rows_that_are_given_together_all_are_taken_or_none(faulty):
    store = Store(faulty, block_rows=3, retry_delays_s=(), sleep=lambda _: None)
    store.extend([row(Finding, seq=seq) for seq in range(3)])
    faulty.faults = ["lost before"]
    together = [row(Round, round=7), row(Finding, seq=3)]
    with pytest.raises(StoreError):
        store.extend(together)
    store.flush()
    before = counts(store, "findings"), counts(store, "rounds")
    store.extend(together)
    store.flush()

    assert [before, (counts(store, "findings"), counts(store, "rounds"))] == [(3, 0), (4, 1)]


def test_what_will_not_pass_is_not_tried_again(faulty):
    slept: list[float] = []
    store = Store(faulty, sleep=slept.append)
    faulty.faults = ["refused"]
    store.add(row(Finding))
    with pytest.raises(StoreError, match="refused"):
        store.flush()

    assert slept == []


# Migrations


def test_a_changed_migration_is_noticed(faulty):
    changed = (parse(1, "core", "SELECT 2;"), *known()[1:])

    with pytest.raises(StoreError, match=r"migration 0001 \(core\) is not the one that this store has had"):
        migrate(faulty.engine, changed)


def test_comments_and_line_breaks_are_no_change():
    assert parse(1, "a", "-- why\nSELECT 1,\n  2;\n").checksum == parse(1, "a", "SELECT 1, 2;").checksum


def test_a_store_of_a_newer_retally_is_refused(faulty):
    newer = (*known(), parse(len(known()) + 1, "next", "SELECT 1;"))
    migrate(faulty.engine, newer)

    with pytest.raises(StoreError, match="a newer retally made this store"):
        migrate(faulty.engine, known())


def test_a_migration_that_fails_is_named_and_can_be_run_again(faulty):
    number = len(known()) + 1
    broken = parse(
        number, "broken", "CREATE TABLE IF NOT EXISTS extra (a UInt8) ENGINE = Memory;\nSELECT nothing_there;"
    )
    with pytest.raises(StoreError, match=rf"migration {number:04} \(broken\) failed: .*nothing_there"):
        migrate(faulty.engine, (*known(), broken))
    mended = parse(number, "broken", "CREATE TABLE IF NOT EXISTS extra (a UInt8) ENGINE = Memory;")

    assert migrate(faulty.engine, (*known(), mended))[-1].state == "applied"


def test_a_migration_that_was_cut_off_after_it_had_added_a_column_is_run_again(faulty):
    number = len(known()) + 1
    cut_off = parse(number, "more", "ALTER TABLE sessions ADD COLUMN more String AFTER rules;\nSELECT nothing_there;")
    with pytest.raises(StoreError, match="nothing_there"):
        migrate(faulty.engine, (*known(), cut_off))
    whole = parse(
        number, "more", "ALTER TABLE sessions ADD COLUMN more String AFTER rules;\nSELECT more FROM sessions;"
    )

    assert migrate(faulty.engine, (*known(), whole))[-1].state == "applied"


def test_a_column_that_cannot_be_added_is_named(faulty):
    broken = parse(len(known()) + 1, "more", "ALTER TABLE nothing_there ADD COLUMN more String;")

    with pytest.raises(StoreError, match="nothing_there"):
        migrate(faulty.engine, (*known(), broken))


# The embedded engine


def test_a_folder_that_another_process_has_open_names_the_process(folder):
    holder = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import sys\nfrom streams.store import open_store\n"
            "with open_store(sys.argv[1]):\n    print('open', flush=True)\n    sys.stdin.read()",
            str(folder),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(StoreError, match=rf"process {holder.pid} has the store open") as refused:
            open_store(str(folder))
        assert "\n" not in str(refused.value)
    finally:
        holder.communicate("")

    with open_store(str(folder)) as store:
        store.migrate()


def test_what_was_flushed_outlives_a_killed_process(folder):
    """And what was not flushed is not there in part."""
    writer = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import sys\nfrom streams.store import open_store\nfrom replay.results import Finding\n"
            "from tests.streams.store_rows import row\n"
            "store = open_store(sys.argv[1])\nstore.migrate()\n"
            "store.add(row(Finding, seq=1))\nstore.flush()\nstore.add(row(Finding, seq=2))\n"
            "print('flushed', flush=True)\nsys.stdin.read()",
            str(folder),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "flushed\n"
    writer.send_signal(signal.SIGKILL)
    writer.communicate()

    with open_store(str(folder)) as store:
        assert [each.seq for each in store.read(Finding)] == [1]


def test_one_process_opens_one_folder(folder, tmp_path):
    with open_store(str(folder)), pytest.raises(StoreError, match="one embedded store at a time"):
        open_store(str(tmp_path / "other"))

    with open_store(str(tmp_path / "other")) as store:
        assert store.query("SELECT 1 AS one") == [{"one": 1}]


def test_a_folder_of_other_things_is_left_alone(folder):
    folder.mkdir()
    (folder / "night.jsonl").write_text("{}\n")

    with pytest.raises(StoreError, match="holds other things than a store"):
        open_store(str(folder))
    assert [each.name for each in folder.iterdir()] == ["night.jsonl"]


def test_who_only_reads_makes_no_store(folder):
    with pytest.raises(StoreError, match="there is no store"):
        open_store(str(folder), create=False)
    assert not folder.exists()


def test_a_file_is_no_store(tmp_path):
    file = tmp_path / "file"
    file.write_text("")

    with pytest.raises(StoreError, match="a store is a folder: Not a directory"):
        open_store(str(file))
    with pytest.raises(StoreError, match="a store is a folder: Not a directory"):
        open_store(str(file / "store"))


def test_a_closed_store_says_so(folder):
    store = open_store(str(folder))
    store.close()
    store.close()

    with pytest.raises(StoreError, match="the store is closed"):
        store.query("SELECT 1")


def test_folders_of_any_name_are_stores(folder):
    odd = folder / "é 100% #1"
    with open_store(str(odd)) as store:
        store.migrate()
        store.add(row(Round))

    with open_store(str(odd)) as store:
        assert len(list(store.read(Round))) == 1


# Addresses


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("", "cannot be empty"),
        ("clickhouse://", "no host or no database"),
        ("clickhouse://db.example", "no host or no database"),
        ("clickhouse://db.example/a/b", "no host or no database"),
        ("clickhouse://db.example:nine/floor", "a port up to 65535"),
        ("clickhouse://db.example:99999/floor", "a port up to 65535"),
        ("clickhouse://db.example/floor?secure=maybe", "secure is 1 or 0"),
        ("clickhouse://db.example/floor?compress=1", "unknown option 'compress'"),
        ("clickhouse://db.example/floor?ca_certs=x.pem", "ca_certs goes with secure=1"),
        ("postgres://db.example/floor", "postgres:// is no store"),
        ("store?a=b", "no folder with a '\\?' in its name"),
    ],
)
def test_an_address_that_is_none_says_what_is_wrong(where, said):
    with pytest.raises(StoreError, match=said):
        parse_address(where, {})


def test_an_address_is_read_as_written():
    address = parse_address("clickhouse://audit%40or:p%2Fw@[::1]:9001/fl%20oor?secure=1&ca_certs=/etc/ca.pem", {})

    assert address == ServerAddress("::1", 9001, "audit@or", "p/w", "fl oor", True, "/etc/ca.pem")
    assert str(address) == "clickhouse://audit@or@[::1]:9001/fl oor"
    assert "p/w" not in repr(address)


def test_defaults_of_an_address():
    plain = parse_address("clickhouse://db.example/floor", {PASSWORD_VARIABLE: "secret"})
    secure = parse_address("clickhouse://db.example/floor?secure=1", {})

    assert plain == ServerAddress("db.example", 9000, "default", "secret", "floor", False, "")
    assert isinstance(secure, ServerAddress)
    assert (secure.port, secure.password) == (9440, "")
    assert parse_address("store", {}) == Path("store").absolute()


def test_parameters_that_do_not_fit_are_named(folder):
    with open_store(str(folder)) as store:
        cases: list[tuple[str, dict[str, Parameter], str]] = [
            ("SELECT {a:String}", {}, "asks for a parameter 'a'"),
            ("SELECT 1", {"a": 1}, "does not ask for the parameter 'a'"),
            ("SELECT {a:UInt8}", {"a": 256}, "'a' is no UInt8: 256 is not between 0 and 255"),
            ("SELECT {a:Int64}", {"a": "1"}, "whole number"),
            ("SELECT {a:Date}", {"a": "2026-02-31"}, "'a' is no Date"),
            ("SELECT {a:Array(String)}", {"a": "abc"}, "a list is wanted"),
            ("SELECT {a:Tuple}", {"a": "abc"}, "no type that a parameter can have"),
        ]
        for sql, parameters, said in cases:
            with pytest.raises(ValueError, match=said):
                store.query(sql, parameters)


# A server


@pytest.mark.clickhouse
@pytest.mark.xdist_group("clickhouse")
class TestServer:
    """Refusals, cuts and restarts of a real server."""

    @pytest.mark.parametrize(
        ("user", "password", "database", "said"),
        [
            ("auditor", "wrong", "default", "refuses user auditor with this password"),
            ("auditor", "", "default", "refuses user auditor with this password"),
            ("nobody", "", "default", "refuses user nobody with this password"),
            ("default", "", "no_such_floor", "has no database no_such_floor; make it: CREATE DATABASE no_such_floor"),
        ],
    )
    def test_a_refusal_says_what_to_do_in_one_line(self, clickhouse, caplog, user, password, database, said):
        with pytest.raises(StoreError, match=said) as refused:
            open_store(clickhouse.url(database, user, password))

        assert "\n" not in str(refused.value)
        assert "Stack trace" not in str(refused.value)
        assert not refused.value.transient
        assert not password or password not in str(refused.value)
        assert "Traceback" not in caplog.text

    def test_under_tls_a_user_with_a_password_writes_and_reads(self, clickhouse):
        secret = quote(ClickHouseServer.PASSWORD, safe="")
        database = new_database(clickhouse).rpartition("/")[2]
        finding = row(Finding, seq=7)

        with open_store(clickhouse.secure_url("auditor", secret, clickhouse.ca_file, database)) as store:
            store.migrate()
            store.add(finding)
            store.flush()
            found = list(store.read(Finding))

        assert found == [finding]

    def test_a_server_that_another_authority_vouches_for_is_refused_in_one_line(self, clickhouse, tmp_path):
        other = tmp_path / "other.pem"
        other.write_bytes(self_signed("127.0.0.1")[0])

        with pytest.raises(StoreError, match="certificate") as refused:
            open_store(clickhouse.secure_url("default", "", other))

        assert "\n" not in str(refused.value)
        assert not refused.value.transient

    def test_a_file_of_authorities_that_is_not_there_is_named(self, clickhouse, tmp_path):
        with pytest.raises(StoreError, match=r"nowhere\.pem") as refused:
            open_store(clickhouse.secure_url("default", "", tmp_path / "nowhere.pem"))

        assert "\n" not in str(refused.value)

    def test_the_password_is_taken_from_the_address_or_the_environment(self, clickhouse, monkeypatch):
        with open_store(clickhouse.url("default", "auditor", quote(ClickHouseServer.PASSWORD, safe=""))) as store:
            assert store.query("SELECT currentUser() AS user" if store.engine_version > "20" else "SELECT 1 AS one")
        monkeypatch.setenv(PASSWORD_VARIABLE, ClickHouseServer.PASSWORD)
        with open_store(clickhouse.url("default", "auditor")) as store:
            assert store.query("SELECT 1 AS one") == [{"one": 1}]

    def test_who_may_not_write_is_told(self, clickhouse):
        where = new_database(clickhouse).replace("default@", "reader@")
        with open_store(where) as store, pytest.raises(StoreError, match=r"migration 0001 \(core\) failed.*readonly"):
            store.migrate()

    @pytest.mark.parametrize("host", ["127.0.0.1", "no-such-host.invalid"])
    def test_a_server_that_is_not_there_is_said_to_be_away(self, caplog, capfd, host):
        with pytest.raises(StoreError, match="the server does not answer") as refused:
            open_store(f"clickhouse://{host}:{free_ports(1)[0]}/floor")

        assert refused.value.transient
        assert "\n" not in str(refused.value)
        assert "Traceback" not in caplog.text + "".join(capfd.readouterr())

    def test_something_else_that_listens_is_no_server(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=lambda: listener.accept()[0].close(), daemon=True).start()

            with pytest.raises(StoreError, match=r"does not answer|out of step"):
                open_store(f"clickhouse://127.0.0.1:{listener.getsockname()[1]}/floor")

    @pytest.mark.parametrize("cut_after", [0, 200, 100_000], ids=lambda size: f"after {size} bytes")
    def test_a_connection_cut_in_the_middle_of_a_block(self, clickhouse, cut_after):
        """The block is sent again, on a new connection."""
        where = new_database(clickhouse)
        with (
            Cutter(clickhouse.port) as line,
            open_store(where.replace(f":{clickhouse.port}", f":{line.port}")) as store,
        ):
            store._sleep = lambda _: None
            store.migrate()
            for seq in range(3000):
                store.add(row(RawEvent, seq=seq, raw=b"x" * 100))
            line.cut_after(cut_after)
            store.flush()

            assert line.cuts == 1
            assert len(list(store.read(RawEvent))) == 3000

    def test_a_connection_that_died_while_idle_is_made_anew(self, clickhouse):
        where = new_database(clickhouse)
        with (
            Cutter(clickhouse.port) as line,
            open_store(where.replace(f":{clickhouse.port}", f":{line.port}")) as store,
        ):
            line.cut_now()

            assert store.query("SELECT 1 AS one") == [{"one": 1}]


@pytest.mark.clickhouse
@pytest.mark.parametrize("how", [pytest.param("stop", marks=pytest.mark.slow), "kill"])
def test_a_server_that_goes_away_and_comes_back(tmp_path, how):
    """What was flushed is there; what could not be flushed is kept, and written once the server is back."""
    with clickhouse_server(tmp_path) as server, open_store(server.url()) as store:
        store._sleep = lambda _: None
        store.migrate()
        store.add(row(Settlement, bet="b1"))
        store.flush()
        getattr(server, how)()
        store.add(row(Settlement, bet="b2"))
        with pytest.raises(StoreError, match="the server does not answer"):
            store.flush()
        store.add(row(Settlement, bet="b3"))
        with pytest.raises(StoreError, match="the server does not answer"):
            store.query("SELECT 1")
        server.start()
        store.flush()

        assert [each.bet for each in store.read(Settlement)] == ["b1", "b2", "b3"]
        assert counts(store, "settlements") == 3


class Cutter:
    """A line to a port of this machine that can be cut, once, after so many bytes more towards the server."""

    def __init__(self, to_port: int) -> None:
        self.to_port = to_port
        self.cuts = 0
        self._left: int | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def cut_after(self, size: int) -> None:
        """Cut when ``size`` bytes more have gone to the server."""
        self._left = size

    def cut_now(self) -> None:
        """Cut whatever is open."""
        self.cuts += 1
        for pair in self._pairs:
            for end in pair:
                with suppress(OSError):  # its carrier may have been quicker
                    end.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Cutter:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        for pair in self._pairs:
            for end in pair:
                with suppress(OSError):  # its carrier wakes up by this, not by the closing
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            pair = client, socket.create_connection(("127.0.0.1", self.to_port))
            self._pairs.append(pair)
            threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, client: socket.socket, server: socket.socket) -> None:
        try:
            # Not `select`: it takes no descriptor above 1023, and a process that has run many tests has those.
            with selectors.DefaultSelector() as waiting:
                for end in (client, server):
                    waiting.register(end, selectors.EVENT_READ)
                while True:
                    for key, _ in waiting.select():
                        end = client if key.fileobj is client else server
                        data = end.recv(4096)
                        if not data:
                            return
                        if end is client and self._left is not None:
                            self._left -= len(data)
                            if self._left < 0:
                                self._left = None
                                self.cuts += 1
                                return
                        (server if end is client else client).sendall(data)
        except (OSError, ValueError):
            return
        finally:
            for end in (client, server):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    end.close()
