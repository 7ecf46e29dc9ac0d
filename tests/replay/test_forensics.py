"""Forensic replay: every event once, the table as it lies after it, the verdicts those of every other way of asking."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from replay import games
from replay.forensics import (
    BETWEEN,
    HOLE,
    BetShown,
    Reel,
    Replayed,
    Step,
    differences,
    replay,
    replay_ordered,
)
from replay.order import Happened, Ordered
from replay.refold import fold
from replay.results import Finding, Settlement
from replay.scenario import Scenario
from streams.scenarios import read_scenario
from tests.installed import JUDGING, judged
from tests.replay import logs

SCENARIOS: Final = Path(__file__).parent.parent / "scenarios"
LOG: Final = logs.boule(
    [
        logs.Coup(7, [logs.Stake("red"), logs.Stake("straight_up", 3, error=100)]),
        logs.Coup(5, [logs.Stake("black", claim="never")]),
    ]
)
SEVENS: Final = ("one_seven", "two_sevens", "two_suited_sevens", "three_sevens", "three_suited_sevens")


def scenarios(game: str) -> list[Scenario]:
    return [read_scenario(path) for path in sorted((SCENARIOS / game).glob("*.yaml"))]


def replayed(scenario: Scenario, rules: str | None = None) -> Replayed:
    return replay_ordered("scenario", [Happened(event, b"") for event in scenario.events], judged(rules=rules))


def craps(*events: tuple[str, dict[str, Any]]) -> Scenario:
    table = {"game": "craps", "rules": "AD-2025", "chip_unit": 50, "limits": {"min": 500, "max": 100000}}
    return Scenario.read(
        {"scenario": "a night at craps", "source": "here", "table": table, "events": [{n: f} for n, f in events]}
    )


def by_id(step: Step) -> dict[str, BetShown]:
    return {bet.bet: bet for bet in step.bets}


@pytest.mark.parametrize("game", games.names())
def test_a_replay_shows_every_event_once_and_ends_as_the_scenario_is_settled(game):
    for scenario in scenarios(game):
        told, outcome = replayed(scenario), scenario.settle(JUDGING)

        assert [step.seq for step in told.steps] == [event.seq for event in scenario.events], scenario.name
        assert {row.bet: row for row in told.settlements} == {row.bet: row for row in outcome.settlements}
        shown = [finding for step in told.steps for finding in step.findings if not finding.withdrawn]
        assert sorted(map(repr, shown)) == sorted(map(repr, outcome.findings + outcome.setup)), scenario.name
        assert all(finding.seq == step.seq for step in told.steps for finding in step.findings)


@pytest.mark.parametrize("game", games.names())
def test_what_a_bet_is_said_to_win_is_what_it_is_paid_when_it_wins(game):
    """Where the game says it at all."""
    for scenario in scenarios(game):
        said: dict[tuple[int, str], dict[str, int]] = {}
        for step in replayed(scenario).steps:
            for bet in step.bets:
                if bet.paid is None:
                    said[bet.round, bet.bet] = bet.wins
                elif bet.paid and said.get((bet.round, bet.bet)):
                    wins = said[bet.round, bet.bet]
                    bound = wins.get("every_hand_loses", 0)  # a bank may win against some hands, and lose to others
                    assert bet.paid in wins.values() or bet.paid < bound, (scenario.name, bet)


@pytest.mark.parametrize("game", games.names())
def test_every_card_die_and_ball_of_a_game_is_seen_on_its_table(game):
    for scenario in scenarios(game):
        for event, step in zip(scenario.events, replayed(scenario).steps, strict=True):
            lying = {card.split(" ")[0] for what in step.table.values() if isinstance(what, list) for card in what}
            if event.type == "card_dealt":
                assert event.card in lying, (scenario.name, step)
            elif event.type == "tile_dealt":
                assert str(event.tile) in lying, (scenario.name, step)
            elif event.type == "dice_rolled":
                assert str(step.table["dice"]).startswith("-".join(map(str, event.dice)))
            elif event.type == "ball_landed":
                where = str(step.table["ball"]).partition(" ")[0]
                assert where == str(event.number) or (event.number, where) == (37, "00")


def test_the_steps_of_a_line_bet_tell_its_life():
    """AD-2025, IV.1.A: 4 becomes the number, which then wins before the 7 at even money."""
    scenario = craps(
        ("bet_placed", {"bet": "w", "seat": 1, "wager": "pass_line", "amount": 1000}),
        ("bets_closed", {}),
        ("dice_rolled", {"dice": [3, 1], "seat": 1}),
        ("bet_placed", {"bet": "o", "seat": 1, "wager": "pass_odds", "amount": 1000, "of": "w"}),
        ("dice_rolled", {"dice": [2, 2], "seat": 1}),
        ("bet_settled", {"bet": "w", "paid": 900, "returned": 1000}),
        ("round_closed", {}),
    )
    steps = replayed(scenario).steps

    told = [
        (step.table["point"], {name: (b.status, b.wins, b.paid) for name, b in by_id(step).items()}) for step in steps
    ]
    assert told == [
        ("off", {}),
        ("off", {"w": ("playing", {"": 1000}, None)}),
        ("off", {"w": ("playing", {"": 1000}, None)}),
        ("4", {"w": ("playing", {"": 1000}, None)}),
        ("4", {"w": ("playing", {"": 1000}, None), "o": ("playing", {"": 2000}, None)}),
        ("off", {"w": ("due", {}, 1000), "o": ("due", {}, 2000)}),
        ("off", {"w": ("settled", {}, 1000), "o": ("due", {}, 2000)}),
        ("off", {"o": ("unsettled", {}, 2000)}),
    ]
    assert [[finding.code for finding in step.findings] for step in steps[6:]] == [["underpaid"], ["unsettled"]]
    assert [(row.bet, row.verdict.value, row.difference) for row in steps[6].settlements] == [("w", "underpaid", -100)]
    assert steps[5].text == "seat 1 throws 2-2"
    assert steps[6].text == "the dealer settles bet w: 9.00 EUR paid, 10.00 EUR returned"


def test_a_split_hand_lies_apart():
    table = {"game": "blackjack", "rules": "AD-2025", "limits": {"min": 500, "max": 100000}}
    seat, dealer = {"seat": 1}, {"to": "dealer"}
    deal = [{"card_dealt": {"card": card} | to} for card, to in (("8H", seat), ("KD", dealer), ("8S", seat))]
    events = [
        {"bet_placed": {"bet": "b", "seat": 1, "wager": "main", "amount": 1000}},
        "bets_closed",
        *deal,
        {"decision": {"seat": 1, "choice": "split"}},
        {"bet_placed": {"bet": "c", "seat": 1, "wager": "main", "amount": 1000, "of": "b", "hand": 2}},
        {"card_dealt": {"card": "3C", "seat": 1, "hand": 1}},
    ]
    scenario = Scenario.read({"scenario": "a split", "source": "here", "table": table, "events": events})

    lying = replayed(scenario).steps[-1].table

    assert (lying["seat 1"], lying["seat 1 hand 2"], lying["dealer"]) == (["8H", "3C"], ["8S"], ["KD"])


def test_craps_under_two_regulations_differs_where_the_regulations_do():
    """Of these bets, what MO-1985 lacks is the single craps (AD-2025, IV.1.B); and its art. 2.2 lets the odds win no
    more than the stake on the line, where AD-2025 pays 2 to 1 in full. The line bet is paid alike."""
    scenario = craps(
        ("bet_placed", {"bet": "line", "seat": 1, "wager": "pass_line", "amount": 1000}),
        ("bet_placed", {"bet": "horn", "seat": 2, "wager": "craps_12", "amount": 1000}),
        ("bets_closed", {}),
        ("dice_rolled", {"dice": [2, 2], "seat": 1}),
        ("bet_settled", {"bet": "horn", "paid": 0, "returned": 0}),
        ("bet_placed", {"bet": "odds", "seat": 1, "wager": "pass_odds", "amount": 1000, "of": "line"}),
        ("bets_closed", {}),
        ("dice_rolled", {"dice": [3, 1], "seat": 1}),
        ("bet_settled", {"bet": "line", "paid": 1000, "returned": 1000}),
        ("bet_settled", {"bet": "odds", "paid": 2000, "returned": 1000}),
        ("round_closed", {}),
    )

    found = differences(replayed(scenario), replayed(scenario, "MO-1985"))

    told = []
    for one in found:
        sides: list[Any] = []
        for row in (one.here, one.there):
            if isinstance(row, Settlement):
                sides.append((row.verdict.value, row.paid, row.returned))
            elif isinstance(row, Finding):
                sides.append((row.code, row.amount, row.passage))
            else:
                sides.append(None)
        told.append((one.kind, one.bet, one.seq, *sides))
    assert told == [
        ("finding", "horn", 3, None, ("wager_not_offered", None, "art. 2 to 12")),
        ("settlement", "horn", 6, ("match", 0, 0), ("underpaid", 0, 1000)),
        ("finding", "horn", 6, None, ("underpaid", 1000, "art. 2 to 12")),
        ("finding", "odds", 7, None, ("odds_too_large", None, "art. 2.2")),
        ("settlement", "odds", 11, ("match", 2000, 1000), ("overpaid", 1000, 1000)),
        ("finding", "odds", 11, None, ("overpaid", 1000, "art. 2.2")),
    ]


def test_a_cocked_die_counts_in_macau_alone():
    """AD-2025, IV.4: a throw with a cocked die is void, and the field waits; the Portaria has no such ground, so that
    3 wins even money on the field at once."""
    scenario = craps(
        ("bet_placed", {"bet": "w", "seat": 1, "wager": "pass_line", "amount": 1000}),
        ("bet_placed", {"bet": "f", "seat": 1, "wager": "field", "amount": 1000}),
        ("bets_closed", {}),
        ("dice_rolled", {"dice": [1, 3], "seat": 1, "void": "cocked"}),
    )

    found = differences(replayed(scenario), replayed(scenario, "MO-1985"))

    told = [
        (
            one.bet,
            *(
                None if row is None else row.verdict.value if isinstance(row, Settlement) else row.code
                for row in (one.here, one.there)
            ),
        )
        for one in found
    ]
    assert told == [("f", "open", "unclaimed"), ("", None, "dealer_misplay")]
    [field] = [one.there for one in found if one.bet == "f"]
    assert isinstance(field, Settlement)
    assert (field.paid, field.returned) == (1000, 1000)


def test_under_its_own_pack_nothing_differs():
    for scenario in scenarios("craps")[:5]:
        told = replayed(scenario)

        assert differences(told, replayed(scenario, told.settlements[0].rules)) == []


def test_a_replay_of_lines_says_what_the_fold_of_them_says():
    told = replay(LOG.session, reversed(LOG.lines), judged(keys=logs.KEYS))
    rows, summary = fold(LOG.session, LOG.lines, judged(keys=logs.KEYS))

    assert [step.raw.encode() for step in told.steps] == LOG.lines
    assert told.summary == summary
    assert list(told.settlements) == [row for row in rows if isinstance(row, Settlement)]
    assert list(told.findings) == [row for row in rows if isinstance(row, Finding)]


def test_one_round_is_told_with_what_came_before_it_in_mind():
    told = replay(LOG.session, LOG.lines, JUDGING, round_number=2)

    assert [step.seq for step in told.steps] == [*LOG.rounds[1]]
    assert {bet.bet for step in told.steps for bet in step.bets if bet.round == 2} == {"b2-0"}
    assert [finding.code for step in told.steps for finding in step.findings] == ["unsettled"]


def test_missing_events_are_a_step_of_their_own():
    told = replay(LOG.session, [line for seq, line in enumerate(LOG.lines, 1) if seq not in (8, 9)], JUDGING)

    [hole] = [step for step in told.steps if step.type == HOLE]
    assert (hole.seq, hole.last_seq, hole.text) == (8, 9, "events 8 to 9 are missing")
    assert [finding.code for finding in hole.findings] == ["sequence_gap"]


def test_a_finding_that_a_broken_seal_takes_back_stays_marked():
    """The dealer's error of round 1 was found before the seal of the round showed that its events are not the
    table's."""
    lines = [logs.altered(line, amount=1100) if b'"b1-0","seat"' in line else line for line in LOG.lines]
    told = replay(LOG.session, lines, JUDGING)

    marked = {(f.code, f.withdrawn) for step in told.steps for f in step.findings}
    assert {("chain_broken", False), ("overpaid", True)} <= marked
    assert "overpaid" not in {finding.code for finding in told.findings}


