"""The preview's pages: a link leads to the very round, and what is written on the wall is there in full."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from grafana_foundation_sdk.cog.encoder import JSONEncoder

from dashboards.grafana.macros import Span
from dashboards.grafana.parts import board, single, stat_panel, table_panel
from dashboards.grafana.preview import page_of, pages

SPAN = Span(datetime.fromisoformat("2026-11-29T18:00:00+00:00"), datetime.fromisoformat("2026-11-30T04:00:00+00:00"))
PLACE = (0, 0, 24, 4)
ODD = "CR/01 <north>-2026-11-29"


@dataclass
class Told:
    """An answer as a store gives it."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    found: list[tuple[Any, ...]]

    def rows(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.found)


FEED = Told(
    ("finding", "session", "round"),
    ("String", "String", "String"),
    [("overpaid", "CR01-2026-11-29", "412"), ("late bet", "CR01-2026-11-29", "7"), ("underpaid", ODD, "0")],
)


def ask(sql: str) -> Told:
    """The feed; or the query itself, so that a page shows what was asked for it."""
    return FEED if sql == "FEED" else Told(("asked",), ("String",), [(sql,)])


def made() -> dict[str, str]:
    floor = board(
        "retally-floor",
        "Floor",
        "",
        [],
        [table_panel("Feed", "It.", "FEED", PLACE, links=("finding",), hidden=("session",))],
        refresh="5s",
    )
    night = board(
        "retally-round",
        "Round",
        "",
        [single("session", "Table", "the first"), single("round", "Round", "1")],
        [
            table_panel("Night", "It.", "night of ${session:singlequote}", PLACE),
            stat_panel("Round ${round}", "It.", "round ${round:singlequote}", (0, 4, 24, 4)),
        ],
        refresh="5s",
    )
    boards = [json.loads(json.dumps(each.build(), cls=JSONEncoder)) for each in (floor, night)]
    return pages(boards, ask, SPAN)


def test_a_finding_leads_to_the_page_of_its_tables_night_at_its_round() -> None:
    links = re.findall(r'<a href="(round-[^"]+)">(\w+)', made()["retally-floor.html"])

    assert links[:2] == [
        ("round-CR01-2026-11-29.html#round-412", "overpaid"),
        ("round-CR01-2026-11-29.html#round-7", "late"),
    ]


def test_every_link_to_a_round_leads_to_a_place_that_is_there() -> None:
    written = made()
    for to in re.findall(r'href="(round-[^"]+)"', "".join(written.values())):
        page, _, place = to.partition("#")
        assert f'id="{place}"' in written[page]


def test_the_place_shows_that_round_and_that_night() -> None:
    page = made()["round-CR01-2026-11-29.html"]
    rounds = dict(re.findall(r'id="round-(\d+)".*?round &#x27;(\d+)&#x27;', page))

    assert rounds == {"412": "412", "7": "7"}
    assert page.count("night of &#x27;CR01-2026-11-29&#x27;") == 1


def test_a_name_of_any_letters_is_a_safe_name_of_a_file() -> None:
    assert page_of(ODD) == "round-CR_2f01_20_3cnorth_3e-2026-11-29.html"
    assert page_of(ODD) in made()


def test_a_text_on_the_wall_is_written_in_the_sizes_that_grafana_is_given_and_in_its_colour() -> None:
    panel = stat_panel(
        "Wall",
        "It.",
        "WALL",
        PLACE,
        steps=((None, "red"),),
        rows=True,
        letters=(28, 30),
        colours_of={"nothing": "green"},
    )
    wall = json.loads(json.dumps(board("w", "W", "", [], [panel], refresh="5s").build(), cls=JSONEncoder))
    answer = Told(("name", "value"), ("String", "String"), [("CR01, box 4", "<80.00> paid"), ("", "nothing")])
    page = pages([wall], lambda sql: answer, SPAN)["w.html"]

    assert re.findall(r"background:(#\w+)", page.partition("<main")[2]) == ["#f2495c", "#73bf69"]
    assert '<span style="font-size:28px">CR01, box 4</span><b style="font-size:30px">&lt;80.00&gt; paid</b>' in page
