"""``retally view``: a store in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streams.commands.shell import Packs, StoreArgument, clear_errors, judging_of

EXAMPLE = "Example: retally view demo/store --port 8080"


def view(
    where: StoreArgument,
    host: Annotated[
        str, typer.Option(help="The address to listen on; the default can be reached from this computer alone.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0: any that is free.")] = 0,
    rules: Annotated[
        str | None,
        typer.Option(metavar="PACK", help="Judge by this rule pack, and show what differs from the table's own."),
    ] = None,
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The gateways' public keys, to check signatures anew.")
    ] = None,
    packs: Packs = None,
) -> None:
    """A store in the browser: nights, sessions, a search, and every round replayed step by step on a drawn table.

    Prints the address, and serves it until interrupted. Nothing is written; nothing is fetched from elsewhere.
    """
    from streams.store import open_store
    from streams.store.address import parse_address
    from streams.view.archive import Archive
    from streams.view.pages import Pages
    from streams.view.server import run

    with clear_errors():
        judging = judging_of(packs, keys=keys, rules=rules)
        with open_store(where, create=False) as store:
            store.query("SELECT count() FROM sessions_current")
            archive = Archive(store, where, judging)
            run(Pages(archive, str(parse_address(where)), rules=rules or ""), host, port)
