"""Rule packs as values: a law of its own that begins from another's, a house's rules under one, and what is refused."""

from __future__ import annotations

import hashlib
import pickle
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from replay import games
from replay.pack_new import begun
from replay.packs import PackError, Packs
from replay.rules import NotAllowed, RuleError, Table
from replay.scenario import Scenario
from tests.installed import PACKS, judged

FOLDER: Final = Path(__file__).parent.parent / "packs"
EXAMPLES: Final = Packs(
    {
        **PACKS.files,
        **{pack.name: {file.name: file.read_bytes() for file in pack.iterdir()} for pack in FOLDER.iterdir()},
    }
)
"""The installed packs, and the two that the tests keep as examples."""
PACK: Final = 'name = "OWN-1"\njurisdiction = "OWN"\ntitle = "t"\nsource = "s"\napproved_by = "a"\n'


UNDER: Final = 'extends = "AD-2025"\nin_force = 2026-01-01\n'


def with_pack(pack: str = "", *, base: str = UNDER, **own: str) -> Packs:
    """The installed packs and ``OWN-1``, whose files are these."""
    files = {f"{game}.toml": f'game = "{game}"\n{text}'.encode() for game, text in own.items()}
    return Packs({**PACKS.files, "OWN-1": {"pack.toml": (pack or PACK + base).encode(), **files}})


def wrong(packs: Packs) -> list[str]:
    return [str(problem) for problem in packs.problems(["OWN-1"])]


def settled(rules: str, game: str, *events: Any, **table: Any) -> Any:
    opened = {"game": game, "rules": rules, "limits": {"min": 500, "max": 50000}, **table}
    scenario = Scenario.read({"scenario": "s", "source": "s", "table": opened, "events": list(events)})
    return scenario.settle(judged_by_examples)


judged_by_examples: Final = type(judged())(packs=EXAMPLES)


# --- a law of its own -------------------------------------------------------------------------------------------------


def test_the_examples_are_without_fault():
    assert EXAMPLES.problems() == []


def test_a_law_based_on_another_pays_what_it_says_under_its_own_passage():
    cards = [{"card_dealt": {"card": card, **to}} for card, to in (
        ("AS", {"seat": 1}), ("9H", {"to": "dealer"}), ("KS", {"seat": 1}), ("8D", {"to": "dealer"}))]  # fmt: skip
    events = [{"bet_placed": {"bet": "b", "seat": 1, "wager": "main", "amount": 1000}}, "bets_closed", *cards,
              {"bet_settled": {"bet": "b", "paid": 1500, "returned": 1000}}, "round_closed"]  # fmt: skip
    club, law = settled("CLUB-2026", "blackjack", *events), settled("AD-2025", "blackjack", *events)

    assert [(bet.paid, bet.passage) for bet in club.settlements] == [(1200, "club rules, blackjack 4")]
    assert [(said.code, said.amount, said.passage) for said in club.findings] == [
        ("overpaid", 300, "club rules, blackjack 4")
    ]
    assert law.findings == []


def test_what_a_law_does_not_say_otherwise_is_as_in_the_one_it_is_based_on():
    own, base = EXAMPLES.game("CLUB-2026", "blackjack"), PACKS.game("AD-2025", "blackjack")

    assert own.origin == "CLUB-2026"
    assert {name: wager.data for name, wager in _wagers(own)} == {name: wager.data for name, wager in _wagers(base)} | {
        "main": own.wagers["main"].law.model_dump()
    }
    assert own.options.keys() == base.options.keys()
    assert EXAMPLES.pack("CLUB-2026").games.keys() == {"blackjack", "punto_banco"}


class _Data:
    def __init__(self, data: Any) -> None:
        self.data = data


def _wagers(rules: Any) -> Any:
    return [(name, _Data(wager.law.model_dump())) for name, wager in rules.wagers.items()]


def test_a_table_that_is_changed_must_cite_a_passage_of_its_own():
    base = 'based_on = "AD-2025"\nin_force = 2026-01-01\n'
    text = '[wagers.main]\npays = { blackjack = "6/5" }\n'

    [problem] = wrong(with_pack(base=base, blackjack=text))

    assert problem.startswith(
        "OWN-1/blackjack.toml: wagers.main.passage: is missing: pays is not what AD-2025 has under"
    )


