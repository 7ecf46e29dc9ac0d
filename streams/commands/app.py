"""The command ``retally``: all commands tied together, in the order in which its help lists them.

Exit status 0: clean; 1: something was found; 2: bad input, with one clear line on standard error; 141: whoever read
the output has enough of it, as ``head`` has after its lines, and the command has stopped, as every other then does.

A command's module is imported for every other command too, so none imports anything slow but in its functions.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Final, NoReturn

import typer
from typer.core import TyperGroup

from streams.commands import (
    audit,
    config,
    dashboards,
    demo,
    evidence,
    floor_log,
    import_phh,
    keys,
    odds,
    replay,
    report,
    rules,
    schema,
    settle,
    simulate,
    streaks,
    timestamp,
    view,
    witness,
    worker,
)
from streams.commands.shell import BAD_INPUT, refuse


class _ReaderGone(Exception):
    """Nobody reads what a command prints. Typer would make of it that something was found."""


class _Commands(TyperGroup):
    """All commands; what they have printed is out when they end."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            raise _ReaderGone from None


app = typer.Typer(
    name="retally",
    cls=_Commands,
    help="Recomputes every settlement of a casino floor from the tables' own events, under the regulation in force.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
app.command(epilog=settle.EXAMPLE)(settle.settle)
app.command(epilog=audit.EXAMPLE)(audit.audit)
app.command(epilog=replay.EXAMPLE)(replay.replay)
app.command(epilog=view.EXAMPLE)(view.view)
app.command(epilog=streaks.EXAMPLE)(streaks.streaks)
app.command(epilog=odds.EXAMPLE)(odds.odds)
app.command(epilog=schema.EXAMPLE)(schema.schema)
app.command(epilog=simulate.EXAMPLE)(simulate.simulate)
app.command(epilog=worker.EXAMPLE)(worker.worker)
app.command(epilog=demo.EXAMPLE)(demo.demo)
app.add_typer(rules.app, name="rules")
evidence.app.add_typer(floor_log.app)
evidence.app.add_typer(timestamp.app)
app.add_typer(evidence.app, name="evidence")
app.add_typer(witness.app, name="witness")
app.add_typer(import_phh.app, name="import")
app.add_typer(report.app, name="report")
app.add_typer(dashboards.app, name="dashboards")
app.add_typer(config.app, name="config")
app.add_typer(keys.app, name="keys")


_INTERRUPTED: Final = 130
"""What typer gives back where a command was interrupted."""
_READER_GONE: Final = 141
"""128 and the number of SIGPIPE: as a shell tells of a command that this signal has ended."""


def main() -> None:
    """The command ``retally``."""
    try:
        status = app(prog_name="retally", standalone_mode=False)
    except typer.TyperException as error:
        _refuse_usage(error)
    except KeyboardInterrupt:
        status = _INTERRUPTED
    except typer.Abort:
        refuse("nothing more is to be read")
    except _ReaderGone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what the interpreter flushes at its end
        raise SystemExit(_READER_GONE) from None
    if status == _INTERRUPTED:
        refuse("interrupted")
    raise SystemExit(status if isinstance(status, int) else 0)


def _refuse_usage(error: typer.TyperException) -> NoReturn:
    """A command, option or value that there is not, in one line; where nothing was asked for, the help was shown."""
    reason = error.format_message()
    if not reason:
        raise SystemExit(BAD_INPUT)
    context: typer.Context | None = getattr(error, "ctx", None)
    help_of = context.command_path if context is not None else "retally"
    refuse(f"{' '.join(reason.split())} (see {help_of} --help)")
