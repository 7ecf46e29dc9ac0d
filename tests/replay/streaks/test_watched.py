"""What a game's file says that there is to watch: each game's statement, and a game that no detector has heard of."""

from __future__ import annotations

import sys
from fractions import Fraction
from types import ModuleType

import pytest

from replay import games
from replay.games import Game
from replay.heading import Heading
from replay.law import GameLaw
from replay.odds import Odds
from replay.rules import GameRules, Table
from replay.streaks.watch import Watch, WatchSettings
from replay.streaks.worth import Worth, worths
from replay.watched import AtMost, Exact, Repetition, Watchable
from tests.installed import PACKS
from tests.replay.streaks.told import told


def watch_at(table):
    return Watch(Heading.of("s", table), table, WatchSettings())


def detectors_at(table):
    return {type(detector).__name__ for detector in watch_at(table).detectors}


SHOE = {"CardsOfShoe", "Dealers"}


@pytest.mark.parametrize(
    ("game", "detectors"),
    [
        ("craps", {"Dice", "Shooters", "Runs", "Winnings", "Dealers"}),
        ("sic_bo", {"Dice", "Triples", "Runs", "Winnings", "Dealers"}),
        ("boule", {"Ball", "Runs", "Winnings", "Dealers"}),
        ("punto_banco", SHOE | {"Runs", "Winnings"}),
        ("trente_et_quarante", SHOE | {"Runs", "Winnings"}),
        ("casino_war", SHOE | {"Winnings"}),
        ("blackjack", SHOE | {"Winnings", "Counting"}),
        ("triple_blackjack", SHOE | {"Winnings", "Counting"}),
        ("chemin_de_fer", SHOE),
        ("baccarat_banque", SHOE),
        ("mahjong_pai_gow", {"Dice", "Winnings", "Dealers"}),
        ("pai_gow_poker", {"Dice", "Dealers"}),
        *(
            (game, {"Winnings", "Dealers"})
            for game in (
                *("casino_holdem", "four_card_poker", "monte"),
                *("texas_holdem_bonus", "three_card_poker", "triple_joc"),
            )
        ),
        ("caribbean_stud", {"Dealers"}),
        ("circle_poker", {"Dealers"}),
    ],
)
def test_at_each_game_is_watched_what_its_dice_balls_shoes_and_wagers_leave_to_watch(game, detectors):
    decks = 6 if game == "casino_war" else None  # elsewhere the regulation says how many

    assert detectors == detectors_at(Table(PACKS.game("AD-2022", game), decks=decks))


# --- a game that nobody has heard of ----------------------------------------------------------------------------------

LAW = {
    "game": "one_die",
    "title": "One die",
    "source": "made up",
    "passages": {"call": "1", "wagers": "1"},
    "wagers": {"six": {"passage": "1", "pays": "5"}, "any": {"passage": "1", "pays": "1"}},
}
RULES = GameRules("XX", "XX", GameLaw.model_validate(LAW), LAW)


class OneDie(Game):
    watched = Watchable(
        dice=1,
        ball=4,
        ball_together=((1, 2),),
        runs=Repetition(
            name="sixes that repeat",
            look_at="the die.",
            chances={"six": Fraction(1, 6)},
            of_dice=lambda dice: "six" if dice[0] == 6 else "other",
        ),
        nulls={"six": Exact(), "any": AtMost(Fraction(1, 2))},
    )


def odds(rules):
    yield Odds(wager="six", edge=Fraction(0), variance=Fraction(5), assumes="a fair die")
    yield Odds(wager="any", edge=Fraction(3, 4), variance=Fraction(1, 4), assumes="a fair die")


@pytest.fixture
def table(monkeypatch):
    module = ModuleType("replay.games.one_die")
    vars(module).update(GAME=OneDie, odds=odds)
    monkeypatch.setitem(sys.modules, "replay.games.one_die", module)
    monkeypatch.setattr(games, "_own_names", lambda: frozenset({"one_die"}))
    monkeypatch.setattr(games, "names", lambda: ("one_die",))
    return Table(RULES)


def test_it_is_watched_for_all_that_its_file_states(table):
    assert detectors_at(table) == {"Dice", "Ball", "Runs", "Winnings", "Dealers"}


def test_a_die_that_always_shows_the_same_face_alarms_there(table):
    watch = watch_at(table)
    for seq in range(1, 31):
        for tell in watch.handlers["dice_rolled"]:
            tell(told(seq=seq, void=None, seat=None, dice=[6]))
    wealth = {process.name: process.wealth for detector in watch.detectors for process in detector.running}

    assert wealth["dice 1"] > 1e6
    assert wealth["sixes that repeat"] > 1e6


def test_its_wagers_are_worth_what_its_file_says_of_them(table):
    assert worths(table) == {("six", ""): Worth(1.0, 1.0, 5.0, 6.0), ("any", ""): Worth(0.5, 0.0, 1.0, 2.0)}
