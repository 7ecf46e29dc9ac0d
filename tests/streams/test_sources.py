"""Sources: a session's lines from wherever a log stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from streams.logs import LogLine
from streams.sources import LogSource, SourceError, open_source
from tests.replay import logs

ONE = logs.boule([logs.Coup(7, [logs.Stake("red")])])
OTHER = logs.boule([logs.Coup(5, [logs.Stake("red")])], session="BO02-2026-11-29")


class Topics:
    """A log that is no file: both tables' lines in turn, and one that is nobody's."""

    size = 1

    def read(self, progress: Callable[[int], None] | None = None) -> Iterator[LogLine]:
        for place, (one, other) in enumerate(zip(ONE.lines, OTHER.lines, strict=True)):
            yield line_at(place, one)
            yield line_at(place, other)
        yield line_at(999, b"{")


def line_at(place: int, text: bytes) -> LogLine:
    return LogLine("topic/0", place, text, len(text))


def test_a_session_is_read_from_topics_as_from_files():
    assert LogSource(Topics()).session(OTHER.session) == OTHER.lines


def test_a_night_is_its_sessions_by_name():
    assert list(LogSource(Topics()).night("2026-11-29")) == [(ONE.session, ONE.lines), (OTHER.session, OTHER.lines)]


def test_the_gaming_day_that_the_table_names_is_the_night():
    """A table that opens after midnight of UTC still plays for the day that it says."""
    named = [logs.altered(ONE.lines[0], gaming_day="2026-11-28"), *ONE.lines[1:]]

    class Named(Topics):
        def read(self, progress: Callable[[int], None] | None = None) -> Iterator[LogLine]:
            yield from (line_at(place, line) for place, line in reversed(list(enumerate(named))))

    assert [name for name, _ in LogSource(Named()).night("2026-11-28")] == [ONE.session]
    with pytest.raises(SourceError, match="holds no session of 2026-11-29"):
        list(LogSource(Named()).night("2026-11-29"))


def test_a_folder_that_is_neither_log_nor_store_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("to the regulator")

    with pytest.raises(SourceError, match="holds no log"), open_source(str(tmp_path)):
        pass
