"""Where sessions are read from: a log (files, or Kafka's topics) or a store, whichever stands at an address.

A source gives a session's lines as they came, in whatever order, unreadable ones that bear its name included; and the
sessions of a gaming day. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from replay.line import read as read_line
from replay.line import session_of
from replay.opening import day_of
from replay.results import RawEvent, Rejected
from streams import logs
from streams.store import Store, StoreError, open_store


class SourceError(logs.LogError):
    """A place that holds nothing of what was asked for: one clear line."""


class Sighting(NamedTuple):
    """What is known of a session before it is folded."""

    day: str
    """The earliest gaming day (ISO date) that it may be of; empty where no event of it can be read."""
    events: int
    """Of these there are no fewer, copies among them."""


class Source(Protocol):
    """Sessions, by name or by gaming day (ISO date)."""

    def session(self, name: str) -> list[bytes]:
        """Every line of this session; raises `SourceError` where there is none."""
        ...

    def night(self, day: str) -> Iterator[tuple[str, list[bytes]]]:
        """The sessions of this gaming day with their lines, in order of their names; raises `SourceError` where there
        is none."""
        ...


class Surveyed(Source, Protocol):
    """A source that can tell of all its sessions."""

    def survey(self) -> dict[str, Sighting]:
        """Every session, as far as decoded events tell."""
        ...

    def sessions(self, names: Collection[str]) -> Iterator[tuple[str, list[bytes]]]:
        """These sessions with their lines, in order of their names."""
        ...


class LogSource:
    """A log. A night's lines are held in memory together, for its sessions lie interleaved."""

    def __init__(self, log: logs.Log) -> None:
        """Raises `logs.LogError` where there is nothing to read."""
        self._log = log
        logs.size_of(log)

    def session(self, name: str) -> list[bytes]:
        """Every line that bears this session's name."""
        wanted = name.encode("utf-8", "surrogatepass")
        lines = [line.text for line in logs.read([self._log]) if session_of(line.text) == wanted]
        if not lines:
            raise SourceError(f"{self._log}: holds no session {name}")
        return lines

    def night(self, day: str) -> Iterator[tuple[str, list[bytes]]]:
        """Read twice: first to see which sessions are of the day, then to take their lines."""
        days: dict[str, tuple[int, str]] = {}
        for line in logs.read([self._log]):
            session, seq, event, _ = read_line(line.text)
            if event is not None and (session not in days or seq < days[session][0]):
                days[session] = (seq, day_of(event))
        found: dict[bytes, list[bytes]] = {
            name.encode("utf-8", "surrogatepass"): [] for name in sorted(days) if days[name][1] == day
        }
        if not found:
            raise SourceError(f"{self._log}: holds no session of {day}")
        for line in logs.read([self._log]):
            name = session_of(line.text)
            if name in found:
                found[name].append(line.text)
        for name, lines in found.items():
            yield name.decode("utf-8", "surrogatepass"), lines

    def survey(self) -> dict[str, Sighting]:
        """Reads all of it. A session that rejected lines alone name is among them, with no event."""
        found: dict[str, Sighting] = {}
        for line in logs.read([self._log]):
            session, _, event, _ = read_line(line.text)
            if event is not None:
                day, seen = day_of(event), found.get(session)
                if seen is not None and seen.events:
                    day = min(day, seen.day)
                found[session] = Sighting(day, 1 if seen is None else seen.events + 1)
            elif session:
                found.setdefault(session, Sighting("", 0))
        return found

    def sessions(self, names: Collection[str]) -> Iterator[tuple[str, list[bytes]]]:
        """Reads all of it, and holds the lines of these sessions in memory."""
        found: dict[bytes, list[bytes]] = {name.encode("utf-8", "surrogatepass"): [] for name in sorted(names)}
        for line in logs.read([self._log]):
            name = session_of(line.text)
            if name in found:
                found[name].append(line.text)
        for name, lines in found.items():
            yield name.decode("utf-8", "surrogatepass"), lines


class StoreSource:
    """A store. It keeps every event's bytes, a line that came twice once."""

    def __init__(self, store: Store, where: str) -> None:
        self._store = store
        self._where = where

    def session(self, name: str) -> list[bytes]:
        """Every event of the session, and the rejected lines that bear its name."""
        lines = [row.raw for row in self._store.read(RawEvent, "session = {name:String}", {"name": name})]
        if not lines:
            raise SourceError(f"{self._where}: holds no session {name}")
        lines += [row.raw for row in self._store.read(Rejected, "session = {name:String}", {"name": name})]
        return lines

    def night(self, day: str) -> Iterator[tuple[str, list[bytes]]]:
        """Session by session."""
        sql = "SELECT DISTINCT session FROM events_current WHERE gaming_day = {day:Date} ORDER BY session"
        names = [row["session"] for row in self._store.query(sql, {"day": day})]
        if not names:
            raise SourceError(f"{self._where}: holds no session of {day}")
        for name in names:
            yield name, self.session(name)

    def survey(self) -> dict[str, Sighting]:
        """From the sessions' own rows, and the events of sessions that have none yet. What rejected lines alone name is
        no session here: the store tells of such lines by itself."""
        sql = "SELECT session, gaming_day, events FROM sessions_current"
        found = {row["session"]: Sighting(str(row["gaming_day"]), row["events"]) for row in self._store.query(sql)}
        sql = (
            "SELECT session, min(gaming_day) AS day, count() AS events FROM events_current"
            " WHERE session NOT IN (SELECT session FROM sessions_current) GROUP BY session"
        )
        for row in self._store.query(sql):
            found[row["session"]] = Sighting(str(row["day"]), row["events"])
        return found

    def sessions(self, names: Collection[str]) -> Iterator[tuple[str, list[bytes]]]:
        """Session by session."""
        for name in sorted(names):
            yield name, self.session(name)


def log_at(where: str) -> logs.Log:
    """The log at ``where``: a file, a folder, what comes by standard input (``-``) or a pipe, which is taken in to its
    end, or the topics of ``kafka://host:port`` up to their present ends.

    Raises `logs.LogError`, or `streams.live.errors.LiveError` for an address or settings of Kafka that cannot be used.
    """
    if logs.comes_once(where):
        return logs.Kept(where)
    if not where.startswith(logs.KAFKA_SCHEME):
        return Path(where)
    from streams.live.config import load
    from streams.live.source import kafka_log

    return kafka_log(load(kafka=where))


@contextmanager
def open_source(where: str) -> Iterator[Surveyed]:
    """The log or the store at ``where``: a file, a folder of log files, standard input (``-``) or a pipe,
    ``kafka://host:port`` (its topics up to where they end now), a store's folder, ``clickhouse://…``.

    Raises `SourceError`, `logs.LogError`, `streams.live.errors.LiveError` or `StoreError`.
    """
    if where.startswith(logs.KAFKA_SCHEME) or logs.comes_once(where):
        yield LogSource(log_at(where))
        return
    path = Path(where)
    if "://" not in where and (not path.is_dir() or _has_logs(path)):
        yield LogSource(path)
        return
    try:
        store = open_store(where, create=False)
    except StoreError as error:
        if "://" in where:
            raise
        raise SourceError(f"{where}: holds no log ({' or '.join(logs.SUFFIXES)}), and is no store: {error}") from None
    try:
        yield StoreSource(store, where)
    finally:
        store.close()


def _has_logs(folder: Path) -> bool:
    try:
        return bool(logs.files_of(folder))
    except logs.LogError:
        return False
