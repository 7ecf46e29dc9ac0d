"""What a stake is worth before it is decided: bounds against all that can still come, whatever came before."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.games import casino_war, mahjong_pai_gow
from replay.rules import Table
from replay.streaks.worth import worths
from tests.installed import PACKS

RULES = PACKS.pack("AD-2022").games


def most(game, wager):
    return worths(Table(RULES[game]))[wager, ""].most


# --- mahjong pai gow --------------------------------------------------------------------------------------------------

TILES = [tile for tile in mahjong_pai_gow.TILES for _ in range(4)]


def mahjong_gives_back(wager, left):
    """In the mean over all ways to deal a position and the bank two tiles each of those that are left."""
    found = RULES["mahjong_pai_gow"].wagers[wager]
    total, deals = Fraction(0), 0
    for own in combinations(range(len(left)), 2):
        rest = [at for at in range(len(left)) if at not in own]
        for banks in combinations(rest, 2):
            price = mahjong_pai_gow.ruling(found, (left[own[0]], left[own[1]]), (left[banks[0]], left[banks[1]]))
            total += 0 if price is None else 1 + price.ratio
            deals += 1
    return total / deals


@settings(max_examples=15)
@given(left=st.permutations(TILES).map(lambda tiles: tiles[:8]))
def test_win_and_lose_at_mahjong_give_back_no_more_than_was_staked_whatever_tiles_are_left(left):
    win, lose = mahjong_gives_back("win", left), mahjong_gives_back("lose", left)

    assert win == lose
    assert win <= most("mahjong_pai_gow", "win") == most("mahjong_pai_gow", "lose")


def pairs_give_back(left):
    """Six to one for two equal tiles, whatever the bank has."""
    hands = list(combinations(left, 2))
    return Fraction(7 * sum(first == second for first, second in hands), len(hands))


@given(left=st.permutations(TILES).flatmap(lambda tiles: st.integers(24, 40).map(lambda number: tiles[:number])))
def test_a_pair_gives_back_no_more_than_its_bound_as_long_as_it_is_offered(left):
    assert pairs_give_back(left) <= most("mahjong_pai_gow", "pair") + 1e-12


def test_the_bound_of_a_pair_is_met_by_six_kinds_of_four():
    assert float(pairs_give_back(TILES[:24])) == pytest.approx(most("mahjong_pai_gow", "pair"))


def test_the_tie_at_mahjong_may_be_favourable_and_is_not_watched():
    equal = sum(1 for own in combinations(TILES[:24], 2) if own[0] != own[1])
    assert equal == 240  # pairs of different tiles; those of equal worth are the same two kinds

    # Against one of 15 x 16 hands of two kinds stand 3 x 3 equal ones, against one of 6 x 6 pairs one, of 22 x 21 / 2.
    chance = Fraction(240, 276) * Fraction(9, 231) + Fraction(36, 276) * Fraction(1, 231)

    assert 61 * chance > 2
    assert ("tie", "") not in worths(Table(RULES["mahjong_pai_gow"]))


# --- casino war, triple joc -------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(left=st.lists(st.integers(0, 12), min_size=4, max_size=7))
def test_the_first_stake_at_war_gives_back_no_more_than_itself_whatever_cards_are_left_and_however_ties_are_answered(
    left,
):
    wagers = RULES["casino_war"].wagers
    total, deals = Fraction(0), 0
    for box, dealer, second, dealers in permutations(left, 4):
        if box == dealer:
            at_war = casino_war.ruling(wagers["war"], second, dealers) is not None
            total += max(Fraction(1, 2), Fraction(at_war))  # as one who sees the next cards would answer
        elif casino_war.ruling(wagers["main"], box, dealer) is not None:
            total += 2
        deals += 1

    assert total / deals <= most("casino_war", "main") == most("triple_joc", "war") == 1


def test_poker_at_triple_joc_is_worth_what_the_frequencies_of_six_cards_give_it():
    """Of 20,358,520 hands: royal flush, straight flush, four, full house, flush, straight, three, two pairs, queens."""
    ways = (188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 2_252_472)
    pays = (100, 25, 10, 6, 5, 4, 3, 2, 1)
    back = sum(number * (1 + to_one) for number, to_one in zip(ways, pays, strict=True)) / 20_358_520

    assert most("triple_joc", "poker") == pytest.approx(back)


# --- the others -------------------------------------------------------------------------------------------------------


def test_the_bonus_at_casino_holdem_is_worth_at_most_what_one_gets_who_never_gives_up():
    """Of 2,598,960 hands of five 9,516 are flushes or better, 273,144 others a pair of aces up to a straight."""
    assert most("casino_holdem", "aa_bonus") == pytest.approx((26 * 9_516 + 8 * 273_144) / 2_598_960)


def test_vista_hermosa_is_worth_most_when_no_card_is_doubled_or_burnt():
    assert most("monte", "vista_hermosa") == pytest.approx(33 / 36)
    assert all(Fraction(33 - known, 36 - known) <= Fraction(33, 36) for known in range(33))


@pytest.mark.parametrize("game", ["caribbean_stud", "pai_gow_poker", "circle_poker"])
def test_games_whose_stakes_hang_on_how_one_plays_or_on_other_players_have_no_worth(game):
    assert worths(Table(RULES[game])) == {}


@pytest.mark.parametrize("game", ["chemin_de_fer", "baccarat_banque"])
def test_banks_that_players_hold_have_no_worth(game):
    assert worths(Table(PACKS.game("AD-2025", game))) == {}


@pytest.mark.parametrize(
    ("game", "watched"),
    [
        ("casino_holdem", {"aa_bonus"}),
        ("mahjong_pai_gow", {"win", "lose", "pair"}),
        ("monte", {"vista_hermosa"}),
        ("triple_joc", {"war", "poker"}),
        ("three_card_poker", {"pair_plus"}),
    ],
)
def test_stakes_that_are_laid_when_cards_are_known_are_not_followed(game, watched):
    assert {wager for wager, _ in worths(Table(RULES[game]))} == watched
