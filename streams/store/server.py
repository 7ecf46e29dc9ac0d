"""A ClickHouse server, spoken to by its native protocol (clickhouse-driver)."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Mapping
from datetime import UTC, tzinfo
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clickhouse_driver import Client, errors
from clickhouse_driver.columns.datecolumn import DateColumn
from clickhouse_driver.columns.service import column_by_type

from streams.store.address import PASSWORD_VARIABLE, ServerAddress
from streams.store.engine import CURRENT_SETTINGS, DEDUPLICATION_TOKENS, Columns, tidy, version_of
from streams.store.errors import StoreError, engine_text
from streams.store.tables import Block

CONNECT_SECONDS: Final = 10
ANSWER_SECONDS: Final = 300

_UNKNOWN_DATABASE: Final = 81
_NO_ENTRY: Final = frozenset({192, 193, 194, 516})
"""Unknown user, wrong password, password required, authentication failed."""
_PASSING: Final = frozenset({3, 32, 159, 202, 203, 209, 210, 236, 241, 242, 243, 252, 279, 285, 319, 394, 425, 999})
"""Codes that say "not now": cut off, timed out, too many queries or parts, memory, a read-only replica, Keeper."""
_NO_TRUST: Final = "CERTIFICATE_VERIFY_FAILED"

_Answer = TypeVar("_Answer")

# The driver logs every failed connection with a traceback, and raises it as well; once is enough.
logging.getLogger("clickhouse_driver.connection").setLevel(logging.CRITICAL)


class _DayColumn(DateColumn):  # type: ignore[misc]
    """The driver's column of days, to which a `Block` gives them as the numbers that go over the wire.

    The driver's own makes a new date of each and looks it up: a quarter of what an event costs on its way to a server.
    """

    def prepare_items(self, items: list[Any]) -> list[Any]:
        """The numbers of ``items``, for the server."""
        if items and isinstance(items[0], int):
            return items
        numbers: list[Any] = super().prepare_items(items)
        return numbers


column_by_type[DateColumn.ch_type] = _DayColumn


class Server:
    """An `Engine` on a server. The connection is made anew after anything that broke it."""

    def __init__(self, address: ServerAddress) -> None:
        """Connect to ``address``.

        Raises:
            StoreError: the server is away (transient), or refuses the user, the password or the database; or the
                certificates that vouch for it cannot be read, or do not.
        """
        self._address = address
        if address.ca_certs:
            try:
                ssl.create_default_context(cafile=address.ca_certs)
            except (OSError, ssl.SSLError) as error:
                raise StoreError(f"{address}: the certificates in {address.ca_certs} cannot be used: {error}") from None
        self._client = Client(
            address.host,
            port=address.port,
            user=address.user,
            password=address.password,
            database=address.database,
            secure=address.secure,
            ca_certs=address.ca_certs or None,
            client_name="retally",
            connect_timeout=CONNECT_SECONDS,
            send_receive_timeout=ANSWER_SECONDS,
        )
        self._settings: dict[str, Any] = {}
        self._version = str(self.select("SELECT version() AS version").data[0][0])
        if version_of(self._version) >= DEDUPLICATION_TOKENS:
            self._settings = dict(CURRENT_SETTINGS)

    @property
    def version(self) -> str:
        """As ``SELECT version()`` says it."""
        return self._version

    def execute(self, sql: str) -> None:
        """Run a statement that answers nothing."""
        self._guarded(lambda: self._client.execute(sql, settings=self._settings))

    def select(self, sql: str, binary: frozenset[str] = frozenset()) -> Columns:
        """Run a query; columns named in ``binary`` come as bytes."""

        def ask() -> tuple[Any, Any]:
            answer: tuple[Any, Any] = self._client.execute(
                sql, columnar=True, with_column_types=True, settings=self._settings
            )
            return answer

        data, described = self._guarded(ask)
        names, types = [name for name, _ in described], [type_ for _, type_ in described]
        return tidy(names, types, list(data) or [[] for _ in names], self._zone(), binary)

    def insert(self, block: Block, token: str) -> None:
        """Write ``block`` in one piece; a current server writes a token's block once."""
        names = ", ".join(f"`{name}`" for name, _ in block.table.written)
        settings: Mapping[str, Any] = self._settings
        if version_of(self._version) >= DEDUPLICATION_TOKENS:
            settings = {**settings, "insert_deduplication_token": token}
        sql = f"INSERT INTO {block.table.name} ({names}) VALUES"
        self._guarded(lambda: self._client.execute(sql, block.columns, columnar=True, settings=settings))

    def close(self) -> None:
        """Let go of the connection."""
        self._client.disconnect()

    def _guarded(self, ask: Callable[[], _Answer]) -> _Answer:
        """What ``ask`` answers. An error drops the connection: nobody knows what is still under way on it."""
        try:
            return ask()
        except errors.ServerException as refused:
            self._client.disconnect()
            raise self._refusal(refused) from None
        except (errors.NetworkError, errors.SocketTimeoutError, OSError, EOFError) as lost:
            self._client.disconnect()
            why = engine_text(str(lost)).removeprefix(f"Code: {getattr(lost, 'code', 0)}. ") or "the connection was cut"
            if _NO_TRUST in why:
                trusted = self._address.ca_certs or "the system's certificates"
                raise StoreError(f"{self._address}: nothing in {trusted} vouches for the server: {why}") from None
            raise StoreError(f"{self._address}: the server does not answer: {why}", transient=True, code=210) from None
        except (errors.PartiallyConsumedQueryError, errors.UnexpectedPacketFromServerError) as confused:
            self._client.disconnect()
            why = engine_text(str(confused))
            raise StoreError(f"{self._address}: the connection is out of step: {why}", transient=True) from None
        except errors.Error as refused:
            self._client.disconnect()
            raise StoreError(f"{self._address}: {engine_text(str(refused))}", code=refused.code or 0) from None
        except BaseException:
            self._client.disconnect()
            raise

    def _refusal(self, refused: errors.ServerException) -> StoreError:
        code = refused.code or 0
        if code == _UNKNOWN_DATABASE:
            name = self._address.database
            return StoreError(
                f"{self._address}: the server has no database {name}; make it: CREATE DATABASE {name}", code=code
            )
        if code in _NO_ENTRY:
            return StoreError(
                f"{self._address}: the server refuses user {self._address.user} with this password"
                f" (it is taken from the address, else from {PASSWORD_VARIABLE})",
                code=code,
            )
        return StoreError(f"{self._address}: {engine_text(str(refused))}", transient=code in _PASSING, code=code)

    def _zone(self) -> tzinfo:
        """The zone in which the driver gives times of columns that name none: the server's."""
        server = self._client.connection.server_info
        try:
            return ZoneInfo(server.get_timezone()) if server and server.get_timezone() else UTC
        except (ZoneInfoNotFoundError, ValueError):
            return UTC
