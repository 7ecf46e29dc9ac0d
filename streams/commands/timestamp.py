"""``retally evidence``: time stamps (RFC 3161) on the heads of nights."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from replay.errors import RetallyError
from streams.commands.shell import clear_errors

if TYPE_CHECKING:
    from replay.bundle.checkpoint import Head

app = typer.Typer()

Log = Annotated[Path, typer.Option("--log", metavar="FOLDER", help="The floor's log.")]
Night = Annotated[
    datetime | None,
    typer.Option("--date", metavar="D", formats=["%Y-%m-%d"], help="Of this night; without it, of the last."),
]
Certificates = Annotated[
    Path,
    typer.Option("--certificates", metavar="FILE", help="The authority's certificates (PEM), its root among them."),
]


def _head(folder: Path, day: datetime | None) -> tuple[str, Head]:
    """The date of a night of the log, and its head. Raises `RetallyError`."""
    from replay.bundle.checkpoint import read_head
    from streams.floor_logs import read_log

    log = read_log(folder)
    if not log.nights:
        raise RetallyError(f"{folder}: holds no night yet")
    night = log.nights[-1] if day is None else log.nights_from(day.date().isoformat())[0]
    return night.night.date, read_head(night.head.encode(), log.keys)


@app.command("timestamp-request", epilog="Example: retally evidence timestamp-request --log floor-1.log --to "
             "night.tsq; curl -H 'Content-Type: application/timestamp-query' --data-binary @night.tsq "
             "https://tsa.example > night.tsr")  # fmt: skip
def timestamp_request(
    folder: Log,
    to: Annotated[Path, typer.Option(metavar="FILE", help="The question; must not be there yet.")],
    day: Night = None,
) -> None:
    """Writes the question that a time-stamping authority is asked about the head of a night."""
    from replay.bundle.timestamps import stamped
    from streams.timestamps import question
    from streams.whole import write_whole

    with clear_errors():
        _, head = _head(folder, day)
        write_whole(to, question(stamped(head)), new=True)


@app.command("timestamp-add", epilog="Example: retally evidence timestamp-add night.tsr --request night.tsq "
                              "--certificates tsa.pem --log floor-1.log")  # fmt: skip
def timestamp_add(
    reply: Annotated[Path, typer.Argument(metavar="FILE", help="What the authority has answered.")],
    request: Annotated[Path, typer.Option(metavar="FILE", help="The question that it was asked.")],
    certificates: Certificates,
    folder: Log,
    day: Night = None,
) -> None:
    """Keeps a time stamp beside the head of a night, once it is sure that it holds and answers the question."""
    from replay.bundle.timestamps import MAX_BYTES, read_certificates, read_stamp, stamped
    from streams.floor_logs import read_file
    from streams.timestamps import nonce_of
    from streams.whole import write_whole

    with clear_errors():
        date, head = _head(folder, day)
        data = read_file(reply, MAX_BYTES)
        found = read_stamp(
            data, stamped(head), read_certificates(read_file(certificates)), nonce=nonce_of(read_file(request))
        )
        write_whole(folder / f"night-{date}.tsr", data)
    typer.echo(f"the night of {date}: {found}")


@app.command("timestamp-check", epilog="Example: retally evidence timestamp-check floor-1.log/night-2026-11-29.tsr "
                                "night.checkpoint --key floor-1.vkey --certificates tsa.pem")  # fmt: skip
def timestamp_check(
    stamp: Annotated[Path, typer.Argument(metavar="FILE", help="The time stamp.")],
    head: Annotated[Path, typer.Argument(metavar="FILE", help="The head, as it was handed over.")],
    key: Annotated[
        list[str],
        typer.Option("--key", metavar="VKEY", help="The log's public key, or its file; again where it changed."),
    ],
    certificates: Certificates,
) -> None:
    """Proves offline, with nothing but the authority's certificates, when a head was there.

    Exit status 2 when it is not proven.
    """
    from replay.bundle.checkpoint import read_head
    from replay.bundle.note import LOG
    from replay.bundle.timestamps import MAX_BYTES, read_certificates, read_stamp, stamped
    from streams.floor_logs import key_from, read_file

    with clear_errors():
        found = read_head(read_file(head), [key_from(text, LOG) for text in key])
        trusted = read_certificates(read_file(certificates))
        told = read_stamp(read_file(stamp, MAX_BYTES), stamped(found), trusted)
    typer.echo(told)
