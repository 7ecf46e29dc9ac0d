"""``retally evidence``: the floor's log, in which nights are sealed, and what is handed over and proven of it."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from replay.errors import RetallyError
from streams.commands.shell import FOUND, Json, Packs, Place, clear_errors, judging_of, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from replay.bundle.house_log import FloorLog, SealedNight
    from replay.bundle.leaves import Import
    from replay.bundle.policy import Policy

app = typer.Typer()

MAX_AHEAD_SECONDS: Final = 300
"""So far may a witness's clock be ahead of the house's."""

Log = Annotated[Path, typer.Option("--log", metavar="FOLDER", help="The floor's log.")]
Night = Annotated[
    datetime | None,
    typer.Option("--date", metavar="D", formats=["%Y-%m-%d"], help="Of this night; without it, of the last."),
]
PolicyFile = Annotated[
    Path | None,
    typer.Option("--policy", metavar="FILE", help="Whose word is enough: a policy as c2sp.org/tlog-policy has it."),
]
Witnesses = Annotated[
    list[str] | None,
    typer.Option("--witness", metavar="VKEY", help="A witness's key, or a file with it. May be given again."),
]


@app.command("new-log", epilog="Example: retally evidence new-log floor-1.log --origin "
                        "operator.example/retally/floor-1 --key floor-1.pem")  # fmt: skip
def new_log(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The floor's log; must not be there yet.")],
    origin: Annotated[str, typer.Option(metavar="NAME", help="The log's name, its own for ever and no other floor's.")],
    key: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the private key goes that signs its heads; must not be there.")
    ],
) -> None:
    """Begins the log of a floor, and makes the key that signs its heads.

    Prints the public key: give it to the regulator, who pins it.
    """
    from replay.bundle.note import LOG, key_of
    from streams.floor_logs import new_log as begin
    from streams.keys import new_key

    with clear_errors():
        key_of(origin, LOG, _ANY_KEY)
        if folder.exists():
            raise RetallyError(f"{folder}: is there already")
        _, public = new_key(key)
        found = key_of(origin, LOG, bytes.fromhex(public))
        begin(folder, found)
    typer.echo(found)


_ANY_KEY: Final = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
"""A public key (RFC 8032, section 7.1, test 1), to see whether a name can be a log's before a key is made for it."""


@app.command("seal", epilog="Example: retally evidence seal --from floor-store --date 2026-11-29 --log floor-1.log "
                     "--key floor-1.pem --keys floor.keys --roster tables.txt --to 2026-11-29.zip")  # fmt: skip
def seal(
    source: Place,
    day: Annotated[datetime, typer.Option("--date", metavar="D", formats=["%Y-%m-%d"], help="The gaming day.")],
    folder: Log,
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The private key that signs the log's heads.")],
    keys: Annotated[Path, typer.Option("--keys", metavar="FILE", help="The gateways' public keys.")],
    roster: Annotated[
        Path, typer.Option(metavar="FILE", help="The tables that the house may open: a line each, of the whole floor.")
    ],
    to: Annotated[Path, typer.Option(metavar="FILE.zip|FOLDER", help="The hand-over; must not be there yet.")],
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="The night's report, to hand over too.")] = None,
    closed: Annotated[
        list[str] | None, typer.Option(metavar="TABLE=REASON", help="A table that was not open. May be given again.")
    ] = None,
    absent: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE=REASON", help="A table that was open, but whose log has not come yet."),
    ] = None,
    closed_day: Annotated[
        list[str] | None,
        typer.Option(metavar="DAY=REASON", help="A day since the night before on which the whole floor was closed."),
    ] = None,
    ends: Annotated[str | None, typer.Option(metavar="REASON", help="The log ends with this night, for good.")] = None,
    new_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The private key that signs from the next night on.")
    ] = None,
    after: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Of a log's first night: the last seal of the old form, to take over."),
    ] = None,
    packs: Packs = None,
    as_json: Json = False,
) -> None:
    """Seals a night: its sessions become leaves of the floor's log, whose new head the house signs.

    Of every table of the roster one thing must be said: it has a session, was closed, or its log is still to come. What
    comes when its night has been sealed goes into the next night as late. Hand over what is written to the regulator;
    what he answers, `retally evidence cosigned` adds to the head. Exit status 1 when a session is not whole, or no
    longer what was sealed; each is named, and sealed as it is.
    """
    from replay.bundle import sealing
    from replay.bundle.house_log import hand_over
    from replay.bundle.house_log import seal as sealed_night
    from streams import floor_logs
    from streams.keys import read_private_key
    from streams.night_sessions import sessions_for
    from streams.sources import open_source

    date = day.date().isoformat()
    with clear_errors():
        judging = judging_of(packs, keys=keys)
        private = read_private_key(key)
        tables = floor_logs.read_roster_file(roster)
        said = sealing.Statement(
            date,
            tables,
            closed=_reasons("--closed", closed, tables),
            absent=_reasons("--absent", absent, tables),
            closed_days=_reasons("--closed-day", closed_day, None),
            ends=ends or "",
            report=None if report is None else floor_logs.read_file(report, _MAX_REPORT_BYTES),
        )
        if to.exists():
            raise RetallyError(f"{to}: is there already; name another")
        with floor_logs.writing(folder) as log:
            if log.state.date and date <= log.state.date:
                raise RetallyError(f"{folder}: the night of {log.state.date} is sealed; none is opened again")
            with open_source(source) as opened:
                found = sessions_for(opened, date, log, judging)
            entries = sealing.entries_of(
                log,
                said,
                found.judged,
                private,
                keys=judging.keys or {},
                new_key=None if new_key is None else read_private_key(new_key),
                imported=None if after is None else _imported(after),
            )
            night = sealed_night(log, entries, tables, private)
            handed = hand_over(night, said.report)
            floor_logs.write_night(folder, night, new=True)
        try:
            floor_logs.write_hand_over(to, handed)
        except RetallyError as error:
            raise RetallyError(f"{error}; the night is sealed: retally evidence hand-over writes it anew") from None
    told = _told(entries, found.unread)
    if as_json:
        print_json({"night": night.night, "head": night.head, "told": told, "later": found.later})
    else:
        for line in told:
            typer.echo(line)
        own = night.night
        typer.echo(f"the night of {date}: {own.count:,} leaves, after which the log has {own.first + own.count + 1:,}")
        typer.echo(night.head.split("\n\n")[0])
    raise SystemExit(FOUND if told else 0)


