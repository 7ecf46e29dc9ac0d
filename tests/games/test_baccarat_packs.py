"""What punto banco, the games of baccarat among players and trente et quarante refuse of a pack, and do without."""

from __future__ import annotations

import tomllib
from fractions import Fraction

import pytest

from replay.games import load, odds_of
from replay.judging import Judging
from replay.packs import PACK_FILE, Packs
from tests.games.retold import claim, scenario
from tests.installed import PACKS
from tests.toml_text import toml_text


def packs_with(game, changes):
    """The installed packs with this game alone, AD-2025's text of it changed at these places (None: taken out)."""
    data = tomllib.loads(PACKS.files["AD-2025"][f"{game}.toml"].decode())
    for place, value in changes.items():
        *above, key = place.split(".")
        table = data
        for part in above:
            table = table[part]
        if value is None:
            del table[key]
        else:
            table[key] = value
    texts = {name: {PACK_FILE: files[PACK_FILE]} for name, files in PACKS.files.items()}
    texts["AD-2025"][f"{game}.toml"] = toml_text(data).encode()
    return Packs(texts)


@pytest.mark.parametrize(
    ("game", "changes", "problem"),
    [
        ("punto_banco", {"shoe.decks": 0}, "shoe.decks: Input should be greater than or equal to 1, not 0"),
        ("punto_banco", {"limits.tie.part_of_maximum": 0}, "limits.tie.part_of_maximum: Input should be"),
        (
            "punto_banco",
            {"wagers.banker.pays": {"commission_5": "19/20", "six": "1/2"}},
            "wagers.banker.pays: a price for each choice of banker_pay; there is none for half_on_6",
        ),
        ("punto_banco", {"wagers.banker.pays.six": None}, "wagers.banker.pays.six: is missing"),
        ("punto_banco", {"wagers.banker.pays": "19/20"}, "wagers.banker.pays: a price for each choice of banker_pay"),
        ("punto_banco", {"options.banker_pay": None}, "wagers.banker.pays: one price, as in '19/20'"),
        ("punto_banco", {"wagers.tie.pays": {"eight": "8/1"}}, "wagers.tie.pays: one price"),
        ("punto_banco", {"burning.values.K": None}, "burning: values: a number of cards for each rank; there is none"),
        ("punto_banco", {"burning.values.X": 3}, "burning.values.X"),
        ("punto_banco", {"options.banker_pay.default": "free"}, "options.banker_pay.default: one of commission_5"),
        ("punto_banco", {"options.banker_pay.default": None}, "options.banker_pay.default: is missing"),
        ("punto_banco", {"options.bets_per_box.default": 4}, "options.bets_per_box.default: 3 at most, not 4"),
        ("punto_banco", {"options.bets_per_box.kind": "list"}, "options.bets_per_box.default: a list, not 1"),
        ("punto_banco", {"options.stake_multiple.kind": "int"}, "options.stake_multiple.default: a whole number"),
        (
            "punto_banco",
            {"options.stake_multiple": {"kind": "int", "passage": "V"}},
            "options.stake_multiple.kind: flag, not int",
        ),
        (
            "chemin_de_fer",
            {"options.drawing.choices": ["table", "free", "blind"]},
            "options.drawing.choices: chemin_de_fer knows no blind (it knows: table, free)",
        ),
        ("chemin_de_fer", {"wagers.banco.side": "bank"}, "wagers.banco.side: against, not bank"),
        ("chemin_de_fer", {"wagers.bank": None}, "wagers.bank: is missing"),
        ("chemin_de_fer", {"exceptions.cells": [[3, 10]]}, "exceptions.cells.0.1: Input should be less than"),
        ("chemin_de_fer", {"exceptions.cells": [[3, 9, 1]]}, "exceptions.cells.0: "),
        ("baccarat_banque", {"wagers.punter.picks": [1, 3]}, "wagers.punter.picks: one or more of 1, 2, both, line1"),
        ("baccarat_banque", {"wagers.banco.picks": None}, "wagers.banco.picks: one or more of 1, 2"),
        ("baccarat_banque", {"wagers.bank.pays": {"limited": "49/50"}}, "there is none for open"),
        ("trente_et_quarante", {"shoe.decks": 8}, "equal_rows.decks: 8, as in the shoe"),
        ("trente_et_quarante", {"equal_rows.null": "99/100"}, "refait and null: two probabilities, less than 1"),
        ("trente_et_quarante", {"equal_rows.refait": "-1/100"}, "equal_rows.refait: Input should be greater than"),
        ("trente_et_quarante", {"equal_rows.refait": "2 in 100"}, "equal_rows.refait: a fraction as text"),
    ],
)
def test_what_no_table_could_be_judged_by_is_refused_in_one_sentence(game, changes, problem):
    [found] = packs_with(game, changes).problems(["AD-2025"])

    assert str(found).startswith(f"AD-2025/{game}.toml: ")
    assert problem in str(found)
    assert "{" not in str(found)


