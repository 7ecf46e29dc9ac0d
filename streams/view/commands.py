"""The command `retally view`. The command line imports this for every command: it imports nothing slow itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLE = "Example: retally view demo/store --port 8080"

StorePlace = Annotated[str, typer.Argument(metavar="STORE", help="A folder, or clickhouse://user@host:port/database.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0: any that is free.")]
Host = Annotated[
    str, typer.Option(help="The address to listen on; the default can be reached from this computer alone.")
]
Rules = Annotated[
    str | None,
    typer.Option(metavar="PACK", help="Judge by this rule pack, and show what differs from the table's own."),
]
Keys = Annotated[Path | None, typer.Option(metavar="FILE", help="The gateways' public keys, to check signatures anew.")]


def view(where: str, host: str, port: int, rules: str | None, keys: Path | None) -> None:
    """Serve the pages until told to stop.

    Raises:
        StoreError: the store is not there, or in use.
        RuleError: there is no such rule pack.
        KeyFileError: the keys cannot be read.
        OSError: the address cannot be listened on.
    """
    from replay.evidence import public_key
    from replay.regulations import pack
    from streams.auditing import read_keys
    from streams.store import open_store
    from streams.store.address import parse_address
    from streams.view.archive import Archive
    from streams.view.pages import Pages
    from streams.view.server import run

    if rules is not None:
        pack(rules)
    public_keys = None if keys is None else {name: public_key(text) for name, text in read_keys(keys).items()}
    store = open_store(where, create=False)
    try:
        store.query("SELECT count() FROM sessions_current")
        address = parse_address(where)
        run(Pages(Archive(store, where, keys=public_keys), str(address), rules=rules or ""), host, port)
    finally:
        store.close()
