"""An audit into a store: whatever part of a night a log holds, the store says what all that it has been given says.

1. Every line of the log goes into the store as it came, and is safe there before anything is judged.
2. Of each session that the log names all lines that the store now holds are folded as one log, and what differs from
   what is stored of the session is corrected (`replay.told.corrections`).
3. The store is asked whether more has come since the lines were read. If so, 2 again.

So neither the way a night was cut into logs matters nor the order in which they are audited; a copy audited again
changes nothing; an audit that was killed leaves nothing that the next one of the same log does not put right; and of
several audits at once each that has judged too little finds, after it has written, that more has come: whoever is the
last to look has folded everything, and has seen all that was written by those who had not.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import msgspec

from replay.book import microseconds
from replay.events import TOO_LONG, Refusal, decode
from replay.judging import Judging
from replay.line import whose
from replay.opening import day_of
from replay.results import (
    Cage,
    Finding,
    RawEvent,
    Rejected,
    Round,
    Row,
    SessionSummary,
    Settlement,
    Streak,
)
from replay.segment import Said
from replay.told import NOT_THERE, corrections, take_back_event
from streams import logs
from streams.judges import Judges
from streams.parallel import Tally
from streams.store import Store
from streams.store.tables import BY_RECORD, day_kept

LINES_A_BATCH: Final = 5_000
SESSIONS_AT_ONCE: Final = 500
"""So many sessions are asked for by name in one query."""
EVENTS_AT_ONCE: Final = 50_000
"""Events of several sessions that are read and folded together; a session with more is folded alone."""
MAX_PASSES: Final = 20
"""So often a session is folded again because another program goes on writing events of it: whoever writes them judges
them, and asks as we do whether there is more."""

_SAID: Final = (Settlement, Finding, Round, Cage, Streak, SessionSummary)

log = logging.getLogger(__name__)


def audit_into(
    store: Store,
    logs_: Iterable[logs.Log],
    take: Callable[[Row], None],
    judging: Judging,
    *,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Audit logs into ``store``, and give what it then says of their sessions, and the rejected lines, to ``take``.

    ``workers``: processes that judge; ``progress`` hears of as much again as there was to read while they do. The tally
    counts what is finally said of these sessions, by whatever logs the store knows of them.

    Raises:
        StoreError: the store is away, full or refuses. Audit the logs again when it is not.
        JudgeError: a process that judges has ended.
    """
    logs_ = list(logs_)
    size = logs.size_of_all(logs_)
    intake = _Intake(store, take)
    unreadable: list[str] = []
    for source, place, line, length in logs.read(logs_, progress, lambda error: unreadable.append(str(error))):
        intake.feed(source, place, line, length)
    intake.write()
    store.flush()
    tally = Tally(
        lines=intake.lines,
        events=intake.lines - intake.rejected,
        rejected=intake.rejected,
        unreadable=unreadable,
    )
    verdicts: Counter[str] = Counter()
    findings: Counter[str] = Counter()
    judged = shown = 0
    with closing(Judges(judging, workers)) as judges:
        for told in _settled(store, intake, judges):
            for row in told.said:
                take(row)
                if type(row) is Settlement:
                    verdicts[row.verdict.value] += 1
                elif type(row) is Finding:
                    findings[row.code] += 1
            tally.sessions += 1
            tally.open += told.summary.state == "open"
            tally.seals_good += told.summary.checkpoints_good
            tally.seals_bad += told.summary.checkpoints_bad
            judged += intake.copies[told.summary.session]
            if progress is not None:
                progress(size * judged // max(tally.events, 1) - shown)
                shown = size * judged // max(tally.events, 1)
    tally.verdicts, tally.findings = dict(sorted(verdicts.items())), dict(sorted(findings.items()))
    return tally


# --- 1. what comes in ---------------------------------------------------------------------------------------------


class _Intake:
    """Takes lines, and writes them into the store as they came."""

    def __init__(self, store: Store, take: Callable[[Row], None]) -> None:
        self._store = store
        self._take = take
        self._batch: list[tuple[Any, bytes]] = []
        self._days: dict[str, str] = {}
        """Under which gaming day a session's events go: as well as it is known while they come."""
        self.copies: Counter[str] = Counter()
        """Events by session, copies included."""
        self.known: set[str] = set()
        """Sessions of which the store had events before."""
        self.named: set[str] = set()
        """Sessions that rejected lines name."""
        self.lines = 0
        self.rejected = 0

    def feed(self, source: str, place: int, line: bytes, length: int) -> None:
        """One line of a log, and where it stands. ``length``: the bytes that it has, where ``line`` is no more than the
        beginning of one that is too long."""
        self.lines += 1
        try:
            event = decode(line)
        except Refusal as refusal:
            cut = length > len(line)
            self._reject(source, place, line, Refusal("", TOO_LONG.format(length)) if cut else refusal)
            return
        self._batch.append((event, line))
        if len(self._batch) >= LINES_A_BATCH:
            self.write()

    def _reject(self, source: str, place: int, line: bytes, refusal: Refusal) -> None:
        self.rejected += 1
        name, seq = whose(line)
        if name:
            self.named.add(name)
        row = Rejected(
            source=source,
            place=place,
            digest=hashlib.sha256(line).hexdigest(),
            session=name,
            seq=seq,
            field=refusal.field,
            reason=refusal.reason,
            raw=line,
        )
        self._store.add(row)
        self._take(row)

    def write(self) -> None:
        """Hand on to the store what was collected."""
        batch, self._batch = self._batch, []
        fresh = {event.session: event for event, _ in reversed(batch) if event.session not in self._days}
        for names in _slices(list(fresh), SESSIONS_AT_ONCE):
            days = _days_of(self._store, names)
            self.known.update(days)
            for name in names:
                self._days[name] = days.get(name) or day_of(fresh[name])
        self._store.extend([_raw_event(event, line, self._days[event.session]) for event, line in batch])
        self.copies.update([event.session for event, _ in batch])


def _raw_event(event: Any, line: bytes, day: str) -> RawEvent:
    return RawEvent(  # by position: see Book
        event.session,
        event.seq,
        hashlib.sha256(line).hexdigest(),
        day,
        event.table,
        event.device,
        event.type,
        event.round or 0,
        microseconds(event.at),
        line,
    )


def _days_of(store: Store, names: Sequence[str]) -> dict[str, str]:
    """The gaming day of each session of which the store has events; empty where it is not certain."""
    known = {row["session"]: "" for row in _ask(store, "SELECT DISTINCT session FROM events WHERE {}", names)}
    sql = f"SELECT session, max(gaming_day) AS day FROM sessions FINAL WHERE {{}} AND state != '{NOT_THERE}'"
    for row in _ask(store, sql + " GROUP BY session", names):
        known[row["session"]] = day_kept(row["day"].isoformat())
    return known


# --- 2. what it comes to ------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What a session finally says."""

    said: list[Said]
    summary: SessionSummary


class _Print(NamedTuple):
    """Tells whether more lines of a session have come: how many there are, and a sum over their digests."""

    events: int = 0
    events_sum: int = 0
    rejected: int = 0
    rejected_sum: int = 0


def _settled(store: Store, intake: _Intake, judges: Judges) -> Iterator[Told]:
    """Make the store say of every session what all of its lines come to, and give that."""
    names = sorted(intake.copies.keys() | intake.named)
    for some in _slices(names, SESSIONS_AT_ONCE):
        before = _prints(store, some)
        for part in _portions(some, before, EVENTS_AT_ONCE * judges.count):
            yield from _settle(store, part, before, intake, judges)


def _settle(
    store: Store, names: Sequence[str], before: dict[str, _Print], intake: _Intake, judges: Judges
) -> Iterator[Told]:
    told: dict[str, Told] = {}
    for _ in range(MAX_PASSES):
        told = _once(store, names, intake, judges)
        now = _prints(store, names)
        changed = [name for name in names if now.get(name) != before.get(name)]
        for name in told.keys() - set(changed):
            yield told[name]
        if not changed:
            return
        names, before = changed, now
    log.warning("%s goes on being written by another program: the store says what it came to so far", names[0])
    yield from (told[name] for name in names if name in told)


def _once(store: Store, names: Sequence[str], intake: _Intake, judges: Judges) -> dict[str, Told]:
    held = _held(store, names)
    stored = _stored(store, names)
    told: dict[str, Told] = {}
    astray: list[str] = []
    for name, (said, summary) in judges.judge((name, one.lines) for name, one in held.items()):
        one = held[name]
        day = day_kept(summary.gaming_day)
        if day != summary.gaming_day:
            said = [msgspec.structs.replace(row, gaming_day=day) for row in said]
        copies = 0 if name in intake.known else max(0, intake.copies[name] - len(one.digests))
        summary = msgspec.structs.replace(summary, gaming_day=day, duplicates=copies)
        told[name] = Told(said, summary)
        store.extend(corrections([*said, summary], stored.get(name, []), summary.events))
        if one.standing != {day: one.digests}:
            astray.append(name)
    for some in _slices(astray, SESSIONS_AT_ONCE):
        _move(store, some, {name: told[name].summary.gaming_day for name in some})
    store.flush()
    return told


@dataclass
class _Held:
    """What a store holds of a session's lines."""

    lines: list[bytes] = field(default_factory=list)
    """Each once, rejected ones last."""
    digests: set[str] = field(default_factory=set)
    """Of the events."""
    standing: dict[str, set[str]] = field(default_factory=dict)
    """Which of them stand under a gaming day, by the day."""


def _held(store: Store, names: Sequence[str]) -> dict[str, _Held]:
    """The sessions of which the store has events, and their lines; a row that takes one back has its bytes too."""
    found: dict[str, _Held] = {}
    for row in _ask(store, "SELECT session, gaming_day, digest, type, raw FROM events FINAL WHERE {}", names):
        one = found.setdefault(row["session"], _Held())
        if row["type"] != NOT_THERE:
            one.standing.setdefault(day_kept(row["gaming_day"].isoformat()), set()).add(row["digest"])
        if row["digest"] not in one.digests:
            one.digests.add(row["digest"])
            one.lines.append(row["raw"])
    for row in _ask(store, "SELECT DISTINCT session, raw FROM rejected WHERE {}", names):
        if row["session"] in found:
            found[row["session"]].lines.append(row["raw"])
    return found


def _stored(store: Store, names: Sequence[str]) -> dict[str, list[Said | SessionSummary]]:
    """What is stored of these sessions: of each key the row with the highest revision, taken back or not."""
    rows: dict[str, list[Said | SessionSummary]] = {}
    for record in _SAID:
        for row in _records(store, record, names):
            rows.setdefault(row.session, []).append(row)
    return rows


def _move(store: Store, names: Sequence[str], days: Mapping[str, str]) -> None:
    """Raw events of these sessions that do not stand under their session's day: first they are written where they
    belong, then they are taken back where they do not."""
    lines: dict[tuple[str, str], bytes] = {}
    right: set[tuple[str, str]] = set()
    wrong: list[RawEvent] = []
    for row in _records(store, RawEvent, names):
        key = (row.session, row.digest)
        lines[key] = row.raw
        if row.type == NOT_THERE:
            continue
        if row.gaming_day == days[row.session]:
            right.add(key)
        else:
            wrong.append(row)
    missing = [key for key in lines if key not in right]
    store.extend([_raw_event(decode(lines[key]), lines[key], days[key[0]]) for key in missing])
    store.flush()
    store.extend([take_back_event(row) for row in wrong])


# --- 3. whether there is more -------------------------------------------------------------------------------------


def _prints(store: Store, names: Sequence[str]) -> dict[str, _Print]:
    """See `_Print`; a copy is no further line."""
    found: dict[str, _Print] = {}
    of_events = (
        "SELECT session, count() AS n, sum(cityHash64(digest)) AS s FROM"
        " (SELECT DISTINCT session, digest FROM events WHERE {}) GROUP BY session"
    )
    for row in _ask(store, of_events, names):
        found[row["session"]] = _Print(row["n"], row["s"])
    of_rejected = (
        "SELECT session, count() AS n, sum(cityHash64(digest)) AS s FROM"
        " (SELECT DISTINCT session, digest FROM rejected WHERE {}) GROUP BY session"
    )
    for row in _ask(store, of_rejected, names):
        known = found.get(row["session"], _Print())
        found[row["session"]] = _Print(known.events, known.events_sum, row["n"], row["s"])
    return found


def _portions(names: Sequence[str], prints: Mapping[str, _Print], most: int) -> Iterator[list[str]]:
    portion: list[str] = []
    events = 0
    for name in names:
        more = prints.get(name, _Print()).events
        if portion and events + more > most:
            yield portion
            portion, events = [], 0
        portion.append(name)
        events += more
    if portion:
        yield portion


# --- questions ----------------------------------------------------------------------------------------------------


def _slices(names: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), most):
        yield names[start : start + most]


def _condition(names: Sequence[str]) -> tuple[str, dict[str, str]]:
    """That a session is one of ``names``, in SQL, and its parameters."""
    asked = {f"s{number}": name for number, name in enumerate(names)}
    return f"session IN ({', '.join(f'{{{key}:String}}' for key in asked)})", asked


def _ask(store: Store, sql: str, names: Sequence[str]) -> list[dict[str, Any]]:
    """``sql`` has ``{}`` where it is said which sessions are asked for."""
    condition, asked = _condition(names)
    return store.query(sql.replace("{}", condition), asked)


def _records(store: Store, record: type[Any], names: Sequence[str]) -> Iterator[Any]:
    """The rows of these sessions, of each key the last, taken back or not."""
    table = BY_RECORD[record]
    condition, asked = _condition(names)
    columns = ", ".join(f"`{name}`" for name in table.names)
    found = store.query_columns(f"SELECT {columns} FROM {table.name} FINAL WHERE {condition}", asked)
    yield from table.records(dict(zip(found.names, found.data, strict=True)))
