"""However a log is cut into files, in whatever order these are audited into one store, once or again, at once or one
after the other, to the end or killed in the middle: the store ends up with what one fold of all lines says."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from itertools import count, permutations
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboards.nightly import gather, queries
from replay.events import Refusal, decode
from replay.line import whose
from replay.refold import fold
from replay.results import Cage, Finding, RawEvent, Rejected, Round, SessionSummary, Settlement, Streak
from replay.told import content_of, key_of
from streams.into_store import audit_into
from streams.store import Store, StoreError, open_store
from streams.store.tables import day_kept
from tests.installed import PACKS, judged
from tests.replay import logs
from tests.streams.conftest import new_database

SAID = (Settlement, Finding, Round, Cage, Streak, SessionSummary)
JUDGING = judged(keys=logs.KEYS)
LATE_EVENING = datetime(2026, 11, 29, 23, 59, 30, tzinfo=UTC)
"""A session that begins then goes on after midnight: what its second half alone is taken for is of another day."""

ENVELOPE = {"v": 1, "session": "BO71-2026-11-29", "table": "BO71", "device": "dev"}
OPENING = {
    "type": "table_opened",
    "seq": 1,
    "casino": "CAS",
    "pit": "P1",
    "game": "boule",
    "rules": "AD-2025",
    "currency": "EUR",
    "float": 10_000_000,
    "gaming_day": "2026-11-29",
}


def line(**fields: Any) -> bytes:
    return json.dumps({**ENVELOPE, **fields}).encode()


STRADDLING = (
    line(**OPENING, at="2026-11-30T01:00:01+00:00"),
    line(type="table_closed", seq=2, at="2026-11-30T01:00:02+00:00", float=10_000_000),
    line(type="drop_counted", seq=3, at="2026-11-30T01:00:03+00:00", amount=0),
)
"""A session of 29 November, as its opening says; all of it happens on the 30th."""
BEGUN_AGAIN = (
    line(**OPENING, at="2026-11-29T13:00:01+00:00"),
    line(type="table_closed", seq=2, at="2026-11-29T13:00:02+00:00", float=10_000_000),
    line(**OPENING, at="2026-11-29T21:00:01+00:00"),
    line(type="table_closed", seq=2, at="2026-11-29T21:00:02+00:00", float=9_000_000),
)
"""A session's name that was used twice on one day."""


def audit(store: Store, folder: Path, *parts: Iterable[bytes], workers: int = 1) -> Any:
    """Audit parts of a log, each a file, in one run."""
    files = [written(folder / f"{number}.jsonl", part) for number, part in enumerate(parts)]
    return audit_into(store, files, lambda _: None, JUDGING, workers=workers)


