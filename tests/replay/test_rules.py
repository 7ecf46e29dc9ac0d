"""Rule packs: which one is in force, what it has of its own, what it takes over, and what it says to a wrong name."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from replay import games
from replay.rules import RuleError, Table
from tests.installed import PACKS


@pytest.mark.parametrize(
    ("rules", "day", "name"),
    [
        ("AD", date(2022, 6, 1), "AD-2022"),
        ("AD", date(2025, 12, 9), "AD-2022"),
        ("AD", date(2025, 12, 10), "AD-2025"),
        ("AD", date(2099, 1, 1), "AD-2025"),
        ("MO", date(1985, 5, 18), "MO-1985"),
        ("RO", date(1900, 1, 1), "RO-CRAPS"),
        ("RO", date(2026, 11, 29), "RO-CRAPS"),
        ("AD-2022", date(2026, 11, 29), "AD-2022"),
        ("AD-2025", date(2020, 1, 1), "AD-2025"),
    ],
)
def test_a_jurisdiction_is_the_pack_in_force_that_day_and_a_pack_is_itself(rules, day, name):
    assert PACKS.resolve(rules, day).name == name


@pytest.mark.parametrize(
    ("day", "game", "name"),
    [
        (date(2026, 11, 29), "craps", "MO-1985"),
        (date(2026, 11, 29), "punto_banco", "MO-2004"),
        (date(2004, 5, 17), "craps", "MO-1985"),
    ],
)
def test_of_several_packs_in_force_that_one_holds_which_has_the_game(day, game, name):
    assert PACKS.resolve("MO", day, game).name == PACKS.rules_for("MO", day, game).pack == name


def test_before_the_pack_that_has_a_game_the_jurisdiction_had_none():
    with pytest.raises(RuleError, match="rule pack MO-1985 has no game punto_banco"):
        PACKS.rules_for("MO", date(2004, 5, 17), "punto_banco")


@pytest.mark.parametrize(("rules", "day"), [("AD", date(2022, 5, 31)), ("MO", date(1985, 5, 17))])
def test_before_the_first_pack_of_a_jurisdiction_nothing_is_in_force(rules, day):
    with pytest.raises(RuleError, match=f"no rule pack of {rules} was in force on {day} \\(known: {rules}-"):
        PACKS.resolve(rules, day)


def test_an_unknown_pack_is_named_and_those_that_exist_are():
    for rules in ("AD-2024", "XX", "ad", ""):
        with pytest.raises(RuleError, match=re.escape(f"no rule pack {rules} (there are: AD-2022, AD-2025, ")):
            PACKS.resolve(rules, date(2026, 1, 1))


def test_an_unknown_game_is_named_and_those_of_the_pack_are():
    with pytest.raises(RuleError, match=r"rule pack MO-1985 has no game boule \(it has: craps\)"):
        PACKS.rules_for("MO-1985", date(2026, 1, 1), "boule")
    with pytest.raises(RuleError, match=r"no game tric_trac \(there are: .*boule"):
        games.load("tric_trac")


def test_an_unknown_option_is_named_and_those_of_the_game_are():
    rules = PACKS.game("AD-2025", "craps")
    with pytest.raises(RuleError, match=r"option extra: craps under AD-2025 has no such option \(it has: .*, "):
        Table(rules, options={"extra": True})
    with pytest.raises(RuleError, match=r"^option extra: boule under AD-2025 has no such option \(it has: none\)$"):
        Table(PACKS.game("AD-2025", "boule"), options={"extra": True})


def test_games_taken_over_are_marked_with_the_pack_that_they_are_from():
    """Each Andorran decree holds the games that the other's copy lacks."""
    new, old = PACKS.pack("AD-2025"), PACKS.pack("AD-2022")

    assert (new.games["boule"].origin, new.games["boule"].pack) == ("AD-2025", "AD-2025")
    assert (old.games["boule"].origin, old.games["boule"].pack) == ("AD-2025", "AD-2022")
    assert (old.games["sic_bo"].origin, new.games["sic_bo"].origin) == ("AD-2022", "AD-2022")
    assert set(new.games) == set(old.games)


@pytest.mark.parametrize("name", PACKS.names)
def test_the_origin_of_each_game_is_the_pack_whose_file_it_is(name):
    for game, rules in PACKS.pack(name).games.items():
        own = PACKS.pack(rules.origin).games[game]

        assert own.origin == rules.origin
        assert own.data == rules.data
        assert rules.pack == name


@pytest.mark.parametrize("name", PACKS.names)
def test_every_option_accepts_its_own_default(name):
    for rules in PACKS.pack(name).games.values():
        defaults = {key: option.default for key, option in rules.options.items() if option.default is not None}
        for key, value in defaults.items():
            if not isinstance(value, int | str | list | dict):
                continue  # a fraction, which the contract writes as a decimal
            assert Table(rules, options={key: value}).options[key] == value


@pytest.mark.parametrize("name", PACKS.names)
def test_every_game_of_a_pack_can_be_loaded_or_has_no_module_yet(name):
    for game in PACKS.pack(name).games:
        if game in games.names():
            assert issubclass(games.load(game), games.Game)


@pytest.mark.parametrize(
    ("limits", "named"),
    [({"min": {"min": 5}}, "min"), ({"max": {}}, "max"), ({"red": 500}, "red")],
)
def test_limits_of_a_wrong_shape_are_refused_by_name(limits, named):
    with pytest.raises(RuleError, match=rf"^limits?[. ]{named}:? "):
        Table(PACKS.game("AD-2025", "boule"), limits=limits)


def test_a_wagers_own_limits_go_before_the_tables():
    limits = {"min": 200, "max": 5000, "straight_up": {"max": 300}, "red": {"min": 50}}
    table = Table(PACKS.game("AD-2025", "boule"), limits=limits)

    assert (table.least("straight_up"), table.most("straight_up")) == (200, 300)
    assert (table.least("red"), table.most("red")) == (50, 5000)
    assert (table.own_most("red"), table.own_most("black")) == (None, None)
    assert Table(PACKS.game("AD-2025", "boule")).most("red") is None


@pytest.mark.parametrize(
    ("said", "read"), [("5/2", Fraction(5, 2)), (2, 2), (Decimal("2.5"), Fraction(5, 2)), ("3", 3)]
)
def test_a_fraction_may_be_chosen_as_a_number_or_as_text(said, read):
    assert Table(PACKS.game("US-NJ", "blackjack"), options={"suited_pays": said}).options["suited_pays"] == read


@pytest.mark.parametrize("said", ["five to two", "1e9", "5/0", "", True])
def test_a_text_that_is_no_fraction_is_told_with_the_option(said):
    with pytest.raises(RuleError, match="option suited_pays: a number"):
        Table(PACKS.game("US-NJ", "blackjack"), options={"suited_pays": said})


@pytest.mark.parametrize(
    ("opened", "options", "decks"), [(None, {}, 8), (2, {}, 2), (2, {"decks": 6}, 6), (None, {"decks": 1}, 1)]
)
def test_the_packs_that_a_table_is_opened_with_are_its_choice_of_packs(opened, options, decks):
    assert Table(PACKS.game("US-NJ", "blackjack"), decks=opened, options=options).options["decks"] == decks
