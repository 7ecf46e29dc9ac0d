"""Values of a pack that are well formed each by itself and that a game's code cannot follow are refused at their key;
what a game can do without, a pack may leave out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from replay.games import odds_of
from replay.games.texas_holdem_bonus import bonus
from replay.money import Price
from tests.changed_packs import cut, pack_with, put
from tests.installed import PACKS

PACK = "AD-2022"

FLAG = {"kind": "flag", "default": True, "passage": "VI"}
BAND = {"least_multiple": 5, "most_multiple": 50, "passage": "VII"}


@pytest.mark.parametrize(
    ("game", "change", "told"),
    [
        ("caribbean_stud", put("qualification.hand", "full_hause"), "qualification.hand: one of high_card, pair"),
        ("caribbean_stud", put("qualification.ranks", ["A", "10"]), "qualification.ranks.1: "),
        ("caribbean_stud", put("deal.own", 4), "deal.own: Input should be greater than or equal to 5, not 4"),
        ("caribbean_stud", put("wagers.raise.most_multiple", 3), "wagers.raise: least_multiple and most_multiple"),
        ("caribbean_stud", cut("wagers.raise.pays.flush"), "wagers.raise.pays.flush: is missing"),
        ("caribbean_stud", put("wagers.raise.pays.flsh", "5/1"), "wagers.raise.pays.flsh: no such hand; did you"),
        ("caribbean_stud", cut("wagers.raise.multiple"), "wagers.raise.multiple: is missing: how many times the ante"),
        ("caribbean_stud", put("wagers.ante.multiple", 2), "wagers.ante: goes down before the deal"),
        ("caribbean_stud", put("limits", {"raise": BAND}), "limits.raise: no stake before the deal"),
        ("casino_holdem", put("limits.ante.multiples", [5]), "limits.ante: either multiples, or least_multiple"),
        ("casino_holdem", put("limits.ante.most_multiple", 4), "limits.ante: least_multiple and most_multiple"),
        ("casino_holdem", put("wagers.aa_bonus.pays", "7/1"), "wagers.aa_bonus.pays: a price for each of pair_of_aces"),
        ("four_card_poker", put("wagers.aces_up.pays", "1/1"), "wagers.aces_up.pays: a price by hand"),
        ("four_card_poker", put("automatic_bonus.full_house", "3/1"), "automatic_bonus.full_house: no such key"),
        ("texas_holdem_bonus", put("wagers.bonus.pays.KAs", "25/1"), "wagers.bonus.pays.KAs: no such hand"),
        ("three_card_poker", put("qualification.hand", "two_pair"), "qualification.hand: one of high_card"),
        ("pai_gow_poker", put("places.most", 7), "places.most: Input should be less than 7, not 7"),
        ("pai_gow_poker", put("wagers.main.pays", "2/1"), "wagers.main.pays: '1/1': a win is paid at par"),
        ("pai_gow_poker", put("options.joker.choices", ["none", "semi_wild", "wild"]), "options.joker.choices: "),
        ("pai_gow_poker", put("options.house_way", FLAG), "options.house_way.kind: choice, not flag"),
        ("pai_gow_poker", cut("options.wheel.default"), "options.wheel.default: is missing"),
        ("pai_gow_poker", put("options.wheel.default", "third"), "options.wheel.default: one of second, low"),
        ("pai_gow_poker", put("options.commission_pct.default", 6), "options.commission_pct.default: 5 at most"),
        ("pai_gow_poker", put("options.commission_pct.most", 101), "options.commission_pct.most: 100 or less"),
        ("pai_gow_poker", cut("options.commission_pct.most"), "options.commission_pct.most: 100 or less"),
        ("mahjong_pai_gow", put("first_position.bank", [5, 9, 13]), "first_position: each sum of three dice, 3 to 18"),
        ("mahjong_pai_gow", put("first_position.bank", [5, 6, 9, 13, 17]), "first_position: each sum of three dice"),
        ("mahjong_pai_gow", put("limits.most_multiple", 10), "limits: most_multiple is no less than least_multiple"),
        ("mahjong_pai_gow", put("set.copies", 0), "set.copies: "),
        ("monte", put("wagers.camo.picks", [1, 5]), "wagers.camo.picks: some of 1, 2, 3, 4, not [1, 5]"),
        ("monte", cut("wagers.card_vs_card.picks"), "wagers.card_vs_card.picks: some of 1v2"),
        ("monte", cut("wagers.anti.suits_on"), "wagers.anti.suits_on: is missing: how many suits on"),
        ("monte", put("wagers.pot.suits_on", 1), "wagers.pot.suits_on: it is on no suit"),
        ("monte", put("wagers.vista_hermosa.phases", [1, 2]), "wagers.vista_hermosa.phases: [1]"),
        ("monte", put("limits.camo.multiples", [30]), "limits.camo.multiples: one for each phase"),
        ("monte", put("limits.cammo", {"multiples": [30, 60], "passage": "VI"}), "limits.cammo: no such wager"),
        ("monte", put("door.keeps", "-9/10"), "door.keeps: "),
    ],
)  # fmt: skip
def test_what_the_code_cannot_follow_is_refused_at_its_key(game, change, told):
    problems = [str(problem) for problem in pack_with(game, change).problems([PACK])]

    assert any(problem.startswith(f"{PACK}/{game}.toml: {told}") for problem in problems), problems


@pytest.mark.parametrize(
    ("game", "wagers"),
    [
        ("casino_holdem", ["aa_bonus"]),
        ("four_card_poker", ["aces_up"]),
        ("texas_holdem_bonus", ["turn", "river", "bonus"]),
        ("three_card_poker", ["pair_plus"]),
        ("pai_gow_poker", ["bank"]),
        ("mahjong_pai_gow", ["tie", "pair"]),
        ("monte", ["vista_hermosa", "camo", "anti", "viudo"]),
    ],
)
def test_a_pack_may_offer_fewer_wagers(game, wagers):
    packs = pack_with(game, cut(*(f"wagers.{wager}" for wager in wagers)))
    rules = packs.game(PACK, game)

    assert packs.problems([PACK]) == []
    assert {odds.wager for odds in odds_of(rules)(rules)} <= set(rules.wagers)


def test_aces_against_aces_are_paid_as_aces_where_the_table_has_no_line_of_their_own():
    rules = pack_with("texas_holdem_bonus", cut("wagers.bonus.pays.AA_against_AA")).game(PACK, "texas_holdem_bonus")

    assert bonus(rules, ["AS", "AH"], ["AD", "AC"]).price == Price(30)
    assert bonus(PACKS.game(PACK, "texas_holdem_bonus"), ["AS", "AH"], ["AD", "AC"]).price == Price(1000)


def test_asos_has_the_odds_of_as_many_cards_as_are_dealt():
    """Of four cards, those of the 270,725 hands that the four-card ranking pays: 13 fours, 44 straight flushes, 2,496
    threes, 2,816 flushes, 2,772 straights, 2,808 two pairs and 6,336 pairs of aces."""
    rules = pack_with("four_card_poker", put("deal.own", 4)).game(PACK, "four_card_poker")
    aces_up = next(odds for odds in odds_of(rules)(rules) if odds.wager == "aces_up")
    paid = 13 * 40 + 44 * 30 + 2496 * 7 + 2816 * 6 + 2772 * 4 + 2808 * 2 + 6336 * 1
    wins = 13 + 44 + 2496 + 2816 + 2772 + 2808 + 6336

    assert aces_up.edge == Fraction(270725 - wins - paid, 270725)
