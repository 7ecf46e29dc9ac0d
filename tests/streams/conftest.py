"""Stores for tests: the embedded engine, and a real ClickHouse server that the session starts once."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from clickhouse_driver import Client

from streams.store import Store, open_store
from tests.servers import ClickHouseServer, clickhouse_server, missing

GET_CHDB = "chdb is not installed; pip install chdb-core"

OpenStore = Callable[[], Store]
"""Opens the one store of a test, again and again."""

ENGINES = [
    pytest.param("embedded", id="embedded"),
    pytest.param("server", id="server", marks=[pytest.mark.clickhouse, pytest.mark.xdist_group("clickhouse")]),
]

_databases = count(1)


@pytest.fixture(scope="session")
def clickhouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouseServer]:
    """A running ClickHouse server, for the whole session."""
    with clickhouse_server(tmp_path_factory.mktemp("clickhouse")) as server:
        yield server


def new_database(server: ClickHouseServer) -> str:
    """The address of an empty database on ``server``."""
    name = f"floor_{next(_databases)}"
    client = Client("127.0.0.1", port=server.port)
    client.execute(f"CREATE DATABASE {name}")
    client.disconnect()
    return server.url(name)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where an embedded store may be made; it is not there yet."""
    if importlib.util.find_spec("chdb") is None:
        missing(GET_CHDB)
    return tmp_path / "store"


@pytest.fixture(params=ENGINES)
def where(request: pytest.FixtureRequest) -> str:
    """The address of an empty store, on each engine in turn."""
    if request.param == "embedded":
        return str(request.getfixturevalue("folder"))
    return new_database(request.getfixturevalue("clickhouse"))


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    """An empty, migrated store, on each engine in turn."""
    with open_store(where) as opened:
        opened.migrate()
        yield opened