def written(path: Path, lines: Iterable[bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(text + b"\n" for text in lines))
    return path


def told(store: Store, names: Sequence[str]) -> dict[Any, Any]:
    """What counts in ``store`` of these sessions: all but how often it was said, and where a rejected line stood."""
    asked = {f"s{number}": name for number, name in enumerate(names)}
    condition = " OR ".join(f"session = {{{key}:String}}" for key in asked)
    rows: dict[Any, Any] = {}
    for record in SAID:
        for row in store.read(record, condition, asked):
            assert key_of(row) not in rows
            rows[key_of(row)] = content_of(row)
    for event in store.read(RawEvent, condition, asked):
        rows[key_of(event)] = event.raw
    for rejected in store.read(Rejected, condition, asked):
        rows["rejected", rejected.digest] = rejected.raw
    return rows


def whole(lines: Iterable[bytes]) -> dict[Any, Any]:
    """What the complete log says, by the definition: each session a fold of its lines."""
    sessions: dict[str, dict[bytes, Any]] = {}
    rows: dict[Any, Any] = {}
    for text in lines:
        try:
            event = decode(text)
        except Refusal:
            rows["rejected", hashlib.sha256(text).hexdigest()] = text
            sessions.setdefault(whose(text)[0], {})[text] = None
            continue
        sessions.setdefault(event.session, {})[text] = event
    for name, of_one in sessions.items():
        if not any(of_one.values()):
            continue
        said, summary = fold(name, of_one, JUDGING)
        for row in [*said, summary]:
            rows[key_of(row)] = content_of(row)
        for text, event in of_one.items():
            if event is not None:
                digest = hashlib.sha256(text).hexdigest()
                rows["event", name, event.seq, digest, day_kept(summary.gaming_day) or "1970-01-01"] = text
    return rows


# --- every way to cut a log ---------------------------------------------------------------------------------------

_names = count(1)


@st.composite
def cut_logs(draw: st.DrawFn) -> tuple[list[str], list[bytes], list[list[list[bytes]]]]:
    """The sessions of a log; its lines; and runs of an audit, each of some files, that together have them all."""
    names = [f"BO{number}0-{next(_names)}" for number in (1, 2)][: draw(st.integers(1, 2))]
    lines: list[bytes] = []
    with patch.object(logs, "OPENED", draw(st.sampled_from([logs.OPENED, LATE_EVENING]))):
        for name in names:
            of_one = draw(logs.logs(session=name, most_coups=3)).lines
            for index in draw(st.sets(st.integers(0, len(of_one) - 1), max_size=3)):
                what = draw(st.sampled_from(["missing", "unreadable", "contradicted", "doubled"]))
                if what == "missing":
                    of_one[index] = b""
                elif what == "unreadable":
                    of_one[index] = of_one[index].replace(b'"v":1', b'"v":"one"')
                elif what == "contradicted":
                    of_one.append(of_one[index].replace(b"T2", b"T1", 1))
                else:
                    of_one.append(of_one[index])
            lines += [text for text in of_one if text]
    lines += draw(st.lists(st.sampled_from([b"no event at all", b"{}"]), max_size=2))
    chance = random.Random(draw(st.integers(0, 1 << 30)))
    files: list[list[bytes]] = [[] for _ in range(draw(st.integers(1, 4)))]
    cut = draw(st.sampled_from(["in pieces", "by lines", "overlapping"]))
    for place, text in enumerate(lines):
        if cut == "in pieces":
            files[place * len(files) // len(lines)].append(text)
        else:
            chance.choice(files).append(text)
            if cut == "overlapping" and chance.random() < 0.3:
                chance.choice(files).append(text)
    if draw(st.booleans()):
        for file in files:
            chance.shuffle(file)
    order = draw(st.permutations(files)) + draw(st.lists(st.sampled_from(files), max_size=2))
    runs: list[list[list[bytes]]] = []
    for file in order:
        if runs and draw(st.integers(0, 3)) == 0:
            runs[-1].append(file)
        else:
            runs.append([file])
    return names, lines, runs


def test_however_a_log_is_cut_the_store_says_what_the_whole_of_it_says(tmp_path_factory):
    """One store takes all the logs: their sessions' names are different."""
    pytest.importorskip("chdb")
    with open_store(str(tmp_path_factory.mktemp("cuts") / "store")) as store:
        store.migrate()

        @settings(max_examples=40)
        @given(cut_logs())
        def audited_piece_by_piece(cut: tuple[list[str], list[bytes], list[list[list[bytes]]]]) -> None:
            names, lines, runs = cut

            for run in runs:
                audit(store, tmp_path_factory.mktemp("run"), *run)

            expected = {key: row for key, row in whole(lines).items() if key[0] != "rejected" or whose(row)[0]}
            assert told(store, names) == expected

        audited_piece_by_piece()


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_parts_that_lie_on_two_dates_are_one_session_of_its_gaming_day(where, tmp_path, order):
    """The event that names the gaming day comes first, last or in between; no other day ever had a session."""
    with open_store(where) as store:
        store.migrate()

        tallies = [audit(store, tmp_path, [STRADDLING[index]]) for index in order]

        assert told(store, ["BO71-2026-11-29"]) == whole(STRADDLING)
        days = store.query("SELECT DISTINCT toString(gaming_day) AS day FROM sessions_current")
        assert (tallies[-1].open, tallies[-1].findings, tallies[-1].sessions) == (0, {}, 1)
    assert days == [{"day": "2026-11-29"}]


def reports(where: str, days: Sequence[str] = ("2026-11-29", "2026-11-30")) -> list[Any]:
    """The nightly reports, without the number of copies that were ignored."""
    with open_store(where) as store:
        figures = [gather(store.query, date.fromisoformat(day), PACKS) for day in days]
    text = json.dumps(figures, sort_keys=True, default=str)
    made: list[Any] = json.loads(text, object_hook=lambda each: {key: each[key] for key in each if key != "duplicates"})
    return made


def test_the_reports_of_a_night_in_parts_are_those_of_the_whole(tmp_path):
    with patch.object(logs, "OPENED", LATE_EVENING):
        night = logs.sample(7, 8).lines
    cuts = {
        "whole": [[night]],
        "first, last": [[night[:30]], [night[30:]]],
        "last, first, last": [[night[30:]], [night[:30]], [night[30:]]],
        "both, whole": [[night[40:], night[:50]], [night]],
    }
    made = {}
    for name, runs in cuts.items():
        where = str(tmp_path / name.replace(", ", "-"))
        with open_store(where) as store:
            store.migrate()
            for number, run in enumerate(runs):
                audit(store, tmp_path / f"{number}", *run)
        made[name] = reports(where)

    assert made["whole"][0]["sessions"]
    assert not made["whole"][1]["sessions"]
    assert all(each == made["whole"] for each in made.values())


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_a_name_that_was_used_twice_is_told_under_the_day_that_both_name(where, tmp_path, order):
    with open_store(where) as store:
        store.migrate()
        for index in order:
            audit(store, tmp_path, [BEGUN_AGAIN[index]])

        found = [(row.seq, row.code, row.gaming_day, row.table) for row in store.read(Finding)]
        [summary] = store.read(SessionSummary)
        conflicts = store.query(queries.FINDINGS, {"first": "2026-11-29", "last": "2026-11-29"})

    assert found == [(seq, "conflicting_event", "2026-11-29", "BO71") for seq in (1, 2)]
    assert (summary.gaming_day, summary.casino, summary.conflicts, summary.events) == ("2026-11-29", "CAS", 2, 0)
    assert [each["code"] for each in conflicts] == ["conflicting_event", "conflicting_event"]
    assert {each["at_us"] for each in conflicts} == {
        int(datetime(2026, 11, 29, 13, 0, 1, tzinfo=UTC).timestamp()) * 10**6
    }


def stored_rows(store: Store) -> list[list[Any]]:
    """All that is said, revisions and numbers of copies included."""
    return [list(store.read(record)) for record in SAID]


def test_a_second_audit_writes_nothing(where, tmp_path):
    log = logs.sample(3, 5).lines
    with open_store(where) as store:
        store.migrate()
        audit(store, tmp_path, log)
        before = stored_rows(store)

        audit(store, tmp_path, log)

        assert stored_rows(store) == before


def test_several_processes_say_what_one_says(where, tmp_path):
    nights = [logs.sample(seed, 3, session=f"BO0{seed}-2026-11-29").lines for seed in (1, 2, 3)]
    lines = [text for night in nights for text in night]
    with open_store(where) as store:
        store.migrate()

        tally = audit(store, tmp_path, lines[::2], lines[1::2], workers=2)

        assert told(store, [f"BO0{seed}-2026-11-29" for seed in (1, 2, 3)]) == whole(lines)
    assert (tally.sessions, tally.lines, tally.open) == (3, len(lines), 0)


@pytest.mark.parametrize("ending", ["at a checkpoint", "before the table is closed"])
def test_a_log_that_ends_before_its_table_is_closed_is_of_an_open_session(where, tmp_path, ending):
    log = logs.sample(5, 4, closed=False).lines
    with open_store(where) as store:
        store.migrate()

        tally = audit(store, tmp_path, log if ending == "at a checkpoint" else log[:-1])

        figures = gather(store.query, date(2026, 11, 29), PACKS)
    assert decode(log[-1]).type == "checkpoint"
    assert tally.open == 1
    assert figures["state"] == "late"


# --- several at once, and cut off ---------------------------------------------------------------------------------


class _Meddling(Store):
    """A store into which another audit writes while this one has read and not yet written."""

    def meddle(self, act: Any) -> None:
        self._act = act

    def extend(self, rows: Any) -> None:
        rows = list(rows)
        if any(isinstance(row, SessionSummary) for row in rows):
            act, self._act = self._act, lambda: None
            act()
        super().extend(rows)


@pytest.mark.clickhouse
@pytest.mark.xdist_group("clickhouse")
@pytest.mark.parametrize("seed", range(4))
def test_two_audits_that_cross_each_other_leave_what_the_whole_says(clickhouse, tmp_path, seed):
    """The first has read its part and is about to write what that comes to; meanwhile the second audits its own from
    beginning to end, or is itself crossed by a third. Whoever writes last on too little knowledge looks again."""
    with patch.object(logs, "OPENED", LATE_EVENING):
        night = logs.sample(seed, 5).lines
    chance = random.Random(seed)
    parts: list[list[bytes]] = [[], [], []]
    for text in night:
        chance.choice(parts).append(text)
    where = new_database(clickhouse)
    with open_store(where) as first:
        first.migrate()

        def third() -> None:
            with open_store(where) as store:
                audit(store, tmp_path / "third", parts[2])

        def second() -> None:
            with open_store(where) as store:
                store.__class__ = _Meddling
                store.meddle(third if seed % 2 else lambda: None)  # type: ignore[attr-defined]
                audit(store, tmp_path / "second", parts[1], *([] if seed % 2 else [parts[2]]))

        first.__class__ = _Meddling
        first.meddle(second)  # type: ignore[attr-defined]
        audit(first, tmp_path / "first", parts[0])

        assert told(first, ["BO01-2026-11-29"]) == whole(night)


def started(where: str, *files: Path) -> subprocess.Popen[bytes]:
    """An audit in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "streams.commands", "audit", *map(str, files), "--into", where, "--no-streaks"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "CI": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def a_night(folder: Path) -> tuple[list[bytes], list[str], list[Path]]:
    """A night of some tables around midnight, in two logs of which neither has any session whole."""
    names = [f"BO{number:02}-2026-11-29" for number in range(1, 7)]
    with patch.object(logs, "OPENED", LATE_EVENING):
        nights = [logs.sample(number, 60, session=name).lines for number, name in enumerate(names)]
    lines = [text for night in nights for text in night]
    early = [text for night in nights for text in night[: len(night) * 2 // 3]]
    late = [text for night in nights for text in night[len(night) // 2 :]]
    return lines, names, [written(folder / "early.jsonl", early), written(folder / "late.jsonl", late)]


def without_keys(lines: Iterable[bytes]) -> dict[Any, Any]:
    with patch(f"{__name__}.JUDGING", judged()):
        return whole(lines)


@pytest.mark.clickhouse
@pytest.mark.xdist_group("clickhouse")
def test_two_processes_at_once_into_one_new_database(clickhouse, tmp_path):
    """They make the schema at once, too."""
    lines, names, files = a_night(tmp_path)
    where = new_database(clickhouse)

    running = [started(where, file) for file in files]
    ends = [(each.communicate(timeout=120)[1], each.returncode) for each in running]

    assert [status for _, status in ends] == [1, 1], ends
    with open_store(where) as store:
        assert told(store, names) == without_keys(lines)


def test_killed_at_any_moment_and_run_again(where, tmp_path):
    """As a power cut would: wherever it was, the next run puts it right."""
    lines, names, files = a_night(tmp_path)
    began = time.monotonic()
    whole_run = started(where, files[1])
    whole_run.communicate(timeout=120)
    took = time.monotonic() - began
    for share in (0.5, 0.7, 0.9):
        killed = started(where, files[0])
        try:
            killed.wait(took * share)
        except subprocess.TimeoutExpired:
            killed.send_signal(signal.SIGKILL)
        killed.communicate()

    _, complaint = (again := started(where, *files)).communicate(timeout=120)

    assert again.returncode == 1, complaint
    with open_store(where) as store:
        assert told(store, names) == without_keys(lines)


class _Full(Store):
    """A store that has room for so many blocks, and then none."""

    room = 0

    def _insert(self, block: Any, token: str) -> None:
        if self.room == 0:
            raise StoreError("No space left on device", code=243)
        self.room -= 1
        super()._insert(block, token)


@pytest.mark.parametrize("room", [0, 1, 2, 3, 5, 8])
def test_a_disk_that_fills_up_at_any_block_and_an_audit_with_room_again(where, tmp_path, room):
    with patch.object(logs, "OPENED", LATE_EVENING):
        night = logs.sample(11, 4).lines
    with open_store(where) as store:
        store.migrate()
        audit(store, tmp_path / "late", night[20:])
    store = open_store(where)
    store.__class__ = _Full
    store.room = room  # type: ignore[attr-defined]
    with suppress(StoreError):
        audit(store, tmp_path / "early", night[:30])
    store.close()

    with open_store(where) as store:
        audit(store, tmp_path / "early", night[:30])

        assert told(store, ["BO01-2026-11-29"]) == whole(night)
