"""``retally evidence``: bundles that prove themselves, and the seals of nights."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streams.commands.shell import (
    FOUND,
    Json,
    Keys,
    Packs,
    Place,
    clear_errors,
    packs_of,
    print_json,
    read_public_keys,
    refuse,
)

if TYPE_CHECKING:
    from replay.bundle.verify import Verified

app = typer.Typer(help="Evidence that proves itself, offline.", no_args_is_help=True)


@app.command("export", epilog="Example: retally evidence export --from demo/night.jsonl.zst --keys "
                      "demo/floor.keys --session CR01-2026-11-29 --round 12 --to hand.zip")  # fmt: skip
def export(
    source: Place,
    to: Annotated[Path, typer.Option(metavar="FILE.zip", help="The bundle; must not be there yet.")],
    session: Annotated[str | None, typer.Option(metavar="S", help="One session.")] = None,
    round_number: Annotated[int | None, typer.Option("--round", min=1, metavar="N", help="One of its rounds.")] = None,
    day: Annotated[
        datetime | None, typer.Option("--date", metavar="D", formats=["%Y-%m-%d"], help="All sessions of a gaming day.")
    ] = None,
    keys: Keys = None,
    packs: Packs = None,
    seal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The night's seal as it was issued (retally evidence root).")
    ] = None,
) -> None:
    """A bundle: the exact events with their seals, public keys, the law, verdicts, digests, and a page to read.

    A round's bundle holds the events of its whole session, for it rests on them. Exit status 1 when the bundle was
    written, but does not prove what it says, for the log itself is broken, open or not signed.
    """
    from replay.bundle.contents import Scope
    from replay.bundle.verify import verify
    from streams import bundle_files
    from streams.sources import open_source

    if (session is None) == (day is None) or (round_number is not None and session is None):
        refuse("say either --session S, with or without --round N, or --date D")
    scope = Scope(session=session, round=round_number, date=None if day is None else day.date().isoformat())
    with clear_errors():
        public_keys, law = read_public_keys(keys), packs_of(packs)
        sealed = None if seal is None else bundle_files.read_seal(seal)
        with open_source(source) as opened:
            content = bundle_files.export(opened, scope, packs=law, keys=public_keys, sealed=sealed)
        bundle_files.write(to, content)
        verified = verify(content, packs=law)
    typer.echo(f"{verified.scope}: {verified.events:,} events, {verified.settlements:,} settlements in {to}")
    _print_problems(verified)
    raise SystemExit(0 if verified.holds else FOUND)


@app.command("verify", epilog="Example: retally evidence verify hand.zip --keys floor.keys")
def verify_bundle(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip", help="A bundle, as it was exported.")],
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Public keys that you had another way; only these are trusted.")
    ] = None,
    root: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Root of the night's seal, or of the one before, that you hold."),
    ] = None,
    packs: Packs = None,
    as_json: Json = False,
) -> None:
    """Proves offline that nothing in a bundle was altered, dropped or added, and that its verdicts follow.

    The bundle is judged by the law in it. Whether that is the law of the installed packs, and of those in --packs, is
    said apart. Exit status 1 when something does not hold; each such thing is named. 2: it is no bundle.
    """
    from streams import bundle_files

    with clear_errors():
        verified = bundle_files.verify(file, packs=packs_of(packs), keys=read_public_keys(keys), root=root)
    if as_json:
        print_json({"holds": verified.holds, **{name: getattr(verified, name) for name in verified.__struct_fields__}})
    else:
        for what, value in bundle_files.told(verified):
            typer.echo(f"{what:<28} {value:,}" if isinstance(value, int) else f"{what:<28} {value}")
        _print_problems(verified)
        typer.echo("everything in it is proven" if verified.holds else "NOT PROVEN")
    raise SystemExit(0 if verified.holds else FOUND)


def _print_problems(verified: Verified) -> None:
    for complaint in verified.complaints:
        typer.echo(complaint)


@app.command("root", epilog="Example: retally evidence root --from floor-store --date 2026-11-29 "
                      "--after 2026-11-28.seal --to 2026-11-29.seal")  # fmt: skip
def root(
    source: Place,
    day: Annotated[datetime, typer.Option("--date", metavar="D", formats=["%Y-%m-%d"], help="The gaming day.")],
    to: Annotated[Path, typer.Option(metavar="FILE", help="The night's seal; must not be there yet.")],
    after: Annotated[Path | None, typer.Option(metavar="FILE", help="The seal of the night before.")] = None,
    as_json: Json = False,
) -> None:
    """One root over all sessions of a night that bear a checkpoint, which extends the night before: bundles prove
    themselves under it.

    It names no table that was closed, and nobody signs it: 'retally evidence seal' does both, in the floor's log.
    """
    from streams import bundle_files
    from streams.sources import open_source

    with clear_errors():
        before = None if after is None else bundle_files.read_seal(after)
        with open_source(source) as opened:
            sealed = bundle_files.seal_night(opened, day.date().isoformat(), before)
        bundle_files.write_seal(to, sealed)
    if as_json:
        print_json(sealed.head)
    else:
        typer.echo(f"{len(sealed.leaves):,} sessions of {sealed.head.date} sealed, {sealed.head.size:,} in all")
        typer.echo(f"root {sealed.head.root}")