def test_tables_can_be_taken_out_and_a_wrong_name_is_told_the_nearest():
    base = 'based_on = "AD-2025"\nin_force = 2026-01-01\n'
    less = with_pack(base=base, craps='without = ["wagers.horn", "shooter.rotation"]\n')

    assert wrong(less) == []
    assert "horn" not in less.game("OWN-1", "craps").wagers
    assert wrong(with_pack(base=base, craps='without = ["wagers.hron"]\n')) == [
        "OWN-1/craps.toml: without: AD-2025 has no wagers.hron; did you mean wagers.horn?"
    ]


# --- a house under a law ----------------------------------------------------------------------------------------------


def test_a_house_narrows_what_the_law_leaves_open():
    rules = EXAMPLES.game("CASA-2026", "craps")
    table = Table(rules, limits={"max": 60000, "hard_way": {"min": 100}})

    assert "horn" not in rules.wagers
    assert table.options["multiples_of_min"] is True
    assert (table.minimum, table.maximum, table.limits["hard_way"]) == (500, 60000, {"min": 100, "max": 20000})
    assert table.faults == []
    assert rules.origin == "AD-2025"


@pytest.mark.parametrize(
    ("limits", "options", "said"),
    [
        ({"max": 200000}, {}, "limits.max is 2,000.00 EUR; the house's rules have 1,000.00 EUR at most"),
        ({"min": 400}, {}, "limits.min is 4.00 EUR; the house's rules have 5.00 EUR at least"),
        ({"hard_way": {"max": 30000}}, {}, "limits.hard_way.max is 300.00 EUR; the house's rules have 200.00 EUR"),
        ({}, {"multiple_gain_factor": 3}, "option multiple_gain_factor: 1 to 2, not 3"),
        ({}, {"multiples_of_min": False}, "option multiples_of_min: the house's rules have True, not False"),
    ],
)
def test_a_table_that_goes_beyond_its_house_is_found_under_the_houses_passage(limits, options, said):
    [(passage, text)] = Table(EXAMPLES.game("CASA-2026", "craps"), limits=limits, options=options).faults

    assert text.startswith(said)
    assert passage.startswith("house rules 2026, craps 2")


@pytest.mark.parametrize(
    ("text", "key", "bound"),
    [
        ('passage = "p"\n[options]\nmultiple_gain_factor = 5\n', "options.multiple_gain_factor", "1 to 3, not 5"),
        ('passage = "p"\n[options.multiple_gain_factor]\nmost = 4\n', "options.multiple_gain_factor.most", "1 to 3"),
        ('passage = "p"\n[options]\nmultiples_of_min = 1\n', "options.multiples_of_min", "true or false, not 1"),
        ('passage = "p"\n[limits]\nmin = 500\nmax = 9000\n', "limits", "it must be 100.00 EUR to 5,000.00 EUR (game 6"),
        ('[wagers.horn]\npays = "5/1"\n', "wagers.horn.pays", "the law fixes 4/1 (AD-2025, game 6, IV.1.B, horn)"),
        ("[limits.simple]\nmost_multiple = 2000\n", "limits.simple.most_multiple", "the law fixes 1000 (AD-2025"),
        ('passage = "p"\n[limits]\nhard_wya = { max = 3 }\n', "limits.hard_wya", "there is no such wager (there are:"),
        ('passage = "p"\n[options]\nsurrender = true\n', "options.surrender", "AD-2025 leaves no such choice"),
        ('without = ["limits.simple"]\n', "without", "a wager of AD-2025, as in wagers.NAME, not limits.simple"),
        ("[options]\nmultiples_of_min = true\n", "passage", "is missing: where in the house's own rules"),
    ],
)
def test_where_a_house_goes_beyond_the_law_the_file_the_key_and_the_bound_are_told(text, key, bound):
    problems = wrong(with_pack(craps=text))

    assert any(problem.startswith(f"OWN-1/craps.toml: {key}: ") and bound in problem for problem in problems), problems


def test_limits_that_have_the_name_of_the_laws_own_are_the_houses():
    """Boule's law bounds what a table posts on a number under the very name of that wager."""
    rules = with_pack(boule='passage = "p"\n[limits]\nmin = 200\nstraight_up = { max = 20000 }\n')

    assert wrong(rules) == []
    assert Table(rules.game("OWN-1", "boule")).own_most("straight_up") == 20000


