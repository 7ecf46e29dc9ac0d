"""Where a store is: a folder, or ``clickhouse://user@host:port/database``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from streams.store.errors import StoreError

PASSWORD_VARIABLE: Final = "RETALLY_CLICKHOUSE_PASSWORD"
SCHEME: Final = "clickhouse://"
PORT: Final = 9000
SECURE_PORT: Final = 9440
_SWITCH: Final = {"1": True, "true": True, "0": False, "false": False}


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A database on a ClickHouse server, spoken to by the native protocol."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    database: str
    secure: bool
    ca_certs: str
    """File of certificates to trust, for a server with a certificate of the house's own; empty: the system's."""

    def __str__(self) -> str:
        """The address without its password: fit for messages and logs."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{SCHEME}{self.user}@{host}:{self.port}/{self.database}"


def parse_address(where: str, environment: Mapping[str, str] = os.environ) -> ServerAddress | Path:
    """What ``where`` names: a server's database, or else an absolute folder.

    The password is the address's own, else the environment's RETALLY_CLICKHOUSE_PASSWORD, else empty.

    Raises:
        StoreError: it can be neither; the text says what is wrong. The password is never repeated.

    >>> print(parse_address("clickhouse://auditor@db.example:9000/floor", {}))
    clickhouse://auditor@db.example:9000/floor
    """
    if not where.strip() or "\0" in where:
        raise StoreError("a store is a folder or clickhouse://user@host:port/database; it cannot be empty")
    if where.startswith(SCHEME):
        return _server(where, environment)
    if "://" in where:
        raise StoreError(
            f"{where.split('://')[0]}:// is no store; it is a folder or clickhouse://user@host:port/database"
        )
    if "?" in where:
        raise StoreError(f"{where}: the embedded engine takes no folder with a '?' in its name")
    return Path(where).expanduser().absolute()


def _server(where: str, environment: Mapping[str, str]) -> ServerAddress:
    try:
        parts = urlsplit(where)
        port = parts.port
    except ValueError:
        raise StoreError(
            "the store's address is not clickhouse://user@host:port/database, with a port up to 65535"
        ) from None
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    secure = _SWITCH.get(options.pop("secure", "0").lower())
    ca_certs = options.pop("ca_certs", "")
    if secure is None:
        raise StoreError("the store's option secure is 1 or 0")
    if options:
        raise StoreError(f"the store's address has an unknown option {min(options)!r}; known: secure, ca_certs")
    if ca_certs and not secure:
        raise StoreError("the store's option ca_certs goes with secure=1")
    database = unquote(parts.path.removeprefix("/"))
    if not parts.hostname or not database or "/" in database:
        raise StoreError("the store's address names no host or no database: clickhouse://user@host:port/database")
    given = unquote(parts.password) if parts.password is not None else None
    return ServerAddress(
        host=parts.hostname,
        port=port or (SECURE_PORT if secure else PORT),
        user=unquote(parts.username or "default"),
        password=given if given is not None else environment.get(PASSWORD_VARIABLE, ""),
        database=database,
        secure=secure,
        ca_certs=ca_certs,
    )
