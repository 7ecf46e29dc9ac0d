"""An audit of whole logs: the pure auditor between files and a sink, spread over processes for more than one core."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from replay.audit import Auditor
from replay.judging import Judging
from replay.line import session_of
from replay.refold import Refold
from replay.results import Finding, Row, Settlement
from streams import logs

_LINES_A_BATCH = 5_000


@dataclass
class Tally:
    """What an audit came to, in numbers; ``findings`` by code, ``verdicts`` by their name."""

    lines: int = 0
    events: int = 0
    rejected: int = 0
    sessions: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    findings: dict[str, int] = field(default_factory=dict)

    @property
    def settlements(self) -> int:
        """Bets told of."""
        return sum(self.verdicts.values())

    @property
    def clean(self) -> bool:
        """Nothing was found, and nothing was rejected."""
        return not self.findings and not self.rejected


def audit(
    paths: Iterable[logs.Log],
    take: Callable[[Row], None],
    judging: Judging,
    *,
    raw: bool = False,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Audit logs and give every row to ``take``, a later row under an identity superseding the earlier one.

    ``raw``: also give every event's bytes; ``workers``: processes, each with a share of the sessions. The tally counts
    what is finally said.
    """
    paths = list(paths)
    for path in paths:
        logs.size_of(path)
    tally = _Count()
    settings = _Settings(paths, judging, raw)
    if workers == 1:
        source = _share(settings, 0, 1, progress)
    else:
        source = _spread(settings, workers, progress)
    result = Tally()
    for part in source:
        if isinstance(part, Tally):
            result.lines += part.lines
            result.events += part.events
            result.rejected += part.rejected
            result.sessions += part.sessions
            continue
        if isinstance(part, _Superseded):
            for row in part.rows:
                tally.unsay(row)
            continue
        for row in part:
            tally.row(row)
            take(row)
    result.verdicts, result.findings = tally.totals()
    return result


@dataclass(frozen=True)
class _Superseded:
    """Rows of the first reading that the next ones supersede."""

    rows: list[Row]


_MAY_CHANGE = frozenset({"unsettled", "open"})
"""Verdicts that a later claim changes; the others are final once they are sealed."""


class _Count:
    """Counts what is finally said without holding on to the rows: a settlement's or finding's last word counts."""

    def __init__(self) -> None:
        self._verdicts: dict[str, int] = {}
        self._findings: dict[str, int] = {}
        self._open: dict[tuple[Any, ...], str] = {}
        """What may still be superseded: settlements that are not settled, findings."""

    def row(self, row: Row) -> None:
        if type(row) is Settlement:
            verdict = row.verdict.value
            key: tuple[Any, ...] = (row.session, row.round, row.bet)
            before = self._open.pop(key, None) if self._open else None
            if before is not None:
                self._verdicts[before] -= 1
            self._verdicts[verdict] = self._verdicts.get(verdict, 0) + 1
            if verdict in _MAY_CHANGE:
                self._open[key] = verdict
        elif type(row) is Finding:
            key = (row.session, row.seq, row.code, row.subject)
            if self._open.pop(key, None) is not None:
                self._findings[row.code] -= 1
            if not row.withdrawn:
                self._open[key] = row.code
                self._findings[row.code] = self._findings.get(row.code, 0) + 1

    def unsay(self, row: Row) -> None:
        """This row is superseded by one that follows."""
        if isinstance(row, Settlement):
            self._verdicts[row.verdict.value] -= 1
            self._open.pop((row.session, row.round, row.bet), None)
        elif isinstance(row, Finding):
            self._findings[row.code] -= 1
            self._open.pop((row.session, row.seq, row.code, row.subject), None)

    def totals(self) -> tuple[dict[str, int], dict[str, int]]:
        return (
            {name: count for name, count in sorted(self._verdicts.items()) if count},
            {name: count for name, count in sorted(self._findings.items()) if count},
        )


@dataclass(frozen=True)
class _Settings:
    paths: list[logs.Log]
    judging: Judging
    raw: bool


def _share(
    settings: _Settings, worker: int, workers: int, progress: Callable[[int], None] | None = None
) -> Iterator[list[Row] | _Superseded | Tally]:
    """One worker's share of the sessions: batches of rows, its tally last."""
    auditor = Auditor(settings.judging, raw=settings.raw)
    feed = auditor.feed
    count = 0
    for source, place, line in logs.read(settings.paths, progress):
        if workers > 1 and crc32(session_of(line)) % workers != worker:
            continue
        feed(line, source, place)
        count += 1
        if count % _LINES_A_BATCH == 0:
            yield auditor.drain(sealed=True)
    yield auditor.finish()
    late = auditor.late()
    if late:
        refold = Refold(late, settings.judging)
        for _, _, line in logs.read(settings.paths):
            refold.feed(line)
        rows = refold.rows()
        yield _Superseded(refold.superseded)
        yield rows
    yield Tally(lines=auditor.lines, events=auditor.events, rejected=auditor.rejected, sessions=auditor.session_count())


def _work(settings: _Settings, worker: int, workers: int, queue: Any) -> None:
    try:
        for part in _share(settings, worker, workers):
            queue.put(part)
        queue.put(None)
    except logs.LogError as error:
        queue.put(error)


@contextmanager
def _processes(settings: _Settings, workers: int) -> Iterator[Any]:
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue(maxsize=8)
    running = [
        context.Process(target=_work, args=(settings, worker, workers, queue), daemon=True) for worker in range(workers)
    ]
    for process in running:
        process.start()
    try:
        yield queue, running
    finally:
        for process in running:
            process.terminate()
            process.join()


def _spread(
    settings: _Settings, workers: int, progress: Callable[[int], None] | None
) -> Iterator[list[Row] | _Superseded | Tally]:
    with _processes(settings, workers) as (queue, _):
        left = workers
        while left:
            part = queue.get()
            if part is None:
                left -= 1
                if progress is not None:
                    size = sum(logs.size_of(log) for log in settings.paths)
                    progress(size // workers)
            elif isinstance(part, Exception):
                raise part
            else:
                yield part
