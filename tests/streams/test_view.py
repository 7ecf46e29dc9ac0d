"""The viewer without a browser: what it answers, with which headers, and what it refuses."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from streams.view.asked import Refused, amount, moment, split
from streams.view.server import host_allowed
from tests.streams.conftest import new_database
from tests.viewer import DAY, night, retally, viewing

SESSION = f"CR01-{DAY}"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return night(tmp_path_factory.mktemp("view"), "--game", "craps", "--game", "boule", "--tables", 2, "--hours", 0.3)


@pytest.fixture(scope="module")
def address(store: Path) -> Iterator[str]:
    with viewing(store) as found:
        yield found


def ask(address: str, target: bytes, method: bytes = b"GET", host: bytes | None = None) -> tuple[int, str, str]:
    """A request byte for byte, as no library would send it: status, head and body."""
    at = urlsplit(address).netloc
    lines = [method + b" " + target + b" HTTP/1.1", b"Host: " + (at.encode() if host is None else host)]
    with socket.create_connection((urlsplit(address).hostname or "", urlsplit(address).port or 0), 30) as connection:
        connection.sendall(b"\r\n".join([*lines, b"Connection: close", b"", b""]))
        answer = b""
        while part := connection.recv(65536):
            answer += part
    head, _, body = answer.decode().partition("\r\n\r\n")
    return int(head.split(" ")[1]), head, body


@pytest.mark.parametrize(
    "target",
    [
        f"/?day={DAY}",
        f"/session?session={SESSION}",
        f"/round?session={SESSION}&round=1&step=2",
        f"/round?session={SESSION}&seq=9&rules=MO-1985",
        "/search?what=settlements&verdict=match&least=5&most=5000",
        "/search?what=rounds&table=CR01&verdict=match",
        "/search?what=findings&verdict=overpaid&kind=streak",
        f"/search?what=settlements&code=underpaid&from={DAY}T16:00&to={DAY}T23:00",
        "/help",
    ],
)
def test_every_page_is_answered_with_the_headers_that_a_scanner_wants(address, target):
    status, head, _ = ask(address, target.encode())

    assert status == 200
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in head
    assert "frame-ancestors 'none'" in head
    for line in ("X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cache-Control: no-store"):
        assert line in head


def test_no_page_holds_a_script_a_style_or_an_address_of_its_own(address):
    for target in (b"/", f"/round?session={SESSION}&round=1".encode(), b"/search"):
        _, _, body = ask(address, target)

        assert not re.search(r"<script(?! src=\"/static/)|<style|\sstyle=|\son[a-z]+=|https?://", body)


def test_a_game_is_called_what_its_pack_calls_it_in_english(address):
    pages = {target: ask(address, target.encode())[2] for target in ("/", "/search", f"/session?session={SESSION}")}
    pages["round"] = ask(address, f"/round?session={SESSION}&round=1&rules=MO-1985".encode())[2]

    assert "<td>Craps</td>" in pages["/"]
    assert "<td>Boule</td>" in pages["/"]
    assert '<option value="trente_et_quarante">Trente et quarante</option>' in pages["/search"]
    assert "<small>Craps · AD-2025</small>" in pages[f"/session?session={SESSION}"]
    assert "<small>Craps at CR01</small>" in pages["round"]


@pytest.mark.parametrize("method", [b"POST", b"PUT", b"DELETE", b"PATCH", b"OPTIONS", b"TRACE"])
def test_nothing_can_be_written(address, method):
    status, head, _ = ask(address, b"/", method)

    assert status == 405
    assert "Allow: GET, HEAD" in head


@pytest.mark.parametrize("host", [b"evil.example", b"127.0.0.1.evil.example", b"169.254.169.254", b""])
def test_a_name_that_is_not_this_servers_is_not_answered(address, host):
    assert ask(address, b"/", host=host)[0] == 421


@pytest.mark.parametrize(
    "target",
    [
        b"/search?table=" + b"a" * 3_000,
        b"/search?table=" + b"a" * 9_000,
        b"/search?table=" + b"a" * 65,
        b"/search?table=%00",
        b"/search?table=%ff",
        b"/search?table=%zz",
        b"/search?table=%0d%0aX:1",
        b"/search?table='%20OR%201=1",
        b'/search?table="',
        b"/search?player=<script>alert(1)</script>",
        b"/search?player=%3Cscript%3E",
        b"/search?code=x;DROP%20TABLE%20events",
        b"/search?table=a&table=b",
        b"/search?unknown=1",
        b"/search?" + b"&".join(b"a%d=1" % number for number in range(30)),
        b"/search?what=events",
        b"/search?page=99999999999999999999",
        b"/search?least=1e5",
        b"/search?from=yesterday",
        b"/search?day=2026-02-30",
        b"/round",
        b"/round?session=../../etc/passwd",
        b"/round?session=CR01-2026-11-29&round=-1",
        b"/round?session=CR01-2026-11-29&round=1&step=99999",
        b"/round?session=CR01-2026-11-29&rules=../pack",
        b"/session?session='%20OR%20''='",
        b"/static/../../../etc/passwd",
        b"/static/%2e%2e/%2e%2e/etc/passwd",
        b"//etc/passwd",
        b"http://evil.example/",
        b"/\xff\xfe",
    ],
)
def test_a_hostile_address_gets_one_clear_line(address, target):
    status, _, body = ask(address, target)
    told = re.search(r'id="refusal">([^\n]+)</p>', body)

    assert 400 <= status < 500
    assert told or body.count("\n") == 1
    assert "Traceback" not in body
    assert "root:" not in body


def test_a_store_in_use_is_named_in_one_line(address, store):
    done = retally("view", store)

    assert done.returncode == 2
    assert re.fullmatch(r"retally: .*process \d+ has the store open; .*\n", done.stderr)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [(("/no/such/store",), "there is no store"), (("x", "--rules", "NOPE"), "there is no rule pack NOPE")],
)
def test_what_cannot_be_viewed_is_said_in_one_line(arguments, line):
    done = retally("view", *arguments)

    assert done.returncode == 2
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_only_addresses_name_a_server_that_others_can_reach():
    assert host_allowed("192.0.2.7:80", "0.0.0.0")
    assert not host_allowed("evil.example", "0.0.0.0")


def test_what_is_asked_is_read_strictly():
    assert split("/round?session=A%20b&round=5&rules=") == ("/round", {"session": "A b", "round": "5"})
    assert amount("least", "12.5") == Decimal("12.5")
    assert moment("from", "1970-01-01T00:01") == 60_000_000
    with pytest.raises(Refused, match="twice"):
        split("/?a=1&a=2")


@pytest.mark.clickhouse
@pytest.mark.xdist_group("clickhouse")
def test_a_server_is_viewed_as_the_engine_in_process_is(store, address, clickhouse):
    where = new_database(clickhouse)
    audited = retally("audit", store.parent / "night.jsonl", "--into", where)
    targets = [
        f"/?day={DAY}",
        f"/session?session={SESSION}",
        f"/round?session={SESSION}&round=1&step=2",
        "/search?what=settlements&verdict=match&least=5&most=5000",
    ]
    with viewing(where) as on_the_server:
        pages = [ask(on_the_server, target.encode()) for target in targets]

    assert audited.returncode in (0, 1), audited.stderr
    for target, (status, _, page) in zip(targets, pages, strict=True):
        assert status == 200
        assert without_place(ask(address, target.encode())[2]) == without_place(page)


def without_place(page: str) -> str:
    """A page without the name of the store that it was made from."""
    return re.sub(r"clickhouse://[^<\"\s]*|[^<>\"\s]*/store", "STORE", page)
