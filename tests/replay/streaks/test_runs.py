"""Runs: bets on repetition are fair exactly, whatever is left of a shoe, and what repeats itself is found."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from math import factorial, isclose, log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.baccarat_hands import total
from replay.cards import FRENCH_DECK
from replay.games.trente_et_quarante import VALUES, is_refait, winning_chances
from replay.rules import Table
from replay.streaks.runs import PARTS, Learner, Runs, repeats
from tests.installed import PACKS
from tests.replay.streaks.told import told

OF = {"sic_bo": "AD-2022"}


def table(game):
    return Table(PACKS.game(OF.get(game, "AD-2025"), game))


def orders(cards: dict[str, int]) -> Iterator[list[str]]:
    """All orders of a shoe that can be told apart. Each is equally likely."""
    if not any(cards.values()):
        yield []
    for card, copies in cards.items():
        if copies:
            for rest in orders({**cards, card: copies - 1}):
                yield [card, *rest]


def number_of_orders(cards):
    return factorial(sum(cards.values())) // prod(factorial(copies) for copies in cards.values())


# --- punto banco ------------------------------------------------------------------------------------------------------


def value(card):
    return 1 if card[0] == "A" else 0 if card[0] in "TJQK" else int(card[0])


class Coups:
    """A punto banco table's detector, and a dealer who deals as the rules say."""

    def __init__(self):
        self.runs = Runs(table("punto_banco"), 1.0)
        self.seq = 0

    @property
    def wealth(self):
        return self.runs.process.wealth

    def deal(self, cards, outcome=None, *, verifiable=True, further=(), burnt=()):
        """One coup from the cards' beginning; returns how many it took, and who won."""
        player: list[int] = []
        banker: list[int] = []
        for card in burnt:
            self._card(card, "burn")
        taken = 0
        while hand := self.runs.orders.next(player, banker):
            self._card(cards[taken], hand)
            (player if hand == "player" else banker).append(value(cards[taken]))
            taken += 1
        for card in further:
            self._card(card, "banker")
        of_player, of_banker = total(player), total(banker)
        if outcome is None:
            outcome = f"player {of_player} banker {of_banker}"
        self.runs.round_over(told(verifiable=verifiable, outcome=outcome, closed_seq=self.seq))
        return taken, "player" if of_player > of_banker else "banker" if of_banker > of_player else "tie"

    def _card(self, card, to):
        self.seq += 1
        self.runs.card_dealt(told(seq=self.seq, card=card, to=to))


PLAYER_8_BANKER_3 = ["9S", "KS", "9D", "3H"]
PLAYER_1_BANKER_9 = ["AS", "9H", "KS", "KD"]
TIE_AT_9 = ["9S", "9H", "KS", "KD"]


@pytest.mark.parametrize(
    "left",
    [
        {"6S": 4, "KS": 3, "3S": 3},
        {"6S": 7, "4S": 5},
        {"KS": 5, "5S": 5, "8S": 1},
        {"AS": 2, "2S": 2, "7S": 2, "KS": 2},
        {"5S": 9, "AS": 3},
    ],
)
def test_whatever_is_left_of_a_shoe_the_wealth_is_one_in_the_mean(left):
    """Every order of what is left, after a coup that the banker won; coups begin as long as six cards are left."""
    mean = 0.0
    for cards in orders(left):
        coups = Coups()
        coups.deal(PLAYER_1_BANKER_9)
        while len(cards) >= 6:
            taken, _ = coups.deal(cards)
            cards = cards[taken:]
        mean += coups.wealth / number_of_orders(left)

    assert isclose(1.0, mean, rel_tol=1e-9)


