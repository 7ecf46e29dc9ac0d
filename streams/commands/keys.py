"""``retally keys``: the gateways' keys, made and listed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streams.commands.shell import clear_errors, say

app = typer.Typer(help="The gateways' keys, which seal the logs.", no_args_is_help=True)


@app.command("new", epilog="Example: retally keys new gateway-7.pem --public floor.keys")
def new(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where the private key goes (PEM); it must not be there.")],
    public: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add the public key to this file, which audits take.")
    ] = None,
) -> None:
    """Makes a gateway's key: the private one for the gateway alone, the public one for whoever checks its seals."""
    from streams.keys import new_key

    with clear_errors():
        name, hexadecimal = new_key(to, public)
    typer.echo(f"{name} {hexadecimal}")


@app.command("list", epilog="Example: retally keys list floor.keys")
def list_keys(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of public keys, or private keys (PEM).")],
) -> None:
    """The public keys in these files, as lines 'key-id hexadecimal'; of a private key its public one."""
    from streams.keys import public_keys_in

    with clear_errors():
        found = [key for file in files for key in public_keys_in(file).items()]
    for name, hexadecimal in found:
        say(f"{name} {hexadecimal}")