_MAX_REPORT_BYTES: Final = 64 * 1024 * 1024


def _reasons(option: str, given: list[str] | None, names: Sequence[str] | None) -> dict[str, str]:
    """What ``NAME=REASON`` says, by name; ``names``: those that there are, which may hold an equals sign."""
    found: dict[str, str] = {}
    for text in given or ():
        known = [text.partition("=")[0]] if names is None else names
        name = max((name for name in known if name and text.startswith(f"{name}=")), key=len, default="")
        reason = text[len(name) + 1 :].strip()
        if not name or not reason:
            what = "a day" if names is None else "a table of the roster"
            raise RetallyError(f"{option} {text}: not {what}, an equals sign and a reason")
        found[name] = reason
    return found


def _imported(file: Path) -> Import:
    from replay.bundle.leaves import Import
    from streams.bundle_files import read_seal

    head = read_seal(file).head
    return Import(date=head.date, size=head.size, root=head.root)


def _told(entries: Sequence[object], unread: Sequence[str]) -> list[str]:
    """What is not as it should be, a line each."""
    from replay.bundle.floor_log import STATES
    from replay.bundle.leaves import Late, Session

    found: list[str] = []
    for entry in entries:
        if isinstance(entry, Session | Late) and entry.state != "whole":
            found.append(f"session {entry.session}: sealed as {entry.state}: {STATES[entry.state]}")
        if isinstance(entry, Late) and entry.how == "other":
            found.append(f"session {entry.session}: is no longer what was sealed as number {entry.instead_of}")
    return found + [f"session {name}: is in no night: no event of it can be read" for name in unread]


@app.command("hand-over", epilog="Example: retally evidence hand-over --log floor-1.log --to 2026-11-29.zip")
def hand_over(
    folder: Log,
    to: Annotated[Path, typer.Option(metavar="FILE.zip|FOLDER", help="The hand-over; must not be there yet.")],
    day: Night = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The report that the night was sealed with.")
    ] = None,
) -> None:
    """Writes the hand-over of a sealed night anew, for one that was lost."""
    from replay.bundle.house_log import hand_over as handed
    from streams import floor_logs

    with clear_errors():
        night = _night(floor_logs.read_log(folder), folder, day)
        content = None if report is None else floor_logs.read_file(report, _MAX_REPORT_BYTES)
        floor_logs.write_hand_over(to, handed(night, content))
    typer.echo(f"the night of {night.night.date} in {to}")


def _night(log: FloorLog, folder: Path, day: datetime | None) -> SealedNight:
    """The night asked for. Raises `RetallyError`."""
    if not log.nights:
        raise RetallyError(f"{folder}: holds no night yet")
    if day is None:
        return log.nights[-1]
    try:
        return log.nights_from(day.date().isoformat())[0]
    except RetallyError as error:
        raise RetallyError(f"{folder}: {error}") from None