def test_a_reel_gives_for_every_round_the_steps_that_a_replay_of_it_gives():
    """Forwards, and backwards."""
    lines = [line for seq, line in enumerate(LOG.lines, 1) if seq not in (8, 9)]
    reel = Reel(LOG.session, Ordered(LOG.session, lines, JUDGING.keys), JUDGING)
    rounds = {number: replay(LOG.session, lines, JUDGING, round_number=number).steps for number in (1, 2)}

    assert reel.rounds == (1, 2)
    assert [rounds[number] for number in (1, 2, 1)] == [reel.steps(number) for number in (1, 2, 1)]


def test_a_reel_knows_the_session_and_where_each_event_stands():
    reel, whole = (
        Reel(LOG.session, Ordered(LOG.session, LOG.lines, JUDGING.keys), JUDGING),
        replay(LOG.session, LOG.lines, JUDGING),
    )

    assert msgspec.structs.replace(whole, steps=()) == reel.told
    assert len(whole.steps) == len(reel)
    for step in whole.steps:
        number, at = reel.place(step.seq) or (-1, -1)
        assert step.raw == reel.steps(number)[at].raw


def test_steps_between_rounds_and_rounds_that_are_not_there():
    reel = Reel(LOG.session, Ordered(LOG.session, LOG.lines, JUDGING.keys), JUDGING)

    assert "table_opened" in {step.type for step in reel.steps(BETWEEN)}
    assert not {"bet_placed", "ball_landed"} & {step.type for step in reel.steps(BETWEEN)}
    assert reel.steps(99) == ()
    assert reel.place(10_000) is None


