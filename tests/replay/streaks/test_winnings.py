"""Winnings: the shadows of players have fair odds, whatever hangs on whatever, and grow rich behind a cheat."""

from datetime import UTC, datetime, timedelta
from itertools import product
from math import log
from random import Random
from statistics import median

import pytest

from replay.results import Settlement, Verdict
from replay.rules import Table
from replay.streaks.winnings import Purse, Winnings
from replay.streaks.worth import worths
from tests.installed import PACKS
from tests.replay.streaks.told import told

OPENED = datetime(2026, 1, 1, 20, tzinfo=UTC)
BOULE = Table(PACKS.game("AD-2025", "boule"))
BLACK = {2, 3, 6, 9}
"""Any four of the nine: even money loses to five of them."""


class Bowl:
    """A boule table whose bets are told to the detector as the session tells them."""

    def __init__(self, table=BOULE, dealer="d1"):
        self.watch = Winnings(table, 1.0)
        self.seq = 0
        self.at = OPENED
        self.round = 1
        self.bets = {}
        self.watch.dealer_on(told(dealer=dealer))

    def event(self, **fields):
        self.seq += 1
        self.at += timedelta(seconds=1)
        return told(seq=self.seq, at=self.at, round=self.round, **fields)

    def lay(self, wager, pick=None, *, amount=100, player="p1", seat=1):
        bet = f"b{self.seq}"
        self.bets[bet] = (wager, player, seat, amount)
        self.watch.bet_placed(self.event(bet=bet, wager=wager, pick=pick, player=player, seat=seat, amount=amount))
        return bet

    def close(self, after_s=10):
        self.at += timedelta(seconds=after_s)
        self.watch.bets_closed(self.event())

    def settle(self, bet, paid, returned, claimed=None):
        wager, player, seat, stake = self.bets.pop(bet)
        self.watch.settled(
            Settlement(
                "s", self.round, bet, "2026-01-01", "c", "p", "t", "boule", "AD-2025", "EUR", "d1", player, seat, wager,
                "", stake, paid, returned, paid if claimed is None else claimed,
                returned if claimed is None else stake, Verdict.MATCH, 0, "", (self.seq,), 0, 0, 1,
            )
        )  # fmt: skip

    def over(self):
        self.watch.round_over(told(closed_seq=self.seq, round=self.round))
        self.round += 1

    def wealth(self, start):
        """Of the process whose name starts so."""
        return next(process for process in self.watch.processes() if process.name.startswith(start)).wealth


# The bets are fair


def test_a_purse_keeps_what_it_has_through_all_fresh_starts():
    """Cash moves from the pocket into play, and none appears or is lost."""
    purse = Purse(told(), (0.1, 0.4))
    worth = [purse.wealth(0.0) for _ in range(1000)]

    assert purse.starts == 41
    assert worth == pytest.approx([1.0] * 1000)


def test_no_more_is_laid_than_there_is():
    """Fifty even bets of one player in a round, all lost: the bold part is gone, and nothing is owed."""
    table = Bowl()
    for bet in [table.lay("black") for _ in range(50)]:
        table.settle(bet, 0, 0)
    table.over()
    purse = table.watch.players["p1"]

    assert purse.bold == pytest.approx(0.1 * 0.25)
    assert table.wealth("winnings of p1") > 0.5


def test_dependent_bets_on_one_ball_are_fair_over_two_rounds():
    """A number and two colours on one ball, in two rounds: over all 81 ways the shadows gain nothing in the mean."""
    sums = dict.fromkeys(("winnings of p1 with", "hold", "late"), 0.0)
    for numbers in product(range(1, 10), repeat=2):
        table = Bowl()
        for number in numbers:
            straight = table.lay("straight_up", 4)
            black = table.lay("black")
            more = table.lay("black", player="p2")
            table.close(after_s=0)
            won = number in BLACK
            table.settle(straight, 700 if number == 4 else 0, 100 if number == 4 else 0)
            for bet in (black, more):
                table.settle(bet, 100 if won else 0, 100 if won else 0)
            table.over()
        for name in sums:
            sums[name] += table.wealth(name) / 81

    assert sums == pytest.approx(dict.fromkeys(sums, 1.0))


