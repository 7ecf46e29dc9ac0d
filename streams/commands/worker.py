"""``retally worker``: the live side's processes."""

from __future__ import annotations

from typing import Annotated

import typer

from streams.commands.shell import ConfigFile, Keys, Packs, clear_errors

EXAMPLE = "Example: retally worker --kafka kafka-1:9092 --store clickhouse://retally@ch-1/retally"


def worker(
    config: ConfigFile = None,
    kafka: Annotated[str | None, typer.Option(metavar="HOST:PORT", help="Brokers to begin with.")] = None,
    store: Annotated[
        str | None, typer.Option(metavar="STORE", help="clickhouse://user@host:port/database, or a folder.")
    ] = None,
    keys: Keys = None,
    packs: Packs = None,
    group: Annotated[str | None, typer.Option(help="The workers of one group share the tables.")] = None,
    processes: Annotated[int | None, typer.Option(help="So many, each on a processor of its own.")] = None,
) -> None:
    """The Faust worker: Kafka in, verdicts out, ClickHouse filled. 'retally config show' lists all that can be set.

    Ends on SIGTERM or SIGINT after writing what it has; may be killed at any moment without loss.
    """
    from streams.live.config import load

    with clear_errors():
        given = tuple(packs) if packs else None
        settings = load(config, kafka=kafka, store=store, keys=keys, packs=given, group=group, processes=processes)
        if settings.processes > 1:
            from streams.live.crew import run
        else:
            from streams.live.worker import run
        run(settings)