@pytest.mark.parametrize(("left", "least", "most"), [({"2S": 7, "3S": 3}, 0.0, 0.1), ({"7S": 6, "8S": 4}, 0.75, 1.0)])
def test_what_is_left_of_a_shoe_may_move_the_bankers_chance_anywhere(left, least, most):
    """Why no fixed chance will do: all orders of ten cards counted."""
    won = {"player": 0, "banker": 0, "tie": 0}
    for cards in orders(left):
        won[Coups().deal(cards)[1]] += 1

    assert least <= won["banker"] / (won["banker"] + won["player"]) <= most


def test_forty_one_hands_in_a_row_are_an_alarm_long_before_the_last():
    """As at the Golden Nugget in 2012, if the run is the player's hand each time."""
    coups = Coups()
    number = 0
    while coups.wealth < 1e6:
        coups.deal(PLAYER_8_BANKER_3)
        number += 1

    assert number <= 30


@pytest.mark.parametrize("again", [0.5, 0.7])
def test_a_winner_who_comes_again_on_purpose_is_found(again):
    """In a part of the coups the shoe is stacked so that the last winner wins again. The bound is that of all tests at
    a level of 1 in a million, for the results alone: log(1/a) over the divergence."""
    rng = random.Random(3)
    found = []
    for _ in range(15):
        coups, last, number = Coups(), "", 0
        while coups.wealth < 1e6:
            stacked = last and rng.random() < again
            while True:
                cards = rng.sample(FRENCH_DECK, 6)
                _, winner = Coups().deal(cards)
                if winner != "tie" and (not stacked or winner == last):
                    break
            coups.deal(cards)
            last = winner
            number += 1
        found.append(number)
    chance = again + (1 - again) / 2
    bound = log(1e6) / (chance * log(2 * chance) + (1 - chance) * log(2 * (1 - chance)))

    assert sorted(found)[7] <= 1.5 * bound


@pytest.mark.parametrize("again", [0.54, 0.46])
def test_a_slight_persistence_or_its_opposite_is_learnt_in_the_long_run(again):
    """The bound of all tests at 1 in a million, for who knows the chance: 4,311 outcomes."""
    bound = log(1e6) / (again * log(2 * again) + (1 - again) * log(2 * (1 - again)))
    found = []
    for seed in range(11):
        rng, learner, number = random.Random(seed), Learner(), 0
        while learner.wealth < 8e6 and number < 20_000:
            number += 1
            learner.observe(0.5, rng.random() < again)
        found.append(number)

    assert sorted(found)[5] <= 2 * bound


@pytest.mark.parametrize("given", [0.1, 0.5, 0.9])
def test_who_learns_wins_nothing_in_the_mean_where_there_is_nothing_to_learn(given):
    """Over all ways in which eight outcomes can come again or not."""
    mean = 0.0
    for ways in product((False, True), repeat=8):
        learner, chance = Learner(), 1.0
        for again in ways:
            learner.observe(given, again)
            chance *= given if again else 1 - given
        mean += chance * learner.wealth

    assert isclose(1.0, mean, rel_tol=1e-9)


def test_a_run_of_the_bankers_hand_alone_is_found_too():
    """The banker wins four of five coups, whoever won before."""
    rng = random.Random(4)
    coups = Coups()
    for _ in range(200):
        coups.deal(PLAYER_1_BANKER_9 if rng.random() < 0.8 else PLAYER_8_BANKER_3)

    assert coups.wealth >= 1e6


def test_ties_and_coups_that_cannot_be_verified_neither_break_a_run_nor_lengthen_it():
    coups = Coups()
    coups.deal(PLAYER_8_BANKER_3)
    coups.deal(TIE_AT_9)
    coups.deal(PLAYER_1_BANKER_9, outcome="", verifiable=False)
    coups.deal(PLAYER_8_BANKER_3)

    assert coups.runs.process.observations == 1
    assert coups.wealth > 1.0