def test_bets_that_are_decided_rounds_later_are_never_worth_more_than_they_were():
    """Pass line bets, two at a time, over 400 seeded nights of 15 decisions: the mean of the wealth is 1 at most, and
    at most one night in 20 ever sees it at 20."""
    random = Random(5)
    craps = Table(PACKS.game("AD-2025", "craps"))
    total, beyond = 0.0, 0
    nights = 400
    for _ in range(nights):
        table = Bowl(craps)
        lying = []
        for _ in range(30):
            lying.append(table.lay("pass_line"))
            if len(lying) == 2:
                won = random.random() < 244 / 495
                for bet in lying:
                    table.settle(bet, 100 if won else 0, 100 if won else 0)
                lying.clear()
            table.over()
        process = next(iter(p for p in table.watch.processes() if p.name == "winnings of p1"))
        total += process.wealth / nights
        beyond += process.peak >= 20

    assert total < 1.1
    assert beyond <= nights / 20


def test_what_goes_back_to_the_player_wins_nothing():
    """A void round, and a stake taken back in time."""
    table = Bowl()
    for _ in range(50):
        first, second = table.lay("black"), table.lay("red")
        table.settle(first, 0, 100)
        table.watch.bet_withdrawn(table.event(bet=second, amount=None))
        table.over()

    assert table.wealth("winnings of p1") == pytest.approx(1.0)
    assert table.wealth("hold") <= 1.2


def test_what_is_not_seen_to_its_end_counts_as_lost():
    table = Bowl()
    table.lay("black")
    table.watch.lost_sight()
    table.over()

    assert table.wealth("winnings of p1") < 1.0


# What is not fair is seen


def rounds_until(wealth, name, play, most=2000):
    """How many rounds until a process has the wealth; ``play`` plays one at a table."""
    table = Bowl()
    for number in range(1, most + 1):
        play(table)
        table.over()
        if any(p.name.startswith(name) and p.wealth >= wealth for p in table.watch.processes()):
            return number
    return most + 1


def test_a_player_who_knows_the_colour_is_seen_within_fifty_rounds():
    def play(table):
        table.settle(table.lay("black"), 100, 100)

    assert rounds_until(1e6, "winnings of p1", play) <= 50


def test_a_player_who_wins_seven_of_ten_is_seen_within_a_night():
    """The best of all bets needs log(1,000,000) / KL(0.7, 0.444) = 105 rounds; the median is within twice that."""
    delays = []
    for seed in range(21):
        random = Random(seed)

        def play(table, random=random):
            won = random.random() < 0.7
            table.settle(table.lay("black"), 100 * won, 100 * won)

        delays.append(rounds_until(1e6, "winnings of p1 with dealer d1", play))

    assert median(delays) <= 210


def test_a_past_poster_whose_late_bets_are_paid_is_seen():
    """Every tenth bet is laid after no more bets, refused by the rules, and paid by the dealer."""
    random = Random(9)

    def play(table):
        won = random.random() < 4 / 9
        early = table.lay("black", player="honest")
        table.close()
        late = table.lay("red", player="poster") if random.random() < 0.1 else None
        table.settle(early, 100 * won, 100 * won)
        if late is not None:
            table.settle(late, 0, 100, claimed=100)

    assert rounds_until(1e6, "late bets of poster", play) <= 500


def test_a_past_poster_who_knows_one_result_in_ten_is_seen_near_the_bound():
    """A late bet a round. The bound of all tests: log(1,000,000) over the divergence of 1/10 + 9/10 of 4/9 from it."""
    won = 0.1 + 0.9 * 4 / 9
    bound = log(1e6) / (won * log(won * 9 / 4) + (1 - won) * log((1 - won) * 9 / 5))
    delays = []
    for seed in range(9):
        random = Random(seed)

        def play(table, random=random):
            wins = random.random() < won
            late = table.lay("black")
            table.close(after_s=0)
            table.settle(late, 100 * wins, 100 * wins)

        delays.append(rounds_until(1e6, "late bets of the table", play, most=8000))

    assert median(delays) <= 1.6 * bound


