"""Clocks and order: a device's clock is told once, by how much and since when; a stake that contradicts it, each."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from replay.refold import fold
from replay.results import Finding
from tests.installed import JUDGING
from tests.replay.logs import Coup, Stake, boule

OPENED = datetime(2026, 11, 29, 20, 0, 0, tzinfo=UTC)
DAY = "BO01-2026-11-29"


def told(lines: list[bytes]) -> list[Finding]:
    return [row for row in fold(DAY, lines, JUDGING)[0] if isinstance(row, Finding) and row.code == "clock_backwards"]


def night(rounds: int) -> list[bytes]:
    """Rounds of one bet that is won and paid, one second an event, by devices of their own for what they say."""
    return boule([Coup(2, [Stake()]) for _ in range(rounds)], sealed=False).lines


def shifted(lines: list[bytes], kind: str, by: timedelta) -> list[bytes]:
    """The same with the clock of the device that tells events of ``kind`` off."""
    found = []
    for line in lines:
        event = json.loads(line)
        if event["type"] == kind:
            event["device"] = "off"
            event["at"] = (datetime.fromisoformat(event["at"]) + by).isoformat()
        found.append(json.dumps(event).encode())
    return found


@pytest.mark.parametrize("milliseconds", [1, 999, 2200])
def test_a_clock_that_is_a_little_slow_is_nothing(milliseconds):
    """An event comes every 1.25 s, and a second is within the tolerance: 2.2 s slow is 0.95 s behind the one before."""
    assert told(shifted(night(20), "bet_settled", -timedelta(milliseconds=milliseconds))) == []


def test_a_clock_that_is_wrong_is_told_once_a_device_with_by_how_much_and_since_when():
    lines = shifted(night(20), "bet_settled", -timedelta(seconds=6.25))
    [finding] = told(lines)

    assert finding.seq == next(seq for seq, line in enumerate(lines, 1) if b"bet_settled" in line)
    assert "device off is 5 s behind" in finding.text
    assert f"since event {finding.seq}" in finding.text


def test_it_is_told_again_when_it_has_become_much_worse():
    lines = night(4)
    half = len(lines) // 2
    slow = shifted(lines[:half], "bet_settled", -timedelta(seconds=5))
    slower = shifted(lines[half:], "bet_settled", -timedelta(seconds=60))

    assert len(told([*slow, *slower])) == 2


def test_a_stake_that_its_own_device_says_came_after_no_more_bets_is_told_with_both_times():
    lines = night(2)
    bet = next(i for i, line in enumerate(lines) if b"bet_placed" in line)
    called = next(i for i, line in enumerate(lines) if b"bets_closed" in line)
    event, call = json.loads(lines[bet]), json.loads(lines[called])
    late = datetime.fromisoformat(call["at"]) + timedelta(seconds=6)
    event |= {"device": call["device"], "at": late.isoformat()}
    lines[bet] = json.dumps(event).encode()
    [finding] = told(lines)

    assert (finding.bet, finding.seq) == (event["bet"], call["seq"])
    assert "6 s after no more bets" in finding.text
    assert late.strftime("%H:%M:%S") in finding.text
    assert datetime.fromisoformat(call["at"]).strftime("%H:%M:%S") in finding.text
