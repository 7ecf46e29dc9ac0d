"""``retally dashboards``: Grafana's dashboards, built, checked on a store, shown, pushed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from streams.commands.shell import FOUND, Packs, StoreOption, clear_errors, packs_of, refuse, say

TOKEN = "RETALLY_GRAFANA_TOKEN"
"""The environment variable with a service account's token."""
SLOWEST = 3
"""How many of the slowest queries are told."""

app = typer.Typer(help="Grafana's dashboards.", no_args_is_help=True)

ViewerOption = Annotated[
    str,
    typer.Option(metavar="URL", help="Where 'retally view' answers: links to a round lead there as well."),
]


@app.callback()
def _dashboards() -> None:
    """Grafana's dashboards."""


@app.command("build", epilog="Example: retally dashboards build --to deploy/grafana")
def build(
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="Where dashboards/ and alerting/ go.")],
    check: Annotated[bool, typer.Option("--check", help="Write nothing; say which files are not as built.")] = False,
    viewer: ViewerOption = "",
    packs: Packs = None,
) -> None:
    """Writes the dashboards and alert rules as the files that Grafana is provisioned with.

    Exit status with --check: 0 when every file is as it would be written, 1 otherwise.
    """
    from dashboards.grafana import files
    from streams.whole import write_all

    address = _viewer(viewer)
    with clear_errors():
        made = files(packs_of(packs), address)
        if check:
            drifted = [name for name, text in made.items() if not _holds(to / name, text)]
            for name in drifted:
                say(f"{to / name} is not what is built")
            raise SystemExit(FOUND if drifted else 0)
        for path in write_all(to, {name: text.encode() for name, text in made.items()}):
            say(path)


def _viewer(url: str) -> str:
    """The viewer's address as it was given, or nothing; refused where it is no address of the web."""
    if url and not url.startswith(("http://", "https://")):
        refuse(f"--viewer: {url}: an address such as https://retally.example is wanted")
    return url


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


@app.command("check", epilog="Example: retally dashboards check --store demo/store --data")
def check(
    store: StoreOption,
    data: Annotated[bool, typer.Option("--data", help="A panel or variable without data is an error too.")] = False,
    packs: Packs = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print every query's outcome, for programs.")] = False,
) -> None:
    """Validates the dashboards against Grafana's schema and runs every query on the store, as the plugin would.

    The time shown is that of the latest gaming day. Exit status 0 when all is well, 1 otherwise.
    """
    from dashboards.grafana import built
    from dashboards.grafana.alerts import provisioning
    from dashboards.grafana.checking import last_night, run_all, schema_problems
    from streams.store import open_store

    with clear_errors(), open_store(store, create=False) as opened:
        boards = built(packs_of(packs))
        ask = opened.query_columns
        ran = run_all(boards, provisioning(), ask, last_night(ask))
    problems = [problem for board in boards for problem in schema_problems(board)]
    problems += [f"{each.query.where}: {each.problem}" for each in ran if each.problem]
    if data:
        problems += [f"{each.query.where}: no data" for each in ran if not each.problem and each.rows == 0]
    if as_json:
        queries = [{"where": e.query.where, "rows": e.rows, "ms": round(e.ms, 1), "problem": e.problem} for e in ran]
        typer.echo(json.dumps({"problems": problems, "queries": queries}, indent=2))
    else:
        for problem in problems:
            say(problem)
        slowest = sorted(ran, key=lambda each: -each.ms)[:SLOWEST]
        told = ", ".join(f"{each.query.where} {each.ms:.0f} ms" for each in slowest)
        typer.echo(f"{len(boards)} dashboards, {len(ran)} queries, {len(problems)} problems; the slowest: {told}")
    raise SystemExit(FOUND if problems else 0)


@app.command("preview", epilog="Example: retally dashboards preview --store demo/store --to preview")
def preview(
    store: StoreOption,
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the pages go; it is made where it is not there.")],
    packs: Packs = None,
) -> None:
    """Draws each dashboard as a page of its own, from the store and without Grafana: the latest gaming day.

    Beside them each table's night that they link to has a page, with the rounds that the links lead to.
    """
    from dashboards.grafana import built
    from dashboards.grafana.checking import last_night
    from dashboards.grafana.preview import pages
    from streams.store import open_store
    from streams.whole import write_all

    with clear_errors():
        with open_store(store, create=False) as opened:
            ask = opened.query_columns
            made = pages(built(packs_of(packs)), ask, last_night(ask))
        for path in write_all(to, {name: page.encode() for name, page in made.items()}):
            say(path)


@app.command(
    "push", epilog="Example: RETALLY_GRAFANA_TOKEN=… retally dashboards push --url https://grafana.example:3000"
)
def push(
    url: Annotated[str, typer.Option(metavar="URL", help="Grafana's address.")],
    viewer: ViewerOption = "",
    packs: Packs = None,
) -> None:
    """Puts the dashboards into a Grafana, over those of the same uid; the token comes from RETALLY_GRAFANA_TOKEN."""
    import os

    from dashboards.grafana import built
    from dashboards.grafana.pushing import push as pushed

    with clear_errors():
        boards = built(packs_of(packs), _viewer(viewer))
        for address in pushed(url, os.environ.get(TOKEN, ""), boards):
            say(address)
