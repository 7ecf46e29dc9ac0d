"""The report as files: a page for people, JSON and CSV of every figure for programs.

The same figures give the same bytes, whatever engine and day they were written on.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from dashboards.nightly.columns import COLUMNS
from dashboards.nightly.sections import FIGURES_AS_TEXT, MONEY, sections
from dashboards.nightly.statements import BROKEN
from dashboards.nightly.words import Words, major
from replay.currencies import exponent

_TILES: Final = ("drop", "win", "hold", "win_by_rules", "difference", "unexplained", "overpaid", "underpaid", "z")


def files(figures: Mapping[str, Any], words: Words) -> dict[str, bytes]:
    """File name -> contents, in UTF-8: ``nightly-<day>.html``, ``.json``, and a ``.csv`` for each list of figures.

    ``figures``: of `gather`; of a simulated night also ``planted``: how many ``wrongs``, how many findings are
    ``expected`` of them and ``found``, which were ``missed`` and ``invented``, and ``by_fault``, how often each was
    done.
    """
    name = f"nightly-{figures['day']}"
    made = {f"{name}.html": page(figures, words).encode(), f"{name}.json": as_json(figures).encode()}
    for part, rows in _lists(figures):
        made[f"{name}-{part}.csv"] = as_csv(rows, COLUMNS[part]).encode()
    return made


def page(figures: Mapping[str, Any], words: Words) -> str:
    """The page: self-contained, for a screen and for A4."""
    environment = Environment(
        loader=PackageLoader("dashboards.nightly", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["css"] = _css_text
    day = words.day(figures["day"])
    casinos = sorted({row["casino"] for row in figures["sessions"]})
    return environment.get_template("nightly.html.j2").render(
        w=words,
        day=day,
        casinos=", ".join(casinos),
        statements=list(stated(figures, words)),
        tiles=list(_tiles(figures, words)),
        sections=sections(figures, words),
    )


def _css_text(text: str) -> Markup:
    """A text as a string of a style sheet: what is neither letter, digit nor blank is written by its number."""
    return Markup('"' + "".join(c if c.isalnum() or c in " :,." else f"\\{ord(c):06x}" for c in text) + '"')


_LOOKS: Final = {
    "whole": "good",
    "partial": "warning",
    "late": "warning",
    "broken": "severe",
    "failed": "severe",
    "missing": "severe",
    "clean": "good",
    "open": "warning",
    "dirty": "severe",
}


def stated(figures: Mapping[str, Any], words: Words) -> Iterator[tuple[str, str, str]]:
    """What is said at the head of the log and of the night, each as (what, how it looks, in full)."""
    day, tables, said = words.day(figures["day"]), figures["sessions"], figures["statements"]
    log, night = said["log"], said["night"]
    told = []
    if log == "broken":
        counts = {name: words.number(sum(row[name] for row in tables)) for name in BROKEN}
        told.append(words("log.broken_text", **counts))
    if log == "whole" or figures["state"] != "complete":
        told.append(words(f"log.{log if log == 'whole' else figures['state']}_text", day=day))
    if tables:
        rounds = sum(row["rounds"] for row in figures["log"])
        sealed = rounds - sum(row["rounds_unsealed"] for row in figures["log"])
        told.append(words("log.sealed", sealed=words.number(sealed), rounds=words.number(rounds)))
    yield words(f"log.{log}"), _LOOKS[log], " ".join(told)
    told = []
    if figures["findings"]:
        severe = sum(row["severity"] == "severe" for row in figures["findings"])
        count = words.number(len(figures["findings"]))
        told.append(words("night.findings", count=count, severe=words.number(severe)))
    for row in figures["scopes"]["casinos"]:
        if row["unexplained_over"] or row["unexplained_under"]:
            told.append(words("night.unexplained", currency=row["currency"], **_unexplained(row, words)))
    if figures["floats"]:
        told.append(words("night.floats", count=words.number(len(figures["floats"]))))
    if any(place["found"] for place in figures["investigations"]):
        told.append(words("night.required"))
    yield words(f"night.{night}"), _LOOKS[night], " ".join(told or [words(f"night.{night}_text")])


def _unexplained(row: Mapping[str, Any], words: Words) -> dict[str, str]:
    """What is unexplained, gross and net."""
    named = {"over": "unexplained_over", "under": "unexplained_under", "net": "unexplained"}
    return {name: words.signed(row[figure], row["currency"]) for name, figure in named.items()}


def _tiles(figures: Mapping[str, Any], words: Words) -> Iterator[list[tuple[str, str, str]]]:
    """For each casino and currency: what the night came to, as (figure, what it is, how it looks)."""
    for row in figures["scopes"]["casinos"]:
        tiles = []
        for name in _TILES:
            value = row[name]
            look = "bad" if name in ("overpaid", "underpaid") and value else "good" if name == "unexplained" else ""
            what = words(f"tile.{name}")
            if name == "unexplained" and (row["unexplained_over"] or row["unexplained_under"]):
                look, what = "bad", words("tile.unexplained_of", **_unexplained(row, words))
            if name == "z" and value:
                what = words("tile.z_of", left_out=words.percent(row["left_out_share"]))
            if name in MONEY:
                text = words.money(value, row["currency"])
            else:
                text = words.percent(value) if name == "hold" else words.decimal(value)
            tiles.append((text or "–", what, look))
        mine = [each for each in figures["sessions"] if each["casino"] == row["casino"]]
        found = sum(each["findings"] for each in mine if each["currency"] == row["currency"])
        broken = sum(each["checkpoints_bad"] for each in mine if each["currency"] == row["currency"])
        for name in ("table_days", "rounds", "bets"):
            tiles.append((words.number(row[name]), words(f"tile.{name}"), ""))
        tiles.append((words.number(found), words("tile.findings"), "bad" if found else "good"))
        tiles.append((words.number(broken), words("tile.checkpoints_bad"), "bad" if broken else "good"))
        yield tiles


def as_json(figures: Mapping[str, Any]) -> str:
    """Every figure. Money is in minor units; ``currencies`` says how many digits of each are behind the point."""
    currencies = sorted({row["currency"] for row in figures["sessions"]})
    digits = {currency: exponent(currency) for currency in currencies}
    return json.dumps({**figures, "currencies": digits}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _lists(figures: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Every list of figures, under the name of its file."""
    yield "sessions", figures["sessions"]
    for scope, rows in figures["scopes"].items():
        yield scope, rows
    for period in ("month", "year"):
        for scope, rows in figures["periods"][period]["scopes"].items():
            yield f"{period}-{scope}", rows
        yield f"{period}-incomplete", figures["periods"][period]["incomplete"]
    yield "failures", figures["failures"]
    yield "late", figures["late"]
    yield "trace", figures["trace"]
    yield "wagers", figures["wagers"]
    for key, rows in figures["wrongly_paid"].items():
        yield f"wrongly-paid-{key}", rows
    for key in ("cuts", "trays", "floats", "cash", "cash_of_players", "log", "codes", "findings", "streaks", "watched"):
        yield key, figures[key]
    yield "heads", (figures["heads"] or {"not_witnessed": []})["not_witnessed"]
    yield (
        "investigations",
        [
            {"jurisdiction": place["jurisdiction"], **found}
            for place in figures["investigations"]
            for found in place["found"]
        ],
    )


def as_csv(rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> str:
    """A line of names, and the rows; amounts in whole units of their currency, with its digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_value(name, row) for name in names] for row in rows)
    return text.getvalue()


_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def _value(name: str, row: Mapping[str, Any]) -> str:
    value = row[name]
    if value is None:
        return ""
    if name in MONEY and row.get("currency"):
        return str(major(value, row["currency"]))
    if isinstance(value, str) and name not in FIGURES_AS_TEXT and value.startswith(_FORMULA):
        return f"'{value}"  # text, whatever a spreadsheet would make of it
    return str(value)
