"""Blackjack and its kin under laws of their own that begin from Andorra's text: what a pack may say otherwise."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from replay import games
from replay.cards import FRENCH_DECK
from replay.judging import Judging
from replay.packs import Packs
from replay.results import Finding
from replay.session import Session
from tests.games.blackjacks import CLOSED, END, call, cards, deal, stake
from tests.games.retold import claim, scenario, shown
from tests.installed import PACKS

ABOUT = """
name = "OWN"
jurisdiction = "OWN"
title = "A law of its own"
source = "Gazette 1"
in_force = 2026-01-01
approved_by = "the assembly"
based_on = "{law}"
games = ["{game}"]
"""
DEAL = [deal("AS", 1), deal("9C", "D"), deal("KH", 1)]


def own(text, game="blackjack", law="AD-2025"):
    """The installed packs, and one that says this of the game."""
    about = ABOUT.format(law=law, game=game)
    return PACKS.beside(Packs({"OWN": {"pack.toml": about.encode(), f"{game}.toml": text.encode()}}))


def problems(text, game="blackjack", law="AD-2025"):
    """What is wrong with such a pack."""
    return [str(problem) for problem in own(text, game, law).problems(["OWN"])]


def settle(packs, *events, game="blackjack", **table):
    """Each bet's (paid, returned), and the findings."""
    opened = {"game": game, "rules": "OWN", "limits": {"min": 1000, "max": 20_000}, **table}
    outcome = scenario(opened, events).settle(Judging(packs=packs))
    return shown(outcome.settlements), outcome.findings


def figures(packs, game="blackjack"):
    """The edge of each wager."""
    rules = packs.game("OWN", game)
    return {odds.wager: odds.edge for odds in games.odds_of(rules)(rules)}


# Prices


def test_one_price_alone_may_differ():
    packs = own('[wagers.main]\npays = { blackjack = "6/5" }\npassage = "1"\n')

    assert settle(packs, stake("m1"), CLOSED, *DEAL, claim("m1", 1200, 1000), END) == ({"m1": (1200, 1000)}, [])
    money, _ = settle(packs, stake("m1"), CLOSED, cards(1, "TS"), deal("9C", "D"), cards(1, "TH"), call("stand"),
                      deal("9H", "D"), claim("m1", 1000, 1000), END)  # fmt: skip
    assert money == {"m1": (1000, 1000)}


def test_a_payment_of_three_for_two_is_too_much_at_six_for_five():
    packs = own('[wagers.main]\npays = { blackjack = "6/5" }\npassage = "section 1"\n')
    _, [found] = settle(packs, stake("m1"), CLOSED, *DEAL, claim("m1", 1500, 1000), END)

    assert (found.code, found.amount, found.passage) == ("overpaid", 300, "section 1")


# Decks


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_shoe_of_one_to_eight_decks_has_its_own_figures(decks):
    packs = own(f'[shoe]\ndecks = {decks}\npassage = "1"\n')

    assert problems(f'[shoe]\ndecks = {decks}\npassage = "1"\n') == []
    assert packs.game("OWN", "blackjack").law.shoe_decks == decks
    assert figures(packs)["insurance"] == 1 - 3 * Fraction(16 * decks, 52 * decks - 1)


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_under_and_over_13_by_every_two_cards_of_the_shoe(decks):
    points = {card: min(10, "A23456789TJQK".index(card[0]) + 1) for card in FRENCH_DECK}
    sums = [points[one] + points[two] for one, two in permutations(FRENCH_DECK * decks, 2)]
    under, over = sum(total < 13 for total in sums), sum(total > 13 for total in sums)
    found = figures(own(f'[shoe]\ndecks = {decks}\npassage = "1"\n'))

    assert found["under_13"] == Fraction(len(sums) - 2 * under, len(sums))
    assert found["over_13"] == Fraction(len(sums) - 2 * over, len(sums))


def test_the_shoe_is_counted_by_the_decks_of_the_law():
    packs = own('[shoe]\ndecks = 8\nburned_after_loading = 0\npassage = "1"\n')
    events = [{"shoe_loaded": {"decks": 8}}, *[deal("7S", "burn") for _ in range(9)], END]

    assert [found.text for found in settle(packs, *events, decks=8)[1]] == [
        "7S has come out more often than 8 decks hold it"
    ]
    assert "with 6 decks, not with 8 decks" in settle(packs, {"shoe_loaded": {"decks": 6}}, END)[1][0].text


