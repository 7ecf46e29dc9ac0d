"""``retally odds``: the exact edge and variance of every wager."""

from __future__ import annotations

from typing import Annotated

import typer

from streams.commands.shell import Json, Packs, add_row, clear_errors, packs_of, print_json, screen

EXAMPLE = "Example: retally odds --rules AD-2025 --game craps"


def odds(
    rules: Annotated[str, typer.Option(metavar="PACK", help="A rule pack: see 'retally rules list'.")],
    game: Annotated[str | None, typer.Option(help="One game of the pack.")] = None,
    packs: Packs = None,
    as_json: Json = False,
) -> None:
    """Exact edge and variance of every wager, derived from the rules that settle it."""
    from replay.odds_table import odds_table

    with clear_errors():
        rows = odds_table(packs_of(packs).pack(rules), game)
    if as_json:
        print_json(rows)
        return
    from rich.table import Table

    table = Table("game", "wager", "options", "edge", "%", "variance", "assumes", title=f"Odds under {rules}")
    for row in rows:
        options = ", ".join(f"{key} {value}" for key, value in row["options"].items())
        wager = f"{row['wager']} {row['pick']}".strip()
        edge, percent = row["edge"], _decimal(row["edge"], 100, 4)
        shown = edge if len(edge) <= 24 else "…"
        variance = _decimal(row["variance"], 1, 4)
        add_row(table, row["game"], wager, options, shown, percent, variance, row["assumes"])
    screen().print(table)


def _decimal(fraction: str, times: int, places: int) -> str:
    """A fraction as text, times a factor, rounded half away from zero to so many places."""
    from fractions import Fraction

    value = Fraction(fraction) * times
    scaled = round(abs(value) * 10**places)
    sign = "-" if value < 0 and scaled else ""
    whole, rest = divmod(scaled, 10**places)
    return f"{sign}{whole}.{rest:0{places}d}"
