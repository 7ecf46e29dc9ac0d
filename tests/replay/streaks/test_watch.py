"""The watch: whom it tells what, when it alarms and what it says, and what becomes of it when a seal does not hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from replay.codes import CODES, STREAK_WORDS
from replay.heading import Heading
from replay.order import Ordered
from replay.refold import fold
from replay.results import Finding, Kind, Round, Settlement, Streak, Verdict
from replay.rules import Table
from replay.session import Session
from replay.streaks import watch
from replay.streaks.detector import Detector
from replay.streaks.process import MAX_WEALTH, EProcess
from replay.streaks.watch import DETECTORS, Watch, WatchSettings
from tests.installed import JUDGING, PACKS, judged
from tests.replay import logs
from tests.replay.streaks.volatile import WATCHING, Volatile, volatile

BOULE = Table(PACKS.game("AD-2022", "boule"), name="BO01", gaming_day="2026-11-29")


class Told(Detector):
    """Writes down what it is told."""

    wants = ("ball_landed", "settled")

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.told: list[Any] = []

    def ball_landed(self, event: Any) -> None:
        self.told.append(event.seq)

    def settled(self, settlement: Settlement) -> None:
        self.told.append((settlement.bet, settlement.verdict.value))

    def lost_sight(self) -> None:
        self.told.append("lost sight")


class Quiet(Detector):
    """One process, with which the test does what it likes."""

    codes = ("ball_biased",)

    def __init__(self, table: Table, share: float, alarm_at_1: float = MAX_WEALTH) -> None:
        super().__init__(table, share, alarm_at_1)
        self.process = self.start("ball_biased", "ball", 1.0, "look at the wheel.", player="p1", seat=3)


@contextmanager
def watched_by(*kinds: type[Detector]) -> Iterator[None]:
    """While it lasts, these alone watch."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watch, "DETECTORS", tuple((kind, 1) for kind in kinds))
        yield


def session_of(log: logs.Log, lines: list[bytes] | None = None) -> tuple[Session, list[Any]]:
    """The log folded under a watch."""
    session = Session(log.session, judged(keys=logs.KEYS, watching=WATCHING))
    for part in Ordered(log.session, lines or log.lines, logs.KEYS):
        part.befall(session)
    session.finish()
    return session, session.drain()


def first(made: Watch) -> Any:
    """Its first detector."""
    return made.detectors[0]


def quiet(watching: WatchSettings = WATCHING) -> tuple[Watch, EProcess]:
    made = Watch(Heading.of("s", BOULE), BOULE, watching, ((Quiet, 1),))
    [detector] = made.detectors
    assert isinstance(detector, Quiet)
    return made, detector.process


def over(number: int) -> Round:
    """A round that was closed by event 10 times its number."""
    return Round(
        session="s", round=number, gaming_day="2026-11-29", casino="", pit="", table="BO01", game="boule", rules="",
        currency="EUR", dealer="", opened_seq=1, closed_seq=10 * number, opened_at_us=1, closed_at_us=1000 * number,
        outcome="", bets=1, staked=1, findings=0, sealed=True, verifiable=True, revision=10 * number,
    )  # fmt: skip


# Whom it tells what


def test_without_a_watching_nothing_is_said_of_streaks():
    with volatile():
        said, _ = fold(logs.sample(4, 6).session, logs.sample(4, 6).lines, JUDGING)

    assert not [row for row in said if isinstance(row, Streak) or getattr(row, "kind", "") == "streak"]


def test_a_detector_is_told_each_throw_and_each_settlement_once_in_their_order():
    log = logs.boule([logs.Coup(5, [logs.Stake(claim="late"), logs.Stake(wager="black", seat=2)])])
    with watched_by(Told):
        session, _ = session_of(log)
    assert session.watch is not None
    detector = first(session.watch)

    ball = next(seq for seq in range(1, len(log.lines) + 1) if log.kind(seq) == "ball_landed")
    bets = [bet for bet, _ in detector.told[1:]]
    assert detector.told[0] == ball
    assert len(set(bets)) == len(bets) == 2