@pytest.mark.parametrize(("decks", "bound"), [(0, "greater than or equal to 1"), (9, "less than or equal to 8")])
def test_no_shoe_holds_less_than_one_deck_or_more_than_eight(decks, bound):
    [problem] = problems(f'[shoe]\ndecks = {decks}\npassage = "1"\n')

    assert problem.startswith("OWN/blackjack.toml: shoe.decks: ")
    assert bound in problem


# The dealer, passages, wagers


def test_the_dealer_stands_where_the_law_says():
    packs = own('[dealer]\nstands_on = 18\npassage = "1"\n')
    start = [stake("m1"), CLOSED, cards(1, "TS"), deal("TC", "D"), cards(1, "8H"), call("stand"), deal("7C", "D")]

    assert settle(packs, *start, deal("2C", "D"), claim("m1", 0, 0), END) == ({"m1": (0, 0)}, [])
    money, [found] = settle(packs, *start, claim("m1", 1000, 1000), END)
    assert money == {"m1": (1000, 1000)}
    assert (found.code, found.text) == ("dealer_misplay", "the dealer stood on 17; he draws to 17")


def test_a_pack_cites_its_own_passages():
    packs = own('[passages]\nplay = "article 9"\n')
    _, [found] = settle(packs, stake("m1"), CLOSED, *DEAL, claim("m1", 1500, 1000), call("stand"), END)

    assert (found.code, found.passage) == ("illegal_decision", "article 9")


def test_the_hand_may_be_the_only_wager():
    sides = ("insurance", "under_13", "over_13", "jackpot", "progressive")
    packs = own(f"without = [{', '.join(repr(f'wagers.{side}') for side in sides)}, 'limits.side_bets']\n")

    assert packs.problems(["OWN"]) == []
    assert figures(packs) == {}
    money, [found] = settle(packs, stake("m1"), stake("j1", wager="jackpot"), CLOSED, *DEAL, claim("m1", 1500, 1000),
                            claim("j1", 0, 1000), END)  # fmt: skip
    assert money == {"m1": (1500, 1000), "j1": (0, 1000)}
    assert (found.code, found.bet) == ("wager_not_offered", "j1")


def test_an_insurance_without_a_bound_is_no_law():
    text = 'without = ["wagers.insurance.most"]\n'

    [problem] = problems(text)
    assert problem == (
        "OWN/blackjack.toml: wagers.insurance.most is missing: the part of a stake that may be insured, as in '1/2'"
    )


# Options


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            '[options.jackpot_stake]\nkind="fraction"\npassage="1"\n',
            "options.jackpot_stake.kind: int, not fraction",
        ),
        ('[options.boxes]\ndefault = 5\npassage = "1"\n', "options.boxes.default: 6 at least, not 5"),
        ('[options.boxes]\ndefault = "7"\npassage = "1"\n', "options.boxes.default: a whole number, not '7'"),
        ('[options.jackpot]\ndefault = 1\npassage = "1"\n', "options.jackpot.default: true or false, not 1"),
        ('[options.shoe]\ndefault = "hand"\npassage = "1"\n', "options.shoe.default: one of manual, continuous, not"),
        (
            '[options.shoe]\nchoices = ["manual", "hand"]\npassage = "1"\n',
            "options.shoe.choices: blackjack knows no hand (it knows: manual, continuous)",
        ),
        ('without = ["options.boxes"]\n', "options.boxes: is missing"),
        ('without = ["options.boxes.default"]\n', "options.boxes.default: is missing"),
        ('[options.peeking]\nkind = "flag"\npassage = "1"\n', "options.peeking: blackjack knows no such option"),
        (
            '[options.even_money]\nkind = "flag"\ndefault = false\npassage = "1"\n',
            "options.even_money: stands in a law that has a table hole_card",
        ),
    ],
)
def test_what_an_option_says_is_what_the_code_can_follow(text, problem):
    assert problems(text)[0].startswith(f"OWN/blackjack.toml: {problem}")


# Triple blackjack, triple joc, casino war