@app.command("cosigned", epilog="Example: retally evidence cosigned answer.txt --log floor-1.log --policy policy.txt")
def cosigned(
    answer: Annotated[Path, typer.Argument(metavar="FILE", help="The signature line that the witness gave.")],
    folder: Log,
    day: Night = None,
    witness: Witnesses = None,
    policy: PolicyFile = None,
) -> None:
    """Adds a witness's signature to the head of a night, once it is sure that it is his and of this head."""
    import msgspec

    from replay.bundle.checkpoint import read_head
    from replay.bundle.policy import utc
    from replay.bundle.witness import cosignature_of
    from streams import floor_logs

    with clear_errors():
        known = floor_logs.witnesses_of(_policy(policy), witness or [])
        if not known:
            raise RetallyError("say by --witness or --policy whose signature it must be")
        with floor_logs.writing(folder) as log:
            night = _night(log, folder, day)
            head = read_head(night.head.encode(), log.keys, known)
            line, key, at = cosignature_of(floor_logs.read_file(answer), head, known)
            before = max((one.time or 0 for one in head.signed if one.key == key), default=0)
            if at < before:
                raise RetallyError(f"{answer}: is older than the signature of {key.name} that the head bears")
            if at > time.time() + MAX_AHEAD_SECONDS:
                raise RetallyError(f"{answer}: {key.name} has signed at {utc(at)}, which has not been yet")
            signed = msgspec.structs.replace(night, head=bytes(head.note.beside(line)).decode())
            floor_logs.write_night(folder, signed, new=False)
    typer.echo(f"the night of {night.night.date} is witnessed by {key.name} at {utc(at)}")


def _policy(file: Path | None) -> Policy | None:
    from streams.floor_logs import read_policy_file

    return None if file is None else read_policy_file(file)


@app.command("status", epilog="Example: retally evidence status --log floor-1.log --policy policy.txt")
def status(folder: Log, day: Night = None, policy: PolicyFile = None, as_json: Json = False) -> None:
    """The head of a night, and who vouches for it.

    Exit status 1 when a policy is given, and the witnesses that it asks for have not signed.
    """
    from replay.bundle.policy import standing
    from streams import floor_logs

    with clear_errors():
        rules = _policy(policy)
        log = floor_logs.read_log(folder)
        night = _night(log, folder, day)
        found = None if rules is None else standing(night.head.encode(), rules)
    own = night.night
    if as_json:
        by = [] if found is None else [{"name": one.name, "time": one.time} for one in found.witnessed]
        owed = [f"{one.table} {one.date}" for one in log.state.owed]
        print_json({"date": own.date, "head": night.head, "witnessed": by, "owed": owed})
    else:
        typer.echo(f"{log.state.key.name}: the night of {own.date}, {own.first + own.count + 1:,} leaves")
        for one in log.state.owed:
            typer.echo(f"table {one.table}: its session of {one.date} is still to come")
        typer.echo(night.head, nl=False)
        if found is not None:
            typer.echo(found)
    raise SystemExit(FOUND if found is not None and not found.is_met else 0)


@app.command("heads", epilog="Example: retally evidence heads monday.checkpoint tuesday.checkpoint --log floor-1.log")
def heads(
    first: Annotated[Path, typer.Argument(metavar="FILE", help="A head.")],
    second: Annotated[Path, typer.Argument(metavar="FILE", help="Another head of the same log.")],
    key: Annotated[
        list[str] | None,
        typer.Option("--key", metavar="VKEY", help="The log's public key, or a file with it; again where it changed."),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--log", metavar="FOLDER", help="The house's log, to prove that one extends the other."),
    ] = None,
) -> None:
    """Whether two heads can both be of one log: finds a split view.

    Exit status 1 for two heads that cannot; both are printed. Heads of two sizes are compared by the house's log alone.
    """
    from replay.bundle.note import LOG
    from replay.bundle.placement import Views, compare
    from streams import floor_logs

    with clear_errors():
        log = None if folder is None else floor_logs.read_log(folder)
        logs = [floor_logs.key_from(text, LOG) for text in key or ()] + ([] if log is None else log.keys)
        if not logs:
            raise RetallyError("say by --key or --log whose heads they must be")
        notes = [floor_logs.read_file(file) for file in (first, second)]
        proof = None if log is None else _consistency(log, notes)
        found = compare(notes[0], notes[1], logs, proof)
    if found is Views.SPLIT:
        for text in notes:
            typer.echo(text.decode(), nl=False)
    typer.echo(found.value)
    raise SystemExit(FOUND if found is Views.SPLIT else 0)


def _consistency(log: FloorLog, notes: Sequence[bytes]) -> tuple[bytes, ...] | None:
    """The proof, by the house's log, that the larger of two heads extends the smaller; None where it has none such."""
    from replay.bundle import note
    from replay.bundle.checkpoint import read_text
    from replay.bundle.house_log import grows

    small, large = sorted(read_text(note.read_note(text).text).size for text in notes)
    ends = [night.night.first + night.night.count + 1 for night in log.nights]
    if large not in ends or small not in ends:
        return None
    return grows(log.nights[ends.index(small) : ends.index(large) + 1], small)