def test_nothing_is_told_of_a_round_in_which_events_are_missing():
    log = logs.sample(4, 6, errors=False)
    lost = next(seq for seq in range(1, len(log.lines)) if log.kind(seq) == "bet_placed")
    with watched_by(Told):
        whole, _ = session_of(log)
        holed, _ = session_of(log, [line for seq, line in enumerate(log.lines, 1) if seq != lost])
    assert whole.watch is not None and holed.watch is not None

    second_round = log.rounds[0].stop
    told, all_told = first(holed.watch).told, first(whole.watch).told
    assert told[0] == "lost sight"
    assert [each for each in all_told if each in told] == told[1:]
    assert [each for each in told if isinstance(each, int)] == [
        each for each in all_told if isinstance(each, int) and each >= second_round
    ]


def test_a_bet_that_was_unsettled_and_is_claimed_late_counts_as_it_was_told_first():
    made = Watch(Heading.of("s", BOULE), BOULE, WATCHING, ((Told, 1),))
    log = logs.boule([logs.Coup(5, [logs.Stake()])])
    [bet] = [row for row in fold(log.session, log.lines, JUDGING)[0] if isinstance(row, Settlement)]
    for verdict in (Verdict.UNSETTLED, Verdict.MATCH):
        made.settled(msgspec.structs.replace(bet, verdict=verdict))
        made.round_over(over(1))

    assert first(made).told == [(bet.bet, "unsettled")]


# Shares


def test_the_codes_of_streaks_each_have_their_words():
    assert {code for code, (kind, _) in CODES.items() if kind is Kind.STREAK} == set(STREAK_WORDS)


def test_the_detectors_of_a_table_share_its_level_by_their_weights():
    made = Watch(Heading.of("s", BOULE), BOULE, WATCHING, ((Quiet, 3), (Told, 1)))

    assert [detector.share for detector in made.detectors] == [0.75, 0.25]


def test_the_first_processes_of_every_game_have_together_no_more_than_the_tables_level():
    for name in PACKS.names:
        for rules in PACKS.pack(name).games.values():
            table = Table(rules, decks=6)
            made = Watch(Heading.of("s", table), table, WatchSettings(), DETECTORS)
            spent = sum(process.share for detector in made.detectors for process in detector.running)
            assert spent <= 1 + 1e-9, (name, rules.game)


def test_a_level_or_a_floor_out_of_bounds_is_refused():
    with pytest.raises(ValueError, match="is 1/1000000000 to 1, not 0"):
        WatchSettings(Fraction(0))
    with pytest.raises(ValueError, match="at least one table, not 0"):
        WatchSettings(tables=0)
    with pytest.raises(ValueError, match="1,000,000 at most"):
        WatchSettings(tables=10**400)


# Alarms


def test_an_alarm_comes_when_the_wealth_reaches_the_tables_over_level_and_share():
    """Half of 1 night in 100 over 20 tables, the whole share: 4,000."""
    made, process = quiet(WatchSettings(Fraction(1, 100), 20))
    process.become(3999.0, 8, 1)
    assert [Streak] == [type(row) for row in made.round_over(over(1))]

    process.become(4000.0, 18, 2)
    alarm, reading = made.round_over(over(2))

    assert isinstance(alarm, Finding) and isinstance(reading, Streak)
    assert (
        alarm.code, alarm.kind, alarm.seq, alarm.round, alarm.seat, alarm.player
    ) == ("ball_biased", "streak", 18, 2, 3, "p1")  # fmt: skip
    assert (reading.state, reading.log10_wealth_milli, reading.log10_alarm_milli, reading.seq) == (
        "alarmed",
        3602,
        3603,
        20,
    )


def test_an_alarm_says_its_wealth_its_bound_its_beginning_its_rounds_and_where_to_look():
    made, process = quiet(WatchSettings(Fraction(1, 100), 20))
    process.become(50.0, 4, 1)
    process.become(5000.0, 14, 2)
    alarm = made.round_over(over(2))[0]

    assert isinstance(alarm, Finding)
    assert alarm.seqs == (4, 14)
    for part in ("5,000", "from event 4", "2 observations", "at most 1 night of 100", "1, 2", "look at the wheel."):
        assert part in alarm.text