def test_each_box_that_may_be_staked_has_a_hand_of_the_dealer():
    text = '[dealer]\nhands = 2\npassage = "1"\n'
    [problem] = problems(text, "triple_blackjack", "AD-2022")

    assert problem.startswith("OWN/triple_blackjack.toml: wagers.main.picks: boxes out of 1 to 2")
    both = f'{text}[wagers.main]\npicks = [1, 2]\npassage = "1"\n'
    assert problems(both, "triple_blackjack", "AD-2022") == []
    _, found = settle(own(both, "triple_blackjack", "AD-2022"), stake("m1", pick=1), CLOSED, *DEAL,
                      deal("9H", "D", 3), claim("m1", 1500, 1000), END, game="triple_blackjack")  # fmt: skip
    assert [each.text for each in found] == ["9H was dealt to hand 3 of the dealer; he has two"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[shoe]\ndecks = 2\npassage = "1"\n', "shoe.decks"),
        ('[wagers.poker]\ncards = 8\npassage = "1"\n', "wagers.poker.cards"),
        ('[wagers.poker]\nlowest_pair = "10"\npassage = "1"\n', "wagers.poker.lowest_pair"),
        ('without = ["wagers.poker.pays.pair"]\n', "wagers.poker.pays.pair"),
        ('without = ["wagers.war"]\n', "wagers.war"),
        ('[box]\ncompulsory = ["war", "insurance"]\npassage = "1"\n', "box.compulsory.1"),
    ],
)
def test_triple_joc_asks_for_one_pack_and_three_whole_games(text, key):
    [problem] = problems(text, "triple_joc", "AD-2022")

    assert problem.startswith(f"OWN/triple_joc.toml: {key}: ")


def test_triple_joc_deals_poker_of_as_many_cards_as_the_law_says_and_has_no_figure_but_for_six():
    packs = own('[wagers.poker]\ncards = 7\npassage = "1"\n', "triple_joc", "AD-2022")

    assert packs.problems(["OWN"]) == []
    assert sorted(figures(packs, "triple_joc")) == ["insurance", "war"]


def test_at_casino_war_without_war_a_tie_can_only_be_given_up():
    packs = own('without = ["wagers.war", "wagers.tie"]\n', "casino_war", "AD-2022")
    tied = [stake("m1"), CLOSED, deal("9S", 1), deal("9H", "D"), call("surrender"), claim("m1", 0, 500), END]

    assert packs.problems(["OWN"]) == []
    assert settle(packs, *tied, game="casino_war") == ({"m1": (0, 500)}, [])
    rules = packs.game("OWN", "casino_war")
    assert {(odds.wager, odds.options["tie"]) for odds in games.odds_of(rules)(rules)} == {("main", "surrender")}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[limits.main]\nmultiples = []\npassage = "1"\n', "limits.main.multiples"),
        ('[surrender]\nreturns = "3/2"\npassage = "1"\n', "surrender.returns"),
        ('[shoe]\nmost_decks = 0\npassage = "1"\n', "shoe.most_decks"),
        ('[wagers.war]\npays = "1/1"\npassage = "1"\n', "wagers.war.pays"),
    ],
)
def test_casino_war_asks_for_values_that_can_be_judged(text, key):
    [problem] = problems(text, "casino_war", "AD-2022")

    assert problem.startswith(f"OWN/casino_war.toml: {key}: ")


# A house under the law


def test_a_house_may_offer_fewer_wagers_and_narrow_its_boxes():
    about = ABOUT.format(law="AD-2025", game="blackjack").replace("based_on", "extends")
    text = 'passage = "house 1"\ngame = "blackjack"\nwithout = ["wagers.jackpot"]\n[options]\nboxes = 6\n'
    packs = PACKS.beside(Packs({"OWN": {"pack.toml": about.encode(), "blackjack.toml": text.encode()}}))

    assert packs.problems(["OWN"]) == []
    session = Session("-", Judging(packs=packs))
    table = {"game": "blackjack", "rules": "OWN", "limits": {"min": 1000, "max": 20_000}, "options": {"boxes": 8}}
    session.step(scenario(table, ["round_opened"]).events[0], b"")
    [found] = [said for said in session.drain() if isinstance(said, Finding)]
    assert (found.code, found.passage) == ("setup_not_allowed", "house 1; game 3, IV.1")