PUNTO_BANCO = {
    "options": {},
    "wagers.banker": {"pays": "19/20", "passage": "game 7, V"},
    "wagers.tie": None,
}
"""A law that leaves nothing to the house: the bank is paid in one way, as many players a box as there come, no tie."""


def play(game, changes, events):
    table = {"game": game, "rules": "AD-2025", "limits": {"min": 500, "max": 50000}}
    return scenario(table, events).settle(Judging(packs=packs_with(game, changes)))


def test_punto_banco_may_leave_nothing_to_the_house_and_offer_no_tie():
    bets = [
        {"bet_placed": {"bet": name, "seat": 1, "wager": wager, "amount": 1010, "player": name}}
        for name, wager in (("a", "banker"), ("b", "banker"), ("c", "banker"), ("t", "tie"))
    ]
    cards = [
        {"card_dealt": {"card": card, "to": to}}
        for card, to in (("KS", "player"), ("KH", "banker"), ("7S", "player"), ("8H", "banker"))
    ]
    claims = [*(claim(name, 959, 1010) for name in "abc"), claim("t", 0, 1010)]
    told = play("punto_banco", PUNTO_BANCO, [*bets, "bets_closed", *cards, *claims, "round_closed"])

    assert [(found.code, found.bet) for found in told.findings] == [("wager_not_offered", "t")]
    assert {bet.bet: (bet.paid, bet.returned) for bet in told.settlements} == {
        "t": (0, 1010), "a": (959, 1010), "b": (959, 1010), "c": (959, 1010)
    }  # fmt: skip


def test_the_odds_of_punto_banco_follow_what_is_offered():
    rules = packs_with("punto_banco", PUNTO_BANCO).game("AD-2025", "punto_banco")

    assert {each.wager: each.edge for each in odds_of(rules)(rules)} == {
        "player": Fraction(18880657128, 1525814595305),
        "banker": Fraction(460294100, 43594702723),
    }


def test_baccarat_banque_without_a_choice_has_a_limited_bank_at_one_price():
    changes = {"options": {}, "wagers.bank": {"pays": "9/10", "passage": "game 9, V"}}
    bets = [
        {"bet_placed": {"bet": "bk", "seat": 1, "wager": "bank", "amount": 10000}},
        {"bet_placed": {"bet": "p", "seat": 2, "wager": "punter", "amount": 12000, "pick": 1}},
    ]
    cards = [
        {"card_dealt": {"card": card, "to": to}}
        for card, to in (("KS", "place1"), ("KH", "banker"), ("7S", "place1"), ("8H", "banker"))
    ]
    events = [*bets, "bets_closed", *cards, claim("p", 0, 2000), claim("bk", 9000, 10000)]
    told = play("baccarat_banque", changes, [*events, {"commission_taken": {"amount": 1000}}, "round_closed"])

    assert [(found.code, found.bet) for found in told.findings] == [("above_maximum", "p")]
    assert {bet.bet: (bet.paid, bet.returned) for bet in told.settlements} == {"p": (0, 2000), "bk": (9000, 10000)}


def test_the_policies_of_chemin_de_fer_are_those_of_its_exceptions():
    changed = packs_with("chemin_de_fer", {"exceptions.cells": [[6, 8]]}).game("AD-2025", "chemin_de_fer")
    none = packs_with("chemin_de_fer", {"exceptions.cells": []}).game("AD-2025", "chemin_de_fer")

    assert list(dict.fromkeys(each.assumes for each in odds_of(changed)(changed))) == [
        f"a fresh shoe; the punter {punter} on five, the banker {banker} on six given an eight; "
        "stakes that are paid without rounding"
        for punter in ("draws", "stands")
        for banker in ("draws", "stands")
    ]
    assert list(dict.fromkeys(each.assumes for each in odds_of(none)(none))) == [
        f"a fresh shoe; the punter {punter} on five; stakes that are paid without rounding"
        for punter in ("draws", "stands")
    ]


@pytest.mark.parametrize("game", ["punto_banco", "chemin_de_fer", "baccarat_banque", "trente_et_quarante"])
def test_the_shoe_is_of_the_laws_decks_and_the_game_has_a_name_in_each_language(game):
    law = PACKS.game("AD-2025", game).law

    assert law.shoe_decks == 6
    assert set(law.titles) == {"ca", "en", "es"}
    assert load(game).needs is type(law)
