"""``retally simulate``: a floor that plays, into files or Kafka."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from streams.commands.shell import Packs, clear_errors, gaming_day, packs_of, progress_bar, refuse, say

if TYPE_CHECKING:
    from streams.simulator.floor import Floor

EXAMPLE = "Example: retally simulate --tables 4 --hours 8 --faults 0.02 --truth truth.jsonl --to night.jsonl.zst"


def simulate(
    to: Annotated[
        str,
        typer.Option(metavar="LOG", help="A .jsonl or .jsonl.zst file, a folder (a file a day), or kafka://host:port."),
    ],
    tables: Annotated[int, typer.Option(min=1, max=999, help="Tables, dealt over the games in turn.")] = 4,
    hours: Annotated[float, typer.Option(min=0.1, max=24, help="How long each table is open a day.")] = 8.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 1,
    days: Annotated[int, typer.Option(min=1, max=366, help="Gaming days.")] = 1,
    first_day: Annotated[
        datetime | None, typer.Option("--date", formats=["%Y-%m-%d"], help="The first gaming day.")
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option("--game", help="Only this game; may be given more than once.")
    ] = None,
    faults: Annotated[float, typer.Option(min=0.0, max=1.0, help="Share of rounds in which a wrong is planted.")] = 0.0,
    truth: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to say what was planted (.jsonl).")] = None,
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write the gateway's public key, and its tables.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Seal with this private key ('retally keys new').")
    ] = None,
    cheats: Annotated[
        list[str] | None,
        typer.Option(
            "--cheat",
            metavar="NAME:KEY=VALUE,…",
            help="Somebody cheats, as in loaded-dice:face=6,from=2h; may be given more than once. Names, with what they"
            " take and its default: loaded-dice (face 6, heavier 0.3, dice 3), controlled-shooter (control 0.3),"
            " card-counter (spread 12), colluding-dealer (errs 0.1), past-poster (knows 0.3, units 5), unshuffled-shoe"
            " (kept 1), marked-cards (known 1, cards 1, units 5); each takes from (0) and table (NAME, or all) too.",
        ),
    ] = None,
    packs: Packs = None,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="PACK",
            help="Open all tables under this rule pack; without --game the games that it has are played.",
        ),
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(min=0.001, max=1e6, help="Into Kafka: so many seconds of play in one; else as fast as it goes."),
    ] = None,
) -> None:
    """Plays a floor: tables, players, dealers, sealed logs, and planted wrongs and cheats where asked for."""
    from streams.demo import FIRST_DAY, write_truth
    from streams.keys import read_private_key
    from streams.logs import KAFKA_SCHEME, LogWriter
    from streams.simulator.floor import Floor

    with clear_errors():
        begins = FIRST_DAY if first_day is None else gaming_day("--date", first_day, days=days)
        floor = Floor(
            tables=tables,
            hours=hours,
            seed=seed,
            first_day=begins,
            days=days,
            only=game or (),
            fault_rate=faults,
            cheats=cheats or (),
            packs=packs_of(packs),
            rules=rules,
        )
        if key is not None:
            floor.key = read_private_key(key)
        count = 0
        if to.startswith(KAFKA_SCHEME):
            _write_keys(keys, floor)  # whoever checks the seals needs them while it plays
            with progress_bar("playing", len(floor.days)) as progress:
                count = _play_to_kafka(floor, to, pace, progress)
        elif pace is not None:
            refuse("--pace goes with --to kafka://host:port; files are written as fast as it goes")
        else:
            with LogWriter(Path(to)) as log, progress_bar("simulating", len(floor.days)) as progress:
                _write_keys(keys, floor)
                for day in floor.days:
                    count += log.write(day.isoformat(), (line.text for line in floor.day(day)))
                    progress(1)
        if truth is not None:
            write_truth(truth, floor.truth)
    say(f"{count:,} events of {len(floor.plans)} tables over {len(floor.days)} days in {to}")
    if faults:
        typer.echo(f"{len(floor.truth):,} wrongs planted")


def _write_keys(file: Path | None, floor: Floor) -> None:
    from streams.whole import write_whole

    if file is not None:
        write_whole(file, floor.key_file().encode())


def _play_to_kafka(floor: Floor, where: str, pace: float | None, progress: Callable[[int], None]) -> int:
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
