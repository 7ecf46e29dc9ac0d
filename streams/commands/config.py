"""``retally config``: how the live side is set up."""

from __future__ import annotations

import sys

import typer

from streams.commands.shell import ConfigFile, Json, clear_errors

app = typer.Typer(help="How the live side is set up.", no_args_is_help=True)


@app.command("show", epilog="Example: RETALLY_KAFKA=kafka-1:9092 retally config show")
def show(config: ConfigFile = None, as_json: Json = False) -> None:
    """All settings of the live side as they are now, without passwords. Each has a variable of its own."""
    import json

    from streams.live.config import PREFIX, load, shown, unknown_variables

    with clear_errors():
        values = shown(load(config))
    if as_json:
        typer.echo(json.dumps(values, indent=2))
    else:
        for name, value in values.items():
            typer.echo(f"{name} = {json.dumps(value) if value is not None else '(none)'}    # {PREFIX}{name.upper()}")
    for name in unknown_variables():
        sys.stderr.write(f"retally: {name} is set, but there is no such setting\n")