@pytest.mark.parametrize(
    ("scenario", "after", "bet", "wins"),
    [
        # Game 15, V: par, and 5, 4 or 1 to 1 besides for a straight flush, three of a kind, a straight.
        ("three_card_poker/01", 1, "a", {"": 1000, "straight_flush": 6000, "three_of_a_kind": 5000, "straight": 2000}),
        # The hand of king, nine and four has no extra.
        ("three_card_poker/01", 6, "a", {"": 1000}),
        # Game 13, VI: par, a tenth less at the door, which is the first card drawn.
        ("monte/01", 8, "a", {"at_the_door": 1800, "later": 2000}),
        ("monte/01", 9, "a", {"": 2000}),
        # Game 3, V.1.g: 2, 10, 50, 200 and 5000 to 1; the pool of 20,000.00 is less than 5000 times 5.00.
        ("blackjack/12", 2, "j1", dict(zip(SEVENS, (1000, 5000, 25_000, 100_000, 2_500_000), strict=True))),
        # Game 12, V: par less 5 %, and the house's own stake at par; the bank against 10.00, 30.00 and 20.00.
        ("pai_gow_poker/06", 5, "h0", {"": 1000}),
        ("pai_gow_poker/06", 5, "b1", {"": 2850}),
        ("pai_gow_poker/06", 5, "bk", {"every_hand_loses": 5700}),
    ],
)
def test_what_a_bet_would_be_paid_is_said_by_its_cases(scenario, after, bet, wins):
    game, number = scenario.split("/")
    [path] = (SCENARIOS / game).glob(f"{number}-*.yaml")
    step = replayed(read_scenario(path)).steps[after]  # after the opening

    assert wins == by_id(step)[bet].wins


def test_a_single_number_at_sic_bo_wins_by_the_dice_that_show_it():
    table = {"game": "sic_bo", "rules": "AD-2022"}
    stake = {"bet_placed": {"bet": "a", "seat": 1, "wager": "single", "pick": 3, "amount": 500}}
    told = replayed(Scenario.read({"scenario": "one number", "source": "here", "table": table, "events": [stake]}))

    assert by_id(told.steps[-1])["a"].wins == {"1": 500, "2": 1000, "3": 1500}


def test_a_come_bet_is_said_to_lie_on_the_number_that_it_has_gone_to():
    scenario = craps(
        ("bet_placed", {"bet": "p", "seat": 1, "wager": "pass_line", "amount": 1000}),
        ("dice_rolled", {"dice": [2, 2], "seat": 1}),
        ("bet_placed", {"bet": "c", "seat": 1, "wager": "come", "amount": 1000}),
        ("dice_rolled", {"dice": [4, 5], "seat": 1}),
    )
    before, after = (by_id(step)["c"].lies for step in replayed(scenario).steps[-2:])

    assert (before, after) == ("", "9")