@pytest.mark.parametrize(
    "cards", [["9S", "KS", "??", "3H"], ["9S", "KS", "8D", "3H"]], ids=["one not read", "others than those told"]
)
def test_a_coup_whose_cards_do_not_give_its_result_is_not_counted(cards):
    coups = Coups()
    coups.deal(PLAYER_8_BANKER_3)
    for card in cards:
        coups.runs.card_dealt(told(seq=9, card=card, to="player"))
    coups.runs.round_over(told(verifiable=True, outcome="player 8 banker 3", closed_seq=9))

    assert coups.runs.process.observations == 0


def test_burnt_cards_and_cards_that_come_when_the_coup_is_complete_are_none_of_it():
    coups = Coups()
    coups.deal(PLAYER_8_BANKER_3, burnt=["5S", "2H"])
    coups.deal(PLAYER_8_BANKER_3, further=["5S"])

    assert coups.runs.process.observations == 1


# --- trente et quarante -----------------------------------------------------------------------------------------------


def coups_of_two_rows(cards):
    """The outcomes of all coups that the cards are enough for."""
    while cards:
        rows = []
        for _ in "black", "red":
            row: list[int] = []
            while cards and sum(row) < 31:
                row.append(VALUES[cards[0]])
                cards = cards[1:]
            rows.append(sum(row))
        if rows[1] < 31:
            return
        won = winning_chances(rows[0], rows[1], True)
        result = "refait" if is_refait(*rows) else "null" if won is None else f"{won[0]} and {won[1]}"
        yield f"black {rows[0]}, red {rows[1]}: {result}"


@pytest.mark.parametrize("left", [{"KS": 14, "AS": 2}, {"KS": 13, "9S": 2, "2S": 1}, {"7S": 3, "8S": 14}])
def test_whatever_is_left_of_six_packs_bets_on_a_colour_are_fair(left):
    mean, bets = 0.0, 0
    for cards in orders(left):
        runs = Runs(table("trente_et_quarante"), 1.0)
        for number, outcome in enumerate(coups_of_two_rows(cards)):
            runs.round_over(told(verifiable=True, outcome=outcome, closed_seq=number))
        mean += runs.process.wealth / number_of_orders(left)
        bets += runs.process.observations

    assert isclose(1.0, mean, rel_tol=1e-9)
    assert bets > 0


def test_rows_of_one_colour_are_a_run():
    runs = Runs(table("trente_et_quarante"), 1.0)
    for coup in range(1, 40):
        row = told(verifiable=True, outcome="black 31, red 35: black and color", closed_seq=coup)
        runs.round_over(row)

    assert runs.process.wealth > 1e6


# --- dice, the ball ---------------------------------------------------------------------------------------------------


@given(chance=st.floats(0.02, 0.98), given_=st.floats(0.0, 1.0), part=st.sampled_from(PARTS))
def test_bets_on_repetition_are_fair_at_the_chance_that_is_given(chance, given_, part):
    other, again = repeats(given_, part, chance)

    assert isclose(1.0, (1 - given_) * other + given_ * again, rel_tol=1e-9)


def test_at_the_chance_that_is_expected_a_bet_is_on_what_comes_again_for_certain_in_a_part_of_the_cases():
    other, again = repeats(1 / 9, 0.4, 1 / 9)

    assert isclose(0.6, other)
    assert isclose((0.4 + 0.6 / 9) * 9, again)


def test_points_made_in_a_row_are_bet_on_at_the_chance_of_each_point():
    runs = Runs(table("craps"), 1.0)
    seq = 0
    for _ in range(25):
        for dice in ((4, 6), (4, 6)):  # ten, and ten again: 3 in 9
            seq += 1
            runs.dice_rolled(told(seq=seq, dice=list(dice), void=None, seat=1))

    assert runs.process.observations == 24
    assert runs.process.wealth > 1e6


@pytest.mark.parametrize("game", ["boule", "sic_bo", "punto_banco", "trente_et_quarante", "craps"])
def test_every_game_with_runs_has_a_process_from_the_start(game):
    assert [process.code for process in Runs(table(game), 1.0).running] == ["runs"]
