"""``retally keys``: the gateways' keys, made, listed and revoked."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from streams.commands.shell import Json, clear_errors, complain, print_json, refuse, say

app = typer.Typer(help="The gateways' keys, which seal the logs.", no_args_is_help=True)

_DAY = ["%Y-%m-%d"]


@app.command("new", epilog="Example: retally keys new gateway-7.pem --public floor.keys --gateway gateway-7 "
                      "--table 'BO*' --table CR01 --from 2026-11-01")  # fmt: skip
def new(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where the private key goes (PEM); it must not be there.")],
    public: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add the public key to this file, which audits take.")
    ] = None,
    gateway: Annotated[str | None, typer.Option(metavar="NAME", help="Whose key it is, for people.")] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", help="It counts for this table, or pattern (BO*), alone. May be given again."),
    ] = None,
    since: Annotated[
        datetime | None, typer.Option("--from", metavar="D", formats=_DAY, help="It counts from this gaming day on.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option(metavar="D", formats=_DAY, help="It counts up to this gaming day.")
    ] = None,
) -> None:
    """Makes a gateway's key: the private one for the gateway alone, the public one for whoever checks its seals."""
    from replay.key_scope import Grant
    from streams.key_files import new_listed_key
    from streams.keys import new_key

    if public is None and (gateway or table or since or until):
        refuse("--gateway, --table, --from and --until say what stands in the file of public keys: name it (--public)")
    grant = Grant(tables=tuple(table or ["*"]), since=_day(since), until=_day(until))
    with clear_errors():
        name, hexadecimal = new_key(to) if public is None else new_listed_key(to, public, grant, gateway)
    typer.echo(f"{name} {hexadecimal}")
    if public is not None and not table:
        complain(f"{name} counts for every table: name those that it may seal in {public}")


@app.command("list", epilog="Example: retally keys list floor.keys")
def list_keys(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of public keys, or private keys (PEM).")],
    as_json: Json = False,
) -> None:
    """The public keys in these files, as lines 'key-id hexadecimal # what it counts for'; of a private key its public
    one."""
    from streams.key_files import keys_in, told

    with clear_errors():
        found = [told(file, name, keys) for file in files for keys in [keys_in(file)] for name in keys]
    if as_json:
        print_json(found)
        return
    for one in found:
        gateway = f"{one['gateway']}: " if one["gateway"] else ""
        say(f"{one['id']} {one['public']} # {gateway}{one['counts_for']}")


@app.command("revoke", epilog="Example: retally keys revoke floor.keys 56475aa75463474c --from 2026-12-10T14:00:00Z")
def revoke_key(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file of public keys that audits take.")],
    key: Annotated[str, typer.Argument(metavar="KEY-ID", help="The key, as 'retally keys list' tells it.")],
    since: Annotated[
        str,
        typer.Option(
            "--from", metavar="D", help="From when on: a date (its first moment in UTC), or 2026-12-10T14:00:00Z."
        ),
    ],
) -> None:
    """Revokes a key: no seal that it makes from then on counts, whatever table it is of.

    What it sealed before stands. A revocation can be made earlier than it was, never later.
    """
    from streams.key_files import first_moment, revoke

    with clear_errors():
        moment = first_moment(_given(since))
        revoke(file, key, moment)
    typer.echo(f"{key} counts for nothing from {moment:%Y-%m-%d %H:%M:%S} UTC on")


def _day(given: datetime | None) -> date | None:
    return None if given is None else given.date()


def _given(text: str) -> date:
    """A date or a moment, as it was given."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        refuse(f"--from {text}: neither a date (2026-12-10) nor a moment (2026-12-10T14:00:00Z)")
