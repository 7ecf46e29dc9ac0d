"""Passages whose text is not the law's own word are never cited as if it were."""

from __future__ import annotations

import pytest

from replay.cited import cited, marked
from replay.packs import Packs
from replay.scenario import Scenario
from tests.changed_packs import pack_with, put
from tests.installed import PACKS, judged

USAGE = "game 4, V.1 [from general usage (a dealers' manual), text not at hand]"
BY_USAGE = {"cite": "game 4, V.1", "mark": "usage", "source": "a dealers' manual"}
OWN = (
    'name = "OWN-1"\njurisdiction = "OWN"\ntitle = "t"\nsource = "s"\napproved_by = "a"\n'
    'in_force = 2026-01-01\nbased_on = "AD-2025"\n'
)


def passages_said(packs: Packs, rules: str = "AD-2025") -> tuple[str, ...]:
    """Of a straight-up bet that is paid a unit too little: the settlement's and the finding's."""
    events = [
        "round_opened",
        {"bet_placed": {"bet": "b", "seat": 1, "wager": "straight_up", "pick": 5, "amount": 500}},
        {"ball_landed": {"number": 5}},
        {"bet_settled": {"bet": "b", "paid": 3000, "returned": 500}},
        "round_closed",
    ]
    opened = {"game": "boule", "rules": rules, "limits": {"min": 500}}
    outcome = Scenario.read({"scenario": "s", "source": "s", "table": opened, "events": events}).settle(
        type(judged())(packs=packs)
    )
    [finding] = outcome.findings
    assert finding.code == "underpaid"
    [settlement] = outcome.settlements
    return settlement.passage, finding.passage


@pytest.mark.parametrize(
    ("passage", "said"),
    [
        ("game 4, V.1", "game 4, V.1"),
        ({"cite": "5.2", "mark": "usage"}, "5.2 [from general usage, text not at hand]"),
        ({"cite": "5.2", "mark": "usage", "source": "X"}, "5.2 [from general usage (X), text not at hand]"),
        ({"cite": "5.2", "mark": "filled", "source": "X"}, "5.2 [the text is silent; filled from X]"),
        ({"cite": "5.2", "mark": "reading"}, "5.2 [our reading of the text]"),
        ({"cite": "5.2", "mark": "reading", "source": "X"}, "5.2 [our reading of the text: X]"),
    ],
)
def test_a_passage_is_cited_with_its_mark(passage, said):
    assert cited(passage) == said


@pytest.mark.parametrize(
    ("passage", "wrong"),
    [
        ("", "a text, or a table as in"),
        (" ", "a text, or a table as in"),
        (7, "a text, or a table as in"),
        ({"mark": "usage"}, "cite: where in the regulation it stands"),
        ({"cite": " ", "mark": "usage"}, "cite: where in the regulation it stands"),
        ({"cite": "5.2"}, "mark: one of filled, reading, usage, not None"),
        ({"cite": "5.2", "mark": "usge"}, "not 'usge'; did you mean usage?"),
        ({"cite": "5.2", "mark": ["usage"]}, "mark: one of filled, reading, usage"),
        ({"cite": "5.2", "mark": "filled"}, "source: is missing: where what is filled is from"),
        ({"cite": "5.2", "mark": "usage", "source": ""}, "source: a text that says where it is from"),
        ({"cite": "5.2", "mark": "usage", "site": "X"}, "cite, mark and source, not site"),
    ],
)
def test_a_pack_whose_mark_is_none_is_refused_with_the_place(passage, wrong):
    [problem] = pack_with("boule", put("wagers.red.passage", passage), "AD-2025").problems(["AD-2025"])

    assert str(problem).startswith("AD-2025/boule.toml: wagers.red.passage: ")
    assert wrong in str(problem)


def test_a_finding_that_rests_on_a_marked_passage_says_so():
    assert passages_said(pack_with("boule", put("wagers.straight_up.passage", BY_USAGE), "AD-2025")) == (USAGE, USAGE)


def test_what_the_code_cites_besides_is_marked_too():
    packs = pack_with("boule", put("passages.call", BY_USAGE), "AD-2025")

    assert packs.game("AD-2025", "boule").law.passages.call == USAGE


def test_whoever_has_the_text_mends_one_line():
    """In the pack itself, or in one that is based on it."""
    of_usage = pack_with("boule", put("wagers.straight_up.passage", BY_USAGE), "AD-2025")
    mended = b'game = "boule"\n[wagers.straight_up]\npassage = "game 4, V.1.a"\n'
    own = Packs({**of_usage.files, "OWN-1": {"pack.toml": OWN.encode(), "boule.toml": mended}})

    assert passages_said(own, "OWN-1") == ("game 4, V.1.a", "game 4, V.1.a")
    assert passages_said(own) == (USAGE, USAGE)


def test_a_mark_that_is_written_over_another_takes_nothing_of_it():
    of_usage = pack_with("boule", put("passages.call", BY_USAGE), "AD-2025")
    mended = b'game = "boule"\n[passages]\ncall = { cite = "game 4, V.3", mark = "reading" }\n'
    own = Packs({**of_usage.files, "OWN-1": {"pack.toml": OWN.encode(), "boule.toml": mended}})

    assert own.game("OWN-1", "boule").law.passages.call == "game 4, V.3 [our reading of the text]"


def test_a_price_of_another_than_a_marked_one_needs_a_passage_of_its_own():
    of_usage = pack_with("boule", put("wagers.straight_up.passage", BY_USAGE), "AD-2025")
    changed = b'game = "boule"\n[wagers.straight_up]\npays = "8/1"\n'
    own = Packs({**of_usage.files, "OWN-1": {"pack.toml": OWN.encode(), "boule.toml": changed}})

    [problem] = own.problems(["OWN-1"])

    assert "wagers.straight_up.passage: is missing: pays is not what AD-2025 has under" in str(problem)
    assert "from general usage" in str(problem)


def test_a_house_is_told_the_mark_of_what_the_law_fixes():
    of_usage = pack_with("boule", put("wagers.straight_up.passage", BY_USAGE), "AD-2025")
    text = OWN.replace("based_on", "extends").encode()
    changed = b'game = "boule"\n[wagers.straight_up]\npays = "8/1"\n'
    own = Packs({**of_usage.files, "OWN-1": {"pack.toml": text, "boule.toml": changed}})

    [problem] = own.problems(["OWN-1"])

    assert f"the law fixes 7/1 (AD-2025, {USAGE})" in str(problem)


def test_the_places_that_are_marked_are_found():
    data = {
        "wagers": {"a": {"passage": BY_USAGE}, "b": {"passage": "x"}},
        "passages": {"call": BY_USAGE, "wagers": "x"},
    }

    assert list(marked(data)) == ["wagers.a", "passages.call"]
    assert not any(list(marked(PACKS.game("AD-2025", game).data)) for game in PACKS.pack("AD-2025").games)