@pytest.mark.parametrize(
    ("base", "told"),
    [
        ('extends = "AD-2025"\nin_force = 2020-01-01\n', "in_force: 2025-12-10 at the earliest: AD-2025 begins then"),
        ('extends = "AD-2022"\nin_force = 2023-01-01\n', "repealed: 2025-12-10 at the latest: AD-2022 ends then"),
        ('extends = "AD-2052"\nin_force = 2026-01-01\n', "extends: there is no rule pack AD-2052"),
        ('extends = "OWN-1"\nin_force = 2026-01-01\n', "extends: OWN-1 stands on it itself"),
    ],
)
def test_a_house_holds_while_its_law_does(base, told):
    assert any(f"OWN-1/pack.toml: {told}" in problem for problem in wrong(with_pack(base=base, craps="")))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            PACK.replace("approved_by", "approved") + 'extends = "AD-2025"\nin_force = 2026-01-01\n',
            "approved: no such key",
        ),
        (
            PACK.replace('approved_by = "a"\n', "") + 'extends = "AD-2025"\nin_force = 2026-01-01\n',
            "approved_by: is mis",
        ),
        (PACK + 'extends = "AD-2025"\n', "in_force: is missing"),
        (
            PACK + 'extends = "AD-2025"\nbased_on = "AD-2022"\nin_force = 2026-01-01\n',
            "based_on: a pack either extends",
        ),
        (PACK.replace("OWN-1", "OWN-2"), "name: OWN-1, as its folder is called, not OWN-2"),
        ('name = "OWN-1', "is no TOML"),
    ],
)
def test_a_pack_file_that_is_wrong_is_told_in_one_line(text, told):
    with pytest.raises(PackError, match=r"^OWN-1/pack\.toml: ") as caught:
        with_pack(text)

    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_jurisdiction_of_a_house_is_whichever_of_its_packs_is_in_force():
    """A change in the middle of a year is two packs, each with its dates."""
    first = PACK + 'extends = "AD-2025"\nin_force = 2026-01-01\nrepealed = 2026-07-01\n'
    second = PACK.replace("OWN-1", "OWN-2") + 'extends = "AD-2025"\nin_force = 2026-07-01\n'
    packs = Packs({**PACKS.files, "OWN-1": {"pack.toml": first.encode()}, "OWN-2": {"pack.toml": second.encode()}})

    assert [packs.resolve("OWN", date(2026, month, 1)).name for month in (1, 6, 7, 12)] == [
        "OWN-1", "OWN-1", "OWN-2", "OWN-2"
    ]  # fmt: skip
    assert packs.resolve("AD", date(2026, 8, 1)).name == "AD-2025"
    assert packs.problems() == []


def test_two_packs_of_a_jurisdiction_that_begin_on_one_day_contradict_each_other():
    one = PACK + 'extends = "AD-2025"\nin_force = 2026-01-01\n'
    other = one.replace("OWN-1", "OWN-2")
    packs = Packs({**PACKS.files, "OWN-1": {"pack.toml": one.encode()}, "OWN-2": {"pack.toml": other.encode()}})

    assert [str(each) for each in packs.problems()] == [
        "OWN-2/pack.toml: in_force: OWN-1 of OWN begins on 2026-01-01 too; which holds?"
    ]


# --- values -----------------------------------------------------------------------------------------------------------


def test_packs_are_values():
    again = pickle.loads(pickle.dumps(EXAMPLES))

    assert again.files == EXAMPLES.files
    assert again.digest("CASA-2026", "craps") == EXAMPLES.digest("CASA-2026", "craps")
    with pytest.raises(TypeError):
        EXAMPLES.files["AD-2025"]["craps.toml"] = b""  # type: ignore[index]


def test_the_digest_is_that_of_what_sha256sum_prints_of_the_files():
    texts = EXAMPLES.texts("CASA-2026", "craps")
    printed = "".join(f"{hashlib.sha256(text).hexdigest()}  {file}\n" for file, text in sorted(texts.items()))

    assert list(texts) == ["AD-2025/craps.toml", "AD-2025/pack.toml", "CASA-2026/craps.toml", "CASA-2026/pack.toml"]
    assert EXAMPLES.digest("CASA-2026", "craps") == hashlib.sha256(printed.encode()).hexdigest()


