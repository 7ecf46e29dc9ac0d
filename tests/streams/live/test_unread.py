"""What topics let go of before it was read: a position that stands still, or a fetch that began before its records."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from streams.live.runs import Run
from streams.live.topics import BETS
from streams.live.unread import Hole, Unread


def run(first: int, *offsets: int, after: int) -> Run:
    return Run(first, [SimpleNamespace(offset=offset) for offset in offsets], after)


def safe(at: int) -> Any:
    return lambda partition: {BETS: at}


def test_a_fetch_that_went_on_where_the_topic_begins_leaves_a_hole() -> None:
    unread = Unread()
    unread.fetched(BETS, 2, run(10, 30, 31, after=32), safe(10))
    unread.fetched(BETS, 2, run(32, after=34), safe(32))

    asked = unread.asks({})
    assert asked.holes == [Hole(BETS, 2, 10, 30), Hole(BETS, 2, 32, 34)]
    assert unread.answered(asked) == [Hole(BETS, 2, 10, 30), Hole(BETS, 2, 32, 34)]
    assert unread.asks({}).holes == []


def test_what_nobody_has_answered_is_asked_again_and_what_is_no_longer_ours_is_not() -> None:
    unread = Unread()
    unread.fetched(BETS, 2, run(10, 30, after=31), safe(10))
    unread.fetched(BETS, 3, run(5, 9, after=10), safe(5))
    unread.asks({})
    again = unread.asks({})
    assert again.holes == [Hole(BETS, 2, 10, 30), Hole(BETS, 3, 5, 9)]
    unread.forget(3)

    assert unread.answered(again) == [Hole(BETS, 2, 10, 30)]
    assert unread.asks({}).holes == []


def test_what_was_read_already_is_no_hole() -> None:
    unread = Unread()
    unread.fetched(BETS, 2, run(10, 30, after=31), safe(50))
    unread.fetched(BETS, 2, run(50, 50, 51, after=52), safe(50))
    unread.fetched(BETS, 2, run(10, 60, after=61), safe(52))

    assert unread.asks({}).holes == [Hole(BETS, 2, 52, 60)]


def test_a_position_counts_as_passed_over_only_once_it_has_stood_still() -> None:
    unread, bets = Unread(), (BETS, 0)

    assert unread.stands_still({bets: 20}, {bets: 10}) == []
    assert unread.stands_still({bets: 20}, {bets: 12}) == []
    assert unread.stands_still({bets: 20}, {bets: 12}) == [bets]
    assert unread.stands_still({bets: 20}, {bets: 20}) == []
    assert unread.stands_still({bets: 20}, {}) == []


def test_a_topic_that_ends_before_what_was_read_of_it_is_cut_short_if_that_lasts() -> None:
    unread, bets = Unread(), (BETS, 0)

    assert unread.cut_short({bets: 20}, {bets: 20}) == []
    assert unread.cut_short({bets: 18}, {bets: 20}) == []
    assert unread.cut_short({bets: 20}, {bets: 20}) == []
    assert unread.cut_short({bets: 18}, {bets: 20}) == []
    assert unread.cut_short({bets: 19}, {bets: 20}) == [bets]
    assert unread.cut_short({}, {bets: 20}) == []


def test_what_the_stream_does_not_bring_for_long_is_left() -> None:
    unread, bets = Unread(), (BETS, 0)

    assert unread.left({bets: 20}, {bets: 10}, 0.0) == []
    assert unread.left({bets: 30}, {bets: 11}, 4.0) == []
    assert unread.left({bets: 40}, {bets: 11}, 8.9) == []
    assert unread.left({bets: 40}, {bets: 11}, 9.0) == [(bets, 30)]
    assert unread.left({bets: 40}, {bets: 30}, 9.5) == []
    assert unread.left({bets: 40}, {}, 10.0) == []
    assert unread.left({bets: 40}, {bets: 30}, 20.0) == []
