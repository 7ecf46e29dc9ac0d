"""The live side's commands. The command line imports this module for every command: it imports nothing slow itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from streams.logs import Log
    from streams.simulator.floor import Floor

KAFKA = "kafka://"

config_app = typer.Typer(help="How the live side is set up.", no_args_is_help=True)
keys_app = typer.Typer(help="The gateways' keys, which seal the logs.", no_args_is_help=True)

ConfigFile = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="A TOML file of settings; else RETALLY_CONFIG names it.")
]


@contextmanager
def _clear_errors() -> Iterator[None]:
    """What is wrong with settings or keys is said in one line."""
    from streams.auditing import KeyFileError
    from streams.live.errors import LiveError

    try:
        yield
    except (LiveError, KeyFileError) as error:
        sys.stderr.write(f"retally: {error}\n")
        raise SystemExit(2) from None


def work(config: Path | None, **given: object) -> None:
    """Run the worker until it is told to stop. Raises `LiveError`, `streams.store.StoreError` and the like."""
    from streams.live.config import load

    settings = load(config, **given)
    if settings.processes > 1:
        from streams.live.crew import run
    else:
        from streams.live.worker import run
    run(settings)


@config_app.command("show", epilog="Example: RETALLY_KAFKA=kafka-1:9092 retally config show")
def config_show(
    config: ConfigFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """All settings of the live side as they are now, without passwords. Each has a variable of its own."""
    import json

    from streams.live.config import PREFIX, load, shown, unknown_variables

    with _clear_errors():
        values = shown(load(config))
    if as_json:
        typer.echo(json.dumps(values, indent=2))
    else:
        for name, value in values.items():
            typer.echo(f"{name} = {json.dumps(value) if value is not None else '(none)'}    # {PREFIX}{name.upper()}")
    for name in unknown_variables():
        sys.stderr.write(f"retally: {name} is set, but there is no such setting\n")


@keys_app.command("new", epilog="Example: retally keys new gateway-7.pem --public floor.keys")
def keys_new(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="Where the private key goes (PEM); it must not be there.")],
    public: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add the public key to this file, which audits take.")
    ] = None,
) -> None:
    """Makes a gateway's key: the private one for the gateway alone, the public one for whoever checks its seals."""
    from streams.keys import add_public_key, new_key

    with _clear_errors():
        name, hexadecimal = new_key(to)
        if public is not None:
            add_public_key(public, name, hexadecimal)
    typer.echo(f"{name} {hexadecimal}")


@keys_app.command("list", epilog="Example: retally keys list floor.keys")
def keys_list(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of public keys, or private keys (PEM).")],
) -> None:
    """The public keys in these files, as lines 'key-id hexadecimal'; of a private key its public one."""
    from streams.keys import public_keys_in

    with _clear_errors():
        found = [key for file in files for key in public_keys_in(file).items()]
    for name, hexadecimal in found:
        typer.echo(f"{name} {hexadecimal}")


def log_at(where: str) -> Log:
    """The log at ``where``: a file, a folder, or the topics of ``kafka://host:port`` up to their present ends."""
    if not where.startswith(KAFKA):
        return Path(where)
    from streams.live.config import load
    from streams.live.source import kafka_log

    return kafka_log(load(kafka=where))


def play_to_kafka(floor: Floor, where: str, pace: float | None, progress: Callable[[int], None]) -> int:
    """Play ``floor`` to ``kafka://host:port``; how many events there were. Raises `LiveError`."""
    from functools import partial

    from streams.live.config import load
    from streams.live.creation import ensure
    from streams.live.play import play
    from streams.live.publisher import Publisher, producer

    settings = load(kafka=where)
    ensure(settings)
    with Publisher(partial(producer, settings)) as publisher:
        return play(floor, publisher, pace=pace, progress=progress)
