"""``retally witness``: the regulator's side of a floor's log."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from streams.commands.shell import FOUND, Json, clear_errors, print_json

app = typer.Typer(help="The regulator's side: checks a night, remembers it, signs its head.", no_args_is_help=True)

State = Annotated[Path, typer.Option("--state", metavar="FILE", help="What the witness remembers of this log.")]


@app.command("new", epilog="Example: retally witness new --log floor-1.vkey --name regulator.example/w1 "
                    "--key witness.pem --state floor-1.state")  # fmt: skip
def new(
    log: Annotated[str, typer.Option(metavar="VKEY", help="The log's public key, as the house gave it, or its file.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="The witness's name, its own for ever.")],
    key: Annotated[Path, typer.Option(metavar="FILE", help="The witness's private key; made where it is not there.")],
    state: State,
) -> None:
    """Begins to witness a log: makes a key, unless there is one, and a memory that knows no head yet.

    Prints the public key: whoever verifies a head's signature needs it.
    """
    from replay.bundle.note import LOG, WITNESS, key_of
    from replay.evidence import public_half
    from streams.floor_logs import FloorLogError, key_from
    from streams.keys import new_key, read_private_key
    from streams.witnessing import new_witness

    with clear_errors():
        pinned = key_from(log, LOG)
        if state.exists():
            raise FloorLogError(f"{state}: is there already; what a witness remembers is never begun anew")
        if not key.exists():
            new_key(key)
        found = key_of(name, WITNESS, bytes(public_half(read_private_key(key))))
        new_witness(state, pinned, found)
    typer.echo(found)


@app.command("check", epilog="Example: retally witness check 2026-11-29.zip --state floor-1.state --key witness.pem "
                      "--roster licensed.txt --to answer.txt")  # fmt: skip
def check(
    hand_over: Annotated[Path, typer.Argument(metavar="HANDOVER", help="What the house handed over: a zip or folder.")],
    state: State,
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The witness's private key.")],
    day: Annotated[
        datetime | None,
        typer.Option("--date", metavar="D", formats=["%Y-%m-%d"], help="The night that is expected."),
    ] = None,
    roster: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The tables that the witness knows of himself: a line each.")
    ] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the signature goes; without it, to standard output.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Checks a night against what is remembered, remembers it, and only then signs its head.

    Exit status 1 for an alarm: something that the house has signed and may not have signed (another history than the
    one that was accepted, a night that is missing, a table of which nothing is said). Both notes are kept beside the
    memory, in FILE.alarms. Exit status 2: it cannot be read, or the house has not signed it.
    """
    from replay.bundle.witness import Alarm
    from streams.floor_logs import read_hand_over, read_roster_file
    from streams.keys import read_private_key
    from streams.whole import write_whole
    from streams.witnessing import alarms_of, cosign

    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    with clear_errors():
        private = read_private_key(key)
        tables = None if roster is None else read_roster_file(roster)
        handed = read_hand_over(hand_over)
        try:
            signed = cosign(
                state,
                handed,
                private,
                now=int(time.time()),
                roster=tables,
                date=None if day is None else day.date().isoformat(),
                latest=tomorrow,
            )
        except Alarm as alarm:
            if as_json:
                print_json({"alarm": alarm.code, "text": str(alarm)})
            else:
                typer.echo(f"ALARM ({alarm.code}): {alarm}")
                typer.echo(f"both notes are kept in {alarms_of(state)}")
            raise SystemExit(FOUND) from None
        if to is not None:
            write_whole(to, str(signed.signature).encode())
    found = signed.checked
    remarks = [] if found.followed is None else found.followed.remarks
    if as_json:
        print_json(
            {
                "date": found.date,
                "size": found.head.size,
                "again": found.followed is None,
                "remarks": remarks,
                "signature": str(signed.signature),
            }
        )
        return
    for remark in remarks:
        typer.echo(remark, err=to is None)
    again = " again" if found.followed is None else ""
    typer.echo(
        f"signed{again}: the night of {found.date}, after which the log has {found.head.size:,} leaves", err=to is None
    )
    if to is None:
        typer.echo(str(signed.signature), nl=False)


@app.command("status", epilog="Example: retally witness status --state floor-1.state --date 2026-11-29")
def status(
    state: State,
    day: Annotated[
        datetime | None,
        typer.Option(
            "--date", metavar="D", formats=["%Y-%m-%d"], help="The night that must have been accepted by now."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """What is remembered of a log.

    Exit status 1 when the night of --date has not been accepted: nobody has handed it over, or it was an alarm.
    """
    from replay.bundle.policy import utc
    from replay.bundle.witness import is_overdue
    from streams.witnessing import read_state

    with clear_errors():
        found = read_state(state)
        overdue = day is not None and is_overdue(found, day.date().isoformat())
    log = found.log
    if as_json:
        owed = [f"{one.table} {one.date}" for one in log.owed]
        print_json({"log": log.log, "date": log.date, "size": log.size, "overdue": overdue, "owed": owed})
    else:
        typer.echo(f"{log.log}")
        typer.echo(
            f"{len(found.accepted):,} nights accepted, {log.size:,} leaves" + (f", last {log.date}" if log.date else "")
        )
        if found.cosigned:
            typer.echo(f"signed last at {utc(found.cosigned)}")
        for one in log.owed:
            typer.echo(f"table {one.table}: its session of {one.date} is still to come")
        if overdue and day is not None:
            typer.echo(f"ALARM (overdue): the night of {day.date().isoformat()} has not been accepted")
    raise SystemExit(FOUND if overdue else 0)