def test_what_is_won_after_the_alarm_within_its_round_is_none_of_it():
    """The most of a round is known when it is over, and is no e-value: what it was when it alarmed is one."""
    made, process = quiet(WatchSettings(Fraction(1, 100), 20))
    process.become(5.0, 4, 1)
    made.round_over(over(1))
    process.become(4500.0, 14, 2)
    process.become(9000.0, 16, 2)
    alarm, reading = made.round_over(over(2))

    assert isinstance(alarm, Finding) and isinstance(reading, Streak)
    assert (alarm.seq, reading.log10_wealth_milli) == (14, 3653)


def test_what_was_reached_within_a_round_alarms_although_it_was_lost_again():
    made, process = quiet()
    process.become(3.0, 4, 1)
    process.become(0.5, 6, 1)
    alarm, reading = made.round_over(over(1))

    assert isinstance(alarm, Finding) and isinstance(reading, Streak)
    assert alarm.seq == 4
    assert reading.log10_wealth_milli == 477


def test_a_process_alarms_once():
    made, process = quiet()
    found = []
    for number in range(1, 6):
        process.become(10.0**number, 10 * number - 1, number)
        found += made.round_over(over(number))

    assert sum(isinstance(row, Finding) for row in found) == 1
    assert [row.state for row in found if isinstance(row, Streak)] == ["alarmed"] * 5


# Readings


def test_a_reading_is_said_when_the_wealth_has_moved_by_a_quarter_of_a_power_of_ten():
    made, process = quiet(WatchSettings(tables=10**6))
    said = []
    for number, wealth in enumerate((1.7, 1.8, 2.0, 3.1, 3.3, 1.7), 1):
        process.become(wealth, 10 * number - 1, number)
        said += [(number, row.log10_wealth_milli) for row in made.round_over(over(number)) if isinstance(row, Streak)]

    assert said == [(2, 255), (5, 519), (6, 230)]


def test_and_every_50_rounds_where_anything_was_observed():
    made, process = quiet(WatchSettings(tables=10**6))
    said = []
    for number in range(1, 201):
        if number < 70:
            process.become(1.01, 10 * number - 1, number)
        said += [(number, row.observations) for row in made.round_over(over(number)) if isinstance(row, Streak)]

    assert said == [(50, 50), (100, 69)]


def test_a_process_that_has_ended_says_so_and_is_watched_no_more():
    made, process = quiet(WatchSettings(tables=10**6))
    process.become(1.1, 4, 1)
    process.ended = True

    assert [row.state for row in made.round_over(over(1)) if isinstance(row, Streak)] == ["ended"]
    assert made.detectors[0].running == []


def test_the_closing_of_the_table_ends_all_of_them():
    log = logs.sample(4, 6)
    with volatile():
        said, _ = fold(log.session, log.lines, judged(watching=WATCHING))
    last = {row.process: row.state for row in said if isinstance(row, Streak)}

    assert last
    assert "running" not in last.values()


def test_the_same_log_says_the_same_and_findings_are_counted():
    log = logs.sample(4, 12)
    with volatile():
        once, summary = fold(log.session, log.lines, judged(watching=WATCHING))
        again, _ = fold(log.session, list(reversed(log.lines)), judged(watching=WATCHING))

    assert once == again
    assert summary.findings == sum(isinstance(row, Finding) for row in once)


# The chain


def test_what_was_said_of_events_that_are_not_those_sealed_is_taken_back_and_all_begins_anew():
    log = logs.sample(4, 12, errors=False)
    wrong = next(seq for seq in log.rounds[9] if log.kind(seq) == "bet_placed")
    lines = [*log.lines]
    lines[wrong - 1] = logs.altered(lines[wrong - 1], amount=77_700)
    with watched_by(Volatile):
        session, said = session_of(log, lines)
        whole, _ = session_of(log)
        final, summary = fold(log.session, lines, judged(keys=logs.KEYS, watching=WATCHING))
    assert session.watch is not None and whole.watch is not None
    sealed = next(row.seq for row in final if isinstance(row, Finding) and row.code == "chain_broken")

    readings = [row for row in said if isinstance(row, Streak) and log.rounds[9].start <= row.seq <= sealed]
    assert all(row.at_us == 0 for row in {row.process: row for row in readings}.values())
    assert not [row for row in final if isinstance(row, Streak) and log.rounds[9].start <= row.seq <= sealed]
    assert summary.findings == sum(isinstance(row, Finding) for row in final)
    assert first(session.watch).begun != first(whole.watch).begun
