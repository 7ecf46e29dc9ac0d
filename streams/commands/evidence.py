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
    say,
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
    log: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The floor's log, in which it was sealed (retally evidence seal)."),
    ] = None,
    seal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The night's seal of the old form, as it was issued.")
    ] = None,
) -> None:
    """A bundle: the exact events with their seals, public keys, the law, verdicts, digests, and a page to read.

    A round's bundle holds the events of its whole session, for it rests on them. Exit status 1 when the bundle was
    written, but does not prove what it says, for the log itself is broken, open or not signed.
    """
    from replay.bundle.contents import Scope
    from replay.bundle.verify import verify
    from streams import bundle_files
    from streams.floor_logs import read_log
    from streams.sources import open_source

    if (session is None) == (day is None) or (round_number is not None and session is None):
        refuse("say either --session S, with or without --round N, or --date D")
    if log is not None and seal is not None:
        refuse("say either --log or --seal")
    scope = Scope(session=session, round=round_number, date=None if day is None else day.date().isoformat())
    with clear_errors():
        public_keys, law = read_public_keys(keys), packs_of(packs)
        sealed = None if seal is None else bundle_files.read_seal(seal)
        floor_log = None if log is None else read_log(log)
        with open_source(source) as opened:
            content = bundle_files.export(opened, scope, packs=law, keys=public_keys, log=floor_log, sealed=sealed)
        bundle_files.write(to, content)
        verified = verify(content, packs=law, keys=public_keys)
    say(f"{verified.scope}: {verified.events:,} events, {verified.settlements:,} settlements in {to}")
    _print_statements(verified)
    raise SystemExit(0 if verified.holds else FOUND)


@app.command("verify", epilog="Example: retally evidence verify hand.zip --keys floor.keys")
def verify_bundle(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip", help="A bundle, as it was exported.")],
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Public keys that you had another way; only these are trusted.")
    ] = None,
    root: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Root of the head that it stands under, that you had another way."),
    ] = None,
    policy: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Whose word about a head is enough (c2sp.org/tlog-policy); from another way."
        ),
    ] = None,
    packs: Packs = None,
    as_json: Json = False,
) -> None:
    """Says of a bundle, offline, statement by statement what is proven, what was not asked, and what has failed.

    The bundle is judged by the law in it. Whether that is the law of the installed packs, and of those in --packs, is
    said apart. Whose keys have sealed it, only --keys can tell; whether it is all, only --policy or --root. Exit status
    1 when a statement has failed; each place is named. 2: it is no bundle, or what it was to be held to is none.
    """
    from replay.bundle.strict import is_digest
    from streams import bundle_files
    from streams.floor_logs import read_policy_file

    if root is not None and not is_digest(root.lower()):
        refuse(f"--root {root}: is no root of a head, 64 hexadecimal digits")
    with clear_errors():
        verified = bundle_files.verify(
            file,
            packs=packs_of(packs),
            keys=read_public_keys(keys),
            root=root,
            policy=None if policy is None else read_policy_file(policy),
        )
    if as_json:
        print_json({"holds": verified.holds, **{name: getattr(verified, name) for name in verified.__struct_fields__}})
    else:
        for what, value in bundle_files.told(verified):
            say(f"{what:<28} {value:,}" if isinstance(value, int) else f"{what:<28} {value}")
        _print_statements(verified)
    raise SystemExit(0 if verified.holds else FOUND)


@app.command("verifier", epilog="Example: retally evidence verifier --to verifier.html")
def write_verifier(
    to: Annotated[Path, typer.Option(metavar="FILE.html", help="The page to write.")],
) -> None:
    """Writes the second verifier, a page that any browser opens from the disk: choose a bundle in it, and it says what
    is proven of bytes, seals, keys and log. It shares nothing with `verify`, and judges no bets.

    It is the page that is in every bundle, without a bundle: had before, it is nobody's who could alter both.
    """
    from replay.bundle.page import frame, verifier_page
    from streams import bundle_files

    with clear_errors():
        bundle_files.write(to, verifier_page().encode())
    say(f"{to}: open it in a browser (frame {frame().digest})")


def _print_statements(verified: Verified) -> None:
    from streams import bundle_files

    for line in bundle_files.table(verified.statements):
        say(line)
    say(bundle_files.conclusion(verified))