def test_a_pack_of_a_name_that_is_taken_is_refused_unless_it_is_the_same():
    same = Packs({"MO-1985": PACKS.files["MO-1985"]})
    changed = {**PACKS.files["MO-1985"], "craps.toml": PACKS.files["MO-1985"]["craps.toml"] + b"# changed\n"}

    assert PACKS.beside(same).files == PACKS.files
    with pytest.raises(PackError, match=r"^MO-1985/pack\.toml: name: there is a rule pack MO-1985 already"):
        PACKS.beside(Packs({"MO-1985": changed}))
    assert PACKS.instead(Packs({"MO-1985": changed})).files["MO-1985"] == changed


def test_one_game_whose_text_is_wrong_leaves_the_others_as_they_are():
    broken = {**PACKS.files["AD-2025"], "blackjack.toml": b'game = "blackjack"\ntitle = "t"\nsource = "s"\n'}
    packs = Packs({**PACKS.files, "AD-2025": broken})

    assert packs.game("AD-2025", "boule").wagers.keys() == PACKS.game("AD-2025", "boule").wagers.keys()
    with pytest.raises(PackError, match=r"^AD-2025/blackjack\.toml: "):
        packs.game("AD-2025", "blackjack")


# --- one to begin with ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", [False, True])
@pytest.mark.parametrize("base", PACKS.names)
def test_a_pack_to_begin_with_is_without_fault_and_says_what_its_base_says(base, house):
    files = begun(PACKS, base, "NEW-1", (), house=house, today=date(2024, 5, 1))
    if house and PACKS.pack(base).jurisdiction == "AD" and base == "AD-2022":
        files["pack.toml"] += "repealed = 2025-12-10\n"  # a house's rules end with their law
    packs = Packs({**PACKS.files, "NEW-1": {name: text.encode() for name, text in files.items()}})

    assert packs.problems(["NEW-1"]) == []
    for game in PACKS.pack(base).games:
        assert packs.game("NEW-1", game).law.model_dump() == PACKS.game(base, game).law.model_dump()


@pytest.mark.parametrize(("name", "told"), [("AD-2025", "there is such a pack already"), ("new", "capitals, digits")])
def test_a_pack_to_begin_with_has_a_name_of_its_own(name, told):
    with pytest.raises(PackError, match=told):
        begun(PACKS, "AD-2025", name, (), house=False, today=date(2026, 1, 1))
    with pytest.raises(RuleError, match="has no game roulet"):
        begun(PACKS, "AD-2025", "NEW-1", ("roulet",), house=False, today=date(2026, 1, 1))


def test_every_option_of_every_game_can_be_fixed_by_a_house_and_nothing_beyond_it():
    for name in PACKS.names:
        law = PACKS.pack(name)
        dates = f"in_force = {law.in_force or date(2026, 1, 1)}\n"
        dates += f"repealed = {law.repealed}\n" if law.repealed else ""
        for game in (game for game in law.games if law.games[game].origin == name):
            for option in law.games[game].options.values():
                beyond = 10**9 if option.most is not None else "no such choice"
                text = f'passage = "p"\n[options]\n{option.id} = {beyond!r}\n'
                packs = with_pack(base=f'extends = "{name}"\n{dates}', **{game: text})
                assert any(f"options.{option.id}: " in problem for problem in wrong(packs)), (game, option.id)


def test_an_option_beyond_a_house_is_not_allowed_and_the_houses_value_holds():
    option = EXAMPLES.game("CASA-2026", "craps").options["multiples_of_min"]

    with pytest.raises(NotAllowed) as caught:
        option.read(False)
    assert caught.value.legal is True
    assert games.names()


def test_a_game_that_fails_at_its_own_law_is_told_and_takes_nothing_else_along(monkeypatch):
    def breaks(law: Any) -> Any:
        raise KeyError("bowl\nless")

    monkeypatch.setattr(games.load("boule").needs, "faults", breaks)
    packs = Packs(PACKS.files)

    with pytest.raises(PackError, match=r"^AD-2025/boule\.toml: the game fails at it: KeyError: 'bowl\\nless'$"):
        packs.game("AD-2025", "boule")
    assert packs.game("AD-2025", "craps").game == "craps"