def test_late_bets_of_many_players_point_at_the_dealer_who_lets_them():
    """Each comes once and knows the result in half of the cases; other dealers' late bets win as they should."""
    random = Random(3)
    table = Bowl()
    for number in range(240):
        dealer = f"d{number // 20 % 2}"
        table.watch.dealer_on(told(dealer=dealer))
        known = dealer == "d1" and random.random() < 0.5
        wins = known or random.random() < 4 / 9
        late = table.lay("black", player=f"p{number}")
        table.close(after_s=0)
        table.settle(late, 100 * wins, 100 * wins)
        table.over()

    assert table.wealth("late bets with dealer d1") > 1e4
    assert table.wealth("late bets with dealer d0") < 100


def test_a_bet_that_is_raised_as_bets_are_closed_is_late():
    """Capping, once in a while, by a player whose early bets are like all others."""
    random = Random(4)

    def play(table):
        won = random.random() < 4 / 9
        bet = table.lay("black")
        if won:
            table.at += timedelta(seconds=20)
            table.watch.bet_raised(table.event(bet=bet, by=400))
        table.close(after_s=0 if won else 20)
        table.settle(bet, 100 * won, 100 * won)

    assert rounds_until(1e6, "late bets of the table", play) <= 120


def test_a_table_that_wins_always_is_off_its_hold():
    def play(table):
        for seat in range(1, 6):
            table.settle(table.lay("black", player=None, seat=seat), 0, 0)

    assert rounds_until(1e5, "hold", play) <= 80


@pytest.mark.parametrize(("won", "wins"), [(0.55, True), (0.33, False)], ids=["too little", "too much"])
def test_a_table_of_five_players_that_wins_too_little_or_too_much_is_seen_near_the_bound(won, wins):
    """Each wins on his own with more, or less, than 4/9. The bound: of whoever sees each of the five bets."""
    divergence = won * log(won * 9 / 4) + (1 - won) * log((1 - won) * 9 / 5)
    delays = []
    for seed in range(9):
        random = Random(seed)

        def play(table, random=random):
            for bet in [table.lay("black", player=None, seat=seat) for seat in range(1, 6)]:
                paid = 100 * (random.random() < won)
                table.settle(bet, paid, paid)

        delays.append(rounds_until(1e6, "hold", play, most=1500))

    assert median(delays) <= 1.8 * log(1e6) / (5 * divergence)


# What is a stake worth


def test_a_stake_at_dice_is_worth_what_the_odds_say():
    """The published edges: pass line 7/495, don't pass 27/1980, field 1/18; big and small 1/36."""
    craps = worths(Table(PACKS.game("AD-2025", "craps")))
    sic_bo = worths(Table(PACKS.game("AD-2022", "sic_bo")))

    assert craps["pass_line", ""].most == pytest.approx(1 - 7 / 495)
    assert craps["dont_pass", ""].most == pytest.approx(1 - 27 / 1980)
    assert sic_bo["big", ""].most == pytest.approx(1 - 1 / 36)


def test_no_stake_at_a_shoe_is_worth_more_than_itself_and_none_at_blackjack_more_than_a_high_count_makes_it():
    punto = worths(Table(PACKS.game("AD-2025", "punto_banco")))
    blackjack = worths(Table(PACKS.game("AD-2025", "blackjack")))

    assert {worth.most for worth in punto.values()} == {1.0}
    assert {worth.most for worth in blackjack.values()} == {1.03}


def test_games_among_players_are_not_watched():
    assert not Winnings.serves(Table(PACKS.game("AD-2022", "circle_poker")))


def test_stakes_laid_after_a_card_at_blackjack_are_left_out():
    table = Bowl(Table(PACKS.game("AD-2025", "blackjack")))
    table.lay("main")
    table.watch.card_dealt(told(to=None))
    table.lay("main")

    assert len(table.watch.laid) == 1


def test_a_push_at_blackjack_is_no_gain_where_a_stake_may_be_worth_more_than_itself():
    """As much comes back as the stake may be worth in the mean, no more: 1 of 1.03."""
    table = Bowl(Table(PACKS.game("AD-2025", "blackjack")))
    for _ in range(10):
        table.settle(table.lay("main"), 0, 100)
        table.over()

    assert all(process.wealth < 1.0 for process in table.watch.running if process.observations)
